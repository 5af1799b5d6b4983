"""Counting all covers by size, irredundant or not."""

from __future__ import annotations

import csv
import json
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon.cover import Option, Problem
from dragon.cover import sizes as module
from dragon.cover.sizes import covers_by_size
from dragon.errors import SearchError

SHARED = Path(__file__).parents[3] / "shared"
CHARTS = {1: "1", 2: "2-5", 3: "2-5", 4: "2-5", 5: "2-5"}


def brute(problem: Problem) -> dict[int, int]:
    """Every set of visible options is looked at."""
    wanted = set(problem.primary) - problem.hidden_items
    options = [set(o.items) for o in problem.options if str(o) not in problem.hidden_options]
    counts: Counter[int] = Counter()
    for k in range(len(options) + 1):
        for chosen in combinations(options, k):
            counts[k] += wanted <= set().union(*chosen)
    return {k: n for k, n in counts.items() if n}


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    items = "abcdef"[: draw(st.integers(1, 6))]
    rows = draw(st.lists(st.sets(st.sampled_from(items), max_size=6), max_size=8))
    problem = Problem(items, [Option(sorted(row), f"o{i}") for i, row in enumerate(rows)])
    hidden = draw(st.sets(st.sampled_from(items)))
    barred = draw(st.sets(st.sampled_from(problem.names))) if rows else ()
    return problem.hide(hidden, barred)


@pytest.mark.full
@given(problems())
def test_counts_are_those_of_brute_force(problem):
    assert covers_by_size(problem) == brute(problem)


@pytest.mark.full
@given(problems())
def test_both_ways_agree(problem):
    items, options = module._masks(problem)
    by_items = module._by_items(items, options, options)
    assert by_items == module._by_options(items, options)


@pytest.mark.full
@given(problems(), st.integers(0, 8))
def test_a_size_cuts_the_table(problem, size):
    whole = covers_by_size(problem)
    assert covers_by_size(problem, size) == {k: n for k, n in whole.items() if k <= size}


def test_more_than_64_items_are_no_obstacle_where_options_are_few():
    items = [f"i{i}" for i in range(100)]
    options = [[item for item in items if int(item[1:]) % 7 != k] for k in range(7)]
    # none of the items is covered by all, and any two options cover all
    counts = covers_by_size(Problem.of(items, options))
    assert counts == {2: 21, 3: 35, 4: 35, 5: 21, 6: 7, 7: 1}


def test_numbers_beyond_64_bits_are_exact():
    problem = Problem("ab", [Option("ab", f"o{i}") for i in range(200)])
    assert sum(covers_by_size(problem).values()) == 2**200 - 1


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (Problem.of("a", ["a"], "x"), "item 'x' is secondary"),
        (Problem("a", [Option("a")], bounds={"a": (1, 2)}), "item 'a' has bounds"),
    ],
)
def test_what_cannot_be_counted_is_refused_with_a_remedy(problem, words):
    with pytest.raises(SearchError, match=words):
        covers_by_size(problem)


@pytest.mark.parametrize(
    ("fits", "chunk"),  # many chunks in both cases; the second are the true figures
    [(12, 1 << 7), pytest.param(module.FITS, module.CHUNK, marks=pytest.mark.full)],
)
def test_too_many_items_and_options_are_refused(monkeypatch, fits, chunk):
    monkeypatch.setattr(module, "FITS", fits)
    monkeypatch.setattr(module, "CHUNK", chunk)
    items = [f"i{i}" for i in range(fits + 1)]
    problem = Problem.of(items, [[item] for item in items])
    with pytest.raises(SearchError, match=rf"{fits + 1} items.*at most {fits}"):
        covers_by_size(problem)
    assert covers_by_size(problem.hide(["i0"]))[fits] == 1


@cache
def table(name: str) -> list[dict[str, str]]:
    with (SHARED / "facts" / "pokemon" / name).open() as file:
        return list(csv.DictReader(file))


def pokemon(gen: int, data: str, mode: str) -> Problem:
    """A generation's problem, hidden nothing, from the tables of facts."""
    original = data == "original_repo"
    rows = table(f"type_chart_gen{CHARTS.get(gen, '6-9')}.csv")
    chart = {(r["attack\\defense"], d): float(r[d]) for r in rows for d in list(r)[1:]}
    attacks = [row["attack\\defense"] for row in rows]
    flag = "in_original_repo" if original else "in_pkmn_standard"
    combos = [
        r["combo"] for r in table("type_combos.csv") if int(r["gen"]) == gen and r[flag] == "1"
    ]
    multiplier = {}
    for combo in combos:
        for attack in attacks:
            product = 1.0
            for part in combo.split("-"):
                product *= chart[attack, part]
            multiplier[attack, combo] = product
    if original:
        for row in table("repo_chart_errors.csv"):
            if int(row["gen"]) == gen:
                multiplier[row["attack"], row["defender"]] = float(row["original_repo"])
    if mode == "defense":
        options = {c: [a for a in attacks if multiplier[a, c] < 1] for c in combos}
        return Problem.of(attacks, options)
    return Problem.of(combos, {a: [c for c in combos if multiplier[a, c] > 1] for a in attacks})


def queries() -> list[dict]:
    path = SHARED / "oracles" / "pokemon" / "queries.json"
    return json.loads(path.read_text())["queries"] if path.exists() else []


@pytest.mark.samples("true_chart_pkmn_dex-*")
@pytest.mark.skipif(not queries(), reason="needs the oracles beside the checkout")
@pytest.mark.parametrize("mode", ["defense", "attack"])
@pytest.mark.parametrize("data", ["original_repo", "true_chart_pkmn_dex"])
def test_every_query_of_the_oracle_is_counted_alike(data, mode):
    asked = [q for q in queries() if (q["data"], q["mode"]) == (data, mode)]
    assert len(asked) >= 17
    for query in asked:
        problem = pokemon(query["gen"], data, mode).only(items=query["item_names"])
        expected = {int(k): n for k, n in query["canonical"]["all_covers_by_size"].items()}
        assert covers_by_size(problem, query["choice_limit"]) == expected, query["id"]
