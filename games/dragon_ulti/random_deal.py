"""Random deals: of a whole deck, and of unseen cards to places that may not hold all of them.

Each deal is as likely. Cards that the same places may hold are alike. How many ways there are
to share out the kinds is counted exactly, so a draw needs no second attempt.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from math import factorial, prod
from typing import TYPE_CHECKING

from dragon_ulti.cards import SIZE, Deal

if TYPE_CHECKING:
    import numpy as np

Kinds = tuple[tuple[tuple[int, ...], int], ...]
"""The places that may hold a card, and how many cards are of that kind."""


def deals(rng: int | np.random.Generator) -> Iterator[Deal]:
    """Deals from a shuffled deck without end; a Generator is consumed."""
    import numpy as np

    random = np.random.default_rng(rng)
    while True:
        deck = random.permutation(32).tolist()
        first, second, third, talon = (tuple(sorted(deck[i : i + SIZE])) for i in (0, 10, 20, 30))
        yield Deal((first, second, third), talon)


def splits(n: int, places: Sequence[int], room: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the ways to share n cards among `places`, within `room`, as each place's number."""
    if not places:
        if n == 0:
            yield (0,) * len(room)
        return
    first, rest = places[0], places[1:]
    for here in range(min(n, room[first]) + 1):
        for others in splits(n - here, rest, room):
            yield (*others[:first], here, *others[first + 1 :])


@lru_cache(maxsize=1 << 14)
def weights(kinds: Kinds, room: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return each way to share out the first kind, and how many whole deals go with it."""
    (places, n), rest = kinds[0], kinds[1:]
    found = []
    for share in splits(n, places, room):
        left = tuple(r - s for r, s in zip(room, share, strict=True))
        if count := factorial(n) // prod(map(factorial, share)) * ways(rest, left):
            found.append((share, count))
    return tuple(found)


def ways(kinds: Kinds, room: tuple[int, ...]) -> int:
    """Return the number of deals that fill all the room.

    >>> ways((((0, 1), 2), ((0,), 1)), (2, 1))
    2
    """
    if not kinds:
        return int(not any(room))
    return sum(count for _, count in weights(kinds, room))


def kinds_of(cards: Sequence[int], excluded: Sequence[int]) -> dict[tuple[int, ...], list[int]]:
    """Cards by the places that may hold them; `excluded`: for each place a set of cards as bits."""
    found: dict[tuple[int, ...], list[int]] = {}
    for card in cards:
        places = tuple(i for i, bits in enumerate(excluded) if not bits >> card & 1)
        found.setdefault(places, []).append(card)
    return dict(sorted(found.items()))


@lru_cache(maxsize=256)
def _grouped(
    cards: tuple[int, ...], excluded: tuple[int, ...]
) -> tuple[tuple[tuple[int, ...], ...], Kinds]:
    """Return the cards of each kind, and the kinds; the same for all deals of one view."""
    found = kinds_of(cards, excluded)
    return tuple(map(tuple, found.values())), tuple((at, len(own)) for at, own in found.items())


def draw(
    cards: Sequence[int], excluded: Sequence[int], room: tuple[int, ...], rng: np.random.Generator
) -> tuple[tuple[int, ...], ...] | None:
    """Draw the cards of each place, sorted, each possible deal as likely; None if there is none.

    `room`: the number of cards of each place, all of `cards` together; `rng` is consumed.
    """
    groups, kinds = _grouped(tuple(cards), tuple(excluded))
    got: list[list[int]] = [[] for _ in room]
    for i, group in enumerate(groups):
        choices = weights(kinds[i:], room)
        if not choices:
            return None
        counts = [*accumulate(count for _, count in choices)]
        share, _ = choices[bisect(counts, int(rng.integers(counts[-1])))]
        order = [group[j] for j in rng.permutation(len(group))]
        for place, n in enumerate(share):
            got[place] += order[:n]
            order = order[n:]
        room = tuple(r - s for r, s in zip(room, share, strict=True))
    return None if any(room) else tuple(tuple(sorted(each)) for each in got)
