"""Very many records: counted without being held, and told as if they had been."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragon.cli import main
from dragon.errors import ConfigError
from dragon_tournament import results
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.records import files, store
from dragon_tournament.records.event_log import Incident
from dragon_tournament.report import reader
from dragon_tournament.report.reader import open_results, streamed_report
from dragon_tournament.report.schema import to_json
from dragon_tournament.report.text import to_text
from dragon_tournament.runner import run
from dragon_tournament.statistics import tally

NAMES = ("a", "b", "c")


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


NAMED = {"players": [{"name": name} for name in NAMES]}


@st.composite
def tournaments(draw: st.DrawFn, seats: tuple[int, ...] = (2,)) -> list[dict[str, Any]]:
    """Matches: whole pairs, single games, failures, openings, deals that return, in any order."""
    dice = random.Random(draw(st.integers(0, 10**9)))
    numbered, tables = dice.random() < 0.8, list[dict[str, Any]]()
    for index in range(draw(st.integers(1, 12))):
        many = dice.choice(seats)
        group = dice.sample(NAMES, many) if dice.random() < 0.9 else dice.choices(NAMES, k=many)
        orders = list(dict.fromkeys(itertools.permutations(group)))
        deal = dice.randrange(3) if numbered else index  # of openings that return, for example
        for order in orders if dice.random() < 0.7 else orders[: dice.randrange(len(orders)) + 1]:
            tables.append(_game(len(tables), order, deal, index if numbered else None, dice))
    dice.shuffle(tables)
    return tables


def _game(
    number: int, seats: tuple[str, ...], deal: int, index: int | None, dice: random.Random
) -> dict[str, Any]:
    n = len(seats)
    best = dice.sample(range(n), dice.choice((1, 1, 2)))
    points = [1 / len(best) if seat in best else 0.0 for seat in range(n)]
    reason = dice.choice(("terminal", "terminal", "crash", "adjudicated"))
    losers = [seat for seat in range(n) if not points[seat]]
    if reason == "crash" and not losers:
        reason = "terminal"
    return record(
        number, seats=seats, teams=list(range(n)), points=points, deal=deal,
        scores=[2 * p - 1 if dice.random() < 0.9 else -2.0 for p in points],
        opening=["b2"] if deal == 0 else [],
        reason=reason,
        failed=losers[:1] if reason == "crash" else [],
        detail=dice.choice(("9 plies without an end", "Traceback")) if reason[0] == "a" else "",
        nodes=[dice.randrange(100) for _ in range(n)],
        seconds=[dice.randrange(8) / 8 for _ in range(n)],
        **({} if index is None else {"index": index}),
    )  # fmt: skip


@pytest.mark.samples("both")
@pytest.mark.parametrize(
    ("seats", "about"),
    [
        ((2,), {}),
        ((2,), {**NAMED, "players": NAMED["players"][:2], "sprt": {"elo0": 0, "elo1": 30}}),
        ((3,), NAMED),
        ((2, 3), NAMED),
    ],
    ids=["two seats", "a test", "three seats", "both"],
)
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_survey_tells_what_the_records_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seats: tuple[int, ...], about: dict[str, Any],
    data: st.DataObject,
) -> None:  # fmt: skip
    monkeypatch.setattr("dragon_tournament.report.reader.LARGE", 1)
    tables = data.draw(tournaments(seats))
    if len(seats) > 1:
        tables = [{**table, "opening": []} for table in tables]  # an opening is one game's
    place = written(tmp_path / "out", tables)
    (place / "tournament.json").write_text(json.dumps(about))
    (place / "diary.jsonl").write_text(Incident("died", "by SIGKILL", ["1"]).to_line() + "\n")
    found = open_results(place)
    found.read()
    expected, streamed = found.report(), open_results(place).streamed()
    assert streamed is not None
    assert to_text(streamed) == to_text(expected)
    assert _rounded(to_json(streamed)) == _rounded(to_json(expected))
    assert "1 worker died (by SIGKILL), and 1 game was begun again." in to_text(streamed)
    assert (streamed.verdict is not None) == ("sprt" in about)


def test_records_of_old_without_numbers_are_told_too(tmp_path: Path) -> None:
    """A deal that was played twice is one observation, with or without numbers."""
    seats = (["a", "b"], ["b", "a"], ["a", "b"], ["b", "a"])
    tables = [record(n, deal=1, seats=two) for n, two in enumerate(seats)]
    tables += [record(n, deal=2, seats=two) for n, two in enumerate(seats[:2], 4)]
    for number in (False, True):
        games = [{**t, "index": n // 2} if number else t for n, t in enumerate(tables)]
        streamed = streamed_report(
            written(tmp_path / f"{number}", games) / "records.jsonl", {"dealt": True}
        )
        assert streamed is not None
        (met,) = streamed.meetings
        assert [(s.games, s.size) for s in met.samples] == [(2, 1), (4, 1)]
        assert streamed.identical == 2


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
        {"points": ["much", 0]},
        {"moves": [["1"], ["2"]]},
        {"attempts": [{"value": 1.0}, {}]},
    ],
)
def test_what_needs_all_records_is_left_to_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: dict[str, Any]
) -> None:
    place = written(tmp_path / "out", [record(0), record(1, **odd)])
    assert streamed_report(place / "records.jsonl", {}) is None
    plain = written(tmp_path / "plain", [record(0), record(1)])
    monkeypatch.setattr("dragon_tournament.report.reader.available", lambda: True)
    assert streamed_report(plain / "records.jsonl", {"rating": "openskill"}) is None
    assert streamed_report(plain / "records.jsonl", {"format": "swiss", "sprt": None}) is not None


def test_junk_is_left_to_who_can_tell_its_line_and_a_line_in_progress_waits(
    tmp_path: Path,
) -> None:
    junk = written(tmp_path / "junk", [record(0)], "junk\n")
    assert streamed_report(junk / "records.jsonl", {}) is None
    trail = written(tmp_path / "trail", [record(0)], json.dumps(record(1)) + " x\n")
    assert streamed_report(trail / "records.jsonl", {}) is None
    torn = written(tmp_path / "torn", [record(0)], '{"id": "1", "ga')
    streamed = streamed_report(torn / "records.jsonl", {})
    assert streamed is not None
    assert streamed.played == 1


def test_the_command_takes_the_same_way_for_large_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = written(
        tmp_path / "out", [record(n, seats=["a", "b"][:: 1 - 2 * (n % 2)]) for n in range(40)]
    )
    small = CliRunner().invoke(main, ["standings", str(place)])
    monkeypatch.setattr(reader, "LARGE", 1)
    monkeypatch.setattr(results, "read", None)
    large = CliRunner().invoke(main, ["standings", str(place)])
    assert small.exit_code == large.exit_code == 0
    assert small.stdout == large.stdout
    assert "40 games on record" in large.stdout


# ---- a run that goes on with very many records ------------------------------------------------


PLAYERS = [{"search": "random", "name": name} for name in "ab"]


@pytest.mark.full
def test_a_run_goes_on_and_reports_without_holding_its_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = {"game": "nim(pile=7)", "games": 30, "openings": {"random": 1}, "player": PLAYERS}
    held, stored = tmp_path / "held", tmp_path / "stored"
    for folder in (held, stored):
        if folder is stored:
            for module in (files, store, reader):
                monkeypatch.setattr(module, "LARGE", 1)
        run(parse({**table, "games": 20}), folder, InlineExecutor())
        with (folder / "records.jsonl").open("a") as file:
            file.write('{"torn')
        run(parse(table), folder, InlineExecutor())
    found = [json.loads((folder / "report.json").read_text()) for folder in (held, stored)]
    for key in ("openings", "reasons", "identical", "played", "seatings", "sprt"):
        assert found[0].get(key) == found[1].get(key)
    pages = [(folder / "report.html").read_text() for folder in (held, stored)]
    drawn, others = (
        page.partition('id="games-data"')[2].partition("</script>")[0] for page in pages
    )
    assert drawn == others != ""
    kept = open_results(stored)
    assert kept.read() == 60
    assert isinstance(kept.records, files.StoredRecords)
    all_records = files.RecordFile(stored / "records.jsonl").read()
    assert list(kept.records) == all_records
    assert kept.records[17] == all_records[17]
    assert list(kept.records[3:40:7]) == all_records[3:40:7]


def test_records_out_of_order_are_found_in_the_schedule(tmp_path: Path) -> None:
    table = {"game": "nim(pile=7)", "games": 20, "openings": {"random": 1}, "player": PLAYERS}
    run(parse(table), tmp_path, InlineExecutor())
    lines = (tmp_path / "records.jsonl").read_text().splitlines(keepends=True)
    random.Random(1).shuffle(lines)
    (tmp_path / "records.jsonl").write_text("".join(lines[:30]))
    outcome = run(parse(table), tmp_path, InlineExecutor())
    assert (outcome.missing, outcome.report.played) == (0, 40)
    again = (tmp_path / "records.jsonl").read_text().splitlines()
    assert len({json.loads(line)["id"] for line in again}) == len(again) == 40
    (tmp_path / "records.jsonl").write_text(
        "".join(line.replace('"id": "', '"id": "f') for line in lines[:3])
    )
    with pytest.raises(ConfigError, match="3 records of another configuration"):
        run(parse(table), tmp_path, InlineExecutor())


def test_too_many_openings_are_not_counted_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally, "OPENINGS", 5)
    found = tally.Tally()
    for number in range(8):
        found.add_line(record(number, opening=[str(number)]))
    assert (len(found), found.crowded, dict(found.begun)) == (8, True, {})
