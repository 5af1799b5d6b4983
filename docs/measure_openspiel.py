"""Try all laws on every game of OpenSpiel that loads with its defaults, and write the table of it.

    python docs/measure_openspiel.py --patience 20 --limit 90

A law may take `patience` seconds, and the laws of one game `limit` seconds together. What was found
is kept in results/openspiel.jsonl, from which a later call goes on; the table is written to
docs/openspiel-games.md.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from dragon.bridges.spiel import OpenSpiel
from dragon.core import Trait
from dragon.errors import ConfigError
from dragon.laws import laws_of
from dragon.laws.apart import verdicts

KEPT = Path("results/openspiel.jsonl")
PAGE = Path(__file__).with_name("openspiel-games.md")
LATE = "no verdict after"


def measured(name: str, patience: float, limit: float) -> dict[str, Any] | None:
    """The row of a game; None where it does not load."""
    game = OpenSpiel(name)
    try:
        traits = sorted(trait.name for trait in game.traits)
    except ConfigError:
        return None
    row: dict[str, Any] = {"game": name, "seats": len(game.teams), "traits": traits}
    row |= {"laws": len([*laws_of(game)]), "held": 0, "late": [], "broken": {}}
    begun, tried = time.monotonic(), set()
    for _, verdict in verdicts(game, [], seconds=patience):
        tried.add(verdict.law)
        if verdict.passed:
            row["held"] += 1
        elif verdict.cause.startswith(LATE):
            row["late"].append(verdict.law)
        else:
            row["broken"][verdict.law] = verdict.message
        if time.monotonic() - begun > limit or verdict.final:
            break
    row["late"] += [law.name for law in laws_of(game) if law.name not in tried]
    return {**row, "seconds": round(time.monotonic() - begun, 1)}


def table(rows: list[dict[str, Any]], patience: float, limit: float) -> Iterator[str]:
    """Yield the lines of the page."""
    perfect = [row for row in rows if Trait.HIDDEN.name not in row["traits"]]
    yield "# The games of OpenSpiel, and dragon's laws"
    yield ""
    yield (
        f"Each game of OpenSpiel that loads with its defaults, and the laws of `dragon laws` that "
        f"it held, within {patience:g} seconds a law and {limit:g} a game, on a machine that "
        "others used. `python docs/measure_openspiel.py` writes this page."
    )
    for kind, some in (("all games", rows), ("with perfect information", perfect)):
        whole = sum(not row["late"] and not row["broken"] for row in some)
        broken = sum(bool(row["broken"]) for row in some)
        yield ""
        yield (f"**{kind.capitalize()}**: {len(some)}; {whole} held every law, {broken} broke one, "
               f"{len(some) - whole - broken} held all that ended in time.")  # fmt: skip
    yield ""
    yield "| game | seats | traits | laws | held | why not |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for row in rows:
        why = [f"`{law}`: {_reason(text)}" for law, text in row["broken"].items()]
        if row["late"]:
            named = ", ".join(f"`{law}`" for law in row["late"][:3])
            more = f" and {len(row['late']) - 3} more" if len(row["late"]) > 3 else ""
            why.append(f"no time: {named}{more}")
        traits = ", ".join(trait.lower() for trait in row["traits"])
        yield (f"| `{row['game']}` | {row['seats']} | {traits} | {row['laws']} | {row['held']} | "
               f"{'; '.join(why)} |")  # fmt: skip


def _reason(message: str) -> str:
    """The line of a verdict that says what was seen, for a cell of a table."""
    seen = next((x for x in message.splitlines() if x.strip().startswith("seen:")), message)
    text = " ".join(seen.strip().removeprefix("seen:").split()).replace("|", "/")
    return text if len(text) <= 120 else text[:117] + "..."


@click.command()
@click.argument("names", nargs=-1)
@click.option("--patience", default=20.0, show_default=True, help="Seconds for a law.")
@click.option("--limit", default=90.0, show_default=True, help="Seconds for a game.")
def main(names: tuple[str, ...], patience: float, limit: float) -> None:
    """Try the laws on NAMES, or on every game, and write the table."""
    import pyspiel

    KEPT.parent.mkdir(exist_ok=True)
    kept = {}
    if KEPT.exists():
        kept = {row["game"]: row for row in map(json.loads, KEPT.read_text().splitlines())}
    for name in names or pyspiel.registered_names():
        if name in kept and name not in names:
            continue
        if (row := measured(name, patience, limit)) is not None:
            kept[name] = row
            with KEPT.open("a") as file:
                file.write(json.dumps(row) + "\n")
            click.echo(f"{name}: {row['held']} of {row['laws']} in {row['seconds']} s")
    PAGE.write_text("\n".join(table([kept[name] for name in sorted(kept)], patience, limit)) + "\n")


if __name__ == "__main__":
    main()
