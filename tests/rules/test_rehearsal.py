"""Rules that compiled code would not survive are refused before any kernel runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

import dragon
from dragon import TERMINAL, RecordGame, RuleError, Rules, frozen, rule
from dragon.bits import bit, elements, u64
from dragon.modes import JIT
from dragon.rules import rehearsal
from dragon.rules.record import rules_of
from dragon.rules.rehearsal import FIRST_PLIES, TURNS, Mishap, check_rules, strange_move

FAULTS = {
    "width": "in elements; are there more moves than width = 3",
    "plies": "goes on for more than plies = 3, after",
    "negative": "it gives no move",
    "none": "it gives no move",
    "seat": "it is not a seat",
    "endless": "goes on for more than plies = 8, after",
}


@frozen
class Cells(RecordGame):
    """Fill eight cells in turn; seat 0 wins."""

    name = "cells"
    fault: str = ""

    def rules(self) -> Rules:
        fault = self.fault

        @rule
        def turn(s):
            if fault == "seat":
                return 5
            return TERMINAL if s.ply == 8 and fault != "endless" else s.ply % 2

        @rule
        def moves(s, out):
            if fault == "negative":
                return -1
            if fault == "none":
                return 0
            held = u64(0) if fault == "endless" else s.held
            return elements(~held & u64(255), out)

        @rule
        def play(s, cell):
            s.held |= bit(cell)
            s.ply += 1

        @rule
        def payoff(s, seat):
            return 1 - 2 * seat

        width, plies = 3 if fault == "width" else 8, 3 if fault == "plies" else 8
        return Rules([("held", "u8"), ("ply", "i8")], moves, play, turn, payoff, width, plies)


def test_sound_rules_pass() -> None:
    assert dragon.search("alphabeta(depth=3)").best(Cells().start()).move == "0"


@pytest.mark.samples("alphabeta-seat", "alphabeta-width")
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("search", ["alphabeta", "mcts"])
def test_a_fault_is_one_message(fault: str, search: str) -> None:
    with pytest.raises(RuleError, match=FAULTS[fault]) as caught:
        dragon.search(search).best(Cells(fault).start())
    assert str(caught.value).startswith(__file__)
    assert "\n" not in str(caught.value)


@frozen
class Countdown(RecordGame):
    """Two sides count down in turn, from a number and by steps that the first record holds."""

    name = "countdown"
    first: int = 5
    steps: int = 2

    def rules(self) -> Rules:
        @rule
        def turn(s):
            return s.ply % 2 if s.left > 0 else TERMINAL

        @rule
        def moves(s, out):
            for i in range(s.steps):
                out[i] = i + 1
            return s.steps

        @rule
        def play(s, move):
            s.left -= move
            s.ply += 1

        @rule
        def payoff(s, seat):
            return 1 - 2 * seat

        fields = [("left", "i8"), ("ply", "i8"), ("steps", "i8")]
        return Rules(fields, moves, play, turn, payoff, width=3, plies=9)

    def setup(self, record: Any) -> None:
        record.left, record.steps = self.first, self.steps


@pytest.fixture
def _empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRAGON_CACHE", str(tmp_path))


@pytest.mark.samples("faulty1*")
@pytest.mark.usefixtures("_empty")
@pytest.mark.parametrize(
    ("faulty", "reason"),
    [(Countdown(steps=4), "width = 3"), (Countdown(12, 1), "goes on for more than plies = 9")],
)
def test_another_first_record_of_the_same_rules_has_first_games_of_its_own(
    faulty: Countdown, reason: str
) -> None:
    """Its kernels are those of the sound game, in memory and in the cache."""
    assert dragon.perft(Countdown().start(), 2) == 4
    with pytest.raises(RuleError, match=reason):
        dragon.perft(faulty.start(), 2)


@pytest.mark.usefixtures("_empty")
def test_first_games_are_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[bytes] = []

    def counted(rules: Rules, first: bytes, plies: int) -> None:
        played.append(first)

    monkeypatch.setattr(rehearsal, "rehearse", counted)
    for _ in range(2):
        for game in (Countdown(), Countdown(first=6)):
            check_rules.__wrapped__(rules_of(game))  # as another process would
    assert played == [rules_of(Countdown(first=n)).first for n in (5, 6)]
    monkeypatch.setattr(rehearsal, "_first_games", lambda rules: "first_games-of-another-version")
    check_rules.__wrapped__(rules_of(Countdown()))
    assert len(played) == 3


def branches(n):
    return n if n < 2 else branches(n - 1) + branches(n - 2)


@frozen
class Slow(Countdown):
    """A game in which a move takes two million calls."""

    name = "slow"

    def rules(self) -> Rules:
        rules = super().rules()

        @rule
        def play(s, move):
            s.left -= move
            s.ply += 1 if branches(30) else 2

        return evolve(rules, play=play)


@pytest.mark.usefixtures("_empty")
def test_first_games_of_slow_rules_are_few() -> None:
    """Ten thousand plies would take minutes."""
    rules = rules_of(Slow())
    stage = rehearsal.Stage(rules, rules.first, seed=0, opens=False)
    assert stage.run(FIRST_PLIES, FIRST_PLIES * TURNS // 10) in range(10, 40)


@pytest.mark.full
def test_a_notation_may_ask_states_before_anything_is_known_of_its_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chess writes a move by the other moves of its position."""
    monkeypatch.setenv("DRAGON_CACHE", str(tmp_path))
    monkeypatch.setattr(JIT, "value", "1")
    rules = rules_of(dragon.game("chess"))
    check_rules.__wrapped__(rules)
    error = strange_move(rules, rules.first)
    assert error is None
    monkeypatch.setattr(rehearsal, "rehearse", lambda rules, *_: _blamed(rules))
    monkeypatch.setattr(rehearsal, "load", lambda *_: None)
    with pytest.raises(RuleError, match="rule 'play': as planted"):
        check_rules.__wrapped__(rules)


def _blamed(rules: Rules) -> Mishap:
    """A mishap of a rule that is given a move, while first games are not over."""
    assert strange_move(rules, rules.first) is None
    return Mishap(rules.error("play", "as planted"), (), "")
