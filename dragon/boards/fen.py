"""The fields of a FEN behind the side to move: fields of a record, each with a text of its own.

Forsyth and Edwards' notation, as in the PGN standard; rights to castle as in X-FEN (R. Scharnagl),
where a rook that has another one beyond it is called by its file.

At the end is repetition: positions that recur, found by the moves since the last irreversible one.
A move is the cell that a piece leaves, plus 64 times the cell where it goes, plus 4096 times its
kind, 0 to 7; sides move in turn, and nothing is captured. Taking such moves back one by one shows
whether the position occurred before, without hashing. `past`, uint16[any], holds `kept` of them.

>>> import numpy as np
>>> from dragon.boards.algebraic import Algebraic
>>> board = Algebraic(5, 5, {"white": "PRK", "black": "prk"}, sides={"w": "PRK", "b": "prk"},
...                   naming="chess", tail=(Castling("rights"), Number("clock", 99)))
>>> s = np.zeros(1, [*board.layout, ("rights", "u8"), ("clock", "i8")]).view(np.recarray)[0]
>>> board.parse(s, "r2k1/5/PP3/5/3KR b Kq 12")
>>> board.position_text(s), int(s.rights) == 1 << 24 | 1
('r2k1/5/PP3/5/3KR b Kq 12', True)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from attrs import frozen

from dragon import bits
from dragon.rules.rules import rule


class Field(Protocol):
    """A field of the record in the text of a position on a board."""

    def text(self, board: Any, s: Any) -> str:
        """The text of the field in the record `s`."""

    def read(self, board: Any, s: Any, word: str) -> None:
        """Write the field, which is zero, from its text; raise ValueError.

        For the last field, `word` is all the rest of the text.
        """


def _number(word: str, name: str) -> int:
    if not re.fullmatch("[0-9]{1,6}", word):
        raise ValueError(f"{word!r} is not a number ({name})")
    return int(word)


@frozen
class Number:
    """A number; greater ones count as `most`."""

    name: str
    most: int

    def text(self, board: Any, s: Any) -> str:
        return str(s[self.name])

    def read(self, board: Any, s: Any, word: str) -> None:
        s[self.name] = min(_number(word, self.name), self.most)


@frozen
class Rounds:
    """The number of the move of each side, from 1 on, where the board's `mover` counts plies."""

    def text(self, board: Any, s: Any) -> str:
        return str(s[board.mover] // len(board.sides) + 1)

    def read(self, board: Any, s: Any, word: str) -> None:
        s[board.mover] += max(0, _number(word, "rounds") - 1) * len(board.sides)


@frozen
class Cell:
    """A cell by its name, kept as its bit; `-` for zero."""

    name: str

    def text(self, board: Any, s: Any) -> str:
        return board.vocabulary[s[self.name]] if s[self.name] else "-"

    def read(self, board: Any, s: Any, word: str) -> None:
        names = ["-", *board.vocabulary[: board.span]]
        if word not in names:
            raise ValueError(f"{word!r} is not a cell ({self.name})")
        s[self.name] = max(0, names.index(word) - 1)


@frozen
class Castling:
    """A set of the rooks with which their king may still castle, on the first row and the last.

    `K` and `Q` are the outermost to the right and to the left of the king; small letters are those
    of the second side, above.
    """

    name: str
    king: str = "K"
    rook: str = "R"

    def _wings(self, board: Any, s: Any) -> Iterator[tuple[str, int, tuple[int, bool]]]:
        """Yield the letters that a rook may have, first the one that is written; its bit; its
        wing."""
        first, *_ = sides = [*board.sides.values()]
        rows = board.board(s)
        for row, letters in zip((board.rows - 1, 0), sides, strict=True):
            line = "".join(rows[row])
            king, rook = (letters[first.index(kind)] for kind in (self.king, self.rook))
            rooks = [at for at in range(board.columns) if line[at] == rook and king in line]
            for at in reversed(rooks):
                right = at > line.index(king)
                outer = at == (line.rindex(rook) if right else line.index(rook))
                for letter in [*(["Q", "K"][right] if outer else ""), chr(65 + at)]:
                    wing = letter if row else letter.lower()
                    yield wing, board.bits[row, at], (row, right)

    def text(self, board: Any, s: Any) -> str:
        written: dict[int, str] = {}
        for letter, bit, _ in self._wings(board, s):
            written.setdefault(bit, letter)
        held = int(s[self.name])
        return "".join(letter for bit, letter in written.items() if held >> bit & 1) or "-"

    def read(self, board: Any, s: Any, word: str) -> None:
        known = {letter: (wing, bit) for letter, bit, wing in self._wings(board, s)}
        found = {}
        for letter in "" if word == "-" else word:
            wing, bit = known.get(letter, (None, 0))
            if wing is None or wing in found:
                raise ValueError(f"{letter!r} needs its king and its rook at home")
            found[wing] = 1 << bit
        s[self.name] = sum(found.values())


@frozen
class Past:
    """The moves since the last that cannot be taken back (`repeated`).

    They are written behind the word `after`; the text is empty where there are none.
    """

    name: str
    kept: str
    kinds: str
    """The first side's letters of kinds 0 to 7; a space for those that cannot be taken back."""

    def text(self, board: Any, s: Any) -> str:
        return past_text(s[self.name][: s[self.kept]], board.vocabulary).strip()

    def read(self, board: Any, s: Any, word: str) -> None:
        after, *moves = word.split()
        if after != "after" or len(moves) > len(s[self.name]):
            raise ValueError(f"{word!r:.80} is not `after` and up to {len(s[self.name])} moves")
        first, *_ = sides = [*board.sides.values()]
        kinds = [
            "".join(letters[first.index(kind)] if kind in first else " " for kind in self.kinds)
            for letters in sides
        ]
        seat, names = int(s[board.mover]) % len(sides), board.vocabulary[: board.span]
        rows, held = board.board(s), [" "] * board.span
        for (row, column), bit in board.bits.items():
            held[bit] = rows[row][column]
        cells = {name: at for at, name in enumerate(names)}
        found = read_past(moves, cells, held, (kinds[1 - seat], kinds[seat]))
        s[self.name][: len(found)] = found
        s[self.kept] = len(found)


@rule
def repeated(past: Any, kept: Any) -> bool:
    """Return True if the position occurs for the third time."""
    if kept < 8:
        return False
    for back in (1, 2):  # what each side moved last was there before, and so has left since
        last, left = past[kept - back], False
        for move in past[:kept]:
            left |= move & 0x703F == last >> 6 & 63 | last & 0x7000
        if not left:
            return False
    away = np.zeros(16, np.uint64)  # of each kind of each side, where it differs from now
    differing, times = 0, 1
    for back in range(1, kept + 1):
        move = past[kept - back]
        each = 8 * (back & 1) + (move >> 12)
        differing -= int(away[each] != 0)
        away[each] ^= bits.bit(move & 63) | bits.bit(move >> 6 & 63)
        differing += int(away[each] != 0)
        times += int(differing == 0 and back % 2 == 0)
    return times >= 3


def past_text(past: Sequence[Any], names: Sequence[str]) -> str:
    """` after g1f3 g8f6`, or nothing without any; names: of cells by their bits."""
    moves = [names[move & 63] + names[move >> 6 & 63] for move in map(int, past)]
    return " ".join([" after", *moves]) if moves else ""


def read_past(
    moves: Sequence[str], bits: dict[str, int], letters: Sequence[str], kinds: Sequence[str]
) -> list[int]:
    """Return the moves behind `after`; raise ValueError for one that cannot be taken back.

    bits: the bits of cells, by their names; letters: the letter on each cell now, `.` for none;
    kinds: the letters of kinds 0 to 7, of the side that has moved and of the other, with a space
    for those that cannot be taken back.
    """
    board, found = [*letters], []
    for n, move in enumerate(reversed(moves)):
        cells = re.fullmatch(r"([a-z]\d{1,2})([a-z]\d{1,2})", move)
        if cells is None or not {*cells.groups()} <= {*bits}:
            raise ValueError(f"{move!r} is not from a cell to a cell")
        at, to = (bits[cell] for cell in cells.groups())
        if board[to] not in kinds[n % 2] or board[at] != ".":
            raise ValueError(f"{move} cannot be taken back")
        found.append(at | to << 6 | kinds[n % 2].index(board[to]) << 12)
        board[at], board[to] = board[to], "."
    return found[::-1]
