"""The opening of each game, as a function of its number: a position, and moves made from there."""

from __future__ import annotations

from functools import lru_cache

from attrs import frozen

from dragon.core import CHANCE, TERMINAL
from dragon.errors import ConfigError, DragonError
from dragon.rules.notation import parse_move
from dragon.rules.playout import roll
from dragon_tournament.seeding import DEAL, OPENING, ORDER, generator, random_move, seed_of
from dragon_tournament.tournament import Openings, Tournament


@frozen
class Opening:
    """The beginning of a game: a position, or the start, and moves made from there."""

    position: str = ""
    """The position in the game's notation; empty for the game's start."""
    moves: tuple[str, ...] = ()


def deal_of(tournament: Tournament, index: int) -> int:
    """The deal's seed: with repeated random openings, that of the opening."""
    count = tournament.openings.count
    if tournament.openings.random is not None and count is not None:
        index %= count
    return seed_of(DEAL, tournament.seed, index)


@lru_cache(maxsize=4)
def _shuffled(given: int, seed: int) -> tuple[int, ...]:
    return tuple(generator(ORDER, seed).permutation(given).tolist())


def number_of(openings: Openings, seed: int, index: int) -> int:
    """The number, from 0 in the order of the file, of the given opening of the index-th game."""
    place = index % used(openings)
    if openings.order == "random":
        return _shuffled(len(openings.lines) + len(openings.positions), seed)[place]
    return place


def opening_of(tournament: Tournament, index: int) -> Opening:
    """The opening of every pairing's index-th game; raises ConfigError if it cannot be played."""
    openings = tournament.openings
    if tournament.instances:
        instance = tournament.instances[index % len(tournament.instances)]
        return Opening(instance.position, instance.moves)
    if openings.random is not None:
        index = index % openings.count if openings.count else index
        return Opening(moves=_random_opening(tournament, openings.random, index))
    if not used(openings):
        return Opening()
    number = number_of(openings, tournament.seed, index)
    if openings.positions:
        return _position(tournament, openings.positions[number])
    line = openings.lines[number]
    state = tournament.game.start(deal_of(tournament, index))
    moves = []
    for text in line:
        try:
            move = parse_move(state, text)
            state = state.after(move)
        except DragonError as wrong:
            raise ConfigError(str(wrong)) from wrong
        moves.append(str(move))
    if state.turn == TERMINAL:
        text = " ".join(line)
        raise ConfigError(f"{text!r} ends the game; an opening must leave something to play")
    return Opening(moves=tuple(moves))


def _position(tournament: Tournament, text: str) -> Opening:
    try:
        state = tournament.game.parse(text)
    except DragonError as wrong:
        raise ConfigError(str(wrong)) from wrong
    if state.turn == TERMINAL:
        raise ConfigError(f"in {text!r} the game is over; an opening must leave something to play")
    return Opening(position=str(state))


def _random_opening(tournament: Tournament, plies: int, index: int) -> tuple[str, ...]:
    """Play so many plies at random; try again where that ends the game."""
    for attempt in range(1000):
        rng = generator(OPENING, tournament.seed, index, attempt)
        state = tournament.game.start(deal_of(tournament, index))
        moves: list[str] = []
        while len(moves) < plies and state.turn != TERMINAL:
            move = roll(state, rng) if state.turn == CHANCE else random_move(state, rng)
            moves.append(str(move))
            state = state.after(move)
        if state.turn != TERMINAL:
            return tuple(moves)
    raise ConfigError(f"1000 tries of {plies} random plies all ended the game; take fewer")


def used(openings: Openings) -> int:
    """The number of different openings; 0 where each game has its own, or none has."""
    given = len(openings.lines) + len(openings.positions)
    if openings.random is not None or not given:
        return openings.count or 0
    return min(openings.count or given, given)
