"""Annotations: the value of each move of a game by a search, and marks of mistakes."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from math import isnan
from typing import Any

from attrs import evolve, frozen

from dragon.core import TERMINAL, Bound, Game, Limit, Position, Result, Run, Search, State
from dragon.core.search import informed
from dragon.protocols import Form, Transcript
from dragon.transcripts.replay import Replay, add_comment

WON, LOST = 0.5, -0.5
"""The share of the largest payoff from which an estimate counts as won, and as lost."""
DROP = 0.3
"""The share of the largest payoff that a doubtful move loses by an estimate."""

SOUGHT = 1e-4
"""NashConv, as a share of the largest payoff, at which an equilibrium is near enough."""
SLICE = 100
"""Iterations between two looks at that."""
SHOWN = 0.005
"""The probability from which a move of the equilibrium is listed."""


@frozen
class Judged:
    """A move, its value for the seat that made it, and the value of the best move."""

    number: int
    move: str
    seat: int
    value: float
    """In units of payoff, after the move."""
    exact: bool
    best: str
    best_value: float
    best_exact: bool
    largest: float
    """The largest payoff of the game."""
    plies: int | None = None
    """The plies from there to the end, if a proven line leads there."""
    guessed: bool = False
    """True if one of the two values is an estimate by a further search, from samples."""
    policy: Mapping[str, float] | None = None
    """The probability of each move in the equilibrium that judges, if one does."""

    @property
    def odds(self) -> str:
        """The moves of the equilibrium and how likely they are, the likeliest first."""
        likely = sorted((self.policy or {}).items(), key=lambda each: -each[1])
        return " ".join(f"{move} {p:.2f}" for move, p in likely if p >= SHOWN)

    @property
    def loss(self) -> float:
        """The loss against the best move, by the search."""
        return max(0.0, self.best_value - self.value) if self.move != self.best else 0.0

    @property
    def mark(self) -> str:
        """`??` of a move that changes who wins, `?` of one that loses much, else nothing.

        Proven values are compared as they are; a small difference of estimates may be their error,
        and so may any difference of guesses.
        """
        before, after = (
            self._standing(self.best_value, self.best_exact),
            self._standing(self.value, self.exact),
        )
        if self.exact and self.best_exact and after < before:
            return "??"
        if self.guessed or self.loss < DROP * self.largest:
            return ""
        return "??" if after == -1 < before else "?"

    def comment(self, form: Form | None) -> str:
        """Return the mark, the value in the form's own way and in ours, and a better move."""
        first = self.value if self.seat == 0 else -self.value
        said = form.evaluation(first, self.plies) if form else ""
        odds = f", an equilibrium plays {self.odds}" if self.policy else ""
        return " ".join(filter(None, (self.mark, said, self.claim))) + self.better + odds

    @property
    def claim(self) -> str:
        """The value of the move: `= 1` if it is proven, `~ 0.31` if not."""
        return _claim(self.value, self.exact)

    @property
    def better(self) -> str:
        """The best move with its value, if this one is marked: `, better c4 = 1`."""
        best = f", better {self.best} {_claim(self.best_value, self.best_exact)}"
        return best if self.mark else ""

    def _standing(self, value: float, exact: bool) -> int:
        """Return 1 for won, -1 for lost, 0 between."""
        share = value / self.largest
        low, high = (0.0, 0.0) if exact else (LOST, WON)
        return (share > high) - (share < low)


def _claim(value: float, exact: bool) -> str:
    return f"{'=' if exact else '~'} {round(value, 3) + 0.0:.4g}"


def judged(
    game: Game[Any], replay: Replay, searches: Sequence[Search], limit: Limit | None, seed: int = 0
) -> Iterator[Judged]:
    """Yield the judgement of each move that a seat made, from the last to the first.

    searches: each is used, up to the limit, where those before it have proven nothing. From the
    last move backwards, so that a transposition table has the later positions; moves of chance are
    not judged.
    """
    with ExitStack() as stack:
        runs = [stack.enter_context(search.open(game)) for search in searches]
        after = _value(runs, replay.states[-1], limit, seed)
        for number in range(len(replay.moves), 0, -1):
            state, move = replay.states[number - 1], replay.moves[number - 1]
            before = _value(runs, state, limit, seed)
            if state.turn >= 0 and before is not None and after is not None:
                teams = game.teams
                value, exact = _for(state.turn, teams, after)
                best = str(before.result.line[0]) if before.result and before.result.line else move
                best_value, best_exact = _for(state.turn, teams, before)
                if exact and not best_exact and value > best_value:
                    best, best_value, best_exact = move, value, exact
                yield Judged(
                    number, move, state.turn, value, exact, best, best_value, best_exact,
                    state.largest, after.plies, before.guessed or after.guessed,
                )  # fmt: skip
            after = before


@frozen
class _Worth:
    """The value of a state to a seat."""

    seat: int
    value: float
    exact: bool
    result: Result | None = None
    plies: int | None = None
    """The plies to the end of the game, if a proven line leads there."""
    guessed: bool = False
    """True if a further search than the first has found it."""


def _for(seat: int, teams: tuple[int, ...], worth: _Worth) -> tuple[float, bool]:
    same = teams[seat] == teams[worth.seat]
    return (worth.value if same else -worth.value) + 0.0, worth.exact  # not -0


def _value(runs: Sequence[Run], state: State[Any], limit: Limit | None, seed: int) -> _Worth | None:
    """Return the value of a state to the seat to move, seat 0 at ends and where chance decides."""
    if state.turn == TERMINAL:
        return _Worth(0, state.payoff()[0], True, plies=0)
    worth = None
    for number, run in enumerate(runs):
        for result in deque(run.results(Position(state, state), limit or Limit(), seed), maxlen=1):
            exact, last = result.bound is Bound.EXACT, state
            for move in result.line:
                last = last.after(move)
            plies = len(result.line) if exact and last.turn == TERMINAL else None
            worth = _Worth(max(0, state.turn), result.value, exact, result, plies, number > 0)
        if worth is not None and worth.exact:
            break
    return worth


@frozen
class Choice:
    """A move of a seat, and what an equilibrium plays at its information set."""

    ply: int
    seat: int
    number: int
    """The number of the information set,"""
    chosen: int
    """of the move among those there,"""
    policy: dict[str, float]
    """and the probability of each of these, by its text, in the equilibrium."""
    worth: dict[str, float]
    """The value of each move while the others play the equilibrium; empty where their strategies
    never reach this."""

    @property
    def move(self) -> str:
        return [*self.policy][self.chosen]

    @property
    def loss(self) -> float | None:
        """The amount by which the best move is worth more, against the equilibrium."""
        return max(self.worth.values()) - self.worth[self.move] if self.worth else None


class Equilibrium:
    """An equilibrium of a game with hidden information, and what moves lose against it.

    It is sought once, by counterfactual regret minimization, until NashConv is a ten-thousandth of
    the largest payoff, or the seconds have passed.
    """

    def __init__(self, game: Game[Any], search: Any, seconds: float) -> None:
        from dragon.search.equilibrium.kernel import VARIANTS
        from dragon.search.equilibrium.sequences import flattened
        from dragon.search.equilibrium.solution import Solution

        self.form = flattened(game.start())
        solution, near = Solution(self.form, VARIANTS[search.variant]), self.form.root.largest
        begun = time.monotonic()
        while True:
            solution.improve(SLICE)
            known = solution.averages()
            if known.nash_conv < SOUGHT * near or time.monotonic() - begun > seconds:
                break
        self.solution, self.known = solution, known
        self.worth = [
            solution.move_values(known.plan, known.probabilities, seat)
            for seat in range(self.form.seats)
        ]

    def choices(self, replay: Replay) -> Iterator[Choice]:
        """Yield the moves of seats in a game, each beside the equilibrium."""
        form, start = self.form, replay.states[0]
        known = [informed((), start.seen(seat)) for seat in range(form.seats)]
        for ply, text in enumerate(replay.moves):
            state, after, own = replay.states[ply], replay.states[ply + 1], None
            mover = state.turn
            if mover >= 0:
                own = next(move for move in state.moves() if str(move) == text)
                at = form.set_of(mover, known[mover], state.seen(mover))
                first, moves = form.first[at], [*map(str, form.moves[at])]
                worth, played = (
                    dict(zip(moves, each[first : first + len(moves)].tolist(), strict=True))
                    for each in (self.worth[mover], self.known.probabilities)
                )
                comes = not any(map(isnan, worth.values()))
                yield Choice(ply, mover, at, moves.index(text), played, worth if comes else {})
            known = [
                informed(each, after.seen(seat), own if seat == mover else None)
                for seat, each in enumerate(known)
            ]

    def judged(self, replay: Replay) -> Iterator[Judged]:
        """Yield the judgement of each move, from the last on; none where the others' strategies
        never reach it."""
        for each in reversed([*self.choices(replay)]):
            if each.worth:
                best = max(each.worth, key=each.worth.__getitem__)
                value, most = each.worth[each.move], each.worth[best]
                yield Judged(
                    each.ply + 1, each.move, each.seat, value, False, best, most, False,
                    self.form.root.largest, policy=each.policy,
                )  # fmt: skip

    def losses(self, replay: Replay) -> Iterator[tuple[int, int, float]]:
        """Yield the ply of each move, its seat, and its loss against the best move while the others
        play the equilibrium; nothing where their strategies never reach it."""
        for each in self.choices(replay):
            if each.loss is not None:
                yield each.ply, each.seat, each.loss

    def exploited(self, choices: Sequence[Choice], games: Mapping[int, int]) -> tuple[float, float]:
        """Return the winnings of a best response from a player, and the part that luck explains.

        choices: all moves of the player, in games of two seats; games: how many in each seat. See
        `Solution.exploited`.
        """
        counts: dict[int, list[int]] = {}
        for each in choices:
            counts.setdefault(each.number, [0] * len(each.policy))[each.chosen] += 1
        return self.solution.exploited(counts, games)


def with_comments(transcript: Transcript, comments: Mapping[int, str]) -> Transcript:
    """Return a transcript with more comments, each after the one that is there.

    A new `[%eval ...]` takes the place of one that is there.
    """
    merged = dict(transcript.comments)
    for at, said in comments.items():
        if "[%eval" in said and at in merged:
            merged[at] = " ".join(re.sub(r"\[%eval [^\]]*\]", "", merged[at]).split())
        add_comment(merged, at, said)
    return evolve(transcript, comments=merged)
