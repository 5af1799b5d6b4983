"""A team as a table of multipliers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from dragon_pokemon.choices import Query, picks_of
from dragon_pokemon.problem import damage, helps, items_of, score, stacked
from dragon_pokemon.species import named

if TYPE_CHECKING:
    from dragon_pokemon.lists import Member


def sign(factor: float) -> str:
    """Return a multiplier in few letters; full damage is a dot.

    >>> [sign(factor) for factor in (0.0, 0.25, 1.0, 1.25, 4.0)]
    ['x0', 'x1/4', '·', 'x5/4', 'x4']
    """
    return "·" if factor == 1 else f"x{Fraction(factor)}"


def terastallized(query: Query, members: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the kinds of a team with their Tera types; none where no Tera type is given.

    members: names and Tera types. One without a Tera type, and one with Stellar, keeps its types.
    """
    given = [(name, tera if tera != "Stellar" else "") for name, tera in members]
    if not any(tera for _, tera in given):
        return ()
    found = dict[str, None]()
    for name, tera in given:
        (kind,) = picks_of(query, [name if query.abilities else name.partition("+")[0]])
        types, plus, ability = kind.partition("+")
        found[f"{tera or types}{plus}{ability}"] = None
    return tuple(found)


def undecided(gen: int, members: Iterable[Member]) -> str:
    """Return the first Pokémon that has several abilities that count, none of which is given."""
    for each in members:
        found = named(each.name)
        if found is not None and not each.ability and len(found.kinds(gen, True)) > 1:
            return found.name
    return ""


def best_of(query: Query, options: Sequence[str], item: str) -> float:
    """Return the multiplier of the best option for an item."""
    best = min if query.side == "defense" else max
    return best(damage(query, option, item) for option in options)


def missing(query: Query, options: Sequence[str]) -> tuple[str, ...]:
    """Return the items that no option covers."""
    return tuple(
        item
        for item in items_of(query)
        if not options or not helps(query.side, best_of(query, options, item))
    )


def table(query: Query, options: Sequence[str]) -> str:
    """Return a row for each item and a column for each option, with the best in the last one."""
    if not options:
        return "no member is chosen"
    corner = "attack" if query.side == "defense" else "defender"
    rows = [[corner, *options, "best"]]
    for item in items_of(query):
        factors = [damage(query, option, item) for option in options]
        best = best_of(query, options, item)
        rows.append([item, *map(sign, factors), sign(best)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join([*lines, "", verdict(query, options)])


def verdict(query: Query, options: Sequence[str], brief: bool = False) -> str:
    """Return the worth of the team, in a line; a brief one lists at most four names."""
    gone, items = missing(query, options), items_of(query)
    verb = "resists" if query.side == "defense" else "hits hard"
    worth = "low is good" if query.side == "defense" else "high is good"
    parts = [f"score {score(query, options)} ({worth})"]
    if not gone:
        parts.append(f"it {verb} all {len(items)}")
    elif brief and len(gone) > 4:
        parts.append(f"it {verb} {len(items) - len(gone)} of {len(items)}")
    else:
        parts.append(f"no member {verb} {', '.join(gone)}")
    if (weak := stacked(query, options)) and not brief:
        shared = ", ".join(f"{name} (+{more})" for name, more in weak.items())
        parts.append(f"more are weak than resist: {shared}")
    return "; ".join(parts)


def arsenal(query: Query, known: Mapping[str, Sequence[tuple[str, str]]]) -> str:
    """Return the moves of each attack, and what they hit hard together.

    known: the Pokémon and the moves of each attack.
    """
    width = max(map(len, known))
    lines = [
        f"{attack:{width}}  {', '.join(f'{move} ({name})' for name, move in held)}"
        for attack, held in known.items()
    ]
    return "\n".join(["attacks", *lines, "", verdict(query, tuple(known))])
