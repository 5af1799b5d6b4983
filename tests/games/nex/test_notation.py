"""Nex as text: every spelling that is read, every mistake that is told, and pictures."""

from __future__ import annotations

import random
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon import TERMINAL, BadNotation, IllegalMove
from dragon.bits import Random
from dragon.rules.evaluator import Interpreted
from dragon.rules.record import RecordState, rules_of
from dragon_nex import Nex
from dragon_nex.notation import NexNotation

GAMES = [
    Nex(2, 2),
    Nex(3, 3, swap=True),
    Nex(2, 5, ending="fill"),
    Nex(3, 11, transforms="without-generates"),
    Nex(12, 4, swap=True, ending="fill"),
    Nex(5, 13, swap=True, transforms="without-generates", ending="fill"),
    Nex(11, 11),
]


def walk(game: Nex, seed: int, plies: int) -> RecordState:
    """A random position, played without the compiler."""
    engine, draw = Interpreted(rules_of(game)), Random(seed)
    data = game.start().data
    for _ in range(plies):
        if engine.turn(data) == TERMINAL:
            break
        data = engine.play(data, engine.sample(data, draw))
    return RecordState(game, data)


@pytest.mark.full
@settings(max_examples=60)
@given(st.sampled_from(GAMES), st.integers(0, 999), st.integers(0, 130))
def test_positions_come_back_from_their_text(game, seed, plies):
    state = walk(game, seed, plies)
    assert game.parse(str(state)) == state
    assert str(game.parse(str(state))) == str(state)


@pytest.mark.full
@settings(max_examples=60)
@given(st.sampled_from(GAMES), st.integers(0, 999), st.integers(0, 60))
def test_moves_come_back_from_their_text_in_any_order_and_case(game, seed, plies):
    state = walk(game, seed, plies)
    engine = Interpreted(rules_of(game))
    if engine.turn(state.data) == TERMINAL:
        return
    for code in {engine.sample(state.data, Random(seed + i)) for i in range(5)}:
        text = state.text(code)
        assert state.code(text) == code
        pieces = re.findall(r"[BW?][a-z]\d+", text) or [text]
        random.Random(seed).shuffle(pieces)
        loose = "".join(pieces)
        assert state.code(loose) == state.code(loose.upper()) == state.code(loose.lower()) == code
        assert state.text(state.code(loose)) == text


# ---- moves that cannot be --------------------------------------------------------------------

FREE = "BW?/?../BW. B"  # two neutrals, three empty cells
BOARD = Nex(3, 3)
LATE = Nex(3, 3, transforms="without-generates")
FILL = Nex(3, 3, ending="fill")
SWAP = Nex(3, 3, swap=True)
LAST = "BW./B?B/WWB W"  # one empty cell, one neutral: filled in, or drawn


@pytest.mark.samples("game3-*", "game9-*")
@pytest.mark.parametrize(
    ("game", "position", "move", "error", "message"),
    [
        (BOARD, FREE, "hello", BadNotation, "'hello' is not a move; write stone and cell"),
        (BOARD, FREE, "", BadNotation, "Ba1?c2 (generate) or Ba2Bc2?a1 (transform)"),
        (FILL, FREE, "x", BadNotation, "Ba2Bc2?a1 (transform) or Ba1 (fill)"),
        (SWAP, FREE, "x", BadNotation, "(transform) or swap"),
        (BOARD, FREE, "Bb2 ?c3", BadNotation, "'Bb2 ?c3' is not a move"),
        (BOARD, FREE, "Bb2?c4", BadNotation, "'c4' in 'Bb2?c4' is not a cell of this board; its "),
        (BOARD, FREE, "Bd1?c3", BadNotation, "its cells are a1 to c3"),
        (BOARD, FREE, "Bb2?c03", BadNotation, "'c03'"),
        (BOARD, FREE, "?b2?c3", BadNotation, "'?b2?c3' places no stone of its own"),
        (BOARD, FREE, "Bb2", BadNotation, "leaves no neutral stone"),
        (BOARD, FREE, "Ba3Bb1", BadNotation, "gives up no stone"),
        (BOARD, FREE, "Ba3Bb1Bb3?a1", BadNotation, "changes 3 cells to own and 1 to neutral"),
        (BOARD, FREE, "Ba3Wb1?a1", IllegalMove, "places stones of both colours"),
        (BOARD, FREE, "Wb2?c3", IllegalMove, "places a white stone, but Black is to move in BW?/"),
        (BOARD, FREE, "Bb2?b2", IllegalMove, "names b2 twice; a generate takes two empty cells"),
        (
            BOARD,
            FREE,
            "Bb1Bb1?a1",
            IllegalMove,
            "names b1 twice; a transform converts two neutral",
        ),
        (BOARD, FREE, "Bb1Ba3?b1", IllegalMove, "gives up b1, which it has only just converted"),
        (BOARD, FREE, "Ba1?b2", IllegalMove, "needs empty cells, but a1 is black"),
        (BOARD, FREE, "Bb2?c2", IllegalMove, "needs empty cells, but c2 is white"),
        (BOARD, FREE, "Ba3?b1", IllegalMove, "but a3 is neutral and b1 is neutral"),
        (BOARD, FREE, "Ba3Bb2?a1", IllegalMove, "converts neutral stones, but b2 is empty"),
        (BOARD, FREE, "Ba2Bc1?a1", IllegalMove, "but a2 is white and c1 is black"),
        (
            BOARD,
            FREE,
            "Ba3Bb1?c2",
            IllegalMove,
            "Black gives up a stone of its own, but c2 is white",
        ),
        (BOARD, FREE, "Ba3Bb1?c3", IllegalMove, "stone of its own, but c3 is empty"),
        (
            BOARD,
            "BW?/?.?/B.. W",
            "Wa3Wb1?b3",
            IllegalMove,
            "White gives up a stone of its own, but b3",
        ),
        (
            BOARD,
            "B?./.../... W",
            "Wb1Wb2?a1",
            IllegalMove,
            "two neutral stones, and there is only one",
        ),
        (
            BOARD,
            ".../.../... B",
            "Bb1Bb2?a1",
            IllegalMove,
            "two neutral stones, and there are none",
        ),
        (BOARD, "?W?/?WB/BB. W", "Wc3?a1", IllegalMove, "two empty cells, and there is only one"),
        (BOARD, "WBW/?B./.B. W", "Wc1?c3", IllegalMove, "Black has won"),
        (BOARD, LAST, "Wa3?b2", IllegalMove, "it is a draw"),
        (LATE, "BW?/?../... B", "Ba3Bb1?a1", IllegalMove, "while 5 cells are empty"),
        (FILL, FREE, "Bb2", IllegalMove, "and there are 3 and 2"),
        (FILL, LAST, "Wb2", IllegalMove, "it takes the last empty cell, but b2 is neutral"),
        (
            FILL,
            "BWW/B?B/WWB B",
            "Ba1",
            IllegalMove,
            "it takes the last neutral stone, but a1 is black",
        ),
        (BOARD, "B?./.../... W", "swap", IllegalMove, "this game has no swap"),
        (SWAP, ".../.../... B", "swap", IllegalMove, "only White's first turn may swap"),
        (SWAP, "B?./W?./... B", "swap", IllegalMove, "only White's first turn may swap"),
        (SWAP, "B?./.../... W swapped", "swap", IllegalMove, "the seats have been swapped already"),
    ],
)
def test_a_move_that_cannot_be_is_told_why(game, position, move, error, message):
    state = game.parse(position)
    with pytest.raises(error) as caught:
        state.after(move)
    assert type(caught.value) is error
    assert message in str(caught.value)


def test_fills_are_written_as_one_stone():
    state = FILL.parse(LAST)
    assert list(state.moves()) == ["Wa3"]
    full = state.after("wA3")
    assert str(full) == "BWW/B?B/WWB B"
    assert list(full.moves()) == ["Bb2"]
    assert full.after("Bb2").payoff() == (1.0, -1.0)


# ---- positions that cannot be ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        (BOARD, "", "is not a board of 3 rows of 3; write one like '.../.../... B'"),
        (BOARD, ".../... B", "is not a board of 3 rows of 3"),
        (BOARD, ".../..../... B", "is not a board of 3 rows of 3"),
        (BOARD, "B?./.x./... W", "'x' at b2 in 'B?./.x./... W' is not a stone; write B, W, ? or ."),
        (BOARD, ".../.../...", "after the board write the side to move, here B"),
        (BOARD, ".../.../... X", "after the board write the side to move"),
        (BOARD, ".../.../... B B", "does not end as a position does"),
        (SWAP, "B?./.../... W swap", "here W (then 'swapped' if the seats are)"),
        (BOARD, ".../.../... W", "by its stones it is Black's turn, not White's"),
        (BOARD, "B?./.../... B", "by its stones it is White's turn, not Black's"),
        (BOARD, "B?./.../... W swapped", "this game has no swap (swap=true allows it)"),
        (SWAP, ".../.../... B swapped", "there is no swap before the first move"),
        (BOARD, "BB?/?../... B", "it has 2 black stones and no white ones"),
        (BOARD, "W?./.../... B", "it has no black stones and 1 white one"),
        (BOARD, "B../.../... W", "it has stones but no neutral one, and one always remains"),
        (BOARD, "B??/.../... W", "it has 2 neutral stones to 1 stone of the two colours"),
        (BOARD, "BW?/.../... B", "3 cells of it are not empty, but every generate takes two"),
        (BOARD, "???/.../... B", "it has 3 neutral stones to no stones of the two colours"),
        (Nex(2, 2), "BW/BW B", "it is full without a neutral stone"),
        (LATE, "BW./.?./B.. W", "nothing can have been transformed yet"),
        (BOARD, "BB?/WWW/BB. W", "White is to move, but its edges are joined already"),
    ],
)
def test_a_position_that_cannot_be_is_told_why(game, text, message):
    with pytest.raises(BadNotation) as caught:
        game.parse(text)
    assert message in str(caught.value)


# ---- pictures --------------------------------------------------------------------------------


def test_a_picture_has_its_rows_to_the_right_and_its_numbers_above_their_columns():
    assert Nex(3, 3).parse("BW?/?../BW. B").picture() == "\n".join(
        [
            "   1  2  3",
            "a\\  B  W  ?  \\a",
            " b\\  ?  .  .  \\b",
            "  c\\  B  W  .  \\c",
            "       1  2  3",
            "Black to move",
        ]
    )
    wide = Nex(2, 12).start().picture().splitlines()
    assert wide[0] == "   1  2  3  4  5  6  7  8  9  10 11 12"
    assert wide[1] == f"a\\{'  .' * 12}  \\a"
    assert [wide[1][wide[0].index(f"{n}") + 1] for n in range(10, 13)] == ["."] * 3


def test_a_picture_tells_how_the_game_stands():
    swapped = SWAP.parse("B?./.../... W swapped")
    assert swapped.picture().endswith("White to move (seats swapped)")
    assert BOARD.parse("WBW/?B./.B. W").picture().endswith("Black has won")
    assert BOARD.parse(LAST).picture().endswith("it is a draw")


@pytest.mark.parametrize(
    "game", [Nex(1, 2), Nex(2, 1), Nex(3, 3), Nex(4, 12), Nex(19, 19)], ids=str
)
def test_svg_shows_every_cell_and_stone_inside_its_frame(game):
    state = walk(game, 3, 40)
    root = ElementTree.fromstring(state.svg())
    cells = [each for each in root if each.get("data-cell")]
    assert len(cells) == game.rows * game.cols
    stones = len(cells) - str(state).split()[0].count(".")
    assert sum(each.get("aria-label") != "empty" for each in cells) == stones
    balls = [shape for each in cells for shape in each if shape.get("fill") == "url(#ball)"]
    assert len(balls) == stones
    x0, y0, width, height = map(float, root.attrib["viewBox"].split())
    for shape in root:
        for x, y in re.findall(r"([-\d.]+) ([-\d.]+)", shape.get("d", "")):
            assert x0 < float(x) < x0 + width
            assert y0 < float(y) < y0 + height


def test_svg_marks_a_winning_chain_and_the_last_move():
    state = BOARD.parse("WBW/?B./.B. W")
    assert state.svg().count('pathLength="1"') == 2
    assert BOARD.parse(FREE).svg().count('pathLength="1"') == 0
    notation = rules_of(BOARD).notation
    assert isinstance(notation, NexNotation)
    assert notation.svg(state.record, "Ba1?b2").count("f-tint") == 2
