"""Alpha-beta with the techniques of strong engines, each a setting.

This file has the settings, iterative deepening, aspiration windows, searches by null windows alone,
and what a result says. An iteration is searched by `kernel`, which `driver` drives.

Values inside are whole *steps* (`values`); windows here are from the side of seat 0's team.

Sources: Knuth and Moore 1975 (alpha-beta); Marsland and Campbell 1982 (principal variation
search); Plaat, Schaeffer, Pijls and de Bruin 1996 (MTD(f)); Slate and Atkin 1977 (iterative
deepening, killers); Schaeffer 1989 (history); Zobrist 1970 (transposition table); Ballard 1983, and
Hauk, Buro and Schaeffer 2004 (chance); Beal 1990 (quiescence); Beal 1989 (null move); Heinz 1998
(futility); Hyatt and Mann 2002 (a table without locks); Weill 1996 (ABDADA).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen, validators

from dragon.core import (
    CHANCE,
    TERMINAL,
    Bound,
    Game,
    Limit,
    Position,
    Result,
    Search,
    State,
    Trait,
    game_of,
)
from dragon.rules.record import defines, has_kernels
from dragon.search.alphabeta.chance import STARS
from dragon.search.alphabeta.depth import NO_HORIZON, horizon, schedule_of
from dragon.search.alphabeta.values import (
    STEPS,
    Outcome,
    payoff_of,
    scale_of,
    steps,
    too_long,
)
from dragon.search.budget import count_setting, megabytes_setting
from dragon.search.two_sided import (
    TableRun,
    check_two_sided,
    check_units,
    game_units_objection,
    side,
    two_sided_objection,
)

if TYPE_CHECKING:
    from numpy.random import Generator

    from dragon.search.alphabeta.driver import Driver
    from dragon.search.table import Lease

WAYS = "mtdf", "bisection"
"""The values of `driver`: ways to choose the next window."""
AVERAGES: tuple[str | None, ...] = "expectimax", *STARS, None
ASPIRATION = 128
"""Half the width of an aspiration window is the largest payoff divided by this."""
FINE_ENOUGH = 1 << 26
"""The least number of steps in a unit at which an average is called exact."""

_margin = validators.optional(validators.and_(validators.ge(0.0), validators.le(2.0)))


@frozen
class AlphaBeta(Search):
    """Alpha-beta: the exact value if the tree can be searched to its ends, else a guess."""

    name = "alphabeta"
    excludes = frozenset({Trait.HIDDEN})
    limits = frozenset({"seconds", "nodes", "depth"})

    depth: int | None = count_setting()
    """Plies looked ahead; none: until proven."""
    table: bool = True
    """Keep values, bounds and hash moves of positions in a transposition table."""
    megabytes: float = megabytes_setting(64.0)
    """Size of that table, which begins with 1 at most and grows as the search does."""
    deepening: bool | None = None
    """Iterative deepening: search to growing depths instead of the last one at once. True: each a
    ply deeper. None: the same where the game has an `evaluate`; else only ends count, and depths
    double: 8, 16, 32 where positions have few moves, 1, 4, 8, 16 where they have many."""
    driver: str = field(default="pvs", validator=validators.in_(("pvs", *WAYS)))
    """The windows by which an iteration finds its value: `pvs`, one window; or null windows alone,
    each next to the last answer (`mtdf`: MTD(f)) or in the middle of what is left (`bisection`),
    and a last window about the value, for its line."""
    pvs: bool = True
    """Principal variation search (PVS): search all moves except the first with a null window (zero
    window), which only proves whether they are better."""
    aspiration: bool = True
    """Aspiration windows: start each iteration with a narrow window about the last value."""
    killers: bool = True
    """Killer moves: try early the two moves that last cut off at this ply."""
    history: bool = True
    """History heuristic: try early the moves that cut off often."""
    order: bool = True
    """Move ordering by the game's own `order`."""
    reduce: bool = True
    """Try one of several moves that the game calls equivalent."""
    bounds: bool = True
    """Cut off by the game's own `bounds`, or by the largest payoff where it has none."""
    solved: bool | None = None
    """Probe the game's own `solved` at every state, and do not search those whose value it knows.
    None: only where it needs no table of the game."""
    quiescence: int = field(default=16, validator=validators.ge(0))
    """Quiescence search: the plies beyond the horizon in which only the game's `noisy` moves are
    searched, and a side may stand pat on its `evaluate`; the game needs both. 0: none."""
    late: bool | None = None
    """Late move reductions (LMR): search late moves less deep, unless they are the hash move, a
    killer, or have a number above 0 by the game's `order`; those that then beat alpha are searched
    again at full depth. None: where the game has `evaluate` and `noisy`. Never without an
    `evaluate`, or with `killers`, `history` and `order` all off."""
    null: bool | None = None
    """Null-move pruning: first search a pass with a depth reduced by two or three plies; if it
    fails high, so does the state. None: where the game has `skip` and an `evaluate`."""
    futility: float | None = field(default=None, validator=_margin)
    """The futility margin for each ply: one and two plies before the horizon, an evaluation above
    the window by the margin is taken as the value, and below it by the margin only `noisy` moves
    are searched. Evaluations are between -1 and 1. None: 0.1, where the game has `evaluate` and
    `noisy`; 0: off."""
    sooner: bool | None = None
    """Win distance: prefer wins that come sooner and losses that come later. None: where two sides
    play and the game does not have `bounds` (with `sooner`, bounds cut off less). Never where the
    game has `banked`, chance by Rules, or more than 65,535 plies."""
    chance: str | None = field(default=STARS[-1], validator=validators.in_(AVERAGES))  # type: ignore[arg-type]
    """Search of chance nodes: `expectimax`, all outcomes in full; `star1`, with windows that cut
    off; `star2`, the same after a probe of one move of each outcome. None: games of chance are
    refused."""
    threads: int = field(default=1, validator=[validators.ge(1), validators.le(256)])
    """Threads that search the same state with one shared table, without locks (Lazy SMP); the first
    to finish has the result, and each puts off moves that another searches (ABDADA). Nodes are
    counted over all threads. With more than one, runs are not repeatable, but proven values are.
    One is used without a `table`, or without Rules to compile."""
    shuffle: bool = False
    """Break ties at the root by the seed, so that repeated games differ."""

    @property
    def deterministic(self) -> bool:
        """True if runs are repeatable: not with `shuffle` or with several `threads`."""
        return not self.shuffle and self.threads == 1

    def objection(self, game: Game[Any]) -> str | None:
        """Return the sentence about more than two sides, refused chance, or a setting."""
        if self.chance is None and Trait.CHANCE in game.traits:
            return f"{self} does not support chance ({game})"
        sentence = super().objection(game) or two_sided_objection(self, game)
        return sentence or game_units_objection(self, game) or self._lacking(game)

    def _lacking(self, game: Game[Any]) -> str | None:
        """Return the sentence about a setting that needs a rule which the game does not have."""
        if self.sooner and too_long(game.start()):
            return (
                f"{self} counts the plies to a win up to {STEPS - 1:,}, and {game} may take more "
                "plies; leave out sooner"
            )
        if not (self.null or self.futility):
            return None
        needs = {"null": ("evaluate", "skip"), "futility": ("evaluate", "noisy")}
        for setting, rules in needs.items():
            if getattr(self, setting):
                lacking = [name for name in rules if not defines(game.start(), name)]
                if lacking:
                    return (
                        f"{self} needs the rule `{lacking[0]}`, which {game} does not define; "
                        f"leave out {setting}"
                    )
        return None

    def open(self, game: Game[Any] | None = None) -> AlphaBetaRun:
        """Return a run that keeps a table."""
        return AlphaBetaRun(self, game)

    def prepare(self, state: State[Any], limit: Limit, seed: int, lease: Lease) -> Driver:
        """Return the driver of the search of a state, compiled where the game's rules can be."""
        if self.threads > 1 and self.table and has_kernels(state):
            from dragon.search.alphabeta.driver import ThreadedDriver

            return ThreadedDriver(self, state, limit, seed, lease)
        return _drivers()(self, state, limit, seed, lease)

    def iterate(self, driver: Driver, state: State[Any], depth: int, value: int | None) -> Outcome:
        """Search to one depth: in an aspiration window about `value` first.

        Where that fails high or low, the window is opened on that side. With a `driver` of null
        windows, these find the value, and a narrow window its line.
        """
        infinity = driver.most + 1
        low, high, found = -infinity, infinity, None
        if self.driver != "pvs":
            found = by_null_windows(
                partial(driver.search, depth), self.driver, value or 0, infinity - 1, side(state)
            )
            if not found.finished or not driver.lines:
                return found
            low, high = found.value - 1, found.value + 1  # for the line
        elif value is not None and (half := aspiration_of(self, state)):
            low, high = max(low, value - half), min(high, value + half)
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
def _drivers() -> Callable[..., Driver]:
    """Import the driver when a search begins, and once: a short one would notice."""
    from dragon.search.alphabeta.driver import borrow

    return borrow


class AlphaBetaRun(TableRun):
    """A run of iterative deepening until proven; the table stays from move to move."""

    search: AlphaBeta

    def filled(self) -> float:
        """The part of its table that is in use, from 0 to 1."""
        return self._lease.filled()

    def improve(self, position: Position, limit: Limit, rng: Generator) -> Iterator[Result]:
        """Yield a result for each depth, until proven or out of budget."""
        search, state = self.search, position.state
        check_two_sided(search, state, chance=search.chance is not None)
        check_units(search, state)
        seed = int(rng.integers(1 << 63)) if search.shuffle else 0
        driver = search.prepare(state, limit, seed, self._lease)
        depths = schedule_of(search, state).depths(horizon(search, limit), limit)
        value, result = None, None
        for depth in depths:
            outcome = search.iterate(driver, state, depth, value)
            if not outcome.finished and result is not None and not outcome.line:
                nodes, seconds = driver.budget.nodes, driver.budget.seconds
                extra = {**result.extra, **outcome.extra}  # the same claim, after more work
                yield evolve(result, nodes=nodes, seconds=seconds, extra=extra)
                break
            result = _result(driver, state, depth, outcome)
            yield result
            over = not outcome.horizon or result.bound is Bound.EXACT
            if not outcome.finished or over:
                break
            value = outcome.value
        self._lease.visited += driver.budget.nodes
        driver.release()


def aspiration_of(search: AlphaBeta, state: State[Any]) -> int:
    """Return half the width of an aspiration window, in steps; 0: a full window.

    It is wider in games of chance, where evaluations change more from ply to ply.
    """
    if not search.aspiration or search.deepening is False:
        return 0
    scale = scale_of(state)
    return scale // 4 if scale != STEPS else steps(state, state.largest) // ASPIRATION


def by_null_windows(
    search: Callable[[int, int], Outcome], way: str, guess: int, most: int, sign: int
) -> Outcome:
    """Return the value, between -most and most, and a move that is worth it to the mover.

    The search of a null window (zero window) cuts off most, and returns a bound (fail soft). `mtdf`
    puts the next window at the last answer (MTD(f)), `bisection` in the middle of what is left; for
    win, draw and loss two windows are enough.

    search: of a window, in steps from seat 0's side; sign: 1 where seat 0's team is to move. If the
    budget ends it, return the lower bound so far, if that is at least the guess.
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


def _result(driver: Driver, state: State[Any], depth: int, outcome: Outcome) -> Result:
    value = outcome.value * side(state)
    most, scale, met_chance = driver.most, driver.scale, driver.met_chance
    least = most - min(depth, STEPS - 1) if driver.sooner else most
    won = abs(value) >= max(least, driver.highest + 1)  # deep `least` may be an evaluation
    proven = outcome.finished and (not outcome.horizon or won)
    extra: dict[str, Any] = {"hits": driver.hits, **driver.lease.notes(), **outcome.extra}
    if depth < NO_HORIZON:
        extra["depth"] = depth
    sure = not (driver.selective and outcome.horizon)  # a quicker win may have been left out
    if proven and driver.sooner and value and not met_chance:
        extra["distance" if sure else "distance_at_most"] = -abs(value) % scale
    coarse = met_chance and scale < FINE_ENOUGH
    if proven and coarse:
        extra["rounding"] = f"averages are in steps of {state.unit / scale:g}: largest is too high"
    line = driver.moves_of(outcome.line)
    if not line and state.turn != CHANCE:
        line = (state.moves()[0],)
    return driver.budget.result(
        payoff_of(value, state, scale, met_chance) if proven else value / scale * state.unit,
        Bound.EXACT if proven and not coarse else Bound.ESTIMATE,
        line,
        extra=extra,
    )


class Batch:
    """The values of many states of one game, one after another: for tables, samples and batches.

    Memory, killers and history are kept from state to state, and no lines are made: on deals that
    share a hand this takes half the nodes and a fifth of the time of a new search for each. The
    batch has a table to itself until `close`, so values may be asked for in any order.
    """

    def __init__(self, search: AlphaBeta) -> None:
        from dragon.search.table import Lease

        self.search = search
        self.nodes = 0
        self.lease = Lease(search.megabytes)
        self._driver: Driver | None = None
        self._game: Any = None

    def value(self, state: State[Any], limit: Limit | None = None) -> float | None:
        """Return seat 0's payoff under best play; None where the limit came first.

        Raise Objection for a game that alpha-beta cannot play, and ValueError for a state of
        another game than the first was of.
        """
        if state.turn == TERMINAL:
            return state.payoff()[0]
        limit, game = limit or Limit(), (type(state), state.game)
        if self._driver is None:
            self.search.check(game_of(state))
            self._game = game
            self._driver = self.search.prepare(state, limit, 0, self.lease)
            self._driver.lines = False
        elif game != self._game:
            raise ValueError(f"values of one game at a time: {state!r} is of another")
        self._driver.restart(state, limit)
        driver = self._driver
        outcome = self.search.iterate(driver, state, horizon(self.search, limit), 0)
        self.nodes += driver.budget.nodes
        self.lease.visited += driver.budget.nodes
        if not outcome.finished or outcome.horizon:
            return None
        return payoff_of(outcome.value, state, driver.scale, driver.met_chance)

    def close(self) -> None:
        """Give the table back."""
        self.lease.close()
        self._driver = None
