"""Dancing links beside the same algorithm in C++, and beside other packages that are installed.

Ratios are taken in one run, turn about, and are what is asserted. All programs search the
same problems to the end and count; only the search itself is timed. `exact-cover` and
`xcover` are not dependencies of any kind: they are measured where they happen to be there.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import define, field

import dragon
from dragon.cover import Problem, covers, write

COUNTS = {
    "soma": (11_520, 254_676),
    "latin(n=5)": (161_280, 1_701_926),
    "langford(n=11)": (35_584, 439_747),
    "queens(n=12)": (14_200, 211_716),
    "pentominoes(rows=8, cols=8)": (520, 293_045),
    "pentominoes(rows=3, cols=20)": (8, 32_978),
    "dominoes": (12_988_816, 50_102_176),
}
"""Solutions, and nodes as Knuth's programs count them."""
MANY = 1_000_000
"""Solutions beyond which other packages, some of which make a list of each, are not asked."""
TURNS = 5
MOST = 1.1
"""How much longer than C++ we may take, as geometric mean."""


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The C++ program, built now."""
    names = [os.environ.get("CXX", ""), "c++", "g++", "clang++"]
    compiler = next(filter(None, map(shutil.which, filter(None, names))), None)
    if compiler is None:
        pytest.skip("no C++ compiler is installed")
    built = tmp_path_factory.mktemp("dlx") / "dlx"
    source = Path(__file__).with_name("dlx.cpp")
    flags = ["-O3", "-march=native", "-std=c++17"]
    subprocess.run([compiler, *flags, "-o", built, source], check=True)
    return built


@define
class Row:
    """Measurements of one problem: seconds of every turn, of others of the only one."""

    name: str
    ours: list[float] = field(factory=list)
    theirs: list[float] = field(factory=list)
    others: dict[str, float] = field(factory=dict)

    @property
    def ratio(self) -> float:
        """Give how many times as long we took."""
        return statistics.median(self.ours) / statistics.median(self.theirs)


def ours(problem: Problem) -> tuple[int, int, float]:
    """Solutions, nodes and seconds of dragon."""
    found = covers(problem)
    return found.count(), found.nodes, found.seconds


def theirs(program: Path, file: Path) -> tuple[int, int, float]:
    """Return covers, nodes and seconds of the C++ program."""
    said = subprocess.run([program, file], check=True, capture_output=True, text=True).stdout
    solutions, nodes, seconds = said.split()
    return int(solutions), int(nodes), float(seconds)


def exact_cover(problem: Problem) -> Callable[[], int]:
    """A search by the package exact-cover; what is secondary gets an option of its own."""
    package = import_module("exact_cover")
    arrays = problem.arrays
    rows = np.zeros((arrays.options + len(problem.secondary), arrays.items), bool)
    rows[np.repeat(np.arange(arrays.options), np.diff(arrays.start)), arrays.item] = True
    rows[np.arange(arrays.options, len(rows)), np.arange(arrays.primary, arrays.items)] = True
    return lambda: int(package.get_solution_count(rows))


def xcover(problem: Problem) -> Callable[[], int]:
    """A search by the package xcover: dancing cells."""
    package, solvers = import_module("xcover"), import_module("xcover.solvers")
    options = [list(option.items) for option in problem.options]
    given = solvers.input_as_arrays(options, primary=problem.primary, secondary=problem.secondary)
    return lambda: sum(1 for _ in package.algorithm_c(*given))


OTHERS = {"exact-cover": exact_cover, "xcover": xcover}


def installed() -> list[str]:
    """The other packages that are there."""
    found = []
    for name in OTHERS:
        try:
            import_module(name.replace("-", "_"))
        except ImportError:
            continue
        found.append(name)
    return found


def measured(name: str, program: Path, folder: Path, others: list[str]) -> Row:
    """Turn about, after one turn each that does not count; the counts must agree."""
    problem = dragon.game(name).problem()
    file = folder / f"{name}.txt"
    file.write_text(write(problem), encoding="utf-8")
    row = Row(name)
    for turn in range(1 + TURNS):
        for seconds, (*counts, spent) in (
            (row.ours, ours(problem)),
            (row.theirs, theirs(program, file)),
        ):
            assert tuple(counts) == COUNTS[name]
            seconds += [spent] if turn else []
    if COUNTS[name][0] <= MANY:
        for other in others:
            search = OTHERS[other](problem)
            start = time.perf_counter()
            assert search() == COUNTS[name][0]
            row.others[other] = time.perf_counter() - start
    return row


def table(rows: list[Row], others: list[str], mean: float) -> str:
    """The measurements as text."""
    wide = max(len(row.name) for row in rows)
    heads = ["solutions", "nodes", "dragon", "C++", "ratio", *others]
    lines = [" " * wide + "".join(head.rjust(13) for head in heads)]
    for row in rows:
        solutions, nodes = COUNTS[row.name]
        cells = [f"{solutions:,}", f"{nodes:,}"]
        cells += [f"{statistics.median(seconds):.4f}" for seconds in (row.ours, row.theirs)]
        cells += [f"{row.ratio:.2f}"]
        cells += [f"{row.others[name]:.4f}" if name in row.others else "-" for name in others]
        lines.append(row.name.ljust(wide) + "".join(cell.rjust(13) for cell in cells))
    return "\n".join([*lines, f"geometric mean of the ratios: {mean:.3f}"])


def test_dancing_links_beside_cpp(benchmark: Any, reference: Path, tmp_path: Path):
    others = installed()
    rows = [measured(name, reference, tmp_path, others) for name in COUNTS]
    mean = statistics.geometric_mean(row.ratio for row in rows)
    print(f"\n{table(rows, others, mean)}")
    benchmark.extra_info.update({row.name: row.ratio for row in rows}, mean=mean)
    benchmark(ours, dragon.game("langford(n=11)").problem())
    assert mean <= MOST


def test_warm_start_of_dancing_links(benchmark: Any, tmp_path: Path):
    """A new process counts the eight queens with a kernel from the cache: processor seconds."""
    code = (
        "import dragon; from dragon.cover import covers; "
        "assert covers(dragon.game('queens').problem()).count() == 92"
    )
    env = {**os.environ, "DRAGON_CACHE": str(tmp_path)}
    run = [sys.executable, "-c", code]
    subprocess.run(run, env=env, check=True)
    spent = []

    def start() -> None:
        before = os.times()
        subprocess.run(run, env=env, check=True)
        after = os.times()
        spent.append(
            after.children_user + after.children_system
            - before.children_user - before.children_system
        )  # fmt: skip

    benchmark.pedantic(start, rounds=5)
    benchmark.extra_info["processor_seconds"] = min(spent)
    print(f"\n{min(spent):.2f} processor seconds")
    assert min(spent) < 1
