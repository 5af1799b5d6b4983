"""Places of mistakes: where code was when an exception arose, and what the compiler cannot read.

An exception of a plugin crosses many frames of dragon, or comes out of compiled code, which knows
the line that raised it. In both cases the innermost line in a file of the plugin is to be mended.

A refusal says where and why the compiler cannot read a function, and what to write instead.
"""

from __future__ import annotations

import ast
import math
import os
import re
import traceback
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

OURS = str(Path(__file__).parents[1]) + os.sep
LIBRARY = str(Path(OURS, "compiler", "library.py"))
"""The file of the functions of dragon.bits; those that are given memory write moves."""


class Breach(Exception):
    """A breach of a rule's contract, found by checked code; the text begins with `NAME: `."""


class Endless(Exception):
    """A loop or a recursion of a rule that does not end."""


def turns_taken() -> int:
    """Return, in checked code, the turns that loops and calls of rules have taken in this call."""
    return 0


class Place(NamedTuple):
    """A line of source that was being run."""

    file: str
    line: int
    function: str
    module: str
    """Its name; empty for a line of compiled code."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def places(raised: BaseException) -> list[Place]:
    """The frames that an exception crossed, the outermost first; then the compiled line, if any."""
    crossed = []
    for frame, line in traceback.walk_tb(raised.__traceback__):
        code, module = frame.f_code, str(frame.f_globals.get("__name__", ""))
        crossed.append(Place(code.co_filename, line, code.co_name, module))
    compiled = compiled_place(raised)
    return crossed if compiled is None else [*crossed, compiled]


def author_place(raised: BaseException, module: str = "") -> Place | None:
    """Return the innermost line that an exception crossed which is a plugin author's to mend.

    Lines of dragon, Python and installed packages are not, except those of `module`'s package.
    """
    python = os.path.dirname(os.__file__) + os.sep
    if isinstance(raised, SyntaxError) and raised.filename:
        return Place(raised.filename, raised.lineno or 1, "", "")
    for place in reversed(places(raised)):
        if module and place.module.partition(".")[0] == module.partition(".")[0]:
            return place
        installed = place.file.startswith(python) or "-packages" in place.file
        if not (installed or place.file.startswith((OURS, "<"))):
            return place
    return None


def compiled_place(raised: BaseException) -> Place | None:
    """The line of compiled code that raised; None if none did."""
    found: Place | None = getattr(raised, "compiled_place", None)
    return found


class Refused(Exception):
    """A construct that the compiler cannot read: its place, and the reason.

    `foreign`: whether it may be correct Python that is only outside the subset, as numba's may be.
    """

    def __init__(
        self, function: FunctionType, line: int, reason: str, foreign: bool = False
    ) -> None:
        super().__init__(f"{function.__code__.co_filename}:{line}: {reason}")
        self.function, self.line, self.reason, self.foreign = function, line, reason, foreign


class Unfinished(Exception):
    """A function calls itself before the type that it returns is known."""


TEXT = "rules make no text; the notation does"
LOOP = "write a loop"
TUPLE = "write a tuple, or keep what changes in the record"
BEFORE = "test beforehand what would raise"
FILE = "write it at the top of the file"
STATE = "rules keep nothing between calls; what changes is in the record"
NAMES = {
    "ListComp": ("list comprehension", LOOP), "SetComp": ("set comprehension", LOOP),
    "DictComp": ("dict comprehension", LOOP), "GeneratorExp": ("generator expression", LOOP),
    "Try": ("try", BEFORE), "TryStar": ("try", BEFORE), "With": ("context manager (with)", ""),
    "List": ("list", TUPLE), "Set": ("set", f"{TUPLE}; a set of small numbers is a bit set"),
    "Dict": ("dict", TUPLE), "JoinedStr": ("f-string", TEXT), "Lambda": ("lambda", FILE),
    "FunctionDef": ("function in a function", FILE), "ClassDef": ("class", FILE),
    "AsyncFunctionDef": ("function in a function", FILE), "TypeAlias": ("type alias", FILE),
    "Import": ("import in a function", FILE), "ImportFrom": ("import in a function", FILE),
    "Yield": ("yield", "a rule writes into `out` what there are several of"),
    "YieldFrom": ("yield", "a rule writes into `out` what there are several of"),
    "Delete": ("del", "leave it out"), "Match": ("match", "write `if` and `elif`"),
    "Global": ("global", STATE), "Nonlocal": ("nonlocal", STATE),
    "MatMult": ("matrix product", LOOP), "Starred": ("star", "name each value"),
}  # fmt: skip
"""The names of constructs, as authors call them, with what to write instead."""
OF_NOBODY = {"Global", "Nonlocal", "Import", "ImportFrom", "ClassDef", "Yield", "YieldFrom"}
"""Constructs that numba cannot compile either."""
CALLS: dict[Any, str] = {
    **dict.fromkeys((sorted, any, all, enumerate, zip, map, filter, reversed), LOOP),
    **dict.fromkeys((list, set, dict, frozenset, tuple), TUPLE),
    **dict.fromkeys((str, repr, format), TEXT),
    print: "set DRAGON_JIT=0, under which rules may",
    pow: "multiply, or shift",
    range: "write a loop, or `low <= x < high`",
    math.isnan: "write x != x",
    divmod: "write a // b and a % b",
    hash: "it differs from process to process; write mix(x) of dragon.bits",
    round: "write int(...), math.floor(...) or math.ceil(...)",
    isinstance: "types are known before the program runs",
}
"""Functions of Python that the compiler does not know, and what to do instead."""


_PRIVATE = re.compile(r"_([^\W_]\w*?)(__\w*[^\W_])_?")
_IMPORTS = {"np": "import numpy as np"}


def private(name: str) -> str:
    """Return a hint for a name that Python made of a private one of a class, else an empty text."""
    found = _PRIVATE.fullmatch(name)
    if found is None:
        return ""
    own = name.removeprefix(f"_{found[1]}")
    return f"; Python reads {own!r} so within the class {found[1]}: write one underscore"


def imported(name: str) -> str:
    """Return the import that a name needs, as a hint; empty for a name that is not known."""
    from dragon import bits, core

    line = _IMPORTS.get(name)
    if name in vars(bits) and not name.startswith("_"):
        line = f"from dragon.bits import {name}"
    elif name in core.__all__:
        line = f"from dragon import {name}"
    elif name in ("math", "numpy"):
        line = f"import {name}"
    return f"; write `{line}` at the top of the file" if line else ""


def name_of(node: ast.AST) -> str:
    """Return an author's name for a construct, and what to write instead."""
    return "; ".join(filter(None, NAMES.get(type(node).__name__, (type(node).__name__, ""))))


def instead_of(called: Any) -> str:
    """Return the remedy for a call that is not supported."""
    known = next((remedy for each, remedy in CALLS.items() if each is called), "")
    module = str(getattr(called, "__module__", None) or type(called).__module__)
    if module.partition(".")[0] == "numpy" and "random" not in module:
        known = LOOP
    elif "random" in module:
        known = "draw(random, n) of dragon.bits draws, in the rule `sample`"
    elif hasattr(called, "__wrapped__"):
        known = "take away its decorator"
    return known and f"; {known}"
