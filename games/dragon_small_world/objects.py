"""Answers as the objects that `--json` prints and the web page shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import asdict

from dragon_cards.card import PROPERTIES
from dragon_small_world.bridges import denominator
from dragon_small_world.links import edges, matrix, properties, standings

if TYPE_CHECKING:
    from dragon_small_world.bridges import Bridge, Found
    from dragon_small_world.links import Links, Path
    from dragon_small_world.pool import Pool
    from dragon_small_world.reach import Reach


def of_bridges(links: Links, shown: Iterable[Bridge]) -> dict[str, Any]:
    """Return a deck's bridges, as many as are shown."""
    pairs = denominator(links.deck)
    return {
        "deck": links.deck.names,
        "unknown": [_given(text) for text in links.deck.unknown],
        "denominator": pairs,
        "bridges": [
            {
                "id": bridge.monster.id,
                "name": bridge.monster.name,
                "numerator": bridge.numerator,
                "score": bridge.numerator / pairs,
                "connections": bridge.connections,
                "in_deck": bridge.in_deck,
            }
            for bridge in shown
        ],
    }


def _given(text: str) -> int | str:
    """Return a passcode as a number, a name as it is."""
    return int(text) if text.isdecimal() and len(text) < 20 else text


def of_pairs(links: Links, found: Found) -> dict[str, Any]:
    """Return the best pairs of bridges."""
    pool = links.deck.pool
    rows = [{"names": names_of(pool, s.places), "numerator": s.numerator} for s in found.sets]
    return {"denominator": denominator(links.deck, 2), "pairs": rows}


def of_set(links: Links, found: Found, k: int) -> dict[str, Any]:
    """Return the best set of k bridges; without names where there are fewer than k."""
    best = found.sets[0] if found.sets else None
    return {
        "k": k,
        "denominator": denominator(links.deck, k),
        "names": names_of(links.deck.pool, best.places) if best else [],
        "numerator": best.numerator if best else None,
        "bound": "=" if found.proven else ">=",
        "upper": found.upper,
    }


def names_of(pool: Pool, places: Iterable[int]) -> list[str]:
    return [pool.monsters[i].name for i in places]


def of_paths(pool: Pool, found: Iterable[Path]) -> dict[str, Any]:
    """Return the ways from one monster to another."""
    ends = ("reveal", "bridge", "target")
    rows = (asdict(path) for path in found)
    return {"paths": [row | {e: pool.monsters[row[e]].name for e in ends} for row in rows]}


def of_two(pool: Pool, first: int, second: int, question: str) -> dict[str, Any]:
    """Return the properties that two monsters have in common, and whether these link them."""
    both = (pool.monsters[first], pool.monsters[second])
    columns = zip(PROPERTIES, *properties(both, question).tolist(), strict=True)
    shared = [word for word, x, y in columns if x == y]
    return {"names": [m.name for m in both], "shared": shared, "linked": len(shared) == 1}


def of_weak(links: Links) -> dict[str, Any]:
    """Return the monsters of a deck, the weakest first."""
    pool = links.deck.pool
    rows: list[dict[str, Any]] = [
        {
            "name": pool.monsters[s.place].name,
            "links": s.links,
            "reaches": s.reaches,
            "misses": names_of(pool, s.misses),
        }
        for s in standings(links)
    ]
    return {"dead": [row["name"] for row in rows if not row["reaches"]], "monsters": rows}


def of_graph(links: Links) -> dict[str, Any]:
    """Return the links of a deck with the property of each."""
    known = links.deck.names
    rows = [
        {"first": known[a], "second": known[b], "property": word} for a, b, word in edges(links)
    ]
    return {"monsters": known, "links": rows}


def of_matrix(links: Links, squared: bool) -> dict[str, Any]:
    """Return the links between monsters, or the number of bridges from one to another."""
    return {"names": links.deck.names, "squared": squared, "matrix": matrix(links, squared)}


def of_reach(targets: Sequence[str], found: Reach) -> dict[str, Any]:
    """Return how many opening hands have a target, or search it."""
    counts = {word: getattr(found, word) for word in ("opened", "searched", "total", "asked")}
    return {
        "targets": targets,
        "deck_size": found.size,
        "hand": found.hand,
        "denominator": found.hands,
        **{word: {"numerator": n, "p": n / found.hands} for word, n in counts.items()},
    }
