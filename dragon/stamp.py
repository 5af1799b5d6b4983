"""The stamp: a hash of everything that the compiler sees.

Functions are read by their byte code, constants, closures and module-level names, and
followed through what they call; numbers, tuples, arrays, enums and classes by their
values. What cannot be read is refused, for dragon could not tell when it changes.
"""

from __future__ import annotations

import dis
import enum
import hashlib
import itertools
import os
import sys
import types
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from dragon.errors import PluginError


def stamp(about: Any, files: Iterable[Path], values: Iterable[tuple[str, str, Any]]) -> str:
    """24 hexadecimal digits for the contents of files and for (place, name, value) triples.

    `about` is anything whose repr tells it. Raises PluginError for a value it cannot read.
    """
    digest = hashlib.sha256()
    digest.update(repr(about).encode())
    for path in files:
        digest.update(path.read_bytes())
    seen: dict[int, int] = {}
    for place, name, value in values:
        _feed(digest, name, seen, place)
        _feed(digest, value, seen, f"{place}: {name}")
    return digest.hexdigest()[:24]


def known(function: types.FunctionType) -> bool:
    """Whether the compiler has its own meaning for a function: dragon.bits, numpy, numba."""
    module = function.__module__ or ""
    return module == "dragon.bits" or module.partition(".")[0] in ("numpy", "numba", "math")


def referenced(function: types.FunctionType) -> dict[str, Any]:
    """What a function uses: module-level names, attributes of modules, and closure cells.

    `pack.consts.STEP` is followed through all its modules. Of a module that is used in
    another way, under a local name say, every attribute counts that the function names.
    """
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    names: dict[str, Any] = {name: cell.cell_contents for name, cell in cells.items()}
    codes = tuple(_codes(function.__code__))
    attributes = {name for code in codes for name in code.co_names}
    for code in codes:
        steps = [step for step in dis.get_instructions(code) if step.opname != "EXTENDED_ARG"]
        for i, step in enumerate(steps):
            if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                known = function.__globals__
            elif step.opname in ("LOAD_DEREF", "LOAD_CLASSDEREF"):
                known = names
            else:
                continue
            if step.argval in known:
                following = itertools.takewhile(_is_attribute, steps[i + 1 :])
                path = (step.argval, *(each.argval for each in following))
                names.update(_followed(known[step.argval], path, attributes))
    return names


def _is_attribute(step: dis.Instruction) -> bool:
    return step.opname in ("LOAD_ATTR", "LOAD_METHOD")


def _followed(value: Any, path: tuple[str, ...], attributes: set[str]) -> Iterator[tuple[str, Any]]:
    """Each value on the way from the first name of `path`, as far as modules lead."""
    last = 0
    yield path[0], value
    while isinstance(value, types.ModuleType) and not _library(value.__name__):
        last += 1
        if last == len(path):
            yield from _spread(value, ".".join(path), attributes, set())
            return
        if not hasattr(value, path[last]):
            return
        value = getattr(value, path[last])
        yield ".".join(path[: last + 1]), value


def _spread(
    module: types.ModuleType, path: str, attributes: set[str], seen: set[int]
) -> Iterator[tuple[str, Any]]:
    """Everything named in `attributes` of a module, and of the modules found there."""
    seen.add(id(module))
    for name in sorted(attributes & set(vars(module))):
        value = vars(module)[name]
        yield f"{path}.{name}", value
        inner = isinstance(value, types.ModuleType) and not _library(value.__name__)
        if inner and id(value) not in seen:
            yield from _spread(value, f"{path}.{name}", attributes, seen)


@cache
def _library(module: str) -> bool:
    """Whether a module is Python's own, numpy's or numba's, whose versions are in the stamp."""
    root = module.partition(".")[0]
    if root in ("numpy", "numba", "llvmlite") or root in sys.builtin_module_names:
        return True
    # A game's own module may be called as one of Python's, so where it lies decides.
    file = getattr(sys.modules.get(root), "__file__", None) or ""
    own = file.startswith(os.path.dirname(os.__file__)) and "-packages" not in file
    return own and root in sys.stdlib_module_names


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


_PLAIN = (int, float, complex, str, bytes, bytearray, range, slice)
_DESCRIPTORS = (
    types.MemberDescriptorType
    | types.GetSetDescriptorType
    | types.WrapperDescriptorType
    | types.MethodDescriptorType
)
# Not read by the compiler, or differently named from run to run.
_UNREAD = {"__dict__", "__weakref__", "__doc__", "__module__", "__annotations__"}


def _put(digest: Any, *parts: Any) -> None:
    """Adds text to the hash, so that where one part ends and the next begins counts."""
    digest.update(f"{parts!r}\0".encode())


def _feed(digest: Any, value: Any, seen: dict[int, int], place: str) -> None:
    """Adds to the hash what the compiler would read of `value`; functions by their byte code.

    `seen` holds the functions and classes met before, which may reach themselves; `place`
    is the sentence's beginning where the value cannot be read, which raises PluginError.
    """
    import numpy as np

    if isinstance(value, types.FunctionType | type) and not _named(value):
        if id(value) in seen:
            _put(digest, "again", seen[id(value)])
            return
        seen[id(value)] = len(seen)
        if isinstance(value, type):
            _feed_class(digest, value, seen, place)
        else:
            _feed_function(digest, value, seen, place)
    elif _named(value):
        _put(digest, value.__module__, value.__qualname__)
    elif isinstance(value, types.ModuleType):
        _put(digest, value.__name__)
    elif isinstance(value, types.CodeType):
        _put(digest, value.co_code, value.co_exceptiontable)
        _put(digest, value.co_names, value.co_varnames, value.co_freevars)
        _feed(digest, value.co_consts, seen, place)
    elif isinstance(value, enum.Enum):
        _feed(digest, type(value), seen, place)
        _put(digest, value.name)
    elif isinstance(value, np.dtype):
        _put(digest, value)  # its repr is whole: names, formats, offsets, size
    elif isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
        _put(digest, type(value).__name__, value.dtype, value.shape, value.tobytes())
    else:
        _feed_values(digest, value, seen, place)


def _feed_values(digest: Any, value: Any, seen: dict[int, int], place: str) -> None:
    """The rest of `_feed`: plain values, and what is made of others."""
    import numba

    kind = type(value).__name__
    base = next((base for base in _PLAIN if isinstance(value, base)), None)
    if base is not None:
        _put(digest, kind, base.__repr__(value))
    elif isinstance(value, types.NoneType | types.EllipsisType | numba.types.Type | _DESCRIPTORS):
        _put(digest, kind, repr(value))
    elif isinstance(value, tuple | list):
        _put(digest, kind, len(value))
        for item in value:
            _feed(digest, item, seen, place)
    elif isinstance(value, dict | types.MappingProxyType):
        _put(digest, kind, len(value))
        for key, item in value.items():
            _feed(digest, key, seen, place)
            _feed(digest, item, seen, place)
    elif isinstance(value, frozenset | set):  # in an order that does not change from run to run
        parts = [hashlib.sha256() for _ in value]
        for part, item in zip(parts, value, strict=True):
            _feed(part, item, dict(seen), place)
        _put(digest, kind, sorted(part.hexdigest() for part in parts))
    elif hasattr(value, "py_func"):  # an author's own numba function
        _feed(digest, value.py_func, seen, place)
        _feed(digest, getattr(value, "targetoptions", None), seen, place)
    elif callable(getattr(value, "__wrapped__", None)):
        _feed(digest, value.__wrapped__, seen, place)
    elif isinstance(value, property):
        _feed(digest, value.fget, seen, place)
    else:
        raise PluginError(
            f"{place}: dragon compiles no value of type {kind}, since it could not tell when it "
            "changes; make it a number, text, a tuple, an array or a function"
        )


def _named(value: Any) -> bool:
    """Whether a function or class is known by its name alone: its source is no game's."""
    if isinstance(value, types.FunctionType) and known(value):
        return True
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(name, str):
        return False
    builtin = isinstance(value, types.BuiltinFunctionType)  # a method of one has no module
    return builtin or (isinstance(module, str) and _library(module))


def _feed_function(
    digest: Any, value: types.FunctionType, seen: dict[int, int], place: str
) -> None:
    _feed(digest, value.__code__, seen, place)
    _feed(digest, value.__defaults__, seen, place)
    _feed(digest, value.__kwdefaults__, seen, place)
    where = f"{value.__code__.co_filename}:{value.__code__.co_firstlineno}: {value.__name__}"
    for name, used in sorted(referenced(value).items()):
        _put(digest, name)
        _feed(digest, used, seen, f"{where} reads {name!r}")


def _feed_class(digest: Any, value: type, seen: dict[int, int], place: str) -> None:
    """A class member by member: an enum's values, a named tuple's fields, else what it defines."""
    _put(digest, value.__qualname__)
    for base in value.__bases__:
        _feed(digest, base, seen, place)
    if issubclass(value, enum.Enum):
        members = {name: member.value for name, member in value.__members__.items()}
    elif issubclass(value, tuple) and hasattr(value, "_fields"):
        members = {name: getattr(value, name) for name in ("_fields", "_field_defaults")}
    else:
        members = {name: vars(value)[name] for name in sorted(vars(value).keys() - _UNREAD)}
    for name, member in members.items():
        _put(digest, name)
        _feed(digest, member, seen, f"{place}, whose {name!r} dragon reads too")
