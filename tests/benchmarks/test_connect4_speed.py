"""Alpha-beta at its defaults on connect four, beside a C++ program that solves nothing else."""

from __future__ import annotations

import shutil
import subprocess
import time
from functools import reduce
from pathlib import Path

import pytest

import dragon
from dragon import Bound

FACTS = Path(__file__).parents[3] / "shared" / "facts" / "connect4"
POSITIONS = 100
ROUNDS = 7
"""By turns; the least time of each counts."""


@pytest.fixture(scope="module")
def yardstick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    binary = tmp_path_factory.mktemp("connect4") / "connect4"
    source = Path(__file__).with_name("connect4.cpp")
    subprocess.run([compiler, "-O3", "-march=native", "-o", binary, source], check=True)
    return binary


@pytest.mark.parametrize("name", ["end-easy", "middle-easy", "begin-easy", "middle-medium"])
def test_nodes_and_time_of_a_dedicated_solver(yardstick: Path, name: str) -> None:
    """At most three times its nodes, and six times its time."""
    if not FACTS.exists():
        pytest.skip("the positions with scores are not beside this checkout")
    lines = (FACTS / f"{name}.txt").read_text().splitlines()[:POSITIONS]
    asked = [line.split()[0] for line in lines]
    search, start = dragon.search("alphabeta"), dragon.game("connect4").start()
    states = [reduce(lambda s, move: s.after(move), moves, start) for moves in asked]
    search.best(start, dragon.Limit(depth=2))  # compiled before the clock starts
    times: list[tuple[float, float]] = []
    for _ in range(ROUNDS):
        run = subprocess.run([yardstick], input="\n".join(asked), capture_output=True, text=True,
                             check=True)  # fmt: skip
        *answers, seconds = run.stdout.splitlines()
        begun = time.perf_counter()
        results = [search.best(state) for state in states]
        times.append((time.perf_counter() - begun, float(seconds)))
    assert [line.split()[1] for line in lines] == [answer.split()[0] for answer in answers]
    assert all(result.bound is Bound.EXACT for result in results)
    nodes = sum(result.nodes for result in results)
    theirs = sum(int(answer.split()[1]) for answer in answers)
    ours, yards = (min(each) for each in zip(*times, strict=True))
    print(f"{name}: {nodes / POSITIONS:,.0f} nodes a position against {theirs / POSITIONS:,.0f}: "
          f"{nodes / theirs:.2f}; {1e6 * ours / POSITIONS:,.0f} microseconds against "
          f"{1e6 * yards / POSITIONS:,.1f}: {ours / yards:.2f}")  # fmt: skip
    assert nodes < 3 * theirs
    assert ours < 6 * yards


@pytest.mark.parametrize("name", ["begin-medium", "begin-hard-small"])
def test_every_position_of_the_hardest_sets(name: str) -> None:
    """The published score of each, and the processor time that they took."""
    if not FACTS.exists():
        pytest.skip("the positions with scores are not beside this checkout")
    search, start = dragon.search("alphabeta(megabytes=1024)"), dragon.game("connect4").start()
    lines = (FACTS / f"{name}.txt").read_text().splitlines()
    begun, nodes = time.process_time(), 0
    for moves, known in map(str.split, lines):
        result = search.best(reduce(lambda s, move: s.after(move), moves, start))
        left = 22 - (len(moves) + result.extra.get("distance", 0) + 1) // 2
        assert result.bound is Bound.EXACT
        assert int(result.value) * left == int(known), moves
        nodes += result.nodes
    took = time.process_time() - begun
    print(f"{name}: {len(lines)} positions, {nodes:,} nodes, {took:.0f} s of processor time")
