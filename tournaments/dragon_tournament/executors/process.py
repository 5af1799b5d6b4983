"""Processes: the executor of one machine."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import ClassVar

from attrs import field, frozen

from dragon_tournament.formats.schedule import Pairing
from dragon_tournament.records.diary import Incident
from dragon_tournament.records.record import Record
from dragon_tournament.tournament import Tournament


def cores() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@frozen
class ProcessExecutor:
    """Worker processes, replaced when they die; a death or a stall costs one game."""

    name: ClassVar[str] = "process"
    workers: int = field(factory=cores)

    def map(
        self, tournament: Tournament, pairings: Iterator[Pairing]
    ) -> Generator[Record | Incident]:
        """Records as games end; warms every player up first."""
        from dragon_tournament.executors.supervisor import Supervisor

        with (
            tempfile.TemporaryDirectory(prefix="dragon-", ignore_cleanup_errors=True) as folder,
            closing(Supervisor(tournament, self.workers, Path(folder))) as supervisor,
        ):
            supervisor.begin()
            yield from supervisor.records(pairings)
