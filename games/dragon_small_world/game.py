"""The game `small_world`: its settings, and the cards and the deck that they name."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from attrs import Attribute, field, frozen, validators

from dragon import Game
from dragon.errors import ConfigError
from dragon_small_world.words import MOST_BRIDGES, QUESTIONS, TEXT

if TYPE_CHECKING:
    from dragon_small_world.pool import Pool
    from dragon_small_world.state import Bridging, Table


def _deck(game: SmallWorld, attribute: Attribute[str], value: str) -> None:
    from dragon_small_world.deck import read_deck

    if not game.cards:  # with other cards, start() checks
        read_deck(value, _pool(game.cards), game.side)


def _cards(game: SmallWorld, attribute: Attribute[str], value: str) -> None:
    if value:
        _pool(value)


def _bridges(game: SmallWorld, attribute: Attribute[int], value: int) -> None:
    if not 1 <= value <= MOST_BRIDGES:
        raise ValueError(f"bridges must be from 1 to {MOST_BRIDGES}, not {value!r}")


def _filters(
    game: SmallWorld, attribute: Attribute[tuple[str, ...]], value: tuple[str, ...]
) -> None:
    from dragon_small_world.filters import condition

    for text in value:
        condition(text)


def _pool(cards: str) -> Pool:
    from dragon_small_world.pool import pool_of, starter_pool

    return pool_of(cards) if cards else starter_pool()


@frozen
class SmallWorld(Game[str]):
    """The best set of bridges for a deck: a move adds one, and the score is paid at the end.

    >>> import dragon
    >>> game = dragon.game("small_world(bridges=1, filters=['name=Shinobird Crow'])")
    >>> game.start().after("Shinobird Crow").payoff()
    (0.9644444444444444,)
    """

    name = "small_world"
    teams = (0,)
    deck: str = field(default="mathmech", validator=_deck, metadata={"outside": True})
    """A deck file, a `ydke://` link, or the sample `mathmech`."""
    bridges: int = field(default=2, validator=_bridges)
    """The number of bridges to add."""
    cards: str = field(default="", validator=_cards, metadata={"outside": True})
    """A table of monsters as CSV or JSON; the starter pool if none is given."""
    question: str = field(default=TEXT, validator=validators.in_(QUESTIONS))
    """The values that `?` equals as ATK or DEF: another `?` (`text`), that and 0 (`zero`), or none
    (`never`)."""
    side: bool = True
    """Include the monsters of the side deck."""
    exclude_deck: bool = False
    """Leave out monsters of the deck as bridges."""
    filters: tuple[str, ...] = field(default=(), converter=tuple, validator=_filters)
    """Conditions that each bridge must meet, such as `level<=4`, `type!=Fiend`, `name~dragon`."""

    def start(self, rng: Any = 0) -> Bridging:
        """Return the state without any bridge."""
        from dragon_small_world.state import Bridging

        return Bridging(_table(self, _version(self.cards), _version(self.deck)))

    def parse(self, text: str) -> Bridging:
        """Return the state of bridges named with ` | ` between them, in any order; `-` for none."""
        return self.start().parsed(text)


def _version(file: str) -> tuple[int, int] | None:
    """Return numbers that change with a file; None where there is no file."""
    try:
        held = os.stat(file)
    except (OSError, ValueError):  # a link, a sample, or a name that no file can have
        return None
    return held.st_mtime_ns, held.st_size


@lru_cache(maxsize=8)
def _table(game: SmallWorld, *versions: tuple[int, int] | None) -> Table:
    """Return the cards and the deck of a game, read once unless their files change."""
    from dragon_small_world.deck import read_deck
    from dragon_small_world.filters import allowed
    from dragon_small_world.links import links_of
    from dragon_small_world.score import bits_of
    from dragon_small_world.state import Table

    pool = _pool(game.cards)
    deck = read_deck(game.deck, pool, game.side)
    fit = allowed(pool, game.filters)
    if game.exclude_deck:
        fit[list(deck.places)] = False
    places = tuple(fit.nonzero()[0].tolist())
    if len(places) < game.bridges:
        raise ConfigError(
            f"{game}: {len(places)} monsters may be bridges, and {game.bridges} are asked for; "
            "take fewer, or loosen the filters"
        )
    bits = bits_of(links_of(deck, game.question))
    return Table(pool, bits, len(deck.places), game.bridges, places, game)
