"""The schedule of a tournament: its games in the order of play, each with its opening and its id.

An id is a hash of all that decides how a game is played. At the end, the beginnings of the games:
how many there are, and which games must repeat others.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from itertools import islice, permutations
from typing import Any

from attrs import Factory, frozen

from dragon.core import CHANCE, TERMINAL, State
from dragon.errors import ConfigError, DragonError
from dragon.rules.notation import parse_move
from dragon.rules.playout import roll
from dragon_tournament.formats import Bout, StagedFormat
from dragon_tournament.formats.format import encounters_left, next_meetings
from dragon_tournament.formats.staged import bout_of
from dragon_tournament.pairing import (
    DEAL,
    GAME,
    OPENING,
    Pairing,
    generator,
    random_move,
    seed_of,
)
from dragon_tournament.records.record import Record
from dragon_tournament.statistics.pairs import observation
from dragon_tournament.statistics.sprt import SAME
from dragon_tournament.tournament import Openings, Tournament


@frozen
class Opening:
    """The beginning of a game: a position, or the start, and moves made from there."""

    position: str = ""
    """The position in the game's notation; empty for the game's start."""
    moves: tuple[str, ...] = ()


@frozen(eq=False)
class Schedule:
    """The games of a tournament, or of the shard that is played."""

    tournament: Tournament
    about: Mapping[str, Any] = Factory(lambda self: self.tournament.identity(), takes_self=True)
    """The settings of which ids are hashes."""

    @cached_property
    def names(self) -> list[str]:
        """The names of the players, in the order of the file."""
        return [player.name for player in self.tournament.players]

    @cached_property
    def seatings(self) -> Counter[tuple[str, ...]]:
        """The number of games of each seating, in the order of play.

        Those of a staged tournament are all that are possible, with the games of one encounter.
        """
        found: Counter[tuple[str, ...]] = Counter()
        for seats, games in self._listed():
            found[seats] += games
        return found

    def _listed(self) -> Iterator[tuple[tuple[str, ...], int]]:
        """Yield seatings with numbers of games, which are those of every instance."""
        made, each = self.tournament, len(self.tournament.instances) or 1
        for encounter in made.encounters:
            yield encounter.seats, (encounter.games or made.games) * each
        if not made.encounters:
            for seats in made.format.seatings(self.names, made.referee.seats(made.game)):
                yield seats, made.games * each

    def total(self, records: Collection[Record] = ()) -> int:
        """Count all games; where results decide who meets next, as far as the records tell."""
        style, shard = self.tournament.format, self.tournament.shard
        if isinstance(style, StagedFormat):
            history = self.history(records) if records else []  # none: no round need be made
            played = sum(len(bout.players) == 2 for stage in history for bout in stage)
            left = encounters_left(style, self.names, history)
            return (played + left) * 2 * self.tournament.games
        total = sum(games for _, games in self._listed())
        return total if shard is None else len(range(shard[0] - 1, total, shard[1]))

    def games(self, records: Iterable[Record] = ()) -> Iterator[Pairing]:
        """Every game, in the order of play: all seatings of a deal one after another.

        Where results decide who meets next, every game that the records so far determine.
        """
        if self.tournament.staged:
            return (pairing for _, games in self._rounds(records) for pairing in games)
        part, step = self.tournament.shard or (1, 1)
        return islice(self._games(), part - 1, None, step)

    def _games(self) -> Iterator[Pairing]:
        for index in range(max(self.seatings.values(), default=0)):
            opening = self.opening(index)
            for seats, games in self.seatings.items():
                if index < games:
                    yield self.pairing(seats, index, opening)

    def history(self, records: Iterable[Record]) -> list[list[Bout]]:
        """The rounds of a staged tournament as far as they are complete, replays apart."""
        return [bouts for bouts, _ in self._rounds(records) if bouts]

    def _rounds(self, records: Iterable[Record]) -> Iterator[tuple[list[Bout], list[Pairing]]]:
        """Each round that the records determine: its results once it has ended, and its games."""
        style, each = self.tournament.format, self.tournament.games
        assert isinstance(style, StagedFormat)
        found = {record.id: record for record in records}
        history: list[list[Bout]] = []
        while meetings := next_meetings(style, self.names, history):
            first = len(history) * each  # every round has openings and deals of its own
            bouts: list[Bout] = []
            games: list[Pairing] = []
            for index in range(first, first + each):
                opening = self.opening(index)
                for players in meetings:
                    for seats in permutations(players, 2):
                        games.append(self.pairing(seats, index, opening))
            complete = all(game.id in found for game in games)
            if complete:
                played = [found[game.id] for game in games]
                ended = (bout_of(players, played, 2 * each) for players in meetings)
                bouts = [bout for bout in ended if bout is not None]
            yield bouts, games
            if not complete:
                return
            history.append(bouts)

    def pairing(self, seats: tuple[str, ...], index: int, opening: Opening) -> Pairing:
        """The index-th game of players that sit so."""
        instances = self.tournament.instances
        turn = index // (len(instances) or 1)  # the number of the try at the instance
        deal = self.deal(turn)
        instance = instances[index % len(instances)].identity() if instances else None
        digest = id_of(self.about, seats, turn, deal, opening.moves, opening.position, instance)
        seed = seed_of_game(self.tournament.seed, digest)
        return Pairing(digest, seats, index, opening.moves, deal, seed, opening.position)

    # ---- openings -------------------------------------------------------------------------------

    def deal(self, index: int) -> int:
        """The deal's seed: with repeated random openings, that of the opening."""
        openings = self.tournament.openings
        if openings.random is not None and openings.count is not None:
            index %= openings.count
        return seed_of(DEAL, self.tournament.seed, index)

    def opening(self, index: int) -> Opening:
        """The opening of the index-th game of each seating; raises ConfigError if it cannot be."""
        made, openings = self.tournament, self.tournament.openings
        if made.instances:
            instance = made.instances[index % len(made.instances)]
            return Opening(instance.position, instance.moves)
        if openings == Openings():
            return Opening()
        number = index % (openings.size or index + 1)
        try:
            opening = self._opening(openings, number, index)
            if made.plies is not None and (plies := len(opening.moves)) >= made.plies:
                raise ConfigError(
                    f"{plies} plies leave none to be played, as plies = {made.plies}; raise plies"
                )
        except DragonError as wrong:
            raise ConfigError(f"{wrong} @ {openings.address(number)}") from wrong
        return opening

    def _opening(self, openings: Openings, number: int, index: int) -> Opening:
        """The opening of a number, in a game with the deal of the index-th."""
        game = self.tournament.game
        if openings.random is not None:
            return Opening(moves=self._random_opening(openings.random, number))
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
            state, start, moves, text = game.start(self.deal(index)), "", [], " ".join(line)
            for each in line:
                move = parse_move(state, each)
                state = state.after(move)
                moves.append(str(move))
        if state.turn == TERMINAL:
            over = f"in {text!r} the game is over"
            said = over if openings.positions else f"{text!r} ends the game"
            raise ConfigError(f"{said}; an opening must leave something to play")
        return Opening(start, tuple(moves))

    def _random_opening(self, plies: int, index: int) -> tuple[str, ...]:
        """Play this number of plies at random; try again where that ends the game."""
        for attempt in range(1000):
            rng = generator(OPENING, self.tournament.seed, index, attempt)
            state = self.tournament.game.start(self.deal(index))
            moves: list[str] = []
            while len(moves) < plies and state.turn != TERMINAL:
                move = roll(state, rng) if state.turn == CHANCE else random_move(state, rng)
                moves.append(str(move))
                state = state.after(move)
            if state.turn != TERMINAL:
                return tuple(moves)
        raise ConfigError(f"1000 tries of {plies} random plies all ended the game; take fewer")

    # ---- beginnings -----------------------------------------------------------------------------

    @cached_property
    def alike(self) -> bool:
        """Return True if every game begins where the rules begin it, and nothing is dealt."""
        return self.tournament.openings == Openings() and not self.tournament.dealt

    def with_new_beginnings(self, pairings: Iterable[Pairing]) -> Iterator[Pairing]:
        """Yield the games whose opening, or deal, comes for the first time.

        All of them where all begin alike: then only the players can make a difference.
        """
        if self.alike:
            yield from pairings
            return
        dealt, first, most = self.tournament.dealt, dict[Hashable, int](), 0
        for pairing in pairings:
            start = observation(pairing.deal, pairing.opening, pairing.position, dealt)
            if first.setdefault(start, pairing.index) == pairing.index:
                yield pairing
                continue
            most = most or self.beginnings(max(self.seatings.values()))
            if len(first) == most:
                return  # the rest of a long schedule need not be made

    def beginnings(self, most: int) -> int:
        """Count the different beginnings, up to `most`.

        With random openings it is a bound: the number of lines of that many plies.
        """
        openings = self.tournament.openings
        if openings.random is not None:
            most = min(most, openings.count or most)
        if self.tournament.dealt:
            return most
        if openings.random is not None:
            lines = _lines(self.tournament.game.start(0), openings.random)
            return sum(1 for _ in islice(lines, most))
        return len({self.opening(index) for index in range(min(openings.size, most))}) or 1

    def repetitions(self) -> Iterator[str]:
        """Yield a sentence if games must repeat one another move for move."""
        made = self.tournament
        if made.referee.seats(made.game) is None:
            return
        fixed = {player.name for player in made.players if player.repeats}
        if made.sprt is not None:
            games = max(self.seatings.values())
            found = self.beginnings(games)
            if self.alike:
                if len(fixed) == 2 and games > 1:
                    yield (
                        f"{_equal(fixed)}, and there {_are(found)}; so the test ends undecided "
                        f"after {min(games, SAME)} pairs; give [openings]"
                    )
            elif found < games:
                yield (
                    f"there {_are(found)}, and the test counts each once: it ends after {found:,} "
                    f"pairs at the latest, decided or not; give more [openings], or longer ones"
                )
            return
        bound = {
            seats: games
            for seats, games in self.seatings.items()
            if fixed.issuperset(seats) and games > 1
        }
        most = max(bound.values(), default=0)
        found = self.beginnings(most)
        if most <= found:
            return
        if made.staged:
            extra = f"{most - found:,} of {most:,} games of an encounter in each seating"
        else:
            extra = f"{sum(max(games - found, 0) for games in bound.values()):,} games"
        yield (
            f"{_equal(name for seats in bound for name in seats)}, and there {_are(found)}; so "
            f"{extra} will be identical move for move to others and tell nothing; give more "
            f"[openings], or fewer games"
        )


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


def _lines(state: State[Any], plies: int) -> Iterator[None]:
    """Yield once for every line of this length that does not end the game."""
    if state.turn == TERMINAL:
        return
    if not plies:
        yield None
        return
    for move in state.moves():
        yield from _lines(state.after(move), plies - 1)


def _equal(names: Iterable[str]) -> str:
    return f"{', '.join(sorted(set(names)))}: equal positions get equal moves"


def _are(found: int) -> str:
    return "is 1 way to begin" if found == 1 else f"are {found:,} ways to begin"
