"""A cover problem as a game of one seat: a move chooses an option, a line is a cover.

Each state branches on the item with the fewest options; where items are covered exactly once,
no set of options is met in two orders. The lines of an overlapping game are the covers that
need all their options; with bounds, play ends when no item needs another option. Every general
search plays it, and races the searches that are made for covers.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Any, ClassVar

from attrs import field, frozen

from dragon.core import TERMINAL, Game, State, Trait
from dragon.cover.option import ONCE, Bounds
from dragon.cover.problem import Problem
from dragon.errors import BadNotation, IllegalMove

NOTHING, BETWEEN = "-", " | "
"""The notation of the start, and what stands between two options; no name holds a `|`."""


@frozen
class CoverState(State[str]):
    """What is still to be covered, and the options that may still be chosen.

    A move is the name of an option. States are equal where what is left is the same; in a
    ranked or overlapping game only where the same options have been chosen.
    """

    table: Table = field(eq=False, repr=False)
    left: int
    """The primary items that must be covered once more, as a bit set."""
    allowed: int = field(repr=False)
    """The options that may be chosen, as a bit set."""
    counts: tuple[int, ...] = field(repr=False)
    """How often each item with bounds of its own has been covered."""
    chosen: tuple[int, ...] = field(eq=False)
    """The numbers of the chosen options, in the order of choice."""
    mark: tuple[int, ...] = field(default=(), repr=False)
    """What else tells states apart: the options chosen, or in a game of limited size how many."""

    teams: ClassVar[tuple[int, ...]] = (0,)

    @property
    def turn(self) -> int:
        """Seat 0, until nothing is left or nothing can be chosen."""
        return 0 if self._row else TERMINAL

    @property
    def covered(self) -> bool:
        """Whether every item is covered."""
        return not self.left

    @property
    def largest(self) -> float:  # type: ignore[override]
        """No payoff exceeds this in absolute value."""
        return self.table.largest

    @cached_property
    def _row(self) -> int:
        """The allowed options of the item that has the fewest, the first such."""
        if len(self.chosen) == self.table.size:
            return 0
        best, fewest, left = 0, -1, self.left
        while left:
            low = left & -left
            row = self.table.rows[low.bit_length() - 1] & self.allowed
            options = row.bit_count()
            if fewest < 0 or options < fewest:
                best, fewest = row, options
            left ^= low
        return best

    def moves(self) -> tuple[str, ...]:
        """The options that cover the item with the fewest, in the order of the problem."""
        return tuple(self.table.problem.names[o] for o in members(self._row))

    def after(self, move: str) -> CoverState:
        """The state with that option chosen."""
        option = self.table.problem.option_index.get(move)
        if option is None or not self._row >> option & 1:
            shown = ", ".join(map(repr, self.moves()[:6])) or "nothing"
            raise IllegalMove(f"{move!r} cannot be chosen here; what can: {shown}")
        return self.choose(option)

    def choose(self, option: int) -> CoverState:
        """The state with an allowed option chosen, whatever item it covers."""
        table = self.table
        left, counts = self.left, list(self.counts)
        allowed = self.allowed & table.beside[option] & ~(1 << option)
        for item in table.covers[option]:
            place = table.bounded.get(item)
            times, low, high = 1, 1, 1
            if place is not None:
                counts[place] += 1
                times, (low, high) = counts[place], table.bounds[place]
            if times >= low:
                left &= ~(1 << item)
            if times >= high and table.exact:
                allowed &= ~table.rows[item]
        chosen = (*self.chosen, option)
        if not table.exact:
            allowed &= table.keeping(chosen)
        return CoverState(table, left, allowed, tuple(counts), chosen, table.mark(chosen))

    def payoff(self) -> tuple[float]:
        """1 for a cover and 0 for a dead end; ranked, the negative of the cost."""
        table = self.table
        if not table.ranked:
            return (1.0 if self.covered else 0.0,)
        return (-float(cost(table.problem, self.chosen)) if self.covered else -table.largest,)

    def rest(self) -> Problem:
        """What is left to do, as a problem of its own: a view of the whole."""
        table, problem = self.table, self.table.problem
        gone = {i for o in self.chosen for i in problem.options[o].items} & {*problem.secondary}
        bounds = dict(problem.bounds)
        for item, name in enumerate(problem.primary):
            place = table.bounded.get(item)
            low, high = table.bounds[place] if place is not None else ONCE
            times = self.counts[place] if place is not None else 1 - (self.left >> item & 1)
            if times >= (high if table.exact else low):
                gone.add(name)
            elif place is not None:
                bounds[name] = max(low - times, 0), max(high - times, 1)
        barred = [n for o, n in enumerate(problem.names) if not self.allowed >> o & 1]
        return problem.hide(gone, barred)._rebound(bounds)

    def key(self) -> int:
        """64 bits that equal states share."""
        written = repr((self.left, self.allowed, self.counts, self.mark)).encode()
        return int.from_bytes(blake2b(written, digest_size=8).digest(), "little")

    def __str__(self) -> str:
        return BETWEEN.join(self.table.problem.names[o] for o in self.chosen) or NOTHING


@frozen(eq=False)
class Table:
    """What all states of one game share. Items and options are bits of whole numbers."""

    problem: Problem
    exact: bool = True
    size: int | None = None
    """No cover has more options."""
    ranked: bool = False
    """Whether a cover pays the negative of its cost, and not 1."""

    def __deepcopy__(self, memo: Any) -> Table:
        return self  # which never changes

    @cached_property
    def start(self) -> CoverState:
        """Nothing chosen; what is hidden can neither be asked for nor chosen."""
        problem = self.problem
        seen = [i for i, n in enumerate(problem.primary) if n not in problem.hidden_items]
        allowed = 0
        for item in seen:
            allowed |= self.rows[item]
        left = sum(1 << i for i in seen if problem.bounds_of(problem.primary[i])[0] > 0)
        return CoverState(self, left, allowed, (0,) * len(self.bounds), (), self.mark(()))

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


table_of = lru_cache(maxsize=8)(Table)
"""One table for all states of equal games."""


@frozen
class CoverGame(Game[str]):
    """A game of one seat whose lines are covers; an author gives the problem.

    The class attributes say what a cover is: `exact` or overlapping, of at most `size`
    options, and `ranked` by cost or all of one worth.
    """

    teams: ClassVar[tuple[int, ...]] = (0,)
    exact: ClassVar[bool] = True
    size: ClassVar[int | None] = None
    ranked: ClassVar[bool] = False

    @property
    def traits(self) -> frozenset[Trait]:
        """One seat, and a line is a cover."""
        return frozenset({Trait.SOLO, Trait.COVER})

    @abstractmethod
    def problem(self) -> Problem:
        """The items and options."""

    def start(self, rng: Any = 0) -> CoverState:
        """Nothing chosen."""
        return self._start

    @cached_property
    def _start(self) -> CoverState:
        # Once a game: to write down tens of thousands of options takes longer than to play.
        return table_of(self.problem(), self.exact, self.size, self.ranked).start

    def parse(self, text: str) -> CoverState:
        """Options with ` | ` between them, in any order that the rules allow; `-` for none."""
        state = self.start()
        if text.strip() == NOTHING:
            return state
        for name in text.split("|"):
            option = state.table.problem.option_index.get(name.strip())
            if option is None:
                raise BadNotation(f"no option {name.strip()!r} here; write them 'a b | c d', or -")
            full = len(state.chosen) == state.table.size
            if not state.allowed >> option & 1 or not state.left or full:
                raise BadNotation(f"{name.strip()!r} cannot be chosen beside what stands before it")
            state = state.choose(option)
        return state
