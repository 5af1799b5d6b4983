"""The cards of a deck in classes: cards that no objective and no cost distinguishes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import comb
from typing import TypeAlias

from attrs import evolve, frozen

from dragon_hands.deck import BLANK, Card, Cost, Deck, Free
from dragon_hands.formula import Objective

HAND, DECK, GY, BANISHED = range(4)
"""The zones, as a model's counts name them."""
Counts: TypeAlias = tuple[int, ...]
"""The number of cards of each class."""
_ZONES = {"Hand": HAND, "Deck": DECK, "GY": GY, "Banished": BANISHED}


@frozen
class Class:
    """Cards that nothing distinguishes."""

    label: str
    copies: int
    cards: tuple[str, ...]
    free: Free | None


@frozen
class Model:
    """A deck and an objective in classes; `over` lists the zones that the objective looks at."""

    classes: tuple[Class, ...]
    objective: tuple[tuple[tuple[tuple[int, tuple[int, ...], bool, int], ...], ...], ...]
    """Formulas of terms of counts: zone (`HAND` and so on), classes, least, count."""
    over: frozenset[int]
    hand: int
    costs: tuple[tuple[Cost, tuple[tuple[tuple[int, ...], int], ...]], ...]
    """For each cost with names, the classes that match each of its sets, and their number."""
    idle: int
    """The class that nothing asks for; -1 where there is none."""
    plain: bool
    """True if every free card only draws, so that neither the order of plays nor
    the cards banished unseen make a difference."""

    @property
    def size(self) -> int:
        """The number of classes."""
        return len(self.classes)

    @property
    def copies(self) -> Counts:
        """The copies of each class."""
        return tuple(each.copies for each in self.classes)

    def free(self, c: int) -> Free:
        """Return the effect of the free card that is class c."""
        free = self.classes[c].free
        assert free is not None
        return free


def model_of(deck: Deck, objective: Objective, hand: int, shortcuts: bool = True) -> Model:
    """Return the classes of a deck under an objective.

    shortcuts: play a deck whose free cards only draw in one order alone.
    """
    cards = deck.main
    sets = sorted({count.cards for each in objective for term in each for count in term})
    frees = [card.free for card in cards if card.free and card.copies]
    costs = dict.fromkeys(t for f in frees for t in (f.cost, f.condition) if t and t.names)
    words = [names for cost in costs for names, _ in cost.names]
    groups: dict[tuple[object, ...], list[int]] = {}
    for i, card in enumerate(cards):
        member = tuple(each >> i & 1 for each in sets)
        asked = tuple(any(map(card.answers, names)) for names in words)
        groups.setdefault((member, asked, card.name if card.free else ""), []).append(i)
    known = [members for members in groups.values() if sum(cards[i].copies for i in members)]
    nothing = groups.get(((0,) * len(sets), (False,) * len(words), ""))
    idle = known.index(nothing) if nothing in known else -1
    classes = _classes(known, cards, idle)
    place = {i: c for c, members in enumerate(known) for i in members}
    within = {s: tuple(sorted({c for i, c in place.items() if s >> i & 1})) for s in sets}
    stated = tuple(
        tuple(
            tuple((_ZONES[n.zone], within[n.cards], n.least, n.count) for n in sorted(term))
            for term in each
        )
        for each in objective
    )
    priced = tuple(
        (
            cost,
            tuple(
                (tuple(sorted({place[i] for i in place if any(map(cards[i].answers, names))})), n)
                for names, n in cost.names
            ),
        )
        for cost in costs
    )
    over = frozenset(count[0] for each in stated for term in each for count in term)
    made = Model(classes, stated, over, hand, priced, idle, plain=False)
    return evolve(made, plain=shortcuts and _is_plain(made, deck.total))


def _classes(known: list[list[int]], deck: Sequence[Card], idle: int) -> tuple[Class, ...]:
    """Return the classes with different labels of letters, digits, blanks and some signs."""
    found: list[Class] = []
    taken: set[str] = set()
    for c, members in enumerate(known):
        names = tuple(deck[i].name for i in members)
        plain = "other" if c == idle or names == (BLANK,) else _plain(names[0])
        label, n = plain, 2
        while label in taken:
            label, n = f"{plain} {n}", n + 1
        taken.add(label)
        copies = sum(deck[i].copies for i in members)
        found.append(Class(label, copies, names, deck[members[0]].free))
    return tuple(found)


def _plain(name: str) -> str:
    """Return a name without the signs of a position's notation."""
    kept = "".join(ch if ch.isalnum() or ch in " '-!?.&" else " " for ch in name)
    words = " ".join(kept.split()) or "card"
    return f"no {words}" if words[0].isdigit() else words


def only_asks(model: Model) -> bool:
    """Return True if the objective asks for cards in the hand, and for nothing else."""
    return all(n[0] == HAND and n[2] for f in model.objective for term in f for n in term)


def harmless(model: Model, c: int) -> int | None:
    """Return the number of cards that a free card takes from the deck, if it only draws.

    Return None if it does more, or if the objective asks for it: if an objective only asks for
    cards, the others can be played in any order, and never hurt.
    """
    free = model.free(c)
    mills = free.cost is not None and free.cost.kind == "BanishFromDeck"
    bearable = free.cost is None or mills or free.cost.kind == "PayLife"
    more = free.condition or free.restrictions or free.excavate or free.least_hand > 1
    if not bearable or more or any(c in n[1] for f in model.objective for term in f for n in term):
        return None
    return free.count + (free.cost.count if free.cost and mills else 0)


def _is_plain(model: Model, total: int) -> bool:
    """Compute `Model.plain`: the objective only asks for cards, none of them a free card."""
    need = 0
    for c, each in enumerate(model.classes):
        if each.free is not None:
            taken = harmless(model, c)
            if taken is None:
                return False
            need += taken * (1 if each.free.once else each.copies)
    return only_asks(model) and need <= total - model.hand


# ---- counts of cards by class --------------------------------------------------------------------


def compositions(held: Counts, n: int) -> Iterator[tuple[Counts, int]]:
    """Yield every choice of n cards by class, in a fixed order, with its number of ways."""
    if not 0 <= n <= sum(held):
        return
    size = len(held)
    after = [*accumulate(reversed(held), initial=0)][::-1]
    taken = [0] * size

    def choose(i: int, left: int, ways: int) -> Iterator[tuple[Counts, int]]:
        if not left:
            yield (*taken[:i], *(0,) * (size - i)), ways
            return
        for t in range(max(0, left - after[i + 1]), min(held[i], left) + 1):
            taken[i] = t
            yield from choose(i + 1, left - t, ways * comb(held[i], t))
        taken[i] = 0

    yield from choose(0, n, 1)


def added(a: Counts, b: Counts) -> Counts:
    """Return the sum of two counts."""
    return tuple([x + y for x, y in zip(a, b, strict=True)])


def minus(a: Counts, b: Counts) -> Counts:
    """Return the difference of two counts."""
    return tuple([x - y for x, y in zip(a, b, strict=True)])


def less(counts: Counts, c: int) -> Counts:
    """Return counts with one card of a class less."""
    return (*counts[:c], counts[c] - 1, *counts[c + 1 :])


def more(counts: Counts, c: int) -> Counts:
    """Return counts with one card of a class more."""
    return (*counts[:c], counts[c] + 1, *counts[c + 1 :])
