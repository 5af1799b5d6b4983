"""Alpha-beta with everything that a strong engine has, each part a setting.

This file is the search itself: iterative deepening, aspiration windows, and what a
result says. One iteration is a `Driver`'s: `alphabeta_plain` has it to be read aloud,
`alphabeta_compiled` drives the kernel; both visit the same nodes in the same order.

All values inside are whole *steps* from the side of seat 0's team; a unit of payoff is
65,536 steps, and where values fade (`sooner`) each ply takes one step toward zero, so that
the quicker win is the larger value.

Sources: Knuth and Moore 1975 (alpha-beta); Marsland and Campbell 1982 (principal
variation search); Slate and Atkin 1977 (iterative deepening, killers); Schaeffer 1989
(history); Zobrist 1970 (transposition table).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

from attrs import evolve, field, frozen, validators

from dragon.core import Bound, Limit, Position, Result, Run, Search, State, Trait
from dragon.record import RecordState, has_kernels
from dragon.search.budget import MOST_MEGABYTES, Budget
from dragon.search.fading import STEPS
from dragon.search.sides import check_sides, depth_setting, side, sides_objection, whole_units

if TYPE_CHECKING:
    import numpy as np

    from dragon.core import Game
    from dragon.table import Lease

FOREVER = 1 << 30
ASPIRATION = STEPS // 4
"""Half the width of the first window of an iteration."""


@frozen
class Outcome:
    """What one iteration found, in steps from seat 0's side; `open` if a horizon cut it short."""

    value: int
    line: tuple[Any, ...]
    open: bool
    finished: bool
    told: dict[str, Any] = field(factory=dict)
    """What a result's `extra` says of its early end."""


class Driver(Protocol):
    """The working memory of the search of one state."""

    budget: Budget
    sooner: bool
    """Whether values fade."""
    lines: bool
    """Whether an outcome tells its line, which takes longer to write than many a search."""

    @property
    def hits(self) -> int:
        """How often the table decided."""

    def restart(self, state: Any, limit: Limit) -> None:
        """Turns to another state of the same game; table and history stay."""

    def search(self, depth: int, low: int, high: int) -> Outcome:
        """One iteration to `depth` plies with a window; unfinished where the budget ended."""


@frozen
class AlphaBeta(Search):
    """The exact value where the tree can be exhausted, the best guess at a depth where not."""

    name = "alphabeta"
    excludes = frozenset({Trait.CHANCE, Trait.HIDDEN})
    limits = frozenset({"seconds", "nodes", "depth"})

    depth: int | None = field(default=None, validator=depth_setting)
    """Plies looked ahead; none: until proven."""
    table: bool = True
    """Keep values and bounds of positions in a transposition table."""
    megabytes: float = field(
        default=64.0, validator=[validators.gt(0), validators.le(MOST_MEGABYTES)]
    )
    """Size of that table."""
    deepening: bool = True
    """Search to depth 1, 2, 3, ... rather than at once."""
    pvs: bool = True
    """Ask of all moves but the first only whether they are better (zero windows)."""
    aspiration: bool = True
    """Start each iteration with a narrow window about the last value."""
    killers: bool = True
    """Try early the two moves that last cut off at this ply."""
    history: bool = True
    """Try early the moves that cut off often."""
    order: bool = True
    """Use the game's own `order`."""
    reduce: bool = True
    """Try one of several moves that the game calls equivalent."""
    bounds: bool = True
    """Cut off by the game's own `bounds`, and with `sooner` by the largest payoff."""
    solved: bool = False
    """Ask the game's own `solved` at every state, and search none whose worth it knows."""
    sooner: bool | None = None
    """Prefer wins that come sooner and losses that come later. None: where two sides play and the
    game has no `bounds`; they cut off less where ends that pay the same are told apart. Never
    where the game has `banked`."""
    shuffle: bool = False
    """Break ties at the root by the seed, so that repeated games differ."""

    @property
    def deterministic(self) -> bool:
        """It draws no lots, but with `shuffle`."""
        return not self.shuffle

    def objection(self, game: Game[Any]) -> str | None:
        """More than two sides have no window."""
        return super().objection(game) or sides_objection(self, game)

    def open(self, game: Game[Any] | None = None) -> AlphaBetaRun:
        """A run that keeps a table."""
        return AlphaBetaRun(self, game)

    def driver(self, state: State[Any], limit: Limit, seed: int, lease: Lease) -> Driver:
        """The working memory of the search of a state, compiled where the game's rules can be."""
        if has_kernels(state):
            from dragon.search.alphabeta_compiled import CompiledDriver

            return CompiledDriver(self, state, limit, seed, lease)
        from dragon.search.alphabeta_plain import PlainDriver

        return PlainDriver(self, state, limit, seed, lease)

    def iterate(self, driver: Driver, state: State[Any], depth: int, value: int) -> Outcome:
        """One depth: a narrow window about `value` first, then open on the side that failed."""
        infinity = steps(state, state.largest) + 1
        low, high = -infinity, infinity
        if self.aspiration and self.deepening and depth > 1:
            low, high = max(low, value - ASPIRATION), min(high, value + ASPIRATION)
        while True:
            outcome = driver.search(depth, low, high)
            if not outcome.finished:
                return outcome
            if outcome.value <= low and low > -infinity:
                low = -infinity
            elif outcome.value >= high and high < infinity:
                high = infinity
            else:
                return outcome


class AlphaBetaRun(Run):
    """Deepens until proven; the table stays from move to move."""

    search: AlphaBeta

    def __init__(self, search: AlphaBeta, game: Game[Any] | None) -> None:
        from dragon.table import Lease

        super().__init__(search, game)
        self._lease = Lease(search.megabytes)

    def close(self) -> None:
        """Gives the table back for searches to come."""
        self._lease.close()

    def improve(
        self, position: Position, limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """A result for each depth, until proven or out of budget."""
        search, state = self.search, position.state
        check_sides(search, state)
        driver = search.driver(state, limit, int(rng.integers(1 << 63)), self._lease)
        last = min(search.depth or FOREVER, limit.depth or FOREVER)
        value, outcome, result = 0, None, None
        for depth in range(1, last + 1) if search.deepening else (last,):
            outcome = search.iterate(driver, state, depth, value)
            if not outcome.finished and result is not None and not outcome.line:
                yield evolve(  # the same claim, after more work
                    result,
                    nodes=driver.budget.nodes,
                    seconds=driver.budget.seconds,
                    extra={**result.extra, **outcome.told},
                )
                break
            result = _result(driver, state, depth, outcome)
            yield result
            value = outcome.value
            if not outcome.finished or result.bound is Bound.EXACT:
                break


def _result(driver: Driver, state: State[Any], depth: int, outcome: Outcome) -> Result:
    value = outcome.value * side(state)
    most = steps(state, state.largest)
    won = abs(value) >= (most - min(depth, STEPS - 1) if driver.sooner else most)
    proven = outcome.finished and (not outcome.open or won)
    extra: dict[str, Any] = {"hits": driver.hits, **outcome.told}
    if depth < FOREVER:
        extra["depth"] = depth
    claimed = value / STEPS * state.unit
    if proven:
        units = -(-abs(value) // STEPS) * (1 if value > 0 else -1)
        claimed = units * state.unit
        if driver.sooner and value:
            extra["distance"] = abs(units) * STEPS - abs(value)
    return Result(
        value=claimed,
        bound=Bound.EXACT if proven else Bound.ESTIMATE,
        line=outcome.line or (state.moves()[0],),
        nodes=driver.budget.nodes,
        seconds=driver.budget.seconds,
        extra=extra,
    )


def fades(search: AlphaBeta, state: State[Any]) -> bool:
    """Whether values fade in the state's game, by the setting `sooner` and what the game has."""
    if _has(state, "banked"):  # a value of what is left may not depend on what is banked
        return False
    if search.sooner is not None:
        return search.sooner
    return len(state.teams) > 1 and not _has(state, "bounds")


def _has(state: State[Any], name: str) -> bool:
    """Whether the game's author wrote what is optional."""
    if isinstance(state, RecordState):
        return getattr(state.rules, name) is not None
    return getattr(type(state), name) is not getattr(State, name)


def steps(state: State[Any], payoff: float) -> int:
    """A payoff of seat 0 in steps; raises GameError if it is no whole number of units."""
    return whole_units(state, payoff) * STEPS
