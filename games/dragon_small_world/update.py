"""Downloading the public card data: all of it or nothing, whatever the network does.

The dump goes to memory, is read as card data, and is kept as a table of what is needed; the
file in the user's data folder changes in one step, at the very end.
"""

from __future__ import annotations

import csv
import io
import os
import tempfile
import time
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from dragon.errors import ConfigError, DragonError
from dragon_small_world.monsters import (
    COLUMNS,
    MOST_BYTES,
    Pool,
    from_csv,
    from_json,
    starter,
)

SOURCE = "https://db.ygoprodeck.com/api/v7/cardinfo.php"
"""The public API; it answers with all cards at once, about 20 MB."""
SILENCE = 20.0
"""Seconds without a byte after which the server counts as gone."""
CHUNK = 1 << 16

Watch = Callable[[int, int | None], None]
"""Told the bytes that are there, and how many there will be if the server says."""


class DownloadFailed(DragonError, RuntimeError):
    """The card data could not be fetched; what was there before is still there."""


def download(
    url: str = SOURCE,
    watch: Watch = lambda got, total: None,
    silence: float = SILENCE,
    seconds: float | None = None,
) -> bytes:
    """What the server answers; raises DownloadFailed where it is not all there.

    silence: the longest wait for a byte; seconds: the longest wait for all of them.
    """
    if not url.startswith(("http://", "https://")):
        raise ConfigError(f"cannot download {url!r:.200}; give a http:// or https:// address")
    began = time.monotonic()
    request = Request(url, headers={"User-Agent": "dragon-search"})
    try:
        with urlopen(request, timeout=silence) as answer:
            length = answer.headers.get("Content-Length", "")
            total = int(length) if length.isdecimal() else None
            data = bytearray()
            while part := answer.read1(CHUNK):
                data += part
                watch(len(data), total)
                if len(data) > MOST_BYTES:
                    raise failed(url, f"more than {MOST_BYTES >> 20} MB came; is it card data?")
                if seconds is not None and time.monotonic() - began > seconds:
                    raise failed(url, f"not all there after {seconds:g} seconds; allow more")
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
    return bytes(data)


def failed(url: str, reason: str) -> DownloadFailed:
    """The error, in a sentence."""
    return DownloadFailed(f"cannot fetch {url}: {reason}; the cards in use stay as they are")


def pooled(data: bytes, url: str) -> Pool:
    """The pool of a dump that was downloaded; raises DownloadFailed where it is none."""
    try:
        text = data.decode("utf-8-sig")
        if text.lstrip()[:1] in ("{", "["):
            return from_json(text, url, starter().aliases)
        return from_csv(text, url, starter().aliases)
    except UnicodeDecodeError as error:
        raise failed(url, "what came is no text") from error
    except ConfigError as error:
        raise failed(url, f"what came is no card data ({error})") from error


def table(pool: Pool) -> str:
    """A pool as a CSV table that `from_csv` reads; other cards have a passcode and name alone."""
    arts: dict[int, list[int]] = {}
    for alias, main in pool.aliases.items():
        arts.setdefault(main, []).append(alias)
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow([*COLUMNS, "aliases"])
    for m in pool.monsters:
        printed = [m.printed(word) for word in COLUMNS[2:]]
        rows.writerow([m.id, m.name, *printed, " ".join(map(str, sorted(arts.get(m.id, []))))])
    for number, name in pool.others.items():
        rows.writerow([number, name, *[""] * 5, " ".join(map(str, sorted(arts.get(number, []))))])
    return out.getvalue()


def keep(text: str, file: Path) -> None:
    """Writes a file in one step: whoever reads it sees the old one or the new one."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=file.parent, suffix=".tmp")
    except OSError as error:
        raise DownloadFailed(f"cannot write {file}: {error.strerror or error}") from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        os.replace(draft, file)
    except BaseException as error:
        Path(draft).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise DownloadFailed(f"cannot write {file}: {error.strerror or error}") from error
        raise
