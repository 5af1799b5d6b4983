"""Estimates: near the truth from every seed, with intervals that cover it as often as they say."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import dragon
from dragon import Limit
from dragon.errors import Objection
from dragon_hands.counting import Draws, bit_fields
from dragon_hands.formula import formulas_of
from dragon_hands.importing import load
from dragon_hands.odds import odds, sampled
from dragon_hands.probability import Probability
from dragon_hands.question import Question
from dragon_hands.reading import parse_deck

HERE = Path(__file__).parents[2] / "oracles" / "hands"
OVERLAP = str(HERE / "overlap.yaml")
UPSTART = str(HERE / "upstart.yaml")


def last(stream):
    *_, found = stream
    return found


@pytest.mark.parametrize("sharing", ["distinct", "count"])
def test_twenty_seeds_are_within_four_standard_errors(sharing):
    spec, question = load(OVERLAP), Question(5, sharing, "never")
    exact = odds(spec, question)
    for seed in range(20):
        found = last(sampled(spec, question, seed, most=50_000))
        for (_, estimate), (_, truth) in zip(found.conditions, exact.conditions, strict=True):
            assert abs(estimate.p - truth.p) < 4 * estimate.error
        assert abs(found.any.p - exact.any.p) < 4 * found.any.error
        assert abs(found.all.p - exact.all.p) < 4 * found.all.error


@pytest.mark.full
@pytest.mark.parametrize("policy", ["optimal", "greedy"])
def test_hands_played_out_are_within_four_standard_errors(policy):
    spec = load(str(HERE / "duality.yaml"))
    truth = odds(spec, Question(policy=policy)).any.p
    for seed in range(4):
        found = last(sampled(spec, Question(policy=policy), seed, most=1500)).any
        assert abs(found.p - truth) < 4 * found.error


def test_the_interval_covers_the_truth_in_about_95_of_100_runs():
    spec, question = load(OVERLAP), Question(5, "distinct", "never")
    truth = odds(spec, question).any.p
    covered = 0
    for seed in range(200):
        low, high = last(sampled(spec, question, seed, most=2000)).any.interval
        covered += low <= truth <= high
    assert 180 <= covered <= 199  # 190 expected, with a standard deviation of 3


def test_a_seed_fixes_the_estimate_and_seeds_differ():
    spec, question = load(OVERLAP), Question(policy="never")
    first, again, other = (last(sampled(spec, question, s, most=3000)) for s in (1, 1, 2))
    assert first == again != other


def test_the_stream_ends_when_it_is_precise_enough():
    spec, question = load(OVERLAP), Question(policy="never")
    stream = list(sampled(spec, question, 0, error=0.0003))
    assert stream[-1].any.error <= 0.0003 < min([s.any.error for s in stream[:-1]], default=1)
    sizes = [s.any.hands for s in stream]
    assert sizes == sorted(sizes)


def test_an_estimate_without_successes_is_not_certain():
    nothing = Probability.estimated(0, 100)
    assert nothing.error > 0
    low, high = nothing.interval
    assert low == 0 < high < 0.05


@pytest.mark.parametrize("hand", [1, 2, 5, 6, 7, 8, 13])
def test_packed_draws_agree_with_the_exact_odds_of_any_hand(hand):
    """Hands of more than 7 cards have wider fields, odd ones half a random word to spare."""
    spec = parse_deck(
        "deck:\n  A: {qty: 9, tags: [X]}\n  B: {qty: 8, tags: [X, Y]}\n"
        "conditions: [2+ X AND Y, 3- X, 1 Y, A IN Deck AND 5- Y IN Deck]"
    )
    exact = odds(spec, Question(hand))
    draws = Draws(bit_fields(formulas_of(spec, "distinct"), spec.copies, hand), seed=3)
    n = 100_000
    found = draws.draw(n)
    for hits, (_, share) in zip(found, exact.conditions, strict=False):
        assert abs(hits / n - share.p) <= 4 * math.sqrt(share.p * (1 - share.p) / n) + 1e-12


def test_every_card_comes_equally_often():
    spec = parse_deck(
        "size: 0\ndeck:\n" + "".join(f"  C{i}: {{qty: 1}}\n" for i in range(12))
        + f"conditions: [{', '.join(f'C{i}' for i in range(12))}]"
    )  # fmt: skip
    fields = bit_fields(formulas_of(spec, "distinct"), [1] * 12, 5)
    found = np.array(Draws(fields, 9).draw(120_000)[:12])
    p = 5 / 12
    assert np.abs(found / 120_000 - p).max() < 4.5 * math.sqrt(p * (1 - p) / 120_000)


@pytest.mark.samples(1)
@pytest.mark.parametrize("name", ["stratified", "antithetic"])
@pytest.mark.parametrize("file", [OVERLAP, UPSTART])
def test_the_searches_are_within_four_standard_errors(name, file):
    state = dragon.game(f"hands(file={file!r})").start()
    truth = dragon.search("exhaustive").best(state).value
    search = dragon.search(f"{name}(simulations=4000)")
    plain = math.sqrt(truth * (1 - truth) / 4000)
    misses = []
    for seed in range(20):
        found = search.best(state, seed=seed)
        misses.append((found.value - truth) / found.error)
        assert found.error < plain
        assert found.extra["simulations"] <= 4000
    assert max(map(abs, misses)) < 4
    assert 0.3 < np.std(misses) < 1.8  # the errors that are told are those that are made


def test_the_searches_stop_at_a_precision_and_after_the_deal_are_exact():
    game = dragon.game(f"hands(file={UPSTART!r})")
    search = dragon.search("stratified(precision=0.01, simulations=100000)")
    found = search.best(game.start())
    assert found.error <= 0.01
    assert found.nodes < 100_000
    dealt = game.start().after("1 Upstart Goblin, 4 other")
    for name in ("stratified", "antithetic"):
        result = dragon.search(name).best(dealt)
        assert result.bound is dragon.Bound.EXACT
        assert result.value == pytest.approx(dragon.search("exhaustive").best(dealt).value)
        assert result.move == "play Upstart Goblin"


def test_the_searches_play_no_other_game():
    with pytest.raises(Objection, match="another game"):
        dragon.search("stratified").check(dragon.game("nim"))


@pytest.mark.parametrize("name", ["stratified", "antithetic"])
def test_the_searches_refuse_a_state_of_another_game(name):
    nim = dragon.game("nim").start()
    with pytest.raises(Objection, match="deals opening hands alone"):
        dragon.search(name).best(nim)


def test_montecarlo_agrees_where_nothing_is_played():
    state = dragon.game(f"hands(file={OVERLAP!r})").start()
    truth = dragon.search("exhaustive").best(state).value
    found = dragon.search("montecarlo").best(state, Limit(simulations=5000), seed=1)
    assert abs(found.value - truth) < 4 * found.error
