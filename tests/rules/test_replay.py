"""Worlds by replay: they fit what a seat has seen, and where none is found a sentence says why."""

from __future__ import annotations

from collections import Counter
from typing import Any

import attrs
import numpy as np
import pytest
from attrs import frozen

import dragon
from dragon import TERMINAL, GameError, Position, Rules, State
from dragon.laws.hidden import law_worlds_come_as_in_games
from dragon.rules.replay import replayed
from dragon_classics.goofspiel import Goofspiel
from dragon_classics.leduc import Leduc


@frozen
class UndealtLeduc(Leduc):
    name = "undealt_leduc"

    def rules(self) -> Rules:
        return attrs.evolve(super().rules(), deal=None)


@frozen
class UndealtGoofspiel(Goofspiel):
    name = "undealt_goofspiel"

    def rules(self) -> Rules:
        return attrs.evolve(super().rules(), deal=None)


def at(game: Any, *moves: str) -> tuple[State[Any], Position]:
    """The state after some moves, and its position as the seat to move sees it."""
    state = game.start()
    for move in moves:
        state = state.after(move)
    return state, Position(state, game.start(), moves).seen(recalls=True)


def worlds_of(position: Position, game: Any) -> set[State[Any]]:
    """All states of the game in which the seat to move has seen and done the same."""
    seat, found, waiting = position.state.turn, set(), [(game.start(), ())]
    while waiting:
        here, moves = waiting.pop()
        if here.turn == seat and here.seen(seat) == position.state:
            there = Position(here, game.start(), moves).seen(recalls=True)
            if there.information == position.information:
                found.add(here)
        if here.turn != TERMINAL and len(moves) < 6:
            waiting += [(here.after(move), (*moves, move)) for move in here.moves()]
    return found


@pytest.mark.full
@pytest.mark.parametrize(
    ("game", "moves"),
    [
        (UndealtLeduc(), ("Qs", "Kh", "raise", "raise")),
        (UndealtLeduc(), ("Qs", "Kh", "call", "call", "Js")),
        (UndealtGoofspiel(cards=3), ("prize2", "1", "3", "prize1", "2")),
    ],
)
def test_worlds_by_replay_are_those_in_which_the_seat_has_seen_the_same(
    game: Any, moves: tuple[str, ...]
) -> None:
    state, position = at(game, *moves)
    assert position.information
    wanted = worlds_of(position, game)
    search, rng = dragon.search("determinize(samples=60)"), np.random.default_rng(3)
    worlds = Counter(replayed(game, position.state, position.information, rng) for _ in range(200))
    assert set(worlds) == wanted
    assert {state.determinize(np.random.default_rng(i)) for i in range(50)} <= wanted
    with search.open(game) as run:
        assert run.best(Position(state, game.start(), moves)).extra["worlds"] == 60


def test_the_law_of_odds_is_not_asked_of_worlds_by_replay() -> None:
    assert not law_worlds_come_as_in_games.applies(UndealtLeduc())
    assert law_worlds_come_as_in_games.applies(Leduc())


@pytest.mark.full
def test_where_no_world_is_found_a_sentence_says_both_limits() -> None:
    game = UndealtLeduc()
    impossible = game.parse("Qs ? raise").seen(1)
    with pytest.raises(GameError, match=r"none was found that fits .* not drawn by their odds"):
        impossible.determinize(np.random.default_rng(0))
