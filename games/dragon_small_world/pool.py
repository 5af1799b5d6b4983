"""The pool: the main-deck monsters of the store of cards, which alone Small World knows."""

from __future__ import annotations

from functools import cached_property, lru_cache
from pathlib import Path

from attrs import frozen

from dragon.errors import ConfigError
from dragon_cards.card import MONSTER, Card, Store
from dragon_cards.names import Names
from dragon_cards.store import read, starter, store
from dragon_cards.tables import PRINTED


@frozen(eq=False)
class Pool:
    """Monsters in the order of their store."""

    store: Store

    @cached_property
    def monsters(self) -> tuple[Card, ...]:
        """The monsters that can be in a main deck."""
        return tuple(card for card in self.store.cards if card.kind == MONSTER)

    @cached_property
    def place(self) -> dict[int, int]:
        """The place of each monster by passcode, those of other arts too."""
        places = {monster.id: i for i, monster in enumerate(self.monsters)}
        for number, card in self.store.by_id.items():
            if card.kind == MONSTER:
                places.setdefault(number, places[card.id])
        return places

    @cached_property
    def names(self) -> Names:
        """The monsters by name."""
        return Names([monster.name for monster in self.monsters])

    def find(self, text: str, what: str = "monster") -> int:
        """Return the place of the monster of that name or passcode, as people write it.

        Raise ConfigError, with what may have been meant; `what` is what the text should be.
        """
        number = text.strip()
        if number.isdecimal() and len(number) < 12 and int(number) in self.place:
            return self.place[int(number)]
        match = self.names.match(text)
        if match.place is not None:
            return match.place
        if (other := self.store.names.find(text)) is not None:
            raise ConfigError(f"{self.store.cards[other].name} is not a main-deck monster")
        raise ConfigError(f"{match.complaint(what)} (cards: {self.store})")


def starter_pool() -> Pool:
    """Return the pool that comes with dragon."""
    return _sorted(starter())


def pool_of(cards: Path | str | None) -> Pool:
    """Return the pool of a CSV table or a JSON dump, or of the usual cards; raise ConfigError."""
    found = _sorted(store() if cards is None else read(Path(cards), PRINTED))
    if not found.monsters:
        raise ConfigError(f"{found.store.source}: no main-deck monster in it; is it card data?")
    return found


@lru_cache(maxsize=2)
def _sorted(of: Store) -> Pool:
    """Return the pool of a store, which is sorted out once."""
    return Pool(of)
