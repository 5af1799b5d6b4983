"""Pokémon by name: their types and telling abilities in each generation.

A *kind* is a member of a team as far as damage is concerned: types, `Dragon-Ground`, and if
abilities count one that changes the damage of a type, `Electric+Levitate`. The table is
`data/species.csv`, which names its source.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache

from attrs import frozen

from dragon.errors import ConfigError, closest
from dragon_pokemon.tables import plain, rows

Changes = tuple[tuple[int, str], ...]
"""Generations, and what holds from then on."""
PRINTED = {
    "alolan": "alola", "galarian": "galar", "hisuian": "hisui", "paldean": "paldea",
    "gigantamax": "gmax",
}  # fmt: skip
"""Words of printed names, and those of the table."""
BESIDE = frozenset({
    "forme", "form", "mode", "style", "mask", "breed", "plumage", "cloak", "rider", "size",
    "striped", "pattern", "sea", "flower", "trim", "drive", "face", "color", "reversion", "type",
})  # fmt: skip
"""Words beside the name of a form that add nothing."""
RARE = ("legendary", "mythical")
NAME = re.compile(r"[^\W_](?:[\w\s.'`\u00b4\u2018\u2019:%♀♂-]*[\w.%♀♂'`\u00b4\u2018\u2019])?")


@frozen
class Species:
    """A Pokémon, or a form of one with other types or abilities."""

    name: str
    since: int
    """Its first generation."""
    types: Changes
    abilities: Changes
    """`Heatproof/Levitate`; with ! before them where it does not have another ability."""
    total: int
    """The sum of its base stats."""
    gone: str
    """The generations whose own games do not have it, one digit each."""
    tags: frozenset[str]
    """`legendary`, `mythical`, `paradox`, `transformed` (mega evolutions, forms of a battle)."""
    evolves: int
    """The generation since which it evolves; 0 if it does not."""
    dexes: str
    """The regional dexes that have its species, by their letters."""
    looks: tuple[str, ...]
    """Forms that only look otherwise."""

    def kinds(self, generation: int, abilities: bool) -> tuple[str, ...]:
        """Return its kinds in a generation: one, or one for each ability that counts."""
        types = since_then(self.types, generation)
        if not abilities:
            return (types,)
        telling = since_then(self.abilities, generation)
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
        transformed, rare = "transformed" in self.tags, bool({*RARE} & self.tags)
        legendary = rare and not transformed
        evolving = self.evolves > 0 and not rare and not transformed
        return transformed, legendary, evolving, -self.total, self.name


def since_then(values: Changes, generation: int) -> str:
    """Return the value of `values` that holds in a generation."""
    return next(value for since, value in reversed(values) if since <= generation)


def changes(text: str, since: int) -> Changes:
    """Return the values of a text such as `Normal;6:Fairy`."""
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
            types=changes(row["types"], since),
            abilities=changes(row["abilities"], since),
            total=int(row["total"]),
            gone=row["gone"],
            tags=frozenset(filter(None, row["tags"].split("/"))),
            evolves=int(row["evolves"] or 0),
            dexes=row["dexes"],
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
    """Return the species of a generation: all, those `obtainable` in its games, or no megas."""
    return tuple(
        each
        for each in species()
        if each.since <= generation
        and not (combos == "obtainable" and str(generation) in each.gone)
        and not (combos == "without-megas" and "transformed" in each.tags)
    )


@frozen
class Dex:
    """A regional dex."""

    letter: str
    name: str
    gen: int
    """The generation of its games."""
    gone: str
    """The generation whose lacks it has; empty where it has forms that they lack."""
    games: tuple[str, ...]
    """Other names."""


@cache
def dexes() -> Mapping[str, Dex]:
    """Return the regional dexes by their plain names and those of their games."""
    found = dict[str, Dex]()
    for row in rows("dexes.csv"):
        games = tuple(filter(None, row["games"].split("/")))
        dex = Dex(row["letter"], row["name"], int(row["gen"]), row["gone"], games)
        found |= {plain(name): dex for name in (dex.name, *games)}
    return found


def dex_of(name: str) -> Dex:
    """Return a dex by its name or that of a game; raise ConfigError with a suggestion."""
    known = dexes()
    if plain(name) not in known:
        near = closest(plain(name), known)
        names = ", ".join(dict.fromkeys(dex.name for dex in known.values()))
        hint = f"; did you mean {known[near].name!r}?" if near else ""
        raise ConfigError(f"no dex is called {name!r}{hint} ({names})")
    return known[plain(name)]


@frozen
class Filter:
    """A choice of Pokémon by what they are."""

    generation: int
    without: frozenset[str] = frozenset()
    evolved: bool = False
    monotype: str = ""
    base_stats: int = 0
    dex: str = ""

    def lacks(self, each: Species) -> str:
        """Return the reason why a Pokémon is left out, as `Mewtwo is legendary`; empty if not."""
        if gone := sorted(self.without & each.tags):
            return f"{each.name} is {' and '.join(gone)}"
        if self.evolved and 0 < each.evolves <= self.generation:
            return f"{each.name} is not fully evolved"
        types = since_then(each.types, self.generation)
        if self.monotype and self.monotype not in types.split("-"):
            return f"{each.name} is of types {types}, not {self.monotype}"
        if each.total < self.base_stats:
            return f"{each.name} has base stats of {each.total}"
        if self.dex:
            dex = dex_of(self.dex)
            gone_there = bool(dex.gone) and dex.gone in each.gone
            if dex.letter not in each.dexes or each.since > dex.gen or gone_there:
                return f"{each.name} is not in the dex {dex.name}"
        return ""


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
    return " ".join(sorted(PRINTED.get(word, word) for word in words))


@cache
def _by_name() -> dict[str, Species]:
    found: dict[str, Species] = {}
    also = {row["name"]: row["also"].split("/") for row in rows("names.csv")}
    for each in species():
        given = also.pop(each.name, [])
        own = [f"{each.name}{n}" if n.startswith("-") else n for n in given if n[0] != "+"]
        ends = ["", *(f"-{n[1:]}" for n in given if n[0] == "+")]
        for name in (each.name, *(f"{each.name}-{look}" for look in each.looks), *own):
            for end in ends:
                for key in (plain(name + end), _words(name + end)):
                    found.setdefault(key, each)
    return {**_abbreviations(), **found}


def _abbreviations() -> dict[str, Species]:
    """Return forms by a name and their initials, where those are of no other form: `Landorus-T`.

    A single M, F or N is the gender of an export.
    """
    names = {each.name for each in species()}
    found: dict[str, set[Species]] = {}
    for each in species():
        for name in (each.name, *(f"{each.name}-{look}" for look in each.looks)):
            at = max((k for k, c in enumerate(name) if c == "-" and name[:k] in names), default=0)
            initials = "".join(word[0] for word in re.split("[- ]", name[at + 1 :]) if word)
            if at and initials not in ("M", "F", "N"):
                found.setdefault(_words(f"{name[:at]} {initials}"), set()).add(each)
    return {key: forms.pop() for key, forms in found.items() if len(forms) == 1}


@lru_cache(maxsize=4096)
def named(text: str) -> Species | None:
    """Return the Pokémon of that name, in any case, with or without accents, words in any order.

    Words such as Forme or Mask may be added to that of a form, or its initials for all of it. A
    name has letters, and what stands in names: a text with anything else in it is none.

    >>> named("alolan muk").name, named("Gastrodon-East").name, named("landorus-incarnate").name
    ('Muk-Alola', 'Gastrodon', 'Landorus')
    >>> named("Landorus-T").name, named("G-Weezing").name, named("Rotom-F")
    ('Landorus-Therian', 'Weezing-Galar', None)
    >>> named("3x Muk"), named("* Muk")
    (None, None)
    """
    text = unicodedata.normalize("NFC", text.strip())
    if text.casefold().replace(" ", "-") in ("unown-!", "unown-?"):
        return named("Unown")
    if not NAME.fullmatch(text):
        return None
    known, words = _by_name(), _words(text)
    rest = " ".join(word for word in words.split() if word not in BESIDE)
    found = known.get(words) or known.get(plain(text.replace("♀", "f").replace("♂", "m")))
    return found or (known.get(rest) if " " in rest else None)


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
