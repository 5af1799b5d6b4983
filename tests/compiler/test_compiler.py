"""The compiler: what its code is like, what it gives Python, and what it refuses."""

from __future__ import annotations

import copy
import enum
import gc
import math
import os
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
import pytest

from dragon import bits
from dragon.bits import bit, ctz, draw, elements, i64, popcount, u64
from dragon.compiler import entries
from dragon.compiler.assembly import Assembly
from dragon.compiler.emission import function_text
from dragon.compiler.entries import Machine, compile_entry
from dragon.compiler.library import acquire, release
from dragon.compiler.location import Endless, Refused
from dragon.compiler.machine import Target, object_code
from dragon.compiler.program import Program
from dragon.compiler.types import INT, UINT, Array, Type, of_dtype
from dragon.rules.layout import readable
from tests.compiler.compiled import compile_function

INTS = Array(INT, (None,))


def emitted(function: Any, *kinds: Type, checked: bool = False) -> str:
    """LLVM's text of a function, before it is optimised."""
    assembly = Assembly(checked)
    assembly.entry("entry", Program().instance(function, kinds))
    return assembly.text(function_text)


# ---- what is emitted


def both(a: Any, b: Any) -> Any:
    return a > 3 and b > 3


def reckons(a: Any, b: Any) -> Any:
    return (a + b) * 2 - a


def sets(a: Any, b: Any) -> Any:
    return (u64(a) + u64(b)) * u64(2)


def third(a: Any, i: Any) -> Any:
    return a[i] // 3 + (a[i] << 2)


def quotient(a: Any, b: Any) -> Any:
    return a // b


def test_conditions_are_branches() -> None:
    text = emitted(both, INT, INT)
    assert " br i1 " in text
    assert " and i1 " not in text
    assert "select" not in text


def test_signed_arithmetic_must_not_overflow_and_unsigned_wraps() -> None:
    assert len(re.findall(r"(add|sub|mul) nsw i64", emitted(reckons, INT, INT))) == 3
    assert "nsw" not in emitted(sets, UINT, UINT)


def moved(records: Any) -> None:
    records[1] = records[0]


@pytest.mark.parametrize(("words", "rest", "calls"), [(3, 0, 0), (16, 0, 0), (17, 0, 1), (3, 4, 1)])
def test_small_records_are_copied_word_by_word(words: int, rest: int, calls: int) -> None:
    layout = np.dtype([("cells", "u8", (words,)), ("rest", "u1", (rest,))])
    text = emitted(moved, Array(of_dtype(layout), (None,)))
    assert text.count("call void @llvm.memcpy") == calls
    assert len(re.findall(r"store i64 %\S+, ptr %\S+, align 1", text)) == (0 if calls else words)
    records = np.arange(2 * layout.itemsize, dtype=np.uint8).view(layout)
    compile_function(moved).call(records)
    assert records[0] == records[1]
    assert records[0].tobytes() == bytes(range(layout.itemsize))


def stretch(a: Any, low: Any, high: Any) -> Any:
    part = a[low:high]
    return 100 * len(part) + (part[0] if len(part) > 0 else 0) + 10 * len(a[low:])


def test_an_end_of_a_slice_that_lies_within_is_taken_as_it_is() -> None:
    assert emitted(stretch, INTS, INT, INT).count("!prof !0") == 3
    compiled, numbers = compile_function(stretch), np.arange(1, 6)
    for low in range(-8, 9):
        for high in range(-8, 9):
            assert compiled.call(numbers, low, high) == stretch(numbers, low, high)


def test_a_lock_is_an_atomic_exchange_that_orders_all_else() -> None:
    exchange = r"atomicrmw xchg ptr %\S+, i64 \S+ seq_cst, align 8"
    for function in (acquire, release):
        assert len(re.findall(exchange, emitted(function, INTS))) == 1


def test_an_index_is_checked_only_when_asked() -> None:
    assert "icmp ult" not in emitted(third, INTS, INT)
    assert "icmp ult" in emitted(third, INTS, INT, checked=True)


def test_a_division_by_a_constant_has_no_test_for_zero() -> None:
    assert "icmp eq i64" not in emitted(third, INTS, INT)
    assert "icmp eq i64" in emitted(quotient, INT, INT)


def kept(table: Any, key: Any) -> Any:
    if SWITCH:
        return table[key]
    return table.there_is_no_such_thing


SWITCH = True


def test_the_side_not_taken_is_not_read() -> None:
    assert compile_function(kept)(np.arange(3), 2) == 2


def test_code_for_another_machine() -> None:
    text = emitted(third, INTS, INT)
    wasm = object_code(text, Target("wasm32-unknown-unknown"))
    assert wasm.startswith(b"\0asm")
    assert (
        object_code(text, Target("aarch64-unknown-linux-gnu"))[18:20] == b"\xb7\0"
    )  # ELF's number
    assert not object_code(text).startswith(b"\0asm")


# ---- checked code


def shifts(a: Any, n: Any) -> Any:
    return a << n


def stepped(a: Any, step: Any) -> Any:
    for i in range(0, a, step):
        a = i
    return a


CHECKED = [
    (third, (np.arange(4), 4), IndexError, "an index is out of bounds"),
    (third, (np.arange(4), -5), IndexError, "an index is out of bounds"),
    (quotient, (7, 0), ZeroDivisionError, "division by zero"),
    (shifts, (7, 64), ValueError, "a shift by a count that is not 0 to 63"),
    (stepped, (7, 0), ValueError, "the step of a range is zero"),
    (shifts, (7, -1), ValueError, "a shift by a count that is not 0 to 63"),
]


@pytest.mark.parametrize(("function", "arguments", "kind", "text"), CHECKED)
def test_checked_code_ends_with_the_line(
    function: FunctionType, arguments: Any, kind: Any, text: str
) -> None:
    with pytest.raises(kind, match=text) as caught:
        compile_function(function, checked=True)(*arguments)
    place = caught.value.compiled_place
    assert (place.file, place.line) == (__file__, function.__code__.co_firstlineno + 1)
    assert place.function == function.__name__
    compile_function(function)(*arguments[:-1], 1)


def test_checked_code_is_the_same_where_nothing_is_wrong() -> None:
    assert compile_function(third, checked=True)(np.arange(4), -1) == third(np.arange(4), -1)
    assert compile_function(quotient, checked=True)(-7, 2) == -4


# ---- the edges of arithmetic

LEAST, MOST = -(1 << 63), (1 << 63) - 1
EDGES = [0, 1, -1, 2, -2, 3, 7, -7, MOST, MOST - 1, LEAST, LEAST + 1]


def divide(a: Any, b: Any) -> Any:
    return a // b, a % b


def by_constants(a: Any) -> Any:
    return a // 3, a % 3, a // -3, a % -3, a // 8, a % 8, a // 1, a % 1


def compare(a: Any, b: Any) -> Any:
    x = u64(b)
    return a < x, a <= x, a == x, a != x, a > x, a >= x, x < a, x <= a, x == a, x > a, x >= a


def widths(a: Any) -> Any:
    return (np.int8(a), np.uint8(a), np.int16(a), np.uint16(a), np.int32(a), np.uint32(a),
            np.int64(a), np.uint64(a))  # fmt: skip


@pytest.mark.samples("0", "-7")
@pytest.mark.parametrize("a", EDGES)
def test_division_rounds_down_and_zero_gives_zero(a: int) -> None:
    for b in EDGES:
        if a == LEAST and b == -1:
            assert compile_function(divide)(a, b) == (LEAST, 0), "the one that does not fit wraps"
        else:
            assert compile_function(divide)(a, b) == (divide(a, b) if b else (0, 0))
    assert compile_function(by_constants)(a) == by_constants(a)


def divide_set(x: Any, b: Any) -> Any:
    return u64(x) // i64(b), u64(x) % i64(b)


def divide_by_set(a: Any, x: Any) -> Any:
    return i64(a) // u64(x), i64(a) % u64(x)


def divide_set_by_constants(x: Any) -> Any:
    y = u64(x)
    y //= 7
    x = u64(x)
    return (x // 10, x % 10, x // 1, x % 1, x // -10, x % -10, 10 // x, 10 % x, y, x % (x > u64(0)),
            (1, 2, 3)[x % 3])  # fmt: skip


SETS = [0, 1, 2, 3, 7, 10, MOST, MOST + 1, MOST + 8, (1 << 64) - 1]


@pytest.mark.full
def test_bit_sets_are_divided_by_value() -> None:
    """Also by an integer, and an integer by them, as far as int64 holds what comes of it."""
    fits = 0
    for x in SETS:
        for n in EDGES:
            for function, a, b in ((divide_set, x, n), (divide_by_set, n, x)):
                found = compile_function(function)(a, b)
                for got, wanted in zip(found, divmod(a, b) if b else (0, 0), strict=True):
                    if LEAST <= wanted <= MOST:
                        assert got == wanted, (function.__name__, a, b)
                        fits += 1
        wanted_of_set = (x // 10, x % 10, x, 0, x // -10, x % -10, 10 // x if x else 0,
                         10 % x if x else 0, x // 7, 0, (1, 2, 3)[x % 3])  # fmt: skip
        assert compile_function(divide_set_by_constants)(x) == wanted_of_set
    assert fits > 450
    with pytest.raises(ZeroDivisionError):
        compile_function(divide_set, checked=True)(1, 0)


__private = 5


class Private:
    """Functions whose names Python reads otherwise."""

    __shared = 7

    def functions(self) -> Any:
        __kept = 9

        def own(x: Any) -> Any:
            __y = x + __kept
            return __y + Private.__shared

        def outer(x: Any) -> Any:
            return x + __private  # type: ignore[name-defined]

        return own, outer


def test_private_names_of_a_class_are_read_as_python_reads_them() -> None:
    own, outer = Private().functions()
    assert compile_function(own)(1) == own(1) == 17
    with pytest.raises(NameError):
        outer(1)
    said = (
        "'_Private__private' is not defined; Python reads '__private' so within the class Private"
    )
    with pytest.raises(Refused, match=f"{said}: write one underscore"):
        compile_function(outer)(1)


async def awaited(x: Any) -> Any:
    return x


def needs_numpy(x: Any) -> Any:
    return numpy.int8(x)  # type: ignore[name-defined]  # noqa: F821


def needs_msb(x: Any) -> Any:
    return msb(x)  # type: ignore[name-defined]  # noqa: F821


def parts(x: Any) -> Any:
    return divmod(x, 2)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (awaited, "an async function cannot be a rule; write `def` alone"),
        (needs_numpy, "'numpy' is not defined; write `import numpy` at the top of the file"),
        (needs_msb, "'msb' is not defined; write `from dragon.bits import msb` at the top of the"),
        (parts, r"the compiler does not support divmod\(x, 2\); write a // b and a % b"),
    ],
)
def test_what_python_reads_otherwise_is_refused_with_the_remedy(function: Any, said: str) -> None:
    with pytest.raises(Refused, match=said):
        compile_function(function)(1)


@pytest.mark.samples("0", "-7")
@pytest.mark.parametrize("a", EDGES)
def test_signed_and_unsigned_compare_by_value(a: int) -> None:
    for b in (0, 1, 7, MOST, MOST + 1, (1 << 64) - 1):
        assert compile_function(compare)(a, b) == tuple(map(bool, compare(a, int(b)))), (a, b)


@pytest.mark.parametrize("a", EDGES)
def test_casts_keep_the_low_bits(a: int) -> None:
    low = [(a & ((1 << n) - 1)) for n in (8, 8, 16, 16, 32, 32, 64, 64)]
    wanted = tuple(
        x - (1 << n) if signed and x >> (n - 1) else x
        for x, n, signed in zip(low, (8, 8, 16, 16, 32, 32, 64, 64), (True, False) * 4, strict=True)
    )
    assert compile_function(widths)(a) == wanted


def whole(x: Any) -> Any:
    return int(x), np.uint8(x), math.floor(x), math.ceil(x)


def test_floats_become_integers_towards_zero_or_as_near_as_there_is() -> None:
    f = compile_function(whole)
    assert f(2.75) == (2, 2, 2, 3)
    assert f(-2.25)[0] == -2
    assert f(-2.25)[2:] == (-3, -2)
    assert f(1e300)[0] == MOST
    assert f(-1e300)[0] == LEAST
    assert f(math.nan)[0] == 0


# ---- statements


def first_signed_then_not(n: Any) -> Any:
    x = n - 5
    total = x
    x = bit(n)
    return total, x, popcount(x)


def steps(start: Any, stop: Any, step: Any) -> Any:
    total, count, last = 0, 0, -1
    for i in range(start, stop, step):
        total += i * (count + 1)
        count += 1
        last = i
    else:
        count += 1000
    return total, count, last


def broken_off(n: Any) -> Any:
    for i in range(n):
        if i == 3:
            break
    else:
        return -1
    while i > 0:
        i -= 1
        if i == 1:
            continue
        n += i
    else:
        n += 100
    return n


def late(n: Any) -> Any:
    total = 0
    for i in range(n):
        if i > 0:
            total += before  # noqa: F821
        before = i * 2  # noqa: F841
    return total


def swapped(a: Any) -> Any:
    a[0], a[1] = a[1], a[0]
    x, (y, z) = 1, (a[0], a[1])
    x, y = y, x
    return x, y, z


def ranges(a: Any) -> Any:
    total = 0
    for x in a:
        total = 3 * total + x
    for x in (2, 3, 5):
        total = 3 * total + x
    if (n := len(a)) > 2:
        total += n
    return total


def gcd(a: Any, b: Any) -> Any:
    return a if b == 0 else gcd(b, a % b)


def odd(n: Any) -> Any:
    return False if n == 0 else even(n - 1)


def even(n: Any) -> Any:
    return True if n == 0 else odd(n - 1)


def flood(board: Any, i: Any) -> None:
    if i < 0 or i >= len(board) or board[i] != 0:
        return
    board[i] = 7
    flood(board, i - 1)
    flood(board, i + 1)


def over_nothing(n: Any) -> Any:
    for i in ():
        n = i
    else:
        n += 1
    return n


def once_in(a: Any) -> Any:
    return bump(a) + 0 in (5, bump(a), bump(a) - 2), bump(a) in (1, 2), bump(a) not in (9, a[0])


def draws_once(random: Any, a: Any) -> Any:
    a[bits.draw(random, 5)] += 10
    return bits.draw(random, 100)


class Held(NamedTuple):
    """Arrays with names, one of them in another structure."""

    counts: Any
    inner: Any


class Inner(NamedTuple):
    """A part of the other."""

    weight: Any
    counts: Any


def counted(held: Any, i: Any) -> None:
    held.counts[i] += held.inner.weight
    held.inner.counts[-1] = held[0][i]


def by_name(held: Any, n: Any) -> Any:
    for i in range(n):
        counted(held, i)
    counts, inner = held
    return held.counts[n - 1] + len(counts) + inner[0]


def misnamed(held: Any) -> Any:
    return held.count[0]


def renamed(held: Any) -> None:
    held.counts = held.inner


def emptied(held: Any) -> None:
    held[0] = 0


def held() -> Held:
    return Held(np.arange(4), Inner(7, np.zeros(2, np.int64)))


def test_the_fields_of_a_named_tuple_have_their_names() -> None:
    plain, fast, again = held(), held(), held()
    compiled = compile_function(by_name)
    assert compiled(fast, 3) == by_name(plain, 3)
    assert compiled.call(again, 3) == by_name(held(), 3)  # without a detour
    for found in (fast, again):
        assert (found.counts == plain.counts).all()
        assert (found.inner.counts == plain.inner.counts).all()
    assert compiled.call is not compiled
    with pytest.raises(Refused, match=r"there is no 'counts' in \(an array"):
        compiled.call(tuple(plain), 3)


def bump(a: Any) -> Any:
    a[0] += 1
    return a[0]


def pair(a: Any) -> Any:
    return bump(a), 5


def nothing(a: Any) -> None:
    a[0] += 1


def retyped(n: Any) -> Any:
    y = 0.0
    for i in range(n):
        if i == 0:
            x = 1
        y = y + x
        x = 2.5
    return y


def ends_late(n: Any) -> Any:
    while True:
        if n == 9:
            break
        x = 1
        if n == 50:
            break
        x = 2.5
        n += 1
    return x + 0.5


def ends_first(n: Any) -> Any:
    i = 0
    while True:
        if i == n:
            break
        i += 1
        z = i
    return z


def listswap(a: Any, b: Any) -> Any:
    [a, b] = b, a
    return 10 * a + b


def in_order(a: Any) -> Any:
    total = 0
    for i in range(bump(a), bump(a) * 2):
        total += i
    for i in range((n := 3), n + 3):
        total += i
    return total


def conditions(a: Any, b: Any) -> Any:
    total = 0
    if a and u64(b):
        total += 1
    if not (a or u64(b)):
        total += 2
    if 3 in (1, 2) or 3 < 2 < 1:
        total += there_is_no_such_name  # noqa: F821
    return total + (4 if 2 in (1, 2) and a else 0)


def widened(a: Any) -> Any:
    return int(np.uint32(a[0])), int(np.uint16(a[0])), np.int64(np.int8(a[0]))


def never_reached(a: Any) -> Any:
    b = 0
    if a > 3 and (c := a * 2) > 3:
        b = c
    return b


def rounded(a: Any) -> Any:
    return math.floor((1 << 60) + 1), math.ceil(a)


def summed(a: Any, i: Any) -> Any:
    return sum(a[i]), sum(a[0, :i]), sum(a[i], 100), sum(a[i, :0])


def bumped(a: Any) -> Any:
    a[0] += 1
    return a[0]


def extremes_in_order(a: Any) -> Any:
    return max(a[0], bumped(a) / 2), min(0.5 + bumped(a), a[0])


def drawn_in_order(random: Any) -> Any:
    return max(bits.draw(random, 6) / 2, bits.draw(random, 6) / 4)


def among_what_changes_it(a: Any) -> Any:
    return a[0] in (bumped(a), 9), a[0] * 2 not in (bumped(a), 6)


def among_what_names_it(x: Any) -> Any:
    return x in ((x := 5), 3)


def asked_before_it_is_given(n: Any) -> Any:
    i = 0
    while i == 0 or x < n:  # noqa: F821
        x = i * 2  # noqa: F841
        i += 1
    return i


def named_the_same(flag: Any) -> Any:
    mode = "fast"
    if flag:
        mode = "fast"
    return mode == "fast"


def every_other(x: Any, out: Any) -> Any:
    return elements(x, out, first=3, step=2), out[0], sum(out, start=1)


def of_words(a: Any) -> Any:
    return sum(a, u64(0))


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (of_words, (np.array([1 << 63, 1], np.uint64),)),
        (extremes_in_order, (np.array([5]),)),
        (drawn_in_order, (np.array([3], np.uint64),)),
        (among_what_changes_it, (np.array([3]),)),
        *((among_what_names_it, (x,)) for x in (3, 4, 5)),
        *((asked_before_it_is_given, (n,)) for n in (0, 1, 5)),
        (named_the_same, (True,)),
        (every_other, (5, np.zeros(2, np.int64))),
        (first_signed_then_not, (63,)),
        *((steps, each) for each in [(0, 10, 3), (10, 0, -3), (5, 5, 1), (3, -4, -1), (0, 7, 7),
                                     (7, 0, 2), (-3, 4, 1)]),
        *((broken_off, (n,)) for n in (0, 3, 4, 9)),
        (late, (6,)),
        (swapped, (np.array([5, 6]),)),
        (ranges, (np.array([1, 2, 3]),)),
        (gcd, (84, 36)),
        (odd, (7,)),
        (even, (7,)),
        (flood, (np.array([0, 0, 1, 0, 0, 0]), 4)),
        (over_nothing, (6,)),
        (once_in, (np.array([3]),)),
        (draws_once, (np.array([3], np.uint64), np.zeros(5, np.int64))),
        (retyped, (4,)),
        (ends_late, (3,)),
        (ends_late, (40,)),
        (ends_first, (4,)),
        (listswap, (1, 2)),
        (in_order, (np.array([3]),)),
        *((conditions, (a, b)) for a in (0, 5) for b in (0, 3)),
        (widened, (np.array([-1], np.int8),)),
        (never_reached, (7,)),
        (rounded, (7,)),
        (summed, (np.array([[3, 4, -9], [5, 6, 7]]), 1)),
    ],
)  # fmt: skip
def test_compiled_is_plain(function: FunctionType, arguments: tuple[Any, ...]) -> None:
    plain = [each.copy() if isinstance(each, np.ndarray) else each for each in arguments]
    fast = [each.copy() if isinstance(each, np.ndarray) else each for each in arguments]
    assert compile_function(function)(*fast) == function(*plain)
    assert all((a == b).all() for a, b in zip(plain, fast, strict=True) if hasattr(a, "all"))


STEPS = np.array([(0, 1), (1, 0), (-1, 5)])
LIMITS = Held(3, Inner(np.float32(0.1), (4, 5)))


def taken_apart(a: Any) -> Any:
    total = 0
    for x, y in STEPS:
        total = 3 * total + x - y * a
    z, (x, y) = a, STEPS[-1]
    x, y = y, x
    return total, z, x, y


def named_constants(a: Any) -> Any:
    return LIMITS.counts + a, float(LIMITS.inner.weight * 2), LIMITS[1].counts[1]


@pytest.mark.parametrize("function", [taken_apart, named_constants])
def test_constants_are_taken_apart(function: FunctionType) -> None:
    assert compile_function(function)(7) == function(7)


NARROW = np.dtype([("a", "u1"), ("b", "u1"), ("c", "u2"), ("d", "u4"), ("many", "u4", (3,))])


def apart(s: Any) -> Any:
    s.many[0], s.many[1], s.many[2] = s.many
    rounds = 0
    for _ in range(s.a - s.b):
        rounds += 1
    return (s.a - s.b, s.a + s.b - s.c, s.a * s.b - s.d, (s.a & s.b) - s.c, (s.a | s.b) % 7 - s.c,
            (s.c // (s.a | 1)) - s.b, (s.d >> s.a % 8) - s.d, -s.a, ~s.d, s.a - s.b < 0, rounds,
            s.d * s.d, max(s.a, s.b) - s.c)  # fmt: skip


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(n, marks=pytest.mark.full) for n in
                                          range(2, 50))])  # fmt: skip
def test_narrow_unsigned_numbers_reckon_as_integers(seed: int) -> None:
    """Records give them so in plain Python, where a difference may be below zero."""
    record = np.zeros(1, NARROW)
    record.view(np.uint8)[:] = np.random.default_rng(seed).integers(0, 256, NARROW.itemsize)
    plain = record.copy().view(readable(NARROW, exact=True))
    assert compile_function(apart_of_first)(record) == apart(plain[0])
    assert record.tobytes() == plain.tobytes()


def apart_of_first(records: Any) -> Any:
    return apart(records[0])


def walrus(a: Any) -> Any:
    x = 0.5
    if a and (x := 5) > 3:
        pass
    return x


def walrus_in_a_chain(n: Any) -> Any:
    x = 1
    y = 3 < n < (x := 7.5)
    return x + y


def twice_max(a: Any) -> Any:
    return max(pair(a))


def truth_of_two(a: Any) -> Any:
    if pair(a):
        return 1
    return 0


def loop_while_two(a: Any) -> Any:
    while not pair(a):
        a[0] += 1
    return a[0]


def how_many_of_two(a: Any) -> Any:
    return len(pair(a))


def one_beside_a_call(a: Any) -> Any:
    return (pair(a)[0], 5)[1]


def name_in_a_tuple(a: Any) -> Any:
    return len((b := a[0],)) + b


def none_is_a_call(a: Any) -> Any:
    return None is pair(a)[0]


def twice_slice(a: Any) -> Any:
    return pair(a)[:2]


def is_none(a: Any) -> Any:
    return nothing(a) is None


def now_and_then(a: Any) -> Any:
    if a > 3:
        return a


def mixed(i: Any, j: Any) -> Any:
    return i or u64(j)


def beyond(a: Any) -> Any:
    return 1 << 200, a


def masked(a: Any, i: Any) -> Any:
    return a[i > 1]


REC = np.dtype([("x", "i8"), ("cells", "i8", (3,))])


def own_record(n: Any) -> Any:
    a = np.zeros(2, REC)
    a[0].x = n
    return a[0]


def reads_own(n: Any) -> Any:
    return own_record(n).x


def own_field(n: Any) -> Any:
    a = np.zeros(2, REC)
    return a[0].cells


def reads_field(n: Any) -> Any:
    return own_field(n)[0]


def writes(rec: Any) -> Any:
    rec.x = 5
    return 1


def other_kinds(a: Any, b: Any) -> None:
    a[0] = b[0]


def to_a_tuple(n: Any) -> Any:
    t = (1, 2)
    t[0] = n
    return t


def to_a_module(n: Any) -> None:
    bits.GOLDEN = n  # type: ignore[misc]


def below_zero(n: Any) -> Any:
    a = np.zeros(-3, np.int64)
    return a[n]


def takes(m: Any, x: Any) -> Any:
    return m.GOLDEN + x


def gives_a_module(x: Any) -> Any:
    return takes(bits, x)


FROZEN = np.zeros(1, REC)
FROZEN.flags.writeable = False


def counts_members(a: Any) -> Any:
    return len(bits.members(a))  # type: ignore[arg-type]


def loops_over_two(a: Any) -> Any:
    for i in bits.members(a, 1):  # type: ignore[call-arg]
        return i


def loops_over_many(a: Any) -> Any:
    for i in bits.members(a):
        return i


def given_by_the_test(n: Any) -> Any:
    while n > 3 and (x := n) > 0:
        x = 2.5
        n -= 1
    return x


def never_given(n: Any) -> Any:
    while x < n:  # noqa: F821
        n -= 1
    x = n
    return x


def of_bit_sets(a: Any) -> Any:
    return sum(a)


def total_of_two(m: Any) -> Any:
    return sum(m)


def draws_of_a_word(word: Any) -> Any:
    return draw(word, 3)


def far(n: Any) -> Any:
    for i in range(n, 1 << 63):
        if i > 9:
            return i
    return -1


def none_below_none(n: Any) -> Any:
    return None < None  # type: ignore[operator]


def table_and(n: Any) -> Any:
    return FROZEN and n


def raises_its_own() -> Any:
    class Own(Exception):
        """A module that cannot be imported."""

    def raising(n: Any) -> Any:
        raise Own("n")

    return raising


def says_what_changes(n: Any) -> Any:
    assert n > 5, f"{n}"
    return n


class Sides(enum.IntFlag):
    """An IntFlag, of which `~` gives the other members."""

    LEFT = 1
    RIGHT = 2


def other_sides(n: Any) -> Any:
    return n & ~Sides.LEFT


def shifted_out(n: Any) -> Any:
    return n >> 70


def no_numbers(n: Any) -> Any:
    return np.zeros(3, n)[0]


def by_place_only(x: Any, /, y: Any) -> Any:
    return x - y


def named_by_place(n: Any) -> Any:
    return by_place_only(x=n, y=1)  # type: ignore[call-arg]


def copied(n: Any) -> Any:
    return copy.copy(n)


def scalar(n: Any) -> Any:
    return np.isscalar(n)


def single_root(n: Any) -> Any:
    return float(np.sqrt(np.float32(n)))


def adds_to_nothing(n: Any) -> Any:
    total += n  # type: ignore[name-defined]  # noqa: F821
    return total


PAIRS = ((0, 1), (1, 0))


def goes_through_pairs(n: Any) -> Any:
    return PAIRS[n][0]


LEFT_OUT = "would be left out, since its value is not asked for; give it a name first"
REVIEWED = [
    (walrus, (True,), 2, "'x' holds float64, and int64 only if it comes to this"),
    (walrus_in_a_chain, (1,), 2, "'x' holds int64, and float64 only if it comes to this"),
    (twice_max, (np.array([3]),), 1, "worked out more than once; give it a name first"),
    (twice_slice, (np.array([3]),), 1, "worked out more than once; give it a name first"),
    (truth_of_two, (np.array([3]),), 1, LEFT_OUT),
    (loop_while_two, (np.array([3]),), 1, LEFT_OUT),
    (how_many_of_two, (np.array([3]),), 1, LEFT_OUT),
    (one_beside_a_call, (np.array([3]),), 1, LEFT_OUT),
    (name_in_a_tuple, (np.array([3]),), 1, LEFT_OUT),
    (none_is_a_call, (np.array([3]),), 1, "`is` asks whether a variable holds None"),
    (is_none, (np.array([3]),), 1, "`is` asks whether a variable holds None"),
    (now_and_then, (5,), 0, "it returns nothing on some way through it"),
    (mixed, (5, 3), 1, "write u64(...) or i64(...)"),
    (beyond, (1,), 1, "does not fit in 64 bits"),
    (masked, (np.arange(3), 2), 1, "numpy takes a truth value for a mask; write int(...)"),
    (reads_own, (7,), None, "it returns memory of its own"),
    (reads_field, (7,), None, "it returns memory of its own"),
    (writes, (FROZEN[0],), 1, "memory that is there to be read only"),
    (other_kinds, (np.zeros(1, [("a", "i8")]), np.zeros(1, [("a", "f8")])), 1, "cannot be written"),
    (to_a_tuple, (3,), 2, "t[0] is not a place that can be written"),
    (misnamed, (held(),), 1, "there is no 'count' in (counts: an array int64[any], inner: (weight"),
    (emptied, (held(),), 1, "held[0] is not a place that can be written"),
    (renamed, (held(),), 1, "held.counts is not a place that can be written"),
    (to_a_module, (3,), 1, "bits.GOLDEN is not a place that can be written"),
    (below_zero, (3,), 1, "a length is below zero"),
    (gives_a_module, (3,), 1, "a module is not a value"),
    (third, (np.arange(3),), 0, "it takes 2 arguments, and is given 1"),
    (counts_members, (3,), 1, "members(x) is for loops; write `for i in members(x)`"),
    (loops_over_two, (3,), 1, "write members(x), of one bit set"),
    (loops_over_many, (np.arange(3),), 1, "members(x) is of a bit set, not of an array int64"),
    (given_by_the_test, (5,), 1, "'x' holds float64, and int64 only if it comes to this"),
    (never_given, (5,), 1, "the variable 'x' has no value here"),
    (of_bit_sets, (np.zeros(2, np.uint64),), 1, "bit sets have no sum"),
    (
        total_of_two,
        (np.zeros((2, 2), np.int64),),
        1,
        "the compiler does not support sum(m) of an array",
    ),
    (draws_of_a_word, (3,), 1, "the compiler does not support draw(word, 3) of int64, int64"),
    (far, (3,), 1, "an end of this range does not fit into int64"),
    (none_below_none, (3,), 1, "`<` compares numbers, not None"),
    (table_and, (3,), 1, "it is an array a record of x, cells[1] or int64"),
    (raises_its_own(), (3,), 1, "Own is of a function; write it at the top of the file"),
    (other_sides, (3,), 1, "whose operators are not those of an int; write int(...) outside"),
    (shifted_out, (3,), 1, "a shift by 70; the count must be 0 to 63"),
    (no_numbers, (3,), 1, "name its numbers, such as np.int64"),
    (named_by_place, (3,), 1, "by_place_only takes 2 arguments: x, y"),
    (copied, (3,), 1, "the compiler does not support copy.copy(n)"),
    (scalar, (3,), 1, "the compiler does not support np.isscalar(n)"),
    (single_root, (3,), 1, "np.sqrt(np.float32(n)) is not a float64 of float32"),
    (adds_to_nothing, (3,), 1, "the variable 'total' has no value here"),
    (goes_through_pairs, (1,), 1, "make this one an array, outside the function"),
    (says_what_changes, (3,), 1, "what an assert says is a text that does not change"),
]


@pytest.mark.parametrize(("function", "arguments", "below", "reason"), REVIEWED)
def test_what_would_be_wrong_is_refused(
    function: FunctionType, arguments: Any, below: int | None, reason: str
) -> None:
    with pytest.raises(Refused) as caught:
        compile_function(function)(*arguments)
    assert reason in caught.value.reason
    if below is not None:
        assert caught.value.line == function.__code__.co_firstlineno + below


class Own(int):
    """An integer of an author's own."""


def test_integers_of_own_classes_are_integers() -> None:
    f = compile_function(big)
    assert f(Own(1)) == 1
    assert f(Own(MOST + 6)) == MOST + 6
    with pytest.raises(Refused):
        f(Own(1 << 70))


def test_what_is_raised_leaves_no_reference_behind() -> None:
    f = compile_function(half)
    with pytest.raises(ValueError, match="seven"):
        f.call(7)
    before = sys.getrefcount(1)
    for _ in range(2000):
        with pytest.raises(ValueError, match="seven"):
            f.call(7)
    assert sys.getrefcount(1) < before + 1000


@pytest.mark.full
def test_threads_may_compile_at_once() -> None:
    """Each its own kernel of one program, of which they share the helpers."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(10):

            def run(function: Any, program: Program) -> Any:
                return Machine(*compile_entry(program, function, (3,)))(3)

            with ThreadPoolExecutor(3) as threads:
                results = threads.map(run, (through, half, gone), [Program()] * 3)
                assert list(results) == [2.5, 1.5, 206.0]
    finally:
        sys.setswitchinterval(usual)


def gone(n: Any) -> Any:
    if n > 1000:
        return 6.0
    return half(n) + through(n) + 202.0


def half(n: Any) -> Any:
    if n == 7:
        raise ValueError("seven")
    if n == 8:
        raise OverflowError
    return n / 2


def through(n: Any) -> Any:
    return half(n) + 1


def test_what_is_raised_deep_down_comes_out_with_its_line() -> None:
    f = compile_function(through)
    assert f(3) == 2.5
    with pytest.raises(ValueError, match=r"^seven$") as caught:
        f(7)
    assert caught.value.compiled_place.line == half.__code__.co_firstlineno + 2
    with pytest.raises(OverflowError):
        f(8)


# ---- records and arrays

PAIR = np.dtype([("low", "i2"), ("high", "u4")])
STATE = np.dtype([("cells", "u1", (2, 3)), ("pairs", PAIR, (2,)), ("ply", "i8"), ("on", "?")])


def works(states: Any, n: Any) -> Any:
    s = states[0]
    s.cells[1, -1] += 250
    s.cells[0] = 3
    s.pairs[1].low = n - 40000
    s.pairs[0] = s.pairs[1]
    s.on = s.ply == 0
    s.ply -= 1
    states[1] = s
    row = states[1].cells[1]
    row[1:] = 9
    return s.pairs[0].low + s.cells[0, 2], len(row), s["ply"]


def test_records_are_changed_in_place_to_the_byte() -> None:
    plain, fast = np.zeros(2, STATE), np.zeros(2, STATE)
    result = compile_function(works)(fast, 5)
    s = plain[0]
    s["cells"][1, 2], s["cells"][0], s["on"], s["ply"] = 250, 3, True, -1
    s["pairs"]["low"] = np.int64(5 - 40000).astype(np.int16)
    plain[1] = plain[0]
    plain[1]["cells"][1, 1:] = 9
    assert fast.tobytes() == plain.tobytes()
    assert result == (int(plain[0]["pairs"][0]["low"]) + 3, 3, -1)


def cut(a: Any, i: Any, j: Any) -> Any:
    part = a[i:j]
    total = len(part)
    for x in part:
        total += x
    return total, len(a[i:]), len(a[:j])


@pytest.mark.samples("9-2", "-3--3", "-9-0", "2-5")
@pytest.mark.parametrize("i", [-9, -3, 0, 2, 5, 9])
@pytest.mark.parametrize("j", [-9, -3, 0, 2, 5, 9])
def test_the_ends_of_slices_are_cut_as_pythons_are(i: int, j: int) -> None:
    a = np.arange(5) * 3
    assert compile_function(cut)(a, i, j) == tuple(map(int, cut(a, i, j)))


def own_memory(n: Any) -> Any:
    seen = np.zeros(8, np.int64)
    table = np.empty((2, 4), np.uint8)
    table[:] = 1
    for i in range(n):
        seen[i % 8] += i
        table[i % 2, i % 4] += 1
    return seen[3], table[1, 3], table.shape[1]


def test_a_function_has_memory_of_its_own() -> None:
    assert compile_function(own_memory)(20) == tuple(map(int, own_memory(20)))


# ---- calls


def kinds(a: Any, b: Any, c: Any, d: Any) -> Any:
    return a + 1, not b, c / 2, d[0][1], u64(a)


def test_values_of_every_kind_go_in_and_come_out() -> None:
    f = compile_function(kinds)
    given = 41, False, 3.0, (np.array([5, 6], np.uint8), np.zeros((2, 2)))
    result = f(*given)
    assert result == (42, True, 1.5, 6, 41)
    assert [type(each) for each in result] == [int, bool, float, int, int]
    assert f.call(*given) == result
    assert f.call is not f or not entries.fits(), "the quick way was made"


class Pair(NamedTuple):
    """Two values of a kind of its own."""

    first: Any
    second: Any


def deep(a: Any, b: Any, c: Any) -> Any:
    return a[1][1][0, 1] + b.second[1][2] * c, b.first, a[0]


def test_tuples_within_tuples_are_taken_apart_in_their_order() -> None:
    f = compile_function(deep)
    table, row = np.arange(6.0).reshape(2, 3), np.arange(5)
    given = (7, (True, table)), Pair(False, (2.5, row)), -3
    assert f(*given) == deep(*given) == (-5.0, False, 7)
    assert f.call(*given) == f(*given)
    assert f.call is not f or not entries.fits(), "the quick way was made"
    longer = (7, (True, table[:, 1:].copy(), 1)), Pair(True, (0.5, row)), 2
    assert f.call(*longer) == deep(*longer) == (6.0, True, 7)
    for other in (
        ((7, (True, table)), (False, (2.5, row)), -3),  # no Pair
        ([7, (True, table)], Pair(False, (2.5, row)), -3),
        ((7, (True, table)), Pair(False, (2.5, row))),
    ):
        with pytest.raises(Refused):
            f.call(*other)
    assert f.call(*given) == deep(*given)


def test_a_call_of_too_many_parts_goes_the_slower_way() -> None:
    f = compile_function(widest)
    for n in (entries.MOST, entries.MOST + 1):
        many = tuple(range(n - 1))
        assert f(many) == f.call(many) == n - 2


def widest(a: Any) -> Any:
    return a[len(a) - 1]


@pytest.mark.full
def test_a_callable_keeps_the_function_that_it_is_made_of() -> None:
    """Two threads that load it at once have one each, and only one is kept for others."""
    f = compile_function(big)
    assert f(3) == f.call(3) == 3
    entries._loaded.cache_clear()
    gc.collect()
    other = compile_function(big)
    assert other(4) == other.call(4) == f.call(4) == 4


@pytest.mark.parametrize("taken", [0, 1, entries.PLACES - 1, entries.PLACES])
def test_calls_in_progress_are_known(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call takes the first free place, or shares one; the others' stay as they are."""
    f = compile_function(big)
    assert f(3) == 3
    others = {1_000 + i: 7 for i in range(taken)}
    for i, number in enumerate(others):
        entries.CALLS[2 + 2 * ((entries.CALLS[0] + 1 + i) % entries.PLACES)] = number
        entries.CALLS[3 + 2 * ((entries.CALLS[0] + 1 + i) % entries.PLACES)] = 7
    try:
        before = entries.CALLS[0]
        assert f.call(3) == 3
        assert entries.CALLS[0] == before + 1
        left = entries.calls()
        assert left.items() <= others.items()
        assert len(left) == min(taken, entries.PLACES - 1)
    finally:
        entries.CALLS[2:] = [0] * (2 * entries.PLACES)


def test_other_arguments_find_other_code() -> None:
    f = compile_function(third)
    assert f.call(np.arange(5), 4) == 17
    assert f.call(np.arange(5, dtype=np.uint8), 4) == 17
    assert f.call(np.arange(5.0).view(np.int64), 0) == 0
    assert f.call(np.arange(5), np.int32(4)) == 17
    with pytest.raises(Refused, match="numpy takes a truth value for a mask"):
        f.call(np.arange(5), True)
    with pytest.raises(Refused, match="not in C order"):
        f.call(np.arange(10)[::2], 0)
    with pytest.raises(Refused, match="a value of type str"):
        f.call("text", 0)
    with pytest.raises(Refused, match=r"`//` works on integers"):
        f.call(np.arange(5.0), 0)


def big(a: Any) -> Any:
    return a


def test_integers_of_64_bits_with_and_without_sign() -> None:
    f = compile_function(big)
    for value in (0, -1, MOST, LEAST, MOST + 1, (1 << 64) - 1, np.uint64(MOST + 1), np.int8(-3)):
        assert f(value) == f.call(value) == int(value)
    with pytest.raises(Refused, match="18446744073709551616, which does not fit"):
        f.call(1 << 64)


def test_threads_may_call_at_once() -> None:
    f = compile_function(steps)
    with ThreadPoolExecutor(8) as threads:
        results = threads.map(lambda _: f.call(0, 1000, 3), range(8))
        assert list(results) == [steps(0, 1000, 3)] * 8


def test_compiled_code_leaves_the_lock_to_others() -> None:
    """Else the thread that ends the loop would never run."""
    a = np.zeros(2, np.int64)
    f = compile_function(volatile)
    thread = threading.Thread(target=f, args=(a, 1 << 34))
    thread.start()
    while a[1] == 0 and thread.is_alive():
        pass
    a[0] = 1
    thread.join(60)
    assert not thread.is_alive()


def volatile(a: Any, most: Any) -> Any:
    n = 0
    while a[0] == 0 and n < most:
        n += 1
        a[1] = ctz(u64(n)) + 1
    return n


# ---- numba: for others' rules, and as a second opinion


@pytest.mark.budget(150)  # numba compiles every kernel of the suite
@pytest.mark.full
def test_numba_finds_the_same_signature() -> None:
    pytest.importorskip("numba", reason="numba is not installed")
    command = [sys.executable, "-m", "dragon", "bench", "--signature"]
    signatures = [
        subprocess.run(command, env=os.environ | {"DRAGON_JIT": jit}, capture_output=True,
                       text=True, check=True).stdout
        for jit in ("1", "numba")
    ]  # fmt: skip
    assert signatures[0] == signatures[1]


def empty_or(a: Any, b: Any) -> Any:
    x = u64(a)
    return x if b else 0, x or 1, min(x, 5), bool(x or 0), bool(b and x)


@pytest.mark.parametrize("a", [0, 3, MOST, (1 << 64) - 1])
@pytest.mark.parametrize("b", [0, 1])
def test_a_constant_goes_with_a_bit_set(a: int, b: int) -> None:
    assert compile_function(empty_or)(a, b) == tuple(map(int, empty_or(a, b)))


def large(n: Any, before: Any) -> Any:
    own = np.zeros(2000, np.int64)
    own[n] = n + before[n + 1]
    return own[n] if n == 0 else large(n - 1, own)


@pytest.mark.parametrize("checked", [False, True])
def test_calls_that_take_too_much_of_the_stack_are_an_error(checked: bool) -> None:
    """16,000 bytes a call: beyond the memory of a thread long before there are 1,000."""
    f, zeros = compile_function(large, checked), np.zeros(2000, np.int64)
    assert f(60, zeros) == large(60, zeros)
    with pytest.raises(Endless, match="it calls itself, and its calls take more than 1,024 KB"):
        f(900, zeros)


def fibonacci(n: Any) -> Any:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def test_calls_without_number_are_an_error_in_checked_code() -> None:
    f = compile_function(fibonacci, checked=True)
    assert f(25) == fibonacci(25)
    with pytest.raises(Endless, match="it calls itself 10,000,000 times"):
        f(60)


def around(n: Any) -> Any:
    for _ in range(n):
        once_around(n)
    return n


def once_around(n: Any) -> Any:
    for _ in range(n):
        n ^= n << 1
    return n


def test_turns_of_what_is_called_count() -> None:
    f = compile_function(around, checked=True)
    assert f(3000) == 3000
    with pytest.raises(Endless, match="its loops have gone round 10,000,000 times"):
        f(3200)
    assert f(3000) == 3000, "each call has as many"
