"""The driver over any State: the kernel's own source as plain Python, without Rules or compiler."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from ctypes import c_float
from functools import partial
from typing import Any

import numpy as np

from dragon.bits import MASK, Random
from dragon.core import CHANCE, State
from dragon.rules.interpreted import (
    Code,
    Dice,
    Endless,
    Row,
    Slot,
    Slots,
    StateRules,
    bind,
    pick,
    record_class,
)  # fmt: skip
from dragon.rules.record import Moves, RecordState
from dragon.search.budget import FOREVER
from dragon.search.driver import run_of
from dragon.search.interpreted import record_of
from dragon.search.mcts.driver import Tree
from dragon.search.mcts.settings import SLICE_NODES, Child, Settings
from dragon.search.mcts.statistics.amaf import length_of
from dragon.search.mcts.statistics.priors import weigh
from dragon.search.mcts.tree import (
    BLOCK,
    BUDGET,
    LANES,
    RUN,
    SETTINGS,
    SHIFT,
    UNPROVEN,
    UNSEEN,
    VALUE,
    Memory,
    node_of,
)  # fmt: skip
from dragon.search.two_sided import refuse_later


class Late(Exception):
    """The time is over in the middle of a simulation, which is given up."""


class TreeRules(StateRules):
    """The rules of a State; of a record, moves are codes that need no text."""

    numbered = True
    """False if no policy asks for the codes of moves, which then are the moves themselves."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.random, self.records = Random(0), isinstance(self.root, RecordState)

    def coded(self, state: State[Any], moves: Sequence[Any]) -> Iterable[Any]:
        if isinstance(moves, Moves):
            codes: list[int] = moves.codes.tolist()
            return codes
        return super().coded(state, moves) if self.numbered else moves

    def move(self, code: Any) -> Any:
        """Return the move of a code; of a record, the code."""
        return code.move if isinstance(code, Code) else code

    def play(self, s: Slot, move: Any) -> None:
        s.state = s.state.play(move) if self.records else s.state.after(self.move(move))
        self.visit(s.state)

    def sample(self, s: Slot, random: Any) -> Any:
        if not self.records:
            return next(iter(self.coded(s.state, (s.state.sample(Dice(random)),))))
        self.random.state[0] = random[0]  # the rule `sample` takes a NumPy array
        code = int(s.state.evaluator.sample(s.state.data, self.random))
        random[0] = int(self.random.state[0])
        return code

    def order(self, s: Slot, out: Row, n: int, scores: Row) -> None:
        given = s.state.order(self._listed(s, out, n))
        if given is not None:
            scores.write([int(score) for score in given])

    def prior(self, s: Slot, out: Row, n: int, weights: Row) -> None:
        """Write the priors; a State that gives none at this position has them by its order."""
        moves = self._listed(s, out, n)
        given = s.state.prior(moves)
        if given is not None:
            weights.write([float(weight) for weight in given])
        else:
            weigh(s.state.order(moves) or [0] * n, weights, n)

    def _listed(self, s: Slot, out: Row, n: int) -> Sequence[Any]:
        moves = [self.move(code) for code in out.read(n)]
        return Moves(s.state, np.array(moves)) if isinstance(s.state, RecordState) else moves


class Words:
    """The words of the records in `states`, for `tree.find`: the State is the one word of each."""

    def __init__(self, states: Slots) -> None:
        self.states = states

    def __getitem__(self, at: tuple[int, int]) -> State[Any]:
        state: State[Any] = self.states[at[0]].state
        return state


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for no cycles of objects within: a tree has none, and to look through all of its nodes
    again and again takes up to three quarters of a search's time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def single(number: float) -> float:
    """Return a number rounded to single precision, as a float: numpy's own would slow sums down."""
    return c_float(number).value


def shuffle(kernel: Callable[..., None], random: Any, codes: Row, n: int) -> None:
    """Shuffle a list by the kernel, since a Row takes several times as long to read."""
    listed = codes.read(n)
    kernel(random, listed, n)
    codes.write(listed)


def fill(kernel: Callable[..., None], m: Memory, node: Any, n: int, run: Any) -> None:
    """Fill blocks by the kernel, from a list for the same reason."""
    kernel(m._replace(out=m.out.read(n)), node, n, run)


def highest(m: Memory, node: Any, shared: float) -> int:
    """Do what the kernel's `highest` does, by NumPy: lane by lane, then the greatest lane."""
    blocks = [m.blocks[i] for i in range(node.first, node.first + ((node.count - 1) >> SHIFT) + 1)]
    own = np.frombuffer(b"".join([block.own for block in blocks]), np.float32)
    spread = np.frombuffer(b"".join([block.spread for block in blocks]), np.float32)
    scores = (own + np.float32(shared) * spread).reshape(-1, LANES)
    lane = int(scores.max(0).argmax())
    return LANES * int(scores[:, lane].argmax()) + lane


class StateTree(Tree):
    """The working memory of one run on any State."""

    def __init__(
        self, settings: Settings, state: State[Any], depth: int | None, seed: int, old: Any
    ) -> None:
        self.search, self.root, self.teams = settings, state, state.teams
        self.late: Callable[[], bool] = bool
        self.leaf: int | None = None
        """The ply from which a simulation plays out; None in the tree."""
        self.width: int = (
            state.rules.width if isinstance(state, RecordState) else len(state.moves())
        )
        """The most moves; of a game without Rules those of the first root, by which its trees stay
        of one layout."""
        if isinstance(old, StateTree):
            self.width = old.width
        policies, seats = settings.policies_for(self.width), len(state.teams)
        solver = settings.backs_up_proofs(state)
        self.rules = rules = TreeRules(state, lambda s, payoff: round(payoff / s.unit), self._visit)
        rules.numbered = policies.bound["NOTES"]
        names = rules.names() | policies.bound | {"SHARED": False, "pick": pick, "single": single}
        names["highest"] = highest
        for name in ("score", "share", "choose"):
            policy = names[name]
            names[name] = bind(policy.__module__, names)[policy.__name__]
        self.kernel = bind("dragon.search.mcts.kernel", names)
        self.kernel["shuffle"] = partial(shuffle, self.kernel["shuffle"])
        self.kernel["fill"] = partial(fill, self.kernel["fill"])
        self._simulate, self._play_out = self.kernel["simulate"], self.kernel["play_out"]
        self._drawn = self.kernel["drawn"]
        self.kernel |= {
            "simulate": self._simulate_in_time, "play_out": self._play_out_in_time,
            "drawn": self._drawn_in_time,
        }  # fmt: skip
        self.run = record_of(run_of(RUN, size=1, blocks=1))
        self.settings = record_of(run_of(
            SETTINGS, settings, solver=solver, solved=settings.solved and solver, seats=seats,
            largest=names["LARGEST"], fpu=settings.urgency,
        ))  # fmt: skip
        self.budget = record_of(run_of(
            BUDGET, room=settings.room(), depth=min(depth or FOREVER, FOREVER),
            tables=settings.tables(seats),
        ))  # fmt: skip
        values, node = record_class(VALUE), record_class(node_of(policies.keeps))
        self.m = Memory(
            states=Slots(state), tree=Endless(node), path=Endless(), played=Endless(),
            blocks=Endless(record_class(BLOCK)), slots=Endless(),
            amaf=Endless(values), history=Endless(values), grams=Endless(values),
            pay=[0] * seats, out=Row(), weights=Row(), scores=Row(), random=[seed & MASK],
            tablebase=None, lock=None, settings=[self.settings], budget=[self.budget],
            runs=[self.run],
        )  # fmt: skip
        top = self.m.tree[0]
        top.proof_seat0, top.seat = UNPROVEN, UNSEEN
        if isinstance(old, StateTree):
            self._take(old)

    @property
    def nodes(self) -> int:
        """The plies played, in the tree and beyond."""
        played: int = self.run.nodes
        return played

    @property
    def simulations(self) -> int:
        """The simulations of this run."""
        made: int = self.run.simulated
        return made

    @property
    def size(self) -> int:
        """The nodes in the tree."""
        size: int = self.run.size
        return size

    def advance(self, simulations: int, nodes: int, late: Callable[[], bool]) -> None:
        """Simulate until this many simulations or plies in all, until proven or `late`."""
        budget, self.late, self.leaf = self.budget, late, None
        budget.simulations, budget.nodes = simulations, nodes
        budget.size = self.size + SLICE_NODES
        try:
            with uncollected():
                self.kernel["resume"](self.m)
        except Late:
            self._give_up()

    # The clock is looked at before each simulation and each ply of a playout.

    def _simulate_in_time(self, m: Memory, run: Any) -> None:
        if self.late():
            raise Late
        self._simulate(m, run)

    def _play_out_in_time(self, m: Memory, s: Slot, ply: int) -> int:
        self.leaf = ply
        end: int = self._play_out(m, s, ply)
        self.leaf = None
        return end

    def _drawn_in_time(self, m: Memory, s: Slot, seat: int, ply: int) -> Any:
        if self.late():
            self.run.nodes += ply
            raise Late
        return self._drawn(m, s, seat, ply)

    def _give_up(self) -> None:
        """Take back the one change that a simulation makes to the tree before its backup.

        A child that it tried for the first time counts as untried again.
        """
        m, leaf = self.m, self.leaf
        if not leaf or not self.kernel["UNTRIED_FIRST"] or m.tree[m.path[leaf]].visits:
            return
        parent = m.tree[m.path[leaf - 1]]
        if parent.seat == CHANCE:
            return
        parent.tried -= 1
        if self.kernel["BLOCKED"]:  # its node is the last
            self.run.size -= 1
            block = m.blocks[parent.first + parent.tried // LANES]
            block.child[parent.tried % LANES] = m.tree[m.path[leaf]].code

    def _visit(self, state: State[Any]) -> None:
        if self.leaf is None and state.conceals:
            refuse_later(self.search, state, self.root, chance=True)

    def _take(self, old: StateTree) -> None:
        """Begin with the part of an earlier tree that lies below this state, and its history."""
        self.m = self.m._replace(history=old.m.history, grams=old.m.grams)
        states, plies = Slots(old.root), 2 * len(self.teams)
        at = self.kernel["find"](
            states, Words(states), [self.root], old.m, Endless(), Endless(), plies
        )
        if at >= 0 and (old.m.tree[at].count or old.m.tree[at].proof_seat0 == UNPROVEN):
            self.kernel["graft"](old.m, at, self.m, self.run)
            if self.budget.tables:
                self._take_tables(old)

    def _take_tables(self, old: StateTree) -> None:
        """Take the AMAF tables of the nodes that were taken, and number them from 1 on."""
        row, new = length_of(len(self.teams)), {}
        for i in range(self.size):
            node = self.m.tree[i]
            if node.table:
                new[node.table - 1] = self.run.tables
                self.run.tables += 1
                node.table = self.run.tables
        for at, value in old.m.amaf.items():
            if (table := new.get(at // row)) is not None:
                self.m.amaf[table * row + at % row] = value

    def _visited(self, at: int) -> list[int]:
        node = self.m.tree[at]
        count = node.tried if self.kernel["BLOCKED"] else node.count
        made = (self.kernel["child_of"](self.m, node, i) for i in range(count))
        return [i for i in made if self.m.tree[i].visits]

    def _key(self, node: Any) -> Any:
        """Return the move that leads to a node of the root's game."""
        state, move = self.root, self.rules.move(node.code)
        return state.text(move) if isinstance(state, RecordState) else move

    def children(self) -> list[Child]:
        """Return the root's children that have been visited."""
        nodes = (self.m.tree[i] for i in self._visited(0))
        return [
            Child(self._key(node), node.visits, node.total, self._units(node.proof_seat0))
            for node in nodes
        ]

    def move(self, child: Child) -> Any:
        """Return the move of a child."""
        return child.key

    def line(self, first: Any) -> tuple[Any, ...]:
        """Return the most visited moves, of a proof its moves, beginning with `first`."""
        begin = next((i for i in self._visited(0) if self._key(self.m.tree[i]) == first), -1)
        codes = [self.rules.move(self.m.tree[i].code) for i in self._path(begin)]
        if not isinstance(self.root, RecordState):
            return (first, *codes[1:])
        line, state = [], self.root
        for code in codes:
            line.append(state.text(code))
            state = state.play(code)
        return tuple(line) or (first,)
