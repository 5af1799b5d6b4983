"""Files that are written as a whole: whoever reads one sees the old one or the new one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

STDOUT = Path("-")
"""What commands call the standard output, where they are given the name of a file."""
DRAFT = ".tmp"
"""How the names of unfinished files end; a process that is killed may leave one."""


def draft_of(path: Path) -> Path:
    """Where a file may be written until it takes its place: nobody has one of this name."""
    return path.with_name(f"{path.name}.{os.urandom(6).hex()}{DRAFT}")


@contextmanager
def replacing(path: Path, mode: int = 0o666, sync: bool = False) -> Iterator[BinaryIO]:
    """A new file, which takes the place of `path` at the end, and is removed after an exception.

    A device or a pipe is written to as it is. mode: as of `os.open`. sync: whether the file must be
    on the disk before it takes the place. Raises OSError, which names `path`.
    """
    draft = draft_of(path)
    try:
        if path.exists() and not path.is_file():
            with open(path, "wb") as file:
                yield file
            return
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
    """Makes a file of that content, a text in UTF-8, as a whole, or prints it for STDOUT.

    Raises OSError, which names the file.
    """
    if path == STDOUT:
        import click  # which knows the encodings of terminals

        click.echo(content, nl=isinstance(content, str) and not content.endswith("\n"))
        return
    with replacing(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)
