"""Table: what every position of a game is worth, to be asked, kept in a file and read again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

from dragon import sealed
from dragon.bits import MASK, mix
from dragon.core import TERMINAL
from dragon.errors import GameError
from dragon.rules.layout import hash_words
from dragon.rules.record import RecordGame, RecordState, rules_of
from dragon.sealed import Kind, quickest, whole
from dragon.search.retrograde.kept import CHANGED, identity

REMEDY = "make it again with --out"
KIND = Kind("a table", 2, REMEDY, "listed", CHANGED, (b"PK\x03\x04",))
"""Its version grows with every change of what places, values or plies mean."""
ARRAYS = ("places", "values", "plies")
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


@frozen
class Weighed:
    """A move, and its value to the seat that makes it."""

    move: Any
    value: float
    """Payoff."""
    distance: int | None
    """Plies to the end, this one included; None of a draw, and where scores count."""

    @property
    def order(self) -> tuple[float, int]:
        """The greater, the better; the same for moves that are equally good."""
        plies = self.distance or 0
        return self.value, -plies if self.value > 0 else plies


class Asked(ABC):
    """A table that can be asked: of each position it has an entry."""

    game: RecordGame
    first: bytes
    """The first record, from which it was made; empty for that of `game.start()`."""
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

    @property
    def root(self) -> RecordState:
        """The state from which it was made."""
        return RecordState(self.game, self.first or rules_of(self.game).first)

    @abstractmethod
    def write(self, path: Path) -> None:
        """Write the table into a file, which is there as a whole or not at all; raises OSError."""

    def ask(self, state: RecordState) -> Answer:
        """Return the value of a position, and its best moves; raises as `weigh` does."""
        found = self.weigh(state)
        best = found[0]
        moves = tuple(each.move for each in found if each.order == best.order)
        units, plies = self._known(state)
        value = units * state.unit + _sign(state) * state.banked()
        return Answer(value, plies if units and not self.scores else None, moves)

    def weigh(self, state: RecordState) -> list[Weighed]:
        """Return each move with its value, the best first: the quickest win, the latest loss.

        Raises GameError for a position that is over or not in the table, and ConfigError where a
        file is damaged.
        """
        if state.turn == TERMINAL:
            raise GameError(f"the game is over in {state}, so the table has nothing on it")
        self._known(state)
        return sorted(self._after(state), key=lambda each: each.order, reverse=True)

    def _known(self, state: RecordState) -> tuple[int, int]:
        """Return `_entry` of a position; raises GameError where there is none."""
        if (entry := self._entry(state)) is not None:
            return entry
        if not state.place():
            raise GameError(f"the table has nothing on {state}; {UNPLACED}")
        raise GameError(f"the start of {self.game} does not lead to {state}; ask another one")

    def _after(self, state: RecordState) -> Iterator[Weighed]:
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
            yield Weighed(move, value, plies + 1 if value and not self.scores else None)

    @abstractmethod
    def _entry(self, state: RecordState) -> tuple[int, int] | None:
        """Units still to come for the seat that moves, and plies to the end, of draws 0."""


@frozen(eq=False)
class Table(Asked):
    """The worth of n positions, by place: three arrays, or columns of a file."""

    game: RecordGame
    _places: Any
    _values: Any
    _plies: Any
    scores: bool
    """Whether games end in more ways than one win, draw and loss; then nobody hurries."""
    cycles: int
    """Positions that are draws because nobody is made to leave a cycle."""
    first: bytes = b""

    def __len__(self) -> int:
        return len(self._places)

    @property
    def places(self) -> Any:
        """uint64[n], rising; see `kernel.place_of`. What is in a file is checked: ConfigError."""
        return whole(self._places)

    @property
    def values(self) -> Any:
        """Integers[n], units still to come for the seat that moves."""
        return whole(self._values)

    @property
    def plies(self) -> Any:
        """Integers[n], plies to the end; of draws 0, where there are no scores."""
        return whole(self._plies)

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
        places = quickest(self._places)
        at = bisect_left(places, place)
        if at == len(places) or places[at] != place:
            return None
        return int(self._values[at]), int(self._plies[at])

    def write(self, path: Path) -> None:
        least = -int(np.abs(self.values).max()) - 1
        arrays = {
            "places": self.places,
            "values": self.values.astype(np.min_scalar_type(least)),
            "plies": self.plies.astype(np.min_scalar_type(self.longest)),
        }
        about = {"scores": self.scores, "cycles": self.cycles}
        sealed.write(path, KIND, str(self.game), identity(self.root, False), about, arrays)


def read(path: Path, game: RecordGame, first: bytes = b"") -> Table:
    """Return the table of a game in a file; raises ConfigError for any other file.

    first: the first record, that of `game.start()` if not given.
    """
    root, dtypes = RecordState(game, first or rules_of(game).first), dict.fromkeys(ARRAYS)
    about, arrays = sealed.read(path, KIND, str(game), identity(root, False), dtypes)
    lengths = {len(column) for column in arrays.values()}
    scores, cycles = about.get("scores"), about.get("cycles")
    if len(lengths) != 1 or 0 in lengths or type(scores) is not bool or type(cycles) is not int:
        raise KIND.error(path, "is damaged")
    return Table(game, scores=scores, cycles=cycles, first=root.data, **arrays)


def place_of(state: RecordState) -> int:
    """What `kernel.place_of` makes of a state, of one in plain Python."""
    found = int(mix(state.place() & MASK))
    if found:
        return found
    return int(hash_words(np.frombuffer(state.data, np.uint64))) | 1


def _sign(state: RecordState) -> int:
    """1 where the team of seat 0 is to move, else -1."""
    return 1 if state.teams[state.turn] == state.teams[0] else -1
