"""The type float32, which is mixed with no other number unasked, and turns taken at once."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon.bits import lanes
from dragon.compiler import machine
from dragon.compiler.assembly import Assembly
from dragon.compiler.emission import function_text
from dragon.compiler.location import Refused
from dragon.compiler.program import Program
from dragon.compiler.types import INT, SINGLE, Array, of_dtype
from tests.compiler.compiled import compile_function

PAIR = np.dtype([("a", "f4"), ("b", "f4"), ("c", "f8"), ("many", "f4", (8,))])


def reckons(s: Any) -> Any:
    s.many[0] = s.a + s.b
    s.many[1] = s.a - s.b * 2
    s.many[2] = s.a * s.b
    s.many[3] = s.a / s.b if s.b != 0 else np.float32(0)
    s.many[4] = max(s.a, s.b)
    s.many[5] = -abs(s.b) + 0.1
    s.many[6] = np.float32(s.c)
    s.many[7] = np.float32(s.c) * s.a
    s.c = float(s.a) * float(s.b)
    return 4 * int(s.a < s.b) + 2 * int(s.a == 0.1) + int(s.a >= np.float32(0.1))


compiled = cache(lambda: compile_function(reckons))
NUMBERS = st.floats(-1e6, 1e6, width=32) | st.just(float(np.float32(0.1)))


@given(NUMBERS, NUMBERS, st.floats(-1e6, 1e6))
def test_float32_is_numpys(a: float, b: float, c: float) -> None:
    records = np.zeros(2, PAIR)
    for record in records:
        record["a"], record["b"], record["c"] = a, b, c
    plain = records.view(np.recarray)[1]
    assert compiled()(records[0]) == reckons(plain)
    assert records[0].tobytes() == records[1].tobytes()


def added(s: Any) -> Any:
    return s.a + s.c


def counted(s: Any) -> Any:
    return s.a * int(s.c)


def compared(s: Any) -> Any:
    return s.a < s.c


def greater(s: Any) -> Any:
    return max(s.a, s.c)


def written(s: Any) -> None:
    s.a = s.c


def chosen(s: Any) -> Any:
    x = s.a if s.c > 0 else s.c
    return float(x)


def given_away(s: Any) -> Any:
    return s.a


def rest_of(s: Any) -> Any:
    return s.a % s.b


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (added, "`+` has a float32 on one side and float64 on the other; write np.float32(...) or"),
        (counted, "`*` has a float32 on one side and int64 on the other"),
        (compared, "`<` has a float32 on one side and float64 on the other"),
        (greater, "one is a float32; write np.float32(...) or float(...)"),
        (written, "float64 would be rounded; write np.float32(...)"),
        (chosen, "float32"),
        (given_away, "it returns float32, which Python cannot be given"),
        (rest_of, "`%` works on integers"),
    ],
)
def test_float32_is_not_mixed_unasked(function: Any, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        compile_function(function)(np.zeros(1, PAIR)[0])
    assert reason in refused.value.reason


def scaled(a: Any, b: Any, n: Any) -> Any:
    for i in range(n):
        for k in lanes(8):
            a[i, k] = a[i, k] * np.float32(0.5) + b[i, k]
    return n


def test_turns_taken_at_once_are_those_one_by_one() -> None:
    a, b = np.random.default_rng(1).random((2, 5, 8)).astype(np.float32)
    other = a.copy()
    compile_function(scaled)(a, b, 5)
    scaled(other, b, 5)
    assert (a == other).all()


def sums(a: Any, n: Any) -> Any:
    most = np.zeros(8, np.float32)
    for i in range(n):
        for k in lanes(8):
            most[k] = max(most[k], a[i, k] * a[i, k])
    return int(most[0] + most[7])


def test_lanes_become_one_instruction() -> None:
    """LLVM is told to make none of a loop without the mark."""
    assembly = Assembly()
    kinds = Array(SINGLE, (None, 8)), INT
    assembly.entry("entry", Program().instance(sums, kinds))
    text = assembly.text(function_text)
    host = machine.Target(machine.host().triple, "x86-64-v3", "+avx,+avx2")
    if not host.triple.startswith("x86_64"):
        pytest.skip("the instructions of another machine have other names")
    made = str(machine.optimised(text, host, machine._machine(host, jit=True)))
    assert "fmul <8 x float>" in made
    alone = text.replace("llvm.loop.vectorize.enable", "llvm.loop.nothing")
    made = str(machine.optimised(alone, host, machine._machine(host, jit=True)))
    assert "fmul <8 x float>" not in made


def three(n: Any) -> Any:
    for k in lanes(3):
        n += int(k)
    return n


def listed(n: Any) -> Any:
    return lanes(n)


@pytest.mark.parametrize(
    ("function", "reason"),
    [(three, "write lanes(n) with 2, 4, 8 or 16"), (listed, "lanes(n) is for loops")],
)
def test_lanes_are_a_power_of_two_in_a_loop(function: Any, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        compile_function(function)(3)
    assert reason in refused.value.reason


def test_fields_of_four_bytes_are_float32() -> None:
    assert of_dtype(np.dtype("f4")) == SINGLE
    assert str(SINGLE) == "float32"
