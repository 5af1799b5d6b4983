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

import re
from contextlib import suppress
from typing import Any

from attrs import frozen

from dragon.core import TERMINAL
from dragon.rules.notation import BaseNotation
from dragon_ulti import rules
from dragon_ulti.cards import (
    NO_TRUMP,
    SUITS,
    Deal,
    Hand,
    begins_cards,
    by_suit,
    card,
    card_at,
    cards_at,
    checked,
    clauses_of,
    deal_of_json,
    digits_of,
    name,
    names,
    place,
    pretty,
    read_cards,
    read_code,
    read_json,
    read_text,
    suit,
)
from dragon_ulti.contracts import said, trump_name
from dragon_ulti.language import bad_notation, tr
from dragon_ulti.record import Setting, Table, fill, impossible, table_of
from dragon_ulti.rules import FAILED, MADE, OPEN, UNMET

STATUS = {"made": MADE, "failed": FAILED}
WORDS = {status: word for word, status in STATUS.items()}
CLAUSES = ("lead", "units", "need", "pending", "made", "failed", "played")
NOTHING: Hand = ()
HINT = "after the hands write, with commas: lead 1: HA H7, units 3, made, failed, or played HA H7"


@frozen
class Reading:
    """A position that was read, and the cards that are to be played from there."""

    table: Table
    played: Hand = ()


def given_clauses(
    text: str, clauses: list[str], known: tuple[str, ...], hint: str = HINT
) -> dict[str, str]:
    """Return the text after each clause's word; raise BadNotation for one not `known`, or twice."""
    given: dict[str, str] = {}
    for clause in clauses:
        word, _, rest = clause.strip().partition(" ")
        if word not in known or word in given:
            raise bad_notation(
                "{clause!r} in {text!r} is said twice; {hint}"
                if word in given
                else "{clause!r} in {text!r} is not understood; {hint}",
                clause=clause.strip(), text=text, hint=tr(hint),
            )  # fmt: skip
        given[word] = rest.strip()
    return given


def hands_and_clauses(text: str) -> list[str]:
    """Return the text of hands, in which there may be commas, and the clauses after them.

    >>> hands_and_clauses("P:A,K / H7 H8 / Z: VII,8, lead 1, played H7")
    ['P:A,K / H7 H8 / Z: VII,8', ' lead 1', ' played H7']
    """
    hands, *parts = text.split(",")
    while parts and ("/" in parts[0] or begins_cards(parts[0])):
        hands += f",{parts.pop(0)}"
    clauses: list[str] = []
    for part in parts:
        if clauses and begins_cards(part):
            clauses[-1] += f",{part}"
        else:
            clauses.append(part)
    return [hands, *clauses]


@frozen
class Reader:
    """A reader of the positions of one bid, trump and set of rule variants."""

    setting: Setting

    def read(self, text: str) -> Reading:
        """Return the position of a text in any form, not yet played on; raise BadNotation."""
        if text.lstrip().startswith(("{", "[")):
            return self._read_object(text)
        digits, whole = digits_of(text), text
        if digits is not None:
            deal, trump = read_code(digits)
            self._check_trump(SUITS[trump], text)
            self._check_contract(digits)
            whole = f"{deal}{clauses_of(text)}"
        hands, *clauses = hands_and_clauses(whole)
        return self._read_clauses(text, hands, given_clauses(text, clauses, CLAUSES))

    def _read_clauses(self, text: str, hands: str, given: dict[str, str]) -> Reading:
        lead, trick = 0, NOTHING
        if "lead" in given:
            found = re.fullmatch(r"([012])\s*(?::(.*))?", given["lead"])
            if not found:
                raise bad_notation(
                    "'lead {lead}' in {text!r} names no seat; {hint}",
                    lead=given["lead"], text=text, hint=tr(HINT),
                )  # fmt: skip
            lead, trick = int(found[1]), self._trick(found[2] or "", text)
        done = [word for word in STATUS if word in given]
        if len(done) > 1:
            raise bad_notation("{text!r} says both made and failed", text=text)
        whole = self._deal(hands, trick, lead, text)
        played = read_cards(given.get("played", ""), tr("the cards played"), text)
        return self._reading(whole, lead, trick, given, "".join(done), played, text)

    @staticmethod
    def _trick(value: Any, text: str) -> Hand:
        trick = read_cards(value, tr("the trick"), text)
        if len(trick) > 2:
            raise bad_notation(
                "the trick of {text!r} has {n} cards; with three it is over",
                text=text, n=len(trick),
            )  # fmt: skip
        return trick

    def _deal(self, hands: str, trick: Hand, lead: int, text: str) -> Deal:
        """Return the hands, which are of equal length with the trick's cards back in them."""
        groups = [group.strip() for group in hands.split("/")]
        if len(groups) >= 3:
            for i, each in enumerate(trick):
                groups[(lead + i) % 3] += f" {name(each)}"
        return read_text(" / ".join(group.strip() for group in groups))

    def _reading(
        self,
        whole: Deal,
        lead: int,
        trick: Hand,
        said: dict[str, str],
        status: str,
        played: Hand,
        text: str,
    ) -> Reading:
        """Return the position of hands that include the trick's cards, and of the clauses."""
        one, two, three = (tuple(c for c in hand if c not in trick) for hand in whole.hands)
        table = Table(
            Deal((one, two, three), whole.talon),
            lead,
            trick,
            self._number(said, "units", text),
            self._number(said, "need", text, least=-9) if "need" in said else None,
            self._pair(said.get("pending", "0 0"), text),
            STATUS.get(status, OPEN),
        )
        self._check(table, text)
        return Reading(table, played)

    @staticmethod
    def _number(given: dict[str, str], word: str, text: str, least: int = 0) -> int:
        said = given.get(word, "0")
        if not re.fullmatch(r"-?\d{1,2}", said) or not least <= int(said) <= 20:
            raise bad_notation(
                "'{word} {said}' in {text!r}: write a number from {least} to 20",
                word=word, said=said, text=text, least=least,
            )  # fmt: skip
        return int(said)

    @staticmethod
    def _pair(said: str, text: str) -> tuple[int, int]:
        found = re.fullmatch(r"(\d{1,2}) (\d{1,2})", said)
        if not found or max(int(found[1]), int(found[2])) > 10:
            raise bad_notation(
                "'pending {said}' in {text!r}: write two numbers from 0 to 10", said=said, text=text
            )
        return int(found[1]), int(found[2])

    def _read_object(self, text: str) -> Reading:
        value = read_json(text)
        known = ("hands", "talon", "lead", "trick", "units", "need", "pending", "status", "played",
                 "contract", "trump")  # fmt: skip
        for key in value:
            if key not in known:
                raise bad_notation(
                    "{key!r} in {text!r} is not understood ({known})",
                    key=key, text=text, known=", ".join(known),
                )  # fmt: skip
        if "contract" in value and not self._is(str(value["contract"]), text):
            raise bad_notation(
                "{text!r} is a deal for {other}, but this game is {this}; give the game "
                "contract={other!r}",
                text=text, other=value["contract"], this=self.setting.bid.title,
            )  # fmt: skip
        if value.get("trump") is not None:
            if "contract" in value and self.setting.trump == NO_TRUMP:
                raise bad_notation(
                    "{text!r} has a trump, and {contract} has none; leave it out",
                    text=text, contract=value["contract"],
                )  # fmt: skip
            self._check_trump(str(value["trump"]), text)
        lead, trick = value.get("lead", 0), self._trick(value.get("trick") or [], text)
        if type(lead) is not int or lead not in (0, 1, 2):
            raise bad_notation(
                "lead {lead!r} in {text!r} is not a seat; write 0, 1 or 2", lead=lead, text=text
            )
        for i, each in enumerate(trick):
            if (lead + i) % 3 < len(value["hands"]):
                seat = (lead + i) % 3
                hand = read_cards(value["hands"][seat], tr("hand {n}", n=seat), text)
                value["hands"][seat] = [name(c) for c in (*hand, each)]
        whole = deal_of_json(value, text)
        said = {k: str(value[k]) for k in ("units", "need") if value.get(k) is not None}
        if two := value.get("pending"):
            said["pending"] = " ".join(map(str, two)) if isinstance(two, list) else str(two)
        status = value.get("status") or "open"
        if status not in ("open", *STATUS):
            raise bad_notation(
                "status {status!r} in {text!r}: write open, made or failed",
                status=status, text=text,
            )  # fmt: skip
        played = read_cards(value.get("played") or [], tr("the cards played"), text)
        return self._reading(whole, lead, trick, said, status, played, text)

    def _check(self, table: Table, text: str) -> None:
        """Raise BadNotation where play cannot lead, as far as can be told."""
        checked(table.dealt.hands, table.dealt.talon, text)
        if not self.setting.marriages and (table.need is not None or any(table.pending)):
            raise bad_notation(
                "{text!r} speaks of marriages, which do not count here (see marriages=true)",
                text=text,
            )
        if why := impossible(table, self.setting):
            raise bad_notation("{text!r} cannot arise: {why}", text=text, why=why)
        begun = table.units or table.status != OPEN or table.need is not None
        if table.opening and (begun or any(table.pending)):
            why = tr("all cards are there, so nothing has come")
            raise bad_notation("{text!r} cannot arise: {why}", text=text, why=why)
        if table.units and not (self.setting.points or self.setting.bid.need):
            raise bad_notation(
                "{text!r} counts units, which {contract} does not",
                text=text, contract=self.setting.bid.title,
            )  # fmt: skip
        if self.setting.points and table.status != OPEN:
            word = WORDS[table.status]
            raise bad_notation(
                "{text!r} is decided, but units are counted to the last card; leave {word!r} out",
                text=text, word=word,
            )  # fmt: skip
        if table.trick and table.status != OPEN:
            why = tr("the game ends between tricks only")
            raise bad_notation("{text!r} cannot arise: {why}", text=text, why=why)
        ended = table.status == OPEN and not any(table.dealt.hands)
        if ended and (self.setting.bid.goals and not self.setting.points):
            raise bad_notation(
                "{text!r} has no cards; say whether it was made or failed", text=text
            )

    def _is(self, contract: str, text: str) -> bool:
        call = said(contract)
        if call.trump:
            self._check_trump(call.trump, text)
        return {*call.contracts} == {*self.setting.bid.name.split("+")} and not call.unknown

    def _check_trump(self, letter: str, text: str) -> None:
        trump = self.setting.trump
        with suppress(ValueError):  # a word that is not a suit is not this trump
            letter = SUITS[suit(letter)]
        if trump == NO_TRUMP or letter == SUITS[trump]:
            return
        raise bad_notation(
            "{text!r} has {letter} as its trump, but this game has {trump}; give the game "
            "trump={letter!r}",
            text=text, letter=letter, trump=trump_name(trump),
        )  # fmt: skip

    def _check_contract(self, digits: str) -> None:
        codes = [part.code for part in self.setting.bid.parts]
        if len(digits) == 62 and int(digits[0]) not in codes:
            raise bad_notation(
                "deal={digits}: digit 1 is contract {code}, but this game is {this} ({codes}); "
                "leave that digit out",
                digits=digits, code=digits[0], this=self.setting.bid.title,
                codes=" ".join(map(str, codes)),
            )  # fmt: skip


def clause_text(table: Table, going: bool, opening: bool) -> str:
    """Return the clauses that tell of a position what its hands do not."""
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
        """Return the name of a card."""
        return name(card_at(code, self.setting.order))

    def move_code(self, s: Any, text: str) -> int:
        """Return the place of a card; raise BadNotation."""
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
        """Return the hands, the talon and the clauses."""
        table = table_of(s, self.setting)
        end = f", {WORDS[table.status]}" if table.status in WORDS else ""
        return f"{table.deal}{clause_text(table, s.seat != TERMINAL, table.opening)}{end}"

    def parse(self, s: Any, text: str) -> None:
        """Fill a record from any of the ways to write a position; raise BadNotation."""
        reading = self.read(text)
        lacking = self.begin(s, reading.table)
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
            self.play(s, code)

    def begin(self, s: Any, table: Table) -> str:
        """Fill a record; return the unmet prerequisite."""
        return fill(s, self.setting, table)

    def play(self, s: Any, code: int) -> None:
        """Play a card."""
        rules.play(s, code)

    def read(self, text: str) -> Reading:
        """Return the position of a text in any form, not yet played on; raise BadNotation."""
        return Reader(self.setting).read(text)

    # ---- pictures --------------------------------------------------------------------------

    def picture(self, s: Any) -> str:
        """Return the hands by suits, the trick, and who is to play or how it ended."""
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
        """Return bid, trump, and the seat to play or the end; `seats`: the names of the seats."""
        what = f"{self.setting.bid.title}, {trump_name(self.setting.trump)}"
        if self.setting.points or self.setting.bid.need:
            what += f", declarer {int(s.won)} {'unit' if s.won == 1 else 'units'}"
        if s.seat != TERMINAL:
            return f"{what}; {seats[int(s.seat)]} to play"
        ends = {MADE: "made", FAILED: "failed", UNMET: "not to be played: a prerequisite is unmet"}
        return f"{what}; {ends.get(int(s.status), 'played out')}"
