"""Kalah: seeds are sown around the board, and the last one may capture or give another turn.

A board with six pits a side; a record has a row for each side, its pits and then its store::

           6  5  4  3  2  1
    seat 1                  seat 0
           1  2  3  4  5  6

W. J. Champion, 1940. Seeds in a store stay there, so what counts of them is only who leads.
"""

from __future__ import annotations

from typing import Any

from attrs import field
from attrs.validators import ge, le

from dragon import TERMINAL, BadNotation, RecordGame, Rules, frozen, rule
from dragon.bits import GOLDEN, add, mix, mul, u64
from dragon.protocols import Part, Sum, drawn
from dragon.rules.notation import BaseNotation

SEAT = "seat", ()


@frozen
class Pits(BaseNotation):
    """Moves are the pits of the side to move, 1, 2, ... from its left, as they are on the board."""

    pits: int
    total: int

    def parse(self, s: Any, text: str) -> None:
        """The fields by name, where no seed is lost."""
        BaseNotation.parse(self, s, text)
        if s.seeds.min() < 0 or sum(map(int, s.seeds.flat)) != self.total or s.seat not in (0, 1):
            raise BadNotation(f"{text!r} cannot arise; write {self.total} seeds, and seat 0 or 1")

    def picture(self, s: Any) -> str:
        """Seat 0's pits below, and its store to the right."""
        (*below, right), (*above, left) = s.seeds
        upper, lower = ("".join(f"{n:3}" for n in side) for side in (above[::-1], below))
        return f"   {upper}\n{left:3}{'':{3 * self.pits}}{right:3}\n   {lower}"

    def svg(self, s: Any) -> str:
        """The same; the pits of the side to move are named as its moves."""
        return drawn(self.drawing(), s)

    def drawing(self) -> list[Part]:
        """The parts of the SVG."""
        p = self.pits
        parts: list[Part] = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {45 * p + 135} 150">'
        ]
        for side, pit in [(side, pit) for side in (0, 1) for pit in range(p + 1)]:
            x, y = 45 * (p - pit if side else pit + 1) + 45, 75 if pit == p else 120 - 90 * side
            name = Sum({SEAT: 1}, {side: f' data-cell="{pit + 1}"'} if pit < p else {})
            held = Sum({("seeds", (side, pit)): 1})
            parts += [
                "<g", name, ' aria-label="', held, f' seeds"><circle cx="{x}" cy="{y}" '
                f'r="20" fill="#ead7b1" stroke="#b3966a"/><text x="{x}" y="{y + 5}" '
                f'font-family="sans-serif" text-anchor="middle">', held, "</text></g>",
            ]  # fmt: skip
        return [*parts, "</svg>"]


@frozen
class Kalah(RecordGame):
    """Sow seeds, and have more than the other side in the end; the payoff is by how many.

    The side to move sows all seeds of one of its pits, one by one, to the right: in its pits,
    its store, the other side's pits, and around, but not in the other side's store. If the last
    falls in its store, it moves again; if in an empty pit of its own with seeds across, it
    stores that seed and those. When a side's pits are empty, the other side has what is left in
    its own.
    """

    name = "kalah"
    pits: int = field(default=6, validator=[ge(1), le(8)])
    """Pits of each side."""
    seeds: int = field(default=4, validator=[ge(1), le(8)])
    """Seeds in each pit at first."""

    def rules(self):
        pits, total = self.pits, 2 * self.pits * self.seeds

        @rule
        def left(s, seat):
            """The seeds in the pits of a side."""
            n = 0
            for pit in range(pits):
                n += s.seeds[seat, pit]
            return n

        @rule
        def banked(s):
            return s.seeds[0, pits] - s.seeds[1, pits]

        @rule
        def payoff(s, seat):
            """What is left in the pits belongs to the side where it lies."""
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
            """Moves that give another turn come first, then those of pits near the store."""
            for i in range(n):
                again = s.seeds[s.seat, out[i] - 1] == pits + 1 - out[i]
                scores[i] = out[i] + (2 * pits if again else 0)

        @rule
        def key(s):
            """The pits without the stores."""
            found = u64(s.seat + 1)
            for pit in range(pits):
                found = add(mul(found, u64(GOLDEN)), u64(s.seeds[0, pit]))
                found = add(mul(found, u64(GOLDEN)), u64(s.seeds[1, pit]))
            return mix(found)

        # A ply that brings no seed into a store brings some nearer to the store of their side, and
        # each of those that are left has at most `pits` steps to go.
        plies = pits * total * (total + 1) // 2 + total
        return Rules(
            [("seeds", "i8", (2, pits + 1)), ("seat", "i8")], moves, play, turn, payoff, width=pits,
            plies=plies, largest=total, banked=banked, bounds=bounds, order=order, key=key,
            notation=Pits(pits, total),
        )  # fmt: skip

    def setup(self, record):
        record.seeds[:, : self.pits] = self.seeds
