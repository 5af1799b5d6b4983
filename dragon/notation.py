"""How moves and positions are written: the protocol, the default, and boards of cells.

A game of pieces on a rectangular board needs no code of its own: `Grid` writes, reads
and draws it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol
from xml.sax.saxutils import escape

from attrs import frozen

from dragon.bits import bit, has
from dragon.core import State
from dragon.errors import AmbiguousMove, BadNotation, IllegalMove


def parse_move(state: State[Any], text: str) -> Any:
    """The legal move written as `text`, which need not be its exact spelling.

    Raises BadNotation, IllegalMove or AmbiguousMove, and says what was expected.
    """
    text = text.strip()
    if hasattr(state, "code") and hasattr(state, "text"):
        code = state.code(text)
        state.after(text)
        return state.text(code)
    moves = state.moves()
    exact = [move for move in moves if str(move) == text]
    if exact:
        return exact[0]
    folded = [move for move in moves if str(move).casefold() == text.casefold()]
    if len(folded) == 1:
        return folded[0]
    if folded:
        raise AmbiguousMove(f"{text!r} fits {', '.join(map(str, folded))} in {state}")
    some = ", ".join(str(move) for move in moves[:8]) + (", ..." if len(moves) > 8 else "")
    raise IllegalMove(f"no legal move {text!r} in {state}; legal: {some or 'none, the game is over'}")


class Notation(Protocol):
    """Text for the moves and positions of a record `s`."""

    def move_text(self, s: Any, code: int) -> str:
        """A move code as text."""

    def move_code(self, s: Any, text: str) -> int:
        """The code of a move; raises BadNotation, or IllegalMove where it knows better."""

    def objection(self, s: Any, code: int, text: str, position: str) -> str:
        """Why a well-written move is not legal here, as a sentence."""

    def position_text(self, s: Any) -> str:
        """The position on one line."""

    def parse(self, s: Any, text: str) -> None:
        """Fills a blank record from a position's text; raises BadNotation."""

    def picture(self, s: Any) -> str:
        """The position drawn in text."""

    def svg(self, s: Any) -> str:
        """The position drawn as SVG."""


class BaseNotation:
    """Moves are their numbers; what a notation need not write itself."""

    def move_text(self, s: Any, code: int) -> str:
        """The code in digits."""
        return str(code)

    def move_code(self, s: Any, text: str) -> int:
        """The number that the digits write."""
        if not re.fullmatch(r"-?\d{1,18}", text):
            raise BadNotation(f"{text!r} is not a move; write a whole number")
        return int(text)

    def objection(self, s: Any, code: int, text: str, position: str) -> str:
        """That it is not among the legal moves."""
        return f"{text} is not a legal move in {position}"

    def position_text(self, s: Any) -> str:
        """Every field by name."""
        return " ".join(f"{name}={_plain(s[name])}" for name in s.dtype.names)

    def parse(self, s: Any, text: str) -> None:
        """Fields by name; those left out are zero."""
        for word in text.split():
            name, sign, value = word.partition("=")
            if not sign or name not in s.dtype.names:
                fields = ", ".join(s.dtype.names)
                raise BadNotation(f"{word!r} in {text!r} is not field=number (fields: {fields})")
            try:
                numbers = [int(v) for v in value.split(",")]
                s[name] = numbers[0] if s[name].shape == () else numbers
            except (ValueError, OverflowError) as wrong:
                raise BadNotation(f"{word!r} in {text!r}: {wrong}") from wrong

    def picture(self, s: Any) -> str:
        """The position's text."""
        return self.position_text(s)

    def svg(self, s: Any) -> str:
        """The picture's lines, set in an SVG."""
        lines = self.picture(s).splitlines()
        height, width = 20 * len(lines) + 10, 9 * max(map(len, lines), default=1) + 20
        rows = (
            f'<text x="10" y="{20 * (i + 1)}" font-family="monospace" xml:space="preserve">'
            f"{escape(line)}</text>"
            for i, line in enumerate(lines)
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
            f"{''.join(rows)}</svg>"
        )


def _plain(value: Any) -> str:
    return ",".join(str(int(v)) for v in value) if getattr(value, "shape", ()) else str(int(value))


class FieldNotation(BaseNotation):
    """The default: moves by number, positions by the fields of the record."""


def cell_name(row: int, column: int) -> str:
    """Row letter and column number: the top left cell is a1.

    >>> cell_name(2, 11)
    'c12'
    """
    return f"{chr(97 + row)}{column + 1}"


@frozen
class Grid(BaseNotation):
    """A board of `rows` x `columns` with one bit set of the record for each kind of stone.

    Cells are named a1 (top left), a2, ... A position is its rows from the top, `.` for
    an empty cell, and the stone of the side to move: `X.O/.X./... O`. `where` tells the
    bit of a cell, `by_column` makes a column's number the move, `slant` draws each row
    half a cell further right.
    """

    rows: int
    columns: int
    stones: Mapping[str, str]
    """Field of the record -> its letter, in the order of the seats."""
    where: Callable[[int, int], int] | None = None
    by_column: bool = False
    slant: bool = False
    fill: Callable[[Any, Mapping[str, set[int]]], None] | None = None
    """Sets the record from the bits of each letter, where plain bit sets do not do."""
    read: Callable[[Any], Mapping[str, Iterable[int]]] | None = None
    """The bits of each letter, likewise."""

    def _bit(self, row: int, column: int) -> int:
        return self.where(row, column) if self.where else row * self.columns + column

    def board(self, s: Any) -> list[list[str]]:
        """The letters, by row and column."""
        if self.read is not None:
            held = {letter: set(where) for letter, where in self.read(s).items()}
        else:
            held = {
                letter: {i for i in range(64) if has(s[name], i)}
                for name, letter in self.stones.items()
            }
        return [
            [
                next((x for x, where in held.items() if self._bit(r, c) in where), ".")
                for c in range(self.columns)
            ]
            for r in range(self.rows)
        ]

    def move_text(self, s: Any, code: int) -> str:
        """A cell's name, or a column's number."""
        if self.by_column:
            return str(code + 1)
        return cell_name(*divmod(code, self.columns))

    def move_code(self, s: Any, text: str) -> int:
        """row * columns + column, or the column."""
        if self.by_column:
            if not text.isdecimal() or not 1 <= int(text) <= self.columns:
                raise BadNotation(f"{text!r} is not a column; write 1 to {self.columns}")
            return int(text) - 1
        match = re.fullmatch(r"([a-z])([1-9]\d?)", text.lower())
        if match:
            row, column = ord(match[1]) - 97, int(match[2]) - 1
            if row < self.rows and column < self.columns:
                return row * self.columns + column
        last = cell_name(self.rows - 1, self.columns - 1)
        raise BadNotation(f"{text!r} is not a cell; write a1 to {last}")

    def objection(self, s: Any, code: int, text: str, position: str) -> str:
        """That the cell is taken, or the column full."""
        taken = "column is full" if self.by_column else "cell is taken"
        return f"{text} is not legal in {position}: the {taken}"

    def position_text(self, s: Any) -> str:
        """Rows from the top, then the side to move."""
        board = self.board(s)
        letters = list(self.stones.values())
        placed = sum(cell != "." for row in board for cell in row)
        return "/".join("".join(row) for row in board) + " " + letters[placed % len(letters)]

    def parse(self, s: Any, text: str) -> None:
        """The inverse of `position_text`, with every mistake named."""
        letters = list(self.stones.values())
        board, _, side = text.strip().partition(" ")
        rows = board.split("/")
        example = "/".join(["." * self.columns] * self.rows) + " " + letters[0]
        if len(rows) != self.rows or any(len(row) != self.columns for row in rows):
            raise BadNotation(
                f"{text!r} is not a board of {self.rows} rows of {self.columns}; "
                f"write one like {example!r}"
            )
        held: dict[str, set[int]] = {letter: set() for letter in letters}
        for r, row in enumerate(rows):
            for c, letter in enumerate(row):
                if letter in held:
                    held[letter].add(self._bit(r, c))
                elif letter != ".":
                    known = ", ".join(letters)
                    raise BadNotation(
                        f"{letter!r} at {cell_name(r, c)} in {text!r} is no stone ({known} or .)"
                    )
        counts = [len(where) for where in held.values()]
        placed = sum(counts)
        expected = [(placed + len(letters) - 1 - i) // len(letters) for i in range(len(letters))]
        if counts != expected:
            told = ", ".join(f"{n} {x}" for n, x in zip(counts, letters, strict=True))
            raise BadNotation(f"{text!r} cannot arise: it has {told}, and sides move in turn")
        mover = letters[placed % len(letters)]
        if side.strip() not in ("", mover):
            raise BadNotation(f"{text!r}: it is {mover}'s turn, not {side.strip()!r}")
        if self.fill is not None:
            self.fill(s, held)
        else:
            for name, letter in self.stones.items():
                total = bit(0) ^ bit(0)
                for i in held[letter]:
                    total |= bit(i)
                s[name] = total

    def picture(self, s: Any) -> str:
        """The board with its row letters and column numbers."""
        head = "   " + " ".join(f"{c + 1:<2}"[:2].strip().ljust(1) for c in range(self.columns))
        lines = [head]
        for r, row in enumerate(self.board(s)):
            shift = " " * r if self.slant else ""
            lines.append(f"{shift}{chr(97 + r)}  {' '.join(row)}")
        return "\n".join(lines)

    def svg(self, s: Any) -> str:
        """Discs on a board; the first kind of stone is black."""
        size, shift = 40, 20 if self.slant else 0
        width = size * (self.columns + 1) + shift * (self.rows - 1)
        parts = []
        colours = ("#222", "#fff", "#c33", "#36c")
        letters = list(self.stones.values())
        for r, row in enumerate(self.board(s)):
            for c, letter in enumerate(row):
                x, y = 30 + c * size + r * shift, 30 + r * size
                parts.append(
                    f'<circle cx="{x}" cy="{y}" r="17" fill="#e8d9b5" stroke="#866"/>'
                    if letter == "."
                    else f'<circle cx="{x}" cy="{y}" r="17" fill="{colours[letters.index(letter)]}"'
                    ' stroke="#222"/>'
                )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {size * self.rows + 20}">'
            f"{''.join(parts)}</svg>"
        )
