"""Tables: what a tournament file says of the game, the players and who meets whom, as values.

Mistakes are noted, not raised.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from dragon.config import game as build_game
from dragon.config import search as build_search
from dragon.core import Game, Limit
from dragon.errors import closest
from dragon.plugins import searches
from dragon_tournament.clock import LONGEST, Clock
from dragon_tournament.config.problems import Problems
from dragon_tournament.tournament import Encounter, Player, set_values

PLAYER = ("search", "name", "limit", "clock")  # the keys of every player


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
        _misspelt(own, at, problems)
        search = problems.attempt(build_search, own, at, at=at)
        if search is not None:
            for sentence in filter(None, map(search.objection, games)):
                problems.add(f"{sentence} @ {at}")
            bounds = [f"{k}={v:g}" for k, v in set_values(bound).items() if limit is not None]
            bounds += [f"clock={timed}"] if time is not None else []
            spec = f"{search} [{', '.join(bounds)}]" if bounds else str(search)
            found.append((Player(name or "", search, bound, timed), spec))
    return _named(found, problems)


def _misspelt(table: dict[str, Any], at: str, problems: Problems) -> None:
    """Takes keys out that are no setting of the search, but nearly one of every player."""
    cls = searches().get(str(table.get("search", "")).partition("(")[0].strip())
    settings = () if cls is None else {a.alias for a in attrs.fields(cls)}
    for key in [key for key in table if key not in settings and key not in PLAYER]:
        meant = closest(key, PLAYER, cutoff=0.75)
        if meant is not None and closest(key, settings, cutoff=0.75) is None:
            problems.add(f"no setting {key!r} here; did you mean {meant!r}? @ {at}")
            del table[key]


def _named(found: Sequence[tuple[Player, str]], problems: Problems) -> list[Player]:
    """Players by their given names, or by spec and own limit; equal ones are numbered."""
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


def encounters_of(
    table: Mapping[str, Any], names: Sequence[str], problems: Problems
) -> list[Encounter]:
    """The entries of [[pairing]]; `names` are those of the players."""
    tables = table.get("pairing", [])
    if not isinstance(tables, list):
        problems.add('must be a list; write [[pairing]] with seats = ["...", "..."] @ pairing')
        return []
    if "pairing" in table and "format" in table:
        problems.add("format and [[pairing]] exclude each other; leave one out @ pairing")
    found: list[Encounter | None] = []
    for index, given in enumerate(tables):
        at = f"pairing[{index}]"
        if not isinstance(given, dict):
            problems.add(f"must be a table under [[pairing]], not {given!r} @ {at}")
        elif problems.names(given.get("seats", []), names, f"{at}.seats") is not None:
            found.append(problems.table(Encounter, given, at, ""))
    return [encounter for encounter in found if encounter is not None]


def pairs_of(
    table: Mapping[str, Any], names: Sequence[str], problems: Problems
) -> list[tuple[str, ...]]:
    """Return the pairs of players by the key `pairs`."""
    given, style = table.get("pairs"), table.get("format", "pairs")
    if given is None:
        if style == "pairs" and "format" in table:
            problems.add('format = "pairs" needs pairs = [["...", "..."], ...] @ pairs')
        return []
    if style != "pairs" or "pairing" in table:
        other = "[[pairing]]" if style == "pairs" else f"format = {style!r}"
        problems.add(f"pairs and {other} exclude each other; leave one out @ pairs")
    if not isinstance(given, list) or not given:
        problems.add(f"must be a list of lists of players' names, not {given!r} @ pairs")
        return []
    found = [problems.names(pair, names, f"pairs[{k}]") for k, pair in enumerate(given)]
    return [pair for pair in found if pair is not None]
