"""Progress while a tournament is played: on a terminal one line, in a log a few."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path
from threading import Thread

import pytest

from dragon import process
from dragon_tournament import cli
from dragon_tournament.cli import ProgressBar
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.executors.supervisor import LONGEST, MOST, Output
from dragon_tournament.records.record import Record
from dragon_tournament.schedule import Schedule

TABLE = {"game": "nim", "games": 10, "player": [{"search": "random"}, {"search": "negamax"}]}


class Terminal(io.StringIO):
    """A stream that says that it is one."""

    def isatty(self) -> bool:
        return True


def records() -> list[Record]:
    tournament = parse(TABLE)
    return list(InlineExecutor().map(tournament, Schedule(tournament).games()))


def shown(text: str) -> list[str]:
    """The lines as a terminal has them in the end: what was overwritten is gone."""
    lines = []
    for line in text.split("\n"):
        cells: list[str] = []
        for part in line.removesuffix("\r").split("\r"):
            cells[: len(part)] = part
        lines.append("".join(cells).rstrip())
    return lines


def test_on_a_terminal_notices_stand_above_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(cli, "OFTEN", 0.0)
    live = ProgressBar()
    live.begin(20, [])
    for number, record in enumerate(records()):
        live.record(record)
        if number == 3:
            live.say("a worker died")
        if number == 7:
            process.say("compiling state for nim")
    live.end()
    lines = shown(terminal.getvalue())
    assert lines[:2] == ["a worker died", "compiling state for nim"]
    assert re.fullmatch(r"20/20 games \|[#█]+\| [\d,.]+ games/s, 00:00 left, negamax .*", lines[2])
    assert lines[3:] == [""]


def test_in_a_log_there_are_whole_lines_and_few(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played, clock = records(), iter(range(0, 10_000, 5))
    monkeypatch.setattr(cli.time, "monotonic", lambda: float(next(clock)))
    live = ProgressBar()
    live.begin(20, [])
    for record in played:
        live.record(record)
    live.end()
    text = capsys.readouterr().err
    assert "\r" not in text
    assert text.endswith("\n")
    lines = text.splitlines()
    assert 2 <= len(lines) <= 6
    assert re.fullmatch(
        r"\d+ of 20 games, [\d.]+ games/s, \d+ s left, \w+ [\d.]+/\d+, \w+ [\d.]+/\d+", lines[0]
    )
    assert re.fullmatch(r"20 of 20 games, [\d.]+ games/s, negamax [\d.]+/20, random .*", lines[-1])


@pytest.mark.full
def test_a_run_that_is_over_at_once_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    live = ProgressBar()
    live.begin(20, records())
    live.end()
    assert capsys.readouterr().err == ""


def passed(tmp_path: Path, capfd: pytest.CaptureFixture[str], *pieces: bytes) -> str:
    """Give what comes of pieces that a worker writes."""
    output = Output(tmp_path / "pipe")
    output.open()
    with open(tmp_path / "pipe", "wb", buffering=0) as pipe:
        for piece in pieces:
            pipe.write(piece)
    output.close()
    return capfd.readouterr().err


def test_ctrl_c_before_anybody_reads_leaves_nothing_to_wait_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pressed(_: Thread) -> None:
        raise KeyboardInterrupt

    output = Output(tmp_path / "pipe")
    monkeypatch.setattr(Thread, "start", pressed)
    with pytest.raises(KeyboardInterrupt):
        output.open()
    output.close()


def test_what_players_print_is_passed_on_in_whole_lines(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert passed(tmp_path, capfd, b"he", b"llo\nwo", b"rld") == "hello\nworld\n"


def test_a_line_without_end_is_passed_on_in_pieces(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = passed(tmp_path, capfd, *[b"x" * 1000] * 20, b"\n")
    assert text.replace("\n", "") == "x" * 20_000
    assert text.count("\n") <= 2 + 20_000 // LONGEST


def test_what_is_too_much_is_dropped_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = passed(tmp_path, capfd, *[b"x" * 99 + b"\n"] * (2 * MOST // 100))
    assert text.count("too much") == 1
    assert text.endswith("\n(the players print too much; the rest is dropped)\n")
    assert len(text) < MOST + 100


@pytest.mark.full
def test_a_real_terminal_is_not_littered(tmp_path: Path, scripted: Path) -> None:
    """Lines that players print and workers log are lines of their own, the bar below."""
    file = tmp_path / "t.toml"
    file.write_text(
        'games = 8\ngame = "nim"\n[[player]]\nsearch = "scripted"\n'
        '[[player]]\nsearch = "scripted"\nname = "logger"\nmisdeed = "log"\n'
    )
    near, far = pty.openpty()
    fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    command = ["tournament", str(file), "--out", str(tmp_path / "out"), "--workers", "2"]
    runner = subprocess.Popen(
        [sys.executable, "-m", "dragon", *command],
        stdout=subprocess.DEVNULL, stderr=far, env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    end = b"the end"
    done = Thread(target=lambda: (runner.wait(), os.write(far, end)))
    done.start()
    text = b""
    while not text.endswith(end):
        text += os.read(near, 65536)
    done.join()
    assert runner.returncode == 0
    os.close(near)
    os.close(far)
    lines = [line for line in shown(text.decode().removesuffix(end.decode())) if line]
    assert lines.count("noise in the log") == lines.count("noise on stdout") == 16, text.decode()
    assert sum("games |" in line for line in lines) == 1
    assert lines[-2].startswith("16/16 games |")
    known = ("noise in the log", "noise on stdout", "16/16 games |", "records and reports are in")
    assert [line for line in lines if not line.startswith(known)] == []
