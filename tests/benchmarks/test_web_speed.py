"""The web server under a crowd: quick to answer what is cheap, and as before when it has gone."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from statistics import median, quantiles
from typing import Any
from urllib.parse import urlencode

import pytest

pytest.importorskip("uvicorn")

CLIENTS, SECONDS = 200, 30.0
ANALYSIS = "/api/analyse/run?" + urlencode({"game": "hex(size=5)", "search": "mcts", "seconds": 1})
CHEAP = ("/api/status", "/api/pokemon/locations?gen=4", "/api/hands/example")
MARGIN = 40.0
"""Megabytes that the server and its processes may have more than before."""


async def ask(server: Any, path: str) -> tuple[int, bytes]:
    """The status and all that follows the head of an answer."""
    reader, writer = await asyncio.open_connection(server.host, server.port)
    try:
        head = f"GET {path} HTTP/1.1\r\nHost: {server.host}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode())
        answer = await asyncio.wait_for(reader.read(), 120)
        status, _, body = answer.partition(b"\r\n\r\n")
        return int(status.split()[1]), body
    finally:
        writer.close()


async def crowd(server: Any, clients: int, seconds: float) -> tuple[Counter[int], list[float]]:
    """Count how often each status came to clients that analyse again and again, and how long each
    cheap answer took meanwhile. Who is told to come again later does so."""
    until, seen, times = time.monotonic() + seconds, Counter[int](), list[float]()

    async def analyse() -> None:
        while time.monotonic() < until:
            status, body = await ask(server, ANALYSIS)
            seen[status] += 1
            assert status in (200, 503), body
            if status == 200:
                assert body.count(b"event: done") == 1, body[-200:]
                assert b"event: failed" not in body, body[-200:]
            else:
                assert b"try again" in body
                await asyncio.sleep(2)

    async def watch() -> None:
        while time.monotonic() < until:
            for path in CHEAP:
                began = time.monotonic()
                status, body = await ask(server, path)
                times.append(time.monotonic() - began)
                assert status == 200, body
            await asyncio.sleep(0.05)

    await asyncio.gather(watch(), *(analyse() for _ in range(clients)))
    return seen, times


@pytest.fixture(scope="module")
def server(serve: Callable[..., Any]) -> Any:
    return serve("--workers", "2", "--queue", "16", jit=True)


def test_two_hundred_clients_for_half_a_minute(server: Any) -> None:
    server.warm()
    asyncio.run(crowd(server, CLIENTS, 2.0))  # everything has been loaded once
    assert server.idle()
    processes, size = sorted(server.family()), server.megabytes()
    seen, times = asyncio.run(crowd(server, CLIENTS, SECONDS))
    assert server.idle()
    print(
        f"\n{seen[200]} analyses, {seen[503]} times 503; {len(times)} cheap answers: median "
        f"{1000 * median(times):.1f} ms, 95 % within {1000 * quantiles(times, n=20)[-1]:.1f} ms; "
        f"{len(processes)} processes of {size:.0f} MB, then {server.megabytes():.0f} MB"
    )
    assert set(seen) == {200, 503}
    assert seen[200] >= SECONDS  # two processes, a second each, half of that at least
    assert median(times) < 0.02
    assert sorted(server.family()) == processes
    assert server.megabytes() < size + MARGIN
