"""A tuning as frozen values, made of its file: its dimensions, its budget, the games of a trial.

It is a Tournament whose players come up while it is played: the player of a trial is made of its
name, which is the spec of its search.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import attrs
from attrs import field, frozen
from attrs.validators import ge, in_

from dragon.config import search as build_search
from dragon.core import Search
from dragon.core.spec import literal
from dragon_tournament.clock import finite
from dragon_tournament.formats.round_robin import Gauntlet
from dragon_tournament.pairing import Pairing
from dragon_tournament.schedule import Schedule
from dragon_tournament.statistics.sprt import Sprt
from dragon_tournament.tournament import Player, Tournament

# ---- a setting that is tuned --------------------------------------------------------------------


DIGITS = 4
"""The digits of the numbers tried: games cannot show smaller differences."""


@frozen
class Range:
    """Numbers from `low` to `high`; its fields are the keys of a range in a file."""

    low: float = field(validator=finite)
    """The least value."""
    high: float = field(validator=finite)
    """The greatest value."""
    log: bool = False
    """True if equal ratios are tried equally often, rather than equal differences."""

    def mistakes(self) -> Iterable[str]:
        """Yield the objections to both ends together."""
        if self.low >= self.high:
            yield f"low must be less than high, not {self.low:g} and {self.high:g}"
        if self.log and self.low <= 0:
            yield f"with log = true, low must be more than 0, not {self.low:g}"

    @property
    def ends(self) -> tuple[Any, ...]:
        """Values between which all others lie."""
        return self.value(self.low), self.value(self.high)

    def value(self, drawn: float) -> float:
        """The value that is played for a number of the range: one of few digits, still within.

        >>> Range(0.3, 2.0).value(0.98765432)
        0.9877
        """
        return min(max(float(f"{drawn:.{DIGITS}g}"), self.low), self.high)

    def place(self, value: float) -> float:
        """The place of a value, from 0 to 1; outside of both for one that is not in the range.

        >>> Range(1, 100, log=True).place(10)
        0.5
        """
        low, high = self.low, self.high
        if self.log:
            if value <= 0:
                return -math.inf
            low, high, value = math.log(low), math.log(high), math.log(value)
        return (value - low) / (high - low)

    def ticks(self) -> list[tuple[float, str]]:
        """Return places with their values, for an axis: both ends and three between."""
        parts = (0.0, 0.25, 0.5, 0.75, 1.0)
        if self.log:
            values = [self.low * (self.high / self.low) ** part for part in parts]
        else:
            values = [self.low + (self.high - self.low) * part for part in parts]
        return [(part, f"{value:.3g}") for part, value in zip(parts, values, strict=True)]


@frozen
class Whole(Range):
    """A range of whole numbers."""

    low: int
    """The least value."""
    high: int
    """The greatest value."""
    log: bool = False
    """True if equal ratios are tried equally often, rather than equal differences."""

    def value(self, drawn: float) -> int:
        """The number itself."""
        return round(drawn)


@frozen
class Choices:
    """Some values; its field is the key in a file."""

    choices: tuple[Any, ...]
    """Two values or more."""

    def mistakes(self) -> Iterable[str]:
        """Yield the objections to the values together."""
        plain = [c for c in self.choices if isinstance(c, bool | int | float | str)]
        if len(plain) < len(self.choices):
            yield f"choices must be numbers, texts, true or false, not {list(self.choices)!r}"
        elif len(set(map(repr, plain))) < max(2, len(plain)):
            yield f"choices must be two different values or more, not {list(self.choices)!r}"

    @property
    def ends(self) -> tuple[Any, ...]:
        """All values."""
        return self.choices

    def value(self, drawn: Any) -> Any:
        """The value itself."""
        return drawn

    def place(self, value: Any) -> float:
        """The place of a value, from 0 to 1; outside of both for one that is not a choice."""
        if value not in self.choices:
            return -math.inf
        return (self.choices.index(value) + 0.5) / len(self.choices)

    def ticks(self) -> list[tuple[float, str]]:
        """The place of every value."""
        return [(self.place(v), v if isinstance(v, str) else literal(v)) for v in self.choices]


@frozen
class Dimension:
    """A setting of a player, with the values that are tried and its default."""

    name: str
    values: Range | Choices
    default: Any = None
    """The value that the player has by default; None if it has none."""

    def table(self) -> dict[str, Any]:
        """Return the setting and its values as plain data."""
        return {"setting": self.name, **attrs.asdict(self.values)}


# ---- the tuning ---------------------------------------------------------------------------------


SAMPLERS = ("tpe", "random")
PRUNERS = ("median", "halving", "hyperband", "none")
TEST = Sprt(elo0=0.0, elo1=20.0)
"""The test at the end, unless the file has another."""


@frozen
class TuningBudget:
    """The budget and the rules of a tuning; its fields are the keys of the table `[tune]`."""

    games: int = field(default=1000, validator=ge(2))
    """Games of all trials together, at most; the test at the end has its own."""
    trial: int = field(default=100, validator=ge(2))
    """Games of a trial that is not pruned."""
    step: int = field(default=20, validator=ge(2))
    """The games after which the pruner decides whether a trial continues."""
    sampler: str = field(default="tpe", validator=in_(SAMPLERS))
    """The sampler of optuna that chooses settings: `tpe` or `random`."""
    pruner: str = field(default="median", validator=in_(PRUNERS))
    """The pruner of optuna that ends trials early: `median`, `halving`, `hyperband` or `none`."""

    def mistakes(self, size: int) -> Iterator[tuple[str, str]]:
        """Yield key and sentence of each objection, given the number of games of an opening."""
        for key in ("games", "trial", "step"):
            if getattr(self, key) % size:
                sentence = f"must be a multiple of {size}, so that every opening is played from all"
                yield key, f"{key} {sentence} seats, not {getattr(self, key)}"
        if self.trial > self.games:
            yield "trial", f"trial must be at most games, {self.games}, not {self.trial}"
        if self.step > self.trial:
            yield "step", f"step must be at most trial, {self.trial}, not {self.step}"


@frozen
class Tuning(Tournament):
    """A tournament of trials against one opponent.

    Its `players` are the one to be tuned, with its defaults, and the opponent.
    """

    fixed: dict[str, Any] = field(factory=dict)
    """The table of the tuned player's search without the settings that are tuned."""
    dimensions: tuple[Dimension, ...] = ()
    budget: TuningBudget = TuningBudget()
    test: Sprt = TEST
    """The test between the best settings and the default."""
    test_games: int = 10_000
    """Its games of each seating, at most."""

    @property
    def default(self) -> Player:
        """The tuned player with every tuned setting at its default."""
        return self.players[0]

    @property
    def opponent(self) -> Player:
        """The opponent of all trials."""
        return self.players[1]

    def player(self, name: str) -> Player:
        """The opponent, or the player of a trial, whose name is its search's spec."""
        if name == self.opponent.name:
            return self.opponent
        return attrs.evolve(self.default, name=name, search=_search(name))

    def search(self, settings: dict[str, Any]) -> Search:
        """The search with those values of the tuned settings."""
        return build_search({**self.fixed, **settings})

    @property
    def seatings(self) -> list[tuple[str, ...]]:
        """The orders in which the two sit, with the default in place of any trial."""
        return list(Schedule(self).seatings)

    def seats_of(self, trial: str) -> list[tuple[str, ...]]:
        """The seats of a trial's player."""
        own = {self.default.name: trial}
        return [tuple(own.get(name, name) for name in seats) for seats in self.seatings]

    def pairings(self, trial: str, first: int, last: int) -> Iterator[Pairing]:
        """The games of a player from its openings `first` to before `last`, from all seats."""
        seatings = self.seats_of(trial)
        players = [self.player(name).table() for name in sorted({*seatings[0]})]
        schedule = Schedule(self, {**self.identity(), "players": players})
        for index in range(first, last):
            opening = schedule.opening(index)
            for seats in seatings:
                yield schedule.pairing(seats, index, opening)

    def summary(self) -> dict[str, Any]:
        """The configuration as plain data, kept beside the records."""
        plain = super().summary()
        tune = {**attrs.asdict(self.budget), "settings": [d.table() for d in self.dimensions]}
        players = [p for p in plain["players"] if p["name"] == self.opponent.name]
        return {**plain, "format": Gauntlet.name, "players": players, "tune": tune}


@lru_cache(1024)
def _search(spec: str) -> Search:
    return build_search(spec)
