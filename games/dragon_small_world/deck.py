"""The deck of Small World: every monster of main and side, once each, in the order of the pool.

Copies count for the odds of a hand alone.
"""

from __future__ import annotations

from importlib.resources import files

from attrs import evolve, frozen

from dragon.errors import ConfigError
from dragon_cards import decks
from dragon_cards.card import Card
from dragon_cards.decks import DeckList
from dragon_cards.lines import MAIN, SIDE
from dragon_small_world.pool import Pool
from dragon_small_world.words import SAMPLES, SMALL_WORLD


@frozen
class Deck:
    """The cards of a deck that a pool knows."""

    pool: Pool
    places: tuple[int, ...]
    """The monsters of main and side, as places in the pool, ascending."""
    main: tuple[tuple[int, int], ...]
    """(place, copies) of the monsters of the main deck alone, ascending."""
    size: int
    """Cards in the main deck, of whatever kind."""
    small_worlds: int
    """Copies of Small World in the main deck."""
    unknown: tuple[str, ...]
    """Passcodes and names that are not understood, as they were given, each once."""
    notes: tuple[str, ...] = ()
    """Sentences about lines that are not understood, or not at once."""
    filled: tuple[str, ...] = ()
    """The note that blanks fill the main deck, which only odds depend on."""

    @property
    def monsters(self) -> tuple[Card, ...]:
        """The monsters of main and side."""
        return tuple(self.pool.monsters[i] for i in self.places)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the monsters."""
        return tuple(monster.name for monster in self.monsters)

    def more(self, copies: int) -> Deck:
        """Return the deck with so many copies of Small World more."""
        return evolve(self, size=self.size + copies, small_worlds=self.small_worlds + copies)


def no_deck(pool: Pool) -> Deck:
    """Return a deck without cards, for questions about the pool alone."""
    return Deck(pool, (), (), 0, 0, ())


def read_deck(given: str, pool: Pool, side: bool = True, size: int | None = None) -> Deck:
    """Return the deck of a file, a `ydke://` link, `-` for stdin, or the name of a sample.

    size: the size of the main deck, if the deck does not say it. Raise ConfigError where it cannot
    be read, has too many cards, or no monster that the pool knows.
    """
    if given in SAMPLES and not decks.exists(given):
        return deck_in(sample(given), pool, side, given, size)
    text, name = decks.text_of(given, SAMPLES)
    return deck_in(text, pool, side, name, size)


def sample(name: str) -> str:
    """Return the text of a deck that comes with the package; name: one of SAMPLES."""
    return (files("dragon_small_world") / "data" / f"{name}.txt").read_text(encoding="utf-8")


def deck_in(
    text: str, pool: Pool, side: bool = True, name: str = "the deck", size: int | None = None
) -> Deck:
    """Return the deck of a text; raise ConfigError, as `read_deck` does."""
    return deck_of(decks.deck_in(text, pool.store, name, size), pool, side)


def deck_of(listed: DeckList, pool: Pool, side: bool) -> Deck:
    """Return the deck of a list; raise ConfigError where it has no monster."""
    main = listed.cards(MAIN)
    read = (MAIN, SIDE) if side else (MAIN,)
    copies = {pool.place[c.id]: n for c, n in main.items() if c.id in pool.place}
    places = sorted({pool.place[c.id] for c in listed.cards(*read) if c.id in pool.place})
    notes = listed.notes_of((MAIN, SIDE))
    if not places:
        raise ConfigError(
            "\n".join([f"{listed.name}: no main-deck monster in it that is known", *notes[:5]])
        )
    small_worlds = sum(n for card, n in main.items() if card.id == SMALL_WORLD)
    return Deck(
        pool, tuple(places), tuple(sorted(copies.items())), listed.size(), small_worlds,
        listed.unknown_of((MAIN, SIDE)), notes, listed.filled,
    )  # fmt: skip
