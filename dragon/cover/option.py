"""An option of a cover problem: something that can be chosen, and what it covers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from attrs import field, frozen

from dragon.errors import quoted

Bounds = tuple[int, int]
"""How often at least and at most an item is covered."""
ONCE: Bounds = (1, 1)
DEAREST = 1 << 62
"""No cost or weight is as large."""


def strings(given: Iterable[str]) -> tuple[str, ...]:
    """A converter for names in their order."""
    return tuple(given)


@frozen
class Option:
    """Something that can be chosen, and what it covers.

    `str` of an option is its name: the one given, or else its items with their colours.

    >>> str(Option(("p", "x", "y"), colours={"x": "A"}))
    'p x:A y'
    """

    items: tuple[str, ...] = field(converter=strings)
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
        return self.name or " ".join(map(self.entry, self.items))

    def entry(self, item: str) -> str:
        """An item of it with its colour, as the text format writes them."""
        return f"{item}:{self.colours[item]}" if item in self.colours else item


def mistakes(
    option: Option, primary: set[str], secondary: set[str], hint: Callable[[str], str]
) -> list[str]:
    """Return what is wrong with an option, given the names of the items.

    hint: what to add where a name is unknown.
    """
    wrong = [f"item {quoted(name)} is there twice" for name in repeated(option.items)]
    for name in option.items:
        if name not in primary and name not in secondary:
            wrong.append(f"no item is called {quoted(name)}{hint(name)}")
    for name in option.colours:
        if name in primary:
            wrong.append(f"{quoted(name)} is primary and takes no colour; make it secondary")
        elif name not in option.items:
            wrong.append(f"a colour for {quoted(name)}, which it does not cover")
        elif not option.colours[name]:
            wrong.append(f"the colour of {quoted(name)} is missing")
    prices = [option.cost, *option.weights.values()]
    wrong += [f"{n} is beyond what can be added up; costs stay below {DEAREST}" for n in prices
              if abs(n) >= DEAREST]  # fmt: skip
    wrong += [
        f"a weight for {quoted(name)}, which is not a primary item of it"
        for name in option.weights
        if name not in primary or name not in option.items
    ]
    return wrong


def repeated(names: Iterable[str]) -> list[str]:
    """The names that are given more than once."""
    return [name for name, times in Counter(names).items() if times > 1]
