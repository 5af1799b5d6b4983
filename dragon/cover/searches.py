"""The searches for covers, and their base.

A search gives a stream of covers; on a state of a cover game, the first cover proves the value.
`AlgorithmX` is short, and in plain Python: read it first.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import field, frozen, validators

from dragon.core import TERMINAL, Bound, Game, Limit, Result, Search, State, Trait
from dragon.cover.game import NOTHING, CoverState, Table, members
from dragon.cover.stream import Cover, Covers, Events
from dragon.errors import ConfigError, Objection, SearchError
from dragon.hookspecs import hookimpl

if TYPE_CHECKING:
    import numpy as np

    from dragon.cover.diagram import Diagram
    from dragon.cover.diagram_builder import DiagramBuilder
    from dragon.cover.optimum import Best
    from dragon.cover.problem import Problem
    from dragon.cover.stream import Stream

__path__: list[str] = []  # a former package: its modules' names raise an error with the new place
COUNTED_BY_SIZE = (
    "list overlapping ones with dlx, or count all of them by size with "
    "dragon.cover.sizes.covers_by_size"
)
FIRST_RESULT = 1 << 16
"""Subproblems solved before the first result of `Count`, and twice as many for each next one."""


@hookimpl
def dragon_searches() -> list[type[Search]]:
    """The searches for covers."""
    return [AlgorithmX, Count, DancingCells, DLX]


def check_size(size: int | None) -> None:
    """Raise ConfigError for a size below 0."""
    if size is not None and size < 0:
        raise ConfigError(f"size is {size}; write 0 or more")


def covers(
    problem: Problem, exact: bool = True, size: int | None = None, limit: Limit | None = None
) -> Covers:
    """Return the covers of at most `size` options, by dancing links.

    exact: as `dragon.cover.problem` defines them; otherwise overlapping covers without a redundant
    option.
    """
    check_size(size)
    from dragon.cover.exact import exact_stream
    from dragon.cover.minimal import minimal_stream

    stream = exact_stream(problem, size) if exact else minimal_stream(problem, size)
    return Covers(stream, limit)


# ---- the base ------------------------------------------------------------------------------------


@frozen
class CoverSearch(Search):
    """A search that enumerates covers; a new one has to define `stream` alone.

    On a State of a cover game the first cover proves the value. Where covers are ranked, better
    and better ones are given until all have been seen.
    """

    needs = frozenset({Trait.COVER})
    limits = frozenset({"seconds", "nodes", "depth"})
    exact_only: ClassVar[bool] = False
    """True if it finds exact covers only."""
    follows: ClassVar[bool] = False
    """True if it branches as a CoverState does, so that its covers are lines where items do not
    have bounds."""

    @abstractmethod
    def stream(self, problem: Problem, exact: bool, size: int | None) -> Stream:
        """Return the covers of a problem; raise Objection for a kind that it does not find."""

    def objection(self, game: Game[Any]) -> str | None:
        """Object to overlapping covers where the search finds exact ones only."""
        if self.exact_only and not getattr(game, "exact", True):
            return f"{self} finds exact covers, not overlapping ones ({game}); take dlx"
        return super().objection(game)

    def covers(
        self,
        problem: Problem,
        exact: bool = True,
        size: int | None = None,
        limit: Limit | None = None,
    ) -> Covers:
        """Return the covers of a problem; raise ConfigError for a size below 0."""
        check_size(size)
        return Covers(self.stream(problem, exact, size), limit)

    def improve(
        self, state: State[Any], limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """Yield the first cover, or cheaper and cheaper ones, with the verdict in `extra`.

        It is `cover`, `no cover`, or `unknown` where the limit was reached before either was
        proven.
        """
        state = cover_state(self, state)
        table, size = state.table, room(state, limit)
        found = self.covers(state.rest(), table.exact, size, limit)
        best, least = None, float("-inf")
        for cover in found:
            plain = table.problem.plain and not (table.ranked or table.spare)
            if self.follows and table.exact and plain:
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
    """Return the state if it is one of a cover game; raise SearchError otherwise."""
    if not isinstance(state, CoverState):
        raise SearchError(f"{search} needs a cover problem, not {state}")
    return state


def room(state: CoverState, limit: Limit) -> int | None:
    """Return the most options that a cover of the rest may have; None: any number."""
    own, chosen = state.table.size, len(state.chosen)
    given = [n for n in (limit.depth, own and own - chosen) if n is not None]
    return min(given) + (chosen if state.table.spare else 0) if given else None


def played(state: CoverState, cover: tuple[int, ...]) -> CoverState | None:
    """Return the end of the game in which these options are chosen, in an order that it allows.

    None where an option chosen before is then redundant in an overlapping cover. With bounds there
    may be several orders, of which some end early: the one that uses most options is taken.
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
    """Return value, bound and line by the best cover known, if any; proven: none is better."""
    ranked, end = state.table.ranked, None if cover is None else played(state, cover)
    if end is None:
        bound = Bound.EXACT if proven else Bound.ESTIMATE
        return -state.table.largest if ranked else 0.0, bound, state.moves()[:1]
    bound = Bound.EXACT if proven or not ranked else Bound.LOWER
    line = [state.table.problem.names[o] for o in end.chosen[len(state.chosen) :]]
    return end.payoff()[0], bound, (*line, NOTHING) if end.enough > state.enough else (*line,)


def _ends(state: CoverState, left: frozenset[int]) -> Iterator[CoverState]:
    """Yield every end of the game in which only these options are chosen."""
    if state.turn == TERMINAL:
        yield state
    for move in state.moves():
        option = state.table.problem.option_index[move]
        if option in left:
            yield from _ends(state.after(move), left - {option})


def result(found: Covers | Best, value: float, bound: Bound, line: tuple[str, ...]) -> Result:
    """Return the claim of a search for covers."""
    verdict = "unknown" if bound is Bound.ESTIMATE else found.verdict
    return Result(value, bound, line, 0.0, found.nodes, found.seconds, {"verdict": verdict})


# ---- Algorithm X ---------------------------------------------------------------------------------


def algorithm_x(
    left: dict[int, int], beside: Sequence[int], chosen: Cover, size: int
) -> Iterator[Cover | None]:
    """Yield every cover that contains `chosen`, and None for each other node.

    left: for each item that is not yet covered, the options that can still cover it (Knuth,
    *Dancing Links*, 2000; the steps are those of TAOCP 4B, 7.2.2.1). beside: for each option, those
    that can be chosen together with it. Sets of options are integers' bits.
    """
    # X2. Enter level l.
    if not left:
        yield chosen
        return
    yield None
    if len(chosen) == size:
        return
    # X3. Choose i.
    item = min(left, key=lambda i: left[i].bit_count())
    # X4. Cover i: `rest` is what each option of i leaves. Nothing has to be put back (X6, X7).
    for option in members(left[item]):
        # X5. Try x[l].
        rest = {i: left[i] & beside[option] for i in left if not left[i] >> option & 1}
        yield from algorithm_x(rest, beside, (*chosen, option), size)


@frozen
class AlgorithmX(CoverSearch):
    """Exact covers in a dozen lines of plain Python."""

    name = "algorithm_x"
    follows = True
    exact_only = True

    def stream(self, problem: Problem, exact: bool, size: int | None) -> Stream:
        """Return the exact covers; raise Objection for items with bounds."""
        from dragon.cover.exact import extended

        if not exact or not problem.plain:
            what = "items with bounds" if exact else "overlapping covers"
            raise Objection(f"{self} finds no {what}; take dlx")
        table = Table(problem)
        asked = (i for i, name in enumerate(problem.primary) if name not in problem.hidden_items)
        left = {i: table.rows[i] for i in asked}
        most = len(problem.options) if size is None else size
        found = algorithm_x(left, table.beside, (), most)
        return extended(Events(found), problem, size)


# ---- dancing links, dancing cells ----------------------------------------------------------------


@frozen
class DLX(CoverSearch):
    """Exact covers by dancing links, with colours and multiplicities; overlapping ones as well."""

    name = "dlx"
    follows = True

    def stream(self, problem: Problem, exact: bool, size: int | None) -> Stream:
        """Return the exact covers, or the overlapping ones without a redundant option."""
        from dragon.cover.exact import exact_stream
        from dragon.cover.minimal import minimal_stream

        return exact_stream(problem, size) if exact else minimal_stream(problem, size)

    def improve(
        self, state: State[Any], limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """Yield the first cover, or cheaper and cheaper ones by branch and bound."""
        state = cover_state(self, state)
        table = state.table
        mixed = state.chosen and not table.exact  # the chosen options may share items with others
        if table.ranked and (table.spare or (table.problem.plain and not mixed)):
            return self._cheapest(state, limit)
        return super().improve(state, limit, rng)

    def _cheapest(self, state: CoverState, limit: Limit) -> Iterator[Result]:
        from dragon.cover.optimum import improve

        size = room(state, limit)
        unlimited = size == room(state, Limit())
        among = "all" if state.table.spare else "minimal"
        for best in improve(state.rest(), 1, state.table.exact, among, size, limit):
            proven = unlimited and best.bound is Bound.EXACT
            cover = best.covers[0].options if best.covers else None
            yield result(best, *claimed(state, cover, proven))


@frozen
class DancingCells(CoverSearch):
    """Exact covers by sparse sets (Knuth, SSXCC); faster where items soon run out of options."""

    name = "dancing_cells"
    exact_only = True

    def stream(self, problem: Problem, exact: bool, size: int | None) -> Stream:
        """Return the exact covers; raise Objection for items with bounds."""
        from dragon.cover.dancing_cells import cells_stream

        if not exact:
            raise Objection(f"{self} finds exact covers, not overlapping ones; take dlx")
        return cells_stream(problem, size)


# ---- counting ------------------------------------------------------------------------------------


@frozen
class Count(CoverSearch):
    """The number of exact covers without listing them; of ranked ones the best.

    A decision diagram holds them, in which each subproblem is solved once.
    """

    name = "count"
    exact_only = True

    megabytes: float = field(default=1000.0, validator=validators.gt(0))
    """The most memory that the table of subproblems may take (10**6 bytes)."""

    def objection(self, game: Game[Any]) -> str | None:
        """Object to overlapping covers, and name the functions that count those."""
        if not getattr(game, "exact", True):
            return f"{self} counts exact covers, not overlapping ones; {COUNTED_BY_SIZE}"
        return super().objection(game)

    def stream(self, problem: Problem, exact: bool, size: int | None) -> Stream:
        """Return a stream that gives all covers at once when the diagram is complete."""
        from dragon.cover.diagram_builder import DiagramStream

        self._refuse(exact)
        return DiagramStream(problem, size, self.megabytes)

    def improve(
        self, state: State[Any], limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """Yield the value with a cover that proves it, and in `extra` the number of `covers` found.

        `covers_bound` says whether these are all. A node is a visit of a subproblem.
        """
        from dragon.cover.diagram_builder import DiagramBuilder

        state = cover_state(self, state)
        self._refuse(state.table.exact)
        problem = state.table.problem
        if state.table.ranked and not problem.plain:
            # A game ends when nothing need be chosen any more; a diagram's covers may go on.
            raise SearchError(
                f"{self} ranks covers of items covered once, but {problem.bounded[0]!r} has "
                "bounds; rank them with dlx"
            )
        builder = DiagramBuilder(state.rest(), limit, self.megabytes)
        target = FIRST_RESULT
        while builder.advance():
            if builder.states >= target:
                target *= 2
                yield _result(state, builder, limit)
        yield _result(state, builder, limit)

    def _refuse(self, exact: bool) -> None:
        if not exact:
            raise Objection(f"{self} counts exact covers; {COUNTED_BY_SIZE}")


def _result(state: CoverState, builder: DiagramBuilder, limit: Limit) -> Result:
    """Return the claim so far."""
    table, diagram, size = state.table, builder.diagram(), room(state, limit)
    cover = _best(diagram, table.ranked, size)
    proven = diagram.complete and size == room(state, Limit())
    value, bound, line = claimed(state, cover, proven)
    verdict = "no cover" if cover is None else "cover"
    extra = {
        "verdict": "unknown" if bound is Bound.ESTIMATE else verdict,
        "covers": diagram.count(size),
        "covers_bound": str(Bound.EXACT if diagram.complete else Bound.LOWER),
        "states": builder.states,
    }
    if builder.full:
        extra["stopped"] = f"{builder.megabytes:g} megabytes are full"
    return Result(value, bound, line, 0.0, builder.nodes, builder.seconds, extra)


def _best(diagram: Diagram, ranked: bool, size: int | None) -> tuple[int, ...] | None:
    """Return the best cover if the diagram is complete; otherwise any, or None."""
    if ranked and diagram.complete:
        found = diagram.cheapest(size)
        return None if found is None else found[1]
    if size is None:
        return diagram.cover(0) if diagram.count() else None
    return diagram.smallest(size)
