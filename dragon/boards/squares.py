"""Squares and their drawings, for games whose boards show numbers of a record, not sets of stones:
seeds in pits, men on points, tiles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import groupby
from typing import Any

from attrs import evolve, field, frozen

from dragon.boards import material as m
from dragon.boards.material import PALETTE, n, paint
from dragon.errors import BadNotation
from dragon.protocols import Part, Place, Sum, drawn
from dragon.rules.notation import BaseNotation, read_fields

SIDE = 40
"""The side of a square, in user units."""


@frozen
class Square:
    """One square of a drawing."""

    row: float
    """The row from the top; a half lies between two rows."""
    column: float
    drawn: Part | tuple[Part, ...]
    """The drawing about its middle: `block` and `disc`, one on another, or a Sum of such."""
    name: Part = ""
    """Its name in moves; a square without one cannot be clicked. A Sum of names is `said`."""
    said: Part | tuple[Part, ...] = ""
    """Its label for screen readers; if empty, its name."""
    text: Part = ""
    """Its text in a picture of text (`Counts`)."""

    def svg(self) -> str:
        """The square at its place.

        >>> Square(0, 1, disc("#444", 14), "b1").svg()[:56]
        '<g data-cell="b1" aria-label="b1" transform="translate(6'
        """
        return drawn(self.parts(), None)

    def parts(self) -> list[Part]:
        """The parts of the square, among which may be numbers of a record."""
        said: list[Part] = [' aria-label="', *_listed(self.said or self.name), '"']
        x, y = (SIDE * at + SIDE // 2 + 4 for at in (self.column, self.row))
        place = f' transform="translate({n(x)},{n(y)})">'
        named = said if said[1] else []
        return ["<g", _cell(self.name), *named, place, *_listed(self.drawn), "</g>"]


def _listed(parts: Part | tuple[Part, ...]) -> tuple[Part, ...]:
    return parts if isinstance(parts, tuple) else (parts,)


def _cell(name: Part) -> Part:
    """The attribute that names a cell; nothing for one without a name."""
    if isinstance(name, str):
        return f' data-cell="{name}"' if name else ""
    return evolve(name, shown={n: str(_cell(each)) for n, each in (name.shown or {}).items()})


def showing(
    row: float, column: float, number: Mapping[Place, int], drawn: Mapping[int, str],
    said: Mapping[int, str], name: Part = "", text: Mapping[int, str] | None = None,
    ground: str = "",
) -> Square:  # fmt: skip
    """Return a square that shows a number of the record.

    drawn, said, text: what there is for each number; text: nothing in a picture of text if None.
    ground: what is drawn below each of them.
    """
    written: Part = Sum(number, text) if text is not None else ""
    return Square(row, column, (ground, Sum(number, drawn)), name, Sum(number, said), written)


def piles(most: int) -> tuple[dict[int, str], dict[int, str]]:
    """The drawings and names of up to `most` men on a square: Black's, White's below zero.

    >>> piles(2)[1]
    {0: 'empty', 1: '1 black', 2: '2 black', -1: '1 white', -2: '2 white'}
    """
    shapes, said = {0: ""}, {0: "empty"}
    for sign, side, name, ink in ((1, "ebony", "black", "ivory"), (-1, "ivory", "white", "ebony")):
        for count in range(1, most + 1):
            shapes[sign * count] = m.disc(side, 15) + label(count, ink)
            said[sign * count] = f"{count} {name}"
    return shapes, said


def numbered(shape: str, number: Sum) -> tuple[Part, ...]:
    """A shape with a number of a record in place of the text `%`.

    >>> numbered(label("score %"), Sum({("score", ()): 1}))[2]
    '</text>'
    """
    before, after = shape.split("%")
    return before, number, after


def drawing(rows: float, columns: float, squares: Iterable[Square], ground: str = "") -> str:
    """The squares on a board, as SVG."""
    return drawn(drawing_parts(rows, columns, squares, ground), None)


def drawing_parts(
    rows: float, columns: float, squares: Iterable[Square], ground: str = "",
    front: int | None = None,
) -> list[Part]:  # fmt: skip
    """The parts of the drawing, among which may be numbers of a record.

    ground: what lies below all squares, whose corner is at (4, 4); if empty, a board of maple.
    front: the seat that sits below, if that matters.
    """
    wide, high = SIDE * columns + 8, SIDE * rows + 8
    below = ground or m.slab(1, 1, wide - 2, high - 2, paint("maple"), 6)
    parts = (part for square in squares for part in square.parts())
    return [m.head((0, 0, wide, high + 2), "", front) + below, *parts, "</svg>"]


def tray(rows: int, columns: int) -> str:
    """A walnut tray for tiles, with a hollow for each."""
    shape = m.slab(0.5, 0.5, SIDE * columns + 7, SIDE * rows + 7, paint("walnut"), 7)
    look = paint("hollow")
    return shape + "".join(
        m.rect(SIDE * c + 6, SIDE * r + 6, 36, 36, look, 4, 'fill-opacity=".6"')
        for r in range(rows)
        for c in range(columns)
    )


def power_tile(exponent: int) -> str:
    """A tile with a power of two, whose colour depends on the number."""
    ink = "won-edge" if exponent < 4 else "won"
    return m.tile(f"t{min(exponent, 11)}", 36, 1 << exponent, ink)


def block(fill: str, side: float = SIDE, text: object = "") -> str:
    """A square of a material or a colour, with a text on it."""
    return m.rect(-side / 2, -side / 2, side, side, paint(fill), 3 if side < SIDE else 0) + label(
        text
    )


def disc(fill: str, radius: float, text: object = "", ink: str = "") -> str:
    """A disc of a material or a colour, with a text on it; with an ink for the text, it has an
    outline."""
    edge = f"{fill}-edge" if f"{fill}-edge" in PALETTE else "faint"
    return m.circle(0, 0, radius, paint(fill, edge if ink else "")) + label(text, ink)


def label(text: object, ink: str = "", size: float = 16) -> str:
    """A text about the middle."""
    return "" if text == "" else m.text(0, 0, text, size, paint(ink or "engraved"))


@frozen
class Counts(BaseNotation):
    """A board of `rows` x `columns` whose squares show numbers of the record.

    A position is the fields of the record by name, `seeds=4,4,0 seat=1`; a move is one of `words`,
    or a number where there are none. A subclass may write either in its own way.

    >>> Counts(1, 1, (), words={"pass": 7}).move_code(None, "Pass")
    7
    """

    rows: int
    columns: int
    squares: tuple[Square, ...]
    """The squares, which are drawn, and clicked by name; in text, those that have a `text`."""
    words: Mapping[str, int] = field(factory=dict, kw_only=True)
    """The codes of moves by their texts; the first text of a code is the one that is written."""
    limits: Mapping[str, int] = field(factory=dict, kw_only=True)
    """The greatest value of the numbers of a field in a text; the least is 0."""
    settle: Callable[[Any], None] | None = field(default=None, kw_only=True)
    """Completes a record that has been read, or refuses it by BadNotation."""
    wide: int = field(default=3, kw_only=True)
    """Characters of a column in text."""
    named: bool = field(default=False, kw_only=True)
    """True if text has the names of squares above each row, as the seat to move calls them."""
    seat_names: tuple[str, ...] = field(default=(), kw_only=True)
    """The names of seats; if empty, their numbers."""
    below: str = field(default="", kw_only=True)
    """The field with the score of who plays alone: a page shows it beside the name, a picture of
    text below the squares, as `score 16`; none if empty."""
    scored: tuple[Sum, ...] = field(default=(), kw_only=True)
    """The score of each seat, which a page shows beside its name."""
    ground: str = field(default="", kw_only=True, repr=False)
    """SVG of the board below the squares (`dragon.boards.squares.drawing_parts`)."""
    front: int | None = field(default=None, kw_only=True)
    """The seat that sits below, where that matters: a page turns the board for the other seat."""
    high: float = field(default=0, kw_only=True)
    """The number of rows that a drawing takes; `rows` if 0."""

    @cached_property
    def _texts(self) -> dict[int, str]:
        return {code: text for text, code in [*self.words.items()][::-1]}

    def move_text(self, s: Any, code: int) -> str:
        """A word, or a number."""
        return self._texts.get(code, str(code))

    def move_code(self, s: Any, text: str) -> int:
        """Read a word, in capitals or not, or a number."""
        if not self.words:
            return BaseNotation.move_code(self, s, text)
        if (code := self.words.get(text.casefold())) is None:
            some = ", ".join([*self.words][:: max(1, len(self.words) // 5)])
            raise BadNotation(f"{text!r} is not a move; write one like {some}")
        return code

    def parse(self, s: Any, text: str) -> None:
        """Read fields by name, within their limits; others are as `setup` left them."""
        read_fields(s, s.dtype.names, text.split(), text, self.limits)
        if self.settle is not None:
            self.settle(s)

    def picture(self, s: Any) -> str:
        """The texts of the squares in rows and columns."""
        lines = []
        shown = sorted((one for one in self.squares if one.text), key=lambda one: one.row)
        for _, row in groupby(shown, lambda one: one.row):
            squares = {int(one.column): one for one in row}
            if self.named:
                lines.append(self._line({at: drawn([one.name], s) for at, one in squares.items()}))
            lines.append(self._line({at: drawn([one.text], s) for at, one in squares.items()}))
        return "\n".join([*lines, f"{self.below} {s[self.below]}"] if self.below else lines)

    def _line(self, texts: Mapping[int, str]) -> str:
        shown = (f"{texts.get(at, ''):>{self.wide}}" for at in range(self.columns))
        return "".join(shown).rstrip()

    def clicks(self, move: str) -> tuple[tuple[str, ...], ...]:
        """The squares that a move names, as `13/8` does; none of other moves."""
        parts = re.split("[-/]", move.partition(":")[0])
        return (tuple(parts) if {*parts} <= self._names else (),)

    @cached_property
    def _names(self) -> set[str]:
        names = [one.name for one in self.squares]
        return {
            text
            for name in names
            for text in ([name] if isinstance(name, str) else (name.shown or {}).values())
        }

    def scores(self, s: Any) -> tuple[Sum, ...]:
        return (Sum({(self.below, ()): 1}),) if self.below else self.scored

    def svg(self, s: Any) -> str:
        return drawn(self.drawing(), s)

    def drawing(self) -> list[Part]:
        high = self.high or self.rows
        return drawing_parts(high, self.columns, self.squares, self.ground, self.front)
