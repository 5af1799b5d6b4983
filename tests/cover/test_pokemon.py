"""Minimal and best covers of Pokémon types, against the counts of an independent program."""

from __future__ import annotations

import csv
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dragon.core import Bound
from dragon.cover import Option, Problem
from dragon.cover.minimal import minimal_stream
from dragon.cover.optimum import best

SHARED = Path(__file__).parents[3] / "shared"
FACTS = SHARED / "facts" / "pokemon"
QUERIES = SHARED / "oracles" / "pokemon" / "queries.json"
CODES = {"defense": {0: 1, 0.25: 2, 0.5: 3}, "attack": {2: -5, 4: -6}}
MANY = 1 << 40


@cache
def multipliers(data: str, gen: int) -> tuple[list[str], list[str], dict[tuple[str, str], float]]:
    """Defenders, attack types and what an attack does to a defender."""
    name = "gen1" if gen == 1 else "gen2-5" if gen < 6 else "gen6-9"
    with (FACTS / f"type_chart_{name}.csv").open() as file:
        (_, *types), *lines = csv.reader(file)
    chart = {(row[0], t): float(x) for row in lines for t, x in zip(types, row[1:], strict=True)}
    listed = "in_original_repo" if data == "original_repo" else "in_pkmn_standard"
    with (FACTS / "type_combos.csv").open() as file:
        rows = [r for r in csv.DictReader(file) if int(r["gen"]) == gen and r[listed] == "1"]
    combos = sorted(r["combo"] for r in rows)
    hits = {}
    for combo in combos:
        for attack in types:
            hits[combo, attack] = 1.0
            for part in combo.split("-"):
                hits[combo, attack] *= chart[attack, part]
    if data == "original_repo":
        with (FACTS / "repo_chart_errors.csv").open() as file:
            for r in csv.DictReader(file):
                if int(r["gen"]) == gen:
                    hits[r["defender"], r["attack"]] = float(r["original_repo"])
    return combos, sorted(types), hits


def pokemon(query: dict[str, Any]) -> Problem:
    """The cover problem of a query; a score to be high is a negative cost."""
    combos, types, hits = multipliers(query["data"], query["gen"])
    codes = CODES[query["mode"]]
    defends = query["mode"] == "defense"
    names, items = (combos, types) if defends else (types, combos)
    options = []
    for name in names:
        met = {i: hits[(name, i) if defends else (i, name)] for i in items}
        weights = {i: codes[x] for i, x in met.items() if x in codes}
        options.append(Option(tuple(weights), name, weights=weights))
    return Problem(tuple(items), tuple(options)).only(items=query["item_names"])


def queries() -> list[dict[str, Any]]:
    if not QUERIES.exists() or not FACTS.exists():
        pytest.skip("the oracles of Pokémon are not beside this checkout")
    listed: list[dict[str, Any]] = json.loads(QUERIES.read_text())["queries"]
    return listed


def counted(query: dict[str, Any]) -> tuple[int, Counter[int]]:
    """Count the minimal covers, and those of each size; every one is listed."""
    stream, sizes = minimal_stream(pokemon(query), query["choice_limit"]), Counter[int]()
    while not stream.done:
        sizes.update(map(len, stream.advance(MANY, 1 << 12)))
    return stream.found, sizes


@pytest.mark.full
def test_the_counts_of_minimal_covers() -> None:
    """All queries but those on which the other program gave up; up to 10**5 by size."""
    known = [q for q in queries() if q["canonical"]["minimal_covers"] is not None]
    assert len(known) == 118
    for query in known:
        total = query["canonical"]["minimal_covers"]
        if total <= 100_000:
            by_size = {int(n): k for n, k in query["canonical"]["minimal_covers_by_size"].items()}
            assert counted(query) == (total, +Counter(by_size)), query["id"]
            continue
        stream = minimal_stream(pokemon(query), query["choice_limit"])
        stream.advance(MANY, 0)
        assert stream.done
        assert stream.found == total, query["id"]


@pytest.mark.full
@pytest.mark.parametrize("exact", [True, False])
def test_the_ten_best_covers(exact: bool) -> None:
    """Scores and sets, ties in order; where the other program gave up there is no oracle."""
    known = "best10_exact" if exact else "best10_minimal"
    for query in queries():
        expected = query["canonical"][known]
        if expected is None:
            continue
        problem = pokemon(query)
        found = best(problem, 10, exact, size=query["choice_limit"])
        sign = 1 if query["mode"] == "defense" else -1
        ranked = [
            {"score": sign * cover.cost, "set": [problem.names[o] for o in cover.options]}
            for cover in found.covers
        ]
        assert found.bound is Bound.EXACT
        assert ranked == expected, query["id"]


@pytest.mark.full
def test_the_best_defence_of_generation_9() -> None:
    """A score of 29 is the least among minimal covers, and among all covers too."""
    whole = next(q for q in queries() if q["id"] == "original_repo|9|Paldea|ALL|defense")
    for among in ("minimal", "all"):
        found = best(pokemon(whole), exact=False, among=among, size=6)
        assert (found.bound, found.covers[0].cost, len(found.covers)) == (Bound.EXACT, 29, 1)
        assert found.nodes < 100_000
