"""Pokémon by name: their types and telling abilities in each generation.

A *kind* is a member of a team as far as damage is concerned: types, `Dragon-Ground`, and if
abilities count one that changes the damage of a type, `Electric+Levitate`. The table is
`data/species.csv`, which names its source.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache

from attrs import frozen

from dragon.errors import ConfigError, closest
from dragon_pokemon.tables import plain, rows

Changes = tuple[tuple[int, str], ...]
"""Generations, and what holds from then on."""
REGIONS = {"alolan": "alola", "galarian": "galar", "hisuian": "hisui", "paldean": "paldea"}
NATURE = re.compile(r"[\w ]+ Nature\b")
SETTING = re.compile(r"(Ability|EVs|IVs|Level|Shiny|Happiness|Tera Type|Gigantamax|Pokeball): ")


@frozen
class Species:
    """A Pokémon, or a form of one with other types or abilities."""

    name: str
    since: int
    """Its first generation."""
    types: Changes
    abilities: Changes
    """`Heatproof/Levitate`; with ! before them where it has no other ability."""
    total: int
    """The sum of its base stats."""
    gone: str
    """The generations whose own games do not have it, one digit each."""
    kind: str
    """`evolving`, `legendary`, `transformed` (mega evolutions, forms of a battle), or empty."""
    looks: tuple[str, ...]
    """Forms that only look otherwise."""

    def kinds(self, generation: int, abilities: bool) -> tuple[str, ...]:
        """Return its kinds in a generation: one, or one for each ability that counts."""
        types = _since(self.types, generation)
        if not abilities:
            return (types,)
        telling = _since(self.abilities, generation)
        each = tuple(f"{types}+{name}" for name in telling.removeprefix("!").split("/") if name)
        return each if telling.startswith("!") else (types, *each)

    @property
    def base(self) -> str:
        """The species of which this is a form; itself, if it is none."""
        words = self.name.split("-")
        starts = ("-".join(words[:n]) for n in range(1, len(words)))
        known = _bases()
        return next(
            (start for start in starts if self.name != "Porygon-Z" and start in known), self.name
        )

    @property
    def rank(self) -> tuple[bool, bool, bool, int, str]:
        """The sort key, by which those that players have in their teams come first."""
        kinds = (self.kind == each for each in ("transformed", "legendary", "evolving"))
        return (*kinds, -self.total, self.name)  # type: ignore[return-value]


def _since(changes: Changes, generation: int) -> str:
    return next(value for since, value in reversed(changes) if since <= generation)


def _changes(text: str, since: int) -> Changes:
    first, *later = text.split(";")
    parts = (part.partition(":") for part in later)
    return (since, first), *((int(begun), value) for begun, _, value in parts)


@cache
def species() -> tuple[Species, ...]:
    """Return all of them, those that players have in their teams first."""
    found = (
        Species(
            name=row["name"],
            since=(since := int(row["since"])),
            types=_changes(row["types"], since),
            abilities=_changes(row["abilities"], since),
            total=int(row["total"]),
            gone=row["gone"],
            kind=row["kind"],
            looks=tuple(filter(None, row["looks"].split("/"))),
        )
        for row in rows("species.csv")
    )
    return tuple(sorted(found, key=lambda each: each.rank))


@cache
def _bases() -> frozenset[str]:
    return frozenset(each.name for each in species())


@cache
def pool(generation: int, combos: str = "all") -> tuple[Species, ...]:
    """Return those of a generation: all, those `obtainable` in its games, or no megas."""
    return tuple(
        each
        for each in species()
        if each.since <= generation
        and not (combos == "obtainable" and str(generation) in each.gone)
        and not (combos == "without-megas" and each.kind == "transformed")
    )


@cache
def kinds(generation: int, combos: str, abilities: bool) -> Mapping[str, tuple[Species, ...]]:
    """Return the kinds of a generation, sorted, with their Pokémon.

    >>> [each.name for each in kinds(9, "all", True)["Electric+Levitate"]]
    ['Eelektross', 'Eelektrik', 'Tynamo']
    """
    found: dict[str, list[Species]] = {}
    for each in pool(generation, combos):
        for kind in each.kinds(generation, abilities):
            found.setdefault(kind, []).append(each)
    return {kind: tuple(found[kind]) for kind in sorted(found)}


# ---- names -------------------------------------------------------------------------------------


def _words(text: str) -> str:
    """Return the words of a name in a fixed order: `Mega Charizard X` is `Charizard-Mega-X`."""
    flat = unicodedata.normalize("NFKD", text.casefold().replace("♀", " f").replace("♂", " m"))
    words = re.findall(r"[a-z0-9%]+", "".join(c for c in flat if not unicodedata.combining(c)))
    return " ".join(sorted(REGIONS.get(word, word) for word in words))


@cache
def _by_name() -> dict[str, Species]:
    found: dict[str, Species] = {}
    for each in species():
        for name in (each.name, *(f"{each.name}-{look}" for look in each.looks)):
            found |= {plain(name): each, _words(name): each}
    return found


def named(text: str) -> Species | None:
    """Return the Pokémon of that name, in any case, with or without accents, words in any order.

    >>> named("alolan muk").name, named("Gastrodon-East").name
    ('Muk-Alola', 'Gastrodon')
    """
    known = _by_name()
    return known.get(_words(text)) or known.get(plain(text.replace("♀", "f").replace("♂", "m")))


def near(text: str) -> str | None:
    """Return the name of the Pokémon that may have been meant."""
    found = closest(plain(text), _by_name(), cutoff=0.7)
    return None if found is None else _by_name()[found].name


def in_generation(each: Species, generation: int, combos: str = "all") -> Species:
    """Return the Pokémon as it is in a generation; raise ConfigError where that lacks it."""
    if each.since > generation:
        raise ConfigError(f"{each.name} came with generation {each.since}, not {generation}")
    if each not in pool(generation, combos):
        lack = "cannot be had in the games of" if combos == "obtainable" else "is left out in"
        raise ConfigError(f"{each.name} {lack} generation {generation} (combinations: {combos})")
    return each


def names_in(text: str) -> Iterator[tuple[int, str]]:
    """Return the names in a list, with their line numbers: one a line, or between commas.

    An export of Pokémon Showdown is such a list too: nicknames, items and the lines below a name
    are left out. The rest of a line after # is a comment.
    """
    lines = text.splitlines()
    exported = any(SETTING.match(line.strip()) or line.startswith("- ") for line in lines)
    for number, line in enumerate(lines, 1):
        line = line.partition("#")[0].strip()
        if exported and (SETTING.match(line) or line.startswith(("-", "=")) or NATURE.match(line)):
            continue
        for part in line.split(","):
            name = part.partition("@")[0].strip()
            if nickname := re.search(r"\(([^()]{3,})\)\s*(\([MF]\))?$", name):
                name = nickname[1]
            name = re.sub(r"\s*\([MF]\)$", "", name)
            if name:
                yield number, name
