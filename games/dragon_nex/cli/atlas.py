"""`dragon nex atlas`: what every opening of a board is worth."""

from __future__ import annotations

from pathlib import Path

import click

from dragon.cli_tools import as_json, check_stdout, followed, tell
from dragon.core import Limit
from dragon.errors import ConfigError
from dragon.files import STDOUT, write
from dragon_nex.cli.options import SIZE, solver, with_search, with_seconds


@click.command()
@click.argument("size", type=SIZE)
@click.option("--svg", type=click.Path(path_type=Path, dir_okay=False),
              help="Draw it there; - is stdout.")  # fmt: skip
@with_search
@with_seconds
@as_json
def atlas(
    size: tuple[int, int], svg: Path | None, spec: str | None, seconds: float | None, as_json: bool
) -> None:
    """Show the value of every opening: a small board for each cell of the black stone.

    In it each cell says what the opening is worth whose neutral stone stands there: + wins
    for Black, = draws, - loses, ? is not proven.

    \b
    Examples:
      dragon nex atlas 3x3
      dragon nex atlas 4x4 --svg atlas.svg
      dragon nex atlas 3x4 --json
    """
    from dragon_nex import atlas as pages
    from dragon_nex.board import Board
    from dragon_nex.game import Nex

    check_stdout("--svg", svg, as_json)
    if svg is not None and not svg.parent.is_dir():  # told now, and not when all is drawn
        raise ConfigError(f"there is no folder {svg.parent} to draw {svg.name} in; make it first")
    game, board = Nex(*size), Board(*size)
    search = solver(game, spec)
    total = board.rows * board.cols * (board.rows * board.cols - 1)
    stream = pages.openings(game, search, Limit(seconds=seconds))
    found, interrupted = followed(stream, total, "openings")
    counts = {value: sum(o.value == value for o in found) for value in (1, 0, -1, None)}
    title = (
        f"Nex {size[0]}x{size[1]}: {counts[1]} openings win, {counts[0]} draw, {counts[-1]} lose"
    )
    if counts[None] or interrupted:
        title += f", {total - len(found) + counts[None]} are not known"
    if svg is not None:
        write(svg, pages.svg(board, found, title))
    if svg != STDOUT:
        values = {o.move: {"value": o.value, "distance": o.distance} for o in found}
        row = {"game": str(game), "openings": values, "interrupted": interrupted}
        tell(as_json, row, f"{title}\n\n{pages.text(board, found)}")
    if interrupted:
        raise KeyboardInterrupt
