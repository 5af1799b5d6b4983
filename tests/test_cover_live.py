"""Problems that are loaded once, changed in place and put back."""

from __future__ import annotations

import gc
import tracemalloc
from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from dragon.core import Limit
from dragon.cover import Option, Problem, covers
from dragon.cover.dlx import Interpreted
from dragon.cover.links import links_of
from dragon.cover.live import Hidden, Live
from dragon.errors import ConfigError


def grid(n: int) -> Problem:
    """n columns and n rows to be covered once, n * n cells, diagonals at most once."""
    digits = "0123456789abcdefghijklmnopqrstuv"[:n]
    rows, columns = [f"r{d}" for d in digits], [f"c{d}" for d in digits]
    cells = {
        digits[r] + digits[c]: [rows[r], columns[c], f"d{r + c}"]
        for r in range(n)
        for c in range(n)
    }
    return Problem.of(rows + columns, cells, [f"d{i}" for i in range(2 * n - 1)])


def bits(live: Live) -> tuple[bytes, ...]:
    """Everything that hiding may change."""
    links = live.links
    arrays = (links.nodes, links.items, live.items.seen, live.options.seen)
    return tuple(array.tobytes() for array in arrays)


def ring(live: Live) -> list[int]:
    """The heads that are linked, from the root to the right."""
    right, heads = live.links.items["right"], []
    at = int(right[0])
    while at:
        heads.append(at)
        at = int(right[at])
    return heads


def column(live: Live, head: int) -> list[int]:
    """The options below a head."""
    down, options = live.links.nodes["down"], []
    at = int(down[head])
    while at != head:
        options.append(int(live.links.option[at]))
        at = int(down[at])
    return options


PROBLEM = grid(4)
ITEMS = st.sampled_from([*PROBLEM.items, "r", "z9"])
OPTIONS = st.sampled_from([*PROBLEM.names, "4", "99"])


class Hiding(RuleBasedStateMachine):
    """A live problem beside two plain lists of what is hidden."""

    @initialize()
    def load(self) -> None:
        self.live = Live(PROBLEM)
        self.fresh = bits(self.live)
        self.items: list[str] = []
        self.options: list[str] = []
        self.before: list[tuple[str, tuple[bytes, ...]]] = []

    def _push(self, kind: str, hidden: list[str], names: list[str], failed: list[str]) -> None:
        known = PROBLEM.items if kind == "items" else PROBLEM.names
        expected = []
        for name in names:
            if name in known and name not in hidden:
                hidden.append(name)
            else:
                expected.append(name)
        assert failed == expected

    @rule(name=ITEMS)
    def hide_item(self, name: str) -> None:
        before, in_view = bits(self.live), self.live.has_item(name)
        assert (
            self.live.hide_item(name)
            == in_view
            == (name in PROBLEM.items and name not in self.items)
        )
        if in_view:
            self.items.append(name)
            self.before.append(("items", before))

    @rule(name=OPTIONS)
    def hide_option(self, name: str) -> None:
        before, in_view = bits(self.live), self.live.has_option(name)
        assert (
            self.live.hide_option(name)
            == in_view
            == (name in PROBLEM.names and name not in self.options)
        )
        if in_view:
            self.options.append(name)
            self.before.append(("options", before))

    @precondition(lambda self: self.before)
    @rule()
    def take_back(self) -> None:
        kind, before = self.before.pop()
        hidden = getattr(self, kind)
        assert getattr(self.live, kind).pop() == hidden.pop()
        assert bits(self.live) == before

    @rule(names=st.lists(ITEMS, max_size=4))
    def hide_items(self, names: list[str]) -> None:
        self._push("items", self.items, names, self.live.hide_items(names))
        self.before.clear()

    @rule(names=st.lists(OPTIONS, max_size=4))
    def hide_options(self, names: list[str]) -> None:
        self._push("options", self.options, names, self.live.hide_options(names))
        self.before.clear()

    @rule(names=st.lists(ITEMS, max_size=9, unique=True))
    def hide_items_except(self, names: list[str]) -> None:
        view = [name for name in PROBLEM.items if name not in self.items]
        assert self.live.hide_items_except(names) == [n for n in names if n not in view]
        self.items += [name for name in view if name not in names]
        self.before.clear()

    @rule(names=st.lists(OPTIONS, max_size=9, unique=True))
    def hide_options_except(self, names: list[str]) -> None:
        view = [name for name in PROBLEM.names if name not in self.options]
        assert self.live.hide_options_except(names) == [n for n in names if n not in view]
        self.options += [name for name in view if name not in names]
        self.before.clear()

    @rule(kind=st.sampled_from(["items", "options"]), n=st.integers(1, 4))
    def pop(self, kind: str, n: int) -> None:
        for _ in range(min(n, len(getattr(self, kind)))):
            assert getattr(self.live, kind).pop() == getattr(self, kind).pop()
        self.before.clear()

    @rule(first=st.sampled_from(["items", "options"]))
    def reset(self, first: str) -> None:
        for kind in (first, "options" if first == "items" else "items"):
            getattr(self.live, kind).reset()
            getattr(self, kind).clear()
        self.before.clear()
        assert bits(self.live) == self.fresh

    @invariant()
    def stacks_are_told_truly(self) -> None:
        for kind in ("items", "options"):
            stack, expected = getattr(self.live, kind), getattr(self, kind)
            assert stack.list() == expected
            assert stack.count() == len(expected)
            assert stack.empty() == (not expected)
            if expected:
                assert stack.peek() == expected[-1]

    @invariant()
    def links_hold_what_is_in_view(self) -> None:
        primary = [i + 1 for i, n in enumerate(PROBLEM.primary) if n not in self.items]
        assert ring(self.live) == primary
        for i, name in enumerate(PROBLEM.items):
            below = [
                o
                for o, option in enumerate(PROBLEM.options)
                if name in option.items and str(option) not in self.options
            ]
            assert column(self.live, i + 1) == below
            assert self.live.links.items["length"][i + 1] == len(below)

    @invariant()
    def the_view_is_the_same(self) -> None:
        view = self.live.problem()
        assert view.hidden_items == set(self.items)
        assert view.hidden_options == set(self.options)


TestHiding = Hiding.TestCase


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 99)), max_size=60))
def test_any_nesting_of_the_two_stacks_restores_the_arrays_bit_for_bit(moves):
    live = Live(PROBLEM)
    fresh, order = bits(live), []
    for is_item, n in moves:
        stack: Hidden = live.items if is_item else live.options
        names = PROBLEM.items if is_item else PROBLEM.names
        if n % 3 == 0 and not stack.empty():
            stack.pop()
        elif stack.hide(names[n % len(names)]):
            order.append(stack)
    for stack in order:  # the stacks taken back in the order in which they were filled
        if not stack.empty():
            stack.pop()
    live.items.reset()
    live.options.reset()
    assert bits(live) == fresh


def test_a_search_answers_on_what_is_in_view_and_a_view_stays_as_it_was():
    live = Live(grid(6))
    assert covers(live.problem()).count() > covers(live.problem().hide(options=["00"])).count()
    live.hide_options_except(["00", "11", "22"])
    live.hide_items_except(["r0", "r1", "c0", "c1", "d0"])
    view = live.problem()
    live.items.reset()
    live.options.reset()
    assert list(covers(view)) == [(0, 7)]
    assert live.problem() == grid(6)


def test_what_the_given_problem_hides_stays_hidden():
    live = Live(PROBLEM.hide(["r0"], ["00"]))
    assert not live.has_item("r0")
    assert not live.has_option("00")
    assert live.hide_items(["r0", "r1"]) == ["r0"]
    assert live.problem() == PROBLEM.hide(["r0", "r1"], ["00"])
    live.items.reset()
    assert live.problem() == PROBLEM.hide(["r0"], ["00"])


@pytest.mark.parametrize("kind", ["item", "option"])
def test_an_empty_stack_has_nothing_to_give_back(kind):
    live = Live(PROBLEM)
    stack = getattr(live, f"{kind}s")
    for ask in (stack.peek, stack.pop):
        with pytest.raises(ConfigError, match=f"no {kind} is hidden"):
            ask()


def spent(live: Live, ask: Any, *arguments: Any) -> tuple[int, int]:
    """Comparisons and splices of one call."""
    work = live.work
    before = work.comparisons, work.splices
    ask(*arguments)
    return work.comparisons - before[0], work.splices - before[1]


@pytest.mark.parametrize("n", [4, 16, 32])
def test_calls_take_as_many_steps_as_promised(n):
    problem = grid(n)
    live = Live(problem)
    items, options = 2 + log2(len(problem.items)), 2 + log2(len(problem.options))
    for name in ("r0", "c1", "d2", "r", "zz", ""):
        assert spent(live, live.has_item, name)[0] <= items
        assert spent(live, live.has_item, name)[1] == 0
    for name in ("00", "11", "x", ""):
        comparisons, splices = spent(live, live.has_option, name)
        assert (comparisons <= options, splices) == (True, 0)
    comparisons, splices = spent(live, live.hide_item, "r1")  # a column of n options
    assert (comparisons <= items, splices) == (True, 1)
    comparisons, splices = spent(live, live.hide_option, "12")  # three nodes
    assert (comparisons <= options, splices) == (True, 3)
    for stack, splices in ((live.items, 1), (live.options, 3)):
        assert spent(live, stack.peek) == spent(live, stack.empty) == (0, 0)
        assert spent(live, stack.count) == spent(live, stack.list) == (0, 0)
        assert spent(live, stack.pop) == (0, splices)
    comparisons, splices = spent(live, live.hide_items_except, ["r0", "c0", "none"])
    assert (comparisons <= 3 * items, splices) == (True, 2 * n - 2)
    comparisons, splices = spent(live, live.hide_options_except, ["00", "01"])
    assert (comparisons <= 2 * options, splices) == (True, 3 * (n * n - 2))
    assert spent(live, live.items.reset) == (0, 2 * n - 2)
    assert spent(live, live.options.reset) == (0, 3 * (n * n - 2))


def test_space_grows_with_what_is_hidden_alone():
    """A few bytes for each that is hidden, whatever n is, and none for what came back."""

    def grown(n: int, hidden: int) -> int:
        live = Live(grid(n))
        names = [str(option) for option in live.problem().options[:hidden]]
        live.hide_options(names)  # whatever is made once
        live.options.reset()
        gc.collect()
        tracemalloc.start()
        try:
            before = tracemalloc.get_traced_memory()[0]
            live.hide_options(names)
            most = tracemalloc.get_traced_memory()[0] - before
            live.options.reset()
            assert tracemalloc.get_traced_memory()[0] - before < 1500
        finally:
            tracemalloc.stop()
        return most

    assert grown(32, 200) < 200 * 50 + 1500
    assert grown(32, 200) < grown(16, 200) + 1500
    assert grown(32, 4) < 1500


SMALL = st.booleans().flatmap(
    lambda bounded: st.fixed_dictionaries(
        {
            "options": st.lists(st.sets(st.sampled_from("abcdexyz"), min_size=1), max_size=10),
            "paint": st.lists(st.sampled_from(["", "A", "B"]), min_size=30, max_size=30),
            "bounds": st.dictionaries(
                st.sampled_from("abcde"),
                st.sampled_from([(0, 1), (1, 2), (0, 3), (2, 2)]),
                max_size=5 if bounded else 0,
            ),
        }
    )
)


@settings(max_examples=200, deadline=None)
@given(SMALL, st.lists(st.integers(0, 99), max_size=12), st.none() | st.integers(0, 4))
def test_covers_are_those_of_what_is_in_view(made, moves, size):
    options = []
    for k, items in enumerate(made["options"]):
        colours = {i: c for i, c in zip("xyz", made["paint"][3 * k :], strict=False) if c}
        options.append(
            Option(sorted(items), f"o{k}", {i: colours[i] for i in items & set(colours)})
        )
    problem = Problem("abcde", options, "xyz", made["bounds"])
    live = Live(problem)
    fresh = bits(live)
    for move in moves:
        names = problem.items if move % 2 or not options else problem.names
        if move % 7 == 0 and not live.items.empty():
            live.items.pop()
        elif names is problem.items:
            live.hide_item(names[move % len(names)])
        else:
            live.hide_option(names[move % len(names)])
        before = bits(live)
        found, expected = live.covers(size), covers(live.problem(), size=size)
        assert list(found) == list(expected)
        assert found.verdict == expected.verdict
        assert list(Interpreted(live._standing()).advance(1 << 40, 1 << 20)) == list(live.covers())
        assert bits(live) == before
    live.items.reset()
    live.options.reset()
    assert bits(live) == fresh


def test_covers_go_on_while_the_live_problem_changes():
    live = Live(grid(6))
    live.hide_items(["r0", "c0"])
    expected = list(covers(live.problem()))
    found = live.covers()
    first = [next(found) for _ in range(3)]
    live.hide_items_except(["r1"])
    live.hide_options_except([])
    assert first + list(found) == expected
    assert list(live.covers()) == []
    assert Live(grid(6)).covers(limit=Limit(nodes=1)).verdict == "unknown"
    with pytest.raises(ConfigError, match="size is -1"):
        live.covers(-1)


def test_the_arrays_are_those_of_the_problem():
    live = Live(PROBLEM)
    live.hide_option("00")
    live.options.pop()
    assert np.array_equal(live.links.nodes, links_of(PROBLEM).nodes)
