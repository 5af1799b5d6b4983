"""Backgammon: two dice say how far men go; the first to bear all of them off wins.

Each side counts points its own way: 0 is the bar, 1 where men enter, 19 to 24 its home; point p of
one side is 25 - p of the other. A record has the men on each of them, and how many dice of each
number are still to be played. Each die is a move of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from attrs import field
from attrs.validators import ge, le

from dragon import CHANCE, TERMINAL, BadNotation, RecordGame, Rules, Trait, frozen, rule
from dragon.boards.squares import Square, block, disc, drawing_parts
from dragon.protocols import Part, Place, Sum, drawn
from dragon.rules.notation import BaseNotation

MEN, BAR, HOME, OFF = 15, 0, 19, 25
PASS, ROLLS = 6 * OFF, 6 * OFF + 1
"""Codes: 6 * point + die - 1; no move; from ROLLS on rolls, 6 * lesser + greater, less 1 each."""
SEAT = "seat", ()
START = {1: 2, 12: 5, 17: 3, 19: 5}
MOVE = re.compile(r"(bar|\d\d?)/(off|\d\d?)(?::([1-6]))?")


def shown(n: int) -> tuple[str, str]:
    """What is drawn and said of n men, Black's if n is above zero."""
    fill, ink, side = ("#2a2a2e", "#fff", "black") if n > 0 else ("#fdfcf9", "#000", "white")
    one = block("#f6ead0", 36) + (disc(fill, 16, abs(n), ink) if n else "")
    return one, f"{abs(n)} {side}" if n else "empty"


def pile(
    row: int, column: int, names: Sequence[object], count: Mapping[Place, int], least: int = 0
) -> Square:
    """A square with men, and what either side calls it.

    count: how places of a record count, Black's men above zero; least: what is added.
    """
    both = {n - least: shown(n) for n in range(-MEN, MEN + 1)}
    square, said = ({n: each[i] for n, each in both.items()} for i in (0, 1))
    called = Sum({SEAT: 1}, dict(enumerate(map(str, names))))
    return Square(row, column, Sum(count, square), called, Sum(count, said))


@frozen
class Points(BaseNotation):
    """Moves as players write them, `13/8`, `bar/20`, `6/off`, `pass`; rolls as `roll6-4`.

    Points are numbered from the mover's end. A man that is borne off by more than it takes says
    by what: `4/off:6`.
    """

    seat_names: ClassVar[tuple[str, str]] = ("Black", "White")

    def move_text(self, s: Any, code: int) -> str:
        """See above."""
        if code == PASS:
            return "pass"
        if code > PASS:
            low, high = divmod(code - ROLLS, 6)
            return f"roll{high + 1}-{low + 1}"
        at, die = code // 6, code % 6 + 1
        over = f":{die}" if at + die > OFF else ""
        return f"{OFF - at if at else 'bar'}/{OFF - at - die if at + die < OFF else 'off'}{over}"

    def move_code(self, s: Any, text: str) -> int:
        """The inverse."""
        if text == "pass":
            return PASS
        if roll := re.fullmatch("roll([1-6])-([1-6])", text):
            low, high = sorted(map(int, roll.groups()))
            return ROLLS + 6 * (low - 1) + high - 1
        if match := MOVE.fullmatch(text):
            at = 0 if match[1] == "bar" else OFF - int(match[1])
            die = int(match[3] or (OFF - at if match[2] == "off" else OFF - at - int(match[2])))
            if 0 <= at < OFF and 1 <= die <= 6:
                return 6 * at + die - 1
        raise BadNotation(f"{text!r} is not a move; write one like 13/8, bar/20, 6/off or roll6-4")

    def parse(self, s: Any, text: str) -> None:
        """Fields by name, with no more men than there are."""
        BaseNotation.parse(self, s, text)
        men = [side.tolist() for side in s.men]
        both = any(men[0][p] and men[1][OFF - p] for p in range(1, OFF))
        if min(map(min, men)) < 0 or max(map(sum, men)) > MEN or both or s.seat not in (0, 1):
            raise BadNotation(f"{text!r} cannot arise: a side has at most {MEN} men, seats are 0 "
                              "and 1, and no point has men of both")  # fmt: skip
        dice = s.dice.tolist()
        if min(dice) < 0 or sum(dice) > 4 or not 0 <= s.ply <= 1 << 20:
            raise BadNotation(f"{text!r} cannot arise: at most four dice are to be played")

    def picture(self, s: Any) -> str:
        """The points by seat 0's numbers, its men as positive numbers; bars, and men borne off."""
        men, lines = self._men(s), []
        for points in (range(13, 25), range(12, 0, -1)):
            lines.append("".join(f"{point:4}" for point in points))
            lines.append("".join(f"{men[point] or '.':>4}" for point in points))
        bar, off = s.men[:, BAR].tolist(), (MEN - s.men.sum(axis=1)).tolist()
        return "\n".join([*lines, f"bar {bar[0]} and {bar[1]}, off {off[0]} and {off[1]}"])

    def _men(self, s: Any) -> dict[int, int]:
        """The men on each point by seat 0's number, those of seat 1 below zero."""
        ours, theirs = s.men.tolist()
        return {point: ours[OFF - point] - theirs[point] for point in range(1, OFF)}

    def svg(self, s: Any) -> str:
        """The same; points, bar and home have the names that moves of the mover give them."""
        return drawn(self.drawing(), s)

    def drawing(self) -> list[Part]:
        """The parts of the SVG; below are the dice that are still to be played."""
        squares = [
            pile(int(p < 13), p - 12 if p > 12 else 13 - p, (p, OFF - p),
                 {("men", (0, OFF - p)): 1, ("men", (1, p)): -1})
            for p in range(1, OFF)
        ]  # fmt: skip
        for seat, sign in ((0, 1), (1, -1)):
            bar, off = (("", word) if seat else (word, "") for word in ("bar", "off"))
            borne: dict[Place, int] = {("men", (seat, p)): -sign for p in range(OFF)}
            squares.append(pile(1 - seat, 0, bar, {("men", (seat, BAR)): sign}))
            squares.append(pile(1 - seat, 13, off, borne, sign * MEN))
        for die in range(1, 7):
            left: dict[Place, int] = {("dice", (die - 1,)): 1}
            dice = {n: block("#fdfcf9", 36, " ".join([str(die)] * n)) for n in range(1, 5)}
            said = {n: f"{n} of die {die}" for n in dice}
            squares.append(Square(2, 3 + die, Sum(left, dice), said=Sum(left, said)))
        return drawing_parts(3, 14, squares)

    def clicks(self, move: str) -> tuple[tuple[str, ...], ...]:
        """The point that a man leaves, and where it goes; none of a pass or a roll."""
        return (tuple(move.partition(":")[0].split("/")) if "/" in move else (),)


@frozen
class Backgammon(RecordGame):
    """Bring all men home by the dice, and bear them off before the other side does.

    The side to move rolls two dice and moves a man for each, or four times for doubles, to a point
    where the other side has at most one man, which is hit and must enter again from the bar first.
    As many dice must be played as can be, and the greater where it is one of two. Men are borne off
    when all are at home. The payoff is 1, 2 if the other side has borne off none (a gammon), 3 if
    besides it has a man on the bar or in the winner's home (a backgammon). There is no doubling.
    """

    name = "backgammon"
    traits = frozenset({Trait.DUEL, Trait.CHANCE, Trait.REPETITION})
    limit: int = field(default=10_000, validator=[ge(1), le(1_000_000)])
    """Rolls and moves after which the game is drawn."""

    def rules(self):
        import numpy as np

        limit = self.limit

        @rule
        def can(men, other, at, die):
            """Whether a man may go from a point."""
            if not men[at] or (men[BAR] and at):
                return False
            if at + die < OFF:
                return other[OFF - at - die] < 2
            for point in range(at if at + die > OFF else HOME):
                if men[point]:
                    return False
            return True

        @rule
        def shift(men, dice, at, die, times):
            """Moves a man by a die that is left; -1 times takes it back."""
            dice[die - 1] -= times
            men[at] -= times
            if at + die < OFF:
                men[at + die] += times

        @rule
        def longest(men, other, dice, left):
            """How many of the dice that are left can be played one after another."""
            most = 0
            for die in range(1, 7):
                for at in range(OFF if dice[die - 1] and most < left else 0):
                    if most < left and can(men, other, at, die):
                        shift(men, dice, at, die, 1)
                        most = max(most, 1 + longest(men, other, dice, left - 1))
                        shift(men, dice, at, die, -1)
            return most

        @rule
        def total(numbers):
            n = 0
            for number in numbers:
                n += number
            return n

        @rule
        def turn(s):
            if not total(s.men[0]) or not total(s.men[1]) or s.ply >= limit:
                return TERMINAL
            return s.seat if total(s.dice) else CHANCE

        @rule
        def rolls(s, out):
            """All rolls, of which the first of a game is no double."""
            n = 0
            for low in range(6):
                for high in range(low + int(s.ply == 0), 6):
                    out[n] = ROLLS + 6 * low + high
                    n += 1
            return n

        @rule
        def moves(s, out):
            left, n = total(s.dice), 0
            if left == 0:
                return rolls(s, out)
            men, dice = np.zeros(OFF, np.int64), np.zeros(6, np.int64)
            for at in range(OFF):
                men[at] = s.men[s.seat, at]
            for each in range(6):
                dice[each] = s.dice[each]
            other = s.men[1 - s.seat]
            best = longest(men, other, dice, left)
            for die in range(6, 0, -1):
                for at in range(OFF if dice[die - 1] and (best > 1 or n == 0) else 0):
                    if can(men, other, at, die):
                        shift(men, dice, at, die, 1)
                        if 1 + longest(men, other, dice, left - 1) == best:
                            out[n] = 6 * at + die - 1
                            n += 1
                        shift(men, dice, at, die, -1)
            out[n] = PASS
            return max(n, 1)

        @rule
        def odds(s, out):
            """A double comes once where another roll comes twice."""
            codes = np.zeros(21, np.int64)
            for i in range(rolls(s, codes)):
                double = (codes[i] - ROLLS) // 6 == (codes[i] - ROLLS) % 6
                out[i] = (2 - int(double)) / (30.0 if s.ply == 0 else 36.0)

        @rule
        def play(s, move):
            seat = s.seat
            if move >= ROLLS:
                low, high = (move - ROLLS) // 6, (move - ROLLS) % 6
                s.dice[low] += 1 + int(low == high)
                s.dice[high] += 1 + int(low == high)
            elif move == PASS:
                s.dice[:] = 0
            else:
                at, to = move // 6, move // 6 + move % 6 + 1
                shift(s.men[seat], s.dice, at, move % 6 + 1, 1)
                if to < OFF:
                    s.men[1 - seat, BAR] += s.men[1 - seat, OFF - to]
                    s.men[1 - seat, OFF - to] = 0
            s.ply += 1
            if move < ROLLS and not total(s.dice):
                s.seat = 1 - seat

        @rule
        def payoff(s, seat):
            if s.ply >= limit and total(s.men[0]) and total(s.men[1]):
                return 0
            loser = 0 if total(s.men[0]) else 1
            units = 1
            if total(s.men[loser]) == MEN:
                units = 3 if total(s.men[loser, : OFF - HOME + 1]) else 2
            return -units if seat == loser else units

        @rule
        def evaluate(s, seat):
            """Who has less far to go."""
            far = 0
            for at in range(OFF):
                far += (OFF - at) * (s.men[1, at] - s.men[0, at])
            guess = far / (abs(far) + 100.0)
            return -guess if seat else guess

        layout = [("men", "i8", (2, OFF)), ("dice", "i8", (6,)), ("seat", "i8"), ("ply", "i8")]
        return Rules(
            layout, moves, play, turn, payoff, width=50, plies=limit, largest=3, odds=odds,
            evaluate=evaluate, notation=Points(),
        )  # fmt: skip

    def setup(self, record):
        for point, men in START.items():
            record.men[:, point] = men
