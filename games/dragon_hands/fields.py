"""Keys of a deck file read one at a time: numbers, words and codes, and what was perhaps meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, TypeAlias

from dragon_hands.source import Source, kind_of, line_of, number_of, text_of

if TYPE_CHECKING:
    import yaml

Found: TypeAlias = "dict[str, tuple[int, yaml.Node]]"
"""The keys of a mapping, each with its line and its value."""
LONGEST_NAME = 200
"""Letters of a card's name, or of a tag."""


def unknown_keys(found: Found, known: Sequence[str], what: str, source: Source) -> None:
    """Notes every key that is not a known one."""
    for key, (line, _) in found.items():
        if key not in known:
            shown = key if len(key) <= 40 else f"{key[:40]}..."
            source.wrong(
                line, f"no key {shown!r} in {what}{hint(key, known)} (keys: {', '.join(known)})"
            )


def whole(
    found: Found,
    key: str,
    least: int,
    most: int,
    default: int,
    what: str,
    source: Source,
) -> int:
    """The whole number of a key, `default` where it is absent or wrong; what is wrong is noted."""
    if key not in found:
        return default
    line, node = found[key]
    number = number_of(node)
    if number is None or not least <= number <= most:
        source.wrong(
            line,
            f"{what}: {key} must be a whole number from {least} to {most}, not {kind_of(node)}",
        )
        return default
    return number


def word_of(
    found: Found,
    key: str,
    known: Sequence[str],
    default: str,
    source: Source,
) -> str:
    """The word of a key, one of the known ones; `default` where it is absent or wrong."""
    if key not in found:
        return default
    line, node = found[key]
    text = text_of(node)
    if text not in known:
        source.wrong(line, f"{key} must be {' or '.join(known)}, not {kind_of(node)}")
        return default
    return str(text)


def coded(node: yaml.Node, known: Sequence[str], what: str, source: Source) -> str | None:
    """One of the names, or its number."""
    number = number_of(node)
    if number is not None and 0 <= number < len(known):
        return known[number]
    text = text_of(node)
    if text in known:
        return text
    codes = ", ".join(f"{name} or {code}" for code, name in enumerate(known))
    said = hint(text, known) if text else ""
    source.wrong(line_of(node), f"{what}: {kind_of(node)} is none of {codes}{said}")
    return None


def hint(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` where something known is close, whatever the case."""
    names = list(known)
    folded = {name.lower(): name for name in reversed(names)}
    close = get_close_matches(word[:LONGEST_NAME].lower(), folded, n=1)
    return f"; did you mean {folded[close[0]]!r}?" if close else ""
