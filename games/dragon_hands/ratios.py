"""Other numbers of copies: one more or less, the least that reach a target, the best of all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve, frozen

from dragon.errors import ConfigError
from dragon_hands.condition import clauses, denies
from dragon_hands.fields import hint
from dragon_hands.policy import Watch
from dragon_hands.question import Question
from dragon_hands.share import Share, exact_shares, formulas_of, has_free
from dragon_hands.spec import BLANK, BLANK_TAGS, Card, Spec

MOST_TRIED = 200_000
"""Decks that a search for the best ratios looks at."""


def any_share(spec: Spec, question: Question, watch: Watch | None = None) -> Share:
    """The exact probability of any condition; raises TooLarge."""
    return exact_shares(spec, formulas_of(spec, question.sharing), question, watch)[-2]


@frozen
class Change:
    """What one copy less and one more of a card make of the probability of any condition."""

    card: str
    copies: int
    fewer: Share | None
    """None where there is no copy to take away."""
    more: Share


def sensitivity(spec: Spec, question: Question, watch: Watch | None = None) -> Iterator[Change]:
    """Each card in turn; a blank makes room for a copy, or fills its place.

    Without blanks to take, one copy more makes the deck larger by a card. watch: told how far
    the work on a single deck is.
    """
    kept = evolve(spec, size=max(spec.size, spec.listed))
    for card in spec.cards:
        fewer = None
        if card.qty:
            fewer = any_share(kept.with_copies({card.name: card.qty - 1}), question, watch)
        more = any_share(kept.with_copies({card.name: card.qty + 1}), question, watch)
        yield Change(card.name, card.qty, fewer, more)


@frozen
class Need:
    """The least copies of a card with which a target is reached; None where it never is."""

    card: str
    copies: int
    needed: int | None
    share: Share
    """With `needed` copies, or the best that there is."""
    curve: tuple[tuple[int, float], ...]
    """Copies and probability, as far as was looked."""


def needed(spec: Spec, question: Question, target: float, names: Sequence[str]) -> Iterator[Need]:
    """For each card the copies that it takes, in a deck of the same size.

    Copies take the places of blanks; raises ConfigError for unknown names.
    """
    kept = evolve(spec, size=spec.total)
    for name in names or [card.name for card in spec.cards]:
        card = card_called(spec, name)
        room = card.qty + spec.blanks
        curve: list[tuple[int, float]] = []
        best: tuple[int, Share] | None = None
        found = None
        for n in range(room + 1):
            share = any_share(kept.with_copies({name: n}), question)
            curve.append((n, share.p))
            if best is None or share.fraction > best[1].fraction:
                best = n, share
            if share.p >= target:
                found = n
                break
        assert best is not None
        yield Need(name, card.qty, found, best[1], tuple(curve))


def card_called(spec: Spec, name: str) -> Card:
    """The card of that name; raises ConfigError with what was perhaps meant."""
    for card in spec.cards:
        if card.name == name:
            return card
    known = [card.name for card in spec.cards]
    raise ConfigError(
        f"no card called {name!r} in the deck{hint(name, known)}; name one as the deck file does"
    )


@frozen
class Ratios:
    """A deck with the best numbers of copies found so far."""

    copies: dict[str, int]
    share: Share
    tried: int
    proven: bool


def best_ratios(
    spec: Spec,
    question: Question,
    ranges: Mapping[str, tuple[int, int]],
    total: int | None = None,
) -> Iterator[Ratios]:
    """Ever better numbers of copies; the last is proven best, unless very many were tried.

    ranges: the least and most copies of each card that may vary; total: at most so many of
    these together, as many as there are now if none is given. The deck keeps its size.
    Where the conditions only ask for cards, and nothing is drawn, more copies in the place
    of blanks never hurt: numbers that cannot win even with the most copies of the cards
    not yet fixed are passed over.
    """
    run = _Run(spec, question, ranges, total)
    yield from run.search()


def _only_asks(spec: Spec) -> bool:
    """Whether a copy in the place of a blank never hurts, whatever the copies are.

    A formula would not tell: it has no counts that the present copies make idle.
    """
    blank = Card(BLANK, 0, BLANK_TAGS)
    return all(
        clause.sign == "+" and clause.zone == "Hand" and not blank.answers(clause.name)
        for asked in spec.conditions
        for clause in clauses(asked.condition)
    ) and not any(denies(asked.condition) for asked in spec.conditions)


class _Run:
    """The search: cards that nothing tells apart are numbered together."""

    def __init__(
        self,
        spec: Spec,
        question: Question,
        ranges: Mapping[str, tuple[int, int]],
        total: int | None,
    ) -> None:
        self.spec, self.question, self.ranges = evolve(spec, size=spec.total), question, ranges
        for name, (least, most) in ranges.items():
            card_called(spec, name)
            if not 0 <= least <= most <= 60:
                raise ConfigError(
                    f"{name!r} from {least} to {most} copies; write 0 <= least <= most <= 60"
                )
        now = sum(card.qty for card in spec.cards if card.name in ranges)
        self.room = now + spec.blanks
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
        self.known: dict[tuple[int, ...], Share] = {}
        self.grows = _only_asks(spec) and (question.policy == "never" or not has_free(spec))
        self.best: tuple[tuple[int, ...], Share] | None = None

    def _groups(self) -> list[list[str]]:
        words = sorted({c.name for asked in self.spec.conditions for c in clauses(asked.condition)})
        found: dict[tuple[object, ...], list[str]] = {}
        for name in self.ranges:
            card = card_called(self.spec, name)
            key = (*(card.answers(word) for word in words), card.name if card.free else "")
            found.setdefault(key, []).append(name)
        return list(found.values())

    def copies(self, numbers: Sequence[int]) -> dict[str, int]:
        """The copies of each card: those of a group as it comes, none below its least."""
        found = {}
        for names, number in zip(self.groups, numbers, strict=True):
            spare = number - sum(self.ranges[n][0] for n in names)
            for name in names:
                low, high = self.ranges[name]
                extra = min(spare, high - low)
                found[name] = low + extra
                spare -= extra
        return found

    def share(self, numbers: tuple[int, ...]) -> Share:
        """The probability with so many of each group."""
        if numbers not in self.known:
            self.known[numbers] = any_share(
                self.spec.with_copies(self.copies(numbers)), self.question
            )
        return self.known[numbers]

    def search(self) -> Iterator[Ratios]:
        """A climb by single copies, then every choice that may be better."""
        numbers = tuple(low for low, _ in self.limits)
        yield from self._climbed(numbers)
        complete = True
        for found in self._deeper([]):
            if len(self.known) > MOST_TRIED:
                complete = False
                break
            if self._improves(found):
                yield self._told(False)
        yield self._told(complete)

    def _climbed(self, numbers: tuple[int, ...]) -> Iterator[Ratios]:
        """From the least copies, always the one copy more that helps most."""
        self._improves(numbers)
        while sum(numbers) < self.total:
            after = [
                (*numbers[:i], n + 1, *numbers[i + 1 :])
                for i, n in enumerate(numbers)
                if n < self.limits[i][1]
            ]
            if not after:
                break
            numbers = max(after, key=lambda each: self.share(each).fraction)
            if self._improves(numbers):
                yield self._told(False)

    def _improves(self, numbers: tuple[int, ...]) -> bool:
        share = self.share(numbers)
        if self.best is None or share.fraction > self.best[1].fraction:
            self.best = numbers, share
            return True
        return False

    def _deeper(self, fixed: list[int]) -> Iterator[tuple[int, ...]]:
        i = len(fixed)
        left = self.total - sum(fixed)
        if i == len(self.groups):
            yield tuple(fixed)
            return
        if self.grows and fixed and not self._may_win(fixed, left):
            return
        later = sum(low for low, _ in self.limits[i + 1 :])
        low, high = self.limits[i]
        for n in range(min(high, left - later), low - 1, -1):
            yield from self._deeper([*fixed, n])

    def _may_win(self, fixed: list[int], left: int) -> bool:
        """Whether the most copies of the groups to come would beat the best."""
        later = self.limits[len(fixed) :]
        spare = left - sum(low for low, _ in later)
        most = (min(high, low + spare) for low, high in later)
        assert self.best is not None
        numbers = (*fixed, *most)
        if sum(numbers) > self.room:  # no deck of this size has so many
            return True
        return self.share(numbers).fraction > self.best[1].fraction

    def _told(self, proven: bool) -> Ratios:
        assert self.best is not None
        return Ratios(self.copies(self.best[0]), self.best[1], len(self.known), proven)
