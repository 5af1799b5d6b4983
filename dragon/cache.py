"""The folders that are the user's: of data that plugins keep, and of compiled kernels.

Kernels have a folder for each stamp, shared by all processes.
Files are written under another name and renamed, with a fixed modification time that
numba's index compares. A folder that cannot be written is copied for the process.
"""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

log = logging.getLogger("dragon")
_FIXED_TIME = 1_000_000_000


def cache_folder() -> Path:
    """Where compiled kernels live: DRAGON_CACHE, or the user's cache folder."""
    import platformdirs

    given = os.environ.get("DRAGON_CACHE")
    return Path(given) if given else platformdirs.user_cache_path("dragon-search")


def data_folder() -> Path:
    """Where plugins keep what was costly to get: DRAGON_DATA, or the user's data folder."""
    import platformdirs

    given = os.environ.get("DRAGON_DATA")
    return Path(given) if given else platformdirs.user_data_path("dragon-search")


def settled(stamp: str, source: Path) -> Path:
    """The folder of a stamped source, written if need be; a temporary copy if it cannot be."""
    folder = cache_folder() / stamp
    try:
        _write(folder, source)
        _probe(folder)
    except OSError:
        return _temporary(stamp, folder, source)
    return folder


def _write(folder: Path, source: Path) -> None:
    target = folder / source.name
    folder.mkdir(parents=True, exist_ok=True)
    if target.exists() and target.stat().st_mtime == _FIXED_TIME:
        return
    handle, draft = tempfile.mkstemp(dir=folder, suffix=".tmp")
    with os.fdopen(handle, "wb") as out:
        out.write(source.read_bytes())
    os.utime(draft, (_FIXED_TIME, _FIXED_TIME))
    os.replace(draft, target)


def _probe(folder: Path) -> None:
    """Raises OSError where numba could not write its files."""
    (folder / "__pycache__").mkdir(exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=folder / "__pycache__", suffix=".tmp")
    os.close(handle)
    os.unlink(draft)


def _temporary(stamp: str, folder: Path, source: Path) -> Path:
    """A writable copy of `folder` for this process: numba cannot use a read-only cache."""
    copy = _temporary_root(folder.parent) / stamp
    _write(copy, source)
    for path in (folder / "__pycache__").glob("*.nb?"):
        (copy / "__pycache__").mkdir(exist_ok=True)
        shutil.copy2(path, copy / "__pycache__")
    _probe(copy)
    return copy


@cache
def _temporary_root(folder: Path) -> Path:
    root = Path(tempfile.mkdtemp(prefix="dragon-kernels-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    log.warning("cannot write the kernel cache %s; using a temporary copy this time", folder)
    return root
