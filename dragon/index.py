"""The index: which plugin offers which game, search, command, and part of a tournament.

It is kept in the cache folder.

With it, finding a name loads its own plugin alone. It is valid as long as the same distributions
are installed, and the files of all modules that the plugins had loaded are unchanged. For a name
that is not in it, all plugins are loaded. If a plugin is broken, or two offer the same name, it is
empty: then all plugins are loaded every time, with a message about what is left out.

If no other plugins are installed, nor OpenSpiel, it is not needed for games and searches: dragon
comes with the list of its own.
"""

from __future__ import annotations

import json
import os
import sys
import zlib
from collections.abc import Iterable
from contextlib import suppress
from functools import reduce
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from dragon.files import cache_folder, in_cache, replacing
from dragon.process import BEGUN
from dragon.sealed import Kind

KIND = Kind("an index of plugins", 1, "remove it, and it is made again")
FileState = list[int] | None
CLASSES = ("dragon_games", "dragon_searches")
HOOKS = (*CLASSES, "dragon_executors", "dragon_formats", "dragon_referees")
"""The hooks that it always has; it has commands once one was looked up."""
OWN = Path(__file__).with_name("own_plugins.json")
"""The offers of dragon's own plugins; written by `docs/generate.py`."""


class Entry(NamedTuple):
    """An entry point, and what its plugin offers."""

    value: str
    """The module, or `module:object`, that is the plugin."""
    own: bool
    """True if it came with dragon; its hooks then always return the same classes."""
    offers: dict[str, dict[str, Any]]
    """`module:class` by hook and name, for a command its help, nothing for a part of a tournament;
    a hook that was not called is missing."""


def read() -> dict[str, Entry] | None:
    """The entry points by name; None where nothing is known of them that still holds."""
    installed = _installed()
    path = _path(installed)
    try:
        kept = KIND.opened(path.read_bytes(), path, "plugins", "")
        holds = kept["installed"] == installed
        if holds and all(_file_state(file) == state for file, state in kept["files"].items()):
            return _entries(kept["plugins"])
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        pass  # the index is missing or damaged: all plugins are asked, and it is written again
    if _others(installed) or find_spec("pyspiel") is not None:  # with it dragon itself has more
        return None
    return _entries(json.loads(OWN.read_text(encoding="utf-8")))


def _entries(plugins: dict[str, Any]) -> dict[str, Entry]:
    return {
        name: Entry(value, own, {hook: dict(held) for hook, held in offers.items()})
        for name, (value, own, offers) in plugins.items()
    }


def write(plugins: dict[str, Entry], modules: Iterable[str]) -> None:
    """Keep an index, if the folder can be written and no file is younger than this process.

    modules: the modules of the plugins.
    """
    packages = {module.partition(".")[0] for module in modules}
    loaded = [m for name, m in list(sys.modules.items()) if name.partition(".")[0] in packages]
    files = {
        f: _file_state(f) for f in (getattr(module, "__file__", None) for module in loaded) if f
    }
    if not all(state and state[0] < BEGUN for state in files.values()):
        return
    installed = _installed()
    path = _path(installed)
    kept = {"installed": installed, "files": files, "plugins": plugins}
    with suppress(OSError):  # nothing depends on it
        in_cache()
        with replacing(path) as file:
            file.write(KIND.sealed("plugins", "", kept))


def offered(entry: Entry, hook: str, name: str) -> Any:
    """Return a plugin's value for a hook and a name; None where the index is out of date."""
    try:
        if entry.own and hook in CLASSES:  # the module of the class, and no other
            values = [_object(entry.offers[hook][name])]
        else:
            values = getattr(value_of(entry), hook)()
        return next((value for value in values if value.name == name), None)
    except (Exception, SystemExit):  # that it is broken is reported when all are loaded
        return None


def value_of(entry: Entry) -> Any:
    """Import the plugin of an entry."""
    return _object(entry.value)


def _object(value: str) -> Any:
    module, _, path = value.partition(":")
    return reduce(getattr, filter(None, path.split(".")), import_module(module))


def _path(installed: list[list[Any]]) -> Path:
    """Return the index's file: one for each set of folders with distributions, as environments
    differ."""
    folders = sorted({os.path.dirname(path) for path, _ in installed})
    return cache_folder() / f"plugins-{zlib.crc32(repr(folders).encode()):08x}.json"


def _installed() -> list[list[Any]]:
    """List each distribution and the state of its entry points, without importing what reads
    them."""
    found: list[list[Any]] = []
    for folder in map(os.path.abspath, sys.path):
        try:
            names = sorted(n for n in os.listdir(folder) if n.lower().endswith("-info"))
        except OSError:  # an archive, or nothing
            found += [[folder, state]] if (state := _file_state(folder)) else []
            continue
        paths = (os.path.join(folder, name) for name in names)
        found += [[path, _file_state(os.path.join(path, "entry_points.txt"))] for path in paths]
    return found


def _others(installed: list[list[Any]]) -> bool:
    """Return True if anything but dragon's own distribution has plugins, or may have."""
    for path, state in installed:
        if not path.lower().endswith("-info"):
            return True
        if state is None or os.path.basename(path).startswith("dragon_search-"):
            continue
        try:
            if b"[dragon]" in Path(path, "entry_points.txt").read_bytes():
                return True
        except OSError:
            return True
    return False


def _file_state(file: str) -> FileState:
    """Return the time of a file's last change, in nanoseconds, and its size; None without a
    file."""
    try:
        status = os.stat(file)
    except OSError:
        return None
    return [status.st_mtime_ns, status.st_size]
