"""The tables of a tournament file as values: game, players, format, referee, adjudication.

Mistakes are not raised but noted in `Problems`, each with its address.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import attrs

from dragon.config import build
from dragon.config import game as build_game
from dragon.config import search as build_search
from dragon.core import Game, Limit, Search
from dragon.errors import ConfigError, DragonError, UnknownName, closest
from dragon.plugins import find_search, own_offers
from dragon_tournament.adjudication import Adjudication, Draw, Resign
from dragon_tournament.clock import LONGEST, Clock
from dragon_tournament.formats.format import Format
from dragon_tournament.formats.registry import Installed
from dragon_tournament.formats.round_robin import RoundRobin
from dragon_tournament.regret import Regret
from dragon_tournament.tournament import (
    Encounter,
    Player,
    Referee,
    SoloReferee,
    set_values,
)

PLAYER = ("search", "name", "limit", "clock")  # the keys of every player
ABOVE = frozenset({
    "adjudication", "format", "game", "games", "margin", "memory", "moves", "openings", "plies",
    "referee", "rounds", "sprt", "stall", "warmup",
})  # fmt: skip
"""Keys of a tournament that are written below a [[player]] by mistake."""
FOREIGN = {
    key: remedy
    for remedy, keys in {
        'write [[player]] with search = "..." for each':
            "players engines engine dev_engine base_engine dev_branch base_branch",
        "write settings below each [[player]]": "dev_options base_options",
        "limit and clock of the top level are those of every player": "each",
        "write clock = { seconds = 8, increment = 0.08 }":
            "tc timecontrol time_control time base inc dev_time_control base_time_control "
            "player.tc player.timecontrol player.time_control",
        "write seconds = 8, increment = 0.08": "clock.tc clock.time clock.base",
        "write increment": "clock.inc",
        "write limit = { seconds = 1 }":
            "st seconds movetime player.st player.seconds player.movetime",
        "write limit = { nodes = 1000 }": "nodes player.nodes",
        "write limit = { depth = 6 }": "depth player.depth",
        "write limit = { simulations = 1000 }": "simulations",
        "write seconds = 0.1": "limit.time limit.movetime limit.st",
        "write margin, which is in seconds": "timemargin",
        "its keys belong to the top level, and format says who meets whom": "tournament",
        "write name": "event", "write seed": "srand", "write game": "variant",
        "write games": "max_games", "write plies": "maxmoves",
        "every pair plays each opening from both seats; games is their number for a seating":
            "repeat",
        "players are seeded in the order of the file": "seeds",
        "give the command --workers N": "concurrency workers",
        "leave it out; a game begins when a worker is free": "wait",
        "a program that ends is always started again": "recover",
        "write [openings] with file": "book opening book_name",
        'kind = "moves", "positions" or "pgn" says what the file holds': "openings.format",
        "leave out the lines before": "openings.start",
        "every pair of games has the next opening": "openings.policy",
        "write [sprt] with elo0, elo1, alpha and beta":
            "bounds confidence sprt.bounds sprt.confidence",
        "write [adjudication] with resign": "resign win_adj",
        "write [adjudication] with draw": "draw draw_adj",
        'write [adjudication] with judge = "table", or a solver':
            "tb syzygy_adj syzygy_wdl adjudication.tb",
        "write moves": "adjudication.resign.movecount adjudication.draw.movecount",
        "write value, as the players' values are":
            "adjudication.resign.score adjudication.draw.score",
        "write both": "adjudication.resign.twosided",
        "write after, which is in plies": "adjudication.draw.movenumber",
        "export the results: dragon export DIR": "pgnout",
        "leave it out; records and reports are always written": "epdout ratinginterval upload_pgns",
        "put them into command, which is a list": "player.args",
        "give command the whole path": "player.dir",
        "write options = { Hash = 16 }": "player.option",
        'write setup = ["..."]': "player.initstr",
    }.items()
    for key in keys.split()
}  # fmt: skip
"""The keys of cutechess, fastchess, OpenBench and others, by their replacement here: addresses
without the number of a player."""
PROTOCOLS = {"cecp": "cecp", "gtp": "gtp", "ugi": "ugi", "uci": "uci", "xboard": "cecp"}
"""Protocols of programs, by names that users give as a search by mistake."""
T = TypeVar("T")


class Problems:
    """A collection of the mistakes of a file; an attempt that fails gives None."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def add(self, sentence: str, at: str = "") -> None:
        """Note a mistake, once; `at` is its address if the sentence does not have one."""
        if at and " @ " not in sentence:
            sentence = f"{sentence} @ {at}"
        listed = re.search(r" \(settings: .*\)(?= @ )", sentence)
        if listed and any(listed[0] in each for each in self.found):
            sentence = sentence.replace(listed[0], "")
        sentence = re.sub(r"@ \$(\.|$)", lambda m: "@ " if m[1] else "@ top level", sentence)
        if sentence not in self.found:
            self.found.append(sentence)

    def attempt(self, make: Callable[..., T], *args: Any, at: str = "") -> T | None:
        """Return make(*args), or None with its complaints noted."""
        try:
            return make(*args)
        except DragonError as wrong:
            for sentence in wrong.problems if isinstance(wrong, ConfigError) else (str(wrong),):
                self.add(sentence, at)
        return None

    def table(self, make: Callable[..., T], table: Any, at: str, example: str) -> T | None:
        """The attrs value of a table; None where there is none, or it has mistakes."""
        if table is None:
            return None
        if not isinstance(table, dict):
            self.add(f"must be a table such as {example}, not {table!r} @ {at}")
            return None
        own = without_foreign(table, inspect.signature(make).parameters, self, f"{at}.")
        return self.attempt(build, make, own, at)

    def names(self, given: Any, known: Iterable[str], at: str) -> tuple[str, ...] | None:
        """Return players' names; None unless it is a list of texts. Unknown ones are noted."""
        if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
            self.add(f"must be a list of players' names, not {given!r} @ {at}")
            return None
        for name in given:
            if known and name not in known:
                self.add(str(UnknownName("player", name, known)), at)
        return tuple(given)

    def lines(self, path: Path, at: str) -> list[tuple[int, str]] | None:
        """The numbered lines of a file, except empty ones and those that begin with #."""
        if (text := self.attempt(text_of, path, at=at)) is None:
            return None
        lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
        return [(number, line) for number, line in lines if line and not line.startswith("#")]


def text_of(path: Path) -> str:
    """Return the text of a file; raises ConfigError if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as wrong:  # a path with a zero is a ValueError too
        reason = wrong.strerror if isinstance(wrong, OSError) else "it is not UTF-8 text"
        raise ConfigError(f"cannot read {path}: {reason}; give a text file in UTF-8") from None


# ---- game, players and who meets whom ------------------------------------------------------------


def game_of(table: Any, problems: Problems) -> Game[Any] | None:
    """The game, or None with its mistakes noted."""
    if table is None:
        problems.add('no game; write [game] with name = "..." @ game')
        return None
    if not isinstance(table, str | dict):
        problems.add(f'must be a table with name = "...", not {table!r} @ game')
        return None
    return problems.attempt(build_game, table, "game", at="game")


def limit_of(table: Any, at: str, problems: Problems) -> Limit:
    """The limit; none where there is none, or where it has mistakes."""
    limit = problems.table(Limit, table, at, "{ nodes = 1000 }") or Limit()
    if limit.seconds is not None and limit.seconds > LONGEST:
        problems.add(f"seconds must be at most {LONGEST:.0f}, not {limit.seconds} @ {at}")
    return limit


def clock_of(table: Any, at: str, problems: Problems) -> Clock | None:
    """The clock, if there is one."""
    return problems.table(Clock, table, at, "{ seconds = 60, increment = 0.5 }")


def players_of(
    tables: Any, common: Limit, clock: Clock | None, games: Iterable[Game[Any]], problems: Problems
) -> list[Player]:
    """The players, named; each must be able to play all the games."""
    if not isinstance(tables, list) or not tables:
        problems.add('no players; write [[player]] with search = "..." for each @ player')
        return []
    found: list[tuple[Player, str]] = []
    for index, table in enumerate(tables):
        at = f"player[{index}]"
        if not isinstance(table, dict):
            problems.add(f"must be a table under [[player]], not {table!r} @ {at}")
            continue
        own = dict(table)
        name, limit, time = own.pop("name", None), own.pop("limit", None), own.pop("clock", None)
        if name is not None and not (isinstance(name, str) and name.strip()):
            problems.add(f"name must be text, not {name!r} @ {at}")
            name = None
        bound = common if limit is None else limit_of(limit, f"{at}.limit", problems)
        timed = clock if time is None else clock_of(time, f"{at}.clock", problems)
        own = without_foreign(own, _settings(own), problems, f"{at}.")
        _misspelt(own, at, problems)
        _misplaced(own, at, problems)
        protocol = PROTOCOLS.get(str(own.get("search")).casefold())
        if protocol is not None and not _is_known(own["search"]):
            remedy = f'write search = "engine", protocol = "{protocol}" and command = ["./program"]'
            problems.add(f"no search called {own['search']!r}; {remedy} @ {at}.search")
            continue
        search = problems.attempt(build_search, own, at, at=at)
        if search is not None:
            for sentence in filter(None, map(search.objection, games)):
                problems.add(f"{sentence} @ {at}")
            own_bounds = {} if limit is None else set_values(bound)
            bounds = [f"{k}={v:g}" for k, v in own_bounds.items()]
            bounds += [f"clock={timed}"] if time is not None else []
            spec = f"{search} [{', '.join(bounds)}]" if bounds else str(search)
            found.append((Player(name or "", search, bound, timed), spec))
    return _named(found, problems)


def _settings(table: Mapping[str, Any]) -> frozenset[str]:
    """Return the settings of the search that a table names; none of one that is not installed."""
    name = str(table.get("search", "")).partition("(")[0].strip()
    if not set(table) - {*PLAYER} or not _is_known(name):  # no class is loaded unless it is needed
        return frozenset()
    return frozenset(a.alias for a in attrs.fields(find_search(name)))


def _is_known(name: str) -> bool:
    """Return True if a search of that name is installed."""
    try:
        find_search(name)
    except UnknownName:
        return False
    return True


def _misspelt(table: dict[str, Any], at: str, problems: Problems) -> None:
    """Take out keys that are not settings of the search, but nearly keys of every player."""
    settings = _settings(table)
    for key in [key for key in table if key not in settings and key not in PLAYER]:
        meant = closest(key, PLAYER, cutoff=0.75)
        if meant is not None and closest(key, settings, cutoff=0.75) is None:
            problems.add(f"no setting {key!r} here; did you mean {meant!r}? @ {at}")
            del table[key]


def _misplaced(table: dict[str, Any], at: str, problems: Problems) -> None:
    """Take out keys of the tournament, which TOML gives to the [[player]] above them."""
    settings = _settings(table)
    for key in [key for key in table if key in ABOVE and key not in settings]:
        problems.add(f"{key} is the tournament's; write it above the first [[player]] @ {at}.{key}")
        del table[key]


def without_foreign(
    table: Mapping[str, Any], known: Iterable[str], problems: Problems, at: str = ""
) -> dict[str, Any]:
    """Return a table without keys of other programs that are not known here; note each."""
    settings, place = set(known), re.sub(r"^player\[\d+\]\.(?=limit|clock)|\[\d+\]", "", at)
    taken = [key for key in table if f"{place}{key}" in FOREIGN and key not in settings]
    for key in taken:
        problems.add(f"no setting {key!r} here; {FOREIGN[place + key]} @ {at}{key}")
    return {key: value for key, value in table.items() if key not in taken}


def _named(found: Sequence[tuple[Player, str]], problems: Problems) -> list[Player]:
    """Name players as given, or by spec and own limit; equal ones are numbered."""
    taken = [player.name for player, _ in found if player.name]
    for name in sorted({n for n in taken if taken.count(n) > 1}):
        problems.add(f"two players are called {name!r}; names must differ @ player")
    players: list[Player] = []
    used = set(taken)
    for player, spec in found:
        name, number = player.name or spec, 2
        while not player.name and name in used:
            name, number = f"{spec} ({number})", number + 1
        used.add(name)
        players.append(attrs.evolve(player, name=name))
    return players


def format_of(table: Mapping[str, Any], installed: Installed, problems: Problems) -> Format:
    """Return the format that the file names or implies; note keys that are for others."""
    known, name = installed.classes, table.get("format")
    if name is None:
        cls = next(
            (c for c in known.values() if c.implied_by and c.implied_by in table), RoundRobin
        )
    elif isinstance(name, str) and name in known:
        cls = known[name]
    else:
        if isinstance(name, str):  # else it was noted with the other keys
            problems.add(str(UnknownName("format", name, known)), at="format")
        return RoundRobin()
    if "pairing" in table and ("format" in table or cls.implied_by):
        key = "format" if "format" in table else cls.implied_by
        problems.add(f"{key} and [[pairing]] exclude each other; leave one out @ pairing")
    own = installed.keys[cls.name]
    for other, keys in installed.keys.items():
        for key in keys:
            if key in table and key not in own:
                how = "; games is the number for a seating" * (key == "rounds")
                problems.add(f'{key} is for format = "{other}"; leave it out{how} @ {key}')
    settings = {key: table[key] for key in own if key in table}
    return problems.attempt(build, cls, settings, "$") or RoundRobin()


def encounters_of(
    table: Mapping[str, Any], names: Sequence[str], problems: Problems
) -> list[Encounter]:
    """The entries of [[pairing]]; `names` are those of the players."""
    tables = table.get("pairing", [])
    if not isinstance(tables, list):
        problems.add('must be a list; write [[pairing]] with seats = ["...", "..."] @ pairing')
        return []
    found: list[Encounter | None] = []
    for index, given in enumerate(tables):
        at = f"pairing[{index}]"
        if not isinstance(given, dict):
            problems.add(f"must be a table under [[pairing]], not {given!r} @ {at}")
        elif problems.names(given.get("seats", []), names, f"{at}.seats") is not None:
            found.append(problems.table(Encounter, given, at, ""))
    return [encounter for encounter in found if encounter is not None]


# ---- who judges ----------------------------------------------------------------------------------


def referee_of(
    name: str | None, games: Sequence[Game[Any]], instances: bool, problems: Problems
) -> Referee | None:
    """The referee of that name, else the one that suits the games; instances are raced for."""
    offered = own_offers("dragon_referees", name)
    known: dict[str, Referee] = {offer.value.name: offer.value for offer in offered}
    if name is not None and name not in known:
        problems.add(str(UnknownName("referee", name, known)), at="referee")
        return None
    if not games:
        return None
    if name is not None:
        chosen = known[name]
        if instances and not isinstance(chosen, SoloReferee):
            problems.add(f"a {name} has no instances; take openings, or another one @ referee")
        fits = chosen.allows if isinstance(chosen, SoloReferee) else chosen.suits
        for game in games:
            if not fits(game):
                problems.add(f"{name} cannot judge {game}; leave the key out @ referee")
        return chosen
    for referee in known.values():
        solo = isinstance(referee, SoloReferee) or not instances
        if solo and all(referee.suits(game) for game in games):
            return referee
    race = known.get("race") if instances else None
    if isinstance(race, SoloReferee) and all(race.allows(game) for game in games):
        return race
    which = " and ".join(map(str, games)) if len(games) < 4 else "all the games"
    names = ", ".join(sorted(known)) or "none is installed"
    problems.add(f"no referee suits {which} ({names}) @ game")
    return None


def goal_of(goal: str | None, referee: Any, games: Sequence[Game[Any]], problems: Problems) -> str:
    """The goal that solves an instance; empty where players meet."""
    if not isinstance(referee, SoloReferee) or not games:
        return ""
    for game in games:
        known = referee.goals(game)
        if goal is not None and goal not in known:
            goals = " or ".join(map(repr, known))
            problems.add(f"a {referee.name} of {game} has the goal {goals}, not {goal!r} @ goal")
    usual: str = next((g for g in referee.goals(games[0])
                       if all(g in referee.goals(game) for game in games)), "best")  # fmt: skip
    return goal or usual


def reference_of(
    spec: str, given: bool, referee: Any, games: Sequence[Game[Any]], problems: Problems
) -> Search | None:
    """The search that is trusted: an estimate needs one, a race has one if it is `given`."""
    if not games or not isinstance(referee, SoloReferee):
        return None
    if not given and not referee.needs_reference:
        return None
    search = problems.attempt(build_search, spec, "reference", at="reference")
    for sentence in filter(None, map(search.objection, games)) if search is not None else ():
        problems.add(f"{sentence} @ reference")
    return search


def regret_of(
    table: Any, referee: Any, game: Game[Any] | None, problems: Problems
) -> Regret | None:
    """The judging of moves, if the file asks for it."""
    found = problems.table(Regret, table, "regret", '{ search = "alphabeta" }')
    if found is None or game is None or referee is None:
        return found
    if referee.seats(game) is None:
        problems.add(f"{game} is played alone; leave the table out @ regret")
        return found
    objections = problems.attempt(_objections_to, found, game, at="regret") or []
    for key, sentence in objections:
        problems.add(f"{sentence} @ regret{key and '.'}{key}")
    return found


def _objections_to(rules: Regret, game: Game[Any]) -> list[tuple[str, str]]:
    return list(rules.objections(game))


def adjudication_of(
    table: Any, referee: Any, game: Game[Any] | None, searches: Sequence[Search], problems: Problems
) -> Adjudication | None:
    """The rules by which matches between those searches end early, if there are any."""
    own = dict(table) if isinstance(table, dict) else table
    parts: dict[str, Any] = {}
    for key, make, example in (
        ("resign", Resign, "{ value = 0.9, moves = 3 }"),
        ("draw", Draw, "{ value = 0.05, moves = 4 }"),
    ):
        if isinstance(own, dict) and key in own:
            parts[key] = problems.table(make, own.pop(key), f"adjudication.{key}", example)
    found = problems.table(Adjudication, own, "adjudication", "{ proven = true }")
    if found is None:
        return None
    found = attrs.evolve(found, **parts)
    if game is not None and referee is not None:
        if referee.seats(game) is None:
            problems.add(f"{game} is played alone; leave the table out @ adjudication")
            return found
        state = problems.attempt(game.start, 0, at="game")
        for key, sentence in () if state is None else found.objections(game, state, searches):
            problems.add(f"{sentence} @ adjudication{key and '.'}{key}")
    return found
