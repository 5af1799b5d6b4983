"""The compiler: rules and kernels in a typed subset of Python, to machine code by LLVM.

The front end, which knows file, line and type of everything::

    source       a function's syntax tree, from the file that it came from
    program      functions that call one another, each typed once for every kind of arguments
    front        statements, and what becomes of variables where branches meet (flow)
    places       what is assigned to
    expressions  expressions; meaning and library: what builtins, numpy, math and bits are
    operations   what can be done with typed values; refusal: where and why something cannot be read
    types, tree  what it makes of them

The back end, for this machine or another, checked or not::

    assembly     LLVM's text in the making: functions, tables, entries
    emission     the typed tree as a function's text: statements, and their values (values)
    writing      blocks, stack slots and ways out of such a function; instructions: operations
    machine      LLVM's text as object code, and object code as functions

And between the two and Python::

    specialise   the kernels of a template for a game: kernel, what their open names are bound to
    cache        object code on disk, by its fingerprint
    entries      compiled functions as Python calls them
    binding      a C function that takes Python's objects apart, so that a call costs little
    fallback     numba, for what is outside the subset
    location     where an exception arose
    lock         a lock for threads that run one kernel

Of rules it knows no more than `kernel.Bindings` says; `dragon.rules` is built on it.
"""
