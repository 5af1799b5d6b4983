"""The tree of a game by Rules, walked depth first into its sequence form."""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from dragon.bits import i64, u64
from dragon.core import CHANCE, TERMINAL, State
from dragon.core.search import informed
from dragon.errors import GameError
from dragon.rules.record import RecordState, has_kernels
from dragon.rules.rehearsal import kernels_of, rehearsed
from dragon.rules.template import HAS_ODDS, SEATS, hide, kernel, moves, odds, payoff, turn
from dragon.search.equilibrium.chains import descend, key_after, key_of, look
from dragon.search.equilibrium.sequences import MOST_NODES, SequenceForm, too_large

PAUSED, DONE, GROW, UNLIKE = 0, 1, 2, 3
"""The statuses: states are left; all are in it; arrays are too short; a set has other moves."""
SLICE = 20_000
"""States between two looks at the clock."""
DEPTH, SETS, SEQUENCES, LEAVES, NODES, STOP = range(6)
"""The indices of the counts in `tally`; the walk pauses after STOP states."""


class Memory(NamedTuple):
    """The arrays of the walk, and what it finds."""

    states: Any  # records[plies + 2], of the plies; the last is scratch
    words: Any  # their uint64 words
    codes: Any  # int64[plies + 1, width], the moves at each ply
    odds: Any  # float64[width]
    frames: Any  # FRAME[plies + 1]
    chains: Any  # uint64[plies + 1, seats]
    views: Any  # uint64[plies + 1, seats], a hash of what each seat sees
    last: Any  # int64[plies + 1, seats], the last sequence of each seat
    table: Any  # int64[2 ** k], information sets by their keys, each plus 1
    keys: Any  # uint64[sets]
    sets: Any  # SET[sets]
    seen: Any  # records[sets], the view of the seat to move
    paths: Any  # uint16[sets, plies + 1], which of the moves lead to the first state of each set
    moves: Any  # int64[sequences], the code of each sequence's move
    leaves: Any  # int64[leaves, seats]
    chances: Any  # float64[leaves]
    paid: Any  # int64[leaves, seats], in units
    tally: Any  # int64[6]


FRAME = np.dtype([("n", "i8"), ("i", "i8"), ("turn", "i8"), ("set", "i8"), ("chance", "f8")])
"""A ply: its moves, those that were tried, whose turn it is, its set, chance's part so far."""
SET = np.dtype([("seat", "i8"), ("parent", "i8"), ("first", "i8"), ("n", "i8"),
                ("depth", "i8")])  # fmt: skip


@kernel
def find(m, key, seat, parent, n):
    """Return the information set of a key, a new one where it is new."""
    mask = len(m.table) - 1
    at = i64(key & u64(mask))
    while m.table[at] > 0:
        if m.keys[m.table[at] - 1] == key:
            return m.table[at] - 1
        at = (at + 1) & mask
    new = m.tally[SETS]
    m.table[at] = new + 1
    m.keys[new] = key
    each = m.sets[new]
    each.seat, each.parent, each.first, each.n = seat, parent, m.tally[SEQUENCES], n
    m.tally[SETS] += 1
    m.tally[SEQUENCES] += n
    return new


@kernel
def enter(m, d):
    """Begin the state at ply d; return True, or False at an end. UNLIKE shows in its set, -1."""
    frame, s = m.frames[d], m.states[d]
    frame.turn = turn(s)
    frame.i = 0
    m.tally[NODES] += 1
    if frame.turn == TERMINAL:
        leaf = m.tally[LEAVES]
        m.chances[leaf] = frame.chance
        for seat in range(SEATS):
            m.leaves[leaf, seat] = m.last[d, seat]
            m.paid[leaf, seat] = payoff(s, seat)
        m.tally[LEAVES] += 1
        return False
    frame.n = moves(s, m.codes[d])
    look(m, d)
    if frame.turn >= 0:
        seat = frame.turn
        before = m.tally[SETS]
        frame.set = find(m, key_of(m.chains[d, seat], seat), seat, m.last[d, seat], frame.n)
        each = m.sets[frame.set]
        if frame.set == before:
            m.seen[before] = s
            hide(m.seen[before], seat)
            each.depth = d
            for above in range(d):
                m.paths[before, above] = m.frames[above].i - 1
            for i in range(frame.n):
                m.moves[each.first + i] = m.codes[d, i]
        same = each.n == frame.n
        for i in range(min(each.n, frame.n)):
            same = same and m.moves[each.first + i] == m.codes[d, i]
        if not same:
            frame.set = -1 - frame.set
    return True


@kernel
def resume(m):
    """Walk on from where it was; return a status."""
    t = m.tally
    width = len(m.codes[0])
    if t[NODES] == 0:
        if len(m.sets) == 0:
            return GROW
        for seat in range(SEATS):
            m.last[0, seat] = seat
        t[SEQUENCES] = SEATS
        m.frames[0].chance = 1.0
        t[DEPTH] = 0
        if not enter(m, 0):
            return DONE
    while t[DEPTH] >= 0:
        d = t[DEPTH]
        frame = m.frames[d]
        if frame.turn >= 0 and frame.set < 0:
            return UNLIKE
        if frame.i == frame.n:
            t[DEPTH] -= 1
            continue
        if t[NODES] >= t[STOP]:
            return PAUSED
        if t[SETS] + 1 >= len(m.sets) or t[SEQUENCES] + width >= len(m.moves):
            return GROW
        if t[LEAVES] + 1 >= len(m.chances):
            return GROW
        i = frame.i
        frame.i += 1
        descend(m, d, frame.turn, m.codes[d, i])
        child = m.frames[d + 1]
        child.chance = frame.chance
        for seat in range(SEATS):
            m.last[d + 1, seat] = m.last[d, seat]
        if frame.turn == CHANCE:
            chance = 1.0 / frame.n
            if HAS_ODDS:
                odds(m.states[d], m.odds[: frame.n])
                chance = m.odds[i]
            child.chance *= chance
        else:
            m.last[d + 1, frame.turn] = m.sets[frame.set].first + i
        if enter(m, d + 1):
            t[DEPTH] += 1
    return DONE


class RecordForm(SequenceForm):
    """The sequence form of a game by Rules, filled by a kernel."""

    def _begin(self) -> None:
        root: Any = self.root
        self.rules = rules = root.rules
        plies, width, seats = rules.plies + 1, rules.width, self.seats
        states = np.zeros(plies + 1, rules.layout)
        states[0] = np.frombuffer(root.data, rules.layout)[0]
        self._m = Memory(
            states=states, words=_words(states), codes=np.zeros((plies, width), np.int64),
            odds=np.zeros(width), frames=np.zeros(plies, FRAME),
            chains=np.zeros((plies, seats), np.uint64), views=np.zeros((plies, seats), np.uint64),
            last=np.zeros((plies, seats), np.int64), table=np.zeros(0, np.int64),
            keys=np.zeros(0, np.uint64), sets=np.zeros(0, SET), seen=np.zeros(0, rules.layout),
            moves=np.zeros(0, np.int64), leaves=np.zeros((0, seats), np.int64),
            chances=np.zeros(0), paid=np.zeros((0, seats), np.int64), tally=np.zeros(6, np.int64),
            paths=np.zeros((0, plies), np.uint16),
        )  # fmt: skip
        self._lengthen()
        self._kernels = kernels_of("dragon.search.equilibrium.tree", rules)
        self._done = False

    def grow(self, late: Callable[[], bool] = bool) -> bool:
        """Walk on until all states are in it, or it is `late`; see `SequenceForm.grow`."""
        tally = self._m.tally
        while not self._done and not late():
            tally[STOP] = min(int(tally[NODES]) + SLICE, self.most + 1)
            status = self._resume()
            self.nodes = int(tally[NODES])
            if status == UNLIKE:
                raise self._unlike()
            if self.nodes > self.most:
                raise too_large(self.root, f"more than {self.most:,}", self.most)
            if status == GROW:
                self._lengthen()
            elif status == DONE:
                self._done = True
                self._finish()
        return self._done

    @rehearsed
    def _resume(self) -> int:
        return int(self._kernels.resume(self._m))

    def _lengthen(self) -> None:
        """Double the arrays of what is found, and fill the table again."""
        m = self._m
        n = max(1000, 2 * len(m.sets))
        lengths = {"keys": n, "sets": n, "seen": n, "paths": n, "moves": 4 * n + self.rules.width,
                   "leaves": 8 * n, "chances": 8 * n, "paid": 8 * n}  # fmt: skip
        longer = {}
        for name, length in lengths.items():
            old = getattr(m, name)
            longer[name] = np.zeros((length, *old.shape[1:]), old.dtype)
            longer[name][: len(old)] = old
        table = np.zeros(1 << (4 * n).bit_length(), np.int64)
        mask = len(table) - 1
        for number, key in enumerate(longer["keys"][: m.tally[SETS]].tolist()):
            at = key & mask
            while table[at]:
                at = (at + 1) & mask
            table[at] = number + 1
        self._m = m._replace(table=table, **longer)

    def _finish(self) -> None:
        """Read what the walk has found."""
        m, root = self._m, self.root
        sets, leaves = int(m.tally[SETS]), int(m.tally[LEAVES])
        self.sequences = int(m.tally[SEQUENCES])
        found = m.sets[:sets]
        self.seat, self.parent, self.first = (
            found[name].tolist() for name in ("seat", "parent", "first")
        )
        game: Any = root.game
        self.views = [RecordState(game, each.tobytes()) for each in m.seen[:sets]]
        codes = m.moves[: self.sequences].tolist()
        self.moves = [
            tuple(view.text(code) for code in codes[first : first + n])  # type: ignore[attr-defined]
            for view, first, n in zip(self.views, self.first, found["n"].tolist(), strict=True)
        ]
        self.leaves, self.chances = m.leaves[:leaves], m.chances[:leaves]
        self.payoffs = m.paid[:leaves] * root.unit
        self._keys = {key: number for number, key in enumerate(m.keys[:sets].tolist())}

    def information(self) -> list[tuple[Any, ...]]:
        """Return what the seat of each information set has seen and done, by a game that leads
        there; nothing where views alone tell the sets apart."""
        if len({*zip(self.seat, self.views, strict=True)}) == len(self.seat):
            return [()] * len(self.seat)
        start, seats = self.root, range(self.seats)
        line = [(start, [informed((), start.seen(seat)) for seat in seats])]
        found, before = list[tuple[Any, ...]](), list[int]()
        for seat, depth, path in zip(
            self.seat, self._m.sets["depth"].tolist(), self._m.paths.tolist(), strict=False
        ):
            path = path[:depth]
            same = next((i for i, (a, b) in enumerate(zip(path, before, strict=False)) if a != b),
                        min(len(path), len(before)))  # fmt: skip
            del line[same + 1 :]
            for number in path[same:]:
                state, known = line[-1]
                after = state.after(move := state.moves()[number])
                line.append((after, [
                    informed(known[each], after.seen(each), move if each == state.turn else None)
                    for each in seats
                ]))  # fmt: skip
            found.append(line[-1][1][seat])
            before = path
        return found

    def _unlike(self) -> GameError:
        depth = int(self._m.tally[DEPTH])
        number = -1 - int(self._m.frames[depth]["set"])
        game: Any = self.root.game
        state = RecordState(game, self._m.states[depth].tobytes())
        return self._other_moves(state, RecordState(game, self._m.seen[number].tobytes()))

    def _number_of(self, seat: int, information: tuple[Any, ...]) -> int | None:
        return self._keys.get(key_after(seat, information))


def _words(states: Any) -> Any:
    return states.view(np.uint64).reshape(len(states), -1)


def form_of(root: State[Any], most: int = MOST_NODES) -> SequenceForm:
    """Return the sequence form of a state's game, still without a node."""
    return RecordForm(root, most) if has_kernels(root) else SequenceForm(root, most)


def flattened(root: State[Any], most: int = MOST_NODES) -> SequenceForm:
    """Return a state's game in sequence form; raise SearchError if its tree is too large."""
    form = form_of(root, most)
    form.grow()
    return form
