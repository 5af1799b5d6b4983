"""The way from a deck to a kept hand and on to a turn: mulligans, known cards, prizes, draws.

Everything is counted by *classes*, the cards that no condition tells apart. Opening hands are
listed by the cards of each class; of a kept hand the cards drawn later are counted by
`dragon_hands.exact`, with bounds from which the hand is taken off, or, where there are free cards,
listed and played. Each objective has its own best decisions, as it has its own best play.

A *row* holds three probabilities: that the objective holds, that it holds and the condition of
`given` too, and that the latter holds; then those of keeping after 0, 1, ... mulligans. Rows are
linear, so that the mean of rows is a row. The better of two decisions has the larger row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import comb
from random import Random
from typing import Any, TypeAlias

from attrs import field, frozen

from dragon.errors import ConfigError
from dragon_hands.deck import Clause, Condition, Deck, Not
from dragon_hands.exact import Allowance, successes
from dragon_hands.formula import (
    Count,
    Counts,
    Formula,
    Objective,
    added,
    compositions,
    formula,
    minus,
    model_of,
    objectives_of,
)
from dragon_hands.play import Position
from dragon_hands.policy import Watch, part_of, player
from dragon_hands.probability import Probability
from dragon_hands.question import Known, Question

Row: TypeAlias = tuple[Fraction | int, ...]


@frozen
class Kept:
    """The probability that a hand is kept after so many mulligans."""

    mulligans: int
    cards: int
    share: Probability

    def plain(self) -> dict[str, Any]:
        """Return the documented object."""
        return {"mulligans": self.mulligans, "cards": self.cards, **self.share.plain()}


@frozen
class Found:
    """The probabilities of each formula, any and all; of keeping, and of the condition given."""

    shares: list[Probability]
    kept: tuple[Kept, ...] = ()
    given: Probability | None = None


def exact(
    deck: Deck, question: Question, formulas: Sequence[Formula], watch: Watch | None = None
) -> Found:
    """Return the exact probabilities; raise TooLarge, or ConfigError where nothing is kept."""
    question.checked(deck)
    keys = [tuple(dict.fromkeys(each)) for each in objectives_of(formulas)]
    allowance, known = Allowance(), dict[Objective, Row]()
    for key in keys:
        if key not in known:
            part = part_of(watch, len(known), len(set(keys)))
            known[key] = Opening(deck, question, key, allowance).row(part)
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


# ---- the cards drawn after the opening hand ------------------------------------------------------


@frozen
class _Drawn:
    """Draws without free cards: the exact counter answers."""

    objective: Objective
    """Over classes."""
    place: tuple[int, ...]
    """The class of each card of the deck."""
    draws: int
    allowance: Allowance
    known: dict[tuple[Counts, ...], Fraction | int] = field(factory=dict)

    @classmethod
    def of(cls, deck: Deck, objective: Objective, draws: int, allowance: Allowance) -> _Drawn:
        """Return the draws of an objective over the cards of a deck."""
        sets = sorted({count.cards for each in objective for term in each for count in term})
        place = _places([tuple(s >> i & 1 for s in sets) for i in range(len(deck.main))])
        return cls(tuple(_rebased(each, place) for each in objective), place, draws, allowance)

    def value(self, hand: Counts, pile: Counts, bottom: Counts, prizes: Counts) -> Fraction | int:
        """Return the probability that the objective holds after the draws."""
        key = hand, pile, bottom, prizes
        if key not in self.known:
            self.known[key] = self._value(hand, pile, bottom, prizes)
        return self.known[key]

    def ends(self, hand: Counts, pile: Counts, bottom: Counts, prizes: Counts, rng: Random) -> bool:
        """Return True if the objective holds after the last draw."""
        return all(holds(each, hand, added(pile, bottom), prizes) for each in self.objective)

    def _value(self, hand: Counts, pile: Counts, bottom: Counts, prizes: Counts) -> Fraction | int:
        draws, there = self.draws, sum(pile)
        if draws > there:
            hand, pile, bottom = added(hand, pile), bottom, (0,) * len(pile)
            draws -= there
        self.allowance.take(5)
        shifted = tuple(_shifted(each, hand, bottom, prizes) for each in self.objective)
        ways = successes(shifted, pile, draws, self.allowance)
        return Fraction(ways, comb(sum(pile), draws))


class _Played:
    """Draws with free cards, which are played after the last draw."""

    def __init__(self, deck: Deck, objective: Objective, question: Question) -> None:
        model = model_of(deck, objective, question.hand, shortcuts=False)
        named = {name: c for c, each in enumerate(model.classes) for name in each.cards}
        self.place = tuple(named.get(card.name, 0) for card in deck.main)  # 0: no copies
        self.plays, self.draws = player(question.policy, model), question.draws
        self.none = (0,) * model.size

    def value(self, hand: Counts, pile: Counts, bottom: Counts, prizes: Counts) -> Fraction | int:
        """Return the probability that the policy satisfies the objective after the draws."""
        draws, there, total = self.draws, sum(pile), Fraction(0)
        if draws > there:
            hand, pile, bottom = added(hand, pile), bottom, self.none
            draws -= there
        for taken, ways in compositions(pile, draws):
            self.plays.works(1)
            at = Position(
                added(hand, taken), minus(pile, taken), bottom, self.none, self.none
            )  # fmt: skip
            total += ways * self.plays.value(at)
        return total / comb(sum(pile), draws)

    def ends(self, hand: Counts, pile: Counts, bottom: Counts, prizes: Counts, rng: Random) -> bool:
        """Return True if the policy satisfies the objective after the last draw."""
        at = Position(hand, pile, bottom, self.none, self.none)
        return rng.random() < self.plays.value(at)


def _places(keys: Iterable[tuple[object, ...]]) -> tuple[int, ...]:
    """Return the class of each card, given what distinguishes it."""
    known: dict[tuple[object, ...], int] = {}
    return tuple(known.setdefault(key, len(known)) for key in keys)


def _rebased(given: Formula, place: Sequence[int]) -> Formula:
    """Return a formula over cards as one over classes."""

    def of(count: Count) -> Count:
        sets = {place[i] for i in range(len(place)) if count.cards >> i & 1}
        return Count(count.zone, sum(1 << c for c in sets), count.least, count.count)

    return tuple(frozenset(map(of, term)) for term in given)


def _within(cards: int, counts: Counts) -> int:
    """Return the number of cards of a set."""
    return sum(n for c, n in enumerate(counts) if cards >> c & 1)


def _shifted(given: Formula, hand: Counts, bottom: Counts, prizes: Counts) -> Formula:
    """Return a formula as one about the cards drawn to a hand."""
    already = {"Hand": hand, "Deck": bottom, "Prizes": prizes}
    terms = []
    for term in given:
        open_ = set()
        for count in term:
            there = _within(count.cards, already.get(count.zone, ()))
            if count.zone in ("Hand", "Deck"):
                open_.add(Count(count.zone, count.cards, count.least, count.count - there))
            elif not count.holds(there):
                break
        else:
            terms.append(frozenset(open_))
    return tuple(terms)


# ---- one objective -------------------------------------------------------------------------------


class Opening:
    """The odds of an objective from a deck on, by listing opening hands."""

    def __init__(
        self, deck: Deck, question: Question, objective: Objective, allowance: Allowance
    ) -> None:
        self.question, self.allowance = question, allowance
        plays = deck.has_free and question.policy != "never"
        self.later: _Drawn | _Played = (
            _Played(deck, objective, question) if plays
            else _Drawn.of(deck, objective, question.draws, allowance)
        )  # fmt: skip
        keep, given = (
            None if each is None else formula(each, deck, question.sharing)
            for each in (question.keep, question.given)
        )
        sets = {n.cards for each in (keep, given) if each for term in each for n in term}
        wanted = _wanted(question.keep, deck) if question.mulligan == "replace" else 0
        keys = [
            (self.later.place[i], wanted >> i & 1, *(s >> i & 1 for s in sorted(sets)))
            for i in range(len(deck.main))
        ]
        place = _places(keys)
        size = max(place) + 1
        self.inner = [0] * size
        """The class of `later` that each class belongs to."""
        for c, key in zip(place, keys, strict=True):
            self.inner[c] = key[0]
        self.place = place
        self.keep = None if keep is None else _rebased(keep, place)
        self.given = None if given is None else _rebased(given, place)
        self.wanted = {place[i] for i in range(len(place)) if wanted >> i & 1}

        def known(cards: Known) -> Counts:
            numbers = dict(cards)
            found = [0] * size
            for i, card in enumerate(deck.main):
                found[place[i]] += numbers.get(card.name, 0)
            return tuple(found)

        copies = [0] * size
        for i, card in enumerate(deck.main):
            copies[place[i]] += card.copies
        self.held, self.bottom = known(question.in_hand), known(question.bottom)
        self.all = minus(minus(tuple(copies), known(question.seen)), added(self.held, self.bottom))
        """The cards from which the hand is drawn."""
        self.none = (0,) * size
        self.drawn = question.hand - sum(self.held)
        self.settled: dict[tuple[Counts, Counts], Row] = {}
        self.stages: dict[int, Row] = {}
        about = [*objective, *(each for each in (given,) if each is not None)]
        looked = {n.zone for each in about for term in each for n in term}
        short = sum(self.all) - self.drawn < question.prizes + question.draws
        self.prizes = question.prizes if short or looked & {"Prizes", "Deck"} else 0
        """The prizes that make a difference: others are like the rest of the deck."""
        self.most = _most(question)

    def row(self, watch: Watch | None = None) -> Row:
        """Return the row of the whole way; raise ConfigError if no hand can be kept."""
        if self.question.mulligan == "none":
            return self._mean(lambda hand: self.settle(added(self.held, hand), self.bottom), watch)
        if self.question.mulligan == "replace":
            return self._mean(lambda hand: self.exchanged(hand, self.aside(hand)), watch)
        if self.most is None:
            return self._until_kept(watch)
        for n in range(self.most, -1, -1):
            self.stage(n, part_of(watch, self.most - n, self.most + 1))
        return self.stage(0)

    def _mean(self, row: Callable[[Counts], Row], watch: Watch | None) -> Row:
        """Return the mean of the rows of all opening hands."""
        total, done = comb(sum(self.all), self.drawn), 0
        sums: list[Counter[int]] = []
        for hand, ways in compositions(self.all, self.drawn):
            self.allowance.take(1)
            if watch is not None:
                watch(done / total)
            done += ways
            found = row(hand)
            sums += (Counter() for _ in range(len(found) - len(sums)))
            for each, value in zip(sums, found, strict=True):
                each[value.denominator] += ways * value.numerator
        return tuple(_sum(each) / total for each in sums)

    def settle(self, hand: Counts, bottom: Counts) -> Row:
        """Return the row of a hand that is kept: three probabilities."""
        key = hand, bottom
        if key not in self.settled:
            self.settled[key] = self._settle(hand, bottom)
        return self.settled[key]

    def _settle(self, hand: Counts, bottom: Counts) -> Row:
        pile = minus(added(self.all, added(self.held, self.bottom)), added(hand, bottom))
        sums = [Fraction(0)] * 3
        for prizes, ways in compositions(pile, self.prizes):
            left = minus(pile, prizes)
            value = self.later.value(*map(self.project, (hand, left, bottom, prizes)))
            good = self.given is None or holds(self.given, hand, added(left, bottom), prizes)
            for i, each in enumerate((value, value if good else 0, 1 if good else 0)):
                sums[i] += ways * each
        total = comb(sum(pile), self.prizes)
        return tuple(each / total for each in sums)

    def project(self, counts: Counts) -> Counts:
        """Return counts by the classes of `later`."""
        found = [0] * (max(self.later.place) + 1)
        for c, n in zip(self.inner, counts, strict=True):
            found[c] += n
        return tuple(found)

    # -- mulligans

    def options(self, hand: Counts, n: int) -> list[Counts]:
        """Return the cards that can be put on the bottom so that the rest is kept."""
        down = n if self.question.mulligan == "london" else 0
        found = [low for low, _ in compositions(hand, down)]
        if self.keep is None:
            return found
        kept = [
            low
            for low in found
            if holds(self.keep, rest := minus(hand, low), minus(self.all, rest), self.none)
        ]
        return kept or (found if n == self.most else [])

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
            assert self.most is not None
            flags = tuple(int(i == n) for i in range(self.most + 1))

            def row(hand: Counts) -> Row:
                low = self.decided(hand, n)
                if low is None:
                    return self.stage(n + 1)
                return (*self.settle(minus(hand, low), low), *flags)

            self.stages[n] = self._mean(row, watch)
        return self.stages[n]

    def _until_kept(self, watch: Watch | None) -> Row:
        """Return the row of redraws without end: that of the first hand if it is kept."""

        def row(hand: Counts) -> Row:
            low = self.decided(hand, 0)
            return (0, 0, 0, 0) if low is None else (*self.settle(hand, low), 1)

        *found, kept = self._mean(row, watch)
        if not kept:
            raise never_kept(self.question)
        return (*(Fraction(each) / kept for each in found), kept)

    def aside(self, hand: Counts) -> Counts:
        """Return the cards of a hand to set aside: those not wanted, or the best choice."""
        if self.question.keep is not None:
            return tuple(n * (c not in self.wanted) for c, n in enumerate(hand))
        choices = (each for n in range(sum(hand) + 1) for each, _ in compositions(hand, n))
        return max(choices, key=lambda each: self.exchanged(hand, each))

    def exchanged(self, hand: Counts, aside: Counts) -> Row:
        """Return the row of a hand of which some cards are replaced from the rest of the deck."""
        rest, kept, number = minus(self.all, hand), minus(hand, aside), sum(aside)
        sums = [Fraction(0)] * 3
        for come, ways in compositions(rest, number):
            self.allowance.take(1)
            for i, each in enumerate(self.settle(added(kept, come), self.none)):
                sums[i] += ways * each
        total = comb(sum(rest), number)
        return tuple(each / total for each in sums)


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


def _wanted(keep: Condition | None, deck: Deck) -> int:
    """Return the set of cards that a condition asks for."""
    names = [clause.name for clause in _asking(keep)] if keep else []
    return sum(1 << i for i, card in enumerate(deck.main) if any(map(card.answers, names)))


def _asking(condition: Condition) -> Iterator[Clause]:
    """Yield the clauses that ask for cards: neither at most, nor denied."""
    if isinstance(condition, Clause):
        if condition.sign != "-" and condition.count:
            yield condition
    elif not isinstance(condition, Not):
        for part in condition.parts:
            yield from _asking(part)


def holds(given: Formula, hand: Counts, deck: Counts, prizes: Counts) -> bool:
    """Return True if a formula over classes holds with these cards in the zones."""
    zones = {"Hand": hand, "Deck": deck, "Prizes": prizes}
    return any(
        all(count.holds(_within(count.cards, zones.get(count.zone, ()))) for count in term)
        for term in given
    )


def _sum(numerators: Counter[int]) -> Fraction:
    return sum((Fraction(n, d) for d, n in numerators.items()), Fraction(0))
