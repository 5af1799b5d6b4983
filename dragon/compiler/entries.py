"""Entries: compiled functions as Python calls them.

What is called is found by the types of the arguments. The first call with new types loads
object code from the cache, or compiles; nothing of the compiler is imported where the cache
has it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from importlib import import_module
from operator import attrgetter
from threading import RLock
from typing import TYPE_CHECKING, Any, NoReturn, TypedDict

import numpy as np

from dragon.compiler.binding import begin, bound, end
from dragon.compiler.location import Place
from dragon.compiler.tiers import Tiered
from dragon.compiler.types import Bool, Float, Int, Nothing, Tuple, Unsupported, of_value

if TYPE_CHECKING:
    from types import FunctionType

    from dragon.compiler.assembly import Failure
    from dragon.compiler.program import Program

SYMBOL = "entry"
RESULTS: dict[str, Any] = {
    "int": ctypes.c_int64, "uint": ctypes.c_uint64, "bool": ctypes.c_bool,
    "float": ctypes.c_double,
}  # fmt: skip


class Header(TypedDict):
    """The description of object code that a call needs; it can be written as JSON."""

    results: Sequence[str]
    """Each value: int, uint, bool or float."""
    several: bool
    """Whether they make a tuple."""
    failures: Sequence[Failure]
    """What each status stands for, from 1 on."""


def compile_entry(
    program: Program, function: FunctionType, arguments: tuple[Any, ...],
    checked: bool = False, quick: bool = False,
) -> tuple[Header, bytes]:  # fmt: skip
    """Compiles a function for arguments like these; raises `program.Refused`.

    quick: whether it is rather compiled than run quickly.
    """
    from dragon.compiler.assembly import Assembly
    from dragon.compiler.emission import function_text
    from dragon.compiler.machine import object_code
    from dragon.compiler.refusal import Refused

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
        case Float():
            return "float"
        case Int():
            return "int" if kind.signed else "uint"
    return ""


class Machine:
    """Object code, loaded, for arguments of certain types."""

    def __init__(self, header: Header, code: bytes) -> None:
        from dragon.compiler.machine import Loaded

        self.better: Callable[[tuple[Any, ...]], Machine] | None = None
        """Compile the same again, optimised fully; None if that is what it is."""
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
        read = (RESULTS[kind].from_buffer(out, 8 * i) for i, kind in enumerate(results))
        values = tuple(each.value for each in read)
        return values if self._header["several"] else values[0] if values else None

    def bound(self, arguments: tuple[Any, ...], slow: Entry) -> Callable[..., Any]:
        """An entry that Python calls directly; other arguments go to `slow`."""
        results, several = self._header["results"], self._header["several"]
        return bound(slow.__name__, self._address, arguments, results, several, self, slow,
                     self.fail)  # fmt: skip

    def fail(self, status: int) -> NoReturn:
        """Raises the exception that a status stands for, with the line that raised it."""
        kind, message, file, line, function = self._header["failures"][status - 1]
        where, _, names = kind.partition(":")
        found = attrgetter(names)(import_module(where))
        raised: BaseException = found(message) if message else found()
        raised.compiled_place = Place(file, line, function, "")  # type: ignore[attr-defined]
        raise raised


def _flatten(arguments: tuple[Any, ...], out: list[int]) -> None:
    """Adds the words of arguments."""
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
    """Return what selects the code to run: the arguments' types, or why they have none."""
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
        """The value for these arguments."""
        key = signature(arguments)
        machine = self._machines.get(key)
        return (machine or self.machine(key, arguments))(*arguments)

    def machine(self, key: tuple[Any, ...], arguments: tuple[Any, ...]) -> Any:
        """The code for arguments like these."""
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
        """The quickest way to a machine, which may still have to show that it is worth more."""
        call = machine.bound(arguments, self)
        return call if call is self or machine.better is None else Tiered(call, self._improved)

    def _improved(self, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        """The way to better code for arguments like these, which takes the place of what is."""
        key = signature(arguments)
        with self._lock:
            machine = self._machines.get(key)
            if machine is None or machine.better is None:  # others, or another thread was quicker
                return self
            self._machines[key] = machine.better(arguments)
            self.call = self._bound(self._machines[key], arguments)
            return self.call


def compile_function(function: FunctionType, checked: bool = False) -> Entry:
    """A function compiled by itself, when it is first called with arguments of new types.

    Raises `Refused` then for what the compiler cannot read. Nothing is kept on disk.
    """
    from dragon.compiler.program import Program

    program = Program()

    def find(name: str, arguments: tuple[Any, ...]) -> Machine:
        return Machine(*compile_entry(program, function, arguments, checked))

    return Entry(function.__name__, find)
