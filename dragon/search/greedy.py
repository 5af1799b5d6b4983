"""The move that looks best at once: a payoff where it ends the game, else the evaluation.

With one seat the search goes on so from move to move, and the line to the end that it has then
is a proof that so much can be had (the greedy algorithm; Edmonds 1971).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon.core import TERMINAL, Bound, Limit, Result, Search, State, Trait
from dragon.search.budget import Budget
from dragon.search.two_sided import refuse_later

if TYPE_CHECKING:
    from numpy.random import Generator


@frozen
class Greedy(Search):
    """The move that looks best one ply ahead, the first of equals; with one seat, a whole line."""

    name = "greedy"
    excludes = frozenset({Trait.CHANCE, Trait.HIDDEN})
    proves = False
    limits = frozenset({"seconds", "nodes"})
    deterministic = True

    def improve(self, state: State[Any], limit: Limit, rng: Generator) -> Iterator[Result]:
        """A result for each move of the line; the last of one seat's is worth what it says."""
        budget, here = Budget(limit), state
        line: tuple[Any, ...] = ()
        alone = len(state.teams) == 1
        until = "the limit" if limit.seconds is not None or limit.nodes is not None else "one look"
        while here.turn != TERMINAL and not (line and (budget.spent() or not alone)):
            move, value, after = _best(here, budget)
            refuse_later(self, after, here, chance=False)  # the line would be chance's own
            here = after
            line += (move,)
            bound = Bound.LOWER if alone and here.turn == TERMINAL else Bound.ESTIMATE
            yield budget.result(value * state.largest, bound, line, extra={"budget": until})


def _best(state: State[Any], budget: Budget) -> tuple[Any, float, State[Any]]:
    """The move that looks best, how it looks from -1 to 1, and the state after it."""
    seat, best = state.turn, None
    for move in state.moves():
        if best is not None and budget.spent():
            break
        after = state.after(move)
        budget.nodes += 1
        over = after.turn == TERMINAL
        value = after.payoff()[seat] / state.largest if over else after.evaluate(seat)
        if best is None or value > best[1]:
            best = move, value, after
    assert best is not None, f"{state} is not terminal and has no moves"
    return best
