"""The binding: a C function that CPython calls with objects, and that takes them apart itself.

So a call costs a tenth of a microsecond or two, whatever the number of arrays. The function
looks at the types of its arguments; where they are not those that it was compiled for, it
hands them to a slower callable, which finds other code. All that it needs of Python it is
given in `@slots` when it is loaded, so that nothing has to be linked.

The fields of numpy's arrays are where they have been since numpy 1.7; `fits` makes sure, and
where it is false (a Python without the global lock, say) calls go the slower way.
"""

from __future__ import annotations

import ctypes
import sys
import sysconfig
from collections.abc import Callable, Iterator
from functools import cache
from threading import get_ident
from typing import Any

import numpy as np

from dragon.compiler.types import INT, Array, Bool, Float, Int, Tuple, Type

FUNCTION, IS_ARRAY, SLOTS = "python.call", "python.array", "slots"
AS_IT_IS = "nounwind noinline optnone"
"""Optimised they are called as quickly, and take LLVM as long as a small rule itself does."""
API = (
    "PyEval_SaveThread", "PyEval_RestoreThread", "PyLong_AsLongLongAndOverflow",
    "PyFloat_AsDouble", "PyLong_FromLongLong", "PyLong_FromUnsignedLongLong",
    "PyFloat_FromDouble", "PyBool_FromLong", "PyTuple_New", "PyTuple_SetItem", "Py_IncRef",
    "Py_DecRef", "PyObject_Vectorcall", "PyThread_get_thread_ident",
)  # fmt: skip
OBJECTS = (np.ndarray, int, float, True, False, None)
NAMES = (*API, "ndarray", "int", "float", "True", "False", "None", "slow", "fail",
         "calls")  # fmt: skip
"""What each slot holds; the kinds of the arguments, see `_kinds`, come after these."""
PLACES = 64
CALLS = (ctypes.c_int64 * (2 + 2 * PLACES))()
"""How many calls of compiled code have begun; then, in pairs from the second on, the number and the
thread of those in progress, 0 in a free place. It is changed under the global lock."""
TYPE, DATA, AXES, LENGTHS, DTYPE, FLAGS = 8, 16, 24, 32, 56, 64
"""Where an array's fields are."""
SIZE, ITEMS = 16, 24
"""Where a tuple's are."""
IN_ORDER, ALIGNED, WRITABLE = 0x1, 0x100, 0x400
BOXES = {"int": ("PyLong_FromLongLong", "i64"), "uint": ("PyLong_FromUnsignedLongLong", "i64"),
         "float": ("PyFloat_FromDouble", "double"), "bool": ("PyBool_FromLong", "i64")}  # fmt: skip


class Text:
    """Writes the function as LLVM's text."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.kinds = 0
        self.names = 0

    def set(self, line: str) -> str:
        """Adds an instruction that has a value; its register."""
        self.names += 1
        self.lines.append(f"  %c{self.names} = {line}")
        return f"%c{self.names}"

    def slot(self, name: str | int) -> str:
        at = name if isinstance(name, int) else NAMES.index(name)
        return self.set(f"load ptr, ptr getelementptr (ptr, ptr @{SLOTS}, i64 {at})")

    def at(self, pointer: str, offset: int, kind: str = "ptr") -> str:
        """What stands so many bytes behind a pointer."""
        return self.set(
            f"load {kind}, ptr {self.set(f'getelementptr i8, ptr {pointer}, i64 {offset}')}"
        )

    def require(self, holds: str) -> None:
        """Goes the slow way unless something holds."""
        self.names += 1
        self.lines.append(f"  br i1 {holds}, label %d{self.names}, label %slow")
        self.lines.append(f"d{self.names}:")

    def same(self, a: str, b: str, kind: str = "ptr") -> str:
        return self.set(f"icmp eq {kind} {a}, {b}")

    def kind(self) -> str:
        """The next of the arguments' kinds."""
        self.kinds += 1
        return self.slot(len(NAMES) + self.kinds - 1)

    def unpacked(self, given: str, kind: Type) -> list[str]:
        """The parts of an argument, with their types in C."""
        match kind:
            case Array():
                flags = IN_ORDER | ALIGNED | (WRITABLE if kind.writable else 0)
                wanted = f"ptr {self.kind()}, i32 {len(kind.shape)}, i32 {flags}"
                self.require(self.set(f'call i1 @"{IS_ARRAY}"(ptr {given}, {wanted})'))
                lengths = self.at(given, LENGTHS)
                return [f"ptr {self.at(given, DATA)}",
                        *(f"i64 {self.at(lengths, 8 * i, 'i64')}"
                          for i in range(len(kind.shape)))]  # fmt: skip
            case Tuple():
                self.require(self.same(self.at(given, TYPE), self.kind()))
                self.require(self.same(self.at(given, SIZE, "i64"), str(len(kind.items)), "i64"))
                return [part for i, item in enumerate(kind.items)
                        for part in self.unpacked(self.at(given, ITEMS + 8 * i), item)]  # fmt: skip
            case Bool():
                yes = self.same(given, self.slot("True"))
                no = self.same(given, self.slot("False"))
                self.require(self.set(f"or i1 {yes}, {no}"))
                return [f"i64 {self.set(f'zext i1 {yes} to i64')}"]
            case Float():
                self.require(self.same(self.at(given, TYPE), self.slot("float")))
                function = self.slot("PyFloat_AsDouble")
                return [f"double {self.set(f'call double {function}(ptr {given})')}"]
            case Int():
                self.require(self.same(self.at(given, TYPE), self.slot("int")))
                function = self.slot("PyLong_AsLongLongAndOverflow")
                value = self.set(f"call i64 {function}(ptr {given}, ptr %overflow)")
                over = self.set("load i32, ptr %overflow")
                self.require(self.same(over, "0", "i32"))
                return [f"i64 {value}"]
        raise AssertionError(kind)

    def begin(self) -> None:
        """Notes a call; see `begin` below."""
        self.names += 1
        name, calls = f"p{self.names}", self.slot("calls")
        thread = self.set(f"call i64 {self.slot('PyThread_get_thread_ident')}()")
        number = self.set(f"add i64 {self.at(calls, 0, 'i64')}, 1")
        first = self.set(f"and i64 {number}, {PLACES - 1}")
        self.lines += [f"  store i64 {number}, ptr {calls}", f"  store i64 {first}, ptr %place",
                       f"  br label %{name}", f"{name}:"]  # fmt: skip
        at = self.place(calls)
        following = self.set(f"add i64 {self.set('load i64, ptr %place')}, 1")
        following = self.set(f"and i64 {following}, {PLACES - 1}")
        free = self.same(self.at(at, 0, "i64"), "0", "i64")
        found = self.set(f"or i1 {free}, {self.same(following, first, 'i64')}")
        self.lines += [f"  br i1 {found}, label %{name}.found, label %{name}.next",
                       f"{name}.next:", f"  store i64 {following}, ptr %place",
                       f"  br label %{name}", f"{name}.found:",
                       f"  store i64 {number}, ptr {at}"]  # fmt: skip
        beside = self.set(f"getelementptr i8, ptr {at}, i64 8")
        self.lines.append(f"  store i64 {thread}, ptr {beside}")

    def end(self) -> None:
        """Notes that the call has ended."""
        self.lines.append(f"  store i64 0, ptr {self.place(self.slot('calls'))}")

    def place(self, calls: str) -> str:
        pair = self.set(f"add i64 {self.set('load i64, ptr %place')}, 1")
        return self.set(f"getelementptr [2 x i64], ptr {calls}, i64 {pair}")

    def boxed(self, value: str, kind: str) -> str:
        name, part = BOXES[kind]
        return self.set(f"call ptr {self.slot(name)}({part} {value})")


def is_array() -> str:
    """A function: whether an object is an array of a dtype, with so many axes and these flags."""
    text = Text()
    text.require(text.same(text.at("%given", TYPE), text.slot("ndarray")))
    text.require(text.same(text.at("%given", DTYPE), "%dtype"))
    text.require(text.same(text.at("%given", AXES, "i32"), "%axes", "i32"))
    held = text.set(f"and i32 {text.at('%given', FLAGS, 'i32')}, %flags")
    text.require(text.same(held, "%flags", "i32"))
    head = f'define internal i1 @"{IS_ARRAY}"(ptr %given, ptr %dtype, i32 %axes, i32 %flags)'
    lines = [f"{head} {AS_IT_IS} {{", *text.lines, "  ret i1 true", "slow:", "  ret i1 false", "}"]
    return "\n".join(lines)


def binding(
    entry: str, kinds: tuple[Type, ...], results: tuple[str, ...], several: bool, fails: bool
) -> str:
    """The function for an entry, and its slots; empty where an argument is of a rare kind."""
    if not all(map(_common, kinds)):
        return ""
    text = Text()
    given = []
    for i, kind in enumerate(kinds):
        given += text.unpacked(text.at("%args", 8 * i), kind)
    text.begin()
    thread = text.set(f"call ptr {text.slot('PyEval_SaveThread')}()")
    status = text.set(f'call i64 @"{entry}"({", ".join([*given, "ptr %out"])})')
    text.lines.append(f"  call void {text.slot('PyEval_RestoreThread')}(ptr {thread})")
    text.end()
    if fails:
        text.lines += [f"  %good = icmp eq i64 {status}, 0",
                       "  br i1 %good, label %right, label %wrong", "wrong:"]  # fmt: skip
        box = text.boxed(status, "int")
        text.lines.append(f"  store ptr {box}, ptr %argument")
        failed = text.set(f"call ptr {text.slot('PyObject_Vectorcall')}"
                          f"(ptr {text.slot('fail')}, ptr %argument, i64 1, ptr null)")  # fmt: skip
        text.lines.append(f"  call void {text.slot('Py_DecRef')}(ptr {box})")
        text.lines += [f"  ret ptr {failed}", "right:"]
    values = [text.at("%out", 8 * i, BOXES[result][1]) for i, result in enumerate(results)]
    if several:
        made = text.set(f"call ptr {text.slot('PyTuple_New')}(i64 {len(results)})")
        for i, (value, result) in enumerate(zip(values, results, strict=True)):
            box, function = text.boxed(value, result), text.slot("PyTuple_SetItem")
            text.set(f"call i32 {function}(ptr {made}, i64 {i}, ptr {box})")
    elif results:
        made = text.boxed(values[0], results[0])
    else:
        made = text.slot("None")
        text.lines.append(f"  call void {text.slot('Py_IncRef')}(ptr {made})")
    text.lines += [f"  ret ptr {made}", "slow:"]
    other = text.set(f"call ptr {text.slot('PyObject_Vectorcall')}"
                     f"(ptr {text.slot('slow')}, ptr %args, i64 %count, ptr null)")  # fmt: skip
    slots = f"@{SLOTS} = global [{len(NAMES) + text.kinds} x ptr] zeroinitializer"
    head = [
        slots,
        is_array(),
        f'define ptr @"{FUNCTION}"(ptr %self, ptr %args, i64 %count) {AS_IT_IS} {{',
        f"  %out = alloca [{max(1, len(results))} x i64]",
        "  %overflow = alloca i32",
        "  %argument = alloca ptr",
        "  %place = alloca i64",
        f"  %enough = icmp eq i64 %count, {len(kinds)}",
        "  br i1 %enough, label %first, label %slow",
        "first:",
    ]
    return "\n".join([*head, *text.lines, f"  ret ptr {other}", "}"])


def _common(kind: Type) -> bool:
    if isinstance(kind, Tuple):
        return all(map(_common, kind.items))
    return kind == INT or isinstance(kind, Array | Bool | Float)


def begin() -> int:
    """Notes that this thread calls compiled code; where it is noted.

    Where more than PLACES threads do, two calls share a place, and only the later one is known.
    """
    CALLS[0] = number = CALLS[0] + 1
    places = ((number + i) % PLACES for i in range(PLACES))
    at = 2 + 2 * next((i for i in places if not CALLS[2 + 2 * i]), (number - 1) % PLACES)
    CALLS[at : at + 2] = [number, get_ident()]
    return at


def end(at: int) -> None:
    """Notes that a call has ended."""
    CALLS[at] = 0


def calls() -> dict[int, int]:
    """The calls of compiled code in progress, numbered as they began, and the thread of each."""
    held = CALLS[2:]
    return {held[i]: held[i + 1] for i in range(0, 2 * PLACES, 2) if held[i]}


# ---- loading


class _Method(ctypes.Structure):
    """PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


FASTCALL = 0x80


@cache
def fits() -> bool:
    """Whether objects lie in memory as the function expects."""
    if sysconfig.get_config_var("Py_GIL_DISABLED") or sys.implementation.name != "cpython":
        return False
    tried = np.zeros((3, 5), [("a", "i8"), ("b", "u1")])
    read = ctypes.c_void_p.from_address
    pair = (tried, 7)
    return object.__basicsize__ == 16 and (
        read(id(tried) + TYPE).value == id(np.ndarray)
        and read(id(tried) + DATA).value == tried.ctypes.data
        and ctypes.c_int.from_address(id(tried) + AXES).value == 2
        and (ctypes.c_int64 * 2).from_address(read(id(tried) + LENGTHS).value or 0)[:] == [3, 5]
        and read(id(tried) + DTYPE).value == id(tried.dtype)
        and ctypes.c_int.from_address(id(tried) + FLAGS).value & 0x501 == 0x501
        and ctypes.c_int64.from_address(id(pair) + SIZE).value == 2
        and read(id(pair) + ITEMS).value == id(tried)
    )


def bound(
    name: str, function: int, slots: int, arguments: tuple[Any, ...], owner: Any,
    slow: Callable[..., Any], fail: Callable[[int], None],
) -> Callable[..., Any]:  # fmt: skip
    """The Python callable at the address `function`, for arguments such as these.

    owner: what has to live as long as the callable. slow: is given other arguments.
    fail: raises what a status stands for.
    """
    api = ctypes.pythonapi
    kinds = list(_kinds(arguments))
    held = (*OBJECTS, slow, fail, *kinds)
    addresses = [ctypes.cast(getattr(api, each), ctypes.c_void_p).value for each in API]
    own = len(held) - len(kinds)
    calls = ctypes.addressof(CALLS)
    filled: list[Any] = [*addresses, *map(id, held[:own]), calls, *map(id, kinds)]
    (ctypes.c_void_p * len(filled)).from_address(slots)[:] = filled
    method = _Method(name.encode(), function, FASTCALL, None)
    make = api.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    made: Callable[..., Any] = make(ctypes.addressof(method), (owner, held, method), None)
    return made


def _kinds(arguments: tuple[Any, ...]) -> Iterator[Any]:
    """The dtypes of the arrays, and the classes of the tuples before what is in them."""
    for each in arguments:
        if isinstance(each, tuple):
            yield type(each)
            yield from _kinds(each)
        elif isinstance(each, np.ndarray):
            yield each.dtype
