"""UCT as a textbook has it, recursive, with proven values backed up: for any State.

Random numbers and the draw of a chance outcome are those of the product, so that both see the
same playouts and can be compared simulation for simulation. So are the order in which moves are
first tried, and the rounding of means and exploration terms to float32.

Sources: Kocsis and Szepesvari 2006 (UCT); Winands, Bjornsson and Saito 2008 (MCTS-Solver); Childs,
Brodeur and Kocsis 2008 (transpositions: UCT2).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from attrs import define, field

from dragon.bits import Random
from dragon.core import CHANCE, TERMINAL, State
from dragon.rules.playout import pick

Payoffs = tuple[int, ...]
"""What each seat gets, in units."""


@define(eq=False)
class Node:
    """A state in the tree, reached by `move`; `total` is what the seat that moved here has won."""

    state: State[Any]
    move: Any = None
    visits: int = 0
    total: int = 0
    children: list[Node] = field(factory=list)
    proof: Payoffs | None = None
    mean: float = 0.0
    """From 0 to 1 for the seat that moved here, as of its last visit."""

    def untried(self) -> list[Node]:
        """Return the children that no simulation has visited."""
        return [child for child in self.children if not child.visits]


@define(eq=False)
class Value:
    """The values that nodes of equal states share: `total` is what seat 0 has won."""

    visits: int = 0
    total: int = 0
    proof: Payoffs | None = None


@define
class UCT:
    """Monte Carlo tree search: select, expand, play out, back up."""

    state: State[Any]
    random: Random
    c: float = 1.0
    solver: bool = True
    wide: bool = False
    """Whether the game has many moves: then each is drawn when it is tried."""
    transpositions: bool = False
    """Whether equal states share their means and proofs."""
    values: dict[Any, Value] = field(factory=dict, init=False)
    root: Node = field(init=False)
    nodes: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        self.root = Node(self.state)
        two_sided = self.state.zero_sum and len(set(self.state.teams)) <= 2
        self.solver = self.solver and two_sided

    def run(self, simulations: int) -> None:
        """Simulate so often, or until the root is proven."""
        for _ in range(simulations):
            if self.root.proof:
                return
            self.simulate(self.root)
            self.root.visits += 1

    def simulate(self, node: Node) -> Payoffs:
        """Return the payoffs of one simulation from `node`, which learns what they prove."""
        s = node.state
        if self.transpositions and node is not self.root and not node.proof and self.solver:
            node.proof = self.value(node).proof
        if node.proof:
            return node.proof
        if s.turn == TERMINAL:
            payoffs = self.payoffs(s)
            node.proof = payoffs if self.solver else None
            return payoffs
        if not node.children:
            if node is not self.root and not node.visits:
                return self.play_out(s)
            self.expand(node)
        child = self.select(node)
        self.nodes += 1
        before = child.proof
        payoffs = self.simulate(child)
        child.visits += 1
        child.total += payoffs[max(s.turn, 0)]
        if self.transpositions:
            value = self.value(child)
            value.visits += 1
            value.total += payoffs[0]
            value.proof = value.proof or child.proof
        child.mean = self.mean(s, child)
        if child.proof and not before and s.turn != CHANCE:
            self.prove(node)
        return payoffs

    def expand(self, node: Node) -> None:
        """Add a child for each move, in random order unless chance moves."""
        s = node.state
        moves = list(s.moves() if s.turn == CHANCE else s.distinct())
        if s.turn != CHANCE and not self.wide:
            for i in range(len(moves) - 1, 0, -1):
                j = self.random(i + 1)
                moves[i], moves[j] = moves[j], moves[i]
        node.children = [Node(s.after(move), move) for move in moves]

    def select(self, node: Node) -> Node:
        """Return the child to visit: by its odds, an untried one, or the highest score."""
        s = node.state
        if s.turn == CHANCE:
            return node.children[self.outcome(s)]
        if untried := node.untried():
            if self.wide:  # what was not tried comes after what was, as in the product
                i = len(node.children) - len(untried)
                j = i + self.random(len(untried))
                node.children[i], node.children[j] = node.children[j], node.children[i]
                return node.children[i]
            return untried[0]
        lost = -round(s.largest / s.unit)
        open_ = [x for x in node.children if not x.proof or x.proof[s.turn] != lost]
        if self.wide:  # of equals, the first in the order of lanes
            open_.sort(key=lambda child: node.children.index(child) % 8)
        return max(open_, key=lambda child: self.score(node, child), default=node.children[0])

    def value(self, node: Node) -> Value:
        """Return what a node shares with those of equal states."""
        return self.values.setdefault(node.state.key(), Value())

    def mean(self, s: State[Any], child: Node) -> float:
        """Return the mean payoff, from 0 to 1, for the seat that moves from `s` to a child."""
        seat, largest = max(s.turn, 0), round(s.largest / s.unit)
        if child.proof and s.turn != CHANCE:
            return (child.proof[seat] / largest + 1.0) * 0.5
        if self.transpositions:
            value = self.value(child)
            total = value.total if s.teams[seat] == s.teams[0] else -value.total
            return (total / (value.visits * largest) + 1.0) * 0.5
        return (child.total * (1.0 / (child.visits * largest)) + 1.0) * 0.5

    def score(self, node: Node, child: Node) -> Any:
        """Return the mean payoff and the exploration term.

        In a wide game means are those of each child's last visit.
        """
        largest = round(node.state.largest / node.state.unit)
        mean = child.mean if self.wide else self.mean(node.state, child)
        part = 1.0 / (child.visits * largest)
        own, spread = np.float32(mean), np.float32(math.sqrt(part * largest))
        shared = self.c * math.sqrt(math.log(max(node.visits, 1)))
        if self.wide:
            return own + np.float32(shared) * spread
        return float(own) + shared * float(spread)

    def play_out(self, s: State[Any]) -> Payoffs:
        """Return the payoffs of random play, at once in a game that can."""
        if s.turn != TERMINAL and (known := s.finished(self.random)) is not None:
            s, plies = known
            self.nodes += plies
        while s.turn != TERMINAL:
            if s.turn == CHANCE:
                s = s.after(s.moves()[self.outcome(s)])
            else:
                s = s.after(s.sample(self.random))
            self.nodes += 1
        return self.payoffs(s)

    def prove(self, node: Node) -> None:
        """Prove a node by a child that wins all, or by the best child where all are proven."""
        seat = node.state.turn
        most = round(node.state.largest / node.state.unit)
        proofs = [child.proof for child in node.children if child.proof]
        best = max(proofs, key=lambda payoffs: payoffs[seat])
        if best[seat] == most or len(proofs) == len(node.children):
            node.proof = best

    def outcome(self, s: State[Any]) -> int:
        """Return the index of a random outcome of chance."""
        if len(set(s.odds())) > 1:
            return pick(self.random.state, s.odds())
        return self.random(len(s.moves()))

    def payoffs(self, s: State[Any]) -> Payoffs:
        """Return what each seat gets at the end, in units."""
        return tuple(round(payoff / s.unit) for payoff in s.payoff())
