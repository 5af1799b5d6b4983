"""How moves and positions are written: the protocol, the default, and boards of cells.

A game of pieces on a rectangular board needs no code of its own: `Grid` writes, reads
and draws it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Protocol

from attrs import frozen

from dragon.bits import bit, has
from dragon.core import State
from dragon.errors import AmbiguousMove, BadNotation, IllegalMove


def escape(text: str) -> str:
    """Text as XML has it between tags; the standard library's function takes 15 ms to import.

    >>> escape("a < b & c")
    'a &lt; b &amp; c'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


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
    raise IllegalMove(
        f"no legal move {text!r} in {state}; legal: {some or 'none, the game is over'}"
    )


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
    """A board of `rows` x `columns` with a bit set of the record for each kind of stone.

    Cells are named a1 (top left), a2, ... A position is its rows from the top, `.` for
    an empty cell, and the stone of the side to move: `X.O/.X./... O`. Sides place one
    stone a turn. `where` tells the bit of a cell, `by_column` makes a column's number the
    move, `slant` draws hexagons, each row half a cell further right.

    >>> Grid(3, 3, {"stones": "XO"}).layout
    [('stones', 'u8', (2,)), ('ply', 'i8')]
    """

    rows: int
    columns: int
    stones: Mapping[str, str]
    """Field of the record -> its letter, in the order of the seats, or one letter for each
    of its sets. A set of more than 64 bits is an array of words, 64 bits in each."""
    where: Callable[[int, int], int] | None = None
    by_column: bool = False
    slant: bool = False
    edges: str = ""
    """Of slanted boards the letters that join top to bottom and left to right, drawn as a rim."""
    settle: Callable[[Any], None] | None = None
    """Completes a record that has been read, where it holds more than the stones."""

    @property
    def layout(self) -> list[tuple[Any, ...]]:
        """The fields of a record: the stones, and `ply`, how many there are."""
        bits = [self._bit(r, c) for r in range(self.rows) for c in range(self.columns)]
        words = max(bits) // 64 + 1
        shape = (words,) if words > 1 else ()
        fields: list[tuple[Any, ...]] = []
        for name, letters in self.stones.items():
            full = (len(letters), *shape) if len(letters) > 1 else shape
            fields.append((name, "u8", full) if full else (name, "u8"))
        return [*fields, ("ply", "i8")]

    def _bit(self, row: int, column: int) -> int:
        return self.where(row, column) if self.where else row * self.columns + column

    def _letters(self) -> str:
        return "".join(self.stones.values())

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The colours that the seats' stones are drawn in."""
        from dragon.drawing import SIDES

        return tuple(SIDES[i % len(SIDES)] for i in range(len(self._letters())))

    @property
    def seat_letters(self) -> tuple[str, ...]:
        """The letters that the seats' stones are written as."""
        return tuple(self._letters())

    def _sets(self, s: Any) -> dict[str, Any]:
        """A copy of each letter's set, uint64[words]."""
        import numpy as np

        sets: dict[str, Any] = {}
        for name, letters in self.stones.items():
            words = np.array(s[name]).reshape(len(letters), -1)
            sets |= dict(zip(letters, words, strict=True))
        return sets

    def board(self, s: Any) -> list[list[str]]:
        """The letters, by row and column."""
        held = self._sets(s)
        board = [["."] * self.columns for _ in range(self.rows)]
        for r in range(self.rows):
            for c in range(self.columns):
                word, i = divmod(self._bit(r, c), 64)
                for letter, words in held.items():
                    if has(words[word], i):
                        board[r][c] = letter
        return board

    def move_text(self, s: Any, code: int) -> str:
        """A cell's name, or a column's number."""
        if self.by_column:
            return str(code + 1)
        return cell_name(*divmod(code, self.columns))

    def move_code(self, s: Any, text: str) -> int:
        """row * columns + column, or the column."""
        if self.by_column:
            if not re.fullmatch(r"[1-9]\d?", text) or int(text) > self.columns:
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
        rows = ["".join(row) for row in self.board(s)]
        letters = self._letters()
        placed = sum(len(row) - row.count(".") for row in rows)
        return "/".join(rows) + " " + letters[placed % len(letters)]

    def parse(self, s: Any, text: str) -> None:
        """The inverse of `position_text`, with every mistake named."""
        board, _, side = text.strip().partition(" ")
        rows = board.split("/")
        self._check_rows(rows, text)
        letters = self._letters()
        placed = sum(len(row) - row.count(".") for row in rows)
        mover = letters[placed % len(letters)]
        if side.strip() not in ("", mover):
            raise BadNotation(f"{text!r}: it is {mover}'s turn, not {side.strip()!r}")
        held = self._sets(s)
        for r, row in enumerate(rows):
            for c, letter in enumerate(row):
                if letter != ".":
                    word, i = divmod(self._bit(r, c), 64)
                    held[letter][word] |= bit(i)
        for name, own in self.stones.items():
            s[name] = _shaped([held[letter] for letter in own], s[name])
        if "ply" in s.dtype.names:
            s["ply"] = placed
        if self.settle is not None:
            self.settle(s)

    def _check_rows(self, rows: list[str], text: str) -> None:
        letters = self._letters()
        if len(rows) != self.rows or any(len(row) != self.columns for row in rows):
            example = "/".join(["." * self.columns] * self.rows) + " " + letters[0]
            raise BadNotation(
                f"{text!r} is not a board of {self.rows} rows of {self.columns}; "
                f"write one like {example!r}"
            )
        for r, row in enumerate(rows):
            for c, letter in enumerate(row):
                if letter != "." and letter not in letters:
                    known = ", ".join(letters)
                    raise BadNotation(
                        f"{letter!r} at {cell_name(r, c)} in {text!r} is no stone ({known} or .)"
                    )
        counts = ["".join(rows).count(letter) for letter in letters]
        n = sum(counts)
        if counts != [(n + len(letters) - 1 - i) // len(letters) for i in range(len(letters))]:
            told = ", ".join(f"{n} {x}" for n, x in zip(counts, letters, strict=True))
            raise BadNotation(f"{text!r} cannot arise: it has {told}, and sides move in turn")
        if self.by_column:
            for above, below in pairwise(enumerate(rows)):
                for c, letter in enumerate(above[1]):
                    if letter != "." and below[1][c] == ".":
                        raise BadNotation(
                            f"{text!r} cannot arise: nothing is under {cell_name(above[0], c)}"
                        )

    def picture(self, s: Any) -> str:
        """The board with its row letters and column numbers."""
        wide = len(str(self.columns))
        if self.slant:
            wide |= 1  # so that half a cell is a whole number of characters
        lines = ["   " + " ".join(f"{c + 1:<{wide}}" for c in range(self.columns))]
        for r, row in enumerate(self.board(s)):
            shift = " " * (r * (wide + 1) // 2) if self.slant else ""
            name = " " if self.by_column else chr(97 + r)
            lines.append(f"{shift}{name}  " + " ".join(f"{cell:<{wide}}" for cell in row))
        return "\n".join(line.rstrip() for line in lines)

    def svg(self, s: Any) -> str:
        """Stones on round or six-sided cells; the first kind is dark, the second white.

        Each cell has its name, as a move has it, in `data-cell` (`dragon.picks`).
        """
        from dragon.drawing import Drawing

        side = {letter: i for i, letter in enumerate(self._letters())}
        board = [[side.get(letter) for letter in row] for row in self.board(s)]
        edges = tuple(side[letter] for letter in self.edges)
        return Drawing(board, self.slant, edges, self.by_column).svg()


def _shaped(words: list[Any], field: Any) -> Any:
    """The words of one field's sets in the field's own shape."""
    import numpy as np

    return np.concatenate(words).reshape(np.shape(field))
