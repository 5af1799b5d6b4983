"""Truth: the value that a trusted search, the reference, gives a state."""

from __future__ import annotations

import math
from typing import Any

from dragon.core import Bound, Game, Limit, State
from dragon.errors import TournamentError
from dragon_tournament.records.journal import NOBODY, Journal
from dragon_tournament.referees.seat import GRACE
from dragon_tournament.tournament import Tournament

_truths: dict[Any, float] = {}


def truth_of(tournament: Tournament, game: Game[Any], state: State[Any], journal: Journal) -> float:
    """The reference's value of `state`, computed once; raises TournamentError if it has none.

    A reference that proves must do so within `reference_seconds`; one that cannot prove has
    a budget of its own, and its estimate is taken for the truth.
    """
    reference, seconds = tournament.reference, tournament.reference_seconds
    assert reference is not None
    key = (str(game), str(reference), state)
    if key in _truths:
        return _truths[key]
    remedy = "give another reference, more reference_seconds, or a smaller game"
    journal.asked(NOBODY, seconds + tournament.warmup + GRACE)  # in case it heeds no limit
    try:
        result = reference.best(state, Limit(seconds=seconds) if reference.proves else None)
        value = float(result.value)
    except Exception as wrong:
        raise TournamentError(
            f"the reference {reference} failed on {game} "
            f"({type(wrong).__name__}: {wrong}); {remedy}"
        ) from wrong
    finally:
        journal.answered(NOBODY, 0.0, 0)
    if not math.isfinite(value) or (reference.proves and result.bound is not Bound.EXACT):
        raise TournamentError(
            f"the reference {reference} has not proven the value of {game} "
            f"within {seconds:g} seconds; {remedy}"
        )
    _truths.clear()  # the instance changes rarely; one is enough
    _truths[key] = value
    return value
