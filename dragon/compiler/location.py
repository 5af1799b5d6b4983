"""The origin of an exception: the frames that it crossed, and the line of compiled code.

What a plugin raises crosses many frames of dragon on its way out, or leaves compiled code,
which knows the line that raised. Both ways the innermost frame of the plugin's own file is the
place to mend.
"""

from __future__ import annotations

import os
import traceback
from pathlib import Path
from typing import NamedTuple

OURS = str(Path(__file__).parents[1]) + os.sep
LIBRARY = str(Path(OURS, "compiler", "library.py"))
"""Functions of dragon.bits, of which those that are given memory write moves."""


class Breach(Exception):
    """In checked code a rule breaks its contract; begins with the rule's name and a colon."""


class Endless(Exception):
    """Something in a rule goes on for ever."""


def turns_taken() -> int:
    """In checked code how many turns loops and calls of rules have taken in this call of it."""
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
    """The innermost line, of those that an exception crossed, which is an author's to mend.

    It is not dragon's, Python's, or of an installed package, unless that is the one of `module`.
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
