"""The syntax tree of a function, found in the file that it was imported from."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType, FunctionType


class NoSource(Exception):
    """A function whose source is not there, or no longer what runs."""


def tree_of(function: FunctionType) -> ast.FunctionDef:
    """The definition of a function, with the line numbers of its file.

    Raises NoSource where there is none (typed at a prompt, a lambda), or where the file has
    changed since: what is compiled has to be what Python runs.
    """
    code = function.__code__
    lines = tuple(linecache.getlines(code.co_filename, function.__globals__))
    definitions, codes = _file(lines) if lines else ({}, {})
    found, again = definitions.get(code.co_firstlineno), codes.get(code.co_firstlineno)
    if found is None or again is None or found.name != code.co_name:
        raise NoSource("its source cannot be found; write it in a file, as a function with a name")
    rewritten = "@pytest_ar" in code.co_names  # whose asserts are
    if not rewritten and _read(again) != _read(code):
        raise NoSource("its file has changed since it was imported; start again")
    return found


def _read(code: CodeType) -> tuple[object, ...]:
    """What of a code object the source decides."""
    numbers = [repr(each) for each in code.co_consts if not isinstance(each, CodeType)]
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, numbers


@lru_cache(maxsize=64)
def _file(lines: tuple[str, ...]) -> tuple[dict[int, ast.FunctionDef], dict[int, CodeType]]:
    """The functions of a file, and the code of each, by the line where it begins."""
    tree = ast.parse("".join(lines))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    codes = _within(compile(tree, "", "exec", dont_inherit=True))
    return (
        {min([f.lineno, *(d.lineno for d in f.decorator_list)]): f for f in functions},
        {code.co_firstlineno: code for code in codes if not code.co_name.startswith("<")},
    )


def _within(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _within(constant)
