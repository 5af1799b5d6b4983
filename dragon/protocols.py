"""Protocols: what a game, the notation of its rules, or a plugin may offer, found by isinstance.

A game offers one by writing its members. Seats may have names (SeatNaming), a move may be made by
clicks (Clickable, ClickGuide), a game may have a format of its own (Transcribable), and hidden
states can be completed (Determinizable). A search may know a game once something has been made
(Preparable). Referees and Executors are offered by hooks.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Protocol,
    TypeAlias,
    TypeVar,
    runtime_checkable,
)  # fmt: skip

from attrs import frozen

from dragon.core.game import CHANCE, TERMINAL, Game, State
from dragon.rules.record import RecordGame, rules_of

if TYPE_CHECKING:
    from typing import Self

    import numpy as np

M = TypeVar("M", bound=Hashable)


def parts(game: Game[Any]) -> tuple[object, ...]:
    """What may offer a protocol for a game: itself, and then the notation of its rules."""
    return (game, rules_of(game).notation) if isinstance(game, RecordGame) else (game,)


# ---- seats -------------------------------------------------------------------------------------


@runtime_checkable
class SeatNaming(Protocol):
    """A game or notation that says what its seats are called.

    Asked by `dragon play`, `solve` and `prove`, and the Play page.
    """

    @property
    def seat_names(self) -> Sequence[str]:
        """One for each seat; of a notation, the colours in which stones are drawn."""


@runtime_checkable
class SeatLettering(Protocol):
    """A notation whose positions have letters for seats.

    Asked by `dragon play`, `solve` and `prove`, before `seat_names`.
    """

    @property
    def seat_letters(self) -> Sequence[str]:
        """One for each seat, as a position's text has them."""


def seat_names(of: Game[Any], drawn: bool = False) -> tuple[str, ...]:
    """The names of a game's seats; their numbers where it has none, or not one for each.

    drawn: as stones are drawn, not as text has them.

    >>> import dragon
    >>> seat_names(dragon.game("tictactoe")), seat_names(dragon.game("tictactoe"), drawn=True)
    (('X', 'O'), ('Black', 'White'))
    >>> seat_names(dragon.game("nim"))
    ('seat 0', 'seat 1')
    """
    naming = next((part for part in parts(of) if isinstance(part, SeatNaming)), None)
    names: Sequence[str] = naming.seat_names if naming is not None else ()
    if isinstance(naming, SeatLettering) and not drawn:
        names = naming.seat_letters
    if len(names) != len(of.teams):
        names = [f"seat {seat}" for seat in range(len(of.teams))]
    return tuple(map(str, names))


def turn_name(of: Game[Any], turn: int) -> str:
    """Who moves, by name.

    >>> import dragon
    >>> turn_name(dragon.game("tictactoe"), 1), turn_name(dragon.game("nim"), TERMINAL)
    ('O', 'nobody: the game is over')
    """
    other = {CHANCE: "chance", TERMINAL: "nobody: the game is over"}.get(turn)
    return seat_names(of)[turn] if other is None else other


# ---- clicks ------------------------------------------------------------------------------------


@frozen
class Clicks:
    """The cells of a drawing that may be clicked next, or the move that is complete."""

    cells: tuple[str, ...] = ()
    """Names of cells; empty where nothing may be clicked, or nothing need be."""
    move: str | None = None
    """The move that the chosen cells make."""
    hint: str = ""
    """What is asked for, in a few words: `a neutral stone to convert`."""
    others: tuple[str, ...] = ()
    """Legal moves that no further cell stands for: `swap`, or of `b7b8q` and `b7b8r`, whose cells
    are chosen already, which it is to be."""


@runtime_checkable
class Clickable(Protocol):
    """A game or notation that says which cells make a move; by default its text is one cell.

    Asked by the Play and Analyse pages, through `dragon.boards.clicks`.
    """

    def clicks(self, move: str) -> Sequence[Sequence[str]]:
        """The orders in which the cells of a move may be clicked: `[()]` where none need be."""


@runtime_checkable
class Pointed(Protocol):
    """A notation whose texts do not name all cells of a move, as `Nf3` does not.

    Asked by the Play page, through `dragon.boards.clicks`.
    """

    def pointed(self, s: Any, code: int) -> tuple[str, ...]:
        """The cells of a legal move of the record `s`, in the order in which they are clicked."""


@runtime_checkable
class Celled(Protocol):
    """A notation of its own for stones that stand on the cells of a board.

    Asked by `dragon publish`, for a page draws boards by tables.
    """

    @property
    def cells(self) -> Any:
        """A `Grid` or `Board` of the record's stones, by which a published page draws them."""


Place: TypeAlias = tuple[str, tuple[int, ...]] | tuple[str, tuple[int, ...], int]
"""A field of a record, and an index in it; of a set of 64 bits, which of them."""


@frozen
class Sum:
    """Numbers of a record, added up, and what a drawing has for them."""

    places: Mapping[Place, int]
    """How often each counts: -1 to be subtracted."""
    shown: Mapping[int, str] | None = None
    """What stands for each sum, nothing for others; None: its digits."""

    def text(self, s: Any) -> str:
        """What a drawing of the record `s` has.

        >>> import numpy as np
        >>> s = {"men": np.array([[4, 0], [1, 2]])}
        >>> Sum({("men", (0, 0)): 1, ("men", (1, 1)): -1}).text(s)
        '2'
        """
        total = 0
        for (name, index, *bits), factor in self.places.items():
            number = int(s[name][index])
            total += factor * (number >> bits[0] & 1 if bits else number)
        return str(total) if self.shown is None else self.shown.get(total, "")


Part: TypeAlias = str | Sum
"""Of a drawing."""


def drawn(parts: Iterable[Part], s: Any) -> str:
    """The parts of a drawing of the record `s` together."""
    return "".join(part if isinstance(part, str) else part.text(s) for part in parts)


@runtime_checkable
class Counted(Protocol):
    """A notation whose drawing is the same in each position, but for numbers of the record.

    Asked by `dragon publish`.
    """

    def drawing(self) -> Sequence[Part]:
        """The parts of the SVG."""


@runtime_checkable
class Listed(Protocol):
    """A notation that knows how every move is written before any is made.

    Asked by `dragon publish`, which else looks for moves in random games.
    """

    def texts(self) -> Mapping[int, str]:
        """The text of each move by its code, the same for all seats and in all positions."""


@runtime_checkable
class Spelled(Protocol):
    """A notation of more moves than a table can hold, or whose texts are not the same in each
    position: a rule spells each move as it may be read in any.

    Asked by `dragon publish`.
    """

    @property
    def vocabulary(self) -> Sequence[str]:
        """The words of texts, the names of cells among them; empty for numbers that are none."""

    @property
    def spell(self) -> Callable[..., int]:
        """The rule `spell(s, code, way, out)`: writes the numbers of a move's words into `out`,
        and returns how many: those of its text for way 0, of the cells in the order in which they
        may be clicked for way 1, 2 and so on; -1 where there are no more ways."""


@runtime_checkable
class ClickGuide(Protocol):
    """A game with too many moves to look at each: it says which cells may be clicked next.

    Asked by the Play page, through `dragon.boards.clicks`.
    """

    def next_clicks(self, state: Any, chosen: tuple[str, ...]) -> Clicks:
        """What may be clicked after the cells in `chosen`, or the move that they make."""


# ---- transcripts -------------------------------------------------------------------------------


@frozen
class Transcript:
    """A game from its beginning, finished or not."""

    game: str
    """Its spec."""
    moves: tuple[str, ...] = ()
    """All of them, those of chance too."""
    start: str = ""
    """The position it began with; empty: the usual one."""
    deal: int = 0
    """The seed of what was dealt."""
    players: tuple[str, ...] = ()
    """Who sat where."""
    result: str = ""
    """How it ended, in words; not read again."""


@runtime_checkable
class Transcribable(Protocol):
    """A game with a format of its own for whole games.

    Asked by the Play page, through `dragon.transcript`.
    """

    def write_transcript(self, transcript: Transcript) -> str | None:
        """The text of a transcript; None where the format cannot say it."""

    def read_transcripts(self, text: str) -> Sequence[Transcript]:
        """All games of a text; none where it is in another format. Raises BadNotation."""


# ---- searches that need something made ----------------------------------------------------------


@runtime_checkable
class Preparable(Protocol):
    """A search that knows a game once something has been made for it, such as a table.

    Asked by the Analyse page, which offers to make it.
    """

    def offer(self, game: Game[Any]) -> str | None:
        """What could be made and what it takes, as a sentence without capital and full stop.

        None where nothing need be made, or nothing would help. It is asked often, and makes
        nothing.
        """

    def prepare(self, game: Game[Any]) -> Iterator[float]:
        """Makes it; gives the part that is done, from 0 to 1. What is kept of a stream that is
        closed early need not be made again."""


# ---- hidden information ------------------------------------------------------------------------


class Determinizable(State[M]):
    """A state of a HIDDEN game. Its author adds `seen` and `determinize`, and may add `opened`.

    A *world* is a whole state that agrees with all that a seat has seen. Searches are shown no
    more than `seen`; those that look ahead draw worlds from it. Asked by `determinize`.

    The laws: a state that was seen has the same turn, moves and notation for the seat that
    sees it, and seen again it is itself; worlds look to the seat to move as the state does.

    >>> import dragon
    >>> dealt = dragon.game("kuhn").start().after("KQ")
    >>> str(dealt.seen(0))
    'K?'
    """

    __slots__ = ()

    conceals = True

    @abstractmethod
    def seen(self, seat: int) -> Self:
        """This state without what `seat` cannot know; states alike to a seat become equal.

        If `seat` is to move, its turn and moves are the same; more need not be possible.
        """

    @abstractmethod
    def determinize(self, rng: np.random.Generator) -> Self:
        """A world at random, each as likely as the deal makes it, for the seat to move.

        All that was seen counts: cards played, what somebody could not follow, what was
        announced. That somebody would have played otherwise does not. Nothing is read but
        what `seen(turn)` has; `rng` is consumed. Raises GameError where no world fits.
        """

    def opened(self) -> State[Any]:
        """The same state with nothing hidden, for searches that look at all; itself by default.

        A game by Rules gives the RecordState that its kernels work on.
        """
        return self


# ---- offered by hooks --------------------------------------------------------------------------


class Referee(Protocol):
    """A judge of the games of a tournament; how it plays one, `dragon_tournament.referees` says."""

    name: ClassVar[str]

    def suits(self, game: Game[Any]) -> bool:
        """Return True if it can judge this game, by the game's traits."""

    def seats(self, game: Game[Any]) -> int | None:
        """How many players meet in one game; None: any number, each alone."""


class ExecutorFactory(Protocol):
    """What makes an executor of `dragon_tournament.executors`, or of `concurrent.futures`."""

    @property
    def name(self) -> str:
        """What `--executor` calls it."""

    def __call__(self, *args: Any, **kwargs: Any) -> object:
        """The executor; `workers` and `scheduler` are given where it takes them."""
