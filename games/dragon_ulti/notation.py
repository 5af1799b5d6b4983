"""The notation of Ulti: cards such as `HA`, and positions as hands with the results of play.

A position is the hands of seats 0, 1 and 2 and the talon, if it is known, then what cannot
be seen of these, after commas:

    HA HK / H7 L9 / LX L8 / A7 A8              seat 0 leads
    HA / H7 L9 / LX L8, lead 0: HK, units 3    seat 0 has led HK and has taken 3 units
    ... / ... / ..., failed                    decided: made or failed

`need 4` and `pending 2 0` are said where marriages have changed what is needed, or may yet
(halves of the units that the declarer and the defenders have announced). `played HA H7 LX`
after a position is read, not written: the cards are played one by one. So are the 61 digits
of `deal=`, with or without the URL about them, and a JSON object of the same contents.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from dragon.core import TERMINAL
from dragon.rules.notation import BaseNotation
from dragon_ulti import rules
from dragon_ulti.cards import (
    SUITS,
    by_suit,
    card,
    card_at,
    cards_at,
    name,
    names,
    place,
    pretty,
)
from dragon_ulti.contracts import trump_name
from dragon_ulti.language import bad_notation, tr
from dragon_ulti.reading import WORDS, Reader, Reading
from dragon_ulti.record import Setting, Table, fill, table_of
from dragon_ulti.rules import FAILED, MADE, UNMET


def clause_text(table: Table, going: bool, opening: bool) -> str:
    """The clauses that tell of a position what its hands do not."""
    text = ""
    if going and (table.lead or table.trick):
        trick = f": {names(table.trick)}" if table.trick else ""
        text += f", lead {table.lead}{trick}"
    if table.units:
        text += f", units {table.units}"
    if not opening and table.need is not None:
        text += f", need {table.need}"
    if not opening and any(table.pending):
        text += ", pending {} {}".format(*table.pending)
    return text


@frozen(eq=False)
class UltiNotation(BaseNotation):
    """The notation of one bid, trump and set of rule variants."""

    setting: Setting

    # ---- cards -----------------------------------------------------------------------------

    def move_text(self, s: Any, code: int) -> str:
        """The name of a card."""
        return name(card_at(code, self.setting.order))

    def move_code(self, s: Any, text: str) -> int:
        """The place of a card; raises BadNotation."""
        return place(card(text), self.setting.order)

    def objection(self, s: Any, code: int, text: str, position: str) -> str:
        """Why a card may not be played: whose it is, or which rule forbids it."""
        table = table_of(s, self.setting)
        seat, number = int(s.seat), card_at(code, self.setting.order)
        shown, who = name(number), tr(f"seat {seat}")
        if number not in table.deal.hands[seat]:
            return tr(
                "{card} cannot be played in {position}: {who} does not hold it",
                card=shown, position=position, who=who,
            )  # fmt: skip
        may = names(cards_at(int(rules.legal(s)), self.setting.order))
        led = table.trick[0]
        letter = SUITS[led >> 3]
        if any(each >> 3 == led >> 3 for each in table.deal.hands[seat]):
            follows = number >> 3 == led >> 3
            reason = tr("overtake in {suit}", suit=letter) if follows else tr("follow suit")
        else:
            trump = number >> 3 == self.setting.trump
            reason = tr("overtrump") if trump else tr("trump, having no {suit}", suit=letter)
        return tr(
            "{card} is not legal in {position}: {who} must {reason} ({may})",
            card=shown, position=position, who=who, reason=reason, may=may,
        )  # fmt: skip

    # ---- positions -------------------------------------------------------------------------

    def position_text(self, s: Any) -> str:
        """Hands, talon and what else there is to say."""
        table = table_of(s, self.setting)
        end = f", {WORDS[table.status]}" if table.status in WORDS else ""
        return f"{table.deal}{clause_text(table, s.seat != TERMINAL, table.opening)}{end}"

    def parse(self, s: Any, text: str) -> None:
        """Fills a record from any of the ways to write a position; raises BadNotation."""
        reading = self.read(text)
        lacking = fill(s, self.setting, reading.table)
        if lacking and (reading.table.trick or reading.played):
            raise bad_notation(
                "{text!r} cannot arise: {lacking}, so not a card is played "
                "(prerequisites=false sets that aside)",
                text=text, lacking=lacking,
            )  # fmt: skip
        for i, each in enumerate(reading.played):
            if s.seat == TERMINAL:
                raise bad_notation(
                    "{text!r}: the game is over before {card}, card {n} of those played",
                    text=text, card=name(each), n=i + 1,
                )  # fmt: skip
            code = place(each, self.setting.order)
            if not int(rules.legal(s)) >> code & 1:
                why = self.objection(s, code, name(each), self.position_text(s))
                raise bad_notation("card {n} of those played: {why}", n=i + 1, why=why)
            rules.play(s, code)

    def read(self, text: str) -> Reading:
        """The position of a text in any form, not yet played on; raises BadNotation."""
        return Reader(self.setting).read(text)

    # ---- pictures --------------------------------------------------------------------------

    def picture(self, s: Any) -> str:
        """The hands by suits, the trick, and who is to play or how it ended."""
        table = table_of(s, self.setting)
        lines = []
        labels = ("declarer", "seat 1", "seat 2", "talon")
        for label, hand in zip(labels, (*table.deal.hands, table.deal.talon), strict=True):
            if label != "talon" or hand:
                suits = by_suit(hand, self.setting.order)
                shown = "   ".join(" ".join(map(pretty, cards)) for cards in suits if cards)
                lines.append(f"{label:9}{shown}".rstrip())
        if table.trick:
            cards = (
                f"{pretty(each)} ({(table.lead + i) % 3})" for i, each in enumerate(table.trick)
            )
            lines.append(f"{'table':9}{'  '.join(cards)}")
        return "\n".join([*lines, self.status(s)])

    def svg(self, s: Any) -> str:
        """Return the position as SVG, each card with its name in `data-cell`."""
        from dragon_ulti.svg import SEATS, draw, rows_of

        rows = rows_of(table_of(s, self.setting), int(s.seat), self.setting.order)
        return draw(rows, self.status(s, SEATS))

    def status(self, s: Any, seats: tuple[str, ...] = ("seat 0", "seat 1", "seat 2")) -> str:
        """Bid, trump, and who is to play or how it ended; `seats` are what they are called."""
        what = f"{self.setting.bid.title}, {trump_name(self.setting.trump)}"
        if self.setting.points or self.setting.bid.need:
            what += f", declarer {int(s.won)} units"
        if s.seat != TERMINAL:
            return f"{what}; {seats[int(s.seat)]} to play"
        ends = {MADE: "made", FAILED: "failed", UNMET: "not to be played: a prerequisite is unmet"}
        return f"{what}; {ends.get(int(s.status), 'played out')}"
