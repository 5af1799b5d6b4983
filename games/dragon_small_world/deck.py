"""Decks: `.ydk` files, `ydke://` links, and names one a line.

What counts as the deck of Small World is every monster of main and side, once each, in the
order of the pool. Copies count for the odds of a hand alone.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path

from attrs import evolve, frozen

from dragon.config import read_text
from dragon.errors import ConfigError
from dragon_small_world.monsters import Monster, Pool
from dragon_small_world.words import SAMPLES, SMALL_WORLD

MOST_CARDS = 150
"""In main and side together; the rules allow 75."""
MOST_BYTES = 256 << 10
GUESSED = 10
"""Of so many names that are not known it is guessed what was meant: that takes time."""
OTHER = "other"
"""In a list of names, a card that does not matter."""
LINK = "ydke://"
MAIN, EXTRA, SIDE = "main", "extra", "side"
_APART = re.compile(r"[\s:()=*-]+")
_COUNTED = re.compile(r"(\d{1,2})\s*[xX*]?\s+(\S.*)|(\S.*?)\s+[xX*]\s*(\d{1,2})")


@frozen
class Line:
    """What stands for cards in a deck: a passcode or a name."""

    part: str
    text: str
    where: str
    """`deck.ydk, line 3`"""


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
    """The same, each as a sentence with its place and what may have been meant."""

    @property
    def monsters(self) -> tuple[Monster, ...]:
        """The monsters of main and side."""
        return tuple(self.pool.monsters[i] for i in self.places)

    @property
    def names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(monster.name for monster in self.monsters)

    def more(self, copies: int) -> Deck:
        """The deck with so many copies of Small World more."""
        return evolve(self, size=self.size + copies, small_worlds=self.small_worlds + copies)


def no_deck(pool: Pool) -> Deck:
    """No cards at all, for questions about the pool alone."""
    return Deck(pool, (), (), 0, 0, ())


def read_deck(given: str, pool: Pool, side: bool = True) -> Deck:
    """The deck of a file, a `ydke://` link, `-` for stdin, or the name of a sample.

    Raises ConfigError where it cannot be read, has too many cards, or no monster that the
    pool knows.
    """
    if given.startswith(LINK):
        return deck_of(link_lines(given, "the link"), pool, side, "the link")
    there = given != "-" and _exists(given)
    if given in SAMPLES and not there:
        text = sample(given)
    elif given != "-" and not there:
        known = " or ".join(repr(name) for name in SAMPLES)
        raise ConfigError(
            f"no deck file {given!r:.200}; give a .ydk file, a list of names, a {LINK} link, "
            f"or the sample {known}"
        )
    else:
        text = read_text(given, "a deck", MOST_BYTES)
    name = "stdin" if given == "-" else given
    return deck_of(deck_lines(text, name), pool, side, name)


def sample(name: str) -> str:
    """The text of a deck that comes with the package; name: one of SAMPLES."""
    return (files("dragon_small_world") / "data" / f"{name}.txt").read_text(encoding="utf-8")


def _exists(name: str) -> bool:
    try:
        return bool(name) and Path(name).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def deck_lines(text: str, name: str) -> Iterator[Line]:
    """What stands on the lines of a deck file; raises ConfigError for a link that is broken."""
    part = MAIN
    for number, line in enumerate(text.splitlines(), 1):
        word = line.strip()
        where = f"{name}, line {number}"
        if word.startswith(LINK):
            yield from link_lines(word, where)
        elif heading := _heading(word):
            part = heading
        elif word and not word.startswith(("#", "!", "//")):
            yield Line(part, word, where)


def _heading(line: str) -> str | None:
    """The part that begins here: `#main`, `!side`, or what lists of names have.

    >>> _heading("== Side Deck (15 cards) =="), _heading("Extra-Foolish Burial")
    ('side', None)
    """
    first, *rest = _APART.split(line.lower().strip("#!:()=*- \t"))
    heading = all(word in ("deck", "card", "cards") or word.isdecimal() for word in rest)
    return first if first in (MAIN, EXTRA, SIDE) and heading else None


def link_lines(link: str, where: str) -> Iterator[Line]:
    """The passcodes of a `ydke://` link: main, extra and side in base 64, with `!` between."""
    parts = link.strip().removeprefix(LINK).split("!")
    if len(parts) < 3:
        raise ConfigError(f"{where}: a {LINK} link has main, extra and side, each ended by a !")
    for part, text in zip((MAIN, EXTRA, SIDE), parts[:3], strict=True):
        try:
            data = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError) as error:
            raise ConfigError(
                f"{where}: the {part} part of the link is broken ({error})"
            ) from error
        if len(data) % 4:
            raise ConfigError(f"{where}: the {part} part of the link is cut off; copy all of it")
        for at in range(0, len(data), 4):
            yield Line(part, str(int.from_bytes(data[at : at + 4], "little")), where)


def deck_of(lines: Iterable[Line], pool: Pool, side: bool, name: str) -> Deck:
    """The deck of these lines; raises ConfigError for too many cards or no monster."""
    copies: Counter[int] = Counter()
    places: set[int] = set()
    unknown: dict[str, str] = {}
    size = seen = small_worlds = 0
    for line in lines:
        if line.part == EXTRA:
            continue
        count, place, other = understood(line, pool)
        if not count:
            continue
        seen += count
        if seen > MOST_CARDS:
            raise ConfigError(
                f"{line.where}: more than {MOST_CARDS} cards; a deck has 60 at most, and 15 beside"
            )
        if line.part == MAIN:
            size += count
            small_worlds += count * (other == SMALL_WORLD)
        if place is not None:
            if line.part == MAIN:
                copies[place] += count
            if line.part == MAIN or side:
                places.add(place)
        elif other is None:
            unknown.setdefault(line.text, line.where)
    if not seen:
        raise ConfigError(f"{name}: no card in it; a deck has a passcode or a name on each line")
    notes = tuple(
        _note(text, where, pool, guessed=i < GUESSED)
        for i, (text, where) in enumerate(unknown.items())
    )
    if not places:
        raise ConfigError(
            "\n".join([f"{name}: no main-deck monster in it that the cards know", *notes[:5]])
        )
    return Deck(
        pool, tuple(sorted(places)), tuple(sorted(copies.items())), size, small_worlds,
        tuple(unknown), notes,
    )  # fmt: skip


def understood(line: Line, pool: Pool) -> tuple[int, int | None, int | None]:
    """How many copies a line has, the place of its monster, or the passcode of another card."""
    if line.text.isdecimal():
        number = int(line.text[:20])
        place = pool.place.get(number)
        number = pool.aliases.get(number, number) if place is None else number
        known = number == SMALL_WORLD or number in pool.others
        return 1, place, number if place is None and known else None
    counted = _COUNTED.fullmatch(line.text)
    readings = [(1, line.text)]
    if counted:
        readings.append((int(counted[1] or counted[4]), counted[2] or counted[3]))
    for count, text in readings:
        place = pool.names.find(text)
        if place is not None:
            return count, place, None
        other = _other(text, pool)
        if other is not None:
            return count, None, other
    return max(1, readings[-1][0]), None, None


def _other(text: str, pool: Pool) -> int | None:
    """The passcode of a card that is no main-deck monster; 0 for OTHER."""
    word = text.strip().casefold()
    if word in ("small world", OTHER):
        return SMALL_WORLD if word != OTHER else 0
    found = pool.other_names.find(text)
    return None if found is None else list(pool.others)[found]


def _note(text: str, where: str, pool: Pool, guessed: bool) -> str:
    """A sentence about what is not understood; of passcodes nothing can be guessed."""
    if text.isdecimal():
        return f"{where}: passcode {text:.40} is no main-deck monster that the cards know"
    meant = pool.names.hint(text) if guessed else ""
    return f"{where}: {text!r:.80} is no main-deck monster that the cards know{meant}"
