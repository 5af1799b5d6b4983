"""A spin lock for compiled code: for threads that run one kernel on the same memory.

It is a word of memory, 1 while a thread has it. A thread that waits tries again and again, so the
lock is for work of microseconds, and for no more threads than there are cores.
"""

from __future__ import annotations

from typing import Any

from dragon.compiler.kernel import kernel


def swap(words: Any, value: Any) -> int:
    """Write `value` into words[0], int64[any], and return what was there.

    Compiled, this is one atomic step, which no other load or store is moved across (`atomicrmw
    xchg`, sequentially consistent).
    """
    before = int(words[0])
    words[0] = value
    return before


@kernel
def acquire(lock: Any) -> None:
    """Take a lock, int64[any]; wait while another thread has it."""
    while swap(lock, 1):
        pass


@kernel
def release(lock: Any) -> None:
    """Free a lock that this thread has."""
    swap(lock, 0)
