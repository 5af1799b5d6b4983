"""The reference: a search that the tournament trusts for the value of a state."""

from __future__ import annotations

import math
from typing import Any

from dragon.core import Bound, Game, Limit, Result, Search, State
from dragon.errors import TournamentError
from dragon_tournament.records.in_flight import NOBODY, InFlightLog
from dragon_tournament.referees.seat import GRACE
from dragon_tournament.tournament import Tournament

_values: dict[Any, float] = {}
"""The value found last, by game, reference and state: the instance changes rarely."""


def reference_value(
    tournament: Tournament, game: Game[Any], state: State[Any], notes: InFlightLog
) -> float:
    """The reference's value of `state`, computed once; raises TournamentError if it has none.

    A reference that proves must do so within `reference_seconds`; one that cannot prove has
    a budget of its own, and its estimate is taken for the true value.
    """
    reference, seconds = tournament.reference, tournament.reference_seconds
    assert reference is not None
    key = (str(game), str(reference), state)
    if key in _values:
        return _values[key]
    remedy = "give another reference, more reference_seconds, or a smaller game"
    limit = Limit(seconds=seconds) if reference.proves else None
    try:
        result = _best(tournament, reference, state, limit, seconds, notes)
        value = float(result.value)
    except Exception as wrong:
        raise TournamentError(
            f"the reference {reference} failed on {game} "
            f"({type(wrong).__name__}: {wrong}); {remedy}"
        ) from wrong
    if not math.isfinite(value) or (reference.proves and result.bound is not Bound.EXACT):
        raise TournamentError(
            f"the reference {reference} has not proven the value of {game} "
            f"within {seconds:g} seconds; {remedy}"
        )
    _values.clear()
    _values[key] = value
    return value


def proven_value(
    tournament: Tournament, role: str, search: Search, limit: Limit | None, seconds: float,
    state: State[Any], notes: InFlightLog,
) -> float | None:  # fmt: skip
    """The value of a state as the `check` or the `judge` of matches proves it in time, or None."""
    try:
        result = _best(tournament, search, state, limit, seconds, notes)
        return float(result.value) if result.bound is Bound.EXACT else None
    except Exception as wrong:
        raise TournamentError(
            f"the {role} {search} failed on {state} ({type(wrong).__name__}: {wrong}); give another"
        ) from wrong


def _best(
    tournament: Tournament, search: Search, state: State[Any], limit: Limit | None,
    seconds: float, notes: InFlightLog,
) -> Result:  # fmt: skip
    """Return a search's answer; its process is ended if it ignores its limit for too long."""
    notes.asked(NOBODY, seconds + tournament.warmup + GRACE)
    try:
        return search.best(state, limit)
    finally:
        notes.answered(NOBODY, 0.0, 0)
