"""Thinker: a game, a run of a search, and the thread in which it thinks, for protocols of engines.

A search yields when it has something to say, which may be seconds later; a thread leaves the
protocol free to read `stop` meanwhile, which ends the search at its next look at the clock.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from typing import Any

import attrs

from dragon.core import (
    TERMINAL,
    Bound,
    Game,
    Limit,
    Position,
    Result,
    Search,
    State,
    Trait,
    move_time,
)
from dragon.errors import DragonError, Objection
from dragon.rules.notation import parse_move
from dragon.rules.record import Moves
from dragon.search.budget import unwanted

ENDLESS = 1e7
"""Seconds, 115 days: the limit of a search that goes on until it is stopped."""
LEAST = 0.001
"""Seconds of a move when no time is left."""
HALF = 1500.0
"""Centipawns of a value half of the largest."""
MOST_CENTIPAWNS = 20_000


def coordinates(state: State[Any], move: Any) -> str:
    """A move as these protocols write it: by its cells (`e2e4`, `b7b8q`), else as the game does.

    Spaces become underscores, since a protocol separates moves by spaces.
    """
    notation = getattr(getattr(state, "rules", None), "notation", None)
    if notation is not None and hasattr(notation, "coordinates"):
        code = state.code(move)
        if (text := notation.coordinates(state.view, code)) is not None:  # type: ignore[attr-defined]
            return str(text)
    return str(move).replace(" ", "_")


def all_coordinates(state: State[Any]) -> list[str]:
    """The coordinates of all legal moves, without the texts of the game where they have cells."""
    moves = state.moves()
    notation: Any = getattr(getattr(state, "rules", None), "notation", None)
    if not isinstance(moves, Moves) or not hasattr(notation, "coordinates"):
        return [coordinates(state, move) for move in moves]
    view = state.view  # type: ignore[attr-defined]
    found = [notation.coordinates(view, code) for code in moves.codes.tolist()]
    return [coordinates(state, move) for move in moves] if None in found else found


def read_move(state: State[Any], text: str) -> Any:
    """The legal move that `coordinates` writes as `text`; raises GameError."""
    if "_" in text and (plain := text.replace("_", " ")) in map(str, state.moves()):
        return parse_move(state, plain)
    return parse_move(state, text)


def centipawns(share: float) -> int:
    """Return a value, as a share of the largest payoff, in hundredths of a pawn.

    The inverse of the curve by which the evaluation of chess reaches 1: x / (1500 + x).

    >>> centipawns(0), centipawns(0.0625), centipawns(-1)
    (0, 100, -20000)
    """
    if abs(share) >= 1:
        return int(math.copysign(MOST_CENTIPAWNS, share))
    points = HALF * share / (1 - abs(share))
    return round(max(-MOST_CENTIPAWNS, min(MOST_CENTIPAWNS, points)))


def from_centipawns(points: float) -> float:
    """Return the value that `centipawns` writes, as a share of the largest payoff.

    >>> from_centipawns(100)
    0.0625
    """
    return points / (HALF + abs(points))


def share_of(result: Result, state: State[Any]) -> float:
    """The value of a result for the seat to move, as a share of the largest payoff."""
    return result.value / state.largest


def clock_share(left: float, moves: int | None, increment: float, reserve: float) -> float:
    """Return the seconds for the next move of what a clock has left.

    reserve: seconds that the way of each answer may take. They are taken from the increment, and
    four of them are never planned with: a busy machine may hold an answer up several times.

    >>> clock_share(60, None, 1, 0.05), clock_share(0.1, None, 0.05, 0.05)
    (2.705833333333333, 0.0016666666666666668)
    """
    kept = min(4 * reserve, left / 2)
    wanted = move_time(left - kept, moves, max(0.0, increment - reserve))
    return max(min(wanted, left - reserve), LEAST)


def plies_to_mate(result: Result, state: State[Any]) -> int | None:
    """The plies to a proven win or loss of all, negative for a loss; None for other results."""
    distance = result.extra.get("distance")
    if distance is None or result.bound is not Bound.EXACT or abs(share_of(result, state)) < 1:
        return None
    return int(math.copysign(distance, result.value))


class Thinker:
    """A position and a run, which a thread searches."""

    def __init__(self, game: Game[Any], search: Search, limit: Limit, seed: int = 0) -> None:
        """limit: that of each move for which the other program sets none."""
        if len(game.teams) != 2 or not {Trait.CHANCE, Trait.HIDDEN}.isdisjoint(game.traits):
            raise Objection(
                f"{game} is not a game of two seats without chance and hidden information, the "
                "only ones that these protocols know; `dragon lines` plays any game"
            )
        self.game, self.search, self.limit, self.seed = game, search, limit, seed
        self.run = search.open(game)
        self._texts: list[str] = []
        """The moves since the start as the other program has written them."""
        start = game.start(seed)
        self.position = Position(start, start)
        self._thread: threading.Thread | None = None
        self._alarm: threading.Timer | None = None

    def begin(self) -> None:
        """Begin a new game; the memory of the search is emptied."""
        self.run.close()
        self.run = self.search.open(self.game)
        start = self.game.start(self.seed)
        self.position, self._texts = Position(start, start), []

    def change(self, search: Search) -> None:
        """Think by another search from now on; raises Objection."""
        search.check(self.game)
        self.search = search
        self.run.close()
        self.run = search.open(self.game)

    def set_up(self, start: State[Any], texts: list[str]) -> None:
        """Show the position after some moves; raises GameError, and the old one stays."""
        known, begun = self.position, len(self._texts)
        if known.start == start and self._texts == texts[:begun]:  # a game goes on
            state, made = known.state, [*known.moves]
        else:
            state, made, begun = start, [], 0
        for text in texts[begun:]:
            move = read_move(state, text)
            made.append(str(move))
            state = state.after(move)
        self.position, self._texts = Position(state, start, tuple(made)), [*texts]

    @property
    def busy(self) -> bool:
        """True while it thinks."""
        return self._thread is not None and self._thread.is_alive()

    def think(
        self,
        limit: Limit,
        shown: Callable[[Position, Result], None],
        ended: Callable[[Position, Result | None, str], None],
    ) -> None:
        """Search in a thread; `shown` is called for each result, `ended` with the last.

        The third argument of `ended` is a sentence if the search failed.
        """
        self.stop()
        position = self.position

        def search() -> None:
            last, sentence = None, ""
            try:
                for last in self.run.results(position, limit, self.seed):
                    shown(position, last)
                    if unwanted.is_set():
                        break
            except DragonError as wrong:
                sentence = " ".join(str(wrong).split())
            finally:
                unwanted.clear()  # other searches of this process go on
            ended(position, last, sentence)

        self._thread = threading.Thread(target=search)
        self._thread.start()

    def stop_in(self, seconds: float) -> None:
        """End the search that is on when so many seconds have passed."""
        thread = self._thread
        self._alarm = threading.Timer(seconds, lambda: self._end(thread))
        self._alarm.daemon = True
        self._alarm.start()

    def _end(self, thread: threading.Thread | None) -> None:
        """Ask a search to end, if it is still on."""
        if thread is not None and thread is self._thread and thread.is_alive():
            unwanted.set()

    def stop(self) -> None:
        """End the search that is on, if any, and wait for its answer."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self._thread is not None:
            self._end(self._thread)
            self._thread.join()
            self._thread = None
            unwanted.clear()

    def wait(self) -> None:
        """Wait until the search that is on has ended."""
        if self._thread is not None:
            self._thread.join()

    def close(self) -> None:
        """End the search and free its memory."""
        self.stop()
        self.run.close()


def walked(position: Position, line: tuple[Any, ...]) -> Iterator[str]:
    """Yield the moves of a line as `coordinates` writes them."""
    state = position.state
    for move in line:
        if state.turn == TERMINAL:
            return
        yield coordinates(state, move)
        state = state.after(move)


def with_setting(search: Search, name: str, value: Any) -> Search:
    """The search with another setting; raises ConfigError."""
    from dragon.config import build

    given = {a.alias: getattr(search, a.name) for a in attrs.fields(type(search))}
    return build(type(search), {**given, name: value})
