"""`dragon profile`: each rule measured by itself, and what the parts say of the whole."""

from __future__ import annotations

import importlib.util
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import dragon as api
from dragon import RecordGame, frozen, rule
from dragon.bits import Random
from dragon.cli import main
from dragon.commands.profile import measured
from dragon.rules.contract import OPTIONAL
from dragon.rules.record import RecordState
from dragon.rules.rehearsal import kernels_of
from dragon.rules.rules import Rules

GATHER = Path(__file__).parents[1] / "rules" / "gather.py"


@cache
def gather(**settings: Any) -> Any:
    """The small game that has every rule."""
    spec = importlib.util.spec_from_file_location("gather_profiled", GATHER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Gather(**settings)


def run(*words: str) -> Any:
    return CliRunner().invoke(main, ["profile", *words, "--seconds", "0.01"], prog_name="dragon")


@pytest.mark.full
def test_the_parts_and_the_rest_make_the_whole() -> None:
    ran = run("tictactoe", "--beside", "connect4", "--json")
    assert ran.exit_code == 0, ran.output
    first, second = json.loads(ran.stdout)
    assert (first["game"], second["game"]) == ("tictactoe", "connect4")
    for each in (first, second):
        rows = {row["rule"]: row for row in each["rows"]}
        parts = sum(row["seconds"] * row["calls"] for row in each["rows"])
        assert each["playout"] == pytest.approx(parts + each["rest"])
        assert rows["turn"]["calls"] == each["plies"] + 1
        assert rows["moves"]["calls"] == rows["play"]["calls"] == each["plies"]
        assert (rows["copy"]["calls"], rows["payoff"]["calls"]) == (1, 2)
    assert 7 < first["plies"] < 8  # 7.6 on average
    asked = {row["rule"] for row in second["rows"] if not row["calls"]}
    assert asked == {"key", "order", "reduce", "solved"}


@pytest.mark.full
def test_for_people_there_is_a_row_for_each_rule_and_a_column_for_each_game() -> None:
    ran = run("hex(size=3)", "--beside", "tictactoe", "--beside", "hex(size=3)")
    lines = ran.stdout.splitlines()
    assert lines[2].split() == ["share", "calls", "ns", "a", "call", "tictactoe"]
    rows = {line.split()[0]: line.split()[1:] for line in lines[3:]}
    assert [*rows] == [
        "copy", "turn", "moves", "play", "payoff", "key", "order", "sample", "finish", "maker",
        "bounds", "solved", "rest", "a",
    ]  # fmt: skip
    assert rows["moves"][:2] == ["-", "-"]  # its `sample` needs no list of moves
    assert rows["sample"][-1] == "-"  # tic-tac-toe has none


@pytest.mark.full
def test_chance_has_rows_of_its_own_and_every_rule_is_measured() -> None:
    made = measured(gather(chance=True), 0.01)
    rows = {row.rule: row for row in made.rows}
    assert rows["odds"].calls == rows["moves of chance"].calls == pytest.approx(1, abs=0.1)
    assert rows["sample"].calls == pytest.approx(made.plies - rows["odds"].calls)
    others = {"place", "finish", "maker", "hide", "deal"}
    assert {*OPTIONAL} - others <= {*rows}
    for name in ("hex(size=3)", "leduc"):
        found = {row.rule: row.seconds for row in measured(api.game(name), 0.01).rows}
        others -= {*found}
        assert all(seconds >= 0 for seconds in found.values())
    assert others == {"place"}


@pytest.mark.full
def test_the_sample_is_of_states_that_games_reach() -> None:
    state = gather(chance=True).start()
    rules, width = state.rules, state.rules.width
    states, rolls = np.zeros(102, rules.layout), np.zeros(100, rules.layout)
    states[100] = np.frombuffer(state.data, rules.layout)[0]
    codes, counts = np.zeros(100, np.int64), np.zeros(3, np.int64)
    kernels = kernels_of("dragon.commands.profile", rules)
    scratch = np.zeros(width, np.int64), np.zeros(width), Random(3).state
    kernels.gather(states, codes, rolls, counts, *scratch)
    assert counts[0] == 100
    for data, code in zip(states[:100], codes, strict=True):
        reached = RecordState(state.game, data.tobytes())
        assert reached.turn >= 0
        assert reached.text(int(code)) in reached.moves()
    assert counts[1] >= counts[2] > 10
    for data in rolls[: counts[1]]:
        assert RecordState(state.game, data.tobytes()).turn == api.CHANCE


@frozen
class Slow(RecordGame):
    """Ten plies, of which each takes a while in one rule."""

    name = "slow"
    slow: str = "turn"

    def rules(self) -> Rules:
        in_turn, in_play = (self.slow == name for name in ("turn", "play"))

        @rule
        def wasted(s: Any) -> Any:
            number = s.ply
            for i in range(3000):
                number = (number * number + i) % 1000003  # no shorter way for the compiler
            return number

        @rule
        def turn(s: Any) -> Any:
            if in_turn and wasted(s) == 7:  # which it is at none of the ten plies
                return 0
            return api.TERMINAL if s.ply == 10 else s.ply % 2

        @rule
        def moves(s: Any, out: Any) -> Any:
            out[0] = 0
            return 1

        @rule
        def play(s: Any, move: Any) -> None:
            if in_play:
                s.waste = wasted(s)
            s.ply += 1

        @rule
        def payoff(s: Any, seat: Any) -> Any:
            return 0

        layout = [("ply", "i8"), ("waste", "i8")]
        return Rules(layout, moves, play, turn, payoff, width=1, plies=10)


@pytest.mark.full
@pytest.mark.parametrize("slow", ["turn", pytest.param("play", marks=pytest.mark.full)])
def test_a_slow_rule_is_found(slow: str) -> None:
    made = measured(Slow(slow), 0.05)
    spent = {row.rule: row.seconds * row.calls for row in made.rows}
    assert made.plies == 10
    assert spent[slow] > 10 * (sum(spent.values()) - spent[slow])
    assert made.playout / 3 < spent[slow] < made.playout * 3  # as far as a busy machine lets it


@pytest.mark.full
def test_a_game_without_compiled_rules_is_told_what_to_do() -> None:
    ran = run("nim")
    assert ran.exit_code == 2
    assert "nim has no compiled rules" in ran.stderr
    assert "cProfile" in ran.stderr
