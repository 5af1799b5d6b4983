"""Meetings: what every two players that met made of each other, counted from a tally."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations

from dragon_tournament.statistics.pairs import Meeting, sample, score
from dragon_tournament.statistics.tally import Tally, codes, joined


def meetings(tally: Tally, names: Sequence[str]) -> list[Meeting]:
    """All of them, in the order of `names`; nothing is kept of players that have not met."""
    import numpy as np

    place = {name: i for i, name in enumerate(names)}
    results: defaultdict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
    found: list[tuple[int, int, int, float]] = []
    for number, (kind, count) in enumerate(tally.games):
        for i, j in combinations(sorted({place[name] for name in kind.seats}), 2):
            made = score((kind,), names[i], names[j])
            if made is not None:
                results[i, j][(made >= 0.5) + (made > 0.5)] += count
                found.append((number, i, j, made))
    if not found:
        return []
    kinds, first, second, scores = (np.array(column) for column in zip(*found, strict=True))
    cells = tally.cells
    cell, row = joined(cells.kind, kinds)
    two = first[row] * len(names) + second[row]
    observed = codes(two, cells.unit[cell])
    _, at = np.unique(observed, return_index=True)
    games = np.bincount(observed, cells.count[cell]).astype(int)
    means = np.bincount(observed, cells.count[cell] * scores[row]) / games
    counted: defaultdict[tuple[int, int], defaultdict[int, Counter[float]]]
    counted = defaultdict(lambda: defaultdict(Counter))
    for key, many, mean in zip(two[at].tolist(), games.tolist(), means.tolist(), strict=True):
        counted[divmod(key, len(names))][many][round(mean, 9)] += 1
    return [
        Meeting(
            names[i],
            names[j],
            tuple(sample(counts, many) for many, counts in sorted(counted[i, j].items())),
            won=won,
            drawn=drawn,
            lost=lost,
        )
        for (i, j), (lost, drawn, won) in sorted(results.items())
    ]
