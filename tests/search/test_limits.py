"""Limits of searches: counted on a clock of the test's own, not on the wall's."""

from __future__ import annotations

import inspect
import sys
import time
from functools import reduce
from typing import Any

import pytest
from attrs import evolve, field, frozen

import dragon
from dragon import TERMINAL, Bound, Limit, State
from dragon.search.budget import QUICK, Pace
from dragon.search.mcts.driver import Tree
from dragon.search.mcts.search import MCTS

pytestmark = pytest.mark.samples(1)

SEARCHERS = ("alphabeta", "mcts", "mcts(threads=2)", "montecarlo", "negamax", "exhaustive")


class Clock:
    """A clock that stands still until a test turns it."""

    def __init__(self, look: float = 0.0) -> None:
        self.now = 0.0
        self.look = look
        """Seconds that pass with each look at it."""

    def __call__(self) -> float:
        self.now += self.look
        return self.now


@frozen
class Slow(State[int]):
    """A long walk: to list the moves of a state takes a second, and so does a step."""

    clock: Any = field(eq=False)
    left: int = 60
    mover: int = 0

    @property
    def turn(self) -> int:
        return self.mover if self.left else TERMINAL

    def moves(self) -> tuple[int, ...]:
        self.clock.now += 1.0
        return (1, 2) if self.left > 1 else (1,) * self.left

    def after(self, move: int) -> Slow:
        self.clock.now += 1.0
        return Slow(self.clock, self.left - move, 1 - self.mover)

    def payoff(self) -> tuple[float, float]:
        return (-1.0, 1.0) if self.mover == 0 else (1.0, -1.0)

    def __str__(self) -> str:
        return f"{self.left} {self.mover}"


@pytest.mark.parametrize("seconds", [1.0, 20.0, 300.0])
@pytest.mark.parametrize("search", SEARCHERS)
def test_the_clock_is_asked_at_every_state_that_may_take_long(
    search: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(time, "perf_counter", clock)
    result = dragon.search(search).best(Slow(clock), Limit(seconds=seconds))
    assert result.seconds <= seconds + 12  # what a few states take that were begun in time
    assert clock.now <= result.seconds + 60  # and to write the line down
    assert result.bound is Bound.ESTIMATE
    assert result.move in (1, 2)


@pytest.mark.parametrize("search", ["alphabeta", "mcts", "montecarlo"])
def test_a_kernel_is_asked_for_little_while_it_seems_slow(
    search: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = dragon.game("connect4").start()
    dragon.search(search).best(state, Limit(nodes=100))  # compiles
    monkeypatch.setattr(time, "perf_counter", Clock(look=1.0))
    assert dragon.search(search).best(state, Limit(seconds=10)).nodes < 20_000


def test_a_pace_follows_the_clock_only_where_there_is_one_to_meet() -> None:
    timed, free = Pace(8, 64, timed=True), Pace(8, 64, timed=False)
    for seconds, steps in ((0.0, 16), (QUICK, 16), (9.0, 8), (9.0, 4), (0.0, 8)):
        timed.took(seconds)
        assert timed.steps == steps
    for seconds in (9.0, 9.0, 9.0, 9.0):
        free.took(seconds)
    assert free.steps == 64
    for _ in range(9):
        timed.took(9.0)
    assert timed.steps == 1


def test_a_pace_leaves_no_slice_that_would_last_beyond_the_limit() -> None:
    pace = Pace(1000, 5000, timed=True)
    for left, steps in ((1.0, 2000), (0.002, 1000), (0.001, 250), (-1.0, 1)):
        pace.took(0.004, left)
        assert pace.steps == steps


@pytest.mark.full
@pytest.mark.alone
@pytest.mark.parametrize("search", [*SEARCHERS, "alphabeta(deepening=false)"])
def test_long_lines_end_with_an_estimate_where_a_limit_was_given(search: str) -> None:
    state = dragon.game("nim(pile=100000)").start()
    result = dragon.search(search).best(state, Limit(seconds=0.2))
    assert result.move in state.moves()
    assert result.bound is Bound.ESTIMATE
    assert result.seconds < 2


@pytest.mark.samples("negamax")
@pytest.mark.parametrize("search", ["exhaustive", "negamax"])
def test_a_line_too_long_for_python_is_told_beside_the_estimate(search: str) -> None:
    state = dragon.game("nim(pile=5000)").start()
    for limit in (Limit(seconds=60), Limit(nodes=1 << 30)):
        reason = dragon.search(search).best(state, limit).extra["stopped"]
        assert "too long for plain Python" in reason
    with pytest.raises(dragon.SearchError, match="too long for plain Python"):
        dragon.search(search).best(state, Limit(depth=4000))


@pytest.mark.full
def test_alpha_beta_needs_no_stack_of_python() -> None:
    state = dragon.game("nim(pile=5000)").start()
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 80)
    try:
        result = dragon.search("alphabeta").best(state, Limit(nodes=20_000))
    finally:
        sys.setrecursionlimit(before)
    assert result.extra["depth"] >= 32
    assert "stopped" not in result.extra


@pytest.mark.full
@pytest.mark.parametrize("nodes", [100, 1000, 10_000])
def test_a_search_that_is_soon_broken_off_has_looked_at_every_move(nodes: int) -> None:
    """With a first iteration of eight plies it would still be at what follows the first of them."""
    start = dragon.game("gomoku(rows=5, columns=5, line=4)").start()
    state = reduce(lambda s, move: s.after(move), ("e2", "e1", "e3", "a1", "e4", "c2"), start)
    assert state.moves()[-1] == "e5"
    search = dragon.search("alphabeta(order=false, reduce=false, solved=false)")
    found = search.best(state, Limit(nodes=nodes))
    assert (found.value, found.line) == (1, ("e5",))


@pytest.mark.full
@pytest.mark.alone
def test_a_wide_board_is_not_listed_before_the_clock_starts() -> None:
    state = dragon.game("nex(rows=19, cols=19)").start()
    for search in ("montecarlo", "negamax", "exhaustive"):
        dragon.search(search).best(state, Limit(nodes=1))  # compiles
        begun = time.perf_counter()
        dragon.search(search).best(dragon.game("nex(rows=19, cols=19)").start(), Limit(seconds=0.2))
        assert time.perf_counter() - begun < 2, search


@pytest.mark.parametrize("selection", ["uct", "grave"])
def test_a_simulation_that_is_given_up_leaves_no_trace_in_the_tree(selection: str) -> None:
    state = dragon.game("nim(pile=12)").start()
    hurried, calm = (Tree(MCTS(selection=selection), state, None, 1, None) for _ in range(2))
    asked = 0

    def late() -> bool:
        nonlocal asked
        asked += 1
        return asked % 7 == 0

    for _ in range(60):
        hurried.advance(40, 1 << 60, late)
    calm.advance(40, 1 << 60, lambda: False)
    assert hurried.simulations == calm.simulations == 40
    assert hurried.children().visits.sum() == calm.children().visits.sum()
    if selection == "grave":  # AMAF tables keep their numbers
        numbers = [hurried.m.tree[i].table for i in range(hurried.size)]
        assert sorted(filter(None, numbers)) == [*range(1, hurried.m.runs[0].tables + 1)]


@pytest.mark.parametrize("search", SEARCHERS[:4])
@pytest.mark.parametrize("spec", ["tictactoe", "nim"])
def test_a_limit_may_be_any_number(search: str, spec: str) -> None:
    state, many = dragon.game(spec).start(), 10**30
    for name in ("nodes", "depth", "simulations"):
        limit = evolve(Limit(seconds=0.05), **{name: many})
        assert dragon.search(search).best(state, limit).move in state.moves()


@pytest.mark.parametrize("setting", ["alphabeta(quiescence={})", "mcts(simulations={})"])
def test_a_setting_that_counts_may_be_any_number(setting: str) -> None:
    state = dragon.game("tictactoe").start()
    search = dragon.search(setting.format(10**30))
    assert search.best(state, Limit(nodes=500)).move in state.moves()


# ---- limits of which a search takes no account ------------------------------------------------

CAVEATS = {
    "alphabeta": "simulations",
    "negamax": "simulations",
    "exhaustive": "simulations",
    "montecarlo": "depth",
    "random": "seconds or nodes or depth or simulations",
    "mcts": None,
}


@pytest.mark.parametrize("search", CAVEATS)
def test_a_search_says_which_limits_change_nothing(search: str) -> None:
    limit = Limit(seconds=1, nodes=1, depth=1, simulations=1)
    caveat, idle = dragon.search(search).caveat(limit), CAVEATS[search]
    if idle is None:
        assert caveat is None
    else:
        assert caveat is not None
        assert caveat.startswith(f"{search} ignores a limit in {idle}, ")
    assert dragon.search(search).caveat(Limit()) is None
