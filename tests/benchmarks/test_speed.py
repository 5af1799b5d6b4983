"""The speed of the generic kernels; run with `pytest tests/benchmarks`.

Ratios to hand-written code are taken in one run, turn about, and are what is asserted;
absolute rates are printed as guides, since machines differ and are busy.
"""

from __future__ import annotations

import importlib.util
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dragon
from dragon import Limit
from dragon.bits import Random
from dragon.rules.playout import playouts

BARE = (
    "alphabeta(table=false, deepening=false, pvs=false, aspiration=false, killers=false, "
    "history=false, order=false, sooner=false, reduce=false, bounds=false, solved=false, depth=12)"
)


@pytest.fixture(scope="module")
def reference() -> Any:
    path = Path(__file__).with_name("connect4_reference.py")
    spec = importlib.util.spec_from_file_location("connect4_reference", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def seconds(call: Any) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def ratio(ours: Any, theirs: Any, rounds: int = 7) -> float:
    """Give how many times as fast as theirs: the median over turns about."""
    ours(), theirs()
    return statistics.median(seconds(theirs) / seconds(ours) for _ in range(rounds))


def report(benchmark: Any, **figures: float) -> None:
    benchmark.extra_info.update(figures)
    listed = ", ".join(f"{name} {value:,.3g}" for name, value in figures.items())
    print(f"\n{benchmark.name}: {listed}")


def test_perft_against_handwritten(benchmark: Any, reference: Any):
    start = dragon.game("connect4").start()
    zero = np.uint64(0)
    assert dragon.perft(start, 9) == reference.perft(zero, zero, 0, 9)
    faster = ratio(lambda: dragon.perft(start, 9), lambda: reference.perft(zero, zero, 0, 9))
    leaves = benchmark(dragon.perft, start, 9)
    report(benchmark, ratio=faster, leaves_per_second=leaves / benchmark.stats.stats.median)
    assert faster >= 1 / 3


def test_playouts_against_handwritten(benchmark: Any, reference: Any):
    start, count = dragon.game("connect4").start(), 100_000
    state = np.array([1], np.uint64)
    faster = ratio(
        lambda: playouts(start, count, Random(1)), lambda: reference.playouts(count, state)
    )
    benchmark(playouts, start, count, Random(1))
    report(benchmark, ratio=faster, playouts_per_second=count / benchmark.stats.stats.median)
    assert faster >= 1 / 3


def test_bare_alphabeta_against_handwritten(benchmark: Any, reference: Any):
    start, search = dragon.game("connect4").start(), dragon.search(BARE)
    nodes, zero = np.zeros(1, np.int64), np.uint64(0)
    reference.alphabeta(zero, zero, 0, 12, -2, 2, nodes)
    assert search.best(start).nodes == nodes[0]
    faster = ratio(
        lambda: search.best(start),
        lambda: reference.alphabeta(zero, zero, 0, 12, -2, 2, nodes),
    )
    result = benchmark(search.best, start)
    report(benchmark, ratio=faster, nodes_per_second=result.nodes / result.seconds)
    assert faster >= 1 / 3


def test_alphabeta_with_everything_on(benchmark: Any):
    start, search = dragon.game("connect4").start(), dragon.search("alphabeta")
    result = benchmark(search.best, start, Limit(nodes=4_000_000))
    report(benchmark, nodes_per_second=result.nodes / result.seconds)


@pytest.mark.parametrize("game", ["connect4", "tictactoe", "hex(size=11)", "nex(rows=4, cols=4)"])
def test_uct_simulations(benchmark: Any, game: str):
    start, limit = dragon.game(game).start(), Limit(simulations=50_000)
    result = benchmark(dragon.search("mcts(solver=false)").best, start, limit)
    report(benchmark, simulations_per_second=50_000 / result.seconds)


@pytest.mark.parametrize("game", ["hex(size=11)", "nex(rows=11, cols=11)", "nex(rows=19, cols=19)"])
def test_random_playouts(benchmark: Any, game: str):
    start, count = dragon.game(game).start(), 500 if "19" in game else 5_000
    benchmark(playouts, start, count, Random(1))
    report(benchmark, playouts_per_second=count / benchmark.stats.stats.median)


@pytest.mark.parametrize("board", [(3, 3), (3, 4), (4, 3)])
def test_nex_solved_from_empty(benchmark: Any, board: tuple[int, int]):
    start = dragon.game(f"nex(rows={board[0]}, cols={board[1]})").start()
    result = benchmark(dragon.search("alphabeta").best, start)
    assert result.bound is dragon.Bound.EXACT
    report(benchmark, seconds=result.seconds, nodes=result.nodes)


def test_warm_start(benchmark: Any, tmp_path: Path):
    """A new process solves tic-tac-toe with kernels from the cache; less the interpreter's own."""
    code = "import dragon; dragon.search('alphabeta').best(dragon.game('tictactoe').start())"
    env = {**os.environ, "DRAGON_CACHE": str(tmp_path)}
    run = [sys.executable, "-c", code]
    subprocess.run(run, env=env, check=True)
    benchmark.pedantic(subprocess.run, (run,), {"env": env, "check": True}, rounds=5)
    report(benchmark, seconds=benchmark.stats.stats.median)


def test_help_starts_fast(benchmark: Any):
    run = [sys.executable, "-m", "dragon", "--help"]
    benchmark.pedantic(subprocess.run, (run,), {"check": True, "capture_output": True}, rounds=7)
    report(benchmark, seconds=benchmark.stats.stats.median)
