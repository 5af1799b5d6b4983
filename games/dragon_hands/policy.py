"""The exact value of a deck with free cards, as a fraction, by the policy that plays them.

`never`: the opening hand as it is. `greedy`: see `Greedy`. `optimal`: the best play of
a player who knows the deck but not its order (expectimax, Michie 1966). `clairvoyant`: the
best play of one who knows the order too, an upper bound. The same policies play hands dealt at
random; each shuffle serves all objectives.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb

from dragon_hands.exact import Counts, TooLarge, Watch
from dragon_hands.formula import HAND, Model, added, compositions, harmless, minus, more, only_asks
from dragon_hands.play import (
    COST,
    EXCAVATE,
    LOST,
    PICK,
    REST,
    Position,
    choices,
    chosen,
    come,
    following,
    from_top,
    is_chance,
    opened,
    outcomes,
    passed,
    playable,
    settled,
    wins,
)

MOST_WORK = 1_000_000
"""The most outcomes and choices that one expectimax looks at: about twenty seconds."""

HOPELESS, BEGUN = 250_000, 0.01
"""The work after which this part of the hands must be done, or the rest takes too long: the
results of the first hands serve the others, so that half of the work goes into these."""
STRIDE = 4096
"""Outcomes and choices between two looks at the watch: about a tenth of a second."""


class Optimal:
    """The probability that the best play satisfies the objective, from each position once."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.known: dict[Position, Fraction | int] = {}
        self.work = 0
        self.pulse: Callable[[], None] | None = None
        """Called every STRIDE steps, if there is one."""
        self.frees = [c for c, each in enumerate(model.classes) if each.free is not None]
        self.by_hand = model.over <= {HAND}
        """True if the objective looks at the hand alone."""
        self.won: dict[Counts, bool] = {}
        self.taken = {c: harmless(model, c) for c in self.frees} if only_asks(model) else {}
        """The cards that each free card takes from the deck; None if it does more than draw."""

    def wins(self, at: Position) -> bool:
        """Return True if the objective holds; results by the hand alone are kept."""
        if not self.by_hand or at.step == LOST:
            return wins(self.model, at)
        found = self.won.get(at.hand)
        if found is None:
            found = self.won[at.hand] = wins(self.model, at)
        return found

    def value(self, at: Position) -> Fraction | int:
        """Return the probability of success from a position; raise TooLarge for too much work."""
        if at.step == REST:
            if self.wins(at):
                return 1
            if not any(at.hand[c] for c in self.frees):
                return 0
        found = self.known.get(at)
        if found is None:
            found = self.known[at] = self._value(at)
        return found

    def dealt(self, hand: Counts, pile: Counts, bottom: Counts) -> Fraction | int:
        """Return the probability of success with these cards before any has been played."""
        none = (0,) * self.model.size
        return self.value(Position(hand, pile, bottom, none, none))

    def _value(self, at: Position) -> Fraction | int:
        if is_chance(self.model, at):
            if at.step == EXCAVATE:
                return self.dug(at)
            if at.step == COST and self.only_draws(at):
                return self.value(settled(self.model, passed(at)))
            return self.mean(at, *outcomes(self.model, at))
        best: Fraction | int = 0
        after_each = self.plays(at)
        self.works(len(after_each))
        for after in after_each:
            best = max(best, self.value(after))
            if best == 1:
                break
        return best

    def mean(
        self, at: Position, total: int, ways: list[tuple[int, Counts]], sure: int = 0
    ) -> Fraction | int:
        """Return the mean over the outcomes of a chance node; `sure` more of the total succeed.

        The remaining outcomes of the total fail.
        """
        self.works(len(ways))
        sums = Counter({1: sure})
        for n, cards in ways:
            value = self.value(come(self.model, at, cards))
            sums[value.denominator] += n * value.numerator
        found = _sum(sums) / total
        return int(found) if found.denominator == 1 else found

    def only_draws(self, at: Position) -> bool:
        """Return True if all cards that can still be played only draw, and the deck suffices.

        Then all of them are played in the end, so that the order makes no difference; nor do cards
        banished from the top, which are exchangeable with those that are never drawn.
        """
        if not self.taken:
            return False
        deck = sum(at.pile) + sum(at.bottom)
        if at.step != REST:
            deck -= self.taken[at.card] or 0
            if self.taken[at.card] is None:
                return False
        for c in self.frees:
            free = self.model.free(c)
            copies = at.hand[c] + at.pile[c] + at.bottom[c]
            barred = at.barred and free.count
            late = at.drawn and "NoPreviousDraws" in free.restrictions
            if not copies or (free.once and at.used >> c & 1) or barred or late:
                continue
            taken = self.taken[c]
            if taken is None:
                return False
            deck -= taken * (1 if free.once else copies)
        return deck >= 0

    def works(self, steps: int) -> None:
        """Count steps; raise TooLarge if there are too many."""
        before, self.work = self.work, self.work + steps
        if self.work > MOST_WORK:
            raise TooLarge
        if self.pulse is not None and before // STRIDE != self.work // STRIDE:
            self.pulse()

    def dug(self, at: Position) -> Fraction | int:
        """Return the value of an excavation, with a shortcut where one card is picked.

        A card that makes the hand good decides it, so other outcomes with it are not visited. If
        nothing can be played after any other pick, all remaining outcomes fail.
        """
        model, free = self.model, self.model.free(at.card)
        n, there = free.excavate, sum(at.pile)
        after = free.condition if free.timing == "after" else None
        if not self.by_hand or free.pick != 1 or after is not None or n > there:
            return self.mean(at, *outcomes(model, at))
        good, bad, goes_on = 0, list(at.pile), False
        for c, copies in enumerate(at.pile):
            if copies:
                hand = more(at.hand, c)
                rest = at._replace(hand=hand, card=-1, step=REST)
                if self.wins(rest):
                    good += copies
                    bad[c] = 0
                else:
                    goes_on = goes_on or bool(playable(model, rest))
        total = comb(there, n)
        sure = total - comb(there - good, n)
        others = compositions(tuple(bad), n) if goes_on else ()
        return self.mean(at, total, [(ways, cards) for cards, ways in others], sure)

    def plays(self, at: Position) -> list[Position]:
        """Return the positions after each choice of the player."""
        found = following(self.model, at)
        if at.step == REST and len(found) > 1 and self.only_draws(at):
            del found[1:]
        return found


class Greedy(Optimal):
    """A fixed policy: play the first usable free card, as listed, until the hand satisfies.

    It gives up the cards that belong to the fewest of the sets that the objective counts, and
    picks those that belong to the most; of equals, the last listed. The original program pays
    and picks much like it.
    """

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        sets = {n[1] for formula in model.objective for term in formula for n in term}
        self.wanted = tuple(sum(c in cards for cards in sets) for c in range(model.size))

    def plays(self, at: Position) -> list[Position]:
        """Return the one position that the policy chooses."""
        if at.step == REST or at.card < 0:
            return following(self.model, at)[:1]
        ranked = max if at.step == PICK else min
        best = ranked(choices(self.model, at), key=self._worth)
        return [chosen(self.model, at, best)]

    def dug(self, at: Position) -> Fraction | int:
        """Return the value of an excavation; the pick is not always the card that is needed."""
        return self.mean(at, *outcomes(self.model, at))

    def _worth(self, cards: Counts) -> int:
        return sum(n * self.wanted[c] for c, n in enumerate(cards))


class Never(Optimal):
    """A policy that plays no free card."""

    def plays(self, at: Position) -> list[Position]:
        """Return no positions."""
        return []


def player(policy: str, model: Model) -> Optimal:
    """Return the policy of a name, except `clairvoyant`."""
    return {"greedy": Greedy, "never": Never, "optimal": Optimal}[policy](model)


def gained(model: Model, policy: str = "optimal", watch: Watch | None = None) -> Fraction:
    """Return the probability that free cards add to that of the opening hand alone.

    Only hands that do not satisfy the objective and hold a free card are looked at. Raise
    TooLarge for too much work.
    """
    plays = player(policy, model)
    kinds = 0
    sums = Counter[int]()
    share, shown, done, all_ways = 0.0, 0.0, 0, comb(sum(model.copies), model.hand)
    without = sum(n for c, n in enumerate(model.copies) if c not in plays.frees)
    playable = all_ways - comb(without, model.hand)

    def pulse() -> None:
        if plays.work > HOPELESS and share < BEGUN:
            raise TooLarge
        if watch is not None:
            watch(share)

    plays.pulse = pulse
    for hand, ways in compositions(model.copies, model.hand):
        if not any(hand[c] for c in plays.frees):
            continue
        share, done = done / playable, done + ways
        kinds += 1
        if kinds > MOST_WORK:
            raise TooLarge
        at = opened(model, hand)
        if plays.wins(at):
            continue
        if watch is not None and share > shown + 0.01:
            shown = share
            watch(share)
        value = plays.value(at)
        sums[value.denominator] += ways * value.numerator
    return _sum(sums) / all_ways


def _sum(numerators: Counter[int]) -> Fraction:
    """Return the sum of fractions, given the sum of numerators for each denominator."""
    return sum((Fraction(n, d) for d, n in numerators.items()), Fraction(0))


Order = tuple[int, ...]
"""The classes of the cards of the deck, from the top."""


def shuffled(copies: Sequence[int], rng: random.Random) -> list[int]:
    """Return the cards of the deck, by index, in random order."""
    cards = [i for i, n in enumerate(copies) for _ in range(n)]
    rng.shuffle(cards)
    return cards


def counts_of(model: Model, order: Sequence[int]) -> Counts:
    """Return the number of cards of each class among these."""
    return tuple(map(order.count, range(model.size)))


def played(model: Model, order: Order, plays: Optimal, salt: int) -> bool:
    """Return True if a policy that does not know the order satisfies the objective with it."""
    at, left = opened(model, counts_of(model, order[: model.hand])), order[model.hand :]
    while not wins(model, at) or at.step != REST:
        if is_chance(model, at):
            at, left = _come(model, at, left)
            continue
        options = plays.plays(at)
        if not options:
            return False
        best = max(options, key=plays.value) if len(options) > 1 else options[0]
        left = _ordered(model, at, best, left, salt)
        at = best
    return True


def foreseen(model: Model, order: Order, salt: int) -> bool:
    """Return True if a player who knows the order can satisfy the objective with it."""
    return _foreseen(model, opened(model, counts_of(model, order[: model.hand])),
                     order[model.hand :], salt)  # fmt: skip


def _foreseen(model: Model, at: Position, left: Order, salt: int) -> bool:
    if is_chance(model, at):
        return _foreseen(model, *_come(model, at, left), salt)
    if at.step == REST and wins(model, at):
        return True
    return any(
        _foreseen(model, after, _ordered(model, at, after, left, salt), salt)
        for after in following(model, at)
    )


def _come(model: Model, at: Position, left: Order) -> tuple[Position, Order]:
    """Return the next position and the rest of the deck, with the cards on top drawn."""
    n = from_top(model, at)
    return come(model, at, counts_of(model, left[:n])), left[n:]


def _ordered(model: Model, at: Position, after: Position, left: Order, salt: int) -> Order:
    """Return the deck's order after a choice: cards not picked go below, or are shuffled in.

    Equal cards get the same order in every branch of a trial.
    """
    if at.step != PICK:
        return left
    deck = added(after.pile, after.bottom)
    back = minus(deck, counts_of(model, left))
    returned = [c for c, n in enumerate(back) for _ in range(n)]
    rng = random.Random(f"{salt} {left} {returned}")
    if model.free(at.card).rest == "shuffle":
        everything = [*left, *returned]
        rng.shuffle(everything)
        return tuple(everything)
    rng.shuffle(returned)
    return (*left, *returned)
