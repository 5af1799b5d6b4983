"""The options of a question: the Pokémon of each kind, pins, bans and lists.

The name of an option is its types, `Dragon-Ground`, or with abilities a kind, `Electric+Levitate`.
A user may also write the name of a Pokémon.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from dragon.errors import ConfigError
from dragon_pokemon import species
from dragon_pokemon.query import Query
from dragon_pokemon.species import Filter, Species
from dragon_pokemon.tables import (
    Types,
    abilities,
    attackers,
    attacks_of,
    by_name,
    combinations,
    exceptions,
    plain,
)

NO_ABILITY = "none"
"""Written after a + for an ability that changes nothing."""
TOLD = 10
"""The most mistakes in a list that are reported at once; near names take long to find."""


def options_of(query: Query) -> tuple[str, ...]:
    """Return every option of the generation, or of `only`, sorted, including banned ones."""
    return _options(query, query.only)


def _options(query: Query, only: tuple[str, ...]) -> tuple[str, ...]:
    if query.side == "attack":
        chosen = set(map(_attack, only))
        known = attacks_of(query.gen, query.combos, query.moves, query.abilities)
        return tuple(name for name in known if name in chosen or not only)
    asked = query.gen, query.data, query.combos, query.abilities, only, query.filter
    members = _members(*asked, ())
    return tuple(k for k, found in members.items() if found or query.filter == Filter(query.gen))


@lru_cache(maxsize=8)  # each team of a list asks
def members_of(query: Query) -> dict[str, tuple[str, ...]]:
    """Return the Pokémon of each kind that may be chosen, those pinned by name first.

    An attack, and an option of the original program's tables that no Pokémon is, have none.
    """
    if query.side == "attack":
        return dict.fromkeys(options_of(query), ())
    pins = [each.name for each in pinned(query.pin)]
    return {
        kind: tuple(sorted((each.name for each in found), key=lambda name: name not in pins))
        for kind, found in _members(*_asked(query)).items()
    }


def listed_of(query: Query) -> dict[str, tuple[Species, ...]]:
    """Return for each kind the Pokémon of the list, those pinned by name alone if any is.

    Kinds that are named by their types are left out, and if nothing is listed all are.
    """
    if query.side == "attack" or not query.only:
        return {}
    pins = [each.name for each in pinned(query.pin)]
    asked = _asked(query)
    members, types = _members(*asked), _named_types(*asked[:5])
    listed = {kind: found for kind, found in members.items() if kind not in types and found}
    return {
        kind: tuple(each for each in found if each.name in pins) or found
        for kind, found in listed.items()
    }


def pinned(pins: Iterable[str]) -> list[Species]:
    """Return the Pokémon among pins."""
    return [each for text in pins if (each := species.named(_parted(text)[0]))]


def left_out(query: Query) -> tuple[str, ...]:
    """Return the reasons why Pokémon of the list are left out by the filter."""
    found = [each for text in query.only if (each := species.named(_parted(text)[0]))]
    return tuple(filter(None, map(query.filter.lacks, found))) if query.side == "defense" else ()


Asked = tuple[int, str, str, bool, tuple[str, ...], Filter, tuple[tuple[Species, str], ...]]


def _asked(query: Query) -> Asked:
    parts = map(_parted, query.ban if query.side == "defense" else ())
    gone = tuple((e, ability) for first, ability in parts if (e := species.named(first)))
    return query.gen, query.data, query.combos, query.abilities, query.only, query.filter, gone


@lru_cache(maxsize=64)
def _members(
    gen: int,
    data: str,
    combos: str,
    with_abilities: bool,
    only: tuple[str, ...],
    sieve: Filter,
    gone: tuple[tuple[Species, str], ...],
) -> dict[str, tuple[Species, ...]]:
    """Return the Pokémon of each kind; raise ConfigError with all wrong names in `only`."""
    known = _known(gen, data, combos, with_abilities)
    chosen, wrong = _chosen(known, gen, combos, with_abilities, only)
    if wrong:
        raise ConfigError(wrong)
    members = known if not only else {
        kind: tuple(each for each in found if (each, kind) in chosen or kind in chosen)
        for kind, found in known.items()
        if kind in chosen or any((each, kind) in chosen for each in found)
    }  # fmt: skip
    return {
        kind: tuple(
            e for e in found if not ({(e, ""), (e, _ability(kind))} & {*gone} or sieve.lacks(e))
        )
        for kind, found in members.items()
    }


def _known(
    gen: int, data: str, combos: str, with_abilities: bool
) -> Mapping[str, tuple[Species, ...]]:
    """Return every kind of a generation with its Pokémon."""
    known = species.kinds(gen, combos, with_abilities)
    if with_abilities:
        return known
    return {kind: known.get(kind, ()) for kind in combinations(gen, data, combos)}


@lru_cache(maxsize=64)
def _named_types(
    gen: int, data: str, combos: str, with_abilities: bool, only: tuple[str, ...]
) -> frozenset[str]:
    """Return the kinds that a list names by their types."""
    known = _known(gen, data, combos, with_abilities)
    chosen, _ = _chosen(known, gen, combos, with_abilities, only)
    return frozenset(each for each in chosen if isinstance(each, str))


def _chosen(
    known: Iterable[str], gen: int, combos: str, with_abilities: bool, only: Sequence[str]
) -> tuple[set[str | tuple[Species, str]], list[str]]:
    """Return the kinds that a list names, the Pokémon each with a kind, and its mistakes."""
    chosen: set[str | tuple[Species, str]] = set()
    wrong: list[str] = []
    for text in only:
        try:
            if (each := species.named(text.partition("+")[0])) is not None:
                found = species.in_generation(each, gen, combos)
                own = _kinds_of(found, gen, with_abilities, text)
                chosen.update((found, kind) for kind in own)
                continue
            types, ability = _parted(text)
            name = str(_types(types))
            kinds = [
                kind
                for kind in known
                if kind.partition("+")[0] == name and ability in ("", _ability(kind))
            ]
            if not kinds:
                raise ConfigError(f"generation {gen} has no Pokémon of types {text.strip()}")
            chosen.update(kinds)
        except ConfigError as refused:
            wrong += refused.problems
        if len(wrong) >= TOLD:
            break
    return chosen, wrong


def _kinds_of(each: Species, gen: int, with_abilities: bool, text: str) -> tuple[str, ...]:
    """Return the kinds of a Pokémon that a list may name with an ability; raise ConfigError.

    An ability that does nothing in the generation is as good as none, and where abilities do not
    count each is.
    """
    ability = _parted(text)[1]
    (types,), found = each.kinds(gen, False), each.kinds(gen, True)
    own = tuple(kind for kind in found if not ability or _ability(kind) == ability)
    if not own and any(
        ability in names.removeprefix("!").split("/") for _, names in each.abilities
    ):
        own = (types,)
    if not own:
        other = f"always has {_ability(found[0])}"
        has = other if ability == NO_ABILITY else f"has no {ability}"
        raise ConfigError(f"{each.name} {has} in generation {gen}")
    return own if with_abilities else (types,)


def _ability(kind: str) -> str:
    """Return the ability of a kind, or NO_ABILITY."""
    return kind.partition("+")[2] or NO_ABILITY


def checked(gen: int, combos: str, name: str) -> str:
    """Return a name in a list as `only` takes it: that of the Pokémon, with a choice of abilities.

    Raises ConfigError for a name that a generation does not have.
    """
    _, wrong = _chosen(species.kinds(gen, combos, True), gen, combos, True, [name])
    if wrong:
        raise ConfigError(wrong)
    each = species.named(name.partition("+")[0])
    if each is None:
        return name.strip()
    ability = _parted(name)[1]
    return each.name + f"+{ability}" * (ability != "" and len(each.kinds(gen, True)) > 1)


def _parted(text: str) -> tuple[str, str]:
    """Split `Gastrodon+storm drain` into the part before the + and the ability's name, or none.

    Raises ConfigError for an ability that changes nothing.
    """
    first, sign, ability = text.partition("+")
    known = {plain(name): name for name in (*abilities(), NO_ABILITY)}
    if sign and plain(ability) not in known:
        raise ConfigError(
            f"no ability that counts is called {ability!r} ({', '.join(abilities())})"
        )
    return first.strip(), known.get(plain(ability), "")


def _types(text: str) -> Types:
    """Return types by their names; raise ConfigError with a suggestion."""
    try:
        return Types.read(text)
    except ConfigError as wrong:
        meant = None if "did you mean" in str(wrong) else species.near(text)
        if meant is not None:
            raise ConfigError(f"no Pokémon is called {text!r}; did you mean {meant!r}?") from wrong
        raise


def picks_of(query: Query, texts: Iterable[str]) -> tuple[str, ...]:
    """Return options by their names or those of Pokémon; raise ConfigError for unknown ones."""
    return tuple(dict.fromkeys(_pick(query, text) for text in texts))


def bans_of(query: Query) -> tuple[str, ...]:
    """Return the options that are banned: by name, or because all Pokémon of that kind are.

    Types without an ability ban them with every ability. Raises ConfigError for unknown options.
    """
    known, banned = options_of(query), dict[str, None]()
    names = []
    for text in query.ban:
        first, ability = _parted(text) if query.side == "defense" else (text, "")
        if query.side == "defense" and (each := species.named(first)) is not None:
            if ability:
                _kind_of(query, each, ability)
            names.append(species.in_generation(each, query.gen, query.combos))
            continue
        types = str(_types(text)) if query.side == "defense" and "+" not in text else None
        alike = [kind for kind in known if kind.partition("+")[0] == types]
        banned |= dict.fromkeys(alike or [_pick(query, text)])
    left = members_of(query) if names else {}
    touched = (kind for each in names for kind in each.kinds(query.gen, query.abilities))
    return tuple(banned | dict.fromkeys(k for k in touched if k in left and not left[k]))


def _pick(query: Query, text: str) -> str:
    known = options_of(query)
    if query.side == "attack":
        name = _attack(text)
    else:
        first, ability = _parted(text)
        if (each := species.named(first)) is not None:
            return _kind_of(query, each, ability)
        name = str(_types(first)) + f"+{ability}" * (ability not in ("", NO_ABILITY))
    if name not in known:
        raise ConfigError(_unknown(query, name, known))
    return name


def _attack(text: str) -> str:
    """Return the name of an attack, `Ice`, `Freeze-Dry` or `Normal+Scrappy`; raise ConfigError."""
    if (each := species.named(text)) is not None:
        raise ConfigError(f"{each.name} is a Pokémon; attacks are named by their types")
    first, plus, ability = text.partition("+")
    moves = {plain(name): name for name in exceptions()}
    name = moves.get(plain(first)) or by_name(first.strip())
    if not plus:
        return name
    known = {plain(name): name for name, said in attackers().items() if "turns" not in said}
    if plain(ability) not in known:
        raise ConfigError(
            f"no ability of attackers is called {ability!r} ({', '.join(known.values())})"
        )
    return f"{name}+{known[plain(ability)]}"


def _kind_of(query: Query, each: Species, ability: str) -> str:
    """Return the one kind of a Pokémon that may be chosen; raise ConfigError for none or more."""
    each = species.in_generation(each, query.gen, query.combos)
    if lack := query.filter.lacks(each):
        raise ConfigError(f"{lack}, and this question leaves such out; change one of them")
    found = each.kinds(query.gen, query.abilities)
    if ability:
        if not query.abilities:
            raise ConfigError(f"{each.name}+{ability}: abilities do not count; ask for them to")
        found = tuple(kind for kind in found if _ability(kind) == ability)
        if not found:
            raise ConfigError(f"{each.name} has no {ability} in generation {query.gen}")
    may = [kind for kind in found if kind in options_of(query)]
    if not may:
        raise ConfigError(_barred(f"{each.name} ({found[0]})"))
    if len(may) > 1:
        raise ConfigError(
            f"{each.name} may have one ability or another; write "
            + " or ".join(f"{each.name}{kind.removeprefix(found[0].partition('+')[0])}"
                          if "+" in kind else kind for kind in may)
        )  # fmt: skip
    return may[0]


def _barred(what: str) -> str:
    return f"{what} is not among those that may be chosen; allow it too, or leave it out"


def _unknown(query: Query, name: str, known: Sequence[str]) -> str:
    if name in _options(query, ()):
        return _barred(name)
    if query.side == "attack":
        if name in attacks_of(query.gen, query.combos, True, True):
            return f"{name} makes an exception; ask for moves and abilities to count"
        return f"generation {query.gen} has no type {name}; it has {', '.join(known)}"
    among = "" if query.combos == "all" else f" among those that are {query.combos}"
    near = [other for other in known if set(name.split("-")) & set(other.split("-"))]
    return f"generation {query.gen} has no Pokémon of types {name}{among}; it has " + (
        ", ".join(near) or "none of these types"
    )
