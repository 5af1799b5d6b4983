"""A notation for games whose positions are written as the moves that led to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dragon.core import CHANCE, TERMINAL
from dragon.errors import BadNotation
from dragon.rules.notation import BaseNotation, escape

UNSEEN, NOTHING = "?", "-"
"""The text of a hidden move, and of the position before the first move."""
COVERED = 'class="f-blue s-blue-edge" fill="#3069ad" stroke="#173f6e"'
"""The appearance of a hidden card, by materials of `dragon.boards.material`;"""
DEALT = 'class="f-sheet s-faint" fill="#fdfbf4" stroke="#7d7161"'
"""that of chance's other moves;"""
SEATS = tuple(
    f'class="f-{name} s-faint" fill="{fill}" stroke="#7d7161"'
    for name, fill in (("p5", "#e3dcb5"), ("p1", "#b5cce3"), ("p3", "#b5e3bc"), ("p4", "#e3b5bc"))
)
"""that of the seats' moves."""


class History(BaseNotation):
    """`Ks ? call raise`: each move by its word, `?` for a hidden one, `-` if there is none.

    The record keeps the codes of all moves in the field `line`, and their number in `made`; the
    rule `hide` replaces hidden codes by `unseen`, or by one of several codes that tell a part of
    it. A picture has a row for each seat, and one for chance.
    """

    def __init__(
        self,
        words: Mapping[int, str],
        rules: tuple[Callable[..., Any], ...],
        unseen: int | Mapping[int, str],
        seats: Sequence[str],
    ) -> None:
        """words: the text of each move by its code; rules: `turn`, `moves`, `play`, `hide`; unseen:
        the code of a move that is not seen, or the text of each such code."""
        self.unseen = {unseen: UNSEEN} if isinstance(unseen, int) else dict(unseen)
        self.words, self._seats = dict(words), tuple(seats)
        self.codes = {text: code for code, text in words.items()}
        self._covered = {text: code for code, text in self.unseen.items()}
        self._turn, self._moves, self._play, self._hide = rules

    @property
    def seat_letters(self) -> Sequence[str]:
        return self._seats

    def texts(self) -> Mapping[int, str]:
        """The text of each move by its code."""
        return self.words

    def move_text(self, s: Any, code: int) -> str:
        return self.unseen.get(code) or self.words[code]

    def move_code(self, s: Any, text: str) -> int:
        """The code of a word; raises BadNotation."""
        if text not in self.codes:
            known = " ".join(list(self.codes)[:20]) + (" ..." if len(self.codes) > 20 else "")
            raise BadNotation(f"{text!r} is not a move; write one of {known}")
        return self.codes[text]

    def position_text(self, s: Any) -> str:
        """The moves so far."""
        return " ".join(self.move_text(s, code) for code in _line(s)) or NOTHING

    def flaw(self, s: Any) -> str | None:
        """Return a sentence if a seat does not see some of the moves."""
        unseen = any(code in self.unseen for code in _line(s))
        return "not all of its moves are seen" if unseen else None

    def parse(self, s: Any, text: str) -> None:
        """Play the moves of a text; raises BadNotation."""
        words = text.split()
        out = [0] * max(len(self.words), 1)
        for number, word in enumerate(words if words != [NOTHING] else (), 1):
            before = " ".join(words[: number - 1]) or "the start"
            if self._turn(s) == TERMINAL:
                raise BadNotation(f"{word!r} in {text!r} comes after the end of the game")
            code = self._covered.get(word)
            if code is None:
                code = self.move_code(s, word)
                legal = out[: int(self._moves(s, out))]
                if code not in legal:
                    may = " ".join(self.words[each] for each in legal)
                    raise BadNotation(f"{word!r} is not possible after {before}; it may be {may}")
            self._play(s, code)
        if self.flaw(s) and not any(self._is_view(s, seat) for seat in range(len(self._seats))):
            raise BadNotation(
                f"in {text!r} a move is {UNSEEN} that each seat sees; write what one of them sees"
            )

    def _is_view(self, s: Any, seat: int) -> bool:
        """Return True if these moves, with the hidden ones, are the view of a seat."""
        given, known, before = _line(s), s.copy(), _blank(s)
        for at, code in enumerate(given):
            if code in self.unseen:
                legal = [0] * len(self.words)
                del legal[int(self._moves(before, legal)) :]
                fits = (each for each in legal if self._hidden(s, at, each, seat) == code)
                if (fitting := next(fits, None)) is None:
                    return False
                known.line[at] = fitting
            self._play(before, code)
        self._hide(known, seat)
        return _line(known) == given

    def _hidden(self, s: Any, at: int, code: int, seat: int) -> int:
        """Return the code that a seat sees in the place of a move."""
        known = s.copy()
        known.line[at] = code
        self._hide(known, seat)
        return int(known.line[at])

    def _rows(self, s: Any) -> list[tuple[str, list[str]]]:
        """Return the rows of a picture: a name, and the texts of the moves made there, or none."""
        again, movers, line = _blank(s), list[int](), _line(s)
        for code in line:
            movers.append(int(self._turn(again)))
            self._play(again, code)
        rows = [*enumerate(self._seats), *([(CHANCE, "chance")] if CHANCE in movers else [])]
        return [
            (name, [self.move_text(s, code) if mover == row else ""
                    for mover, code in zip(movers, line, strict=True)])
            for row, name in sorted(rows)
        ]  # fmt: skip

    def picture(self, s: Any) -> str:
        """The moves in a row for each seat, and one for chance."""
        rows = self._rows(s)
        texts = [text for _, text in rows]
        widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
        first = max(len(name) for name, _ in rows)
        return "\n".join(
            " ".join([name.ljust(first), *map(str.ljust, row, widths)]).rstrip()
            for name, row in rows
        )

    def svg(self, s: Any) -> str:
        """Draw these rows, with a card for each move; the drawing is at least eight cards wide."""
        rows, x, parts = self._rows(s), 104, list[str]()
        ordinals, dealt = ("first", "second", "third", "fourth"), self._dealt()
        cards = list[tuple[int, int, str, str, str]]()
        for code, column in zip(_line(s), zip(*(row for _, row in rows), strict=True), strict=True):
            text = self.move_text(s, code)
            k = column.index(text)
            looks = (DEALT, *SEATS) if rows[0][0] == "chance" else SEATS
            look, ink = looks[k], 'class="f-ink" fill="#39332c"'
            if code in self.unseen:
                look, ink = COVERED, 'class="f-ivory" fill="#f8f3e6"'
            said = text.removeprefix(dealt) if looks[k] == DEALT else text
            cards.append((x, k, said, look, ink))
            x += self._wide(said) + 6
        width = max(x + 8, 420)
        height = max(36 * len(rows) + 20, 0.42 * width)
        step = (height - 20) / len(rows)
        for k, (name, _) in enumerate(rows):
            if name == "chance":
                name = dealt or "deal"
            elif name in ordinals:  # the name on pages of a seat without one
                name = f"player {ordinals.index(name) + 1}"
            y = 10 + step * (k + 0.5)
            parts.append(f'<text x="18" y="{y + 5:g}">{escape(name[:1].upper() + name[1:])}</text>')
            if k:
                line = f'x1="12" x2="{width - 12}" y1="{10 + step * k:g}" y2="{10 + step * k:g}"'
                parts.append(f'<line {line} class="s-felt-edge" stroke="#2b604a"/>')
        for x, k, said, look, ink in cards:
            wide, y = self._wide(said), 10 + step * (k + 0.5)
            parts.append(
                f'<rect x="{x + 1}" y="{y - 18.5:g}" width="{wide}" height="40" rx="5" '
                'fill-opacity=".25"/>'
                f'<rect x="{x}" y="{y - 20:g}" width="{wide}" height="40" rx="5" {look}/>'
                f'<text x="{x + wide / 2:g}" y="{y + 5.5:g}" {ink} text-anchor="middle" '
                f'font-weight="600">{escape(said)}</text>'
            )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" '
            'font-family="sans-serif" font-size="15" class="f-inlay" fill="#f4e6ca">'
            f'<rect x="2" y="2" width="{width - 4}" height="{height - 4:g}" rx="8" '
            'stroke-width="4" class="f-felt s-walnut" fill="#3c7d60" stroke="#7a5235"/>'
            f"{''.join(parts)}</svg>"
        )

    @staticmethod
    def _wide(said: str) -> int:
        """Return the width of a card by its text; a card for one or two signs is higher than
        wide."""
        return max(28, 14 + 9 * len(said))

    def _dealt(self) -> str:
        """Return the word with which all moves of chance begin that end in a digit: `roll`."""
        found = {text.rstrip("0123456789") for text in self.words.values() if text[-1:].isdecimal()}
        words = {text for text in found if text.isalpha() and len(text) > 2}
        return words.pop() if len(words) == 1 else ""


def _line(s: Any) -> list[int]:
    """Return the codes of the moves so far."""
    return [int(code) for code in s.line[: int(s.made)]]


def _blank(s: Any) -> Any:
    """Return a record of zeros."""
    blank = s.copy()
    for field in blank.dtype.names:
        blank[field] = 0
    return blank
