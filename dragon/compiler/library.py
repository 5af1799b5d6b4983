"""The library: functions of `bits`, and `sum`, written in the subset, since they need loops."""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from dragon import bits


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
"""The function that stands for each of these in compiled code."""
BY_IDENTITY: dict[int, FunctionType] = {id(f): own for f, own in {sum: total, **FUNCTIONS}.items()}
"""The same and `sum`, since not all that is called can be hashed."""
KNOWN = tuple(BY_IDENTITY.values())
