"""Lines as drivers tell them: move codes of kernels become text, each in its own position."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dragon.rules.preparation import kernels_of
from dragon.rules.record import RecordState
from dragon.rules.rule_errors import as_rule_errors
from dragon.rules.rules import Rules


class Lines:
    """The moves of lines from one root, in the game's notation, from their codes.

    One record plays them. The last line is kept: that of the next iteration mostly begins as it
    does.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules, self._text = rules, rules.notation.move_text
        self._kernels = kernels_of("dragon.rules.kernels.state", rules)
        self._data = bytearray(rules.layout.itemsize)
        self._records = np.frombuffer(self._data, rules.layout)
        self._record = rules.record(self._data)

    def begin(self, root: RecordState) -> None:
        """Makes this state the root."""
        self._root = root.data
        self._codes: Sequence[int] = ()
        self._texts: list[str] = []

    def __call__(self, codes: Sequence[int]) -> tuple[str, ...]:
        """The moves of a line."""
        same = 0
        for code, known in zip(codes, self._codes, strict=False):
            if code != known:
                break
            same += 1
        if same < len(codes):
            self._tell(codes, same)
        return tuple(self._texts[: len(codes)])

    @as_rule_errors
    def _tell(self, codes: Sequence[int], same: int) -> None:
        """Writes a line that begins with `same` moves of the one before."""
        text, record, texts = self._text, self._record, self._texts
        play, records = self._kernels.play_in, self._records
        del texts[same:]
        self._data[:] = self._root
        for code in codes[:same]:
            play(records, code)
        for code in codes[same:]:
            texts.append(text(record, code))
            play(records, code)
        self._codes = codes
