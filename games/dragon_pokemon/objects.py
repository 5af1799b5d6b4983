"""Answers as the objects that `--json` prints and the web page shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from dragon_pokemon.problem import damage, items_of, score
from dragon_pokemon.tables import chart, combinations, types_of
from dragon_pokemon.team import missing

if TYPE_CHECKING:
    from dragon_pokemon.answers import Answer
    from dragon_pokemon.game import Pokemon
    from dragon_pokemon.tables import Location


def of_answer(found: Answer) -> dict[str, Any]:
    """An answer to a question for covers."""
    count = {"total": found.found, "by_size": found.sizes, "bound": str(found.count_bound)}
    return {
        "items": list(found.query.items()),
        "options": list(found.query.options()),
        "mode": found.mode,
        "limit": found.query.size,
        "count": None if found.found is None else count,
        "bound": str(found.bound),
        "solutions": [{"score": t.score, "options": list(t.options)} for t in found.solutions],
        "nodes": found.nodes,
        "seconds": found.seconds,
    }


def of_team(query: Pokemon, options: Sequence[str]) -> dict[str, Any]:
    """A team with its score and all its multipliers; at least one is chosen."""
    return {
        "gen": query.gen,
        "side": query.side,
        "options": list(options),
        "score": score(query, options),
        "covers": not missing(query, options),
        "missing": list(missing(query, options)),
        "multipliers": {
            item: {option: damage(query, option, item) for option in options}
            for item in items_of(query)
        },
    }


def of_generation(gen: int, data: str, combos: str) -> dict[str, Any]:
    """The types of a generation, its chart, and the combinations that exist."""
    known, table = types_of(gen), chart(gen, data)
    return {
        "gen": gen,
        "types": known,
        "combinations": combinations(gen, data, combos),
        "chart": {a: {d: table[a, d] for d in known} for a in known},
    }


def of_location(place: Location) -> dict[str, Any]:
    """A gym, trial or league."""
    return attrs.asdict(place)
