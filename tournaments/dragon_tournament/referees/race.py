"""The referee of races: the solver of an instance wins, then the quicker.

With one seat and no luck a solution is a line of moves, which is its own certificate: every line
that a solver gives is played to its end, if it goes that far, while the solver's clock stands
still. A solver whose last line stops short continues from its end. In other games a solver
claims the value of a position. Its line can only contradict the claim, so claims are compared with
the value that the file or the reference gives, otherwise with one another.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any, ClassVar

from attrs import define, frozen

from dragon.core import CHANCE, TERMINAL, Bound, Game, Position, Result, State, Trait
from dragon.errors import TournamentError
from dragon_tournament.records.attempt import Claim, Sought, reached, since
from dragon_tournament.records.record import TOO_LONG, Reason
from dragon_tournament.referees.guard import Forfeit
from dragon_tournament.referees.seat import finite
from dragon_tournament.referees.solo import EPSILON, Effort, Merit, Seeds, Solo, listen
from dragon_tournament.tournament import Instance, Tournament


@frozen
class Race(Solo):
    """A race: each solves the same instance alone; claims are checked, times taken."""

    name: ClassVar[str] = "race"

    def suits(self, game: Game[Any]) -> bool:
        """Return True for games of one seat in which nothing is left to chance."""
        return lined(game)

    def sought(self, game: Game[Any]) -> Sought:
        """Return a line if it is a solution by itself, otherwise a proof."""
        return Sought.LINE if lined(game) else Sought.PROOF

    def goals(self, game: Game[Any]) -> tuple[str, ...]:
        """Return the goals: a line can be first or best; a claim can be right, or proven."""
        return ("best", "first", "proof") if lined(game) else ("proof", "best")

    def attempt(self, instance: Instance, state: State[Any], effort: Effort, seeds: Seeds) -> None:
        """Ask for a line or for a claim, as the instance needs."""
        if lined(instance.game):
            seek(instance.game, state, effort, seeds)
        else:
            listen(effort, state, seeds(0))
            _replay(state, effort)

    def judge(
        self, tournament: Tournament, instance: Instance, truth: float | None, efforts: list[Effort]
    ) -> list[Merit]:
        """Compare claims with what is known; return the merit of each."""
        if lined(instance.game):
            return judge_lines(tournament, instance, truth, efforts)
        return judge_claims(tournament, truth, efforts)


def _replay(state: State[Any], effort: Effort) -> None:
    """Play the line of the last claim; raise Forfeit if it contradicts the claim."""
    assert effort.last is not None
    last, seat = effort.last, effort.seat
    line, states = seat.play_line(state, last.line)
    here, lucky = states[-1], any(at.turn == CHANCE for at in states)
    effort.line = tuple(line)
    if here.turn == TERMINAL and last.bound is Bound.EXACT and not lucky and line:
        paid = finite(here.payoff())[max(state.turn, 0)]
        if abs(paid - last.value) > EPSILON:
            detail = f"claims to have proven {last.value:g}, and its own line pays {paid:g}"
            raise Forfeit(seat.number, Reason.FALSE_CLAIM, detail)


def judge_claims(tournament: Tournament, truth: float | None, efforts: list[Effort]) -> list[Merit]:
    """Settle claims of a value: by the truth if it is known, otherwise by one another."""
    sound = [effort for effort in efforts if not effort.failed]
    if truth is None:
        truth = _agreed(sound)
    else:
        for effort in sound:
            _compare(effort, truth)
    tolerance = EPSILON if tournament.tolerance is None else tournament.tolerance
    for effort in efforts:
        if truth is not None:
            effort.best = since(effort.curve, truth, tolerance)
        if not effort.failed and effort.claim is not Claim.DISPUTED:
            effort.solved = effort.best if tournament.goal == "best" else effort.proof
        effort.score = -1.0 if effort.failed else float(effort.solved is not None)
    return [(effort.score,) for effort in efforts]


def _agreed(sound: list[Effort]) -> float | None:
    """The value of all claims to a proof; None without any, or if they differ."""
    claims = [effort for effort in sound if effort.exact is not None]
    values = [effort.exact for effort in claims if effort.exact is not None]
    disputed = bool(values) and max(values) - min(values) > EPSILON
    for effort in claims:
        effort.claim = Claim.DISPUTED if disputed else Claim.UNCHECKED
        if disputed:
            effort.detail = (
                f"claims to have proven {effort.exact:g}, and another something else; give the "
                f"instance's value, or a reference"
            )
    return values[0] if values and not disputed else None


def _compare(effort: Effort, truth: float) -> None:
    """Compare a claim with the truth."""
    last = effort.last
    if effort.exact is not None and abs(effort.exact - truth) > EPSILON:
        said = f"to have proven {effort.exact:g}"
    elif last is not None and last.bound is Bound.LOWER and last.value > truth + EPSILON:
        said = f"at least {last.value:g}"
    elif last is not None and last.bound is Bound.UPPER and last.value < truth - EPSILON:
        said = f"at most {last.value:g}"
    else:
        effort.claim = Claim.NONE if effort.exact is None else Claim.CHECKED
        return
    effort.lose(Reason.FALSE_CLAIM, f"claims {said}; the value is {truth:g}")


# ---- lines as certificates ----------------------------------------------------------------------


MOST = 10_000
"""The number of a player's lines that are all replayed; later ones only if called better."""


def lined(game: Game[Any]) -> bool:
    """Return True if a line of moves is a solution: one seat, and nothing left to chance."""
    return Trait.SOLO in game.traits and Trait.CHANCE not in game.traits


def solves(game: Game[Any], value: float | None) -> bool:
    """Return True if a line that pays so much is a solution; dead ends of covers pay nothing."""
    return value is not None and (Trait.COVER not in game.traits or value > 0)


@define
class _Way:
    """A position that a player searches, and the moves that led there."""

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
        """Return the last result from here, or None when no more needs to be asked."""
        result = None
        here = Position(self.here, self.here)
        with closing(self.effort.seat.hear(here, seed)) as stream:
            for result in stream:
                if self._enough(result):
                    return None
        assert result is not None  # a player that says nothing has crashed
        return None if self._pays(result.line) is not None else result

    def walk(self, result: Result) -> None:
        """Go on to where the last line stops; raise Forfeit if there is no line."""
        for move in result.line or (None,):
            text, self.here = self.effort.seat.step(self.here, move)
            self.path = (*self.path, text)
        self.seen = self.paid = None

    def _enough(self, result: Result) -> bool:
        """Look at a result; return True if the player has done all that it can or should."""
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
        """Keep a line that is better than those before."""
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
    """Let a player work on a line; raise Forfeit if it breaks the rules or its claim."""
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
    """Settle claims of the best by the lines of all, and by the truth if it is known."""
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
    """Settle a claim that nothing is better, or, if `nothing`, that there is no solution."""
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
