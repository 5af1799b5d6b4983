"""The compiler: rules and kernels in a typed subset of Python, to machine code by LLVM.

source     a function's syntax tree, from the file that it came from
front      reads it, knows the type of everything, refuses what it cannot read with its line
types      what a value is          tree     the typed tree that the front end makes
meaning    builtins, numpy's numbers, math, dragon.bits          library   those with a loop
program    functions that call one another, each typed once for every kind of arguments
emission   the typed tree as LLVM's assembly, with checks if wanted
machine    object code for a target, and object code as functions
entries    compiled functions as Python calls them
"""

from __future__ import annotations

from dragon.compiler.entries import compile_function

__all__ = ["compile_function"]
