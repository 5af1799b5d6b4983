"""A cover problem: items, and options that each cover some of them.

Every *primary* item must be covered exactly once, or as often as its bounds say. A *secondary* item
may be covered at most once, or several times by options that give it the same colour. Every set of
visible options for which this holds, and which each cover a visible item, is an exact cover: those
that cover secondary items alone may be in it or not. The terms are Knuth's (TAOCP 4B, 7.2.2.1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs
from attrs import field, frozen

from dragon.errors import ConfigError, did_you_mean, quoted

if TYPE_CHECKING:
    from dragon.cover.arrays import Arrays

Bounds = tuple[int, int]
"""The least and the greatest number of times that an item is covered."""
ONCE: Bounds = (1, 1)
DEAREST = 1 << 62
"""No cost or weight is as large."""
MOST = 1 << 31
"""No bound is as large."""


def strings(given: Iterable[str]) -> tuple[str, ...]:
    """Convert names to a tuple."""
    return tuple(given)


def _set(given: Iterable[str]) -> frozenset[str]:
    return frozenset(given)


def _options(given: Iterable[Option]) -> tuple[Option, ...]:
    return tuple(given)


def _bounds(given: Mapping[str, Bounds]) -> dict[str, Bounds]:
    return dict(given)


@frozen
class Option:
    """An option: it can be chosen, and covers its items.

    `str` of an option is its name: the one given, or else its items with their colours.

    >>> str(Option(("p", "x", "y"), colours={"x": "A"}))
    'p x:A y'
    """

    items: tuple[str, ...] = field(converter=strings)
    """The primary and secondary items that it covers, in the order in which they were written."""
    name: str = ""
    """Unique in its problem."""
    colours: Mapping[str, str] = field(factory=dict, hash=False)
    """The colours that it gives to some of its secondary items."""
    cost: int = 0
    """The addition to the cost of a cover that contains it."""
    weights: Mapping[str, int] = field(factory=dict, hash=False)
    """The addition to the cost for a primary item; of the chosen options the least one counts."""

    def __str__(self) -> str:
        return self.name or " ".join(map(self.entry, self.items))

    def entry(self, item: str) -> str:
        """Return an item of the option with its colour, as the text format writes them."""
        return f"{item}:{self.colours[item]}" if item in self.colours else item


@frozen
class Problem:
    """Items and options; a value. `hide` and `only` give cheap views of it.

    Raises ConfigError with every mistake: an item or a name given twice, an item that is in neither
    list, a colour or a second mention where none is allowed.

    >>> problem = Problem.of("abc", ["ab", "c", "bc"])
    >>> [str(option) for option in problem.options]
    ['a b', 'c', 'b c']
    """

    primary: tuple[str, ...] = field(converter=strings)
    options: tuple[Option, ...] = field(converter=_options)
    secondary: tuple[str, ...] = field(default=(), converter=strings)
    bounds: Mapping[str, Bounds] = field(factory=dict, converter=_bounds, hash=False)
    """The bounds of those primary items that need not be covered exactly once."""
    hidden_items: frozenset[str] = field(default=frozenset(), converter=_set)
    """Items without a condition: they may be covered any number of times, or not at all."""
    hidden_options: frozenset[str] = field(default=frozenset(), converter=_set)
    """Names of options that may not be chosen."""

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "options", tuple(_named(self.options)))
        if wrong := _mistakes(self):
            raise ConfigError(wrong)
        own = {name: bounds for name, bounds in self.bounds.items() if bounds != ONCE}
        object.__setattr__(self, "bounds", own)

    @classmethod
    def of(
        cls,
        primary: Iterable[str],
        options: Mapping[str, Iterable[str]] | Iterable[Iterable[str]],
        secondary: Iterable[str] = (),
    ) -> Problem:
        """Make a problem of plain collections; a mapping names the options; `x:A` is a colour."""
        named = options.items() if isinstance(options, Mapping) else (("", o) for o in options)
        return cls(tuple(primary), tuple(_written(name, o) for name, o in named), tuple(secondary))

    @cached_property
    def items(self) -> tuple[str, ...]:
        """All items, the primary ones first."""
        return self.primary + self.secondary

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(map(str, self.options))

    @cached_property
    def item_index(self) -> dict[str, int]:
        """The place of each item in `items`, by its name."""
        return {name: i for i, name in enumerate(self.items)}

    @cached_property
    def option_index(self) -> dict[str, int]:
        """The place of each option in `options`, by its name."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def arrays(self) -> Arrays:
        """The problem as arrays, made at the first use; a view shares those of its original."""
        from dragon.cover.arrays import arrays_of

        return arrays_of(self.item_index, self.options, self._all_bounds)

    @property
    def _all_bounds(self) -> list[Bounds]:
        return [self.bounds_of(name) for name in self.primary]

    @property
    def visible(self) -> tuple[Any, Any]:
        """bool[items] and bool[options]: True where an item or an option is not hidden."""
        import numpy as np

        items = [name not in self.hidden_items for name in self.items]
        options = [name not in self.hidden_options for name in self.names]
        return np.array(items, bool), np.array(options, bool)

    def hide(self, items: Iterable[str] = (), options: Iterable[str] = ()) -> Problem:
        """Return a view in which these items and options are hidden as well; nothing is copied."""
        items, options = frozenset(items), frozenset(options)
        self._check(items, options)
        return self._view(self.hidden_items | items, self.hidden_options | options)

    def only(
        self, items: Iterable[str] | None = None, options: Iterable[str] | None = None
    ) -> Problem:
        """Return a view of these items and options alone; None keeps all that are not hidden."""
        gone = frozenset() if items is None else frozenset(self.items) - frozenset(items)
        barred = frozenset() if options is None else frozenset(self.names) - frozenset(options)
        self._check(items or (), options or ())
        return self._view(self.hidden_items | gone, self.hidden_options | barred)

    def _check(self, items: Iterable[str], options: Iterable[str]) -> None:
        """Raise ConfigError with all unknown names."""
        wrong = []
        given = (("item", items, self.item_index), ("option", options, self.option_index))
        for kind, names, index in given:
            unknown, hint = [name for name in names if name not in index], Hint(index)
            wrong += [f"no {kind} {name!r} in this problem{hint(name)}" for name in unknown]
        if wrong:
            raise ConfigError(wrong)

    def _rebound(self, bounds: Mapping[str, Bounds]) -> Problem:
        """Return a view with other bounds, unchecked: during a search they may be below 0."""
        view = self._view(self.hidden_items, self.hidden_options)
        if bounds != self.bounds:
            object.__setattr__(view, "bounds", bounds)
            object.__setattr__(view, "arrays", self.arrays.rebound(view._all_bounds))
        return view

    def _view(self, items: frozenset[str], options: frozenset[str]) -> Problem:
        view = object.__new__(Problem)
        for a in attrs.fields(Problem):
            object.__setattr__(view, a.name, getattr(self, a.name))
        object.__setattr__(view, "hidden_items", items)
        object.__setattr__(view, "hidden_options", options)
        for shared in ("items", "names", "item_index", "option_index", "arrays"):
            object.__setattr__(view, shared, getattr(self, shared))
        return view

    @property
    def plain(self) -> bool:
        """Return whether every primary item that is not hidden must be covered exactly once."""
        return not self.bounded

    @property
    def bounded(self) -> list[str]:
        """The primary items with bounds of their own that are not hidden."""
        return [n for n in self.primary if n in self.bounds and n not in self.hidden_items]

    def bounds_of(self, item: str) -> Bounds:
        return self.bounds.get(item, ONCE)


class Hint:
    """The hint `; did you mean ...?` after the first few unknown names.

    The comparison with all known names is slow, and the hundredth mistake is not read.
    """

    def __init__(self, names: Collection[str]) -> None:
        self._names = names
        self._left = 10 if len(names) <= 5000 else 1

    def __call__(self, name: str) -> str:
        self._left -= 1
        return did_you_mean(name, self._names) if self._left >= 0 else ""


def _written(name: str, entries: Iterable[str]) -> Option:
    parts = [entry.partition(":") for entry in entries]
    colours = {item: colour for item, colon, colour in parts if colon}
    return Option(tuple(item for item, _, _ in parts), name, colours)


def _named(options: Iterable[Option]) -> Iterable[Option]:
    """Number the options that have the same text: a file may contain the same line twice."""
    options = list(options)
    times = Counter(map(str, options))
    seen: Counter[str] = Counter()
    for option in options:
        text = str(option)
        seen[text] += 1
        if option.name or seen[text] == 1:
            yield option
            continue
        while times[name := f"{text} ({seen[text]})"]:  # another option has that name
            seen[text] += 1
        yield attrs.evolve(option, name=name)


def _mistakes(problem: Problem) -> list[str]:
    primary, secondary = set(problem.primary), set(problem.secondary)
    wrong = [f"item {name!r} is given twice" for name in repeated(problem.items)]
    wrong += [f"option {name!r} is given twice" for name in repeated(problem.names)]
    hint = Hint(problem.items)
    for option in problem.options:
        for mistake in mistakes(option, primary, secondary, hint):
            wrong.append(f"option '{option}': {mistake}")
    for name, (low, high) in problem.bounds.items():
        if name not in primary:
            wrong.append(f"bounds of {name!r}: it is not a primary item")
        elif not 0 <= low <= high < MOST or high == 0:
            rule = f"write low:high, low <= high, 0 < high < {MOST}"
            wrong.append(f"bounds of {name!r}: {low}:{high}; {rule}")
    wrong += [f"no item {name!r} to hide" for name in problem.hidden_items - primary - secondary]
    wrong += [f"no option {name!r} to hide" for name in problem.hidden_options - {*problem.names}]
    return wrong


def mistakes(
    option: Option, primary: set[str], secondary: set[str], hint: Callable[[str], str]
) -> list[str]:
    """Return the mistakes in an option, given the names of the items.

    hint: gives the text to add after an unknown name.
    """
    wrong = [f"item {quoted(name)} is given twice" for name in repeated(option.items)]
    for name in option.items:
        if name not in primary and name not in secondary:
            wrong.append(f"no item is called {quoted(name)}{hint(name)}")
    for name in option.colours:
        if name in primary:
            wrong.append(f"{quoted(name)} is primary and takes no colour; make it secondary")
        elif name not in option.items:
            wrong.append(f"a colour for {quoted(name)}, which the option does not cover")
        elif not option.colours[name]:
            wrong.append(f"the colour of {quoted(name)} is missing")
    prices = [option.cost, *option.weights.values()]
    wrong += [f"{n} is too large; write costs and weights below {DEAREST}" for n in prices
              if abs(n) >= DEAREST]  # fmt: skip
    wrong += [
        f"a weight for {quoted(name)}, which is not a primary item of the option"
        for name in option.weights
        if name not in primary or name not in option.items
    ]
    return wrong


def repeated(names: Iterable[str]) -> list[str]:
    """Return the names that are given more than once."""
    return [name for name, times in Counter(names).items() if times > 1]
