"""The base of searches for covers: the first cover of a state, or the best one proven."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import frozen

from dragon.core import TERMINAL, Bound, Game, Limit, Result, Search, State, Trait
from dragon.cover.enumeration import Covers, check_size
from dragon.cover.game import NOTHING, CoverState
from dragon.errors import SearchError

if TYPE_CHECKING:
    import numpy as np

    from dragon.cover.optimum import Best
    from dragon.cover.problem import Problem
    from dragon.cover.stream import Stream


@frozen
class CoverSearch(Search):
    """A search that enumerates covers. Authors write `stream`; the rest follows.

    On a State of a cover game the first cover proves the value; where covers are ranked,
    ever better ones come until all have been looked at.
    """

    needs = frozenset({Trait.COVER})
    limits = frozenset({"seconds", "nodes", "depth"})
    exact_only: ClassVar[bool] = False
    """Whether it knows no overlapping covers."""
    follows: ClassVar[bool] = False
    """Whether it branches as a CoverState does, so that its plain covers are lines."""

    @abstractmethod
    def stream(self, problem: Problem, exact: bool, size: int | None) -> Stream:
        """The covers of a problem; raises Objection for what this search cannot do."""

    def objection(self, game: Game[Any]) -> str | None:
        """Some searches know no overlapping covers."""
        if self.exact_only and not getattr(game, "exact", True):
            return f"{self} knows exact covers, not overlapping ones ({game}); dlx finds those"
        return super().objection(game)

    def covers(
        self,
        problem: Problem,
        exact: bool = True,
        size: int | None = None,
        limit: Limit | None = None,
    ) -> Covers:
        """The covers of a problem; raises ConfigError for a size below 0."""
        check_size(size)
        return Covers(self.stream(problem, exact, size), limit)

    def improve(
        self, state: State[Any], limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """The first cover, or ever cheaper ones; `extra` holds the verdict.

        It is `cover`, `no cover`, or `unknown` where the limit came before either was proven.
        """
        state = cover_state(self, state)
        table, size = state.table, room(state, limit)
        found = self.covers(state.rest(), table.exact, size, limit)
        best, least = None, float("-inf")
        for cover in found:
            if self.follows and not table.ranked and table.exact and table.problem.plain:
                line = tuple(table.problem.names[o] for o in cover)
                yield result(found, 1.0, Bound.EXACT, line)
                return
            value, bound, line = claimed(state, cover, proven=False)
            if bound is not Bound.ESTIMATE and value > least:
                best, least = cover, value
                if not table.ranked:
                    break
                yield result(found, value, bound, line)
        proven = found.bound is Bound.EXACT and size == room(state, Limit())
        yield result(found, *claimed(state, best, proven))


def cover_state(search: Search, state: State[Any]) -> CoverState:
    """The state, if it is one of a cover game; raises SearchError otherwise."""
    if not isinstance(state, CoverState):
        raise SearchError(f"{search} needs a cover problem, not {state}")
    return state


def room(state: CoverState, limit: Limit) -> int | None:
    """Return how many options a cover of what is left may have; None: any number."""
    own, chosen = state.table.size, len(state.chosen)
    given = [n for n in (limit.depth, own and own - chosen) if n is not None]
    return min(given) + (chosen if state.table.spare else 0) if given else None


def played(state: CoverState, cover: tuple[int, ...]) -> CoverState | None:
    """The end of the game in which these options are chosen, in the order that it asks for.

    None where one of the options chosen before could then be left out of an overlapping cover.
    With bounds there may be several orders, some of which end early: one that uses them all.
    """
    if not (state.table.problem.plain or state.table.spare):
        return max(_ends(state, frozenset(cover)), key=lambda end: len(end.chosen), default=None)
    left = {state.table.problem.names[o] for o in set(cover).difference(state.chosen)}
    if state.table.spare:
        left.add(NOTHING)
    while state.turn != TERMINAL:
        move = next((name for name in state.moves() if name in left), None)
        if move is None:
            return None
        left.remove(move)
        state = state.after(move)
    return state


def claimed(
    state: CoverState, cover: tuple[int, ...] | None, proven: bool
) -> tuple[float, Bound, tuple[str, ...]]:
    """Value, bound and line by the best cover known, or by none; proven: there is no better one."""
    ranked, end = state.table.ranked, None if cover is None else played(state, cover)
    if end is None:
        bound = Bound.EXACT if proven else Bound.ESTIMATE
        return -state.table.largest if ranked else 0.0, bound, state.moves()[:1]
    bound = Bound.EXACT if proven or not ranked else Bound.LOWER
    line = [state.table.problem.names[o] for o in end.chosen[len(state.chosen) :]]
    return end.payoff()[0], bound, (*line, NOTHING) if end.enough > state.enough else (*line,)


def _ends(state: CoverState, left: frozenset[int]) -> Iterator[CoverState]:
    """Every end of a game in which only these options are chosen."""
    if state.turn == TERMINAL:
        yield state
    for move in state.moves():
        option = state.table.problem.option_index[move]
        if option in left:
            yield from _ends(state.after(move), left - {option})


def result(found: Covers | Best, value: float, bound: Bound, line: tuple[str, ...]) -> Result:
    """Return what a search for covers claims."""
    verdict = "unknown" if bound is Bound.ESTIMATE else found.verdict
    return Result(value, bound, line, 0.0, found.nodes, found.seconds, {"verdict": verdict})
