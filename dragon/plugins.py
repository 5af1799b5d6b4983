"""The registry of installed plugins: games, searches, commands, and what else they offer.

Plugins are found by the entry-point group `dragon`. The variable DRAGON_PLUGINS, a
comma-separated list of entry-point names, limits loading to those (empty: none) and to the core's
own searches. Finding a single name loads its plugin alone, if `dragon.index` has it.

A plugin that is broken is left out, with one warning that names it; the others work.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import pluggy
from pluggy import HookImpl

from dragon import hookspecs, index
from dragon.compiler.location import author_place
from dragon.core import Game, Run, Search
from dragon.core.spec import NAME
from dragon.errors import PluginError, UnknownName, one_line
from dragon.inspection import fault, inspecting, place_of

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

    import click

GROUP = "dragon"
DISTRIBUTION = "dragon-search"
EXTRAS = {"openspiel": "openspiel"}
"""The extra that brings the package of a game, which is not listed without it."""
DOMAINS = "Domains"
"""The heading of a plugin's command that names no other."""
log = logging.getLogger("dragon")
T = TypeVar("T")


class Help(NamedTuple):
    """The entry of a command in `dragon --help`."""

    section: str
    """The heading under which it is listed."""
    line: str
    example: str
    """A command to try; empty if its own help has none."""

    @classmethod
    def of(cls, command: click.Command) -> Help:
        """Read the entry of a command: its attribute `section`, its help and its first example."""
        examples = (command.help or "").partition("Examples:\n")[2].strip()
        section = getattr(command, "section", DOMAINS)
        return cls(str(section), command.get_short_help_str(80), examples.partition("\n")[0])


class Offer(NamedTuple):
    """A value that a hook returned, and its plugin."""

    plugin: str
    value: Any
    place: str = ""
    """File and line of the hook, in parentheses."""


def entry_points(group: str) -> Iterable[EntryPoint]:
    """The installed entry points of a group."""
    from importlib.metadata import entry_points as installed  # 30 ms, which the index saves

    return installed(group=group)


@cache
def _found(finder: Callable[..., Iterable[EntryPoint]], path: tuple[str, ...]) -> list[EntryPoint]:
    """The entry points of dragon's group for a `sys.path`, looked for once in a process."""
    return list(finder(group=GROUP))


def build_manager(only: set[str] | None = None) -> pluggy.PluginManager:
    """A manager with every installed plugin that works, or the core's own and those in `only`.

    only: names of entry points. Raises UnknownName for a name in `only` that is not installed.
    """
    manager = _empty()
    entries = sorted(_found(entry_points, tuple(sys.path)), key=lambda e: e.name)
    for name in sorted((only or set()) - {e.name for e in entries} - {""}):
        raise UnknownName("plugin", name, {e.name for e in entries})
    for entry in entries:
        if not _wanted(entry.name, entry.value, only):
            continue
        try:
            plugin = load(entry)
        except PluginError as broken:
            warn_skipped(str(broken))
            continue
        if not manager.is_registered(plugin):
            manager.register(plugin, name=entry.name)
    return manager


def _empty() -> pluggy.PluginManager:
    manager = pluggy.PluginManager(GROUP)
    manager.add_hookspecs(hookspecs)
    return manager


def load(entry: EntryPoint) -> Any:
    """Import what an entry point names; raise PluginError where it fails or its hooks are wrong."""
    try:
        plugin = entry.load()
    except (Exception, SystemExit) as broken:  # a script, taken for a module, may well exit
        place = author_place(broken, entry.module)
        said = type(broken)(broken.msg) if isinstance(broken, SyntaxError) else broken
        raise PluginError(
            f"plugin {entry.name!r} ({place or entry.value}) cannot be imported: "
            f"{one_line(said)}; fix or uninstall it, or leave it out with DRAGON_PLUGINS",
            entry.name,
        ) from broken
    _check_hooks(plugin, entry.name)
    return plugin


@cache
def warn_skipped(sentence: str) -> None:
    """Warn, once in a process, of a part of a plugin that is left out, with the reason.

    Where DRAGON_TRACEBACK is set, the exception that is being handled is shown with its traceback.
    """
    if os.environ.get("DRAGON_TRACEBACK") and sys.exc_info()[1] is not None:
        log.warning("%s", traceback.format_exc().rstrip())
    log.warning("left out: %s", sentence)


def _check_hooks(plugin: Any, name: str) -> None:
    """Raise PluginError for a plugin without hooks, or with one that is never, or cannot be,
    called."""

    def refused(sentence: str) -> PluginError:
        return PluginError(f"plugin {name!r}{sentence}", name)

    hooks = [n for n in vars(hookspecs) if n.startswith("dragon_")]
    marks = (f"{GROUP}_impl", f"{GROUP}_spec")
    marked = [n for n in dir(plugin) if any(hasattr(getattr(plugin, n, None), m) for m in marks)]
    for hook in hooks:
        if callable(getattr(plugin, hook, None)) and hook not in marked:
            raise refused(
                f": {hook} has no @hookimpl above it, so it would never be called; write "
                f"`from dragon import hookimpl` and mark it"
            )
    if not marked:
        raise refused(
            f" has no hook, so it brings nothing; write one of {', '.join(hooks)} where its "
            f"entry point says, with @hookimpl above it"
        )
    for hook in marked:
        mark = getattr(getattr(plugin, hook), f"{GROUP}_impl", None) or {}
        if hook not in hooks and not mark.get("optionalhook"):
            raise refused(f": {UnknownName('hook', hook, hooks)}")
    try:
        _empty().register(plugin, name=name)
    except pluggy.PluginValidationError as wrong:
        raise refused(f": {' '.join(str(wrong).split())}; hooks take no arguments") from wrong


def own_plugins() -> set[str]:
    """The entry points that dragon's own distribution brings."""
    found = _found(entry_points, tuple(sys.path))
    # Asking a distribution for its name parses its metadata, by a parser of mail.
    own = {dist for dist in {e.dist for e in found} if dist and _name_of(dist) == DISTRIBUTION}
    return {e.name for e in found if e.dist in own}


def _name_of(dist: Distribution) -> str:
    """Return the name of a distribution, from the first lines of its metadata."""
    text = dist.read_text("METADATA") or dist.read_text("PKG-INFO") or ""
    named = re.search(r"^Name: *(.+?) *$", text, re.MULTILINE)
    return named[1] if named else dist.name


@cache
def manager() -> pluggy.PluginManager:
    """The process's own manager, built when it is first needed."""
    return build_manager(_only())


_OURS = manager, entry_points


def _only() -> set[str] | None:
    """The entry points that DRAGON_PLUGINS lists; None where it is not set."""
    listed = os.environ.get("DRAGON_PLUGINS")
    return None if listed is None else {name.strip() for name in listed.split(",")}


def _wanted(name: str, value: str, only: set[str] | None) -> bool:
    """Return True if an entry point is loaded: one of the core always is, others if `only` says so.

    value: where it is, `module` or `module:object`.
    """
    return only is None or name in only or value.startswith("dragon.")


def _lazy() -> bool:
    """Return True if plugins are loaded singly: until all are loaded, and not in tests with
    their own."""
    return (manager, entry_points) == _OURS and not manager.cache_info().currsize


@cache
def _read(path: tuple[str, ...]) -> dict[str, index.Entry] | None:
    """The index for a `sys.path`, read once in a process."""
    return index.read()


def _indexed() -> dict[str, index.Entry]:
    """The entries of the index that DRAGON_PLUGINS allows; none where all must be loaded."""
    kept = (_read(tuple(sys.path)) if _lazy() else None) or {}
    only = _only()
    if not (only or set()) - {""} <= kept.keys():
        return {}
    return {name: entry for name, entry in kept.items() if _wanted(name, entry.value, only)}


def find(hook: str, name: str, every: Callable[[], Mapping[str, T]]) -> T | None:
    """Return the offer of a name for a hook, or None; `every` gives all, from all plugins."""
    lazy = _lazy()
    knowing = (entry for entry in _indexed().values() if name in entry.offers.get(hook, ()))
    value: T | None = next((index.offered(entry, hook, name) for entry in knowing), None)
    if value is None:
        value = every().get(name)
        if lazy and value is not None:
            _renew(hook)
    return value


def helps(every: Callable[[], Mapping[str, click.Command]]) -> dict[str, Help]:
    """Return the help of each command that plugins offer; `every` gives the commands by name."""
    lazy = _lazy()
    hook = "dragon_commands"
    known = {k: Help(*v) for e in _indexed().values() for k, v in e.offers.get(hook, {}).items()}
    if not known:
        known = {name: Help.of(command) for name, command in every().items()}
        if lazy:
            _renew(hook)
    return dict(sorted(known.items()))


def _renew(asked: str) -> None:
    """Make the index again, unless it is empty because something was left out that has not changed.

    It lists everything except commands, whose listing takes as long as the rest together: they are
    added only after a command was looked up.
    """
    if _only() is None and _read(tuple(sys.path)) != {}:
        entries = list(entry_points(group=GROUP))
        if {e.name for e in entries} == {name for name, _ in manager().list_name_plugin()}:
            found = survey(entries, sorted({*index.HOOKS, asked}))
            index.write(found, {e.module for e in entries})


def survey(entries: Iterable[EntryPoint], hooks: Iterable[str]) -> dict[str, index.Entry]:
    """Return the offers of each plugin for some hooks; empty if anything is left out."""
    own = own_plugins()
    found = {e.name: index.Entry(e.value, e.name in own, {}) for e in entries}
    taken: dict[tuple[str, str], Any] = {}
    try:
        for hook in hooks:
            for entry in found.values():
                entry.offers[hook] = {}
            for each in getattr(manager().hook, hook).get_hookimpls():
                for value in each.function():
                    kept = _kept(hook, value, each.plugin_name in own)
                    found[each.plugin_name].offers[hook][value.name] = kept
                    if taken.setdefault((hook, value.name), value) is not value:
                        return {}
    except (Exception, SystemExit):  # reported when an offer of this plugin is wanted
        return {}
    return found


def _kept(hook: str, value: Any, own: bool) -> str | Help:
    """Return the entry of a value in the index; raise TypeError for one that is left out."""
    import click

    if isinstance(value, click.Command) and hook == "dragon_commands" and value.name:
        return Help.of(value)
    if hook in index.HOOKS and hook not in index.CLASSES and NAME.fullmatch(value.name):
        return ""
    kind = {"dragon_games": Game, "dragon_searches": Search}[hook]
    if not issubclass(value, kind) or not (own or _fault(value) is None):
        raise TypeError
    return f"{value.__module__}:{value.__qualname__}"


def _fault(cls: type) -> str | None:
    """Return the mistake in a Game or Search class of another plugin, or None.

    A game in the index is not tried again: it was tried, and its files have not changed.
    """
    return fault(cls, tries=False) if inspecting() else _known_fault(cls)


@cache
def _known_fault(cls: type) -> str | None:
    indexed = (_read(tuple(sys.path)) or {}).values()
    kept = [each for entry in indexed for held in entry.offers.values() for each in held.values()]
    return fault(cls, tries=f"{cls.__module__}:{cls.__qualname__}" not in kept)


def offers(hook: str) -> Iterator[Offer]:
    """Yield the offers of all plugins for a hook; for one that raises, warn."""
    for each in reversed(getattr(manager().hook, hook).get_hookimpls()):
        yield from _given(hook, str(each.plugin_name), each.function)


def _given(hook: str, plugin: str, function: Callable[[], Any]) -> Iterator[Offer]:
    """Yield a plugin's values for a hook; warn if it raises, or returns no list."""
    code = getattr(function, "__code__", None)
    where = f" ({code.co_filename}:{code.co_firstlineno})" if code is not None else ""
    who = f"{hook} of plugin {plugin!r}"
    try:
        given = function()
        several = isinstance(given, Iterable) and not isinstance(given, type | str | Mapping)
        values = list(given) if several else None
    except Exception as broken:  # whatever a plugin raises: say whose it is
        place = author_place(broken)
        where = f" ({place})" if place is not None else where
        warn_skipped(f"{who}{where}, which raised {one_line(broken)}")
        return
    if values is None:
        missing = "; is a `return` missing?" if given is None else ""
        warn_skipped(f"{who}{where}, which returned {given!r}; write a list, as in `return "
                     f"[{getattr(given, '__name__', 'Name')}]`{missing}")  # fmt: skip
        return
    yield from (Offer(plugin, value, where) for value in values)


def own_offers(hook: str, name: str | None = None) -> list[Offer]:
    """List the offers for a hook; by the index only plugins that have some are loaded.

    name: the one that is wanted; where it is dragon's own, no other plugin is loaded.
    """
    lazy, entries = _lazy(), _indexed()
    if entries and all(hook in entry.offers for entry in entries.values()):
        having = {plugin: entry for plugin, entry in entries.items() if entry.offers[hook]}
        own = {p: e for p, e in having.items() if e.own and name in e.offers[hook]}
        try:
            functions = {p: getattr(index.value_of(e), hook) for p, e in (own or having).items()}
            ordered = sorted(functions.items(), reverse=True)  # as pluggy has them
            return [offer for p, function in ordered for offer in _given(hook, p, function)]
        except (Exception, SystemExit):  # that it is broken is reported when all are loaded
            pass
    every = list(offers(hook))
    if lazy:
        _renew(hook)
    return every


def by_name(
    kind: str, wanted: str, fits: Callable[[Any], bool], offered: Iterable[Offer],
    taken: Collection[str] = (),
) -> dict[str, Any]:  # fmt: skip
    """Return the values that fit, by name; of two with one name dragon's own, else the first.

    The rest is left out, with a warning. kind, wanted: words for the kind of value, and for a right
    one. taken: names that dragon itself has for such things.
    """
    found: dict[str, Offer] = {}
    own = cache(own_plugins)  # which looks through all that is installed, and is seldom needed
    for offer in offered:
        plugin, value, place = offer
        name = getattr(value, "name", None)
        if name in taken:
            warn_skipped(f"the {kind} {name!r} of plugin {plugin!r}, for dragon has one")
            continue
        if not fits(value):
            warn_skipped(f"{value!r}, a {kind} of plugin {plugin!r}{place}; it must be {wanted}")
            continue
        foreign = (
            isinstance(value, type) and issubclass(value, Game | Search) and plugin not in own()
        )
        if foreign and (wrong := _fault(value)) is not None:
            warn_skipped(f"the {kind} {value.__name__} of plugin {plugin!r}: {wrong}")
            continue
        if not (isinstance(name, str) and NAME.fullmatch(name)):
            warn_skipped(
                f"the {kind} {value!r} of plugin {plugin!r}{place}: its name is {name!r}, which "
                "cannot be typed; begin with a letter, and go on with letters, digits, - and _"
            )
            continue
        other = found.setdefault(name, offer)
        if other.value is value:
            continue
        first, left = sorted((other, offer), key=lambda o: (o.plugin not in own(), o.plugin))
        has = "it has another" if first.plugin == left.plugin else f"{first.plugin!r} has one too"
        warn_skipped(
            f"the {kind} {name!r} of plugin {left.plugin!r}{left.place}, for {has}; rename one"
        )
        found[name] = first
    return {name: found[name].value for name in sorted(found)}


def _classes(kind: str, base: type, hook: str) -> dict[str, Any]:
    """The classes that plugins give for a kind of thing, by name; from the index where all plugins
    are dragon's own, which cannot be wrong."""
    indexed = _indexed().values()
    entries = indexed if all(entry.own for entry in indexed) else ()
    held = {name: each for each in entries for name in each.offers.get(hook, ())}
    listed = {name: index.offered(held[name], hook, name) for name in sorted(held)}
    if listed and None not in listed.values():
        return listed
    asked = getattr(manager().hook, hook).get_hookimpls()
    known = _known_classes.__wrapped__ if inspecting() else _known_classes
    return dict(known(kind, base, hook, own_plugins, *asked))


@lru_cache(maxsize=4)
def _known_classes(
    kind: str, base: type, hook: str, own: Callable[[], set[str]], *asked: HookImpl
) -> dict[str, Any]:
    """The classes for a hook, collected from plugins once; the last arguments decide the answer."""

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
    if (found := find("dragon_games", name, games)) is None:
        if name in EXTRAS:
            raise PluginError(
                f"the game {name!r} needs another package; "
                f'pip install "{DISTRIBUTION}[{EXTRAS[name]}]"'
            )
        known = games()
        also = {alias: cls.name for cls in known.values() for alias in cls.aliases}
        raise UnknownName("game", name, known, also)
    return found


def find_search(name: str) -> type[Search]:
    """The search class called `name`; raises UnknownName with a suggestion."""
    if (found := find("dragon_searches", name, searches)) is None:
        raise UnknownName("search", name, searches())
    return found


def why_no_start(search: Search, game: Game[Any]) -> str | None:
    """Say why a search of another plugin cannot be opened for a game; None if it can.

    Searches of dragon say so in their `objection`.
    """
    if type(search).__module__.partition(".")[0] == "dragon":
        return None
    try:
        run = search.open(game)
        if not isinstance(run, Run):
            raise PluginError(f"`open` returned {run!r}, which is not a Run")
        run.close()
    except Exception as raised:  # whatever a plugin raises
        place = author_place(raised) or place_of(type(search), "open")
        where = f" ({place})" if place is not None else ""
        return f"{search} cannot start{where}: {one_line(raised)}"
    return None
