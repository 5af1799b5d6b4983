"""Downloading the public card data: all of it or nothing, whatever the network does.

The dump goes to memory, is read as card data, and is kept as a table of what is needed; the
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
from dragon.files import replacing
from dragon_cards.card import Store
from dragon_cards.store import FETCHED, MOST_BYTES, fetched_file, given, kept
from dragon_cards.tables import table

SOURCE = "https://db.ygoprodeck.com/api/v7/cardinfo.php"
"""The public API; it answers with all cards at once, about 20 MB."""
SILENCE = 20.0
"""Seconds without a byte after which the server counts as gone."""
SECONDS = 900.0
"""Seconds after which a server that sends drop by drop counts as gone too."""
CHUNK = 1 << 16

Watch = Callable[[int, int | None], None]
"""Given the bytes that are there, and how many there will be if the server says."""


class DownloadFailed(DragonError, RuntimeError):
    """The card data could not be fetched; what was there before is still there."""


def download(
    url: str = SOURCE,
    watch: Watch = lambda got, total: None,
    silence: float = SILENCE,
    seconds: float = SECONDS,
) -> bytes:
    """What the server answers; raises DownloadFailed where it is not all there.

    silence: the longest wait for a byte; seconds: the longest wait for all of them. Raises
    ConfigError for what is no address.
    """
    _check(url)
    outcome: list[bytes | BaseException] = []
    over = Event()

    def fetch() -> None:
        try:
            outcome.append(_fetched(url, watch, silence, over))
        except BaseException as raised:  # handed over to the waiting thread
            outcome.append(raised)

    # A server may send its head drop by drop too, and only another thread can stop waiting.
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
    """Raises ConfigError for what is no address on the web."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets, or a port, that no address has
        good = False
    if not good or not url.isascii() or not url.isprintable() or " " in url:
        raise ConfigError(f"cannot download {url!r:.200}; give a http:// or https:// address")


def _fetched(url: str, watch: Watch, silence: float, over: Event) -> bytes:
    """What the server answers, unless it is over before."""
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
        raise failed(url, f"the answer broke off ({error!r:.80}); try again") from error
    if total is not None and len(data) < total:
        raise failed(url, f"{len(data):,} of {total:,} bytes came; try again")
    return _unpacked(bytes(data), url) if packed else bytes(data)


def _unpacked(data: bytes, url: str) -> bytes:
    """The same without gzip; never more than MOST_BYTES are made of it."""
    gzip = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)  # 16: with the head that gzip has
    try:
        unpacked = gzip.decompress(data, MOST_BYTES)
    except zlib.error as error:
        raise failed(url, f"what came is not packed as is said ({error}); try again") from error
    if gzip.unconsumed_tail:
        raise failed(url, f"more than {MOST_BYTES >> 20} MB came; is it card data?")
    if not gzip.eof:
        raise failed(url, "what came is packed, and its end is missing; try again")
    return unpacked


def failed(url: str, reason: str) -> DownloadFailed:
    """The error, in one line, without the signs by which a server might command a terminal."""
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
    """Downloads the cards and keeps them; `download` says what the parameters are.

    Without url it is the mirror that DRAGON_CARDS names, or else SOURCE. Raises DownloadFailed
    where what comes is no card data: what was kept before stays.
    """
    if url is None:
        url = os.environ.get("DRAGON_CARDS") or SOURCE
    data = download(url, watch, silence, seconds)
    try:
        store = given(data.decode("utf-8-sig"), "the answer")
    except UnicodeDecodeError as error:
        raise failed(url, "what came is no text") from error
    except ConfigError as error:
        raise failed(url, f"what came is no card data ({error})") from error
    keep(table(store), fetched_file())
    return evolve(store, source=FETCHED)


def keep(text: str, file: Path) -> None:
    """Write a table of cards in one step: a reader sees the old file or the new one."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with replacing(file, 0o600, sync=True) as out:
            out.write(kept(text))
    except OSError as error:
        raise DownloadFailed(f"cannot write {file}: {error.strerror or error}") from error
