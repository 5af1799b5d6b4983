"""State, Move, Game, Search, Run, Limit and Result: the vocabulary of every game and algorithm.

A State is a node of a tree: its `turn` is a seat, CHANCE or TERMINAL. A Move is any
hashable whose `str` is its notation. A Search turns a State into a stream of ever
better Results; time limits, progress bars and live pages only consume that stream.
"""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from enum import Enum
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

import attrs
from attrs import field, frozen

from dragon.errors import Objection, SearchError

if TYPE_CHECKING:
    from typing import Self

    import numpy as np

CHANCE, TERMINAL = -1, -2


class Move(Hashable, Protocol):
    """Any hashable value whose `str` is its notation; most games use plain `str`."""

    def __str__(self) -> str: ...


M = TypeVar("M", bound=Hashable)


class Trait(Enum):
    """What an algorithm must know of a game before it starts.

    SOLO: one seat. DUEL: two teams, payoffs that sum to zero. CHANCE: some turns are
    decided by luck. HIDDEN: a seat does not see the whole state. COVER: a line is a
    cover of items by options. REPETITION: a position can recur within a game, but for a
    count of plies or a memory of positions that its state may have.
    """

    SOLO = "solo"
    DUEL = "duel"
    CHANCE = "chance"
    HIDDEN = "hidden"
    COVER = "cover"
    REPETITION = "repetition"

    def __str__(self) -> str:
        return self.value


class State(ABC, Generic[M]):
    """An immutable, hashable node of a game tree; equal states are transpositions.

    Four members are the author's: `turn`, `moves`, `after`, `payoff`. The rest have
    defaults. `str(state)` is the position's notation, and `game.parse` its inverse.
    """

    __slots__ = ()

    teams: ClassVar[tuple[int, ...]] = (0, 1)
    """The team of each seat; the same as the game's."""
    unit: ClassVar[float] = 1.0
    """Every payoff is a whole multiple of this."""
    largest: ClassVar[float] = 1.0
    """No payoff exceeds this in absolute value."""
    zero_sum: ClassVar[bool] = True
    """Whether two teams' payoffs are each other's negative; of no account with other numbers."""
    repeats: ClassVar[bool] = False
    """Whether the game has the trait REPETITION; tables then keep whole states, not `key`."""

    @property
    @abstractmethod
    def turn(self) -> int:
        """The seat to move, CHANCE or TERMINAL."""

    @abstractmethod
    def moves(self) -> Sequence[M]:
        """The legal moves in a fixed order; empty if and only if the state is terminal."""

    @abstractmethod
    def after(self, move: M) -> Self:
        """The state after `move`; this one is unchanged. Raises IllegalMove."""

    @abstractmethod
    def payoff(self) -> tuple[float, ...]:
        """What each seat gets; terminal states only."""

    def odds(self) -> Sequence[float]:
        """At a CHANCE state the probability of each of `moves()`; uniform by default."""
        n = len(self.moves())
        return (1 / n,) * n

    def seen(self, seat: int) -> Self:
        """The state as `seat` sees it: all of it, but in HIDDEN games (`dragon.Determinizable`)."""
        return self

    def evaluate(self, seat: int) -> float:
        """A guess in (-1, 1) of how well `seat` stands, at a horizon; 0 by default."""
        return 0.0

    def order(self, moves: Sequence[M]) -> Sequence[int] | None:
        """A score for each move, the most promising highest; None when there is no opinion."""
        return None

    def sample(self, random: Any) -> M:
        """A move at random, uniform by default; `random(n)` draws an integer from 0 to n - 1."""
        moves = self.moves()
        index: int = random(len(moves))
        return moves[index]

    def banked(self) -> float:
        """The part of seat 0's payoff that no further play can change; 0 by default."""
        return 0.0

    def bounds(self) -> tuple[float, float] | None:
        """The least and the most that seat 0 can still end with; None when that is not known."""
        return None

    def solved(self) -> tuple[float, int] | None:
        """What seat 0 ends with when both sides play best, and in how many plies, if that is known.

        Not asked of ends; 0 plies where only the payoff is known. None by default.
        """
        return None

    def distinct(self) -> Sequence[M]:
        """The moves, less those no better and no quicker than one that is kept; by default all."""
        return self.moves()

    def key(self) -> int:
        """64 bits that equal states share, for transposition tables.

        States whose key is 0 are not kept there.

        The default hashes the notation and is the same in every process, which
        Python's own `hash` of strings is not.
        """
        return int.from_bytes(blake2b(str(self).encode(), digest_size=8).digest(), "little")

    def code(self, move: M) -> int:
        """A small integer for `move`, the same in every process; indexes history tables."""
        return zlib.crc32(str(move).encode())


@frozen
class Game(ABC, Generic[M]):
    """A set of rules; its attrs fields are its parameters, its TOML and its identity.

    >>> import dragon
    >>> dragon.game("nim(pile=5)").start().moves()
    (1, 2, 3)
    """

    name: ClassVar[str]
    teams: ClassVar[tuple[int, ...]] = (0, 1)

    @property
    def traits(self) -> frozenset[Trait]:
        """What algorithms must know; from `teams` unless the game says more."""
        sides = len(set(self.teams))
        if len(self.teams) == 1:
            return frozenset({Trait.SOLO})
        return frozenset({Trait.DUEL}) if sides == 2 else frozenset()

    @abstractmethod
    def start(self, rng: int | np.random.Generator = 0) -> State[M]:
        """The first state; a seed or a Generator deals what is dealt."""

    @abstractmethod
    def parse(self, text: str) -> State[M]:
        """The state that `str` writes as `text`; raises BadNotation."""

    def __str__(self) -> str:
        return spec_of(self)


def _positive(instance: object, attribute: attrs.Attribute[Any], value: float | None) -> None:
    if value is not None and not (isinstance(value, int | float) and value > 0):
        raise ValueError(f"{attribute.name} must be a positive number, not {value!r}")


def _count(instance: object, attribute: attrs.Attribute[Any], value: int | None) -> None:
    if value is not None and not (isinstance(value, int) and value > 0):
        raise ValueError(f"{attribute.name} must be a positive whole number, not {value!r}")


@frozen(repr=False)
class Limit:
    """When a search must stop, whichever comes first; without any, when it has proven its value.

    >>> Limit(depth=6)
    Limit(depth=6)
    """

    seconds: float | None = field(default=None, validator=_positive)
    """Wall-clock seconds of the search itself."""
    nodes: int | None = field(default=None, validator=_count)
    """States visited."""
    depth: int | None = field(default=None, validator=_count)
    """Plies looked ahead."""
    simulations: int | None = field(default=None, validator=_count)
    """Simulations or samples."""

    def __repr__(self) -> str:
        shown = ((a.name, getattr(self, a.name)) for a in attrs.fields(type(self)))
        return f"Limit({', '.join(f'{k}={v}' for k, v in shown if v is not None)})"

    def __bool__(self) -> bool:
        return self != Limit()


class Bound(Enum):
    """How a value relates to the truth."""

    EXACT = "="
    LOWER = ">="
    UPPER = "<="
    ESTIMATE = "~"

    def __str__(self) -> str:
        return self.value


@frozen
class Result:
    """What a search claims.

    `value` is in payoff units, for the seat to move at the root (seat 0 at a CHANCE
    root). `line` is the principal variation. `error` is a standard error, 0 where none
    applies. `seconds` counts the search alone: no reading, importing or compiling.
    """

    value: float
    bound: Bound = Bound.ESTIMATE
    line: tuple[Any, ...] = ()
    error: float = 0.0
    nodes: int = 0
    seconds: float = 0.0
    extra: dict[str, Any] = field(factory=dict, eq=False)

    @property
    def move(self) -> Any:
        """The first move of the line, or None where there is none to make."""
        return self.line[0] if self.line else None


@frozen
class Position:
    """What a search is asked about: a state, and how its game came to it, where that is known.

    Most searches need the state alone. One that keeps a board elsewhere, as a program at the
    other end of a pipe does, must be told what was played.
    """

    state: State[Any]
    start: State[Any] | None = None
    """Where the game began; None where nobody knows, or where something is hidden."""
    moves: tuple[str, ...] = ()
    """What all seats, and chance, have played since `start`, in the game's notation."""
    remaining: float | None = None
    """Seconds on the clock of the seat to move; None where it has none."""
    left: int | None = None
    """For how many more of its moves these are; None: for all."""

    def seen(self) -> Position:
        """The position as the seat to move sees it."""
        if self.state.turn < 0:
            return self
        seen = self.state.seen(self.state.turn)
        if seen is self.state:
            return self
        return Position(seen, remaining=self.remaining, left=self.left)


class Run:
    """What a search keeps from move to move of one seat in one game; a context, which frees it.

    The default keeps nothing. Authors of others write `improve`, and `close` where there is
    something to free.
    """

    def __init__(self, search: Search, game: Game[Any] | None = None) -> None:
        self.search, self.game = search, game

    def improve(
        self, position: Position, limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """As `Search.improve`, of a position and with what was kept of earlier ones."""
        return self.search.improve(position.state, limit, rng)

    def close(self) -> None:
        """Frees what was kept; the game is over."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def results(
        self,
        position: Position,
        limit: Limit | None = None,
        rng: int | np.random.Generator = 0,
    ) -> Iterator[Result]:
        """The stream of `improve`, from a seed or a Generator.

        A terminal state answers for itself. No search is shown what the seat to move cannot
        see. Raises SearchError where memory or Python's stack does not suffice.
        """
        import numpy as np

        if position.state.turn == TERMINAL:
            yield Result(value=position.state.payoff()[0], bound=Bound.EXACT)
            return
        position = position.seen()
        try:
            yield from self.improve(position, limit or Limit(), np.random.default_rng(rng))
        except MemoryError as full:
            raise SearchError(
                f"{self.search}: there is not enough memory; take fewer megabytes"
            ) from full
        except RecursionError as deep:
            raise SearchError(
                f"{self.search}: the lines from {position.state} are too long for plain Python; "
                f"limit the depth"
            ) from deep

    def best(
        self,
        position: Position,
        limit: Limit | None = None,
        rng: int | np.random.Generator = 0,
    ) -> Result:
        """The last of `results`: what the search claims when its limit is reached."""
        last = deque(self.results(position, limit, rng), maxlen=1)
        if not last:
            raise SearchError(f"{self.search} ended without a result on {position.state}")
        return last[0]


@frozen
class Search:
    """An algorithm with its settings: a value. What it keeps while it plays lives in a Run.

    Authors write `improve`, or, where something is kept from move to move of a game (a tree, a
    table, a process), `open`.
    """

    name: ClassVar[str]
    needs: ClassVar[frozenset[Trait]] = frozenset()
    excludes: ClassVar[frozenset[Trait]] = frozenset()
    proves: ClassVar[bool] = True
    """Whether, given time, its value becomes exact; one that cannot has a default budget."""
    values: ClassVar[bool] = True
    """Whether its values tell what it expects; those of one that only gives moves are always 0."""
    limits: ClassVar[frozenset[str]] = frozenset({"seconds", "nodes", "depth", "simulations"})
    """The bounds of a Limit of which it takes account; others change nothing."""

    @property
    def deterministic(self) -> bool:
        """Whether it does the same for every seed, under the same limit but for seconds."""
        return False

    def improve(
        self, state: State[Any], limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """Ever better results for a state that is not terminal; may be closed at any yield.

        `rng` is consumed. At least one result comes, with a legal move, however tight
        the limit.
        """
        raise TypeError(f"{type(self).__name__} has neither `improve` nor an `open` of its own")

    def open(self, game: Game[Any] | None = None) -> Run:
        """What plays one seat of one game, ready for its first move; the caller closes it.

        No clock runs yet, so a search that has a process to start does it here. `game` may be
        missing where a single state is searched.
        """
        return Run(self, game)

    def results(
        self, state: State[Any], limit: Limit | None = None, seed: int = 0
    ) -> Iterator[Result]:
        """The results of a run for this state alone."""
        with self.open() as run:
            yield from run.results(Position(state), limit, seed)

    def best(self, state: State[Any], limit: Limit | None = None, seed: int = 0) -> Result:
        """The last of `results`: what the search claims when its limit is reached."""
        with self.open() as run:
            return run.best(Position(state), limit, seed)

    def objection(self, game: Game[Any]) -> str | None:
        """Why this search cannot play this game here, as a sentence; None if it can.

        It is asked before anything begins, and often: it looks at the game's parameters and
        at what this machine has (a program, a file), and searches nothing.
        """
        missing = sorted(str(t) for t in self.needs - game.traits)
        excluded = sorted(str(t) for t in self.excludes & game.traits)
        if excluded == [str(Trait.HIDDEN)] and not missing:
            way = f"determinize(search={str(self)!r})"
            return f"{self} does not support hidden information ({game}); wrap it in {way}"
        if excluded:
            return f"{self} does not support {' and '.join(excluded)} ({game})"
        if missing:
            return f"{self} needs {' and '.join(missing)} ({game} has none)"
        return None

    def caveat(self, limit: Limit) -> str | None:
        """Which bounds of `limit` change nothing, as a sentence; None if all of them count."""
        given = [a.name for a in attrs.fields(Limit) if getattr(limit, a.name) is not None]
        idle = [name for name in given if name not in self.limits]
        if not idle:
            return None
        known = [a.name for a in attrs.fields(Limit) if a.name in self.limits]
        others = f"but not one in {' or '.join(known)}" if known else "and any other"
        return f"{self} ignores a limit in {' or '.join(idle)}, {others}"

    def check(self, game: Game[Any]) -> None:
        """Raises Objection if this search cannot play `game`."""
        if sentence := self.objection(game):
            raise Objection(sentence)

    def __str__(self) -> str:
        return spec_of(self)


def spec_of(value: Game[Any] | Search) -> str:
    """The call form of a game or search: its name and the parameters that are not defaults.

    A field goes by its alias, which attrs makes of `_rules` as `rules`.

    >>> import dragon
    >>> str(dragon.search("alphabeta(depth=6)"))
    'alphabeta(depth=6)'
    """
    shown = []
    for a in attrs.fields(type(value)):
        given = getattr(value, a.name)
        if given != a.default:
            given = str(given) if isinstance(given, Search) else given
            text = str(given).lower() if isinstance(given, bool) else repr(given)
            shown.append(f"{a.alias}={text}")
    return f"{value.name}({', '.join(shown)})" if shown else value.name
