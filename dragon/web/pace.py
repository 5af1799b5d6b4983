"""Pace: of results that come in floods, those that are worth sending; always the last of them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
PAUSE = 0.2
"""Seconds between two looks at an answer that grows."""
BURST, RATE = 40.0, 12.0
"""Results that are passed on at once, and how many a second after those."""


def now_and_then(results: Iterable[T], pause: float = PAUSE) -> Iterator[T]:
    """The first result, then one after each pause, and the last.

    For answers that are dear to make or to show; see `paced` for those that tell a story.
    """
    last, held = -pause, False
    result = None
    for result in results:
        now = time.monotonic()
        held = now < last + pause
        if not held:
            last = now
            yield result
    if held and result is not None:
        yield result


def paced(results: Iterable[T]) -> Iterator[T]:
    """The results, but where they come in floods some of them are left out; never the last."""
    allowed, last, held = BURST, time.monotonic(), None
    for result in results:
        now = time.monotonic()
        allowed, last = min(BURST, allowed + RATE * (now - last)), now
        held = result
        if allowed >= 1:
            allowed -= 1
            held = None
            yield result
    if held is not None:
        yield held
