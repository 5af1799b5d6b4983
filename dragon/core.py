"""State, Move, Game, Search, Limit and Result: the vocabulary of every game and algorithm.

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
class Search(ABC):
    """An algorithm with its settings: a value. Working memory lives in the run.

    Authors write `improve`. A search that has something to keep from move to move of one
    game (a tree, a table) writes `carry_on` too.
    """

    name: ClassVar[str]
    needs: ClassVar[frozenset[Trait]] = frozenset()
    bars: ClassVar[frozenset[Trait]] = frozenset()
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

    @abstractmethod
    def improve(
        self, state: State[Any], limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """Ever better results for a state that is not terminal; may be closed at any yield.

        `rng` is consumed. At least one result comes, with a legal move, however tight
        the limit.
        """

    def carry_on(
        self, state: State[Any], limit: Limit, rng: np.random.Generator, memory: dict[str, Any]
    ) -> Iterator[Result]:
        """The same, with what the search has kept in `memory` of earlier moves of this game.

        The caller gives the same dict for every move of one seat in one game. By default
        nothing is kept.
        """
        return self.improve(state, limit, rng)

    def prepare(self, memory: dict[str, Any]) -> None:  # noqa: B027  most need not
        """Gets ready for the first move of a game, while no clock runs; by default nothing is done.

        For a search that has a process to start. Not everybody calls it: `carry_on` must do
        without.
        """

    def forget(self, memory: dict[str, Any]) -> None:
        """Clears what `carry_on` has kept in `memory`; the game is over."""
        memory.clear()

    def results(
        self,
        state: State[Any],
        limit: Limit | None = None,
        seed: int = 0,
        memory: dict[str, Any] | None = None,
    ) -> Iterator[Result]:
        """The stream of `improve`, or of `carry_on` where there is a memory, from a seed.

        A terminal state answers for itself. No search is shown what the seat to move
        cannot see.
        """
        import numpy as np

        if state.turn == TERMINAL:
            yield Result(value=state.payoff()[0], bound=Bound.EXACT)
            return
        if state.turn >= 0:
            state = state.seen(state.turn)
        rng = np.random.default_rng(seed)
        try:
            if memory is None:
                yield from self.improve(state, limit or Limit(), rng)
            else:
                yield from self.carry_on(state, limit or Limit(), rng, memory)
        except MemoryError as full:
            raise SearchError(f"{self}: there is not enough memory; take fewer megabytes") from full
        except RecursionError as deep:
            raise SearchError(
                f"{self}: the lines from {state} are too long for plain Python; limit the depth"
            ) from deep

    def best(
        self,
        state: State[Any],
        limit: Limit | None = None,
        seed: int = 0,
        memory: dict[str, Any] | None = None,
    ) -> Result:
        """The last of `results`: what the search claims when its limit is reached."""
        results = deque(self.results(state, limit, seed, memory), maxlen=1)
        if not results:
            raise SearchError(f"{self} ended without a result on {state}")
        return results[0]

    def objection(self, game: Game[Any]) -> str | None:
        """Why this search cannot play this game here, as a sentence; None if it can.

        It is asked before anything begins, and often: it looks at the game's parameters and
        at what this machine has (a program, a file), and searches nothing.
        """
        missing = sorted(str(t) for t in self.needs - game.traits)
        barred = sorted(str(t) for t in self.bars & game.traits)
        if barred == [str(Trait.HIDDEN)] and not missing:
            way = f"determinize(search={str(self)!r})"
            return f"{self} cannot bear hidden ({game}); {way} imagines what is hidden"
        if barred:
            return f"{self} cannot bear {' and '.join(barred)} ({game})"
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
        others = f"only of one in {' or '.join(known)}" if known else "nor of any other"
        return f"{self} takes no account of a limit in {' or '.join(idle)}, {others}"

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
