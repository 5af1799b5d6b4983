"""Downloading the public card data: all of it or nothing, even if the network fails.

The dump goes to memory, is read as card data, and the columns needed are kept as a table; the
file in the user's data folder changes in one step, at the very end.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from threading import Event, Thread
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from attrs import evolve

from dragon.errors import ConfigError, DragonError
from dragon.files import remedy_for, replacing
from dragon_cards.card import Store
from dragon_cards.store import FETCHED, MOST_BYTES, fetched_file, given, kept
from dragon_cards.tables import table

SOURCE = "https://db.ygoprodeck.com/api/v7/cardinfo.php"
"""The public API; it answers with all cards at once, about 20 MB."""
SILENCE = 20.0
"""Seconds without a byte after which the server counts as gone."""
SECONDS = 900.0
"""Seconds after which a server that sends very slowly counts as gone too."""
CHUNK = 1 << 16

Watch = Callable[[int, int | None], None]
"""A function given the bytes received, and their total if the server states it."""


class DownloadFailed(DragonError, RuntimeError):
    """The card data could not be fetched; the cards in use stay."""


def download(
    url: str = SOURCE,
    watch: Watch = lambda got, total: None,
    silence: float = SILENCE,
    seconds: float = SECONDS,
) -> bytes:
    """Return the server's answer; raise DownloadFailed if it is not complete.

    silence: the longest wait for a byte; seconds: the longest wait for all of them. Raise
    ConfigError for a text that is not an address.
    """
    _check(url)
    outcome: list[bytes | BaseException] = []
    over = Event()

    def fetch() -> None:
        try:
            outcome.append(_fetched(url, watch, silence, over))
        except BaseException as raised:  # handed over to the waiting thread
            outcome.append(raised)

    # A server may send its head very slowly too, and only another thread can stop waiting.
    thread = Thread(target=fetch, daemon=True)
    thread.start()
    try:
        thread.join(seconds)
    finally:
        over.set()
    if not outcome:
        raise failed(url, f"not all there after {seconds:g} seconds; allow more, or try later")
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]


def _check(url: str) -> None:
    """Raise ConfigError for a text that is not an address on the web."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets, or a port, that an address cannot have
        good = False
    if not good or not url.isascii() or not url.isprintable() or " " in url:
        raise ConfigError(f"cannot download {url!r:.200}; give a http:// or https:// address")


def _fetched(url: str, watch: Watch, silence: float, over: Event) -> bytes:
    """Return the server's answer; stop when `over` is set."""
    request = Request(url, headers={"User-Agent": "dragon-search", "Accept-Encoding": "gzip"})
    try:
        with urlopen(request, timeout=silence) as answer:
            length = answer.headers.get("Content-Length", "")
            total = int(length) if length.isdecimal() and len(length) < 20 else None
            packed = answer.headers.get("Content-Encoding", "").strip().lower() == "gzip"
            data = bytearray()
            while not over.is_set() and (part := answer.read1(CHUNK)):
                data += part
                watch(len(data), total)
                if len(data) > MOST_BYTES:
                    raise failed(url, f"more than {MOST_BYTES >> 20} MB came; is it card data?")
    except HTTPError as error:
        raise failed(url, f"the server answers {error.code} {error.reason}; try later") from error
    except TimeoutError as error:
        raise failed(url, f"not a byte in {silence:g} seconds; try later") from error
    except URLError as error:
        slow = isinstance(error.reason, TimeoutError)
        reason = f"no answer in {silence:g} seconds" if slow else f"no connection ({error.reason})"
        raise failed(url, f"{reason}; are you online?") from error
    except (HTTPException, OSError, ValueError) as error:
        raise failed(url, f"the answer broke off ({error!r:.60}); try again") from error
    if total is not None and len(data) < total:
        raise failed(url, f"{len(data):,} of {total:,} bytes came; try again")
    return _unpacked(bytes(data), url) if packed else bytes(data)


def _unpacked(data: bytes, url: str) -> bytes:
    """Return data unpacked from gzip; raise DownloadFailed beyond MOST_BYTES."""
    gzip = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)  # 16: expect a gzip header
    try:
        unpacked = gzip.decompress(data, MOST_BYTES)
    except zlib.error as error:
        raise failed(url, f"the answer is not valid gzip ({error}); try again") from error
    if gzip.unconsumed_tail:
        raise failed(url, f"more than {MOST_BYTES >> 20} MB came; is it card data?")
    if not gzip.eof:
        raise failed(url, "the packed answer is cut off; try again")
    return unpacked


def failed(url: str, reason: str) -> DownloadFailed:
    """Return the error, in one line, without control characters that a server might send."""
    shown = "".join(sign if sign.isprintable() else " " for sign in f"{url:.200}: {reason}")
    return DownloadFailed(
        f"cannot fetch {' '.join(shown.split())}; the cards in use stay as they are"
    )


def update(
    url: str | None = None,
    watch: Watch = lambda got, total: None,
    silence: float = SILENCE,
    seconds: float = SECONDS,
) -> Store:
    """Download the cards and keep them; see `download` for the parameters.

    The default url is the mirror that DRAGON_CARDS names, or else SOURCE. Raise DownloadFailed
    if the answer is not card data; the cards kept before stay.
    """
    if url is None:
        url = os.environ.get("DRAGON_CARDS") or SOURCE
    data = download(url, watch, silence, seconds)
    try:
        store = given(data.decode("utf-8-sig"), "the answer")
    except UnicodeDecodeError as error:
        raise failed(url, "the answer is not text") from error
    except ConfigError as error:
        raise failed(url, f"the answer is not card data ({error})") from error
    keep(table(store), fetched_file())
    return evolve(store, source=FETCHED)


def keep(text: str, file: Path) -> None:
    """Write a file atomically: a reader sees the old one or the new one."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with replacing(file, 0o600, sync=True) as out:
            out.write(kept(text))
    except OSError as error:
        reason = f"{error.strerror or error}; {remedy_for(file)}"
        raise DownloadFailed(f"cannot write {file}: {reason}") from error
