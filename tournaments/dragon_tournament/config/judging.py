"""Judging: what a tournament file says of who judges, by which goal, which truth, which rules.

Mistakes are noted, not raised.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from dragon.config import search as build_search
from dragon.core import Game, Search
from dragon.errors import UnknownName
from dragon.plugins import offers
from dragon_tournament.adjudication import Adjudication, Draw, Resign
from dragon_tournament.config.problems import Problems
from dragon_tournament.tournament import Referee, SoloReferee


def referee_of(
    name: str | None, games: Sequence[Game[Any]], instances: bool, problems: Problems
) -> Referee | None:
    """The referee of that name, else the one that suits the games; instances are raced for."""
    known: dict[str, Referee] = {o.value.name: o.value for o in offers("dragon_referees")}
    if name is not None and name not in known:
        problems.add(str(UnknownName("referee", name, known)), at="referee")
        return None
    if not games:
        return None
    if name is not None:
        chosen = known[name]
        if instances and not isinstance(chosen, SoloReferee):
            problems.add(f"a {name} has no instances; take openings, or another one @ referee")
        fits = chosen.allows if isinstance(chosen, SoloReferee) else chosen.suits
        for game in games:
            if not fits(game):
                problems.add(f"{name} cannot judge {game}; leave the key out @ referee")
        return chosen
    for referee in known.values():
        solo = isinstance(referee, SoloReferee) or not instances
        if solo and all(referee.suits(game) for game in games):
            return referee
    race = known.get("race") if instances else None
    if isinstance(race, SoloReferee) and all(race.allows(game) for game in games):
        return race
    which = " and ".join(map(str, games)) if len(games) < 4 else "all the games"
    names = ", ".join(sorted(known)) or "none is installed"
    problems.add(f"no referee suits {which} ({names}) @ game")
    return None


def goal_of(goal: str | None, referee: Any, games: Sequence[Game[Any]], problems: Problems) -> str:
    """The goal that solves an instance; empty where players meet."""
    if not isinstance(referee, SoloReferee) or not games:
        return ""
    for game in games:
        known = referee.goals(game)
        if goal is not None and goal not in known:
            goals = " or ".join(map(repr, known))
            problems.add(f"a {referee.name} of {game} has the goal {goals}, not {goal!r} @ goal")
    usual: str = next((g for g in referee.goals(games[0])
                       if all(g in referee.goals(game) for game in games)), "best")  # fmt: skip
    return goal or usual


def reference_of(
    spec: str, given: bool, referee: Any, games: Sequence[Game[Any]], problems: Problems
) -> Search | None:
    """The search that is trusted: an estimate needs one, a race has one if it is `given`."""
    if not games or not isinstance(referee, SoloReferee):
        return None
    if not given and not referee.needs_reference:
        return None
    search = problems.attempt(build_search, spec, "reference", at="reference")
    for sentence in filter(None, map(search.objection, games)) if search is not None else ():
        problems.add(f"{sentence} @ reference")
    return search


def adjudication_of(
    table: Any, referee: Any, game: Game[Any] | None, searches: Sequence[Search], problems: Problems
) -> Adjudication | None:
    """The rules by which matches between those searches end early, if there are any."""
    own = dict(table) if isinstance(table, dict) else table
    parts: dict[str, Any] = {}
    for key, make, example in (
        ("resign", Resign, "{ value = 0.9, moves = 3 }"),
        ("draw", Draw, "{ value = 0.05, moves = 4 }"),
    ):
        if isinstance(own, dict) and key in own:
            parts[key] = problems.table(make, own.pop(key), f"adjudication.{key}", example)
    found = problems.table(Adjudication, own, "adjudication", "{ proven = true }")
    if found is None:
        return None
    found = attrs.evolve(found, **parts)
    if game is not None and referee is not None:
        if referee.seats(game) is None:
            problems.add(f"{game} is played alone; leave the table out @ adjudication")
            return found
        state = problems.attempt(game.start, 0, at="game")
        for key, sentence in () if state is None else found.objections(game, state, searches):
            problems.add(f"{sentence} @ adjudication{key and '.'}{key}")
    return found
