"""Board games beside other programs' rules: python-chess, and OpenSpiel, whose rules are in C++.

None of them is needed by anything else. `pip install chess open_spiel` installs both.
"""

from __future__ import annotations

import time
from typing import Any

import pytest

import dragon
from dragon.bits import Random
from dragon.rules.playout import playouts

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ROLLOUTS = 16
"""Playouts that OpenSpiel plays in C++ for one call."""


def paths(board: Any, depth: int) -> int:
    """perft as python-chess is used for it: the last ply is counted, not played."""
    if depth == 1:
        return int(board.legal_moves.count())
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += paths(board, depth - 1)
        board.pop()
    return total


def test_perft_of_chess_is_a_hundred_times_that_of_python_chess() -> None:
    chess = pytest.importorskip("chess", reason="python-chess is not installed")
    board, state = chess.Board(KIWIPETE), dragon.game("chess").parse(KIWIPETE)
    assert dragon.perft(state, 3) == 97_862  # compiled before the clock starts
    begun = time.process_time()
    assert paths(board, 3) == 97_862
    theirs = 97_862 / (time.process_time() - begun)
    begun = time.process_time()
    assert dragon.perft(state, 5) == 193_690_690
    ours = 193_690_690 / (time.process_time() - begun)
    print(f"{ours:,.0f} paths a second against {theirs:,.0f}: {ours / theirs:.0f} times")
    assert ours > 100 * theirs


@pytest.mark.parametrize(
    ("name", "their_name", "times"),
    [
        ("chess", "chess", 20),
        ("breakthrough", "breakthrough", 10),
        ("reversi", "othello", 40),
        ("backgammon", "backgammon", 10),
    ],
)
def test_playouts_beside_open_spiel(name: str, their_name: str, times: int) -> None:
    spiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    theirs = spiel.load_game(their_name)
    evaluator = spiel.RandomRolloutEvaluator(n_rollouts=ROLLOUTS, seed=1)
    bot = spiel.MCTSBot(
        theirs, evaluator, uct_c=1.4, max_simulations=30, max_memory_mb=100, solve=False, seed=1,
        verbose=False,
    )  # fmt: skip
    begun = time.process_time()
    root = theirs.new_initial_state()
    if root.is_chance_node():
        root.apply_action(root.legal_actions()[0])
    bot.mcts_search(root)  # all but the rollouts takes no time to speak of
    their_rate = 30 * ROLLOUTS / (time.process_time() - begun)
    start = dragon.game(name).start()
    playouts(start, 100, Random(1))  # compiled before the clock starts
    count = int(their_rate * times / 4)
    begun = time.process_time()
    playouts(start, count, Random(1))
    rate = count / (time.process_time() - begun)
    print(f"{rate:,.0f} playouts a second against {their_rate:,.0f}: {rate / their_rate:.1f} times")
    assert rate > times * their_rate
