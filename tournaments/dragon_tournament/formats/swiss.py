"""Swiss: everybody plays every round, against somebody with about as many points.

Players are ranked by points, then as the file lists them. From the top, each meets the player
that it has not met yet whose points are nearest; within a group of equal points the upper
half meets the lower. Of an odd number the lowest who has not been left out yet sits the round
out with a full score; when such a round without a rematch does not exist, players meet again.
Seats need no balance, for every encounter is played in both seatings. Libraries for chess pair
single games by FIDE's rules of colours, from files of chess results; here those rules have
nothing to decide.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from dragon_tournament.formats.matching import first_perfect
from dragon_tournament.formats.rounds import Bout, totals


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
    """Who meets whom next, one alone for who sits out; nobody after the last round."""
    if len(history) >= rounds:
        return []
    points = totals(history)
    ranked = sorted(names, key=lambda name: (-points[name], names.index(name)))
    bouts = [bout.players for stage in history for bout in stage]
    met = Counter(frozenset(players) for players in bouts if len(players) == 2)
    byes = Counter(players[0] for players in bouts if len(players) == 1)
    for again in range(len(history) + 1):
        if len(ranked) % 2 == 0:
            found = _paired(ranked, points, met, again)
            if found is not None:
                return found
            continue
        fewest = min(byes[name] for name in names)
        for out in reversed([name for name in ranked if byes[name] == fewest]):
            rest = [name for name in ranked if name != out]
            found = _paired(rest, points, met, again)
            if found is not None:
                return [*found, (out,)]
    raise AssertionError("everybody may meet everybody again")


def _paired(
    ranked: Sequence[str], points: dict[str, float], met: Counter[frozenset[str]], again: int
) -> list[tuple[str, ...]] | None:
    """The round's encounters, between players that met at most `again` times; None without any."""
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

    found = first_perfect(
        len(ranked), lambda v, w: met[frozenset((ranked[v], ranked[w]))] <= again, wishes
    )
    return None if found is None else [(ranked[v], ranked[w]) for v, w in found]
