"""Advice for a hand: how often each contract makes, and what it is worth, over sampled worlds.

A *cell* is a contract with a trump, a *world* one lie of the cards that the declarer does
not see, a *discard* the two of twelve cards that go to the talon. In each world a cell is
made or fails under perfect play with open cards; the share of worlds in which it is made
is the estimate (its interval by Wilson 1927). All cells and discards meet the same worlds,
so that chance cancels where they are compared.

Several contracts at once are settled part by part. In each world the declarer plays for what pays
most of all that it can be sure of: some parts together, or one of some of them, whichever the
defenders leave; other parts count as lost. Of two parts that is the value of the game in which each
is settled by itself, of three at most that value.

With twelve cards the discards race: a few worlds for all 66, twice as many for the better
half, and so on (Karnin, Koren and Somekh 2013, successive halving), each by the cell that
serves it best; cells that do not have a chance left to be the best of all are passed over.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import combinations
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from attrs import evolve, frozen

from dragon.config import game, search
from dragon.core import TERMINAL, Limit, Position
from dragon.search.alphabeta.search import Batch
from dragon_ulti.cards import Hand
from dragon_ulti.contracts import PARTIES
from dragon_ulti.question import Cell, Question, discards_of
from dragon_ulti.record import Table, state_of
from dragon_ulti.solver import SEARCH
from dragon_ulti.worlds import World, Worlds, deal_of, unseen

if TYPE_CHECKING:
    from dragon_ulti.game import Ulti

DOUBT = 2.5
"""Standard deviations beyond which a cell is given up, of thousands that are compared."""
FIRST_WORLDS, FINALISTS = 6, 5
"""Worlds that every discard meets first; discards that meet all."""
Z = 1.959964
"""Standard deviations on either side of a 95 % interval."""
Goal = frozenset[tuple[str, bool]]
"""Contracts that are played for, each with whether marriages count in it."""
SHARED = SEARCH.replace("aspiration=false", "aspiration=false, pvs=false").replace(
    "megabytes=16", "megabytes=1"
)
"""A table for each cell: small enough for a processor's cache, and more gains little."""


@frozen
class Estimate:
    """The share of tries in which something happened."""

    made: int
    samples: int

    @property
    def share(self) -> float:
        """The share of tries; 0.5 before the first."""
        return self.made / self.samples if self.samples else 0.5

    def interval(self) -> tuple[float, float]:
        """Return Wilson's 95 % interval for the probability; (0, 1) before the first try.

        >>> low, high = Estimate(10, 10).interval()
        >>> round(low, 3), round(high, 3)
        (0.722, 1.0)
        """
        low, high = wilson(self.made, self.samples, Z)
        return float(low), float(high)


def wilson(made: Any, samples: Any, z: float) -> tuple[Any, Any]:
    """Return both ends of Wilson's interval of z standard deviations, for numbers or arrays."""
    n = np.maximum(samples, 1)
    middle = (made + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * np.sqrt(made * (n - made) / n + z * z / 4)
    low = np.where(made == 0, 0.0, middle - half)
    high = np.where(made == samples, 1.0, middle + half)
    return low, high


@frozen
class Line:
    """The result for one cell with one discard."""

    cell: Cell
    lacking: str
    """Why it cannot be bid, as a sentence; empty if it can."""
    estimate: Estimate
    """The share of deals in which all of it is made."""
    parts: tuple[Estimate, ...]
    """The shares of the parts that are settled by themselves."""

    @property
    def stakes(self) -> float:
        """The declarer's expectation from each defender."""
        return self._expected([part.share for part in self.parts])

    @property
    def stakes_interval(self) -> tuple[float, float]:
        """The expectation at both ends of the intervals of all parts."""
        low, high = zip(*(part.interval() for part in self.parts), strict=True)
        return self._expected(low), self._expected(high)

    def _expected(self, shares: Iterable[float]) -> float:
        values = (value for _, value in self.cell.parts)
        return sum(value.expected(share) for value, share in zip(values, shares, strict=True))


@frozen(eq=False)
class Advice:
    """The advice so far; the last of a stream is `done` unless it was broken off."""

    hand: Hand
    cells: tuple[Cell, ...]
    discards: tuple[Hand, ...]
    """The discards of twelve cards; one empty discard for ten."""
    lacking: tuple[tuple[str, ...], ...]
    """For each discard and cell why it cannot be bid, or nothing."""
    made: Any
    """int64[discards, cells]"""
    parted: Any
    """int64[discards, cells, parts], worlds in which each part is made."""
    seen: Any
    """int64[discards, cells], worlds looked at."""
    rounds: tuple[int, ...]
    """For each discard how often it was among the better half."""
    worlds: int
    """The number of deals that fit what is known."""
    part: float
    """The part of the work that is done, from 0 to 1."""
    nodes: int = 0
    seconds: float = 0.0
    done: bool = False

    def line(self, discard: int, cell: int) -> Line:
        """One cell with one discard, both by number."""
        seen, here = int(self.seen[discard, cell]), self.cells[cell]
        parts = (int(made) for made in self.parted[discard, cell, : len(here.parts)])
        return Line(
            here, self.lacking[discard][cell], Estimate(int(self.made[discard, cell]), seen),
            tuple(Estimate(made, seen) for made in parts),
        )  # fmt: skip

    def lines(self, discard: int) -> list[Line]:
        """Return all cells with a discard: those seen, best first, then the others as they come."""
        found = (self.line(discard, cell) for cell in range(len(self.cells)))
        return sorted(found, key=lambda x: (bool(x.lacking), not x.estimate.samples, -x.stakes))

    def best(self, discard: int) -> Line | None:
        """Return the cell of the highest expectation; None before any was looked at."""
        first = self.lines(discard)[0]
        return first if first.estimate.samples else None

    def ranking(self) -> list[tuple[int, Line]]:
        """Discards that were looked at with their best cells, best first."""
        found = [(i, self.best(i)) for i in range(len(self.discards))]
        known = [(i, line) for i, line in found if line is not None]
        return sorted(known, key=lambda pair: (-self.rounds[pair[0]], -pair[1].stakes))


def advise(question: Question) -> Generator[Advice, None, None]:
    """Yield the advice after each world, or each discard that met some; the last is done.

    Mistakes in the question are raised before the first. Closing the stream gives
    the tables back.
    """
    work = _Work(question)
    try:
        yield work.snapshot()
        if len(work.discards) == 1:
            yield from work.sample()
        else:
            yield from work.race()
        yield work.snapshot(done=True)
    finally:
        for judge in work.judges.values():
            judge.close()


CLOSED_WORLDS = 20
"""Worlds that a player with closed cards imagines before each card."""


@frozen
class Closed:
    """A bid played with closed cards, and the same deals with open ones."""

    line: Line
    discard: Hand
    made: Estimate
    open: Estimate


def play_closed(known: Advice, question: Question, games: int) -> Generator[Closed, None, None]:
    """Yield, game by game, how often the best bid is made where each seat sees its own cards.

    All three draw worlds that agree with what they have seen, solve them and play the best card on
    average (`determinize`). The deals are the first of those by which the bid was judged.
    """
    best, line = known.ranking()[0]
    played = evolve(line.cell.game, cards="hidden")
    hand = tuple(card for card in known.hand if card not in known.discards[best])
    worlds = Worlds(unseen(known.hand), question.known, question.trump)
    made = opened = 0
    with (
        closing(search(f"determinize(samples={CLOSED_WORLDS})").open(played)) as run,
        closing(Batch(cast("Any", search(SHARED)))) as batch,
    ):
        for i, world in zip(range(games), worlds.deals(question.seed), strict=False):
            table = Table(deal_of(hand, world, known.discards[best]))
            state = played.begun(table)
            while state.turn != TERMINAL:
                result = run.best(Position(state.seen(state.turn)), rng=question.seed + i)
                state = state.after(result.move)
            made += state.payoff()[0] > 0
            value = batch.value(state_of(line.cell.game, line.cell.game.setting, table))
            opened += value is not None and value > 0
            yield Closed(line, known.discards[best], Estimate(made, i + 1), Estimate(opened, i + 1))


class _Work:
    """The working memory of one `advise`."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.discards = discards_of(question)
        self.worlds = Worlds(unseen(question.hand), question.known, question.trump)
        self.hands = [tuple(c for c in question.hand if c not in d) for d in self.discards]
        self.lacking = tuple(
            tuple(cell.lacking(hand, discard) for cell in question.cells)
            for hand, discard in zip(self.hands, self.discards, strict=True)
        )
        shape = len(self.discards), len(question.cells)
        most = max(len(cell.parts) for cell in question.cells)
        self.made, self.seen = np.zeros((2, *shape), np.int64)
        self.parted = np.zeros((*shape, most), np.int64)
        self.rounds = [0] * len(self.discards)
        self._outcomes: dict[tuple[int, int], list[frozenset[str]]] = {}
        self._verdicts: dict[tuple[int, int, str | None, bool], dict[Goal, bool]] = {}
        self._plans = [_plan_of(cell) for cell in question.cells]
        self._gain, self._loss = np.zeros((2, shape[1], most))
        for i, cell in enumerate(question.cells):
            for k, (_, value) in enumerate(cell.parts):
                self._gain[i, k], self._loss[i, k] = value.made + value.lost, value.lost
        self._open_cells = np.array([[not why for why in row] for row in self.lacking])
        self.part = 0.0
        self._stream = self.worlds.deals(question.seed)
        self._drawn: list[World] = []
        self._settings = cast("Any", search(SHARED))
        self.judges: dict[Ulti, Batch] = {}
        with closing(
            Batch(self._settings)
        ) as first:  # compiles what is needed before the clock runs
            first.value(game("ulti").start(0), Limit(nodes=1))
        self._begun = time.perf_counter()

    def snapshot(self, done: bool = False) -> Advice:
        q, seconds = self.question, time.perf_counter() - self._begun
        nodes = sum(judge.nodes for judge in self.judges.values())
        return Advice(q.hand, q.cells, self.discards, self.lacking, self.made.copy(),
                      self.parted.copy(), self.seen.copy(), tuple(self.rounds), self.worlds.count,
                      1.0 if done else self.part, nodes, seconds, done)  # fmt: skip

    def sample(self) -> Iterator[Advice]:
        """Yield all cells of the only discard, world by world."""
        for i in range(self.question.samples):
            self.part = (i + 1) / self.question.samples
            yield from self._meet(0, self._open(0), i + 1)

    def race(self) -> Iterator[Advice]:
        """Judge fewer and fewer discards in more and more worlds, and the best in all."""
        left = [i for i in range(len(self.discards)) if self._open(i)]
        plan = self._plan(len(left))
        total, spent, worlds = sum(n * more for n, more in plan), 0, 0
        for n, more in plan:
            if worlds:
                left = self._better(left, n)
            for step in range(more * len(left)):  # world by world, so that all know as much
                discard = left[step % len(left)]
                upto = worlds + step // len(left) + 1
                self.part = (spent + (step + 1) * n / len(left)) / total
                yield from self._meet(discard, self._hopeful(discard), upto)
            spent, worlds = spent + n * more, worlds + more
        for i, _ in self.snapshot().ranking()[:1]:  # what the race passed over
            for upto in range(1, self.question.samples + 1):
                yield from self._meet(i, self._open(i), upto)

    def _better(self, left: list[int], n: int) -> list[int]:
        """Return the n best of the discards that are left, best first, with those that tie."""
        ranking = [(i, line.stakes) for i, line in self.snapshot().ranking() if i in left]
        more = [i for i, stakes in ranking[n : 2 * n] if stakes == ranking[n - 1][1]]
        kept = [i for i, _ in ranking[:n]] + more
        for i in kept:
            self.rounds[i] += 1
        return kept

    def _meet(self, discard: int, cells: list[int], worlds: int) -> Iterator[Advice]:
        """Judge cells in the worlds up to a number; yield the advice if that changed it."""
        if any(self.seen[discard, cell] < worlds for cell in cells):
            for cell in cells:
                self._look(discard, cell, worlds)
            yield self.snapshot()

    def _plan(self, discards: int) -> list[tuple[int, int]]:
        """Return for each round the number of discards left, and of further worlds for them."""
        plan, worlds = [], 0
        while worlds < self.question.samples and discards:
            upto = min(max(2 * worlds, FIRST_WORLDS), self.question.samples)
            plan.append((discards, upto - worlds))
            worlds, discards = upto, max(discards // 2, min(FINALISTS, discards))
        return plan

    def _open(self, discard: int) -> list[int]:
        """Return the cells that may be bid."""
        return [i for i, lacking in enumerate(self.lacking[discard]) if not lacking]

    def _hopeful(self, discard: int) -> list[int]:
        """Return the cells of these that may still be the best of all."""
        low, high = wilson(self.parted, self.seen[..., None], DOUBT)
        floor = self._expected(low)[self._open_cells].max()
        hopeful = self._expected(high[discard]) >= floor
        return [cell for cell in self._open(discard) if hopeful[cell]]

    def _expected(self, probability: Any) -> Any:
        """Return float64[..., cells]: the expectation of each cell for the shares of its parts."""
        return (probability * self._gain - self._loss).sum(axis=-1)

    def _look(self, discard: int, cell: int, worlds: int) -> None:
        """Judge a cell in the worlds up to a number."""
        known = self._outcomes.setdefault((discard, cell), [])
        for i in range(len(known), worlds):
            plan = self._plans[cell]
            known.append(next(aim.made for aim in plan if self._makes(discard, aim, i)))
        parts = [name for name, _ in self.question.cells[cell].parts]
        whole = frozenset(parts)
        self.made[discard, cell] = sum(outcome == whole for outcome in known)
        self.seen[discard, cell] = len(known)
        for k, name in enumerate(parts):
            self.parted[discard, cell, k] = sum(name in outcome for outcome in known)

    def _makes(self, discard: int, aim: Aim, world: int) -> bool:
        """Return True if the declarer makes what it plays for in a world."""
        game = aim.game
        if game is None:
            return True
        goal = frozenset(
            (name, game.marriages and name in PARTIES) for name in game.contract.split("+")
        )
        known = self._verdicts.setdefault((discard, world, game.trump, aim.some), {})
        if goal not in known:
            # all contracts are made if more are, and one of them if one of fewer is
            sure, spoilt = False, False
            for other, made in known.items():
                within = other <= goal if aim.some == made else goal <= other
                sure, spoilt = sure or (within and made), spoilt or (within and not made)
            known[goal] = sure or (not spoilt and self._judge(discard, aim, world))
        return known[goal]

    def _judge(self, discard: int, aim: Aim, world: int) -> bool:
        game = aim.game
        assert game is not None
        while len(self._drawn) <= world:
            self._drawn.append(next(self._stream))
        deal = deal_of(self.hands[discard], self._drawn[world], self.discards[discard])
        if game not in self.judges:
            self.judges[game] = Batch(self._settings)
        setting = evolve(game.setting, some=aim.some)
        value = self.judges[game].value(state_of(game, setting, Table(deal)))
        assert value is not None  # there is no limit
        return value > 0


@frozen
class Aim:
    """An aim of the declarer: some contracts, all of them or one."""

    made: frozenset[str]
    """The parts that are made then; of one of several the one that pays least."""
    game: Ulti | None = None
    """The contracts; None for none."""
    some: bool = False
    """True if one of the contracts is enough, whichever the defenders leave."""


IMPLIED = frozenset({"forty_hundred", "four_aces"})
"""Contracts that a durchmars makes, too, so that to have one of these or it is to have one."""


def _plan_of(cell: Cell) -> list[Aim]:
    """Return the bids open to the declarer, the best paid first."""
    values = dict(cell.parts)

    def pays(made: Iterable[str]) -> float:
        chosen = {*made}
        return sum(v.made if name in chosen else -v.lost for name, v in values.items())

    aims = [Aim(frozenset())]
    for n in range(1, len(values) + 1):
        for chosen in combinations(values, n):
            game = cell.playing_for(chosen)
            aims.append(Aim(frozenset(chosen), game))
            if n > 1 and not ("durchmars_trump" in chosen and IMPLIED & {*chosen}):
                least = min(chosen, key=lambda name: pays([name]))
                aims.append(Aim(frozenset([least]), game, some=True))
    return sorted(aims, key=lambda aim: (-pays(aim.made), aim.some))
