"""Answers: the objects that `--json` prints and the web page shows, and the report for people.

The report says what is proven, and why there is no team.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from dragon.columns import filled
from dragon.core import Bound, Limit
from dragon_pokemon.choices import members_of, picks_of
from dragon_pokemon.game import ALL, EXACT, MINIMAL, OVERLAPPING, STACKED
from dragon_pokemon.problem import caps_of, damage, holders, items_of, pin_item, score, stacked
from dragon_pokemon.species import Filter, dexes, kinds, named
from dragon_pokemon.tables import chart, combinations, types_of
from dragon_pokemon.team import missing

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


PATIENCE = 10.0
"""The most seconds in which the explanation is made smaller."""
LEFT_OUT = {
    MINIMAL: "those of whom all are needed; others can score better, and are left out",
    EXACT: "those that cover each type by exactly one; others are left out",
    OVERLAPPING: "those that the original program would find; others are left out",
}
"""The covers that a proof is about, if not about all."""
VERBS = {"defense": ("resist", "resists"), "attack": ("hit hard", "hits hard")}


def counted(number: int, what: str) -> str:
    """Return a number and its noun: `2 teams` of `team{}`."""
    return f"{number} {what.format('s' * (number != 1))}"


def report(found: Answer) -> str:
    """Return the question, the count, the ranking with a Pokémon of each kind, and the proof."""
    query = found.query
    attack = "attack{}" if query.side == "attack" and (query.moves or query.abilities) else ""
    kinds = "combination{} of types", attack or "type{} of attacks"
    own, other = kinds if query.side == "defense" else kinds[::-1]
    most = "teams of " * (query.side == "defense") + f"at most {query.size} out of"
    chosen, met = counted(len(query.options()), own), counted(len(query.items()), other)
    lines = [f"generation {query.gen}: {most} {chosen}, against {met}"]
    if found.found is not None:
        sizes = ", ".join(f"{n:,} of {size}" for size, n in (found.sizes or {}).items())
        lines.append(
            f"{found.mode} covers {found.count_bound} {found.found:,}" + f" ({sizes})" * bool(sizes)
        )
    if found.impossible:
        lines += ["", why(found)]
    if found.partial:
        lines.append("the best that can be done:")
    if listed := found.solutions or found.partial:
        lines += [
            "",
            "score  team",
            *filled((line for team in listed for line in _lines(found, team)), 7),
        ]
    if str(found.count_bound) != "=":
        lines += ["", "not all was counted in the time: there may be more"]
    if said := claim(found):
        lines += ["", said]
    lines.append(f"\n{found.nodes:,} nodes in {found.seconds:.3f} s")
    return "\n".join(filled(lines))


def _lines(found: Answer, team: Team) -> Iterator[str]:
    """Yield one or two lines of a team: its types, and a Pokémon of each."""
    query = found.query
    gone = missing(query, team.options) if found.partial else ()
    lack = f"  (not {', '.join(gone[:4])}" + f" and {len(gone) - 4} more" * (len(gone) > 4) + ")"
    shared = f"  (shared weaknesses {team.stacked})" * (found.rank == STACKED)
    yield f"{team.score:5}  {', '.join(team.options)}{shared}{lack * bool(gone)}"
    if names := [name for name in names_of(query, team.options) if name]:
        yield f"       {'with' if query.only else 'such as'} {', '.join(names)}"


def names_of(query: Pokemon, options: Sequence[str]) -> list[str | None]:
    """Return a Pokémon of each kind of a team; those of a list are all different."""
    members, own = members_of(query), holders(query, options)
    return [own.get(option) or next(iter(members[option]), None) for option in options]


def core_of(query: Pokemon, exact: bool) -> tuple[tuple[str, ...], bool]:
    """Return items that cannot be covered together, and whether they can without any one of them.

    An item that no option covers is preferred.
    """
    from dragon.cover.conflict import impossible

    problem = query.problem()
    options = [o for o in problem.options if str(o) not in problem.hidden_options]
    for item in problem.primary:
        if item not in problem.hidden_items and not any(item in o.items for o in options):
            return (item,), True
    found = impossible(problem, exact, query.size, Limit(seconds=PATIENCE))
    return (found.items, found.bound is Bound.EXACT) if found else ((), False)


def claim(found: Answer) -> str:
    """Return a sentence on the proof of the ranking, its omissions, and the limits of the list."""
    if found.ranked and not (found.solutions or found.partial):
        return ""
    what = "team" if found.query.side == "defense" else "set of attacks"
    better = "ranks better" if found.rank == STACKED else "scores better"
    if not found.ranked:
        proven = "not all was searched: there may be better ones"
    elif found.partial or found.among == ALL:
        does = "does more" if found.partial else better
        proven = f"proven: no {what} of at most {found.query.size}{_asked(found.query)} {does}"
    else:
        proven = f"proven among {LEFT_OUT[found.among]}"
    who = "members" if found.query.side == "defense" else "attacks"
    apart = f"; any two that are listed differ in {found.differ} {who} at least"
    return proven + apart * (found.differ > 1)


def _asked(query: Pokemon) -> str:
    """Return the demands of a question on a team beside its size."""
    pins = picks_of(query, query.pin)
    beside = f" with {listed(pins)}" if pins else ""
    chosen = query.only or query.ban or query.combos != "all" or filtered(query)
    return beside + ", of those that may be chosen," * bool(chosen)


def filtered(query: Pokemon) -> bool:
    """Return True if Pokémon are left out by what they are."""
    return query.filter != Filter(query.gen)


def why(found: Answer) -> str:
    """Return why an answer does not have a cover."""
    return f"there is none: {why_not(found.query, found.mode == EXACT)}"


def why_not(query: Pokemon, exact: bool) -> str:
    """Return why there is no cover, as a sentence: the items that are too many, and the pins."""
    core, minimal = core_of(query, exact)
    marks = {pin_item(name): name for name in picks_of(query, query.pin)}
    pins = [marks[item] for item in core if item in marks]
    items = [item for item in core if item not in marks]
    where = f"in generation {query.gen}"
    if query.data == "original":
        where += ", by the original's tables,"
    many, one = VERBS[query.side]
    if len(items) == 1 and not pins:
        what = "no Pokémon" if query.side == "defense" else "no type of attack"
        chosen = query.ban or query.only or query.combos != "all" or filtered(query)
        left = " that may be chosen" if chosen else ""
        return f"{where} {what}{left} {one} {items[0]}"
    team = "team" if query.side == "defense" else "set of attacks"
    beside = f" with {listed(pins)}" if pins else ""
    beside += ", each Pokémon once," * bool(caps_of(query))
    each = ", each exactly once" if exact else ""
    aim = f"can {many} {listed(items)}{each}" if items else f"is a cover{each}"
    hope = "; drop any one of these, and it can be done" if minimal else ""
    return f"{where} no {team} of at most {query.size}{beside} {aim}{hope}"


def listed(names: Sequence[str]) -> str:
    """Return `A, B and C`."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
