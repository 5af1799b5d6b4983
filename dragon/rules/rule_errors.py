"""Rule errors: an exception of a rule as a RuleError, with the line that its author must mend."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from dragon.compiler.location import LIBRARY, OURS, Breach, compiled_place, places
from dragon.errors import DragonError, RuleError, one_line
from dragon.rules.rules import Rules

T = TypeVar("T")
LAST_CALLED: dict[int, tuple[Rules, Any]] = {}
"""Whose rules each thread called last, and with which records: what the watchdog looks into.

The records are the bytes of one, or a weak reference to something that keeps arrays of them.
"""


def rule_error(rules: Rules, raised: BaseException) -> RuleError | None:
    """The RuleError for what a rule, or a function it called, raised; None if none did."""
    spans = {name: (f.__code__.co_filename, *_lines(f)) for name, f in rules.named().items()}
    files = {file for file, *_ in spans.values()}
    if isinstance(raised, Breach):
        name, _, reason = str(raised).partition(": ")
        file, line, _ = spans[name]
        return RuleError(name, file, line, reason.format(width=rules.width, plies=rules.plies,
                         last=len(rules.teams) - 1, largest=rules.largest,
                         ranks=rules.ranks))  # fmt: skip
    place = compiled_place(raised)
    if isinstance(raised, IndexError) and place is not None and place.file == LIBRARY:
        reason = f"{one_line(raised)} in {place.function}"
        reason += f"; are there more moves than width = {rules.width}?"
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

    within = (
        name
        for place in reversed(own)
        for name, (file, first, last) in spans.items()
        if file == place.file and first <= place.line <= last
    )
    rule = next(within, own[-1].function)
    return RuleError(rule, own[-1].file, own[-1].line, one_line(raised))


def _lines(function: Any) -> tuple[int, int]:
    """The first and the last line of a function."""
    code = function.__code__
    lines = [line for *_, line in code.co_lines() if line is not None]
    return code.co_firstlineno, max(lines, default=code.co_firstlineno)


def as_rule_errors(method: Callable[..., T]) -> Callable[..., T]:
    """A method of something with `rules`: what a rule raises in it becomes a RuleError.

    A stack or a memory that is full is not a mistake of a rule.
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
