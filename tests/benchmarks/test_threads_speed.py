"""Alpha-beta with two threads on one table, beside one: time to a proof, or to a depth.

`pytest -s tests/benchmarks/test_threads_speed.py` prints it. Wall time is what counts; on a machine
that others use the best of several runs is the nearest to it.
"""

from __future__ import annotations

import os
import time

import pytest

import dragon
from dragon import Limit, Result

CASES = {
    "connect4 (44443)": ("connect4", "4 4 4 4 3 6 6 3 5", None),
    "nex 4x4": ("nex(rows=4, cols=4)", "Ba1?b2", None),
    "breakthrough 5x4": ("breakthrough(rows=5, columns=4)", "", None),
    "chess, 13 plies": ("chess", "e4 e5 Nf3 Nc6", 13),
}
"""Game, line, and depth."""
RUNS = 5
MOST = 0.65


def run(spec: str, line: str, depth: int | None, threads: int) -> tuple[float, Result]:
    state = dragon.game(spec).start()
    for move in line.split():
        state = state.after(move)
    search = dragon.search(f"alphabeta(threads={threads})")
    search.best(state, Limit(nodes=5000))  # compiles
    begun = time.perf_counter()
    result = search.best(state, Limit(depth=depth))
    return time.perf_counter() - begun, result


@pytest.mark.parametrize("name", CASES)
def test_two_threads_take_less_time_than_one(name: str) -> None:
    if (os.cpu_count() or 1) < 2:
        pytest.skip("there is one core")
    times: dict[int, list[float]] = {1: [], 2: []}
    nodes: dict[int, list[int]] = {1: [], 2: []}
    for _ in range(RUNS):
        for threads in (1, 2):
            seconds, result = run(*CASES[name], threads)
            times[threads].append(seconds)
            nodes[threads].append(result.nodes)
    ratio = min(times[2]) / min(times[1])
    middle = sorted(nodes[2])[RUNS // 2]
    print(f"{name}: {min(times[1]):.2f} s and {min(times[2]):.2f} s: {ratio:.2f}; "
          f"{nodes[1][0]:,} nodes and {middle:,}: {middle / nodes[1][0]:.2f}; "
          f"load {os.getloadavg()[0]:.1f}")  # fmt: skip
    assert ratio < MOST
