"""The origin of an exception: the frames that it crossed, and the line of compiled code.

An exception of a plugin crosses many frames of dragon, or comes out of compiled code, which knows
the line that raised it. In both cases the innermost line in a file of the plugin is to be mended.
"""

from __future__ import annotations

import os
import traceback
from pathlib import Path
from typing import NamedTuple

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
