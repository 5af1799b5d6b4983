"""Schedule: the Pairings of a Tournament, a pure iterator; ids hash what is to be played."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon.core import CHANCE, TERMINAL, State
from dragon.errors import ConfigError, DragonError
from dragon.notation import parse_move
from dragon_tournament.tournament import Tournament, limit_table

if TYPE_CHECKING:
    import numpy as np

DEAL, OPENING, GAME, MOVE, LUCK = range(1, 6)  # what a derived seed is for


@frozen
class Pairing:
    """One game to be played."""

    id: str
    """A content hash: equal games of equal tournaments have equal ids."""
    seats: tuple[str, ...]
    """The names of the players, from seat 0."""
    index: int
    """The how-manieth game of these seats, from 0."""
    opening: tuple[str, ...]
    deal: int
    """The seed of what the game deals and of its luck: the same for every seating."""
    seed: int
    """The seed of the players."""


def seed_of(*key: int) -> int:
    """63 bits that derive from a tuple of non-negative integers, by numpy's SeedSequence."""
    import numpy as np

    high, low = np.random.SeedSequence(key).generate_state(2, np.uint32).tolist()
    return (int(high) << 32 | int(low)) >> 1


def generator(*key: int) -> np.random.Generator:
    """A generator whose stream derives from a tuple of non-negative integers."""
    import numpy as np

    return np.random.default_rng(np.random.SeedSequence(key))


def schedule(tournament: Tournament) -> Iterator[Pairing]:
    """Every game, in the order of play: all seatings of a deal one after another."""
    played: Counter[tuple[str, ...]] = Counter()
    seatings = list(seatings_of(tournament))
    opening = cache(lambda index: opening_of(tournament, index))
    for index in range(max((games for _, games in seatings), default=0)):
        for seats, games in seatings:
            if index < games:
                yield _pairing(tournament, seats, played[seats], opening(played[seats]))
                played[seats] += 1


def seatings_of(tournament: Tournament) -> Iterator[tuple[tuple[str, ...], int]]:
    """Who sits where, and how often."""
    if tournament.encounters:
        for encounter in tournament.encounters:
            yield encounter.seats, encounter.games or tournament.games
        return
    names = tuple(p.name for p in tournament.players)
    seats = tournament.referee.seats(tournament.game)
    for group in _groups(names, seats, tournament.format):
        yield group, tournament.games


def _groups(names: tuple[str, ...], seats: int | None, style: str) -> Iterator[tuple[str, ...]]:
    """The seatings of a format; `seats` is None where all solve the same instance, alone."""
    if seats is None:
        yield names
    elif len(names) < seats:
        # Too few to fill the table with different players: every filling that uses them all.
        for group in product(names, repeat=seats):
            if set(group) == set(names):
                yield group
    else:
        for chosen in combinations(names, seats):
            if style == "round-robin" or chosen[0] == names[0]:
                yield from permutations(chosen)


def _pairing(
    tournament: Tournament, seats: tuple[str, ...], index: int, opening: tuple[str, ...]
) -> Pairing:
    deal = deal_of(tournament, index)
    players = [tournament.player(name) for name in seats]
    timed = any(p.limit.seconds is not None for p in players)
    content = {
        "game": str(tournament.game),
        "referee": tournament.referee.name,
        "reference": str(tournament.reference),
        "seats": [[p.name, str(p.search), limit_table(p.limit)] for p in players],
        "index": index,
        "opening": opening,
        "deal": deal,
        "seed": tournament.seed,
        "plies": tournament.plies,
        "margin": tournament.margin if timed else None,
    }
    text = json.dumps(content, sort_keys=True)
    digest = blake2b(text.encode(), digest_size=8).hexdigest()
    seed = seed_of(GAME, tournament.seed, int(digest, 16))
    return Pairing(digest, seats, index, opening, deal, seed)


def deal_of(tournament: Tournament, index: int) -> int:
    """The deal's seed: with repeated random openings, that of the opening."""
    count = tournament.openings.count
    if tournament.openings.random is not None and count is not None:
        index %= count
    return seed_of(DEAL, tournament.seed, index)


def opening_of(tournament: Tournament, index: int) -> tuple[str, ...]:
    """The opening of every pairing's index-th game; raises ConfigError if it cannot be played."""
    openings = tournament.openings
    if openings.random is not None:
        index = index % openings.count if openings.count else index
        return _random_opening(tournament, openings.random, index)
    if not openings.lines:
        return ()
    line = openings.lines[index % len(openings.lines)]
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
    return tuple(moves)


def _random_opening(tournament: Tournament, plies: int, index: int) -> tuple[str, ...]:
    """So many plies at random; where a try ends the game, another one."""
    for attempt in range(1000):
        rng = generator(OPENING, tournament.seed, index, attempt)
        state = tournament.game.start(deal_of(tournament, index))
        moves: list[str] = []
        while len(moves) < plies and state.turn != TERMINAL:
            move = roll(state, rng) if state.turn == CHANCE else sample(state, rng)
            moves.append(str(move))
            state = state.after(move)
        if state.turn != TERMINAL:
            return tuple(moves)
    raise ConfigError(f"1000 tries of {plies} random plies all ended the game; take fewer")


def sample(state: State[Any], rng: np.random.Generator) -> Any:
    """A move at random, by the game's own way of sampling."""
    from dragon.bits import Random

    return state.sample(Random(int(rng.integers(1 << 63))))


def roll(state: State[Any], rng: np.random.Generator) -> Any:
    """What luck decides at a chance node, drawn as playouts draw it."""
    from dragon.bits import Random
    from dragon.playout import pick

    return state.moves()[pick(Random(int(rng.integers(1 << 63))).state, state.odds())]
