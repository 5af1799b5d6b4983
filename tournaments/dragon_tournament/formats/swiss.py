"""Swiss: each player plays every round, against one with about as many points.

Players are ranked by points, then as the file lists them. From the top, each meets the player
that it has not met yet whose points are nearest; within a group of equal points the upper
half meets the lower. If the number of players is odd, the lowest that has not sat out yet sits the
round out with a full score. Where every round has a rematch, this one has the fewest possible (a
matching of least weight), between players that have met least often, and the other encounters are
made as always.
Seats need not be balanced, since every encounter is played in both seatings. Libraries for chess
pair single games by FIDE's rules of colours, from files of chess results; here those rules have
nothing to decide.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from itertools import combinations
from typing import Self

import attrs
from attrs import field, frozen
from attrs.validators import ge, optional

from dragon_tournament.formats.format import (
    Bout,
    History,
    Meetings,
    StagedFormat,
    totals,
    usual_rounds,
)


@frozen
class Swiss(StagedFormat):
    """A few rounds, in each of which players of about equal points meet."""

    name = "swiss"
    title = "Swiss"
    rivals = True
    note = "Rivals: the points of a player's opponents in all, which order equal points."
    rounds: int | None = field(default=None, validator=optional(ge(1)))
    """The number of rounds; by default as many as a knockout would have."""

    def fitted(self, names: Sequence[str]) -> Self:
        """Return this format with its number of rounds."""
        return self if self.rounds else attrs.evolve(self, rounds=usual_rounds(len(names) or 1))

    def objections(
        self, names: Sequence[str], game: str, seats: int | None
    ) -> Iterator[tuple[str, str]]:
        """Yield the objection to rounds that must have rematches."""
        yield from super().objections(names, game, seats)
        players = len(names)
        if self.rounds is not None and players > 1 and self.rounds > most(players):
            sentence = f"{players} players can meet in {most(players)} rounds without meeting again"
            remedy = "take fewer rounds, or a round-robin"
            yield "rounds", f"{sentence}, not in {self.rounds}; {remedy}"

    def meetings(self, names: Sequence[str], history: History) -> Meetings:
        """Return the encounters of the next round."""
        return next_round(names, history, self.rounds or 0)

    def over(self, names: Sequence[str], history: History) -> bool:
        """Return True if all rounds are complete, without pairing the players."""
        return len(history) >= (self.rounds or 0)

    def left(self, names: Sequence[str], history: History) -> int:
        """The number of encounters of all rounds to come."""
        return ((self.rounds or 0) - len(history)) * (len(names) // 2)

    def most_rounds(self, players: int) -> int:
        """The number of rounds."""
        return self.rounds or usual_rounds(players)

    def placing(self, names: Sequence[str], history: History) -> Sequence[Sequence[str]]:
        """Return the players by their points, then by those of their opponents."""
        points = totals(history)
        rivals = rivals_of(history, points)
        groups: dict[tuple[float, float], list[str]] = {}
        for name in sorted(names, key=lambda name: (-points[name], -rivals[name])):
            groups.setdefault((points[name], rivals[name]), []).append(name)
        return list(groups.values())

    def past(
        self, names: Sequence[str], met: Mapping[int, Sequence[frozenset[str]]]
    ) -> Callable[[History], Meetings]:
        """Return the encounters that the games tell, the best placed first.

        Pairing the players again would take long where they are very many.
        """
        points: defaultdict[str, float] = defaultdict(float)

        def follow(history: History) -> Meetings:
            found = met.get(len(history), ())
            if self.over(names, history) or len(found) < len(names) // 2:
                return []
            for name, made in totals(history[-1:]).items():
                points[name] += made
            order = sorted(range(len(names)), key=lambda i: (-points[names[i]], i))
            place = {names[i]: rank for rank, i in enumerate(order)}
            pairs = [tuple(sorted(two, key=place.__getitem__)) for two in found]
            out = place.keys() - {name for two in pairs for name in two}
            return [*sorted(pairs, key=lambda two: place[two[0]]), *((name,) for name in out)]

        return follow


def rivals_of(history: History, points: Mapping[str, float]) -> Mapping[str, float]:
    """The points of each player's opponents (Buchholz); a bye counts as meeting oneself."""
    rivals: defaultdict[str, list[float]] = defaultdict(list)
    for stage in history:
        for bout in stage:
            for name in bout.players:
                other = next((n for n in bout.players if n != name), name)
                rivals[name].append(points[other])
    return defaultdict(float, {name: math.fsum(made) for name, made in rivals.items()})


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
    """Return the least cost of rematches, 0 without any, and the encounters that have it."""
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

    If each vertex has half of the others for neighbours, there is a cycle through all of them
    (Dirac 1952); otherwise a greatest matching is looked for.

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
    """Pair all vertices so that each in turn has its best wish; return None if that cannot be.

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
    """Take a vertex out of the graph; return its neighbours."""
    near = graph.pop(v)
    for w in near:
        graph[w].remove(v)
    return near


def _put_back(graph: dict[int, set[int]], v: int, near: set[int]) -> None:
    for w in near:
        graph[w].add(v)
    graph[v] = near
