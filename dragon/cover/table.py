"""What all states of one cover game share: its rows and columns as bits of whole numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from attrs import evolve, frozen

from dragon.core import Game
from dragon.cover.option import ONCE, Bounds
from dragon.cover.problem import Problem


@frozen(eq=False)
class Table:
    """What all states of one game share. Items and options are bits of whole numbers."""

    problem: Problem
    exact: bool = True
    size: int | None = None
    """No cover has more options."""
    ranked: bool = False
    """Whether a cover pays the negative of its cost, and not 1."""
    spare: bool = False
    """Whether an overlapping cover may have options that it does not need."""
    game: Game[str] | None = None

    def __deepcopy__(self, memo: Any) -> Table:
        return self  # which never changes

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """For each item, the visible options that cover it."""
        rows = [0] * len(self.problem.items)
        for o, option in enumerate(self.problem.options):
            if str(option) not in self.problem.hidden_options:
                for item in option.items:
                    rows[self.problem.item_index[item]] |= 1 << o
        return tuple(rows)

    @cached_property
    def covers(self) -> tuple[tuple[int, ...], ...]:
        """For each option, the visible primary items that it covers."""
        seen = set(self.problem.primary) - self.problem.hidden_items
        return tuple(
            tuple(self.problem.item_index[i] for i in option.items if i in seen)
            for option in self.problem.options
        )

    @cached_property
    def beside(self) -> tuple[int, ...]:
        """For each option, those that agree with it on every visible secondary item."""
        problem = self.problem
        seen = set(problem.secondary) - problem.hidden_items
        painted: dict[tuple[str, str | None], int] = {}
        for o, option in enumerate(problem.options):
            for item in seen.intersection(option.items):
                paint = item, option.colours.get(item)
                painted[paint] = painted.get(paint, 0) | 1 << o
        beside = []
        for option in problem.options:
            barred = 0
            for item in seen.intersection(option.items):
                colour = option.colours.get(item)
                alike = painted[item, colour] if colour is not None else 0
                barred |= self.rows[self.problem.item_index[item]] & ~alike
            beside.append(~barred)
        return tuple(beside)

    @cached_property
    def bounded(self) -> dict[int, int]:
        """The items with bounds of their own, and the places of these in `bounds`."""
        names = enumerate(self.problem.primary)
        own = [i for i, n in names if self.problem.bounds_of(n) != ONCE]
        return {item: place for place, item in enumerate(own)}

    @cached_property
    def bounds(self) -> tuple[Bounds, ...]:
        """The bounds of those items."""
        return tuple(self.problem.bounds_of(self.problem.primary[i]) for i in self.bounded)

    @cached_property
    def largest(self) -> float:
        """No payoff exceeds this, and in a ranked game no cover costs as much."""
        if not self.ranked:
            return 1.0
        options = self.problem.options
        worst = sum(abs(option.cost) for option in options)
        for item in self.problem.primary:
            worst += max((abs(o.weights.get(item, 0)) for o in options), default=0)
        return float(worst + 1)

    def keeping(self, chosen: tuple[int, ...]) -> int:
        """The options beside which every chosen one still covers an item that needs it."""
        times = Counter(item for o in chosen for item in self.covers[o])
        low = {i: self.problem.bounds_of(self.problem.primary[i])[0] for i in times}
        barred = 0
        for o in chosen:
            if all(times[i] >= low[i] for i in self.covers[o]):
                needing = -1
                for i in self.covers[o]:
                    needing &= self.rows[i] if times[i] == low[i] else -1
                barred |= needing
        return ~barred

    def pinned(self, chosen: tuple[int, ...]) -> Problem:
        """The problem with an item more for each of these options, that it alone covers."""
        problem, names = self.problem, self.problem.names
        marks = {o: f"| {names[o]}" for o in chosen}
        options = [
            evolve(option, items=(*option.items, marks[o]), name=names[o]) if o in marks else option
            for o, option in enumerate(problem.options)
        ]
        return evolve(problem, primary=(*problem.primary, *marks.values()), options=options)

    def mark(self, chosen: tuple[int, ...]) -> tuple[int, ...]:
        """What tells states apart beside what is left."""
        if self.ranked or not self.exact:
            return tuple(sorted(chosen))
        return () if self.size is None else (len(chosen),)


def members(numbers: int) -> Iterator[int]:
    """The members of a bit set, the smallest first."""
    while numbers:
        low = numbers & -numbers
        yield low.bit_length() - 1
        numbers ^= low


def cost(problem: Problem, chosen: tuple[int, ...]) -> int:
    """What a cover costs: its options, and each visible item the least that one of them asks.

    An option that covers an item without giving it a weight asks 0.
    """
    options = [problem.options[o] for o in chosen]
    least: dict[str, int] = {}
    for option in options:
        for item in option.items:
            if item not in problem.hidden_items:
                weight = option.weights.get(item, 0)
                least[item] = min(weight, least.get(item, weight))
    return sum(option.cost for option in options) + sum(least.values())
