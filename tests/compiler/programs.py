"""A grammar of programs in the subset of Python that dragon compiles, as source text.

A program is a module: constants, a few helper functions and `entry`, often with a closure.
Every choice is one integer below some bound, drawn from a `Source`: Hypothesis, which then
shrinks what fails, or a seeded generator, which is quick.

Programs stay inside the meaning that plain Python and compiled code have in common, by
construction where that is easy (integers carry intervals, indices are taken modulo lengths);
`meanings.checked` finds the rest out as the program runs, and such inputs are left out. To go
to the edges from inside, some choices are bold: they trust that check alone.

Kinds of expressions: i int64, u uint64 (a bit set), b bool, f float64.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, TypeVar

import numpy as np
from hypothesis import strategies as st

T = TypeVar("T")
Source = Callable[[int], int]
"""`source(n)` is an integer from 0 to n - 1; 0 is the simplest choice."""
Number = tuple[str, int, int]
"""The text of an integer, and an interval that holds it."""

MIN, MAX = -(2**63), 2**63 - 1
TAME = 1 << 20
"""Tame integers stay near this bound, so that there is arithmetic to do with them."""
RANGES = {
    **{f"i{n}": (-(1 << 8 * n - 1), (1 << 8 * n - 1) - 1) for n in (1, 2, 4, 8)},
    **{f"u{n}": (0, (1 << 8 * n) - 1) for n in (1, 2, 4, 8)},
}
EDGES = (
    *(7, 8, 63, 64, 127, 128, 255, 256, 65535, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**62),
    *(MAX, MAX - 1, -7, -63, -128, -129, -(2**31), -(2**32), -(2**53) - 1, MIN + 1, MIN),
)
MASKS = (1, 3, 7, 15, 63, 255, 1023, 65535, 2**31 - 1, 2**32 - 1, 2**62 - 1, MAX)
FLOATS = ("0.0", "1.0", "0.5", "-1.5", "2.0", "0.1", "1e6", "-3e-5", "1e15", "1e-300")
WORDS = (
    "0",
    "1",
    "0x5555555555555555",
    "0x8000000000000000",
    "0xFFFFFFFFFFFFFFFF",
    "0xFF",
    "0x9E3779B97F4A7C15",
)
NARROW = ("i1", "i2", "i4", "u1", "u2", "u4")


# ---- what there is to speak of ----


@dataclass(frozen=True)
class Array:
    """An array: its text, the dtype of its elements, its shape and how tame it is."""

    text: str
    code: str
    shape: tuple[int | None, ...]
    tame: bool = False
    fixed: bool = False
    """Whether it is a constant, which nobody may write."""


@dataclass(frozen=True)
class Field:
    """A field of a record layout; `code` is a dtype code, or the name of a layout."""

    name: str
    code: str
    shape: tuple[int, ...] = ()
    tame: bool = False


@dataclass(frozen=True)
class Layout:
    """A structured dtype."""

    name: str
    fields: tuple[Field, ...]
    align: bool

    def text(self) -> str:
        """Its definition."""
        inside = ", ".join(
            f"({f.name!r}, {f.code if f.code.isupper() else repr(f.code)}"
            + (f", {f.shape})" if f.shape else ")")
            for f in self.fields
        )
        return f"{self.name} = np.dtype([{inside}], align={self.align})"


@dataclass(frozen=True)
class Record:
    """An expression that is a record."""

    text: str
    layout: Layout


@dataclass(frozen=True)
class Place:
    """A number in memory; what is read narrow is written wide first: see `Maker.read`."""

    text: str
    code: str
    tame: bool


@dataclass(frozen=True)
class Variable:
    """A local name: its kind (i, u, b, f; p for a bit set or an integer) and interval."""

    kind: str
    low: int = MIN
    high: int = MAX
    fixed: bool = False
    """Whether only its loop may change it."""


@dataclass(frozen=True)
class Helper:
    """A function that others call; parameters by kind, i tame, w any integer."""

    name: str
    parameters: tuple[str, ...]
    returns: tuple[str, ...]
    """The kinds that it returns; none, one, or those of a tuple."""


@dataclass
class Block:
    """Facts at a place of a function; a block inside begins with a copy."""

    names: dict[str, Variable]
    arrays: dict[str, Array]
    records: dict[str, Record]
    own: set[str] = field(default_factory=set)
    """Names first assigned in this block, which may change their kind here."""
    loop: bool = False

    def inner(self, loop: bool) -> Block:
        """For a block inside this one."""
        inside = (dict(self.names), dict(self.arrays), dict(self.records))
        return Block(*inside, loop=self.loop or loop)


@dataclass(frozen=True)
class Input:
    """One call of `entry`: scalars by name, and the seed of what the memory holds."""

    scalars: dict[str, Any]
    seed: int


@dataclass(frozen=True)
class Program:
    """A module as text, with calls to try."""

    source: str
    parameters: tuple[str, ...]
    returns: tuple[str, ...]
    memory: dict[str, tuple[str, tuple[int, ...], bool]]
    """dtype (or a layout's name), shape and tameness of each array that `entry` is given; `both`
    are two."""
    inputs: tuple[Input, ...]
    numba: bool = True
    """Whether numba has the same meaning: not of int() of a narrow integer, nor of comparisons of
    signed and unsigned numbers."""

    def shown(self) -> str:
        """The source for people, with no more parentheses than it needs."""
        return ast.unparse(ast.parse(self.source))

    def __repr__(self) -> str:
        return f"\n{self.shown()}"


# ---- making one ----


class Maker:
    """Make one program out of choices."""

    def __init__(self, source: Source, size: int = 1) -> None:
        self.below = source
        self.size = size
        self.layouts: list[Layout] = []
        self.constants: dict[str, str] = {}
        self.ints: dict[str, int] = {}
        self.sets: list[str] = []
        self.tuples: dict[str, tuple[int, ...]] = {}
        self.tables: list[Array] = []
        self.helpers: list[Helper] = []
        self.callable: list[Helper] = []
        self.block = Block({}, {}, {})
        self.returns: tuple[str, ...] = ()
        self.budget = 0
        self.deep = 0
        self.fresh = 0
        self.numba = True

    # -- choices --

    def pick(self, among: Sequence[T]) -> T:
        """One of them."""
        return among[self.below(len(among))]

    def rarely(self, n: int) -> bool:
        """True once in n times."""
        return self.below(n) == n - 1

    def name(self, stem: str) -> str:
        """A name that is not in use."""
        self.fresh += 1
        return f"{stem}{self.fresh}"

    def deeper(self, make: Callable[..., T], *given: Any) -> T:
        """Make something one level further down."""
        self.deep += 1
        made = make(*given)
        self.deep -= 1
        return made

    # -- memory --

    def layout(self, name: str, inner: Layout | None) -> Layout:
        """A record layout; fields have all widths, some are arrays, some records."""
        fields = [Field("count", "i8", tame=True), Field("stones", "u8")]
        for n in range(2 + self.below(4)):
            code = self.pick(("i8", *NARROW, "u8", "f8"))
            shape = self.pick(((), (), (3,), (2, 3)))
            tame = code == "i8" and self.below(2) == 0
            stem = "tame" if tame else code
            fields.append(Field(f"{stem}_{'abcdef'[n]}", code, shape, tame))
        if inner is not None:
            fields.append(Field("inner", inner.name))
            fields.append(Field("items", inner.name, (2,)))
        if self.below(2):  # an odd beginning puts what follows at odd offsets
            fields.insert(0, Field("flag", "u1"))
        return Layout(name, tuple(fields), align=bool(self.below(2)))

    def found(self, name: str) -> Layout | None:
        """The layout of that name."""
        return next((each for each in self.layouts if each.name == name), None)

    def some_record(self) -> Record | None:
        """A record in reach."""
        known = [*self.block.records.values()]
        for array in self.block.arrays.values():
            layout = self.found(array.code)
            if layout is not None:
                known.append(Record(self.element(array), layout))
        if not known:
            return None
        record = self.pick(known)
        nested = [f for f in record.layout.fields if f.code.isupper()]
        if nested and not self.below(3):
            each = self.pick(nested)
            layout = self.found(each.code)
            assert layout is not None
            text = f"{record.text}.{each.name}"
            if each.shape:
                text = self.element(Array(text, each.code, each.shape))
            return Record(text, layout)
        return record

    def some_array(
        self, fits: Callable[[Array], bool], writes: bool = False, records: bool = True
    ) -> Array | None:
        """An array in reach of whose kind it is, a field of a record or not."""
        known = [a for a in self.block.arrays.values() if fits(a)]
        if not writes:
            known += [a for a in self.tables if fits(a)]
        if records and not (known and self.below(2)):
            record = self.some_record()
            if record is not None:
                for f in record.layout.fields:
                    array = Array(f"{record.text}.{f.name}", f.code, f.shape, f.tame)
                    if f.shape and fits(array):
                        known.append(array)
        return self.pick(known) if known else None

    def some_place(self, codes: Sequence[str], writes: bool = False) -> Place | None:
        """A field of a record or an element of an array, of one of these dtypes."""
        if not self.below(2):
            record = self.some_record()
            if record is not None:
                known = [f for f in record.layout.fields if f.code in codes and not f.shape]
                if known:
                    f = self.pick(known)
                    return Place(f"{record.text}.{f.name}", f.code, f.tame)
        array = self.some_array(lambda a: a.code in codes, writes)
        if array is None:
            return None
        return Place(self.element(array), array.code, array.tame)

    def element(self, array: Array) -> str:
        """An element of an array, `a[i, j]`."""
        return f"{array.text}[{', '.join(self.index(array, n) for n in array.shape)}]"

    def index(self, array: Array, n: int | None) -> str:
        """An index below `n`, or from its end; where n is None, the length is not known."""
        if n is None:
            if self.below(2):
                return f"{self.deeper(self.integer, 1)[0]} % len({array.text})"
            return self.pick(("0", "-1"))
        inside = [
            k for k, v in self.block.names.items() if v.kind == "i" and 0 <= v.low <= v.high < n
        ]
        way = self.below(6)
        if way == 0:
            return str(self.below(n))
        if inside and way < 4:
            return self.pick(inside)
        if way == 1:
            return str(-1 - self.below(n))
        if self.deep > 2:
            return str(self.below(n))
        return self.deeper(self.computed, n, way)

    def computed(self, n: int, way: int) -> str:
        """An index worked out as the program runs."""
        if way == 2 and n & n - 1 == 0 and n > 1:
            return f"shr({self.bits(1)}, {65 - n.bit_length()})"
        if way == 3:
            return self.integer(1, -n, n - 1)[0]
        return self.integer(1, 0, n - 1)[0]

    def read(self, place: Place) -> Number:
        """The value of a place as an integer."""
        low, high = RANGES[place.code]
        if place.tame and place.code == "i8":
            low, high = -16 * TAME, 16 * TAME  # it may have grown a little since it was written
        if place.code in NARROW:
            if place.code[0] == "i" and self.rarely(12):
                return place.text, low, high  # bold: in plain Python a narrow number overflows
            if place.code[0] == "u" and self.rarely(8):  # bits of it, as packed tables are read
                return f"(({place.text} >> {self.below(4)}) & {self.pick((15, 3, 1))})", 0, 15
            if self.rarely(6):
                self.numba = False  # where int() leaves a number as narrow as it is
                return f"int({place.text})", low, high
            return f"np.int64({place.text})", low, high
        return place.text, low, high

    # -- integers --

    def integer(self, depth: int, low: int = MIN, high: int = MAX) -> Number:
        """An integer expression between `low` and `high`."""
        return self.fit(self.unbounded(depth), low, high)

    def fit(self, number: Number, low: int, high: int) -> Number:
        """Give the number, brought between two bounds where it may leave them."""
        text, least, most = number
        if low <= least and most <= high:
            return number
        if re.fullmatch(r"\(?-?\d+\)?", text):  # a literal: no need of operators
            value = low + (least - low) % (high - low + 1)
            return self.literal(value)
        way = self.below(3)
        masks = [mask for mask in MASKS if low <= 0 and mask <= high]
        if way == 0 and masks:
            return f"({text} & {masks[-1]})", 0, masks[-1]
        if way <= 1 and low <= 0 and high < MAX:
            return f"({text} % {high + 1})", 0, high
        return f"min(max({text}, {low}), {high})", low, high

    def literal(self, value: int) -> Number:
        """An integer as text."""
        return (str(value) if value >= 0 else f"({value})"), value, value

    def leaf(self) -> Number:
        """A literal, a constant, a variable or a place."""
        way = self.below(8)
        if way >= 4:
            names = [k for k, v in self.block.names.items() if v.kind == "i"]
            if names:
                k = self.pick(names)
                return k, self.block.names[k].low, self.block.names[k].high
        if way >= 2 and self.deep < 3:
            self.deep += 1
            place = self.some_place(("i8", "i8", *NARROW))
            number = self.read(place) if place is not None else None
            self.deep -= 1
            if number is not None:
                return number
        if way == 1 and self.ints:
            k = self.pick(sorted(self.ints))
            return k, self.ints[k], self.ints[k]
        if way == 2:
            return self.literal(self.pick(EDGES))
        return self.literal(self.pick((0, 1, 2, 3, -1, 5, -2, 10, -13, 100)))

    def unbounded(self, depth: int) -> Number:
        """An integer expression of any size."""
        if depth <= 0 or self.deep > 4:
            return self.leaf()
        make = self.pick(
            (
                Maker.leaf_again, Maker.sum, Maker.sum, Maker.bitwise, Maker.product, Maker.shift,
                Maker.divided, Maker.bitwise, Maker.chosen, Maker.of_bits, Maker.either,
                Maker.of_call, Maker.unary, Maker.cast, Maker.of_sequence, Maker.extreme,
            )
        )  # fmt: skip
        return self.deeper(make, self, depth - 1)

    def leaf_again(self, depth: int) -> Number:
        """Expressions are not all deep."""
        return self.leaf()

    def sum(self, depth: int) -> Number:
        """a + b and a - b; bold ones may overflow."""
        a, b = self.unbounded(depth), self.unbounded(depth)
        bold = self.rarely(12) and not _constant(a, b)
        minus = self.below(2)
        for _ in range(2):
            low, high = (a[1] - b[2], a[2] - b[1]) if minus else (a[1] + b[1], a[2] + b[2])
            if bold or (low >= MIN and high <= MAX):
                break
            a, b = self.fit(a, -(2**62) + 1, 2**62 - 1), self.fit(b, -(2**62) + 1, 2**62 - 1)
        low, high = max(low, MIN), min(high, MAX)
        return f"({a[0]} {'-' if minus else '+'} {b[0]})", low, high

    def product(self, depth: int) -> Number:
        """a * b."""
        a, b = self.unbounded(depth), self.unbounded(depth)
        corners = [x * y for x in a[1:] for y in b[1:]]
        if min(corners) < MIN or max(corners) > MAX:
            if _constant(a, b) or not self.rarely(12):
                a, b = self.fit(a, -(2**31), 2**31), self.fit(b, -(2**31), 2**31)
            corners = [x * y for x in a[1:] for y in b[1:]]
        return f"({a[0]} * {b[0]})", max(min(corners), MIN), min(max(corners), MAX)

    def divisor(self, depth: int) -> Number:
        """An integer that is not zero."""
        way = self.below(4)
        if way == 3:
            text, low, high = self.unbounded(depth)
            return f"({text} | 1)", *_power(low, high)
        return self.literal(self.pick((1, 2, 3, 7, 10, 64, -1, -2, -3, 1000, -(2**31), MAX, MIN)))

    def divided(self, depth: int) -> Number:
        """a // b and a % b, which round down."""
        a, b = self.unbounded(depth), self.divisor(depth)
        if self.below(2):
            most = max(abs(a[1]), abs(a[2]))
            low = -most if a[1] < 0 or b[1] < 0 else 0
            high = most if a[2] > 0 or b[1] < 0 else 0
            return f"({a[0]} // {b[0]})", max(low, MIN), min(high, MAX)
        return f"({a[0]} % {b[0]})", min(b[1] + 1, 0), max(b[2] - 1, 0)

    def bitwise(self, depth: int) -> Number:
        """a & b, a | b, a ^ b."""
        a, b = self.unbounded(depth), self.unbounded(depth)
        sign = self.pick("&|^")
        low, high = _power(min(a[1], b[1]), max(a[2], b[2]))
        if sign == "&" and max(a[1], b[1]) >= 0:
            low, high = 0, min(x[2] for x in (a, b) if x[1] >= 0)
        return f"({a[0]} {sign} {b[0]})", low, high

    def count(self, most: int = 63) -> Number:
        """Give a distance to shift: 0 to `most`, which is one less than a power of 2."""
        if self.below(2):
            return self.integer(1, 0, most)
        return self.literal(self.pick([n for n in (1, 0, 2, 3, 7, 8, 31, 32, 62, 63) if n <= most]))

    def shift(self, depth: int) -> Number:
        """a << n and a >> n, of negative integers too."""
        a = self.unbounded(depth)
        if self.below(2):
            n = self.count()
            return f"({a[0]} >> {n[0]})", min(a[1], 0), max(a[2], 0)
        n = self.count(self.pick((3, 7, 15, 31)))
        if n[2] > 15 or self.rarely(12):
            a = self.fit(a, -(2**31), 2**31)
        if not MIN <= a[1] << n[2] <= a[2] << n[2] <= MAX:
            a = self.fit(a, -(2**31), 2**31)
        corners = [x << k for x in a[1:] for k in n[1:]]
        return f"({a[0]} << {n[0]})", max(min(corners), MIN), min(max(corners), MAX)

    def unary(self, depth: int) -> Number:
        """-a, ~a, abs(a)."""
        text, low, high = self.unbounded(depth)
        way = self.below(3)
        if way == 0:
            return f"(~{text})", ~high, ~low
        if low == MIN and (low == high or not self.rarely(3)):
            text, low, high = self.fit((text, low, high), -MAX, MAX)
        if way == 1:
            return f"(-{text})", -high, min(-low, MAX)
        return f"abs({text})", 0, min(max(abs(low), abs(high)), MAX)

    def chosen(self, depth: int) -> Number:
        """a if c else b."""
        a, c, b = self.unbounded(depth), self.condition(depth), self.unbounded(depth)
        return f"({a[0]} if {c} else {b[0]})", min(a[1], b[1]), max(a[2], b[2])

    def either(self, depth: int) -> Number:
        """`a and b`, `a or b` as values."""
        a, b = self.unbounded(depth), self.unbounded(depth)
        low, high = min(a[1], b[1]), max(a[2], b[2])
        return f"({a[0]} {self.pick(('or', 'and'))} {b[0]})", min(low, 0), max(high, 0)

    def extreme(self, depth: int) -> Number:
        """min and max of two or three."""
        some = [self.unbounded(depth) for _ in range(3 if self.rarely(4) else 2)]
        if self.below(2):
            low, high = min(x[1] for x in some), min(x[2] for x in some)
            return f"min({', '.join(x[0] for x in some)})", low, high
        low, high = max(x[1] for x in some), max(x[2] for x in some)
        return f"max({', '.join(x[0] for x in some)})", low, high

    def of_bits(self, depth: int) -> Number:
        """Give an integer that a function of dragon.bits makes."""
        if self.rarely(8):  # numba takes a large bit set for a negative number
            self.numba = False
            n, sign = 2 + self.below(30), self.pick(("//", "%"))
            high = (2 * MAX + 1) // n if sign == "//" else n - 1
            return f"np.int64({self.bits(depth)} {sign} {n})", 0, high
        way = self.below(6)
        if way == 0:
            return f"popcount({self.any_bits(depth)})", 0, 64
        if way == 1:
            if self.below(2):
                return f"msb({self.any_bits(depth)})", -1, 63
            return f"ctz({self.any_bits(depth)})", 0, 64
        if way == 2:
            return f"i64({self.any_bits(depth)})", MIN, MAX
        if way == 3:
            k = self.integer(depth, 0, 7)[0]
            held = [k for k, v in self.block.names.items() if v.kind == "u"]
            x = self.pick(held) if held else self.bits(0)
            return f"(select({x}, {k}) if popcount({x}) > {k} else -1)", -1, 63
        if way == 4:
            return f"select({self.bits(depth)} | bit({self.count()[0]}), 0)", 0, 63
        random = self.some_array(lambda a: a.code == "u8" and len(a.shape) == 1, writes=True)
        if random is None:
            return f"np.int64({self.bits(depth)})", MIN, MAX
        n = self.integer(depth, 1, 2**32 - 1)
        return f"draw({random.text}, {n[0]})", 0, n[2] - 1

    def cast(self, depth: int) -> Number:
        """Conversions: of booleans, floats, and to narrow integers and back."""
        way = self.below(5)
        if way == 0:
            return f"int({self.boolean(depth)})", 0, 1
        if way == 1:
            most = self.pick((10**6, 2**31, 2**62))
            return f"int(min(max({self.real(depth)}, {-most}.0), {most}.0))", -most, most
        if way == 2:
            text, low, high = self.unbounded(depth)
            return f"np.int64({text})", low, high
        code = self.pick(("i4", "i1", "u1", "u4", "i2", "u2"))
        name = f"np.{'u' * (code[0] == 'u')}int{8 * int(code[1])}"
        if way == 3:
            return f"np.int64({name}({self.integer(depth, *RANGES[code])[0]}))", *RANGES[code]
        # a numpy integer that does not fit is cut to its low bits
        return f"np.int64({name}(np.int64({self.unbounded(depth)[0]})))", *RANGES[code]

    def of_sequence(self, depth: int) -> Number:
        """A length, or an element of a constant tuple at an index worked out."""
        if self.tuples and self.below(2):
            k = self.pick(sorted(self.tuples))
            values = self.tuples[k]
            at = self.index(Array(k, "i8", (len(values),)), len(values))
            if "shr(" in at:
                at = "0"
            return f"{k}[{at}]", min(values), max(values)
        array = self.some_array(lambda a: True)
        if array is None:
            return self.leaf()
        known = array.shape[0]
        return f"len({array.text})", known or 0, known or 64

    def of_call(self, depth: int) -> Number:
        """A call of a helper."""
        text = self.call(("i",), depth)
        return (text, -TAME, TAME) if text else self.leaf()

    # -- bit sets --

    def any_bits(self, depth: int) -> str:
        """Give an argument for dragon.bits: a bit set, or an integer, negative too."""
        held = [k for k, v in self.block.names.items() if v.kind == "p"]
        if held and self.below(2):
            return self.pick(held)
        return self.bits(depth) if self.below(3) else self.unbounded(depth)[0]

    def bits_leaf(self) -> str:
        """A bit set that is there already."""
        way = self.below(6)
        held = [k for k, v in self.block.names.items() if v.kind == "u"]
        if held and way >= 3:
            return self.pick(held)
        if way >= 2 and self.deep < 3:
            place = self.deeper(self.some_place, ("u8",))
            if place is not None:
                return place.text
        if way == 1 and self.sets:
            return self.pick(self.sets)
        return f"{self.pick(('u64', 'np.uint64'))}({self.pick(WORDS)})"

    def bits(self, depth: int) -> str:
        """An expression that is a bit set."""
        if depth <= 0 or self.deep > 4:
            return self.bits_leaf()
        return self.deeper(self.made_bits, depth - 1)

    def made_bits(self, depth: int) -> str:
        way = self.below(18) - 1
        if way < 0:
            return self.bits_leaf()
        if way <= 3:
            return f"({self.bits(depth)} {self.pick('&|^')} {self.bits(depth)})"
        if way <= 5:
            shift = self.pick(("shl", "shr"))
            return f"{shift}({self.any_bits(depth)}, {self.count()[0]})"
        if way == 6:
            return f"(~{self.bits(depth)})"
        if way == 7:
            return f"bit({self.integer(depth, 0, 63)[0]})"
        if way == 8:
            return f"drop({self.any_bits(depth)})"
        if way == 9:
            both = f"{self.any_bits(depth)}, {self.any_bits(depth)}"
            return f"{self.pick(('add', 'mul'))}({both})"
        if way == 10:
            return f"mix({self.any_bits(depth)})"
        if way == 11:
            return f"u64({self.any_bits(depth)})"
        if way == 12:
            return f"({self.bits(depth)} if {self.condition(depth)} else {self.bits(depth)})"
        if way == 13:
            return f"({self.bits(depth)} {self.pick(('and', 'or'))} {self.bits(depth)})"
        if way == 14:
            return f"{self.pick(('min', 'max'))}({self.bits(depth)}, {self.bits(depth)})"
        if way == 15:
            return self.call(("u",), depth) or self.bits_leaf()
        if self.below(2):
            return f"np.uint64({self.integer(depth, 0, MAX)[0]})"
        if self.below(2):  # arithmetic of small bit sets
            sign = self.pick(("+", "*", "//", "%"))
            other = "u64(3)" if sign in "//%" else f"shr({self.bits(depth)}, 33)"
            return f"(shr({self.bits(depth)}, 32) {sign} {other})"
        return f"({self.bits(depth)} >> {self.count()[0]})"

    # -- booleans and conditions --

    COMPARISONS = ("<", "==", ">", "<=", ">=", "!=")

    def boolean(self, depth: int) -> str:
        """An expression that is True or False."""
        held = [k for k, v in self.block.names.items() if v.kind == "b"]
        if depth <= 0 or self.deep > 4:
            if held and self.below(2):
                return self.pick(held)
            return f"({self.leaf()[0]} {self.pick(self.COMPARISONS)} {self.leaf()[0]})"
        return self.deeper(self.made_boolean, depth - 1)

    def made_boolean(self, depth: int) -> str:
        way = self.below(14)
        sign = self.pick(self.COMPARISONS)
        if way <= 3:
            return f"({self.unbounded(depth)[0]} {sign} {self.unbounded(depth)[0]})"
        if way == 4:
            other = self.pick(self.COMPARISONS)
            some = [self.compared(depth) for _ in range(3)]
            return f"({some[0]} {sign} {some[1]} {other} {some[2]})"
        if way <= 6:
            return f"({self.compared(depth)} {sign} {self.compared(depth)})"
        if way == 7:
            return f"has({self.any_bits(depth)}, {self.count()[0]})"
        if way == 8:
            return f"(not {self.condition(depth)})"
        if way == 9:
            return f"({self.boolean(depth)} {self.pick(('and', 'or'))} {self.boolean(depth)})"
        if way == 10:
            return f"bool({self.condition(depth)})"
        if way == 11:
            among = ", ".join(self.leaf()[0] for _ in range(2 + self.below(3)))
            return f"({self.unbounded(depth)[0]} {self.pick(('in', 'not in'))} ({among}))"
        if way == 12:
            held = self.pick([*self.block.names, *self.constants])
            return f"({held} {self.pick(('is', 'is not'))} None)"
        return self.call(("b",), depth) or f"({self.real(depth)} {sign} {self.real(depth)})"

    def compared(self, depth: int) -> str:
        """One side of a comparison: signed, unsigned, narrow or float."""
        way = self.below(6)
        if way <= 1:
            return self.unbounded(depth)[0]
        if way <= 3:
            self.numba = False  # which compares an int64 and a uint64 as floats
            return self.bits(depth)
        if way == 4:
            place = self.some_place(NARROW)
            return place.text if place is not None else self.leaf()[0]
        return self.real(depth) if self.rarely(3) else self.literal(self.pick(EDGES))[0]

    def condition(self, depth: int) -> str:
        """Give a condition for `if`: a boolean, or a number that is not zero."""
        way = self.below(8)
        if way <= 4:
            return self.boolean(depth)
        if way == 5:
            return self.bits(depth)
        if way == 6:
            return self.unbounded(depth)[0]
        word = self.pick(("and", "or"))
        return (
            f"({self.condition(depth - 1)} {word} {self.condition(depth - 1)})"
            if depth > 0
            else "True"
        )

    # -- floats --

    def real(self, depth: int) -> str:
        """A float."""
        held = [k for k, v in self.block.names.items() if v.kind == "f"]
        if depth <= 0 or self.deep > 4:
            if held and self.below(2):
                return self.pick(held)
            if not self.below(3) and self.deep < 3:
                place = self.deeper(self.some_place, ("f8",))
                if place is not None:
                    return place.text
            return self.pick(FLOATS)
        return self.deeper(self.made_real, depth - 1)

    def made_real(self, depth: int) -> str:
        way = self.below(12) - 1
        if way < 0:
            return self.real(0)
        if way <= 3:
            return f"({self.real(depth)} {self.pick('+-*')} {self.real(depth)})"
        if way == 4:
            return f"({self.real(depth)} / {self.pick(('2.0', '3.0', '0.1', '-7', '10'))})"
        if way == 5:
            return f"float({self.unbounded(depth)[0]})"
        if way == 6:
            most = 2**53
            a, b = self.integer(depth, -most, most), self.fit(self.divisor(depth), -most, most)
            if b[1] <= 0 <= b[2]:
                b = self.literal(3)
            return f"({a[0]} / {b[0]})"
        if way == 7:
            inside = f"abs({self.real(depth)})"
            return f"math.sqrt({inside})" if self.below(2) else f"math.log({inside} + 1.0)"
        if way == 8:
            return f"({self.real(depth)} {self.pick('+-*')} {self.unbounded(depth)[0]})"
        if way == 9:
            return f"{self.pick(('min', 'max'))}({self.real(depth)}, {self.real(depth)})"
        return f"(-{self.real(depth)} if {self.condition(depth)} else {self.real(depth)})"

    def value(self, kind: str, depth: int) -> str:
        """An expression of a kind; i is tame, w any integer."""
        if kind == "i":
            return self.integer(depth, -TAME, TAME)[0]
        if kind == "w":
            return self.unbounded(depth)[0]
        if kind == "p":
            return self.any_bits(depth)
        return {"u": self.bits, "b": self.boolean, "f": self.real}[kind](depth)

    # -- calls --

    def call(self, returns: tuple[str, ...], depth: int) -> str:
        """A call of a helper that returns this, or nothing where there is none."""
        known = [h for h in self.callable if h.returns == returns]
        if not known:
            return ""
        helper = self.pick(known)
        given = [self.argument(kind, min(depth, 1)) for kind in helper.parameters]
        return "" if "" in given else f"{helper.name}({', '.join(given)})"

    def argument(self, kind: str, depth: int) -> str:
        """Give an argument for a parameter."""
        if kind.startswith("record"):
            layout = kind.partition(" ")[2]
            known = [r.text for r in self.block.records.values() if r.layout.name == layout]
            for array in self.block.arrays.values():
                if array.code == layout:
                    known.append(self.element(array))
            return self.pick(known) if known else ""
        if kind.startswith("array"):
            code = kind.partition(" ")[2]
            tame = code == "i8"
            array = self.some_array(
                lambda a: a.code == code and len(a.shape) <= 2 and a.tame >= tame, writes=True
            )
            if array is None:
                return ""
            if len(array.shape) == 2:
                return f"{array.text}[{self.index(array, array.shape[0])}]"
            return self.part(array, array.shape[0], 1) if self.below(2) else array.text
        return self.value(kind, depth)

    def part(self, array: Array, n: int | None, least: int = 0) -> str:
        """A slice `a[i:j]`, `a[i:]`, `a[:j]`, with `least` elements or more."""
        if n is None:
            return f"{array.text}[0:]"
        way = self.below(4)
        if way == 0:
            return f"{array.text}[:{self.integer(1, least, n)[0]}]"
        if way == 1:
            return f"{array.text}[{self.integer(1, 0, n - least)[0]}:]"
        i = self.below(n - least + 1)
        if way == 2:
            return f"{array.text}[{i}:{self.integer(1, i + least, n)[0]}]"
        return f"{array.text}[{-n + i}:{i + max(least, self.below(n - i + 1))}]"

    # -- statements --

    def statements(self, most: int, block: Block) -> list[str]:
        """The lines of a block, at least one."""
        outer, self.block = self.block, block
        lines: list[str] = []
        for n in range(most):
            if n and (self.budget <= 0 or self.rarely(9)):
                break
            self.budget -= 1
            lines += self.statement()
            if lines and lines[-1] in ("break", "continue"):
                break
        self.block = outer
        return lines or ["pass"]

    def inside(self, most: int, loop: bool = False, **names: Variable) -> list[str]:
        """A block inside, indented."""
        block = self.block.inner(loop)
        block.names |= names
        return [f"    {line}" for line in self.statements(most, block)]

    def statement(self) -> list[str]:
        """The lines of one statement."""
        if self.block.loop and self.rarely(6):
            return self.leave()
        made = self.pick(
            (
                Maker.assign, Maker.write, Maker.assign, Maker.augment, Maker.write, Maker.branch,
                Maker.assign, Maker.augment_memory, Maker.count_loop, Maker.branch, Maker.bits_loop,
                Maker.while_loop, Maker.leave, Maker.swap, Maker.fill, Maker.call_statement,
                Maker.unpack, Maker.view, Maker.copy, Maker.choose_name, Maker.branch,
                Maker.tuple_loop, Maker.augment_memory, Maker.retype, Maker.augment,
                Maker.list_bits, Maker.early, Maker.switch, Maker.tangle, Maker.named,
            )
        )(self)  # fmt: skip
        return made or self.assign()

    def declare(self, name: str, variable: Variable) -> None:
        """Make a name known from here to the end of its block."""
        if name not in self.block.names:
            self.block.own.add(name)
        self.block.names[name] = variable

    def target(self, kinds: str) -> tuple[str, Variable] | None:
        """A variable that may be assigned."""
        known = [(k, v) for k, v in self.block.names.items() if v.kind in kinds and not v.fixed]
        return self.pick(known) if known else None

    def assigned(self, variable: Variable, depth: int) -> str:
        """An expression that a variable may hold."""
        if variable.kind == "i":
            return self.integer(depth, variable.low, variable.high)[0]
        return self.value(variable.kind, depth)

    def assign(self) -> list[str]:
        """x = ..."""
        known = self.target("iubf")
        if known is not None and self.below(2):
            return [f"{known[0]} = {self.assigned(known[1], 3)}"]
        variable = self.new_variable()
        name = self.name({"i": "n", "u": "x", "b": "ok", "f": "r"}[variable.kind])
        line = f"{name} = {self.assigned(variable, 3)}"
        self.declare(name, variable)
        return [line]

    def new_variable(self) -> Variable:
        kind = self.pick("iiiuuubbf")
        if kind == "i" and self.below(3):
            return Variable("i", -TAME, TAME)
        return Variable(kind)

    def choose_name(self) -> list[str]:
        """A name that both branches assign, and that is known after."""
        variable = self.new_variable()
        name = self.name("m")
        condition = self.condition(2)
        first, second = self.assigned(variable, 2), self.assigned(variable, 2)
        self.declare(name, variable)
        return [f"if {condition}:", f"    {name} = {first}", "else:", f"    {name} = {second}"]

    def augment(self) -> list[str]:
        """x += ..., and the other operators."""
        known = self.target("iuf")
        if known is None:
            return []
        name, variable = known
        if variable.kind == "u":
            sign = self.pick(("|=", "&=", "^=", ">>="))
            given = self.count()[0] if sign == ">>=" else self.bits(2)
        elif variable.kind == "f":
            sign = self.pick(("+=", "-=", "*=", "/="))
            given = self.pick(("2.0", "-3.0", "10")) if sign == "/=" else self.real(2)
        else:
            sign, given = self.signed_change(variable.high < 2**40)
        return [f"{name} {sign} {given}"]

    def signed_change(self, tame: bool) -> tuple[str, str]:
        """Give a change of an integer in place."""
        signs = ("&=", "|=", "^=", "//=", "%=", ">>=", "<<=", "*=")
        sign = self.pick(("+=", "-=", *signs) if tame else signs)
        if sign in ("//=", "%="):
            return sign, self.divisor(1)[0]
        if sign in (">>=", "<<="):
            return sign, self.count(1 if sign == "<<=" else 63)[0]
        if sign in ("+=", "-="):
            return sign, self.integer(2, -128, 127)[0]
        if sign == "*=":
            return sign, self.literal(self.pick((0, 1, -1, 2)))[0]
        return sign, self.integer(2, *((-TAME, TAME) if tame else (MIN, MAX)))[0]

    def stored(self, code: str, tame: bool) -> str:
        """Give a value that may be written to memory of a dtype."""
        if code == "u8":
            return self.bits(2) if self.below(4) else self.integer(2, 0, MAX)[0]
        if code == "f8":
            return self.real(2) if self.below(4) else self.integer(2, -TAME, TAME)[0]
        if code == "i8":
            return self.value("i" if tame else "w", 3)
        if self.rarely(8):  # a numpy integer that does not fit is cut to its low bits
            return f"np.int64({self.unbounded(2)[0]})"
        return self.integer(2, *RANGES[code])[0]

    def write(self) -> list[str]:
        """s.field = ..., a[i, j] = ..."""
        place = self.some_place(self.pick((("i8",), ("u8",), NARROW, ("f8",), NARROW)), writes=True)
        if place is None:
            return []
        return [f"{place.text} = {self.stored(place.code, place.tame)}"]

    def augment_memory(self) -> list[str]:
        """s.field += ..., a[i] |= ..."""
        place = self.some_place((*RANGES, "f8"), writes=True)
        if place is None:
            return []
        if place.code == "u8":
            sign, given = self.pick("|&^"), self.bits(2)
            return [f"{place.text} {sign}= {given}"]
        if place.code == "f8":
            return [f"{place.text} {self.pick('+-*')}= {self.real(2)}"]
        if place.code in NARROW:
            high = RANGES[place.code][1]
            if self.below(3):
                return [f"{place.text} {self.pick('&|^')}= {self.integer(1, 0, high)[0]}"]
            return [f"{place.text} {self.pick('+-')}= {self.integer(1, 0, 3)[0]}"]
        sign, given = self.signed_change(place.tame)
        return [f"{place.text} {sign} {given}"]

    def branch(self) -> list[str]:
        """if, elif, else."""
        lines = [f"if {self.condition(2)}:", *self.inside(3)]
        while self.rarely(4):
            lines += [f"elif {self.condition(2)}:", *self.inside(2)]
        if self.below(2):
            lines += ["else:", *self.inside(3)]
        return lines

    def named(self) -> list[str]:
        """if (n := ...) < ..., where it is always come to, or else is known in the branch alone."""
        name, variable = self.name("k"), Variable("i", -TAME, TAME)
        given, sign = self.assigned(variable, 2), self.pick(self.COMPARISONS)
        test = f"({name} := {given}) {sign} {self.leaf()[0]}"
        self.numba = False  # which finds no type for some, and looks into sides that it leaves out
        if self.below(2):
            self.declare(name, variable)
            return [f"if {test}:", *self.inside(2), "else:", *self.inside(2)]
        return [f"if {self.condition(1)} and {test}:", *self.inside(2, **{name: variable})]

    def switch(self) -> list[str]:
        """A branch on a constant, one side of which is never compiled."""
        on = self.pick([k for k in self.constants if k.startswith("HAS_")] or ["True"])
        negated = self.pick(("", "not "))
        also = f" and {self.condition(1)}" if self.rarely(3) else ""
        lines = [f"if {negated}{on}{also}:", *self.inside(2)]
        return [*lines, "else:", *self.inside(2)] if self.below(2) else lines

    def counter(self) -> tuple[str, Variable | None]:
        """A loop's name: a new one, or now and then a variable, which keeps its last value."""
        known = [
            k
            for k, v in self.block.names.items()
            if v.kind == "i" and not v.fixed and v.low <= -64 and v.high >= 64
        ]
        if known and self.rarely(4):
            return self.pick(known), None
        return self.name("i"), Variable("i", fixed=True)

    def count_loop(self) -> list[str]:
        """for i in range(...), with one to three arguments, up and down."""
        if self.block.loop and not self.rarely(3):
            return []
        name, variable = self.counter()
        way = self.below(6)
        if way <= 1:
            stop = self.integer(2, -1, 6)
            heading, low, high = stop[0], 0, max(0, stop[2] - 1)
        elif way == 2:
            array = self.some_array(lambda a: a.shape[0] is not None)
            n = array.shape[0] if array is not None else 3
            heading, low, high = f"len({array.text})" if array else "3", 0, (n or 1) - 1
        elif way == 3:
            start, stop = self.integer(1, -4, 4), self.integer(1, -3, 8)
            heading, low, high = f"{start[0]}, {stop[0]}", start[1], stop[2] - 1
        elif way == 4:
            start, stop = self.integer(1, -3, 8), self.integer(1, -8, 4)
            step = self.pick((-1, -2, -3))
            heading, low, high = f"{start[0]}, {stop[0]}, {step}", stop[1] + 1, start[2]
        else:
            start, stop = self.integer(1, -4, 4), self.integer(1, -3, 12)
            step = self.pick((2, 3, 5, 1))
            heading, low, high = f"{start[0]}, {stop[0]}, {step}", start[1], stop[2] - 1
        names = {}
        if variable is not None:
            names = {name: replace(variable, low=low, high=max(low, high), fixed=not self.below(4))}
            if not names[name].fixed:  # assigned in the body, which the loop does not mind
                names[name] = Variable("i", -TAME, TAME)
        return [f"for {name} in range({heading}):", *self.inside(4, True, **names)]

    def tuple_loop(self) -> list[str]:
        """for x in (1, 6, 7), or over a constant."""
        name = self.name("step")
        if self.tuples and self.below(2):
            k = self.pick(sorted(self.tuples))
            text, values = k, self.tuples[k]
        else:
            values = tuple(self.pick((1, 6, 7, 8, 0, -1, 63)) for _ in range(1 + self.below(4)))
            text = repr(values)
        body = self.inside(3, True, **{name: Variable("i", min(values), max(values), True)})
        return [f"for {name} in {text}:", *body]

    def while_loop(self) -> list[str]:
        """while, which ends because something counts down."""
        if self.block.loop and not self.rarely(3):
            return []
        left = self.name("left")
        start = self.integer(1, 0, 6)
        inside = {left: Variable("i", 0, 6, True)}
        way = self.below(3)
        if way == 0:
            also = f" and {self.condition(1)}" if self.rarely(3) else ""
            lines = [f"while {left} > 0{also}:", f"    {left} -= 1"]
        elif way == 1:
            lines = [f"while {left}:", f"    {left} -= 1"]
        else:
            lines = ["while True:", f"    if {left} == 0:", "        break", f"    {left} -= 1"]
        return [f"{left} = {start[0]}", *lines, *self.inside(4, True, **inside)]

    def bits_loop(self) -> list[str]:
        """while rest, or for: over the members of a bit set."""
        if self.block.loop and not self.rarely(3):
            return []
        rest, one = self.name("rest"), self.name("i")
        names = {rest: Variable("u", fixed=True), one: Variable("i", 0, 63, True)}
        if self.below(2):
            over = names[one] if self.below(4) else Variable("i", -TAME, TAME)
            return [f"for {one} in members({self.bits(2)}):",
                    *self.inside(3, True, **{one: over})]  # fmt: skip
        lines = [f"{rest} = {self.bits(2)}", f"while {rest}:", f"    {one} = ctz({rest})"]
        return [*lines, f"    {rest} = drop({rest})", *self.inside(3, True, **names)]

    def leave(self) -> list[str]:
        """break or continue, under a condition, now and then under none."""
        if not self.block.loop:
            return []
        word = self.pick(("continue", "break"))
        return [word] if self.rarely(8) else [f"if {self.condition(2)}:", f"    {word}"]

    def early(self) -> list[str]:
        """An early return, or an exception."""
        condition = self.condition(2)
        # What always raises returns nothing, and compilers refuse to go on with that.
        known = [k for k, v in self.block.names.items() if v.kind == "i"]
        if known and self.rarely(4):
            varies = f"{self.pick(known)} {self.pick(self.COMPARISONS)} {self.leaf()[0]}"
            word = self.pick(("no move", "full", "a third text"))
            return [f"if {varies} and {condition}:", f'    raise ValueError("{word}")']
        return [f"if {condition}:", f"    {self.result()}"]

    def result(self) -> str:
        """return ..."""
        return f"return {', '.join(self.value(kind, 2) for kind in self.returns)}".strip()

    def swap(self) -> list[str]:
        """a, b = b, a: of names and of elements."""
        if self.below(2):
            array = self.some_array(lambda a: a.code in RANGES or a.code == "f8", writes=True)
            if array is not None:
                a, b = self.element(array), self.element(array)
                return [f"{a}, {b} = {b}, {a}"]
        known = self.target("iubf")
        if known is None:
            return []
        name, variable = known
        alike = [k for k, v in self.block.names.items() if v == variable]
        other = self.pick(alike)
        if len(alike) > 2 and self.rarely(3):
            third = self.pick(alike)
            if len({name, other, third}) == 3:
                return [f"{name}, {other}, {third} = {third}, {name}, {other}"]
        return [f"{name}, {other} = {other}, {name}"] if name != other else []

    def unpack(self) -> list[str]:
        """a, b = ..., of expressions, of a helper's tuple or of an array."""
        record = self.some_record()
        fields = () if record is None else record.layout.fields
        short = [f for f in fields if f.code in ("i8", "u8", "f8") and len(f.shape) == 1]
        if record is not None and short and self.below(2):
            self.numba = False
            array = self.pick(short)
            names = [self.name("t") for _ in range(array.shape[0])]
            for name in names:
                self.declare(name, Variable(array.code[0]))
            return [f"{', '.join(names)} = {record.text}.{array.name}"]
        helpers = [h for h in self.callable if len(h.returns) > 1]
        if helpers and self.below(3):
            returns = self.pick(helpers).returns
            text = self.call(returns, 2)
            if not text:
                return []
            if self.rarely(4):
                at = self.below(len(returns))
                name = self.name("t")
                self.declare(name, _held(returns[at]))
                return [f"{name} = {text}[{at}]"]
            names = [self.name("t") for _ in returns]
            for name, kind in zip(names, returns, strict=True):
                self.declare(name, _held(kind))
            return [f"{', '.join(names)} = {text}"]
        first, second = self.new_variable(), self.new_variable()
        values = f"{self.assigned(first, 2)}, {self.assigned(second, 2)}"
        names = [self.name("t"), self.name("t")]
        for name, variable in zip(names, (first, second), strict=True):
            self.declare(name, variable)
        return [f"{', '.join(names)} = {values}"]

    def fill(self) -> list[str]:
        """a[:n] = 0."""
        array = self.some_array(lambda a: len(a.shape) == 1 and a.code.islower(), writes=True)
        if array is None:
            return []
        given = "0" if self.below(2) else self.stored(array.code, array.tame)
        return [f"{self.part(array, array.shape[0])} = {given}"]

    def view(self) -> list[str]:
        """A local name for a row, a part of an array, or a record."""
        way = self.below(3)
        name = self.name("part")
        if way == 0:
            record = self.some_record()
            if record is None:
                return []
            self.block.records[name] = Record(name, record.layout)
            return [f"{name} = {record.text}"]
        array = self.some_array(lambda a: a.code.islower(), writes=True)
        if array is None:
            return []
        first, *others = array.shape
        if way == 1 and others:
            line = f"{name} = {array.text}[{self.index(array, first)}]"
            self.block.arrays[name] = replace(array, text=name, shape=tuple(others))
            return [line]
        if len(array.shape) > 1 or first is None or first < 2:
            self.block.arrays[name] = replace(array, text=name)
            return [f"{name} = {array.text}"]
        size = 1 + self.below(first - 1)
        start = self.integer(1, 0, first - size)
        if not start[0].isidentifier() and not start[0].isdigit():
            start = self.literal(self.below(first - size + 1))
        self.block.arrays[name] = replace(array, text=name, shape=(size,))
        return [f"{name} = {array.text}[{start[0]}:{start[0]} + {size}]"]

    def copy(self) -> list[str]:
        """states[1] = states[0]: a whole record."""
        known = [a for a in self.block.arrays.values() if a.code.isupper()]
        if not known:
            return []
        array = self.pick(known)
        to = self.element(array)
        others = [r.text for r in self.block.records.values() if r.layout.name == array.code]
        return [f"{to} = {self.pick([self.element(array), *others])}"]

    def list_bits(self) -> list[str]:
        """n = elements(...): at most eight of them."""
        array = self.some_array(
            lambda a: a.code == "i8" and len(a.shape) == 1 and (a.shape[0] or 0) >= 8, writes=True
        )
        if array is None:
            return []
        name = self.name("n")
        shifted = self.pick(("shr({}, 56)", "{} & u64(0xC100000000000081)"))
        line = f"{name} = elements({shifted.format(self.bits(1))}, {array.text})"
        self.declare(name, Variable("i", 0, 8))
        return [line]

    def call_statement(self) -> list[str]:
        """A call for what it does to memory."""
        if not self.callable:
            return []
        text = self.call(self.pick(self.callable).returns, 2)
        return [text] if text else []

    def tangle(self) -> list[str]:
        """a[0] += f(a), where f may write to a: the old element is read first."""
        some: dict[str, list[str]] = {}
        for kind in ("array i8", "array u8", "array f8", "array u1"):
            for helper in self.callable:
                if len(helper.returns) == 1 and kind in helper.parameters:
                    some.setdefault(helper.name, []).append(kind)
        if not some:
            return []
        helper = self.pick([h for h in self.callable if h.name in some])
        shared = self.pick(some[helper.name])
        text = self.argument(shared, 1)
        given = [text if k == shared else self.argument(k, 1) for k in helper.parameters]
        if "" in given:
            return []
        call = f"{helper.name}({', '.join(given)})"
        result, code = helper.returns[0], shared.partition(" ")[2]
        at = self.pick(("0", "-1"))
        if (code[0], result) in (("i", "i"), ("u", "u"), ("f", "f")) and code != "u1":
            return [f"{text}[{at}] {self.pick('^&|' if result != 'f' else '+-')}= {call}"]
        if (result, code) == ("i", "u8"):
            return [f"{text}[{at}] ^= u64({call})"]
        name = self.name("n")
        read = {"u1": f"np.int64({text}[{at}])", "u8": f"i64({text}[{at}])"}.get(code)
        both = [read or f"{text}[{at}]", call]
        if self.below(2):
            both.reverse()
        self.declare(name, Variable("b"))
        return [f"{name} = {both[0]} {self.pick(self.COMPARISONS)} {both[1]}"]

    def retype(self) -> list[str]:
        """A name that was signed becomes unsigned, or a float a boolean: one type an assignment."""
        known = [k for k in self.block.names if k in self.block.own]
        known = [k for k in known if not self.block.names[k].fixed]
        if not known:
            return []
        name = self.pick(known)
        before = self.block.names[name].kind
        kind = {"i": "u", "u": "i", "b": "i", "f": "i"}.get(before)
        if kind is None:
            return []
        line = f"{name} = {self.value('w' if kind == 'i' else kind, 2)}"
        self.block.names[name] = Variable(kind)
        return [line]

    # -- functions --

    def function(self, helper: Helper, block: Block, most: int) -> list[str]:
        """A function's text, given what its parameters are."""
        self.returns = helper.returns
        self.budget = most
        self.block = block
        heading = []
        if "pair" in helper.parameters and self.below(2):
            heading = ["first, second = pair"]
            block.names |= {"first": Variable("i", -TAME, TAME), "second": Variable("i")}
        elif "pair" in helper.parameters:
            heading = ["first = pair[0]"]
            block.names |= {"first": Variable("i", -TAME, TAME)}
        if "both" in helper.parameters:
            heading.append("near, far = both")
            block.arrays["near"] = Array("near", "i8", (8,), True)
            block.arrays["far"] = Array("far", "u8", (5,))
        if "states" in helper.parameters:
            heading.append("s = states[0]")
            block.records["s"] = Record("s", self.layouts[-1])
        lines = self.statements(most, block)
        self.block = block
        if lines[-1] != "pass" or self.returns:
            lines.append(self.result())
        text = " ".join(lines)
        used = [
            x for x in heading if any(_names(n, text) for n in x.partition(" = ")[0].split(", "))
        ]
        lines = used + lines
        return [f"def {helper.name}({', '.join(helper.parameters)}):", *(f"    {x}" for x in lines)]

    def make_helper(self) -> list[str]:
        """A helper, which may call those before it."""
        kinds: list[str] = []
        names: list[str] = []
        block = Block({}, {}, {})
        for n in range(self.below(4)):
            choices = ["i", "u", "w", "b", "p", "f", "array i8", "array u8", "array u1", "array f8"]
            choices += [f"record {layout.name}" for layout in self.layouts] * 2
            kind = self.pick(choices)
            name = "abcd"[n]
            kinds.append(kind)
            names.append(name)
            if kind.startswith("array"):
                code = kind.partition(" ")[2]
                block.arrays[name] = Array(name, code, (None,), code == "i8")
            elif kind.startswith("record"):
                layout = self.found(kind.partition(" ")[2])
                assert layout is not None
                block.records[name] = Record(name, layout)
            else:
                block.names[name] = Variable("p") if kind == "p" else _held(kind)
        returns = self.pick((("i",), ("i",), ("u",), ("b",), ("i", "u"), (), ("i", "b", "f")))
        helper = Helper(self.name("helper"), tuple(kinds), returns)
        text = self.function(replace(helper, parameters=tuple(names)), block, 1 + self.below(5))
        written = [n for n, k in zip(names, kinds, strict=True) if k.startswith("array")]
        if written and self.below(2):  # it writes to what it is given
            text.insert(
                1, f"    {self.pick(written)}[{self.pick(('0', '-1'))}] = {self.pick('15207')}"
            )
        self.callable.append(helper)
        return text

    def make_constants(self) -> None:
        """Module-level or closure constants: integers, bit sets, tuples, arrays, switches."""
        for value in (self.pick(EDGES), 1 + self.below(9)):
            name = self.name("K")
            self.constants[name] = str(value)
            self.ints[name] = value
        name = self.name("FULL")
        self.constants[name] = f"u64({self.pick(WORDS)})"
        self.sets.append(name)
        name = self.name("TEAM")
        self.tuples[name] = tuple(self.pick((0, 1, -1, 7, 1000)) for _ in range(2 + self.below(3)))
        self.constants[name] = repr(self.tuples[name])
        self.constants[self.name("HAS_")] = self.pick(("False", "True"))
        self.constants[self.name("NO")] = "None"
        name = self.name("TABLE")
        self.constants[name] = "np.array([3, -1, 4, -1, 5, -9, 2, 6], np.int64)"
        self.tables.append(Array(name, "i8", (8,), True, True))
        name = self.name("NEAR")
        words = "[[1, 0x8000000000000000, 0], [0xFFFFFFFFFFFFFFFF, 5, 4294967296]]"
        self.constants[name] = f"np.array({words}, np.uint64)"
        self.tables.append(Array(name, "u8", (2, 3), False, True))
        code = self.pick(NARROW)
        name = self.name("NARROW")
        self.constants[name] = f"np.array([0, 1, 2, 3, 100], {code!r})"
        self.tables.append(Array(name, code, (5,), False, True))

    def program(self) -> Program:
        """A module."""
        inner = self.layout("INNER", None)
        outer = self.layout("RECORD", inner)
        self.layouts = [inner, outer] if self.below(2) else [self.layout("RECORD", None)]
        if len(self.layouts) == 1:
            outer = self.layouts[0]
        self.make_constants()
        helpers = [self.make_helper() for _ in range(self.below(2 + 2 * self.size))]
        small, flat, deep = (
            self.pick(NARROW),
            self.pick((*NARROW, "i8", "u8")),
            self.pick(("i8", *NARROW)),
        )
        memory: dict[str, tuple[str, tuple[int, ...], bool]] = {
            "states": (outer.name, (3,), False),
            "board": (self.layouts[0].name, (2, 2), False),
            "ints": ("i8", (10,), True),
            "wides": ("i8", (9,), False),
            "words": ("u8", (6,), False),
            "small": (small, (7,), False),
            "grid": (flat, (3, 4), False),
            "cube": (deep, (2, 3, 2), False),
            "reals": ("f8", (5,), False),
        }
        block = Block({}, {}, {})
        for name, (code, shape, tame) in memory.items():
            block.arrays[name] = Array(name, code, shape, tame)
        scalars = {"n": "i", "wide": "w", "real": "f", "flag": "b"}
        block.names |= {name: _held(kind) for name, kind in scalars.items()}
        parameters = (*memory, *scalars, "pair", "both")
        memory |= {"near": ("i8", (8,), True), "far": ("u8", (5,), False)}
        returns = self.pick(
            (("i",), ("u",), ("b",), ("i", "u", "b"), ("f",), (), ("i", "f"), ("w", "u"))
        )
        entry = self.function(
            Helper("entry", parameters, returns), block, 2 + self.below(4 + 10 * self.size)
        )
        source, used = self.whole(helpers, entry)
        given = {*used, *(("near", "far") if "both" in used else ())}
        memory = {name: kind for name, kind in memory.items() if name in given}
        inputs = tuple(self.input() for _ in range(3))
        return Program(source, used, returns, memory, inputs, self.numba)

    def input(self) -> Input:
        """One call's scalars."""
        n = self.pick((0, 1, -1, 5, 63, 1000, -TAME, TAME))
        wide = self.pick((0, 1, -1, 255, *EDGES))
        second = self.pick((0, -1, 2, *EDGES))
        scalars = {
            "n": n,
            "wide": wide,
            "real": float(self.pick(FLOATS)),
            "flag": bool(self.below(2)),
        }
        return Input({**scalars, "pair": (self.pick((0, 3, -200)), second)}, self.below(1000))

    def whole(self, helpers: list[list[str]], entry: list[str]) -> tuple[str, tuple[str, ...]]:
        """The module's text, without what nothing uses; and the parameters that `entry` has."""
        kept = [entry]
        for lines in reversed(helpers):
            name = lines[0].removeprefix("def ").partition("(")[0]
            if any(re.search(rf"\b{name}\(", line) for other in kept for line in other):
                kept.insert(0, lines)
        body = "\n".join(entry[1:])
        header = re.match(r"def entry\((.*)\):", entry[0])
        assert header is not None
        used = tuple(p for p in header[1].split(", ") if _names(p, body))
        entry[0] = f"def entry({', '.join(used)}):"
        text = "\n".join(line for lines in kept for line in lines)
        constants = [
            f"{name} = {value}" for name, value in self.constants.items() if _names(name, text)
        ]
        closure = bool(self.below(2))
        sections = ["import math", "import numpy as np", f"from dragon.bits import {BITS}"]
        sections += [layout.text() for layout in self.layouts]
        if closure:
            sections.append("def make():")
            sections += [f"    {line}" for line in [*constants, *text.split("\n"), "return entry"]]
            sections.append("entry = make()")
        else:
            sections += [*constants, text]
        return "\n".join(sections), used


BITS = (
    "u64, i64, bit, has, popcount, ctz, msb, drop, select, elements, members, shl, shr, add, mul, "
    "mix, draw"
)


def _constant(a: Number, b: Number) -> bool:
    """Tell whether both are known already, so that a compiler may refuse what overflows."""
    return a[1] == a[2] and b[1] == b[2]


def _names(name: str, text: str) -> bool:
    """Tell whether a text names something."""
    return re.search(rf"\b{name}\b", text) is not None


def _power(low: int, high: int) -> tuple[int, int]:
    """The interval of all integers with no more bits than these have."""
    most = (1 << max(low if low >= 0 else ~low, high if high >= 0 else ~high).bit_length()) - 1
    return (0 if low >= 0 else -most - 1), most


def _held(kind: str) -> Variable:
    """Give text that holds a value of a kind; i is tame, w any integer."""
    return Variable("i", -TAME, TAME) if kind == "i" else Variable("i" if kind == "w" else kind)


def seeded(seed: int, size: int = 1) -> Program:
    """A program from a seed."""
    return Maker(Random(seed).randrange, size).program()


def replayed(choices: Sequence[int], size: int) -> Program:
    """A program from choices, the simplest ones when these run out."""
    rest = iter(choices)
    return Maker(lambda n: next(rest, 0) % n, size).program()


def shrunk(seed: int, size: int, fails: Callable[[Program], bool], tries: int = 1000) -> Program:
    """A small program that fails as that of a seed does: choices are left out or made simple.

    Hypothesis shrinks what it draws; this is for seeds, which are drawn six times as fast.
    """
    random, choices = Random(seed), []

    def recorded(n: int) -> int:
        choices.append(random.randrange(n))
        return choices[-1]

    best = Maker(recorded, size).program()
    length = 256
    while length and tries:
        at, before = 0, tries
        while at < len(choices) and tries:
            gone = choices[:at] + choices[at + length :]
            plain = choices[:at] + [0] * length + choices[at + length :]
            for attempt in (gone, plain):
                if attempt == choices or not tries:
                    continue
                program = replayed(attempt, size)
                tries -= 1
                if len(program.source) <= len(best.source) and fails(program):
                    best, choices = program, attempt
                    break
            else:
                at += length
        length = length // 2 if tries < before else 0
    return best


_BELOW = [st.integers(0, max(0, n - 1)) for n in range(1001)]


@st.composite
def programs(draw: Any, size: int = 1) -> Program:
    """Programs, as a Hypothesis strategy."""
    return Maker(lambda n: draw(_BELOW[n]), size).program()


# ---- what a program is given ----


def filled(program: Program, layouts: dict[str, Any], seed: int) -> dict[str, Any]:
    """Arrays by name; `layouts` are dtypes by name."""
    random, made = Random(seed), {}
    for name, (code, shape, tame) in program.memory.items():
        made[name] = np.zeros(shape, layouts[code] if code in layouts else np.dtype(code))
        if seed:
            _fill(made[name], random, tame)
    return made


def arguments(program: Program, arrays: dict[str, Any], call: Input) -> dict[str, Any]:
    """Scalars and copies of arrays, by parameter."""
    given: dict[str, Any] = dict(call.scalars)
    for name, array in arrays.items():  # with the bytes between fields, which a copy may leave out
        copy = np.frombuffer(bytearray(array.tobytes()), array.dtype)
        given[name] = copy.reshape(array.shape)
    if "both" in program.parameters:
        given["both"] = (given.pop("near"), given.pop("far"))
    return {name: given[name] for name in program.parameters}


def _fill(array: Any, random: Random, tame: bool) -> None:
    """Random contents, edges among them; fields one by one, so that padding stays zero."""
    if array.dtype.names:
        for name in array.dtype.names:
            _fill(array[name], random, name == "count" or name.startswith("tame"))
        return
    if array.dtype.kind == "f":
        values = [
            random.choice((0.0, 1.0, -2.5, 1e6, random.uniform(-9, 9))) for _ in range(array.size)
        ]
    else:
        values = _integers(array, random, tame)
    array[...] = np.array(values, array.dtype).reshape(array.shape)


def _integers(array: Any, random: Random, tame: bool) -> list[int]:
    low, high = np.iinfo(array.dtype).min, np.iinfo(array.dtype).max
    small = [max(each, low) for each in (0, 1, 2, 3, 5, 100, -1, -50)]
    values = random.choices(small, k=array.size)
    for n, way in enumerate(() if tame else random.choices(range(4), k=array.size)):
        if way == 0:
            values[n] = random.choice((low, high, high >> 1, (low + high) // 2))
        elif way == 1:
            values[n] = random.randint(low, high)
    return values
