"""Rules: a game as plain functions over one numpy record.

The same functions run compiled, or interpreted under DRAGON_JIT=0. Only `play` changes a record in
place; searches work on copies. The optional rules are declared in `dragon.rules.contract`, and
each is a field of Rules.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from numbers import Integral
from types import FunctionType
from typing import Any, TypeVar

from attrs import Attribute, field, fields, frozen, make_class

from dragon.compiler.kernel import Bindings
from dragon.core import Trait
from dragon.errors import PluginError, RuleError
from dragon.rules.contract import OPTIONAL, RULES
from dragon.rules.kernels.guards import Sizes, guard_of
from dragon.rules.layout import IN_ORDER, layout_of, readable
from dragon.rules.notation import BaseNotation, Notation

MOST = {"width": 1 << 22, "plies": 1 << 22, "largest": 1 << 40}
"""The most that may be declared: searches reserve memory for lists of moves and for lines, and
kernels count in fractions of a unit of payoff."""
MOST_RANKS = 1 << 40
F = TypeVar("F", bound=Callable[..., Any])

_WRITING = [name for cls in (Notation, BaseNotation) for name in vars(cls) if name[0] != "_"]


def rule(function: F) -> F:
    """Mark a function as a rule: compiled when a kernel needs it, plain Python otherwise.

    Nothing is compiled here, so that importing a game costs nothing.
    """
    return function


def _with_optional_rules(cls: type, given: list[Attribute[Any]]) -> list[Attribute[Any]]:
    """Put a field for each optional rule of the contract, in its order, before `ranks`."""
    known = {each.name: each for each in given}
    if lacking := [name for name in OPTIONAL if name not in known]:  # of what is declared elsewhere
        made = make_class("rules", {name: field(default=None) for name in lacking})
        known |= {each.name: each for each in fields(made)}
    others = [each for each in given if each.name not in OPTIONAL]
    at = [each.name for each in others].index("ranks")
    return [*others[:at], *(known[name] for name in OPTIONAL), *others[at:]]


@frozen(eq=False, repr=False, slots=False, field_transformer=_with_optional_rules)
class Rules:
    """The rules of a game, functions of a record `s`.

    They compare by identity, so build them once for a game value. `dragon.rules.contract` says what
    each rule is given and returns; its optional ones are fields too, None by default, between
    `plies` and `ranks`.
    """

    layout: Any = field(converter=layout_of)
    """numpy dtype of the record, or a list of its fields."""
    moves: Callable[..., Any]
    play: Callable[..., Any]
    turn: Callable[..., Any]
    payoff: Callable[..., Any]
    width: int
    """No state has more moves."""
    plies: int
    """No game lasts longer."""
    # For type checkers and editors, which do not read the contract; a rule that is not listed here
    # is a field all the same.
    key: Callable[..., Any] | None = None
    order: Callable[..., Any] | None = None
    evaluate: Callable[..., Any] | None = None
    odds: Callable[..., Any] | None = None
    sample: Callable[..., Any] | None = None
    finish: Callable[..., Any] | None = None
    maker: Callable[..., Any] | None = None
    hide: Callable[..., Any] | None = None
    deal: Callable[..., Any] | None = None
    banked: Callable[..., Any] | None = None
    reduce: Callable[..., Any] | None = None
    bounds: Callable[..., Any] | None = None
    solved: Callable[..., Any] | None = None
    place: Callable[..., Any] | None = None
    prior: Callable[..., Any] | None = None
    noisy: Callable[..., Any] | None = None
    skip: Callable[..., Any] | None = None
    rank: Callable[..., Any] | None = None
    unrank: Callable[..., Any] | None = None
    before: Callable[..., Any] | None = None
    ranks: int = 0
    """The number of numbers that `rank` gives out; needed with it."""
    tablebase: Callable[[], Any] | None = None
    """Returns the bytes that `solved` reads, an array of any size; called when a search begins."""
    patterns: Patterns | None = None
    """The pieces of a puzzle that pattern databases keep; read when a search begins."""
    style: str | None = None
    """The style of `mcts` that is strongest at this game, if measured games showed that it is not
    the default one."""
    notation: BaseNotation = field(factory=BaseNotation)
    """The text of moves and positions."""
    unit: float = 1.0
    """The value of one unit of `payoff`."""
    largest: int = 1
    """No payoff exceeds this many units."""
    teams: tuple[int, ...] = (0, 1)
    """The team of each seat; set from the game."""
    traits: frozenset[Trait] = frozenset()
    """The game's traits; set from the game."""
    label: str = "a game"
    """The game's spec; set from the game."""
    first: bytes = b""
    """The first record, dealt by seed 0; set from the game."""

    def __attrs_post_init__(self) -> None:
        required = [name for name in RULES if name not in OPTIONAL]
        for name in required:
            given = getattr(self, name)
            if not callable(given):
                raise PluginError(f"the rule {name!r} is {given!r}, not a function; {IN_ORDER}")
            called = getattr(given, "__name__", name)
            if called != name and called in required:
                raise PluginError(f"the rule {name!r} is the function {called!r}; {IN_ORDER}")
        for name, most in MOST.items():
            number = getattr(self, name)
            if not isinstance(number, Integral) or not 1 <= int(number) <= most:
                raise PluginError(f"{name} is {number!r}; write a whole number from 1 to {most:,}")
        if self.rank is not None or self.unrank is not None or self.before is not None:
            if self.rank is None or self.unrank is None:
                raise PluginError("rank and unrank are each other's inverse; write both")
            if not isinstance(self.ranks, Integral) or not 1 <= int(self.ranks) <= MOST_RANKS:
                raise PluginError(
                    f"ranks is {self.ranks!r}; write how many numbers rank gives out, "
                    f"from 1 to {MOST_RANKS:,}"
                )
        if not (isinstance(self.unit, int | float) and 0 < self.unit < math.inf):
            raise PluginError(f"unit is {self.unit!r}; write a number above 0")
        if math.isinf(float(self.unit) * self.largest):
            raise PluginError(
                f"the largest payoff, {self.largest} units of {self.unit!r}, is more than a float "
                "holds; take a smaller unit"
            )
        if isinstance(self.notation, type):
            called = self.notation.__name__
            raise PluginError(
                f"the notation is the class {called}; make an object of it: notation={called}(...)"
            )
        lacking = [name for name in _WRITING if not hasattr(self.notation, name)]
        if lacking:
            raise PluginError(
                f"the notation {self.notation!r} does not have {lacking[0]}; write a subclass of "
                "dragon.rules.notation.BaseNotation"
            )
        if self.tablebase is not None and not callable(self.tablebase):
            raise PluginError(
                f"the tablebase is {self.tablebase!r}; write a function that gives its bytes"
            )

    def named(self) -> dict[str, FunctionType]:
        present = ((name, getattr(self, name)) for name in RULES)
        return {name: f for name, f in present if f is not None or name not in OPTIONAL}

    def functions(self) -> list[FunctionType]:
        """The rules and every plain function that they may call, each once."""
        from dragon.compiler.fingerprint import reached

        return reached(self.named().values())

    def error(self, name: str, reason: str) -> RuleError:
        """Return the error of a rule, at its first line."""
        code = getattr(self, name).__code__
        return RuleError(name, code.co_filename, code.co_firstlineno, reason)

    def bindings(self, checked: bool = False) -> dict[str, Any]:
        """Return the values of the names that kernels leave open; `checked`: in checked code."""
        named = self.named()
        bound: dict[str, Any] = {**named, **{f"HAS_{n.upper()}": n in named for n in OPTIONAL}}
        bound |= {
            "PLIES": self.plies,
            "WIDTH": self.width,
            "SEATS": len(self.teams),
            "TEAM": self.teams,
            "LARGEST": self.largest,
            "RANKS": int(self.ranks),
            "HAS_CHANCE": Trait.CHANCE in self.traits,
            "DUEL": Trait.DUEL in self.traits,
        }
        sizes = Sizes(self.width, self.plies, len(self.teams), self.largest, int(self.ranks),
                      self.teams, bound["DUEL"], bound["HAS_CHANCE"])  # fmt: skip
        for name, own in named.items():
            if (guard := guard_of(name, own, checked, sizes)) is not None:
                bound |= {f"own_{name}": own, name: guard}  # messages name the rule by the first
        return bound | {"CHECKED": checked}

    def gives(self, kind: str) -> bool:
        """Return True if a rule of the game has an argument of this kind."""
        return any(kind in RULES[name].kinds for name in self.named())

    def opened(self, wanted: bool = True) -> Any:
        """The tablebase as uint8[any], read-only; empty if there is none or it is not wanted.

        Kernels get it as an argument when they run, so it is not compiled into them.
        """
        import numpy as np

        given = self.tablebase() if wanted and self.tablebase is not None else ()
        found = np.ascontiguousarray(given if len(given) else np.zeros(0, np.uint8)).view(np.uint8)
        found.flags.writeable = False
        return found

    @cached_property
    def _readable(self) -> Callable[..., Any]:
        import numpy as np

        return partial(np.frombuffer, dtype=readable(self.layout))

    def record(self, data: Any) -> Any:
        """Return the record in a buffer, fields as attributes; it writes to a writable buffer."""
        return self._readable(data)[0]

    def blank(self) -> Any:
        return self.record(bytearray(self.layout.itemsize))


def _pairs(names: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(names.items()))


@frozen
class RulesWith:
    """The rules of a game, and further names that a template leaves open, with their values."""

    rules: Bindings
    names: tuple[tuple[str, Any], ...] = field(converter=_pairs)

    @property
    def layout(self) -> Any:
        """The dtype of the game's record."""
        return self.rules.layout

    @property
    def label(self) -> str:
        """The game, for the line that announces compiling."""
        return self.rules.label

    def bindings(self, checked: bool = False) -> dict[str, Any]:
        """Return the values of the names that kernels leave open; `checked`: in checked code."""
        return {**self.rules.bindings(checked), **dict(self.names)}


@frozen
class Patterns:
    """Groups of pieces, each with a table of the moves that its pieces still need.

    A record's field has the number of the piece on each cell; 0 is the gap. A move takes one piece
    into the gap, costs one unit, and can be taken back; a line that never comes to the goal pays
    the least that `bounds` allows. So the moves that the groups of a partition need can be added
    (Korf and Felner 2002), and of several partitions the largest sum counts.
    """

    cells: str
    """The field of the record, u1[cells]."""
    partitions: tuple[tuple[tuple[int, ...], ...], ...]
    """Partitions of the pieces into groups; no piece is in two groups of one partition."""
    goal: Callable[[Any], None]
    """A function in plain Python that makes a record the goal."""

    def __attrs_post_init__(self) -> None:
        for partition in self.partitions:
            kept = [piece for group in partition for piece in group]
            if len(set(kept)) < len(kept) or not all(0 < piece < 256 for piece in kept):
                raise PluginError(
                    f"{partition!r} is not a partition of pieces for patterns; write numbers from "
                    "1 to 255, each once"
                )
