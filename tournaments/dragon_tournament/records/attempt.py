"""Attempt: what one player made of one instance of a race or an estimate, and when."""

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
    """A line of moves; a value is what one was seen to pay."""
    PROOF = "proof"  # the value of a position, proven
    ESTIMATE = "estimate"  # a value, as near to the truth as can be


class Claim(StrEnum):
    """The verdict on a player's claim to have proven its value."""

    NONE = ""  # it made none
    CHECKED = "checked"
    """It is what the file or the reference says, or its line pays the most that can be had."""
    UNCHECKED = "unchecked"
    """Nothing speaks against it: its line was replayed, and no player found otherwise."""
    DISPUTED = "disputed"
    """Another player claims another value, and nothing decides between them."""
    WRONG = "wrong"  # it is refuted


def _curve(points: Iterable[Sequence[float]]) -> Curve:
    return tuple((float(at), float(value)) for at, value in points)


@frozen(kw_only=True)
class Attempt:
    """Times are seconds of the player's own searching, None where it never came to that."""

    value: float | None = None
    """In a race of one seat what its line was seen to pay; else what it claimed at last."""
    claim: Claim = field(default=Claim.NONE, converter=Claim)
    first: float | None = None
    """Its first solution, that is, a line replayed to its end; where no line can be, an answer."""
    best: float | None = None
    """As good as the best known. Else: since when its value has been right."""
    proof: float | None = None
    """The claim that its value is exact."""
    solved: float | None = None
    """Whichever of these is the goal, if the claim it made is not wrong or disputed."""
    curve: Curve = field(default=(), converter=_curve)
    """How its value became better: seconds and values, the values that changed alone."""

    def __attrs_post_init__(self) -> None:
        for name in ("value", "first", "best", "proof", "solved"):
            given = getattr(self, name)
            if given is not None and not (type(given) in (int, float) and math.isfinite(given)):
                raise ValueError(f"an attempt's {name} is not a number")
        if not all(math.isfinite(at) and math.isfinite(value) for at, value in self.curve):
            raise ValueError("an attempt's curve is not of numbers")

    def table(self) -> dict[str, Any]:
        """Return it as plain data, without what is absent."""
        return attrs.asdict(self, filter=lambda _, value: value not in (None, (), Claim.NONE))


def thinned(curve: Sequence[tuple[float, float]]) -> Curve:
    """At most POINTS of a curve, its first and its last among them.

    >>> thinned([(k, k) for k in range(1000)])[:2], len(thinned([(k, k) for k in range(1000)]))
    (((0.0, 0.0), (5.0, 5.0)), 200)
    """
    most = POINTS - 1
    places = {round(k * (len(curve) - 1) / most) for k in range(most + 1)}
    return _curve(p for k, p in enumerate(curve) if len(curve) <= POINTS or k in places)


def since(curve: Sequence[tuple[float, float]], value: float, tolerance: float) -> float | None:
    """From when on a curve stays near a value; None where it does not end there.

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
    """When a curve first comes to a value, or above it; None where it never does.

    >>> reached([(1.0, 0.5), (2.0, 0.9), (3.0, 1.0)], 1.0, 0.1)
    2.0
    """
    return next((at for at, here in curve if here >= value - tolerance - 1e-12), None)
