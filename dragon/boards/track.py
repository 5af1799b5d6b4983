"""Tracks: points along which men of two sides run against each other by dice, as in backgammon."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from attrs import frozen

from dragon.boards.counts import Counts
from dragon.boards.squares import Square, block, piles, showing
from dragon.errors import BadNotation, PluginError
from dragon.protocols import Place, Sum
from dragon.rules.dice import roll_words

SEAT: dict[Place, int] = {("seat", ()): 1}
DICE = 4
"""That are left to be played, at most: those of a double."""


@frozen
class Track:
    """A track of an even number of points, and how many men a side has.

    A side counts points its own way: 0 is the bar, 1 where men enter, `off` is behind the last;
    point p of one side is point off - p of the other. The code of a man's move from a point by a
    die is 6 * point + die - 1, that of no move `passes`; those of rolls begin at `rolls`
    (`dragon.rules.dice`).

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
            seat_names=("Black", "White"), named=True, wide=4, settle=self._settle,
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

    def _squares(self) -> Iterator[Square]:
        """The points, named from the mover's end; bars, and men borne off; dice that are left."""
        half, off, (shapes, said) = self.points // 2, self.off, piles(self.men)
        text = {n: str(n or ".") for n in said}
        for p in range(1, off):
            number: dict[Place, int] = {("men", (0, off - p)): 1, ("men", (1, p)): -1}
            name, near = Sum(SEAT, {0: str(p), 1: str(off - p)}), p <= half
            column = half + 1 - p if near else p - half
            yield showing(int(near), column, number, shapes, said, name, text)
        for seat, sign in ((0, 1), (1, -1)):
            bar, gone = (Sum(SEAT, {seat: word}) for word in ("bar", "off"))
            yield showing(1 - seat, 0, {("men", (seat, 0)): sign}, shapes, said, bar, text)
            left: dict[Place, int] = {("men", (seat, p)): -sign for p in range(off)}
            lost = [{n - sign * self.men: each[n] for n in each} for each in (shapes, said, text)]
            yield showing(1 - seat, half + 1, left, lost[0], lost[1], gone, lost[2])
        for die in range(1, 7):
            dice = {n: block("#fdfcf9", 36, " ".join([str(die)] * n)) for n in range(1, DICE + 1)}
            each = {n: f"{n} of die {die}" for n in dice}
            yield showing(2, half // 2 - 3 + die, {("dice", (die - 1,)): 1}, dice, each)

    def _settle(self, s: Any) -> None:
        """Refuse what cannot arise."""
        ours, theirs = s.men
        if max(sum(ours), sum(theirs)) > self.men or (ours[1:] * theirs[:0:-1]).any():
            raise BadNotation(f"a side has at most {self.men} men, and no point has men of both")
        if not sum(ours) and not sum(theirs):
            raise BadNotation("both sides have borne off all their men, and so both have won")
        if sum(s.dice) > DICE:
            raise BadNotation("at most four dice are to be played")
