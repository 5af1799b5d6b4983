"""The odds of having a monster in the opening hand, or of searching it with Small World.

Copies are counted: the monster that is revealed is in the hand, the bridge must have a copy in
the deck, and so must the target. Every figure is a whole number of hands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, reduce
from math import comb
from operator import or_
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from dragon.errors import ConfigError, SearchError
from dragon_small_world.score import bit_sets, members

if TYPE_CHECKING:
    from dragon_small_world.links import Links

MOST_SETS = 30_000
"""More sets of bridges in a hand than this are not counted; that takes seconds."""


@frozen
class Reach:
    """Numbers of opening hands; all of one size, of one deck."""

    hand: int
    """Cards in the hand."""
    size: int
    """Cards in the deck."""
    hands: int
    """All there are."""
    opened: int
    """Those with the target in them."""
    asked: int
    """Those with Small World and without the target."""
    searched: int
    """The hands among these in which Small World reaches the target."""

    @property
    def total(self) -> int:
        """The hands that have the target, or reach it."""
        return self.opened + self.searched


@frozen
class _Cards:
    """A main deck by kinds, numbered from 0; sets of kinds are bit sets."""

    copies: tuple[int, ...]
    """The copies of each monster that the cards know."""
    targets: int
    steps: tuple[int, ...]
    """For each monster the bridges that lead from it to a target."""
    small_worlds: int
    rest: int
    """Cards that neither are monsters nor Small World."""

    @cached_property
    def bridges(self) -> int:
        """The bridges that lead from some monster to a target."""
        return reduce(or_, self.steps, 0)


def reach(links: Links, targets: Sequence[int], hand: int) -> Reach:
    """Return the odds for these monsters; raise ConfigError if the deck cannot have any.

    hand: how many cards are drawn. Raises SearchError where they can hold too many bridges.
    """
    deck = links.deck
    cards = _cards(links, targets)
    if not 1 <= hand <= deck.size:
        raise ConfigError(
            f"a hand of {hand} from a deck of {deck.size} cards; take 1 to {deck.size}"
        )
    if not deck.small_worlds:
        raise ConfigError("the deck has no Small World in its main part; add it, or say --copies 3")
    held = {place for place, _ in deck.main}
    absent = [deck.pool.monsters[i].name for i in targets if i not in held]
    if absent or not targets:
        names = " or of ".join(absent) or "nothing at all"
        raise ConfigError(f"the main deck has no copy of {names}; name monsters that are in it")
    wanted = sum(cards.copies[i] for i in members(cards.targets))
    every = comb(deck.size, hand)
    without = comb(deck.size - wanted, hand)
    neither = comb(deck.size - wanted - cards.small_worlds, hand)
    failed = 0
    for number, taken in enumerate(_taken(cards, hand)):
        if number == MOST_SETS:
            raise SearchError(f"a hand of {hand} can hold too many bridges; count a smaller hand")
        failed += _stuck(cards, taken, hand)
    asked = without - neither
    return Reach(hand, deck.size, every, every - without, asked, asked - failed)


def _cards(links: Links, targets: Sequence[int]) -> _Cards:
    deck = links.deck
    places, copies = zip(*deck.main, strict=True) if deck.main else ((), ())
    at = np.searchsorted(deck.places, places)
    near, wanted = links.adjacency[np.ix_(at, at)], np.isin(places, targets)
    leads = near[:, wanted].any(1)
    rest = deck.size - sum(copies) - deck.small_worlds
    (marks,) = bit_sets(wanted[None])
    return _Cards(copies, marks, bit_sets(near & leads), deck.small_worlds, rest)


def _taken(cards: _Cards, hand: int) -> Iterator[int]:
    """Yield the sets of bridges that a hand with Small World can hold with all their copies.

    Only those of which none, revealed, finds a bridge: others are not a failure. So with a bridge
    come all to which it leads, and theirs. A bridge that is a target is never in such a hand.
    """
    useful = list(members(cards.bridges & ~cards.targets))

    def grow(k: int, taken: int, barred: int) -> Iterator[int]:
        if k == len(useful):
            yield taken
            return
        bit = 1 << useful[k]
        if taken & bit:
            yield from grow(k + 1, taken, barred)
            return
        yield from grow(k + 1, taken, barred | bit)
        more = _closed(cards, taken | bit)
        if not more & barred and sum(cards.copies[b] for b in members(more)) < hand:
            yield from grow(k + 1, more, barred)

    return grow(0, 0, cards.targets)


def _closed(cards: _Cards, taken: int) -> int:
    """Return a set of bridges with all bridges to which they lead."""
    while (more := reduce(or_, map(cards.steps.__getitem__, members(taken)), taken)) != taken:
        taken = more
    return taken


def _stuck(cards: _Cards, taken: int, hand: int) -> int:
    """Return the hands with Small World, all copies of just these bridges, and no target."""
    ways = np.convolve(
        np.array([comb(cards.rest, j) for j in range(hand + 1)], object),
        np.array([0] + [comb(cards.small_worlds, j) for j in range(1, hand + 1)], object),
    )
    for i, copies in enumerate(cards.copies):
        if cards.targets >> i & 1:
            continue
        if taken >> i & 1:
            counts = [0] * copies + [1]
        elif cards.steps[i] & ~taken:
            continue  # revealed, it would find a bridge: none may be in the hand
        else:
            kept = cards.bridges >> i & 1  # a bridge that is not taken keeps a copy in the deck
            counts = [comb(copies, j) for j in range(copies + 1 - kept)]
        ways = np.convolve(ways[: hand + 1], np.array(counts, object))  # products of polynomials
    return int(ways[hand])
