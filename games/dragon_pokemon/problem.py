"""The question as a cover problem.

Defence: items are single attack types, options the types of defenders; an option covers the attacks
that do less than full damage to it. Attack: items are the types of defenders, options single attack
types; an option covers the defenders that take more than full damage from it.

A *roster* is a list of Pokémon, each of which is in a team at most once, in one of its forms.
Options are kinds, and a Pokémon with a choice of abilities has several; so has a species with
several forms. A team is possible if every kind that it chooses from the list can have a Pokémon of
its own. By Hall's theorem it is unless, for some set A of species, more than |A| of its kinds have
all their Pokémon in A: a *cap*. Kinds that are named by their types alone do not have a cap.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

from attrs import frozen

from dragon.cover import Option, Problem
from dragon.errors import ConfigError
from dragon_pokemon.choices import bans_of, listed_of, options_of, picks_of
from dragon_pokemon.query import Query
from dragon_pokemon.species import Species
from dragon_pokemon.tables import chart, combinations, location, multiplier, types_of

MOST = 20_000
"""The most sets of species that are looked at for caps."""


@frozen
class Cap:
    """The most members of these kinds in a team: no more species of Pokémon have them."""

    kinds: frozenset[str]
    most: int
    species: frozenset[str]


def caps_of(query: Query) -> tuple[Cap, ...]:
    """Return the caps of a question; a team that keeps all of them is possible.

    Raises ConfigError where a list is too entangled, which takes a limit beyond six.
    """
    owners = {kind: frozenset(e.base for e in each) for kind, each in listed_of(query).items()}
    return _caps(tuple(owners.items()), query.size)


@lru_cache(maxsize=64)
def _caps(owners: tuple[tuple[str, frozenset[str]], ...], size: int) -> tuple[Cap, ...]:
    few = [(kind, names) for kind, names in owners if len(names) < size]
    users: dict[str, set[frozenset[str]]] = {}
    for _, names in few:
        for name in names:
            users.setdefault(name, set()).add(names)
    seen = {names for _, names in few}
    waiting = sorted(seen, key=sorted)
    while waiting:
        names = waiting.pop()
        near = {names | other for name in names for other in users[name]}
        more = [union for union in near if len(union) < size and union not in seen]
        seen.update(more)
        waiting += more
        if len(seen) > MOST:
            raise ConfigError(
                f"this list has too many Pokémon that share kinds for teams of {size}; "
                "take a smaller limit, or a shorter list"
            )
    found = []
    for union in sorted(seen, key=lambda names: (len(names), sorted(names))):
        held = frozenset(kind for kind, names in few if names <= union)
        if len(held) > len(union):
            found.append(Cap(held, len(union), union))
    return tuple(cap for cap in found if not _implied(cap, found))


def _implied(cap: Cap, caps: Sequence[Cap]) -> bool:
    """Return True if the caps of single species leave no team that breaks this one."""
    alone = [each for each in caps if each.most == 1 and each.kinds <= cap.kinds]
    free = len(cap.kinds) - sum(len(each.kinds) for each in alone)
    return cap.most > 1 and free + len(alone) <= cap.most


def possible(caps: Iterable[Cap], options: Iterable[str]) -> bool:
    """Return True if every option can have a Pokémon of its own."""
    chosen = set(options)
    return all(len(chosen & cap.kinds) <= cap.most for cap in caps)


def wide(caps: Iterable[Cap]) -> tuple[Cap, ...]:
    """Return the caps that are not of a single species: a cover problem cannot hold them."""
    return tuple(cap for cap in caps if cap.most > 1)


def holders(query: Query, options: Sequence[str]) -> dict[str, str]:
    """Return for each option of a list its Pokémon in the team, each species once.

    Those that are pinned, or come first in the order of the table, are preferred.
    """
    members = listed_of(query)
    taken: dict[str, tuple[str, Species]] = {}

    def place(option: str, tried: set[str]) -> bool:
        for each in members[option]:  # an augmenting path
            if each.base not in tried:
                tried.add(each.base)
                if each.base not in taken or place(taken[each.base][0], tried):
                    taken[each.base] = option, each
                    return True
        return False

    for option in options:
        if option in members:
            place(option, set())
    return {option: each.name for option, each in taken.values()}


def possible_by_size(
    held: Mapping[str, frozenset[str]], items: Sequence[str], pins: Iterable[str],
    caps: Sequence[Cap], size: int,
) -> dict[int, int]:  # fmt: skip
    """Count the sets of options that cover all items and keep the caps, by size.

    held: the items of each option. As in `dragon.cover.sizes` by inclusion and exclusion over the
    sets T of items, where the options inside T are counted through a polynomial: options that no
    cap joins are chosen freely, and of those that caps join every possible set is listed.
    """
    import numpy as np

    pinned = frozenset(pins)
    covered = frozenset().union(*(held[pin] for pin in pinned))
    left = [item for item in items if item not in covered]
    masks = {o: sum(1 << i for i, item in enumerate(left) if item in held[o]) for o in held}
    sets = 1 << len(left)

    def inside(found: Iterable[int]) -> np.ndarray:
        """Count for each T those of the bit sets that are inside."""
        table = np.zeros(sets, object if size > 8 else np.int64)
        for mask in found:
            table[mask] += 1
        for i in range(len(left)):
            halves = table.reshape(-1, 2, 1 << i)
            halves[:, 1] += halves[:, 0]
        return table

    most = size - len(pinned)
    total = [inside(()) for _ in range(most + 1)]
    joined = frozenset().union(*(cap.kinds for cap in caps))
    free = inside(masks[o] for o in held if o not in joined | pinned)
    total[0] = total[0] + 1
    for k in range(1, most + 1):
        total[k] = total[k - 1] * (free - (k - 1)) // k
    for kinds in _components(caps, held):
        own = sorted(kinds - pinned)
        counts = []
        for k in range(min(most, len(own)) + 1):
            teams = (
                t for t in itertools.combinations(own, k) if possible(caps, {*t} | (pinned & kinds))
            )
            counts.append(inside(_union(masks, team) for team in teams))
        total = [sum(counts[j] * total[k - j] for j in range(min(k, len(counts) - 1) + 1))
                 for k in range(most + 1)]  # fmt: skip
    signs = np.array([1 - 2 * ((len(left) - mask.bit_count()) % 2) for mask in range(sets)])
    found = {k + len(pinned): int((signs * total[k]).sum()) for k in range(most + 1)}
    return {k: count for k, count in found.items() if count}


def _union(masks: Mapping[str, int], team: Iterable[str]) -> int:
    found = 0
    for option in team:
        found |= masks[option]
    return found


def _components(caps: Iterable[Cap], held: Iterable[str]) -> list[frozenset[str]]:
    """Return the sets of options that caps join."""
    shown, found = frozenset(held), list[frozenset[str]]()
    for cap in caps:
        kinds = cap.kinds & shown
        apart = [each for each in found if not each & kinds]
        found = [*apart, kinds.union(*(each for each in found if each & kinds))]
    return [kinds for kinds in found if kinds]


GAP = 1000
"""The cost to a partial team of an item that nothing covers: more than all scores together."""


def problem_of(query: Query) -> Problem:
    """Return the problem of the items asked for, the options that are not banned, and the pins.

    A pin is one more item, which its option alone covers: so every cover contains the option, and
    it is never redundant. The cost of a cover is its score, for attack negated. Each species of a
    list that has several kinds is a secondary item, so that a cover has it at most once; caps of
    several species (`wide`) are not in the problem.
    """
    return _problem(query, all_items_of(query), False)


def without_idle(problem: Problem) -> Problem:
    """Return the problem without options that cover no item asked for.

    By the definition of a cover those that are a species to be had once could be added to any
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
