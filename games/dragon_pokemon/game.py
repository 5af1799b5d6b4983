"""Pokémon: teams that resist every type, and attacks that hit every type, as covers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import Attribute, field, frozen
from attrs.validators import ge, in_, instance_of

from dragon.cover import CoverGame
from dragon.errors import ConfigError, did_you_mean
from dragon_pokemon.query import Query

if TYPE_CHECKING:
    from dragon.cover import CoverState, Problem
    from dragon_pokemon.species import Filter

EXACT, MINIMAL, BEST, ALL, OVERLAPPING = "exact", "minimal", "best", "all", "overlapping"

PLAYED = (EXACT, MINIMAL, BEST)
"""The modes of the game."""
COUNTED = (EXACT, MINIMAL, ALL, OVERLAPPING)
"""Collections that can be counted: each item covered once; each at least once with nothing to
spare; every set within the limit that covers; the original program's."""
ASKED = (BEST, *COUNTED)
"""The modes of a question: the best covers without a count, or one of the collections."""
AMONG = (ALL, MINIMAL)
"""The covers to rank: all, or only those from which nothing can be left out.
The latter miss what scores better: an option to spare can do more for an item than others."""

SCORE, STACKED = "score", "stacked"
RANKS = (SCORE, STACKED)
"""By score alone, or by the score and one more for each member of a team that is weak to a type
beyond those who resist it."""
DIFFER = 2
"""The least number of members in which any two of the best that are listed differ, by default: else
the first ten are one team with a change each."""

WITHOUT = ("legendary", "mythical", "paradox")
"""The kinds of Pokémon that a question may leave out."""
GENERATIONS = range(1, 10)
SIDES = ("defense", "attack")
DATA = ("true", "original")
COMBOS = ("all", "obtainable", "without-megas")
LIMITS = {"defense": 6, "attack": 24}
"""A party of six; six Pokémon with four attacks each."""


def _generation(query: Pokemon, attribute: Attribute[int], value: int) -> None:
    if isinstance(value, bool) or value not in GENERATIONS:
        raise ValueError(f"gen must be a generation from 1 to 9, not {value!r}")


def _limit(query: Pokemon, attribute: Attribute[int | None], value: int | None) -> None:
    if value is not None and (isinstance(value, bool) or value < 1):
        raise ValueError(f"limit must be how many may be chosen, at least 1, not {value!r}")


def _listed(attribute: Attribute[tuple[str, ...]], value: tuple[str, ...]) -> None:
    if len(value) > 1 and all(len(text) == 1 for text in value):
        raise ValueError(f"{attribute.name} is a list; write {attribute.name}=[{''.join(value)!r}]")


def _locations(
    query: Pokemon, attribute: Attribute[tuple[str, ...]], value: tuple[str, ...]
) -> None:
    from dragon_pokemon.tables import location

    _listed(attribute, value)
    if query.gen in GENERATIONS:
        for name in value:
            location(query.gen, name)


def _abilities(query: Pokemon, attribute: Attribute[bool], value: bool) -> None:
    if value and query.data == "original":
        raise ConfigError("the original's tables have no abilities; ask with data='true'")


def _moves(query: Pokemon, attribute: Attribute[bool], value: bool) -> None:
    if value and query.side == "defense":
        raise ConfigError(
            "moves make exceptions in attack; ask for side='attack', or leave them out"
        )


def _without(query: Pokemon, attribute: Attribute[Any], value: tuple[str, ...]) -> None:
    _listed(attribute, value)
    for word in value:
        if word not in WITHOUT:
            hint = did_you_mean(word, WITHOUT) or f" ({', '.join(WITHOUT)})"
            raise ValueError(f"without has {word!r}{hint}")


def _filtered(query: Pokemon, attribute: Attribute[Any], value: Any) -> None:
    from dragon_pokemon.species import dex_of
    from dragon_pokemon.tables import by_name

    if value and (query.side == "attack" or query.data == "original"):
        raise ConfigError(
            f"{attribute.name} chooses Pokémon, which only a team that resists attacks has, by the "
            "true tables; leave it out here"
        )
    if value and attribute.name == "dex":
        dex_of(value)
    if value and attribute.name == "monotype":
        by_name(value)


def _picks(query: Pokemon, attribute: Attribute[tuple[str, ...]], value: tuple[str, ...]) -> None:
    from dragon_pokemon.choices import bans_of, options_of, picks_of

    _listed(attribute, value)
    if query.gen not in GENERATIONS or query.side not in SIDES:
        return
    if attribute.name == "only":
        options_of(query)
        return
    try:
        options_of(query)
    except ConfigError:  # `only` is refused already
        return
    if attribute.name == "ban":
        banned = set(bans_of(query))
        try:
            both = banned & set(picks_of(query, query.pin)) | set(query.ban) & set(query.pin)
        except ConfigError:  # the pins are refused already
            return
        if both:
            raise ConfigError(f"{min(both)} is pinned and banned; take one back")
        return
    picks = picks_of(query, value)
    if query.side == "defense":
        _once(query, value)
    if len(picks) > query.size >= 1:
        raise ConfigError(f"{len(picks)} pins and a limit of {query.size}; raise the limit")


def _once(query: Pokemon, pins: tuple[str, ...]) -> None:
    """Raise ConfigError if two pins are one species with other types or abilities."""
    from dragon_pokemon.choices import picks_of, pinned

    met: dict[str, tuple[str, tuple[str, ...]]] = {}
    for text in pins:
        for each in pinned([text]):
            kind = picks_of(query, [text])
            other, before = met.setdefault(each.base, (text, kind))
            if before != kind:
                raise ConfigError(
                    f"{other} and {text} are one Pokémon, which a team has once; pin one of them, "
                    "or types"
                )


@frozen
class Pokemon(CoverGame, Query):
    """A team that resists every type of attack, or attacks that hit every type of defender.

    >>> import dragon
    >>> game = dragon.game("pokemon(gen=9, locations=['Cortondo'])")
    >>> game.items(), len(game.options())
    (('Bug', 'Fighting'), 162)
    """

    name, title = "pokemon", "Pokémon"
    gen: int = field(default=9, validator=_generation)
    """The generation of the games, 1 to 9."""
    side: str = field(default="defense", validator=in_(SIDES))
    """`defense`: the types of a team that resists attacks; `attack`: attacks that hit harder."""
    data: str = field(default="true", validator=in_(DATA))
    """`original`: the tables of the original program, its wrong entries included."""
    combos: str = field(default="all", validator=in_(COMBOS))
    """The combinations of types that count: `all` that exist, those `obtainable` in the games of
    the generation, or all `without-megas` and other forms of a battle."""
    locations: tuple[str, ...] = field(default=(), converter=tuple, validator=_locations)
    """Gyms, trials or leagues, whose types alone are to be covered; all types if none is given."""
    abilities: bool = field(default=False, validator=[instance_of(bool), _abilities])
    """Count abilities that change the damage of a type to a team, such as Levitate; for attacks
    Scrappy and Tinted Lens."""
    moves: bool = field(default=False, validator=[instance_of(bool), _moves])
    """Count, among attacks, the moves Flying Press, Freeze-Dry and Thousand Arrows."""
    without: tuple[str, ...] = field(default=(), converter=tuple, validator=[_filtered, _without])
    """Leave out Pokémon that are `legendary`, `mythical` or `paradox`."""
    evolved: bool = field(default=False, validator=[instance_of(bool), _filtered])
    """Leave out Pokémon that evolve further in the generation."""
    monotype: str = field(default="", validator=[instance_of(str), _filtered])
    """A type that every member has."""
    base_stats: int = field(default=0, validator=[ge(0), _filtered])
    """The least sum of a member's base stats."""
    dex: str = field(default="", validator=[instance_of(str), _filtered])
    """A regional dex, or a game, whose species alone may be chosen: `paldea`, `sword-shield`."""
    only: tuple[str, ...] = field(default=(), converter=tuple, validator=_picks)
    """Pokémon, or types, that alone may be chosen; all if none is given."""
    pin: tuple[str, ...] = field(default=(), converter=tuple, validator=_picks)
    """Options, types or Pokémon, that every cover must have."""
    ban: tuple[str, ...] = field(default=(), converter=tuple, validator=_picks)
    """Options that no cover may have; of a Pokémon: others of its types may be chosen."""
    limit: int | None = field(default=None, validator=_limit)
    """The most options of a cover; 6 for a team and 24 for attacks if not given."""
    mode: str = field(default=EXACT, validator=in_(PLAYED))
    """`exact`: each item is covered once; `minimal`: at least once, by options that are all
    needed; `best`: a cover pays its score."""
    among: str = field(default=ALL, validator=in_(AMONG))
    """In mode `best`: `all` covers, or the `minimal` ones alone, which leaves out those that
    score better with an option to spare."""

    @property
    def filter(self) -> Filter:  # type: ignore[override]
        """The choice of Pokémon by what they are."""
        from dragon_pokemon.species import Filter

        monotype = self.monotype.strip().capitalize()
        return Filter(
            self.gen, frozenset(self.without), self.evolved, monotype, self.base_stats, self.dex
        )

    @property
    def exact(self) -> bool:  # type: ignore[override]
        """Return True if an item may be covered only once."""
        return self.mode == EXACT

    @property
    def size(self) -> int:  # type: ignore[override]
        """The most options of a cover."""
        return LIMITS[self.side] if self.limit is None else self.limit

    @property
    def ranked(self) -> bool:  # type: ignore[override]
        """Return True if a cover pays its score."""
        return self.mode == BEST

    @property
    def spare(self) -> bool:  # type: ignore[override]
        """Return True if a cover may have redundant options."""
        return self.ranked and self.among == ALL

    def problem(self) -> Problem:
        """Return the cover problem of these parameters."""
        from dragon_pokemon.problem import problem_of, without_idle

        return problem_of(self) if self.spare else without_idle(problem_of(self))

    def start(self, rng: Any = 0) -> CoverState:
        """Return the state with nothing chosen; raise ConfigError for a list that play can break.

        A state knows of two options that do not go together, and of no larger sets.
        """
        from dragon_pokemon.problem import caps_of, wide

        for cap in wide(caps_of(self)):
            raise ConfigError(
                f"{' and '.join(sorted(cap.species))} have {len(cap.kinds)} kinds between them, "
                f"of which a team has {cap.most}: a game cannot hold that; list one of them less, "
                "or ask `dragon pokemon cover`"
            )
        return super().start(rng)

    def items(self) -> tuple[str, ...]:
        """Return the items to cover: types of attacks, or of defenders."""
        from dragon_pokemon.problem import items_of

        return items_of(self)

    def options(self) -> tuple[str, ...]:
        """Return the options that can be chosen, without banned ones."""
        from dragon_pokemon.choices import bans_of, options_of

        banned = bans_of(self)
        return tuple(name for name in options_of(self) if name not in banned)

    def draw(self, state: CoverState) -> str:
        """Return the team so far as a table of multipliers."""
        from dragon_pokemon.team import table

        return table(self, _chosen(state))

    def svg(self, state: CoverState) -> str:
        """Return the team so far as a radial picture."""
        from dragon_pokemon.team import draw

        return draw(self, _chosen(state))


def _chosen(state: CoverState) -> tuple[str, ...]:
    names = state.table.problem.names
    return tuple(names[option] for option in state.chosen)
