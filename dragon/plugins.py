"""The registry: which games, searches and commands are installed.

Plugins are found by the entry-point group `dragon`. The variable DRAGON_PLUGINS, a
comma-separated list of entry-point names, limits loading to those (empty: none).
"""

from __future__ import annotations

import os
from functools import cache
from importlib.metadata import entry_points
from typing import Any

import pluggy

from dragon import hookspecs
from dragon.core import Game, Search
from dragon.errors import PluginError, UnknownName

GROUP = "dragon"
DISTRIBUTION = "dragon-search"


def build_manager(only: set[str] | None = None) -> pluggy.PluginManager:
    """A manager with every installed plugin, or those of the entry points named in `only`."""
    manager = pluggy.PluginManager(GROUP)
    manager.add_hookspecs(hookspecs)
    entries = sorted(entry_points(group=GROUP), key=lambda e: e.name)
    for name in sorted((only or set()) - {e.name for e in entries} - {""}):
        raise UnknownName("plugin", name, {e.name for e in entries})
    for entry in entries:
        if only is not None and entry.name not in only:
            continue
        try:
            plugin = entry.load()
        except Exception as broken:  # whatever a plugin raises on import: say whose it is
            raise PluginError(
                f"plugin {entry.name!r} ({entry.value}) cannot be imported: "
                f"{type(broken).__name__}: {broken}; fix or uninstall it, or leave it out "
                f"with DRAGON_PLUGINS",
                entry.name,
            ) from broken
        _check_hooks(plugin, entry.name)
        if not manager.is_registered(plugin):
            manager.register(plugin, name=entry.name)
    try:
        manager.check_pending()
    except pluggy.PluginValidationError as unknown:
        raise PluginError(f"{unknown}; the hooks are those of dragon.hookspecs") from unknown
    return manager


def _check_hooks(plugin: Any, name: str) -> None:
    """Raises PluginError for a hook without its mark, which nobody would call, or for none."""
    hooks = [n for n in vars(hookspecs) if n.startswith("dragon_")]
    marked = [n for n in dir(plugin) if _is_marked(getattr(plugin, n, None))]
    for hook in hooks:
        if callable(getattr(plugin, hook, None)) and hook not in marked:
            raise PluginError(
                f"plugin {name!r}: {hook} has no @hookimpl above it, so it would never be "
                f"called; write `from dragon import hookimpl` and mark it",
                name,
            )
    if not marked:
        raise PluginError(
            f"plugin {name!r} has no hook, so it brings nothing; write one of "
            f"{', '.join(hooks)} where its entry point says, with @hookimpl above it",
            name,
        )


def _is_marked(function: Any) -> bool:
    return any(hasattr(function, f"{GROUP}_{mark}") for mark in ("impl", "spec"))


def own_plugins() -> set[str]:
    """The entry points that dragon's own distribution brings."""
    found = entry_points(group=GROUP)
    return {e.name for e in found if e.dist is not None and e.dist.name == DISTRIBUTION}


@cache
def manager() -> pluggy.PluginManager:
    """The process's own manager, built when first asked for."""
    listed = os.environ.get("DRAGON_PLUGINS")
    return build_manager(None if listed is None else {n.strip() for n in listed.split(",")})


def _named(kind: str, groups: list[list[Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for value in (v for group in groups for v in group):
        if not isinstance(getattr(value, "name", None), str):
            raise PluginError(
                f"a plugin offers {value!r} as a {kind}; it must be a class with a name"
            )
        if value.name in found and found[value.name] is not value:
            raise PluginError(
                f"two plugins define the {kind} {value.name!r}: "
                f"{found[value.name].__module__} and {value.__module__}",
                value.__module__,
            )
        found[value.name] = value
    return dict(sorted(found.items()))


def games() -> dict[str, type[Game[Any]]]:
    """Every installed game class by name."""
    return _named("game", manager().hook.dragon_games())


def searches() -> dict[str, type[Search]]:
    """Every installed search class by name."""
    return _named("search", manager().hook.dragon_searches())


def find_game(name: str) -> type[Game[Any]]:
    """The game class called `name`; raises UnknownName with a suggestion."""
    found: type[Game[Any]] = _find("game", name, games())
    return found


def find_search(name: str) -> type[Search]:
    """The search class called `name`; raises UnknownName with a suggestion."""
    found: type[Search] = _find("search", name, searches())
    return found


def _find(kind: str, name: str, known: dict[str, Any]) -> Any:
    if name not in known:
        raise UnknownName(kind, name, known)
    return known[name]
