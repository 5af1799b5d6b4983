"""Bundle: ES modules as one script, for a file that is opened from a disk can import no other.

Each module becomes a function that returns what it exports. Modules are written in one style, which
is all that this reads: imports and exports of names at the beginning of a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./([\w-]+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) (\w+))", re.MULTILINE)
COMMENT = re.compile(r"^ *//.*\n|^ */\*\*(?:[^*]|\*(?!/))*\*/\n| +// [^\"'`\n]*$", re.MULTILINE)
"""Comments that have lines of their own, or stand behind code and quote nothing."""
INDENT = re.compile(r"^\s+", re.MULTILINE)
"""Empty lines, and spaces at the beginning of one, for no text goes over several lines."""

LINE = re.compile(r"^((?:(?!//).)*[;,{])\n", re.MULTILINE)
"""A line that ends where a statement does or may go on, and has no comment behind it."""


def script(files: Iterable[Path]) -> str:
    """The modules of these files as statements, each after those that it imports."""
    return "".join(map(module, files))


def module(file: Path) -> str:
    """A module as the object `$name` of what it exports, or as a block if that is nothing."""
    text = INDENT.sub("", COMMENT.sub("", file.read_text(encoding="utf-8")))
    exported = EXPORT.findall(text)
    text = EXPORT.sub("", text)
    text = IMPORT.sub(lambda i: f"const {i[1].replace(' ', '')} = ${named(i[2])};", text)
    if stray := re.search(r"^(import|export)\b.*", text, re.MULTILINE):
        raise ValueError(f"{file.name}: a bundle cannot hold {stray[0]!r}")
    body = LINE.sub(r"\1", text).strip()
    if not exported:
        return f"{{\n{body}\n}}\n"
    return (
        f"const ${named(file.stem)} = (() => {{\n{body}\nreturn {{{','.join(exported)}}};\n}})();\n"
    )


def named(stem: str) -> str:
    """A file's name as part of an identifier."""
    return stem.replace("-", "_")
