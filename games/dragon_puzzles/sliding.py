"""Sliding tiles: the 15-puzzle and its kin (N. Chapman, 1880); each move costs 1.

A record has the tile on each cell, 0 for the gap, row by row, and `left`: the moves that the tiles
would need if they could pass through one another (the Manhattan distance).
"""

from __future__ import annotations

from itertools import chain
from typing import Any, Literal

from attrs import field
from attrs.validators import ge, in_, le, optional

from dragon import TERMINAL, RecordGame, Rules, Trait, frozen, rule
from dragon.bits import GOLDEN, add, draw, mul, shl, u64
from dragon.rules.patterns import Patterns
from dragon_puzzles.made import priced
from dragon_puzzles.tiles import Tiles

ENTRIES = 1 << 20
"""The most placements of the tiles that a pattern database keeps together."""
VISITS = 1 << 28
"""The most visits for all pattern databases, places of the gap included: some ten seconds."""


@frozen
class Sliding(RecordGame):
    """Slide tiles into the gap until they are in order; each move costs 1.

    A tile beside the gap slides into it. The goal has the tiles in order, row by row, and the gap
    in the last corner (or the first). A game of more than `most` moves costs one more than that.
    """

    name = "sliding"
    small = "sliding(rows=2, columns=2)"
    teams = (0,)
    traits = frozenset({Trait.SOLO, Trait.REPETITION})
    rows: int = field(default=4, validator=[ge(2), le(10)])
    columns: int = field(default=4, validator=[ge(2), le(10)])
    gap: Literal["last", "first"] = field(default="last", validator=in_(("last", "first")))
    """The corner of the gap in the goal."""
    scramble: int | None = field(default=None, validator=optional([ge(1), le(1_000_000)]))
    """The number of random moves from the goal to the start; none: any start, equally likely."""
    most: int | None = field(default=None, validator=optional([ge(1), le(1_000_000)]))
    """The most moves of a game; none: more than any position needs."""

    def notation(self) -> Tiles:
        """Return the notation of positions, which has the goal."""
        area = self.rows * self.columns
        tiles = range(1, area)
        goal = (0, *tiles) if self.gap == "first" else (*tiles, 0)
        return Tiles(self.columns, goal, self.most or 4 * area * (self.rows + self.columns))

    def beside(self) -> list[list[int]]:
        """Return the neighbours of each cell."""
        cells, apart = range(self.rows * self.columns), self.notation().apart
        return [[c for c in cells if apart(c, cell) == 1] for cell in cells]

    def partitions(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Return the tiles that pattern databases keep together, by rows and by columns."""
        goal, area = self.notation().goal, self.rows * self.columns
        kept = max(k for k in range(1, area) if area**k <= ENTRIES
                   and 2 * -(-(area - 1) // k) * area ** (k + 1) <= VISITS)  # fmt: skip
        turned = chain(*(goal[i :: self.columns] for i in range(self.columns)))
        orders = [tuple(tile for tile in order if tile) for order in (goal, turned)]
        begins = range(0, area - 1, kept)
        return tuple(tuple(order[i : i + kept] for i in begins) for order in orders)

    def rules(self) -> Rules:
        import numpy as np

        area, notation, beside = self.rows * self.columns, self.notation(), self.beside()
        most = notation.most
        ways = np.array([len(cells) for cells in beside])
        near = np.array([(cells * 4)[:4] for cells in beside])
        far = np.array([[notation.apart(notation.goal.index(tile), cell) for cell in range(area)]
                        for tile in range(area)])  # fmt: skip

        @rule
        def turn(s):
            return TERMINAL if s.left == 0 or s.made >= most else 0

        @rule
        def moves(s, out):
            for i in range(ways[s.gap]):
                out[i] = near[s.gap, i]
            return ways[s.gap]

        @rule
        def play(s, cell):
            tile = s.tiles[cell]
            s.left += far[tile, s.gap] - far[tile, cell]
            s.tiles[s.gap] = tile
            s.tiles[cell] = 0
            s.gap = cell
            s.made += 1

        @rule
        def place(s):
            found = u64(0)
            for cell in range(area):
                above = shl(found, 4) if area <= 16 else mul(found, u64(GOLDEN))
                found = add(above, u64(s.tiles[cell]))
            return found

        def goal(record: Any) -> None:
            notation.settle(record, list(notation.goal))

        layout = [("gap", "i8"), ("left", "i8"), ("made", "i8"), ("tiles", "u1", (area,))]
        return Rules(
            layout, moves, play, turn, width=4, plies=most, largest=most + 1,
            place=place, notation=notation, patterns=Patterns("tiles", self.partitions(), goal),
            **priced(most),
        )  # fmt: skip

    def setup(self, record: Any, random: Any) -> None:
        notation, beside = self.notation(), self.beside()
        tiles = [*notation.goal]
        while tiles == [*notation.goal]:  # a start that is the goal would end the game
            if self.scramble is None:
                for i in range(len(tiles) - 1, 0, -1):
                    j = draw(random, i + 1)
                    tiles[i], tiles[j] = tiles[j], tiles[i]
                if not notation.solvable(tiles):
                    a, b = tiles.index(1), tiles.index(2)
                    tiles[a], tiles[b] = 2, 1
            for _ in range(self.scramble or 0):
                gap = tiles.index(0)
                other = beside[gap][draw(random, len(beside[gap]))]
                tiles[gap], tiles[other] = tiles[other], 0
        notation.settle(record, tiles)
