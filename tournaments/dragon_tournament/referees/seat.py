"""A seat: one player at one place of one game. It asks, times and checks the player.

Below it, what all referees begin and end a game with: its seats, its first state, its record.
"""

from __future__ import annotations

import logging
import math
import time
import traceback
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from zlib import crc32

from attrs import define, field

from dragon.core import TERMINAL, Game, Limit, Position, Result, Run, Search, State
from dragon.errors import GameError
from dragon.modes import OPTIMISED
from dragon_tournament.interrupts import pressed
from dragon_tournament.pairing import Pairing
from dragon_tournament.records.in_flight import InFlightLog
from dragon_tournament.records.record import Reason, Record
from dragon_tournament.referees.guard import Forfeit, capped, guarded
from dragon_tournament.referees.stopwatch import Stopwatch
from dragon_tournament.tournament import Player, Tournament

log = logging.getLogger("dragon")
TINY = Limit(seconds=0.05, nodes=1, depth=1, simulations=1)
GRACE = 2.0
"""Seconds beyond limit and margin before the process of a player, which has lost, is ended."""
MOST_NODES = 10**18  # more nodes are none that were visited


@define
class Seat:
    """The resources that a player has used in a game, and its state between moves."""

    number: int
    player: Player
    tournament: Tournament
    notes: InFlightLog
    run: Run | None = None
    """The run of its search in this game, once it is ready."""
    nodes: int = 0
    seconds: float = 0.0
    made: int = 0
    """The number of moves for which its clock has been stopped."""
    remaining: float = field(init=False)
    """The seconds on its clock; without one, any number. Below 0 the margin is used."""

    def __attrs_post_init__(self) -> None:
        clock = self.player.clock
        self.remaining = math.inf if clock is None else clock.seconds

    @property
    def limit(self) -> Limit:
        """The limit of its next move."""
        clock, limit = self.player.clock, self.player.limit
        return limit if clock is None else clock.limit(limit, self.remaining, self.made)

    @property
    def patience(self) -> float:
        """The seconds before a question counts as never answered."""
        limit = self.player.limit.seconds
        seconds = min(math.inf if limit is None else limit, max(self.remaining, 0.0))
        if math.isinf(seconds):
            return self.tournament.stall
        return seconds + self.tournament.margin + GRACE

    @contextmanager
    def _blamed(self, *passed: type[Forfeit]) -> Iterator[None]:
        """Within, whatever is raised costs the player this one game.

        Also what else ends a process, or what only the referee may raise, unless it is `passed`;
        but not Ctrl-C.
        """
        try:
            yield
        except passed:
            raise
        except BaseException as wrong:
            if pressed(wrong):
                raise
            raise Forfeit(self.number, Reason.CRASH, traceback.format_exc()) from None

    @contextmanager
    def _forgiven(self, what: str) -> Iterator[None]:
        """Log what is raised within, which costs nothing but some time or memory."""
        try:
            yield
        except BaseException as wrong:
            if pressed(wrong):
                raise
            log.debug("%s failed to %s: %s", self.player.name, what, show(wrong))

    def prepare(self, game: Game[Any]) -> None:
        """Let the search get ready, on the clock `warmup` alone; raise Forfeit if it cannot."""
        self.notes.asked(self.number, self.tournament.warmup)
        try:
            with self._blamed(Forfeit), capped(self), self._blamed():
                self.run = self.player.search.open(game)
        finally:
            self.notes.answered(self.number, 0.0, 0)

    def ask(self, position: Position, seed: int) -> Result:
        """The player's last word on a position; raises Forfeit if it fails in any way."""
        assert self.run is not None  # it is prepared
        self.notes.asked(self.number, self.patience)
        watch, nodes = Stopwatch(), 0
        try:
            with self._blamed(Forfeit), guarded(self, position.state), self._blamed():
                result = self.run.best(position, self.limit, seed)
                nodes = _nodes_of(result)
        finally:
            seconds = watch.read()
            self.notes.answered(self.number, seconds, nodes)
            self.seconds += seconds
            self.nodes += nodes
        if not isinstance(result, Result):
            detail = f"{self.player.name} returned {show(result)}, not a Result"
            raise Forfeit(self.number, Reason.CRASH, detail)
        self._check_time(seconds)
        self._stop_clock(seconds)
        return result

    def hear(self, position: Position, seed: int) -> Generator[Result]:
        """The player's results as they come; `seconds` and `nodes` are up to date at each.

        Raises Forfeit if it fails in any way. Only its own work is timed, not what is made of
        a result meanwhile; a caller that needs no more results must close the stream.
        """
        self.notes.asked(self.number, self.patience)
        assert self.run is not None  # it is prepared
        limit = self.limit
        before, seconds, result = self.nodes, 0.0, None
        stream: Any = None
        try:
            while True:
                watch = Stopwatch()
                try:
                    with self._blamed(Forfeit), guarded(self, position.state), self._blamed():
                        if stream is None:
                            stream = iter(self.run.results(position, limit, seed))
                        following = next(stream, None)
                        if following is not None:
                            self.nodes = before + _nodes_of(following)
                finally:
                    passed = watch.read()
                    seconds += passed
                    self.seconds += passed
                if following is None and result is not None:
                    break
                if not isinstance(following, Result):
                    detail = f"{self.player.name} returned {show(following)}, not a Result"
                    raise Forfeit(self.number, Reason.CRASH, detail)
                self._check_time(seconds)
                result = following
                yield result
            self._check_time(seconds)
        finally:
            with self._forgiven("stop"):  # it has answered, whatever it has to say to that
                getattr(stream, "close", lambda: None)()
            self.notes.answered(self.number, seconds, self.nodes - before)
            self._stop_clock(seconds)

    def _check_time(self, seconds: float) -> None:
        """Raise Forfeit if a question that took so long has overstepped clock or limit."""
        allowed, margin = self.player.limit.seconds, self.tournament.margin
        clock, over = self.player.clock, seconds - self.remaining
        if clock is not None and over > margin:
            detail = (
                f"its clock, {clock}, was overstepped by {over:.3f} seconds, "
                f"{seconds:.3f} of them in the last move; a margin of {margin:g} is allowed"
            )
            raise Forfeit(self.number, Reason.TIMEOUT, detail)
        if allowed is not None and seconds > allowed + margin:
            detail = (
                f"took {seconds:.3f} seconds; {allowed:g} and a margin of {margin:g} are allowed"
            )
            raise Forfeit(self.number, Reason.TIMEOUT, detail)

    def _stop_clock(self, seconds: float) -> None:
        """Take the time of a move from the clock, and add the increment after it."""
        self.made += 1
        self.remaining -= seconds
        if self.player.clock is not None:
            self.remaining += self.player.clock.gain(self.made)

    def position(self, state: State[Any], start: State[Any], moves: tuple[str, ...]) -> Position:
        """The position that it searches: a state, the moves before, and its clock."""
        clock = self.player.clock
        if clock is None:
            return Position(state, start, moves)
        left = clock.left(self.made)
        return Position(state, start, moves, self.remaining, left, clock.increment)

    def play_line(
        self, state: State[Any], line: Iterable[Any]
    ) -> tuple[list[str], list[State[Any]]]:
        """The texts of a line's moves, and all its states; raises Forfeit if not legal."""
        texts, states = list[str](), [state]
        for move in line:
            if state.turn == TERMINAL:
                detail = f"{self.player.name} goes on with {show(move, str)} after the end, {state}"
                raise Forfeit(self.number, Reason.ILLEGAL, detail)
            text, state = self.step(state, move)
            texts.append(text)
            states.append(state)
        return texts, states

    def leave(self) -> None:
        """Let the search give back the memory of the game, which is over."""
        run, self.run = self.run, None
        with self._forgiven("close"):
            if run is not None:
                run.close()

    def step(self, state: State[Any], move: Any) -> tuple[str, State[Any]]:
        """The text of the player's move, and the state after it; raises Forfeit if not legal."""
        moves, text = state.moves(), None
        shown = "no move" if move is None else show(move)
        try:
            if move is not None and move in moves:
                text = str.__str__(move) if isinstance(move, str) else str(move)
                text.encode()
        except BaseException as wrong:  # a move may be any object, with any == and hash
            if pressed(wrong):
                raise
            text, shown = None, f"{shown}: {type(wrong).__name__}: {show(wrong, str)}"
        if text is not None:
            try:
                return text, state.after(move)
            except GameError as wrong:
                shown += f": {wrong}"
        some = ", ".join(str(m) for m in moves[:8])
        detail = f"{self.player.name} gave {shown} in {state}; legal: {some}"
        raise Forfeit(self.number, Reason.ILLEGAL, detail)


def show(value: Any, by: Any = repr) -> str:
    """A player's object as text, even if it refuses."""
    try:
        text = str(by(value))
    except BaseException as wrong:  # the repr of a player's object
        if pressed(wrong):
            raise
        text = f"an object whose text raises {type(wrong).__name__}"
    return text if len(text) <= 200 else text[:200] + "..."


def _nodes_of(result: Any) -> int:
    """The nodes of a result, 0 without one; raise ValueError where they are not a count."""
    nodes = int(result.nodes) if isinstance(result, Result) else 0
    if not 0 <= nodes <= MOST_NODES:
        raise ValueError(f"the result's nodes must be a count from 0 to {MOST_NODES:.0e}")
    return nodes


_ready: set[tuple[str, str]] = set()
SOON = 10.0
"""Seconds in which a warm-up comes back, well or not, unless the player hangs or has to compile."""
TRIES = 2
"""Warm-ups of a player in a run, as long as none comes back soon."""


def warm_up(seat: Seat, game: Game[Any]) -> None:
    """Tiny searches, once in a process, so that no game pays for compiling.

    They are of one run: also the code that reuses memory is compiled. It searches the start, the
    start again (where all memory is reused), then a position two plies later.
    """
    key = (str(game), str(seat.player.search))
    if key in _ready:
        return
    _ready.add(key)
    note = f"warm-up-{crc32(repr(key).encode()):08x}"
    tried = seat.notes.shared(note, "tried\n")
    if "soon" not in tried and tried.count("tried") >= TRIES:
        return  # it hangs: no further process waits for it
    start = time.monotonic()
    seat.notes.asked(seat.number, seat.tournament.warmup)
    try:
        # The game will show it, and record it.
        with seat._forgiven("warm up"), capped(seat), OPTIMISED.under("1"):
            _rehearse(seat.player.search, game, game.start(0))
        if time.monotonic() < start + SOON:
            seat.notes.shared(note, "soon\n")
    finally:
        seat.notes.answered(seat.number, 0.0, 0)


def _rehearse(search: Search, game: Game[Any], start: State[Any]) -> None:
    with search.open(game) as run:
        run.best(Position(start, start), TINY)
        result = run.best(Position(start, start), TINY)
        state, line = start, list[str]()
        for move in (result.move, None):
            if state.turn != TERMINAL:
                made = state.moves()[0] if move is None else move
                state = state.after(made)
                line.append(str(made))
        if state.turn != TERMINAL:
            run.best(Position(state, start, tuple(line)), TINY)


# ---- the beginning and the end of a game --------------------------------------------------------


def seats_of(tournament: Tournament, pairing: Pairing, notes: InFlightLog) -> list[Seat]:
    """The seats of a game, fresh."""
    return [
        Seat(number, tournament.player(name), tournament, notes)
        for number, name in enumerate(pairing.seats)
    ]


def first_state(tournament: Tournament, pairing: Pairing) -> State[Any]:
    """The state before the opening's moves."""
    game, position = tournament.game, pairing.position
    return game.parse(position) if position else game.start(pairing.deal)


def finite(payoff: tuple[float, ...]) -> tuple[float, ...]:
    """Return payoffs as plain finite floats; raise ValueError otherwise: the game is at fault."""
    numbers = tuple(float(p) for p in payoff)
    if not all(math.isfinite(p) for p in numbers):
        raise ValueError(f"the game pays {numbers}, which is not finite")
    return numbers


def record_of(
    tournament: Tournament, pairing: Pairing, seats: list[Seat], **outcome: Any
) -> Record:
    """The record of a game: what the pairing and the seats say, and its outcome."""
    return Record(
        id=pairing.id,
        game=str(tournament.instance_of(pairing).game),
        seats=pairing.seats,
        opening=pairing.opening,
        position=pairing.position,
        nodes=tuple(seat.nodes for seat in seats),
        seconds=tuple(round(seat.seconds, 6) for seat in seats),
        seed=pairing.seed,
        deal=pairing.deal,
        index=pairing.index,
        **outcome,
    )
