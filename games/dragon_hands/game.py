"""The game `hands`: its settings, and the table of its deck file."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen, validators

from dragon import Game, Trait
from dragon.errors import ConfigError
from dragon_hands.question import SHARINGS

if TYPE_CHECKING:
    from dragon_hands.state import HandState, Table


@frozen
class Hands(Game[str]):
    """An opening hand, dealt at random, and its free cards: 1 if it satisfies the condition.

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
    """The number of cards in the opening hand."""
    sharing: str = field(default="distinct", validator=validators.in_(SHARINGS))
    """`distinct`: each clause needs cards of its own; `count`: a card counts for every clause
    that it matches."""
    free: bool = True
    """True if free cards can be played."""
    condition: int = field(default=0, validator=validators.ge(0))
    """The number of the condition of the file that pays, from 1; 0 is any of them."""

    @property
    def traits(self) -> frozenset[Trait]:
        """One seat, and chance nodes."""
        return frozenset({Trait.SOLO, Trait.CHANCE})

    def start(self, rng: Any = 0) -> HandState:
        """Return the state before the deal, which is a chance move; `rng` is not used."""
        from dragon.config import read_text
        from dragon_hands.importing import LARGEST
        from dragon_hands.state import HandState

        file = self.file or str(Path(__file__).with_name("data") / "example.yaml")
        return HandState(None, _table(self, read_text(file, "a deck", LARGEST), Path(file).name))

    def parse(self, text: str) -> HandState:
        """Return the state that `str` writes as `text`; raise BadNotation."""
        return self.start().parsed(text)


@lru_cache(maxsize=16)
def _table(game: Hands, text: str, name: str) -> Table:
    """Return the table of a deck file; raise ConfigError for one with mistakes."""
    from dragon_hands.formula import either, formula, model_of
    from dragon_hands.importing import any_deck
    from dragon_hands.state import Table

    deck = any_deck(text, name)
    deck.checked_hand(game.hand)
    if game.condition > len(deck.conditions):
        raise ConfigError(
            f"condition={game.condition}, but {name} has {len(deck.conditions)}; 0 is any of them"
        )
    if not game.free:
        deck = evolve(deck, cards=tuple(evolve(card, free=None) for card in deck.cards))
    formulas = [formula(asked.condition, deck, game.sharing) for asked in deck.conditions]
    objective = (formulas[game.condition - 1],) if game.condition else either(formulas)
    return Table(model_of(deck, objective, game.hand, shortcuts=False), game)
