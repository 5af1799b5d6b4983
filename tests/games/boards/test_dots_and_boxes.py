"""Dots and boxes against a plain search of all positions."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import dragon
from dragon import TERMINAL, BadNotation, Bound, State
from dragon.bits import Random
from dragon.laws.kit import walk

pytestmark = pytest.mark.samples(1)

Cell = tuple[int, int]


class Plain:
    """A board as sets of cells, solved by trying everything."""

    def __init__(self, rows: int, columns: int) -> None:
        self.game = dragon.game(f"dots_and_boxes(rows={rows}, columns={columns})")
        self.boxes = [
            frozenset({(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)})
            for i in range(1, 2 * rows, 2)
            for j in range(1, 2 * columns, 2)
        ]
        self.edges = sorted(frozenset[Cell]().union(*self.boxes))
        place = {edge: 1 << i for i, edge in enumerate(self.edges)}
        self._beside = {
            place[edge]: [sum(place[each] for each in box) for box in self.boxes if edge in box]
            for edge in self.edges
        }
        self.lead = cache(self.lead)  # type: ignore[method-assign]

    def lead(self, free: int) -> int:
        """By how many of the boxes to come the side to move leads in the end."""
        found = []
        for edge, boxes in self._beside.items():
            if edge & free:
                rest = free ^ edge
                closed = sum(not box & rest for box in boxes)
                found.append(closed + self.lead(rest) if closed else -self.lead(rest))
        return max(found, default=0)

    def value(self, state: State[Any]) -> tuple[int, int]:
        """The free edges, as a number, and what the state is worth to the side to move."""
        board, side = str(state).split()[:2]
        lines = board.split("/")
        drawn = [lines[row][column] != "." for row, column in self.edges]
        free = sum(1 << i for i, by in enumerate(drawn) if not by)
        ahead = (board.count("A") - board.count("B")) * (1 if side == "A" else -1)
        return free, ahead + self.lead(free)


plain_of = cache(Plain)
"""One for all tests of a size, which knows what it has found."""


@pytest.mark.full
@pytest.mark.parametrize(("rows", "columns", "games"), [(1, 3, 20), (2, 2, 8)])
def test_a_position_has_the_value_that_a_plain_search_finds(
    rows: int, columns: int, games: int
) -> None:
    plain = plain_of(rows, columns)
    same: dict[int, int] = {}
    for state in (state for seed in range(games) for state in walk(plain.game, seed)):
        free, value = plain.value(state)
        assert (state.turn == TERMINAL) == (not free)
        assert same.setdefault(state.key(), plain.lead(free)) == plain.lead(free)
        if free:
            best = dragon.search("alphabeta(megabytes=1)").best(state)
            assert (best.value, best.bound) == (value, Bound.EXACT)
        else:
            assert state.payoff()[str(state).split()[1] == "B"] == value


@pytest.mark.full
@pytest.mark.parametrize(
    ("rows", "columns"),
    [  # each size is compiled for twice: a square with every chain and loop of smaller ones, and
        # an oblong of several rows, where rows and columns cannot be taken for each other
        (4, 4),
        (2, 3),
        pytest.param(3, 3, marks=pytest.mark.full),
        pytest.param(2, 4, marks=pytest.mark.full),
    ],
)
@pytest.mark.parametrize("careful", [True, False])
def test_chains_have_the_value_that_a_plain_search_finds(
    rows: int, columns: int, careful: bool
) -> None:
    """Both sides keep their boxes while they can, so that chains and loops are left."""
    plain, random, dropped = plain_of(rows, columns), Random(rows + columns), set[int]()
    for _ in range(10):
        state, free, few = plain.game.start(), set(plain.edges), 8 + random(6)
        shuffled = sorted(plain.edges, key=lambda edge: random(1 << 30))
        for safe in (True, False) if careful else (False,):
            for edge in shuffled:
                gives = any(edge in box and len(box & free) < 3 for box in plain.boxes)
                if edge in free and len(free) > few and not (safe and gives):
                    state = state.after(f"{'abcdefghi'[edge[0]]}{edge[1] + 1}")
                    free.remove(edge)
        dropped.add(len(state.moves()) - len(state.distinct()))
        value = plain.value(state)[1]
        for search in "alphabeta", "dfpn":
            assert dragon.search(f"{search}(megabytes=1)").best(state).value == value, str(state)
    assert len(dropped) > 1


@pytest.mark.full
def test_of_two_chains_the_one_that_can_be_stopped_for_two_boxes_is_kept() -> None:
    """Four boxes on top are open at both ends, two below at one."""
    plain = plain_of(4, 4)
    free = {(1, 2), (1, 4), (1, 6), (3, 6), (3, 8), (4, 5), (5, 2), (5, 4), (5, 6), (5, 8)}
    state = plain.game.start()
    for row, column in [edge for edge in plain.edges if edge not in free]:
        state = state.after(f"{'abcdefghi'[row]}{column + 1}")
    assert {str(move) for move in state.distinct()} <= {"b3", "b7"}
    assert dragon.search("alphabeta(megabytes=1)").best(state).value == plain.value(state)[1]


@pytest.mark.full
@pytest.mark.parametrize(
    ("rows", "columns", "free", "kept"),
    [
        (1, 2, "b1 b3 b5", "b3"),  # which gives no choice, unlike the others
        (1, 3, "b1 b3 b5 b7", "b1"),
        (2, 2, "b1 b3 c4 d5", "c4"),
        (2, 2, "b3 c2 c4 d3", "c2"),  # a loop
    ],
)
def test_one_edge_of_a_chain_is_tried(rows: int, columns: int, free: str, kept: str) -> None:
    state = dragon.game(f"dots_and_boxes(rows={rows}, columns={columns})").start()
    for move in {str(move) for move in state.moves()} - set(free.split()):
        state = state.after(move)
    assert [str(move) for move in state.distinct()] == [kept]


def test_two_sides_close_a_box_and_go_on() -> None:
    state = dragon.game("dots_and_boxes(rows=1, columns=2)").start()
    for move, turn in ("a2", 1), ("c2", 0), ("b1", 1), ("b3", 1), ("a4", 0):
        state = state.after(move)
        assert state.turn == turn


@pytest.mark.full
def test_what_the_game_knows_changes_no_value() -> None:
    start = dragon.game("dots_and_boxes(rows=2, columns=3)").start()
    bare = dragon.search("alphabeta(reduce=false, bounds=false, order=false)").best(start)
    assert bare.value == dragon.search("alphabeta").best(start).value == -2


@pytest.mark.parametrize("board", ["oao/aaa/oao", "oao/aB./oao", "oao/a../.ao", "oao/b.a/obA"])
def test_a_board_on_which_a_letter_is_out_of_place_is_refused(board: str) -> None:
    with pytest.raises(BadNotation, match="boxes with four lines"):
        dragon.game("dots_and_boxes(rows=1, columns=1)").parse(f"{board} A")
