"""The fingerprint: a hash of everything that the compiler sees; and the identity of rules.

Functions are read by their byte code, with its line numbers, and followed through the names in it:
closure cells, and globals and attributes of modules by those names. That is a little more than they
use (a name may be that of a field), so a fingerprint may change where nothing did, never the other
way. Numbers, tuples, arrays, enums and classes count by their values; other objects count only as
being there, since the compiler refuses to read them.

An identity names what is made of rules and taken to other machines, such as tables: functions are
read by their syntax trees, without their places, so that neither the version of Python nor a
comment or a line above changes it.
"""

from __future__ import annotations

import ast
import enum
import hashlib
import linecache
import os
import re
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, TypeAlias

from dragon.process import BEGUN


def fingerprint(about: Any, values: Iterable[tuple[str, Any]]) -> str:
    """Return 24 hexadecimal digits for named values, and for the repr of `about`."""
    return _hash_of(about, values, _feed_code)


def identity(about: Any, values: Iterable[tuple[str, Any]]) -> str:
    """Return 24 hexadecimal digits that are equal on every machine, whatever the files and lines of
    the functions."""
    return _hash_of(about, values, _feed_tree)


def _hash_of(about: Any, values: Iterable[tuple[str, Any]], read: Reading) -> str:
    digest = hashlib.sha256(repr(about).encode())
    seen = _Seen(read)
    for name, value in values:
        _put(digest, name)
        _feed(digest, value, seen)
    return digest.hexdigest()[:24]


@cache
def versions() -> tuple[Any, ...]:
    """Return the rest of what determines code: the machine, and the versions of all tools."""
    import llvmlite
    import numpy

    from dragon.compiler.machine import host

    here = Path(__file__).parents[1]
    files = [*sorted((here / "compiler").glob("*.py")), here / "bits.py",
             here / "rules" / "kernels" / "guards.py"]  # fmt: skip
    own = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    return (own, host(), sys.version, numpy.__version__, llvmlite.__version__)


def known(function: types.FunctionType) -> bool:
    """Return True if the compiler implements a function itself: dragon.bits, numpy, numba."""
    module = str(function.__globals__.get("__name__", ""))  # what `functools.wraps` leaves alone
    return module == "dragon.bits" or module.partition(".")[0] in ("numpy", "numba", "math")


def reached(functions: Iterable[types.FunctionType]) -> list[types.FunctionType]:
    """Return these functions and every plain function that they may call, each once."""
    found: dict[int, types.FunctionType] = {}
    waiting = list(functions)
    while waiting:
        function = waiting.pop()
        if id(function) not in found and not known(function):
            found[id(function)] = function
            waiting += [v for v in named_in(function).values() if isinstance(v, types.FunctionType)]
    return list(found.values())


def named_in(function: types.FunctionType) -> dict[str, Any]:
    """Return the values of a function's names: closure cells, globals, members of modules."""
    code = function.__code__
    found: dict[str, Any] = {}
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            found[name] = None
    names = _names(code)
    for name in sorted(names & function.__globals__.keys()):
        found[name] = function.__globals__[name]
    for path, value in list(found.items()):
        if isinstance(value, types.ModuleType):
            found.update(_within(value, path, names, set()))
    return found


def _names(code: types.CodeType) -> set[str]:
    """The names of globals and attributes in a function, and in those within it."""
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= _names(constant)
    return found


def _within(
    module: types.ModuleType, path: str, names: set[str], seen: set[int]
) -> Iterator[tuple[str, Any]]:
    """Return the members of a module with these names, and the modules among them."""
    if id(module) in seen or _library(module.__name__):
        return
    seen.add(id(module))
    for name in sorted(names & vars(module).keys()):
        value = vars(module)[name]
        yield f"{path}.{name}", value
        if isinstance(value, types.ModuleType):
            yield from _within(value, f"{path}.{name}", names, seen)


@cache
def _library(module: str) -> bool:
    """Return True for a module of Python, numpy or numba, which counts by its version."""
    root = module.partition(".")[0]
    if root in ("numpy", "numba", "llvmlite") or root in sys.builtin_module_names:
        return True
    # A game's own module may be called as one of Python's, so where it lies decides.
    file = getattr(sys.modules.get(root), "__file__", None) or ""
    own = file.startswith(os.path.dirname(os.__file__)) and "-packages" not in file
    return own and root in sys.stdlib_module_names


_PLAIN = (int, float, complex, str, bytes, bytearray, range, slice)
# Not read by the compiler, or differently named from run to run.
_UNREAD = {"__dict__", "__weakref__", "__doc__", "__module__", "__annotations__",
           "__firstlineno__", "__static_attributes__", "__annotate_func__"}  # fmt: skip
# What every named tuple has; the rest is its author's.
_OF_TUPLES = {"_fields", "_field_defaults", "_make", "_replace", "_asdict"}


def _put(digest: Any, *parts: Any) -> None:
    """Add texts to the hash, so that their boundaries count."""
    digest.update(f"{parts!r}\0".encode())


Reading: TypeAlias = Callable[[Any, types.FunctionType], None]
"""A function that adds code to a hash, without the values of its names."""


class _Seen(dict[int, int]):
    """The functions and classes that have been read, numbered by identity, and a reader of code."""

    def __init__(self, read: Reading, *given: Any) -> None:
        super().__init__(*given)
        self.read = read


def _feed(digest: Any, value: Any, seen: _Seen) -> None:
    """Add to the hash what the compiler would read of a value."""
    import numpy as np

    kind = type(value).__name__
    base = None
    if isinstance(value, _PLAIN):
        base = next(base for base in _PLAIN if isinstance(value, base))
    if isinstance(value, enum.Enum):
        _feed(digest, type(value), seen)
        _put(digest, value.name)
    elif base is not None and not isinstance(value, np.generic):
        _put(digest, kind, base.__repr__(value))
        if type(value) is not base and not isinstance(value, bool):
            _feed(digest, type(value), seen)
    elif isinstance(value, types.FunctionType | type):
        if of_library(value):
            _put(digest, value.__module__, value.__qualname__)
        elif id(value) in seen:
            _put(digest, "again", seen[id(value)])
        else:
            seen[id(value)] = len(seen)
            if isinstance(value, type):
                _feed_class(digest, value, seen)
            else:
                _feed_function(digest, value, seen)
    elif isinstance(value, types.ModuleType):
        _put(digest, value.__name__)
    elif isinstance(value, types.CodeType):
        _put(digest, _code(value, _apart(value)))
    elif isinstance(value, np.dtype):
        _put(digest, value)  # its repr is whole: names, formats, offsets, size
    elif isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
        _put(digest, kind, value.dtype, value.shape, value.tobytes())
    else:
        _feed_parts(digest, value, kind, seen)


def _apart(code: types.CodeType) -> tuple[Any, ...]:
    """Return the parts in which code differs that some version of Python calls equal."""
    return (
        code.co_filename, code.co_linetable, code.co_exceptiontable, code.co_qualname,
        code.co_flags, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount,
    )  # fmt: skip


@cache
def _code(code: types.CodeType, apart: tuple[Any, ...]) -> str:
    """Return a hash of code, which never changes.

    The declaration of its arguments is a part of it (the flags say whether there is a `*`), since
    functions with other declarations may have equal instructions.
    """
    digest = hashlib.sha256()
    _put(digest, code.co_code, *apart)
    _put(digest, code.co_firstlineno)  # to tell what is raised where
    _put(digest, code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars)
    _feed(digest, code.co_consts, _Seen(_feed_code))
    return digest.hexdigest()


def _feed_parts(digest: Any, value: Any, kind: str, seen: _Seen) -> None:
    """Add to the hash a value that is made of other values; the rest of `_feed`."""
    if isinstance(value, tuple | list):
        _put(digest, kind, len(value))
        if hasattr(value, "_fields"):  # by whose names the values are read
            _feed(digest, type(value), seen)
        for item in value:
            _feed(digest, item, seen)
    elif isinstance(value, dict | types.MappingProxyType):
        _put(digest, kind, len(value))
        for item in value.items():
            _feed(digest, item, seen)
    elif isinstance(value, frozenset | set):  # in an order that does not change from run to run
        parts = [hashlib.sha256() for _ in value]
        for part, item in zip(parts, value, strict=True):
            _feed(part, item, _Seen(seen.read, seen))
        _put(digest, kind, sorted(part.hexdigest() for part in parts))
    elif hasattr(value, "py_func"):  # an author's own numba function
        _feed(digest, value.py_func, seen)
        _feed(digest, getattr(value, "targetoptions", None), seen)
    elif callable(getattr(value, "__wrapped__", None)):
        _feed(digest, value.__wrapped__, seen)
    elif isinstance(value, property):
        _feed(digest, value.fget, seen)
    elif isinstance(value, types.NoneType | types.EllipsisType):
        _put(digest, kind)
    else:
        _put(digest, type(value).__module__, kind, getattr(value, "__qualname__", ""))


def unreadable(value: Any) -> str | None:
    """Return the type of a value that the fingerprint leaves out, since it cannot read it, or
    None."""
    import numpy as np

    if isinstance(value, tuple | list | frozenset | set):
        return next(filter(None, map(unreadable, value)), None)
    if isinstance(value, dict | types.MappingProxyType):
        return next(filter(None, map(unreadable, (*value.keys(), *value.values()))), None)
    if isinstance(value, np.ndarray | np.generic):
        return type(value).__name__ if value.dtype.hasobject else None
    kinds = (*_PLAIN, types.FunctionType, types.ModuleType, type, enum.Enum, property)
    if isinstance(value, kinds) or hasattr(value, "py_func") or hasattr(value, "__wrapped__"):
        return None
    if value is None or value is ... or isinstance(value, np.dtype):
        return None
    library = _library(type(value).__module__)  # its functions, and numba's types
    numbas = type(value).__module__.partition(".")[0] == "numba"
    return None if numbas or (library and callable(value)) else type(value).__name__


def of_library(value: Any) -> bool:
    """Return True if a function or class counts by its name alone: its source is not a game's."""
    if isinstance(value, types.FunctionType):
        return known(value) or _library(str(value.__globals__.get("__name__", "")))
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    return isinstance(name, str) and isinstance(module, str) and _library(module)


def _feed_function(digest: Any, value: types.FunctionType, seen: _Seen) -> None:
    seen.read(digest, value)
    for part in (value.__defaults__, value.__kwdefaults__):
        _feed(digest, part, seen)
    _put(digest, hasattr(value, "__dragon_kernel__"))  # then a game's own names come first
    for name, used in sorted(named_in(value).items()):
        _put(digest, name)
        _feed(digest, used, seen)


def _feed_code(digest: Any, function: types.FunctionType) -> None:
    """Add byte code, with the lines it came from."""
    _put(digest, _code(function.__code__, _apart(function.__code__)))


def _feed_tree(digest: Any, function: types.FunctionType) -> None:
    """Add a syntax tree without annotations and docstrings; byte code where there is no source."""

    try:
        _put(digest, _outline(tree_of(function)))
    except NoSource:
        _put(digest, sys.version_info[:2])
        _feed_anywhere(digest, function.__code__)


def _feed_anywhere(digest: Any, code: types.CodeType) -> None:
    """Add byte code, and that within it, without the lines and the file it came from."""
    _put(digest, code.co_code, code.co_exceptiontable, *_apart(code)[3:])
    _put(digest, code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars)
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            _feed_anywhere(digest, each)
        else:
            _feed(digest, each, _Seen(_feed_tree))


# Not read by Python when it runs a function, or not written by every version of Python.
_FOR_PEOPLE = {"ctx", "kind", "type_comment", "type_params", "annotation", "returns",
               "decorator_list"}  # fmt: skip


def _outline(node: Any) -> Any:
    """Return a syntax tree as tuples, without places, annotations, docstrings and what is empty."""
    if isinstance(node, list):
        return tuple(map(_outline, node))
    if not isinstance(node, ast.AST):
        return type(node).__name__, repr(node)
    parts = {name: getattr(node, name, None) for name in node._fields if name not in _FOR_PEOPLE}
    if isinstance(node, ast.FunctionDef) and ast.get_docstring(node, clean=False) is not None:
        parts["body"] = node.body[1:]
    return type(node).__name__, *(
        (name, _outline(part)) for name, part in parts.items() if part not in (None, [])
    )


def _feed_class(digest: Any, value: type, seen: _Seen) -> None:
    """Add a class by its members: an enum's values, a named tuple's fields, else its
    definitions."""
    _put(digest, value.__qualname__)
    for base in value.__bases__:
        _feed(digest, base, seen)
    members = {name: vars(value)[name] for name in sorted(vars(value).keys() - _UNREAD)}
    if issubclass(value, enum.Enum):  # whose own tables are made of its members
        members = {n: member for n, member in members.items() if not (n[0] == n[-1] == "_")}
        members |= {name: member.value for name, member in value.__members__.items()}
    elif issubclass(value, tuple) and hasattr(value, "_fields"):
        own = {n: m for n, m in members.items() if not n.startswith("__") and n not in _OF_TUPLES}
        members = {each: getattr(value, each) for each in ("_fields", "_field_defaults")} | own
    for name, member in members.items():
        if not _generated(member):
            _put(digest, name)
            _feed(digest, member, seen)


def _generated(member: Any) -> bool:
    """Return whether attrs made a method: its `__hash__` has a number drawn by each process."""
    return isinstance(member, types.FunctionType) and member.__code__.co_filename.startswith(
        "<attrs generated"
    )


Definition = ast.FunctionDef | ast.AsyncFunctionDef


class NoSource(Exception):
    """A function whose source is not there, or no longer what runs."""


def tree_of(function: FunctionType) -> Definition:
    """Return the definition of a function, with the line numbers of its file.

    Raises NoSource where there is none (typed at a prompt, a lambda), or where the file has
    changed since it was imported: what is compiled has to be what Python runs.
    """
    try:
        try:
            return _tree_of(function)
        except NoSource:  # the module may have been loaded again since its lines were read
            linecache.checkcache(function.__code__.co_filename)
            return _tree_of(function)
    except (SyntaxError, ValueError):
        raise NoSource("its file cannot be read; if it was changed, start again") from None


def _tree_of(function: FunctionType) -> Definition:
    """Return the definition of a function by the lines that Python has read of its file."""
    code = function.__code__
    lines = tuple(linecache.getlines(code.co_filename, function.__globals__))
    found = _definitions(lines).get(code.co_firstlineno)
    if found is None or found.name != code.co_name:
        raise NoSource("its source cannot be found; write it in a file, as a function with a name")
    rewritten = "@pytest_ar" in code.co_names  # whose asserts are
    if _young(code.co_filename) and not rewritten:
        again = _codes(lines).get(code.co_firstlineno)
        if again is None or _read(again) != _read(code):
            raise NoSource("its file has changed since it was imported; start again")
    return found


def _young(file: str) -> bool:
    """Return True if a file may have changed since this process began, whatever its time says."""
    try:
        status = os.stat(file)
    except OSError:  # it is in an archive, or gone
        return True
    return max(status.st_mtime_ns, status.st_ctime_ns) >= BEGUN


def _read(code: CodeType) -> tuple[object, ...]:
    """The parts of a code object that its source determines."""
    numbers = [repr(each) for each in code.co_consts if not isinstance(each, CodeType)]
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, numbers


_PRIVATE = re.compile(r"\b__(?!\w*__\b)\w")


@lru_cache(maxsize=64)
def _definitions(lines: tuple[str, ...]) -> dict[int, Definition]:
    """The functions of a file by the line where each begins."""
    functions = list(_functions(ast.parse("".join(lines)), ""))
    for function, within in functions:
        if _PRIVATE.search("".join(lines[function.lineno - 1 : function.end_lineno])):
            _mangle(function, within)  # a look at the whole tree
    return {min([f.lineno, *(d.lineno for d in f.decorator_list)]): f for f, _ in functions}


def _functions(node: ast.AST, within: str) -> Iterator[tuple[Definition, str]]:
    """Yield the functions within a node, which occur only where statements do, inner ones first.

    within: the innermost class around, whose name becomes part of private names; it comes with
    each.
    """
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for each in getattr(node, part, ()):
            inner = each.name if isinstance(each, ast.ClassDef) else within
            yield from _functions(each, inner)
            if isinstance(each, Definition):
                yield each, within


def _mangle(function: Definition, within: str) -> None:
    """Write out the private names of a class, `__n` as `_Class__n`, as Python does."""
    prefix = f"_{within.lstrip('_')}"
    if len(prefix) < 2:
        return
    for node in ast.walk(function):
        for part in ("id", "attr", "arg"):
            name = getattr(node, part, None)
            if isinstance(name, str) and name.startswith("__") and not name.endswith("__"):
                setattr(node, part, prefix + name)


@lru_cache(maxsize=64)
def _codes(lines: tuple[str, ...]) -> dict[int, CodeType]:
    """Return the code objects of a file's functions by their first lines."""
    codes = _codes_within(compile("".join(lines), "", "exec", dont_inherit=True))
    return {code.co_firstlineno: code for code in codes if not code.co_name.startswith("<")}


def _codes_within(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes_within(constant)
