"""A YAML file as nodes with line numbers, read safely: nothing is built, nothing expanded.

Nodes are mappings, lists and plain text only; a node that is repeated by an alias is the same
object, and a reader that goes to a fixed depth never sees more of it.
"""

from __future__ import annotations

from collections.abc import Iterator

import yaml
from attrs import field, frozen

from dragon.errors import ConfigError

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
