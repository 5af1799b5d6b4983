"""Worker processes: jobs that hang, die, eat memory or are left alone, and those after them."""

from __future__ import annotations

import queue
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from dragon.modes import jit_enabled
from dragon.web.pool import Job, Plan, Pool, Supervisor
from dragon.web.problem import Problem

MODULE = """
import os, time
from attrs import frozen
from dragon.page import whole

@frozen
class Asked:
    n: int = whole(1, least=0, most=10**9)

def pid(asked: Asked):
    return {"pid": os.getpid()}

def hang(asked: Asked):
    time.sleep(1000)

def search(asked: Asked):
    import dragon
    yield {"n": 0}
    game, search = [("peg_solitaire", "idastar"), ("hex(size=11)", "alphabeta(deepening=false)"),
                    ("hex(size=11)", "dfpn"), ("hex(size=11)", "mcts(simulations=10000000)"),
                    ("hex(size=11)", "montecarlo(simulations=100000000)")][asked.n]
    yield {"value": dragon.search(search).best(dragon.game(game).start(), dragon.Limit()).value}

def die(asked: Asked):
    os._exit(3)

def eat(asked: Asked):
    return {"length": len(bytearray(asked.n * 2**20))}

def fail(asked: Asked):
    raise RuntimeError("a secret of the inside")

def count(asked: Asked):
    for n in range(asked.n):
        time.sleep(0.02)
        yield {"n": n}

def speak(asked: Asked):
    import logging, threading
    said = logging.getLogger("dragon.test")
    def chatter():
        for n in range(asked.n):
            said.info("x" * 100_000)
    threads = [threading.Thread(target=chatter) for _ in range(3)]
    for each in threads:
        each.start()
    for n in range(asked.n):
        yield {"text": "y" * 100_000}
    for each in threads:
        each.join()

def flood(asked: Asked):
    for n in range(asked.n):
        yield {"n": n}
"""


@pytest.fixture
def pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pool]:
    (tmp_path / "busy_jobs.py").write_text(MODULE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    made = Pool(Plan("test", 1, 2, warm=("builtins:dict",), megabytes=200))
    made.start()
    yield made
    made.close()
    assert not any(each.thread.is_alive() for each in made.supervisors)


class Asker:
    """Put jobs into a pool and read what they say."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool

    def begin(self, name: str, seconds: float = 30.0, **given: Any) -> tuple[Job, Any]:
        messages: queue.Queue[tuple[Any, ...]] = queue.Queue()
        job = Job(f"busy_jobs:{name}", given, seconds, messages.put)
        self.pool.submit(job)
        return job, messages

    def ask(self, name: str, seconds: float = 30.0, **given: Any) -> tuple[str, Any]:
        """Give the end, and the last object or the problem."""
        job, messages = self.begin(name, seconds, **given)
        last = None
        while True:
            kind, *rest = messages.get(timeout=90)
            if kind == "note":
                continue
            if kind != "object":
                return kind, rest[0] if rest else last
            last = rest[0]
            job.room.release()

    def pid(self) -> int:
        kind, found = self.ask("pid")
        assert kind == "done"
        return int(found["pid"])


@pytest.fixture
def asker(pool: Pool) -> Asker:
    return Asker(pool)


def test_a_process_serves_job_after_job(asker: Asker) -> None:
    first = asker.pid()
    assert asker.ask("count", n=3) == ("done", {"n": 2})
    kind, problem = asker.ask("fail")
    assert (kind, problem.status) == ("failed", 500)
    assert "secret" not in problem.message
    kind, problem = asker.ask("count", n=-1)
    assert (kind, problem.status, problem.field) == ("failed", 400, "n")
    assert asker.pid() == first


@pytest.mark.full
def test_what_does_not_end_is_ended(asker: Asker) -> None:
    first = asker.pid()
    kind, problem = asker.ask("hang", seconds=0.3)
    assert (kind, problem.status) == ("failed", 422)
    assert "longer than 0.3 seconds" in problem.message
    assert asker.pid() != first


def test_a_generator_is_stopped_and_its_process_kept(asker: Asker) -> None:
    first = asker.pid()
    kind, last = asker.ask("count", seconds=0.5, n=1000)
    assert kind == "done"
    assert 0 < last["n"] < 500
    job, messages = asker.begin("count", n=100_000)
    assert messages.get(timeout=30) == ("object", {"n": 0})
    job.cancel()
    assert asker.pid() == first


@pytest.mark.full
@pytest.mark.parametrize("n", range(5))
def test_a_search_that_nobody_waits_for_ends_by_itself(asker: Asker, pool: Pool, n: int) -> None:
    """Though it has nothing to tell for long, and no other request waits."""
    first = asker.pid()
    job, messages = asker.begin("search", n=n)
    while messages.get(timeout=60)[0] != "object":
        pass
    time.sleep(0.3)
    job.cancel()
    begun = time.monotonic()
    while pool.state()["busy"] and time.monotonic() < begun + 20:
        time.sleep(0.01)
    assert not pool.state()["busy"]
    assert asker.pid() == first
    assert asker.ask("count", n=2) == ("done", {"n": 1})  # what comes next is not stopped


def test_who_dies_is_replaced(asker: Asker) -> None:
    kind, problem = asker.ask("die")
    assert (kind, problem.status) == ("failed", 500)
    assert asker.pid() > 0


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded where the system can")
def test_memory_is_bounded(asker: Asker) -> None:
    first = asker.pid()
    assert asker.ask("eat", n=20) == ("done", {"length": 20 * 2**20})
    kind, problem = asker.ask("eat", n=2000)
    assert (kind, problem.status) == ("failed", 422)
    assert "memory" in problem.message
    assert asker.pid() == first


@pytest.mark.full
def test_a_slow_reader_holds_the_search_up(asker: Asker) -> None:
    job, messages = asker.begin("flood", n=100_000)
    time.sleep(1.0)
    assert messages.qsize() <= 70  # not a hundred thousand
    job.cancel()
    assert asker.pid() > 0


def test_the_queue_is_bounded(asker: Asker, pool: Pool) -> None:
    running, _ = asker.begin("hang")
    while pool.state()["busy"] == 0:
        time.sleep(0.01)
    waiting = [asker.begin("pid")[0] for _ in range(2)]
    with pytest.raises(Problem, match="try again") as full:
        asker.begin("pid")
    assert full.value.status == 503
    assert full.value.headers["Retry-After"]
    for job in (running, *waiting):
        job.cancel()
    while pool.state()["waiting"]:
        time.sleep(0.01)
    assert asker.pid() > 0


def test_a_crowd_of_one_client_gives_way_to_others() -> None:
    """In the queue, and when a process is free again; the processes need not run for that."""
    pool = Pool(Plan("test", 2, 4))
    messages: list[tuple[str, Any]] = []

    def ask(client: str) -> None:
        def tell(message: tuple[Any, ...]) -> None:
            messages.append((client, message))

        pool.submit(Job("f", {}, 1.0, tell, client))

    for _ in range(6):  # two for the processes, and four that wait
        ask("greedy")
    pool.take()
    pool.take()
    with pytest.raises(Problem, match="try again"):
        ask("greedy")
    ask("one")
    ask("two")
    assert [client for client, _ in messages] == ["greedy", "greedy"]
    assert all((kind, wrong.status) == ("failed", 503) for _, (kind, wrong) in messages)
    with pytest.raises(Problem, match="try again"):  # nobody has more than a share
        ask("one")
    taken = [pool.take() for _ in range(4)]
    assert [job.client for job in taken if job] == ["one", "two", "greedy", "greedy"]
    for job in filter(None, taken):
        pool.done(job)
    assert pool.busy == 2


@pytest.mark.full
def test_who_has_left_takes_no_place_in_the_queue(asker: Asker, pool: Pool) -> None:
    """This happens while a person types: each letter asks, and gives up what was asked before."""
    running, _ = asker.begin("hang")
    while pool.state()["busy"] == 0:
        time.sleep(0.01)
    for _ in range(20):
        asker.begin("pid")[0].cancel()
    assert pool.state()["waiting"] == 0
    assert not pool.jobs
    _, messages = asker.begin("pid")
    assert pool.state()["waiting"] == 1
    running.cancel()
    assert messages.get(timeout=60)[0] == "object"


def test_without_a_queue_the_processes_still_answer(pool: Pool, asker: Asker) -> None:
    pool.plan = evolve(pool.plan, waiting=0)
    assert asker.pid() > 0
    running, _ = asker.begin("hang")
    while pool.state()["busy"] == 0:
        time.sleep(0.01)
    with pytest.raises(Problem, match="0 requests wait"):
        asker.begin("pid")
    running.cancel()


@pytest.mark.full
def test_a_supervisor_outlives_what_goes_wrong_with_a_job(
    asker: Asker, pool: Pool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(job: Job) -> None:
        raise RuntimeError("a secret of the inside")

    first = asker.pid()
    with monkeypatch.context() as patch:
        patch.setattr(pool.supervisors[0], "follow", broken)
        kind, problem = asker.ask("pid")
    assert (kind, problem.status) == ("failed", 500)
    assert "secret" not in problem.message
    assert "secret" in caplog.text
    assert asker.pid() != first


def test_who_still_waits_at_the_end_is_told(asker: Asker, pool: Pool) -> None:
    asker.begin("hang")
    while pool.state()["busy"] == 0:
        time.sleep(0.01)
    _, messages = asker.begin("pid")
    pool.close()
    kind, problem = messages.get(timeout=1)
    assert (kind, problem.status) == ("failed", 503)
    ended = {"processes": 1, "ready": 0, "busy": 0, "waiting": 0, "starting": None}
    assert pool.state() == ended
    with pytest.raises(Problem, match="shutting down"):
        asker.begin("pid")


STARTING = """
import time
from pathlib import Path
from dragon.compiler.specialise import announced

def warm():
    with announced(lambda: "compiling this for that"):
        while not Path(__file__).with_name("go").exists():
            time.sleep(0.01)
"""


def test_a_start_says_what_it_compiles_and_how_long_it_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "busy_jobs.py").write_text(MODULE)
    (tmp_path / "slow_start.py").write_text(STARTING)
    monkeypatch.syspath_prepend(str(tmp_path))
    pool = Pool(Plan("test", 1, 2, warm=("slow_start:warm",)))
    assert pool.state()["starting"] is None
    pool.start()
    try:
        while "this for that" not in (said := pool.state()["starting"] or ""):
            assert not pool.state()["ready"]
            time.sleep(0.01)
        pool.supervisors[0].since = time.monotonic()  # other programs may have held it up
        said = pool.state()["starting"] or ""
        assert re.fullmatch(
            r"the server is starting, now compiling this for that: \d+ s so far, of about 2 s "
            r"where nothing is compiled yet", said
        )  # fmt: skip
        pool.supervisors[0].since -= 60
        assert re.search(r": 6\d s so far, more than the usual 2 s$", pool.state()["starting"])
        (tmp_path / "go").touch()
        assert Asker(pool).pid() > 0
        assert pool.state()["starting"] is None
    finally:
        pool.close()


@pytest.mark.full
@pytest.mark.skipif(not jit_enabled(), reason="without the compiler nothing is compiled")
def test_what_is_compiled_for_all_pages_is_told_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRAGON_CACHE", str(tmp_path))
    said: list[str] = []
    doing = property(lambda each: said[-1], lambda each, sentence: said.append(sentence))
    monkeypatch.setattr(Supervisor, "doing", doing, raising=False)
    pool = Pool(Plan("test", 1, 2, warm=("dragon.web.play:warm_up",)))
    pool.start()
    try:
        while not pool.state()["ready"]:
            time.sleep(0.05)
    finally:
        pool.close()
    kinds = {each.rpartition(", about ")[0] for each in said}
    assert "compiling mcts for tictactoe" in kinds


def test_threads_of_a_process_do_not_talk_into_each_other(asker: Asker) -> None:
    assert asker.ask("speak", n=40) == ("done", {"text": "y" * 100_000})
    assert asker.pid() > 0


@pytest.mark.full
@pytest.mark.parametrize("presses", [pytest.param(1, marks=pytest.mark.full), 3])
def test_ctrl_c_ends_the_server_in_peace(serve: Callable[..., Any], presses: int) -> None:
    """However often it is pressed: a line, the code of an interruption, no process left."""
    server = serve("--workers", "1")
    server.warm()
    for _ in range(presses):
        server.process.send_signal(signal.SIGINT)
        time.sleep(0.05)
    assert server.process.wait(30) == 130
    assert server.log.read_text().splitlines()[-1] == "interrupted"
    assert "Traceback" not in server.log.read_text()
