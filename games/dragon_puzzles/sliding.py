"""Sliding tiles: the 15-puzzle and its kin; the fewer moves, the more it pays.

N. Chapman, 1880. A record has the tile on each cell, 0 for the gap, row by row, and `left`: how
many moves the tiles still need at least, were none in the way of another (Manhattan distance).
"""

from __future__ import annotations

from itertools import chain
from typing import Any, Literal

import numpy as np
from attrs import field, validators
from attrs.validators import ge, le, optional

from dragon import TERMINAL, BadNotation, RecordGame, Rules, Trait, frozen, rule
from dragon.bits import GOLDEN, add, draw, mul, shl, u64
from dragon.rules.notation import BaseNotation, read_fields
from dragon.rules.patterns import Patterns

ENTRIES = 1 << 20
"""A group of patterns keeps as many tiles as have no more placements."""


@frozen
class Tiles(BaseNotation):
    """A move is the number of the tile that slides; a position its tiles, row by row."""

    rows: int
    columns: int
    goal: tuple[int, ...]

    def move_text(self, s: Any, code: int) -> str:
        return str(s.tiles[code])

    def move_code(self, s: Any, text: str) -> int:
        """The cell of the tile."""
        found = np.flatnonzero(s.tiles == int(text)) if text.isdecimal() and text != "0" else ()
        if len(found) != 1:
            raise BadNotation(f"{text!r} is not a tile; write 1 to {len(self.goal) - 1}")
        return int(found[0])

    def position_text(self, s: Any) -> str:
        """`1 2 3/4 0 5`, and after moves how many: `made=7`."""
        rows = s.tiles.reshape(self.rows, -1).tolist()
        made = [f"made={s.made}"] if s.made else []
        return " ".join(["/".join(" ".join(map(str, row)) for row in rows), *made])

    def parse(self, s: Any, text: str) -> None:
        """The inverse; rows need not be told apart."""
        words = text.replace("/", " ").split()
        tiles = [int(word) for word in words if word.isdecimal()]
        if sorted(tiles) != [*range(len(self.goal))]:
            example = " ".join(map(str, self.goal))
            raise BadNotation(f"{text!r} has not each tile once; write one like {example!r}")
        s.made = 0
        read_fields(s, ("made",), [word for word in words if not word.isdecimal()], text)
        self.settle(s, tiles)
        if not self.solvable(tiles):
            raise BadNotation(f"{text!r} cannot be solved; two of its tiles would have to change")

    def settle(self, s: Any, tiles: list[int]) -> None:
        """Writes tiles into a record, and what follows from them."""
        s.tiles[:], s.gap = tiles, tiles.index(0)
        s.left = sum(self.apart(self.goal.index(t), c) for c, t in enumerate(tiles) if t)

    def apart(self, cell: int, other: int) -> int:
        """Rows and columns between two cells."""
        (r, c), (y, x) = divmod(cell, self.columns), divmod(other, self.columns)
        return abs(r - y) + abs(c - x)

    def solvable(self, tiles: list[int]) -> bool:
        """Each move changes two cells and takes the gap one on, so both are even or odd at once."""
        places, odd = [self.goal.index(t) for t in tiles], self.apart(tiles.index(0),
                                                                      self.goal.index(0))
        for i, place in enumerate(places):
            odd += sum(place > other for other in places[i + 1 :])
        return odd % 2 == 0

    def picture(self, s: Any) -> str:
        rows = s.tiles.reshape(self.rows, -1).tolist()
        return "\n".join("".join(f"{tile or '.':>4}" for tile in row) for row in rows)

    def svg(self, s: Any) -> str:
        parts = ['<svg xmlns="http://www.w3.org/2000/svg" '
                 f'viewBox="0 0 {50 * self.columns + 10} {50 * self.rows + 10}">'
                 '<rect width="100%" height="100%" rx="6" fill="#6b5636"/>']  # fmt: skip
        for cell, tile in enumerate(s.tiles.tolist()):
            y, x = divmod(cell, self.columns)
            if tile:
                parts.append(
                    f'<g data-cell="{tile}" aria-label="{tile}"><rect x="{50 * x + 7}" '
                    f'y="{50 * y + 7}" width="46" height="46" rx="5" fill="#ead7b1"/>'
                    f'<text x="{50 * x + 30}" y="{50 * y + 37}" font-family="sans-serif" '
                    f'font-size="20" fill="#222" text-anchor="middle">{tile}</text></g>'
                )
        return "".join(parts) + "</svg>"


@frozen
class Sliding(RecordGame):
    """Slide tiles into the gap until they are in order; each move costs 1.

    A tile beside the gap slides into it. The goal has the tiles in order, row by row, and the gap
    in the last corner (or the first). Who needs more than `most` moves pays one more than that.
    """

    name = "sliding"
    teams = (0,)
    rows: int = field(default=4, validator=[ge(2), le(10)])
    columns: int = field(default=4, validator=[ge(2), le(10)])
    gap: Literal["last", "first"] = field(default="last", validator=validators.in_(("last", "first")))
    """Where the gap is in the goal."""
    scramble: int | None = field(default=None, validator=optional([ge(1), le(1_000_000)]))
    """So many random moves from the goal a game begins; none: anywhere, each start as likely."""
    most: int | None = field(default=None, validator=optional([ge(1), le(1_000_000)]))
    """Moves that one may make; none: more than any position needs."""

    @property
    def traits(self) -> frozenset[Trait]:
        return super().traits | {Trait.REPETITION}

    def notation(self) -> Tiles:
        tiles = [*range(1, self.rows * self.columns)]
        goal = [0, *tiles] if self.gap == "first" else [*tiles, 0]
        return Tiles(self.rows, self.columns, tuple(goal))

    def beside(self) -> list[list[int]]:
        """The neighbours of each cell."""
        cells, apart = range(self.rows * self.columns), self.notation().apart
        return [[c for c in cells if apart(c, cell) == 1] for cell in cells]

    def partitions(self) -> list[list[list[int]]]:
        """The tiles that pattern databases keep together: by rows of the goal, and by columns."""
        goal, area = self.notation().goal, self.rows * self.columns
        kept = max(k for k in range(1, area) if area**k <= ENTRIES)
        by_columns = [goal[i : area : self.columns] for i in range(self.columns)]
        orders = [[t for t in order if t] for order in (goal, [*chain(*by_columns)])]
        return [[order[i : i + kept] for i in range(0, area - 1, kept)] for order in orders]

    def rules(self) -> Rules:
        area, notation, beside = self.rows * self.columns, self.notation(), self.beside()
        most = self.most or 4 * area * (self.rows + self.columns)
        ways = np.array([len(cells) for cells in beside])
        neighbours = np.array([[*cells, *[0] * (4 - len(cells))] for cells in beside])
        homes = [notation.goal.index(tile) for tile in range(area)]
        far = np.array([[notation.apart(home, c) for c in range(area)] for home in homes])

        @rule
        def turn(s):
            return TERMINAL if s.left == 0 or s.made >= most else 0

        @rule
        def moves(s, out):
            for i in range(ways[s.gap]):
                out[i] = neighbours[s.gap, i]
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
        def payoff(s, seat):
            return -s.made if s.left == 0 else -most - 1

        @rule
        def banked(s):
            return -s.made

        @rule
        def bounds(s):
            return -most - 1, -min(s.made + s.left, most + 1)

        @rule
        def place(s):
            found = u64(0)
            for cell in range(area):
                if area <= 16:
                    found = shl(found, 4) | u64(s.tiles[cell])
                else:
                    found = add(mul(found, u64(GOLDEN)), u64(s.tiles[cell]))
            return found

        def goal(record: Any) -> None:
            notation.settle(record, list(notation.goal))

        layout = [("tiles", "u1", (area,)), ("gap", "i8"), ("left", "i8"), ("made", "i8")]
        return Rules(
            layout, moves, play, turn, payoff, width=4, plies=most, largest=most + 1,
            banked=banked, bounds=bounds, place=place, notation=notation,
            patterns=Patterns("tiles", self.partitions(), goal),
        )  # fmt: skip

    def setup(self, record: Any, random: Any) -> None:
        notation, beside = self.notation(), self.beside()
        tiles = [*notation.goal]
        while tiles == [*notation.goal]:
            if self.scramble is None:
                for i in range(len(tiles) - 1, 0, -1):
                    j = draw(random, i + 1)
                    tiles[i], tiles[j] = tiles[j], tiles[i]
                if not notation.solvable(tiles):
                    a, b = (i for i, tile in enumerate(tiles) if tile in (1, 2))
                    tiles[a], tiles[b] = tiles[b], tiles[a]
            for _ in range(self.scramble or 0):
                gap = tiles.index(0)
                other = beside[gap][draw(random, len(beside[gap]))]
                tiles[gap], tiles[other] = tiles[other], 0
        notation.settle(record, tiles)
