"""Certificate: a line of moves that shows what can be had; anybody can replay it.

Of a race with one seat and no luck. Every line that a solver comes out with is played to its
end, if it goes that far, while the solver's clock stands still. A solver whose last line stops
short is asked again where it stops.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any

from attrs import define

from dragon.core import TERMINAL, Bound, Game, Position, Result, State, Trait
from dragon.errors import TournamentError
from dragon_tournament.instance import Instance
from dragon_tournament.records.attempt import Claim, reached
from dragon_tournament.records.record import TOO_LONG, Reason
from dragon_tournament.referees.guard import Forfeit
from dragon_tournament.referees.setup import finite
from dragon_tournament.referees.solo import EPSILON, Effort, Merit, Seeds
from dragon_tournament.tournament import Tournament

MOST = 10_000
"""Lines of a player that are replayed whatever it claims; after them only those called better."""


def lined(game: Game[Any]) -> bool:
    """Return True if a line of moves is a solution: one seat, and nothing left to chance."""
    return Trait.SOLO in game.traits and Trait.CHANCE not in game.traits


def solves(game: Game[Any], value: float | None) -> bool:
    """Return True if a line that pays so much is a solution; dead ends of covers pay nothing."""
    return value is not None and (Trait.COVER not in game.traits or value > 0)


@define
class _Way:
    """A position at which a player is asked, and the moves that led there."""

    game: Game[Any]
    effort: Effort
    goal: str
    here: State[Any]
    path: tuple[str, ...] = ()
    seen: Sequence[Any] | None = None
    """The line that was replayed last, and what it pays; None where it stops short."""
    paid: float | None = None
    replayed: int = 0

    def hear(self, seed: int) -> Result | None:
        """The last result from here, or None when no more needs to be asked."""
        result = None
        here = Position(self.here, self.here)
        with closing(self.effort.seat.hear(here, seed)) as stream:
            for result in stream:
                if self._enough(result):
                    return None
        assert result is not None  # a player that says nothing has crashed
        return None if self._pays(result.line) is not None else result

    def walk(self, result: Result) -> None:
        """Goes on to where the last line stops; raises Forfeit where there is none."""
        for move in result.line or (None,):
            text, self.here = self.effort.seat.step(self.here, move)
            self.path = (*self.path, text)
        self.seen = self.paid = None

    def _enough(self, result: Result) -> bool:
        """Looks at a result; whether the player has done all that it can, or that it should."""
        effort = self.effort
        if not self.path:
            effort.prove(result)
        if self.replayed < MOST or result.value > (effort.value or 0.0):
            paid = self._pays(result.line)
            if not self.path and paid is not None:
                self._hold_to_word(result, paid)
        if self.goal == "first" and effort.first is not None:
            return True
        if self.path or result.bound is not Bound.EXACT:
            return False
        return self.paid is not None or not solves(self.game, result.value)

    def _pays(self, line: Sequence[Any]) -> float | None:
        """The payoff of a line from here at its end; None where it stops short.

        Raises Forfeit for one against the rules.
        """
        if line == self.seen:
            return self.paid
        self.replayed += 1
        played, (*_, state) = self.effort.seat.play_line(self.here, line)
        self.seen, self.paid = line, None
        if state.turn == TERMINAL:
            self.paid = finite(state.payoff())[0]
            self._note((*self.path, *played), self.paid)
        return self.paid

    def _note(self, line: tuple[str, ...], paid: float) -> None:
        """Keeps a line that is better than those before."""
        effort = self.effort
        if effort.value is not None and paid <= effort.value:
            return
        effort.line, effort.value = line, paid
        if solves(self.game, paid):
            effort.note(paid)
            effort.first = effort.seat.seconds if effort.first is None else effort.first

    def _hold_to_word(self, result: Result, paid: float) -> None:
        short = result.bound is Bound.LOWER and paid < result.value - EPSILON
        if short or (result.bound is Bound.EXACT and abs(paid - result.value) > EPSILON):
            said = f"at least {result.value:g}" if short else f"to have proven {result.value:g}"
            detail = f"claims {said}, and its own line pays {paid:g}"
            raise Forfeit(self.effort.seat.number, Reason.FALSE_CLAIM, detail)


def seek(game: Game[Any], state: State[Any], effort: Effort, seeds: Seeds) -> None:
    """One player at work on a line; raises Forfeit where it breaks the rules or its word."""
    tournament = effort.seat.tournament
    way = _Way(game, effort, tournament.goal, state)
    while True:
        if tournament.plies is not None and len(way.path) >= tournament.plies:
            effort.reason = Reason.ADJUDICATED
            effort.detail = f"{tournament.plies} {TOO_LONG}"
            return
        result = way.hear(seeds(len(way.path)))
        if result is None:
            return
        way.walk(result)


def judge_lines(
    tournament: Tournament, instance: Instance, truth: float | None, efforts: list[Effort]
) -> list[Merit]:
    """Settles what is claimed to be the best by the lines of all, and by the truth if known."""
    game = instance.game
    found = [e.value for e in efforts if e.value is not None and solves(game, e.value)]
    if truth is not None and found and max(found) > truth + EPSILON:
        raise TournamentError(
            f"the value of {instance.name or game} is given as {truth:g}, and a line pays "
            f"{max(found):g}; mend the instance's value, or give another reference"
        )
    known = [*found, truth] if truth is not None and solves(game, truth) else found
    best = max(known, default=None)
    tolerance = EPSILON if tournament.tolerance is None else tournament.tolerance
    for effort in efforts:
        nothing = effort.exact is not None and not solves(game, effort.exact)
        if not effort.failed and effort.exact is not None:
            _settle(effort, effort.exact, nothing, best, truth)
        if best is not None:
            effort.best = reached(effort.curve, best, tolerance)
        if not effort.failed:
            times = {"first": effort.first, "best": effort.best, "proof": effort.proof}
            effort.solved = times["proof" if nothing else tournament.goal]
            if effort.value is not None or nothing:
                effort.score = effort.value or 0.0
    return [(effort.solved is not None, effort.score) for effort in efforts]


def _settle(
    effort: Effort, claimed: float, nothing: bool, best: float | None, truth: float | None
) -> None:
    """A claim that nothing better can be had, or, where `nothing`, that there is no solution."""
    said = "that there is no solution" if nothing else f"{claimed:g} to be the best"
    if not nothing and (effort.value is None or abs(effort.value - claimed) > EPSILON):
        paid = "none of its lines ends"
        shown = paid if effort.value is None else f"its line pays {effort.value:g}"
        effort.lose(Reason.FALSE_CLAIM, f"claims {said}, and {shown}")
    elif best is not None and (nothing or best > claimed + EPSILON):
        effort.lose(Reason.FALSE_CLAIM, f"claims {said}, and {best:g} can be had")
    elif truth is not None and not nothing and abs(truth - claimed) > EPSILON:
        effort.lose(Reason.FALSE_CLAIM, f"claims {said}; the value is {truth:g}")
    else:
        sure = truth is not None or (not nothing and claimed >= effort.largest - EPSILON)
        effort.claim = Claim.CHECKED if sure else Claim.UNCHECKED
