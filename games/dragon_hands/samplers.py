"""Two searches that estimate the value of a deal: `stratified` and `antithetic`.

Both draw opening hands only; what free cards add to a hand is computed, each kind of hand
once. From a state after the deal they give the exact value.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import define, field, frozen, validators

from dragon.core import Bound, Game, Limit, Result, Search, State
from dragon.errors import Objection
from dragon.search.budget import Budget, simulations_budget
from dragon_hands.formula import Model
from dragon_hands.play import opened
from dragon_hands.policy import Optimal
from dragon_hands.state import HandState

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
SLICE = 4096
"""Hands between two looks at the clock."""


@define
class Stratum:
    """The draws of a stratum: hands, the sum of their values, and the sum of the squares."""

    weight: float
    """The probability of the stratum."""
    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, values: npt.NDArray[np.float64]) -> None:
        """Count more values."""
        self.count += len(values)
        self.total += float(values.sum())
        self.squares += float((values * values).sum())

    @property
    def mean(self) -> float:
        """The stratum's part of the estimate, with a mean of one half before any draw."""
        return self.weight * (self.total / self.count if self.count else 0.5)

    @property
    def variance(self) -> float:
        """The variance of that part; before the second draw, the values' variance is a quarter."""
        n, spread = self.count, 0.25
        if n > 1:
            spread = max(0.0, self.squares - self.total**2 / n) / (n - 1)
        return self.weight**2 * spread / max(1, n)


Strata: TypeAlias = list[Stratum]


def values_of(plays: Optimal, hands: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return the values of opening hands, each kind computed once; hands: int64[n, classes]."""
    import numpy as np

    kinds, where = np.unique(hands, axis=0, return_inverse=True)
    values = [float(plays.value(opened(plays.model, tuple(kind)))) for kind in kinds.tolist()]
    return np.array(values)[where.reshape(-1)]


@frozen
class Sampler(Search):
    """The base class of both samplers: budget, stream and results."""

    proves = False
    limits = frozenset({"seconds", "nodes", "simulations"})

    simulations: int | None = field(default=None, validator=validators.optional(validators.ge(1)))
    """The number of hands; none: until the limit, or 10,000."""
    precision: float | None = field(default=None, validator=validators.optional(validators.gt(0)))
    """The standard error at which the search stops."""

    def objection(self, game: Game[Any]) -> str | None:
        """Object to every game except opening hands."""
        if game.name != "hands":
            return f"{self} deals opening hands alone; {game} is another game"
        return super().objection(game)

    def improve(
        self, state: State[Any], limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """Yield an estimate for each doubling of the hands; after the deal, one exact result."""
        if not isinstance(state, HandState):
            raise Objection(f"{self} deals opening hands alone; {state} is not a state of hands")
        budget, plays = Budget(limit), Optimal(state.table.model)
        if state.at is not None:
            yield _known(state, plays, budget)
            return
        most, source = simulations_budget(self.simulations, limit)
        if limit.nodes is not None:
            most = min(most, limit.nodes)
        strata = [Stratum(weight) for weight in self.weights(plays.model)]
        target, drawn = 1, 0
        while True:
            target = min(2 * target, most)
            while drawn < target and not (drawn and budget.late()):
                drawn += self.draw(plays, strata, min(SLICE, target - drawn), rng)
            error = math.sqrt(sum(each.variance for each in strata))
            yield Result(
                value=min(1.0, sum(each.mean for each in strata)),
                error=error,
                nodes=drawn,
                seconds=budget.seconds,
                extra={"simulations": drawn, "budget": source},
            )
            enough = self.precision is not None and drawn > 100 and error <= self.precision
            if drawn >= most or budget.late() or enough:
                return

    @abstractmethod
    def weights(self, model: Model) -> list[float]:
        """Return the probability of each stratum."""

    @abstractmethod
    def draw(self, plays: Optimal, strata: Strata, hands: int, rng: np.random.Generator) -> int:
        """Draw about `hands` more hands; return the number drawn."""


@frozen
class Stratified(Sampler):
    """Estimate by strata: hands with each number of cards that matter, by its probability.

    A card matters if a clause or a cost asks for it, or if it is a free card. The number of
    them is hypergeometric and known exactly; the cards themselves are drawn. The hands
    without any are of one kind, whose value is known.
    """

    name = "stratified"

    def weights(self, model: Model) -> list[float]:
        """Return the probability of each number of cards that matter."""
        idle, total = model.idle, sum(model.copies)
        rest = model.classes[idle].copies if idle >= 0 else 0
        others = total - rest
        ways = [
            math.comb(others, k) * math.comb(rest, model.hand - k) for k in range(model.hand + 1)
        ]
        return [n / sum(ways) for n in ways]

    def draw(self, plays: Optimal, strata: Strata, hands: int, rng: np.random.Generator) -> int:
        """Bring each stratum to its share of all the hands drawn so far."""
        import numpy as np

        model, idle = plays.model, plays.model.idle
        wanted = np.array(model.copies, np.int64)
        if idle >= 0:
            wanted[idle] = 0
        drawn = sum(each.count for each in strata)
        shares = _shares(strata, drawn + hands)
        for k, (stratum, share) in enumerate(zip(strata, shares, strict=True)):
            if share > stratum.count:
                dealt = rng.multivariate_hypergeometric(wanted, k, size=share - stratum.count)
                if idle >= 0:
                    dealt[:, idle] = model.hand - k
                stratum.add(values_of(plays, dealt))
        return sum(each.count for each in strata) - drawn


@frozen
class Antithetic(Sampler):
    """Estimate from hands without common cards, as many from one shuffle as the deck gives.

    A good hand leaves worse cards to the others of its shuffle, so that their mean varies
    less than that of as many independent hands (antithetic variates: Hammersley and Morton
    1956). The error is the standard error of the means of shuffles.
    """

    name = "antithetic"

    def weights(self, model: Model) -> list[float]:
        """Return the only stratum, which contains all hands."""
        return [1.0]

    def draw(self, plays: Optimal, strata: Strata, hands: int, rng: np.random.Generator) -> int:
        """Deal out shuffles, each in full, or one in part if fewer hands are wanted."""
        import numpy as np

        model = plays.model
        block = max(1, sum(model.copies) // model.hand)
        deck = np.repeat(np.arange(model.size), model.copies)
        blocks = max(1, hands // block)
        block = min(block, hands)
        order = rng.permuted(np.tile(deck, (blocks, 1)), axis=1)[:, : block * model.hand]
        dealt = order.reshape(blocks * block, model.hand)
        counts = np.zeros((len(dealt), model.size), np.int64)
        for place in range(model.hand):
            np.add.at(counts, (np.arange(len(dealt)), dealt[:, place]), 1)
        strata[0].add(values_of(plays, counts).reshape(blocks, block).mean(axis=1))
        return blocks * block


def _shares(strata: Strata, hands: int) -> list[int]:
    """Return the share of each stratum in `hands` hands: the largest remainders round up."""
    exact = [each.weight * hands for each in strata]
    found = [math.floor(x) for x in exact]
    order = sorted(range(len(exact)), key=lambda k: found[k] - exact[k])
    for k in order[: hands - sum(found)]:
        found[k] += 1
    counts = [each.count for each in strata]
    short = sum(max(0, n - have) for n, have in zip(found, counts, strict=True))
    spare = short - (hands - sum(counts))
    for k in order:  # strata that have more than their share leave less to the others
        given = max(0, min(spare, found[k] - counts[k]))
        found[k] -= given
        spare -= given
    return found


def _known(state: HandState, plays: Optimal, budget: Budget) -> Result:
    """Return the exact value of a state after the deal, and a best move."""

    def value(state: HandState) -> float:
        assert state.at is not None
        return float(plays.value(state.at))

    line: tuple[str, ...] = ()
    if state.turn >= 0:
        line = (max(state.moves(), key=lambda move: value(state.after(move))),)
    return Result(value(state), Bound.EXACT, line, nodes=len(plays.known), seconds=budget.seconds,
                  extra={"simulations": 0})  # fmt: skip
