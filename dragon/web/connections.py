"""The limits of connections: their number, and the time in which a request must come.

A connection takes a descriptor of the process, does not need a token, and may never send a request.
So there are fewer than the system allows; a request's head must come within HEAD seconds; and
at the limit the connection that has waited longest for a request is closed for a new one.
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
"""The connections that are accepted at a time, before the ones above the limit are closed."""
OTHERS = 200
"""Descriptors for the processes' pipes, for files, and for connections that were just accepted."""
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
    """The time by which the head of a request must be complete."""

    def connection_made(self, transport: Any) -> None:
        """Close the connection that waited longest if there are too many, or else this one."""
        super().connection_made(transport)
        if len(self.connections) > self.most:
            next(iter(self.idle), self).transport.abort()
        self.waits()

    def connection_lost(self, error: Exception | None) -> None:
        """Remove the connection."""
        super().connection_lost(error)
        self.works()

    def data_received(self, data: bytes) -> None:
        """Wait for the rest of a head, or note that a request is in progress."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self.works()
        elif self.deadline is None:
            self.waits()

    def on_response_complete(self) -> None:
        """Wait for another request; until its first byte, uvicorn itself limits the time."""
        super().on_response_complete()
        if not self.transport.is_closing() and self.cycle.response_complete:
            self.idle[self] = None

    def waits(self) -> None:
        """Note that a head must come."""
        if not self.transport.is_closing():
            self.idle.setdefault(self)
            self.deadline = self.loop.call_later(HEAD, self.transport.abort)

    def works(self) -> None:
        """Note that no head is waited for."""
        self.idle.pop(self, None)
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None


def patient(most: int) -> type[Patient]:
    """The protocol of one server with a limit of connections."""
    return type("Patient", (Patient,), {"most": most, "idle": {}})


def sparing(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Handle errors of the event loop; if descriptors run out after all, log one line."""
    if "out of system resource" in str(context.get("message")):
        _full()
    else:
        loop.default_exception_handler(context)


@cache
def _full() -> None:
    """Log once; asyncio would log many times a second."""
    log.error("no more connections can be accepted: the process has no descriptors left")
