"""The language of what is printed for people: English, or Hungarian where that is asked for.

JSON and notation are the same in both. `hungarian.toml` beside this file has every Hungarian word.

>>> with speaking("hu"):
...     tr("{n} units", n=3)
'3 egység'
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.resources import files
from typing import Any

from dragon.errors import BadNotation

LANGUAGES = ("en", "hu")
SPOKEN: ContextVar[str] = ContextVar("the language of Ulti", default="en")
_TABLE = tomllib.loads(files("dragon_ulti").joinpath("hungarian.toml").read_text("utf-8"))
READ: dict[str, Any] = _TABLE["read"]
"""The Hungarian words for suits and ranks that readers understand besides the English ones."""
HUNGARIAN: dict[str, str] = _TABLE["said"] | _TABLE["refused"]
"""The Hungarian of each text that `tr` or `bad_notation` takes."""


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Let `tr` speak this language within."""
    before = SPOKEN.set(language)
    try:
        yield
    finally:
        SPOKEN.reset(before)


def tr(text: str, /, **values: Any) -> str:
    """Return a text in the language that is spoken, with values in the place of its {names}."""
    found = HUNGARIAN.get(text, text) if SPOKEN.get() == "hu" else text
    return found.format(**values) if values else found


def bad_notation(text: str, /, **values: Any) -> BadNotation:
    """Return the error that says this; see `tr`."""
    return BadNotation(tr(text, **values))
