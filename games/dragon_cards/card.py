"""Cards, and the store of them: what is printed on each, and what the banlists allow."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from attrs import frozen

from dragon.errors import ConfigError
from dragon_cards.names import Names

MONSTER, EXTRA, SPELL, TRAP, OTHER = KINDS = ("monster", "extra", "spell", "trap", "other")
"""A monster of the main deck, one of the extra deck, a spell, a trap; a token, a skill, or a card
of which only the name is known."""
FORMATS = ("tcg", "ocg", "goat")
"""The banlists that the public card data tell."""
PROPERTIES = ("type", "attribute", "level", "atk", "def")
"""What is printed on a monster, in the order in which it is written."""
UNKNOWN = -1
"""How a `?` is stored."""
MOST_COPIES = 3
"""Of one card, in a deck."""
REMEDY = "`dragon cards update` fetches all"
"""What makes more cards known."""


@frozen
class Card:
    """A card: what is printed on it, and how many copies a deck may have."""

    id: int
    """The passcode."""
    name: str
    attribute: str = ""
    type: str = ""
    """Fiend, Dragon; of spells and traps Normal, Quick-Play, Counter."""
    level: int = 0
    """Rank and link rating too; 0 where there is none."""
    atk: int = UNKNOWN
    """UNKNOWN where a `?` is printed."""
    defence: int = UNKNOWN
    """UNKNOWN where a `?` is printed, or nothing."""
    kind: str = MONSTER
    """One of KINDS."""
    archetype: str = ""
    roles: tuple[str, ...] = ()
    """Tuner, Ritual, Pendulum, and what players call it: Hand Trap."""
    aliases: tuple[int, ...] = ()
    """The passcodes of its other arts, ascending."""
    limits: tuple[tuple[str, int], ...] = ()
    """Of the FORMATS that restrict it, how many copies each allows."""

    def limit(self, banlist: str) -> int:
        """How many copies a deck may have; banlist: one of FORMATS.

        >>> Card(1, "A", limits=(("tcg", 1),)).limit("tcg"), Card(1, "A").limit("tcg")
        (1, 3)
        """
        return dict(self.limits).get(banlist, MOST_COPIES)

    def printed(self, word: str) -> str:
        """A property as the card has it.

        >>> Card(1, "A", "DARK", "Fiend", 4, UNKNOWN, 200).printed("atk")
        '?'
        """
        value = getattr(self, "defence" if word == "def" else word)
        return "?" if value == UNKNOWN and word in ("atk", "def") else str(value)

    @property
    def row(self) -> tuple[str, ...]:
        """Type, attribute, level, ATK and DEF as the card has them."""
        return tuple(map(self.printed, PROPERTIES))


@frozen(eq=False)
class Store:
    """Cards in the order of their table, found by passcode and by name."""

    cards: tuple[Card, ...]
    source: str = ""
    """Where they come from, for messages."""
    formats: tuple[str, ...] = ()
    """The banlists that it knows."""
    starter: bool = False
    """Whether it is the small pool that comes with the package."""

    def __str__(self) -> str:
        """
        >>> str(Store((Card(1, "A"),), "cards.csv"))
        'cards.csv, 1 cards'
        """
        more = f"; {REMEDY}" if self.starter else ""
        return f"{self.source}, {len(self.cards):,} cards{more}"

    @cached_property
    def by_id(self) -> Mapping[int, Card]:
        """The cards by passcode; those of other arts too."""
        found = {card.id: card for card in self.cards}
        for card in self.cards:
            for alias in card.aliases:
                found.setdefault(alias, card)
        return found

    @cached_property
    def names(self) -> Names:
        """The names, in the order of the cards."""
        return Names([card.name for card in self.cards])

    def find(self, text: str, what: str = "card") -> Card:
        """The card of that name or passcode, as people write it; see `Names.match`.

        Raises ConfigError for none, with what may have been meant, and for several, with their
        names; `what` is what the text should be.
        """
        number = text.strip()
        if number.isdecimal() and len(number) < 12 and int(number) in self.by_id:
            return self.by_id[int(number)]
        match = self.names.match(text)
        if match.place is None:
            raise ConfigError(f"{match.complaint(what)} (cards: {self})")
        return self.cards[match.place]
