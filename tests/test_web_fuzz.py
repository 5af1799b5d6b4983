"""Requests that no page would make: no 500, no hang, no trace of the inside, memory flat."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("uvicorn")
schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
pytestmark = pytest.mark.alone

QUIET = settings(
    max_examples=25, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much,
                           HealthCheck.function_scoped_fixture],
)  # fmt: skip


class Server:
    """`dragon serve` in a process of its own, which compiles nothing."""

    def __init__(self, log: Path, *options: str) -> None:
        self.log = log
        with log.open("w") as said:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "dragon", "serve", "--port", "0", *options],
                stderr=said, env=os.environ | {"DRAGON_JIT": "0"},
            )  # fmt: skip
        address = None
        while address is None:
            assert self.process.poll() is None, log.read_text()
            address = re.search(r"http://([\d.]+):(\d+)", log.read_text())
            time.sleep(0.05)
        self.host, self.port = address[1], int(address[2])

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def ask(self, path: str, method: str = "GET", body: bytes | None = None) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        connection = HTTPConnection(self.host, self.port, timeout=60)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def family(self) -> list[int]:
        """The process and its children."""
        told = Path(f"/proc/{self.process.pid}/task").glob("*/children")  # threads start them
        return [self.process.pid, *(int(pid) for each in told for pid in each.read_text().split())]

    def megabytes(self) -> float:
        """What they have in memory together."""
        pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self.family())
        return pages * os.sysconf("SC_PAGESIZE") / 2**20

    def status(self) -> dict[str, dict[str, int]]:
        """How busy it is."""
        told: dict[str, dict[str, int]] = json.loads(self.ask("/api/status")[1])
        return told

    def busy(self) -> int:
        """How many searches run or wait."""
        told = self.status()["search"]
        return told["busy"] + told["waiting"]

    def warm(self) -> None:
        """Waits until all processes are ready."""
        while any(told["ready"] < told["processes"] for told in self.status().values()):
            assert self.process.poll() is None, self.log.read_text()
            time.sleep(0.1)

    def close(self) -> str:
        """Ends it; what it has logged."""
        self.process.terminate()
        assert self.process.wait(30) in (0, -15, 143)
        return self.log.read_text()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("server") / "log.txt", "--workers", "2", "--queue", "4")
    try:
        yield made
    finally:
        log = made.close()
    assert "Traceback" not in log, log


def sound(status: int, body: bytes) -> None:
    """An answer that is none of the server's own failures and shows nothing of its inside."""
    assert status < 500 or status == 503, (status, body[:500])
    for word in (b"Traceback", b'File "', b".py"):
        assert word not in body, body[:500]


OWN = ("/api/play/", "/api/analyse/", "/api/games")


def test_what_the_openapi_document_says_holds(server: Server) -> None:
    found = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")
    tried = []
    for result in found.get_all_operations():
        operation = result.ok()
        if not operation.path.startswith(OWN):
            continue
        tried.append(operation.path)

        @QUIET
        @given(case=operation.as_strategy())
        def answered(case: Any) -> None:
            answer = case.call(base_url=server.url, timeout=60)
            sound(answer.status_code, answer.content)
            case.validate_response(answer, checks=CHECKS)

        answered()
    assert len(tried) >= 7


CHECKS = [
    schemathesis.checks.not_a_server_error,
    schemathesis.checks.status_code_conformance,
    schemathesis.checks.content_type_conformance,
    schemathesis.checks.response_schema_conformance,
]
"""Whether a wild request is refused is for the server to say: few words name a game."""

SPECS = st.sampled_from(
    ["tictactoe", "nex(rows=3, cols=3)", "hex(size=11)", "kuhn", "hands", "ulti", "queens(n=8)",
     "nex(rows=19, cols=19)", "pokemon", "connect4", "langford(n=64)", "cover(file='/dev/zero')",
     "nim(pile=1000000000)", "small_world", "ulti(cards='hidden')", "queens(n=64)"]
)  # fmt: skip
MOVES = st.lists(
    st.sampled_from(["b2", "a1", "1", "Ba1?b2", "swap", "HA", "KQ", "", "%00", "é", "a" * 200])
    | st.text(max_size=8),
    max_size=4,
)


@QUIET
@given(
    game=SPECS, moves=MOVES, start=st.text(max_size=20) | st.just(""), eye=st.none() | st.integers()
)
def test_no_course_of_a_game_breaks_it(
    server: Server, game: str, moves: list[str], start: str, eye: int | None
) -> None:
    pairs = [("game", game), ("start", start), *(("moves", move) for move in moves)]
    pairs += [("eye", str(eye))] if eye is not None else []
    query = urlencode(pairs, errors="replace")
    began = time.monotonic()
    status, body = server.ask(f"/api/play/position?{query}")
    sound(status, body)
    assert time.monotonic() - began < 30


@QUIET
@given(spec=st.text(max_size=40) | st.text("()=,'[]{}.:_ainex01 ", max_size=60))
def test_no_spec_breaks_it(server: Server, spec: str) -> None:
    for name in ("game", "search"):
        other = "search=random" if name == "game" else "game=tictactoe"
        text = quote(spec, errors="replace")
        status, body = server.ask(f"/api/play/reply?{other}&{name}={text}&seconds=0.05")
        sound(status, body)


def crowd(server: Server, clients: int) -> tuple[list[tuple[int, bytes]], list[float]]:
    """The answers to as many analyses at once, and how long cheap questions took meanwhile."""
    path = "/api/analyse/run?" + urlencode({"game": "hex(size=5)", "search": "mcts", "seconds": 2})
    stop, cheap = threading.Event(), []

    def watch() -> None:
        while not stop.is_set():
            began = time.monotonic()
            assert server.ask("/api/status")[0] == 200
            cheap.append(time.monotonic() - began)
            time.sleep(0.02)

    watcher = threading.Thread(target=watch)
    watcher.start()
    with ThreadPoolExecutor(clients) as pool:
        answers = list(pool.map(lambda _: server.ask(path), range(clients)))
    stop.set()
    watcher.join()
    return answers, cheap


def idle(server: Server) -> bool:
    """Whether all searches end within some seconds."""
    for _ in range(200):
        if server.busy() == 0:
            return True
        time.sleep(0.1)
    return False


def test_many_at_once_and_then_it_is_as_before(server: Server) -> None:
    """Searches beyond the queue get 503; nothing is left behind."""
    server.warm()
    crowd(server, 8)  # every process has searched once
    assert idle(server)
    processes, size = len(server.family()), server.megabytes()
    answers, cheap = crowd(server, 40)
    assert sorted({status for status, _ in answers}) == [200, 503]
    for status, body in answers:
        assert body.endswith(b"event: done\ndata: {}\n\n") if status == 200 else b"again" in body
    assert sum(status == 200 for status, _ in answers) >= 6  # two run and four wait
    assert len(cheap) > 20
    assert idle(server)
    assert len(server.family()) == processes
    assert server.megabytes() < size + 60


def test_who_leaves_ends_the_search(server: Server) -> None:
    connection = HTTPConnection(server.host, server.port, timeout=60)
    connection.request("GET", "/api/analyse/run?game=hex(size=5)&search=mcts&seconds=60")
    answer = connection.getresponse()
    assert answer.status == 200
    assert answer.read(10)
    assert server.busy() >= 1
    answer.close()
    connection.close()
    assert idle(server), "the search goes on though nobody waits for it"
