"""Players in other languages: the protocol, and a reference engine written without dragon."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dragon
from dragon import Bound, ConfigError, Limit, Position, SearchError
from dragon.bridges import engine as module
from dragon.bridges.engine import Engine
from dragon.errors import ProtocolError
from dragon.gtp import protocol
from dragon.gtp.program import Program
from dragon.laws import check_search
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor, ProcessExecutor
from dragon_tournament.records.record import Reason, Record
from dragon_tournament.schedule import Schedule

REFERENCE = str(Path(__file__).parents[1] / "engine" / "reference_engine.py")
MARK = ("--mark", str(os.getpid()))
"""By which engines are known from those that another process tests at the same time."""


def engine(*options: str, **settings: Any) -> Engine:
    """The reference engine as a search."""
    return Engine(command=(sys.executable, REFERENCE, *options, *MARK), **settings)


def player(*options: str, **more: Any) -> dict[str, Any]:
    """Write an engine as the table of a player in a tournament file."""
    return {"search": "engine", "command": [sys.executable, REFERENCE, *options, *MARK], **more}


def play(table: dict[str, Any], workers: int = 0) -> list[Record]:
    """The records of a tournament, in the order of its schedule."""
    tournament = parse(table)
    executor = ProcessExecutor(workers) if workers else InlineExecutor()
    outcomes = executor.map(tournament, Schedule(tournament).games())
    records = {r.id: r for r in outcomes if isinstance(r, Record)}
    return [records[p.id] for p in Schedule(tournament).games()]


@pytest.fixture(autouse=True)
def _nobody_stays() -> Iterator[None]:
    yield
    module.close_idle()
    assert not _processes(str(os.getpid()))


def _processes(mark: str) -> list[int]:
    """The engines that bear a mark, and processes that they have started."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_text().split("\0")
        except OSError:
            continue  # it has just ended
        if mark in words and "--mark" in words:
            found.append(int(entry.parent.name))
    return found


# ---- the protocol's lines -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("quit", protocol.Command("quit")),
        ("  3\tplay  black b2 # well\r\n", protocol.Command("play", ("black", "b2"), 3)),
        ("12 list_commands", protocol.Command("list_commands", (), 12)),
        ("play w \x07b2", protocol.Command("play", ("w", "b2"))),
        ("# nothing", None),
        ("   ", None),
        ("7", None),
    ],
)
def test_a_command_is_read_as_the_specification_says(
    line: str, command: protocol.Command | None
) -> None:
    assert protocol.parse_command(line) == command
    if command is not None:
        assert protocol.parse_command(str(command)) == command


@pytest.mark.parametrize(
    ("lines", "response"),
    [
        (["="], protocol.Response(True)),
        (["= b2"], protocol.Response(True, "b2")),
        (["=17 a", "b", "c"], protocol.Response(True, "a\nb\nc", 17)),
        (["?4 illegal move"], protocol.Response(False, "illegal move", 4)),
    ],
)
def test_a_response_is_read_and_written(lines: list[str], response: protocol.Response) -> None:
    assert protocol.parse_response(lines) == response
    written = str(response)
    assert written.endswith("\n\n")
    assert "\n\n" not in written[:-2]
    assert protocol.parse_response(written[:-2].split("\n")) == response


def test_an_empty_line_does_not_end_a_response_early() -> None:
    written = str(protocol.Response(True, "above\n\n\nbelow"))
    assert written.index("\n\n") == len(written) - 2


@pytest.mark.parametrize("line", ["", "b2", "!", "=b2", "I think so"])
def test_what_is_no_response_is_refused(line: str) -> None:
    with pytest.raises(ProtocolError, match="is not a response"):
        protocol.parse_response([line])


def test_seats_have_names_that_can_be_read_back() -> None:
    for seats in (1, 2, 3, 5):
        for seat in range(-1, seats):
            assert protocol.seat_of(protocol.colour_of(seat, seats).upper(), seats) == seat
    assert [protocol.seat_of(text, 2) for text in ("b", "W")] == [0, 1]
    with pytest.raises(ProtocolError, match=r"'red' is not a colour here \(black, white\)"):
        protocol.seat_of("red", 2)


# ---- one engine -----------------------------------------------------------------------------


def test_it_answers_for_a_game_from_its_start_without_any_command_of_ours() -> None:
    game = dragon.game("nim(pile=11)")
    search = engine("nim", "--pile", "11", "--plain")
    start = game.start()
    state: Any = start
    moves: tuple[str, ...] = ()
    with search.open(game) as run:
        while state.turn >= 0:
            move = run.best(Position(state, start, moves), Limit(seconds=5)).move
            state, moves = state.after(move), (*moves, str(move))
    assert moves == ("3", "1", "3", "1", "3")


def test_a_position_needs_a_command_of_ours() -> None:
    state: Any = dragon.game("nim").parse("7 B")
    with engine("nim").open(dragon.game("nim")) as run:
        assert run.best(Position(state, state)).move == state.moves()[2]
    with (
        engine("nim", "--plain").open(dragon.game("nim")) as run,
        pytest.raises(SearchError, match="does not list dragon-position"),
    ):
        run.best(Position(state, state))
    with pytest.raises(SearchError, match="does not list dragon-position"):
        engine("nim", "--plain").best(state)


def test_only_what_is_new_is_played_and_the_process_serves_game_after_game(
    tmp_path: Path,
) -> None:
    log = tmp_path / "log"
    table = {
        "game": "nim(pile=5)",
        "games": 2,
        "player": [player("--log", str(log), name="engine"), {"search": "negamax"}],
        "limit": {"seconds": 2},
    }
    records = play(table)
    commands = [line.split(" ", 2)[::2] for line in log.read_text().splitlines()]
    assert len({pid for pid, _ in commands}) == 1  # one process for the warm-up and four games
    lines = [line.split("\n")[0] for _, line in commands]
    played = [line for line in lines if line.startswith(("play", "genmove"))]
    plies = sum(len(record.moves) for record in records)
    rehearsal = played.index("genmove black") + 2  # the start twice
    assert lines.count("dragon-game nim(pile=5)") == 1
    assert lines.count("time_settings 0 2 1") >= 4
    assert 0 < len(played) - plies <= rehearsal + 4


def test_a_clock_is_told_at_every_move(tmp_path: Path) -> None:
    log = tmp_path / "log"
    table = {
        "game": "nim(pile=5)",
        "clock": {"seconds": 40, "increment": 1},
        "player": [player("--log", str(log), name="engine"), {"search": "negamax"}],
    }
    play(table)
    commands = [line.split(" ", 2)[2] for line in log.read_text().splitlines()]
    assert "time_settings 40 0 0" in commands
    assert "time_left black 40 0" in commands
    assert "time_left black 41 0" in [line.replace("40", "41") for line in commands]


def test_a_clock_of_moves_is_told_with_how_many_are_left(tmp_path: Path) -> None:
    log = tmp_path / "log"
    table = {
        "game": "nim(pile=9)",
        "clock": {"seconds": 40, "moves": 2},
        "player": [player("--log", str(log), name="engine"), {"search": "random"}],
        "pairing": [{"seats": ["engine", "random"]}],
    }
    (record,) = play(table)
    commands = [line.split(" ", 2)[2] for line in log.read_text().splitlines()]
    assert "time_settings 0 40 2" in commands
    left = [line.split() for line in commands if line.startswith("time_left")]
    expected = [str(2 - k % 2) for k in range((len(record.moves) + 1) // 2)]
    assert [stones for *_, stones in left] == expected
    assert {int(float(seconds) + 0.01) for _, _, seconds, _ in left} <= {40, 39, 80, 79, 119, 120}


@pytest.mark.parametrize("whole", [False, True])
def test_fractions_and_the_increment_are_told(tmp_path: Path, whole: bool) -> None:
    log = tmp_path / "log"
    search = engine("nim", *["--integers"] * whole, log=str(log))
    state: Any = dragon.game("nim").parse("7 B")
    with search.open(dragon.game("nim")) as run:
        for remaining in (1.0, 0.85, 0.0004, -1.0):
            run.best(Position(state, state, remaining=remaining, increment=0.2))
    sent = [line.split(" ", 4)[4] for line in log.read_text().splitlines() if " > " in line]
    left = [line.split(" ")[2] for line in sent if line.startswith("time_left")]
    settings = [line.split(" ")[1] for line in sent if line.startswith("time_settings")]
    if whole:  # it refuses the second
        assert left == ["1", "1", "1", "0"]
        assert settings == ["1", "0.85", "1", "1", "0"]
    else:
        assert left == settings == ["1", "0.85", "0.001", "0"]


@pytest.mark.full
def test_a_program_hears_the_increment_of_its_clock(tmp_path: Path) -> None:
    """dragon's own engine thinks as long as the same search would in its place."""
    log = tmp_path / "log"
    command = (sys.executable, "-m", "dragon", "gtp", "nim", "--search", "random")
    state = dragon.game("nim").start()
    with Engine(command=command, log=str(log)).open(dragon.game("nim")) as run:
        run.best(Position(state, state, remaining=1.0, increment=0.2))
    lines = log.read_text().splitlines()
    assert any(re.search(r" > \d+ dragon-increment 0\.2$", line) for line in lines)


@pytest.mark.full
def test_a_process_serves_one_game_where_that_is_wanted(tmp_path: Path) -> None:
    for restart in (False, True):
        log = tmp_path / f"log-{restart}"
        search = engine("nim", restart=restart, log=str(log))
        for _ in range(3):
            with search.open(dragon.game("nim")) as run:
                run.best(Position(dragon.game("nim").start(), dragon.game("nim").start()))
        served = {line.split(" ")[1] for line in log.read_text().splitlines()}
        assert len(served) == (3 if restart else 1)


def test_a_log_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(SearchError, match=r"cannot write the log .*: No such file or directory"):
        engine("nim", log=str(tmp_path / "none" / "log")).best(dragon.game("nim").start())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full is needed")
def test_a_log_that_is_full_ends_and_the_game_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    state = dragon.game("nim").start()
    search = engine("nim", log="/dev/full")
    with search.open(dragon.game("nim")) as run:
        assert run.best(Position(state, state)).move is not None
    assert caplog.messages == ["/dev/full ends here: No space left on device"]


def test_an_engine_that_knows_whole_seconds_only_is_told_whole_seconds() -> None:
    search = engine("nim", "--integers")
    result = search.best(dragon.game("nim").parse("7 B"), Limit(seconds=0.3))
    assert str(result.move) == "3"


def test_a_seed_makes_it_repeatable() -> None:
    state = dragon.game("tictactoe").start()
    search = engine("tictactoe", "--random")
    with search.open(dragon.game("tictactoe")) as run:
        answers = [run.best(Position(state, state), rng=seed).move for seed in (1, 2, 3, 1, 2, 3)]
    assert answers[:3] == answers[3:]
    assert len(set(answers)) > 1


def test_boards_are_told_by_their_size() -> None:
    sizes = {
        "hex(size=5)": (5, 5),
        "nex(rows=3, cols=4)": (4, 3),
        "nim": None,
    }
    assert {spec: protocol.board_of(dragon.game(spec)) for spec in sizes} == sizes


OBJECTIONS = {
    ("engine", "nim"): 'needs a program: command = ["path", "argument"]',
    ("engine(command=['no-such-program'])", "nim"): "there is no program 'no-such-program'",
    ("engine(command=['true'])", "kuhn"): "does not support hidden",
    ("engine(command=['true'])", "hands"): "returns moves without values",
}


@pytest.mark.parametrize(("spec", "game"), OBJECTIONS)
def test_what_it_cannot_do_is_said_when_the_file_is_read(spec: str, game: str) -> None:
    sentence = dragon.search(spec).objection(dragon.game(game))
    assert sentence is not None
    assert OBJECTIONS[spec, game] in sentence


def test_a_command_is_a_list() -> None:
    sentence = r"must be a list, not 'gnugo --x'; write \['gnugo', '--x'\] @ player\[0\].command"
    with pytest.raises(ConfigError, match=sentence):
        parse({"game": "nim", "player": [{"search": "engine", "command": "gnugo --x"}]})


@pytest.mark.samples("options0-nim")
@pytest.mark.parametrize(("options", "game"), [(["nim"], "nim"), ([], "tictactoe")])
def test_it_keeps_the_laws_of_searches(options: list[str], game: str) -> None:
    verdicts = list(check_search(engine(*options), dragon.game(game)))
    assert len(verdicts) > 10
    assert not [verdict for verdict in verdicts if not verdict.passed]


@pytest.mark.full
def test_it_plays_at_the_terminal(tmp_path: Path) -> None:
    spec = f"engine(command=[{sys.executable!r}, {REFERENCE!r}])"
    command = [sys.executable, "-m", "dragon"]
    solved = subprocess.run(
        [*command, "solve", "tictactoe", "--position", "XX./OO./... X", "--search", spec, "--json"],
        capture_output=True, text=True, check=True, cwd=tmp_path,
    )  # fmt: skip
    assert json.loads(solved.stdout)["line"] == ["a3"]
    game = subprocess.run(
        [*command, "play", "nim(pile=6)", "--seats", f"human,{spec}"],
        input="2\nhint\n1\n", capture_output=True, text=True, check=True, cwd=tmp_path,
    )  # fmt: skip
    assert game.stdout.rstrip().endswith("moves: 2 1 1 2")


# ---- engines that misbehave -----------------------------------------------------------------

CRASH, ILLEGAL, TIMEOUT, PLAYS = Reason.CRASH, Reason.ILLEGAL, Reason.TIMEOUT, Reason.TERMINAL
KINDS = {
    "crash": (CRASH, "ended with exit code 9: the board caught fire"),
    "flood": (CRASH, "says more than 1,000,000 letters at once"),
    "nonsense": (CRASH, "answered 'genmove' with nonsense: \"I'd rather not\" is no"),
    "illegal": (ILLEGAL, "gave 'zz' in"),
    "close": (CRASH, ": OSError: [Errno 9]"),  # exit code 120 where output is kept back
    "resign": (Reason.RESIGNED, "gives the game up"),
    "chatter": (PLAYS, ""),
    "daemon": (PLAYS, ""),
    "early": (CRASH, "when it was asked number"),
    "twice": (CRASH, "when it was asked number"),
    "misnumbered": (CRASH, "answered number 0 when it was asked number"),
    "endless": (CRASH, "says more than 1,000,000 letters at once"),
    "huge": (ILLEGAL, "gave '1xxx"),
    "lines": (ILLEGAL, r"gave '1\n1\n1"),
    "blank": (PLAYS, ""),
    "half": (CRASH, "ended with exit code 0"),
    "leaves": (CRASH, "ended with exit code 0"),
    "segment": (CRASH, "ended with SIGSEGV"),
    "killed": (CRASH, "ended with SIGKILL"),
    "mute": (CRASH, "closed its output"),
    "deaf": (CRASH, "closed its input"),
    "elsewhere": (ILLEGAL, "gave 'b2' in"),
    "empty": (ILLEGAL, "gave '' in"),
    "nul": (ILLEGAL, r"gave '1\x00' in"),
    "bytes": (ILLEGAL, "gave '\ufffd\ufffd' in"),
    "unruly": (PLAYS, ""),
    "between games": (PLAYS, ""),
    "other version": (CRASH, "speaks version '1' of GTP, not 2"),
    "refuses": (CRASH, ": I do not like it"),
    "odd name": (PLAYS, ""),
    "forgets": (PLAYS, ""),
    "windows": (PLAYS, ""),
    "at once": (CRASH, "ended with exit code 0"),
    "in words": (CRASH, "ended with exit code 1: there is no board"),
    "folder": (CRASH, "No such file or directory: 'needed/in/this/folder'"),
    "hello": (CRASH, "with nonsense: 'Bad Engine 1.0, all rights reserved' is not a response"),
}
"""What an engine does, and how its game ends."""
SILENT = {
    "hang": (TIMEOUT, "did not come back within 3 seconds"),
    "family": (TIMEOUT, "did not come back within 3 seconds"),
    "dribble": (TIMEOUT, "did not come back within 3 seconds"),
    "silence": (TIMEOUT, "did not come back within 3 seconds"),
    "frozen": (TIMEOUT, "did not come back within 3 seconds"),
}
"""The programs that only the end of a worker ends."""
BAD = str(Path(__file__).parents[1] / "engine" / "bad_engine.py")


def bad(kind: str) -> dict[str, Any]:
    """An engine of a kind as a player; its misdeed comes after the warm-up."""
    command = [sys.executable, BAD, "nim", "--misdeed", kind, "--at", "3", *MARK]
    return {"search": "engine", "command": command, "name": kind}


@pytest.mark.full
@pytest.mark.parametrize(
    ("kinds", "workers"),
    [
        (KINDS, 0),
        ({name: SILENT[name] for name in ("hang", "family")}, 1),
        pytest.param({**SILENT, **KINDS}, 2, marks=pytest.mark.budget(90)),
    ],
    ids=["here", "silent", "workers"],
)
def test_what_an_engine_does_costs_its_game_and_nothing_else(
    kinds: dict[str, tuple[Reason, str]], workers: int, capfd: pytest.CaptureFixture[str]
) -> None:
    table = {
        "game": "nim",
        "stall": 3,
        "player": [*map(bad, kinds), player(name="good"), {"search": "random", "name": "random"}],
        "pairing": [{"seats": ["random", name]} for name in (*kinds, "good")],
    }
    records = play(table, workers)
    assert len(records) == len(kinds) + 1
    for record in records:
        name = record.seats[1]
        reason, detail = kinds.get(name, (PLAYS, ""))
        assert record.reason is reason, record
        assert detail in record.detail, record
        failed = reason not in (PLAYS, Reason.RESIGNED)
        assert record.failed == ((1,) if failed else ()), record
    assert "Traceback" not in capfd.readouterr().err
    module.close_idle()
    assert not _processes(str(os.getpid()))


def test_the_time_to_start_again_is_no_time_of_a_move() -> None:
    """After a crash the next game has another process, which takes longer than a move may."""
    slow = player("--start", "2.5", "--misdeed", "crash", "--at", "4", name="slow")
    table = {
        "game": "nim",
        "games": 3,
        "margin": 0.5,
        "limit": {"seconds": 0.5},
        "player": [slow, {"search": "random", "name": "random"}],
        "pairing": [{"seats": ["slow", "random"]}],
    }
    reasons = [record.reason for record in play(table)]
    assert reasons.count(Reason.CRASH) >= 1
    assert Reason.TIMEOUT not in reasons


@pytest.mark.full
def test_an_engine_that_never_starts_loses_for_that() -> None:
    never = player("--start", "60", patience=0.3, name="never")
    table = {"game": "nim", "player": [never, {"search": "random", "name": "random"}]}
    for record in play(table):
        assert record.reason is Reason.CRASH
        assert record.failed == (record.seats.index("never"),)
        assert "did not answer in time" in record.detail


def test_an_engine_that_is_late_again_and_again_is_waited_for_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("dragon.gtp.client.SHORTEST", 0.01)
    never, state = Engine(command=("sh", "-c", "cat >&2"), patience=0.8), dragon.game("nim").start()
    waited = list[float]()
    for _ in range(4):
        start = time.monotonic()
        with pytest.raises(SearchError, match="did not answer in time"):
            never.converse()
        waited.append(time.monotonic() - start)
    assert waited[0] >= 0.8
    assert waited[3] < 0.8
    client = engine("nim").converse()
    client.program.late = True
    with suppress(SearchError), client.noted("move"):
        raise SearchError("late")
    assert client.shortened(30.0, "move") == 15.0
    assert client.shortened(30.0, "start") == 30.0  # it has started
    with client.noted("move"):
        client.answer(Position(state, state), Limit(seconds=1.0), None, np.random.default_rng(1))
    assert client.shortened(30.0, "move") == 30.0
    client.close()


def test_an_engine_that_does_not_start_is_one_sentence() -> None:
    state = dragon.game("nim").start()
    with pytest.raises(SearchError, match=r"did not answer in time"):
        engine("nim", "--start", "30", patience=0.3).best(state)
    with pytest.raises(SearchError, match=r"ended with exit code 2: .*can't open file"):
        Engine(command=(sys.executable, "/no/such/file.py")).best(state)
    with pytest.raises(SearchError, match="nonsense"):
        Engine(command=("sh", "-c", "echo hello; echo; sleep 60")).best(state)
    with pytest.raises(SearchError, match="echo ended with exit code 0"):
        Engine(command=("echo", "hello")).best(state)
    with pytest.raises(SearchError, match="cannot start /: Permission denied"):
        Engine(command=("/",)).best(state)


@pytest.mark.parametrize(
    ("text", "mode", "reason"),
    [
        ("echo", 0o700, "Exec format error"),
        ("#!/no/such/interpreter\n", 0o700, "No such file or directory"),
        ("#!/bin/sh\n", 0o600, "Permission denied"),
        (None, 0, "No such file or directory"),
    ],
)
def test_a_file_that_is_no_program_is_one_sentence(
    tmp_path: Path, text: str | None, mode: int, reason: str
) -> None:
    path = tmp_path / "\x1b[2Jengine"
    if text is not None:
        path.write_text(text)
        path.chmod(mode)
    search = Engine(command=(str(path),))
    with pytest.raises(SearchError, match=reason):
        search.best(dragon.game("nim").start())


def test_a_game_that_an_engine_does_not_know_is_told_in_its_own_words() -> None:
    game = dragon.game("connect4")
    sentence = "refuses 'dragon-game connect4': nim and tictactoe are all I know"
    with engine().open(game) as run, pytest.raises(SearchError, match=sentence):
        run.best(Position(game.start(), game.start()))


def test_settings_are_sent_when_it_starts(tmp_path: Path) -> None:
    log = tmp_path / "log"
    search = engine("nim", "--log", str(log), setup=("set_random_seed 5", "komi 7"))
    with pytest.raises(SearchError, match="refuses 'komi 7': unknown command"):
        search.best(dragon.game("nim").parse("7 B"))
    assert "set_random_seed 5" in log.read_text()


def test_a_program_is_ended_with_its_children() -> None:
    shell = "sleep 600 & echo started; wait"
    program = Program(("sh", "-c", shell))
    assert program.read(time.monotonic() + 20) == "started"
    group = program.process.pid
    program.close()
    deadline = time.monotonic() + 10
    while _group(group) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not _group(group)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="they are found in /proc")
def test_a_program_is_ended_with_what_has_left_its_group_and_session() -> None:
    """Also after it has ended itself, when nothing but the environment tells whose it was."""
    shell = "setsid sh -c 'sleep 600 & echo $!' & wait"
    program = Program(("sh", "-c", shell))
    left = int(program.read(time.monotonic() + 20))
    program.process.wait(20)
    session = os.getsid(left)
    assert session not in (os.getsid(0), program.process.pid)
    assert str(left) in _group(session)
    program.close()
    deadline = time.monotonic() + 10
    while _group(session) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not _group(session)


def _group(leader: int) -> list[str]:
    """The processes of a group that have not ended."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == leader and fields[0] != "Z":
            found.append(entry.parent.name)
    return found


def test_its_answer_is_the_only_result_and_claims_nothing() -> None:
    results = list(engine("nim").results(dragon.game("nim").parse("1 A")))
    (only,) = results
    assert (str(only.move), only.bound, only.extra["engine"]) == (
        "1",
        Bound.ESTIMATE,
        "Reference 1.0",
    )
