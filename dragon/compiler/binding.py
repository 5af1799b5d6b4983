"""The binding: a C function that CPython calls with objects, and that takes them apart itself.

So a call of compiled code costs a tenth of a microsecond or two, whatever the number of arrays. One
function serves all entries (`binding.ll`): it is compiled once and kept, and each entry gives it a
plan of what its arguments are. Where they are not that, it hands them to a slower callable, which
finds other code. All that it needs of Python it is given when it is loaded, so that nothing has to
be linked.

The fields of numpy's arrays are where they have been since numpy 1.7; `fits` makes sure, and
where it is false (a Python without the global lock, say) calls go the slower way.
"""

from __future__ import annotations

import ctypes
import sys
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from string import Template
from threading import get_ident
from typing import TYPE_CHECKING, Any

import numpy as np

from dragon.compiler.cache import load, save
from dragon.compiler.fingerprint import fingerprint, versions
from dragon.compiler.types import INT, Array, Bool, Float, Tuple, of_value

if TYPE_CHECKING:
    from dragon.compiler.machine import Loaded

API = (
    "PyEval_SaveThread", "PyEval_RestoreThread", "PyThread_get_thread_ident",
    "PyLong_AsLongLongAndOverflow", "PyFloat_AsDouble", "PyLong_FromLongLong",
    "PyLong_FromUnsignedLongLong", "PyFloat_FromDouble", "PyBool_FromLong", "PyTuple_New",
    "PyTuple_SetItem", "Py_IncRef", "Py_DecRef", "PyObject_Vectorcall",
)  # fmt: skip
OBJECTS = {"ndarray": np.ndarray, "int": int, "float": float,
           "True": True, "False": False, "None": None}  # fmt: skip
ARRAY, TUPLE, BOOL, FLOAT, INTEGER = range(5)
"""Kinds of objects that it takes apart."""
RESULTS = ("int", "uint", "float", "bool")
"""Kinds of values that it makes objects of."""
MOST = 256
"""Objects, and words of them, that a call may have."""
PLACES = 64
CALLS = (ctypes.c_int64 * (2 + 2 * PLACES))()
"""How many calls of compiled code have begun; then, in pairs from the second on, the number and the
thread of those in progress, 0 in a free place. It is changed under the global lock."""
TYPE, DATA, AXES, LENGTHS, DTYPE, FLAGS = 8, 16, 24, 32, 56, 64
"""Where an array's fields are."""
SIZE, ITEMS = 16, 24
"""Where a tuple's are."""
IN_ORDER, ALIGNED, WRITABLE = 0x1, 0x100, 0x400
FASTCALL = 0x80


class _Method(ctypes.Structure):
    """PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


def bound(
    name: str, entry: int, arguments: tuple[Any, ...], results: Sequence[str], several: bool,
    owner: Any, slow: Callable[..., Any], fail: Callable[[int], None],
) -> Callable[..., Any]:  # fmt: skip
    """A Python callable of the entry at an address, for arguments such as these.

    results: what it writes; several: whether that is a tuple. owner: what has to live as long as
    the callable. slow: is given other arguments, and is what is returned where all go that way.
    fail: raises what a status stands for.
    """
    steps = _steps(arguments) if fits() else None
    if steps is None:
        return slow
    plan = [entry, id(slow), id(fail), len(arguments), len(steps), len(results), int(several)]
    for kind, word, what, detail in steps:
        plan += [kind, word, id(what), detail]
    plan += map(RESULTS.index, results)
    loaded = _loaded()
    method = _Method(name.encode(), loaded.address("call"), FASTCALL, None)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    held = np.array(plan, np.int64), steps, slow, fail, owner, loaded, method
    made: Callable[..., Any] = make(ctypes.addressof(method), held, None)
    return made


def _steps(arguments: tuple[Any, ...]) -> list[tuple[int, int, Any, int]] | None:
    """The objects of a call: the arguments, and after them the items of those in tuples.

    Each has its kind, its first word, its dtype or class, and the axes and flags of an array or
    the length of a tuple. None where one is of a rare kind, or there are too many.
    """
    objects = [*_placed(arguments, 0)]
    steps: list[tuple[int, int, Any, int]] = []
    for value, word in objects:
        match of_value(value):
            case Array(shape=shape, writable=writable):
                flags = IN_ORDER | ALIGNED | (WRITABLE if writable else 0)
                steps.append((ARRAY, word, value.dtype, flags << 8 | len(shape)))
            case Tuple():
                steps.append((TUPLE, word, type(value), len(value)))
                objects += _placed(value, word)
            case Bool():
                steps.append((BOOL, word, None, 0))
            case Float():
                steps.append((FLOAT, word, None, 0))
            case kind if kind == INT:
                steps.append((INTEGER, word, None, 0))
            case _:
                return None
    words = sum(len(of_value(each).parts()) for each in arguments)
    return steps if max(len(steps), words) <= MOST else None


def _placed(values: tuple[Any, ...], word: int) -> Iterator[tuple[Any, int]]:
    """Each value, and the first of its words."""
    for value in values:
        yield value, word
        word += len(of_value(value).parts())


@cache
def _loaded() -> Loaded:
    """The function, compiled where it is not in the cache, with what it needs of Python."""
    from dragon.compiler.machine import Loaded, object_code

    text = _text()
    whole, name = fingerprint((text, *versions()), ()), f"call-{sys.implementation.cache_tag}"
    if (kept := load(whole, name)) is None:
        code = object_code(text, quick=True)  # 6 ms for 54; a call of ten arrays takes 0.05 us more
        save(whole, name, {"template": __name__, "label": "every game"}, code)
    else:
        _, code = kept
    made = Loaded(code)
    given = {name: id(value) for name, value in OBJECTS.items()}
    given |= {name: _address(getattr(ctypes.pythonapi, name)) for name in API}
    given["calls"] = ctypes.addressof(CALLS)
    for name, address in given.items():
        ctypes.c_void_p.from_address(made.data(name)).value = address
    return made


def _text() -> str:
    """That of the function for LLVM."""
    numbers = {"MOST": MOST, "PLACES": PLACES, "ARRAY": ARRAY, "TUPLE": TUPLE, "BOOL": BOOL,
               "FLOAT": FLOAT, "INTEGER": INTEGER}  # fmt: skip
    numbers |= {f"{name.upper()}_RESULT": i for i, name in enumerate(RESULTS)}
    given = "\n".join(f"@{name} = global ptr null" for name in (*API, *OBJECTS, "calls"))
    template = Template(Path(__file__).with_suffix(".ll").read_text(encoding="utf-8"))
    return template.substitute(numbers, given=given)


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


@cache
def fits() -> bool:
    """Return True if objects lie in memory as the function expects."""
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


# ---- calls in progress


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
