"""The formats that are installed, by name; plugins add theirs by the hook `dragon_formats`."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

import attrs
from attrs import frozen

from dragon.errors import UnknownName
from dragon.plugins import by_name, own_offers
from dragon_tournament.formats.format import Format, StagedFormat
from dragon_tournament.formats.knockout import Knockout
from dragon_tournament.formats.round_robin import Gauntlet, Pairs, RoundRobin
from dragon_tournament.formats.swiss import Swiss

OWN = (RoundRobin, Gauntlet, Swiss, Knockout, Pairs)
"""The formats that come with dragon."""


@frozen
class Installed:
    """The installed formats by name, and the keys of a file that each takes."""

    classes: dict[str, type[Format]]
    keys: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, classes: dict[str, type[Format]]) -> Installed:
        """The formats of these classes by name."""
        return cls(classes, {name: keys_of(each) for name, each in classes.items()})

    @property
    def every_key(self) -> tuple[str, ...]:
        """The keys of all formats, each once."""
        return tuple(dict.fromkeys(key for keys in self.keys.values() for key in keys))


def installed(table: Mapping[str, Any] | None = None, others: Iterable[str] = ()) -> Installed:
    """The formats of all plugins; an incomplete class is left out, with a warning.

    table: a file that is read; plugins are not loaded for one that names a format of dragon's own,
        or none, and does not have other keys than those of such formats and `others`.
    """
    own = Installed.of({each.name: each for each in OWN})
    known = {*own.every_key, *others}
    if (
        table is not None
        and known.issuperset(table)
        and table.get("format") in [*own.classes, None]
    ):
        return own

    def fits(value: object) -> bool:
        return (
            isinstance(value, type) and issubclass(value, Format) and not inspect.isabstract(value)
        )

    wanted = (
        "a class derived from dragon_tournament.formats.Format that defines `seatings`, or from "
        "StagedFormat that defines `meetings`"
    )
    offered = own_offers("dragon_formats")
    if all(offer.value in OWN for offer in offered):  # by_name takes 8 ms
        return own
    return Installed.of(by_name("format", wanted, fits, offered))


def keys_of(cls: type[Format]) -> tuple[str, ...]:
    """The keys of a tournament file that are for a format: its fields."""
    return tuple(str(a.alias) for a in attrs.fields(cls))


def find_format(name: str) -> type[Format]:
    """Return the format class called `name`; raises UnknownName with a suggestion.

    Plugins are loaded only for a format that does not come with dragon.
    """
    own: dict[str, type[Format]] = {each.name: each for each in OWN}
    known = own if name in own else installed().classes
    if name not in known:
        raise UnknownName("format", name, known)
    return known[name]


def is_staged(name: object) -> bool:
    """Return True if results decide who meets next in the format of that name, if it is here."""
    try:
        return isinstance(name, str) and issubclass(find_format(name), StagedFormat)
    except UnknownName:  # of a plugin
        return False
