"""Pairs: which games belong together, and what two players scored in them."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import combinations, permutations, product
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_tournament.records.record import Record, award
from dragon_tournament.statistics.elo import as_student, elo
from dragon_tournament.statistics.pairs import compare, score
from dragon_tournament.statistics.rating import DOUBT, ratings
from dragon_tournament.statistics.standings import meetings
from dragon_tournament.statistics.tally import Tally


def record(
    seats: str, scores: tuple[float, ...], deal: int = 0, teams: tuple[int, ...] = (), **more: Any
) -> Record:
    """A game between players called by letters; its id tells seats and deal."""
    teams = teams or tuple(range(len(seats)))
    table = {
        "id": f"{seats}{deal}{more}", "game": "g", "seats": tuple(seats), "teams": teams,
        "opening": (), "moves": (), "scores": scores, "points": award(scores, teams),
        "reason": "terminal", "nodes": (1,) * len(seats), "seconds": (0.1,) * len(seats),
        "seed": 1, "deal": deal,
    }  # fmt: skip
    return Record(**{**table, **more})


WIN, DRAW, LOSS = (1.0, -1.0), (0.0, 0.0), (-1.0, 1.0)


def test_the_scores_of_two_players_are_the_mean_over_their_seats() -> None:
    assert score([record("ab", WIN), record("ba", DRAW)], "a", "b") == 0.75
    assert score([record("ab", WIN), record("ba", DRAW)], "b", "a") == 0.25
    assert score([record("aab", (1.0, -1.0, 0.0))], "a", "b") == 0.5
    assert score([record("aa", WIN)], "a", "b") is None
    allies = record("abc", (2.0, -1.0, -1.0), teams=(0, 1, 1))
    assert score([allies], "b", "c") is None
    assert score([allies], "b", "a") == 0.0


OUTCOMES = st.sampled_from([WIN, DRAW, LOSS])


@st.composite
def games(draw: st.DrawFn, seats: tuple[int, ...] = (2,)) -> tuple[list[Record], bool]:
    """Games of a few players from a few beginnings, and whether the game has luck."""
    dice = random.Random(draw(st.integers(0, 10**9)))
    given_ = draw(st.booleans())
    found = []
    for _ in range(draw(st.integers(0, 40))):
        many = dice.choice(seats)
        order = "".join(dice.choices("abc", k=many) if dice.random() < 0.1 else
                        dice.sample("abc", many))  # fmt: skip
        scores = tuple(dice.choice((-1.0, 0.0, 1.0)) for _ in order)
        index = dice.randrange(3)
        found.append(
            record(
                order, scores, 100 + index, index=index, moves=tuple(dice.choices("12", k=2)),
                opening=(dice.choice("xyz"),) if given_ else (),
            )
        )  # fmt: skip
    return found, draw(st.booleans())


def unit(r: Record, played: list[Record], dealt: bool) -> object:
    """The observation of a game, by the rule in words."""
    if dealt or any(one.opening or one.position for one in played):
        return (r.deal if dealt else 0), r.opening, r.position
    players = sorted(r.seats)
    group = [one for one in played if sorted(one.seats) == players]
    same = all(one.moves == other.moves for one, other in product(group, group)
               if one.seats == other.seats)  # fmt: skip
    return players, 0 if same else r.index


@pytest.mark.full
@given(games((2, 3)))
def test_observations_are_games_that_began_alike(drawn: tuple[list[Record], bool]) -> None:
    played, dealt = drawn
    found = Tally.of(played, dealt).units
    expected = [unit(r, played, dealt) for r in played]
    for i, j in combinations(range(len(played)), 2):
        assert (found[i] == found[j]) == (expected[i] == expected[j])


@pytest.mark.full
@given(games((2, 3)))
def test_a_meeting_is_made_of_the_means_of_observations(drawn: tuple[list[Record], bool]) -> None:
    played, dealt = drawn
    found = meetings(Tally.of(played, dealt), ["b", "a", "c"])
    assert [(m.first, m.second) for m in found] == [
        two
        for two in (("b", "a"), ("b", "c"), ("a", "c"))
        if any(score((r,), *two) is not None for r in played)
    ]
    for met in found:
        ours = [r for r in played if score((r,), met.first, met.second) is not None]
        by_unit: dict[str, list[float]] = {}
        for r in ours:
            made = score((r,), met.first, met.second)
            by_unit.setdefault(str(unit(r, played, dealt)), []).append(made or 0.0)
        means = Counter((len(made), round(fmean(made), 9)) for made in by_unit.values())
        counted = {
            (s.games, x): n
            for s in met.samples
            for x, n in zip(s.values, s.counts, strict=True)
            if n
        }
        assert counted == means
        assert met.observations == len(by_unit)
        every = [made for those in by_unit.values() for made in those]
        assert met.won == sum(made > 0.5 for made in every)
        assert met.drawn == sum(made == 0.5 for made in every)
        assert met.played == len(every)


def brute(
    played: list[Record], names: str, dealt: bool
) -> tuple[dict[str, tuple[float, float]], tuple[float, float]]:
    """Strengths and seat with their standard errors, by the formulas, with dense matrices."""
    n, rows = len(names), []
    for r in played:
        for i, j in combinations(range(len(r.seats)), 2):
            if r.seats[i] != r.seats[j]:
                x = np.zeros(n + 1)
                x[names.index(r.seats[i])], x[names.index(r.seats[j])] = 1, -1
                x[n] = len(r.seats) == 2
                rows.append((x, 1 / (len(r.seats) - 1), compare(r, i, j), unit(r, played, dealt)))
    both = {r.seats for r in played if len(r.seats) == 2}
    seated = any(s[0] != s[1] and s[::-1] in both for s in both)
    for x, *_ in rows:
        x[n] *= seated
    values = np.zeros(n + 1)
    for _ in range(100):
        own = 1 / (1 + np.exp(-values))
        slope, curve = 0.5 - own, np.diag(own * (1 - own))
        for x, w, y, _ in rows:
            p = 1 / (1 + math.exp(-x @ values))
            slope += w * (y - p) * x
            curve += w * p * (1 - p) * np.outer(x, x)
        step = np.linalg.solve(curve, slope)
        values += step
        if abs(step).max() < 1e-10:  # the next steps would change nothing
            break
    slopes: dict[str, Any] = {}
    concerned: dict[str, Any] = {}
    for x, w, y, key in rows:
        p = 1 / (1 + math.exp(-x @ values))
        slopes[str(key)] = slopes.get(str(key), 0) + w * (y - p) * x
        concerned[str(key)] = concerned.get(str(key), 0) + abs(x)
    results = {(str(key), tuple(np.abs(x[:n]))) for x, _, _, key in rows}
    active = sum(any(x[k] for x, *_ in rows) for k in range(n))
    spare, units = len(results) - (active - 1 + seated), len(slopes)
    filling = sum(np.outer(u, u) for u in slopes.values())
    filling = filling * max(units / max(units - 1, 1), len(results) / max(spare, 1))
    filling = filling + np.linalg.inv(np.linalg.inv(curve) + np.eye(n + 1) / DOUBT)
    bread = np.linalg.inv(curve)
    centre = np.eye(n + 1)
    centre[:n, :n] -= 1 / n
    errors = np.sqrt(np.diag(centre @ bread @ filling @ bread @ centre))
    free = [min(sum(bool(u[k]) for u in concerned.values()) - 1, spare) for k in range(n + 1)]
    halves = [
        400 / math.log(10) * as_student(1.959964, f) * e if f > 0 else math.nan
        for f, e in zip(free, errors, strict=True)
    ]
    elo = 400 / math.log(10) * (values - np.append(np.full(n, values[:n].mean()), 0))
    strengths = dict(zip(names, zip(elo.tolist(), halves, strict=False), strict=False))
    return strengths, (elo[n] if seated else math.nan, halves[n])


@pytest.mark.full
@given(games((2, 3)))
def test_ratings_are_those_of_the_formulas(drawn: tuple[list[Record], bool]) -> None:
    played, dealt = drawn
    if not any(len(set(r.seats)) > 1 for r in played):
        return
    found = ratings(Tally.of(played, dealt), list("abc"))
    strengths, seat = brute(played, "abc", dealt)
    for name, (worth, half) in strengths.items():
        assert found.players[name].elo == pytest.approx(worth, abs=1e-4)
        assert (found.players[name].error is None) == math.isnan(half)
        assert found.players[name].error in (None, pytest.approx(half, rel=1e-5, abs=1e-4))
    assert (found.first_seat is None) == math.isnan(seat[0])
    if found.first_seat is not None:
        assert found.first_seat.elo == pytest.approx(seat[0], abs=1e-4)
        assert found.first_seat.error in (None, pytest.approx(seat[1], rel=1e-5, abs=1e-4))


@given(games((1, 2)))
def test_identical_games_are_counted(drawn: tuple[list[Record], bool]) -> None:
    played, dealt = drawn
    different = {(r.seats, r.opening, r.moves, r.deal if dealt else 0) for r in played}
    assert Tally.of(played, dealt).identical == len(played) - len(different)


def test_three_players_that_repeat_themselves_show_no_more_than_once() -> None:
    """300 games, of which 6 differ: strengths are fitted, and how sure they are is not known."""
    played = [
        record(a + b, WIN if a < b else DRAW, index, index=index, moves=("1", a, b))
        for index in range(50)
        for a, b in permutations("abc", 2)
    ]
    tally = Tally.of(played, dealt=False)
    assert (len(tally), tally.identical) == (300, 294)
    found = ratings(tally, list("abc"))
    assert all(rating.error is None for rating in found.players.values())
    assert found.first_seat is not None
    assert found.first_seat.error is None
    for met in meetings(tally, list("abc")):
        estimate = elo(met.samples)
        assert met.observations == 1
        assert estimate is not None
        assert (estimate.low, estimate.high) == (-math.inf, math.inf)
        assert estimate.superiority is None
    once = Tally.of(played[:6], dealt=False)
    assert ratings(once, list("abc")).players["a"].error is None
