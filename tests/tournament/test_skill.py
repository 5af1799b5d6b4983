"""Skill: openskill ratings of games with three and more seats, where the package is and is not."""

from __future__ import annotations

import json
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from dragon import ConfigError
from dragon.cli import main
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.records.record import Record, award
from dragon_tournament.runner import run
from dragon_tournament.statistics.rating import ratings
from dragon_tournament.statistics.skill import ABSENT, sides_of, skills
from dragon_tournament.statistics.tally import Tally

UNKNOWN = 25.0  # before any game


def game(
    seats: str, scores: tuple[float, ...], teams: tuple[int, ...] = (), number: int = 0
) -> Record:
    """A game between players called by letters."""
    teams = teams or tuple(range(len(seats)))
    return Record(
        id=f"{seats}{number}", game="g", seats=tuple(seats), teams=teams, opening=(), moves=(),
        scores=scores, points=award(scores, teams), reason="terminal", nodes=(1,) * len(seats),
        seconds=(0.0,) * len(seats), seed=0, deal=number,
    )  # fmt: skip


def test_who_comes_first_is_rated_above_who_comes_last() -> None:
    found = skills([game("abc", (3.0, 2.0, 1.0))], ["a", "b", "c", "idle"])
    assert found["a"].skill > found["b"].skill > found["c"].skill
    assert found["a"].skill > UNKNOWN > found["c"].skill
    assert found["idle"].skill == UNKNOWN
    assert found["a"].error < found["idle"].error == pytest.approx(1.96 * 25 / 3, rel=1e-3)


def test_ties_are_ties_and_scores_tell_the_losers_apart() -> None:
    drawn = skills([game("abc", (1.0, 1.0, 0.0))], list("abc"))
    assert drawn["a"].skill == pytest.approx(drawn["b"].skill)
    lost = skills([game("abc", (5.0, 1.0, 0.0))], list("abc"))
    assert lost["b"].skill > lost["c"].skill


def test_a_side_is_rated_together() -> None:
    found = skills([game("abc", (-2.0, 1.0, 1.0), (0, 1, 1))], list("abc"))
    assert found["b"] == found["c"]
    assert found["b"].skill > UNKNOWN > found["a"].skill
    assert sides_of(game("abc", (-2.0, 1.0, 1.0), (0, 1, 1))) == [[0], [1, 2]]


def test_who_is_its_own_opponent_shows_nothing() -> None:
    assert skills([game("aab", (2.0, -1.0, -1.0), (0, 1, 1))], ["a", "b"])["a"].skill == UNKNOWN
    assert skills([game("aa", (1.0, -1.0))], ["a"])["a"].skill == UNKNOWN
    twice = skills([game("abb", (2.0, -1.0, -1.0), (0, 1, 1))], ["a", "b"])
    assert twice["a"].skill > UNKNOWN > twice["b"].skill


def test_the_order_in_which_games_ended_does_not_matter() -> None:
    rng = np.random.default_rng(2)
    games = [game("abc", tuple(rng.permutation(3) + 0.0), number=n) for n in range(30)]
    assert skills(games, "abc") == skills(games[::-1], "abc")


def three_seats(rng: np.random.Generator, strength: dict[str, float], deals: int) -> list[Record]:
    """Every deal in every seating; who performs best wins, the last seat has an edge."""
    games = []
    for deal in range(deals):
        for chosen in combinations(strength, 3):
            for seats in permutations(chosen):
                made = [rng.normal(strength[name], 1.0) for name in seats]
                made[2] += 0.5
                order = np.argsort(np.argsort(made)) + 0.0
                games.append(game("".join(seats), tuple(order), number=deal))
    return games


def test_players_of_known_strength_are_put_in_their_order() -> None:
    strength = {"a": 0.6, "b": 0.2, "c": -0.2, "d": -0.6}
    rng = np.random.default_rng(11)
    right = 0
    for _ in range(10):
        games = three_seats(rng, strength, deals=8)
        found = skills(games, list(strength))
        right += sorted(found, key=lambda name: -found[name].skill) == list(strength)
        by_elo = ratings(Tally.of(games), list(strength)).players
        assert max(by_elo, key=lambda name: by_elo[name].elo) == "a"
    assert right >= 8


def file(**more: Any) -> dict[str, Any]:
    players = [{"search": "guess", "name": name} for name in "abc"]
    return {"name": "t", "game": "three", "player": players, "rating": "openskill", **more}


@pytest.mark.usefixtures("scripted")
def test_a_tournament_may_ask_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = run(parse(file()), tmp_path, InlineExecutor())
    assert set(outcome.report.skills) == set("abc")
    players = json.loads((tmp_path / "report.json").read_text())["players"]
    assert all(p["skill"] is not None and p["skill_error"] > 0 for p in players)
    assert [p["skill"] for p in players] == sorted((p["skill"] for p in players), reverse=True)
    assert '<th scope="col">skill</th>' in (tmp_path / "report.html").read_text()
    text = CliRunner().invoke(main, ["standings", str(tmp_path)]).stdout
    (head,) = (line for line in text.splitlines() if line.startswith("player ") and "nodes" in line)
    assert head.split()[6:10] == ["Elo", "95%", "skill", "95%"]
    monkeypatch.setattr("dragon_tournament.report.summary.available", lambda: False)
    without = CliRunner().invoke(main, ["standings", str(tmp_path)])
    assert without.exit_code == 0
    assert f"There are no skills: {ABSENT}." in " ".join(without.stdout.split())


@pytest.mark.usefixtures("scripted")
def test_without_being_asked_for_it_is_not_told(tmp_path: Path) -> None:
    run(parse(file(rating="elo")), tmp_path, InlineExecutor())
    players = json.loads((tmp_path / "report.json").read_text())["players"]
    assert all(p["skill"] is None for p in players)


@pytest.mark.usefixtures("scripted")
def test_its_absence_is_told_before_the_first_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragon_tournament.config.tables.available", lambda: False)
    with pytest.raises(ConfigError, match=r"pip install 'dragon-search\[rating\]' @ rating"):
        parse(file())
    assert parse(file(rating="elo")).rating == "elo"


@pytest.mark.usefixtures("scripted")
def test_another_kind_of_rating_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"'openskill'.*@ rating"):
        parse(file(rating="glicko"))
