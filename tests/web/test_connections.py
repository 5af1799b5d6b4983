"""Connections that say nothing, or half of it: they end, and no other client notices."""

from __future__ import annotations

import asyncio
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn")

import uvicorn

from dragon.web import guard
from dragon.web.guard import MOST, Access, Guard, patient, room

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"


slowly = threading.Event()
"""A request that takes a second is in progress, or was."""


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Read the body, take a second where the path says so, and say `well`."""
    while (await receive()).get("more_body"):
        pass
    if scope["path"] == "/slow":
        slowly.set()
        await asyncio.sleep(1.0)
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]}
    )
    await send({"type": "http.response.body", "body": b"well"})


Connect = Callable[..., socket.socket]


@pytest.fixture
def connect(monkeypatch: pytest.MonkeyPatch) -> Iterator[Connect]:
    """Connects to a server with room for 5, short of patience, and says something."""
    monkeypatch.setattr(guard, "HEAD", 0.5)
    monkeypatch.setattr(guard, "SLOWEST", 0.5)
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(Guard(app, Access()), http=patient(5), log_level="warning", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    with ExitStack() as open_ones:

        def begin(said: bytes = b"") -> socket.socket:
            made = socket.create_connection(listener.getsockname(), timeout=30)
            open_ones.enter_context(made)
            made.sendall(said)
            return made

        yield begin
    server.should_exit = True
    thread.join()


def answer(of: socket.socket) -> bytes:
    """Read up to the end of a body of the server's; nothing where it closes."""
    said = b""
    with suppress(ConnectionResetError):
        while not said.endswith((b"well", b"}")) and (more := of.recv(10_000)):
            said += more
    return said


def test_a_head_that_does_not_come_ends_the_connection(connect: Connect) -> None:
    begun = time.monotonic()
    silent, half = connect(), connect(HEAD)
    second = connect(HEAD + b"\r\n")
    assert answer(second).endswith(b"well")
    second.sendall(HEAD)  # half of another request
    slow = connect(HEAD.replace(b"/ ", b"/slow ") + b"\r\n")
    assert answer(silent) == answer(half) == answer(second) == b""
    assert time.monotonic() - begun < 20
    assert answer(slow).endswith(b"well"), "which takes longer than a head may"
    slow.sendall(HEAD + b"\r\n")
    assert answer(slow).endswith(b"well")


def test_a_body_that_does_not_come_is_refused(connect: Connect) -> None:
    half = connect(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc")
    assert b"408" in answer(half).partition(b"\r\n")[0]


def test_who_has_waited_longest_makes_room(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "HEAD", 60.0)
    slowly.clear()
    at_work = connect(HEAD.replace(b"/ ", b"/slow ") + b"\r\n")
    assert slowly.wait(30)  # a request that is not read yet is none
    silent = [connect() for _ in range(4)]
    late = connect(HEAD + b"\r\n")
    assert answer(late).endswith(b"well")
    assert answer(silent[0]) == b""
    assert answer(at_work).endswith(b"well")
    silent[3].sendall(HEAD + b"\r\n")
    assert answer(silent[3]).endswith(b"well")


def test_there_is_room_for_fewer_than_there_are_descriptors() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        for files in (64, 256, 1024):
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
            assert 16 <= room(4) <= max(16, files - 200)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert room(4) <= MOST


@pytest.mark.full
@pytest.mark.usefixtures("keeps_processes")
@pytest.mark.parametrize(
    ("files", "silent"), [(300, 400), pytest.param(1024, 1100, marks=pytest.mark.full)]
)
def test_silent_connections_silence_nobody(serve: Any, files: int, silent: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < silent + 200:
        pytest.skip(f"the system allows this process {hard} descriptors")
    with ExitStack() as ended:
        ended.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
        server = serve("--workers", "1")
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, silent + 200), hard))
        for _ in range(silent):
            ended.enter_context(socket.create_connection((server.host, server.port), timeout=60))
        for _ in range(5):
            status, _ = server.ask("/api/status")
            assert status == 200
        held = Path(f"/proc/{server.process.pid}/fd")
        late = time.monotonic() + 30
        while len(list(held.iterdir())) >= files - 32:  # those that are closed go one by one
            assert time.monotonic() < late
            time.sleep(0.1)
        assert server.log.stat().st_size < 2000, server.log.read_text()[:2000]
