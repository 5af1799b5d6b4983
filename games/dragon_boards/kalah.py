"""Kalah: seeds are sown around the board, and the last one may capture or give another turn.

A board with six pits a side; a record has a row for each side, its pits and then its store::

           6  5  4  3  2  1
    seat 1                  seat 0
           1  2  3  4  5  6

W. J. Champion, 1940. Seeds in a store stay there, so only the lead in them counts.
"""

from __future__ import annotations

from itertools import product

from attrs import field
from attrs.validators import ge, le

from dragon import TERMINAL, BadNotation, RecordGame, Rules, frozen, rule
from dragon.bits import GOLDEN, add, mix, mul, u64
from dragon.boards import material as m
from dragon.boards.squares import Counts, Square, numbered
from dragon.protocols import Place, Sum


def drawing(pits, total):
    """Yield the pits and stores in squares; the mover's pits have the names of its moves."""
    for side, pit in product((0, 1), range(pits + 1)):
        place: dict[Place, int]
        place, store = {("seeds", (side, pit)): 1}, pit == pits
        held, long = Sum(place), 20 if store else 0
        name = "" if store else Sum({("seat", ()): 1}, {side: str(pit + 1)})
        row, column = 1 if store else 1.65 - 1.3 * side, pits - pit if side else pit + 1
        inside = Sum(place, {n: m.seeds(n, long) for n in range(1, total + 1)})
        y = -46 if store else 26 - 52 * side
        number = numbered(m.text(0, y, "%", 13, m.paint("inlay")), held)
        yield Square(row, column, (m.hole(0, 0, 17, "", long), inside, *number), name,
                     (held, " seeds"), held)  # fmt: skip


@frozen
class Kalah(RecordGame):
    """Sow seeds, and have more than the other side in the end; the payoff is the difference.

    The side to move sows all seeds of one of its pits, one by one, to the right: in its pits,
    its store, the other side's pits, and around, but not in the other side's store. If the last
    falls in its store, it moves again; if in an empty pit of its own with seeds across, it
    stores that seed and those. When a side's pits are empty, the other side gets the seeds left in
    its own.
    """

    name, aliases = "kalah", ("mancala",)
    small = "kalah(pits=3, seeds=2)"
    pits: int = field(default=6, validator=[ge(1), le(8)])
    """The number of pits of each side."""
    seeds: int = field(default=4, validator=[ge(1), le(8)])
    """The number of seeds in each pit at first."""

    def rules(self):
        pits, total = self.pits, 2 * self.pits * self.seeds

        @rule
        def left(s, seat):
            """Return the number of seeds in the pits of a side."""
            return sum(s.seeds[seat, :pits])

        @rule
        def banked(s):
            return s.seeds[0, pits] - s.seeds[1, pits]

        @rule
        def payoff(s, seat):
            """Return the lead; seeds left in the pits belong to the side of the pits."""
            return (1 - 2 * seat) * (banked(s) + left(s, 0) - left(s, 1))

        @rule
        def bounds(s):
            rest = left(s, 0) + left(s, 1)
            return banked(s) - rest, banked(s) + rest

        @rule
        def turn(s):
            return s.seat if left(s, 0) and left(s, 1) else TERMINAL

        @rule
        def moves(s, out):
            n = 0
            for pit in range(pits):
                if s.seeds[s.seat, pit]:
                    out[n] = pit + 1
                    n += 1
            return n

        @rule
        def play(s, pit):
            seat, side, at = s.seat, s.seat, pit - 1
            held = s.seeds[side, at]
            s.seeds[side, at] = 0
            for _ in range(held):
                at += 1
                if at > pits or (at == pits and side != seat):  # past a store, or at the other's
                    side, at = 1 - side, 0
                s.seeds[side, at] += 1
            if side == seat and at < pits and s.seeds[side, at] == 1:
                across = s.seeds[1 - side, pits - 1 - at]
                if across:
                    s.seeds[side, pits] += 1 + across
                    s.seeds[side, at] = s.seeds[1 - side, pits - 1 - at] = 0
            if side != seat or at < pits:
                s.seat = 1 - seat

        @rule
        def order(s, out, n, scores):
            """Order moves that give another turn first, then those of pits near the store."""
            for i in range(n):
                again = s.seeds[s.seat, out[i] - 1] == pits + 1 - out[i]
                scores[i] = out[i] + (2 * pits if again else 0)

        @rule
        def key(s):
            """Return a key of the pits without the stores."""
            found = u64(s.seat + 1)
            for pit in range(pits):
                found = add(mul(found, u64(GOLDEN)), u64(s.seeds[0, pit]))
                found = add(mul(found, u64(GOLDEN)), u64(s.seeds[1, pit]))
            return mix(found)

        def settle(s):
            if sum(map(int, s.seeds.flat)) != total:
                raise BadNotation(f"such a position cannot arise; write {total} seeds")

        wood = m.slab(1, 1, 40 * pits + 86, 126, m.paint("walnut"), 26)
        # A ply that brings no seed into a store brings some nearer to the store of their side, and
        # each of the remaining seeds has at most `pits` steps to go.
        plies = pits * total * (total + 1) // 2 + total
        return Rules(
            [("seeds", "i8", (2, pits + 1)), ("seat", "i8")], moves, play, turn, payoff, width=pits,
            plies=plies, largest=total, banked=banked, bounds=bounds, order=order, key=key,
            notation=Counts(
                3, pits + 2, tuple(drawing(pits, total)), ground=wood, settle=settle, front=0,
                limits={"seeds": total, "seat": 1},
                scored=tuple(Sum({("seeds", (side, pits)): 1}) for side in (0, 1)),
            ),
        )  # fmt: skip

    def setup(self, record):
        record.seeds[:, : self.pits] = self.seeds
