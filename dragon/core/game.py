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

    SOLO: one seat. DUEL: two teams, zero-sum payoffs. CHANCE: some turns are
    decided by chance. HIDDEN: a seat does not see the whole state. COVER: a line is a
    cover of items by options. REPETITION: a position can recur within a game, apart from counts of
    plies or earlier positions in its state.
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

    An author defines four members: `turn`, `moves`, `after`, `payoff`. The rest have defaults;
    their docstrings say what uses them. `str(state)` is the position's notation, and `game.parse`
    its inverse.
    """

    __slots__ = ()

    teams: ClassVar[tuple[int, ...]] = (0, 1)
    """The team of each seat; the same as the game's. Used by every search for two sides."""
    unit: ClassVar[float] = 1.0
    """Every payoff is a whole multiple of this. Used by searches that count in units."""
    largest: ClassVar[float] = 1.0
    """No payoff exceeds this in absolute value. Used by searches that scale or bound values."""
    zero_sum: ClassVar[bool] = True
    """True if two teams' payoffs are each other's negative. Used by searches for two sides."""
    repeats: ClassVar[bool] = False
    """True if the game has the trait REPETITION. Used by tables, which then keep whole states."""
    conceals: ClassVar[bool] = False
    """True if a seat may not see the whole state; true of every `dragon.Determinizable`. Used by
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
        """The state after each of `moves()`, in their order; override it where that is quicker than
        `after`.

        Used by `exhaustive`.
        """
        return map(self.after, self.moves())

    @abstractmethod
    def payoff(self) -> tuple[float, ...]:
        """The payoff of each seat; terminal states only."""

    @property
    def game(self) -> Game[M] | None:
        """The game of this state; None, as by default, if states do not have a reference to it.

        Used by searches, which may object to it, and tables, which are of one game.
        """
        return None

    def odds(self) -> Sequence[float]:
        """The probability of each of `moves()` at a CHANCE state; uniform by default.

        Used by `exhaustive`, playouts and the referee of matches.
        """
        n = len(self.moves())
        return (1 / n,) * n

    def seen(self, seat: int) -> Self:
        """The state as `seat` sees it: all of it, except in HIDDEN games (`dragon.Determinizable`).

        Used by every run before it searches, and to show a position to one seat.
        """
        return self

    def determinize(self, rng: np.random.Generator) -> Self:
        """A determinization: a random world for the seat to move; the state itself where nothing is
        hidden.

        Used by `determinize` and laws; see `dragon.Determinizable`.
        """
        return self

    def opened(self) -> State[Any]:
        """The state with nothing hidden, for searches of perfect information; itself by default.

        A game by Rules gives the RecordState that its kernels work on. Used by `determinize`.
        """
        return self

    def evaluate(self, seat: int) -> float:
        """The static evaluation for `seat`, in (-1, 1); 0 by default.

        Used by `negamax`, `alphabeta`, `exhaustive` and `greedy` at their horizon.
        """
        return 0.0

    def order(self, moves: Sequence[M]) -> Sequence[int] | None:
        """A whole number for each move, the most promising highest; None: no opinion.

        Used by `alphabeta`, `dfpn`, and `mcts` by "puct".
        """
        return None

    def prior(self, moves: Sequence[M]) -> Sequence[float] | None:
        """A number above 0 for each move, how often it is expected to be the best, compared with
        the others; None: as follows from `order`.

        Used by `mcts` by "puct".
        """
        return None

    def noisy(self) -> Sequence[M] | None:
        """The moves that change an evaluation (captures, say), none by default; None: no evaluation
        can be trusted here (in check), so that all moves are searched. Used by `alphabeta` in
        quiescence search, where there is an `evaluate`.
        """
        return ()

    def skipped(self) -> State[M] | None:
        """The state after a null move: a pass of the seat to move, which need not be legal. None,
        as by default, where a pass might be better than every move (zugzwang), or in check. Used by
        `alphabeta` for null-move pruning, where there is an `evaluate`.
        """
        return None

    def sample(self, random: Any) -> M:
        """A move at random, uniform by default; `random(n)` draws an integer from 0 to n - 1.

        A game's own must draw every legal move with some probability, and at a CHANCE state with
        that of `odds`.

        Used by playouts: `mcts` and `montecarlo`.
        """
        moves = self.moves()
        index: int = random(len(moves))
        return moves[index]

    def finished(self, random: Any) -> tuple[State[M], int] | None:
        """The terminal state of a random game from here, made in one step, and the number of its
        plies.

        `random(n)` draws an integer from 0 to n - 1. Payoffs must have the same distribution as
        move by move. None, as by default: games are played move by move. Not called at terminal
        states.

        Used by playouts at random: `mcts` and `montecarlo`.
        """
        return None

    def banked(self) -> float:
        """The part of seat 0's payoff that no further play can change; 0 by default.

        Used by `alphabeta` and `dfpn`, and searches for paths in games by Rules.
        """
        return 0.0

    def bounds(self) -> tuple[float, float] | None:
        """The least and the greatest payoff that seat 0 can still get; None: not known. Either may
        be infinite.

        Used by `alphabeta` and `dfpn`, and searches for paths in games by Rules.
        """
        return None

    def solved(self) -> tuple[float, int] | None:
        """The payoff of seat 0 under best play and the plies to the end (0: not known), as from an
        endgame table; None: not known.

        Used by `alphabeta`, `dfpn` and `mcts` where their setting `solved` is on; never at terminal
        states.
        """
        return None

    def distinct(self) -> Sequence[M]:
        """The moves without those that are equivalent to, or dominated by, one that is kept; all by
        default.

        Used by `alphabeta`, `dfpn` and `mcts`.
        """
        return self.moves()

    def key(self) -> int:
        """The 64-bit key of the state, which equal states share (such as a Zobrist key); by default
        a hash of the notation, the same in every process.

        Used by transposition tables, which do not keep a state whose key is 0.
        """
        return int.from_bytes(blake2b(str(self).encode(), digest_size=8).digest(), "little")

    def place(self) -> int:
        """The 64-bit key of the position without its past: states share it that differ only in the
        cost or the plies so far; `key` by default.

        Used by `astar`, `beam`, `breadth` and `idastar`.
        """
        return self.key()

    def code(self, move: M) -> int:
        """A small integer for `move`, the same in every process: a hash of its notation.

        Used by history tables, and tables of AMAF values.
        """
        return zlib.crc32(str(move).encode())

    def picture(self) -> str:
        """The position in lines of text; its notation by default.

        Used by `Game.draw`, and `showboard` of `dragon gtp`.
        """
        return str(self)

    def svg(self) -> str | None:
        """The position as SVG; None: there is no drawing.

        Used by `Game.svg`.
        """
        return None


@cache
def _traits_of(teams: tuple[int, ...]) -> frozenset[Trait]:
    """Return the traits that follow from the teams; computed once for each, since every `open` of a
    search needs them."""
    if len(teams) == 1:
        return frozenset({Trait.SOLO})
    return frozenset({Trait.DUEL}) if len(set(teams)) == 2 else frozenset()


@frozen
class Game(Named, ABC, Generic[M]):
    """The rules of a game with its parameters, which are attrs fields: they are the keys in TOML,
    and equal ones make equal games.

    A RecordGame may leave names of seats and clicks to its notation.

    >>> import dragon
    >>> dragon.game("nim(pile=5)").start().moves()
    (1, 2, 3)
    """

    title: ClassVar[str] = ""
    """The name in pages and lists, such as `Nine men's morris`; empty: made of `name`.

    Used by the Play and Games pages.
    """
    aliases: ClassVar[tuple[str, ...]] = ()
    """Other names for a search by name, such as `othello`. Used by the Games page and by hints."""
    teams: ClassVar[tuple[int, ...]] = (0, 1)
    """The team of each seat, such as `(0,)` or `(0, 1, 1)`. Used by matches and tournaments."""
    small: ClassVar[str] = ""
    """The spec of a smaller game of the same rules, every state of which can be visited, such as
    `mygame(size=3)`; empty: none. Used by `dragon laws`."""

    @property
    def traits(self) -> frozenset[Trait]:
        """The traits of the game; they follow from `teams` unless the game says more.

        Used by searches and referees, before they begin.
        """
        return _traits_of(tuple(self.teams))

    @abstractmethod
    def start(self, rng: int | np.random.Generator = 0) -> State[M]:
        """The first state; `rng`, a seed or a Generator, decides what is dealt."""

    @abstractmethod
    def parse(self, text: str) -> State[M]:
        """The state that `str` writes as `text`; raises BadNotation."""

    @property
    def seat_names(self) -> Sequence[str]:
        """A name for each seat; empty, as by default: the notation's, or their numbers.

        Used by `dragon play`, `solve` and `prove`, and the Play page.
        """
        return ()

    def clicks(self, move: str) -> Sequence[Sequence[str]] | None:
        """The orders in which the cells of a move may be clicked, `[()]` where none need be; None,
        as by default: the notation's, or one cell, which has the move's text as its name.

        Used by the Play and Analyse pages, through `dragon.boards.clicks`.
        """
        return None

    def next_clicks(self, state: Any, chosen: tuple[str, ...]) -> Clicks | None:
        """The cells that may be clicked after those in `chosen`, or the move that these make; None,
        as by default: found by looking at every move, which is slow for a game with thousands.

        Used by the Play page, through `dragon.boards.clicks`.
        """
        return None

    def write_transcript(self, transcript: Transcript) -> str | None:
        """A whole game in the game's own format; None, as by default, if there is none or it cannot
        express the game.

        Used by the Play page, through `dragon.transcripts`.
        """
        return None

    def read_transcripts(self, text: str) -> Sequence[Transcript]:
        """All games of a text in that format; none for another. Raises BadNotation.

        Used by the Play page, through `dragon.transcripts`.
        """
        return ()

    def draw(self, state: Any) -> str:
        """A position in lines of text; by default the state's `picture`.

        Used by `dragon play`, `dragon show`, the Play page and reports.
        """
        return str(state.picture())

    def svg(self, state: Any) -> str | None:
        """A position as SVG, None if there is no drawing; by default the state's `svg`.

        Used by the Play page and reports.
        """
        drawing: str | None = state.svg()
        return drawing


@frozen
class UnnamedGame(Game[M]):
    """The game of a state whose `game` is None, with the traits that the state shows.

    Searches object to it as to any other game. Chance or hidden information may appear only in
    later states: a search that excludes them raises Objection when it meets them.
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
    """Return the game of a state: its `game`, else an UnnamedGame."""
    game = state.game  # since an author may use this name for something else
    # `isinstance` of an ABC would take a tenth of a small search, which asks for its game twice.
    if game is not None and Game in type(game).__mro__:
        return game
    return UnnamedGame(state)


def check_teams(game: Game[Any]) -> None:
    """Raise PluginError unless the teams are as Game describes them."""
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
    """Raise PluginError unless the traits are as Game describes them."""
    traits = game.traits
    if not (isinstance(traits, frozenset) and all(isinstance(t, Trait) for t in traits)):
        raise PluginError(
            f"{type(game).__name__}.traits is {traits!r}; write a frozenset of dragon.Trait, such "
            "as frozenset({Trait.DUEL})"
        )
