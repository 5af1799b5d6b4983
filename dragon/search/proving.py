"""From a search's answer to a proof: the strategy written out, position by position.

What the search has found is in its table, of which it may have forgotten a part. So in each
position that comes up the question is asked anew: where the table knows the answer that
takes no search, and where it has forgotten, a small one. The proof is then replayed by
`dragon.proof`, which knows the game alone, before anybody gets it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dragon.core import TERMINAL, Bound, Game, Limit, State
from dragon.errors import SearchError
from dragon.proof import Proof
from dragon.search.dfpn import DfPn, following
from dragon.search.sides import check_sides, side, whole_units

if TYPE_CHECKING:
    from dragon.search.dfpn import Run

MOST = 100_000
"""Positions in a proof, unless more are allowed."""


def prove(
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
    >>> prove(nim, nim.start(), Bound.LOWER, 1).moves
    {'5 A': '1', '1 A': '1', '2 A': '2', '3 A': '3'}
    """
    search = DfPn() if search is None else search
    search.check(game)
    check_sides(search, state)
    if bound not in (Bound.LOWER, Bound.UPPER):
        raise SearchError(f"{bound} is no bound; prove {Bound.LOWER} and {Bound.UPPER} one by one")
    if state.turn == TERMINAL:
        raise SearchError(f"the game is over in {state}, so there is nothing to prove")
    memory: dict[str, Any] = {}
    try:
        run = search.run(state, limit or Limit(), memory)
        moves = dict(_strategy(run, state, bound, value, most))
    finally:
        search.forget(memory)
    proof = Proof(str(game), str(state), bound, float(value), moves)
    proof.check(state)
    return proof


def _strategy(
    run: Run, state: State[Any], bound: Bound, value: float, most: int
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
            answer = run.ask(here, asked)
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
