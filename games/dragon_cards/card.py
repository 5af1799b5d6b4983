"""Cards, and the store of them: the text of each card, its limits on banlists, and its JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from attrs import frozen

from dragon.errors import ConfigError
from dragon_cards.names import Names

MONSTER, EXTRA, SPELL, TRAP, OTHER = KINDS = ("monster", "extra", "spell", "trap", "other")
"""A monster of the main deck, one of the extra deck, a spell, a trap; a token, a skill, or a card
known by its name only."""
FORMATS = ("tcg", "ocg", "goat")
"""The banlists of the public card data."""
PROPERTIES = ("type", "attribute", "level", "atk", "def")
"""The properties printed on a monster, in the order in which they are written."""
UNKNOWN = -1
"""The number stored for a `?`."""
MOST_COPIES = 3
"""The most copies of one card in a deck."""
REMEDY = "`dragon cards update` fetches all"
"""The advice for an unknown card."""


@frozen
class Card:
    """A card: its printed text, and the copies that a deck may have."""

    id: int
    """The passcode."""
    name: str
    attribute: str = ""
    type: str = ""
    """The type: Fiend, Dragon; for spells and traps Normal, Quick-Play, Counter."""
    level: int = 0
    """The level, rank or link rating; 0 for cards without one."""
    atk: int = UNKNOWN
    """The ATK; UNKNOWN for a printed `?`."""
    defence: int = UNKNOWN
    """The DEF; UNKNOWN for a printed `?`, or for nothing printed."""
    kind: str = MONSTER
    """The kind, one of KINDS."""
    archetype: str = ""
    roles: tuple[str, ...] = ()
    """The roles: Tuner, Ritual, Pendulum, and names among players such as Hand Trap."""
    aliases: tuple[int, ...] = ()
    """The passcodes of its other arts, ascending."""
    limits: tuple[tuple[str, int], ...] = ()
    """The FORMATS that restrict the card, each with the copies that it allows."""

    def limit(self, banlist: str) -> int:
        """Return the copies that a deck may have; banlist: one of FORMATS.

        >>> Card(1, "A", limits=(("tcg", 1),)).limit("tcg"), Card(1, "A").limit("tcg")
        (1, 3)
        """
        return dict(self.limits).get(banlist, MOST_COPIES)

    def printed(self, word: str) -> str:
        """Return a property as the card shows it.

        >>> Card(1, "A", "DARK", "Fiend", 4, UNKNOWN, 200).printed("atk")
        '?'
        """
        value = getattr(self, "defence" if word == "def" else word)
        return "?" if value == UNKNOWN and word in ("atk", "def") else str(value)

    @property
    def row(self) -> tuple[str, ...]:
        """Type, attribute, level, ATK and DEF as the card shows them."""
        return tuple(map(self.printed, PROPERTIES))

    @property
    def tags(self) -> tuple[str, ...]:
        """The archetype, the names among players, and what is printed: words for conditions.

        >>> Card(1, "Ash", "FIRE", "Zombie", 3, 0, 1800, roles=("Tuner", "Hand Trap")).tags
        ('Tuner', 'Hand Trap', 'Zombie', 'FIRE', 'Level 3', 'Monster')
        """
        words: tuple[str, ...] = (self.archetype, *self.roles)
        if self.kind in (MONSTER, EXTRA):
            level = f"Level {self.level}" if self.level and self.kind == MONSTER else ""
            words += (self.type, self.attribute, level, "Monster")
        elif self.kind in (SPELL, TRAP):
            kind = self.kind.capitalize()
            words += (f"{self.type} {kind}" if self.type else "", kind)
        return tuple(dict.fromkeys(word for word in words if word))


@frozen(eq=False)
class Store:
    """Cards in the order of their table, found by passcode and by name."""

    cards: tuple[Card, ...]
    source: str = ""
    """The source of the cards, for messages."""
    formats: tuple[str, ...] = ()
    """The banlists that are known."""
    starter: bool = False
    """True for the small pool that comes with the package."""

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

    @cached_property
    def words(self) -> frozenset[str]:
        """Every name and tag of a card."""
        return frozenset(word for card in self.cards for word in (card.name, *card.tags))

    def find(self, text: str, what: str = "card") -> Card:
        """Return the card of a name or passcode, as people write it; see `Names.match`.

        Raise ConfigError for none, with a suggestion, and for several, with their
        names; `what` is the word for the thing that the text should name.
        """
        number = text.strip()
        if number.isdecimal() and len(number) < 12 and int(number) in self.by_id:
            return self.by_id[int(number)]
        match = self.names.match(text)
        if match.place is None:
            raise ConfigError(f"{match.complaint(what)} (cards: {self})")
        return self.cards[match.place]


def of_store(store: Store) -> dict[str, Any]:
    """Return the number of cards of each kind in a store, and their source."""
    kinds = Counter(card.kind for card in store.cards)
    return {
        "source": store.source,
        "sentence": str(store),
        "starter": store.starter,
        "cards": len(store.cards),
        "kinds": {kind: kinds[kind] for kind in KINDS},
        "archetypes": len({card.archetype for card in store.cards} - {""}),
        "formats": list(store.formats),
    }


def of_card(card: Card) -> dict[str, Any]:
    """Return the data of a card; only monsters have level, ATK and DEF."""
    monster = card.kind in (MONSTER, EXTRA)
    numbers = {word: card.printed(word) for word in ("level", "atk", "def")} if monster else {}
    return {
        "id": card.id,
        "name": card.name,
        "kind": card.kind,
        "attribute": card.attribute,
        "type": card.type,
        **numbers,
        "archetype": card.archetype,
        "roles": list(card.roles),
        "aliases": list(card.aliases),
        "limits": dict(card.limits),
    }
