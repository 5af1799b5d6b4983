"""Laws that are tried apart: a process that ends, or does not come back, is a law's finding."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROGRAM = Path(__file__).parents[1] / "rules" / "endless.py"


LAW, OTHER = "law_a_seed_fixes_the_search", "law_the_search_spec_reads_back"


def laws(mistake: str, *words: str) -> str:
    """What a law says of a search that comes to a mistake; another, tried after it, holds."""
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


def test_a_crash_is_a_finding() -> None:
    assert "the process ended with SIGSEGV" in laws("memory")


@pytest.mark.slow
def test_a_process_that_somebody_ends_is_a_finding() -> None:
    ended = "the process ended with signal 40; "
    assert f"{ended}with --checked the rule to blame is named" in laws("killed")
    assert f"{ended}checked rules do not: it is" in laws("killed", "--checked")


def test_checked_the_crash_has_its_line() -> None:
    line = int(laws("memory", "--checked").partition("endless.py:")[2].partition(":")[0])
    assert "s.marks[s.ply << 40] = 1" in PROGRAM.read_text().splitlines()[line - 1]


@pytest.mark.slow
def test_an_endless_rule_is_a_finding() -> None:
    assert "rule 'turn': Endless" in laws("turn")


def test_a_law_has_its_time() -> None:
    assert "no verdict after 2 seconds" in laws("slow", "--patience", "2")


def test_a_law_that_is_not_there_is_told() -> None:
    command = [sys.executable, str(PROGRAM), "laws", "endless", "--law", "law_games_ends"]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 2
    assert "no law is called 'law_games_ends'; did you mean 'law_games_end'?" in ran.stderr
