"""Session: a worker with everything it starts, so that all of it can be ended together.

A player may start processes: an engine, helpers, forks by mistake. A worker leads a session of
its own, which they belong to unless they take pains to leave it. Where the system has no /proc,
only those of the worker's own process group are found.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PREFIX = "session-"
ROUNDS = 5
"""How often the list is looked through: a process may start another one meanwhile."""


def begin(folder: Path) -> None:
    """Makes this process the leader of a session, and notes it in `folder`."""
    if not hasattr(os, "setsid"):
        return
    with suppress(PermissionError):  # it leads one already
        os.setsid()
    with suppress(OSError):  # a full disk; the journals will tell
        (folder / f"{PREFIX}{os.getpid()}").write_text(_born(os.getpid()))


def all_in(folder: Path) -> Iterator[int]:
    """The leaders of the sessions noted in `folder`; but for a number that is another's by now."""
    for note in folder.glob(f"{PREFIX}*"):
        leader = int(note.name.removeprefix(PREFIX))
        with suppress(OSError):
            if _born(leader) in ("", note.read_text()):
                yield leader


def end(leader: int, spare: int | None = None) -> None:
    """Kills every process of a session, but for `spare`."""
    if not Path("/proc/self/stat").exists():
        if spare is None:
            with suppress(OSError):
                os.killpg(leader, signal.SIGKILL)
        return
    for _ in range(ROUNDS):
        left = [pid for pid in _members(leader) if pid != spare]
        if not left:
            return
        for pid in left:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)


def stopped(pid: int) -> bool:
    """Whether a process is stopped, as by SIGSTOP; not known where the system has no /proc."""
    return _stat(pid)[:1] == ["T"]


def _members(leader: int) -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            fields = _stat(int(entry.name))
            if fields and int(fields[3]) == leader and fields[0] != "Z":
                yield int(entry.name)


def _born(pid: int) -> str:
    """When a process began, in ticks since the system did; empty where there is none."""
    fields = _stat(pid)
    return fields[19] if fields else ""


def _stat(pid: int) -> list[str]:
    """Its fields in proc(5), from the third one, the state."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
