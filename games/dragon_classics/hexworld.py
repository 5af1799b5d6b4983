"""Links of HexWorld (hexworld.org/board): a game of Hex in the fragment of an address.

`#11c1,a1b2:sc3,d4` has the size of the board, marks of how it is shown, and moves, with a comma
where the reader of the link begins to look. A cell is the letter of its column and the number of
its row, where ours is the letter of the row and the number of the column.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar

from attrs import evolve, frozen

from dragon.core import Game
from dragon.errors import BadNotation
from dragon.protocols import Form, Transcript, notation_of
from dragon.transcripts.replay import Walk, cells_of
from dragon.transcripts.sgf import swap_note

LINK = re.compile(
    r"(?:hexworld\.org/board/?)?#(\d{1,2})(?:x(\d{1,2}))?([a-z0-9]*),([^\s\"'`<>)\]]*)", re.I
)
WORD = re.compile(r":(?:[sSp]|[rf][bw])|[a-z]\d{1,2}|,")


@frozen
class HexWorld(Form):
    """A link to HexWorld's board, anywhere in a text."""

    name: ClassVar[str] = "hexworld"
    title: ClassVar[str] = "Link of HexWorld"
    suffix: ClassVar[str] = ".txt"
    rules = ("hex",)

    def read(self, game: Game[Any], text: str) -> list[Transcript]:
        return [self._game(game, found) for found in LINK.finditer(text)]

    def _game(self, game: Any, found: re.Match[str]) -> Transcript:
        columns, rows, _, line = found.groups()
        line = line.rstrip(".;!?")
        if rows is not None and rows != columns:
            raise BadNotation(f"{found[0]!r}: hex has no board of {columns} columns, {rows} rows")
        try:
            of = evolve(game, size=int(columns))
        except ValueError as wrong:
            raise BadNotation(f"{found[0]!r}: {wrong}") from wrong
        board: Any = notation_of(of)
        walk, mirrored, result, at = Walk(of), False, "", 0
        while at < len(line):
            word = WORD.match(line, at)
            place = f"{found[0]!r}, move {len(walk.moves) + 1}"
            if word is None:
                raise BadNotation(f"{place}: {line[at : at + 8]!r} is not a cell like c4, or :s")
            at = word.end()
            said = word[0]
            if said == ",":
                continue
            if said[:2] in (":r", ":f"):
                result = f"{'W' if said[2] == 'b' else 'B'}+{'R' if said[1] == 'r' else 'F'}"
            elif said in (":s", ":S"):
                if len(walk.moves) != 1:
                    raise BadNotation(f"{place}: a swap can only be the second move")
                mirrored = said == ":s"
                walk.say(swap_note(mirrored))
            elif said == ":p":
                raise BadNotation(f"{place}: {of} has no pass")
            else:
                row, column = int(said[1:]) - 1, ord(said[0]) - ord("a")
                if not (0 <= row < of.size and column < of.size):
                    raise BadNotation(f"{place}: {said} is not on a board of size {of.size}")
                walk.make(board.name(*((column, row) if mirrored else (row, column))), place)
        return walk.transcript(result=result)

    def write(self, game: Any, transcript: Transcript) -> str | None:
        """Return a link; None for a game from another start."""
        if transcript.start:
            return None
        cells = cells_of(game, transcript)
        moves = "".join(f"{chr(ord('a') + column)}{row + 1}" for row, column in cells)
        return f"https://hexworld.org/board/#{game.size},{moves}\n"
