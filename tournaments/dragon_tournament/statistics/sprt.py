"""SPRT: the sequential probability ratio test between two players (Wald 1945).

H0: the first player is elo0 stronger than the second; H1: it is elo1 stronger. After every
pair the log-likelihood ratio (LLR) of H1 to H0 is held against Wald's two bounds; the first
one reached decides. The likelihoods are generalised ones, see `multinomial`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from attrs import field, frozen
from attrs.validators import gt, in_

from dragon_tournament.records.record import Record
from dragon_tournament.statistics.elo import NORMALISED, expected
from dragon_tournament.statistics.multinomial import LARGEST_T, Sample
from dragon_tournament.statistics.pairs import sample_of, score

if TYPE_CHECKING:
    from dragon_tournament.formats.schedule import Pairing

MODELS = ("normalized", "logistic")
LARGEST_ELO = 4000.0
"""Of logistic Elo; soon after it a float cannot tell the mean score from 1."""


def _finite(instance: object, attribute: Any, value: float) -> None:
    if not math.isfinite(value):
        raise ValueError(f"{attribute.name} must be a finite number, not {value!r}")


@frozen
class Sprt:
    """The settings of the test; its fields are the keys of the table `[sprt]`."""

    elo0: float = field(validator=_finite)
    """H0: the first player is so much stronger than the second."""
    elo1: float = field(validator=_finite)
    """H1: it is so much stronger; more than elo0."""
    alpha: float = field(default=0.05, validator=gt(0.0))
    """The greatest probability of accepting H1 where H0 is true."""
    beta: float = field(default=0.05, validator=gt(0.0))
    """The greatest probability of accepting H0 where H1 is true."""
    model: str = field(default="normalized", validator=in_(MODELS))
    """What elo0 and elo1 are: `normalized` or `logistic` Elo."""
    pairs: bool = True
    """Whether whole pairs are counted (pentanomial), or single games (trinomial)."""

    def objections(self, games: int) -> Iterable[tuple[str, str]]:
        """What is wrong with the settings together, for pairs of so many games: key, sentence."""
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
        """The log-likelihood ratio of H1 to H0, of any counts; 0 without any."""
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
    """How a test stands, or what it has decided."""

    sprt: Sprt
    llr: float
    sample: Sample
    """What was counted until then."""
    accepted: str = ""
    """`H0`, `H1`, or nothing while it is open."""

    def __str__(self) -> str:
        sprt, (lower, upper) = self.sprt, self.sprt.bounds
        unit = "pairs" if sprt.pairs else "games"
        outcome = f"{self.accepted} accepted" if self.accepted else "undecided"
        return (
            f"SPRT of {sprt.elo0:g} and {sprt.elo1:g} {sprt.model} Elo: {outcome} after "
            f"{self.sample.size:.0f} {unit}, LLR {self.llr:.2f} ({lower:.2f}, {upper:.2f})"
        )


class Trial:
    """A test in progress: fed with records in any order, it counts them in that of the schedule.

    A pair counts when all pairs before it are whole. So what is decided, and on which pair,
    depends on the games alone, not on which of them ended first.
    """

    def __init__(self, sprt: Sprt, first: str, second: str, pairings: Iterable[Pairing]) -> None:
        self.sprt, self.first, self.second = sprt, first, second
        self._units = _units(pairings, sprt.pairs)
        self._unit = next(self._units, ())
        self._size = len(self._unit) or 1
        self._records: dict[str, Record] = {}
        self._counts: Counter[float] = Counter()
        self.verdict = Verdict(sprt, 0.0, sample_of(self._counts, self._size))

    def add(self, record: Record) -> None:
        """A game has ended; one that the test does not wait for changes nothing."""
        if self.verdict.accepted:
            return
        self._records[record.id] = record
        while self._unit and all(game in self._records for game in self._unit):
            made = score([self._records.pop(game) for game in self._unit], self.first, self.second)
            self._unit = next(self._units, ())
            if made is None:  # the two were not opposed
                continue
            self._counts[round(made, 9)] += 1
            now = sample_of(self._counts, self._size)
            llr = self.sprt.llr(now)
            self.verdict = Verdict(self.sprt, llr, now, self.sprt.accepted(llr))
            if self.verdict.accepted:
                return


def _units(pairings: Iterable[Pairing], paired: bool) -> Iterator[tuple[str, ...]]:
    """The ids of the games that are counted together, in the order of the schedule."""
    if not paired:
        for pairing in pairings:
            yield (pairing.id,)
        return
    for _, group in groupby(pairings, key=lambda pairing: pairing.index):
        yield tuple(pairing.id for pairing in group)
