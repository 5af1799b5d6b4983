"""Repetition: positions that recur, found by the moves since the last irreversible one.

A move is the cell that a piece leaves, plus 64 times the cell where it goes, plus 4096 times its
kind, 0 to 7; sides move in turn, and nothing is captured. Taking such moves back one by one shows
whether the position occurred before, without hashing. `past`, uint16[any], holds `kept` of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from dragon.bits import bit
from dragon.rules.rules import rule


@rule
def repeated(past: Any, kept: Any) -> bool:
    """Return True if the position occurs for the third time."""
    if kept < 8:
        return False
    for back in (1, 2):  # what each side moved last was there before, and so has left since
        last, left = past[kept - back], False
        for move in past[:kept]:
            left |= move & 0x703F == last >> 6 & 63 | last & 0x7000
        if not left:
            return False
    away = np.zeros(16, np.uint64)  # of each kind of each side, where it differs from now
    differing, times = 0, 1
    for back in range(1, kept + 1):
        move = past[kept - back]
        each = 8 * (back & 1) + (move >> 12)
        differing -= int(away[each] != 0)
        away[each] ^= bit(move & 63) | bit(move >> 6 & 63)
        differing += int(away[each] != 0)
        times += int(differing == 0 and back % 2 == 0)
    return times >= 3


def past_text(past: Sequence[Any], names: Sequence[str]) -> str:
    """` after g1f3 g8f6`, or nothing without any; names: of cells by their bits."""
    moves = [names[move & 63] + names[move >> 6 & 63] for move in map(int, past)]
    return " ".join([" after", *moves]) if moves else ""


def read_past(
    moves: Sequence[str], bits: dict[str, int], letters: Sequence[str], kinds: Sequence[str]
) -> list[int]:
    """Return the moves behind `after`; raise ValueError for one that cannot be taken back.

    bits: the bits of cells, by their names; letters: the letter on each cell now, `.` for none;
    kinds: the letters of kinds 0 to 7, of the side that has moved and of the other, with a space
    for those that cannot be taken back.
    """
    board, found = [*letters], []
    for n, move in enumerate(reversed(moves)):
        cells = re.fullmatch(r"([a-z]\d{1,2})([a-z]\d{1,2})", move)
        if cells is None or not {*cells.groups()} <= {*bits}:
            raise ValueError(f"{move!r} is not from a cell to a cell")
        at, to = (bits[cell] for cell in cells.groups())
        if board[to] not in kinds[n % 2] or board[at] != ".":
            raise ValueError(f"{move} cannot be taken back")
        found.append(at | to << 6 | kinds[n % 2].index(board[to]) << 12)
        board[at], board[to] = board[to], "."
    return found[::-1]
