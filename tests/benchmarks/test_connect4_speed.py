"""Alpha-beta at its defaults on connect four, beside a C++ program that solves nothing else."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import pytest

import dragon
from dragon import Bound

FACTS = Path(__file__).parents[3] / "shared" / "facts" / "connect4"
POSITIONS = 100
LONG = 0.05
"""Seconds of the yardstick below which a set tells of what it takes to begin a search."""


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
    """At most three times its nodes, and six times its time where that is worth measuring."""
    if not FACTS.exists():
        pytest.skip("the positions with scores are not beside this checkout")
    lines = (FACTS / f"{name}.txt").read_text().splitlines()[:POSITIONS]
    asked = [line.split()[0] for line in lines]
    run = subprocess.run([yardstick], input="\n".join(asked), capture_output=True, text=True,
                         check=True)  # fmt: skip
    *answers, seconds = run.stdout.splitlines()
    assert [line.split()[1] for line in lines] == [answer.split()[0] for answer in answers]
    theirs, their_time = sum(int(answer.split()[1]) for answer in answers), float(seconds)

    search, start = dragon.search("alphabeta"), dragon.game("connect4").start()
    search.best(start, dragon.Limit(depth=2))  # compiled before the clock starts
    nodes, spent = 0, 0.0
    for moves in asked:
        state = start
        for move in moves:
            state = state.after(move)
        begun = time.perf_counter()
        result = search.best(state)
        spent += time.perf_counter() - begun
        assert result.bound is Bound.EXACT
        nodes += result.nodes
    print(f"{name}: {nodes / POSITIONS:,.0f} nodes a position against {theirs / POSITIONS:,.0f}: "
          f"{nodes / theirs:.2f}; {spent:.3f} s against {their_time:.3f}: "
          f"{spent / their_time:.2f}")  # fmt: skip
    assert nodes < 3 * theirs
    assert their_time < LONG or spent < 6 * their_time
