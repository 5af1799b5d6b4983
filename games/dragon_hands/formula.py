"""The deck as searches see it: conditions as alternatives of counts, cards as classes.

A count is a bound on the cards of a set, at least or at most.

Under the sharing `distinct` every at-least and exactly clause of a conjunction needs cards
of its own. A choice of such cards exists if and only if every union of the clauses' sets
has as many cards as those clauses need together (Hall 1935), and only those unions
matter whose sets are connected by overlaps. So a matching is also a conjunction of counts, and
every condition a short list of alternatives, each a set of `Count`s. Under `count` clauses
are counted one by one.

A *set* is a bit mask over the cards of the deck, then those of the extra deck. A *class* is the
cards that no formula and no cost distinguishes; a `Model` is a deck in classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import accumulate, product
from math import comb
from operator import or_
from typing import TypeAlias

from attrs import evolve, frozen

from dragon.errors import ConfigError
from dragon_hands.deck import BLANK, And, Card, Clause, Condition, Cost, Deck, Free, Not
from dragon_hands.exact import Count, Counts, Formula, Objective, Term, tightest, within

MOST_TERMS = 5_000
"""The most alternatives of one condition."""
MOST_DEMANDS = 12
"""The most clauses of one alternative whose sets of cards are connected by overlaps."""


_Demand: TypeAlias = tuple[str, int, int]
"""A zone, a set, and the number of cards of its own that a clause needs there."""
_Draft: TypeAlias = tuple[tuple[_Demand, ...], Term]
"""A term whose matching is still to be stated."""


def formula(condition: Condition, deck: Deck, sharing: str = "distinct") -> Formula:
    """Return the alternatives of a condition, simplified; raise ConfigError for very many."""
    cards = (*deck.main, *deck.extra)
    copies = tuple(card.copies for card in cards)
    drafts = _drafts(condition, cards, len(deck.main), sharing == "distinct")
    found = (_stated(draft, copies) for draft in drafts)
    return _shortest(term for term in found if term is not None)


def either(formulas: Sequence[Formula]) -> Objective:
    """Return the objective that at least one of the formulas holds."""
    return (_shortest(term for each in formulas for term in each),)


def formulas_of(deck: Deck, sharing: str) -> list[Formula]:
    """Return the conditions of a deck as formulas."""
    return [formula(asked.condition, deck, sharing) for asked in deck.conditions]


def objectives_of(formulas: Sequence[Formula]) -> list[Objective]:
    """Return the objectives of each formula, of any, and of all."""
    return [*((each,) for each in formulas), either(formulas), tuple(formulas)]


def set_of(clause: Clause, cards: Sequence[Card], deck: int) -> int:
    """Return the set that a clause means: in the extra deck for that zone, else in the deck."""
    extra = clause.zone == "Extra"
    return sum(
        1 << i for i, card in enumerate(cards) if (i >= deck) == extra and card.answers(clause.name)
    )


def _drafts(
    condition: Condition, cards: Sequence[Card], deck: int, distinct: bool
) -> tuple[_Draft, ...]:
    if isinstance(condition, Clause):
        return (_draft(condition, set_of(condition, cards, deck), distinct),)
    if isinstance(condition, Not):
        return _denied(_drafts(condition.part, cards, deck, distinct))
    parts = [_drafts(part, cards, deck, distinct) for part in condition.parts]
    if not isinstance(condition, And):
        return _bounded(draft for part in parts for draft in part)
    found: tuple[_Draft, ...] = (((), frozenset()),)
    for part in parts:
        if len(found) * len(part) > 20 * MOST_TERMS:
            raise _too_many()
        found = _bounded(
            (tuple(sorted((*a[0], *b[0]))), a[1] | b[1]) for a, b in product(found, part)
        )
    return found


def _draft(clause: Clause, cards: int, distinct: bool) -> _Draft:
    """Return the draft of a clause: cards of its own, and bounds on the whole zone."""
    at_most = Count(clause.zone, cards, False, clause.count)
    if clause.sign == "-":
        return (), frozenset({at_most})
    bounds = frozenset() if clause.sign == "+" else frozenset({at_most})
    if distinct:
        return ((clause.zone, cards, clause.count),), bounds
    return (), bounds | {Count(clause.zone, cards, True, clause.count)}


def _denied(drafts: Sequence[_Draft]) -> tuple[_Draft, ...]:
    """Return the terms that hold where none of the drafts does: a count of each fails."""
    found: set[Term] = {frozenset()}
    for draft in drafts:
        counts = draft[1] | _hall(draft[0])
        if len(found) * len(counts) > 20 * MOST_TERMS:
            raise _too_many()
        found = set(_shortest(term | {count.denial} for term in found for count in counts))
    return tuple(((), term) for term in sorted(found, key=sorted))


def _bounded(drafts: Iterable[_Draft]) -> tuple[_Draft, ...]:
    found = tuple(dict.fromkeys(drafts))
    if len(found) > MOST_TERMS:
        raise _too_many()
    return found


def _too_many() -> ConfigError:
    return ConfigError(
        f"a condition with more than {MOST_TERMS:,} alternatives; "
        "list them as conditions of their own, or give the cards a common tag"
    )


def _hall(demands: Iterable[_Demand]) -> Term:
    """Return the counts that hold exactly if every demand can have cards of its own."""
    merged: dict[tuple[str, int], int] = {}
    for zone, cards, count in demands:
        if count:
            merged[zone, cards] = merged.get((zone, cards), 0) + count
    found: set[Count] = set()
    for zone in {zone for zone, _ in merged}:
        sets = [(cards, count) for (z, cards), count in merged.items() if z == zone]
        for group in _connected(sets):
            if len(group) > MOST_DEMANDS:
                raise ConfigError(
                    f"{len(group)} clauses joined by AND that ask for overlapping cards; "
                    f"the most is {MOST_DEMANDS}: drop some, or use --sharing count"
                )
            found.update(_unions(zone, group))
    return frozenset(found)


def _unions(zone: str, group: Sequence[tuple[int, int]]) -> Iterable[Count]:
    """Yield Hall's count of each choice of sets that are connected by overlaps."""
    for choice in range(1, 1 << len(group)):
        chosen = [group[i] for i in range(len(group)) if choice >> i & 1]
        if len(_connected(chosen)) == 1:
            union = reduce(or_, (cards for cards, _ in chosen))
            yield Count(zone, union, True, sum(count for _, count in chosen))


def _connected(sets: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Return the sets in groups without common cards."""
    groups: list[tuple[int, list[tuple[int, int]]]] = []
    for cards, count in sets:
        touching = [g for g in groups if g[0] & cards]
        groups = [g for g in groups if not g[0] & cards]
        union = reduce(or_, (g[0] for g in touching), cards)
        groups.append((union, [(cards, count), *(each for g in touching for each in g[1])]))
    return [members for _, members in groups]


def _stated(draft: _Draft, copies: Sequence[int]) -> Term | None:
    """Return a term without counts that always hold; None if one never can."""
    found = []
    for count in draft[1] | _hall(draft[0]):
        most = within(count.cards, copies)
        verdict = count.decided(most if count.zone == "Extra" else 0, most)
        if verdict is False:
            return None
        if verdict is None:
            found.append(count)
    return frozenset(tightest(found))


def _shortest(terms: Iterable[Term]) -> Formula:
    """Return the terms, each once, without those that another makes superfluous."""
    found: list[Term] = []
    for term in sorted(set(terms), key=lambda t: (len(t), sorted(t))):
        if len(found) > 300 or not any(known <= term for known in found):
            found.append(term)
    if len(found) > MOST_TERMS:
        raise _too_many()
    return tuple(found)


HAND, DECK, GY, BANISHED, PRIZES = range(5)
"""The zones, as a model's counts name them."""
_ZONES = {"Hand": HAND, "Deck": DECK, "GY": GY, "Banished": BANISHED, "Prizes": PRIZES}


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

    def places(self, cards: Iterable[Card]) -> list[int]:
        """Return the class of each card of the deck; -1 for one without copies."""
        found = {name: c for c, each in enumerate(self.classes) for name in each.cards}
        return [found.get(card.name, -1) for card in cards]

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
    places = {s: tuple(sorted({c for i, c in place.items() if s >> i & 1})) for s in sets}
    stated = tuple(
        tuple(
            tuple((_ZONES[n.zone], places[n.cards], n.least, n.count) for n in sorted(term))
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


def regrouped(counts: Counts, places: Mapping[int, int], size: int) -> Counts:
    """Return counts by other classes; places: the class that each becomes a part of."""
    found = [0] * size
    for c, n in enumerate(counts):
        found[places[c]] += n
    return tuple(found)


def less(counts: Counts, c: int) -> Counts:
    """Return counts with one card of a class less."""
    return (*counts[:c], counts[c] - 1, *counts[c + 1 :])


def more(counts: Counts, c: int) -> Counts:
    """Return counts with one card of a class more."""
    return (*counts[:c], counts[c] + 1, *counts[c + 1 :])
