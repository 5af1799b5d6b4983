"""Picks: how a move is made by pointing at the cells of a drawing, one after another.

A game's SVG marks what can be pointed at by the attribute `data-cell`, with a name. Where a move
is a cell's own name (`b2` in hex, a column's number in connect four), nothing more is needed. A
game whose moves name several cells, or none, says which; so may its notation, as `Board` does:

    def ways(self, move: str) -> tuple[tuple[str, ...], ...]      # in which orders, for a move

What may be pointed at next follows from the ways of all legal moves. Where there are too many
moves to look at each of them, the game says that, too:

    def picks(self, state, chosen: tuple[str, ...]) -> Picks      # what may be pointed at next
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from dragon.core import TERMINAL, Game, State
from dragon.record import RecordGame, rules_of

LISTED = 2000
"""Legal moves that are looked at where the game itself has no `picks`."""


@frozen
class Picks:
    """What may be pointed at next, or the move that is complete."""

    cells: tuple[str, ...] = ()
    """Names of cells; empty where nothing may be, or nothing need be."""
    move: str | None = None
    """The move that the chosen cells make."""
    hint: str = ""
    """What is asked for, in a few words: `a neutral stone to convert`."""
    others: tuple[str, ...] = ()
    """Legal moves that no further cell stands for: `swap`, or of `b7b8q` and `b7b8r`, whose cells
    are chosen already, which it is to be."""


def picks(game: Game[Any], state: State[Any], chosen: tuple[str, ...] = ()) -> Picks:
    """What may be pointed at after the cells that are chosen already."""
    if state.turn == TERMINAL:
        return Picks()
    own = getattr(game, "picks", None)
    if own is not None:
        found = own(state, chosen)
        assert isinstance(found, Picks)
        return found
    cells: dict[str, None] = {}
    complete: list[str] = []
    for _, move in zip(range(LISTED), state.moves(), strict=False):
        for way in ways(game, str(move)):
            if way == chosen:
                complete.append(str(move))
            elif way[: len(chosen)] == chosen:
                cells[way[len(chosen)]] = None
    if chosen and not cells and len(complete) == 1:
        return Picks(move=complete[0])
    hint = "" if not chosen else "the next cell" if cells else "which move" if complete else ""
    return Picks(tuple(cells), hint=hint, others=tuple(complete))


def ways(game: Game[Any], move: str) -> tuple[tuple[str, ...], ...]:
    """The orders in which the cells of a move may be pointed at; by default its text is a cell."""
    own = getattr(game, "ways", None)
    if own is None and isinstance(game, RecordGame):
        own = getattr(rules_of(game).notation, "ways", None)
    return tuple(map(tuple, own(move))) if own is not None else ((move,),)


def cells(game: Game[Any], move: str) -> tuple[str, ...]:
    """The cells that a move names, to be shown as the last ones."""
    found = ways(game, move)
    return found[0] if found else ()
