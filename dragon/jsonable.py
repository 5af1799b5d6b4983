"""JSON of games, searches and results, the same in commands, pages and plugins."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import attrs

from dragon.config import search
from dragon.core import Bound, Game, Result, Search, State
from dragon.core.spec import settings, summary, title


def plain(value: Any) -> Any:
    """Return `value` in types of JSON: moves as their text, numpy numbers as numbers, no NaN."""
    if value is None or type(value) in (bool, int, str):
        return value
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(v) for v in value]
    if hasattr(value, "tolist"):  # of numpy, which need not be loaded
        return plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return str(value)


def game_object(cls: type[Game[Any]]) -> dict[str, Any]:
    """A game class and its parameters; null for values that depend on a parameter without
    default."""
    parameters = settings(cls)
    usual = None if any(s.required for s in parameters) else cls()
    teams = (cls if usual is None else usual).teams
    teams = teams if isinstance(teams, tuple) else None
    return {
        "name": cls.name,
        "title": title(cls),
        "aliases": list(cls.aliases),
        "summary": summary(cls),
        "seats": None if teams is None else len(teams),
        "teams": teams,
        "traits": None if usual is None else sorted(map(str, usual.traits)),
        "parameters": [plain(attrs.asdict(s)) for s in parameters],
    }


def search_object(cls: type[Search], of: Game[Any] | None = None) -> dict[str, Any]:
    """A search class and its settings; for a game also its objection, and the files that it offers
    to make."""
    fitness = {}
    if of is not None:
        asked = search(cls.name)
        offer = asked.offer(of)
        fitness = {"objection": asked.objection(of), "offer": offer}
    return {
        "name": cls.name,
        "summary": summary(cls),
        "needs": sorted(map(str, cls.needs)),
        "excludes": sorted(map(str, cls.excludes)),
        "proves": cls.proves,
        "limits": sorted(cls.limits),
        "settings": [plain(attrs.asdict(s)) for s in settings(cls)],
        **fitness,
    }


def searched(of: Game[Any], search: Search, state: State[Any]) -> dict[str, Any]:
    """The subject of a search: the first keys of every result."""
    return {"game": str(of), "search": str(search), "position": str(state), "turn": state.turn}


def result_object(
    of: Game[Any], search: Search, state: State[Any], result: Result
) -> dict[str, Any]:
    """Return a result as the object that `dragon solve --json` prints."""
    extra = dict(result.extra)
    if result.error and result.bound is Bound.ESTIMATE:
        extra["error"] = result.error
    return {
        **searched(of, search, state),
        "value": plain(float(result.value)),
        "bound": str(result.bound),
        "move": None if result.move is None else str(result.move),
        "line": [str(move) for move in result.line],
        "nodes": result.nodes,
        "seconds": result.seconds,
        "extra": plain(extra),
    }
