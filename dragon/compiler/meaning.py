"""What the functions mean that the compiler knows itself: Python's, numpy's, math's, dragon.bits'.

A meaning is a function of the reader, the call as it is written, and the arguments; it gives
the value as a typed tree.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from dragon import bits
from dragon.compiler import library
from dragon.compiler import tree as t
from dragon.compiler.flow import joint
from dragon.compiler.types import (
    BOOL,
    FLOAT,
    INT,
    UINT,
    Array,
    Bool,
    Float,
    Int,
    Known,
    Tuple,
    Type,
    Unsupported,
    of_dtype,
    size_of,
)

if TYPE_CHECKING:
    from dragon.compiler.expressions import Expressions

Arguments = list[t.Expression]
Meaning = Callable[["Expressions", str, Arguments], t.Expression]
MOST_SCRATCH = 1 << 16
"""Bytes that an array of a function's own may take."""


def numbers(reader: Expressions, call: str, given: Arguments, count: int) -> Arguments:
    """The arguments, which must be so many numbers."""
    if len(given) != count or not all(isinstance(g.type, Int | Bool | Float) for g in given):
        kinds = ", ".join(str(g.type) for g in given)
        reader.refuse(f"the compiler knows no {call} of {kinds or 'nothing'}", foreign=True)
    return [reader.fitting(g) for g in given]


def typed(value: t.Expression) -> t.Expression:
    """A value that keeps its type: with a constant of 64 bits nothing is reckoned exactly."""
    return t.Constant(value.type, value.value) if isinstance(value, t.Constant) else value


# ---- Python's own


def length(reader: Expressions, call: str, given: Arguments) -> t.Expression:
    """`len(a)`."""
    match [g.type for g in given]:
        case [Array()]:
            return reader.length(given[0], 0)
        case [Tuple(items=items)]:
            return t.whole(len(items))
    for each in given:
        reader.refuse_collection(each)
    told = "".join(reader.remedy(each.type) for each in given)
    reader.refuse(f"{call}: only arrays and tuples have a length{told}", foreign=True)


def extreme(name: str) -> Meaning:
    """`min(a, b, ...)` and `max`."""

    def meaning(reader: Expressions, call: str, given: Arguments) -> t.Expression:
        if len(given) == 1 and isinstance(held := given[0].type, Tuple):
            reader.plain(given[0])
            given = [reader.item(given[0], i) for i in range(len(held.items))]
        if len(given) < 2:
            reader.refuse(f"{call}: give two numbers or more", foreign=True)
        found, *others = numbers(reader, call, given, len(given))
        for each in others:
            kind = joint(found, each)
            if kind is None:
                reader.refuse(f"{call}: one is a signed integer, the other a bit set (uint64); "
                              "write u64(...) or i64(...)")  # fmt: skip
            if isinstance(kind, Float):  # the first of equals, and of what is no number
                found, each = reader.convert(found, FLOAT), reader.convert(each, FLOAT)
                found = t.Intrinsic(FLOAT, f"f{name}", [each, found])
                continue
            word = kind if isinstance(kind, Int) else INT
            prefix = "s" if word.signed else "u"
            both = [reader.convert(found, word), reader.convert(each, word)]
            found = t.Intrinsic(word, f"{prefix}{name}", both)
        return found

    return meaning


def absolute(reader: Expressions, call: str, given: Arguments) -> t.Expression:
    """`abs(a)`."""
    (value,) = numbers(reader, call, given, 1)
    if isinstance(value.type, Float):
        return t.Intrinsic(FLOAT, "fabs", [value])
    if isinstance(value.type, Int) and not value.type.signed:
        return value
    return t.Intrinsic(INT, "abs", [reader.convert(value, INT)])


def integer(reader: Expressions, call: str, given: Arguments) -> t.Expression:
    """`int(a)`: towards zero; of an integer itself, signed unless it is a bit set."""
    (value,) = numbers(reader, call, given, 1)
    return value if value.type == UINT else reader.convert(value, INT)


def real(reader: Expressions, call: str, given: Arguments) -> t.Expression:
    """`float(a)`."""
    (value,) = numbers(reader, call, given, 1)
    return reader.convert(value, FLOAT)


def boolean(reader: Expressions, call: str, given: Arguments) -> t.Expression:
    """`bool(a)`."""
    if len(given) != 1:
        reader.refuse(f"{call}: give one value")
    return reader.truth(given[0])


# ---- numpy's


def cast(kind: Type) -> Meaning:
    """`np.uint32(a)`: the low bits; of a float, the whole part."""

    def meaning(reader: Expressions, call: str, given: Arguments) -> t.Expression:
        (value,) = numbers(reader, call, given, 1)
        return typed(reader.convert(value, kind, cut=True))

    return meaning


def scratch(zeroed: bool) -> Meaning:
    """`np.zeros(n, dtype)` and `np.empty`, of a known size: memory of the function's own."""

    def meaning(reader: Expressions, call: str, given: Arguments) -> t.Expression:
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
        dtype = given[1].type.value if len(given) > 1 and isinstance(given[1].type, Known) else None
        try:
            element = FLOAT if len(given) == 1 else of_dtype(np.dtype(dtype))
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

    def meaning(reader: Expressions, call: str, given: Arguments) -> t.Expression:
        given = [reader.convert(g, FLOAT) for g in numbers(reader, call, given, count)]
        return t.Intrinsic(FLOAT, name, given)

    return meaning


def rounding(name: str) -> Meaning:
    """`math.floor` and `math.ceil`, which give an integer."""

    def meaning(reader: Expressions, call: str, given: Arguments) -> t.Expression:
        if len(given) == 1 and isinstance(given[0].type, Int):
            return given[0]
        return t.Convert(INT, of_floats(name)(reader, call, given))

    return meaning


# ---- dragon.bits, on words of 64 bits


def words(count: int, make: Callable[..., t.Expression]) -> Meaning:
    """A function of so many words."""

    def meaning(reader: Expressions, call: str, given: Arguments) -> t.Expression:
        given = numbers(reader, call, given, count)
        if any(isinstance(g.type, Float) for g in given):
            reader.refuse(f"{call}: bit sets are integers; convert with int(...)")
        return make(*(typed(reader.convert(g, UINT, cut=True)) for g in given))

    return meaning


def shifting(make: Callable[..., t.Expression], count: int = 2) -> Meaning:
    """A function of words that shifts: `make` is given the line, on which a count may be wrong."""
    return lambda reader, call, given: words(count, lambda *w: make(reader.line, *w))(
        reader, call, given
    )


def op(sign: str, a: t.Expression, b: t.Expression, line: int = 0) -> t.Expression:
    """Two words into one."""
    return t.Arithmetic(UINT, sign, a, b, line)


def has(line: int, x: t.Expression, i: t.Expression) -> t.Expression:
    """Whether a word holds a bit."""
    return t.Compare(BOOL, "!=", op("&", op(">>", x, i, line), ONE), t.Constant(UINT, 0))


def highest(x: t.Expression) -> t.Expression:
    """The index of the highest bit set; -1 for none."""
    return t.Arithmetic(INT, "-", t.whole(63), t.Intrinsic(INT, "ctlz", [x]))


def drop(reader: Expressions, call: str, given: Arguments) -> t.Expression:
    """A word without its lowest bit."""
    (value,) = numbers(reader, call, given, 1)
    slot = reader.temporary()
    word = t.Keep(UINT, slot, reader.convert(value, UINT, cut=True))
    return op("&", word, op("-", t.Local(UINT, slot), ONE))


def of_program(function: Any) -> Meaning:
    """A function of the library, called as an author's own would be."""
    return lambda reader, call, given: reader.call(function, given)


ONE = t.Constant(UINT, 1)
CASTS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float64")
MEANINGS: dict[Any, Meaning] = {
    builtins.len: length,
    builtins.min: extreme("min"),
    builtins.max: extreme("max"),
    builtins.abs: absolute,
    builtins.int: integer,
    builtins.float: real,
    builtins.bool: boolean,
    np.bool_: boolean,
    **{getattr(np, name): cast(of_dtype(np.dtype(name))) for name in CASTS},
    np.zeros: scratch(True),
    np.empty: scratch(False),
    **{getattr(math, name): of_floats(name) for name in ("sqrt", "log", "log2", "log10", "exp",
                                                          "sin", "cos", "fabs")},
    **{getattr(np, name): of_floats(name) for name in ("sqrt", "log", "log2", "exp", "fabs")},
    math.pow: of_floats("pow", 2),
    math.floor: rounding("floor"),
    math.ceil: rounding("ceil"),
    bits.u64: words(1, lambda x: x),
    bits.i64: words(1, lambda x: t.Convert(INT, x)),
    bits.bit: shifting(lambda line, i: op("<<", ONE, i, line), 1),
    bits.has: shifting(has),
    bits.popcount: words(1, lambda x: t.Intrinsic(INT, "ctpop", [x])),
    bits.ctz: words(1, lambda x: t.Intrinsic(INT, "cttz", [x])),
    bits.msb: words(1, highest),
    bits.drop: drop,
    bits.shl: shifting(lambda line, x, n: op("<<", x, n, line)),
    bits.shr: shifting(lambda line, x, n: op(">>", x, n, line)),
    bits.add: words(2, lambda x, y: op("+", x, y)),
    bits.mul: words(2, lambda x, y: op("*", x, y)),
    **{named: of_program(function) for named, function in library.FUNCTIONS.items()},
}  # fmt: skip
BUILTINS: dict[int, Meaning] = {id(function): meaning for function, meaning in MEANINGS.items()}
"""The meanings by identity, since not all that is called can be hashed."""
