"""Connections: how many there may be, and how long one may say nothing.

A connection takes a descriptor of the process, asks for no token, and may never send a request.
So there are fewer than the system allows; a request's head must come within HEAD seconds; and
when there are as many as may be, the one that has waited longest for a request makes room.
"""

from __future__ import annotations

import asyncio
import logging
from functools import cache
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

log = logging.getLogger("dragon.web")
HEAD = 10.0
"""Seconds from the connection, or the first byte, to the end of a request's head."""
BACKLOG = 64
"""Connections that are accepted at once, before those that are too many are closed."""
OTHERS = 200
"""Descriptors for the processes' pipes and for files, and for what was just accepted."""
MOST = 2000


def room(processes: int) -> int:
    """Return the number of connections allowed at once, by the limit of file descriptors."""
    try:
        import resource
    except ImportError:  # Windows
        return MOST
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if soft == resource.RLIM_INFINITY:
        return MOST
    return max(16, min(MOST, soft - OTHERS - 8 * processes))


class Patient(AutoHTTPProtocol):  # type: ignore[misc]  # uvicorn's types are not read
    """uvicorn's protocol with these bounds; `most` is set by `patient`."""

    most = MOST
    idle: dict[Patient, None]
    """The connections without a request in progress, the longest first."""
    deadline: asyncio.TimerHandle | None = None
    """When the head of a request must be there."""

    def connection_made(self, transport: Any) -> None:
        """Makes room for it where there is none, or closes it."""
        super().connection_made(transport)
        if len(self.connections) > self.most:
            next(iter(self.idle), self).transport.abort()
        self.waits()

    def connection_lost(self, error: Exception | None) -> None:
        """Forgets it."""
        super().connection_lost(error)
        self.works()

    def data_received(self, data: bytes) -> None:
        """Waits for the rest of a head, or follows the request."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self.works()
        elif self.deadline is None:
            self.waits()

    def on_response_complete(self) -> None:
        """Another request may come; until its first byte uvicorn itself bounds the time."""
        super().on_response_complete()
        if not self.transport.is_closing() and self.cycle.response_complete:
            self.idle[self] = None

    def waits(self) -> None:
        """A head has to come."""
        if not self.transport.is_closing():
            self.idle.setdefault(self)
            self.deadline = self.loop.call_later(HEAD, self.transport.abort)

    def works(self) -> None:
        """A request is in progress, or nothing more can come."""
        self.idle.pop(self, None)
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None


def patient(most: int) -> type[Patient]:
    """The protocol of one server, with at most so many connections."""
    return type("Patient", (Patient,), {"most": most, "idle": {}})


def sparing(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Handles errors of the event loop: where descriptors run out all the same, in a line."""
    if "out of system resource" in str(context.get("message")):
        _full()
    else:
        loop.default_exception_handler(context)


@cache
def _full() -> None:
    """Says it once: asyncio would, many times a second."""
    log.error("no more connections can be accepted: the process has no descriptors left")
