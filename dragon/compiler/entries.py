"""Entries: compiled functions as Python calls them.

What is called is found by the types of the arguments. The first call with new types loads
object code from the cache, or compiles; nothing of the compiler is imported where the cache
has it.
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable
from importlib import import_module
from operator import attrgetter
from threading import RLock
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from dragon.blame import Place
from dragon.compiler.binding import begin, end

if TYPE_CHECKING:
    from types import FunctionType

    from dragon.compiler.machine import Loaded
    from dragon.compiler.program import Program

SYMBOL = "entry"
C_TYPES = {"ptr": ctypes.c_void_p, "i64": ctypes.c_int64, "i1": ctypes.c_int64,
           "double": ctypes.c_double}  # fmt: skip
RESULTS: dict[str, Any] = {
    "int": ctypes.c_int64, "uint": ctypes.c_uint64, "bool": ctypes.c_bool,
    "float": ctypes.c_double,
}  # fmt: skip


@frozen
class Prepared:
    """What has to be known of object code to call it."""

    code: bytes
    arguments: tuple[str, ...]
    """Each part of an argument in C: ptr, i64, i1 or double."""
    results: tuple[str, ...]
    """Each value: int, uint, bool or float."""
    several: bool
    """Whether they make a tuple."""
    failures: tuple[tuple[str, str, str, int, str], ...]
    """What each status stands for, from 1 on. See `assembly.Failure`."""
    binds: bool
    """Whether there is a function that Python can call; see `binding`."""

    def header(self) -> bytes:
        """All but the code, as JSON."""
        told = {"arguments": self.arguments, "results": self.results, "several": self.several,
                "failures": self.failures, "binds": self.binds}  # fmt: skip
        return json.dumps(told).encode()

    @classmethod
    def read(cls, header: bytes, code: bytes) -> Prepared:
        """The same from its header."""
        told = json.loads(header)
        failures = tuple(tuple(each) for each in told["failures"])
        return cls(code, tuple(told["arguments"]), tuple(told["results"]), told["several"],
                   failures, told["binds"])  # fmt: skip


def compile_entry(
    program: Program, function: FunctionType, arguments: tuple[Any, ...],
    checked: bool = False, quick: bool = False,
) -> Prepared:  # fmt: skip
    """Compiles a function for arguments like these; raises `program.Refused`.

    quick: whether it is rather compiled than run quickly.
    """
    from attrs import astuple

    from dragon.compiler.assembly import Assembly
    from dragon.compiler.binding import FUNCTION, binding
    from dragon.compiler.machine import object_code
    from dragon.compiler.program import Refused, Unfinished
    from dragon.compiler.types import Nothing, Tuple, Unsupported, of_value

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
        try:
            returns = (instance := program.instance(function, kinds)).returns
        except Unfinished:
            raise refused("it calls itself for ever") from None
        several = isinstance(returns, Tuple)
        items = returns.items if isinstance(returns, Tuple) else (returns,)
        names = () if isinstance(returns, Nothing) else tuple(map(_result, items))
        if "" in names:
            raise refused(f"it returns {returns}, which Python cannot be given")
        assembly = Assembly(checked, program.recursive)
        assembly.entry(SYMBOL, instance)
        fails = assembly.raises(instance)
        text = assembly.text() + binding(SYMBOL, kinds, names, several, fails)
    failures = tuple(astuple(each) for each in assembly.failures)
    parts = tuple(part for kind in kinds for part in kind.parts())
    made = object_code(text, quick=quick)
    return Prepared(made, parts, names, several, failures, FUNCTION in text)


def _result(kind: Any) -> str:
    from dragon.compiler.types import Bool, Float, Int

    match kind:
        case Bool():
            return "bool"
        case Float():
            return "float"
        case Int():
            return "int" if kind.signed else "uint"
    return ""


class Machine:
    """Object code, loaded, for arguments of certain types."""

    def __init__(self, prepared: Prepared) -> None:
        from dragon.compiler.machine import Loaded

        self._loaded: Loaded = Loaded(prepared.code)
        address = self._loaded.address(SYMBOL)
        self.prepared = prepared
        given = [C_TYPES[part] for part in prepared.arguments]
        self.run = ctypes.CFUNCTYPE(ctypes.c_int64, *given, ctypes.c_void_p)(address)

    def __call__(self, *arguments: Any) -> Any:
        """The value for Python's arguments, of the types that it was compiled for."""
        flat: list[Any] = []
        _flatten(arguments, flat)
        results = self.prepared.results
        out = (ctypes.c_int64 * (len(results) or 1))()
        place = begin()
        status = self.run(*flat, ctypes.addressof(out))
        end(place)
        if status:
            raise self.failure(status)
        read = (RESULTS[kind].from_buffer(out, 8 * i) for i, kind in enumerate(results))
        values = tuple(each.value for each in read)
        return values if self.prepared.several else values[0] if values else None

    def bound(self, arguments: tuple[Any, ...], slow: Entry) -> Callable[..., Any]:
        """The same to be called by Python without a detour; `slow` is given other arguments."""
        from dragon.compiler.binding import FUNCTION, SLOTS, bound, fits

        if not (self.prepared.binds and fits()):
            return slow
        function, slots = self._loaded.address(FUNCTION), self._loaded.data(SLOTS)
        return bound(slow.__name__, function, slots, arguments, self, slow, self.fail)

    def fail(self, status: int) -> None:
        """Raises the exception that a status stands for."""
        raise self.failure(status)

    def failure(self, status: int) -> BaseException:
        """The exception that a status stands for, with the line that raised it."""
        kind, message, file, line, function = self.prepared.failures[status - 1]
        where, _, names = kind.partition(":")
        found = attrgetter(names)(import_module(where))
        raised: BaseException = found(message) if message else found()
        raised.compiled_place = Place(file, line, function, "")  # type: ignore[attr-defined]
        return raised


def _flatten(arguments: tuple[Any, ...], out: list[Any]) -> None:
    for each in arguments:
        if isinstance(each, np.ndarray):
            out.append(each.ctypes.data)
            out.extend(each.shape)
        elif isinstance(each, tuple):
            _flatten(each, out)
        elif isinstance(each, np.void):
            out.append(each.__array_interface__["data"][0])
        elif isinstance(each, float):
            out.append(each)
        else:
            out.append(int(each))


def signature(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """What of the arguments decides which code is run."""
    found: list[Any] = []
    for each in arguments:
        if isinstance(each, np.ndarray):
            flags = each.flags
            found.append((each.dtype, each.ndim, flags.writeable, flags.c_contiguous))
        elif isinstance(each, tuple):
            found.append((type(each), signature(each)))
        elif isinstance(each, np.void):
            found.append((each.dtype, each.flags.writeable))
        elif isinstance(each, np.generic):
            found.append(each.dtype)
        elif isinstance(each, int) and not isinstance(each, bool):
            found.append(
                "int" if -1 << 63 <= each < 1 << 63 else "uint" if 0 < each < 1 << 64 else ""
            )
        else:
            found.append(type(each))
    return tuple(found)


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
        """The value for these arguments."""
        key = signature(arguments)
        machine = self._machines.get(key)
        return (machine or self.machine(key, arguments))(*arguments)

    def machine(self, key: tuple[Any, ...], arguments: tuple[Any, ...]) -> Any:
        """The code for arguments like these."""
        with self._lock:
            if key not in self._machines:
                found: Any = self._find(self.__name__, arguments)
                self._machines[key] = found
                if self.call is self:  # numba finds code for other arguments by itself
                    own = isinstance(found, Machine)
                    self.call = found.bound(arguments, self) if own else found
                    return found if self.call is self else self.call
            return self._machines[key]


def compile_function(function: FunctionType, checked: bool = False) -> Entry:
    """A function compiled by itself, when it is first called with arguments of new types.

    Raises `Refused` then for what the compiler cannot read. Nothing is kept on disk.
    """
    from dragon.compiler.program import Program

    program = Program()

    def find(name: str, arguments: tuple[Any, ...]) -> Machine:
        made = compile_entry(program, function, arguments, checked)
        return Machine(made)

    return Entry(function.__name__, find)
