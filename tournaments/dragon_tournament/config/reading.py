"""Config: a TOML file becomes a Tournament, or every mistake in it, each with its address."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from attrs import field, fields, frozen
from attrs.validators import ge, gt, in_, le, optional

from dragon.config import build
from dragon.core import Game
from dragon.errors import ConfigError
from dragon_tournament.clock import LONGEST, finite
from dragon_tournament.config.checks import check_openings, mistakes
from dragon_tournament.config.instances import instances_of
from dragon_tournament.config.judging import adjudication_of, goal_of, referee_of, reference_of
from dragon_tournament.config.openings import openings_of
from dragon_tournament.config.problems import Problems, text_of
from dragon_tournament.config.tables import (
    clock_of,
    encounters_of,
    game_of,
    limit_of,
    pairs_of,
    players_of,
)
from dragon_tournament.formats.openings import used
from dragon_tournament.formats.swiss import usual
from dragon_tournament.instance import Instance
from dragon_tournament.referees.guard import measurable
from dragon_tournament.statistics.skill import ABSENT, available
from dragon_tournament.statistics.sprt import Sprt
from dragon_tournament.tournament import SoloReferee, Tournament

T = TypeVar("T")

FORMATS = ("round-robin", "gauntlet", "swiss", "knockout", "pairs")
GOALS = ("first", "best", "proof")
RATINGS = ("elo", "openskill")
SPRT_GAMES = 10_000  # of each seating, where the test may decide sooner and the file says nothing


@frozen
class File:
    """The keys of a tournament file, with their defaults."""

    name: str | None = None
    """The tournament's name, also of its folder; the file's name by default."""
    format: str = field(default="round-robin", validator=in_(FORMATS))
    """Who meets whom: `round-robin`, `gauntlet`, `swiss`, `knockout` or `pairs`."""
    rounds: int | None = field(default=None, validator=optional(ge(1)))
    """Of a Swiss; by default as many as a knockout would have."""
    replays: int = field(default=2, validator=[ge(0), le(100)])
    """How often a tie of a knockout is played again before the better placed player goes on."""
    games: int | None = field(default=None, validator=optional(ge(1)))
    """How many for each ordered pairing; by default one for each opening, or one."""
    seed: int = field(default=0, validator=ge(0))
    """Every random number of the tournament derives from it."""
    margin: float = field(default=1.0, validator=[ge(0), le(LONGEST)])
    """Seconds by which a move may overrun a limit in seconds before it loses on time."""
    memory: int | None = field(default=None, validator=optional(ge(1)))
    """Megabytes that a player may make its process grow by; none: as much as there is."""
    stall: float = field(default=600.0, validator=[gt(0), le(LONGEST)])
    """Seconds after which a move that has no limit in seconds counts as stalled."""
    warmup: float = field(default=120.0, validator=[gt(0), le(LONGEST)])
    """Seconds a player may take to get ready (to compile) before its first game."""
    plies: int | None = field(default=None, validator=optional(ge(1)))
    """A match that reaches so many plies is adjudicated a draw."""
    reference: str = "exhaustive"
    """The search that gives the true value to an estimate."""
    reference_seconds: float = field(default=60.0, validator=[gt(0), le(LONGEST)])
    """Seconds in which the reference must prove it."""
    referee: str | None = None
    """Who judges: `match`, `race` or `estimate`; by default the game's traits say."""
    rating: str = field(default="elo", validator=in_(RATINGS))
    """How strength is told: `elo`, or `openskill` too, which suits three and more seats."""
    goal: str | None = field(default=None, validator=optional(in_(GOALS)))
    """What solves an instance of a race or an estimate: `first`, `best` or `proof`."""
    tolerance: float | None = field(default=None, validator=optional([ge(0), finite]))
    """How far from the best or from the truth a value may be; 0.01 in an estimate."""
    instances: Any = None
    """Patterns of files, each line of them a position to be solved or estimated."""
    instance: Any = None
    game: Any = None
    limit: Any = None
    clock: Any = None
    player: Any = None
    pairing: Any = None
    pairs: Any = None
    openings: Any = None
    sprt: Any = None
    adjudication: Any = None


TABLES = frozenset(a.name for a in fields(File) if str(a.type) == "Any")
SAME = frozenset(a.name for a in fields(File)) & frozenset(a.name for a in fields(Tournament))
"""Keys whose values a Tournament has as they are, unless something else decides."""


def read(path: str | Path) -> Tournament:
    """The tournament of a TOML file; raises ConfigError with every problem, file and address."""
    return read_by(parse, Path(path))


def games_in(path: Path) -> dict[str, Game[Any]]:
    """The games of a TOML file by their specs; raises ConfigError as `read` does."""
    return read_by(_games, path)


def _games(table: Mapping[str, Any], stem: str, folder: Path) -> dict[str, Game[Any]]:
    problems = Problems()
    instances, game = _about(table, folder, problems)
    if problems.found or game is None:
        raise ConfigError(problems.found)
    return {str(of): of for of in (game, *(instance.game for instance in instances))}


def read_by(parse: Callable[[Mapping[str, Any], str, Path], T], path: Path) -> T:
    """Parse a TOML file by `parse`, which gets the table, the file's stem and its folder."""
    if not path.exists():
        raise ConfigError(f"no file {path}; give the path of a tournament's TOML file")
    text = text_of(path)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise ConfigError(_syntax(path, str(wrong))) from None
    except RecursionError:
        raise ConfigError(f"{path}: its brackets are nested too deep to be read") from None
    try:
        return parse(table, path.stem, path.parent)
    except ConfigError as wrong:
        raise ConfigError([f"{path}: {sentence}" for sentence in wrong.problems]) from None


def _syntax(path: Path, message: str) -> str:
    """`file:line: reason`, on one line."""
    found = re.search(r"\(at line (\d+), column (\d+)\)", message)
    reason = re.sub(r"\s*\(at [^)]*\)", "", message)
    place = f"{path}:{found[1]}:{found[2]}" if found else f"{path} (at its end)"
    return f"{place}: not valid TOML: {reason[:1].lower()}{reason[1:]}"


def parse(
    table: Mapping[str, Any], stem: str = "tournament", folder: Path | None = None
) -> Tournament:
    """The tournament of a table read from TOML; `stem` is its name where it has none.

    Paths in it start from `folder`, by default the current one.
    """
    folder = folder or Path()
    problems = Problems()
    if "tune" in table:
        problems.add(
            "settings that are ranges are for dragon tune; run that, or leave it out @ tune"
        )
    scalars = {k: v for k, v in table.items() if k not in TABLES and k != "tune"}
    head = problems.attempt(build, File, scalars, "$") or File()
    name = stem if head.name is None else head.name
    if not re.fullmatch(r"\w[\w .()+-]{0,99}", name):
        problems.add(
            f"name {name[:120]!r} must be one that a folder can have, of at most 100 letters, "
            f"digits, spaces and . - _ + ( ) @ name"
        )
    instances, game = _about(table, folder, problems)
    games = tuple(dict.fromkeys(i.game for i in instances)) or ((game,) if game else ())
    common = limit_of(table.get("limit"), "limit", problems)
    clock = clock_of(table.get("clock"), "clock", problems)
    players = players_of(table.get("player"), common, clock, games, problems)
    names = [player.name for player in players]
    encounters = encounters_of(table, names, problems)
    pairs = pairs_of(table, names, problems)
    openings, addresses = openings_of(table.get("openings"), folder, problems)
    referee = referee_of(head.referee, games, bool(instances), problems)
    goal = goal_of(head.goal, referee, games, problems)
    usual_tolerance = referee.tolerance if isinstance(referee, SoloReferee) else None
    if len(players) == 1 and not (encounters or pairs or goal or problems.found):
        problems.add("one player alone has no opponent; add a [[player]] or list a [[pairing]]")
    reference = reference_of(head.reference, "reference" in table, referee, games, problems)
    sprt = problems.table(Sprt, table.get("sprt"), "sprt", "{ elo0 = 0, elo1 = 5 }")
    searches = [player.search for player in players]
    rules = table.get("adjudication")
    adjudication = adjudication_of(rules, referee, game, searches, problems)
    _check_keys(table, goal, problems)
    if problems.found or game is None or referee is None:
        raise ConfigError(problems.found)
    rounds = (head.rounds or usual(len(players))) if head.format == "swiss" else 0
    each = 1 if instances or head.format in ("swiss", "knockout") else used(openings) or 1
    each = SPRT_GAMES if sprt else each
    given = {key: getattr(head, key) for key in SAME - TABLES}
    tournament = Tournament(**{
        **given, "name": name, "game": game, "referee": referee, "players": tuple(players),
        "format": "pairs" if pairs else head.format, "games": head.games or each,
        "encounters": tuple(encounters), "pairs": tuple(pairs), "rounds": rounds,
        "openings": openings, "sprt": sprt, "adjudication": adjudication,
        "reference": reference, "instances": tuple(instances), "goal": goal,
        "tolerance": usual_tolerance if head.tolerance is None else head.tolerance,
    })  # fmt: skip
    for sentence in mistakes(tournament):
        problems.add(sentence)
    if not problems.found:
        check_openings(tournament, addresses, problems)
    if problems.found:
        raise ConfigError(problems.found)
    return tournament


def _about(
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


def _check_keys(table: Mapping[str, Any], goal: str, problems: Problems) -> None:
    """Keys that another format, or another system, would need."""
    if "memory" in table and not measurable():
        problems.add("the memory of a player cannot be bounded on this system @ memory")
    if table.get("rating") == "openskill" and not available():
        problems.add(f"{ABSENT} @ rating")
    for key, style in (("rounds", "swiss"), ("replays", "knockout")):
        if key in table and table.get("format") != style:
            problems.add(f'{key} is for format = "{style}"; leave it out @ {key}')
    for key in ("tolerance", "goal", "reference", "reference_seconds"):
        if key in table and not goal:
            problems.add(f"{key} is for a race or an estimate; leave it out @ {key}")
