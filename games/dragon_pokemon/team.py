"""A team shown: as a table of multipliers, and as a radial picture.

The picture has the team within, its opponents around, and the damage between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import cos, pi, sin
from typing import TYPE_CHECKING

from dragon import columns
from dragon.boards.material import n
from dragon.rules.notation import escape
from dragon_pokemon.choices import picks_of
from dragon_pokemon.problem import damage, helps, items_of, points, score, stacked
from dragon_pokemon.query import Query
from dragon_pokemon.species import named
from dragon_pokemon.tables import exceptions

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
    heads, rows = [corner, *options, "best"], []
    for item in items_of(query):
        factors = [damage(query, option, item) for option in options]
        best = best_of(query, options, item)
        rows.append([item, *map(sign, factors), sign(best)])
    lines = columns.table(heads, rows, len(heads), rule=True)
    return "\n".join([*lines, "", *columns.filled([verdict(query, options)], 2)])


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
    return "\n".join(columns.filled(["attacks", *lines, "", verdict(query, tuple(known))], 2))


HUES = {
    "Bug": "#94a81f", "Dark": "#5b4a42", "Dragon": "#5a46c8", "Electric": "#e0b400",
    "Fairy": "#e07fc0", "Fighting": "#b8402c", "Fire": "#e8702a", "Flying": "#7f9de0",
    "Ghost": "#67508f", "Grass": "#4fa33a", "Ground": "#b98b48", "Ice": "#5cbcc4",
    "Normal": "#92927c", "Poison": "#99439b", "Psychic": "#e8507c", "Rock": "#98853a",
    "Steel": "#7d8ea0", "Water": "#3f82d8",
}  # fmt: skip
"""A colour for each type, dark enough for white letters."""
EDGES = {
    1: ("#1b7f5c", 4.2, "x0"),
    2: ("#2a9ad0", 3.4, "x1/4"),
    3: ("#8ac6ec", 2.4, "x1/2"),
    5: ("#f0a02c", 2.4, "x2"),
    6: ("#d23b2e", 3.8, "x4"),
}
"""Colour, width and words of multipliers by the points that they score; x1 is not drawn."""
STYLE = (
    "text{font-family:'Helvetica Neue',Helvetica,Arial,sans-serif}"
    ".type{font-weight:600;fill:#fff;text-anchor:middle;dominant-baseline:central}"
    ".item{font-weight:600;fill:#fff;dominant-baseline:central;text-anchor:middle}"
    ".told{font-size:17px;fill:#333a44;text-anchor:middle}"
    ".key{font-size:15px;fill:#333a44;dominant-baseline:central}"
)
CROWD = {1: 18, 2: 10}
"""The number of items, of single types or double ones, above which labels are drawn like spokes."""
MANY = 150
"""More edges than this: the weak spots are left out, and the rest is drawn finer."""
HIGH = 24.0
"""The height of a label, in user units."""


def draw(query: Query, options: Sequence[str]) -> str:
    """Return the SVG; edges are whole where an option covers an item, dashed where it is weak."""
    items = items_of(query)
    inner, outer = _radii(len(options), items)
    half = outer + (128 if _spokes(items) else 78)
    title = f"generation {query.gen}, {query.side}: {', '.join(options) or 'no member'}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{n(-half)} {n(-half)} {n(2 * half)} '
        f'{n(2 * half + 84)}" role="img"><title>{escape(title)}</title><style>{STYLE}</style>',
        f'<rect x="{n(-half)}" y="{n(-half)}" width="{n(2 * half)}" '
        f'height="{n(2 * half + 84)}" rx="16" fill="#f7f8fa"/>',
        *_edges(query, options, items, inner, outer),
        *_items(query, options, items, outer),
        *(
            _label(option, *_place(i, len(options), inner), 15, "type", ring="#20262e")
            for i, option in enumerate(options)
        ),
        *_legend(query, options, half),
    ]
    return "".join(parts) + "</svg>"


def _spokes(items: Sequence[str]) -> bool:
    """Return True if labels of the outer ring are turned, for lack of room side by side."""
    return len(items) > CROWD[max(item.count("-") + 1 for item in items)]


def _radii(options: int, items: Sequence[str]) -> tuple[float, float]:
    """Return the radii of the two rings, so wide that no label touches another."""
    outer = max(250.0, len(items) * (HIGH - 3 if _spokes(items) else 90) / (2 * pi))
    inner = 0.0 if options == 1 else max(110.0, options * 118 / (2 * pi))
    return inner, max(outer, inner + 150)


def _place(number: int, count: int, radius: float) -> tuple[float, float]:
    """Return a place on a ring, clockwise from the top."""
    angle = 2 * pi * number / count - pi / 2
    return radius * cos(angle), radius * sin(angle)


def _edges(
    query: Query, options: Sequence[str], items: Sequence[str], inner: float, outer: float
) -> Iterator[str]:
    """Yield the edges, weak ones first, then good ones with the strongest last."""
    drawn, reach = [], outer if _spokes(items) else outer + 22
    for i, option in enumerate(options):
        for j, item in enumerate(items):
            factor = damage(query, option, item)
            if factor != 1:
                level = points(factor)
                drawn.append((helps(query.side, factor), EDGES[level][1], level, i, j))
    fine = len(drawn) > MANY
    for good, width, level, i, j in sorted(drawn):
        if fine and not good:
            continue
        (x1, y1), (x2, y2) = _place(i, len(options), inner), _place(j, len(items), reach)
        look = "" if good else ' stroke-dasharray="3 6" opacity="0.55"'
        thick = 1.6 if not good else 0.45 * width if fine else width
        yield (
            f'<line x1="{n(x1)}" y1="{n(y1)}" x2="{n(x2)}" y2="{n(y2)}" '
            f'stroke="{EDGES[level][0]}" stroke-width="{n(thick)}" stroke-linecap="round"{look}/>'
        )


def _items(
    query: Query, options: Sequence[str], items: Sequence[str], outer: float
) -> Iterator[str]:
    gone = missing(query, options)
    for j, item in enumerate(items):
        ring = "#d23b2e" if item in gone else ""
        if not _spokes(items):
            yield _label(item, *_place(j, len(items), outer + 22), 14, "item", ring)
            continue
        angle = 360 * j / len(items) - 90
        flip = 180 if 90 < angle % 360 < 270 else 0
        along = outer + 5 + _width(item, 11) / 2
        yield (
            f'<g transform="rotate({n(angle)}) translate({n(along)} 0) rotate({flip})">'
            + _label(item, 0, 0, 11, "item", ring, height=HIGH - 6)
            + "</g>"
        )


def _label(
    name: str, x: float, y: float, size: int, kind: str, ring: str = "", height: float = HIGH
) -> str:
    """Return a name on a plate, one half for each type."""
    types, _, ability = name.partition("+")
    name = f"{types} {ability}".strip()
    width = _width(name, size)
    move = exceptions().get(types)
    names = [move["type"]] if move else types.split("-")
    left, top = x - width / 2, y - height / 2
    first = width * (len(names[0]) + 1) / (len(name) + 1) if len(names) == 2 else width
    shape = (
        f'<rect x="{n(left)}" y="{n(top)}" width="{n(width)}" height="{n(height)}" '
        f'rx="{n(height / 2)}"'
    )
    plate = f'{shape} fill="{HUES[names[0]]}"/>'
    if len(names) == 2:
        r, split, right = height / 2, left + first, left + width
        plate += (
            f'<path d="M{n(split)} {n(top)}H{n(right - r)}A{n(r)} {n(r)} 0 0 1 '
            f'{n(right - r)} {n(top + height)}H{n(split)}Z" fill="{HUES[names[1]]}"/>'
        )
    if ring:
        plate += f'{shape} fill="none" stroke="{ring}" stroke-width="3"/>'
    return plate + (
        f'<text class="{kind}" x="{n(x)}" y="{n(y)}" font-size="{size}">{escape(name)}</text>'
    )


def _width(name: str, size: int) -> float:
    return size * (0.62 * len(name) + 1.2)


def _legend(query: Query, options: Sequence[str], half: float) -> Iterator[str]:
    """Yield the meaning of the colours, and the score of the team."""
    step, y = 108.0, half + 18
    x = -step * len(EDGES) / 2 + 10
    for level, (colour, width, words) in EDGES.items():
        good = (level < 4) == (query.side == "defense")
        look = "" if good else ' stroke-dasharray="3 6"'
        yield (
            f'<line x1="{n(x)}" y1="{n(y)}" x2="{n(x + 26)}" y2="{n(y)}" stroke="{colour}" '
            f'stroke-width="{n(width)}" stroke-linecap="round"{look}/>'
            f'<text class="key" x="{n(x + 34)}" y="{n(y)}">{words}</text>'
        )
        x += step
    sentence = verdict(query, options, brief=True) if options else "no member is chosen"
    yield f'<text class="told" x="0" y="{n(half + 56)}">{escape(sentence)}</text>'
