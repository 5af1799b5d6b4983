"""Df-pn: depth-first proof-number search, by yes-or-no questions.

The question is always whether the seat to move gets at least so many units. Of a state the
proof number is how many ends must at least still be looked at before it is proven, the
disproof number the same of the contrary; the search goes where the smaller effort is and
keeps the numbers in a bounded table. The value is found between the answers: first whether
there is a win, then at least a draw; where more values are possible, by halving what is
left. Each answer is a bound, and as sharp a one as its proof allows.

Lines are finite and positions do not recur (every move is a step towards the end), so that a
proof never leans on itself; games with REPETITION are refused. One position may be reached in
several ways. Where that makes proof numbers count the same work more than once, `weak` counts of
the sum the largest alone.

Sources: Allis 1994 (proof-number search); Nagai 2002 (df-pn); Pawlewicz and Lew 2007 (the
1 + epsilon trick); Ueda, Hashimoto, Hashimoto and Iida 2008 (weak proof numbers); Kishimoto,
Winands, Müller and Saito 2012 (survey); Henderson 2010 (focused df-pn: a few moves at a time).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen, validators

from dragon.core import TERMINAL, Bound, Game, Limit, Position, Result, Search, State, Trait
from dragon.errors import Objection
from dragon.rules.record import Moves, RecordState
from dragon.search.budget import megabytes_setting
from dragon.search.two_sided import (
    MOST_IN_ENTRY,
    TableRun,
    check_two_sided,
    check_units,
    game_units_objection,
    side,
    two_sided_objection,
    whole_units,
)

if TYPE_CHECKING:
    from numpy.random import Generator

    from dragon.search.dfpn.driver import Answer, Driver

LOOKS = 3000
"""States looked at to write a line down, at most."""


NO_REPETITION = (
    "where positions recur, lines without end look no harder to prove than short ones; "
    "alphabeta and mcts do support it"
)
"""Why a game with REPETITION is refused, and what to take."""


@frozen
class DfPn(Search):
    """Proof numbers: a win, a draw or a loss proven where few moves matter, however deep."""

    name = "dfpn"
    needs = frozenset({Trait.DUEL})
    excludes = frozenset({Trait.CHANCE, Trait.HIDDEN, Trait.REPETITION})
    limits = frozenset({"seconds", "nodes"})
    deterministic = True

    megabytes: float = megabytes_setting(64.0)
    """Size of the table, which begins with 1 at most; what took least work is forgotten first."""
    epsilon: float = field(default=0.25, validator=[validators.ge(0), validators.le(1000)])
    """The share by which the best move is followed longer than the second-best."""
    weak: bool = True
    """Count of the replies to be refuted the hardest and one for each other; else their sum."""
    focus: float = field(default=0.1, validator=[validators.gt(0), validators.le(1)])
    """Share of the moves, two at least, that are open at a time; for one refuted the next comes."""
    ends: bool = True
    """When a state is first gone into, ask of all its moves whether one wins at once."""
    order: bool = True
    """Use the game's own `order` to say which moves come first."""
    history: bool = True
    """Let of moves that are equal in that those come first that proved something elsewhere."""
    reduce: bool = True
    """Try one of several moves that the game calls equivalent."""
    bounds: bool = True
    """Go no further than the game's own `bounds` leave room for."""
    solved: bool = False
    """Ask the game's own `solved` at every state but the first, and search none that it knows."""

    def objection(self, game: Game[Any]) -> str | None:
        """A proof needs two sides that want the contrary of each other, and lines that end."""
        if Trait.REPETITION in game.traits:
            return f"{self} does not support repetition ({game}); {NO_REPETITION}"
        sentence = super().objection(game) or two_sided_objection(self, game)
        return sentence or game_units_objection(self, game, MOST_IN_ENTRY)

    def span(self, state: State[Any]) -> tuple[int, int]:
        """The least and the most units that the mover can get, before any search."""
        most = whole_units(state, state.largest)
        low, high = -most, most
        if self.bounds and (bounds := state.bounds()) is not None:
            least, greatest = (whole_units(state, units) for units in bounds)
            low, high = max(low, least), min(high, greatest)
        return (low, high) if side(state) > 0 else (-high, -low)

    def open(self, game: Game[Any] | None = None) -> DfPnRun:
        """A run that keeps a table."""
        return DfPnRun(self, game)


class DfPnRun(TableRun):
    """Ask until both bounds meet; the table stays from move to move."""

    search: DfPn

    def driver(self, state: State[Any], limit: Limit) -> Driver:
        """Return the working memory of the search of a state.

        It has the table of this run. Raises Objection where positions can recur, or payoffs are
        too large.
        """
        if state.repeats:
            raise Objection(f"{self.search} does not support repetition; {NO_REPETITION}")
        check_units(self.search, state, MOST_IN_ENTRY)
        from dragon.search.dfpn.driver import Driver

        return Driver(self.search, state, limit, self._lease)

    def improve(self, position: Position, limit: Limit, rng: Generator) -> Iterator[Result]:
        """A result for each answer, until both bounds meet or the budget is spent."""
        check_two_sided(self.search, position.state)
        driver = self.driver(position.state, limit)
        yield from _results(self.search, driver, position.state)
        self._lease.visited += driver.budget.nodes


def _results(search: DfPn, driver: Driver, state: State[Any]) -> Iterator[Result]:
    """Yield what each answer lets the search claim."""
    low, high = search.span(state)
    sign, best, result = side(state), None, None
    for answer, low, high in narrowing(search, driver, state):
        if answer.yes is None:
            yield _stopped(driver, state, (low, high), result, answer)
            return
        if yes := answer.yes == (sign > 0):
            best = answer.move
        bound = Bound.EXACT if low == high else Bound.LOWER if yes else Bound.UPPER
        move = answer.move if best is None else best
        result = _claim(driver, state, (low, high), bound, low if yes else high, move)
        yield result
    if result is None:
        yield _claim(driver, state, (low, high), Bound.EXACT, low, state.moves()[0])


def narrowing(search: DfPn, driver: Driver, state: State[Any]) -> Iterator[tuple[Answer, int, int]]:
    """Ask until the mover's least and most units meet: each answer, and the two after it.

    The last answer may be none, where the budget ended.
    """
    low, high = search.span(state)
    sign = side(state)
    while low < high:
        wanted = high if high - low <= 2 else (low + high + 1) // 2
        answer = driver.ask(state, wanted if sign > 0 else 1 - wanted)
        if answer.yes is not None and answer.yes == (sign > 0):
            low = max(low, sign * answer.worth)
        elif answer.yes is not None:
            high = min(high, sign * answer.worth)
        yield answer, low, high
        if answer.yes is None:
            return


def _claim(
    driver: Driver, state: State[Any], known: tuple[int, int], bound: Bound, units: int, move: Any
) -> Result:
    """A result that says `bound` of so many units for the mover."""
    extra = _extra(driver, state, known)
    result = driver.budget.result(units * state.unit, bound, (move,), extra=extra)
    if bound is not Bound.EXACT:
        return result
    return evolve(result, line=tuple(_line(driver, state, units * side(state), move)))


def _extra(driver: Driver, state: State[Any], known: tuple[int, int]) -> dict[str, Any]:
    at_least, at_most = (units * state.unit for units in known)
    found = {"at_least": at_least, "at_most": at_most, "hits": driver.known.hits}
    return {**found, **driver.lease.notes()}


def _stopped(
    driver: Driver, state: State[Any], known: tuple[int, int], result: Result | None, answer: Answer
) -> Result:
    """Return the claim at an early end: the last answer after more work, or a move alone."""
    budget, extra = driver.budget, _extra(driver, state, known)
    if result is None:
        move = state.moves()[0] if answer.move is None else answer.move
        value = min(max(0, known[0]), known[1]) * state.unit
        return budget.result(value, Bound.ESTIMATE, (move,), extra=extra)
    replaced = result.bound is Bound.UPPER and answer.move is not None
    line = (answer.move,) if replaced else result.line
    return evolve(result, line=line, nodes=budget.nodes, seconds=budget.seconds, extra=extra)


def _line(driver: Driver, state: State[Any], worth: int, move: Any) -> Iterator[Any]:
    """The best line of a state that is worth so many units to seat 0, as far as it is known.

    Who can do no worse replies with what took most work to refute.
    """
    looks = 0
    while move is not None:
        yield move
        state = state.after(move)
        if state.turn == TERMINAL:
            return
        moves, move = state.moves(), None
        looks += len(moves)
        if looks > LOOKS or driver.budget.late():
            return
        sign = side(state)
        worst = worth == -sign * whole_units(state, state.largest)
        asked = worth if (sign > 0) != worst else worth + 1
        best = -1
        for each, child in zip(moves, following(state), strict=True):
            proof, disproof, _ = driver.known.look(child, asked)
            if worst and (work := driver.known.work(child, asked)) > best:
                move, best = each, work
            elif not worst and (proof if sign > 0 else disproof) == 0:
                move = each
                break


def following(state: State[Any]) -> Iterator[State[Any]]:
    """The states after each move, without a detour by the notation where there is a code."""
    moves = state.moves()
    if isinstance(state, RecordState) and isinstance(moves, Moves):
        return (state.play(code) for code in moves.codes.tolist())
    return (state.after(move) for move in moves)
