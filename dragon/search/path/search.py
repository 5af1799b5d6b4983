"""What the searches for paths share: who may use them, and how what they find becomes results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

from dragon.core import Bound, Game, Limit, Result, Run, Search, State, Trait
from dragon.rules.record import RecordGame, RecordState
from dragon.search.budget import Budget
from dragon.search.path.patterns import Tables, tables_of

if TYPE_CHECKING:
    from numpy.random import Generator

NOTHING = -(1 << 60)
"""Units, less than any payoff: nothing is promised."""


class Driver(Protocol):
    """What proves step by step how much a state is worth at most."""

    budget: Budget

    @property
    def m(self) -> Any:
        """Its memory; `runs` has the fields `asked`, `next` and `found` among others."""

    def go_on(self) -> bool:
        """Whether a step is done: `found`, or nothing is worth more than `next`."""

    def ask_less(self) -> None:
        """Gets ready for the next step, in which `next` is asked."""

    def line(self) -> tuple[str, ...]:
        """The line that was found."""


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
        return f"{self} needs a game by Rules ({game} is none)"

    def tables(self, game: RecordGame) -> Tables:
        """The pattern databases that it asks; none without a setting `patterns`."""
        return tables_of(game, bool(getattr(self, "patterns", False)))

    def open(self, game: Game[Any] | None = None) -> Run:
        """A run; what takes long to be made is made now, before a clock runs."""
        if isinstance(game, RecordGame):
            self.tables(game)
        return super().open(game)

    def driver(self, state: RecordState, limit: Limit) -> Driver:
        """The working memory of the search of a state."""
        raise NotImplementedError

    def improve(self, state: State[Any], limit: Limit, rng: Generator) -> Iterator[Result]:
        """A result each time that less must be asked, and one for the line that is found."""
        first = (state.moves()[0],)
        assert isinstance(state, RecordState)
        driver, unit = self.driver(state, limit), state.unit
        run, budget = driver.m.runs[0], driver.budget
        result = budget.result(state.largest, Bound.UPPER, first)
        while driver.go_on():
            asked, extra = int(run["asked"]) * unit, self.extra(driver)
            if run["found"]:
                yield budget.result(asked, Bound.EXACT, driver.line(), extra=extra)
                return
            if run["next"] == NOTHING:
                break
            driver.ask_less()
            value = int(run["asked"]) * unit
            yield (result := budget.result(value, Bound.UPPER, first, extra=extra))
        yield budget.result(result.value, Bound.UPPER, first, extra=self.extra(driver))

    def extra(self, driver: Any) -> dict[str, Any]:
        """What a result says beside."""
        return {}
