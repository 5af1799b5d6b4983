"""What perfect play makes of a deal: verdicts, units, the worth of each card, lines, the table.

Answers come from dragon's alpha-beta with the settings of SEARCH: there is no horizon, so
nothing is deepened, and cards that cut off at one ply say little about the next trick, so
killers are left out. Within one answer all searches share a table.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from dragon.config import search
from dragon.core import TERMINAL, Bound, Limit, Position
from dragon_ulti import POINTED, Ulti
from dragon_ulti.cards import SUITS
from dragon_ulti.contracts import CONTRACTS
from dragon_ulti.deal import bare

if TYPE_CHECKING:
    from dragon import RecordState, Result, Search

SEARCH = "alphabeta(deepening=false, aspiration=false, killers=false, megabytes=16)"
"""For units."""
VERDICT = SEARCH.replace("aspiration=false", "aspiration=false, pvs=false")
"""Where only a win counts there is no value between to ask for, and no zero window."""


@frozen
class Answer:
    """What is known of one contract on one deal; None is what the limit left open."""

    game: Ulti
    state: RecordState
    searched: RecordState
    """The same position, of the game that counts units if they decide."""
    reason: str = ""
    """Which prerequisite is unmet; empty if the contract can be played."""
    made: bool | None = None
    units: int | None = None
    """The most that the declarer can take, where points count."""
    cards: tuple[tuple[str, int | None], ...] = ()
    """Each card that may be played and what it leads to: units, or 1 made and 0 failed."""
    line: tuple[str, ...] = ()
    """Best play by all; where the contract fails, the defenders' refutation."""
    nodes: int = 0
    seconds: float = 0.0


class Desk:
    """Searches that share a table and a limit, and count their nodes."""

    def __init__(self, limit: Limit, spec: str = SEARCH) -> None:
        self.run = _search(spec).open()
        self.nodes = 0
        self._limit = limit
        self._begun = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Since the work began."""
        return time.perf_counter() - self._begun

    def _left(self) -> Limit:
        seconds, nodes = self._limit.seconds, self._limit.nodes
        return evolve(
            self._limit,
            seconds=None if seconds is None else max(seconds - self.seconds, 1e-9),
            nodes=None if nodes is None else max(nodes - self.nodes, 1),
        )

    def _searched(self, state: RecordState) -> Result:
        result = self.run.best(Position(state), self._left())
        if not self.nodes:  # what the first search compiled is not on the clock
            self._begun = time.perf_counter() - result.seconds
        self.nodes += result.nodes
        return result

    def value(self, state: RecordState) -> int | None:
        """Seat 0's payoff under best play; None where the limit came first."""
        if state.turn == TERMINAL:
            return round(state.payoff()[0])
        result = self._searched(state)
        if result.bound is not Bound.EXACT:
            return None
        return round(result.value) * (1 if state.turn == 0 else -1)

    def line(self, state: RecordState) -> tuple[str, ...]:
        """Best play from `state` to the end, as far as the limit allows."""
        line: list[str] = []
        while state.turn != TERMINAL:
            result = self._searched(state)
            if result.bound is not Bound.EXACT:
                break
            for move in result.line:
                line.append(move)
                state = state.after(move)
        return tuple(line)

    def close(self) -> None:
        """Gives the table back."""
        self.run.close()


@cache
def _search(spec: str) -> Search:
    return search(spec)


@contextmanager
def desk(limit: Limit | None = None, spec: str = SEARCH) -> Iterator[Desk]:
    """A desk that is cleared in the end."""
    opened = Desk(limit or Limit(), spec)
    try:
        yield opened
    finally:
        opened.close()


def unmet(state: RecordState) -> str:
    """Which prerequisite a deal lacks, as a sentence; empty for a game that can be played."""
    from dragon_ulti.record import UNMET, table_of

    game = state.game
    assert isinstance(game, Ulti)
    if state.record.status != UNMET:
        return ""
    return game.setting.unmet(table_of(state.record, game.setting).dealt)


def counted(game: Ulti) -> bool:
    """Whether the most units decide a contract: it is about points alone, without marriages."""
    return game.contract in POINTED and not game.marriages


def verdict(game: Ulti, text: str, limit: Limit | None = None) -> Answer:
    """Whether the contract is made, and no more."""
    state = evolve(game, objective="make").parse(text)
    with desk(limit, VERDICT) as work:
        value = work.value(state)
        made = None if value is None else value > 0
        answer = Answer(game, state, state, unmet(state), made)
        return evolve(answer, nodes=work.nodes, seconds=work.seconds)


def solve(game: Ulti, text: str, limit: Limit | None = None, lines: bool = True) -> Answer:
    """Everything about one contract: verdict, units where they count, each card, best play."""
    return _last(solving(game, text, limit, lines))


def solving(
    game: Ulti, text: str, limit: Limit | None = None, lines: bool = True
) -> Iterator[Answer]:
    """The answer as it grows: at first nothing is known, then the verdict, each card, the line."""
    answer = asked(game, text)
    if answer.reason or (answer.made is not None and not counted(game)):
        yield answer
        return
    units, played = counted(game), answer.searched
    moves = tuple((move, None) for move in played.moves()) if lines else ()
    with desk(limit, SEARCH if units else VERDICT) as work:
        answer = evolve(answer, cards=moves)
        yield answer
        value = work.value(played)
        answer = _judged(work, answer, value)
        yield answer
        for fuller in _weighed(work, answer):
            answer = fuller
            yield answer
        if lines and value is not None:
            line = work.line(played)
            yield evolve(answer, line=line, nodes=work.nodes, seconds=work.seconds)


def cards(game: Ulti, text: str, limit: Limit | None = None) -> Answer:
    """What each card that may be played leads to."""
    return _last(weighing(game, text, limit))


def weighing(game: Ulti, text: str, limit: Limit | None = None) -> Iterator[Answer]:
    """The worth of the cards as it becomes known, one card after another."""
    answer = asked(game, text)
    if answer.reason or (answer.made is not None and not counted(game)):
        yield answer
        return
    units, played = counted(game), answer.searched
    with desk(limit, SEARCH if units else VERDICT) as work:
        moves = tuple((move, None) for move in played.moves())
        answer = evolve(answer, cards=moves)
        yield answer
        for fuller in _weighed(work, answer):
            answer = fuller
            yield answer
        known = [value for _, value in answer.cards if value is not None]
        if len(known) == len(moves):
            ends = max if played.turn == 0 else min
            value = ends(known) if known else work.value(played)
            yield _judged(work, answer, value if units or value is None else 2 * value - 1)


def _last(stream: Iterator[Answer]) -> Answer:
    return deque(stream, maxlen=1).pop()


def asked(game: Ulti, text: str) -> Answer:
    """What is known before a search."""
    plain = evolve(game, objective="make")
    if not counted(game):
        state = played = plain.parse(text)
    else:  # which goes on when the contract is decided
        played = evolve(game, objective="points").parse(text)
        state = plain.parse(str(played))
    reason = unmet(state)
    made = state.payoff()[0] > 0 if state.turn == TERMINAL else None
    return Answer(game, state, played, reason, made)


def _judged(work: Desk, answer: Answer, value: int | None) -> Answer:
    """With the verdict that a value means."""
    units, made = counted(answer.game), answer.made
    if value is not None:
        made = value >= answer.game.bid.need if units else value > 0
    known = value if units else None
    return evolve(answer, made=made, units=known, nodes=work.nodes, seconds=work.seconds)


def _weighed(work: Desk, answer: Answer) -> Iterator[Answer]:
    """With what one card after another leads to."""
    found = list(answer.cards)
    for i, (move, _) in enumerate(answer.cards):
        value = work.value(answer.searched.after(move))
        found[i] = move, value if counted(answer.game) or value is None else int(value > 0)
        yield evolve(answer, cards=tuple(found), nodes=work.nodes, seconds=work.seconds)


def best_lines(state: RecordState, limit: Limit | None = None) -> Iterator[tuple[str, ...]]:
    """Every line on which nobody's card worsens what it leads to, one after another."""
    with desk(limit) as work:
        yield from _best_lines(work, state, work.value(state))


def _best_lines(work: Desk, state: RecordState, value: int | None) -> Iterator[tuple[str, ...]]:
    if state.turn == TERMINAL:
        yield ()
        return
    for move in state.moves():
        child = state.after(move)
        if value is not None and work.value(child) == value:
            yield from ((move, *rest) for rest in _best_lines(work, child, value))


def table(game: Ulti, text: str, limit: Limit | None = None) -> Iterator[Answer]:
    """The verdict of every contract with every trump: 31 cells, contract by contract."""
    begun = time.perf_counter()
    limit, text = limit or Limit(), bare(text)
    for contract in CONTRACTS.values():
        for trump in SUITS if contract.trump else (None,):
            cell = evolve(game, contract=contract.name, trump=trump, objective="make")
            left = limit
            if limit.seconds is not None:
                spent = time.perf_counter() - begun
                left = evolve(limit, seconds=max(limit.seconds - spent, 1e-9))
            yield verdict(cell, text, left)
