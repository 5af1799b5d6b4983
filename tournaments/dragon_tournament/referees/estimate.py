"""The referee of estimates: the nearest to the value of a reference wins, then the quicker."""

from __future__ import annotations

from typing import Any, ClassVar

from attrs import frozen

from dragon.core import Game, State, Trait
from dragon_tournament.records.attempt import Claim, Sought, since
from dragon_tournament.records.record import Reason
from dragon_tournament.referees.solo import EPSILON, Effort, Merit, Seeds, Solo, listen
from dragon_tournament.tournament import Instance, Tournament

EXACT = 1e-9  # an error below this is rounding


@frozen
class Estimate(Solo):
    """A contest in which each estimates the same value; the least error wins, then the quicker."""

    name: ClassVar[str] = "estimate"
    needs_reference: ClassVar[bool] = True
    tolerance: ClassVar[float] = 0.01

    def suits(self, game: Game[Any]) -> bool:
        """Return True for games of one seat with chance."""
        return Trait.SOLO in game.traits and Trait.CHANCE in game.traits

    def sought(self, game: Game[Any]) -> Sought:
        """Return that a value is sought."""
        return Sought.ESTIMATE

    def goals(self, game: Game[Any]) -> tuple[str, ...]:
        """Return the goals: within the tolerance for good, or proven."""
        return ("best", "proof")

    def attempt(self, instance: Instance, state: State[Any], effort: Effort, seeds: Seeds) -> None:
        """Ask for the value."""
        listen(effort, state, seeds(0))

    def judge(
        self, tournament: Tournament, instance: Instance, truth: float | None, efforts: list[Effort]
    ) -> list[Merit]:
        """Return the distance of each last value from the truth, as a negative score."""
        assert truth is not None  # it needs a reference
        given = instance.value is not None
        sure = given or (tournament.reference is not None and tournament.reference.proves)
        tolerance = self.tolerance if tournament.tolerance is None else tournament.tolerance
        for effort in efforts:
            effort.best = since(effort.curve, truth, tolerance)
            if effort.failed or effort.value is None:
                continue
            error = abs(effort.value - truth)
            effort.score = -error if error > EXACT else 0.0
            if effort.exact is not None:
                effort.claim = Claim.CHECKED if sure else Claim.UNCHECKED
                if sure and abs(effort.exact - truth) > EPSILON:
                    detail = f"claims to have proven {effort.exact:.6g}; the value is {truth:.6g}"
                    effort.lose(Reason.FALSE_CLAIM, detail)
                    continue
            effort.solved = effort.proof if tournament.goal == "proof" else effort.best
        return [(effort.score,) for effort in efforts]
