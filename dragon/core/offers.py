"""Return values of optional methods of a game or its notation: clicks, drawings, transcripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from attrs import field, frozen


@frozen
class Clicks:
    """The cells of a drawing that may be clicked next, or the move that is complete."""

    cells: tuple[str, ...] = ()
    """Names of cells; empty where nothing may, or need, be clicked."""
    move: str | None = None
    """The move that the chosen cells make."""
    hint: str = ""
    """The object of the next click, in a few words: `a neutral stone to convert`."""
    others: tuple[str, ...] = ()
    """Legal moves to choose from without a further click: `swap`, or `b7b8q` and `b7b8r`, whose
    cells are chosen already."""


Place: TypeAlias = tuple[str, tuple[int, ...]] | tuple[str, tuple[int, ...], int]
"""A field of a record, an index in it, and for a set of 64 bits, the bit."""


@frozen
class Sum:
    """A sum of numbers of a record, and its text in a drawing."""

    places: Mapping[Place, int]
    """The factor of each number: -1 subtracts it."""
    shown: Mapping[int, str] | None = None
    """The text for each sum, nothing for others; None: its digits."""

    def text(self, s: Any) -> str:
        """The text of the sum in a drawing of the record `s`.

        >>> import numpy as np
        >>> s = {"men": np.array([[4, 0], [1, 2]])}
        >>> Sum({("men", (0, 0)): 1, ("men", (1, 1)): -1}).text(s)
        '2'
        """
        total = self.total(s)
        return str(total) if self.shown is None else self.shown.get(total, "")

    def total(self, s: Any) -> int:
        """The sum in the record `s`."""
        total = 0
        for (name, index, *bits), factor in self.places.items():
            number = int(s[name][index])
            total += factor * (number >> bits[0] & 1 if bits else number)
        return total


Part: TypeAlias = str | Sum
"""A part of a drawing: text, or a sum."""


def drawn(parts: Iterable[Part], s: Any) -> str:
    """Return the parts of a drawing of the record `s`, joined."""
    return "".join(part if isinstance(part, str) else part.text(s) for part in parts)


@frozen
class Transcript:
    """A game from its beginning, finished or not."""

    game: str
    """Its spec."""
    moves: tuple[str, ...] = ()
    """All moves, those of chance too."""
    start: str = ""
    """The position it began with; empty: the usual one."""
    deal: int = 0
    """The seed of the deal."""
    players: tuple[str, ...] = ()
    """The name of the player at each seat."""
    result: str = ""
    """The end of the game, in words; not read again."""
    tags: Mapping[str, str] = field(factory=dict)
    """Further tags of the game, by name: Event, Date."""
    comments: Mapping[int, str] = field(factory=dict)
    """By the number of moves before it; 0: before the first move."""
