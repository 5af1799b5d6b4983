"""Gomoku against lines that are found by slices of text, and boards of known value."""

from __future__ import annotations

import random

import pytest

import dragon
from dragon import TERMINAL, Bound


def lines(rows: list[str]) -> list[str]:
    """All rows, columns and diagonals."""
    height, width = len(rows), len(rows[0])
    cells = [(r, c) for r in range(height) for c in range(width)]
    keys = [lambda r, c: r, lambda r, c: height + c, lambda r, c: -1 - r - c,
            lambda r, c: 1000 + r - c]  # fmt: skip
    found: dict[int, str] = {}
    for r, c in cells:
        for key in keys:
            found[key(r, c)] = found.get(key(r, c), "") + rows[r][c]
    return list(found.values())


@pytest.mark.parametrize("spec", ["gomoku", "gomoku(rows=9, columns=7, line=4)"])
def test_a_game_ends_with_the_first_line(spec: str) -> None:
    dice, game = random.Random(1), dragon.game(spec)
    line = 4 if "4" in spec else 5
    for _ in range(2):
        state = game.start()
        while True:
            rows = str(state).split()[0].split("/")
            won = [side for side in "XO" if any(side * line in each for each in lines(rows))]
            assert (state.turn == TERMINAL) == (bool(won) or "." not in "".join(rows))
            assert game.parse(str(state)) == state
            if state.turn == TERMINAL:
                assert state.payoff() == {"X": (1, -1), "O": (-1, 1)}[won[0]] if won else (0, 0)
                break
            state = state.after(dice.choice(state.moves()))


@pytest.mark.parametrize(
    ("rows", "columns", "line", "value"),
    [
        (3, 4, 3, 1),
        (4, 3, 4, 0),
        pytest.param(3, 3, 3, 0, marks=pytest.mark.slow),
        pytest.param(4, 4, 4, 0, marks=pytest.mark.slow),
    ],
)
def test_boards_of_known_value(rows: int, columns: int, line: int, value: int) -> None:
    start = dragon.game(f"gomoku(rows={rows}, columns={columns}, line={line})").start()
    best = dragon.search("alphabeta").best(start)
    assert (best.value, best.bound) == (value, Bound.EXACT)
