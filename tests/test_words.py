"""Words that docs/glossary.md and the field have better ones for stay out of code and docs."""

from __future__ import annotations

import ast
import re
from functools import cache
from itertools import pairwise
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
    r"\btranscribed\b": "read_transcripts",
    r"draws? no lots": "deterministic",
    r"\b(Desk|HOUSES|Toll|Inquiry|Picks|Casualty)\b": "the term of docs/glossary.md",
    r"\b(journal|befell|the diary|its diary)\b": "in-flight log, event log",
}
IDENTIFIERS = {"told": "what it is: an answer, lines, a message, a problem, a result"}
"""Words that prose may use, but that say nothing of a value."""
FOLDERS = ("dragon", "games", "tournaments", "docs")


@cache
def texts() -> dict[Path, str]:
    """The files of `FOLDERS`, which are read once for all words."""
    return {
        path: path.read_text(encoding="utf-8")
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (".py", ".md", ".js", ".html", ".toml")
    }


@pytest.mark.samples(3)
@pytest.mark.parametrize("words", INSTEAD)
def test_a_word_is_gone(words: str) -> None:
    assert len(texts()) > 300
    found = [str(path) for path, text in texts().items() if re.search(words, text)]
    assert found == [], f"say {INSTEAD[words]!r}"


@pytest.mark.full
@pytest.mark.parametrize("word", IDENTIFIERS)
def test_no_value_or_function_has_a_name_that_says_nothing(word: str) -> None:
    modules = {path: text for path, text in texts().items() if path.suffix == ".py"}
    for path in sorted((ROOT / "tests").rglob("*.py")):
        modules[path] = path.read_text(encoding="utf-8")
    held = {path: text for path, text in modules.items() if re.search(rf"\b{word}\b", text)}
    trees = {path: ast.parse(text) for path, text in held.items()}
    assert len(trees) > 20
    found = [
        f"{path}:{node.lineno}"
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if word in vars(node).values()  # which is quick, and true of the texts in code, too
        and word in (getattr(node, field, None) for field in ("id", "arg", "attr", "name"))
    ]
    assert found == [], f"say {IDENTIFIERS[word]}"


BEGINNINGS = re.compile(
    r"(What|Whether|How|Of|Who|Whose|Where|When|Which|Only|From|The same|So many|As|In how many"
    r"|Asks|Begins|Drops|Ends|Finds|Gives|Holds|Keeps|Lays|Makes|Passes|Puts|Raises|Reads|Returns"
    r"|Says|Sets|Shows|Takes|Tells|Tries|Waits|Writes|Yields)\b"
)
"""Words with which no docstring begins: a reader expects a verb in the imperative or a noun."""
PLAIN = re.compile(
    r"\b(?i:upon|(?:after|least|most) so many)\b"
    r"|\b(?i:whoever|somebody|anybody|anew|lest|but for)\b|\b[Nn]obody\b"
    r"|(?i:(?<!there )\bis no\b(?! (?:longer|more|less|better|worse|stronger)\b))"
    r"|\b(?i:has|have) not\b(?! (?:\w+(?:ed|en)|been|begun|come|done|gone|had|left|lost|made|met"
    r"|run|sat|set|won)\b)"
)
"""Words that a reader whose first language is another one stumbles over."""


def docstrings(sources: dict[Path, str]) -> list[tuple[str, str]]:
    """The docstrings of modules, classes and functions, with their places."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return [
        (f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}", text)
        for path, source in sources.items()
        for node in ast.walk(ast.parse(source))
        if isinstance(node, kinds) and (text := ast.get_docstring(node))
    ]


@pytest.mark.samples("folders2-100")
@pytest.mark.parametrize(
    ("folders", "least"), [(FOLDERS[:3], 5000), (["tests"], 1000), (["docs"], 100)]
)
def test_docstrings_begin_with_a_verb_or_a_noun(folders: list[str], least: int) -> None:
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    found = docstrings({path: path.read_text(encoding="utf-8") for path in paths})
    assert len(found) > least
    assert [where for where, text in found if BEGINNINGS.match(text)] == []


@pytest.mark.full
def test_docstrings_and_messages_are_in_plain_english() -> None:
    """Scripts of pages, and tournament files, are held too."""
    found = [
        f"{path.relative_to(ROOT)}: {' '.join(match.group().split())}"
        for path, source in texts().items()
        if path.suffix != ".md" and "docs" not in path.relative_to(ROOT).parts[:1]
        for match in PLAIN.finditer(source)
    ]
    assert found == []


@pytest.mark.full
def test_docstrings_say_does_not_have() -> None:
    lacks = re.compile(r"\b[Hh](?:as|ave)\s+no\b(?!\s+(?:longer|more)\b)")
    sources = [(p, s) for p, s in texts().items() if p.suffix == ".py" and "docs" not in p.parts]
    found = [
        f"{path.relative_to(ROOT)}:{each.lineno}: {match.group()}"
        for path, source in sources
        for each in ast.walk(ast.parse(source))
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
        for match in lacks.finditer(str(each.value.value))
    ]
    assert found == []


@pytest.mark.full
def test_docstrings_of_tests_are_in_plain_english() -> None:
    paths = sorted((ROOT / "tests").rglob("*.py"))
    found = docstrings({path: path.read_text(encoding="utf-8") for path in paths})
    assert len(found) > 1000
    assert [where for where, text in found if PLAIN.search(" ".join(text.split()))] == []


def test_pages_are_in_plain_english() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    texts = {page.name: " ".join(page.read_text(encoding="utf-8").split()) for page in pages}
    assert len(texts) > 40
    found = [f"{name}: {m.group()}" for name, text in texts.items() for m in PLAIN.finditer(text)]
    assert found == []


ATTRIBUTE = re.compile(
    r"(What|Whether|How|Of|Who|Whose|Where|When|Which|Only|From|The same|So many|As)\b"
)
"""Words with which the text under a constant or a field does not begin, either."""


@pytest.mark.full
def test_texts_of_attributes_begin_with_a_noun() -> None:
    found, seen = [], 0
    for path, source in texts().items():
        if path.suffix != ".py" or "docs" in path.relative_to(ROOT).parts[:1]:
            continue
        for node in ast.walk(ast.parse(source)):
            for before, each in pairwise(
                body if isinstance(body := getattr(node, "body", ()), list) else ()
            ):
                match before, each:
                    case ast.Assign() | ast.AnnAssign(), ast.Expr(ast.Constant(str(text))):
                        seen += 1
                        if ATTRIBUTE.match(text):
                            found.append(f"{path.relative_to(ROOT)}:{each.lineno}: {text[:60]}")
    assert seen > 1000
    assert found == []


@pytest.mark.parametrize(
    "text",
    ["Whether it holds.", "The same as text.", "What it is.", "As many as fit.", "Gives it."],
)
def test_a_docstring_that_begins_otherwise_is_found(text: str) -> None:
    assert BEGINNINGS.match(text)


@pytest.mark.parametrize(
    "text",
    [
        "whoever asks",
        "it is\nno item",
        "begin Anew",
        "lest it fail",
        "all but for one",
        "has not a\nname",
    ],
)
def test_words_that_are_not_plain_are_found(text: str) -> None:
    assert PLAIN.search(" ".join(text.split()))
    assert not PLAIN.search("there is no item; it is no longer there, and has not ended")


IN_FULL = (
    "null move", "null window", "stand pat", "late move reduction", "aspiration window",
    "hash move", "lazy generator", "futility margin", "principal variation", "perfect recall",
    "information set", "win distance", "killer move", "history heuristic", "iterative deepening",
    "transposition table", "quiescence search", "principal variation search", "virtual loss",
    "first-play urgency", "progressive bias", "proof number", "nested rollout",
    "counterfactual regret", "determinization", "dancing links", "retrograde analysis",
    "endgame table", "double dummy", "hypergeometric", "round robin",
)  # fmt: skip
"""The names of the literature, by which a reader searches."""


@pytest.mark.parametrize("name", IN_FULL)
def test_a_name_of_the_literature_stands_in_full_in_the_code(name: str) -> None:
    found = re.compile(name.replace(" ", "[\\s-]+"), re.IGNORECASE)
    assert any(found.search(text) for path, text in texts().items() if path.suffix == ".py")
