"""Small World: which monster bridges two others (Yu-Gi-Oh!)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import Attribute, field, frozen

from dragon import Game, hookimpl
from dragon_small_world.words import MOST_BRIDGES, QUESTIONS, TEXT

if TYPE_CHECKING:
    import click

    from dragon.web.page import Page
    from dragon_small_world.state import Bridging


def _deck(game: SmallWorld, attribute: Attribute[str], value: str) -> None:
    from dragon_small_world.deck import read_deck

    if not game.cards:  # of other cards, start() tells
        read_deck(value, _pool(game.cards), game.side)


def _cards(game: SmallWorld, attribute: Attribute[str], value: str) -> None:
    if value:
        _pool(value)


def _bridges(game: SmallWorld, attribute: Attribute[int], value: int) -> None:
    if not 1 <= value <= MOST_BRIDGES:
        raise ValueError(f"bridges must be from 1 to {MOST_BRIDGES}, not {value!r}")


def _question(game: SmallWorld, attribute: Attribute[str], value: str) -> None:
    if value not in QUESTIONS:
        raise ValueError(f"question must be {' or '.join(map(repr, QUESTIONS))}, not {value!r}")


def _filters(
    game: SmallWorld, attribute: Attribute[tuple[str, ...]], value: tuple[str, ...]
) -> None:
    from dragon_small_world.filters import condition

    for text in value:
        condition(text)


def _pool(cards: str) -> Any:
    from pathlib import Path

    from dragon_small_world.cards import read, starter

    return read(Path(cards)) if cards else starter()


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
    """How many are to be added."""
    cards: str = field(default="", validator=_cards, metadata={"outside": True})
    """A table of monsters as CSV or JSON; the starter pool if none is given."""
    question: str = field(default=TEXT, validator=_question)
    """What `?` equals as ATK or DEF: another `?` (`text`), that and 0 (`zero`), or nothing
    (`never`)."""
    side: bool = True
    """Whether the monsters of the side deck are in the game."""
    exclude_deck: bool = False
    """Whether monsters of the deck are no bridges."""
    filters: tuple[str, ...] = field(default=(), converter=tuple, validator=_filters)
    """Conditions that each bridge must meet, such as `level<=4`, `type!=Fiend`, `name~dragon`."""

    def start(self, rng: Any = 0) -> Bridging:
        """No bridge added."""
        from dragon_small_world.state import start

        return start(self)

    def parse(self, text: str) -> Bridging:
        """Names of bridges with ` | ` between them, in any order; `-` for none."""
        from dragon_small_world.state import parse

        return parse(self, text)


@hookimpl
def dragon_games() -> list[type[Game[Any]]]:
    """The game of this package."""
    return [SmallWorld]


@hookimpl
def dragon_commands() -> list[click.Command]:
    """`dragon small-world`."""
    from dragon_small_world.cli import small_world

    return [small_world]


@hookimpl
def dragon_pages() -> list[Page]:
    """The page of `dragon serve`."""
    from dragon_small_world.page import SMALL_WORLD

    return [SMALL_WORLD]
