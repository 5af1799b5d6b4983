"""Notation: the text of moves and positions, as a protocol and as the base of every notation.

A game on a rectangular board needs no code of its own: `Grid` and `Board` write, read and draw it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from dragon.core import State
from dragon.errors import AmbiguousMove, BadNotation, IllegalMove, PluginError

if TYPE_CHECKING:
    from dragon.core.offers import Part, Sum


def escape(text: str) -> str:
    """Return text with the characters of XML escaped; importing the standard function takes 15 ms.

    >>> escape("a < b & c")
    'a &lt; b &amp; c'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def parse_move(state: State[Any], text: str) -> Any:
    """Return the legal move written as `text`, in any spelling that the notation reads.

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
    """Text for the moves and positions of a record `s`; by default moves are their numbers."""

    def move_text(self, s: Any, code: int) -> str:
        return str(code)

    def move_code(self, s: Any, text: str) -> int:
        """The code of a move; raises BadNotation, or IllegalMove if the text is a move that is not
        legal here."""
        if not re.fullmatch(r"-?\d{1,18}", text):
            raise BadNotation(f"{text!r} is not a move; write a whole number")
        return int(text)

    def objection(self, s: Any, code: int, text: str, position: str) -> str:
        """Say why a well-written move is not legal here."""
        return f"{text} is not a legal move in {position}"

    def position_text(self, s: Any) -> str:
        """The position on one line; by default every field by name."""
        return " ".join(fields_text(s, s.dtype.names))

    def parse(self, s: Any, text: str) -> None:
        """Fill a record from a position's text; raises BadNotation.

        The record is the game's first: zeros, then what `setup` wrote. So a notation decides
        whether a field that the text does not mention is set to zero or keeps what `setup` wrote;
        by default it keeps it.
        """
        read_fields(s, s.dtype.names, text.split(), text, {})

    def picture(self, s: Any) -> str:
        """The position drawn in text; by default its text."""
        return self.position_text(s)

    def signed(self, s: Any) -> str:
        """The picture for a terminal, where letters may be replaced by symbols; by default the
        same."""
        return self.picture(s)

    def svg(self, s: Any) -> str:
        """The position drawn as SVG; by default the picture's lines, set in one."""
        return text_svg(self.picture(s))


class BaseNotation(Notation):
    """The base of every notation: moves by number, positions by the fields of the record.

    Everything else has a default too; docstrings say what uses it.
    """

    def flaw(self, s: Any) -> str | None:
        """Say why a record is not a position; None, as by default, where it may be one.

        It is given the record that `setup` makes, where its text does not read back as it. Used by
        `rules_of`.
        """
        return None

    @property
    def seat_names(self) -> Sequence[str]:
        """The colours in which the stones of each seat are drawn; empty by default.

        Used by the Play page, and instead of `seat_letters` where these are empty.
        """
        return ()

    @property
    def seat_letters(self) -> Sequence[str]:
        """The letters of seats in a position's text; empty by default.

        Used by `dragon play`, `solve` and `prove`, before `seat_names`.
        """
        return ()

    def clicks(self, move: str) -> Sequence[Sequence[str]] | None:
        """The orders in which the cells of a move may be clicked, `[()]` where none need be; None,
        as by default: one cell, which has the move's text as its name.

        Used by the Play and Analyse pages, through `dragon.boards.clicks`.
        """
        return None

    def pointed(self, s: Any, code: int) -> tuple[str, ...] | None:
        """The cells of a legal move of the record `s`, in the order in which they are clicked.

        None, as by default, where the text names them all, as `Nf3` does not.

        Used by the Play page, through `dragon.boards.clicks`.
        """
        return None

    def coordinates(self, s: Any, code: int) -> str | None:
        """A legal move of the record `s` by its cells, such as `e2e4` and `b7b8q`; None, as by
        default, where that is the move's text.

        Used by the bridges to other programs, `dragon uci` among them.
        """
        return None

    @property
    def cells(self) -> Any:
        """A `Grid` or `Board` of the record's stones, by which a game with its own notation is
        drawn; None by default.

        Used by `dragon publish`, whose pages draw boards by tables.
        """
        return None

    def drawing(self) -> Sequence[Part] | None:
        """The parts of an SVG that is the same in each position, except for numbers of the record;
        None by default.

        Used by `dragon publish`.
        """
        return None

    def scores(self, s: Any) -> Sequence[Sum]:
        """The score of each seat as a sum of numbers of the record `s`, shown beside its name;
        empty by default.

        Used by the Play and Analyse pages, and `dragon publish`.
        """
        return ()

    def texts(self) -> Mapping[int, str] | None:
        """The text of each move by its code, the same for all seats and in all positions; None, as
        by default, where that is not known before.

        Used by `dragon publish`, which otherwise collects moves from random games.
        """
        return None

    @property
    def vocabulary(self) -> Sequence[str]:
        """The words of moves that the rule `spell` writes, names of cells among them; empty for
        numbers that are not words.

        Used by `dragon publish`.
        """
        return ()

    @property
    def spell(self) -> Callable[..., int] | None:
        """The rule `spell(s, code, way, out)`, for more moves than a table can hold, or texts that
        depend on the position. It writes the numbers of a move's words into `out`, and returns how
        many: those of its text for way 0, of the cells in the order in which they may be clicked
        for way 1, 2 and so on; -1 where there are no more ways. None by default.

        Used by `dragon publish`.
        """
        return None


def text_svg(text: str) -> str:
    """Return lines of text as an SVG."""
    lines = text.splitlines()
    height, width = 20 * len(lines) + 10, 10 * max(map(len, lines), default=1) + 20
    rows = (
        f'<text x="10" y="{20 * (i + 1)}" font-family="monospace" xml:space="preserve">'
        f"{escape(line)}</text>"
        for i, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        f'<rect width="{width}" height="{height}" rx="4" class="f-sheet" fill="#fdfbf4"/>'
        f'<g class="f-ink" fill="#39332c">{"".join(rows)}</g></svg>'
    )


def fields_text(s: Any, names: Sequence[str]) -> list[str]:
    """Each of these fields of a record as `name=number` or, of an array, `name=number,number`.

    Floats are written with as many digits as it takes to read them back.
    """
    if within := [name for name in names if s.dtype[name].base.names]:
        raise PluginError(
            f"the field {within[0]!r} is a record, which a position's text cannot hold; give the "
            "game a notation that writes it"
        )
    return [f"{name}={','.join(map(_number_text, s[name].flat))}" for name in names]


def _number_text(value: Any) -> str:
    return repr(float(value)) if value.dtype.kind == "f" else str(int(value))


def read_fields(
    s: Any, names: Sequence[str], words: Sequence[str], text: str, limits: Mapping[str, int]
) -> None:
    """Write fields into a record from words as `fields_text` makes them; raises BadNotation.

    names: of the fields that may be written; text: of which the words are part, for the error;
    limits: the most that the numbers of some fields may be, 0 being the least.
    """
    import numpy as np

    read_so_far = set[str]()
    for word in words:
        name, sign, value = word.partition("=")
        if name in read_so_far:
            raise BadNotation(f"{word!r} in {text!r} gives {name} a second time; leave one out")
        read_so_far.add(name)
        if not sign or name not in names:
            fields = ", ".join(names) or "none"
            raise BadNotation(f"{word!r} in {text!r} is not field=number (fields: {fields})")
        shape = s[name].shape
        try:
            if not value.isascii() or "_" in value:  # which `str.isdigit` accepts, too
                raise ValueError("not a number")
            read = float if s.dtype[name].base.kind == "f" else int
            numbers = [read(v) for v in value.split(",")]
            s[name] = np.array(numbers, object).reshape(shape) if shape else read(value)
            if name in limits and not 0 <= min(numbers) <= max(numbers) <= limits[name]:
                raise ValueError(f"{name} is from 0 to {limits[name]}")
        except (ValueError, OverflowError) as wrong:
            raise BadNotation(f"{word!r} in {text!r}: {wrong}") from wrong
