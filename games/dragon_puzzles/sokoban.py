"""Sokoban: push all boxes onto goals; the fewer pushes, the more it pays.

H. Imabayashi, 1981. Levels are in the format XSB, as collections of them have it: `#` wall, `$`
box, `.` goal, `@` player, `*` and `+` box and player on a goal. A record has the boxes on the
floor that the player could reach without them; a cell more stands for all walls, as a box that
cannot move.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from attrs import field
from attrs import frozen as value
from attrs.validators import ge, le

from dragon import TERMINAL, BadNotation, RecordGame, Rules, Trait, frozen, rule
from dragon.bits import GOLDEN, add, mix, mul, u64
from dragon.boards.cells import cell_name
from dragon.rules.notation import BaseNotation, read_fields

SMALL = "#######|#.   .#|# $ $ #|##@####|# $   #|#.    #|#######"
BOXES, GOALS, PLAYERS = "$*", ".*+", "@+"
"""The marks of XSB."""
STEPS = ((-1, 0), (0, -1), (0, 1), (1, 0))
FAR = 1 << 20
"""Pushes from where no goal can be reached."""


@value(eq=False)
class Floor(BaseNotation):
    """A level; moves are the cells that a box goes from and to, `c3c4`."""

    level: tuple[str, ...]

    @cached_property
    def cells(self) -> list[tuple[int, int]]:
        """Row and column of the floor, as far as the player gets where no box is in the way."""
        found = [place for place in self.all() if self.mark(*place) in PLAYERS]
        for r, c in found:
            near = [(r + y, c + x) for y, x in STEPS]
            found += [place for place in near if place not in found and self.mark(*place) != "#"]
        return sorted(found)

    def all(self) -> list[tuple[int, int]]:
        """Every row and column."""
        return [(r, c) for r, row in enumerate(self.level) for c in range(len(row))]

    def mark(self, row: int, column: int) -> str:
        """What is there; wall outside."""
        inside = 0 <= row < len(self.level) and 0 <= column < len(self.level[row])
        return self.level[row][column] if inside else "#"

    def marked(self, marks: str) -> list[int]:
        """The cells with one of these marks."""
        return [i for i, place in enumerate(self.cells) if self.mark(*place) in marks]

    @cached_property
    def beside(self) -> Any:
        """int64[cells + 1, 4]: the neighbours of each cell; the last is the wall."""
        number = {place: i for i, place in enumerate(self.cells)}
        wall = len(number)
        near = [[number.get((r + y, c + x), wall) for y, x in STEPS] for r, c in self.cells]
        return np.array([*near, [wall] * 4])

    @cached_property
    def far(self) -> Any:
        """int64[cells]: pushes from each cell to the nearest goal, were there no other box."""
        wall, beside, found = len(self.cells), self.beside, self.marked(GOALS)
        far = {cell: 0 for cell in found}
        for cell in found:  # a box is pulled from goals, by a player who needs the cell behind too
            for way in range(4):
                to = int(beside[cell, way])
                if to != wall and int(beside[to, way]) != wall and to not in far:
                    far[to] = far[cell] + 1
                    found.append(to)
        return np.array([far.get(cell, FAR) for cell in range(wall)])

    def name(self, cell: int) -> str:
        return cell_name(*self.cells[cell], "rows", len(self.level))

    def move_text(self, s: Any, code: int) -> str:
        return self.name(code // 4) + self.name(int(self.beside[code // 4, code % 4]))

    def move_code(self, s: Any, text: str) -> int:
        for cell in range(len(self.cells)):
            if text.startswith(self.name(cell)):
                for way in range(4):
                    to = int(self.beside[cell, way])
                    if to < len(self.cells) and text == self.name(cell) + self.name(to):
                        return 4 * cell + way
        raise BadNotation(f"{text!r} is no push; write the cells that a box goes from and to")

    def clicks(self, move: str) -> list[list[str]]:
        cut = next(i for i in range(2, len(move)) if move[i].isalpha())
        return [[move[:cut], move[cut:]]]

    def _rows(self, s: Any) -> list[str]:
        rows = [[("." if mark in GOALS else " " if mark != "#" else "#") for mark in row]
                for row in self.level]  # fmt: skip
        for cell, (r, c) in enumerate(self.cells):
            if s.boxes[cell] or s.player == cell:
                pair = "$*" if s.boxes[cell] else "@+"
                rows[r][c] = pair[rows[r][c] == "."]
        return ["".join(row) for row in rows]

    def position_text(self, s: Any) -> str:
        """Rows with - for floor, and after pushes how many: `made=7`."""
        made = [f" made={s.made}"] if s.made else []
        return "".join(["/".join(self._rows(s)).replace(" ", "-"), *made])

    def parse(self, s: Any, text: str) -> None:
        rows, *words = text.split()
        given = Floor(tuple(rows.replace("-", " ").split("/")))
        plain = str.maketrans("@+$*", " . .")
        if [row.translate(plain) for row in given.level] != [r.translate(plain) for r in self.level]:
            raise BadNotation(f"{text!r} has other walls or goals than this level")
        boxes, players = given.marked(BOXES), given.marked(PLAYERS)
        if len(players) != 1 or len(boxes) != len(self.marked(BOXES)) or given.cells != self.cells:
            raise BadNotation(f"{text!r} has not one player and {len(self.marked(BOXES))} boxes")
        s.made = 0
        read_fields(s, ("made",), words, text)
        self.settle(s, boxes, players[0])

    def settle(self, s: Any, boxes: list[int], player: int) -> None:
        """Writes boxes and player into a record, and what follows from them."""
        s.boxes[:] = 0
        s.boxes[[*boxes, len(self.cells)]] = 1
        s.player, s.left = player, int(self.far[boxes].sum())

    def picture(self, s: Any) -> str:
        return "\n".join(self._rows(s))

    def svg(self, s: Any) -> str:
        rows, wide = self._rows(s), max(map(len, self.level))
        parts = ['<svg xmlns="http://www.w3.org/2000/svg" '
                 f'viewBox="0 0 {40 * wide} {40 * len(rows)}">']  # fmt: skip
        for r, c in self.all():
            mark, x, y = rows[r][c], 40 * c, 40 * r
            name = "" if mark == "#" else cell_name(r, c, "rows", len(rows))
            drawn = f'<rect x="{x}" y="{y}" width="40" height="40" fill="' + (
                '#6b5636"/>' if mark == "#" else '#f3e9d2" stroke="#d9c9a5"/>')  # fmt: skip
            middle = f'cx="{x + 20}" cy="{y + 20}"'
            if mark in GOALS:
                drawn += f'<circle {middle} r="6" fill="#b3403a"/>'
            if mark in BOXES:
                drawn += (f'<rect x="{x + 6}" y="{y + 6}" width="28" height="28" fill="#c08a3e" '
                          'fill-opacity="0.85" stroke="#6b4a17"/>')  # fmt: skip
            if mark in PLAYERS:
                drawn += f'<circle {middle} r="12" fill="#3a6ea5" fill-opacity="0.85"/>'
            label = f' data-cell="{name}" aria-label="{name} {mark}"' if name else ""
            parts.append(f"<g{label}>{drawn}</g>")
        return "".join(parts) + "</svg>"


@frozen
class Sokoban(RecordGame):
    """Push every box onto a goal; each push costs 1.

    The player walks where neither walls nor boxes are, and pushes a box, never two, to the free
    cell behind it. A move is one push, wherever it is walked to. Who needs more than `most` pushes,
    or cannot push any more, pays one more than that.
    """

    name = "sokoban"
    teams = (0,)
    level: str = SMALL
    """Rows from the top with | between them: # wall, $ box, . goal, @ player, * and + on a goal."""
    file: str | None = None
    """A file of levels, of which one is taken in place of `level`."""
    number: int = field(default=1, validator=ge(1))
    """Which level of the file."""
    most: int = field(default=400, validator=[ge(1), le(100_000)])
    """Pushes that one may make."""

    def __attrs_post_init__(self) -> None:
        floor = self.floor
        boxes, goals = floor.marked(BOXES), floor.marked(GOALS)
        players = sum(row.count(mark) for row in floor.level for mark in PLAYERS)
        if players != 1 or not len(boxes) == len(goals) > 0 or len(floor.cells) > 500:
            raise ValueError(
                f"the level has {players} players, and {len(boxes)} boxes and {len(goals)} goals "
                "where they can be reached; it needs one player, and as many goals as boxes"
            )

    @property
    def traits(self) -> frozenset[Trait]:
        return super().traits | {Trait.REPETITION}

    @property
    def floor(self) -> Floor:
        """The level."""
        if self.file is None:
            return Floor(tuple(self.level.split("|")))
        try:
            lines = Path(self.file).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as wrong:
            raise ValueError(f"the levels {self.file} cannot be read: {wrong}") from wrong
        levels = [[]]
        for line in lines:
            if line.strip() and not set(line) - set("#$.@*+ -_"):
                levels[-1].append(line.rstrip().replace("-", " ").replace("_", " "))
            elif levels[-1]:
                levels.append([])
        levels = [level for level in levels if level]
        if self.number > len(levels):
            raise ValueError(f"{self.file} has {len(levels)} levels, and none of number {self.number}")
        return Floor(tuple(levels[self.number - 1]))

    def rules(self) -> Rules:
        floor, most = self.floor, self.most
        far, beside, wall = np.append(floor.far, 0), floor.beside, len(floor.cells)

        @rule
        def walk(s, out):
            """Writes the pushes that can be walked to; how many, and the least cell on the way."""
            seen, path = np.zeros(wall + 1, np.int64), np.zeros(wall + 1, np.int64)
            path[0], seen[s.player], least = s.player, 1, s.player
            at, n, found = 0, 1, 0
            while at < n:
                least = min(least, path[at])
                for way in range(4):
                    cell = beside[path[at], way]
                    if s.boxes[cell]:
                        if not s.boxes[beside[cell, way]]:
                            out[found] = 4 * cell + way
                            found += 1
                    elif not seen[cell]:
                        path[n], seen[cell] = cell, 1
                        n += 1
                at += 1
            return found, least

        @rule
        def turn(s):
            if s.left == 0 or s.made >= most:
                return TERMINAL
            found, least = walk(s, np.zeros(4 * wall, np.int64))
            return 0 if found else TERMINAL

        @rule
        def moves(s, out):
            found, least = walk(s, out)
            return found

        @rule
        def play(s, push):
            box, to = push // 4, beside[push // 4, push % 4]
            s.boxes[box], s.boxes[to], s.player = 0, 1, box
            s.left += far[to] - far[box]
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
            """The boxes, and where the player could walk to."""
            found, least = walk(s, np.zeros(4 * wall, np.int64))
            key = u64(least + 1)
            for cell in range(wall):
                key = add(mul(key, u64(GOLDEN)), u64(s.boxes[cell]))
            return mix(key)

        layout = [("boxes", "u1", (wall + 1,)), ("player", "i8"), ("left", "i8"), ("made", "i8")]
        return Rules(
            layout, moves, play, turn, payoff, width=4 * wall, plies=most, largest=most + 1,
            banked=banked, bounds=bounds, place=place, notation=floor,
        )  # fmt: skip

    def setup(self, record: Any) -> None:
        floor = self.floor
        floor.settle(record, floor.marked(BOXES), floor.marked(PLAYERS)[0])
