"""Moves that have been made: what they cost, and how many they are in the text of a position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dragon import rule
from dragon.rules.notation import read_fields


def priced(most: int) -> dict[str, Any]:
    """The rules `payoff`, `banked` and `bounds` where each of `most` moves costs 1.

    The record's fields are `made`, and `left`: how many are still needed at least, 0 at the goal
    alone. Who does not come to it pays one more than `most`.
    """

    @rule
    def payoff(s: Any, seat: int) -> Any:
        return -s.made if s.left == 0 else -most - 1

    @rule
    def banked(s: Any) -> Any:
        return -s.made

    @rule
    def bounds(s: Any) -> Any:
        return -most - 1, -min(s.made + s.left, most + 1)

    return {"payoff": payoff, "banked": banked, "bounds": bounds}


def made_text(s: Any) -> str:
    """What stands behind the board, with a space before it: `made=7`, or nothing for none."""
    return f" made={s.made}" if s.made else ""


def read_made(s: Any, words: Sequence[str], most: int, text: str) -> None:
    """The inverse; raises BadNotation for more moves than one may make, or fewer than none.

    words: what stands behind the board; text: the whole position, for the error.
    """
    s.made = 0
    read_fields(s, ("made",), words, text, {"made": most})
