"""The export of records as a table for other programs, one row for each seat of each game."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TextIO

from dragon.core import CHANCE
from dragon.errors import ConfigError, TournamentError
from dragon.files import scratch
from dragon_tournament.formatting import visible
from dragon_tournament.records.attempt import Attempt
from dragon_tournament.records.record import Record
from dragon_tournament.records.replay import Typed, lines_of, replay

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
