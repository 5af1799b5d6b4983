"""RankTable: what every position of a game is worth, by number."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

from dragon import sealed
from dragon.rules.evaluator import interpreted_of
from dragon.rules.record import RecordGame, RecordState, rules_of
from dragon.sealed import Kind, whole
from dragon.search.retrograde.kept import CHANGED, CHUNK, CODE, OLDER, identity
from dragon.search.retrograde.rank_kernel import DRAWN, LOST, NONE, SETTLED, WON
from dragon.search.retrograde.table import REMEDY, Asked

KIND = Kind("a table", 2, REMEDY, "by rank", CHANGED, (OLDER,))
"""Its version grows with every change of what codes mean."""


@frozen(eq=False)
class RankTable(Asked):
    """The worth of all positions that have a number, those included that no game comes to."""

    game: RecordGame
    _codes: Any
    """uint16[ranks], see `rank_kernel`; or a column of a file."""
    win: int
    """Units of a decisive end."""
    first: bytes = b""
    scores = False

    @property
    def codes(self) -> Any:
        """uint16[ranks]; those of a file are all checked. Raises ConfigError."""
        return whole(self._codes)

    @cached_property
    def _counted(self) -> Any:
        """int64[2**16]: how many positions have each code."""
        found, codes = np.zeros(1 << 16, np.int64), self.codes
        for at in range(0, len(codes), CHUNK):
            found += np.bincount(codes[at : at + CHUNK], minlength=1 << 16)
        return found

    def __len__(self) -> int:
        """Positions where the game is not over."""
        return len(self._codes) - self.none - self.over

    @property
    def none(self) -> int:
        """Numbers of no position."""
        return int(self._counted[NONE])

    @property
    def over(self) -> int:
        """Positions where the game is over."""
        return int(self._counted[SETTLED : SETTLED + 4].sum())

    @property
    def won_drawn_lost(self) -> tuple[int, int, int]:
        """Positions by what the mover gets."""
        won, drawn, lost = (int(self._counted[SETTLED + 4 + each : NONE : 4].sum())
                            for each in (WON, DRAWN, LOST))  # fmt: skip
        return won, drawn + self.cycles, lost

    @property
    def cycles(self) -> int:
        """Positions that are draws because nobody is made to leave a cycle."""
        return int(self._counted[:SETTLED].sum())

    @property
    def longest(self) -> int:
        """Plies of the longest win or loss."""
        counted = self._counted[SETTLED:NONE]
        held = [each for each in np.flatnonzero(counted).tolist() if each & 3 != DRAWN]
        return max(held, default=0) >> 2

    def _entry(self, state: RecordState) -> tuple[int, int] | None:
        code = int(self._codes[state.rank()])
        if code == NONE:
            return None
        units = self.win * ((code & 3) - DRAWN) if code >= SETTLED else 0
        return units, (code & SETTLED - 1) >> 2 if units else 0

    def write(self, path: Path) -> None:
        rules = identity(self.root, True)
        about, arrays = {"win": self.win}, {"codes": self.codes}
        sealed.write(path, KIND, str(self.game), rules, about, arrays)


def read(path: Path, game: RecordGame, first: bytes = b"") -> RankTable:
    """Return the table of a game in a file; raises ConfigError for any other file.

    first: the first record, that of `game.start()` if not given.
    """
    root = RecordState(game, first or rules_of(game).first)
    about, arrays = sealed.read(path, KIND, str(game), identity(root, True), {"codes": CODE})
    codes, win = arrays["codes"], about.get("win")
    if len(codes) != root.rules.ranks or type(win) is not int:
        raise KIND.error(path, "is damaged")
    return RankTable(game, codes, win, root.data)


def text_of(root: RecordState, number: int) -> str:
    """The position of a number, or the number where there is none."""
    record = root.record
    if interpreted_of(root.rules).call("unrank", record, number) < 0:
        return f"number {number}"
    return str(RecordState(root.game, record.tobytes()))
