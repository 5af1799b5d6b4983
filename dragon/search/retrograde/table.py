"""A table: the value of every position of a game, in memory and in a file."""

from __future__ import annotations

import os
import re
import zlib
from bisect import bisect_left
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from attrs import frozen

from dragon import sealed
from dragon.bits import MASK, mix
from dragon.compiler.fingerprint import identity as identity_of
from dragon.core import TERMINAL, Game, Trait
from dragon.errors import GameError, SearchError, cannot_write
from dragon.files import data_folder, draft_of, remove_lost
from dragon.moved import missing
from dragon.rules.layout import hash_words
from dragon.rules.record import RecordGame, RecordState, rules_of
from dragon.sealed import Kind, quickest, whole
from dragon.search.retrograde.positions import DRAWN, LOST, NONE, SETTLED, WON

UNFINISHED, WORKING = ".unfinished", ".working"
CODE = np.dtype("<u2")
CHUNK = 1 << 24
"""Items that are copied or counted at a time."""
Arrays: TypeAlias = dict[str, Any]
"""One-dimensional arrays of numbers or records, by name."""
OLDER = b'{"format": "dragon arrays 1"'
"""The first bytes of tables by rank and checkpoints of former versions."""
CHANGED = "other rules, or from another first position,"
AFRESH, AGAIN = "remove it, and the table is made from the start", "make it again with --out"
CHECKPOINT = {
    True: Kind("a checkpoint", 4, AFRESH, "listed", CHANGED, (OLDER,)),
    False: Kind("a checkpoint", 2, AFRESH, "by rank", CHANGED, (OLDER,)),
}
"""The kinds of checkpoints, of lists of positions and of tables by rank."""
TABLE = {
    True: Kind("a table", 2, AGAIN, "listed", CHANGED, (b"PK\x03\x04",)),
    False: Kind("a table", 2, AGAIN, "by rank", CHANGED, (OLDER,)),
}
"""The kinds of tables. A version grows with every change of what places, values, plies or codes
mean."""


def identity(state: RecordState, by_rank: bool) -> str:
    """Return a hash of all that a table depends on: rules, layout, numbers, the first record.

    Rules that only help a search, such as `evaluate`, are not a part of it.
    """
    rules = state.rules
    names = {"moves", "play", "turn", "payoff", "banked"}
    names |= {"rank", "unrank", "before"} if by_rank else {"place", "key"}
    counted = (rules.width, rules.plies, int(rules.ranks) if by_rank else 0, rules.largest)
    kind = sorted(str(each) for each in rules.traits if isinstance(each, Trait))
    about = (state.data, rules.layout, rules.teams, float(rules.unit), counted, kind, by_rank)
    given = {name: function for name, function in rules.named().items() if name in names}
    return identity_of(about, sorted(given.items()))


def save(
    kept: Path, state: RecordState, listed: bool, about: dict[str, Any], arrays: Arrays
) -> None:
    """Write the checkpoint of the table that `kept` will be; raises ConfigError."""
    path = beside(kept, UNFINISHED)
    try:
        rules = identity(state, not listed)
        sealed.write(path, CHECKPOINT[listed], str(state.game), rules, about, arrays, sync=True)
    except OSError as wrong:
        instead = "make room, the last checkpoint is still there, or "
        raise cannot_write(path, wrong, instead) from wrong


def saved(
    kept: Path, state: RecordState, listed: bool, dtypes: dict[str, Any]
) -> tuple[dict[str, Any], Arrays] | None:
    """Return the head and arrays of the checkpoint beside `kept`, None if there is none.

    Drafts that killed processes have left there are removed. Raises ConfigError for a checkpoint
    of another game or kind, of other rules, of an older format, or that is damaged.
    """
    path = beside(kept, UNFINISHED)
    for each in (kept, path, beside(kept, WORKING)):
        remove_lost(each)
    if not os.path.lexists(path):
        return None
    rules = identity(state, not listed)
    about, columns = sealed.read(path, CHECKPOINT[listed], str(state.game), rules, dtypes)
    return about, {name: column.whole() for name, column in columns.items()}


def kept_file(game: Game[Any]) -> Path:
    """Return the path of a game's kept table, in `tables` in the user's data folder."""
    name = re.sub(r"[^a-z0-9]+", "-", str(game).lower()).strip("-")[:60]
    return data_folder() / "tables" / f"{name}-{zlib.crc32(str(game).encode()):08x}.table"


def beside(kept: Path, ending: str) -> Path:
    """Return the path of the file beside a table with this ending."""
    return kept.with_name(kept.name + ending)


def clear(kept: Path) -> None:
    """Remove the checkpoint of a finished table."""
    beside(kept, UNFINISHED).unlink(missing_ok=True)


def codes_for(state: RecordState, megabytes: float, kept: Path | None) -> Any:
    """Return uint16[ranks] of zeros, in memory, or in a file beside `kept` if they do not fit.

    Raises SearchError if there is no `kept` or the disk is full.
    """
    n, label = int(state.rules.ranks), state.rules.label
    taken = n * CODE.itemsize / 1e6
    try:
        if taken <= megabytes:
            return np.zeros(n, CODE)
        if kept is None:
            raise SearchError(
                f"{label} has {n:,} numbers, whose codes take {taken:,.0f} and not "
                f"{megabytes:,.0f} megabytes; give it more by --megabytes, or a file by --out, "
                "beside which codes can lie"
            )
        return _on_disk(beside(kept, WORKING), n)
    except MemoryError:
        raise SearchError(
            f"this machine does not give {megabytes:,.0f} megabytes; ask for less"
        ) from None
    except OSError as wrong:
        path = beside(kept, WORKING) if kept else Path(label)
        raise cannot_write(path, wrong) from wrong


def _on_disk(path: Path, n: int) -> Any:
    """Return uint16[n] of zeros in a file without a name, which the system deletes after use.

    Its space is reserved at once: a disk that fills up later would end the process.
    """
    draft = draft_of(path)
    try:
        with draft.open("xb") as file:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, n * CODE.itemsize)
            else:
                file.truncate(n * CODE.itemsize)
        return np.memmap(draft, CODE, "r+", shape=(n,))
    finally:
        with suppress(OSError):  # Windows keeps a file that is in use
            draft.unlink()


ARRAYS = ("places", "values", "plies")
UNPLACED = "its key is 0; give the game a rule `place` that joins the same positions everywhere"
"""The remedy where a position shares its place with none, though one before it was joined."""


@frozen
class Answer:
    """The worth of a position to the seat that moves there."""

    value: float
    """Payoff."""
    distance: int | None
    """Plies to the end with the fastest win or the slowest loss; else None."""
    moves: tuple[str, ...] = ()
    """All best moves."""


@frozen
class Worth:
    """The worth of a move to the seat that makes it."""

    value: float
    """Payoff."""
    distance: int | None
    """Plies to the end of the game, this move included; None for a draw, and with scores."""

    @property
    def promise(self) -> tuple[float, int]:
        """Return the sort key of moves: fast wins first, slow losses before fast ones."""
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
    """True if games end in more ways than one win, draw and loss; distances do not count then."""
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
        """Positions that are draws by a cycle that neither side can be forced to leave."""
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
        sealed.write(path, TABLE[self.listed], str(self.game), rules, about, arrays)


def read(path: Path, state: RecordState) -> Table:
    """Return the table in a file, of either form; raise ConfigError for any other file.

    state: the first one of the game.
    """
    try:
        with open(path, "rb") as file:
            begin = file.read(64)
    except OSError as wrong:
        raise TABLE[True].unreadable(path, wrong) from wrong
    kind, dtypes = TABLE[False], dict[str, Any](codes=CODE)
    numbered = kind.title.encode() in begin or begin.startswith(kind.older)
    if not numbered:
        kind, dtypes = TABLE[True], dict.fromkeys(ARRAYS)
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


def __getattr__(name: str) -> Any:
    raise missing(__name__, name)
