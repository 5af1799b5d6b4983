"""Limit the rate of results that are sent, and always send the last one."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
PAUSE = 0.2
"""Seconds between two results."""


def throttled(results: Iterable[T], pause: float = PAUSE, burst: int = 1) -> Iterator[T]:
    """Yield the first `burst` results, then one after each pause, and the last.

    pause: in seconds. A large `burst` suits answers whose steps matter, 1 those that are expensive
    to make or to show.
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
