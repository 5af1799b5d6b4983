"""Checkers, or English draughts: men step forward, and jumps are compulsory.

Men and kings are bit sets that step and jump all at once, in four directions. A piece that has
jumped and can jump again goes on in the same turn, one move for each jump.
"""

from __future__ import annotations

from dragon import TERMINAL, BadNotation, RecordGame, Rules, Trait, frozen, rule
from dragon.bits import bit, elements, has, popcount, shl, shr, u64

DARK = 0x55AA55AA55AA55AA
STEPS = (7, 9, -9, -7)
"""The steps from a bit to the cells that touch it: down left, down right, up left, up right."""
QUIET = 80
"""The plies without a jump or a man's step after which the game is drawn."""


@frozen
class Checkers(RecordGame):
    """Step diagonally, jump over the other side's pieces to capture them, and leave it no move.

    Black begins, and moves down; White moves up. A man goes one step diagonally forward to a free
    cell, a king also backward. A piece captures an enemy diagonally next to it by jumping over
    it, to a free cell right behind; men jump forward only. Jumps are compulsory, and go on with the
    same piece as long as possible. A man that reaches the last row becomes a king, and its turn is
    over. A side without a move loses; after forty moves of each side without jumps or men's steps
    the game is drawn.
    """

    name, aliases = "checkers", ("draughts",)
    traits = frozenset({Trait.DUEL, Trait.REPETITION})

    def rules(self):
        from dragon_boards.forms.draughts import Numbered

        dark, last = u64(DARK), (u64(255 << 56), u64(255))
        not_a, not_h = u64(0xFEFEFEFEFEFEFEFE), u64(0x7F7F7F7F7F7F7F7F)

        @rule
        def shift(cells, way):
            """Return the cells that pieces reach by one step; way: 0 to 3, as in STEPS."""
            inside = cells & (not_h if way & 1 else not_a)
            return shl(inside, 7 + 2 * way) if way < 2 else shr(inside, 13 - 2 * way)

        @rule
        def reached(s, way, jumping):
            """Return the cells that the mover's pieces reach by a step, or by a jump."""
            seat = s.seat
            pieces = s.kings[seat] | (s.men[seat] if (way < 2) == (seat == 0) else u64(0))
            if s.jumper:
                pieces &= bit(s.jumper)
            other = s.men[1 - seat] | s.kings[1 - seat]
            free = ~(other | s.men[seat] | s.kings[seat])
            to = shift(pieces, way)
            return shift(to & other, way) & free if jumping else to & free

        @rule
        def able(s, jumping):
            """Return the cells of `reached` in all ways."""
            cells = u64(0)
            for way in range(4):
                cells |= reached(s, way, jumping)
            return cells

        @rule
        def turn(s):
            over = s.quiet >= QUIET or not (able(s, True) or able(s, False))
            return TERMINAL if over else s.seat

        @rule
        def moves(s, out):
            n, jumping = 0, able(s, True) != 0
            for way in range(4):
                step = STEPS[way] * (1 + jumping)
                n = elements(reached(s, way, jumping), out, n, -64 * step, 65)
            return n

        @rule
        def play(s, move):
            seat, at, to = s.seat, move // 64, move % 64
            man, jump = has(s.men[seat], at), abs(at - to) > 9
            crowned = man and has(last[seat], to)
            s.quiet = 0 if man or jump else s.quiet + 1
            s.men[seat] &= ~bit(at)
            s.kings[seat] &= ~bit(at)
            if man and not crowned:
                s.men[seat] |= bit(to)
            else:
                s.kings[seat] |= bit(to)
            s.jumper = 0
            if jump:
                gone = ~bit((at + to) // 2)
                s.men[1 - seat] &= gone
                s.kings[1 - seat] &= gone
                if not crowned:
                    s.jumper = to
                    if able(s, True):
                        return
            s.jumper = 0
            s.seat = 1 - seat

        @rule
        def payoff(s, seat):
            if able(s, True) or able(s, False):
                return 0
            return 1 if s.seat != seat else -1

        @rule
        def evaluate(s, seat):
            """Evaluate a king as one and a half men; a lead counts for more when few are left."""
            men, kings = popcount(s.men[0]) - popcount(s.men[1]), popcount(s.kings[0])
            lead = 2 * men + 3 * (kings - popcount(s.kings[1]))
            pieces = popcount(s.men[0] | s.men[1] | s.kings[0] | s.kings[1])
            guess = lead / (abs(lead) + pieces + 1.0)
            return -guess if seat else guess

        def settle(s):
            sides = [s.men[seat] | s.kings[seat] for seat in (0, 1)]
            if max(map(popcount, sides)) > 12 or (sides[0] | sides[1]) & ~dark:
                raise BadNotation("a side has at most twelve pieces, and all are on dark cells")
            if s.men[0] & last[0] or s.men[1] & last[1]:
                raise BadNotation("a man on the last row would be a king; write B or W")
            if s.jumper and not (has(sides[s.seat], s.jumper) and able(s, True)):
                raise BadNotation("jumper is the cell of the mover's piece that must go on jumping")

        notation = Numbered(
            8, 8, {"men": "bw", "kings": "BW"}, sides={"B": "bB", "W": "wW"}, moving=True,
            naming="chess", front=1, limits={"jumper": 63, "quiet": QUIET}, settle=settle,
            won=lambda s, seat: not (s.men[1 - seat] | s.kings[1 - seat]),
            pieces={"b": "disc", "w": "disc", "B": "crowned", "W": "crowned"},
        )  # fmt: skip
        layout = [*notation.layout, ("jumper", "i8"), ("quiet", "i8")]
        # Each of 168 steps of men and 24 jumps comes before the game is drawn.
        return Rules(
            layout, moves, play, turn, payoff, width=48, plies=193 * QUIET, evaluate=evaluate,
            notation=notation,
        )  # fmt: skip

    def setup(self, record):
        record.men[:] = u64(DARK & (1 << 24) - 1), u64(DARK >> 40 << 40)
