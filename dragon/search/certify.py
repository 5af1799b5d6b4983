"""From a search's answer to a certificate: the strategy written out, position by position.

What the search has found is in its table, of which it may have forgotten a part. So in each
position that comes up the question is asked again: where the table knows the answer that
takes no search, and where it has forgotten, a small one. The certificate is then replayed by
`dragon.certificate`, which knows the game alone, before it is given out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from attrs import define, field

from dragon.certificate import Proof
from dragon.core import TERMINAL, Bound, Game, Limit, State
from dragon.errors import SearchError
from dragon.search.dfpn.search import DfPn, following, narrowing
from dragon.search.two_sided import check_two_sided, side, whole_units

if TYPE_CHECKING:
    from dragon.search.dfpn.driver import Driver

MOST = 100_000
"""Positions in a certificate, unless more are allowed."""
STEP = 100
"""Positions written between two calls of the observer."""


class Watch(Protocol):
    """Called with what is being done, and how much of it is done."""

    def __call__(self, doing: str, done: int, unit: str = ...) -> object: ...


def unwatched(doing: str, done: int, unit: str = "") -> None:
    """An observer that does nothing."""


@define
class Found:
    """The findings of `settle` so far; they are filled in as the work goes on."""

    low: float
    """The seat to move gets at least so much,"""
    high: float
    """and at most this."""
    move: Any = None
    """Its best move as far as is known."""
    proofs: list[Proof] = field(factory=list)
    positions: list[int] = field(factory=list)
    """The number of positions that each proof's replay came to."""
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
    """A proof that the seat to move gets at least, or at most, `value`; replayed already.

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

    There are two proofs, for at least and for at most, but one where no more could be had, or
    no less. Raises SearchError where the limit ends the search first, or where a proof takes
    more than `most` positions. `watch` is called as the work goes on.
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
    """A driver, whose table is given back; raises Objection where there can be none."""
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
    """The proof of a claim, and how many positions its replay came to."""
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
    """Each position of the side that proves, and its move."""
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
