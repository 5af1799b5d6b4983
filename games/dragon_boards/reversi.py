"""Reversi, or Othello: a stone turns over all that it encloses; the side with more wins.

Stones run along bit sets in eight directions at once (Kogge and Stone's parallel prefix). A record
keeps the cells where the side to move may place, since three rules need them.
"""

from __future__ import annotations

from attrs import field
from attrs.validators import in_

from dragon import TERMINAL, Board, RecordGame, Rules, frozen, rule
from dragon.bits import bit, draw, elements, has, popcount, select, shl, shr, u64
from dragon.boards.sight import against, along


@frozen
class Reversi(RecordGame):
    """Enclose the other side's stones to turn them over; the payoff is your lead.

    X and O place a stone in turn, so that it and another of their own enclose straight lines of the
    other side's stones, which are turned over. A side that cannot do so passes. If neither can, the
    side with more stones wins and gets the empty cells.
    """

    name, aliases = "reversi", ("othello",)
    small = "reversi(size=4)"
    size: int = field(default=8, validator=in_((4, 6, 8)))
    """The number of rows, and of columns."""

    def rules(self):
        size = self.size
        area, right = size * size, size - 1
        board = u64((1 << area) - 1)
        first = u64(sum(1 << size * row for row in range(size)))
        inner = board & ~(first | shl(first, right))  # cells where a line across does not end
        steps = (1, size - 1, size, size + 1)

        @rule
        def free(own, other):
            """Return the cells where a stone encloses another."""
            found = u64(0)
            for step in steps:
                through = other if step == size else other & inner
                found |= along(own, through, step) | against(own, through, step)
            return found & board & ~(own | other)

        @rule
        def turned(own, other, cell):
            found = u64(0)
            for step in steps:
                through = other if step == size else other & inner
                up, down = along(bit(cell), through, step), against(bit(cell), through, step)
                if up & own:
                    found |= shr(up, step)
                if down & own:
                    found |= shl(down, step)
            return found

        @rule
        def beside(stones):
            """Return the cells next to stones in a row or a column."""
            across = shl(stones, 1) & ~first | shr(stones & ~first, 1)
            return (across | shl(stones, size) | shr(stones, size)) & board

        @rule
        def turn(s):
            over = not s.free and not free(s.stones[1 - s.seat], s.stones[s.seat])
            return TERMINAL if over else s.seat

        @rule
        def moves(s, out):
            out[0] = area
            return max(elements(s.free, out), 1)

        @rule
        def sample(s, random):
            n = popcount(s.free)
            return select(s.free, draw(random, n)) if n else area

        @rule
        def play(s, cell):
            if cell < area:
                over = turned(s.stones[s.seat], s.stones[1 - s.seat], cell)
                s.stones[s.seat] |= over | bit(cell)
                s.stones[1 - s.seat] &= ~over
            s.seat = 1 - s.seat
            s.free = free(s.stones[s.seat], s.stones[1 - s.seat])

        @rule
        def payoff(s, seat):
            lead = popcount(s.stones[seat]) - popcount(s.stones[1 - seat])
            rest = area - popcount(s.stones[0] | s.stones[1])
            return lead + rest if lead > 0 else lead - rest if lead < 0 else 0

        def settle(s):
            s.free = free(s.stones[s.seat], s.stones[1 - s.seat])

        notation = Board(
            size, size, {"stones": "XO"}, words={"pass": area}, naming="columns",
            settled=("free",), settle=settle, surface="felt", scored="stones",
        )  # fmt: skip
        return Rules(
            [*notation.layout, ("free", "u8")], moves, play, turn, payoff, width=area - 4,
            plies=2 * area, largest=area, sample=sample, notation=notation,
            **self.knowledge(free, turned, beside),
        )  # fmt: skip

    def knowledge(self, free, turned, beside):
        """Return the rules for searches alone, made of those of `rules`."""
        area, right = self.size**2, self.size - 1
        black, white = self._middle
        corners = u64(1 | 1 << right | 1 << area - self.size | 1 << area - 1)

        @rule
        def bounds(s):
            """Return the bounds: a stone in a corner is never turned over."""
            kept, lost = popcount(s.stones[0] & corners), popcount(s.stones[1] & corners)
            return 2 * kept - area, area - 2 * lost

        @rule
        def order(s, out, n, scores):
            """Order moves by mobility: few moves of the other side, few cells beside own stones."""
            own, other = s.stones[s.seat], s.stones[1 - s.seat]
            for i in range(n):
                scores[i] = 0
                if out[i] < area:
                    over = turned(own, other, out[i])
                    held = own | over | bit(out[i])
                    theirs = free(other & ~over, held)
                    scores[i] = 4 * (has(corners, out[i]) - popcount(theirs))
                    scores[i] -= 4 * popcount(theirs & corners)
                    scores[i] -= popcount(beside(held) & ~(held | other))

        @rule
        def reduce(s, out, n):
            """Keep one of the first four moves: the others are its images."""
            return 1 if s.stones[0] == black and s.stones[1] == white else n

        return {"bounds": bounds, "order": order, "reduce": reduce}

    @property
    def _middle(self):
        """The stones of the first position; `one` is the upper right of them."""
        one, below = self.size * (self.size - 1) // 2, self.size
        return bit(one) | bit(one + below - 1), bit(one - 1) | bit(one + below)

    def setup(self, record):
        record.stones[:] = self._middle
        self.rules().notation.settle(record)
