"""Spawn: the worker processes of a pool, which can be ended before they have come up."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from dragon import spawn


class Spawn(spawn.Spawn):
    """How a pool starts its processes.

    A process that is still coming up when its pool closes would find nobody there and complain on
    stderr; so those are remembered, and killed first.
    """

    def __init__(self) -> None:
        super().__init__()
        self.started: list[spawn.Process] = []

    def Process(self, *args: Any, **kwargs: Any) -> spawn.Process:  # type: ignore[override]  # noqa: N802 - its name there
        """A process, not yet started."""
        process = spawn.Process(*args, **kwargs)
        self.started = [p for p in self.started if p.exitcode is None] + [process]
        return process

    def kill(self) -> None:
        """Ends all that are there."""
        for process in self.started:
            with suppress(ValueError, AttributeError):  # never started, or closed
                process.kill()
