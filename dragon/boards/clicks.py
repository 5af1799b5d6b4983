"""Clicks: moves that are made by clicking cells of a drawing, one after another.

A game's SVG marks what can be clicked by the attribute `data-cell`, with a name. Where a move is a
cell's own name (`b2` in hex, a column's number in connect four), nothing more is needed. Where
moves name several cells, or none, the game or its notation has a method `clicks`, as `Board` does,
and the cells that may be clicked next follow from all legal moves; where these are too many, the
game has a method `next_clicks`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from dragon.core import TERMINAL, Game, State
from dragon.protocols import Clicks, notation_of
from dragon.rules.record import Moves, RecordState

LISTED = 2000
"""Legal moves that are looked at where the game does not have `next_clicks`."""


def next_clicks(game: Game[Any], state: State[Any], chosen: tuple[str, ...] = ()) -> Clicks:
    """Return the cells that may be clicked after those that are chosen, or the complete move."""
    if state.turn == TERMINAL:
        return Clicks()
    if (guided := game.next_clicks(state, chosen)) is not None:
        return guided
    cells: dict[str, None] = {}
    complete: list[str] = []
    for move, orders in islice(_ways(game, state), LISTED):
        for order in orders:
            if order == chosen:
                complete.append(move)
            elif order[: len(chosen)] == chosen:
                cells[order[len(chosen)]] = None
    if chosen and not cells and len(complete) == 1:
        return Clicks(move=complete[0])
    hint = "" if not chosen else "the next cell" if cells else "which move" if complete else ""
    return Clicks(tuple(cells), hint=hint, others=tuple(complete))


def ways(game: Game[Any], state: State[Any]) -> list[Any] | None:
    """Return the orders of cells of all legal moves, by which a page knows every next click.

    A move is its text, where that is its one cell, or [text, order, ...]. None where there are too
    many. Of a game with `next_clicks`, a page needs only the hint.
    """
    if len(state.moves()) > LISTED:
        return None
    return [
        move if [*orders] == [(move,)] else [move, *map(list, orders)]
        for move, orders in _ways(game, state)
    ]


def _ways(game: Game[Any], state: State[Any]) -> Iterator[tuple[str, tuple[tuple[str, ...], ...]]]:
    """Yield the legal moves, each with the orders in which its cells may be clicked."""
    moves = state.moves()
    for n, move in enumerate(moves):
        code = moves.codes[n] if isinstance(moves, Moves) else 0
        yield str(move), _orders(game, state, move, code)


def clicks(game: Game[Any], move: str) -> tuple[tuple[str, ...], ...]:
    """The orders in which the cells of a move may be clicked; by default its text is a cell."""
    found, notation = game.clicks(move), notation_of(game)
    if found is None and notation is not None:
        found = notation.clicks(move)
    return ((move,),) if found is None else tuple(map(tuple, found))


def _orders(game: Game[Any], state: Any, move: Any, code: int) -> tuple[tuple[str, ...], ...]:
    """The orders of cells for a legal move in a state; code: its code, if the state is a record."""
    if isinstance(state, RecordState):
        pointed = state.rules.notation.pointed(state.view, int(code))
        if pointed is not None:
            return (pointed,)
    return clicks(game, str(move))


def cells(game: Game[Any], move: str, state: State[Any] | None = None) -> tuple[str, ...]:
    """Return the cells of a move, which pages show as the last ones; of one that is legal in a
    state, also those that its text does not name."""
    code = state.code(move) if isinstance(state, RecordState) else 0
    return next(iter(_orders(game, state, move, code)), ())
