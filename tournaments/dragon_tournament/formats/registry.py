"""The formats that are installed, by name; plugins add theirs by the hook `dragon_formats`."""

from __future__ import annotations

import inspect

import attrs
from attrs import frozen

from dragon.errors import UnknownName
from dragon.plugins import by_name, own_offers
from dragon_tournament.formats.format import Format
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

    @property
    def every_key(self) -> tuple[str, ...]:
        """The keys of all formats, each once."""
        return tuple(dict.fromkeys(key for keys in self.keys.values() for key in keys))


def installed() -> Installed:
    """The formats of all plugins; a class that is not a whole one is left out, with a warning."""

    def fits(value: object) -> bool:
        return (
            isinstance(value, type) and issubclass(value, Format) and not inspect.isabstract(value)
        )

    wanted = (
        "a class derived from dragon_tournament.formats.Format that defines `seatings`, or from "
        "StagedFormat that defines `meetings`"
    )
    offered = list(own_offers("dragon_formats", "dragon_tournament"))
    found: dict[str, type[Format]] = {each.name: each for each in OWN}
    if any(offer.value not in OWN for offer in offered):  # by_name takes 8 ms
        found = by_name("format", wanted, fits, offered)
    return Installed(found, {name: keys_of(cls) for name, cls in found.items()})


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
