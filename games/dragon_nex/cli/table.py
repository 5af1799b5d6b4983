"""`dragon nex table`: makes the table of a board, or lists those that there are."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING

import click

from dragon.cli_tools import as_json, print_json, progress_bar, tell
from dragon.columns import table as lined
from dragon.errors import ConfigError
from dragon_nex.cli.options import SIZE

if TYPE_CHECKING:
    from dragon_nex.table.files import Folder

UNITS = ("bytes", "kB", "MB", "GB")


@click.command()
@click.argument("size", type=SIZE, required=False)
@click.option("--distances", is_flag=True, help="With the plies to the end: twice as large.")
@click.option("--threads", type=click.IntRange(min=1), metavar="N", help="Of the processor; all.")
@click.option("--estimate", "only", is_flag=True, help="Say what it would take, and stop there.")
@as_json
def table(
    size: tuple[int, int] | None, distances: bool, threads: int | None, only: bool, as_json: bool
) -> None:
    """Make the table of a board of up to 16 cells: the exact value of every position.

    It says first what it will take. Ctrl-C keeps what is finished, and the same command goes on
    from there. Without a SIZE it lists the tables that there are.

    \b
    Examples:
      dragon nex table 4x4
      dragon nex table 3x5 --distances
      dragon nex table 4x4 --estimate
      dragon nex table
    """
    from dragon_nex.table.files import MOST_CELLS, Folder, Kind, home
    from dragon_nex.table.lookup import estimate

    if size is None:
        _list(as_json)
        return
    kind = Kind(*size, distances)
    if kind.cells > MOST_CELLS:
        raise ConfigError(
            f"{size[0]}x{size[1]} has {kind.cells} cells, and tables have at most {MOST_CELLS}: "
            "the next larger one would take 2 GB; `dragon nex solve` searches instead"
        )
    cost = estimate(kind, threads)
    folder = Folder.open(kind)
    if not as_json:
        click.echo(
            f"{kind.rows}x{kind.cols}: {cost.positions:,} positions, {amount(cost.size)} on disk, "
            f"{amount(cost.memory)} in memory, about {_time(cost.seconds)}"
        )
    if only:
        if as_json:
            print_json({"table": str(kind), "positions": cost.positions, "bytes": cost.size,
                        "memory": cost.memory, "seconds": cost.seconds})  # fmt: skip
        return
    begun = time.perf_counter()
    complete = _make(folder, threads)
    seconds = time.perf_counter() - begun
    if as_json:
        print_json({"table": str(kind), "positions": cost.positions, "bytes": cost.size,
                    "seconds": seconds, "folder": folder.path, "complete": complete})  # fmt: skip
    elif complete:
        click.echo(f"made in {_time(seconds)}: {folder.path}")
    else:
        kept = len(folder.sums)
        click.echo(f"interrupted; {kept} parts are kept, and the same command goes on from there")
    if not complete:
        raise SystemExit(130)
    assert folder.path.is_relative_to(home())


def _make(folder: Folder, threads: int | None) -> bool:
    """Return True if the table is complete; Ctrl-C waits for the parts that are being swept."""
    from dragon_nex.table.lookup import making

    bar = progress_bar(unit=" positions", unit_scale=True)
    try:
        with closing(making(folder, threads)) as stream, bar:
            for progress in stream:
                bar.total = progress.total
                bar.update(progress.done - bar.n)
    except KeyboardInterrupt:
        return False
    except OSError as wrong:  # a full disk, say
        raise ConfigError(
            f"{folder.path}: {wrong.strerror or wrong}; what is finished is kept there, and the "
            "same command goes on from it; DRAGON_DATA may name a folder with more room"
        ) from wrong
    return True


def _list(as_json: bool) -> None:
    from dragon_nex.table.files import tables

    found = list(tables())
    rows = [{"table": str(f.kind), "complete": f.complete, "folder": f.path} for f in found]
    states = (amount(f.kind.size) if f.complete else "unfinished" for f in found)
    cells = [(str(f.kind), s, str(f.path)) for f, s in zip(found, states, strict=True)]
    lines = lined(("table", "size", "folder"), cells, (0, 2)) if found else []
    none = "no table has been made yet; make one with `dragon nex table 3x4`"
    tell(as_json, rows, lines or none)


def amount(size: float) -> str:
    """Bytes in three digits: 132 MB."""
    power = 0
    while size >= 1000 and power < len(UNITS) - 1:
        size, power = size / 1000, power + 1
    return f"{size:.3g} {UNITS[power]}"


def _time(seconds: float) -> str:
    if seconds < 1:
        return "a second"
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
