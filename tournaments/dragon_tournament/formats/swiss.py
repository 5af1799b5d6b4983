"""Swiss: each player plays every round, against one with about as many points.

Players are ranked by points, then as the file lists them. From the top, each meets the player
that it has not met yet whose points are nearest; within a group of equal points the upper
half meets the lower. Of an odd number the lowest who has not been left out yet sits the round
out with a full score. Where no round is without a rematch, the round has as few as can be (a
matching of least weight), between players that have met least often, and the other encounters are
made as ever.
Seats need no balance, for every encounter is played in both seatings. Libraries for chess pair
single games by FIDE's rules of colours, from files of chess results; here those rules have
nothing to decide.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from itertools import combinations

from dragon_tournament.formats.bout import Bout, totals


def usual(players: int) -> int:
    """The usual number of rounds: as many as a knockout has.

    >>> usual(8), usual(9)
    (3, 4)
    """
    return max(1, math.ceil(math.log2(players)))


def most(players: int) -> int:
    """The greatest number of rounds without rematches."""
    return players - 1 if players % 2 == 0 else players


def next_round(
    names: Sequence[str], history: Sequence[Sequence[Bout]], rounds: int
) -> list[tuple[str, ...]]:
    """The next meetings, one player alone for a bye; none after the last round."""
    if len(history) >= rounds:
        return []
    points = totals(history)
    ranked = sorted(names, key=lambda name: (-points[name], names.index(name)))
    bouts = [bout.players for stage in history for bout in stage]
    met = Counter(frozenset(players) for players in bouts if len(players) == 2)
    byes = Counter(players[0] for players in bouts if len(players) == 1)
    fewest = min((byes[name] for name in names), default=0)
    free = [(name,) for name in reversed(ranked) if byes[name] == fewest]
    best, least = list[tuple[str, ...]](), math.inf
    for out in free if len(ranked) % 2 else [()]:
        cost, found = _paired([name for name in ranked if name not in out], points, met)
        if cost < least:
            best, least = [*found, out] if out else found, cost
        if not least:
            break
    return best


def _paired(
    ranked: Sequence[str], points: dict[str, float], met: Counter[frozenset[str]]
) -> tuple[int, list[tuple[str, ...]]]:
    """The round's encounters with the least rematches, and what these cost, 0 without any."""
    group = {
        score: [i for i, name in enumerate(ranked) if points[name] == score]
        for score in {points[name] for name in ranked}
    }

    def wishes(v: int) -> list[int]:
        score = points[ranked[v]]
        own = group[score]
        rival = own[0] + own.index(v) + max(len(own) // 2, 1)
        return sorted(
            (w for w in range(len(ranked)) if w != v),
            key=lambda w: (abs(points[ranked[w]] - score), abs(w - rival), w),
        )

    def cost(v: int, w: int) -> int:
        """Let the number of rematches count first, then how often their players have met."""
        times = met[frozenset((ranked[v], ranked[w]))]
        return times and met.total() + times

    found, price = first_perfect(len(ranked), lambda v, w: not cost(v, w), wishes), 0
    if found is None:
        found = cheapest(len(ranked), cost, wishes)
        price = sum(cost(v, w) for v, w in found)
    return price, [(ranked[v], ranked[w]) for v, w in found]


def perfect(graph: Mapping[int, Set[int]]) -> bool:
    """Return True if all vertices can be paired along edges; `graph[v]` are the neighbours of v.

    Where everybody has half of the others for neighbours there is a cycle through all of them
    (Dirac 1952); else a greatest matching is looked for.

    >>> perfect({0: {1}, 1: {0}}), perfect({0: {1, 2, 3}, 1: {0}, 2: {0}, 3: {0}})
    (True, False)
    """
    if len(graph) % 2:
        return False
    if all(2 * len(near) >= len(graph) for near in graph.values()):
        return True
    import networkx

    matching = networkx.max_weight_matching(networkx.Graph(graph), maxcardinality=True)
    return 2 * len(matching) == len(graph)


def first_perfect(
    size: int, allowed: Callable[[int, int], bool], wishes: Callable[[int], Sequence[int]]
) -> list[tuple[int, int]] | None:
    """The pairing of all vertices in which each in turn has its best wish; None without any.

    Vertex 0 comes first: it is paired with the first of its `wishes` that leaves the others a
    perfect matching; then the next vertex that is left, and so on.
    """
    graph = {v: {w for w in range(size) if w != v and allowed(v, w)} for v in range(size)}
    if not perfect(graph):
        return None
    found: list[tuple[int, int]] = []
    for v in range(size):
        for w in wishes(v) if v in graph else ():
            if w in graph[v]:
                near = _taken_out(graph, v), _taken_out(graph, w)
                if perfect(graph):
                    found.append((v, w))
                    break
                _put_back(graph, w, near[1])
                _put_back(graph, v, near[0])
    return found


def cheapest(
    size: int, cost: Callable[[int, int], int], wishes: Callable[[int], Sequence[int]]
) -> list[tuple[int, int]]:
    """The pairing of least cost, an even `size` given, in which each in turn has its best wish."""
    import networkx

    def least(vertices: Set[int]) -> int:
        edges = [(v, w, cost(v, w)) for v, w in combinations(sorted(vertices), 2)]
        graph = networkx.Graph()
        graph.add_weighted_edges_from(edges)
        return sum(cost(v, w) for v, w in networkx.min_weight_matching(graph))

    left, found = {*range(size)}, list[tuple[int, int]]()
    rest = least(left)
    for v in range(size):
        for w in wishes(v) if v in left else ():
            price = cost(v, w)
            if w in left and price <= rest and price + least(left - {v, w}) == rest:
                found.append((v, w))
                left -= {v, w}
                rest -= price
                break
    return found


def _taken_out(graph: dict[int, set[int]], v: int) -> set[int]:
    """The neighbours of a vertex, which is in the graph no more."""
    near = graph.pop(v)
    for w in near:
        graph[w].remove(v)
    return near


def _put_back(graph: dict[int, set[int]], v: int, near: set[int]) -> None:
    for w in near:
        graph[w].add(v)
    graph[v] = near
