"""Searches that sample games with hidden information, held against whole trees and plain sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dragon
from dragon import CHANCE, TERMINAL, Limit, Position, State
from dragon.core import POLICY
from dragon.errors import Objection
from dragon.search.equilibrium.exploit import exploitation
from dragon.search.equilibrium.sampling import Training

SMALL = "leduc(suits=1, ranks=3, raises=1)"
SAMPLINGS = ("external", "outcome")


def regrets(
    state: State[Any], found: dict[Any, dict[str, float]], others: float, hero: int
) -> float:
    """Add the hero's regrets under even play, by view, to `found`; return what the state is worth.

    others: the probability that chance and the other seats come here if the hero lets them.
    """
    if state.turn == TERMINAL:
        return state.payoff()[hero]
    moves = state.moves()
    odds = state.odds() if state.turn == CHANCE else [1 / len(moves)] * len(moves)
    values = [
        regrets(state.after(move), found, others * (1 if state.turn == hero else p), hero)
        for move, p in zip(moves, odds, strict=True)
    ]
    value = sum(p * each for p, each in zip(odds, values, strict=True))
    if state.turn == hero:
        known = found.setdefault(state.seen(hero), {})
        for move, each in zip(moves, values, strict=True):
            known[str(move)] = known.get(str(move), 0.0) + others * (each - value)
    return value


@pytest.mark.full
@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_a_walk_learns_on_average_what_the_whole_tree_tells(sampling: str) -> None:
    """The regrets of first walks are those of even play, within six standard errors."""
    game = dragon.game(SMALL)
    search: Any = dragon.search(f"mccfr(sampling={sampling!r})")
    training = Training(search, game.start(), Limit(), 1)
    training.train(1)
    m, walks = training.m, 20_000
    sums, squares = np.zeros(len(m.regret)), np.zeros(len(m.regret))
    for _ in range(walks):  # of seat 0 alone, each as if it were the first
        m.regret[:] = 0
        m.results["walks"], m.runs["last"] = 0, 1
        training.go_on()
        sums += m.regret
        squares += m.regret**2
    truth: dict[Any, dict[str, float]] = {}
    regrets(game.start(), truth, 1.0, 0)
    assert len(truth) > 10
    for view, expected in truth.items():
        number = training.set_of(Position(view))
        assert number is not None
        first = int(m.sets[number]["first"])
        for i, value in enumerate(expected.values()):
            mean = sums[first + i] / walks
            error = np.sqrt(max(squares[first + i] / walks - mean**2, 1e-9) / walks)
            assert abs(mean - value) < 6 * error, (str(view), i)


@pytest.mark.samples("kuhn-external-1000-0.1")
@pytest.mark.parametrize(
    ("spec", "sampling", "iterations", "most"),
    [
        ("kuhn", "external", 1000, 0.1), ("leduc", "external", 10_000, 0.55),
        ("liars_dice(faces=3)", "external", 10_000, 0.05),
        ("liars_dice(faces=3)", "outcome", 50_000, 0.05), ("leduc", "outcome", 100_000, 1.0),
        pytest.param("leduc", "external", 500_000, 0.08, marks=pytest.mark.full),
    ],
)  # fmt: skip
def test_it_comes_near_an_equilibrium(
    spec: str, sampling: str, iterations: int, most: float
) -> None:
    """10,000 iterations take a tenth of a second at Leduc poker."""
    search = dragon.search(f"mccfr(sampling={sampling!r})")
    found = exploitation(dragon.game(spec), search, Limit(simulations=iterations), seed=1)
    assert found.nash_conv < most


@pytest.mark.full
def test_its_value_is_that_of_the_game() -> None:
    game, search = dragon.game("liars_dice(faces=3)"), dragon.search("mccfr")
    result = search.best(game.start(), Limit(simulations=30_000))
    assert result.value == pytest.approx(1 / 9, abs=0.02)
    exact = dragon.search("cfr").best(view := game.parse("roll1 ?"), Limit(simulations=2000))
    assert search.best(view, Limit(simulations=30_000)).value == pytest.approx(exact.value, abs=0.1)


def test_a_seed_repeats_it_and_a_run_goes_on() -> None:
    game, search = dragon.game("leduc"), dragon.search("mccfr")
    view, limit = game.parse("Ks ? call raise"), Limit(simulations=500)
    first, again, other = (search.best(view, limit, seed) for seed in (1, 1, 2))
    assert first.extra[POLICY] == again.extra[POLICY] != other.extra[POLICY]
    with search.open(game) as run:
        for simulations, expected in ((100, 100), (500, 500), (200, 500)):
            result = run.best(Position(view), Limit(simulations=simulations), 1)
            assert result.extra["iterations"] == expected
        assert (
            run.best(Position(view), Limit(simulations=500), 1).extra[POLICY]
            == (first.extra[POLICY])
        )


def test_limits_in_nodes_stop_it_in_the_middle_of_a_walk() -> None:
    game, search = dragon.game("leduc"), dragon.search("mccfr")
    with search.open(game) as run:
        for nodes in (1, 30, 1000):
            result = run.best(Position(game.start()), Limit(nodes=nodes), 1)
            assert result.nodes == nodes
        assert result.extra["iterations"] > 10


@pytest.mark.full
def test_a_full_table_is_told_and_what_is_not_in_it_is_played_evenly() -> None:
    game, search = dragon.game("liars_dice"), dragon.search("mccfr(megabytes=0.2)")
    result = search.best(game.parse("roll1 ? 1x2"), Limit(simulations=300))
    assert "no room" in result.extra["stopped"]
    assert result.extra["sets"] < 24_576
    *_, last = (game.parse(f"roll1 ? 1x{a} 1x{b} 2x{c}") for a, b, c in ((2, 3, 1), (1, 5, 5)))
    rare = search.best(last, Limit(simulations=1)).extra
    assert rare["unreached"]
    assert len({*rare[POLICY].values()}) == 1


@pytest.mark.full
def test_a_game_that_begins_with_open_cards_is_played_by_what_its_seat_sees() -> None:
    game, limit = dragon.game("leduc"), Limit(simulations=2000)
    for text, seen in (("Ks Kh", "Ks ?"), ("Ks Kh call", "? Kh call")):
        results = []
        for start in (game.parse(text), game.parse(seen)):
            results.append(dragon.search("mccfr").best(start, limit, 3))
        assert results[0].extra[POLICY] == results[1].extra[POLICY]
        assert "unreached" not in results[0].extra
        state: Any = game.parse(text)
        with dragon.search("mccfr").open(game) as run:
            played = run.best(Position(state, state), limit, 3)  # as a referee shows an opening
        assert played.extra[POLICY] == results[0].extra[POLICY]


def test_what_it_cannot_learn_is_one_sentence() -> None:
    search = dragon.search("mccfr")
    assert "needs hidden" in str(search.objection(dragon.game("tictactoe")))
    assert "teams, whose seats see" in str(search.objection(dragon.game("ulti(cards='hidden')")))
    with pytest.raises(Objection, match="mccfr needs hidden"):
        search.best(dragon.game("nim").start())


# ---- ismcts --------------------------------------------------------------------------------------


@pytest.mark.samples(1)
@pytest.mark.parametrize(
    "text",
    ["Ks ? call call Qs raise raise", "? Js raise call Jh call raise raise", "Ks ? raise raise"],
)
def test_a_last_move_is_worth_the_mean_of_all_worlds(text: str) -> None:
    """The other seat holds any card that is not seen, each as likely."""
    game = dragon.game("leduc")
    view: Any = game.parse(text)
    result = dragon.search("ismcts(c=3)").best(view, Limit(simulations=100_000))
    seat = view.turn
    cards = {rank + suit for rank in "JQK" for suit in "sh"} - {*text.split()}
    for move in ("fold", "call"):
        ends = [game.parse(text.replace("?", card)).after(move) for card in cards]
        if any(end.turn != TERMINAL for end in ends):
            continue
        truth = sum(end.payoff()[seat] for end in ends) / len(ends)
        assert result.extra["moves"][move]["value"] == pytest.approx(truth, abs=0.25)


@pytest.mark.full
@pytest.mark.parametrize(
    ("simulations", "most"),
    [(1000, 1.9), pytest.param(30_000, 1.0, marks=pytest.mark.full)],
)
def test_trees_of_information_sets_are_hard_to_exploit(simulations: int, most: float) -> None:
    limit = Limit(simulations=simulations)
    found = exploitation(dragon.game("leduc"), dragon.search("ismcts"), limit, seed=1)
    assert found.nash_conv < most


def test_it_says_how_often_it_draws_each_move() -> None:
    game, search = dragon.game("leduc"), dragon.search("ismcts")
    result = search.best(game.parse("? Qh raise"), Limit(simulations=500))
    policy, moves = result.extra[POLICY], result.extra["moves"]
    assert sum(policy.values()) == pytest.approx(1)
    for move, tries in moves.items():
        assert policy[move] == tries["visits"] / 500
    full = dragon.search("ismcts(megabytes=0.01)").best(game.start(), Limit(simulations=5000))
    assert full.extra["simulations"] == 5000


def test_worlds_are_dealt_by_a_rule() -> None:
    assert "needs hidden" in str(dragon.search("ismcts").objection(dragon.game("nim")))
