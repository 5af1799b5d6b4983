"""The example of a language model as a player, against a server that answers as it is told."""

from __future__ import annotations

import doctest
import importlib.util
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import dragon
from dragon import Limit
from dragon.bridges import engine as module
from dragon.bridges.lines import Lines

PROGRAM = Path(__file__).parents[2] / "examples" / "language_model.py"


class Server(ThreadingHTTPServer):
    """A server whose answers are a list: a text, a code of HTTP, or raw JSON."""

    def __init__(self, *answers: Any) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = list(answers)
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.url = f"http://127.0.0.1:{self.server_port}/v1/chat/completions"


class Handler(BaseHTTPRequestHandler):
    """Answers the next of the list; the last one again and again."""

    server: Server

    def do_POST(self) -> None:
        """Answer."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append(json.loads(body))
        self.server.keys.append(self.headers.get("Authorization"))
        found = self.server.answers[0]
        if len(self.server.answers) > 1:
            self.server.answers.pop(0)
        if isinstance(found, str):
            found = {"choices": [{"message": {"content": found}}], "usage": {"total_tokens": 7}}
        self.send_response(found if isinstance(found, int) else 200)
        self.end_headers()
        if not isinstance(found, int):
            self.wfile.write(json.dumps(found).encode())

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@pytest.fixture
def serve() -> Iterator[Any]:
    servers = []

    def begin(*answers: Any) -> Server:
        server = Server(*answers)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return server

    yield begin
    for server in servers:
        server.shutdown()
        server.server_close()
    module.close_idle()


def run(*words: str, moves: int = 1) -> subprocess.CompletedProcess[str]:
    """Run the program on as many requests."""
    request = {"seat": 0, "seats": 2, "position": "5 A", "moves": ["1", "2"], "seed": 1}
    lines = f"{json.dumps(request)}\n" * moves
    return subprocess.run(
        [sys.executable, str(PROGRAM), *words],
        input=lines, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def test_the_examples_of_its_docstrings_hold() -> None:
    spec = importlib.util.spec_from_file_location("language_model", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    found = doctest.testmod(loaded)
    assert found.attempted > 1
    assert not found.failed


def test_it_plays_a_game_in_which_the_model_errs(serve: Any, tmp_path: Path) -> None:
    server = serve("I like nine. move: 9", 503, "Hm.\nMove: **1**.")
    transcript = tmp_path / "said.jsonl"
    player = Lines(
        command=(
            sys.executable, str(PROGRAM), "--url", server.url, "--transcript", str(transcript),
        )
    )  # fmt: skip
    found = player.best(dragon.game("nim").start(), Limit(seconds=20))
    assert str(found.move) == "1"
    assert "Legal moves: 1, 2, 3" in server.asked[0]["messages"][1]["content"]
    assert '"9" is not a legal move' in server.asked[-1]["messages"][-1]["content"]
    kept = [json.loads(line) for line in transcript.read_text().splitlines()]
    assert [each["answer"] for each in kept] == ["I like nine. move: 9", "Hm.\nMove: **1**."]
    assert kept[0]["usage"] == {"total_tokens": 7}


@pytest.mark.samples(1)
@pytest.mark.parametrize(
    ("rule", "answer"),
    [
        ("resign", [{"resign": True}]),
        ("play", [{"move": "9"}]),
        ("random", [{"move": "1"}, {"move": "2"}]),
    ],
)
def test_a_model_without_a_legal_move_is_dealt_with_as_was_said(
    serve: Any, rule: str, answer: list[Any]
) -> None:
    server = serve("move: 9")
    done = run("--url", server.url, "--illegal", rule, "--tries", "2")
    assert json.loads(done.stdout) in answer
    assert len(server.asked) == 2


def test_the_key_goes_to_the_server_and_nowhere_else(
    serve: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEL_KEY", "secret-word")
    server, kept = serve("move: 2"), tmp_path / "said.jsonl"
    done = run("--url", server.url, "--key", "MODEL_KEY", "--transcript", str(kept))
    assert server.keys == ["Bearer secret-word"]
    assert "secret-word" not in done.stdout + done.stderr + kept.read_text()


@pytest.mark.samples(2)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "--url is missing"),
        (["--url", "ftp://example.org"], "has to begin with http"),
        (["--url", "http://127.0.0.1:9/", "--key", "NO_SUCH_KEY"], "no such environment variable"),
        (["--url", "http://127.0.0.1:9/", "--retries", "1"], "gave no answer"),
        (
            ["--url", "http://127.0.0.1:9/", "--rules", "/no/such"],
            "--rules /no/such cannot be read",
        ),
    ],
)
def test_a_mistake_is_a_sentence(words: list[str], said: str) -> None:
    done = run(*words)
    assert done.returncode != 0
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("found", "said"), [(401, "401"), ({"error": "none"}, "does not answer as chat completions do")]
)
def test_a_server_that_refuses_is_not_asked_again(serve: Any, found: Any, said: str) -> None:
    server = serve(found)
    done = run("--url", server.url)
    assert said in done.stderr
    assert len(server.asked) == 1


@pytest.mark.full
def test_what_cannot_be_kept_or_read_is_a_sentence(serve: Any) -> None:
    server = serve("move: 1")
    done = run("--url", server.url, "--transcript", "/no/such/said.jsonl")
    assert "--transcript /no/such/said.jsonl: No such file" in done.stderr
    words = [sys.executable, str(PROGRAM), "--url", server.url]
    for junk in ("hello", "[]", "{}"):
        done = subprocess.run(words, input=f"{junk}\n", capture_output=True, text=True, check=False)
        assert f"'{junk}' is not a request" in done.stderr
        assert "Traceback" not in done.stderr
