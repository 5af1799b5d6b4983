"""Games on other machines: batches over any executor of futures, and a real Dask cluster."""

from __future__ import annotations

import concurrent.futures as cf
import json
import os
import pickle
import platform
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pluggy
import pytest
from attrs import evolve

from dragon import ConfigError, TournamentError, hookimpl
from dragon.errors import UnknownName
from dragon_tournament.config.reading import parse, read
from dragon_tournament.executors import remote
from dragon_tournament.executors.dask import DaskExecutor
from dragon_tournament.executors.executor import executor_of
from dragon_tournament.executors.futures import RETRIES, ROUNDS, FuturesExecutor
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.executors.remote import Batch, Played, play_batch
from dragon_tournament.executors.supervisor import BatchSize
from dragon_tournament.records.event_log import Incident, IncidentKind
from dragon_tournament.records.in_flight import InFlightLog
from dragon_tournament.records.record import Record
from dragon_tournament.runner import Observer, run
from dragon_tournament.schedule import Schedule
from dragon_tournament.tournament import Tournament

pytestmark = pytest.mark.usefixtures("scripted")
PATIENCE = 180.0
SMALL = {"game": "nim", "games": 10, "player": [{"search": "random"}, {"search": "negamax"}]}


def content(records: list[Record]) -> list[dict[str, Any]]:
    """Give what must not depend on where a game was played."""
    tables = [{**json.loads(record.to_line()), "seconds": 0, "host": ""} for record in records]
    return sorted(tables, key=lambda table: str(table["id"]))


class Silent(Observer):
    """Keep the notices."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, sentence: str) -> None:
        self.said.append(sentence)


def inline(tournament: Tournament) -> list[dict[str, Any]]:
    """The records of one process."""
    return content(list(InlineExecutor().map(tournament, Schedule(tournament).games())))


class Lossy(cf.Executor):
    """Plays a batch at once and in this process, or loses it as `fate` says."""

    def __init__(self, fate: Callable[[int, Batch], BaseException | None]) -> None:
        self.fate = fate
        self.batches: list[Batch] = []
        self.ended = False

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> cf.Future[Any]:
        assert fn is play_batch
        (batch,) = args
        self.batches.append(pickle.loads(pickle.dumps(batch)))
        future: cf.Future[Any] = cf.Future()
        wrong = self.fate(len(self.batches), batch)
        if wrong is not None:
            future.set_exception(wrong)
            return future
        of = batch.tournament
        records = tuple(of.referee.play(of, pairing, InFlightLog()) for pairing in batch.pairings)
        future.set_result(Played(records, 0.001 * len(records), VERSION, "here"))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.ended = True


VERSION = remote.version(remote.DISTRIBUTION)


def test_batches_grow_to_their_time_and_no_further() -> None:
    batches = BatchSize(2.0)
    sizes = []
    for _ in range(6):
        sizes.append(batches.size)
        batches.took(batches.size, 0.01 * batches.size)
    assert sizes == [1, 8, 64, 200, 200, 200]
    assert not batches.hasty
    batches.took(1, 60.0)
    assert batches.size == 1


def test_every_game_is_played_once_though_batches_are_lost() -> None:
    tournament = parse(SMALL)
    pool = Lossy(lambda n, _: ConnectionError("the machine is gone") if n % 3 == 2 else None)
    over = FuturesExecutor(pool, workers=2)
    come = list(over.map(tournament, Schedule(tournament).games()))
    records = [one for one in come if isinstance(one, Record)]
    assert content(records) == inline(tournament)
    assert len({record.id for record in records}) == len(records) == 20
    lost = [one for one in come if isinstance(one, Incident)]
    assert len(lost) == len(pool.batches) // 3
    assert {one.what for one in lost} == {IncidentKind.LOST}
    assert lost[0].detail == "ConnectionError: the machine is gone"
    assert pool.ended
    assert max(len(batch.pairings) for batch in pool.batches) > 1


def test_a_game_that_is_always_lost_is_set_aside_and_named(tmp_path: Path) -> None:
    """It is tried again when all others have ended, and ends nothing."""
    tournament = parse(SMALL)
    bad = next(Schedule(tournament).games()).id
    pool = Lossy(
        lambda _, batch: OSError("gone") if any(p.id == bad for p in batch.pairings) else None
    )
    said = Silent()
    outcome = run(tournament, tmp_path, FuturesExecutor(pool, workers=1), observer=said)
    assert (outcome.missing, outcome.aside, outcome.report.played) == (1, 1, 19)
    tries = [n for n, batch in enumerate(pool.batches) if any(p.id == bad for p in batch.pairings)]
    assert len(tries) == (RETRIES + 1) * (ROUNDS + 1)
    assert tries[-ROUNDS:] == list(range(len(pool.batches)))[-ROUNDS:]  # at the end
    assert any(f"the game {bad} (random - negamax) was lost with" in each for each in said.said)
    assert f"the game {bad} (" in (tmp_path / "report.md").read_text()
    pool.fate = lambda *_: None  # type: ignore[method-assign]
    again = run(tournament, tmp_path, FuturesExecutor(pool, workers=1))
    assert (again.missing, again.aside, again.report.played) == (0, 0, 20)


def test_a_game_that_was_set_aside_may_be_played_at_the_end() -> None:
    tournament = parse(SMALL)
    bad, tries = next(Schedule(tournament).games()).id, list[int]()

    def fate(number: int, batch: Batch) -> BaseException | None:
        if not any(p.id == bad for p in batch.pairings):
            return None
        tries.append(number)
        return OSError("gone") if len(tries) <= RETRIES + 1 else None

    come = list(
        FuturesExecutor(Lossy(fate), workers=1).map(tournament, Schedule(tournament).games())
    )
    assert content([one for one in come if isinstance(one, Record)]) == inline(tournament)
    assert not any(isinstance(o, Incident) and o.what is IncidentKind.ASIDE for o in come)


def test_a_game_that_a_cluster_has_given_up_is_found() -> None:
    """A cluster that tries a batch again by itself says at last that it has killed its workers."""

    class KilledWorker(Exception):
        pass

    tournament = parse(SMALL)
    bad = next(Schedule(tournament).games()).id
    pool = Lossy(
        lambda _, batch: KilledWorker() if any(p.id == bad for p in batch.pairings) else None
    )
    come = list(FuturesExecutor(pool, workers=1).map(tournament, Schedule(tournament).games()))
    (aside,) = [o for o in come if isinstance(o, Incident) and o.what is IncidentKind.ASIDE]
    assert aside.games == (bad,)
    assert sum(isinstance(one, Record) for one in come) == 19
    assert sum(any(p.id == bad for p in batch.pairings) for batch in pool.batches) == 1 + ROUNDS


def test_an_executor_that_has_broken_down_ends_the_run() -> None:
    tournament = parse(SMALL)
    pool = Lossy(lambda *_: cf.BrokenExecutor("no more processes"))
    with pytest.raises(TournamentError, match=r"futures takes no more games .*no more processes"):
        list(FuturesExecutor(pool).map(tournament, Schedule(tournament).games()))


def test_a_worker_without_the_plugin_or_with_another_version_is_told() -> None:
    tournament = parse(SMALL)
    pool = Lossy(lambda *_: ModuleNotFoundError("No module named 'dragon_nex'"))
    with pytest.raises(TournamentError, match=r"cannot read .*'dragon_nex'.* install the same"):
        list(FuturesExecutor(pool).map(tournament, Schedule(tournament).games()))


@pytest.mark.parametrize(
    ("there", "message"),
    [
        ({"version": "0.0.1"}, r"there:7 has dragon 0.0.1, and here is"),
        ({"sources": {"nim": "0" * 24}}, r"the code of nim is not the same at there:7 as here"),
    ],
)
def test_a_worker_with_other_code_is_told(there: dict[str, Any], message: str) -> None:
    tournament = parse(SMALL)
    pool = Lossy(lambda *_: None)
    submit = pool.submit

    def other(fn: Any, /, *args: Any, **kwargs: Any) -> cf.Future[Any]:
        future: cf.Future[Any] = cf.Future()
        future.set_result(evolve(submit(fn, *args).result(), place="there:7", **there))
        return future

    pool.submit = other  # type: ignore[method-assign]
    with pytest.raises(TournamentError, match=message):
        list(FuturesExecutor(pool).map(tournament, Schedule(tournament).games()))


@pytest.mark.full
def test_a_worker_tells_by_what_code_it_played() -> None:
    tournament = parse(SMALL)
    batch = Batch("code", pickle.dumps(tournament), (next(Schedule(tournament).games()),))
    with cf.ThreadPoolExecutor(1) as pool:
        played = pool.submit(play_batch, batch).result()
        pool.submit(lambda: remote._here.worker.close()).result()
    assert [record.host for record in played.records] == [platform.node()]
    assert played.sources == tournament.sources()
    assert set(played.sources) == {"nim"}  # searches of dragon's own go with its version


class Threads(cf.ThreadPoolExecutor):
    """An executor that a plugin may offer: of futures, with a name."""

    name = "threads"

    def __init__(self, workers: int = 2) -> None:
        super().__init__(workers)


@pytest.mark.full
def test_a_plugin_offers_any_executor_of_futures(monkeypatch: pytest.MonkeyPatch) -> None:
    class Plugin:
        @hookimpl
        def dragon_executors(self) -> list[Any]:
            return [Threads]

    from dragon import plugins

    manager: pluggy.PluginManager = plugins.build_manager()
    manager.register(Plugin())
    monkeypatch.setattr(plugins, "manager", cache(lambda: manager))
    monkeypatch.setattr(remote, "IDLE", 0.1)  # seconds until a thread's worker process ends
    deadly = {"search": "scripted", "name": "deadly", "misdeed": "die"}
    players = [*SMALL["player"], deadly]  # type: ignore[misc]
    games = [{"seats": ["random", other]} for other in ("deadly", "negamax")]
    tournament = parse({**SMALL, "games": 2, "player": players, "pairing": games})
    over = executor_of("threads", workers=1)
    try:
        records = list(over.map(tournament, Schedule(tournament).games()))
    finally:
        assert isinstance(over, FuturesExecutor)
    failed = [record for record in records if record.failed]
    assert len(records) == 4
    assert len(failed) == 2  # it dies where it is, and loses, and the thread plays on
    assert all("exit code 7" in record.detail for record in failed)
    with pytest.raises(ConfigError, match="the executor threads takes no --scheduler"):
        executor_of("threads", scheduler="tcp://127.0.0.1:1")
    with pytest.raises(UnknownName, match="no executor called 'thread'; did you mean 'threads'"):
        executor_of("thread")


@pytest.mark.full
def test_what_a_cluster_needs_is_told() -> None:
    tournament = parse(SMALL)

    def reason(executor: DaskExecutor) -> str:
        with pytest.raises((ConfigError, TournamentError)) as found:
            list(executor.map(tournament, Schedule(tournament).games()))
        return str(found.value)

    assert "--executor dask needs the scheduler's address: --scheduler tcp" in reason(
        DaskExecutor()
    )
    with socket.create_server(("127.0.0.1", 0)) as mute:  # which is no scheduler, and never answers
        silent = f"tcp://127.0.0.1:{mute.getsockname()[1]}"
        begun = time.monotonic()
        assert f"no Dask scheduler at {silent} (no answer)" in reason(
            DaskExecutor(scheduler=silent, connect=0.5)
        )
        secure = silent.replace("tcp", "tls")
        assert f"{secure} is not an address (TLS expects" in reason(DaskExecutor(scheduler=secure))
    for address in ("nowhere://x", "nonsense", "tcp://127.0.0.1", "tcp://127.0.0.1:99999"):
        assert f"{address} is not an address" in reason(DaskExecutor(scheduler=address))
    assert "(Connection refused); start one" in reason(DaskExecutor(scheduler=silent))
    assert "no Dask scheduler at tcp://none.invalid:1" in reason(
        DaskExecutor(scheduler="tcp://none.invalid:1")
    )
    assert time.monotonic() - begun < 15, "an answer at once: nobody is waited for"


@pytest.mark.full
def test_a_run_that_is_stopped_while_its_tournament_is_read_plays_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Plugins are imported then, which takes a while, and the worker still serves another run."""
    tournament = parse(SMALL)
    batch = Batch("stopped early", pickle.dumps(tournament), tuple(Schedule(tournament).games()))
    load = pickle.loads

    def stopped_meanwhile(data: bytes) -> Any:
        remote.drop(batch.run)
        return load(data)

    monkeypatch.setattr(remote.pickle, "loads", stopped_meanwhile)
    with pytest.raises(TournamentError, match="the run was stopped"):
        play_batch(batch)


def test_a_plugin_that_a_worker_lacks_is_named() -> None:
    batch = Batch("run", b"cno_such_plugin\nThing\n.", ())
    with pytest.raises(TournamentError, match=r"No module named 'no_such_plugin'\); install the"):
        play_batch(batch)


# ---- a real cluster -------------------------------------------------------------------------


class Cluster:
    """A Dask scheduler and workers on loopback, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
        deadline = time.monotonic() + PATIENCE
        while not (file.exists() and file.read_text().rstrip().endswith("}")):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        self.address = json.loads(file.read_text())["address"]

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        with (self.folder / "dask.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", *arguments, "--no-dashboard"],
                stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        self.processes.append(process)
        return process

    def worker(self, *options: str) -> subprocess.Popen[bytes]:
        """A worker of one thread."""
        directory = ("--local-directory", str(self.folder))
        return self.start("worker", self.address, "--nthreads", "1", *directory, *options)

    def close(self) -> None:
        """Kills all of them, with the processes that they have started."""
        while self.processes:
            process = self.processes.pop()
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    found = Cluster(tmp_path)
    yield found
    found.close()


@pytest.mark.full
def test_a_scheduler_that_died_is_waited_for(cluster: Cluster) -> None:
    tournament = parse({**SMALL, "games": 20})
    cluster.worker()
    over = DaskExecutor(scheduler=cluster.address, wait=PATIENCE)
    played: list[Record] = []
    port = cluster.address.rpartition(":")[2]
    for come in over.map(tournament, Schedule(tournament).games()):
        if not isinstance(come, Record):
            continue
        played.append(come)
        if len(played) == 1:
            for process in cluster.processes:  # the worker would end by itself, but when?
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            cluster.processes.clear()
            cluster.start("scheduler", "--host", "127.0.0.1", "--port", port)
            cluster.worker()
    assert content(played) == inline(tournament)


@pytest.mark.full
def test_a_cluster_that_loses_a_worker_comes_to_the_records_of_one_process(
    cluster: Cluster, tmp_path: Path
) -> None:
    file, out = tmp_path / "cluster.toml", tmp_path / "out"
    file.write_text(
        'games = 20\n[game]\nname = "nim"\n[[player]]\nsearch = "scripted"\ndelay = 0.02\n'
        '[[player]]\nsearch = "random"\n'
    )
    doomed = cluster.worker("--no-nanny")
    cluster.worker()  # with a nanny: its worker is a daemon, which may have no children
    options = ["--executor", "dask", "--scheduler", cluster.address, "--out", str(out)]
    runner = subprocess.Popen(
        [sys.executable, "-m", "dragon", "tournament", str(file), *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    path = out / "records.jsonl"
    deadline = time.monotonic() + PATIENCE
    while not (path.exists() and path.read_text().count("\n") > 5):
        assert runner.poll() is None, runner.communicate()[1]
        assert time.monotonic() < deadline
        time.sleep(0.01)
    doomed.kill()
    _, notices = runner.communicate(timeout=PATIENCE)
    assert runner.returncode == 0, notices
    assert "Traceback" not in notices
    records = [Record.from_line(line) for line in path.read_text().splitlines()]
    assert len(records) == 40
    happenings = json.loads((out / "report.json").read_text())["happenings"]
    assert "gone" in {happening["what"] for happening in happenings}
    assert "1 worker of the cluster went away (tcp://127" in (out / "report.md").read_text()
    run(read(file), tmp_path / "peace", InlineExecutor())
    peace = (tmp_path / "peace" / "records.jsonl").read_text().splitlines()
    assert content(records) == content([Record.from_line(line) for line in peace])


@pytest.mark.full  # workers are given the games themselves, and read no spec
def test_a_cluster_plays_what_a_file_of_the_user_says(cluster: Cluster, tmp_path: Path) -> None:
    (tmp_path / "puzzle.txt").write_text("a b c\na b\nc\na\nb c\n")
    file = tmp_path / "own.toml"
    game = f"cover(file='{tmp_path / 'puzzle.txt'}')"
    file.write_text(f'game = "{game}"\n[[player]]\nsearch = "dlx"\n[[player]]\nsearch = "count"\n')
    cluster.worker("--no-nanny")
    found = run(read(file), tmp_path / "out", DaskExecutor(scheduler=cluster.address))
    assert (found.report.played, found.report.failures) == (1, 0)
    assert "outside" not in (tmp_path / "out" / "report.html").read_text()


@pytest.mark.full
def test_a_tournament_moves_to_another_cluster_and_two_share_one(
    cluster: Cluster, tmp_path: Path
) -> None:
    """The records are those of one process, wherever and beside whatever they were made."""
    cluster.worker()
    path = tmp_path / "file.toml"
    path.write_text('games = 30\n[game]\nname = "nim"\n' + '[[player]]\nsearch = "random"\n' * 2)
    one = read(path)
    other = evolve(one, name="other", seed=1)
    over = DaskExecutor(scheduler=cluster.address)
    with cf.ThreadPoolExecutor(2) as pool:
        maps = [(each, iter(over.map(each, Schedule(each).games()))) for each in (one, other)]
        first = next(r for r in maps[0][1] if isinstance(r, Record))  # both are under way at a time
        lists = pool.map(lambda each: [r for r in each[1] if isinstance(r, Record)], maps)
        records = list(lists)
    assert content([first, *records[0]]) == inline(one)
    assert content(records[1]) == inline(other)

    half = {r.id: r for r in records[0][:15]}  # what is on record when the cluster goes away
    cluster.close()
    (folder := tmp_path / "second").mkdir()
    second = Cluster(folder)
    try:
        second.worker()
        left = (p for p in Schedule(one).games() if p.id not in half)
        rest = DaskExecutor(scheduler=second.address).map(one, left)
        records[0] = [*half.values(), *(r for r in rest if isinstance(r, Record))]
    finally:
        second.close()
    assert content(records[0]) == inline(one)


@pytest.mark.full
def test_a_second_ctrl_c_ends_the_games_on_the_cluster(cluster: Cluster, tmp_path: Path) -> None:
    diary, out = tmp_path / "asked", tmp_path / "out"
    file = stuck(tmp_path, diary)
    cluster.worker()
    options = ["--executor", "dask", "--scheduler", cluster.address, "--out", str(out)]
    command = [sys.executable, "-m", "dragon", "tournament", str(file), *options]
    printed, notices = interrupted_twice(command, diary)
    assert "Ctrl-C interrupted it once, and 1 game in progress dropped." in printed
    assert "may go on" not in notices
    assert not (out / "records.jsonl").read_text()


@pytest.mark.full
@pytest.mark.parametrize("kind", ["ProcessPoolExecutor", "ThreadPoolExecutor"])
def test_a_second_ctrl_c_ends_the_games_in_pools_of_python(tmp_path: Path, kind: str) -> None:
    diary = tmp_path / "asked"
    file = stuck(tmp_path, diary)
    script = tmp_path / "script.py"
    script.write_text(
        f"from concurrent.futures import {kind}\n"
        "from pathlib import Path\n"
        "from dragon_tournament.cli import ProgressBar\n"
        "from dragon_tournament.config.reading import read\n"
        "from dragon_tournament.executors.futures import FuturesExecutor\n"
        "from dragon_tournament.report.text import to_text\n"
        "from dragon_tournament.runner import run\n"
        "if __name__ == '__main__':\n"
        f"    over = FuturesExecutor({kind}(1), 1)\n"
        f"    out = run(read(Path({str(file)!r})), Path({str(tmp_path)!r}) / 'out', over, "
        "observer=ProgressBar())\n"
        "    print(to_text(out.report))\n"
    )
    printed, notices = interrupted_twice([sys.executable, str(script)], diary)
    assert "Ctrl-C interrupted it once, and 1 game in progress dropped." in printed
    assert notices.count("Ctrl-C again drops them") == 1  # none from the pool's own process


def stuck(folder: Path, diary: Path) -> Path:
    """A tournament that never gets beyond its first game, whose player notes its process."""
    file = folder / "stuck.toml"
    file.write_text(
        f'games = 5\nstall = 600\n[game]\nname = "nim"\n[[player]]\nsearch = "scripted"\n'
        f'misdeed = "stall"\nat = 1\ndiary = "{diary}"\n[[player]]\nsearch = "random"\n'
    )
    return file


def interrupted_twice(command: list[str], diary: Path) -> tuple[str, str]:
    """Give what a run prints that is stopped in its first game; fail if anything plays on."""
    deadline = time.monotonic() + PATIENCE
    runner = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert runner.stderr is not None
    while not stalled(diary):
        assert runner.poll() is None, runner.communicate()[1]
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.killpg(runner.pid, signal.SIGINT)
    first = ""
    while "Ctrl-C again drops them" not in first:
        first += runner.stderr.readline()
    os.killpg(runner.pid, signal.SIGINT)
    printed, notices = runner.communicate(timeout=PATIENCE)
    assert "Traceback" not in notices
    players = {int(line.split()[0]) for line in diary.read_text().splitlines()}
    while any(map(running, players)):
        assert time.monotonic() < deadline, "a game goes on"
        time.sleep(0.05)
    return printed, first + notices


def stalled(diary: Path) -> bool:
    """Tell if the player has been asked twice in a game; seed 0 is that of a process's first."""
    lines = diary.read_text().splitlines() if diary.exists() else []
    return sum(not line.endswith("\t0") for line in lines) == 2


def running(pid: int) -> bool:
    """Tell whether a process has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.full
def test_what_a_cluster_lacks_is_told(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers; a plugin, in a worker; in the end the scheduler."""
    tournament = parse(SMALL)
    lonely = DaskExecutor(scheduler=cluster.address, patience=0.5, connect=10.0)
    with pytest.raises(TournamentError, match=r"has no workers; start some: dask worker tcp://"):
        list(lonely.map(tournament, Schedule(tournament).games()))

    paths = os.environ["PYTHONPATH"].split(os.pathsep)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(p for p in paths if "scripted" not in p))
    cluster.worker()
    players = [{"search": "scripted"}, {"search": "random"}]
    scripted = parse({**SMALL, "player": players})
    over = DaskExecutor(scheduler=cluster.address)
    with pytest.raises(TournamentError, match=r"No module named 'scripted_players'\); install"):
        list(over.map(scripted, Schedule(scripted).games()))

    cluster.close()
    alone = evolve(lonely, connect=0.5)
    with pytest.raises(TournamentError, match=r"no Dask scheduler at tcp://.*; start one: dask"):
        list(alone.map(tournament, Schedule(tournament).games()))
