"""What a game may offer is found by isinstance, of the game or of the notation of its rules."""

from __future__ import annotations

from typing import Any

import pytest

import dragon
from dragon.protocols import (
    Celled,
    Clickable,
    ClickGuide,
    Determinizable,
    SeatNaming,
    Transcribable,
    parts,
    seat_names,
    turn_name,
)
from dragon_tournament import dragon_executors, dragon_referees


def offered(game: dragon.Game[Any]) -> set[str]:
    """The protocols that a game, or its notation, offers."""
    protocols = (Celled, Clickable, ClickGuide, SeatNaming, Transcribable)
    return {each.__name__ for part in parts(game) for each in protocols if isinstance(part, each)}


@pytest.mark.parametrize(
    ("spec", "protocols"),
    [
        ("nim", set()),
        ("tictactoe", {"SeatNaming"}),
        (
            "nex(rows=3, cols=3)",
            {"Celled", "Clickable", "ClickGuide", "SeatNaming", "Transcribable"},
        ),
        ("pokemon", set()),
        ("ulti", {"SeatNaming"}),
    ],
)
def test_what_games_offer(spec: str, protocols: set[str]) -> None:
    assert offered(dragon.game(spec)) == protocols


def test_a_board_says_which_cells_make_a_move() -> None:
    board = dragon.Board(3, 3, {"stones": "XO"})
    assert isinstance(board, Clickable)
    assert isinstance(board, SeatNaming)


def test_hidden_states_are_determinizable() -> None:
    assert isinstance(dragon.game("kuhn").start(), Determinizable)
    assert not isinstance(dragon.game("nim").start(), Determinizable)


def test_seats_without_as_many_names_go_by_their_numbers() -> None:
    swapped = dragon.game("nex(rows=3, cols=3, swap=true)")
    assert seat_names(swapped) == ("seat 0", "seat 1")
    assert seat_names(dragon.game("nex(rows=3, cols=3)")) == ("Black", "White")
    assert turn_name(dragon.game("kuhn"), dragon.CHANCE) == "chance"


def test_a_state_is_drawn_as_its_text_unless_it_says_more() -> None:
    game = dragon.game("nim(pile=5)")
    assert (game.draw(game.start()), game.svg(game.start())) == ("5 A", None)
    board = dragon.game("tictactoe")
    assert board.draw(board.start()) == board.start().picture() != str(board.start())
    assert str(board.svg(board.start())).startswith("<svg")


def test_referees_and_executors_have_names() -> None:
    assert [referee.name for referee in dragon_referees()] == ["match", "race", "estimate"]
    assert [make.name for make in dragon_executors()] == ["process", "inline", "dask"]
