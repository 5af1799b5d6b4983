"""The values of many states of one game, one after another: for tables, samples and batches.

A search that is called anew for each state makes its memory and writes a line each time,
and forgets which moves cut off. Here all of that stays: on deals that share a hand, half
the nodes and a fifth of the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dragon.core import TERMINAL, Limit, State, game_of
from dragon.search.alphabeta.search import AlphaBeta, payoff_of
from dragon.search.table import Lease

if TYPE_CHECKING:
    from dragon.search.alphabeta.search import Driver


class Batch:
    """An alpha-beta that goes from state to state of one game and writes no lines.

    Its table is its own until `close`, so that values may be asked for in any order.
    """

    def __init__(self, search: AlphaBeta) -> None:
        self.search = search
        self.nodes = 0
        self.lease = Lease(search.megabytes)
        self._driver: Driver | None = None
        self._game: Any = None

    def value(self, state: State[Any], limit: Limit | None = None) -> float | None:
        """Seat 0's payoff under best play; None where the limit came first.

        Raises Objection for a game that alpha-beta cannot play, and ValueError for a state of
        another game than the first was of.
        """
        if state.turn == TERMINAL:
            return state.payoff()[0]
        limit, game = limit or Limit(), (type(state), state.game)
        if self._driver is None:
            self.search.check(game_of(state))
            self._game = game
            self._driver = self.search.prepare(state, limit, 0, self.lease)
            self._driver.lines = False
        elif game != self._game:
            raise ValueError(f"values of one game at a time: {state!r} is of another")
        self._driver.restart(state, limit)
        outcome = self.search.iterate(self._driver, state, self.search.horizon(limit), 0)
        self.nodes += self._driver.budget.nodes
        self.lease.visited += self._driver.budget.nodes
        if not outcome.finished or outcome.horizon:
            return None
        return payoff_of(outcome.value, state, self._driver)

    def close(self) -> None:
        """Gives the table back."""
        self.lease.close()
        self._driver = None
