"""Alpha-beta with everything that a strong engine has, each part a setting.

This file is the search itself: iterative deepening, aspiration windows, and what a result
says. `kernel` has an iteration, with an explicit stack; `compiled` drives it over records, and
`interpreted` as plain Python over any State.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import evolve, frozen

from dragon.core import CHANCE, Bound, Game, Limit, Position, Result, State
from dragon.rules.record import has_kernels
from dragon.search.alphabeta.settings import (
    Outcome,
    Settings,
    aside_of,
    deeper,
    first_depth,
    highest_guess,
)
from dragon.search.alphabeta.win_distance import STEPS
from dragon.search.alphabeta.zero_windows import by_zero_windows
from dragon.search.two_sided import TableRun, check_two_sided, check_units, side

if TYPE_CHECKING:
    from numpy.random import Generator

    from dragon.search.alphabeta.compiled import CompiledDriver
    from dragon.search.alphabeta.interpreted import StateDriver
    from dragon.search.table import Lease

    Driver: TypeAlias = StateDriver | CompiledDriver

DIGITS = 9
"""Of an average, behind the point: so far neither plies, 2**40 to a unit, nor floats reach."""
FINE_ENOUGH = 1 << 26
"""Steps in a unit from which on averages are exact enough to be called so."""
NO_HORIZON = 1 << 30
"""A depth that no game reaches."""


@frozen
class AlphaBeta(Settings):
    """The exact value where the tree can be exhausted, the best guess at a depth where not."""

    def open(self, game: Game[Any] | None = None) -> AlphaBetaRun:
        """A run that keeps a table."""
        return AlphaBetaRun(self, game)

    def prepare(self, state: State[Any], limit: Limit, seed: int, lease: Lease) -> Driver:
        """The working memory of the search of a state, compiled where the game's rules can be."""
        if has_kernels(state):
            if self.table and self.threads > 1:
                from dragon.search.alphabeta.threads import ThreadedDriver

                return ThreadedDriver(self, state, limit, seed, lease)
            return _compiled()(self, state, limit, seed, lease)
        from dragon.search.alphabeta.interpreted import StateDriver

        return StateDriver(self, state, limit, seed, lease)

    def horizon(self, limit: Limit) -> int:
        """How many plies are looked ahead at most."""
        return min(self.depth or NO_HORIZON, limit.depth or NO_HORIZON)

    def iterate(self, driver: Driver, state: State[Any], depth: int, value: int | None) -> Outcome:
        """One depth: a narrow window about `value` first, then open on the side that failed.

        With a `driver` of zero windows they find the value, and the narrow window its line.
        """
        infinity = driver.most + 1
        low, high, found = -infinity, infinity, None
        if self.driver != "pvs":
            found = by_zero_windows(
                partial(driver.search, depth), self.driver, value or 0, infinity - 1, side(state)
            )
            if not found.finished or not driver.lines:
                return found
            low, high = found.value - 1, found.value + 1  # for the line
        elif value is not None and (aside := aside_of(self, state)):
            low, high = max(low, value - aside), min(high, value + aside)
        while True:
            outcome = driver.search(depth, low, high)
            if not outcome.finished:
                return found or outcome
            if outcome.value <= low and low > -infinity:
                low = -infinity
            elif outcome.value >= high and high < infinity:
                high = infinity
            else:
                return outcome


@cache
def _compiled() -> Callable[..., CompiledDriver]:
    """What has a driver, imported when a search begins, and once."""
    from dragon.search.alphabeta.compiled import borrow

    return borrow


class AlphaBetaRun(TableRun):
    """Deepens until proven; the table stays from move to move."""

    search: AlphaBeta

    def improve(self, position: Position, limit: Limit, rng: Generator) -> Iterator[Result]:
        """A result for each depth, until proven or out of budget."""
        search, state = self.search, position.state
        check_two_sided(search, state, chance=search.chance is not None)
        check_units(search, state)
        seed = int(rng.integers(1 << 63)) if search.shuffle else 0
        driver = search.prepare(state, limit, seed, self._lease)
        last = search.horizon(limit)
        value, result = None, None
        depth = last
        if search.deepening is not False:
            depth = min(last, first_depth(search, state, limit))
        while True:
            outcome = search.iterate(driver, state, depth, value)
            if not outcome.finished and result is not None and not outcome.line:
                nodes, seconds = driver.budget.nodes, driver.budget.seconds
                extra = {**result.extra, **outcome.extra}  # the same claim, after more work
                yield evolve(result, nodes=nodes, seconds=seconds, extra=extra)
                break
            result = _result(driver, state, depth, outcome)
            yield result
            over = not outcome.horizon or result.bound is Bound.EXACT
            if depth == last or not outcome.finished or over:
                break
            value = outcome.value
            depth = min(last, deeper(search, state, depth))
        self._lease.visited += driver.budget.nodes
        driver.release()


def payoff_of(value: int, state: State[Any], driver: Driver) -> float:
    """The payoff that a proven value of so many steps stands for: a win counts however late.

    Where chance was met it may be one of several payoffs, and is kept to nine digits.
    """
    scale = driver.scale
    if driver.met_chance:
        return round(value / scale, DIGITS) * state.unit
    return -(-abs(value) // scale) * (1 if value > 0 else -1) * state.unit


def _result(driver: Driver, state: State[Any], depth: int, outcome: Outcome) -> Result:
    value = outcome.value * side(state)
    most, scale = driver.most, driver.scale
    least = most - min(depth, STEPS - 1) if driver.sooner else most
    won = abs(value) >= max(least, highest_guess(state) + 1)  # far ahead a guess is as much
    proven = outcome.finished and (not outcome.horizon or won)
    extra: dict[str, Any] = {"hits": driver.hits, **driver.lease.notes(), **outcome.extra}
    if depth < NO_HORIZON:
        extra["depth"] = depth
    sure = not (driver.selective and outcome.horizon)  # a quicker win may have been left out
    if proven and driver.sooner and value and not driver.met_chance:
        extra["distance" if sure else "distance_at_most"] = -abs(value) % scale
    coarse = driver.met_chance and scale < FINE_ENOUGH
    if proven and coarse:
        extra["rounding"] = f"averages are in steps of {state.unit / scale:g}: largest is too high"
    line = driver.moves_of(outcome.line)
    if not line and state.turn != CHANCE:
        line = (state.moves()[0],)
    return driver.budget.result(
        payoff_of(value, state, driver) if proven else value / scale * state.unit,
        Bound.EXACT if proven and not coarse else Bound.ESTIMATE,
        line,
        extra=extra,
    )
