"""Spawn: processes that start afresh, and that can be ended before they have come up."""

from __future__ import annotations

from contextlib import suppress
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any


class Spawn(SpawnContext):
    """How a pool starts its processes; forks and the compiler's threads do not go together.

    A process that is still coming up when its pool closes would find nobody there and complain on
    stderr; so those are remembered, and killed first.
    """

    def __init__(self) -> None:
        super().__init__()
        self.started: list[SpawnProcess] = []

    def Process(self, *args: Any, **kwargs: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802 - its name there
        """A process, not yet started."""
        process = SpawnProcess(*args, **kwargs)
        self.started = [p for p in self.started if p.exitcode is None] + [process]
        return process

    def kill(self) -> None:
        """Ends all that are there."""
        for process in self.started:
            with suppress(ValueError, AttributeError):  # never started, or closed
                process.kill()
