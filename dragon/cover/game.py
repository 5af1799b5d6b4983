"""A cover problem as a game of one seat: a move chooses an option, a line is a cover.

Each state branches on the item with the fewest options; where items are covered exactly once,
no set of options is met in two orders. The lines of an overlapping game are the covers that
need all their options; with bounds, play ends when no item needs another option. In a game with
spare options those are all covers: what is not needed can be chosen at the end, in the order of
the problem, until a move says that nothing more is. Every general search plays it, and races the
searches that are made for covers.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Any, ClassVar

from attrs import evolve, field, frozen

from dragon.core import TERMINAL, Game, State, Trait
from dragon.cover.option import ONCE, Bounds
from dragon.cover.problem import Problem
from dragon.errors import BadNotation, IllegalMove

NOTHING, BETWEEN = "-", " | "
"""The notation of the start, and of the move that ends play where options may be to spare; and
what stands between two options. No name holds a `|`."""


@frozen(eq=False)
class Table:
    """The data that all states of one game share; items and options are bits of whole numbers."""

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
        """Return what tells states apart besides the items and options that are left."""
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
    """Return the cost of a cover: its options', and for each visible item the least weight.

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


@frozen
class CoverState(State[str]):
    """A state: the items still to be covered, and the options that may still be chosen.

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
    enough: bool = field(default=False, repr=False)
    """Whether the last move said that nothing more is chosen."""

    teams: ClassVar[tuple[int, ...]] = (0,)

    @property
    def game(self) -> Game[str] | None:
        """The game, which its states share."""
        return self.table.game

    @property
    def turn(self) -> int:
        """Seat 0, until nothing is left or nothing can be chosen."""
        return 0 if self._row or self._spare else TERMINAL

    @property
    def covered(self) -> bool:
        """Return whether every item is covered."""
        return not self.left

    @property
    def largest(self) -> float:  # type: ignore[override]
        """No payoff exceeds this in absolute value."""
        return self.table.largest

    @cached_property
    def _row(self) -> int:
        """The allowed options of the item that has the fewest, the first such."""
        if self._full:
            return 0
        if self._spare:
            return self.allowed
        best, fewest, left = 0, -1, self.left
        while left:
            low = left & -left
            row = self.table.rows[low.bit_length() - 1] & self.allowed
            options = row.bit_count()
            if fewest < 0 or options < fewest:
                best, fewest = row, options
            left ^= low
        return best

    @property
    def _full(self) -> bool:
        return self.enough or len(self.chosen) == self.table.size

    @property
    def _spare(self) -> bool:
        """Return whether all is covered and options that are not needed may be chosen."""
        return self.table.spare and not self.left and not self._full

    def moves(self) -> tuple[str, ...]:
        """The options that cover the item with the fewest, in the order of the problem."""
        names = tuple(self.table.problem.names[o] for o in members(self._row))
        return (*names, NOTHING) if self._spare else names

    def after(self, move: str) -> CoverState:
        """The state with that option chosen, or with nothing more to come."""
        if move == NOTHING and self._spare:
            return evolve(self, enough=True)
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
        if self._spare:
            allowed &= -1 << option  # what is not needed comes in one order
        elif not (table.exact or table.spare):
            allowed &= table.keeping(chosen)
        return CoverState(table, left, allowed, tuple(counts), chosen, table.mark(chosen))

    def payoff(self) -> tuple[float]:
        """1 for a cover and 0 for a dead end; ranked, the negative of the cost."""
        table = self.table
        if not table.ranked:
            return (1.0 if self.covered else 0.0,)
        return (-float(cost(table.problem, self.chosen)) if self.covered else -table.largest,)

    def rest(self) -> Problem:
        """Return what is left to do as a problem of its own: a view of the whole.

        In a game with spare options all of it: every cover there has those that are chosen.
        """
        table, problem = self.table, self.table.problem
        if table.spare:
            may = {*self.chosen, *members(0 if self._full else self.allowed)}
            return table.pinned(self.chosen).only(options=[problem.names[o] for o in may])
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
        mark = self.mark + (-1,) * self.enough
        written = repr((self.left, self.allowed, self.counts, mark)).encode()
        return int.from_bytes(blake2b(written, digest_size=8).digest(), "little")

    def __str__(self) -> str:
        names = [self.table.problem.names[o] for o in self.chosen] or [NOTHING]
        return BETWEEN.join([*names, NOTHING] if self.enough else names)


def start_of(table: Table) -> CoverState:
    """Nothing chosen; what is hidden can neither be asked for nor chosen."""
    problem = table.problem
    seen = [i for i, n in enumerate(problem.primary) if n not in problem.hidden_items]
    allowed = 0
    for item in seen:
        allowed |= table.rows[item]
    left = sum(1 << i for i in seen if problem.bounds_of(problem.primary[i])[0] > 0)
    return CoverState(table, left, allowed, (0,) * len(table.bounds), (), table.mark(()))


table_of = lru_cache(maxsize=8)(Table)
"""One table for all states of equal games."""


@frozen
class CoverGame(Game[str]):
    """A game of one seat whose lines are covers; an author gives the problem.

    The class attributes say what a cover is: `exact` or overlapping, of at most `size`
    options, and `ranked` by cost or all of one worth. An overlapping cover needs all its
    options, unless the game allows some to `spare`: of ranked ones those can be the cheapest.
    """

    teams: ClassVar[tuple[int, ...]] = (0,)
    exact: ClassVar[bool] = True
    size: ClassVar[int | None] = None
    ranked: ClassVar[bool] = False
    spare: ClassVar[bool] = False

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
        table = table_of(self.problem(), self.exact, self.size, self.ranked, self.spare, self)
        return start_of(table)

    def parse(self, text: str) -> CoverState:
        """Options with ` | ` between them, in any order that the rules allow; `-` for none.

        A `-` behind them says that no more are to come.
        """
        state = self.start()
        for place, name in enumerate(text.split("|")):
            if name.strip() == NOTHING and (not place or state._spare):
                state = evolve(state, enough=place > 0)
                continue
            option = state.table.problem.option_index.get(name.strip())
            if option is None:
                raise BadNotation(f"no option {name.strip()!r} here; write them 'a b | c d', or -")
            over = state._full or not (state.left or state.table.spare)
            if over or not state.allowed >> option & 1:
                raise BadNotation(f"{name.strip()!r} cannot be chosen beside what stands before it")
            state = state.choose(option)
        return state
