"""A cover problem: items, and options each of which covers some of them.

Every *primary* item must be covered, exactly once or as often as its bounds say; a
*secondary* item at most once, or, where options give it a colour, by options that agree on
the colour. The terms and the meaning are Knuth's (TAOCP 4B, 7.2.2.1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs
from attrs import field, frozen

from dragon.cover.option import ONCE, Bounds, Option, mistakes, repeated, strings
from dragon.errors import ConfigError, did_you_mean

if TYPE_CHECKING:
    from dragon.cover.arrays import Arrays

MOST = 1 << 31
"""No bound is as large."""


def _set(given: Iterable[str]) -> frozenset[str]:
    return frozenset(given)


def _options(given: Iterable[Option]) -> tuple[Option, ...]:
    return tuple(given)


def _bounds(given: Mapping[str, Bounds]) -> dict[str, Bounds]:
    return dict(given)


@frozen
class Problem:
    """Items and options; a value. `hide` and `only` give cheap views of it.

    Raises ConfigError, with every mistake at once: an item or a name given twice, an item
    that no list has, a colour or a second mention where none may be.

    >>> problem = Problem.of("abc", ["ab", "c", "bc"])
    >>> [str(option) for option in problem.options]
    ['a b', 'c', 'b c']
    """

    primary: tuple[str, ...] = field(converter=strings)
    options: tuple[Option, ...] = field(converter=_options)
    secondary: tuple[str, ...] = field(default=(), converter=strings)
    bounds: Mapping[str, Bounds] = field(factory=dict, converter=_bounds, hash=False)
    """Of those primary items that are not covered exactly once."""
    hidden_items: frozenset[str] = field(default=frozenset(), converter=_set)
    """Items without a condition: they may be covered or not, any number of times."""
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
        """From plain collections; a mapping gives the options their names; `x:A` is a colour."""
        named = options.items() if isinstance(options, Mapping) else (("", o) for o in options)
        return cls(tuple(primary), tuple(_written(name, o) for name, o in named), tuple(secondary))

    @cached_property
    def items(self) -> tuple[str, ...]:
        """All items, the primary ones first."""
        return self.primary + self.secondary

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each option."""
        return tuple(map(str, self.options))

    @cached_property
    def item_index(self) -> dict[str, int]:
        """From names of items to their places in `items`."""
        return {name: i for i, name in enumerate(self.items)}

    @cached_property
    def option_index(self) -> dict[str, int]:
        """From names of options to their places in `options`."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def arrays(self) -> Arrays:
        """The problem as arrays, made when first asked for; views share their original's."""
        from dragon.cover.arrays import arrays_of

        return arrays_of(self.item_index, self.options, self._all_bounds)

    @property
    def _all_bounds(self) -> list[Bounds]:
        return [self.bounds_of(name) for name in self.primary]

    @property
    def visible(self) -> tuple[Any, Any]:
        """bool[items] and bool[options]: what is not hidden."""
        import numpy as np

        items = [name not in self.hidden_items for name in self.items]
        options = [name not in self.hidden_options for name in self.names]
        return np.array(items, bool), np.array(options, bool)

    def hide(self, items: Iterable[str] = (), options: Iterable[str] = ()) -> Problem:
        """A view in which these items and options are hidden as well; nothing is copied."""
        items, options = frozenset(items), frozenset(options)
        self._check(items, options)
        return self._view(self.hidden_items | items, self.hidden_options | options)

    def only(
        self, items: Iterable[str] | None = None, options: Iterable[str] | None = None
    ) -> Problem:
        """A view of these items and options alone; None keeps all that are not hidden."""
        gone = frozenset() if items is None else frozenset(self.items) - frozenset(items)
        barred = frozenset() if options is None else frozenset(self.names) - frozenset(options)
        self._check(items or (), options or ())
        return self._view(self.hidden_items | gone, self.hidden_options | barred)

    def _check(self, items: Iterable[str], options: Iterable[str]) -> None:
        """Raises ConfigError with all the names that are unknown."""
        wrong = []
        given = (("item", items, self.item_index), ("option", options, self.option_index))
        for kind, names, index in given:
            unknown, hint = [name for name in names if name not in index], Hint(index)
            wrong += [f"no {kind} {name!r} in this problem{hint(name)}" for name in unknown]
        if wrong:
            raise ConfigError(wrong)

    def _rebound(self, bounds: Mapping[str, Bounds]) -> Problem:
        """A view with other bounds, unchecked: in the midst of a search they may be below 0."""
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
        """The primary items that are not hidden, and not to be covered exactly once."""
        return [n for n in self.primary if n in self.bounds and n not in self.hidden_items]

    def bounds_of(self, item: str) -> Bounds:
        """Return how often at least and at most a primary item is covered."""
        return self.bounds.get(item, ONCE)


class Hint:
    """`; did you mean ...?` for names that are almost those known; some times, then no more.

    Looking for what is alike takes long, and the hundredth mistake is not read.
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
    """Options written alike get a number: files may hold the same line twice."""
    options = list(options)
    times = Counter(map(str, options))
    seen: Counter[str] = Counter()
    for option in options:
        text = str(option)
        seen[text] += 1
        if option.name or seen[text] == 1:
            yield option
            continue
        while times[name := f"{text} ({seen[text]})"]:  # an option was given that name
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
