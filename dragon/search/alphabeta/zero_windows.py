"""Zero windows: the value of a state by questions "is it at least so much?" alone.

A search whose window holds no value cuts off most, and each answers with a bound, fail soft. Two
ways to choose the next question, by the setting `driver`:

- mtdf: at the last answer (MTD(f); Plaat, Schaeffer, Pijls and de Bruin 1996).
- bisection: in the middle of what is left. Win, draw or loss take two questions at most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import evolve

from dragon.search.alphabeta.settings import Outcome


def by_zero_windows(
    search: Callable[[int, int], Outcome], way: str, guess: int, most: int, sign: int
) -> Outcome:
    """The value, between -most and most, and a move that is worth it to the mover.

    search: of a window, in steps from seat 0's side; sign: 1 where seat 0's team is to move.
    Where the budget ended it, what has been secured, if that is no less than the guess.
    """
    low, high = -most, most
    value = min(max(guess, low), high)
    horizon = False
    line: Sequence[Any] = ()
    while low < high:
        middle = (low + high + 1) // 2 if way == "bisection" else max(value, low + 1)
        outcome = search(middle - 1, middle)
        if not outcome.finished:
            secured = low if sign > 0 else high
            kept = line if sign * (secured - guess) >= 0 else ()
            return evolve(outcome, value=secured if kept else 0, line=kept)
        value = outcome.value
        if value >= middle:
            low = value
        else:
            high = value
        if (value >= middle) == (sign > 0):
            line = outcome.line
        horizon = horizon or outcome.horizon
    return Outcome(value, line, horizon, True)
