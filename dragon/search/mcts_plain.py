"""The tree of MCTS in plain Python: select, expand, play out, back up.

The kernel `dragon.search.kernels.mcts` is this file over an array of nodes; a law holds
the two together, tree for tree.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from dragon.bits import Random
from dragon.core import CHANCE, TERMINAL, State
from dragon.playout import has_odds, pick, step
from dragon.search.budget import FOREVER
from dragon.search.mcts import SLICE_NODES, Child

if TYPE_CHECKING:
    from dragon.search.mcts import MCTS

NODE_BYTES = 64
"""What a node of the kernel takes, so that both forms are full at the same size."""


class Node:
    """A state in the tree; `total` is in units for the seat that moved here."""

    __slots__ = (
        "best",
        "children",
        "index",
        "moves",
        "proof",
        "seat",
        "total",
        "tried",
        "unproven",
        "visits",
    )

    def __init__(self, moves: Sequence[Any] = (None,), index: int = 0) -> None:
        self.moves, self.index = moves, index
        self.total = self.visits = self.tried = self.unproven = 0
        self.children: list[Node] = []
        self.proof: int | None = None
        """Exact units of seat 0's side."""
        self.best: int | None = None
        """The most that a proven child gives the mover."""
        self.seat: int | None = None

    @property
    def move(self) -> Any:
        """The move that leads here; of very many, text is made only of those looked at."""
        return self.moves[self.index]

    def count(self) -> int:
        """How many nodes the subtree has, this one included."""
        total, waiting = 0, [self]
        while waiting:
            node = waiting.pop()
            total += 1
            waiting.extend(node.children)
        return total


class PlainTree:
    """The working memory of one run on any State."""

    def __init__(
        self, search: MCTS, state: State[Any], depth: int | None, seed: int, old: Any
    ) -> None:
        self.on = search
        self.state = state
        self.root = Node()
        if isinstance(old, PlainTree):
            self.root = old.below(state) or self.root
            if self.root.proof is not None and not self.root.children:
                self.root = Node()  # solved, but by no move yet
        self.depth = FOREVER if depth is None else depth
        self.room = int(search.megabytes * 1e6) // NODE_BYTES
        self.size = self.root.count()
        self.random = Random(seed)
        self.solver = search.solver and state.zero_sum and len(set(state.teams)) <= 2
        self.largest = round(state.largest / state.unit)
        self.nodes = self.simulations = 0

    def advance(self, simulations: int, nodes: int, late: Callable[[], bool]) -> None:
        """Simulates until this many simulations or plies in all, until proven or `late`."""
        stop = self.size + SLICE_NODES
        while self.simulations < simulations and self.nodes < nodes and self.size < stop:
            if self.root.proof is not None or late():
                return
            self.simulate(late)

    def simulate(self, late: Callable[[], bool]) -> None:
        """One simulation: down the tree, on at random, and back up; given up when it is `late`."""
        state, node, path = self.state, self.root, [self.root]
        proven = False
        while True:
            if node.proof is not None:
                payoffs = [self.units(node.proof, seat) for seat in range(len(state.teams))]
                break
            new = node.seat is None
            if new:
                node.seat = state.turn
            if node.seat == TERMINAL:
                payoffs = self.payoffs(state)
                if self.solver:
                    node.proof, proven = payoffs[0], True
                break
            if new and len(path) > 1 and (units := self.solved(state)) is not None:
                node.proof, proven = units, True
                payoffs = [self.units(units, seat) for seat in range(len(state.teams))]
                break
            if not self.ready(state, node, len(path) - 1):
                while state.turn != TERMINAL:
                    if late():
                        self.give_up(path)
                        return
                    state = step(state, self.random, self.on.reduce_playouts)
                    self.nodes += 1
                payoffs = self.payoffs(state)
                break
            node = self.select(state, node)
            path.append(node)
            state = state.after(node.move)
        self.nodes += len(path) - 1
        self.simulations += 1
        self.back_up(path, payoffs, proven)

    def give_up(self, path: list[Node]) -> None:
        """Forgets a simulation: what it tried for the first time counts as untried again."""
        if len(path) > 1 and not path[-1].visits and path[-2].seat != CHANCE:
            path[-2].tried -= 1

    def solved(self, state: State[Any]) -> int | None:
        """Seat 0's exact units where a seat is to move and the game knows them."""
        if not (self.on.solved and self.solver and state.turn >= 0):
            return None
        known = state.solved()
        return None if known is None else round(known[0] / state.unit)

    def ready(self, state: State[Any], node: Node, depth: int) -> bool:
        """Whether the node has children to choose from, after expanding it if it is time."""
        if not node.children and (depth == 0 or node.visits > 0) and depth < self.depth:
            every = state.turn == CHANCE or not self.on.reduce
            moves = state.moves() if every else state.distinct()
            if self.size + len(moves) > self.room:
                return False
            order = list(range(len(moves)))
            if node.seat != CHANCE:
                for i in range(len(moves) - 1, 0, -1):
                    j = self.random(i + 1)
                    order[i], order[j] = order[j], order[i]
            node.children = [Node(moves, i) for i in order]
            node.unproven = len(moves)
            self.size += len(moves)
        return bool(node.children)

    def select(self, state: State[Any], node: Node) -> Node:
        """The child to visit: by its odds, an untried one, or by UCT."""
        if node.seat == CHANCE:
            if has_odds(state):
                return node.children[pick(self.random.state, state.odds())]
            return node.children[self.random(len(node.children))]
        if node.tried < len(node.children):
            node.tried += 1
            return node.children[node.tried - 1]
        log_visits = math.log(node.visits)
        chosen, most = node.children[0], -1.0
        for child in node.children:
            if child.proof is not None:
                units = self.units(child.proof, node.seat or 0)
                if units == -self.largest:
                    continue
                score = (units / self.largest + 1.0) * 0.5
            else:
                score = (child.total / (child.visits * self.largest) + 1.0) * 0.5
            if self.on.selection == "uct":
                score += self.on.c * math.sqrt(log_visits / child.visits)
            if score > most:
                chosen, most = child, score
        return chosen

    def back_up(self, path: list[Node], payoffs: list[int], proven: bool) -> None:
        """Adds the payoffs along the path, and what the last node's proof proves above."""
        for node, parent in zip(reversed(path), [*reversed(path[:-1]), None], strict=True):
            node.visits += 1
            seat = (self.root if parent is None else parent).seat or 0
            node.total += payoffs[max(seat, 0)]
            if not proven or parent is None:
                continue
            if seat == CHANCE or node.proof is None:
                proven = False
                continue
            units = self.units(node.proof, seat)
            parent.unproven -= 1
            parent.best = units if parent.best is None else max(parent.best, units)
            proven = parent.best == self.largest or parent.unproven == 0
            if proven:
                parent.proof = self.units(parent.best, seat)

    def units(self, proof: int, seat: int) -> int:
        """Units of seat 0's side as those of `seat`, and back."""
        return proof if self.state.teams[seat] == self.state.teams[0] else -proof

    def payoffs(self, state: State[Any]) -> list[int]:
        """What each seat gets, in units."""
        return [round(payoff / state.unit) for payoff in state.payoff()]

    def children(self) -> list[Child]:
        """The root's children that have been visited."""
        seat = max(self.state.turn, 0)
        return [
            Child(
                node.move,
                node.visits,
                node.total,
                None if node.proof is None else self.units(node.proof, seat),
            )
            for node in self.root.children
            if node.visits
        ]

    def proof(self) -> int | None:
        """The root's exact units for the seat to move there, once proven."""
        proof = self.root.proof
        return None if proof is None else self.units(proof, max(self.state.turn, 0))

    def value(self) -> float:
        """The root's mean units, for the seat to move there."""
        visits = sum(node.visits for node in self.root.children)
        return sum(node.total for node in self.root.children) / max(1, visits)

    def move(self, child: Child) -> Any:
        """The move that a child stands for."""
        return child.key

    def line(self, first: Any) -> tuple[Any, ...]:
        """The most visited moves, beginning with `first`."""
        line = [first]
        node = next((child for child in self.root.children if child.move == first), None)
        while node is not None and node.seat is not None and node.seat >= 0:
            exact = node.proof
            node = max(
                (child for child in node.children if child.visits),
                key=lambda child: (exact is not None and child.proof == exact, child.visits),
                default=None,
            )
            if node is not None:
                line.append(node.move)
        return tuple(line)

    def below(self, state: State[Any]) -> Node | None:
        """The visited node whose state this is, a few plies below the root."""

        def look(here: State[Any], node: Node, plies: int) -> Node | None:
            if here == state:
                return node
            for child in node.children if plies else ():
                if child.visits:
                    found = look(here.after(child.move), child, plies - 1)
                    if found is not None:
                        return found
            return None

        return look(self.state, self.root, 2 * len(state.teams))
