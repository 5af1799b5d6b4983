"""Two searches that estimate the value of a deal: `stratified` and `antithetic`.

Both draw opening hands only; what free cards add to a hand is computed, each kind of hand
once. From a state after the deal they give the exact value.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen, validators

from dragon.core import Bound, Game, Limit, Result, Search, State
from dragon.errors import Objection
from dragon.search.budget import Budget, simulations_budget
from dragon_hands.classes import Model
from dragon_hands.play import opened
from dragon_hands.policy import Optimal

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from dragon_hands.state import HandState

DEFAULT_SIMULATIONS = 10_000
SLICE = 4096
"""Hands between two looks at the clock."""


@define
class Strata:
    """What has been drawn of each stratum: hands, and the sum and squares of their values."""

    weights: list[float]
    counts: list[int] = field(factory=list)
    sums: list[float] = field(factory=list)
    squares: list[float] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.counts = [0] * len(self.weights)
        self.sums, self.squares = [0.0] * len(self.weights), [0.0] * len(self.weights)

    def add(self, stratum: int, values: npt.NDArray[np.float64]) -> None:
        """Counts more values."""
        self.counts[stratum] += len(values)
        self.sums[stratum] += float(values.sum())
        self.squares[stratum] += float((values * values).sum())

    def mean(self) -> float:
        """The estimate: strata that were not drawn from yet stand for one half."""
        parts = zip(self.weights, self.counts, self.sums, strict=True)
        return min(1.0, sum(w * (s / n if n else 0.5) for w, n, s in parts))

    def error(self) -> float:
        """Its standard error; the variance within a stratum drawn from once is a quarter."""
        total = 0.0
        parts = zip(self.weights, self.counts, self.sums, self.squares, strict=True)
        for w, n, s, q in parts:
            spread = max(0.0, q - s * s / n) / (n - 1) if n > 1 else 0.25
            total += w * w * spread / max(1, n)
        return math.sqrt(total)


class Worth:
    """The value of each kind of opening hand, computed when it is first met."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.plays = Optimal(model)
        self.known: dict[tuple[int, ...], float] = {}

    def of(self, hands: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """The values of hands; hands: int64[n, classes]."""
        import numpy as np

        kinds, where = np.unique(hands, axis=0, return_inverse=True)
        values = []
        for row in kinds.tolist():
            kind = tuple(row)
            if kind not in self.known:
                self.known[kind] = float(self.plays.value(opened(self.model, kind)))
            values.append(self.known[kind])
        return np.array(values)[where.reshape(-1)]


@frozen
class Sampler(Search):
    """What the two have in common: budget, stream and results."""

    proves = False
    limits = frozenset({"seconds", "nodes", "simulations"})

    simulations: int | None = field(default=None, validator=validators.optional(validators.ge(1)))
    """Hands in all; none: until the limit, or 10,000."""
    precision: float | None = field(default=None, validator=validators.optional(validators.gt(0)))
    """Stop when the standard error is no more than this."""

    def objection(self, game: Game[Any]) -> str | None:
        """It knows how opening hands are dealt, and no other game."""
        if game.name != "hands":
            return f"{self} deals opening hands alone; {game} is another game"
        return super().objection(game)

    def improve(
        self, state: State[Any], limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """An estimate for each doubling of the hands; after the deal one exact result."""
        from dragon_hands.state import HandState

        if not isinstance(state, HandState):
            raise Objection(f"{self} deals opening hands alone, and {state} is no state of these")
        budget = Budget(limit)
        if state.at is not None:
            yield _known(state, budget)
            return
        most, told = simulations_budget(self.simulations, limit, DEFAULT_SIMULATIONS)
        if limit.nodes is not None:
            most = min(most, limit.nodes)
        worth = Worth(state.table.model)
        strata = Strata(self.weights(worth.model))
        target, drawn = 1, 0
        while True:
            target = min(2 * target, most)
            while drawn < target and not (drawn and budget.late()):
                drawn += self.draw(worth, strata, min(SLICE, target - drawn), drawn, rng)
            yield Result(
                value=strata.mean(),
                error=strata.error(),
                nodes=drawn,
                seconds=budget.seconds,
                extra={"simulations": drawn, "budget": told},
            )
            enough = self.precision is not None and drawn > 100 and strata.error() <= self.precision
            if drawn >= most or budget.late() or enough:
                return

    @abstractmethod
    def weights(self, model: Model) -> list[float]:
        """The probability of each stratum."""

    @abstractmethod
    def draw(
        self, worth: Worth, strata: Strata, hands: int, drawn: int, rng: np.random.Generator
    ) -> int:
        """Draws so many hands, after `drawn` others; gives how many it has drawn."""


@frozen
class Stratified(Sampler):
    """Hands by the number of cards that matter, each number as often as it is likely.

    A card matters if a clause or a cost asks for it, or if it is a free card. How many of
    them come is a hypergeometric number, known exactly; which of them is drawn. Of the hands
    without any there is but one kind, whose value is known.
    """

    name = "stratified"

    def weights(self, model: Model) -> list[float]:
        """How likely each number of cards that matter is."""
        idle, total = _idle(model), sum(each.copies for each in model.classes)
        rest = model.classes[idle].copies if idle >= 0 else 0
        others = total - rest
        ways = [
            math.comb(others, k) * math.comb(rest, model.hand - k) for k in range(model.hand + 1)
        ]
        return [n / sum(ways) for n in ways]

    def draw(
        self, worth: Worth, strata: Strata, hands: int, drawn: int, rng: np.random.Generator
    ) -> int:
        """Brings each stratum to its share of all the hands drawn so far."""
        import numpy as np

        model, idle = worth.model, _idle(worth.model)
        copies = np.array([each.copies for each in model.classes], np.int64)
        wanted = copies.copy()
        if idle >= 0:
            wanted[idle] = 0
        shares = _shares(strata, drawn + hands)
        for k, share in enumerate(shares):
            n = share - strata.counts[k]
            if n <= 0:
                continue
            dealt = rng.multivariate_hypergeometric(wanted, k, size=n)
            if idle >= 0:
                dealt[:, idle] = model.hand - k
            strata.add(k, worth.of(dealt))
        return sum(strata.counts) - drawn


@frozen
class Antithetic(Sampler):
    """Hands that have no card in common, as many from one shuffle as the deck gives.

    A good hand leaves worse cards to the others of its shuffle, so that their mean varies
    less than that of as many independent hands (antithetic variates: Hammersley and Morton
    1956). The error is that of the means of shuffles.
    """

    name = "antithetic"

    def weights(self, model: Model) -> list[float]:
        """One stratum: everything."""
        return [1.0]

    def draw(
        self, worth: Worth, strata: Strata, hands: int, drawn: int, rng: np.random.Generator
    ) -> int:
        """Shuffles, each dealt out; the last by as many hands as are still wanted."""
        import numpy as np

        model = worth.model
        copies = [each.copies for each in model.classes]
        block = max(1, sum(copies) // model.hand)
        deck = np.repeat(np.arange(model.size), copies)
        blocks = max(1, hands // block)
        block = min(block, hands)
        order = rng.permuted(np.tile(deck, (blocks, 1)), axis=1)[:, : block * model.hand]
        dealt = order.reshape(blocks * block, model.hand)
        counts = np.zeros((len(dealt), model.size), np.int64)
        for place in range(model.hand):
            np.add.at(counts, (np.arange(len(dealt)), dealt[:, place]), 1)
        means = worth.of(counts).reshape(blocks, block).mean(axis=1)
        strata.add(0, means)
        return blocks * block


def _idle(model: Model) -> int:
    """The class of the cards that nothing asks for; -1 where there is none."""
    asked = {c for f in model.objective for term in f for n in term for c in n[1]}
    asked |= {c for _, sets in model.tolls for classes, _ in sets for c in classes}
    rest = [c for c, each in enumerate(model.classes) if c not in asked and each.free is None]
    return rest[0] if len(rest) == 1 else -1


def _shares(strata: Strata, hands: int) -> list[int]:
    """How many of so many hands each stratum should have: the largest remainders round up."""
    exact = [w * hands for w in strata.weights]
    found = [math.floor(x) for x in exact]
    order = sorted(range(len(exact)), key=lambda k: found[k] - exact[k])
    for k in order[: hands - sum(found)]:
        found[k] += 1
    short = sum(max(0, n - have) for n, have in zip(found, strata.counts, strict=True))
    spare = short - (hands - sum(strata.counts))
    for k in order:  # strata that have more than their share leave less to the others
        while spare > 0 and found[k] > strata.counts[k]:
            found[k] -= 1
            spare -= 1
    return found


def _known(state: HandState, budget: Budget) -> Result:
    """The exact value of a state after the deal, and a best move."""
    plays = Optimal(state.table.model)
    assert state.at is not None
    value = float(plays.value(state.at))
    line: tuple[str, ...] = ()
    if state.turn >= 0:
        line = (max(state.moves(), key=lambda m: _after(plays, state, m)),)
    return Result(value, Bound.EXACT, line, nodes=len(plays.known), seconds=budget.seconds,
                  extra={"simulations": 0})  # fmt: skip


def _after(plays: Optimal, state: HandState, move: str) -> float:
    at = state.after(move).at
    assert at is not None
    return float(plays.value(at))
