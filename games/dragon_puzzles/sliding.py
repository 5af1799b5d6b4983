"""Sliding tiles: the 15-puzzle and its relatives (N. Chapman, 1880); each move costs 1.

A record has the tile on each cell, 0 for the gap, row by row, and `left`: the moves that the tiles
would need if they could pass through one another (the Manhattan distance).
"""

from __future__ import annotations

import re
from itertools import chain
from typing import Any, Literal

from attrs import field
from attrs.validators import ge, in_, le, optional

from dragon import TERMINAL, BadNotation, RecordGame, Rules, Trait, frozen, rule
from dragon.bits import GOLDEN, add, draw, mul, shl, u64
from dragon.boards.material import tile
from dragon.boards.squares import Square, drawing_parts, tray
from dragon.protocols import Part, Place, Sum, drawn
from dragon.rules.notation import BaseNotation
from dragon.rules.rules import Patterns
from dragon_puzzles.puzzle import made_text, priced, read_made

ENTRIES = 1 << 20
"""The most placements of the tiles that a pattern database keeps together."""
VISITS = 1 << 28
"""The most visits for all pattern databases, places of the gap included: some ten seconds."""


TILE, GAPS, RULED = re.compile("[0-9]{1,3}"), (".", "_", "-"), re.compile("[-+=]{2,}")
"""The words of a board: tiles, the gap, and lines between rows."""


@rule
def spell(s, code, way, out):
    """Spell a move: the tile's number, which is its name too."""
    out[0] = s.tiles[code]
    return 1 if way < 2 else -1


@frozen
class Tiles(BaseNotation):
    """The notation: a move is the number of a tile; a position is its tiles, row by row."""

    columns: int
    goal: tuple[int, ...]
    most: int
    """The most moves of a game."""

    def move_text(self, s: Any, code: int) -> str:
        return str(s.tiles[code])

    def move_code(self, s: Any, text: str) -> int:
        if text not in map(str, range(1, len(self.goal))):
            raise BadNotation(f"{text!r} is not a tile; write 1 to {len(self.goal) - 1}")
        tiles: list[int] = s.tiles.tolist()
        return tiles.index(int(text))

    def position_text(self, s: Any) -> str:
        """Return `1 2 3/4 0 5`, and the number of moves made, if any: `made=7`."""
        rows = s.tiles.reshape(-1, self.columns).tolist()
        return "/".join(" ".join(map(str, row)) for row in rows) + made_text(s)

    def parse(self, s: Any, text: str) -> None:
        """Read the text of a position; the marks between rows may be left out."""
        rows, words = self._read(text)
        tiles = [tile for row in rows for tile in row]
        whole = len(rows) == 1 or all(len(row) == self.columns for row in rows)
        if sorted(tiles) != [*range(len(self.goal))] or not whole:
            example = " ".join(map(str, self.goal))
            raise BadNotation(
                f"{text!r} does not have each tile once, in rows of {self.columns}; write one like "
                f"{example!r}"
            )
        if not self.solvable(tiles):
            raise BadNotation(f"{text!r} cannot be solved; two of its tiles would have to change")
        read_made(s, words, self.most, text)
        self.settle(s, tiles)

    def _read(self, text: str) -> tuple[list[list[int]], list[str]]:
        """Return the tiles in rows, and the words from the first `field=number` on.

        Rows are lines too, and what people draw between tiles and rows is read over.
        """
        rows, words, begin = [list[int]()], list[str](), 0
        for found in re.finditer(r"[/\n]|[^\s,|/]+", text.rstrip()):
            word = found[0]
            if word in ("/", "\n"):
                rows += [[]] * (word == "/" or bool(rows[-1]))
                begin = found.end()
            elif words or "=" in word.strip("+-="):
                words.append(word)
            elif TILE.fullmatch(word) or word in GAPS:
                rows[-1].append(0 if word in GAPS else int(word))
            elif not RULED.fullmatch(word):
                raise BadNotation(
                    f"row {len(rows)}, column {found.start() - begin + 1}: {word!r:.40} is not a "
                    f"tile; write 1 to {len(self.goal) - 1}, and 0 or . for the gap"
                )
        return [row for row in rows if row or "/" in text], words

    def settle(self, s: Any, tiles: list[int]) -> None:
        """Write tiles into a record, and the fields derived from them."""
        s.tiles[:], s.gap = tiles, tiles.index(0)
        s.left = sum(self.apart(self.goal.index(t), c) for c, t in enumerate(tiles) if t)

    def apart(self, cell: int, other: int) -> int:
        """Return the number of rows and columns between two cells."""
        (row, column), (r, c) = divmod(cell, self.columns), divmod(other, self.columns)
        return abs(row - r) + abs(column - c)

    def solvable(self, tiles: list[int]) -> bool:
        """Return True if the swaps and the gap's steps to the goal are both even, or both odd."""
        odd, homes = self.apart(tiles.index(0), self.goal.index(0)), map(self.goal.index, tiles)
        seen: list[int] = []
        for home in homes:
            odd += sum(other > home for other in seen)
            seen.append(home)
        return odd % 2 == 0

    def picture(self, s: Any) -> str:
        rows = s.tiles.reshape(-1, self.columns).tolist()
        return "\n".join("".join(f"{tile or '.':>3}" for tile in row) for row in rows)

    def svg(self, s: Any) -> str:
        return drawn(self.drawing(), s)

    def drawing(self) -> list[Part]:
        columns, wood = self.columns, (("maple", "engraved"), ("oak", "won"))
        looks = {t: wood[sum(divmod(i, columns)) % 2] for i, t in enumerate(self.goal) if t}
        blocks = {t: tile(side, 36, t, ink) for t, (side, ink) in looks.items()}
        names = {t: str(t) for t in blocks}
        squares = []
        for cell in range(len(self.goal)):
            at: dict[Place, int] = {("tiles", (cell,)): 1}
            squares.append(Square(*divmod(cell, columns), Sum(at, blocks), Sum(at, names)))
        rows = len(self.goal) // columns
        return drawing_parts(rows, columns, squares, tray(rows, columns))

    @property
    def vocabulary(self) -> list[str]:
        """The words of moves: the numbers of tiles."""
        return list(map(str, range(len(self.goal))))

    @property
    def spell(self) -> Any:
        """The rule that spells moves, and gives the places to click."""
        return spell


@frozen
class Sliding(RecordGame):
    """Slide tiles into the gap until they are in order; each move costs 1.

    A tile beside the gap slides into it. The goal has the tiles in order, row by row, and the gap
    in the last corner (or the first). A game of more than `most` moves costs one more than that.
    """

    name, title, aliases = "sliding", "Sliding puzzle", ("fifteen puzzle",)
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
        def sample(s, random):
            return near[s.gap, draw(random, ways[s.gap])]

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
            sample=sample, place=place, notation=notation,
            patterns=Patterns("tiles", self.partitions(), goal), **priced(most),
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
