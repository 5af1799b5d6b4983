"""A State as Rules: the source of a kernel, run as plain Python over any State.

A kernel is a template of plain functions that name rules and arrays. An `InterpretedBackend` gives
them

- rules made of the methods of a State (`StateRules`): a record is a `Slot` that holds a State, and
  to play a move is to put the next State there;
- arrays without end (`Items`, `Row`, `Grid`), of which only what was written takes memory, so that
  a kernel never asks for longer ones;
- Python's own integers in the place of numpy's and those of `dragon.bits`, which are the same
  numbers and several times as fast.

`dragon.search.driver.CompiledBackend` has the same methods for compiled kernels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from types import FunctionType, SimpleNamespace
from typing import Any

import attrs
import numpy as np

from dragon import bits
from dragon.compiler.fingerprint import reached
from dragon.compiler.kernel import functions_of
from dragon.core import CHANCE, State, Trait
from dragon.rules.contract import OPTIONAL, RULES
from dragon.rules.moves import Moves
from dragon.rules.record import RecordState

FOREVER = 1 << 62
"""The length of an array without end."""
MOST_PLIES = 1 << 40
"""PLIES of a State that does not say how long a game may last."""
METHODS = {"reduce": "distinct", "skip": "skipped"}
"""The methods of a State that are not called as the rule is."""


class GivenUp(Exception):
    """Raised where a kernel plays a move and no time is left; see `InterpretedBackend`."""


# ---- arrays ------------------------------------------------------------------------------------


class Items(dict[Any, Any]):
    """An array of records without end: each is made when it is first read; no slices."""

    def __init__(self, make: Callable[[], Any]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, at: Any) -> Any:
        made = self.make()
        dict.__setitem__(self, at, made)
        return made

    def __len__(self) -> int:
        return FOREVER


class Row:
    """Numbers without end, or codes; a slice is a view, as numpy's are."""

    __slots__ = ("default", "items", "start", "stop")

    def __init__(
        self, default: Any = 0, items: list[Any] | None = None, start: int = 0, stop: int = FOREVER
    ) -> None:
        self.default, self.items = default, [] if items is None else items
        self.start, self.stop = start, stop

    def __len__(self) -> int:
        return self.stop - self.start

    def __getitem__(self, i: Any) -> Any:
        if i.__class__ is slice:
            return self._part(i)
        try:
            return self.items[self.start + i]
        except IndexError:  # never written
            return self.default

    def __setitem__(self, i: Any, value: Any) -> None:
        if i.__class__ is slice:
            part = self._part(i)
            if value.__class__ is Row:
                part.write([value[k] for k in range(min(len(part), len(value.items)))])
            else:
                part.write([value] * len(part))
            return
        try:
            self.items[self.start + i] = value
        except IndexError:
            self._lengthen(self.start + i + 1)
            self.items[self.start + i] = value

    def write(self, values: Sequence[Any]) -> int:
        """Write `values` from the beginning on; return how many."""
        if self.start > len(self.items):
            self._lengthen(self.start)
        self.items[self.start : self.start + len(values)] = values
        return len(values)

    def first(self, n: int) -> list[Any]:
        """Return the first n as a list."""
        return [self[i] for i in range(n)]

    def _part(self, part: slice) -> Row:
        stop = self.stop if part.stop is None else min(self.stop, self.start + part.stop)
        return Row(self.default, self.items, self.start + (part.start or 0), stop)

    def _lengthen(self, length: int) -> None:
        self.items.extend([self.default] * (length - len(self.items)))


class Grid:
    """Rows of numbers without end: `grid[r]`, `grid[r, i]` and `grid[r, a:b]`."""

    __slots__ = ("rows", "shape")

    def __init__(self, default: Any = 0) -> None:
        self.rows = Items(lambda: Row(default))
        self.shape = FOREVER, FOREVER

    def __getitem__(self, at: Any) -> Any:
        if at.__class__ is not tuple:
            return self.rows[at]
        row, i = at
        return self.rows[row][i]

    def __setitem__(self, at: Any, value: Any) -> None:
        if at.__class__ is not tuple:
            self.rows[at][:] = value
        else:
            row, i = at
            self.rows[row][i] = value

    def __len__(self) -> int:
        return FOREVER


class Slot:
    """The place of a State, which a kernel takes for a record."""

    __slots__ = ("state",)

    def __init__(self) -> None:
        self.state: Any = None


class Slots(Items):
    """The array `states` of a kernel: to assign copies, as of records; a slot for each ply."""

    def __init__(self) -> None:
        super().__init__(Slot)

    def __setitem__(self, at: Any, slot: Slot) -> None:
        if (own := self.get(at)) is None:
            own = Slot()
            dict.__setitem__(self, at, own)
        own.state = slot.state


class Words:
    """The words of states, of which each has one, the State itself: `words[d]`, `words[d, 0]`."""

    def __init__(self, states: Slots) -> None:
        self.states = states

    def __getitem__(self, at: Any) -> Any:
        return self.states[at[0]].state if at.__class__ is tuple else self.states[at]


@cache
def record_class(dtype: Any) -> type[Any]:
    """The class of records with the fields of a dtype, all of them 0 at first."""

    def read(record: Any, name: str) -> Any:
        return getattr(record, name)

    def write(record: Any, name: str, value: Any) -> None:
        setattr(record, name, value)

    fields = {name: attrs.field(default=0) for name in dtype.names}
    base = attrs.make_class("Record", fields, slots=True, eq=False)
    return type("Record", (base,), {"__slots__": (), "__getitem__": read, "__setitem__": write})


@cache
def run_class(dtype: Any) -> type[Any]:
    """Such a class for the record of a run, whose `stop` is 0 as soon as `_late()` is true.

    A kernel that compares its nodes with `stop` so looks at the clock at each of them.
    """
    base = record_class(dtype)
    stop = property(
        lambda run: 0 if run._late() else run._most,
        lambda run, nodes: setattr(run, "_most", nodes),
    )
    return type("Run", (base,), {"__slots__": ("_late", "_most"), "stop": stop})


class First(dict[str, Any]):
    """The fields of the first of some records, as `dragon.search.driver.Fields` has them."""

    def __init__(self, record: Any) -> None:
        super().__init__()
        self.record = record

    def __missing__(self, name: str) -> Any:
        self[name] = Cell(self.record, name)
        return self[name]


class Cell:
    """A field of a record as an array of one."""

    __slots__ = ("name", "record")

    def __init__(self, record: Any, name: str) -> None:
        self.record, self.name = record, name

    def __getitem__(self, at: int) -> Any:
        return getattr(self.record, self.name)

    def __setitem__(self, at: int, value: Any) -> None:
        setattr(self.record, self.name, value)


class Entries:
    """A table in its own memory, an array of records: an entry is an object that reads there."""

    def __init__(self, array: Any) -> None:
        self.array, self.entry = array, _entry_class(array)

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, at: int) -> Any:
        entry = self.entry()
        entry.at = at
        return entry

    def __setitem__(self, at: int, entry: Any) -> None:
        self.array[at] = entry.array[entry.at]


def _entry_class(array: Any) -> type[Any]:
    def field(view: memoryview) -> property:
        return property(
            lambda entry: view[entry.at], lambda entry, value: view.__setitem__(entry.at, value)
        )

    fields = {name: field(memoryview(array[name])) for name in array.dtype.names}
    return type("Entry", (), {"__slots__": ("at",), "array": array, **fields})


# ---- numbers -----------------------------------------------------------------------------------


def _u64(x: Any) -> int:
    return int(x) & bits.MASK


def _mix(x: Any) -> int:
    x = int(x) & bits.MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & bits.MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & bits.MASK
    return int(x ^ (x >> 31))


def _add(x: Any, y: Any) -> int:
    return int(x + y) & bits.MASK


def _mul(x: Any, y: Any) -> int:
    return int(x * y) & bits.MASK


def _draw(random: Any, n: Any) -> int:
    random[0] = state = (random[0] + bits.GOLDEN) & bits.MASK
    return (_mix(state) >> 32) * n >> 32


class Dice:
    """The generator of `dragon.bits.draw` as a list of one, and as what draws from it."""

    __slots__ = ("state",)

    def __init__(self, state: list[int]) -> None:
        self.state = state

    def __call__(self, n: int) -> int:
        return _draw(self.state, n)


def _as_c(function: Callable[[float], float], at_zero: float, beyond: float) -> Any:
    """Return a function of math that gives what C's gives where Python's raises."""

    def call(x: float) -> float:
        try:
            return function(x)
        except ValueError:
            return at_zero if x == 0.0 else math.nan
        except OverflowError:
            return beyond

    return call


class Namespace(SimpleNamespace):
    """A module some of whose functions are others."""

    def __init__(self, module: Any, **own: Any) -> None:
        super().__init__(**own)
        self.module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(self.module, name)


_REAL = {
    name: _as_c(getattr(math, name), -math.inf, math.inf)
    for name in ("log", "log2", "log10", "exp", "sqrt")
}
REPLACED = {
    bits.u64: _u64, bits.mix: _mix, bits.add: _add, bits.mul: _mul, bits.draw: _draw,
    np: Namespace(np, int64=int, uint64=_u64, float64=float, **_REAL),
    math: Namespace(math, **_REAL),
}  # fmt: skip
"""What kernels find in the place of these functions and modules."""


# ---- the functions of a template -----------------------------------------------------------------


def interpret(template: str, rules: Mapping[str, Any], bound: Mapping[str, Any]) -> Any:
    """Return the functions of a template (its import name), as plain Python with other globals.

    rules: what stands for the names that the template leaves open; bound: what stands for further
    ones, functions of other templates, say, which get such globals too.
    """
    own = [each for each in bound.values() if isinstance(each, FunctionType)]
    functions = _functions(template, *own)
    first = vars(import_module(template))
    spaces = {id(space): dict(space) for space in (first, *(f.__globals__ for f in functions))}
    made = {
        f: FunctionType(
            f.__code__, spaces[id(f.__globals__)], f.__name__, f.__defaults__, f.__closure__
        )
        for f in functions
    }
    given = {**rules}
    for name, value in bound.items():
        given[name] = made[value] if isinstance(value, FunctionType) else value
    for space in spaces.values():
        for name, value in space.items():
            if name in given:
                space[name] = given[name]
            elif value.__class__ is FunctionType:
                space[name] = made.get(value) or REPLACED.get(value, value)
            elif value is np or value is math:
                space[name] = REPLACED[value]
    return SimpleNamespace(**spaces[id(first)])


@cache
def _functions(template: str, *others: FunctionType) -> tuple[FunctionType, ...]:
    """The functions of a template and others, and all that they may call."""
    own = [function for _, function in functions_of(import_module(template))]
    return tuple(reached([*own, *others]))


# ---- rules -------------------------------------------------------------------------------------


class Code(int):
    """The code of a move, which has that `move`: two moves may have equal codes."""

    move: Any


def rounded(state: State[Any], payoff: float) -> int:
    """Return a payoff in units, whatever it is between two of them."""
    return round(payoff / state.unit)


class StateRules:
    """The rules of the game of a State, functions of a `Slot`, made of its methods."""

    def __init__(
        self,
        state: State[Any],
        units: Callable[[State[Any], float], int],
        refuse: Callable[[State[Any], State[Any]], object],
        late: Callable[[], bool],
        coded: bool = True,
    ) -> None:
        """`units`: turns a payoff into units; the others: see `InterpretedBackend`."""
        self.root, self.units, self.refuse, self.late = state, units, refuse, late
        self.coded = coded
        self.largest = units(state, state.largest)

    def has(self, name: str) -> bool:
        """Return whether the author of the State wrote an optional rule."""
        method = METHODS.get(name, name)
        if name in ("key", "sample"):  # without it they are what every State has
            return True
        own = getattr(type(self.root), method, None)
        return own is not None and own is not getattr(State, method, None)

    def bindings(self) -> dict[str, Any]:
        """Return the names that templates leave open, and what stands for them."""
        bound: dict[str, Any] = {}
        for name, contract in RULES.items():
            present = name not in OPTIONAL or self.has(name)
            rule = getattr(self, name, None) if present else None
            bound[name] = contract.null if rule is None else rule
            if name in OPTIONAL:
                bound[f"HAS_{name.upper()}"] = rule is not None
        teams = self.root.teams
        return bound | {
            "PLIES": self.plies, "WIDTH": 0, "SEATS": len(teams), "TEAM": teams,
            "LARGEST": self.largest, "RANKS": 0, "CHECKED": False,
            "HAS_CHANCE": self.may_chance, "DUEL": self.root.zero_sum and len(set(teams)) == 2,
        }  # fmt: skip

    plies = MOST_PLIES
    may_chance = True
    """Whether chance may decide; a State does not tell before it does."""

    def codes(self, state: State[Any], moves: Sequence[Any]) -> list[Any]:
        """Return the codes of moves; the moves themselves where they need not be numbers."""
        if not self.coded:
            return list(moves)
        found = []
        for move in moves:
            code = Code(state.code(move))
            code.move = move
            found.append(code)
        return found

    def listed(self, state: State[Any], out: Any, n: int) -> Sequence[Any]:
        """Return the moves whose codes are the first n of `out`."""
        return [code.move for code in out.first(n)] if self.coded else out.first(n)

    def moves_of(self, state: State[Any], codes: Iterable[Any]) -> tuple[Any, ...]:
        """Return the moves of a line from a state on, of which these are the codes."""
        return tuple(code.move for code in codes) if self.coded else tuple(codes)

    # The rules themselves, as `dragon.rules.contract` has them.

    def turn(self, s: Slot) -> int:
        seat: int = s.state.turn
        return seat

    def moves(self, s: Slot, out: Any) -> int:
        written: int = out.write(self.codes(s.state, s.state.moves()))
        return written

    def follow(self, state: Any, code: Any) -> State[Any]:
        """Return the state after a move."""
        after: State[Any] = state.after(code.move if self.coded else code)
        return after

    def play(self, s: Slot, code: Any) -> None:
        before = s.state
        s.state = after = self.follow(before, code)
        if after.conceals:
            self.refuse(after, before)

    def play_in_time(self, s: Slot, code: Any) -> None:
        """Play a move; raise GivenUp where no time is left."""
        if self.late():
            raise GivenUp
        self.play(s, code)

    def turn_without_chance(self, s: Slot) -> int:
        """Return the seat to move; raise Objection where chance decides."""
        seat: int = s.state.turn
        if seat == CHANCE:
            self.refuse(s.state, s.state)
        return seat

    def payoff(self, s: Slot, seat: int) -> int:
        return self.units(s.state, s.state.payoff()[seat])

    def key(self, s: Slot) -> int:
        state = s.state
        return State.key(state) if state.repeats else int(state.key())

    def place(self, s: Slot) -> int:
        return int(s.state.place())

    def order(self, s: Slot, out: Any, n: int, scores: Any) -> None:
        given = s.state.order(self.listed(s.state, out, n))
        if given is not None:
            scores.write([int(score) for score in given])

    def prior(self, s: Slot, out: Any, n: int, weights: Any) -> None:
        given = s.state.prior(self.listed(s.state, out, n))
        if given is not None:
            weights.write([float(weight) for weight in given])

    def evaluate(self, s: Slot, seat: int) -> float:
        return float(s.state.evaluate(seat))

    def odds(self, s: Slot, out: Any) -> None:
        out.write([float(p) for p in s.state.odds()])

    def sample(self, s: Slot, random: Any) -> Any:
        return self.codes(s.state, (s.state.sample(Dice(random)),))[0]

    def banked(self, s: Slot) -> int:
        return self.units(s.state, s.state.banked())

    def reduce(self, s: Slot, out: Any, n: int) -> int:
        written: int = out.write(self.codes(s.state, s.state.distinct()))
        return written

    def bounds(self, s: Slot) -> tuple[int, int]:
        if (known := s.state.bounds()) is None:
            return -self.largest, self.largest
        return self.units(s.state, known[0]), self.units(s.state, known[1])

    def solved(self, s: Slot, tablebase: Any) -> tuple[int, int]:
        if (known := s.state.solved()) is None:
            return 0, -1
        return self.units(s.state, known[0]), known[1]

    def noisy(self, s: Slot, out: Any) -> int:
        if (given := s.state.noisy()) is None:
            return -1
        written: int = out.write(self.codes(s.state, given))
        return written

    def skip(self, s: Slot) -> bool:
        if (after := s.state.skipped()) is None:
            return False
        s.state = after
        return True


class RecordRules(StateRules):
    """The same of a game by Rules, whose codes need no move."""

    root: RecordState

    def has(self, name: str) -> bool:
        if name in ("key", "sample"):
            return True
        return getattr(self.root.rules, name) is not None

    @property
    def plies(self) -> int:  # type: ignore[override]
        return self.root.rules.plies

    @property
    def may_chance(self) -> bool:  # type: ignore[override]
        return Trait.CHANCE in self.root.rules.traits

    def codes(self, state: Any, moves: Any) -> list[Any]:
        return list(moves.codes.tolist()) if isinstance(moves, Moves) else list(moves)

    def listed(self, state: Any, out: Any, n: int) -> Sequence[Any]:
        return Moves(state, np.array(out.first(n), np.int64))

    def moves_of(self, state: Any, codes: Iterable[Any]) -> tuple[str, ...]:
        found = []
        for code in codes:
            found.append(state.text(int(code)))
            state = state.play(int(code))
        return tuple(found)

    def follow(self, state: Any, code: Any) -> RecordState:
        after: RecordState = state.play(code)
        return after

    def key(self, s: Slot) -> int:
        return int(s.state.key())

    def sample(self, s: Slot, random: Any) -> int:
        return int(s.state.evaluator.sample(s.state.data, Dice(random)))


# ---- the backend ---------------------------------------------------------------------------------


class InterpretedBackend:
    """What makes the memory and the functions of a kernel that runs as plain Python."""

    compiled = False
    width = 0
    room = 0
    """Moves on the stack at first, which are as many as are written."""

    def __init__(
        self,
        state: State[Any],
        units: Callable[[State[Any], float], int] = rounded,
        *,
        refuse: Callable[[State[Any], State[Any]], object] = lambda after, before: None,
        chance: bool = True,
        interruptible: bool = False,
        coded: bool = True,
    ) -> None:
        """`state`: the root.

        units: turns a payoff into units. refuse: called with a state that conceals something and
        the one before it; and with a state and itself where chance decides, unless `chance`. coded:
        whether codes must be numbers; else they are the moves. interruptible: whether to play a
        move raises GivenUp as soon as `late` says so.
        """
        kind = RecordRules if isinstance(state, RecordState) else StateRules
        self.late: Callable[[], bool] = lambda: False
        """Whether no time is left: asked at each look at `stop` of a run, and at each move."""
        self.rules = kind(state, units, refuse, lambda: self.late(), coded)
        self.chance, self.interruptible = chance, interruptible
        self.plies, self.root = self.rules.plies, state

    def load(self, template: str, bound: Mapping[str, Any] | None = None) -> Any:
        """Return the functions of a template, which is given further names by `bound`."""
        rules = self.rules.bindings()
        if self.interruptible:
            rules["play"] = self.rules.play_in_time
        if not self.chance:
            rules["turn"] = self.rules.turn_without_chance
        return interpret(template, rules, bound or {})

    def states(self, n: int) -> Slots:
        """Return an array of records."""
        return Slots()

    def words(self, states: Slots) -> Words:
        """Return the words of these records."""
        return Words(states)

    def zeros(self, *shape: int, kind: Any = np.int64) -> Any:
        """Return an array of zeros of one or two axes: numbers, or records of a dtype."""
        if getattr(kind, "names", None):
            return Items(record_class(kind))
        return self.full(*shape, value=0)

    def full(self, *shape: int, value: Any) -> Any:
        """Return an array of such numbers."""
        return Row(value) if len(shape) == 1 else Grid(value)

    def runs(self, records: Any) -> Any:
        """Return the array `runs`, one record, from that of a compiled kernel."""
        run = object.__new__(run_class(records.dtype))
        run._late = lambda: self.late()
        for name, value in zip(records.dtype.names, records[0].tolist(), strict=True):
            setattr(run, name, value)
        return [run]

    def first(self, records: Any) -> First:
        """Return the fields of the first of these records, each as an array of one."""
        return First(records[0])

    def listed(self, array: Row, n: int) -> list[Any]:
        """Return the first n numbers, or codes, of an array."""
        return array.first(n)

    def random(self, seed: int) -> list[int]:
        """Return the generator of `dragon.bits.draw`."""
        return [seed & bits.MASK]

    def tablebase(self, wanted: bool) -> None:
        """Return nothing: a State answers `solved` itself."""

    def table(self, entries: Any) -> Entries:
        """Return a table, whose memory is `entries`."""
        return Entries(entries)

    def transfer(self, kernels: Any) -> Callable[..., None]:
        """Return the function `transfer` of a template for tables in numpy's memory."""

        def transfer(old: Any, age: int, new: Any, new_age: int) -> None:
            kernels.transfer(Entries(old), age, Entries(new), new_age)

        return transfer

    def turn_to(self, m: Any, state: State[Any]) -> None:
        """Make another state of the same game the root, in `m.states[0]`."""
        self.root = state
        m.states[0].state = state

    def state_at(self, m: Any, ply: int) -> State[Any]:
        """Return the state in `m.states[ply]`."""
        state: State[Any] = m.states[ply].state
        return state

    def moves_of(self, codes: Iterable[Any]) -> tuple[Any, ...]:
        """Return the moves of a line from the root on, of which these are the codes."""
        return self.rules.moves_of(self.root, codes)
