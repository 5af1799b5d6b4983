"""The compiler: rules and kernels in a typed subset of Python, to machine code by LLVM.

The front end, which knows file, line and type of everything::

    source       a function's syntax tree, from the file that it came from
    program      functions that call one another, each typed once for every kind of arguments
    front        statements, and what becomes of variables where ways meet (flow)
    expressions  expressions; meaning and library: what builtins, numpy, math and dragon.bits are
    operations   what can be done with typed values; words: what is called how where it is refused
    types, tree  what it makes of them

The back end, for this machine or another, checked or not::

    assembly     LLVM's text in the making: functions, tables, entries
    emission     the typed tree as instructions, which stand in blocks (writing)
    machine      LLVM's text as object code, and object code as functions

And between the two and Python::

    entries      compiled functions as Python calls them
    binding      a C function that takes Python's objects apart, so that a call costs little
    fallback     numba, for what is outside the subset
"""

from __future__ import annotations

from dragon.compiler.entries import compile_function

__all__ = ["compile_function"]
