"""`dragon nex annotate`: what each move of a game was worth, mistakes marked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from attrs import evolve

from dragon.cli_tools import as_json, followed, tell
from dragon.config import read_text
from dragon.core import Limit
from dragon.errors import ConfigError
from dragon_nex.annotation import Ply, annotated, errors, replay
from dragon_nex.cli.options import solver, with_search, with_seconds, with_size
from dragon_nex.game import Nex

VALUES = {1: "Black wins", 0: "drawn", -1: "White wins", None: "unknown"}


@click.command()
@click.argument("record")
@click.option("--game", "number", type=click.IntRange(min=1), metavar="N",
              help="The game of a file with several; the first if not given.")  # fmt: skip
@with_size
@with_search
@with_seconds
@as_json
def annotate(
    record: str,
    number: int | None,
    size: tuple[int, int] | None,
    spec: str | None,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Say what a game's value was after every move, and which moves were mistakes.

    RECORD is a file or the moves themselves with a semicolon after each, and - is stdin. Where
    it does not tell the size of the board, that is the smallest square with all its cells.

    \b
    Examples:
      dragon nex annotate "Ba3?b1;Wa1?a2;Bc1?c2;Wb2?b3;Bb3Bc2?c1;B"
      dragon nex annotate games.txt --game 3 --json
    """
    from dragon_nex.records import read_records

    source, text = _read(record)
    games = read_records(text, source)
    count = f"{len(games)} game{'s' * (len(games) > 1)}"
    if number is not None and number > len(games):
        raise ConfigError(f"{source} has {count}, and no game {number}")
    if number is None and len(games) > 1:
        others = f"--game N takes another, up to --game {len(games)}"
        click.echo(f"note: {source} has {count}, and this is the first; {others}", err=True)
    game = games[(number or 1) - 1]
    if size is not None:
        game = evolve(game, size=size)
    states = replay(game)
    nex = Nex(*game.board)
    stream = annotated(states, game.moves, solver(nex, spec), Limit(seconds=seconds))
    plies, interrupted = followed(stream, len(game.moves), "plies")
    mistakes = "mistakes: Black {}, White {}".format(*errors(plies))
    if missed := len(game.moves) - len(plies) + sum(errors(plies, known=False)):
        mistakes += f", {missed} move{'s' * (missed > 1)} not judged"
    row = _plain(str(nex), plies) | {"interrupted": interrupted}
    tell(as_json, row, [str(nex), *map(_line, plies), mistakes])
    if interrupted:
        raise KeyboardInterrupt


def _read(record: str) -> tuple[str, str]:
    if ";" in record:
        return "the record", record
    if record == "-" or (record and Path(record).exists()):
        return ("stdin" if record == "-" else record), read_text(record, "a game")
    if record[:1] in "BbWw?" and record[1:2].isalpha():
        return "the record", record
    raise ConfigError(f"{record!r} is neither a file nor a game; write Ba3?b1;Wa1?a2;... or a file")


def _line(ply: Ply) -> str:
    verdict = VALUES[ply.after]
    if ply.distance:
        verdict += f" in {ply.distance}"
    mark = ""
    if ply.mistake:
        best = ", ".join(ply.best[:3]) + (" ..." if len(ply.best) > 3 else "")
        mark = f"  ?? {ply.lost}; better {best}"
    return f"{ply.number:3}  {ply.move:12} {verdict}{mark}"


def _plain(game: str, plies: list[Ply]) -> dict[str, Any]:
    black, white = errors(plies)
    return {
        "game": game,
        "plies": [
            {"move": p.move, "value": p.after, "distance": p.distance, "mistake": p.mistake,
             "best": p.best}
            for p in plies
        ],
        "mistakes": {"black": black, "white": white},
    }  # fmt: skip
