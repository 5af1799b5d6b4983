"""The puzzles: as many covers as are known, rules that hold, drawings that read back, mistakes."""

from __future__ import annotations

import json
import os
import random
import re
from itertools import chain, combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import dragon
from dragon import BadNotation, ConfigError
from dragon.boards.material import CHESSMEN
from dragon.cli import main
from dragon.commands.bench import ready
from dragon.cover import Problem, covers, knuth_format, parse
from dragon_puzzles.pentominoes import CUBES, PIECES, of_text, settled, turned
from dragon_puzzles.puzzle import Board, cells_in, letters, name, number_of

TOY = Path(__file__).parents[2] / "oracles" / "cover_colours.txt"
FACTS = Path(__file__).parents[4] / "shared" / "oracles" / "exactcover"
SEVENTEEN = "000000010400000000020000000000050407008000300001090000300400200050100000000806000"
ESCARGOT = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
COUNTS = {
    **{f"queens(n={n})": c for n, c in enumerate((1, 0, 0, 2, 10, 4, 40, 92, 352, 724), 1)},
    **{f"langford(n={n})": c for n, c in enumerate((0, 0, 2, 2, 0, 0, 52, 300), 1)},
    **{f"latin(n={n})": c for n, c in enumerate((1, 2, 12, 576, 161_280), 1)},
    "dominoes(rows=1, cols=2)": 1,
    "dominoes(rows=2, cols=7)": 21,
    "dominoes(rows=3, cols=3)": 0,
    "dominoes(rows=6, cols=6)": 6728,
    "dominoes(rows=4, cols=4, mutilated=true)": 0,
    "dominoes(rows=3, cols=3, mutilated=true)": 0,
    "pentominoes(rows=3, cols=20)": 8,
    "pentominoes(rows=20, cols=3)": 8,
    "pentominoes(rows=1, cols=60)": 0,
    "soma": 11_520,
    "sudoku": 1,
    f"sudoku(grid='{SEVENTEEN}')": 1,
    f"sudoku(grid='{ESCARGOT}')": 1,
    f"cover(file={str(TOY)!r})": 1,
}  # fmt: skip
"""How many covers there are: OEIS A000170, 2 x A014552, A002860, A004003, and the literature."""
LARGE = {
    "pentominoes(rows=4, cols=15)": 1472,
    "pentominoes(rows=5, cols=12)": 4040,
    "pentominoes(rows=6, cols=10)": 9356,
    "pentominoes(rows=8, cols=8)": 520,
    "queens(n=12)": 14_200,
    "langford(n=11)": 35_584,
    "dominoes(mutilated=true)": 0,
    "dominoes": 12_988_816,
}
NODES = {
    "pentominoes(rows=8, cols=8)": 293_045,
    "soma": 254_676,
    "langford(n=11)": 439_747,
    "queens(n=12)": 211_716,
}
"""Nodes of the search tree as Knuth's own programs count them, with items in our order."""
SAME = {
    "queens_8": "queens(n=8)",
    "queens_9": "queens(n=9)",
    "queens_10": "queens(n=10)",
    "queens_12": "queens(n=12)",
    "langford_7": "langford(n=7)",
    "langford_8": "langford(n=8)",
    "langford_11": "langford(n=11)",
    "latin_4": "latin(n=4)",
    "pent_3x20": "pentominoes(rows=3, cols=20)",
    "pent_5x12": "pentominoes(rows=5, cols=12)",
    "pent_6x10": "pentominoes(rows=6, cols=10)",
    "pent_8x8_scott": "pentominoes(rows=8, cols=8)",
    "domino_6x6": "dominoes(rows=6, cols=6)",
    "domino_8x8": "dominoes",
    "domino_8x8_mutilated": "dominoes(mutilated=true)",
    "sudoku_17clue": f"sudoku(grid='{SEVENTEEN}')",
    "sudoku_escargot": f"sudoku(grid='{ESCARGOT}')",
}
"""Files of problems made elsewhere, and the game that should be the same."""


# ---- counts --------------------------------------------------------------------------------------


@pytest.mark.samples("[!lps]*")
@pytest.mark.parametrize("spec", COUNTS)
def test_there_are_as_many_covers_as_are_known(spec):
    assert covers(dragon.game(spec).problem()).count() == COUNTS[spec]


@pytest.mark.full
@pytest.mark.parametrize("spec", LARGE)
def test_there_are_as_many_covers_of_large_puzzles_as_are_known(spec):
    assert covers(dragon.game(spec).problem()).count() == LARGE[spec]


@pytest.mark.samples("queens(n=12)")
@pytest.mark.parametrize("spec", NODES)
def test_the_order_of_items_gives_the_search_trees_of_knuth(spec):
    found = covers(dragon.game(spec).problem())
    found.count()
    assert found.nodes == NODES[spec]


def form(problem: Problem) -> tuple[int, int, list[list[int]]]:
    """A problem without names: primary items as numbers, in their order."""
    place = {item: i for i, item in enumerate(problem.primary)}
    rows = sorted(sorted(place[i] for i in o.items if i in place) for o in problem.options)
    return len(problem.primary), len(problem.secondary), rows


@pytest.mark.samples("pent_5x12")
@pytest.mark.skipif(not FACTS.is_dir(), reason="the files of problems are not beside the checkout")
@pytest.mark.parametrize("file", SAME)
def test_problems_are_those_that_others_have_made(file):
    theirs = parse((FACTS / f"{file}.txt").read_text(encoding="utf-8"))
    facts = json.loads((FACTS / "index.json").read_text(encoding="utf-8"))[file]
    ours = dragon.game(SAME[file]).problem()
    assert form(ours) == form(theirs)
    assert len(ours.primary) == facts["items"]
    assert len(ours.secondary) == facts["secondary"]
    assert len(ours.options) == facts["options"]
    assert {**COUNTS, **LARGE}[SAME[file]] == facts["solutions"]


# ---- the rules of the puzzles ----------------------------------------------------------------


def solutions(spec: str) -> list[list[str]]:
    """The names of the options of every cover."""
    problem = dragon.game(spec).problem()
    return [[problem.names[o] for o in chosen] for chosen in covers(problem)]


def test_no_queen_attacks_another():
    for found in solutions("queens(n=6)"):
        for (file, rank), (other, level) in combinations(cells_in(" ".join(found)), 2):
            assert file != other
            assert rank != level
            assert abs(file - other) != abs(rank - level)


def test_between_two_of_a_number_stand_as_many():
    game = dragon.game("langford(n=4)")
    for found in solutions("langford(n=4)"):
        row = game.draw(game.parse(" | ".join(found))).split()
        for k in range(1, 5):
            first, second = (i for i, text in enumerate(row) if text == str(k))
            assert second - first == k + 1


def test_every_pentomino_is_connected_and_there_once():
    for found in solutions("pentominoes(rows=3, cols=20)"):
        assert sorted(option[0] for option in found) == sorted(PIECES)
        laid = [set(cells_in(option)) for option in found]
        assert len(set().union(*laid)) == 60
        for cells in laid:
            joined = {min(cells)}
            for _ in range(4):
                joined |= {
                    (r + dr, c + dc)
                    for r, c in joined
                    for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
                } & cells
            assert joined == cells


def test_a_sudoku_keeps_its_clues_and_holds_every_digit_everywhere():
    game = dragon.game(f"sudoku(grid='{ESCARGOT}')")
    (found,) = solutions(str(game))
    rows = [
        re.findall(r"\d", line) for line in game.draw(game.parse(" | ".join(found))).split("\n")
    ]
    rows = [row for row in rows if row]
    boxes = [
        [rows[r + i][c + j] for i in range(3) for j in range(3)]
        for r in (0, 3, 6)
        for c in (0, 3, 6)
    ]
    for unit in [*rows, *zip(*rows, strict=True), *boxes]:
        assert sorted(unit) == list("123456789")
    for clue, digit in zip(ESCARGOT, chain(*rows), strict=True):
        assert clue in (".", digit)


def posted(grid: str) -> list[str]:
    """A grid as people post it, in many ways."""
    rows = [grid[i : i + 9] for i in range(0, 81, 9)]
    lines = ["|".join(row[i : i + 3] for i in (0, 3, 6)) for row in rows]
    boxed = "\n---+---+---\n".join("\n".join(lines[i : i + 3]) for i in (0, 3, 6))
    spaced = "\n".join(" ".join(row) for row in rows)
    frame = "\u2554" + "\u2550" * 11 + "\u2557"
    return [
        "\n".join(rows), "\r\n".join(rows) + "\r\n", boxed, spaced, "\n\n".join(rows),
        f"+---+---+---+\n{boxed}\n+---+---+---+", spaced.replace(" ", ","), f"{grid}\n",
        f"{frame}\n" + "\n".join(f"\u2551{row}\u2551" for row in rows) + f"\n{frame}",
        *(boxed.replace(".", empty) for empty in "0_*?"),
    ]  # fmt: skip


def test_a_sudoku_is_read_as_people_post_it():
    for text in posted(ESCARGOT):
        game = dragon.game({"name": "sudoku", "grid": text})
        assert game.grid.replace("0", ".") == ESCARGOT
    game = dragon.game(f"sudoku(grid='{ESCARGOT}')")
    assert dragon.game({"name": "sudoku", "grid": game.draw(game.start())}) == game
    wrong = "\n".join(posted(ESCARGOT)[0].split("\n")[:8])
    for text, why in (
        (f"{wrong}\n12345678", "grid, line 9: it has 8 cells, and the grid that begins on line 1"),
        (wrong, "grid, line 9: the text ends, and the grid that begins on line 1 has 8 of 9 rows"),
        (f"{wrong}\n1234x6789", "grid, line 9: column 5: 'x' is not a cell"),
        (f"{ESCARGOT}\n{ESCARGOT}", "grid has 2 grids; write them to a file, and set number"),
    ):
        with pytest.raises(ConfigError, match=why):
            dragon.game({"name": "sudoku", "grid": text})


def test_pieces_have_as_many_orientations_as_is_known():
    flat = {piece: len(turned(of_text(text), mirrored=True)) for piece, text in PIECES.items()}
    assert flat == dict(zip("FILNPTUVWXYZ", (8, 2, 8, 8, 8, 4, 4, 4, 4, 1, 8, 4), strict=True))
    assert all(len(of_text(text)) == 5 for text in PIECES.values())
    solid = {
        piece: settled(tuple(map(int, cell)) for cell in text.split())
        for piece, text in CUBES.items()
    }
    turns = {piece: turned(shape, mirrored=False) for piece, shape in solid.items()}
    assert {piece: len(all_of) for piece, all_of in turns.items()} == dict(
        zip("VLTZABP", (12, 24, 12, 12, 12, 12, 8), strict=True)
    )
    assert solid["B"] not in turns["A"]
    assert solid["B"] in turned(solid["A"], mirrored=True)


@pytest.mark.parametrize("number", [0, 25, 26, 51, 52, 701, 702, 18_277, 18_278])
def test_letters_count_without_end(number):
    assert number_of(letters(number)) == number
    assert len(letters(number)) == 1 + (number > 25) + (number > 701) + (number > 18_277)


# ---- drawings ----------------------------------------------------------------------------------


def marks(text: str) -> dict[tuple[int, int], str]:
    """Give the marks on the cells of a drawing with names of rows and columns, by their names."""
    head, *rows = text.splitlines()
    ends = [found.end() - 1 for found in re.finditer(r"\S+", head)]
    lines = [row.ljust(len(head)) for row in rows]
    return {
        (r, c): line[end] for r, line in enumerate(lines) for c, end in enumerate(ends)
    }  # fmt: skip


def read_pieces(text: str) -> set[str]:
    """The pentominoes of a drawing."""
    laid: dict[str, str] = {}
    for cell, mark in marks(text).items():
        if mark in PIECES:
            laid[mark] = laid.get(mark, mark) + name(cell)
    return set(laid.values())


def read_dominoes(text: str) -> set[str]:
    """The dominoes."""
    found, board = set(), marks(text)
    for (r, c), mark in board.items():
        if mark in "<^" and mark != " ":
            other = (r, c + 1) if mark == "<" else (r + 1, c)
            assert board[other] == {"<": ">", "^": "v"}[mark]
            found.add(name((r, c)) + name(other))
    assert 2 * len(found) == sum(mark in "<>^v" for mark in board.values() if mark != " ")
    return found


def read_queens(text: str) -> set[str]:
    """The squares of the queens."""
    head, *rows = text.splitlines()
    files = head.split()
    found = set()
    for row in rows:
        rank, *squares = row.split()
        found |= {file + rank for file, mark in zip(files, squares, strict=True) if mark == "Q"}
    return found


def read_numbers(text: str) -> set[str]:
    """The entries of a grid of numbers."""
    rows = [row.replace("|", " ").split() for row in text.splitlines() if "-" not in row]
    return {
        f"r{r}c{c}={mark}"
        for r, row in enumerate(rows, 1)
        for c, mark in enumerate(row, 1)
        if mark != "."
    }


def read_row(text: str) -> set[str]:
    """The pairs of a row."""
    row = text.split()
    first = {k: row.index(k) + 1 for k in set(row) - {"."}}
    return {f"{k}@{i}-{i + int(k) + 1}" for k, i in first.items() if row[i + int(k)] == k}


def read_cube(text: str) -> set[str]:
    """The pieces of the three layers."""
    laid: dict[str, list[str]] = {}
    for r, row in enumerate(text.splitlines(), 1):
        for i, mark in enumerate(row.split()):
            laid.setdefault(mark, []).append(f"{i // 3 + 1}{r}{i % 3 + 1}")
    return {piece + "-".join(sorted(cells)) for piece, cells in laid.items() if piece != "."}


def read_options(text: str) -> set[str]:
    """The options of a file, a line each."""
    return {line for line in text.splitlines() if line and not line.startswith("left: ")}


READERS = {
    "queens(n=11)": read_queens,
    "pentominoes": read_pieces,
    "pentominoes(rows=8, cols=8)": read_pieces,
    "dominoes(rows=4, cols=13)": read_dominoes,
    "dominoes(rows=5, cols=5, mutilated=true)": read_dominoes,
    "latin(n=11)": read_numbers,
    "langford(n=12)": read_row,
    "soma": read_cube,
    "sudoku": read_numbers,
    f"cover(file={str(TOY)!r})": read_options,
}


def states(spec: str, seed: int) -> list[dragon.State]:
    """A game of random moves, from the start to its end."""
    luck = random.Random(seed)
    found = [dragon.game(spec).start()]
    while moves := found[-1].moves():
        found.append(found[-1].after(luck.choice(moves)))
    return found


@pytest.mark.samples("0-langford*", "0-queens*", "1-soma", "0-soma")
@pytest.mark.parametrize("spec", READERS)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_drawn_reads_back(spec, seed):
    game = dragon.game(spec)
    given = READERS[spec](game.draw(game.start()))
    assert given == set() or spec == "sudoku"
    for before, state in pairwise(states(spec, seed)):
        read = READERS[spec](game.draw(state))
        chosen = {state.table.problem.names[o] for o in state.chosen}
        assert read - given == chosen
        assert READERS[spec](game.draw(before)) < read


@pytest.mark.samples("sudoku", "queens*", "dominoes*")
@pytest.mark.parametrize("spec", READERS)
def test_svg_shows_every_cell_and_mark_inside_its_frame(spec):
    game = dragon.game(spec)
    for state in states(spec, 5):
        root = ElementTree.fromstring(game.svg(state))
        space = "{http://www.w3.org/2000/svg}"
        left, top, width, height = map(float, root.attrib["viewBox"].split())
        board = game.board(state.table.problem.options[o] for o in state.chosen)
        _, frame, _, *squares = root.iter(f"{space}rect")
        assert frame.attrib["class"] == "f-walnut"
        assert len(squares) == len(list(board.cells()))
        plain = {"f-maple", "f-sheet"}
        tinted = sum(square.attrib["class"] not in plain for square in squares)
        assert tinted == len(board.tints)
        for square in squares:
            x, y = float(square.attrib["x"]), float(square.attrib["y"])
            assert left <= x <= left + width - 40
            assert top <= y <= top + height - 40
        texts = [text.text for text in root.iter(f"{space}text")]
        queen = CHESSMEN["queen"][0]
        paths = [path for path in root.iter(f"{space}path") if path.get("d") == queen]
        glyphs = [path for path in paths if path.get("stroke")]
        if game.name == "queens":
            assert len(glyphs) == len(state.chosen)
        elif game.name != "dominoes":
            for mark in set(board.marks.values()):
                assert texts.count(mark) >= list(board.marks.values()).count(mark)
        assert root.find(f"{space}title").text == str(game)


def test_svg_has_walls_between_pieces_and_none_within():
    game = dragon.game("dominoes(rows=1, cols=4)")
    whole = game.svg(game.parse("a1a2 | a3a4"))
    walls = re.search(r'd="([^"]*)" class="s-ink"', whole)[1]
    assert walls.count("M") == 2 * 4 + 3  # above and below, and three upright
    assert "s-faint" not in whole
    assert "M80,0v40" in walls
    assert "M40,0v40" not in walls


def test_svg_has_no_style_of_its_own_and_materials_for_pages():
    text = dragon.game("queens").svg(dragon.game("queens").start())
    assert "<style" not in text
    assert {"f-walnut", "f-maple", "f-oak", "s-ink"} <= set(re.findall(r"[fs]-\w+", text))


def test_a_board_without_anything_is_drawn_too():
    assert str(Board(2, 3)) == ". . .\n. . ."
    assert str(Board(1, 3, holes=frozenset({(0, 1)}))) == ".   ."


def test_play_shows_the_board_and_hints():
    said = CliRunner().invoke(main, ["play", "queens(n=4)"], input="b1\nboard\nquit\n").stdout
    assert "  a b c d\n4 . . . .\n3 . . . .\n2 . . . .\n1 . . . .\n" in said
    chosen = CliRunner().invoke(main, ["play", "queens(n=4)"], input="a2\nquit\n").stdout
    assert "2 Q . . ." in chosen


def test_bench_of_all_games_leaves_out_those_that_must_be_told_more():
    assert "cover" not in ready()
    assert {"queens", "sudoku"} <= set(ready())
    assert set(ready()) < set(dragon.games())


# ---- mistakes ----------------------------------------------------------------------------------


def changed(grid: str, *places: tuple[int, str]) -> str:
    """A grid with other marks in some places."""
    marks = list(grid)
    for at, mark in places:
        marks[at] = mark
    return "".join(marks)


MISTAKES = {
    "queens(n=0)": "n must be a whole number from 1 to 200, not 0 @ queens.n",
    "queens(n=201)": "n must be a whole number from 1 to 200, not 201",
    "queens(n='8')": "must be a whole number, not '8' @ queens.n",
    "langford(n=-1)": "n must be a whole number from 1 to 100, not -1 @ langford.n",
    "latin(n=41)": "n must be a whole number from 1 to 40, not 41 @ latin.n",
    "dominoes(rows=0, cols=101)": "rows must be a whole number from 1 to 100, not 0",
    "dominoes(rows=1, cols=2, mutilated=true)": "a board without its two corners is empty",
    "pentominoes(rows=5)": "twelve pieces cover 60 squares, but 5 x 10 are 50; set rows and cols",
    "pentominoes(cols=12)": "but 6 x 12 are 72",
    "pentominoes(rows=8, cols=9)": "but 8 x 9 are 72",
    "pentominoes(rows=0)": "rows must be a whole number from 1 to 60, not 0",
    "soma(n=3)": "no setting 'n' here",
    "sudoku(grid='12')": "grid must be 81 characters, the rows one after another",
    f"sudoku(grid='{changed(SEVENTEEN, (10, 'x'))}')": "grid has 'x' in row 2, column 2 "
    "(character 11)",
    f"sudoku(grid='{changed(SEVENTEEN, (0, '1'))}')": "grid has a second 1 of row 1 in row 1, "
    "column 8; the first is in row 1, column 1 @ sudoku.grid",
    f"sudoku(grid='{changed(81 * '.', (0, '4'), (72, '4'))}')": "a second 4 of column 1 in row 9, "
    "column 1; the first is in row 1, column 1",
    f"sudoku(grid='{changed(81 * '.', (40, '7'), (30, '7'))}')": "a second 7 of box 5 in row 5, "
    "column 5; the first is in row 4, column 4",
    "cover": "file is missing @ cover.file",
    "cover(file='')": "file must be the path of a file, not ''",
}  # fmt: skip


@pytest.mark.parametrize("spec", MISTAKES)
def test_wrong_parameters_are_reported(spec):
    with pytest.raises(ConfigError) as caught:
        dragon.game(spec)
    assert MISTAKES[spec] in str(caught.value)


def test_a_file_that_cannot_be_read_is_reported(tmp_path):
    said = CliRunner().invoke(main, ["solve", f"cover(file='{tmp_path}/none.txt')"])
    assert said.exit_code == 2
    assert f"dragon: {tmp_path}/none.txt: cannot be read: No such file" in said.stderr


def test_what_may_have_no_end_is_not_read(tmp_path, monkeypatch):
    """A record of a tournament can name any file."""
    pipe, long = tmp_path / "pipe", tmp_path / "long.txt"
    os.mkfifo(pipe)
    long.write_text("a b c\na\nb\nc\n")
    monkeypatch.setattr(knuth_format, "LARGEST", 10)
    reasons = {
        "/dev/zero": "not a regular file",
        pipe: "not a regular file",
        long: "12 bytes are more",
    }
    for file, reason in reasons.items():
        with pytest.raises(BadNotation, match=f"{file}: {reason}"):
            dragon.game(f"cover(file='{file}')").start()


def test_every_mistake_in_a_file_is_reported_with_its_line(tmp_path):
    file = tmp_path / "bad.txt"
    file.write_text("a b | c\na d\nb:X\na a\n")
    said = CliRunner().invoke(main, ["solve", f"cover(file={str(file)!r})"])
    assert said.exit_code == 2
    for line in (2, 3, 4):
        assert f"{file}:{line}: " in said.stderr
    assert "Traceback" not in said.stderr
