"""From deals to records and back: what the rules work on, filled from cards and settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon.core import TERMINAL
from dragon_ulti import rules
from dragon_ulti.cards import NO_TRUMP, cards_at, place, places
from dragon_ulti.contracts import Bid, marriages, unmet
from dragon_ulti.deal import SIZE, Deal
from dragon_ulti.rules import FAILED, MADE, OPEN, UNMET

if TYPE_CHECKING:
    from dragon_ulti.house import House

GOALS = {
    "aces": rules.ACES,
    "tens": rules.TENS,
    "ulti": rules.ULTI,
    "none": rules.NONE,
    "all": rules.ALL,
}


@frozen
class Setting:
    """All that a record holds besides cards: bid, trump, house rules, and what is counted."""

    bid: Bid
    trump: int
    house: House
    points: bool = False
    """Whether the payoff is in units, and the game played out."""
    prerequisites: bool = True
    marriages: bool = False

    @property
    def order(self) -> str:
        """How cards rank."""
        return self.bid.order

    @property
    def config(self) -> int:
        """Goals and house rules as the rules read them."""
        house = self.house
        flags = rules.POINTS if self.points else sum(GOALS[goal] for goal in self.bid.goals)
        for on, flag in (
            (house.overtake, rules.OVERTAKE),
            (house.trump_duty, rules.DUTY),
            (house.overtrump, rules.OVERTRUMP),
            (house.overtake_trumped, rules.OVERTAKE_TRUMPED),
            (house.offsuit_overtake, rules.OFFSUIT | rules.LITERAL),
            (self.order == "ace-ten", rules.ACE_TEN),
            (self.points or self.bid.need > 0, rules.COUNTED),
        ):
            flags |= flag if on else 0
        return flags

    def place(self, card: int) -> int:
        """The place of a card in this order."""
        return place(card, self.order)

    def taker(self, trick: tuple[int, ...]) -> int:
        """Which card of a trick takes it, counted from 0."""

        def strength(i: int) -> tuple[bool, bool, int]:
            each = trick[i]
            return each >> 3 == self.trump, each >> 3 == trick[0] >> 3, self.place(each)

        return max(range(len(trick)), key=strength)

    def unmet(self, deal: Deal) -> str:
        """Which prerequisite a full deal lacks, as a sentence; empty if none counts."""
        if not self.prerequisites or not deal.full:
            return ""
        return unmet(self.bid, deal, self.trump, self.house.marriage_cards)


@frozen
class Table:
    """A position: the hands, what lies on the table, who led it, and what has come of the rest."""

    deal: Deal
    """What is in the hands; its talon, () where that is not known."""
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
        """Whether no trick has been completed."""
        return self.dealt.full


def fill(s: Any, setting: Setting, table: Table) -> str:
    """Fills a record; which prerequisite is unmet, as a sentence, or nothing.

    A game between two tricks ends here if it is decided, but for one that has not begun.
    """
    order = setting.order
    for seat in range(3):
        s.hands[seat] = places(table.deal.hands[seat], order)
    s.talon = places(table.deal.talon, order)
    s.trumps = 0 if setting.trump == NO_TRUMP else rules.SUIT << 8 * setting.trump
    s.config = setting.config
    s.first, s.second = 0, 0
    for i, each in enumerate(table.trick):
        s["first" if i == 0 else "second"] = places((each,), order).bit_length()
    s.seat = (table.lead + len(table.trick)) % 3
    s.won, s.status = table.units, table.status
    s.need = 0 if setting.points else setting.bid.need
    mine, theirs = table.pending
    if table.opening:
        mine, theirs = pending(setting, table.dealt)
        if not setting.house.marriage_trick:
            s.need += theirs - mine
            mine = theirs = 0
    elif table.need is not None:
        s.need = table.need
    s.pending = mine + 16 * theirs
    lacking = setting.unmet(table.dealt) if table.opening else ""
    if lacking:
        s.status = UNMET
    if s.status != OPEN:
        s.seat = TERMINAL
    elif not table.trick and not table.opening:
        rules.settle(s)
    return lacking


def pending(setting: Setting, deal: Deal) -> tuple[int, int]:
    """Half the units of the marriages of declarer and defenders."""
    if not setting.marriages:
        return 0, 0
    first, second, third = (marriages(hand, setting.trump) // 2 for hand in deal.hands)
    return first, second + third


def table_of(s: Any, setting: Setting) -> Table:
    """The position of a record: the inverse of `fill`."""
    order = setting.order
    hands = [cards_at(int(hand), order) for hand in s.hands]
    trick = [cards_at(1 << int(card) - 1, order)[0] for card in (s.first, s.second) if card]
    lead = (int(s.seat) - len(trick)) % 3 if s.seat != TERMINAL else 0
    need = int(s.need)
    return Table(
        Deal((hands[0], hands[1], hands[2]), cards_at(int(s.talon), order)),
        lead,
        tuple(trick),
        int(s.won),
        None if setting.points or need == setting.bid.need else need,
        (int(s.pending) & 15, int(s.pending) >> 4),
        int(s.status),
    )


__all__ = ["FAILED", "MADE", "OPEN", "SIZE", "UNMET", "Setting", "Table", "fill", "table_of"]
