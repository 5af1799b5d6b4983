"""The truth about players of known strength: intervals cover it, tests err as rarely as they say.

Results are drawn by numpy, no game is played. Each law is tried on some simulated tournaments,
and with -m full on a thousand. What is asked is that a rate be as promised, within three standard
errors of that number of tries.
"""

from __future__ import annotations

import math
from collections import Counter
from copy import copy
from functools import cache
from itertools import combinations, permutations, product

import numpy as np
import pytest
from attrs import astuple, evolve

from dragon_tournament.config.reading import parse
from dragon_tournament.pairing import Pairing
from dragon_tournament.records.record import Record, award
from dragon_tournament.schedule import Schedule
from dragon_tournament.statistics.elo import elo, elo_of, expected
from dragon_tournament.statistics.multinomial import Sample
from dragon_tournament.statistics.pairs import PENTANOMIAL
from dragon_tournament.statistics.rating import Comparisons, Rating, fit, ratings
from dragon_tournament.statistics.sprt import Sprt, Trial
from dragon_tournament.statistics.standings import meetings, payoffs
from dragon_tournament.statistics.tally import Tally

Rng = np.random.Generator
DRAWN = 0.2


def tries(few: int, many: int = 1000) -> pytest.MarkDecorator:
    """Some rounds, or a thousand of them."""
    return pytest.mark.parametrize("rounds", [few, pytest.param(many, marks=pytest.mark.full)])


def near(found: float, promised: float, rounds: int, slack: float = 0.0) -> bool:
    """Tell whether a rate is what it should be, within three standard errors and a slack."""
    return abs(found - promised) <= 3 * math.sqrt(promised * (1 - promised) / rounds) + slack


def outcome(strength: float) -> list[float]:
    """The probabilities of a loss, a draw and a win of a player that much stronger."""
    won = expected(strength) * (1 - DRAWN)
    return [1 - DRAWN - won, DRAWN, won]


def outcomes(strengths: np.ndarray) -> np.ndarray:
    """Give the probabilities for many strengths, in three rows."""
    won = (1 - DRAWN) / (1 + 10 ** (-strengths / 400))
    return np.array([1 - DRAWN - won, np.full(len(won), DRAWN), won])


def pair_chances(strength: float, spread: float) -> list[float]:
    """Return the shares of the five scores of a pair, where openings favour a side at random."""
    chances = np.zeros(5)
    tilts = np.random.default_rng(1).normal(0, spread, 201)
    there = outcomes(strength + tilts)
    back = outcomes(strength - tilts)  # the return game has the seats swapped
    for i, j in product(range(3), repeat=2):
        chances[i + j] += (there[i] * back[j]).mean()
    return (chances / chances.sum()).tolist()  # type: ignore[no-any-return]


@pytest.mark.full
@tries(300)
@pytest.mark.parametrize("size", [12, pytest.param(80, marks=pytest.mark.full), 600])
@pytest.mark.parametrize("spread", [0.0, 300.0])
def test_the_interval_of_two_players_holds_the_truth(size: int, spread: float, rounds: int) -> None:
    chances = pair_chances(45.0, spread)
    truth = elo_of(sum(x * p for x, p in zip(PENTANOMIAL, chances, strict=True)))
    inside = doubted = 0
    for row in np.random.default_rng(size).multinomial(size, chances, size=rounds):
        found = elo((Sample(PENTANOMIAL, row, 2),))
        assert found is not None
        inside += found.low <= truth <= found.high
        assert found.superiority is not None
        doubted += found.superiority < 0.05
    assert near(inside / rounds, 0.95, rounds, slack=0.015)
    assert doubted / rounds < 0.05  # not more often so sure of the weaker one than it says


@pytest.mark.full
@tries(300)
def test_superiority_is_as_sure_as_it_says(rounds: int) -> None:
    """Equal players are above any bar as often as the bar says."""
    sure = dict.fromkeys((0.5, 0.8, 0.95), 0)
    for row in np.random.default_rng(2).multinomial(200, pair_chances(0.0, 100.0), size=rounds):
        found = elo((Sample(PENTANOMIAL, row, 2),))
        assert found is not None
        assert found.superiority is not None
        for bar in sure:
            sure[bar] += found.superiority > bar
    for bar, count in sure.items():
        assert near(count / rounds, 1 - bar, rounds, slack=0.02)


def record(
    seats: tuple[str, ...],
    scores: tuple[float, ...],
    deal: int,
    opening: tuple[str, ...] = (),
    moves: tuple[str, ...] = (),
) -> Record:
    """A game of which little more than the result is known: a copy, since checks take long."""
    made = copy(result(seats, scores))
    values = {"id": f"{seats}{deal}", "opening": opening, "moves": moves, "deal": deal}
    for name, value in {**values, "index": deal}.items():
        object.__setattr__(made, name, value)  # it is frozen
    return made


@cache
def result(seats: tuple[str, ...], scores: tuple[float, ...]) -> Record:
    """A record of nothing but a result."""
    teams = tuple(range(len(seats)))
    return Record(
        id="x", game="g", seats=seats, teams=teams, opening=(), moves=(), scores=scores,
        points=award(scores, teams), reason="terminal", nodes=(1,) * len(seats),
        seconds=(0.0,) * len(seats), seed=1,
    )  # fmt: skip


def drawn_by(lot: float, chances: list[float]) -> float:
    """Turn a lot between 0 and 1 into a loss, a draw or a win, -1 to 1."""
    return -1.0 if lot < chances[0] else 0.0 if lot < chances[0] + chances[1] else 1.0


def round_robin(
    rng: Rng, strength: dict[str, float], deals: int, edge: float = 0.0, spread: float = 0.0
) -> list[Record]:
    """All pairs on so many deals, each of which favours the first seat by some amount."""
    games = []
    for deal, tilt in enumerate(rng.normal(edge, spread, deals)):
        for seats in permutations(strength, 2):
            made = outcome(strength[seats[0]] - strength[seats[1]] + tilt)
            first = drawn_by(rng.random(), made)
            games.append(record(seats, (first, -first), deal))
    return games


FOUR = {"a": -90.0, "b": -20.0, "c": 30.0, "d": 80.0}


def endless(
    strength: dict[str, float], spread: float, edge: float = 0.0, draws: float = DRAWN
) -> tuple[dict[str, float], float]:
    """The ratings and the seat's worth that endless play comes to: draws and deals pull them in."""
    tilts = np.random.default_rng(1).normal(edge, spread, 4000)
    names, rows = list(strength), []
    for i, j in permutations(range(len(names)), 2):
        won = 1 / (1 + 10 ** (-(strength[names[i]] - strength[names[j]] + tilts) / 400))
        share = float(np.mean(won * (1 - draws) + draws / 2))
        rows.append((len(rows), i, j, 1, 1e6, share))
    found = fit(Comparisons(*(np.array(column) for column in zip(*rows, strict=True))), names)
    assert found.first_seat is not None
    return {name: rating.elo for name, rating in found.players.items()}, found.first_seat.elo


def between(gap: float, spread: float) -> float:
    """The Elo of the points that two players make of each other in endless play."""
    tilts = np.random.default_rng(1).normal(0, spread, 4000)
    won = [1 / (1 + 10 ** (-(gap + side * tilts) / 400)) for side in (1, -1)]
    return elo_of(float(np.mean(won)) * (1 - DRAWN) + DRAWN / 2)


def holds(rating: Rating | None, truth: float) -> bool:
    """Tell whether the interval, which there is, holds the truth."""
    assert rating is not None
    assert rating.error is not None
    return abs(rating.elo - truth) < rating.error


@pytest.mark.full
@tries(30)
@pytest.mark.parametrize("spread", [0.0, 400.0])
def test_the_ratings_of_a_round_robin_hold_the_truth(spread: float, rounds: int) -> None:
    truth, _ = endless(FOUR, spread)
    rng = np.random.default_rng(5)
    inside = 0
    for _ in range(rounds):
        found = ratings(Tally.of(round_robin(rng, FOUR, 30, spread=spread)), list(FOUR))
        inside += sum(holds(found.players[name], truth[name]) for name in FOUR)
    assert near(inside / (4 * rounds), 0.95, rounds, slack=0.01)


@pytest.mark.full
@tries(20)
@pytest.mark.parametrize(
    "gap", [0.0, 600.0, *(pytest.param(gap, marks=pytest.mark.full) for gap in (200.0, 400.0))]
)
@pytest.mark.parametrize("pairs", [100, pytest.param(400, marks=pytest.mark.full)])
def test_strengths_and_seat_hold_the_truth_however_unequal(
    gap: float, pairs: int, rounds: int
) -> None:
    """An edge of 80 Elo; no draws, so that endless play comes to these very figures."""
    rng = np.random.default_rng(9)
    strength = {"a": gap / 2, "b": -gap / 2}
    seat = level = 0
    for _ in range(rounds):
        games = [
            record(seats, (won, -won), deal)
            for deal in range(pairs)
            for seats in permutations(strength)
            for won in [
                1.0
                if rng.random() < expected(strength[seats[0]] - strength[seats[1]] + 80.0)
                else -1.0
            ]
        ]
        found = ratings(Tally.of(games), list(strength))
        seat += holds(found.first_seat, 80.0)
        level += holds(found.players["a"], gap / 2)
    for inside in (seat, level):
        assert near(inside / rounds, 0.95, rounds, slack=0.0 if rounds < 1000 else 0.005)


def of_a_book(
    rng: Rng, strength: dict[str, float], openings: int, replays: int, deterministic: bool = False
) -> list[Record]:
    """All pairs on a book, again and again. An opening suits one seat, and one player or another.

    The moves are a number: equal ones where players are deterministic.
    """
    names = list(strength)
    seats = rng.normal(0, 300.0, openings)
    style = {name: rng.normal(0, 150.0, openings) for name in names}
    lots = rng.random((openings, replays, len(names), len(names)))
    if deterministic:
        lots[:] = lots[:, :1]
    games = []
    for turn in range(replays):
        for o in range(openings):
            for i, j in permutations(range(len(names)), 2):
                a, b = names[i], names[j]
                gap = strength[a] - strength[b] + seats[o] + style[a][o] - style[b][o]
                lot = float(lots[o, turn, i, j])
                won = drawn_by(lot, outcome(gap))
                index = turn * openings + o
                games.append(record((a, b), (won, -won), index, (f"{o}",), (f"{lot}",)))
    return games


THREE = {"a": 200.0, "b": 0.0, "c": -200.0}
BOOK = math.hypot(300.0, 150.0, 150.0)


@pytest.mark.samples("repeats-20-1-20")
@tries(20)
@pytest.mark.parametrize(
    ("openings", "replays"),
    [
        (20, 1),
        (20, 5),
        (5, 5),
        *(pytest.param(*more, marks=pytest.mark.full) for more in ((20, 2), (20, 10), (8, 5))),
    ],
)
@pytest.mark.parametrize("deterministic", [False, True], ids=["lots", "repeats"])
def test_intervals_of_a_small_book_hold_the_truth_however_often_it_is_played(
    openings: int, replays: int, deterministic: bool, rounds: int
) -> None:
    """The truth is that of all openings the book is drawn from, by ratings, seat and meetings."""
    truth, worth = endless(THREE, BOOK)
    points = {(a, b): between(THREE[a] - THREE[b], BOOK) for a, b in combinations(THREE, 2)}
    rng = np.random.default_rng(13)
    level = seat = met = 0
    for _ in range(rounds):
        games = of_a_book(rng, THREE, openings, replays, deterministic)
        tally = Tally.of(games, dealt=False)
        assert (tally.identical > 0) == (deterministic and replays > 1)
        found = ratings(tally, list(THREE))
        level += sum(holds(found.players[name], truth[name]) for name in THREE)
        seat += holds(found.first_seat, worth)
        for meeting in meetings(tally, list(THREE)):
            estimate = elo(meeting.samples)
            assert estimate is not None
            met += estimate.low <= points[meeting.first, meeting.second] <= estimate.high
    for inside, tried in ((level, 3 * rounds), (seat, rounds), (met, 3 * rounds)):
        assert near(inside / tried, 0.95, rounds, slack=0.002)


def three_seats(rng: Rng, strength: dict[str, float], deals: int, spread: float) -> list[Record]:
    """Every deal in every seating of every three players; a seat of a deal has its own luck."""
    games = []
    for deal in range(deals):
        tilt = rng.normal(0, spread, 3)
        for chosen in combinations(strength, 3):
            for seats in permutations(chosen):
                made = rng.normal([strength[name] for name in seats], 1.0) + tilt
                order = np.argsort(np.argsort(made)) + 0.0
                games.append(record(seats, tuple(order.tolist()), deal))
    return games


@pytest.mark.full
@tries(20, 300)
@pytest.mark.parametrize("names", ["abc", "abcd"])
def test_the_ratings_of_three_seats_hold_the_truth(names: str, rounds: int) -> None:
    strength = dict(zip(names, np.linspace(0.4, -0.4, len(names)), strict=True))
    rng = np.random.default_rng(4)
    played = three_seats(rng, strength, 1500 if rounds > 100 else 300, spread=1.0)
    truth = ratings(Tally.of(played), list(names)).players
    inside = 0
    for _ in range(rounds):
        games = three_seats(rng, strength, 25, spread=1.0)
        for name, found in ratings(Tally.of(games), list(names)).players.items():
            inside += holds(found, truth[name].elo)
    assert near(inside / (len(names) * rounds), 0.95, rounds, slack=0.03)


TRUE_PAYOFFS = {"a": 1.5, "b": 0.0, "c": -1.5}
"""Of three players who are each paid half of the difference of their skills, in the long run."""
SKILLS = {"a": 2.0, "b": 0.0, "c": -2.0}


def graded_games(rng: Rng, deals: int, spread: float) -> list[Record]:
    """All pairs on so many deals: mostly small pots and few large ones, shared by skill and luck.

    A deal has its own luck for the first seat, by any player, and its own for the skilful.
    """
    games = []
    for deal in range(deals):
        tilt, weight = rng.normal(0, spread), rng.exponential(1.0)
        for seats in permutations(SKILLS, 2):
            edge = (SKILLS[seats[0]] - SKILLS[seats[1]]) / 2 * weight
            lot = rng.random()
            pot = 1.0 if lot < 0.6 else 3.0 if lot < 0.9 else 13.0
            won = float(np.rint(edge + tilt + pot * rng.choice([-1.0, 1.0])))
            games.append(record(seats, (won, -won), deal))
    return games


@pytest.mark.samples("0.0-15-60")
@tries(60)
@pytest.mark.parametrize("deals", [15, pytest.param(60, marks=pytest.mark.full)])
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
        found = payoffs(Tally.of(games))
        for name, truth in TRUE_PAYOFFS.items():
            mean, error = astuple(found[name,])[:2]
            inside += abs(mean - truth) < error
        if spread:
            apart = payoffs(Tally.of([evolve(game, deal=i) for i, game in enumerate(games)]))
            single += sum(
                abs(found[name,].mean - truth) < apart[name,].error
                for name, truth in TRUE_PAYOFFS.items()
            )
        mean, error = astuple(found["a", "c"])[:2]
        against += abs(mean - 2.0) < error
    tried = 3 * rounds
    assert near(inside / tried, 0.95, rounds, slack=0.0 if rounds < 1000 else 0.005)
    assert near(against / rounds, 0.95, rounds, slack=0.01)
    if rounds >= 1000:
        assert 0.93 <= inside / tried <= 0.97
    if spread:
        assert single / tried > 0.98  # luck that cancels in pairs makes single games' too wide


def accepted(sprt: Sprt, chances: list[float], rng: Rng, most: int) -> str:
    """Give what a test of simulated pairs accepts; nothing after a number of them."""
    counts = np.zeros(5)
    for place in rng.choice(5, size=most, p=chances):
        counts[place] += 1
        if found := sprt.accepted(sprt.llr(Sample(PENTANOMIAL, counts, 2))):
            return found
    return ""


def measured(sprt: Sprt, chances: list[float]) -> float:
    """The strength that the scores of pairs show, in the units of the test."""
    mean = sum(x * p for x, p in zip(PENTANOMIAL, chances, strict=True))
    if sprt.model == "logistic":
        return elo_of(mean)
    spread = sum(p * (x - mean) ** 2 for x, p in zip(PENTANOMIAL, chances, strict=True))
    return (mean - 0.5) / math.sqrt(spread * 2) * 800 / math.log(10)


def strength_of(target: float, sprt: Sprt, spread: float) -> float:
    """The strength that makes a hypothesis exactly true."""
    low, high = -400.0, 400.0
    for _ in range(40):
        middle = (low + high) / 2
        below = measured(sprt, pair_chances(middle, spread)) < target
        low, high = (middle, high) if below else (low, middle)
    return low


SETTINGS = [
    Sprt(-30, 30, alpha=0.05, beta=0.1, model="logistic"),
    Sprt(-30, 30, alpha=0.1, beta=0.05),
]


@pytest.mark.samples("logistic-60")
@tries(60)
@pytest.mark.parametrize("sprt", SETTINGS, ids=lambda s: s.model)
def test_a_test_errs_no_more_often_than_it_says(sprt: Sprt, rounds: int) -> None:
    """If one hypothesis is true, the other one is accepted within Wald's bound."""
    if rounds < 100:  # twice as far apart, they are told apart by a quarter of the games
        sprt = evolve(sprt, elo0=2 * sprt.elo0, elo1=2 * sprt.elo1)
    rng = np.random.default_rng(3)
    for target, wrong, rate in ((sprt.elo0, "H1", sprt.alpha), (sprt.elo1, "H0", sprt.beta)):
        chances = pair_chances(strength_of(target, sprt, 150.0), 150.0)
        found = [accepted(sprt, chances, rng, 6000) for _ in range(rounds)]
        assert found.count("") == 0
        assert found.count(wrong) / rounds < rate + 3 * math.sqrt(rate * (1 - rate) / rounds)
        assert found.count(wrong) < rounds / 2


class Book:
    """The pairings of two players over a book that is played again and again, and their records."""

    def __init__(self, games: list[Record]) -> None:
        self.games = games
        self.pairings = [
            Pairing(g.id, g.seats, g.deal, g.opening, g.deal, 0) for g in games
        ]  # the simulated games have their number for a deal


@pytest.mark.full
@tries(60)
@pytest.mark.parametrize("openings", [20, pytest.param(49, marks=pytest.mark.full)])
@pytest.mark.parametrize("elo1", [100.0, pytest.param(30.0, marks=pytest.mark.full)])
@pytest.mark.parametrize("deterministic", [False, True], ids=["lots", "repeats"])
def test_a_test_over_a_small_book_errs_no_more_often_than_it_says(
    openings: int, elo1: float, deterministic: bool, rounds: int
) -> None:
    """H1 is accepted in 5% at most for equal players; what is left over stays undecided."""
    sprt, rng = Sprt(0, elo1, model="logistic"), np.random.default_rng(21)
    tournament = parse(
        {
            "game": "nim(pile=40)",
            "player": [{"search": "random", "name": "a"}, {"search": "random", "name": "b"}],
            "openings": {"random": 5},
            "sprt": {"elo0": 0, "elo1": elo1},
        }
    )
    ends = Counter[str]()
    for _ in range(rounds):
        book = Book(of_a_book(rng, {"a": 0.0, "b": 0.0}, openings, 4, deterministic))
        trial = Trial(sprt, "a", "b", Schedule(tournament).with_new_beginnings(book.pairings))
        for game in book.games:
            trial.add(game)
        assert trial.verdict.over
        assert trial.verdict.sample.size <= openings
        ends[trial.verdict.accepted] += 1
    assert ends["H1"] / rounds < 0.05 + 3 * math.sqrt(0.05 * 0.95 / rounds)
    assert ends[""] > 0
