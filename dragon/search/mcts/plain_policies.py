"""Policies on any State: what the tree in plain Python asks of them, and keeps for them.

Their functions are those that the kernel calls, on what looks as its arrays and its RUN do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any

from attrs import define, field, fields

from dragon.bits import Random
from dragon.core import CHANCE, TERMINAL, State
from dragon.rules.moves import Moves
from dragon.rules.playout import drawn, follow, has_reduce, listed
from dragon.rules.record import RecordState
from dragon.search.mcts.amaf import gather, length_of, refer
from dragon.search.mcts.guesses import PARTS, units_for
from dragon.search.mcts.history import learn, learn_grams, slot_of
from dragon.search.mcts.node import Node
from dragon.search.mcts.playing import LOOKED_THROUGH
from dragon.search.mcts.priors import divide, weigh
from dragon.search.mcts.settings import Settings


@define(eq=False)
class Value:
    """A VALUE of `memory`."""

    total: int = 0
    visits: int = 0


def _values() -> defaultdict[int, Value]:
    return defaultdict(Value)


@define(eq=False)
class Kept:
    """What policies read and keep; as in `memory.Memory`, but only as much as is used."""

    random: Any
    amaf: defaultdict[int, Value] = field(factory=_values)
    history: defaultdict[int, Value] = field(factory=_values)
    grams: defaultdict[int, Value] = field(factory=_values)
    out: list[int] = field(factory=list)
    played: list[int] = field(factory=list)
    pay: list[int] = field(factory=list)


class PlainPolicies:
    """The policies of one tree, and what it keeps for them."""

    def __init__(self, settings: Settings, state: State[Any], random: Random) -> None:
        self.settings, self.random = settings, random
        self.seats, self.teams = len(state.teams), state.teams
        self.largest = round(state.largest / state.unit)
        self.bound = SimpleNamespace(**settings.policies.bound)
        given = {each.name: getattr(settings, each.name) for each in fields(type(settings))}
        self.run = SimpleNamespace(**given | {
            "most_tables": settings.tables(self.seats), "tables": 0, "table": 0,
            "seats": self.seats, "largest": self.largest, "fpu": settings.urgency,
        })  # fmt: skip
        self.m = Kept(random=random.state)

    def take(self, old: PlainPolicies, nodes: Iterable[Node]) -> None:
        """Begins with the history of an earlier tree, and the AMAF values of nodes taken."""
        self.m.history, self.m.grams = old.m.history, old.m.grams
        if self.bound.KEEPS_AMAF:
            new = {}
            for node in nodes:
                if node.tried:
                    self.run.tables += 1
                    new[node.tried - 1] = self.run.tables - 1
                    node.tried = self.run.tables
            row = length_of(self.seats)
            for at, value in old.m.amaf.items():
                if (table := new.get(at // row)) is not None:
                    self.m.amaf[table * row + at % row] = value

    def meet(self, state: State[Any], children: list[Node]) -> None:
        """Gives new nodes the code of their moves, and what the game says of them."""
        moves = [listed(child.moves, child.index) for child in children]
        if self.bound.NOTES:
            for child, move in zip(children, moves, strict=True):
                child.code = self.code(state, move)
        if self.bound.KEEPS_PRIORS and state.turn != CHANCE:
            weights = self.priors(state, children)
            for child, weight in zip(children, weights, strict=True):
                child.prior = weight
        if self.bound.KEEPS_GUESSES and state.turn != CHANCE:
            for child, move in zip(children, moves, strict=True):
                child.guess = self.value_at(follow(state, move), state.turn)

    def priors(self, state: State[Any], children: list[Node]) -> list[float]:
        """What the game expects of the moves that lead to new nodes."""
        every = children[0].moves
        given = state.prior(every)
        weights = [0.0 if given is None else given[child.index] for child in children]
        if given is None:
            scores = state.order(every) or [0] * len(every)
            weigh([scores[child.index] for child in children], weights, len(weights))
        divide(weights, len(weights))
        return weights

    def cuts(self, plies: int) -> bool:
        """Return True if a playout of so many plies ends."""
        return self.settings.cut is not None and plies >= self.settings.cut

    def guessed(self, state: State[Any]) -> list[int]:
        """What a playout that is cut short pays each seat."""
        part = self.random(PARTS)
        guesses = (self.value_at(state, seat) for seat in range(self.seats))
        return [units_for(guess, part, self.largest) for guess in guesses]

    def value_at(self, state: State[Any], seat: int) -> float:
        """How well `seat` stands, from -1 to 1: a payoff where the game is over, else a guess."""
        if state.turn == TERMINAL:
            return round(state.payoff()[seat] / state.unit) / self.largest
        return max(-1.0, min(1.0, state.evaluate(seat)))

    def guess_again(self, path: list[Node]) -> None:
        """Makes the guesses along a path those of the best children; those of chance stay."""
        for node, parent in zip(path[:0:-1], path[-2::-1], strict=True):
            seat, above = node.seat, parent.seat
            if node.children and seat is not None and above is not None and min(seat, above) >= 0:
                best = max(child.guess for child in node.children)
                node.guess = best if self.teams[seat] == self.teams[above] else -best

    def drawn(self, state: State[Any], ply: int) -> Any:
        """The next move of a playout; of a record its code."""
        reduced = self.settings.reduce_playouts
        if state.turn == CHANCE or not (self.bound.LISTS or self.bound.DECISIVE):
            return drawn(state, self.random, reduced)
        moves = state.distinct() if reduced and has_reduce(state) else state.moves()
        if self.bound.DECISIVE:
            moves = self.decided(state, moves)
        self.m.out = [self.code(state, listed(moves, i)) for i in range(len(moves))]
        return listed(moves, self.bound.choose(self.m, len(moves), state.turn, ply, self.run))

    def decided(self, state: State[Any], moves: Sequence[Any]) -> Sequence[Any]:
        """One of the moves that wins all at once, if there is one, or else all of them."""
        for i in range(len(moves) if len(moves) <= LOOKED_THROUGH else 0):
            after = follow(state, listed(moves, i))
            if after.turn == TERMINAL and after.payoff()[state.turn] == state.largest:
                if isinstance(moves, Moves) and isinstance(state, RecordState):
                    return Moves(state, moves.codes[i : i + 1])
                return moves[i : i + 1]
        return moves

    def code(self, state: State[Any], move: Any) -> int:
        """By which policies know a move; of a record it is a code already."""
        return int(move) if isinstance(state, RecordState) else state.code(move)

    def note(self, ply: int, state: State[Any], move: Any) -> None:
        """Writes down who played what at this ply; of chance, that nobody did."""
        if self.bound.NOTES:
            seat = state.turn
            del self.m.played[ply:]
            self.m.played.append(slot_of(seat, self.code(state, move)) if seat >= 0 else -1)

    def refer(self, node: Node, depth: int) -> None:
        """Notes whose AMAF values count at a node that the tree has come to."""
        if self.bound.KEEPS_AMAF:
            refer(node, depth, self.run)

    def remember(self, path: list[Node], payoffs: list[int], end: int) -> None:
        """Adds a simulation of `end` plies to what is kept of moves."""
        self.m.pay = payoffs
        if self.bound.KEEPS_AMAF:
            for ply, node in enumerate(path):
                gather(self.m, node.tried, ply, end, self.run)
        if self.bound.KEEPS_HISTORY:
            learn(self.m, end)
        if self.bound.KEEPS_GRAMS:
            learn_grams(self.m, end)
        if self.bound.KEEPS_GUESSES:
            self.guess_again(path)
