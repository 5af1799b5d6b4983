"""Relative ranks: a number for what the cards of one suit are to each other.

Once a card is played, the next above it and the next below are neighbours. So a suit is a
string of owners, the weakest card first, and equal strings play alike, whatever the ranks.
Where a goal looks at some ranks, those are a string of their own. A suit's six weakest
ranks (in ace-ten order those without worth) and its two strongest have a table each, whose
index has two bits a card (0 nobody, 1 to 3 seats 0 to 2): low digits in `a`, high in `b`,
`a | b << ranks`.

Strings of at most n owners are numbered from 0 without gaps: there are (3**(n + 1) - 1) / 2.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any


def strings(ranks: int) -> int:
    """How many strings of owners there are for at most so many cards."""
    powers: int = 3 ** (ranks + 1)
    return (powers - 1) // 2


def forms(ranks: int, barriers: tuple[int, ...] = ()) -> Any:
    """uint16[4**ranks]: the number of each suit, or part of one; and how many numbers there are.

    No string crosses a barrier, the rank from which a new string begins.
    """
    import numpy as np

    index = np.arange(1 << 2 * ranks)
    number, total = np.zeros(len(index), np.int64), 1
    for low, high in pairwise((0, *barriers, ranks)):
        value, power = digits(ranks, low, high)
        number = number * strings(high - low) + (power.astype(np.int64) - 1) // 2 + value
        total *= strings(high - low)
    return number.astype(np.uint16), total


def digits(ranks: int, low: int = 0, high: int | None = None) -> tuple[Any, Any]:
    """uint16[4**ranks] each: a string as a number to the base 3, and 3 to its length.

    Of the ranks from `low` to below `high`, all of them by default.
    """
    import numpy as np

    index = np.arange(1 << 2 * ranks)
    value, length = np.zeros(len(index), np.int64), np.zeros(len(index), np.int64)
    for rank in range(low, ranks if high is None else high):
        owner = (index >> rank & 1) + 2 * (index >> ranks + rank & 1)
        value += np.where(owner > 0, (owner - 1) * 3**length, 0)
        length += owner > 0
    return value.astype(np.uint16), (3**length).astype(np.uint16)
