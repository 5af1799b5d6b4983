"""`dragon table`: what every position of a game is worth, made, verified, kept and asked."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dragon.cli_tools import (
    Number,
    as_json,
    check_writable,
    number,
    progress_bar,
    rate,
    tell,
    with_checks,
    with_position,
    with_seed,
    words,
)
from dragon.config import game, position
from dragon.core import TERMINAL
from dragon.errors import ConfigError, GameError, Objection, SearchError
from dragon.protocols import turn_name
from dragon.search.budget import MOST_MEGABYTES

if TYPE_CHECKING:
    from dragon.rules.record import RecordState
    from dragon.search.retrograde.making import Watch
    from dragon.search.retrograde.table import Table


@click.command()
@click.argument("game_spec", metavar="GAME")
@with_position
@click.option("--out", metavar="FILE", type=Path, help="Keep the table in this file.")
@click.option(
    "--from", "kept", metavar="FILE", type=Path, help="Ask the table in this file, make none."
)
@click.option("--verify", is_flag=True, help="Check every position against those after it.")
@click.option(
    "--megabytes", type=Number(min=1, max=MOST_MEGABYTES), default=1024, metavar="MB",
    help="What making it may take (1024).",
)  # fmt: skip
@with_seed
@with_checks
@as_json
def table(
    game_spec: str,
    text: str | None,
    out: Path | None,
    kept: Path | None,
    verify: bool,
    megabytes: float,
    seed: int,
    as_json: bool,
) -> None:
    """Find what every position is worth that GAME can come to, by retrograde analysis.

    All positions are listed from the start, then settled from the ends backwards: wins and
    losses with their distance, and draws, those by repetition included. Then the start, or
    --position, is looked up, with all its best moves. Games of two sides by Rules have tables,
    without chance and with nothing hidden. A table that does not fit into --megabytes is refused.

    \b
    Examples:
      dragon table tictactoe
      dragon table "hex(size=4)" --verify --out hex4.table
      dragon table "hex(size=4)" --from hex4.table --position "..../.X../..../.... O"
      dragon table "breakthrough(rows=5, columns=3)" --json
    """
    from dragon.search.retrograde.making import objection

    of = game(game_spec)
    if (sentence := objection(of)) is not None:
        raise Objection(sentence)
    if kept is not None and out is not None:
        raise ConfigError("--out keeps a table that is made, and --from makes none; drop one")
    root: Any = position(of, None, seed)
    asked: Any = position(of, text, seed)
    if asked.turn == TERMINAL:
        raise GameError(f"the game is over in {asked}, and tables leave such positions out")
    if out is not None:
        check_writable(out)
    found, cost = obtained(root, kept, verify, megabytes)
    if out is not None:
        keep(found, out)
    answer, file = found.ask(asked), kept or out
    row = {"game": str(of), **summary(found), **cost, "verified": verify}
    row |= {
        "file": None if file is None else str(file), "position": str(asked), "turn": asked.turn,
        "value": answer.value, "distance": answer.distance, "moves": list(map(str, answer.moves)),
    }  # fmt: skip
    tell(as_json, row, report(of, row))


def obtained(
    root: RecordState, kept: Path | None, verify: bool, megabytes: float
) -> tuple[Table, dict[str, float]]:
    """The table, read or made, and what making it took; raises SearchError for a wrong one."""
    from dragon.search.retrograde.making import Maker
    from dragon.search.retrograde.table import read

    found = None if kept is None else read(kept, root.game)
    if found is not None and not verify:
        return found, {}
    maker = Maker(root, megabytes)
    cost = {}
    with watching() as watch:
        begun = time.perf_counter()
        made = maker.make(watch)  # for a file's table, the list of positions is what counts
        if found is None:
            seconds = time.perf_counter() - begun
            cost = {"seconds": seconds, "rate": rate(len(made), seconds),
                    "megabytes": maker.megabytes_taken}  # fmt: skip
        found = found or made
        wrong = maker.verify(found, watch) if verify else None
    if wrong is not None:
        raise SearchError(f"the table is wrong about {wrong}, or about what follows it")
    return found, cost


def keep(found: Table, out: Path) -> None:
    """Writes the file; raises ConfigError where that cannot be done."""
    try:
        found.write(out)
    except OSError as wrong:
        raise ConfigError(
            f"cannot write {out}: {wrong.strerror or wrong}; give another path"
        ) from wrong


@contextmanager
def watching() -> Iterator[Watch]:
    """A bar on a terminal; after Ctrl-C, a line on how far it was."""
    at = "", 0
    with progress_bar(unit=" positions", unit_scale=True) as bar:

        def watch(doing: str, done: int, total: int | None) -> None:
            nonlocal at
            at = doing, done
            if bar.disable:
                return
            if doing != bar.desc.removesuffix(": "):
                bar.reset(total)
                bar.set_description(doing)
            bar.update(done - bar.n)

        try:
            yield watch
        except KeyboardInterrupt:
            bar.close()
            click.echo(f"interrupted while {at[0]}, at {at[1]:,} positions; none is kept", err=True)
            raise


def summary(found: Table) -> dict[str, Any]:
    """What there is in a table."""
    won, drawn, lost = found.won_drawn_lost
    return {"positions": len(found), "won": won, "drawn": drawn, "lost": lost,
            "longest": found.longest, "cycles": found.cycles, "scores": found.scores}  # fmt: skip


def report(of: Any, row: dict[str, Any]) -> str:
    """The same on several lines, for people."""
    ahead = ", of what is still to come" if row["scores"] else ""
    shown = [
        ("game", row["game"]),
        ("positions", f"{row['positions']:,}: {row['won']:,} won, {row['drawn']:,} drawn, "
                      f"{row['lost']:,} lost by whoever moves{ahead}"),
        ("longest", f"{row['longest']} plies"),
    ]  # fmt: skip
    if row["cycles"]:
        shown.append(("cycles", f"{row['cycles']:,} of the draws are draws by repetition"))
    if "seconds" in row:
        shown.append(("made in", f"{row['seconds']:.3f} s ({row['rate']:,.0f} positions/s, "
                                 f"{row['megabytes']:,.0f} MB)"))  # fmt: skip
    if row["verified"]:
        shown.append(("verified", "every position follows from those after it"))
    if row["file"] is not None:
        shown.append(("file", row["file"]))
    if "value" in row:
        plies = "" if row["distance"] is None else f", in {row['distance']} plies"
        shown += [
            ("position", row["position"]),
            ("to move", turn_name(of, row["turn"])),
            ("value", f"= {number(row['value'])}{plies}"),
            ("best", words(tuple(row["moves"]))),
        ]
    return "\n".join(f"{name:<10} {text}" for name, text in shown)
