"""The keys of a deck file, read one at a time: numbers, words and codes, with suggestions."""

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
"""The most letters of a card's name, or of a tag."""


@frozen(eq=False)
class Fields:
    """A mapping whose keys are read one at a time; every mistake is noted in its source."""

    what: str
    """The name of the mapping in messages: `free of 'Alpha'`."""
    source: Source
    found: dict[str, tuple[int, yaml.Node]]
    """The keys with their lines and values."""

    @classmethod
    def of(cls, node: yaml.Node, what: str, source: Source) -> Fields:
        """Return the keys of a mapping; note a mistake unless the node is one.

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
        """Return self; note a mistake for each unknown key, or a warning if it is `ignored`."""
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
        """Return True if these keys are there; in a mapping with others, note each that is not."""
        for key in keys:
            if key not in self.found and self.found:
                self.source.wrong(line, f"{self.what} needs {key}; write {remedy}")
        return all(key in self.found for key in keys)

    def line(self, key: str) -> int:
        """Return the line of a key; 1 for one that is absent."""
        return self.found[key][0] if key in self.found else 1

    def given(self, key: str) -> yaml.Node | None:
        """Return the value of a key; None if it is absent or empty."""
        node = self.found[key][1] if key in self.found else None
        return None if node is None or is_nothing(node) else node

    def items(self, key: str) -> Iterator[yaml.Node]:
        """Yield the values of a key that has a list, or its one value."""
        return items(self.found[key][1]) if key in self.found else iter(())

    def wrong(self, key: str, sentence: str) -> None:
        """Note a mistake in the value of a key."""
        self.source.wrong(self.line(key), sentence)

    def whole(self, key: str, least: int, most: int, default: int) -> int:
        """Return the whole number of a key; `default` if it is absent or wrong."""
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
        """Return the word of a key, one of the known ones; `default` if it is absent or wrong."""
        if key not in self.found:
            return default
        node = self.found[key][1]
        text = text_of(node)
        if text in known:
            return str(text)
        self.wrong(key, f"{key} must be {' or '.join(known)}, not {kind_of(node)}")
        return default

    def code(self, key: str, node: yaml.Node, known: Sequence[str]) -> str | None:
        """Read a known name or its number; note anything else, and return None."""
        number, text = number_of(node), text_of(node)
        if number is not None and 0 <= number < len(known):
            return known[number]
        if text in known:
            return text
        codes = ", ".join(f"{name} or {code}" for code, name in enumerate(known))
        meant = hint(text, known) if text else ""
        where = f"{key} of {self.what}"
        self.source.wrong(line_of(node), f"{where}: {kind_of(node)} is not one of {codes}{meant}")
        return None


def hint(word: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'x'?` if a known word is close, in any case, or contains it.

    >>> hint("Ash", ["Effect Veiler", "Ash Blossom & Joyous Spring"])
    "; did you mean 'Ash Blossom & Joyous Spring'?"
    """
    folded = {name.lower(): name for name in reversed(list(known))}
    near = closest(word[:LONGEST_NAME].lower(), folded)
    if near:
        return f"; did you mean {folded[near]!r}?"
    return Names(sorted(folded.values())).match(word).hint
