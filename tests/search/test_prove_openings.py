"""The script that proves openings: right where answers are known, and it goes on where it was."""

from __future__ import annotations

import json
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from attrs import evolve

ROOT = Path(__file__).parents[2]
VALUES = json.loads((ROOT / "tests" / "oracles" / "nex_values.json").read_text())


@pytest.fixture
def script() -> dict[str, Any]:
    return run_path(str(ROOT / "docs" / "prove_openings.py"))


@pytest.mark.full
@pytest.mark.parametrize("size", ["3x3", "2x4"])
def test_the_list_is_right_and_is_gone_on_with(
    size: str, script: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "list.jsonl"
    search = evolve(script["SEARCH"], megabytes=8, solved=False)
    lines = script["proving"](size, file, search)
    for _ in range(8):
        next(lines)
    lines.close()
    first = file.read_text()
    assert 6 <= len(first.splitlines()) <= 8
    *_, last = script["proving"](size, file, search)
    assert "are settled" in last
    assert file.read_text().startswith(first)
    board = script["Board"](*map(int, size.split("x")))
    settled = script["settled"](file)
    openings = VALUES[size]["openings"]
    assert 2 * len(settled) == len(openings)
    for opening, row in settled.items():
        assert row["value"] == openings[opening][0]
        assert row["value"] == openings[script["turned"](board, opening)][0]
    counts = [sum(v == worth for v, _ in openings.values()) for worth in (1, 0, -1)]
    head = next(script["table"](size, file))
    assert f"{counts[0]} are proven to win for Black, {counts[1]} to draw" in head
    assert f"{counts[2]} to lose; 0 are open" in head


def test_no_nodes_leave_an_opening_open(script: dict[str, Any], tmp_path: Path) -> None:
    import dragon

    start = dragon.game("nex(rows=3, cols=3)").start()
    run = evolve(script["SEARCH"], megabytes=8, solved=False).open()
    worth, nodes, _ = script["value"](run, start.after("Bb2?a1"), 1, 20)
    assert (worth, nodes) == (None, 20)
