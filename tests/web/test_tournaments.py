"""The page Tournaments: the shelf, standings as the command prints them, the report in its box."""

from __future__ import annotations

import json
import os
import re
import shutil
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("starlette")

from starlette.testclient import TestClient

from dragon.cli import main
from dragon.errors import ConfigError
from dragon.modes import JIT
from dragon.page import Nothing
from dragon.web import results
from dragon.web.app import application
from dragon.web.guard import Access
from dragon.web.pool import Plan
from dragon_tournament import service
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.page import TOURNAMENTS
from dragon_tournament.records import event_log
from dragon_tournament.records.event_log import Incident, IncidentKind
from dragon_tournament.records.store import Store
from dragon_tournament.report import reader
from dragon_tournament.runner import run
from dragon_tournament.service import Named

PLAYERS = [{"search": "alphabeta"}, {"search": "random", "name": "<i>Rand</i>"}]
TABLE = {
    "name": "small",
    "game": "tictactoe",
    "games": 2,
    "limit": {"nodes": 50},
    "player": PLAYERS,
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of results with one tournament, and what is none beside it."""
    root = tmp_path_factory.mktemp("results")
    with JIT.under("0"):
        run(parse(TABLE), root / "small", InlineExecutor())
        (root / "empty").mkdir()
        (root / "notes.txt").write_text("no tournament")
        shutil.copytree(root / "small", root / ".hidden")
        yield root


@pytest.fixture
def root(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy to be changed, chosen as the server's."""
    copy = tmp_path / "results"
    shutil.copytree(played, copy)
    monkeypatch.setenv(results.VARIABLE, str(copy))
    return copy


@pytest.fixture(scope="module")
def client(played: Path, keeps_processes: None) -> Iterator[TestClient]:
    with pytest.MonkeyPatch.context() as patch, JIT.under("0"):
        patch.setenv(results.VARIABLE, str(played))
        plan = Plan("search", 1, 2, warm=("builtins:dict",))
        app = application(Access(), plan, pages=(TOURNAMENTS,))
        with TestClient(app, base_url="http://localhost") as made:
            yield made


def listed(root: Path) -> dict[str, Any]:
    return {row["name"]: row for row in service.tournaments(Nothing())["tournaments"]}


def test_the_shelf_lists_tournaments_alone(root: Path) -> None:
    (row,) = listed(root).values()
    assert (row["name"], row["title"], row["game"]) == ("small", "small", "tictactoe")
    assert (row["played"], row["planned"], row["players"], row["state"]) == (4, 4, 2, "finished")
    assert str(root) not in json.dumps(row)


def test_no_folder_is_no_tournament(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(results.VARIABLE, str(tmp_path / "nowhere"))
    assert service.tournaments(Nothing()) == {"tournaments": []}


def test_standings_are_the_commands(root: Path) -> None:
    command = CliRunner().invoke(main, ["standings", str(root / "small"), "--json"])
    expected = json.loads(command.stdout)
    found = json.loads(json.dumps(service.standings(Named("small"))))
    tables, notes = found.pop("tables"), found.pop("notes")
    assert list(tables) == ["standings", "ratings", "crosstable", "seatings"]
    assert tables["standings"]["columns"][0] == {"text": "player", "left": True}
    assert [row[0] for row in tables["standings"]["rows"]] == [p["name"] for p in found["players"]]
    assert notes[0].startswith(("Draws: ", "The first seat is worth "))
    assert found == {**expected, "records": "small/records.jsonl"}


def test_standings_follow_the_records(root: Path) -> None:
    file = root / "small" / "records.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:1]))
    assert service.standings(Named("small"))["played"] == 1
    with file.open("a") as more:
        more.write("".join(lines[1:]) + '{"torn')
    assert service.standings(Named("small"))["played"] == 4
    assert listed(root)["small"]["played"] == 4
    file.unlink()
    file.write_text("".join(lines[:2]))  # begun anew
    assert service.standings(Named("small"))["played"] == 2
    file.unlink()
    assert service.standings(Named("small"))["played"] == 0
    assert listed(root)["small"]["played"] == 0


def test_large_records_are_counted_not_held(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = service.standings(Named("small"))
    monkeypatch.setattr(reader, "LARGE", 1)
    assert service.standings(Named("small")) == held


def test_whether_it_is_being_played(root: Path) -> None:
    folder = root / "small"

    def state(*kinds: IncidentKind) -> str:
        lines = [Incident(what).to_line() + "\n" for what in kinds]
        (folder / event_log.NAME).write_text("".join(lines))
        return str(listed(root)["small"]["state"])

    assert state(IncidentKind.BEGAN, IncidentKind.ENDED) == "finished"
    assert state(IncidentKind.BEGAN, IncidentKind.INTERRUPTED, IncidentKind.ENDED) == "stopped"
    assert (
        state(
            IncidentKind.BEGAN,
            IncidentKind.FAILED,
            IncidentKind.ENDED,
            IncidentKind.BEGAN,
            IncidentKind.ENDED,
        )
        == "finished"
    )
    assert state(IncidentKind.BEGAN) == "stopped"  # killed: nobody holds its lock
    with Store(folder):
        assert state(IncidentKind.BEGAN) == "running"
    assert state() == "finished"  # all is played, and there was no diary


NAMES = ["", ".", "..", "/", "empty", "notes.txt", ".hidden", "small/", "./small", "SMALL", "smal",
         "../results/small", "small\0", "x" * 255]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_matched_letter_by_letter(root: Path, name: str) -> None:
    for function in (service.progress, service.standings, service.report):
        with pytest.raises(ConfigError, match=r"@ request\.name") as wrong:
            function(Named(name.replace("results", root.name)))
        assert str(root) not in str(wrong.value)


def test_broken_records_tell_no_path(root: Path) -> None:
    (root / "small" / "records.jsonl").write_text("nonsense\n")
    with pytest.raises(ConfigError, match="holds no record") as wrong:
        service.standings(Named("small"))
    assert str(root) not in str(wrong.value)


def test_lines_are_counted_once(tmp_path: Path) -> None:
    file, count = tmp_path / "records.jsonl", service.LineCounter({})
    assert count.lines(file) == 0
    file.write_text("a\nb\nc")
    assert count.lines(file) == 2
    with file.open("a") as more:
        more.write("\nd\n")
    assert count.lines(file) == 4
    file.write_text("a\n")
    assert count.lines(file) == 1


def test_many_are_listed_the_latest_first(root: Path) -> None:
    for name, changed in (("old", 1000), ("new", 4_000_000_000)):
        shutil.copytree(root / "small", root / name)
        os.utime(root / name / "records.jsonl", (changed, changed))
    assert list(service.entries(root)) == ["new", "small", "old"]


def test_links_and_pipes_are_left_out_with_a_word(
    played: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("good", "pipe", "link", "settings", "diary"):
        shutil.copytree(played / "small", tmp_path / "results" / name)
    outside = shutil.copytree(played / "small", tmp_path / "outside")
    (tmp_path / "results" / "folder").symlink_to(outside)
    for name, file in (
        ("pipe", "records.jsonl"), ("link", "records.jsonl"), ("settings", "tournament.json"),
        ("diary", "diary.jsonl"),
    ):  # fmt: skip
        path = tmp_path / "results" / name / file
        path.unlink()
        if name == "link":
            path.symlink_to(outside / file)
        else:
            os.mkfifo(path)
    for _ in range(2):
        assert list(service.entries(tmp_path / "results")) == ["good"]
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 5
    assert all("so its tournament is not shown" in sentence for sentence in said)


def test_the_server_answers(client: TestClient) -> None:
    assert client.get("/tournaments").status_code == 200
    assert [row["name"] for row in client.get("/api/tournaments").json()["tournaments"]] == [
        "small"
    ]
    assert client.get("/api/tournaments/progress?name=small").json()["played"] == 4
    assert client.get("/api/tournaments/standings?name=small").json()["played"] == 4
    ladders = client.get("/api/tournaments/ladder").json()["ladders"]
    assert {"connect4", "hex", "nex"} <= {each["name"] for each in ladders}


@pytest.mark.parametrize("path", ["progress", "standings", "report"])
@pytest.mark.parametrize("name", ["", "..%2Fsmall", "%00", "small%2F", "x" * 256])
def test_junk_is_told_with_its_field(client: TestClient, path: str, name: str) -> None:
    answer = client.get(f"/api/tournaments/{path}?name={name}")
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]["field"] == "name"


@pytest.mark.full
def test_the_report_is_boxed_in(client: TestClient) -> None:
    """Its one script is the package's, and it is not a part of the site."""
    answer = client.get("/api/tournaments/report?name=small")
    assert answer.headers["content-type"].startswith("text/html")
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("sandbox allow-scripts; default-src 'none';")
    for loose in ("allow-same-origin", "allow-forms", "allow-top", "connect-src", "http", "*"):
        assert loose not in policy
    scripts = re.findall(r"<script>(.*?)</script>", answer.text, re.DOTALL)
    assert len(scripts) == 1
    digest = b64encode(sha256(scripts[0].encode()).digest()).decode()
    assert re.findall(r"script-src ([^;]*);", policy) == [f"'sha256-{digest}'"]
    assert "<i>Rand" not in answer.text
    assert "<i>Rand</i>" in unescape(answer.text)


@pytest.mark.full
def test_other_pages_keep_the_strict_policy(client: TestClient) -> None:
    for path in ("/tournaments", "/api/tournaments"):
        policy = client.get(path).headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
