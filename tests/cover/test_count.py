"""The search `count`: how many covers there are, without listing them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

import dragon
from dragon.core import Bound, Limit
from dragon.cover import CoverGame, Option, Problem, searches
from dragon.cover import covers as by_links
from dragon.cover.searches import DLX, Count
from dragon.errors import Objection, SearchError
from dragon.search.simple import Exhaustive

NOTHING = Problem("a", ())


@frozen
class Puzzle(CoverGame):
    """A game of any problem."""

    name = "puzzle"

    given: Problem = NOTHING

    def problem(self) -> Problem:
        return self.given


@frozen
class Ranked(Puzzle):
    name = "ranked"
    ranked = True


@frozen
class Overlapping(Puzzle):
    name = "overlapping"
    exact = False


@frozen
class Short(Puzzle):
    name = "short"
    size = 2


def stairs(n: int) -> Problem:
    """n items in a row, covered one or two at a time: as many ways as Fibonacci numbers tell."""
    items = [f"i{i:02}" for i in range(n)]
    return Problem.of(items, [[i] for i in items] + [[*p] for p in pairwise(items)])


@st.composite
def problems(draw: Any, bounded: bool = False) -> Problem:
    primary, secondary = "abcd"[: draw(st.integers(1, 4))], "xy"
    options = []
    for i in range(draw(st.integers(0, 8))):
        items = draw(st.sets(st.sampled_from(primary + secondary), min_size=1))
        colours = {n: draw(st.sampled_from("AB")) for n in items & {"x"}}
        weights = {n: draw(st.integers(0, 3)) for n in items & set(primary)} if not bounded else {}
        options.append(Option(sorted(items), f"o{i}", colours, draw(st.integers(-2, 3)), weights))
    bounds = {"a": draw(st.sampled_from([(0, 1), (0, 2), (1, 2), (2, 2), (1, 3)]))}
    return Problem(primary, options, secondary, bounds if bounded else {})


@pytest.mark.full
@given(st.one_of(problems(), problems(bounded=True)), st.sampled_from([None, 0, 1, 2, 3]))
def test_it_finds_the_covers_that_dancing_links_find(problem, size):
    links, counted = by_links(problem, size=size), Count().covers(problem, size=size)
    assert {tuple(sorted(c)) for c in links} == set(counted)
    assert counted.found == links.found == Count().covers(problem, size=size).count()
    assert (counted.verdict, counted.bound) == (links.verdict, Bound.EXACT)


@pytest.mark.full
@given(problems(), st.sampled_from([Puzzle, Ranked, Short]))
def test_its_value_is_that_of_the_game(problem, kind):
    state = kind(given=problem).start()
    if state.turn < 0:
        return
    result, truth = Count().best(state), Exhaustive().best(state)
    assert (result.value, result.bound) == (truth.value, Bound.EXACT)
    assert result.value == DLX().best(state).value
    end = state
    for move in result.line:
        end = end.after(move)
    if result.extra["covers"]:
        assert end.covered
        assert end.payoff()[0] == result.value
    assert result.extra["covers"] == by_links(problem, size=kind.size).count()


def test_more_covers_than_could_be_listed():
    result = Count().best(Puzzle(given=stairs(99)).start())
    assert result.extra["covers"] == 354224848179261915075
    assert (result.value, result.bound, result.extra["verdict"]) == (1.0, Bound.EXACT, "cover")


def test_the_rest_of_a_game_is_counted():
    state = Puzzle(given=stairs(10)).start()
    ways = [Count().best(state.after(move)).extra["covers"] for move in state.moves()]
    assert sum(ways) == 89


def test_a_limit_leaves_it_unknown_and_never_denies_a_cover():
    state = Puzzle(given=stairs(99)).start()
    result = Count().best(state, Limit(nodes=3))
    assert (result.bound, result.extra["verdict"]) == (Bound.ESTIMATE, "unknown")
    assert result.extra["covers_bound"] == ">="
    some = Count().best(state, Limit(nodes=101))
    assert 0 < some.extra["covers"] < 354224848179261915075
    assert (some.value, some.bound) == (1.0, Bound.EXACT)


def test_full_megabytes_are_reported():
    state = Puzzle(given=stairs(300)).start()
    result = Count(megabytes=0.02).best(state)
    assert result.extra["stopped"] == "0.02 megabytes are full"
    with pytest.raises(SearchError, match=r"0\.02 megabytes are full after"):
        Count(megabytes=0.02).covers(stairs(300)).count()


def test_covers_are_listed_in_batches_and_counted_in_between():
    found = Count().covers(stairs(20))
    first = [next(found) for _ in range(2000)]
    assert len(set(first)) == 2000
    assert found.found == 10946
    assert found.count() == 10946
    limited = Count().covers(stairs(20), limit=Limit(nodes=5))
    assert (limited.count(), limited.verdict, limited.bound) == (0, "unknown", Bound.LOWER)
    assert list(limited) == []


def test_what_it_cannot_count_is_refused_with_a_remedy():
    game = Overlapping(given=stairs(3))
    with pytest.raises(Objection, match="not overlapping ones"):
        Count().check(game)
    with pytest.raises(SearchError, match="covers_by_size"):
        Count().best(game.start())
    with pytest.raises(SearchError, match="covers_by_size"):
        Count().covers(stairs(3), exact=False)
    bounded = Problem("ab", [Option("a"), Option("b")], bounds={"b": (1, 2)})
    with pytest.raises(SearchError, match="'b' has bounds"):
        Count().best(Ranked(given=bounded).start())
    with pytest.raises(Objection, match="count needs cover"):
        Count().check(dragon.game("tictactoe"))


def test_it_is_installed_under_its_name():
    assert dragon.search("count(megabytes=10)") == Count(megabytes=10.0)


def test_results_come_while_it_goes_on(monkeypatch):
    monkeypatch.setattr(searches, "FIRST_RESULT", 256)
    board = [(r, c) for r in range(15) for c in range(15)]
    pairs = [
        [f"{r},{c}", f"{r + s},{c + 1 - s}"]
        for r, c in board
        for s in (0, 1)
        if (r + s, c + 1 - s) in board
    ]
    problem = Problem.of([f"{r},{c}" for r, c in board], [[f"{r},{c}"] for r, c in board] + pairs)
    results = Count().improve(
        Puzzle(given=problem).start(), Limit(nodes=40_000), np.random.default_rng(0)
    )
    first = next(results)
    assert first.nodes < 40_000
    assert first.extra["covers_bound"] == ">="
    assert first.extra["covers"] > 0
    results.close()
