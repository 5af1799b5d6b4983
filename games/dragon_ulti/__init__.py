"""Ulti: Hungarian trick-taking for three, a declarer against two defenders."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import attrs
from attrs import evolve, field, frozen

from dragon import Game, RecordGame, Trait, hookimpl
from dragon_ulti.cards import NO_TRUMP, suit
from dragon_ulti.contracts import Bid, bid
from dragon_ulti.house import HOUSES, House, house

if TYPE_CHECKING:
    import click
    import numpy as np

    from dragon import Rules
    from dragon.web.page import Page
    from dragon_ulti.record import Setting

OBJECTIVES = ("make", "points")


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
        raise ValueError(f"{instance.contract} has no trump; leave trump={value!r} out")


def _objective(instance: Ulti, attribute: attrs.Attribute[str], value: str) -> None:
    _one_of(*OBJECTIVES)(instance, attribute, value)
    if value == "points" and instance.contract not in POINTED:
        raise ValueError(
            f"{instance.contract} is not about points; objective='points' goes with "
            f"{' or '.join(POINTED)}"
        )


POINTED = ("no_trump_party", "party", "forty_hundred", "twenty_hundred")


def _marriages(instance: Ulti, attribute: attrs.Attribute[bool], value: bool) -> None:
    _flag(instance, attribute, value)
    if value and instance.objective == "points":
        raise ValueError("units are counted without marriages; marriages=true needs 'make'")
    parts = {*instance.contract.split("+")}
    if value and not parts & {"party", "no_trump_party"}:
        raise ValueError(f"marriages count in a party, and {instance.contract} is none")
    if value and parts & {"forty_hundred", "twenty_hundred"}:
        raise ValueError(
            f"marriages count in a party and not in a hundred; {instance.contract} is both, so "
            "leave marriages=true or party out"
        )


def _flag(instance: Ulti, attribute: attrs.Attribute[Any], value: bool | None) -> None:
    if value is not None and not isinstance(value, bool):
        raise ValueError(f"{attribute.name} must be true or false, not {value!r}")


def _one_of(*words: str) -> Any:
    def check(instance: Ulti, attribute: attrs.Attribute[Any], value: str | None) -> None:
        if value not in words and value is not None:
            known = " or ".join(map(repr, words))
            raise ValueError(f"{attribute.alias} must be {known}, not {value!r}")

    return check


def _switch() -> Any:
    return field(default=None, validator=_flag)


@frozen(cache_hash=True)
class Ulti(RecordGame):
    """Seat 0 has bid a contract and leads; seats 1 and 2 defend together, cards open or hidden.

    >>> import dragon
    >>> state = dragon.game("ulti(contract='betli', prerequisites=false)").parse("H8 / H7 / H9")
    >>> state.after("H8").moves()[:]
    ('H7',)
    """

    name = "ulti"
    teams = (0, 1, 1)
    seat_names = ("Declarer", "Defender 1", "Defender 2")
    contract: str = field(default="party", validator=_contract)
    """party, no_trump_party, forty_hundred, twenty_hundred, four_aces, four_tens, ulti, betli,
    durchmars_no_trump or durchmars_trump, or several joined with `+`, which must all be made."""
    trump: str | None = field(default=None, validator=_trump)
    """H, L, A or B: hearts, leaves, acorns or bells. None: hearts, if the contract has a trump."""
    _rules: str = field(default="real", validator=_one_of(*HOUSES))
    """`original`: as the original program plays, bugs included."""
    objective: str = field(default="make", validator=_objective)
    """`make`: 1 if the contract is made, -1 if not; `points`: the declarer's units."""
    prerequisites: bool = field(default=True, validator=_flag)
    """A deal without what the contract requires is lost; false sets that aside."""
    cards: str = field(default="open", validator=_one_of("open", "hidden"))
    """`hidden`: a seat sees its own cards, and the declarer the talon."""
    winnable: bool = field(default=False, validator=_flag)
    """Deal only what the declarer would make with open cards; most hands are not worth bidding."""
    marriages: bool = field(default=False, validator=_marriages)
    """Marriages count in a party: over and king of trump 4 units, of another suit 2."""
    overtake: bool | None = _switch()
    """A card of the suit led must beat the best of that suit so far if it can."""
    trump_duty: bool | None = _switch()
    """Who cannot follow suit must trump."""
    overtrump: bool | None = _switch()
    """Who trumps must beat a trump played before if it can."""
    overtake_trumped: bool | None = _switch()
    """The suit led must be overtaken even once the trick is trumped."""
    offsuit_overtake: bool | None = _switch()
    """The third card must be stronger than the second even if that is of another suit."""
    marriage_cards: str | None = field(default=None, validator=_one_of("over-king", "under-over"))
    """What a marriage is to the prerequisites of 40-100 and 20-100."""
    durchmars_order: str | None = field(default=None, validator=_one_of("ace-ten", "ace-king"))
    """How cards rank in a trump durchmars."""
    marriage_trick: bool | None = _switch()
    """Marriages count only for a side that has taken a trick."""

    @property
    def bid(self) -> Bid:
        """The contracts."""
        return bid(self.contract, self.house.durchmars_order)

    @property
    def house(self) -> House:
        """The house rules: those of `rules`, and the switches that are set."""
        switches = ("overtake", "trump_duty", "overtrump", "overtake_trumped", "offsuit_overtake",
                    "marriage_cards", "durchmars_order", "marriage_trick")  # fmt: skip
        return house(self._rules, **{switch: getattr(self, switch) for switch in switches})

    @property
    def setting(self) -> Setting:
        """All that a record holds besides cards."""
        return _setting(self)

    def rules(self) -> Rules:
        """The rules, the same for all contracts and house rules."""
        from dragon_ulti.play import ulti_rules

        return ulti_rules(self.setting)

    def setup(self, record: Any) -> None:
        """The deal of seed 0, whether or not it can be made."""
        evolve(self, winnable=False)._deal(record, 0)

    @property
    def traits(self) -> frozenset[Trait]:
        """Two sides; what is hidden if it is."""
        return super().traits | ({Trait.HIDDEN} if self.cards == "hidden" else set())

    def start(self, rng: int | np.random.Generator = 0) -> Any:
        """A deal at random, of those that meet the contract's prerequisites.

        A RecordState where cards are open, else a Closed.
        """
        from dragon.record import RecordState, rules_of

        if self.cards == "hidden":
            from dragon_ulti.hidden import begun, opened

            return begun(self, opened(self).start(rng))
        record = rules_of(self).blank()
        self._deal(record, rng)
        return RecordState(self, bytes(record.tobytes()))

    def parse(self, text: str) -> Any:
        """The state written as `text`, likewise; raises BadNotation."""
        if self.cards == "hidden":
            from dragon_ulti.views import read

            return read(self, text)
        return super().parse(text)

    def _deal(self, record: Any, rng: int | np.random.Generator) -> None:
        from dragon_ulti.dealing import suitable
        from dragon_ulti.record import Table, fill

        fill(record, self.setting, Table(suitable(self, rng)))


@lru_cache(maxsize=64)
def _setting(game: Ulti) -> Setting:
    from dragon_ulti.record import Setting

    made = game.bid
    trump = suit(game.trump or "H") if made.trump else NO_TRUMP
    points = game.objective == "points"
    return Setting(made, trump, game.house, points, game.prerequisites, game.marriages)


@hookimpl
def dragon_games() -> list[type[Game[Any]]]:
    """The games of this package."""
    return [Ulti]


@hookimpl
def dragon_commands() -> list[click.Command]:
    """`dragon ulti`."""
    from dragon_ulti.cli import ulti

    return [ulti]


@hookimpl
def dragon_pages() -> list[Page]:
    """The page of Ulti."""
    from dragon_ulti.page import ULTI

    return [ULTI]
