"""Play the levels of the Play page against one another, and print a row of a table for each game.

    python docs/measure_levels.py connect4 hex --games 200

Easy meets `random`, Medium meets Easy, and Strong meets Medium, by `dragon tournament`; where a
game has two levels, Strong meets Easy. Without names, all games with two sides are played. Records
are kept in results/levels, and a later call goes on from them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import click

import dragon
from dragon.core import Trait
from dragon.web.lists import Level, scene_of

OUT = Path("results/levels")
RANDOM = Level("random")


def player(name: str, level: Level) -> str:
    """A player of a tournament as TOML."""
    spec = dragon.search(level.search)
    settings = "".join(
        f"{key} = {json.dumps(value)}\n"
        for key, value in (("style", getattr(spec, "style", None)),)
        if value
    )
    limits = (("simulations", level.simulations), ("nodes", level.nodes))
    limit = ", ".join(f"{key} = {value}" for key, value in limits if value)
    return f'[[player]]\nname = "{name}"\nsearch = "{spec.name}"\n{settings}' + (
        f"limit = {{ {limit} }}\n" if limit else ""
    )


def measure(game: str, weaker: str, stronger: str, games: int, workers: int) -> float:
    """The share of points that the stronger level makes against the weaker one."""
    of = scene_of(type(dragon.game(game))).levels
    name = f"{dragon.game(game).name}-{stronger}"
    sides = [player(stronger, of[stronger]), player(weaker, of.get(weaker, RANDOM))]
    OUT.mkdir(parents=True, exist_ok=True)
    file = OUT / f"{name}.toml"
    head = f'name = "{name}"\ngames = {games // 2}\nseed = 1\ngame = "{game}"\n'
    file.write_text(f"{head}[openings]\nrandom = 2\n{''.join(sides)}")
    program = str(Path(sys.executable).with_name("dragon"))
    options = ("--out", str(OUT / name), "--workers", str(workers), "--json")
    command = [program, "tournament", str(file), *options]
    report = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    (row,) = (row for row in report["players"] if row["name"] == stronger)
    return float(row["points"]) / row["played"]


@click.command()
@click.argument("games", nargs=-1)
@click.option("--games", "count", default=200, help="Games of each pair of levels.")
@click.option("--workers", default=1)
def main(games: tuple[str, ...], count: int, workers: int) -> None:
    """Print the share of points of each level against the one below it."""
    duels = [name for name, cls in dragon.games().items() if len(cls.teams) == 2]
    print("| game | Easy : random | Medium : Easy | Strong : Medium |\n| --- | --- | --- | --- |")
    for game in games or duels:
        if Trait.HIDDEN in dragon.game(game).traits:
            continue
        names = ("random", *scene_of(type(dragon.game(game))).levels)
        shares = [f"{100 * measure(game, *pair, count, workers):.0f} %" for pair in pairwise(names)]
        if len(shares) < 3:  # Strong meets the level that there is, or `random`
            gap = ["-"] * (3 - len(shares))
            shares = [*shares[:-1], *gap, f"{shares[-1]}, of {names[-2]}"]
        print(f"| {game} | {' | '.join(shares)} |", flush=True)


if __name__ == "__main__":
    main()
