"""Algebraic notation: moves as books of chess write them, and positions as a FEN has them.

After the PGN standard (S. J. Edwards 1994), for any pieces on any board.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set
from functools import cached_property, lru_cache
from typing import Any

from attrs import field, frozen

from dragon.boards.board import Board
from dragon.boards.cells import EMPTY
from dragon.boards.fen import Field
from dragon.core import TERMINAL
from dragon.errors import AmbiguousMove, BadNotation, IllegalMove, PluginError
from dragon.rules.record import RecordGame, RecordState
from dragon.rules.rules import rule

SIGNS = re.compile("[-x=+#!?]")
"""Signs in a move that only help its readers."""


@frozen(eq=False)
class _Seen:
    """The legal moves of a position, computed once, since every move that is written asks for
    them."""

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

    A piece has the letter that its kind has on the first side. As much of the cell that it leaves
    is written as tells the move from others, with `x` for a capture, `+` for a check, `#` for a
    move that wins. A text with more or less than that is read if it fits one legal move, and so is
    one with both cells.

    A position has numbers for empty cells, `r3k/5/PPPPP/5/R3K w`, and what `tail` adds.
    """

    moving: bool = True
    game: Any = field(default=None, kw_only=True)
    """The game, whose legal moves decide how much a text must contain."""
    pawns: str = field(default="", kw_only=True)
    """Letters of the first side that are left out of moves; a capture has the file instead."""
    names: tuple[str, ...] = field(default=(), kw_only=True)
    """Moves that have names, `("O-O", "O-O-O")`; they stand for `words`."""
    split: Callable[..., Any] | None = field(default=None, kw_only=True)
    """The rule `split(s, code)`: from which bit a move leads, to which, and 0 or the number of what
    is written behind: first `promotions`, from 1 on, then `names`. From and to are the same where
    nothing is to be pointed at. If None, codes are those of `Board`."""
    checked: Callable[[Any], Any] | None = field(default=None, kw_only=True)
    """Whether the side to move is in check."""
    tail: tuple[Field, ...] = field(default=(), kw_only=True)
    """The fields in a position's text behind the side to move, in this order (`dragon.boards.fen`);
    if empty, fields by name, as in `Board`."""

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
