"""The work that an exact answer may take: an allowance of steps, and a watch on the part done."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define

MOST_WORK = 400_000
"""The most prospects, weighted by their alternatives: about ten seconds, and some hundred
megabytes."""

Watch = Callable[[float], None]
"""A function given the part of the work done, from time to time; its exception ends the work."""


class TooLarge(Exception):
    """More work than is allowed; never shown to a user."""


@define
class Allowance:
    """The work that may still be done."""

    left: int = MOST_WORK

    def take(self, work: int) -> None:
        """Take work from the allowance; raise TooLarge if nothing is left."""
        self.left -= work
        if self.left < 0:
            raise TooLarge


def part_of(watch: Watch | None, done: float, parts: float) -> Watch | None:
    """Return the watch of the next of `parts` parts, after telling it the parts done."""
    if watch is None:
        return None
    watch(done / parts)
    return lambda share: watch((done + share) / parts)
