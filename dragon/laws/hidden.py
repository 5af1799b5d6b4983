"""The laws of games in which something is hidden, and of searches that play them."""

from __future__ import annotations

from typing import Any

from dragon.core import CHANCE, TERMINAL, Game, Limit, Search, State, Trait
from dragon.laws.kit import expect, search_law, some, state_law
from dragon.laws.searches import said
from dragon.protocols import Determinizable

WORLDS = 3
"""Worlds drawn for each state that a law is tried on."""
NODES = 200


def hides(game: Any) -> bool:
    """Whether something is hidden in a game."""
    return Trait.HIDDEN in game.traits


def _decided(state: State[Any]) -> bool:
    return state.turn in (TERMINAL, CHANCE)


def _dice(seed: int) -> Any:
    import numpy as np

    return np.random.default_rng(seed)


@state_law(hides)
def law_what_is_seen_is_enough_to_move(game: Game[Any], state: State[Any]) -> None:
    """The seat to move sees its turn and all its moves; what it sees, seen again, is the same."""
    expect(isinstance(state, Determinizable), "a dragon.Determinizable", type(state), state)
    if _decided(state):
        return
    view = state.seen(state.turn)
    expect(view.turn == state.turn, f"turn {state.turn}", view.turn, state)
    expect([*view.moves()] == [*state.moves()], [*state.moves()], [*view.moves()], state)
    expect(view.seen(state.turn) == view, view, view.seen(state.turn), state)
    expect(game.parse(str(view)) == view, view, game.parse(str(view)), state)


@state_law(hides)
def law_worlds_look_like_the_state(game: Game[Any], state: State[Any]) -> None:
    """To the seat to move a world looks as the state does, and it is drawn from that look alone."""
    if _decided(state):
        return
    assert isinstance(state, Determinizable)
    view = state.seen(state.turn)
    for seed in range(WORLDS):
        world = state.determinize(_dice(seed))
        expect(world.seen(state.turn) == view, view, world.seen(state.turn), state)
        again = view.determinize(_dice(seed))
        expect(again == world, f"{world}, from the view too", again, state)


@state_law(hides)
def law_opened_worlds_play_alike(game: Game[Any], state: State[Any]) -> None:
    """With nothing hidden the turn, moves, ends and payoffs are the same."""
    assert isinstance(state, Determinizable)
    here = state.opened()
    expect(here.turn == state.turn, f"turn {state.turn}", here.turn, state)
    if state.turn == TERMINAL:
        expect(here.payoff() == state.payoff(), state.payoff(), here.payoff(), state)
        return
    for move in some(state.moves(), 10):
        after, opened = state.after(move), here.after(move)
        expect(opened.turn == after.turn, f"turn {after.turn} after {move}", opened.turn, state)
    expect([*map(str, here.moves())] == [*map(str, state.moves())], [*state.moves()],
           [*here.moves()], state)  # fmt: skip


@search_law(hides)
def law_no_search_peeks(search: Search, game: Game[Any], state: State[Any]) -> None:
    """Of states alike to the seat to move a search says the same from the same seed."""
    if _decided(state):
        return
    assert isinstance(state, Determinizable)
    first = said(search.best(state, Limit(nodes=NODES), seed=5))
    for seed in range(WORLDS):
        world = state.determinize(_dice(seed))
        again = said(search.best(world, Limit(nodes=NODES), seed=5))
        expect(again == first, first, f"{again} in {world}", state)
