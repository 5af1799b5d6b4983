"""A cover problem as numbers: what kernels and the arrays of dancing links are made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import numpy as np
from attrs import frozen

from dragon.cover.option import Bounds, Option

Ints = np.ndarray[Any, np.dtype[np.int32]]


@frozen(eq=False)
class Arrays:
    """Options as compressed rows; items count from 0, the primary ones first.

    Hidden items and options are in them like all others.
    """

    primary: int
    """How many items are primary."""
    items: int
    """How many items there are."""
    start: Ints
    """int32[options + 1]: the entries of option o are start[o] to start[o + 1] - 1."""
    item: Ints
    """int32[entries]: the item of each entry."""
    colour: Ints
    """int32[entries]: its colour, from 1 on; 0 is none."""
    weight: np.ndarray[Any, np.dtype[np.int64]]
    """int64[entries]: what the item adds to the cost when this option covers it."""
    cost: np.ndarray[Any, np.dtype[np.int64]]
    """int64[options]: what choosing the option adds to the cost."""
    low: Ints
    """int32[items]: how often an item must be covered; 0 for secondary ones."""
    high: Ints
    """int32[items]: how often it may be; 1 for secondary ones."""

    @property
    def options(self) -> int:
        """How many options there are."""
        return len(self.start) - 1

    def rebound(self, bounds: Sequence[Bounds]) -> Arrays:
        """The same with other bounds of the primary items."""
        low, high = np.tile(np.array([[0], [1]], np.int32), self.items)
        if bounds:
            low[: self.primary], high[: self.primary] = zip(*bounds, strict=True)
        return attrs.evolve(self, low=low, high=high)


def arrays_of(
    place: Mapping[str, int], options: Sequence[Option], bounds: Sequence[Bounds]
) -> Arrays:
    """The numbers of a problem; `place`: of each item, the primary ones with bounds first."""
    colours: dict[str, int] = {}
    start, item, colour, weight = [0], [], [], []
    for option in options:
        for name in option.items:
            item.append(place[name])
            paint = option.colours.get(name)
            colour.append(0 if paint is None else colours.setdefault(paint, len(colours) + 1))
            weight.append(option.weights.get(name, 0))
        start.append(len(item))
    return Arrays(
        primary=len(bounds),
        items=len(place),
        start=np.array(start, np.int32),
        item=np.array(item, np.int32),
        colour=np.array(colour, np.int32),
        weight=np.array(weight, np.int64),
        cost=np.array([option.cost for option in options], np.int64),
        low=np.zeros(0, np.int32),
        high=np.zeros(0, np.int32),
    ).rebound(bounds)
