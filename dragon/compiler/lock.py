"""A lock that compiled code takes and frees: for threads that run one kernel on the same memory.

It is a word of memory, 1 while a thread has it. Who waits for it asks again and again, so it is for
work of microseconds, and for no more threads than there are cores.
"""

from __future__ import annotations

from typing import Any

from dragon.compiler.kernel import kernel


def swap(words: Any, value: Any) -> int:
    """Writes `value` into words[0], int64[any], and gives what was there.

    Compiled, this is one step for all threads, and in between two of them nothing is written or
    read too early or too late (`atomicrmw xchg`, sequentially consistent).
    """
    before = int(words[0])
    words[0] = value
    return before


@kernel
def acquire(lock: Any) -> None:
    """Takes a lock, int64[any], which other threads may have to free before."""
    while swap(lock, 1):
        pass


@kernel
def release(lock: Any) -> None:
    """Frees a lock that this thread has."""
    swap(lock, 0)
