"""Laws that are tried apart: a process that ends, or does not come back, is a law's finding."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

PROGRAM = Path(__file__).with_name("endless.py")


def laws(mistake: str, *words: str) -> dict[str, str]:
    """What the laws of alpha-beta say of a game with a mistake, by law."""
    command = [sys.executable, str(PROGRAM), "laws", f"endless(mistake={mistake!r})",
               "--search", "alphabeta", "--json", *words]  # fmt: skip
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    verdicts: list[dict[str, Any]] = [json.loads(line) for line in ran.stdout.splitlines()]
    broken = {v["law"]: v["message"] for v in verdicts if not v["passed"]}
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1].endswith(f" {len(broken)} broken")
    assert len(verdicts) > 40
    assert verdicts[-1]["passed"]  # the rest went on
    return broken


HIT = {"law_the_tightest_limit_still_gets_a_move", "law_time_limits_are_kept"}
"""The laws whose searches may come to the mistake; the first has a tight limit in seconds."""


def test_a_crash_is_a_finding() -> None:
    broken = laws("memory")
    assert broken
    assert broken.keys() <= HIT
    assert all("the process ended with SIGSEGV" in told for told in broken.values())


def test_checked_the_crash_has_its_line() -> None:
    for told in laws("memory", "--checked").values():
        line = int(told.partition("endless.py:")[2].partition(":")[0])
        assert "s.marks[s.ply << 40] = 1" in PROGRAM.read_text().splitlines()[line - 1]


def test_an_endless_rule_is_a_finding() -> None:
    broken = laws("turn")
    assert broken
    assert broken.keys() <= HIT
    assert all("rule 'turn': Endless" in told for told in broken.values())


def test_a_law_has_its_time() -> None:
    broken = laws("slow", "--patience", "4")
    assert broken
    assert broken.keys() <= HIT
    assert all("no verdict after 4 seconds" in told for told in broken.values())
