"""Df-pn: depth-first proof-number search (PNS), by yes-or-no questions.

The question is always whether the seat to move gets at least k units, for some k. The proof number
of a state is the least number of ends still to be examined to prove a yes, its disproof number that
for a no. The search follows the most-proving node and keeps the numbers in a bounded table. The
value follows from the answers: first whether there is a win, then at least a draw; where more
values are possible, by bisection. Each answer is a bound, as sharp as its proof allows.

Games with REPETITION are refused: positions must not recur, so that no proof depends on itself. One
position may be reached in several ways, and proof numbers then count the same work more than once
(overestimation); weak proof numbers (`weak`) avoid that.

A certificate is the strategy written out, position by position (`certify`). The table may have lost
a part of what the search found, so each position of the strategy is searched again where needed.
`dragon.certificate`, which uses only the rules of the game, replays the whole before it is
returned.

Sources: Allis 1994 (proof-number search); Nagai 2002 (df-pn); Pawlewicz and Lew 2007 (the
1 + epsilon trick); Ueda, Hashimoto, Hashimoto and Iida 2008 (weak proof numbers); Kishimoto,
Winands, Müller and Saito 2012 (survey); Henderson 2010 (focused df-pn: a few moves at a time).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from attrs import define, evolve, field, frozen, validators

from dragon.certificate import Proof
from dragon.core import TERMINAL, Bound, Game, Limit, Position, Result, Search, State, Trait
from dragon.errors import Objection, SearchError
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
"""The most states that are examined to write a line."""


NO_REPETITION = (
    "where positions recur, lines without end look no harder to prove than short ones; "
    "alphabeta and mcts do support it"
)
"""The objection to games with REPETITION."""


@frozen
class DfPn(Search):
    """Proof-number search (df-pn): proves wins, draws and losses, however deep."""

    name = "dfpn"
    needs = frozenset({Trait.DUEL})
    excludes = frozenset({Trait.CHANCE, Trait.HIDDEN, Trait.REPETITION})
    limits = frozenset({"seconds", "nodes"})
    deterministic = True

    megabytes: float = megabytes_setting(64.0)
    """Size of the transposition table, which begins with 1 at most; entries of least work are
    replaced first."""
    epsilon: float = field(default=0.25, validator=[validators.ge(0), validators.le(1000)])
    """The 1 + epsilon trick: how much longer the best move is followed than until the second-best
    is better, as a share."""
    weak: bool = True
    """Weak proof numbers: of the replies to be refuted, count the largest number, and one for each
    other; else their sum."""
    focus: float = field(default=0.1, validator=[validators.gt(0), validators.le(1)])
    """Focused df-pn: the share of the moves, two at least, that are searched at a time; a refuted
    one is replaced by the next."""
    ends: bool = True
    """At the first visit of a state, look for a move that wins at once."""
    order: bool = True
    """Move ordering by the game's own `order`."""
    history: bool = True
    """History heuristic: of moves that are equal in `order`, first those that proved something
    elsewhere."""
    reduce: bool = True
    """Try one of several moves that the game calls equivalent."""
    bounds: bool = True
    """Answer a question by the game's own `bounds`, where they decide it."""
    solved: bool = False
    """Probe the game's own `solved` at every state except the first, and do not search those whose
    value it knows."""

    def objection(self, game: Game[Any]) -> str | None:
        """Return the objection to games that are not zero-sum for two sides, or whose positions can
        recur."""
        if Trait.REPETITION in game.traits:
            return f"{self} does not support repetition ({game}); {NO_REPETITION}"
        sentence = super().objection(game) or two_sided_objection(self, game)
        return sentence or game_units_objection(self, game, MOST_IN_ENTRY)

    def span(self, state: State[Any]) -> tuple[int, int]:
        """Return the least and the most units that the mover can get, before any search."""
        low, high = -state.largest, state.largest
        if self.bounds and (bounds := state.bounds()) is not None:
            low, high = max(low, bounds[0]), min(high, bounds[1])  # which may be infinite
        low, high = whole_units(state, low), whole_units(state, high)
        return (low, high) if side(state) > 0 else (-high, -low)

    def open(self, game: Game[Any] | None = None) -> DfPnRun:
        """Return a run that keeps a table."""
        return DfPnRun(self, game)


class DfPnRun(TableRun):
    """A run of questions until both bounds meet; the table stays from move to move."""

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
        """Yield a result for each answer, until both bounds meet or the budget is spent."""
        check_two_sided(self.search, position.state)
        driver = self.driver(position.state, limit)
        yield from _results(self.search, driver, position.state)
        self._lease.visited += driver.budget.nodes


def _results(search: DfPn, driver: Driver, state: State[Any]) -> Iterator[Result]:
    """Yield the result that follows from each answer."""
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
    """Yield each answer with the mover's least and most units after it, until these meet.

    The last answer may be None, if the budget ended.
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
    """Return a result with the mover's units as a bound of this kind."""
    extra = _extra(driver, state, known)
    result = driver.budget.result(units * state.unit, bound, (move,), extra=extra)
    if bound is not Bound.EXACT:
        return result
    return evolve(result, line=tuple(_line(driver, state, units * side(state), move)))


def _extra(driver: Driver, state: State[Any], known: tuple[int, int]) -> dict[str, Any]:
    at_least, at_most = (units * state.unit for units in known)
    found = {"at_least": at_least, "at_most": at_most, "hits": driver.hits}
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
    """Return the best line of a state with this value in units for seat 0, as far as it is known.

    The side that loses replies with the move that took most work to refute.
    """
    looks = 0
    while move is not None:
        yield move
        state = state.after(move)
        if state.turn == TERMINAL:
            return
        moves = state.moves()
        looks += len(moves)
        if looks > LOOKS or driver.budget.late():
            return
        sign = side(state)
        worst = worth == -sign * whole_units(state, state.largest)
        asked = worth if (sign > 0) != worst else worth + 1
        if worst:
            costs = [driver.cost(child, asked) for child in following(state)]
            move = moves[costs.index(max(costs))]
        else:
            move = driver.known(state, asked)


def following(state: State[Any]) -> Iterator[State[Any]]:
    """Return the states after each move; by the code of the move where it has one, which is quicker
    than by its notation."""
    moves = state.moves()
    if isinstance(state, RecordState) and isinstance(moves, Moves):
        return (state.play(code) for code in moves.codes.tolist())
    return (state.after(move) for move in moves)


MOST = 100_000
"""The most positions of a certificate by default."""
STEP = 100
"""The number of positions written between two calls of the observer."""


class Watch(Protocol):
    """An observer: a function of the step's name and the amount done."""

    def __call__(self, doing: str, done: int, unit: str = ...) -> object: ...


def unwatched(doing: str, done: int, unit: str = "") -> None:
    """An observer that does nothing."""


@define
class Found:
    """The findings of `settle` so far, completed as the work goes on."""

    low: float
    """The seat to move gets at least this,"""
    high: float
    """and at most this."""
    move: Any = None
    """Its best known move."""
    proofs: list[Proof] = field(factory=list)
    positions: list[int] = field(factory=list)
    """The number of positions in the replay of each proof."""
    nodes: int = 0
    seconds: float = 0.0


def certify(
    game: Game[Any],
    state: State[Any],
    bound: Bound,
    value: float,
    search: DfPn | None = None,
    limit: Limit | None = None,
    most: int = MOST,
) -> Proof:
    """Return a proof that the seat to move gets at least, or at most, `value`; it has been
    replayed.

    Raises SearchError where the claim is false, where the limit ends the search first, or
    where the proof takes more than `most` positions.

    >>> import dragon
    >>> nim = dragon.game("nim(pile=5)")
    >>> certify(nim, nim.start(), Bound.LOWER, 1).moves
    {'5 A': '1', '1 A': '1', '2 A': '2', '3 A': '3'}
    """
    search = DfPn() if search is None else search
    if bound not in (Bound.LOWER, Bound.UPPER):
        raise SearchError(
            f"{bound} is not a bound; prove {Bound.LOWER} and {Bound.UPPER} one by one"
        )
    with running(search, game, state, limit) as driver:
        return _proof(driver, game, state, (bound, float(value)), most)[0]


def settle(
    game: Game[Any],
    state: State[Any],
    search: DfPn | None = None,
    limit: Limit | None = None,
    most: int = MOST,
    watch: Watch = unwatched,
) -> Iterator[Found]:
    """Find the value of `state`, then prove it: the same Found after each step.

    There are two proofs, for at least and for at most; one suffices where the value is the greatest
    or the least possible. Raises SearchError where the limit ends the search first, or where a
    proof takes more than `most` positions. `watch` is called as the work goes on.
    """
    search = DfPn() if search is None else search
    with running(search, game, state, limit, watch) as driver:
        unit, (least, greatest) = state.unit, search.span(state)
        found = Found(least * unit, greatest * unit)
        for answer, low, high in narrowing(search, driver, state):
            found.nodes, found.seconds = driver.budget.nodes, driver.budget.seconds
            found.low, found.high = low * unit, high * unit
            if answer.yes is None:
                yield found
                raise SearchError(f"the limit was reached before the value of {state} was known")
            if found.move is None or answer.yes == (side(state) > 0):
                found.move = answer.move
            yield found
        both = ((Bound.LOWER, found.low, least), (Bound.UPPER, found.high, greatest))
        for bound, value, trivial in both:
            if value == trivial * unit and (found.proofs or least != greatest):
                continue
            proof, positions = _proof(driver, game, state, (bound, value), most, watch)
            found.proofs.append(proof)
            found.positions.append(positions)
            found.nodes, found.seconds = driver.budget.nodes, driver.budget.seconds
            yield found


@contextmanager
def running(
    search: DfPn, game: Game[Any], state: State[Any], limit: Limit | None, watch: Watch = unwatched
) -> Iterator[Driver]:
    """Yield a driver, and give its table back afterwards; raises Objection if the game is
    refused."""
    with search.open(game) as run:
        if state.turn == TERMINAL:
            raise SearchError(f"the game is over in {state}, so there is nothing to prove")
        run.admit(state)
        check_two_sided(search, state)
        driver = run.driver(state, limit or Limit())
        driver.watch = partial(watch, "searching", unit="nodes")
        yield driver


def _proof(
    driver: Driver,
    game: Game[Any],
    state: State[Any],
    claim: tuple[Bound, float],
    most: int,
    watch: Watch = unwatched,
) -> tuple[Proof, int]:
    """Return the proof of a claim, and the number of positions in its replay."""
    bound, value = claim
    moves: dict[str, str] = {}
    for position, move in _strategy(driver, state, bound, value, most):
        moves[position] = move
        if len(moves) % STEP == 0:
            watch("writing", len(moves), unit="positions")
    proof = Proof(str(game), str(state), bound, value, moves)
    return proof, proof.check(state, partial(watch, "replaying"))


def _strategy(
    driver: Driver, state: State[Any], bound: Bound, value: float, most: int
) -> Iterator[tuple[str, str]]:
    """Return each position of the side that proves, with its move."""
    units, first = whole_units(state, value), side(state) > 0
    ours = 1 if first == (bound is Bound.LOWER) else -1
    asked = units + (bound is Bound.UPPER) if first else -units + (bound is Bound.LOWER)
    claim = f"the seat to move in {state} gets {bound} {value:g}"
    seen: set[State[Any]] = {state}
    ahead = [state]
    while ahead:
        here = ahead.pop()
        if side(here) == ours or here is state:
            answer = driver.ask(here, asked)
            if answer.yes is None:
                raise SearchError(f"the limit was reached before it was proven that {claim}")
            if answer.yes != (ours > 0):
                raise SearchError(f"it is not true that {claim}")
        if side(here) == ours:
            yield str(here), str(answer.move)
            children = iter([here.after(answer.move)])
        else:
            children = following(here)
        for child in children:
            if child.turn != TERMINAL and child not in seen:
                seen.add(child)
                ahead.append(child)
        if len(seen) > most:
            raise SearchError(
                f"the proof that {claim} has more than {most:,} positions; allow more"
            )
