"""Nex, solved: alpha-beta, exhaustive search and MCTS against the exact values of small boards.

The oracle's values are Black's; its distance is the plies to the end when the winner
hurries and the loser delays. A position is [text, value, distance, legal moves, moves
that keep a win for Black, a draw, a win for White, the optimal moves].
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import dragon
from dragon import Bound, Limit, Position, Run

pytestmark = pytest.mark.samples(1)

ORACLE = json.loads((Path(__file__).parents[2] / "oracles" / "nex_values.json").read_text())
KEPT = ("3x2", "3x3", "4x3")
"""Each board is compiled for, so those are slow whose like is among these."""
BOARDS = [pytest.param(b, marks=[] if b in KEPT else pytest.mark.full) for b in ORACLE]

RUNS = defaultdict[str, Run](lambda: dragon.search("alphabeta(megabytes=32)").open())
"""Of each board, one for all tests."""


def nex(board: str) -> dragon.Game[Any]:
    rows, cols = board.split("x")
    return dragon.game(f"nex(rows={rows}, cols={cols})")


class Solver:
    """Alpha-beta with one table for all positions of a board; values as Black sees them."""

    def __init__(self, board: str) -> None:
        self.run = RUNS[board]

    def __call__(self, state: dragon.State[Any]) -> tuple[int, int, Any]:
        if state.turn == dragon.TERMINAL:
            return round(state.payoff()[0]), 0, None
        result = self.run.best(Position(state))
        assert result.bound is Bound.EXACT
        value = round(result.value) * (1 if state.turn == 0 else -1)
        return value, result.extra.get("distance", 0), result.move


@pytest.mark.parametrize("board", BOARDS)
def test_the_empty_board(board: str):
    value, distance, move = Solver(board)(nex(board).start())
    assert (value, distance) == (ORACLE[board]["value"], ORACLE[board]["distance"])
    assert ORACLE[board]["openings"][move][0] == value


@pytest.mark.parametrize("board", BOARDS)
def test_every_opening(board: str):
    solve, start = Solver(board), nex(board).start()
    assert set(start.moves()) == set(ORACLE[board]["openings"])
    for move, (value, distance) in ORACLE[board]["openings"].items():
        found, plies, _ = solve(start.after(move))
        # an opening's distance counts its own ply
        assert (found, plies + 1 if value else 0) == (value, distance), move


@pytest.mark.parametrize("board", BOARDS)
def test_every_position(board: str):
    solve, game = Solver(board), nex(board)
    assert ORACLE[board]["positions"]
    for text, value, distance, legal, black, drawn, white, optimal in ORACLE[board]["positions"]:
        state = game.parse(text)
        assert str(state) == text
        found, plies, move = solve(state)
        assert (found, plies, len(state.moves())) == (value, distance, legal), text
        after = [solve(state.after(m))[0] for m in state.moves()]
        assert (after.count(1), after.count(0), after.count(-1)) == (black, drawn, white), text
        assert move in optimal, text
        assert set(optimal) <= set(state.moves())


@pytest.mark.parametrize(
    "board", ["2x2", "2x3", "3x2", pytest.param("2x4", marks=pytest.mark.full)]
)
def test_exhaustive_agrees_where_it_is_feasible(board: str):
    result = dragon.search("exhaustive").best(nex(board).start())
    assert (result.value, result.bound) == (ORACLE[board]["value"], Bound.EXACT)
    for text, value, *_ in ORACLE[board]["positions"]:
        state = nex(board).parse(text)
        view = 1 if state.turn == 0 else -1
        assert dragon.search("exhaustive").best(state).value == value * view, text


@pytest.mark.full
@pytest.mark.parametrize("board", ["3x3", "4x2"])
def test_exhaustive_agrees_on_larger_boards(board: str):
    result = dragon.search("exhaustive").best(nex(board).start())
    assert (result.value, result.bound) == (ORACLE[board]["value"], Bound.EXACT)


@pytest.mark.parametrize(
    "board",
    [pytest.param(b, marks=[] if b == "4x3" else pytest.mark.full) for b in ORACLE],
)
def test_mcts_with_100000_simulations(board: str):
    """Proofs of it are true, and its move keeps the value in 95 positions of 100."""
    game, kept, solve = nex(board), 0, Solver(board)
    positions = ORACLE[board]["positions"]
    for text, value, *_ in positions:
        state = game.parse(text)
        result = dragon.search("mcts").best(state, Limit(simulations=100_000), seed=1)
        view = 1 if state.turn == 0 else -1
        if result.bound is Bound.EXACT:
            assert round(result.value) * view == value, text
        kept += solve(state.after(result.move))[0] == value
    assert kept >= 0.95 * len(positions)
