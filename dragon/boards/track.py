"""Tracks: points along which men of two sides run against each other by dice, as in backgammon.

Rolls of two dice are moves of chance, whose code is `first + 6 * lesser + greater - 7`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from attrs import frozen

from dragon.boards import material as m
from dragon.boards.material import paint
from dragon.boards.squares import SIDE, Counts, Square, numbered, piles, showing
from dragon.errors import BadNotation, PluginError
from dragon.protocols import Place, Sum
from dragon.rules.rules import rule


def roll_words(first: int) -> dict[str, int]:
    """The codes of rolls by their texts; the text with the greater number first comes first.

    >>> [text for text, code in roll_words(100).items() if code == 101]
    ['roll2-1', 'roll1-2']
    """
    pairs = [(high, low) for high, low in product(range(6), repeat=2) if high >= low]
    texts = {f"roll{high + 1}-{low + 1}": first + 6 * low + high for high, low in pairs}
    return texts | {f"roll{low + 1}-{high + 1}": first + 6 * low + high for high, low in pairs}


@rule
def rolls(out: Any, first: int, doubles: bool) -> int:
    """Write the codes of all rolls, with doubles or without, and return how many there are."""
    n = 0
    for low in range(6):
        for high in range(low if doubles else low + 1, 6):
            out[n] = first + 6 * low + high
            n += 1
    return n


@rule
def roll_odds(out: Any, doubles: bool) -> None:
    """Write the odds of all rolls: a double comes once where another roll comes twice."""
    n = 0
    for low in range(6):
        for high in range(low if doubles else low + 1, 6):
            out[n] = (1 if low == high else 2) / (36 if doubles else 30)
            n += 1


@rule
def add_roll(dice: Any, number: int) -> None:
    """Count the dice of a roll, those of a double twice, since they are played twice.

    number: the code of the roll, less that of the first roll.

    >>> dice = [0] * 6
    >>> add_roll(dice, 6 * 0 + 3), add_roll(dice, 6 * 5 + 5), dice
    (None, None, [1, 0, 0, 1, 0, 4])
    """
    low, high = number // 6, number % 6
    dice[low] += 1 + int(low == high)
    dice[high] += 1 + int(low == high)


SEAT: dict[Place, int] = {("seat", ()): 1}
DICE = 4
"""That are left to be played, at most: those of a double."""
HIGH = 9.5
"""The rows of a drawing."""
TOP, BOTTOM = 0.2, HIGH - 1.2
"""The rows of the men at the ends of points."""
CLEAR = 'fill-opacity="0"'


def stacks(most: int, way: int) -> dict[int, str]:
    """The drawings of up to `most` men, Black's, White's below zero; the fifth has their number."""
    found = {}
    for sign, side, ink in ((1, "ebony", "ivory"), (-1, "ivory", "engraved")):
        for count in range(1, most + 1):
            shown = min(count, 5)
            men = "".join(m.disc(side, 14, 0, way * 28 * i) for i in range(shown))
            more = m.text(0, way * 28 * 4, count, 14, paint(ink), 700) if count > 5 else ""
            found[sign * count] = men + more
    return found


def lying(most: int, way: int) -> dict[int, str]:
    """The drawings of up to `most` men in a tray, seen from the side."""
    return {
        sign * count: "".join(
            m.rect(-15, way * (9.4 * i - 6) - 4.5, 30, 8.6, paint(side, f"{side}-edge", 0.8), 2)
            for i in range(count)
        )
        for sign, side in ((1, "ebony"), (-1, "ivory"))
        for count in range(1, most + 1)
    }


@frozen
class Track:
    """A track of an even number of points, and how many men a side has.

    A side counts points its own way: 0 is the bar, 1 where men enter, `off` is behind the last;
    point p of one side is point off - p of the other. The code of a man's move from a point by a
    die is 6 * point + die - 1, that of no move `passes`; those of rolls begin at `rolls`
    (`dragon.boards.track`).

    >>> track = Track(12, 3)
    >>> track.notation.move_text(None, 6 * 2 + 3 - 1), track.notation.move_text(None, track.passes)
    ('11/8', 'pass')
    """

    points: int
    men: int

    def __attrs_post_init__(self) -> None:
        if self.points % 2 or not 8 <= self.points <= 98 or self.men < 1:
            raise PluginError(
                f"a track has {self.points} points and {self.men} men a side; write an even number "
                "of points from 8 to 98, and at least one man"
            )

    @property
    def off(self) -> int:
        """The place of men that have left the board."""
        return self.points + 1

    @property
    def passes(self) -> int:
        """The code of no move."""
        return 6 * self.off

    @property
    def rolls(self) -> int:
        """The first code of rolls."""
        return self.passes + 1

    @property
    def layout(self) -> list[tuple[Any, ...]]:
        """The fields of a record: men of each side on its bar and points, how many dice of each
        number are still to be played, who is to move, and how many plies have been."""
        return [("men", "i8", (2, self.off)), ("dice", "i8", (6,)), ("seat", "i8"), ("ply", "i8")]

    @property
    def notation(self) -> Counts:
        """Moves as `13/8`, by the mover's numbers from the far end, `bar/20` and `6/off`; `4/off:6`
        by more than it takes."""
        limits = {"men": self.men, "dice": DICE, "seat": 1, "ply": 1 << 20}
        return Counts(
            3, self.points // 2 + 2, tuple(self._squares()), words=self._words(), limits=limits,
            seat_names=("Black", "White"), named=True, wide=4, settle=self._settle, high=HIGH,
            ground=self._ground(), front=0,
        )  # fmt: skip

    def _words(self) -> dict[str, int]:
        """The codes of moves."""
        found, off = {"pass": self.passes, **roll_words(self.rolls)}, self.off
        for at, die in product(range(off), range(1, 7)):
            text = f"{off - at if at else 'bar'}/{max(0, off - at - die) or 'off'}"
            code = 6 * at + die - 1
            if at + die <= off:
                found[text] = code
            found[f"{text}:{die}"] = code
        return found

    def _column(self, place: int) -> int:
        """The column of a place counted from the left: the bar is in the middle."""
        return place + (place >= self.points // 4)

    def _ground(self) -> str:
        """A frame around two fields of felt, with the bar between them, and two trays."""
        half, bar = self.points // 2, self.points // 4
        walnut, felt, high = paint("walnut"), paint("felt"), SIDE * HIGH - 24
        shape = m.slab(1, 1, SIDE * (half + 2) + 6, SIDE * HIGH + 6, walnut, 7)
        for start, wide in ((0, bar), (bar + 1, half - bar)):
            shape += m.sunk(SIDE * start + 4, 16, SIDE * wide, high, felt)
        for top in (16, SIDE * HIGH / 2 + 8):
            shape += m.sunk(SIDE * (half + 1) + 6, top, SIDE - 4, high / 2 - 4, paint("hollow"))
        return shape

    def _squares(self) -> Iterator[Square]:
        """The points, named from the mover's end; bars, and men borne off; dice that are left."""
        half, off, bar = self.points // 2, self.off, self.points // 4
        said = piles(self.men)[1]
        text = {n: str(n or ".") for n in said}
        for p in range(1, off):
            number: dict[Place, int] = {("men", (0, off - p)): 1, ("men", (1, p)): -1}
            name, near = Sum(SEAT, {0: str(p), 1: str(off - p)}), p <= half
            way, colour = -1 if near else 1, ("inlay", "red")[p % 2]
            tip = paint(colour, "shade", 0.4)
            ground = m.rect(-20, -16 - 138 * near, 40, 170, paint("shade"), 0, CLEAR)
            ground += m.path(f"M-18 {-16 * way}H18L0 {136 * way}Z", tip)
            number_of = numbered(m.text(0, -22.5 * way, "%", 9, paint("inlay")), name)
            shapes, column = stacks(self.men, way), half - p if near else p - half - 1
            yield Square(
                BOTTOM if near else TOP, self._column(column),
                (ground, *number_of, Sum(number, shapes)), name, Sum(number, said),
                Sum(number, text),
            )  # fmt: skip
        for seat, sign in ((0, 1), (1, -1)):
            end, gone = (Sum(SEAT, {seat: word}) for word in ("bar", "off"))
            at, way = (BOTTOM, -1) if seat == 0 else (TOP, 1)
            ground = m.rect(-18, -16 - 138 * (way < 0), 36, 170, paint("shade"), 4, CLEAR)
            held: dict[Place, int] = {("men", (seat, 0)): sign}
            yield showing(at, bar, held, stacks(self.men, way), said, end, text, ground)
            left: dict[Place, int] = {("men", (seat, p)): -sign for p in range(off)}
            flat = lying(self.men, way)
            lost = [{n - sign * self.men: each[n] for n in each} for each in (flat, said, text)]
            yield showing(at, half + 1, left, lost[0], lost[1], gone, lost[2], ground)
        yield from self._dice()

    def _dice(self) -> Iterator[Square]:
        """One square for each number; equal dice lie side by side in the middle of a field."""
        start, wide = self.points // 4 + 1, self.points // 2 - self.points // 4
        for die in range(1, 7):
            column = start + wide * (die - 0.5) / 6 - 0.5
            middle = SIDE * (start + wide / 2 - 0.5 - column)
            dice = {1: m.die(die)} | {
                count: "".join(
                    m.die(die, middle + 28 * (i - (count - 1) / 2)) for i in range(count)
                )
                for count in range(2, DICE + 1)
            }
            each = {count: f"{count} of die {die}" for count in dice}
            yield showing((HIGH - 1) / 2, column, {("dice", (die - 1,)): 1}, dice, each)

    def _settle(self, s: Any) -> None:
        """Refuse what cannot arise."""
        ours, theirs = s.men
        if max(sum(ours), sum(theirs)) > self.men or (ours[1:] * theirs[:0:-1]).any():
            raise BadNotation(f"a side has at most {self.men} men, and no point has men of both")
        if not sum(ours) and not sum(theirs):
            raise BadNotation("both sides have borne off all their men, and so both have won")
        if sum(s.dice) > DICE:
            raise BadNotation("at most four dice are to be played")
