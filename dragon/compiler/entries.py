"""Entries: compiled functions as Python calls them.

The code for a call is found by the types of its arguments (`Entry`). The first call with new types
loads object code from the cache, or compiles; the compiler is imported only for the latter.

The *binding* (`bound`) makes a call cheap: a C function that CPython calls with objects, and that
takes them apart itself, in a tenth of a microsecond or two, whatever the number of arrays. One
function (`binding.ll`) serves all entries: it is compiled once and kept, and each entry gives it a
plan of what its arguments are. Other arguments go to a slower callable, which finds other code. It
gets the addresses of Python's API when it is loaded, so that nothing has to be linked.

The fields of numpy's arrays are where they have been since numpy 1.7; `fits` makes sure, and where
it returns False (a Python without the global lock, say) calls go the slower way.

The module stays apart from `specialise`, which asks it for one kernel at a time and knows no types.
"""

from __future__ import annotations

import ctypes
import sys
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from string import Template
from threading import RLock, get_ident
from typing import TYPE_CHECKING, Any, NoReturn, TypedDict

import numpy as np

from dragon.compiler.cache import load, save
from dragon.compiler.fingerprint import fingerprint, versions
from dragon.compiler.kernel import Tiered
from dragon.compiler.location import Place
from dragon.compiler.types import (
    INT,
    Array,
    Bool,
    Float,
    Int,
    Nothing,
    Tuple,
    Unsupported,
    of_value,
)

if TYPE_CHECKING:
    from types import FunctionType

    from dragon.compiler.assembly import Failure
    from dragon.compiler.machine import Loaded
    from dragon.compiler.program import Program


SYMBOL = "entry"
C_TYPES: dict[str, Any] = {
    "int": ctypes.c_int64, "uint": ctypes.c_uint64, "bool": ctypes.c_bool,
    "float": ctypes.c_double,
}  # fmt: skip
"""The C type of each of RESULTS."""


class Header(TypedDict):
    """The description of object code that a call needs; it can be written as JSON."""

    results: Sequence[str]
    """Each value: int, uint, bool or float."""
    several: bool
    """True if they make a tuple."""
    failures: Sequence[Failure]
    """The failure that each status means, from 1 on."""


def compile_entry(
    program: Program, function: FunctionType, arguments: tuple[Any, ...],
    checked: bool = False, quick: bool = False,
) -> tuple[Header, bytes]:  # fmt: skip
    """Compile a function for arguments like these; raise Refused.

    quick: whether compiling should be quick, rather than the code.
    """
    from dragon.compiler.assembly import Assembly
    from dragon.compiler.emission import function_text
    from dragon.compiler.location import Refused
    from dragon.compiler.machine import object_code

    def refused(reason: str, foreign: bool = False) -> Refused:
        return Refused(function, code.co_firstlineno, reason, foreign)

    code = function.__code__
    try:
        kinds = tuple(map(of_value, arguments))
    except Unsupported as wrong:
        raise refused(f"it is given {wrong}", foreign=True) from None
    if code.co_argcount != len(kinds):
        raise refused(f"it takes {code.co_argcount} arguments, and is given {len(kinds)}")
    with program.lock:
        returns = (instance := program.typed(function, kinds)).returns
        several = isinstance(returns, Tuple)
        items = returns.items if isinstance(returns, Tuple) else (returns,)
        names = () if isinstance(returns, Nothing) else tuple(map(_result, items))
        if "" in names:
            raise refused(f"it returns {returns}, which Python cannot be given")
        assembly = Assembly(checked, program.recursive)
        assembly.entry(SYMBOL, instance, words=True)
        text = assembly.text(function_text)
    header = Header(results=names, several=several, failures=assembly.failures)
    return header, object_code(text, quick=quick)


def _result(kind: Any) -> str:
    match kind:
        case Bool():
            return "bool"
        case Float(bits=64):
            return "float"
        case Int():
            return "int" if kind.signed else "uint"
    return ""


class Machine:
    """Object code, loaded, for arguments of certain types."""

    def __init__(self, header: Header, code: bytes) -> None:
        from dragon.compiler.machine import Loaded

        self.better: Callable[[tuple[Any, ...]], Machine] | None = None
        """Compile the function again, fully optimised; None if this code is."""
        self._header, self._loaded = header, Loaded(code)
        self._address = self._loaded.address(SYMBOL)
        self._run = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 2)(self._address)

    def __call__(self, *arguments: Any) -> Any:
        given: list[int] = []
        _flatten(arguments, given)
        words = (ctypes.c_int64 * len(given))(*given)
        results = self._header["results"]
        out = (ctypes.c_int64 * len(results))()
        place = begin()
        status = self._run(ctypes.addressof(words), ctypes.addressof(out))
        end(place)
        if status:
            self.fail(status)
        read = (C_TYPES[kind].from_buffer(out, 8 * i) for i, kind in enumerate(results))
        values = tuple(each.value for each in read)
        return values if self._header["several"] else values[0] if values else None

    def bound(self, arguments: tuple[Any, ...], slow: Entry) -> Callable[..., Any]:
        """An entry that Python calls directly; other arguments go to `slow`."""
        results, several = self._header["results"], self._header["several"]
        return bound(slow.__name__, self._address, arguments, results, several, self, slow,
                     self.fail)  # fmt: skip

    def fail(self, status: int) -> NoReturn:
        """Raise the exception that a status means, with the line that raised it."""
        kind, message, file, line, function = self._header["failures"][status - 1]
        where, _, names = kind.partition(":")
        found = attrgetter(names)(import_module(where))
        raised: BaseException = found(message) if message else found()
        raised.compiled_place = Place(file, line, function, "")  # type: ignore[attr-defined]
        raise raised


def _flatten(arguments: tuple[Any, ...], out: list[int]) -> None:
    """Add the words of arguments."""
    for each in arguments:
        if isinstance(each, np.ndarray):
            out.append(each.ctypes.data)
            out.extend(each.shape)
        elif isinstance(each, tuple):
            _flatten(each, out)
        elif isinstance(each, np.void):
            out.append(each.__array_interface__["data"][0])
        elif isinstance(each, float):
            out.append(ctypes.c_int64.from_buffer(ctypes.c_double(each)).value)
        else:
            out.append(int(each))


def signature(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the key of the code to run: the arguments' types, or why they do not have any."""
    try:
        return tuple(map(of_value, arguments))
    except Unsupported as wrong:
        return (str(wrong),)


class Entry:
    """A function of a program, compiled for each kind of arguments when first called with it.

    `call` is the quickest way to it: at first the entry itself, later a function in C that
    asks the entry only where the arguments are not those that it knows.
    """

    def __init__(
        self, name: str, find: Callable[[str, tuple[Any, ...]], Callable[..., Any]]
    ) -> None:
        self.__name__ = name
        self.call: Callable[..., Any] = self
        self._find = find
        self._machines: dict[tuple[Any, ...], Any] = {}
        self._lock = RLock()

    def __call__(self, *arguments: Any) -> Any:
        """Return the function's value for these arguments."""
        key = signature(arguments)
        machine = self._machines.get(key)
        return (machine or self.machine(key, arguments))(*arguments)

    def machine(self, key: tuple[Any, ...], arguments: tuple[Any, ...]) -> Any:
        """Return the code for arguments like these."""
        with self._lock:
            if key not in self._machines:
                found: Any = self._find(self.__name__, arguments)
                own, first = isinstance(found, Machine), self.call is self
                if first:  # numba finds code for other arguments by itself
                    self.call = self._bound(found, arguments) if own else found
                if own and found.better and (not first or self.call is self):
                    found = found.better(arguments)  # for its running time is not counted
                self._machines[key] = found
                if first and self.call is not self:
                    return self.call
            return self._machines[key]

    def _bound(self, machine: Machine, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        """Return the quickest way to call a machine; hasty code is called in tiers."""
        call = machine.bound(arguments, self)
        return call if call is self or machine.better is None else Tiered(call, self._improved)

    def _improved(self, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        """Replace the code for arguments like these by optimised code; return the way to call
        it."""
        key = signature(arguments)
        with self._lock:
            machine = self._machines.get(key)
            if machine is None or machine.better is None:  # others, or another thread was quicker
                return self
            self._machines[key] = machine.better(arguments)
            self.call = self._bound(self._machines[key], arguments)
            return self.call


# ---- the binding

API = (
    "PyEval_SaveThread", "PyEval_RestoreThread", "PyThread_get_thread_ident",
    "PyLong_AsLongLongAndOverflow", "PyFloat_AsDouble", "PyLong_FromLongLong",
    "PyLong_FromUnsignedLongLong", "PyFloat_FromDouble", "PyBool_FromLong", "PyTuple_New",
    "PyTuple_SetItem", "Py_IncRef", "Py_DecRef", "PyObject_Vectorcall",
)  # fmt: skip
OBJECTS = {"ndarray": np.ndarray, "int": int, "float": float,
           "True": True, "False": False, "None": None}  # fmt: skip
ARRAY, TUPLE, BOOL, FLOAT, INTEGER = range(5)
"""The kinds of objects that the binding takes apart."""
RESULTS = ("int", "uint", "float", "bool")
"""The kinds of values that the binding makes objects of."""
MOST = 256
"""The most objects, and words of them, that a call may have."""
PLACES = 64
CALLS = (ctypes.c_int64 * (2 + 2 * PLACES))()
"""The number of calls of compiled code that have begun, and a spare word; then, in pairs, the
number and the thread of each call in progress, 0 in a free place. The global lock guards it."""
TYPE, DATA, AXES, LENGTHS, DTYPE, FLAGS = 8, 16, 24, 32, 56, 64
"""The offsets of an array's fields."""
SIZE, ITEMS = 16, 24
"""The offsets of a tuple's."""
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

    results: the kinds of its values; several: whether they make a tuple. owner: an object that has
    to live as long as the callable. slow: gets other arguments, and is returned where all of them
    go that way. fail: raises the exception of a status.
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
    """Return the objects of a call: the arguments, and after them the items of tuples.

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
    for value in values:
        yield value, word
        word += len(of_value(value).parts())


@cache
def _loaded() -> Loaded:
    """Return the function, from the cache or compiled, linked to what it needs of Python."""
    from dragon.compiler.machine import Loaded, object_code

    text = _binding_text()
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


def _binding_text() -> str:
    """Return the function as LLVM's assembly language."""
    numbers = {"MOST": MOST, "PLACES": PLACES, "ARRAY": ARRAY, "TUPLE": TUPLE, "BOOL": BOOL,
               "FLOAT": FLOAT, "INTEGER": INTEGER}  # fmt: skip
    numbers |= {f"{name.upper()}_RESULT": i for i, name in enumerate(RESULTS)}
    given = "\n".join(f"@{name} = global ptr null" for name in (*API, *OBJECTS, "calls"))
    template = Template(Path(__file__).with_name("binding.ll").read_text(encoding="utf-8"))
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
    """Note that this thread calls compiled code; return the place of the note in CALLS.

    Where more than PLACES threads do, two calls share a place, and only the later one is known.
    """
    CALLS[0] = number = CALLS[0] + 1
    places = ((number + i) % PLACES for i in range(PLACES))
    at = 2 + 2 * next((i for i in places if not CALLS[2 + 2 * i]), (number - 1) % PLACES)
    CALLS[at : at + 2] = [number, get_ident()]
    return at


def end(at: int) -> None:
    """Note that a call has ended."""
    CALLS[at] = 0


def calls() -> dict[int, int]:
    """The calls of compiled code in progress, numbered as they began, and the thread of each."""
    held = CALLS[2:]
    return {held[i]: held[i + 1] for i in range(0, 2 * PLACES, 2) if held[i]}
