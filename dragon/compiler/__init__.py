"""The compiler: rules and kernels in a typed subset of Python, to machine code by LLVM.

The front end, which knows file, line and type of everything::

    source       a function's syntax tree, from the file that it came from
    program      functions that call one another, each typed once for every kind of arguments
    front        statements
    expressions  expressions, and the targets of assignments
    meaning      builtins and functions of numpy, math and bits
    library      loops for some of them, and a lock for threads
    operations   what can be done with typed values
    types, tree  what the front end makes of functions, and of variables where branches meet

The back end, for this machine or another, checked or not::

    assembly     LLVM's text in the making: functions, tables, entries
    emission     the statements of a function's typed tree as LLVM's text
    values       its expressions
    writing      blocks, stack slots and ways out of such a function, and operations
    machine      LLVM's text as object code, and object code as functions

And between the two and Python; to use the compiler, read `specialise` first::

    specialise   the kernels of a template for a game
    kernel       what a template is, and what its open names are bound to
    fingerprint  a hash of everything that the compiler sees
    cache        object code on disk, by its fingerprint
    entries      compiled functions as Python calls them, by a C function (binding.ll)
    tiers        quickly made code first, optimised code for what runs long
    fallback     numba, for what is outside the subset, as `specialise.by_numba` decides
    location     where an exception arose; where and why something cannot be read

Of rules it knows no more than `kernel.Bindings` says; `dragon.rules` is built on it.
"""
