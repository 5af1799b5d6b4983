"""Judging: what a tournament file says of who judges, by which goal, which truth, which rules.

Mistakes are noted, not raised.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import attrs

from dragon.config import search as build_search
from dragon.core import Game, Search
from dragon.plugins import offers
from dragon_tournament.adjudication import Adjudication, Draw, Resign
from dragon_tournament.config.problems import Problems
from dragon_tournament.statistics.sprt import Sprt


def referees() -> list[Any]:
    """Every installed referee, first-party ones last."""
    return [offer.value for offer in offers("dragon_referees")]


def referee_of(
    name: str | None, games: Sequence[Game[Any]], instances: bool, problems: Problems
) -> Any:
    """The referee of that name, else the one that suits the games; instances are raced for."""
    known = {referee.name: referee for referee in referees()}
    names = ", ".join(sorted(known)) or "none is installed"
    if name is not None and name not in known:
        close = get_close_matches(name, known, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        problems.add(f"no referee called {name!r}{hint} ({names}) @ referee")
        return None
    if not games:
        return None
    if name is not None:
        chosen = known[name]
        if instances and not hasattr(chosen, "goals"):
            problems.add(f"a {name} has no instances; take openings, or another one @ referee")
        fits = getattr(chosen, "allows", chosen.suits)
        for game in games:
            if not fits(game):
                problems.add(f"{name} cannot judge {game}; leave the key out @ referee")
        return chosen
    for referee in known.values():
        solo = hasattr(referee, "goals") or not instances
        if solo and all(referee.suits(game) for game in games):
            return referee
    race = known.get("race") if instances else None
    if race is not None and all(race.allows(game) for game in games):
        return race
    told = " and ".join(map(str, games)) if len(games) < 4 else "all the games"
    problems.add(f"no referee suits {told} ({names}) @ game")
    return None


def goal_of(goal: str | None, referee: Any, games: Sequence[Game[Any]], problems: Problems) -> str:
    """What solves an instance; empty where players meet."""
    if not hasattr(referee, "goals") or not games:
        return ""
    for game in games:
        known = referee.goals(game)
        if goal is not None and goal not in known:
            told = " or ".join(map(repr, known))
            problems.add(f"a {referee.name} of {game} has the goal {told}, not {goal!r} @ goal")
    usual: str = next((g for g in referee.goals(games[0])
                       if all(g in referee.goals(game) for game in games)), "best")  # fmt: skip
    return goal or usual


def reference_of(
    spec: str, given: bool, referee: Any, games: Sequence[Game[Any]], problems: Problems
) -> Search | None:
    """The search that is trusted: an estimate needs one, a race has one if it is `given`."""
    needed = getattr(referee, "needs_reference", False)
    if not games or not (needed or (given and hasattr(referee, "goals"))):
        return None
    search = problems.attempt(build_search, spec, "reference", at="reference")
    for sentence in filter(None, map(search.objection, games)) if search is not None else ():
        problems.add(f"{sentence} @ reference")
    return search


def sprt_of(table: Any, problems: Problems) -> Sprt | None:
    """The test, if there is one."""
    if table is None:
        return None
    return problems.table(Sprt, table, "sprt", "{ elo0 = 0, elo1 = 5 }")


def adjudication_of(
    table: Any,
    referee: Any,
    game: Game[Any] | None,
    searches: Sequence[Search],
    problems: Problems,
) -> Adjudication | None:
    """The rules by which matches between those searches end early, if there are any."""
    if table is None:
        return None
    example = "{ proven = true }"
    own = dict(table) if isinstance(table, dict) else table
    parts: dict[str, Any] = {}
    for key, make, sample in (
        ("resign", Resign, "{ value = 0.9, moves = 3 }"),
        ("draw", Draw, "{ value = 0.05, moves = 4 }"),
    ):
        if isinstance(own, dict) and key in own:
            parts[key] = problems.table(make, own.pop(key), f"adjudication.{key}", sample)
    found = problems.table(Adjudication, own, "adjudication", example)
    if found is not None:
        found = attrs.evolve(found, **parts)
    if found is not None and game is not None and referee is not None:
        if referee.seats(game) is None:
            problems.add(f"{game} is played alone; leave the table out @ adjudication")
            return found
        state = problems.attempt(game.start, 0, at="game")
        for key, sentence in () if state is None else found.objections(game, state, searches):
            problems.add(f"{sentence} @ adjudication{key and '.'}{key}")
    return found
