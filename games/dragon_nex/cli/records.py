"""`dragon nex annotate` and `records`: the worth of each move of games, and who erred how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from attrs import evolve, frozen

from dragon.cli_tools import as_json, followed, tell
from dragon.config import read_text
from dragon.core import Limit
from dragon.errors import ConfigError, DragonError
from dragon_nex.annotation import Ply, annotated, errors, replay
from dragon_nex.cli.options import solver, with_search, with_seconds, with_size
from dragon_nex.game import Nex
from dragon_nex.records import GameRecord, outcome, read_records


@frozen
class Row:
    """One game, replayed."""

    game: GameRecord
    ended: str | None
    """`B`, `W` or `#`; None if the game was not over."""
    problem: str | None = None
    mistakes: tuple[int, int] | None = None
    """Black's and White's; None if they were not counted."""
    unjudged: tuple[int, int] = (0, 0)
    """Black's and White's moves of which it is not known."""


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@with_size
@click.option("--mistakes", is_flag=True, help="Count the moves that threw something away.")
@with_search
@with_seconds
@as_json
def records(
    files: tuple[str, ...],
    size: tuple[int, int] | None,
    mistakes: bool,
    spec: str | None,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Replay the games of files: bare records, a line each, logs with a head, or JSON lists.

    A game that does not replay, or whose result contradicts the board, is reported, and the
    command then ends with exit code 1.

    \b
    Examples:
      dragon nex records games/*.txt
      dragon nex records log.txt --mistakes
      dragon nex records games.txt --size 3x3 --json
    """
    games = [g for file in files for g in read_records(read_text(file, "games"), _name(file))]
    if size is not None:
        games = [evolve(g, size=size) for g in games]
    stream = replayed(games, mistakes, spec, Limit(seconds=seconds))
    rows, interrupted = followed(stream, len(games), "games")
    tell(as_json, [*map(_row_object, rows)], [*map(_row_line, rows), _total(rows, mistakes)])
    if interrupted:
        raise KeyboardInterrupt
    if any(row.problem for row in rows):
        raise SystemExit(1)


def replayed(
    games: list[GameRecord], mistakes: bool, spec: str | None, limit: Limit
) -> Iterator[Row]:
    """Yield each game, replayed by the rules."""
    searches: dict[tuple[int, int], Any] = {}
    for game in games:
        try:
            states = replay(game)
        except DragonError as wrong:
            yield Row(game, None, str(wrong))
            continue
        counted, unknown = None, (0, 0)
        if mistakes:
            if game.board not in searches:
                searches[game.board] = solver(Nex(*game.board), spec)
            plies = list(annotated(states, game.moves, searches[game.board], limit))
            counted, unknown = errors(plies), errors(plies, known=False)
        yield Row(game, outcome(states[-1]), None, counted, unknown)


def _name(file: str) -> str:
    return "stdin" if file == "-" else Path(file).name


def _row_line(row: Row) -> str:
    if row.problem is not None:
        return f"not a game: {row.problem}"
    rows, cols = row.game.board
    players = f"  {row.game.black} - {row.game.white}" if row.game.black or row.game.white else ""
    ended = {"B": "Black won", "W": "White won", "#": "drawn", None: "not over"}[row.ended]
    counted = "" if row.mistakes is None else "  mistakes {} - {}".format(*row.mistakes)
    if sum(row.unjudged):
        counted += f", {sum(row.unjudged)} moves not judged"
    n = len(row.game.moves)
    moves = f"{n} move{'s' * (n != 1)}"
    return f"{row.game.source}: {rows}x{cols}, {moves}, {ended}{counted}{players}"


def _total(rows: list[Row], mistakes: bool) -> str:
    good = [row for row in rows if row.problem is None]
    lines = [f"{len(good)} of {len(rows)} games replay"]
    if mistakes:
        by_name: Counter[str] = Counter()
        moves: Counter[str] = Counter()
        unknown: Counter[str] = Counter()
        for row in good:
            for seat, name in enumerate((row.game.black or "Black", row.game.white or "White")):
                assert row.mistakes is not None
                by_name[name] += row.mistakes[seat]
                unknown[name] += row.unjudged[seat]
                moves[name] += len(row.game.moves[seat::2]) - row.unjudged[seat]
        for name in moves:
            more = f", and {unknown[name]} moves not judged" if unknown[name] else ""
            lines.append(f"{name}: {by_name[name]} mistakes in {moves[name]} moves{more}")
    return "\n".join(lines)


def _row_object(row: Row) -> dict[str, Any]:
    game = row.game
    return {
        "source": game.source, "size": game.board, "black": game.black, "white": game.white,
        "moves": game.moves, "recorded": game.result, "result": row.ended,
        "problem": row.problem, "mistakes": row.mistakes, "unjudged": row.unjudged,
    }  # fmt: skip


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
