"""Chance nodes: the average of outcomes, with bounds that cut off (Star1 and Star2).

Each outcome has a lower and an upper bound, so the average lies between two sums before all
outcomes are searched; the window of each outcome follows from the window of the node (Star1;
Ballard 1983). Star2 first probes each outcome: it searches the most promising move alone, whose
value bounds the outcome from the side of its mover, and often these bounds cut off (Ballard 1983;
for any order of movers Hauk, Buro and Schaeffer 2004). Values of a chance node are from seat 0's
side. An average is rarely a whole number of steps, so a unit has more steps in games of chance
(`values.fineness`): rounding changes an average by half a step at most, and twelve digits are
exact.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"
# ruff: noqa: RUF046  (compiled, `math.floor` is a float)

import math
from typing import Any

from dragon.rules.kernels.state import weigh_chance
from dragon.rules.rules import rule
from dragon.rules.template import LARGEST, kernel, moves
from dragon.search.alphabeta.values import fixed_range, ply_earlier, scale

STARS = "star1", "star2"
"""The ways to cut off at chance nodes."""


@rule
def outcome_window(
    alpha: int, beta: int, least: float, most: float, low: int, high: int, p: float
) -> Any:
    """Return the values between which an outcome of probability `p`, from `low` to `high`, matters.

    least, most: the bounds of the average. An outcome outside this window decides the chance node.
    The window is one step wider than it must be, which is more than the rounding error of floats.
    """
    below, above = low - 1, high + 1
    if p > 0:
        under, over = high + (alpha - most - 1) / p, low + (beta - least + 1) / p
        if under > below:
            below = int(math.floor(under))
        if over < above:
            above = int(math.ceil(over))
    return below, above


@rule
def narrower(value: int, below: int, above: int, low: int, high: int, probed: int) -> Any:
    """Return the bounds of an outcome, narrowed by the `value` of its search in a window.

    probed: 0 if all its moves were searched, else 1 or -1 for the side whose move was.
    """
    value = min(max(value, low), high)
    if probed >= 0 and value > below:
        low = value
    if probed <= 0 and value < above:
        high = value
    return low, high


@rule
def average(least: float, most: float, alpha: int, beta: int) -> int:
    """Return the average in steps: the bound that decides, or else the value."""
    if least >= beta:
        return int(math.floor(least))
    if most <= alpha:
        return int(math.ceil(most))
    return int(math.floor(least + 0.5))


@kernel
def list_outcomes(m, d, lower):
    """List the outcomes of the chance node at ply d, and their bounds."""
    f, s = m.frames[d], m.states[d]
    f.n = moves(s, m.codes[f.base :])
    m.runs[0].listed += f.n
    f.at = 0
    f.sorted = 1
    f.null_window = 0
    f.probing = m.settings[0].probe and f.depth > 1
    low, high = max(lower, -LARGEST * scale()), min(f.upper, LARGEST * scale())
    f.least, f.most = float(low), float(high)
    weigh_chance(s, m.odds[f.base :], f.n)
    for i in range(f.base, f.base + f.n):
        m.lows[i], m.highs[i] = low, high


@kernel
def window_of(m, f):
    """Return the window of the outcome that frame f tries."""
    i = f.base + f.at
    if not m.settings[0].star:
        return m.lows[i] - 1, m.highs[i] + 1
    return outcome_window(f.alpha, f.beta, f.least, f.most, m.lows[i], m.highs[i], m.odds[i])


@kernel
def weigh(m, f, value_seat0, sign):
    """Narrow the bounds of the outcome that frame f tries, and of the average; `sign`: of its
    mover."""
    i, on, found = f.base + f.at, m.settings[0], m.results[0]
    below, above = window_of(m, f)
    if on.sooner:
        value_seat0 = ply_earlier(value_seat0, fixed_range())
    probed = sign if found.partial else 0
    low, high = narrower(value_seat0, below, above, m.lows[i], m.highs[i], probed)
    f.least += m.odds[i] * (low - m.lows[i])
    f.most += m.odds[i] * (high - m.highs[i])
    m.lows[i], m.highs[i] = low, high
    f.horizon = f.horizon or found.horizon
    f.at += 1
    if on.star and (f.least >= f.beta or f.most <= f.alpha):
        f.at = f.n
        f.probing = 0


@kernel
def next_outcome(m, f):
    """Go on to the next outcome whose bounds differ, and from probing to searching."""
    if f.probing and f.at == f.n:
        f.probing = 0
        f.at = 0
    while f.at < f.n and not f.probing and m.lows[f.base + f.at] == m.highs[f.base + f.at]:
        f.at += 1
