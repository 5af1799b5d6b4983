"""The speed of Small World, beside squaring matrices on the same machine.

Run by `pytest tests/benchmarks`. The table of all monsters is outside data; without it the
starter pool is measured, and the bounds hold all the same. Bounds are of processor time: others
may be at work on the machine.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dragon_small_world.bridges import best_sets, bridges, numerators, squared_numerators
from dragon_small_world.links import links_of
from dragon_small_world.pool import pool_of as read
from dragon_small_world.pool import read_deck
from dragon_small_world.pool import starter_pool as starter

FACTS = Path(__file__).parents[3] / "shared" / "facts" / "smallworld" / "monsters.csv"
BRIDGES, COMMAND, PAIR, MEGABYTES = 0.05, 1.0, 5.0, 200


@pytest.fixture(scope="module")
def deck():
    pool = read(FACTS) if FACTS.exists() else starter()
    return read_deck("mathmech", pool)


cpu = pytest.mark.benchmark(timer=time.process_time)


@cpu
def test_bridges_over_the_whole_pool(benchmark, deck):
    found = benchmark(lambda: bridges(links_of(deck, "text")))
    assert found[0].monster.name == "Shinobird Crow"
    assert benchmark.stats.stats.min < BRIDGES


def test_the_theorem_beside_squaring_matrices(benchmark, deck):
    links = links_of(deck, "text")
    began = time.perf_counter()
    expected = squared_numerators(links)
    plain = time.perf_counter() - began
    found = benchmark(lambda: numerators(links))
    assert found.tolist() == expected
    benchmark.extra_info["times as fast"] = plain / benchmark.stats.stats.min
    assert plain > 10 * benchmark.stats.stats.min


@cpu
def test_the_best_pair(benchmark, deck):
    links = links_of(deck, "text")

    def best():
        *_, found = best_sets(links, 2, 10)
        return found

    best()  # compiles or loads
    found = benchmark(best)
    assert found.proven
    assert benchmark.stats.stats.min < PAIR


def test_the_best_triple(benchmark, deck):
    links = links_of(deck, "text")

    def best():
        *_, found = best_sets(links, 3)
        return found

    best()
    assert benchmark(best).proven


def test_the_whole_command(benchmark):
    cards = ["--cards", str(FACTS)] if FACTS.exists() else []
    line = [sys.executable, "-m", "dragon", "small-world", "bridges", "mathmech", *cards]

    def run():
        subprocess.run(line, capture_output=True, check=True)

    def spent():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    run()
    before, rounds = spent(), 5
    benchmark.pedantic(run, rounds=rounds)
    seconds = (spent() - before) / rounds
    benchmark.extra_info["processor seconds"] = seconds
    assert seconds < COMMAND
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    benchmark.extra_info["peak megabytes"] = peak
    assert peak < MEGABYTES
