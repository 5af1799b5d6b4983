"""The driver of alpha-beta's kernel that is interpreted, over any State."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dragon.core import CHANCE, Limit, State
from dragon.rules.interpreted import ENDLESS, Endless, Row, Slots, StateRules, record_class
from dragon.search.alphabeta.kernel import START
from dragon.search.alphabeta.memory import FRAME, LINE, Memory, run_for
from dragon.search.alphabeta.settings import Outcome, Settings, prunes, scale_of, steps
from dragon.search.budget import Budget
from dragon.search.interpreted import InterpretedDriver
from dragon.search.table import ENTRY, FIRST_MEGABYTES, LOAD, Lease
from dragon.search.two_sided import refuse_later, side, whole_units


class StateDriver(InterpretedDriver):
    """The working memory of the search of one state, on any State."""

    entry, load = ENTRY, LOAD

    def __init__(
        self, settings: Settings, state: State[Any], limit: Limit, seed: int, lease: Lease
    ) -> None:
        self.lines, self.met_chance = True, False
        self.scale, self.most = scale_of(state), steps(state, state.largest)
        self.selective = prunes(settings, state)
        table = lease.of(state, FIRST_MEGABYTES) if settings.table else None
        runs = run_for(settings, state, 0 if table is None else table.age, seed, ENDLESS)
        names = StateRules(state, whole_units, self.visit).names()
        names |= {"scale": lambda: self.scale, "keep_line": keep_line}
        super().__init__("dragon.search.alphabeta.kernel", names, settings, limit, runs)
        self.sooner = bool(self.run.sooner)
        self._descend, self.kernel["descend"] = self.kernel["descend"], self.descend
        self.m = Memory(
            states=Slots(state), words=None, frames=Endless(record_class(FRAME)), codes=Row(),
            odds=Row(), lows=Row(), highs=Row(), scores=Row(), places=Row(),
            killers=Endless(lambda: -1), history=Endless(), table=None, claims=None,
            lines=Endless(), lengths=Endless(), random=[seed], tablebase=None, runs=[self.run],
        )  # fmt: skip
        self.lease = lease
        if table is not None:
            self.take(table)
        self.restart(state, limit)

    def visit(self, state: State[Any]) -> None:
        """Refuse a state that hides something, though the root did not show it."""
        if state.conceals:
            refuse_later(self.settings, state, self.root, chance=True)

    def descend(self, m: Any, f: Any, child: Any, run: Any, seat: int) -> None:
        """Note chance, which a State does not announce."""
        self.met_chance = self.met_chance or seat == CHANCE
        self._descend(m, f, child, run, seat)

    def restart(self, state: State[Any], limit: Limit) -> None:
        """Turn to another state of the same game, keeping what was learnt."""
        self.root = self.m.states[0].state = state
        self.met_chance = self.met_chance or state.turn == CHANCE
        self.budget, run = Budget(limit), self.run
        if self.m.table is not None:
            self.lend(self.lease)
        run.nodes = run.hits = 0
        run.root_best = -1

    @property
    def hits(self) -> int:
        """The number of states at which the table decided."""
        hits: int = self.run.hits
        return hits

    def search(self, depth: int, low: int, high: int) -> Outcome:
        """Make one iteration; return what the root had found where the budget ended it."""
        top, run = self.m.frames[0], self.run
        run.mode, top.depth, top.low, top.high = START, depth, low, high
        if self.go_on():
            return Outcome(run.value, self._line(), bool(run.horizon), finished=True)
        if not self.m.lengths[0] or top.best <= top.first_alpha:
            return Outcome(0, (), horizon=True, finished=False)
        return Outcome(top.best * side(self.root), self._line(), horizon=True, finished=False)

    def _line(self) -> list[Any]:
        """Return the codes of the root's line, at most LINE of them as in compiled searches."""
        codes: list[Any] = []
        rest = self.m.lines[0] if self.m.lengths[0] else None
        while rest is not None and len(codes) < LINE:
            code, rest = rest
            codes.append(code)
        return codes

    def moves_of(self, line: Sequence[Any]) -> tuple[Any, ...]:
        """Return the moves of an outcome's line, which has their codes."""
        return tuple(code.move for code in line)

    def release(self) -> None:
        """Nothing of it serves a search to come."""


def keep_line(m: Any, d: int, code: Any) -> None:
    """Set the best line from ply d: a move, and the child's line.

    It stands in the place of the kernel's own, which copies: of lines of thousands of moves, each
    ply would copy thousands.
    """
    m.lines[d] = code, (m.lines[d + 1] if m.lengths[d + 1] else None)
    m.lengths[d] = 1
