"""Film: many drawings that are much alike, packed: what they share is kept once.

A drawing is cut before each opening tag. The pieces go to one list in the order in which
they first occur, and a drawing becomes runs of it: the 200 cells of a board are one run, the
stone that has come is another. Joining the pieces gives the drawing back, letter for letter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import define, field

CUT = re.compile(r"(?=<[^/])")


@define
class Film:
    """Drawings as runs of common pieces.

    >>> film = Film()
    >>> film.add("<a/><b/>"), film.add("<a/><c/><b/>")
    ([0, 2], [0, 1, 2, 3, 1, 2])
    >>> film.text([0, 1, 2, 3, 1, 2])
    '<a/><c/><b/>'
    """

    pieces: list[str] = field(factory=list)
    size: int = 0
    """Characters in the pieces."""
    _known: dict[str, int] = field(factory=dict)

    def add(self, drawing: str) -> list[int]:
        """Its runs: first piece and the one after the last, one run after another."""
        runs: list[int] = []
        for piece in CUT.split(drawing):
            if not piece:
                continue
            follows = runs[-1] if runs else -1
            if 0 <= follows < len(self.pieces) and self.pieces[follows] == piece:
                runs[-1] += 1
                continue
            at = self._known.get(piece)
            if at is None:
                at = self._known[piece] = len(self.pieces)
                self.pieces.append(piece)
                self.size += len(piece)
            if at == follows:
                runs[-1] += 1
            else:
                runs += [at, at + 1]
        return runs

    def text(self, runs: Sequence[int]) -> str:
        """The drawing of such runs."""
        spans = zip(runs[::2], runs[1::2], strict=True)
        return "".join("".join(self.pieces[start:end]) for start, end in spans)
