"""Gather: a small game that has every rule and breaks none; `rule_mistakes` breaks it.

Five cells of different worth are taken in turn, or all but one, which chance takes away first.
The side that has gathered more wins by so much. Without chance there are 96 states.
"""

from __future__ import annotations

import re

from dragon import CHANCE, TERMINAL, BadNotation, RecordGame, Rules, Trait, frozen, rule
from dragon.bits import bit, draw, elements, has, popcount, select, u64
from dragon.rules.notation import BaseNotation

CELLS = 5
WORTH = (1, 2, 3, 1, 2)
LETTERS = ".XO#"


@rule
def worth(cell):
    return WORTH[cell]


@rule
def left(s):
    units = 0
    for cell in range(CELLS):
        if not has(s.taken, cell):
            units += worth(cell)
    return units


@rule
def rare(s):
    return s.taken == 7 and s.owner[1] == 2


class Letters(BaseNotation):
    """`XO#..`: a letter for each cell; moves are the letters a to e."""

    def move_text(self, s, code):
        return "abcde"[code]

    def move_code(self, s, text):
        if not re.fullmatch("[a-e]", text):
            raise BadNotation(f"{text!r} is not a cell; write a to e")
        return "abcde".index(text)

    def position_text(self, s):
        return "".join(LETTERS[int(each)] for each in s.owner)

    def parse(self, s, text):
        if not re.fullmatch("[.XO#]{5}", text):
            raise BadNotation(f"{text!r} is not five of .XO#")
        for cell, letter in enumerate(text):
            seat = LETTERS.index(letter)
            s.owner[cell] = seat
            s.points += (0, 1, -1, 0)[seat] * WORTH[cell]
            s.taken |= u64(bit(cell) if seat else 0)
            s.ply += seat > 0


@frozen
class Gather(RecordGame):
    name = "gather"
    chance: bool = False

    @property
    def traits(self):
        return frozenset({Trait.DUEL, *([Trait.CHANCE] if self.chance else [])})

    def rules(self):
        chance = self.chance

        @rule
        def turn(s):
            if s.ply == CELLS:
                return TERMINAL
            if chance and s.ply == 0:
                return CHANCE
            return s.ply % 2

        @rule
        def moves(s, out):
            n = elements(~s.taken & u64(31), out)
            return n

        @rule
        def play(s, move):
            seat = s.ply % 2
            s.taken |= bit(move)
            s.owner[move] = seat + 1
            if chance and s.ply == 0:
                s.owner[move] = 3
            else:
                s.points += worth(move) * (1 - 2 * seat)
            s.ply += 1

        @rule
        def payoff(s, seat):
            return s.points * (1 - 2 * seat)

        @rule
        def key(s):
            return u64(1 + (s.ply & 1)) << 8 | s.taken

        @rule
        def order(s, out, n, scores):
            for i in range(n):
                scores[i] = worth(out[i])

        @rule
        def evaluate(s, seat):
            return s.points * (1 - 2 * seat) / 16

        @rule
        def odds(s, out):
            for i in range(len(out)):
                out[i] = (i + 1) / 15

        @rule
        def sample(s, random):
            free = ~s.taken & u64(31)
            if turn(s) == CHANCE:
                left, i = draw(random, 15), 0
                while left > i:
                    i += 1
                    left -= i
                return select(free, i)
            return select(free, draw(random, popcount(free)))

        @rule
        def banked(s):
            return s.points

        @rule
        def reduce(s, out, n):
            kept = 0
            seen = 0
            for i in range(n):
                each = worth(out[i])
                if not seen >> each & 1:
                    out[kept] = out[i]
                    kept += 1
                seen |= 1 << each
            return kept

        @rule
        def bounds(s):
            return s.points - left(s), s.points + left(s)

        @rule
        def solved(s, tablebase):
            if s.ply == CELLS - 1:
                return s.points + left(s) * (1 - 2 * (s.ply % 2)), 1
            return 0, -1

        @rule
        def prior(s, out, n, scores):
            for i in range(n):
                scores[i] = worth(out[i]) / 2

        @rule
        def noisy(s, out):
            kept = 0
            if s.ply == CELLS - 2:
                return -1
            for i in range(moves(s, out)):
                if worth(out[i]) > 1:
                    out[kept] = out[i]
                    kept += 1
            return kept

        @rule
        def skip(s):
            passed = popcount(s.taken) < s.ply
            s.ply += 1
            return not passed and s.ply < CELLS

        @rule
        def rank(s):
            number = 0
            for cell in range(CELLS):
                number = 4 * number + s.owner[cell]
            return number

        @rule
        def unrank(s, number):
            for i in range(CELLS):
                cell = CELLS - 1 - i
                s.owner[cell] = number >> 2 * i & 3
                if s.owner[cell]:
                    s.taken |= bit(cell)
                    s.ply += 1
                    if s.owner[cell] < 3:
                        s.points += worth(cell) * (3 - 2 * s.owner[cell])
            return s.ply % 2

        @rule
        def before(s, out):
            n = 0
            for cell in range(CELLS):
                if s.owner[cell] == 2 - s.ply % 2:
                    out[n] = rank(s) - (s.owner[cell] << 2 * (CELLS - 1 - cell))
                    n += 1
            return n

        return Rules(
            [("taken", "u8"), ("owner", "i8", (5,)), ("points", "i8"), ("ply", "i8")],
            moves=moves, play=play, turn=turn, payoff=payoff, key=key, order=order,
            evaluate=evaluate, odds=odds, sample=sample, banked=banked, reduce=reduce,
            bounds=bounds, solved=solved, prior=prior, noisy=noisy, skip=skip, rank=rank,
            unrank=unrank, before=before, ranks=4**CELLS, width=5, plies=5, largest=8,
            notation=Letters(),
        )  # fmt: skip
