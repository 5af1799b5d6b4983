"""2048: slide all tiles to one side; equal ones merge, and chance adds another.

G. Cirulli, 2014. A record has the exponent of each tile, 0 for an empty cell.
"""

from __future__ import annotations

from typing import Any

from attrs import field
from attrs.validators import in_

from dragon import CHANCE, TERMINAL, BadNotation, RecordGame, Rules, Trait, frozen, rule
from dragon.boards.squares import Counts, power_tile, showing, tray

SIZE, AREA = 4, 16
WAYS = ("up", "right", "down", "left")
NEW = [f"{tile}{row}{column}" for row in "abcd" for column in "1234" for tile in (2, 4)]
MOVES = {text: code for code, text in enumerate([*WAYS, *NEW])}
STARTS, STEPS, NEXT = (0, 3, 12, 0), (4, -1, -4, 1), (1, 4, 1, 4)
"""For each way: the cell where the first line ends, the step to the cell behind it, and the step
from a line to the next."""
NUMBERS = [(e, 1 << e if e else 0) for e in range(18)]
TILES = {e: power_tile(e) for e, n in NUMBERS if n}
SAID, TEXT = ({e: str(n or empty) for e, n in NUMBERS} for empty in ("empty", "."))
"""The words and the notation of tiles, by their exponents."""
SQUARES = tuple(
    showing(*divmod(n, SIZE), {("tiles", (n,)): 1}, TILES, SAID, text=TEXT) for n in range(AREA)
)
TRAY = tray(SIZE, SIZE)
FOUR = 0.1  # the probability that a new tile is a 4


@frozen
class Tiles(Counts):
    """The notation: moves are ways or new tiles, `2b3`; positions are rows and the score."""

    def position_text(self, s: Any) -> str:
        """Return `2,0,0,4/.../... 16 new`, with `new` for each tile that chance will add."""
        rows = s.tiles.reshape(SIZE, SIZE).tolist()
        board = "/".join(",".join(str(1 << e if e else 0) for e in row) for row in rows)
        return f"{board} {s.score}{' new' * int(s.new)}"

    def parse(self, s: Any, text: str) -> None:
        """Read the text of a position."""
        board, *rest = text.split() or [""]
        score, *new = rest or ["0"]
        tiles = board.replace("/", ",").split(",")
        made = [{str(n): e for e, n in NUMBERS}.get(tile, -1) for tile in tiles]
        most = sum((e - 1) << e for e in made if e > 0)  # the score if all new tiles were 2s
        read = len(made) == AREA and min(made) >= 0 and score.isdecimal() and len(score) < 9
        if not read or int(score) > most or len(new) > min(2, tiles.count("0")) or {*new} - {"new"}:
            raise BadNotation(f"{text!r} is not a position; write one like {self.position_text(s)}")
        s.tiles[:], s.score, s.new = made, int(score), len(new)


@frozen
class Two048(RecordGame):
    """Slide all tiles to one side, merge equal ones, and make 2048; merged tiles are the score.

    All tiles slide as far as they can, up, down, left or right. Two equal ones that meet merge into
    one of twice the number, which counts, but not again in the same move; those nearest to where
    the tiles slide merge first. Something must change. Then a 2 appears on a free cell at random,
    one time in ten a 4. The game is over when nothing can be moved, or the goal is reached. It
    begins with two tiles.
    """

    name, title = "two048", "2048"
    teams = (0,)
    traits = frozenset({Trait.SOLO, Trait.CHANCE})
    goal: int = field(default=2048, validator=in_([1 << e for e in range(3, 18)]))
    """The tile that ends the game: a power of two from 8 to 131072."""

    def rules(self):
        goal = self.goal.bit_length() - 1

        @rule
        def slide(s, way, changing):
            """Return the sum of merged tiles if all slide, -1 if nothing would change."""
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

        notation = Tiles(SIZE, SIZE, SQUARES, words=MOVES, wide=7, below="score", ground=TRAY)
        # Each new tile adds at least two to the sum of tiles, and no tile is above the goal.
        return Rules(
            [("tiles", "i8", (AREA,)), ("score", "i8"), ("new", "i8")], moves, play, turn, payoff,
            width=2 * AREA, plies=AREA * self.goal + 2, largest=AREA * goal * self.goal, odds=odds,
            notation=notation,
        )  # fmt: skip

    def setup(self, record):
        record.new = 2
