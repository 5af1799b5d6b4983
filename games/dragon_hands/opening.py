"""The way from a deck to a hand that is kept: mulligans, known cards, and the decisions.

Everything is counted by *classes*, the cards that no condition tells apart. Where there is a
decision, opening hands are listed by the cards of each class; what comes later is a row of
`dragon_hands.chances`, to which those of keeping after 0, 1, ... mulligans are added. Each
objective has its own best decisions, as it has its own best play. Where that is too slow, hands are
dealt at random: `Dealing`. The module is loaded for such questions alone.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb

from dragon.errors import ConfigError
from dragon_hands.chances import (
    Counted,
    Listed,
    Player,
    Row,
    holds,
    mean,
    membership,
    places,
    rebased,
)
from dragon_hands.deck import Clause, Condition, Deck, Not
from dragon_hands.exact import Allowance, Counts, Formula, Objective, Watch, part_of
from dragon_hands.formula import added, compositions, formula, minus, objectives_of, regrouped
from dragon_hands.probability import Found, Kept, Probability
from dragon_hands.question import KNOWN, Question


def exact(
    deck: Deck, question: Question, formulas: Sequence[Formula], player: Player,
    watch: Watch | None = None,
) -> Found:  # fmt: skip
    """Return the exact probabilities; raise TooLarge, or ConfigError where nothing is kept."""
    question.checked(deck)
    keys = [tuple(dict.fromkeys(each)) for each in objectives_of(formulas)]
    allowance, known = Allowance(), dict[Objective, Row]()
    for key in keys:
        if key not in known:
            part = part_of(watch, len(known), len(set(keys)))
            known[key] = Opening(deck, question, key, player, allowance).row(part)
    rows = [known[key] for key in keys]
    if not all(row[2] for row in rows):
        raise not_given(question)
    some = rows[-2]
    return Found(
        [Probability.of(Fraction(row[1]) / row[2], 1) for row in rows],
        tuple(
            Kept(n, cards_left(question, n), Probability.of(Fraction(p), 1))
            for n, p in enumerate(some[3:])
        ),
        Probability.of(Fraction(some[2]), 1) if question.given is not None else None,
    )


def cards_left(question: Question, mulligans: int) -> int:
    """Return the cards of a hand after mulligans."""
    return question.hand - mulligans * (question.mulligan == "london")


class Opening:
    """The odds of an objective from a deck on."""

    def __init__(
        self, deck: Deck, question: Question, objective: Objective, player: Player,
        allowance: Allowance,
    ) -> None:  # fmt: skip
        self.question, self.allowance, self.most = question, allowance, _most(question)
        cards = len(deck.main)
        keep, given = (
            None if each is None else formula(each, deck, question.sharing)
            for each in (question.keep, question.given)
        )
        known = {name: dict(getattr(question, name)) for name in KNOWN}
        drawn = question.hand - sum(known["in_hand"].values())
        above = deck.total - question.hand - sum(
            n for name in ("seen", "bottom") for n in known[name].values()
        )  # fmt: skip
        deep = above < question.prizes + question.draws
        looked = {n.zone for f in (*objective, given or ()) for term in f for n in term}
        prizes = question.prizes if deep or looked & {"Prizes", "Deck"} else 0
        """Those that make a difference: others are like the rest of the deck."""
        later = prizes, question.draws
        endless = keep if question.mulligan == "redraw" and self.most is None else None
        plays = deck.has_free and question.policy != "never"
        self.chances: Counted | Listed = (
            Listed(deck, objective, given, endless, later, allowance, player if plays else None)
            if plays or deep
            else Counted(cards, objective, given, endless, later, allowance)
        )
        wanted = _wanted(question.keep, deck) if question.mulligan == "replace" else frozenset()
        keys = membership([keep or ()], cards)
        place = places(
            (self.chances.place[i], i in wanted, *keys[i] * (endless is None))
            for i in range(cards)
        )  # fmt: skip
        self.place, size = place, max(place) + 1
        self.inner = dict(zip(place, self.chances.place, strict=True))
        self.keep = None if keep is None else rebased(keep, place)
        self.given = None if given is None else rebased(given, place)
        self.wanted = {place[i] for i in wanted}
        self.none = (0,) * size

        def counts(copies: Mapping[str, int]) -> Counts:
            found = [0] * size
            for i, card in enumerate(deck.main):
                found[place[i]] += copies.get(card.name, 0)
            return tuple(found)

        self.held, seen, self.bottom = (counts(known[name]) for name in KNOWN)
        copies = counts({card.name: card.copies for card in deck.main})
        self.all = minus(copies, added(seen, added(self.held, self.bottom)))
        """The cards from which the hand is drawn."""
        self.drawn = drawn
        self.stages: dict[int, Row] = {}
        self.kept: dict[Counts, bool] = {}

    def row(self, watch: Watch | None = None) -> Row:
        """Return the row of the whole way; raise ConfigError if no hand can be kept."""
        if self.question.mulligan == "none":
            return self.come(self.held, self.all, self.bottom, self.drawn, self.none)
        if self.question.mulligan == "replace":
            return self._mean(lambda hand: self.exchanged(hand, self.aside(hand)), watch)
        if self.most is None:
            *found, kept = self.come(self.none, self.all, self.none, self.drawn, self.none)
            if not kept:
                raise never_kept(self.question)
            return (*(Fraction(each) / kept for each in found), kept)
        for n in range(self.most, -1, -1):
            self.stage(n, part_of(watch, self.most - n, self.most + 1))
        return self.stage(0)

    def _mean(self, row: Callable[[Counts], Row], watch: Watch | None) -> Row:
        """Return the mean of the rows of all opening hands."""

        def rows() -> Iterator[tuple[int, Row]]:
            done = 0
            for hand, ways in compositions(self.all, self.drawn):
                self.allowance.take(1)
                if watch is not None:
                    watch(done / every)
                done += ways
                yield ways, row(hand)

        every = comb(sum(self.all), self.drawn)
        return mean(rows(), every)

    def come(self, hand: Counts, pile: Counts, low: Counts, first: int, aside: Counts) -> Row:
        """Return the row of a hand; see `Counted.row`."""
        hand, pile, low, aside = map(self.project, (hand, pile, low, aside))
        return self.chances.row(hand, pile, low, first, aside)

    def settle(self, hand: Counts, low: Counts) -> Row:
        """Return the row of a hand that is kept, with cards on the bottom."""
        pile = minus(self.all, added(hand, low))
        return self.come(hand, pile, low, 0, self.none)

    def project(self, counts: Counts) -> Counts:
        """Return counts by the classes of `chances`."""
        return regrouped(counts, self.inner, max(self.chances.place) + 1)

    # -- mulligans

    def options(self, hand: Counts, n: int) -> list[Counts]:
        """Return the cards that can be put on the bottom so that the rest is kept."""
        down = n if self.question.mulligan == "london" else 0
        found = [low for low, _ in compositions(hand, down)]
        if self.keep is None:
            return found
        kept = [low for low in found if self._keeps(minus(hand, low))]
        return kept or (found if n == self.most else [])

    def _keeps(self, hand: Counts) -> bool:
        """Return True if a hand satisfies the condition of keeping it; found once."""
        if hand not in self.kept:
            assert self.keep is not None
            self.kept[hand] = holds(self.keep, hand, minus(self.all, hand), self.none)
        return self.kept[hand]

    def decided(self, hand: Counts, n: int) -> Counts | None:
        """Return the best cards of a hand to put on the bottom; None for another mulligan."""
        options = self.options(hand, n)
        if len(options) < 2 and (self.keep is not None or n == self.most):
            return options[0] if options else None
        best = max(options, key=lambda low: self.settle(minus(hand, low), low))
        if self.keep is None and n != self.most:
            return best if self.settle(minus(hand, best), best) >= self.stage(n + 1)[:3] else None
        return best

    def stage(self, n: int, watch: Watch | None = None) -> Row:
        """Return the row before the hand after n mulligans is dealt, and all that follow."""
        if n not in self.stages:
            self.stages[n] = self._mean(lambda hand: self.staged(hand, n), watch)
        return self.stages[n]

    def staged(self, hand: Counts, n: int) -> Row:
        """Return the row of a hand that was dealt after n mulligans, and all that follow."""
        low = self.decided(hand, n)
        if low is None:
            return self.stage(n + 1)
        flags = (int(i == n) for i in range((self.most or 0) + 1))
        return (*self.settle(minus(hand, low), low), *flags)

    def aside(self, hand: Counts) -> Counts:
        """Return the cards of a hand to set aside: those not wanted, or the best choice."""
        if self.question.keep is not None:
            return tuple(n * (c not in self.wanted) for c, n in enumerate(hand))
        choices = (each for n in range(sum(hand) + 1) for each, _ in compositions(hand, n))
        return max(choices, key=lambda each: self.exchanged(hand, each))

    def exchanged(self, hand: Counts, aside: Counts) -> Row:
        """Return the row of a hand of which some cards are replaced from the rest of the deck."""
        kept, pile = minus(hand, aside), minus(self.all, hand)
        return self.come(kept, pile, self.none, sum(aside), aside)


def _most(question: Question) -> int | None:
    """Return the most mulligans; None for no end."""
    if question.mulligan == "london" and question.mulligans is None:
        return question.hand - 1
    return question.mulligans


def never_kept(question: Question) -> ConfigError:
    """Return the error for hands that are redrawn without end."""
    return ConfigError(f"no hand is ever kept by --keep {str(question.keep)!r}; ask for less")


def not_given(question: Question) -> ConfigError:
    """Return the error for a condition that no hand satisfies."""
    return ConfigError(f"no kept hand satisfies --given {str(question.given)!r}; ask for less")


def _wanted(keep: Condition | None, deck: Deck) -> frozenset[int]:
    """Return the cards that a condition asks for."""
    names = [clause.name for clause in _asking(keep)] if keep else []
    return frozenset(i for i, card in enumerate(deck.main) if any(map(card.answers, names)))


def _asking(condition: Condition) -> Iterator[Clause]:
    """Yield the clauses that ask for cards: neither at most, nor denied."""
    if isinstance(condition, Clause):
        if condition.sign != "-" and condition.count:
            yield condition
    elif not isinstance(condition, Not):
        for part in condition.parts:
            yield from _asking(part)


# ---- dealt at random -----------------------------------------------------------------------------

MOST_REDRAWN = 100_000
"""The most mulligans of one hand."""
GUESSED = 60
"""Hands whose mean is taken for the value of a mulligan: enough for all but close decisions."""


class Dealing:
    """Hands dealt from one stream of random numbers, mulliganed, kept and drawn to.

    The same shuffles serve all objectives; only the decisions differ.
    """

    def __init__(
        self, deck: Deck, question: Question, formulas: Sequence[Formula], player: Player,
        seed: int,
    ) -> None:  # fmt: skip
        question.checked(deck)
        self.question, self.random = question, random.Random(seed)
        allowance = Allowance(1 << 60)  # the clock limits what is dealt
        self.openings = [
            Opening(deck, question, each, player, allowance) for each in objectives_of(formulas)
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
