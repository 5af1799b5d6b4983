"""2048: slide all tiles to one side; equal ones merge, and chance adds another.

G. Cirulli, 2014. A record has the exponent of each tile, 0 for an empty cell.
"""

from __future__ import annotations

import re
from typing import Any

from attrs import field
from attrs.validators import in_

from dragon import CHANCE, TERMINAL, BadNotation, RecordGame, Rules, Trait, frozen, rule
from dragon.boards.squares import Square, block, drawing_parts, label
from dragon.protocols import Part, Place, Sum, drawn
from dragon.rules.notation import BaseNotation

SIZE = 4
AREA = SIZE * SIZE
WAYS = ("up", "right", "down", "left")
MOVES = (*WAYS, *(f"{tile}{row}{column}" for row in "abcd" for column in "1234" for tile in (2, 4)))
"""By their codes: ways, then new tiles and their cells."""
STARTS, STEPS, NEXT = (0, 3, 12, 0), (4, -1, -4, 1), (1, 4, 1, 4)
"""Of each way: the cell where the first line ends, from each of its cells to the one behind it, and
from a line to the next."""
TILES = {
    e: block(f"hsl({48 - 4 * min(e, 11)} {8 * e}% 82%)", 36, 1 << e if e else "") for e in range(18)
}
SAID = {e: str(1 << e if e else "empty") for e in range(18)}
"""How tiles are drawn and called, by their exponents."""
FOUR = 0.1
"""How often a new tile is a 4."""


@frozen
class Tiles(BaseNotation):
    """Moves are ways, or new tiles and their cells, `2b3`; positions are rows and the score."""

    def move_text(self, s: Any, code: int) -> str:
        """`up`, or `4a1`: row letter, column number."""
        return MOVES[code]

    def move_code(self, s: Any, text: str) -> int:
        """The inverse."""
        if text.casefold() not in MOVES:
            raise BadNotation(f"{text!r} is not a move; write one of {', '.join(WAYS)}, or 2b3")
        return MOVES.index(text.casefold())

    def position_text(self, s: Any) -> str:
        """`2,0,0,4/.../... 16 new`, with `new` for each tile that chance is to add."""
        rows = s.tiles.reshape(SIZE, SIZE).tolist()
        board = "/".join(",".join(str(1 << e if e else 0) for e in row) for row in rows)
        return f"{board} {s.score}{' new' * int(s.new)}"

    def parse(self, s: Any, text: str) -> None:
        """The inverse."""
        board, *rest = text.split() or [""]
        score, *new = rest or ["0"]
        tiles = board.replace("/", ",").split(",")
        known = {str(1 << e if e else 0): e for e in range(18)}
        read = len(tiles) == AREA and {*tiles} <= {*known} and re.fullmatch(r"\d{1,7}", score)
        if not read or len(new) > min(2, tiles.count("0")) or {*new} - {"new"}:
            raise BadNotation(f"{text!r} is no position; write one like {self.position_text(s)}")
        s.tiles[:] = [known[tile] for tile in tiles]
        s.score, s.new = int(score), len(new)

    def picture(self, s: Any) -> str:
        """The tiles in columns, and the score."""
        rows = s.tiles.reshape(SIZE, SIZE).tolist()
        lines = ["".join(f"{1 << e if e else '.':>7}" for e in row) for row in rows]
        return "\n".join([*lines, f"score {s.score}"])

    def svg(self, s: Any) -> str:
        """Tiles on squares, the redder the larger, and the score."""
        return drawn(self.drawing(), s)

    def drawing(self) -> list[Part]:
        """The parts of the SVG."""
        squares = []
        for cell in range(AREA):
            at: dict[Place, int] = {("tiles", (cell,)): 1}
            squares.append(Square(*divmod(cell, SIZE), Sum(at, TILES), said=Sum(at, SAID)))
        score = Sum({("score", ()): 1})
        before, after = label("score %").split("%")
        squares.append(Square(SIZE, 1.5, (before, score, after), said=("score ", score)))
        return drawing_parts(SIZE + 1, SIZE, squares)


@frozen
class Two048(RecordGame):
    """Slide all tiles to one side, merge equal ones, and make 2048; what merges is the score.

    All tiles slide as far as they can, up, down, left or right. Two equal ones that meet merge into
    one of twice the number, which counts, but not again in the same move; those nearest to where
    the tiles slide merge first. Something must change. Then a 2 appears on a free cell at random,
    one time in ten a 4. The game is over when nothing can be moved, or the goal is reached. It
    begins with two tiles.
    """

    name = "two048"
    teams = (0,)
    goal: int = field(default=2048, validator=in_([1 << e for e in range(3, 18)]))
    """The tile that ends the game: a power of two from 8 to 131072."""

    @property
    def traits(self):
        return frozenset({Trait.SOLO, Trait.CHANCE})

    def rules(self):
        goal = self.goal.bit_length() - 1

        @rule
        def slide(s, way, changing):
            """What merges when all tiles slide, -1 if nothing would change."""
            gained, changed = 0, False
            for line in range(SIZE):
                first, step = STARTS[way] + line * NEXT[way], STEPS[way]
                filled = last = 0  # tiles at the line's end, and the one that may still merge
                for k in range(SIZE):
                    tile = s.tiles[first + k * step]
                    if tile:
                        merged = int(tile == last)
                        gained += merged * (2 << tile)
                        last = 0 if merged else tile
                        filled += 1 - merged
                        changed = changed or filled != k + 1
                        if changing:
                            s.tiles[first + k * step] = 0
                            s.tiles[first + (filled - 1) * step] = tile + merged
            return gained if changed else -1

        @rule
        def turn(s):
            if s.new:
                return CHANCE
            for tile in s.tiles:
                if tile >= goal:
                    return TERMINAL
            for way in range(4):
                if slide(s, way, False) >= 0:
                    return 0
            return TERMINAL

        @rule
        def moves(s, out):
            n = 0
            for way in range(4 if not s.new else 0):
                if slide(s, way, False) >= 0:
                    out[n] = way
                    n += 1
            for code in range(4, 4 + 2 * AREA if s.new else 0):
                if not s.tiles[(code - 4) // 2]:
                    out[n] = code
                    n += 1
            return n

        @rule
        def odds(s, out):
            for i in range(len(out)):
                out[i] = (FOUR if i % 2 else 1 - FOUR) * 2 / len(out)

        @rule
        def play(s, move):
            if s.new:
                s.tiles[(move - 4) // 2] = 1 + move % 2
                s.new -= 1
            else:
                s.score += slide(s, move, True)
                s.new = 1

        @rule
        def payoff(s, seat):
            return s.score

        # The tiles' sum grows by two at least with each new one, and none is above the goal.
        return Rules(
            [("tiles", "i8", (AREA,)), ("score", "i8"), ("new", "i8")], moves, play, turn, payoff,
            width=2 * AREA, plies=AREA * self.goal + 2, largest=AREA * goal * self.goal, odds=odds,
            notation=Tiles(),
        )  # fmt: skip

    def setup(self, record):
        record.new = 2
