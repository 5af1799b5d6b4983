"""Spec: the text of a game or search, its name and the parameters that are not defaults."""

from __future__ import annotations

import re
from typing import Any, ClassVar

import attrs

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
"""The names that can be typed in a spec."""


def literal(value: Any) -> str:
    """A value as a spec writes it: true, none, 'text', 1.5.

    >>> literal(None), literal(True), literal("uct"), literal((1, 2))
    ('none', 'true', "'uct'", '(1, 2)')
    """
    value = str(value) if isinstance(value, Named) else value
    return repr(value).lower() if value is None or isinstance(value, bool) else repr(value)


class Named:
    """An attrs value whose `str` is a spec: what users type, and what reads back as the value.

    >>> import dragon
    >>> str(dragon.search("alphabeta(depth=6)"))
    'alphabeta(depth=6)'
    """

    __slots__ = ()

    name: ClassVar[str]
    """The name that users type."""

    def __str__(self) -> str:
        shown = []
        for a in attrs.fields(type(self)):  # type: ignore[arg-type]
            given = getattr(self, a.name)
            if given != a.default:
                shown.append(f"{a.alias}={literal(given)}")  # attrs makes `rules` of `_rules`
        return f"{self.name}({', '.join(shown)})" if shown else self.name
