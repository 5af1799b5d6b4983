"""Answers as the objects that `--json` prints and the web page shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from dragon_pokemon.choices import members_of
from dragon_pokemon.problem import damage, items_of, score, stacked
from dragon_pokemon.roster import holders
from dragon_pokemon.species import dexes, kinds, named
from dragon_pokemon.tables import chart, combinations, types_of
from dragon_pokemon.team import missing
from dragon_pokemon.words import claim, names_of

if TYPE_CHECKING:
    from dragon_pokemon.answers import Answer
    from dragon_pokemon.game import Pokemon
    from dragon_pokemon.ranking import Team
    from dragon_pokemon.tables import Location

EXAMPLES = 3
"""The number of Pokémon of each kind beside a ranking."""


def of_answer(found: Answer) -> dict[str, Any]:
    """Return the object of an answer."""
    query, members = found.query, members_of(found.query)
    count = {"total": found.found, "by_size": found.sizes, "bound": str(found.count_bound)}
    listed = found.solutions or found.partial
    met = dict.fromkeys(option for each in listed for option in each.options)
    return {
        "items": list(query.items()),
        "options": list(query.options()),
        "mode": found.mode,
        "among": found.among,
        "rank": found.rank,
        "differ": found.differ,
        "limit": query.size,
        "count": None if found.found is None else count,
        "bound": str(found.bound),
        "ranked": found.ranked,
        "claim": claim(found),
        "solutions": [_team(query, each) for each in found.solutions],
        "partial": [
            {**_team(query, each), "missing": list(missing(query, each.options))}
            for each in found.partial
        ],
        "pokemon": {option: list(members[option][:EXAMPLES]) for option in met},
        "nodes": found.nodes,
        "seconds": found.seconds,
    }


def _team(query: Pokemon, team: Team) -> dict[str, Any]:
    options = list(team.options)
    names = names_of(query, options)
    return {"score": team.score, "stacked": team.stacked, "options": options, "members": names}


def of_team(query: Pokemon, options: Sequence[str], picks: Iterable[str] = ()) -> dict[str, Any]:
    """Return a team of at least one member, with its score and all its multipliers.

    picks: the names that were asked for; Pokémon among them come before others of their types.
    """
    asked = [each.name for each in map(named, picks) if each]
    members, own = members_of(query), holders(query, options)
    return {
        "gen": query.gen,
        "side": query.side,
        "options": list(options),
        "score": score(query, options),
        "covers": not missing(query, options),
        "missing": list(missing(query, options)),
        "stacked": stacked(query, options),
        "pokemon": {
            option: sorted(
                members[option], key=lambda name: (name != own.get(option), name not in asked)
            )
            for option in options
        },
        "multipliers": {
            item: {option: damage(query, option, item) for option in options}
            for item in items_of(query)
        },
    }


def of_generation(gen: int, data: str, combos: str) -> dict[str, Any]:
    """Return the types of a generation, its chart, and the combinations with their Pokémon."""
    known, table = types_of(gen), chart(gen, data)
    return {
        "gen": gen,
        "types": known,
        "dexes": [dex.name for dex in dict.fromkeys(dexes().values()) if dex.gen <= gen],
        "combinations": combinations(gen, data, combos),
        "pokemon": {
            kind: [each.name for each in found] for kind, found in kinds(gen, combos, False).items()
        },
        "chart": {a: {d: table[a, d] for d in known} for a in known},
    }


def of_location(place: Location) -> dict[str, Any]:
    """Return the object of a gym, trial or league."""
    return attrs.asdict(place)
