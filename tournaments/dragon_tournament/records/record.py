"""The record of one game, and its line of JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any

import attrs
from attrs import field, frozen

from dragon_tournament.records.attempt import Attempt, Sought

SCHEMA = 1
"""The version of a line's format: it grows when a key goes or changes its meaning.

A new key does not change it; programs ignore keys that they do not know.
"""


class OtherSchema(ValueError):
    """A line in the format of another dragon."""


class Reason(StrEnum):
    """The reason for which a game ended."""

    TERMINAL = "terminal"  # by the rules
    PROVEN = "proven"  # a player proved the outcome before the end
    RESIGNED = "resigned"  # a player had given itself up for long enough
    DRAWN = "drawn"  # no seat had seen an advantage for long enough
    TIMEOUT = "timeout"  # a player overran its time or never came back
    ILLEGAL = "illegal"  # a player gave a move, or a line, against the rules
    FALSE_CLAIM = "false claim"  # a player claimed a proof of something false
    CRASH = "crash"  # a player raised, died or returned something that is not a result
    ADJUDICATED = "adjudicated"  # the referee stopped it: too long, or no player's fault


FAILURES = frozenset({Reason.TIMEOUT, Reason.ILLEGAL, Reason.FALSE_CLAIM, Reason.CRASH})
"""The reasons that are a player's failure."""


TOO_LONG = "plies without an end"
"""The end of the detail of a game that the referee stopped because it was too long."""


GIVEN_UP = "gives the game up"
"""The end of the detail of a game whose loser asked for its end."""


JUDGE = "the judge"
"""The beginning of the detail of a game that the judge of the tournament ended by a proof."""


NUMBER = frozenset({int, float})  # what is a number in a record
TEXT = frozenset({str})
ROUNDING = 1e-9


def writable(text: str) -> str:
    """A text in which characters that UTF-8 cannot write are escaped.

    >>> writable("caf\\udce9")
    'caf\\\\udce9'
    """
    if not isinstance(text, str):
        raise ValueError("detail is not a text")
    return text.encode("utf-8", "backslashreplace").decode()


def _lines(value: Any) -> tuple[Any, ...]:
    return tuple(tuple(v) if isinstance(v, list | tuple) else v for v in value)


def _texts(value: Any) -> tuple[Any, ...]:
    return tuple(writable(each) if isinstance(each, str) else each for each in value)


def _attempts(value: Any) -> tuple[Attempt, ...]:
    return tuple(v if isinstance(v, Attempt) else Attempt(**v) for v in value)


@frozen(kw_only=True)
class Record:
    """The record of a game; every tuple but `opening` and `moves` has one entry for each seat."""

    id: str
    """The pairing's content hash."""
    game: str
    """The game's spec, so that a record can be replayed by itself."""
    seats: tuple[str, ...] = field(converter=tuple[Any, ...])
    """The names of the players, from seat 0."""
    teams: tuple[int, ...] = field(converter=tuple[Any, ...])
    """The team of each seat."""
    opening: tuple[str, ...] = field(converter=tuple[Any, ...])
    """The moves given beforehand."""
    moves: tuple[Any, ...] = field(converter=_lines)
    """The moves after the opening, those of chance included; in a race one line for each seat."""
    scores: tuple[float, ...] = field(converter=tuple[Any, ...])
    """The payoffs; minus the error in an estimate."""
    points: tuple[float, ...] = field(converter=tuple[Any, ...])
    """The award of the referee: one point a game, shared between the teams that drew."""
    reason: Reason = field(converter=Reason)
    nodes: tuple[int, ...] = field(converter=tuple[Any, ...])
    seconds: tuple[float, ...] = field(converter=tuple[Any, ...])
    """The wall-clock time of each seat's searching."""
    seed: int
    """The seed from which every random number of the players derives."""
    deal: int = 0
    """The seed of what the game deals, the same for every seating."""
    failed: tuple[int, ...] = field(default=(), converter=tuple[Any, ...])
    """The seats whose player failed: overran, crashed or broke the rules."""
    detail: str = field(default="", converter=writable)
    """The failure, with the traceback if there is one."""
    index: int | None = None
    """The number of the game among those of its seats, from 0; None if it is not known."""
    position: str = ""
    """The position before the opening; empty if that was the game's start."""
    date: str = ""
    """The day on which it was recorded, in UTC, as in `2026-11-28`; empty if that is not known."""
    host: str = ""
    """The name of the machine on which it was played; empty if that is not known."""
    engines: tuple[str, ...] = field(default=(), converter=_texts)
    """The name and version of each seat's program, as it says; empty where no player is one."""
    values: tuple[float | None, ...] = field(default=(), converter=tuple[Any, ...])
    """The value that each of `moves` was given by its seat, for itself; None where it gave none.

    Kept where values may end a match, and with `moves = "full"`.
    """
    work: tuple[tuple[int | None, int, float] | None, ...] = field(default=(), converter=_lines)
    """The depth, nodes and seconds of each of `moves`, with `moves = "full"`; None of chance."""
    sought: Sought = field(default=Sought.NOTHING, converter=Sought)
    """The kind of answer that the players of a race or an estimate were asked for."""
    instance: str = ""
    """The name of what was to be solved, of a set of instances."""
    truth: float | None = None
    """Its true value, if the file or a reference gave one."""
    attempts: tuple[Attempt, ...] = field(default=(), converter=_attempts)
    """The attempt of each seat in a race or an estimate."""
    schema: int = SCHEMA
    """The version of the line's format."""

    @property
    def broken(self) -> bool:
        """Return True if it was adjudicated since the game itself failed, or its process."""
        return is_broken(self.reason, self.detail)

    @property
    def judged(self) -> bool:
        """Return True if the referee ended it by values, or since it was too long or broken."""
        ended = (Reason.PROVEN, Reason.DRAWN, Reason.ADJUDICATED)
        return self.reason in ended or (
            self.reason is Reason.RESIGNED and not self.detail.endswith(GIVEN_UP)
        )

    def to_line(self) -> str:
        """Return the record as JSON on one line, without its newline."""
        table = attrs.asdict(self, recurse=False, filter=_worth_telling)  # quick, and flat
        if self.attempts:
            table["sought"] = str(self.sought)
            table["attempts"] = [attempt.table() for attempt in self.attempts]
        return json.dumps(table, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_line(cls, line: str) -> Record:
        """The inverse; raises ValueError, TypeError or KeyError on anything else.

        Raises OtherSchema, a ValueError, for a line that only another dragon can read.
        """
        try:
            table = json.loads(line)
        except RecursionError:
            raise ValueError("nested too deeply") from None
        if "\\ud" in line.lower():  # an escape, which is not how dragon writes letters
            try:
                json.dumps(table, ensure_ascii=False).encode()
            except UnicodeEncodeError:
                raise ValueError("holds half of a letter (a lone surrogate)") from None
        if not isinstance(table, dict):
            raise ValueError("not a table")
        schema = table.get("schema", 1)
        if isinstance(schema, int) and schema != SCHEMA:
            later = ", or a later one" if schema > SCHEMA else ""
            raise OtherSchema(
                f"a record of schema {schema}, and this dragon reads {SCHEMA}; install the dragon "
                f"that wrote it{later}"
            )
        return cls(**{key: value for key, value in table.items() if key in _KEYS})

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.id, str) or not self.id:
            raise ValueError("has no id")
        if self.schema != SCHEMA:
            raise ValueError(f"its schema is {self.schema!r}, not {SCHEMA}")
        check_outcome(self.seats, self.teams, self.scores, self.points, self.failed)
        n = len(self.seats)
        for name in ("nodes", "seconds"):
            _check_numbers(name, getattr(self, name), n)
            if min(getattr(self, name)) < 0:
                raise ValueError(f"{name} are less than nothing")
        for name in ("game", "position", "instance", "date", "host"):
            if not isinstance(getattr(self, name), str):
                raise ValueError(f"{name} is not a text")
        for name in ("seed", "deal", "index"):
            value = getattr(self, name)
            if not isinstance(value, int) and not (value is None and name == "index"):
                raise ValueError(f"{name} is not a whole number")
        if not _all_of(TEXT, self.opening):
            raise ValueError("opening is not a list of moves")
        lines = self.moves if tuple in map(type, self.moves) else (self.moves,) * n
        if len(lines) != n or not all(
            type(line) is tuple and _all_of(TEXT, line) for line in lines
        ):
            raise ValueError("moves are neither a list of moves nor one for each seat")
        if self.values or self.work:
            check_trace(self.values, self.work, len(self.moves))
        if self.truth is not None and not is_number(self.truth):
            raise ValueError("truth is not a number")
        if len(self.engines) not in (0, n) or not _all_of(TEXT, self.engines):
            raise ValueError("engines are not a name for each seat")
        if len(self.attempts) not in (0, n):
            raise ValueError(f"attempts does not have {n} entries")


def check_trace(values: tuple[Any, ...], work: tuple[Any, ...], moves: int) -> None:
    """Raise ValueError, with the name of the key, for what no moves can have been given."""
    if len(values) not in (0, moves) or len(work) not in (0, moves):
        raise ValueError("values and work do not have an entry for each move")
    if not all(value is None or is_number(value) for value in values):
        raise ValueError("values are not numbers")
    for entry in work:
        if entry is not None and not (
            type(entry) is tuple
            and len(entry) == 3
            and all(is_number(each) and each >= 0 for each in entry[entry[0] is None :])
        ):
            raise ValueError("work is not depth, nodes and seconds of each move")


def check_outcome(
    seats: tuple[Any, ...],
    teams: tuple[Any, ...],
    scores: tuple[Any, ...],
    points: tuple[Any, ...],
    failed: tuple[Any, ...],
) -> None:
    """Raise ValueError, with the name of the key, for values that no game can have."""
    if not seats or not _all_of(TEXT, seats):
        raise ValueError("seats are not names")
    n = len(seats)
    for name, values in (("teams", teams), ("scores", scores), ("points", points)):
        _check_numbers(name, values, n)
    if not _all_of(frozenset({int}), teams) or min(teams) < 0:
        raise ValueError("teams are not numbers from 0")
    shares = dict(zip(teams, points, strict=True))
    if (
        min(points) < 0
        or abs(sum(shares.values()) - 1) > ROUNDING
        or any(shares[team] != own for team, own in zip(teams, points, strict=True))
    ):
        raise ValueError("points are not one for the best team, shared where several are")
    if failed and not (
        _all_of(frozenset({int}), failed) and len({*failed} & {*range(n)}) == len(failed)
    ):
        raise ValueError(f"failed are not seats from 0 to {n - 1}")


def is_number(value: Any) -> bool:
    """Return True if a value of JSON is a finite number."""
    return _all_of(NUMBER, (value,)) and math.isfinite(value)


def _all_of(kinds: frozenset[type], values: Iterable[Any]) -> bool:
    """Return True if all values are of these kinds; truth values are not numbers."""
    found = set(map(type, values))
    return found <= kinds or (
        bool not in found and all(issubclass(kind, tuple(kinds)) for kind in found)
    )


def _check_numbers(name: str, values: tuple[Any, ...], n: int) -> None:
    if len(values) != n:
        raise ValueError(f"{name} does not have {n} entries")
    if not _all_of(NUMBER, values) or not all(map(math.isfinite, values)):
        raise ValueError(f"{name} are not numbers")


_KEYS = frozenset(attribute.name for attribute in attrs.fields(Record))


def _worth_telling(attribute: attrs.Attribute[Any], value: Any) -> bool:
    """Drop the fields that only some records have, and those that are not known."""
    own = {"sought", "instance", "truth", "attempts", "index", "values", "work"}
    own |= {"date", "host", "engines"}
    return attribute.name not in own or value != attribute.default


def is_broken(reason: Reason, detail: str) -> bool:
    """Return True if a game that ended so was adjudicated for another reason than its length.

    >>> is_broken(Reason.ADJUDICATED, "9 plies without an end"), is_broken(Reason.CRASH, "...")
    (False, False)
    """
    if reason is not Reason.ADJUDICATED or not detail:
        return False
    return any(not line.endswith(TOO_LONG) for line in detail.splitlines())


def award(scores: Sequence[float], teams: Sequence[int]) -> tuple[float, ...]:
    """The points of each seat: the team with the best mean score takes the point, ties share it.

    >>> award((-2.0, 1.0, 1.0), (0, 1, 1)), award((0.0, 0.0), (0, 1))
    ((0.0, 1.0, 1.0), (0.5, 0.5))
    """
    means = {}
    for team in teams:
        own = [s for s, t in zip(scores, teams, strict=True) if t == team]
        means[team] = sum(own) / len(own)
    return share([means[team] for team in teams], teams)


def share(keys: Sequence[Any], teams: Sequence[int]) -> tuple[float, ...]:
    """Give one point to the team whose seats have the greatest key; equal ones share it."""
    best = max(keys)
    winners = {team for key, team in zip(keys, teams, strict=True) if key == best}
    return tuple(1.0 / len(winners) if team in winners else 0.0 for team in teams)
