"""Answers as the objects that `--json` prints and the web page shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from dragon_small_world.bridges import denominator
from dragon_small_world.links import linking
from dragon_small_world.paths import standings

if TYPE_CHECKING:
    from dragon_small_world.bridges import Bridge
    from dragon_small_world.links import Links
    from dragon_small_world.monsters import Pool
    from dragon_small_world.paths import Path
    from dragon_small_world.reach import Reach
    from dragon_small_world.sets import Found


def of_bridges(links: Links, shown: Iterable[Bridge]) -> dict[str, Any]:
    """A deck's bridges, as many as are shown."""
    pairs = denominator(links.deck)
    return {
        "deck": links.deck.names,
        "unknown": [_given(text) for text in links.deck.unknown],
        "denominator": pairs,
        "bridges": [of_bridge(bridge, pairs) for bridge in shown],
    }


def of_bridge(bridge: Bridge, pairs: int) -> dict[str, Any]:
    """One of them; pairs: what its numerator is out of."""
    return {
        "id": bridge.monster.id,
        "name": bridge.monster.name,
        "numerator": bridge.numerator,
        "score": bridge.numerator / pairs,
        "connections": bridge.connections,
        "in_deck": bridge.in_deck,
    }


def _given(text: str) -> int | str:
    """A passcode as a number, a name as it is."""
    return int(text) if text.isdecimal() and len(text) < 20 else text


def of_pairs(links: Links, found: Found) -> dict[str, Any]:
    """The best pairs of bridges."""
    rows = [{"names": names(links, s.places), "numerator": s.numerator} for s in found.sets]
    return {"denominator": denominator(links.deck, 2), "pairs": rows}


def of_set(links: Links, found: Found, k: int) -> dict[str, Any]:
    """The best set of k bridges; without names where there are fewer than k."""
    best = found.sets[0] if found.sets else None
    return {
        "k": k,
        "denominator": denominator(links.deck, k),
        "names": names(links, best.places) if best else [],
        "numerator": best.numerator if best else None,
        "bound": "=" if found.proven else ">=",
        "upper": found.upper,
    }


def names(links: Links, places: Sequence[int]) -> list[str]:
    """The names of monsters of the pool."""
    return [links.deck.pool.monsters[i].name for i in places]


def of_paths(pool: Pool, found: Iterable[Path]) -> dict[str, Any]:
    """Ways from one monster to another."""
    known = [monster.name for monster in pool.monsters]
    return {
        "paths": [
            {
                "reveal": known[p.reveal],
                "first": p.first,
                "bridge": known[p.bridge],
                "second": p.second,
                "target": known[p.target],
                "in_deck": p.in_deck,
            }
            for p in found
        ]
    }


def of_two(pool: Pool, first: int, second: int, question: str) -> dict[str, Any]:
    """What two monsters of the pool have in common, and whether that links them."""
    from dragon_small_world.links import links as linked
    from dragon_small_world.links import properties
    from dragon_small_world.words import PROPERTIES

    a, b = pool.monsters[first], pool.monsters[second]
    table = properties((a, b), question)
    shared = [word for word, x, y in zip(PROPERTIES, *table.tolist(), strict=True) if x == y]
    joined = bool(linked(table[:1], table[1:])[0, 0])
    return {"names": [a.name, b.name], "shared": shared, "linked": joined}


def of_weak(links: Links) -> dict[str, Any]:
    """The monsters of a deck, the weakest first."""
    known = [monster.name for monster in links.deck.pool.monsters]
    rows: list[dict[str, Any]] = [
        {
            "name": known[s.place],
            "links": s.links,
            "reaches": s.reaches,
            "misses": [known[i] for i in s.misses],
        }
        for s in standings(links)
    ]
    return {"dead": [row["name"] for row in rows if not row["reaches"]], "monsters": rows}


def of_graph(links: Links) -> dict[str, Any]:
    """The links of a deck with the property of each."""
    places, known = links.deck.places, links.deck.names
    rows = []
    for a in range(len(places)):
        for b in range(a + 1, len(places)):
            word = linking(links, places[a], places[b])
            if word is not None:
                rows.append({"first": known[a], "second": known[b], "property": word})
    return {"monsters": known, "links": rows}


def of_matrix(links: Links, squared: bool) -> dict[str, Any]:
    """Who is linked with whom, or how many bridges lead from one to another."""
    table = (links.squared if squared else links.adjacency.astype(int)).tolist()
    return {"names": links.deck.names, "squared": squared, "matrix": table}


def of_reach(targets: Sequence[str], found: Reach) -> dict[str, Any]:
    """How many opening hands have a target, or search it."""
    parts = {"opened": found.opened, "searched": found.searched, "total": found.total,
             "asked": found.asked}  # fmt: skip
    told = {word: {"numerator": n, "p": n / found.hands} for word, n in parts.items()}
    return {
        "targets": targets,
        "deck_size": found.size,
        "hand": found.hand,
        "denominator": found.hands,
        **told,
    }
