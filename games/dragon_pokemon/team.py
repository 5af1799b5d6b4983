"""A team as a table of multipliers."""

from __future__ import annotations

from collections.abc import Sequence

from dragon_pokemon.problem import Query, damage, helps, items_of, score

SIGNS = {0.0: "x0", 0.25: "x1/4", 0.5: "x1/2", 1.0: "·", 2.0: "x2", 4.0: "x4"}


def best_of(query: Query, options: Sequence[str], item: str) -> float:
    """The multiplier of the option that does best for an item."""
    best = min if query.side == "defense" else max
    return best(damage(query, option, item) for option in options)


def missing(query: Query, options: Sequence[str]) -> tuple[str, ...]:
    """The items that no option covers."""
    return tuple(
        item
        for item in items_of(query)
        if not options or not helps(query.side, best_of(query, options, item))
    )


def table(query: Query, options: Sequence[str]) -> str:
    """One row for each item, one column for each option, the best of them last."""
    if not options:
        return "nobody is chosen"
    corner = "attack" if query.side == "defense" else "defender"
    rows = [[corner, *options, "best"]]
    for item in items_of(query):
        factors = [damage(query, option, item) for option in options]
        best = best_of(query, options, item)
        rows.append([item, *(SIGNS[f] for f in factors), SIGNS[best]])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join([*lines, "", verdict(query, options)])


def verdict(query: Query, options: Sequence[str], brief: bool = False) -> str:
    """What the team is worth, in a line; a brief one does not list more than four names."""
    gone, items = missing(query, options), items_of(query)
    verb = "resists" if query.side == "defense" else "hits hard"
    worth = "low is good" if query.side == "defense" else "high is good"
    scored = f"score {score(query, options)} ({worth}); "
    if not gone:
        return scored + f"it {verb} all {len(items)}"
    if brief and len(gone) > 4:
        return scored + f"it {verb} {len(items) - len(gone)} of {len(items)}"
    return scored + f"nobody {verb} {', '.join(gone)}"
