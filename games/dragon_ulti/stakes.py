"""Stakes: what a contract is worth, from a TOML file that anybody may replace.

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

from dragon.errors import ConfigError, did_you_mean
from dragon_ulti.contracts import CONTRACTS, Bid, bid

HEARTS = 0
KEYS = ("made", "lost", "red", "source")


@frozen
class Value:
    """One contract's: what each defender pays if it is made, and gets if it fails."""

    made: float
    lost: float
    red: float = 1.0
    """The factor of both where hearts are trump."""
    source: str = ""

    def expected(self, probability: float) -> float:
        """The declarer's expectation from each defender, if it is made so often."""
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
    """The table that comes with dragon."""
    text = files("dragon_ulti").joinpath("stakes.toml").read_text("utf-8")
    return read_stakes(text, "stakes.toml", "the values of common tables")


def read_stakes(text: str, where: str, source: str | None = None) -> Stakes:
    """The table of a TOML text; raises ConfigError that names every mistake and its place."""
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
        _read_value(name, table, f"{where}: contracts.{name}", values, problems)
    if not problems:
        problems += [
            f"{where}: contracts.{name} is missing; every contract needs a value"
            for name in CONTRACTS
            if name not in values
        ]
    if problems:
        raise ConfigError(problems)
    return Stakes(values, unit, source or where)


def _read_value(
    name: str, table: Any, place: str, values: dict[str, Value], problems: list[str]
) -> None:
    """Reads one contract's table into `values`, or says in `problems` what is wrong with it."""
    found = len(problems)
    try:
        named = bid(name)
    except ValueError as wrong:
        problems.append(f"{place}: {wrong}")
        return
    if not isinstance(table, dict):
        problems.append(
            f"{place} is {table!r}; write made = 4 and lost = 4 under [contracts.{name}]"
        )
        return
    for key in table:
        if key not in KEYS:
            hint = did_you_mean(key, KEYS)
            problems.append(f"{place}: no key {key!r} here{hint} ({', '.join(KEYS)})")
    for key in ("made", "lost", "red"):
        number = table.get(key, 1 if key == "red" else None)
        if number is None:
            problems.append(f"{place}.{key} is missing; write a number")
        elif type(number) not in (int, float) or not math.isfinite(number) or number < 0:
            problems.append(f"{place}.{key} is {number!r}; it must be a number from 0 up")
    if "red" in table and not named.trump:
        problems.append(f"{place}.red has no meaning: {name} has no trump; leave it out")
    source = table.get("source", "")
    if not isinstance(source, str):
        problems.append(f"{place}.source is {source!r}; write a text")
    if named.name in values:
        problems.append(f"{place} is there twice, in another order of its parts")
    if len(problems) == found:
        values[named.name] = Value(
            float(table["made"]), float(table["lost"]), float(table.get("red", 1)), source
        )
