"""Opening hands: exact odds of what a deck opens with, from a YAML file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import field, frozen, validators

from dragon import Game, Search, Trait, hookimpl
from dragon_hands.question import SHARINGS, one_of

if TYPE_CHECKING:
    import click
    import numpy as np

    from dragon.web.page import Page
    from dragon_hands.state import HandState


@frozen
class Hands(Game[str]):
    """An opening hand, dealt by luck, and its free cards: 1 where it has what is asked for.

    >>> import dragon
    >>> state = dragon.game("hands").start().after("1 Alpha, 1 Upstart Goblin, 3 other")
    >>> state.moves()
    ('play Upstart Goblin',)
    """

    name = "hands"
    teams = (0,)
    file: str = field(default="", metadata={"outside": True})
    """The deck file; a small example of the package if none is given."""
    hand: int = field(default=5, validator=validators.ge(1))
    """Cards of the opening hand."""
    sharing: str = field(default="distinct", validator=one_of(SHARINGS))
    """Whether each clause needs cards of its own (`distinct`), or a card counts for every clause
    (`count`)."""
    free: bool = True
    """Whether free cards can be played."""
    condition: int = field(default=0, validator=validators.ge(0))
    """Which condition of the file pays, from 1; 0: any."""

    @property
    def traits(self) -> frozenset[Trait]:
        """One seat, and luck."""
        return frozenset({Trait.SOLO, Trait.CHANCE})

    def start(self, rng: int | np.random.Generator = 0) -> HandState:
        """Before the deal, which is a move of luck; `rng` is not used."""
        from dragon_hands.state import HandState, table_of

        return HandState(None, table_of(self))

    def parse(self, text: str) -> HandState:
        """The state that `str` writes as `text`; raises BadNotation."""
        from dragon_hands.state import parsed, table_of

        return parsed(table_of(self), text)


@hookimpl
def dragon_games() -> list[type[Game[Any]]]:
    """The game of this package."""
    return [Hands]


@hookimpl
def dragon_searches() -> list[type[Search]]:
    """Two ways to estimate a deal."""
    from dragon_hands.samplers import Antithetic, Stratified

    return [Antithetic, Stratified]


@hookimpl
def dragon_commands() -> list[click.Command]:
    """`dragon hands`."""
    from dragon_hands.cli import hands

    return [hands]


@hookimpl
def dragon_pages() -> list[Page]:
    """The page of opening hands."""
    from dragon_hands.page import HANDS

    return [HANDS]
