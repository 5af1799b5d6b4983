"""A State as Rules: the source of a kernel, run as plain Python over any State.

`bind` gives the functions of a template other globals: the rules of a game, as a compiled template
gets them, and Python's integers in the place of NumPy's. `StateRules` makes those rules of the
methods of a State, with these stand-ins for a kernel's data:

- A *record* is a Slot, which holds a State. `states[d + 1] = states[d]` copies the reference, and
  `play` replaces the State that it holds.
- A *code* is a Code: the integer that `State.code` gives a move, and the move itself.
- An *array* is a Row, or another container below. It does not have a size: `WIDTH` is 0, and no
  kernel returns GROW.

Names that a kernel takes from elsewhere than a template are the same objects as in compiled code.
"""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from operator import methodcaller
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from dragon.bits import GOLDEN, MASK
from dragon.core import State, Trait
from dragon.rules.contract import OPTIONAL, RULES, Contract
from dragon.rules.evaluator import interpreted_of
from dragon.rules.kernels import playout
from dragon.rules.record import RecordState, defines

ENDLESS = 1 << 62
"""The length of an array without an end."""
TEMPLATES = ("dragon.search.", "dragon.cover.kernels.", "dragon.rules.kernels.")
"""The modules whose functions get other globals, beside the template itself and its policies."""


# ---- memory --------------------------------------------------------------------------------------


class Slot:
    """A place for a State, which a kernel takes for a record."""

    __slots__ = ("state", "via")

    def __init__(self) -> None:
        self.state: Any = None
        self.via: Any = None
        """The code of the move that led here, if the search writes it."""


class Endless(dict[Any, Any]):
    """An array of any number of axes; `make` makes each item when it is first read."""

    def __init__(self, make: Callable[[], Any] = int) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, at: Any) -> Any:
        made = self.make()
        super().__setitem__(at, made)  # a subclass may copy what is assigned
        return made

    def __len__(self) -> int:
        return ENDLESS


class Slots(Endless):
    """`states` of a kernel: an assignment copies the State, not the Slot."""

    def __init__(self, root: State[Any] | None = None) -> None:
        super().__init__(Slot)
        self[0].state = root

    def __setitem__(self, at: Any, slot: Slot) -> None:
        own = self[at]
        own.state, own.via = slot.state, slot.via


class Row:
    """Numbers or codes, 0 where none was written; a slice is a view."""

    __slots__ = ("default", "items", "start", "stop")

    def __init__(
        self, items: list[Any] | None = None, start: int = 0, stop: int = ENDLESS, default: Any = 0
    ) -> None:
        self.items: list[Any] = [] if items is None else items
        self.start, self.stop, self.default = start, stop, default

    def __len__(self) -> int:
        return self.stop - self.start

    def __getitem__(self, i: Any) -> Any:
        if i.__class__ is slice:
            stop = self.stop if i.stop is None else self.start + i.stop
            return Row(self.items, self.start + (i.start or 0), stop, self.default)
        try:
            return self.items[self.start + i]
        except IndexError:
            return self.default

    def __setitem__(self, i: Any, value: Any) -> None:
        if i.__class__ is slice:
            view = self[i]
            view.write([value] * len(view))
            return
        at = self.start + i
        if at >= len(self.items):
            self._reach(at + 1)
        self.items[at] = value

    def read(self, n: int) -> list[Any]:
        """Return the first n values."""
        self._reach(self.start + n)
        return self.items[self.start : self.start + n]

    def write(self, values: Sequence[Any]) -> int:
        """Write values from the first place on; return the number of them."""
        self._reach(self.start)
        self.items[self.start : self.start + len(values)] = values
        return len(values)

    def _reach(self, length: int) -> None:
        lacking = length - len(self.items)
        if lacking > 0:
            self.items.extend([self.default] * (lacking + len(self.items)))


class Rows:
    """An array of two axes: `rows[r, i]`; `rows[r]` and `rows[r, a:b]`, each a Row."""

    def __init__(self, count: int, default: Any = 0) -> None:
        """Make the first rows; more are made when they are first asked for."""
        self.default = default
        self.rows = [Row(default=default) for _ in range(count)]

    def __getitem__(self, at: Any) -> Any:
        return self._row(at) if at.__class__ is int else self._row(at[0])[at[1]]

    def __setitem__(self, at: Any, value: Any) -> None:
        self._row(at[0])[at[1]] = value

    def _row(self, number: int) -> Row:
        try:
            return self.rows[number]
        except IndexError:
            lacking = number + 1 - len(self.rows)
            self.rows.extend(Row(default=self.default) for _ in range(lacking))
            return self.rows[number]

    def copy(self, source: int, target: int) -> None:
        """Make a row equal to another."""
        self.rows[target] = Row(self.rows[source].items.copy(), default=self.rows[source].default)


class Code(int):
    """The code of a move, which knows its move."""

    move: Any


@cache
def record_class(dtype: Any) -> Any:
    """Return a class of records with the fields of a dtype, 0 at first."""
    names, firsts = tuple(dtype.names), {}
    for name in names:
        kind, shape = dtype[name].subdtype or (dtype[name], ())
        firsts[name] = "0" if not shape else f"[0] * {shape[0]}"
        if shape and kind == np.float32:  # which rounds, and is not scanned as garbage
            firsts[name] = f"array('f', [0.0]) * {shape[0]}"
    lines = "\n".join(f"        self.{name} = {first}" for name, first in firsts.items())
    space: dict[str, Any] = {"array": array}
    exec(f"class Record:\n    __slots__ = {names}\n    def __init__(self):\n{lines}", space)
    made: Any = space["Record"]
    # As numpy's records have them, so that drivers need not know which they read.
    made.__getitem__ = lambda record, name: getattr(record, name)
    made.__setitem__ = lambda record, name, value: setattr(record, name, value)
    return made


# ---- numbers: the same as by NumPy, in Python's own integers, several times as fast --------------


def _u64(x: Any) -> int:
    return int(x) & MASK


def _mix(x: Any) -> int:
    x = int(x) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    mixed: int = x ^ (x >> 31)
    return mixed


def _mul(x: Any, y: Any) -> int:
    product: int = int(x) * int(y) & MASK
    return product


def draw(random: Any, n: int) -> int:
    """Return `dragon.bits.draw` of a generator that is a list of one integer."""
    random[0] = (random[0] + GOLDEN) & MASK
    return (_mix(random[0]) >> 32) * n >> 32


_picked = FunctionType(playout.pick.__code__, {**vars(playout), "draw": draw})


def pick(random: Any, weights: Any) -> int:
    """Return `dragon.rules.kernels.playout.pick` of a list, which is read faster than a Row."""
    listed = weights.read(len(weights)) if isinstance(weights, Row) else weights
    index: int = _picked(random, listed)
    return index


class Dice:
    """A generator that is a list of one integer, as `dragon.bits.Random` has it."""

    __slots__ = ("state",)

    def __init__(self, state: Any) -> None:
        self.state = state

    def __call__(self, n: int) -> int:
        return draw(self.state, n)


def _as_c(name: str) -> Callable[[float], float]:
    """Return a function of `math` that returns the value of C's function where Python's raises."""
    function = getattr(math, name)

    def call(x: float) -> float:
        try:
            value: float = function(x)
        except ValueError:
            return -math.inf if x == 0 else math.nan
        except OverflowError:
            return math.inf
        return value

    return call


_REAL = {name: _as_c(name) for name in ("log", "log2", "log10", "exp", "sqrt")}
NUMBERS = {
    "u64": _u64, "mix": _mix, "mul": _mul, "draw": draw,
    "np": SimpleNamespace(**{**vars(np), "int64": int, **_REAL}),
    "math": SimpleNamespace(**{**vars(math), **_REAL}),
}  # fmt: skip


# ---- functions -----------------------------------------------------------------------------------


def bind(
    template: str,
    names: dict[str, Any],
    numbers: dict[str, Any] = NUMBERS,
    made: dict[str, dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return the globals of a template in which `names` are bound, as are those it calls.

    numbers: other names, for kernels whose memory is not made of Python's integers. made: the
    globals of modules that have been bound to the same rules before, and are not bound again.
    """
    return _bind(template, {**numbers, **names}, {} if made is None else made)


def _bind(name: str, bound: dict[str, Any], made: dict[str, dict[str, Any]]) -> dict[str, Any]:
    if name in made:
        return made[name]
    space = made[name] = dict(vars(sys.modules.get(name) or import_module(name)))
    for key in bound.keys() & space.keys():
        space[key] = bound[key]
    functions = [each for each in space.items() if each[1].__class__ is FunctionType]
    for key, value in functions:
        if key in bound:
            continue
        if value.__module__ == name:
            space[key] = FunctionType(
                value.__code__, space, key, value.__defaults__, value.__closure__
            )
        elif value.__module__.startswith(TEMPLATES):
            space[key] = _bind(value.__module__, bound, made)[value.__name__]
    return space


class StateRules:
    """The rules of a game, by the methods of its States.

    visit: called with each State that a kernel reaches; it may raise Objection.
    """

    def __init__(
        self,
        state: State[Any],
        units: Callable[[State[Any], float], int],
        visit: Callable[[State[Any]], object] = bool,
    ) -> None:
        self.root: Any = state
        self.units, self.visit = units, visit
        self.most = units(state, state.largest)

    def names(self) -> dict[str, Any]:
        """Return the names that a template leaves open: the rules, and the constants of a game."""
        has = {name: self._has(name) for name in OPTIONAL}
        rules = {
            name: self._rule(contract) if has.get(name, True) else contract.null
            for name, contract in RULES.items()
        }
        flags = {f"HAS_{name.upper()}": present for name, present in has.items()}
        teams, known = self.root.teams, isinstance(self.root, RecordState)
        return {
            **rules, **flags, "weigh_chance": self.weigh_chance,
            "WIDTH": 0, "CHECKED": False, "LARGEST": self.most,
            "PLIES": self.root.rules.plies if known else ENDLESS,
            "SEATS": len(teams), "TEAM": teams,
            "HAS_CHANCE": not known or Trait.CHANCE in self.root.rules.traits,
        }  # fmt: skip

    def _has(self, name: str) -> bool:
        """Return True if the author of the State wrote an optional rule."""
        return name in ("key", "sample") or defines(self.root, name)

    def _rule(self, contract: Contract) -> Callable[..., Any]:
        """Return a rule: its own form below, or the one that follows from its contract."""
        own: Callable[..., Any] = getattr(self, contract.name, contract.null)
        if own is not contract.null or not contract.method:
            return own
        ask = methodcaller(contract.method)

        def value(s: Slot) -> Any:
            return ask(s.state)

        def units(s: Slot) -> int:
            return self.units(s.state, ask(s.state))

        def listed(s: Slot, out: Row) -> int:
            given = ask(s.state)
            return -1 if given is None else out.write([*self.coded(s.state, given)])

        if contract.kinds == ("record", "moves"):
            return listed
        return units if contract.returns == "units" else value

    def coded(self, state: State[Any], moves: Sequence[Any]) -> Iterable[Any]:
        """Yield the code of each move."""
        for move in moves:
            code = Code(state.code(move))
            code.move = move
            yield code

    # The rules that need more than their State's method; `dragon.rules.contract` describes all.

    def moves(self, s: Slot, out: Row) -> int:
        return out.write([*self.coded(s.state, s.state.moves())])

    def play(self, s: Slot, move: Code) -> None:
        s.state = s.state.after(move.move)
        self.visit(s.state)

    def turn(self, s: Slot) -> int:
        turn: int = s.state.turn
        return turn

    def payoff(self, s: Slot, seat: int) -> int:
        return self.units(s.state, s.state.payoff()[seat])

    def key(self, s: Slot) -> int:
        state: State[Any] = s.state
        # Where positions recur, the whole state is the key, as its text has it.
        whole = state.repeats and not isinstance(state, RecordState)
        return State.key(state) if whole else state.key()

    def order(self, s: Slot, out: Row, n: int, scores: Row) -> None:
        given = s.state.order(moves_of(out, n))
        if given is not None:
            scores.write([int(score) for score in given])

    def evaluate(self, s: Slot, seat: int) -> float:
        guess: float = s.state.evaluate(seat)
        return guess

    def odds(self, s: Slot, out: Row) -> None:
        out.write([*map(float, s.state.odds())])

    def weigh_chance(self, s: Slot, weights: Row, n: int) -> None:
        """Write the odds at once; the kernel's own `weigh_chance` writes even ones first."""
        weights.write([*map(float, s.state.odds())])

    def sample(self, s: Slot, random: Any) -> Code:
        move = s.state.sample(Dice(random))
        code: Code = next(iter(self.coded(s.state, (move,))))
        return code

    def finish(self, s: Slot, random: Any) -> int:
        plies: int
        s.state, plies = s.state.finished(Dice(random))
        return plies

    def maker(self, s: Slot, move: Code) -> int:
        state: RecordState = s.state
        seat: int = interpreted_of(state.rules).call("maker", state.record, int(move))
        return seat

    def hide(self, s: Slot, seat: int) -> None:
        s.state = s.state.seen(seat)

    def deal(self, s: Slot, seat: int, random: Any) -> None:
        from numpy.random import default_rng

        state = s.state
        if isinstance(state, RecordState) and state.rules.deal is not None:  # the same draws
            s.state = state.dealt(seat, random)
            return
        s.state = state.determinize(default_rng(draw(random, 1 << 31)))

    def reduce(self, s: Slot, out: Row, n: int) -> int:
        return out.write([*self.coded(s.state, s.state.distinct())])

    def bounds(self, s: Slot) -> tuple[int, int]:
        known = s.state.bounds()
        if known is None:
            return -self.most, self.most
        most = s.state.largest  # a bound may be infinite
        low, high = (self.units(s.state, max(-most, min(most, each))) for each in known)
        return low, high

    def solved(self, s: Slot, tablebase: Any) -> tuple[int, int]:
        known = s.state.solved()
        return (0, -1) if known is None else (self.units(s.state, known[0]), known[1])

    def skip(self, s: Slot) -> bool:
        child = s.state.skipped()
        if child is None:
            return False
        s.state = child
        return True

    def prior(self, s: Slot, out: Row, n: int, scores: Row) -> None:
        given = s.state.prior(moves_of(out, n))
        if given is not None:
            scores.write([float(weight) for weight in given])


def moves_of(codes: Row, n: int) -> list[Any]:
    """Return the moves of the first n codes."""
    return [code.move for code in codes.read(n)]
