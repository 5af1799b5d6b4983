"""Adjudicator: how a match ends before its rules end it, and what it pays then."""

from __future__ import annotations

from typing import Any

from attrs import Factory, define, frozen

from dragon.core import Result, State
from dragon_tournament.adjudication import Claim, claim_of, drawn, possible, resigned, scores_of
from dragon_tournament.records.record import Reason
from dragon_tournament.referees.guard import Forfeit
from dragon_tournament.referees.reference import checked_value
from dragon_tournament.referees.seat import Seat
from dragon_tournament.tournament import Tournament


@frozen
class Ending:
    """The end of a match; without scores its losers forfeit it, and without losers it is drawn."""

    reason: Reason
    scores: tuple[float, ...] | None = None
    losers: tuple[int, ...] = ()
    """Seats that lost without a failure."""
    failed: tuple[int, ...] = ()
    """Seats that lost by a failure of their own."""
    detail: str = ""


def forfeited(teams: tuple[int, ...], failed: tuple[int, ...], largest: float) -> tuple[float, ...]:
    """Scores when the rules did not decide: the team of who failed pays the others, or a draw.

    With two teams the payoff belongs to the team: the winners have `largest`, the losers its
    negative. With more, seats sum to zero, and no seat has more than `largest` either way.

    >>> forfeited((0, 1, 1), (1,), 1.0), forfeited((0, 1), (), 1.0)
    ((1.0, -1.0, -1.0), (0.0, 0.0))
    >>> forfeited((0, 1, 2), (1,), 2.0)
    (1.0, -2.0, 1.0)
    """
    guilty = {teams[seat] for seat in failed}
    losers = sum(team in guilty for team in teams)
    others = len(teams) - losers
    if not losers or not others:
        return (0.0,) * len(teams)
    gain = loss = float(largest)
    if len(set(teams)) > 2:
        gain, loss = gain * min(1.0, losers / others), loss * min(1.0, others / losers)
    return tuple(-loss if team in guilty else gain for team in teams)


@define
class Adjudicator:
    """Ends a match before its rules do, where the tournament's adjudication says so."""

    tournament: Tournament
    seats: list[Seat]
    claims: list[Claim] = Factory(list)
    trusting: bool = True
    """Whether exact claims are still looked at; not after one that could not be checked in time."""

    def judge(self, state: State[Any], result: Result, plies: int) -> Ending | None:
        """Judge a player's answer in `state`; raises Forfeit for a false claim."""
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
            return Ending(Reason.DRAWN, detail="no player claims an advantage")
        return None

    def _holds(self, state: State[Any], claim: Claim, seat: Seat) -> bool:
        """Return True if an exact claim is true, as far as can be known."""
        rules = self.tournament.adjudication
        assert rules is not None
        false = f"{seat.player.name} claims to have proven {claim.value:g} in {state}"
        if not possible(claim.value, state):
            detail = f"{false}, which the game cannot pay"
            raise Forfeit(seat.number, Reason.FALSE_CLAIM, detail)
        if rules.check is None:
            return True
        value = checked_value(self.tournament, rules.check, rules.check_seconds, state, seat.notes)
        if value is None:
            self.trusting = False
            return False
        if abs(value - claim.value) > 1e-6:
            detail = f"{false}; {rules.check} has proven {value:g}"
            raise Forfeit(seat.number, Reason.FALSE_CLAIM, detail)
        return True
