"""The compiled meaning of `dragon.bits`: one numba overload for each of its functions.

Imported by `dragon.specialise` only, so that `import dragon` leaves numba unloaded.
"""
# mypy: disable-error-code="no-untyped-def,untyped-decorator,no-untyped-call,call-arg"

from __future__ import annotations

import numpy as np
from numba.core import types
from numba.extending import intrinsic, overload

from dragon import bits


@intrinsic
def _ctpop(typing, x):
    return types.uint64(types.uint64), lambda context, builder, sig, args: builder.ctpop(args[0])


@intrinsic
def _cttz(typing, x):
    def code(context, builder, sig, args):
        return builder.cttz(args[0], context.get_constant(types.boolean, 0))

    return types.uint64(types.uint64), code


@overload(bits.u64)
def _u64(x):
    return lambda x: np.uint64(x)


@overload(bits.i64)
def _i64(x):
    return lambda x: np.int64(x)


@overload(bits.bit)
def _bit(i):
    return lambda i: np.uint64(1) << np.uint64(i)


@overload(bits.has)
def _has(x, i):
    return lambda x, i: (np.uint64(x) >> np.uint64(i)) & np.uint64(1) != np.uint64(0)


@overload(bits.popcount)
def _popcount(x):
    return lambda x: np.int64(_ctpop(np.uint64(x)))


@overload(bits.ctz)
def _ctz(x):
    return lambda x: np.int64(_cttz(np.uint64(x)))


@overload(bits.drop)
def _drop(x):
    return lambda x: np.uint64(x) & (np.uint64(x) - np.uint64(1))


@overload(bits.select)
def _select(x, k):
    def select(x, k):
        rest = np.uint64(x)
        for _ in range(k):
            rest &= rest - np.uint64(1)
        return np.int64(_cttz(rest))

    return select


@overload(bits.elements)
def _elements(x, out):
    def elements(x, out):
        rest = np.uint64(x)
        n = 0
        while rest:
            out[n] = _cttz(rest)
            rest &= rest - np.uint64(1)
            n += 1
        return n

    return elements


@overload(bits.shl)
def _shl(x, n):
    return lambda x, n: np.uint64(x) << np.uint64(n)


@overload(bits.shr)
def _shr(x, n):
    return lambda x, n: np.uint64(x) >> np.uint64(n)


@overload(bits.add)
def _add(x, y):
    return lambda x, y: np.uint64(x) + np.uint64(y)


@overload(bits.mul)
def _mul(x, y):
    return lambda x, y: np.uint64(x) * np.uint64(y)


@overload(bits.mix)
def _mix(x):
    def mix(x):
        z = np.uint64(x)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))

    return mix


@overload(bits.draw)
def _draw(random, n):
    def draw(random, n):
        random[0] += np.uint64(0x9E3779B97F4A7C15)
        high = bits.mix(random[0]) >> np.uint64(32)
        return np.int64((high * np.uint64(n)) >> np.uint64(32))

    return draw
