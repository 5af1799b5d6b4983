"""One iteration of alpha-beta in plain Python: the algorithm as it is read aloud.

The kernel `dragon.search.alphabeta.kernel` is this file with an explicit stack, step by step
under the same numbers; a law holds the two together, value for value and node for node.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from dragon.bits import GOLDEN, Random, mix
from dragon.core import CHANCE, TERMINAL, Limit, State
from dragon.rules.record import RecordState
from dragon.search.alphabeta.chance import STARS, average, narrower, outcome_window
from dragon.search.alphabeta.depth import (
    FUTILITY_DEPTH,
    NULL_DEPTH,
    extension,
    futility_margin,
    late_move_reduction,
    null_move_reduction,
    reduces_late,
    selective,
    tries_null_moves,
)
from dragon.search.alphabeta.values import (
    FAR,
    STEPS,
    Outcome,
    asks_solved,
    at_distance,
    clamped,
    counts_distance,
    fixed_range_of,
    highest_of,
    ply_earlier,
    scale_of,
    steps,
    upper_bound,
    window_later,
)
from dragon.search.budget import Budget, OutOfBudget
from dragon.search.move_ordering import (
    FIRST,
    HISTORY,
    KILLER,
    SECOND_KILLER,
    codes_of,
    credit,
    promise,
    weight,
)
from dragon.search.table import (
    EXACT,
    EXHAUSTED,
    FIRST_MEGABYTES,
    LOWER,
    RECORD,
    UPPER,
    Lease,
    Table,
    probe,
    reach,
    store,
    transfer,
)
from dragon.search.two_sided import refuse_later, side

Ranked = tuple[int, Any, int, int]
"""A move's index in the list, the move, its code and its score."""
Value = tuple[int, tuple[Any, ...], bool]
"""A value in steps, its line, and whether a horizon cut it short."""


class Below(NamedTuple):
    """What a state is asked for besides a window."""

    lineless: bool = False
    """No line leads there, as chance decides above it."""
    single: bool = False
    """Its most promising move alone, as of an outcome that is probed."""
    passed: bool = False
    """The other side has passed."""


ANYWHERE = Below()


def asks_less(alpha: int, beta: int, most: int) -> bool:
    """Return whether an evaluation, at most `most`, may answer what a window asks."""
    return beta - alpha == 1 and -most <= alpha and beta <= most


class PlainDriver:
    """The working memory of the search of one state, on any State."""

    def __init__(
        self, settings: Any, state: State[Any], limit: Limit, seed: int, lease: Lease
    ) -> None:
        self.settings, self.seed = settings, seed
        self.lines, self.met_chance = True, False
        self.hits = 0
        self.sooner = counts_distance(settings, state)
        self.scale = scale_of(state)
        self.asks_solved = asks_solved(settings, state)
        self.beyond, self.late = extension(settings, state), reduces_late(settings, state)
        self.null, self.futility = (
            tries_null_moves(settings, state),
            futility_margin(settings, state),
        )
        self.guesses = fixed_range_of(state)
        self.highest, self.selective = highest_of(state), selective(settings, state)
        self.plies = state.rules.plies if isinstance(state, RecordState) else STEPS
        self.lease, self.age = lease, 0
        self.table: Any = None
        if settings.table:
            self._take(lease.of(state, FIRST_MEGABYTES))
        self.killers: dict[int, list[int]] = {}
        self.history = np.zeros((2, HISTORY), np.int64)
        self.restart(state, limit)

    def _take(self, table: Table) -> None:
        self.table, self.age = table.entries.view(RECORD), table.age
        self._grows_at = self.lease.grows_at()

    def restart(self, state: State[Any], limit: Limit) -> None:
        """Turns to another state of the same game; what was learnt of it stays."""
        self.root, self.budget = state, Budget(limit)
        self._grows_at = self.lease.grows_at()
        self.most = steps(state, state.largest)
        self.root_best = -1
        """Index of the root's best move in the last iteration."""

    def moves_of(self, line: Sequence[Any]) -> tuple[Any, ...]:
        """The moves of an outcome's line, which plain searches write as such."""
        return tuple(line)

    def search(self, depth: int, low: int, high: int) -> Outcome:
        """One iteration; where the budget ended it, what the root had found."""
        self.found: tuple[int, tuple[Any, ...]] | None = None
        try:
            worth = self.visit(self.root, depth, low, high, 0)
            return Outcome(*worth, finished=True)
        except (OutOfBudget, RecursionError) as stop:
            value, line = self.found or (0, ())
            return Outcome(value, line, True, finished=False, extra=self.budget.stopped(stop))

    def release(self) -> None:
        """Nothing of it serves a search to come."""

    # s state, sign +1 where its mover is on seat 0's side, value and window from the mover's side

    def visit(
        self, s: State[Any], depth: int, low: int, high: int, ply: int, below: Below = ANYWHERE
    ) -> Value:
        """The value of `s`, fail soft; value and window from seat 0's side."""
        self.partial = False
        self.budget.visit()
        if self.budget.nodes > self._grows_at:
            self._take(self.lease.grow(transfer, RECORD))
        began = self.budget.nodes
        on = self.settings
        # 1. A leaf: an end, a solved state, or the horizon.
        if s.turn == TERMINAL:
            return steps(s, s.payoff()[0]), (), False
        if ply > 0 and self.asks_solved and (worth := self.solved(s)) is not None:
            return worth, (), False
        chance = s.turn == CHANCE
        if depth <= 0 and (chance or depth == -self.beyond):
            return self.guess(s), (), True
        if s.conceals or (chance and on.chance is None):
            refuse_later(on, s, self.root, on.chance is not None)
        self.met_chance = self.met_chance or chance
        # 2. The window, from the mover's side.
        sign = side(s)
        alpha, beta = (low, high) if sign > 0 else (-high, -low)
        open_window = on.pvs and beta - alpha > 1  # the line must not break off here
        open_window = open_window and not below.lineless
        if depth <= 0:
            return stood(self, s, depth, (alpha, beta), ply, sign, below.lineless)
        # 3. Cut off by the game's bounds.
        lower, upper = self.bounds(s, sign)
        if ply > 0 and not open_window and (lower >= beta or upper <= alpha):
            return sign * (lower if lower >= beta else upper), (), False
        # 4. Cut off by the transposition table, or take its hash move.
        key, banked = self.key(s), sign * steps(s, s.banked())
        hint = -1
        if key:
            _, value, hint, plies, kind = probe(self.table, self.age, key)
            value += banked
            decides = kind == EXACT or (
                value >= beta if kind == LOWER else kind == UPPER and value <= alpha
            )
            deep = plies >= depth or plies >= EXHAUSTED
            if ply > 0 and deep and decides and not open_window:
                self.hits += 1
                return sign * value, (), plies < EXHAUSTED
        # 5. Futility: prune by an evaluation far outside the window.
        if self.futility and ply > 0 and not chance:
            pruned = stood_far(self, s, depth, (alpha, beta), ply, sign, below.lineless)
            if pruned is not None:
                return pruned
        # 6. The moves, the most promising first; before them a null move.
        if ply == 0 and self.root_best >= 0:
            hint = self.root_best
        first_alpha, best, best_index, line = alpha, -FAR, -1, ()
        horizon = partial = False
        moves: Sequence[Ranked] = ()
        if chance:
            best, horizon = averaged(self, s, depth, alpha, beta, ply, (lower, upper))
        else:
            moves = self.ranked(s, self.listed(s), hint, ply)
            partial = below.single and len(moves) > 1  # a probe: the most promising move alone
            if self.null and ply > 0:
                enough = passed(self, s, depth, (alpha, beta), ply, sign, below)
                if enough is not None:
                    best, best_index, horizon, moves = enough, hint, True, ()
        for count, (index, move, code, score) in enumerate(moves[:1] if partial else moves):
            # 7. A child: by a null window first, by the full one if it fails high.
            child = s.after(move)
            less = late_move_reduction(depth, count, score) if self.late else 0
            value, rest, cut = self.ask(
                child, depth, alpha, beta, ply, sign, count == 0, below.lineless, less
            )
            # 8. Learn its value; cut off by beta.
            horizon = horizon or cut
            if value > best:
                best, best_index = value, index
                if alpha < value < beta or ply == 0:
                    line = (move, *rest)
                if ply == 0 and value > first_alpha:
                    self.found, self.root_best = (sign * value, line), index
                alpha = max(alpha, value)
                if alpha >= beta or best >= upper:
                    horizon = cut  # this move alone proves the bound
                    self.reward(code, depth, ply, sign)
                    break
        # 9. Keep what was found.
        if key and not partial:
            bound = LOWER if best >= beta else EXACT if best > first_alpha else UPPER
            found = reach(depth, horizon, self.budget.nodes - began + 1)
            store(self.table, self.age, key, best - banked, best_index, found, bound)
        self.partial = partial
        return sign * best, line, horizon

    def ask(
        self,
        child: State[Any],
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
        sign: int,
        first: bool,
        lineless: bool,
        less: int = 0,
    ) -> Value:
        """A child's value to its parent's mover: first in a zero window, `less` plies less far."""
        narrow = self.settings.pvs and not first
        while True:
            high = alpha + 1 if narrow else beta
            value, line, horizon = self.child(
                child, depth - 1 - less, alpha, high, ply, sign, Below(lineless)
            )
            if less and value > alpha:
                less = 0
            elif narrow and alpha < value < beta:
                narrow = False
            else:
                return value, line, horizon

    def child(
        self, child: State[Any], depth: int, alpha: int, beta: int, ply: int, sign: int,
        below: Below,
    ) -> Value:  # fmt: skip
        """A child's value to its parent's mover, in a window of his."""
        low, high = window_later(alpha, beta, self.guesses) if self.sooner else (alpha, beta)
        if sign < 0:
            low, high = -high, -low
        value, line, horizon = self.visit(child, depth, low, high, ply + 1, below)
        return sign * (ply_earlier(value, self.guesses) if self.sooner else value), line, horizon

    def guess(self, s: State[Any]) -> int:
        """The game's evaluation in steps."""
        return int(clamped(s.evaluate(0) * self.highest, self.highest))

    def solved(self, s: State[Any]) -> int | None:
        """What the game knows `s` to be worth, in steps; how soon must be known where it counts."""
        if (known := s.solved()) is None:
            return None
        value, plies = steps(s, known[0]), known[1]
        if not self.sooner:
            return value
        return at_distance(value, plies) if plies or not value else None

    def bounds(self, s: State[Any], sign: int) -> tuple[int, int]:
        """The least and the most that its mover can still get, in steps."""
        if not self.settings.bounds:
            return -FAR, FAR
        if (known := s.bounds()) is None:
            return -FAR, steps(s, s.largest) - self.sooner
        low, high = (steps(s, payoff) for payoff in known)
        if sign < 0:
            low, high = -high, -low
        if not self.sooner:
            return low, high
        return -upper_bound(-low, self.plies), upper_bound(high, self.plies)

    def key(self, s: State[Any]) -> Any:
        """What the table keeps `s` under, mixed; 0 where it is not kept."""
        if self.table is None:
            return 0
        records = isinstance(s, RecordState) or not s.repeats
        key = mix(s.key() if records else State.key(s))  # the whole text, which hides nothing
        return key ^ np.uint64(GOLDEN) if key and s.turn == CHANCE else key

    def listed(self, s: State[Any]) -> Sequence[Any]:
        """The moves that are tried."""
        return s.distinct() if self.settings.reduce else s.moves()

    def ranked(self, s: State[Any], moves: Sequence[Any], hint: int, ply: int) -> list[Ranked]:
        """The most promising first, ties in the list's order."""
        on = self.settings
        codes = codes_of(s, moves)
        places = list(range(len(moves)))
        if ply == 0 and on.shuffle:
            random = Random(self.seed)
            for i in range(len(places) - 1, 0, -1):
                j = random(i + 1)
                places[i], places[j] = places[j], places[i]
        scores = promise(s, moves, codes, on, self.history)
        best = dict(zip(self.killers.get(ply, []), (KILLER, SECOND_KILLER), strict=False))

        def score(i: int) -> int:
            return FIRST if i == hint else scores[i] + best.get(codes[i], 0)

        places.sort(key=lambda i: -score(i))
        return [(i, moves[i], codes[i], score(i)) for i in places]

    def reward(self, code: int, depth: int, ply: int, sign: int) -> None:
        """Remembers a move that cut off: as a killer of its ply and in the history of its side."""
        if self.settings.killers:
            killers = self.killers.setdefault(ply, [])
            if code not in killers[:1]:
                self.killers[ply] = [code, *killers[:1]]
        if self.settings.history:
            credit(self.history, 0 if sign > 0 else 1, code, weight(depth))


def averaged(
    search: Any, s: Any, depth: int, alpha: int, beta: int, ply: int, bounds: tuple[int, int]
) -> tuple[int, bool]:
    """A chance node in plain Python: its value, and whether a horizon cut it short.

    search: a PlainDriver; bounds: what the game says that `s` is worth at least and at most.
    """
    star, probe = search.settings.chance in STARS, search.settings.chance == STARS[-1]
    largest = steps(s, s.largest)
    low, high = max(bounds[0], -largest), min(bounds[1], largest)
    after, odds = [s.after(move) for move in s.moves()], [float(p) for p in s.odds()]
    lows, highs = [low] * len(after), [high] * len(after)
    least, most, horizon = float(low), float(high), False
    for probing in (True, False) if probe and depth > 1 else (False,):
        for i, child in enumerate(after):
            if lows[i] == highs[i] and not probing:
                continue
            window = lows[i] - 1, highs[i] + 1
            if star:
                window = outcome_window(alpha, beta, least, most, lows[i], highs[i], odds[i])
            asked = window_later(*window, search.guesses) if search.sooner else window
            below = Below(lineless=True, single=probing)
            value, _, cut = search.visit(child, depth - 1, *asked, ply + 1, below)
            value = ply_earlier(value, search.guesses) if search.sooner else value
            probed = side(child) if search.partial else 0
            found = narrower(value, *window, lows[i], highs[i], probed)
            least += odds[i] * (found[0] - lows[i])
            most += odds[i] * (found[1] - highs[i])
            lows[i], highs[i] = found
            horizon = horizon or cut
            if star and (least >= beta or most <= alpha):
                return average(least, most, alpha, beta), horizon
    return average(least, most, alpha, beta), horizon


def stood(
    search: Any, s: Any, depth: int, window: tuple[int, int], ply: int, sign: int,
    lineless: bool, margin: int = 0,
) -> tuple[int, tuple[Any, ...], bool]:  # fmt: skip
    """The same in plain Python, with the moves: the value from seat 0's side.

    search: a PlainDriver; margin: what is added to the guess.
    """
    alpha, beta = window
    best, line, horizon = -FAR, (), False
    moves = s.noisy()
    if moves is None:
        moves = search.listed(s)
    else:
        best, horizon = sign * search.guess(s) + margin, True
        alpha = max(alpha, best)
        if best >= beta:
            return sign * best, (), True
    for count, (_, move, code, _) in enumerate(search.ranked(s, moves, -1, ply)):
        child = s.after(move)
        value, rest, cut = search.ask(child, depth, alpha, beta, ply, sign, count == 0, lineless)
        horizon = horizon or cut
        if value > best:
            best = value
            if alpha < value < beta:
                line = (move, *rest)
            alpha = max(alpha, value)
            if alpha >= beta:
                horizon = cut  # this move alone proves the bound
                if depth > 0:
                    search.reward(code, depth, ply, sign)
                break
    return sign * best, line, horizon


def stood_far(
    search: Any, s: Any, depth: int, window: tuple[int, int], ply: int, sign: int, lineless: bool
) -> tuple[int, tuple[Any, ...], bool] | None:
    """`futile` in plain Python, with the moves: the value from seat 0's side; None where OPEN.

    search: a PlainDriver.
    """
    alpha, beta = window
    if depth > FUTILITY_DEPTH or not asks_less(alpha, beta, search.highest):
        return None
    value, margin = sign * search.guess(s), search.futility * depth
    if value - margin >= beta and s.noisy() is not None:
        return sign * (value - margin), (), True
    if value + margin <= alpha and s.noisy() is not None:
        return stood(search, s, depth, window, ply, sign, lineless, margin)
    return None


def passed(
    search: Any, s: Any, depth: int, window: tuple[int, int], ply: int, sign: int, below: Below
) -> int | None:
    """What the mover has by a pass, where that is enough; None where it is not, or is not tried."""
    alpha, beta = window
    if below.passed or depth < NULL_DEPTH or not asks_less(alpha, beta, search.highest):
        return None
    if sign * search.guess(s) < beta or (child := s.skipped()) is None:
        return None
    less = null_move_reduction(depth)
    value, _, horizon = search.child(
        child, depth - 1 - less, alpha, beta, ply, sign, Below(below.lineless, passed=True)
    )
    return min(value, search.highest) if value >= beta and horizon else None
