"""Domineering against a plain search of all positions, and against values of the literature."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

import dragon
from dragon import TERMINAL, Bound
from dragon.laws.kit import walk
from dragon_boards.knowledge import claimed

Cells = frozenset[tuple[int, int]]


def dominoes(free: Cells, upright: bool) -> list[Cells]:
    """All that one side can place."""
    down, right = (1, 0) if upright else (0, 1)
    both = (frozenset({(r, c), (r + down, c + right)}) for r, c in free)
    return [domino for domino in both if domino <= free]


@cache
def wins(free: Cells, upright: bool) -> bool:
    """Tell whether the side to move wins."""
    return any(not wins(free - domino, not upright) for domino in dominoes(free, upright))


def paths(free: Cells, upright: bool, depth: int) -> int:
    """Move paths of a length."""
    if depth == 0:
        return 1
    return sum(paths(free - each, not upright, depth - 1) for each in dominoes(free, upright))


def board(rows: int, columns: int) -> Cells:
    return frozenset((r, c) for r in range(rows) for c in range(columns))


@pytest.mark.samples(1)
@pytest.mark.parametrize(
    ("rows", "columns"),
    [  # each size is compiled for; of the square one the next test asks what the rules know
        (3, 5),
        *(pytest.param(*size, marks=pytest.mark.full) for size in ((4, 4), (5, 3))),
    ],
)
def test_a_position_has_the_value_that_a_plain_search_finds(rows: int, columns: int) -> None:
    game = dragon.game(f"domineering(rows={rows}, columns={columns})")
    for state in (state for seed in range(9) for state in walk(game, seed)):
        lines = str(state).split()[0].split("/")
        free = frozenset(cell for cell in board(rows, columns) if lines[cell[0]][cell[1]] == ".")
        won = wins(free, str(state).endswith("V"))
        if state.turn == TERMINAL:
            assert not won
        else:
            best = dragon.search("alphabeta(megabytes=1)").best(state)
            assert (best.value, best.bound) == (1 if won else -1, Bound.EXACT)


@pytest.mark.samples("3-5-20")
@pytest.mark.parametrize(
    ("rows", "columns", "games"),
    [(4, 4, 20), (3, 5, 20), pytest.param(5, 4, 99, marks=pytest.mark.full)],
)
def test_what_the_game_knows_is_what_a_plain_search_finds(
    rows: int, columns: int, games: int
) -> None:
    game = dragon.game(f"domineering(rows={rows}, columns={columns})")
    known: dict[int, bool] = {}
    decided = 0
    for state in (state for seed in range(games) for state in walk(game, seed)):
        if state.turn == TERMINAL:
            continue
        lines = str(state).split()[0].split("/")
        free = frozenset(cell for cell in board(rows, columns) if lines[cell[0]][cell[1]] == ".")
        won = wins(free, str(state).endswith("V"))
        assert known.setdefault(state.key() or 0, won) == won
        if (solved := state.solved()) is not None:
            assert solved == (1 if won == str(state).endswith("V") else -1, 0)
            decided += 1
    assert decided > games


@cache
def brought(two: int, one: int, none: int, begins: bool) -> int:
    """Give what claims are worth where both sides place and take them as well as they can."""
    if begins:
        after = [
            worth + brought(two - (worth == 3), one - (worth == 2), none - (worth == 1), False)
            for worth, count in ((3, two), (2, one), (1, none))
            if count
        ]
        return max(after, default=0)
    return min(
        brought(two - i, one - j - k, none - m, True)
        for i, j in ((0, 0), (1, 0), (0, 1))
        for k, m in ((0, 0), (1, 0), (0, 1))
        if i <= two and j + k <= one and m <= none
    )


def test_claims_bring_no_less_than_is_counted() -> None:
    exact = 0
    for two, one, none in product(range(12), repeat=3):
        for begins in (False, True):
            least = claimed(two, one, none, int(begins))
            assert 0 <= least <= brought(two, one, none, begins)
            exact += least == brought(two, one, none, begins)
    assert exact > 0.8 * 2 * 12**3


@pytest.mark.parametrize(("rows", "columns", "depth"), [(3, 5, 4), (4, 4, 4)])
def test_paths_are_as_many_as_a_plain_count_finds(rows: int, columns: int, depth: int) -> None:
    start = dragon.game(f"domineering(rows={rows}, columns={columns})").start()
    assert dragon.perft(start, depth) == paths(board(rows, columns), True, depth)


@pytest.mark.samples("4-1")
@pytest.mark.parametrize(
    ("size", "value"),
    [(4, 1), (5, -1), *(pytest.param(size, 1, marks=pytest.mark.full) for size in (6, 7))],
)
def test_squares_have_the_values_of_the_literature(size: int, value: int) -> None:
    start = dragon.game(f"domineering(rows={size}, columns={size})").start()
    best = dragon.search("alphabeta").best(start)
    assert (best.value, best.bound) == (value, Bound.EXACT)


def test_a_board_of_more_than_64_cells_is_refused() -> None:
    with pytest.raises(dragon.ConfigError, match="5 rows of 13 are more than 64 cells"):
        dragon.game("domineering(rows=5, columns=13)")
