"""GTP server: dragon as an engine that another program plays with, by the Go Text Protocol.

It is the other side of `dragon.gtp.client`. A server holds one game, its states so far, and a
search that answers `genmove`. A plugin may derive a server with commands of its own: commands are
the methods whose names begin with `do_`, with an underscore for a dash of the protocol.

Source: G. Farneback, "Specification of the Go Text Protocol, version 2", sections 5 and 6. Of the
parts about Go alone, komi is answered, and handicap is left out.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import dragon.config as config
from dragon.core import CHANCE, TERMINAL, Game, Limit, Position, Search, State, move_time
from dragon.errors import BadNotation, DragonError, IllegalMove, ProtocolError
from dragon.gtp import protocol
from dragon.gtp.protocol import resized, usual, vertices

RESERVE = 0.05
"""Seconds of a move that are kept for the transport of its answer."""
CONTROLLER = config.Elsewhere("a GTP command", "start the engine with that game instead")
"""The origin of the game that `dragon-game` names."""
LEAST = 0.001
"""Seconds of a move when no time is left."""
PASS = "pass"
MOST = 100_000
"""The most letters of a command."""


class Quit(Exception):
    """The controller has sent `quit`."""


class GtpServer:
    """A game that is played by commands; see `answers`."""

    name = "dragon"

    def __init__(
        self, game: Game[Any], search: Search, limit: Limit, naming: str | None = "own"
    ) -> None:
        """naming: one of `dragon.gtp.protocol.NAMINGS`; None: the usual one of each game."""
        self.game, self.search, self.limit = game, search, limit
        self.typed = game
        self.naming = naming
        self.vertices = vertices(game, naming or usual(game))
        self.states: list[State[Any]] = []
        self.moves: list[str] = []
        self.run = search.open(game)
        self.seed = 0
        self.times: tuple[float, float, int] | None = None
        """Main time, byo-yomi time and its stones; None: no clock."""
        self.left: dict[int, tuple[float, int]] = {}
        """The seconds left of each seat and, in byo-yomi, the stones they are for."""
        self.increment = 0.0
        """Seconds that a clock gains with each move."""
        self.begin(game.start(self.seed))

    @property
    def state(self) -> State[Any]:
        return self.states[-1]

    @property
    def position(self) -> Position:
        """The state, and the moves that led to it."""
        return Position(self.state, self.states[0], tuple(self.moves))

    @property
    def seats(self) -> int:
        return len(self.game.teams)

    def begin(self, state: State[Any]) -> None:
        """Begin a new game from a state."""
        self.restart()
        self.states, self.moves = [state], []

    def restart(self) -> None:
        """Make the search forget the game."""
        self.run.close()
        self.run = self.search.open(self.game)

    def close(self) -> None:
        """Free the memory of the search."""
        self.run.close()

    # ---- lines in and out ----------------------------------------------------------------------

    def commands(self) -> dict[str, Callable[[protocol.Command], str]]:
        found = {}
        for name in dir(self):
            if name.startswith("do_"):
                word = name[3:]
                for prefix in ("dragon_", f"{self.name}_"):
                    if word.startswith(prefix):
                        word = word.replace("_", "-")
                found[word] = getattr(self, name)
        return found

    def answers(self, lines: Iterable[str]) -> Iterator[protocol.Response]:
        """Yield a response to each line that is a command, until `quit` or the end."""
        for line in lines:
            command = protocol.parse_command(line[:MOST])
            if command is None:
                continue
            try:
                yield self.answer(command)
            except Quit:
                yield protocol.Response(True, "", command.id)
                return

    def serve(self) -> None:
        """Answer stdin on stdout until `quit` or its end, and close."""
        try:
            for response in self.answers(stdin_lines()):
                print(response, end="", flush=True)
        finally:
            self.close()

    def answer(self, command: protocol.Command) -> protocol.Response:
        """The response to a command; raises Quit."""
        known = self.commands().get(command.name)
        if known is None:
            return protocol.Response(False, "unknown command", command.id)
        try:
            return protocol.Response(True, known(command), command.id)
        except DragonError as wrong:
            return protocol.Response(False, " ".join(str(wrong).split()), command.id)

    # ---- administration ------------------------------------------------------------------------

    def do_protocol_version(self, command: protocol.Command) -> str:
        """2."""
        return protocol.VERSION

    def do_name(self, command: protocol.Command) -> str:
        """The search that plays."""
        return f"dragon {self.search}"

    def do_version(self, command: protocol.Command) -> str:
        """The version of the installed package."""
        from importlib.metadata import version

        return version("dragon-search")

    def do_known_command(self, command: protocol.Command) -> str:
        """true or false."""
        return str(command.rest in self.commands()).lower()

    def do_list_commands(self, command: protocol.Command) -> str:
        """All of them, a line each."""
        return "\n".join(sorted(self.commands()))

    def do_quit(self, command: protocol.Command) -> str:
        """End the conversation."""
        raise Quit

    def do_set_random_seed(self, command: protocol.Command) -> str:
        """SEED: of the searches, and of what the next game deals."""
        self.seed = whole(command.rest, "a seed", 0, 2**63 - 1)
        return ""

    # ---- the board -----------------------------------------------------------------------------

    def do_boardsize(self, command: protocol.Command) -> str:
        """N, or COLUMNS ROWS: an empty board of that size, if the game has one."""
        if len(command.arguments) not in (1, 2):
            raise ProtocolError("syntax error: boardsize N, or boardsize COLUMNS ROWS")
        sides = [whole(text, "a size", 0, 10**6) for text in command.arguments]
        self.change(resized(self.game, sides[0], sides[-1]))
        return ""

    def do_komi(self, command: protocol.Command) -> str:
        """NUMBER: accepted from programs for Go, and without effect."""
        try:
            float(command.rest)
        except ValueError:
            raise ProtocolError("syntax error: komi NUMBER") from None
        return ""

    def do_dragon_vertices(self, command: protocol.Command) -> str:
        """NAMING: `own` names cells as the game does, `gtp` without I, `hex` as HexGui does."""
        self.vertices = vertices(self.game, command.rest)
        self.naming = command.rest
        return ""

    def change(self, game: Game[Any]) -> None:
        """Begin another game, if the search can play it and its cells can be named."""
        self.search.check(game)
        self.vertices = vertices(game, self.naming or usual(game))
        self.game = game
        self.begin(game.start(self.seed))

    def do_clear_board(self, command: protocol.Command) -> str:
        """A new game."""
        self.begin(self.game.start(self.seed))
        return ""

    def do_dragon_game(self, command: protocol.Command) -> str:
        """SPEC: plays another game, `nex(rows=4, cols=4)`, if the search can."""
        self.change(self.named(command.rest))
        return ""

    def do_dragon_position(self, command: protocol.Command) -> str:
        """TEXT: sets up a position as the game writes it."""
        self.begin(self.game.parse(command.rest))
        return ""

    def do_play(self, command: protocol.Command) -> str:
        """COLOUR MOVE."""
        if len(command.arguments) < 2:
            raise ProtocolError("syntax error: play COLOUR MOVE")
        move = " ".join(command.arguments[1:])
        if self.ended() and move.casefold() in (PASS, protocol.RESIGN):
            return ""  # as `genmove` answers then
        self.to_move(command.arguments[0])
        try:
            self.make(self.vertices.read(move))
        except (IllegalMove, BadNotation) as wrong:
            raise IllegalMove(f"illegal move: {wrong}") from wrong
        return ""

    def do_undo(self, command: protocol.Command) -> str:
        """Take the last move back."""
        if not self.moves:
            raise ProtocolError("cannot undo: nothing has been played")
        self.states.pop()
        self.moves.pop()
        self.restart()
        return ""

    def do_showboard(self, command: protocol.Command) -> str:
        """The board as text."""
        return f"\n{self.state.picture()}"

    def do_final_score(self, command: protocol.Command) -> str:
        """`B+1`, `W+1` or 0; of more than two seats each one's payoff."""
        if self.state.turn != TERMINAL:
            raise ProtocolError("cannot score: the game is not over")
        payoff = self.state.payoff()
        if self.seats != 2:
            return " ".join(f"{p:g}" for p in payoff)
        if payoff[0] == payoff[1]:
            return "0"
        return f"B+{payoff[0]:g}" if payoff[0] > payoff[1] else f"W+{payoff[1]:g}"

    # ---- moves ---------------------------------------------------------------------------------

    def do_genmove(self, command: protocol.Command) -> str:
        """COLOUR: the search's move, which is made; of a game that is over, see `last_word`."""
        if self.ended():
            return self.last_word(command.rest)
        move = self.choose_move(command.rest)
        self.make(move)
        return self.vertices.written(move)

    def do_reg_genmove(self, command: protocol.Command) -> str:
        """COLOUR: the search's move, which is not made."""
        if self.ended():
            return self.last_word(command.rest)
        return self.vertices.written(self.choose_move(command.rest))

    def ended(self) -> bool:
        """Return True if the game is over, and the other side may be a program for Go or Hex."""
        return self.state.turn == TERMINAL and self.vertices.naming != "own"

    def last_word(self, colour: str) -> str:
        """Resign for the side that has lost, else pass, as programs for Go or Hex end a game."""
        seat = protocol.seat_of(colour, self.seats)
        return protocol.RESIGN if self.state.payoff()[seat] < 0 else PASS

    def choose_move(self, colour: str) -> str:
        """The search's move, as the game writes it."""
        self.to_move(colour)
        if self.state.turn == CHANCE:
            raise ProtocolError("illegal move: chance is to move; say what it does by play")
        result = self.run.best(self.position, self.allowed(), self.seed)
        return str(result.move)

    def do_time_settings(self, command: protocol.Command) -> str:
        """MAIN BYO STONES: seconds; byo 0 is sudden death, byo with no stones is not a clock."""
        if len(command.arguments) != 3:
            raise ProtocolError("syntax error: time_settings MAIN_SECONDS BYO_SECONDS BYO_STONES")
        main, byo = (seconds(text) for text in command.arguments[:2])
        stones = whole(command.arguments[2], "a number of stones", 0, 10**9)
        self.times = None if byo and not stones else (main, byo, stones)
        self.left, self.increment = {}, 0.0
        return ""

    def do_dragon_increment(self, command: protocol.Command) -> str:
        """SECONDS: what every clock gains with each move; `time_settings` begins without."""
        self.increment = seconds(command.rest)
        return ""

    def do_time_left(self, command: protocol.Command) -> str:
        """COLOUR SECONDS STONES; stones 0: of the main time."""
        if len(command.arguments) != 3:
            raise ProtocolError("syntax error: time_left COLOUR SECONDS STONES")
        seat = protocol.seat_of(command.arguments[0], self.seats)
        stones = whole(command.arguments[2], "a number of stones", 0, 10**9)
        self.left[seat] = seconds(command.arguments[1]), stones
        return ""

    # ---- analysis ------------------------------------------------------------------------------

    def do_dragon_moves(self, command: protocol.Command) -> str:
        """Every legal move, a line each."""
        return "\n".join(self.vertices.written(str(move)) for move in self.state.moves())

    def do_dragon_analyze(self, command: protocol.Command) -> str:
        """[SECONDS]: value for the side to move, its kind (= ~ >= <=), nodes, and the line."""
        limit = self.allowed()
        if command.rest:
            limit = Limit(seconds=max(seconds(command.rest), LEAST))
        result = self.search.best(self.state, limit, self.seed)
        line = " ".join(self.vertices.written(str(move)) for move in result.line)
        return f"value {result.bound} {result.value:g} nodes {result.nodes} line {line}".rstrip()

    # ---- what they share -----------------------------------------------------------------------

    def named(self, spec: str) -> Game[Any]:
        """The game of a spec, which may only reach outside if the engine was started with it."""
        return self.typed if spec == str(self.typed) else config.game(spec, elsewhere=CONTROLLER)

    def to_move(self, colour: str) -> None:
        """Raise ProtocolError unless a colour is to move."""
        seat = protocol.seat_of(colour, self.seats)
        if self.state.turn == TERMINAL:
            raise ProtocolError("illegal move: the game is over")
        if seat != self.state.turn:
            turn = protocol.colour_of(self.state.turn, self.seats)
            raise ProtocolError(f"illegal move: {turn} is to move, not {colour}")

    def make(self, move: str) -> None:
        """Play a move in the game's notation, in any spelling; raise IllegalMove."""
        from dragon.rules.notation import parse_move

        chosen = parse_move(self.state, move)
        self.states.append(self.state.after(chosen))
        self.moves.append(str(chosen))

    def allowed(self) -> Limit:
        """The limit of the next move: what the clock leaves, or else the server's own."""
        if self.times is None:
            return self.limit
        main, byo, stones = self.times
        left, for_stones = self.left.get(self.state.turn, (main, 0) if main else (byo, stones))
        if for_stones == 1 and not main:  # a time for each move, all of which may be used
            return Limit(seconds=max(left - RESERVE, left / 2, LEAST))
        share = clock_share(left, for_stones or None, self.increment, RESERVE)
        if stones and not for_stones:
            share = max(min(share + byo / stones, left - RESERVE), share)
        return Limit(seconds=share)


def clock_share(left: float, moves: int | None, increment: float, reserve: float) -> float:
    """Return the seconds for the next move of what a clock has left.

    reserve: seconds that the way of each answer may take. They are taken from the increment, and
    those of all `moves`, or of four, are never planned with: a busy machine may hold an answer up
    several times.

    >>> clock_share(60, None, 1, 0.05), clock_share(0.1, None, 0.05, 0.05)
    (2.705833333333333, 0.0016666666666666668)
    """
    kept = min(max(4, moves or 0) * reserve, left / 2)
    wanted = move_time(left - kept, moves, max(0.0, increment - reserve))
    return max(min(wanted, left - reserve), LEAST)


def stdin_lines() -> Iterator[str]:
    """Yield the lines of stdin, of any bytes; nothing if there is no stdin."""
    for line in getattr(sys.stdin, "buffer", sys.stdin or ()):
        yield line.decode("utf-8", errors="replace") if isinstance(line, bytes) else line


def seconds(text: str) -> float:
    """A number of seconds; raises ProtocolError."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 <= found <= 10**9:
        raise ProtocolError(f"{text!r} is not a number of seconds")
    return found


def whole(text: str, what: str, least: int, most: int) -> int:
    """A whole number; raises ProtocolError."""
    if not (re.fullmatch(r"-?[0-9]{1,19}", text) and least <= int(text) <= most):
        raise ProtocolError(f"{text[:40]!r} is not {what}, a whole number from {least} to {most}")
    return int(text)
