"""Words that docs/glossary.md and the field have better ones for stay out of code and docs."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
INSTEAD = {
    "cannot bear": "does not support",
    "takes? no account of": "ignores",
    "how-manieth": "which ... it is, counted from 0",
    "nobody's mistake but": "internal error",
    "carry_on": "run",
    r"\bbindings_of\b": "bindings()",
    r"\bnow_and_then\b": "throttled",
    r"\bleave_out\b": "warn_skipped",
    r"\btranscribed\b": "read_transcript",
    r"draws? no lots": "deterministic",
    r"\b(Desk|HOUSES|Toll|Inquiry|Picks|Casualty)\b": "the term of docs/glossary.md",
    r"\b(journal|befell|the diary|its diary)\b": "in-flight log, event log",
}
IDENTIFIERS = {"told": "what it is: an answer, lines, a message, a problem, a result"}
"""Words that prose may use, but that say nothing of a value."""
FOLDERS = ("dragon", "games", "tournaments", "docs")


@pytest.mark.parametrize("words", INSTEAD)
def test_a_word_is_gone(words: str) -> None:
    files = [
        path
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (".py", ".md", ".js", ".html", ".toml")
    ]
    assert len(files) > 300
    found = [str(path) for path in files if re.search(words, path.read_text(encoding="utf-8"))]
    assert found == [], f"say {INSTEAD[words]!r}"


@pytest.mark.parametrize("word", IDENTIFIERS)
def test_no_value_or_function_has_a_name_that_says_nothing(word: str) -> None:
    texts = {
        path: path.read_text(encoding="utf-8")
        for folder in (*FOLDERS, "tests")
        for path in sorted((ROOT / folder).rglob("*.py"))
    }
    held = {path: text for path, text in texts.items() if re.search(rf"\b{word}\b", text)}
    trees = {path: ast.parse(text) for path, text in held.items()}
    assert len(trees) > 20
    found = [
        f"{path}:{node.lineno}"
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if word in (getattr(node, field, None) for field in ("id", "arg", "attr", "name"))
    ]
    assert found == [], f"say {IDENTIFIERS[word]}"
