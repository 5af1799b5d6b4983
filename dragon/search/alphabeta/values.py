"""Values in steps: payoffs, evaluations and the win distance.

A unit of payoff is STEPS steps, or 2**40 where chance may decide. Where values count the win
distance (the setting `sooner`), a value comes one step nearer to zero for each ply that it goes up,
so that the quicker win is the larger value. Table entries then need no correction for their ply;
windows are widened going down instead.

Evaluations are not changed where they differ from all proven ends (`fixed_range`). Otherwise an
evaluation two plies deeper would count less than the same one here, and a search would prefer lines
for their length.

Rules and kernels come first; the functions after them compute the same of a State.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import field, frozen

from dragon.core import TERMINAL, State, Trait
from dragon.rules.record import RecordState, defines
from dragon.rules.rules import rule
from dragon.rules.template import (
    HAS_CHANCE,
    HAS_EVALUATE,
    HAS_SOLVED,
    LARGEST,
    evaluate,
    kernel,
    payoff,
    solved,
)
from dragon.search.two_sided import whole_units

STEPS = 1 << 16
"""Steps in a unit of payoff; no game whose quickest win matters is longer than this."""
FINE = 1 << 40
"""Steps in a unit where chance may decide, since an average is not a whole number of steps."""
MOST_STEPS = 1 << 46
"""The most steps of a payoff where chance may decide: averages of some hundred outcomes are added
up in floats of 53 bits, and must not be wrong by a step."""
FAR = 1 << 62
"""A number beyond every value in steps."""


@frozen
class Outcome:
    """The result of one iteration, in steps from seat 0's side."""

    value: int
    line: Sequence[Any]
    """Codes or moves, from which a driver's `moves_of` makes moves."""
    horizon: bool
    """True if the value rests on an evaluation at the horizon."""
    finished: bool
    extra: dict[str, Any] = field(factory=dict)
    """The notes that a result has if the iteration ended early."""


@rule
def fineness(largest: int) -> int:
    """Return the steps in a unit where chance may decide and payoffs are at most `largest`."""
    return min(FINE, MOST_STEPS // max(1, largest))


@rule
def ply_earlier(value: int, fixed: int) -> int:
    """Return the value of a state a ply earlier: one step nearer to zero, if beyond `fixed`."""
    if value > fixed:
        return value - 1
    return value + 1 if value < -fixed else value


@rule
def at_distance(value: int, plies: int) -> int:
    """Return the value, `plies` before the end, of an end that is worth `value` steps."""
    if value > 0:
        return value - plies
    return value + plies if value < 0 else 0


@rule
def upper_bound(value: int, plies: int) -> int:
    """Return the most steps that a state can be worth if its ends are worth at most `value`.

    An end is between one and `plies` plies away: a gain comes in a ply at the earliest, and a loss
    may be put off as long as the game lasts.
    """
    return value - 1 if value > 0 else min(0, value + min(plies, STEPS))


@rule
def window_later(alpha: int, beta: int, fixed: int) -> tuple[int, int]:
    """Return the window a ply later: x > low just if ply_earlier(x) > alpha; so for high."""
    low, high = alpha, beta
    if alpha >= fixed:
        low = alpha + 1
    elif alpha < -fixed:
        low = alpha - 1
    if beta > fixed:
        high = beta + 1
    elif beta <= -fixed:
        high = beta - 1
    return low, high


@rule
def clamped(value: Any, most: int) -> Any:
    """Return an evaluation in steps, at most `most` either way.

    An evaluation of 1 or more, or one that is not a number, would be taken for a proven end.
    """
    if not value < most:
        return most
    return value if value > -most else -most


@kernel
def scale():
    """Return the steps in a unit."""
    return fineness(LARGEST) if HAS_CHANCE else STEPS


@kernel
def highest():
    """Return more steps than any evaluation has, and less than a proven largest payoff."""
    return LARGEST * scale() - scale() // 2


@kernel
def fixed_range():
    """Return the range of values that no ply changes: those of evaluations and draws.

    It is 0 where nothing is evaluated, or a game may end in more ways than a win, a draw and a
    loss, so that ends lie among evaluations.
    """
    return highest() if HAS_EVALUATE and LARGEST == 1 else 0


@kernel
def evaluation(s):
    """Return the static evaluation of `s` in steps, from seat 0's side."""
    return int(clamped(evaluate(s, 0) * highest(), highest())) if HAS_EVALUATE else 0


@kernel
def known(m, s):
    """Return whether the game's `solved` knows the value of `s`, and set it in the results."""
    units, plies = solved(s, m.tablebase)
    sooner = m.settings[0].sooner
    if plies < 0 or (sooner and plies == 0 and units != 0):
        return False
    m.results[0].value_seat0 = at_distance(units * scale(), plies) if sooner else units * scale()
    return True


@kernel
def leaf(m, s, seat, beyond):
    """Return whether `s` needs no frame of its own; its value is then in the results.

    That is so at an end, at a state that the game has solved, and `beyond` the horizon.
    """
    found = m.results[0]
    if seat == TERMINAL:
        found.value_seat0 = payoff(s, 0) * scale()
        found.horizon = 0
    elif HAS_SOLVED and m.settings[0].solved and known(m, s):
        found.horizon = 0
    elif beyond:
        found.value_seat0 = evaluation(s)
        found.horizon = 1
    else:
        return False
    return True


def scale_of(state: State[Any]) -> int:
    """Return the steps in a unit: more where chance may decide, as in any State without Rules."""
    if isinstance(state, RecordState):
        chance = Trait.CHANCE in state.rules.traits
        return fineness(state.rules.largest) if chance else STEPS
    return max(STEPS, fineness(whole_units(state, state.largest)))


def steps(state: State[Any], payoff: float) -> int:
    """Return a payoff of seat 0 in steps; raise GameError if it is not a whole number of units."""
    return whole_units(state, payoff) * scale_of(state)


def payoff_of(value: int, state: State[Any], scale: int, met_chance: bool) -> float:
    """Return the payoff for a proven value in steps: a win counts however late it comes.

    Where chance was met, the value may be an average, and is rounded to nine digits.
    """
    if met_chance:
        return round(value / scale, DIGITS) * state.unit
    return -(-abs(value) // scale) * (1 if value > 0 else -1) * state.unit


DIGITS = 9
"""The decimals to which an average is rounded: exact despite steps of 2**-40 and floats."""


def highest_of(state: State[Any]) -> int:
    """Return more steps than any evaluation has, and less than a proven largest payoff."""
    return steps(state, state.largest) - scale_of(state) // 2


def too_long(state: State[Any]) -> bool:
    """Return whether a game may take more plies than a unit has steps: a late win would be 0."""
    return isinstance(state, RecordState) and state.rules.plies >= STEPS


def counts_distance(on: Any, state: State[Any]) -> bool:
    """Return whether a quicker win is worth more, by the setting `sooner` and the game."""
    if defines(state, "banked"):  # table values leave out what is banked, and must not depend on it
        return False
    if isinstance(state, RecordState) and Trait.CHANCE in state.rules.traits:
        return False
    if too_long(state):
        return False
    if on.sooner is not None:
        return bool(on.sooner)
    return len(state.teams) > 1 and not defines(state, "bounds")


def asks_solved(on: Any, state: State[Any]) -> bool:
    """Return whether the game's `solved` is probed, by the setting `solved` and the game's
    tables."""
    if on.solved is not None:
        return bool(on.solved)
    return not isinstance(state, RecordState) or state.rules.tablebase is None
