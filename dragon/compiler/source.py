"""The syntax tree of a function, found in the file that it was imported from."""

from __future__ import annotations

import ast
import linecache
import os
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType, FunctionType

from dragon.process import BEGUN

Definition = ast.FunctionDef | ast.AsyncFunctionDef


class NoSource(Exception):
    """A function whose source is not there, or no longer what runs."""


def tree_of(function: FunctionType) -> Definition:
    """Return the definition of a function, with the line numbers of its file.

    Raises NoSource where there is none (typed at a prompt, a lambda), or where the file has
    changed since it was imported: what is compiled has to be what Python runs.
    """
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


@lru_cache(maxsize=64)
def _definitions(lines: tuple[str, ...]) -> dict[int, Definition]:
    """The functions of a file by the line where each begins."""
    functions = _functions(ast.parse("".join(lines)), "")
    return {min([f.lineno, *(d.lineno for d in f.decorator_list)]): f for f in functions}


def _functions(node: ast.AST, within: str) -> Iterator[Definition]:
    """Yield the functions within a node, which stand only where statements do.

    within: the innermost class around, whose name becomes part of private names.
    """
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for each in getattr(node, part, ()):
            inner = each.name if isinstance(each, ast.ClassDef) else within
            yield from _functions(each, inner)
            if isinstance(each, Definition):
                _mangle(each, within)
                yield each


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
    codes = _within(compile("".join(lines), "", "exec", dont_inherit=True))
    return {code.co_firstlineno: code for code in codes if not code.co_name.startswith("<")}


def _within(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _within(constant)
