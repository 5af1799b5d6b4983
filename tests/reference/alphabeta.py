"""Alpha-beta as a textbook has it: recursive, for any State of two sides without chance.

It has its own moves, windows, reductions and pruning. Only the memory of the transposition table
is that of the product, so that both forget the same entries and can be compared node for node.

Sources: Knuth and Moore 1975; Marsland and Campbell 1982 (principal variation search); Slate and
Atkin 1977 (iterative deepening, hash move); Beal 1990 (quiescence); Donninger 1993 (null move).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from attrs import define, field

from dragon.bits import mix
from dragon.core import TERMINAL, State
from dragon.search.table import EXACT, EXHAUSTED, LOWER, RECORD, UPPER, Table, probe, reach, store

UNIT = 65_536
"""Values are whole numbers, so many to a unit of payoff."""
INFINITY = 1 << 62


class Found(NamedTuple):
    """The value of a state for its mover, the line of best play, and whether no horizon was met."""

    value: int
    line: tuple[Any, ...] = ()
    proven: bool = True

    def __neg__(self) -> Found:
        return Found(-self.value, self.line, self.proven)


def side(s: State[Any]) -> int:
    """Return 1 where seat 0's team is to move or the game is over, -1 for the other team."""
    return 1 if s.turn == TERMINAL or s.teams[s.turn] == s.teams[0] else -1


@define
class AlphaBeta:
    """Iterative deepening by principal variation search, with the parts that are switched on."""

    table: Table | None = None
    pvs: bool = True
    null_move: bool = False
    late_move_reductions: bool = False
    quiescence: int = 0
    """Plies of noisy moves beyond the horizon."""
    nodes: int = field(default=0, init=False)
    hits: int = field(default=0, init=False)
    root_best: int = field(default=-1, init=False)

    def deepen(self, state: State[Any], depth: int) -> Iterator[Found]:
        """Yield what is found after 1, 2 ... `depth` plies, until it is proven."""
        for plies in range(1, depth + 1):
            found = self.search(state, plies, -INFINITY, INFINITY, 0)
            yield found
            if found.proven or abs(found.value) == round(state.largest / state.unit) * UNIT:
                return

    def search(
        self, s: State[Any], depth: int, alpha: int, beta: int, ply: int, after_null: bool = False
    ) -> Found:
        """Return the fail-soft value of `s` in the window from `alpha` to `beta`."""
        self.nodes += 1
        began, null_window = self.nodes, beta - alpha == 1
        if s.turn == TERMINAL:
            return Found(round(s.payoff()[0] / s.unit) * UNIT)
        if depth <= -self.quiescence:
            return Found(self.evaluate(s), (), False)
        if depth <= 0:
            return self.quiesce(s, depth, alpha, beta, ply)

        hash_move = self.root_best if ply == 0 else -1
        key = mix(s.key())
        if self.table:
            _, value, move, stored, bound = probe(self.entries, self.table.age, key)
            cuts = {EXACT: True, LOWER: value >= beta, UPPER: value <= alpha}.get(bound, False)
            if (
                ply > 0
                and cuts
                and stored >= min(depth, EXHAUSTED)
                and (null_window or not self.pvs)
            ):
                self.hits += 1
                return Found(value, (), stored >= EXHAUSTED)
            hash_move = move if hash_move < 0 else hash_move

        if self.null_move and ply > 0 and null_window and not after_null and depth >= 2:
            highest = self.highest_evaluation(s)
            trusted = -highest <= alpha and beta <= highest and self.evaluate(s) >= beta
            if trusted and (passed := s.skipped()) is not None:
                less = min(2 if depth < 7 else 3, depth - 1)
                value, _, proven = self.child(s, passed, depth - 1 - less, alpha, beta, ply, True)
                if value >= beta and not proven:
                    best = Found(min(value, highest), (), False)
                    self.keep(key, best, hash_move, LOWER, depth, began)
                    return best

        best, best_move, first_alpha = Found(-INFINITY), -1, alpha
        proven = True
        legal = s.distinct()
        for count, (i, score) in enumerate(self.ordered(s, legal, hash_move)):
            reduction = 0
            if self.late_move_reductions and depth >= 3 and count >= 4 and score <= 0:
                reduction = 2 if depth >= 6 and count >= 12 else 1
            found = self.scout(s, s.after(legal[i]), depth, alpha, beta, ply, count, reduction)
            proven = proven and found.proven
            if found.value > best.value:
                on_line = alpha < found.value < beta or ply == 0
                line = (legal[i], *found.line) if on_line else best.line
                best, best_move = Found(found.value, line), i
                if ply == 0:
                    self.root_best = i
            alpha = max(alpha, found.value)
            if alpha >= beta:
                proven = found.proven  # this move alone shows the bound
                break
        best = best._replace(proven=proven)
        bound = LOWER if best.value >= beta else EXACT if best.value > first_alpha else UPPER
        self.keep(key, best, best_move, bound, depth, began)
        return best

    def scout(
        self, s: State[Any], child: State[Any], depth: int, alpha: int, beta: int, ply: int,
        count: int, reduction: int = 0,
    ) -> Found:  # fmt: skip
        """Search a child with a null window, and again where that cannot tell its value.

        The first child has the full window at once. A reduced search that beats alpha is repeated
        at full depth; a null window that fails high inside the window is repeated with all of it.
        """
        if not self.pvs or count == 0:
            found = self.child(s, child, depth - 1 - reduction, alpha, beta, ply)
            if reduction and found.value > alpha:
                found = self.child(s, child, depth - 1, alpha, beta, ply)
            return found
        found = self.child(s, child, depth - 1 - reduction, alpha, alpha + 1, ply)
        if reduction and found.value > alpha:
            found = self.child(s, child, depth - 1, alpha, alpha + 1, ply)
        if alpha < found.value < beta:
            found = self.child(s, child, depth - 1, alpha, beta, ply)
        return found

    def quiesce(self, s: State[Any], depth: int, alpha: int, beta: int, ply: int) -> Found:
        """Stand pat, or search the noisy moves; all moves where no evaluation is trusted."""
        best, legal = Found(-INFINITY), s.noisy()
        if legal is None:
            legal = s.distinct()
        else:
            best = Found(self.evaluate(s), (), False)
            alpha = max(alpha, best.value)
            if best.value >= beta:
                return best
        proven = best.proven
        for count, (i, _) in enumerate(self.ordered(s, legal, -1)):
            found = self.scout(s, s.after(legal[i]), depth, alpha, beta, ply, count)
            proven = proven and found.proven
            if found.value > best.value:
                line = (legal[i], *found.line) if alpha < found.value < beta else best.line
                best = Found(found.value, line)
            alpha = max(alpha, found.value)
            if alpha >= beta:
                proven = found.proven
                break
        return best._replace(proven=proven)

    def child(
        self, s: State[Any], child: State[Any], depth: int, alpha: int, beta: int, ply: int,
        after_null: bool = False,
    ) -> Found:  # fmt: skip
        """Search a child in a window of its parent's mover, who may be on the side of its own."""
        if side(child) == side(s):
            return self.search(child, depth, alpha, beta, ply + 1, after_null)
        return -self.search(child, depth, -beta, -alpha, ply + 1, after_null)

    def ordered(
        self, s: State[Any], legal: Sequence[Any], hash_move: int
    ) -> list[tuple[int, float]]:
        """Return indices of moves with their scores: the hash move, then by the game's order."""
        given = s.order(legal)
        scores = [float(n) for n in given] if given is not None else [0.0] * len(legal)
        if 0 <= hash_move < len(legal):
            scores[hash_move] = float("inf")
        return sorted(enumerate(scores), key=lambda pair: -pair[1])

    def highest_evaluation(self, s: State[Any]) -> int:
        """Return more than any evaluation, and less than the largest payoff."""
        return round(s.largest / s.unit) * UNIT - UNIT // 2

    def evaluate(self, s: State[Any]) -> int:
        """Return the static evaluation of `s` for its mover."""
        return side(s) * int(s.evaluate(0) * self.highest_evaluation(s))

    @property
    def entries(self) -> Any:
        """The entries of the table, with their fields as attributes."""
        assert self.table is not None
        return self.table.entries.view(RECORD)

    def keep(self, key: Any, found: Found, move: int, bound: int, depth: int, began: int) -> None:
        """Store what was found of a state in the table."""
        if self.table:
            plies = reach(depth, not found.proven, self.nodes - began + 1)
            store(self.entries, self.table.age, key, found.value, move, plies, bound)
