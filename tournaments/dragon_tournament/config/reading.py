"""The reading of a TOML file: a Tournament, or every mistake in it, each with its address.

The text becomes a table, all its tables become values, and the tournament is checked as a whole.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from dragon.config import read_text
from dragon.core import Game
from dragon.errors import ConfigError
from dragon_tournament.config.problems import Problems
from dragon_tournament.config.tables import about_of, tournament_of
from dragon_tournament.formats import StagedFormat
from dragon_tournament.schedule import Schedule
from dragon_tournament.tournament import Openings, Tournament, is_dealt

MOST_GAMES = 1_000_000  # more would take too long
TRIED = 100  # openings that are tried when the file is read; others when their turn comes
T = TypeVar("T")


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
    text = read_text(path, "a tournament")
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
    problems = Problems()
    tournament = tournament_of(table, stem, folder or Path(), problems)
    if tournament is not None:
        schedule = Schedule(tournament)
        for sentence in mistakes(schedule):
            problems.add(sentence)
        if not problems.found:
            check_openings(schedule, problems)
    if tournament is None or problems.found:
        raise ConfigError(problems.found)
    return tournament


# ---- the tournament as a whole ------------------------------------------------------------------


def mistakes(schedule: Schedule) -> Iterator[str]:
    """Yield the faults of a tournament as a whole, except openings that cannot be played."""
    tournament = schedule.tournament
    yield from _seats(tournament)
    if (total := schedule.total()) > MOST_GAMES:
        yield f"that makes {total:,} games in all; {MOST_GAMES:,} are the most; play fewer @ games"
    elif tournament.sprt is not None:
        for key, sentence in tournament.sprt.objections(len(schedule.seatings)):
            yield f"{sentence} @ sprt.{key}"
        yield from _test(schedule)


def _test(schedule: Schedule) -> Iterator[str]:
    """Yield the objections to a test."""
    tournament, players = schedule.tournament, len(schedule.names)
    game = tournament.game
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
    elif players == 2 and any(len(set(seats)) < 2 for seats in schedule.seatings):
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
    count = tournament.openings.size or 1
    if least < count:
        yield (
            f"{least} game{'s' * (least > 1)} a pairing would leave {count - least:,} of {count:,} "
            f"openings unplayed; write count = {least}, or raise games to a multiple of {count} "
            f"@ openings.count"
        )


def check_openings(schedule: Schedule, problems: Problems) -> None:
    """Play the first openings on the deals they are used with; others when their turn comes."""
    tournament, given = schedule.tournament, schedule.tournament.openings
    if given == Openings():
        return
    if isinstance(tournament.format, StagedFormat):
        last = tournament.format.most_rounds(len(tournament.players)) * tournament.games
    else:
        last = max(schedule.seatings.values())
        if given.random is None and not is_dealt(tournament.game):
            last = min(last, given.size)  # each is the same whenever it is played
    if given.random is not None:
        last = min(last, given.count or last)
    for index in range(min(last, TRIED)):
        if problems.attempt(schedule.opening, index) is None:
            return
