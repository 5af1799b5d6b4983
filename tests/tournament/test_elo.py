"""Elo from pairs: figures that others publish, laws, and counts that would trip it."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import example, given
from hypothesis import strategies as st

from dragon_tournament.records.record import Record, award
from dragon_tournament.statistics.elo import (
    NORMALISED,
    Z95,
    Elo,
    _as_normal,
    as_student,
    elo,
    elo_of,
    expected,
)
from dragon_tournament.statistics.multinomial import Sample
from dragon_tournament.statistics.pairs import PENTANOMIAL, TRINOMIAL
from dragon_tournament.statistics.rating import ratings
from dragon_tournament.statistics.tally import Tally

ORACLES = tomllib.loads((Path(__file__).parents[1] / "oracles" / "ratings.toml").read_text())


def sample_of(case: dict[str, Any]) -> Sample:
    """The counts of a published case."""
    if "games" in case:
        return Sample(TRINOMIAL, case["games"])
    return Sample(PENTANOMIAL, case["pairs"], 2)


def elo_from(*samples: Sample) -> Elo:
    """Their Elo, which there is."""
    found = elo(samples)
    assert found is not None
    return found


def half(found: Elo) -> float:
    """The half-width of its interval."""
    return (found.high - found.low) / 2


def sure_from(found: Elo) -> float:
    """Its likelihood of superiority, which is known."""
    assert found.superiority is not None
    return found.superiority


@pytest.mark.parametrize("case", ORACLES["normalised"], ids=lambda c: str(c["normalised"]))
def test_elo_and_superiority_are_what_others_compute(case: dict[str, Any]) -> None:
    found = elo_from(sample_of(case))
    assert found.score == pytest.approx(case["score"], abs=0.0005)
    if "elo" in case:
        assert found.elo == pytest.approx(case["elo"], rel=0.01)
        assert half(found) == pytest.approx(case["elo_error"], rel=0.01)
    if "superiority" in case:
        assert sure_from(found) == pytest.approx(case["superiority"], rel=0.01, abs=1e-3)


def test_expected_scores_have_their_inverse() -> None:
    assert expected(0) == 0.5
    assert elo_of(expected(123.4)) == pytest.approx(123.4)
    assert elo_of(1.0) == -elo_of(0.0) == math.inf


def test_nothing_is_known_without_games() -> None:
    assert elo(()) is None
    assert elo((Sample(TRINOMIAL, (0, 0, 0)),)) is None


def test_perfect_scores_are_bounded_on_one_side() -> None:
    few, some, many = (elo_from(Sample(TRINOMIAL, (0, 0, n))) for n in (3, 30, 300))
    for found in (few, some, many):
        assert found.elo == found.high == math.inf
    assert few.low < 0 < some.low < 500 < many.low < math.inf
    assert sure_from(few) < 0.95 < sure_from(some) < sure_from(many)
    # 2.045 is Student's quantile; all n games are won with a probability of p each
    assert some.low == pytest.approx(elo_of(math.exp(-(2.045**2) / 60)), abs=2)


@pytest.mark.parametrize("place", range(5))
def test_one_or_two_pairs_contradict_nothing(place: int) -> None:
    """Not even a difference of thousands, however the games of the pairs ended."""
    for size in (1, 2):
        found = elo_from(Sample(PENTANOMIAL, [size * (k == place) for k in range(5)], 2))
        assert (found.low, found.high) == (-math.inf, math.inf)
        assert half(found) == math.inf
        if size == 1:
            assert found.superiority is None  # nothing is known of how much pairs vary
        else:
            assert 0.1 < sure_from(found) < 0.9
    three = elo_from(Sample(PENTANOMIAL, [3 * (k == place) for k in range(5)], 2))
    assert math.isfinite(three.low) or math.isfinite(three.high)


def test_of_two_distributions_with_a_large_t_the_likelier_one_counts() -> None:
    """The rounds found another one; an explicit one with this t has -45.0213."""
    t = 150 * math.sqrt(2) / NORMALISED
    assert Sample(PENTANOMIAL, [5, 2, 23, 3, 0], 2).regular().given_t(t) > -45.0213


def test_an_interval_ends_where_the_likelihood_says() -> None:
    """The root of the deviance there is Student's quantile, by a search through all means."""
    for sample in (Sample(PENTANOMIAL, (7, 9, 40, 12, 13), 2), Sample(TRINOMIAL, (1, 40, 9))):
        best = sample.given_mean(sample.mean)
        far = as_student(Z95, sample.size - 1)
        within = [
            mean
            for mean in (k / 4000 for k in range(1, 4000))
            if 2 * (best - sample.given_mean(mean)) < far**2
        ]
        found = elo_from(sample)
        assert expected(found.low) == pytest.approx(within[0], abs=3e-4)
        assert expected(found.high) == pytest.approx(within[-1], abs=3e-4)


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(2, 4.303), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)]
)
def test_the_bar_is_student_s(freedom: int, quantile: float) -> None:
    t = as_student(Z95, freedom)
    assert t == pytest.approx(quantile, rel=0.05 if freedom == 2 else 0.003)
    assert _as_normal(t, freedom) == pytest.approx(Z95)
    assert _as_normal(-t, freedom) == pytest.approx(-Z95)


sizes = st.integers(0, 400) | st.integers(0, 10**6) | st.integers(0, 3)
counts = st.lists(sizes, min_size=5, max_size=5)


@pytest.mark.full
@example([0, 0, 0, 0, 10**6], [0] * 5)  # scores that hardly vary
@example([0, 10**6, 0, 0, 0], [0, 0, 1, 0, 0])
@example([1, 1, 0, 3, 0], [0] * 5)  # an even score of uneven counts
@given(counts, counts)
def test_an_interval_holds_its_elo_and_swapping_the_players_mirrors_it(
    paired: list[int], single: list[int]
) -> None:
    there = (Sample(PENTANOMIAL, paired, 2), Sample(TRINOMIAL, single[:3]))
    back = (Sample(PENTANOMIAL, paired[::-1], 2), Sample(TRINOMIAL, single[:3][::-1]))
    mine, other = elo(there), elo(back)
    if mine is None or other is None:
        assert sum(paired) + sum(single[:3]) == 0
        return
    assert mine.low <= mine.elo <= mine.high
    assert mine.score + other.score == pytest.approx(1)
    assert mine.elo == pytest.approx(-other.elo)
    assert mine.low == pytest.approx(-other.high, abs=1e-3)
    if mine.superiority is None:
        assert sum(paired) + sum(single[:3]) == 1
        assert other.superiority is None
        return
    assert mine.superiority + sure_from(other) == pytest.approx(1, abs=1e-6)


def test_elo_is_that_of_the_points_where_pairs_and_single_games_disagree() -> None:
    """The first seat wins everything; ten games from there alone are not returned."""
    found = elo_from(Sample(PENTANOMIAL, (0, 0, 40, 0, 0), 2), Sample(TRINOMIAL, (0, 0, 10)))
    assert found.score == pytest.approx(50 / 90)
    assert found.elo == pytest.approx(elo_of(50 / 90))
    assert found.low < found.elo < found.high
    assert found.low > 0


def test_pairs_are_told_from_games() -> None:
    """Openings that decide everything say nothing of the players; counted apart they would."""
    decided = elo_from(Sample(PENTANOMIAL, (5, 0, 90, 0, 5), 2))
    apart = elo_from(Sample(TRINOMIAL, (100, 0, 100)))
    assert decided.elo == apart.elo == 0
    assert half(decided) < half(apart) / 2


def duel(seats: tuple[str, str], scores: tuple[float, float], deal: int) -> Record:
    """A game of two seats of which only the result is known."""
    return Record(
        id=f"{seats}{deal}", game="g", seats=seats, teams=(0, 1), opening=(), moves=(),
        scores=scores, points=award(scores, (0, 1)), reason="terminal", nodes=(1, 1),
        seconds=(0.0, 0.0), seed=1, deal=deal,
    )  # fmt: skip


def test_an_opening_played_ten_times_is_one_observation() -> None:
    """Its mean counts, whatever it is made of: ten times the games do not make it surer."""
    once = elo_from(Sample((0.25, 0.5, 0.75), (3, 4, 8), 2))
    often = elo_from(Sample((0.25, 0.5, 0.75), (3, 4, 8), 20))
    assert often.score == once.score
    assert half(often) == pytest.approx(half(once), rel=0.1)
    assert sure_from(often) == pytest.approx(sure_from(once), abs=0.01)


def test_without_both_seats_strength_and_seat_cannot_be_told_apart() -> None:
    alone = [duel(("a", "b"), (1.0, -1.0), deal) for deal in range(9)]
    assert ratings(Tally.of(alone), ["a", "b"]).first_seat is None
    both = [duel(("b", "a"), (1.0, -1.0), deal) for deal in range(9)]
    found = ratings(Tally.of([*alone, *both]), ["a", "b"]).first_seat
    assert found is not None
    assert found.error is not None
    assert found.elo - found.error > 100


def test_openings_that_decide_leave_strengths_sure() -> None:
    """Every other opening falls to the first seat, by any player, the others to the second."""
    games = [
        duel(seats, (1.0, -1.0) if deal % 2 else (-1.0, 1.0), deal)
        for deal in range(50)
        for seats in (("a", "b"), ("b", "a"))
    ]
    apart = [evolve(game, deal=number) for number, game in enumerate(games)]
    sure, unsure = (ratings(Tally.of(g), ["a", "b"]).players["a"] for g in (games, apart))
    assert sure.elo == unsure.elo == pytest.approx(0, abs=1e-9)
    assert sure.error is not None
    assert unsure.error is not None
    assert 0 < sure.error < unsure.error / 3


@pytest.mark.full
def test_strengths_and_seat_are_figures_that_can_be_added() -> None:
    """Their sums give the scores of every seating of which there are games enough."""
    scores = {("a", "b"): 0.9, ("b", "a"): 0.2, ("a", "c"): 0.95, ("c", "a"): 0.1}
    gap, other, seat = 350.0, 520.0, 180.0
    worth = {"a": gap, "b": 0.0, "c": gap - other}
    games = []
    for deal in range(4000):
        for seats in scores:
            chance = expected(worth[seats[0]] - worth[seats[1]] + seat)
            won = 1.0 if (deal * 0.6180339887) % 1 < chance else -1.0  # as often as it is likely
            games.append(duel(seats, (won, -won), deal))
    found = ratings(Tally.of(games), list("abc"))
    assert found.first_seat is not None
    assert found.first_seat.elo == pytest.approx(seat, abs=3)
    for name in "bc":
        difference = found.players["a"].elo - found.players[name].elo
        assert difference == pytest.approx(worth["a"] - worth[name], abs=3)
