"""Decks as codes: `ydke://` links and Omega codes, which hold passcodes; others are named.

A link is main, extra and side, each the passcodes as four bytes in base 64, with `!` after it
(github.com/ProjectIgnis/ydke.js). An Omega code is base 64 of deflated bytes: the number of cards
of main with extra deck, that of the side deck, and the passcodes (ungive/omega-api-decks there).
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from urllib.parse import unquote

from attrs import frozen

from dragon_cards.lines import MAIN, SECTIONS, SIDE

LINK = "ydke://"
HERO_CODE = "Hearthstone code"
_LINK = re.compile(r"ydke(?::|%3a)(?:/|%2f){2}", re.IGNORECASE)
_PART = r"(?:[A-Za-z0-9+/=_-]|%2[bBfF]|%3[dD])"
_WRAPPED = re.compile(rf"((?:{_PART}|[ \t]*\r?\n[ \t>|]*)*)(?:!|%21)" * 3)
_WORD = re.compile(r"\S*")
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s<>\"')\]]+", re.IGNORECASE)
_DECKS = re.compile(
    r"(?:archidekt|moxfield|tappedout|mtggoldfish|hsreplay|hearthpwn|limitlesstcg|aetherhub)\."
    r"|/\S*deck",
    re.IGNORECASE,
)
"""The marks of the address of a deck page."""
_CODE = re.compile(r"(?<![\w+/=:.-])[A-Za-z0-9+/]{20,}={0,2}(?![\w+/=.-])")
_MOST_BYTES = 4096


@frozen
class Code:
    """A code in a text, from `start` to `end`."""

    start: int
    end: int
    what: str
    """The kind of code, for messages."""
    cards: tuple[tuple[str, int], ...] = ()
    """Sections with passcodes."""
    mistakes: tuple[tuple[str, str], ...] = ()
    """Sections with mistakes; empty if all was understood."""


def codes_in(text: str) -> Iterator[Code]:
    """Yield the links, codes and addresses of a text, in their order, none within another."""
    end = 0
    starts: list[tuple[int, Callable[[str, int], Code | None]]]
    starts = [(found.start(), _link) for found in _LINK.finditer(text)]
    starts += [(found.start(), _address) for found in _ADDRESS.finditer(text)]
    starts += [(found.start(), _code) for found in _CODE.finditer(text)]
    for start, read in sorted(starts, key=lambda each: each[0]):
        if start >= end and (code := read(text, start)):
            yield code
            end = code.end


def _link(text: str, start: int) -> Code:
    """Read the link that begins there; it may be wrapped, and its lines quoted."""
    head, word = _LINK.match(text, start), _WORD.match(text, start)
    assert head is not None
    assert word is not None
    if wrapped := _WRAPPED.match(text, head.end()):
        parts = [re.sub(r"[\s>|]", "", unquote(part)) for part in wrapped.groups()]
        code = _parts(start, wrapped.end(), parts)
        if not code.mistakes or "\n" not in wrapped[0]:
            return code
    return _parts(start, word.end(), unquote(text[head.end() : word.end()]).split("!")[:3])


def _parts(start: int, end: int, parts: Sequence[str]) -> Code:
    cards: list[tuple[str, int]] = []
    mistakes: list[tuple[str, str]] = []
    if len(parts) < len(SECTIONS):
        note = f"a {LINK} link has main, extra and side, each ended by a !; copy all of it"
        return Code(start, end, "link", mistakes=((MAIN, note),))
    for section, part in zip(SECTIONS, parts, strict=True):
        try:
            data = base64.b64decode(part.replace("-", "+").replace("_", "/"), validate=True)
        except (binascii.Error, ValueError) as error:
            mistakes.append(
                (section, f"the {section} part of the link is broken ({error}); copy it again")
            )
            continue
        cards += ((section, number) for number in _numbers(data))
        if len(data) % 4:
            mistakes.append((section, f"the {section} part of the link is cut off; copy all of it"))
    return Code(start, end, "link", tuple(cards), tuple(mistakes))


def _numbers(data: bytes) -> list[int]:
    return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data) - 3, 4)]


def _address(text: str, start: int) -> Code | None:
    """Name the address of a page, if it does not hold a link of its own."""
    found = _ADDRESS.match(text, start)
    assert found is not None
    if inner := _LINK.search(found[0]):
        code = _link(text, start + inner.start())
        return Code(start, code.end, code.what, code.cards, code.mistakes)
    line = text[text.rfind("\n", 0, start) + 1 : start] + text[found.end() :].partition("\n")[0]
    beside = any(map(str.isalnum, line.rpartition(":")[2]))
    if beside and not _DECKS.search(found[0].split("//")[-1]):
        return None  # the address of a card, beside its name
    site = re.sub(r"^(?:https?://)?(?:www\.)?", "", found[0], flags=re.IGNORECASE).split("/")[0]
    note = (
        f"the address of a page at {site:.60}, which is not fetched; open it and copy the list of "
        f"cards, or its {LINK} link"
    )
    return Code(start, found.end(), "address", mistakes=((MAIN, note),))


def _code(text: str, start: int) -> Code | None:
    """Read an Omega code, or name a code of Hearthstone; other words are none."""
    found = _CODE.match(text, start)
    assert found is not None
    try:
        data = base64.b64decode(found[0] + "=" * (-len(found[0]) % 4))
    except (binascii.Error, ValueError):
        return None
    if data[:2] == b"\0\1" and data[2:3] in (b"\1", b"\2", b"\3", b"\4"):
        note = (
            "a Hearthstone code, which holds numbers without names; copy the whole export, with "
            "its lines such as `# 2x (1) Name`"
        )
        return Code(start, found.end(), HERO_CODE, mistakes=((MAIN, note),))
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        plain = stream.decompress(data, _MOST_BYTES)
    except zlib.error:
        return None
    if not stream.eof or len(plain) < 2 or len(plain) < 2 + 4 * (plain[0] + plain[1]):
        return None
    numbers = _numbers(plain[2:])[: plain[0] + plain[1]]
    cards = [(MAIN if i < plain[0] else SIDE, number) for i, number in enumerate(numbers)]
    return Code(start, found.end(), "Omega code", tuple(cards))


def is_code(text: str) -> bool:
    """Return True if a text is nothing else than a code, a link or an address."""
    text = text.strip().strip("<>\"'`")
    first = next(codes_in(text), None)
    return first is not None and (first.start, first.end) == (0, len(text))


def link(parts: Iterable[Iterable[int]]) -> str:
    """Return the link of the passcodes of main, extra and side.

    >>> link(([14558127], [], []))
    'ydke://ryPeAA==!!!'
    """
    coded = (b"".join(n.to_bytes(4, "little") for n in part) for part in parts)
    return LINK + "".join(f"{base64.b64encode(part).decode()}!" for part in coded)
