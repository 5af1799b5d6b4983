"""Making a table of Nex beside the same layers swept in C++, one thread each, turn about."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import pytest

from dragon_nex.table.files import Kind
from dragon_nex.table.lookup import in_memory

TURNS = 3


@pytest.fixture(scope="module")
def yardstick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    binary = tmp_path_factory.mktemp("nex") / "nex"
    source = Path(__file__).with_name("nex.cpp")
    subprocess.run([compiler, "-O3", "-march=native", "-o", binary, source], check=True)
    return binary


def race(yardstick: Path, rows: int, cols: int) -> tuple[float, float]:
    """Processor seconds of ours and of theirs; the figures must agree."""
    begun = time.process_time()
    made = in_memory(Kind(rows, cols), workers=1)
    ours = time.process_time() - begun
    run = subprocess.run([yardstick, str(rows), str(cols)], capture_output=True, text=True,
                         check=True)  # fmt: skip
    value, lost, drawn, won, positions, seconds = run.stdout.split()
    cells = rows * cols
    assert int(made[f"{cells}-0"][0] & 3) - 2 == int(value)
    openings = [byte >> shift & 3 for byte in made[f"{cells - 2}-1"].tolist() for shift in (0, 2)]
    assert [openings.count(v) for v in (1, 2, 3)] == [int(lost), int(drawn), int(won)]
    assert Kind(rows, cols).positions == int(positions)
    return ours, float(seconds)


@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (4, 3), (3, 5), (5, 3), (4, 4)])
def test_a_table_takes_at_most_twice_the_time_of_cpp(yardstick: Path, rows: int, cols: int) -> None:
    in_memory(Kind(2, 2), workers=1)
    times = [race(yardstick, rows, cols) for _ in range(TURNS if rows * cols < 15 else 1)]
    ours, theirs = (min(each) for each in zip(*times, strict=True))
    print(f"{rows}x{cols}: {ours:.2f} s against {theirs:.2f} s: {ours / theirs:.2f}")
    assert ours < 2 * theirs
