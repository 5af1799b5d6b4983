"""The server process: the application on a socket, until Ctrl-C."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn
from attrs import frozen

from dragon.errors import ConfigError
from dragon.process.spawn import cores
from dragon.web.app import QUICK, application
from dragon.web.connections import BACKLOG, patient, room
from dragon.web.guard import LOCAL, Access
from dragon.web.pool import Plan

EVERYWHERE = ("0.0.0.0", "::")


@frozen
class Settings:
    """The settings by which the server is started."""

    host: str = "127.0.0.1"
    port: int = 8000
    token: str | None = None
    names: tuple[str, ...] = ()
    workers: int | None = None
    waiting: int = 64
    megabytes: int = 1024


def access(settings: Settings) -> Access:
    """Return the guard: clients on this machine may ask, others need the token."""
    local = settings.host in LOCAL
    token = settings.token or (None if local else secrets.token_urlsafe(24))
    hosts = LOCAL | {name.lower() for name in settings.names}
    own = socket.gethostname() if settings.host in EVERYWHERE else settings.host
    hosts |= {own.lower()}
    return Access(frozenset(hosts), settings.host in EVERYWHERE, token)


def listening(settings: Settings) -> socket.socket:
    """A socket on the address; port 0 takes a free one. Raises ConfigError."""
    kind = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    made = socket.socket(kind, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((settings.host, settings.port))
        made.listen(1024)  # who opens the address at once waits until the server is up
    except (OSError, OverflowError) as refused:
        made.close()
        reason = getattr(refused, "strerror", None) or refused
        raise ConfigError(
            f"cannot listen on {settings.host} port {settings.port}: {reason}; choose another "
            "with --port or --host"
        ) from refused
    return made


class Server(uvicorn.Server):  # type: ignore[misc]
    """A uvicorn server that shuts down in order, within seconds, even after a second Ctrl-C."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the server at the first signal, and ignore further ones."""
        if not self.should_exit:
            super().handle_exit(sig, frame)


def serve(settings: Settings, said: Callable[[str], None]) -> None:
    """Serve until the end; `said` is called with the address."""
    who = access(settings)
    plan = Plan(
        "search", settings.workers or cores(), settings.waiting, megabytes=settings.megabytes
    )
    app = application(who, plan)
    listener = listening(settings)
    said(url(settings.host, listener.getsockname()[1], who.token))
    server = Server(
        uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="on",
            timeout_graceful_shutdown=2,
            timeout_keep_alive=15,
            http=patient(room(plan.processes + QUICK.processes)),
            backlog=BACKLOG,
            ws="none",
        )
    )
    server.run(sockets=[listener])


def url(host: str, port: int, token: str | None) -> str:
    """The address to open."""
    if host in EVERYWHERE:
        host = socket.gethostname()
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/" + (f"?token={token}" if token else "")
