"""Rules: a game as plain functions over one numpy record.

The same functions run compiled, or interpreted under DRAGON_JIT=0. A record is changed
in place by `play` alone; everybody else works on copies.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import field, frozen

from dragon.errors import PluginError
from dragon.notation import FieldNotation, Notation
from dragon.specialise import jit_enabled

if TYPE_CHECKING:
    import numpy as np

    from dragon.engine import Compiled, Engine, Interpreted

F = TypeVar("F", bound=Callable[..., Any])

REQUIRED = ("moves", "play", "turn", "payoff")
OPTIONAL = ("key", "order", "evaluate", "odds", "sample", "banked", "reduce", "bounds", "solved")


def rule(function: F) -> F:
    """Marks a function as a rule: compiled when a kernel needs it, plain Python otherwise.

    Nothing is compiled here, so that importing a game costs nothing.
    """
    function.__dragon_rule__ = True  # type: ignore[attr-defined]
    return function


def _as_layout(fields: Any) -> np.dtype[Any]:
    """The record's dtype, filled up to whole 8-byte words, which the default key reads."""
    import numpy as np

    given = np.dtype(fields)
    assert given.names is not None
    assert given.fields is not None
    _check_names(given)
    return np.dtype(
        {
            "names": list(given.names),
            "formats": [given.fields[n][0] for n in given.names],
            "offsets": [given.fields[n][1] for n in given.names],
            "itemsize": -(-given.itemsize // 8) * 8,
        }
    )


def _check_names(layout: np.dtype[Any]) -> None:
    """Raises PluginError for a field, of nested records too, that numpy hides from plain Python."""
    import numpy as np

    for name in layout.names or ():
        if hasattr(np.recarray, name) or hasattr(np.record, name):
            raise PluginError(
                f"the record's field {name!r} has a name that numpy's records use themselves, so "
                f"plain Python would not find it; call it something else, such as 'the_{name}'"
            )
        assert layout.fields is not None
        _check_names(layout.fields[name][0].base)


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

    layout: Any = field(converter=_as_layout)
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
    label: str = "a game"
    """The game's spec; set from the game."""
    first: bytes = b""
    """The first record; set from the game."""

    def named(self) -> dict[str, FunctionType]:
        """The rules that the game has, by name."""
        present = ((name, getattr(self, name)) for name in REQUIRED + OPTIONAL)
        return {name: function for name, function in present if function is not None}

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

    def blank(self) -> Any:
        """A record of zeros."""
        import numpy as np

        return np.zeros(1, self.layout).view(np.recarray)[0]

    @property
    def engine(self) -> Engine:
        """The rules as functions of bytes: compiled, or interpreted under DRAGON_JIT=0."""
        return self.compiled if jit_enabled() else self.interpreted

    @cached_property
    def compiled(self) -> Compiled:
        """The rules, compiled."""
        from dragon.engine import Compiled

        return Compiled(self)

    @cached_property
    def interpreted(self) -> Interpreted:
        """The rules in plain Python."""
        from dragon.engine import Interpreted

        return Interpreted(self)
