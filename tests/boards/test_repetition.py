"""Positions that come back, against a list of all positions of the game."""

from __future__ import annotations

import random

import numpy as np
import pytest

from dragon.boards.algebraic import past_text, read_past, repeated
from tests.compiler.compiled import compile_function

NAMES = [f"{file}{rank}" for rank in "123" for file in "abc"]
LETTERS = (" K", " k")


@pytest.mark.full
def test_a_position_is_there_for_the_third_time() -> None:
    """Two kings and two knights of like kind step at random on few cells, often back."""
    compiled, seen = compile_function(repeated), [0, 0]
    for seed in range(60):
        dice, past = random.Random(seed), np.zeros(40, np.uint16)
        board = {0: (0, 1), 1: (0, 2), 7: (1, 1), 8: (1, 1)}  # cells -> side and kind
        before = [frozenset(board.items())]
        for ply in range(40):
            own = [cell for cell, (side, _) in board.items() if side == ply % 2]
            at, to = dice.choice(own), dice.choice([c for c in range(9) if c not in board])
            back = int(past[ply - 2]) if ply > 1 else 0
            if dice.random() < 0.6 and back & 63 not in board and back >> 6 & 63 in own:
                at, to = back >> 6 & 63, back & 63
            past[ply] = at | to << 6 | board[at][1] << 12
            board[to] = board.pop(at)
            before.append(frozenset(board.items()))
            third = before[::-2].count(before[-1]) >= 3
            assert repeated(past, ply + 1) == compiled(past, ply + 1) == third
            seen[third] += 1
    assert min(seen) > 0


def test_what_moved_last_may_have_stood_still_before() -> None:
    """Two kings step to and fro, and then a king and a knight: the knight has left once."""
    compiled = compile_function(repeated)
    shuffle = [(0, 1, 0), (8, 7, 0), (1, 0, 0), (7, 8, 0)]
    knight = [(0, 1, 0), (6, 3, 1), (1, 0, 0), (3, 6, 1)]
    past = np.array([at | to << 6 | kind << 12 for at, to, kind in shuffle + knight], np.uint16)
    assert [repeated(past, kept) for kept in range(9)] == [False] * 8 + [True]
    assert [compiled(past, kept) for kept in range(9)] == [False] * 8 + [True]


def test_moves_are_written_and_read_back() -> None:
    letters = [*"K.......k"]
    bits = {name: at for at, name in enumerate(NAMES)}
    past = [3 | 0 << 6 | 1 << 12, 7 | 8 << 6 | 1 << 12]  # the second by the side that moved last
    assert past_text(past, NAMES) == " after a2a1 b3c3"
    assert past_text([], NAMES) == ""
    assert read_past(["a2a1", "b3c3"], bits, letters, LETTERS[::-1]) == past
    for moves, reason in [
        (["a2"], "not from a cell"),
        (["d2a1"], "not from a cell"),
        (["b1b2"], "cannot be taken back"),
        (["c3a1"], "cannot be taken back"),
    ]:
        with pytest.raises(ValueError, match=reason):
            read_past(moves, bits, letters, LETTERS)
