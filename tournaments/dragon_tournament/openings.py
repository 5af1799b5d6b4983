"""The opening of each game, as a function of its number: a position, and moves made from there."""

from __future__ import annotations

from attrs import frozen

from dragon.core import CHANCE, TERMINAL
from dragon.errors import ConfigError, DragonError
from dragon.rules.notation import parse_move
from dragon.rules.playout import roll
from dragon_tournament.pairing import DEAL, OPENING, generator, random_move, seed_of
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


def opening_of(tournament: Tournament, index: int) -> Opening:
    """The opening of every pairing's index-th game; raises ConfigError if it cannot be played."""
    openings, most = tournament.openings, tournament.plies
    if tournament.instances:
        instance = tournament.instances[index % len(tournament.instances)]
        return Opening(instance.position, instance.moves)
    if openings.random is None and not openings.given:
        return Opening()
    number = index % (used(openings) or index + 1)
    try:
        opening = _opening(tournament, openings, number, index)
        if most is not None and (plies := len(opening.moves)) >= most:
            raise ConfigError(
                f"{plies} plies leave none to be played, as plies = {most}; raise plies"
            )
    except DragonError as wrong:
        raise ConfigError(f"{wrong} @ {openings.address(number)}") from wrong
    return opening


def _opening(tournament: Tournament, openings: Openings, number: int, index: int) -> Opening:
    """The opening of a number, in a game with the deal of the index-th."""
    game, deal = tournament.game, deal_of(tournament, index)
    if openings.random is not None:
        return Opening(moves=_random_opening(tournament, openings.random, number))
    if openings.positions:
        state = game.parse(openings.positions[number])
        start, moves, text = str(state), [], openings.positions[number]
    elif openings.games:
        from dragon.transcripts import read
        from dragon.transcripts.replay import replayed

        found, *_ = read(openings.games[number], game)
        replay = replayed(game, found)
        start, moves, state = found.start, list(replay.moves), replay.states[-1]
        text = " ".join(moves)
    else:
        line = openings.lines[number]
        state, start, moves, text = game.start(deal), "", [], " ".join(line)
        for each in line:
            move = parse_move(state, each)
            state = state.after(move)
            moves.append(str(move))
    if state.turn == TERMINAL:
        said = f"in {text!r} the game is over" if openings.positions else f"{text!r} ends the game"
        raise ConfigError(f"{said}; an opening must leave something to play")
    return Opening(start, tuple(moves))


def _random_opening(tournament: Tournament, plies: int, index: int) -> tuple[str, ...]:
    """Play this number of plies at random; try again where that ends the game."""
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
    """The number of different openings; 0 if each game has its own, or there are none."""
    return (openings.count or 0) if openings.random is not None else len(openings.given)
