"""A live problem: loaded once, asked often, changed in place and put back.

Items and options are hidden from view and brought back, last hidden first, while the arrays
of dancing links stay where they are. Names are found by binary search. What each call costs
is said with it, for n names; `work` counts what was done. A search runs on a copy of the
arrays as they stand, which costs as much as copying their bytes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING

import attrs
import numpy as np
from attrs import define

from dragon.cover.dlx import stream_on
from dragon.cover.enumeration import Covers
from dragon.cover.links import Links, links_of
from dragon.cover.recursive import UNLIMITED
from dragon.errors import ConfigError

if TYPE_CHECKING:
    from dragon.core import Limit
    from dragon.cover.problem import Index, Problem

UNBOUND = 1 << 30
"""A bound that no search uses up."""
Names = list[str]


@define
class Work:
    """What has been done so far."""

    comparisons: int = 0
    """Of names, in binary searches."""
    splices: int = 0
    """Nodes and heads taken out of a list, or put back."""


class Live:
    """A problem that answers many queries about what is in view now; `covers` searches that.

    The two stacks `items` and `options` hold what has been hidden, and bring it back. They
    do not depend on each other. Space beyond the arrays and the names: O(hidden).

    >>> from dragon.cover import Problem
    >>> live = Live(Problem.of("abc", ["ab", "c", "bc"]))
    >>> live.hide_items(["a", "z"]), live.has_item("a"), live.items.peek()
    (['z'], False, 'a')
    >>> live.items.pop(), live.has_item("a")
    ('a', True)
    """

    def __init__(self, problem: Problem) -> None:
        self.work = Work()
        self._problem = problem
        self.links = links_of(problem)
        """The arrays. What is hidden in the problem given is not in them; nodes of items hidden
        since are, and only `covers` knows them."""
        self.items = HiddenItems(problem, self.links, self.work)
        self.options = HiddenOptions(problem, self.links, self.work)

    def problem(self) -> Problem:
        """What is in view, as a value for every search; later changes leave it alone.

        O(hidden log n), and a search that is given it makes links of its own, O(entries log n).
        """
        return self._problem.hide(self.items.list(), self.options.list())

    def covers(self, size: int | None = None, limit: Limit | None = None) -> Covers:
        """The exact covers of at most `size` options of what is in view, by dancing links.

        In the same order as those of `problem()`; later changes leave them alone. Before the
        search O(nodes), a copy of the arrays; no name is looked at. Raises ConfigError for a
        negative size.
        """
        if size is not None and size < 0:
            raise ConfigError(f"size is {size}; a cover has 0 options at least")
        room = UNLIMITED if size is None else size
        return Covers(stream_on(self._standing(), room), limit)

    def _standing(self) -> Links:
        """A copy of the links whose search passes by the nodes of hidden items.

        It takes them for nodes whose item has been given their colour, and the items, where
        it counts how often they are covered, for items that never are often enough.
        """
        nodes, items = self.links.nodes.copy(), self.links.items.copy()
        if self.items.empty():
            return attrs.evolve(self.links, nodes=nodes, items=items)
        hidden = np.append(False, ~self.items.seen)
        nodes["colour"][hidden[nodes["top"]]] = -1
        items["bound"][hidden] = UNBOUND
        return attrs.evolve(self.links, nodes=nodes, items=items, coloured=True)

    def has_item(self, name: str) -> bool:
        """Whether there is such an item and it is in view: O(log n)."""
        return self.items.sees(name)

    def has_option(self, name: str) -> bool:
        """Whether there is such an option and it is in view: O(log n)."""
        return self.options.sees(name)

    def hide_item(self, name: str) -> bool:
        """Takes an item out of view: O(log n); False if it was not in view."""
        return self.items.hide(name)

    def hide_items(self, names: Iterable[str]) -> list[str]:
        """Hides k items: O(k log n). Returns the names that were not in view."""
        return [name for name in names if not self.items.hide(name)]

    def hide_items_except(self, names: Iterable[str]) -> list[str]:
        """Hides all items but k: O(n + k log n). Returns those of the k that were not in view."""
        return self.items.hide_except(names)

    def hide_option(self, name: str) -> bool:
        """Takes an option out of view: O(log n + its length); False if it was not in view."""
        return self.options.hide(name)

    def hide_options(self, names: Iterable[str]) -> list[str]:
        """Hides k options: O(k log n + their lengths). Returns the names that were not in view."""
        return [name for name in names if not self.options.hide(name)]

    def hide_options_except(self, names: Iterable[str]) -> list[str]:
        """Hides all options but k: O(n + k log n + the lengths of the hidden ones).

        Returns those of the k that were not in view.
        """
        return self.options.hide_except(names)


class Hidden(ABC):
    """A stack of names that are out of view, the last hidden on top."""

    kind: str

    def __init__(self, index: Index, gone: Iterable[str], work: Work) -> None:
        self._index = index
        self._work = work
        self._names = dict(zip(index.places, index.sorted, strict=True))
        self._stack: list[int] = []
        self.seen = np.ones(len(index.places), bool)
        """bool[n]: which are in view."""
        self.seen[[index[name] for name in gone]] = False

    def peek(self) -> str:
        """The name hidden last: O(1). Raises ConfigError if none is hidden."""
        if not self._stack:
            raise ConfigError(f"no {self.kind} is hidden; hide one before asking for it")
        return self._names[self._stack[-1]]

    def pop(self) -> str:
        """Brings back what was hidden last: O(1), an option O(its length).

        Raises ConfigError if nothing is hidden.
        """
        name = self.peek()
        place = self._stack.pop()
        self.seen[place] = True
        self._restore(place)
        return name

    def count(self) -> int:
        """How many are hidden: O(1)."""
        return len(self._stack)

    def empty(self) -> bool:
        """Whether none is hidden: O(1)."""
        return not self._stack

    def list(self) -> Names:
        """The hidden names, the first hidden first: O(hidden)."""
        return [self._names[place] for place in self._stack]

    def reset(self) -> None:
        """Brings everything back: as long as so many `pop`."""
        while self._stack:
            self.pop()

    def sees(self, name: str) -> bool:
        """Whether it is in view: O(log n)."""
        place = self._find(name)
        return place is not None and bool(self.seen[place])

    def hide(self, name: str) -> bool:
        """Takes it out of view; False if it was not in view."""
        place = self._find(name)
        if place is None or not self.seen[place]:
            return False
        self._hide(place)
        return True

    def hide_except(self, names: Iterable[str]) -> Names:
        """Hides all but these, in the order of the problem; returns those not in view."""
        kept, failed = set(), []
        for name in names:
            place = self._find(name)
            if place is None or not self.seen[place]:
                failed.append(name)
            else:
                kept.add(place)
        for place in np.flatnonzero(self.seen).tolist():
            if place not in kept:
                self._hide(place)
        return failed

    def _hide(self, place: int) -> None:
        self._stack.append(place)
        self.seen[place] = False
        self._remove(place)

    def _find(self, name: str) -> int | None:
        """The place of a name, by binary search: at most 2 + log2(n) comparisons."""
        names = self._index.sorted
        low, high = 0, len(names)
        while low < high:
            middle = (low + high) // 2
            self._work.comparisons += 1
            if names[middle] < name:
                low = middle + 1
            else:
                high = middle
        if low == len(names):
            return None
        self._work.comparisons += 1
        return self._index.places[low] if names[low] == name else None

    @abstractmethod
    def _remove(self, place: int) -> None:
        """Takes the links of what is at `place` out of their lists."""

    @abstractmethod
    def _restore(self, place: int) -> None:
        """Puts them back."""


class HiddenItems(Hidden):
    """Hiding an item unlinks its head in O(1); its nodes stay, and `Live.covers` passes them by."""

    kind = "item"

    def __init__(self, problem: Problem, links: Links, work: Work) -> None:
        super().__init__(problem.item_index, problem.hidden_items, work)
        self._left, self._right = links.items["left"], links.items["right"]
        self._primary = links.primary

    def _remove(self, place: int) -> None:
        if place < self._primary:  # secondary items are in no list of items to be covered
            head = place + 1
            left, right = self._left[head], self._right[head]
            self._right[left], self._left[right] = right, left
            self._work.splices += 1

    def _restore(self, place: int) -> None:
        if place < self._primary:
            head = place + 1
            self._right[self._left[head]] = self._left[self._right[head]] = head
            self._work.splices += 1


class HiddenOptions(Hidden):
    """Hiding an option splices its nodes out of the lists of their items."""

    kind = "option"

    def __init__(self, problem: Problem, links: Links, work: Work) -> None:
        super().__init__(problem.option_index, problem.hidden_options, work)
        self._top, self._up, self._down = (links.nodes[name] for name in ("top", "up", "down"))
        self._length = links.items["length"]
        count = len(problem.options)
        self._first = np.searchsorted(links.option[links.option >= 0], np.arange(count + 1))
        self._node = np.flatnonzero(links.option >= 0)

    def _nodes(self, place: int) -> list[int]:
        nodes: list[int] = self._node[self._first[place] : self._first[place + 1]].tolist()
        return nodes

    def _remove(self, place: int) -> None:
        for node in self._nodes(place):
            up, down = self._up[node], self._down[node]
            self._down[up], self._up[down] = down, up
            self._length[self._top[node]] -= 1
            self._work.splices += 1

    def _restore(self, place: int) -> None:
        for node in reversed(self._nodes(place)):
            self._down[self._up[node]] = self._up[self._down[node]] = node
            self._length[self._top[node]] += 1
            self._work.splices += 1
