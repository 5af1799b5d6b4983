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
from dragon.errors import ConfigError, Objection, SearchError
from dragon.protocols import turn_name
from dragon.search.budget import MOST_MEGABYTES

if TYPE_CHECKING:
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
    from dragon.search.retrograde.making import Maker, objection
    from dragon.search.retrograde.table import read

    of = game(game_spec)
    if (sentence := objection(of)) is not None:
        raise Objection(sentence)
    if kept is not None and out is not None:
        raise ConfigError("--out keeps a table that is made, and --from makes none; drop one")
    root: Any = position(of, None, seed)
    asked: Any = position(of, text, seed)
    if out is not None:
        check_writable(out)
    found = None if kept is None else read(kept, root.game)
    told: dict[str, Any] = {"game": str(of)}
    maker, wrong = None, None
    if found is None or verify:
        maker = Maker(root, megabytes)
        begun = time.perf_counter()
        with watching() as watch:
            made = maker.make(watch)
            seconds = time.perf_counter() - begun
            found = made if found is None else found
            if verify:
                wrong = maker.verify(found, watch)
    if wrong is not None:
        raise SearchError(f"the table is wrong about {wrong}, or about what follows it")
    told |= summary(found)
    if maker is not None and kept is None:
        told |= {"seconds": seconds, "rate": rate(len(found), seconds),
                 "megabytes": maker.megabytes_taken}  # fmt: skip
    if out is not None:
        keep(found, out)
    answer, file = found.ask(asked), kept or out
    told |= {"verified": verify, "file": None if file is None else str(file)}
    told |= {
        "position": str(asked), "turn": asked.turn, "value": answer.value,
        "distance": answer.distance, "moves": list(map(str, answer.moves)),
    }  # fmt: skip
    tell(as_json, told, report(of, told))


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


def report(of: Any, told: dict[str, Any]) -> str:
    """The same on several lines, for people."""
    ahead = ", of what is still to come" if told["scores"] else ""
    shown = [
        ("game", told["game"]),
        ("positions", f"{told['positions']:,}: {told['won']:,} won, {told['drawn']:,} drawn, "
                      f"{told['lost']:,} lost by whoever moves{ahead}"),
        ("longest", f"{told['longest']} plies"),
    ]  # fmt: skip
    if told["cycles"]:
        shown.append(("cycles", f"{told['cycles']:,} of the draws are draws by repetition"))
    if "seconds" in told:
        shown.append(("made in", f"{told['seconds']:.3f} s ({told['rate']:,.0f} positions/s, "
                                 f"{told['megabytes']:,.0f} MB)"))  # fmt: skip
    if told["verified"]:
        shown.append(("verified", "every position follows from those after it"))
    if told["file"] is not None:
        shown.append(("file", told["file"]))
    if "value" in told:
        plies = "" if told["distance"] is None else f", in {told['distance']} plies"
        shown += [
            ("position", told["position"]),
            ("to move", turn_name(of, told["turn"])),
            ("value", f"= {number(told['value'])}{plies}"),
            ("best", words(tuple(told["moves"]))),
        ]
    return "\n".join(f"{name:<10} {text}" for name, text in shown)
