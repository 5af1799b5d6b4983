"""Sealed files: what dragon writes and reads again, with a checksum of every byte.

A sealed text holds the mark `crc32:` with eight digits, the CRC-32 of the whole text in which
these digits are zeros. JSON begins with a head: the kind of file, the version of its format, the
seal, and what it was made of, with the identity (a hash) of that.

Arrays follow such a head on one line, filled up with blanks to a page, as they are in
memory. Behind them are the CRC-32 of each chunk of each array, and of these numbers themselves. A
chunk is compared with its number before it is first used, so that a table of gigabytes opens at
once. CRC-32 detects every change of one or two bits, and every burst of up to 32; it is checked at
3.8 GB/s on one core here, where blake2b takes five times as long, and needs no import of OpenSSL.
"""

from __future__ import annotations

import json
import mmap
import os
import re
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from dragon.errors import ConfigError
from dragon.files import replacing

if TYPE_CHECKING:
    import numpy as np

SEAL = "crc32:00000000"
"""The mark in a text that is to be sealed."""
CHUNK = 1 << 20
"""Bytes that share a checksum."""
LONGEST_HEAD = 1 << 22
_MARK = re.compile(rb"crc32:([0-9a-f]{8})")
_NUMBERS = r"[<|][iufbV]\d{1,7}"
_BLANK = b"crc32:00000000"


def seal(data: bytes) -> bytes:
    """Return a text with its checksum in the place of the first SEAL."""
    return data.replace(_BLANK, b"crc32:%08x" % zlib.crc32(data), 1)


def is_sealed(data: bytes) -> bool:
    """Return whether a text has a seal."""
    return _MARK.search(data) is not None


def is_intact(data: bytes) -> bool:
    """Return whether a text has the seal that belongs to it.

    >>> text = seal(b'{"seal": "crc32:00000000", "pits": 4}')
    >>> text, is_intact(text), is_intact(text.replace(b"4}", b"5}"))
    (b'{"seal": "crc32:18023cac", "pits": 4}', True, False)
    """
    found = _MARK.search(data)
    if found is None:
        return False
    begin, end = found.span()
    whole = zlib.crc32(data[end:], zlib.crc32(_BLANK, zlib.crc32(data[:begin])))
    return b"%08x" % whole == found[1]


class Kind(NamedTuple):
    """A kind of file, and the version of its format that this dragon writes and reads."""

    name: str
    """A noun with its article, as in "a table"."""
    version: int
    """It grows with every change of the contents of such a file, or of their meaning."""
    remedy: str
    """The remedy for a file that cannot be used."""
    form: str = ""
    """Distinguishes forms with the same name."""
    changed: str = "other rules"
    """The cause of a different identity, as messages name it."""
    older: tuple[bytes, ...] = ()
    """The first bytes of files of formats without a seal."""

    @property
    def title(self) -> str:
        """The name and the form, which are written into a file."""
        return f"{self.name} ({self.form})" if self.form else self.name

    def error(self, path: Path | str, reason: str) -> ConfigError:
        """Return the error about a file, with the remedy."""
        return ConfigError(f"{path} {reason}; {self.remedy}")

    def unreadable(self, path: Path | str, wrong: OSError) -> ConfigError:
        """Return the error for a file that the system cannot read."""
        return ConfigError(
            f"cannot read {path}: {wrong.strerror or wrong}; give another file, or {self.remedy}"
        )

    def sealed(
        self,
        of: str,
        identity: str,
        content: Mapping[str, Any],
        indent: int | None = None,
        page: int = 1,
    ) -> bytes:
        """Return JSON with a head, sealed. of, identity: see `opened`.

        page: the length is a multiple of it.
        """
        head = {"dragon": self.title, "version": self.version, "seal": SEAL, "of": of,
                "identity": identity}  # fmt: skip
        text = json.dumps({**head, **content}, indent=indent).encode()
        return seal(text.ljust(-(-(len(text) + 1) // page) * page - 1) + b"\n")

    def opened(
        self, data: bytes, path: Path | str, of: str, identity: str, whole: bool = True
    ) -> dict[str, Any]:
        """Return the content of such JSON, with its head; raises ConfigError.

        of: what it must be made of, as a user calls it; identity: a hash of that, which is
        another one where it has changed since. whole: whether the text has not been cut off.
        """
        found = self._parsed(data) if is_intact(data) else None
        if found is None:
            raise self.error(path, self._fault(data, whole))
        if found.get("dragon") != self.title:
            raise self.error(path, f"is {found.get('dragon')}, not {self.title}")
        version = found.get("version")
        if version != self.version:
            other = "a later" if isinstance(version, int) and version > self.version else "an older"
            raise self.error(path, f"is of {other} format of dragon, {version}, and this dragon "
                             f"reads {self.version}")  # fmt: skip
        if found.get("of") != of:
            raise self.error(path, f"is {self.name} of {found.get('of')}, not of {of}")
        if found.get("identity") != identity:
            raise self.error(path, f"is {self.name} of {of}, made with {self.changed} than those "
                             f"of {of} now")  # fmt: skip
        return found

    @staticmethod
    def _parsed(data: bytes) -> dict[str, Any] | None:
        """Return the JSON object in a text; None if there is none."""
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) else None

    def _fault(self, data: bytes, whole: bool) -> str:
        """Return a message about a text that does not have its seal."""
        if not data:
            return "is empty"
        if any(map(data.startswith, self.older)):
            return "is of an older format of dragon, which has no checksum"
        if not data.startswith(b'{"dragon": ') and not data.startswith(b'{\n "dragon": '):
            return f"cannot be read: it is not {self.name}, or is damaged"
        return "is damaged" if whole else "is cut off"


# ---- arrays


class Column:
    """An array in a file, of which each chunk is checked before it is first used."""

    __slots__ = ("array", "checked", "kind", "left", "path", "step", "sums")

    def __init__(self, path: Path, kind: Kind, array: Any, sums: Any, step: int) -> None:
        """Take an array as it is mapped, unchecked.

        sums: uint32[chunks], the checksums; step: items of a chunk.
        """
        self.path, self.kind, self.array, self.sums, self.step = path, kind, array, sums, step
        self.left = len(sums)
        """Chunks that have not been compared with their checksums."""
        self.checked = bytearray(self.left)
        """1 for each chunk that has been."""

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, at: int) -> Any:
        if not self.checked[at // self.step]:
            self._check(at // self.step)
        return self.array[at]

    def whole(self) -> Any:
        """Return the array, all of it checked; raises ConfigError."""
        while self.left and (chunk := self.checked.find(0)) >= 0:
            self._check(chunk)
        return self.array

    def _check(self, chunk: int) -> None:
        part = self.array[chunk * self.step : (chunk + 1) * self.step]
        if zlib.crc32(_bytes(part)) != self.sums[chunk]:
            raise self.kind.error(self.path, "is damaged")
        self.checked[chunk] = 1
        self.left = self.checked.count(0)  # threads may check at once


def quickest(held: Any) -> Any:
    """Return the object to read an item from: the array itself as soon as all of it is checked."""
    return held.array if isinstance(held, Column) and not held.left else held


def whole(held: Any) -> Any:
    """Return an array, or a column of a file as one, all of it checked."""
    return held.whole() if isinstance(held, Column) else held


def write(
    path: Path,
    kind: Kind,
    of: str,
    identity: str,
    about: Mapping[str, Any],
    arrays: Mapping[str, Any],
    sync: bool = False,
) -> None:
    """Write a file of one-dimensional arrays by name, as a whole; raises OSError.

    sync: whether it must be on the disk before it takes the place of another.
    """
    held = [[name, array.dtype.str, len(array)] for name, array in arrays.items()]
    content = {"about": about, "chunk": CHUNK, "arrays": held}
    head = kind.sealed(of, identity, content, page=mmap.PAGESIZE)
    sums: list[int] = []
    with replacing(path, sync=sync) as file:
        file.write(head)
        for array in arrays.values():
            for part in _chunks(array):
                sums.append(zlib.crc32(part))
                file.write(part)
        numbers = b"".join(each.to_bytes(4, "little") for each in sums)
        file.write(numbers + zlib.crc32(numbers, zlib.crc32(head)).to_bytes(4, "little"))


def read(
    path: Path, kind: Kind, of: str, identity: str, dtypes: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Column]]:
    """Return the description that a file gives of its arrays, and the arrays by name.

    dtypes: of each array; None for numbers of whatever size. What is written into them stays in
    memory: arrays to be read only are refused by kernels. Raises ConfigError.
    """
    import numpy as np

    try:
        with open(path, "rb") as file:
            line = file.readline(LONGEST_HEAD)
            head = kind.opened(line, path, of, identity, line.endswith(b"\n"))
            about, held = _described(head, dtypes)
            chunks = sum(-(-length // step) for _, length, step in held.values())
            payload = sum(length * dtype.itemsize for dtype, length, _ in held.values())
            size, end = os.fstat(file.fileno()).st_size, len(line) + payload + 4 * chunks + 4
            if size != end:
                raise kind.error(path, "is cut off" if size < end else "is damaged: it goes on "
                                 "behind its end")  # fmt: skip
            file.seek(end - 4 * chunks - 4)
            numbers = file.read(4 * chunks)
            if zlib.crc32(numbers, zlib.crc32(line)).to_bytes(4, "little") != file.read(4):
                raise kind.error(path, "is damaged")
    except OSError as wrong:
        raise kind.unreadable(path, wrong) from wrong
    except (ValueError, KeyError, TypeError, OverflowError) as wrong:
        if isinstance(wrong, ConfigError):
            raise
        raise kind.error(path, "is damaged") from wrong
    sums, at, first, columns = np.frombuffer(numbers, "<u4"), len(line), 0, {}
    for name, (dtype, length, step) in held.items():
        last = first - (-length // step)
        if length:  # nothing cannot be mapped
            array = np.memmap(path, dtype, "c", at, (length,)).view(np.ndarray)
        else:
            array = np.zeros(0, dtype)
        columns[name] = Column(path, kind, array, sums[first:last], step)
        at, first = at + length * dtype.itemsize, last
    return about, columns


def _described(
    head: dict[str, Any], dtypes: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, tuple[np.dtype[Any], int, int]]]:
    """Return the contents of a head: the description, and each array's dtype, length and chunk.

    Raises ValueError, KeyError or TypeError where these are not the arrays that are expected.
    """
    import numpy as np

    held: dict[str, tuple[np.dtype[Any], int, int]] = {}
    for name, code, length in head["arrays"]:
        if not re.fullmatch(_NUMBERS, code) or type(length) is not int or length < 0:
            raise ValueError(name)
        given = dtypes[name]
        dtype = np.dtype(code if given is None else given)
        if dtype.str != code:
            raise ValueError(name)
        held[name] = dtype, length, max(1, head["chunk"] // dtype.itemsize)
    if held.keys() != dtypes.keys() or not isinstance(head["about"], dict):
        raise ValueError
    return head["about"], held


def _chunks(array: Any) -> Iterator[Any]:
    step = max(1, CHUNK // array.dtype.itemsize)
    for at in range(0, len(array), step):
        yield _bytes(array[at : at + step])


def _bytes(part: Any) -> Any:
    import numpy as np

    return np.ascontiguousarray(part).view(np.uint8).data
