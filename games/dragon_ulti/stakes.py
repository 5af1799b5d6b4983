"""Stakes: the worth of each contract, from a TOML file that a user may replace, and of each bid.

`stakes.toml` beside this file has the values of common tables, each with its source, and under
`table` the points that tables settle in different ways.

A bid is its contracts, a suit if that is hearts, and whether the hand is laid open. A party goes
with ulti and four aces where no hundred and no durchmars is bid beside them. A table's own file
changes the order of bids too.

>>> [f"{each.said} {each.made:g}" for each in ladder(common())][3:6]
['4 ász 5', 'ulti 5', 'betli 5']
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any

from attrs import evolve, field, frozen
from attrs.validators import in_

from dragon.config import build, shown
from dragon.errors import ConfigError
from dragon_ulti.cards import NO_TRUMP
from dragon_ulti.contracts import CONTRACTS, DOUBLED, HUNDREDS, Bid, Call, bid
from dragon_ulti.language import HUNGARIAN, READ, tr

HEARTS = 0


def _amount(value: Value, attribute: Any, given: float) -> None:
    if not math.isfinite(given) or given < 0:
        raise ValueError(f"{attribute.name} must be a number from 0 up, not {given!r}")


@frozen
class Value:
    """The stakes of a contract: each defender pays `made` if it is made, and gets `lost` if not."""

    made: float = field(validator=_amount, metadata={"example": "a number"})
    lost: float = field(validator=_amount, metadata={"example": "a number"})
    red: float = field(default=1.0, validator=_amount)
    """The factor of both where hearts are trump."""
    open: float = field(default=1.0, validator=_amount)
    """The factor of both where the hand is laid open."""
    source: str = ""

    def times(self, factor: float) -> Value:
        """Return the value with both amounts multiplied."""
        return evolve(self, made=self.made * factor, lost=self.lost * factor)

    def expected(self, probability: float) -> float:
        """Return the declarer's expectation from each defender, if it is made so often."""
        return probability * self.made - (1 - probability) * self.lost


def _kinds(house: House, attribute: Any, given: tuple[str, ...]) -> None:
    for kind in given:
        if kind not in SILENT:
            raise ValueError(f"silent has no {kind!r}; write some of {', '.join(SILENT)}")


SILENT = {"ulti": "ulti", "hundred": "forty_hundred", "durchmars": "durchmars_trump",
          "four_aces": "four_aces"}  # fmt: skip
"""The silent contracts, which may be made without being bid, each with the contract of which it
pays half."""


@frozen
class House:
    """The points that tables settle in different ways; docs/games/ulti.md names the sources."""

    four_aces: bool = True
    """Four aces are bid."""
    equal: str = field(default="fewer", validator=in_(("fewer", "first")))
    """`fewer`: of bids of equal worth the one of fewer parts is higher; `first`: the one said
    first."""
    failed_ulti: str = field(default="once", validator=in_(("once", "doubled")))
    """`once`: kontra does not double what a failed ulti costs beyond its worth."""
    silent: tuple[str, ...] = field(default=tuple(SILENT), validator=_kinds)
    """The contracts that pay half if they are made without being bid."""
    silent_ulti: str = field(default="all", validator=in_(("all", "declarer")))
    """The payers of a defender's silent ulti: `all`, its partner too, or the `declarer` alone."""
    silent_hundred: str = field(default="instead", validator=in_(("instead", "beside")))
    """A silent hundred pays `instead` of the party, or `beside` it."""
    thrown: float = field(default=2.0, validator=_amount)
    """The price of a party that is thrown in, to each defender."""


@frozen
class Stakes:
    """A table of values by contract, several joined with `+` among them."""

    values: Mapping[str, Value] = field(hash=False)
    unit: str = "points"
    source: str = "the values of common tables"
    house: House = field(factory=House)

    def of(self, contracts: Bid, trump: int, opened: bool = False) -> Value:
        """Return the value of a bid with a trump: its own, or the sum of its parts'."""
        parts = self.parts(contracts, trump, opened)
        return Value(
            sum(part.made for part in parts),
            sum(part.lost for part in parts),
            source="; ".join(part.source for part in parts if part.source),
        )

    def parts(self, contracts: Bid, trump: int, opened: bool = False) -> tuple[Value, ...]:
        """Return the value of each part that is settled by itself: one if the bid has its own.

        opened: with the hand laid open.
        """
        own = self.values.get(contracts.name)
        parts = [own] if own else [self.values[part.name] for part in contracts.parts]
        return tuple(
            part.times((part.red if trump == HEARTS else 1.0) * (part.open if opened else 1.0))
            for part in parts
        )


@cache
def common() -> Stakes:
    """Return the table that comes with dragon."""
    text = files("dragon_ulti").joinpath("stakes.toml").read_text("utf-8")
    return read_stakes(text, "stakes.toml", "the values of common tables")


def read_stakes(text: str, where: str, source: str | None = None) -> Stakes:
    """Return the table of a TOML text; raise ConfigError that names every mistake and its place."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise ConfigError(f"{where} is not TOML: {wrong}") from None
    problems = [
        f"{where}: no key {key!r} here; a table of stakes has unit, contracts and table"
        for key in given
        if key not in ("unit", "contracts", "table")
    ]
    unit = given.get("unit", "points")
    if not isinstance(unit, str):
        problems.append(f"{where}: unit is {unit!r}; write a word, such as 'forints'")
    tables = given.get("contracts")
    if not isinstance(tables, dict):
        raise ConfigError(
            [*problems, f"{where}: there are no values; write a table such as [contracts.party]"]
        )
    values: dict[str, Value] = {}
    for name, table in tables.items():
        value = _read_value(name, table, where, problems)
        if values.keys() & value.keys():
            problems.append(f"{where}: contracts.{name} is there twice, in another order")
        values |= value
    if not problems:
        problems += [
            f"{where}: contracts.{_key(name)} is missing; every contract needs a value"
            for name in CONTRACTS
            if name not in values
        ]
    house = House()
    try:
        house = build(House, given.get("table", {}), "table")
    except ConfigError as wrong:
        problems += [f"{where}: {each}" for each in wrong.problems]
    if problems:
        raise ConfigError(problems)
    return Stakes(values, unit, source or where, house)


def _key(name: str) -> str:
    """Return a contract as a key of a TOML file, by its title."""
    title = CONTRACTS[name].title
    return f'"{title}"' if " " in title else title


def _read_value(name: str, table: Any, where: str, problems: list[str]) -> dict[str, Value]:
    """Return the value of one contract by its name; note all that is wrong with it."""
    address = f"contracts.{name}"
    try:
        named = bid(name)
        if not isinstance(table, dict):
            raise ValueError(f"must be a table such as `made = 4`, `lost = 4`, not {shown(table)}")
        value = build(Value, table, address)
        if "red" in table and not named.trump:
            raise ValueError(f"red has no meaning: {name} has no trump; leave it out")
        return {named.name: value}
    except ConfigError as wrong:
        problems.extend(f"{where}: {each}" for each in wrong.problems)
    except ValueError as wrong:
        problems.append(f"{where}: {wrong} @ {address}")
    return {}


BESIDE = ("ulti", "four_aces")
"""Contracts with which a party goes."""
WHOLE = 2.0
"""The factor of a bid that is played as another for twice the stakes."""


@frozen
class Listed:
    """A bid of a table."""

    call: Call
    parts: tuple[tuple[str, Value], ...]
    """The contracts that are settled by themselves and their worth; the party comes last."""

    @property
    def made(self) -> float:
        """The payment of each defender if all parts are made."""
        return sum(value.made for _, value in self.parts)

    @property
    def lost(self) -> float:
        """The payment to each defender if all parts fail."""
        return sum(value.lost for _, value in self.parts)

    @property
    def title(self) -> str:
        """The bid as players say it, in the chosen language."""
        return title(self.call)

    @property
    def said(self) -> str:
        """The bid as players say it in Hungarian."""
        return title(self.call, hungarian=True)

    def amounts(self, made: bool) -> str:
        """Return the pay of the parts if all are made, or fail, as in `4+1`."""
        return "+".join(f"{value.made if made else value.lost:g}" for _, value in self.parts)


def parts_of(call: Call) -> tuple[str, ...]:
    """Return the contracts of a bid, and the party that goes with ulti and four aces."""
    return (*call.contracts, *(["party"] if {*call.contracts} <= {*BESIDE} else []))


def title(call: Call, hungarian: bool = False) -> str:
    """Return a bid as players say it: suit, contracts, and whether the hand is laid open."""

    def say(text: str) -> str:
        return SHORT.get(text, HUNGARIAN[text]) if hungarian else tr(text)

    words = [say(SUIT_TITLES[call.trump])] if call.trump else []
    for part in map(CONTRACTS.__getitem__, call.contracts):
        opened = call.open and (part.name == "betli" or part.name.startswith("durchmars"))
        name = SHORTER.get(part.title, part.title) if len(call.contracts) > 1 else part.title
        if call.trump and part.name == "durchmars_trump":
            name = SHORTER[part.title]
        words += [say("open")] * opened + [call.doubled or say(name)]
    return " ".join(words)


SUIT_TITLES = {"H": "hearts", "L": "leaves", "A": "acorns", "B": "bells"}
SHORTER = {"trump durchmars": "durchmars"}
SHORT = READ["short"]
"""The usual spoken form of some titles."""


def listed(call: Call, stakes: Stakes) -> Listed:
    """Return a bid with the worth of its parts; ValueError if its contracts do not go together."""
    names = parts_of(call)
    made = bid("+".join(names))
    trump = HEARTS if call.trump == "H" else NO_TRUMP
    values = stakes.parts(made, trump, call.open)
    if len(values) < len(names):  # the table has a value of its own for all of it
        names = (made.name,)
    else:
        named = {part.name: value for part, value in zip(made.parts, values, strict=True)}
        values = tuple(named[name] for name in names)
    factor = WHOLE if call.doubled else 1.0
    return Listed(call, tuple((n, v.times(factor)) for n, v in zip(names, values, strict=True)))


def paid(name: str, value: Value, made: bool, level: int, stakes: Stakes) -> float:
    """Return the payment of a defender for a part under kontra of a level; below 0, its gain.

    >>> [paid("ulti", Value(4, 8), False, level, common()) for level in range(3)]
    [-8.0, -12.0, -20.0]
    """
    factor = float(1 << level)
    if made:
        return value.made * factor
    if name == "ulti" and stakes.house.failed_ulti == "once":
        return -(value.made * factor + value.lost - value.made)
    return -value.lost * factor


def silent(kind: str, trump: str | None, stakes: Stakes) -> Value:
    """Return the worth of what was made without being bid, a kind of `SILENT`: half of what is."""
    suit = HEARTS if trump == "H" else NO_TRUMP
    return stakes.of(bid(SILENT[kind]), suit).times(0.5)


def ladder(stakes: Stakes) -> list[Listed]:
    """Return all bids of a table from the lowest to the highest."""
    found = [listed(call, stakes) for call in _calls(stakes.house.four_aces)]
    fewer = stakes.house.equal == "fewer"
    return sorted(found, key=lambda each: (each.made, -len(each.parts) if fewer else 0))


def _calls(four_aces: bool) -> Iterator[Call]:
    for trump in (None, "H"):
        yield Call(("party",), trump)
        for hundred, ulti, aces, durchmars in product(
            ("", *HUNDREDS), ("", "ulti"), ("", "four_aces"), ("", "durchmars_trump", "open")
        ):
            if aces and (durchmars or not four_aces):
                continue  # all tricks are all aces, except for those in the talon
            opened = durchmars == "open"
            parts = (hundred, ulti, aces, "durchmars_trump" if durchmars else "")
            if contracts := tuple(filter(None, parts)):
                yield Call(contracts, trump, opened)
    for name in ("betli", "durchmars_no_trump"):
        doubled = next(word for word, played in DOUBLED.items() if played == name)
        yield from (Call((name,)), Call((name,), doubled=doubled), Call((name,), open=True))
