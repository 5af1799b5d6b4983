"""Integers and bit sets that mean the same compiled and interpreted.

Bit sets (bitboards) are uint64 (`u8` fields of a record), everything else is int64. Touch bit sets
only through these functions and `& | ^ ~`: in compiled code `uint64 + int64` turns
signed, and interpreted numpy scalars overflow where compiled code wraps. A negative
integer given for a bit set is its low 64 bits, as in compiled code.

>>> popcount(bit(3) | bit(5)), ctz(bit(5)), has(bit(3), 3)
(2, 5, True)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

MASK = 0xFFFFFFFFFFFFFFFF
GOLDEN = 0x9E3779B97F4A7C15


def _uint64(x: int) -> Any:
    """Return numpy's uint64, importing numpy at the first call: games import this module, and
    start fast."""
    global _uint64
    from numpy import uint64

    _uint64 = uint64  # type: ignore[assignment]
    return uint64(x)


def u64(x: Any) -> Any:
    """`x` as a bit set: its low 64 bits."""
    return _uint64(int(x) & MASK)


def i64(x: Any) -> Any:
    """`x` as a signed integer."""
    x = int(x) & MASK
    return x - (1 << 64) if x >> 63 else x


def bit(i: Any) -> Any:
    """The bit set {i}, 0 <= i < 64."""
    return _uint64(1 << int(i))


def has(x: Any, i: Any) -> bool:
    """Return True if the bit set `x` holds `i`, 0 <= i < 64."""
    return bool((int(x) & MASK) >> int(i) & 1)


def popcount(x: Any) -> int:
    """Count the bits that are set."""
    return (int(x) & MASK).bit_count()


def ctz(x: Any) -> int:
    """The index of the lowest bit set; 64 for the empty set."""
    x = int(x) & MASK
    return (x & -x).bit_length() - 1 if x else 64


def msb(x: Any) -> int:
    """The index of the highest bit set; -1 for the empty set."""
    return (int(x) & MASK).bit_length() - 1


def drop(x: Any) -> Any:
    """`x` without its lowest bit."""
    x = int(x) & MASK
    return _uint64(x & (x - 1)) if x else _uint64(0)


def select(x: Any, k: Any) -> int:
    """The index of the k-th lowest bit set, counted from 0; `x` has more than k bits."""
    rest: int = int(x) & MASK
    for _ in range(int(k)):
        rest &= rest - 1
    return (rest & -rest).bit_length() - 1


def elements(x: Any, out: Any, n: Any = 0, first: Any = 0, step: Any = 1) -> int:
    """Write the bits that are set into `out`, int64[any], lowest first, and return how many.

    A list of n codes that is there already goes on, and its length is returned; for bit i
    `first + step * i` is written, so that a move's code may say more than a cell.
    """
    at, x = int(n), int(x) & MASK
    while x:
        out[at] = first + step * ((x & -x).bit_length() - 1)
        x &= x - 1
        at += 1
    return at


def members(x: Any) -> Iterator[int]:
    """The bits that are set, lowest first, to loop over; `x` may change meanwhile.

    >>> [i for i in members(0b1101)]
    [0, 2, 3]
    """
    rest = int(x) & MASK
    while rest:
        yield (rest & -rest).bit_length() - 1
        rest &= rest - 1


def lanes(n: int) -> range:
    """The numbers from 0 to n - 1 for a loop whose turns do not need one another.

    The compiler is asked to take n of them at once, by instructions for several numbers. Compiled,
    they are unsigned.
    """
    return range(n)


def shl(x: Any, n: Any) -> Any:
    """`x` shifted up by n, 0 <= n < 64; bits past the 63rd are lost."""
    return _uint64((int(x) << int(n)) & MASK)


def shr(x: Any, n: Any) -> Any:
    """`x` shifted down by n, 0 <= n < 64."""
    return _uint64((int(x) & MASK) >> int(n))


def add(x: Any, y: Any) -> Any:
    """x + y modulo 2**64."""
    return _uint64((int(x) + int(y)) & MASK)


def mul(x: Any, y: Any) -> Any:
    """x * y modulo 2**64."""
    return _uint64((int(x) * int(y)) & MASK)


def mix(x: Any) -> Any:
    """A bijection of 64 bits in which each bit depends on all (splitmix64's finaliser)."""
    x = int(x) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return _uint64(x ^ (x >> 31))


def draw(random: Any, n: Any) -> int:
    """An integer from 0 to n - 1, n < 2**32; advances the generator `random`, uint64[1].

    splitmix64 (Steele, Lea and Flood 2014) and Lemire's multiply-shift; the bias is
    below n / 2**32.
    """
    state = (int(random[0]) + GOLDEN) & MASK
    random[0] = state
    high: int = int(mix(state)) >> 32
    return high * int(n) >> 32


def draw_set(random: Any) -> Any:
    """A random bit set, each bit set or not with the same probability; advances the generator."""
    random[0] = (int(random[0]) + GOLDEN) & MASK
    return mix(random[0])


class Random:
    """The generator of `draw` as a callable for plain Python: `random(n)`."""

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        import numpy as np

        self.state = np.array([seed & MASK], np.uint64)

    def __call__(self, n: int) -> int:
        return draw(self.state, n)
