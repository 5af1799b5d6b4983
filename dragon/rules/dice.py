"""Dice: rolls of two as moves of chance; a roll's code is `first + 6 * lesser + greater - 7`."""

from __future__ import annotations

from itertools import product
from typing import Any

from dragon.rules.rules import rule


def roll_words(first: int) -> dict[str, int]:
    """The codes of rolls by their texts, of which that with the greater number first comes first.

    >>> [text for text, code in roll_words(100).items() if code == 101]
    ['roll2-1', 'roll1-2']
    """
    pairs = [(high, low) for high, low in product(range(6), repeat=2) if high >= low]
    texts = {f"roll{high + 1}-{low + 1}": first + 6 * low + high for high, low in pairs}
    return texts | {f"roll{low + 1}-{high + 1}": first + 6 * low + high for high, low in pairs}


@rule
def rolls(out: Any, first: int, doubles: bool) -> int:
    """Write the codes of all rolls, with doubles or without, and return how many there are."""
    n = 0
    for low in range(6):
        for high in range(low if doubles else low + 1, 6):
            out[n] = first + 6 * low + high
            n += 1
    return n


@rule
def roll_odds(out: Any, doubles: bool) -> None:
    """Write the odds of all rolls: a double comes once where another roll comes twice."""
    n = 0
    for low in range(6):
        for high in range(low if doubles else low + 1, 6):
            out[n] = (1 if low == high else 2) / (36 if doubles else 30)
            n += 1


@rule
def add_roll(dice: Any, number: int) -> None:
    """Count the dice of a roll, those of a double twice, since they are played twice.

    number: the code of the roll, less that of the first roll.

    >>> dice = [0] * 6
    >>> add_roll(dice, 6 * 0 + 3), add_roll(dice, 6 * 5 + 5), dice
    (None, None, [1, 0, 0, 1, 0, 4])
    """
    low, high = number // 6, number % 6
    dice[low] += 1 + int(low == high)
    dice[high] += 1 + int(low == high)
