"""The schedule of a tournament: its games, with ids that are hashes of what is to be played.

Below it, the beginnings of its games: how many there are, and which games must repeat others.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from hashlib import blake2b
from itertools import islice, permutations
from typing import Any

from dragon.core import TERMINAL, State
from dragon_tournament.formats import Bout, StagedFormat
from dragon_tournament.formats.format import encounters_left, next_meetings
from dragon_tournament.formats.staged import bout_of
from dragon_tournament.openings import Opening, deal_of, opening_of, used
from dragon_tournament.pairing import GAME, Pairing, seed_of
from dragon_tournament.records.record import Record
from dragon_tournament.statistics.pairs import observation
from dragon_tournament.statistics.sprt import SAME
from dragon_tournament.tournament import Openings, Tournament


def names_of(tournament: Tournament) -> list[str]:
    """The names of the players, in the order of the file."""
    return [player.name for player in tournament.players]


def games_of(tournament: Tournament, records: Collection[Record] = ()) -> int:
    """Count all games; where results decide who meets next, as far as the records tell."""
    style = tournament.format
    if not isinstance(style, StagedFormat):
        return sum(games for _, games in seatings_of(tournament))
    history = history_of(tournament, records) if records else []  # none: no round need be made
    played = sum(len(bout.players) == 2 for stage in history for bout in stage)
    left = encounters_left(style, names_of(tournament), history)
    return (played + left) * 2 * tournament.games


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
    about = tournament.identity()
    for index in range(max((games for _, games in seatings), default=0)):
        for seats, games in seatings:
            if index < games:
                yield pairing_of(tournament, seats, played[seats], opening(played[seats]), about)
                played[seats] += 1


def history_of(tournament: Tournament, records: Iterable[Record]) -> list[list[Bout]]:
    """The rounds of a staged tournament as far as they are complete, replays apart."""
    return [bouts for bouts, _ in _staged(tournament, records) if bouts]


def _staged(
    tournament: Tournament, records: Iterable[Record]
) -> Iterator[tuple[list[Bout], list[Pairing]]]:
    """Each round that the records determine: its results, none before it ends, and its games."""
    style, about = tournament.format, tournament.identity()
    assert isinstance(style, StagedFormat)
    found = {record.id: record for record in records}
    history: list[list[Bout]] = []
    while meetings := next_meetings(style, names_of(tournament), history):
        first = len(history) * tournament.games  # every round has openings and deals of its own
        bouts: list[Bout] = []
        games: list[Pairing] = []
        for index in range(first, first + tournament.games):
            opening = opening_of(tournament, index)
            for players in meetings:
                for seats in permutations(players, 2):
                    games.append(pairing_of(tournament, seats, index, opening, about))
        complete = all(game.id in found for game in games)
        if complete:
            played = [found[game.id] for game in games]
            ended = (bout_of(players, played, 2 * tournament.games) for players in meetings)
            bouts = [bout for bout in ended if bout is not None]
        yield bouts, games
        if not complete:
            return
        history.append(bouts)


def seatings_of(tournament: Tournament) -> Iterator[tuple[tuple[str, ...], int]]:
    """Each seating with its number of games; of a staged tournament, those that are possible.

    Games are those of every instance, where there are any.
    """
    each = len(tournament.instances) or 1
    if tournament.encounters:
        for encounter in tournament.encounters:
            yield encounter.seats, (encounter.games or tournament.games) * each
        return
    seats = tournament.referee.seats(tournament.game)
    for seating in tournament.format.seatings(names_of(tournament), seats):
        yield seating, tournament.games * each


def pairing_of(
    tournament: Tournament, seats: tuple[str, ...], index: int, opening: Opening,
    about: Mapping[str, Any] | None = None,
) -> Pairing:  # fmt: skip
    """The index-th game of players that sit so; about: the tournament's identity, if it is known.

    It is the same for all games.
    """
    instances = tournament.instances
    turn = index // len(instances) if instances else index  # the number of the try at the instance
    deal = deal_of(tournament, turn)
    instance = instances[index % len(instances)].identity() if instances else None
    about = tournament.identity() if about is None else about
    digest = id_of(about, seats, turn, deal, opening.moves, opening.position, instance)
    seed = seed_of_game(tournament.seed, digest)
    return Pairing(digest, seats, index, opening.moves, deal, seed, opening.position)


def id_of(
    about: Mapping[str, Any], seats: Sequence[str], turn: int, deal: int, moves: Sequence[str],
    position: str = "", instance: Mapping[str, Any] | None = None,
) -> str:  # fmt: skip
    """The id of a game: a hash of all that decides what is played.

    about: `Tournament.identity`, or the tournament.json that has it. turn: the number of the game
    among those of its seats, with this instance. Raises KeyError for settings of something else.
    """
    tables = {each["name"]: each for each in about["players"]}
    players = [tables[name] for name in seats]
    timed = any("clock" in p or p["limit"].get("seconds") is not None for p in players)
    content: dict[str, Any] = {
        "game": about["game"],
        "referee": about["referee"],
        "reference": str(about["reference"]),
        "seats": [[p["name"], p["search"], p["limit"]] for p in players],
        "index": turn,
        "opening": moves,
        "deal": deal,
        "seed": about["seed"],
        "plies": about["plies"],
        "margin": about["margin"] if timed else None,
    }
    if position:
        content["position"] = position
    if instance is not None:
        content["instance"], content["game"] = instance, ""
    if about.get("goal"):
        content["goal"] = [about["goal"], about.get("tolerance")]
    if any("clock" in p for p in players):
        content["clocks"] = [p.get("clock") for p in players]
    if about.get("memory") is not None:
        content["memory"] = about["memory"]
    if about["adjudication"] is not None:
        content["adjudication"] = about["adjudication"]
    text = json.dumps(content, sort_keys=True)
    return blake2b(text.encode(), digest_size=8).hexdigest()


def seed_of_game(seed: int, digest: str) -> int:
    """The seed of the players in a game whose id is `digest`, in a tournament of that seed."""
    return seed_of(GAME, seed, int(digest, 16))


# ---- beginnings ----------------------------------------------------------------------------------


def begin_alike(tournament: Tournament) -> bool:
    """Return True if every game begins where the rules begin it, and nothing is dealt."""
    return tournament.openings == Openings() and not tournament.dealt


def with_new_beginnings(tournament: Tournament, pairings: Iterable[Pairing]) -> Iterator[Pairing]:
    """The games of a schedule whose opening, or deal, comes for the first time.

    All of them where all begin alike: then only the players can make a difference.
    """
    if begin_alike(tournament):
        yield from pairings
        return
    dealt, first, most = tournament.dealt, dict[Hashable, int](), 0
    for pairing in pairings:
        start = observation(pairing.deal, pairing.opening, pairing.position, dealt)
        if first.setdefault(start, pairing.index) == pairing.index:
            yield pairing
            continue
        most = most or beginnings(tournament, max(games for _, games in seatings_of(tournament)))
        if len(first) == most:
            return  # the rest of a long schedule need not be made


def beginnings(tournament: Tournament, most: int) -> int:
    """Count the different beginnings, up to `most`.

    With random openings it is a bound: the number of lines of that many plies.
    """
    openings = tournament.openings
    if tournament.dealt:
        return min(most, openings.count or most) if openings.random is not None else most
    if openings.random is not None:
        most = min(most, openings.count or most)
        lines = _lines(tournament.game.start(0), openings.random)
        return sum(1 for _ in islice(lines, most))
    given = range(min(used(openings), most))
    return len({opening_of(tournament, index) for index in given}) or 1


def _lines(state: State[Any], plies: int) -> Iterator[None]:
    """Yield once for every line of this length that does not end the game."""
    if state.turn == TERMINAL:
        return
    if not plies:
        yield None
        return
    for move in state.moves():
        yield from _lines(state.after(move), plies - 1)


def repetitions(tournament: Tournament) -> Iterator[str]:
    """Yield a sentence if games must repeat one another move for move."""
    if tournament.referee.seats(tournament.game) is None:
        return
    fixed = {player.name for player in tournament.players if player.repeats}
    games = max(games for _, games in seatings_of(tournament))
    if tournament.sprt is not None:
        found = beginnings(tournament, games)
        if begin_alike(tournament):
            if len(fixed) == 2 and games > 1:
                yield (
                    f"{_equal(fixed)}, and there {_are(found)}; so the test ends undecided after "
                    f"{min(games, SAME)} pairs; give [openings]"
                )
        elif found < games:
            yield (
                f"there {_are(found)}, and the test counts each once: it ends after {found:,} "
                f"pairs at the latest, decided or not; give more [openings], or longer ones"
            )
        return
    bound = {
        seats: each
        for seats, each in seatings_of(tournament)
        if fixed.issuperset(seats) and each > 1
    }
    if not bound:
        return
    most = max(bound.values())
    found = beginnings(tournament, most)
    extra = sum(max(each - found, 0) for each in bound.values())
    if tournament.staged:
        extra_games = f"{most - found:,} of {most:,} games of an encounter in each seating"
    else:
        extra_games = f"{extra:,} games"
    if extra:
        yield (
            f"{_equal(name for seats in bound for name in seats)}, and there {_are(found)}; so "
            f"{extra_games} will be identical move for move to others and tell nothing; give more "
            f"[openings], or fewer games"
        )


def _equal(names: Iterable[str]) -> str:
    return f"{', '.join(sorted(set(names)))}: equal positions get equal moves"


def _are(found: int) -> str:
    return "is 1 way to begin" if found == 1 else f"are {found:,} ways to begin"
