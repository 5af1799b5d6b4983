"""Lists of cells: the moves of a game one after another, `f5d6c3` or `1. f5 2. d6`."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from attrs import frozen

from dragon.core import Game
from dragon.errors import BadNotation
from dragon.protocols import Form, Transcript
from dragon.transcripts.replay import Walk, replayed, shortened

BETWEEN = re.compile(r"\s+|,|;|\||\d+\s*[.)]+|-(?!-)|(?:\d+-\d+|1/2)$")
"""What may stand between the cells: spaces, commas, numbers of moves, a result at the end."""
PASS = re.compile(r"pass|pa(?![a-z0-9])|--", re.I)


@frozen
class Cells(Form):
    """The cells of moves, as players of the game write them down."""

    name: ClassVar[str] = "moves"
    title: ClassVar[str] = "Moves one after another"
    suffix: ClassVar[str] = ".txt"
    general: ClassVar[bool] = True
    rules: tuple[str, ...]
    """The names of the games."""
    passes: bool = False
    """Whether a side that cannot move passes without a word."""
    word: str = r"[a-z]\d{1,2}"
    """The pattern of a move: a cell, or the digit of a column."""

    def suits(self, game: Game[Any]) -> bool:
        """Return True for those games."""
        return game.name in self.rules

    def read(self, game: Game[Any], text: str) -> list[Transcript]:
        """Return the one game of a text of cells; none where it does not begin with two of them.

        Raises BadNotation where anything else comes later.
        """
        text = text.removeprefix("\ufeff").strip()
        words, at = [], 0
        while at < len(text):
            if found := BETWEEN.match(text, at):
                at = found.end()
            elif found := PASS.match(text, at) or re.compile(self.word, re.I).match(text, at):
                words.append(found[0])
                at = found.end()
            elif len(words) < 2:
                return []
            else:
                raise BadNotation(
                    f"move {len(words) + 1}: {shortened(text[at:])} does not begin with a move"
                )
        if not words:
            return []
        walk = Walk(game)
        for number, word in enumerate(words, 1):
            place, cell = f"move {number}", "pass" if PASS.fullmatch(word) else word.lower()
            if self.passes and cell != "pass" and [*map(str, walk.state.moves())] == ["pass"]:
                walk.make("pass", place)
            walk.make(cell, place)
        return [walk.transcript()]

    def write(self, game: Game[Any], transcript: Transcript) -> str | None:
        """Return the moves in one word; None for a game from another start."""
        if transcript.start or not transcript.moves:
            return None
        moves = replayed(game, transcript).moves
        return "".join(m for m in moves if not (self.passes and m == "pass")) + "\n"
