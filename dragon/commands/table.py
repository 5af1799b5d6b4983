"""`dragon table`: the value of every position of a game: tables made, verified, kept and looked
up."""

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
    show_step,
    tell,
    with_checks,
    with_position,
    with_seed,
    words,
)
from dragon.columns import fields
from dragon.config import game, position
from dragon.core import TERMINAL
from dragon.errors import ConfigError, GameError, Objection, SearchError, cannot_write
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
@click.option("--keep", is_flag=True, help="Keep it in the data folder, for the search `table`.")
@click.option(
    "--from", "kept", metavar="FILE", type=Path, help="Ask the table in this file, make none."
)
@click.option("--verify", is_flag=True, help="Check every position against those after it.")
@click.option(
    "--megabytes", type=Number(min=1, max=MOST_MEGABYTES), default=1024, metavar="MB",
    help="The memory that making it may take (1024).",
)  # fmt: skip
@click.option(
    "--threads", type=click.IntRange(1, 1024), metavar="N",
    help="Threads that verify it, and make it where positions have numbers (as many as cores).",
)  # fmt: skip
@click.option(
    "--list", "listed", is_flag=True,
    help="List the positions from the start, though the game numbers them.",
)  # fmt: skip
@with_seed
@with_checks
@as_json
def table(
    game_spec: str,
    text: str | None,
    out: Path | None,
    keep: bool,
    kept: Path | None,
    verify: bool,
    megabytes: float,
    threads: int | None,
    listed: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Find the value of every position of GAME, by retrograde analysis (an endgame table of the
    whole game).

    All positions are listed from the start, or numbered by the game's rule rank, then settled from
    the ends backwards: wins and losses with their distance, and draws, those by repetition
    included. Then the start, or --position, is looked up, with all its best moves. Games of two
    sides by Rules have tables, without chance and with nothing hidden.

    The search `table` plays from FILE by its setting path, and without it from what --keep keeps.

    With --out, what is done is kept beside FILE every minute, and the same command goes on there
    after it was stopped or killed. Codes of numbered positions that do not fit into --megabytes
    lie on the disk, beside FILE; a list that does not fit is refused.

    \b
    Examples:
      dragon table tictactoe
      dragon table "hex(size=4)" --verify --out hex4.table
      dragon table "hex(size=4)" --from hex4.table --position "..../.X../..../.... O"
      dragon table "breakthrough(rows=5, columns=3)" --json
      dragon table teeko --out teeko.table --threads 2
      dragon table tictactoe --keep
    """
    from dragon.search.retrograde.making import objection
    from dragon.search.retrograde.table import kept_file

    of = game(game_spec)
    if (sentence := objection(of)) is not None:
        raise Objection(sentence)
    if keep and (out is not None or kept is not None):
        raise ConfigError("--keep names the file itself; drop --out and --from, or --keep")
    if kept is not None and out is not None:
        raise ConfigError("--out keeps a table that is made, and --from makes none; drop one")
    root: Any = position(of, None, seed)
    asked: Any = position(of, text, seed)
    if asked.turn == TERMINAL:
        raise GameError(f"the game is over in {asked}, and tables leave such positions out")
    if keep:
        out = kept_file(of)
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
        except OSError as wrong:
            raise cannot_write(out, wrong) from wrong
    if out is not None:
        check_writable(out)
    with watching(out) as watch:
        found, cost = obtained(root, kept, out, verify, megabytes, threads, listed, watch)
        if out is not None:
            write(found, out)
    answer, file = found.ask(asked), kept or out
    if cost:
        cost["rate"] = rate(len(found), cost["seconds"])
    row = {"game": str(of), **summary(found), **cost, "verified": verify}
    row |= {
        "file": None if file is None else str(file), "position": str(asked), "turn": asked.turn,
        "value": answer.value, "distance": answer.distance, "moves": list(map(str, answer.moves)),
    }  # fmt: skip
    tell(as_json, row, report(of, row))


def obtained(
    root: RecordState,
    kept: Path | None,
    out: Path | None,
    verify: bool,
    megabytes: float,
    threads: int | None,
    listed: bool,
    watch: Watch,
) -> tuple[Table, dict[str, Any]]:
    """Return the table, read from `kept` or made to be written to `out`, and the cost of that.

    Raises SearchError for a wrong one.
    """
    from dragon.search.retrograde.making import Maker
    from dragon.search.retrograde.table import read

    found, cost = None if kept is None else read(kept, root), dict[str, Any]()
    if found is not None and not verify:
        return found, cost
    maker = Maker(root, megabytes, threads, out, listed, table=found)
    if found is None:
        begun = time.perf_counter()
        found = maker.make(watch)
        cost = {"seconds": time.perf_counter() - begun, "megabytes": maker.megabytes_taken,
                "resumed": maker.resumed}  # fmt: skip
    if verify and (wrong := maker.verify(found, watch)) is not None:
        raise SearchError(f"the table is wrong about {wrong}, or about what follows it")
    return found, cost


def write(found: Table, out: Path) -> None:
    """Write a table, and remove its checkpoint; raises ConfigError."""
    from dragon.search.retrograde.table import clear

    try:
        found.write(out)
    except OSError as wrong:
        raise cannot_write(out, wrong) from wrong
    clear(out)


@contextmanager
def watching(out: Path | None) -> Iterator[Watch]:
    """Show a bar on a terminal; after Ctrl-C say how far it was, and if a checkpoint is kept."""
    at = "", 0
    with progress_bar(unit=" positions", unit_scale=True) as bar:

        def watch(doing: str, done: int, total: int | None) -> None:
            nonlocal at
            at = doing, done
            show_step(bar, doing, done, total)

        try:
            yield watch
        except KeyboardInterrupt:
            from dragon.search.retrograde.table import UNFINISHED, beside

            bar.close()
            kept = out is not None and beside(out, UNFINISHED).exists()
            left = "the last checkpoint is kept" if kept else "none is kept"
            click.echo(f"interrupted while {at[0]}, at {at[1]:,} positions; {left}", err=True)
            raise


def summary(found: Table) -> dict[str, Any]:
    """Return the counts of a table, for JSON."""
    won, drawn, lost = found.won_drawn_lost
    return {"positions": len(found), "won": won, "drawn": drawn, "lost": lost,
            "longest": found.longest, "cycles": found.cycles, "scores": found.scores}  # fmt: skip


def report(of: Any, row: dict[str, Any]) -> str:
    """Return a table's counts and an answer on several lines."""
    ahead = ", of what is still to come" if row["scores"] else ""
    shown = [
        ("game", row["game"]),
        ("positions", f"{row['positions']:,}: {row['won']:,} won, {row['drawn']:,} drawn, "
                      f"{row['lost']:,} lost by the side to move{ahead}"),
        ("longest", f"{row['longest']} plies"),
    ]  # fmt: skip
    if row["cycles"]:
        shown.append(("cycles", f"{row['cycles']:,} of the draws are draws by repetition"))
    if "seconds" in row:
        shown.append(("made in", f"{row['seconds']:.3f} s ({row['rate']:,.0f} positions/s, "
                                 f"{row['megabytes']:,.0f} MB)"))  # fmt: skip
    if row.get("resumed"):
        shown.append(("resumed", "from the last checkpoint, after which this was measured"))
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
    return "\n".join(fields(shown))
