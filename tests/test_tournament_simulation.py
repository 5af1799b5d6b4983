"""The truth about players of known strength: intervals cover it, tests err as rarely as they say.

Results are drawn by numpy, no game is played. Each law is tried on some simulated tournaments,
and with -m slow on a thousand. What is asked is that a rate be as promised, but for three standard
errors of so many tries.
"""

from __future__ import annotations

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from attrs import astuple, evolve

from dragon_tournament.records.record import Record, award
from dragon_tournament.statistics.elo import elo, elo_of, expected
from dragon_tournament.statistics.multinomial import Sample
from dragon_tournament.statistics.pairs import PENTANOMIAL, TRINOMIAL, meetings
from dragon_tournament.statistics.payoffs import payoffs
from dragon_tournament.statistics.rating import advantage, fit, ratings
from dragon_tournament.statistics.sprt import Sprt

Rng = np.random.Generator
DRAWN = 0.2


def tries(few: int, many: int = 1000) -> pytest.MarkDecorator:
    """Some rounds, or a thousand of them."""
    return pytest.mark.parametrize("rounds", [few, pytest.param(many, marks=pytest.mark.slow)])


def near(found: float, promised: float, rounds: int, slack: float = 0.0) -> bool:
    """Whether a rate is what it should be, within three standard errors and a slack."""
    return abs(found - promised) <= 3 * math.sqrt(promised * (1 - promised) / rounds) + slack


def outcome(strength: float) -> list[float]:
    """The probabilities of a loss, a draw and a win of a player that much stronger."""
    won = expected(strength) * (1 - DRAWN)
    return [1 - DRAWN - won, DRAWN, won]


def pair_chances(strength: float, spread: float) -> list[float]:
    """Those of the five scores of a pair, over openings that favour a side by a random amount."""
    chances = np.zeros(5)
    tilts = np.random.default_rng(1).normal(0, spread, 201)
    for tilt in tilts:  # the return game has the seats swapped
        chances += np.convolve(outcome(strength + tilt), outcome(strength - tilt)) / len(tilts)
    return (chances / chances.sum()).tolist()  # type: ignore[no-any-return]


@tries(300)
@pytest.mark.parametrize("size", [12, 80, 600])
@pytest.mark.parametrize("spread", [0.0, 300.0])
def test_the_interval_of_two_players_holds_the_truth(size: int, spread: float, rounds: int) -> None:
    chances = pair_chances(45.0, spread)
    truth = elo_of(sum(x * p for x, p in zip(PENTANOMIAL, chances, strict=True)))
    inside = doubted = 0
    for row in np.random.default_rng(size).multinomial(size, chances, size=rounds):
        found = elo([Sample(PENTANOMIAL, row, 2)])
        assert found is not None
        inside += found.low <= truth <= found.high
        doubted += found.superiority < 0.05
    assert near(inside / rounds, 0.95, rounds, slack=0.015)
    assert doubted / rounds < 0.05  # not more often so sure of the weaker one than it says


@tries(300)
def test_superiority_is_as_sure_as_it_says(rounds: int) -> None:
    """Of equal players it is above any bar as often as the bar says."""
    sure = dict.fromkeys((0.5, 0.8, 0.95), 0)
    for row in np.random.default_rng(2).multinomial(200, pair_chances(0.0, 100.0), size=rounds):
        found = elo([Sample(PENTANOMIAL, row, 2)])
        assert found is not None
        for bar in sure:
            sure[bar] += found.superiority > bar
    for bar, count in sure.items():
        assert near(count / rounds, 1 - bar, rounds, slack=0.02)


def record(seats: tuple[str, ...], scores: tuple[float, ...], deal: int) -> Record:
    """A game of which only the result is known."""
    teams = tuple(range(len(seats)))
    return Record(
        id=f"{seats}{deal}", game="g", seats=seats, teams=teams, opening=(), moves=(),
        scores=scores, points=award(scores, teams), reason="terminal", nodes=(1,) * len(seats),
        seconds=(0.0,) * len(seats), seed=1, deal=deal, index=deal,
    )  # fmt: skip


def round_robin(
    rng: Rng, strength: dict[str, float], deals: int, edge: float = 0.0, spread: float = 0.0
) -> list[Record]:
    """All pairs on so many deals, each of which favours the first seat by some amount."""
    games = []
    for deal, tilt in enumerate(rng.normal(edge, spread, deals)):
        for seats in permutations(strength, 2):
            made = outcome(strength[seats[0]] - strength[seats[1]] + tilt)
            first = float(rng.choice([-1, 0, 1], p=made))
            games.append(record(seats, (first, -first), deal))
    return games


FOUR = {"a": -90.0, "b": -20.0, "c": 30.0, "d": 80.0}


def endless(strength: dict[str, float], spread: float) -> dict[str, float]:
    """The ratings that endless play would come to: draws and deals pull them together."""
    tilts = np.random.default_rng(1).normal(0, spread, 4000)
    names = list(strength)
    score = np.zeros((len(names), len(names)))
    for i, j in permutations(range(len(names)), 2):
        gap = strength[names[i]] - strength[names[j]]
        means = [
            np.mean([sum(x * p for x, p in zip(TRINOMIAL, outcome(side), strict=True))
                     for side in gap + sign * tilts]) for sign in (1, -1)
        ]  # fmt: skip
        score[i, j] = np.mean(means) * 1e6
    return {name: rating.elo for name, rating in fit(names, score).items()}


@tries(30)
@pytest.mark.parametrize("spread", [0.0, 400.0])
def test_the_ratings_of_a_round_robin_hold_the_truth(spread: float, rounds: int) -> None:
    truth, names = endless(FOUR, spread), list(FOUR)
    rng = np.random.default_rng(5)
    inside = coins = 0
    for _ in range(rounds):
        games = round_robin(rng, FOUR, deals=30, spread=spread)
        plain = ratings(games, names)
        for name, found in ratings(games, names, meetings(games, names)).items():
            assert found.elo == pytest.approx(plain[name].elo)
            inside += abs(found.elo - truth[name]) < found.error
            coins += abs(found.elo - truth[name]) < plain[name].error
    assert near(inside / (4 * rounds), 0.95, rounds, slack=0.01)
    assert coins >= inside  # taken for coins, games make the intervals too wide


@tries(30)
def test_the_interval_of_the_first_seat_s_advantage_holds_the_truth(rounds: int) -> None:
    """An edge of 80 Elo over a coin; draws pull it together, as they do with strength."""
    rng = np.random.default_rng(9)
    truth = elo_of(sum(x * p for x, p in zip(TRINOMIAL, outcome(80.0), strict=True)))
    equal = {"a": 0.0, "b": 0.0, "c": 0.0}
    inside = 0
    for _ in range(rounds):
        found = advantage(round_robin(rng, equal, deals=30, edge=80.0), list(equal))
        assert found is not None
        inside += abs(found.elo - truth) < found.error
    assert near(inside / rounds, 0.95, rounds, slack=0.02)


def three_seats(rng: Rng, strength: dict[str, float], deals: int, spread: float) -> list[Record]:
    """Every deal in every seating of every three players; a seat of a deal has its own luck."""
    games = []
    for deal in range(deals):
        tilt = rng.normal(0, spread, 3)
        for chosen in combinations(strength, 3):
            for seats in permutations(chosen):
                made = [rng.normal(strength[name], 1.0) for name in seats] + tilt
                order = np.argsort(np.argsort(made)) + 0.0
                games.append(record(seats, tuple(order.tolist()), deal))
    return games


@tries(20, 300)
@pytest.mark.parametrize("names", ["abc", "abcd"])
def test_the_ratings_of_three_seats_hold_the_truth(names: str, rounds: int) -> None:
    strength = dict(zip(names, np.linspace(0.4, -0.4, len(names)), strict=True))
    rng = np.random.default_rng(4)
    played = three_seats(rng, strength, 1500 if rounds > 100 else 300, spread=1.0)
    truth = ratings(played, list(names))
    inside = 0
    for _ in range(rounds):
        games = three_seats(rng, strength, 25, spread=1.0)
        for name, found in ratings(games, list(names)).items():
            inside += abs(found.elo - truth[name].elo) < found.error
    assert near(inside / (len(names) * rounds), 0.95, rounds, slack=0.03)


TRUE_PAYOFFS = {"a": 1.5, "b": 0.0, "c": -1.5}
"""Of three players who are each paid half of the difference of their skills, in the long run."""
SKILLS = {"a": 2.0, "b": 0.0, "c": -2.0}


def graded_games(rng: Rng, deals: int, spread: float) -> list[Record]:
    """All pairs on so many deals: mostly small pots and few large ones, shared by skill and luck.

    A deal has its own luck for the first seat, whoever holds it, and its own for the skilful.
    """
    games = []
    for deal in range(deals):
        tilt, weight = rng.normal(0, spread), rng.exponential(1.0)
        for seats in permutations(SKILLS, 2):
            edge = (SKILLS[seats[0]] - SKILLS[seats[1]]) / 2 * weight
            pot = rng.choice([1.0, 3.0, 13.0], p=[0.6, 0.3, 0.1])
            won = float(np.rint(edge + tilt + pot * rng.choice([-1.0, 1.0])))
            games.append(record(seats, (won, -won), deal))
    return games


@tries(100)
@pytest.mark.parametrize("deals", [15, 60])
@pytest.mark.parametrize("spread", [0.0, 8.0])
def test_the_intervals_of_mean_payoffs_hold_the_truth(
    deals: int, spread: float, rounds: int
) -> None:
    """In 93 to 97% of all tournaments; single games, taken for independent, do not keep the word.

    The truth of a pair is the half difference of its skills, and of a player the mean of its pairs.
    """
    rng = np.random.default_rng(7)
    inside = against = single = 0
    for _ in range(rounds):
        games = graded_games(rng, deals, spread)
        found = payoffs(games)
        apart = payoffs([evolve(game, deal=i) for i, game in enumerate(games)])
        for name, truth in TRUE_PAYOFFS.items():
            (mean, error), wrong = astuple(found[name,])[:2], apart[name,].error
            inside += abs(mean - truth) < error
            single += abs(mean - truth) < wrong
        mean, error = astuple(found["a", "c"])[:2]
        against += abs(mean - 2.0) < error
    tried = 3 * rounds
    assert near(inside / tried, 0.95, rounds, slack=0.0 if rounds < 1000 else 0.005)
    assert near(against / rounds, 0.95, rounds, slack=0.01)
    if rounds >= 1000:
        assert 0.93 <= inside / tried <= 0.97
    if spread:
        assert single / tried > 0.98  # luck that cancels in pairs makes single games' too wide


def accepted(sprt: Sprt, chances: list[float], rng: Rng, most: int) -> tuple[str, int]:
    """Who wins a test of simulated pairs or games, and after how many; nobody after so many."""
    values, games = (PENTANOMIAL, 2) if sprt.pairs else (TRINOMIAL, 1)
    counts = np.zeros(len(values))
    for number, place in enumerate(rng.choice(len(values), size=most, p=chances), 1):
        counts[place] += 1
        if found := sprt.accepted(sprt.llr(Sample(values, counts, games))):
            return found, number
    return "", most


def normalised(strength: float, chances: list[float], values: tuple[float, ...]) -> float:
    """A strength's mean score in standard deviations above one half, as normalised Elo."""
    mean = sum(x * p for x, p in zip(values, chances, strict=True))
    spread = sum(p * (x - mean) ** 2 for x, p in zip(values, chances, strict=True))
    games = 2 if len(values) == 5 else 1
    return (mean - 0.5) / math.sqrt(spread * games) * 800 / math.log(10)


SETTINGS = [
    Sprt(-30, 30, alpha=0.05, beta=0.1, model="logistic"),
    Sprt(-30, 30, alpha=0.05, beta=0.1, model="logistic", pairs=False),
    Sprt(-30, 30, alpha=0.1, beta=0.05),
    Sprt(-30, 30, alpha=0.1, beta=0.05, pairs=False),
]


@tries(60)
@pytest.mark.parametrize("sprt", SETTINGS, ids=lambda s: f"{s.model}-{5 if s.pairs else 3}")
def test_a_test_errs_no_more_often_than_it_says(sprt: Sprt, rounds: int) -> None:
    """Where a hypothesis is true, the other one is accepted within Wald's bound."""
    if rounds < 100:  # twice as far apart, they are told apart by a quarter of the games
        sprt = evolve(sprt, elo0=2 * sprt.elo0, elo1=2 * sprt.elo1)
    rng = np.random.default_rng(3)
    values = PENTANOMIAL if sprt.pairs else TRINOMIAL

    def chances(strength: float) -> list[float]:
        return pair_chances(strength, 150.0) if sprt.pairs else outcome(strength)

    def measured(strength: float) -> float:
        if sprt.model == "normalized":
            return normalised(strength, chances(strength), values)
        return elo_of(sum(x * p for x, p in zip(values, chances(strength), strict=True)))

    for target, wrong, rate in ((sprt.elo0, "H1", sprt.alpha), (sprt.elo1, "H0", sprt.beta)):
        low, high = -400.0, 400.0
        for _ in range(40):  # the strength that makes a hypothesis exactly true
            middle = (low + high) / 2
            low, high = (middle, high) if measured(middle) < target else (low, middle)
        ends = [accepted(sprt, chances(low), rng, 6000) for _ in range(rounds)]
        found = [end for end, _ in ends]
        assert found.count("") == 0
        assert found.count(wrong) / rounds < rate + 3 * math.sqrt(rate * (1 - rate) / rounds)
        assert found.count(wrong) < rounds / 2
