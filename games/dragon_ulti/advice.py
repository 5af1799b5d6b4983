"""Advice for a hand: how often each contract makes, and what it is worth, over sampled worlds.

A *cell* is a contract with a trump, a *world* one lie of the cards that the declarer does
not see, a *discard* the two of twelve cards that go to the talon. In each world a cell is
made or fails under perfect play with open cards; the share of worlds in which it is made
is the estimate. All cells and discards meet the same worlds, so that luck cancels where
they are compared.

With twelve cards the discards race: a few worlds for all 66, twice as many for the better
half, and so on (Karnin, Koren and Somekh 2013, successive halving), each by the cell that
serves it best; cells that have no chance left to be the best of all are passed over.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from itertools import combinations
from typing import Any

from attrs import field, frozen

from dragon.config import build, search
from dragon.core import Limit
from dragon.errors import BadNotation
from dragon.record import RecordState, rules_of
from dragon.search.alphabeta import AlphaBeta
from dragon.search.values import Values
from dragon_ulti import Ulti
from dragon_ulti.answers import SEARCH
from dragon_ulti.cards import SUITS, card, name, names
from dragon_ulti.contracts import CONTRACTS
from dragon_ulti.deal import SIZE, Hand
from dragon_ulti.estimate import Estimate, wilson
from dragon_ulti.stakes import Stakes, Value, common
from dragon_ulti.worlds import Known, World, Worlds, deal_of, unseen

DOUBT = 2.5
"""Standard deviations beyond which a cell is given up, of thousands that are compared."""
FIRST_WORLDS, FINALISTS = 6, 5
"""Worlds that every discard meets first; discards that meet all."""
SHARED = SEARCH.replace("aspiration=false", "aspiration=false, pvs=false").replace(
    "megabytes=16", "megabytes=1"
)
"""A table for each cell: small enough for a processor's cache, and more gains little."""


@frozen
class Cell:
    """A contract, or several, with a trump, and what it is worth."""

    game: Ulti
    value: Value

    @property
    def letter(self) -> str | None:
        """The trump's, or None without trump."""
        return (self.game.trump or "H") if self.game.bid.trump else None

    def lacking(self, hand: Hand, discard: Hand = ()) -> str:
        """What the hand lacks for the bid whatever the others hold; empty if it may be bid."""
        rest = [number for number in unseen(hand) if number not in discard]
        others = (tuple(rest[:SIZE]), tuple(rest[SIZE : 2 * SIZE]), tuple(rest[2 * SIZE :]))
        setting = self.game.setting
        if discard:
            return setting.unmet(deal_of(hand, others, discard))
        # What lies in the talon may be other cards: some two that spoil nothing.
        blank = [n for n in rest if n & 7 not in (3, 7)][:2]
        rest = [number for number in rest if number not in blank]
        return setting.unmet(deal_of(hand, (tuple(rest[:SIZE]), tuple(rest[SIZE:]), tuple(blank))))


@frozen
class Line:
    """What is known of one cell with one discard."""

    cell: Cell
    lacking: str
    """Why it cannot be bid, as a sentence; empty if it can."""
    estimate: Estimate

    @property
    def stakes(self) -> float:
        """The declarer's expectation from each defender."""
        return self.cell.value.expected(self.estimate.share)

    @property
    def stakes_interval(self) -> tuple[float, float]:
        """The expectation at both ends of the interval."""
        low, high = self.estimate.interval()
        return self.cell.value.expected(low), self.cell.value.expected(high)


@frozen(eq=False)
class Advice:
    """What is known so far; the last of a stream is `done` unless it was broken off."""

    hand: Hand
    cells: tuple[Cell, ...]
    discards: tuple[Hand, ...]
    """Of twelve cards; one empty discard for ten."""
    lacking: tuple[tuple[str, ...], ...]
    """For each discard and cell why it cannot be bid, or nothing."""
    made: Any
    """int64[discards, cells]"""
    seen: Any
    """int64[discards, cells], worlds looked at."""
    rounds: tuple[int, ...]
    """For each discard how often it was among the better half."""
    worlds: int
    """How many deals fit what is known."""
    part: float
    """Of the work, from 0 to 1."""
    nodes: int = 0
    seconds: float = 0.0
    done: bool = False

    def line(self, discard: int, cell: int) -> Line:
        """One cell with one discard, both by number."""
        estimate = Estimate(int(self.made[discard, cell]), int(self.seen[discard, cell]))
        return Line(self.cells[cell], self.lacking[discard][cell], estimate)

    def lines(self, discard: int) -> list[Line]:
        """All cells with a discard: those seen, best first, then the others as they come."""
        found = [self.line(discard, cell) for cell in range(len(self.cells))]
        return sorted(found, key=_worth)

    def best(self, discard: int) -> Line | None:
        """The cell of the highest expectation; None before any was looked at."""
        first = self.lines(discard)[0]
        return first if first.estimate.samples else None

    def ranking(self) -> list[tuple[int, Line]]:
        """Discards that were looked at with their best cells, best first."""
        found = [(i, self.best(i)) for i in range(len(self.discards))]
        known = [(i, line) for i, line in found if line is not None]
        return sorted(known, key=lambda pair: (-self.rounds[pair[0]], -pair[1].stakes))


def _worth(line: Line) -> tuple[bool, bool, float]:
    return bool(line.lacking), not line.estimate.samples, -line.stakes


@frozen
class Question:
    """A hand, what may be bid, and what is known of the others."""

    hand: Hand
    """Ten cards, or twelve of which two are to be discarded."""
    cells: tuple[Cell, ...]
    known: Known = field(factory=Known)
    discard: Hand = ()
    """The only discard to look at; () for all."""
    samples: int = 200
    seed: int = 0


def read_hand(text: str, sizes: tuple[int, ...] = (10, 12), what: str = "a hand") -> Hand:
    """The cards of a hand; raises BadNotation for another number of them, or one twice."""
    words = text.replace(",", " ").split()
    try:
        cards = [card(word) for word in words]
    except BadNotation as wrong:
        raise BadNotation(f"{wrong} (in {text!r})") from None
    twice = sorted({number for number in cards if cards.count(number) > 1})
    if twice:
        raise BadNotation(
            f"{names(twice)} is there more than once in {text!r}; a card is there once"
        )
    if len(cards) not in sizes:
        counted = f"{len(cards)} card{'' if len(cards) == 1 else 's'}"
        wanted = " or ".join(map(str, sizes))
        more = "; ten before the talon, twelve with it" if 12 in sizes else ""
        raise BadNotation(f"{text!r} has {counted}; {what} has {wanted}{more}")
    return tuple(sorted(cards))


def all_cells(
    rules: str = "real",
    stakes: Stakes | None = None,
    trump: str | None = None,
    contracts: Sequence[str] = (),
    marriages: bool = False,
) -> tuple[Cell, ...]:
    """The cells of some contracts, all ten by default, with every trump or one.

    Marriages count in the parties, if they do. Raises ConfigError for what cannot be bid.
    """
    stakes = stakes or common()
    found: list[Cell] = []
    for contract in dict.fromkeys(contracts or CONTRACTS):
        trumped = _game(contract=contract).bid.trump
        if trump is not None and not trumped and not contracts:
            continue
        letters: Sequence[str | None] = SUITS if trumped and trump is None else (trump,)
        parties = {*contract.split("+")} & {"party", "no_trump_party"}
        for letter in letters:
            game = _game(
                contract=contract, trump=letter, rules=rules, marriages=marriages and bool(parties)
            )
            found.append(Cell(game, stakes.of(game.bid, game.setting.trump)))
    return tuple({str(cell.game.bid.name) + str(cell.letter): cell for cell in found}.values())


def _game(**settings: Any) -> Ulti:
    game: Ulti = build(Ulti, {k: v for k, v in settings.items() if v is not None}, "ulti")
    return game


def discards_of(question: Question) -> tuple[Hand, ...]:
    """The discards to look at: none for ten cards, 66 for twelve; raises BadNotation."""
    if question.discard:
        missing = [each for each in question.discard if each not in question.hand]
        if missing or len(question.hand) == SIZE:
            why = f"{name(missing[0])} is not in the hand" if missing else "only 12 cards have one"
            raise BadNotation(f"{names(question.discard)} cannot be discarded: {why}")
        return (question.discard,)
    if len(question.hand) == SIZE:
        return ((),)
    return tuple(combinations(question.hand, 2))


def advise(question: Question) -> Generator[Advice, None, None]:
    """What is known after each world, or after each discard that met some; the last is done.

    What can be wrong with the question is told before the first. Closing the stream gives
    the tables back.
    """
    work = _Work(question)
    try:
        yield work.told()
        if len(work.discards) == 1:
            yield from work.sample()
        else:
            yield from work.race()
        yield work.told(done=True)
    finally:
        work.close()


class _Work:
    """The working memory of one `advise`."""

    def __init__(self, question: Question) -> None:
        import numpy as np

        self.question = question
        self.discards = discards_of(question)
        self.worlds = Worlds(unseen(question.hand), question.known)
        self.hands = [tuple(c for c in question.hand if c not in d) for d in self.discards]
        self.lacking = tuple(
            tuple(cell.lacking(hand, discard) for cell in question.cells)
            for hand, discard in zip(self.hands, self.discards, strict=True)
        )
        shape = len(self.discards), len(question.cells)
        self.made, self.seen = np.zeros((2, *shape), np.int64)
        self.rounds = [0] * len(self.discards)
        values = [cell.value for cell in question.cells]
        self._gain = np.array([value.made + value.lost for value in values])
        self._loss = np.array([value.lost for value in values])
        self._open_cells = np.array([[not why for why in row] for row in self.lacking])
        self.part = 0.0
        self._stream = self.worlds.deals(question.seed)
        self._drawn: list[World] = []
        self._judges: list[_Judge] = [_Judge(cell.game) for cell in question.cells]
        _warm_up()
        self._begun = time.perf_counter()

    def told(self, done: bool = False) -> Advice:
        """What is known, as a value."""
        q, seconds = self.question, time.perf_counter() - self._begun
        return Advice(q.hand, q.cells, self.discards, self.lacking, self.made.copy(),
                      self.seen.copy(), tuple(self.rounds), self.worlds.count,
                      1.0 if done else self.part, sum(j.nodes for j in self._judges), seconds,
                      done)  # fmt: skip

    def sample(self) -> Iterator[Advice]:
        """All cells of the only discard, world by world."""
        for i in range(self.question.samples):
            self.part = (i + 1) / self.question.samples
            yield from self._meet(0, self._open(0), i + 1)

    def race(self) -> Iterator[Advice]:
        """Fewer and fewer discards meet more and more worlds; then the best meets all."""
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
        for i, _ in self.told().ranking()[:1]:  # what the race passed over, for the whole picture
            for upto in range(1, self.question.samples + 1):
                yield from self._meet(i, self._open(i), upto)

    def _better(self, left: list[int], n: int) -> list[int]:
        """The n best of the discards that are left, best first, and more if they are as good."""
        ranking = [(i, line.stakes) for i, line in self.told().ranking() if i in left]
        more = [i for i, stakes in ranking[n : 2 * n] if stakes == ranking[n - 1][1]]
        kept = [i for i, _ in ranking[:n]] + more
        for i in kept:
            self.rounds[i] += 1
        return kept

    def _meet(self, discard: int, cells: list[int], worlds: int) -> Iterator[Advice]:
        """Lets cells meet the worlds up to a number; what is known then, if that was news."""
        if any(self.seen[discard, cell] < worlds for cell in cells):
            for cell in cells:
                self._look(discard, cell, worlds)
            yield self.told()

    def _plan(self, discards: int) -> list[tuple[int, int]]:
        """For each round how many discards are left, and how many more worlds they meet."""
        plan, worlds = [], 0
        while worlds < self.question.samples and discards:
            upto = min(max(2 * worlds, FIRST_WORLDS), self.question.samples)
            plan.append((discards, upto - worlds))
            worlds, discards = upto, max(discards // 2, min(FINALISTS, discards))
        return plan

    def _open(self, discard: int) -> list[int]:
        """The cells that may be bid."""
        return [i for i, lacking in enumerate(self.lacking[discard]) if not lacking]

    def _hopeful(self, discard: int) -> list[int]:
        """Those of them that may still be the best of all."""
        low, high = wilson(self.made, self.seen, DOUBT)
        floor = self._expected(low)[self._open_cells].max()
        hopeful = self._expected(high[discard]) >= floor
        return [cell for cell in self._open(discard) if hopeful[cell]]

    def _expected(self, probability: Any) -> Any:
        """float64[..., cells]: what each cell is worth if it is made so often."""
        return probability * self._gain - self._loss

    def _look(self, discard: int, cell: int, worlds: int) -> None:
        """Lets a cell meet the worlds up to a number."""
        for i in range(int(self.seen[discard, cell]), worlds):
            while len(self._drawn) <= i:
                self._drawn.append(next(self._stream))
            deal = deal_of(self.hands[discard], self._drawn[i], self.discards[discard])
            self.made[discard, cell] += self._judges[cell].makes(deal)
            self.seen[discard, cell] += 1

    def close(self) -> None:
        """Gives the tables back."""
        for judge in self._judges:
            judge.close()


def _warm_up() -> None:
    """Compiles what is needed, or loads it, so that no clock runs meanwhile."""
    judge = Values(_search())
    judge.value(Ulti().start(0), Limit(nodes=1))
    judge.close()


def _search() -> AlphaBeta:
    made = search(SHARED)
    assert isinstance(made, AlphaBeta)
    return made


class _Judge:
    """Whether one cell is made, deal after deal, by one search that learns as it goes."""

    def __init__(self, game: Ulti) -> None:
        self._game, self._setting = game, game.setting
        self._record = rules_of(game).blank()
        self._values: Values | None = None

    @property
    def nodes(self) -> int:
        """Visited so far."""
        return self._values.nodes if self._values else 0

    def makes(self, deal: Any) -> bool:
        """Under perfect play with open cards."""
        from dragon_ulti.record import Table, fill

        fill(self._record, self._setting, Table(deal))
        state = RecordState(self._game, bytes(self._record.tobytes()))
        if self._values is None:
            self._values = Values(_search())
        value = self._values.value(state)
        assert value is not None  # there is no limit
        return value > 0

    def close(self) -> None:
        """Gives the table back."""
        if self._values is not None:
            self._values.close()
