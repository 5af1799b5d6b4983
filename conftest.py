"""How tests are run: on which cores, beside which others, in what time, and leaving no process.

Fixtures that tests ask for by name are in `tests/conftest.py`; what is here concerns every test.
`tests/test_harness.py` shows that each part can fail.
"""

from __future__ import annotations

import atexit
import ctypes
import fcntl
import gc
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, TextIO

import pytest
from hypothesis import settings

TESTS = Path(__file__).parent / "tests"


def pytest_configure(config: pytest.Config) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # So a shell starts what it runs in the background, and every child would inherit it:
        # a Ctrl-C that a test sends to one would do nothing.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if LINUX:
        adopt()
    # Now, since what is collected depends on the tables that are kept; each session has its own.
    os.environ["DRAGON_DATA"] = tempfile.mkdtemp(prefix="dragon-tests-")
    # Whatever a test starts imports numpy, which would start a thread for each core.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # No example has a deadline: on a busy machine, or where it compiles, any may take a second.
    settings.register_profile("dragon", deadline=None)
    settings.load_profile("dragon")


def pytest_unconfigure(config: pytest.Config) -> None:
    """A worker that has told all ends at once: to free what it has made takes seconds."""
    if hasattr(config, "workerinput"):
        atexit.register(os._exit, 0)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[Any]:
    """What is collected stays to the end: to look for garbage in it takes a tenth of a run."""
    room = session.config.stash.get(ROOM, None)
    gc.disable()
    try:
        with room.first() if room else nullcontext():
            return (yield)
    finally:
        gc.freeze()
        gc.enable()


# ---- the cores -----------------------------------------------------------------------------------


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """A run of all tests uses all cores; one of named files is in this process, as is a debugger.

    It is done here and not by `addopts`, so that `-p no:xdist` remains possible.
    """
    option = config.option
    if (
        config.pluginmanager.hasplugin("xdist")
        and not hasattr(config, "workerinput")
        and option.numprocesses is None
        and not (option.tx or option.usepdb or option.trace or option.collectonly)
        and any(Path(argument).resolve() == TESTS for argument in config.args)
    ):
        option.numprocesses = cores() + 1  # for many tests wait, for processes or the clock


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# ---- the default run and the full one ------------------------------------------------------------


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem(collector: pytest.Collector) -> Iterator[Any]:
    """Marks the cases of a test that are none of its `samples` as `full`.

    A sample is the id of a case, where * stands for any letters, or a number: so many are the
    first. One that names no case is an error: it is misspelt, or its case has another id by now.
    """
    made = yield
    if isinstance(made, list) and made and (marker := made[0].get_closest_marker("samples")):
        ids = [item.name.partition("[")[2].removesuffix("]") for item in made]
        tried = set[int]()
        for sample in marker.args:
            found = [n for n, case in enumerate(ids) if is_sample(sample, n, case)]
            if not found:
                raise collector.CollectError(
                    f"{made[0].originalname}: no case is called {sample!r}, which is among the "
                    f"samples; there are {', '.join(ids)}"
                )
            tried.update(found)
        for number, item in enumerate(made):
            if number not in tried:
                item.add_marker(pytest.mark.full)
    return made


def is_sample(sample: int | str, number: int, case: str) -> bool:
    return number < sample if isinstance(sample, int) else fnmatchcase(case, sample)


# ---- the order, and tests that must run alone ----------------------------------------------------


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of pages, which are long, are the first; those that must run alone are the last.

    So all workers end at about the same time, and nobody waits long to be alone.
    """
    items.sort(
        key=lambda item: (
            item.get_closest_marker("alone") is not None,
            "browser" not in getattr(item, "fixturenames", ()),
        )
    )


class Room:
    """Where tests of several processes are at a time: many together, or one alone.

    Whoever wants to be alone waits for the others to leave and keeps the door shut meanwhile, so
    that none who came later goes first. Both are locks of the system, which end with a process.
    """

    def __init__(self, folder: Path) -> None:
        self.door, self.inside = (self._file(folder / name) for name in ("door", "inside"))

    @staticmethod
    def _file(path: Path) -> TextIO:
        return path.open("w")

    @contextmanager
    def first(self) -> Iterator[None]:
        """While whoever comes first is in it alone, or when that is over.

        So one process writes the bytecode of the tests, and the others read it.
        """
        try:
            fcntl.flock(self.inside, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(self.inside, fcntl.LOCK_SH)
        try:
            yield
        finally:
            fcntl.flock(self.inside, fcntl.LOCK_UN)

    @contextmanager
    def entered(self, alone: bool) -> Iterator[None]:
        """While this process is in it."""
        fcntl.flock(self.door, fcntl.LOCK_EX)
        try:
            fcntl.flock(self.inside, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        finally:
            fcntl.flock(self.door, fcntl.LOCK_UN)
        try:
            yield
        finally:
            fcntl.flock(self.inside, fcntl.LOCK_UN)


ROOM = pytest.StashKey[Room]()


@pytest.hookimpl(wrapper=True)
def pytest_sessionstart(session: pytest.Session) -> Iterator[None]:
    yield
    if hasattr(session.config, "workerinput"):
        # The workers' folders lie side by side.
        folder = session.config._tmp_path_factory.getbasetemp().parent  # type: ignore[attr-defined]
        session.config.stash[ROOM] = Room(folder)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    room = item.config.stash.get(ROOM, None)
    if room is None:  # one process runs all tests
        return (yield)
    with room.entered(item.get_closest_marker("alone") is not None):
        return (yield)


# ---- processes -----------------------------------------------------------------------------------

CHILDREN = Path("/proc/self/task")
LINUX = any(CHILDREN.glob("*/children"))
GRACE = 10.0
"""Seconds that a process may take which is ending by itself when its test is over."""
SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER: who has lost its parent becomes a child of this process."""
EXITING = 4
"""PF_EXITING among a process's flags: it is about to be a zombie."""
TRACKERS = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")
"""Processes that Python starts once and keeps."""
KEPT = set[int]()
"""Those of this process."""
FAILED = pytest.StashKey[bool]()


def adopt() -> None:
    """Makes orphans children of this process, so that nobody gets lost by losing its parent."""
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)


def child_ids(known: Iterable[int] = ()) -> set[int]:
    """The children of this process that are not known; some may have ended."""
    try:  # three times a test, and most have none
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return set()
    pids = list[bytes]()
    for thread in os.listdir(CHILDREN):
        with suppress(OSError), open(f"{CHILDREN}/{thread}/children", "rb", 0) as file:
            pids += file.read().split()
    return set(map(int, pids)) - KEPT.union(known)


def running(known: Iterable[int] = ()) -> dict[int, str]:
    """The children of this process that have not ended and are not known, and their commands."""
    found = {}
    for pid in child_ids(known):
        with suppress(OSError):  # it has just ended
            command = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip()
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            if any(name in command for name in TRACKERS):
                KEPT.add(pid)
            elif fields[0] != "Z" and not int(fields[6]) & EXITING:
                found[pid] = command
    return found


def end(known: Iterable[int]) -> None:
    """Ends every child that is not known, and the children of these."""
    deadline = time.monotonic() + GRACE
    while (left := running(known)) and time.monotonic() < deadline:
        for pid in left:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)  # whoever has started it may still wait for it
        time.sleep(0.01)


def leaves_none(known: Iterable[int], failed: bool) -> None:
    """Fails where a child is left that was not known; they are ended in any case."""
    deadline = time.monotonic() + GRACE
    while (left := running(known)) and not failed and time.monotonic() < deadline:
        time.sleep(0.01)
    if not left:
        return
    end(known)
    if not failed:
        listed = "\n".join(f"  {pid}: {command}" for pid, command in left.items())
        pytest.fail(f"processes are left behind, and were ended:\n{listed}", pytrace=False)


@pytest.fixture
def children() -> Callable[[], dict[int, str]]:
    """Gives the processes that this one has started, and orphans of these, while they run."""
    if not LINUX:
        pytest.skip("only where the system lists the children of a process in /proc")
    return running


@pytest.fixture(scope="module")
def keeps_processes() -> None:
    """For a fixture of a file whose processes come and go while tests run: an end is enough."""


@pytest.fixture(autouse=True, scope="module")
def _no_process_of_a_file_is_left() -> Iterator[None]:
    """What the fixtures of a file start, such as a server, may last as long as the file."""
    known = child_ids() if LINUX else set[int]()
    yield
    if LINUX:
        leaves_none(known, failed=False)


@pytest.fixture(autouse=True)
def _no_process_is_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a test starts, or a fixture of its own, ends with it."""
    known = child_ids() if LINUX else set[int]()
    yield
    if LINUX and "keeps_processes" not in request.fixturenames:
        leaves_none(known, failed=request.node.stash.get(FAILED, False))


# ---- budgets -------------------------------------------------------------------------------------

BUDGET = 10.0
"""Seconds of processor time that a test of the default run may take without a budget of its own."""
FULL = 60.0
"""Those that another one may take, which is marked `full`."""
LONGER = 10.0
"""How many times as long it may take by the clock.

Processor time is that of the test's process and of children that have ended. It hardly depends on
what else a machine does, unlike the clock's: five other processes on two cores make a test last
six times as long. But waiting costs no processor time, so a test that only waits is found by the
clock, with so much room that a busy machine makes none fail.
"""
BEGUN = pytest.StashKey[tuple[float, float]]()


def now() -> tuple[float, float]:
    """Processor time and the clock's."""
    return sum(os.times()[:4]), time.perf_counter()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    item.stash[BEGUN] = now()
    return (yield)


def overdrawn(item: pytest.Item) -> str | None:
    """What a test has taken beyond its budget, its setup included, in a sentence."""
    marker = item.get_closest_marker("budget")
    usual = FULL if item.get_closest_marker("full") else BUDGET
    budget = float(marker.args[0]) if marker else usual
    processor, clock = (
        later - begun for later, begun in zip(now(), item.stash[BEGUN], strict=True)
    )
    if processor <= budget and clock <= LONGER * budget:
        return None
    return (
        f"took {processor:.1f} seconds of processor time, {clock:.1f} by the clock; its budget is "
        f"{budget:g}, and {LONGER * budget:g} by the clock: make it quicker, or mark it "
        f"budget(seconds) and say why"
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Iterator[None]:
    report: Any = yield
    if report.when == "call":
        if report.passed and os.environ.get("CI") and (sentence := overdrawn(item)):
            report.outcome, report.longrepr = "failed", sentence
        item.stash[FAILED] = report.failed
    return report
