"""Chance nodes: what an outcome must be worth to matter, and what is known of it.

No outcome is worth less or more than some bounds, so that those which are still to come leave
the average between two sums; a window for each follows from that of the whole (Star1; Ballard
1983). Before that one move of each outcome may be tried, a probe, which is a bound of it on its
mover's side: often the sums then decide (Star2; Ballard 1983, and for any order of movers Hauk,
Buro and Schaeffer 2004).

Values are steps from seat 0's side. Averages are no whole steps, so that a unit has more of them
where there is chance (`fineness`); an average is off by half a step at most, and is exact to twelve
digits.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"
# ruff: noqa: RUF046  (compiled, `math.floor` is a float)

import math
from typing import Any

from dragon.rules.kernels.state import weigh_chance
from dragon.rules.rules import rule
from dragon.rules.template import HAS_CHANCE, LARGEST, kernel, moves
from dragon.search.alphabeta.win_distance import STEPS, fineness


@rule
def outcome_window(
    alpha: int, beta: int, least: float, most: float, low: int, high: int, p: float
) -> Any:
    """Between which values an outcome of probability `p`, from `low` to `high`, decides nothing.

    least, most: what all are worth together. A value outside settles the whole: there is a step
    to spare, which is more than what floats may be wrong by.
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
    """The bounds of an outcome when its search in a window has said `value`.

    probed: 0 if all its moves were searched, else 1 or -1 for the side of which one was.
    """
    value = min(max(value, low), high)
    if probed >= 0 and value > below:
        low = value
    if probed <= 0 and value < above:
        high = value
    return low, high


@kernel
def scale():
    """Steps in a unit."""
    return fineness(LARGEST) if HAS_CHANCE else STEPS


@kernel
def cast(m, s, f, run, lower):
    """Lists the outcomes of frame f and their bounds."""
    f.n = moves(s, m.codes[f.base :])
    run.listed += f.n
    f.at = 0
    f.sorted = 1
    f.narrow = 0
    f.partial = 0
    f.probing = run.probe and f.depth > 1
    low, high = max(lower, -LARGEST * scale()), min(f.upper, LARGEST * scale())
    f.least, f.most = float(low), float(high)
    weigh_chance(s, m.odds[f.base :], f.n)
    for i in range(f.base, f.base + f.n):
        m.lows[i], m.highs[i] = low, high


@kernel
def window_of(m, f, run):
    """The window of the outcome that frame f tries."""
    i = f.base + f.at
    if not run.star:
        return m.lows[i] - 1, m.highs[i] + 1
    return outcome_window(f.alpha, f.beta, f.least, f.most, m.lows[i], m.highs[i], m.odds[i])


@kernel
def weigh(m, f, run, sign):
    """Takes run.value for the outcome that frame f tries; `sign`: of its mover."""
    i = f.base + f.at
    below, above = window_of(m, f, run)
    probed = sign if run.partial else 0
    low, high = narrower(run.value, below, above, m.lows[i], m.highs[i], probed)
    f.least += m.odds[i] * (low - m.lows[i])
    f.most += m.odds[i] * (high - m.highs[i])
    m.lows[i], m.highs[i] = low, high
    f.horizon = f.horizon or run.horizon
    f.at += 1
    if run.star and (f.least >= f.beta or f.most <= f.alpha):
        f.at = f.n
        f.probing = 0


@kernel
def pass_by(m, f):
    """Goes on to the next outcome that is not settled, and from probing to searching."""
    if f.probing and f.at == f.n:
        f.probing = 0
        f.at = 0
    while f.at < f.n and not f.probing and m.lows[f.base + f.at] == m.highs[f.base + f.at]:
        f.at += 1


@rule
def average(least: float, most: float, alpha: int, beta: int) -> int:
    """The value of the whole in steps: its bound where that decides, else what it is worth."""
    if least >= beta:
        return int(math.floor(least))
    if most <= alpha:
        return int(math.ceil(most))
    return int(math.floor(least + 0.5))
