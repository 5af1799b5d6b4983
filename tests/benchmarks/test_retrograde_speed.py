"""Tables: positions a second of processor time, which all threads together take.

`pytest -s tests/benchmarks/test_retrograde_speed.py` prints it: of teeko and four in a row on 4x4
by rank, with and without `before`, and of games that are listed. Each is made several times, since
others only make it slower; the shortest counts.
"""

from __future__ import annotations

import os
import time
from typing import Any

import pytest
from attrs import evolve

import dragon
from dragon.search.retrograde.choice import maker_of
from dragon.search.retrograde.rank_making import RankMaker

LEAST = 5e6
"""Positions a second and core that are asked for where positions have numbers."""
RUNS = 2


def made(spec: str, threads: int, listed: bool = False) -> tuple[Any, float, float]:
    """A table, and the least seconds of processor time and of the clock that it took."""
    start: Any = dragon.game(spec).start()
    processor, clock = [], []
    for _ in range(RUNS):
        maker = maker_of(start, 6000, threads, listed=listed)
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
    ["gomoku(rows=4, columns=4, line=4)", "breakthrough(rows=5, columns=3)",
     "kalah(pits=4, seeds=3)", "hex(size=4)"],
)  # fmt: skip
def test_positions_that_are_listed(spec: str) -> None:
    """These are too many cache misses for the same aim; what is asked for is what there was."""
    assert reported(f"{spec}, listed", *made(spec, 1, listed=True)) > 2e5


def test_what_before_is_worth() -> None:
    """Without it each position that is not settled looks at those after it once more a level."""
    start: Any = dragon.game("gomoku(rows=4, columns=4, line=4)").start()
    start._rules = evolve(start.rules, before=None)
    begun, wall = time.process_time(), time.perf_counter()
    table = RankMaker(start, threads=1).make()
    reported("without before", table, time.process_time() - begun, time.perf_counter() - wall)
    assert table.won_drawn_lost == RankMaker(start.game.start()).make().won_drawn_lost
