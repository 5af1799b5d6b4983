"""Functions compiled by themselves, without a template and a game."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from dragon.compiler.entries import Entry, Machine, compile_entry
from dragon.compiler.program import Program


def compile_function(function: FunctionType, checked: bool = False) -> Entry:
    """A function compiled by itself, when it is first called with arguments of new types.

    Raises `Refused` then for what the compiler cannot read. Nothing is kept on disk.
    """
    program = Program()

    def find(name: str, arguments: tuple[Any, ...]) -> Machine:
        return Machine(*compile_entry(program, function, arguments, checked))

    return Entry(function.__name__, find)
