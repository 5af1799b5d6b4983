"""The attempt of one player at one instance of a race or an estimate, with its times."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any

import attrs
from attrs import field, frozen

POINTS = 200  # points that a curve keeps

Curve = tuple[tuple[float, float], ...]


class Sought(StrEnum):
    """The goal that the players of a race or an estimate were given."""

    NOTHING = ""  # they met, and played
    LINE = "line"
    """A line of moves; a value is the payoff of a replayed line."""
    PROOF = "proof"  # the value of a position, proven
    ESTIMATE = "estimate"  # a value, as near to the truth as can be


class Claim(StrEnum):
    """The verdict on a player's claim to have proven its value."""

    NONE = ""  # it made none
    CHECKED = "checked"
    """The file or the reference confirms it, or its line pays the most that can be had."""
    UNCHECKED = "unchecked"
    """Nothing speaks against it: its line was replayed, and no player found otherwise."""
    DISPUTED = "disputed"
    """Another player claims another value, and nothing decides between them."""
    WRONG = "wrong"  # it is refuted


def _curve(points: Iterable[Sequence[float]]) -> Curve:
    return tuple((float(at), float(value)) for at, value in points)


@frozen(kw_only=True)
class Attempt:
    """The course of an attempt. Times are seconds of the player's own searching, or None."""

    value: float | None = None
    """The payoff of its line in a race of one seat, otherwise its last claim."""
    claim: Claim = field(default=Claim.NONE, converter=Claim)
    first: float | None = None
    """The time of its first solution: a line replayed to its end, or an answer without lines."""
    best: float | None = None
    """The time of a line as good as the best known, or since which its value has been right."""
    proof: float | None = None
    """The claim that its value is exact."""
    solved: float | None = None
    """The time of the goal, if its claim is not wrong or disputed."""
    curve: Curve = field(default=(), converter=_curve)
    """The course of its value: seconds and values, at each change."""

    def __attrs_post_init__(self) -> None:
        for name in ("value", "first", "best", "proof", "solved"):
            given = getattr(self, name)
            if given is not None and not (type(given) in (int, float) and math.isfinite(given)):
                raise ValueError(f"an attempt's {name} is not a number")
        if not all(math.isfinite(at) and math.isfinite(value) for at, value in self.curve):
            raise ValueError("an attempt's curve is not of numbers")

    def table(self) -> dict[str, Any]:
        """Return the attempt as plain data, without absent values."""
        return attrs.asdict(self, filter=lambda _, value: value not in (None, (), Claim.NONE))


def thinned(curve: Sequence[tuple[float, float]]) -> Curve:
    """Return at most POINTS of a curve, with its first and its last.

    >>> thinned([(k, k) for k in range(1000)])[:2], len(thinned([(k, k) for k in range(1000)]))
    (((0.0, 0.0), (5.0, 5.0)), 200)
    """
    most = POINTS - 1
    places = {round(k * (len(curve) - 1) / most) for k in range(most + 1)}
    return _curve(p for k, p in enumerate(curve) if len(curve) <= POINTS or k in places)


def since(curve: Sequence[tuple[float, float]], value: float, tolerance: float) -> float | None:
    """Return the time since which a curve is near a value; None if it does not end there.

    >>> since([(1.0, 0.5), (2.0, 1.0), (3.0, 0.0), (4.0, 1.0), (5.0, 1.0)], 1.0, 1e-9)
    4.0
    """
    found = None
    for at, here in curve:
        if abs(here - value) > tolerance:
            found = None
        elif found is None:
            found = at
    return found


def reached(curve: Sequence[tuple[float, float]], value: float, tolerance: float) -> float | None:
    """Return the time at which a curve first reaches a value; None if it never does.

    >>> reached([(1.0, 0.5), (2.0, 0.9), (3.0, 1.0)], 1.0, 0.1)
    2.0
    """
    return next((at for at, here in curve if here >= value - tolerance - 1e-12), None)
