"""Problems that are loaded once, changed in place and put back."""

from __future__ import annotations

import gc
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from dragon.core import Limit
from dragon.cover import Option, Problem, covers
from dragon.cover.dlx import DancingLinks
from dragon.cover.links import links_of
from dragon.cover.mutable import Hidden, MutableProblem
from dragon.errors import ConfigError
from dragon.modes import JIT


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


def bits(live: MutableProblem) -> tuple[bytes, ...]:
    """Everything that hiding may change."""
    links = live.links
    arrays = (links.nodes, links.items, live.items.seen, live.options.seen)
    return tuple(array.tobytes() for array in arrays)


def ring(live: MutableProblem) -> list[int]:
    """The heads that are linked, from the root to the right."""
    right, heads = live.links.items["right"], []
    at = int(right[0])
    while at:
        heads.append(at)
        at = int(right[at])
    return heads


def column(live: MutableProblem, head: int) -> list[int]:
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
HOLDERS = {
    name: [o for o, option in enumerate(PROBLEM.options) if name in option.items]
    for name in PROBLEM.items
}
"""The options of every item, by their numbers."""


class Hiding(RuleBasedStateMachine):
    """A mutable problem beside two plain lists of what is hidden."""

    @initialize()
    def load(self) -> None:
        self.live = MutableProblem(PROBLEM)
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
        before, in_view = bits(self.live), self.live.items.sees(name)
        assert (
            self.live.items.hide(name)
            == in_view
            == (name in PROBLEM.items and name not in self.items)
        )
        if in_view:
            self.items.append(name)
            self.before.append(("items", before))

    @rule(name=OPTIONS)
    def hide_option(self, name: str) -> None:
        before, in_view = bits(self.live), self.live.options.sees(name)
        assert (
            self.live.options.hide(name)
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
        self._push("items", self.items, names, self.live.items.hide_all(names))
        self.before.clear()

    @rule(names=st.lists(OPTIONS, max_size=4))
    def hide_options(self, names: list[str]) -> None:
        self._push("options", self.options, names, self.live.options.hide_all(names))
        self.before.clear()

    @rule(names=st.lists(ITEMS, max_size=9, unique=True))
    def hide_items_except(self, names: list[str]) -> None:
        view = [name for name in PROBLEM.items if name not in self.items]
        assert self.live.items.hide_except(names) == [n for n in names if n not in view]
        self.items += [name for name in view if name not in names]
        self.before.clear()

    @rule(names=st.lists(OPTIONS, max_size=9, unique=True))
    def hide_options_except(self, names: list[str]) -> None:
        view = [name for name in PROBLEM.names if name not in self.options]
        assert self.live.options.hide_except(names) == [n for n in names if n not in view]
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
    def stacks_hold_what_is_hidden(self) -> None:
        for kind in ("items", "options"):
            stack, expected = getattr(self.live, kind), getattr(self, kind)
            assert list(stack) == expected
            assert len(stack) == len(expected)
            if expected:
                assert stack.peek() == expected[-1]

    @invariant()
    def links_hold_what_is_in_view(self) -> None:
        primary = [i + 1 for i, n in enumerate(PROBLEM.primary) if n not in self.items]
        assert ring(self.live) == primary
        hidden = set(self.options)
        for i, name in enumerate(PROBLEM.items):
            below = [o for o in HOLDERS[name] if str(PROBLEM.options[o]) not in hidden]
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
    live = MutableProblem(PROBLEM)
    fresh, order = bits(live), []
    for is_item, n in moves:
        stack: Hidden = live.items if is_item else live.options
        names = PROBLEM.items if is_item else PROBLEM.names
        if n % 3 == 0 and len(stack):
            stack.pop()
        elif stack.hide(names[n % len(names)]):
            order.append(stack)
    for stack in order:  # the stacks taken back in the order in which they were filled
        if len(stack):
            stack.pop()
    live.items.reset()
    live.options.reset()
    assert bits(live) == fresh


def test_a_search_answers_on_what_is_in_view_and_a_view_stays_as_it_was():
    live = MutableProblem(grid(6))
    assert covers(live.problem()).count() > covers(live.problem().hide(options=["00"])).count()
    live.options.hide_except(["00", "11", "22"])
    live.items.hide_except(["r0", "r1", "c0", "c1", "d0"])
    view = live.problem()
    live.items.reset()
    live.options.reset()
    assert list(covers(view)) == [(0, 7)]
    assert live.problem() == grid(6)


def test_what_the_given_problem_hides_stays_hidden():
    live = MutableProblem(PROBLEM.hide(["r0"], ["00"]))
    assert not live.items.sees("r0")
    assert not live.options.sees("00")
    assert live.items.hide_all(["r0", "r1"]) == ["r0"]
    assert live.problem() == PROBLEM.hide(["r0", "r1"], ["00"])
    live.items.reset()
    assert live.problem() == PROBLEM.hide(["r0"], ["00"])


@pytest.mark.parametrize("kind", ["item", "option"])
def test_an_empty_stack_has_nothing_to_give_back(kind):
    live = MutableProblem(PROBLEM)
    stack = getattr(live, f"{kind}s")
    for ask in (stack.peek, stack.pop):
        with pytest.raises(ConfigError, match=f"no {kind} is hidden"):
            ask()


def changed(live: MutableProblem, ask: Any, *given: Any) -> int:
    """How many links a call changes in one direction."""
    rings = (live.links.items["right"], live.links.nodes["down"])
    before = [ring.copy() for ring in rings]
    ask(*given)
    return sum(int((a != b).sum()) for a, b in zip(before, rings, strict=True))


@pytest.mark.parametrize("n", [4, 16, 32])
def test_calls_change_as_many_links_as_promised(n):
    problem = grid(n)
    live = MutableProblem(problem)
    assert changed(live, live.items.hide, "r1") == 1  # a column of n options
    assert changed(live, live.options.hide, "12") == 3  # three nodes
    for stack, links in ((live.items, 1), (live.options, 3)):
        assert changed(live, stack.peek) == changed(live, len, stack) == changed(live, list, stack)
        assert changed(live, stack.peek) == 0
        assert changed(live, stack.pop) == links
    places: list[int] = []
    for stack in (live.items, live.options):
        for name in ("_remove", "_restore"):
            monitored(stack, name, places)
    live.items.hide_except(["r0", "c0", "none"])
    live.options.hide_except(["00", "01"])
    many = len(problem.items) - 2 + n * n - 2
    assert len(places) == many
    live.items.reset()
    live.options.reset()
    assert len(places) == 2 * many


def monitored(stack: Hidden, name: str, places: list[int]) -> None:
    """Keeps what a method of the stack is called with."""
    own = getattr(stack, name)

    def call(place: int) -> None:
        places.append(place)
        own(place)

    setattr(stack, name, call)


def test_space_grows_with_what_is_hidden_alone():
    """A few bytes for each that is hidden, whatever n is, and none for what came back."""

    def grown(n: int, hidden: int) -> int:
        live = MutableProblem(grid(n))
        names = [str(option) for option in live.problem().options[:hidden]]
        live.options.hide_all(names)  # whatever is made once
        live.options.reset()
        gc.collect()
        tracemalloc.start()
        try:
            before = tracemalloc.get_traced_memory()[0]
            live.options.hide_all(names)
            most = tracemalloc.get_traced_memory()[0] - before
            live.options.reset()
            assert tracemalloc.get_traced_memory()[0] - before < 1500
        finally:
            tracemalloc.stop()
        return most

    many = grown(32, 200)
    assert many < 200 * 50 + 1500
    assert many < grown(16, 200) + 1500
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


@settings(max_examples=80)
@given(SMALL, st.lists(st.integers(0, 99), max_size=12), st.none() | st.integers(0, 4))
def test_covers_are_those_of_what_is_in_view(made, moves, size):
    options = []
    for k, items in enumerate(made["options"]):
        colours = {i: c for i, c in zip("xyz", made["paint"][3 * k :], strict=False) if c}
        options.append(
            Option(sorted(items), f"o{k}", {i: colours[i] for i in items & set(colours)})
        )
    problem = Problem("abcde", options, "xyz", made["bounds"])
    live = MutableProblem(problem)
    fresh = bits(live)
    for move in moves:
        names = problem.items if move % 2 or not options else problem.names
        if move % 7 == 0 and len(live.items):
            live.items.pop()
        elif names is problem.items:
            live.items.hide(names[move % len(names)])
        else:
            live.options.hide(names[move % len(names)])
        before = bits(live)
        found, expected = live.covers(size), covers(live.problem(), size=size)
        assert list(found) == list(expected)
        assert found.verdict == expected.verdict
        with JIT.under("0"):
            plain = DancingLinks(live._standing()).advance(1 << 40, 1 << 20)
        assert plain == list(live.covers())
        assert bits(live) == before
    live.items.reset()
    live.options.reset()
    assert bits(live) == fresh


def test_covers_go_on_while_the_problem_changes():
    live = MutableProblem(grid(6))
    live.items.hide_all(["r0", "c0"])
    expected = list(covers(live.problem()))
    found = live.covers()
    first = [next(found) for _ in range(3)]
    live.items.hide_except(["r1"])
    live.options.hide_except([])
    assert first + list(found) == expected
    assert list(live.covers()) == []
    assert MutableProblem(grid(6)).covers(limit=Limit(nodes=1)).verdict == "unknown"
    with pytest.raises(ConfigError, match="size is -1"):
        live.covers(-1)


def test_the_arrays_are_those_of_the_problem():
    live = MutableProblem(PROBLEM)
    live.options.hide("00")
    live.options.pop()
    assert np.array_equal(live.links.nodes, links_of(PROBLEM).nodes)
