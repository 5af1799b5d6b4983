"""Where an exception arose, and which rule is to blame for it.

What a plugin raises crosses many frames of dragon on its way out, or leaves compiled code,
which tells the line that raised. Both ways the innermost frame of the
plugin's own file is the place to mend.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from dragon.errors import DragonError, RuleError

if TYPE_CHECKING:
    from dragon.rules import Rules

T = TypeVar("T")
OURS = str(Path(__file__).parent) + os.sep
LIBRARY = str(Path(OURS, "compiler", "library.py"))
"""Functions of dragon.bits, of which those that are given memory write moves."""


class Breach(Exception):
    """In checked code a rule breaks its contract; begins with the rule's name and a colon."""


class Endless(Exception):
    """Something in a rule goes on for ever."""


class Scene:
    """Whose rules were called last, and with which records: what the watchdog looks into."""

    rules: Rules | None = None
    source: Any = b""
    """The bytes of a record, or a weak reference to something that keeps arrays of records."""


SCENE = Scene()
"""The last call of compiled rules of this process."""


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
    crossed = [
        Place(
            frame.f_code.co_filename,
            line,
            frame.f_code.co_name,
            str(frame.f_globals.get("__name__", "")),
        )
        for frame, line in traceback.walk_tb(raised.__traceback__)
    ]
    compiled: Place | None = getattr(raised, "compiled_place", None)
    return crossed if compiled is None else [*crossed, compiled]


def told(raised: BaseException) -> str:
    """An exception in one line: its type, and what it says."""
    return " ".join(f"{type(raised).__name__}: {raised}".split()).removesuffix(":")


def rule_error(rules: Rules, raised: BaseException) -> RuleError | None:
    """The RuleError for what a rule, or a function it called, raised; None if none did."""
    spans = {name: (f.__code__.co_filename, *_lines(f)) for name, f in rules.named().items()}
    files = {file for file, *_ in spans.values()}
    if isinstance(raised, Breach):
        name, _, reason = str(raised).partition(": ")
        file, line, _ = spans[name]
        return RuleError(name, file, line, reason.format(width=rules.width, plies=rules.plies,
                         last=len(rules.teams) - 1, largest=rules.largest))  # fmt: skip
    place: Place | None = getattr(raised, "compiled_place", None)
    if isinstance(raised, IndexError) and place is not None and place.file == LIBRARY:
        reason = (
            f"{told(raised)} in {place.function}; are there more moves than width = {rules.width}?"
        )
        return RuleError("moves", *spans["moves"][:2], reason)
    if isinstance(raised, IndexError) and place is not None and place.file.startswith(OURS):
        reason = (
            f"a search went past the end of its memory ({place}): does a game last longer than "
            f"plies = {rules.plies}, or has it other moves than it says?"
        )
        return RuleError("turn", *spans["turn"][:2], reason)
    own = [place for place in places(raised) if place.file in files]
    if not own and place is not None and not place.file.startswith(OURS):
        own = [place]  # of a helper in another file
    if not own:
        return None

    def within(place: Place) -> list[str]:
        return [
            name
            for name, (file, first, last) in spans.items()
            if file == place.file and first <= place.line <= last
        ]

    rule = next((name for place in reversed(own) for name in within(place)), own[-1].function)
    return RuleError(rule, own[-1].file, own[-1].line, told(raised))


def _lines(function: Any) -> tuple[int, int]:
    """The first and the last line of a function."""
    code = function.__code__
    lines = [line for *_, line in code.co_lines() if line is not None]
    return code.co_firstlineno, max(lines, default=code.co_firstlineno)


def blames(method: Callable[..., T]) -> Callable[..., T]:
    """A method of something with `rules`: what a rule raises in it becomes a RuleError.

    A stack or a memory that is full is nobody's mistake.
    """

    @wraps(method)
    def call(self: Any, *arguments: Any) -> T:
        try:
            return method(self, *arguments)
        except (DragonError, RecursionError, MemoryError):
            raise
        except Exception as raised:
            if (error := rule_error(self.rules, raised)) is None:
                raise
            raise error from raised

    return call
