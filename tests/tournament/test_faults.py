"""Faults of a real run: rogue players, killed workers, a full disk, two runs, Ctrl-C.

Nothing recorded is lost, nothing is counted twice, and what happened is said.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from dragon import ConfigError, TournamentError
from dragon.process.worker import Died
from dragon_tournament.config.reading import parse, read
from dragon_tournament.executors import process_group
from dragon_tournament.executors.local import InlineExecutor, ProcessExecutor
from dragon_tournament.executors.supervisor import (
    BREAKS,
    LOOK,
    MOST,
    Supervisor,
    Timekeeper,
    _Job,
)  # fmt: skip
from dragon_tournament.records.event_log import IncidentKind
from dragon_tournament.records.in_flight import (
    NOBODY,
    InFlightLog,
    InFlightState,
    ProcessDeath,
    in_flight_state,
)
from dragon_tournament.records.record import Reason, Record
from dragon_tournament.referees import stopwatch
from dragon_tournament.runner import run
from dragon_tournament.schedule import Schedule

pytestmark = pytest.mark.usefixtures("scripted")
COMMAND = [sys.executable, "-m", "dragon", "tournament"]
PATIENCE = 120.0
"""Seconds that a test waits for a state before it gives up; never how long it takes."""


def toml(path: Path, games: int, *players: str, head: str = "") -> Path:
    """A tournament of nim between players given by their keys."""
    tables = "".join(f"[[player]]\n{keys}\n" for keys in players)
    path.write_text(f"games = {games}\n{head}\n[game]\nname = 'nim'\n{tables}")
    return path


RANDOM = 'search = "random"\nname = "random"'


def slow(delay: float) -> str:
    """A player that takes its time, a little of it."""
    return f'search = "scripted"\nname = "slow"\ndelay = {delay}'


def lines(folder: Path) -> list[str]:
    """The records that are complete."""
    path = folder / "records.jsonl"
    text = path.read_text() if path.exists() else ""
    return text[: text.rfind("\n") + 1].splitlines()


def content(records: list[str]) -> list[dict[str, Any]]:
    """Give what must not depend on what happened meanwhile."""
    tables = [{**json.loads(line), "seconds": 0, "date": ""} for line in records]
    return sorted(tables, key=lambda table: str(table["id"]))


def undisturbed(file: Path, folder: Path) -> list[dict[str, Any]]:
    """Play the same tournament in one process and in peace."""
    run(read(file), folder, InlineExecutor())
    return content(lines(folder))


def start(file: Path, out: Path, *options: str, **more: Any) -> subprocess.Popen[str]:
    """A run by the command line, in a process group of its own."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    command = [*COMMAND, str(file), "--out", str(out), *options]
    return subprocess.Popen(command, text=True, start_new_session=True, **pipes)


def until(condition: Callable[[], Any], runner: subprocess.Popen[str] | None = None) -> Any:
    """Give a condition's value as soon as it holds; fails if the run ends before."""
    deadline = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < deadline, "it never came to that"
        assert runner is None or runner.poll() is None, runner.communicate()[1]
        time.sleep(0.005)
    return found


def stat(pid: int) -> list[str]:
    """A process's fields from its state on; empty where there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def workers(runner: int) -> list[int]:
    """The worker processes of a run that have settled, the oldest first: each leads a session."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        fields = stat(int(entry.name))
        if fields and fields[0] != "Z" and int(fields[1]) == runner and fields[3] == entry.name:
            found.append(int(entry.name))
    return sorted(found)


def halted_in_a_game(runner: int, seen: set[str]) -> int | None:
    """A worker that was stopped while it plays, as its notes tell; None where none plays now.

    Games that were `seen` are left in peace: who dies of one again and again loses it.
    """
    for pid in workers(runner):
        with suppress(OSError):
            os.kill(pid, signal.SIGSTOP)
            for link in Path(f"/proc/{pid}/fd").iterdir():
                path = link.resolve()
                notes = InFlightLog(path.parent, path.stem)
                state = in_flight_state(notes) if path == notes.path else InFlightState()
                if state.seat != NOBODY and state.game not in seen:
                    seen.add(state.game)
                    time.sleep(0.1)  # for what it has sent to arrive
                    return pid
            os.kill(pid, signal.SIGCONT)
    return None


def alive(pid: int) -> bool:
    """Tell whether a process has not ended."""
    fields = stat(pid)
    return bool(fields) and fields[0] != "Z"


# ---- rogue players --------------------------------------------------------------------------

ROGUES = {
    "leak": (Reason.CRASH, "took more than 25 megabytes of memory"),
    "burst": (Reason.CRASH, "took more than 25 megabytes of memory"),
    "hoard": (Reason.TERMINAL, ""),
    "fork": (Reason.TERMINAL, ""),
    "litter": (Reason.TERMINAL, ""),
    "deaf": (Reason.TIMEOUT, "did not come back within 2 seconds"),
    "tamper": (Reason.ILLEGAL, "has changed the state it was given, which is now 1 B"),
}


@pytest.mark.full
def test_rogue_players_lose_their_games_and_leave_nothing_behind() -> None:
    players = [{"search": "rogue", "deed": deed, "name": deed} for deed in ROGUES]
    table = {
        "game": "nim(pile=12)",
        "stall": 2,
        "memory": 25,
        "player": [{"search": "scripted", "name": "good"}, *players],
        "pairing": [{"seats": ["good", deed]} for deed in (*ROGUES, "good")],
    }
    tournament = parse(table)
    executor = ProcessExecutor(2).map(tournament, Schedule(tournament).games())
    records = {record.seats[1]: record for record in executor}
    assert len(records) == len(ROGUES) + 1
    for name, record in records.items():
        reason, detail = ROGUES.get(name, (Reason.TERMINAL, ""))
        assert record.reason is reason, record
        assert detail in record.detail, record
        assert record.failed == (() if reason is Reason.TERMINAL else (1,)), record
    assert len(records["leak"].moves) > 1  # it takes a while
    session = [pid for pid in _descendants_left() if alive(pid)]
    assert not session


@pytest.mark.full
@pytest.mark.parametrize("deeds", [["desert"], ["desert", "deaf"]])
def test_what_leaves_the_session_of_a_worker_is_ended_with_it(
    children: Callable[[], dict[int, str]], deeds: list[str]
) -> None:
    """At the end of the run, or with a worker that must be ended before."""
    players = [{"search": "rogue", "deed": deed, "name": deed} for deed in deeds]
    table = {
        "game": "nim(pile=12)",
        "stall": 2,
        "player": [{"search": "scripted", "name": "good"}, *players],
        "pairing": [{"seats": ["good", deed]} for deed in deeds],
    }
    tournament = parse(table)
    records = list(ProcessExecutor(1).map(tournament, Schedule(tournament).games()))
    assert records[0].reason is Reason.TERMINAL
    assert "sleep 606" not in children().values()  # orphans of this process's children are its own


def _descendants_left() -> list[int]:
    """Processes that were started from here and lost their parent, or still have it."""
    mark = f"PYTEST_CURRENT_TEST={os.environ['PYTEST_CURRENT_TEST']}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    trackers = [p for p in found if b"resource_tracker" in Path(f"/proc/{p}/cmdline").read_bytes()]
    return [pid for pid in found if pid not in (os.getpid(), *trackers)]


@pytest.mark.full
def test_a_flood_on_stdout_reaches_nobody(tmp_path: Path) -> None:
    flood = 'search = "rogue"\nname = "flood"\ndeed = "flood"'
    file = toml(tmp_path / "flood.toml", 2, flood, RANDOM)
    runner = start(file, tmp_path / "out", "--workers", "2", "--json")
    printed, notices = runner.communicate(timeout=PATIENCE)
    assert runner.returncode == 0, notices[-500:]
    assert json.loads(printed)["name"] == "flood"
    assert len(lines(tmp_path / "out")) == 4
    assert "the players print too much; the rest is dropped" in notices
    assert len(notices) < 2 * MOST


def test_notes_that_cannot_be_kept_end_the_run_and_no_game(tmp_path: Path) -> None:
    tournament = parse({"game": "nim", "player": [{"search": "random"}] * 2})
    (pairing, *_) = Schedule(tournament).games()
    notes = InFlightLog(tmp_path, pairing.id)
    notes.open()
    try:
        notes._notes.close()
        notes._notes = open("/dev/full", "ab", buffering=0)  # noqa: SIM115 - closed below
        with pytest.raises(TournamentError, match=r"cannot be kept in .*No space left.*TMPDIR"):
            tournament.referee.play(tournament, pairing, notes)
    finally:
        notes.close()


# ---- processes that are stopped -------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize(
    ("seconds", "everybody"),
    [(6.0, False), (3.0, False), (6.0, True)],
)
def test_a_stopped_worker_is_not_charged_to_its_player(
    tmp_path: Path, seconds: float, everybody: bool
) -> None:
    """A move may take 1.7 seconds, and its process is ended after 3.7: both are overstepped."""
    head = "margin = 1.5\nlimit = { seconds = 0.2 }"
    file = toml(tmp_path / "stop.toml", 6, slow(0.05), RANDOM, head=head)
    expected = undisturbed(file, tmp_path / "peace")
    out = tmp_path / "out"
    runner = start(file, out, "--workers", "1")
    until(lambda: len(lines(out)) > 2, runner)
    if everybody:
        os.kill(runner.pid, signal.SIGSTOP)
    worker = until(lambda: halted_in_a_game(runner.pid, set()), runner)
    time.sleep(seconds)
    os.kill(worker, signal.SIGCONT)
    os.kill(runner.pid, signal.SIGCONT)
    _, notices = runner.communicate(timeout=PATIENCE)
    assert runner.returncode == 0, notices
    assert content(lines(out)) == expected
    records = map(Record.from_line, lines(out))
    assert max(second for record in records for second in record.seconds) < seconds


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[tuple[Timekeeper, subprocess.Popen[bytes], float]]:
    """A timekeeper, a process that was asked at that time and has 9 seconds; it ignores TRACE."""
    ignoring = ["sh", "-c", "trap '' USR2; echo ready; exec sleep 600"]
    with subprocess.Popen(ignoring, stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        (tmp_path / f"{process_group.PREFIX}{process.pid}").write_text(
            process_group._born(process.pid)
        )
        keeper, now = Timekeeper(tmp_path), time.monotonic()
        lines = ({"pid": process.pid}, {"game": "g"}, {"seat": 1, "patience": 9, "at": now})
        (tmp_path / "g.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        keeper.look(now)
        yield keeper, process, now
        process.kill()


def looks(keeper: Timekeeper, begin: float, end: float) -> None:
    """Look as often as a timekeeper does between two times."""
    for k in range(int((end - begin) / LOOK) + 1):
        keeper.look(begin + k * LOOK)


def test_who_does_not_come_back_is_ended_in_time(asked: Any) -> None:
    keeper, process, now = asked
    looks(keeper, now, now + 9)
    assert process.poll() is None
    looks(keeper, now + 9, now + 9 + 2 * LOOK)
    assert process.wait(PATIENCE) == -signal.SIGKILL
    assert keeper.ended == {process.pid}


def test_time_in_which_it_is_stopped_or_nobody_looks_does_not_count(asked: Any) -> None:
    keeper, process, now = asked
    process.send_signal(signal.SIGSTOP)
    until(lambda: stat(process.pid)[0] == "T")
    looks(keeper, now, now + 100)
    process.send_signal(signal.SIGCONT)
    until(lambda: stat(process.pid)[0] != "T")
    looks(keeper, now + 100, now + 105)
    keeper.look(now + 505)  # it was stopped itself
    looks(keeper, now + 505, now + 508)
    assert process.poll() is None
    assert not keeper.ended
    looks(keeper, now + 508, now + 511)
    assert process.wait(PATIENCE) == -signal.SIGKILL


@pytest.mark.parametrize("change", ["answered", "asked anew", "another process", "ended", "gone"])
def test_only_the_process_that_was_asked_is_ended(asked: Any, tmp_path: Path, change: str) -> None:
    keeper, process, now = asked
    with (tmp_path / "g.jsonl").open("a") as notes:
        if change == "answered":
            notes.write('{"back": 1, "seconds": 1, "nodes": 1}\n')
        elif change == "asked anew":
            notes.write(json.dumps({"seat": 0, "patience": 900, "at": now + 8}) + "\n")
        elif change == "ended":
            process.kill()
            until(lambda: stat(process.pid)[0] == "Z")
        elif change == "gone":
            process.kill()
            process.wait()
        else:
            (tmp_path / f"{process_group.PREFIX}{process.pid}").write_text("7")
    looks(keeper, now, now + 20)
    assert (process.poll() is None) == (change not in ("ended", "gone"))
    assert not keeper.ended


def test_only_gaps_with_a_sigcont_are_forgiven() -> None:
    """A player that keeps the interpreter to itself makes gaps, too."""
    pulse = stopwatch._Pulse()
    pulse.last -= 5.0
    assert pulse.seconds() == 0.0
    pulse.last -= 3.0
    pulse.hear()
    assert pulse.seconds() == pytest.approx(3.0, abs=2 * stopwatch.PERIOD)
    pulse.last -= 3.0
    assert pulse.seconds() == pytest.approx(3.0, abs=2 * stopwatch.PERIOD)


def test_a_sigcont_that_another_thread_has_taken_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The main thread may be done with a move before it hears of the signal."""
    pulse = stopwatch._Pulse()
    pulse.last -= 5.0
    monkeypatch.setattr(stopwatch.time, "sleep", pulse.hear)
    assert pulse.seconds() == pytest.approx(5.0, abs=2 * stopwatch.PERIOD)


# ---- processes that are killed --------------------------------------------------------------


@pytest.mark.full
def test_killed_workers_cost_no_game(tmp_path: Path) -> None:
    file = toml(tmp_path / "kills.toml", 30, slow(0.004), RANDOM)
    expected = undisturbed(file, tmp_path / "peace")
    out = tmp_path / "out"
    runner = start(file, out, "--workers", "2")
    seen: set[str] = set()
    while len(seen) < 2:
        until(lambda: len(lines(out)) > 20 * len(seen), runner)
        os.kill(until(lambda: halted_in_a_game(runner.pid, seen), runner), signal.SIGKILL)
    _, notices = runner.communicate(timeout=PATIENCE)
    assert runner.returncode == 0, notices
    assert content(lines(out)) == expected
    sentence = "2 workers died (the process was killed by SIGKILL, 2 times)"
    assert notices.count("1 worker died (the process was killed by SIGKILL)") == 2
    (happening,) = json.loads((out / "report.json").read_text())["happenings"]
    assert happening["count"] == 2
    assert happening["told"].startswith(sentence)
    for name in ("report.md", "report.html"):
        assert sentence in (out / name).read_text()


def bereft(folder: Path, wrong: Exception, notes: Callable[[InFlightLog], Any]) -> Supervisor:
    """A supervisor that has taken in a job whose process ended so, with those notes."""
    tournament = parse({"game": "nim", "player": [{"search": "random"}] * 2})
    supervisor = Supervisor(tournament, 1, folder)
    job = _Job(tuple(Schedule(tournament).games()))
    notes(InFlightLog(folder, job.batch[0].id))
    future: Future[Any] = Future()
    future.set_exception(wrong)
    supervisor.jobs[future] = job
    supervisor._submit = lambda job: supervisor.jobs.update({Future(): job})  # type: ignore[method-assign]
    assert list(supervisor._collect(future)) == []
    return supervisor


def test_a_worker_that_dies_between_games_is_told_too(tmp_path: Path) -> None:
    supervisor = bereft(tmp_path, Died(-signal.SIGKILL), lambda notes: None)
    (job,) = supervisor.jobs.values()
    assert (len(job.batch), job.deaths) == (2, ())
    (incident,) = supervisor.incidents
    assert str(incident) == "1 worker died (the process was killed by SIGKILL) between games"


def test_workers_that_never_come_to_a_game_end_the_run(tmp_path: Path) -> None:
    supervisor = bereft(tmp_path, Died(3), lambda notes: None)
    assert not supervisor.incidents
    for _ in range(BREAKS - 1):
        ((old, _),) = supervisor.jobs.items()
        old.set_exception(Died(3))
        assert list(supervisor._collect(old)) == []
    ((old, _),) = supervisor.jobs.items()
    old.set_exception(Died(3))
    with pytest.raises(TournamentError, match=r"keep breaking down .*exit code 3.*--workers 0"):
        list(supervisor._collect(old))


@pytest.mark.full
def test_a_player_that_ends_its_process_in_peace_is_noticed_at_once(tmp_path: Path) -> None:
    """Exit code 0 was not a death to the pool, so that its game was missed only after a while."""
    quiet = 'search = "scripted"\nname = "quiet"\nmisdeed = "die quietly"'
    file = toml(tmp_path / "quiet.toml", 1, RANDOM, quiet)
    outcome = run(read(file), tmp_path / "out", ProcessExecutor(1))
    records = [Record.from_line(line) for line in lines(tmp_path / "out")]
    assert [record.reason for record in records] == [Reason.CRASH] * 2
    assert all("the process ended with exit code 0" in record.detail for record in records)
    assert outcome.report.incidents == ()


def test_a_signal_from_outside_is_no_players_fault_and_counted_once(tmp_path: Path) -> None:
    def thinking(notes: InFlightLog) -> None:
        notes.path.write_text(
            f'{{"pid": {os.getpid()}}}\n{{"game": "{notes.id}"}}\n{{"seat": 1, "patience": 9}}\n'
        )

    supervisor = bereft(tmp_path, Died(-signal.SIGTERM), thinking)
    assert all(job.deaths == () for job in supervisor.jobs.values())
    (incident,) = supervisor.incidents
    assert incident.what is IncidentKind.DIED
    assert len(incident.games) == 1


def test_a_game_that_fails_however_it_is_picked_up_ends_the_run(tmp_path: Path) -> None:
    tournament = parse({"game": "nim", "player": [{"search": "random"}] * 2})
    supervisor = Supervisor(tournament, 1, tmp_path)
    fallen = ProcessDeath(
        seat=NOBODY, reason=Reason.CRASH, detail="the process failed: RuntimeError"
    )
    job = _Job(tuple(Schedule(tournament).games())[:1], (fallen,) * 3, restarts=2)
    with pytest.raises(TournamentError, match="cannot be recorded: the process failed: RuntimeErr"):
        supervisor._again(job, fallen, RuntimeError())


@pytest.mark.samples("2")
@pytest.mark.parametrize("deaths", [1, 2, 3])
def test_a_worker_killed_while_the_game_opens_is_replaced(tmp_path: Path, deaths: int) -> None:
    """Once or twice: then it is taken for the game's doing."""
    supervisor = Supervisor(
        parse({"game": "nim", "player": [{"search": "random"}] * 2}), 1, tmp_path
    )
    fates = iter([Died(-signal.SIGKILL)] * deaths)

    def submit(*_: Any, **__: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if (fate := next(fates, None)) is None:
            future.set_result(None)
        else:
            future.set_exception(fate)
        return future

    supervisor.pool.submit = submit  # type: ignore[method-assign]
    if deaths < 3:
        supervisor._open_game()
    else:
        with pytest.raises(TournamentError, match=r"nim cannot be played in a worker: .* SIGKILL"):
            supervisor._open_game()
    assert [incident.what for incident in supervisor.incidents] == [IncidentKind.DIED] * min(
        deaths, 2
    )
    assert "between games" in str(supervisor.incidents[0])


@pytest.mark.parametrize("method", ["_open_game", "_warm_up"])
def test_ctrl_c_ends_a_wait_that_it_does_not_wake(tmp_path: Path, method: str) -> None:
    """Another thread takes the signal here, as if it came just before the wait began."""
    supervisor = Supervisor(
        parse({"game": "nim", "player": [{"search": "random"}] * 2}), 1, tmp_path
    )
    future: Future[Any] = Future()
    supervisor.pool.submit = lambda *_, **__: future  # type: ignore[method-assign]
    late = threading.Timer(5, future.set_result, [None])
    late.start()
    other = threading.Timer(0.1, lambda: signal.pthread_kill(threading.get_ident(), signal.SIGINT))
    other.start()
    with pytest.raises(KeyboardInterrupt):
        getattr(supervisor, method)()
    assert not future.done()
    late.cancel()


@pytest.mark.full
@pytest.mark.parametrize("kills", [2, 12])
def test_a_run_killed_at_random_instants_comes_to_the_same_records(
    tmp_path: Path, kills: int
) -> None:
    games = 30 * kills if kills < 10 else 80 * kills  # in each seating: enough for all kills
    file = toml(tmp_path / "kill.toml", games, slow(0.003), RANDOM)
    out, rng, kept, done = tmp_path / "out", random.Random(5), list[str](), 0
    for _ in range(2 * kills):
        runner = start(file, out, "--workers", "2")

        def begun(runner: Any = runner, count: int = len(kept)) -> bool:
            return len(lines(out)) > count or runner.poll() is not None

        until(begun)
        time.sleep(rng.uniform(0.0, 0.4))  # any instant will do
        with suppress(ProcessLookupError):  # it has come to its end
            os.killpg(runner.pid, signal.SIGKILL)
        runner.communicate()
        done += runner.returncode == -signal.SIGKILL
        now = lines(out)
        assert now[: len(kept)] == kept
        assert len({json.loads(line)["id"] for line in now}) == len(now)
        kept = now
        if done == kills or len(kept) == 2 * games:
            break
    assert done >= kills - 1
    _, notices = start(file, out, "--workers", "2").communicate(timeout=PATIENCE)
    assert content(lines(out)) == undisturbed(file, tmp_path / "peace"), notices
    report = json.loads((out / "report.json").read_text())
    assert sum(row["played"] for row in report["pairings"]) == 2 * games
    killed = {happening["what"]: happening["count"] for happening in report["happenings"]}
    assert killed.get("killed", 0) in (done - 1, done)  # but for one after its last game


# ---- the disk, and others on it -------------------------------------------------------------


@pytest.mark.full
def test_a_full_disk_ends_the_run_and_what_is_recorded_stays(tmp_path: Path) -> None:
    file, out = toml(tmp_path / "full.toml", 20, RANDOM, 'search = "negamax"'), tmp_path / "out"

    def little() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))

    runner = start(file, out, "--workers", "0", preexec_fn=little)
    _, notices = runner.communicate(timeout=PATIENCE)
    assert runner.returncode == 1
    assert re.search(r"cannot write .*records.jsonl: File too large; what was recorded", notices)
    assert "Traceback" not in notices
    kept = lines(out)
    assert 5 < len(kept) < 40
    again = start(file, out, "--workers", "0")
    again.communicate(timeout=PATIENCE)
    assert again.returncode == 0
    assert lines(out)[: len(kept)] == kept
    assert content(lines(out)) == undisturbed(file, tmp_path / "peace")
    happenings = json.loads((out / "report.json").read_text())["happenings"]
    assert {"failed", "torn"} >= {happening["what"] for happening in happenings} >= {"failed"}
    assert "File too large" in (out / "report.md").read_text()


@pytest.mark.full
def test_a_second_run_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    file, out = toml(tmp_path / "two.toml", 200, slow(0.01), RANDOM), tmp_path / "out"
    first = start(file, out, "--workers", "1")
    until(lambda: lines(out), first)
    second = start(file, out, "--workers", "1")
    _, notices = second.communicate(timeout=PATIENCE)
    assert second.returncode == 1
    assert f"{out} is in use by another run; wait for it, or give another --out" in notices
    assert first.poll() is None
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate()
    ids = [json.loads(line)["id"] for line in lines(out)]
    assert len(ids) == len(set(ids))


def test_records_of_a_later_version_are_refused_by_name(tmp_path: Path) -> None:
    file = toml(tmp_path / "later.toml", 2, RANDOM, 'search = "negamax"')
    run(read(file), tmp_path / "out", InlineExecutor())
    path = tmp_path / "out" / "records.jsonl"
    first, *others = lines(tmp_path / "out")
    later = json.dumps({**json.loads(first), "schema": 99, "weather": "fine"})
    path.write_text("\n".join([later, *others]) + "\n")
    with pytest.raises(ConfigError, match=r"records.jsonl:1: a record of schema 99, and this"):
        run(read(file), tmp_path / "out", InlineExecutor())
    assert "weather" in path.read_text()


# ---- Ctrl-C ---------------------------------------------------------------------------------


def test_ctrl_c_once_lets_the_games_in_progress_end(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    player = f'{slow(0.12)}\ndiary = "{diary}"'
    file, out = toml(tmp_path / "once.toml", 200, player, RANDOM), tmp_path / "out"
    runner = start(file, out, "--workers", "2")
    until(lambda: len(lines(out)) >= 2, runner)
    before = len(lines(out))
    os.killpg(runner.pid, signal.SIGINT)  # as a terminal does, to every process of the command
    printed, notices = runner.communicate(timeout=PATIENCE)
    assert runner.returncode == 130, notices
    after = len(lines(out))
    found = re.search(r"finishing (\d) games? in progress; Ctrl-C again drops them", notices)
    assert found, notices
    assert 0 < after - before <= 4
    assert f"{400 - after} games are left; the same command goes on from here" in notices
    assert "first seat" in printed
    assert "Ctrl-C interrupted it once.\n" in printed
    report = json.loads((out / "report.json").read_text())
    assert sum(row["played"] for row in report["pairings"]) == after
    assert "Traceback" not in notices


@pytest.mark.full
def test_sigterm_drops_them_and_reports(tmp_path: Path) -> None:
    file, out = toml(tmp_path / "term.toml", 200, slow(0.05), RANDOM), tmp_path / "out"
    runner = start(file, out, "--workers", "2")
    until(lambda: len(lines(out)) > 4, runner)
    own = until(lambda: len(found := workers(runner.pid)) == 2 and found, runner)
    runner.terminate()
    printed, notices = runner.communicate(timeout=PATIENCE)
    assert runner.returncode == 130, notices
    assert "Traceback" not in notices
    assert not any(map(alive, own))
    after = len(lines(out))
    assert f"{400 - after} games are left" in notices
    assert "SIGTERM interrupted it once" in printed
    report = json.loads((out / "report.json").read_text())
    assert sum(row["played"] for row in report["pairings"]) == after
    noted = [json.loads(line) for line in (out / "diary.jsonl").read_text().splitlines()]
    assert [note["what"] for note in noted] == ["began", "interrupted", "ended"]
    assert len(noted[1]["games"]) >= 1


@pytest.mark.full
def test_ctrl_c_twice_drops_the_games_in_progress(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    player = f'search = "scripted"\nname = "stuck"\nmisdeed = "stall"\nat = 1\ndiary = "{diary}"'
    file = toml(tmp_path / "twice.toml", 20, player, RANDOM, head="stall = 600")
    out = tmp_path / "out"
    notices = tmp_path / "notices"
    with notices.open("w") as said:
        runner = start(file, out, "--workers", "2", stderr=said)
    until(lambda: diary.exists() and len(diary.read_text().splitlines()) >= 4, runner)
    own = until(lambda: len(found := workers(runner.pid)) == 2 and found, runner)
    os.killpg(runner.pid, signal.SIGINT)
    until(lambda: "Ctrl-C again drops them" in notices.read_text(), runner)
    os.killpg(runner.pid, signal.SIGINT)
    runner.communicate(timeout=PATIENCE)
    assert runner.returncode == 130, notices.read_text()
    assert not any(map(alive, own))
    assert "games are left" in notices.read_text()
    assert "Traceback" not in notices.read_text()
    records = [Record.from_line(line) for line in lines(out)]
    assert all(not record.failed for record in records)
