"""Survey: how a tournament of very many games stands, told without holding their records.

It is the report of all records, or none: what cannot be had exactly from counts is left to who
holds them. A race is told instance by instance and has few, so it is among the latter.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from dragon_tournament.formats.event import STAGED
from dragon_tournament.records.diary import Incident, happenings
from dragon_tournament.records.record import SCHEMA
from dragon_tournament.report.summary import Opening, Report, is_graded, rank
from dragon_tournament.statistics.pairs import compare, sample_of
from dragon_tournament.statistics.payoffs import payoffs_of
from dragon_tournament.statistics.rating import Rating, lead, rated, rated_by_units, scored
from dragon_tournament.statistics.skill import available
from dragon_tournament.statistics.tally import Kind, Tally, crosstable_of, meetings_of, standings_of

EVERY = 10_000
"""Lines between two reports of progress."""


class Unfit(Exception):
    """Records that can only be told with all of them at hand."""


def survey(
    path: Path,
    about: Mapping[str, Any],
    progress: Callable[[int], Any] | None = None,
    incidents: Iterable[Incident] = (),
) -> Report | None:
    """The same report as that of all records, of matches; but without the verdict of a test.

    None where the records must be held: of races, rounds that depend on results, ratings that
    depend on the order, or where a line occurs twice or is none.
    """
    skilled = about.get("rating") == "openskill" and available()
    if about.get("format") in STAGED or skilled:
        return None
    try:
        tally = count(path, progress)
    except Unfit:
        return None
    given = about.get("players", [])
    names = [p["name"] for p in given if isinstance(p, dict) and "name" in p]
    return report_of(tally, names, path, about, incidents)


def count(path: Path, progress: Callable[[int], Any] | None = None) -> Tally:
    """The tally of a file's complete lines; raises Unfit."""
    import numpy as np

    tally, ids = Tally(), array("q")
    scan = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
    add, keep = tally.add_line, ids.append
    passed = 0
    with path.open(encoding="utf-8", newline="\n") as file:
        try:
            for line in file:
                if not line.endswith("\n"):
                    break  # it is still being written
                table, end = scan(line, 0)
                if end != len(line) - 1:
                    raise Unfit
                if table.get("schema", 1) != SCHEMA or _solo(table):
                    raise Unfit
                add(table)
                keep(hash(table["id"]))
                passed += len(line)
                if progress is not None and len(ids) % EVERY == 0:
                    progress(passed)
                    passed = 0
        except (ValueError, TypeError, KeyError, StopIteration, RecursionError):
            # who reads it anew tells its line
            raise Unfit from None
    if tally.doubtful or len(np.unique(np.frombuffer(ids, np.int64))) < len(ids):
        raise Unfit
    return tally


def _solo(table: Mapping[str, Any]) -> bool:
    """Whether each seat worked alone, as `is_solo` tells of a record."""
    moves = table["moves"]
    return bool(table.get("attempts")) or len(table["seats"]) < 2 or list in map(type, moves)


def report_of(
    tally: Tally,
    names: list[str],
    path: Path,
    about: Mapping[str, Any],
    incidents: Iterable[Incident] = (),
) -> Report:
    """The report of a tally of matches."""
    names = list(dict.fromkeys([*names, *tally.names]))
    met = meetings_of(tally, names)
    score = scored(tally.games, names)
    if any(len(kind.seats) > 2 for kind in tally.kinds):
        elo = rated_by_units(names, score, tally.units)
    else:
        elo = rated(names, score, met)
    paid = {}
    if is_graded(about, tally.kinds):
        paid = payoffs_of(tally.kinds, tally.which, tally.observed)
    players = sorted(standings_of(tally, names), key=partial(rank, elo, paid, {}))
    total = about.get("total")
    return Report(
        name=str(about.get("name") or path.parent.name or path.stem),
        players=tuple(players),
        ratings=elo,
        skills={},
        rows=tuple(crosstable_of(tally)),
        records=str(path),
        payoffs=paid,
        meetings=tuple(met),
        advantage=advantage_of(tally, names),
        openings=tuple(openings_of(tally)),
        reasons=tally.reasons,
        planned=total if isinstance(total, int) else None,
        happenings=tuple(happenings(incidents, tally.broken)),
        about=about,
    )


def advantage_of(tally: Tally, names: list[str]) -> Rating | None:
    """What the first seat is worth; None where nobody has met the same player in both."""
    import numpy as np

    place = {name: i for i, name in enumerate(names)}
    ours = [(kind, n) for kind, n in tally.games if _two(kind)]
    whole: dict[float, int] = {}
    for pair, n in tally.pairs:
        if not _two(pair[0]):
            continue
        made = round(sum(compare(kind, 0, 1) for kind in pair) / 2, 9)
        whole[made] = whole.get(made, 0) + n
    if not whole:
        return None
    alone: dict[float, int] = {}
    for kind, n in tally.single:
        if _two(kind):
            made = compare(kind, 0, 1)
            alone[made] = alone.get(made, 0) + n
    wins, games = np.zeros((len(names),) * 2), np.zeros((len(names),) * 2)
    for kind, n in ours:
        a, b = (place[name] for name in kind.seats)
        wins[a, b] += n * compare(kind, 0, 1)
        games[a, b] += n
    units = [sample_of(whole, 2), *([sample_of(alone, 1)] if alone else [])]
    return lead(wins, games, units)


def _two(kind: Kind) -> bool:
    return len(kind.seats) == 2 and kind.seats[0] != kind.seats[1]


def openings_of(tally: Tally) -> list[Opening]:
    """What the openings given beforehand led to, the most decisive first."""
    games: dict[tuple[str, tuple[str, ...]], list[tuple[Kind, int]]] = {}
    for (game, opening, number), n in tally.begun.items():
        games.setdefault((game, opening), []).append((tally.kinds[number], n))
    found = [
        Opening(
            moves=moves,
            game=game,
            played=sum(n for _, n in kinds),
            points=tuple(
                sum(n * kind.points[i] for kind, n in kinds)
                for i in range(min(len(kind.seats) for kind, _ in kinds))
            ),
            drawn=sum(n for kind, n in kinds if max(kind.points) < 1),
        )
        for (game, moves), kinds in games.items()
    ]
    return sorted(found, key=lambda o: (-o.tilt, -o.played, o.moves))
