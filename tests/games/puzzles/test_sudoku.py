"""Sudoku grids as people post them, and their answers, against a plain search."""

from __future__ import annotations

import json
import random
from itertools import islice, product
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
from dragon import BadNotation, ConfigError, Limit
from dragon.cli import main
from dragon_puzzles.sudoku import BOXES, Grid, drawn, grids, mistake_in, solve, units

ESCARGOT = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
SDK = """#A nobody
#D a puzzle for a test
[Puzzle]
1....7.9.
.3..2...8
..96..5..
..53..9..
.1..8...2
6....4...
3......1.
.4......7
..7...3..
[State]
162857493
"""


def pattern(side: int, seed: int) -> str:
    """A filled grid, its symbols and its rows inside boxes exchanged at random."""
    high, wide = BOXES[side]
    luck = random.Random(seed)
    marks = [*Grid("." * side**2).symbols]
    luck.shuffle(marks)
    rows = [
        band * high + row for band in range(side // high) for row in luck.sample(range(high), high)
    ]
    return "".join(marks[(row % high * wide + row // high + col) % side]
                   for row in rows for col in range(side))  # fmt: skip


def ways(cells: str, most: int = 2) -> list[str]:
    """Return the filled grids, found cell by cell."""
    if "." not in cells:
        return [cells]
    side = Grid(cells).side
    at = cells.index(".")
    places = [*product(range(side), repeat=2)]
    own = set(units(places[at], side))
    taken = {cells[i] for i, place in enumerate(places) if own & set(units(place, side))}
    found: list[str] = []
    for mark in Grid(cells).symbols:
        if mark not in taken and len(found) < most:
            found += ways(cells[:at] + mark + cells[at + 1 :], most - len(found))
    return found


@pytest.mark.parametrize("side", BOXES)
def test_a_filled_grid_has_each_symbol_once_everywhere(side: int) -> None:
    cells = pattern(side, 1)
    assert not mistake_in(Grid(cells))
    groups: dict[object, str] = {}
    for place, mark in zip(product(range(side), repeat=2), cells, strict=True):
        for unit in units(place, side):
            groups[unit] = groups.get(unit, "") + mark
    assert len(groups) == 3 * side
    assert {"".join(sorted(group)) for group in groups.values()} == {
        "".join(sorted(Grid(cells).symbols))
    }


@settings(max_examples=40)
@given(st.sampled_from([4, 6]), st.integers(0, 99), st.data())
def test_answers_are_those_of_a_plain_search(side: int, seed: int, data: st.DataObject) -> None:
    cells = [*pattern(side, seed)]
    for at in data.draw(st.sets(st.integers(0, side**2 - 1), min_size=side)):
        cells[at] = "."
    if data.draw(st.booleans()):  # perhaps without a solution
        cells[data.draw(st.integers(0, side**2 - 1))] = data.draw(st.sampled_from("1234"))
    grid = Grid("".join(cells))
    found = solve(grid)
    if mistake_in(grid):
        assert found.verdict == "mistake"
        return
    known = ways(grid.cells)
    assert found.verdict == ("none", "unique", "several")[len(known)]
    for each in found.solutions:
        assert not mistake_in(each)
        assert all(clue in (".", mark) for clue, mark in zip(grid.cells, each.cells, strict=True))
    assert len({*found.solutions}) == len(known)


@pytest.mark.parametrize("side", [12, 16, 25])
def test_large_grids_are_filled(side: int) -> None:
    whole = pattern(side, 3)
    luck = random.Random(side)
    cells = "".join(mark if luck.random() < 0.7 else "." for mark in whole)
    found = solve(Grid(cells))
    assert whole in [grid.cells for grid in found.solutions] or found.verdict == "several"
    assert found.verdict != "none"


def posted(cells: str) -> list[str]:
    """Return a grid of 16 rows as people post it."""
    rows = [cells[i : i + 16] for i in range(0, 256, 16)]
    numbers = [[str(int(mark, 17)) if mark != "." else "0" for mark in row] for row in rows]
    boxed = "\n----+----+----+----\n".join(
        "\n".join("|".join(row[k : k + 4] for k in range(0, 16, 4)) for row in rows[i : i + 4])
        for i in range(0, 16, 4)
    )
    return [
        cells, "\n".join(rows), boxed, "\n".join(map(" ".join, rows)), drawn(Grid(cells)),
        "\n".join(map(" ".join, numbers)), "\n".join(map(",".join, numbers)),
        "\n".join(",".join(row).replace(".", "") for row in rows), cells.lower(),
    ]  # fmt: skip


def test_grids_of_16_rows_are_read_as_people_post_them() -> None:
    luck = random.Random(16)
    cells = "".join(mark if luck.random() < 0.5 else "." for mark in pattern(16, 2))
    for text in posted(cells):
        assert [*grids(text)] == [Grid(cells)], text
        assert dragon.game({"name": "sudoku", "grid": text}).grid == cells


def test_symbols_of_16_rows_may_be_hexadecimal_or_letters() -> None:
    whole = pattern(16, 5)
    for symbols in ("0123456789ABCDEF", "ABCDEFGHIJKLMNOP"):
        cells = whole.translate(str.maketrans("123456789ABCDEFG", symbols))
        text = "." + cells[1:]
        (grid,) = grids(text)
        assert grid.symbols == symbols
        assert [each.cells for each in solve(grid).solutions] == [cells]


@pytest.mark.parametrize(("text", "lines"), [
    (SDK, [4]), (f"{ESCARGOT}\n{ESCARGOT}  # again\n\n:0000:x:{ESCARGOT}:\n", [1, 2, 4]),
    (f"Grid 01\n{SDK[SDK.index('1....'):SDK.index('[State')]}Grid 02\n{ESCARGOT}", [2, 12]),
    (f"puzzle,solution\n{ESCARGOT},{solve(Grid(ESCARGOT)).solutions[0].cells}\n", [2]),
    ("\n".join(ESCARGOT[i : i + 9].replace(".", " ") for i in range(0, 81, 9)), [1]),
    ("\n".join(",".join(ESCARGOT[i : i + 9]).replace(".", "") for i in range(0, 81, 9)), [1]),
    (f"board = {[[*map(int, ESCARGOT[i : i + 9].replace('.', '0'))] for i in range(0, 81, 9)]}"
     .replace("], ", "],\n"), [1]),
    ("\n".join("\t".join(ESCARGOT[i : i + 9]).replace(".", "") for i in range(0, 81, 9)), [1]),
    ("\n".join(f"| {' | '.join(ESCARGOT[i : i + 9])} |".replace(".", " ")
               for i in range(0, 81, 9)), [1]),
    (f"\ufeff{drawn(Grid(ESCARGOT))}\n", [1]),
])  # fmt: skip
def test_files_of_grids(text: str, lines: list[int]) -> None:
    found = [*grids(text)]
    assert [grid.line for grid in found] == lines
    assert {grid.cells for grid in found} == {ESCARGOT}


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from([9, 16, 25]), st.integers(0, 9)), max_size=4),
       st.booleans())  # fmt: skip
def test_what_is_written_reads_back(asked: list[tuple[int, int]], drawing: bool) -> None:
    whole = [Grid(pattern(side, seed)) for side, seed in asked]
    text = "\n\n".join(drawn(grid) if drawing else grid.cells for grid in whole)
    assert [*grids(text)] == whole


@pytest.mark.full
@settings(max_examples=150)
@given(st.sampled_from([ESCARGOT, SDK, drawn(Grid(ESCARGOT))]), st.integers(0, 300),
       st.text("x!3.", min_size=1, max_size=4) | st.text("x!\n") | st.text(max_size=9))  # fmt: skip
def test_garbage_in_a_grid_is_told_or_changes_nothing(text: str, at: int, garbage: str) -> None:
    broken = text[: at % len(text)] + garbage + text[at % len(text) :]
    try:
        found = [grid.cells for grid in grids(broken)]
    except BadNotation as wrong:
        assert str(wrong).startswith("line ")  # noqa: PT017
        return
    assert found in ([], [ESCARGOT])  # the command says that there is none


@pytest.mark.parametrize(("text", "why"), [
    (ESCARGOT[:-1], "line 1: it has 80 cells, which is not a row of a grid"),
    (f"\n{ESCARGOT[:20]}x{ESCARGOT[21:]}", "line 2: column 21: 'x' is not a cell"),
    ("\n".join(["123456789"] * 3 + ["1234"]),
     "line 4: it has 4 cells, and the grid that begins on "
     "line 1 has 3 of 9 rows"),
    ("x23456789\n" + "123456789\n" * 8,
     "line 10: the text ends, and the grid that begins on line 2 "
     r"has 8 of 9 rows \(line 1, 'x23456789', is not a row\)"),
    (f"{ESCARGOT}\n..", "line 2: it has 2 cells, which is not a row of a grid"),
    ("........ 1\n1x.......", "line 2: column 2: 'x' is not a cell"),
])  # fmt: skip
def test_what_is_not_a_grid_is_told_with_its_line(text: str, why: str) -> None:
    with pytest.raises(BadNotation, match=why):
        [*grids(text)]


def test_a_grid_of_a_file_is_a_game(tmp_path: Path) -> None:
    file = tmp_path / "many.sdm"
    file.write_text(f"{81 * '.'}\n{ESCARGOT}\n11{79 * '.'}\n")
    game = dragon.game({"name": "sudoku", "file": str(file), "number": 2})
    assert game.draw(game.start()) == drawn(Grid(ESCARGOT))
    for number, why in ((4, "has no grid 4; grids found there: 3"), (3, "line 3: the grid has a")):
        with pytest.raises(ConfigError, match=why):
            dragon.game({"name": "sudoku", "file": str(file), "number": number}).start()


def test_the_command_fills_grids_and_says_whether_there_is_another_way(tmp_path: Path) -> None:
    file = tmp_path / "many.sdm"
    file.write_text(f"{ESCARGOT}\n{81 * '.'}\n55{79 * '.'}\n.23456789{'1' + 71 * '.'}\n")
    run = CliRunner().invoke(main, ["sudoku", str(file)])
    said = [line.partition("# ")[2] for line in run.stdout.splitlines()]
    assert said[0] == "1: unique"
    assert said[1].startswith("2: not unique: row ")
    assert said[2].startswith("3: not a sudoku: a second 5 of row 1 in row 1, column 2")
    assert said[3] == "4: no solution"
    again = CliRunner().invoke(main, ["sudoku", "-", "--json"], input=run.stdout)
    rows = [json.loads(line) for line in again.stdout.splitlines()]
    assert [row["verdict"] for row in rows] == ["unique", "unique", "mistake", "none"]
    one = CliRunner().invoke(main, ["sudoku", str(file), "--number", "1"]).stdout
    assert "\nunique (" in one
    assert [grid.cells for grid in islice(grids(one), 1)] == [rows[0]["solutions"][0]]
    both = CliRunner().invoke(main, ["sudoku", "-"], input=81 * "0").stdout
    assert "\na second solution\n" in both
    assert (
        CliRunner().invoke(main, ["sudoku", ESCARGOT]).stdout.splitlines()[:11]
        == (one.splitlines()[:11])
    )
    short = CliRunner().invoke(main, ["sudoku", ESCARGOT[1:]])
    assert "line 1: it has 80 cells" in short.stderr
    nothing = CliRunner().invoke(main, ["sudoku", "-"], input="no grid\n")
    assert nothing.exit_code == 2
    assert "no grid is there" in nothing.stderr


def test_a_limit_leaves_it_unknown() -> None:
    assert solve(Grid(ESCARGOT), Limit(nodes=1)).verdict in ("unknown", "unique")
    assert solve(Grid(625 * "."), Limit(nodes=1)).verdict == "unknown"
