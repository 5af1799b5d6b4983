"""Win distance: values in steps, of which each ply before the end takes one.

A unit of payoff is STEPS steps. Going up a ply, a value comes one step nearer to zero; so
that table entries need no correction for their ply, windows are widened going down.

Guesses stay as they are, where they can be told from ends (`guesses`): else the same position, two
plies later, would be worth less, and a search would go deep into what only looks better.
"""

from __future__ import annotations

from dragon.rules.rules import rule

STEPS = 1 << 16
"""Steps in a unit of payoff; no game whose quickest win matters is longer than this."""

FINE = 1 << 40
"""The same where chance may decide: an average is no whole number of steps."""
MOST_STEPS = 1 << 46
"""Of a payoff where chance may decide: averages of some hundred outcomes are added up in floats of
53 bits, and must not be wrong by a step."""


@rule
def fineness(largest: int) -> int:
    """Steps in a unit where chance may decide and payoffs are at most `largest` units."""
    return min(FINE, MOST_STEPS // max(1, largest))


@rule
def ply_earlier(value: int, guesses: int) -> int:
    """One step nearer to zero: what a value is worth a ply earlier, if beyond all guesses."""
    if value > guesses:
        return value - 1
    return value + 1 if value < -guesses else value


@rule
def at_distance(value: int, plies: int) -> int:
    """What so many steps at the end are worth so many plies before it."""
    if value > 0:
        return value - plies
    return value + plies if value < 0 else 0


@rule
def upper_bound(value: int, plies: int) -> int:
    """The most, in steps, that a state can be worth whose ends are worth at most `value`.

    An end is one ply away at least and `plies` at most: a gain is a ply away, and a loss may
    yet be put off so long.
    """
    return value - 1 if value > 0 else min(0, value + min(plies, STEPS))


@rule
def window_later(alpha: int, beta: int, guesses: int) -> tuple[int, int]:
    """The window a ply later: x > low just if ply_earlier(x) > alpha, and so with high and beta."""
    low, high = alpha, beta
    if alpha >= guesses:
        low = alpha + 1
    elif alpha < -guesses:
        low = alpha - 1
    if beta > guesses:
        high = beta + 1
    elif beta <= -guesses:
        high = beta - 1
    return low, high
