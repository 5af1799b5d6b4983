"""Object code on disk: a file for each entry in the folder of its fingerprint.

Files are written under another name and renamed, so that processes that start at once never read
half a file; while one process makes an entry, others wait for it. A file is run as code, so it is
loaded only if it belongs to the user who runs dragon, no other user can write it, and the digest at
its beginning is right. The least recently used are removed when all take more than LARGEST.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from dragon.files import CACHE, DRAFT, cache_folder, in_cache, is_own, replacing

log = logging.getLogger("dragon")
LARGEST = 512 << 20
"""The most bytes that all object code may take."""
MAGIC = b"dragon object 1\n"
SUFFIX = ".object"
DAY = 86_400
RECENT = 200
"""Recently used files among which `usual_seconds` looks for a like one."""
PATIENCE, LOOK = 10.0, 0.01
"""Seconds that a process waits for another to make an entry, and between two looks."""


class Stored(NamedTuple):
    """A file of object code."""

    path: Path
    size: int
    used: float
    """The time of its last use, to a day, in seconds since 1970."""


def load(fingerprint: str, name: str, use: bool = True) -> tuple[Any, bytes] | None:
    """Return the description of an entry and its code; None without one that can be trusted.

    `use`: whether this counts as a use, for the order of removal.
    """
    path = cache_folder() / fingerprint / f"{name}{SUFFIX}"
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            if not is_own(status):
                return None
            data = file.read()
    except OSError:
        return None
    begin = len(MAGIC) + 32
    body = data[begin:]
    if data[:begin] != MAGIC + _digest(fingerprint, name, body):
        return None
    if use and time.time() - status.st_mtime > DAY:
        with suppress(OSError):  # a folder that can only be read is not bounded either
            os.utime(path)
    size = int.from_bytes(body[:4], "little")
    return json.loads(body[4 : 4 + size]), body[4 + size :]


def save(fingerprint: str, name: str, about: Mapping[str, Any], code: bytes) -> None:
    """Keep an entry, as far as the folder can be written; warn once if it cannot."""
    header = json.dumps(about).encode()
    body = len(header).to_bytes(4, "little") + header + code
    digest = _digest(fingerprint, name, body)
    try:
        with replacing(in_cache(fingerprint) / f"{name}{SUFFIX}", 0o600) as out:
            out.write(MAGIC + digest + body)
        # To look through all files takes longer than to write one. Digests are as good as
        # drawn, so it is done once in as many bytes as are a 64th of what is allowed.
        if int.from_bytes(digest[:8], "little") * LARGEST < (64 * len(body)) << 64:
            _bound()
    except OSError as wrong:
        _cannot_write(cache_folder(), wrong.strerror or str(wrong))


@contextmanager
def making(fingerprint: str, name: str) -> Iterator[None]:
    """Hold the lock of an entry while it is made; wait first if another process is making it.

    It only saves time: a process stops waiting after PATIENCE, since the other may have been
    stopped, and does not wait where the system lacks such locks or the folder is not writable.
    """
    with ExitStack() as held:
        with suppress(ImportError, OSError):
            import fcntl

            path = in_cache(fingerprint) / f"{name}{SUFFIX}{DRAFT}"
            lock = held.enter_context(path.open("wb"))
            held.callback(path.unlink, missing_ok=True)
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                with suppress(BlockingIOError):
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                time.sleep(LOOK)
        yield


def stored() -> list[Stored]:
    """All object code in the folder, the least recently used first."""
    return [each for each in _files() if each.path.suffix == SUFFIX]


def _files() -> list[Stored]:
    """List all files in those folders: numba's too, and what a killed process left."""
    found = []
    for path in (file for folder in _folders() for file in folder.rglob("*")):
        with suppress(OSError):  # another process was quicker
            status = path.lstat()
            if not stat.S_ISDIR(status.st_mode):
                found.append(Stored(path, status.st_size, status.st_mtime))
    return sorted(found, key=lambda each: each.used)


def _folders() -> list[Path]:
    return [
        folder
        for folder in sorted(cache_folder().glob("*"))
        if len(folder.name) == 24 and set(folder.name) <= {*"0123456789abcdef"}
        and folder.is_dir() and not folder.is_symlink()
    ]  # fmt: skip


def header_of(each: Stored) -> dict[str, Any]:
    """Return the description in a file, empty if it cannot be read: `template`, `label`, and the
    `seconds` that compiling took."""
    found = load(each.path.parent.name, each.path.name.removesuffix(SUFFIX), use=False)
    header: dict[str, Any] = found[0] if found else {}
    return header


def usual_seconds(template: str, name: str, otherwise: float) -> float:
    """Return the seconds that a kernel of this name last took to compile, for any game."""
    for each in islice(reversed(stored()), RECENT):
        header = header_of(each) if each.path.name.startswith(f"{name}-") else {}
        if header.get("template") == template and "seconds" in header:
            return float(header["seconds"])
    return otherwise


def clear() -> Iterator[Path]:
    """Remove the object code of all versions of dragon; yield the folders that are removed."""
    for folder in _folders():
        shutil.rmtree(folder)
        yield folder


def _digest(fingerprint: str, name: str, body: bytes) -> bytes:
    """Return the digest of a file's name and content, by which a damaged or renamed one is
    found."""
    return hashlib.sha256(f"{fingerprint}/{name}\n".encode() + body).digest()


def _bound() -> None:
    """Remove the least recently used files until the rest is small enough, and lost drafts."""
    files = _files()
    total, yesterday = sum(each.size for each in files), time.time() - DAY
    for each in files:
        if total > LARGEST or (each.path.suffix == DRAFT and each.used < yesterday):
            each.path.unlink(missing_ok=True)
            total -= each.size
            with suppress(OSError):  # others are in it
                each.path.parent.rmdir()


@cache
def _cannot_write(folder: Path, why: str) -> None:
    log.warning(
        "cannot write the kernel cache %s (%s); what is compiled is not kept; set %s to a folder "
        "that can be written", folder, why, CACHE,
    )  # fmt: skip
