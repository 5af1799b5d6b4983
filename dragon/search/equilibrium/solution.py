"""The solution of one game: an average strategy, better with each iteration."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
from attrs import frozen

from dragon.compiler.specialise import Constants, specialise
from dragon.modes import jit_enabled
from dragon.search.equilibrium.kernel import Memory, Variant
from dragon.search.equilibrium.sequences import SequenceForm

KERNEL = "dragon.search.equilibrium.kernel"
SAME = 1e-9
"""The greatest difference at which two moves are taken for equally good."""
DRAWS = 20
"""Samples of a player of the equilibrium, by which chance is estimated."""
LEARNT = ("plan", "total", "regret", "last")
"""The arrays of the memory that an iteration goes on from."""


def functions(seats: int) -> Any:
    """Return the functions of the kernel for a number of seats, compiled if possible."""
    if jit_enabled():
        return specialise(KERNEL, Constants("games in sequence form", (("SEATS", seats),)))
    from dragon.rules.interpreted import bind

    return SimpleNamespace(**bind(KERNEL, {"SEATS": seats}, numbers={}))


class Responses:
    """The worth of strategies in a game, and best responses to them."""

    def __init__(self, form: SequenceForm) -> None:
        self.form = form
        self.functions = functions(form.seats)
        self.memory = Memory(**form.arrays())
        self._chances = np.array(form.chances, float)

    def plan_of(self, probabilities: Any) -> Any:
        """Return the plans of strategies that give each sequence's move a probability."""
        plan = np.ones(self.form.sequences)
        for parent, first, moves in zip(
            self.form.parent, self.form.first, self.form.moves, strict=True
        ):
            last = first + len(moves)
            plan[first:last] = plan[parent] * probabilities[first:last]
        return plan

    def values(self, plan: Any) -> list[float]:
        """Return the expected payoff of each seat if all follow their plans."""
        seats = range(self.form.seats)
        return [float(self.functions.expected(self.memory, plan, seat)) for seat in seats]

    def best(self, plan: Any) -> list[float]:
        """Return the value, for each seat, of its best response to the others' plans."""
        seats = range(self.form.seats)
        return [float(self.functions.respond(self.memory, plan, seat)) for seat in seats]

    def nash_conv(self, plan: Any) -> float:
        """Return the sum over seats of what each gains by a best response to the others."""
        gains = zip(self.best(plan), self.values(plan), strict=True)
        return max(0.0, sum(best - value for best, value in gains))

    def costs(self, plan: Any, probabilities: Any) -> tuple[list[float], list[tuple[int, ...]]]:
        """Return the contribution of each information set to NashConv, and its best moves (none
        where the others' strategies never reach it).

        The contribution is the seat's own probability of reaching the set, times the advantage of
        the best move over the seat's own play, both followed by a best response; the sum over all
        sets is NashConv.
        """
        form, costs = self.form, [0.0] * len(self.form.seat)
        replies: list[tuple[int, ...]] = [()] * len(costs)
        for seat in range(form.seats):
            come = np.zeros(len(costs))
            self.functions.expect(self.memory, plan, probabilities, seat, self._chances, come)
            self.functions.respond(self.memory, plan, seat)
            worth = self.memory.worth
            for number, (mover, parent, first, moves) in enumerate(
                zip(form.seat, form.parent, form.first, form.moves, strict=True)
            ):
                if mover == seat and come[number] > 0:
                    own = slice(first, first + len(moves))
                    best = worth[own].max()
                    costs[number] = float(plan[parent] * (best - probabilities[own] @ worth[own]))
                    near = best - SAME * come[number]
                    replies[number] = tuple(np.flatnonzero(worth[own] >= near).tolist())
        return costs, replies

    def exploitability(self, plan: Any) -> float:
        """Return NashConv divided by the number of seats."""
        return self.nash_conv(plan) / self.form.seats

    def set_values(self, plan: Any, probabilities: Any, seat: int) -> Any:
        """Return a seat's expected payoff at each of its information sets; nan if out of reach."""
        worth, reach = (np.zeros(len(self.form.seat)) for _ in range(2))
        arguments = self.memory, plan, probabilities, seat
        self.functions.expect(*arguments, self.memory.paid[seat], worth)
        self.functions.expect(*arguments, self._chances, reach)
        return np.divide(worth, reach, out=np.full_like(worth, np.nan), where=reach > 0)

    def move_values(self, plan: Any, probabilities: Any, seat: int) -> Any:
        """Return float64[sequences]: a seat's expected payoff after each of its moves, if it
        continues by `probabilities`; nan for other seats' moves, and out of reach."""
        arguments, unused = (self.memory, plan, probabilities, seat), np.zeros(len(self.form.seat))
        self.functions.expect(*arguments, self.memory.paid[seat], unused)
        worth = self.memory.worth.copy()
        self.functions.expect(*arguments, self._chances, unused)
        reach = self.memory.worth.copy()
        for other, first, moves in zip(
            self.form.seat, self.form.first, self.form.moves, strict=True
        ):
            if other != seat:
                reach[first : first + len(moves)] = 0.0
        return np.divide(worth, reach, out=np.full_like(worth, np.nan), where=reach > 0)


@frozen(eq=False)
class Averages:
    """The average strategies after some iterations, and what is known of them."""

    plan: Any
    """float64[sequences], as in `kernel`."""
    probabilities: Any
    """float64[sequences], of each sequence's move at its information set."""
    values: tuple[float, ...]
    """The payoff of each seat where all follow them."""
    best: tuple[float, ...]
    """The payoff of a best response in each seat."""
    set_values: tuple[Any, ...]
    """float64[sets] of each seat: its expected payoff there; nan where the strategies never reach
    the set."""

    @property
    def nash_conv(self) -> float:
        """The sum of what the seats gain by best responses."""
        return max(0.0, sum(self.best) - sum(self.values))


class Solution(Responses):
    """The average strategies of counterfactual regret minimization so far."""

    def __init__(self, form: SequenceForm, variant: Variant) -> None:
        super().__init__(form)
        self.variant = variant
        self.iterations = 0
        self._averages: tuple[int, Averages] | None = None

    def improve(self, iterations: int) -> None:
        """Make this number of further iterations."""
        v = self.variant
        self.functions.iterate(
            self.memory, self.iterations, iterations, v.floor, v.alpha, v.beta, v.gamma,
            v.predictive,
        )  # fmt: skip
        self.iterations += iterations

    def arrays(self) -> dict[str, Any]:
        """Return the arrays that `restore` needs, in another run too."""
        learnt = {name: getattr(self.memory, name) for name in LEARNT}
        return {**learnt, "tree": self._tree(), "iterations": np.array(self.iterations)}

    def restore(self, arrays: dict[str, Any]) -> bool:
        """Go on from the iterations of another run; return False if it had another tree."""
        if not np.array_equal(arrays["tree"], self._tree()):
            return False
        for name in LEARNT:
            getattr(self.memory, name)[:] = arrays[name]
        self.iterations = int(arrays["iterations"])
        return True

    def _tree(self) -> Any:
        """Return the digest of the tree, by which that of other rules is known."""
        m, made = self.memory, hashlib.sha256()
        for each in (m.seat, m.parent, m.first, m.count, m.leaves.T.astype(np.int64), m.paid.T):
            made.update(each.tobytes())  # tobytes writes rows first, whatever the layout in memory
        return np.frombuffer(made.digest(), np.uint8)

    def averages(self) -> Averages:
        """Return the average strategies of the iterations so far; worked out once for each."""
        if self._averages is None or self._averages[0] != self.iterations:
            plan, probabilities = (np.ones(self.form.sequences) for _ in range(2))
            self.functions.average(self.memory, plan, probabilities)
            values = tuple(
                self.set_values(plan, probabilities, seat) for seat in range(self.form.seats)
            )
            best, worth = tuple(self.best(plan)), tuple(self.values(plan))
            self._averages = self.iterations, Averages(plan, probabilities, worth, best, values)
        return self._averages[1]

    def exploited(self, counts: Mapping[int, Any], games: Mapping[int, int]) -> tuple[float, float]:
        """Return the winnings of an exploiter from a player, and the part that chance alone
        explains.

        counts: how often the player made each move of each information set that it came to, in a
        game of two seats; games: how many it played in each seat. The player is assumed to play
        with these frequencies there, and elsewhere as the average strategies. The others play a
        best response to that; each game counts their gain over play against the average strategies.
        The second figure is the same for a player of these that came to the same sets as often, the
        mean of DRAWS samples.
        """
        form, known, dice = self.form, self.averages(), np.random.default_rng(0)
        usual, counts = known.probabilities, {n: np.array(made) for n, made in counts.items()}
        places = {n: slice(form.first[n], form.first[n] + len(made)) for n, made in counts.items()}

        def won(counted: Mapping[int, Any]) -> float:
            played = usual.copy()
            for number, made in counted.items():
                played[places[number]] = made / made.sum()
            best = self.best(self.plan_of(played))
            return sum(
                times * max(0.0, best[1 - seat] - known.best[1 - seat])
                for seat, times in games.items()
            )

        drawn = [
            won({
                n: dice.multinomial(int(made.sum()), usual[places[n]] / usual[places[n]].sum())
                for n, made in counts.items()
            })
            for _ in range(DRAWS)
        ]  # fmt: skip
        return won(counts), sum(drawn) / DRAWS
