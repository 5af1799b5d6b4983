"""Contests whose opponents never meet: each works alone on the same instance.

The plainest is that of estimates: the nearest to the value of a reference wins, then the quicker.
"""

from __future__ import annotations

import math
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import closing
from typing import Any, ClassVar

from attrs import define, field, frozen

from dragon.core import Bound, Game, Position, Result, State, Trait
from dragon.errors import TournamentError
from dragon_tournament.pairing import MOVE, Pairing, seed_of
from dragon_tournament.records.attempt import Attempt, Claim, Sought, since, thinned
from dragon_tournament.records.in_flight import NOBODY, InFlightLog, ProcessDeath
from dragon_tournament.records.record import FAILURES, Reason, Record, share
from dragon_tournament.referees.guard import LONGEST_DETAIL, Forfeit
from dragon_tournament.referees.reference import reference_value
from dragon_tournament.referees.seat import Seat, record_of, seats_of, show, warm_up
from dragon_tournament.tournament import Instance, Tournament

TICK = 0.01
"""Seconds by which an equally good answer may be slower and still share the win."""
EPSILON = 1e-6
"""The difference below which values are the same: searches add up in different orders."""

Merit = tuple[float, ...]  # what a player is ranked by before its time counts
Seeds = Callable[[int], int]  # the seed of a question, by the number of moves before it


@define
class Effort:
    """A player at work on an instance, and its results so far; see Attempt for terms."""

    seat: Seat
    value: float | None = None
    line: tuple[str, ...] = ()
    curve: list[tuple[float, float]] = field(factory=list)
    first: float | None = None
    proof: float | None = None
    exact: float | None = None
    """The value that it claims to have proven, if it does."""
    last: Result | None = None
    """Its last result about the instance itself."""
    claim: Claim = Claim.NONE
    best: float | None = None
    solved: float | None = None
    largest: float = math.inf
    """The largest payoff."""
    score: float = 0.0
    reason: Reason = Reason.TERMINAL
    detail: str = ""

    @property
    def failed(self) -> bool:
        """Return True if the player has failed."""
        return self.reason in FAILURES

    @property
    def spent(self) -> float:
        """The seconds until it had solved the instance; to give up soon is not a merit."""
        return 0.0 if self.failed or self.solved is None else round(self.solved, 6)  # as recorded

    def note(self, value: float) -> None:
        """Note that its value has changed, now."""
        if not self.curve or self.curve[-1][1] != value:
            self.curve.append((round(self.seat.seconds, 6), value))
        self.value = value

    def prove(self, result: Result) -> None:
        """Keep the first claim that the value is exact."""
        self.last = result
        if self.exact is None and result.bound is Bound.EXACT:
            self.exact, self.proof = float(result.value), self.seat.seconds

    def lose(self, reason: Reason, detail: str) -> None:
        """Note that it has failed, in the middle of its work or by a claim."""
        self.reason = reason
        self.detail = f"{self.detail}; {detail}" if self.detail else detail
        if reason is Reason.FALSE_CLAIM:
            self.claim = Claim.WRONG

    def attempt(self) -> Attempt:
        """Return the attempt for the record."""
        return Attempt(
            value=self.value, claim=self.claim,
            curve=thinned([(at, round(value, 9)) for at, value in self.curve]),
            first=_rounded(self.first), best=_rounded(self.best),
            proof=_rounded(self.proof), solved=_rounded(self.solved),
        )  # fmt: skip


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 6)


@frozen
class Solo(ABC):
    """The common part of race and estimate: each player tries, then all are judged."""

    name: ClassVar[str]
    needs_reference: ClassVar[bool] = False
    """True if it cannot judge without the true value."""
    tolerance: ClassVar[float | None] = None
    """The distance that a value may have from the best or the truth; None: rounding alone."""

    @abstractmethod
    def suits(self, game: Game[Any]) -> bool:
        """Return True if it is the one to judge this game where the file does not say."""

    def allows(self, game: Game[Any]) -> bool:
        """Return True if it can judge this game where the file asks for it."""
        return Trait.HIDDEN not in game.traits

    @abstractmethod
    def sought(self, game: Game[Any]) -> Sought:
        """The goal of the players."""

    @abstractmethod
    def goals(self, game: Game[Any]) -> tuple[str, ...]:
        """The goals that an instance of this game can have, the usual one first."""

    @abstractmethod
    def attempt(self, instance: Instance, state: State[Any], effort: Effort, seeds: Seeds) -> None:
        """Let a player work; raise Forfeit for its failures."""

    @abstractmethod
    def judge(
        self, tournament: Tournament, instance: Instance, truth: float | None, efforts: list[Effort]
    ) -> list[Merit]:
        """Settle claims, scores and what is solved; return the merit of each before time counts.

        Raises TournamentError where what is taken for the truth cannot be true.
        """

    def seats(self, game: Game[Any]) -> int | None:
        """Return None, for any number of seats: each player is alone."""
        return None

    def play(
        self,
        tournament: Tournament,
        pairing: Pairing,
        notes: InFlightLog,
        deaths: tuple[ProcessDeath, ...] = (),
    ) -> Record:
        """Play every player's attempt at the same instance; the first to be asked rotates.

        Each has a state of its own, for a state may keep its moves once they were made.
        """
        seats = seats_of(tournament, pairing, notes)
        efforts = [Effort(seat) for seat in seats]
        first = pairing.index % len(seats)
        instance = tournament.instance_of(pairing)
        truth: float | None = None
        try:
            state = instance.state(pairing.deal)
            truth = instance.value
            if truth is None and tournament.reference is not None:
                truth = reference_value(tournament, instance.game, state, notes)
            for effort in efforts[first:] + efforts[:first]:
                self._guarded(instance, pairing, effort, deaths)
            merits = self.judge(tournament, instance, truth, efforts)
            times = [effort.spent for effort in efforts]
        except TournamentError:  # nothing can be judged: the run must end
            raise
        except Exception:  # the game's own rules, or the reference: no player is to blame
            detail = traceback.format_exc()[-LONGEST_DETAIL:]
            efforts = [Effort(seat, reason=Reason.ADJUDICATED, detail=detail) for seat in seats]
            merits, times = [()] * len(seats), [0.0] * len(seats)
        for seat in seats:
            seat.leave()
        failed = tuple(i for i, effort in enumerate(efforts) if effort.failed)
        ranked = [(not e.failed, *merit) for e, merit in zip(efforts, merits, strict=True)]
        details = [f"{e.seat.player.name}: {e.detail}" for e in efforts if e.detail]
        return record_of(
            tournament, pairing, seats,
            teams=tuple(range(len(efforts))),
            moves=[effort.line for effort in efforts],
            scores=tuple(effort.score for effort in efforts),
            points=points_of(ranked, times),
            reason=efforts[failed[0] if failed else 0].reason,
            failed=failed,
            detail="\n".join(details)[:LONGEST_DETAIL],
            sought=self.sought(instance.game),
            instance=instance.name,
            truth=truth,
            attempts=tuple(effort.attempt() for effort in efforts),
        )  # fmt: skip

    def _guarded(
        self, instance: Instance, pairing: Pairing, effort: Effort, deaths: tuple[ProcessDeath, ...]
    ) -> None:
        """Play one player's attempt, whether it answers, fails or crashes."""
        seat = effort.seat
        for death in deaths:
            if death.seat in (NOBODY, seat.number):
                reason = Reason.ADJUDICATED if death.seat == NOBODY else death.reason
                effort.lose(reason, death.detail)
                return
        try:
            warm_up(seat, instance.game)
            seat.prepare(instance.game)
            state = instance.state(pairing.deal)
            effort.largest = float(state.largest)
            effort.score = -effort.largest
            self.attempt(
                instance, state, effort, lambda ply: seed_of(MOVE, pairing.seed, ply, seat.number)
            )
        except Forfeit as lost:
            effort.lose(lost.reason, lost.detail)


def listen(effort: Effort, state: State[Any], seed: int) -> None:
    """Take in the results of a player about a state, until it has proven its value."""
    seat = effort.seat
    with closing(seat.hear(Position(state), seed)) as stream:
        for result in stream:
            try:
                value = float(result.value)
            except (TypeError, ValueError, OverflowError):
                value = math.nan
            if not math.isfinite(value):
                detail = f"{seat.player.name} claims {show(result.value)}, which is not a number"
                raise Forfeit(seat.number, Reason.CRASH, detail)
            effort.first = seat.seconds if effort.first is None else effort.first
            effort.note(value)
            effort.prove(result)
            if result.bound is Bound.EXACT:
                break


def points_of(merits: list[Merit], spent: list[float]) -> tuple[float, ...]:
    """Give the point to the best; of equals to the quickest, and to those hardly slower.

    >>> points_of([(1,), (1,), (0,)], [0.5, 0.506, 0.1])
    (0.5, 0.5, 0.0)
    """
    quickest = min(s for s, merit in zip(spent, merits, strict=True) if merit == max(merits))
    keys = [(merit, s <= quickest + TICK) for merit, s in zip(merits, spent, strict=True)]
    return share(keys, range(len(keys)))


EXACT = 1e-9  # an error below this is rounding


@frozen
class Estimate(Solo):
    """A contest in which each estimates the same value; the least error wins, then the quicker."""

    name: ClassVar[str] = "estimate"
    needs_reference: ClassVar[bool] = True
    tolerance: ClassVar[float] = 0.01

    def suits(self, game: Game[Any]) -> bool:
        """Return True for games of one seat with chance."""
        return Trait.SOLO in game.traits and Trait.CHANCE in game.traits

    def sought(self, game: Game[Any]) -> Sought:
        """Return that a value is sought."""
        return Sought.ESTIMATE

    def goals(self, game: Game[Any]) -> tuple[str, ...]:
        """Return the goals: within the tolerance for good, or proven."""
        return ("best", "proof")

    def attempt(self, instance: Instance, state: State[Any], effort: Effort, seeds: Seeds) -> None:
        """Ask for the value."""
        listen(effort, state, seeds(0))

    def judge(
        self, tournament: Tournament, instance: Instance, truth: float | None, efforts: list[Effort]
    ) -> list[Merit]:
        """Return the distance of each last value from the truth, as a negative score."""
        assert truth is not None  # it needs a reference
        given = instance.value is not None
        sure = given or (tournament.reference is not None and tournament.reference.proves)
        tolerance = self.tolerance if tournament.tolerance is None else tournament.tolerance
        for effort in efforts:
            effort.best = since(effort.curve, truth, tolerance)
            if effort.failed or effort.value is None:
                continue
            error = abs(effort.value - truth)
            effort.score = -error if error > EXACT else 0.0
            if effort.exact is not None:
                effort.claim = Claim.CHECKED if sure else Claim.UNCHECKED
                if sure and abs(effort.exact - truth) > EPSILON:
                    detail = f"claims to have proven {effort.exact:.6g}; the value is {truth:.6g}"
                    effort.lose(Reason.FALSE_CLAIM, detail)
                    continue
            effort.solved = effort.proof if tournament.goal == "proof" else effort.best
        return [(effort.score,) for effort in efforts]
