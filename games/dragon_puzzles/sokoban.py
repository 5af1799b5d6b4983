"""Sokoban: push all boxes onto goals; the fewer pushes, the more it pays.

H. Imabayashi, 1981. Levels are in the format XSB, as collections of them have it: `#` wall, `$`
box, `.` goal, `@` player, `*` and `+` box and player on a goal. A record has the boxes on the
floor that the player could reach without them; one more cell stands for all walls, as a box that
cannot move. Boxes and goals out of reach stay as they are: a level is not solved while one of them
is alone.

The format is the notation of positions too. XSB and `.sok` are read as the Sokoban Wiki and the
files of Sokoban YASC describe them: `-` and `_` are floor too, `p`, `P`, `b` and `B` stand for `@`,
`+`, `$` and `*`, `|` ends a row, `3#` is `###` and `2(#-)` is `#-#-`. An empty row inside a level
has a `-`, since a blank line ends the level.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import islice, product
from typing import Any

from attrs import evolve, field
from attrs.validators import ge, le

from dragon import TERMINAL, BadNotation, ConfigError, RecordGame, Rules, Trait, frozen, rule
from dragon.bits import GOLDEN, add, mix, mul, u64
from dragon.boards import material as m
from dragon.boards.drawing import cell_name
from dragon.boards.squares import Square, drawing_parts
from dragon.config import read_text
from dragon.protocols import Part, Sum, drawn
from dragon.rules.notation import BaseNotation
from dragon_puzzles.puzzle import made_text, priced, read_made

MARKS = "#$.@*+ -_pPbB"
"""The marks of XSB, and other letters with the same meaning."""
PLAIN = str.maketrans("-_pPbB", "  @+$*")
KNOWN = "# wall, $ box, . goal, @ player, * and + on a goal, space, - or _ floor"
LONGEST = 200
"""The most characters of a row, and repetitions: more are a mistake, or would fill the memory."""
WALLED = re.compile(r"[\d(\s_-]*#(.*#)?\|?")
"""A line that begins and ends with a wall, which no title or comment does."""
CODED = re.compile(r"[\d(\s_*B-]*#[#$.@*+\s_pPbB\d()|-]*[#*B)]\|?")
"""A line with rows in run-length encoding."""
RULER = re.compile(r"\s*\+?(?:[-_=~][ ]?){3,}\+?\s*")
"""A line between levels; as rows, its dashes would be floor without a wall beside it."""
STARRED = re.compile(r"\s*([*.+])(?: ?\1){2,}\s*")
"""A line of boxes or goals alone, which is a ruler after a level that is closed."""
BOXES, GOALS, PLAYERS = "$*", ".*+", "@+"
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
        """The row and column of each cell of floor that the player could reach without boxes."""
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

    @property
    def leak(self) -> tuple[int, int] | None:
        """The first place from which the player could walk off the level."""
        inside = set(self.all())
        for r, c in self.places:
            if any((r + y, c + x) not in inside for y, x in STEPS):
                return r, c
        return None

    @property
    def stuck(self) -> bool:
        """Return whether a box or a goal out of reach is alone: then no solution exists."""
        return any(self.mark(*place) in "$." for place in {*self.all()} - {*self.places})

    def count(self, marks: str) -> int:
        """Return the number of cells with one of these marks, also out of reach."""
        return sum(row.count(mark) for row in self.rows for mark in marks)

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
        rows = [list(row) for row in self.rows]
        for cell, (r, c) in enumerate(self.places):
            rows[r][c] = rows[r][c].translate(EMPTIED)
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
        fixed = [[*row] for row in rows], [[*row] for row in self.rows]
        for (r, c), board in product(self.places, fixed):
            if r < len(board) and c < len(board[r]):
                board[r][c] = board[r][c].translate(EMPTIED)
        if fixed[0] != fixed[1]:
            raise BadNotation(f"{text!r} has other walls or goals than this level, or other boxes "
                              "out of the player's reach")  # fmt: skip
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
        s.player, s.left = player, int(self.far[boxes].sum()) + FAR * self.stuck

    def picture(self, s: Any) -> str:
        return "\n".join(self._marks(s))

    def svg(self, s: Any) -> str:
        return drawn(self.drawing(), s)

    def drawing(self) -> list[Part]:
        numbers = {place: i for i, place in enumerate(self.places)}
        squares = []
        for r, c in self.all():
            mark, at = self.mark(r, c), numbers.get((r, c), -1)
            goal = mark in GOALS
            floor = m.bricks() if mark == "#" else m.rect(-20, -20, 40, 40, m.paint("floor"))
            box = m.crate("jade" if goal else "amber")
            said: tuple[Part, ...] = ("crate" if mark in BOXES else "",)
            parts: list[Part] = [floor + (m.goal() if goal else "")]
            if at < 0 and mark in BOXES:
                parts.append(box)
            if at >= 0:
                parts.append(Sum({("boxes", (at,)): 1}, {1: box}))
                parts.append(Sum({("player", ()): 1}, {at: f'<g class="keeper">{m.keeper()}</g>'}))
                said = (
                    Sum({("boxes", (at,)): 1}, {0: "floor", 1: "crate"}),
                    Sum({("player", ()): 1}, {at: ", keeper"}),
                    ", goal" if goal else "",
                )
            name = "" if mark == "#" else cell_name(r, c, "rows", len(self.rows))
            squares.append(Square(r, c, tuple(parts), name, said if any(said) else ""))
        return drawing_parts(len(self.rows), max(map(len, self.rows)), squares, " ")

    def texts(self) -> dict[int, str]:
        """Return the texts of all pushes between cells."""
        wall = len(self.places)
        codes = (4 * cell + way for cell in range(wall) for way in range(4))
        return {code: self.move_text(None, code) for code in codes
                if self.beside[code // 4, code % 4] < wall}  # fmt: skip


def level_in(text: str) -> Level:
    """Return the level in a text that contains nothing else; `|` or `/` may separate its rows."""
    rows: list[str] = []
    for number, line in enumerate(re.split(r"[|/\n]", text.strip("|/\n")), 1):
        try:
            rows += _rows(line)
        except BadNotation as wrong:
            raise BadNotation(f"row {number}, {wrong}") from None
    return Level(tuple(rows))


def level_of(file: str, number: int) -> Level:
    """Return the level of that number in a file, from 1 on; raise ConfigError."""
    text = read_text(file, "levels")
    try:
        found = next(islice(_blocks(text), number - 1, None), None)
        if found is None:
            many = sum(1 for _ in _blocks(text))
            raise ConfigError(f"{file} has no level {number}; levels found there: {many}")
    except BadNotation as wrong:
        raise ConfigError(f"{file}, {wrong}") from None
    rows, mistake = found
    if mistake:
        raise ConfigError(f"{file}, {mistake}")
    return Level(tuple(rows))


def _blocks(text: str) -> Iterator[tuple[list[str], str]]:
    """Yield the rows of each level, and the first mistake in them.

    Raises BadNotation for a line inside a level that is not a row of it: then it is not known where
    the next level begins.
    """
    text = re.sub(r"(?ims)^comment:.*?^comment-end:", lambda m: "\n" * m[0].count("\n"), text)
    rows: list[str] = []
    begin, mistake, above = 0, "", ""
    for number, line in enumerate([*text.splitlines(), ""], 1):
        bare, pure = line.strip(" \t-_"), not set(line) - set("#$.@*+ -_")
        walled = WALLED.fullmatch(line.rstrip()) or CODED.fullmatch(line.rstrip())
        missing = rows and {*bare} & {*PLAYERS} and not Level(tuple(rows)).places
        ruled = RULER.fullmatch(line) or (STARRED.fullmatch(line) and _closed(rows))
        if not ruled and (walled or missing or (bare and pure and (rows or "#" in bare))):
            begin = begin if rows else number
            try:
                rows += _rows(line.rstrip())
            except BadNotation as wrong:
                mistake = mistake or f"line {number}, {wrong}"
                rows += "".join(m if m in f"{MARKS}|" else " " for m in line.rstrip()).split("|")
        elif rows:
            level = Level(tuple(rows))
            if line.strip() and not (bare or ruled) and (level.leak or not level.places):
                rows.append("")
                continue
            if level.leak and not mistake:
                text = line.strip()
                shown = f"{text!r:.40} is not a row" if text else "the rows end"
                raise BadNotation(
                    f"line {number}: {shown}, but the level that begins on line {begin} is not "
                    f"closed by walls yet{above}; write its rows without a gap, with {KNOWN}"
                )
            if len(rows) > 2 and (level.count("$.@*+") or mistake):  # otherwise it is decoration
                yield rows, mistake
            rows, mistake = [], ""
        if not rows:
            above = f" (line {number}, {line.strip()!r:.40}, is not a row)" if "#" in line else ""


def _closed(rows: list[str]) -> bool:
    """Return whether walls are all around the player of these rows."""
    level = Level(tuple(rows))
    return bool(level.places) and not level.leak


def _rows(line: str) -> list[str]:
    """Return the rows of a line, in marks of XSB; raise BadNotation with the mistake's column."""
    for column, mark in enumerate(line, 1):
        if mark not in MARKS and mark not in "0123456789()|":
            shown = "a tab" if mark == "\t" else repr(mark)
            raise BadNotation(f"column {column}: {shown} is not a mark of a level; write {KNOWN}")
    return [_spelled(row).translate(PLAIN).rstrip() for row in line.removesuffix("|").split("|")]


def _spelled(row: str) -> str:
    """Return a row with repetitions written out: `3#` becomes `###`."""
    before, again = "", re.compile(r"(\d+)([^\d()])|(\d*)\(([^\d()]*)\)")
    while row != before and len(row) <= LONGEST:
        before = row
        row = again.sub(lambda m: (m[2] or m[4] or "") * min(int(m[1] or m[3] or 1), LONGEST + 1),
                        row)  # fmt: skip
    if len(row) > LONGEST:
        raise BadNotation(f"column 1: the row is longer than {LONGEST} cells; write fewer")
    if re.search(r"[\d()]", row):
        raise BadNotation(f"column 1: {before!r:.40} is not a row; write runs as 3# or 2(#-)")
    return row


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
