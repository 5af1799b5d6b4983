"""Idle options, which cover secondary items alone: a cover may have any of them that agree.

No item has to be covered by such an option, so the searches do not branch on them. They find the
covers of the other options, and each of these is extended here by every set of idle options that
agree with it and with one another. Diagrams and the best covers count them by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import frozen

from dragon.cover.arrays import idle_of

if TYPE_CHECKING:
    from dragon.cover.problem import Problem
    from dragon.cover.stream import Cover, Stream

BATCH = 1024
"""The most covers that are waiting to be extended."""
Marks = dict[str, str | None]
"""The visible secondary items of some options, each with its colour; None: without one."""


@frozen(eq=False)
class Idle:
    """The idle options of a problem."""

    problem: Problem
    options: tuple[int, ...]
    """Their numbers."""

    def marks(self, option: int) -> Marks:
        """Return the visible secondary items of an option."""
        own, problem = self.problem.options[option], self.problem
        seen = (item for item in own.items if item not in problem.hidden_items)
        first = len(problem.primary)
        return {n: own.colours.get(n) for n in seen if problem.item_index[n] >= first}

    def extensions(self, cover: Cover, room: int | None, before: Cover = ()) -> Iterator[Cover]:
        """Yield a cover, then every extension of it by at most `room` idle options.

        before: options that have been chosen as well, and are not a part of what is yielded.
        """
        used: Marks = {}
        for option in (*before, *cover):
            used |= self.marks(option)
        stack = [(cover, used, self.options)]
        most = len(self.options) if room is None else room
        while stack:
            chosen, used, left = stack.pop()
            yield chosen
            if len(chosen) - len(cover) < most:
                fitting = [o for o in left if self._agrees(o, used)]
                for i in reversed(range(len(fitting))):
                    more = used | self.marks(fitting[i])
                    stack.append(((*chosen, fitting[i]), more, tuple(fitting[i + 1 :])))

    def _agrees(self, option: int, used: Marks) -> bool:
        marks = self.marks(option).items()
        return all(item not in used or (colour is not None and used[item] == colour)
                   for item, colour in marks)  # fmt: skip


class Extended:
    """A stream of covers of the other options, each followed by its extensions.

    Each idle option is taken or left: an extension adds two nodes to the tree of the search.
    """

    def __init__(self, stream: Stream, idle: Idle, size: int | None, before: Cover = ()) -> None:
        """size: the most options of a cover; before: options chosen besides those of a cover."""
        self._stream, self._idle, self._size, self._before = stream, idle, size, before
        self._waiting: Iterator[Cover] = iter(())
        self._current: Iterator[Cover] = iter(())
        self._added = self.found = 0
        self.done = False
        """Whether all covers have been found."""

    @property
    def nodes(self) -> int:
        """Nodes of the search tree entered so far."""
        return self._stream.nodes + 2 * self._added

    @property
    def updates(self) -> int:
        """Links or counters changed so far, on the way down."""
        return self._stream.updates

    def advance(self, nodes: int, keep: int) -> list[Cover]:
        """Visit at most `nodes` nodes, and return at most `keep` covers; 0 only counts them."""
        stop = self.nodes + nodes
        kept: list[Cover] = []
        while self.nodes < stop and not (keep and len(kept) == keep):
            cover = next(self._current, None)
            if cover is not None:
                self._added += 1
            else:
                cover = next(self._waiting, None)
                if cover is None and self._stream.done:
                    self.done = True
                    break
                if cover is None:
                    most = min(BATCH, keep - len(kept)) if keep else BATCH
                    self._waiting = iter(self._stream.advance(stop - self.nodes, most))
                    continue
                room = None if self._size is None else self._size - len(cover)
                self._current = self._idle.extensions(cover, room, self._before)
                next(self._current)  # the cover itself
            self.found += 1
            if keep:
                kept.append(cover)
        return kept

    def fraction(self) -> float:
        """Return the part of the stream's own tree that is done, from 0 to 1."""
        return 1.0 if self.done else self._stream.fraction()


def idle_in(problem: Problem) -> Idle | None:
    """Return the idle options of a problem, None if it has none."""
    numbers = idle_of(problem).nonzero()[0].tolist()
    return Idle(problem, tuple(numbers)) if numbers else None


def extended(stream: Stream, problem: Problem, size: int | None) -> Stream:
    """Return the stream, with the extensions of its covers if the problem has idle options."""
    idle = idle_in(problem)
    return stream if idle is None else Extended(stream, idle, size)
