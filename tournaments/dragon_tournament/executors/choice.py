"""Choice: the executor that the command line names, with the options it takes."""

from __future__ import annotations

import inspect
from concurrent import futures

from dragon.errors import ConfigError, UnknownName
from dragon.plugins import by_name, offers
from dragon_tournament.executors import Executor


def executor_of(name: str, workers: int | None = None, scheduler: str | None = None) -> Executor:
    """The installed executor of that name; no workers mean this very process.

    Raises UnknownName, and ConfigError for an option that it does not take. One that is a
    `concurrent.futures.Executor` is given games in batches.
    """
    offered = offers("dragon_executors")
    known = by_name("executor", "a class, or a function, with a name", callable, offered)
    wanted = "inline" if workers == 0 else name
    if wanted not in known:
        raise UnknownName("executor", wanted, known)
    given = {"workers": workers or None, "scheduler": scheduler}
    options = {key: value for key, value in given.items() if value is not None}
    taken = inspect.signature(known[wanted]).parameters
    for key in options:
        if key not in taken and not any(p.kind is p.VAR_KEYWORD for p in taken.values()):
            raise ConfigError(f"the executor {wanted} takes no --{key}; leave it out")
    made = known[wanted](**options)
    if isinstance(made, futures.Executor):
        from dragon_tournament.executors.futures import FuturesExecutor

        return FuturesExecutor(made, workers, wanted)
    chosen: Executor = made
    return chosen
