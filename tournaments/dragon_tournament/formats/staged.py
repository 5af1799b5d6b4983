"""Event: what a Swiss or a knockout has come to, round by round, from its records alone."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen

from dragon_tournament.formats import knockout
from dragon_tournament.formats.bout import Bout, bout_of, totals
from dragon_tournament.statistics.pairs import Played

STAGED = ("swiss", "knockout")  # the formats in which results decide who meets next

History = Sequence[Sequence[Bout]]
Games = Iterable[tuple[int, Played]]  # games, each with its number among those of its seats
Stages = Mapping[tuple[int, frozenset[str]], Sequence[Played]]
"""The games by round and players."""
Next = Callable[[History], Sequence[tuple[str, ...]]]
"""Who meets whom after the rounds so far; one alone sits out."""


@frozen
class Place:
    """The place of a player."""

    place: int
    """From 1; who cannot be told apart share one."""
    name: str
    points: float
    """Those of the rounds that are complete; who sits one out has all of its points."""
    rivals: float
    """The points of its opponents (Buchholz), which order those of equal points in a Swiss."""


@frozen
class StagedResult:
    """A Swiss or a knockout."""

    style: str
    rounds: tuple[tuple[Bout, ...], ...]
    """The rounds that are complete; replays of a knockout are rounds of their own."""
    places: tuple[Place, ...]
    """The best first. In a knockout who came further is before who lost earlier."""
    winner: str | None
    """None while it goes on."""

    def titles(self) -> list[str]:
        """The title of each round: its number, and a note if it replays the ties of the last."""
        found: list[str] = []
        number, before = 0, set[tuple[str, ...]]()
        for stage in self.rounds:
            players = {bout.players for bout in stage}
            again = self.style == "knockout" and players <= before
            number += not again
            found.append(f"{number} (replay)" if again else f"{number}")
            before |= players
        return found


def staged_result(numbered: Games, about: Mapping[str, Any]) -> StagedResult | None:
    """Return the stages by `tournament.json` and the games; None for another format."""
    style = about.get("format")
    names = [p["name"] for p in about.get("players", ()) if isinstance(p, dict) and "name" in p]
    games = about.get("games", 0)
    if style not in STAGED or not games or len(names) < 2:
        return None
    rounds, replays = int(about.get("rounds", 0)), int(about.get("replays", 0))
    played: defaultdict[tuple[int, frozenset[str]], list[Played]] = defaultdict(list)
    for number, game in numbered:
        played[number // int(games), frozenset(game.seats)].append(game)
    if style == "swiss":
        history = rounds_of(played, _met(names, rounds, played), int(games))
    else:
        history = rounds_of(
            played, lambda found: knockout.state(names, found, replays).next, int(games)
        )
    points = totals(history)
    rivals = _rivals(history, points)
    if style == "swiss":
        order = sorted(names, key=lambda name: (-points[name], -rivals[name]))
        first: dict[tuple[float, float], int] = {}
        merits = [(points[name], rivals[name]) for name in order]
        ranks = [first.setdefault(merit, rank) for rank, merit in enumerate(merits)]
        winner = order[0] if len(history) == rounds else None
    else:
        state = knockout.state(names, history, replays)
        groups, winner = state.placing, state.champion
        order = [name for group in groups for name in group]
        ranks = [sum(map(len, groups[:k])) for k, group in enumerate(groups) for _ in group]
    places = [
        Place(rank + 1, name, points[name], rivals[name])
        for rank, name in zip(ranks, order, strict=True)
    ]
    return StagedResult(style, history, tuple(places), winner)


def _met(names: Sequence[str], rounds: int, played: Stages) -> Next:
    """The meetings of a complete round of a Swiss, the best placed first.

    The games tell it, for pairing the players again takes long where they are very many.
    """
    stages: defaultdict[int, list[frozenset[str]]] = defaultdict(list)
    known = frozenset(names)
    for number, players in played:
        if len(players) == 2 and players <= known:
            stages[number].append(players)
    points: defaultdict[str, float] = defaultdict(float)

    def follow(history: History) -> list[tuple[str, ...]]:
        met = stages[len(history)]
        if len(history) == rounds or len(met) < len(names) // 2:
            return []
        for name, made in totals(history[-1:]).items():
            points[name] += made
        order = sorted(range(len(names)), key=lambda i: (-points[names[i]], i))
        place = {names[i]: rank for rank, i in enumerate(order)}
        found = [tuple(sorted(two, key=place.__getitem__)) for two in met]
        out = place.keys() - {name for two in found for name in two}
        return [*sorted(found, key=lambda two: place[two[0]]), *((name,) for name in out)]

    return follow


def rounds_of(played: Stages, next_round: Next, games: int) -> tuple[tuple[Bout, ...], ...]:
    """The rounds that are complete; an encounter has `games` in each of its two seatings."""
    found: list[tuple[Bout, ...]] = []
    while meeting := next_round(found):
        stage = [
            bout_of(who, played.get((len(found), frozenset(who)), ()), 2 * games) for who in meeting
        ]
        if None in stage:
            break
        found.append(tuple(bout for bout in stage if bout is not None))
    return tuple(found)


def _rivals(history: Iterable[Sequence[Bout]], points: Mapping[str, float]) -> dict[str, float]:
    """The points of everybody's opponents in all; who sits out meets itself, as it were."""
    rivals: defaultdict[str, list[float]] = defaultdict(list)
    for stage in history:
        for bout in stage:
            for name in bout.players:
                other = next((n for n in bout.players if n != name), name)
                rivals[name].append(points[other])
    return defaultdict(float, {name: math.fsum(made) for name, made in rivals.items()})
