"""`dragon standings`, `dragon report` and `dragon export`: what is told of records on disk."""

from __future__ import annotations

import csv
import io
import json
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dragon import ConfigError
from dragon.cli import main
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.records.record import Record
from dragon_tournament.records.store import Store
from dragon_tournament.report.forms import COLUMNS
from dragon_tournament.report.reader import open_results
from dragon_tournament.runner import Observer, run

TABLE = {
    "name": "small",
    "game": "tictactoe",
    "games": 3,
    "limit": {"nodes": 50},
    "player": [{"search": "alphabeta"}, {"search": "random"}],
}
RACE = {
    "name": "race",
    "game": "queens(n=5)",
    "games": 2,
    "player": [{"search": "dlx"}, {"search": "random"}],
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("played")
    run(parse(TABLE), out, InlineExecutor())
    return out


@pytest.fixture
def out(played: Path, tmp_path: Path) -> Path:
    """A copy of a finished tournament's folder."""
    return Path(shutil.copytree(played, tmp_path / "small"))


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


def test_standings_are_those_of_the_run(out: Path) -> None:
    result = invoke("standings", out)
    assert result.exit_code == 0
    assert result.stdout.startswith("small\n\nfirst seat")
    assert "6 games on record." in result.stdout
    assert result.stderr == ""
    table = json.loads(invoke("standings", out, "--json").stdout)
    kept = json.loads((out / "report.json").read_text())
    assert {**table, "records": ""} == {**kept, "records": ""}
    assert (table["played"], table["planned"], table["game"]) == (6, 6, "tictactoe")
    assert invoke("standings", out / "records.jsonl").stdout == result.stdout


def test_a_running_tournament_tells_how_far_it_is(tmp_path: Path) -> None:
    seen: list[str] = []

    class Look(Observer):
        """Looks at the folder after every game, as another process would."""

        def record(self, record: object) -> None:
            seen.append(invoke("standings", tmp_path).stdout)

    run(parse(TABLE), tmp_path, InlineExecutor(), observer=Look())
    assert [f"{i} of 6 games on record" in text for i, text in enumerate(seen[:5], 1)] == [True] * 5
    assert "6 games on record." in seen[5]


def test_a_line_that_is_still_being_written_waits_for_its_end(out: Path) -> None:
    path = out / "records.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3]) + lines[3][:40])
    found = open_results(out)
    assert found.read() == 3
    path.write_bytes(b"".join(lines[:5]))
    assert found.read() == 2
    assert found.read() == 0
    path.write_bytes(b"".join([*lines[:5], lines[0], lines[5].rstrip()]))
    assert found.read() == 1  # the first again counts once; the last lacks only its newline
    assert found.report().played == 6


def test_follow_ends_with_the_tournament(out: Path) -> None:
    assert invoke("standings", out, "--follow").stdout == invoke("standings", out).stdout


def test_junk_has_its_place_told(out: Path) -> None:
    with (out / "records.jsonl").open("a") as file:
        file.write('{"id": "x"}\n')
    result = invoke("standings", out)
    assert result.exit_code == 0
    assert "1 line of the records is unreadable and skipped (line 7: " in result.stdout


def test_the_toml_file_leads_to_its_folder(
    out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path("mine.toml")
    file.write_text('name = "small"\n')
    assert "no records at results/small" in invoke("standings", file).stderr
    Path("results").mkdir()
    out.rename("results/small")
    assert invoke("standings", file).stdout.startswith("small\n")


@pytest.mark.parametrize("command", ["standings", "show", "report"])
def test_what_is_not_there_is_said(command: str, tmp_path: Path) -> None:
    (tmp_path / "prose").write_text("Dear diary")
    for name in ("nowhere", "prose"):
        result = invoke(command, tmp_path / name)
        assert result.exit_code == 2
        assert "no records at" in result.stderr
    with pytest.raises(ConfigError):
        open_results(tmp_path)


def test_standings_without_what_lies_beside(out: Path) -> None:
    (out / "tournament.json").write_text("[")
    table = json.loads(invoke("standings", out, "--json").stdout)
    assert (table["played"], table["planned"], table["name"]) == (6, None, "small")


def test_a_test_is_told_while_it_goes_on_and_when_it_is_decided(tmp_path: Path) -> None:
    sprt = {"elo0": 0, "elo1": 100, "model": "logistic"}
    table = {**TABLE, "games": 200, "sprt": sprt}
    run(parse(table), tmp_path, InlineExecutor())
    data = json.loads(invoke("standings", tmp_path, "--json").stdout)
    assert data["sprt"] == json.loads((tmp_path / "report.json").read_text())["sprt"]
    assert data["sprt"]["accepted"] == "H1"
    assert invoke("standings", tmp_path, "--follow").exit_code == 0  # though games are left
    lines = (tmp_path / "records.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "records.jsonl").write_text("".join(lines[:4]))  # the report is not of them
    early = json.loads(invoke("standings", tmp_path, "--json").stdout)["sprt"]
    assert early["accepted"] is None
    assert 0 < early["llr"] < data["sprt"]["llr"]


@pytest.mark.samples(1)
@pytest.mark.parametrize("change", [{"alpha": 0.0001}, {"elo1": 20}, {"model": "normalized"}])
def test_a_verdict_is_that_of_the_test_that_is_asked(
    change: dict[str, Any], tmp_path: Path
) -> None:
    """A run of another test over the same games was killed before it wrote a report."""
    asked = {"elo0": 0, "elo1": 100, "model": "logistic"}
    run(parse({**TABLE, "games": 200, "sprt": asked}), tmp_path, InlineExecutor())
    settings = json.loads((tmp_path / "tournament.json").read_text())
    settings["sprt"] = {**settings["sprt"], **change}
    (tmp_path / "tournament.json").write_text(json.dumps(settings))
    found = json.loads(invoke("standings", tmp_path, "--json").stdout)["sprt"]
    (tmp_path / "report.json").unlink()
    assert found == json.loads(invoke("standings", tmp_path, "--json").stdout)["sprt"]


def test_records_that_are_put_aside_take_their_verdict_along(tmp_path: Path) -> None:
    table = {**TABLE, "games": 200, "sprt": {"elo0": 0, "elo1": 100, "model": "logistic"}}
    run(parse(table), tmp_path, InlineExecutor())
    with Store(tmp_path) as store:
        store.restart()
    old = (tmp_path / "records.1.jsonl").read_text().splitlines(keepends=True)
    new = old[:-2]
    (tmp_path / "records.jsonl").write_text("".join(new))
    assert not (tmp_path / "report.json").exists()
    found = json.loads(invoke("standings", tmp_path, "--json").stdout)["sprt"]
    assert sum(found["counts"]) == len(new) // 2


def test_report_draws_as_many_games_as_are_asked_for(out: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    result = invoke("report", out, "--games", 2, "--out", page)
    assert result.exit_code == 0, result.output
    assert page.read_text().count("<option") == 2
    printed = invoke("report", out, "--games", 2, "--out", "-").stdout
    assert printed.strip() == page.read_text().strip()
    invoke("report", out)
    assert (out / "report.html").read_text().count("<option") == 6


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_has_a_row_for_each_seat(out: Path) -> None:
    rows = rows_of(invoke("export", out, "--to", "csv", "--out", "-").stdout)
    assert list(rows[0]) == list(COLUMNS)
    assert len(rows) == 12
    table = json.loads((out / "report.json").read_text())
    for player in table["players"]:
        own = [row for row in rows if row["player"] == player["name"]]
        assert sum(float(row["points"]) for row in own) == player["points"]
        assert sum(int(row["nodes"]) for row in own) == player["nodes"]
    assert len(json.loads(rows[0]["moves"])) == int(rows[0]["plies"])
    result = invoke("export", out, "--to", "csv")
    assert "12 rows" in result.stdout
    assert rows_of((out / "games.csv").read_text()) == rows


def test_csv_of_a_race_has_each_seat_s_own_line(tmp_path: Path) -> None:
    run(parse(RACE), tmp_path, InlineExecutor())
    rows = rows_of(invoke("export", tmp_path, "--to", "csv", "--out", "-").stdout)
    lines = [json.loads(line)["moves"] for line in (tmp_path / "records.jsonl").open()]
    assert [json.loads(row["moves"]) for row in rows] == [own for line in lines for own in line]


def test_parquet_without_a_library_says_which(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragon_tournament.report.forms.find_spec", lambda name: None)
    result = invoke("export", out, "--to", "parquet")
    assert result.exit_code == 2
    assert "pip install duckdb" in result.stderr
    assert not (out / "games.parquet").exists()


def test_parquet_is_no_text(out: Path) -> None:
    assert "give --out FILE" in invoke("export", out, "--to", "parquet", "--out", "-").stderr


@pytest.fixture(scope="module")
def raced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A race of which one player solves nothing."""
    out = tmp_path_factory.mktemp("raced")
    players = [{"search": "dlx"}, {"search": "greedy"}]
    instances = [{"game": "queens(n=6)"}, {"game": "dominoes(rows=2, cols=3)", "value": 1}]
    run(parse({"name": "raced", "player": players, "instance": instances}), out, InlineExecutor())
    return out


def test_csv_tells_when_each_has_solved_an_instance(raced: Path) -> None:
    rows = rows_of(invoke("export", raced, "--to", "csv", "--out", "-").stdout)
    records = [Record.from_line(line) for line in (raced / "records.jsonl").open(encoding="utf-8")]
    for row, (record, seat) in zip(rows, ((r, s) for r in records for s in (0, 1)), strict=True):
        attempt = record.attempts[seat]
        assert row["instance"] == record.instance
        assert row["claim"] == str(attempt.claim)
        assert row["truth"] == ("" if record.truth is None else str(record.truth))
        for key in ("first", "best", "proof", "solved", "value"):
            found = getattr(attempt, key)
            assert row[key] == ("" if found is None else str(found))
    assert {row["solved"] == "" for row in rows} == {True, False}


LIBRARIES = {
    "duckdb": find_spec("duckdb") is not None,
    "pandas": all(find_spec(name) for name in ("pandas", "pyarrow")),
}


@pytest.mark.samples("raced-*")
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("kind", ["out", "raced"])
def test_parquet_holds_what_csv_holds(
    library: str, kind: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not LIBRARIES[library]:
        pytest.skip(f"{library} is not installed")
    folder = request.getfixturevalue(kind)
    here = {"duckdb": ("duckdb",), "pandas": ("pandas", "pyarrow")}[library]
    monkeypatch.setattr("dragon_tournament.report.forms.find_spec", lambda name: name in here)
    result = invoke("export", folder, "--to", "parquet")
    assert result.exit_code == 0, result.output
    if library == "duckdb":
        import duckdb

        found = duckdb.read_parquet(str(folder / "games.parquet"))
        columns, table = found.columns, found.fetchall()
    else:
        import pandas

        frame = pandas.read_parquet(folder / "games.parquet")
        columns = list(frame.columns)
        table = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    assert columns == list(COLUMNS)
    rows = rows_of(invoke("export", folder, "--to", "csv", "--out", "-").stdout)
    kept = [
        {k: "" if v is None else str(v) for k, v in zip(columns, row, strict=True)} for row in table
    ]
    assert kept == rows
    bad = invoke("export", folder, "--to", "parquet", "--out", folder / "none" / "x.parquet")
    assert bad.exit_code == 2
    assert "No such file" in bad.stderr
    assert "give another path" in bad.stderr
