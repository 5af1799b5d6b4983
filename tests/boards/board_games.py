"""Games on a `Board`, as authors write them: captures, passes, promotions, dice.

Reversi (stones are turned over, a turn may be passed), breakthrough (pieces move), pawns (they are
promoted), draughts (one seat moves several times) and dice (chance says which piece moves).
"""

import numpy as np
from attrs import field
from attrs.validators import ge, le

from dragon import CHANCE, TERMINAL, Board, RecordGame, Rules, Trait, frozen, hookimpl, rule
from dragon.bits import bit, ctz, drop, has, popcount, shl, shr, u64

# ---- reversi -----------------------------------------------------------------------------------

STEPS = (1, 7, 8, 9)
LEFT, RIGHT = 0x0101010101010101, 0x8080808080808080
PASS = 64


@rule
def beside(x, way):
    """The cells next to those of `x` in one of eight directions."""
    x = shl(x, STEPS[way]) if way < 4 else shr(x, STEPS[way - 4])
    if way in (0, 3, 5):
        return x & ~u64(LEFT)
    return x & ~u64(RIGHT) if way in (1, 4, 7) else x


@rule
def turned(own, other, cell):
    """The stones that a stone on `cell` turns over."""
    found = u64(0)
    for way in range(8):
        line, x = u64(0), beside(bit(cell), way)
        while x & other:
            line |= x
            x = beside(x, way)
        if x & own:
            found |= line
    return found


@frozen
class Reversi(RecordGame):
    """The side with more cells in the end wins; a stone must turn over others, else one passes."""

    name = "reversi"

    def rules(self):
        @rule
        def turn(s):
            return TERMINAL if s.passes == 2 else s.seat

        @rule
        def moves(s, out):
            own, other = s.stones[s.seat], s.stones[1 - s.seat]
            empty, n = ~(own | other), 0
            while empty:
                if turned(own, other, ctz(empty)):
                    out[n] = ctz(empty)
                    n += 1
                empty = drop(empty)
            if n == 0:
                out[0] = PASS
                n = 1
            return n

        @rule
        def play(s, move):
            s.passes += 1
            if move != PASS:
                over = turned(s.stones[s.seat], s.stones[1 - s.seat], move)
                s.stones[s.seat] |= over | bit(move)
                s.stones[1 - s.seat] &= ~over
                s.passes = 0
            s.seat = 1 - s.seat

        @rule
        def payoff(s, seat):
            more = popcount(s.stones[seat]) - popcount(s.stones[1 - seat])
            return 1 if more > 0 else -1 if more < 0 else 0

        board = Board(8, 8, {"stones": "XO"}, words={"pass": PASS}, naming="columns")
        layout = [*board.layout, ("passes", "i8")]
        return Rules(layout, moves, play, turn, payoff, width=60, plies=130, notation=board)

    def setup(self, record):
        record.stones[:] = bit(28) | bit(35), bit(27) | bit(36)


# ---- breakthrough ------------------------------------------------------------------------------


@frozen
class Breakthrough(RecordGame):
    """Pieces step forward, and capture diagonally; the first on the far row wins."""

    name = "breakthrough"
    rows: int = field(default=5, validator=[ge(4), le(8)])
    columns: int = field(default=4, validator=[ge(2), le(8)])

    def rules(self):
        rows, columns = self.rows, self.columns
        area = rows * columns
        top, bottom = (1 << columns) - 1, ((1 << columns) - 1) << (area - columns)

        @rule
        def turn(s):
            white, black = s.stones[0], s.stones[1]
            over = white & u64(top) or black & u64(bottom) or not white or not black
            return TERMINAL if over else s.seat

        @rule
        def moves(s, out):
            own, other = s.stones[s.seat], s.stones[1 - s.seat]
            ahead, n = columns * (2 * s.seat - 1), 0
            while own:
                at = ctz(own)
                own = drop(own)
                for side in (-1, 0, 1):
                    to = at + ahead + side
                    if 0 <= at % columns + side < columns:
                        free = not has(s.stones[s.seat], to)
                        if free and (side or not has(other, to)):
                            out[n] = at * area + to
                            n += 1
            return n

        @rule
        def play(s, move):
            at, to = move // area, move % area
            s.stones[s.seat] = s.stones[s.seat] & ~bit(at) | bit(to)
            s.stones[1 - s.seat] &= ~bit(to)
            s.seat = 1 - s.seat

        @rule
        def payoff(s, seat):
            return 1 if s.seat != seat else -1

        board = Board(
            rows, columns, {"stones": "WB"}, moving=True, naming="chess", colours=("White", "Black")
        )
        return Rules(
            board.layout, moves, play, turn, payoff, width=6 * columns, plies=4 * area,
            notation=board,
        )  # fmt: skip

    def setup(self, record):
        two = (1 << 2 * self.columns) - 1
        record.stones[:] = u64(two << (self.rows - 2) * self.columns), u64(two)


# ---- pawns -------------------------------------------------------------------------------------

SIZE, AREA, NOTHING = 4, 16, 3 * 256
LONGEST = 40
PAWN, KNIGHT, ROOK = 0, 1, 2
UP = (2, 2, -2, -2, 1, 1, -1, -1, 1, -1, 0, 0)
ACROSS = (1, -1, 1, -1, 2, -2, 2, -2, 0, 0, 1, -1)
FIRST = (0, 0, 8, 12)
"""Steps of each kind, from FIRST[kind] to FIRST[kind + 1]; those of a pawn are rules of its own."""


@rule
def held(pieces):
    return pieces[PAWN] | pieces[KNIGHT] | pieces[ROOK]


@rule
def write(out, n, own, at, row, column, kind):
    """Write the moves from `at` to a cell on the board without an own piece; return how many."""
    if not (0 <= row < SIZE and 0 <= column < SIZE) or has(own, SIZE * row + column):
        return n
    code = at * AREA + SIZE * row + column
    if kind != PAWN or 0 < row < SIZE - 1:
        out[n] = code
        return n + 1
    for piece in (1, 2):
        out[n] = piece * AREA * AREA + code
        n += 1
    return n


@rule
def listed(own, other, ahead, out):
    """Write the moves of one side, whose pieces are `own`; return how many."""
    n, mine, theirs = 0, held(own), held(other)
    for kind in range(3):
        left = own[kind]
        while left:
            at = ctz(left)
            left = drop(left)
            row, column = at // SIZE, at % SIZE
            if kind == PAWN:
                if 0 <= row + ahead < SIZE and not has(theirs, at + SIZE * ahead):
                    n = write(out, n, mine, at, row + ahead, column, PAWN)
                for side in (-1, 1):
                    to = SIZE * (row + ahead) + column + side
                    if 0 <= column + side < SIZE and 0 <= to < AREA and has(theirs, to):
                        n = write(out, n, mine, at, row + ahead, column + side, PAWN)
            if kind == KNIGHT:
                out[n] = at * AREA + at  # it may wait
                n += 1
            for way in range(FIRST[kind], FIRST[kind + 1]):
                n = write(out, n, mine, at, row + UP[way], column + ACROSS[way], kind)
    return n


@frozen
class Pawns(RecordGame):
    """Pawns become knights, which may wait, or rooks that step; who captures all pieces wins."""

    name = "pawns"
    traits = frozenset({Trait.DUEL, Trait.REPETITION})

    def rules(self):
        @rule
        def turn(s):
            over = s.ply == LONGEST or not held(s.white) or not held(s.black)
            return TERMINAL if over else s.ply % 2

        @rule
        def moves(s, out):
            out[0] = NOTHING
            if s.ply % 2:
                return max(1, listed(s.black, s.white, 1, out))
            return max(1, listed(s.white, s.black, -1, out))

        @rule
        def step(own, other, move):
            at, to, becomes = move // AREA % AREA, move % AREA, move // AREA // AREA
            for kind in range(3):
                other[kind] &= ~bit(to)
                if has(own[kind], at):
                    own[kind] &= ~bit(at)
                    own[max(kind, becomes)] |= bit(to)
                    at = AREA  # it has moved, and nothing is on this cell

        @rule
        def play(s, move):
            if move != NOTHING:
                if s.ply % 2:
                    step(s.black, s.white, move)
                else:
                    step(s.white, s.black, move)
            s.ply += 1
            s.taken = held(s.white) | held(s.black)

        @rule
        def payoff(s, seat):
            winner = 0 if not held(s.black) else 1 if not held(s.white) else -1
            return 0 if winner < 0 else 1 if winner == seat else -1

        def settle(s):
            s.taken = held(s.white) | held(s.black)

        board = Board(
            SIZE, SIZE, {"white": "PNR", "black": "pnr"}, sides={"w": "PNR", "b": "pnr"},
            mover="ply", moving=True, promotions="nr", words={"pass": NOTHING},
            settled=("taken",), settle=settle, naming="chess", colours=("White", "Black"),
        )  # fmt: skip
        layout = [*board.layout, ("taken", "u8")]
        return Rules(layout, moves, play, turn, payoff, width=64, plies=LONGEST, notation=board)

    def setup(self, record):
        record.white[PAWN], record.black[PAWN] = u64(0x0F00), u64(0x00F0)
        record.taken = u64(0x0FF0)


# ---- draughts ----------------------------------------------------------------------------------

WIDE, SQUARES, STUCK, DULL = 6, 36, 36 * 36, 20


@frozen
class Draughts(RecordGame):
    """A piece jumps over others and goes on as long as it can; a man on the far row is a king."""

    name = "draughts"

    def rules(self):
        @rule
        def goal(s, at, way, length):
            """The cell so many diagonal steps away, if a piece may go there and it is empty; or -1.

            Ways 0 and 1 lead up, 2 and 3 down.
            """
            up = way < 2
            if not has(s.kings[s.seat], at) and up != (s.seat == 0):
                return -1
            row = at // WIDE + (-length if up else length)
            column = at % WIDE + (-length if way % 2 else length)
            to = WIDE * row + column
            if not (0 <= row < WIDE and 0 <= column < WIDE):
                return -1
            held = s.men[0] | s.men[1] | s.kings[0] | s.kings[1]
            return -1 if has(held, to) else to

        @rule
        def jumps(s, at, out, n):
            """Write the jumps of a piece behind the n moves that there are; return their count."""
            for way in range(4):
                to = goal(s, at, way, 2)
                if to >= 0 and has(s.men[1 - s.seat] | s.kings[1 - s.seat], (at + to) // 2):
                    out[n] = at * SQUARES + to
                    n += 1
            return n

        @rule
        def turn(s):
            gone = not (s.men[0] | s.kings[0]) or not (s.men[1] | s.kings[1])
            return TERMINAL if gone or s.dull == DULL else s.seat

        @rule
        def moves(s, out):
            if s.next:
                return jumps(s, s.next - 1, out, 0)
            n, own = 0, s.men[s.seat] | s.kings[s.seat]
            while own:
                at = ctz(own)
                own = drop(own)
                n = jumps(s, at, out, n)
                for way in range(4):
                    to = goal(s, at, way, 1)
                    if to >= 0:
                        out[n] = at * SQUARES + to
                        n += 1
            if n == 0:
                out[0] = STUCK
                n = 1
            return n

        @rule
        def play(s, move):
            s.dull += 1
            s.next = 0
            if move != STUCK:
                at, to = move // SQUARES, move % SQUARES
                crowned = to // WIDE == (WIDE - 1 if s.seat else 0) and has(s.men[s.seat], at)
                if has(s.men[s.seat], at) and not crowned:
                    s.men[s.seat] |= bit(to)
                else:
                    s.kings[s.seat] |= bit(to)
                s.men[s.seat] &= ~bit(at)
                s.kings[s.seat] &= ~bit(at)
                if abs(at // WIDE - to // WIDE) == 2:
                    s.men[1 - s.seat] &= ~bit((at + to) // 2)
                    s.kings[1 - s.seat] &= ~bit((at + to) // 2)
                    s.dull = 0
                    more = np.zeros(4, np.int64)
                    if not crowned and jumps(s, to, more, 0):
                        s.next = to + 1
                        return
            s.seat = 1 - s.seat

        @rule
        def payoff(s, seat):
            own, other = s.men[seat] | s.kings[seat], s.men[1 - seat] | s.kings[1 - seat]
            return 0 if own and other else 1 if own else -1

        board = Board(
            WIDE, WIDE, {"men": "ox", "kings": "OX"}, sides={"O": "oO", "X": "xX"}, moving=True,
            words={"pass": STUCK}, colours=("White", "Black"),
        )  # fmt: skip
        layout = [*board.layout, ("next", "i8"), ("dull", "i8")]
        return Rules(layout, moves, play, turn, payoff, width=48, plies=300, notation=board)

    def setup(self, record):
        for seat, rows in ((0, (4, 5)), (1, (0, 1))):
            for cell in (WIDE * row + column for row in rows for column in range(WIDE)):
                if (cell // WIDE + cell) % 2:
                    record.men[seat] |= bit(cell)


# ---- dice --------------------------------------------------------------------------------------

DIE = 81


@frozen
class Dice(RecordGame):
    """A die of three says which piece moves, or its neighbour; the first in the far corner wins."""

    name = "dice"

    @property
    def traits(self):
        """Two sides, and a die."""
        return frozenset({Trait.DUEL, Trait.CHANCE})

    def rules(self):
        @rule
        def whose(south, north):
            """The seat that has won, or -1."""
            if has(south[0] | south[1] | south[2], 0) or not (north[0] | north[1] | north[2]):
                return 0
            lost = has(north[0] | north[1] | north[2], 8) or not (south[0] | south[1] | south[2])
            return 1 if lost else -1

        @rule
        def turn(s):
            if whose(s.south, s.north) >= 0:
                return TERMINAL
            return s.seat if s.die else CHANCE

        @rule
        def ready(own, number, out, ahead):
            """Write the moves of the pieces that the die allows; return how many."""
            n = 0
            for way in (-1, 1):
                k = number
                while 0 <= k < 3 and not own[k]:
                    k += way
                if 0 <= k < 3 and (way < 0 or not own[number]):
                    at = ctz(own[k])
                    row, column = at // 3, at % 3
                    for down in range(2):
                        for right in range(2):
                            r, c = row + ahead * down, column + ahead * right
                            if (down or right) and 0 <= r < 3 and 0 <= c < 3:
                                out[n] = at * 9 + 3 * r + c
                                n += 1
            return n

        @rule
        def moves(s, out):
            if s.die == 0:
                for number in range(3):
                    out[number] = DIE + number
                return 3
            if s.seat == 0:
                return ready(s.south, s.die - 1, out, -1)
            return ready(s.north, s.die - 1, out, 1)

        @rule
        def play(s, move):
            if move >= DIE:
                s.die = move - DIE + 1
                return
            for k in range(3):  # whatever is captured, one's own too
                here = has(s.south[k] if s.seat == 0 else s.north[k], move // 9)
                s.south[k] &= ~bit(move % 9)
                s.north[k] &= ~bit(move % 9)
                if here and s.seat == 0:
                    s.south[k] = bit(move % 9)
                elif here:
                    s.north[k] = bit(move % 9)
            s.die = 0
            s.seat = 1 - s.seat

        @rule
        def payoff(s, seat):
            return 1 if whose(s.south, s.north) == seat else -1

        board = Board(
            3, 3, {"south": "123", "north": "abc"}, sides={"S": "123", "N": "abc"}, moving=True,
            words={f"rolls{n + 1}": DIE + n for n in range(3)},
        )  # fmt: skip
        layout = [*board.layout, ("die", "i8")]
        return Rules(layout, moves, play, turn, payoff, width=6, plies=60, notation=board)

    def setup(self, record):
        record.south[:] = bit(8), bit(7), bit(5)
        record.north[:] = bit(0), bit(1), bit(3)


@hookimpl
def dragon_games():
    """Return the games of this file whose names no installed game has."""
    return [Dice, Draughts, Pawns]
