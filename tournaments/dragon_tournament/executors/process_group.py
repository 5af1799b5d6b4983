"""The process group of a worker: all that it starts, so that it can be ended together.

A player may start processes: an engine, helpers, forks by mistake. A worker leads a session of
its own, which they belong to unless they leave it. Of those that leave, the worker stays the
ancestor, even of one whose parent has ended, where the system lets it adopt (Linux); they are
found as long as the worker lives. Where the system does not have /proc, only those of the worker's
own process group are found.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from dragon.process.worker import Died

SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of Linux: descendants that lose their parent become its children."""
PREFIX = "session-"
ROUNDS = 5
"""The number of passes through the list: a process may start another one meanwhile."""


def begin(folder: Path) -> None:
    """Make this process the leader of a session that adopts, and note it in `folder`."""
    if not hasattr(os, "setsid"):
        return
    with suppress(PermissionError):  # it leads one already
        os.setsid()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    with suppress(OSError):  # a full disk; the notes will tell
        (folder / f"{PREFIX}{os.getpid()}").write_text(_born(os.getpid()))


def all_in(folder: Path) -> Iterator[int]:
    """The leaders of the sessions noted in `folder`, except numbers that others have by now."""
    for note in folder.glob(f"{PREFIX}*"):
        leader = int(note.name.removeprefix(PREFIX))
        with suppress(OSError):
            if _born(leader) in ("", note.read_text()):
                yield leader


def end(leader: int, spare: int | None = None) -> None:
    """Kill every process of a session, and every descendant of its leader, except `spare`."""
    if not Path("/proc/self/stat").exists():
        if spare is None:
            with suppress(OSError):
                os.killpg(leader, signal.SIGKILL)
        return
    for _ in range(ROUNDS):
        left = [pid for pid in _members(leader) if pid != spare]
        if not left:
            return
        if leader in left:  # it would record how its engine died
            with suppress(OSError):
                os.kill(leader, signal.SIGSTOP)
        for pid in left:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)


def state(pid: int) -> str:
    """The state of a process by its letter in proc(5): T is stopped, Z has ended.

    Empty if there is no such process, or no /proc.
    """
    return "".join(_stat(pid)[:1])


def _members(leader: int) -> Iterator[int]:
    """The session's processes and the leader's descendants; the leader, who adopts, is the last."""
    found = {int(entry.name): _stat(int(entry.name)) for entry in Path("/proc").glob("[0-9]*")}
    running = {pid: fields for pid, fields in found.items() if fields and fields[0] != "Z"}
    members = {pid for pid, fields in running.items() if int(fields[3]) == leader}
    parents, size = {leader} & members, 0  # its number may be another's by now
    while len(parents) > size:
        size = len(parents)
        parents |= {pid for pid, fields in running.items() if int(fields[1]) in parents}
    yield from sorted(members | parents, key=lambda pid: pid == leader)


def _born(pid: int) -> str:
    """The time at which a process began, in ticks since the system did; empty if there is none."""
    fields = _stat(pid)
    return fields[19] if fields else ""


def _stat(pid: int) -> list[str]:
    """The fields of a process in proc(5), from the third one, the state."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


OUTSIDE = frozenset(
    getattr(signal, name) for name in ("SIGKILL", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""Signals that come from outside: the machine is closed down, or needs its memory back."""


def alive(pid: int) -> bool:
    """Return True if there is such a process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def death_of(wrong: BaseException) -> str:
    """Describe the death of a process as a sentence; `wrong` is what its pool raised."""
    if isinstance(wrong, Died):
        return str(wrong)
    return f"the process failed: {type(wrong).__name__}: {wrong}"


def by_outsider(wrong: BaseException) -> bool:
    """Return True if the process was ended from outside, as the signal shows."""
    return isinstance(wrong, Died) and -wrong.exitcode in OUTSIDE
