"""The sequential probability ratio test (SPRT) between two players (Wald 1945).

H0: the first player is elo0 stronger than the second; H1: it is elo1 stronger. After every
pair the log-likelihood ratio (LLR) of H1 to H0 is compared with Wald's two bounds; the first
one reached decides. The likelihoods are generalised ones, see `multinomial`. Every pair has its
own opening; when no new one is left the test ends undecided.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from attrs import field, frozen
from attrs.validators import gt, in_

from dragon_tournament.clock import finite
from dragon_tournament.records.record import Record
from dragon_tournament.statistics.elo import NORMALISED, expected
from dragon_tournament.statistics.multinomial import LARGEST_T, Sample
from dragon_tournament.statistics.pairs import Meeting, sample, score

if TYPE_CHECKING:
    from dragon_tournament.pairing import Pairing

MODELS = ("normalized", "logistic")
LARGEST_ELO = 4000.0
"""The limit of logistic Elo; a little above, the mean score rounds to 1."""
SAME = 20
"""The pairs after which a test ends whose players only repeat themselves."""


@frozen
class Sprt:
    """The settings of the test; its fields are the keys of the table `[sprt]`."""

    elo0: float = field(validator=finite)
    """H0: the first player is stronger than the second by this."""
    elo1: float = field(validator=finite)
    """H1: it is stronger by this; more than elo0."""
    alpha: float = field(default=0.05, validator=gt(0.0))
    """The greatest probability of accepting H1 where H0 is true."""
    beta: float = field(default=0.05, validator=gt(0.0))
    """The greatest probability of accepting H0 where H1 is true."""
    model: str = field(default="normalized", validator=in_(MODELS))
    """The kind of elo0 and elo1: `normalized` or `logistic`."""

    def objections(self, games: int) -> Iterable[tuple[str, str]]:
        """Objections to the settings together, for pairs of `games` games: key and sentence."""
        if self.elo0 >= self.elo1:
            yield "elo0", f"elo0 must be less than elo1, not {self.elo0:g} and {self.elo1:g}"
        if self.alpha + self.beta >= 1:
            yield (
                "alpha",
                f"alpha and beta must sum to less than 1, not {self.alpha:g} and {self.beta:g}",
            )
        most, remedy = LARGEST_ELO, "take less"
        if self.model == "normalized":
            most = LARGEST_T * NORMALISED / math.sqrt(games)
            remedy = 'take less, or model = "logistic"'
        for key, given in (("elo0", self.elo0), ("elo1", self.elo1)):
            if abs(given) > most:
                where = f"within {most:.0f} {self.model} Elo of 0"
                yield key, f"{key} must be {where}, not {given:g}; {remedy}"

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLR at which H0, and that at which H1 is accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, sample: Sample) -> float:
        """The log-likelihood ratio of H1 to H0, of any counts; 0 without counts."""
        if not sample.size:
            return 0.0
        regular = sample.regular()
        if self.model == "logistic":
            given0, given1 = (regular.given_mean(expected(e)) for e in (self.elo0, self.elo1))
        else:
            unit = math.sqrt(sample.games) / NORMALISED
            given0, given1 = (regular.given_t(e * unit) for e in (self.elo0, self.elo1))
        return given1 - given0

    def accepted(self, llr: float) -> str:
        """`H0`, `H1`, or nothing while the test goes on."""
        lower, upper = self.bounds
        return "H1" if llr >= upper else "H0" if llr <= lower else ""


@frozen
class Verdict:
    """The state of a test, or its decision."""

    sprt: Sprt
    llr: float
    sample: Sample
    """The scores of pairs until then."""
    accepted: str = ""
    """`H0`, `H1`, or nothing while it is open."""
    ended: str = ""
    """The reason, a sentence, if it ended undecided."""

    @property
    def over(self) -> bool:
        """Return True if no more games are needed."""
        return bool(self.accepted or self.ended)

    def __str__(self) -> str:
        sprt, (lower, upper) = self.sprt, self.sprt.bounds
        outcome = f"{self.accepted} accepted" if self.accepted else "undecided"
        pairs = "pair" if self.sample.size == 1 else "pairs"
        return (
            f"SPRT of {sprt.elo0:g} and {sprt.elo1:g} {sprt.model} Elo: {outcome} after "
            f"{self.sample.size:.0f} {pairs}, LLR {self.llr:.2f} ({lower:.2f}, {upper:.2f})"
            + (f"; {self.ended}" if self.ended else "")
        )


def verdict(sprt: Sprt, met: Meeting | None, size: int) -> Verdict:
    """The state of a test by a meeting of the two; whole pairs have `size` games.

    An opening that was played more often is one pair, the mean of all of its games.
    """
    counts: Counter[float] = Counter()
    for found in met.samples if met else ():
        if found.games % size == 0:
            counts.update(dict(zip(found.values, map(int, found.counts), strict=True)))
    pairs = sample(+counts, size)
    llr = sprt.llr(pairs)
    return Verdict(sprt, llr, pairs, sprt.accepted(llr))


class Trial:
    """A test in progress: fed with records in any order, it counts them in that of the schedule.

    A pair counts when all pairs before it are complete. So the decision, and the pair that makes
    it, depend on the games alone, not on the order in which they end.
    """

    def __init__(
        self, sprt: Sprt, first: str, second: str, pairings: Iterable[Pairing], alike: bool = False
    ) -> None:
        """`alike`: True if all games begin alike, so that only the players' choices differ."""
        self.sprt, self.first, self.second = sprt, first, second
        self._units = _units(pairings)
        self._unit = next(self._units, ())
        self._size = len(self._unit) or 1
        self._records: dict[str, Record] = {}
        self._counts: Counter[float] = Counter()
        self._course: tuple[Any, ...] | None = None
        """The moves of the first pair, as long as all pairs begin alike and repeat it."""
        self._alike, self._same = alike, 0
        self.verdict = Verdict(sprt, 0.0, sample(self._counts, self._size))

    def add(self, record: Record) -> None:
        """Take the record of a game; it changes nothing after the decision."""
        if self.verdict.over:
            return
        self._records[record.id] = record
        while self._unit and all(game in self._records for game in self._unit):
            games = [self._records.pop(game) for game in self._unit]
            made = score(games, self.first, self.second)
            self._unit = next(self._units, ())
            if made is None:  # the two were not opposed
                continue
            self._count(round(made, 9), tuple(game.moves for game in games))
            now = sample(self._counts, self._size)
            llr = self.sprt.llr(now)
            accepted = self.sprt.accepted(llr)
            self.verdict = Verdict(self.sprt, llr, now, accepted, "" if accepted else self._end())
            if self.verdict.over:
                return

    def _count(self, made: float, course: tuple[Any, ...]) -> None:
        """Count a pair; players that only repeat their first pair have one."""
        if self._alike:
            self._course = self._course or course
            if course == self._course:
                self._same += 1
                self._counts[made] = 1
                return
            self._counts[next(iter(self._counts))] = self._same
            self._alike = False
        self._counts[made] += 1

    def _end(self) -> str:
        if self._alike and self._same >= SAME:
            return (
                f"the players repeated their first pair {self._same} times, move for move; give "
                f"[openings]"
            )
        if not self._unit:
            return "no opening is left that has not been played; give more of them, or more games"
        return ""


def _units(pairings: Iterable[Pairing]) -> Iterator[tuple[str, ...]]:
    """The ids of the games that are counted together, in the order of the schedule."""
    for _, group in groupby(pairings, key=lambda pairing: pairing.index):
        yield tuple(pairing.id for pairing in group)
