"""Records stay where they are written: kills, torn lines, junk, other runs, full disks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dragon import ConfigError, TournamentError
from dragon.cli import main
from dragon_classics.nim import Pile
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.records.record import Record
from dragon_tournament.records.store import Store
from dragon_tournament.runner import Observer, Outcome, run

TABLE: dict[str, Any] = {
    "name": "small",
    "game": "nim",
    "games": 4,
    "player": [{"search": "random"}, {"search": "negamax"}],
}
COMMAND = [sys.executable, "-m", "dragon", "tournament"]


def play(folder: Path, table: dict[str, Any] | None = None, **options: Any) -> Outcome:
    """A run in this process."""
    return run(parse(table or TABLE), folder, InlineExecutor(), **options)


def lines(folder: Path) -> list[str]:
    """The records as they lie in the file."""
    return (folder / "records.jsonl").read_text().splitlines()


def same(folder: Path, other: Path) -> bool:
    """Tell whether two folders hold the same games, up to times and order."""

    def content(place: Path) -> list[dict[str, Any]]:
        tables = [json.loads(line) for line in lines(place)]
        return sorted(({**t, "seconds": 0} for t in tables), key=lambda t: str(t["id"]))

    return content(folder) == content(other)


class Counting(Observer):
    """Counts the games that are really played."""

    def __init__(self, stop: int | None = None) -> None:
        self.played = 0
        self.stop = stop

    def record(self, record: Record) -> None:
        self.played += 1
        if self.played == self.stop:
            raise KeyboardInterrupt


def test_a_record_is_one_line_with_the_promised_keys(tmp_path: Path) -> None:
    play(tmp_path)
    promised = {"id", "game", "seats", "opening", "moves", "scores", "reason", "nodes"}
    promised |= {"seconds", "seed"}
    for line in lines(tmp_path):
        assert promised <= json.loads(line).keys()
        assert Record.from_line(line).to_line() == line


def test_the_same_file_again_plays_nothing_again(tmp_path: Path) -> None:
    play(tmp_path)
    before = lines(tmp_path)
    again = Counting()
    outcome = play(tmp_path, observer=again)
    assert again.played == 0
    assert lines(tmp_path) == before
    assert outcome.missing == 0
    assert outcome.report.rows


def test_an_interrupted_run_reports_and_goes_on(tmp_path: Path) -> None:
    first = play(tmp_path / "a", observer=Counting(stop=3))
    assert (first.missing, len(lines(tmp_path / "a"))) == (5, 3)
    assert json.loads((tmp_path / "a" / "report.json").read_text())["name"] == "small"
    rest = Counting()
    assert play(tmp_path / "a", observer=rest).missing == 0
    assert rest.played == 5
    play(tmp_path / "b")
    assert same(tmp_path / "a", tmp_path / "b")


@pytest.mark.samples(1)
@pytest.mark.parametrize("cut", [1, 2, 40, -2])
def test_a_torn_last_line_is_played_again(tmp_path: Path, cut: int) -> None:
    play(tmp_path / "whole")
    play(tmp_path / "torn")
    path = tmp_path / "torn" / "records.jsonl"
    data = path.read_bytes()
    start = data.rstrip(b"\n").rfind(b"\n") + 1
    path.write_bytes(data[: start + cut] if cut > 0 else data[:cut])
    watch = Counting()
    play(tmp_path / "torn", observer=watch)
    assert watch.played == 1
    assert same(tmp_path / "torn", tmp_path / "whole")


def test_a_whole_last_line_without_its_end_counts(tmp_path: Path) -> None:
    play(tmp_path)
    path = tmp_path / "records.jsonl"
    path.write_bytes(path.read_bytes()[:-1])
    watch = Counting()
    play(tmp_path, {**TABLE, "games": 5}, observer=watch)
    assert watch.played == 2
    assert len({json.loads(line)["id"] for line in lines(tmp_path)}) == 10


JUNK = ["junk", "{}", "[1]", '{"id": 3}', "[" * 100_000, "\udce4\udcff"]


@pytest.mark.samples(2)
@pytest.mark.parametrize("junk", [*JUNK, "\r", ""], ids=range(8))
def test_junk_stays_where_it_is_and_is_told(tmp_path: Path, junk: str) -> None:
    play(tmp_path)
    path = tmp_path / "records.jsonl"
    rows = path.read_bytes().split(b"\n")
    lost = rows[2]
    rows[2] = junk.encode("utf-8", "surrogateescape")
    path.write_bytes(b"\n".join(rows))
    watch = Counting()
    summary = play(tmp_path, observer=watch).report
    assert watch.played == 1  # the game that stood there
    assert summary.played == 8
    after = path.read_bytes().split(b"\n")
    assert after[:-2] == rows[:-1]
    assert json.loads(after[-2])["id"] == json.loads(lost)["id"]
    sentence = "1 line of the records is unreadable and skipped (line 3: "
    for name in ("report.md", "report.json", "report.html"):
        assert (sentence in (tmp_path / name).read_text()) == bool(junk.strip())
    shown = CliRunner().invoke(main, ["standings", str(tmp_path)])
    assert shown.exit_code == 0, shown.stderr
    assert (sentence in shown.stdout) == bool(junk.strip())


@pytest.mark.samples(1)
@pytest.mark.parametrize(
    "wrong", [{"points": ["1", "0"]}, {"scores": [None, 1]}, {"seats": ["a", 2]}, {"schema": "1"}]
)
def test_a_record_of_other_things_than_names_and_numbers_is_junk(
    tmp_path: Path, wrong: dict[str, Any]
) -> None:
    play(tmp_path)
    path = tmp_path / "records.jsonl"
    first, *others = lines(tmp_path)
    path.write_text("\n".join([json.dumps({**json.loads(first), **wrong}), *others]) + "\n")
    assert "line 1: " in play(tmp_path).report.incidents[0].sentence


def test_a_file_of_other_lines_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text("dear diary\nit rains\n")
    with pytest.raises(ConfigError, match=r"holds no record \(line 1: .*\); give another --out"):
        play(tmp_path)
    assert path.read_text() == "dear diary\nit rains\n"
    shown = CliRunner().invoke(main, ["standings", str(tmp_path)])
    assert shown.exit_code == 2
    assert "holds no record (line 1: " in shown.stderr


def test_a_record_that_stands_twice_counts_once(tmp_path: Path) -> None:
    play(tmp_path)
    path = tmp_path / "records.jsonl"
    path.write_text(path.read_text() + lines(tmp_path)[0] + "\n")
    assert sum(row.played for row in play(tmp_path).report.rows) == 8


def test_records_of_something_else_are_refused(tmp_path: Path) -> None:
    play(tmp_path)
    with pytest.raises(ConfigError, match=r"8 records of another configuration .*seed.*--restart"):
        play(tmp_path, {**TABLE, "seed": 1})
    assert len(lines(tmp_path)) == 8


def test_records_of_other_rules_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(tmp_path)
    old = lines(tmp_path)
    monkeypatch.setattr(Pile, "payoff", lambda state: (0.0, 0.0))
    with pytest.raises(ConfigError, match=r"does not end as it did; the rules of nim .*--restart"):
        play(tmp_path)
    monkeypatch.setattr(Pile, "after", lambda state, move: 1 / 0)
    with pytest.raises(ConfigError, match=r"cannot be replayed further .*--restart"):
        play(tmp_path, {**TABLE, "games": 6})
    assert lines(tmp_path) == old


def test_more_games_go_on_from_the_old_ones(tmp_path: Path) -> None:
    play(tmp_path)
    watch = Counting()
    play(tmp_path, {**TABLE, "games": 6}, observer=watch)
    assert watch.played == 4


class Hearing(Observer):
    """Keep the notices."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, sentence: str) -> None:
        self.said.append(sentence)


def test_going_on_with_another_version_is_told(tmp_path: Path) -> None:
    play(tmp_path)
    path, now = tmp_path / "tournament.json", version("dragon-search")
    assert json.loads(path.read_text())["version"] == now
    same = Hearing()
    play(tmp_path, {**TABLE, "games": 5}, observer=same)
    assert len(same.said) == 1
    path.write_text(path.read_text().replace(f'"version": "{now}"', '"version": "0.0.9"'))
    other = Hearing()
    play(tmp_path, {**TABLE, "games": 6}, observer=other)
    assert other.said[1:] == [
        f"they were played by dragon 0.0.9, the others will be by {now}; "
        f"--restart plays all of them by one"
    ]


def test_restart_keeps_the_old_records_beside(tmp_path: Path) -> None:
    play(tmp_path)
    old = lines(tmp_path)
    play(tmp_path, {**TABLE, "seed": 1}, restart=True)
    play(tmp_path, {**TABLE, "seed": 2}, restart=True)
    assert (tmp_path / "records.1.jsonl").read_text().splitlines() == old
    assert len((tmp_path / "records.2.jsonl").read_text().splitlines()) == 8
    assert len(lines(tmp_path)) == 8


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    with Store(tmp_path), pytest.raises(TournamentError, match="in use by another run"):
        play(tmp_path)
    assert play(tmp_path).missing == 0


def test_a_folder_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(ConfigError, match=r"/file is a file, not a folder; give another --out"):
            play(folder)
    (tmp_path / "locked" / "lock").mkdir(parents=True)
    with pytest.raises(ConfigError, match=r"cannot use the folder .*; give another --out"):
        play(tmp_path / "locked")
    (tmp_path / "odd" / "records.jsonl").mkdir(parents=True)
    with pytest.raises(TournamentError, match="cannot read"):
        play(tmp_path / "odd")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    play(tmp_path / "other")
    with Store(tmp_path) as store:
        store.open({})
        spare, store._file = store._file, open("/dev/full", "ab")  # noqa: SIM115 - see the store
        assert spare
        record = Record.from_line(lines(tmp_path / "other")[0])
        with pytest.raises(TournamentError, match=r"cannot write .*No space left"):
            store.append(record)


@pytest.mark.full
def test_a_killed_run_leaves_no_workers_and_no_notes(tmp_path: Path, scripted: Path) -> None:
    file, diary = tmp_path / "orphans.toml", tmp_path / "diary"
    file.write_text(
        'games = 500\n[game]\nname = "nim"\n[[player]]\nsearch = "scripted"\n'
        f'delay = 0.02\ndiary = "{diary}"\n[[player]]\nsearch = "random"\n'
    )
    command = [*COMMAND, str(file), "--out", str(tmp_path / "o")]
    (tmp_path / "scratch").mkdir()
    runner = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(tmp_path / "scratch")},
    )
    while not diary.exists() or diary.read_text().count("\n") < 40:
        assert runner.poll() is None
        time.sleep(0.02)
    workers = {int(line.split("\t")[0]) for line in diary.read_text().splitlines()[:-1]}
    runner.kill()
    runner.wait()
    deadline = time.monotonic() + 20
    while any(map(_alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(_alive, workers))
    assert not list((tmp_path / "scratch").iterdir())


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"  # a zombie has ended; whoever adopted it has not looked yet


@pytest.mark.full
@pytest.mark.parametrize("moment", [0.0, pytest.param(0.5, marks=pytest.mark.full), 0.7])
def test_ctrl_c_before_the_first_game_is_quiet(tmp_path: Path, moment: float) -> None:
    file = tmp_path / "early.toml"
    file.write_text(
        'games = 20_000\n[game]\nname = "nim"\n[[player]]\nsearch = "negamax"\n'
        '[[player]]\nsearch = "random"\n'
    )
    command = [*COMMAND, str(file), "--out", str(tmp_path / "out")]
    runner = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    while not (tmp_path / "out" / "records.jsonl").exists():
        assert runner.poll() is None
        time.sleep(0.01)
    time.sleep(moment)
    os.killpg(runner.pid, signal.SIGINT)
    _, notices = runner.communicate(timeout=60)
    assert runner.returncode == 130
    assert "Traceback" not in notices


@pytest.mark.full
def test_ctrl_c_finishes_writing_and_reports(tmp_path: Path, scripted: Path) -> None:
    file, out = tmp_path / "ctrl-c.toml", tmp_path / "out"
    file.write_text(
        'games = 500\n[game]\nname = "nim"\n[[player]]\nsearch = "scripted"\ndelay = 0.01\n'
        '[[player]]\nsearch = "random"\n'
    )
    command = [*COMMAND, str(file), "--out", str(out), "--workers", "2"]
    runner = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    while not (out / "records.jsonl").exists() or len(lines(out)) < 5:
        assert runner.poll() is None
        time.sleep(0.02)
    os.killpg(runner.pid, signal.SIGINT)  # as a terminal does: to every process of the command
    printed, notices = runner.communicate(timeout=60)
    assert runner.returncode == 130
    assert "first seat" in printed
    assert "the same command goes on from here" in notices
    assert "Traceback" not in notices
    games = sum(r["played"] for r in json.loads((out / "report.json").read_text())["pairings"])
    assert games == len(lines(out)) < 1000
