"""Breakthrough against a count of paths by letters on a board, and boards of known value."""

from __future__ import annotations

import pytest

import dragon
from dragon import Bound

pytestmark = pytest.mark.samples(1)

Board = dict[tuple[int, int], int]
"""The seat of each piece, by row and column."""


def paths(board: Board, rows: int, columns: int, seat: int, depth: int) -> int:
    """Move paths of a length, step by step."""
    goal = {0: 0, 1: rows - 1}
    over = any(r == goal[side] for (r, _), side in board.items() if side != seat)
    if depth == 0 or over or seat not in board.values():
        return depth == 0
    total = 0
    for (row, column), side in board.items():
        for aside in (-1, 0, 1):
            to = row + 2 * seat - 1, column + aside
            inside = side == seat and 0 <= to[1] < columns
            if inside and (to not in board or (aside and board[to] != seat)):
                after = {cell: s for cell, s in board.items() if cell not in (to, (row, column))}
                total += paths({**after, to: seat}, rows, columns, 1 - seat, depth - 1)
    return total


@pytest.mark.full
@pytest.mark.parametrize(("rows", "columns", "depth"), [(4, 3, 6), (6, 4, 4), (8, 8, 3)])
def test_there_are_as_many_paths_as_the_letters_say(rows: int, columns: int, depth: int) -> None:
    filled = {(r, c): int(r < 2) for r in (0, 1, rows - 2, rows - 1) for c in range(columns)}
    start = dragon.game(f"breakthrough(rows={rows}, columns={columns})").start()
    assert dragon.perft(start, depth) == paths(filled, rows, columns, 0, depth)


@pytest.mark.full
@pytest.mark.parametrize("columns", [3, *(pytest.param(n, marks=pytest.mark.full) for n in (2, 4))])
def test_what_the_game_knows_changes_no_value(columns: int) -> None:
    start = dragon.game(f"breakthrough(rows=4, columns={columns})").start()
    knowing = dragon.search("alphabeta").best(start)
    bare = dragon.search("alphabeta(solved=false, reduce=false, order=false)").best(start)
    assert knowing.bound is bare.bound is Bound.EXACT
    assert (knowing.value, knowing.extra["distance"]) == (bare.value, bare.extra["distance"])


@pytest.mark.full
def test_the_second_side_wins_five_by_four() -> None:
    start = dragon.game("breakthrough(rows=5, columns=4)").start()
    for search in ("alphabeta", "dfpn"):
        best = dragon.search(search).best(start)
        assert (best.value, best.bound) == (-1, Bound.EXACT)


@pytest.mark.full
@pytest.mark.budget(600)  # 50 seconds, if nothing else runs
def test_the_second_side_wins_five_by_five() -> None:
    start = dragon.game("breakthrough(rows=5, columns=5)").start()
    best = dragon.search("dfpn(megabytes=1500)").best(start)
    assert (best.value, best.bound) == (-1, Bound.EXACT)
