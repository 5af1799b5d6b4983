"""`dragon nex records`: reads files of games, replays them, and counts who erred how often."""

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
from dragon.errors import DragonError
from dragon_nex.annotation import annotated, errors, replay
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

    A game that does not replay, or whose result is not what the board says, is told, and the
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
    tell(as_json, [*map(_plain, rows)], [*map(_line, rows), _total(rows, mistakes)])
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


def _line(row: Row) -> str:
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


def _plain(row: Row) -> dict[str, Any]:
    game = row.game
    return {
        "source": game.source, "size": game.board, "black": game.black, "white": game.white,
        "moves": game.moves, "recorded": game.result, "result": row.ended,
        "problem": row.problem, "mistakes": row.mistakes, "unjudged": row.unjudged,
    }  # fmt: skip
