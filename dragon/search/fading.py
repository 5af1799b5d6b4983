"""Values in steps, and how they fade: what makes a quicker win worth more.

A unit of payoff is STEPS steps. Going up a ply, a value loses one step toward zero; so
that table entries need no correction for their ply, windows are stretched going down.
"""

from __future__ import annotations

from dragon.rules import rule

STEPS = 1 << 16
"""Steps in a unit of payoff; no game whose quickest win matters is longer than this."""


@rule
def fade(value: int) -> int:
    """One step toward zero: what a value is worth a ply earlier."""
    if value > 0:
        return value - 1
    return value + 1 if value < 0 else value


@rule
def faded(units: int, plies: int) -> int:
    """What so many units are worth, in steps, so many plies before the end."""
    if units > 0:
        return units * STEPS - plies
    return units * STEPS + plies if units < 0 else 0


@rule
def most_faded(units: int, plies: int) -> int:
    """The most, in steps, that a state can be worth whose ends pay at most so many units.

    An end is one ply away at least and `plies` at most: a gain has faded by then, and a loss
    may yet fade so much.
    """
    return units * STEPS - 1 if units > 0 else min(0, units * STEPS + min(plies, STEPS))


@rule
def stretch_low(low: int) -> int:
    """The lower end of a window a ply later: x > stretch_low(a) if and only if fade(x) > a."""
    return low + 1 if low >= 0 else low - 1


@rule
def stretch_high(high: int) -> int:
    """The upper end: x >= stretch_high(b) if and only if fade(x) >= b."""
    return high + 1 if high > 0 else high - 1
