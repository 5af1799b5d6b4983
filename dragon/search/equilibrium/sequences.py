"""The sequence form of a game: its tree as arrays of information sets, sequences and leaves.

A *sequence* is a seat's last move and all its moves before; an *information set* is a seat's turn
with all that it has seen and done before, its *chain*; a *leaf* is the last sequence of each seat,
what chance contributes, and the payoffs. Sets come after the sets before them.

A kernel walks the tree depth first; `Walk` has its memory, and `SequenceForm` what it has found.
Short names: m the Memory, run its RUN, d a ply, f its FRAME, s its state, e an information set.

Source: B. von Stengel, "Efficient Computation of Behavior Strategies" (1996).
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from dragon.bits import Random
from dragon.core import CHANCE, TERMINAL, Limit, State
from dragon.core.search import informed
from dragon.errors import GameError, SearchError
from dragon.rules.kernels.state import weigh_chance
from dragon.rules.record import RecordState, has_kernels
from dragon.rules.template import SEATS, WIDTH, hide, kernel, moves, payoff, turn
from dragon.search.budget import Counted, lengthened
from dragon.search.driver import DONE, GROW, PAUSED, CompiledBackend, run_of
from dragon.search.equilibrium.chains import (
    ENTRY,
    SETS_FIELDS,
    SetsDriver,
    descend,
    forget,
    look,
    set_at,
)
from dragon.search.interpreted import InterpretedBackend

MOST_NODES = 5_000_000
"""States of a tree that is kept. A leaf takes some 50 bytes, a state on the way less."""
PROBES = 100
"""Random games by which the size of a tree is estimated first (Knuth 1975)."""
SLICE = 20_000
"""States between two looks at the clock."""
FIRST_SETS = 1000
"""Information sets for which there is room at first."""
UNLIKE = 5
"""A status: a set has other moves than before."""
RUN = np.dtype(
    [
        ("nodes", "i8"),  # states visited
        ("stop", "i8"),  # pause at this count
        ("depth", "i8"),  # the ply that is looked at; -1: all is done
    ]
)
"""The budget of a run, and the place where it paused."""
RESULTS = np.dtype([*SETS_FIELDS, ("leaves", "i8")])
"""The sizes of what was found; `full` is never true."""
FRAME = np.dtype(
    [
        ("turn", "i8"),
        ("set", "i8"),
        ("n", "i8"),  # moves; 0 at an end
        ("i", "i8"),  # the next to try
        ("chance", "f8"),  # what chance has contributed
    ]
)
SET = np.dtype(
    [
        ("seat", "i8"),
        ("parent", "i8"),  # the sequence of the seat before it
        ("first", "i8"),  # the sequence of its first move
        ("n", "i8"),  # its moves
        ("depth", "i8"),  # the ply of the first state that was met
    ]
)


class TooLarge(SearchError):
    """A tree is too large to be kept."""


class Memory(NamedTuple):
    """The arrays of the walk, and what it finds."""

    states: Any  # records[plies + 2], of the plies; the last is scratch
    words: Any  # their uint64 words
    codes: Any  # int64[plies + 1, width], the moves at each ply
    odds: Any  # float64[plies + 1, width], of the moves of chance
    frames: Any  # FRAME[plies + 1]
    chains: Any  # uint64[plies + 1, seats]; see `chains`
    views: Any  # uint64[plies + 1, seats]
    last: Any  # int64[plies + 1, seats], the last sequence of each seat
    table: Any  # ENTRY[2 ** k]
    sets: Any  # SET[sets]
    seen: Any  # records[sets], the view of the seat to move
    paths: Any  # uint16[sets, plies + 1], which of the moves lead to the first state of each set
    moves: Any  # int64[sequences], the code of each sequence's move
    leaves: Any  # int64[leaves, seats]
    chances: Any  # float64[leaves]
    paid: Any  # int64[leaves, seats], in units; interpreted, payoffs
    runs: Any  # RUN[1]
    results: Any  # RESULTS[1]


@kernel
def enter(m, d):
    """Begin the state at ply d; return False where its set has other moves than before."""
    run, results, f, s = m.runs[0], m.results[0], m.frames[d], m.states[d]
    run.depth = d
    run.nodes += 1
    f.turn = turn(s)
    f.n = f.i = 0
    if f.turn == TERMINAL:
        m.chances[results.leaves] = f.chance
        for seat in range(SEATS):
            m.leaves[results.leaves, seat] = m.last[d, seat]
            m.paid[results.leaves, seat] = payoff(s, seat)
        results.leaves += 1
        return True
    f.n = moves(s, m.codes[d])
    look(m, d)
    if f.turn == CHANCE:
        weigh_chance(s, m.odds[d], f.n)
        return True
    return enter_set(m, d)


@kernel
def enter_set(m, d):
    """Find the information set of the state at ply d; return False as `enter` does."""
    f, known = m.frames[d], m.results[0].sets
    e = set_at(m, d, f.turn, f.n)
    f.set = e
    each = m.sets[e]
    if e < known:
        if each.n != f.n:
            return False
        for i in range(f.n):
            if m.moves[each.first + i] != m.codes[d, i]:
                return False
        return True
    each.seat, each.parent, each.depth = f.turn, m.last[d, f.turn], d
    m.seen[e] = m.states[d]
    hide(m.seen[e], f.turn)
    for above in range(d):
        m.paths[e, above] = m.frames[above].i - 1
    for i in range(f.n):
        m.moves[each.first + i] = m.codes[d, i]
    return True


@kernel
def down(m, d):
    """Go on with the next move at ply d; return False as `enter` does."""
    f, child, i = m.frames[d], m.frames[d + 1], m.frames[d].i
    f.i += 1
    descend(m, d, f.turn, m.codes[d, i])
    child.chance = f.chance
    for seat in range(SEATS):
        m.last[d + 1, seat] = m.last[d, seat]
    if f.turn == CHANCE:
        child.chance *= m.odds[d, i]
    else:
        m.last[d + 1, f.turn] = m.sets[f.set].first + i
    return enter(m, d + 1)


@kernel
def resume(m):
    """Walk until all states are visited (DONE), or `run.stop` of them; return the status."""
    run, results = m.runs[0], m.results[0]
    while run.depth >= 0:
        if run.nodes >= run.stop:
            return PAUSED
        short = results.sets >= len(m.sets) or results.sequences + WIDTH >= len(m.moves)
        if short or results.leaves >= len(m.chances):
            return GROW
        f = m.frames[run.depth]
        if run.nodes == 0:
            forget(m, 0)
            f.chance = 1.0
            for seat in range(SEATS):
                m.last[0, seat] = seat
            results.sequences = SEATS
            if not enter(m, 0):
                return UNLIKE
        elif f.i == f.n:
            run.depth -= 1
        elif not down(m, run.depth):
            return UNLIKE
    return DONE


def unrounded(state: State[Any], payoff: float) -> Any:
    """Return a payoff, which need not be a whole number of units."""
    return payoff


class Walk(SetsDriver):
    """The kernel at work on the tree of a game."""

    statuses = SetsDriver.statuses | {UNLIKE}
    items, pools = ("sets", "seen", "paths"), ("moves",)
    most = float("inf")

    def __init__(self, root: State[Any], compiled: bool) -> None:
        arrays: Any
        if compiled:
            arrays = CompiledBackend(root)  # type: ignore[arg-type]
        else:
            arrays = InterpretedBackend(root, unrounded, bool, False)
        self._numbers: dict[State[Any], int] = {}
        """The views that have been met, where the kernel is interpreted."""
        plies, width, seats = arrays.plies + 2 if compiled else 2, arrays.width, len(root.teams)
        n, states = FIRST_SETS if compiled else 0, arrays.states(plies)
        m = Memory(
            states=states, words=arrays.words(states), codes=arrays.zeros(plies, width),
            odds=arrays.zeros(plies, width, kind=float), frames=arrays.zeros(plies, kind=FRAME),
            chains=arrays.zeros(plies, seats, kind=np.uint64),
            views=arrays.zeros(plies, seats, kind=np.uint64), last=arrays.zeros(plies, seats),
            table=arrays.zeros(1 << (4 * n).bit_length(), kind=ENTRY),
            sets=arrays.zeros(n, kind=SET), seen=arrays.states(n),
            paths=arrays.zeros(n, plies, kind=np.uint16), moves=arrays.zeros(4 * n + width),
            leaves=arrays.zeros(8 * n, seats), chances=arrays.zeros(8 * n, kind=float),
            paid=arrays.zeros(8 * n, seats), runs=arrays.runs(run_of(RUN)),
            results=arrays.runs(run_of(RESULTS)),
        )  # fmt: skip
        search: Any = None  # chance and hidden information are never refused
        super().__init__(__name__, search, root, Limit(), m, arrays)

    def view_hash(self, view: State[Any]) -> Any:
        """Return a number of the view, since all of them are kept, and compared, anyway."""
        if self.backend.compiled:
            return super().view_hash(view)
        return self._numbers.setdefault(view, len(self._numbers) + 1)

    leaves = Counted("leaves", "results")
    sequences = Counted("sequences", "results")

    def lengthen(self) -> None:
        """Grow the arrays of leaves, or else those of information sets and their moves."""
        m = self.m
        if self.leaves < len(m.chances):
            super().lengthen()
            return
        names, n = ("leaves", "chances", "paid"), 2 * len(m.chances)
        self.hold(m._replace(**{name: lengthened(getattr(m, name), n) for name in names}))

    def column(self, name: str) -> list[int]:
        """Return a field of all information sets."""
        if self.backend.compiled:
            column: list[int] = self.m.sets[name][: self.sets].tolist()
            return column
        return [getattr(self.m.sets[e], name) for e in range(self.sets)]

    def rows(self, array: Any, n: int, width: int) -> Any:
        """Return the first n rows of an array, of the first `width` numbers each."""
        if self.backend.compiled:
            return array[:n, :width]
        return np.array([array[i].read(width) for i in range(n)]).reshape(n, width)

    def view(self, e: int) -> State[Any]:
        """Return the view at an information set."""
        seen = self.m.seen[e]
        if not self.backend.compiled:
            view: State[Any] = seen.state
            return view
        return RecordState(self.root.game, seen.tobytes())


class SequenceForm:
    """A game in sequence form, from one state on; arrays as in `kernel.Memory`."""

    seat: list[int]
    parent: list[int]
    first: list[int]
    moves: list[tuple[Any, ...]]
    """The moves of each information set."""
    views: list[State[Any]]
    """The last view of each information set."""
    leaves: Any
    """int64[leaves, seats]: the last sequence of each seat."""
    chances: Any
    """float64[leaves]: what chance contributes to the probability of each leaf."""
    payoffs: Any
    """float64[leaves, seats]"""
    sequences: int
    """The number of sequences, the empty ones included."""

    def __init__(
        self, root: State[Any], most: int = MOST_NODES, compiled: bool | None = None
    ) -> None:
        """Begin without a node; raise TooLarge for a tree that seems to have more than `most`.

        compiled: whether the kernel is compiled; by default where it can be.
        """
        self.root, self.most, self.seats, self.nodes = root, most, len(root.teams), 0
        if sentence := objection(root, most):
            raise TooLarge(sentence)
        self._walk = Walk(root, has_kernels(root) if compiled is None else compiled)
        self._done = False
        self._by_view: dict[Any, list[int]] = {}
        """The information sets by seat and last view; made when it is first asked for."""

    def grow(self, late: Callable[[], bool] = bool) -> bool:
        """Visit states until all are in it, or it is `late`; return whether all are.

        Raises SearchError for a tree that is too large, and GameError where states that look alike
        to a seat, after equal histories, have other moves.
        """
        walk = self._walk
        walk.backend.late = late
        while not self._done and not late():
            status = walk.work(min(self.nodes + SLICE, self.most + 1))
            self.nodes = walk.budget.nodes
            if status == UNLIKE:
                raise self._unlike()
            if self.nodes > self.most:
                raise too_large(self.root, f"more than {self.most:,}", self.most)
            if status == DONE:
                self._done = True
                self._finish()
        return self._done

    def _unlike(self) -> GameError:
        """Return the error for a state that looks as an earlier one does, and has other moves."""
        walk = self._walk
        depth = int(walk.run["depth"][0])
        state, view = walk.backend.state_at(walk.m, depth), walk.view(walk.m.frames[depth]["set"])
        listed = (", ".join(map(str, each.moves())) for each in (state, view))
        return GameError(
            f"{state} and {view} look alike to seat {state.turn}, after equal histories, and have "
            f"the moves {' and '.join(listed)}"
        )

    def _finish(self) -> None:
        """Read what the walk has found."""
        walk, m = self._walk, self._walk.m
        compiled, n = walk.backend.compiled, walk.leaves
        self.seat, self.parent, self.first, counts = (
            walk.column(name) for name in ("seat", "parent", "first", "n")
        )
        self.sequences = walk.sequences
        self.views = [walk.view(e) for e in range(walk.sets)]
        codes = walk.backend.listed(m.moves, self.sequences)
        self.moves = []
        view: Any
        for view, first, count in zip(self.views, self.first, counts, strict=True):
            own = codes[first : first + count]
            self.moves.append(tuple(map(view.text, own) if compiled else [c.move for c in own]))
        self.leaves = walk.rows(m.leaves, n, self.seats)
        self.payoffs = walk.rows(m.paid, n, self.seats) * (self.root.unit if compiled else 1.0)
        self.chances = np.array(walk.backend.listed(m.chances, n), float)

    def arrays(self) -> dict[str, Any]:
        """The arrays of `kernel.Memory`: the game, and nothing learnt."""
        n = self.sequences
        made = {name: np.zeros(n) for name in ("plan", "total", "regret", "last", "worth")}
        return {
            "seat": np.array(self.seat, np.int64),
            "parent": np.array(self.parent, np.int64),
            "first": np.array(self.first, np.int64),
            "count": np.array([*map(len, self.moves)], np.int64),
            "leaves": np.ascontiguousarray(self.leaves.T.astype(np.int32)),
            "paid": np.ascontiguousarray(self.payoffs.T) * self.chances,
            **made,
        }

    def information(self) -> list[tuple[Any, ...]]:
        """Return what the seat of each information set has seen and done, by a game that leads
        there; nothing where views alone tell the sets apart."""
        if len({*zip(self.seat, self.views, strict=True)}) == len(self.seat):
            return [()] * len(self.seat)
        walk, seats = self._walk, range(self.seats)
        line = [(self.root, [informed((), self.root.seen(seat)) for seat in seats])]
        found, before = list[tuple[Any, ...]](), list[int]()
        for e, (seat, depth) in enumerate(zip(self.seat, walk.column("depth"), strict=True)):
            path = walk.backend.listed(walk.m.paths[e], depth)
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

    def set_of(self, seat: int, information: tuple[Any, ...], view: State[Any]) -> int:
        """Return the information set of what a seat has seen and done; raise SearchError.

        Where that is not known from the root on, the only one that ends with this view.
        """
        if information and (number := self._walk.number_of(seat, information)) is not None:
            return number
        if not self._by_view:
            for k, each in enumerate(self.views):
                self._by_view.setdefault((self.seat[k], each), []).append(k)
        alike = self._by_view.get((seat, view), [])
        if len(alike) == 1:
            return alike[0]
        reason = "is not reached" if not alike else f"is reached in {len(alike)} different ways"
        raise SearchError(f"{view} {reason} from {self.root}; begin there, and play to it")


def flattened(root: State[Any]) -> SequenceForm:
    """Return a state's game in sequence form; raise SearchError if its tree is too large."""
    form = SequenceForm(root)
    form.grow()
    return form


def objection(root: State[Any], most: int = MOST_NODES) -> str | None:
    """Return the sentence on a tree that is far too large, by random games; None if it is not."""
    size = estimated_nodes(root)
    if size <= 20 * most:  # the factor by which the estimate may be wrong
        return None
    return str(too_large(root, f"some {size:.0e}", most))


def too_large(root: State[Any], size: str, most: int) -> TooLarge:
    """Return the error for a tree that is too large to be kept."""
    return TooLarge(
        f"the tree of {root.game or root} has {size} states, and {most:,} are the most that are "
        "kept; take a smaller game, or a search that samples"
    )


def estimated_nodes(root: State[Any]) -> float:
    """Return an estimate of the states of a tree, by random games from a fixed seed."""
    random = Random(1)
    return sum(_probe(root, random) for _ in range(PROBES)) / PROBES


def _probe(state: State[Any], random: Random) -> float:
    size = width = 1.0
    while state.turn != TERMINAL:
        moves = state.moves()
        width *= len(moves)
        size += width
        state = state.after(moves[random(len(moves))])
    return size
