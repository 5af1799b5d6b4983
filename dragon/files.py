"""Files that are written as a whole: whoever reads one sees the old one or the new one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

DRAFT = ".tmp"
"""How the names of unfinished files end; a process that is killed may leave one."""


@contextmanager
def replacing(path: Path, mode: int = 0o666, sync: bool = False) -> Iterator[BinaryIO]:
    """A new file, which takes the place of `path` at the end, and is removed after an exception.

    mode: as of `os.open`. sync: whether it must be on the disk before it takes the place.
    """
    draft = path.with_name(f"{path.name}.{os.urandom(6).hex()}{DRAFT}")
    file = open(draft, "xb", opener=lambda name, flags: os.open(name, flags, mode))  # noqa: SIM115
    try:
        with file:
            yield file
            if sync:
                file.flush()
                os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
