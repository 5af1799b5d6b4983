"""Algebraic notation: moves as books of chess write them, and positions as a FEN has them.

After the PGN standard (S. J. Edwards 1994), for any pieces on any board; rights to castle as in
X-FEN (R. Scharnagl), where a rook that has another one beyond it is called by its file.

The fields behind the side to move are fields of the record. Repetition is found by the moves since
the last irreversible one: the cell that a piece leaves, plus 64 times the cell where it goes, plus
4096 times its kind, 0 to 7. Taking them back one by one shows whether the position occurred before,
without hashing. `past`, uint16[any], holds `kept` of them.

>>> board = Algebraic(5, 5, {"white": "PRK", "black": "prk"}, sides={"w": "PRK", "b": "prk"},
...                   naming="chess", tail=(Castling("rights"), Number("clock", 99)))
>>> s = np.zeros(1, [*board.layout, ("rights", "u8"), ("clock", "i8")]).view(np.recarray)[0]
>>> board.parse(s, "r2k1/5/PP3/5/3KR b Kq 12")
>>> board.position_text(s), int(s.rights) == 1 << 24 | 1
('r2k1/5/PP3/5/3KR b Kq 12', True)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cached_property, lru_cache
from typing import Any, Protocol

import numpy as np
from attrs import field, frozen

from dragon import bits
from dragon.boards.board import Board
from dragon.boards.cells import EMPTY
from dragon.core import TERMINAL
from dragon.errors import AmbiguousMove, BadNotation, IllegalMove, PluginError
from dragon.rules.record import RecordGame, RecordState
from dragon.rules.rules import rule

SIGNS = re.compile("[-x=+#!?]")
"""Signs in a move that only help its readers."""


class Field(Protocol):
    """A field of the record in the text of a position on a board."""

    def text(self, board: Any, s: Any) -> str:
        """The text of the field in the record `s`."""

    def read(self, board: Any, s: Any, word: str) -> None:
        """Write the field, which is zero, from its text, the last from all the rest; raise
        ValueError."""


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
        """Yield the letters that a rook may have, the one that is written first; its bit; wing."""
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
    """The moves since the last that cannot be taken back, behind the word `after`, if any."""

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
        cells = dict(zip(names, range(len(names)), strict=True))
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

    bits: those of cells by name; letters: that on each cell now, `.` for none; kinds: the letters
    of kinds 0 to 7, a space if it cannot go back, of the side that has moved and of the other.
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


@frozen(eq=False)
class _Seen:
    """The legal moves of a position, computed once for all moves that are written."""

    state: RecordState
    moves: Mapping[int, tuple[int, int, int]]
    """The parts of each legal move by its code, as `split` returns them."""


@lru_cache(maxsize=8)
def _seen(game: RecordGame, data: bytes) -> _Seen:
    state = RecordState(game, data)
    board: Any = state.rules.notation
    codes = () if isinstance(moves := state.moves(), tuple) else moves.codes.tolist()
    return _Seen(state, {c: board.parts(state.view, c) for c in codes})


@frozen
class Algebraic(Board):
    """A Board whose moves are written as `Nf3`, `exd5`, `Nbd2` and `b8=Q+`.

    A piece has the letter that its kind has on the first side. The cell that it leaves is written
    as far as the move would be ambiguous, with `x` for a capture, `+` for a check, `#` for a move
    that wins. A text with more or less than that is read if it fits one legal move, and so is one
    with both cells.

    A position has numbers for empty cells, `r3k/5/PPPPP/5/R3K w`, and what `tail` adds.
    """

    moving: bool = True
    game: Any = field(default=None, kw_only=True)
    """The game, whose legal moves decide how much a text must contain."""
    pawns: str = field(default="", kw_only=True)
    """Letters of the first side that are left out of moves; a capture has the file instead."""
    names: tuple[str, ...] = field(default=(), kw_only=True)
    """Moves that have names, `("O-O", "O-O-O")`; they replace `words`."""
    split: Callable[..., Any] | None = field(default=None, kw_only=True)
    """The rule `split(s, code)`: the bits from which and to which a move leads, and 0 or the number
    of its suffix: first `promotions`, from 1 on, then `names`. From and to are the same where
    nothing is to be pointed at. If None, codes are those of `Board`."""
    checked: Callable[[Any], Any] | None = field(default=None, kw_only=True)
    """True if the side to move is in check."""
    tail: tuple[Field, ...] = field(default=(), kw_only=True)
    """The fields in a position's text behind the side to move, in this order; if empty, fields by
    name, as in `Board`."""

    def __attrs_post_init__(self) -> None:
        Board.__attrs_post_init__(self)
        letters = [*self.sides.values()]
        if self.words or not "".join(letters).isalpha() or len({*map(len, letters)}) != 1:
            raise PluginError(
                f"the sides of a board are {dict(self.sides)!r}, its words {dict(self.words)!r}; "
                "for algebraic notation write as many letters for each side, no digits, and "
                "`names` for words"
            )

    @cached_property
    def _kinds(self) -> dict[str, str]:
        """The letter in moves of each letter of a board: of the first side, nothing for pawns."""
        first, *_ = every = [*self.sides.values()]
        shown = ["" if letter in self.pawns else letter for letter in first]
        return {own: kind for side in every for own, kind in zip(side, shown, strict=True)}

    @cached_property
    def _split(self) -> Callable[..., Any]:
        span = self.span

        @rule
        def split(s: Any, code: Any) -> Any:
            return code // span % span, code % span, code // (span * span)

        return self.split or split

    # ---- moves ---------------------------------------------------------------------------------

    def kind(self, s: Any, bit: int) -> str:
        """The letter in moves of the piece at a cell."""
        letter = self.letter(s, bit)
        return self._kinds.get(letter, letter)

    def parts(self, s: Any, code: int) -> tuple[int, int, int]:
        """Return the parts of a move code, as `split` does."""
        at, to, number = map(int, self._split(s, code))
        return at, to, number

    def _pieces(self, s: Any) -> int:
        return sum(int(held).bit_count() for name in self.stones for held in s[name].flat)

    def _behind(self, number: int) -> tuple[str, str]:
        """The letter of a promotion, or the name of a move, by its number."""
        most = len(self.promotions)
        return (
            self.promotions[number - 1 : number] if 0 < number <= most else "",
            self.names[number - most - 1] if number > most else "",
        )

    def move_text(self, s: Any, code: int) -> str:
        """The move in algebraic notation, such as `Nf3` or `exd8=Q+`."""
        seen, (at, to, number) = _seen(self.game, s.tobytes()), self.parts(s, code)
        after, (letter, name) = seen.state.play(code), self._behind(number)
        won = after.turn == TERMINAL and after.payoff()[seen.state.turn] > 0
        sign = "#" if won else "+" if self.checked and self.checked(after.view) else ""
        if name:
            return name + sign
        kind, captures = self.kind(s, at), self._pieces(after.view) < self._pieces(s)
        alike = {
            self._names[other]
            for other, *rest in seen.moves.values()
            if other != at and rest == [to, number] and self.kind(s, other) == kind
        }
        file, rank = self._names[at][0], self._names[at][1:]
        origin = file if alike or (captures and not kind) else ""
        if any(other[0] == file for other in alike):
            origin = rank if all(other[1:] != rank for other in alike) else file + rank
        taken, last = "x" if captures else "", f"={letter.upper()}" if letter else ""
        return kind + origin + taken + self._names[to] + last + sign

    def spellings(self, s: Any, code: int) -> Set[str]:
        """Return all texts of a move, without the signs."""
        seen, (at, to, number) = _seen(self.game, s.tobytes()), self.parts(s, code)
        (letter, name), cell = self._behind(number), self._names[at]
        if name:
            return {SIGNS.sub("", name), cell + self._names[to]}
        kind = self.kind(s, at)
        origins = {cell, *(kind + part for part in ("", cell[0], cell[1:], cell))}
        if not kind and self._pieces(seen.state.play(code).view) < self._pieces(s):
            origins = {cell, cell[0]}
        lasts = {letter, letter.upper()}
        return {origin + self._names[to] + last for origin in origins for last in lasts}

    @cached_property
    def _form(self) -> re.Pattern[str]:
        """The pattern of all well-formed moves, without the signs."""
        files = "".join({name[0] for name in self._places})
        rank = "|".join(sorted({name[1:] for name in self._places}, reverse=True))
        kinds, lasts = ("|".join({*letters, ""}) for letters in (
            self._kinds.values(), self.promotions.lower() + self.promotions.upper()))  # fmt: skip
        names = "|".join(SIGNS.sub("", name) for name in self.names) or "-"
        return re.compile(f"{names}|({kinds})[{files}]?({rank})?[{files}]({rank})({lasts})")

    def move_code(self, s: Any, text: str) -> int:
        """Return the code of the one legal move that a text fits, in any spelling."""
        plain = SIGNS.sub("", text)
        if not self._form.fullmatch(plain):
            plain = plain.replace("0", "O")
        if not self._form.fullmatch(plain):
            first, *_, last = self._places
            middle = self.name(self.rows // 2, self.columns // 2)
            like = ", ".join([middle, first + last, *self.names])
            raise BadNotation(f"{text!r} is not a move; write one like {like}")
        legal = _seen(self.game, s.tobytes()).moves
        found = [
            code for code, (_, to, number) in legal.items()
            if (self._names[to] in plain or number > len(self.promotions))
            and plain in self.spellings(s, code)
        ]  # fmt: skip
        if not found:
            raise IllegalMove(f"{text} is not legal in {self.position_text(s)}")
        if len(found) > 1:
            fit = ", ".join(self.move_text(s, code) for code in found)
            raise AmbiguousMove(f"{text!r} fits {fit} in {self.position_text(s)}")
        return found[0]

    def coordinates(self, s: Any, code: int) -> str:
        """Return both cells and a promotion, `b7b8q`; of castling, the cells of the king."""
        at, to, number = self.parts(s, code)
        return self._names[at] + self._names[to] + self._behind(number)[0].lower()

    def pointed(self, s: Any, code: int) -> tuple[str, ...]:
        """The cell of a piece, and the one where it goes."""
        at, to, _ = self.parts(s, code)
        return (self._names[at], self._names[to]) if at != to else ()

    def clicks(self, move: str) -> tuple[tuple[str, ...], ...]:
        """Return the cell where a piece goes; the text does not name the one that it leaves."""
        found = re.findall(r"[a-z]\d+", move)
        return (tuple(found[-1:]),)

    @cached_property
    def vocabulary(self) -> list[str]:
        """The words that `spell` writes: cells, promotions and names."""
        cells = [self._names.get(bit, "") for bit in range(self.span)]
        return [*cells, *self.promotions, *self.names]

    @cached_property
    def spell(self) -> Callable[..., int]:
        """The rule that spells moves by their cells (`BaseNotation.spell`)."""
        split, span, most = self._split, self.span, len(self.promotions)

        @rule
        def spell(s: Any, code: Any, way: Any, out: Any) -> int:
            at, to, number = split(s, code)
            out[0], out[1], out[2] = at, to, span + number - 1
            if way > 1:
                return -1
            if at == to:
                out[0] = out[2]
                return 1 - int(way)
            return 3 if 0 < number <= most and way == 0 else 2

        return spell

    # ---- positions -----------------------------------------------------------------------------

    def _written(self, rows: Sequence[str]) -> str:
        return re.sub(r"\.+", lambda empty: str(len(empty[0])), "/".join(rows))

    def _spread(self, board: str) -> str:
        return re.sub("[0-9]{1,3}", lambda n: EMPTY * min(int(n[0]), self.columns + 1), board)

    def position_text(self, s: Any) -> str:
        """Rows from the top, the side to move, and the tail, whose last words need not be read."""
        rows, side, *words = Board.position_text(self, s).split()
        if self.tail:
            words = [*filter(None, (each.text(self, s) for each in self.tail))]
        return " ".join([rows, side, *words])

    def _read(self, s: Any, text: str) -> None:
        words = text.split(None, 1 + len(self.tail)) if self.tail else text.split()
        behind = 2 if self.tail else len(words)
        self._read_words(s, words[:behind], text)
        try:
            for each, word in zip(self.tail, words[behind:], strict=False):
                each.read(self, s, word)
        except ValueError as wrong:
            raise BadNotation(f"{text!r} is not a position: {wrong}") from wrong
