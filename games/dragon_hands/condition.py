"""Conditions as values: a clause asks for copies of a name in a zone; AND, OR and NOT join them.

>>> str(And((Or((Clause("Alpha"), Clause("Beta"))), Clause("Dragon", 2, "+"))))
'(Alpha OR Beta) AND 2+ Dragon'
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from attrs import field, frozen, validators

ZONES = ("Hand", "Deck", "GY", "Banished", "Extra")
"""The places where cards can be."""
KEYWORDS = ("AND", "OR", "IN", "NOT")
ILLEGAL = "@#$%^*()[]{}<>/\\|+="
"""The characters that a name without quotation marks cannot contain."""


@frozen
class Clause:
    """At least (`+`), at most (`-`) or exactly (no sign) `count` cards of a name in a zone."""

    name: str
    """The name of a card, or of a tag that cards carry."""
    count: int = field(default=1, validator=validators.ge(0))
    sign: str = field(default="+", validator=validators.in_(("+", "-", "")))
    zone: str = field(default="Hand", validator=validators.in_(ZONES))

    def __str__(self) -> str:
        name = quoted(self.name) if needs_quotes(self.name) else self.name
        plain = (self.count, self.sign) == (1, "+") and not self.name[:1].isdigit()
        quantity = "" if plain else f"{self.count}{self.sign} "
        return f"{quantity}{name}{'' if self.zone == 'Hand' else f' IN {self.zone}'}"


@frozen
class _Joined:
    parts: tuple[Condition, ...]

    def __str__(self) -> str:
        return f" {type(self).__name__.upper()} ".join(map(_within, self.parts))


@frozen
class And(_Joined):
    """All of the parts; under `distinct` sharing each with cards of its own."""


@frozen
class Or(_Joined):
    """One of the parts, or more."""


@frozen
class Not:
    """The negation of a part, which is tested by itself and needs no cards."""

    part: Condition

    def __str__(self) -> str:
        return f"NOT {_within(self.part)}"


Condition: TypeAlias = Clause | And | Or | Not


def _within(part: Condition) -> str:
    """Return the text of a part among others, in brackets if it needs them."""
    return f"({part})" if isinstance(part, And | Or) else str(part)


def joined(kind: type[And] | type[Or], left: Condition, right: Condition) -> Condition:
    """Return `left AND right` or `left OR right`, as one list if left is of the same kind."""
    head = left.parts if isinstance(left, kind) else (left,)
    return kind((*head, right))


def clauses(condition: Condition) -> Iterator[Clause]:
    """Yield every clause from left to right."""
    if isinstance(condition, Clause):
        yield condition
    else:
        for part in (condition.part,) if isinstance(condition, Not) else condition.parts:
            yield from clauses(part)


def denies(condition: Condition) -> bool:
    """Return True if the condition contains a NOT."""
    if isinstance(condition, And | Or):
        return any(map(denies, condition.parts))
    return isinstance(condition, Not)


def needs_quotes(name: str) -> bool:
    """Return True if a name without quotation marks would be read as something else."""
    words = name.split(" ")
    return (
        not all(words)
        or " ".join(name.split()) != name
        or any(word in KEYWORDS for word in words)
        or bool(re.search(rf"[{re.escape(ILLEGAL)}]", name))
        or name[0] == "-"
        or any(word[0] in "\"'" for word in words)
    )


def quoted(name: str) -> str:
    """Return a name in quotation marks; a mark within is doubled."""
    mark = "'" if '"' in name and "'" not in name else '"'
    return f"{mark}{name.replace(mark, 2 * mark)}{mark}"
