"""Offers of a game are found by isinstance, of the game or of the notation of its rules."""

from __future__ import annotations

from typing import Any

import pytest

import dragon
import dragon.protocols
from dragon.core import Search
from dragon.protocols import Determinizable, notation_of, seat_names, turn_name
from dragon.rules.notation import BaseNotation
from dragon_tournament import dragon_executors, dragon_referees
from tests.scripted.plain_kuhn import PlainKuhn


def offered(game: dragon.Game[Any]) -> set[str]:
    """The members that a game, or its notation, defines beyond the defaults."""
    bases = [(game, dragon.Game), (notation_of(game), BaseNotation)]
    names = [*vars(BaseNotation), "next_clicks", "write_transcript", "read_transcripts"]
    return {
        name
        for part, base in bases
        for name in names
        if name[0] != "_" and hasattr(base, name) and part is not None
        if getattr(type(part), name) is not getattr(base, name)
    }


@pytest.mark.parametrize(
    ("spec", "members"),
    [
        ("nim", set()),
        ("tictactoe", {"flaw", "seat_letters", "seat_names"}),
        (
            "nex(rows=3, cols=3)",
            {"cells", "clicks", "next_clicks", "seat_names", "spell", "vocabulary",
             "write_transcript", "read_transcripts"},
        ),
        ("pokemon", set()),
        ("ulti", {"seat_names"}),
    ],
)  # fmt: skip
def test_what_games_offer(spec: str, members: set[str]) -> None:
    assert offered(dragon.game(spec)) == members


def test_all_that_may_be_offered_has_a_default() -> None:
    game, notation = dragon.game("nim"), BaseNotation()
    assert game.seat_names == notation.seat_names == notation.seat_letters == ()
    assert game.clicks("1") is notation.clicks("1") is notation.pointed(None, 1) is None
    assert game.next_clicks(game.start(), ()) is None
    assert game.read_transcripts("1.") == notation.vocabulary == notation.scores(None) == ()
    assert notation.cells is notation.drawing() is notation.texts() is notation.spell is None
    assert dragon.search("alphabeta").offer(game) is None


def test_a_search_that_offers_something_must_make_it() -> None:
    class Offers(Search):
        name = "offers"

    with pytest.raises(dragon.PluginError, match="does not define `make`"):
        Offers().make(dragon.game("nim"))


def test_a_board_says_which_cells_make_a_move() -> None:
    board = dragon.Board(3, 3, {"stones": "XO"})
    assert board.clicks("a1") == (("a1",),)
    assert board.seat_names == ("Black", "White")


def test_hidden_states_are_determinizable() -> None:
    assert isinstance(PlainKuhn().start(), Determinizable)
    assert dragon.game("kuhn").start().conceals
    assert not isinstance(dragon.game("nim").start(), Determinizable)


def test_seats_without_as_many_names_go_by_their_numbers() -> None:
    swapped = dragon.game("nex(rows=3, cols=3, swap=true)")
    assert seat_names(swapped) == ("seat 0", "seat 1")
    assert seat_names(dragon.game("nex(rows=3, cols=3)")) == ("Black", "White")
    assert turn_name(dragon.game("kuhn"), dragon.CHANCE) == "chance"


def test_a_state_is_drawn_as_its_text_unless_it_says_more() -> None:
    game = dragon.game("small_world")
    assert (game.draw(game.start()), game.svg(game.start())) == (game.start().picture(), None)
    board = dragon.game("tictactoe")
    assert board.draw(board.start()) == board.start().picture() != str(board.start())
    assert str(board.svg(board.start())).startswith("<svg")


def test_referees_and_executors_have_names() -> None:
    assert [referee.name for referee in dragon_referees()] == ["match", "race", "estimate"]
    assert [make.name for make in dragon_executors()] == ["process", "inline", "dask"]
