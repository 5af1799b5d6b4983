"""Config: a TOML file becomes a Tournament, or every mistake in it, each with its address."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import attrs
from attrs import field, frozen
from attrs.validators import ge, gt, in_, le, optional

from dragon.config import build
from dragon.config import game as build_game
from dragon.config import search as build_search
from dragon.core import Game, Limit, Search
from dragon.errors import ConfigError, DragonError
from dragon.plugins import manager
from dragon_tournament.tournament import Encounter, Openings, Player, Tournament, limit_table

T = TypeVar("T")
FORMATS = ("round-robin", "gauntlet")
TABLES = ("game", "limit", "player", "pairing", "openings")
MOST_GAMES = 1_000_000  # the schedule is kept in memory, and nobody waits that long either
LONGEST = 1e7  # seconds; no timer takes more, and nobody waits that long


@frozen
class File:
    """The keys of a tournament file, with their defaults."""

    name: str | None = None
    """The tournament's name, also of its folder; the file's name by default."""
    format: str = field(default="round-robin", validator=in_(FORMATS))
    """`round-robin`: everybody meets everybody; `gauntlet`: the first meets all the others."""
    games: int | None = field(default=None, validator=optional(ge(1)))
    """How many for each ordered pairing; by default one for each opening, or one."""
    seed: int = field(default=0, validator=ge(0))
    """Every random number of the tournament derives from it."""
    margin: float = field(default=1.0, validator=[ge(0), le(LONGEST)])
    """Seconds by which a move may overrun a limit in seconds before it loses on time."""
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
    game: Any = None
    limit: Any = None
    player: Any = None
    pairing: Any = None
    openings: Any = None


class _Problems:
    """Collects the mistakes of a file; an attempt that fails gives None."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def add(self, sentence: str, at: str = "") -> None:
        """Notes a mistake, once; `at` is its address where the sentence has none."""
        if at and " @ " not in sentence:
            sentence = f"{sentence} @ {at}"
        sentence = re.sub(r"@ \$(\.|$)", lambda m: "@ " if m[1] else "@ top level", sentence)
        if sentence not in self.found:
            self.found.append(sentence)

    def attempt(self, make: Callable[..., T], *args: Any, at: str = "") -> T | None:
        """make(*args), or None with its complaints noted."""
        try:
            return make(*args)
        except DragonError as wrong:
            for sentence in _sentences(wrong):
                self.add(sentence, at)
        return None


def _sentences(wrong: DragonError) -> tuple[str, ...]:
    return wrong.problems if isinstance(wrong, ConfigError) else (str(wrong),)


def read(path: str | Path) -> Tournament:
    """The tournament of a TOML file; raises ConfigError with every problem, file and address."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(f"no file {path}; give the path of a tournament's TOML file") from None
    except (OSError, UnicodeDecodeError) as wrong:
        reason = wrong.strerror if isinstance(wrong, OSError) else "it is not UTF-8 text"
        raise ConfigError(f"cannot read {path}: {reason}") from None
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise ConfigError(_syntax(path, str(wrong))) from None
    except RecursionError:
        raise ConfigError(f"{path}: its brackets are nested too deep to be read") from None
    try:
        return parse(table, path.stem)
    except ConfigError as wrong:
        raise ConfigError([f"{path}: {sentence}" for sentence in wrong.problems]) from None


def _syntax(path: Path, message: str) -> str:
    """`file:line: reason`, on one line."""
    found = re.search(r"\(at line (\d+), column (\d+)\)", message)
    reason = re.sub(r"\s*\(at [^)]*\)", "", message)
    place = f"{path}:{found[1]}:{found[2]}" if found else f"{path} (at its end)"
    return f"{place}: not valid TOML: {reason[:1].lower()}{reason[1:]}"


def parse(table: Mapping[str, Any], stem: str = "tournament") -> Tournament:
    """The tournament of a table read from TOML; `stem` is its name where it has none."""
    problems = _Problems()
    scalars = {k: v for k, v in table.items() if k not in TABLES}
    head = problems.attempt(build, File, scalars, "$") or File()
    name = head.name or stem
    if not re.fullmatch(r"\w[\w .()+-]*", name):
        problems.add(f"name {name!r} must be one that a folder can have: letters, digits, . - _")
    game = _game(table.get("game"), problems)
    common = _limit(table.get("limit"), "limit", problems)
    players = _players(table.get("player"), common, game, problems)
    encounters = _encounters(table, players, problems)
    if len(players) == 1 and not encounters and not problems.found:
        problems.add("one player alone has nobody to meet; add a [[player]] or list a [[pairing]]")
    openings = _openings(table.get("openings"), problems)
    referee = _referee(game, problems)
    reference = _reference(head, referee, game, problems)
    if problems.found or game is None:
        raise ConfigError(problems.found)
    tournament = Tournament(
        name=name, game=game, referee=referee, players=tuple(players), format=head.format,
        games=head.games or _rounds(openings), seed=head.seed, encounters=tuple(encounters),
        openings=openings, margin=head.margin, stall=head.stall, warmup=head.warmup,
        plies=head.plies, reference=reference, reference_seconds=head.reference_seconds,
    )  # fmt: skip
    _check_seats(tournament, problems)
    _check_size(tournament, problems)
    if not problems.found:
        _check_openings(tournament, problems)
    if problems.found:
        raise ConfigError(problems.found)
    return tournament


def _rounds(openings: Openings) -> int:
    return len(openings.lines) or openings.count or 1


def _game(table: Any, problems: _Problems) -> Game[Any] | None:
    if table is None:
        problems.add('no game; write [game] with name = "..." @ game')
        return None
    if not isinstance(table, str | dict):
        problems.add(f'must be a table with name = "...", not {table!r} @ game')
        return None
    return problems.attempt(build_game, table, "game", at="game")


def _limit(table: Any, address: str, problems: _Problems) -> Limit:
    if table is None:
        return Limit()
    if not isinstance(table, dict):
        problems.add(f"must be a table such as {{ nodes = 1000 }}, not {table!r} @ {address}")
        return Limit()
    limit = problems.attempt(build, Limit, table, address) or Limit()
    if limit.seconds is not None and limit.seconds > LONGEST:
        problems.add(f"seconds must be at most {LONGEST:.0f}, not {limit.seconds} @ {address}")
    return limit


def _players(
    tables: Any, common: Limit, game: Game[Any] | None, problems: _Problems
) -> list[Player]:
    if not isinstance(tables, list) or not tables:
        problems.add('no players; write [[player]] with search = "..." for each @ player')
        return []
    found: list[tuple[str | None, Search, Limit, bool]] = []
    for index, table in enumerate(tables):
        at = f"player[{index}]"
        if not isinstance(table, dict):
            problems.add(f"must be a table under [[player]], not {table!r} @ {at}")
            continue
        own = dict(table)
        name, limit = own.pop("name", None), own.pop("limit", None)
        if name is not None and not (isinstance(name, str) and name.strip()):
            problems.add(f"name must be text, not {name!r} @ {at}")
            name = None
        bound = common if limit is None else _limit(limit, f"{at}.limit", problems)
        search = problems.attempt(build_search, own, at, at=at)
        if search is not None:
            if game is not None and (sentence := search.objection(game)):
                problems.add(f"{sentence} @ {at}")
            found.append((name, search, bound, limit is not None))
    return _named(found, problems)


def _named(
    found: Iterable[tuple[str | None, Search, Limit, bool]], problems: _Problems
) -> list[Player]:
    """Players by their given names, or by spec and own limit; equal ones are numbered."""
    found = list(found)
    taken = [name for name, *_ in found if name is not None]
    for name in sorted({n for n in taken if taken.count(n) > 1}):
        problems.add(f"two players are called {name!r}; names must differ @ player")
    players: list[Player] = []
    used = set(taken)
    for given, search, limit, own in found:
        bounds = ", ".join(f"{k}={v:g}" for k, v in limit_table(limit).items())
        base = given or (f"{search} [{bounds}]" if own and bounds else str(search))
        name, number = base, 2
        while given is None and name in used:
            name, number = f"{base} ({number})", number + 1
        used.add(name)
        players.append(Player(name, search, limit))
    return players


def _encounters(
    table: Mapping[str, Any], players: Sequence[Player], problems: _Problems
) -> list[Encounter]:
    tables = table.get("pairing")
    if tables is None:
        return []
    if not isinstance(tables, list):
        problems.add('must be a list; write [[pairing]] with seats = ["...", "..."] @ pairing')
        return []
    if "format" in table:
        problems.add("format and [[pairing]] exclude each other; leave one out @ pairing")
    names = [p.name for p in players]
    found = []
    for index, given in enumerate(tables):
        at = f"pairing[{index}]"
        if not isinstance(given, dict):
            problems.add(f"must be a table under [[pairing]], not {given!r} @ {at}")
            continue
        seats = given.get("seats", [])
        if not isinstance(seats, list) or not all(isinstance(name, str) for name in seats):
            problems.add(f"must be a list of players' names, not {seats!r} @ {at}.seats")
            continue
        encounter = problems.attempt(build, Encounter, given, at)
        if encounter is None:
            continue
        for name in encounter.seats:
            if name not in names and players:
                close = get_close_matches(name, names, n=1)
                hint = f"; did you mean {close[0]!r}?" if close else ""
                problems.add(f"no player called {name!r}{hint} ({', '.join(names)}) @ {at}.seats")
        found.append(encounter)
    return found


def _openings(table: Any, problems: _Problems) -> Openings:
    if table is None:
        return Openings()
    if not isinstance(table, dict):
        problems.add(f"must be a table with lines or random, not {table!r} @ openings")
        return Openings()
    own = dict(table)
    lines = own.pop("lines", [])
    if "lines" in table and ("random" in table or "count" in table):
        problems.add("lines exclude random and count; leave one out @ openings")
    elif "random" not in table and not lines:
        problems.add("needs lines = [...] or random = plies @ openings")
    openings = problems.attempt(build, Openings, own, "openings") or Openings()
    return attrs.evolve(openings, lines=tuple(_lines(lines, problems)))


def _lines(lines: Any, problems: _Problems) -> Iterable[tuple[str, ...]]:
    if not isinstance(lines, list):
        problems.add(f"must be a list of lines, not {lines!r} @ openings.lines")
        return
    for index, line in enumerate(lines):
        if isinstance(line, str):
            yield tuple(re.split(r"[\s;]+", line.strip(" \t;"))) if line.strip(" \t;") else ()
        elif isinstance(line, list) and all(isinstance(m, str | int) for m in line):
            yield tuple(str(m) for m in line)
        else:
            problems.add(
                f"must be a list of moves, or text with moves between spaces, not {line!r} "
                f"@ openings.lines[{index}]"
            )


def referees() -> list[Any]:
    """Every installed referee, first-party ones last."""
    return [referee for group in manager().hook.dragon_referees() for referee in group]


def _referee(game: Game[Any] | None, problems: _Problems) -> Any:
    if game is None:
        return None
    for referee in referees():
        if referee.suits(game):
            return referee
    names = ", ".join(sorted(r.name for r in referees())) or "none is installed"
    problems.add(f"no referee suits {game} ({names}) @ game")
    return None


def _reference(
    head: File, referee: Any, game: Game[Any] | None, problems: _Problems
) -> Search | None:
    """The search that an estimate trusts; other referees need none."""
    if referee is None or game is None or not getattr(referee, "needs_reference", False):
        return None
    search = problems.attempt(build_search, head.reference, "reference", at="reference")
    if search is not None and (sentence := search.objection(game)):
        problems.add(f"{sentence} @ reference")
    return search


def _check_seats(tournament: Tournament, problems: _Problems) -> None:
    seats = tournament.referee.seats(tournament.game)
    for index, encounter in enumerate(tournament.encounters):
        n = len(encounter.seats)
        if n == 0 or (seats is not None and n != seats):
            wanted = "at least one player" if seats is None else f"{seats} players"
            problems.add(f"{tournament.game} seats {wanted}, not {n} @ pairing[{index}].seats")
    rounds = [tournament.games] + [e.games for e in tournament.encounters if e.games]
    count = _rounds(tournament.openings)
    if min(rounds) < count:
        problems.add(
            f"{min(rounds)} games a pairing would leave {count - min(rounds)} of {count} openings "
            f"unplayed; raise games to a multiple of {count} @ games"
        )


def _check_size(tournament: Tournament, problems: _Problems) -> None:
    from dragon_tournament.schedule import seatings_of

    total = sum(games for _, games in seatings_of(tournament))
    if total > MOST_GAMES:
        problems.add(
            f"that makes {total:,} games in all; {MOST_GAMES:,} are the most, so play fewer @ games"
        )


def _check_openings(tournament: Tournament, problems: _Problems) -> None:
    """Plays every opening on the deals it will be used with."""
    from dragon_tournament.schedule import opening_of, seatings_of

    given = tournament.openings
    if not given.lines and given.random is None:
        return
    games: Counter[tuple[str, ...]] = Counter()
    for seats, number in seatings_of(tournament):
        games[seats] += number
    most = max(games.values())
    for index in range(min(most, given.count or most)):
        at = f"openings.lines[{index % len(given.lines)}]" if given.lines else "openings.random"
        if problems.attempt(opening_of, tournament, index, at=at) is None:
            return
