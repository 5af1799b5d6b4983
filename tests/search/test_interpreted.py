"""Kernels that are interpreted: over States without Rules, and as compiled ones over Rules."""

from __future__ import annotations

import math
import time

import pytest
from attrs import field, frozen

import dragon
import dragon.bits
from dragon import TERMINAL, Bound, Limit, State
from dragon.laws.searches import all_said
from dragon.modes import JIT
from dragon.rules.interpreted import NUMBERS, Code, Row, Rows, Slots, StateRules, bind
from dragon.search.driver import rounded_units
from dragon.search.table import borrow, give_back
from tests.reference.dfpn import DfPn

pytestmark = pytest.mark.samples(2)


@frozen
class Wythoff(State[str]):
    """Two heaps: take from one, or the same from both; the last to take wins."""

    heaps: tuple[int, int]
    mover: int = 0

    @property
    def turn(self) -> int:
        return self.mover if any(self.heaps) else TERMINAL

    def moves(self) -> tuple[str, ...]:
        a, b = self.heaps
        takes = [*(f"a{n}" for n in range(1, a + 1)), *(f"b{n}" for n in range(1, b + 1))]
        return (*takes, *(f"c{n}" for n in range(1, min(a, b) + 1)))

    def after(self, move: str) -> Wythoff:
        n = int(move[1:])
        a, b = self.heaps
        left = a - n * (move[0] != "b"), b - n * (move[0] != "a")
        return Wythoff(left, 1 - self.mover)

    def payoff(self) -> tuple[float, float]:
        return (-1.0, 1.0) if self.mover == 0 else (1.0, -1.0)

    def __str__(self) -> str:
        return f"{self.heaps[0]} {self.heaps[1]} {self.mover}"


@frozen
class HalfBounded(Wythoff):
    """A game that knows at most that seat 0 has lost."""

    def bounds(self) -> tuple[float, float]:
        return -math.inf, self.payoff()[0] if self.turn == TERMINAL else math.inf


@frozen
class Slow(Wythoff):
    """A game where a move takes a hundredth of a second."""

    def after(self, move: str) -> Slow:
        time.sleep(0.01)
        after = super().after(move)
        return Slow(after.heaps, after.mover)


@pytest.mark.parametrize("search", ["alphabeta", "dfpn"])
def test_a_bound_may_be_infinite(search: str) -> None:
    found, same = (dragon.search(search).best(kind((4, 6))) for kind in (HalfBounded, Wythoff))
    assert (found.value, found.bound, found.move) == (same.value, Bound.EXACT, same.move)


@frozen
class Ladder(State[str]):
    """One player goes up or rests ten times; each step pays a point, a rest after two steps two."""

    teams = (0,)
    largest = 20.0
    steps: str = ""
    paid: int = field(default=0)

    @property
    def turn(self) -> int:
        return 0 if len(self.steps) < 10 else TERMINAL

    def moves(self) -> tuple[str, str]:
        return ("up", "rest")

    def after(self, move: str) -> Ladder:
        pays = 1 if move == "up" else 2 if self.steps.endswith("uu") else 0
        return Ladder(self.steps + move[0], self.paid + pays)

    def payoff(self) -> tuple[float]:
        return (float(self.paid),)

    def __str__(self) -> str:
        return f"{self.steps or '-'} {self.paid}"


# ---- searches ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "weak"), [(0.0, False), (0.25, True)])
@pytest.mark.parametrize("heaps", [(3, 4), (4, 7), (5, 5)])
def test_dfpn_visits_the_nodes_of_the_textbook_without_rules(
    heaps: tuple[int, int], epsilon: float, weak: bool
) -> None:
    table, state = borrow(0.7), Wythoff(heaps)
    reference = DfPn(table, epsilon, weak)
    value = reference.solve(state)
    give_back(table)
    result = dragon.search(
        f"dfpn(epsilon={epsilon}, weak={str(weak).lower()}, megabytes=0.7, focus=1.0, ends=false, "
        "order=false, history=false, bounds=false)"
    ).best(state)
    assert (result.value, result.nodes) == (value, reference.nodes)
    lost = min(heaps) == math.floor((max(heaps) - min(heaps)) * (1 + math.sqrt(5)) / 2)
    assert value == (-1 if lost else 1)


def test_nrpa_climbs_without_rules() -> None:
    """Two steps and a rest, three times, and a step: 13 points."""
    result = dragon.search("nrpa(levels=2, iterations=40)").best(Ladder(), Limit(simulations=900))
    assert result.value == 13
    state = Ladder()
    for move in result.line:
        state = state.after(move)
    assert state.payoff() == (13.0,)


AGREEING = [
    ("dfpn", "tictactoe", {"nodes": 2000}),
    ("dfpn(ends=false, weak=false)", "hex(size=3)", {"nodes": 1500}),
    ("dfpn(megabytes=0.001)", "nim(pile=9)", {}),
    ("alphabeta", "connect4", {"nodes": 1500}),
    ("alphabeta(late=true, quiescence=4)", "chess", {"nodes": 400}),
    ("mcts", "reversi(size=4)", {"simulations": 60}),
    ("mcts(selection='puct')", "backgammon", {"simulations": 4}),
    ("mcts(transpositions=true)", "tictactoe", {"simulations": 200}),
    ("ismcts", "leduc", {"simulations": 200}),
    ("mccfr", "leduc", {"simulations": 40}),
    ("mccfr(sampling='outcome')", "goofspiel", {"nodes": 700}),
]


@pytest.mark.samples(2)
@pytest.mark.parametrize(("search", "spec", "limit"), AGREEING)
def test_interpreted_and_compiled_kernels_say_the_same(
    search: str, spec: str, limit: dict[str, int]
) -> None:
    said, asked = [], dragon.search(search)
    for mode in ("0", "1"):
        with JIT.under(mode):
            said.append(all_said(asked, dragon.game(spec).start(1), Limit(**limit), seed=3))
    assert said[0] == said[1]


@pytest.mark.parametrize("search", ["dfpn", "alphabeta", "mcts", "mcts(selection='grave')"])
def test_the_clock_is_looked_at_at_each_node(search: str) -> None:
    begun = time.perf_counter()
    result = dragon.search(search).best(Slow((12, 15)), Limit(seconds=0.2))
    assert time.perf_counter() - begun < 1.0
    assert result.move in Slow((12, 15)).moves()


# ---- memory and numbers --------------------------------------------------------------------------


def test_arrays_have_no_end_and_slices_are_views() -> None:
    row = Row(default=-1)
    row[3:][2] = 7
    assert [row[i] for i in range(7)] == [-1, -1, -1, -1, -1, 7, -1]
    row[4:9][:2] = 5
    assert [row[i] for i in range(4, 7)] == [5, 5, -1]
    assert len(row[2:5]) == 3
    rows = Rows(2)
    rows[1, 4] = 2
    rows.copy(1, 0)
    rows[1, 4] = 3
    assert (rows[0, 4], rows[1][4], rows[0, 2:5][2]) == (2, 3, 2)


def test_a_state_is_copied_from_slot_to_slot() -> None:
    states, rules = Slots(Wythoff((1, 2))), StateRules(Wythoff((1, 2)), rounded_units)
    states[1] = states[0]
    code = Code(0)
    code.move = "b2"
    rules.play(states[1], code)
    assert (str(states[0].state), str(states[1].state)) == ("1 2 0", "1 0 1")


def test_functions_of_a_template_use_the_integers_of_python() -> None:
    names = StateRules(Wythoff((1, 2)), rounded_units).names()
    space = bind("dragon.search.dfpn.kernel", names)
    mixed = space["keyed"](Slots(Wythoff((1, 2)))[0], None)
    assert type(mixed) is int
    assert mixed == int(dragon.bits.mix(Wythoff((1, 2)).key()))


@pytest.mark.parametrize("name", ["log", "log2", "log10"])
def test_logarithms_are_those_of_c(name: str) -> None:
    for module in (NUMBERS["math"], NUMBERS["np"]):
        log = getattr(module, name)
        assert log(0.0) == -math.inf
        assert math.isnan(log(-1.0))
        assert log(8.0) == getattr(math, name)(8.0)
    assert NUMBERS["np"].int64(3.7) == 3
