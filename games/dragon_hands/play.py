"""The play of free cards: positions of counts, choices of the player, and chance nodes.

A position counts the cards of each *class*: cards that no clause and no cost distinguishes; a
free card is a class of its own. Playing a card goes through its steps in the order cost,
draw, excavate and pick, condition; steps without a choice are skipped. The
player knows the deck but not its order. Cards excavated and not picked go to the bottom
in random order, or are shuffled in; cards banished from the top are seen by the player.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import comb
from operator import le
from typing import NamedTuple

from dragon_hands.deck import Cost, Free
from dragon_hands.exact import Counts
from dragon_hands.formula import (
    BANISHED,
    DECK,
    GY,
    PRIZES,
    Model,
    added,
    compositions,
    less,
    minus,
    more,
)

REST, COST, BEFORE, DRAW, EXCAVATE, PICK, AFTER, LOST = range(8)
"""The steps: at rest between two cards, the steps of a card, and a hand that is lost."""


class Position(NamedTuple):
    """The places of all cards, and the step of the card being played."""

    hand: Counts
    pile: Counts
    """The deck, in random order."""
    bottom: Counts
    """The cards below it, in random order."""
    gy: Counts
    banished: Counts
    used: int = 0
    """A bit for each class that can be played once a turn and has been."""
    drawn: bool = False
    """True if an effect has drawn cards."""
    barred: bool = False
    """True if effects may not draw any more."""
    card: int = -1
    """The class of the card being played."""
    step: int = REST
    seen: Counts = ()
    """The excavated cards, while a pick is to be made."""


# ---- positions ---------------------------------------------------------------------------------


def opened(model: Model, hand: Counts) -> Position:
    """Return the position after an opening hand."""
    none = (0,) * model.size
    pile = tuple(c.copies - n for c, n in zip(model.classes, hand, strict=True))
    return Position(hand, pile, none, none, none)


def wins(model: Model, at: Position) -> bool:
    """Return True if the objective holds now."""
    if at.step == LOST:
        return False
    deck = added(at.pile, at.bottom) if DECK in model.over else ()
    prizes = (0,) * model.size if PRIZES in model.over else ()
    zones = (at.hand, deck, at.gy, at.banished, prizes)
    return all(
        any(
            all(
                (sum([zones[zone][c] for c in cards]) >= n)
                if least
                else (sum([zones[zone][c] for c in cards]) <= n)
                for zone, cards, least, n in term
            )
            for term in formula
        )
        for formula in model.objective
    )


def playable(model: Model, at: Position) -> list[int]:
    """Return the classes of the free cards that may be played now."""
    found = []
    for c, each in enumerate(model.classes):
        free = each.free
        if free is None or not at.hand[c] or (free.once and at.used >> c & 1):
            continue
        late = at.drawn and "NoPreviousDraws" in free.restrictions
        if late or (free.count and at.barred) or sum(at.hand) < free.least_hand:
            continue
        costs = [free.cost, free.condition if free.timing == "before" else None]
        from_deck = free.count + free.excavate
        from_deck += sum(t.count for t in costs if t and t.kind == "BanishFromDeck")
        if sum(at.pile) + sum(at.bottom) < from_deck:
            continue
        if _affordable(model, costs, less(at.hand, c)):
            found.append(c)
            if model.plain:
                break
    return found


def begun(model: Model, at: Position, c: int) -> Position:
    """Return the position after a card has left the hand, settled."""
    free = model.free(c)
    after = at._replace(
        hand=less(at.hand, c),
        gy=more(at.gy, c) if GY in model.over else at.gy,
        used=at.used | 1 << c if free.once else at.used,
        drawn=at.drawn or free.count > 0,
        barred=at.barred or "NoMoreDraws" in free.restrictions,
        card=c,
        step=COST,
    )
    return settled(model, after)


def settled(model: Model, at: Position) -> Position:
    """Return the position after the steps without a choice or chance."""
    while at.step not in (REST, LOST):
        free = model.free(at.card)
        cost = cost_of(free, at.step)
        lost = False
        if cost is not None and cost.from_hand:
            lost = not _payable(model, cost, at.hand)
        elif cost is not None and cost.kind == "BanishFromDeck" and cost.count and not model.plain:
            lost = cost.count > sum(at.pile) + sum(at.bottom)
        elif not (
            (at.step == DRAW and free.count) or (at.step in (EXCAVATE, PICK) and free.excavate)
        ):
            at = passed(at)
            continue
        return at._replace(step=LOST, card=-1) if lost else at
    return at


def passed(at: Position) -> Position:
    """Return the position at the next step; after the last step the card is finished."""
    if at.step == AFTER:
        return at._replace(step=REST, card=-1)
    return at._replace(step=at.step + 1)


def cost_of(free: Free, step: int) -> Cost | None:
    """Return the cost taken at a step."""
    if step == COST:
        return free.cost
    if step in (BEFORE, AFTER):
        return free.condition if (step == BEFORE) == (free.timing == "before") else None
    return None


def is_chance(model: Model, at: Position) -> bool:
    """Return True for a chance node: cards come from the deck."""
    if at.step in (DRAW, EXCAVATE):
        return True
    if at.step not in (COST, BEFORE, AFTER):
        return False
    cost = cost_of(model.free(at.card), at.step)
    return cost is not None and cost.kind == "BanishFromDeck"


# ---- choices of the player ---------------------------------------------------------------------


def choices(model: Model, at: Position) -> list[Counts]:
    """Return the sets of cards, by class, that can be given up or picked."""
    free = model.free(at.card)
    if at.step == PICK:
        return [taken for taken, _ in compositions(at.seen, min(free.pick, sum(at.seen)))]
    cost = cost_of(free, at.step)
    assert cost is not None
    later = free.condition if at.step == COST and free.timing == "before" else None
    paid = payments(model, cost, at.hand)
    return [each for each in paid if _affordable(model, (later,), minus(at.hand, each))]


def payments(model: Model, cost: Cost, hand: Counts) -> Iterator[Counts]:
    """Yield every set of cards of a hand that pays a cost, each once."""
    if not cost.names:
        yield from (taken for taken, _ in compositions(hand, cost.count))
        return
    parts = []
    for classes, n in next(sets for known, sets in model.costs if known == cost):
        held = tuple(hand[c] if c in classes else 0 for c in range(model.size))
        parts.append([taken for taken, _ in compositions(held, n)])
    sums = (tuple(map(sum, zip(*paid, strict=True))) for paid in product(*parts))
    yield from dict.fromkeys(paid for paid in sums if all(map(le, paid, hand)))


def _affordable(model: Model, costs: Sequence[Cost | None], hand: Counts) -> bool:
    """Return True if a hand can pay these costs one after the other."""
    owed = [cost for cost in costs if cost is not None and cost.from_hand]
    if not owed:
        return True
    if len(owed) == 1:
        return _payable(model, owed[0], hand)
    paid = payments(model, owed[0], hand)
    return any(_affordable(model, owed[1:], minus(hand, each)) for each in paid)


def _payable(model: Model, cost: Cost, hand: Counts) -> bool:
    if not cost.names:
        return sum(hand) >= cost.count
    return next(payments(model, cost, hand), None) is not None


def chosen(model: Model, at: Position, cards: Counts) -> Position:
    """Return the position after a choice."""
    free = model.free(at.card)
    if at.step == PICK:
        left = minus(at.seen, cards)
        none = (0,) * model.size
        pile, bottom = at.pile, added(at.bottom, left)
        if free.rest == "shuffle":
            pile, bottom = added(pile, bottom), none
        moved = at._replace(hand=added(at.hand, cards), pile=pile, bottom=bottom, seen=())
        return settled(model, passed(moved))
    cost = cost_of(free, at.step)
    assert cost is not None
    at = at._replace(hand=minus(at.hand, cards))
    return settled(model, passed(_gone(model, at, cards, cost.kind == "Discard")))


def _gone(model: Model, at: Position, cards: Counts, to_gy: bool) -> Position:
    if to_gy:
        return at._replace(gy=added(at.gy, cards)) if GY in model.over else at
    return at._replace(banished=added(at.banished, cards)) if BANISHED in model.over else at


def following(model: Model, at: Position) -> list[Position]:
    """Return the positions after each choice of the player."""
    if at.step == REST:
        return [begun(model, at, c) for c in playable(model, at)]
    if at.card < 0 or at.step == LOST:
        return []
    return [chosen(model, at, each) for each in choices(model, at)]


# ---- chance nodes ------------------------------------------------------------------------------


def from_top(model: Model, at: Position) -> int:
    """Return the number of cards that come from the top of the deck at a chance node."""
    free = model.free(at.card)
    if at.step == DRAW:
        return free.count
    if at.step == EXCAVATE:
        return free.excavate
    cost = cost_of(free, at.step)
    assert cost is not None
    return cost.count


def outcomes(model: Model, at: Position) -> tuple[int, list[tuple[int, Counts]]]:
    """Return the number of equally likely outcomes, and how many give each set of cards."""
    n, there = from_top(model, at), sum(at.pile)
    if n <= there:
        return comb(there, n), [(ways, taken) for taken, ways in compositions(at.pile, n)]
    below = compositions(at.bottom, n - there)
    return comb(sum(at.bottom), n - there), [(ways, added(at.pile, t)) for t, ways in below]


def come(model: Model, at: Position, cards: Counts) -> Position:
    """Return the position after these cards have come from the top."""
    pile = tuple(max(0, p - n) for p, n in zip(at.pile, cards, strict=True))
    bottom = at.bottom
    if sum(cards) > sum(at.pile):
        bottom = added(bottom, minus(at.pile, cards))
        pile = (0,) * model.size
    at = at._replace(pile=pile, bottom=bottom)
    if at.step == DRAW:
        return settled(model, passed(at._replace(hand=added(at.hand, cards))))
    if at.step == EXCAVATE:
        return settled(model, passed(at._replace(seen=cards)))
    return settled(model, passed(_gone(model, at, cards, False)))
