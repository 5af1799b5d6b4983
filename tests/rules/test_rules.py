"""RecordState: what dragon derives from Rules."""

from __future__ import annotations

import pickle
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given, settings

import dragon
from dragon import (
    TERMINAL,
    BadNotation,
    IllegalMove,
    PluginError,
    RecordGame,
    RecordState,
    Rules,
    frozen,
    rule,
)
from dragon.laws import states
from dragon.laws.searches import said
from dragon.modes import JIT
from dragon.rules.evaluator import Compiled, Interpreted, evaluator_of
from dragon.rules.record import rules_of
from tests.rules.gather import Gather

TICTACTOE = dragon.game("tictactoe")


def played(*moves: str) -> Any:
    state = TICTACTOE.start()
    for move in moves:
        state = state.after(move)
    return state


def test_a_game_by_rules_is_a_state() -> None:
    state = played("b2", "a1")
    assert str(state) == "O../.X./... X"
    assert repr(state) == "<tictactoe: O../.X./... X>"
    assert state.turn == 0
    assert list(state.moves()) == ["a2", "a3", "b1", "b3", "c1", "c2", "c3"]
    assert state.moves()[1:3] == ("a3", "b1")
    assert "c3" in state.moves()
    assert "b2" not in state.moves()
    assert "d9" not in state.moves()
    assert repr(state.moves()) == "<7 moves: a2, a3, b1, b3, c1, c2, c3>"
    assert state.odds() == (1 / 7,) * 7
    assert (state.evaluate(0), state.banked(), state.order(["a2"])) == (0.0, 0.0, None)


def test_order_of_play_does_not_matter_to_equality() -> None:
    one, two = played("a1", "b2", "c3"), played("c3", "b2", "a1")
    assert one == two
    assert hash(one) == hash(two)
    assert one.key() == two.key()
    assert one != played("a1", "b2", "c2")
    assert one != "XO"
    assert pickle.loads(pickle.dumps(one)) == one


def test_states_of_other_parameters_differ() -> None:
    small, large = dragon.game("hex(size=2)"), dragon.game("hex(size=3)")
    assert small.start() != large.start()
    assert small.start() == dragon.game("hex(size=2)").start()


def test_a_won_game_is_over() -> None:
    state = played("a1", "b1", "a2", "b2", "a3")
    assert state.turn == TERMINAL
    assert len(state.moves()) == 0
    assert state.payoff() == (1.0, -1.0)
    with pytest.raises(IllegalMove, match="the game is over, so c3 cannot be played in XXX/OO"):
        state.after("c3")


def test_wrong_moves_are_answered() -> None:
    with pytest.raises(IllegalMove, match=r"b2 is not legal in .*: the cell is taken"):
        played("b2").after("b2")
    with pytest.raises(BadNotation, match="'z9' is not a cell; write a1 to c3"):
        played().after("z9")


@given(states(TICTACTOE))
@settings(max_examples=40)
def test_engines_agree(state: Any) -> None:
    rules = rules_of(TICTACTOE)
    plain, fast = Interpreted(rules), Compiled(rules)
    assert plain.turn(state.data) == fast.turn(state.data)
    assert plain.key(state.data) == fast.key(state.data)
    if state.turn != TERMINAL:
        assert plain.moves(state.data).tolist() == fast.moves(state.data).tolist()


def test_dragon_jit_is_asked_at_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JIT, "value", "1")
    rules = rules_of(TICTACTOE)
    assert isinstance(evaluator_of(rules), Compiled)
    with JIT.under("0"):
        assert isinstance(evaluator_of(rules), Interpreted)
        assert dragon.perft(TICTACTOE.start(), 3) == 504
    assert isinstance(evaluator_of(rules), Compiled)


@rule
def turn(s: Any) -> Any:
    return 0 if s.small < 3 else TERMINAL


@rule
def moves(s: Any, out: Any) -> Any:
    out[0] = 10
    out[1] = 20
    return 2


@rule
def play(s: Any, move: Any) -> None:
    s.small += 1
    s.sums[move // 20] += move


@rule
def payoff(s: Any, seat: Any) -> Any:
    return s.sums[0]


@rule
def order(s: Any, out: Any, n: Any, scores: Any) -> None:
    for i in range(n):
        scores[i] = -out[i]


@rule
def reduce(s: Any, out: Any, n: Any) -> Any:
    return 1 if s.small == 2 else n


@frozen
class Odd(RecordGame):
    """A layout of 9 bytes, the default notation, a unit, and two optional rules."""

    name = "odd"
    teams = (0,)

    def rules(self) -> Rules:
        layout = [("small", "u1"), ("sums", "i4", (2,))]
        return Rules(layout, moves, play, turn, payoff, width=2, plies=3,
                     unit=0.5, largest=60, order=order, reduce=reduce)  # fmt: skip

    def setup(self, record: Any) -> None:
        record.sums[1] = 5


def test_layouts_are_filled_up_to_whole_words() -> None:
    state = Odd().start()
    assert len(state.data) == 16
    assert rules_of(Odd()).layout.itemsize == 16


@pytest.mark.parametrize(
    "name", ["sum", "max", "min", "all", "size", "data", "T", "item", "pprint"]
)
def test_a_field_that_numpy_hides_is_refused(name: str) -> None:
    message = (
        f"the record's field '{name}' has a name .*; call it something else, such as 'the_{name}'"
    )
    with pytest.raises(PluginError, match=message):
        Rules([("small", "u1"), (name, "i4")], moves, play, turn, payoff, width=2, plies=3)
    inner = [("small", "u1"), ("cells", [("x", "i4"), (name, "i4")], (2,))]
    with pytest.raises(PluginError, match=message):
        Rules(inner, moves, play, turn, payoff, width=2, plies=3)
    Rules([("small", "u1"), (f"the_{name}", "i4")], moves, play, turn, payoff, width=2, plies=3)


def test_the_default_notation_names_the_fields() -> None:
    start = Odd().start()
    assert str(start) == "small=0 sums=0,5"
    state = start.after("10").after(20)
    assert str(state) == "small=2 sums=10,25"
    assert Odd().parse(str(state)) == state
    assert list(state.distinct()) == ["10"], "reduce drops moves"
    assert len(state.moves()) == 2, "which are legal"
    assert state.after("10").payoff() == (10.0,)
    assert start.order(start.moves()) == (-10, -20)
    assert (start.unit, start.largest, start.teams) == (0.5, 30.0, (0,))
    assert isinstance(state, RecordState)
    assert state.record.sums.tolist() == [10, 25]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("large=1", r"'large=1' in 'large=1' is not field=number \(fields: small, sums\)"),
        ("small", "is not field=number"),
        ("small=x", "'small=x' in 'small=x': invalid literal"),
        ("small=300", "'small=300' in 'small=300': "),
        ("sums=1,2,3", "'sums=1,2,3' in 'sums=1,2,3': "),
    ],
)
def test_bad_fields_are_answered(text: str, message: str) -> None:
    with pytest.raises(BadNotation, match=message):
        Odd().parse(text)


def test_bad_moves_of_the_default_notation_are_answered() -> None:
    with pytest.raises(BadNotation, match="'a1' is not a move; write a whole number"):
        Odd().start().after("a1")
    with pytest.raises(IllegalMove, match="7 is not a legal move in small=0 sums=0,5"):
        Odd().start().after("7")


def test_perft_of_records() -> None:
    assert [dragon.perft(Odd().start(), d) for d in range(5)] == [1, 2, 4, 8, 0]
    with JIT.under("0"):
        assert [dragon.perft(Odd().start(), d) for d in range(5)] == [1, 2, 4, 8, 0]


def test_a_start_is_a_record_of_its_own() -> None:
    state = TICTACTOE.start()
    record = state.record
    record.ply = 5
    assert state.turn == 0
    assert np.frombuffer(state.data, np.uint8).sum() == 0


@pytest.mark.parametrize("interpreted", [True, False])
def test_a_comparison_is_a_number_interpreted_and_compiled(interpreted: bool) -> None:
    """Python compares numpy's integers to numpy's truth values, which are not integers."""

    @rule
    def turn(s: Any) -> Any:
        return TERMINAL if s.ply == 3 else s.ply == 1

    @rule
    def payoff(s: Any, seat: Any) -> Any:
        return (s.ply > 1) - 2 * (seat == 1)

    @rule
    def evaluate(s: Any, seat: Any) -> Any:
        return 0.5 * (s.ply > 5)

    @rule
    def banked(s: Any) -> Any:
        return s.ply > 2

    @rule
    def bounds(s: Any) -> Any:
        return -1, s.ply >= 0

    @frozen
    class Compares(RecordGame):
        name = "compares"

        def rules(self) -> Rules:
            def listed(s: Any, out: Any) -> Any:
                out[0] = s.ply > 1
                return s.ply < 3

            def counted(s: Any, move: Any) -> None:
                s.ply += 1

            return Rules([("ply", "i8")], listed, counted, turn, payoff, width=1, plies=3,
                         evaluate=evaluate, banked=banked, bounds=bounds)  # fmt: skip

    with JIT.under(str(+(not interpreted))):
        state = Compares().start()
        turns = [state.turn]
        for _ in range(3):
            state = state.after(state.moves()[0])
            turns.append(state.turn)
        assert turns == [0, 1, 0, TERMINAL]
        assert state.payoff() == (1.0, -1.0)
        assert (state.banked(), state.bounds(), state.evaluate(0)) == (1.0, (-1.0, 1.0), 0.0)
        assert not isinstance(state.banked(), np.bool_)


@pytest.mark.parametrize("search", ["alphabeta(depth=2)", "mcts(cut=1, minimax=0.5)"])
def test_an_evaluation_may_be_a_float32(search: str) -> None:
    """Kernels multiply it by other numbers, as where it comes of weights in an `f4` field."""

    class Single(Gather):
        def rules(self) -> Rules:
            @rule
            def evaluate(s: Any, seat: int) -> Any:
                return np.float32(s.points * (1 - 2 * seat)) / np.float32(16)

            return attrs.evolve(super().rules(), evaluate=evaluate)

    found, double = (
        said(dragon.search(search).best(game.start(), dragon.Limit(nodes=300)))
        for game in (Single(), Gather())
    )
    assert found == double
