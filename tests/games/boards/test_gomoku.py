"""Gomoku against lines that are found by slices of text, and boards of known value."""

from __future__ import annotations

import random
from functools import cache

import pytest

import dragon
from dragon import TERMINAL, Bound, ConfigError
from dragon.laws.kit import walk

pytestmark = pytest.mark.samples(1)


@cache
def lines_of_cells(height: int, width: int) -> list[list[tuple[int, int]]]:
    """All rows, columns and diagonals of a board."""
    cells = [(r, c) for r in range(height) for c in range(width)]
    keys = [lambda r, c: r, lambda r, c: height + c, lambda r, c: -1 - r - c,
            lambda r, c: 1000 + r - c]  # fmt: skip
    found: dict[int, list[tuple[int, int]]] = {}
    for r, c in cells:
        for key in keys:
            found.setdefault(key(r, c), []).append((r, c))
    return list(found.values())


def lines(rows: list[str]) -> list[str]:
    """Give the letters on them."""
    cells = lines_of_cells(len(rows), len(rows[0]))
    return ["".join(rows[r][c] for r, c in line) for line in cells]


@pytest.mark.full
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


@pytest.mark.full
@pytest.mark.parametrize(
    ("rows", "columns", "line", "value"),
    [
        (3, 4, 3, 1),
        (4, 3, 4, 0),
        pytest.param(3, 3, 3, 0, marks=pytest.mark.full),
        pytest.param(4, 4, 4, 0, marks=pytest.mark.full),
    ],
)
def test_boards_of_known_value(rows: int, columns: int, line: int, value: int) -> None:
    start = dragon.game(f"gomoku(rows={rows}, columns={columns}, line={line})").start()
    best = dragon.search("alphabeta").best(start)
    assert (best.value, best.bound) == (value, Bound.EXACT)


BARE = "alphabeta(solved=false, reduce=false)"
KNOWING = ("alphabeta", "alphabeta(sooner=false, deepening=false)", "dfpn(solved=true)")


@pytest.mark.full
@pytest.mark.parametrize(
    "spec",
    ["gomoku(rows=4, columns=4, line=3)",
     pytest.param("gomoku(rows=4, columns=4, line=4)", marks=pytest.mark.full)],
)  # fmt: skip
def test_what_the_game_knows_changes_no_value(spec: str) -> None:
    known = 0
    for state in (state for seed in range(6) for state in walk(dragon.game(spec), seed)):
        if state.turn == TERMINAL or len(state.moves()) > 12:
            continue
        bare = dragon.search(BARE).best(state)
        found = [dragon.search(name).best(state) for name in KNOWING]
        for best in found:
            assert (best.value, best.bound) == (bare.value, Bound.EXACT)
        distance = found[0].extra.get("distance")
        assert distance == bare.extra.get("distance")
        if (solved := state.solved()) is not None:
            assert solved[0] == (bare.value if state.turn == 0 else -bare.value)
            assert solved[1] in (0, distance)
            known += 1
    assert known > 6


@pytest.mark.full
def test_four_in_a_row_on_four_by_five_is_a_draw() -> None:
    start = dragon.game("gomoku(rows=4, columns=5, line=4)").start()
    best = dragon.search("dfpn(solved=true, ends=false, weak=false)").best(start)
    assert (best.value, best.bound) == (0, Bound.EXACT)
    assert best.nodes < 1_000_000


def test_a_line_fits_on_the_board() -> None:
    with pytest.raises(ConfigError, match="no line of this board has 5 cells; the most is 4"):
        dragon.game("gomoku(rows=3, columns=4)")
