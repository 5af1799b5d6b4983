"""Hypothesis strategies for tests of games and searches; needs hypothesis only when called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dragon.core import TERMINAL, Game, State

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def states(game: Game[Any], plies: int = 200) -> SearchStrategy[State[Any]]:
    """States that play from the start can reach, shrinking toward the start and the first moves.

    Every seed's start is possible, and at most `plies` moves follow.
    """
    from hypothesis import strategies as st

    @st.composite
    def reached(draw: Any) -> State[Any]:
        state = game.start(draw(st.integers(0, 1 << 16)))
        for _ in range(draw(st.integers(0, plies))):
            if state.turn == TERMINAL:
                break
            moves = state.moves()
            state = state.after(moves[draw(st.integers(0, len(moves) - 1))])
        return state

    return reached()
