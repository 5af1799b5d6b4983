"""Files that are written as a whole: a reader sees the old one or the new one.

Until it is whole a file is a draft, beside its place. The name of a draft says which process
writes it, so that the next one to write there can remove what killed processes have left.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO

STDOUT = Path("-")
"""The name of a file by which commands mean the standard output."""
DRAFT = ".tmp"
"""The suffix of unfinished files; a process that is killed may leave one."""
SHOWN = 50
"""The letters of a file's name in the names of its drafts: some systems allow short names only."""
UNKNOWN = "00000000"
"""The start time in a draft's name where the system does not tell that of a process."""
_WRITER = r"\.([0-9a-f]{8})-([0-9a-f]{1,8})-([0-9a-f]{8})-[0-9a-f]{8}\.tmp"


def draft_of(path: Path) -> Path:
    """Return the path of a file's draft; no file has this name yet.

    It ends in machine, process and start time of the process, which `remove_lost` reads.
    """
    pid = os.getpid()
    writer = f"{_machine()}-{pid:x}-{_born(pid) or UNKNOWN}-{os.urandom(4).hex()}"
    return path.with_name(f"{path.name[:SHOWN]}.{writer}{DRAFT}")


def remove_lost(path: Path) -> None:
    """Remove the drafts of a file, or of a folder, whose writers have ended.

    A draft stays if its writer may be alive, or is of another machine that shares the folder.
    """
    begin = path.name[:SHOWN]
    with suppress(OSError):  # there is no such folder, or it cannot be listed
        names = [name for name in os.listdir(path.parent) if name.startswith(begin)]
        for name in names:
            writer = re.fullmatch(_WRITER, name[len(begin) :])
            if writer and writer[1] == _machine() and not _may_run(int(writer[2], 16), writer[3]):
                _remove(path.with_name(name))


def _remove(draft: Path) -> None:
    """Remove a file or folder, which another process may do at the same time."""
    with suppress(OSError):
        if draft.is_dir() and not draft.is_symlink():
            import shutil

            shutil.rmtree(draft, ignore_errors=True)
        else:
            draft.unlink()


def temporary_folder() -> Path:
    """Return a new folder for this user alone, and remove those that killed processes have left.

    It is named like a draft; its maker removes it.
    """
    import tempfile  # which takes its time, and is seldom needed

    place = Path(tempfile.gettempdir()) / "dragon"
    remove_lost(place)
    folder = draft_of(place)
    folder.mkdir(mode=0o700)
    return folder


@contextmanager
def scratch() -> Iterator[Path]:
    """Keep a temporary folder while the block runs."""
    folder = temporary_folder()
    try:
        yield folder
    finally:
        _remove(folder)


@cache
def _machine() -> str:
    """Return eight digits for this machine and its space of process numbers.

    Containers may share a folder and a name, and count processes each from 1.
    """
    try:
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        space = ""
    name = os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")
    return f"{zlib.crc32(f'{name} {space}'.encode()):08x}"


def _born(pid: int) -> str:
    """Return eight digits for the time when a process began; empty where the system does not tell.

    Numbers of processes are used again, after a restart of the machine in particular.
    """
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stat:
            state, *fields = stat.read().rpartition(")")[2].split()
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as boot:
            began = f"{boot.read()} {fields[18]}"
    except (OSError, ValueError, IndexError):
        return ""
    return "ended" if state in "ZX" else f"{zlib.crc32(began.encode()):08x}"


def _may_run(pid: int, born: str) -> bool:
    """Return whether the process with this number and start time may still run."""
    if os.name != "posix":
        return True  # os.kill of Windows would end it
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # it runs, as another user, so that it may not be signalled
    return born == UNKNOWN or _born(pid) in ("", born)


@contextmanager
def replacing(path: Path, mode: int = 0o666, sync: bool = False) -> Iterator[BinaryIO]:
    """Open a new file, which takes the place of `path` at the end; an exception removes it.

    A device or a pipe is written to as it is. mode: as of `os.open`. sync: whether the file must be
    on the disk before it takes the place. Raises OSError, which names `path`.
    """
    draft = draft_of(path)
    try:
        if path.exists() and not path.is_file():
            with open(path, "wb") as file:
                yield file
            return
        remove_lost(path)
        with open(draft, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            yield file
            if sync:
                file.flush()
                os.fsync(file.fileno())
        os.replace(draft, path)
    except OSError as error:
        if error.filename in (None, str(draft)):  # None: what was written did not fit
            error.filename, error.filename2 = str(path), None
        raise
    finally:
        with suppress(OSError):  # it has taken the place, or never was
            draft.unlink()


def write(path: Path, content: str | bytes) -> None:
    """Write a file of that content, a text in UTF-8, as a whole, or print it for STDOUT.

    Raises OSError, which names the file.
    """
    if path == STDOUT:
        import click  # which knows the encodings of terminals

        click.echo(content, nl=isinstance(content, str) and not content.endswith("\n"))
        return
    with replacing(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)
