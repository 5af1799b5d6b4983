"""The notation and the drawing of sliding tiles, and the positions that can be solved."""

from __future__ import annotations

import re
from typing import Any

from attrs import frozen

from dragon import BadNotation, rule
from dragon.boards.squares import Square, block, drawing_parts
from dragon.protocols import Part, Place, Sum, drawn
from dragon.rules.notation import BaseNotation
from dragon_puzzles.made import made_text, read_made


@rule
def spell(s, code, way, out):  # type: ignore[no-untyped-def]
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
        """Return the cell of the tile."""
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
        rows = [re.findall(r"(?<!\S)[0-9]+(?!\S)", row) for row in text.split("/")]
        tiles = [int(tile) for row in rows for tile in row]
        whole = len(rows) == 1 or all(len(row) == self.columns for row in rows)
        if sorted(tiles) != [*range(len(self.goal))] or not whole:
            example = " ".join(map(str, self.goal))
            raise BadNotation(
                f"{text!r} does not have each tile once, in rows of {self.columns}; write one like "
                f"{example!r}"
            )
        if not self.solvable(tiles):
            raise BadNotation(f"{text!r} cannot be solved; two of its tiles would have to change")
        read_made(s, text.replace("/", " ").split()[len(tiles) :], self.most, text)
        self.settle(s, tiles)

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
        """Return the parts of the SVG."""
        blocks = {tile: block("#fbf5e6", 36, tile) for tile in self.goal if tile}
        names = {tile: str(tile) for tile in blocks}
        squares = []
        for cell in range(len(self.goal)):
            at: dict[Place, int] = {("tiles", (cell,)): 1}
            squares.append(Square(*divmod(cell, self.columns), Sum(at, blocks), Sum(at, names)))
        return drawing_parts(len(self.goal) // self.columns, self.columns, squares)

    @property
    def vocabulary(self) -> list[str]:
        """The words of moves: the numbers of tiles."""
        return list(map(str, range(len(self.goal))))

    @property
    def spell(self) -> Any:
        """The rule that spells moves, and gives the places to click."""
        return spell
