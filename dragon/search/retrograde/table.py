"""A table: the worth of every position of a game, asked, kept in a file and read again."""

from __future__ import annotations

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
from dragon.rules.layout import hash_words
from dragon.rules.record import RecordGame, RecordState, rules_of
from dragon.sealed import Kind, quickest, whole
from dragon.search.retrograde.kept import CHANGED, CHUNK, CODE, OLDER, identity
from dragon.search.retrograde.positions import DRAWN, LOST, NONE, SETTLED, WON

REMEDY = "make it again with --out"
LISTED = Kind("a table", 2, REMEDY, "listed", CHANGED, (b"PK\x03\x04",))
"""The version grows with every change of what places, values or plies mean."""
NUMBERED = Kind("a table", 2, REMEDY, "by rank", CHANGED, (OLDER,))
"""The version grows with every change of what codes mean."""
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


@frozen(eq=False)
class Table:
    """The worth of all positions of a game, by their numbers: the game's own, or those of a list.

    A listed table has places in order, with values and plies, where the number of a position is
    found by its place; else each number that the rule `rank` gives has a code, those included that
    no game comes to. Arrays may be columns of a file, which are checked as they are read.
    """

    game: RecordGame
    _codes: Any = None
    """uint16[ranks], see `positions`; None of a list."""
    _places: Any = None
    _values: Any = None
    _plies: Any = None
    win: int = 0
    """Units of a decisive end, for codes."""
    scores: bool = False
    """Whether games end in more ways than one win, draw and loss; distances do not count then."""
    _cycles: int = 0
    first: bytes = b""
    """The first record, from which it was made; empty for that of `game.start()`."""

    @property
    def listed(self) -> bool:
        """True if positions are found by their places."""
        return self._places is not None

    @property
    def codes(self) -> Any:
        """uint16[ranks]; those of a file are all checked. Raises ConfigError."""
        return whole(self._codes)

    @property
    def places(self) -> Any:
        """uint64[n], rising; see `positions.place_of`. All of a file is checked: ConfigError."""
        return whole(self._places)

    @property
    def values(self) -> Any:
        """Integers[n], units still to come for the seat that moves."""
        return whole(self._values)

    @property
    def plies(self) -> Any:
        """Integers[n], plies to the end; of draws 0, where there are no scores."""
        return whole(self._plies)

    @property
    def root(self) -> RecordState:
        """The state from which it was made."""
        return RecordState(self.game, self.first or rules_of(self.game).first)

    # ---- counts

    @cached_property
    def _counted(self) -> Any:
        """int64[2**16]: how many positions have each code."""
        found, codes = np.zeros(1 << 16, np.int64), self.codes
        for at in range(0, len(codes), CHUNK):
            found += np.bincount(codes[at : at + CHUNK], minlength=1 << 16)
        return found

    def __len__(self) -> int:
        """Positions where the game is not over."""
        if self.listed:
            return len(self._places)
        over = int(self._counted[SETTLED : SETTLED + 4].sum())
        return len(self._codes) - over - int(self._counted[NONE])

    @cached_property
    def won_drawn_lost(self) -> tuple[int, int, int]:
        """Positions by what the mover gets; with scores, of what is still to come."""
        if self.listed:
            won, drawn, lost = (int((np.sign(self.values) == sign).sum()) for sign in (1, 0, -1))
            return won, drawn, lost
        won, drawn, lost = (int(self._counted[SETTLED + 4 + each : NONE : 4].sum())
                            for each in (WON, DRAWN, LOST))  # fmt: skip
        return won, drawn + self.cycles, lost

    @property
    def cycles(self) -> int:
        """Positions that are draws since neither side can be made to leave a cycle."""
        return self._cycles if self.listed else int(self._counted[:SETTLED].sum())

    @property
    def longest(self) -> int:
        """Plies of the longest win or loss; with scores, of the longest game."""
        if self.listed:
            return int(self.plies.max())
        held = np.flatnonzero(self._counted[SETTLED:NONE]).tolist()
        return max((each for each in held if each & 3 != DRAWN), default=0) >> 2

    # ---- positions

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

    def _entry(self, state: RecordState) -> tuple[int, int] | None:
        """Units still to come for the seat that moves, and plies to the end, of draws 0."""
        if not self.listed:
            code = int(self._codes[state.rank()])
            if code == NONE:
                return None
            units = self.win * ((code & 3) - DRAWN) if code >= SETTLED else 0
            return units, (code & SETTLED - 1) >> 2 if units else 0
        place = np.uint64(place_of(state))
        places = quickest(self._places)
        at = bisect_left(places, place)
        if at == len(places) or places[at] != place:
            return None
        return int(self._values[at]), int(self._plies[at])

    # ---- files

    def write(self, path: Path) -> None:
        """Write the table into a file, which is there as a whole or not at all; raises OSError."""
        kind = LISTED if self.listed else NUMBERED
        if self.listed:
            least = -int(np.abs(self.values).max()) - 1
            about = {"scores": self.scores, "cycles": self.cycles}
            arrays = {
                "places": self.places,
                "values": self.values.astype(np.min_scalar_type(least)),
                "plies": self.plies.astype(np.min_scalar_type(self.longest)),
            }
        else:
            about, arrays = {"win": self.win}, {"codes": self.codes}
        rules = identity(self.root, not self.listed)
        sealed.write(path, kind, str(self.game), rules, about, arrays)


def read(path: Path, state: RecordState) -> Table:
    """Return the table in a file, of either form; raise ConfigError for any other file.

    state: the first one of the game.
    """
    try:
        with open(path, "rb") as file:
            begin = file.read(64)
    except OSError as wrong:
        raise LISTED.unreadable(path, wrong) from wrong
    numbered = NUMBERED.title.encode() in begin or begin.startswith(NUMBERED.older)
    kind, dtypes = (NUMBERED, {"codes": CODE}) if numbered else (LISTED, dict.fromkeys(ARRAYS))
    rules = identity(state, numbered)
    about, arrays = sealed.read(path, kind, str(state.game), rules, dtypes)
    lengths = {len(column) for column in arrays.values()}
    kinds = {"win": int} if numbered else {"scores": bool, "cycles": int}
    right = lengths == {state.rules.ranks} if numbered else len(lengths) == 1 and 0 not in lengths
    if not right or any(type(about.get(name)) is not each for name, each in kinds.items()):
        raise kind.error(path, "is damaged")
    held: dict[str, Any] = {**arrays, **{name: about[name] for name in kinds}}
    return Table(state.game, first=state.data, **held)


def place_of(state: RecordState) -> int:
    """Return the place of a state as `positions.place_of` makes it, in plain Python."""
    found = int(mix(state.place() & MASK))
    if found:
        return found
    return int(hash_words(np.frombuffer(state.data, np.uint64))) | 1


def _sign(state: RecordState) -> int:
    """1 where the team of seat 0 is to move, else -1."""
    return 1 if state.teams[state.turn] == state.teams[0] else -1
