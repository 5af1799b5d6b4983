"""Picks: how a move is made by pointing at the cells of a drawing, one after another.

A game's SVG marks what can be pointed at by the attribute `data-cell`, with a name. Where a move
is a cell's own name (`b2` in hex, a column's number in connect four), nothing more is needed. A
game whose moves name several cells adds two methods, which this module looks for:

    def picks(self, state, chosen: tuple[str, ...]) -> Picks      # what may be pointed at next
    def ways(self, move: str) -> tuple[tuple[str, ...], ...]      # in which orders, for a move
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from dragon.core import TERMINAL, Game, State

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
    """Legal moves that no cell stands for: `swap`."""


def picks(game: Game[Any], state: State[Any], chosen: tuple[str, ...] = ()) -> Picks:
    """What may be pointed at after the cells that are chosen already."""
    if state.turn == TERMINAL:
        return Picks()
    own = getattr(game, "picks", None)
    if own is not None:
        found = own(state, chosen)
        assert isinstance(found, Picks)
        return found
    moves = [str(move) for _, move in zip(range(LISTED), state.moves(), strict=False)]
    if len(chosen) == 1 and chosen[0] in moves:
        return Picks(move=chosen[0])
    return Picks(cells=tuple(moves))


def ways(game: Game[Any], move: str) -> tuple[tuple[str, ...], ...]:
    """The orders in which the cells of a move may be pointed at; by default its text is a cell."""
    own = getattr(game, "ways", None)
    return tuple(map(tuple, own(move))) if own is not None else ((move,),)


def cells(game: Game[Any], move: str) -> tuple[str, ...]:
    """The cells that a move names, to be shown as the last ones."""
    found = ways(game, move)
    return found[0] if found else ()
