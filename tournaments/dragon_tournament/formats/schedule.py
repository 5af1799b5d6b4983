"""Schedule: the Pairings of a Tournament, a pure iterator; ids hash what is to be played."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from hashlib import blake2b
from itertools import combinations, permutations, product
from typing import Any

from dragon_tournament.formats import knockout, swiss
from dragon_tournament.formats.bout import Bout, bout_of
from dragon_tournament.formats.openings import Opening, deal_of, opening_of
from dragon_tournament.pairing import Pairing
from dragon_tournament.records.record import Record
from dragon_tournament.seeding import GAME, seed_of
from dragon_tournament.tournament import Tournament, set_values, settings_table


def games_of(tournament: Tournament, records: Iterable[Record] = ()) -> int:
    """Count all games; of a knockout, as far as the records tell of replays."""
    players = len(tournament.players)
    if tournament.format == "swiss":
        return tournament.rounds * (players // 2) * 2 * tournament.games
    if tournament.format == "knockout":
        rounds, names = history_of(tournament, records), [p.name for p in tournament.players]
        out = len(knockout.state(names, rounds, tournament.replays).alive) - 1  # yet to come
        return (sum(map(len, rounds)) + out) * 2 * tournament.games
    return sum(games for _, games in seatings_of(tournament))


def schedule(tournament: Tournament, records: Iterable[Record] = ()) -> Iterator[Pairing]:
    """Every game, in the order of play: all seatings of a deal one after another.

    Where results decide who meets next, every game that the records so far determine.
    """
    if tournament.staged:
        for _, pairings in _staged(tournament, records):
            yield from pairings
        return
    played: Counter[tuple[str, ...]] = Counter()
    seatings = list(seatings_of(tournament))
    opening = lru_cache(1024)(partial(opening_of, tournament))
    for index in range(max((games for _, games in seatings), default=0)):
        for seats, games in seatings:
            if index < games:
                yield pairing_of(tournament, seats, played[seats], opening(played[seats]))
                played[seats] += 1


def history_of(tournament: Tournament, records: Iterable[Record]) -> list[list[Bout]]:
    """The rounds of a Swiss or a knockout as far as they are complete, replays apart."""
    return [bouts for bouts, _ in _staged(tournament, records) if bouts]


def _staged(
    tournament: Tournament, records: Iterable[Record]
) -> Iterator[tuple[list[Bout], list[Pairing]]]:
    """Each round that the records determine: its results, none before it ends, and its games."""
    found = {record.id: record for record in records}
    names = [player.name for player in tournament.players]
    history: list[list[Bout]] = []
    while True:
        if tournament.format == "swiss":
            meeting = swiss.next_round(names, history, tournament.rounds)
        else:
            meeting = list(knockout.state(names, history, tournament.replays).next)
        if not meeting:
            return
        first = len(history) * tournament.games  # every round has openings and deals of its own
        bouts: list[Bout] = []
        games: list[Pairing] = []
        for index in range(first, first + tournament.games):
            opening = opening_of(tournament, index)
            for players in meeting:
                for seats in permutations(players, 2):
                    games.append(pairing_of(tournament, seats, index, opening))
        complete = all(game.id in found for game in games)
        if complete:
            played = [found[game.id] for game in games]
            ended = (bout_of(players, played, 2 * tournament.games) for players in meeting)
            bouts = [bout for bout in ended if bout is not None]
        yield bouts, games
        if not complete:
            return
        history.append(bouts)


def seatings_of(tournament: Tournament) -> Iterator[tuple[tuple[str, ...], int]]:
    """Count the seatings; of a Swiss or a knockout, those that are possible.

    Games are those of every instance, where there are any.
    """
    each = len(tournament.instances) or 1
    for seats, games in _seatings(tournament):
        yield seats, games * each


def _seatings(tournament: Tournament) -> Iterator[tuple[tuple[str, ...], int]]:
    if tournament.encounters:
        for encounter in tournament.encounters:
            yield encounter.seats, encounter.games or tournament.games
        return
    if tournament.pairs:
        for pair in tournament.pairs:
            for group in dict.fromkeys(permutations(pair)):
                yield group, tournament.games
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
            if style != "gauntlet" or chosen[0] == names[0]:
                yield from permutations(chosen)


def pairing_of(
    tournament: Tournament, seats: tuple[str, ...], index: int, opening: Opening
) -> Pairing:
    """The index-th game of players that sit so."""
    instances = tournament.instances
    turn = index // len(instances) if instances else index  # which try at the instance it is
    deal = deal_of(tournament, turn)
    players = [tournament.player(name) for name in seats]
    timed = any(p.timed for p in players)
    content: dict[str, Any] = {
        "game": str(tournament.game),
        "referee": tournament.referee.name,
        "reference": str(tournament.reference),
        "seats": [[p.name, str(p.search), set_values(p.limit)] for p in players],
        "index": turn,
        "opening": opening.moves,
        "deal": deal,
        "seed": tournament.seed,
        "plies": tournament.plies,
        "margin": tournament.margin if timed else None,
    }
    if opening.position:
        content["position"] = opening.position
    if instances:
        content["instance"] = instances[index % len(instances)].identity()
        content["game"] = ""
    if tournament.goal:
        content["goal"] = [tournament.goal, tournament.tolerance]
    if any(p.clock is not None for p in players):
        content["clocks"] = [p.clock and set_values(p.clock) for p in players]
    if tournament.memory is not None:
        content["memory"] = tournament.memory
    if tournament.adjudication is not None:
        content["adjudication"] = settings_table(tournament.adjudication)
    text = json.dumps(content, sort_keys=True)
    digest = blake2b(text.encode(), digest_size=8).hexdigest()
    seed = seed_of(GAME, tournament.seed, int(digest, 16))
    return Pairing(digest, seats, index, opening.moves, deal, seed, opening.position)
