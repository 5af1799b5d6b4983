"""Rules: a game as plain functions over one numpy record.

The same functions run compiled, or interpreted under DRAGON_JIT=0. A record is changed
in place by `play` alone; everybody else works on copies.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from numbers import Integral
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import field, frozen

from dragon.core import Trait
from dragon.errors import PluginError
from dragon.layout import layout_of, readable
from dragon.modes import checked, jit_enabled
from dragon.notation import FieldNotation, Notation

if TYPE_CHECKING:
    import numpy as np

    from dragon.engine import Compiled, Engine, Interpreted

MOST = {"width": 1 << 22, "plies": 1 << 22, "largest": 1 << 40}
"""What may be declared: searches have memory for a list of moves and for a line, and kernels count
in parts of a unit of payoff."""
F = TypeVar("F", bound=Callable[..., Any])

REQUIRED = ("moves", "play", "turn", "payoff")
_WRITING = [name for name in vars(Notation) if not name.startswith("_")]
OPTIONAL = ("key", "order", "evaluate", "odds", "sample", "banked", "reduce", "bounds", "solved")


def rule(function: F) -> F:
    """Marks a function as a rule: compiled when a kernel needs it, plain Python otherwise.

    Nothing is compiled here, so that importing a game costs nothing.
    """
    function.__dragon_rule__ = True  # type: ignore[attr-defined]
    return function


@frozen(eq=False)
class Rules:
    """A game's rules, functions of a record `s`; by identity, so build them once for a game value.

    The four required rules::

        turn(s)          the seat to move, CHANCE or TERMINAL
        moves(s, out)    writes move codes into out, int64[width]; how many
        play(s, move)    changes the record in place
        payoff(s, seat)  units for `seat` at a terminal record, an integer

    The optional ones: `key(s)`, `order(s, out, n, scores)`, `evaluate(s, seat)`,
    `odds(s, out)`, `sample(s, random)`, `banked(s)`, `reduce(s, out, n)`,
    `bounds(s)`, `solved(s, tablebase)`; see docs/reference.md.
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
    key: Callable[..., Any] | None = None
    order: Callable[..., Any] | None = None
    evaluate: Callable[..., Any] | None = None
    odds: Callable[..., Any] | None = None
    sample: Callable[..., Any] | None = None
    banked: Callable[..., Any] | None = None
    reduce: Callable[..., Any] | None = None
    bounds: Callable[..., Any] | None = None
    solved: Callable[..., Any] | None = None
    tablebase: Callable[[], Any] | None = None
    """Gives the bytes that `solved` reads, an array of any size; asked when a search begins."""
    notation: Notation = field(factory=FieldNotation)
    """How moves and positions are written."""
    unit: float = 1.0
    """What one unit of `payoff` is worth."""
    largest: int = 1
    """No payoff exceeds this many units."""
    teams: tuple[int, ...] = (0, 1)
    """The team of each seat; set from the game."""
    traits: frozenset[Trait] = frozenset()
    """What kind of game it is; set from the game."""
    label: str = "a game"
    """The game's spec; set from the game."""
    first: bytes = b""
    """The first record, dealt by seed 0; set from the game."""

    def __attrs_post_init__(self) -> None:
        for name, most in MOST.items():
            number = getattr(self, name)
            if not isinstance(number, Integral) or not 1 <= int(number) <= most:
                raise PluginError(f"{name} is {number!r}; write a whole number from 1 to {most:,}")
        if not (isinstance(self.unit, int | float) and 0 < self.unit < math.inf):
            raise PluginError(f"unit is {self.unit!r}; write a number above 0")
        lacking = [name for name in _WRITING if not hasattr(self.notation, name)]
        if lacking:
            raise PluginError(
                f"the notation {self.notation!r} has no {lacking[0]}; write a subclass of "
                "dragon.notation.BaseNotation"
            )
        if self.tablebase is not None and not callable(self.tablebase):
            raise PluginError(
                f"the tablebase is {self.tablebase!r}; write a function that gives its bytes"
            )

    def named(self) -> dict[str, FunctionType]:
        """The rules that the game has, by name."""
        present = ((name, getattr(self, name)) for name in REQUIRED + OPTIONAL)
        return {name: f for name, f in present if f is not None or name in REQUIRED}

    def functions(self) -> list[FunctionType]:
        """The rules that the game has."""
        return list(self.named().values())

    def opened(self, wanted: bool = True) -> Any:
        """The tablebase as uint8[any], which nobody may write; empty if there is none or no wish.

        It is given to kernels when they run, and the compiler sees none of it.
        """
        import numpy as np

        given = self.tablebase() if wanted and self.tablebase is not None else ()
        found = np.ascontiguousarray(given if len(given) else np.zeros(0, np.uint8)).view(np.uint8)
        found.flags.writeable = False
        return found

    @cached_property
    def _readable(self) -> np.dtype[Any]:
        return readable(self.layout)

    def record(self, data: Any) -> Any:
        """The record in a buffer, fields as attributes; it writes there, where that is allowed."""
        import numpy as np

        return np.frombuffer(data, self._readable)[0]

    def blank(self) -> Any:
        """A record of zeros."""
        return self.record(bytearray(self.layout.itemsize))

    @property
    def engine(self) -> Engine:
        """The rules as functions of bytes: compiled, or interpreted under DRAGON_JIT=0."""
        if not jit_enabled():
            return self.interpreted
        return self.guarded if checked() else self.compiled

    @cached_property
    def compiled(self) -> Compiled:
        """The rules, compiled."""
        from dragon.engine import Compiled

        return Compiled(self)

    @cached_property
    def guarded(self) -> Compiled:
        """The rules, compiled to be checked as they run."""
        from dragon.engine import Compiled

        return Compiled(self)

    @cached_property
    def interpreted(self) -> Interpreted:
        """The rules in plain Python."""
        from dragon.engine import Interpreted

        return Interpreted(self)
