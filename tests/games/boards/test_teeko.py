"""Teeko against Steele's counts of what wins, and a count of paths by coordinates."""

from __future__ import annotations

from itertools import combinations, product
from random import Random
from typing import Any

import pytest

import dragon
from dragon import TERMINAL
from dragon.search.retrograde.making import Maker

pytestmark = pytest.mark.samples(1)

CELLS = [(r, c) for r in range(5) for c in range(5)]


def wins(four: frozenset[tuple[int, int]], advanced: bool) -> bool:
    """By the distances between the pieces."""
    gaps = sorted((a - x) ** 2 + (b - y) ** 2 for (a, b), (x, y) in combinations(four, 2))
    unit = gaps[0]
    if gaps == [unit * n for n in (1, 1, 1, 4, 4, 9)]:
        return unit in (1, 2)
    upright = len({r for r, _ in four}) == 2 == len({c for _, c in four})
    square = upright and gaps == [unit * n for n in (1, 1, 1, 1, 2, 2)]
    return square and (advanced or unit == 1)


@pytest.mark.full
@pytest.mark.parametrize(("advanced", "count"), [(False, 44), (True, 58)])
def test_so_many_patterns_win(advanced: bool, count: int) -> None:
    """Compare those that win in either game, and every ninth of the others."""
    game, found = dragon.game(f"teeko(advanced={str(advanced).lower()})"), 0
    for n, four in enumerate(map(frozenset, combinations(CELLS, 4))):
        if n % 9 and not wins(four, True):
            continue
        rest = [cell for cell in CELLS if cell not in four]
        other = (
            rest[:3] + rest[-1:] if not wins(frozenset(rest[:3] + rest[-1:]), True) else rest[:4]
        )
        letters = [["X" if (r, c) in four else "O" if (r, c) in other else "." for c in range(5)]
                   for r in range(5)]  # fmt: skip
        state = game.parse(f"{'/'.join(map(''.join, letters))} O ply=9")
        assert (state.turn == TERMINAL) == wins(four, advanced), str(state)
        found += state.turn == TERMINAL
    assert found == count


def paths(board: dict[tuple[int, int], int], ply: int, depth: int) -> int:
    own = [frozenset(cell for cell, seat in board.items() if seat == side) for side in (0, 1)]
    last = own[1 - ply % 2]
    if depth == 0 or (len(last) == 4 and wins(last, False)):
        return depth == 0
    free = [cell for cell in CELLS if cell not in board]
    if ply < 8:
        return sum(paths({**board, to: ply % 2}, ply + 1, depth - 1) for to in free)
    total = 0
    for at in own[ply % 2]:
        left = {cell: seat for cell, seat in board.items() if cell != at}
        for to in free:
            if max(abs(to[0] - at[0]), abs(to[1] - at[1])) == 1:
                total += paths({**left, to: ply % 2}, ply + 1, depth - 1)
    return total


@pytest.mark.full
@pytest.mark.parametrize(
    ("text", "ply", "depth"),
    [("...../...../...../...../..... X", 0, 3), ("XX.../...../OO.../.X..O/..... X ply=6", 6, 4),
     ("XX.../X..../OO.X./O...O/..... X ply=8", 8, 4)],
)  # fmt: skip
def test_there_are_as_many_paths_as_coordinates_say(text: str, ply: int, depth: int) -> None:
    rows = text.split()[0].split("/")
    board = {(r, c): "XO".index(rows[r][c]) for r, c in CELLS if rows[r][c] != "."}
    assert dragon.perft(dragon.game("teeko").parse(text), depth) == paths(board, ply, depth)


def worth(state: Any, seat: int) -> float:
    """Give the payoff of a seat, by looking at everything."""
    if state.turn == TERMINAL:
        return float(state.payoff()[seat])
    after = [worth(state.after(move), seat) for move in state.moves()]
    return max(after) if state.turn == seat else min(after)


def seen_from_everywhere(state: Any) -> frozenset[Any]:
    """The mover's and the other side's cells, as they look from the eight sides of the board."""
    rows = str(state).split()[0].split("/")
    letters = "XO" if state.turn == 0 else "OX"
    sides = [{(r, c) for r, c in CELLS if rows[r][c] == letter} for letter in letters]
    looks = set()
    for a, b, swap in product((1, -1), (1, -1), (False, True)):
        turned = [
            frozenset((b * (y - 2), a * (x - 2)) if swap else (a * (x - 2), b * (y - 2))
                      for x, y in side) for side in sides
        ]  # fmt: skip
        looks.add(tuple(turned))
    return frozenset(looks)


@pytest.mark.full
def test_a_place_is_that_of_the_turned_board_and_of_the_sides_exchanged() -> None:
    random = Random(1)
    looks: dict[Any, int] = {}
    for _ in range(30):
        state: Any = dragon.game("teeko").start()
        for ply in range(14):
            if state.turn == TERMINAL:
                break
            look = seen_from_everywhere(state)
            assert looks.setdefault(look, state.place()) == state.place(), (ply, str(state))
            state = state.after(random.choice(state.moves()))
    assert len(set(looks.values())) == len(looks) > 200
    game: Any = dragon.game("teeko")
    one = game.parse("XX.../X..../OO.X./O...O/..... X ply=8")
    exchanged = game.parse("...../X...X/XX.O./O..../OO... O ply=9")
    assert one.place() == exchanged.place()


@pytest.mark.full
@pytest.mark.parametrize(
    "text", ["XX.../X..../.O.../.O.../...O. X ply=6", "XX.../X..../OO.../O..../...X. O ply=7"]
)
def test_a_table_is_as_a_plain_search_says(text: str) -> None:
    state: Any = dragon.game("teeko(limit=9)").parse(text)
    table = Maker(state, 50, listed=True).make()
    assert table.ask(state).value == worth(state, state.turn)
    for move in state.moves():
        after = state.after(move)
        if after.turn == TERMINAL:
            continue
        assert table.ask(after).value == worth(after, after.turn)
