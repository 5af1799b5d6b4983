"""Depth: how far each line is searched.

- *Late move reductions* (setting `late`): LMR: late moves that nothing recommends (no hash move,
killer, history or order) are first searched less deep.
- *Null-move reduction* (setting `null`): a pass is searched less deep than a move.
- *Extension* (setting `quiescence`): noisy moves are searched beyond the horizon.
- *Futility* (setting `futility`): a margin for each of the last plies before the horizon.
- *Iterative deepening* (setting `deepening`): the depths of the iterations (`schedule_of`).

Other modules ask: the kernel `plies_left` and `at_horizon`; drivers, results and published pages
`longest_line`. Depths and reductions are in plies. `f` is the kernel's FRAME of a ply; `on` are the
settings of a search, an AlphaBeta.

Sources: Beal 1989, Donninger 1993 (null move); Heinz 1998 (futility pruning); Slate and Atkin 1977
(iterative deepening).
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from dragon.core import CHANCE, Limit, State
from dragon.rules.record import RecordState, defines
from dragon.rules.rules import rule
from dragon.rules.template import HAS_EVALUATE, HAS_NOISY, kernel
from dragon.search.alphabeta.values import highest_of
from dragon.search.move_ordering import SECOND_KILLER

NO_HORIZON = 1 << 30
"""A depth that no game reaches."""
LINE = 1024
"""The moves of a principal variation that are kept. With all of them, memory would grow as the
square of the plies."""
FIRST, LEAVES, SECOND = 8, 10_000, 4
"""For games without evaluations: the depth of the first iteration, if a tree of that depth has at
most LEAVES leaves. Otherwise the first depth is 1 and the second is SECOND: a shallower search
meets hardly any end."""
NULL_DEPTH = 2
"""The least depth at which a null move is tried."""
FUTILITY_DEPTH = 2
"""The greatest depth at which a futility margin decides."""
MARGIN = 0.1
"""The default futility margin for each ply."""


@rule
def late_move_reduction(on: Any, depth: int, count: int, score: int) -> int:
    """Return the plies by which the move after `count` others is reduced, given its score.

    on: the settings of the run, as the kernel has them.
    """
    if not on.late or depth < 3 or count < 4 or score >= SECOND_KILLER:
        return 0
    return 2 if depth >= 6 and count >= 12 else 1


@rule
def null_move_reduction(depth: int) -> int:
    """Return the plies by which a null move is reduced."""
    return min(2 if depth < 7 else 3, depth - 1)


@kernel
def plies_left(f):
    """Return the depth of the child of frame f that is being searched."""
    return f.depth - 1 - f.reduction if HAS_EVALUATE else f.depth - 1


@kernel
def at_horizon(m, f, seat):
    """Return whether a child of frame f is at the horizon, and not extended by quiescence."""
    depth = plies_left(f)
    if depth > 0:
        return False
    extended = HAS_EVALUATE and HAS_NOISY and depth > -m.settings[0].quiescence
    return not extended or seat == CHANCE


def reduces_late(on: Any, state: State[Any]) -> bool:
    """Return whether late moves are reduced, by the setting `late` and the game."""
    if not defines(state, "evaluate") or not (on.killers or on.history or on.order):
        return False
    return defines(state, "noisy") if on.late is None else bool(on.late)


def tries_null_moves(on: Any, state: State[Any]) -> bool:
    """Return whether null moves are tried, by the setting `null` and the game."""
    return on.null is not False and defines(state, "skip") and defines(state, "evaluate")


def extension(on: Any, state: State[Any]) -> int:
    """Return the most plies beyond the horizon, by the setting `quiescence` and the game."""
    plies = int(min(on.quiescence, NO_HORIZON))
    return plies if defines(state, "noisy") and defines(state, "evaluate") else 0


def futility_margin(on: Any, state: State[Any]) -> int:
    """Return the futility margin of a ply in steps, by that setting and the game; 0: off."""
    if not defines(state, "noisy") or not defines(state, "evaluate"):
        return 0
    return int((MARGIN if on.futility is None else on.futility) * highest_of(state))


def selective(on: Any, state: State[Any]) -> bool:
    """Return whether a reduction or a margin may hide a quicker win from an iteration."""
    return bool(
        reduces_late(on, state) or tries_null_moves(on, state) or futility_margin(on, state)
    )


def horizon(on: Any, limit: Limit) -> int:
    """Return the depth of the last iteration."""
    return min(on.depth or NO_HORIZON, limit.depth or NO_HORIZON)


def longest_line(on: Any, state: State[Any], limit: Limit | None = None) -> int:
    """Return the plies of the longest line that a search can visit, extensions included.

    A game is over after `plies`; between two moves of it there may be a null move, which the game
    does not count.
    """
    plies = state.rules.plies if isinstance(state, RecordState) else NO_HORIZON
    plies *= 2 if tries_null_moves(on, state) else 1
    return min(plies, horizon(on, limit or Limit()) + extension(on, state))


def within_line(on: Any, state: RecordState) -> Any:
    """Return the settings with a depth at which no line is longer than those that are kept."""
    if longest_line(on, state) <= LINE:
        return on
    from attrs import evolve

    return evolve(on, depth=max(1, LINE - extension(on, state)))


@frozen
class Schedule:
    """The depths of the iterations of iterative deepening; a published page reads its fields."""

    first: int
    """The depth of the first iteration."""
    nodes: int
    """The least node limit at which the first iteration has that depth; below it, the depth is
    1."""
    factor: int
    step: int
    least: int
    """The next depth after `depth` is factor * depth + step, but at least this."""

    def depths(self, last: int, limit: Limit) -> Iterator[int]:
        """Yield the depths of the iterations under a limit, up to `last`."""
        few = limit.nodes is not None and limit.nodes < self.nodes
        depth = min(last, 1 if few else self.first)
        while True:
            yield depth
            if depth == last:
                return
            depth = min(last, max(self.least, self.factor * depth + self.step))


def schedule_of(on: Any, state: State[Any]) -> Schedule:
    """Return the depths of the iterations, by the setting `deepening` and the game.

    Where only ends count, an iteration to d plies visits w^(d/2) leaves at best, where lists of
    moves are w long (Knuth and Moore 1975). Where that is too many, the first iteration has one
    ply.
    """
    if on.deepening is False:
        return Schedule(NO_HORIZON, 0, 1, 0, NO_HORIZON)
    if on.deepening or defines(state, "evaluate"):
        return Schedule(1, 0, 1, 1, 1)
    leaves = LEAVES + 1
    if isinstance(state, RecordState):
        leaves = state.rules.width ** (FIRST // 2)
    return Schedule(FIRST if leaves <= LEAVES else 1, 4 * leaves, 2, 0, SECOND)
