"""The user's folders: for compiled code, and for data that plugins keep."""

from __future__ import annotations

import atexit
import logging
import os
import shutil
from contextlib import suppress
from functools import cache
from pathlib import Path

from dragon.files import temporary_folder

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
    """Return what to do where a file cannot be written: one of dragon's own folders has a variable.

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
