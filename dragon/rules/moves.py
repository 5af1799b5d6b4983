"""Moves: the legal moves of a record, codes of which text is made when they are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from dragon.errors import IllegalMove

if TYPE_CHECKING:
    import numpy as np


class Scribe(Protocol):
    """A state that writes and reads its moves."""

    listed: dict[str, int]
    """The codes of legal moves that were looked at, by their texts."""

    def text(self, code: int) -> str:
        """The text of a move."""

    def code(self, text: str) -> int:
        """The move that a text means; raises IllegalMove."""


class Moves(Sequence[str]):
    """The legal moves of a record: codes that become text only when looked at."""

    __slots__ = ("_state", "codes")

    def __init__(self, state: Scribe, codes: np.ndarray[Any, np.dtype[np.int64]]) -> None:
        self._state = state
        self.codes = codes

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self.codes))))
        return self._looked_at(int(self.codes[index]))

    def __iter__(self) -> Iterator[str]:
        return map(self._looked_at, self.codes.tolist())

    def _looked_at(self, code: int) -> str:
        text = self._state.text(code)
        self._state.listed[text] = code
        return text

    def __contains__(self, move: object) -> bool:
        try:
            return self._state.code(str(move)) in self.codes
        except (ValueError, IllegalMove):
            return False

    def __repr__(self) -> str:
        shown = ", ".join(self[:8])
        return f"<{len(self)} moves: {shown}{', ...' if len(self) > 8 else ''}>"
