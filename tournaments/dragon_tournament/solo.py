"""Race and estimate: matches whose opponents never meet; each works alone on one instance."""

from __future__ import annotations

import math
import traceback
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from attrs import frozen

from dragon.core import TERMINAL, Game, State, Trait
from dragon_tournament.journal import NOBODY, Casualty, Journal
from dragon_tournament.record import FAILURES, Reason, Record, share
from dragon_tournament.referee import finite, opened, record_of, seats_of
from dragon_tournament.schedule import MOVE, Pairing, seed_of
from dragon_tournament.seat import LONGEST_DETAIL, Forfeit, Seat, warm_up
from dragon_tournament.tournament import Tournament

TICK = 0.01
"""Seconds; of equally good answers the quicker wins, but not by less than the clock's tick."""
EXACT = 1e-9
"""An error below this is rounding."""


@frozen
class Attempt:
    """What one player made of the instance."""

    score: float
    line: tuple[str, ...] = ()
    reason: Reason = Reason.TERMINAL
    detail: str = ""


@frozen
class Solo(ABC):
    """What race and estimate share: everybody tries, the best score wins, then the quicker."""

    name: ClassVar[str]
    needs_reference: ClassVar[bool] = False

    @abstractmethod
    def suits(self, game: Game[Any]) -> bool:
        """Whether it can judge this game, by the game's traits."""

    @abstractmethod
    def attempt(
        self, tournament: Tournament, pairing: Pairing, seat: Seat, state: State[Any]
    ) -> Attempt:
        """One player's answer, judged; raises Forfeit."""

    def seats(self, game: Game[Any]) -> int | None:
        """Any number: nobody sits across."""
        return None

    def play(
        self,
        tournament: Tournament,
        pairing: Pairing,
        journal: Journal,
        casualties: tuple[Casualty, ...] = (),
    ) -> Record:
        """Every player's attempt at the same instance."""
        seats = seats_of(tournament, pairing, journal)
        try:
            state = opened(tournament.game.start(pairing.deal), pairing)
            worst = -float(state.largest)
            attempts = [
                self._guarded(tournament, pairing, seat, state, worst, casualties) for seat in seats
            ]
        except Exception:  # the game's own rules, or the reference: no player is to blame
            detail = traceback.format_exc()[-LONGEST_DETAIL:]
            attempts = [Attempt(0.0, reason=Reason.ADJUDICATED, detail=detail)] * len(seats)
        return _judge(tournament, pairing, seats, attempts)

    def _guarded(
        self,
        tournament: Tournament,
        pairing: Pairing,
        seat: Seat,
        state: State[Any],
        worst: float,
        casualties: tuple[Casualty, ...],
    ) -> Attempt:
        for fallen in casualties:
            if fallen.seat == NOBODY:
                return Attempt(0.0, reason=Reason.ADJUDICATED, detail=fallen.detail)
            if fallen.seat == seat.number:
                return Attempt(worst, reason=fallen.reason, detail=fallen.detail)
        try:
            warm_up(seat, tournament.game)
            return self.attempt(tournament, pairing, seat, state)
        except Forfeit as lost:
            return Attempt(worst, reason=lost.reason, detail=lost.detail)


def _judge(
    tournament: Tournament, pairing: Pairing, seats: list[Seat], attempts: Sequence[Attempt]
) -> Record:
    failed = tuple(i for i, a in enumerate(attempts) if a.reason in FAILURES)
    teams = tuple(range(len(seats)))
    keys = [
        (i not in failed, a.score, -round(seat.seconds / TICK) if i not in failed else 0)
        for i, (a, seat) in enumerate(zip(attempts, seats, strict=True))
    ]
    blamed = [attempts[i].reason for i in failed] + [a.reason for a in attempts]
    told = [
        f"{seat.player.name}: {a.detail}"
        for a, seat in zip(attempts, seats, strict=True)
        if a.detail
    ]
    return record_of(
        tournament, pairing, seats,
        teams=teams,
        moves=[a.line for a in attempts],
        scores=tuple(a.score for a in attempts),
        points=share(keys, teams),
        reason=blamed[0],
        failed=failed,
        detail="\n".join(told)[:LONGEST_DETAIL],
    )  # fmt: skip


@frozen
class Race(Solo):
    """One seat, no luck: the claimed line is replayed as certificate; payoff, then seconds."""

    name: ClassVar[str] = "race"

    def suits(self, game: Game[Any]) -> bool:
        """Games of one seat in which nothing is left to chance."""
        return Trait.SOLO in game.traits and Trait.CHANCE not in game.traits

    def attempt(
        self, tournament: Tournament, pairing: Pairing, seat: Seat, state: State[Any]
    ) -> Attempt:
        """Replays the line; where it stops short of the end, the player is asked again there."""
        line: list[str] = []
        while state.turn != TERMINAL:
            if tournament.plies is not None and len(line) >= tournament.plies:
                detail = f"{tournament.plies} plies without an end"
                return Attempt(-float(state.largest), tuple(line), Reason.ADJUDICATED, detail)
            claimed = seat.ask(state, seed_of(MOVE, pairing.seed, len(line), seat.number)).line
            for move in claimed or (None,):
                if state.turn == TERMINAL:
                    detail = f"{seat.player.name} goes on with {move!s} after the end, {state}"
                    raise Forfeit(seat.number, Reason.ILLEGAL, detail)
                state = seat.step(state, move)
                line.append(str(move))
        return Attempt(finite(state.payoff())[0], tuple(line))


@frozen
class Estimate(Solo):
    """One seat and chance: who estimates the value with the least error, then the quicker."""

    name: ClassVar[str] = "estimate"
    needs_reference: ClassVar[bool] = True

    def suits(self, game: Game[Any]) -> bool:
        """Games of one seat with chance."""
        return Trait.SOLO in game.traits and Trait.CHANCE in game.traits

    def attempt(
        self, tournament: Tournament, pairing: Pairing, seat: Seat, state: State[Any]
    ) -> Attempt:
        """The distance of the claimed value from the reference's, as a negative score."""
        result = seat.ask(state, seed_of(MOVE, pairing.seed, 0, seat.number))
        try:
            value = float(result.value)
        except (TypeError, ValueError):
            value = math.nan
        if not math.isfinite(value):
            detail = f"{seat.player.name} claims {result.value!r}, which is not a number"
            raise Forfeit(seat.number, Reason.CRASH, detail)
        truth = self._truth(tournament, state)
        error = abs(value - truth)
        detail = f"estimates {value:.6g}, the value is {truth:.6g}"
        return Attempt(-error if error > EXACT else 0.0, detail=detail)

    def _truth(self, tournament: Tournament, state: State[Any]) -> float:
        assert tournament.reference is not None
        key = (str(tournament.reference), state)
        if key not in _truths:
            _truths.clear()  # the instance changes rarely; one is enough
            _truths[key] = float(tournament.reference.best(state).value)
        return _truths[key]


_truths: dict[Any, float] = {}
