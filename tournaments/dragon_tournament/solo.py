"""Race and estimate: matches whose opponents never meet; each works alone on one instance."""

from __future__ import annotations

import math
import traceback
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from attrs import frozen

from dragon.core import TERMINAL, Bound, Game, Limit, State, Trait
from dragon.errors import TournamentError
from dragon_tournament.journal import NOBODY, Casualty, Journal
from dragon_tournament.record import FAILURES, Reason, Record, share
from dragon_tournament.referee import finite, opened, record_of, seats_of
from dragon_tournament.schedule import MOVE, Pairing, seed_of
from dragon_tournament.seat import GRACE, LONGEST_DETAIL, Forfeit, Seat, warm_up
from dragon_tournament.tournament import Tournament

TICK = 0.01
"""Seconds; of equally good answers the quickest wins, and all that took at most so much longer."""
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
        """One player's answer, judged; raises Forfeit, or TournamentError if it cannot be."""

    def prepare(  # noqa: B027 - most referees need nothing
        self, tournament: Tournament, state: State[Any], journal: Journal
    ) -> None:
        """What must be known before anybody is asked; by default nothing."""

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
        """Every player's attempt at the same instance; who is asked first rotates.

        Each has a state of its own, for a state may keep its moves once they were made.
        """
        seats = seats_of(tournament, pairing, journal)
        first = pairing.index % len(seats)
        tried: dict[int, Attempt] = {}
        try:
            self.prepare(tournament, _instance(tournament, pairing), journal)
            for seat in seats[first:] + seats[:first]:
                tried[seat.number] = self._guarded(tournament, pairing, seat, casualties)
            attempts = [tried[seat.number] for seat in seats]
        except TournamentError:  # nothing can be judged: the run must end
            raise
        except Exception:  # the game's own rules, or the reference: no player is to blame
            detail = traceback.format_exc()[-LONGEST_DETAIL:]
            attempts = [Attempt(0.0, reason=Reason.ADJUDICATED, detail=detail)] * len(seats)
        return _judge(tournament, pairing, seats, attempts)

    def _guarded(
        self,
        tournament: Tournament,
        pairing: Pairing,
        seat: Seat,
        casualties: tuple[Casualty, ...],
    ) -> Attempt:
        state = _instance(tournament, pairing)
        worst = -float(state.largest)
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


def _instance(tournament: Tournament, pairing: Pairing) -> State[Any]:
    """What is to be solved, fresh."""
    return opened(tournament.game.start(pairing.deal), pairing)


def _judge(
    tournament: Tournament, pairing: Pairing, seats: list[Seat], attempts: Sequence[Attempt]
) -> Record:
    failed = tuple(i for i, a in enumerate(attempts) if a.reason in FAILURES)
    teams = tuple(range(len(seats)))
    merits = [(i not in failed, a.score) for i, a in enumerate(attempts)]
    spent = [seat.seconds if i not in failed else 0.0 for i, seat in enumerate(seats)]
    quickest = min(s for s, merit in zip(spent, merits, strict=True) if merit == max(merits))
    keys = [(*merit, s <= quickest + TICK) for merit, s in zip(merits, spent, strict=True)]
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
        truth = truth_of(tournament, state, seat.journal)
        error = abs(value - truth)
        detail = f"estimates {value:.6g}, the value is {truth:.6g}"
        return Attempt(-error if error > EXACT else 0.0, detail=detail)

    def prepare(self, tournament: Tournament, state: State[Any], journal: Journal) -> None:
        """The true value: without it there is no use in asking."""
        truth_of(tournament, state, journal)


_truths: dict[Any, float] = {}


def truth_of(tournament: Tournament, state: State[Any], journal: Journal) -> float:
    """The reference's value of `state`, computed once; raises TournamentError if it has none.

    A reference that proves must do so within `reference_seconds`; one that cannot prove has
    a budget of its own, and its estimate is taken for the truth.
    """
    reference, seconds = tournament.reference, tournament.reference_seconds
    assert reference is not None
    key = (str(tournament.game), str(reference), state)
    if key in _truths:
        return _truths[key]
    remedy = "give another reference, more reference_seconds, or a smaller game"
    journal.asked(NOBODY, seconds + tournament.warmup + GRACE)  # in case it heeds no limit
    try:
        result = reference.best(state, Limit(seconds=seconds) if reference.proves else None)
        value = float(result.value)
    except Exception as wrong:
        raise TournamentError(
            f"the reference {reference} failed on {tournament.game} "
            f"({type(wrong).__name__}: {wrong}); {remedy}"
        ) from wrong
    finally:
        journal.answered(NOBODY, 0.0, 0)
    if not math.isfinite(value) or (reference.proves and result.bound is not Bound.EXACT):
        raise TournamentError(
            f"the reference {reference} has not proven the value of {tournament.game} "
            f"within {seconds:g} seconds; {remedy}"
        )
    _truths.clear()  # the instance changes rarely; one is enough
    _truths[key] = value
    return value
