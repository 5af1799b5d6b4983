"""Ulti: Hungarian trick-taking for three, a declarer against two defenders."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import attrs
from attrs import evolve, field, frozen
from attrs.validators import in_, instance_of, optional

from dragon import RecordGame, RecordState, Rules, Trait
from dragon.config import search
from dragon.errors import GameError
from dragon.rules.record import rules_of
from dragon_ulti.cards import NO_TRUMP, SUITS, suit
from dragon_ulti.contracts import CONTRACTS, HUNDREDS, PARTIES, Bid, bid, canonical
from dragon_ulti.language import tr
from dragon_ulti.variant import VARIANTS, Variant

if TYPE_CHECKING:
    import numpy as np

    from dragon_ulti.cards import Deal
    from dragon_ulti.notation import UltiNotation
    from dragon_ulti.record import Setting, Table

TRIES = 100_000
"""Deals that are tried for one that suits."""


def _named(value: Any) -> Any:
    return canonical(value) if isinstance(value, str) else value


def _letter(value: Any) -> Any:
    if isinstance(value, str):
        with suppress(ValueError):  # the check says so, once
            return SUITS[suit(value)]
    return value


def _contract(instance: Ulti, attribute: attrs.Attribute[str], value: str) -> None:
    bid(value, instance.durchmars_order or "ace-ten")


def _trump(instance: Ulti, attribute: attrs.Attribute[str | None], value: str | None) -> None:
    if value is None:
        return
    suit(value)
    try:
        made = bid(instance.contract, instance.durchmars_order or "ace-ten")
    except ValueError:  # the contract's own check says so, once
        return
    if not made.trump:
        raise ValueError(
            tr("{contract} has no trump; leave trump={trump!r} out",
               contract=made.title, trump=value)
        )  # fmt: skip


def _objective(instance: Ulti, attribute: attrs.Attribute[str], value: str) -> None:
    in_(("make", "points"))(instance, attribute, value)
    if value == "points" and instance.contract not in POINTED:
        raise ValueError(
            f"{_title(instance)} is not about points; objective='points' goes with "
            f"{' or '.join(tr(CONTRACTS[name].title) for name in POINTED)}"
        )


POINTED = ("no_trump_party", "party", *HUNDREDS)


def _marriages(instance: Ulti, attribute: attrs.Attribute[bool], value: bool) -> None:
    instance_of(bool)(instance, attribute, value)
    if value and instance.objective == "points" and instance.cards == "hidden":
        raise ValueError("units with marriages need cards='open'; with hidden ones ask for 'make'")
    parts = {*instance.contract.split("+")}
    if value and not parts & {*PARTIES}:
        raise ValueError(
            tr("marriages count in a party, and {contract} is none", contract=_title(instance))
        )
    if value and parts & {*HUNDREDS}:
        raise ValueError(
            tr(
                "marriages count in a party and not in a hundred; {contract} is both, so leave "
                "marriages=true or party out",
                contract=_title(instance),
            )
        )


def _title(instance: Ulti) -> str:
    parts = (CONTRACTS.get(word) for word in instance.contract.split("+"))
    return tr(" and ").join(tr(part.title) for part in parts if part) or instance.contract


def _switch(*words: str) -> Any:
    """Return a field of one of the words, or of true and false; None leaves it to `rules`."""
    allowed: Any = in_(words) if words else instance_of(bool)
    return field(default=None, validator=optional(allowed))


@frozen(cache_hash=True)
class Ulti(RecordGame):
    """Seat 0 has bid a contract and leads; seats 1 and 2 defend together, cards open or hidden.

    Each seat has ten cards; the two that are left over are the talon. The declarer leads to the
    first trick, and the player who takes a trick leads to the next. The suit that is led must be
    followed, with a card that beats the best of that suit so far if possible. A player who cannot
    follow suit must trump, and beat an earlier trump if possible; a player who can do neither plays
    any card. The highest trump takes the trick, or the highest card of the suit led.

    Cards rank 7 8 9 U O K X A (X is the ten), in betli and plain durchmars 7 8 9 X U O K A. Each
    ace, each ten and the last trick count one unit. A party is made with 5 units or more, an ulti
    by taking the last trick with the trump 7, a betli without any trick, a durchmars with all.

    >>> import dragon
    >>> state = dragon.game("ulti(contract='betli', prerequisites=false)").parse("H8 / H7 / H9")
    >>> state.after("H8").moves()[:]
    ('H7',)
    """

    name = "ulti"
    teams = (0, 1, 1)
    seat_names = ("Declarer", "Defender 1", "Defender 2")
    contract: str = field(
        default="party", converter=_named, validator=_contract,
        metadata={"choices": tuple(CONTRACTS)},
    )  # fmt: skip
    """party, no_trump_party, forty_hundred, twenty_hundred, four_aces, four_tens, ulti, betli,
    durchmars_no_trump or durchmars_trump, or several joined with `+`, which must all be made."""
    trump: str | None = field(
        default=None, converter=_letter, validator=_trump,
        metadata={"choices": (None, "H", "L", "A", "B")},
    )  # fmt: skip
    """H, L, A or B: hearts, leaves, acorns or bells. None: hearts, if the contract has a trump."""
    _rules: str = field(default="real", validator=in_(tuple(VARIANTS)))
    """`original`: as the original program plays, bugs included."""
    objective: str = field(default="make", validator=_objective)
    """`make`: 1 if the contract is made, -1 if not; `points`: the declarer's units, and with
    `marriages` half the units by which these exceed the defenders'."""
    prerequisites: bool = field(default=True, validator=instance_of(bool))
    """A deal without what the contract requires is lost; false sets that aside."""
    cards: str = field(
        default="open", validator=in_(("open", "hidden")),
        metadata={"choices": ("open", "hidden")},
    )  # fmt: skip
    """`hidden`: a seat sees its own cards, and the declarer the talon."""
    winnable: bool = field(default=False, validator=instance_of(bool))
    """Deal only what the declarer would make with open cards; most hands are not worth bidding."""
    marriages: bool = field(default=False, validator=_marriages)
    """Marriages count in a party: over and king of trump 4 units, of another suit 2. The commands
    and the page of Ulti set it for every party by the real rules."""
    overtake: bool | None = _switch()
    """A card of the suit led must beat the best of that suit so far if it can."""
    trump_duty: bool | None = _switch()
    """Trump if suit cannot be followed."""
    overtrump: bool | None = _switch()
    """Beat a trump that was played before, if possible."""
    overtake_trumped: bool | None = _switch()
    """The suit led must be overtaken even once the trick is trumped."""
    offsuit_overtake: bool | None = _switch()
    """The third card must be stronger than the second even if that is of another suit."""
    marriage_cards: str | None = _switch("over-king", "under-over")
    """The marriage in the prerequisites of 40-100 and 20-100."""
    durchmars_order: str | None = _switch("ace-ten", "ace-king")
    """The rank of cards in a trump durchmars."""
    marriage_trick: bool | None = _switch()
    """Marriages count only for a side that has taken a trick."""

    @property
    def bid(self) -> Bid:
        """The contracts."""
        return bid(self.contract, self.variant.durchmars_order)

    @property
    def variant(self) -> Variant:
        """The rule variants: those of `rules`, and the switches that are set."""
        switches = {a.name: getattr(self, a.name) for a in attrs.fields(Variant)}
        changed = {name: value for name, value in switches.items() if value is not None}
        return evolve(VARIANTS[self._rules], **changed)

    @property
    def setting(self) -> Setting:
        """All that a record holds besides cards."""
        return _setting(self)

    @property
    def counted(self) -> bool:
        """True if the most units decide the contract: it is about points alone."""
        return self.contract in POINTED

    @property
    def opened(self) -> Ulti:
        """The game with all cards open."""
        return _opened(self)

    def rules(self) -> Rules:
        """Return the rules, the same for all contracts and rule variants."""
        from dragon_ulti import equivalence, rules

        made = Rules(
            rules.FIELDS, rules.moves, rules.play, rules.turn, rules.payoff, width=10, plies=30,
            key=equivalence.key, sample=rules.sample, banked=rules.banked,
            reduce=equivalence.reduce, bounds=rules.bounds, notation=self._notation,
            largest=(14 if self.marriages else 9) if self.objective == "points" else 1,
        )  # fmt: skip
        if self.cards == "open":
            return made
        from dragon_ulti import views

        return evolve(made, layout=views.FIELDS, play=views.play, hide=views.hide, deal=views.deal)

    def setup(self, record: Any) -> None:
        """Fill the record with the deal of seed 0, whether or not it can be made."""
        from dragon_ulti.record import Table

        self._notation.begin(record, Table(evolve(self, winnable=False)._suitable(0)))

    @property
    def _notation(self) -> UltiNotation:
        from dragon_ulti.hidden import HiddenNotation
        from dragon_ulti.notation import UltiNotation

        return (UltiNotation if self.cards == "open" else HiddenNotation)(self.setting)

    @property
    def traits(self) -> frozenset[Trait]:
        """Two sides, and hidden cards where they are."""
        return super().traits | ({Trait.HIDDEN} if self.cards == "hidden" else set())

    def start(self, rng: int | np.random.Generator = 0) -> RecordState:
        """Return a deal at random, of those that meet the contract's prerequisites."""
        from dragon_ulti.record import Table

        return self.begun(Table(self._suitable(rng)))

    def begun(self, table: Table) -> RecordState:
        """Return the state of a table."""
        record = rules_of(self).blank()
        self._notation.begin(record, table)
        return RecordState(self, bytes(record.tobytes()))

    def _suitable(self, rng: int | np.random.Generator) -> Deal:
        """Return the first deal that meets the prerequisites, and can be made if that is asked.

        Raise GameError where none of many does.
        """
        from dragon_ulti.random_deal import deals

        fitting = (deal for deal in deals(rng) if not self.setting.unmet(deal))
        found = (deal for _, deal in zip(range(TRIES), fitting, strict=False))
        suits = next(self._made(found) if self.winnable else found, None)
        if suits is None:
            raise GameError(
                tr(
                    "{game}: none of {n:,} deals can be made, even with open cards",
                    game=self, n=TRIES,
                )
            )  # fmt: skip
        return suits

    def _made(self, tried: Iterator[Deal]) -> Iterator[Deal]:
        """Yield the deals that the declarer makes with open cards."""
        from dragon.search.alphabeta.search import Batch
        from dragon_ulti.solver import SEARCH

        game = evolve(self, winnable=False, cards="open", objective="make")
        with closing(Batch(search(SEARCH))) as values:  # type: ignore[arg-type]
            for deal in tried:
                worth = values.value(game.parse(str(deal)))
                if worth is not None and worth > 0:
                    yield deal


@lru_cache(maxsize=64)
def _opened(game: Ulti) -> Ulti:
    return evolve(game, cards="open")


@lru_cache(maxsize=64)
def _setting(game: Ulti) -> Setting:
    from dragon_ulti.record import Setting

    made = game.bid
    trump = suit(game.trump or "H") if made.trump else NO_TRUMP
    points = game.objective == "points"
    return Setting(made, trump, game.variant, points, game.prerequisites, game.marriages)
