"""Workers: every way in which one can end, and what becomes of its job and of the others."""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, wait
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dragon.process.worker import Died, Pool, Worker, bound_memory

WAIT = 60.0
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="as Linux does it")


def kill(number: int) -> None:
    os.kill(os.getpid(), number)


def leave(code: int) -> None:
    os._exit(code)


def crash() -> None:
    ctypes.string_at(0)


def stick() -> None:
    """Stay in C, with the lock of the interpreter."""
    ctypes.PyDLL(None).sleep(600)


def fork_and_die() -> None:
    """Leave a child that has all that its parent had open."""
    if os.fork() == 0:
        time.sleep(2)
        os._exit(0)
    os._exit(5)


class Odd(Exception):
    """One that cannot be had back from its pickle."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


def fail(kind: str) -> None:
    if kind == "odd":
        raise Odd(1, 2)
    raise SystemExit(4) if kind == "exit" else ValueError("a reason")


def take(megabytes: int) -> int:
    return len(bytearray(megabytes << 20))


def mark(path: Path, seconds: float = 0.0) -> int:
    with path.open("a") as file:
        file.write("x")
    time.sleep(seconds)
    return os.getpid()


def runs(pid: int) -> bool:
    """Tell whether there is such a process, and it is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until(condition: Callable[[], Any]) -> None:
    deadline = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.01)


@pytest.fixture
def pool() -> Iterator[Pool]:
    with Pool(1) as made:
        yield made


ENDS: dict[str, tuple[Callable[[], object], str]] = {
    "killed": (partial(kill, signal.SIGKILL), "the process was killed by SIGKILL"),
    "crashed": (crash, "the process was killed by SIGSEGV"),
    "left": (partial(leave, 3), "the process ended with exit code 3"),
    "left in peace": (partial(leave, 0), "the process ended with exit code 0"),
    "forked": (fork_and_die, "the process ended with exit code 5"),
}


def lost(pool: Pool, how: str) -> None:
    deed, sentence = ENDS[how]
    with pytest.raises(Died) as died:
        pool.submit(deed).result(WAIT)
    assert str(died.value) == sentence
    assert str(pickle.loads(pickle.dumps(died.value))) == sentence


@pytest.mark.full
@LINUX
def test_a_death_is_told_with_its_cause_and_the_next_job_is_done(pool: Pool) -> None:
    lost(pool, "left in peace")
    lost(pool, "crashed")
    first = pool.submit(os.getpid).result(WAIT)
    with pytest.raises(TimeoutError, match=r"no answer after 0\.2 seconds"):
        pool.submit(stick, seconds=0.2).result(WAIT)
    assert not runs(first)
    assert pool.submit(os.getpid).result(WAIT) != first


@LINUX
@pytest.mark.full
def test_other_deaths_are_told_too(pool: Pool) -> None:
    for how in ENDS:
        lost(pool, how)
    first = pool.submit(os.getpid).result(WAIT)
    os.kill(first, signal.SIGKILL)  # while it has nothing to do, which costs nothing
    until(lambda: not runs(first) and len(os.listdir(f"/proc/{first}/task")) == 1)
    assert pool.submit(os.getpid).result(WAIT) != first


@pytest.mark.full
def test_what_a_function_raises_comes_back_and_its_process_stays(pool: Pool) -> None:
    first = pool.submit(os.getpid).result(WAIT)
    with pytest.raises(ValueError, match="a reason"):
        pool.submit(fail, "value").result(WAIT)
    with pytest.raises(SystemExit):
        pool.submit(fail, "exit").result(WAIT)
    with pytest.raises(RuntimeError, match="Odd: 1 and 2"):
        pool.submit(fail, "odd").result(WAIT)
    with pytest.raises(TypeError, match="pickle"):
        pool.submit(open, os.devnull).result(WAIT)  # what it returns cannot be sent
    with pytest.raises((AttributeError, pickle.PicklingError)):
        pool.submit(lambda: None)
    assert pool.submit(os.getpid).result(WAIT) == first


def test_jobs_are_cancelled_whether_they_run_or_wait(pool: Pool, tmp_path: Path) -> None:
    running, waiting = pool.submit(time.sleep, WAIT), pool.submit(mark, tmp_path / "never")
    until(running.running)
    pool.cancel(waiting)
    pool.cancel(running)
    for job in (running, waiting):
        with pytest.raises(CancelledError):
            job.result(WAIT)
    assert pool.submit(abs, -1).result(WAIT) == 1
    assert not (tmp_path / "never").exists()


@LINUX
@pytest.mark.full
def test_memory_is_bounded() -> None:
    with Pool(1, partial(bound_memory, 200)) as bounded:
        assert bounded.submit(take, 20).result(WAIT) == 20 << 20
        with pytest.raises(MemoryError):
            bounded.submit(take, 2000).result(WAIT)
        assert bounded.submit(take, 20).result(WAIT) == 20 << 20


@pytest.mark.full
def test_a_process_that_cannot_begin_is_told() -> None:
    with Pool(1, partial(leave, 9)) as hopeless, pytest.raises(Died, match="exit code 9"):
        hopeless.submit(abs, -1).result(WAIT)


@pytest.mark.full
def test_a_death_is_the_end_of_one_job_alone(tmp_path: Path) -> None:
    with Pool(2) as pool:
        jobs = [pool.submit(mark, tmp_path / "done", 0.02) for _ in range(20)]
        jobs.insert(10, pool.submit(leave, 0))
        wait(jobs)
    assert [str(job.exception()) for job in jobs if job.exception()] == [
        "the process ended with exit code 0"
    ]
    assert (tmp_path / "done").read_text() == "x" * 20


@pytest.mark.full
def test_a_further_process_is_started_once_jobs_have_waited(tmp_path: Path) -> None:
    with Pool(4, patience=100.0) as pool:  # times as long as a process takes to start
        pool.submit(os.getpid).result(WAIT)
        quick = [pool.submit(mark, tmp_path / "quick") for _ in range(20)]
        assert len({job.result(WAIT) for job in quick}) == 1
    with Pool(4, patience=0.1) as pool:
        pool.submit(os.getpid).result(WAIT)
        slow = [pool.submit(mark, tmp_path / "slow", 5.0) for _ in range(2)]
        assert len({job.result(WAIT) for job in slow}) == 2


@pytest.mark.full
def test_the_end_of_a_pool_is_that_of_all_in_it(tmp_path: Path) -> None:
    ended: list[int] = []
    pool = Pool(1, ending=ended.append)
    jobs: list[Future[Any]] = [
        pool.submit(mark, tmp_path / "one", WAIT), pool.submit(mark, tmp_path / "other")
    ]  # fmt: skip
    until((tmp_path / "one").exists)
    pool.close()
    assert all(job.cancelled() or isinstance(job.exception(), CancelledError) for job in jobs)
    assert len(ended) == 1
    assert not runs(ended[0])
    with pytest.raises(RuntimeError, match="closed"):
        pool.submit(abs, -1)


def echo(pipe: Any, first: str) -> None:
    pipe.send(first)
    while True:
        pipe.send(pipe.recv() * 2)


def test_a_worker_has_a_conversation() -> None:
    worker = Worker(echo, "ready")
    assert worker.receive() == "ready"
    worker.send(4)
    assert worker.receive() == 8
    with pytest.raises(CancelledError):
        worker.receive(lambda: False)
    worker.send(None)  # it fails at that
    with pytest.raises(Died, match="exit code 1"):
        worker.receive()
    worker.end()
    worker.end()


PARENT = """
import os, sys, time
from concurrent.futures import wait
from functools import partial
from pathlib import Path
from dragon.process.worker import Pool
if __name__ == "__main__":
    sys.path.insert(0, {here!r})
    from test_worker import mark
    pool = Pool(1, orphaned=partial(mark, Path({left!r})))
    print(pool.submit(os.getpid).result(), flush=True)
    job = pool.submit(time.sleep, 600)
    while not job.done():  # a wait without an end may begin just after the signal
        wait([job], 0.1)
"""


@pytest.mark.full
@LINUX
@pytest.mark.parametrize(
    "number", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.full)]
)
def test_workers_end_with_whoever_started_them(tmp_path: Path, number: int) -> None:
    """However that ends; at Ctrl-C, which the whole terminal has, they leave it to their parent."""
    left = tmp_path / "left"
    code = PARENT.format(here=str(Path(__file__).parent), left=str(left))
    (tmp_path / "parent.py").write_text(code)
    command = [sys.executable, tmp_path / "parent.py"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        if number == signal.SIGKILL:
            parent.kill()
        else:
            os.killpg(parent.pid, number)
        parent.wait(WAIT)
        until(lambda: not runs(pid))
    assert left.exists() == (number == signal.SIGKILL)
