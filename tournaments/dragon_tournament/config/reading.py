"""The reading of a TOML file: a Tournament, or every mistake in it, each with its address.

First each table becomes a value, then the tournament is checked as a whole.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import attrs
from attrs import field, fields, frozen
from attrs.validators import ge, gt, in_, instance_of, le, optional

from dragon.config import build
from dragon.core import Game
from dragon.errors import ConfigError
from dragon_tournament.clock import LONGEST, finite
from dragon_tournament.config.positions import instances_of, openings_of
from dragon_tournament.config.tables import (
    Problems,
    adjudication_of,
    clock_of,
    encounters_of,
    format_of,
    game_of,
    goal_of,
    limit_of,
    players_of,
    referee_of,
    reference_of,
    regret_of,
    text_of,
    without_foreign,
)
from dragon_tournament.formats.format import Format, StagedFormat, objections, rehearse
from dragon_tournament.formats.registry import Installed, installed, keys_of
from dragon_tournament.openings import opening_of, used
from dragon_tournament.referees.guard import measurable
from dragon_tournament.schedule import games_of, seatings_of
from dragon_tournament.statistics.skill import ABSENT, available
from dragon_tournament.statistics.sprt import Sprt
from dragon_tournament.tournament import Instance, SoloReferee, Tournament, is_dealt

GOALS = ("first", "best", "proof")
RATINGS = ("elo", "openskill")
SPRT_GAMES = 10_000  # of each seating, where the test may decide sooner and the file says nothing
MOST_GAMES = 1_000_000  # more would take too long
TRIED = 100  # openings that are tried when the file is read; others when their turn comes
T = TypeVar("T")


@frozen
class File:
    """The keys of a tournament file, with their defaults; a format adds its own."""

    name: str | None = None
    """The tournament's name, also of its folder; the file's name by default."""
    format: str | None = None
    """The name of the format, such as `swiss`; a round robin by default."""
    games: int | None = field(default=None, validator=optional(ge(1)))
    """The number for each ordered pairing; by default one for each opening, or one."""
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
    """The number of plies at which a match is adjudicated a draw."""
    reference: str = "exhaustive"
    """The search that gives the true value to an estimate."""
    reference_seconds: float = field(default=60.0, validator=[gt(0), le(LONGEST)])
    """Seconds in which the reference must prove it."""
    referee: str | None = None
    """The judge: `match`, `race` or `estimate`; by default the game's traits say."""
    moves: str = field(default="plain", validator=in_(("plain", "full")))
    """`full` keeps in the records the value, depth, nodes and seconds of each move."""
    rating: str = field(default="elo", validator=in_(RATINGS))
    """The measure of strength: `elo`, or `openskill` too, which suits three and more seats."""
    exploitability: bool = field(default=False, validator=instance_of(bool))
    """True if the standings say what each player loses to a best response, in a small game."""
    goal: str | None = field(default=None, validator=optional(in_(GOALS)))
    """The goal that solves an instance of a race or an estimate: `first`, `best` or `proof`."""
    tolerance: float | None = field(default=None, validator=optional([ge(0), finite]))
    """The distance that a value may have from the best or the truth; 0.01 in an estimate."""
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
SAME = KEYS & frozenset(a.name for a in fields(Tournament))
"""Keys whose values a Tournament has as they are, unless something else decides."""
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


def read(path: str | Path) -> Tournament:
    """The tournament of a TOML file; raises ConfigError with every problem, file and address."""
    return read_by(parse, Path(path))


def games_in(path: Path) -> dict[str, Game[Any]]:
    """The games of a TOML file by their specs; raises ConfigError as `read` does."""
    return read_by(_games, path)


def _games(table: Mapping[str, Any], stem: str, folder: Path) -> dict[str, Game[Any]]:
    problems = Problems()
    instances, game = about_of(table, folder, problems)
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
    """Write a mistake in the TOML as `file:line: reason`, on one line."""
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
    folder, problems, known = folder or Path(), Problems(), installed(table, KEYS)
    head = _head(table, known, problems)
    name = _name(stem if head.name is None else head.name, problems)
    instances, game = about_of(table, folder, problems)
    needed = (head.games or SPRT_GAMES) if "sprt" in table else None
    seed = getattr(head, "seed", 0)  # a key of a format may hide it, which is told below
    openings = openings_of(table.get("openings"), folder, seed, needed, problems)
    games = tuple(dict.fromkeys(i.game for i in instances)) or ((game,) if game else ())
    common = limit_of(table.get("limit"), "limit", problems)
    clock = clock_of(table.get("clock"), "clock", problems)
    players = players_of(table.get("player"), common, clock, games, problems)
    names = [player.name for player in players]
    style = format_of(table, known, problems)
    encounters = encounters_of(table, names, problems)
    referee = referee_of(head.referee, games, bool(instances), problems)
    goal = goal_of(head.goal, referee, games, problems)
    alone = len(players) == 1 and not (encounters or style.implied_by or goal)
    if alone and not problems.found:
        problems.add("one player alone has no opponent; add a [[player]] or list a [[pairing]]")
    reference = reference_of(head.reference, "reference" in table, referee, games, problems)
    sprt = problems.table(Sprt, table.get("sprt"), "sprt", "{ elo0 = 0, elo1 = 5 }")
    searches = [player.search for player in players]
    rules = table.get("adjudication")
    adjudication = adjudication_of(rules, referee, game, searches, problems)
    regret = regret_of(table.get("regret"), referee, game, problems)
    _check_keys(table, goal, problems)
    sound = len(names) > 0 and len(names) == len(table["player"])
    if sound and game is not None and referee is not None:
        _fit(style, names, str(game), referee.seats(game), problems)
    if problems.found or game is None or referee is None:
        raise ConfigError(problems.found)
    each = 1 if instances or isinstance(style, StagedFormat) else used(openings) or 1
    each = SPRT_GAMES if sprt else each
    usual = referee.tolerance if isinstance(referee, SoloReferee) else None
    tournament = Tournament(**{
        **{key: getattr(head, key) for key in SAME - TABLES}, "name": name, "game": game,
        "referee": referee, "players": tuple(players), "format": style.fitted(names),
        "games": head.games or each, "encounters": tuple(encounters), "openings": openings,
        "sprt": sprt, "adjudication": adjudication, "regret": regret, "reference": reference,
        "instances": tuple(instances), "goal": goal,
        "tolerance": usual if head.tolerance is None else head.tolerance,
    })  # fmt: skip
    for sentence in mistakes(tournament):
        problems.add(sentence)
    if not problems.found:
        check_openings(tournament, problems)
    if problems.found:
        raise ConfigError(problems.found)
    return tournament


def _head(table: Mapping[str, Any], known: Installed, problems: Problems) -> File:
    """The values of the top level that are not tables; formats look at their own keys."""
    if "tune" in table:
        problems.add(
            "settings that are ranges are for dragon tune; run that, or leave it out @ tune"
        )
    scalars = {k: v for k, v in table.items() if k not in TABLES and k != "tune"}
    scalars = without_foreign(scalars, known.every_key, problems)
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


# ---- the tournament as a whole ------------------------------------------------------------------


def mistakes(tournament: Tournament) -> Iterator[str]:
    """Yield the faults of a tournament as a whole, except openings that cannot be played."""
    yield from _seats(tournament)
    total = games_of(tournament)
    if total > MOST_GAMES:
        yield f"that makes {total:,} games in all; {MOST_GAMES:,} are the most; play fewer @ games"
    if tournament.sprt is not None:
        seatings = {seats for seats, _ in seatings_of(tournament)}
        for key, sentence in tournament.sprt.objections(len(seatings)):
            yield f"{sentence} @ sprt.{key}"
        yield from _test(tournament)


def _test(tournament: Tournament) -> Iterator[str]:
    """Yield the objections to a test."""
    game, players = tournament.game, len(tournament.players)
    if players != 2:
        yield (
            f"the test is between two players, not {players}; leave the others, or the test, out "
            f"@ sprt"
        )
    if tournament.staged:
        style = tournament.format.name
        yield f"the test and format = {style!r} exclude each other; leave one out @ sprt"
    if tournament.encounters:
        yield "the test and [[pairing]] exclude each other; leave one out @ sprt"
    elif any(len(set(seats)) < 2 for seats, _ in seatings_of(tournament)) and players == 2:
        key = tournament.format.implied_by or "format"
        yield f"the test is between two players, who must meet in every pair @ {key}"
    if tournament.referee.seats(game) is None:
        yield f"{game} is played alone; the test needs opponents @ sprt"
    if tournament.graded:
        yield (
            f"the test counts who wins, and not how much {game} pays; leave it out, give the "
            f"number of games, and compare mean payoffs @ sprt"
        )


def _seats(tournament: Tournament) -> Iterator[str]:
    """Yield the objections to pairings that do not fill the seats and openings without a game."""
    game, seats = tournament.game, tournament.referee.seats(tournament.game)
    for index, encounter in enumerate(tournament.encounters):
        n = len(encounter.seats)
        if n == 0 or (seats is not None and n != seats):
            wanted = "at least one player" if seats is None else f"{seats} players"
            yield f"{game} seats {wanted}, not {n} @ pairing[{index}].seats"
    if tournament.staged or tournament.sprt is not None:
        return  # openings are taken in turn from round to round, or until the test decides
    least = min([tournament.games] + [e.games for e in tournament.encounters if e.games])
    count = used(tournament.openings) or 1
    if least < count:
        yield (
            f"{least} game{'s' * (least > 1)} a pairing would leave {count - least:,} of {count:,} "
            f"openings unplayed; write count = {least}, or raise games to a multiple of {count} "
            f"@ openings.count"
        )


def check_openings(tournament: Tournament, problems: Problems) -> None:
    """Play the first openings on the deals they are used with; others when their turn comes."""
    given = tournament.openings
    if not used(given) and given.random is None:
        return
    games: Counter[tuple[str, ...]] = Counter()
    for seats, number in seatings_of(tournament):
        games[seats] += number
    last = max(games.values())
    if used(given) and given.random is None and not is_dealt(tournament.game):
        last = min(last, used(given))  # each is the same whenever it is played
    if isinstance(tournament.format, StagedFormat):
        last = tournament.format.most_rounds(len(tournament.players)) * tournament.games
    if given.random is not None:
        last = min(last, given.count or last)
    for index in range(min(last, TRIED)):
        if problems.attempt(opening_of, tournament, index) is None:
            return
