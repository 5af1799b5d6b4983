"""Boards and pieces of users: texts, and solutions against a plain search and known numbers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import dragon
from dragon import BadNotation, ConfigError, Limit
from dragon.cli import main
from dragon_puzzles.pentominoes import of_text, settled, turned
from dragon_puzzles.polyominoes import (
    KNOWN,
    Piece,
    Polyominoes,
    Tray,
    board_of,
    pack,
    pieces_of,
    read,
    tray_of,
)
from dragon_puzzles.puzzle import name

TEXT = """# hooks and others
..#..
.....  # a row
..?..

2 L4
hook XX/X.
0:3 I2
* I1
"""
HOLE = "/".join(["........"] * 3 + ["...##..."] * 2 + ["........"] * 3)


@pytest.mark.samples("4x4*", "2x3*")
@pytest.mark.parametrize(("area", "pieces", "solutions", "distinct"), [
    ("3x20", "pentominoes", 8, 2), (HOLE, "pentominoes", 520, 65), ("4x4", "4 T4", 2, 1),
    ("8x4", "* I2", 2245, None), ("4x5", "tetrominoes", 0, 0), ("2x3", "2 V3", 2, 1),
    pytest.param("4x15", "pentominoes", 1472, 368, marks=pytest.mark.full),
])  # fmt: skip
def test_as_many_solutions_as_is_known(
    area: str, pieces: str, solutions: int, distinct: int | None
) -> None:
    """Golomb's Polyominoes has those of pentominoes; those of dominoes are OEIS A028470."""
    found = pack(Polyominoes(area=area, pieces=pieces), every=True)
    assert (found.solutions, str(found.bound)) == (solutions, "=")
    assert distinct in (None, found.distinct)


def plain(tray: Tray, mirrored: bool) -> set[frozenset[tuple[str, frozenset[tuple[int, int]]]]]:
    """Return all solutions, found cell by cell: each is a set of pieces with their cells."""
    ways = [
        (piece.name, frozenset((r + y, c + x) for r, c in shape))
        for piece in tray.pieces
        for shape in turned(piece.shape, mirrored)
        for y, x in product(range(9), repeat=2)
    ]
    open_to_all = tray.cells | tray.free
    ways = [(called, cells) for called, cells in ways if cells <= open_to_all]
    found = set()

    def lay(left: list[tuple[int, int]], used: frozenset[tuple[int, int]], laid: frozenset) -> None:
        if not left:
            counts = [sum(called == p.name for called, _ in laid) for p in tray.pieces]
            kept = all(p.least <= n <= p.most for p, n in zip(tray.pieces, counts, strict=True))
            if kept and tray.cells <= used:
                found.add(laid)
            return
        at, *rest = left
        if at in used or at in tray.free:
            lay(rest, used, laid)
        if at not in used:
            for called, cells in ways:
                if min(cells) == at and not cells & used:
                    lay(rest, used | cells, laid | {(called, cells)})

    lay(sorted(open_to_all), frozenset(), frozenset())
    return found


def images(solution: frozenset, tray: Tray, mirrored: bool) -> Iterator[frozenset]:
    """Yield the solution as it is on the board turned and mirrored onto itself."""
    for flip, turns in product((False, True)[: 1 + mirrored], range(4)):

        def to(cell, flip=flip, turns=turns):
            r, c = cell
            c = -c if flip else c
            for _ in range(turns):
                r, c = c, -r
            return r, c

        both = [to(cell) for cell in tray.cells | tray.free]
        top, left = (min(axis) for axis in zip(*both, strict=True))

        def there(cells, to=to, top=top, left=left):
            return frozenset((r - top, c - left) for r, c in map(to, cells))

        if there(tray.cells) == tray.cells and there(tray.free) == tray.free:
            yield frozenset((called, there(cells)) for called, cells in solution)


@st.composite
def trays(draw: st.DrawFn) -> Tray:
    """Small boards with any holes and free cells, and pieces of up to four squares."""
    rows, cols = draw(st.integers(1, 3)), draw(st.integers(2, 4))
    marks = draw(st.text("...?#", min_size=rows * cols, max_size=rows * cols))
    board = "/".join(marks[i : i + cols] for i in range(0, rows * cols, cols))
    assume({*marks} & {".", "?"})
    names = draw(st.lists(st.sampled_from(["I1", "I2", "I3", "V3", "L4", "S4"]), min_size=1,
                          max_size=3, unique=True))  # fmt: skip
    pieces = []
    for called in names:
        least = draw(st.integers(0, 2))
        pieces.append(
            Piece(called, of_text(KNOWN[called]), least, draw(st.integers(max(1, least), 4)))
        )
    try:
        return tray_of(*board_of(board), pieces)
    except BadNotation:
        assume(False)
        raise


def write(tray: Tray) -> str:
    """Return a text of a board and pieces, as a user writes it."""
    lines = []
    for each in tray.pieces:
        rows, cols = (1 + max(axis) for axis in zip(*each.shape, strict=True))
        shape = "/".join(
            "".join(".X"[(r, c) in each.shape] for c in range(cols)) for r in range(rows)
        )
        lines.append(f"{each.least}:{each.most} {each.name} {shape}")
    return "\n".join([*tray.marks(), "", *lines]) + "\n"


def spec(tray: Tray, mirrored: bool) -> Polyominoes:
    pieces = write(tray).split("\n\n")[1].splitlines()
    return Polyominoes("/".join(tray.marks()), ", ".join(pieces), mirrored)


@pytest.mark.full
@settings(max_examples=60, deadline=None)
@given(trays(), st.booleans())
def test_solutions_are_those_of_a_plain_search(tray: Tray, mirrored: bool) -> None:
    puzzle = spec(tray, mirrored)
    assert puzzle.tray == tray
    found = pack(puzzle, 10**6, every=True)
    right = plain(tray, mirrored)
    assert found.solutions == len(right)
    classes = {min(map(sorted_key, images(each, tray, mirrored))) for each in right}
    assert found.distinct == len(classes) == len(found.shown)
    shown = {
        frozenset((called, frozenset(cells)) for called, cells in laid) for laid in found.shown
    }
    assert shown <= right


def sorted_key(solution: frozenset) -> tuple[tuple[str, tuple[tuple[int, int], ...]], ...]:
    return tuple(sorted((called, tuple(sorted(cells))) for called, cells in solution))


@pytest.mark.full
@settings(max_examples=100)
@given(trays())
def test_what_is_written_reads_back(tray: Tray) -> None:
    assert read(write(tray)) == tray


def test_a_text_is_read_as_it_is_described(tmp_path: Path) -> None:
    tray = read(TEXT)
    assert tray.marks() == ["..#..", ".....", "..?.."]
    assert [(p.name, len(p.shape), p.least, p.most) for p in tray.pieces] == [
        ("L4", 4, 2, 2), ("hook", 3, 1, 1), ("I2", 2, 0, 3), ("I1", 1, 0, 14),
    ]  # fmt: skip
    file = tmp_path / "puzzle.txt"
    file.write_text(TEXT, encoding="utf-8-sig")
    game = dragon.game({"name": "polyominoes", "file": str(file)})
    assert game.tray == tray
    assert read(TEXT.replace("\n", "\r\n")) == tray


@pytest.mark.full
@settings(max_examples=150)
@given(
    st.integers(0, len(TEXT)), st.text("xX.?#2 :/\n", min_size=1, max_size=3) | st.text(max_size=9)
)
def test_garbage_in_a_text_is_told_or_is_a_part_of_it(at: int, garbage: str) -> None:
    """Garbage that is read can only be marks, a comment, a name, a number of copies or squares."""
    try:
        tray = read(TEXT[:at] + garbage + TEXT[at:])
    except BadNotation as wrong:
        known = ("line ", "the board has", "the pieces cover", "there are no", "piece ")
        assert str(wrong).startswith(known) or " do not fit " in str(wrong)  # noqa: PT017
        return
    assert read(write(tray)) == tray
    if tray != read(TEXT):
        assert all(mark.isspace() or mark.isalnum() or mark in ".?#-:/*_" for mark in garbage)


@pytest.mark.parametrize(("text", "why"), [
    ("..\n.x\n\nI1", "line 2, column 2: 'x' is not a mark of a board"),
    ("\n\n...\n.,.\n\nI1", "line 4, column 2: ',' is not a mark of a board"),
    (".. # ..\n\nI1", "line 1, column 3: ' ' is not a mark of a board"),
    ("..\n# #\n\nI1", "line 2, column 2: ' ' is not a mark of a board"),
    ("2x2\n\n2 Q", "line 3: no piece is called 'Q'; write its shape behind it"),
    ("2x2\n\nX Y Z", "line 3: 'X Y Z' is not a piece; write copies, name and shape"),
    ("2x2\n\nhook XX/q", "line 3: 'q' in the shape 'XX/q'; write X for a square"),
    ("2x2\n\nhook ../.", "line 3: the shape '../.' has no squares"),
    ("2x2\n\n3:2 I1", "line 3: '3:2 I1': write copies as 2, 0:3 or"),
    ("2x2\n\npentomino", "line 3: no piece is called 'pentomino'; did you mean 'pentominoes'"),
    ("2x2\n\nI2\nI2", "piece I2 is given twice; write its copies as 2 I2"),
    ("2x2\n\n5 I1", "5 of I1 do not fit into 4 cells"),
    ("2x2\n\nI3", "the pieces cover 3 cells, and"), ("2x2\n", "there are no pieces"),
    ("##\n\nI1", "the board has 0 cells"), ("", "the board has 0"),
])  # fmt: skip
def test_what_is_not_understood_is_told(text: str, why: str) -> None:
    with pytest.raises(BadNotation, match=why):
        read(text)
    with pytest.raises(ConfigError):
        dragon.game({"name": "polyominoes", "area": text.split("\n\n")[0], "pieces": "3 hook Xq"})


def test_known_pieces_are_all_of_their_size() -> None:
    """There are 1, 1, 2, 5 and 12 free polyominoes (Golomb)."""
    found: dict[int, set[object]] = {}
    for text in KNOWN.values():
        shape = settled(of_text(text))
        found.setdefault(len(shape), set()).add(min(turned(shape, mirrored=True)))
    assert {size: len(shapes) for size, shapes in found.items()} == {1: 1, 2: 1, 3: 2, 4: 5, 5: 12}
    assert [each.name for each in pieces_of("2 tetrominoes")] == ["I4", "L4", "O4", "S4", "T4"]


def test_every_solution_is_drawn_with_its_pieces() -> None:
    puzzle = Polyominoes("3x4?", "2 V3, T4")
    for laid in pack(puzzle, 5, every=True).shown:
        rows = str(puzzle.pictured(laid)).splitlines()[1:]
        marks = {name((r, c)): word for r, row in enumerate(rows)
                 for c, word in enumerate(row.split()[1:])}  # fmt: skip
        seen: dict[str, set[str]] = {}
        for cell, mark in marks.items():
            seen.setdefault(mark, set()).add(cell)
        cells = [{*map(name, own)} for _, own in laid]
        assert sorted(map(sorted, cells)) == sorted(sorted(v) for m, v in seen.items() if m != ".")
        assert ElementTree.fromstring(puzzle.picture(laid)).tag.endswith("svg")


def test_the_command_counts_and_draws(tmp_path: Path) -> None:
    run = CliRunner().invoke
    said = run(main, ["polyominoes", "--area", "4x4", "--pieces", "4 T4", "--count"]).stdout
    assert "2 solutions, 1 up to symmetry" in said
    assert "a Ta Ta Ta Tb" in said
    picture = tmp_path / "puzzle.svg"
    asked = ["polyominoes", "-", "--json", "--first", "2", "--svg", str(picture)]
    row = json.loads(run(main, asked, input=TEXT).stdout)
    assert len(row["shown"]) == 2
    assert row["bound"] == ">="
    assert row["pieces"]["I2"] == [0, 3]
    assert picture.read_text().startswith("<svg")
    none = run(main, ["polyominoes", "--area", "4x5", "--pieces", "tetrominoes"]).stdout
    assert none.startswith("no solution (")
    for wrong, why in (
        (["polyominoes"], "give FILE, or --area"),
        (["polyominoes", "-", "--first", "0"], "--first 0"),
        (["polyominoes", "-", "--area", "2x2"], "give FILE, or"),
    ):  # fmt: skip
        refused = run(main, wrong, input=TEXT)
        assert refused.exit_code == 2
        assert why in refused.stderr


def test_a_limit_is_kept() -> None:
    found = pack(Polyominoes("6x10", "pentominoes"), every=True, limit=Limit(nodes=100))
    assert str(found.bound) == ">="


def test_a_count_ends_when_the_time_of_comparing_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    from dragon_puzzles import polyominoes

    clock = iter([0.0, *[1.0] * 4, *[9.0] * 999])
    monkeypatch.setattr(polyominoes, "monotonic", lambda: next(clock))
    found = pack(Polyominoes("4x4", "* I2"), every=True, limit=Limit(seconds=5))
    assert (found.solutions, str(found.bound)) == (5, ">=")
