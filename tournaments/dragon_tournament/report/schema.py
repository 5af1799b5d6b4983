"""A report as plain data, for report.json; docs/tournament-reports.md explains every key."""

from __future__ import annotations

import math
from typing import Any

import attrs

from dragon_tournament.formats.staged import StagedResult
from dragon_tournament.report.summary import Report
from dragon_tournament.report.table import values
from dragon_tournament.report.tables import finite, places, regrets, standings
from dragon_tournament.statistics.contest import (
    Contest,
    Solver,
    best_known,
    name_of,
    solved,
    verdict,
)
from dragon_tournament.statistics.elo import elo
from dragon_tournament.statistics.pairs import Meeting
from dragon_tournament.statistics.rating import Rating
from dragon_tournament.statistics.sprt import Verdict
from dragon_tournament.statistics.standings import Payoffs

COUNTS = ("played", "planned", "drawn", "identical", "graded")
SCHEMA = 2
"""The version of the format: it grows when a key goes or changes its meaning, not for a new one."""


def to_json(report: Report) -> dict[str, Any]:
    """The report as plain data: text, numbers, lists and tables, without infinite numbers."""
    return {
        "schema": SCHEMA,
        "name": report.name,
        **{key: report.about.get(key) for key in ("game", "referee", "format", "version")},
        **{key: getattr(report, key) for key in COUNTS},
        "reasons": report.reasons,
        "players": values(standings(report)),
        "pairings": [
            {
                "seats": list(r.seats), "played": r.played, "won": list(r.won), "drawn": r.drawn,
                "payoffs": [round(p / r.played, 6) for p in r.payoffs] if report.graded else None,
            }
            for r in report.rows
        ],
        "meetings": [_meeting(met, report.payoffs) for met in report.meetings],
        "first_seat": None if report.advantage is None else _elo(report.advantage),
        "sprt": None if report.verdict is None else _verdict(report.verdict),
        "event": None if report.staged is None else _staged(report.staged),
        "openings": [attrs.asdict(opening) for opening in report.openings],
        "regret": values(regrets(report)) if report.regrets else None,
        "race": None if report.contest is None else _contest(report.contest),
        "happenings": [
            {"what": str(found.what), "count": found.count, "told": found.sentence}
            for found in report.incidents
        ],
        "records": report.records,
    }  # fmt: skip


def _elo(rating: Rating) -> dict[str, float | None]:
    return {"elo": round(rating.elo, 2), "elo_error": finite(rating.error)}


def _staged(staged: StagedResult) -> dict[str, Any]:
    return {
        "winner": staged.winner,
        "places": values(places(staged)),
        "titles": staged.titles(),
        "rounds": [[attrs.asdict(bout) for bout in stage] for stage in staged.rounds],
    }


def _contest(race: Contest) -> dict[str, Any]:
    return {
        "sought": str(race.sought),
        "goal": race.goal,
        "tolerance": race.tolerance,
        "verdict": list(verdict(race)),
        "solvers": [
            {
                **{a.name: getattr(solver, a.name) for a in attrs.fields(Solver)},
                "cost": solver.cost if math.isfinite(solver.cost) else None,
                "profile": race.profile(solver.name),
                "cactus": race.cactus(solver.name),
                "anytime": race.anytime.get(solver.name, []),
            }
            for solver in race.solvers
        ],
        "instances": [
            {
                "name": name_of(record, number),
                "game": record.game,
                "best": best_known(record),
                "solved": {
                    name: seconds if math.isfinite(seconds := solved(record, seat)) else None
                    for seat, name in enumerate(record.seats)
                },
            }
            for number, record in enumerate(race.records, 1)
        ],
    }


def _paid(payoffs: Payoffs, of: tuple[str, ...]) -> dict[str, float | None]:
    """A mean payoff and half of its 95% interval, None where they are not known."""
    paid = payoffs.get(of)
    error = None if paid is None else paid.error
    return {
        "payoff": None if paid is None else round(paid.mean, 6),
        "payoff_error": None if error is None else round(error, 6),
    }


def _meeting(met: Meeting, payoffs: Payoffs) -> dict[str, Any]:
    found = elo(met.samples)
    assert found is not None  # a meeting has games
    one, other = (met.first, met.second), (met.second, met.first)
    return {
        "players": list(one),
        "payoffs": [_paid(payoffs, two) for two in (one, other)] if payoffs else None,
        **{key: getattr(met, key) for key in ("played", "won", "drawn", "lost", "observations")},
        "score": round(found.score, 6),
        "elo": finite(found.elo),
        "elo_low": finite(found.low),
        "elo_high": finite(found.high),
        "superiority": None if found.superiority is None else round(found.superiority, 6),
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    lower, upper = verdict.sprt.bounds
    return {
        **attrs.asdict(verdict.sprt),
        "llr": round(verdict.llr, 6),
        "lower": round(lower, 6),
        "upper": round(upper, 6),
        "scores": list(verdict.sample.values),
        "counts": [int(n) for n in verdict.sample.counts],
        "accepted": verdict.accepted or None,
        "ended": verdict.ended or None,
    }
