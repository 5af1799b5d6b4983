"""Records for other programs: matches in PGN and SGF, as `dragon.transcripts` writes them, with
what only records know, and a table with a row for each seat of each game."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TextIO, TypeAlias

from dragon.core import CHANCE, Game
from dragon.errors import ConfigError, TournamentError
from dragon.files import scratch
from dragon.protocols import Form, Transcript, notation_of
from dragon.transcripts import forms_of
from dragon.transcripts.annotation import with_comments
from dragon.transcripts.pgn import Pgn
from dragon.transcripts.replay import Replay, Unsayable
from dragon.transcripts.sgf import Sgf
from dragon_tournament.formats.registry import is_staged
from dragon_tournament.formatting import visible
from dragon_tournament.records.attempt import Attempt
from dragon_tournament.records.record import Reason, Record
from dragon_tournament.records.replay import Typed, game_of, lines_of, replay, replayed, unfit

RESULTS: dict[tuple[float, ...], str] = {
    (1.0, 0.0): "1-0",
    (0.0, 1.0): "0-1",
    (0.5, 0.5): "1/2-1/2",
}
"""The result in PGN by the points of White and of Black."""
WON: dict[tuple[float, ...], str] = {(1.0, 0.0): "B+", (0.0, 1.0): "W+", (0.5, 0.5): "Draw"}
"""The result in SGF by the points of the first seat, which is Black, and of the second."""
TERMINATION = {
    Reason.TERMINAL: "normal",
    Reason.RESIGNED: "normal",  # by a player itself; see Record.judged
    Reason.TIMEOUT: "time forfeit",
    Reason.ILLEGAL: "rules infraction",
    Reason.FALSE_CLAIM: "rules infraction",
    Reason.CRASH: "abandoned",
}
"""The value of PGN's tag Termination for a reason, if the referee did not end the game."""
MARGINS = {
    Reason.RESIGNED: "R",
    Reason.TIMEOUT: "T",
    Reason.ILLEGAL: "F",
    Reason.FALSE_CLAIM: "F",
    Reason.CRASH: "F",
}
"""The text after the winner's colour in SGF: resigned, on time, forfeit."""

Settings: TypeAlias = Mapping[str, Any]
"""The settings of a tournament, as `tournament.json` has them."""
UNKNOWN: Settings = {}
Judge: TypeAlias = Callable[[Game[Any], Replay, Form], Mapping[int, str]]
"""A function that gives the comment on each move by its number, as a form writes it."""


def to_pgn(
    record: Record, about: Settings = UNKNOWN, typed: Typed | None = None,
    judge: Judge | None = None, shorten: Callable[[str], object] | None = None,
) -> str:  # fmt: skip
    """A game with its tags, as text that ends in an empty line; typed: as for `game_of`.

    about: the settings of its tournament. shorten: called with the reason where PGN cannot say the
    moves, so that the tags and the result alone are returned.

    Raises ConfigError for a game that PGN cannot say, Unplayable where it cannot be replayed.
    """
    game = _match("PGN", record, typed)
    form = next(each for each in forms_of(game) if isinstance(each, Pgn))
    points = record.points if form.white == 0 else record.points[::-1]
    tags = {
        "Event": str(about.get("name") or "?"),
        **({"Date": record.date.replace("-", ".")} if record.date else {}),
        **_round(record, about),
        "Variant": record.game,
        "PlyCount": str(len(record.opening) + len(record.moves)),
        "Termination": "adjudication" if record.judged else TERMINATION[record.reason],
        **_time_controls(
            record, about, ("White", "Black") if form.white == 0 else ("Black", "White")
        ),
        "GameId": record.id,
    }
    return _written(
        "PGN", form, game, record, RESULTS.get(points, "*"), tags, typed, judge, shorten
    )


def _round(record: Record, about: Settings) -> dict[str, str]:
    """Return the tag of the round: the game's number, in a staged format after its stage."""
    if record.index is None:
        return {}
    games = about.get("games")
    if isinstance(games, int) and games > 0 and is_staged(about.get("format")):
        stage, game = divmod(record.index, games)
        return {"Round": f"{stage + 1}.{game + 1}"}
    return {"Round": str(record.index + 1)}


def _time_controls(record: Record, about: Settings, colours: tuple[str, str]) -> dict[str, str]:
    """Return the tags of the time that the players had: one if it was the same for both.

    A clock is `40/60+0.5`, a limit in seconds `1/0.1` (one move in so much), anything else `-`.
    """
    tables = {table["name"]: table for table in about.get("players", ())}
    if not all(name in tables for name in record.seats):
        return {}
    found = [_time_control(tables[name]) for name in record.seats]
    if len({*found}) == 1:
        return {"TimeControl": found[0]}
    return {f"{c}TimeControl": time for c, time in sorted(zip(colours, found, strict=True))[::-1]}


def _time_control(player: Mapping[str, Any]) -> str:
    clock, seconds = player.get("clock"), player["limit"].get("seconds")
    if clock is not None:
        moves = f"{clock['moves']}/" if clock.get("moves") else ""
        gain = f"+{clock['increment']:g}" if clock.get("increment") else ""
        return f"{moves}{clock['seconds']:g}{gain}"
    return "-" if seconds is None else f"1/{seconds:g}"


def to_sgf(
    record: Record, about: Settings = UNKNOWN, typed: Typed | None = None,
    judge: Judge | None = None,
) -> str:  # fmt: skip
    """A game as a tree of one branch, on one line; typed: as for `game_of`.

    A game without a form of its own has the number of gomoku, on whose boards stones are put and
    never taken away, or that of Hex. Raises ConfigError for a game that is not a placing of stones,
    Unplayable where it cannot be replayed.
    """
    game = _match("SGF", record, typed)
    slant = bool(getattr(notation_of(game), "slant", False))
    other = Sgf(game.name, 11 if slant else 4, lettered=slant)
    form = next((each for each in forms_of(game) if isinstance(each, Sgf)), other)
    result = WON.get(record.points, "?")
    result += MARGINS.get(record.reason, "") if result.endswith("+") else ""
    tags = {
        "Name": record.id, "Rules": record.game, "Event": str(about.get("name", "")),
        **({"Date": record.date} if record.date else {}), **_round(record, about),
    }  # fmt: skip
    return _written("SGF", form, game, record, result, tags, typed, judge)


def comments(record: Record) -> dict[int, str]:
    """The comment on each move from its record, by its ply from 1: `+0.31/12 0.520s n=12345`.

    The value is for the seat that moved. Records without values or work do not have comments.
    """
    found = {}
    blank = (None,) * len(record.moves)
    traces = zip(record.values or blank, record.work or blank, strict=True)
    for ply, (value, work) in enumerate(traces, len(record.opening) + 1):
        said = "" if value is None else f"{value:+.6g}"
        if work is not None:
            depth, nodes, seconds = work
            said += f"{'' if depth is None else f'/{depth}'} {seconds:.3f}s n={nodes}"
        if said := said.strip():
            found[ply] = said
    return found


def _match(kind: str, record: Record, typed: Typed | None) -> Game[Any]:
    """Return the game of a match of two seats; raises ConfigError for another record."""
    if len(record.seats) != 2 or record.attempts:
        raise unfit(kind, record, "it is not a match of two seats")
    return game_of(record, typed)


def _written(
    kind: str, form: Pgn | Sgf, game: Game[Any], record: Record, result: str,
    tags: Mapping[str, str], typed: Typed | None, judge: Judge | None,
    shorten: Callable[[str], object] | None = None,
) -> str:  # fmt: skip
    played, _ = replayed(record, typed)
    start = str(played.states[0])
    transcript = Transcript(
        record.game, played.moves, start if start != str(game.start(0)) else "", 0,
        tuple(map(visible, record.seats)), result,
        {key: visible(value) for key, value in tags.items()},
        comments(record),
    )  # fmt: skip
    if judge is not None:
        transcript = with_comments(transcript, judge(game, played, form))
    try:
        return form.text(game, played, transcript)
    except Unsayable as wrong:
        if shorten is not None and isinstance(form, Pgn):
            shorten(str(wrong))
            return form.headers(played, transcript)
        raise unfit(kind, record, str(wrong)) from wrong


Cell = str | int | float | bool | None
COLUMNS = {
    "number": "BIGINT", "id": "VARCHAR", "game": "VARCHAR", "seat": "BIGINT", "player": "VARCHAR",
    "team": "BIGINT", "points": "DOUBLE", "score": "DOUBLE", "reason": "VARCHAR",
    "failed": "BOOLEAN", "nodes": "BIGINT", "seconds": "DOUBLE", "plies": "BIGINT",
    "position": "VARCHAR", "opening": "VARCHAR", "moves": "VARCHAR", "deal": "BIGINT",
    "seed": "BIGINT", "instance": "VARCHAR", "truth": "DOUBLE", "value": "DOUBLE",
    "claim": "VARCHAR", "first": "DOUBLE", "best": "DOUBLE", "proof": "DOUBLE",
    "solved": "DOUBLE",
}  # fmt: skip
"""The columns and their types in SQL. `moves` and `opening` are JSON lists; what follows `seed`
only races and estimates have."""

SAID = ("id", "game", "position", "deal", "seed", "instance", "truth")
TIMES = ("first", "best", "proof", "solved")
ABSENT = "\\N"
"""The stand-in for a missing value on the way to Parquet, where an empty text is a value."""


def rows(records: Iterable[Record]) -> Iterator[dict[str, Cell]]:
    """A row for each seat of each record; `moves` is the seat's own line where it was alone.

    What a record does not say is None, or an empty text.
    """
    for number, record in enumerate(records, 1):
        alone = any(isinstance(move, tuple) for move in record.moves)
        for seat, player in enumerate(record.seats):
            moves = record.moves[seat] if alone else record.moves
            attempt = record.attempts[seat] if record.attempts else Attempt()
            yield {
                "number": number,
                "seat": seat,
                "player": player,
                "team": int(record.teams[seat]),
                "points": float(record.points[seat]),
                "score": float(record.scores[seat]),
                "reason": str(record.reason),
                "failed": seat in record.failed,
                "nodes": int(record.nodes[seat]),
                "seconds": float(record.seconds[seat]),
                "plies": len(record.opening) + len(moves),
                "opening": json.dumps(record.opening, ensure_ascii=False),
                "moves": json.dumps(moves, ensure_ascii=False),
                **{key: getattr(record, key) for key in SAID},
                **{key: getattr(attempt, key) for key in TIMES},
                "value": attempt.value,
                "claim": str(attempt.claim),
            }


def to_csv(table: Iterable[dict[str, Cell]], file: TextIO) -> None:
    """The table with a head, in the dialect of spreadsheets.

    Control characters are escaped, and a text that a spreadsheet would take for a formula
    begins with an apostrophe.
    """
    _write(({key: _plain(cell) for key, cell in row.items()} for row in table), file, "")


def _plain(cell: Cell) -> Cell:
    if not isinstance(cell, str):
        return cell
    text = visible(cell)
    return f"'{text}" if len(text) > 1 and text[0] in "=+-@" else text


def _write(table: Iterable[dict[str, Cell]], file: TextIO, absent: str) -> None:
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    for row in table:
        writer.writerow([absent if row[key] is None else row[key] for key in COLUMNS])


def to_parquet(table: Iterable[dict[str, Cell]], path: Path) -> None:
    """The table as a Parquet file, by duckdb or by pandas, whichever is installed.

    Raises ConfigError where neither is, OSError where there can be no such file, and
    TournamentError where it cannot be written for another reason.
    """
    if find_spec("duckdb"):
        write = _by_duckdb
    elif find_spec("pandas") and (find_spec("pyarrow") or find_spec("fastparquet")):
        write = _by_pandas
    else:
        raise ConfigError(
            "Parquet needs duckdb, or pandas with pyarrow, and neither is installed; "
            "`pip install duckdb`, or take --to csv"
        )
    with path.open("ab"):  # the system's own words
        pass
    write(table, path)


def _by_pandas(table: Iterable[dict[str, Cell]], path: Path) -> None:
    import pandas  # type: ignore[import-not-found, import-untyped, unused-ignore]

    kinds = {"DOUBLE": "float64", "BIGINT": "int64", "BOOLEAN": "bool", "VARCHAR": "str"}
    frame = pandas.DataFrame(table, columns=list(COLUMNS))
    frame = frame.astype({key: kinds[kind] for key, kind in COLUMNS.items()})
    try:
        frame.to_parquet(path, index=False)
    except OSError as wrong:
        raise TournamentError(f"cannot write {path}: {wrong}; give another --out") from None


def _by_duckdb(table: Iterable[dict[str, Cell]], path: Path) -> None:
    import duckdb  # type: ignore[import-not-found, import-untyped, unused-ignore]

    with scratch() as folder:
        between = folder / "games.csv"
        with between.open("w", encoding="utf-8", newline="") as file:
            _write(table, file, ABSENT)
        try:
            read = duckdb.read_csv(str(between), header=True, dtype=COLUMNS, na_values=ABSENT)
            read.write_parquet(str(path))
        except duckdb.Error as wrong:
            reason = str(wrong).splitlines()[0]
            raise TournamentError(f"cannot write {path}: {reason}; give another --out") from None


def to_table(record: Record, typed: Typed | None = None) -> dict[str, Any]:
    """A game as JSON has it; raises Unplayable where it cannot be replayed.

    typed: as for `game_of`.

    `lines` has one line of all seats together, or of a race one of each seat that found any.
    """
    lines = []
    for seat, _ in lines_of(record):
        start, *steps = replay(record, seat, typed)
        lines.append(
            {
                "seat": seat,
                "position": str(start.state),
                "moves": [
                    {
                        "move": step.move,
                        "seat": None if step.mover == CHANCE else step.mover,
                        "opening": step.given,
                    }
                    for step in steps
                ],
                "end": str((steps or [start])[-1].state),
            }
        )
    return {
        "id": record.id,
        "game": record.game,
        "players": list(record.seats),
        "points": list(record.points),
        "scores": list(record.scores),
        "reason": str(record.reason),
        "lines": lines,
    }
