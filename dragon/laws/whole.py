"""Small games as a whole: every state that play can reach, for laws that look at all of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from dragon.core import TERMINAL, Game, State
from dragon.laws.kit import DEALS, has_rules, visited
from dragon.rules.census import MOST, Survey, survey
from dragon.rules.record import RecordGame, RecordState, rules_of

SECONDS = 5.0
"""Processor time that a law may take for the states of a game,"""
VISIT = 2.0
"""and that which may be taken to visit them."""
ROUNDING = 1e-9
CLAIMS = ("bounds", "key", "place", "reduce", "solved")
"""The claims of rules about a state that laws compare with its value."""


@lru_cache(maxsize=4)
def surveyed(game: RecordGame, seed: int = 0, most: int = MOST) -> Survey | None:
    """Return the census of a game by Rules, from several deals if it has them; None if it fails."""
    firsts = [game.start(seed + number).data for number in range(DEALS)]
    return survey(rules_of(game), firsts, VISIT, most)


def whole(game: Game[Any], seed: int = 0) -> Survey | None:
    """The census of a game by Rules that is small, with nothing hidden; else None."""
    found = surveyed(game, seed) if has_rules(game) else None
    return found if found is not None and found.whole else None


def coverage(game: Game[Any], seed: int = 0) -> tuple[int, bool]:
    """The number of states visited; True if these are all that play can reach."""
    if not has_rules(game):
        return len(states := visited(game, seed)), bool(states)
    found = surveyed(game, seed)
    return (0, False) if found is None else (found.count, found.whole)


def every(game: Game[Any], seed: int = 0) -> Iterator[State[Any]]:
    """Yield the states of a small game in an order drawn at random, ends last."""
    found = whole(game, seed)
    if found is None:
        yield from visited(game, seed)
        return
    import numpy as np

    places = np.random.default_rng(seed).permutation(found.count)
    over = found.facts["seat"][places] == TERMINAL
    for at in np.concatenate([places[~over], places[over]]).tolist():
        yield state_at(game, found, at)


def state_at(game: Game[Any], found: Survey, at: int) -> RecordState:
    """The state of a census with that number."""
    assert isinstance(game, RecordGame)
    return RecordState(game, found.states[at].tobytes())


def suspects(game: Game[Any], found: Survey, claim: str) -> list[int]:
    """Return the states of a census where a claim of CLAIMS contradicts the values."""
    import numpy as np

    rules = rules_of(game)
    facts = found.facts[: found.count]
    worth, sign = facts["worth"], np.ones(found.count)
    for seat, team in enumerate(rules.teams):
        sign[facts["seat"] == seat] = 1 if team == rules.teams[0] else -1
    open_ones = (facts["seat"] != TERMINAL) & (facts["known"] > 0)
    if getattr(rules, claim) is None:
        wrong = np.zeros(found.count, bool)
    elif claim == "bounds":
        wrong = (worth < facts["least"] - ROUNDING) | (worth > facts["most"] + ROUNDING)
    elif claim == "solved":
        wrong = (facts["plies"] >= 0) & (abs(facts["solved"] - worth) > ROUNDING)
    elif claim == "reduce":
        wrong = abs(_best_kept(found, sign) - worth) > ROUNDING
    else:
        shared = open_ones & (facts[claim] != 0)  # what is 0 is not kept
        if claim == "place":
            return _apart(shared, (facts["place"],), worth, facts["banked"])
        return _apart(shared, (facts["key"], facts["seat"] < 0), sign * (worth - facts["banked"]))
    return np.flatnonzero(open_ones & wrong).tolist()


def _best_kept(found: Survey, sign: Any) -> Any:
    """The value of each state for seat 0 by the best of the moves that `reduce` leaves."""
    import numpy as np

    facts = found.facts[: found.count]
    opened = np.flatnonzero(facts["moves"] > 0)
    owner = np.repeat(opened, facts["moves"][opened])
    edges = found.edges[: len(owner)]
    mine = np.where(edges["kept"] > 0, sign[owner] * facts["worth"][edges["to"]], -np.inf)
    best = facts["worth"].copy()
    if len(opened):
        best[opened] = sign[opened] * np.maximum.reduceat(mine, facts["first"][opened])
    return np.where(facts["seat"] >= 0, best, facts["worth"])


def _apart(shared: Any, names: tuple[Any, ...], worth: Any, banked: Any = None) -> list[int]:
    """Return pairs of states that share names and differ in value.

    banked: return only pairs where more is banked and the value is less.
    """
    import numpy as np

    places = np.flatnonzero(shared)
    keys = (worth, *names) if banked is None else (-worth, banked, *names)
    places = places[np.lexsort([key[places] for key in keys])]
    one, other = places[:-1], places[1:]
    gain = worth[other] - worth[one]
    wrong = abs(gain) > ROUNDING if banked is None else gain < -ROUNDING
    for name in names:
        wrong &= name[one] == name[other]
    return [int(each) for at in np.flatnonzero(wrong) for each in (one[at], other[at])]
