"""Algebraic notation and FENs, on a board that is not that of chess."""

from __future__ import annotations

import importlib
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dragon import TERMINAL, AmbiguousMove, BadNotation, IllegalMove, PluginError
from dragon.boards.algebraic import Algebraic, Castling, Cell, Number, Past
from dragon.boards.clicks import next_clicks
from dragon.laws import GAME_LAWS

pytestmark = pytest.mark.samples(2)

sys.path.insert(0, str(Path(__file__).parent))
GAME: Any = importlib.import_module("minichess").Minichess()


LAWS = [law for law in GAME_LAWS if law.name.endswith(("contract", "positions_read_back"))]


@pytest.mark.full
@pytest.mark.parametrize("law", LAWS, ids=str)
def test_laws_hold(law: Any) -> None:
    law(GAME)


def test_every_move_of_a_game_reads_back_and_no_two_are_written_alike() -> None:
    dice, state = random.Random(3), GAME.start()
    while state.turn != TERMINAL:
        moves = list(state.moves())
        assert len({*moves}) == len(moves)
        assert [state.code(move) for move in moves] == state.moves().codes.tolist()
        state = state.after(dice.choice(moves))


@pytest.mark.parametrize(
    ("position", "moves"),
    [
        ("k4/5/5/1N1N1/4K w 0 1", "Nbc4+ Ndc4+ Na4"),
        ("k4/5/N4/5/N3K w 0 1", "N1c2 N3c2"),
        ("k4/5/N3N/5/N3K w 0 1", "N1c2 Na3c2 Nec2"),
        ("k4/1p3/P4/5/4K w 0 1", "axb4+ a4"),
        ("k4/1p3/P1P2/5/4K w 0 1", "axb4+ cxb4+"),
        ("1k3/4P/5/5/4K w 0 1", "e5=N e5=R+"),
        ("3k1/4P/5/5/4K w 0 1", "exd5=N# exd5=R#"),
        ("k4/5/5/5/R3K w 0 1", "Rxa5#"),
        ("1k3/5/5/5/R3K w 0 1", "Rb1+ Ra5+ Ra2 pass"),
        ("1k3/5/5/5/1r2K b 0 1", "Rxe1# Rd1+ Rb4 pass+"),
    ],
)
def test_moves_are_written_as_books_have_them(position: str, moves: str) -> None:
    assert {*moves.split()} <= {*GAME.parse(position).moves()}


@pytest.mark.parametrize(
    ("position", "spellings"),
    [
        ("k4/5/N3N/5/N3K w", "N1c2 Na1c2 N1-c2 a1c2 N1c2!?"),
        ("k4/5/N3N/5/N3K w", "Nec2 Ne3c2 e3c2"),
        ("k4/1p3/P4/5/4K w", "axb4+ axb4 ab4 a3b4 a3xb4"),
        ("1k3/4P/5/5/4K w", "e5=R+ e5r e4e5R e4-e5=R 4e5=R"),
        ("1k3/4P/5/5/4K w", "pass pass!"),
    ],
)
def test_a_move_is_read_by_more_or_less_than_it_takes(position: str, spellings: str) -> None:
    state = GAME.parse(position)
    written, *others = spellings.split()
    assert written in list(state.moves())
    assert {state.after(each) for each in others} == {state.after(written)}


@pytest.mark.parametrize(
    ("move", "error", "reason"),
    [
        ("Nc2", AmbiguousMove, "'Nc2' fits Na3c2, Nec2, N1c2 in k4/5/N3N/5/N3K w 0 1"),
        ("Nb2", IllegalMove, "Nb2 is not legal in k4/5/N3N/5/N3K w 0 1"),
        ("Nf6", BadNotation, "'Nf6' is not a move; write one like c3, a5e1, pass"),
        ("Bb2", BadNotation, "write one like"),
        ("c2=K", BadNotation, "write one like"),
    ],
)
def test_a_mistake_in_a_move_is_named(move: str, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        GAME.parse("k4/5/N3N/5/N3K w").after(move)


def test_a_capture_by_a_pawn_needs_its_file() -> None:
    with pytest.raises(IllegalMove):
        GAME.parse("k4/1p3/P4/5/4K w").after("b4")


def test_pieces_are_pointed_at_and_a_pass_is_not() -> None:
    state = GAME.parse("1k3/4P/5/5/4K w")
    first = next_clicks(GAME, state)
    assert (set(first.cells), first.others) == ({"e4", "e1"}, ("pass",))
    assert set(next_clicks(GAME, state, ("e4", "e5")).others) == {"e5=N", "e5=R+"}


def test_moves_are_spelled_by_their_cells() -> None:
    """A page reads them so, by the codes that a Board has."""
    state = GAME.parse("1k3/4P/5/5/4K w")
    board, words = state.rules.notation, np.zeros(3, np.int64)
    spelled = {}
    for move, code in zip(state.moves(), state.moves().codes, strict=True):
        ways = [board.spell(state.view, code, way, words) for way in (0, 1, 2)]
        count = board.spell(state.view, code, 0, words)
        spelled[move] = ("".join(board.vocabulary[n] for n in words[:count]), *ways)
    assert spelled["e5=R+"] == ("e4e5r", 3, 2, -1)
    assert spelled["Kd1"] == ("e1d1", 2, 2, -1)
    assert spelled["pass"] == ("pass", 1, 0, -1)


def test_a_board_that_has_digits_is_refused() -> None:
    with pytest.raises(PluginError, match="no digits"):
        Algebraic(3, 3, {"pieces": "1a"}, sides={"w": "1", "b": "a"})
    with pytest.raises(PluginError, match="as many letters for each side"):
        Algebraic(3, 3, {"pieces": "KQk"}, sides={"w": "KQ", "b": "k"})


# ---- positions -----------------------------------------------------------------------------------

KINDS = {"w": "PRK", "b": "prk"}
FIELDS = Castling("rights"), Cell("passant"), Number("clock", 9), Past("past", "kept", " RK")
BOARD = Algebraic(4, 6, {"pieces": "PRKprk"}, sides=KINDS, naming="chess", tail=FIELDS)
LAYOUT = [
    *BOARD.layout, ("rights", "u8"), ("passant", "i8"), ("clock", "i8"), ("past", "u2", 4),
    ("kept", "i8"),
]  # fmt: skip


def record(text: str) -> Any:
    """The record of a position."""
    s = np.zeros(1, LAYOUT).view(np.recarray)[0]
    BOARD.parse(s, text)
    return s


@pytest.mark.parametrize(
    ("text", "rights"),
    [
        ("r1k2r/6/6/R1K2R w KQkq - 0", [18, 23, 0, 5]),
        ("6/6/6/RR1K1R w KQ - 3", [18, 23]),
        ("6/6/6/RR1K1R w B - 3", [19]),
        ("rk1rr1/6/6/6 b d - 3", [3]),
        ("6/6/2P3/6 b - c1 0", []),
        ("k5/6/5K/6 w - - 4 after e1f1 a4b4 f1f2 b4a4", []),
    ],
)
def test_a_position_reads_back(text: str, rights: list[int]) -> None:
    s = record(text)
    assert BOARD.position_text(s) == text
    assert int(s.rights) == sum(1 << cell for cell in rights)


def test_what_a_position_leaves_out_is_zero_and_a_large_number_counts_as_the_most() -> None:
    assert BOARD.position_text(record("k5/6/6/5K w")) == "k5/6/6/5K w - - 0"
    assert record("k5/6/6/5K w - - 500").clock == 9


@pytest.mark.parametrize(
    ("tail", "reason"),
    [
        ("Q", "'Q' needs its king and its rook at home"),
        ("KK", "'K' needs"),
        ("K-", "'-' needs"),
        ("KF", "'F' needs"),
        ("k", "'k' needs"),
        ("K z9", "'z9' is not a cell"),
        ("K - x", "'x' is not a number .clock."),
        ("K - 0 a1a2", "'a1a2' is not `after` and up to 4 moves"),
        ("K - 0 after a1a2 a1a2 a1a2 a1a2 a1a2", "up to 4 moves"),
        ("K - 0 after f1f2", "cannot be taken back"),
    ],
)
def test_a_mistake_in_a_position_is_named(tail: str, reason: str) -> None:
    with pytest.raises(BadNotation, match=f"is not a position: .*{reason}"):
        record(f"k5/6/6/3K1R b {tail}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("junk", "'junk' is not a board of 4 rows of 6; write one like '6/6/6/6 w'"),
        ("7/6/6/6 w", "'7/6/6/6 w' is not a board of 4 rows of 6"),
        (f"{'9' * 5000}/6/6/6 w", "is not a board of 4 rows of 6"),
        ("\u0663k2/6/6/6 w", "is not a board of 4 rows of 6"),
        ("", "'' is not a board"),
        ("6/6/6/6", "'6/6/6/6' does not say who is to move; write w or b"),
        ("6/6/6/6 x - - 0", "'6/6/6/6 x - - 0' does not say who is to move"),
        ("6/6/q5/6 w", "'q' at a2 in '6/6/q5/6 w' is not a stone"),
    ],
)
def test_a_mistake_in_a_board_is_told_in_the_words_that_were_given(text: str, reason: str) -> None:
    with pytest.raises(BadNotation) as caught:
        record(text)
    assert reason in str(caught.value)
