"""A YAML file as nodes with line numbers, read safely, and its keys, read one at a time.

Nodes are mappings, lists and plain text only; a node that is repeated by an alias is the same
object, and a reader that goes to a fixed depth never sees more of it: nothing is
built, nothing expanded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import yaml
from attrs import field, frozen

from dragon.errors import ConfigError, closest, quoted
from dragon_cards.names import Names

LARGEST = 200_000
"""The most bytes of a deck file; real ones have a few thousand."""
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The safe loader, in C where that was built."""
DEEPEST = 20
"""The most levels of lists and mappings; a deck file needs six."""


def place(name: str, line: int) -> str:
    """Return a place for messages; line 0 is a condition given on the command line."""
    return f"{name}:{line}" if line else "--condition"


@frozen(eq=False)
class Source:
    """The name of a deck file, for messages, and every mistake found in it so far."""

    name: str
    problems: list[str] = field(factory=list)
    warnings: list[str] = field(factory=list)

    def wrong(self, line: int, sentence: str) -> None:
        """Note a mistake at a line, from 1; 0 as in `place`."""
        said = f"{place(self.name, line)}: {sentence}"
        if said not in self.problems:
            self.problems.append(said)

    def warn(self, line: int, sentence: str) -> None:
        """Note a warning at a line: something odd that is not a mistake."""
        self.warnings.append(f"{place(self.name, line)}: {sentence}")

    def check(self) -> None:
        """Raise ConfigError with all mistakes, if there are any."""
        if self.problems:
            shown = self.problems[:20]
            if len(self.problems) > len(shown):
                shown.append(f"{self.name}: and {len(self.problems) - len(shown)} more mistakes")
            raise ConfigError(shown)


def compose(text: str, source: Source) -> yaml.Node:
    """Return the root node of one YAML document; raise ConfigError with line and column."""
    try:
        _measure(text, source)
        root = yaml.compose(text, Loader=LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = 1 if mark is None else min(mark.line, len(text.splitlines()) - 1) + 1
        column = "" if mark is None else f" (column {mark.column + 1})"
        raise ConfigError(
            f"{source.name}:{line}: not YAML: {error.problem or error.context}{column}"
        ) from error
    except yaml.reader.ReaderError as error:
        line, found = text[: error.position].count("\n") + 1, error.character
        code = found if isinstance(found, int) else ord(str(found)[:1])
        raise ConfigError(
            f"{source.name}:{line}: a character that YAML does not allow (U+{code:04X}); "
            "is it a text file?"
        ) from error
    except UnicodeEncodeError as error:  # half a character, which JSON can bring and files cannot
        line = text[: error.start].count("\n") + 1
        raise ConfigError(
            f"{source.name}:{line}: half of a character (U+{ord(text[error.start]):04X}) without "
            "the other; write it again"
        ) from error
    except RecursionError as error:
        raise ConfigError(f"{source.name}: too deep; a deck file needs 6 levels") from error
    if root is None:
        raise ConfigError(
            f"{source.name}:1: there is nothing in it; give a deck list, or begin with `deck:`"
        )
    return root


def _measure(text: str, source: Source) -> None:
    """Raise ConfigError for a document that is too deep, by its events, before nodes are built."""
    depth = 0
    for event in yaml.parse(text, Loader=LOADER):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > DEEPEST:
            line = 1 if event.start_mark is None else event.start_mark.line + 1
            raise ConfigError(
                f"{source.name}:{line}: more than {DEEPEST} levels; a deck file needs 6"
            )


def line_of(node: yaml.Node) -> int:
    """Return the line on which a node begins, from 1."""
    return int(node.start_mark.line) + 1


def kind_of(node: yaml.Node) -> str:
    """Return the kind of a node, in words, for messages."""
    if isinstance(node, yaml.MappingNode):
        return "a table of keys"
    if isinstance(node, yaml.SequenceNode):
        return "a list"
    if node.tag.endswith(":null"):
        return "nothing"
    return repr(shortened(str(node.value), 40))


def shortened(text: str, most: int) -> str:
    """Return a text of at most `most` letters, with dots for the others."""
    return text if len(text) <= most else f"{text[:most]}..."


def items(node: yaml.Node) -> Iterator[yaml.Node]:
    """Yield the nodes of a list; a single value counts as a list of one, null as an empty one."""
    if isinstance(node, yaml.SequenceNode):
        yield from node.value
    elif not is_nothing(node):
        yield node


def is_nothing(node: yaml.Node) -> bool:
    """Return True if a node is empty or null."""
    return isinstance(node, yaml.ScalarNode) and str(node.tag).endswith(":null")


def text_of(node: yaml.Node) -> str | None:
    """Return the text of a scalar as it is written; None for lists, tables and null."""
    return str(node.value) if isinstance(node, yaml.ScalarNode) and not is_nothing(node) else None


def number_of(node: yaml.Node) -> int | None:
    """Return a whole number in decimal digits, unquoted; None for other nodes."""
    text = text_of(node)
    if text is None or not str(node.tag).endswith(":int") or len(text) > 12:
        return None
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text.removeprefix("+"))
    if not (digits.isascii() and digits.isdigit()) or (digits[0] == "0" and digits != "0"):
        return None
    return sign * int(digits)


def truth_of(node: yaml.Node) -> bool | None:
    """Return the value of true or false; None for other nodes."""
    text = text_of(node)
    if text is None or not str(node.tag).endswith(":bool"):
        return None
    return text.lower() in ("true", "yes", "on")


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
