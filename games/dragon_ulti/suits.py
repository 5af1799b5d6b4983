"""The signs of suits at a terminal: German ones where its font is likely to have them."""

from __future__ import annotations

import os
import re
import sys
from contextvars import ContextVar

import click

from dragon_ulti.cards import GERMAN, RANKS, SYMBOLS

DRAWN: ContextVar[str] = ContextVar("the suits of Ulti", default="auto")
"""auto, german or french."""
ABLE = ("TERM_PROGRAM", "WT_SESSION", "VTE_VERSION", "KONSOLE_VERSION", "KITTY_WINDOW_ID")
"""Variables of terminals that take signs from another font where their own has none."""
COLOURS = dict(zip(SYMBOLS, ("red", "green", "yellow", "bright_yellow"), strict=True))
"""Hearts are red, leaves green, acorns brown, which terminals call yellow, and bells golden."""
CARDS = re.compile(rf"([{SYMBOLS}])((?: ?[{RANKS}](?!\w))*)")
"""A suit and the ranks that follow it, each with a space before it or without."""


def painted(text: str) -> str:
    """Return a text with its cards in the colours of their suits, for a terminal."""
    return CARDS.sub(lambda found: click.style(found[0], fg=COLOURS[found[1]], bold=True), text)


def german() -> bool:
    """Return True if suits are to have German signs."""
    if DRAWN.get() != "auto":
        return DRAWN.get() == "german"
    plain = sys.stdout is None or not sys.stdout.isatty()
    return not plain and sys.stdout.encoding.lower() == "utf-8" and any(map(os.environ.get, ABLE))


def with_german(text: str) -> str:
    """Return a text with German signs for French ones; gaps shrink, since the signs are wider.

    >>> with_german("♠A   1")
    '🍃A  1'
    """
    return "\n".join(map(_line, text.split("\n")))


def _line(line: str) -> str:
    wider, found = 0, ""
    for part in re.findall(r"  +|[^ ]| ", line):
        if len(part) > 2:
            kept = max(2, len(part) - wider)
            wider -= len(part) - kept
            part = part[:kept]
        sign = GERMAN[SYMBOLS.index(part)] if part in SYMBOLS else part
        wider += sign != part
        found += sign
    return found
