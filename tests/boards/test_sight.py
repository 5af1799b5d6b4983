"""Sight along lines, against walks from cell to cell."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import product

import pytest

from dragon import Board, Grid
from dragon.bits import add, bit, has, members, popcount, u64
from dragon.boards.cells import Cells
from dragon.boards.sight import BISHOP, HEXAGON, KING, KNIGHT, ROOK, against, along, sight

Place = tuple[int, int]


def walked(board: Cells, at: Place, steps: Iterable[Place], held: set[Place]) -> set[Place]:
    """The cells that are reached by one step after another, up to the first that is held."""
    found = set()
    for row, column in steps:
        here = at
        while (here := (here[0] + row, here[1] + column)) in board.bits:
            found.add(here)
            if here in held:
                break
    return found


BOARDS = [
    Board(8, 8, {"stones": "XO"}, where=lambda row, column: 8 * (7 - row) + column),
    Board(8, 8, {"stones": "XO"}),
    Board(5, 7, {"stones": "XO"}),
]


@pytest.mark.parametrize("board", BOARDS)
def test_rooks_and_bishops_see_as_far_as_they_can_walk(board: Board) -> None:
    seen, dice = sight(board), random.Random(5)
    for at in board.bits:
        for some in (0, 4, 20):
            held = set(dice.sample([*board.bits], some))
            taken, place = board.set_of(held), board.bits[at]
            assert seen.straight(place, taken) == board.set_of(walked(board, at, ROOK, held))
            assert seen.diagonal(place, taken) == board.set_of(walked(board, at, BISHOP, held))


@pytest.mark.samples("board2")
@pytest.mark.parametrize("board", BOARDS)
def test_between_two_cells_in_line_are_those_that_are_passed(board: Board) -> None:
    seen = sight(board)
    for one, other in product(board.bits, repeat=2):
        passed: set[Place] = set()
        line = set()
        for row, column in KING if one != other else ():
            way = walked(board, one, [(row, column)], {other})
            if other in way:
                passed = way - {other}
                back = walked(board, one, [(-row, -column)], set())
                line = back | walked(board, one, [(row, column)], set()) | {one}
        places = board.bits[one], board.bits[other]
        assert seen.between(*places) == board.set_of(passed)
        assert seen.lines[places] == board.set_of(line)


def test_lines_are_followed_from_many_cells_at_once() -> None:
    board, dice = BOARDS[1], random.Random(6)
    inner = board.set_of((r, c) for r, c in board.bits if 0 < c < 7)
    for _ in range(50):
        start, through = (board.set_of(dice.sample([*board.bits], n)) for n in (3, 40))
        right = left = u64(0)
        for at in members(start):
            for way, found in ((1, set[int]()), (-1, set[int]())):
                cell = at + way
                while 0 <= cell < 64 and has(through & inner, cell):
                    cell += way
                    found.add(cell)
                if way > 0:
                    right |= u64(sum(1 << each for each in found))
                else:
                    left |= u64(sum(1 << each for each in found))
        assert along(start, through & inner, 1) == right
        assert against(start, through & inner, 1) == left


def test_sets_are_of_cells_on_the_board() -> None:
    board = BOARDS[0]
    assert board.set_of([(7, 0), (0, 7), (8, 0), (0, -1)]) == bit(0) | bit(63)
    assert board.set_of(board.bits) == u64(-1)
    wide = Grid(9, 9, {"stones": "XO"})
    words = wide.set_of([(0, 0), (8, 8)])
    assert [int(word) for word in words] == [1, 1 << 80 - 64]
    assert wide.around(HEXAGON).shape == (81, 2)


@pytest.mark.parametrize("steps", [ROOK, BISHOP, KING, KNIGHT, HEXAGON])
def test_what_is_around_a_cell_has_it_around(steps: tuple[Place, ...]) -> None:
    assert len({*steps}) == len(steps)
    for board in BOARDS:
        around = board.around(steps)
        assert popcount(around[board.bits[2, 3]]) == len(steps)
        for one, other in product(board.bits.values(), repeat=2):
            assert has(around[one], other) == has(around[other], one)
    gaps = Board(1, 2, {"stones": "XO"}, where=lambda row, column: 3 * column)
    assert gaps.around(ROOK).tolist() == [8, 0, 0, 1]
    assert add(gaps.set_of(gaps.bits), u64(0)) == u64(9)
