"""The registry: which games, searches and commands are installed.

Plugins are found by the entry-point group `dragon`. The variable DRAGON_PLUGINS, a
comma-separated list of entry-point names, limits loading to those (empty: none).

A plugin that is broken is left out, with one warning that names it; the others work.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple

import pluggy

from dragon import hookspecs
from dragon.blame import told
from dragon.core import Game, Search
from dragon.errors import PluginError, UnknownName

GROUP = "dragon"
DISTRIBUTION = "dragon-search"
log = logging.getLogger("dragon")


class Offer(NamedTuple):
    """A value that a hook gave, and the plugin it came from."""

    plugin: str
    value: Any


def build_manager(only: set[str] | None = None) -> pluggy.PluginManager:
    """A manager with every installed plugin that works, or those of the entry points in `only`.

    Raises UnknownName for a name in `only` that is not installed.
    """
    manager = _empty()
    entries = sorted(entry_points(group=GROUP), key=lambda e: e.name)
    for name in sorted((only or set()) - {e.name for e in entries} - {""}):
        raise UnknownName("plugin", name, {e.name for e in entries})
    for entry in entries:
        if only is not None and entry.name not in only:
            continue
        try:
            plugin = load(entry)
        except PluginError as broken:
            leave_out(str(broken))
            continue
        if not manager.is_registered(plugin):
            manager.register(plugin, name=entry.name)
    return manager


def _empty() -> pluggy.PluginManager:
    manager = pluggy.PluginManager(GROUP)
    manager.add_hookspecs(hookspecs)
    return manager


def load(entry: EntryPoint) -> Any:
    """What an entry point names; raises PluginError where it fails, or its hooks are not ours."""
    try:
        plugin = entry.load()
    except (Exception, SystemExit) as broken:  # a script, taken for a module, may well exit
        raise PluginError(
            f"plugin {entry.name!r} ({entry.value}) cannot be imported: {told(broken)}; fix or "
            f"uninstall it, or leave it out with DRAGON_PLUGINS",
            entry.name,
        ) from broken
    _check_hooks(plugin, entry.name)
    return plugin


@cache
def leave_out(sentence: str) -> None:
    """Says, once in a process, what of a plugin is not used, and why.

    Where DRAGON_TRACEBACK is set, the exception that is being handled is shown whole.
    """
    if os.environ.get("DRAGON_TRACEBACK") and sys.exc_info()[1] is not None:
        log.warning("%s", traceback.format_exc().rstrip())
    log.warning("left out: %s", sentence)


def _check_hooks(plugin: Any, name: str) -> None:
    """Raises PluginError for a hook that nobody would call, or could, or where there is none."""
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
    for hook in marked:
        mark = getattr(getattr(plugin, hook), f"{GROUP}_impl", None) or {}
        if hook not in hooks and not mark.get("optionalhook"):
            raise PluginError(f"plugin {name!r}: {UnknownName('hook', hook, hooks)}", name)
    try:
        _empty().register(plugin, name=name)
    except pluggy.PluginValidationError as wrong:
        raise PluginError(
            f"plugin {name!r}: {' '.join(str(wrong).split())}; hooks take no arguments", name
        ) from wrong


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


def offers(hook: str) -> Iterator[Offer]:
    """What all plugins give for a hook; one that raises there gives nothing, and is told of."""
    for each in reversed(getattr(manager().hook, hook).get_hookimpls()):
        try:
            values = list(each.function())
        except Exception as broken:  # whatever a plugin raises: say whose it is
            leave_out(f"{hook} of plugin {each.plugin_name!r}, which raised {told(broken)}")
            continue
        yield from (Offer(str(each.plugin_name), value) for value in values)


def by_name(
    kind: str, wanted: str, fits: Callable[[Any], bool], offered: Iterable[Offer]
) -> dict[str, Any]:
    """What fits, by its name; of two with one name dragon's own, else that of the first plugin.

    The rest is told of and left out. `kind` and `wanted` say in words what it should be.
    """
    found: dict[str, Offer] = {}
    for offer in offered:
        plugin, value = offer
        name = getattr(value, "name", None)
        if not (isinstance(name, str) and name and fits(value)):
            leave_out(f"{value!r}, a {kind} of plugin {plugin!r}; it must be {wanted}")
            continue
        other = found.setdefault(name, offer)
        if other.value is value:
            continue
        own = own_plugins()
        taken, left = sorted((other, offer), key=lambda o: (o.plugin not in own, o.plugin))
        leave_out(
            f"the {kind} {name!r} of plugin {left.plugin!r}, for {taken.plugin!r} has one too"
        )
        found[name] = taken
    return {name: found[name].value for name in sorted(found)}


def _classes(kind: str, base: type, hook: str) -> dict[str, Any]:
    """The classes that plugins give for a kind of thing, by name."""

    def fits(value: Any) -> bool:
        return isinstance(value, type) and issubclass(value, base)

    wanted = f"a class of dragon.{base.__name__} with a name"
    return by_name(kind, wanted, fits, offers(hook))


def games() -> dict[str, type[Game[Any]]]:
    """Every installed game class by name."""
    return _classes("game", Game, "dragon_games")


def searches() -> dict[str, type[Search]]:
    """Every installed search class by name."""
    return _classes("search", Search, "dragon_searches")


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
