"""Drivers: they run a kernel on its memory in slices, and look at the clock between them.

`dragon.search.budget` says what a kernel is. Among the arrays of its memory are `states`,
records[p] of which the first is the root's, and `runs`, one record with at least the field `stop`.

A search has one source and one driver. `backend_of` returns the object that makes the arrays and
loads the kernel: compiled, for a game by Rules, or interpreted, for any other State and under
DRAGON_JIT=0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np
from attrs import fields

from dragon.bits import Random
from dragon.compiler.kernel import Bindings
from dragon.core import Limit, Search, State
from dragon.rules.record import RecordState, has_kernels
from dragon.rules.rehearsal import kernels_of, rehearsed
from dragon.rules.rule_errors import as_rule_errors
from dragon.rules.rules import Rules, RulesWith
from dragon.search.budget import CHANCE_MET as CHANCE_MET
from dragon.search.budget import DONE as DONE
from dragon.search.budget import FOREVER, Budget, Pace, SlicedKernel
from dragon.search.budget import GROW as GROW
from dragon.search.budget import LONGER as LONGER
from dragon.search.budget import PAUSED as PAUSED
from dragon.search.budget import lengthened as lengthened
from dragon.search.table import ENTRY, LOAD, Lease, Table
from dragon.search.two_sided import refuse_chance, refuse_later

if TYPE_CHECKING:
    from dragon.search.interpreted import InterpretedBackend

FIRST_SLICE, SLICE = 500, 50_000
"""Nodes between two looks at the clock; they take about ten milliseconds."""
ROOM = 2
"""The space of a ply on the stack, in widths of moves: sorting needs a second one."""
FIRST_ROOM = 500
"""The first length of the stack of moves, if two lists are no longer."""
NUMBERS = {"float": "f8", "int": "i8", "bool": "i1"}
"""The types of settings that are numbers, as a record has them."""
IDLE = 1000
"""The most slices in a row without a node; a kernel with more would not end, and is refused."""

Bound: TypeAlias = Mapping[str, Any] | Bindings | None
"""Names that a template is given beside the rules."""


class CompiledBackend:
    """The maker of the memory and the functions of a compiled kernel, for a game by Rules.

    `dragon.search.interpreted.InterpretedBackend` has the same methods.
    """

    compiled = True

    def __init__(self, state: RecordState) -> None:
        self.rules = rules = state.rules
        self.plies, self.width, self.largest = rules.plies, rules.width, rules.largest
        self.room = room_for(rules)
        """Moves on the stack at first."""
        self.moves_of = Lines(rules)
        """Return the moves of a line from the root on, given their codes."""
        self.root = state
        self._states: Any = None

    def load(self, template: str, bound: Bound = None) -> Any:
        """Return the functions of a template, with further names bound by `bound`."""
        if isinstance(bound, Mapping):
            bound = RulesWith(self.rules, bound)
        return kernels_of(template, self.rules, bound=bound)

    def states(self, n: int) -> Any:
        """Return an array of records."""
        return np.zeros(n, self.rules.layout)

    def words(self, states: Any) -> Any:
        """Return the words of these records."""
        return words_of(states)

    def zeros(self, *shape: int, kind: Any = np.int64) -> Any:
        """Return an array of zeros: numbers, or records of a dtype."""
        return np.zeros(shape, kind)

    def full(self, *shape: int, value: Any) -> Any:
        """Return an array of such numbers."""
        return np.full(shape, value)

    def runs(self, records: Any) -> Any:
        return records

    def first(self, records: Any) -> Fields:
        """Return the fields of the first of these records, each as an array of one."""
        return Fields(records)

    def listed(self, array: Any, n: int) -> list[int]:
        """Return the first n numbers of an array."""
        numbers: list[int] = array[:n].tolist()
        return numbers

    def random(self, seed: int) -> Any:
        """Return the generator of `dragon.bits.draw`."""
        return Random(seed).state

    def tablebase(self, wanted: bool) -> Any:
        """Return the table that the rule `solved` reads; empty if not wanted."""
        return self.rules.opened(wanted)

    def table(self, entries: Any) -> Any:
        """Return a table, whose memory is `entries`."""
        return entries

    def transfer(self, kernels: Any) -> Callable[..., Any]:
        """Return the function `transfer` of a template for tables in numpy's memory."""
        transfer: Callable[..., Any] = kernels.transfer
        return transfer

    def turn_to(self, m: Any, state: RecordState) -> None:
        """Make another state of the same game the root, in `m.states[0]`."""
        if m.states is not self._states:
            self._states = m.states
            self._root_bytes = memoryview(m.states[:1].view(np.uint8))
        self.root = state
        self.moves_of.begin(state)
        self._root_bytes[:] = state.data

    def state_at(self, m: Any, ply: int) -> RecordState:
        """Return the state in `m.states[ply]`."""
        return RecordState(self.root.game, m.states[ply].tobytes())


class Lines:
    """The moves of lines from one root, in the game's notation, from their codes.

    The last line is kept, since that of the next iteration usually begins with the same moves.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules, self._text = rules, rules.notation.move_text
        self._kernels = kernels_of("dragon.rules.kernels.state", rules)
        self._data = bytearray(rules.layout.itemsize)
        self._records = np.frombuffer(self._data, rules.layout)
        self._record = rules.record(self._data)

    def begin(self, root: RecordState) -> None:
        """Make this state the root."""
        self._root = root.data
        self._codes: Sequence[int] = ()
        self._texts: list[str] = []

    def __call__(self, codes: Sequence[int]) -> tuple[str, ...]:
        """Return the moves of a line."""
        same = 0
        for code, known in zip(codes, self._codes, strict=False):
            if code != known:
                break
            same += 1
        if same < len(codes):
            self._tell(codes, same)
        return tuple(self._texts[: len(codes)])

    @as_rule_errors
    def _tell(self, codes: Sequence[int], same: int) -> None:
        """Write a line that begins with `same` moves of the one before."""
        text, record, texts = self._text, self._record, self._texts
        play, records = self._kernels.play_in, self._records
        del texts[same:]
        self._data[:] = self._root
        for code in codes[:same]:
            play(records, code)
        for code in codes[same:]:
            texts.append(text(record, code))
            play(records, code)
        self._codes = codes


Backend: TypeAlias = "CompiledBackend | InterpretedBackend"


def backend_of(
    search: Search,
    state: State[Any],
    units: Callable[[State[Any], float], int] | None = None,
    visit: Callable[[State[Any]], object] | None = None,
    *,
    interruptible: bool = False,
) -> Backend:
    """Return the maker of a search's memory and kernels for a state, compiled if possible.

    The other arguments are for interpreted kernels. units: converts a payoff of a state into units;
    by default it rounds. visit: called with each state after a move, may raise Objection; by
    default it does for chance or hidden information that `state` did not show. interruptible:
    GivenUp is raised at a move when the time is over: for kernels that play a game to its end
    between two looks at `stop`.
    """
    if has_kernels(state):
        return CompiledBackend(state)
    from dragon.search.interpreted import InterpretedBackend

    def refuse(after: State[Any]) -> None:
        refuse_later(search, after, state, chance=False)

    return InterpretedBackend(state, units or rounded_units, visit or refuse, interruptible)


def rounded_units(state: State[Any], payoff: float) -> int:
    """Return a payoff in units, rounded."""
    return round(payoff / state.unit)


class Kernel(SlicedKernel):
    """A kernel and its memory, at a state."""

    backend: Any
    rules: Any
    """The Rules; StateRules where the kernel is interpreted."""
    root: Any
    moves_of: Callable[[Any], tuple[Any, ...]]
    """Return the moves of a line from the root on, given their codes."""

    def __init__(
        self,
        template: str,
        state: State[Any],
        m: Any,
        bound: Bound = None,
        backend: Backend | None = None,
    ) -> None:
        """template: a module's name; m: the arrays, ready for a slice with nothing to do.

        bound: values of names that the template leaves open besides the rules, or with them
        (RulesWith). backend: the maker of the arrays; by default numpy.
        """
        made: Any = backend if backend is not None else CompiledBackend(state)  # type: ignore[arg-type]
        self.backend, self.rules, self.moves_of = made, made.rules, made.moves_of
        self.hold(m)
        self.turn_to(state)
        self.prepare(template, bound)

    def prepare(self, template: str, bound: Bound) -> None:
        """Compile the kernel, or load it, before the clock starts."""
        self._kernel = self.backend.load(template, bound)
        self._template = template
        self._resume()

    def turn_to(self, state: State[Any]) -> None:
        """Make another state of the same game the root."""
        self.root = state
        self.backend.turn_to(self.m, state)

    def _resume(self) -> int:
        return self._resume_compiled() if self.backend.compiled else super()._resume()

    _resume_compiled = rehearsed(SlicedKernel._resume)

    def resume_until(self, late: Callable[[], bool]) -> bool:
        """Run until the kernel returns; return False if it was interpreted and interrupted a
        playout since it was `late`."""
        if self.backend.compiled:  # compiled: fast, without looks at the clock
            self._resume()
            return True
        from dragon.search.interpreted import GivenUp

        self.backend.late = late
        try:
            self._resume()
        except GivenUp:
            return False
        return True


class KernelDriver(Kernel):
    """A kernel that visits nodes until it is done or a budget is spent.

    `m.runs` has the fields `nodes` and `ply` too; the kernel pauses when `nodes` comes to `stop`.
    """

    stops_at = FOREVER
    """The number of nodes after which it pauses in any case."""

    def __init__(
        self,
        template: str,
        search: Search,
        state: State[Any],
        limit: Limit,
        m: Any,
        backend: Backend | None = None,
    ) -> None:
        self.run: Any = Fields(m.runs) if backend is None else backend.first(m.runs)
        super().__init__(template, state, m, backend=backend)
        self._search = search
        self.allow(limit)

    def allow(self, limit: Limit) -> None:
        """Start a new budget with this limit."""
        timed = limit.seconds is not None
        self.budget, most = Budget(limit), SLICE
        if not self.backend.compiled:  # it looks at the clock itself
            self.backend.late, most = self.budget.late, FIRST_SLICE
        self._pace = Pace(FIRST_SLICE if timed else most, most, timed)

    def go_on(self) -> bool:
        """Return True if the kernel is done, False if the budget is spent.

        Raises Objection where chance decides.
        """
        budget, pace = self.budget, self._pace
        nodes = FOREVER if budget.limit.nodes is None else budget.limit.nodes
        seconds = budget.limit.seconds
        began = budget.seconds if seconds is not None else 0.0
        idle = 0
        while True:
            before = budget.nodes
            status = self.work(min(before + pace.steps, self.stops_at, nodes))
            if seconds is not None:
                ended = budget.seconds
                pace.took(ended - began, seconds - ended)
                began = ended
            else:
                pace.grow()
            self.paused()
            if status == CHANCE_MET:
                ply = int(self.m.runs[0]["ply"]) + 1
                refuse_chance(self._search, self.backend.state_at(self.m, ply))
            if status == DONE or budget.spent():
                return bool(status == DONE)
            idle = idle + 1 if budget.nodes == before else 0
            if idle == IDLE:
                raise self.refusal(
                    f"returns PAUSED {IDLE} times in a row and counts no node; count `nodes`, and "
                    "pause only where `nodes` has come to `stop`"
                )
            if budget.nodes >= self.stops_at:
                self.grow()
                began = budget.seconds  # the time of growing does not count for the pace

    def work(self, stop: int) -> int:
        """Run until `stop` nodes have been visited in all, and count them in the budget."""
        self.run["stop"][0] = stop
        status = self._resume()
        self.budget.nodes = self.run["nodes"][0]
        return status

    def paused(self) -> None:
        """Do something after each slice; by default nothing."""

    def grow(self) -> None:
        """Do something before it goes on after `stops_at` nodes; by default nothing."""


class TableDriver(KernelDriver):
    """A driver with a transposition table on lease, which grows during the search.

    `m` has that `table`, and `m.runs` its `age` too.
    """

    entry: ClassVar[Any] = ENTRY
    load = LOAD
    """The number of nodes per entry at which the table grows."""

    def lend(self, lease: Lease) -> None:
        """Use the table of this lease from now on."""
        self.lease, self.stops_at = lease, lease.grows_at(self.load)

    def grow(self) -> None:
        """Replace the table by a larger one, unless the limit would be reached first."""
        if self.budget.left < self.lease.grows_in():
            self.stops_at = FOREVER
            return
        self.take(self.lease.grow(self.backend.transfer(self._kernel), self.entry))
        self.stops_at = self.lease.grows_at(self.load)

    def take(self, table: Table) -> None:
        """Use this table from now on."""
        entries = table.entries if self.entry is ENTRY else table.entries.view(self.entry)
        entries = self.backend.table(entries)
        if self.m.table is not entries:  # which a short search notices
            self.m = self.m._replace(table=entries)
        self.run["age"][0] = table.age


def words_of(states: Any) -> Any:
    """Return records as uint64[p, itemsize / 8], in the same memory."""
    return states.view(np.uint64).reshape(len(states), -1)


class Fields(dict[str, memoryview]):
    """The fields of the first record of an array, as views of one item: faster than numpy."""

    def __init__(self, records: Any) -> None:
        super().__init__()
        self._records = records

    def __missing__(self, name: str) -> memoryview:
        self[name] = memoryview(self._records[name][:1])
        return self[name]


@lru_cache
def settings_of(search: type[Search], **more: str) -> np.dtype[Any]:
    """Return the record of a search's settings that are numbers, by their names, and of more
    fields, or other types, that the driver gives to `run_of`."""
    numbers = {}
    for each in fields(search):  # their types are text until `resolve_types`
        kind = each.type.__name__ if isinstance(each.type, type) else str(each.type)
        if found := NUMBERS.get(kind.partition(" |")[0]):
            numbers[each.name] = found
    return np.dtype([*(numbers | more).items()], align=True)


def run_of(record: np.dtype[Any], search: Search | None = None, **values: Any) -> Any:
    """Return `runs` of a kernel, record[1], with a search's settings and the values by name."""
    runs = np.zeros(1, record)
    if search is not None:
        runs = np.frombuffer(bytearray(_settings(record, search)), record)
    known = record.names or ()
    for name, value in values.items():
        if name in known:
            runs[name] = 0 if value is None else value
    return runs


@lru_cache
def _settings(record: np.dtype[Any], search: Search) -> bytes:
    """Return such a record with the settings of a search, the same for all its runs."""
    runs = np.zeros(1, record)
    for setting in fields(type(search)):
        value = getattr(search, setting.name)
        if setting.name in (record.names or ()) and value is not None:
            runs[setting.name] = min(value, FOREVER)
    return runs.tobytes()


def room_for(rules: Rules) -> int:
    """Return the first length of the stack of moves: at least two plies of ROOM widths each."""
    return ROOM * rules.width * min(rules.plies + 2, max(2, FIRST_ROOM // rules.width))
