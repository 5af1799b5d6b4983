"""Checkers against published counts of paths, and rules that are easily got wrong."""

from __future__ import annotations

import re

import pytest

import dragon
from dragon import TERMINAL, BadNotation, State

PERFT = [1, 7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680]
CHECKERS = dragon.game("checkers")


def turns(state: State[str], depth: int) -> int:
    """Paths of this number of turns; all jumps of a turn together are one."""
    if depth == 0 or state.turn == TERMINAL:
        return depth == 0
    after = [state.after(move) for move in state.moves()]
    return sum(turns(other, depth - (other.turn != state.turn)) for other in after)


def test_there_are_as_many_paths_as_all_programs_count() -> None:
    start = CHECKERS.start()
    assert [dragon.perft(start, depth) for depth in range(7)] == PERFT[:7]  # no double jumps yet
    assert turns(start, 5) == PERFT[5]


@pytest.mark.full
@pytest.mark.budget(120)  # a million states in Python
def test_there_are_as_many_paths_where_pieces_jump_twice() -> None:
    assert turns(CHECKERS.start(), 8) == PERFT[8]


def position(rows: str, rest: str) -> State[str]:
    return CHECKERS.parse(f"{rows} {rest}")


def test_who_can_jump_must_and_goes_on() -> None:
    state = position("......../..b...../.w.w..../......../.w.w..../......../......../........", "B")
    assert set(state.moves()) == {"6x13", "6x15"}
    state = state.after("c7xa5")
    assert (state.turn, list(state.moves())) == (0, ["13x22"])
    state = state.after("a5c3")
    assert (state.turn, set(state.moves())) == (1, {"18-14", "10-7", "18-15", "10-6"})


@pytest.mark.parametrize(("piece", "turn"), [("b", 1), ("B", 0)])
def test_a_new_king_does_not_go_on(piece: str, turn: int) -> None:
    rows = f"......../......../......../......../......../..{piece}...../...w.w../........"
    assert position(rows, "B").after("c3e1").turn == turn


def test_the_end() -> None:
    stuck = position("......../b......./.w....../..w...../......../......../......../........", "B")
    assert (stuck.turn, stuck.payoff()) == (TERMINAL, (-1, 1))
    kings = ".B....../......../......../......../......../......../......../W......."
    last = position(kings, "B quiet=79")
    assert last.turn == 0
    assert last.after("b8a7").payoff() == (0, 0)


@pytest.mark.parametrize(
    "rows",
    [
        "b......./......../......../......../......../......../......../........",
        ".b.b.b.b/b.b.b.b./.b.b.b.b/b......./......../......../......../........",
        "......../......../......../......../......../......../......../b.......",
    ],
)
def test_a_position_that_cannot_be_is_refused(rows: str) -> None:
    with pytest.raises(BadNotation):
        position(rows, "B")


@pytest.mark.parametrize("jumper", [33, 17, 42])
def test_who_goes_on_jumping_can_jump(jumper: int) -> None:
    """An empty cell, a piece that has nothing to jump, and one of the other side."""
    rows = "......../......../.b....../......../......../w......./......../........"
    with pytest.raises(BadNotation, match="that must go on jumping"):
        position(rows, f"B jumper={jumper}")


def test_a_tag_with_a_position_is_read() -> None:
    text = "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29."
    assert CHECKERS.parse(f'[FEN "{text}"]') == CHECKERS.parse(text)


@pytest.mark.parametrize("square", [2, 8, 13, 20, 31])
def test_the_drawing_shows_the_standard_numbers_of_squares(square: int) -> None:
    """Behind its row in text, in the corner of its cell in SVG."""
    state = CHECKERS.parse(f"B:WK1:BK{square}" if square > 2 else "B:WK32:BK2")
    for line in CHECKERS.draw(state).splitlines()[1:]:
        _, *cells = line.split()
        numbers = cells[8:]
        dark = cells[:8][cells[:8].index("B") % 2 :: 2] if "B" in cells[:8] else []
        assert len(numbers) == 4
        assert "B" not in dark or numbers[dark.index("B")] == str(square)
    svg = CHECKERS.svg(state) or ""
    found = re.findall(r'<text x="(\d+)" y="([\d.]+)" font-size="8"[^>]*>(\d+)<', svg)
    assert [int(number) for *_, number in found] == [*range(1, 33)]
    places = {int(number): (int(x) - 18, float(y) - 2.88 + 14.5) for x, y, number in found}
    at = re.search(r'aria-label="black B" transform="translate\((\d+),(\d+)\)"', svg)
    assert at is not None
    assert places[square] == (int(at[1]), pytest.approx(int(at[2])))
