"""Counts: boards that show numbers of a record: seeds in pits, men on points, tiles."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import groupby
from typing import Any

from attrs import field, frozen

from dragon.boards.squares import Square, drawing_parts, label, numbered
from dragon.errors import BadNotation
from dragon.protocols import Part, Sum, drawn
from dragon.rules.notation import BaseNotation, read_fields


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
    """The codes of moves by their texts, of which the first is the one that is written."""
    limits: Mapping[str, int] = field(factory=dict, kw_only=True)
    """The greatest value of the numbers of a field in a text; the least is 0."""
    settle: Callable[[Any], None] | None = field(default=None, kw_only=True)
    """Completes a record that has been read, or refuses it by BadNotation."""
    wide: int = field(default=3, kw_only=True)
    """Characters of a column in text."""
    named: bool = field(default=False, kw_only=True)
    """Whether text has the names of squares above each row, as the seat to move calls them."""
    seat_names: tuple[str, ...] = field(default=(), kw_only=True)
    """The names of seats; if empty, their numbers."""
    below: str = field(default="", kw_only=True)
    """A field that is shown below the squares, as `score 16`; none if empty."""
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
        return self.scored

    def svg(self, s: Any) -> str:
        return drawn(self.drawing(), s)

    def drawing(self) -> list[Part]:
        high = self.high or self.rows
        if not self.below:
            return drawing_parts(high, self.columns, self.squares, self.ground, self.front)
        number, middle = Sum({(self.below, ()): 1}), (self.columns - 1) / 2
        shape = numbered(label(f"{self.below} %", "ink"), number)
        last = Square(high, middle, shape, said=(f"{self.below} ", number))
        return drawing_parts(high + 1, self.columns, [*self.squares, last], self.ground, self.front)
