"""The ranking: the order of teams, and the choice of the best ones that are listed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from attrs import field, frozen

from dragon_pokemon.game import SCORE, STACKED
from dragon_pokemon.problem import Cap, damage, items_of, possible, score

if TYPE_CHECKING:
    from dragon_pokemon.game import Pokemon


@frozen
class Team:
    """A cover with its score."""

    score: int
    options: tuple[str, ...]
    stacked: int = field(default=0, eq=False)
    """The members weak to an attack beyond those that resist it, added up over all types."""


@frozen(eq=False)
class Ranking:
    """The order of the covers of a question, and the choice among them."""

    query: Pokemon
    top: int
    rank: str = SCORE
    differ: int = 1
    caps: tuple[Cap, ...] = ()
    """The caps that teams have to keep and that the covers may break."""
    signs: dict[str, tuple[int, ...]] = field(factory=dict, init=False)
    """For each option met, and each item: 1 where it is weak, -1 where it resists, else 0."""

    @property
    def plain(self) -> bool:
        """Return True if the best by cost are listed."""
        return self.rank == SCORE and self.differ <= 1 and not self.caps

    def listed(
        self, costs: Iterable[tuple[int, tuple[str, ...]]], every: bool
    ) -> tuple[tuple[Team, ...], int]:
        """Return the teams to be listed, and the number of those that are certain.

        These would be listed with any other covers too. costs: (cost, options) of the cheapest
        covers, the cheapest first. every: whether there are no other covers.
        """
        known = [(cost, self.stacked(options), options) for cost, options in costs]
        last = known[-1][0] if known and not every else None
        known = [each for each in known if possible(self.caps, each[2])]
        extra = (lambda more: more) if self.rank == STACKED else (lambda more: 0)
        known.sort(key=lambda each: (each[0] + extra(each[1]), each[0], len(each[2]), each[2]))
        chosen: list[tuple[str, ...]] = []
        teams: list[Team] = []
        sure = 0
        for cost, more, options in known:
            if len(teams) == self.top:
                break
            if self.differ > 1 and not all(_apart(options, other, self.differ) for other in chosen):
                continue
            chosen.append(options)
            teams.append(Team(score(self.query, options), options, more))
            # Unknown covers cost at least `last`, so they come after cheaper ones.
            if self.rank == SCORE or last is None or (cost + more, cost) < (last, last):
                sure = len(teams)
        return tuple(teams), sure

    def stacked(self, options: Sequence[str]) -> int:
        """Return the sum of `problem.stacked` over all types."""
        if self.query.side == "attack":
            return 0
        columns = zip(*map(self._signs, options), strict=True)
        return sum(max(0, sum(column)) for column in columns)

    def _signs(self, option: str) -> tuple[int, ...]:
        if option not in self.signs:
            factors = (damage(self.query, option, item) for item in items_of(self.query))
            self.signs[option] = tuple((factor > 1) - (factor < 1) for factor in factors)
        return self.signs[option]


def _apart(options: Sequence[str], other: Sequence[str], differ: int) -> bool:
    """Return True if `differ` of the larger team, or all of a smaller one, are not in the other."""
    larger = max(len(options), len(other))
    return larger - len({*options} & {*other}) >= min(differ, larger)
