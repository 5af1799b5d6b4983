"""The tree of MCTS in plain Python: select, expand, play out, back up.

The kernel `dragon.search.mcts.kernel` is this file over an array of nodes, step by step under
the same numbers; a law holds the two together, tree for tree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dragon.bits import Random
from dragon.core import CHANCE, TERMINAL, State
from dragon.rules.playout import follow, has_odds, listed, pick
from dragon.search.budget import FOREVER
from dragon.search.mcts.guesses import mixed
from dragon.search.mcts.history import mean
from dragon.search.mcts.node import Node
from dragon.search.mcts.plain_policies import PlainPolicies
from dragon.search.mcts.settings import SLICE_NODES, Child, Settings
from dragon.search.two_sided import refuse_later


class PlainTree:
    """The working memory of one run on any State."""

    def __init__(
        self, settings: Settings, state: State[Any], depth: int | None, seed: int, old: Any
    ) -> None:
        self.settings = settings
        self.state = state
        self.root = Node()
        if isinstance(old, PlainTree):
            self.root = old.below(state) or self.root
            if self.root.proof is not None and not self.root.children:
                self.root = Node()  # solved, but by no move yet
        self.depth = FOREVER if depth is None else depth
        self.room = settings.room()
        self.size = sum(1 for _ in self.root.nodes())
        self.random = Random(seed)
        self.solver = settings.backs_up_proofs(state)
        self.largest = round(state.largest / state.unit)
        self.nodes = self.simulations = 0
        self.policies = PlainPolicies(settings, state, self.random)
        if isinstance(old, PlainTree):
            self.policies.take(old.policies, self.root.nodes())

    def advance(self, simulations: int, nodes: int, late: Callable[[], bool]) -> None:
        """Simulates until this many simulations or plies in all, until proven or `late`."""
        stop = self.size + SLICE_NODES
        while self.simulations < simulations and self.nodes < nodes and self.size < stop:
            if self.root.proof is not None or late():
                return
            self.simulate(late)

    def simulate(self, late: Callable[[], bool]) -> None:
        """One simulation: down the tree, on at random, and back up; given up when it is `late`."""
        state, node, path, end = self.state, self.root, [self.root], 0
        proven = False
        while True:
            # 1. A node whose value is known: proven before, solved, or an end.
            if node.seat is None:
                node.seat = state.turn
                if state.conceals:
                    refuse_later(self.settings, state, self.state, chance=True)
                if len(path) > 1 and (units := self.solved(state)) is not None:
                    node.proof, proven = units, True
            if node.proof is not None:
                payoffs = [self.units(node.proof, seat) for seat in range(len(state.teams))]
                break
            if node.seat == TERMINAL:
                payoffs = self.payoffs(state)
                if self.solver:
                    node.proof, proven = payoffs[0], True
                break
            # 2. Expand a node that is visited again, while there is room.
            ready = bool(node.children)
            if not ready and (len(path) == 1 or node.visits > 0) and len(path) <= self.depth:
                ready = self.expand(state, node)
            # 3. Play out from a leaf.
            if not ready:
                first = end
                while state.turn != TERMINAL and not self.policies.cuts(end - first):
                    if late():  # what it tried for the first time counts as untried again
                        if len(path) > 1 and not path[-1].visits and path[-2].seat != CHANCE:
                            path[-2].tried -= 1
                        return
                    move = self.policies.drawn(state, end)
                    self.policies.note(end, state, move)
                    state, end = follow(state, move), end + 1
                    self.nodes += 1
                over = state.turn == TERMINAL
                payoffs = self.payoffs(state) if over else self.policies.guessed(state)
                break
            # 4. Select a child.
            self.policies.refer(node, end)
            node = self.chance(state, node) if node.seat == CHANCE else self.select(node)
            move = listed(node.moves, node.index)
            self.policies.note(end, state, move)
            path.append(node)
            state, end = follow(state, move), end + 1
        # 5. Back up.
        self.nodes += len(path) - 1
        self.simulations += 1
        self.policies.remember(path, payoffs, end)
        self.back_up(path, payoffs, proven)

    def solved(self, state: State[Any]) -> int | None:
        """Seat 0's exact units where a seat is to move and the game knows them."""
        if not (self.settings.solved and self.solver and state.turn >= 0):
            return None
        known = state.solved()
        return None if known is None else round(known[0] / state.unit)

    def expand(self, state: State[Any], node: Node) -> bool:
        """Gives a node children in random order; False without room."""
        every = state.turn == CHANCE or not self.settings.reduce
        moves = state.moves() if every else state.distinct()
        if self.settings.decisive and state.turn != CHANCE:
            moves = self.policies.decided(state, moves)
        if self.size + len(moves) > self.room:
            return False
        order = list(range(len(moves)))
        if node.seat != CHANCE:
            for i in range(len(moves) - 1, 0, -1):
                j = self.random(i + 1)
                order[i], order[j] = order[j], order[i]
        node.children = [Node(moves, i) for i in order]
        self.policies.meet(state, node.children)
        node.unproven = len(moves)
        self.size += len(moves)
        return True

    def chance(self, state: State[Any], node: Node) -> Node:
        """A child of a CHANCE node, drawn by its odds."""
        if has_odds(state):
            return node.children[pick(self.random.state, state.odds())]
        return node.children[self.random(len(node.children))]

    def select(self, node: Node) -> Node:
        """The child that the selection asks for next."""
        on, m, run = self.policies.bound, self.policies.m, self.policies.run
        if on.UNTRIED_FIRST and node.tried < len(node.children):
            node.tried += 1
            return node.children[node.tried - 1]
        chosen, most, shared = node.children[0], -1.0, on.share(node, run)
        for child in node.children:
            if (known := child.proof) is not None:
                units = self.units(known, node.seat or 0)
                if units == -self.largest:
                    continue
                value = (units / self.largest + 1.0) * 0.5
            else:
                value = mean(child, run.fpu, run)
                if on.KEEPS_GUESSES:
                    value = mixed(value, child.guess, run.minimax)
            if on.SCORES_UNTRIED or child.visits > 0:
                value = on.score(m, node, child, value, known is not None, shared, run)
            if value > most:
                chosen, most = child, value
        return chosen

    def back_up(self, path: list[Node], payoffs: list[int], proven: bool) -> None:
        """Adds the payoffs along the path, and what the last node's proof proves above."""
        for node, parent in zip(reversed(path), [*reversed(path[:-1]), None], strict=True):
            node.visits += 1
            seat = (self.root if parent is None else parent).seat or 0
            node.total += payoffs[max(seat, 0)]
            if self.policies.bound.KEEPS_SQUARES:
                share = (payoffs[max(seat, 0)] / self.largest + 1.0) * 0.5
                node.squares += share * share
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

    def proof(self, node: Node | None = None) -> int | None:
        """The exact units of a node, the root by default, for the seat to move at the root."""
        proof = (node or self.root).proof
        return None if proof is None else self.units(proof, max(self.state.turn, 0))

    def children(self) -> list[Child]:
        """The root's children that have been visited."""
        visited = (node for node in self.root.children if node.visits)
        return [Child(node.move, node.visits, node.total, self.proof(node)) for node in visited]

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
            visited = [child for child in node.children if child.visits] if plies else []
            found = (look(here.after(child.move), child, plies - 1) for child in visited)
            return next(filter(None, found), None)

        return look(self.state, self.root, 2 * len(state.teams))
