"""Chess as people paste it: PGN, and a FEN in a tag, an address, a command or a line of EPD."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from attrs import frozen

from dragon.core import State
from dragon.errors import BadNotation, quoted
from dragon.transcripts.pgn import Pgn

FEN = re.compile(
    r"(?:.*?[\s/\"'`:=\[(<>*_,;])??"
    r"((?:[pnbrqkPNBRQK1-8]{1,8}/){7}[pnbrqkPNBRQK1-8]{1,8})[ _]+([wb])"
    r"(?:[ _]+(-|[A-Ha-hKQkq]{1,4})(?:[ _]+(-|[a-h][36])(?:[ _]+(\d+)(?:[ _]+(\d+))?)?)?)?"
    r"(?P<after>[ _]+after .*)?(?P<rest>.*)", re.S,
)  # fmt: skip
"""A FEN anywhere in a text: of a tag, an address (where _ stands for spaces), a command."""
OPERATION = re.compile(r"(\w+)((?:\s+(?:\"[^\"]*\"|[^\s;\"]+))*)\s*;\s*")
"""An operation of EPD: `bm Qd1;`, `id "3";`."""
AROUND = re.compile(rf"[\s*_\"'`\])>,.;]*|\s*(?:{OPERATION.pattern})+", re.S)
"""The text that may follow it: brackets, or operations of EPD."""
REST = re.compile(r"[?#/&][^_\s]*(?:\s.*)?", re.S)
"""The rest of an address, and what comes after that."""


def fen_in(text: str) -> str:
    """Return the FEN of a text with what else a position of chess has, or the text without one.

    Raises BadNotation for words after it, which may be moves; those before it are left out.

    >>> fen_in('[FEN "8/8/8/8/8/4k3/8/4K2R w K - 0 1"]')
    '8/8/8/8/8/4k3/8/4K2R w K - 0 1'
    >>> fen_in('8/8/8/8/8/4k3/8/4K2R w K - hmvc 2; fmvn 12; id "a; b";')
    '8/8/8/8/8/4k3/8/4K2R w K - 2 12'
    """
    if escaped := "%2f" in text.casefold():
        text = re.sub(r"%20|\+", " ", re.sub("%2f", "/", text, flags=re.IGNORECASE))
    found = FEN.fullmatch(text.strip())
    if found is None:
        return text
    address = escaped or "_" in text[found.start(1) : found.start("rest")]
    if not AROUND.fullmatch(found["rest"]) and not (address and REST.fullmatch(found["rest"])):
        fen, said = text[found.start(1) : found.start("rest")], " ".join(found["rest"].split())
        raise BadNotation(f"{quoted(said)} after the FEN {fen} is not understood; leave it out")
    words = [word for word in found.groups()[:6] if word]
    counts = {name: given.strip() for name, given in OPERATION.findall(found["rest"])}
    if len(words) == 4 and {"hmvc", "fmvn"} & counts.keys():
        words += [counts.get("hmvc", "0"), counts.get("fmvn", "1")]
    return " ".join(words) + (found["after"] or "").replace("_", " ")


SCALE = 15
"""The lead in pawns that `evaluate` calls a half."""


@frozen
class ChessPgn(Pgn):
    """PGN of chess, whose usual form it is."""

    general: ClassVar[bool] = False
    rules = ("chess",)
    variants: ClassVar[tuple[str, ...]] = (
        "standard", "from position", "chess960", "chess 960", "fischerandom",
    )  # fmt: skip

    first: ClassVar[str] = r"[KQRBNPO0a-h]|$"

    def kind(self, spec: str) -> dict[str, str]:
        """Return no tag: PGN is of chess unless it says otherwise."""
        return {}

    def plies(self, state: State[Any]) -> int:
        """Return the plies before a position by the number of its move."""
        words = self.fen(state).split()
        return 2 * (int(words[5]) - 1) + (words[1] == "b")

    def evaluation(self, value: float, plies: int | None) -> str:
        """Return the lead of White in pawns, or the moves to mate, as `[%eval 0.35]`."""
        if plies and value:
            return f"[%eval #{'-' * (value < 0)}{(plies + 1) // 2}]"
        if abs(value) == 1:
            return ""
        return f"[%eval {SCALE * value / (1 - abs(value)) + 0.0:.2f}]"
