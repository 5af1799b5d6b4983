"""The matrices of a deck as pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import TYPE_CHECKING

from dragon_small_world.picture import Box, Picture, Text

if TYPE_CHECKING:
    from dragon_small_world.links import Links
    from dragon_small_world.picture import Mark

CELL, NAME, COUNT = 26.0, 13.0, 12.0
"""The side of a cell, and the sizes of type."""
LETTER = 0.66
"""The width of a letter, as a part of the size of its type."""
EDGE = 12.0


def matrix(links: Links, squared: bool = False) -> Picture:
    """The deck's matrix: links, or how many bridges lead from one monster to another."""
    names, n = links.deck.names, len(links.deck.names)
    table = (links.squared if squared else links.adjacency.astype(int)).tolist()
    margin = 16 + NAME * LETTER * max(map(len, names))
    side = margin + n * CELL + EDGE
    title = "how many bridges lead from a row to a column" if squared else "who is linked with whom"
    marks = (*_names(names, margin), *_cells(table, margin, squared))
    return Picture(0, 0, side, side, title, marks)


def _names(names: Sequence[str], margin: float) -> Iterator[Mark]:
    """Beside the rows and above the columns."""
    for i, name in enumerate(names):
        at = margin + (i + 0.5) * CELL
        yield Text(margin - 8, at, name, NAME, anchor="end", bold=True, kinds="name")
        yield Text(at, margin - 8, name, NAME, anchor="start", turn=-90, bold=True, kinds="name")


def _cells(table: Sequence[Sequence[int]], margin: float, squared: bool) -> Iterator[Mark]:
    """A box for each place, darker the more there are."""
    most = max(1, *map(max, table))
    for i, row in enumerate(table):
        for j, count in enumerate(row):
            x, y = margin + j * CELL, margin + i * CELL
            shade = ceil(255 - 175 * count / most) if count else 255
            yield Box(x, y, CELL, f"#{shade:02x}{min(255, shade + 30):02x}ff")
            if squared:
                yield Text(x + CELL / 2, y + CELL / 2, str(count or "·"), COUNT, kinds="cell")
