"""A move of Nex by clicks: own cell, then neutral; or two neutrals, then the stone given up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dragon.protocols import Clicks
from dragon_nex.board import COLOURS, NEUTRAL, STONES, Board

if TYPE_CHECKING:
    from dragon import RecordState
    from dragon_nex.layers import Layers

Cell = tuple[int, int]


def clicks(move: str) -> tuple[tuple[str, ...], ...]:
    """The orders in which a move's cells may be clicked: which neutral comes first is the same.

    >>> clicks("Ba1?c2"), clicks("Ba1Bb2?c3")
    ((('a1', 'c2'),), (('a1', 'b2', 'c3'), ('b2', 'a1', 'c3')))
    """
    named = [f"{row.lower()}{col}" for row, col in re.findall(r"[BWbw?]([A-Za-z])(\d+)", move)]
    if len(named) == 3:
        one, two, given = named
        return ((one, two, given), (two, one, given))
    return (tuple(named),)


def next_clicks(
    board: Board, layers: Layers, state: RecordState, chosen: tuple[str, ...]
) -> Clicks:
    """Return the cells that may be clicked after `chosen`, or the move that is complete."""
    s = state.record
    stones = board.read(s)
    side = int(s.status)
    letter = STONES[side]
    own = [cell for cell, stone in stones.items() if stone == letter]
    neutral = [cell for cell, stone in stones.items() if stone == NEUTRAL]
    empty = [cell for cell in board.cells() if cell not in stones]
    others = tuple(m for m in ("swap",) if layers.swap and not s.swapped and m in state.moves())
    done = [cell for cell in map(board.cell, chosen) if cell is not None]

    def among(places: list[Cell], hint: str) -> Clicks:
        return Clicks(tuple(map(board.name, places)), hint=hint)

    generates = len(empty) > 1
    transforms = len(neutral) > 1 and bool(own)
    transforms = transforms and not (generates and layers.late)
    if len(done) != len(chosen) or len(set(done)) < len(done):
        return Clicks()
    match done:
        case [] if generates or transforms:
            places = (empty if generates else []) + (neutral if transforms else [])
            first = [f"an empty cell for a {COLOURS[side].lower()} stone"] if generates else []
            first += ["a neutral stone to convert"] if transforms else []
            return Clicks(tuple(map(board.name, places)), hint=" or ".join(first), others=others)
        case []:
            left = empty or neutral
            return Clicks(tuple(map(board.name, left)), hint="the last cell", others=others)
        case [one] if not (generates or transforms) and one in (empty or neutral):
            return Clicks(move=letter + board.name(one))
        case [one] if generates and one in empty:
            return among([c for c in empty if c != one], "another empty cell for a neutral stone")
        case [one, two] if generates and one in empty and two in empty:
            return Clicks(move=f"{letter}{board.name(one)}{NEUTRAL}{board.name(two)}")
        case [one] if transforms and one in neutral:
            return among([c for c in neutral if c != one], "a second neutral stone to convert")
        case [one, two] if transforms and one in neutral and two in neutral:
            return among(own, f"the {COLOURS[side].lower()} stone that is given up")
        case [one, two, given] if transforms and {one, two} <= set(neutral) and given in own:
            pair = "".join(letter + board.name(cell) for cell in sorted((one, two)))
            return Clicks(move=f"{pair}{NEUTRAL}{board.name(given)}")
    return Clicks()
