"""EinStein würfelt nicht! against the values of small positions by hand."""

from __future__ import annotations

import random

import pytest

import dragon
from dragon import CHANCE, TERMINAL, BadNotation

EINSTEIN = dragon.game("einstein")


def reference(rows: list[str], side: str, roll: int) -> set[str]:
    """The moves by letters."""
    own, way = ("123456", 1) if side == "X" else ("abcdef", -1)
    at = {x: (r, c) for r, row in enumerate(rows) for c, x in enumerate(row) if x in own}
    left = sorted(own.index(x) + 1 for x in at)
    near = [roll] if roll in left else [*[n for n in left if n < roll][-1:],
                                        *[n for n in left if n > roll][:1]]  # fmt: skip
    found = set()
    for number in near:
        r, c = at[own[number - 1]]
        for y, x in ((r, c + way), (r + way, c), (r + way, c + way)):
            if 0 <= y < 5 and 0 <= x < 5:
                found.add(f"{'abcde'[c]}{r + 1}{'abcde'[x]}{y + 1}")
    return found


def test_a_roll_says_which_stones_may_go() -> None:
    dice = random.Random(7)
    for seed in range(12):
        state = EINSTEIN.start(seed)
        while state.turn != TERMINAL:
            if state.turn == CHANCE:
                assert list(state.moves()) == [f"roll{n}" for n in range(1, 7)]
            else:
                board, side, roll = str(state).split()
                assert set(state.moves()) == reference(board.split("/"), side, int(roll[5:]))
            state = state.after(dice.choice(state.moves()))
        board = str(state).split()[0]
        ends = board[-1] in "123456", board[0] in "abcdef"
        gone = not set(board) & set("abcdef"), not set(board) & set("123456")
        assert state.payoff() == ((1, -1) if ends[0] or gone[0] else (-1, 1))
        assert any(ends) or any(gone)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("...../...../...../...1./a.... X", 1),  # any roll brings it home
        ("...../...../..1../...../....a X", 1),  # O is to move once; its stone stays away
        ("...../.a.../...../..1../..... X", -1),  # O is home first
    ],
)
def test_values_of_small_positions(text: str, value: int) -> None:
    state = EINSTEIN.parse(text)
    assert state.turn == CHANCE
    best = dragon.search("exhaustive").best(state)
    assert best.value == pytest.approx(value)


def test_a_side_may_capture_its_own_stones() -> None:
    state = EINSTEIN.parse("12.../...../...../...../....a X roll=1")
    after = state.after("a1b1")
    assert str(after) == ".1.../...../...../...../....a O"


@pytest.mark.parametrize(
    "text", ["d..../...../...../..1../..... O", "...../..a../...../...../....1 X"]
)
def test_who_is_to_move_has_not_reached_its_corner(text: str) -> None:
    with pytest.raises(BadNotation, match="is to move, but has won already"):
        EINSTEIN.parse(text)
