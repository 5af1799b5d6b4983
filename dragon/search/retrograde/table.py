"""Tables: the worth of every position of a game, asked, kept in a file and read again.

A `Table` lists positions by their places, in order; a `RankTable` has a code for each number that
the game's rule `rank` gives. Both are asked in the same way (`Asked`), and `read` reads either.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

from dragon import sealed
from dragon.bits import MASK, mix
from dragon.core import TERMINAL
from dragon.errors import GameError
from dragon.rules.evaluator import interpreted_of
from dragon.rules.layout import hash_words
from dragon.rules.record import RecordGame, RecordState, rules_of
from dragon.sealed import Kind, quickest, whole
from dragon.search.retrograde.kept import CHANGED, CHUNK, CODE, OLDER, identity
from dragon.search.retrograde.rank_kernel import DRAWN, LOST, NONE, SETTLED, WON

REMEDY = "make it again with --out"
LISTED = Kind("a table", 2, REMEDY, "listed", CHANGED, (b"PK\x03\x04",))
"""Its version grows with every change of what places, values or plies mean."""
NUMBERED = Kind("a table", 2, REMEDY, "by rank", CHANGED, (OLDER,))
"""Its version grows with every change of what codes mean."""
ARRAYS = ("places", "values", "plies")
UNPLACED = "its key is 0; give the game a rule `place` that joins the same positions everywhere"
"""The remedy where a position shares its place with none, though one before it was joined."""


@frozen
class Answer:
    """The worth of a position to the seat that moves there."""

    value: float
    """Payoff."""
    distance: int | None
    """Plies to the end, of a win as soon as possible, of a loss as late; else None."""
    moves: tuple[str, ...] = ()
    """All that are best."""


@frozen
class Worth:
    """The worth of a move to the seat that makes it."""

    value: float
    """Payoff."""
    distance: int | None
    """Plies to the end of the game, this move included; None for a draw, and with scores."""

    @property
    def promise(self) -> tuple[float, int]:
        """The order of moves: a win as soon as possible, a loss as late."""
        plies = self.distance or 0
        return self.value, -plies if self.value > 0 else plies


class Asked(ABC):
    """A table that can be asked: of each position it has an entry."""

    game: RecordGame
    first: bytes
    """The first record, from which it was made; empty for that of `game.start()`."""
    scores: bool
    """Whether games end in more ways than one win, draw and loss; distances do not count then."""
    cycles: Any
    """int: positions that are draws since neither side can be made to leave a cycle."""

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
        """Return the worth of a position, and its best moves.

        Raises GameError, or ConfigError where a file is damaged.
        """
        if state.turn == TERMINAL:
            raise GameError(f"the game is over in {state}, so the table has nothing on it")
        here = self._entry(state)
        if here is None:
            if not state.place():
                raise GameError(f"the table has nothing on {state}; {UNPLACED}")
            raise GameError(f"the start of {self.game} does not lead to {state}; ask another one")
        units, plies = here
        value = units * state.unit + _sign(state) * state.banked()
        found = self.ranked(state)
        best = found[0][1].promise
        moves = tuple(move for move, worth in found if worth.promise == best)
        return Answer(value, plies if value and not self.scores else None, moves)

    def ranked(self, state: RecordState) -> list[tuple[str, Worth]]:
        """Return each move with its worth to the seat that makes it, the best first.

        Equal moves keep the game's order. Raises GameError, or ConfigError where a file is damaged.
        """
        found = [(move, self._after(state, state.after(move))) for move in state.moves()]
        return sorted(found, key=lambda each: each[1].promise, reverse=True)

    def _after(self, state: RecordState, after: RecordState) -> Worth:
        """Return the worth of `after` to the seat that moves in `state`, one move earlier."""
        sign = _sign(state)
        if after.turn == TERMINAL:
            value, plies = sign * after.payoff()[0], 0
        else:
            entry = self._entry(after)
            if entry is None:
                remedy = "make it again" if after.place() else UNPLACED
                raise GameError(f"the table has nothing on {after}; {remedy}")
            units, plies = entry
            value = sign * (_sign(after) * units * state.unit + after.banked())
        return Worth(value, plies + 1 if value and not self.scores else None)

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
    """Whether games end in more ways than one win, draw and loss; distances do not count then."""
    cycles: int
    """Positions that are draws since neither side can be made to leave a cycle."""
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
        sealed.write(path, LISTED, str(self.game), identity(self.root, False), about, arrays)


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
        """Positions that are draws since neither side can be made to leave a cycle."""
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
        sealed.write(path, NUMBERED, str(self.game), rules, about, arrays)


def read(path: Path, state: RecordState) -> Table | RankTable:
    """Return the table in a file, of either kind; raise ConfigError for any other file.

    state: the first one of the game.
    """
    try:
        with open(path, "rb") as file:
            begin = file.read(64)
    except OSError as wrong:
        raise LISTED.unreadable(path, wrong) from wrong
    numbered = NUMBERED.title.encode() in begin or begin.startswith(NUMBERED.older)
    return _read_numbered(path, state) if numbered else _read_listed(path, state)


def _read_listed(path: Path, state: RecordState) -> Table:
    game, dtypes = state.game, dict.fromkeys(ARRAYS)
    about, arrays = sealed.read(path, LISTED, str(game), identity(state, False), dtypes)
    lengths = {len(column) for column in arrays.values()}
    scores, cycles = about.get("scores"), about.get("cycles")
    if len(lengths) != 1 or 0 in lengths or type(scores) is not bool or type(cycles) is not int:
        raise LISTED.error(path, "is damaged")
    return Table(game, scores=scores, cycles=cycles, first=state.data, **arrays)


def _read_numbered(path: Path, state: RecordState) -> RankTable:
    game, dtypes = state.game, {"codes": CODE}
    about, arrays = sealed.read(path, NUMBERED, str(game), identity(state, True), dtypes)
    codes, win = arrays["codes"], about.get("win")
    if len(codes) != state.rules.ranks or type(win) is not int:
        raise NUMBERED.error(path, "is damaged")
    return RankTable(game, codes, win, state.data)


def place_of(state: RecordState) -> int:
    """Return the place of a state as `kernel.place_of` makes it, in plain Python."""
    found = int(mix(state.place() & MASK))
    if found:
        return found
    return int(hash_words(np.frombuffer(state.data, np.uint64))) | 1


def _sign(state: RecordState) -> int:
    """1 where the team of seat 0 is to move, else -1."""
    return 1 if state.teams[state.turn] == state.teams[0] else -1


def text_of(root: RecordState, number: int) -> str:
    """The position of a number, or the number where there is none."""
    record = root.record
    if interpreted_of(root.rules).call("unrank", record, number) < 0:
        return f"number {number}"
    return str(RecordState(root.game, record.tobytes()))
