"""The question as a cover problem: what must be resisted or hit, and who can.

Defence: items are single attack types, options the types of defenders; an option covers
what does less than full damage to it. Attack: items are the types of defenders, options
single attack types; an option covers what it hits for more than full damage.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dragon.cover import Option, Problem
from dragon.errors import ConfigError
from dragon_pokemon.tables import chart, combinations, location, multiplier, types_of
from dragon_pokemon.types import Types, by_name

POINTS = {0.0: 1, 0.25: 2, 0.5: 3, 1.0: 4, 2.0: 5, 4.0: 6}
"""What a multiplier scores; a team scores the best of its options for each item."""


class Query:
    """What is asked: of which generation, for which side, by which tables. The game is one."""

    __slots__ = ()
    gen: int
    side: str
    data: str
    combos: str
    locations: tuple[str, ...]
    pin: tuple[str, ...]
    ban: tuple[str, ...]


def problem_of(query: Query) -> Problem:
    """The items that are asked for, the options that are not banned, and the pins.

    A pin is an item more, that its option alone covers: so every cover holds it, and no
    pin counts as superfluous. The cost of a cover is its score, for attack negated.
    """
    pins = picks_of(query, query.pin)
    asked = items_of(query)
    options = tuple(_option(query, name, name in pins) for name in options_of(query))
    marks = tuple(map(pin_item, pins))
    whole = Problem(marks + tuple(all_items_of(query)), options)
    return whole.only(items=marks + tuple(asked)).hide(options=picks_of(query, query.ban))


def pin_item(name: str) -> str:
    """The item that stands for a pinned option."""
    return f"pinned {name}"


def all_items_of(query: Query) -> tuple[str, ...]:
    """Every item of the generation, sorted."""
    if query.side == "defense":
        return types_of(query.gen)
    return combinations(query.gen, query.data, query.combos)


def options_of(query: Query) -> tuple[str, ...]:
    """Every option of the generation, sorted."""
    if query.side == "defense":
        return combinations(query.gen, query.data, query.combos)
    return types_of(query.gen)


def items_of(query: Query) -> tuple[str, ...]:
    """The items asked for: all, or the union over the locations."""
    everything = all_items_of(query)
    if not query.locations:
        return everything
    met: set[str] = set()
    for name in query.locations:
        place = location(query.gen, name)
        met.update(place.attacks if query.side == "defense" else place.defenders)
    return tuple(name for name in everything if name in met)


def picks_of(query: Query, texts: Iterable[str]) -> tuple[str, ...]:
    """Pins or bans as options; raises ConfigError where there is no such option."""
    known = options_of(query)
    picks: dict[str, None] = {}
    for text in texts:
        name = str(Types.read(text)) if query.side == "defense" else by_name(text.strip())
        if name not in known:
            raise ConfigError(_unknown(query, name, known))
        picks[name] = None
    return tuple(picks)


def _unknown(query: Query, name: str, known: Sequence[str]) -> str:
    if query.side == "attack":
        return f"generation {query.gen} has no type {name}; it has {', '.join(known)}"
    among = "" if query.combos == "all" else f" among those that are {query.combos}"
    near = [other for other in known if set(name.split("-")) & set(other.split("-"))]
    return f"generation {query.gen} has no Pokémon of types {name}{among}; it has " + (
        ", ".join(near) or "none of these types"
    )


def damage(query: Query, option: str, item: str) -> float:
    """What the damage between an option and an item is multiplied by."""
    attack, defender = (item, option) if query.side == "defense" else (option, item)
    return multiplier(chart(query.gen, query.data), attack, defender)


def helps(side: str, factor: float) -> bool:
    """Whether an option with this multiplier covers an item."""
    return factor < 1 if side == "defense" else factor > 1


def score(query: Query, options: Sequence[str]) -> int:
    """The sum over the items of the best points that an option has there.

    Independent of any order. For defence low is good, for attack high.
    """
    best = min if query.side == "defense" else max
    return sum(
        best(POINTS[damage(query, option, item)] for option in options) for item in items_of(query)
    )


def _option(query: Query, name: str, pinned: bool) -> Option:
    sign = 1 if query.side == "defense" else -1
    covered = {
        item: sign * POINTS[factor]
        for item in all_items_of(query)
        if helps(query.side, factor := damage(query, name, item))
    }
    marks = (pin_item(name),) if pinned else ()
    return Option((*marks, *covered), name, weights=covered)
