"""The sequence form of a game, by recursion: a set is a seat and all that it has seen and done.

Source: B. von Stengel, "Efficient Computation of Behavior Strategies" (1996).
"""

from __future__ import annotations

from typing import Any

from attrs import define, field

from dragon.core import CHANCE, TERMINAL, State
from dragon.core.search import informed


@define
class Sequences:
    """Information sets and leaves in the order in which they are met; see `SequenceForm`."""

    root: State[Any]
    information: dict[Any, int] = field(factory=dict)
    """The number of each set, by its seat, and what that has seen and done."""
    seat: list[int] = field(factory=list)
    parent: list[int] = field(factory=list)
    first: list[int] = field(factory=list)
    moves: list[tuple[Any, ...]] = field(factory=list)
    views: list[State[Any]] = field(factory=list)
    leaves: list[tuple[int, ...]] = field(factory=list)
    chances: list[float] = field(factory=list)
    payoffs: list[tuple[float, ...]] = field(factory=list)
    nodes: int = 0
    sequences: int = 0

    def __attrs_post_init__(self) -> None:
        seats = range(len(self.root.teams))
        self.sequences = len(seats)
        known = [informed((), self.root.seen(seat)) for seat in seats]
        self.visit(self.root, known, [*seats], 1.0)

    def visit(
        self, state: State[Any], known: list[tuple[Any, ...]], last: list[int], chance: float
    ) -> None:
        """Visit a state, given the information and the last sequence of each seat."""
        self.nodes += 1
        turn = state.turn
        if turn == TERMINAL:
            self.leaves.append(tuple(last))
            self.chances.append(chance)
            self.payoffs.append(state.payoff())
            return
        moves = tuple(state.moves())
        odds = state.odds() if turn == CHANCE else [1.0] * len(moves)
        first = 0 if turn == CHANCE else self.first[self.set_of(state, moves, known, last)]
        for i, move in enumerate(moves):
            after = state.after(move)
            learnt = [
                informed(before, after.seen(seat), move if seat == turn else None)
                for seat, before in enumerate(known)
            ]
            sequences = [first + i if seat == turn else s for seat, s in enumerate(last)]
            self.visit(after, learnt, sequences, chance * odds[i])

    def set_of(
        self, state: State[Any], moves: tuple[Any, ...], known: list[tuple[Any, ...]],
        last: list[int],
    ) -> int:  # fmt: skip
        """Return the information set of the seat to move, a new one where it is new."""
        seat = state.turn
        number = self.information.setdefault((seat, known[seat]), len(self.seat))
        if number < len(self.seat):
            assert self.moves[number] == moves
            return number
        self.seat.append(seat)
        self.parent.append(last[seat])
        self.first.append(self.sequences)
        self.moves.append(moves)
        self.views.append(state.seen(seat))
        self.sequences += len(moves)
        return number
