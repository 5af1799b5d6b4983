"""Chess as people paste it: PGN, and a FEN in a tag, an address, a command or a line of EPD."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from attrs import frozen

from dragon.core import Game
from dragon.transcripts.pgn import Pgn

FEN = re.compile(
    r"(?:.*?[\s/\"'`:=\[(])?((?:[pnbrqkPNBRQK1-8]{1,8}/){7}[pnbrqkPNBRQK1-8]{1,8})[ _]+([wb])"
    r"(?:[ _]+(-|[A-Ha-hKQkq]{1,4})(?:[ _]+(-|[a-h][36])(?:[ _]+(\d+)(?:[ _]+(\d+))?)?)?)?"
    r"(?P<after>[ _]+after .*)?(?P<rest>.*)", re.S,
)  # fmt: skip
"""A FEN anywhere in a text: of a tag, an address (where _ stands for spaces), a command."""
AROUND = re.compile(r"[\s\"'`\])>,.;]*|\s*(?:\w+ [^;]*;\s*)+", re.S)
"""What may follow it: brackets, operations of EPD (`bm Qd1; id "3";`)."""
REST = re.compile(r"[?#/][^_\s]*(?:\s.*)?", re.S)
"""The rest of an address, and what comes after that."""


def fen_in(text: str) -> str:
    """Return the FEN of a text with what else a position of chess has, or the text as it is.

    >>> fen_in('[FEN "8/8/8/8/8/4k3/8/4K2R w K - 0 1"]')
    '8/8/8/8/8/4k3/8/4K2R w K - 0 1'
    """
    found = FEN.fullmatch(text.strip())
    if found is None:
        return text
    address = "_" in text[found.start(1) : found.start("rest")]
    if not AROUND.fullmatch(found["rest"]) and not (address and REST.fullmatch(found["rest"])):
        return text
    words = [word for word in found.groups()[:6] if word]
    return " ".join(words) + (found["after"] or "").replace("_", " ")


SCALE = 15
"""The lead in pawns that `evaluate` calls a half."""


@frozen
class ChessPgn(Pgn):
    """PGN of chess, whose usual form it is."""

    general: ClassVar[bool] = False
    variants: ClassVar[tuple[str, ...]] = (
        "standard", "from position", "chess960", "chess 960", "fischerandom",
    )  # fmt: skip

    first: ClassVar[str] = r"[KQRBNPO0a-h]|$"

    def kind(self, spec: str) -> dict[str, str]:
        """Return no tag: PGN is of chess unless it says otherwise."""
        return {}

    def evaluation(self, value: float, plies: int | None) -> str:
        """Return the lead of White in pawns, or the moves to mate, as `[%eval 0.35]`."""
        if plies and value:
            return f"[%eval #{'-' * (value < 0)}{(plies + 1) // 2}]"
        if abs(value) == 1:
            return ""
        return f"[%eval {SCALE * value / (1 - abs(value)) + 0.0:.2f}]"

    def suits(self, game: Game[Any]) -> bool:
        """Return True for chess."""
        return game.name == "chess"
