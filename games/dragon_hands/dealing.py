"""Hands dealt at random, mulliganed, kept and drawn to: estimates where `opening` is too slow."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence

from dragon_hands.chances import holds, mean
from dragon_hands.deck import Deck
from dragon_hands.exact import Allowance
from dragon_hands.formula import Counts, Formula, added, minus, objectives_of
from dragon_hands.opening import Opening, cards_left, never_kept, not_given
from dragon_hands.probability import Found, Kept, Probability
from dragon_hands.question import Question

MOST_REDRAWN = 100_000
"""The most mulligans of one hand."""
GUESSED = 60
"""Hands whose mean is taken for the value of a mulligan: enough for all but close decisions."""


class Dealing:
    """Hands dealt from one stream of random numbers, mulliganed, kept and drawn to.

    The same shuffles serve all objectives; only the decisions differ.
    """

    def __init__(
        self, deck: Deck, question: Question, formulas: Sequence[Formula], seed: int
    ) -> None:
        question.checked(deck)
        self.question, self.random = question, random.Random(seed)
        allowance = Allowance(1 << 60)  # the clock limits what is dealt
        self.openings = [
            Opening(deck, question, each, allowance) for each in objectives_of(formulas)
        ]
        known = Counter[str]()
        for name, n in (*question.in_hand, *question.seen, *question.bottom):
            known[name] += n
        self.cards = [
            i for i, card in enumerate(deck.main) for _ in range(card.copies - known[card.name])
        ]
        """The card of the deck of each piece of paper that may be drawn."""
        self.dealt = 0
        self.hits = [[0, 0] for _ in self.openings]
        """For each objective, hands with the condition given, and those that satisfy it too."""
        self.kept = Counter[int]()
        """The mulligans of any condition."""
        for opening in self.openings if question.keep is None else ():
            for n in range(opening.most or 0, 0, -1):
                orders = (self._shuffle([], 0) for _ in range(GUESSED))
                hands = (self._counts(opening, order[: opening.drawn]) for order in orders)
                opening.stages[n] = mean(((1, opening.staged(hand, n)) for hand in hands), GUESSED)

    def deal(self, hands: int) -> Found:
        """Deal more hands; return the estimates from all so far; raise ConfigError, TooLarge."""
        for _ in range(hands):
            shuffles: list[list[int]] = []
            for i, opening in enumerate(self.openings):
                hand, low, rest, mulligans = self._keep(opening, shuffles)
                given, holds = self._drawn(opening, hand, low, rest)
                self.hits[i][0] += given
                self.hits[i][1] += given and holds
                if i == len(self.openings) - 2:
                    self.kept[mulligans] += 1
        self.dealt += hands
        shares = [Probability.estimated(hits, n) for n, hits in self.hits if n]
        if len(shares) < len(self.hits):
            raise not_given(self.question)
        most, shown = self.openings[0].most, self.question.mulligan in ("london", "redraw")
        kept = sorted(self.kept.items()) if shown else []
        return Found(
            shares,
            tuple(
                Kept(n, cards_left(self.question, n), Probability.estimated(many, self.dealt))
                for n, many in kept if most is not None or not n
            ),
            None if self.question.given is None
            else Probability.estimated(self.hits[-2][0], self.dealt),
        )  # fmt: skip

    def _shuffle(self, shuffles: list[list[int]], n: int) -> list[int]:
        """Return the n-th order of the cards, which all objectives share."""
        while len(shuffles) <= n:
            shuffles.append(self.random.sample(range(len(self.cards)), len(self.cards)))
        return shuffles[n]

    def _counts(self, opening: Opening, papers: Iterable[int]) -> Counts:
        """Return pieces of paper, by class."""
        found = [0] * len(opening.none)
        for paper in papers:
            found[opening.place[self.cards[paper]]] += 1
        return tuple(found)

    def _keep(
        self, opening: Opening, shuffles: list[list[int]]
    ) -> tuple[Counts, Counts, list[int], int]:
        """Return a hand that is kept, the bottom, the rest of the deck, and the mulligans."""
        kind, cut = self.question.mulligan, opening.drawn
        order = self._shuffle(shuffles, 0)
        hand = self._counts(opening, order[:cut])
        if kind == "none":
            return added(opening.held, hand), opening.bottom, order[cut:], 0
        if kind == "replace":
            aside = opening.aside(hand)
            left, come, kept = list(aside), order[cut : cut + sum(aside)], []
            for paper in order[:cut]:
                place = opening.place[self.cards[paper]]
                if left[place]:
                    left[place] -= 1
                else:
                    kept.append(paper)
            held = {*kept, *come}
            back = [paper for paper in self._shuffle(shuffles, 1) if paper not in held]
            return self._counts(opening, held), opening.none, back, 0
        for n in range(MOST_REDRAWN):
            order = self._shuffle(shuffles, n)
            hand = self._counts(opening, order[:cut])
            low = opening.decided(hand, n)
            if low is not None:
                return minus(hand, low), low, order[cut:], n
        raise never_kept(self.question)

    def _drawn(
        self, opening: Opening, hand: Counts, low: Counts, rest: list[int]
    ) -> tuple[bool, bool]:
        """Return True for the condition given, and True for the objective after the draws."""
        cut, end = self.question.prizes, self.question.prizes + self.question.draws
        prizes, come, pile = (
            self._counts(opening, each) for each in (rest[:cut], rest[cut:end], rest[end:])
        )
        deck = added(added(come, pile), low)
        good = opening.given is None or holds(opening.given, hand, deck, prizes)
        lowest = [c for c, n in enumerate(low) for _ in range(n)]
        more = Counter(self.random.sample(lowest, max(0, end - len(rest))))
        last = tuple(more[c] for c in range(len(low)))
        zones = added(hand, added(come, last)), pile, minus(low, last), prizes
        hand, pile, low, prizes = map(opening.project, zones)
        return good, opening.chances.ends(hand, pile, low, prizes, self.random)
