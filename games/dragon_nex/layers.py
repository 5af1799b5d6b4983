"""Which counts of empty cells and stones can occur, and what follows: widths, lengths, objections.

A generate adds an own stone and a neutral one, a transform turns two neutrals into own
stones and one own stone into a neutral: each adds one stone of the mover's colour. After
g generates and t transforms of C cells there are C - 2g empty cells, g - t neutrals and
g + t stones of the two colours, which alternate. A transform needs two neutrals, so
t < g once g > 0: one neutral always remains, and a game ends within 2 * (C // 2) - 1 plies.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from attrs import frozen


@frozen
class Layer:
    """The counts that all positions at one place of the game share."""

    empty: int
    neutral: int
    placed: int
    """Black and white stones together: the plies played, a swap apart."""

    @property
    def mover(self) -> int:
        """0 when Black is to move, 1 for White."""
        return self.placed % 2


@frozen
class Layers:
    """The layers of a board of `cells` cells under the three options."""

    cells: int
    swap: bool = False
    late: bool = False
    """Transforms only when nothing can be generated."""
    fill: bool = False
    """The last cells are filled, so that there is no draw."""

    def __iter__(self) -> Iterator[Layer]:
        for generates in range(self.cells // 2 + 1):
            empty = self.cells - 2 * generates
            for transforms in range(1 if self.late and empty >= 2 else max(1, generates)):
                yield Layer(empty, generates - transforms, generates + transforms)
        if self.fill:
            if self.cells % 2:
                yield Layer(0, 1, self.cells - 1)
            yield Layer(0, 0, self.cells)

    def moves(self, layer: Layer) -> int:
        """Return the number of moves of the layer's unfinished positions, the swap included."""
        generates = layer.empty * (layer.empty - 1)
        transforms = comb(layer.neutral, 2) * (layer.placed // 2)
        if self.late and generates:
            transforms = 0
        fills = self.fill and not generates and not transforms and layer.empty + layer.neutral > 0
        moves = generates + transforms + int(fills)
        return moves + int(self.swap and layer.placed == 1 and moves > 0)

    @property
    def width(self) -> int:
        """The most moves that a position can have."""
        return max(self.moves(layer) for layer in self)

    @property
    def plies(self) -> int:
        """The most plies that a game can last."""
        longest = max(layer.placed for layer in self)
        return longest + int(self.swap and longest > 1)

    def objection(self, empty: int, neutral: int, black: int, white: int) -> str | None:
        """Why such counts cannot occur, as the end of a sentence; None if they can."""
        if black - white not in (0, 1):
            return (
                f"it has {_some(black, 'black stone')} and {_some(white, 'white one')}, but every "
                "move adds one stone of its colour and Black begins: as many, or one black one more"
            )
        placed = black + white
        if Layer(empty, neutral, placed) in set(self):
            return None
        if placed and not neutral and empty:
            return "it has stones but no neutral one, and one always remains"
        if placed and not neutral:
            return "it is full without a neutral stone, which this game's ending does not allow"
        if neutral > placed:
            return (
                f"it has {_some(neutral, 'neutral stone')} to {_some(placed, 'stone')} of the two "
                "colours, but each neutral comes with a stone"
            )
        if (self.cells - empty) % 2:
            return (
                f"{_some(self.cells - empty, 'cell')} of it are not empty, but every generate "
                "takes two and a transform none"
            )
        return (
            f"with {_some(empty, 'empty cell')} left nothing can have been transformed yet "
            f"(transforms='without-generates'), but it has {_some(neutral, 'neutral stone')} to "
            f"{_some(placed, 'stone')} of the two colours"
        )


def _some(n: int, noun: str) -> str:
    return f"{n or 'no'} {noun}{'' if n == 1 else 's'}"
