"""Matching: as many disjoint pairs of a graph as there can be, by Edmonds's blossoms (1965)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

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


def _augment(graph: Sequence[Sequence[int]], partner: list[int], root: int) -> None:
    """Looks for an alternating path from `root` to an unpaired vertex, and flips it.

    v is an even vertex, reached by a pair; w a neighbour. `parent` leads back from an odd
    vertex; `base` is the vertex to which the blossom around another has been shrunk.
    """
    size = len(graph)
    parent, base = [NOBODY] * size, list(range(size))
    even = [False] * size
    even[root] = True
    queue = deque([root])

    def common(a: int, b: int) -> int:
        seen = set()
        while True:
            a = base[a]
            seen.add(a)
            if partner[a] == NOBODY:
                break
            a = parent[partner[a]]
        while base[b] not in seen:
            b = parent[partner[base[b]]]
        return base[b]

    def mark(v: int, top: int, child: int, blossom: set[int]) -> None:
        while base[v] != top:
            blossom.update((base[v], base[partner[v]]))
            parent[v] = child
            child = partner[v]
            v = parent[child]

    while queue:
        v = queue.popleft()
        for w in graph[v]:
            if base[v] == base[w] or partner[v] == w:
                continue
            if w == root or (partner[w] != NOBODY and parent[partner[w]] != NOBODY):
                top, blossom = common(v, w), set[int]()
                mark(v, top, w, blossom)
                mark(w, top, v, blossom)
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
    left, found = list(range(size)), []

    def feasible(rest: Sequence[int]) -> bool:
        place = {v: i for i, v in enumerate(rest)}
        return perfect([[place[w] for w in rest if w != v and allowed(v, w)] for v in rest])

    if not feasible(left):
        return None
    while left:
        v = left[0]
        for w in wishes(v):
            rest = [u for u in left if u not in (v, w)]
            if w in left and w != v and allowed(v, w) and feasible(rest):
                found.append((v, w))
                left = rest
                break
    return found
