"""Sokoban: push all boxes onto goals; the fewer pushes, the more it pays.

H. Imabayashi, 1981. Levels are in the format XSB, as collections of them have it: `#` wall, `$`
box, `.` goal, `@` player, `*` and `+` box and player on a goal. A record has the boxes on the
floor that the player could reach without them; one more cell stands for all walls, as a box that
cannot move. Boxes and goals out of reach stay as they are: a level is not solved while one of them
is alone.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve, field
from attrs.validators import ge, le

from dragon import TERMINAL, BadNotation, ConfigError, RecordGame, Rules, Trait, frozen, rule
from dragon.bits import GOLDEN, add, mix, mul, u64
from dragon_puzzles.level import BOXES, GOALS, PLAYERS, Level, level_in, level_of
from dragon_puzzles.made import priced

SMALL = "#########|# #    .#|#   @ . #|###$    #|#  $ ## #|#  .$   #|#########"
"""A level of 18 pushes."""
CELLS = 500
"""The most cells of floor; each takes memory in every state."""


@frozen
class Sokoban(RecordGame):
    """Push every box onto a goal; each push costs 1.

    The player walks where neither walls nor boxes are, and pushes a box, never two, to the free
    cell behind it. A move is one push, with the walk before it. A game of more than `most` pushes,
    or one in which no push is possible any more, costs one more than that.
    """

    name = "sokoban"
    teams = (0,)
    traits = frozenset({Trait.SOLO, Trait.REPETITION})
    level: str = SMALL
    """Rows from the top with | between them: # wall, $ box, . goal, @ player, * and + on a goal.

    Floor is a space, - or _, and 3# is ###.
    """
    file: str | None = field(default=None, metadata={"outside": True})
    """A file of levels, one of which replaces `level`."""
    number: int = field(default=1, validator=ge(1))
    """The number of the level in the file."""
    most: int = field(default=400, validator=[ge(1), le(100_000)])
    """The most pushes of a game."""

    def __attrs_post_init__(self) -> None:
        floor = self.floor
        players, boxes, goals = (floor.count(marks) for marks in (PLAYERS, BOXES, GOALS))
        if players != 1 or not boxes == goals > 0:
            raise ValueError(
                f"the level has {players} players, {boxes} boxes and {goals} goals; it needs one "
                "player, and as many goals as boxes"
            )
        if leak := floor.leak:
            raise ValueError(
                f"the player could walk off the level at row {leak[0] + 1}, column {leak[1] + 1}; "
                "close the walls around it"
            )
        if len(floor.places) > CELLS:
            raise ValueError(f"the level has {len(floor.places)} cells of floor; at most {CELLS}")

    @property
    def floor(self) -> Level:
        """The level in use."""
        if self.file is not None:
            return evolve(level_of(self.file, self.number), most=self.most)
        try:
            return evolve(level_in(self.level), most=self.most)
        except BadNotation as wrong:
            raise ConfigError(f"{wrong} @ level") from None

    def rules(self) -> Rules:
        import numpy as np

        floor, most = self.floor, self.most
        far, beside, wall = np.append(floor.far, 0), floor.beside, len(floor.places)

        @rule
        def walk(s, out):
            """Write the possible pushes; return the least cell in reach, and their number."""
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
            return least, found

        @rule
        def turn(s):
            if s.left == 0 or s.made >= most:
                return TERMINAL
            return 0 if walk(s, np.zeros(4 * wall, np.int64))[1] else TERMINAL

        @rule
        def moves(s, out):
            return walk(s, out)[1]

        @rule
        def play(s, push):
            box, to = push // 4, beside[push // 4, push % 4]
            s.boxes[box], s.boxes[to], s.player = 0, 1, box
            s.left += far[to] - far[box]
            s.made += 1

        @rule
        def place(s):
            """Return a key of the boxes and of the region in reach of the player."""
            key = u64(walk(s, np.zeros(4 * wall, np.int64))[0] + 1)
            for cell in range(wall):
                key = add(mul(key, u64(GOLDEN)), u64(s.boxes[cell]))
            return mix(key)

        layout = [("player", "i8"), ("left", "i8"), ("made", "i8"), ("boxes", "u1", (wall + 1,))]
        return Rules(
            layout, moves, play, turn, width=4 * wall, plies=most, largest=most + 1,
            place=place, notation=floor, **priced(most),
        )  # fmt: skip

    def setup(self, record: Any) -> None:
        floor = self.floor
        floor.settle(record, floor.marked(BOXES), floor.marked(PLAYERS)[0])
