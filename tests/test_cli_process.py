"""The command line as real processes: exit codes, streams, closed pipes, Ctrl-C."""

from __future__ import annotations

import _imp
import json
import os
import re
import signal
import subprocess
import sys
import time
from importlib.machinery import ExtensionFileLoader
from pathlib import Path
from types import ModuleType

import pytest

from dragon.cli import patient

DRAGON = [sys.executable, "-m", "dragon"]


def run(*arguments, **more):
    return subprocess.run(
        [*DRAGON, *arguments], capture_output=True, text=True, timeout=120, check=False, **more
    )


@pytest.fixture
def cold(tmp_path):
    """An environment whose kernel cache is empty."""
    return {**os.environ, "DRAGON_CACHE": str(tmp_path / "cache")}


AT_ONCE = """
import sys, dragon.compiler.specialise as specialise
from dragon.cli import main
specialise.LONG = 0.0
main(sys.argv[1:])
"""
"""Says that it compiles before that takes long."""


@pytest.mark.full
def test_json_alone_is_on_stdout_even_when_compiling(cold):
    command = [sys.executable, "-c", AT_ONCE, "perft", "tictactoe", "3", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, env=cold, check=True)
    assert [json.loads(line)["paths"] for line in done.stdout.splitlines()] == [1, 9, 72, 504]
    assert "compiling perft for tictactoe" in done.stderr


def test_the_second_run_compiles_nothing(cold):
    command = [sys.executable, "-c", AT_ONCE, "perft", "tictactoe", "1"]
    for notes in (["compiling rehearsal for tictactoe", "compiling perft for tictactoe"], []):
        done = subprocess.run(command, capture_output=True, text=True, env=cold, check=True)
        lines = [re.fullmatch(r"(.*), about \d+ s", line) for line in done.stderr.splitlines()]
        assert [line[1] for line in lines] == notes


@pytest.mark.full
def test_the_cache_is_shown_and_cleared(cold):
    run("perft", "tictactoe", "1", env=cold)
    folder = Path(cold["DRAGON_CACHE"])
    shown = json.loads(run("cache", "--json", env=cold).stdout)
    assert shown["folder"] == str(folder)
    kept = sorted(shown["kept"], key=lambda each: each["kernel"])
    of_all, *names = [each["kernel"] for each in kept]
    assert (of_all, kept[0]["label"]) == ("entries.call", "every game")
    assert names == ["perft.count", "rehearsal.first_games", "rehearsal.rehearse"]
    assert {each["label"] for each in kept[1:]} == {"tictactoe"}
    assert {each["days"] for each in kept} == {0}
    assert shown["bytes"] == sum(each["bytes"] for each in kept) > 2000
    assert "perft.count" in run("cache", env=cold).stdout
    assert run("cache", "--clear", env=cold).stdout == f"4 folders removed from {folder}\n"
    assert json.loads(run("cache", "--json", env=cold).stdout)["kept"] == []


def test_a_mistake_exits_2_with_one_line():
    done = run("solve", "tictactoe", "--position", "XXX")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1


def test_no_rules_are_compiled_under_dragon_jit_0(cold):
    done = run("solve", "nim(pile=5)", "--json", env={**cold, "DRAGON_JIT": "0"})
    assert json.loads(done.stdout)["value"] == 1.0
    assert done.stderr == ""


def test_plugins_can_be_left_out():
    done = run("games", "--json", env={**os.environ, "DRAGON_PLUGINS": "searches"})
    assert (done.returncode, json.loads(done.stdout)) == (0, [])


def test_a_closed_pipe_is_quiet():
    more = subprocess.PIPE
    with subprocess.Popen([*DRAGON, "perft", "nim", "40"], stdout=more, stderr=more) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
    assert said == b""


def interrupted(*arguments, until, given="", then=0.0):
    """Starts dragon and presses Ctrl-C `then` seconds after stdout says `until`.

    What it printed after that, what it said on stderr, and its exit code.
    """
    with subprocess.Popen(
        [*DRAGON, *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(given)
        process.stdin.flush()
        if given:
            process.stdin.close()
            process.stdin = None
        seen = ""
        while until not in seen:
            letter = process.stdout.read(1)
            assert letter, seen
            seen += letter
        time.sleep(then)
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    return out, err, process.returncode


@pytest.mark.full
def test_ctrl_c_prints_the_best_result_so_far():
    nearly_won = "/".join([*["......."] * 4, "OOO....", "XXX...."]) + " X"
    start = "/".join(["......."] * 6) + " X"
    out, err, code = interrupted(
        *("solve", "connect4", "--search", "alphabeta", "--json", "--positions", "-"),
        given=f"{nearly_won}\n{start}\n{start}\n",
        until="}}\n",  # the first position is done, so everything is compiled
        then=0.5,
    )
    assert code == 130, err
    (line,) = out.splitlines()  # the second position; the third is not begun
    row = json.loads(line)
    assert (row["position"], row["bound"]) == (start, "~")
    assert row["move"]
    assert "Traceback" not in err


@pytest.mark.full
def test_ctrl_c_stops_a_kernel_that_runs_long():
    out, err, code = interrupted("perft", "connect4", "16", until="depth 10", then=0.5)
    assert code == 130, err
    assert "depth 16" not in out
    assert "Traceback" not in err


def test_ctrl_c_at_the_prompt():
    _, err, code = interrupted("play", "nim", "--seats", "human,human", until="to move> ")
    assert code == 130
    assert "Traceback" not in err


def test_a_game_can_be_played_through_a_pipe():
    done = run("play", "nim(pile=2)", "--seats", "human,random", input="2\n")
    assert done.returncode == 0
    assert "seat 0 (human): 1" in done.stdout


@pytest.mark.samples(1)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
@pytest.mark.parametrize("command", [["--help"], ["games"], ["solve", "tictactoe", "--json"]])
def test_a_full_disk_is_one_line(command: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "dragon", *command],
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=120, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.samples(1)
@pytest.mark.parametrize(
    ("command", "closed", "code", "message"),
    [
        ("solve nim --positions -", "<&-", 2, "standard input is closed"),
        ("solve nim --json", ">&- 2>&-", 0, ""),
        *(
            pytest.param(*more, marks=pytest.mark.full)
            for more in (
                ("play nim", "<&-", 2, "standard input is closed"),
                ("solve nim --json", ">&-", 0, ""),
                ("solve nim", "2>&-", 0, ""),
            )
        ),
    ],
)
def test_a_closed_stream_is_no_traceback(command, closed, code, message):
    done = subprocess.run(
        f"{sys.executable} -m dragon {command} {closed}",
        shell=True, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.samples("DRAGON_JIT*")
@pytest.mark.parametrize(
    ("variable", "values"),
    [("DRAGON_JIT", "0, 1 or numba"), ("DRAGON_CHECKED", "0 or 1"), ("DRAGON_OPTIMISED", "0 or 1")],
)
def test_a_mode_that_makes_no_sense_is_told_before_anything_is_done(variable, values, tmp_path):
    """A worker that met it would blame the game."""
    file = tmp_path / "t.toml"
    file.write_text('[game]\nname = "nim"\n[[player]]\nsearch = "random"\n')
    done = run("tournament", str(file), env={**os.environ, variable: "banana"})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"dragon: {variable} is 'banana'; set it to {values}, or not at all\n"


CALLBACK = """
import signal
def callback(returned):
    signal.raise_signal(signal.SIGINT)  # Ctrl-C, while the compiler waits for an answer
    returned.append("whole")
"""


def called_back(returned, monkeypatch):
    """A function whose module is the compiler's."""
    names = {"__name__": "llvmlite.binding.executionengine"}
    exec(CALLBACK, names)
    names["callback"](returned)


def loaded(returned, monkeypatch):
    """A module in C, which drops what is raised while it is loaded."""

    def load(module):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            returned.append("dropped")
        returned.append("whole")

    monkeypatch.setattr(_imp, "exec_dynamic", load)
    ExtensionFileLoader("numbers_in_c", "numbers_in_c.so").exec_module(ModuleType("numbers_in_c"))


@pytest.mark.parametrize("work", [called_back, loaded])
def test_ctrl_c_waits_while_c_code_runs_python(work, monkeypatch):
    returned, begun = [], time.monotonic()

    def wait():
        with patient():
            work(returned, monkeypatch)
            while time.monotonic() - begun < 20:
                time.sleep(0.01)

    with pytest.raises(KeyboardInterrupt):
        wait()
    assert returned == ["whole"]
    assert time.monotonic() - begun < 20
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.full
@pytest.mark.parametrize(
    "times", [2, *(pytest.param(other, marks=pytest.mark.full) for other in (1, 3))]
)
def test_ctrl_c_while_compiling_is_quiet(cold, ctrl_c, times):
    of = ("dragon.compiler.machine", "object_code")
    seats = "mcts(solver=false),alphabeta"  # which play for long, should the signal come late
    play = ("play", "tictactoe", "--seats", seats, "--nodes", "1000000000")
    _, err, code = ctrl_c(*play, of=of, times=times, DRAGON_CACHE=cold["DRAGON_CACHE"])
    assert code == 130, err
    assert "Traceback" not in err
    assert "Exception ignored" not in err


@pytest.mark.samples(1)
@pytest.mark.parametrize("module", ["dragon.process", "dragon.core", "click.core", "dragon.cli"])
def test_ctrl_c_while_modules_are_imported(module):
    command = [sys.executable, "-X", "importtime", "-m", "dragon", "perft", "connect4", "16"]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    ) as run:
        for line in run.stderr:
            if line.endswith(f" {module}\n"):
                break
        run.send_signal(signal.SIGINT)
        said = run.stderr.read()
    assert "Traceback" not in said
    assert said.splitlines()[-1] == "interrupted"
    assert run.returncode == 130
