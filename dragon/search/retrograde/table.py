"""Table: what every position of a game is worth, to be asked, kept in a file and read again."""

from __future__ import annotations

import json
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

from dragon.bits import MASK, mix
from dragon.core import TERMINAL
from dragon.errors import ConfigError, GameError
from dragon.files import replacing
from dragon.rules.layout import hash_words
from dragon.rules.record import RecordGame, RecordState

FORMAT = "dragon table 1"
UNPLACED = "its key is 0; give the game a rule `place` that joins the same positions everywhere"
"""The remedy where a position shares its place with none, though one before it was joined."""


@frozen
class Answer:
    """What a position is worth to the seat that moves there."""

    value: float
    """Payoff."""
    distance: int | None
    """Plies to the end, of a win as soon as possible, of a loss as late; else None."""
    moves: tuple[str, ...] = ()
    """All that are best."""


class Asked(ABC):
    """A table that can be asked: of each position it has an entry."""

    game: RecordGame
    scores: bool
    """Whether games end in more ways than one win, draw and loss; then nobody hurries."""
    cycles: Any
    """int: positions that are draws because nobody is made to leave a cycle."""

    @property
    @abstractmethod
    def won_drawn_lost(self) -> tuple[int, int, int]:
        """Positions by what the mover gets; with scores, of what is still to come."""

    @property
    @abstractmethod
    def longest(self) -> int:
        """Plies of the longest win or loss; with scores, of the longest game."""

    @abstractmethod
    def __len__(self) -> int:
        """Positions where the game is not over."""

    @abstractmethod
    def write(self, path: Path) -> None:
        """Keeps the table in a file, which is there as a whole or not at all; raises OSError."""

    def ask(self, state: RecordState) -> Answer:
        """What a position is worth, and its best moves; raises GameError."""
        if state.turn == TERMINAL:
            raise GameError(f"the game is over in {state}, so the table has nothing on it")
        here = self._entry(state)
        if here is None:
            if not state.place():
                raise GameError(f"the table has nothing on {state}; {UNPLACED}")
            raise GameError(f"the start of {self.game} does not lead to {state}; ask another one")
        found = list(self._after(state))
        best = max(found, key=lambda each: each[1:])[1:]
        sign, unit = _sign(state), state.unit
        units, plies = here
        value = units * unit + sign * state.banked()
        known = bool(units) and not self.scores
        moves = tuple(move for move, *worth in found if tuple(worth) == best)
        return Answer(value, plies if known else None, moves)

    def _after(self, state: RecordState) -> Iterator[tuple[str, float, int]]:
        """Each move, what it is worth to the mover, and how much that hurries or delays."""
        sign = _sign(state)
        for move in state.moves():
            after = state.after(move)
            if after.turn == TERMINAL:
                value, plies = sign * after.payoff()[0], 0
            else:
                entry = self._entry(after)
                if entry is None:
                    remedy = "make it again" if after.place() else UNPLACED
                    raise GameError(f"the table has nothing on {after}; {remedy}")
                value, plies = _sign(after) * entry[0] * state.unit + after.banked(), entry[1]
                value *= sign
            hurry = 0 if self.scores or not value else -plies if value > 0 else plies
            yield move, value, hurry

    @abstractmethod
    def _entry(self, state: RecordState) -> tuple[int, int] | None:
        """Units still to come for the seat that moves, and plies to the end, of draws 0."""


@frozen(eq=False)
class Table(Asked):
    """The worth of n positions, by place."""

    game: RecordGame
    places: Any
    """uint64[n], rising; see `kernel.place_of`."""
    values: Any
    """int32[n], units still to come for the seat that moves."""
    plies: Any
    """int32[n], plies to the end; of draws 0, where there are no scores."""
    scores: bool
    """Whether games end in more ways than one win, draw and loss; then nobody hurries."""
    cycles: int
    """Positions that are draws because nobody is made to leave a cycle."""

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def won_drawn_lost(self) -> tuple[int, int, int]:
        """Positions by what the mover gets; with scores, of what is still to come."""
        return tuple(int((np.sign(self.values) == s).sum()) for s in (1, 0, -1))  # type: ignore[return-value]

    @property
    def longest(self) -> int:
        """Plies of the longest win or loss; with scores, of the longest game."""
        return int(self.plies.max())

    def _entry(self, state: RecordState) -> tuple[int, int] | None:
        place = np.uint64(place_of(state))
        at = int(np.searchsorted(self.places, place))
        if at == len(self.places) or self.places[at] != place:
            return None
        return int(self.values[at]), int(self.plies[at])

    def write(self, path: Path) -> None:
        """Keeps the table in a file, which is there as a whole or not at all; raises OSError."""
        about = {
            "format": FORMAT, "game": str(self.game), "scores": self.scores, "cycles": self.cycles,
        }  # fmt: skip
        with replacing(path) as file:
            np.savez(
                file,
                about=np.frombuffer(json.dumps(about).encode(), np.uint8),
                places=self.places,
                values=self.values.astype(np.min_scalar_type(-int(np.abs(self.values).max()) - 1)),
                plies=self.plies.astype(np.min_scalar_type(self.longest)),
            )


def read(path: Path, game: RecordGame) -> Table:
    """The table of a game in a file; raises ConfigError for another game's, or what is none."""
    try:
        with np.load(path, allow_pickle=False) as file:
            about = json.loads(file["about"].tobytes())
            places, values, plies = (file[name] for name in ("places", "values", "plies"))
        if about["format"] != FORMAT or not len(places) == len(values) == len(plies) > 0:
            raise ValueError
        scores, cycles = bool(about["scores"]), int(about["cycles"])
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        raise ConfigError(f"{path} is no table, or damaged; make it again with --out") from None
    except OSError as wrong:
        raise ConfigError(f"cannot read {path}: {wrong.strerror or wrong}") from wrong
    if about["game"] != str(game):
        raise ConfigError(f"{path} is a table of {about['game']}, not of {game}")
    return Table(
        game, places, values.astype(np.int32), plies.astype(np.int32), scores=scores, cycles=cycles
    )


def place_of(state: RecordState) -> int:
    """What `kernel.place_of` makes of a state, of one in plain Python."""
    found = int(mix(state.place() & MASK))
    if found:
        return found
    return int(hash_words(np.frombuffer(state.data, np.uint64))) | 1


def _sign(state: RecordState) -> int:
    """1 where the team of seat 0 is to move, else -1."""
    return 1 if state.teams[state.turn] == state.teams[0] else -1
