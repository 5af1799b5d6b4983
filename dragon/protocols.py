"""Values that games, notations and searches exchange with pages and commands, and two protocols.

A game offers more by methods of Game, State, `dragon.rules.notation.BaseNotation` and
Search, which all have a default. This module has the values of these methods (Clicks, Sum,
Transcript), the names of seats, and Determinizable, the State of games with hidden information.
Referee, Form, Checker and ExecutorFactory are objects that plugins offer by hooks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from attrs import frozen

from dragon.core.game import CHANCE, TERMINAL, Game, State
from dragon.core.offers import Clicks as Clicks
from dragon.core.offers import Part as Part
from dragon.core.offers import Place as Place
from dragon.core.offers import Sum as Sum
from dragon.core.offers import Transcript as Transcript
from dragon.core.offers import drawn as drawn
from dragon.moved import missing
from dragon.rules.notation import BaseNotation
from dragon.rules.record import RecordGame, rules_of

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

    import numpy as np

M = TypeVar("M", bound=Hashable)


def notation_of(game: Game[Any]) -> BaseNotation | None:
    """Return the notation of a game's rules; None for a game that is a plain State."""
    return rules_of(game).notation if isinstance(game, RecordGame) else None


# ---- seats -------------------------------------------------------------------------------------


def seat_names(of: Game[Any], drawn: bool = False) -> tuple[str, ...]:
    """Return the names of a game's seats, or their numbers where it does not have one for each.

    drawn: the names by which stones are drawn, in place of the letters of a position's text, and
    `player 1` for the first seat without a name, as pages and reports for readers have them.

    >>> import dragon
    >>> seat_names(dragon.game("tictactoe")), seat_names(dragon.game("tictactoe"), drawn=True)
    (('X', 'O'), ('Black', 'White'))
    >>> seat_names(dragon.game("nim"))
    ('seat 0', 'seat 1')
    """
    names, notation = of.seat_names, notation_of(of)
    if not names and notation is not None:
        letters = () if drawn else notation.seat_letters
        names = letters or notation.seat_names
    if len(names) != len(of.teams):
        names = [f"player {i + 1}" if drawn else f"seat {i}" for i in range(len(of.teams))]
    return tuple(map(str, names))


def turn_name(of: Game[Any], turn: int) -> str:
    """Return the name of the seat to move, or `chance` and the like.

    >>> import dragon
    >>> turn_name(dragon.game("tictactoe"), 1), turn_name(dragon.game("nim"), TERMINAL)
    ('O', 'none: the game is over')
    """
    other = {CHANCE: "chance", TERMINAL: "none: the game is over"}.get(turn)
    return seat_names(of)[turn] if other is None else other


# ---- hidden information ------------------------------------------------------------------------


class Determinizable(State[M]):
    """A state of a HIDDEN game. Its author adds `seen` and `determinize`, and may add `opened`.

    A *world* is a whole state that agrees with all that a seat has seen. Searches are given only
    `seen`; those that look ahead draw worlds from it. Used by `determinize`.

    The laws: a view has the same turn, moves and notation as the state for its seat, and the view
    of a view is the same; worlds have the view of the state for the seat to move.

    >>> import dragon
    >>> dealt = dragon.game("kuhn").start().after("KQ")
    >>> str(dealt.seen(0))
    'K?'
    """

    __slots__ = ()

    conceals = True

    @abstractmethod
    def seen(self, seat: int) -> Self:
        """The view of `seat`: this state without what it cannot know; states that look alike to it
        become equal.

        If `seat` is to move, turn and moves stay the same; other members need not work.
        """

    @abstractmethod
    def determinize(self, rng: np.random.Generator) -> Self:
        """A determinization: a random world for the seat to move, each with its probability by the
        deal.

        It agrees with everything seen: cards played, suits that a seat could not follow,
        announcements. It draws no conclusions from how well others played. Only what `seen(turn)`
        has is read; `rng` is consumed. Raises GameError where no world fits.
        """


# ---- offered by hooks --------------------------------------------------------------------------


class Referee(Protocol):
    """A judge of the games of a tournament; see `dragon_tournament.referees`."""

    name: ClassVar[str]

    def suits(self, game: Game[Any]) -> bool:
        """Return True if it can judge this game, by the game's traits."""

    def seats(self, game: Game[Any]) -> int | None:
        """The number of players in one game; None: any number, each alone."""


class Form(ABC):
    """A text format of whole games, offered by the hook `dragon_transcripts`."""

    name: ClassVar[str]
    """The name that `--to` takes: `pgn`."""
    title: ClassVar[str]
    """The full name, with its source where there is one."""
    suffix: ClassVar[str]
    """The usual end of a file's name: `.pgn`."""
    general: ClassVar[bool] = False
    """True if it is for many games, and so not the usual form of any."""
    commented: ClassVar[bool] = False
    """True if it can hold comments, and so values of moves."""
    rules: Sequence[str] = ()
    """The names of the games that it is for, unless `suits` decides."""

    def suits(self, game: Game[Any]) -> bool:
        """Return True if games of these rules can be written in this form."""
        return game.name in self.rules

    @abstractmethod
    def read(self, game: Game[Any], text: str) -> Sequence[Transcript]:
        """Return all games of a text, none where it is of another form.

        Moves are legal, and written as `game` writes them. Raises BadNotation, with the game and
        the move or the line, where the text is of this form and wrong.
        """

    def write(self, game: Game[Any], transcript: Transcript) -> str | None:
        """Return a game in this form; None, as by default, if the form cannot express it."""
        return None

    def evaluation(self, value: float, plies: int | None) -> str:
        """Return a comment that gives a value to other programs; empty by default.

        value: what seat 0 is paid. plies: until the end, where the value is proven and a line leads
        there.
        """
        return ""


@frozen
class Checked:
    """The outcome of checking one thing again: a proof, or the results of a tournament."""

    shown: dict[str, Any]
    """Its JSON object; `holds` is false if something in it is wrong."""
    text: str
    """The line for people."""
    wrong: tuple[str, ...] = ()
    """A sentence for each thing that is wrong."""


class Checker(Protocol):
    """A checker of what another command has written, offered by the hook `dragon_checkers`."""

    name: ClassVar[str]

    def suits(self, path: Path) -> bool:
        """Return True if it can check what is at a path."""

    def check(
        self, path: Path, game: Game[Any] | None, watch: Callable[[str, int, str], object]
    ) -> Iterator[Checked]:
        """Check everything at the path again; `game` is the one that the user gave, if any.

        watch: to be called with the name of the step, the number done, and its unit. Raises
        DragonError for what cannot be read.
        """


class ExecutorFactory(Protocol):
    """A maker of executors of `dragon_tournament.executors`, or of `concurrent.futures`."""

    @property
    def name(self) -> str:
        """The name that `--executor` takes."""

    def __call__(self, *args: Any, **kwargs: Any) -> object:
        """The executor; `workers` and `scheduler` are given where it takes them."""


def __getattr__(name: str) -> Any:
    raise missing(__name__, name)
