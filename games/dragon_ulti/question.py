"""The question for advice: a hand, the possible bids, and what is known of the others."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, cast

from attrs import evolve, field, frozen

from dragon import config
from dragon_ulti.cards import SIZE, SUITS, Hand, folded, name, names, read_cards
from dragon_ulti.contracts import CONTRACTS, DOUBLED, JOINED, canonical
from dragon_ulti.language import bad_notation, tr
from dragon_ulti.stakes import Stakes, Value, common
from dragon_ulti.worlds import Known, deal_of, unseen

if TYPE_CHECKING:
    from dragon_ulti.game import Ulti


@frozen
class Cell:
    """A contract, or several, with a trump, and what it is worth."""

    game: Ulti
    value: Value
    doubled: str = ""
    """A name such as rebetli, where it is played for twice the stakes; empty: as usual."""

    @property
    def name(self) -> str:
        """The contracts, joined with `+`."""
        return self.doubled or self.game.contract

    @property
    def title(self) -> str:
        """The cell in words."""
        return self.doubled or self.game.bid.title

    @property
    def letter(self) -> str | None:
        """The trump's, or None without trump."""
        return (self.game.trump or "H") if self.game.bid.trump else None

    def within(self, other: Cell) -> bool:
        """Return True if making the other bid makes this one too, as a part of it."""
        parts, others = {*self.game.bid.parts}, {*other.game.bid.parts}
        return self.letter == other.letter and parts < others

    def lacking(self, hand: Hand, discard: Hand = ()) -> str:
        """Return what the hand lacks for the bid whatever the others hold; empty if nothing."""
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


def read_hand(text: str, sizes: tuple[int, ...] = (10, 12), what: str = "a hand") -> Hand:
    """Return the cards of a hand; raise BadNotation for another number of them, or one twice."""
    what = tr(what)
    cards = read_cards(text.replace(",", " "), what, text)
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
    marriages: bool = False,
    hand: Hand = (),
) -> tuple[Cell, ...]:
    """Return the cells of some contracts, all ten by default, with every trump or one.

    By default those of contracts joined are added that `hand` can bid, if one is given. Marriages
    count in the parties, if they do. Raises ConfigError for what cannot be bid.
    """
    stakes = stakes or common()
    found: list[Cell] = []
    usual = (*CONTRACTS, *(JOINED if hand else ()))
    for word in dict.fromkeys(contracts or usual):
        contract, doubled = canonical(word, trump), folded(word) if folded(word) in DOUBLED else ""
        trumped = _game(contract=contract).bid.trump
        if trump is not None and not trumped and not contracts:
            continue
        letters: Sequence[str | None] = SUITS if trumped and trump is None else (trump,)
        parties = {*contract.split("+")} & {"party", "no_trump_party"}
        for letter in letters:
            game = _game(
                contract=contract, trump=letter, rules=rules, marriages=marriages and bool(parties)
            )
            value = stakes.of(game.bid, game.setting.trump)
            if doubled:
                value = evolve(value, made=2 * value.made, lost=2 * value.lost)
            cell = Cell(game, value, doubled)
            if contracts or contract in CONTRACTS or _possible(cell, hand):
                found.append(cell)
    return tuple({(cell.game.bid.name, cell.letter, cell.doubled): cell for cell in found}.values())


def _possible(cell: Cell, hand: Hand) -> bool:
    """Return True if a hand meets a bid's prerequisites, after some discard if it has twelve."""
    laid = discards_of(Question(hand, ()))
    return any(not cell.lacking(tuple(c for c in hand if c not in two), two) for two in laid)


def _game(**settings: Any) -> Ulti:
    given = {key: value for key, value in settings.items() if value is not None}
    return cast("Ulti", config.game({"name": "ulti", **given}, "ulti"))


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
