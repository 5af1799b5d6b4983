"""The figures of a report, computed once from the records of a tournament."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import field, frozen

from dragon import config
from dragon.errors import DragonError
from dragon_tournament import tournament
from dragon_tournament.formats.staged import StagedResult, staged_result
from dragon_tournament.records.event_log import Incident, IncidentSummary, summarised
from dragon_tournament.records.record import Reason, Record
from dragon_tournament.records.replay import RECORD
from dragon_tournament.statistics.contest import Contest, contest
from dragon_tournament.statistics.pairs import Meeting, Played
from dragon_tournament.statistics.rating import Rating, ratings
from dragon_tournament.statistics.skill import Skill, available, skills
from dragon_tournament.statistics.sprt import Verdict
from dragon_tournament.statistics.standings import (
    Payoffs,
    Row,
    Standing,
    crosstable,
    graded,
    meetings,
    payoffs,
    standings,
)
from dragon_tournament.statistics.tally import Kind, Tally


@frozen
class Opening:
    """The results of the games that began with the same moves."""

    moves: tuple[str, ...]
    game: str
    """The spec of the game it was played in."""
    played: int
    points: tuple[float, ...]
    """The points of each seat in all, over all players."""
    drawn: int
    """The number of games in which no player took the whole point."""

    @property
    def score(self) -> float:
        """The mean points of the first seat."""
        return self.points[0] / self.played

    @property
    def tilt(self) -> float:
        """The distance of the best seat's mean from an even share; 0 if the opening is fair."""
        return max(self.points) / self.played - sum(self.points) / self.played / len(self.points)


@frozen
class Report:
    """The figures of a report."""

    name: str
    players: tuple[Standing, ...]
    """The strongest first; in a race the order of its solvers."""
    ratings: dict[str, Rating]
    skills: dict[str, Skill]
    """Ratings by openskill if the tournament asks for them, else empty."""
    rows: tuple[Row, ...]
    records: str
    """The path of the records."""
    payoffs: Payoffs = field(factory=dict)
    """Mean payoffs, which order the players, if the game is graded, else empty."""
    meetings: tuple[Meeting, ...] = ()
    """The results of every two players against each other."""
    advantage: Rating | None = None
    """The advantage of the first of two seats in Elo, if it is known."""
    verdict: Verdict | None = None
    """The state of the test, if there is one."""
    openings: tuple[Opening, ...] = ()
    """The results of the given openings, the most decisive first."""
    reasons: dict[Reason, int] = field(factory=dict)
    """Why the games ended."""
    identical: int = 0
    """The number of games that equal an earlier one, move for move and seat for seat."""
    planned: int | None = None
    """The number of games that there are to be in all, if known."""
    staged: StagedResult | None = None
    """The rounds and places of a staged format, such as a Swiss; None for other formats."""
    contest: Contest | None = None
    """The results of a race or an estimate; None where players meet."""
    incidents: tuple[IncidentSummary, ...] = ()
    """The events besides the games: workers that died, interruptions, games that failed."""
    about: Mapping[str, Any] = field(factory=dict)
    """The settings in tournament.json; empty if they are not known."""

    @property
    def played(self) -> int:
        """The number of games on record."""
        return sum(self.reasons.values())

    @property
    def exploited(self) -> Mapping[str, float]:
        """The exploitability of players; empty if the file does not ask for it."""
        known = self.about.get("exploited", {})
        return {name: loss for name, loss in known.items() if isinstance(loss, int | float)}

    @property
    def regrets(self) -> Mapping[str, Mapping[str, Any]]:
        """The figures of the moves of each player, as `regret.regrets` has them; else empty."""
        found = self.about.get("regrets")
        return found if isinstance(found, dict) else {}

    @property
    def solo(self) -> bool:
        """Return True if the players never meet, as in a race."""
        return self.contest is not None

    @property
    def graded(self) -> bool:
        """Return True if payoffs say more than the winner."""
        return bool(self.payoffs)

    @property
    def failures(self) -> int:
        """The number of games that a player lost by a failure of its own."""
        return sum(sum(player.failures.values()) for player in self.players)

    @property
    def drawn(self) -> int:
        """The number of games in which no player took the whole point."""
        return sum(row.drawn for row in self.rows)


def names_in(about: Mapping[str, Any]) -> list[str]:
    """The players that the settings name."""
    return [player["name"] for player in about.get("players", ())]


def report(
    tally: Tally,
    about: Mapping[str, Any],
    path: Path,
    seatings: Iterable[tuple[str, ...]] = (),
    incidents: Iterable[Incident] = (),
    records: Sequence[Record] = (),
) -> Report:
    """The report of the records at `path` by their tally; `seatings` give the order of rows.

    `about`: the settings in tournament.json, if known; `incidents`: those of the event log.
    `records`: all of them, which races and skills need.
    """
    names = list(dict.fromkeys([*names_in(about), *tally.names]))
    rated = ratings(tally, names)
    wanted = about.get("rating") == "openskill" and available()
    skilled = skills(records, names) if wanted else {}
    solo = tally.solo
    paid = payoffs(tally) if not solo and is_graded(about, tally.kinds) else {}
    race = contest(records, names, about) if solo else None
    staged = staged_result(tally.numbered(), about)
    order = [p.name for p in staged.places] if staged else []
    order += [solver.name for solver in race.solvers] if race else []
    place = {name: i for i, name in enumerate(order)}
    players = sorted(
        standings(tally, names),
        key=lambda p: (place.get(p.name, 0), rank(rated.players, paid, skilled, p)),
    )
    return Report(
        name=str(about.get("name") or path.parent.name or path.stem),
        players=tuple(players),
        ratings=rated.players,
        skills=skilled,
        rows=tuple(crosstable(tally, seatings)),
        records=str(path),
        payoffs=paid,
        meetings=tuple(meetings(tally, names)),
        advantage=None if solo else rated.first_seat,
        openings=() if solo else tuple(openings(tally)),
        reasons=tally.reasons,
        identical=0 if solo else tally.identical,
        planned=about.get("total"),
        staged=staged,
        contest=race,
        incidents=tuple(summarised(incidents, tally.broken)),
        about=about,
    )


def is_dealt(about: Mapping[str, Any], spec: str) -> bool:
    """Return True if deals differ, by the settings, else by the game if it is installed."""
    given = about.get("dealt")
    if isinstance(given, bool):
        return given
    try:
        return tournament.is_dealt(config.game(spec, elsewhere=RECORD))
    except DragonError:
        return True


def is_graded(about: Mapping[str, Any], games: Iterable[Played]) -> bool:
    """Return True if payoffs say more than the winner, by the settings, else by the games."""
    given = about.get("graded")
    return given if isinstance(given, bool) else graded(games)


def rank(
    rated: Mapping[str, Rating], paid: Payoffs, skilled: Mapping[str, Skill], player: Standing
) -> tuple[float, float, float, float, str]:
    """The order of players: by mean payoffs and skills, if any, then Elo, points, names.

    Figures are rounded, so that rounding errors do not decide. Players without a payoff come last.
    """
    name = player.name
    worst = math.inf if paid else 0.0
    return (
        -round(paid[name,].mean, 9) if (name,) in paid else worst,
        -skilled[name].skill if skilled else 0.0,
        -round(rated[name].elo, 6),
        -round(player.points, 6),
        name,
    )


def openings(tally: Tally) -> list[Opening]:
    """The results of the openings given beforehand, the most decisive first."""
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
