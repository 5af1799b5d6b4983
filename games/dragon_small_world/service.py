"""The page's questions to the server: parameters with their bounds, and the answers.

A deck comes as text, never as the name of a file. The cards are those that the command line
takes without --cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from dragon.errors import ConfigError
from dragon.page import choice, flag, number, text, texts, whole
from dragon.web.picture import clean
from dragon.web.problem import AT, about
from dragon.web.throttle import throttled
from dragon_cards.card import PROPERTIES, of_store
from dragon_cards.service import Like
from dragon_small_world import objects, svg
from dragon_small_world import reach as opening
from dragon_small_world.bridges import best_sets, disputed
from dragon_small_world.bridges import bridges as ranked
from dragon_small_world.links import Links, fit, links_of
from dragon_small_world.links import paths as ways
from dragon_small_world.pool import Deck, Pool, deck_in, no_deck, pool_of, sample
from dragon_small_world.words import MOST_BRIDGES, QUESTIONS, SAMPLES

if TYPE_CHECKING:
    from dragon_small_world.links import Bools

LONGEST = 20_000
"""Letters of a deck; one of 75 cards has some two thousand."""
NAME = 100
DRAWN = 80
"""The most monsters of a deck that is drawn; the rules allow 75 cards."""


@frozen
class Decked:
    """A deck, and how it is read."""

    deck: str = text(SAMPLES[0], longest=LONGEST)
    """The text of a .ydk file, a list of names, a `ydke://` link, or the sample `mathmech`."""
    question: str = choice(*QUESTIONS)
    """The values that `?` equals: another `?`; also 0; or none."""
    side: bool = flag(True)
    """Read the side deck."""


@frozen
class Tabled(Decked):
    """A deck, and the matrix that is wanted."""

    squared: bool = flag(False)
    """Count the bridges from row to column instead of the links."""


@frozen
class Fitting(Decked):
    """The conditions on bridges."""

    filters: tuple[str, ...] = texts(most=20, longest=NAME)
    """Conditions that each must meet, such as `level<=4`, `type!=Fiend`, `name~dragon`."""
    exclude_deck: bool = flag(False)
    """Leave out monsters of the deck."""


@frozen
class Bridging(Fitting):
    """The bridges that are listed."""

    require: tuple[str, ...] = texts(most=20, longest=NAME)
    """Monsters with which each must be linked."""
    top: int = whole(50, least=1, most=1000)
    """The number of the best that are listed."""


@frozen
class Pairing(Fitting):
    """The number of pairs of bridges."""

    top: int = whole(10, least=1, most=100)
    """The number of the best that are listed."""
    seconds: float = number(20.0, least=0.05, most=60.0)
    """The longest time it may take, in seconds."""


@frozen
class Joining(Fitting):
    """The number of bridges in a set."""

    k: int = whole(3, least=1, most=MOST_BRIDGES)
    """Bridges in the set."""
    seconds: float = number(20.0, least=0.05, most=60.0)
    """The longest time it may take, in seconds."""


@frozen(kw_only=True)
class Way(Decked):
    """The two ends of a way; bridges of the deck come first."""

    start: str = text(longest=NAME)
    """The monster that is revealed."""
    end: str = text("", longest=NAME)
    """The target; empty: all of the deck."""
    top: int = whole(100, least=1, most=1000)
    """The number of ways that are listed."""


@frozen
class Two:
    """Two monsters."""

    first: str = text(longest=NAME)
    """A name or a passcode."""
    second: str = text(longest=NAME)
    """A name or a passcode."""
    question: str = choice(*QUESTIONS)
    """The values that `?` equals."""


@frozen
class Drawn(Decked):
    """The hands that are counted."""

    targets: tuple[str, ...] = texts(most=20, longest=NAME)
    """The monsters of which one is to be had."""
    hand: int = whole(5, least=1, most=15)
    """Cards in the opening hand."""
    copies: int = whole(0, least=0, most=3)
    """Copies of Small World that are added to the deck."""


# ---- cards and decks ---------------------------------------------------------------------------


def pool() -> Pool:
    """Return the usual cards."""
    return pool_of(None)


def deck(asked: Decked) -> Deck:
    """Return the deck of a request, which is text and names no file; raise ConfigError."""
    given = asked.deck.strip()
    given = sample(given) if given in SAMPLES else given
    with about("deck"):
        return deck_in(given, pool(), asked.side)


def links(asked: Decked) -> Links:
    """Return the deck among the cards."""
    return links_of(deck(asked), asked.question)


def places(names: Sequence[str], field: str) -> list[int]:
    """Return the places of monsters in the pool; raise ConfigError."""
    with about(field):
        return [pool().find(name) for name in names]


def allowed(asked: Fitting, among: Links) -> Bools | None:
    """Return the possible bridges; raise ConfigError where there is none."""
    with about("filters"):
        return fit(among, asked.filters, asked.exclude_deck)


# ---- answers -----------------------------------------------------------------------------------


def understood(asked: Decked) -> dict[str, Any]:
    """Return a deck as it was read, with the lines that were not understood."""
    found, given = deck(asked), asked.deck.strip()
    return {
        "monsters": [{"id": m.id, "name": m.name} for m in found.monsters],
        "size": found.size,
        "small_worlds": found.small_worlds,
        "unknown": list(found.unknown),
        "notes": list(found.notes),
        "text": sample(given) if given in SAMPLES else None,
        "cards": of_store(found.pool.store),
    }


def names(asked: Like) -> dict[str, Any]:
    """Return the monsters whose names contain a text."""
    known = pool().names
    return {"names": [known.names[i] for i in known.having(asked.like)[: asked.top]]}


def bridges(asked: Bridging) -> dict[str, Any]:
    """Return the best bridges."""
    among = links(asked)
    found = ranked(among, places(asked.require, "require"), allowed(asked, among))
    shown = found[: asked.top]
    answer = objects.of_bridges(among, shown)
    doubts = disputed(among, [bridge.place for bridge in shown])
    for row, bridge, doubt in zip(answer["bridges"], shown, doubts, strict=True):
        row |= {**dict(zip(PROPERTIES, bridge.monster.row, strict=True)), "disputed": doubt}
    before = int((among.squared > 0).sum())
    return {**answer, "count": len(found), "before": before}


def pairs(asked: Pairing) -> Iterator[dict[str, Any]]:
    """Yield the best pairs of bridges, as `dragon small-world pairs --json`."""
    among = links(asked)
    stream = best_sets(among, 2, asked.top, allowed(asked, among), asked.seconds)
    for found in throttled(stream):
        yield {**objects.of_pairs(among, found), "proven": found.done, "part": found.part}


def sets(asked: Joining) -> Iterator[dict[str, Any]]:
    """Yield the best set of bridges, as `dragon small-world sets --json`."""
    among = links(asked)
    stream = best_sets(among, asked.k, 1, allowed(asked, among), asked.seconds)
    for found in throttled(stream):
        yield {**objects.of_set(among, found, asked.k), "part": found.part}


def paths(asked: Way) -> dict[str, Any]:
    """Return the ways between two monsters, as `dragon small-world paths --json`."""
    if asked.end and not asked.deck.strip():
        among = links_of(no_deck(pool()), asked.question)
    else:
        among = links(asked)
    (start,) = places([asked.start], "start")
    end = places([asked.end], "end")[0] if asked.end else None
    found = list(ways(among, start, end))
    return {**objects.of_paths(among.deck.pool, found[: asked.top]), "count": len(found)}


def explain(asked: Two) -> dict[str, Any]:
    """Return the properties that two monsters share, as `dragon small-world explain` does."""
    (first,), (second,) = places([asked.first], "first"), places([asked.second], "second")
    columns = zip(*(pool().monsters[place].row for place in (first, second)), strict=True)
    printed = dict(zip(PROPERTIES, columns, strict=True))
    return {**objects.of_two(pool(), first, second, asked.question), "printed": printed}


def weak(asked: Decked) -> dict[str, Any]:
    """Return a deck's monsters, the weakest first, as `dragon small-world weak --json`."""
    return objects.of_weak(links(asked))


def graph(asked: Decked) -> dict[str, Any]:
    """Return the links of a deck, as `dragon small-world graph --json`, and drawn."""
    among = _few(links(asked))
    return {**objects.of_graph(among), "svg": clean(svg.graph(among).svg, bare=True)}


def matrix(asked: Tabled) -> dict[str, Any]:
    """Return the matrix of a deck, as `dragon small-world matrix --json`, and drawn."""
    among = _few(links(asked))
    drawn = clean(svg.matrix(among, asked.squared).svg, bare=True)
    return {**objects.of_matrix(among, asked.squared), "svg": drawn}


def _few(among: Links) -> Links:
    """Return the links if they are not too many to be drawn; else raise ConfigError."""
    if len(among.deck.places) > DRAWN:
        raise ConfigError(
            f"{len(among.deck.places)} different monsters are too many for a picture; at most "
            f"{DRAWN} are drawn @ {AT}.deck"
        )
    return among


def reach(asked: Drawn) -> dict[str, Any]:
    """Return the odds of having a monster, as `dragon small-world reach --json`."""
    among = links(asked)
    among = evolve(among, deck=among.deck.more(asked.copies))
    targets = places(asked.targets, "targets")
    found = opening.reach(among, targets, asked.hand)
    return objects.of_reach(objects.names_of(among.deck.pool, targets), found)


def warm() -> None:
    """Compiles, or loads, what the first question needs."""
    for k in (2, 3):
        list(sets(Joining(k=k, filters=("level<=1",))))
