"""Dimension: a setting that is tuned, and the values it may take."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import attrs
from attrs import field, frozen

from dragon.core.spec import literal
from dragon_tournament.clock import finite

DIGITS = 4
"""The digits of the numbers tried: more could not be told apart by games."""


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
        """Return it as plain data."""
        return {"setting": self.name, **attrs.asdict(self.values)}
