"""Seat: one player at one place of one game. It asks, times and checks the player."""

from __future__ import annotations

import logging
import time
import traceback
from typing import Any

from attrs import Factory, define

from dragon.core import TERMINAL, Game, Limit, Result, State
from dragon.errors import GameError, PlayerCrashed
from dragon_tournament.journal import Journal
from dragon_tournament.record import Reason
from dragon_tournament.tournament import Player, Tournament

log = logging.getLogger("dragon")
TINY = Limit(seconds=0.05, nodes=1, depth=1, simulations=1)
GRACE = 2.0
"""Seconds beyond limit and margin before the process is ended: it has lost on time already."""
LONGEST_DETAIL = 4000  # characters


class Forfeit(PlayerCrashed):
    """A seat loses its game: why, and what happened."""

    def __init__(self, seat: int, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.seat, self.reason, self.detail = seat, reason, detail[-LONGEST_DETAIL:]


@define
class Seat:
    """What a player has used up in a game, and what it carries from move to move."""

    number: int
    player: Player
    tournament: Tournament
    journal: Journal
    memory: dict[str, Any] = Factory(dict)
    nodes: int = 0
    seconds: float = 0.0

    @property
    def patience(self) -> float:
        """Seconds before a question counts as never answered."""
        seconds = self.player.limit.seconds
        if seconds is None:
            return self.tournament.stall
        return seconds + self.tournament.margin + GRACE

    def ask(self, state: State[Any], seed: int) -> Result:
        """The player's last word on `state`; raises Forfeit if it fails in any way."""
        self.journal.asked(self.number, self.patience)
        start, nodes = time.perf_counter(), 0
        try:
            result = self.player.search.best(state, self.player.limit, seed, memory=self.memory)
            if isinstance(result, Result):
                nodes = int(result.nodes)
        except KeyboardInterrupt:  # the user's, when games are played in the runner's own process
            raise
        except BaseException:  # whatever a player raises, SystemExit too, costs it this one game
            raise Forfeit(self.number, Reason.CRASH, traceback.format_exc()) from None
        finally:
            seconds = time.perf_counter() - start
            self.journal.answered(self.number, seconds, nodes)
            self.seconds += seconds
            self.nodes += nodes
        if not isinstance(result, Result):
            detail = f"{self.player.name} returned {_show(result)}, not a Result"
            raise Forfeit(self.number, Reason.CRASH, detail)
        self._hold_to_time(seconds)
        return result

    def _hold_to_time(self, seconds: float) -> None:
        allowed = self.player.limit.seconds
        if allowed is not None and seconds > allowed + self.tournament.margin:
            margin = self.tournament.margin
            detail = (
                f"took {seconds:.3f} seconds; {allowed:g} and a margin of {margin:g} are allowed"
            )
            raise Forfeit(self.number, Reason.TIMEOUT, detail)

    def leave(self) -> None:
        """Lets the search give back what it has kept of the game, which is over."""
        try:
            self.player.search.forget(self.memory)
        except KeyboardInterrupt:
            raise
        except BaseException as wrong:  # nothing is lost but some memory
            log.debug("%s failed to forget: %s", self.player.name, _show(wrong))

    def step(self, state: State[Any], move: Any) -> State[Any]:
        """The state after the player's move; raises Forfeit if it is not legal."""
        moves = state.moves()
        shown = "no move" if move is None else _show(move)
        try:
            legal = move is not None and move in moves
        except KeyboardInterrupt:
            raise
        except BaseException as wrong:  # a move may be any object, with any == and hash
            legal, shown = False, f"{shown}: {type(wrong).__name__}: {_show(wrong, str)}"
        if legal:
            try:
                return state.after(move)
            except GameError as wrong:
                shown += f": {wrong}"
        some = ", ".join(str(m) for m in moves[:8])
        detail = f"{self.player.name} gave {shown} in {state}; legal: {some}"
        raise Forfeit(self.number, Reason.ILLEGAL, detail)


def _show(value: Any, show: Any = repr) -> str:
    """A player's object as text, even if it refuses."""
    try:
        text = str(show(value))
    except Exception as wrong:  # a repr of somebody else's
        text = f"an object whose text raises {type(wrong).__name__}"
    return text if len(text) <= 200 else text[:200] + "..."


_ready: set[tuple[str, str]] = set()


def warm_up(seat: Seat, game: Game[Any]) -> None:
    """Tiny searches, once in a process, so that no game pays for compiling.

    They share a memory: what a search does with what it keeps is compiled too. It is asked
    for the start, for the start again (whatever it kept is of use there), then two plies on.
    """
    key = (str(game), str(seat.player.search))
    if key in _ready:
        return
    _ready.add(key)
    seat.journal.asked(seat.number, seat.tournament.warmup)
    try:
        state, memory = game.start(0), dict[str, Any]()
        seat.player.search.best(state, TINY, seed=0, memory=memory)
        result = seat.player.search.best(state, TINY, seed=0, memory=memory)
        for move in (result.move, None):
            if state.turn != TERMINAL:
                state = state.after(state.moves()[0] if move is None else move)
        if state.turn != TERMINAL:
            seat.player.search.best(state, TINY, seed=0, memory=memory)
    except KeyboardInterrupt:
        raise
    except BaseException as wrong:  # the game will show it, and record it
        log.debug("%s failed while warming up: %s", seat.player.name, _show(wrong))
    finally:
        seat.journal.answered(seat.number, 0.0, 0)
