"""Throttle: of results that come in floods, those worth sending; always the last of them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
PAUSE = 0.2
"""Seconds between two looks at an answer that grows."""


def throttled(results: Iterable[T], pause: float = PAUSE, burst: int = 1) -> Iterator[T]:
    """The first results, `burst` at most, then one after each pause; and the last.

    pause: in seconds. Many results at once are for answers that tell a story, one for those that
    are dear to make or to show.
    """
    allowed, last, held = float(burst), time.monotonic(), None
    for result in results:
        now = time.monotonic()
        allowed, last = min(burst, allowed + (now - last) / pause), now
        held = result
        if allowed >= 1:
            allowed -= 1
            held = None
            yield result
    if held is not None:
        yield held
