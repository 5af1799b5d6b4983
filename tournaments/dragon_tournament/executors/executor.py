"""The interface of executors, and the one that the command line names."""

from __future__ import annotations

import inspect
from collections.abc import Generator, Iterator
from concurrent import futures
from typing import Protocol

from dragon.errors import ConfigError, UnknownName
from dragon.plugins import by_name, own_offers
from dragon_tournament.pairing import Pairing
from dragon_tournament.records.event_log import Incident
from dragon_tournament.records.record import Record
from dragon_tournament.tournament import Tournament


class Executor(Protocol):
    """A way to play games: it turns pairings into records, in any order."""

    @property
    def name(self) -> str:
        """The name for `--executor`."""

    def map(
        self, tournament: Tournament, pairings: Iterator[Pairing]
    ) -> Generator[Record | Incident]:
        """Yield the record of every pairing, as games end. Closing it stops the games in progress.

        Incidents may come between them, such as a worker that died and its game, played again.
        Where results decide who meets next, `pairings` may end and give more after further records;
        it is asked again when a worker is free, and is over if it gives nothing while no game is in
        progress.
        """


def executor_of(
    name: str,
    workers: int | None = None,
    scheduler: str | None = None,
    wait: float | None = None,
) -> Executor:
    """Return the installed executor of that name; no workers mean this very process.

    Raises UnknownName, and ConfigError for an option that it does not take. One that is a
    `concurrent.futures.Executor` is given games in batches.
    """
    wanted = "inline" if workers == 0 else name
    offered = own_offers("dragon_executors", wanted)
    known = by_name("executor", "a class, or a function, with a name", callable, offered)
    if wanted not in known:
        raise UnknownName("executor", wanted, known)
    given = {"workers": workers or None, "scheduler": scheduler, "wait": wait}
    options = {key: value for key, value in given.items() if value is not None}
    taken = inspect.signature(known[wanted]).parameters
    for key in options:
        if key not in taken and not any(p.kind is p.VAR_KEYWORD for p in taken.values()):
            raise ConfigError(f"the executor {wanted} takes no --{key}; leave it out")
    made: Executor | futures.Executor = known[wanted](**options)
    if isinstance(made, futures.Executor):
        from dragon_tournament.executors.futures import FuturesExecutor

        return FuturesExecutor(made, workers, wanted)
    return made
