"""Why a hand passes: the cards that each clause is given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import TypeAlias

from attrs import frozen

from dragon_hands.deck import And, Card, Clause, Condition, Deck, Not
from dragon_hands.exact import Watch
from dragon_hands.policy import shuffled
from dragon_hands.question import Question

Given: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""The clauses, as text, with the names of the cards that each is given."""

TRIED = 200
"""The most hands dealt for each that is wanted."""


def assignment(
    condition: Condition,
    hand: Sequence[Card],
    deck: Sequence[Card],
    extra: Sequence[Card],
    sharing: str,
) -> Given | None:
    """Return cards for the clauses of a condition; None if it does not hold.

    hand, deck and extra deck: a card for each copy.
    """
    zones = {"Hand": hand, "Deck": deck, "GY": (), "Banished": (), "Extra": extra, "Prizes": ()}
    ways = _ways(condition, zones, sharing == "distinct", frozenset())
    return next((given for _, given in ways), None)


def _ways(
    condition: Condition,
    zones: dict[str, Sequence[Card]],
    distinct: bool,
    taken: frozenset[tuple[str, int]],
) -> Iterator[tuple[frozenset[tuple[str, int]], Given]]:
    """Yield every way to satisfy a condition with cards not yet taken: cards taken, assignment."""
    if isinstance(condition, Clause):
        yield from _clause(condition, zones[condition.zone], distinct, taken)
    elif isinstance(condition, Not):
        if next(_ways(condition.part, zones, distinct, frozenset()), None) is None:
            yield taken, ()
    elif isinstance(condition, And):
        if not condition.parts:
            yield taken, ()
            return
        first, *others = condition.parts
        for after, given in _ways(first, zones, distinct, taken):
            for last, more in _ways(And(tuple(others)), zones, distinct, after):
                yield last, (*given, *more)
    else:
        for part in condition.parts:
            yield from _ways(part, zones, distinct, taken)


def _clause(
    clause: Clause, zone: Sequence[Card], distinct: bool, taken: frozenset[tuple[str, int]]
) -> Iterator[tuple[frozenset[tuple[str, int]], Given]]:
    there = [i for i, card in enumerate(zone) if card.answers(clause.name)]
    if clause.sign != "+" and len(there) > clause.count:
        return
    if clause.sign == "-":
        yield taken, ((str(clause), ()),)
        return
    free = [i for i in there if not distinct or (clause.zone, i) not in taken]
    seen = set()
    for chosen in combinations(free, clause.count):
        names = tuple(zone[i].name for i in chosen)
        if names in seen:  # copies of one card are as good as one another
            continue
        seen.add(names)
        more = frozenset((clause.zone, i) for i in chosen) if distinct else frozenset()
        yield taken | more, ((str(clause), names if clause.zone == "Hand" else ()),)
        if not distinct:
            return


@frozen
class Example:
    """A hand to look at."""

    cards: tuple[str, ...]
    passes: tuple[tuple[str, Given], ...]
    """The conditions that hold, with the cards that each of their clauses is given."""


def examples(deck: Deck, hand: int, sharing: str, seed: int) -> Iterator[Example]:
    """Yield random opening hands without end, equal ones for equal seeds."""
    import random

    rng = random.Random(seed)
    extra = [card for card in deck.extra for _ in range(card.copies)]
    while True:
        order = shuffled(deck.copies, rng)
        drawn = [deck.main[i] for i in sorted(order[:hand])]
        left = [deck.main[i] for i in sorted(order[hand:])]
        passes = []
        for asked in deck.conditions:
            given = assignment(asked.condition, drawn, left, extra, sharing)
            if given is not None:
                passes.append((str(asked), given))
        yield Example(tuple(card.name for card in drawn), tuple(passes))


def matching(
    deck: Deck,
    question: Question,
    number: int,
    seed: int,
    only: str | None = None,
    watch: Watch | None = None,
) -> Iterator[Example]:
    """Yield `number` random hands, fewer if they are rare; `only`: those that `pass`, or `brick`s.

    At most TRIED hands are dealt for each that is wanted.
    """
    found, most = 0, TRIED * number
    dealt = examples(deck, question.hand, question.sharing, seed)
    for i, each in enumerate(islice(dealt, most)):
        if watch is not None and i % 100 == 0:
            watch(max(i / most, found / number))
        if only is None or bool(each.passes) == (only == "pass"):
            found += 1
            yield each
        if found == number:
            return
