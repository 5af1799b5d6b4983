"""The language of conditions: tokens, and recursive descent from left to right.

The grammar, keywords in upper case::

    condition = operand { ("AND" | "OR") operand }      no precedence: left to right
    operand   = "NOT" operand | "(" condition ")" | clause
    clause    = [ quantity ] name [ "IN" zone ]         at least one, in the hand
    quantity  = digits [ "+" | "-" ]                    at least, at most; else exactly
    name      = quoted | word { word }
    quoted    = '"' text '"' | "'" text "'"             a mark within is doubled
    zone      = "Hand" | "Deck" | "GY" | "Banished" | "Extra" | "Prizes"      in any case

A name that begins with a digit needs a quantity before it, or quotation marks. A word is
anything except blanks, brackets, the characters of `ILLEGAL`, and keywords.

>>> str(parse("A OR B AND 2+ C IN deck"))
'(A OR B) AND 2+ C IN Deck'
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import define, frozen

from dragon.errors import ConfigError
from dragon_hands.deck import (
    ILLEGAL,
    KEYWORDS,
    ZONES,
    And,
    Clause,
    Condition,
    Not,
    Or,
    joined,
    quoted,
)

LONGEST = 10_000
"""The most characters of a condition."""
DEEPEST = 50
"""The most levels of brackets."""
MOST = 999
"""The largest quantity: decks have fewer cards."""
_MARKED = r"""("(?:[^"]|"")*"(?![^\s()])|'(?:[^']|'')*'(?![^\s()]))"""
_TOKEN = re.compile(rf"\s*(?:([()])|{_MARKED}|([^\s()]+))")
_QUANTITY = re.compile(r"(\d+)([+-]?)")


@frozen
class Token:
    """A piece of a condition; `at` is the column of its first character, from 1."""

    kind: str
    """The kind: `(`, `)`, `quoted` or `word`; `end` after the last."""
    text: str
    at: int


class Wrong(ConfigError):
    """A condition that cannot be read; the sentence has the place and the remedy."""

    def __init__(self, reason: str, at: int) -> None:
        super().__init__(f"column {at}: {reason}")
        self.reason, self.at = reason, at

    def __reduce__(self) -> tuple[type[Wrong], tuple[str, int]]:  # type: ignore[override]
        return Wrong, (self.reason, self.at)


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a condition, and the end."""
    at = 0
    text = text.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        assert found is not None  # a word matches any other text
        kind = "bracket" if found[1] else "quoted" if found[2] else "word"
        piece = found[1] or found[2] or found[3]
        yield Token(piece if kind == "bracket" else kind, piece, found.end() - len(piece) + 1)
        at = found.end()
    yield Token("end", "the end", len(text) + 1)


def parse(text: str, and_first: bool = False) -> Condition:
    """Return the condition of a text; raise Wrong for one that cannot be read.

    and_first: let AND bind tighter than OR. Files are not read in this way; it
    serves to report where that makes a difference.
    """
    if len(text) > LONGEST:
        raise Wrong(f"{len(text):,} characters; a condition has at most {LONGEST:,}", 1)
    reader = _Reader(tuple(tokens(text)), and_first)
    found = reader.condition(0)
    if reader.here.kind == ")":
        raise Wrong("this ) closes nothing; take it away, or open it before", reader.here.at)
    return found


@define
class _Reader:
    """A recursive descent: each method reads one rule of the grammar."""

    pieces: tuple[Token, ...]
    and_first: bool
    place: int = 0

    @property
    def here(self) -> Token:
        """The next token."""
        return self.pieces[self.place]

    def is_keyword(self, *words: str) -> bool:
        """Return True if one of these keywords is next."""
        return self.here.kind == "word" and self.here.text in words

    def condition(self, depth: int) -> Condition:
        """Read operands with AND and OR between them."""
        read = self.conjunction if self.and_first else self.operand
        found = read(depth)
        while self.is_keyword("AND", "OR"):
            kind = And if self.here.text == "AND" else Or
            self.place += 1
            found = joined(kind, found, read(depth))
        if self.here.kind not in ("end", ")"):
            raise Wrong(
                f"{self.here.text!r} is not allowed here; write AND or OR before it", self.here.at
            )
        return found

    def conjunction(self, depth: int) -> Condition:
        """Read operands with AND between them, where it binds tighter."""
        found = self.operand(depth)
        while self.is_keyword("AND"):
            self.place += 1
            found = joined(And, found, self.operand(depth))
        return found

    def operand(self, depth: int) -> Condition:
        """Read a clause, a condition in brackets, or NOT with its operand."""
        if depth > DEEPEST:
            raise Wrong(f"more than {DEEPEST} levels of brackets; write it flatter", self.here.at)
        if self.is_keyword("NOT"):
            self.place += 1
            return Not(self.operand(depth + 1))
        if self.here.kind != "(":
            return self.clause()
        opened = self.here
        self.place += 1
        found = self.condition(depth + 1)
        if self.here.kind != ")":
            raise Wrong("this ( is never closed; add the ) that is missing", opened.at)
        self.place += 1
        return found

    def clause(self) -> Clause:
        """Read a name with its quantity and zone."""
        count, sign = self.quantity()
        name = self.name()
        zone = self.zone() if self.is_keyword("IN") else "Hand"
        return Clause(name, count, sign, zone)

    def quantity(self) -> tuple[int, str]:
        """Read a number and its sign, and split `2+Dragon` into a quantity and a word."""
        token = self.here
        if token.kind != "word":
            return 1, "+"
        found = _QUANTITY.match(token.text)
        if found is None:
            if token.text[0] in "+-" and token.text[1:2].isdigit():
                sign = f"{token.text[1:]}{token.text[0]}"
                raise Wrong(
                    f"{token.text!r} is not a quantity; the sign comes last, as in {sign}", token.at
                )
            return 1, "+"
        if len(found[1]) > 3 or int(found[1]) > MOST:
            raise Wrong(f"{found[1]} copies; a quantity is at most {MOST}", token.at)
        rest = token.text[found.end() :]
        if not rest:
            self.place += 1
        elif found[2] == "+" and not rest.startswith(("+", "-")):
            glued = Token("word", rest, token.at + found.end())
            self.pieces = (*self.pieces[: self.place], glued, *self.pieces[self.place + 1 :])
        else:
            meant = f"{found[0]} {rest} asks for at most; else " if found[2] == "-" else ""
            raise Wrong(
                f"{token.text!r} begins with a number; {meant}put a quantity before it "
                f"(1+ {token.text}), or the name in quotation marks",
                token.at,
            )
        following = self.here
        if following.kind == "word" and following.text in ("+", "-"):
            raise Wrong(
                f"a blank before {following.text!r}; write {found[1]}{following.text}", following.at
            )
        return int(found[1]), found[2]

    def name(self) -> str:
        """Read a name in quotation marks, or words up to a keyword, a bracket or the end."""
        first = self.here
        if first.kind == "quoted":
            after = self.pieces[self.place + 1]
            if after.kind not in ("word", "quoted") or after.text in KEYWORDS:
                self.place += 1
                mark = first.text[0]
                name = first.text[1:-1].replace(2 * mark, mark)
                if not name.strip():
                    raise Wrong("an empty name; write the card's or the tag's", first.at)
                return name
        words = []
        while self.here.kind in ("word", "quoted") and not self.is_keyword(*KEYWORDS):
            for i, letter in enumerate(self.here.text):
                if letter in ILLEGAL or not letter.isprintable():
                    raise Wrong(
                        f"{letter!r} is not allowed in a name; "
                        f"put the name in quotation marks, as in {quoted('D/D Savant Kepler')}",
                        self.here.at + i,
                    )
            words.append(self.here.text)
            self.place += 1
        if not words:
            raise Wrong(self._nameless(first), first.at)
        return " ".join(words)

    def _nameless(self, token: Token) -> str:
        if token.kind == "end":
            return "the condition ends where a card or tag should be named; name one"
        if token.text == "IN":
            return "IN follows the name of a card or tag; name one before it"
        if token.text in ("AND", "OR"):
            return f"{token.text} needs a condition on both sides; one is missing here"
        return f"{token.text!r} where a card or tag should be named; name one"

    def zone(self) -> str:
        """Read the zone after IN."""
        self.place += 1
        token = self.here
        for zone in ZONES:
            if token.kind == "word" and token.text.lower() == zone.lower():
                self.place += 1
                return zone
        known = ", ".join(ZONES[:-1])
        raise Wrong(
            f"{token.text!r} is not a zone; IN is followed by {known} or {ZONES[-1]}", token.at
        )
