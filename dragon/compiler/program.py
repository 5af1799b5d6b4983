"""A program: functions that call one another, each typed once for every kind of its arguments."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from threading import RLock
from types import FunctionType
from typing import Any

from dragon.compiler.front import Reader
from dragon.compiler.kernel import is_kernel
from dragon.compiler.location import Refused, Unfinished, imported, private
from dragon.compiler.tree import Instance
from dragon.compiler.types import Type
from dragon.errors import did_you_mean

MOST_KINDS = 12
"""Types of arguments with which a function that is being read may call itself."""


class Program:
    """Functions typed so far, and the values of names: those that kernels leave open are a
    game's."""

    def __init__(
        self, bindings: Mapping[str, Any] | None = None, other: Program | None = None
    ) -> None:
        self.bindings = dict(bindings or {})
        self._instances: dict[tuple[Any, ...], Instance] = {}
        self._names = 0
        self._other = other
        """A program with other bindings; it reads the functions that are not kernels, for both."""
        self.lock: Any = RLock() if other is None else other.lock
        """Held while a function is read, since its type is not known until then."""

    @property
    def recursive(self) -> bool:
        """Return True if a function that was read calls itself."""
        return any(each.recursive for each in self._instances.values()) or (
            self._other is not None and self._other.recursive
        )

    def value(self, function: FunctionType, name: str, line: int) -> Any:
        free = function.__code__.co_freevars
        if name in free:
            cell = (function.__closure__ or ())[free.index(name)]
            try:
                return cell.cell_contents
            except ValueError:
                raise Refused(function, line, f"the name {name!r} has no value yet") from None
        if is_kernel(function) and name in self.bindings:
            return self.bindings[name]
        for known in (function.__globals__, vars(builtins)):
            if name in known:
                return known[name]
        names = [*function.__globals__, *vars(builtins), *function.__code__.co_varnames]
        hint = private(name) or imported(name) or did_you_mean(name, names)
        raise Refused(function, line, f"the name {name!r} is not defined{hint}")

    def typed(self, function: FunctionType, arguments: tuple[Type, ...]) -> Instance:
        """Return the function typed for these arguments, where none is being read; raise
        Refused."""
        with self.lock:
            try:
                return self.instance(function, arguments)
            except Unfinished:
                line = function.__code__.co_firstlineno
                raise Refused(function, line, "it calls itself for ever") from None

    def instance(self, function: FunctionType, arguments: tuple[Type, ...]) -> Instance:
        """Return the function typed for these arguments.

        Raises Refused, or Unfinished for a function that is being read: it calls itself.
        """
        if self._other is not None and not is_kernel(function):
            return self._other.instance(function, arguments)
        key = (function, *arguments)
        found = self._instances.get(key)
        if found is None:
            self._refuse_endless_types(function)
            self._names += 1
            letter = "f" if self._other is None else "g"
            name = f"{letter}.{function.__qualname__}.{self._names}".replace('"', "")
            found = Instance(function, arguments, name, is_kernel(function))
            self._instances[key] = found
            before = set(self._instances)
            try:
                Reader(self, found).read()
                while found.recursive and not self._settled(found, before):
                    pass
            except BaseException:
                for new in {*self._instances} - before | {key}:
                    del self._instances[new]
                raise
            if found.returns is None:  # it waits for another that is being read
                del self._instances[key]
                raise Unfinished
        elif found.returns is None:
            found.recursive = True
            raise Unfinished
        elif found.recursive:
            found.raises = True  # it may; that is not known yet
        return found

    def _refuse_endless_types(self, function: FunctionType) -> None:
        """Raise Refused for a function that calls itself with new types each time, without end."""
        kinds = [
            f"({', '.join(map(str, each.arguments))})"
            for each in self._instances.values()
            if each.function is function and each.returns is None
        ]
        if len(kinds) > MOST_KINDS:
            reason = f"it calls itself with other types each time: {kinds[0]}, then {kinds[1]}, ..."
            raise Refused(function, function.__code__.co_firstlineno, reason)

    def _settled(self, found: Instance, before: set[tuple[Any, ...]]) -> bool:
        """Read a recursive function once more; return True if it still returns the same type."""
        for new in {*self._instances} - before:
            del self._instances[new]  # they were read with less knowledge
        returned = found.returns
        if returned is None:
            line = found.function.__code__.co_firstlineno
            raise Refused(found.function, line, "it calls itself for ever")
        Reader(self, found).read()
        return found.returns == returned
