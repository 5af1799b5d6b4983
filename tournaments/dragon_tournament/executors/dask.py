"""The executor of a Dask cluster, by the extra `dask`."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from attrs import field, frozen

from dragon.errors import ConfigError, TournamentError
from dragon_tournament.pairing import Pairing
from dragon_tournament.records.event_log import Incident, IncidentKind
from dragon_tournament.records.record import Record
from dragon_tournament.tournament import Tournament

log = logging.getLogger("dragon")

if TYPE_CHECKING:
    from distributed import Client

CONNECT = 15.0  # seconds a scheduler may take to answer
ARRIVE = 60.0  # seconds in which a first worker must be there
REACH = 5.0  # seconds in which the workers must have heard that a run is stopped
EXAMPLE = "--scheduler tcp://192.168.0.7:8786"


@frozen
class DaskExecutor:
    """The workers of a Dask scheduler; they may come and go during a run."""

    name: ClassVar[str] = "dask"
    workers: int | None = None
    """The greatest number of batches at once; by default one for each thread of each worker."""
    scheduler: str | None = field(default=None, metadata={"outside": True})
    """The scheduler's address."""
    patience: float = field(default=ARRIVE, kw_only=True)
    """The seconds in which a first worker must connect; `wait` if that is given."""
    connect: float = field(default=CONNECT, kw_only=True)
    """Seconds in which the scheduler must answer."""
    wait: float | None = None
    """The seconds to wait for a scheduler that has died, and for a first worker."""

    def map(
        self, tournament: Tournament, pairings: Iterator[Pairing]
    ) -> Generator[Record | Incident]:
        """Yield records as batches end; raise ConfigError or TournamentError without a cluster."""
        from dragon_tournament.executors.futures import FuturesExecutor

        client = self._client()
        try:
            try:
                client.wait_for_workers(1, timeout=self.wait or self.patience)
            except TimeoutError:
                raise TournamentError(
                    f"{self.scheduler} has no workers; start some: dask worker {self.scheduler}"
                ) from None
            pool = client.get_executor(pure=False, retries=0)  # the retries are ours
            reach = partial(_drop_everywhere, client)
            threads = _Threads(client)
            over = FuturesExecutor(pool, self.workers, self.name, threads, reach, threads.news)
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
        import asyncio

        try:  # in a loop of its own: a client that fails to connect cannot be ended
            with ThreadPoolExecutor(1) as other:
                other.submit(asyncio.run, _knock(self.scheduler, self.connect)).result()
            return Client(self.scheduler, timeout=self.wait or CONNECT, set_as_default=False)
        except (ValueError, OverflowError, TypeError) as wrong:  # the last: tls uncertified
            raise ConfigError(f"{self.scheduler} is not an address ({wrong}); {EXAMPLE}") from None
        except OSError as wrong:  # TimeoutError is one
            refused = (
                os.strerror(wrong.errno) if wrong.errno and wrong.errno > 0 else wrong.strerror
            )
            reason = refused or str(wrong).partition("\n")[0] or "no answer"
            raise TournamentError(
                f"no Dask scheduler at {self.scheduler} ({reason}); start one: dask scheduler"
            ) from None


async def _knock(address: str, seconds: float) -> None:
    """Raise OSError if no scheduler answers in `seconds`, ValueError for a wrong address."""
    import asyncio

    from distributed.comm import connect
    from distributed.comm.addressing import get_address_host_port
    from distributed.security import Security

    async with asyncio.timeout(seconds):
        host, port = get_address_host_port(address)
        _, closing = await asyncio.open_connection(host, port)  # dask would try again and again
        closing.close()
        security = Security().get_connection_args("client")
        comm = await connect(address, timeout=seconds, **security)
        try:
            await comm.write({"op": "identity", "reply": True})
            kind = (await comm.read()).get("type")
        finally:
            comm.abort()
    if kind != "Scheduler":
        raise ValueError(f"it is that of a Dask {str(kind).lower()}")


def _drop_everywhere(client: Client, run: str) -> None:
    """End the games of a run on every worker; report one that cannot be reached.

    It is called outside of the cluster's scheduling, so that it reaches a busy worker, too.
    """
    from dragon_tournament.executors.remote import drop

    heard: list[bool] = []

    def tell() -> None:
        with suppress(Exception):  # whatever it is, they could not be reached
            heard.append(set(client.nthreads()) <= set(client.run(drop, run, on_error="ignore")))

    teller = threading.Thread(target=tell, daemon=True)  # `run` knows no time limit
    teller.start()
    teller.join(REACH)
    if heard != [True]:
        log.warning(
            "not every Dask worker could be told to stop; what it plays may go on until its "
            "games end, and is not recorded"
        )


class _Threads:
    """The number of tasks that the cluster can do at once, asked for once a second at most."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.asked = -1.0
        self.threads = 0
        self.workers: set[str] = set()  # their addresses
        self.gone: list[str] = []  # those that have left, as far as that is news

    def news(self) -> list[Incident]:
        """Return the workers that have left since the last call.

        The scheduler gives their batches to others by itself, and says nothing.
        """
        gone, self.gone = self.gone, []
        return [Incident(IncidentKind.GONE, address) for address in gone]

    def __call__(self) -> int:
        now = time.monotonic()
        if now - self.asked > 1.0:
            try:
                found: dict[str, int] = self.client.nthreads()
            except (OSError, TimeoutError) as wrong:
                raise TournamentError(
                    f"the Dask scheduler is gone ({type(wrong).__name__}); what was recorded is "
                    f"kept, and the same command goes on from there; --wait SECONDS waits longer"
                ) from None
            self.asked, self.threads = now, sum(found.values())
            self.gone += sorted(self.workers - set(found))
            self.workers = set(found)
        return self.threads
