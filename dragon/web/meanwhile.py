"""Run one long step of an answer in a thread, and stream its progress."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, TypeVar

from dragon.web.throttle import PAUSE

T = TypeVar("T")


class Left(Exception):
    """The client has disconnected."""


def meanwhile(
    work: Callable[[Callable[..., None]], T], shown: Callable[..., dict[str, Any]], *first: Any
) -> Generator[dict[str, Any], None, T]:
    """Yield the progress of some work from time to time; return the result of the work.

    The work is given a function that it calls with its progress, which is `first` until then;
    `shown` makes an object of the progress, to be sent. If the client disconnects, the next call
    of that function ends the work.
    """
    left, now = threading.Event(), [first]

    def watch(*given: Any) -> None:
        now[0] = given
        if left.is_set():
            raise Left

    with ThreadPoolExecutor(1) as pool:
        outcome = pool.submit(work, watch)
        try:
            while not wait([outcome], PAUSE).done:
                yield shown(*now[0])
        finally:
            left.set()
        return outcome.result()
