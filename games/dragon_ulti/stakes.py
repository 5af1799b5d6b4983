"""Stakes: the worth of each contract, from a TOML file that a user may replace.

`stakes.toml` beside this file has the values of common tables, each with its source, and under
`table` the points that tables settle in different ways.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from attrs import evolve, field, frozen

from dragon.config import build, shown
from dragon.errors import ConfigError
from dragon_ulti.contracts import CONTRACTS, Bid, bid

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


def _one_of(*words: str) -> Any:
    def check(house: House, attribute: Any, given: str) -> None:
        if given not in words:
            known = " or ".join(map(repr, words))
            raise ValueError(f"{attribute.name} must be {known}, not {given!r}")

    return check


def _kinds(house: House, attribute: Any, given: tuple[str, ...]) -> None:
    for kind in given:
        if kind not in SILENT:
            raise ValueError(f"silent has no {kind!r}; write some of {', '.join(SILENT)}")


SILENT = {"ulti": "ulti", "hundred": "forty_hundred", "durchmars": "durchmars_trump",
          "four_aces": "four_aces"}  # fmt: skip
"""What may be made without being bid, and the contract of which it pays half."""


@frozen
class House:
    """The points that tables settle in different ways; docs/games/ulti.md names the sources."""

    four_aces: bool = True
    """Four aces are bid."""
    equal: str = field(default="fewer", validator=_one_of("fewer", "first"))
    """`fewer`: of bids of equal worth the one of fewer parts is higher; `first`: the one said
    first."""
    failed_ulti: str = field(default="once", validator=_one_of("once", "doubled"))
    """`once`: kontra does not double what a failed ulti costs beyond its worth."""
    silent: tuple[str, ...] = field(default=tuple(SILENT), validator=_kinds)
    """What pays half its worth if it is made without being bid."""
    silent_ulti: str = field(default="all", validator=_one_of("all", "declarer"))
    """The payers of a defender's silent ulti: `all`, its partner too, or the `declarer` alone."""
    silent_hundred: str = field(default="instead", validator=_one_of("instead", "beside"))
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
