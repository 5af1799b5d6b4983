"""The library: functions of `bits` and `sum`, which need loops, written in the subset; a lock.

The lock is for threads that run one kernel on the same memory. It is a word of memory, 1 while a
thread has it. A thread that waits tries again and again, so it is for work of microseconds, and for
no more threads than there are cores.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from dragon import bits
from dragon.compiler.kernel import kernel


def select(x, k):
    """The index of the k-th lowest bit set."""
    rest = np.uint64(x)
    for _ in range(k):
        rest &= rest - np.uint64(1)
    return bits.ctz(rest)


def elements(x, out, n=0, first=0, step=1):
    """Write `first + step * i` for each bit i that is set, from out[n] on; return the list's
    end."""
    rest = np.uint64(x)
    while rest:
        out[n] = first + step * bits.ctz(rest)
        rest &= rest - np.uint64(1)
        n += 1
    return n


def total(values, start=0):
    """The sum of an array of one axis."""
    found = start
    for value in values:
        found += value
    return found


def mix(x):
    """splitmix64's finaliser."""
    z = np.uint64(x)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def draw(random, n):
    """An integer from 0 to n - 1; advances the generator."""
    random[0] += np.uint64(bits.GOLDEN)
    high = bits.mix(random[0]) >> np.uint64(32)
    return np.int64((high * np.uint64(n)) >> np.uint64(32))


def draw_set(random):
    """A random bit set; advances the generator."""
    random[0] += np.uint64(bits.GOLDEN)
    return bits.mix(random[0])


FUNCTIONS: dict[Any, Any] = {
    bits.select: select, bits.elements: elements, bits.mix: mix, bits.draw: draw,
    bits.draw_set: draw_set,
}  # fmt: skip
"""The function that replaces each of these in compiled code."""
BY_IDENTITY: dict[int, FunctionType] = {id(f): own for f, own in {sum: total, **FUNCTIONS}.items()}
"""These functions and `sum`, since not all that is called can be hashed."""
KNOWN = tuple(BY_IDENTITY.values())


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
