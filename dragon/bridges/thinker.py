"""Thinker: a game, a run of a search, and the thread in which it thinks, for protocols of engines.

A search yields when it has something to say, which may be seconds later; a thread leaves the
protocol free to read `stop` meanwhile, which ends the search at its next look at the clock.
"""

from __future__ import annotations

import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any

import attrs

from dragon.core import (
    TERMINAL,
    Bound,
    Game,
    Limit,
    Position,
    Result,
    Run,
    Search,
    State,
    Trait,
)
from dragon.errors import DragonError, Objection
from dragon.gtp.server import LEAST, stdin_lines
from dragon.modes import OPTIMISED
from dragon.rules.notation import parse_move
from dragon.rules.record import Moves
from dragon.search.alphabeta.search import AlphaBeta
from dragon.search.budget import FOREVER, Budget, unwanted

ENDLESS = 1e7
"""Seconds, 115 days: the limit of a search that goes on until it is stopped."""
FIRST_NODES = 64
"""Nodes for each move in the first round of `ranked`, where a search does not have a depth."""
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


def unclaimed(game: Game[Any], state: State[Any]) -> State[Any]:
    """A chess position that is drawn by repetition or by fifty moves, with its counts at zero.

    By the laws of chess such a draw has to be claimed, and programs may play on without a claim.
    Every other state is returned as it is.
    """
    if state.turn != TERMINAL or game.name != "chess":
        return state
    fen = str(state).split()
    fresh = game.parse(" ".join([*fen[:4], "0", fen[5]]))
    return state if fresh.turn == TERMINAL else fresh


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


def moves_to_mate(result: Result, state: State[Any]) -> int | None:
    """The winner's moves to a proven win of all, negative for a loss; None for other results."""
    distance: int | None = result.extra.get("distance")
    if distance is None or result.bound is not Bound.EXACT or abs(share_of(result, state)) < 1:
        return None
    return (distance + 1) // 2 if result.value > 0 else -(distance // 2)


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
        self.thinking = self.run
        """The run of the last search."""
        self._texts: list[str] = []
        """The moves since the start as the other program has written them."""
        start = game.start(seed)
        self.position = Position(start, start)
        self._begun = start
        """The start as the other program has set it up."""
        self._endless = False
        self._thread: threading.Thread | None = None
        self._alarm: threading.Timer | None = None

    def begin(self) -> None:
        """Begin a new game; the memory of the search is emptied."""
        self.run.close()
        self.run = self.search.open(self.game)
        start = self.game.start(self.seed)
        self.position, self._texts, self._begun = Position(start, start), [], start

    def change(self, search: Search) -> None:
        """Think by another search from now on; raises Objection."""
        search.check(self.game)
        self.search = search
        self.run.close()
        self.run = search.open(self.game)

    def set_up(self, start: State[Any], texts: list[str], claimed: bool = True) -> None:
        """Show the position after some moves; raises GameError, and the old one stays.

        claimed: False if a draw that has to be claimed ends no game, which then has a new start.
        """
        known, begun = self.position, len(self._texts)
        if self._begun == start and self._texts == texts[:begun]:  # a game goes on
            first, state, made = known.start, known.state, [*known.moves]
        else:
            first = state = start if claimed else unclaimed(self.game, start)
            made, begun = [], 0
        for text in texts[begun:]:
            move = read_move(state, text)
            made.append(str(move))
            state = state.after(move)
            if not claimed and (fresh := unclaimed(self.game, state)) is not state:
                first, state, made = fresh, fresh, []
        self.position, self._texts = Position(state, first, tuple(made)), [*texts]
        self._begun = start

    @property
    def busy(self) -> bool:
        """True while it thinks."""
        return self._thread is not None and self._thread.is_alive()

    def think(
        self,
        limit: Limit,
        shown: Callable[[Position, Result, int], None],
        ended: Callable[[Position, Result | None, str], None],
        lines: int = 1,
        among: Sequence[Any] = (),
        full_width: bool = False,
    ) -> None:
        """Search in a thread; `shown` is called for each result and its rank, `ended` with the
        last of rank 1, and a sentence if the search failed.

        lines: results to show, of the best moves, in each round; among: the only moves that count;
        full_width: whether nothing may be left out that the search leaves out by a guess.
        Raises Objection where moves have to be compared and the search does not give values.
        """
        self.stop()
        self._endless = limit.seconds == ENDLESS
        position = self.position
        apart = lines > 1 or bool(among)
        search = _at_full_width(self.search) if full_width else self.search
        # A run of its own: entries of the table may come from a search that has left moves out.
        run = self.thinking = self.run if search == self.search else search.open(self.game)
        if apart and not self.search.values:
            raise Objection(f"{self.search} gives no values, by which moves could be compared")

        def work() -> None:
            last, sentence = None, ""
            try:
                for best in (
                    ranked(run, position, among or position.state.moves(), limit, self.seed)
                    if apart
                    else ([each] for each in run.results(position, limit, self.seed))
                ):
                    last = best[0]
                    for rank, each in enumerate(best[:lines], 1):
                        shown(position, each, rank)
                    if unwanted.is_set():
                        break
            except DragonError as wrong:
                sentence = " ".join(str(wrong).split())
            finally:
                unwanted.clear()  # other searches of this process go on
            ended(position, last, sentence)
            if run is not self.run:
                run.close()

        self._thread = threading.Thread(target=work)
        self._thread.start()

    def stop_in(self, seconds: float) -> None:
        """End the search that is in progress after this number of seconds."""
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

    def finish(self) -> None:
        """Wait for the search that is on, but end one that only another line would end."""
        if self._endless:
            self.stop()
        self.wait()

    def close(self) -> None:
        """End the search and free its memory."""
        self.stop()
        self.run.close()


class Server(ABC):
    """A conversation in which dragon is the engine: lines in, lines out."""

    def __init__(self, thinker: Thinker, say: Any = print) -> None:
        self.thinker, self.say = thinker, say

    @abstractmethod
    def answer(self, words: list[str]) -> bool:
        """Answer a line; return False for `quit`."""

    def serve(self) -> None:
        """Answer stdin on stdout until `quit` or its end, and close."""
        try:
            with OPTIMISED.under("1"):  # no move by the clock waits for better code
                if all(self.answer(line.split()) for line in stdin_lines()):
                    self.hold = False
                    self.thinker.finish()  # its answer may still be wanted by a pipe
        finally:
            self.hold = False
            self.thinker.close()

    hold = False
    """True while an answer must wait for another line."""

    def _send(self, line: str) -> None:
        self.say(line, flush=True)


def ranked(
    run: Run, position: Position, moves: Sequence[Any], limit: Limit, seed: int
) -> Iterator[list[Result]]:
    """Yield the results of some moves, the best first, in rounds that look ever further ahead.

    Each move is searched by itself, so that every search with values can be used; alpha-beta has
    one table for all. Nodes and seconds are those of all moves. A round that the limit has cut
    short is dropped, except for the first, which leaves out moves once the nodes are spent.
    """
    budget, order = Budget(limit), [*moves]
    deep = {"depth", "simulations"} & run.search.limits == {"depth"}
    for effort in count(1):
        found: list[Result] = []
        for place, move in enumerate(order):
            nodes = None if limit.nodes is None else max(1, limit.nodes - budget.nodes)
            if nodes is not None and effort == 1:
                nodes = max(1, nodes // (len(order) - place))
            if not deep:
                nodes = min(FIRST_NODES << effort, nodes or FOREVER)
            seconds = None if limit.seconds is None else max(budget.left, LEAST)
            depth = effort if deep else limit.depth
            result = _through(run, position, move, Limit(seconds, nodes, depth), seed)
            budget.nodes += result.nodes
            if effort > 1 and budget.spent():
                return
            found.append(result)
            if limit.nodes is not None and budget.nodes >= limit.nodes:
                break  # each simulation has many nodes: the last moves may be left out
        found.sort(key=lambda each: -each.value)
        yield [attrs.evolve(each, nodes=budget.nodes, seconds=budget.seconds) for each in found]
        done = limit.depth is not None and deep and effort + 1 >= limit.depth
        if done or all(each.bound is Bound.EXACT for each in found) or budget.spent():
            return
        order = [each.move for each in found]


def _through(run: Run, position: Position, move: Any, limit: Limit, seed: int) -> Result:
    state, seat = position.state, position.state.turn
    after = state.after(move)
    if after.turn == TERMINAL:
        extra = {"depth": 1, "distance": 1}
        return Result(after.payoff()[seat], Bound.EXACT, (move,), extra=extra)
    there = attrs.evolve(position, state=after, moves=(*position.moves, str(move)))
    found = run.best(there, limit, seed)
    other = after.turn != seat
    extra = {name: found.extra[name] + 1 for name in ("depth", "distance") if name in found.extra}
    return attrs.evolve(
        found,
        value=-found.value if other else found.value,
        bound=found.bound.turned if other else found.bound,
        line=(move, *found.line),
        extra=extra,
    )


def _at_full_width(search: Search) -> Search:
    """The search without reductions and pruning by a guess, which may hide a mate."""
    if not isinstance(search, AlphaBeta):
        return search
    return attrs.evolve(search, late=False, null=False, futility=0.0)


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
