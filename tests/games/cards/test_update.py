"""`dragon cards update`, from a server that answers well, badly, slowly, half or not."""

from __future__ import annotations

import gzip
import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import create_server

import pytest
from attrs import evolve
from click.testing import CliRunner

from dragon.cli import main
from dragon.errors import ConfigError
from dragon_cards.card import MONSTER
from dragon_cards.download import DownloadFailed, download, failed, keep
from dragon_cards.store import fetched_file, starter, store
from dragon_cards.tables import table

pytestmark = pytest.mark.samples(1)

MONSTERS = [card for card in starter().cards if card.kind == MONSTER][:40]
CARDS = {
    "data": [
        {"id": m.id, "name": m.name, "frameType": "effect", "race": m.type,
         "attribute": m.attribute, "level": m.level, "atk": m.atk, "def": m.defence,
         "archetype": m.archetype,
         "card_images": [{"id": m.id}, {"id": m.id + 1}]}
        for m in MONSTERS
    ] + [{"id": 7, "name": "Trick", "frameType": "spell", "card_images": [{"id": 7}]}]
}  # fmt: skip
DUMP = json.dumps(CARDS).encode()


class Answers(BaseHTTPRequestHandler):
    """One way to answer for each path."""

    def do_GET(self):
        getattr(self, self.path.strip("/"))()

    def log_message(self, *arguments):
        pass

    def begin(self, code=200, length=None):
        self.send_response(code)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def well(self):
        self.begin(length=len(DUMP))
        self.wfile.write(DUMP)

    def endless(self):
        self.begin()
        self.wfile.write(DUMP)

    def slowly(self):
        self.begin(length=len(DUMP))
        for at in range(0, len(DUMP), len(DUMP) // 5):
            self.wfile.write(DUMP[at : at + len(DUMP) // 5])
            time.sleep(0.02)

    def stalls(self):
        self.begin(length=len(DUMP))
        self.wfile.write(DUMP[:100])
        self.wfile.flush()
        self.server.over.wait(20)

    def drips(self):
        self.begin(length=len(DUMP))
        for byte in DUMP:
            if self.server.over.wait(0.02):
                return
            self.wfile.write(bytes([byte]))

    def half(self):
        self.begin(length=len(DUMP))
        self.wfile.write(DUMP[: len(DUMP) // 2])

    def cut(self):
        self.begin()
        self.wfile.write(DUMP[: len(DUMP) // 2])

    def broken(self):
        self.begin(500)

    def page(self):
        self.begin()
        self.wfile.write(b"<html>welcome to the hotel</html>")

    def junk(self):
        self.begin()
        self.wfile.write(bytes(range(256)) * 4)

    def empty(self):
        self.begin(length=0)

    def strange(self):
        self.begin()
        self.wfile.write(json.dumps({"error": "no card matching"}).encode())

    def wrong(self):
        self.begin()
        self.wfile.write(json.dumps([{**CARDS["data"][0], "level": "four"}]).encode())

    def silent(self):
        self.server.over.wait(20)

    def packed(self):
        data = gzip.compress(DUMP)
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.begin_rest(len(data))
        self.wfile.write(data)

    def begin_rest(self, length):
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def misled(self):
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.begin_rest(len(DUMP))
        self.wfile.write(DUMP)

    def torn(self):
        data = gzip.compress(DUMP)[:-20]
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.begin_rest(len(data))
        self.wfile.write(data)

    def circles(self):
        self.send_response(302)
        self.send_header("Location", self.path)
        self.end_headers()

    def strays(self):
        self.send_response(302)
        self.send_header("Location", "file:///etc/passwd")
        self.end_headers()

    def commands(self):
        self.send_response(404, "\x1b[31mred\x07")
        self.end_headers()

    def babbles(self):
        self.wfile.write(b"HTTP/1.0 200 OK\r\n")
        while not self.server.over.wait(0.05):
            self.wfile.write(b"X: y\r\n")


@contextmanager
def serving():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    server.daemon_threads = True
    server.over = threading.Event()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def url():
    with serving() as address:
        yield address


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A data folder of its own, and no proxy."""
    monkeypatch.setenv("DRAGON_DATA", str(tmp_path / "dragon-search"))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return tmp_path


def update(*arguments):
    return CliRunner().invoke(main, ["cards", "update", *arguments], prog_name="dragon")


@pytest.mark.parametrize("path", ["well", "endless", "slowly", "packed"])
def test_a_whole_answer_is_kept_and_used(url, path):
    assert store() is starter()
    result = update("--url", f"{url}/{path}", "--json")
    assert result.exit_code == 0, result.stderr
    row = json.loads(result.stdout)
    assert row["file"] == str(fetched_file())
    assert (row["cards"], row["kinds"]["monster"], row["kinds"]["spell"]) == (41, 40, 1)
    assert row["sentence"] == str(found := store()) == "the fetched cards, 41 cards"
    assert not found.starter
    assert [evolve(card, aliases=()) for card in found.cards[:40]] == [
        evolve(card, aliases=()) for card in MONSTERS
    ]
    assert found.find("Trick").id == 7
    assert found.by_id[MONSTERS[0].id + 1] is found.cards[0]
    again = CliRunner().invoke(main, ["small-world", "explain", MONSTERS[0].name, "Backlinker"])
    assert again.exit_code == 0, again.stderr


FAILURES = {
    "stalls": "not a byte in 0.2 seconds",
    "silent": "0.2 seconds",
    "half": "bytes came; try again",
    "cut": "the answer is not card data",
    "broken": "the server answers 500",
    "page": "the answer is not card data",
    "junk": "the answer is not text",
    "empty": "the answer is not card data",
    "strange": "no list of cards",
    "wrong": "level is 'four'",
    "misled": "not valid gzip",
    "torn": "is cut off; try again",
    "circles": "infinite loop",
    "strays": "not allowed",
    "commands": "the server answers 404",
}


@pytest.mark.parametrize("path", FAILURES)
def test_anything_else_is_reported_and_changes_nothing(url, path):
    keep(table(starter()), fetched_file())
    before = fetched_file().read_bytes()
    result = update("--url", f"{url}/{path}", "--silence", "0.2")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert FAILURES[path] in result.stderr
    assert "the cards in use stay as they are" in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stderr.strip().isprintable()
    assert fetched_file().read_bytes() == before
    assert [file.name for file in fetched_file().parent.iterdir()] == ["cards.csv"]


@pytest.mark.parametrize("path", ["drips", "babbles"])
def test_a_dripping_answer_ends_when_its_time_is_over(url, path):
    result = update("--url", f"{url}/{path}", "--seconds", "0.2")
    assert result.exit_code == 1
    assert "not all there after 0.2 seconds" in result.stderr
    assert not fetched_file().exists()


def test_offline_is_told():
    with create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    result = update("--url", f"http://127.0.0.1:{port}/")
    assert result.exit_code == 1
    assert "are you online?" in result.stderr
    assert not fetched_file().exists()


@pytest.mark.parametrize(
    "address",
    [
        "ftp://example.org/x",
        "file:///etc/passwd",
        "cards.json",
        "",
        "http://",
        "http://[::1",
        "http://a b/",
        "http://example.org:99999/",
        "http://example.org/\u00e9",
        "http://x\ny/",
    ],
)
def test_only_the_web_is_asked(address):
    result = update("--url", address)
    assert result.exit_code == 2
    assert "http:// or https://" in result.stderr


def test_progress_is_told_with_the_total(url):
    seen = []
    data = download(f"{url}/slowly", lambda got, total: seen.append((got, total)))
    assert data == DUMP
    assert seen[-1] == (len(DUMP), len(DUMP))
    assert [got for got, _ in seen] == sorted(got for got, _ in seen)


@pytest.mark.parametrize(("path", "most"), [("well", 100), ("packed", len(DUMP) - 1)])
def test_an_answer_without_end_is_cut_off(url, monkeypatch, path, most):
    monkeypatch.setattr("dragon_cards.download.MOST_BYTES", most)
    with pytest.raises(DownloadFailed, match="more than 0 MB came"):
        download(f"{url}/{path}")


def test_a_folder_that_cannot_be_written_is_told(home):
    (home / "dragon-search").write_text("a file where a folder should be")
    with pytest.raises(DownloadFailed, match="cannot write"):
        keep("text", fetched_file())


def test_a_write_that_fails_leaves_the_old_file(home, monkeypatch):
    keep(table(starter()), fetched_file())
    before = fetched_file().read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(DownloadFailed, match="No space left"):
        keep("other", fetched_file())
    assert fetched_file().read_bytes() == before
    assert [file.name for file in fetched_file().parent.iterdir()] == ["cards.csv"]


def test_cards_that_were_spoilt_are_told(home):
    fetched_file().parent.mkdir(parents=True)
    fetched_file().write_text("spoilt")
    with pytest.raises(ConfigError, match=r"cards\.csv, line 1: no column"):
        store()
    assert str(failed("u", "r")).startswith("cannot fetch u: r")
