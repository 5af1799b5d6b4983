"""Nine men's morris: stones are placed, then moved along lines; three in a line take one away.

R. Gasser found in 1993 that it is a draw. A record has a bit for each cell of seven rows of seven,
and 24 of these are points of the board.
"""

from __future__ import annotations

from typing import Any

from dragon import TERMINAL, BadNotation, Board, RecordGame, Rules, Trait, frozen, rule
from dragon.bits import bit, elements, has, members, popcount, u64

SIZE, AREA, MEN = 7, 49, 9
ROWS = [
    [(r, c) for c in cells]
    for r, cells in [(0, (0, 3, 6)), (1, (1, 3, 5)), (2, (2, 3, 4)), (3, (0, 1, 2)), (3, (4, 5, 6)),
                     (4, (2, 3, 4)), (5, (1, 3, 5)), (6, (0, 3, 6))]
]  # fmt: skip
LINES = ROWS + [[(c, r) for r, c in line] for line in ROWS]
QUIET = 100
"""The plies without a capture, after all stones are placed, after which the game is drawn."""


def cells(points: Any) -> Any:
    """Return the bit set of points."""
    return u64(sum(1 << SIZE * r + c for r, c in points))


@frozen
class Morris(RecordGame):
    """Close mills of three to take stones away, and leave the other side two, or no move.

    X and O place nine stones each in turn on free points, then move one of theirs in turn along
    a line to the next free point; a side with three stones left moves to any free point. A side
    that makes three in a line takes one of the other side's stones away, one outside its
    mills if there is any. A side with two stones left, or no move, has lost. After fifty moves of
    each side without a stone taken away the game is drawn, but a mill that the last of them closes
    takes its stone first.
    """

    name, title, aliases = "morris", "Nine men's morris", ("mill", "merels")
    traits = frozenset({Trait.DUEL, Trait.REPETITION})
    flying: bool = True
    """True if a side with three stones moves to any free point."""

    def rules(self):
        import numpy as np

        flying, points = self.flying, cells({point for line in LINES for point in line})
        lines = np.array([cells(line) for line in LINES], np.uint64)
        near = np.zeros(AREA, np.uint64)
        for one, two, three in LINES:
            for point, others in ((one, [two]), (two, [one, three]), (three, [two])):
                near[SIZE * point[0] + point[1]] |= cells(others)

        @rule
        def milled(stones):
            """Return the stones of a side that are in mills."""
            found = u64(0)
            for line in lines:
                if stones & line == line:
                    found |= line
            return found

        @rule
        def targets(s, at):
            """Return the points to which the mover may move a stone once all are placed."""
            free = points & ~(s.stones[0] | s.stones[1])
            return free if flying and popcount(s.stones[s.seat]) == 3 else near[at] & free

        @rule
        def able(s):
            """Return True if the mover has a move."""
            own = s.stones[s.seat]
            if s.placed < 2 * MEN or s.taking:
                return True
            if popcount(own) < 3:
                return False
            for at in members(own):
                if targets(s, at):
                    return True
            return False

        @rule
        def turn(s):
            return s.seat if (s.taking or s.quiet < QUIET) and able(s) else TERMINAL

        @rule
        def moves(s, out):
            """Write the moves; placing and taking a stone go from its point to the same point."""
            n, own, other = 0, s.stones[s.seat], s.stones[1 - s.seat]
            if s.taking:
                loose = other & ~milled(other)
                return elements(loose if loose else other, out, 0, 0, AREA + 1)
            if s.placed < 2 * MEN:
                return elements(points & ~(own | other), out, 0, 0, AREA + 1)
            for at in members(own):
                n = elements(targets(s, at), out, n, at * AREA)
            return n

        @rule
        def play(s, move):
            seat, at, to = s.seat, move // AREA, move % AREA
            if s.taking:
                s.stones[1 - seat] &= ~bit(at)
                s.taking = s.quiet = 0
                s.seat = 1 - seat
                return
            s.stones[seat] = s.stones[seat] & ~bit(at) | bit(to)
            if s.placed < 2 * MEN:
                s.placed += 1
            else:
                s.quiet += 1
            if has(milled(s.stones[seat]), to) and s.stones[1 - seat]:
                s.taking = 1
            else:
                s.seat = 1 - seat

        @rule
        def payoff(s, seat):
            if able(s):
                return 0
            return 1 if s.seat != seat else -1

        @rule
        def evaluate(s, seat):
            lead = (popcount(s.stones[0]) - popcount(s.stones[1])) / (MEN + 1.0)
            return -lead if seat else lead

        def settle(s):
            own, other = (popcount(s.stones[seat]) for seat in (0, 1))
            if own > (s.placed + 1) // 2 or other > s.placed // 2:
                raise BadNotation("more stones than were placed; write placed=18 after the last")
            if s.placed < 2 * MEN and (s.placed - s.taking) % 2 != s.seat:
                raise BadNotation(f"with placed={s.placed} it is the other side's turn")
            if s.placed == 2 * MEN and max(own, other) < 3:
                raise BadNotation("both sides have two stones or fewer, and so both have won")
            if s.taking and not s.stones[1 - s.seat]:
                raise BadNotation("taking=1 needs a stone of the other side")

        notation = Board(
            SIZE, SIZE, {"stones": "XO"}, moving=True, naming="chess", settle=settle,
            limits={"placed": 2 * MEN, "taking": 1, "quiet": QUIET}, lines=tuple(map(tuple, LINES)),
        )  # fmt: skip
        # At most 15 of 18 stones are taken away, each before the game is drawn.
        return Rules(
            [*notation.layout, ("placed", "i8"), ("taking", "i8"), ("quiet", "i8")], moves, play,
            turn, payoff, width=72, plies=36 + 17 * QUIET, evaluate=evaluate, notation=notation,
        )  # fmt: skip
