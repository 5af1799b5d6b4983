"""One iteration of alpha-beta in plain Python: the algorithm as it is read aloud.

The kernel `dragon.search.kernels.alphabeta` is this file with an explicit stack; a law
holds the two together, value for value and node for node.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from dragon.bits import Random, mix
from dragon.core import TERMINAL, Limit, State
from dragon.record import RecordState
from dragon.search.alphabeta import Outcome, fades, steps
from dragon.search.budget import Budget, OutOfBudget
from dragon.search.fading import STEPS, fade, faded, most_faded, stretch_high, stretch_low
from dragon.search.ordering import (
    FIRST,
    HISTORY,
    KILLER,
    MOST_HISTORY,
    ORDER_SHIFT,
    SECOND_KILLER,
    slot,
    weight,
)
from dragon.search.sides import refuse_chance, side, whole_units
from dragon.table import EXACT, EXHAUSTED, LOWER, UPPER, probe, store

if TYPE_CHECKING:
    from dragon.search.alphabeta import AlphaBeta
    from dragon.table import Lease

FAR = 1 << 62


class PlainDriver:
    """The working memory of the search of one state, on any State."""

    def __init__(
        self,
        search: AlphaBeta,
        state: State[Any],
        limit: Limit,
        seed: int,
        lease: Lease,
    ) -> None:
        self.on = search
        self.root = state
        self.lines = True
        self.seed = seed
        self.hits = 0
        self.sooner = fades(search, state)
        self.plies = state.rules.plies if isinstance(state, RecordState) else STEPS
        table = lease.of(state) if search.table else None
        self.table: Any = None if table is None else table.entries.view(np.recarray)
        self.age = 0 if table is None else table.age
        self.lead = -1
        """Index of the root's best move in the last iteration."""
        self.killers: dict[int, list[int]] = {}
        self.history = np.zeros((2, HISTORY), np.int64)
        self.budget = Budget(limit)

    def restart(self, state: State[Any], limit: Limit) -> None:
        """Turns to another state of the same game; what was learnt of it stays."""
        self.root, self.lead = state, -1
        self.budget = Budget(limit)

    def search(self, depth: int, low: int, high: int) -> Outcome:
        """One iteration; where the budget ended it, what the root had found."""
        self.found: tuple[int, tuple[Any, ...]] | None = None
        try:
            value, line, opened = self.visit(self.root, depth, low, high, 0)
        except (OutOfBudget, RecursionError) as stop:
            value, line = self.found or (0, ())
            told = self.budget.told(stop)
            return Outcome(value, line, open=True, finished=False, told=told)
        return Outcome(value, line, opened, finished=True)

    # s state, sign +1 where its mover is on seat 0's side, value and window from the mover's side

    def visit(
        self, s: State[Any], depth: int, low: int, high: int, ply: int
    ) -> tuple[int, tuple[Any, ...], bool]:
        """Value, line and openness of `s`, fail soft; value and window from seat 0's side."""
        self.budget.visit()
        if s.turn == TERMINAL:
            return steps(s, s.payoff()[0]), (), False
        if ply > 0 and self.on.solved and (worth := self.solved(s)) is not None:
            return worth, (), False
        if depth == 0:
            return self.guess(s), (), True
        refuse_chance(self.on, s)
        sign = side(s)
        alpha, beta = (low, high) if sign > 0 else (-high, -low)
        open_window = self.on.pvs and beta - alpha > 1  # the line must not break off here
        least, most = self.bounds(s, sign)
        if ply > 0 and not open_window and (least >= beta or most <= alpha):
            return sign * (least if least >= beta else most), (), False
        key, bank = self.key(s), sign * steps(s, s.banked())
        hint = -1
        if key and (at := probe(self.table, self.age, key)) >= 0:
            entry = self.table[at]
            hint = int(entry.move)
            value, kind = int(entry.value) + bank, int(entry.bound)
            decides = kind == EXACT or (value >= beta if kind == LOWER else value <= alpha)
            deep = entry.depth >= depth or entry.depth == EXHAUSTED
            if ply > 0 and deep and decides and not open_window:
                self.hits += 1
                return sign * value, (), int(entry.depth) < EXHAUSTED
        if ply == 0 and self.lead >= 0:
            hint = self.lead
        first_alpha, best, best_index, line = alpha, -(1 << 62), -1, ()
        opened = False
        for count, (index, move, code) in enumerate(self.sorted_moves(s, hint, ply)):
            child = s.after(move)
            value, rest, cut = self.ask(child, depth, alpha, beta, ply, sign, count == 0)
            opened = opened or cut
            if value > best:
                best, best_index = value, index
                if alpha < value < beta or ply == 0:
                    line = (move, *rest)
                if ply == 0 and value > first_alpha:
                    self.found, self.lead = (sign * value, line), index
                alpha = max(alpha, value)
                if alpha >= beta or best >= most:
                    opened = cut  # this move alone proves the bound
                    self.reward(code, depth, ply, sign)
                    break
        if key:
            bound = LOWER if best >= beta else EXACT if best > first_alpha else UPPER
            reach = min(depth, EXHAUSTED - 1) if opened else EXHAUSTED
            store(self.table, self.age, key, best - bank, best_index, reach, bound)
        return sign * best, line, opened

    def ask(
        self, child: State[Any], depth: int, alpha: int, beta: int, ply: int, sign: int, first: bool
    ) -> tuple[int, tuple[Any, ...], bool]:
        """A child's value for its parent's mover: a zero window first, the whole one if it must."""
        if self.on.pvs and not first:
            value, line, opened = self.window(child, depth, alpha, alpha + 1, ply, sign)
            if not alpha < value < beta:
                return value, line, opened
        return self.window(child, depth, alpha, beta, ply, sign)

    def window(
        self, child: State[Any], depth: int, alpha: int, beta: int, ply: int, sign: int
    ) -> tuple[int, tuple[Any, ...], bool]:
        """A child's value for its parent's mover, as `visit` tells it, in one window."""
        if self.sooner:
            alpha, beta = stretch_low(alpha), stretch_high(beta)
        low, high = (alpha, beta) if sign > 0 else (-beta, -alpha)
        value, line, opened = self.visit(child, depth - 1, low, high, ply + 1)
        return sign * (fade(value) if self.sooner else value), line, opened

    def guess(self, s: State[Any]) -> int:
        """The game's evaluation in steps, short of any proven largest payoff."""
        return int(s.evaluate(0) * (steps(s, s.largest) - STEPS // 2))

    def solved(self, s: State[Any]) -> int | None:
        """What the game knows `s` to be worth, in steps; how soon must be known where it counts."""
        if (known := s.solved()) is None:
            return None
        value, plies = steps(s, known[0]), known[1]
        if not self.sooner:
            return value
        return faded(value // STEPS, plies) if plies or not value else None

    def bounds(self, s: State[Any], sign: int) -> tuple[int, int]:
        """The least and the most that its mover can still get, in steps."""
        if not self.on.bounds:
            return -FAR, FAR
        if (known := s.bounds()) is None:
            return -FAR, steps(s, s.largest) - 1 if self.sooner else FAR
        low, high = (whole_units(s, payoff) for payoff in known)
        if sign < 0:
            low, high = -high, -low
        if not self.sooner:
            return low * STEPS, high * STEPS
        return -most_faded(-low, self.plies), most_faded(high, self.plies)

    def key(self, s: State[Any]) -> Any:
        """What the table keeps `s` under, mixed; 0 where it is not kept."""
        if self.table is None:
            return 0
        own = isinstance(s, RecordState) or not s.repeats
        return mix(s.key() if own else State.key(s))  # the whole text, which hides nothing

    def sorted_moves(self, s: State[Any], hint: int, ply: int) -> Iterator[tuple[int, Any, int]]:
        """(index in the list, move, code): the most promising first, ties in the list's order."""
        moves = s.distinct() if self.on.reduce else s.moves()
        codes = moves.codes.tolist() if hasattr(moves, "codes") else [s.code(m) for m in moves]
        places = list(range(len(moves)))
        if ply == 0 and self.on.shuffle:
            random = Random(self.seed)
            for i in range(len(places) - 1, 0, -1):
                j = random(i + 1)
                places[i], places[j] = places[j], places[i]
        own = s.order(moves) if self.on.order else None
        killers = self.killers.get(ply, [])
        counters = self.history[0 if side(s) > 0 else 1]

        def score(i: int) -> int:
            if i == hint:
                return FIRST
            if self.on.killers and codes[i] in killers:
                return KILLER if codes[i] == killers[0] else SECOND_KILLER
            asked = int(own[i]) << ORDER_SHIFT if own is not None else 0
            return asked + (int(counters[slot(codes[i])]) if self.on.history else 0)

        scores = {i: score(i) for i in places}
        places.sort(key=lambda i: -scores[i])
        return ((i, moves[i], codes[i]) for i in places)

    def reward(self, code: int, depth: int, ply: int, sign: int) -> None:
        """Remembers a move that cut off: as a killer of its ply and in the history of its side."""
        if self.on.killers:
            killers = self.killers.setdefault(ply, [])
            if code not in killers[:1]:
                self.killers[ply] = [code, *killers[:1]]
        if self.on.history:
            counters = self.history[0 if sign > 0 else 1]
            counters[slot(code)] += weight(depth)
            if counters[slot(code)] > MOST_HISTORY:
                counters //= 2
