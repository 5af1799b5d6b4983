"""Searches for the best line of one seat: A*, IDA*, breadth-first and beam search.

Here are their settings and their results. Each search has a module of its own with its kernel and
driver, `astar`, `idastar` and `layers`, which is imported when it begins. `patterns` has pattern
databases, the upper bounds, and the states that `astar` and `layers` keep.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import field, frozen, validators

from dragon.core import Bound, Game, Limit, Result, Run, Search, State, Trait
from dragon.errors import Objection
from dragon.rules.record import RecordGame, RecordState
from dragon.search.budget import megabytes_setting

if TYPE_CHECKING:
    from numpy.random import Generator

    from dragon.search.path.patterns import ProvingDriver, Tables


class PathSearch(Search):
    """A search for the line of one seat that pays most, in a game by Rules."""

    needs = frozenset({Trait.SOLO})
    excludes = frozenset({Trait.CHANCE, Trait.HIDDEN})
    limits = frozenset({"seconds", "nodes"})
    deterministic = True

    def objection(self, game: Game[Any]) -> str | None:
        """Object to a game that is not one by Rules."""
        if (sentence := super().objection(game)) is not None or isinstance(game, RecordGame):
            return sentence
        return f"{self} needs a game by Rules ({game} is not one)"

    def tables(self, game: RecordGame) -> Tables:
        """Return the pattern databases to use; none without a setting `patterns`."""
        from dragon.search.path.patterns import tables_of

        return tables_of(game, bool(getattr(self, "patterns", False)))

    def open(self, game: Game[Any] | None = None) -> Run:
        """Open a run, and make the pattern databases before a clock runs."""
        if isinstance(game, RecordGame):
            self.tables(game)
        return super().open(game)

    def record(self, state: State[Any]) -> RecordState:
        """Return the state if it is one of a game by Rules; raise Objection otherwise."""
        if not isinstance(state, RecordState):
            raise Objection(f"{self} needs a state of a game by Rules ({state} is not one)")
        return state


class ProvingSearch(PathSearch):
    """A search that lowers an upper bound of the value until a line reaches it."""

    @abstractmethod
    def driver(self, state: RecordState, limit: Limit) -> ProvingDriver:
        """Return the driver of a search of this state."""

    def improve(self, state: State[Any], limit: Limit, rng: Generator) -> Iterator[Result]:
        """Yield a result for each upper bound, and one for the line that is found."""
        first, record = (state.moves()[0],), self.record(state)
        driver, unit = self.driver(record, limit), state.unit
        run, results = driver.m.runs[0], driver.m.results[0]
        budget, value = driver.budget, state.largest
        while driver.go_on():
            value = int(run["asked"]) * unit
            if results["found"]:
                yield budget.result(value, Bound.EXACT, driver.line(), extra=driver.extra())
                return
            if not driver.ask_less():
                break
            value = int(run["asked"]) * unit
            yield budget.result(value, Bound.UPPER, first, extra=driver.extra())
        yield budget.result(value, Bound.UPPER, first, extra=driver.extra())


@frozen
class AStar(ProvingSearch):
    """A*: finds the line that pays most, and expands the fewest states that prove it."""

    name = "astar"

    megabytes: float = megabytes_setting(256.0)
    """The memory of the nodes; when it is full, the search ends with a bound."""
    patterns: bool = True
    """Use the pattern databases that the game declares."""

    def driver(self, state: RecordState, limit: Limit) -> ProvingDriver:
        from dragon.search.path.astar import AStarDriver

        return AStarDriver(self, state, limit, self.tables(state.game), self.megabytes)


@frozen
class IDAStar(ProvingSearch):
    """Iterative-deepening A*: depth-first for each upper bound, in the memory of one line."""

    name = "idastar"

    table: bool = False
    """Keep visited states in a table, for puzzles where many ways lead to a state."""
    megabytes: float = megabytes_setting(64.0)
    """Size of that table."""
    patterns: bool = True
    """Use the pattern databases that the game declares."""

    def driver(self, state: RecordState, limit: Limit) -> ProvingDriver:
        from dragon.search.path.idastar import IDAStarDriver

        megabytes = self.megabytes if self.table else 0
        return IDAStarDriver(self, state, limit, self.tables(state.game), megabytes)


@frozen
class Layers(PathSearch):
    """The base of breadth-first and beam search."""

    limits = frozenset({"seconds", "nodes", "depth"})

    megabytes: float = megabytes_setting(256.0)
    """The memory of the states; when it is full, the search ends."""

    def most(self) -> int | None:
        """The number of states of a layer that are expanded; None: all."""
        return None

    def improve(self, state: State[Any], limit: Limit, rng: Generator) -> Iterator[Result]:
        """Yield a result for each layer."""
        from dragon.search.path.layers import LayersDriver

        first, state, plies = (state.moves()[0],), self.record(state), limit.depth
        driver = LayersDriver(self, state, limit, self.tables(state.game), self.megabytes)
        result = driver.budget.result(state.largest, Bound.UPPER, first)
        for depth in range(1, 1 + min(state.rules.plies, plies or state.rules.plies)):
            done = driver.go_on() and not driver.m.results[0]["full"]
            result = driver.claim(result, depth if done else depth - 1, done)
            yield result
            if not done or result.bound is Bound.EXACT or not driver.next_layer(self.most()):
                return
            if driver.budget.late():  # a layer may end before a look at the clock
                return


@frozen
class Breadth(Layers):
    """Breadth-first search: every state once, those near the beginning first; needs memory."""

    name = "breadth"


@frozen
class Beam(Layers):
    """Beam search: of the states at each ply, keep those with the best upper bounds."""

    name = "beam"
    proves = False

    width: int = field(default=1000, validator=validators.ge(1))
    """The number of states of a layer that are kept."""
    patterns: bool = True
    """Use the pattern databases that the game declares."""

    def most(self) -> int | None:
        return self.width
