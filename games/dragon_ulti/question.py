"""The question for advice: a hand, the possible bids, and what is known of the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from dragon_ulti.cards import NO_TRUMP, SIZE, SUITS, Hand, name, names, read_cards
from dragon_ulti.contracts import CONTRACTS, JOINED, Call, bid, said
from dragon_ulti.language import bad_notation, tr
from dragon_ulti.request import game_of
from dragon_ulti.stakes import BESIDE, WHOLE, Stakes, Value, common, title
from dragon_ulti.worlds import Known, deal_of, unseen

if TYPE_CHECKING:
    from dragon_ulti.game import Ulti


@frozen
class Cell:
    """A bid with a trump, and what its parts are worth."""

    game: Ulti
    """The game in which all its contracts must be made."""
    parts: tuple[tuple[str, Value], ...]
    """The contracts that are settled by themselves, and their worth."""
    call: Call = field(factory=lambda: Call(()))
    """The announcement, if it is more than the contracts; see `open` and `doubled`."""

    @property
    def name(self) -> str:
        """The contracts, joined with `+`."""
        return self.call.doubled or self.game.contract

    @property
    def title(self) -> str:
        """The cell in words."""
        if self.call.open:
            return title(evolve(self.call, trump=None))
        return self.call.doubled or self.game.bid.title

    @property
    def value(self) -> Value:
        """The worth of all parts."""
        values = [value for _, value in self.parts]
        return Value(sum(v.made for v in values), sum(v.lost for v in values))

    @property
    def letter(self) -> str | None:
        """The trump's, or None without trump."""
        return (self.game.trump or "H") if self.game.bid.trump else None

    def playing_for(self, contracts: Iterable[str]) -> Ulti:
        """Return the game in which only some of the contracts must be made."""
        made = bid("+".join(contracts))
        weds = made.weds and self.weds
        return evolve(self.game, contract=made.name, marriages=weds)

    @property
    def weds(self) -> bool:
        """True if marriages count in the parties of this table."""
        return self.game.marriages

    def within(self, other: Cell) -> bool:
        """Return True if making the other bid makes this one too, as a part of it."""
        parts, others = {*self.game.bid.parts}, {*other.game.bid.parts}
        return self.letter == other.letter and parts < others

    def lacking(self, hand: Hand, discard: Hand = ()) -> str:
        """Return a condition of the bid that the hand fails with any other hands; empty if none."""
        rest = [number for number in unseen(hand) if number not in discard]
        others = (tuple(rest[:SIZE]), tuple(rest[SIZE : 2 * SIZE]), tuple(rest[2 * SIZE :]))
        setting = self.game.setting
        if discard:
            return setting.unmet(deal_of(hand, others, discard))
        # What lies in the talon may be other cards: some two that spoil nothing.
        blank = [n for n in rest if n & 7 not in (3, 7)][:2]
        rest = [number for number in rest if number not in blank]
        return setting.unmet(deal_of(hand, (tuple(rest[:SIZE]), tuple(rest[SIZE:]), tuple(blank))))


@frozen
class Question:
    """A hand, what may be bid, and what is known of the others."""

    hand: Hand
    """Ten cards, or twelve of which two are to be discarded."""
    cells: tuple[Cell, ...]
    known: Known = field(factory=Known)
    discard: Hand = ()
    """The only discard to look at; () for all."""
    samples: int = 200
    seed: int = 0

    @property
    def trump(self) -> int:
        """The trump by which announced marriages are worth 40 or 20; raise BadNotation for many."""
        letters = {cell.letter for cell in self.cells} - {None}
        if self.known.announced and len(letters) != 1:
            raise bad_notation("announced marriages depend on the trump; ask for one: --trump H")
        return next((SUITS.index(letter) for letter in letters if letter), NO_TRUMP)


def read_hand(text: str, sizes: tuple[int, ...] = (10, 12), what: str = "a hand") -> Hand:
    """Return the cards of a hand; raise BadNotation for another number of them, or one twice."""
    what = tr(what)
    cards = read_cards(text, what, text)
    twice = sorted({number for number in cards if cards.count(number) > 1})
    if twice:
        raise bad_notation(
            "{cards} is there more than once in {text!r}; a card is there once",
            cards=names(twice), text=text,
        )  # fmt: skip
    if len(cards) not in sizes:
        counted = tr("1 card") if len(cards) == 1 else tr("{n} cards", n=len(cards))
        wanted = tr(" or ").join(map(str, sizes))
        more = tr("; ten before the talon, twelve with it") if 12 in sizes else ""
        raise bad_notation(
            "{text!r} has {counted}; {what} has {wanted}{more}",
            text=text, counted=counted, what=what, wanted=wanted, more=more,
        )  # fmt: skip
    return tuple(sorted(cards))


def read_discard(text: str | None) -> Hand:
    """Return the two cards of a discard, () where none is named; raise BadNotation."""
    return () if text is None else read_hand(text, (2,), "a discard")


def all_cells(
    rules: str = "real",
    stakes: Stakes | None = None,
    trump: str | None = None,
    contracts: Sequence[str] = (),
    marriages: bool | None = None,
    hand: Hand = (),
) -> tuple[Cell, ...]:
    """Return the cells of some bids, all ten contracts by default, with every trump or one.

    With a `hand` the default is what may be bid on it at a table, where a party goes with ulti and
    four aces. Marriages count in parties by the real rules, if nothing else is asked for. Raises
    ConfigError for what cannot be bid.
    """
    stakes = stakes or common()
    found: list[Cell] = []
    for word in dict.fromkeys(contracts or (_at_tables(stakes) if hand else CONTRACTS)):
        call = said(word, trump)
        any_suit = game_of("", word, trump if contracts else None, rules, marriages=marriages)
        made = any_suit.bid
        if trump is not None and not made.trump:
            continue
        named = trump or call.trump
        for letter in ([named] if named else SUITS) if made.trump else [None]:
            cell = _cell(evolve(any_suit, trump=letter), call, stakes)
            if contracts or word not in JOINED or word in ALWAYS or _possible(cell, hand):
                found.append(cell)
    kinds = {(x.game.bid.name, x.letter, x.call.doubled, x.call.open): x for x in found}
    return tuple(kinds.values())


ALWAYS = tuple(f"party+{each}" for each in BESIDE)
"""Bids that are looked at even if a hand cannot make them."""


def _at_tables(stakes: Stakes) -> Iterator[str]:
    """Yield the bids that a table allows: ulti and four aces with their party, and combinations."""
    joined = (each for each in JOINED if "party" in each or not {*each.split("+")} <= {*BESIDE})
    for bids in (*(f"party+{each}" if each in BESIDE else each for each in CONTRACTS), *joined):
        if stakes.house.four_aces or "four_aces" not in bids:
            yield bids


def _cell(game: Ulti, call: Call, stakes: Stakes) -> Cell:
    made = game.bid
    values = stakes.parts(made, game.setting.trump, call.open)
    names = [part.name for part in made.parts] if len(values) == len(made.parts) else [made.name]
    factor = WHOLE if call.doubled else 1.0
    parts = tuple((n, value.times(factor)) for n, value in zip(names, values, strict=True))
    return Cell(game, parts, call)


def _possible(cell: Cell, hand: Hand) -> bool:
    """Return True if a hand meets a bid's prerequisites, after some discard if it has twelve."""
    laid = discards_of(Question(hand, ()))
    return any(not cell.lacking(tuple(c for c in hand if c not in two), two) for two in laid)


def discards_of(question: Question) -> tuple[Hand, ...]:
    """Return the discards to look at: none for ten cards, 66 for twelve; raise BadNotation."""
    if question.discard:
        missing = [each for each in question.discard if each not in question.hand]
        if missing or len(question.hand) == SIZE:
            why = (
                tr("{card} is not in the hand", card=name(missing[0]))
                if missing
                else tr("only 12 cards have one")
            )
            raise bad_notation(
                "{cards} cannot be discarded: {why}", cards=names(question.discard), why=why
            )
        return (question.discard,)
    if len(question.hand) == SIZE:
        return ((),)
    return tuple(combinations(question.hand, 2))
