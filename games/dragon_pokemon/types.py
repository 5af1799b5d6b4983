"""A Pokémon's types as bits: one or two of eighteen, in the order of their names.

The first name has the highest bit, as in the program that this plugin follows: Bug is 1 << 17,
Water is 1. Codes sort as names do: by the higher bit, then by the lower one; a single type comes
before its combinations.
"""

from __future__ import annotations

from functools import total_ordering

from attrs import frozen

from dragon.errors import ConfigError, did_you_mean

NAMES = (
    "Bug", "Dark", "Dragon", "Electric", "Fairy", "Fighting", "Fire", "Flying", "Ghost",
    "Grass", "Ground", "Ice", "Normal", "Poison", "Psychic", "Rock", "Steel", "Water",
)  # fmt: skip
"""All types, sorted. Stellar, which no chart has, is left out."""
BIT = {name: 1 << (len(NAMES) - 1 - i) for i, name in enumerate(NAMES)}


@total_ordering
@frozen(order=False)
class Types:
    """One type or two.

    >>> Types.read("water/bug"), Types.read("Bug") < Types.read("Bug-Water")
    (Types('Bug-Water'), True)
    """

    code: int
    """One or two bits of 18."""

    @classmethod
    def read(cls, text: str) -> Types:
        """Read a name, or two joined by - or / in any order; raise ConfigError."""
        words = [word.strip() for word in text.replace("/", "-").split("-")]
        names = [by_name(word) for word in words]
        if len(names) > 2 or len(set(names)) < len(names):
            raise ConfigError(
                f"{text!r} is not a combination of types; write one, or two different ones"
            )
        return cls(sum(BIT[name] for name in names))

    @property
    def names(self) -> tuple[str, ...]:
        """The one or two names, sorted."""
        return tuple(name for name, bit in BIT.items() if self.code & bit)

    def __str__(self) -> str:
        return "-".join(self.names)

    def __repr__(self) -> str:
        return f"Types({str(self)!r})"

    def __lt__(self, other: Types) -> bool:
        return sort_key(self.code) < sort_key(other.code)


def sort_key(code: int) -> tuple[int, int]:
    """Return the sort key of a code: the place of the first type, then that of the second."""
    return -code.bit_length(), -(code & -code).bit_length()


def by_name(word: str) -> str:
    """Return the type of that name, in any case; raise ConfigError with a suggestion."""
    name = word.capitalize()
    if name in BIT:
        return name
    hint = did_you_mean(name, NAMES) or f" (types: {', '.join(NAMES)})"
    raise ConfigError(f"no type is called {word!r}{hint}")
