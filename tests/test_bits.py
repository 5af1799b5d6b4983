"""Bits: one meaning compiled, interpreted, and called from Python with the compiler on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon import bits
from dragon.bits import Random, draw, draw_set
from dragon.compiler import machine
from tests.compiler.compiled import compile_function

SETS = st.integers(0, 2**64 - 1) | st.builds(lambda i: 1 << i, st.integers(0, 63))
PLACES = st.integers(0, 63)
INTEGERS = st.integers(-(2**63), 2**63 - 1)
WORDS = SETS.map(np.uint64) | INTEGERS.map(np.int64) | st.just(np.int64(-1))
"""Bit sets, and integers given for one: negative ones are their low 64 bits."""
CALLS = {
    "u64": (INTEGERS,),
    "bit": (PLACES,),
    **dict.fromkeys(("i64", "popcount", "ctz", "msb", "drop", "mix"), (WORDS,)),
    **dict.fromkeys(("has", "shl", "shr"), (WORDS, PLACES)),
    **dict.fromkeys(("add", "mul"), (WORDS, WORDS)),
}
KINDS = {**dict.fromkeys(("i64", "popcount", "ctz", "msb"), int), "has": bool}


@cache
def compiled(name: str, arguments: int = 0) -> Callable[..., Any]:
    """The function as a kernel sees it; arguments: how many, where some may be left out."""
    function = getattr(bits, name)

    def one(x: Any) -> Any:
        return function(x)

    def two(x: Any, y: Any) -> Any:
        return function(x, y)

    def five(x: Any, out: Any, n: Any, first: Any, step: Any) -> Any:
        return function(x, out, n, first, step)

    takes = arguments or (1 if function.__code__.co_argcount == 1 else 2)
    return compile_function({1: one, 2: two, 5: five}[takes])


def test_every_function_is_tried() -> None:
    public = {n for n, f in vars(bits).items() if callable(f) and f.__module__ == bits.__name__}
    others = {"select", "elements", "members", "draw", "draw_set", "lanes"}
    assert public - {"Random", "_uint64"} == {*CALLS, *others}


@pytest.mark.samples("mul", "add", "popcount")
@pytest.mark.parametrize("name", CALLS)
@given(data=st.data())
@settings(max_examples=80)
def test_compiled_is_interpreted(name: str, data: st.DataObject) -> None:
    arguments = [data.draw(strategy) for strategy in CALLS[name]]
    plain, fast = getattr(bits, name)(*arguments), compiled(name)(*arguments)
    assert int(plain) == int(fast)
    assert isinstance(plain, KINDS.get(name, np.uint64)), "the kind of number rules go on with"


@pytest.mark.full
@given(WORDS.filter(bool), st.data())
@settings(max_examples=80)
def test_select_and_elements(bitset: Any, data: st.DataObject) -> None:
    members = [i for i in range(64) if int(bitset) >> i & 1]
    k = data.draw(st.integers(0, len(members) - 1))
    assert bits.select(bitset, k) == compiled("select")(bitset, k) == members[k]
    for function in (bits.elements, compiled("elements")):
        out = np.full(64, -1, np.int64)
        assert function(bitset, out) == len(members)
        assert out[: len(members)].tolist() == members
        assert (out[len(members) :] == -1).all()
    for function in (bits.elements, compiled("elements", 5)):
        assert function(bitset, out, 0, 7, -3) == len(members)
        assert out[: len(members)].tolist() == [7 - 3 * i for i in members]
        assert function(np.uint64(8), out, len(members) - 1, 0, 2) == len(members)
        assert out[: len(members)].tolist() == [*(7 - 3 * i for i in members[:-1]), 6]


@pytest.mark.parametrize("quick", [True, False])
def test_select_where_the_processor_has_no_instruction_for_it(
    quick: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "declare i64 @select(i64, i64)\n"
    assert "pdep" in machine.defined(text, machine.Target("", "znver3", "+bmi,+bmi2"))
    for slow in (machine.Target("", "znver2", "+bmi,+bmi2"), machine.Target("", "", "+bmi")):
        assert "pdep" not in machine.defined(text, slow)
    if not quick:  # as if this processor's were slow
        monkeypatch.setattr(machine, "SLOW_DEPOSIT", (machine.host().cpu,))

    def selected(x: Any, k: Any) -> Any:
        return bits.select(x, k)

    function = compile_function(selected)
    for word in (1, 1 << 63, 0b1011 << 40, 2**64 - 1, 0x8000_0000_0000_0001):
        members = [i for i in range(64) if word >> i & 1]
        assert [function(np.uint64(word), k) for k in range(len(members))] == members


def listed(x: Any, out: Any) -> int:
    """Write the members of a set that changes meanwhile; return how many."""
    n = 0
    for i in bits.members(x):
        x = bits.u64(0)
        out[n] = i
        n += 1
    return n


@cache
def compiled_list() -> Callable[..., Any]:
    return compile_function(listed)


@given(WORDS)
@settings(max_examples=80)
def test_members(bitset: Any) -> None:
    for function in (listed, compiled_list()):
        out = np.full(64, -1, np.int64)
        n = function(bitset, out)
        assert out[:n].tolist() == [i for i in range(64) if int(bitset) >> i & 1]


@given(st.integers(0, 2**64 - 1), st.lists(st.integers(1, 2**32 - 1), min_size=1, max_size=20))
@settings(max_examples=80)
def test_draw_gives_the_same_numbers_both_ways(seed: int, sizes: list[int]) -> None:
    plain, fast = np.array([seed], np.uint64), np.array([seed], np.uint64)
    dice = Random(seed)
    for n in sizes:
        number = draw(plain, n)
        assert 0 <= number < n
        assert number == compiled("draw")(fast, n) == dice(n)
        assert draw_set(plain) == compiled("draw_set")(fast) == draw_set(dice.state)
    assert plain[0] == fast[0] == dice.state[0]


def test_draw_is_splitmix64() -> None:
    """The first outputs for seed 1234567, as published with the algorithm's reference code."""
    state = np.array([1234567], np.uint64)
    known = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    for number in known:
        assert draw(state, 2**32 - 1) == (number >> 32) * (2**32 - 1) >> 32


def test_draw_is_even() -> None:
    dice = Random(1)
    counts = np.bincount([dice(6) for _ in range(6000)], minlength=6)
    assert ((counts - 1000) ** 2 / 1000).sum() < 20.5  # chi squared, 5 degrees of freedom, 0.1%


@given(SETS, SETS, PLACES)
def test_the_meaning(x: int, y: int, n: int) -> None:
    a, b = np.uint64(x), np.uint64(y)
    assert bits.popcount(a) == bin(x).count("1")
    assert bits.ctz(a) == (64 if x == 0 else len(bin(x)) - len(bin(x).rstrip("0")))
    assert bits.msb(a) == max((i for i in range(64) if x >> i & 1), default=-1)
    assert int(bits.drop(a)) == (x & (x - 1) if x else 0)
    assert int(bits.add(a, b)) == (x + y) % 2**64
    assert int(bits.mul(a, b)) == x * y % 2**64
    assert int(bits.shl(a, n)) == (x << n) % 2**64
    assert int(bits.shr(a, n)) == x >> n
    assert int(bits.u64(bits.i64(a))) == x


def test_a_negative_integer_is_its_low_64_bits() -> None:
    out = np.full(64, -1, np.int64)
    for x in (-1, np.int64(-1)):
        assert bits.popcount(x) == 64
        assert bits.elements(x, out) == 64
        assert out.tolist() == list(range(64))
        assert int(bits.shr(x, 60)) == 15
        assert int(bits.drop(x)) == 2**64 - 2
        assert bits.select(x, 63) == 63
        assert bits.has(x, 63)
        assert bits.ctz(x) == 0


@given(st.lists(SETS, min_size=2, max_size=50, unique=True))
def test_mix_is_injective(values: list[int]) -> None:
    assert len({int(bits.mix(np.uint64(v))) for v in values}) == len(values)
