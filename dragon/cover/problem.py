"""A cover problem: items, and options each of which covers some of them.

Every *primary* item must be covered, exactly once or as often as its bounds say; a
*secondary* item at most once, or, where options give it a colour, by options that agree on
the colour. The terms and the meaning are Knuth's (TAOCP 4B, 7.2.2.1).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING

import attrs
from attrs import field, frozen

from dragon.errors import ConfigError

if TYPE_CHECKING:
    from dragon.cover.arrays import Arrays

Bounds = tuple[int, int]
"""How often at least and at most an item is covered."""
ONCE: Bounds = (1, 1)
DEAREST = 1 << 62
"""No cost or weight is as large."""
MOST = 1 << 31
"""No bound is as large."""


def _strings(given: Iterable[str]) -> tuple[str, ...]:
    return tuple(given)


def _set(given: Iterable[str]) -> frozenset[str]:
    return frozenset(given)


@frozen
class Option:
    """Something that can be chosen, and what it covers.

    `str` of an option is its name: the one given, or else its items with their colours.

    >>> str(Option(("p", "x", "y"), colours={"x": "A"}))
    'p x:A y'
    """

    items: tuple[str, ...] = field(converter=_strings)
    """What it covers, primary and secondary, in the order in which it was written."""
    name: str = ""
    """Unique in its problem."""
    colours: Mapping[str, str] = field(factory=dict, hash=False)
    """The colour of those secondary items that it colours."""
    cost: int = 0
    """What choosing it adds to the cost of a cover."""
    weights: Mapping[str, int] = field(factory=dict, hash=False)
    """What a primary item adds to the cost when no other chosen option covers it for less."""

    def __str__(self) -> str:
        return self.name or " ".join(map(self._entry, self.items))

    def _entry(self, item: str) -> str:
        return f"{item}:{self.colours[item]}" if item in self.colours else item


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

    primary: tuple[str, ...] = field(converter=_strings)
    options: tuple[Option, ...] = field(converter=_options)
    secondary: tuple[str, ...] = field(default=(), converter=_strings)
    bounds: Mapping[str, Bounds] = field(factory=dict, converter=_bounds, hash=False)
    """Of those primary items that are not covered exactly once."""
    hidden_items: frozenset[str] = field(default=frozenset(), converter=_set)
    """Items that nobody asks for: they neither must nor may not be covered."""
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
    def item_index(self) -> Index:
        """From names of items to their places in `items`."""
        return Index(self.items, "item")

    @cached_property
    def option_index(self) -> Index:
        """From names of options to their places in `options`."""
        return Index(self.names, "option")

    @cached_property
    def arrays(self) -> Arrays:
        """The same as numbers, made when first asked for; views share their original's."""
        from dragon.cover.arrays import arrays_of

        return arrays_of(self)

    def hide(self, items: Iterable[str] = (), options: Iterable[str] = ()) -> Problem:
        """A view in which these items and options are hidden as well; nothing is copied."""
        items, options = frozenset(items), frozenset(options)
        self.item_index.check(items)
        self.option_index.check(options)
        return self._view(self.hidden_items | items, self.hidden_options | options)

    def only(
        self, items: Iterable[str] | None = None, options: Iterable[str] | None = None
    ) -> Problem:
        """A view of these items and options alone; None keeps all that are not hidden."""
        gone = frozenset() if items is None else frozenset(self.items) - frozenset(items)
        barred = frozenset() if options is None else frozenset(self.names) - frozenset(options)
        self.item_index.check(items or ())
        self.option_index.check(options or ())
        return self._view(self.hidden_items | gone, self.hidden_options | barred)

    def rebound(self, bounds: Mapping[str, Bounds]) -> Problem:
        """A view in which primary items have other bounds; raises ConfigError as a Problem does."""
        if wrong := bounds_mistakes(bounds, set(self.primary)):
            raise ConfigError(wrong)
        return self._rebound({n: b for n, b in bounds.items() if b != ONCE})

    def _rebound(self, bounds: Mapping[str, Bounds]) -> Problem:
        """The same unchecked: in the midst of a search an item's least may be below 0."""
        view = self._view(self.hidden_items, self.hidden_options)
        if bounds != self.bounds:
            object.__setattr__(view, "bounds", bounds)
            object.__setattr__(view, "arrays", self.arrays.rebound(view))
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
        """Whether every primary item that is not hidden must be covered exactly once."""
        return all(name in self.hidden_items for name in self.bounds)

    def bounds_of(self, item: str) -> Bounds:
        """How often at least and at most a primary item is covered."""
        return self.bounds.get(item, ONCE)


class Index:
    """Names in sorted order with their places; every question is a binary search.

    >>> Index(("pear", "apple"), "fruit")["apple"]
    1
    """

    def __init__(self, names: Sequence[str], kind: str) -> None:
        self.kind = kind
        self.places = sorted(range(len(names)), key=names.__getitem__)
        self.sorted = [names[place] for place in self.places]

    def find(self, name: str) -> int | None:
        """The place of a name among the names as given, or None: O(log n) comparisons."""
        at = bisect_left(self.sorted, name)
        found = at < len(self.sorted) and self.sorted[at] == name
        return self.places[at] if found else None

    def __contains__(self, name: str) -> bool:
        return self.find(name) is not None

    def __getitem__(self, name: str) -> int:
        place = self.find(name)
        if place is None:
            raise ConfigError(self._unknown(name, Hint(self.sorted)))
        return place

    def check(self, names: Iterable[str]) -> None:
        """Raises ConfigError with all the names that are unknown."""
        hint = Hint(self.sorted)
        if wrong := [self._unknown(name, hint) for name in names if name not in self]:
            raise ConfigError(wrong)

    def _unknown(self, name: str, hint: Hint) -> str:
        return f"no {self.kind} {name!r} in this problem{hint(name)}"


class Hint:
    """`; did you mean ...?` for names that are almost those known; some times, then no more.

    Looking for what is alike takes long, and nobody reads the hundredth mistake.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = list(names)
        self._left = 10 if len(self._names) <= 5000 else 1

    def __call__(self, name: str) -> str:
        self._left -= 1
        close = get_close_matches(name, self._names, n=1) if self._left >= 0 else []
        return f"; did you mean {close[0]!r}?" if close else ""


def _written(name: str, entries: Iterable[str]) -> Option:
    parts = [entry.partition(":") for entry in entries]
    colours = {item: colour for item, colon, colour in parts if colon}
    return Option(tuple(item for item, _, _ in parts), name, colours)


def _named(options: Iterable[Option]) -> Iterable[Option]:
    """Options written alike are told apart by a number: files may hold the same line twice."""
    options = list(options)
    times = Counter(map(str, options))
    seen: Counter[str] = Counter()
    for option in options:
        text = str(option)
        seen[text] += 1
        if option.name or seen[text] == 1:
            yield option
            continue
        while times[name := f"{text} ({seen[text]})"]:  # somebody wrote just that
            seen[text] += 1
        yield attrs.evolve(option, name=name)


def _mistakes(problem: Problem) -> list[str]:
    primary, secondary = set(problem.primary), set(problem.secondary)
    wrong = [f"item {name!r} is given twice" for name in _repeated(problem.items)]
    wrong += [f"option {name!r} is given twice" for name in _repeated(problem.names)]
    hint = Hint(problem.items)
    for option in problem.options:
        mistakes = option_mistakes(option, primary, secondary, hint)
        wrong += [f"option '{option}': {mistake}" for mistake in mistakes]
    wrong += bounds_mistakes(problem.bounds, primary)
    wrong += [f"no item {name!r} to hide" for name in problem.hidden_items - primary - secondary]
    wrong += [f"no option {name!r} to hide" for name in problem.hidden_options - {*problem.names}]
    return wrong


def bounds_mistakes(bounds: Mapping[str, Bounds], primary: set[str]) -> list[str]:
    """What is wrong with bounds, given the names of the primary items."""
    wrong = []
    for name, (low, high) in bounds.items():
        if name not in primary:
            wrong.append(f"bounds of {name!r}: it is no primary item")
        elif not 0 <= low <= high < MOST or high == 0:
            rule = f"write low:high, low <= high, 0 < high < {MOST}"
            wrong.append(f"bounds of {name!r}: {low}:{high}; {rule}")
    return wrong


def option_mistakes(
    option: Option, primary: set[str], secondary: set[str], hint: Hint | None = None
) -> list[str]:
    """What is wrong with an option, given the names of the items."""
    hint = hint or Hint(primary | secondary)
    wrong = [f"item {name!r} is there twice" for name in _repeated(option.items)]
    for name in option.items:
        if name not in primary and name not in secondary:
            wrong.append(f"no item is called {name!r}{hint(name)}")
    for name in option.colours:
        if name in primary:
            wrong.append(f"{name!r} is primary and takes no colour; make it secondary")
        elif name not in option.items:
            wrong.append(f"a colour for {name!r}, which it does not cover")
        elif not option.colours[name]:
            wrong.append(f"the colour of {name!r} is missing")
    prices = [option.cost, *option.weights.values()]
    wrong += [f"{n} is beyond what can be added up; costs stay below {DEAREST}" for n in prices
              if abs(n) >= DEAREST]  # fmt: skip
    wrong += [
        f"a weight for {name!r}, which is no primary item of it"
        for name in option.weights
        if name not in primary or name not in option.items
    ]
    return wrong


def _repeated(names: Iterable[str]) -> list[str]:
    seen: set[str] = set()
    twice: dict[str, None] = {}
    for name in names:
        if name in seen:
            twice[name] = None
        seen.add(name)
    return list(twice)
