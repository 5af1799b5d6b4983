"""Other numbers of copies: one more or less, the least that reach a target, the best of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from attrs import evolve, frozen

from dragon.errors import ConfigError
from dragon_cards.card import MOST_COPIES
from dragon_cards.store import store
from dragon_hands.deck import BLANK, BLANK_TAGS, Card, Deck, clauses, denies, hint
from dragon_hands.exact import Watch, part_of
from dragon_hands.probability import Probability
from dragon_hands.question import Question

AnyOf: TypeAlias = Callable[[Deck, Question, Watch | None], Probability]
"""A function that returns the exact probability of any condition: `odds.any_probability`."""
MOST_TRIED = 200_000
"""The most decks that a search for the best ratios looks at."""


@frozen
class Change:
    """The probability of any condition with one copy of a card less, and with one more."""

    card: str
    copies: int
    fewer: Probability | None
    """The probability with one copy less; None for a card without copies."""
    more: Probability


def sensitivity(
    any_of: AnyOf, deck: Deck, question: Question, watch: Watch | None = None
) -> Iterator[Change]:
    """Yield the change of each card; a blank makes room for a copy, or fills its place.

    Without blanks to take, one copy more makes the deck larger by a card.
    """
    kept = evolve(deck, size=max(deck.size, deck.listed))
    parts = 2 * len(deck.cards)
    for i, card in enumerate(deck.cards):
        fewer = None
        if card.copies:
            less = kept.with_copies({card.name: card.copies - 1})
            fewer = any_of(less, question, part_of(watch, 2 * i, parts))
        more = kept.with_copies({card.name: card.copies + 1})
        yield Change(
            card.name, card.copies, fewer,
            any_of(more, question, part_of(watch, 2 * i + 1, parts)),
        )  # fmt: skip


@frozen
class Need:
    """The least copies of a card with which a target is reached, if it can be."""

    card: str
    copies: int
    most: int
    """The most copies that are allowed and that the deck has room for."""
    needed: int | None
    share: Probability
    """The probability with `needed` copies, or the best one if that is None."""
    curve: tuple[tuple[int, float], ...]
    """The numbers of copies tried, with their probabilities."""


def needed(
    any_of: AnyOf,
    deck: Deck,
    question: Question,
    target: float,
    names: Sequence[str],
    limits: Mapping[str, int],
    watch: Watch | None = None,
) -> Iterator[Need]:
    """Yield the copies needed of each card, in a deck of the same size.

    limits: the most copies of each card; copies take the places of blanks. Raise ConfigError
    for unknown names.
    """
    kept = evolve(deck, size=deck.total)
    names = [card_called(deck, name).name for name in names or [card.name for card in deck.cards]]
    for i, name in enumerate(names):
        card = card_called(deck, name)
        most = min(limits[name], card.copies + deck.blanks)
        shares: list[Probability] = []
        for n in range(most + 1):
            part = part_of(watch, i * (most + 1) + n, len(names) * (most + 1))
            shares.append(any_of(kept.with_copies({name: n}), question, part))
            if shares[-1].p >= target:
                break
        best = max(shares, key=lambda share: share.fraction)
        reached = len(shares) - 1 if shares[-1].p >= target else None
        curve = tuple((n, share.p) for n, share in enumerate(shares))
        yield Need(name, card.copies, most, reached, best, curve)


def card_called(deck: Deck, name: str) -> Card:
    """Return the card of that name, as it is written, or else in another case or in the words of a
    list; raise ConfigError with a suggestion.
    """
    for word in (name, deck.name_of(name)):
        found = [card for card in deck.cards if card.name == word]
        found = found or [card for card in deck.cards if card.answers(word)]
        if len(found) == 1:
            return found[0]
    known = [card.name for card in deck.cards]
    raise ConfigError(
        f"no card called {name!r} in the deck{hint(name, known)}; name one as the deck file does"
    )


@frozen
class Ratios:
    """A deck with the best numbers of copies found so far."""

    copies: dict[str, int]
    share: Probability
    tried: int
    proven: bool


def best_ratios(
    any_of: AnyOf,
    deck: Deck,
    question: Question,
    ranges: Mapping[str, tuple[int, int]],
    total: int | None = None,
    watch: Watch | None = None,
) -> Iterator[Ratios]:
    """Yield better and better numbers of copies; the last is proven best unless many were tried.

    ranges: the least and most copies of each card that may vary; total: the most copies of
    these together, by default their present number. The deck keeps its size.
    Where the conditions only ask for cards, and nothing is drawn, more copies in the place
    of blanks never hurt: numbers that cannot win even with the most copies of the cards
    not yet fixed are skipped.
    """
    yield from _Run(any_of, deck, question, ranges, total, watch).search()


def _only_asks(deck: Deck) -> bool:
    """Return True if a copy in the place of a blank never hurts, for all numbers of copies.

    The formulas do not show this: they omit counts that the present copies always satisfy.
    """
    blank = Card(BLANK, 0, BLANK_TAGS)
    return all(
        clause.sign == "+" and clause.zone == "Hand" and not blank.answers(clause.name)
        for asked in deck.conditions
        for clause in clauses(asked.condition)
    ) and not any(denies(asked.condition) for asked in deck.conditions)


class _Run:
    """The search: cards that nothing distinguishes form one group."""

    def __init__(
        self,
        any_of: AnyOf,
        deck: Deck,
        question: Question,
        ranges: Mapping[str, tuple[int, int]],
        total: int | None,
        watch: Watch | None,
    ) -> None:
        self.deck, self.question, self.ranges = evolve(deck, size=deck.total), question, ranges
        self.any_of, self.watch = any_of, watch
        for name, (least, most) in ranges.items():
            card_called(deck, name)
            if not 0 <= least <= most <= 60:
                raise ConfigError(
                    f"{name!r} from {least} to {most} copies; write 0 <= least <= most <= 60"
                )
        now = sum(card.copies for card in deck.cards if card.name in ranges)
        self.room = now + deck.blanks
        self.total = min(now if total is None else total, self.room)
        least = sum(low for low, _ in ranges.values())
        if least > self.total:
            raise ConfigError(
                f"the least copies are {least} together, and only {self.total} cards may be; "
                "raise the total, or lower a minimum"
            )
        self.groups = self._groups()
        self.limits = [
            (sum(ranges[n][0] for n in names), sum(ranges[n][1] for n in names))
            for names in self.groups
        ]
        self.known: dict[tuple[int, ...], Probability] = {}
        alone = question.policy == "never" or not deck.has_free
        self.grows = _only_asks(deck) and alone and question.is_plain
        self.best: tuple[tuple[int, ...], Probability] | None = None

    def _groups(self) -> list[list[str]]:
        words = {c.name for asked in self.deck.conditions for c in clauses(asked.condition)}
        frees = [card.free for card in self.deck.cards if card.free]
        for cost in (cost for free in frees for cost in (free.cost, free.condition) if cost):
            words.update(word for names, _ in cost.names for word in names)
        found: dict[tuple[object, ...], list[str]] = {}
        for name in self.ranges:
            card = card_called(self.deck, name)
            key = (*(card.answers(word) for word in sorted(words)), card.name if card.free else "")
            found.setdefault(key, []).append(name)
        return list(found.values())

    def copies(self, numbers: Sequence[int]) -> dict[str, int]:
        """Return the copies of each card, given those of each group, none below its least."""
        found = {}
        for names, number in zip(self.groups, numbers, strict=True):
            spare = number - sum(self.ranges[n][0] for n in names)
            for name in names:
                low, high = self.ranges[name]
                extra = min(spare, high - low)
                found[name] = low + extra
                spare -= extra
        return found

    def share(self, numbers: tuple[int, ...]) -> Probability:
        """Return the probability with these numbers of each group."""
        if numbers not in self.known:
            deck = self.deck.with_copies(self.copies(numbers))
            self.known[numbers] = self.any_of(deck, self.question, None)
        return self.known[numbers]

    def search(self) -> Iterator[Ratios]:
        """Climb by single copies, then try every choice that may be better."""
        for numbers in chain(self._climb(), self._deeper([])):
            if len(self.known) > MOST_TRIED:
                yield self._found(False)
                return
            if self.best is None or self.share(numbers).fraction > self.best[1].fraction:
                self.best = numbers, self.share(numbers)
                yield self._found(False)
        yield self._found(True)

    def _climb(self) -> Iterator[tuple[int, ...]]:
        """Start from the least copies, and add the one copy that helps most each time."""
        numbers = tuple(low for low, _ in self.limits)
        yield numbers
        while sum(numbers) < self.total:
            after = [
                (*numbers[:i], n + 1, *numbers[i + 1 :])
                for i, n in enumerate(numbers)
                if n < self.limits[i][1]
            ]
            if not after:
                return
            numbers = max(after, key=lambda each: self.share(each).fraction)
            yield numbers

    def _deeper(
        self, fixed: list[int], first: float = 0.0, part: float = 1.0
    ) -> Iterator[tuple[int, ...]]:
        """Yield every choice that begins with `fixed`, the `part` of the work from `first` on."""
        i = len(fixed)
        left = self.total - sum(fixed)
        if i == len(self.groups):
            yield tuple(fixed)
            return
        if self.grows and fixed and not self._may_win(fixed, left):
            return
        later = sum(low for low, _ in self.limits[i + 1 :])
        low, high = self.limits[i]
        choices = range(min(high, left - later), low - 1, -1)
        for done, n in enumerate(choices):
            if self.watch is not None:
                self.watch(first + part * done / len(choices))
            yield from self._deeper(
                [*fixed, n], first + part * done / len(choices), part / len(choices)
            )

    def _may_win(self, fixed: list[int], left: int) -> bool:
        """Return True if the most copies of the groups to come would beat the best."""
        later = self.limits[len(fixed) :]
        spare = left - sum(low for low, _ in later)
        most = (min(high, low + spare) for low, high in later)
        assert self.best is not None
        numbers = (*fixed, *most)
        impossible = sum(numbers) > self.room  # a deck of this size has fewer cards
        return impossible or self.share(numbers).fraction > self.best[1].fraction

    def _found(self, proven: bool) -> Ratios:
        assert self.best is not None
        return Ratios(self.copies(self.best[0]), self.best[1], len(self.known), proven)


def limits_of(deck: Deck, banlist: str, most: int | None = None) -> Mapping[str, int]:
    """Return the most copies for each name of a deck, or `most` for each if it is given.

    A name that has more than three already stands for several cards, which only the size of
    the deck limits. banlist: one of `dragon_cards.card.FORMATS`.
    """
    cards = store()

    def limit(name: str) -> int:
        place = cards.names.find(name)
        return MOST_COPIES if place is None else cards.cards[place].limit(banlist)

    return {
        card.name: most if most is not None
        else limit(card.name) if card.copies <= MOST_COPIES
        else deck.total
        for card in deck.cards
    }  # fmt: skip
