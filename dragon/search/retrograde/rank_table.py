"""RankTable: what every position of a game is worth, by number."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

from dragon.errors import ConfigError
from dragon.rules.evaluator import interpreted_of
from dragon.rules.record import RecordGame, RecordState, rules_of
from dragon.search.retrograde.kept import CHUNK, CODE, opened, write
from dragon.search.retrograde.rank_kernel import DRAWN, LOST, NONE, SETTLED, WON
from dragon.search.retrograde.table import Asked


@frozen(eq=False)
class RankTable(Asked):
    """The worth of all positions that have a number, those included that no game comes to."""

    game: RecordGame
    codes: Any
    """uint16[ranks]; see `rank_kernel`."""
    win: int
    """Units of a decisive end."""
    scores = False

    @cached_property
    def _counted(self) -> Any:
        """int64[2**16]: how many positions have each code."""
        found = np.zeros(1 << 16, np.int64)
        for at in range(0, len(self.codes), CHUNK):
            found += np.bincount(self.codes[at : at + CHUNK], minlength=1 << 16)
        return found

    def __len__(self) -> int:
        """Positions where the game is not over."""
        return len(self.codes) - self.none - self.over

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
        code = int(self.codes[state.rank()])
        if code == NONE:
            return None
        units = self.win * ((code & 3) - DRAWN) if code >= SETTLED else 0
        return units, (code & SETTLED - 1) >> 2 if units else 0

    def write(self, path: Path) -> None:
        """Keeps the table in a file, which is there as a whole or not at all; raises OSError."""
        write(path, {"game": str(self.game), "win": self.win}, {"codes": self.codes})


def read(path: Path, game: RecordGame) -> RankTable:
    """The table of a game in a file; raises ConfigError for another game's, or what is none."""
    about, arrays = opened(path, {"codes": CODE})
    if about.get("game") != str(game):
        raise ConfigError(f"{path} is a table of {about.get('game')}, not of {game}")
    if "win" not in about or len(arrays["codes"]) != rules_of(game).ranks:
        raise ConfigError(f"{path} is unfinished, or made with other rules; make it again by --out")
    return RankTable(game, arrays["codes"], int(about["win"]))


def text_of(root: RecordState, number: int) -> str:
    """The position of a number, or the number where there is none."""
    record = root.record
    if interpreted_of(root.rules).integer("unrank", record, number) < 0:
        return f"number {number}"
    return str(RecordState(root.game, record.tobytes()))
