"""The facts, read from the tables in `data`: charts, abilities, combinations of types, locations.

The files name their sources. `data="original"` gives the tables of the program that this plugin
follows: one chart, that of generation 6, for all generations, which is wrong in 87 places of
generations 1 to 5, and 91 combinations in generation 4 instead of 89.

The types of a Pokémon are bits, one or two of eighteen, in the order of their names: Bug is
1 << 17, Water is 1, as in that program. Codes sort as names do: by the higher bit, then by the
lower one; a single type comes before its combinations.
"""

from __future__ import annotations

import csv
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, total_ordering
from importlib.resources import files
from math import prod
from typing import Any

from attrs import frozen

from dragon.errors import ConfigError, closest, did_you_mean

NAMES = (
    "Bug", "Dark", "Dragon", "Electric", "Fairy", "Fighting", "Fire", "Flying", "Ghost",
    "Grass", "Ground", "Ice", "Normal", "Poison", "Psychic", "Rock", "Steel", "Water",
)  # fmt: skip
"""All types, sorted. Stellar, which no chart has, is left out."""
BIT = {name: 1 << (len(NAMES) - 1 - i) for i, name in enumerate(NAMES)}


@total_ordering
@frozen(order=False)
class Types:
    """One type or two.

    >>> Types.read("water/bug"), Types.read("Bug") < Types.read("Bug-Water")
    (Types('Bug-Water'), True)
    """

    code: int
    """One or two bits of 18."""

    @classmethod
    def read(cls, text: str) -> Types:
        """Read a name, or two joined by - or / in any order; raise ConfigError."""
        words = [word.strip() for word in text.replace("/", "-").split("-")]
        names = [by_name(word) for word in words]
        if len(names) > 2 or len(set(names)) < len(names):
            raise ConfigError(
                f"{text!r} is not a combination of types; write one, or two different ones"
            )
        return cls(sum(BIT[name] for name in names))

    @property
    def names(self) -> tuple[str, ...]:
        """The one or two names, sorted."""
        return tuple(name for name, bit in BIT.items() if self.code & bit)

    def __str__(self) -> str:
        return "-".join(self.names)

    def __repr__(self) -> str:
        return f"Types({str(self)!r})"

    def __lt__(self, other: Types) -> bool:
        return sort_key(self.code) < sort_key(other.code)


def sort_key(code: int) -> tuple[int, int]:
    """Return the sort key of a code: the place of the first type, then that of the second."""
    return -code.bit_length(), -(code & -code).bit_length()


def by_name(word: str) -> str:
    """Return the type of that name, in any case; raise ConfigError with a suggestion."""
    name = word.capitalize()
    if name in BIT:
        return name
    hint = did_you_mean(name, NAMES) or f" (types: {', '.join(NAMES)})"
    raise ConfigError(f"no type is called {word!r}{hint}")


Chart = Mapping[tuple[str, str], float]
"""The multiplier of damage by (attack, defender), both single types."""


@frozen
class Location:
    """A gym, trial or league."""

    generation: int
    region: str
    name: str
    """The spelling of the games."""
    also: str
    """The spelling of the original program, where it differs."""
    attacks: tuple[str, ...]
    defenders: tuple[str, ...]
    x: int
    """On the map of the region, from the west; no unit."""
    y: int
    """The distance from the north."""
    roads: tuple[str, ...]
    """The locations that it is linked with on the map; a link may be there at one end only."""


@cache
def _charts() -> dict[str, Any]:
    return tomllib.loads(_text("charts.toml"))


def _text(name: str) -> str:
    return (files("dragon_pokemon") / "data" / name).read_text(encoding="utf-8")


def rows(name: str) -> Iterable[dict[str, str]]:
    """Return the rows of a table, without comments."""
    return csv.DictReader(line for line in _text(name).splitlines() if not line.startswith("#"))


def types_of(generation: int) -> tuple[str, ...]:
    """Return the single types of a generation, sorted: 15, 17 or 18."""
    since = _charts()["since"]
    return tuple(name for name in NAMES if since.get(name, 1) <= generation)


@cache
def chart(generation: int, data: str = "true") -> Chart:
    """Return the multiplier of each attack on each single type of a generation.

    >>> chart(1)["Ghost", "Psychic"], chart(2)["Ghost", "Psychic"]
    (0.0, 2.0)
    """
    known = types_of(generation)
    table = {(attack, defender): 1.0 for attack in known for defender in known}
    for attack, row in _charts()["chart"].items():
        for word, factor in (("double", 2.0), ("half", 0.5), ("none", 0.0)):
            for defender in row.get(word, "").split():
                if (attack, defender) in table:
                    table[attack, defender] = factor
    if data == "true":
        for change in _charts()["change"]:
            if str(generation) in change["generations"]:
                table[change["attack"], change["defender"]] = float(change["multiplier"])
    return table


def multiplier(table: Chart, attack: str, defender: str) -> float:
    """Return the multiplier of an attack on a defender of one or two types, with its ability.

    An attack is a type, or a move that makes an exception; with an ability of who attacks.

    >>> multiplier(chart(9), "Ice", "Dragon-Ground"), multiplier(chart(9), "Ice", "Ice+Thick Fat")
    (4.0, 0.25)
    >>> multiplier(chart(9), "Freeze-Dry", "Ground-Water"), multiplier(chart(9), "Ice", "Water")
    (4.0, 0.5)
    """
    types, _, ability = defender.partition("+")
    if attack not in BIT:
        return _exception(table, attack, types.split("-"))
    factor = prod(table[attack, single] for single in types.split("-"))
    changed = abilities()[ability] if ability else {}
    if "weak" in changed and factor <= 1:  # the ability lets only weaknesses through
        return 0.0
    return factor * changed.get(attack, 1.0)


def _exception(table: Chart, attack: str, types: list[str]) -> float:
    """Return the multiplier of an attack with an exception on a defender of these types."""
    called, _, ability = attack.partition("+")
    move = exceptions().get(called, {"type": called})
    power = attackers()[ability] if ability else {}
    if move.get("neutral") in types:
        return 1.0
    factor = 1.0
    for own in filter(None, (move["type"], move.get("also"))):
        for single in types:
            each = 2.0 if single == move.get("double") else table[own, single]
            through = single == "Ghost" and own in power.get("hits", "").split()
            factor *= 1.0 if through and each == 0 else each
    return 2 * factor if factor < power.get("least", 0) else factor


def exceptions() -> Mapping[str, Mapping[str, Any]]:
    """Return the moves whose multiplier is not that of their type."""
    return _charts()["move"]  # type: ignore[no-any-return]


def attackers() -> Mapping[str, Mapping[str, Any]]:
    """Return the abilities that change what their holder's attacks do."""
    return _charts()["attacker"]  # type: ignore[no-any-return]


@cache
def attacks_of(generation: int, combos: str, moves: bool, abilities: bool) -> tuple[str, ...]:
    """Return the attacks of a generation: types, and if asked for those that make exceptions."""
    digit, types = str(generation), types_of(generation)
    found = [*types]
    for move, said in exceptions().items():
        gone = combos == "obtainable" and digit in said.get("gone", "")
        found += [move] * (moves and said["since"] <= generation and not gone)
    for ability, said in attackers().items() if abilities else ():
        if said["since"] <= generation and ability != "Mind's Eye":  # which does what Scrappy does
            own = said["hits"].split() if "hits" in said else types if "least" in said else ()
            found += [f"{name}+{ability}" for name in own]
    return tuple(sorted(found))


def abilities() -> Mapping[str, Mapping[str, float]]:
    """Return the abilities that change the damage of a type, each with its factors."""
    return _charts()["ability"]  # type: ignore[no-any-return]


@cache
def combinations(generation: int, data: str = "true", combos: str = "all") -> tuple[str, ...]:
    """Return the types of the defenders of a generation, sorted by name."""
    digit, column = str(generation), "original" if data == "original" else "existing"
    found = []
    for row in rows("combinations.csv"):
        excluded = (combos == "obtainable" and digit not in row["obtainable"]) or (
            combos == "without-megas" and digit in row["transformed"]
        )
        if digit in row[column] and not excluded:
            found.append(Types.read(row["types"]))
    return tuple(str(types) for types in sorted(found))


@cache
def locations(generation: int | None = None) -> tuple[Location, ...]:
    """Return the locations of a generation, or all, in the order of the games."""
    found = (
        Location(
            generation=int(row["generation"]),
            region=row["region"],
            name=row["name"],
            also=row["also"],
            attacks=tuple(row["attacks"].split()),
            defenders=tuple(row["defenders"].split()),
            x=int(row["x"]),
            y=int(row["y"]),
            roads=tuple(filter(None, row["roads"].split(";"))),
        )
        for row in rows("locations.csv")
    )
    return tuple(place for place in found if generation in (None, place.generation))


def location(generation: int, name: str) -> Location:
    """Return the location of that name, in either spelling, ignoring case and accents.

    Raises ConfigError, with a suggestion, or with the generations that have it.
    """
    places = locations(generation)
    spelt = _spellings(places)
    if plain(name) in spelt:
        return spelt[plain(name)]
    elsewhere = [str(p.generation) for p in locations() if plain(name) in _spellings([p])]
    if elsewhere:
        raise ConfigError(
            f"generation {generation} has no {name!r}; generation {', '.join(elsewhere)} has"
        )
    near = closest(plain(name), spelt)
    hint = f"; did you mean {spelt[near].name!r}?" if near else ""
    anywhere = _spellings(locations())
    if not near and (near := closest(plain(name), anywhere)):
        far = anywhere[near]
        hint = f"; did you mean {far.name!r} of generation {far.generation}?"
    known = ", ".join(place.name for place in places)
    raise ConfigError(f"generation {generation} has no location {name!r}{hint} ({known})")


def _spellings(places: Sequence[Location]) -> dict[str, Location]:
    found = {plain(place.name): place for place in places}
    return found | {plain(place.also): place for place in places if place.also}


def plain(name: str) -> str:
    """Return letters and digits alone, without accents: `Pokémon League` is `pokemonleague`."""
    parts = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in parts if letter.isalnum())
