"""Laws that are tried apart: a process that ends, or does not come back, is a law's finding."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROGRAM = Path(__file__).parents[1] / "rules" / "endless.py"


LAW, OTHER = "law_a_seed_fixes_the_search", "law_the_search_spec_reads_back"


def laws(mistake: str, *words: str) -> str:
    """Give a law's message on a search that comes to a mistake; another, tried after it, holds."""
    command = [sys.executable, str(PROGRAM), "laws", f"endless(mistake={mistake!r})",
               "--search", "alphabeta(deepening=false)", "--law", LAW, "--law", OTHER,
               "--json", *words]  # fmt: skip
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    verdicts: dict[str, Any] = {}
    for line in ran.stdout.splitlines():
        verdicts[json.loads(line)["law"]] = json.loads(line)
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1].startswith("2 laws tried on ")
    assert list(verdicts) == [LAW, OTHER]
    assert (verdicts[LAW]["passed"], verdicts[OTHER]["passed"]) == (False, True)
    message: str = verdicts[LAW]["message"]
    return message


@pytest.mark.full
def test_a_crash_is_a_finding() -> None:
    assert "the process was killed by SIGSEGV" in laws("memory")


@pytest.mark.full
def test_a_process_that_somebody_ends_is_a_finding() -> None:
    ended = "the process was killed by signal 40; "
    assert f"{ended}with --checked the rule to blame is named" in laws("killed")
    assert f"{ended}checked rules do not: it is" in laws("killed", "--checked")


@pytest.mark.full
def test_checked_the_crash_has_its_line() -> None:
    line = int(laws("memory", "--checked").partition("endless.py:")[2].partition(":")[0])
    assert "s.marks[s.ply << 40] = 1" in PROGRAM.read_text().splitlines()[line - 1]


@pytest.mark.full
def test_an_endless_rule_is_a_finding() -> None:
    assert "rule 'turn': Endless" in laws("turn")


@pytest.mark.full
def test_a_law_has_its_time() -> None:
    assert "no verdict after 2 seconds" in laws("slow", "--patience", "2")


@pytest.mark.full
def test_a_law_that_is_not_there_is_told() -> None:
    command = [sys.executable, str(PROGRAM), "laws", "endless", "--law", "law_games_ends"]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 2
    assert "no law is called 'law_games_ends'; did you mean 'law_games_end'?" in ran.stderr


KERNEL = """
from typing import Any, NamedTuple

import numpy as np

from dragon import Search, frozen, hookimpl
from dragon.rules.template import kernel
from dragon.search.driver import DONE, GROW, PAUSED, KernelDriver, run_of

RUN = np.dtype([("nodes", "i8"), ("stop", "i8"), ("ply", "i8")])


class Memory(NamedTuple):
    states: Any
    codes: Any
    runs: Any


class Driver(KernelDriver):
    longest = 8


@frozen
class Wrong(Search):
    name = "wrong"

    def improve(self, state, limit, rng):
        m = Memory(np.zeros(1, state.rules.layout), np.zeros(4, np.int64), run_of(RUN, self))
        driver = Driver(__name__, self, state, limit, m)
        driver.go_on()
        yield driver.budget.result(0.0, line=state.moves()[:1])


@kernel
def resume(m):
    run = m.runs[0]
    if run.stop:
        BODY
    return PAUSED


@hookimpl
def dragon_searches():
    return [Wrong]
"""


def wrong(folder: Path, body: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A command on a search whose kernel is wrong, installed in a folder."""
    (folder / "dragon_wrong.py").write_text(KERNEL.replace("BODY", body))
    installed = folder / "wrong-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: wrong\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text("[dragon]\nwrong = dragon_wrong\n")
    own = {"PYTHONPATH": str(folder), "DRAGON_PLUGINS": "wrong,classics"}
    command = [sys.executable, "-m", "dragon", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120,
                          env=os.environ | own, cwd=folder)  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return 7", "returns the status 7, which its driver does not know; return one of 0, 1"),
        ("return PAUSED", "returns PAUSED 1000 times in a row and counts no node; count `nodes`"),
        ("return GROW", "returns GROW 100 times in a row; does the `stack` of its driver"),
    ],
)
def test_a_kernel_that_its_driver_does_not_understand_is_refused(
    tmp_path: Path, body: str, reason: str
) -> None:
    ran = wrong(tmp_path, body, "solve", "tictactoe", "--search", "wrong", "--nodes", "100")
    assert ran.returncode == 2
    assert f"rule 'resume': {reason}" in ran.stderr
    line = int(ran.stderr.partition("dragon_wrong.py:")[2].partition(":")[0])
    assert KERNEL.splitlines()[line - 1 : line + 1] == ["@kernel", "def resume(m):"]


@pytest.mark.full
def test_a_kernel_that_does_not_return_is_told_twice_and_in_seconds(tmp_path: Path) -> None:
    body = "while run.stop:\n            m.codes[0] ^= 1"
    ran = wrong(tmp_path, body, "laws", "tictactoe", "--search", "wrong", "--json")
    found = [json.loads(line) for line in ran.stdout.splitlines()]
    broken = [row for row in found if row.get("passed") is False]
    assert len(broken) == 2
    assert [row["final"] for row in broken] == [False, True]
    for row in broken:
        assert "does not return: it counted 0 nodes, and in 5 seconds none since" in row["message"]
    assert "more laws will not be tried" in broken[1]["message"]


@pytest.mark.full
def test_the_second_failure_of_one_cause_is_the_last(tmp_path: Path) -> None:
    ran = wrong(tmp_path, "return 7", "laws", "tictactoe", "--search", "wrong")
    assert ran.stdout.count("BROKEN") == 2
    assert ran.stdout.count("will not be tried") == 1
