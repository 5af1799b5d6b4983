"""A cover problem as a game of one seat: a move chooses an option, a line is a cover.

Each state branches on the item with the fewest options. Where items are covered exactly once, no
set of options is met in two orders. The lines of an overlapping game are the covers that need all
their options; with bounds, play ends when no item needs another option. In a game with spare
options the lines are all covers: options that are not needed can be chosen at the end, in the order
of the problem, until the move `-` ends play. An exact game with options that cover secondary items
alone is such a game. Every general search can play the game, and can be compared with the searches
for covers.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Any, ClassVar

from attrs import evolve, field, frozen

from dragon.core import TERMINAL, Game, State, Trait
from dragon.cover.problem import ONCE, Bounds, Problem
from dragon.errors import BadNotation, IllegalMove

NOTHING, BETWEEN = "-", " | "
"""The notation of the start, and of the move that ends play where there may be spare options; and
the separator of two options. No name contains a `|`."""


@frozen(eq=False)
class Table:
    """The data that all states of a game share; sets of items and options are integers' bits."""

    problem: Problem
    exact: bool = True
    size: int | None = None
    """No cover has more options."""
    ranked: bool = False
    """True if the payoff of a cover is the negative of its cost, and not 1."""
    spare: bool = False
    """True if play goes on when everything is covered, with options that are not needed."""
    game: Game[str] | None = None

    def __deepcopy__(self, memo: Any) -> Table:
        return self  # which never changes

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """The visible options that cover each item."""
        rows = [0] * len(self.problem.items)
        for o, option in enumerate(self.problem.options):
            if str(option) not in self.problem.hidden_options:
                for item in option.items:
                    rows[self.problem.item_index[item]] |= 1 << o
        return tuple(rows)

    @cached_property
    def covers(self) -> tuple[tuple[int, ...], ...]:
        """The visible primary items that each option covers."""
        seen = set(self.problem.primary) - self.problem.hidden_items
        return tuple(
            tuple(self.problem.item_index[i] for i in option.items if i in seen)
            for option in self.problem.options
        )

    @cached_property
    def beside(self) -> tuple[int, ...]:
        """The options that agree with each option on every visible secondary item.

        In an exact game they cover no item that it covers, except items with bounds of their own.
        """
        problem = self.problem
        seen = set(problem.secondary) - problem.hidden_items
        painted: dict[tuple[str, str | None], int] = {}
        for o, option in enumerate(problem.options):
            for item in seen.intersection(option.items):
                paint = item, option.colours.get(item)
                painted[paint] = painted.get(paint, 0) | 1 << o
        beside = []
        for o, option in enumerate(problem.options):
            barred = 1 << o
            for covered in self.covers[o] if self.exact else ():
                barred |= self.rows[covered] if covered not in self.bounded else 0
            for item in seen.intersection(option.items):
                colour = option.colours.get(item)
                alike = painted[item, colour] if colour is not None else 0
                barred |= self.rows[self.problem.item_index[item]] & ~alike
            beside.append(~barred)
        return tuple(beside)

    @cached_property
    def bounded(self) -> dict[int, int]:
        """The items with bounds of their own, each with its place in `bounds`."""
        names = enumerate(self.problem.primary)
        own = [i for i, n in names if self.problem.bounds_of(n) != ONCE]
        return {item: place for place, item in enumerate(own)}

    @cached_property
    def once(self) -> tuple[int, ...]:
        """For each option, the items that it covers and that do not have bounds of their own."""
        return tuple(sum(1 << i for i in items if i not in self.bounded) for items in self.covers)

    @cached_property
    def counted(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each option, the other items that it covers, each with its place in `bounds`."""
        places = self.bounded
        return tuple(tuple((i, places[i]) for i in at if i in places) for at in self.covers)

    @cached_property
    def bounds(self) -> tuple[Bounds, ...]:
        """The bounds of those items."""
        return tuple(self.problem.bounds_of(self.problem.primary[i]) for i in self.bounded)

    @cached_property
    def largest(self) -> float:
        """A bound of all payoffs; in a ranked game no cover costs as much."""
        if not self.ranked:
            return 1.0
        options = self.problem.options
        worst = sum(abs(option.cost) for option in options)
        for item in self.problem.primary:
            worst += max((abs(o.weights.get(item, 0)) for o in options), default=0)
        return float(worst + 1)

    def rows_of(self, items: int) -> list[int]:
        """Return the rows of a set of items; those of eight at a time are kept."""
        found: list[int] = []
        eights = self.eights
        for at, eight in enumerate(items.to_bytes(self.bytes, "little")):
            if eight:
                key = at << 8 | eight
                try:
                    found += eights[key]
                except KeyError:
                    eights[key] = [self.rows[8 * at + i] for i in members(eight)]
                    found += eights[key]
        return found

    @cached_property
    def bytes(self) -> int:
        """The bytes of a set of items."""
        return -(-len(self.problem.primary) // 8)

    @cached_property
    def eights(self) -> dict[int, list[int]]:
        """The rows of eight items in a row, by their place and a set of them."""
        return {}

    def keeping(self, chosen: tuple[int, ...]) -> int:
        """Return the options that make none of the chosen ones redundant."""
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
        """Return the problem with a new item for each of these options, which alone covers it."""
        problem, names = self.problem, self.problem.names
        marks = {o: f"| {names[o]}" for o in chosen}
        options = [
            evolve(option, items=(*option.items, marks[o]), name=names[o]) if o in marks else option
            for o, option in enumerate(problem.options)
        ]
        return evolve(problem, primary=(*problem.primary, *marks.values()), options=options)

    def mark(self, chosen: tuple[int, ...]) -> tuple[int, ...]:
        """Return the part of a state that tells it apart besides the items and options left."""
        if self.ranked or not self.exact:
            return tuple(sorted(chosen))
        return () if self.size is None else (len(chosen),)


def members(numbers: int) -> Iterator[int]:
    """Yield the members of a bit set, the smallest first."""
    while numbers:
        low = numbers & -numbers
        yield low.bit_length() - 1
        numbers ^= low


def cost(problem: Problem, chosen: tuple[int, ...]) -> int:
    """Return the cost of a cover: that of its options, and the least weight of each visible item.

    The weight of an item in an option that does not give one is 0.
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

    A move is the name of an option. States are equal if the same is left; in a ranked or
    overlapping game, only if the same options have been chosen.
    """

    table: Table = field(eq=False, repr=False)
    left: int
    """The primary items that must still be covered, as a bit set."""
    allowed: int = field(repr=False)
    """The options that may be chosen, as a bit set."""
    counts: tuple[int, ...] = field(repr=False)
    """The number of times that each item with bounds of its own has been covered."""
    chosen: tuple[int, ...] = field(eq=False)
    """The numbers of the chosen options, in the order of choice."""
    mark: tuple[int, ...] = field(default=(), repr=False)
    """The rest that tells states apart: the chosen options, or in a game of limited size their
    number."""
    enough: bool = field(default=False, repr=False)
    """True if the last move was `-`, which ends play."""

    teams: ClassVar[tuple[int, ...]] = (0,)

    @property
    def game(self) -> Game[str] | None:
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
        """The bound of all payoffs in absolute value."""
        return self.table.largest

    @cached_property
    def _row(self) -> int:
        """The allowed options of the first item with the fewest."""
        if self._full:
            return 0
        if self._spare:
            return self.allowed
        allowed = self.allowed
        rows = [row & allowed for row in self.table.rows_of(self.left)]
        return min(rows, key=int.bit_count, default=0)

    @property
    def _full(self) -> bool:
        return self.enough or len(self.chosen) == self.table.size

    @property
    def _spare(self) -> bool:
        """Return whether everything is covered and options that are not needed may be chosen."""
        return self.table.spare and not self.left and not self._full

    def moves(self) -> tuple[str, ...]:
        """Return the options of the item with the fewest, in the order of the problem."""
        names = tuple(self.table.problem.names[o] for o in members(self._row))
        return (*names, NOTHING) if self._spare else names

    def sample(self, random: Callable[[int], int]) -> str:
        """Return a move at random, without a list of all."""
        row, last = self._row, self._spare
        index = random(row.bit_count() + last)
        for _ in range(index):
            row &= row - 1
        option = (row & -row).bit_length() - 1
        return self.table.problem.names[option] if row else NOTHING

    def after(self, move: str) -> CoverState:
        """Return the state after choosing that option, or after the end of play."""
        if move == NOTHING and self._spare:
            return evolve(self, enough=True)
        option = self.table.problem.option_index.get(move)
        if option is None or not self._row >> option & 1:
            shown = ", ".join(map(repr, self.moves()[:6])) or "nothing"
            raise IllegalMove(f"{move!r} cannot be chosen here; choose one of: {shown}")
        return self.choose(option)

    def choose(self, option: int) -> CoverState:
        """Return the state after choosing an allowed option, of any item."""
        table = self.table
        left = self.left & ~table.once[option]
        allowed = self.allowed & table.beside[option]
        counts = self.counts
        for item, place in table.counted[option]:
            times, (low, high) = counts[place] + 1, table.bounds[place]
            counts = (*counts[:place], times, *counts[place + 1 :])
            if times >= low:
                left &= ~(1 << item)
            if times >= high and table.exact:
                allowed &= ~table.rows[item]
        chosen = (*self.chosen, option)
        if self._spare:
            allowed &= -1 << option  # redundant options are chosen in one order only
        elif not (table.exact or table.spare):
            allowed &= table.keeping(chosen)
        return CoverState(table, left, allowed, counts, chosen, table.mark(chosen))

    def payoff(self) -> tuple[float]:
        """Return 1 for a cover and 0 for a dead end; if ranked, the negative of the cost."""
        table = self.table
        if not table.ranked:
            return (1.0 if self.covered else 0.0,)
        return (-float(cost(table.problem, self.chosen)) if self.covered else -table.largest,)

    def rest(self) -> Problem:
        """Return the rest as a problem of its own, which is a view of the whole.

        In a game with spare options it is the whole, and every cover contains the chosen options.
        """
        table, problem = self.table, self.table.problem
        if table.spare:
            may = {*self.chosen, *members(0 if self._full else self.allowed)}
            return table.pinned(self.chosen).only(options=[problem.names[o] for o in may])
        gone, bounds = set[str](), dict(problem.bounds)
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
        """Return 64 bits that are the same for equal states."""
        mark = self.mark + (-1,) * self.enough
        written = repr((self.left, self.allowed, self.counts, mark)).encode()
        return int.from_bytes(blake2b(written, digest_size=8).digest(), "little")

    def __str__(self) -> str:
        names = [self.table.problem.names[o] for o in self.chosen] or [NOTHING]
        return BETWEEN.join([*names, NOTHING] if self.enough else names)


def start_of(table: Table) -> CoverState:
    """Return the state with nothing chosen, in which hidden items and options do not exist."""
    problem = table.problem
    seen = [i for i, n in enumerate(problem.primary) if n not in problem.hidden_items]
    allowed = 0
    for item, name in enumerate(problem.items if table.spare else problem.primary):
        if name not in problem.hidden_items:
            allowed |= table.rows[item]
    if table.spare and not table.exact:  # redundant options need not cover anything
        names = enumerate(problem.names)
        allowed = sum(1 << o for o, name in names if name not in problem.hidden_options)
    left = sum(1 << i for i in seen if problem.bounds_of(problem.primary[i])[0] > 0)
    return CoverState(table, left, allowed, (0,) * len(table.bounds), (), table.mark(()))


def _has_idle(problem: Problem) -> bool:
    """Return whether an option covers visible secondary items alone."""
    seen = set(problem.secondary) - problem.hidden_items
    needed = set(problem.primary) - problem.hidden_items
    return bool(seen) and any(
        needed.isdisjoint(option.items) and not seen.isdisjoint(option.items)
        for option in problem.options
        if str(option) not in problem.hidden_options
    )


table_of = lru_cache(maxsize=8)(Table)
"""Return the table of a game; equal games share one."""


@frozen
class CoverGame(Game[str]):
    """A game of one seat whose lines are covers; a subclass defines the problem.

    The class attributes define a cover: `exact` or overlapping, of at most `size` options, and
    `ranked` by cost or all equal. An overlapping cover needs all its options, unless the game
    allows `spare` ones, with which a ranked cover can be cheaper. An exact game allows these if an
    option covers secondary items alone.
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
        """Return the items and options."""

    def start(self, rng: Any = 0) -> CoverState:
        """Return the state with nothing chosen."""
        return self._start

    @cached_property
    def _start(self) -> CoverState:
        # Made once for a game: tens of thousands of options take longer to list than to play.
        problem = self.problem()
        spare = self.spare or (self.exact and _has_idle(problem))
        table = table_of(problem, self.exact, self.size, self.ranked, spare, self)
        return start_of(table)

    def parse(self, text: str) -> CoverState:
        """Read options with ` | ` between them, in any order that the rules allow; `-` for none.

        A `-` after them ends play.
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
                raise BadNotation(
                    f"{name.strip()!r} cannot be chosen together with the options before it"
                )
            state = state.choose(option)
        return state
