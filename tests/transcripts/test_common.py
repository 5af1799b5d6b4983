"""Transcripts: what is written is read again, and what is none is refused with its line."""

from __future__ import annotations

import pytest

import dragon
from dragon.errors import BadNotation
from dragon.protocols import Transcript
from dragon.transcripts import read, write


@pytest.mark.samples("hex*", "kuhn*")
@pytest.mark.parametrize(
    ("spec", "moves"),
    [
        ("hex(size=3)", ("a1", "b2")),
        ("nex(rows=3, cols=4)", ("Ba1?c4", "Wb2?a3")),
        ("nex(rows=3, cols=3, swap=True)", ("Ba1?c3", "swap")),
        ("nex(rows=19, cols=19)", ()),
        ("kuhn", ("KQ", "bet")),
    ],
)
def test_what_is_written_is_read(spec: str, moves: tuple[str, ...]) -> None:
    game = dragon.game(spec)
    transcript = Transcript(str(game), moves, players=("human", "mcts(c=0.7)"))
    (back,) = read(write(game, transcript), dragon.game(spec.partition("(")[0]))
    assert (dragon.game(back.game), back.moves, back.players) == (game, moves, transcript.players)


def test_a_start_and_a_deal_are_kept() -> None:
    game = dragon.game("nex(rows=2, cols=2)")
    transcript = Transcript(str(game), (), "B?/.. W", 7)
    (back,) = read(write(game, transcript), game)
    assert (back.start, back.deal) == ("B?/.. W", 7)


def test_a_finished_game_of_nex_tells_who_won() -> None:
    game = dragon.game("nex(rows=1, cols=3)")
    state, moves = game.start(), []
    while state.turn >= 0:
        moves.append(str(state.moves()[0]))
        state = state.after(moves[-1])
    result = {1: "B", 0: "#", -1: "W"}[round(state.payoff()[0])]
    text = write(game, Transcript(str(game), tuple(moves)))
    assert text.strip().endswith(f";{result}")


def test_a_bare_record_is_of_the_board_on_the_page() -> None:
    text = "Ba1?b2;"
    assert read(text, dragon.game("nex(rows=5, cols=4)"))[0].game == "nex(rows=5, cols=4)"
    assert read("Ba1?f6;", dragon.game("nex(rows=5, cols=4)"))[0].game == "nex(rows=6, cols=6)"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("hello", "not a game of hex"),
        ("game: hex\nhello", "line 2"),
        ("game: hex\ncolour: red\n", "line 2"),
        ("game: hex\ndeal: x\nmoves:\n", "not a seed"),
    ],
)
def test_what_is_none_is_refused(text: str, reason: str) -> None:
    with pytest.raises(BadNotation, match=reason):
        read(text, dragon.game("hex"))
