"""Spec: the text of a game or search, its name and the parameters that are not defaults."""

from __future__ import annotations

from typing import ClassVar

import attrs


class Named:
    """An attrs value whose `str` is a spec: what users type, and what reads back as the value.

    >>> import dragon
    >>> str(dragon.search("alphabeta(depth=6)"))
    'alphabeta(depth=6)'
    """

    __slots__ = ()

    name: ClassVar[str]
    """What users type."""

    def __str__(self) -> str:
        shown = []
        for a in attrs.fields(type(self)):  # type: ignore[arg-type]
            given = getattr(self, a.name)
            if given != a.default:
                given = str(given) if isinstance(given, Named) else given
                text = str(given).lower() if isinstance(given, bool) else repr(given)
                shown.append(f"{a.alias}={text}")  # attrs makes `rules` of `_rules`
        return f"{self.name}({', '.join(shown)})" if shown else self.name
