"""Matching: as many disjoint pairs of a graph as there can be, by Edmonds's blossoms (1965)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from attrs import define

NOBODY = -1


def perfect(graph: Sequence[Sequence[int]]) -> bool:
    """Whether all vertices can be paired along edges; `graph[v]` lists the neighbours of v.

    >>> perfect([[1], [0]]), perfect([[1], [0, 2], [1]]), perfect([[1, 2, 3], [0], [0], [0]])
    (True, False, False)
    """
    return NOBODY not in matching(graph)


def matching(graph: Sequence[Sequence[int]]) -> list[int]:
    """The partner of each vertex in a matching of the greatest size; -1 for who is left over."""
    partner = [NOBODY] * len(graph)
    for v, neighbours in enumerate(graph):  # a greedy one to begin with
        if partner[v] == NOBODY:
            for w in neighbours:
                if partner[w] == NOBODY:
                    partner[v], partner[w] = w, v
                    break
    for root in range(len(graph)):
        if partner[root] == NOBODY:
            _augment(graph, partner, root)
    return partner


@define
class _Tree:
    """Alternating paths from one unpaired vertex; an even one is reached by a pair."""

    partner: list[int]
    parent: list[int]
    """Leads back from an odd vertex."""
    base: list[int]
    """The vertex to which the blossom around another has been shrunk."""

    def meeting(self, a: int, b: int) -> int:
        """The base at which the ways back from two even vertices meet."""
        seen = set()
        while True:
            a = self.base[a]
            seen.add(a)
            if self.partner[a] == NOBODY:
                break
            a = self.parent[self.partner[a]]
        while self.base[b] not in seen:
            b = self.parent[self.partner[self.base[b]]]
        return self.base[b]

    def shrunk(self, v: int, w: int) -> tuple[int, set[int]]:
        """What an edge between two even vertices closes: its base, and the bases it swallows."""
        top, blossom = self.meeting(v, w), set[int]()
        for end, child in ((v, w), (w, v)):
            while self.base[end] != top:
                odd = self.partner[end]
                blossom.update((self.base[end], self.base[odd]))
                self.parent[end] = child
                end, child = self.parent[odd], odd
        return top, blossom


def _augment(
    graph: Sequence[Sequence[int]],
    partner: list[int],
    root: int,
    fixed: tuple[int, ...] = (),
) -> None:
    """Looks for an alternating path from `root` to an unpaired vertex, and flips it.

    It does not go through `fixed` vertices, which keep their partners.
    """
    size = len(graph)
    tree = _Tree(partner, [NOBODY] * size, list(range(size)))
    parent, base = tree.parent, tree.base
    even = [v == root for v in range(size)]
    queue = deque([root])
    while queue:
        v = queue.popleft()
        for w in graph[v]:
            if base[v] == base[w] or partner[v] == w or w in fixed:
                continue
            if w == root or (partner[w] != NOBODY and parent[partner[w]] != NOBODY):
                top, blossom = tree.shrunk(v, w)
                for u in range(size):
                    if base[u] in blossom:
                        base[u] = top
                        if not even[u]:
                            even[u] = True
                            queue.append(u)
            elif parent[w] == NOBODY:
                parent[w] = v
                if partner[w] == NOBODY:
                    _flip(parent, partner, w)
                    return
                even[partner[w]] = True
                queue.append(partner[w])


def _flip(parent: Sequence[int], partner: list[int], end: int) -> None:
    while end != NOBODY:
        before = parent[end]
        after = partner[before]
        partner[end], partner[before] = before, end
        end = after


def first_perfect(
    size: int, allowed: Callable[[int, int], bool], wishes: Callable[[int], Sequence[int]]
) -> list[tuple[int, int]] | None:
    """The pairing of all vertices in which each in turn has its best wish; None without any.

    Vertex 0 comes first: it is paired with the first of its `wishes` that leaves the others a
    perfect matching; then the next vertex that is left, and so on.
    """
    graph = [[w for w in range(size) if w != v and allowed(v, w)] for v in range(size)]
    partner = matching(graph)
    if NOBODY in partner:
        return None
    found: list[tuple[int, int]] = []
    for v in range(size):
        if not graph[v]:  # paired with one before it
            continue
        for w in wishes(v):
            if w in graph[v] and (changed := _forced(graph, partner, v, w)) is not None:
                found.append((v, w))
                partner = changed
                _take_out(graph, v)
                _take_out(graph, w)
                break
    return found


def _forced(graph: Sequence[Sequence[int]], partner: list[int], v: int, w: int) -> list[int] | None:
    """A perfect matching that pairs v with w, from another one; None without any.

    Their partners are left over, and must find each other by way of the rest.
    """
    if partner[v] == w:
        return partner
    changed, left = list(partner), partner[v]
    changed[partner[v]] = changed[partner[w]] = NOBODY
    changed[v], changed[w] = w, v
    _augment(graph, changed, left, fixed=(v, w))
    return None if changed[left] == NOBODY else changed


def _take_out(graph: list[list[int]], v: int) -> None:
    for w in graph[v]:
        graph[w].remove(v)
    graph[v] = []
