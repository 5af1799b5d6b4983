"""The commands `dragon sudoku` and `dragon polyominoes`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from dragon.cli_tools import as_json, print_json, with_seconds
from dragon.config import read_text
from dragon.core import Limit
from dragon.errors import BadNotation, ConfigError

if TYPE_CHECKING:
    from dragon_puzzles.grids import Grid
    from dragon_puzzles.sudoku import Solved


@click.command()
@click.argument("file")
@click.option("--number", type=click.IntRange(min=1), metavar="N", help="Only the N-th grid.")
@with_seconds
@as_json
def sudoku(file: str, number: int | None, seconds: float | None, as_json: bool) -> None:
    """Fill the grids in FILE, and say whether there is another way.

    FILE is a text with one grid or many, as people post them, `.sdk` and `.sdm` among them;
    - is stdin. One grid is drawn, with a second solution if there is one. Of many, each takes a
    line: the filled grid, and `unique` or what else it is. Grids have 4, 6, 9, 12, 16 or 25 rows.

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
    from dragon_puzzles.sudoku import LONGEST, grids

    name, found = "stdin" if file == "-" else file, False
    try:
        for grid in grids(read_text(file, "grids", LONGEST)):
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
    """Return what has been found of a grid, in words."""
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
