"""Names found as people write them: case, accents and signs are of no account."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cached_property

from dragon.errors import closest


def folded(name: str) -> str:
    """Letters and digits alone, without case or accents.

    >>> folded('Maxx "C"'), folded("D.D. Crow")
    ('maxxc', 'ddcrow')
    """
    if name.isascii():
        return "".join(filter(str.isalnum, name.lower()))
    parts = unicodedata.normalize("NFKD", name.casefold())
    return "".join(filter(str.isalnum, parts))


class Names:
    """A list of names that is asked for places.

    >>> known = Names(["Effect Veiler", "D.D. Crow"])
    >>> known.find("dd crow"), known.find("Crow"), known.hint("Effekt Veiler")
    (1, None, "; did you mean 'Effect Veiler'?")
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    @cached_property
    def _exact(self) -> dict[str, int]:
        return {name: i for i, name in reversed(list(enumerate(self.names)))}

    @cached_property
    def _folded(self) -> dict[str, int]:
        return {folded(name): i for i, name in reversed(list(enumerate(self.names)))}

    def find(self, text: str) -> int | None:
        """The place of a name, as it stands or else as people write it."""
        exact = self._exact.get(text)
        if exact is not None:
            return exact
        plain = folded(text)
        return self._folded.get(plain) if plain else None

    def hint(self, text: str) -> str:
        """`; did you mean 'Effect Veiler'?` where a name is close."""
        near = closest(folded(text)[:80], self._folded)
        return f"; did you mean {self.names[self._folded[near]]!r}?" if near else ""
