"""Tables: positions a second of processor time, which all threads together take.

`pytest -s tests/benchmarks/test_retrograde_speed.py` prints it: of teeko and four in a row on 4x4
by rank, with and without `before`, and of games that are listed, with the part of the time that
their rules alone take. Each is made several times, since others only make it slower; the shortest
counts.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve

import dragon
from dragon.search.driver import Kernel
from dragon.search.retrograde.making import Maker
from dragon.search.retrograde.positions import FOR_LISTS

LEAST = 5e6
"""Positions a second and core that are asked for where positions have numbers."""
RUNS = 2


def made(spec: str, threads: int, listed: bool = False) -> tuple[Any, float, float]:
    """A table, and the least seconds of processor time and of the clock that it took."""
    start: Any = dragon.game(spec).start()
    processor, clock = [], []
    for _ in range(RUNS):
        maker = Maker(start, 6000, threads, listed=listed)
        begun, wall = time.process_time(), time.perf_counter()
        table = maker.make()
        processor.append(time.process_time() - begun)
        clock.append(time.perf_counter() - wall)
    return table, min(processor), min(clock)


def reported(name: str, table: Any, seconds: float, clock: float) -> float:
    """Prints a line; positions a second and core."""
    speed = len(table) / seconds
    print(
        f"{name}: {len(table):,} positions, {seconds:.2f} s of processor time, {clock:.2f} s by "
        f"the clock, {speed / 1e6:.2f} million a second and core, load {os.getloadavg()[0]:.1f}"
    )
    return speed  # fmt: skip


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("spec", ["teeko", "gomoku(rows=4, columns=4, line=4)"])
def test_five_million_numbered_positions_a_second_and_core(spec: str, threads: int) -> None:
    assert reported(f"{spec}, {threads} threads", *made(spec, threads)) > LEAST


@pytest.mark.parametrize(
    "spec",
    ["tictactoe", "breakthrough(rows=5, columns=3)", "nex(rows=3, cols=4)",
     "kalah(pits=4, seeds=3)", "hex(size=4)", "gomoku(rows=4, columns=4, line=4)",
     "breakthrough(rows=6, columns=3)", "teeko"],
)  # fmt: skip
def test_positions_that_are_listed(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """These are too many cache misses for the same aim; what is asked for is what there was."""
    seconds = rules_alone = float("inf")
    for _ in range(RUNS):
        maker: Any = Maker(dragon.game(spec).start(), 6000, 1, listed=True)
        begun = time.process_time()
        table = maker.make()
        seconds = min(seconds, time.process_time() - begun)
        with monkeypatch.context() as patch:
            patch.syspath_prepend(Path(__file__).parent)
            runs, results = (
                np.zeros_like(each) for each in (maker.list.m.runs, maker.list.m.results)
            )
            m = maker.list.m._replace(runs=runs, results=results)
            opened = Kernel("opening", maker.root, m, FOR_LISTS)
        runs["stop"], results["count"] = 1, len(table)
        begun = time.process_time()
        opened._resume()
        rules_alone = min(rules_alone, time.process_time() - begun)
    speed = len(table) / seconds
    print(
        f"{spec}, listed: {len(table):,} positions, {seconds:.2f} s, {speed / 1e6:.2f} million a "
        f"second; {runs[0]['nodes'] / len(table):.1f} moves each; rules alone: "
        f"{rules_alone / len(table) * 1e9:.0f} ns a position, {rules_alone / seconds:.0%}"
    )
    assert rules_alone < seconds
    assert speed > 2e5


def test_what_before_is_worth() -> None:
    """Without it each position that is not settled looks at those after it once more a level."""
    start: Any = dragon.game("gomoku(rows=4, columns=4, line=4)").start()
    start._rules = evolve(start.rules, before=None)
    begun, wall = time.process_time(), time.perf_counter()
    table = Maker(start, threads=1).make()
    reported("without before", table, time.process_time() - begun, time.perf_counter() - wall)
    assert table.won_drawn_lost == Maker(start.game.start()).make().won_drawn_lost
