"""Umpire: ends a match before its rules do, where its players' claims suffice."""

from __future__ import annotations

from typing import Any

from attrs import Factory, define

from dragon.core import Bound, Limit, Result, Search, State
from dragon.errors import TournamentError
from dragon_tournament.adjudication import Claim, claim_of, drawn, possible, resigned, scores_of
from dragon_tournament.records.journal import NOBODY, Journal
from dragon_tournament.records.record import Reason
from dragon_tournament.referees.ending import Ending
from dragon_tournament.referees.seat import GRACE, Forfeit, Seat
from dragon_tournament.tournament import Tournament


@define
class Umpire:
    """Ends a match before its rules do, where the tournament's adjudication says so."""

    tournament: Tournament
    seats: list[Seat]
    claims: list[Claim] = Factory(list)
    trusting: bool = True
    """Whether exact claims are still looked at; not after one that could not be checked in time."""

    def judge(self, state: State[Any], result: Result, plies: int) -> Ending | None:
        """What a player's answer in `state` leads to; raises Forfeit for a false claim."""
        rules = self.tournament.adjudication
        if rules is None:
            return None
        seat, teams = self.seats[state.turn], self.tournament.game.teams
        self.claims.append(claim_of(state.turn, result))
        last, name = self.claims[-1], seat.player.name
        if rules.proven and last.exact and self.trusting and self._holds(state, last, seat):
            detail = f"{name} has proven {last.value:g}"
            return Ending(Reason.PROVEN, scores_of(last, teams), detail=detail)
        if rules.resign is not None:
            loser = resigned(rules.resign, self.claims, teams)
            if loser is not None:
                agreed = ", and its opponents agree" if rules.resign.both else ""
                detail = f"{name} claims {last.value:g}, as it did before{agreed}"
                return Ending(Reason.RESIGNED, losers=(loser,), detail=detail)
        if rules.draw is not None and drawn(rules.draw, self.claims, len(teams), plies):
            return Ending(Reason.DRAWN, detail="nobody claims an advantage")
        return None

    def _holds(self, state: State[Any], claim: Claim, seat: Seat) -> bool:
        """Whether an exact claim is true, as far as can be known."""
        rules = self.tournament.adjudication
        assert rules is not None
        false = f"{seat.player.name} claims to have proven {claim.value:g} in {state}"
        if not possible(claim.value, state):
            detail = f"{false}, which the game cannot pay"
            raise Forfeit(seat.number, Reason.FALSE_CLAIM, detail)
        if rules.check is None:
            return True
        truth = checked(self.tournament, rules.check, rules.check_seconds, state, seat.journal)
        if truth is None:
            self.trusting = False
            return False
        if abs(truth - claim.value) > 1e-6:
            detail = f"{false}; {rules.check} has proven {truth:g}"
            raise Forfeit(seat.number, Reason.FALSE_CLAIM, detail)
        return True


def checked(
    tournament: Tournament, check: Search, seconds: float, state: State[Any], journal: Journal
) -> float | None:
    """The value of a state as a trusted search proves it, or None where it cannot in time."""
    journal.asked(NOBODY, seconds + tournament.warmup + GRACE)  # in case it heeds no limit
    try:
        result = check.best(state, Limit(seconds=seconds))
        return float(result.value) if result.bound is Bound.EXACT else None
    except Exception as wrong:
        raise TournamentError(
            f"the check {check} failed on {state} ({type(wrong).__name__}: {wrong}); give another"
        ) from wrong
    finally:
        journal.answered(NOBODY, 0.0, 0)
