"""Ulti with closed hands: the knowledge of each seat, and the deals that agree with it.

A seat knows its own cards, the cards played, the cards that could not be played (a player who does
not follow suit has none of it, a player who does not overtake has nothing higher), that the
contract's prerequisite is met, and the marriages announced by each seat that has played; the
declarer knows the talon too, which it has laid away itself.

The notation is that of open hands, with `?` for what is not seen:

    HA HK .. / .. / .. / L7 B7, played HA H7 LX     all of it: the deal, and the cards since
    HA HK .. / ? / ? / L7 B7, played HA H7 LX       what the declarer sees of it
    ? / ? / L8 .. / ?, played HA H7                 what seat 2 sees

Hands are those from which play began, so that the cards played are among them. In a view of
shorter hands `among` lists the cards not seen; of full ones these are all the rest. `told
0: 40 20; 1: none` gives the marriages announced, where they count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from attrs import evolve, field, frozen

from dragon.core import TERMINAL
from dragon.errors import BadNotation, GameError
from dragon.protocols import Determinizable
from dragon.rules.record import RecordState, rules_of
from dragon_ulti import rules
from dragon_ulti.cards import (
    ACE,
    DECK,
    SIZE,
    TEN,
    Deal,
    Hand,
    card_at,
    name,
    names,
    place,
    places,
    read_cards,
)
from dragon_ulti.contracts import announcement
from dragon_ulti.notation import UltiNotation, clause_text, given_clauses, hands_and_clauses
from dragon_ulti.random_deal import draw
from dragon_ulti.record import Setting, Table, blank, lay, state_of, table_of

if TYPE_CHECKING:
    from dragon import RecordGame


TRIES = 100_000
"""Deals drawn for one that fits announcements and prerequisites."""
UNSEEN = "?"
"""The text of a hand or a talon that is not seen."""


class HiddenGame(Protocol):
    """The part of the game that hidden states need."""

    @property
    def setting(self) -> Setting:
        """Bid, trump and rule variants."""

    @property
    def opened(self) -> RecordGame:
        """The game with all cards open."""


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


def moment(setting: Setting, lead: int, cards: Hand) -> tuple[int, Hand]:
    """Return who leads the trick on the table after these cards, and the cards of that trick."""
    *_, last = tricks(setting, lead, cards)
    return last


@lru_cache(maxsize=1 << 14)
def denied(setting: Setting, card: int, trick: Hand) -> int:
    """Return, as bits, the cards that the player of `card` would have had to play instead.

    What may be played of a hand may be played of any two cards of it, so pairs tell all.
    """
    record = blank()
    lay(record, setting, trick)
    own, found = places((card,), setting.order), 0
    for other in DECK:
        if other != card:
            record.hands[0] = own | places((other,), setting.order)
            if not int(rules.legal(record)) & own:
                found |= 1 << other
    return found


@frozen
class Closed(Determinizable[str]):
    """A deal of which a seat may see a part: where play began, and the cards since.

    `record` has the position now, with empty hands where they are not seen.
    """

    game: HiddenGame  # type: ignore[assignment]  # it is a Game, too
    base: Table
    """The position in which play began; hands and talon that are not seen are empty."""
    played: Hand = ()
    seat: int | None = None
    """The seat whose view it is; None: everything is seen."""
    unseen: Hand = ()
    """Cards that are not seen and were not when play began: of other hands, and of the talon."""
    announced: tuple[str | None, ...] = (None, None, None)
    """The marriages announced, of seats that have; only where marriages count."""
    record: RecordState = field(eq=False, kw_only=True)

    teams = (0, 1, 1)

    @property
    def setting(self) -> Setting:
        """Bid, trump and rule variants."""
        return self.game.setting

    @property
    def largest(self) -> float:  # type: ignore[override]
        """The largest payoff."""
        return self.record.largest

    @property
    def turn(self) -> int:
        """The seat to play a card; TERMINAL when the contract is decided."""
        return self.record.turn

    def moves(self) -> tuple[str, ...]:
        """Return the cards that may be played."""
        return tuple(self.record.moves()) if self.seat in (None, self.turn) else self._blind()

    def _blind(self) -> Any:
        raise GameError(
            f"{self} is seat {self.seat}'s view, and seat {self.turn} is to move; ask with what "
            "that seat sees, or draw a world"
        )

    def after(self, move: str) -> Closed:
        """Return the deal with one more card played; raise IllegalMove."""
        if self.seat is not None:
            raise GameError(f"{self} is seat {self.seat}'s view; draw a world to play on")
        record = self.record.after(move)
        card = card_at(self.record.code(move), self.setting.order)
        announced = self._announced(self.turn)
        return evolve(self, played=(*self.played, card), record=record, announced=announced)

    def _announced(self, seat: int) -> tuple[str | None, ...]:
        """Return the announcements, with those of `seat`, which now plays a card."""
        if not self.setting.marriages or not self.base.opening or self.announced[seat] is not None:
            return self.announced
        said = announcement(self.base.deal.hands[seat], self.setting.trump)
        return tuple(said if i == seat else each for i, each in enumerate(self.announced))

    def payoff(self) -> tuple[float, ...]:
        """Return the payoff of the open cards."""
        return self.record.payoff()

    def opened(self) -> RecordState:
        """Return the position of the game with open cards."""
        return self.record

    # ---- what a seat sees ------------------------------------------------------------------

    def seen(self, seat: int) -> Closed:
        """Return the view of a seat; only the declarer sees the talon."""
        if self.seat is not None:
            return self if seat == self.seat else self._blind()
        if self.turn == TERMINAL:
            return self
        hands = self.base.deal.hands
        talon = self.base.deal.talon if seat == 0 else ()
        hidden = [each for i, hand in enumerate(hands) if i != seat for each in hand]
        hidden += () if seat == 0 else self.base.deal.talon
        own = tuple(hand if i == seat else () for i, hand in enumerate(hands))
        base = evolve(self.base, deal=Deal((own[0], own[1], own[2]), talon))
        if self.base.opening:  # whose marriages count is said as they are announced
            base = evolve(base, need=None, pending=(0, 0))
        return view(self.game, base, self.played, seat, tuple(sorted(hidden)), self.announced)

    def determinize(self, rng: np.random.Generator) -> Closed:
        """Return a deal that agrees with all that the seat to move has seen, each as likely."""
        if self.turn == TERMINAL:
            return self
        here = self if self.seat is not None else self.seen(self.turn)
        return here._world(rng)

    @cached_property
    def _shown(self) -> tuple[list[list[int]], list[int]]:
        """The cards that each seat has played, and, as bits, those that it showed not to have."""
        gone: list[list[int]] = [[], [], []]
        excluded = [0] * 3
        for each in plays(self.setting, self.base.lead, self.played):
            gone[each.seat].append(each.card)
            excluded[each.seat] |= denied(self.setting, each.card, each.trick)
        return gone, excluded

    def _world(self, rng: np.random.Generator) -> Closed:
        others = [seat for seat in range(3) if seat != self.seat]
        gone, excluded = self._shown
        assert self.seat is not None
        size = len(self.base.deal.hands[self.seat])
        left = [card for card in self.unseen if card not in self.played]
        room = [size - len(gone[seat]) for seat in others]
        spare = len(left) - sum(room)
        for _ in range(TRIES):
            got = draw(left, [*(excluded[seat] for seat in others), 0], (*room, spare), rng)
            if got is None:
                break
            hands = [self.base.deal.hands[self.seat]] * 3
            for seat, new in zip(others, got, strict=False):
                hands[seat] = tuple(sorted((*gone[seat], *new)))
            deal = Deal((hands[0], hands[1], hands[2]), self.base.deal.talon or got[-1])
            if world := self._fitting(deal):
                return world
        raise GameError(f"no deal agrees with what seat {self.seat} has seen in {self}")

    def _fitting(self, deal: Deal) -> Closed | None:
        """Return the world of a deal, if prerequisites and announcements hold and play goes on."""
        setting, base = self.setting, evolve(self.base, deal=deal)
        if base.opening and setting.unmet(deal):
            return None
        for hand, said in zip(deal.hands, self.announced, strict=True):
            if said is not None and said != announcement(hand, setting.trump):
                return None
        record = opening(self.game, base)
        for card in self.played:
            if record.turn == TERMINAL:
                return None
            record = record.play(place(card, setting.order))
        if record.turn != self.turn:
            return None
        return Closed(self.game, base, self.played, announced=self.announced, record=record)

    # ---- notation --------------------------------------------------------------------------

    def __str__(self) -> str:
        base = self.base
        if self.seat is None:
            record = self.record if not self.played else opening(self.game, base)
            text = UltiNotation(self.setting).position_text(record.record)
        else:
            size = len(base.deal.hands[self.seat])
            groups = [names(hand) or UNSEEN for hand in base.deal.hands]
            if base.deal.talon or len(self.unseen) > 2 * size:
                groups.append(names(base.deal.talon) or UNSEEN)
            text = " / ".join(groups) + clause_text(base, going=True, opening=size == SIZE)
            if len(self.unseen) + size + len(base.deal.talon) < len(DECK):
                text += f", among {names(self.unseen)}"
            said = [f"{i}: {each}" for i, each in enumerate(self.announced) if each is not None]
            text += f", told {'; '.join(said)}" if said else ""
        return text + (f", played {names(self.played)}" if self.played else "")

    def picture(self) -> str:
        """Return the cards that are seen, by suits, the trick, and who is to play."""
        return self.record.picture()

    def svg(self) -> str:
        """Return the position as SVG; cards that are not seen show their backs."""
        from dragon_ulti.svg import SEATS, rows_of
        from dragon_ulti.svg import draw as drawing

        s = self.record.record
        lead, trick = moment(self.setting, self.base.lead, self.played)
        left = 10 - len(self.played) // 3
        gone = {(lead + i) % 3 for i in range(len(trick))}
        one, two, three = (left - (seat in gone) for seat in range(3))
        table = table_of(s, self.setting)
        rows = rows_of(table, self.turn, self.setting.order, (one, two, three))
        return drawing(rows, UltiNotation(self.setting).status(s, SEATS))

    def __hash__(self) -> int:
        return hash((self.base, self.played, self.seat))


def opening(game: HiddenGame, base: Table) -> RecordState:
    """Return the open position where play began."""
    return state_of(game.opened, game.setting, base)


def begun(game: HiddenGame, state: RecordState) -> Closed:
    """Return an open position with its hands closed; cards on the table are the first played."""
    table = table_of(state.record, game.setting)
    base = evolve(table, deal=table.dealt, trick=())
    if state.turn == TERMINAL:
        return Closed(game, table, record=state)
    closed = Closed(game, base, record=opening(game, base))
    for card in table.trick:
        closed = closed.after(closed.record.text(place(card, game.setting.order)))
    return closed


def view(
    game: HiddenGame,
    base: Table,
    played: Hand,
    seat: int,
    unseen: Hand,
    announced: tuple[str | None, ...],
) -> Closed:
    """Return the view of `seat`: `base` has only its cards; the record has all that moves need."""
    setting = game.setting
    open_game = game.opened
    s = rules_of(open_game).blank()
    lead, trick = moment(setting, base.lead, played)
    hand = [card for card in base.deal.hands[seat] if card not in played]
    s.hands[seat] = places(hand, setting.order)
    s.hands[(seat + 1) % 3] = s.hands[(seat + 2) % 3] = 0
    s.talon = places(base.deal.talon, setting.order)
    lay(s, setting, trick)
    s.seat = (lead + len(trick)) % 3
    s.won = _units(setting, base, played)
    s.need, s.pending, s.status = setting.base, 0, rules.OPEN
    record = RecordState(open_game, bytes(s.tobytes()))
    return Closed(game, base, played, seat, unseen, announced, record=record)


def _units(setting: Setting, base: Table, played: Hand) -> int:
    """Return the units that the declarer has taken, where they are counted."""
    if not setting.config & rules.COUNTED:
        return base.units
    taken = tricks(setting, base.lead, played[: len(played) // 3 * 3])
    own = (trick for lead, trick in taken if trick and (lead + setting.taker(trick)) % 3 == 0)
    return base.units + sum(each & 7 in (TEN, ACE) for trick in own for each in trick)


PLACED = ("lead", "units", "need", "pending")
"""The clauses of a view about the beginning of play, the same as an open position's."""
CLAUSES = (*PLACED, "among", "told", "played")
HINT = (
    "after the hands of a view write, with commas: lead 1, units 3, among H8 ... for the cards "
    "not seen, told 0: 40 20, or played HA H7"
)
MARRIAGES = re.compile(r"([012]): ?(none|(?:40|20)(?: 20)*)")


def read(game: HiddenGame, text: str) -> Closed:
    """Return the position or view of a text in any of the game's forms; raise BadNotation."""
    if UNSEEN in hands_and_clauses(text)[0] and "deal=" not in text:
        return _read_view(game, text)
    game.opened.parse(text)  # tells whatever is wrong with it
    reading = UltiNotation(game.setting).read(text)
    state = begun(game, opening(game, reading.table))
    for each in reading.played:
        state = state.after(name(each))
    return state


def _read_view(game: HiddenGame, text: str) -> Closed:
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
    talon = () if len(groups) == 3 or groups[3] == UNSEEN else _cards(groups[3], "the talon", text)
    if len(talon) not in (0, 2):
        raise BadNotation(f"the talon of {text!r} has {len(talon)} cards; write two, or ?")
    if twice := {*own} & {*talon}:
        raise BadNotation(f"{names(sorted(twice))} is in the hand and in the talon of {text!r}")
    played = _cards(given.get("played", ""), "the cards played", text)
    unseen = tuple(each for each in DECK if each not in (*own, *talon))
    if "among" in given:
        unseen = tuple(sorted(_cards(given["among"], "the cards not seen", text)))
    for each in (*own, *talon):
        if each in unseen:
            raise BadNotation(f"{name(each)} is both seen and not in {text!r}")
    spare = 2 if groups[3:] == [UNSEEN] else 0
    if len(unseen) != 2 * len(own) + spare:
        raise BadNotation(
            f"{text!r} leaves {len(unseen)} cards for two hands of {len(own)} and {spare} in the "
            "talon; hands are those from which play began, a fourth group, ?, is a talon that is "
            "not seen, and `among` lists the cards not seen"
        )
    base = _base(game, text, seat, own, talon, unseen, given)
    state = view(game, base, played, seat, unseen, _announced(given.get("told"), text))
    _check_plays(state, own, text)
    _check_announced(state, own, text)
    return state


def _cards(words: str, where: str, text: str) -> Hand:
    found = read_cards(words, where, text)
    for each in found:
        if found.count(each) > 1:
            raise BadNotation(f"{name(each)} is there twice in {text!r}")
    return found


def _base(
    game: HiddenGame,
    text: str,
    seat: int,
    own: Hand,
    talon: Hand,
    unseen: Hand,
    given: dict[str, str],
) -> Table:
    """Read the position in which play began, with unseen cards dealt in any way, then covered."""
    rest = list(unseen)
    hands = [own] * 3
    hands[(seat + 2) % 3] = tuple(rest[len(own) : 2 * len(own)])
    hands[(seat + 1) % 3] = tuple(rest[: len(own)])
    spare = talon or tuple(rest[2 * len(own) :])
    kept = [f"{word} {said}" for word, said in given.items() if word in PLACED]
    groups = [*hands, spare] if spare else hands
    whole = ", ".join([" / ".join(map(names, groups)), *kept])
    try:
        reading = UltiNotation(game.setting).read(whole)
    except BadNotation as wrong:  # of which the user wrote only what is seen
        raise BadNotation(str(wrong).replace(repr(whole), repr(text))) from None
    if reading.table.trick:
        raise BadNotation(f"{text!r}: write the cards on the table as the last of those played")
    mine = [own if i == seat else () for i in range(3)]
    return evolve(reading.table, deal=Deal((mine[0], mine[1], mine[2]), tuple(sorted(talon))))


def _check_plays(state: Closed, own: Hand, text: str) -> None:
    """Check that each card was its seat's to play, as far as the view shows."""
    setting, seat = state.setting, state.seat
    assert seat is not None
    if len(state.played) > 3 * len(own):
        raise BadNotation(f"{text!r} has {len(state.played)} cards played; hands had {len(own)}")
    excluded = [0] * 3
    for i, each in enumerate(plays(setting, state.base.lead, state.played)):
        shown = f"card {i + 1} of those played in {text!r}, {name(each.card)},"
        if each.card not in (own if each.seat == seat else state.unseen):
            whose = f"seat {seat} does not hold it" if each.seat == seat else "it is not unseen"
            raise BadNotation(f"{shown} is seat {each.seat}'s, but {whose}")
        if each.seat == seat:
            known = state.unseen, state.announced
            before = view(state.game, state.base, state.played[:i], seat, *known)
            if name(each.card) not in before.moves():
                raise BadNotation(f"{shown} is not legal; legal: {' '.join(before.moves())}")
        if excluded[each.seat] >> each.card & 1:
            raise BadNotation(
                f"{shown} is not legal: by what seat {each.seat} played before, it cannot hold it"
            )
        excluded[each.seat] |= denied(setting, each.card, each.trick)


def _check_announced(state: Closed, own: Hand, text: str) -> None:
    """Check that announcements are due, and true as far as the view shows."""
    if not any(state.announced):
        return
    if not (state.setting.marriages and len(own) == SIZE):
        raise BadNotation(
            f"{text!r} tells of marriages, which are announced only with marriages=true and by "
            "seats that began with ten cards"
        )
    by = {each.card: each.seat for each in plays(state.setting, state.base.lead, state.played)}
    for seat, said in enumerate(state.announced):
        if said is None:
            continue
        if seat not in by.values():
            raise BadNotation(
                f"{text!r} tells what seat {seat} announced, but it has played no card yet"
            )
        mine = own if seat == state.seat else [c for c in state.unseen if by.get(c, seat) == seat]
        most = announcement(mine, state.setting.trump)
        if (seat == state.seat and said != most) or any(
            said.count(word) > most.count(word) for word in ("40", "20")
        ):
            raise BadNotation(
                f"{text!r} tells that seat {seat} announced {said}, but its cards have "
                f"{'' if seat == state.seat else 'at most '}{most}"
            )


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
