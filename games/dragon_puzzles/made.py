"""How many moves have been made, in the text of a position: `made=7`, left out where it is 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dragon import BadNotation
from dragon.rules.notation import read_fields


def made_text(s: Any) -> str:
    """What stands behind the board, with a space before it."""
    return f" made={s.made}" if s.made else ""


def read_made(s: Any, words: Sequence[str], most: int, text: str) -> None:
    """The inverse; raises BadNotation for more moves than one may make, or fewer than none.

    words: what stands behind the board; text: the whole position, for the error.
    """
    s.made = 0
    read_fields(s, ("made",), words, text)
    if not 0 <= s.made <= most:
        raise BadNotation(f"{text!r} cannot arise; made is from 0 to {most}, the most one may make")
