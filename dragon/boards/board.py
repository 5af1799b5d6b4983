"""Board: the notation of boards where pieces move, are captured or promoted, or a turn is
passed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from attrs import evolve, field, frozen

from dragon.boards.cells import EMPTY, Cells, colours_of
from dragon.boards.drawing import SIDES, Drawing
from dragon.core.offers import Sum
from dragon.errors import BadNotation, PluginError
from dragon.rules.notation import fields_text, read_fields

MOVE = re.compile(r"([a-z]\d{1,2})(?:[-x]?([a-z]\d{1,2}))?(?:=?([a-z]))?")
"""`c3`, `a2a3`, `a2-a3`, `a2xa3`, `b7b8q`, `b7b8=q`."""


@frozen
class Board(Cells):
    """A board of `rows` x `columns` whose record has a field for the side to move.

    A position is its rows from the top, the side to move, and every other field of the record
    that is not zero: `.../.XO/... X passes=1`. A move is one of::

        `c3`      a cell; its code is the cell's bit
        `a2a3`    from a cell to a cell, where moves are `moving`: from * span + to
        `b7b8q`   the same, and one of `promotions`, the n-th from 1: (n * span + from) * span + to;
                  without `moving`, as `b8q`: n * span + cell
        `pass`    one of `words`, which say its code

    `span` is the number of bits, rows * columns unless `where` leaves gaps. With `moving`, a move
    from a cell to itself is written as that cell.

    >>> Board(8, 8, {"stones": "XO"}, words={"pass": 64}).layout
    [('stones', 'u8', (2,)), ('seat', 'i8')]
    """

    sides: Mapping[str, str] = field(factory=dict)
    """The letters of each seat's pieces by the seat's name in texts, in the order of the seats;
    letters of no side are neutral. If empty, each letter is a side of that name."""
    mover: str = "seat"
    """The field for the side to move: a seat, or a number of plies, whose remainder by the number
    of sides is the seat."""
    moving: bool = False
    """True if moves lead from a cell to a cell; else a move is one cell."""
    promotions: str = ""
    """Letters of the pieces that a move may promote to, as they are written behind it."""
    words: Mapping[str, int] = field(factory=dict)
    """The codes of moves without a cell, by their texts: `{"pass": 64}`."""
    settled: tuple[str, ...] = ()
    """Fields that follow from the others: texts leave them out, and `settle` computes them."""
    limits: Mapping[str, int] = field(factory=dict)
    """The greatest value of a field in a text; the least is 0: `{"quiet": 80}`."""
    settle: Callable[[Any], None] | None = None
    """Completes a record that has been read, or refuses it by BadNotation."""
    colours: tuple[str, ...] = ()
    """The colour of each seat, from `drawing.SIDES`; if empty, in that order: the first is
    Black."""

    die: str = ""
    """The field with the number of a die that has been rolled, 0 before it is: the die lies in the
    corner of a plain board's frame. If empty, there is none."""
    scored: str = ""
    """The field whose stones are the score of their side, which a page shows; none if empty."""

    def __attrs_post_init__(self) -> None:
        Cells.__attrs_post_init__(self)
        letters, owned = self._letters(), "".join(self.sides.values())
        if set(owned) - set(letters) or len(set(owned)) < len(owned):
            raise PluginError(
                f"the sides of a board have the letters {owned!r}; each must be one of its "
                f"stones ({letters!r}) and belong to one side"
            )
        folded = self.promotions.casefold()
        if folded and (not re.fullmatch("[a-z]+", folded) or len(set(folded)) < len(folded)):
            raise PluginError(
                f"the promotions of a board are {self.promotions!r}; write different letters, "
                "whose case does not count"
            )
        if len(self.seat_names) != len(self._sides) or set(self.seat_names) - set(SIDES):
            raise PluginError(
                f"the colours of a board are {', '.join(self.colours)}; write one of "
                f"{', '.join(SIDES)} for each of its {len(self._sides)} sides"
            )
        if len(set(self.fields)) < len(self.fields):
            raise PluginError(
                f"a board has stones, mover and settled in the fields {', '.join(self.fields)}; "
                "each must be another field"
            )
        if self.scored and self.scored not in self.stones:
            raise PluginError(
                f"a board is scored by the field {self.scored!r}; write one of its stones: "
                f"{', '.join(self.stones)}"
            )
        for word in (*self._sides, *self.words):
            if len(word.split()) != 1 or word.strip() != word:
                raise PluginError(
                    f"{word!r} of a board is a side or one of `words`, and has a space or no "
                    "letter; write one word"
                )
        for word, code in self.words.items():
            with suppress(BadNotation):
                self._between(word)
                raise PluginError(
                    f"{word!r} of a board is one of `words`, and the text of a move between cells; "
                    "call it something else"
                )
            if self._parts(code) is not None:
                raise PluginError(
                    f"{word!r} of a board has the code {code} of a move between cells; take one "
                    f"from {(len(self.promotions) + 1) * self.span ** (1 + self.moving)} on"
                )

    @property
    def fields(self) -> tuple[str, ...]:
        return (*self.stones, self.mover, *self.settled)

    @property
    def layout(self) -> list[tuple[Any, ...]]:
        """The fields of a record: the stones, and the side to move; append the game's further
        fields."""
        return [*super().layout, (self.mover, "i8")]

    @property
    def _sides(self) -> Mapping[str, str]:
        return self.sides or {letter: letter for letter in self._letters()}

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The colours that the seats' pieces are drawn in."""
        return self.colours or colours_of(len(self._sides))

    @property
    def seat_letters(self) -> tuple[str, ...]:
        """The letters of the seats in a position's text."""
        return tuple(self._sides)

    @cached_property
    def _names(self) -> dict[int, str]:
        """The name of each cell, by its bit."""
        return {self.bits[place]: name for name, place in self._places.items()}

    # ---- moves ---------------------------------------------------------------------------------

    def scores(self, s: Any) -> list[Sum]:
        """The number of each side's stones in the field `scored`."""
        if not self.scored:
            return []
        words = s[self.scored].ndim > 1
        return [
            Sum({
                (self.scored, (i, bit // 64) if words else (i,), bit % 64): 1
                for i, letter in enumerate(self.stones[self.scored]) if letter in own
                for bit in self.bits.values()
            })
            for own in self._sides.values()
        ]  # fmt: skip

    def _parts(self, code: int) -> tuple[int, int, int] | None:
        """The first cell of a move, the last one, and its promotion, 0 for none."""
        rest, to = divmod(code, self.span)
        number, at = divmod(rest, self.span) if self.moving else (rest, to)
        known = at in self._names and to in self._names
        return (at, to, number) if known and 0 <= number <= len(self.promotions) else None

    def move_text(self, s: Any, code: int) -> str:
        """Return a word, a cell, or two; digits for a code that is none of these."""
        for word, known in self.words.items():
            if known == code:
                return word
        if (parts := self._parts(code)) is None:
            return str(code)
        at, to, number = parts
        cells = self._names[at] + (self._names[to] if to != at else "")
        return cells + (self.promotions[number - 1] if number else "")

    def move_code(self, s: Any, text: str) -> int:
        """The code of a move, in capitals or not; `-` or `x` is allowed between its cells."""
        folded = text.casefold()
        for word, code in self.words.items():
            if word.casefold() == folded:
                return code
        return self._between(text)

    def _between(self, text: str) -> int:
        """The code of a move between cells."""
        match = MOVE.fullmatch(text.casefold())
        if match is None:
            raise self._no_move(text)
        first, last, kind = match[1], match[2] or match[1], match[3] or ""
        if first not in self._places or last not in self._places:
            raise self._not_a_cell(first if first not in self._places else last)
        kinds = self.promotions.casefold()
        if kind not in kinds or (match[2] and not self.moving):
            raise self._no_move(text)
        at, to = (self.bits[self._places[name]] for name in (first, last))
        number = kinds.index(kind) + 1 if kind else 0
        return ((number * self.span + at) if self.moving else number) * self.span + to

    def _no_move(self, text: str) -> BadNotation:
        first, *_, last = self._places
        shown = [first + last if self.moving else first]
        shown += [shown[0] + self.promotions[0]] if self.promotions else []
        like = ", ".join([*shown, *self.words])
        return BadNotation(f"{text!r} is not a move; write one like {like}")

    def clicks(self, move: str) -> tuple[tuple[str, ...], ...]:
        """The cells of a move in the order in which they are clicked; none of a word."""
        match = MOVE.fullmatch(move.casefold())
        if match is None or move in self.words:
            return ((),)
        return (tuple(cell for cell in match.groups()[:2] if cell),)

    def objection(self, s: Any, code: int, text: str, position: str) -> str:
        """Return why a move is not legal, if the board shows it: a cell is taken, or empty."""
        illegal = f"{text} is not legal in {position}"
        if code in self.words.values() or (parts := self._parts(code)) is None:
            return illegal
        name, side = self._names[parts[0]], self._side(s)
        row, column = self._places[name]
        letter = self.board(s)[row][column]
        if not self.moving:
            return illegal if letter == EMPTY else f"{illegal}: the cell is taken"
        if letter == EMPTY:
            return illegal if parts[0] == parts[1] else f"{illegal}: nothing is on {name}"
        own = letter in self._sides[side]
        return illegal if own else f"{illegal}: {letter} on {name} is not {side}'s"

    # ---- positions -----------------------------------------------------------------------------

    def _side(self, s: Any) -> str:
        """The letter of the seat to move."""
        return list(self._sides)[int(s[self.mover]) % len(self._sides)]

    def _named(self, s: Any) -> list[str]:
        """The fields that are written by name."""
        return [name for name in s.dtype.names if name not in {*self.stones, *self.settled}]

    def position_text(self, s: Any) -> str:
        """Rows from the top, the side to move, and other fields that are not zero."""
        rows = self._written(["".join(row) for row in self.board(s)])
        more = [
            name for name in self._named(s) if name != self.mover and s[name].tobytes().strip(b"\0")
        ]
        if not 0 <= s[self.mover] < len(self._sides):
            more.append(self.mover)
        return " ".join([rows, self._side(s), *fields_text(s, more)])

    def parse(self, s: Any, text: str) -> None:
        """Read what `position_text` writes, with a message for every mistake.

        Every field is written except the `settled` ones; a field that the text leaves out is zero.
        Settled fields are as the game's `setup` left them, until `settle`, which is called last,
        computes them.
        """
        self._read(s, text)
        if self.settle is not None:
            self.settle(s)
        sides = list(self._sides)
        self._refuse_won(s, text, int(s[self.mover]) % len(sides), sides)

    def _read(self, s: Any, text: str) -> None:
        """Write the fields in a text into the record."""
        self._read_words(s, text.split(), text)

    def _read_words(self, s: Any, given: list[str], text: str) -> None:
        """Write the fields in some words of the text into the record."""
        sides, names = list(self._sides), self._named(s)
        board, *words = given or [""]
        rows = self._read_rows(board, text, sides[0])
        if not words or words[0] not in sides:
            raise BadNotation(
                f"{text!r} does not say who is to move; write {' or '.join(sides)} after the board"
            )
        for name in names:
            s[name] = 0
        self._put(s, rows)
        seat = s[self.mover] = sides.index(words[0])
        read_fields(s, names, words[1:], text, self.limits)
        if s[self.mover] % len(sides) != seat:
            raise BadNotation(
                f"{text!r} says {words[0]}, but its {self.mover} is {self._side(s)}'s"
            )

    @property
    def _surface(self) -> str:
        plain = self.surface or self.slant or self.lines or not self.moving
        return super()._surface if plain else "checkered"

    def _colours(self) -> Sequence[str]:
        owner = {
            letter: shown
            for letters, shown in zip(self._sides.values(), self.seat_names, strict=True)
            for letter in letters
        }
        return [owner.get(letter, "") for letter in self._letters()]

    def drawing_of(self, s: Any) -> Drawing:
        """Return the drawing, where letters count if a side has pieces of several kinds."""
        several = any(len(own) > 1 for own in self._sides.values())
        die = int(s[self.die]) if self.die else 0
        return evolve(super().drawing_of(s), several=several, die=die)
