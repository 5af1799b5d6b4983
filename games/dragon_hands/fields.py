"""Keys of a deck file read one at a time: numbers, words and codes, and what was perhaps meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import yaml
from attrs import frozen

from dragon.errors import closest, quoted
from dragon_cards.names import Names
from dragon_hands.source import (
    Source,
    is_nothing,
    items,
    kind_of,
    line_of,
    number_of,
    shortened,
    text_of,
)

LONGEST_NAME = 200
"""Letters of a card's name, or of a tag."""


@frozen(eq=False)
class Fields:
    """A mapping whose keys are read one at a time; every mistake is noted in its source."""

    what: str
    """For messages: `free of 'Alpha'`."""
    source: Source
    found: dict[str, tuple[int, yaml.Node]]
    """The keys with their lines and values."""

    @classmethod
    def of(cls, node: yaml.Node, what: str, source: Source) -> Fields:
        """The keys of a mapping; a mistake unless it is one.

        A key that stands twice is a mistake, which YAML itself would pass over.
        """
        found: dict[str, tuple[int, yaml.Node]] = {}
        if not isinstance(node, yaml.MappingNode):
            source.wrong(line_of(node), f"{what} must be a table of keys, not {kind_of(node)}")
            return cls(what, source, found)
        for key, value in node.value:
            line = line_of(key)
            if not isinstance(key, yaml.ScalarNode):
                source.wrong(line, f"{what}: a key must be text, not {kind_of(key)}")
            elif (name := str(key.value)) in found:
                first = f"first on line {found[name][0]}"
                source.wrong(line, f"{what}: {quoted(name)} stands twice, {first}; keep one")
            else:
                found[name] = line, value
        return cls(what, source, found)

    def only(self, known: Sequence[str], ignored: bool = False) -> Fields:
        """The same; keys that are not known ones are mistakes, or are `ignored` with a warning."""
        note, end = (self.source.warn, "; ignored") if ignored else (self.source.wrong, "")
        for key, (line, _) in self.found.items():
            if key not in known:
                note(
                    line,
                    f"no key {shortened(key, 40)!r} in {self.what}{hint(key, known)} "
                    f"(keys: {', '.join(known)}){end}",
                )
        return self

    def need(self, line: int, remedy: str, *keys: str) -> bool:
        """Whether these keys are there; of a mapping that has others, each that is not is noted."""
        for key in keys:
            if key not in self.found and self.found:
                self.source.wrong(line, f"{self.what} has no {key}; write {remedy}")
        return all(key in self.found for key in keys)

    def line(self, key: str) -> int:
        """Where a key stands; 1 where it does not."""
        return self.found[key][0] if key in self.found else 1

    def given(self, key: str) -> yaml.Node | None:
        """The value of a key; None where it is absent or empty."""
        node = self.found[key][1] if key in self.found else None
        return None if node is None or is_nothing(node) else node

    def items(self, key: str) -> Iterator[yaml.Node]:
        """The values of a key that has a list, or one value."""
        return items(self.found[key][1]) if key in self.found else iter(())

    def wrong(self, key: str, sentence: str) -> None:
        """Notes a mistake in the value of a key."""
        self.source.wrong(self.line(key), sentence)

    def whole(self, key: str, least: int, most: int, default: int) -> int:
        """The whole number of a key; `default` where it is absent or wrong."""
        if key not in self.found:
            return default
        node = self.found[key][1]
        number = number_of(node)
        if number is not None and least <= number <= most:
            return number
        bounds = f"from {least} to {most}, not {kind_of(node)}"
        self.wrong(key, f"{self.what}: {key} must be a whole number {bounds}")
        return default

    def word(self, key: str, known: Sequence[str], default: str) -> str:
        """The word of a key, one of the known ones; `default` where it is absent or wrong."""
        if key not in self.found:
            return default
        node = self.found[key][1]
        text = text_of(node)
        if text in known:
            return str(text)
        self.wrong(key, f"{key} must be {' or '.join(known)}, not {kind_of(node)}")
        return default

    def code(self, key: str, node: yaml.Node, known: Sequence[str]) -> str | None:
        """One of the names, or its number; None where it is neither, which is noted."""
        number, text = number_of(node), text_of(node)
        if number is not None and 0 <= number < len(known):
            return known[number]
        if text in known:
            return text
        codes = ", ".join(f"{name} or {code}" for code, name in enumerate(known))
        meant = hint(text, known) if text else ""
        where = f"{key} of {self.what}"
        self.source.wrong(line_of(node), f"{where}: {kind_of(node)} is none of {codes}{meant}")
        return None


def hint(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` where something known is close, whatever the case, or has it as a part.

    >>> hint("Ash", ["Effect Veiler", "Ash Blossom & Joyous Spring"])
    "; did you mean 'Ash Blossom & Joyous Spring'?"
    """
    folded = {name.lower(): name for name in reversed(list(known))}
    near = closest(word[:LONGEST_NAME].lower(), folded)
    if near:
        return f"; did you mean {folded[near]!r}?"
    return Names(sorted(folded.values())).match(word).hint
