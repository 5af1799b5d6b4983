"""GTP client: a program in any language as a player, by the Go Text Protocol over its stdin.

It sends these commands: `protocol_version`, `name`, `version` and `list_commands` when the engine
starts; if the engine lists them, `boardsize`, `clear_board`, `time_settings`, `time_left`,
`set_random_seed`; then `play COLOUR MOVE` and `genmove COLOUR`; `quit` in the end. Four more are
dragon's own, and sent if the engine lists them: `dragon-game SPEC` names the game,
`dragon-position TEXT` sets up a position, `dragon-vertices NAMING` names the naming of cells,
`dragon-increment SECONDS` is what its clock gains with each move.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import dropwhile, takewhile
from typing import TYPE_CHECKING, Any

from dragon.core import Game, Limit, Position, Result, State
from dragon.errors import GameError, ProtocolError, SearchError
from dragon.gtp import protocol
from dragon.gtp.program import Program
from dragon.gtp.protocol import Vertices, board_of, vertices
from dragon.moved import missing
from dragon.rules.notation import parse_move

if TYPE_CHECKING:
    import numpy as np

GAME, POSITION, VERTICES = "dragon-game", "dragon-position", "dragon-vertices"
INCREMENT = "dragon-increment"
MOST = 1_000_000
"""The most letters of a response; an engine that writes more is taken to be in an endless loop."""
OVERRUN = 30.0
"""Seconds beyond its limit after which an engine that is still thinking is killed."""
SHORTEST = 1.0
"""Seconds that an engine is waited for at least, however often it was late."""
_late: Counter[tuple[tuple[str, ...], str]] = Counter()
"""The times in a row that the processes of a command were late, to start or to move."""


class Conversation(ABC):
    """A process that speaks a protocol, and the game that it has been sent."""

    farewell = "quit"

    def __init__(self, search: Any) -> None:
        """search: one of `dragon.bridges.engine.Asking`, whose settings are read."""
        self.program = Program(search.command, search.log)
        self.title = search.command[0]
        self.start: State[Any] | None = None
        self.made: tuple[str, ...] = ()
        """The moves since `start` that it knows, as the game writes them."""
        self.state: State[Any] | None = None
        """The position on its board; None where that is not known."""
        self.timed = ""
        """The time settings that it was sent last."""
        self.patience = self.shortened(search.patience, "start")
        """The seconds in which it must start and answer the first commands."""
        try:
            with self.noted("start"):
                self.introduce(search)
        except BaseException:
            self.close()
            raise

    @abstractmethod
    def introduce(self, search: Any) -> None:
        """Begin the conversation; raise SearchError."""

    @abstractmethod
    def answer(
        self, position: Position, limit: Limit, game: Game[Any] | None, rng: np.random.Generator
    ) -> Result:
        """Return its move, and its claims if it makes any; raise SearchError."""

    @contextmanager
    def noted(self, what: str) -> Iterator[None]:
        """Within it starts or moves: note if it is late, and forget that once it is in time."""
        key = (self.program.command, what)
        try:
            yield
        except SearchError:
            _late[key] += self.program.late
            raise
        _late[key] = 0

    def shortened(self, seconds: float, what: str) -> float:
        """Return the seconds to wait: half as many for each time in a row that it was late."""
        late = min(_late[self.program.command, what], 100)
        return max(seconds * 0.5**late, min(seconds, SHORTEST))

    def deadline_of(self, limit: Limit, grace: float = 0.0) -> float | None:
        """Return the time by the monotonic clock at which it is killed; None without seconds."""
        if limit.seconds is None:
            return None
        return time.monotonic() + limit.seconds + self.shortened(OVERRUN + grace, "move")

    def close(self) -> None:
        """End the process."""
        self.program.close(self.farewell)

    def lines(self, deadline: float | None) -> Iterator[str]:
        """Yield its lines; raise SearchError where there are too many."""
        size = 0
        while size <= MOST:
            yield (line := self.program.read(deadline))
            size += len(line) + 1
        raise SearchError(f"{self.title} says more than {MOST:,} letters at once")

    def follow(self, position: Position) -> tuple[bool, list[tuple[State[Any], Any]]]:
        """Take over a position; return True for another game, and the moves that are new, each with
        the state before it."""
        start, moves = position.start, position.moves
        if start is None:
            start, moves = position.state, ()
        known = self.state is not None and self.start == start
        known = known and moves[: len(self.made)] == self.made
        if not known:
            self.start, self.made, self.state = start, (), start
        new = []
        assert self.state is not None
        for text in moves[len(self.made) :]:
            move = parse_move(self.state, text)
            new.append((self.state, move))
            self.state = self.state.after(move)
        self.made = moves
        return not known, new

    def moved(self, move: Any) -> None:
        """Note that it has made a move on its own board, too."""
        if self.state is not None:
            self.made += (str(move),)
            self.state = self.state.after(move)


class GtpClient(Conversation):
    """A conversation by the Go Text Protocol."""

    def introduce(self, search: Any) -> None:
        """Exchange versions, names and commands; raise SearchError."""
        self.number = 0
        self.commands: frozenset[str] = frozenset()
        self.game = ""
        self.seats = 2
        self.whole = False
        """True if it has refused a fraction of a second."""
        self.naming = search.vertices
        self.vertices = Vertices()
        deadline = time.monotonic() + self.patience
        spoken = self.ask("protocol_version", deadline=deadline)
        if spoken != protocol.VERSION:
            raise SearchError(
                f"{self.title} speaks version {spoken!r} of GTP, not {protocol.VERSION}"
            )
        name = self.ask("name", deadline=deadline)
        release = self.ask("version", deadline=deadline)
        self.title = f"{name} {release}".strip() or self.title
        self.commands = frozenset(self.ask("list_commands", deadline=deadline).split())
        for line in search.setup:
            self.ask(*line.split(), deadline=deadline)

    def answer(
        self, position: Position, limit: Limit, game: Game[Any] | None, rng: np.random.Generator
    ) -> Result:
        """Return its move for a position; raise SearchError for an engine that fails."""
        state = position.state
        self.sync_position(position, game)
        self.tell_time(position, limit)
        self.send_seed(rng)
        text = self.move(state, limit)
        if text.lower() == protocol.RESIGN and text not in map(str, state.moves()):
            return Result(-state.largest, extra={"resigns": True})
        return Result(0.0, line=(self.played(state, text),))

    def ask(self, name: str, *arguments: str, deadline: float | None = None) -> str:
        """Return its answer; raise SearchError for a refusal, and for a malformed answer."""
        ok, text = self.try_to(name, *arguments, deadline=deadline)
        if not ok:
            command = " ".join((name, *arguments))
            raise SearchError(f"{self.title} refuses {command!r}: {text or 'it does not say why'}")
        return text

    def try_to(self, name: str, *arguments: str, deadline: float | None = None) -> tuple[bool, str]:
        """Return whether it accepts a command, and its answer."""
        self.number += 1
        command = protocol.Command(name, arguments, self.number)
        line = str(command)
        if " ".join(protocol.clean(line).split()) != line:
            raise SearchError(f"GTP cannot say {line!r}: a # or odd spaces would be lost")
        self.program.write(line)
        try:
            response = protocol.parse_response(self._response(deadline))
        except ProtocolError as wrong:
            raise SearchError(f"{self.title} answered {name!r} with nonsense: {wrong}") from None
        if response.id != self.number:
            raise SearchError(
                f"{self.title} answered number {response.id} when it was asked number "
                f"{self.number}, {name!r}"
            )
        return response.ok, response.text

    def _response(self, deadline: float | None) -> list[str]:
        """Return the lines of a response, up to the empty one; empty lines before it are
        skipped."""
        lines = dropwhile(lambda line: not line.strip(), self.lines(deadline))
        return [*takewhile(str.strip, lines)]

    def sync_position(self, position: Position, game: Game[Any] | None) -> None:
        """Make its board show a position: by the moves since its last one, or from the start."""
        state, start = position.state, position.start
        if game is None:
            game = state.game
        self.seats = len(state.teams)
        if isinstance(game, Game) and self.game != str(game):
            self._choose(game)
        if start is None or game is None:
            self.start, self.made, self.state = state, (), state
            self._set_up(str(state))
            return
        another, new = self.follow(position)
        if another:
            self.ask("clear_board")
            self.timed = ""
            if (begin := str(start)) != str(game.start(0)):
                self._set_up(begin)
        for before, move in new:
            written = self.vertices.written(str(move))
            self.ask("play", self.colour(before), *written.split(" "))

    def _choose(self, game: Game[Any]) -> None:
        """Send it the game, its board and the naming of cells, by the commands that it lists."""
        if VERTICES in self.commands:  # moves as the game has them suit each game that follows
            self.ask(VERTICES, "own")
        if GAME in self.commands:
            self.ask(GAME, *str(game).split(" "))
        size = board_of(game)
        if size is not None and size[0] == size[1] and "boardsize" in self.commands:
            self.ask("boardsize", str(size[0]))
        elif size is not None and "rectangular_boardsize" in self.commands:
            self.ask("rectangular_boardsize", *map(str, size))
        if VERTICES in self.commands and self.naming != "own":
            self.ask(VERTICES, self.naming)
        self.vertices = vertices(game, self.naming)
        self.game, self.state = str(game), None

    def _set_up(self, text: str) -> None:
        if POSITION not in self.commands:
            raise SearchError(
                f"{self.title} does not list {POSITION}, so it can only be sent games from their "
                f"usual start, and not {text}"
            )
        self.ask(POSITION, *text.split(" "))

    def colour(self, state: State[Any]) -> str:
        """The name of the seat to move."""
        return protocol.colour_of(state.turn, self.seats)

    def tell_time(self, position: Position, limit: Limit) -> None:
        """Send it the time that it may spend: of its clock, or on this move."""
        if (left := position.remaining) is not None:
            moves = position.left or 0
            if not self.timed:
                self._ask_in_seconds(
                    "time_settings", *((0, left, moves) if moves else (left, 0, 0))
                )
                if INCREMENT in self.commands:
                    self.ask(INCREMENT, f"{position.increment:g}")
            self.timed = "clock"
            self._ask_in_seconds("time_left", self.colour(position.state), left, moves)
        elif limit.seconds is not None and self.timed != (timed := repr(limit.seconds)):
            self._ask_in_seconds("time_settings", 0, limit.seconds, 1)
            self.timed = timed

    def _ask_in_seconds(self, name: str, *arguments: str | float) -> None:
        """Send a command about time, if it is listed: in whole seconds once others are refused.

        The protocol has whole seconds, and most programs read more. Of time that is left at least
        1 is sent: a program that reads 0 believes that it has lost.
        """
        if name not in self.commands:
            return
        exact, whole = (
            [each if isinstance(each, str) else form(each) for each in arguments]
            for form in (exact_seconds, whole_seconds)
        )
        if not self.whole and exact != whole:
            self.whole = not self.try_to(name, *exact)[0]
            if not self.whole:
                return
        self.ask(name, *whole)

    def send_seed(self, rng: np.random.Generator) -> None:
        """Send it a seed, if it takes one, so that equal games repeat."""
        if "set_random_seed" in self.commands:
            self.ask("set_random_seed", str(int(rng.integers(1 << 31))))

    def move(self, state: State[Any], limit: Limit) -> str:
        """Return the move that it makes, on its own board too."""
        return self.ask("genmove", self.colour(state), deadline=self.deadline_of(limit))

    def played(self, state: State[Any], text: str) -> Any:
        """Return the move of its answer, or the answer itself if that is not a move."""
        try:
            move = parse_move(state, self.vertices.read(text))
        except GameError:
            self.state = None
            return text
        self.moved(move)
        return move


def exact_seconds(seconds: float) -> str:
    """Return seconds with up to three decimals, and more than 0 if there are more.

    >>> exact_seconds(40), exact_seconds(0.25), exact_seconds(1e-5), exact_seconds(-1)
    ('40', '0.25', '0.001', '0')
    """
    return f"{max(seconds, 0.001) if seconds > 0 else 0:.3f}".rstrip("0").rstrip(".")


def whole_seconds(seconds: float) -> str:
    """Return seconds rounded down, but at least 1 while there are any.

    >>> whole_seconds(40.9), whole_seconds(0.25), whole_seconds(-1)
    ('40', '1', '0')
    """
    return str(max(1, math.floor(seconds)) if seconds > 0 else 0)


def __getattr__(name: str) -> Any:
    raise missing(__name__, name)
