"""`dragon prove`: finds what a position is worth, and writes the proof down."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from dragon.cli_tools import (
    as_json,
    check_writable,
    limit_of,
    number,
    progress_bar,
    rate,
    say_caveats,
    show_step,
    tell,
    with_checks,
    with_nodes,
    with_position,
    with_seconds,
    with_seed,
)
from dragon.config import game, position, search
from dragon.core import TERMINAL, Game, Limit
from dragon.errors import GameError, Objection, SearchError
from dragon.jsonable import plain, searched
from dragon.protocols import turn_name

if TYPE_CHECKING:
    from dragon.search.certify import Watch


@click.command()
@click.argument("game_spec", metavar="GAME")
@with_position
@click.option("--out", "file", metavar="FILE", help="Keep the proof in this file.")
@click.option("--search", "search_spec", metavar="SPEC", help="A `dfpn` with other settings.")
@click.option(
    "--most", type=click.IntRange(min=1), metavar="N", help="Positions in a proof; 100,000."
)
@with_nodes
@with_seconds
@with_seed
@with_checks
@as_json
def prove(
    game_spec: str,
    text: str | None,
    file: str | None,
    search_spec: str | None,
    most: int | None,
    seed: int,
    as_json: bool,
    **given: Any,
) -> None:
    """Prove what a position of GAME is worth: a strategy that anybody can replay.

    The search dfpn finds the value, for the seat to move. Then the strategy is written out,
    a move for each position in which the proving side is to move, and replayed by the rules
    of the game alone. A value between the worst and the best has two proofs, of at least and
    of at most. `dragon check` replays a file again. Ctrl-C tells what is known by then.

    \b
    Examples:
      dragon prove "nex(rows=3, cols=4)" --out nex-3x4.proof
      dragon prove tictactoe --position "X../.O./... X" --json
      dragon prove connect4 --position "......./......./......./......./O..OX../XX.XO.O X"
      dragon prove "hex(size=4)" --search "dfpn(megabytes=500)" --seconds 60
    """
    from dragon.search.certify import MOST, Found, settle
    from dragon.search.dfpn.search import DfPn

    of = game(game_spec)
    asked = search(search_spec or "dfpn")
    if not isinstance(asked, DfPn):
        raise Objection(f"{asked} writes no proofs; take dfpn, or leave --search out")
    asked.check(of)
    state = position(of, text, seed)
    if state.turn == TERMINAL:
        raise GameError(f"the game is over in {state}, so there is nothing to prove")
    limit = limit_of(given) or Limit()
    say_caveats([asked], limit)
    if file is not None:
        check_writable(file)
    found, interrupted, stopped = Found(-state.largest, state.largest), False, None
    with watching() as watch:
        try:
            for step in settle(of, state, asked, limit, most or MOST, watch):
                found = step
        except KeyboardInterrupt:
            interrupted = True
        except SearchError as error:
            if isinstance(error, Objection):
                raise
            stopped = error
    done = not interrupted and stopped is None
    if done and file is not None:
        from dragon.certificate import write

        write(file, found.proofs)
    shown = row(of, asked, state, found, file if done else None, done)
    tell(as_json, shown, report(of, shown))
    if interrupted:
        raise KeyboardInterrupt
    if stopped is not None:
        raise stopped


@contextmanager
def watching() -> Iterator[Watch]:
    """A bar on a terminal, which appears after a second, and what moves it."""
    with progress_bar(unit="", unit_scale=True) as bar:

        def watch(doing: str, done: int, unit: str = "positions") -> None:
            bar.unit = f" {unit}"
            show_step(bar, doing, done)

        yield watch


def row(of: Any, asked: Any, state: Any, found: Any, file: str | None, done: bool) -> Any:
    """The result as one JSON object."""
    proofs = [
        {"bound": str(p.bound), "value": p.value, "moves": len(p.moves), "positions": n}
        for p, n in zip(found.proofs, found.positions, strict=True)
    ]
    return plain(
        searched(of, asked, state)
        | {
            "at_least": found.low,
            "at_most": found.high,
            "move": found.move if found.move is None else str(found.move),
            "proofs": proofs,
            "proven": done,
            "nodes": found.nodes,
            "seconds": found.seconds,
            "file": file,
        }
    )


def report(of: Game[Any], row: dict[str, Any]) -> str:
    """Print the result on several lines, for people."""
    low, high = (number(row[key]) for key in ("at_least", "at_most"))
    value = f"= {low}" if low == high else f"from {low} to {high}"
    shown = [
        ("position", f"{row['position']}  ({row['game']})"),
        ("to move", turn_name(of, row["turn"])),
        ("value", value if row["proven"] else f"{value}, without a proof yet"),
        ("move", row["move"] or "-"),
    ]
    for each in row["proofs"]:
        claim = f"{each['bound']} {number(each['value'])}"
        size = f"{each['moves']:,} moves, replayed in {each['positions']:,} positions"
        shown.append(("proof", f"{claim}: {size}"))
    speed = rate(row["nodes"], row["seconds"])
    shown.append(("nodes", f"{row['nodes']:,} in {row['seconds']:.3f} s ({speed:,.0f}/s)"))
    if row["file"] is not None:
        shown.append(("file", row["file"]))
    return "\n".join(f"{name:<9} {text}" for name, text in shown)
