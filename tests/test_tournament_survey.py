"""Very many records: counted without being held, and told as if they had been."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragon.cli import main
from dragon_tournament import view
from dragon_tournament.folder import folder
from dragon_tournament.report import to_json, to_text
from dragon_tournament.report.survey import survey
from dragon_tournament.statistics.tally import Tally

NAMES = ("a", "b", "c")
POINTS = ((1.0, 0.0), (0.0, 1.0), (0.5, 0.5))


def record(number: int, **changes: Any) -> dict[str, Any]:
    """The table of a record."""
    table = {
        "id": f"{number:016x}", "game": "nim", "seats": ["a", "b"], "teams": [0, 1],
        "opening": [], "moves": ["1"], "scores": [1.0, -1.0], "points": [1.0, 0.0],
        "reason": "terminal", "nodes": [3, 4], "seconds": [0.25, 0.5], "seed": 7, "deal": number,
        "failed": [], "detail": "", "position": "",
    }  # fmt: skip
    return {**table, **changes}


def written(path: Path, tables: list[dict[str, Any]], rest: str = "") -> Path:
    """A folder with those records."""
    path.mkdir(exist_ok=True)
    lines = "".join(json.dumps(table) + "\n" for table in tables)
    (path / "records.jsonl").write_text(lines + rest)
    return path


@st.composite
def tournaments(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Matches between two: whole pairs, single games, failures, openings, in any order."""
    dice = random.Random(draw(st.integers(0, 10**9)))
    tables = []
    for deal in range(draw(st.integers(1, 12))):
        two = dice.sample(NAMES, 2) if dice.random() < 0.9 else ["a", "a"]
        for seats in (two, two[::-1])[: dice.choice((1, 2, 2))]:
            points = dice.choice(POINTS)
            lost = points.index(0.0) if dice.random() < 0.2 and 0.0 in points else None
            tables.append(
                record(
                    len(tables), seats=seats, points=points, deal=deal,
                    scores=[2 * p - 1 for p in points],
                    opening=["b2"] if deal % 3 == 0 else [],
                    reason="terminal" if lost is None else "crash",
                    failed=[] if lost is None else [lost],
                    nodes=[dice.randrange(100), dice.randrange(100)],
                    seconds=[dice.randrange(8) / 8, dice.randrange(8) / 8],
                )
            )  # fmt: skip
    dice.shuffle(tables)
    return tables


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(tables=tournaments())
def test_a_survey_tells_what_the_records_tell(tmp_path: Path, tables: list[dict[str, Any]]) -> None:
    place = written(tmp_path / "out", tables)
    found = folder(place)
    found.read()
    expected, told = found.report(), survey(found.path, {})
    assert told is not None
    assert to_text(told) == to_text(expected)
    assert _rounded(to_json(told)) == _rounded(to_json(expected))
    tally = Tally.of(found.records)
    assert len(tally) == len(tables)
    assert sum(n for _, n in tally.single) + 2 * sum(n for _, n in tally.pairs) == len(tables)


def _rounded(value: Any) -> Any:
    """Sums may differ in their last digits by the order of their terms."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, dict):
        return {key: _rounded(v) for key, v in value.items() if key != "about"}
    return [_rounded(v) for v in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize(
    "odd",
    [
        {"seats": ["a", "b", "c"], "teams": [0, 1, 2], "points": [1, 0, 0]},
        {"id": f"{0:016x}"},
        {"schema": 99},
        {"points": [1.0]},
        {"reason": "boredom"},
        {"seats": None},
    ],
)
def test_what_needs_all_records_is_left_to_them(tmp_path: Path, odd: dict[str, Any]) -> None:
    place = written(tmp_path / "out", [record(0), record(1, **odd)])
    assert survey(place / "records.jsonl", {}) is None
    plain = written(tmp_path / "plain", [record(0), record(1)])
    for about in ({"format": "swiss"}, {"rating": "openskill"}, {"sprt": {"elo0": 0}}):
        assert survey(plain / "records.jsonl", about) is None
    assert survey(plain / "records.jsonl", {"format": "round-robin", "sprt": None}) is not None


def test_junk_is_left_to_who_can_tell_its_line_and_a_line_in_progress_waits(
    tmp_path: Path,
) -> None:
    junk = written(tmp_path / "junk", [record(0)], "junk\n")
    assert survey(junk / "records.jsonl", {}) is None
    trail = written(tmp_path / "trail", [record(0)], json.dumps(record(1)) + " x\n")
    assert survey(trail / "records.jsonl", {}) is None
    torn = written(tmp_path / "torn", [record(0)], '{"id": "1", "ga')
    told = survey(torn / "records.jsonl", {})
    assert told is not None
    assert told.played == 1


def test_the_command_takes_the_same_way_for_large_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = written(
        tmp_path / "out", [record(n, seats=["a", "b"][:: 1 - 2 * (n % 2)]) for n in range(40)]
    )
    small = CliRunner().invoke(main, ["standings", str(place)])
    monkeypatch.setattr(view, "LARGE", 1)
    monkeypatch.setattr(view, "read", None)
    large = CliRunner().invoke(main, ["standings", str(place)])
    assert small.exit_code == large.exit_code == 0
    assert small.stdout == large.stdout
    assert "40 games on record" in large.stdout
