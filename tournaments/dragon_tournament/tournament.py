"""Tournament: the values of a file, and of its players; all that is played follows from them."""

from __future__ import annotations

import pickle
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

import attrs
from attrs import field, frozen
from attrs.validators import ge, gt, in_, instance_of, le, optional

from dragon import protocols
from dragon.core import Game, Limit, Search, State, Trait
from dragon.errors import ConfigError
from dragon.rules.notation import parse_move
from dragon_tournament.adjudication import Adjudication
from dragon_tournament.clock import LONGEST, Clock, finite
from dragon_tournament.formats import Format, StagedFormat
from dragon_tournament.formats.round_robin import RoundRobin
from dragon_tournament.pairing import Pairing
from dragon_tournament.records.in_flight import InFlightLog, ProcessDeath
from dragon_tournament.records.record import Record
from dragon_tournament.sources import sources

if TYPE_CHECKING:  # workers, which import this, have no use for statistics
    from dragon_tournament.regret import Regret
    from dragon_tournament.statistics.sprt import Sprt

ROUND_ROBIN = RoundRobin()
MOST_TOLD = 50_000
"""Characters of openings that `tournament.json` repeats; a larger book is named by its hash."""


@frozen
class Player:
    """A named search with the limit it plays under."""

    name: str
    search: Search
    limit: Limit
    clock: Clock | None = None

    @property
    def timed(self) -> bool:
        """Return True if it can lose on time."""
        return self.clock is not None or self.limit.seconds is not None

    @property
    def repeats(self) -> bool:
        """Return True if it does the same whenever it is where it was before."""
        return self.search.deterministic and not self.timed

    def table(self) -> dict[str, Any]:
        """Return the player as plain data."""
        clock = {} if self.clock is None else {"clock": set_values(self.clock)}
        search, limit = str(self.search), set_values(self.limit)
        return {"name": self.name, "search": search, "limit": limit, **clock}

    def caveat(self) -> str | None:
        """Return a sentence on bounds of its limit or clock without effect; None if all count."""
        limit = self.limit if self.clock is None else self.clock.limit(self.limit, 1.0)
        return self.search.caveat(limit)


@frozen
class Instance:
    """A game, and where it begins."""

    name: str
    game: Game[Any]
    position: str = ""
    """The position in the game's notation; empty for the game's start."""
    moves: tuple[str, ...] = ()
    """The moves made from there before a player is asked."""
    value: float | None = None
    """Its true value for the seat to move, if that is known beforehand."""
    file: str = ""
    """The path of a file that the game is about, where there is one."""
    digest: str = ""
    """A hash of its contents."""

    def state(self, deal: int) -> State[Any]:
        """The position at which the players are asked; `deal` seeds what the game deals.

        Raises what the game does for a position or moves that are not its own.
        """
        state = self.game.parse(self.position) if self.position else self.game.start(deal)
        for text in self.moves:
            state = state.after(parse_move(state, text))
        return state

    def table(self) -> dict[str, Any]:
        """Return the instance as plain data, without absent values."""
        table = attrs.asdict(self, recurse=False)
        given = {k: v for k, v in table.items() if k != "file" and v not in ("", (), None)}
        return {**given, "game": str(self.game)}

    def identity(self) -> dict[str, Any]:
        """The identity of this instance; a file counts by its content, wherever it is."""
        table = self.table()
        if self.file:
            table["game"] = table["game"].replace(repr(self.file), self.digest)
        return table


@frozen
class Openings:
    """The openings that are used, in their order, or a number of plies at random."""

    lines: tuple[tuple[str, ...], ...] = ()
    """The lines, each a list of moves in the game's notation."""
    positions: tuple[str, ...] = ()
    """Instead of lines: positions, in the game's notation."""
    games: tuple[str, ...] = ()
    """Instead of lines: the beginnings of games, each a text that `dragon.transcripts` reads."""
    random: int | None = field(default=None, validator=optional(ge(1)))
    """The number of plies that are played at random, instead of lines."""
    count: int | None = field(default=None, validator=optional(ge(1)))
    """The number of openings at random; by default one for every game."""
    file: str = field(default="", eq=False)
    """The name of the file that they were read from."""
    places: tuple[int, ...] = field(default=(), eq=False)
    """The line of each in the file, or its number in the list, from 0."""

    @property
    def given(self) -> tuple[Any, ...]:
        """The openings, unless they are at random."""
        return self.lines or self.positions or self.games

    @property
    def size(self) -> int:
        """The number of different openings; 0 if each game has its own, or there are none."""
        return (self.count or 0) if self.random is not None else len(self.given)

    def address(self, number: int) -> str:
        """Return where the opening of that number was read."""
        if self.random is not None:
            return "openings.random"
        place = self.places[number] if self.places else number
        if self.file:
            return f"openings.file ({self.file}:{place})"
        return f"openings.{'positions' if self.positions else 'lines'}[{place}]"

    def table(self) -> dict[str, Any]:
        """Return the openings as plain data; if they are many, their number and a hash."""
        table = attrs.asdict(self, filter=lambda a, value: a.eq and value != a.default)
        if len(text := repr(self.given)) <= MOST_TOLD:
            return table
        digest = blake2b(text.encode(), digest_size=8).hexdigest()
        return {"file": self.file, "count": len(self.given), "digest": digest}


@frozen
class Encounter:
    """An entry of the list that replaces the format: players by seat, and their games."""

    seats: tuple[str, ...]
    games: int | None = field(default=None, validator=optional(ge(1)))


class Referee(protocols.Referee, Protocol):
    """The interface of a referee, a frozen value that can be pickled."""

    def play(
        self,
        tournament: Tournament,
        pairing: Pairing,
        notes: InFlightLog,
        deaths: tuple[ProcessDeath, ...] = (),
    ) -> Record:
        """Play one game and return its record, whether players err, crash or stop answering.

        `deaths` are those of processes that this game's players have already brought down.
        """


@runtime_checkable
class SoloReferee(Referee, Protocol):
    """A referee of players that work alone, each on the same instances."""

    needs_reference: ClassVar[bool]
    """True if a search must give it the true value."""
    tolerance: ClassVar[float | None]
    """The distance from the truth that is near enough, unless the file says another."""

    def allows(self, game: Game[Any]) -> bool:
        """Return True if it can judge this game where the file asks for it by name."""

    def goals(self, game: Game[Any]) -> tuple[str, ...]:
        """The goals that an instance of this game can have; the usual one first."""


@frozen(kw_only=True)
class Settings:
    """The keys of a file that a tournament has as they are."""

    seed: int = field(default=0, validator=ge(0))
    """Every random number of the tournament derives from it."""
    margin: float = field(default=1.0, validator=[ge(0), le(LONGEST)])
    """Seconds by which a move may overrun a limit in seconds before it loses on time."""
    memory: int | None = field(default=None, validator=optional(ge(1)))
    """Megabytes that a player may make its process grow by; none: as much as there is."""
    stall: float = field(default=600.0, validator=[gt(0), le(LONGEST)])
    """Seconds after which a move that does not have a limit in seconds counts as stalled."""
    warmup: float = field(default=120.0, validator=[gt(0), le(LONGEST)])
    """Seconds a player may take to get ready (to compile) before its first game."""
    plies: int | None = field(default=None, validator=optional(ge(1)))
    """The number of plies at which a match is adjudicated a draw."""
    reference_seconds: float = field(default=60.0, validator=[gt(0), le(LONGEST)])
    """Seconds in which the reference must prove it."""
    moves: str = field(default="plain", validator=in_(("plain", "full")))
    """`full` keeps in the records the value, depth, nodes and seconds of each move."""
    rating: str = field(default="elo", validator=in_(("elo", "openskill")))
    """The measure of strength: `elo`, or `openskill` too, which suits three and more seats."""
    exploitability: bool = field(default=False, validator=instance_of(bool))
    """True if the standings say what each player loses to a best response, in a small game."""
    tolerance: float | None = field(default=None, validator=optional([ge(0), finite]))
    """The distance that a value may have from the best or the truth; 0.01 in an estimate."""


@frozen(kw_only=True)
class Tournament(Settings):
    """The values of a file; everything that is played follows from them."""

    name: str
    game: Game[Any]
    referee: Referee
    players: tuple[Player, ...]
    format: Format = ROUND_ROBIN
    games: int = 1
    """The number for each seating."""
    encounters: tuple[Encounter, ...] = ()
    openings: Openings = Openings()
    reference: Search | None = None
    sprt: Sprt | None = None
    adjudication: Adjudication | None = None
    regret: Regret | None = None
    """The judging of moves after the games, if the file asks for it."""
    instances: tuple[Instance, ...] = ()
    """The instances that all players solve or estimate in turn; empty: the start of `game`."""
    goal: str = ""
    """The goal that solves an instance; empty where players meet."""
    shard: tuple[int, int] | None = None
    """The part of the schedule that is played: every n-th game from the k-th, given as k and n."""

    @property
    def staged(self) -> bool:
        """Return True if the next meetings depend on the results so far."""
        return isinstance(self.format, StagedFormat)

    @cached_property
    def graded(self) -> bool:
        """Return True if players meet for payoffs that tell more than who has won."""
        if self.referee.seats(self.game) is None:
            return False
        state = self.game.start(0)
        sides = len(set(self.game.teams))
        return bool(state.largest > state.unit or (sides == 2 and not state.zero_sum))

    @cached_property
    def dealt(self) -> bool:
        """Return True if games that players begin with the same opening differ by their deal.

        Where the rules begin every deal alike, as with dice, the opening is what games have in
        common; without one, their luck.
        """
        if self.referee.seats(self.game) is None or self.openings.positions:
            return False
        return is_dealt(self.game) if self.openings == Openings() else is_shuffled(self.game)

    @property
    def threads(self) -> int:
        """The number of threads of the player that has most."""
        return max(threads_of(player.search) for player in self.players)

    def instance_of(self, pairing: Pairing) -> Instance:
        """The instance of a pairing: one of the set, or that of the game and its opening."""
        if self.instances:
            return self.instances[pairing.index % len(self.instances)]
        return Instance("", self.game, pairing.position, pairing.opening)

    @property
    def by_spec(self) -> dict[str, Game[Any]]:
        """The games by their specs, as records have them."""
        return {str(of): of for of in (self.game, *(each.game for each in self.instances))}

    def player(self, name: str) -> Player:
        """The player of that name."""
        return next(p for p in self.players if p.name == name)

    def sharded(self, shard: tuple[int, int]) -> Tournament:
        """The tournament of a part of its games; raises ConfigError where results decide them."""
        why = (
            f"a {self.format.name} pairs by results" if self.staged
            else "a test ends by results" if self.sprt is not None
            else "its players meet in one game" if self.referee.seats(self.game) is None
            else None
        )  # fmt: skip
        if why is not None:
            raise ConfigError(
                f"{why}, so that parts of it cannot be played apart; leave --shard out, or use "
                f"--executor dask for several machines"
            )
        return attrs.evolve(self, shard=shard)

    def pickled(self) -> bytes:
        """Return the tournament for workers: without openings, which each game has for itself."""
        return pickle.dumps(attrs.evolve(self, openings=Openings()))

    def caveats(self) -> list[str]:
        """Return a sentence for each player that ignores its limit.

        A search that takes no limit, and so ends by itself, needs no sentence.
        """
        found = ((p.name, p.caveat()) for p in self.players if p.search.limits)
        return [
            caveat if caveat.startswith(name) else f"{name}: {caveat}"
            for name, caveat in found
            if caveat is not None
        ]

    def sources(self) -> dict[str, str]:
        """Return hashes of the code of its game and its players' searches, by their names."""
        return sources(self.game, {p.name: p.search for p in self.players})

    def identity(self) -> dict[str, Any]:
        """The settings that decide what its games are, as plain data; ids are hashes of them."""
        optional = {
            "memory": self.memory,
            "goal": self.goal or None,
            "tolerance": self.tolerance,
        }
        return {
            "game": str(self.game),
            "referee": self.referee.name,
            "seed": self.seed,
            "plies": self.plies,
            "margin": self.margin,
            "reference": None if self.reference is None else str(self.reference),
            "adjudication": self.adjudication and settings_table(self.adjudication),
            **{key: given for key, given in optional.items() if given is not None},
            "players": [player.table() for player in self.players],
        }

    def summary(self) -> dict[str, Any]:
        """The configuration as plain data, kept beside the records."""
        from importlib.metadata import version  # without which a worker starts

        optional = {
            "exploitability": self.exploitability or None,
            "regret": self.regret and settings_table(self.regret),
            "instances": [i.table() for i in self.instances] or None,
            "shard": self.shard and list(self.shard),
            **attrs.asdict(self.format),
        }
        return {
            "name": self.name,
            "version": version("dragon-search"),
            "sources": self.sources(),
            "graded": self.graded,
            "dealt": self.dealt,
            "format": self.format.name,
            "games": self.games,
            "rating": self.rating,
            "sprt": self.sprt and attrs.asdict(self.sprt),
            "openings": self.openings.table(),
            **{key: given for key, given in optional.items() if given is not None},
            "pairings": [attrs.asdict(e) for e in self.encounters],
            **self.identity(),
        }


def threads_of(search: Search) -> int:
    """Return the setting `threads` of a search, or of one among its settings, if that has more."""
    given = attrs.asdict(search, recurse=False)
    inner = [threads_of(value) for value in given.values() if isinstance(value, Search)]
    return (
        max(inner, default=1) if "threads" not in given else max(given["threads"] or 1, *inner, 1)
    )


def is_dealt(game: Game[Any]) -> bool:
    """Return True if a game depends on its seed: cards, dice, a random beginning.

    All deals of a game without any luck are the same.
    """
    return Trait.CHANCE in game.traits or is_shuffled(game)


def is_shuffled(game: Game[Any]) -> bool:
    """Return True if a game's start depends on the seed."""
    return any(game.start(seed) != game.start(0) for seed in range(1, 9))


def settings_table(value: Any) -> dict[str, Any]:
    """The fields of an attrs value that are not defaults, as plain data."""
    return {
        a.name: settings_table(given) if attrs.has(type(given)) and not isinstance(given, Search)
        else str(given) if isinstance(given, Search) else given
        for a in attrs.fields(type(value))
        if (given := getattr(value, a.name)) != a.default
    }  # fmt: skip


def set_values(of: Limit | Clock) -> dict[str, float]:
    """The values of a limit or a clock that are set."""
    given = attrs.asdict(of, recurse=False)
    return {key: value for key, value in given.items() if value is not None}
