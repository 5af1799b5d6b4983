"""The cards of a deck in classes: what nothing in an objective or a cost tells apart."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from dragon_hands.formula import Objective
from dragon_hands.spec import BLANK, Card, Free, Spec, Toll

HAND, DECK, GY, BANISHED = range(4)
"""Zones, as a model's counts name them."""
_ZONES = {"Hand": HAND, "Deck": DECK, "GY": GY, "Banished": BANISHED}


@frozen
class Class:
    """Cards that nothing tells apart."""

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
    tolls: tuple[tuple[Toll, tuple[tuple[tuple[int, ...], int], ...]], ...]
    """For each toll with names the classes that answer each of its sets, and how many."""
    plain: bool
    """Whether every free card does nothing but draw, so that neither the order of plays nor
    what is banished unseen makes a difference."""

    @property
    def size(self) -> int:
        """How many classes there are."""
        return len(self.classes)


def model_of(spec: Spec, objective: Objective, hand: int, shortcuts: bool = True) -> Model:
    """The classes of a deck under an objective.

    shortcuts: whether a deck whose free cards only draw is played in one order alone.
    """
    deck = spec.deck
    sets = sorted({count.cards for each in objective for term in each for count in term})
    tolls = _tolls(deck)
    words = [w for toll in tolls for names, _ in toll.names for w in (names,)]
    groups: dict[tuple[object, ...], list[int]] = {}
    for i, card in enumerate(deck):
        member = tuple(cards >> i & 1 for cards in sets)
        asked = tuple(any(card.answers(w) for w in names) for names in words)
        groups.setdefault((member, asked, card.name if card.free else ""), []).append(i)
    known = [members for members in groups.values() if sum(deck[i].qty for i in members)]
    classes = _classes(known, deck, _idle(groups, known, len(sets), len(words)))
    place = {i: c for c, members in enumerate(known) for i in members}

    def within(cards: int) -> tuple[int, ...]:
        return tuple(sorted({c for i, c in place.items() if cards >> i & 1}))

    stated = tuple(
        tuple(
            tuple((_ZONES[n.zone], within(n.cards), n.least, n.count) for n in sorted(term))
            for term in each
        )
        for each in objective
    )
    priced = tuple(
        (
            toll,
            tuple(
                (tuple(sorted({place[i] for i in place if _any(deck[i], names)})), n)
                for names, n in toll.names
            ),
        )
        for toll in tolls
    )
    over = frozenset(count[0] for each in stated for term in each for count in term)
    made = Model(classes, stated, over, hand, priced, plain=False)
    return evolve(made, plain=shortcuts and _is_plain(made, spec.total))


def _any(card: Card, names: Sequence[str]) -> bool:
    return any(card.answers(name) for name in names)


def _tolls(deck: Sequence[Card]) -> list[Toll]:
    """The costs and conditions that name cards."""
    frees = [card.free for card in deck if card.free and card.qty]
    return list(dict.fromkeys(t for f in frees for t in (f.cost, f.condition) if t and t.names))


def _idle(
    groups: dict[tuple[object, ...], list[int]], known: list[list[int]], sets: int, words: int
) -> int:
    """Which class nothing asks for; -1 where there is none."""
    key = ((0,) * sets, (False,) * words, "")
    return next((c for c, members in enumerate(known) if groups.get(key) is members), -1)


def _classes(known: list[list[int]], deck: Sequence[Card], idle: int) -> tuple[Class, ...]:
    """The classes with labels of letters, digits, blanks and some signs, all different."""
    found: list[Class] = []
    taken: set[str] = set()
    for c, members in enumerate(known):
        names = tuple(deck[i].name for i in members)
        plain = "other" if c == idle or names == (BLANK,) else _plain(names[0])
        label, n = plain, 2
        while label in taken:
            label, n = f"{plain} {n}", n + 1
        taken.add(label)
        copies = sum(deck[i].qty for i in members)
        found.append(Class(label, copies, names, deck[members[0]].free))
    return tuple(found)


def _plain(name: str) -> str:
    """A name without the signs of a position's notation."""
    kept = "".join(ch if ch.isalnum() or ch in " '-!?.&" else " " for ch in name)
    words = " ".join(kept.split()) or "card"
    return f"no {words}" if words[0].isdigit() else words


def only_asks(model: Model) -> bool:
    """Whether the objective asks for cards in the hand, and for nothing else."""
    return all(n[0] == HAND and n[2] for f in model.objective for term in f for n in term)


def harmless(model: Model, c: int) -> int | None:
    """How many cards a free card takes from the deck, if it does nothing but draw.

    None if it does more, or if the objective asks for it: where an objective only asks for
    cards, the others can be played in any order, and never hurt.
    """
    free = model.classes[c].free
    assert free is not None
    mills = free.cost is not None and free.cost.kind == "BanishFromDeck"
    toll = free.cost is None or mills or free.cost.kind == "PayLife"
    more = free.condition or free.restrictions or free.excavate or free.least_hand > 1
    if not toll or more or any(c in n[1] for f in model.objective for term in f for n in term):
        return None
    return free.count + (free.cost.count if free.cost and mills else 0)


def _is_plain(model: Model, total: int) -> bool:
    """See `Model.plain`: the objective only asks for cards, of which no free card is one."""
    need = 0
    for c, each in enumerate(model.classes):
        if each.free is not None:
            taken = harmless(model, c)
            if taken is None:
                return False
            need += taken * (1 if each.free.once else each.copies)
    return only_asks(model) and need <= total - model.hand
