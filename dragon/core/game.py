"""Game, State, Move and Trait: rules as searches see them, a tree of positions.

A State is a node of a tree: its `turn` is a seat, CHANCE or TERMINAL. A Move is any hashable
whose `str` is its notation.
"""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from enum import Enum
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from attrs import frozen

from dragon.core.spec import Named
from dragon.errors import BadNotation, PluginError

if TYPE_CHECKING:
    from typing import Self

    import numpy as np

    from dragon.core.offers import Clicks, Transcript

CHANCE, TERMINAL = -1, -2


class Move(Hashable, Protocol):
    """Any hashable value whose `str` is its notation; most games use plain `str`."""

    def __str__(self) -> str: ...


M = TypeVar("M", bound=Hashable)


class Trait(Enum):
    """The properties of a game that decide which algorithms suit it.

    SOLO: one seat. DUEL: two teams, payoffs that sum to zero. CHANCE: some turns are
    decided by chance. HIDDEN: a seat does not see the whole state. COVER: a line is a
    cover of items by options. REPETITION: a position can recur within a game, except for a
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

    Four members are the author's: `turn`, `moves`, `after`, `payoff`. The rest have defaults, and
    say who asks for them. `str(state)` is the position's notation, and `game.parse` its inverse.
    """

    __slots__ = ()

    teams: ClassVar[tuple[int, ...]] = (0, 1)
    """The team of each seat; the same as the game's. Asked by every search for two sides."""
    unit: ClassVar[float] = 1.0
    """Every payoff is a whole multiple of this. Asked by searches that count in units."""
    largest: ClassVar[float] = 1.0
    """No payoff exceeds this in absolute value. Asked by searches that scale or bound values."""
    zero_sum: ClassVar[bool] = True
    """Whether two teams' payoffs are each other's negative. Asked by searches for two sides."""
    repeats: ClassVar[bool] = False
    """Whether the game has the trait REPETITION. Asked by tables, which then keep whole states."""
    conceals: ClassVar[bool] = False
    """Whether a seat may not see the whole state; true of every `dragon.Determinizable`. Asked by
    searches of a state that does not know its game."""

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

    def successors(self) -> Iterator[Self]:
        """The state after each of `moves()`, in their order; by `after`, unless that can be saved.

        Asked by `exhaustive`.
        """
        return map(self.after, self.moves())

    @abstractmethod
    def payoff(self) -> tuple[float, ...]:
        """The payoff of each seat; terminal states only."""

    @property
    def game(self) -> Game[M] | None:
        """The game of which this is a state; None where states do not know it, as by default.

        Asked by every search that begins, which may object to it, and by tables, which are of one.
        """
        return None

    def odds(self) -> Sequence[float]:
        """The probability of each of `moves()` at a CHANCE state; uniform by default.

        Asked by `exhaustive`, playouts and the referee of matches.
        """
        n = len(self.moves())
        return (1 / n,) * n

    def seen(self, seat: int) -> Self:
        """The state as `seat` sees it: all of it, but in HIDDEN games (`dragon.Determinizable`).

        Asked by every run before it searches, and whatever shows a position to one seat.
        """
        return self

    def determinize(self, rng: np.random.Generator) -> Self:
        """A world at random for the seat to move; the state itself where nothing is hidden.

        Asked by `determinize` and laws; see `dragon.Determinizable`.
        """
        return self

    def opened(self) -> State[Any]:
        """The state with nothing hidden, for searches that look at all; itself by default.

        A game by Rules gives the RecordState that its kernels work on. Asked by `determinize`.
        """
        return self

    def evaluate(self, seat: int) -> float:
        """A guess in (-1, 1) of how well `seat` stands; 0 by default.

        Asked by `negamax`, `alphabeta`, `exhaustive` and `greedy` at their horizon.
        """
        return 0.0

    def order(self, moves: Sequence[M]) -> Sequence[int] | None:
        """A whole number for each move, the most promising highest; None: no opinion.

        Asked by `alphabeta`, `dfpn`, and `mcts` by "puct".
        """
        return None

    def prior(self, moves: Sequence[M]) -> Sequence[float] | None:
        """A number above 0 for each move, how often it is expected to be the best, compared with
        the others; None: as follows from `order`.

        Asked by `mcts` by "puct".
        """
        return None

    def noisy(self) -> Sequence[M] | None:
        """The moves after which an evaluation would be another (captures, say), none by default;
        None: no evaluation can be trusted here (a check), so that all moves are looked at.

        Asked by `alphabeta` beyond its horizon, where there is an `evaluate`.
        """
        return ()

    def skipped(self) -> State[M] | None:
        """The state after a pass of the seat to move, where some move is better than that; None, as
        by default, where passing may be best (in check, or in zugzwang). It need not be legal.

        Asked by `alphabeta`, where there is an `evaluate`.
        """
        return None

    def sample(self, random: Any) -> M:
        """A move at random, uniform by default; `random(n)` draws an integer from 0 to n - 1.

        Of a game's own, every legal move should come at times, and at a CHANCE state each as often
        as `odds` says.

        Asked by playouts: `mcts` and `montecarlo`.
        """
        moves = self.moves()
        index: int = random(len(moves))
        return moves[index]

    def finished(self, random: Any) -> tuple[State[M], int] | None:
        """The end of a random game from here, reached in one step, and in how many plies.

        `random(n)` draws an integer from 0 to n - 1. Payoffs must come as often as move by move.
        None, as by default: games are played move by move. Not asked where the game is over.

        Asked by playouts at random: `mcts` and `montecarlo`.
        """
        return None

    def banked(self) -> float:
        """The part of seat 0's payoff that no further play can change; 0 by default.

        Asked by `alphabeta` and `dfpn`, and searches for paths in games by Rules.
        """
        return 0.0

    def bounds(self) -> tuple[float, float] | None:
        """The least and the most that seat 0 can still end with; None: not known.

        Asked by `alphabeta` and `dfpn`, and searches for paths in games by Rules.
        """
        return None

    def solved(self) -> tuple[float, int] | None:
        """The payoff of seat 0 if all play best, and in how many plies (0: not known), or None.

        Asked by `alphabeta`, `dfpn` and `mcts` where their setting `solved` is on; never at ends.
        """
        return None

    def distinct(self) -> Sequence[M]:
        """The moves, less those no better and no quicker than one that is kept; all by default.

        Asked by `alphabeta`, `dfpn` and `mcts`.
        """
        return self.moves()

    def key(self) -> int:
        """64 bits that equal states share: a hash of the notation, the same in every process.

        Asked by transposition tables, which do not keep a state whose key is 0.
        """
        return int.from_bytes(blake2b(str(self).encode(), digest_size=8).digest(), "little")

    def place(self) -> int:
        """64 bits that states share which differ only in what it took to come there; the key.

        Asked by `astar`, `beam`, `breadth` and `idastar`.
        """
        return self.key()

    def code(self, move: M) -> int:
        """A small integer for `move`, the same in every process: a hash of its notation.

        Asked by history tables, and tables of AMAF values.
        """
        return zlib.crc32(str(move).encode())

    def picture(self) -> str:
        """The position in lines of text; its notation by default.

        Asked by `Game.draw`, and `showboard` of `dragon gtp`.
        """
        return str(self)

    def svg(self) -> str | None:
        """The position as SVG; None: there is no drawing.

        Asked by `Game.svg`.
        """
        return None


@cache
def _traits_of(teams: tuple[int, ...]) -> frozenset[Trait]:
    """The traits that follow from the teams; every `open` of a search asks for them."""
    if len(teams) == 1:
        return frozenset({Trait.SOLO})
    return frozenset({Trait.DUEL}) if len(set(teams)) == 2 else frozenset()


@frozen
class Game(Named, ABC, Generic[M]):
    """A set of rules; its attrs fields are its parameters, its TOML and its identity.

    A RecordGame may leave names of seats and clicks to the notation of its rules.

    >>> import dragon
    >>> dragon.game("nim(pile=5)").start().moves()
    (1, 2, 3)
    """

    title: ClassVar[str] = ""
    """The name that people read, such as `Nine men's morris`; empty: made of `name`.

    Asked by the Play and Games pages.
    """
    aliases: ClassVar[tuple[str, ...]] = ()
    """Other names by which people look for it, such as `othello`. Asked by the Games page."""
    teams: ClassVar[tuple[int, ...]] = (0, 1)
    """The team of each seat, such as `(0,)` or `(0, 1, 1)`. Asked by whatever seats players."""
    small: ClassVar[str] = ""
    """The spec of a smaller game of the same rules, every state of which can be visited, such as
    `mygame(size=3)`; empty: none. Asked by `dragon laws`."""

    @property
    def traits(self) -> frozenset[Trait]:
        """The traits of the game; they follow from `teams` unless the game says more.

        Asked by searches and referees, before they begin.
        """
        return _traits_of(tuple(self.teams))

    @abstractmethod
    def start(self, rng: int | np.random.Generator = 0) -> State[M]:
        """The first state; a seed or a Generator deals what is dealt."""

    @abstractmethod
    def parse(self, text: str) -> State[M]:
        """The state that `str` writes as `text`; raises BadNotation."""

    @property
    def seat_names(self) -> Sequence[str]:
        """A name for each seat; empty, as by default: the notation's, or their numbers.

        Asked by `dragon play`, `solve` and `prove`, and the Play page.
        """
        return ()

    def clicks(self, move: str) -> Sequence[Sequence[str]] | None:
        """The orders in which the cells of a move may be clicked, `[()]` where none need be; None,
        as by default: the notation's, or one cell, which has the move's text as its name.

        Asked by the Play and Analyse pages, through `dragon.boards.clicks`.
        """
        return None

    def next_clicks(self, state: Any, chosen: tuple[str, ...]) -> Clicks | None:
        """The cells that may be clicked after those in `chosen`, or the move that these make; None,
        as by default: found by a look at each move, which a game with thousands saves.

        Asked by the Play page, through `dragon.boards.clicks`.
        """
        return None

    def write_transcript(self, transcript: Transcript) -> str | None:
        """A whole game in a format of its own; None, as by default, where that cannot say it.

        Asked by the Play page, through `dragon.transcripts`.
        """
        return None

    def read_transcripts(self, text: str) -> Sequence[Transcript]:
        """All games of a text in that format; none for another. Raises BadNotation.

        Asked by the Play page, through `dragon.transcripts`.
        """
        return ()

    def draw(self, state: Any) -> str:
        """A position in lines of text: the state's own picture, unless the game knows more.

        Asked by `dragon play`, `dragon show`, the Play page and reports.
        """
        return str(state.picture())

    def svg(self, state: Any) -> str | None:
        """A position as SVG, None where there is none: the state's own, unless the game knows more.

        Asked by the Play page and reports.
        """
        drawing: str | None = state.svg()
        return drawing


@frozen
class UnnamedGame(Game[M]):
    """The game of a state that does not know it, with the traits that the state shows.

    Searches object to it as to any other game. Chance and hidden parts that come later do not
    show yet: a search that excludes them refuses when it meets them.
    """

    name = "unnamed"
    state: State[M]

    @property
    def teams(self) -> tuple[int, ...]:  # type: ignore[override]
        return self.state.teams

    @property
    def traits(self) -> frozenset[Trait]:
        """The traits that the state shows."""
        state, sides = self.state, len(set(self.teams))
        shown = {
            Trait.SOLO: len(self.teams) == 1,
            Trait.DUEL: sides == 2 and state.zero_sum,
            Trait.CHANCE: state.turn == CHANCE,
            Trait.HIDDEN: state.conceals,
            Trait.REPETITION: state.repeats,
        }
        return frozenset(trait for trait, true in shown.items() if true)

    def start(self, rng: int | np.random.Generator = 0) -> State[M]:
        return self.state

    def parse(self, text: str) -> State[M]:
        """The state, if `text` is its notation; raises BadNotation for any other."""
        if text.strip() != str(self.state):
            raise BadNotation(f"{text!r} is not {self.state}, the only state of {self}")
        return self.state

    def __str__(self) -> str:
        return f"a game that the {type(self.state).__name__} {str(self.state)!r} does not name"


def game_of(state: State[M]) -> Game[M]:
    """The game of a state, as far as the state knows it."""
    game = state.game  # which an author may have given another meaning
    # `isinstance` of an ABC would take a tenth of a small search, which asks for its game twice.
    if game is not None and Game in type(game).__mro__:
        return game
    return UnnamedGame(state)


def check_teams(game: Game[Any]) -> None:
    """Raise PluginError for teams that are not as Game declares them."""
    name, teams = type(game).__name__, game.teams
    if not (isinstance(teams, tuple) and teams and all(type(t) is int for t in teams)):
        raise PluginError(
            f"{name}.teams is {teams!r}; write a tuple of the team of each seat, such as (0, 1)"
        )
    if {*teams} != {*range(len({*teams}))}:
        raise PluginError(
            f"{name}.teams is {teams!r}; number the teams from 0 on, without a gap, as in (0, 1, 1)"
        )


def check_traits(game: Game[Any]) -> None:
    """Raise PluginError for traits that are not as Game declares them."""
    traits = game.traits
    if not (isinstance(traits, frozenset) and all(isinstance(t, Trait) for t in traits)):
        raise PluginError(
            f"{type(game).__name__}.traits is {traits!r}; write a frozenset of dragon.Trait, such "
            "as frozenset({Trait.DUEL})"
        )
