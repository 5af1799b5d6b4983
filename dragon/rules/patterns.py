"""Patterns: which pieces of a puzzle are kept where a pattern database forgets the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import field, frozen

from dragon.errors import PluginError

MOST_ENTRIES = 1 << 27
"""Of a table, which has a byte for each: the cells to the power of the pieces that it keeps."""


@frozen
class Patterns:
    """Groups of pieces, each of which gets a table of how many moves of its own it still needs.

    A record's field holds the number of the piece on each cell; 0 is the gap. A move takes one
    piece into the gap, costs one unit, and can be taken back; so the moves that the groups need
    can be added (Korf and Felner 2002).

    >>> Patterns("tiles", ((1, 2, 3), (4, 5)), lambda record: None).of(5)
    1
    """

    field: str
    """The field of the record, u1[cells]."""
    groups: tuple[tuple[int, ...], ...] = field(converter=lambda g: tuple(map(tuple, g)))
    """The pieces that are kept together; no piece is in two groups."""
    goal: Callable[[Any], None]
    """Makes a record the one that is to be reached; plain Python."""

    def __attrs_post_init__(self) -> None:
        kept = [piece for group in self.groups for piece in group]
        if len(set(kept)) < len(kept) or not all(0 < piece < 256 for piece in kept):
            raise PluginError(
                f"the groups of patterns are {self.groups!r}; write numbers of pieces, from 1 to "
                "255, each once"
            )

    def of(self, piece: int) -> int | None:
        """The group of a piece; None if it is in none."""
        return next((i for i, group in enumerate(self.groups) if piece in group), None)
