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
            del self._texts[same:]
            self._data[:] = self._root
            for i, code in enumerate(codes):
                if i > 0:
                    self._play(codes[i - 1])
                if i >= same:
                    self._texts.append(self._text(self._record, code))
            self._codes = codes
        return tuple(self._texts[: len(codes)])

    @as_rule_errors
    def _play(self, code: int) -> None:
        self._kernels.play_in(self._records, code)
