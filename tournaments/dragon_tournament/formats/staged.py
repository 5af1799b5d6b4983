"""The rounds, places and winner of a staged tournament, by its records alone."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen

from dragon.config import build
from dragon.errors import ConfigError, UnknownName
from dragon_tournament.formats.format import Bout, History, Meetings, StagedFormat, places, totals
from dragon_tournament.formats.registry import find_format, keys_of
from dragon_tournament.formats.swiss import rivals_of
from dragon_tournament.statistics.pairs import Played

Games = Iterable[tuple[int, Played]]
"""Games, each with its number among those of its seats."""
Stages = Mapping[tuple[int, frozenset[str]], Sequence[Played]]
"""The games by round and players."""


@frozen
class Place:
    """The place of a player."""

    place: int
    """The place, counted from 1; players of equal merit share one."""
    name: str
    points: float
    """Those of the complete rounds; a round that the player sat out counts as won."""
    rivals: float
    """The points of its opponents (Buchholz), which order equal points in a Swiss."""


@frozen
class StagedResult:
    """The result so far of a tournament in which results decide who meets next."""

    format: StagedFormat
    rounds: tuple[tuple[Bout, ...], ...]
    """The rounds that are complete; replays of a knockout are rounds of their own."""
    places: tuple[Place, ...]
    """The best first. In a knockout a player that came further is before one that lost earlier."""
    winner: str | None
    """None while it goes on."""

    def titles(self) -> list[str]:
        """The title of each complete round."""
        return self.format.titles(self.rounds)


def staged_result(numbered: Games, about: Mapping[str, Any]) -> StagedResult | None:
    """Return the result by `tournament.json` and the games.

    None for a format that is not staged, or not installed here.
    """
    names = [p["name"] for p in about.get("players", ()) if isinstance(p, dict) and "name" in p]
    games = about.get("games", 0)
    style = _format_of(about, names)
    if style is None or not games or len(names) < 2:
        return None
    played: defaultdict[tuple[int, frozenset[str]], list[Played]] = defaultdict(list)
    for number, game in numbered:
        played[number // int(games), frozenset(game.seats)].append(game)
    met: defaultdict[int, list[frozenset[str]]] = defaultdict(list)
    known = frozenset(names)
    for number, players in played:
        if len(players) == 2 and players <= known:
            met[number].append(players)
    history = rounds_of(played, style.past(names, met), int(games))
    points = totals(history)
    rivals = rivals_of(history, points)
    found: list[Place] = []
    for group in places(style, names, history):
        rank = len(found) + 1
        found += [Place(rank, name, points[name], rivals[name]) for name in group]
    winner = found[0].name if style.over(names, history) else None
    return StagedResult(style, history, tuple(found), winner)


def _format_of(about: Mapping[str, Any], names: Sequence[str]) -> StagedFormat | None:
    """The staged format that `tournament.json` tells of."""
    name = about.get("format")
    if not isinstance(name, str):
        return None
    try:
        cls = find_format(name)
        given = {key: about[key] for key in keys_of(cls) if about.get(key) is not None}
        style = build(cls, given, name) if issubclass(cls, StagedFormat) else None
    except (UnknownName, ConfigError):  # of a plugin that is not here, or has changed
        return None
    return None if style is None else style.fitted(names)


def rounds_of(
    played: Stages, next_round: Callable[[History], Meetings], games: int
) -> tuple[tuple[Bout, ...], ...]:
    """Return the complete rounds; an encounter has `games` in each of its two seatings."""
    found: list[tuple[Bout, ...]] = []
    while meeting := next_round(found):
        stage = [
            bout_of(who, played.get((len(found), frozenset(who)), ()), 2 * games) for who in meeting
        ]
        if None in stage:
            break
        found.append(tuple(bout for bout in stage if bout is not None))
    return tuple(found)


def bout_of(players: tuple[str, ...], played: Iterable[Played], games: int) -> Bout | None:
    """Return the result of an encounter of `games` games; None while it goes on.

    A player that sits out has the points of all of them.
    """
    if len(players) == 1:
        return Bout(players, (float(games),))
    ours = [record for record in played if set(record.seats) == set(players)]
    if len(ours) < games:
        return None
    return Bout(
        players, tuple(math.fsum(r.points[r.seats.index(name)] for r in ours) for name in players)
    )
