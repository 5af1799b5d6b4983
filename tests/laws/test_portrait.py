"""Portraits: what an author sees of rules that are wrong and consistent."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from attrs import evolve, frozen

import dragon
from dragon import TERMINAL, Game, State
from dragon.laws.portrait import Portrait, portray


@frozen
class Race(State[str]):
    """Two seats count in turn; the seat that says the last number wins."""

    wrong: str = ""
    said: int = 0
    mover: int = 0

    @property
    def turn(self) -> int:
        return TERMINAL if self.said >= 6 else self.mover

    def moves(self) -> tuple[str, ...]:
        return () if self.turn == TERMINAL else ("one", "two")

    def after(self, move: str) -> Race:
        said = self.said + (2 if move == "two" else 1)
        stays = self.wrong == "a seat never moves" or (self.wrong == "twice" and said % 3 == 0)
        return evolve(self, said=said, mover=self.mover if stays else 1 - self.mover)

    def payoff(self) -> tuple[float, float]:
        winner = self.mover if self.wrong == "the loser wins" else 1 - self.mover
        if self.wrong == "seat 0 wins":
            winner = 0
        if self.wrong == "draws":
            return 0.0, 0.0
        return (1.0, -1.0) if winner == 0 else (-1.0, 1.0)

    def __str__(self) -> str:
        return f"{self.said} {'AB'[self.mover]}"


@frozen
class Races(Game[str]):
    name = "race"
    wrong: str = ""

    def start(self, rng: Any = 0) -> Race:
        return Race(self.wrong)

    def parse(self, text: str) -> Race:
        raise NotImplementedError


def portrait(wrong: str = "") -> Portrait:
    return portray(Races(wrong))


def test_the_figures_of_a_game() -> None:
    found = portrait()
    assert (found.games, found.unfinished) == (2000, 0)
    assert (found.shortest, found.longest) == (3, 6)
    assert (found.fewest, found.choice, found.most) == (2, 2.0, 2)
    assert sum(found.wins) == found.games == found.last_wins
    assert sum(found.moved) == round(found.mean * found.games)
    assert (found.draws, found.chance, found.twice, found.odds) == (0, 0, 0, ())
    assert sum(kind.games for kind in found.ends) == found.games
    assert [*found.striking()] == []
    for kind in found.ends:
        assert kind.outcome == f"{kind.last} wins"
        assert len(kind.moves) == kind.plies


@pytest.mark.samples(1)
@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("a seat never moves", "seat 1 never moves"),
        ("seat 0 wins", "seat 0 wins all of 2,000 games"),
        ("draws", "all of 2,000 games are draws"),
        ("the loser wins", "the seat that moves last never wins"),
    ],
)
def test_what_is_seldom_meant_is_told(wrong: str, sentence: str) -> None:
    assert sentence in portrait(wrong).striking()
    assert f"  notable     {sentence}" in portrait(wrong).lines()


def test_a_seat_that_moves_twice_is_visible() -> None:
    rows = [line for line in portrait("twice").lines() if line.startswith("  in a row")]
    assert portrait("twice").twice > 0
    assert rows != ["  in a row    0% of plies are by the seat before"]


@pytest.mark.full
def test_a_seed_fixes_the_portrait() -> None:
    game = dragon.game("tictactoe")
    assert portray(game) == portray(game)
    assert portray(game) != portray(game, seed=1)


@pytest.mark.full
def test_ends_are_drawn() -> None:
    lines = [*portray(dragon.game("tictactoe")).lines()]
    assert lines[0] == "portrait of tictactoe: 2,000 random games"
    assert "  first moves a1, a2, a3, b1, b2, b3, c1, c2, c3" in lines
    assert sum(line.split() == ["1", "2", "3"] for line in lines) == 3


@pytest.mark.full
def test_chance_has_its_odds() -> None:
    found = portray(dragon.game("kuhn"))
    assert found.chance == found.games
    assert sum(part for _, part in found.odds) == pytest.approx(1)
    assert all(abs(part - 1 / 6) < 0.05 for _, part in found.odds)


@pytest.mark.full
def test_one_seat_has_no_wins() -> None:
    lines = [*portray(dragon.game("sliding(rows=2, columns=2, scramble=3)")).lines()]
    assert not any("wins" in line or "draws" in line for line in lines)
    assert any("payoff" in line for line in lines)


def test_games_that_do_not_end_are_given_up() -> None:
    found = portray(dragon.game("chess"), seconds=0.0)
    assert (found.games, found.ends) == (0, ())
    assert [*found.lines()]


def command(*words: str) -> subprocess.CompletedProcess[str]:
    ran = [sys.executable, "-m", "dragon", *words]
    return subprocess.run(ran, capture_output=True, text=True, timeout=120)


@pytest.mark.full
def test_perft_has_a_portrait() -> None:
    ran = command("perft", "tictactoe", "--portrait")
    assert ran.returncode == 0
    assert ran.stdout.startswith("portrait of tictactoe: 2,000 random games\n")
    row = json.loads(command("perft", "tictactoe", "--portrait", "--json").stdout)
    assert row["games"] == sum(kind["games"] for kind in row["ends"]) == 2000


@pytest.mark.full
def test_perft_without_a_depth_is_told() -> None:
    assert "give a DEPTH in plies, or --portrait" in command("perft", "tictactoe").stderr
    ran = command("perft", "tictactoe", "--portrait", "--divide")
    assert (ran.returncode, "need a DEPTH" in ran.stderr) == (2, True)


@pytest.mark.full
def test_laws_end_with_a_portrait() -> None:
    ran = command("laws", "nim", "--search", "random")
    assert ran.returncode == 0
    assert "\nportrait of nim: 2,000 random games\n" in ran.stdout
    assert ran.stdout.splitlines()[-1].endswith(
        "laws tried on nim, 0 broken; all 20 states were visited"
    )
