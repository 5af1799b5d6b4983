"""Schema: a report as plain data. docs/tournament-reports.md tells every key."""

from __future__ import annotations

import math
from typing import Any

import attrs

from dragon_tournament.report.rounds import to_table
from dragon_tournament.report.summary import Report
from dragon_tournament.statistics.anytime import best_known
from dragon_tournament.statistics.contest import Contest, Solver, name_of, verdict
from dragon_tournament.statistics.elo import elo
from dragon_tournament.statistics.pairs import Meeting
from dragon_tournament.statistics.payoffs import Payoffs
from dragon_tournament.statistics.profile import solved
from dragon_tournament.statistics.sprt import Verdict

SCHEMA = 2
"""The version of the format: it grows when a key goes or changes its meaning, not for a new one."""


def to_json(report: Report) -> dict[str, Any]:
    """The report as plain data: text, numbers, lists and tables; nothing infinite."""
    return {
        "schema": SCHEMA,
        "name": report.name,
        **{key: report.about.get(key) for key in ("game", "referee", "format", "version")},
        "played": report.played,
        "planned": report.planned,
        "drawn": report.drawn,
        "identical": report.identical,
        "graded": report.graded,
        "reasons": {str(reason): count for reason, count in report.reasons.items()},
        "players": [
            {
                "name": p.name,
                **_paid(report.payoffs, (p.name,)),
                "points": p.points,
                "played": p.played,
                "won": p.won,
                "drawn": p.drawn,
                "lost": p.lost,
                "elo": round(report.ratings[p.name].elo, 2),
                "elo_error": _finite(report.ratings[p.name].error),
                "skill": None if not report.skills else round(report.skills[p.name].skill, 4),
                "skill_error": None
                if not report.skills
                else round(report.skills[p.name].error, 4),
                "seconds": round(p.seconds, 6),
                "nodes": p.nodes,
                "failures": {str(reason): count for reason, count in p.failures.items()},
            }
            for p in report.players
        ],
        "pairings": [
            {
                "seats": list(r.seats), "played": r.played, "won": list(r.won), "drawn": r.drawn,
                "payoffs": [round(p / r.played, 6) for p in r.payoffs] if report.graded else None,
            }
            for r in report.rows
        ],
        "meetings": [_meeting(met, report.payoffs) for met in report.meetings],
        "first_seat": None
        if report.advantage is None
        else {
            "elo": round(report.advantage.elo, 2),
            "elo_error": _finite(report.advantage.error),
        },
        "sprt": None if report.verdict is None else _verdict(report.verdict),
        "event": None if report.event is None else to_table(report.event),
        "openings": [
            {
                "game": o.game, "moves": list(o.moves), "played": o.played,
                "points": list(o.points), "drawn": o.drawn,
            }
            for o in report.openings
        ],
        "race": None if report.contest is None else _contest(report.contest),
        "happenings": [
            {"what": str(h.what), "count": h.count, "told": h.told} for h in report.happenings
        ],
        "records": report.records,
    }  # fmt: skip


def _contest(told: Contest) -> dict[str, Any]:
    return {
        "sought": str(told.sought),
        "goal": told.goal,
        "tolerance": told.tolerance,
        "verdict": list(verdict(told)),
        "solvers": [
            {
                **{a.name: getattr(solver, a.name) for a in attrs.fields(Solver)},
                "cost": solver.cost if math.isfinite(solver.cost) else None,
                "profile": told.profile(solver.name),
                "cactus": told.cactus(solver.name),
                "anytime": told.anytime.get(solver.name, []),
            }
            for solver in told.solvers
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
            for number, record in enumerate(told.records, 1)
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
        "players": [met.first, met.second],
        "payoffs": [_paid(payoffs, two) for two in (one, other)] if payoffs else None,
        "played": met.played,
        "won": met.won,
        "drawn": met.drawn,
        "lost": met.lost,
        "observations": met.observations,
        "score": round(found.score, 6),
        "elo": _finite(found.elo),
        "elo_low": _finite(found.low),
        "elo_high": _finite(found.high),
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


def _finite(value: float | None) -> float | None:
    """Rounded, or None where it is not known or nothing bounds it: JSON has no infinity."""
    return round(value, 2) if value is not None and math.isfinite(value) else None
