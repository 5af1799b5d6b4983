"""Race: who solves an instance, and how soon.

With one seat and no luck a solution is a line of moves, and a certificate (`certificate`). In
other games a solver claims the value of a position. Of the line it gives along, no more can be
seen than whether it contradicts the claim; so claims are compared with the value that the file
or the reference gives, else with one another.
"""

from __future__ import annotations

from typing import Any, ClassVar

from attrs import frozen

from dragon.core import CHANCE, TERMINAL, Bound, Game, State
from dragon_tournament.instance import Instance
from dragon_tournament.records.attempt import Claim, Sought, since
from dragon_tournament.records.record import Reason
from dragon_tournament.referees.certificate import judge_lines, lined, seek
from dragon_tournament.referees.guard import Forfeit
from dragon_tournament.referees.setup import finite
from dragon_tournament.referees.solo import EPSILON, Effort, Merit, Seeds, Solo, listen
from dragon_tournament.tournament import Tournament


@frozen
class Race(Solo):
    """Each solves the same instance alone; what it claims is checked, and its time is taken."""

    name: ClassVar[str] = "race"

    def suits(self, game: Game[Any]) -> bool:
        """Games of one seat in which nothing is left to chance."""
        return lined(game)

    def sought(self, game: Game[Any]) -> Sought:
        """A line where it is a solution by itself, else a proof."""
        return Sought.LINE if lined(game) else Sought.PROOF

    def goals(self, game: Game[Any]) -> tuple[str, ...]:
        """A line can be the first or the best; a claim can be right, or proven."""
        return ("best", "first", "proof") if lined(game) else ("proof", "best")

    def attempt(self, instance: Instance, state: State[Any], effort: Effort, seeds: Seeds) -> None:
        """Asks for a line or for a claim, whichever the instance is about."""
        if lined(instance.game):
            seek(instance.game, state, effort, seeds)
        else:
            listen(effort, state, seeds(0))
            _replay(state, effort)

    def judge(
        self, tournament: Tournament, instance: Instance, truth: float | None, efforts: list[Effort]
    ) -> list[Merit]:
        """Claims against what is known; then who has reached the goal."""
        if lined(instance.game):
            return judge_lines(tournament, instance, truth, efforts)
        return judge_claims(tournament, truth, efforts)


def _replay(state: State[Any], effort: Effort) -> None:
    """Plays the line that goes with the last claim; raises Forfeit where it belies the claim."""
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
    """Settles claims of a value: by the truth where it is known, else by one another."""
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
    """A claim with the truth."""
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
