"""The chances of a hand: cards that come to it at once, prizes, and a card on each turn.

A *row* holds three probabilities: that an objective holds in the end, that it holds and the
condition `given` held of the kept hand, and that the latter did; where the hand must be kept too,
each of them with that, and the probability of it. Rows are linear, so that the mean of rows is a
row; the better of two decisions has the larger row.

`Counted` asks the exact counter, with bounds from which the hand is taken off. `Listed` lists what
comes, where free cards are played then, and where the draws reach the bottom of the deck. Neither
knows a decision; those are in `dragon_hands.opening`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from math import comb, prod
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from dragon_hands.deck import Deck
from dragon_hands.exact import (
    DRAWS,
    FIRST,
    PRIZES,
    Allowance,
    Count,
    Counts,
    Formula,
    Objective,
    TooLarge,
    joint,
    total,
    within,
)
from dragon_hands.formula import Model, added, compositions, minus, model_of, regrouped

if TYPE_CHECKING:
    from dragon_hands.policy import Optimal

Row: TypeAlias = tuple[Fraction | int, ...]
Player: TypeAlias = "Callable[[Model], Optimal]"
"""A function that makes the policy which plays free cards."""
MOST_CELLS, MOST_DRAWN = 1_000_000, 5_000
"""The largest table of hands that is made, and the most kinds of draws looked up in it."""
_KEEP = {"Hand": FIRST, "Deck": FIRST}
"""The samples that a count looks at when a hand is judged, before prizes are set aside."""
_KEPT = {"Hand": FIRST, "Prizes": PRIZES, "Deck": FIRST + PRIZES}
"""The samples that a count looks at when the hand is kept; a deck is what they leave."""
_END = {"Hand": FIRST + DRAWS, "Prizes": PRIZES, "Deck": FIRST + PRIZES + DRAWS}


def places(keys: Iterable[tuple[object, ...]]) -> tuple[int, ...]:
    """Return the class of each card, given what distinguishes it."""
    known: dict[tuple[object, ...], int] = {}
    return tuple(known.setdefault(key, len(known)) for key in keys)


def membership(formulas: Iterable[Formula], cards: int) -> list[tuple[object, ...]]:
    """Return, for each card, the sets of the formulas that it belongs to."""
    sets = sorted({count.cards for each in formulas for term in each for count in term})
    return [tuple(s >> i & 1 for s in sets) for i in range(cards)]


def rebased(given: Formula, place: Sequence[int]) -> Formula:
    """Return a formula over cards as one over classes."""

    def of(count: Count) -> Count:
        sets = {place[i] for i in range(len(place)) if count.cards >> i & 1}
        return Count(count.zone, sum(1 << c for c in sets), count.least, count.count)

    return tuple(frozenset(map(of, term)) for term in given)


def holds(given: Formula, hand: Counts, deck: Counts, prizes: Counts) -> bool:
    """Return True if a formula over classes holds with these cards in the zones."""
    zones = {"Hand": hand, "Deck": deck, "Prizes": prizes}
    return any(
        all(count.holds(within(count.cards, zones.get(count.zone, ()))) for count in term)
        for term in given
    )


def _sampled(given: Formula, hand: Counts, deck: Counts, zones: dict[str, str]) -> Formula:
    """Return a formula as bounds on the samples that are drawn to a hand from a deck."""
    terms = []
    for term in given:
        bounds = set()
        for count in term:
            n, least = count.count, count.least
            if count.zone == "Hand":
                n -= within(count.cards, hand)
            elif count.zone == "Deck":
                n, least = within(count.cards, deck) - n, not least
            bounds.add(Count(zones.get(count.zone, ""), count.cards, least, n))
        terms.append(frozenset(bounds))
    return tuple(terms)


class Chances:
    """The classes of cards, the formulas over them, and the rows so far, for both ways.

    later: the prizes set aside, and the cards drawn after them.
    """

    def __init__(
        self, keys: Iterable[tuple[object, ...]], objective: Objective, given: Formula | None,
        keep: Formula | None, later: tuple[int, int], allowance: Allowance,
    ) -> None:  # fmt: skip
        self.place = places(keys)
        self.objective = tuple(rebased(each, self.place) for each in objective)
        self.given = None if given is None else rebased(given, self.place)
        self.keep = None if keep is None else rebased(keep, self.place)
        self.later, self.allowance = later, allowance
        self.known: dict[tuple[object, ...], Row] = {}


class Counted(Chances):
    """Chances without free cards."""

    def __init__(
        self, cards: int, objective: Objective, given: Formula | None, keep: Formula | None,
        later: tuple[int, int], allowance: Allowance,
    ) -> None:  # fmt: skip
        keys = membership((*objective, given or (), keep or ()), cards)
        super().__init__(keys, objective, given, keep, later, allowance)
        self.ends_in: Ends | None = None
        self.large = False

    def row(self, hand: Counts, pile: Counts, low: Counts, first: int, aside: Counts) -> Row:
        """Return the row of a hand, counted once.

        pile: the deck, except the cards at its bottom, `low`; first: cards that come from it at
        once; aside: cards that are shuffled into it then.
        """
        key = hand, pile, low, first, aside
        if key not in self.known:
            self.allowance.take(2)
            self.known[key] = self._row(hand, pile, low, first, aside)
        return self.known[key]

    def _row(self, hand: Counts, pile: Counts, low: Counts, first: int, aside: Counts) -> Row:
        sizes, deck = (first, *self.later), added(added(pile, aside), low)
        if not first and not sizes[1] and self.keep is None:
            ways = self._tabled(hand, pile, low)
            if ways is not None:
                good = self.given is None or holds(self.given, hand, deck, ())
                value = Fraction(ways, comb(sum(pile), sizes[2]))
                return (value, value * good, int(good))
        every = total(sum(pile), sizes, sum(aside))

        def share(*formulas: Formula) -> Fraction | int:
            if not formulas:
                return 1
            return Fraction(joint(formulas, pile, sizes, aside, self.allowance), every)

        end = [_sampled(each, hand, deck, _END) for each in self.objective]
        keep, given = (
            [] if each is None else [_sampled(each, hand, deck, zones)]
            for each, zones in ((self.keep, _KEEP), (self.given, _KEPT))
        )
        a = share(*end, *keep)
        both = share(*end, *keep, *given) if given else a
        kept = share(*keep)
        row = a, both, share(*keep, *given) if given else kept
        return row if self.keep is None else (*row, kept)

    def _tabled(self, hand: Counts, pile: Counts, low: Counts) -> int | None:
        """Return the number of draws that satisfy the objective; None for too large a table."""
        if self.ends_in is None and not self.large:
            every = added(added(hand, pile), low)
            with suppress(TooLarge):
                self.ends_in = Ends(self.objective, every, self.later[1])
            self.large = self.ends_in is None
        return None if self.ends_in is None else self.ends_in.ways(hand, pile)

    def ends(
        self, hand: Counts, pile: Counts, low: Counts, prizes: Counts, rng: Random
    ) -> bool:  # fmt: skip
        """Return True if the objective holds after the last draw."""
        return all(holds(each, hand, added(pile, low), prizes) for each in self.objective)


class Ends:
    """The hands that satisfy an objective, as a table, and the draws that lead to them.

    Where there are decisions, very many hands are asked for, each with the same number of draws.
    Cards of a class beyond those that a bound can ask for make no difference.
    """

    def __init__(self, objective: Objective, every: Counts, draws: int) -> None:
        """Make the table; raise TooLarge for many classes, draws or cards.

        every: the cards of each class in the hand and the deck.
        """
        import numpy as np

        counts = [count for each in objective for term in each for count in term]
        caps = [0] * len(every)
        for count in counts:
            most = within(count.cards, every)
            needed = (most - count.count if count.zone == "Deck" else count.count) + 1
            for c in range(len(every)):
                if count.cards >> c & 1:
                    caps[c] = max(caps[c], min(needed, every[c]))
        kinds = comb(draws + len(every) - 1, draws)
        if prod(cap + 1 for cap in caps) > MOST_CELLS or kinds > MOST_DRAWN:
            raise TooLarge
        if comb(sum(every), draws) >= 1 << 62:
            raise TooLarge
        shape = [cap + 1 for cap in caps]
        grid = np.indices(shape).reshape(len(shape), -1)
        good = np.ones(grid.shape[1], bool)
        for each in objective:
            some = np.zeros_like(good)
            for term in each:
                ok = np.ones_like(good)
                for count in term:
                    there = grid[[c for c in range(len(every)) if count.cards >> c & 1]].sum(0)
                    if count.zone == "Deck":
                        there = within(count.cards, every) - there
                    elif count.zone != "Hand":
                        there = 0 * there
                    ok &= (there >= count.count) if count.least else (there <= count.count)
                some |= ok
            good &= some
        self.good, self.caps = good, np.array(caps)
        self.strides = np.array([prod(shape[i + 1 :]) for i in range(len(shape))])
        self.drawn = np.array([taken for taken, _ in compositions(every, draws)])
        self.chosen = [
            np.array([[comb(n, k) for k in range(draws + 1)] for n in range(copies + 1)])
            for copies in every
        ]
        self.pile: Counts = ()

    def ways(self, hand: Counts, pile: Counts) -> int:
        """Return the number of draws from a pile with which the hand satisfies the objective."""
        import numpy as np

        if pile != self.pile:
            weights = np.ones(len(self.drawn), np.int64)
            for c, n in enumerate(pile):
                weights = weights * self.chosen[c][n, self.drawn[:, c]]
            self.pile, self.weights = pile, weights
        end = np.minimum(self.drawn + hand, self.caps) @ self.strides
        return int(self.weights[self.good[end]].sum())


class Listed(Chances):
    """Chances by listing all that comes; free cards are played after the last draw.

    player: makes the policy that plays free cards; None: they are not played.
    """

    def __init__(
        self, deck: Deck, objective: Objective, given: Formula | None, keep: Formula | None,
        later: tuple[int, int], allowance: Allowance,
        player: Player | None = None,
    ) -> None:  # fmt: skip
        keys = membership((*objective, given or (), keep or ()), len(deck.main))
        inner = [0] * len(keys)
        self.plays = None
        if player is not None:
            model = model_of(deck, objective, hand=0, shortcuts=False)
            inner = model.places(deck.main)
            keys = [(inner[i], *key) for i, key in enumerate(keys)]
            self.plays, self.size = player(model), model.size
        super().__init__(keys, objective, given, keep, later, allowance)
        self.inner = dict(zip(self.place, inner, strict=True))

    def row(self, hand: Counts, pile: Counts, low: Counts, first: int, aside: Counts) -> Row:
        """Return the row of a hand, listed once; see `Counted.row`."""
        key = hand, pile, low, first, aside
        if key not in self.known:
            rows = (
                (ways, self._settled(added(hand, come), added(minus(pile, come), aside), low))
                for come, ways in compositions(pile, first)
            )
            self.known[key] = mean(rows, comb(sum(pile), first))
        return self.known[key]

    def _settled(self, hand: Counts, pile: Counts, low: Counts) -> Row:
        """Return the row of a hand to which nothing comes at once."""
        if self.keep is not None and not holds(self.keep, hand, added(pile, low), ()):
            return (0, 0, 0, 0)
        known = (hand, pile, low)
        if known not in self.known:
            rows = (
                (ways, self._after(hand, minus(pile, prizes), low, prizes))
                for prizes, ways in compositions(pile, self.later[0])
            )
            self.known[known] = mean(rows, comb(sum(pile), self.later[0]))
        return self.known[known]

    def _after(self, hand: Counts, pile: Counts, low: Counts, prizes: Counts) -> Row:
        good = self.given is None or holds(self.given, hand, added(pile, low), prizes)
        value, draws = Fraction(0), self.later[1]
        if draws > sum(pile):
            draws -= sum(pile)
            hand, pile, low = added(hand, pile), low, (0,) * len(pile)
        for come, ways in compositions(pile, draws):
            self.allowance.take(1)
            left = minus(pile, come)
            value += ways * self._value(added(hand, come), left, low, prizes)
        value /= comb(sum(pile), draws)
        row = value, value * good, int(good)
        return row if self.keep is None else (*row, 1)

    def _value(
        self, hand: Counts, pile: Counts, low: Counts, prizes: Counts
    ) -> Fraction | int:  # fmt: skip
        if self.plays is None:
            return all(holds(each, hand, added(pile, low), prizes) for each in self.objective)
        known = (regrouped(each, self.inner, self.size) for each in (hand, pile, low))
        return self.plays.dealt(*known)

    def ends(
        self, hand: Counts, pile: Counts, low: Counts, prizes: Counts, rng: Random
    ) -> bool:  # fmt: skip
        """Return True if the objective holds after the last draw, or the play satisfies it."""
        return rng.random() < self._value(hand, pile, low, prizes)


def mean(rows: Iterable[tuple[int, Row]], every: int) -> Row:
    """Return the mean of rows weighted by their numbers of ways, `every` in all."""
    sums: list[dict[int, int]] = []
    for ways, row in rows:
        sums += ({} for _ in range(len(row) - len(sums)))
        for each, value in zip(sums, row, strict=True):  # fractions are added by denominator
            each[value.denominator] = each.get(value.denominator, 0) + ways * value.numerator
    return tuple(
        sum((Fraction(n, d) for d, n in each.items()), Fraction(0)) / every for each in sums
    )
