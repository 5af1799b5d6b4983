"""`dragon nex solve`: what a position is worth, and every move that keeps it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from dragon.cli_tools import as_json, followed, print_json, words
from dragon.config import parsed
from dragon.core import TERMINAL, Limit
from dragon.errors import BadNotation
from dragon_nex.annotation import proven
from dragon_nex.cli.options import solver, with_search, with_seconds, with_size
from dragon_nex.records import read_size

if TYPE_CHECKING:
    from dragon import RecordState, Result

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
    from dragon_nex.game import Nex

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
        click.echo(f"{len(optimal)} moves keep that, such as {words(optimal, 8)}")
    else:
        click.echo(f"moves that keep that: {words(optimal, MOST_SHOWN)}")
    click.echo(f"best play: {words(row['line'], 20)}")


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
