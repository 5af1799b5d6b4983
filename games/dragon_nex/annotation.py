"""A recorded game replayed: the worth of each move, and the mistakes of each side.

A move is a mistake when it changes the value against the side that made it: from won to drawn or
lost, or from drawn to lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon.core import TERMINAL, Bound, Limit, Result, Search, State
from dragon.errors import BadNotation, IllegalMove
from dragon_nex.game import Nex
from dragon_nex.nextable import NexTable
from dragon_nex.records import GameRecord, outcome

if TYPE_CHECKING:
    from dragon import RecordState

WORDS = {1: "won", 0: "drawn", -1: "lost"}


def replay(record: GameRecord) -> list[RecordState]:
    """The empty board and the state after each move.

    Raises BadNotation at an illegal one, and where the result is not what the board says.
    """
    states: list[RecordState] = [Nex(*record.checked_board()).start()]
    for ply, move in enumerate(record.moves, 1):
        try:
            states.append(states[-1].after(move))
        except (IllegalMove, BadNotation) as wrong:
            raise BadNotation(f"{record.source}, move {ply}: {wrong}") from wrong
    ended = outcome(states[-1])
    if record.result is not None and ended is not None and ended != record.result:
        raise BadNotation(
            f"{record.source}: the record says {record.result}, but the board says {ended}"
        )
    return states


@frozen
class Ply:
    """One move, and the values before and after it."""

    number: int
    move: str
    mover: int
    """0 for Black, 1 for White."""
    before: int | None
    """Black's value before it: 1, 0 or -1, and None where it is not known."""
    after: int | None
    distance: int | None
    """Plies from here to the end with best play; None where that is not known, or drawn."""
    best: tuple[str, ...]
    """The moves that would have kept the value, where this did not."""

    @property
    def mistake(self) -> bool | None:
        """True if it lowered the value; None where that is not known."""
        if self.before is None or self.after is None:
            return None
        return self.before != self.after

    @property
    def lost(self) -> str:
        """`won to lost`, from the mover's side, for a mistake."""
        sign = 1 if self.mover == 0 else -1
        assert self.before is not None
        assert self.after is not None
        return f"{WORDS[sign * self.before]} to {WORDS[sign * self.after]}"


@frozen
class Known:
    """The claim of a search about a position."""

    value: int | None
    """Black's, 1, 0 or -1; None if it is not proven."""
    distance: int | None = None
    optimal: tuple[str, ...] = ()


def known(
    state: State[Any], search: Search, limit: Limit | None = None, moves: bool = True
) -> Known:
    """A position's value to Black, if the search proves it within the limit.

    moves: whether those that keep the value are wanted too, for which a table looks longer.
    """
    if state.turn == TERMINAL:
        return Known(round(state.payoff()[0]), 0)
    if isinstance(search, NexTable) and not moves:
        worth = search.worth(state)
        return Known(worth.value * (1 if state.turn == 0 else -1), worth.plies)
    return proven(state, search.best(state, limit))


def proven(state: State[Any], result: Result) -> Known:
    """Return the claim that a result proves about a position."""
    if result.bound is not Bound.EXACT:
        return Known(None)
    value = round(result.value) * (1 if state.turn == 0 else -1)
    optimal = result.extra.get("optimal", result.line[:1])
    return Known(value, result.extra.get("distance") if value else None, tuple(map(str, optimal)))


def annotated(
    states: Sequence[RecordState], moves: Sequence[str], search: Search, limit: Limit | None = None
) -> Iterator[Ply]:
    """Yield each move of a game with its worth; `states` begin with the one before the first.

    limit: of each position's search.
    """
    before = known(states[0], search, limit)
    for number, (state, after, move) in enumerate(zip(states, states[1:], moves, strict=False), 1):
        later = known(after, search, limit)
        changed = None not in (before.value, later.value) and before.value != later.value
        best = before.optimal if changed else ()
        yield Ply(number, move, state.turn, before.value, later.value, later.distance, best)
        before = later


def errors(plies: Sequence[Ply], known: bool = True) -> tuple[int, int]:
    """Count the mistakes of Black and White, or the moves that are not `known` to be any."""
    count = Counter(ply.mover for ply in plies if ply.mistake is (True if known else None))
    return count[0], count[1]
