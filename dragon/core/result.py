"""Result, Bound and Limit: what a search claims, how sure it is, and when it must stop."""

from __future__ import annotations

from enum import Enum
from typing import Any

import attrs
from attrs import field, frozen


def _positive(instance: object, attribute: attrs.Attribute[Any], value: float | None) -> None:
    if value is not None and not (isinstance(value, int | float) and value > 0):
        raise ValueError(f"{attribute.name} must be a positive number, not {value!r}")


def _count(instance: object, attribute: attrs.Attribute[Any], value: int | None) -> None:
    if value is not None and not (isinstance(value, int) and value > 0):
        raise ValueError(f"{attribute.name} must be a positive whole number, not {value!r}")


@frozen(repr=False)
class Limit:
    """When a search must stop, whichever comes first; without any, when it has proven its value.

    >>> Limit(depth=6)
    Limit(depth=6)
    """

    seconds: float | None = field(default=None, validator=_positive)
    """Wall-clock seconds of the search itself."""
    nodes: int | None = field(default=None, validator=_count)
    """States visited."""
    depth: int | None = field(default=None, validator=_count)
    """Plies looked ahead."""
    simulations: int | None = field(default=None, validator=_count)
    """Simulations or samples."""

    def __repr__(self) -> str:
        shown = ((a.name, getattr(self, a.name)) for a in attrs.fields(type(self)))
        return f"Limit({', '.join(f'{k}={v}' for k, v in shown if v is not None)})"

    def __bool__(self) -> bool:
        return self != UNLIMITED


UNLIMITED = Limit()


class Bound(Enum):
    """The relation of a value to the truth."""

    EXACT = "="
    LOWER = ">="
    UPPER = "<="
    ESTIMATE = "~"

    def __str__(self) -> str:
        return self.value


@frozen
class Result:
    """The claim of a search about a position.

    `value` is in payoff units, for the seat to move at the root (seat 0 at a CHANCE
    root). `line` is the principal variation. `error` is a standard error, 0 where none
    applies. `seconds` counts the search alone: no reading, importing or compiling.
    """

    value: float
    bound: Bound = Bound.ESTIMATE
    line: tuple[Any, ...] = ()
    error: float = 0.0
    nodes: int = 0
    seconds: float = 0.0
    extra: dict[str, Any] = field(factory=dict, eq=False)

    @property
    def move(self) -> Any:
        """The first move of the line, or None where there is none to make."""
        return self.line[0] if self.line else None
