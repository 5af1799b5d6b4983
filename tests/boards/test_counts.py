"""Boards that show numbers: texts within limits, words, and pictures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dragon import BadNotation
from dragon.boards.squares import Counts, block, disc, numbered, showing
from dragon.protocols import Sum

SHOWN = {n: block("#fff", 36, n) for n in range(4)}
SQUARES = tuple(
    showing(row, column, {("men", (row, column)): 1}, SHOWN, {3: "three"}, "ab"[row], {3: "3"})
    for row in (1, 0)
    for column in (0, 1)
)


def board(**settings: Any) -> Counts:
    words = {"pass": 9, "skip": 9, "a-b": 1}
    return Counts(2, 2, SQUARES, words=words, limits={"men": 3}, **settings)


def record() -> Any:
    return np.zeros(1, [("men", "i8", (2, 2)), ("score", "i8")]).view(np.recarray)[0]


def test_a_position_is_its_fields_within_their_limits() -> None:
    s = record()
    board().parse(s, "men=0,1,2,3 score=-7")
    assert (s.men.tolist(), s.score) == ([[0, 1], [2, 3]], -7)
    for men in ("0,1,2,4", "0,1,2,-1"):
        with pytest.raises(BadNotation, match="men is from 0 to 3"):
            board().parse(record(), f"men={men}")


def test_settle_may_refuse_what_has_been_read() -> None:
    def settle(s: Any) -> None:
        if s.score:
            raise BadNotation("nobody has scored")

    board(settle=settle).parse(record(), "men=0,0,0,0")
    with pytest.raises(BadNotation, match="nobody has scored"):
        board(settle=settle).parse(record(), "score=1")


def test_moves_are_words_or_numbers() -> None:
    s = record()
    assert [board().move_code(s, text) for text in ("pass", "Skip", "A-b")] == [9, 9, 1]
    assert [board().move_text(s, code) for code in (9, 1, 4)] == ["pass", "a-b", "4"]
    with pytest.raises(BadNotation, match="'no' is not a move; write one like pass, skip, a-b"):
        board().move_code(s, "no")
    assert Counts(2, 2, ()).move_code(s, "4") == 4


def test_pictures_show_the_numbers() -> None:
    s = record()
    s.men[0, 1], s.score = 3, 16
    assert board(below="score", wide=2).picture(s) == "   3\n\nscore 16"
    svg = board(below="score").svg(s)
    assert svg.count("<g") == 4
    assert 'data-cell="a" aria-label="three"' in svg
    assert [each.total(s) for each in board(below="score").scores(s)] == [16]
    assert board().svg(s) == svg


def test_a_number_stands_in_a_shape() -> None:
    before, number, after = numbered(disc("#000", 9, "%", "#fff"), Sum({("score", ()): 1}))
    assert f"{before}5{after}" == disc("#000", 9, 5, "#fff")
    assert isinstance(number, Sum)
