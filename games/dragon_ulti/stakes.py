"""Stakes: the worth of each contract, from a TOML file that a user may replace.

`stakes.toml` beside this file has the values of common tables, each with its source.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from attrs import field, frozen

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
    source: str = ""

    def expected(self, probability: float) -> float:
        """Return the declarer's expectation from each defender, if it is made so often."""
        return probability * self.made - (1 - probability) * self.lost


@frozen
class Stakes:
    """A table of values by contract, several joined with `+` among them."""

    values: Mapping[str, Value] = field(hash=False)
    unit: str = "points"
    source: str = "the values of common tables"

    def of(self, contracts: Bid, trump: int) -> Value:
        """Return the value of a bid with a trump: its own, or the sum of its parts'."""
        own = self.values.get(contracts.name)
        parts = [own] if own else [self.values[part.name] for part in contracts.parts]
        red = [part.red if trump == HEARTS else 1.0 for part in parts]
        return Value(
            sum(part.made * factor for part, factor in zip(parts, red, strict=True)),
            sum(part.lost * factor for part, factor in zip(parts, red, strict=True)),
            1.0,
            "; ".join(part.source for part in parts if part.source),
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
        f"{where}: no key {key!r} here; a table of stakes has unit and contracts"
        for key in given
        if key not in ("unit", "contracts")
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
            f"{where}: contracts.{name} is missing; every contract needs a value"
            for name in CONTRACTS
            if name not in values
        ]
    if problems:
        raise ConfigError(problems)
    return Stakes(values, unit, source or where)


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
