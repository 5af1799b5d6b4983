"""The page's questions to the server: parameters with their bounds, and the answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import attrs
from attrs import evolve, frozen

from dragon.config import build
from dragon.core import Limit
from dragon.errors import ConfigError
from dragon.page import choice, flag, number, text, texts, whole
from dragon.web.picture import clean
from dragon.web.problem import AT, about
from dragon.web.throttle import throttled
from dragon_pokemon import objects
from dragon_pokemon.choices import picks_of
from dragon_pokemon.game import (
    AMONG,
    ASKED,
    BEST,
    COMBOS,
    DATA,
    DIFFER,
    LIMITS,
    RANKS,
    SIDES,
    WITHOUT,
    Pokemon,
)
from dragon_pokemon.lists import names_of, read
from dragon_pokemon.objects import why

if TYPE_CHECKING:
    from dragon_pokemon.answers import Answer

MOST = max(LIMITS.values())
"""The longest team that is looked at; as many attacks as six Pokémon have."""


@frozen
class Generation:
    """The parameter of the generation."""

    gen: int = whole(9, least=1, most=9)
    """The generation of the games."""


@frozen
class Tables(Generation):
    """The parameters that choose the tables."""

    data: str = choice(*DATA)
    """`original`: the tables of the original program, its wrong entries included."""
    combos: str = choice(*COMBOS)
    """The combinations of types that count."""


@frozen
class Meeting(Tables):
    """The parameters of the items to cover."""

    side: str = choice(*SIDES)
    """Resist attacks, or hit defenders."""
    abilities: bool = flag()
    """Count abilities that change the damage of a type to a team, or what attacks do."""
    moves: bool = flag()
    """Count, among attacks, moves that make exceptions, such as Freeze-Dry."""
    without: tuple[str, ...] = texts(most=len(WITHOUT), longest=20)
    """Leave out Pokémon that are legendary, mythical or paradox."""
    evolved: bool = flag()
    """Leave out Pokémon that evolve further."""
    monotype: str = text("", longest=20)
    """A type that every member has."""
    base_stats: int = whole(0, least=0, most=2000)
    """The least sum of a member's base stats."""
    dex: str = text("", longest=60)
    """A regional dex, or a game, whose species alone may be chosen."""
    only: tuple[str, ...] = texts(most=400, longest=40)
    """Pokémon, or types, that alone may be chosen; none: all."""
    pin: tuple[str, ...] = texts(most=MOST, longest=40)
    """Pokémon, or types, that every cover must have."""
    ban: tuple[str, ...] = texts(most=200, longest=40)
    """Pokémon, or types, that no cover may have."""
    locations: tuple[str, ...] = texts(most=20, longest=60)
    """Gyms, trials or leagues, whose types alone are to be covered; none: all types."""

    def examine(self) -> None:
        """Raise ConfigError with every field that has an unknown name."""
        query_of(self)


@frozen
class Question(Meeting):
    """The parameters of a question."""

    limit: int | None = whole(None, least=1, most=MOST)
    """The most options of a cover; 6 for a team and 24 for attacks if not given."""
    mode: str = choice(*ASKED)
    """The kind of covers: `best` ranks them without a count, the others count as well."""
    among: str = choice(*AMONG)
    """In mode `best`: among which covers."""
    rank: str = choice(*RANKS)
    """By score, or by score and shared weaknesses together."""
    differ: int | None = whole(None, least=1, most=6)
    """The least number of members in which two listed differ; default: 2 in mode `best`, else 1."""
    top: int = whole(10, least=0, most=200)
    """The number of the best that are listed."""
    seconds: float = number(10.0, least=0.05, most=60.0)
    """The longest time it may take, in seconds."""

    @property
    def apart(self) -> int:
        """`differ`, or its default."""
        return self.differ or (DIFFER if self.mode == BEST else 1)

    def examine(self) -> None:
        """Raise ConfigError, also for fields that do not go together."""
        from dragon_pokemon.answers import check

        if self.mode == BEST and not self.top:
            raise ConfigError(f"top is 0; in mode {BEST!r} it is 1 at least @ {AT}.top")
        with about("rank"):
            check(query_of(self), self.mode, self.top, self.among, self.rank, self.apart)


@frozen
class Picked(Meeting):
    """The parameters of a team to show."""

    picks: tuple[str, ...] = texts(most=MOST, longest=40)
    """Its types, at least one."""

    @property
    def options(self) -> tuple[str, ...]:
        """Return the options that the picks name; raise ConfigError."""
        with about("picks"):
            if not (options := picks_of(query_of(self), self.picks)):
                raise ConfigError("picks is empty; name the types of a team")
            return options

    def examine(self) -> None:
        """Raise ConfigError with every field that has an unknown name."""
        self.options  # noqa: B018  # reads them


@frozen
class Listing(Generation):
    """The parameter of a pasted list of Pokémon."""

    combos: str = choice(*COMBOS)
    """The Pokémon that may be chosen."""
    text: str = text("", longest=20_000)
    """Names, one to a line or between commas, or a team as Pokémon Showdown exports or packs it."""


def query_of(asked: Meeting) -> Pokemon:
    """Return the question as the game; raise ConfigError with the address of the mistake."""
    names = {a.name for a in attrs.fields(Pokemon)} - {"mode", "among"}
    given = {k: v for k, v in attrs.asdict(asked).items() if k in names and v is not None}
    return build(Pokemon, given, AT)


def types(asked: Tables) -> dict[str, Any]:
    """Return a generation as `dragon pokemon types --json` has it."""
    return objects.of_generation(asked.gen, asked.data, asked.combos)


def locations(asked: Generation) -> dict[str, Any]:
    """Return gyms, trials and leagues as `dragon pokemon locations --json` lists them."""
    from dragon_pokemon.tables import locations as places

    return {"locations": [objects.of_location(place) for place in places(asked.gen)]}


def names(asked: Listing) -> dict[str, Any]:
    """Return the Pokémon and types in a list, and a note on each entry that is left out."""
    found, notes = read(asked.gen, asked.combos, asked.text)
    return {"names": names_of(found), "notes": notes}


def team(asked: Picked) -> dict[str, Any]:
    """Return a team as `dragon pokemon team --json` has it, with its picture."""
    from dragon_pokemon.team import draw

    query, options = query_of(asked), asked.options
    return {
        **objects.of_team(query, options, asked.picks),
        "svg": clean(draw(query, options), bare=True),
    }


def cover(asked: Question) -> Iterator[dict[str, Any]]:
    """Yield the covers as `dragon pokemon cover --json` has them, or why there is none."""
    from dragon_pokemon.answers import answers

    query, limit = query_of(asked), Limit(seconds=asked.seconds)
    stream = answers(
        query, asked.mode, asked.top, asked.among, limit, rank=asked.rank, differ=asked.apart
    )
    found: Answer | None = None
    for found in throttled(stream):
        yield {**objects.of_answer(found), "why": None}
    if found is not None and found.impossible:
        yield {**objects.of_answer(found), "why": why(found)}


def warm() -> None:
    """Compile, or load, the kernels of the first question."""
    small = Question(locations=("Cortondo",), limit=2, top=1)
    for mode in ("best", "exact", "minimal"):
        list(cover(evolve(small, mode=mode)))
