"""Levels of Sokoban: notation, drawing, and distances to the goals."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from attrs import frozen

from dragon import BadNotation
from dragon.boards.drawing import cell_name
from dragon.boards.squares import Square, block, disc, drawing_parts
from dragon.config import read_text
from dragon.protocols import Part, Sum, drawn
from dragon.rules.notation import BaseNotation
from dragon_puzzles.made import made_text, read_made

MARKS = "#$.@*+ "
BOXES, GOALS, PLAYERS = "$*", ".*+", "@+"
"""The marks of XSB."""
EMPTIED = str.maketrans("@+$*", " . .")
"""The marks of a level without its boxes and player."""
STEPS = ((-1, 0), (0, -1), (0, 1), (1, 0))
FAR = 1 << 20
"""The number of pushes from a cell from which no goal can be reached."""


@frozen(eq=False)
class Level(BaseNotation):
    """A level; moves are the cells that a box goes from and to, `c3c4`."""

    rows: tuple[str, ...]
    most: int = 0
    """The most pushes of a game."""

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """Row and column of the floor that the player could reach without any boxes."""
        found = [place for place in self.all() if self.mark(*place) in PLAYERS]
        seen = {*found}
        for r, c in found:
            near = {(r + y, c + x) for y, x in STEPS} - seen
            found += [place for place in near if self.mark(*place) != "#"]
            seen |= near
        return sorted(found)

    def all(self) -> list[tuple[int, int]]:
        """Return the row and column of every mark."""
        return [(r, c) for r, row in enumerate(self.rows) for c in range(len(row))]

    def mark(self, row: int, column: int) -> str:
        """Return the mark of a place; wall outside the level."""
        inside = 0 <= row < len(self.rows) and 0 <= column < len(self.rows[row])
        return self.rows[row][column] if inside else "#"

    def marked(self, marks: str) -> list[int]:
        """Return the cells with one of these marks."""
        return [i for i, place in enumerate(self.places) if self.mark(*place) in marks]

    @cached_property
    def beside(self) -> Any:
        """int64[cells + 1, 4]: the neighbours of each cell; the last is the wall."""
        import numpy as np

        number = {place: i for i, place in enumerate(self.places)}
        wall = len(number)
        near = [[number.get((r + y, c + x), wall) for y, x in STEPS] for r, c in self.places]
        return np.array([*near, [wall] * 4])

    @cached_property
    def far(self) -> Any:
        """int64[cells]: pushes from each cell to the nearest goal, without any other box."""
        import numpy as np

        wall, beside, found = len(self.places), self.beside, self.marked(GOALS)
        far = dict.fromkeys(found, 0)
        for cell in found:  # a box is pulled from goals, by a player who needs the cell behind too
            for way in range(4):
                to = int(beside[cell, way])
                if to != wall and int(beside[to, way]) != wall and to not in far:
                    far[to] = far[cell] + 1
                    found.append(to)
        return np.array([far.get(cell, FAR) for cell in range(wall)])

    def name(self, cell: int) -> str:
        return cell_name(*self.places[cell], "rows", len(self.rows))

    def move_text(self, s: Any, code: int) -> str:
        return self.name(code // 4) + self.name(int(self.beside[code // 4, code % 4]))

    def move_code(self, s: Any, text: str) -> int:
        for cell in range(len(self.places)):
            if text.startswith(self.name(cell)):
                for way in range(4):
                    to = int(self.beside[cell, way])
                    if to < len(self.places) and text == self.name(cell) + self.name(to):
                        return 4 * cell + way
        raise BadNotation(f"{text!r} is not a push; write the cells that a box goes from and to")

    def clicks(self, move: str) -> list[list[str]]:
        cut = next(i for i in range(2, len(move)) if move[i].isalpha())
        return [[move[:cut], move[cut:]]]

    def _marks(self, s: Any) -> list[str]:
        rows = [[("." if mark in GOALS else " " if mark != "#" else "#") for mark in row]
                for row in self.rows]  # fmt: skip
        for cell, (r, c) in enumerate(self.places):
            if s.boxes[cell] or s.player == cell:
                pair = "$*" if s.boxes[cell] else "@+"
                rows[r][c] = pair[rows[r][c] == "."]
        return ["".join(row) for row in rows]

    def position_text(self, s: Any) -> str:
        """Return the rows with - for floor, and the number of pushes made, if any: `made=7`."""
        return "/".join(self._marks(s)).replace(" ", "-") + made_text(s)

    def parse(self, s: Any, text: str) -> None:
        board, *words = text.split() or [""]
        rows = board.replace("-", " ").split("/")
        if [row.translate(EMPTIED) for row in rows] != [r.translate(EMPTIED) for r in self.rows]:
            raise BadNotation(f"{text!r} has other walls or goals than this level")
        boxes, players = (
            [i for i, (r, c) in enumerate(self.places) if rows[r][c] in marks]
            for marks in (BOXES, PLAYERS)
        )
        needed = len(self.marked(BOXES))
        if len(players) != 1 or len(boxes) != needed:
            raise BadNotation(f"{text!r} does not have one player and {needed} boxes in reach")
        read_made(s, words, self.most, text)
        self.settle(s, boxes, players[0])

    def settle(self, s: Any, boxes: list[int], player: int) -> None:
        """Write boxes and player into a record, and the fields derived from them."""
        s.boxes[:] = 0
        s.boxes[[*boxes, len(self.places)]] = 1
        s.player, s.left = player, int(self.far[boxes].sum())

    def picture(self, s: Any) -> str:
        return "\n".join(self._marks(s))

    def svg(self, s: Any) -> str:
        return drawn(self.drawing(), s)

    def drawing(self) -> list[Part]:
        """Return the parts of the SVG."""
        numbers = {place: i for i, place in enumerate(self.places)}
        squares = []
        for r, c in self.all():
            mark, at = self.mark(r, c), numbers.get((r, c), -1)
            goal = mark in GOALS
            floor = block("#6b5636") if mark == "#" else block("#fbf5e6")
            parts: list[Part] = [floor + (disc("#b3403a", 6) if goal else "")]
            if at >= 0:
                box = block("#c08a3e", 28) + (disc("#b3403a", 4) if goal else "")
                parts.append(Sum({("boxes", (at,)): 1}, {1: box}))
                parts.append(Sum({("player", ()): 1}, {at: disc("#3a6ea5", 12)}))
            name = "" if mark == "#" else cell_name(r, c, "rows", len(self.rows))
            squares.append(Square(r, c, tuple(parts), name))
        return drawing_parts(len(self.rows), max(map(len, self.rows)), squares)

    def texts(self) -> dict[int, str]:
        """Return the texts of all pushes between cells."""
        wall = len(self.places)
        codes = (4 * cell + way for cell in range(wall) for way in range(4))
        return {code: self.move_text(None, code) for code in codes
                if self.beside[code // 4, code % 4] < wall}  # fmt: skip


def levels_of(file: str) -> list[Level]:
    """Read the levels of a file: consecutive lines of marks alone; raise ConfigError."""
    found: list[list[str]] = [[]]
    for line in read_text(file, "levels").splitlines():
        if line.strip() and not set(line) - set(f"{MARKS}-_"):
            found[-1].append(line.rstrip().replace("-", " ").replace("_", " "))
        elif found[-1]:
            found.append([])
    return [Level(tuple(rows)) for rows in found if rows]
