"""The tables of a tournament file as values, and the Tournament that they make.

Mistakes are not raised but noted in `Problems`, each with its address.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import attrs
from attrs import field, fields, frozen
from attrs.validators import ge, in_, optional

from dragon.config import build
from dragon.config import game as build_game
from dragon.config import search as build_search
from dragon.core import Game, Limit, Search
from dragon.errors import UnknownName, closest
from dragon.plugins import find_search, own_offers
from dragon_tournament.adjudication import Adjudication, Draw, Resign
from dragon_tournament.clock import LONGEST, Clock
from dragon_tournament.config.positions import instances_of, openings_of
from dragon_tournament.config.problems import ABOVE, PROTOCOLS, Problems
from dragon_tournament.formats.format import Format, StagedFormat, objections, rehearse
from dragon_tournament.formats.registry import Installed, installed, keys_of
from dragon_tournament.formats.round_robin import RoundRobin
from dragon_tournament.referees.guard import measurable
from dragon_tournament.regret import Regret
from dragon_tournament.statistics.skill import ABSENT, available
from dragon_tournament.statistics.sprt import Sprt
from dragon_tournament.tournament import (
    Encounter,
    Instance,
    Player,
    Referee,
    Settings,
    SoloReferee,
    Tournament,
    set_values,
)

GOALS = ("first", "best", "proof")
SPRT_GAMES = 10_000  # of each seating, where the test may decide sooner and the file says nothing
CLOCK = "{ seconds = 60, increment = 0.5 }"
PLAYER = ("search", "name", "limit", "clock")  # the keys of every player


@frozen(kw_only=True)
class File(Settings):
    """The keys of a tournament file, with their defaults; a format adds its own."""

    name: str | None = None
    """The tournament's name, also of its folder; the file's name by default."""
    format: str | None = None
    """The name of the format, such as `swiss`; a round robin by default."""
    games: int | None = field(default=None, validator=optional(ge(1)))
    """The number for each ordered pairing; by default one for each opening, or one."""
    reference: str = "exhaustive"
    """The search that gives the true value to an estimate."""
    referee: str | None = None
    """The judge: `match`, `race` or `estimate`; by default the game's traits say."""
    goal: str | None = field(default=None, validator=optional(in_(GOALS)))
    """The goal that solves an instance of a race or an estimate: `first`, `best` or `proof`."""
    instances: Any = None
    """Patterns of files, each line of them a position to be solved or estimated."""
    instance: Any = None
    game: Any = None
    limit: Any = None
    clock: Any = None
    player: Any = None
    pairing: Any = None
    openings: Any = None
    sprt: Any = None
    adjudication: Any = None
    regret: Any = None


KEYS = frozenset(a.name for a in fields(File))
TABLES = frozenset(a.name for a in fields(File) if str(a.type) == "Any")
TAKEN = KEYS | {
    "dealt", "exploited", "graded", "pairings", "players", "regrets", "sources", "total", "tune",
    "version",
}  # fmt: skip
"""Keys of a file, and of `tournament.json`, that no format can have."""


@cache
def _with_keys(keys: tuple[str, ...]) -> type[File]:
    """The keys of a file and those of formats, for suggestions; formats look at their values."""
    loose = {key: field(default=None, type=Any) for key in keys}
    return attrs.make_class("File", loose, bases=(File,), frozen=True)


def tournament_of(
    table: Mapping[str, Any], stem: str, folder: Path, problems: Problems
) -> Tournament | None:
    """The tournament of a file's tables; None with its mistakes noted.

    stem: its name where the file gives none. folder: where paths in it start.
    """
    known = installed(table, KEYS)
    head = _head(table, known, problems)
    name = _name(stem if head.name is None else head.name, problems)
    instances, game = about_of(table, folder, problems)
    needed = (head.games or SPRT_GAMES) if "sprt" in table else None
    seed = getattr(head, "seed", 0)  # a key of a format may hide it, which is told below
    openings = openings_of(table.get("openings"), folder, seed, needed, problems)
    games = tuple(dict.fromkeys(i.game for i in instances)) or ((game,) if game else ())
    common = limit_of(table.get("limit"), "limit", problems)
    clock = problems.table(Clock, table.get("clock"), "clock", CLOCK)
    players = players_of(table.get("player"), common, clock, games, problems)
    names = [player.name for player in players]
    style = format_of(table, known, problems)
    encounters = encounters_of(table, names, problems)
    referee = referee_of(head.referee, games, bool(instances), problems)
    goal = goal_of(head.goal, referee, games, problems)
    if len(players) == 1 and not (encounters or style.implied_by or goal or problems.found):
        problems.add("one player alone has no opponent; add a [[player]] or list a [[pairing]]")
    reference = reference_of(head.reference, "reference" in table, referee, games, problems)
    sprt = problems.table(Sprt, table.get("sprt"), "sprt", "{ elo0 = 0, elo1 = 5 }")
    searches = [player.search for player in players]
    adjudication = adjudication_of(table.get("adjudication"), problems)
    _suit(adjudication, "adjudication", game, referee, searches, problems)
    regret = problems.table(Regret, table.get("regret"), "regret", '{ search = "alphabeta" }')
    _suit(regret, "regret", game, referee, searches, problems)
    _check_keys(table, goal, problems)
    sound = len(names) > 0 and len(names) == len(table["player"])
    if sound and game is not None and referee is not None:
        _fit(style, names, str(game), referee.seats(game), problems)
    if problems.found or game is None or referee is None:
        return None
    each = 1 if instances or isinstance(style, StagedFormat) else openings.size or 1
    same = {a.name: getattr(head, a.name) for a in fields(Settings)}
    if head.tolerance is None and isinstance(referee, SoloReferee):
        same["tolerance"] = referee.tolerance
    return Tournament(
        **same, name=name, game=game, referee=referee, players=tuple(players),
        format=style.fitted(names), games=head.games or (SPRT_GAMES if sprt else each),
        encounters=tuple(encounters), openings=openings, sprt=sprt, adjudication=adjudication,
        regret=regret, reference=reference, instances=tuple(instances), goal=goal,
    )  # fmt: skip


def _head(table: Mapping[str, Any], known: Installed, problems: Problems) -> File:
    """The values of the top level that are not tables; formats look at their own keys."""
    if "tune" in table:
        problems.add(
            "settings that are ranges are for dragon tune; run that, or leave it out @ tune"
        )
    scalars = {k: v for k, v in table.items() if k not in TABLES and k != "tune"}
    scalars = problems.without_foreign(scalars, known.every_key)
    return problems.attempt(build, _with_keys(known.every_key), scalars, "$") or File()


def _name(name: str, problems: Problems) -> str:
    if not re.fullmatch(r"\w[\w .()+-]{0,99}", name):
        problems.add(
            f"name {name[:120]!r} must be one that a folder can have, of at most 100 letters, "
            f"digits, spaces and . - _ + ( ) @ name"
        )
    return name


def about_of(
    table: Mapping[str, Any], folder: Path, problems: Problems
) -> tuple[list[Instance], Game[Any] | None]:
    """The set of instances, if there is one, and the game; with a set a file may have none."""
    sets = [key for key in ("instance", "instances") if key in table]
    game = None if sets and "game" not in table else game_of(table.get("game"), problems)
    instances = instances_of(table, folder, game, problems)
    if sets and "openings" in table:
        problems.add("openings and instances exclude each other; leave one out @ openings")
    if game is None and instances:
        game = instances[0].game
    return instances, game


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


def players_of(
    tables: Any, common: Limit, clock: Clock | None, games: Iterable[Game[Any]], problems: Problems
) -> list[Player]:
    """The players, named; each must be able to play all the games."""
    if not isinstance(tables, list) or not tables:
        wrong = "[player] is one table" if isinstance(tables, dict) else "no players"
        problems.add(f'{wrong}; write [[player]] with search = "..." for each @ player')
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
        timed = clock if time is None else problems.table(Clock, time, f"{at}.clock", CLOCK)
        search = _search_of(own, at, problems)
        if search is not None:
            for sentence in filter(None, map(search.objection, games)):
                problems.add(f"{sentence} @ {at}")
            own_bounds = {} if limit is None else set_values(bound)
            bounds = [f"{k}={v:g}" for k, v in own_bounds.items()]
            bounds += [f"clock={timed}"] if time is not None else []
            spec = f"{search} [{', '.join(bounds)}]" if bounds else str(search)
            found.append((Player(name or "", search, bound, timed), spec))
    return _named(found, problems)


def _search_of(table: dict[str, Any], at: str, problems: Problems) -> Search | None:
    """The search of a player's table, without the keys of every player."""
    name = str(table.get("search"))
    settings = (_settings(name) if table.keys() - {*PLAYER} else None) or frozenset()
    own = {}
    for key, value in problems.without_foreign(table, settings, f"{at}.").items():
        meant = closest(key, PLAYER, cutoff=0.75)
        if key in ABOVE and key not in settings:  # TOML gives them to the [[player]] above them
            sentence = f"{key} is the tournament's; write it above the first [[player]]"
            problems.add(f"{sentence} @ {at}.{key}")
        elif (
            key in PLAYER or key in settings or meant is None
            or closest(key, settings, cutoff=0.75) is not None
        ):  # fmt: skip
            own[key] = value
        else:
            problems.add(f"no setting {key!r} here; did you mean {meant!r}? @ {at}")
    protocol = PROTOCOLS.get(name.casefold())
    if protocol is not None and _settings(name) is None:
        remedy = f'write search = "engine", protocol = "{protocol}" and command = ["./program"]'
        problems.add(f"no search called {name!r}; {remedy} @ {at}.search")
        return None
    return problems.attempt(build_search, own, at, at=at)


def _settings(spec: str) -> frozenset[str] | None:
    """Return the settings of the search that a spec names; None if it is not installed."""
    try:
        return frozenset(a.alias for a in attrs.fields(find_search(spec.partition("(")[0].strip())))
    except UnknownName:
        return None


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


def _fit(
    style: Format, names: Sequence[str], game: str, seats: int | None, problems: Problems
) -> None:
    """Note why the format does not suit players and game, or does not work."""
    for key in sorted(TAKEN.intersection(keys_of(type(style)))):
        problems.add(
            f"the format {style.name!r} has a key {key!r}, which every tournament has; its author "
            f"must rename it @ format"
        )
    found = problems.attempt(objections, style, names, game, seats, at="format") or []
    for key, sentence in found:
        problems.add(f"{sentence} @ {key}")
    own = type(style).__module__.partition(".")[0] == "dragon_tournament"
    if not found and not own:
        problems.attempt(rehearse, style.fitted(names), names, seats, at="format")


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


def adjudication_of(table: Any, problems: Problems) -> Adjudication | None:
    """The rules by which matches end early, if there are any."""
    own = dict(table) if isinstance(table, dict) else table
    parts: dict[str, Any] = {}
    for key, make, example in (
        ("resign", Resign, "{ value = 0.9, moves = 3 }"),
        ("draw", Draw, "{ value = 0.05, moves = 4 }"),
    ):
        if isinstance(own, dict) and key in own:
            parts[key] = problems.table(make, own.pop(key), f"adjudication.{key}", example)
    found = problems.table(Adjudication, own, "adjudication", "{ proven = true }")
    return None if found is None else attrs.evolve(found, **parts)


def _suit(
    rules: Adjudication | Regret | None, at: str, game: Game[Any] | None, referee: Referee | None,
    searches: Sequence[Search], problems: Problems,
) -> None:  # fmt: skip
    """Note why rules of adjudication, or the judging of moves, do not suit the game."""
    if rules is None or game is None or referee is None:
        return
    if referee.seats(game) is None:
        problems.add(f"{game} is played alone; leave the table out @ {at}")
        return
    for key, sentence in problems.attempt(lambda: [*rules.objections(game, searches)], at=at) or ():
        problems.add(f"{sentence} @ {at}{key and '.'}{key}")


def _check_keys(table: Mapping[str, Any], goal: str, problems: Problems) -> None:
    """Note keys that another referee, or another system, would need."""
    if "memory" in table and not measurable():
        problems.add("the memory of a player cannot be bounded on this system @ memory")
    if table.get("rating") == "openskill" and not available():
        problems.add(f"{ABSENT} @ rating")
    if table.get("exploitability") is True and goal:
        problems.add("exploitability is for players that meet; leave it out @ exploitability")
    for key in ("tolerance", "goal", "reference", "reference_seconds"):
        if key in table and not goal:
            problems.add(f"{key} is for a race or an estimate; leave it out @ {key}")
