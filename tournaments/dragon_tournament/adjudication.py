"""The adjudication of matches: their end before the rules end them, by the claims of players.

Pure functions over the claims made so far. Values are in payoff units, for the seat that claims.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from attrs import field, frozen
from attrs.validators import ge, gt, le

from dragon.core import Bound, Game, Limit, Result, Search, State, Trait
from dragon_tournament.clock import LONGEST
from dragon_tournament.records.record import Reason

DECIMALS = 6  # of an estimate that decides


@frozen
class Resign:
    """The rule by which a player loses that has claimed a loss for long enough."""

    value: float = field(validator=gt(0.0))
    """The value that it claims is minus this, or less, ..."""
    moves: int = field(default=3, validator=ge(1))
    """... at this number of its moves in a row."""
    both: bool = False
    """True if its opponents must agree: each claimed the same for itself as many times in a row."""


@frozen
class Draw:
    """The rule by which a match is drawn in which no seat has seen an advantage for long enough."""

    value: float = field(validator=ge(0.0))
    """No player claims more than this for either side, ..."""
    moves: int = field(default=4, validator=ge(1))
    """... at this number of moves in a row of each, ..."""
    after: int = field(default=0, validator=ge(0))
    """... and the match has at least this number of plies, the opening's included."""


@frozen
class Adjudication:
    """The rules by which the referee ends a match; its fields are the keys of the table."""

    proven: bool = False
    """True if an exact claim ends the match with its value."""
    check: Search | None = None
    """The search that must confirm it; without one, claims are accepted."""
    check_seconds: float = field(default=60.0, validator=[gt(0.0), le(LONGEST)])
    """Seconds in which it must prove the value; else the claim does not count."""
    judge: Search | None = None
    """The search that is run after each move: a table, or a solver; a value that it proves ends
    the match."""
    judge_nodes: int = field(default=10_000, validator=ge(1))
    """Nodes that it may visit each time, if it takes such a limit."""
    resign: Resign | None = None
    draw: Draw | None = None

    @property
    def judge_limit(self) -> Limit | None:
        """The limit of the judge at each position; None for one that takes none, as a table."""
        takes = self.judge is not None and "nodes" in self.judge.limits
        return Limit(nodes=self.judge_nodes) if takes else None

    def ended(
        self, claims: Sequence[Claim], teams: Sequence[int], plies: int
    ) -> tuple[Reason | None, tuple[int, ...]]:
        """Return the reason for which claims end a match after these plies, if any, and losers."""
        loser = None if self.resign is None else resigned(self.resign, claims, teams)
        if loser is not None:
            return Reason.RESIGNED, (loser,)
        even = self.draw is not None and drawn(self.draw, claims, len(teams), plies)
        return Reason.DRAWN if even else None, ()

    def objections(self, game: Game[Any], searches: Iterable[Search]) -> Iterator[tuple[str, str]]:
        """Yield key and sentence of each reason why it does not suit the game, or its players."""
        state, teams = game.start(0), len(set(game.teams))
        given = (self.proven, self.judge, self.resign, self.draw)
        if any(given) and (teams != 2 or not state.zero_sum):
            yield "", f"{game} is not played by two sides for opposite payoffs; leave the table out"
            return
        for key in ("proven", "judge"):
            for trait in (Trait.CHANCE, Trait.HIDDEN):
                if getattr(self, key) and trait in game.traits:
                    yield key, f"{game} has {trait}: a proven value there is not yet an outcome"
        if self.check is not None and not self.proven:
            yield "check", "there is nothing to check without proven = true"
        for key, search in (("check", self.check), ("judge", self.judge)):
            if search is not None and not search.proves:
                yield key, f"{search} cannot prove a value; take one that can"
            elif search is not None and (sentence := search.objection(game)):
                yield key, sentence
        if self.judge is not None and not {"nodes"} & self.judge.limits and self.judge.limits:
            yield "judge", f"{self.judge} takes no limit in nodes; take one that does, or a table"
        dumb = next((search for search in searches if not search.values), None)
        for key, needed in (("draw", self.draw), ("resign", self.resign and self.resign.both)):
            if needed and dumb is not None:
                remedy = "leave it out" if key == "draw" else "leave `both` out"
                yield key, f"{dumb} gives moves and no values that it could agree by; {remedy}"
        most = f"{game} pays {state.largest:g} at most; take less"
        if self.resign is not None and self.resign.value > state.largest:
            yield "resign.value", f"no player ever claims {self.resign.value:g}: {most}"
        if self.draw is not None and self.draw.value >= state.largest:
            yield "draw.value", f"every claim is within {self.draw.value:g}: {most}"


@frozen
class Claim:
    """The claim of a seat about the position that it moved from."""

    seat: int
    value: float
    exact: bool = False


def claim_of(seat: int, result: Result) -> Claim:
    """Return the claim of a result; a value that is not a finite number claims nothing.

    An estimate has six decimals, as in the record, so that its arithmetic can be checked again.
    """
    try:
        value = float(result.value)
    except (TypeError, ValueError):
        value = math.nan
    if not math.isfinite(value):
        return Claim(seat, math.nan)
    exact = result.bound is Bound.EXACT
    return Claim(seat, value if exact else round(value, DECIMALS), exact)


def possible(value: float, state: State[object]) -> bool:
    """Return True if a payoff can be this: a multiple of the unit, no greater than the largest."""
    units = value / state.unit
    return abs(value) <= state.largest + 1e-9 and abs(units - round(units)) < 1e-6


def scores_of(claim: Claim, teams: Sequence[int]) -> tuple[float, ...]:
    """The payoffs that an exact claim means: its value to its side, the opposite to the other.

    >>> scores_of(Claim(1, 2.0, exact=True), (0, 1, 1))
    (-2.0, 2.0, 2.0)
    """
    own = teams[claim.seat]
    return tuple(claim.value if team == own else 0.0 - claim.value for team in teams)


def resigned(rule: Resign, claims: Sequence[Claim], teams: Sequence[int]) -> int | None:
    """The seat whose last claims give the match up, or None."""
    if not claims:
        return None
    seat = claims[-1].seat
    last = [c.value for c in claims if c.seat == seat][-rule.moves :]
    if len(last) < rule.moves or not all(value <= -rule.value for value in last):
        return None
    if rule.both:
        for other in (k for k, team in enumerate(teams) if team != teams[seat]):
            theirs = [c.value for c in claims if c.seat == other][-rule.moves :]
            if len(theirs) < rule.moves or not all(value >= rule.value for value in theirs):
                return None
    return seat


def drawn(rule: Draw, claims: Sequence[Claim], seats: int, plies: int) -> bool:
    """Return True if the last claims of every seat see no advantage, after `plies` in all."""
    if plies < rule.after:
        return False
    for seat in range(seats):
        last = [c.value for c in claims if c.seat == seat][-rule.moves :]
        if len(last) < rule.moves or not all(abs(value) <= rule.value for value in last):
            return False
    return True
