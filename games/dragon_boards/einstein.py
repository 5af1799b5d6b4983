"""EinStein würfelt nicht!: a die chooses the stone to move; the first in the far corner wins.

I. Althöfer, 2004. A record has a bit set for each stone, and the number rolled, 0 before a roll.
"""

from __future__ import annotations

from dragon import CHANCE, TERMINAL, BadNotation, Board, RecordGame, Rules, Trait, frozen, rule
from dragon.bits import bit, ctz, draw, popcount, u64

SIZE, STONES = 5, 6
AREA = SIZE * SIZE
CORNERS = 0, 1, 2, 5, 6, 10
"""The first cells of the first side's stones, in the upper left; the other's are opposite."""


@frozen
class Einstein(RecordGame):
    """Roll the die, move that stone towards the far corner, and be there first.

    X begins in the upper left corner, O in the lower right one; each has stones 1 to 6 (O's are a
    to f), which the seed of the deal mixes. The side to move rolls a die and moves the stone of
    that number; if it is gone, the one with the next higher or the next lower number that is left.
    A stone goes one step towards the far corner, along a row, a column or a diagonal, and captures
    any stone there, also of its own side. The first to reach the far corner, or capture all, wins.
    """

    name, title = "einstein", "EinStein würfelt nicht!"
    traits = frozenset({Trait.DUEL, Trait.CHANCE})

    def rules(self):
        goals = bit(AREA - 1), bit(0)
        words = {f"roll{pips}": AREA * AREA + pips for pips in range(1, STONES + 1)}

        @rule
        def left(s, seat):
            """Return the cells of a side's stones."""
            cells = u64(0)
            for number in range(STONES):
                cells |= s.stones[STONES * seat + number]
            return cells

        @rule
        def turn(s):
            last = 1 - s.seat
            if left(s, last) & goals[last] or not left(s, s.seat):
                return TERMINAL
            return s.seat if s.roll else CHANCE

        @rule
        def next_left(s, number, step):
            """Return the mover's nearest stone from a number on, 0 to 5; -1 or 6 for none."""
            while 0 <= number < STONES and not s.stones[STONES * s.seat + number]:
                number += step
            return number

        @rule
        def steps(s, number, out, n):
            """Write the moves of one of the mover's stones."""
            at = ctz(s.stones[STONES * s.seat + number])
            row, column, way = at // SIZE, at % SIZE, 1 - 2 * s.seat
            for k in range(3):  # across, down, and both
                r, c = row + way * int(k > 0), column + way * int(k != 1)
                if 0 <= r < SIZE and 0 <= c < SIZE:
                    out[n] = at * AREA + r * SIZE + c
                    n += 1
            return n

        @rule
        def moves(s, out):
            if not s.roll:
                for pips in range(STONES):
                    out[pips] = AREA * AREA + 1 + pips
                return STONES
            low, high = next_left(s, s.roll - 1, -1), next_left(s, s.roll - 1, 1)
            n = steps(s, low, out, 0) if low >= 0 else 0
            return steps(s, high, out, n) if low != high < STONES else n

        @rule
        def play(s, move):
            if not s.roll:
                s.roll = move - AREA * AREA
                return
            at, to = bit(move // AREA), bit(move % AREA)
            for each in range(2 * STONES):
                s.stones[each] = to if s.stones[each] == at else s.stones[each] & ~to
            s.roll = 0
            s.seat = 1 - s.seat

        @rule
        def payoff(s, seat):
            return 1 if s.seat != seat else -1

        @rule
        def far(s, seat):
            """Return the steps of a side's nearest stone to its corner."""
            least = SIZE
            for number in range(STONES):
                cell = s.stones[STONES * seat + number]
                if cell:
                    row, column = ctz(cell) // SIZE, ctz(cell) % SIZE
                    steps = max(row, column) if seat else SIZE - 1 - min(row, column)
                    least = min(least, steps)
            return least

        @rule
        def evaluate(s, seat):
            guess = (far(s, 1) - far(s, 0)) / (SIZE + 1.0)
            return -guess if seat else guess

        def settle(s):
            cells = [int(each) for each in s.stones]
            if max(map(popcount, cells)) > 1:
                raise BadNotation("no number is on the board twice")

        def won(s, seat):
            return left(s, seat) & goals[seat] or not left(s, 1 - seat)

        notation = Board(
            SIZE, SIZE, {"stones": "123456abcdef"}, sides={"X": "123456", "O": "abcdef"},
            moving=True, words=words, naming="columns", limits={"roll": STONES, "seat": 1},
            settle=settle, won=won, surface="wood", die="roll",
            pieces=dict(zip("abcdef", "123456", strict=True)),
        )  # fmt: skip
        # Each of twelve stones has at most eight steps to go, and each comes after a roll.
        return Rules(
            [*notation.layout, ("roll", "i8")], moves, play, turn, payoff, width=6,
            plies=2 * 2 * STONES * 8, evaluate=evaluate, notation=notation,
        )  # fmt: skip

    def setup(self, record, random):
        for seat in (0, 1):
            numbers = list(range(STONES))
            for cell in CORNERS:
                number = numbers.pop(draw(random, len(numbers)))
                record.stones[STONES * seat + number] = bit(AREA - 1 - cell if seat else cell)
