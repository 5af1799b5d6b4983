"""Nine men's morris against a count of paths by names of points."""

from __future__ import annotations

import pytest

import dragon
from dragon import TERMINAL, BadNotation

RINGS = ["a1 a4 a7 d7 g7 g4 g1 d1", "b2 b4 b6 d6 f6 f4 f2 d2", "c3 c4 c5 d5 e5 e4 e3 d3"]
AROUND = [ring.split() for ring in RINGS]
MILLS = [[ring[i], ring[i + 1], ring[(i + 2) % 8]] for ring in AROUND for i in (0, 2, 4, 6)]
MILLS += [[ring[i] for ring in AROUND] for i in (1, 3, 5, 7)]
POINTS = [point for ring in AROUND for point in ring]
NEAR = {
    point: {m[i + d] for m in MILLS if point in m for i in [m.index(point)] for d in (-1, 1)
            if 0 <= i + d < 3}
    for point in POINTS
}  # fmt: skip
Board = dict[str, int]


def milled(board: Board, point: str) -> bool:
    return any(point in m and {board.get(p) for p in m} == {board[point]} for m in MILLS)


def paths(board: Board, seat: int, placed: int, taking: bool, depth: int) -> int:
    """Move paths of a length; a stone that is taken away is a move."""
    own = [point for point, side in board.items() if side == seat]
    free = [point for point in POINTS if point not in board]
    if taking:
        other = [point for point, side in board.items() if side != seat]
        loose = [point for point in other if not milled(board, point)]
        if depth == 0:
            return 1
        return sum(
            paths({p: s for p, s in board.items() if p != gone}, 1 - seat, placed, False, depth - 1)
            for gone in loose or other
        )
    steps = [(None, to) for to in free] if placed < 18 else [
        (at, to) for at in own for to in free if len(own) == 3 or to in NEAR[at]
    ]  # fmt: skip
    if depth == 0 or (placed == 18 and len(own) < 3):
        return depth == 0
    total = 0
    for at, to in steps:
        after = {**{p: s for p, s in board.items() if p != at}, to: seat}
        takes = milled(after, to) and len(set(after.values())) > 1
        total += paths(after, seat if takes else 1 - seat, min(placed + 1, 18), takes, depth - 1)
    return total


@pytest.mark.samples("a7*")
@pytest.mark.parametrize(
    ("moves", "depth"),
    [("", 3), ("a7 b6 d7 d6 g7 b6", 2), ("a7 b6 a4 d6", 3), ("a7 c3 d7 c4 g7 c3 a4 c3 g4 d1", 3)],
)
def test_there_are_as_many_paths_as_the_points_say(moves: str, depth: int) -> None:
    state, board, placed = dragon.game("morris").start(), Board(), 0
    for move in moves.split():
        seat, taking = state.turn, state.view.taking
        board = {p: s for p, s in board.items() if p != move} if taking else {**board, move: seat}
        placed += not taking
        state = state.after(move)
    turn, taking = state.turn, bool(state.view.taking)
    assert dragon.perft(state, depth) == paths(board, turn, placed, taking, depth)


@pytest.mark.samples("XX")
@pytest.mark.parametrize("text", ["XX", "XXX"])
def test_stones_move_along_lines_and_fly_when_they_are_three(text: str) -> None:
    rows = ["X.....X", ".......", "..OOO..", ".......", ".......", ".O...O.", text + "....."]
    rows[6] = {"XX": "X.....X", "XXX": "X......"}[text]
    state = dragon.game("morris").parse(f"{'/'.join(rows)} X placed=18")
    board = {
        "abcdefg"[c] + str(7 - r): "XO".index(x)
        for r, row in enumerate(rows) for c, x in enumerate(row) if x != "."
    }  # fmt: skip
    for depth in (1, 2, 3):
        assert dragon.perft(state, depth) == paths(board, 0, 18, False, depth)


def test_the_end() -> None:
    game = dragon.game("morris")
    two = game.parse("O.....X/......./......./......./......./......./O..O..X X placed=18")
    assert (two.turn, two.payoff()) == (TERMINAL, (-1, 1))
    with pytest.raises(BadNotation, match="stones are on points"):
        game.parse(".X...../......./......./......./......./......./....... X placed=1")


def test_a_mill_on_the_last_quiet_ply_takes_its_stone() -> None:
    """X closes a7-d7-g7 with the hundredth ply; O has a mill, and a stone beside it or none."""
    game = dragon.game("morris(flying=false)")
    rows = "X..X.../......./......./......X/......./.O...../O..O..O"
    late = game.parse(f"{rows} X placed=18 quiet=99")
    closed = late.after("g4g7")
    assert (closed.turn, closed.view.taking, closed.view.quiet) == (0, 1, 100)
    assert sorted(closed.moves()) == ["b2"]
    taken = closed.after("b2")
    assert (taken.turn, taken.view.quiet) == (1, 0)
    quiet = late.after("a7a4")
    assert (quiet.turn, quiet.payoff()) == (TERMINAL, (0, 0))
    few = game.parse(f"{rows.replace('.O.....', '.......')} X placed=18 quiet=99")
    lost = few.after("g4g7").after("a1")
    assert (lost.turn, lost.payoff()) == (TERMINAL, (1, -1))
    assert game.parse(str(closed)) == closed


@pytest.mark.parametrize("text", ["X placed=5", "O placed=6", "X placed=6 taking=1"])
def test_who_places_is_who_is_to_move(text: str) -> None:
    game, rows = dragon.game("morris"), "X.....O/......./......./X.....O/......./......./X......"
    with pytest.raises(BadNotation, match="it is the other side's turn"):
        game.parse(f"{rows} {text}")
    assert game.parse(f"{rows} O placed=5").turn == 1
    assert game.parse(f"{rows} X placed=5 taking=1").turn == 0
