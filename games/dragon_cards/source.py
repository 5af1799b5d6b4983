"""A deck file in YAML as tables that know their lines, and the mistakes that are found in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

import yaml
from attrs import field, frozen

from dragon.config import LinedTable, shown
from dragon.errors import ConfigError, quoted

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The safe loader, in C where that was built."""
DEEPEST = 20
"""The most levels of lists and mappings; a deck file needs six."""


Wrong: TypeAlias = Callable[[int, str], None]
"""A function that notes a mistake: its line, from 1, and a sentence."""


class Text(str):
    """A text in a list, as it is written, with its line."""

    line = 0


@frozen(eq=False)
class Mistakes:
    """Everything that is wrong or odd in a file, each sentence with its place."""

    file: str
    problems: list[str] = field(factory=list)
    warnings: list[str] = field(factory=list)

    def place(self, line: int) -> str:
        """Return a place for messages; line 0 is a condition given on the command line."""
        return f"{self.file}:{line}" if line else "--condition"

    def wrong(self, line: int, sentence: str) -> None:
        """Note a mistake at a line, from 1; 0 as in `place`."""
        self.add(f"{self.place(line)}: {sentence}")

    def add(self, *problems: str) -> None:
        """Note mistakes that have their places, each once."""
        self.problems.extend(each for each in problems if each not in self.problems)

    def warn(self, line: int, sentence: str) -> None:
        """Note something odd that is not a mistake."""
        self.warnings.append(f"{self.place(line)}: {sentence}")

    def check(self) -> None:
        """Raise ConfigError with all mistakes, if there are any."""
        if self.problems:
            sentences = self.problems[:20]
            if len(self.problems) > len(sentences):
                sentences.append(
                    f"{self.file}: and {len(self.problems) - len(sentences)} more mistakes"
                )
            raise ConfigError(sentences)


def tables(text: str, file: str, wrong: Wrong) -> LinedTable:
    """Return one YAML document as tables; raise ConfigError with line and column.

    Only mappings, lists and scalars are read, by the safe loader: nothing else is built. What an
    alias repeats is one object, so that a document is never larger than its text. A key that occurs
    twice is reported to `wrong`, and the first counts.
    """
    try:
        _measure(text, file)
        node = yaml.compose(text, Loader=LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = 1 if mark is None else min(mark.line, len(text.splitlines()) - 1) + 1
        column = "" if mark is None else f" (column {mark.column + 1})"
        raise ConfigError(
            f"{file}:{line}: not YAML: {error.problem or error.context}{column}"
        ) from error
    except yaml.reader.ReaderError as error:
        line, found = text[: error.position].count("\n") + 1, error.character
        code = found if isinstance(found, int) else ord(str(found)[:1])
        raise ConfigError(
            f"{file}:{line}: a character that YAML does not allow (U+{code:04X}); "
            "is it a text file?"
        ) from error
    except UnicodeEncodeError as error:  # half a character, which JSON can bring and files cannot
        line = text[: error.start].count("\n") + 1
        raise ConfigError(
            f"{file}:{line}: half of a character (U+{ord(text[error.start]):04X}) without "
            "the other; write it again"
        ) from error
    except RecursionError as error:
        raise ConfigError(f"{file}: too deep; a deck file needs 6 levels") from error
    if node is None:
        raise ConfigError(
            f"{file}:1: there is nothing in it; give a deck list, or begin with `deck:`"
        )
    made = _value(node, "", file, wrong, {})
    if not isinstance(made, LinedTable):
        raise ConfigError(f"{file}:1: the file must be a table of keys, not {shown(made)}")
    return made


def _measure(text: str, file: str) -> None:
    """Raise ConfigError for a document that is too deep, by its events, before nodes are built."""
    depth = 0
    for event in yaml.parse(text, Loader=LOADER):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > DEEPEST:
            line = 1 if event.start_mark is None else event.start_mark.line + 1
            raise ConfigError(f"{file}:{line}: more than {DEEPEST} levels; a deck file needs 6")


def _value(node: yaml.Node, key: str, file: str, wrong: Wrong, known: dict[int, Any]) -> Any:
    """Return the value of a node; `known` has the lists and tables made so far, by node."""
    if id(node) in known:
        return known[id(node)]
    line = int(node.start_mark.line) + 1
    if isinstance(node, yaml.MappingNode):
        table = known[id(node)] = LinedTable(file, line)
        for named, value in node.value:
            line = int(named.start_mark.line) + 1
            if not isinstance(named, yaml.ScalarNode):
                wrong(line, "a key must be text; write it without brackets")
            elif (name := str(named.value)) in table:  # which YAML itself would pass over
                first = f"first on line {table.lines[name]}"
                wrong(line, f"{quoted(name)} occurs twice, {first}; keep one")
            else:
                table.lines[name] = line
                table[name] = _value(value, name, file, wrong, known)
        return table
    if isinstance(node, yaml.SequenceNode):
        items = known[id(node)] = []
        items.extend(_item(each, file, wrong, known) for each in node.value)
        return items
    text, tag = str(node.value), str(node.tag).rpartition(":")[2]
    if tag == "null":
        return None
    if key in ("conditions", "tags", "deckName"):  # names and conditions are text as written
        return _item(node, file, wrong, known)
    if tag == "int" and re.fullmatch(r"[-+]?(0|[1-9][0-9]{,11})", text, re.ASCII):
        return int(text)
    if tag == "bool":
        return text.lower() in ("true", "yes", "on")
    return float(text) if tag == "float" and re.fullmatch(r"[-+]?[0-9.]+", text) else text


def _item(node: yaml.Node, file: str, wrong: Wrong, known: dict[int, Any]) -> Any:
    """Return an item of a list: a text as it is written, or what is in its place."""
    if not isinstance(node, yaml.ScalarNode) or str(node.tag).endswith(":null"):
        return _value(node, "", file, wrong, known)
    text = Text(node.value)
    text.line = int(node.start_mark.line) + 1
    return text


def listed(value: Any) -> list[Any]:
    """Return a list; a single value counts as a list of one, nothing as an empty one."""
    return value if isinstance(value, list) else [] if value is None else [value]
