"""A question about a deck: how a hand comes about, the sharing of cards, and the policy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import Attribute, evolve, field, frozen, validators

from dragon.errors import ConfigError
from dragon_hands.deck import And, Card, Clause, Condition, Deck, clauses, hint
from dragon_hands.grammar import parse

SHARINGS = ("distinct", "count")
POLICIES = ("optimal", "greedy", "never", "clairvoyant")
MULLIGANS = ("none", "london", "redraw", "replace")
MAGIC = 7
"""The opening hand where the mulligan is that of Magic or Pokemon, or prizes are set aside."""

KNOWN = ("in_hand", "seen", "bottom")
TEXTS = ("keep", "given", *KNOWN)
"""The settings that are written as conditions."""
SETTINGS = ("mulligan", "mulligans", "prizes", "turn", "on_the_play", *TEXTS)
"""The settings that say how a hand comes about, besides its size."""

Known: TypeAlias = tuple[tuple[str, int], ...]
"""Names of cards of the deck, each with a number of its copies."""

ALONE = "to play free cards takes too long here; these figures are of opening hands alone"
"""The note where the policy `never` replaces another."""


def one_of(words: tuple[str, ...]) -> Callable[[Any, Attribute[str], str], None]:
    """Return a validator of attrs for one of these words; its ValueError is a sentence."""

    def check(instance: Any, attribute: Attribute[str], value: str) -> None:
        if value not in words:
            known = ", ".join(map(repr, words[:-1])) + f" or {words[-1]!r}"
            raise ValueError(f"{attribute.name} must be {known}, not {value!r}")

    return check


@frozen
class Question:
    """A question about a deck; raises ValueError for unknown words.

    The hand is dealt, changed by the mulligan, and kept; prizes are set aside, and a card is
    drawn on each turn.
    """

    hand: int = field(default=5, validator=validators.ge(1))
    """The number of cards in the opening hand, those of `in_hand` included."""
    sharing: str = field(default="distinct", validator=one_of(SHARINGS))
    """`distinct`: each clause needs cards of its own; `count`: a card counts for every clause
    that it matches."""
    policy: str = field(default="optimal", validator=one_of(POLICIES))
    """The policy that plays free cards: see `dragon_hands.policy`."""
    mulligan: str = field(default="none", validator=one_of(MULLIGANS))
    """`london`: shuffle, draw as many again, and put one card on the bottom for each mulligan;
    `redraw`: shuffle and draw as many again; `replace`: set cards aside, draw as many, and
    shuffle them in."""
    mulligans: int | None = field(default=None, validator=validators.optional(validators.ge(0)))
    """The most mulligans; None: `london` until one card is left, `redraw` without end."""
    keep: Condition | None = None
    """The hands that are kept; None: what is best for the condition asked. Under `replace`,
    the cards that it asks for."""
    given: Condition | None = None
    """The condition on the kept hand under which the probability is asked."""
    prizes: int = field(default=0, validator=validators.ge(0))
    """The number of cards that are set aside at random after the opening hand."""
    turn: int = field(default=0, validator=validators.ge(0))
    """The turn whose draw is the last; 0: the opening hand."""
    on_the_play: bool = False
    """True if no card is drawn on turn 1."""
    in_hand: Known = ()
    """Cards known to be in the opening hand."""
    seen: Known = ()
    """Cards known to be in neither the hand nor the deck."""
    bottom: Known = ()
    """Cards known to lie below the rest of the deck, in random order."""

    @property
    def draws(self) -> int:
        """The number of cards drawn after the opening hand."""
        return max(0, self.turn - self.on_the_play)

    @property
    def is_plain(self) -> bool:
        """True if all cards of the hand are one random sample of the deck."""
        more = self.given, self.prizes, self.in_hand, self.seen, self.bottom
        return self.mulligan == "none" and not any(more)

    @property
    def cards(self) -> int:
        """The number of cards drawn, the opening hand included, where there is no mulligan."""
        return self.hand + self.draws

    def plain(self) -> dict[str, Any]:
        """Return the documented keys that differ from the default, for JSON."""
        found: dict[str, Any] = {}
        for name in SETTINGS:
            value = getattr(self, name)
            if value != getattr(_USUAL, name):
                known = isinstance(value, tuple)
                found[name] = (
                    dict(value) if known else value if isinstance(value, int) else str(value)
                )
        return found

    def documented(self) -> dict[str, Any]:
        """Return the keys of an answer that repeat the question."""
        usual = {"hand": self.hand, "sharing": self.sharing, "free": self.policy}
        return usual | self.plain()

    def __str__(self) -> str:
        """The way to the hand, where it is not simply dealt: `7 cards; mulligan london; ...`."""
        said = [f"{self.hand} cards"]
        for name, value in self.plain().items():
            cards = isinstance(value, dict)
            shown = " and ".join(f"{n} {card}" for card, n in value.items()) if cards else value
            said.append(name.replace("_", " ") + ("" if value is True else f" {shown}"))
        return "; ".join(said)

    def checked(self, deck: Deck) -> Question:
        """Return the question; raise ConfigError where it does not suit the deck or itself."""
        for sentence in self._objections(deck):
            raise ConfigError(sentence)
        return self

    def _objections(self, deck: Deck) -> Iterator[str]:
        copies = {card.name: card.copies for card in deck.main}
        for name, _ in (*self.in_hand, *self.seen, *self.bottom):
            known = sum(n for each in (self.in_hand, self.seen, self.bottom)
                        for word, n in each if word == name)  # fmt: skip
            if name not in copies:
                meant = hint(name, copies) or "; name a card as the deck does"
                yield f"no card is called {name!r} in {deck.name or 'the deck'}{meant}"
            elif known > copies[name]:
                yield f"{known} copies of {name!r} are known, and the deck has {copies[name]}"
        held, gone, low = (
            sum(n for _, n in each) for each in (self.in_hand, self.seen, self.bottom)
        )
        there = deck.total - gone
        if held > self.hand:
            yield f"{held} cards are known in a hand of {self.hand}; raise --hand, or leave it out"
        elif self.hand + self.prizes > there - low * (held < self.hand or self.prizes > 0):
            yield f"a hand of {self.hand} cards" + (
                f" and {self.prizes} prizes from {there - low} cards; ask for fewer"
                if self.prizes or low
                else f" from a deck of {there}; ask for 1 to {there}"
            )
        if self.hand + self.prizes + self.draws > there:
            yield (
                f"{self.hand} cards in hand, {self.prizes} prizes and {self.draws} draws, from "
                f"{there} cards; ask for an earlier turn"
            )
        if self.mulligan == "none":
            if self.keep or self.mulligans is not None:
                yield "--keep and --mulligans need --mulligan london, redraw or replace"
        elif self.in_hand or self.bottom:
            yield "a known hand is not mulliganed; leave out --mulligan, or --in-hand and --bottom"
        elif self.mulligan == "replace" and self.mulligans is not None:
            yield "cards are replaced once; leave --mulligans out"
        elif self.mulligan == "redraw" and self.mulligans is None and not self.keep:
            yield 'hands are redrawn without end; add --keep "CONDITION", or --mulligans N'
        elif self.mulligan == "london" and (self.mulligans or 0) >= self.hand:
            yield f"a hand of {self.hand} cards has at most {self.hand - 1} London mulligans"
        asked = [each.condition for each in deck.conditions] + [self.keep, self.given]
        zones = {c.zone for each in asked if each is not None for c in clauses(each)}
        if self.prizes and deck.has_free and self.policy != "never":
            yield "free cards are not played beside prizes; add --free never"
        if "Prizes" in zones and not self.prizes:
            yield "IN Prizes needs the number of prizes; add --prizes 6"
        if self.keep and "Prizes" in {c.zone for c in clauses(self.keep)}:
            yield "prizes are set aside after the hand is kept; leave IN Prizes out of --keep"
        if self.policy == "clairvoyant" and deck.has_free and not self.is_plain:
            yield "clairvoyant play knows no mulligans and no known cards; ask for another --free"


_USUAL = Question()


def asked(
    read: Callable[[Sequence[str]], Deck],
    conditions: Sequence[str],
    hand: int | None,
    start: Mapping[str, Any],
    sharing: str = "distinct",
    policy: str = "optimal",
) -> tuple[Deck, Question]:
    """Return the deck that `read` reads, given more conditions, and a question about it.

    start: those of `SETTINGS` that are given, `TEXTS` as text. They are read as the conditions
    are, so that one name means the same card in all of them. hand: None for what the deck says, or
    is usual in the game of the mulligan.
    """
    deck, settings = settled(read, conditions, start)
    if hand is None:
        hand = _usual_hand(deck, settings)
        if deck.game and not settings.get("in_hand"):
            said = f"as in {deck.game}" if deck.hand else f"which may not be those of {deck.game}"
            note = f"{deck.file}: hands of {hand} cards, {said}; --hand N asks for others"
            deck = evolve(deck, warnings=(*deck.warnings, note))
    return deck, Question(hand, sharing, policy, **settings).checked(deck)


def settled(
    read: Callable[[Sequence[str]], Deck], conditions: Sequence[str], start: Mapping[str, Any]
) -> tuple[Deck, dict[str, Any]]:
    """Return the deck, and the settings that are given with their texts read; see `asked`."""
    settings = {name: value for name, value in start.items() if value not in (None, "")}
    texts = [name for name in TEXTS if name in settings]
    try:
        deck = read((*conditions, *(settings[name] for name in texts)))
    except ConfigError:
        _blame(read, conditions, {name: settings[name] for name in texts})
        raise
    wanted = len(deck.conditions) - len(texts)
    if texts and not wanted:
        read(conditions)  # raises ConfigError with the conditions that the deck may have
    notes = []
    for name, each in zip(texts, deck.conditions[wanted:], strict=True):
        option = _option(name)
        if name in KNOWN:
            settings[name] = known_cards(each.condition, option, deck.main)
            continue
        settings[name] = each.condition
        if parse(each.text, and_first=True) != each.condition:
            notes.append(f"{option}: read from left to right, as {each}; write the brackets")
    warnings = (*deck.warnings, *notes)
    return evolve(deck, conditions=deck.conditions[:wanted], warnings=warnings), settings


def _blame(
    read: Callable[[Sequence[str]], Deck], conditions: Sequence[str], texts: Mapping[str, str]
) -> None:
    """Raise the mistake in one of the texts, if there is one, with the name of its option."""
    for name, text in texts.items():
        try:
            read((*conditions, text))
        except ConfigError as wrong:
            if conditions:
                read(conditions)  # raises ConfigError if the mistake is there
            sentences = (
                each.replace("--condition:", f"{_option(name)}:") for each in wrong.problems
            )
            raise ConfigError(list(sentences)) from wrong


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _usual_hand(deck: Deck, settings: Mapping[str, Any]) -> int:
    mulligan = settings.get("mulligan", "none")
    if mulligan == "replace" and not deck.hand:
        raise ConfigError(
            "cards of a hand of which size are replaced? add --hand 3, or 4 for the second player"
        )
    if settings.get("in_hand"):
        return sum(n for _, n in settings["in_hand"])
    usual = MAGIC if mulligan != "none" or settings.get("prizes") else _USUAL.hand
    return deck.hand or usual


def known_cards(condition: Condition, option: str, cards: Sequence[Card]) -> Known:
    """Read cards from a condition such as `2 Alpha AND Beta`; raise ConfigError for another.

    A tag stands for the one card that has it.

    >>> known_cards(And((Clause("Alpha", 2, ""), Clause("Beta"))), "--seen", [])
    (('Alpha', 2), ('Beta', 1))
    """
    found = []
    for part in condition.parts if isinstance(condition, And) else (condition,):
        if not isinstance(part, Clause) or part.sign == "-" or part.zone != "Hand":
            raise ConfigError(
                f"{option} {str(condition)!r}: list cards, as in '2 Alpha AND Beta'"
            )  # fmt: skip
        names = [card.name for card in cards if card.answers(part.name)]
        if len(names) > 1 and part.name not in names:
            several = ", ".join(map(repr, names[:3]))
            raise ConfigError(f"{option} {part.name!r} is not one card but {several}; name one")
        found.append((names[0] if len(names) == 1 else part.name, part.count))
    return tuple(found)
