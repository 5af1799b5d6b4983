"""Monte Carlo tree search with two threads, a tree each or one for both, beside one thread.

`pytest -s tests/benchmarks/test_tree_threads_speed.py` prints how many times as many simulations
two make. Wall time is what counts; on a machine that others use the best of several runs is the
nearest to it.
"""

from __future__ import annotations

import os
import time

import pytest

import dragon
from dragon import Limit

SIMULATIONS = {
    "connect4": 400_000,
    "hex(size=7)": 200_000,
    "hex(size=11)": 100_000,
    "nex(rows=5, cols=5)": 100_000,
    "reversi": 200_000,
    "breakthrough": 100_000,
    "chess": 20_000,
}
SEARCHES = {parallel: f"mcts(threads=2, parallel={parallel!r})" for parallel in ("root", "tree")}
RUNS = 4
LEAST = 1.5
"""Of one tree, where playouts are long."""


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="two threads need two cores")
@pytest.mark.parametrize("spec", SIMULATIONS)
def test_two_threads_simulate_more(spec: str) -> None:
    state, limit = dragon.game(spec).start(), Limit(simulations=SIMULATIONS[spec])
    best = dict.fromkeys(("mcts", *SEARCHES.values()), float("inf"))
    for _ in range(RUNS):
        for search in best:
            begin = time.perf_counter()
            dragon.search(search).best(state, limit)
            best[search] = min(best[search], time.perf_counter() - begin)
    shares = {name: best["mcts"] / best[search] for name, search in SEARCHES.items()}
    rate = SIMULATIONS[spec] / best["mcts"]
    print(f"\n{spec}: {rate:,.0f} simulations/s with one thread; "
          + ", ".join(f"{name} {share:.2f}" for name, share in shares.items()))  # fmt: skip
    if spec in ("hex(size=11)", "reversi", "breakthrough", "chess"):
        assert shares["tree"] >= LEAST
