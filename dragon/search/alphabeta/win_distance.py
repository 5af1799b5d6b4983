"""Win distance: values in steps, of which each ply before the end takes one.

A unit of payoff is STEPS steps. Going up a ply, a value comes one step nearer to zero; so
that table entries need no correction for their ply, windows are widened going down.
"""

from __future__ import annotations

from dragon.rules.rules import rule

STEPS = 1 << 16
"""Steps in a unit of payoff; no game whose quickest win matters is longer than this."""


@rule
def ply_earlier(value: int) -> int:
    """One step nearer to zero: what a value is worth a ply earlier."""
    if value > 0:
        return value - 1
    return value + 1 if value < 0 else value


@rule
def at_distance(units: int, plies: int) -> int:
    """What so many units are worth, in steps, so many plies before the end."""
    if units > 0:
        return units * STEPS - plies
    return units * STEPS + plies if units < 0 else 0


@rule
def upper_bound(units: int, plies: int) -> int:
    """The most, in steps, that a state can be worth whose ends pay at most so many units.

    An end is one ply away at least and `plies` at most: a gain is a ply away, and a loss may
    yet be put off so long.
    """
    return units * STEPS - 1 if units > 0 else min(0, units * STEPS + min(plies, STEPS))


@rule
def window_later(alpha: int, beta: int) -> tuple[int, int]:
    """The window a ply later: x > low just if ply_earlier(x) > alpha, and so with high and beta."""
    low = alpha + 1 if alpha >= 0 else alpha - 1
    high = beta + 1 if beta > 0 else beta - 1
    return low, high
