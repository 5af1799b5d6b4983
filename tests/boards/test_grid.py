"""Grids: positions and moves read back, every mistake is answered, and pictures."""

from __future__ import annotations

import xml.etree.ElementTree as Xml
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import dragon
from dragon import BadNotation, Grid, IllegalMove, PluginError
from dragon.boards.drawing import Drawing, cell_name
from dragon.boards.material import SIDES
from dragon.laws import states

GAMES = [dragon.game(spec) for spec in ("tictactoe", "connect4", "hex(size=5)", "hex(size=9)")]


@pytest.mark.samples("tictactoe", "connect4")
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_positions_read_back(game: Any) -> None:
    @given(states(game))
    @settings(max_examples=25)
    def check(state: Any) -> None:
        text = str(state)
        assert game.parse(text) == state
        assert game.parse(text[:-2]) == state, "the side to move may be left out"

    check()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("X", "'X' is not a board of 3 rows of 3; write one like '.../.../... X'"),
        ("..../.../...", "is not a board of 3 rows of 3"),
        (".Z./.../... X", r"'Z' at a2 in '.Z./.../... X' is not a stone (X, O or .)"),
        ("XXX/.../... X", "cannot arise: it has 3 X, 0 O, and sides move in turn"),
        ("O../.../... X", "cannot arise: it has 0 X, 1 O"),
        ("X../.../... X", "it is O's turn, not 'X'"),
        ("", "is not a board"),
    ],
)
def test_bad_positions_are_answered(text: str, message: str) -> None:
    with pytest.raises(BadNotation) as caught:
        dragon.game("tictactoe").parse(text)
    assert message in str(caught.value)


def test_a_stone_cannot_hang_in_the_air() -> None:
    with pytest.raises(BadNotation, match="cannot arise: nothing is under e4"):
        dragon.game("connect4").parse("......./" * 4 + "...X.../....... O")


@pytest.mark.parametrize("text", ["0", "8", "a1", "", "-1", "01", "²", "1 "])
def test_columns_are_numbers(text: str) -> None:
    start: Any = dragon.game("connect4").start()
    with pytest.raises(BadNotation, match="is not a column; write 1 to 7"):
        start.after(text)


@pytest.mark.parametrize("text", ["", "a", "1a", "a0", "a4", "d1", "a01", "a1 ", "é1", "a²"])
def test_cells_are_a_letter_and_a_number(text: str) -> None:
    start: Any = dragon.game("tictactoe").start()
    with pytest.raises(BadNotation, match="is not a cell; write a1 to c3"):
        start.after(text)


def test_a_full_column_is_told() -> None:
    state: Any = dragon.game("connect4").start()
    for _ in range(6):
        state = state.after("4")
    with pytest.raises(IllegalMove, match="the column is full"):
        state.after("4")


@pytest.mark.parametrize("by_column", [False, True])
def test_only_what_is_taken_is_called_taken(by_column: bool) -> None:
    grid = Grid(2, 2, {"s": "XO"}, by_column=by_column)
    record = np.zeros(1, grid.layout).view(np.recarray)[0]
    grid.parse(record, "../X. O" if by_column else "X./.. O")
    position = grid.position_text(record)
    free = grid.objection(record, 0 if by_column else 1, "it", position)
    assert free == f"it is not legal in {position}"
    grid.parse(record, "O./X. X")
    taken = "column is full" if by_column else "cell is taken"
    assert grid.objection(record, 0, "it", "here") == f"it is not legal in here: the {taken}"


def test_a_grid_forgets_the_stones_that_setup_left() -> None:
    grid = Grid(2, 2, {"s": "XO"})
    record = np.zeros(1, grid.layout).view(np.recarray)[0]
    grid.parse(record, "XO/.. X")
    grid.parse(record, "../.X O")
    assert grid.position_text(record) == "../.X O"


@pytest.mark.parametrize(
    ("naming", "names", "down"),
    [("rows", ["a1", "a3", "b1"], "ab"), ("columns", ["a1", "c1", "a2"], "12"),
     ("chess", ["a2", "c2", "a1"], "21")],
)  # fmt: skip
def test_cells_have_the_names_that_the_board_asks_for(
    naming: str, names: list[str], down: str
) -> None:
    grid = Grid(2, 3, {"s": "XO"}, naming=naming)
    record = np.zeros(1, grid.layout).view(np.recarray)[0]
    assert [grid.move_text(record, code) for code in (0, 2, 3)] == names
    assert [grid.move_code(record, name.upper()) for name in names] == [0, 2, 3]
    grid.parse(record, ".O./X.. X")
    head, *rows = grid.picture(record).splitlines()
    assert "".join(head.split()) == ("123" if naming == "rows" else "abc")
    assert [row[0] for row in rows] == list(down)
    root = Xml.fromstring(grid.svg(record))
    shown = {e.attrib["data-cell"]: e.attrib["aria-label"] for e in root if "data-cell" in e.attrib}
    assert list(shown) == [grid.name(r, c) for r in range(2) for c in range(3)]
    assert (shown[grid.name(0, 1)], shown[grid.name(1, 0)]) == ("white", "black")
    with pytest.raises(BadNotation, match="write a1 to " + ("b3" if naming == "rows" else "c2")):
        grid.move_code(record, "d4")


def test_a_board_names_what_is_wrong_with_it() -> None:
    with pytest.raises(PluginError, match="naming is 'go'; write one of rows, columns, chess"):
        Grid(2, 2, {"s": "XO"}, naming="go")
    for letters in ("XX", "X.", "X/", "X "):
        with pytest.raises(PluginError, match="must differ from one another"):
            Grid(2, 2, {"s": letters})


def test_a_grid_names_what_is_wrong_with_it() -> None:
    with pytest.raises(PluginError, match=r"edges of a grid are 'XY'; write two of its letters"):
        Grid(2, 2, {"s": "XO"}, slant=True, edges="XY")
    with pytest.raises(PluginError, match="which cannot hold stones too"):
        Grid(2, 2, {"ply": "XO"})


def test_layouts_follow_the_board() -> None:
    assert Grid(8, 8, {"x": "X", "o": "O"}).layout == [("x", "u8"), ("o", "u8"), ("ply", "i8")]
    assert Grid(9, 9, {"x": "X"}).layout == [("x", "u8", (2,)), ("ply", "i8")]
    assert Grid(19, 19, {"s": "XO"}).layout == [("s", "u8", (2, 6)), ("ply", "i8")]
    where = Grid(6, 7, {"s": "XO"}, where=lambda row, column: 7 * column + 5 - row)
    assert where.layout == [("s", "u8", (2,)), ("ply", "i8")]


@pytest.mark.parametrize("stones", [{"x": "X", "o": "O"}, {"s": "XO"}, {"s": "XOZ"}])
@pytest.mark.parametrize("size", [3, 9])
def test_every_form_of_record_reads_back(stones: dict[str, str], size: int) -> None:
    grid = Grid(size, size, stones)
    record = np.zeros(1, grid.layout).view(np.recarray)[0]
    letters = "".join(stones.values())
    cells = [letters[i % len(letters)] if i % 9 < 2 * len(letters) else "." for i in range(size**2)]
    while [cells.count(x) for x in letters] != [cells.count(letters[0])] * len(letters):
        cells[max(i for i, x in enumerate(cells) if x != ".")] = "."
    text = "/".join("".join(cells[r * size : (r + 1) * size]) for r in range(size))
    grid.parse(record, f"{text} {letters[0]}")
    assert grid.position_text(record) == f"{text} {letters[0]}"
    assert record.ply == sum(x != "." for x in cells)


def test_pictures() -> None:
    state: Any = dragon.game("tictactoe").parse("X.O/.X./... O")
    assert state.picture() == "   1 2 3\na  X . O\nb  . X .\nc  . . ."
    leaning: Any = dragon.game("hex(size=2)").parse("XO/X. O")
    assert leaning.picture() == "   1 2\na  X O\n b  X ."
    column: Any = dragon.game("connect4").parse("......./" * 5 + "X...... O")
    assert column.picture().splitlines()[::6] == ["   1 2 3 4 5 6 7", "   X . . . . . ."]


@pytest.mark.samples("tictactoe", "connect4")
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_svg_is_well_formed_and_shows_every_stone(game: Any) -> None:
    state = game.start()
    for _ in range(3):
        state = state.after(state.moves()[0])
    root = Xml.fromstring(state.svg())
    discs = [e.attrib.get("class", "").split() for e in root.iter() if e.tag.endswith("circle")]
    for name, count in zip(state.rules.notation.seat_names, (2, 1), strict=True):
        side = SIDES[("Black", "White", "Red", "Blue", "Yellow").index(name)]
        assert sum(f"f-{side}" in names for names in discs) == count


def test_hex_shows_whose_edges_are_whose() -> None:
    board: Any = dragon.game("hex(size=3)").start().after("b2")
    root = Xml.fromstring(board.svg())
    bands = {e.attrib["class"]: e for e in root if "stroke-width" in e.attrib}
    assert [*bands][1:] == ["s-ivory-edge", "s-ivory", "s-faint", "s-ebony"]
    upper, lower = bands["s-ebony"].attrib["d"].split("M")[1:]
    cells = {e.attrib["data-cell"]: e for e in root if "data-cell" in e.attrib}
    middle = float(cells["b2"].attrib["transform"][:-1].split(",")[1])
    heights = [[float(p.split()[1]) for p in part.split("L")] for part in (upper, lower)]
    assert max(heights[0]) < middle < min(heights[1])  # the first joins the top to the bottom
    assert cells["b2"].attrib["aria-label"] == "black"
    assert cells["a1"].attrib["aria-label"] == "empty"
    columns: Any = dragon.game("connect4").start().after("4")
    said = {e.attrib["data-cell"]: e.attrib["aria-label"]
            for e in Xml.fromstring(columns.svg()) if "data-cell" in e.attrib}  # fmt: skip
    assert (said["4"], said["5"]) == ("1 of 6 stones", "0 of 6 stones")


@pytest.mark.parametrize(
    ("board", "way", "cells"),
    [
        ("XO./OX./.OX", {"in_line": 3}, ["a1", "b2", "c3"]),
        ("XXO/XO./O.X", {"in_line": 3}, ["a3", "b2", "c1"]),
        ("XXO/XO./.OX", {"in_line": 3}, []),
        (".X./.X./XO.", {"edges": (0, 1)}, ["a2", "b2", "c1"]),
        ("..O/OO./XXX", {"edges": (0, 1)}, ["b1", "b2", "a3"]),
        ("XX./..X/XX.", {"edges": (0, 1)}, []),
    ],
)  # fmt: skip
def test_what_has_won_is_a_line_or_a_chain(board: str, way: Any, cells: list[str]) -> None:
    sides = [[None if x == "." else "XO".index(x) for x in row] for row in board.split("/")]
    drawing = Drawing(sides, "hexes" if "edges" in way else "wood", **way)
    assert [cell_name(*cell) for cell in drawing.chain()] == cells
    assert ('pathLength="1"' in drawing.svg()) == bool(cells)


def test_cell_names() -> None:
    assert [cell_name(0, 0), cell_name(18, 18)] == ["a1", "s19"]
