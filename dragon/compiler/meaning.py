"""Meanings: the functions that the compiler implements itself, of Python, numpy, math and bits.

A meaning is a function of the reader, the syntax of the call, and the arguments; it returns the
value as a typed tree.

They stay apart from `expressions`, so that a new function of the subset touches this file alone.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dragon import bits
from dragon.compiler import library, location
from dragon.compiler import tree as t
from dragon.compiler.operations import Operations
from dragon.compiler.tree import joint
from dragon.compiler.types import (
    BOOL,
    FLOAT,
    INT,
    SINGLE,
    UINT,
    Array,
    Bool,
    Float,
    Int,
    Tuple,
    Type,
    Unsupported,
    of_dtype,
    size_of,
)

Arguments = list[t.Expression]
Meaning = Callable[[Operations, str, Arguments], t.Expression]
MOST_SCRATCH = 1 << 16
"""Bytes that an array of a function's own may take."""


def numbers(reader: Operations, call: str, given: Arguments, count: int) -> Arguments:
    """Return the arguments; refuse them unless they are `count` numbers."""
    if len(given) != count or not all(isinstance(g.type, Int | Bool | Float) for g in given):
        kinds = ", ".join(str(g.type) for g in given)
        reader.refuse(f"the compiler does not support {call} of {kinds or 'nothing'}", foreign=True)
    return [reader.fitting(g) for g in given]


def of_numbers(count: int, make: Callable[..., t.Expression]) -> Meaning:
    """Return the meaning of a function of `count` numbers, which `make` makes of reader and
    these."""
    return lambda reader, call, given: make(reader, *numbers(reader, call, given, count))


def typed(value: t.Expression) -> t.Expression:
    """Return a value that keeps its type: a constant of 64 bits is not folded as a Python
    number."""
    return t.Constant(value.type, value.value) if isinstance(value, t.Constant) else value


# ---- Python's own


def length(reader: Operations, call: str, given: Arguments) -> t.Expression:
    """`len(a)`."""
    match [g.type for g in given]:
        case [Array()]:
            return reader.length(given[0], 0)
        case [Tuple(items=items)]:
            reader.unasked(given[0])
            return t.whole(len(items))
    for each in given:
        reader.refuse_collection(each)
    remedy = "".join(reader.remedy(each.type) for each in given)
    reader.refuse(f"{call}: only arrays and tuples have a length{remedy}", foreign=True)


def extreme(name: str) -> Meaning:
    """`min(a, b, ...)` and `max`."""

    def meaning(reader: Operations, call: str, given: Arguments) -> t.Expression:
        if len(given) == 1 and isinstance(held := given[0].type, Tuple):
            reader.plain(given[0])
            given = [reader.item(given[0], i) for i in range(len(held.items))]
        if len(given) < 2:
            reader.refuse(f"{call}: give two numbers or more", foreign=True)
        found, *others = numbers(reader, call, given, len(given))
        for each in others:
            kind = joint(found, each)
            if kind is None and SINGLE in (found.type, each.type):
                reader.refuse(f"{call}: one is a float32; write np.float32(...) or float(...)")
            if kind is None:
                reader.refuse(f"{call}: one is a signed integer, the other a bit set (uint64); "
                              "write u64(...) or i64(...)")  # fmt: skip
            if isinstance(kind, Float):  # the first of equals, and of NaN
                found, each = reader.convert(found, kind), reader.convert(each, kind)
                found = t.Intrinsic(kind, f"f{name}", [found, each])
                continue
            word = kind if isinstance(kind, Int) else INT
            prefix = "s" if word.signed else "u"
            both = [reader.convert(found, word), reader.convert(each, word)]
            found = t.Intrinsic(word, f"{prefix}{name}", both)
        return found

    return meaning


def absolute(reader: Operations, value: t.Expression) -> t.Expression:
    """`abs(a)`."""
    if isinstance(value.type, Float):
        return t.Intrinsic(value.type, "fabs", [value])
    if isinstance(value.type, Int) and not value.type.signed:
        return value
    return t.Intrinsic(INT, "abs", [reader.convert(value, INT)])


def integer(reader: Operations, value: t.Expression) -> t.Expression:
    """`int(a)`: towards zero; of an integer itself, signed unless it is a bit set."""
    return value if value.type == UINT else reader.convert(value, INT)


def boolean(reader: Operations, call: str, given: Arguments) -> t.Expression:
    """`bool(a)`."""
    if len(given) != 1:
        reader.refuse(f"{call}: give one value")
    return reader.truth(given[0])


# ---- numpy's


def cast(kind: Type) -> Meaning:
    """`np.uint32(a)`: the low bits; of a float, the whole part."""
    return of_numbers(1, lambda reader, x: typed(reader.convert(x, kind, cut=True)))


def scratch(zeroed: bool) -> Meaning:
    """`np.zeros(n, dtype)` and `np.empty`, of a known size: memory of the function's own."""

    def meaning(reader: Operations, call: str, given: Arguments) -> t.Expression:
        shape = [reader.item(given[0], i) for i in range(len(given[0].type.items))] if (
            given and isinstance(given[0].type, Tuple)) else given[:1]  # fmt: skip
        lengths = [s.value for s in shape if isinstance(s, t.Constant) and isinstance(s.type, Int)]
        if not shape or len(lengths) != len(shape):
            reader.refuse(
                f"{call}: it makes an array whose size is known only when it runs; pass memory "
                "in, or keep it in the record",
                foreign=True,
            )
        if reader.loops:
            reader.refuse(f"{call}: make it before the loop, and fill it there", foreign=True)
        dtype: Any = getattr(given[1].type, "value", 0) if len(given) > 1 else np.float64
        try:
            element = of_dtype(np.dtype(dtype))
        except (Unsupported, TypeError):
            reader.refuse(f"{call}: name its numbers, such as np.int64", foreign=True)
        kind = Array(element, tuple(lengths), scratch=True)
        if min(lengths) < 0:
            reader.refuse(f"{call}: a length is below zero")
        if size_of(kind) > MOST_SCRATCH:
            reader.refuse(f"{call}: it takes {size_of(kind)} bytes; {MOST_SCRATCH} are the most")
        return t.Scratch(kind, zeroed)

    return meaning


# ---- math's


def of_floats(name: str, count: int = 1) -> Meaning:
    """A function of float64 that LLVM knows by this name."""
    return of_numbers(count, lambda reader, *given: t.Intrinsic(
        FLOAT, name, [reader.convert(each, FLOAT) for each in given]))  # fmt: skip


def of_numpy(name: str) -> Meaning:
    """A function of numpy that gives a float64 only of a float64 or an integer."""
    plain = of_floats(name)

    def meaning(reader: Operations, call: str, given: Arguments) -> t.Expression:
        if any(g.type in (SINGLE, BOOL) for g in given):
            reader.refuse(f"{call} is not a float64 of {given[0].type}; convert with float(...)")
        return plain(reader, call, given)

    return meaning


def rounding(name: str) -> Meaning:
    """`math.floor` and `math.ceil`, which give an integer."""

    def meaning(reader: Operations, call: str, given: Arguments) -> t.Expression:
        if len(given) == 1 and isinstance(given[0].type, Int):
            return given[0]
        return t.Convert(INT, of_floats(name)(reader, call, given))

    return meaning


# ---- dragon.bits, on words of 64 bits


def words(count: int, make: Callable[..., t.Expression]) -> Meaning:
    """Return the meaning of a function of `count` 64-bit words, made of reader and these."""

    def meaning(reader: Operations, call: str, given: Arguments) -> t.Expression:
        given = numbers(reader, call, given, count)
        if any(isinstance(g.type, Float) for g in given):
            reader.refuse(f"{call}: bit sets are integers; convert with int(...)")
        return make(reader, *(typed(reader.convert(g, UINT, cut=True)) for g in given))

    return meaning


def op(sign: str, a: t.Expression, b: t.Expression, line: int = 0) -> t.Expression:
    """Return the bitwise operation of two words."""
    return t.Arithmetic(UINT, sign, a, b, line)


def has(reader: Operations, x: t.Expression, i: t.Expression) -> t.Expression:
    """Test a bit of a word."""
    bit = op("&", op(">>", x, i, reader.line), ONE)
    return t.Compare(BOOL, "!=", bit, t.Constant(UINT, 0))


def highest(reader: Operations, x: t.Expression) -> t.Expression:
    """The index of the highest bit set; -1 for none."""
    return t.Arithmetic(INT, "-", t.whole(63), t.Intrinsic(INT, "ctlz", [x]))


def drop(reader: Operations, value: t.Expression) -> t.Expression:
    """A word without its lowest bit."""
    word, again = reader.kept(reader.convert(value, UINT, cut=True))
    return op("&", word, op("-", again, ONE))


def members(reader: Operations, call: str, given: Arguments) -> t.Expression:
    """The range that a loop runs over, which is not a value."""
    reader.refuse("members(x) is for loops; write `for i in members(x)`")


def lanes(reader: Operations, call: str, given: Arguments) -> t.Expression:
    """The numbers that a loop runs over, which are not a value."""
    reader.refuse("lanes(n) is for loops; write `for i in lanes(8)`")


def swap(reader: Operations, call: str, given: Arguments) -> t.Expression:
    """`library.swap(words, value)`, the atomic step of a lock."""
    match [g.type for g in given]:
        case [Array(element=element, shape=[_], writable=True), Int() | Bool()] if element == INT:
            return t.Swap(INT, given[0], reader.convert(reader.fitting(given[1]), INT))
    reader.refuse(f"{call}: give memory of int64, and an integer")


ONE = t.Constant(UINT, 1)
CASTS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
         "float64")  # fmt: skip
MEANINGS: dict[Any, Meaning] = {
    builtins.len: length,
    builtins.min: extreme("min"),
    builtins.max: extreme("max"),
    builtins.abs: of_numbers(1, absolute),
    builtins.int: of_numbers(1, integer),
    builtins.float: of_numbers(1, lambda reader, x: reader.convert(x, FLOAT)),
    builtins.bool: boolean,
    np.bool_: boolean,
    **{getattr(np, name): cast(of_dtype(np.dtype(name))) for name in CASTS},
    np.zeros: scratch(True),
    np.empty: scratch(False),
    **{getattr(math, name): of_floats(name) for name in ("sqrt", "log", "log2", "log10", "exp",
                                                          "sin", "cos", "fabs")},
    **{getattr(np, name): of_numpy(name) for name in ("sqrt", "log", "log2", "exp", "fabs")},
    math.pow: of_floats("pow", 2),
    math.floor: rounding("floor"),
    math.ceil: rounding("ceil"),
    bits.u64: words(1, lambda _, x: x),
    bits.i64: words(1, lambda _, x: t.Convert(INT, x)),
    bits.bit: words(1, lambda reader, i: op("<<", ONE, i, reader.line)),
    bits.has: words(2, has),
    bits.popcount: words(1, lambda _, x: t.Intrinsic(INT, "ctpop", [x])),
    bits.ctz: words(1, lambda _, x: t.Intrinsic(INT, "cttz", [x])),
    bits.msb: words(1, highest),
    bits.drop: of_numbers(1, drop),
    bits.select: words(2, lambda _, x, k: t.Intrinsic(INT, "select", [x, k])),
    bits.members: members,
    bits.lanes: lanes,
    bits.shl: words(2, lambda reader, x, n: op("<<", x, n, reader.line)),
    bits.shr: words(2, lambda reader, x, n: op(">>", x, n, reader.line)),
    bits.add: words(2, lambda _, x, y: op("+", x, y)),
    bits.mul: words(2, lambda _, x, y: op("*", x, y)),
    library.swap: swap,
    location.turns_taken: lambda reader, call, given: t.Intrinsic(INT, "turns", []),
}  # fmt: skip
BUILTINS: dict[int, Meaning] = {id(function): meaning for function, meaning in MEANINGS.items()}
"""The meanings by identity, since not all that is called can be hashed."""
