"""Deals as records, on which the rules work, and back; cards and settings fill them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, frozen

from dragon.core import TERMINAL
from dragon.rules.layout import readable
from dragon.rules.record import RecordState, rules_of
from dragon_ulti import rules
from dragon_ulti.cards import (
    ACE,
    NO_TRUMP,
    SIZE,
    TEN,
    Deal,
    cards_at,
    marriages,
    name,
    names,
    place,
    places,
)
from dragon_ulti.language import tr
from dragon_ulti.rules import OPEN, UNMET

if TYPE_CHECKING:
    from dragon import RecordGame
    from dragon_ulti.contracts import Bid
    from dragon_ulti.variant import Variant

LAYOUT = readable(np.dtype(rules.FIELDS))
GOALS = {
    "aces": rules.ACES,
    "tens": rules.TENS,
    "ulti": rules.ULTI,
    "none": rules.NONE,
    "all": rules.ALL,
}


@frozen
class Setting:
    """All that a record holds besides cards: bid, trump, rule variants, and what is counted."""

    bid: Bid
    trump: int
    variant: Variant
    points: bool = False
    """True if the payoff is in units, and the game played out."""
    prerequisites: bool = True
    marriages: bool = False
    some: bool = False
    """True if one of the contracts is enough."""

    @property
    def order(self) -> str:
        """The order of cards."""
        return self.bid.order

    @cached_property
    def config(self) -> int:
        """Goals and rule variants as the rules read them."""
        variant = self.variant
        flags = rules.POINTS if self.points else sum(GOALS[goal] for goal in self.bid.goals)
        for on, flag in (
            (variant.overtake, rules.OVERTAKE),
            (variant.trump_duty, rules.DUTY),
            (variant.overtrump, rules.OVERTRUMP),
            (variant.overtake_trumped, rules.OVERTAKE_TRUMPED),
            (variant.offsuit_overtake, rules.OFFSUIT | rules.LITERAL),
            (self.order == "ace-ten", rules.ACE_TEN),
            (self.points or self.bid.need > 0, rules.COUNTED),
            (self.some, rules.SOME),
        ):
            flags |= flag if on else 0
        return flags

    @property
    def base(self) -> int:
        """The units from which `need` in a record begins: 0 where units are counted."""
        return 0 if self.points else self.bid.need

    def place(self, card: int) -> int:
        """Return the place of a card in this order."""
        return place(card, self.order)

    def taker(self, trick: tuple[int, ...]) -> int:
        """Return the index of the card that takes a trick."""

        def strength(i: int) -> tuple[bool, bool, int]:
            each = trick[i]
            return each >> 3 == self.trump, each >> 3 == trick[0] >> 3, self.place(each)

        return max(range(len(trick)), key=strength)

    def unmet(self, deal: Deal) -> str:
        """Return the prerequisite that a full deal lacks, as a sentence; empty if none counts."""
        if not self.prerequisites or not deal.full:
            return ""
        return self.bid.unmet(deal, self.trump, self.variant.marriage_cards)


@frozen
class Table:
    """A position: the hands, what lies on the table, who led it, and what has come of the rest."""

    deal: Deal
    """The cards in the hands, and the talon; () where that is not known."""
    lead: int = 0
    trick: tuple[int, ...] = ()
    """The cards on the table, in the order played."""
    units: int = 0
    """That the declarer has taken."""
    need: int | None = None
    """Units for the contract, where marriages have changed them."""
    pending: tuple[int, int] = (0, 0)
    """Halves of the marriages of declarer and defenders that have not counted yet."""
    status: int = OPEN

    @property
    def dealt(self) -> Deal:
        """The hands before the trick on the table."""
        hands = [set(hand) for hand in self.deal.hands]
        for i, each in enumerate(self.trick):
            hands[(self.lead + i) % 3].add(each)
        first, second, third = (tuple(sorted(hand)) for hand in hands)
        return Deal((first, second, third), self.deal.talon)

    @property
    def opening(self) -> bool:
        """True if no trick has been completed."""
        held = [len(hand) for hand in self.deal.hands]
        for i in range(len(self.trick)):
            held[(self.lead + i) % 3] += 1
        return held == [SIZE] * 3


def fill(s: Any, setting: Setting, table: Table) -> str:
    """Fill a record; return the unmet prerequisite as a sentence, or nothing.

    A game between two tricks ends here if it is decided, except one that has not begun.
    """
    order = setting.order
    for seat in range(3):
        s.hands[seat] = places(table.deal.hands[seat], order)
    s.talon = places(table.deal.talon, order)
    lay(s, setting, table.trick)
    s.seat = (table.lead + len(table.trick)) % 3
    s.won, s.status = table.units, table.status
    s.need = setting.base
    mine, theirs = table.pending
    opening = table.opening
    dealt = table.dealt if opening else table.deal
    if opening:
        mine, theirs = pending(setting, dealt)
        if not setting.variant.marriage_trick:
            s.need += theirs - mine
            mine = theirs = 0
    elif table.need is not None:
        s.need = table.need - setting.bid.need + setting.base
    s.pending = mine + 16 * theirs
    lacking = setting.unmet(dealt) if opening else ""
    if lacking:
        s.status = UNMET
    if s.status != OPEN:
        s.seat = TERMINAL
    elif not table.trick and not opening:
        rules.settle(s)
    return lacking


def state_of(game: RecordGame, setting: Setting, table: Table) -> RecordState:
    """Return the state of a game with open cards that a table is."""
    record = rules_of(game).blank()
    fill(record, setting, table)
    return RecordState(game, bytes(record.tobytes()))


def unmet(state: RecordState) -> str:
    """Return the prerequisite that a deal lacks, as a sentence; empty if it can be played."""
    game: Any = state.game  # an `Ulti`, whose module imports this one
    if state.record.status != UNMET:
        return ""
    lacking: str = game.setting.unmet(table_of(state.record, game.setting).dealt)
    return lacking


def lay(s: Any, setting: Setting, trick: tuple[int, ...]) -> None:
    """Write the setting and the cards on the table into a record."""
    s.config = setting.config
    s.trumps = 0 if setting.trump == NO_TRUMP else rules.SUIT << 8 * setting.trump
    s.first, s.second = (*(setting.place(each) + 1 for each in trick), 0, 0)[:2]


def pending(setting: Setting, deal: Deal) -> tuple[int, int]:
    """Return half the units of the marriages of declarer and defenders."""
    if not setting.marriages:
        return 0, 0
    first, second, third = (marriages(hand, setting.trump) // 2 for hand in deal.hands)
    return first, second + third


def table_of(s: Any, setting: Setting) -> Table:
    """Return the position of a record: the inverse of `fill`."""
    order = setting.order
    hands = [cards_at(int(hand), order) for hand in s.hands]
    trick = [cards_at(1 << int(card) - 1, order)[0] for card in (s.first, s.second) if card]
    lead = (int(s.seat) - len(trick)) % 3 if s.seat != TERMINAL else 0
    need = int(s.need) - setting.base + setting.bid.need
    return Table(
        Deal((hands[0], hands[1], hands[2]), cards_at(int(s.talon), order)),
        lead,
        tuple(trick),
        int(s.won),
        None if need == setting.bid.need else need,
        (int(s.pending) & 15, int(s.pending) >> 4),
        int(s.status),
    )


def blank() -> Any:
    """Return an empty record for the rules to work on; the game's own is of `Rules.blank`."""
    return np.zeros(1, LAYOUT)[0]


def impossible(table: Table, setting: Setting) -> str:
    """Return why a position cannot arise, as the end of a sentence; empty if it can."""
    if table.opening and table.lead:
        return tr("all cards are there, and the declarer leads to the first trick")
    here = {card for hand in table.dealt.hands for card in hand}
    worth = sum(card & 7 in (TEN, ACE) for card in (*here, *table.deal.talon))
    most = 8 - worth + (not here)
    if table.units > most:
        return tr(
            "no more than {most} can have been taken; {worth} of the aces and tens are still there",
            most=most, worth=worth,
        )  # fmt: skip
    record = blank()
    fill(record, setting, evolve(table, deal=table.dealt, trick=()))
    record.seat, record.status = table.lead, OPEN
    for card in table.trick:
        code, seat = setting.place(card), int(record.seat)
        legal = rules.legal(record)
        if not int(legal) >> code & 1:
            hand = table.dealt.hands[seat]
            may = names(each for each in hand if int(legal) >> setting.place(each) & 1)
            return tr(
                "{who} held {may} and might not play {card}",
                who=tr(f"seat {seat}"), may=may, card=name(card),
            )  # fmt: skip
        rules.play(record, code)
    return ""
