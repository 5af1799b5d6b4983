"""Boards on which pieces move, with captures, passes, promotions and dice; all reads back."""

from __future__ import annotations

import importlib
import random
import re
import sys
import xml.etree.ElementTree as Xml
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from dragon import TERMINAL, BadNotation, Board, IllegalMove, PluginError, parse_move, perft
from dragon.boards.material import CHESSMEN
from dragon.laws import COMPILED_LAWS, GAME_LAWS
from dragon.rules.record import rules_of

pytestmark = pytest.mark.samples(1)

sys.path.insert(0, str(Path(__file__).parent))
board_games: Any = importlib.import_module("board_games")
REVERSI, BREAKTHROUGH = board_games.Reversi(), board_games.Breakthrough()
PAWNS, DICE, DRAUGHTS = board_games.Pawns(), board_games.Dice(), board_games.Draughts()
GAMES = [REVERSI, BREAKTHROUGH, PAWNS, DICE, DRAUGHTS]
games = pytest.mark.parametrize("game", GAMES, ids=str)


def played(game: Any, count: int, seed: int = 0) -> Iterator[Any]:
    """Give the states of random games, `count` or a few more, the ends among them."""
    dice = random.Random(f"{game} {seed}")
    while count > 0:
        state = game.start()
        while True:
            yield state
            count -= 1
            if state.turn == TERMINAL:
                break
            state = state.after(dice.choice(state.moves()))


def record(board: Board, text: str = "", **more: str) -> Any:
    """A record of zeros, or the position `text`; `more` are fields and their types."""
    made = np.zeros(1, [*board.layout, *more.items()]).view(np.recarray)[0]
    if text:
        board.parse(made, text)
    return made


# ---- the games are right -----------------------------------------------------------------------


@pytest.mark.full
def test_reversi_has_as_many_lines_as_others_count() -> None:
    counts = [perft(REVERSI.start(), depth) for depth in range(1, 9)]
    assert counts == [4, 12, 56, 244, 1396, 8200, 55_092, 390_216]


def test_reversi_passes_and_goes_on() -> None:
    text = "XO....../O......./" + "......../" * 5 + "........ "
    state = REVERSI.parse(text + "O")
    assert list(state.moves()) == ["pass"]
    state = state.after("pass")
    assert str(state) == text + "X passes=1"
    assert list(state.moves()) == ["c1", "a3"]
    state = state.after("c1")
    assert str(state) == "XXX...../O......./" + "......../" * 5 + "........ O"
    last = state.after("pass").after("a3").after("pass").after("pass")
    assert str(last).endswith(" O passes=2")
    assert last.payoff() == (1.0, -1.0)


def steps(text: str, rows: int, columns: int) -> dict[str, str]:
    """The moves of breakthrough in a position, and the position after each, by letters alone."""
    board, mover = text.split()
    lines = board.split("/")
    at = {
        (c, rows - r): lines[r][c]
        for r in range(rows)
        for c in range(columns)
        if lines[r][c] != "."
    }  # by file and rank
    ranks = {piece: {rank for (_, rank), p in at.items() if p == piece} for piece in "WB"}
    if rows in ranks["W"] or 1 in ranks["B"] or not ranks["W"] or not ranks["B"]:
        return {}
    found = {}
    for (c, rank), piece in at.items():
        for side in (-1, 0, 1):
            to = (c + side, rank + (1 if mover == "W" else -1))
            there = at.get(to, ".")
            if piece == mover and 0 <= to[0] < columns and (
                there == "." or (side != 0 and there != mover)
            ):  # fmt: skip
                after = {**at, to: piece}
                del after[c, rank]
                shown = "/".join(
                    "".join(after.get((c, rank), ".") for c in range(columns))
                    for rank in range(rows, 0, -1)
                )
                name = f"{'abcdefgh'[c]}{rank}{'abcdefgh'[to[0]]}{to[1]}"
                found[name] = f"{shown} {'B' if mover == 'W' else 'W'}"
    return found


@pytest.mark.full
@pytest.mark.parametrize(("rows", "columns", "count"), [(5, 4, 600), (4, 3, 600), (8, 8, 200)])
def test_breakthrough_is_what_its_letters_say(rows: int, columns: int, count: int) -> None:
    game = board_games.Breakthrough(rows, columns)
    for state in played(game, count):
        moves = steps(str(state), rows, columns)
        assert {move: str(state.after(move)) for move in state.moves()} == moves


def test_breakthrough_has_as_many_lines_as_its_letters() -> None:
    level, counts = [str(board_games.Breakthrough(4, 3).start())], []
    for _ in range(6):
        level = [after for text in level for after in steps(text, 4, 3).values()]
        counts.append(len(level))
    start = board_games.Breakthrough(4, 3).start()
    assert [perft(start, depth) for depth in range(1, 7)] == counts


def test_a_pawn_becomes_what_one_chooses() -> None:
    state = PAWNS.parse("...p/P.../.p../.... w ply=2")
    assert sorted(state.moves()) == ["a3a4n", "a3a4r"]
    knight = state.after("a3a4n").after("b2b1n")
    assert sorted(knight.moves()) == ["a4", "a4b2", "a4c3"]
    assert str(knight.after("a4")) == "N..p/..../..../.n.. b ply=5"
    assert str(state.after("a3a4n")) == "N..p/..../.p../.... b ply=3"
    assert str(state.after("A3-A4=R")) == "R..p/..../.p../.... b ply=3"
    with pytest.raises(IllegalMove, match=r"a3a4 is not legal in \.\.\.p/"):
        state.after("a3a4")


def test_a_seat_moves_again_while_its_piece_jumps() -> None:
    state = DRAUGHTS.parse("....../..x.../....../..x.../.o..../...... O dull=3")
    state = state.after("e2c4")
    assert str(state) == "....../..x.../...o../....../....../...... O next=16"
    assert state.moves()[:] == ("c4a2",)
    assert str(state.after("c4a2")) == ".O..../....../....../....../....../...... X"
    with pytest.raises(IllegalMove, match=r"nothing is on e2$"):
        state.after("e2d1")


# ---- every law -----------------------------------------------------------------------------------


@pytest.mark.samples("0-law_moves_read_back-pawns", "0-law_*_distinct-pawns")
@games
@pytest.mark.parametrize("law", GAME_LAWS + COMPILED_LAWS, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_every_law_holds(game: Any, law: Any, seed: int) -> None:
    if law.applies(game):
        law(game, seed=seed)


@pytest.mark.full
@games
def test_thousands_of_positions_and_moves_read_back(game: Any) -> None:
    states = set(played(game, 3000))
    for state in states:
        assert game.parse(str(state)) == state
        moves = state.moves()
        assert [state.code(move) for move in moves] == (moves.codes.tolist() if moves else [])
    assert len(states) > 150


# ---- moves as text -----------------------------------------------------------------------------


CHESS = Board(
    8, 8, {"white": "PK", "black": "pk"}, sides={"w": "PK", "b": "pk"}, moving=True,
    promotions="QN", words={"O-O": 20_000, "pass": 20_001}, naming="chess",
    where=lambda row, column: 8 * (7 - row) + column,
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "code", "spellings"),
    [
        ("a2a3", 8 * 64 + 16, ["A2A3", "a2-a3", "a2xa3"]),
        ("h7h8Q", (64 + 55) * 64 + 63, ["h7h8q", "h7h8=q", "H7-H8=Q"]),
        ("a7b8N", (2 * 64 + 48) * 64 + 57, ["a7xb8n"]),
        ("c1", 2 * 65, ["C1", "c1c1"]),
        ("O-O", 20_000, ["o-o"]),
        ("pass", 20_001, ["PASS"]),
    ],
)
def test_moves_have_one_text_and_several_spellings(
    text: str, code: int, spellings: list[str]
) -> None:
    blank = record(CHESS)
    assert CHESS.move_text(blank, code) == text
    assert {CHESS.move_code(blank, each) for each in [text, *spellings]} == {code}


def test_the_ways_of_a_move_are_its_cells() -> None:
    board = evolve(CHESS, words={"d20": 20_000})
    assert board.clicks("h7h8Q") == (("h7", "h8"),)
    assert board.clicks("c1") == (("c1",),)
    assert board.clicks("d20") == ((),)


def test_a_placement_may_be_a_choice_too() -> None:
    board = Board(3, 3, {"stones": "XO"}, promotions="xo")
    blank = record(board)
    assert [board.move_text(blank, code) for code in (4, 13, 22, 27)] == ["b2", "b2x", "b2o", "27"]
    assert [board.move_code(blank, text) for text in ("b2", "b2x", "B2=O")] == [4, 13, 22]
    assert board.clicks("b2x") == (("b2",),)


@pytest.mark.parametrize(
    ("board", "text", "message"),
    [
        (CHESS, "i2i3", "'i2' is not a cell; write a1 to h8"),
        (CHESS, "a2a9", "'a9' is not a cell; write a1 to h8"),
        (CHESS, "a7a8z", "'a7a8z' is not a move; write one like a8h1, a8h1Q, O-O, pass"),
        (CHESS, "Nf3!", "is not a move"),
        (CHESS, "", "is not a move"),
        (Board(2, 2, {"s": "XO"}), "a1a2", "'a1a2' is not a move; write one like a1"),
        (Board(2, 2, {"s": "XO"}), "7", "'7' is not a move"),
    ],
)
def test_what_is_no_move_is_answered(board: Board, text: str, message: str) -> None:
    with pytest.raises(BadNotation) as caught:
        board.move_code(record(board), text)
    assert message in str(caught.value)


def test_an_objection_says_what_is_on_the_board() -> None:
    with pytest.raises(IllegalMove, match=r"W: nothing is on a3$"):
        BREAKTHROUGH.start().after("a3a4")
    with pytest.raises(IllegalMove, match=r"W: B on a4 is not W's$"):
        BREAKTHROUGH.start().after("a4a3")
    with pytest.raises(IllegalMove, match=r"W$"):
        BREAKTHROUGH.start().after("a2a4")
    with pytest.raises(IllegalMove, match=r"^a3 is not legal in [.WB/]* W$"):
        BREAKTHROUGH.start().after("a3")
    with pytest.raises(IllegalMove, match=r"X: the cell is taken$"):
        REVERSI.start().after("d4")
    for move in ("a1", "pass"):
        with pytest.raises(IllegalMove, match=rf"^{move} is not legal in [.XO/]* X$"):
            REVERSI.start().after(move)


@games
def test_objections_are_true(game: Any) -> None:
    board: Any = rules_of(game).notation
    cells = [board.name(r, c) for r in range(board.rows) for c in range(board.columns)]
    sides, said = board.sides or {"W": "W", "B": "B", "X": "X", "O": "O"}, set()
    for state in list(played(game, 200))[::20]:
        text = str(state)
        rows, mover, *_ = text.split()
        at = dict(zip(cells, rows.replace("/", ""), strict=True))
        legal = set(state.moves())
        for move in map("".join, product(cells, cells) if board.moving else zip(cells)):
            first = move[:2]
            objection = board.objection(state.record, board.move_code(state.view, move), move, text)
            assert objection.startswith(f"{move} is not legal in {text}")
            reason = objection.removeprefix(f"{move} is not legal in {text}")
            said.add(reason.replace(first, "?"))
            if reason == f": nothing is on {first}":
                assert at[first] == "."
            elif reason.endswith(f" on {first} is not {mover}'s"):
                assert reason[2] == at[first]
                assert at[first] not in sides[mover]
            elif reason:
                assert (reason, at[first] != ".") == (": the cell is taken", True)
            assert not reason or move not in legal
    assert len(said) > 1


# ---- positions as text -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        (PAWNS, "..../..../.... w", "is not a board of 4 rows of 4; write one like '..../"),
        (PAWNS, "", "is not a board of 4 rows of 4"),
        (PAWNS, "...q/..../..../.... w", "'q' at d4 in '...q/..../..../.... w' is not a stone"),
        (PAWNS, "..../..../..../....", "does not say who is to move; write w or b after the board"),
        (PAWNS, "..../..../..../.... P", "does not say who is to move"),
        (PAWNS, "..../..../..../.... w 3", "'3' in '..../..../..../.... w 3' is not field=number"),
        (PAWNS, "..../..../..../.... w taken=3", "is not field=number (fields: ply)"),
        (PAWNS, "..../..../..../.... w white=3", "is not field=number (fields: ply)"),
        (PAWNS, "..../..../..../.... w ply=3", "says w, but its ply is b's"),
        (PAWNS, "..../..../..../.... w ply=x", "'ply=x' in "),
        (REVERSI, "/".join(["........"] * 8) + " X seat=1", "says X, but its seat is O's"),
    ],
)
def test_what_is_no_position_is_answered(game: Any, text: str, message: str) -> None:
    with pytest.raises(BadNotation) as caught:
        game.parse(text)
    assert message in str(caught.value)


def test_nothing_of_the_first_position_is_left() -> None:
    text = "......../" * 7 + "XXXXXXXO O passes=2"
    assert str(REVERSI.parse(text)) == text
    assert REVERSI.parse(text.replace(" passes=2", "")).record.passes == 0


def test_fields_are_written_unless_they_are_settled() -> None:
    state = PAWNS.start().after("a2b3")
    board: Any = rules_of(PAWNS).notation
    assert "taken" not in str(state)
    assert PAWNS.parse(str(state)).record.taken == state.record.taken
    bare = evolve(board, settled=(), settle=None)
    again = record(bare, bare.position_text(state.record), taken="u8")
    assert bare.position_text(state.record).split()[2] == f"taken={state.record.taken}"
    assert again.taken == state.record.taken
    unsettled = record(evolve(board, settle=None), str(state), taken="u8")
    assert unsettled.taken == 0


def test_other_fields_may_be_arrays() -> None:
    board = Board(2, 2, {"s": "XO"})
    made = record(board, rights="(2, 2)i1", last="i8")
    for text in ("X./.. O rights=1,0,1,0", "X./.. X rights=0,0,-1,0 last=3", "../.. O"):
        board.parse(made, text)  # nothing is left of the text before
        assert board.position_text(made) == text


def test_settle_is_called_last_and_finds_what_setup_wrote() -> None:
    found = []

    def settle(s: Any) -> None:
        found.append((int(s.s[0]), int(s.seat), int(s.last), int(s["sum"])))
        s["sum"] = s.last + 1

    board = Board(2, 2, {"s": "XO"}, settled=("sum",), settle=settle)
    made = record(board, last="i8", sum="i8")
    made["sum"] = 7
    board.parse(made, ".X/.. O last=5")
    assert found == [(2, 1, 5, 7)]
    assert made["sum"] == 6
    assert board.position_text(made) == ".X/.. O last=5"


@pytest.mark.parametrize("rows", [3, 9])
def test_large_boards_and_gaps_between_bits_read_back(rows: int) -> None:
    stones = {"one": "X", "two": "oO", "walls": "#"}
    board = Board(rows, 9, stones, sides={"a": "X", "b": "oO"}, where=lambda r, c: 10 * r + c)
    assert board.span == 10 * rows - 1
    dice = random.Random(rows)
    for _ in range(50):
        text = "/".join("".join(dice.choices(".XoO#", k=9)) for _ in range(rows)) + " b"
        assert board.position_text(record(board, text)) == text


def test_three_sides_take_turns_by_plies() -> None:
    board = Board(1, 3, {"stones": "XYZ"}, mover="ply")
    for ply, text in enumerate(["X", "Y", "Z", "X ply=3", "Y ply=4"]):
        made = record(board, f"X.Z {text}")
        assert made.ply == ply
        assert board.position_text(made) == f"X.Z {text}"
    assert board.seat_names == ("Black", "White", "Red")


# ---- pictures ----------------------------------------------------------------------------------


def test_a_picture_has_the_names_of_chess() -> None:
    assert BREAKTHROUGH.start().picture() == (
        "   a b c d\n5  B B B B\n4  B B B B\n3  . . . .\n2  W W W W\n1  W W W W"
    )
    leaning = Board(2, 2, {"s": "XO"}, slant=True)
    made = record(leaning, "XO/.X O")
    assert leaning.picture(made) == "   1 2\na  X O\n b  . X"
    assert leaning.svg(made).count("f-maple s-oak") == 4
    tall = Board(10, 1, {"s": "XO"}, naming="columns")
    lines = tall.picture(record(tall)).splitlines()
    assert lines[0::9] == ["    a", " 9  ."]
    assert lines[10] == "10  ."


def drawn(board: Board, text: str) -> dict[str, Any]:
    """The cells of the SVG of a position, by name."""
    root = Xml.fromstring(board.svg(record(board, text)))
    return {e.attrib["data-cell"]: e for e in root if "data-cell" in e.attrib}


def test_pieces_are_drawn_in_their_colours_with_their_letters() -> None:
    walled = Board(
        2, 2, {"white": "KQ", "black": "kq", "walls": "#"}, sides={"w": "KQ", "b": "kq"},
        colours=("White", "Black"), naming="chess",
    )  # fmt: skip
    cells = drawn(walled, "Kq/#. w")
    said = {name: cell.attrib["aria-label"] for name, cell in cells.items()}
    assert said == {"a2": "white K", "b2": "black q", "a1": "neutral #", "b1": "empty"}
    discs = {name: materials(cell) & {"f-ivory", "f-ebony", "f-amber"}
             for name, cell in cells.items()}  # fmt: skip
    assert [cells[name][-1].text for name in ("a2", "b2", "a1")] == ["K", "q", "#"]
    assert discs == {"a2": {"f-ivory"}, "b2": {"f-ebony", "f-ivory"}, "a1": {"f-amber"},
                     "b1": set()}, "a letter on black is of ivory"  # fmt: skip


def materials(cell: Any) -> set[str]:
    return {name for shape in cell.iter() for name in shape.attrib.get("class", "").split()}


def test_kinds_of_pieces_are_declared_by_their_letters() -> None:
    made = Board(
        2, 2, {"white": "KQ", "black": "kq"}, sides={"w": "KQ", "b": "kq"}, moving=True,
        colours=("White", "Black"), pieces={"K": "king", "Q": "queen", "q": "7"},
    )  # fmt: skip
    cells = drawn(made, "Kq/k. w")
    paths = {name: [shape.attrib["d"] for shape in cell if "d" in shape.attrib]
             for name, cell in cells.items()}  # fmt: skip
    assert paths["a1"] == paths["b1"], "the capital's kind is that of both sides"
    assert paths["a1"][0] == CHESSMEN["king"][0]
    assert paths["a2"] == []
    assert cells["a2"][-1].text == "7", "a short text stands on the usual piece"
    with pytest.raises(PluginError, match="pieces are castle; take some of stone, disc"):
        Board(2, 2, {"s": "XO"}, pieces={"": "castle"})
    with pytest.raises(PluginError, match="surface is 'water'; write one of checkered, felt"):
        Board(2, 2, {"s": "XO"}, surface="water")


def test_two_cells_of_a_domino_are_one_piece() -> None:
    made = Board(4, 2, {"s": "VH"}, pieces={"V": "upright", "H": "lying"})
    cells = drawn(made, "V./V./VH/V. V")
    assert [name for name, cell in cells.items() if len(cell) > 1] == ["a1", "c1", "c2"]


def test_stones_of_one_kind_have_no_letters() -> None:
    cells = drawn(Board(1, 3, {"s": "XO", "w": "#"}, sides={"X": "X", "O": "O"}), "XO# X")
    assert not [shape for cell in cells.values() for shape in cell if shape.text]
    said = [cell.attrib["aria-label"] for cell in cells.values()]
    assert said == ["black", "white", "neutral"]
    assert rules_of(BREAKTHROUGH).notation.seat_names == ("White", "Black")


# ---- mistakes of an author ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"sides": {"w": "X", "b": "Z"}}, "each must be one of its stones ('XO')"),
        ({"sides": {"w": "X", "b": "X"}}, "belong to one side"),
        ({"promotions": "q1"}, "promotions of a board are 'q1'; write different letters"),
        ({"promotions": "qQ"}, "promotions of a board are 'qQ'"),
        ({"words": {"pass": 3}}, "'pass' of a board has the code 3 of a move between cells; take "
         "one from 4 on"),
        ({"words": {"pass": 15}, "moving": True}, "take one from 16 on"),
        ({"words": {"pass": 47}, "moving": True, "promotions": "qn"}, "take one from 48 on"),
        ({"colours": ("Green", "Blue")}, "colours of a board are Green, Blue; write one of Black, "
         "White, Red, Blue, Yellow for each of its 2 sides"),
        ({"colours": ("Red",)}, "colours of a board are Red; write one of"),
        ({"rows": 0}, "a board has 0 rows and 2 columns; write whole numbers from 1 on"),
        ({"columns": 2.5}, "a board has 2 rows and 2.5 columns; write whole numbers"),
        ({"rows": 27}, "with the naming 'rows' it can have 26 and 99; make it smaller"),
        ({"columns": 120}, "a board has 2 rows and 120 columns, and with the naming 'rows'"),
        ({"columns": 27, "naming": "chess"}, "with the naming 'chess' it can have 99 and 26"),
        ({"stones": {}}, "the stones of a board are {}; write a field and its letters"),
        ({"stones": {"x": "X", "o": ""}}, "write a field and its letters"),
        ({"stones": {"stones": "X\t"}}, "must differ from one another, from '.', '/' and a space"),
        ({"where": lambda r, c: r}, "`where` of a board gives a1 and a2 the same bit, 0"),
        ({"where": lambda r, c: r + c - 1}, "`where` of a board gives a1 the bit -1; give it one"),
        ({"where": lambda r, c: r + c << 40}, "gives a2 the bit 1099511627776; give it one from 0"),
        ({"words": {"b2": 4}}, "'b2' of a board is one of `words`, and the text of a move between"),
        ({"words": {"A1-b2": 16}, "moving": True}, "'A1-b2' of a board is one of `words`, and the"),
        ({"words": {"no move": 4}}, "'no move' of a board is a side or one of `words`, and has a"),
        ({"sides": {"": "XO"}}, "'' of a board is a side or one of `words`, and has a space"),
        ({"mover": "stones"}, "stones, mover and settled in the fields stones, stones; each must"),
    ],
)  # fmt: skip
def test_a_board_names_what_is_wrong_with_it(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(PluginError) as caught:
        Board(**{"rows": 2, "columns": 2, "stones": {"stones": "XO"}, **wrong})
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("rows", "columns", "naming"), [(26, 99, "rows"), (99, 26, "chess")])
def test_the_largest_boards_read_back(rows: int, columns: int, naming: str) -> None:
    board = Board(rows, columns, {"stones": "XO"}, naming=naming)
    corner = board.move_code(None, "z99")
    assert corner == (99 * 26 - 1 if naming == "rows" else 25)
    assert board.move_text(None, corner) == "z99"


def test_floats_read_back() -> None:
    board = Board(1, 2, {"stones": "XO"})
    for number in (0.1, -2.5e-300, 1e300, float("inf"), -0.0, 3.0):
        s = record(board, sums="f8", shares="(2,)f4")
        s.sums, s.shares[1] = number, np.float32(0.1)
        read = record(board, board.position_text(s), sums="f8", shares="(2,)f4")
        assert read.tobytes() == s.tobytes()
    s = record(board, "X. O sums=0.25", sums="f8")
    assert board.position_text(s) == "X. O sums=0.25"


def test_a_field_too_small_for_the_board_is_told_of() -> None:
    s = np.zeros(1, Board(8, 8, {"stones": "XO"}).layout).view(np.recarray)[0]
    board = Board(9, 9, {"stones": "XO"})
    for work in (board.position_text, lambda s: board.parse(s, "/".join(["X........"] * 9) + " O")):
        with pytest.raises(PluginError, match="'stones' of the record has 2 words of 64 bits, and "
                           "the board needs 4"):  # fmt: skip
            work(s)


def test_the_cells_of_a_board_are_asked_once() -> None:
    asked: list[tuple[int, int]] = []

    def where(row: int, column: int) -> int:
        asked.append((row, column))
        return 3 * row + column

    board = Board(2, 3, {"stones": "XO"}, where=where)
    board.position_text(record(board, "XO./..X O"))
    assert board.move_text(None, board.move_code(None, "b3")) == "b3"
    assert asked == [*product(range(2), range(3))]


def test_a_record_without_the_fields_of_its_board_is_told_of() -> None:
    for wrong, missing in (({"mover": "turn"}, "turn"), ({"settled": ("key",)}, "key")):
        board = Board(2, 2, {"stones": "XO"}, **wrong)
        blank = np.zeros(1, Board(2, 2, {"stones": "XO"}).layout).view(np.recarray)[0]
        with pytest.raises(PluginError, match=f"a field '{missing}', which the record does not"):
            board.position_text(blank)


def test_spelling_is_free_at_the_command_line() -> None:
    assert parse_move(BREAKTHROUGH.start(), " A2-A3 ") == "a2a3"


def test_a_board_of_lines_has_cells_where_they_meet_alone() -> None:
    board = Board(3, 3, {"stones": "XO"}, naming="chess", moving=True,
                  lines=(((0, 0), (0, 2)), ((0, 2), (2, 2))))  # fmt: skip
    s = record(board, "X.O/.../... X")
    assert board.picture(s) == "   a b c\n3  X   O\n2\n1      ."
    assert board.move_text(s, board.move_code(s, "a3c1")) == "a3c1"
    with pytest.raises(BadNotation, match="'b3' is not a cell"):
        board.move_code(s, "b3c3")
    with pytest.raises(BadNotation, match="stones are on points"):
        record(board, ".X./.../... X")
    svg = board.svg(s)
    assert 'd="M38 38L118 38M118 38L118 118"' in svg
    assert re.findall('data-cell="(..)" aria-label="(.*?)"', svg) == [
        ("a3", "black"), ("c3", "white"), ("c1", "empty")
    ]  # fmt: skip
    with pytest.raises(PluginError, match="neither slant nor symmetries"):
        Board(3, 3, {"stones": "XO"}, lines=(((0, 0), (0, 3)),))
