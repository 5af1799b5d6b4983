"""A mutable problem: loaded once, asked often, changed in place and put back.

Items and options are hidden from view and brought back, last hidden first, while the arrays
of dancing links stay where they are. What each call costs is said with it, for n names. A
search runs on a copy of the arrays as they stand, which costs as much as copying their bytes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from dragon.cover.dlx import DancingLinks
from dragon.cover.enumeration import Covers, check_size
from dragon.cover.links import Links, links_of
from dragon.cover.stream import UNLIMITED
from dragon.errors import ConfigError

if TYPE_CHECKING:
    from dragon.core import Limit
    from dragon.cover.problem import Problem

UNBOUND = 1 << 30
"""A bound that no search uses up."""


class MutableProblem:
    """A problem that answers many queries about what is in view now; `covers` searches that.

    The two stacks `items` and `options` hold what has been hidden, and bring it back. They
    do not depend on each other. Space beyond the arrays and the names: O(hidden).

    >>> from dragon.cover import Problem
    >>> problem = MutableProblem(Problem.of("abc", ["ab", "c", "bc"]))
    >>> problem.items.hide_all(["a", "z"]), problem.items.sees("a"), list(problem.items)
    (['z'], False, ['a'])
    >>> problem.items.pop(), problem.items.sees("a")
    ('a', True)
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.links = links_of(problem)
        """The arrays. What is hidden in the problem given is not in them; nodes of items hidden
        since are, and only `covers` knows them."""
        self.items = HiddenItems(problem, self.links)
        self.options = HiddenOptions(problem, self.links)

    def problem(self) -> Problem:
        """What is in view, as a value for every search; later changes leave it alone.

        O(hidden), and a search that is given it makes links of its own, O(entries log entries).
        """
        return self._problem.hide(self.items, self.options)

    def covers(self, size: int | None = None, limit: Limit | None = None) -> Covers:
        """The exact covers of at most `size` options of what is in view, by dancing links.

        In the same order as those of `problem()`; later changes leave them alone. Before the
        search O(nodes), a copy of the arrays; no name is looked at. Raises ConfigError for a
        negative size.
        """
        check_size(size)
        room = UNLIMITED if size is None else size
        return Covers(DancingLinks(self._standing(), room), limit)

    def _standing(self) -> Links:
        """A copy of the links whose search passes by the nodes of hidden items.

        It takes them for nodes whose item has been given their colour, and the items, where
        it counts how often they are covered, for items that never are often enough.
        """
        nodes, items = self.links.nodes.copy(), self.links.items.copy()
        if not len(self.items):
            return attrs.evolve(self.links, nodes=nodes, items=items)
        hidden = np.append(False, ~self.items.seen)
        nodes["colour"][hidden[nodes["top"]]] = -1
        items["bound"][hidden] = UNBOUND
        return attrs.evolve(self.links, nodes=nodes, items=items, coloured=True)


class Hidden(ABC):
    """A stack of names that are out of view, in the order in which they were hidden."""

    kind: str

    def __init__(self, index: Mapping[str, int], seen: Any) -> None:
        self._index, self._names = index, list(index)
        self._stack: list[int] = []
        self.seen = seen
        """bool[n]: which are in view."""

    def __len__(self) -> int:
        """How many are hidden: O(1)."""
        return len(self._stack)

    def __iter__(self) -> Iterator[str]:
        """The hidden names, the first hidden first: O(hidden)."""
        return map(self._names.__getitem__, self._stack)

    def peek(self) -> str:
        """The name hidden last: O(1). Raises ConfigError if none is hidden."""
        if not self._stack:
            raise ConfigError(f"no {self.kind} is hidden; hide one before asking for it")
        return self._names[self._stack[-1]]

    def pop(self) -> str:
        """Brings back what was hidden last: O(1), an option O(its length); raises as `peek`."""
        name, place = self.peek(), self._stack.pop()
        self.seen[place] = True
        self._restore(place)
        return name

    def reset(self) -> None:
        """Brings everything back: as long as so many `pop`."""
        while self._stack:
            self.pop()

    def sees(self, name: str) -> bool:
        """Return True if it is in view: O(1)."""
        return self._find(name) is not None

    def hide(self, name: str) -> bool:
        """Takes it out of view: O(1), an option O(its length); False if it was not in view."""
        place = self._find(name)
        if place is not None:
            self._hide(place)
        return place is not None

    def hide_all(self, names: Iterable[str]) -> list[str]:
        """Hides k names, each as `hide`. Returns those that were not in view."""
        return [name for name in names if not self.hide(name)]

    def hide_except(self, names: Iterable[str]) -> list[str]:
        """Hides all but k names, in the order of the problem: O(n + what is hidden).

        Returns those of the k that were not in view.
        """
        found = [(name, self._find(name)) for name in names]
        kept = {place for _, place in found}
        for place in np.flatnonzero(self.seen).tolist():
            if place not in kept:
                self._hide(place)
        return [name for name, place in found if place is None]

    def _find(self, name: str) -> int | None:
        """The place of a name that is in view."""
        place = self._index.get(name)
        return place if place is not None and self.seen[place] else None

    def _hide(self, place: int) -> None:
        self._stack.append(place)
        self.seen[place] = False
        self._remove(place)

    @abstractmethod
    def _remove(self, place: int) -> None:
        """Takes the links of what is at `place` out of their lists."""

    @abstractmethod
    def _restore(self, place: int) -> None:
        """Puts them back."""


class HiddenItems(Hidden):
    """Hiding an item unlinks its head in O(1); its nodes stay, and `covers` passes them by."""

    kind = "item"

    def __init__(self, problem: Problem, links: Links) -> None:
        super().__init__(problem.item_index, problem.visible[0])
        self._left, self._right = links.items["left"], links.items["right"]
        self._primary = links.primary

    def _remove(self, place: int) -> None:
        if place < self._primary:  # secondary items are in no list of items to be covered
            left, right = self._left[place + 1], self._right[place + 1]
            self._right[left], self._left[right] = right, left

    def _restore(self, place: int) -> None:
        if place < self._primary:
            head = place + 1
            self._right[self._left[head]] = self._left[self._right[head]] = head


class HiddenOptions(Hidden):
    """Hiding an option splices its nodes out of the lists of their items."""

    kind = "option"

    def __init__(self, problem: Problem, links: Links) -> None:
        super().__init__(problem.option_index, problem.visible[1])
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

    def _restore(self, place: int) -> None:
        for node in reversed(self._nodes(place)):
            self._down[self._up[node]] = self._up[self._down[node]] = node
            self._length[self._top[node]] += 1
