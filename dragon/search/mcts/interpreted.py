"""The backend of an interpreted tree: the rules of a State as the kernel calls them, and a clock.

The driver is that of compiled trees, which do without this module; `dragon.search.interpreted` says
how a kernel is interpreted.
"""

from __future__ import annotations

import gc
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from operator import add
from types import SimpleNamespace
from typing import Any

import numpy as np

from dragon.bits import Random
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
    draw,
    pick,
    record_class,
)  # fmt: skip
from dragon.rules.record import Moves, RecordState
from dragon.search.driver import rounded_units
from dragon.search.interpreted import GivenUp, InterpretedBackend, record_of
from dragon.search.mcts.settings import Settings
from dragon.search.mcts.statistics.amaf import length_of
from dragon.search.mcts.statistics.priors import weigh
from dragon.search.mcts.tree import LANES, SHIFT, Children, Memory
from dragon.search.two_sided import refuse_later


class TreeRules(StateRules):
    """The rules of a State, as functions of the kernel; moves may be their own codes."""

    def __init__(self, numbered: bool, *arguments: Any) -> None:
        """numbered: False if no policy uses codes of moves; moves are then their own codes."""
        super().__init__(*arguments)
        self.numbered = numbered
        self.random, self.records = Random(0), isinstance(self.root, RecordState)
        self.paid: tuple[Any, list[int]] = None, []
        """The last terminal state, and the payoffs of its seats in units."""

    def coded(self, state: State[Any], moves: Sequence[Any]) -> Iterable[Any]:
        if isinstance(moves, Moves):
            codes: list[int] = moves.codes.tolist()
            return codes
        return super().coded(state, moves) if self.numbered else moves

    def names(self) -> dict[str, Any]:
        """Return the rules; where moves are their own codes, each move takes one call less."""
        if self.records or self.numbered:
            return super().names()

        def play(s: Slot, move: Any) -> None:
            state = s.state = s.state.after(move)
            if state.conceals:
                self.visit(state)

        def sample(s: Slot, random: Any) -> Any:
            dice.state = random
            return s.state.sample(dice)

        dice = Dice(None)
        return super().names() | {"play": play, "sample": sample}

    def play(self, s: Slot, move: Any) -> None:
        s.state = s.state.play(move) if self.records else s.state.after(move.move)
        self.visit(s.state)

    def payoff(self, s: Slot, seat: int) -> int:
        state = s.state
        if state is not self.paid[0]:
            self.paid = state, [self.units(state, payoff) for payoff in state.payoff()]
        return self.paid[1][seat]

    def sample(self, s: Slot, random: Any) -> Any:
        if not self.records:
            return super().sample(s, random)
        self.random.state[0] = random[0]  # the rule `sample` takes a NumPy array
        code = int(s.state.evaluator.sample(s.state.data, self.random))
        random[0] = int(self.random.state[0])
        return code

    def order(self, s: Slot, out: Row, n: int, scores: Row) -> None:
        given = s.state.order(self._listed(s, out, n))
        if given is not None:
            scores.write([int(score) for score in given])

    def prior(self, s: Slot, out: Row, n: int, weights: Row) -> None:
        """Write the priors; if the State has none at this position, they follow from its order."""
        moves = self._listed(s, out, n)
        given = s.state.prior(moves)
        if given is not None:
            weights.write([float(weight) for weight in given])
        else:
            weigh(s.state.order(moves) or [0] * n, weights, n)

    def _listed(self, s: Slot, out: Row, n: int) -> Sequence[Any]:
        moves = [move_of(code) for code in out.read(n)]
        return Moves(s.state, np.array(moves)) if isinstance(s.state, RecordState) else moves


def move_of(code: Any) -> Any:
    """Return the move of a code, or the code itself if it is a move."""
    return code.move if isinstance(code, Code) else code


class Words:
    """The words of the records in `states`, for `tree.find`: the State is the one word of each."""

    def __init__(self, states: Slots) -> None:
        self.states = states

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, tuple):
            return self.states[at[0]].state
        return [self.states[at].state]


@contextmanager
def uncollected() -> Iterator[None]:
    """Switch off garbage collection within: a tree does not have cycles, and scanning its nodes
    again and again takes up to three quarters of a search's time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def rounding() -> Callable[[float], float]:
    """Return a function that rounds to single precision: numpy's own would slow sums down.

    Each tree has its own, since another thread may have another tree.
    """
    cell = array("f", [0.0])

    def single(number: float) -> float:
        cell[0] = number
        return cell[0]

    return single


def shuffle(kernel: Callable[..., None], random: Any, codes: Row, n: int) -> None:
    """Shuffle a list by the kernel's function: reading a Row would take several times as long."""
    listed = codes.read(n)
    kernel(random, listed, n)
    codes.write(listed)


def fill(kernel: Callable[..., None], m: Memory, node: Any, n: int, run: Any) -> None:
    """Fill blocks by the kernel's function, from a list for the same reason."""
    kernel(m._replace(out=m.out.read(n)), node, n, run)


def highest(m: Memory, node: Any, shared: float) -> int:
    """Replace the kernel's `highest`: few children are compared one by one, many by NumPy, both
    with its rounding and its ties."""
    if node.count <= LANES:
        block, weight = m.blocks[node.numbers], array("f", [shared])[0]
        more = array("f", [weight * spread for spread in block.spread])
        sums = array("f", [*map(add, block.own, more)])
        return sums.index(max(sums))
    blocks = [
        m.blocks[i] for i in range(node.numbers, node.numbers + ((node.count - 1) >> SHIFT) + 1)
    ]
    own = np.frombuffer(b"".join([block.own for block in blocks]), np.float32)
    spread = np.frombuffer(b"".join([block.spread for block in blocks]), np.float32)
    scores = (own + np.float32(shared) * spread).reshape(-1, LANES)
    lane = int(scores.max(0).argmax())
    return LANES * int(scores[:, lane].argmax()) + lane


def best(m: Memory, node: Any, shared: float, settings: Any) -> int:
    """Replace the kernel's `best` for linear scores, without a call for each child."""
    tree, first, chosen, most = m.tree, node.first, 0, -1.0
    for i in range(node.count):
        child = tree[first + i]
        if child.own >= 0.0 and (value := child.own + shared * child.spread) > most:
            chosen, most = i, value
    return chosen


def take_table(m: Memory, old: Any, begin: int, to: int) -> None:
    """Replace the kernel's `take_table`: copy only values that exist."""
    for i in range(length_of(m.settings[0].seats)):
        if begin + i in old:
            m.amaf[to + i] = old[begin + i]


class TreeBackend(InterpretedBackend):
    """The maker of the memory and the functions of an interpreted tree.

    The clock is looked at before each simulation and each ply of a playout.
    """

    def __init__(self, search: Settings, state: State[Any], bound: dict[str, Any]) -> None:
        """bound: what the policies bind."""
        self.search, self.root, self.bound = search, state, bound
        self.leaf: int | None = None
        """The ply from which a simulation plays out; None in the tree."""
        rules = partial(TreeRules, bound["NOTES"])
        super().__init__(state, rounded_units, self._visit, False, rules)

    def _visit(self, state: State[Any]) -> None:
        if self.leaf is None and state.conceals:
            refuse_later(self.search, state, self.root, chance=True)

    def load(self, template: str, bound: Any = None) -> Any:
        """Return the functions of the kernel with these policies."""
        made: dict[str, dict[str, Any]] = {}
        simple = (
            self.search.policies.linear
            and bound["UNTRIED_FIRST"]
            and not bound["BLOCKED"]
            and not bound["KEEPS_EVALUATIONS"]
            and not bound["KEEPS_TRANSPOSITIONS"]
        )
        names = self.names | bound | {
            "SHARED": False, "pick": pick, "highest": highest, "take_table": take_table,
            "single": rounding(),
        }  # fmt: skip
        for name in ("score", "share", "choose"):
            policy = names[name]
            names[name] = bind(policy.__module__, names, made=made)[policy.__name__]
        kernel = bind(template, names, made=made)
        if simple:
            kernel["best"] = best
        simulate, play_out, drawn = (kernel[name] for name in ("simulate", "play_out", "drawn"))
        kernel["shuffle"] = partial(shuffle, kernel["shuffle"])
        kernel["fill"] = partial(fill, kernel["fill"])

        def simulate_in_time(m: Memory, run: Any) -> None:
            if self.late():
                raise GivenUp
            self.leaf = None
            simulate(m, run)

        def play_out_in_time(m: Memory, s: Slot, ply: int) -> int:
            self.leaf = ply
            end: int = play_out(m, s, ply)
            self.leaf = None
            return end

        any_move = not (bound["LISTS"] or bound["DECISIVE"] or self.search.reduce_playouts)
        sample, has_odds = names["sample"], names["HAS_ODDS"]

        def drawn_in_time(m: Memory, s: Slot, seat: int, ply: int) -> Any:
            if self.late():
                m.runs[0].nodes += ply
                raise GivenUp
            if any_move and seat != CHANCE:  # as `drawn` does, which takes two calls more
                return sample(s, m.random)
            return drawn(m, s, seat, ply)

        def chance(m: Memory, s: Slot, at: int) -> int:  # as in the kernel, without copies of odds
            if has_odds:
                return pick(m.random, s.state.odds())
            return draw(m.random, m.tree[at].count)

        kernel |= {
            "simulate": simulate_in_time, "play_out": play_out_in_time, "drawn": drawn_in_time,
            "chance": chance,
        }  # fmt: skip
        resume = kernel["resume"]

        def resume_uncollected(m: Memory) -> int:
            with uncollected():
                status: int = resume(m)
            return status

        return SimpleNamespace(**kernel | {"resume": resume_uncollected})

    def zeros(self, *shape: int, kind: Any = np.int64) -> Any:
        """Return an array of zeros, a dictionary: it is read more quickly than a Row."""
        return Endless(record_class(kind) if getattr(kind, "names", None) else int)

    def runs(self, records: Any) -> Any:
        """Return the records as they are: this kernel does not read a `stop`."""
        return [record_of(records)]

    def words(self, states: Slots) -> Any:
        """Return the words of these records."""
        return Words(states)

    def lanes(self, blocks: Any, first: int, n: int) -> Sequence[int]:
        """Return the indices of the first `n` children in the blocks from `first` on."""
        return [blocks[first + i // LANES].child[i % LANES] for i in range(n)]

    def children(self, tree: Any, places: Sequence[int]) -> Children:
        """Return those of these nodes that have been visited; proofs are of seat 0."""
        nodes = {i: node for i in places if (node := tree[i]).visits}
        figures = [(i, n.visits, n.total, n.proof_seat0) for i, n in nodes.items()]
        at, visits, totals, proofs = np.array(figures, np.int64).reshape(-1, 4).T
        return Children(at, [move_of(n.code) for n in nodes.values()], visits, totals, proofs)

    def moves_of(self, codes: Iterable[Any]) -> tuple[Any, ...]:
        """Return the moves of a line, given their codes."""
        state = self.root
        if not isinstance(state, RecordState):
            return tuple(codes)
        line = []
        for code in codes:
            line.append(state.text(code))
            state = state.play(code)
        return tuple(line)

    def give_up(self, m: Memory) -> None:
        """Undo the only change that an interrupted simulation has made to the tree.

        A child that it tried for the first time becomes untried again.
        """
        leaf, self.leaf = self.leaf, None
        if not leaf or not self.bound["UNTRIED_FIRST"] or m.tree[m.path[leaf]].visits:
            return
        parent = m.tree[m.path[leaf - 1]]
        if parent.seat == CHANCE:
            return
        parent.tried -= 1
        if self.bound["BLOCKED"]:  # its node is the last, and so are its parent's numbers, if any
            m.runs[0].size -= 1
            if parent.numbers > 0:
                m.runs[0].blocks, parent.numbers = parent.numbers, 0
            block = m.blocks[parent.first + parent.tried // LANES]
            block.child[parent.tried % LANES] = m.tree[m.path[leaf]].code
