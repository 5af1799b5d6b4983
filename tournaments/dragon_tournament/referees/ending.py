"""Ending: how a match ended, and what it pays where the rules did not say."""

from __future__ import annotations

from attrs import frozen

from dragon_tournament.records.record import Reason


@frozen
class Ending:
    """How a match ended; without scores its losers forfeit it, and without losers it is drawn."""

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
    negative. With more, seats sum to zero, and nobody has more than `largest` either way.

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
