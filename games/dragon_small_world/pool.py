"""The main-deck monsters of the store of cards, which alone Small World knows: the pool, a deck of
them, and conditions on them.

A deck has every monster of main and side once, in the order of the pool; copies count for the odds
of a hand alone. Conditions are as people write them: `level<=4`, `type=Cyberse`, `name~dragon`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from importlib.resources import files
from operator import eq, ge, gt, le, lt, ne
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from dragon.errors import ConfigError, did_you_mean
from dragon_cards import decks
from dragon_cards.card import FORMATS, MONSTER, REMEDY, UNKNOWN, Card, Store
from dragon_cards.decks import DeckList
from dragon_cards.lines import MAIN, SIDE
from dragon_cards.names import BEGINS, EXACT, Names, folded
from dragon_cards.store import read, starter, store
from dragon_cards.tables import PRINTED
from dragon_small_world.words import SAMPLES, SMALL_WORLD

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Test = Callable[[Card], bool]


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
        return tuple(monster.name for monster in self.monsters)

    def more(self, copies: int) -> Deck:
        """Return the deck with this number of copies of Small World added."""
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
    """Return the deck of a list; raise ConfigError where it does not have a monster."""
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


SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "<=": le, ">=": ge, "!=": ne, "=": eq, "<": lt, ">": gt,
}  # fmt: skip
WHOLE, WORDS = ("id", "level", "atk", "def"), ("name", "type", "attribute", "archetype", "role")
KNOWN = WHOLE + WORDS + FORMATS
_WRITTEN = re.compile(r"\s*(\w+)\s*(<=|>=|!=|=|<|>|~)\s*(.+?)\s*")


@frozen
class Condition:
    """A condition, read; which monsters meet it is up to the pool."""

    text: str
    """The condition as it was written."""
    word: str
    """The property that it is about, one of KNOWN."""
    sign: str
    value: str


def allowed(pool: Pool, filters: Sequence[str]) -> NDArray[np.bool_]:
    """Return bool[pool]: the monsters that meet all the conditions; raise ConfigError."""
    import numpy as np

    tests = [test(condition(text), pool) for text in filters]
    return np.array([all(meets(m) for meets in tests) for m in pool.monsters], bool)


def condition(text: str) -> Condition:
    """Return the condition in a text; raise ConfigError for one that makes no sense in any pool."""
    written = _WRITTEN.fullmatch(text)
    if written is None:
        raise ConfigError(
            f"cannot read the filter {text!r:.80}; write level<=4, type=Cyberse, name~dragon"
        )
    word, sign, value = written[1].lower(), written[2], written[3]
    if word not in KNOWN:
        raise ConfigError(
            f"no property {word!r:.40} in the filter {text!r:.80}{did_you_mean(word, KNOWN)} "
            f"({', '.join(KNOWN)})"
        )
    if word in WORDS:
        if sign not in ("=", "!=", "~"):
            raise ConfigError(
                f"{word} has no order in the filter {text!r:.80}; write {word}=, != or ~"
            )
    elif sign == "~" or not (_asks(word, sign, value) or (value.isdecimal() and len(value) < 12)):
        raise ConfigError(
            f"{word} is a number in the filter {text!r:.80}; write {word}<=4 or {word}=4"
        )
    return Condition(text, word, sign, value)


def _held(monster: Card, word: str) -> tuple[str, ...]:
    """Return the values of a monster for one of WORDS; it may have several roles."""
    return monster.roles if word == "role" else (getattr(monster, word),)


def _asks(word: str, sign: str, value: str) -> bool:
    """Return True if it is about a `?`."""
    return value == "?" and word in ("atk", "def") and sign in ("=", "!=")


def test(asked: Condition, pool: Pool) -> Test:
    """Return the monsters that meet a condition; raise ConfigError if the pool cannot tell.

    A `?` meets none on ATK or DEF but `=?` and `!=`. Of a banlist the copies that it allows
    are compared.
    """
    word, plain = asked.word, folded(asked.value)
    if asked.sign == "~":
        return lambda monster: any(plain in folded(held) for held in _held(monster, word))
    compare = SIGNS[asked.sign]
    if word in WORDS:
        known = Names(sorted({held for m in pool.monsters for held in _held(m, word)} - {""}))
        match = known.match(asked.value)
        if match.how not in (EXACT, BEGINS):
            match = evolve(match, places=())
        if match.place is None:
            raise ConfigError(
                f"{match.complaint(word)} (filter {asked.text!r:.80}; cards: {pool.store})"
            )
        same, one = folded(known.names[match.place]), asked.sign == "="
        return lambda monster: (same in map(folded, _held(monster, word))) == one
    if word in FORMATS:
        if word not in pool.store.formats:
            raise ConfigError(
                f"the cards tell no {word.upper()} banlist for the filter {asked.text!r:.80}; "
                f"{REMEDY} (cards: {pool.store.source})"
            )
        return lambda monster: compare(monster.limit(word), int(asked.value))
    field = "defence" if word == "def" else word
    about = _asks(word, asked.sign, asked.value)
    number = UNKNOWN if about else int(asked.value)

    def meets(monster: Card) -> bool:
        held = getattr(monster, field)
        if held == UNKNOWN and word in ("atk", "def") and not about:
            return asked.sign == "!="
        return compare(held, number)

    return meets
