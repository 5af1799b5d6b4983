"""Monsters and the pool of them.

A pool also knows the names of the cards that are no main-deck monsters where its data has
them, the passcodes of alternate arts, and the banlists.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from attrs import field, frozen

from dragon.errors import ConfigError
from dragon_small_world.names import Names
from dragon_small_world.words import PROPERTIES

UNKNOWN = -1
"""How a `?` is stored."""
MOST_COPIES = 3
"""Of one card, in a deck."""


@frozen
class Monster:
    """A main-deck monster: what is printed on it."""

    id: int
    """The passcode."""
    name: str
    attribute: str
    type: str
    level: int
    atk: int
    """UNKNOWN where a `?` is printed."""
    defence: int
    """UNKNOWN where a `?` is printed."""

    def printed(self, word: str) -> str:
        """A property as the card has it.

        >>> Monster(1, "A", "DARK", "Fiend", 4, UNKNOWN, 200).printed("atk")
        '?'
        """
        value = getattr(self, "defence" if word == "def" else word)
        return "?" if value == UNKNOWN and word in ("atk", "def") else str(value)

    @property
    def row(self) -> tuple[str, ...]:
        """All PROPERTIES as the card has them."""
        return tuple(map(self.printed, PROPERTIES))


@frozen(eq=False)
class Pool:
    """Monsters in the order of their table, and what else the table says."""

    monsters: tuple[Monster, ...]
    aliases: Mapping[int, int] = field(factory=dict, repr=False)
    """From the passcode of an alternate art to that of the monster."""
    others: Mapping[int, str] = field(factory=dict, repr=False)
    """Cards that are no main-deck monsters, by passcode."""
    banlists: Mapping[str, Mapping[int, int]] = field(factory=dict, repr=False)
    """Of each banlist that is known, how many copies of a card it allows, by passcode; of a card
    that it does not name MOST_COPIES."""
    source: str = ""
    """Where it comes from, for messages."""

    @cached_property
    def place(self) -> dict[int, int]:
        """From a passcode to the place of its monster; alternate arts too."""
        places = {monster.id: i for i, monster in enumerate(self.monsters)}
        for alias, main in self.aliases.items():
            if main in places:
                places.setdefault(alias, places[main])
        return places

    @cached_property
    def names(self) -> Names:
        """The monsters by name."""
        return Names([monster.name for monster in self.monsters])

    @cached_property
    def other_names(self) -> Names:
        """The other cards by name."""
        return Names(list(self.others.values()))

    def find(self, text: str, what: str = "monster") -> int:
        """The place of the monster of that name or passcode.

        Case, accents and signs are of no account. Raises ConfigError, with what may have
        been meant; `what` is what the text should be.
        """
        number = text.strip()
        if number.isdecimal() and len(number) < 12 and int(number) in self.place:
            return self.place[int(number)]
        found = self.names.find(text)
        if found is None:
            raise ConfigError(f"no {what} called {text!r}{self.hint(text)}")
        return found

    def hint(self, text: str) -> str:
        """What may have been meant by an unknown name, and where was looked."""
        if self.other_names.find(text) is not None:
            return f": it is no main-deck monster (cards: {self.source})"
        more = "--cards FILE and `dragon small-world update` widen"
        return f"{self.names.hint(text)} (cards: {self.source}; {more})"
