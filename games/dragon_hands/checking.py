"""What a deck file says as a whole: names that nothing has, and what is odd."""

from __future__ import annotations

from dragon.errors import ConfigError
from dragon_hands.condition import KEYWORDS, clauses
from dragon_hands.fields import Found, hint
from dragon_hands.source import Source
from dragon_hands.spec import BLANK, SIZE, Spec

MOST_CARDS = 500
"""Cards of a deck, and names in it; the rules of the game stop at 60."""


def check_deck(spec: Spec, top: Found, source: Source) -> None:
    """Notes a deck of too many cards or of none, and a card called as blanks are."""
    line = top["deck"][0] if "deck" in top else 1
    if spec.listed > MOST_CARDS:
        source.wrong(
            line, f"{spec.listed:,} cards; a deck has at most {MOST_CARDS} (the game's rules: 60)"
        )
    elif not spec.listed and not source.problems:
        source.wrong(line, "0 cards; give at least one card a qty of 1 or more")
    if any(card.name == BLANK for card in spec.cards) and spec.blanks:
        source.wrong(line, f"{BLANK!r} is what blanks are called; give the card another name")


def check_names(spec: Spec, source: Source) -> None:
    """Clauses and tolls must name cards or tags that there are.

    Where no card could be read, that is told already.
    """
    for asked in spec.conditions if spec.cards else ():
        for clause in clauses(asked.condition):
            if clause.name in spec.names:
                continue
            numbered = f"{clause.count}{clause.sign} {clause.name}"
            bare = f"{clause.count} {clause.name}"
            if bare in spec.names:
                said = f"; the card {bare!r} begins with a number, write 1+ {bare}"
            elif any(word.upper() in KEYWORDS for word in clause.name.split()):
                said = "; keywords are upper case: AND, OR, IN, NOT"
            else:
                said = hint(clause.name, spec.names) or "; give a card that name, or that tag"
            source.wrong(
                asked.line, f"no card and no tag is called {clause.name!r} (in {numbered!r}){said}"
            )
    for card in spec.cards:
        free = card.free
        for toll in (free.cost, free.condition) if free else ():
            for words, _ in toll.names if toll else ():
                for word in words:
                    if word not in spec.names:
                        source.warn(
                            card.line,
                            f"{card.name!r} takes {word!r}, which no card and no tag is called"
                            f"{hint(word, spec.names)}",
                        )


def warn(spec: Spec, top: Found, source: Source) -> None:
    """Says what is odd."""
    line = top["deck"][0]
    if spec.blanks:
        source.warn(line, f"{spec.listed} cards listed; {spec.blanks} blanks fill the deck up to "
                          f"{spec.size}")  # fmt: skip
    if spec.total < SIZE or spec.total > 60:
        source.warn(line, f"{spec.total} cards; the game's rules ask for 40 to 60")
    moved = any(card.free and card.qty for card in spec.cards)
    for asked in spec.conditions:
        for clause in clauses(asked.condition):
            zone = spec.extra if clause.zone == "Extra" else spec.deck
            copies = sum(card.qty for card in zone if card.answers(clause.name))
            asks = clause.sign != "-" and clause.count > 0
            if asks and clause.zone in ("GY", "Banished") and not moved:
                source.warn(
                    asked.line, f"{str(clause)!r} never holds: no free card puts cards there"
                )
            elif asks and clause.count > copies:
                source.warn(asked.line, f"{str(clause)!r} never holds: there are only {copies}")
            elif clause.count == 0 and clause.sign == "+":
                source.warn(asked.line, f"{str(clause)!r} always holds")


def checked_hand(spec: Spec, hand: int) -> int:
    """A hand's size; raises ConfigError unless the deck has so many cards."""
    if not 1 <= hand <= spec.total:
        raise ConfigError(
            f"a hand of {hand} cards from a deck of {spec.total}; ask for 1 to {spec.total}"
        )
    return hand
