"""Dots and boxes against a plain search of all positions."""

from __future__ import annotations

from functools import cache

import pytest

import dragon
from dragon import TERMINAL, BadNotation, Bound
from dragon.laws.kit import walk

Cells = frozenset[tuple[int, int]]


def boxes(rows: int, columns: int) -> list[Cells]:
    """Of each box its four edges, as cells of the drawing."""
    return [
        frozenset({(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)})
        for i in range(1, 2 * rows, 2)
        for j in range(1, 2 * columns, 2)
    ]


@pytest.mark.parametrize(("rows", "columns", "games"), [(1, 3, 20), (2, 2, 8)])
def test_a_position_has_the_value_that_a_plain_search_finds(
    rows: int, columns: int, games: int
) -> None:
    every = boxes(rows, columns)
    edges: Cells = frozenset().union(*every)

    @cache
    def lead(free: Cells) -> int:
        """By how many of the boxes to come the side to move leads in the end."""
        found = []
        for edge in free:
            rest = free - {edge}
            closed = sum(edge in box and not box & rest for box in every)
            found.append(closed + lead(rest) if closed else -lead(rest))
        return max(found, default=0)

    same: dict[int, int] = {}
    game = dragon.game(f"dots_and_boxes(rows={rows}, columns={columns})")
    for state in (state for seed in range(games) for state in walk(game, seed)):
        board, side = str(state).split()[:2]
        lines = board.split("/")
        free = frozenset((i, j) for i, j in edges if lines[i][j] == ".")
        ahead = (board.count("A") - board.count("B")) * (1 if side == "A" else -1)
        assert (state.turn == TERMINAL) == (not free)
        assert same.setdefault(state.key(), lead(free)) == lead(free)
        if free:
            best = dragon.search("alphabeta(megabytes=1)").best(state)
            assert (best.value, best.bound) == (ahead + lead(free), Bound.EXACT)
        else:
            assert state.payoff()["AB".index(side)] == ahead


def test_two_sides_close_a_box_and_go_on() -> None:
    state = dragon.game("dots_and_boxes(rows=1, columns=2)").start()
    for move, turn in ("a2", 1), ("c2", 0), ("b1", 1), ("b3", 1), ("a4", 0):
        state = state.after(move)
        assert state.turn == turn


def test_what_the_game_knows_changes_no_value() -> None:
    start = dragon.game("dots_and_boxes(rows=2, columns=3)").start()
    bare = dragon.search("alphabeta(reduce=false, bounds=false, order=false)").best(start)
    assert bare.value == dragon.search("alphabeta").best(start).value == -2


@pytest.mark.parametrize("board", ["oao/aaa/oao", "oao/aB./oao", "oao/a../.ao", "oao/b.a/obA"])
def test_a_board_on_which_a_letter_is_out_of_place_is_refused(board: str) -> None:
    with pytest.raises(BadNotation, match="boxes with four lines"):
        dragon.game("dots_and_boxes(rows=1, columns=1)").parse(f"{board} A")
