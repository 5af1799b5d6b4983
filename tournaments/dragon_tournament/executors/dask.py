"""Dask: games on the machines of a Dask cluster, by the extra `dask`."""

from __future__ import annotations

import logging
import time
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import field, frozen

from dragon.errors import ConfigError, TournamentError
from dragon_tournament.formats.schedule import Pairing
from dragon_tournament.records.record import Record
from dragon_tournament.tournament import Tournament

if TYPE_CHECKING:
    from distributed import Client

CONNECT = 15.0
"""Seconds a scheduler may take to answer."""
ARRIVE = 60.0
"""Seconds in which a first worker must be there."""
EXAMPLE = "--scheduler tcp://192.168.0.7:8786"


@frozen
class DaskExecutor:
    """The workers of a Dask scheduler, as many as there are, come and go as they may."""

    name: ClassVar[str] = "dask"
    workers: int | None = None
    """At most so many batches at once; by default one for each thread of each worker."""
    scheduler: str | None = None
    """The scheduler's address."""
    patience: float = field(default=ARRIVE, kw_only=True)
    """Seconds in which a first worker must be there."""
    connect: float = field(default=CONNECT, kw_only=True)
    """Seconds in which the scheduler must answer."""

    def map(self, tournament: Tournament, pairings: Iterator[Pairing]) -> Generator[Record]:
        """Records as batches end; raises ConfigError or TournamentError without a cluster."""
        from dragon_tournament.executors.futures import FuturesExecutor

        client = self._client()
        try:
            try:
                client.wait_for_workers(1, timeout=self.patience)
            except TimeoutError:
                raise TournamentError(
                    f"{self.scheduler} has no workers; start some: dask worker {self.scheduler}"
                ) from None
            pool = client.get_executor(pure=False, retries=0)  # the retries are ours
            over = FuturesExecutor(pool, self.workers, self.name, _Threads(client))
            yield from over.map(tournament, pairings)
        finally:
            client.close(timeout=self.connect)

    def _client(self) -> Client:
        if self.scheduler is None:
            raise ConfigError(f"--executor dask needs the scheduler's address: {EXAMPLE}")
        try:
            from distributed import Client
        except ImportError:
            raise ConfigError(
                "--executor dask needs a package that is not installed here: "
                "pip install 'dragon-search[dask]'"
            ) from None
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # we say it in our own words
        try:
            return Client(self.scheduler, timeout=self.connect, set_as_default=False)
        except ValueError as wrong:
            raise ConfigError(f"{self.scheduler} is no address ({wrong}); {EXAMPLE}") from None
        except OSError as wrong:  # TimeoutError is one
            reason = str(wrong).splitlines()[0] if str(wrong) else "no answer"
            raise TournamentError(
                f"no Dask scheduler at {self.scheduler} ({reason}); start one: dask scheduler"
            ) from None


class _Threads:
    """How many tasks the cluster can do at once, asked for every second at most."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.asked = -1.0
        self.threads = 0

    def __call__(self) -> int:
        now = time.monotonic()
        if now - self.asked > 1.0:
            try:
                found: dict[Any, int] = self.client.nthreads()
            except (OSError, TimeoutError) as wrong:
                raise TournamentError(
                    f"the Dask scheduler is gone ({type(wrong).__name__}); what was recorded is "
                    f"kept, and the same command goes on from there"
                ) from None
            self.asked, self.threads = now, sum(found.values())
        return self.threads
