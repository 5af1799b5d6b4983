"""Positions that are fields read back, and a move may be spelled in any clear way."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import frozen

import dragon
from dragon import AmbiguousMove, BadNotation, IllegalMove, RecordGame, Rules, State, parse_move


@frozen
class Fields(RecordGame):
    """A game whose positions are fields, and whose first record is not of zeros."""

    name = "fields"

    def rules(self) -> Rules:
        layout = [("left", "u1"), ("grid", "i8", (2, 2)), ("done", "?")]
        rule = lambda *_: 0  # noqa: E731
        return Rules(layout, rule, rule, rule, rule, width=1, plies=1)

    def setup(self, record: Any) -> None:
        record.left = 5


def test_fields_read_back_and_keep_what_setup_wrote() -> None:
    game = Fields()
    text = "left=5 grid=0,-1,2,3 done=1"
    assert str(game.parse(text)) == text
    assert str(game.parse("done=1")) == "left=5 grid=0,0,0,0 done=1"
    for wrong in ("left", "left=", "left=1,2", "left=256", "grid=1,2", "more=1"):
        with pytest.raises(BadNotation, match=wrong):
            game.parse(wrong)


def test_spelling_is_free_where_it_is_clear() -> None:
    assert parse_move(dragon.game("tictactoe").start(), " B2 ") == "b2"
    with pytest.raises(IllegalMove, match=r"no legal move '4' in 10 A; legal: 1, 2, 3"):
        parse_move(dragon.game("nim").start(), "4")


@frozen
class Letters(State[str]):
    turn = 0

    def moves(self) -> tuple[str, ...]:
        return "a", "A", "b"

    def after(self, move: str) -> Letters:
        return self

    def payoff(self) -> tuple[float, ...]:
        return 0.0, 0.0


def test_ambiguity_is_told() -> None:
    assert parse_move(Letters(), "A") == "A"
    assert parse_move(Letters(), "B") == "b"
    with pytest.raises(IllegalMove):
        parse_move(Letters(), "c")

    @frozen
    class Mixed(Letters):
        def moves(self) -> tuple[str, ...]:
            return "Ab", "aB"

    with pytest.raises(AmbiguousMove, match="'ab' fits Ab, aB"):
        parse_move(Mixed(), "ab")
