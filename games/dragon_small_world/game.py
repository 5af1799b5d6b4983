"""The game `small_world`, of one seat: a move adds a bridge, and the end pays the score.

It imports no numpy before a game begins.
"""

from __future__ import annotations

import os
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import Attribute, field, frozen, validators

from dragon.core import TERMINAL, Game, State
from dragon.errors import BadNotation, ConfigError, IllegalMove
from dragon_small_world.words import MOST_BRIDGES, QUESTIONS, TEXT

if TYPE_CHECKING:
    from dragon_small_world.pool import Pool
    from dragon_small_world.score import Bits

NOTHING, BETWEEN = "-", " | "


def _deck(game: SmallWorld, attribute: Attribute[str], value: str) -> None:
    from dragon_small_world.pool import read_deck

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
    from dragon_small_world.pool import condition

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
    from dragon_small_world.links import links_of
    from dragon_small_world.pool import allowed, read_deck
    from dragon_small_world.score import bits_of

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


@frozen(eq=False)
class Table:
    """The data that all states of one game share."""

    pool: Pool
    bits: Bits
    size: int
    """Monsters in the deck."""
    bridges: int
    places: tuple[int, ...]
    """The possible bridges, in the order of the pool."""
    game: Game[str]

    def __deepcopy__(self, memo: Any) -> Table:
        return self  # which never changes

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the possible bridges, in the same order."""
        return tuple(self.pool.monsters[i].name for i in self.places)

    @cached_property
    def place(self) -> dict[str, int]:
        """The place in the pool of each of these names."""
        return dict(zip(self.names, self.places, strict=True))

    @cached_property
    def pairs(self) -> int:
        """The number of all pairs at the end."""
        return (self.size + self.bridges) ** 2


@frozen
class Bridging(State[str]):
    """The bridges so far. A move is the name of a monster; the order of moves does not matter."""

    table: Table = field(eq=False, repr=False)
    chosen: tuple[int, ...] = ()
    """Places in the pool, ascending."""

    teams: ClassVar[tuple[int, ...]] = (0,)

    @property
    def game(self) -> Game[str]:
        """The game, which its states share."""
        return self.table.game

    @property
    def unit(self) -> float:  # type: ignore[override]
        """The worth of one pair."""
        return 1 / self.table.pairs

    @property
    def turn(self) -> int:
        """Seat 0, until all bridges are added."""
        return TERMINAL if len(self.chosen) == self.table.bridges else 0

    def moves(self) -> tuple[str, ...]:
        """Return the bridges that can still be added, in the order of the pool."""
        if self.turn == TERMINAL:
            return ()
        if not self.chosen:
            return self.table.names
        names = zip(self.table.places, self.table.names, strict=True)
        return tuple(name for place, name in names if place not in self.chosen)

    def after(self, move: str) -> Bridging:
        """Return the state with that bridge added."""
        place = self.table.place.get(move)
        if place is None or place in self.chosen or self.turn == TERMINAL:
            shown = ", ".join(map(repr, self.moves()[:4])) or "nothing"
            raise IllegalMove(f"{move!r} cannot be added here; what can: {shown} ...")
        return Bridging(self.table, tuple(sorted((*self.chosen, place))))

    def parsed(self, text: str) -> Bridging:
        """Return the state with all these bridges added; raise BadNotation."""
        state = self
        for part in text.split("|") if text.strip() != NOTHING else ():
            name = part.strip()
            if name not in self.table.place:
                raise BadNotation(f"{name!r} cannot be a bridge here; write them 'a | b', or -")
            if state.turn == TERMINAL or self.table.place[name] in state.chosen:
                raise BadNotation(f"{name!r} is one too many, or occurs twice, in {text!r}")
            state = state.after(name)
        return state

    @property
    def numerator(self) -> int:
        """The pairs that can be searched with the bridges so far."""
        return self.table.bits.numerator(self.chosen)

    def picture(self) -> str:
        """Return a text with the pairs that can be searched so far, and the bridges."""
        table = self.table
        reached = f"{self.numerator} of {(table.size + len(self.chosen)) ** 2} pairs"
        return "\n".join([reached, *(f"+ {table.pool.monsters[i].name}" for i in self.chosen)])

    def payoff(self) -> tuple[float]:
        """Return the part of all pairs that can be searched."""
        return (self.numerator / self.table.pairs,)

    def evaluate(self, seat: int) -> float:
        """Return the score so far, of the pairs that there are at the end."""
        return min(self.numerator / self.table.pairs, 1 - 1e-9)

    def bounds(self) -> tuple[float, float]:
        """Return the part that can be searched already, and 1."""
        return self.numerator / self.table.pairs, 1.0

    def __str__(self) -> str:
        return BETWEEN.join(self.table.pool.monsters[i].name for i in self.chosen) or NOTHING
