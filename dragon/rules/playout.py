"""Playouts: random play from a state to the end of the game.

Moves are drawn with the integer generator of `dragon.bits`, so that a seed gives the
same game compiled and interpreted.

>>> import dragon
>>> from dragon.bits import Random
>>> str(playout(dragon.game("nim(pile=4)").start(), Random(1)))
'0 A'
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon.bits import Random
from dragon.core import CHANCE, TERMINAL, State
from dragon.rules.kernels.playout import pick as pick
from dragon.rules.record import Moves, RecordState, defines, has_kernels
from dragon.rules.rehearsal import kernels_of, rehearsed

if TYPE_CHECKING:
    import numpy as np

SLICE = 1000
"""Playouts in one call of the kernel; between two calls, optimised code may take over."""


def roll(state: State[Any], rng: np.random.Generator) -> Any:
    """A move of chance, drawn by its odds; consumes one draw of `rng`."""
    random = Random(int(rng.integers(1 << 63)))
    return state.moves()[pick(random.state, state.odds())]


def step(state: State[Any], random: Random, reduced: bool = False) -> State[Any]:
    """The state after one random move: by `odds` where chance is uneven, else by `sample`.

    Where it is `reduced`, a seat's moves are those that the game's `reduce` leaves.
    """
    return follow(state, drawn(state, random, reduced))


def drawn(state: State[Any], random: Random, reduced: bool = False) -> Any:
    """Return a random move, drawn as in `step`; of a record its code, so that no text is made."""
    if state.turn == CHANCE and defines(state, "odds"):
        return listed(state.moves(), pick(random.state, state.odds()))
    if reduced and state.turn != CHANCE and defines(state, "reduce"):
        moves = state.distinct()
        return listed(moves, random(len(moves)))
    if isinstance(state, RecordState):
        return state.evaluator.sample(state.data, random)
    return state.sample(random)


def follow(state: State[Any], drawn: Any) -> State[Any]:
    """The state after a move that was `drawn` there."""
    return state.play(drawn) if isinstance(state, RecordState) else state.after(drawn)


def listed(moves: Sequence[Any], index: int) -> Any:
    """One of a state's moves; of a record its code."""
    return int(moves.codes[index]) if isinstance(moves, Moves) else moves[index]


def playout(state: State[Any], random: Random) -> State[Any]:
    """The terminal state that random play reaches from `state`; consumes `random`."""
    if has_kernels(state):
        return Playouts(state).one(random)
    while state.turn != TERMINAL:
        state = step(state, random)
    return state


@frozen
class Totals:
    """The payoffs of a number of playouts, added up, in units."""

    count: int
    plies: int
    """The plies of all playouts together."""
    sums: tuple[int, ...]
    """Each seat's units, summed."""
    squares: tuple[float, ...]
    """Each seat's units, squared and summed, one by one as floats."""


def playouts(
    state: State[Any], count: int, random: Random, late: Callable[[], bool] | None = None
) -> Totals:
    """The totals of `count` playouts from `state`; consumes `random`.

    In plain Python, where a playout may take any time, `late` is called at each ply; when it
    returns True, the playout is given up, and no other begins.

    >>> import dragon
    >>> playouts(dragon.game("nim(pile=1)").start(), 3, Random(0))
    Totals(count=3, plies=3, sums=(3, -3), squares=(3.0, 3.0))
    """
    if has_kernels(state):
        return Playouts(state).run(count, random)
    plies, seats = 0, len(state.teams)
    sums, squares = [0] * seats, [0.0] * seats
    for done in range(count):
        end = state
        if end.turn != TERMINAL and (known := end.finished(random)) is not None:
            end, made = known
            plies += made
        while end.turn != TERMINAL:
            if late is not None and late():
                return Totals(done, plies, tuple(sums), tuple(squares))
            end = step(end, random)
            plies += 1
        for seat, payoff in enumerate(end.payoff()):
            units = round(payoff / state.unit)
            sums[seat] += units
            squares[seat] += float(units) * float(units)
    return Totals(count, plies, tuple(sums), tuple(squares))


class Playouts:
    """The compiled playouts of one state, with their scratch memory."""

    def __init__(self, state: RecordState) -> None:
        import numpy as np

        self.rules = rules = state.rules
        self.state = state
        self._module = kernels_of("dragon.rules.kernels.playout", rules)
        self._states = np.zeros(2, rules.layout)
        self._states[0] = np.frombuffer(state.data, rules.layout)[0]
        self._out = np.zeros(rules.width, np.int64)
        self._weights = np.zeros(rules.width if rules.odds else 0, np.float64)
        self._sums = np.zeros(len(rules.teams), np.int64)
        self._squares = np.zeros(len(rules.teams))

    @rehearsed
    def run(self, count: int, random: Random) -> Totals:
        """The totals of `count` playouts."""
        self._squares[:] = 0
        arrays = self._states, self._out, self._weights, random.state
        plies, sums = 0, [0] * len(self._sums)
        for done in range(0, max(count, 1), SLICE):  # a first call without playouts, which compiles
            some, self._sums[:] = min(SLICE, count - done), 0
            plies += int(self._module.playouts(*arrays, some, self._sums, self._squares))
            sums = [a + b for a, b in zip(sums, self._sums.tolist(), strict=True)]
        return Totals(count, plies, tuple(sums), tuple(self._squares.tolist()))

    @rehearsed
    def outcomes(self, count: int, random: Random, stepped: bool) -> np.ndarray[Any, Any]:
        """int64[count, seats]: the units of each game; `stepped`: ply by ply."""
        import numpy as np

        paid = np.zeros((count, len(self.rules.teams)), np.int64)
        arrays = self._states, self._out, self._weights, random.state
        self._module.outcomes(*arrays, paid, stepped)
        return paid

    @rehearsed
    def one(self, random: Random) -> RecordState:
        """The end of one playout, which is played ply by ply."""
        self._module.play_one(self._states, self._out, self._weights, random.state)
        return RecordState(self.state.game, self._states[1].tobytes())
