"""The text of a deck, and whether it is a deck file or a list; lists are read by `decks`.

It is apart from `decks` so that a deck file is read without the forms of lists, which take as long
to load as a small deck to be counted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from dragon.config import read_text
from dragon.errors import ConfigError, did_you_mean

MOST_BYTES = 256 << 10
FORMS = ("ydk", "ydke", "list")
"""The forms in which a deck is written."""
_YAML = re.compile(
    r"""\A\s*\{\s*["']?(?:deck|conditions|extra|side|size|deckName|condition_timing)["']?\s*:"""
    r"""|^[ \t]*(["']?)(?:conditions|deckName|condition_timing)\1[ \t]*:"""
    r"""|^[ \t]*(["']?)qty\2[ \t]*:"""
    r"""|[{,]\s*(["']?)qty\3\s*:"""
    r"""|^(["']?)(?:deck|extra|side)\4[ \t]*:[ \t]*(?:[\[{]"""
    r"""|(?:\#.*)?\n(?:[ \t]*(?:\#.*)?\n)*[ \t]+(?:-\s|[^\s#-][^\n]*:[ \t]*(?:[\[{#\n]|\Z)))""",
    re.MULTILINE,
)
"""The marks of a deck file: braces, a key that lists do not have, copies under a name, or a table
below the name of a section.
"""


def text_of(
    given: str, samples: Sequence[str] | None = None, most: int = MOST_BYTES
) -> tuple[str, str]:
    """Return the text of a file, of a link or code, or of `-`, and its name for messages.

    samples: other words that the caller understands, for suggestions.
    """
    if given != "-" and not exists(given):
        from dragon_cards.codes import LINK, is_code

        if is_code(given) or LINK in given.lower():
            return given, "the link" if LINK in given.lower() else "the text"
        if samples is not None:
            raise ConfigError(
                f"no deck file {given!r:.200}{did_you_mean(given, samples)}; give a .ydk file, a "
                f"list of names, a .yaml file of hands, or a {LINK} link"
            )
    return read_text(given, "a deck", most), "stdin" if given == "-" else given


def exists(name: str) -> bool:
    """Return True if there is a file of that name; the name may be an impossible one."""
    try:
        return bool(name) and Path(name).exists()
    except (OSError, ValueError):
        return False


def is_deck_file(text: str) -> bool:
    """Return True for a YAML file of hands, and False for a list.

    >>> is_deck_file("deck:\\n  Alpha: {qty: 3}"), is_deck_file("deck:\\n3 Alpha")
    (True, False)
    """
    return _YAML.search(text) is not None
