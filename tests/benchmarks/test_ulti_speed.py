"""Ulti's verdicts beside the same algorithm in C++, on random deals of every contract.

The ratio is taken in one run, turn about, and is what is asserted; only searches are timed.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

import dragon
from dragon_ulti.answers import table, verdict
from dragon_ulti.contracts import CONTRACTS

DEALS = 30
"""Of each contract, dealt so that it can be bid."""
TURNS = 5
HARD = 5_000
"""Nodes from which a deal counts: below, beginning a search and telling its line take longer."""


@pytest.fixture(scope="module")
def yardstick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    binary = tmp_path_factory.mktemp("ulti") / "ulti"
    source = Path(__file__).with_name("ulti.cpp")
    subprocess.run([compiler, "-O3", "-march=native", "-o", binary, source], check=True)
    return binary


def deals() -> list[tuple[Any, Any]]:
    """Games and the states that they deal."""
    games: list[Any] = [dragon.game(f"ulti(contract={name!r})") for name in CONTRACTS]
    return [(game, game.start(seed)) for game in games for seed in range(DEALS)]


def line(game: Any, state: Any) -> str:
    hands = " ".join(str(int(hand)) for hand in state.record.hands)
    return f"{game.bid.parts[0].code} {game.setting.trump} {hands}"


def test_verdicts_take_no_more_than_twice_the_time_of_cpp(yardstick: Path) -> None:
    asked = deals()
    given = "\n".join(line(*each) for each in asked)
    texts = [str(state) for _, state in asked]
    verdict(asked[0][0], texts[0])
    ratios = []
    for _ in range(TURNS):
        run = subprocess.run([yardstick], input=given, capture_output=True, text=True, check=True)
        theirs = [row.split() for row in run.stdout.splitlines()]
        ours = [verdict(game, text) for (game, _), text in zip(asked, texts, strict=True)]
        assert [answer.made for answer in ours] == [row[0] == "1" for row in theirs]
        hard = [i for i, row in enumerate(theirs) if int(row[1]) >= HARD]
        seconds = sum(ours[i].seconds for i in hard)
        cpp = sum(float(theirs[i][2]) for i in hard)
        nodes = sum(ours[i].nodes for i in hard)
        ratios.append(seconds / cpp)
        print(f"{nodes / seconds / 1e6:.1f} M nodes/s, {seconds:.3f} s, C++ {cpp:.3f} s")
    assert min(ratios) < 2


def test_the_table_of_31_cells_takes_a_tenth_of_a_second() -> None:
    game: Any = dragon.game("ulti")
    taken = []
    for seed in range(20):
        text = str(game.start(seed))
        begun = time.perf_counter()
        assert len(list(table(game, text))) == 31
        taken.append(time.perf_counter() - begun)
    assert sorted(taken)[len(taken) // 2] < 0.1
