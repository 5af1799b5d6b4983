"""The laws of texts: a game reads back the positions and moves that it writes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import chain, count, islice
from typing import Any

from dragon.bits import Random
from dragon.core import TERMINAL, Game, State
from dragon.laws.kit import (
    LawBroken,
    expect,
    game_law,
    of_effort,
    random_game,
    some,
    walk,
    within,
)
from dragon.laws.whole import SECONDS, every
from dragon.rules.notation import parse_move
from dragon.rules.playout import step
from dragon.rules.record import RecordState

READ, READ_SLOWLY = 2000, 300
"""States of random games whose text is read back; fewer where they are not records."""
OF_EACH = 8
"""Moves of each state, drawn at random, whose text is read back."""


@game_law()
def law_positions_read_back(game: Game[Any], seed: int) -> None:
    """The text of a state, parsed, is that state; in many games, and in every state of a small
    game."""
    read = set[bytes]()
    small = within(SECONDS, every(game, seed))
    for state in chain(walk(game, seed), _many(game, seed), small):
        if isinstance(state, RecordState):
            if state.data in read:
                continue
            read.add(state.data)
        if (again := game.parse(str(state))) != state:
            raise LawBroken(_apart(state, again), _apart(again, state), state)


def _many(game: Game[Any], seed: int) -> Iterator[State[Any]]:
    """Yield states of random games, each of another deal; fewer where they are not records."""
    dice, deals = random.Random(seed), count(seed)
    if not isinstance(game.start(seed), RecordState):
        games = (random_game(game, game.start(deal), dice) for deal in deals)
        yield from islice(chain.from_iterable(games), of_effort(READ_SLOWLY))
        return
    state, drawn = game.start(next(deals)), Random(seed)
    for _ in range(of_effort(READ)):
        yield state
        state = game.start(next(deals)) if state.turn == TERMINAL else step(state, drawn)


def _apart(state: State[Any], other: State[Any]) -> str:
    """Describe a state by its difference from another, which may have an equal text."""
    if str(state) != str(other) or not (
        isinstance(state, RecordState) and isinstance(other, RecordState)
    ):
        return repr(state)
    mine, theirs = state.record, other.record
    names = [name for name in mine.dtype.names if mine[name].tolist() != theirs[name].tolist()]
    return f"{state} with {', '.join(f'{name} = {mine[name].tolist()}' for name in names)}"


@game_law()
def law_moves_read_back(game: Game[Any], seed: int) -> None:
    """The text of a move, parsed, is that move; in many games."""
    for state in walk(game, seed):
        for move in some(state.moves(), 20):
            again = parse_move(state, str(move))
            expect(again == move, repr(move), repr(again), state)
    if not isinstance(game.start(seed), RecordState):
        return
    dice, done = random.Random(seed), set[bytes]()
    for state in _many(game, seed):
        assert isinstance(state, RecordState)
        if state.turn == TERMINAL or state.data in done:
            continue
        codes = state.evaluator.moves(state.data).tolist()
        if len(codes) <= OF_EACH:  # of others the next time other moves are drawn
            done.add(state.data)
        for code in dice.sample(codes, min(OF_EACH, len(codes))):
            read = state.code(text := state.text(code))
            expect(read == code, f"{text!r} for the move {code}", f"it is read as {read}", state)
