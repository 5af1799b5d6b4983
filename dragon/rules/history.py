"""A notation for games whose positions are written as the moves that led to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dragon.core import TERMINAL
from dragon.errors import BadNotation
from dragon.rules.notation import BaseNotation

UNSEEN, NOTHING = "?", "-"
"""The text of a move that is not seen, and of the position before the first move."""


class History(BaseNotation):
    """`Ks ? call raise`: each move by its word, `?` for one that is not seen, `-` for none.

    The record keeps the codes of all moves in the field `line`, and their number in `made`; the
    rule `hide` writes `unseen` in the place of a code.
    """

    def __init__(
        self,
        words: Mapping[int, str],
        rules: tuple[Callable[..., Any], ...],
        unseen: int,
        seats: Sequence[str],
    ) -> None:
        """words: the text of each move by its code; rules: `turn`, `moves`, `play`, `hide`."""
        self.words, self.unseen, self._seats = dict(words), unseen, tuple(seats)
        self.codes = {text: code for code, text in words.items()}
        self._turn, self._moves, self._play, self._hide = rules

    @property
    def seat_letters(self) -> Sequence[str]:
        """The names of the seats."""
        return self._seats

    def texts(self) -> Mapping[int, str]:
        """The text of each move by its code."""
        return self.words

    def move_text(self, s: Any, code: int) -> str:
        """The word of a move."""
        return UNSEEN if code == self.unseen else self.words[code]

    def move_code(self, s: Any, text: str) -> int:
        """The code of a word; raises BadNotation."""
        if text not in self.codes:
            known = " ".join(list(self.codes)[:20]) + (" ..." if len(self.codes) > 20 else "")
            raise BadNotation(f"{text!r} is not a move; write one of {known}")
        return self.codes[text]

    def position_text(self, s: Any) -> str:
        """The moves so far."""
        line = [int(code) for code in s.line[: int(s.made)]]
        return " ".join(self.move_text(s, code) for code in line) or NOTHING

    def parse(self, s: Any, text: str) -> None:
        """Play the moves of a text; raises BadNotation."""
        words = text.split()
        out = [0] * max(len(self.words), 1)
        for number, word in enumerate(words if words != [NOTHING] else (), 1):
            before = " ".join(words[: number - 1]) or "the start"
            if self._turn(s) == TERMINAL:
                raise BadNotation(f"{word!r} in {text!r} comes after the end of the game")
            code = self.unseen if word == UNSEEN else self.move_code(s, word)
            if code != self.unseen:
                legal = out[: int(self._moves(s, out))]
                if code not in legal:
                    may = " ".join(self.words[each] for each in legal)
                    raise BadNotation(f"{word!r} is not possible after {before}; it may be {may}")
            self._play(s, code)
        if UNSEEN in words and not any(self._is_view(s, seat) for seat in range(len(self._seats))):
            raise BadNotation(
                f"in {text!r} a move is {UNSEEN} that each seat sees; write what one of them sees"
            )

    def _is_view(self, s: Any, seat: int) -> bool:
        """Return True if a seat sees all moves but those that are not seen here."""
        given = [int(code) for code in s.line[: int(s.made)]]
        known = s.copy()
        for at, code in enumerate(given):
            known.line[at] = 0 if code == self.unseen else code
        self._hide(known, seat)
        return [int(code) for code in known.line[: len(given)]] == given
