"""Lots: unseen cards dealt to places that may not hold all of them, each way as likely.

Cards that the same places may hold are alike. How many ways there are to share out the
kinds is counted exactly, so a draw needs no second attempt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

Kinds = tuple[tuple[tuple[int, ...], int], ...]
"""The places that may hold a card, and how many cards are of that kind."""


def splits(n: int, places: Sequence[int], room: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """How n cards can be shared among `places`, as what each place gets; `room` is kept."""
    if not places:
        if n == 0:
            yield (0,) * len(room)
        return
    first, rest = places[0], places[1:]
    for here in range(min(n, room[first]) + 1):
        for others in splits(n - here, rest, room):
            yield (*others[:first], here, *others[first + 1 :])


def _arrangements(share: Sequence[int]) -> int:
    """In how many ways different cards can be shared out so."""
    ways, left = 1, sum(share)
    for n in share:
        ways *= comb(left, n)
        left -= n
    return ways


@lru_cache(maxsize=1 << 14)
def weights(kinds: Kinds, room: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Each way to share out the first kind, and how many whole deals go with it."""
    (places, n), rest = kinds[0], kinds[1:]
    found = []
    for share in splits(n, places, room):
        left = tuple(r - s for r, s in zip(room, share, strict=True))
        if count := _arrangements(share) * ways(rest, left):
            found.append((share, count))
    return tuple(found)


def ways(kinds: Kinds, room: tuple[int, ...]) -> int:
    """How many deals there are that fill all the room.

    >>> ways((((0, 1), 2), ((0,), 1)), (2, 1))
    2
    """
    if not kinds:
        return int(not any(room))
    return sum(count for _, count in weights(kinds, room))


def _pick(
    choices: Sequence[tuple[tuple[int, ...], int]], rng: np.random.Generator
) -> tuple[int, ...]:
    """One of the ways to share, by its count."""
    point = int(rng.integers(sum(count for _, count in choices)))
    for share, count in choices:
        if point < count:
            return share
        point -= count
    raise AssertionError("the point lies below the sum of all counts")


def kinds_of(cards: Sequence[int], barred: Sequence[int]) -> dict[tuple[int, ...], list[int]]:
    """Cards by the places that may hold them; `barred`: for each place a set of cards as bits."""
    found: dict[tuple[int, ...], list[int]] = {}
    for card in cards:
        places = tuple(i for i, bits in enumerate(barred) if not bits >> card & 1)
        found.setdefault(places, []).append(card)
    return dict(sorted(found.items()))


def draw(
    cards: Sequence[int], barred: Sequence[int], room: tuple[int, ...], rng: np.random.Generator
) -> tuple[tuple[int, ...], ...] | None:
    """What each place gets, sorted, each possible deal as likely; None where there is none.

    `room`: how many cards each place takes, all of `cards` together; `rng` is consumed.
    """
    groups = kinds_of(cards, barred)
    kinds = tuple((places, len(group)) for places, group in groups.items())
    got: list[list[int]] = [[] for _ in room]
    for i, group in enumerate(groups.values()):
        choices = weights(kinds[i:], room)
        if not choices:
            return None
        share = _pick(choices, rng)
        order = [group[j] for j in rng.permutation(len(group))]
        for place, n in enumerate(share):
            got[place] += order[:n]
            order = order[n:]
        room = tuple(r - s for r, s in zip(room, share, strict=True))
    return None if any(room) else tuple(tuple(sorted(each)) for each in got)
