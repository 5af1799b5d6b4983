"""A cover problem as numbers: what kernels and the arrays of dancing links are made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
from attrs import frozen

if TYPE_CHECKING:
    from dragon.cover.problem import Problem

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
    colours: tuple[str, ...]
    """The names of the colours; number 1 is the first."""

    @property
    def options(self) -> int:
        """How many options there are."""
        return len(self.start) - 1

    def rebound(self, problem: Problem) -> Arrays:
        """The same with the bounds that `problem` has now."""
        low, high = _bounds(problem)
        return attrs.evolve(self, low=low, high=high)


def arrays_of(problem: Problem) -> Arrays:
    """The numbers of a problem, hidden parts included."""
    place = {name: i for i, name in enumerate(problem.items)}
    colours: dict[str, int] = {}
    start, item, colour, weight = [0], [], [], []
    for option in problem.options:
        for name in option.items:
            item.append(place[name])
            paint = option.colours.get(name)
            colour.append(0 if paint is None else colours.setdefault(paint, len(colours) + 1))
            weight.append(option.weights.get(name, 0))
        start.append(len(item))
    low, high = _bounds(problem)
    return Arrays(
        primary=len(problem.primary),
        items=len(problem.items),
        start=np.array(start, np.int32),
        item=np.array(item, np.int32),
        colour=np.array(colour, np.int32),
        weight=np.array(weight, np.int64),
        cost=np.array([option.cost for option in problem.options], np.int64),
        low=low,
        high=high,
        colours=tuple(colours),
    )


def _bounds(problem: Problem) -> tuple[Ints, Ints]:
    bounds = [problem.bounds_of(name) for name in problem.primary]
    bounds += [(0, 1)] * len(problem.secondary)
    low, high = zip(*bounds, strict=True) if bounds else ((), ())
    return np.array(low, np.int32), np.array(high, np.int32)


def visible(problem: Problem) -> tuple[Any, Any]:
    """bool[items] and bool[options]: what is not hidden."""
    items = [name not in problem.hidden_items for name in problem.items]
    options = [name not in problem.hidden_options for name in problem.names]
    return np.array(items, bool), np.array(options, bool)
