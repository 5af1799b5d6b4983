"""The best covers: against brute force over every kind of small problem, and by limits."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon import ConfigError, SearchError
from dragon.core import Bound, Limit
from dragon.cover import Option, Problem, covers
from dragon.cover.optimum import Best, Ranked, best, improve
from dragon.modes import JIT

pytestmark = pytest.mark.samples(1)

NAMES = "pqrstuvw"
AMOUNTS = st.integers(-4, 6)
KINDS = ("exact", "minimal", "all")


@st.composite
def problems(draw: Any) -> Problem:
    """A small problem with everything that a problem may have; names are in no order."""
    primary = "abcde"[: draw(st.integers(0, 5))]
    secondary = "xyz"[: draw(st.integers(0, 2))]
    names = draw(st.permutations(NAMES[: draw(st.integers(0, len(NAMES)))]))
    amounts = draw(st.sampled_from([st.just(0), st.integers(0, 5), AMOUNTS]))
    weighty = draw(st.sampled_from([st.just(0), st.integers(0, 5), AMOUNTS]))
    options = []
    for name in names:
        items = [i for i in primary + secondary if draw(st.booleans())]
        painted = [i for i in items if i in secondary and draw(st.booleans())]
        colours = {i: draw(st.sampled_from("AB")) for i in painted}
        weights = {i: draw(weighty) for i in items if i in primary and draw(st.integers(0, 3))}
        options.append(Option(tuple(items), name, colours, draw(amounts), weights))
    bounds = {i: draw(st.sampled_from([(0, 1), (0, 2), (1, 2), (2, 2), (2, 3)])) for i in primary
              if not draw(st.integers(0, 4))}  # fmt: skip
    problem = Problem(tuple(primary), tuple(options), tuple(secondary), bounds)
    gone = [i for i in problem.items if not draw(st.integers(0, 7))]
    barred = [o for o in problem.names if not draw(st.integers(0, 7))]
    return problem.hide(gone, barred)


def allowed(problem: Problem, chosen: list[Option], exact: bool) -> bool:
    """Tell whether a set of options is a cover, exact in Knuth's sense or overlapping."""
    visible = set(problem.items) - problem.hidden_items
    for item in visible:
        users = [o for o in chosen if item in o.items]
        if item in problem.primary:
            low, high = problem.bounds_of(item)
            if len(users) < low or (exact and len(users) > high):
                return False
        elif len(users) > 1 and (len({o.colours.get(item) for o in users}) > 1
                                 or users[0].colours.get(item) is None):  # fmt: skip
            return False
    return not exact or all(visible & set(o.items) for o in chosen)


def cost(problem: Problem, chosen: list[Option]) -> int:
    """Add up what a cover costs, by the definition."""
    total = sum(o.cost for o in chosen)
    for item in set(problem.primary) - problem.hidden_items:
        total += min((o.weights.get(item, 0) for o in chosen if item in o.items), default=0)
    return total


def ranking(problem: Problem, kind: str, size: int | None) -> list[Ranked]:
    """All covers by cost, size and sorted names, by trying all sets of options."""
    numbers = [o for o, name in enumerate(problem.names) if name not in problem.hidden_options]
    found = []
    for n in range(min(len(numbers), len(numbers) if size is None else size) + 1):
        for chosen in combinations(numbers, n):
            options = [problem.options[o] for o in chosen]
            if not allowed(problem, options, kind == "exact"):
                continue
            less = (options[:k] + options[k + 1 :] for k in range(n))
            if kind == "minimal" and any(allowed(problem, fewer, False) for fewer in less):
                continue
            by_name = tuple(sorted(chosen, key=problem.names.__getitem__))
            found.append((cost(problem, options), n, [problem.names[o] for o in by_name], by_name))
    return [Ranked(price, cover) for price, _, _, cover in sorted(found)]


def asked(problem: Problem, kind: str, top: int, size: int | None, **more: Any) -> Best:
    among = "all" if kind == "all" else "minimal"
    return best(problem, top, kind == "exact", among, size, **more)


@pytest.mark.parametrize("kind", KINDS)
@given(problems(), st.sampled_from([1, 2, 5, 1000]), st.none() | st.integers(0, 5))
@settings(max_examples=100)
def test_brute_force_finds_the_same(
    kind: str, problem: Problem, top: int, size: int | None
) -> None:
    found = asked(problem, kind, top, size)
    assert found.bound is Bound.EXACT
    assert list(found.covers) == ranking(problem, kind, size)[:top]


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
@given(problem=problems())
@settings(max_examples=40)
def test_plain_python_visits_the_same_nodes(kind: str, problem: Problem) -> None:
    compiled = asked(problem, kind, 3, None)
    with JIT.under("0"):
        interpreted = asked(problem, kind, 3, None)
    assert interpreted.covers == compiled.covers
    assert interpreted.nodes == compiled.nodes


@pytest.mark.full
@given(problems(), st.sampled_from(KINDS), st.integers(1, 6))
@settings(max_examples=80)
def test_a_limit_never_claims_too_much(problem: Problem, kind: str, nodes: int) -> None:
    found = asked(problem, kind, 2, None, limit=Limit(nodes=nodes))
    assert found.nodes <= nodes
    every = ranking(problem, kind, None)
    assert set(found.covers) <= set(every)
    if found.bound is Bound.EXACT:
        assert list(found.covers) == every[:2]
    else:
        assert found.bound is Bound.UPPER
        assert found.verdict == ("cover" if found.covers else "unknown")


@pytest.mark.full
@pytest.mark.parametrize(
    "seed",  # with and without weights and costs; the last two are like those before
    [*range(4), *(pytest.param(seed, marks=pytest.mark.full) for seed in (4, 5))],
)
def test_an_enumeration_ranks_them_alike(seed: int) -> None:
    """Problems of more than a word of options, too large to try all sets of them."""
    rng = random.Random(seed)
    items = [f"i{k}" for k in range(9)]
    options = []
    for k in range(100):
        some = rng.sample(items, rng.randint(1, 5))
        weights = {i: rng.randint(-3, 3) for i in some if seed % 2}
        extra = ["s"] * (rng.random() < 0.3)
        price = rng.randint(-2, 5) if seed > 1 else 0
        name = f"{rng.random()}-{k}"
        options.append(Option((*some, *extra), name, cost=price, weights=weights))
    problem = Problem(items, options, ("s",))
    for exact, size in ((True, None), (False, 3)):
        found = [
            (cost(problem, [options[o] for o in cover]), len(cover), *named)
            for cover in covers(problem, exact, size)
            for named in [sorted((options[o].name, o) for o in cover)]
        ]
        assert len(found) > 50
        expected = [Ranked(price, tuple(o for _, o in named)) for price, _, *named in sorted(found)]
        assert list(best(problem, 40, exact, size=size).covers) == expected[:40]


def intervals(n: int) -> Problem:
    """Overlapping intervals on a line of n, as costly as they are long and a bit more."""
    items = [f"i{k:02}" for k in range(n)]
    spans = [(a, b) for a in range(n) for b in range(a + 1, min(n, a + 7) + 1)]
    options = [
        Option(tuple(items[a:b]), f"{a}-{b}", cost=10 * (b - a) + (7 * a + 5 * b) % 23)
        for a, b in spans
    ]
    return Problem(tuple(items), tuple(options))


def by_intervals(problem: Problem) -> int:
    """The least cost of an exact cover of a line by intervals: shortest path."""
    least = [0]
    ends = [tuple(map(int, str(o).split("-"))) for o in problem.options]
    for k in range(1, len(problem.primary) + 1):
        at_k = [
            least[a] + o.cost for (a, b), o in zip(ends, problem.options, strict=True) if b == k
        ]
        least.append(min(at_k))
    return least[-1]


@pytest.mark.full
def test_deep_and_wide_problems() -> None:
    """More depths, options and items than the arrays begin with."""
    problem = intervals(40)
    found = best(problem)
    assert found.covers[0].cost == by_intervals(problem)
    assert found.bound is Bound.EXACT
    pairs = [
        Option((f"i{k}",), f"i{k}{s}", cost=c) for k in range(90) for s, c in (("a", 1), ("b", 3))
    ]
    many = Problem(tuple(f"i{k}" for k in range(90)), tuple(pairs))
    for exact, among in ((True, "minimal"), (False, "minimal"), (False, "all")):
        three = best(many, 3, exact, among)
        assert [r.cost for r in three.covers] == [90, 92, 92]
        assert {len(r.options) for r in three.covers} == {90}


@pytest.mark.full
def test_improvement_is_streamed() -> None:
    steps = list(improve(intervals(40), top=5, limit=Limit(seconds=60)))
    assert [t.nodes for t in steps] == sorted(t.nodes for t in steps)
    assert all(t.bound is Bound.UPPER for t in steps[:-1])
    assert steps[-1].bound is Bound.EXACT
    last = [r.cost for r in steps[-1].covers]
    assert last == sorted(last)
    assert len(last) == 5


@pytest.mark.full
def test_seconds_end_a_run() -> None:
    found = best(intervals(200), top=10**4, exact=False, among="all", limit=Limit(seconds=0.05))
    assert found.bound is Bound.UPPER
    assert found.seconds < 5


def test_the_first_look_at_the_clock_comes_after_one_node() -> None:
    steps = list(improve(intervals(60), limit=Limit(seconds=1e-9)))
    assert [(t.nodes, t.bound) for t in steps] == [(1, Bound.UPPER)]


def test_settings_without_sense_are_refused() -> None:
    problem = Problem.of("ab", ["ab"])
    with pytest.raises(ConfigError) as raised:
        best(problem, top=0, among="some", size=-1)
    assert str(raised.value).splitlines() == [
        "top is 0; ask for at least one cover",
        "among is 'some'; write 'minimal' or 'all'",
        "size is -1; write 0 or more",
    ]
    with pytest.raises(SearchError, match="scale them down"):
        best(Problem("a", [Option("a", cost=1 << 60)]))


def test_verdicts() -> None:
    assert best(Problem.of("ab", ["a"])).verdict == "no cover"
    assert best(Problem.of("ab", ["ab"])).verdict == "cover"
    assert best(Problem("", [])).covers == (Ranked(0, ()),)
