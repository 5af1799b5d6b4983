"""Regret by move: against negamax written out here, and against what is known of Kuhn poker."""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import dragon
from dragon import ConfigError
from dragon.core import TERMINAL, State
from dragon.search.equilibrium.kernel import VARIANTS
from dragon.search.equilibrium.sequences import flattened
from dragon.search.equilibrium.solution import Solution
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.records.files import RecordFile
from dragon_tournament.records.replay import replay
from dragon_tournament.report.text import to_markdown, to_text
from dragon_tournament.runner import run

PLAYERS = [
    {"search": "random", "name": "even"},
    {"search": "mcts", "name": "tree", "limit": {"simulations": 20}},
]


@cache
def negamax(state: State[Any]) -> float:
    """The value to the seat to move."""
    if state.turn == TERMINAL:
        raise AssertionError("an end has payoffs")
    return max(after(state, move) for move in state.moves())


def after(state: State[Any], move: Any) -> float:
    """The value of a move to the seat that makes it."""
    child = state.after(move)
    return float(child.payoff()[state.turn]) if child.turn == TERMINAL else -negamax(child)


@pytest.mark.full
def test_each_loss_is_that_of_negamax(tmp_path: Path) -> None:
    table = {"game": "tictactoe", "games": 4, "player": PLAYERS, "regret": {"seconds": 5}}
    found = run(parse(table), tmp_path, InlineExecutor()).report
    losses = defaultdict(list)
    for record in RecordFile(tmp_path / "records.jsonl").stream():
        steps = list(replay(record))
        for before, step in pairwise(steps):
            state = before.state
            move = next(each for each in state.moves() if str(each) == step.move)
            lost = negamax(state) - after(state, move)
            losses[record.seats[state.turn]].append(lost)
    assert set(found.regrets) == set(losses) == {"even", "tree"}
    for name, lost in losses.items():
        regret = found.regrets[name]
        assert regret["moves"] == len(lost)
        assert regret["kept"] == pytest.approx(lost.count(0.0) / len(lost))
        assert regret["mean_loss"] == pytest.approx(sum(lost) / len(lost))
        assert 0 < regret["mean_loss_error"] < 1
    kept = json.loads((tmp_path / "report.json").read_text())["regret"]
    assert {row["name"] for row in kept} == {"even", "tree"}
    assert "kept the value" in to_text(found)
    assert "kept the value" in to_markdown(found)
    assert "Regret by move" in (tmp_path / "report.html").read_text()


def test_the_openings_moves_are_nobodys(tmp_path: Path) -> None:
    table = {
        "game": "tictactoe", "player": PLAYERS, "regret": {"seconds": 5, "games": 1},
        "openings": {"lines": [["a1", "b1", "a2"]]},
    }  # fmt: skip
    found = run(parse(table), tmp_path, InlineExecutor()).report
    first = next(iter(RecordFile(tmp_path / "records.jsonl").stream()))
    judged = sum(regret["moves"] for regret in found.regrets.values())
    assert judged == len(first.moves)
    assert all(regret["mean_loss_error"] is None for regret in found.regrets.values())


def test_moves_of_kuhn_poker_are_worth_what_its_equilibrium_says() -> None:
    form = flattened(dragon.game("kuhn").start())
    solution = Solution(form, VARIANTS["predictive"])
    solution.improve(3000)
    known = solution.averages()
    worth = {}
    for seat in (0, 1):
        values = solution.move_values(known.plan, known.probabilities, seat)
        for number, view in enumerate(form.views):
            if form.seat[number] == seat:
                first, moves = form.first[number], form.moves[number]
                pairs = zip(map(str, moves), values[first:], strict=False)
                worth[str(view)] = {move: float(value) for move, value in pairs}
    assert worth["?K bet"] == pytest.approx({"pass": -1, "bet": 2}, abs=1e-3)
    assert worth["?J bet"] == pytest.approx({"pass": -1, "bet": -2}, abs=1e-3)
    # Queens are indifferent where the other bluffs a third of the time (Kuhn 1950).
    assert worth["?Q bet"]["pass"] == pytest.approx(worth["?Q bet"]["bet"], abs=0.02)


@pytest.mark.full
def test_an_equilibrium_keeps_the_value_of_a_hidden_game(tmp_path: Path) -> None:
    players = [
        {"search": "random", "name": "even"},
        {"search": "cfr", "name": "fair", "limit": {"simulations": 2000}},
    ]
    table = {"game": "kuhn", "games": 30, "player": players, "regret": {"seconds": 20}}
    found = run(parse(table), tmp_path, InlineExecutor()).report.regrets
    assert found["fair"]["kept"] > 0.98
    assert found["fair"]["mean_loss"] < 0.01
    assert found["even"]["mean_loss"] > 0.05


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ({"regret": {"search": "random"}}, "random cannot prove .* @ regret.search"),
        ({"regret": {"search": "alphabeta"}, "game": "kuhn"}, "only cfr judges"),
        ({"regret": {}, "game": "goofspiel(cards=13)"}, "has some .* @ regret"),
        ({"regret": {}, "game": "queens(n=5)"}, "is played alone"),
        ({"regret": {"serch": "alphabeta"}}, "did you mean 'search'"),
        ({"regret": 3}, "must be a table"),
        ({"regret": {"games": 0}}, "games"),
    ],
)
def test_what_cannot_be_judged_is_refused(table: dict[str, Any], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        parse({"game": "tictactoe", "player": PLAYERS, **table})
