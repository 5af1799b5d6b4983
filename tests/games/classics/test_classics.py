"""The classics against slow and obvious references of their own, and known counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import dragon
import dragon_classics
from dragon import TERMINAL
from dragon.laws import states

pytestmark = pytest.mark.samples(1)

Cell = tuple[int, int]
FOLDER = Path(dragon_classics.__file__).parent


@pytest.mark.parametrize(("file", "most"), [("tictactoe.py", 45), ("connect4.py", 150)])
def test_the_files_of_the_tutorial_stay_short(file: str, most: int) -> None:
    assert len((FOLDER / file).read_text().splitlines()) <= most


def rows_of(state: Any) -> list[str]:
    return str(state).partition(" ")[0].split("/")


def lines_of(rows: list[str], length: int) -> set[str]:
    """The stones that fill a straight line of that length."""
    found = set()
    height, width = len(rows), len(rows[0])
    for r in range(height):
        for c in range(width):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(r + i * dr, c + i * dc) for i in range(length)]
                if all(0 <= y < height and 0 <= x < width for y, x in cells):
                    stones = {rows[y][x] for y, x in cells}
                    if len(stones) == 1:
                        found |= stones
    return found - {"."}


@pytest.mark.parametrize(("name", "length"), [("tictactoe", 3), ("connect4", 4)])
def test_lines_win(name: str, length: int) -> None:
    @given(states(dragon.game(name)))
    @settings(max_examples=60)
    def check(state: Any) -> None:
        rows = rows_of(state)
        won, text = lines_of(rows, length), "".join(rows)
        placed = len(text) - text.count(".")
        if won or "." not in text:
            assert state.turn == TERMINAL
            assert state.payoff() == {"X": (1, -1), "O": (-1, 1)}.get("".join(won), (0, 0))
        else:
            assert state.turn == placed % 2
            if name == "connect4":
                free = [str(c + 1) for c in range(7) if rows[0][c] == "."]
                assert list(state.moves()) == free
            else:
                assert len(state.moves()) == 9 - placed

    check()


def joined(rows: list[str], stone: str) -> bool:
    """Tell whether a side has joined its edges, by a plain flood from the first."""
    size = len(rows)
    own = {(r, c) for r in range(size) for c in range(size) if rows[r][c] == stone}
    along = 0 if stone == "X" else 1
    reached = {cell for cell in own if cell[along] == 0}
    fresh = reached
    while fresh:
        around = {
            (r + dr, c + dc)
            for r, c in fresh
            for dr, dc in ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, -1), (1, 0))
        }
        fresh = (around & own) - reached
        reached = reached | fresh
    return any(cell[along] == size - 1 for cell in reached)


@pytest.mark.parametrize(
    "size",
    [2, 3, 8, 11, *(pytest.param(size, marks=pytest.mark.full) for size in (5, 9, 12, 19))],
)
def test_hex_is_over_when_a_side_has_joined_its_edges(size: int) -> None:
    from dragon.laws.kit import walk

    for seed in range(4):
        for state in walk(dragon.game(f"hex(size={size})"), seed):
            rows = rows_of(state)
            won = [joined(rows, "X"), joined(rows, "O")]
            assert sum(won) <= 1
            assert (state.turn == TERMINAL) == any(won)
            if any(won):
                assert state.payoff() == ((1, -1) if won[0] else (-1, 1))


def hex_paths(rows: tuple[str, ...], depth: int) -> int:
    """Move paths of a length, by the plain flood."""
    if depth == 0:
        return 1
    if joined(list(rows), "X") or joined(list(rows), "O"):
        return 0
    stone = "XO"[sum(row.count("X") + row.count("O") for row in rows) % 2]
    return sum(
        hex_paths((*rows[:r], row[:c] + stone + row[c + 1 :], *rows[r + 1 :]), depth - 1)
        for r, row in enumerate(rows)
        for c in range(len(row))
        if row[c] == "."
    )


@pytest.mark.parametrize(("size", "depth"), [(2, 4), (3, 5), (4, 3)])
def test_hex_has_as_many_paths_as_the_plain_flood_finds(size: int, depth: int) -> None:
    start = dragon.game(f"hex(size={size})").start()
    for d in range(depth + 1):
        assert dragon.perft(start, d) == hex_paths(("." * size,) * size, d)


def test_hex_of_size_two_has_53_paths_in_all() -> None:
    start = dragon.game("hex(size=2)").start()
    assert [dragon.perft(start, d) for d in range(6)] == [1, 4, 12, 24, 12, 0]


@pytest.mark.full
@pytest.mark.parametrize(("size", "games"), [(3, 40), (4, 8)])
def test_what_bridges_say_of_hex_is_so(size: int, games: int) -> None:
    """Compared with a search that is told nothing; they say something of half of the positions."""
    from dragon.laws.kit import walk

    plain, known, asked = dragon.search("alphabeta(solved=false, order=false)"), 0, 0
    for seed in range(games):
        for state in walk(dragon.game(f"hex(size={size})"), seed):
            if state.turn >= 0 and len(state.moves()) < size * size:
                asked += 1
                said = state.solved()
                if said is not None:
                    known += 1
                    truth = plain.best(state).value
                    assert said == (truth if state.turn == 0 else -truth, 0), str(state)
    assert known > asked / 2


@pytest.mark.full
def test_bridges_see_a_hex_game_won_on_the_empty_board() -> None:
    """A stone in the middle of five rows has both edges by cells on their second rows."""
    best = dragon.search("alphabeta").best(dragon.game("hex(size=5)").start())
    assert (best.value, str(best.move)) == (1.0, "c3")
    assert best.nodes < 20
    state = dragon.game("hex(size=3)").parse(".../.X./... O")
    assert state.solved() == (1.0, 0)
    assert dragon.game("hex(size=7)").start().solved() is None


@pytest.mark.full
def test_hex_is_won_by_the_first_side_on_small_boards() -> None:
    for size in (2, 3):
        best = dragon.search("exhaustive").best(dragon.game(f"hex(size={size})").start())
        assert best.value == 1.0


PERFT = {
    "tictactoe": [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0],
    "connect4": [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234],
}


@pytest.mark.parametrize("name", PERFT)
def test_perft(name: str) -> None:
    start = dragon.game(name).start()
    assert [dragon.perft(start, d) for d in range(len(PERFT[name]))] == PERFT[name]


@pytest.mark.parametrize("pile", range(1, 13))
def test_nim_is_lost_on_multiples_of_four(pile: int) -> None:
    best = dragon.search("exhaustive").best(dragon.game(f"nim(pile={pile})").start())
    assert best.value == (-1.0 if pile % 4 == 0 else 1.0)


@pytest.mark.parametrize("text", ["", "7", "7 C", "x A", "7  A", "-1 A"])
def test_nim_answers_bad_positions(text: str) -> None:
    with pytest.raises(dragon.BadNotation, match="is not a pile; write one like '7 B'"):
        dragon.game("nim").parse(text)
