"""The choice of a solver: profiles, curves, sentences, by hand and against the plain definition."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_tournament.records.attempt import Attempt, Claim, Sought
from dragon_tournament.records.record import Record
from dragon_tournament.report.html import to_html
from dragon_tournament.report.races import profiles
from dragon_tournament.report.schema import to_json
from dragon_tournament.report.summary import report
from dragon_tournament.report.text import to_markdown, to_text
from dragon_tournament.statistics.contest import (
    Contest,
    anytime,
    cactus,
    chance,
    contest,
    profile,
    ratios,
    solved_means,
    times,
    verdict,
)
from dragon_tournament.statistics.tally import Tally

NAMES = ("a", "b", "c")


def about(name: str, players: list[str]) -> dict[str, Any]:
    """Give tournament.json of a tournament of these players."""
    return {"name": name, "players": [{"name": player} for player in players]}


def record(*attempts: Attempt, sought: Sought = Sought.PROOF, **more: Any) -> Record:
    """An instance with what each of a, b, c made of it."""
    n = len(attempts)
    table = {
        "id": "x", "game": "g", "seats": NAMES[:n], "teams": tuple(range(n)), "opening": (),
        "moves": ((),) * n, "scores": (0.0,) * n, "points": (1 / n,) * n, "reason": "terminal",
        "nodes": (0,) * n, "seconds": (0.0,) * n, "seed": 0,
    }  # fmt: skip
    return Record(**{**table, "attempts": attempts, "sought": sought, **more})


def took(*seconds: float | None, claim: Claim = Claim.UNCHECKED, **more: Any) -> Record:
    """An instance that each solved in these seconds, or not at all."""
    made = [
        Attempt() if t is None else Attempt(value=1.0, proof=t, solved=t, claim=claim)
        for t in seconds
    ]
    return record(*made, **more)


def of(records: list[Record], names: tuple[str, ...] = ("a", "b"), **about: Any) -> Contest:
    return contest(records, names, {"goal": "proof", **about})


HAND = [took(1.0, 2.0), took(4.0, 1.0), took(3.0, None), took(None, 5.0), took(None, None)]


def test_a_profile_is_what_one_counts_by_hand() -> None:
    found = ratios(HAND, ["a", "b"])
    assert found == {
        "a": [1.0, 4.0, 1.0, math.inf, math.inf],
        "b": [2.0, 1.0, math.inf, 1.0, math.inf],
    }
    assert profile(found["a"]) == [(1.0, 0.4), (4.0, 0.6)]
    assert profile(found["b"]) == [(1.0, 0.4), (2.0, 0.6)]
    spent = times(HAND, ["a", "b"])
    assert cactus(spent["a"]) == [1.0, 3.0, 4.0]
    assert cactus(spent["b"]) == [1.0, 2.0, 5.0]
    race = of(HAND)
    assert [(s.name, s.solved, s.quickest, s.near) for s in race.solvers] == [
        ("b", 3, 2, 3), ("a", 3, 2, 2),
    ]  # fmt: skip
    assert [s.typical for s in race.solvers] == [2.0, 4.0]
    assert race.unsolved == ("game 5",)
    assert [(column.head, column.cells) for column in profiles(race).columns] == [
        ("solver", ["b", "a"]),
        ("within 1×", ["40%", "40%"]),  # noqa: RUF001
        ("within 2×", ["60%", "40%"]),  # noqa: RUF001
        ("within 4×", ["60%", "60%"]),  # noqa: RUF001
    ]


seconds = st.one_of(st.none(), st.floats(1e-4, 1e4))
races = st.lists(st.tuples(seconds, seconds, seconds), min_size=1, max_size=12)


@pytest.mark.full
@given(races, st.floats(1, 1e6))
def test_a_profile_is_dolan_and_more_s_definition(
    table: list[tuple[float | None, ...]], tau: float
) -> None:
    records = [took(*row) for row in table]
    found = ratios(records, NAMES)
    for s, name in enumerate(NAMES):
        within = 0
        for row in table:
            least = min((t for t in row if t is not None), default=None)
            own = row[s]
            within += own is not None and least is not None and own / least <= tau
        curve = profile(found[name])
        height = max((y for x, y in curve if x <= tau), default=0.0)
        assert height == within / len(table)
        assert curve == sorted(curve)
        assert [y for _, y in curve] == sorted({y for _, y in curve})
        assert cactus(times(records, NAMES)[name]) == sorted(
            row[s] for row in table if row[s] is not None
        )


def test_records_without_attempts_are_judged_by_score_and_seconds() -> None:
    plain = record(Attempt(), Attempt(), Attempt())
    old = Record.from_line(plain.to_line())
    assert old == plain
    lines = {"attempts": (), "moves": (("x",),) * 3, "seconds": (1.0, 2.0, 3.0)}
    first = record(Attempt(), Attempt(), Attempt(), scores=(1.0, 1.0, 0.0), **lines)
    found = ratios([first], NAMES)
    assert found == {"a": [1.0], "b": [2.0], "c": [math.inf]}
    summary = report(Tally.of([first]), about("old", NAMES), Path(), records=[first])
    assert summary.contest is not None
    assert [s.solved for s in summary.contest.solvers] == [1, 1, 0]
    assert to_text(summary)
    assert to_html(summary, [first], Tally.of([first]))


# Curves


def line(*curve: tuple[float, float], **more: Any) -> Attempt:
    return Attempt(curve=curve, value=curve[-1][1] if curve else None, **more)


def test_lines_are_as_good_as_what_they_pay_of_the_best_known() -> None:
    records = [
        record(line((1.0, 5.0), (3.0, 10.0)), line((2.0, 8.0)), sought=Sought.LINE),
        record(line((2.0, 4.0)), line(), sought=Sought.LINE, truth=8.0),
    ]
    assert anytime(records, ["a", "b"]) == {
        "a": [(1.0, 0.25), (2.0, 0.5), (3.0, 0.75)],
        "b": [(2.0, 0.4)],
    }


def test_costs_that_are_payoffs_below_nothing_are_measured_from_the_worst() -> None:
    records = [record(line((1.0, -9.0), (2.0, -3.0)), line((1.0, -6.0)), sought=Sought.LINE)]
    found = anytime(records, ["a", "b"])
    assert found["a"] == [(2.0, 1.0)]
    assert found["b"] == [(1.0, pytest.approx(0.5))]


def test_claims_are_right_or_not() -> None:
    first = line((1.0, 0.0), (2.0, 1.0), (3.0, 0.0), (4.0, 1.0), claim=Claim.UNCHECKED)
    records = [record(first, line((1.0, 1.0), (2.0, 0.5))), record(line((1.0, 1.0)), line())]
    assert anytime(records, ["a", "b"]) == {
        "a": [(2.0, 0.5), (3.0, 0.0), (4.0, 0.5)],
        "b": [(1.0, 0.5), (2.0, 0.0)],
    }


def test_errors_are_told_once_there_is_an_answer_to_everything() -> None:
    made = {"sought": Sought.ESTIMATE, "truth": 1.0}
    records = [
        record(line((1.0, 3.0), (4.0, 1.0)), line((1.0, 1.0)), **made),
        record(line((2.0, 2.0), (3.0, 0.5)), line(), **made),
    ]
    found = anytime(records, ["a", "b"])
    assert found["a"] == [(2.0, 1.5), (3.0, 1.25), (4.0, 0.25)]
    assert found["b"] == [(1.0, 0.0)]


@pytest.mark.full
@given(
    st.lists(st.lists(st.tuples(st.floats(0.01, 10), st.integers(0, 4)), max_size=6), max_size=5),
    st.floats(0, 11),
)
def test_curves_are_the_mean_at_every_moment(
    table: list[list[tuple[float, int]]], moment: float
) -> None:
    curves = [[(at, float(v)) for at, v in sorted(row)] for row in table]
    records = [record(line(*curve), sought=Sought.LINE, truth=4.0) for curve in curves]
    found = anytime(records, ["a"])["a"]
    height = next((y for at, y in reversed(found) if at <= moment), 0.0)
    heights = [next((v for at, v in reversed(c) if at <= moment), 0.0) / 4 for c in curves]
    assert height == pytest.approx(sum(heights) / len(curves) if curves else 0.0, abs=1e-9)


# Sentences


def test_the_verdict_when_it_is_clear() -> None:
    race = of([took(1.0, 9.0)] * 10)
    assert list(verdict(race)) == [
        "Take a: it solved all 10 instances, and was the quickest on every one."
    ]
    assert solved_means(race) == "Solved: the value is proven, and no player refutes it."


def test_the_verdict_when_it_may_be_chance() -> None:
    race = of([took(1.0, 2.0)] * 6 + [took(2.0, 1.0)] * 4)
    first, second = verdict(race)
    assert first == (
        "Take a: it solved all 10 instances, was the quickest on 6, and within twice the "
        "quickest's time on 10 (100%)."
    )
    assert second == (
        "That it is ahead of b may be chance: it did better on 6 instances, and worse on 4."
    )


def test_the_verdict_when_the_quicker_one_solves_less() -> None:
    race = of([took(2.0, 1.0)] * 20 + [took(2.0, None)] * 10)
    assert next(iter(verdict(race))).startswith("Take a: it solved all 30 instances")
    assert "b was the quickest more often, on 20, but leaves 10 unsolved." in verdict(race)


def test_the_verdict_when_nobody_solves_anything() -> None:
    race = of([took(None, None)] * 3)
    assert list(verdict(race)) == [
        "No player has solved any of the 3 instances, so none can be recommended."
    ]
    tried = [took(None, None)] * 3
    page = report(Tally.of(tried), about("none", NAMES[:2]), Path(), records=tried)
    assert "No player has solved" in to_text(page)
    assert "No player has solved" in to_markdown(page)
    assert "No player has solved" in to_html(page, tried, Tally.of(tried))
    assert to_json(page)["race"]["instances"][0]["solved"] == {"a": None, "b": None}


def test_one_solver_is_not_compared() -> None:
    race = of([took(1.0), took(None)], ("a",))
    assert list(verdict(race)) == ["a solved 1 of 2 instances.", "No player solved 1: game 2."]
    assert list(verdict(of([took(1.0)], ("a",)))) == ["a solved the only instance."]


def test_who_is_wrong_is_not_recommended() -> None:
    lie = record(Attempt(claim=Claim.WRONG), Attempt(value=1.0, proof=2.0, solved=2.0), failed=(0,))
    race = of([took(1.0, 2.0), took(1.0, None), took(1.0, None), lie])
    assert [s.name for s in race.solvers] == ["b", "a"]
    assert race.solvers[1].wrong == 1
    assert race.solvers[1].failed == 0
    assert list(verdict(race))[-1] == "Beware of a: 1 of its claims was wrong."


@pytest.mark.parametrize(
    ("sought", "goal", "tolerance", "meaning"),
    [
        (Sought.LINE, "first", None, "any solution is found"),
        (Sought.LINE, "best", None, "as good as the best known"),
        (Sought.LINE, "best", 0.5, "within 0.5 of the best known"),
        (Sought.PROOF, "best", None, "the value is right"),
        (Sought.PROOF, "best", 0.01, "the value is within 0.01 of the truth"),
        (Sought.ESTIMATE, "best", 0.01, "came within 0.01 of the truth"),
        (Sought.ESTIMATE, "proof", 0.01, "the value is proven"),
    ],
)
def test_what_solved_means(
    sought: Sought, goal: str, tolerance: float | None, meaning: str
) -> None:
    made = of([took(1.0, 2.0, sought=sought)], goal=goal, tolerance=tolerance)
    assert meaning in solved_means(made)


def test_the_sign_test_is_the_binomial_s_two_tails() -> None:
    assert chance(10, 0) == 2 / 1024
    assert chance(0, 10) == chance(10, 0)
    assert chance(3, 2) == 1.0
    assert chance(8, 2) == pytest.approx(2 * (1 + 10 + 45) / 1024)
    assert chance(600, 500) == pytest.approx(0.00281954, abs=1e-8)
    assert 0 < chance(12_000, 9_000) < 1e-90  # as many instances are told of at once
