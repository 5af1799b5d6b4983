"""The question as a cover problem.

Defence: items are single attack types, options the types of defenders; an option covers the attacks
that do less than full damage to it. Attack: items are the types of defenders, options single attack
types; an option covers the defenders that take more than full damage from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from dragon.cover import Option, Problem
from dragon_pokemon.choices import Query, bans_of, options_of, picks_of
from dragon_pokemon.roster import caps_of
from dragon_pokemon.tables import chart, combinations, location, multiplier, types_of

GAP = 1000
"""The cost to a partial team of an item that nothing covers: more than all scores together."""


def problem_of(query: Query) -> Problem:
    """Return the problem of the items asked for, the options that are not banned, and the pins.

    A pin is one more item, which its option alone covers: so every cover contains the option, and
    it is never redundant. The cost of a cover is its score, for attack negated. Each species of a
    list that has several kinds is a secondary item, so that a cover has it at most once; caps of
    several species (`roster.wide`) are not in the problem.
    """
    return _problem(query, all_items_of(query), False)


def without_idle(problem: Problem) -> Problem:
    """Return the problem without options that cover no item asked for.

    By the definition of a cover those that are a species to be had once could stand beside any
    other; in a team without a member to spare they do not.
    """
    seen = set(problem.primary) - problem.hidden_items
    idle = (str(o) for o in problem.options if problem.secondary and not seen & {*o.items})
    return problem.hide(options=idle)


def partial_problem_of(query: Query) -> Problem:
    """Return the problem of teams that need not cover everything; a gap costs GAP and its points.

    Every option covers every item that is asked for, so that every set is a cover. The cheapest
    teams cover the most items, and have the best scores of those.
    """
    return _problem(query, items_of(query), True)


def _problem(query: Query, items: Sequence[str], partial: bool) -> Problem:
    pins = picks_of(query, query.pin)
    marks = tuple(map(pin_item, pins))
    caps = {f"{min(cap.species)} once": cap.kinds for cap in caps_of(query) if cap.most == 1}
    options = tuple(
        _option(query, name, items, partial, _marks(name, pins, caps)) for name in options_of(query)
    )
    whole = Problem(marks + tuple(items), options, tuple(caps))
    return whole.only(items=(*marks, *items_of(query), *caps)).hide(options=bans_of(query))


def pin_item(name: str) -> str:
    """Return the name of the item for a pinned option."""
    return f"pinned {name}"


def all_items_of(query: Query) -> tuple[str, ...]:
    """Return every item of the generation, sorted."""
    if query.side == "defense":
        return types_of(query.gen)
    return combinations(query.gen, query.data, query.combos)


def items_of(query: Query) -> tuple[str, ...]:
    """Return the items asked for: all, or the union over the locations."""
    everything = all_items_of(query)
    if not query.locations:
        return everything
    met: set[str] = set()
    for name in query.locations:
        place = location(query.gen, name)
        met.update(place.attacks if query.side == "defense" else place.defenders)
    return tuple(name for name in everything if name in met)


def damage(query: Query, option: str, item: str) -> float:
    """Return the multiplier of the damage between an option and an item."""
    attack, defender = (item, option) if query.side == "defense" else (option, item)
    return _factor(query.gen, query.data, attack, defender)


@cache  # every problem of a generation needs the same
def _factor(generation: int, data: str, attack: str, defender: str) -> float:
    return multiplier(chart(generation, data), attack, defender)


def helps(side: str, factor: float) -> bool:
    """Return True if an option with this multiplier covers an item."""
    return factor < 1 if side == "defense" else factor > 1


def points(factor: float) -> int:
    """Return the score of a multiplier.

    It is 1 for no damage, 2 up to a quarter, 3 below full damage, 4 for full damage, 5 for more, 6
    from four times on. For each item a team has the score of its best option.
    """
    if factor < 1:
        return 1 if factor == 0 else 2 if factor <= 0.25 else 3
    return 4 if factor == 1 else 5 if factor < 4 else 6


def score(query: Query, options: Sequence[str]) -> int:
    """Return the sum over the items of the best points of an option.

    For defence a low score is good, for attack a high one.
    """
    best = min if query.side == "defense" else max
    return sum(
        best(points(damage(query, option, item)) for option in options) for item in items_of(query)
    )


def stacked(query: Query, options: Sequence[str]) -> dict[str, int]:
    """Return the attacks to which more members are weak than resist, with the difference."""
    found = {}
    for item in items_of(query):
        factors = [damage(query, option, item) for option in options]
        more = sum(factor > 1 for factor in factors) - sum(factor < 1 for factor in factors)
        if more > 0 and query.side == "defense":
            found[item] = more
    return found


def _marks(name: str, pins: Sequence[str], caps: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """Return the items of an option that are not types: its pin, and species to be had once."""
    pinned = (pin_item(name),) if name in pins else ()
    return (*pinned, *(item for item, kinds in caps.items() if name in kinds))


def _option(
    query: Query, name: str, items: Sequence[str], partial: bool, marks: tuple[str, ...]
) -> Option:
    sign = 1 if query.side == "defense" else -1
    factors = {item: damage(query, name, item) for item in items}
    covered = {
        item: sign * points(factor) + (0 if helps(query.side, factor) else GAP)
        for item, factor in factors.items()
        if partial or helps(query.side, factor)
    }
    return Option((*marks, *covered), name, weights=covered)
