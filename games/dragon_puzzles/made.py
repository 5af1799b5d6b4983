"""The moves made: their cost, and their number in the text of a position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dragon import rule
from dragon.rules.notation import read_fields


def priced(most: int) -> dict[str, Any]:
    """Return the rules `payoff`, `banked` and `bounds` if each of `most` moves costs 1.

    The record's fields are `made`, and `left`: a lower bound on the moves needed, 0 at the goal
    alone. A game that does not reach the goal costs one more than `most`.
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
    """Return the text after the board, with a space before it: ` made=7`, empty for 0 moves."""
    return f" made={s.made}" if s.made else ""


def read_made(s: Any, words: Sequence[str], most: int, text: str) -> None:
    """Read the text of `made_text`; raise BadNotation for more than `most` moves, or below 0.

    words: those after the board; text: the whole position, for the error.
    """
    s.made = 0
    read_fields(s, ("made",), words, text, {"made": most})
