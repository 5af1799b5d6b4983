"""The searches for paths: their settings, who may use them, and how what they find is claimed.

What they do is in `astar`, `idastar` and `layers`, which are imported when one of them begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

from attrs import field, frozen, validators

from dragon.core import Bound, Game, Limit, Result, Run, Search, State, Trait
from dragon.errors import Objection
from dragon.rules.record import RecordGame, RecordState
from dragon.search.budget import Budget, megabytes_setting

if TYPE_CHECKING:
    from numpy.random import Generator

    from dragon.search.path.patterns import Tables


class Driver(Protocol):
    """A driver that proves step by step the most that a state is worth."""

    budget: Budget
    m: Any
    """Its memory; `runs` has the fields `asked`, units that no line exceeds, and `found`."""

    def go_on(self) -> bool:
        """Return True if a step is done."""

    def ask_less(self) -> bool:
        """Gets ready for the next step; false where nothing is promised by what is left."""

    def line(self) -> tuple[str, ...]:
        """The line that was found."""

    def extra(self) -> dict[str, Any]:
        """Return the notes of a result."""


class PathSearch(Search):
    """A search for the line of one seat that pays most, in a game by Rules."""

    needs = frozenset({Trait.SOLO})
    excludes = frozenset({Trait.CHANCE, Trait.HIDDEN})
    limits = frozenset({"seconds", "nodes"})
    deterministic = True

    def objection(self, game: Game[Any]) -> str | None:
        """There must be one seat, nothing hidden, and rules that can be compiled."""
        if (sentence := super().objection(game)) is not None or isinstance(game, RecordGame):
            return sentence
        return f"{self} needs a game by Rules ({game} is not one)"

    def tables(self, game: RecordGame) -> Tables:
        """The pattern databases that it asks; none without a setting `patterns`."""
        from dragon.search.path.patterns import tables_of

        return tables_of(game, bool(getattr(self, "patterns", False)))

    def open(self, game: Game[Any] | None = None) -> Run:
        """A run; what takes long to be made is made now, before a clock runs."""
        if isinstance(game, RecordGame):
            self.tables(game)
        return super().open(game)

    def record(self, state: State[Any]) -> RecordState:
        """The state, if it is one of a game by Rules; raises Objection otherwise."""
        if not isinstance(state, RecordState):
            raise Objection(f"{self} needs a state of a game by Rules ({state} is not one)")
        return state

    def driver(self, state: RecordState, limit: Limit) -> Driver:
        """The working memory of the search of a state."""
        raise NotImplementedError

    def improve(self, state: State[Any], limit: Limit, rng: Generator) -> Iterator[Result]:
        """A result each time that less must be asked, and one for the line that is found."""
        first, record = (state.moves()[0],), self.record(state)
        driver, unit = self.driver(record, limit), state.unit
        run, budget, value = driver.m.runs[0], driver.budget, state.largest
        while driver.go_on():
            value = int(run["asked"]) * unit
            if run["found"]:
                yield budget.result(value, Bound.EXACT, driver.line(), extra=driver.extra())
                return
            if not driver.ask_less():
                break
            value = int(run["asked"]) * unit
            yield budget.result(value, Bound.UPPER, first, extra=driver.extra())
        yield budget.result(value, Bound.UPPER, first, extra=driver.extra())


@frozen
class AStar(PathSearch):
    """The line that pays most, opening as few states as any search that can prove it."""

    name = "astar"

    megabytes: float = megabytes_setting(256.0)
    """What the nodes may take; where they take it, the search ends with a bound."""
    patterns: bool = True
    """Let pattern databases say what is still to do, where the game declares some."""

    def driver(self, state: RecordState, limit: Limit) -> Driver:
        """The working memory of the search of a state."""
        from dragon.search.path.astar import AStarDriver

        return AStarDriver(self, state, limit, self.tables(state.game), self.megabytes)


@frozen
class IDAStar(PathSearch):
    """A*'s proof in the memory of one line: depth-first, and again where less must be asked."""

    name = "idastar"

    table: bool = False
    """Keep states that were followed, for puzzles where many ways lead to one state."""
    megabytes: float = megabytes_setting(64.0)
    """Size of that table."""
    patterns: bool = True
    """Let pattern databases say what is still to do, where the game declares some."""

    def driver(self, state: RecordState, limit: Limit) -> Driver:
        """The working memory of the search of a state."""
        from dragon.search.path.idastar import IDAStarDriver

        megabytes = self.megabytes if self.table else 0
        return IDAStarDriver(self, state, limit, self.tables(state.game), megabytes)


@frozen
class Layers(PathSearch):
    """The common part of breadth-first and beam search."""

    limits = frozenset({"seconds", "nodes", "depth"})

    megabytes: float = megabytes_setting(256.0)
    """What the states may take; where they take it, the search ends."""

    def most(self) -> int | None:
        """States of a layer that are opened; None: all."""
        return None

    def improve(self, state: State[Any], limit: Limit, rng: Generator) -> Iterator[Result]:
        """A result for each layer."""
        from dragon.search.path.layers import LayersDriver

        first, state, plies = (state.moves()[0],), self.record(state), limit.depth
        driver = LayersDriver(self, state, limit, self.tables(state.game), self.megabytes)
        result = driver.budget.result(state.largest, Bound.UPPER, first)
        for depth in range(1, 1 + min(state.rules.plies, plies or state.rules.plies)):
            done = driver.go_on() and not driver.m.runs[0]["full"]
            result = driver.claim(result, depth if done else depth - 1, done)
            yield result
            if not done or result.bound is Bound.EXACT or not driver.next_layer(self.most()):
                return
            if driver.budget.late():  # a layer may be done before anybody looks at the clock
                return


@frozen
class Breadth(Layers):
    """Every state once, those near the beginning first; what it takes is memory."""

    name = "breadth"


@frozen
class Beam(Layers):
    """Beam search: of the states at each ply keep those that promise most."""

    name = "beam"
    proves = False

    width: int = field(default=1000, validator=validators.ge(1))
    """States of a layer that are kept."""
    patterns: bool = True
    """Let pattern databases say what is still to do, where the game declares some."""

    def most(self) -> int | None:
        """The width."""
        return self.width
