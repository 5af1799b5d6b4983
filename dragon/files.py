"""Files that are written as a whole: a reader sees the old one or the new one; the user's folders.

Until it is whole a file is a draft, beside its place. The name of a draft says which process
writes it, so that the next one to write there can remove what killed processes have left.
"""

from __future__ import annotations

import atexit
import logging
import os
import re
import shutil
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
"""The start time in a draft's name where the system does not report that of a process."""
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
    """Return eight digits for the time when a process began; empty where the system does not report
    it.

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


log = logging.getLogger("dragon")
CACHE, DATA = "DRAGON_CACHE", "DRAGON_DATA"
"""The variables of the environment that name these folders."""
NAME = "dragon-search"


def data_folder() -> Path:
    """The folder for data that were expensive to get: DRAGON_DATA, or the user's data folder."""
    import platformdirs

    given = os.environ.get(DATA)
    return Path(given) if given else platformdirs.user_data_path(NAME)


def cache_folder() -> Path:
    """The folder for object code: DRAGON_CACHE, or the user's cache folder.

    Its content is run as code. So a folder that another user can write to is replaced by a
    temporary one, for this process and those it starts.
    """
    given = os.environ.get(CACHE)
    if given:
        folder = Path(given)
    else:
        import platformdirs

        folder = platformdirs.user_cache_path(NAME)
    with suppress(OSError):  # it is not there yet, or cannot be read
        if not is_own(os.stat(folder), (0,)):
            return _instead_of(folder)
    return folder


def in_cache(name: str = "") -> Path:
    """Return a folder in the cache, made if it is not there, which only this user can write to."""
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    (folder / name).mkdir(exist_ok=True, mode=0o700)
    return folder / name


def remedy_for(path: Path | str) -> str:
    """Return the remedy where a file cannot be written: dragon's own folders have variables.

    >>> remedy_for("/a.table"), remedy_for(data_folder() / "tables" / "hex.table")
    ('give another path', 'set DRAGON_DATA to a folder that can be written')
    """
    if data_folder().absolute() in Path(path).absolute().parents:
        return f"set {DATA} to a folder that can be written"
    return "give another path"


def is_own(status: os.stat_result, trusted: tuple[int, ...] = ()) -> bool:
    """Return True if a file belongs to this user, or a trusted one, and no other can write it."""
    if not hasattr(os, "geteuid"):
        return True  # on Windows the user's folder is the user's
    return status.st_uid in (os.geteuid(), *trusted) and not status.st_mode & 0o022


@cache
def _instead_of(folder: Path) -> Path:
    """Return a temporary folder of this process, for its children too; it is removed at the end."""
    private = temporary_folder()
    atexit.register(shutil.rmtree, private, ignore_errors=True)
    os.environ[CACHE] = str(private)
    log.warning(
        "the cache %s is not used, for others could have written to it; take it over with chown "
        "and chmod go-w, or set %s to another folder", folder, CACHE,
    )  # fmt: skip
    return private
