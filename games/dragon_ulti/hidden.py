"""The notation of closed hands: what each seat sees of a deal, as text and as a picture.

A seat knows its own cards, the cards played, the cards that could not be played (a player who does
not follow suit has none of it, a player who does not overtake has nothing higher), that the
contract's prerequisite is met, and the marriages announced by each seat that has played; the
declarer knows the talon too, which it has laid away itself. `views` has the rules.

The notation is that of open hands, with `?` for what is not seen:

    HA HK .. / .. / .. / L7 B7, played HA H7 LX     all of it: the deal, and the cards since
    HA HK .. / ? / ? / L7 B7, played HA H7 LX       what the declarer sees of it
    ? / ? / L8 .. / ?, played HA H7                 what seat 2 sees

Hands are those from which play began, so that the cards played are among them. In a view of
shorter hands `among` lists the cards not seen; of full ones these are all the rest. `told
0: 40 20; 1: none` gives the marriages announced, where they count. The module is imported where
cards are hidden alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from attrs import evolve, frozen

from dragon.core import TERMINAL
from dragon.errors import BadNotation
from dragon_ulti import rules, views
from dragon_ulti.cards import (
    ACE,
    DECK,
    SIZE,
    TEN,
    Deal,
    Hand,
    card_at,
    cards_at,
    name,
    names,
    places,
    read_cards,
)
from dragon_ulti.contracts import MARRIAGES as PAIRS
from dragon_ulti.contracts import announcement
from dragon_ulti.notation import UltiNotation, clause_text, given_clauses, hands_and_clauses
from dragon_ulti.record import Setting, Table, fill, lay, table_of

UNSEEN = "?"
"""The text of a hand or a talon that is not seen."""
PLACED = ("lead", "units", "need", "pending")
"""The clauses of a view about the beginning of play, the same as an open position's."""
CLAUSES = (*PLACED, "among", "told", "played")
HINT = (
    "after the hands of a view write, with commas: lead 1, units 3, among H8 ... for the cards "
    "not seen, told 0: 40 20, or played HA H7"
)
MARRIAGES = re.compile(r"([012]): ?(none|(?:40|20)(?: 20)*)")


@frozen
class Play:
    """A card that was played, its player, and the cards of the trick before it."""

    seat: int
    card: int
    trick: Hand


def tricks(setting: Setting, lead: int, cards: Hand) -> Iterator[tuple[int, Hand]]:
    """Yield each trick of the cards played and its leader; the last is incomplete or empty."""
    for i in range(0, len(cards) + 1, 3):
        trick = cards[i : i + 3]
        yield lead, trick
        if len(trick) == 3:
            lead = (lead + setting.taker(trick)) % 3


def plays(setting: Setting, lead: int, cards: Hand) -> Iterator[Play]:
    """Yield who played the cards, given who led the first."""
    for leader, trick in tricks(setting, lead, cards):
        yield from (Play((leader + i) % 3, each, trick[:i]) for i, each in enumerate(trick))


def begin(s: Any, setting: Setting, table: Table) -> str:
    """Fill a record with a deal, of which each seat sees its part; return the unmet prerequisite.

    Cards on the table are the first played.
    """
    for field in s.dtype.names:
        s[field] = 0
    base = table if table.status != rules.OPEN else evolve(table, deal=table.dealt, trick=())
    lacking = fill(s, setting, base)
    s.lead, s.units, s.needed = base.lead, base.units, s.need
    s.mine, s.theirs = base.pending
    if base.opening:
        require(s, setting)
    for each in table.trick if s.seat != TERMINAL else ():
        views.play(s, setting.place(each))
    return lacking


def require(s: Any, setting: Setting) -> None:
    """Write down, where all cards are there, what the bid tells, and how marriages count."""
    if setting.marriages:
        s.weds = views.WITH_TRICK if setting.variant.marriage_trick else views.AT_ONCE
        s.needed, s.mine, s.theirs = setting.base, 0, 0
    if not setting.prerequisites:
        return
    marriage, trump = setting.variant.marriage_cards, 8 * setting.trump
    own: list[int] = []
    for part in setting.bid.parts:
        match part.requires:
            case "forty":
                own += (trump + value for value in PAIRS[marriage])
            case "seven":
                own.append(trump)
            case "aces":
                own.append(trump + ACE)
                s.denied[3] |= places(range(ACE, 32, 8), setting.order)
            case "tens":
                s.denied[3] |= places(range(TEN, 32, 8), setting.order)
            case "twenty":
                s.asks = views.OVER_KING if marriage == "over-king" else views.UNDER_OVER
    for place in (1, 2, 3):
        s.denied[place] |= places({*own}, setting.order)


@frozen(eq=False)
class HiddenNotation(UltiNotation):
    """The notation of deals and of views of them."""

    def base_of(self, s: Any) -> Table:
        """Return the position in which play began; what is not seen is empty."""
        setting = self.setting
        hands = [cards_at(int(s.hands[i]) | int(s.gone[i]), setting.order) for i in range(3)]
        if s.viewer:
            hands = [hand if i == s.viewer - 1 else () for i, hand in enumerate(hands)]
        need = int(s.needed) - setting.base + setting.bid.need
        return Table(
            Deal((hands[0], hands[1], hands[2]), cards_at(int(s.talon), setting.order)),
            int(s.lead), (), int(s.units), None if need == setting.bid.need else need,
            (int(s.mine), int(s.theirs)),
        )  # fmt: skip

    def played(self, s: Any) -> Hand:
        """Return the cards played since."""
        return tuple(card_at(int(each), self.setting.order) for each in s.line[: int(s.made)])

    def position_text(self, s: Any) -> str:
        """Return the deal or the view, and the cards since."""
        played = f", played {names(self.played(s))}" if s.made else ""
        if not (s.viewer or s.made):
            return super().position_text(s)
        base = self.base_of(s)
        if not s.viewer:
            return f"{base.deal}{clause_text(base, True, base.opening)}{played}"
        seat = int(s.viewer) - 1
        size = len(base.deal.hands[seat])
        others = int(s.gone[(seat + 1) % 3]) | int(s.gone[(seat + 2) % 3])
        hidden = tuple(sorted(cards_at(int(s.unseen) | others, self.setting.order)))
        groups = [names(hand) or UNSEEN for hand in base.deal.hands]
        if base.deal.talon or len(hidden) > 2 * size:
            groups.append(names(base.deal.talon) or UNSEEN)
        text = " / ".join(groups) + clause_text(base, going=True, opening=size == SIZE)
        if len(hidden) + size + len(base.deal.talon) < len(DECK):
            text += f", among {names(hidden)}"
        said = [f"{i}: {_said(int(each))}" for i, each in enumerate(s.announced) if each]
        return text + (f", told {'; '.join(said)}" if said else "") + played

    def flaw(self, s: Any) -> str | None:
        """Return why no world was found for a view."""
        return "no deal agrees with it" if s.viewer else None

    def parse(self, s: Any, text: str) -> None:
        """Fill a record from a deal or a view in any of the game's forms; raise BadNotation."""
        if UNSEEN in hands_and_clauses(text)[0] and "deal=" not in text:
            self._read_view(s, text)
        else:
            super().parse(s, text)

    def begin(self, s: Any, table: Table) -> str:
        """Fill a record; return the unmet prerequisite."""
        return begin(s, self.setting, table)

    def play(self, s: Any, code: int) -> None:
        """Play a card."""
        views.play(s, code)

    def svg(self, s: Any) -> str:
        """Return the position as SVG; cards that are not seen show their backs."""
        from dragon_ulti.svg import SEATS, draw, rows_of

        table = table_of(s, self.setting)
        laid = [(table.lead + i) % 3 for i in range(len(table.trick))]
        left = 10 - int(s.made) // 3
        one, two, three = (left - (seat in laid) for seat in range(3))
        rows = rows_of(table, int(s.seat), self.setting.order, (one, two, three))
        return draw(rows, self.status(s, SEATS))

    # ---- views -----------------------------------------------------------------------------

    def _read_view(self, s: Any, text: str) -> None:
        head, *clauses = map(str.strip, hands_and_clauses(text))
        given = given_clauses(text, clauses, CLAUSES, HINT)
        groups = [group.strip() for group in head.split("/")]
        seen = [i for i, group in enumerate(groups[:3]) if group != UNSEEN]
        if len(groups) not in (3, 4) or len(seen) != 1:
            raise BadNotation(
                f"{text!r} is not a view of a deal; write the hand that is seen in its place among "
                "three and ? for the others and for a talon that is not seen, such as "
                "'? / HA HK ... / ? / ?'"
            )
        seat = seen[0]
        own = tuple(sorted(_cards(groups[seat], f"seat {seat}", text)))
        talon = groups[3] if groups[3:] not in ([], [UNSEEN]) else ""
        spare = _cards(talon, "the talon", text) if talon else ()
        if len(spare) not in (0, 2):
            raise BadNotation(f"the talon of {text!r} has {len(spare)} cards; write two, or ?")
        if twice := {*own} & {*spare}:
            raise BadNotation(f"{names(sorted(twice))} is in the hand and in the talon of {text!r}")
        played = _cards(given.get("played", ""), "the cards played", text)
        unseen = tuple(each for each in DECK if each not in (*own, *spare))
        if "among" in given:
            unseen = tuple(sorted(_cards(given["among"], "the cards not seen", text)))
        for each in (*own, *spare):
            if each in unseen:
                raise BadNotation(f"{name(each)} is both seen and not in {text!r}")
        more = 2 if groups[3:] == [UNSEEN] else 0
        if len(unseen) != 2 * len(own) + more:
            raise BadNotation(
                f"{text!r} leaves {len(unseen)} cards for two hands of {len(own)} and {more} in "
                "the talon; hands are those from which play began, a fourth group, ?, is a talon "
                "that is not seen, and `among` lists the cards not seen"
            )
        self._cover(s, self._base(text, seat, own, spare, unseen, given), seat, unseen)
        if len(played) > 3 * len(own):
            raise BadNotation(f"{text!r} has {len(played)} cards played; hands had {len(own)}")
        whole = tuple(plays(self.setting, int(s.lead), played))
        for i, play in enumerate(whole):
            shown = f"card {i + 1} of those played in {text!r}, {name(play.card)},"
            self._show(s, play, own if play.seat == seat else unseen, shown)
        announced = _announced(given.get("told"), text)
        self._check_announced(announced, whole, seat, own, unseen, text)
        for i, said in enumerate(announced):
            s.announced[i] = 0 if said is None else _code(said)

    def _base(
        self, text: str, seat: int, own: Hand, talon: Hand, unseen: Hand, given: dict[str, str]
    ) -> Table:
        """Read the position in which play began, with unseen cards dealt in any way."""
        rest = list(unseen)
        hands = [own] * 3
        hands[(seat + 2) % 3] = tuple(rest[len(own) : 2 * len(own)])
        hands[(seat + 1) % 3] = tuple(rest[: len(own)])
        spare = talon or tuple(rest[2 * len(own) :])
        kept = [f"{word} {said}" for word, said in given.items() if word in PLACED]
        groups = [*hands, spare] if spare else hands
        whole = ", ".join([" / ".join(map(names, groups)), *kept])
        try:
            reading = self.read(whole)
        except BadNotation as wrong:  # of which the user wrote only what is seen
            raise BadNotation(str(wrong).replace(repr(whole), repr(text))) from None
        if reading.table.trick:
            raise BadNotation(f"{text!r}: write the cards on the table as the last of those played")
        return evolve(reading.table, deal=Deal(reading.table.deal.hands, tuple(sorted(talon))))

    def _cover(self, s: Any, table: Table, seat: int, unseen: Hand) -> None:
        """Fill a record with the view of the beginning of play."""
        for field in s.dtype.names:
            s[field] = 0
        setting, order = self.setting, self.setting.order
        lay(s, setting, ())
        s.hands[seat] = places(table.deal.hands[seat], order)
        s.talon, s.unseen, s.viewer = (
            places(table.deal.talon, order),
            places(unseen, order),
            seat + 1,
        )
        s.seat = s.lead = table.lead
        s.won = s.units = table.units
        need = setting.bid.need if table.need is None else table.need
        s.need = s.needed = need - setting.bid.need + setting.base
        s.mine, s.theirs = table.pending
        s.pending = s.mine + 16 * s.theirs
        if table.opening:
            require(s, setting)

    def _show(self, s: Any, played: Play, held: Hand, shown: str) -> None:
        """Play a card in a view; raise BadNotation where its seat cannot have played it."""
        setting, seat, card = self.setting, played.seat, played.card
        place, own = setting.place(card), seat == s.viewer - 1
        if card not in held:
            whose = f"seat {seat} does not hold it" if own else "it is not unseen"
            raise BadNotation(f"{shown} is seat {seat}'s, but {whose}")
        if own and not int(rules.legal(s)) >> place & 1:
            may = names(cards_at(int(rules.legal(s)), setting.order))
            raise BadNotation(f"{shown} is not legal; legal: {may}")
        if int(s.denied[seat]) >> place & 1:
            raise BadNotation(
                f"{shown} is not legal: by what seat {seat} played before, it cannot hold it"
            )
        s.denied[seat] |= int(views.forced(s, place))
        s.gone[seat] |= 1 << place
        s.hands[seat] = int(s.hands[seat]) & ~(1 << place)
        s.unseen = int(s.unseen) & ~(1 << place)
        s.line[s.made] = place
        s.made += 1
        trick = (*played.trick, card)
        lay(s, setting, trick if len(trick) < 3 else ())
        s.seat = (seat + 1) % 3
        if len(trick) == 3:
            s.seat = (seat + 1 + setting.taker(trick)) % 3
            s.took |= 1 if s.seat == 0 else 2
            if s.seat == 0 and s.config & rules.COUNTED:
                s.won += sum(each & 7 in (TEN, ACE) for each in trick)
            if s.pending:
                rules.count_marriages(s, s.seat)  # type: ignore[no-untyped-call]

    def _check_announced(
        self, announced: tuple[str | None, ...], played: tuple[Play, ...], seat: int, own: Hand,
        unseen: Hand, text: str,
    ) -> None:  # fmt: skip
        """Check that announcements are due, and true as far as the view shows."""
        if not any(announced):
            return
        if not (self.setting.marriages and len(own) == SIZE):
            raise BadNotation(
                f"{text!r} tells of marriages, which are announced only with marriages=true and by "
                "seats that began with ten cards"
            )
        by = {each.card: each.seat for each in played}
        for i, said in enumerate(announced):
            if said is None:
                continue
            if i not in by.values():
                raise BadNotation(
                    f"{text!r} tells what seat {i} announced, but it has played no card yet"
                )
            mine = own if i == seat else [c for c in unseen if by.get(c, i) == i]
            most = announcement(mine, self.setting.trump)
            if (i == seat and said != most) or any(
                said.count(word) > most.count(word) for word in ("40", "20")
            ):
                raise BadNotation(
                    f"{text!r} tells that seat {i} announced {said}, but its cards have "
                    f"{'' if i == seat else 'at most '}{most}"
                )


def _code(said: str) -> int:
    """Return an announcement as the record has it."""
    return 1 + said.count("40") + 2 * said.count("20")


def _said(code: int) -> str:
    """Return the words of an announcement of a record."""
    return " ".join(["40"] * (code - 1 & 1) + ["20"] * (code - 1 >> 1)) or "none"


def _cards(words: str, where: str, text: str) -> Hand:
    found = read_cards(words, where, text)
    for each in found:
        if found.count(each) > 1:
            raise BadNotation(f"{name(each)} is there twice in {text!r}")
    return found


def _announced(clause: str | None, text: str) -> tuple[str | None, ...]:
    said: list[str | None] = [None, None, None]
    for part in (clause or "").split(";"):
        if not part.strip():
            continue
        found = MARRIAGES.fullmatch(" ".join(part.split()))
        if not found or said[int(found[1])] is not None:
            why = " says it twice" if found else ""
            raise BadNotation(f"{part.strip()!r} in {text!r}{why}: write 'told 0: 40 20; 1: none'")
        said[int(found[1])] = found[2]
    return tuple(said)
