"""The commands `dragon sudoku` and `dragon polyominoes`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dragon.cli_tools import (
    as_json,
    check_stdout,
    print_json,
    save_picture,
    tell,
    with_picture,
    with_seconds,
)
from dragon.config import build, read_text
from dragon.core import Limit
from dragon.errors import BadNotation, ConfigError
from dragon.files import STDOUT

if TYPE_CHECKING:
    from dragon_puzzles.polyominoes import Packed, Polyominoes
    from dragon_puzzles.sudoku import Grid, Solved


@click.command()
@click.argument("file")
@click.option("--number", type=click.IntRange(min=1), metavar="N", help="Only the N-th grid.")
@with_seconds
@as_json
def sudoku(file: str, number: int | None, seconds: float | None, as_json: bool) -> None:
    """Fill the grids in FILE, and say if the solution is unique.

    FILE is a text with one grid or many, as people post them, `.sdk` and `.sdm` among them, or
    the 81 cells of a grid; - is stdin. One grid is drawn, with a second solution if there is one.
    Of many, each takes a line: the filled grid, and `unique` or what else it is. Grids have 4, 6,
    9, 12, 16 or 25 rows.

    \b
    Examples:
      dragon sudoku puzzle.txt
      dragon sudoku top95.sdm --json
      dragon sudoku many.sdm --number 7
    """
    from dragon_puzzles.sudoku import grid_of, solve

    grids = [*_grids(file)] if number is None else [grid_of(file, number)]
    for place, grid in enumerate(grids, number or 1):
        found = solve(grid, Limit(seconds=seconds))
        if as_json:
            print_json(_row(place, found))
        elif len(grids) == 1:
            click.echo("\n".join(_drawn(found)))
        else:
            first = found.solutions[0] if found.solutions else grid
            click.echo(f"{first.cells}  # {place}: {_said(found)}")


def _grids(file: str) -> Iterator[Grid]:
    from dragon_puzzles.sudoku import CELLS, LONGEST, grids

    name, found = "stdin" if file == "-" else file, False
    text = file if CELLS.fullmatch(file) else read_text(file, "grids", LONGEST)
    try:
        for grid in grids(text):
            found = True
            yield grid
    except BadNotation as wrong:
        raise ConfigError(f"{name}, {wrong}") from None
    if not found:
        raise ConfigError(f"{name}: no grid is there; write 81 cells on a line, or nine rows")


def _row(place: int, found: Solved) -> dict[str, Any]:
    """Return the object of an answer."""
    return {
        "number": place,
        "line": found.grid.line,
        "grid": found.grid.cells,
        "verdict": found.verdict,
        "solutions": [grid.cells for grid in found.solutions],
        "said": _said(found),
        "nodes": found.nodes,
        "seconds": found.seconds,
    }


def _said(found: Solved) -> str:
    """Return a sentence on the solutions of a grid that have been found."""
    if found.mistake:
        return f"not a sudoku: {found.mistake}"
    if len(found.solutions) > 1:
        first, second = (grid.cells for grid in found.solutions)
        at = next(i for i, (a, b) in enumerate(zip(first, second, strict=True)) if a != b)
        row, col = divmod(at, found.grid.side)
        return f"not unique: row {row + 1}, column {col + 1} may be {first[at]} or {second[at]}"
    known = {"unique": "unique", "none": "no solution"}
    return known.get(found.verdict, "unknown: the time was up first")


def _drawn(found: Solved) -> Iterator[str]:
    """Yield the lines about the one grid of a text."""
    from dragon_puzzles.sudoku import drawn

    for place, grid in enumerate(found.solutions or (found.grid,)):
        if place:
            yield "\na second solution\n"
        yield drawn(grid)
    yield f"\n{_said(found)} ({found.nodes:,} nodes, {found.seconds:.3f} s)"


@click.command()
@click.argument("file", required=False)
@click.option("--area", metavar="TEXT", help="The board: 6x10, or rows with / between them.")
@click.option("--pieces", metavar="TEXT", help="Pieces with commas between them: 4 T4, X.")
@click.option("--one-sided", is_flag=True, help="Pieces may not be turned over.")
@click.option("--count", is_flag=True, help="Count all solutions.")
@click.option(
    "--first", type=click.IntRange(min=0), default=1, show_default=True, metavar="K",
    help="Show K solutions, none of which is another turned or mirrored.",
)  # fmt: skip
@with_picture("--svg", "svg", "Draw the first there: an .svg or .png; - is SVG on stdout.")
@with_seconds
@as_json
def polyominoes(
    file: str | None, one_sided: bool, count: bool, first: int, svg: Path | None,
    seconds: float | None, as_json: bool, **given: Any,
) -> None:  # fmt: skip
    """Fill a board with pieces, both from FILE or from --area and --pieces.

    FILE has the board, 6x10 or rows of . for a cell, ? for one that may stay free and # for none;
    then a blank line, and a piece on each line: `X`, `2 T4`, `0:3 hook XX/X.` with a shape of its
    own, `*` for any number of copies, `pentominoes` for one of each.

    \b
    Examples:
      dragon polyominoes --area 6x10 --pieces pentominoes
      dragon polyominoes --area 4x4 --pieces "4 T4" --count
      dragon polyominoes puzzle.txt --first 3 --out puzzle.svg
    """
    from dragon_puzzles.polyominoes import Polyominoes, pack

    check_stdout("--out", svg, as_json)
    asked = {k: v for k, v in given.items() if v is not None}
    if (file is None) == (not asked):
        raise click.UsageError("give FILE, or --area and --pieces")
    if not first and not count:
        raise click.UsageError("--first 0 shows nothing; add --count")
    asked |= {"mirrored": not one_sided} | ({"file": file} if file else {})
    puzzle: Polyominoes = build(Polyominoes, asked, "polyominoes")
    found = pack(puzzle, first, count, Limit(seconds=seconds))
    if svg is not None and found.shown:
        save_picture(svg, puzzle.picture(found.shown[0]))
        if svg == STDOUT:
            return
    drawn = [str(puzzle.pictured(laid)) for laid in found.shown]
    tell(as_json, _object(puzzle, found, drawn),
         "\n\n".join([*drawn, _counted(found, count)]))  # fmt: skip


def _object(puzzle: Polyominoes, found: Packed, drawn: list[str]) -> dict[str, Any]:
    """Return the object of the answer to a puzzle of pieces."""
    from dragon_puzzles.puzzle import name

    return {
        "board": puzzle.tray.marks(),
        "pieces": {each.name: [each.least, each.most] for each in puzzle.tray.pieces},
        "solutions": found.solutions,
        "distinct": found.distinct,
        "bound": str(found.bound),
        "shown": [
            {"pieces": [[piece, [*map(name, cells)]] for piece, cells in laid], "drawing": text}
            for laid, text in zip(found.shown, drawn, strict=True)
        ],
        "nodes": found.nodes,
        "seconds": found.seconds,
    }


def _counted(found: Packed, count: bool) -> str:
    """Return the number of solutions, in words."""
    proven, work = str(found.bound) == "=", f" ({found.nodes:,} nodes, {found.seconds:.3f} s)"
    if not found.solutions:
        return ("no solution" if proven else "unknown: the time was up first") + work
    if not proven and not count:
        return f"{len(found.shown)} shown; --count counts all{work}"
    least = "" if proven else "at least "
    some = f"{least}{found.solutions:,} solution{'s' * (found.solutions != 1)}"
    return f"{some}, {least}{found.distinct:,} up to symmetry{work}"
