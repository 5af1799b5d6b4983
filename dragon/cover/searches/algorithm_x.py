"""Algorithm X on a dict of sets: choose an item, try each of its options, go on with the rest.

The form to be read. `left` maps each item that is still to be covered to the options that
can still cover it (Knuth, *Dancing Links*, 2000; the steps are those of TAOCP 4B, 7.2.2.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import frozen

from dragon.cover.game import Table, members
from dragon.cover.search import CoverSearch
from dragon.cover.stream import Cover, Events
from dragon.errors import Objection

if TYPE_CHECKING:
    from dragon.cover.problem import Problem
    from dragon.cover.stream import Stream

Left = dict[int, set[int]]


def covers(left: Left, rivals: list[set[int]], chosen: Cover, size: int) -> Iterator[Cover | None]:
    """Every cover that goes on from `chosen`, and None for each other node.

    rivals: for each option those that cannot be chosen beside it, itself among them.
    """
    # X2. Enter level l.
    if not left:
        yield chosen
        return
    yield None
    if len(chosen) == size:
        return
    # X3. Choose i.
    item = min(left, key=lambda i: len(left[i]))
    # X4. Cover i: `rest` is what each option of i leaves. Nothing need be put back (X6, X7).
    for option in sorted(left[item]):
        # X5. Try x[l].
        rest = {i: left[i] - rivals[option] for i in left if option not in left[i]}
        yield from covers(rest, rivals, (*chosen, option), size)


@frozen
class AlgorithmX(CoverSearch):
    """Exact covers in a dozen lines of plain Python."""

    name = "algorithm_x"
    follows = True
    exact_only = True

    def stream(self, problem: Problem, exact: bool, size: int | None) -> Stream:
        """Exact covers in which no item has bounds of its own."""
        if not exact or not problem.plain:
            what = "items with bounds" if exact else "overlapping covers"
            raise Objection(f"{self} finds no {what}; take dlx")
        table = Table(problem)
        options = range(len(problem.options))
        asked = (i for i, name in enumerate(problem.primary) if name not in problem.hidden_items)
        left = {i: set(members(table.rows[i])) for i in asked}
        rivals = []
        for option in options:
            rivals.append({option, *members(~table.beside[option])})
            rivals[-1].update(*(left[i] for i in table.covers[option]))
        return Events(covers(left, rivals, (), len(options) if size is None else size))
