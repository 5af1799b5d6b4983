"""Every search at the limits of what rules may declare: it is right, or it refuses beforehand."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from attrs import evolve

import dragon
from dragon import CHANCE, TERMINAL, Limit, RecordGame, Rules, State, Trait, frozen, rule
from dragon.bits import Random
from dragon.core import Bound
from dragon.errors import DragonError, Objection, PluginError
from dragon.laws import LAWS, judge
from dragon.modes import JIT
from dragon.rules.playout import playouts
from dragon.search.dfpn.search import certify
from dragon.search.retrograde.making import Maker

pytestmark = pytest.mark.samples(1)

DEPTH, WIDE = 4, 3
KINDS = {"duel": {Trait.DUEL}, "banked": {Trait.DUEL}, "wide bounds": {Trait.DUEL},
         "luck": {Trait.DUEL, Trait.CHANCE}, "solo": {Trait.SOLO},
         "solo, wide bounds": {Trait.SOLO}}  # fmt: skip
LARGEST = (1, 255, 1 << 16, (1 << 30) - 1, 1 << 30, (1 << 31) + (1 << 29) + 1, (1 << 40) - 1,
           1 << 40)  # fmt: skip
UNITS = (1.0, 0.1, 1e-9, 3e200)


@frozen
class Ends(RecordGame):
    """Four moves, three at a time, to ends that pay anything up to the largest."""

    name = "ends"
    kind: str = "duel"
    largest: int = 1
    unit: float = 1.0

    @property
    def traits(self) -> frozenset[Trait]:
        return frozenset(KINDS[self.kind])

    @property
    def teams(self) -> tuple[int, ...]:  # type: ignore[override]
        return (0,) if "solo" in self.kind else (0, 1)

    def rules(self) -> Rules:
        luck, solo, largest = self.kind == "luck", "solo" in self.kind, self.largest
        dice = np.random.default_rng(len(self.kind))
        ends = dice.integers(-largest, largest + 1, WIDE**DEPTH)
        ends[: WIDE**DEPTH : 7] = largest - dice.integers(0, min(3, largest), len(ends[::7]))
        ends[1 : WIDE**DEPTH : 5] = -largest
        steps = np.array([largest // 2, -largest, largest // 3], np.int64)

        @rule
        def turn(s):
            if s.ply == DEPTH:
                return TERMINAL
            if luck and s.ply % 2:
                return CHANCE
            return 0 if solo else s.ply % 2

        @rule
        def moves(s, out):
            for i in range(WIDE):
                out[i] = i
            return WIDE

        @rule
        def play(s, move):
            s.at = s.at * WIDE + move
            s.ply += 1
            s.held = max(-largest, min(largest, s.held + steps[move]))

        @rule
        def payoff(s, seat):
            units = ends[s.at]
            return units if seat == 0 else -units

        @rule
        def banked(s):
            return s.held

        @rule
        def bounds(s):
            return -(1 << 62), 1 << 62

        fields = [("ply", "i8"), ("at", "i8"), ("held", "i8")]
        found = Rules(fields, moves, play, turn, payoff, width=WIDE, plies=DEPTH, unit=self.unit,
                      largest=largest)  # fmt: skip
        if self.kind == "banked":
            return evolve(found, banked=banked)
        return evolve(found, bounds=bounds) if "bounds" in self.kind else found


SEARCHES = (
    "alphabeta", "alphabeta(sooner=true, bounds=false)", "alphabeta(driver='mtdf', deepening=true)",
    "alphabeta(driver='bisection', table=false)", "negamax", "exhaustive", "dfpn",
    "dfpn(weak=false)",
    "mcts(simulations=3000)", "mcts(simulations=500, style='grave')", "montecarlo(simulations=300)",
    "nmcs(levels=1, simulations=50)", "nrpa(simulations=300)", "astar", "idastar",
    "idastar(table=true)",
    "breadth",
    "beam",
)  # fmt: skip
CASES = [
    pytest.param(kind, largest, unit,
                 marks=[pytest.mark.full] * (largest not in (1 << 40, 2684354561)
                                             or unit == 1e-9))
    for kind, largest, unit in itertools.product(KINDS, LARGEST, UNITS)
]  # fmt: skip


@pytest.mark.parametrize(("kind", "largest", "unit"), CASES)
def test_each_search_is_right_or_refuses(kind: str, largest: int, unit: float) -> None:
    game = Ends(kind, largest, unit)
    state = game.start()
    truth = dragon.search("exhaustive").best(state).value / unit
    near = 0.5 if kind != "luck" else 1e-6 + 1e-12 * largest
    proven = set()
    for spec in SEARCHES:
        search = dragon.search(spec)
        if search.objection(game) is not None:
            continue
        result = search.best(state, seed=1)
        units = result.value / unit
        right = {Bound.EXACT: abs(units - truth) < near, Bound.LOWER: units < truth + near,
                 Bound.UPPER: units > truth - near,
                 Bound.ESTIMATE: abs(units) <= largest}  # fmt: skip
        assert right[result.bound], (spec, units, truth, result)
        if result.bound is Bound.EXACT:
            proven.add(spec)
    assert len(proven) > 3 or kind == "luck"


@pytest.mark.full
@pytest.mark.parametrize("kind", ["duel", "banked"])
@pytest.mark.parametrize("largest", LARGEST)
def test_tables_and_proofs_are_right_or_refuse(kind: str, largest: int) -> None:
    game = Ends(kind, largest)
    state = game.start()
    truth = dragon.search("exhaustive").best(state).value
    if largest >= 1 << 30:
        for ask in (Maker, lambda state: certify(game, state, Bound.LOWER, truth)):
            with pytest.raises(Objection, match=r"1,073,741,823 units"):
                ask(state)
        assert "1,073,741,823 units" in str(dragon.search("dfpn").objection(game))
        return
    assert Maker(state, 10).make().ask(state).value == truth
    assert certify(game, state, Bound.LOWER, truth).value == truth


@pytest.mark.parametrize("largest", [(1 << 40) + 1, 1 << 62])
def test_rules_refuse_larger_payoffs(largest: int) -> None:
    with pytest.raises(PluginError, match=r"write a whole number from 1 to 1,099,511,627,776"):
        Ends(largest=largest).start()


def test_rules_refuse_payoffs_that_no_float_holds() -> None:
    with pytest.raises(PluginError, match=r"more than a float holds; take a smaller unit"):
        Ends(largest=1 << 40, unit=1e300).start()


@frozen
class Coin(State[str]):
    """One move, then heads or tails: a State of its own, for a largest payoff that Rules refuse."""

    largest = 2.0**62
    teams = (0, 1)
    over: bool = False

    @property
    def turn(self) -> int:
        return TERMINAL if self.over else 0

    def moves(self) -> tuple[str, ...]:
        return () if self.over else ("on",)

    def after(self, move: str) -> Coin:
        return Coin(True)

    def payoff(self) -> tuple[float, ...]:
        return self.largest, -self.largest


def test_states_with_larger_payoffs_are_refused() -> None:
    for spec in ("alphabeta", "dfpn"):
        with pytest.raises(DragonError, match=r"counts payoffs of up to 1,0[0-9,]+ units"):
            dragon.search(spec).best(Coin())


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("largest", LARGEST)
def test_payoffs_are_whole_units_exactly(largest: int, unit: float) -> None:
    game = Ends("duel", largest, unit)
    law = next(law for law in LAWS if law.name == "law_payoffs_are_one_per_seat")
    assert judge(law, game).passed


@frozen
class Half(Coin):
    """An end that pays half a unit more than it may, of many."""

    largest = 2.0**40 * 0.1
    unit = 0.1

    def after(self, move: str) -> Half:
        return Half(True)

    def payoff(self) -> tuple[float, ...]:
        return (2**39 + 0.01) * 0.1, -(2**39 + 0.01) * 0.1


def test_a_part_of_a_unit_is_told_however_many_there_are() -> None:
    from dragon.errors import GameError
    from dragon.search.two_sided import whole_units

    state = Half()
    assert whole_units(state, 2**39 * 0.1) == 2**39
    with pytest.raises(GameError, match=r"is not a whole multiple of 0\.1"):
        whole_units(state, state.after("on").payoff()[0])


@pytest.mark.full
def test_playouts_add_up_squares_of_large_payoffs() -> None:
    state = Ends("duel", 1 << 40).start()
    fast = playouts(state, 3000, Random(3))
    with JIT.under("0"):
        assert playouts(state, 3000, Random(3)) == fast
    assert fast.squares[0] > 1e24
    result = dragon.search("montecarlo(simulations=900)").best(state)
    assert 1e8 < result.error < 1e12


@frozen
class Long(RecordGame):
    """A walk of a number of moves, of which the last wins for the seat that made it."""

    name = "long"
    plies: int = 100
    wide: int = 1
    solo: bool = False

    @property
    def traits(self) -> frozenset[Trait]:
        return frozenset({Trait.SOLO if self.solo else Trait.DUEL})

    @property
    def teams(self) -> tuple[int, ...]:  # type: ignore[override]
        return (0,) if self.solo else (0, 1)

    def rules(self) -> Rules:
        plies, wide, solo = self.plies, self.wide, self.solo

        @rule
        def turn(s):
            return TERMINAL if s.ply == plies else 0 if solo else s.ply % 2

        @rule
        def moves(s, out):
            if s.ply:
                out[0] = 0
                return 1
            for i in range(wide):
                out[i] = i
            return wide

        @rule
        def play(s, move):
            s.ply += 1
            if s.ply == 1:
                s.first = move

        @rule
        def payoff(s, seat):
            mine = 1 if s.first == wide - 1 else -1
            return mine if seat == 0 else -mine

        fields = [("ply", "i8"), ("first", "i8")]
        return Rules(fields, moves, play, turn, payoff, width=wide, plies=plies)


LENGTHS = (255, 256, 300, 32001, 65535, 65536, 70000)
LONG_SEARCHES = ("alphabeta", "alphabeta(deepening=true, depth=300)", "dfpn",
                 "mcts(simulations=60)", "astar", "idastar", "nrpa(simulations=4)",
                 "breadth", "beam")  # fmt: skip


@pytest.mark.parametrize("solo", [False, True])
@pytest.mark.parametrize(
    "plies", [pytest.param(n, marks=[pytest.mark.full] * (n not in (300, 65536))) for n in LENGTHS]
)
def test_long_games_are_won_however_late(plies: int, solo: bool) -> None:
    game = Long(plies, 2, solo)
    state = game.start()
    for spec in LONG_SEARCHES[: None if plies <= 300 else LONG_SEARCHES.index("breadth")]:
        search = dragon.search(spec)
        if search.objection(game) is None:
            result = search.best(state, Limit(nodes=1 << 20))
            assert result.bound is Bound.ESTIMATE or result.value == 1.0, spec
            assert result.bound is Bound.ESTIMATE or str(result.move) == "1", spec
            assert result.bound is not Bound.ESTIMATE or spec[:4] in ("mcts", "beam", "nrpa") or (
                "depth" in spec), (spec, result.bound, result.extra)  # fmt: skip
            assert result.extra.get("distance", plies) == plies


def test_a_game_too_long_for_win_distances_refuses_them_when_asked() -> None:
    search = dragon.search("alphabeta(sooner=true)")
    assert search.objection(Long(65535)) is None
    assert "counts the plies to a win up to 65,535" in str(search.objection(Long(65536)))


@pytest.mark.full
@pytest.mark.parametrize("solo", [pytest.param(False, marks=pytest.mark.full), True])
def test_lists_of_moves_may_be_longer_than_16_bits_count(solo: bool) -> None:
    game = Long(3, 65600, solo)
    state = game.start()
    for spec in ("alphabeta", "alphabeta(deepening=true)", "dfpn", "exhaustive", "astar", "idastar",
                 "breadth"):  # fmt: skip
        search = dragon.search(spec)
        if search.objection(game) is None:
            result = search.best(state)
            assert (result.value, result.bound) == (1.0, Bound.EXACT), spec
            assert result.move == "65599", spec


def test_tables_by_rank_refuse_lists_that_their_codes_do_not_count() -> None:
    @rule
    def rank(s):  # type: ignore[no-untyped-def]
        return s.ply

    @rule
    def unrank(s, number):  # type: ignore[no-untyped-def]
        s.ply = number
        return number % 2

    state = Long(3, 16384).start()
    state._rules = evolve(state.rules, rank=rank, unrank=unrank, ranks=4)
    with pytest.raises(Objection, match=r"up to 16,383 moves of a position.*--list"):
        Maker(state, 10)


def test_a_tree_ends_before_its_sums_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    from dragon.search.mcts import search as mcts

    monkeypatch.setattr(mcts, "MOST_SUM", 1 << 52)
    result = dragon.search("mcts(solver=false)").best(Ends("duel", 1 << 40).start())
    assert result.extra["stopped"].startswith("no more payoffs")
    assert result.extra["simulations"] < 2000
