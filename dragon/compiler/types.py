"""The types of the subset: what a value is, how it lies in memory, what two of them have in common.

An integer has 64 bits in a register, whatever the field that it came from, and is signed or not;
the width of its field is remembered, since it bounds the value. Records and
arrays are references into numpy's memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, ClassVar

import numpy as np
from attrs import evolve, field, frozen


class Type:
    """The type of a value: what the compiler knows of it before the program runs."""

    part: ClassVar[str] = ""
    """LLVM's type of the register that holds a value."""
    name: ClassVar[str] = ""

    def parts(self) -> tuple[str, ...]:
        """LLVM's types of the registers, where there may be none or several."""
        return (self.part,) if self.part else ()

    def __str__(self) -> str:
        return self.name


@frozen(cache_hash=True)
class Int(Type):
    """A whole number that fits in `bits` bits; a register has 64."""

    part = "i64"
    bits: int = 64
    signed: bool = True

    def __str__(self) -> str:
        return f"{'' if self.signed else 'u'}int{self.bits}"


@frozen(cache_hash=True)
class Bool(Type):
    """True or false."""

    part, name = "i1", "bool"


@frozen(cache_hash=True)
class Float(Type):
    """A number of IEEE 754 in 64 bits or in 32, which it has in a register too."""

    bits: int = 64

    @property
    def part(self) -> str:  # type: ignore[override]
        return "double" if self.bits == 64 else "float"

    def __str__(self) -> str:
        return f"float{self.bits}"


@frozen(cache_hash=True)
class Nothing(Type):
    """The type of a function without `return`."""

    name = "nothing"


@frozen(cache_hash=True)
class Sometimes(Type):
    """The type of a function that returns a value on some paths only."""

    name = "nothing on some way through it"


@frozen(cache_hash=True)
class Record(Type):
    """A record of numpy, by reference."""

    part = "ptr"
    fields: tuple[tuple[str, int, Type], ...]
    """Name, offset in bytes and type of each."""
    size: int
    writable: bool = True
    scratch: bool = False
    """True if it lies in a function's own memory."""

    def find(self, name: str) -> tuple[int, Type] | None:
        found = next(((at, kind) for known, at, kind in self.fields if known == name), None)
        return None if found is None else (found[0], passed(found[1], self.writable, self.scratch))

    def __str__(self) -> str:
        return f"a record of {', '.join(name for name, *_ in self.fields)}"


@frozen(cache_hash=True)
class Array(Type):
    """An array in C order, by reference."""

    element: Type
    shape: tuple[int | None, ...]
    """The lengths of its axes; None where they are known only when it runs."""
    writable: bool = True
    scratch: bool = False
    """True if it is a function's own, and gone when that returns."""

    def parts(self) -> tuple[str, ...]:
        return ("ptr", *("i64" for length in self.shape if length is None))

    def within(self, axes: int) -> Type:
        """The type that is left after `axes` indices."""
        if axes == len(self.shape):
            return passed(self.element, self.writable, self.scratch)
        return Array(self.element, self.shape[axes:], self.writable, self.scratch)

    def __str__(self) -> str:
        axes = ", ".join("any" if n is None else str(n) for n in self.shape)
        return f"an array {self.element}[{axes}]"


@frozen(cache_hash=True)
class Tuple(Type):
    """Several values; those of a NamedTuple have names."""

    items: tuple[Type, ...]
    names: tuple[str, ...] = ()

    def parts(self) -> tuple[str, ...]:
        return tuple(part for item in self.items for part in item.parts())

    def __str__(self) -> str:
        names = [f"{name}: " for name in self.names] or [""] * len(self.items)
        return f"({', '.join(f'{a}{b}' for a, b in zip(names, self.items, strict=True))})"


@frozen(cache_hash=True)
class Known(Type):
    """An object that only the compiler sees: a function, a module, a text."""

    value: Any = field(eq=lambda value: value if isinstance(value, str) else id(value))

    def __str__(self) -> str:
        if isinstance(self.value, str):
            return f"the text {self.value!r}"
        return "None" if self.value is None else repr(self.value)


def passed(kind: Type, writable: bool, scratch: bool) -> Type:
    """Return a type with the properties of the memory that holds it: read-only, a function's
    own."""
    if isinstance(kind, Record | Array) and (not writable or scratch):
        return evolve(kind, writable=kind.writable and writable, scratch=scratch)
    return kind


INT, UINT, BOOL, FLOAT, SINGLE = Int(), Int(signed=False), Bool(), Float(), Float(32)
NOTHING, SOMETIMES = Nothing(), Sometimes()


class Unsupported(TypeError):
    """A dtype or a value that is outside the subset."""


@cache
def of_dtype(dtype: np.dtype[Any]) -> Type:
    """The type of a dtype; raises Unsupported for all but numbers, records and arrays of them."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return Array(of_dtype(base), shape)
    if dtype.names is not None and dtype.fields is not None:
        found = [(name, dtype.fields[name]) for name in dtype.names]
        return Record(tuple((name, f[1], of_dtype(f[0])) for name, f in found), dtype.itemsize)
    if dtype.isnative or dtype.itemsize == 1:
        match dtype.kind:
            case "i" | "u":
                return Int(8 * dtype.itemsize, dtype.kind == "i")
            case "b":
                return BOOL
            case "f" if dtype.itemsize in (4, 8):
                return Float(8 * dtype.itemsize)
    raise Unsupported(
        f"numbers of the kind {dtype.str!r}; the subset has integers, floats and bool"
    )


@cache
def of_array(dtype: np.dtype[Any], axes: int, writable: bool) -> Type:
    """The type of an array that Python gives; raises Unsupported."""
    return Array(of_dtype(dtype), (None,) * axes, writable)


def of_value(value: Any) -> Type:
    """The type of an argument that Python gives; raises Unsupported."""
    if isinstance(value, np.ndarray):
        if not value.flags.c_contiguous:
            raise Unsupported("an array that is not in C order; copy it with np.ascontiguousarray")
        return of_array(value.dtype, value.ndim, value.flags.writeable)
    if isinstance(value, np.void):
        return passed(of_dtype(value.dtype), bool(value.flags.writeable), False)
    if isinstance(value, bool | np.bool_):
        return BOOL
    if isinstance(value, np.integer | np.float64):
        return of_dtype(value.dtype)
    if isinstance(value, int):
        if not -1 << 63 <= value < 1 << 64:
            raise Unsupported(f"{value}, which does not fit in 64 bits")
        return INT if value < 1 << 63 else UINT
    if isinstance(value, float):
        return FLOAT
    if isinstance(value, tuple):
        return Tuple(tuple(of_value(item) for item in value), getattr(value, "_fields", ()))
    kind = type(value).__name__
    raise Unsupported(f"a value of type {kind}; take numbers, numpy arrays, or tuples of these")


def storage(kind: Type) -> str:
    """LLVM's type of a number, or of a record, in memory."""
    match kind:
        case Int(bits=bits):
            return f"i{bits}"
        case Bool():
            return "i8"
        case Float():
            return kind.part
        case Record(size=size):
            return f"[{size} x i8]"
    raise AssertionError(kind)


def size_of(kind: Type) -> int:
    """Bytes that a value takes in memory."""
    match kind:
        case Int(bits=bits):
            return bits // 8
        case Bool():
            return 1
        case Float(bits=bits):
            return bits // 8
        case Record(size=size):
            return size
        case Array(element=element, shape=shape):
            return size_of(element) * int(np.prod([n or 0 for n in shape], dtype=np.int64))
    raise AssertionError(kind)


def common(a: Type, b: Type) -> Type | None:
    """Return the type that holds the values of both unchanged; None if there is none.

    There is none for a signed integer and an unsigned one of 64 bits.
    """
    if a == b:
        return a
    match a, b:
        case Int(), Int():
            if a.signed == b.signed:
                return a if a.bits >= b.bits else b
            unsigned = b if a.signed else a
            return INT if unsigned.bits < 64 else None
        case (Bool(), Int() as other) | (Int() as other, Bool()):
            return INT if other.signed or other.bits < 64 else UINT
        case (Int() | Bool(), Float(bits=64)) | (Float(bits=64), Int() | Bool()):
            return FLOAT
        case Array(), Array() if a.element == b.element and len(a.shape) == len(b.shape):
            shape = tuple(n if n == m else None for n, m in zip(a.shape, b.shape, strict=True))
            return Array(a.element, shape, a.writable and b.writable, a.scratch or b.scratch)
        case Tuple(), Tuple() if len(a.items) == len(b.items):
            items = tuple(map(common, a.items, b.items))
            names = a.names if a.names == b.names else ()
            return None if None in items else Tuple(tuple(i for i in items if i is not None), names)
    return None


def references_in(kind: Type) -> Iterator[Array | Record]:
    """The arrays and records among what a value consists of."""
    if isinstance(kind, Array | Record):
        yield kind
    elif isinstance(kind, Tuple):
        for item in kind.items:
            yield from references_in(item)
