"""A YAML file as nodes with line numbers, read safely: nothing is built, nothing expanded.

Only mappings, lists and plain text come out; a node that is repeated by an alias is the same
object, and a reader that goes to a fixed depth never sees more of it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import field, frozen

from dragon.errors import ConfigError

if TYPE_CHECKING:
    import yaml

LARGEST = 200_000
"""Bytes of a deck file; real ones have a few thousand."""
DEEPEST = 20
"""Lists and mappings within one another; a deck file needs six."""


@frozen(eq=False)
class Source:
    """Where a deck file comes from, for messages, and every mistake found in it so far."""

    name: str
    problems: list[str] = field(factory=list)
    warnings: list[str] = field(factory=list)

    def wrong(self, line: int, sentence: str) -> None:
        """Notes a mistake at a line, from 1."""
        said = f"{self.name}:{line}: {sentence}"
        if said not in self.problems:
            self.problems.append(said)

    def warn(self, line: int, sentence: str) -> None:
        """Notes what is odd at a line and no mistake."""
        self.warnings.append(f"{self.name}:{line}: {sentence}")

    def check(self) -> None:
        """Raises ConfigError with every mistake there is."""
        if self.problems:
            shown = self.problems[:20]
            if len(self.problems) > len(shown):
                shown.append(f"{self.name}: and {len(self.problems) - len(shown)} more mistakes")
            raise ConfigError(shown)


def read(file: str, largest: int = LARGEST, what: str = "a deck file has a few thousand") -> str:
    """The text of a file, or of stdin for `-`; raises ConfigError.

    largest: bytes; no more is read of it. what: how many are usual, for the message.
    """
    name = "stdin" if file == "-" else file
    if file == "-" and sys.stdin is None:
        raise ConfigError("there is no input to read the deck from; standard input is closed")
    try:
        if file == "-":
            data = sys.stdin.buffer.read(largest + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(largest + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(f"cannot read {name}: {reason}") from error
    if len(data) > largest:
        raise ConfigError(f"{name}: more than {largest:,} bytes; {what}; is it the right one?")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ConfigError(
            f"{name}:{line}: not a text file in UTF-8 ({error.reason}); save it as UTF-8"
        ) from error


def compose(text: str, source: Source) -> yaml.Node:
    """The root node of one YAML document; raises ConfigError with line and column."""
    import yaml

    try:
        _measure(text, source)
        root = yaml.compose(text, Loader=_loader())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = 1 if mark is None else min(mark.line, len(text.splitlines()) - 1) + 1
        column = "" if mark is None else f" (column {mark.column + 1})"
        raise ConfigError(
            f"{source.name}:{line}: not YAML: {error.problem or error.context}{column}"
        ) from error
    except yaml.reader.ReaderError as error:
        line = text[: error.position].count("\n") + 1
        raise ConfigError(
            f"{source.name}:{line}: a character that no YAML file has "
            f"({_shown(error.character)}); is it a text file?"
        ) from error
    except UnicodeEncodeError as error:  # half a character, which JSON can bring and files cannot
        line = text[: error.start].count("\n") + 1
        raise ConfigError(
            f"{source.name}:{line}: half of a character (U+{ord(text[error.start]):04X}) without "
            "the other; write it anew"
        ) from error
    except RecursionError as error:
        raise ConfigError(f"{source.name}: too deep; a deck file needs 6 levels") from error
    if root is None:
        raise ConfigError(f"{source.name}:1: there is nothing in it; begin with `deck:`")
    return root


def _loader() -> type[yaml.SafeLoader] | type[yaml.CSafeLoader]:
    """The safe loader, in C where that was built."""
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _shown(character: object) -> str:
    """A character that is refused, which the reader gives as text, bytes or a number."""
    code = character if isinstance(character, int) else ord(str(character)[:1])
    return f"U+{code:04X}"


def _measure(text: str, source: Source) -> None:
    """Raises ConfigError for a document that is too deep; looks at events, builds nothing."""
    import yaml

    depth = 0
    for event in yaml.parse(text, Loader=_loader()):
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
    """The line on which a node begins, from 1."""
    return int(node.start_mark.line) + 1


def kind_of(node: yaml.Node) -> str:
    """What a node is, in words, for messages."""
    import yaml

    if isinstance(node, yaml.MappingNode):
        return "a table of keys"
    if isinstance(node, yaml.SequenceNode):
        return "a list"
    if node.tag.endswith(":null"):
        return "nothing"
    text = str(node.value)
    return repr(text if len(text) <= 40 else f"{text[:40]}...")


def entries(node: yaml.Node, what: str, source: Source) -> dict[str, tuple[int, yaml.Node]]:
    """The keys of a mapping with their lines and values; a mistake unless it is one.

    A key that stands twice is a mistake, which YAML itself would pass over.
    """
    import yaml

    found: dict[str, tuple[int, yaml.Node]] = {}
    if not isinstance(node, yaml.MappingNode):
        source.wrong(line_of(node), f"{what} must be a table of keys, not {kind_of(node)}")
        return found
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            source.wrong(line_of(key), f"{what}: a key must be text, not {kind_of(key)}")
        elif str(key.value) in found:
            first = found[str(key.value)][0]
            source.wrong(
                line_of(key), f"{what}: {key.value!r} stands twice, first on line {first}; keep one"
            )
        else:
            found[str(key.value)] = line_of(key), value
    return found


def items(node: yaml.Node) -> Iterator[yaml.Node]:
    """The nodes of a list; a single value is a list of one, and nothing an empty one."""
    import yaml

    if isinstance(node, yaml.SequenceNode):
        yield from node.value
    elif not is_nothing(node):
        yield node


def is_nothing(node: yaml.Node) -> bool:
    """Whether a node is empty or null."""
    import yaml

    return isinstance(node, yaml.ScalarNode) and str(node.tag).endswith(":null")


def text_of(node: yaml.Node) -> str | None:
    """The text of a scalar as it is written; None for lists, tables and nothing."""
    import yaml

    return str(node.value) if isinstance(node, yaml.ScalarNode) and not is_nothing(node) else None


def number_of(node: yaml.Node) -> int | None:
    """A whole number in decimal digits, unquoted; None for anything else."""
    text = text_of(node)
    if text is None or not str(node.tag).endswith(":int") or len(text) > 12:
        return None
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text.removeprefix("+"))
    if not (digits.isascii() and digits.isdigit()) or (digits[0] == "0" and digits != "0"):
        return None
    return sign * int(digits)


def truth_of(node: yaml.Node) -> bool | None:
    """True or false; None for anything else."""
    text = text_of(node)
    if text is None or not str(node.tag).endswith(":bool"):
        return None
    return text.lower() in ("true", "yes", "on")
