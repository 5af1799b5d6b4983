"""`dragon nex solve`, `atlas` and `table`: the worth of a position, of every opening of a board,
and of every position.

An atlas has a small board for each own cell.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import frozen

from dragon.cli_tools import (
    as_json,
    check_stdout,
    followed,
    print_json,
    progress_bar,
    save_picture,
    tell,
    with_picture,
    words,
)
from dragon.columns import filled
from dragon.columns import table as lined
from dragon.config import parsed
from dragon.core import TERMINAL, Limit
from dragon.errors import BadNotation, ConfigError
from dragon.files import STDOUT
from dragon.rules.notation import escape
from dragon_nex.annotation import known, proven
from dragon_nex.board import Board
from dragon_nex.cli.options import SIZE, solver, with_search, with_seconds, with_size
from dragon_nex.game import Nex
from dragon_nex.records import read_size

if TYPE_CHECKING:
    from dragon import RecordState, Result
    from dragon.core import Search
    from dragon_nex.table.files import Folder


MOST_SHOWN = 24


@click.command()
@click.argument("position", required=False)
@with_size
@click.option("--swap", is_flag=True, help="White may take the first move over.")
@with_search
@with_seconds
@as_json
def solve(
    position: str | None,
    size: tuple[int, int] | None,
    swap: bool,
    spec: str | None,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Say who wins a POSITION, in how many plies, and by which moves.

    The size of the board is that of the position; without one it is the empty board of --size.
    Where the search proves nothing in time, the answer is `unknown`, never a guess.

    \b
    Examples:
      dragon nex solve --size 3x4
      dragon nex solve "B../.W?/?.. B" --json
      dragon nex solve "..../.B../..?./.... W" --seconds 60
    """
    rows, cols = size_of(position, size)
    game = Nex(rows, cols, swap)
    state: Any = game.start() if position is None else parsed(game, position)
    if state.turn == TERMINAL:
        _say(state, None, as_json)
        return
    stream = solver(game, spec).results(state, Limit(seconds=seconds))
    found, interrupted = followed(stream, 1, "solving")
    if found:
        _say(state, found[-1], as_json)
    if interrupted:
        raise KeyboardInterrupt


def size_of(position: str | None, size: tuple[int, int] | None) -> tuple[int, int]:
    """The board that a position is written for; raises BadNotation, UsageError."""
    if size is not None:
        return size
    if position is None:
        raise click.UsageError("give a POSITION, or the empty board's --size 3x4")
    board = position.split()[0] if position.split() else ""
    rows = board.split("/")
    if not board or len({len(row) for row in rows}) > 1:
        raise BadNotation(
            f"{position!r} is not a position; write rows of equal length, B, W, ? and . for "
            "the cells, and who moves: `B../.W?/?.. B`"
        )
    return read_size(f"{len(rows)}x{len(rows[0])}", "POSITION")


def _say(state: RecordState, result: Result | None, as_json: bool) -> None:
    row = answer(state, result)
    if as_json:
        print_json(row)
        return
    click.echo(state.picture())
    if result is None:
        return
    click.echo(f"\n{verdict(row)}")
    if row["value"] is None:
        return
    optimal = row["optimal"] or row["line"][:1]
    if len(optimal) > MOST_SHOWN:
        kept = f"{len(optimal)} moves keep that, such as {words(optimal, 8)}"
    else:
        kept = f"moves that keep that: {words(optimal, MOST_SHOWN)}"
    click.echo("\n".join(filled([kept, f"best play: {words(row['line'], 20)}"], 2)))


def answer(state: RecordState, result: Result | None) -> dict[str, Any]:
    """Return the object of `--json`: value and distance for Black, null where not proven."""
    row: dict[str, Any] = {"game": str(state.game), "position": str(state)}
    if result is None:
        return row | {"value": round(state.payoff()[0]), "distance": 0, "line": [], "optimal": []}
    known = proven(state, result)
    return row | {
        "value": known.value,
        "distance": known.distance,
        "line": [str(move) for move in result.line],
        "optimal": [str(move) for move in result.extra.get("optimal", ())],
        "nodes": result.nodes,
        "seconds": result.seconds,
    }


def verdict(row: dict[str, Any]) -> str:
    """The value as a sentence."""
    value, distance = row["value"], row["distance"]
    if value is None:
        return "unknown: the search did not prove it in time"
    if value == 0:
        return "drawn with best play"
    winner = "Black" if value > 0 else "White"
    return f"{winner} wins" + (f" in {distance} plies" if distance else "")


Cell = tuple[int, int]
MARKS = {1: "+", 0: "=", -1: "-", None: "?"}
COLOURS = {1: "#2a2a2e", 0: "#cf6a35", -1: "#f4f1ea", None: "#ddd3c0"}
INK = {1: "#fff8ec", 0: "#fff8ec", -1: "#4a4034", None: "#4a4034"}
SIDE = 26
"""A cell of a small board, in user units."""


@frozen
class Opening:
    """A first move and its value."""

    move: str
    own: Cell
    neutral: Cell
    value: int | None
    """To Black: 1, 0 or -1; None where it is not proven."""
    distance: int | None
    """Plies of the whole game with best play; None for a draw and where it is not known."""


def openings(game: Nex, search: Search, limit: Limit | None = None) -> Iterator[Opening]:
    """Every opening, in the order of the moves; the limit is that of each."""
    start = game.start()
    board = Board(game.rows, game.cols)
    for move in start.moves():
        answer = known(start.after(move), search, limit, moves=False)
        own, neutral = (board.cell(part) for part in move[1:].split("?"))
        assert own is not None
        assert neutral is not None
        plies = None if answer.distance is None else answer.distance + 1
        yield Opening(move, own, neutral, answer.value, plies)


def text(board: Board, found: list[Opening]) -> str:
    """Small boards in rows: B is the own stone, + = - what a neutral cell makes of it."""
    by_cells = {(o.own, o.neutral): MARKS[o.value] for o in found}
    lines = []
    for row in range(board.rows):
        owns = [(row, col) for col in range(board.cols)]
        lines.append("   ".join(f"B{board.name(own)}".ljust(2 * board.cols - 1) for own in owns))
        for r in range(board.rows):
            rows = []
            for own in owns:
                cells = [(r, c) for c in range(board.cols)]
                rows.append(
                    " ".join("B" if c == own else by_cells.get((own, c), "?") for c in cells)
                )
            lines.append("   ".join(rows))
        lines.append("")
    return "\n".join(lines[:-1])


def drawn(board: Board, found: list[Opening], title: str) -> str:
    """Return the atlas as SVG: black cells win for Black, pale ones lose; numbers are plies."""
    wide, high = board.cols * SIDE + 22, board.rows * SIDE + 34
    width, height = board.cols * wide + 22, board.rows * high + 76
    by_own: dict[Cell, list[Opening]] = {cell: [] for cell in board.cells()}
    for opening in found:
        by_own[opening.own].append(opening)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
        f"<title>{escape(title)}</title><style>text{{font-family:'Helvetica Neue',Helvetica,Arial,"
        "sans-serif;text-anchor:middle;font-size:11px}.name{font-size:14px;font-weight:600;"
        "fill:#4a4034}.told{font-size:15px;fill:#4a4034}</style>"
        f'<rect width="{width}" height="{height}" rx="14" fill="#fbf6ec"/>'
        f'<text class="told" x="{width / 2:g}" y="26">{escape(title)}</text>'
    ]
    for own, group in by_own.items():
        x, y = 22 + own[1] * wide, 62 + own[0] * high
        middle = x + board.cols * SIDE / 2
        parts.append(f'<text class="name" x="{middle:g}" y="{y - 7}">B{board.name(own)}</text>')
        for opening in group:
            parts.append(_square(x, y, opening))
        parts.append(
            f'<circle cx="{x + (own[1] + 0.5) * SIDE:g}" cy="{y + (own[0] + 0.5) * SIDE:g}" '
            f'r="{SIDE * 0.36:g}" fill="#0c0c0e"/>'
        )
    parts.append(_legend(width, height))
    return "".join(parts) + "</svg>"


def _square(x: int, y: int, opening: Opening) -> str:
    left, top = x + opening.neutral[1] * SIDE, y + opening.neutral[0] * SIDE
    plies = "" if opening.distance is None else str(opening.distance)
    return (
        f'<rect x="{left + 1}" y="{top + 1}" width="{SIDE - 2}" height="{SIDE - 2}" rx="4" '
        f'fill="{COLOURS[opening.value]}" stroke="#b8a98c"/><text x="{left + SIDE / 2:g}" '
        f'y="{top + SIDE / 2 + 4:g}" fill="{INK[opening.value]}">{plies}</text>'
    )


def _legend(width: int, height: int) -> str:
    shown = [(1, "Black wins"), (0, "drawn"), (-1, "White wins")]
    parts, x = [], width / 2 - 132
    for value, name in shown:
        parts.append(
            f'<rect x="{x:g}" y="{height - 30}" width="14" height="14" rx="3" '
            f'fill="{COLOURS[value]}" stroke="#b8a98c"/><text x="{x + 20:g}" y="{height - 19}" '
            f'fill="#4a4034" style="text-anchor:start">{name}</text>'
        )
        x += 92
    return "".join(parts)


@click.command()
@click.argument("size", type=SIZE)
@with_picture("--svg", "svg", "Draw it there: an .svg or .png; - is SVG on stdout.")
@with_search
@with_seconds
@as_json
def atlas(
    size: tuple[int, int], svg: Path | None, spec: str | None, seconds: float | None, as_json: bool
) -> None:
    """Show the value of every opening: a small board for each cell of the black stone.

    In it each cell has the value of the opening whose neutral stone is there: + wins
    for Black, = draws, - loses, ? is not proven.

    \b
    Examples:
      dragon nex atlas 3x3
      dragon nex atlas 4x4 --out atlas.svg
      dragon nex atlas 3x4 --json
    """
    check_stdout("--out", svg, as_json)
    if svg is not None and not svg.parent.is_dir():  # told now, and not when all is drawn
        raise ConfigError(f"there is no folder {svg.parent} to draw {svg.name} in; make it first")
    game, board = Nex(*size), Board(*size)
    search = solver(game, spec)
    total = board.rows * board.cols * (board.rows * board.cols - 1)
    stream = openings(game, search, Limit(seconds=seconds))
    found, interrupted = followed(stream, total, "openings")
    counts = {value: sum(o.value == value for o in found) for value in (1, 0, -1, None)}
    title = (
        f"Nex {size[0]}x{size[1]}: {counts[1]} openings win, {counts[0]} draw, {counts[-1]} lose"
    )
    if counts[None] or interrupted:
        title += f", {total - len(found) + counts[None]} are not known"
    if svg is not None:
        save_picture(svg, drawn(board, found, title))
    if svg != STDOUT:
        values = {o.move: {"value": o.value, "distance": o.distance} for o in found}
        row = {"game": str(game), "openings": values, "interrupted": interrupted}
        tell(as_json, row, f"{title}\n\n{text(board, found)}")
    if interrupted:
        raise KeyboardInterrupt


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

    It prints the expected time and space first. Ctrl-C keeps what is finished, and the same command
    goes on from there. Without a SIZE it lists the tables that there are.

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
