"""Patterns: the groups of pieces for which a puzzle has pattern databases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from dragon.errors import PluginError


@frozen
class Patterns:
    """Groups of pieces, each with a table of the moves that its pieces still need.

    A record's field has the number of the piece on each cell; 0 is the gap. A move takes one piece
    into the gap, costs one unit, and can be taken back; a line that never comes to the goal pays
    the least that `bounds` allows. So the moves that the groups of a partition need can be added
    (Korf and Felner 2002), and of several partitions the largest sum counts.
    """

    cells: str
    """The field of the record, u1[cells]."""
    partitions: tuple[tuple[tuple[int, ...], ...], ...]
    """Partitions of the pieces into groups; no piece is in two groups of one partition."""
    goal: Callable[[Any], None]
    """A function in plain Python that makes a record the goal."""

    def __attrs_post_init__(self) -> None:
        for partition in self.partitions:
            kept = [piece for group in partition for piece in group]
            if len(set(kept)) < len(kept) or not all(0 < piece < 256 for piece in kept):
                raise PluginError(
                    f"{partition!r} is not a partition of pieces for patterns; write numbers from "
                    "1 to 255, each once"
                )
