"""Replays of whole games, and the places of mistakes in them: what all forms need."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from attrs import frozen

from dragon.core import TERMINAL, Game, State
from dragon.errors import BadNotation, GameError
from dragon.protocols import Transcript
from dragon.rules.notation import parse_move


@frozen
class Replay:
    """The states of a game, one more than moves."""

    states: tuple[State[Any], ...]
    moves: tuple[str, ...]

    @property
    def movers(self) -> tuple[int, ...]:
        """The seat that made each move, or CHANCE."""
        return tuple(state.turn for state in self.states[:-1])

    def turns(self) -> list[tuple[int, list[int]]]:
        """The seat of each turn, and the numbers of its moves: a turn may take several."""
        return [
            (seat, list(numbers))
            for seat, numbers in groupby(range(len(self.moves)), self.movers.__getitem__)
        ]


def first_state(game: Game[Any], start: str = "", deal: int = 0) -> State[Any]:
    """Return the position that a transcript begins with."""
    return game.parse(start) if start else game.start(deal)


def replayed(game: Game[Any], transcript: Transcript) -> Replay:
    """Return the states of a transcript; raises BadNotation with the number of a wrong move."""
    states = [first_state(game, transcript.start, transcript.deal)]
    moves = []
    for number, text in enumerate(transcript.moves, 1):
        moves.append(checked(states[-1], text, f"move {number}"))
        states.append(states[-1].after(parse_move(states[-1], moves[-1])))
    return Replay(tuple(states), tuple(moves))


def checked(state: State[Any], text: str, where: str) -> str:
    """Return a legal move as the game writes it; raises BadNotation, which names the place."""
    if state.turn == TERMINAL:
        raise BadNotation(f"{where}, {text!r}: the game is over before it")
    try:
        return str(parse_move(state, text))
    except GameError as wrong:
        raise BadNotation(f"{where}: {wrong}") from wrong


def state_move(state: State[Any], text: str) -> Any:
    """Return the legal move of a state that is written so."""
    return parse_move(state, text)


def outcome(state: State[Any]) -> tuple[float, ...] | None:
    """Return the payoffs of a game that is over."""
    return tuple(state.payoff()) if state.turn == TERMINAL else None


def line_of(text: str, at: int) -> int:
    """Return the number of the line of a place in a text."""
    return text.count("\n", 0, at) + 1


def shortened(text: str, most: int = 30) -> str:
    """Return the beginning of a text on one line, for a message."""
    words = " ".join(text.split())
    return repr(words if len(words) <= most else words[: most - 3] + "...")
