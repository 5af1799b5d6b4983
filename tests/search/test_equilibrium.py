"""Equilibria and best responses, held against published values and pure strategies one by one."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import dragon
from dragon import (
    CHANCE,
    TERMINAL,
    BadNotation,
    GameError,
    Limit,
    Objection,
    Position,
    RecordGame,
    Rules,
    State,
    Trait,
    frozen,
    rule,
)
from dragon.cli import main
from dragon.core import POLICY
from dragon.errors import SearchError
from dragon.search import budget
from dragon.search.equilibrium.exploit import exploitation, exploited
from dragon.search.equilibrium.kernel import VARIANTS
from dragon.search.equilibrium.sequences import SequenceForm, flattened
from dragon.search.equilibrium.solution import Responses, Solution
from tests.reference.sequences import Sequences

LEDUC = -0.085606424078
"""The value of Leduc poker, by a linear program."""


def invoke(*words: str) -> Result:
    """Run a command; it must end well."""
    ran = CliRunner().invoke(main, words)
    assert ran.exit_code == 0, ran.output
    return ran


def form_of(spec: str) -> SequenceForm:
    return flattened(dragon.game(spec).start())


@pytest.mark.parametrize(
    ("spec", "sets", "conv"),
    [("kuhn", 12, 0.916667), ("leduc", 936, 4.747222), ("liars_dice(faces=3)", 192, None)],
)
def test_information_sets_and_uniform_play_are_the_published_ones(
    spec: str, sets: int, conv: float | None
) -> None:
    form = form_of(spec)
    assert len(form.seat) == sets
    responses = Responses(form)
    even = np.ones(form.sequences)
    for first, moves in zip(form.first, form.moves, strict=True):
        even[first : first + len(moves)] = 1 / len(moves)
    if conv is not None:
        assert responses.nash_conv(responses.plan_of(even)) == pytest.approx(conv, abs=1e-6)


@pytest.mark.full
def test_liars_dice_is_solved_to_four_digits() -> None:
    """24,576 information sets, and a value that OpenSpiel's CFR+ comes to as well."""
    solution = Solution(form_of("liars_dice"), VARIANTS["predictive"])
    assert len(solution.form.seat) == 24_576
    solution.improve(500)
    known = solution.averages()
    assert known.values[0] == pytest.approx(-0.0271, abs=1e-3)
    assert known.nash_conv / 2 < 1e-3


@pytest.mark.full
@pytest.mark.parametrize("spec", ["leduc", "liars_dice(faces=3)", "goofspiel(cards=3)"])
def test_the_kernel_finds_the_tree_of_the_definition(spec: str) -> None:
    """Compiled and interpreted, the same as by recursion."""
    root = dragon.game(spec).start()
    plain = Sequences(root)
    for compiled in (True, False):
        form = SequenceForm(root, compiled=compiled)
        assert form.grow()
        for name in ("sequences", "nodes", "seat", "parent", "first", "moves", "views"):
            assert getattr(form, name) == getattr(plain, name), name
        for name in ("leaves", "chances", "payoffs"):
            assert np.array_equal(getattr(form, name), getattr(plain, name)), name
        for (seat, known), number in plain.information.items():
            assert form.set_of(seat, known, plain.views[number]) == number


def test_states_that_look_alike_and_have_other_moves_are_told() -> None:
    """A Leduc poker that hides the card on the table from the first seat, who may bet on aces."""

    @frozen
    class Blind(RecordGame):
        name = "blind"
        traits = frozenset({Trait.DUEL, Trait.CHANCE, Trait.HIDDEN})

        def rules(self) -> Rules:
            @rule
            def turn(s: Any) -> int:
                return CHANCE if s.made == 0 else 0 if s.made == 1 else TERMINAL

            @rule
            def moves(s: Any, out: Any) -> int:
                out[0], out[1] = 0, 1
                return 2 if s.made == 0 or s.card else 1

            @rule
            def play(s: Any, move: int) -> None:
                s.card = move if s.made == 0 else s.card
                s.made += 1

            @rule
            def payoff(s: Any, seat: int) -> int:
                return 0

            @rule
            def hide(s: Any, seat: int) -> None:
                s.card = 0

            return Rules([("made", "i8"), ("card", "i8")], moves, play, turn, payoff, width=2,
                         plies=2, hide=hide)  # fmt: skip

    for compiled in (True, False):
        with pytest.raises(GameError, match=r"look alike to seat 0, after equal histories"):
            SequenceForm(Blind().start(), compiled=compiled).grow()


def test_a_limit_in_seconds_bounds_the_iterations_of_each_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By a clock on which an iteration takes a hundredth of a second, and nothing else any."""
    clock, improve = [0.0], Solution.improve

    def slowly(solution: Solution, iterations: int) -> None:
        improve(solution, iterations)
        clock[0] += iterations / 100

    monkeypatch.setattr(Solution, "improve", slowly)
    monkeypatch.setattr(budget, "now", lambda: clock[0])
    game = dragon.game("kuhn")
    with dragon.search("cfr").open(game) as run:
        for seconds in (3.0, 1.0, 2.0):
            begun = clock[0]
            run.best(Position(game.parse("J?")), Limit(seconds=seconds))
            assert seconds <= clock[0] - begun <= seconds + 0.02


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_comes_near_the_value_of_kuhn(variant: str) -> None:
    solution = Solution(form_of("kuhn"), VARIANTS[variant])
    solution.improve(2000)
    known = solution.averages()
    assert known.values[0] == pytest.approx(-1 / 18, abs=1e-3)
    assert known.nash_conv < 2e-3
    assert -known.best[1] <= -1 / 18 + 1e-12 <= known.best[0] + 2e-12


def test_the_value_of_leduc() -> None:
    solution = Solution(form_of("leduc"), VARIANTS["predictive"])
    solution.improve(3000)
    known = solution.averages()
    assert known.values[0] == pytest.approx(LEDUC, abs=1e-5)
    assert -known.best[1] <= LEDUC <= known.best[0]
    assert known.nash_conv < 1e-3


@pytest.mark.full
@pytest.mark.budget(120)  # 400,000 iterations
def test_kuhn_and_leduc_to_nine_digits() -> None:
    for spec, value, iterations in (("kuhn", -1 / 18, 20_000), ("leduc", LEDUC, 400_000)):
        solution = Solution(form_of(spec), VARIANTS["predictive"])
        solution.improve(iterations)
        known = solution.averages()
        assert known.values[0] == pytest.approx(value, abs=1e-9)
        assert known.nash_conv / 2 < 1e-9


def worth(state: State[Any], plans: list[dict[State[Any], Any]], other: int) -> float:
    """Seat 0's payoff where one seat plays by a plan of views, and the other evenly."""
    if state.turn == TERMINAL:
        return state.payoff()[0]
    moves = state.moves()
    if state.turn == CHANCE:
        odds = state.odds()
    elif state.turn == other:
        odds = [1 / len(moves)] * len(moves)
    else:
        chosen = plans[state.turn][state.seen(state.turn)]
        return worth(state.after(chosen), plans, other)
    return sum(p * worth(state.after(move), plans, other)
               for p, move in zip(odds, moves, strict=True))  # fmt: skip


def test_a_best_response_is_the_best_of_all_pure_strategies() -> None:
    """Each of the 64 of a seat of Kuhn poker, against even play."""
    game = dragon.game("kuhn")
    form = form_of("kuhn")
    known = exploitation(game, dragon.search("random"))
    for seat in (0, 1):
        sets = [k for k, each in enumerate(form.seat) if each == seat]
        found = []
        for chosen in product(*(form.moves[k] for k in sets)):
            plan = {form.views[k]: move for k, move in zip(sets, chosen, strict=True)}
            value = worth(game.start(), [plan, plan], 1 - seat)
            found.append(value if seat == 0 else -value)
        assert max(found) == pytest.approx(known.best[seat], abs=1e-12)
    assert known.nash_conv == pytest.approx(0.9166666667)


def test_the_equilibria_of_kuhn_have_their_known_form() -> None:
    """Bet with a jack by alpha, with a king by three times that (Kuhn 1950)."""
    search, game = dragon.search("cfr"), dragon.game("kuhn")
    policy = {
        text: search.best(game.parse(text), Limit(simulations=3000)).extra[POLICY]["bet"]
        for text in ("J?", "Q?", "K?", "J? pass bet", "?Q pass", "?Q bet", "?J pass", "?K bet")
    }
    alpha = policy["J?"]
    assert alpha <= 1 / 3 + 1e-3
    assert policy["K?"] == pytest.approx(3 * alpha, abs=1e-3)
    assert policy["Q?"] == pytest.approx(0, abs=1e-3)
    assert policy["J? pass bet"] == pytest.approx(0, abs=1e-3)
    assert policy["?Q bet"] == pytest.approx(1 / 3, abs=1e-3)
    assert policy["?J pass"] == pytest.approx(1 / 3, abs=1e-3)
    assert policy["?K bet"] == pytest.approx(1, abs=1e-3)


@frozen
class OddOne(RecordGame):
    """Three seats show one or two fingers at once; the one that differs wins of both others."""

    name = "odd_one"
    traits = frozenset({Trait.HIDDEN})

    @property
    def teams(self) -> tuple[int, ...]:
        """Three."""
        return (0, 1, 2)

    def rules(self) -> Rules:
        """Return the rules; a record has what each seat has shown, 1 or 2."""

        @rule
        def turn(s: Any) -> Any:
            return s.made if s.made < 3 else TERMINAL

        @rule
        def moves(s: Any, out: Any) -> Any:
            out[0], out[1] = 1, 2
            return 2

        @rule
        def play(s: Any, move: Any) -> None:
            s.shown[s.made] = move
            s.made += 1

        @rule
        def payoff(s: Any, seat: Any) -> Any:
            a, b, c = s.shown[seat], s.shown[(seat + 1) % 3], s.shown[(seat + 2) % 3]
            if a == b and b == c:
                return 0
            return 2 if b == c else -1

        @rule
        def hide(s: Any, seat: Any) -> None:
            for other in range(3):
                if other != seat:
                    s.shown[other] = 0

        return Rules(
            [("shown", "i1", (3,)), ("made", "i1")], moves, play, turn, payoff, width=2, plies=3,
            largest=2, hide=hide,
        )  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("spec", ["cfr", "mccfr"])
def test_with_three_seats_it_runs_and_says_that_nothing_is_promised(spec: str) -> None:
    """Both moves are worth nothing where the others play evenly: (0 + 2 - 1 - 1) / 4."""
    game = OddOne()
    result = dragon.search(spec).best(game.start(), Limit(simulations=2000))
    assert result.extra["promised"] == "nothing, with 3 seats"
    assert "at_least" not in result.extra
    assert sum(result.extra[POLICY].values()) == pytest.approx(1)
    assert exploitation(game, dragon.search("random")).nash_conv == pytest.approx(0)
    # If all show one, who changes wins 2, in each of three seats.
    form = flattened(game.start())
    played = np.ones(form.sequences)
    for first in form.first:
        played[first + 1] = 0.0
    assert exploited(form, played).nash_conv == pytest.approx(6)


def test_a_game_with_nothing_hidden_has_its_value() -> None:
    for text in ("4 A", "5 A", "7 A"):
        state = dragon.game("nim").parse(text)
        solution = Solution(flattened(state), VARIANTS["predictive"])
        solution.improve(1000)
        exact = dragon.search("exhaustive").best(state).value
        assert solution.averages().values[0] == pytest.approx(exact, abs=1e-2)


def test_what_a_seat_has_seen_and_done_is_looked_up() -> None:
    """A position of a game that is being played, and the same by its text."""
    game, search = dragon.game("leduc"), dragon.search("cfr")
    moves = ("Ks", "Qh", "call", "raise", "call", "Qs")
    state = start = game.start()
    for move in moves:
        state = state.after(move)
    with search.open(game) as run:
        played = run.best(Position(state, start, moves), Limit(simulations=200), 1)
    written = search.best(game.parse("Ks ? call raise call Qs"), Limit(simulations=200), 1)
    assert played.extra[POLICY] == written.extra[POLICY]
    assert sum(played.extra[POLICY].values()) == pytest.approx(1)
    assert played.move in state.moves()


def test_what_others_do_unseen_leaves_no_trace() -> None:
    """The information of a seat has its views and its own moves, and no number of plies."""
    game = dragon.game("leduc")
    state = start = game.start()
    for move in ("Ks", "Qh"):
        state = state.after(move)
    seen = Position(state, start, ("Ks", "Qh")).seen(recalls=True)
    assert [str(each) for each in seen.information] == ["-", "Ks", "Ks ?"]
    assert (seen.start, seen.moves, str(seen.state)) == (None, (), "Ks ?")
    assert Position(state, start, ("Ks", "Qh")).seen().information == ()


def test_results_get_better_and_a_limit_is_kept() -> None:
    state = dragon.game("kuhn").parse("J?")
    results = [*dragon.search("cfr").results(state, Limit(simulations=100))]
    assert results[-1].extra["iterations"] == 100
    assert results[-1].extra["exploitability"] < results[0].extra["exploitability"]
    tight = dragon.search("cfr").best(dragon.game("leduc").parse("Ks ?"), Limit(seconds=1e-6))
    assert "which are not all" in tight.extra["stopped"]


@pytest.mark.full
def test_what_cannot_be_solved_is_one_sentence() -> None:
    search = dragon.search("cfr")
    assert "needs hidden" in str(search.objection(dragon.game("tictactoe")))
    closed = dragon.game("ulti(cards='hidden')")
    assert "teams, whose seats see different cards" in str(search.objection(closed))
    large = "liars_dice(dice=5)"
    assert "has some" in str(search.objection(dragon.game(large)))
    with pytest.raises(SearchError, match=r"the tree of connect4 has some .* are the most"):
        flattened(dragon.game("connect4").start())
    with pytest.raises(Objection, match="the tree of liars_dice"):
        search.best(dragon.game(large).start())
    with pytest.raises(Objection):
        search.best(dragon.game("chess").start())
    with pytest.raises(SearchError, match="draws its moves and does not say how likely"):
        exploitation(dragon.game("kuhn"), dragon.search("determinize(samples=2)"))


def test_the_random_player_is_exploited_where_nothing_is_hidden_too() -> None:
    """In Nim both sides of the comparison follow from the pile alone."""

    def worth(pile: int, mover: int, best: int | None) -> float:
        """Return the value for seat 0, where the seat `best` plays best and others at random."""
        if pile == 0:
            return -1.0 if mover == 0 else 1.0
        after = [worth(pile - take, 1 - mover, best) for take in (1, 2, 3) if take <= pile]
        if mover != best:
            return sum(after) / len(after)
        return max(after) if mover == 0 else min(after)

    found = exploitation(dragon.game("nim(pile=7)"), dragon.search("random"))
    assert found.values[0] == pytest.approx(worth(7, 0, None))
    assert found.best == pytest.approx((worth(7, 0, 0), -worth(7, 0, 1)))


def test_a_strategy_that_is_told_is_what_its_maker_says() -> None:
    """The loss of `cfr` by its answers is that of its own averages."""
    found = exploitation(dragon.game("kuhn"), dragon.search("cfr"), Limit(simulations=50))
    solution = Solution(form_of("kuhn"), VARIANTS["predictive"])
    solution.improve(50)
    assert found.nash_conv == pytest.approx(solution.averages().nash_conv, abs=1e-12)
    assert found.exploitability == found.nash_conv / 2


def test_a_strategy_is_kept_in_a_file(tmp_path: Path) -> None:
    game, file = dragon.game("leduc"), tmp_path / "leduc.npz"
    ran = invoke("exploit", "leduc", "--search", "cfr", "--simulations", "200", "--out", str(file),
                 "--json")  # fmt: skip
    printed = json.loads(ran.stdout)
    search = dragon.search(f"policy(file={str(file)!r})")
    found = exploitation(game, search)
    assert found.nash_conv == pytest.approx(printed["nash_conv"], abs=1e-12)
    assert (found.sets, printed["sets"]) == (936, 936)
    state = game.parse("Ks ? raise")
    policy = search.best(game.parse("? Qh raise")).extra[POLICY]
    assert sum(policy.values()) == pytest.approx(1)
    drawn = Counter(search.best(game.parse("? Qh raise"), seed=seed).move for seed in range(300))
    for move, chance in policy.items():
        assert drawn[move] / 300 == pytest.approx(chance, abs=0.1)
    assert search.best(state.after("call").after("Qs")).move in ("call", "raise")


@pytest.mark.full
def test_files_that_are_no_strategy_are_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "kuhn.npz"
    invoke("exploit", "kuhn", "--search", "random", "--out", str(file))
    search = dragon.search(f"policy(file={str(file)!r})")
    assert search.objection(dragon.game("kuhn")) is None
    assert "a strategy of kuhn, not of leduc" in str(search.objection(dragon.game("leduc")))
    data, damaged = file.read_bytes(), 0
    for at in range(0, len(data), 7):
        file.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        sentence = search.objection(dragon.game("kuhn"))
        damaged += sentence is not None
        assert sentence is None or "is damaged, or no strategy" in sentence
        if sentence is None:  # a bit that nothing reads, such as a date
            assert exploitation(dragon.game("kuhn"), search).nash_conv == pytest.approx(11 / 12)
    assert damaged > len(data) / 14
    for data in (b"", b"\x93NUMPY", b"PK\x03\x04" + bytes(50), b"{}"):
        file.write_bytes(data)
        assert "is damaged, or no strategy" in str(search.objection(dragon.game("kuhn")))
    file.unlink()
    assert "No such file" in str(search.objection(dragon.game("kuhn")))


@pytest.mark.parametrize(
    ("spec", "text", "legal"),
    [
        ("leduc", "Ks ? call", True), ("leduc", "? Ks", True), ("leduc", "? -", False),
        ("leduc", "Ks ? ?", False), ("leduc", "? ?", False), ("leduc", "Ks Qh call call ?", False),
        ("liars_dice", "roll1 ? 1x3", True), ("liars_dice", "roll1 roll2 ?", False),
        ("goofspiel", "prize2 ?", True), ("goofspiel", "prize2 ? 3", False),
        ("goofspiel", "? 1", False),
    ],
)  # fmt: skip
def test_only_what_a_seat_does_not_see_may_be_left_open(spec: str, text: str, legal: bool) -> None:
    game = dragon.game(spec)
    if legal:
        assert str(game.parse(text)) == text
    else:
        with pytest.raises(BadNotation):
            game.parse(text)
