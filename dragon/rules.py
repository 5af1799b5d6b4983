"""Rules: a game as plain functions over one numpy record, from which dragon derives the State.

The same functions run compiled, or interpreted under DRAGON_JIT=0. A record is changed
in place by `play` alone; everybody else works on copies.

>>> import dragon
>>> state = dragon.game("tictactoe").start()
>>> str(state.after("b2"))
'.../.X./... O'
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Sequence
from functools import cache, cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard, TypeVar

import attrs
from attrs import field, frozen

from dragon import bits
from dragon.core import Game, State
from dragon.errors import IllegalMove
from dragon.notation import FieldNotation, Notation
from dragon.specialise import jit_enabled, specialise

if TYPE_CHECKING:
    import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

REQUIRED = ("moves", "play", "turn", "payoff")
OPTIONAL = ("key", "order", "evaluate", "odds", "sample", "banked", "reduce")


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
    return np.dtype(
        {
            "names": list(given.names),
            "formats": [given.fields[n][0] for n in given.names],
            "offsets": [given.fields[n][1] for n in given.names],
            "itemsize": -(-given.itemsize // 8) * 8,
        }
    )


@frozen(eq=False)
class Rules:
    """A game's rules, functions of a record `s`; by identity, so build them once for a game value.

    The four required rules::

        turn(s)          the seat to move, CHANCE or TERMINAL
        moves(s, out)    writes move codes into out, int64[width]; how many
        play(s, move)    changes the record in place
        payoff(s, seat)  units for `seat` at a terminal record, an integer

    The optional ones: `key(s)`, `order(s, out, n, scores)`, `evaluate(s, seat)`,
    `odds(s, out)`, `sample(s, random)`, `banked(s)`, `reduce(s, out, n)`; see
    docs/reference.md.
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
    notation: Notation = field(factory=FieldNotation)
    """How moves and positions are written."""
    unit: float = 1.0
    """What one unit of `payoff` is worth."""
    largest: int = 1
    """No payoff exceeds this many units."""
    allocates: bool = False
    """Whether rules make arrays of their own; kernels are slower for it."""
    teams: tuple[int, ...] = (0, 1)
    """The team of each seat; set from the game."""
    label: str = "a game"
    """The game's spec; set from the game."""

    def functions(self) -> list[FunctionType]:
        """The rules that the game has."""
        present = (getattr(self, name) for name in REQUIRED + OPTIONAL)
        return [f for f in present if f is not None]

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
        return Compiled(self)

    @cached_property
    def interpreted(self) -> Interpreted:
        """The rules in plain Python."""
        return Interpreted(self)


class Engine(Protocol):
    """What a State needs of rules, over records as bytes."""

    def turn(self, data: bytes) -> int:
        """The seat to move, CHANCE or TERMINAL."""

    def moves(self, data: bytes) -> np.ndarray[Any, np.dtype[np.int64]]:
        """int64[n], the legal move codes."""

    def play(self, data: bytes, code: int) -> bytes:
        """The record after a legal move."""

    def payoff(self, data: bytes) -> tuple[int, ...]:
        """Units for each seat."""

    def sample(self, data: bytes, random: bits.Random) -> int:
        """A move code at random."""

    def key(self, data: bytes) -> int:
        """64 bits for transposition tables."""


def _scratch(rules: Rules) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Room for a list of moves; each call has its own, since threads share an engine."""
    import numpy as np

    return np.empty(rules.width, np.int64)


class Interpreted:
    """Rules run by Python itself, on np.record: for debuggers, coverage and the laws."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def record(self, data: bytes) -> Any:
        """A fresh np.record of `data`."""
        import numpy as np

        return np.frombuffer(bytearray(data), self.rules.layout).view(np.recarray)[0]

    def turn(self, data: bytes) -> int:
        """The seat to move, CHANCE or TERMINAL."""
        return int(self.rules.turn(self.record(data)))

    def moves(self, data: bytes) -> np.ndarray[Any, np.dtype[np.int64]]:
        """int64[n], the legal move codes, equivalent ones dropped."""
        record = self.record(data)
        out = _scratch(self.rules)
        n = int(self.rules.moves(record, out))
        if self.rules.reduce is not None:
            n = int(self.rules.reduce(record, out, n))
        return out[:n].copy()

    def play(self, data: bytes, code: int) -> bytes:
        """The record after a legal move."""
        record = self.record(data)
        self.rules.play(record, code)
        return bytes(record.tobytes())

    def payoff(self, data: bytes) -> tuple[int, ...]:
        """Units for each seat."""
        record = self.record(data)
        return tuple(int(self.rules.payoff(record, i)) for i in range(len(self.rules.teams)))

    def sample(self, data: bytes, random: bits.Random) -> int:
        """A move code at random: the game's own way, or one of its list."""
        if self.rules.sample is not None:
            return int(self.rules.sample(self.record(data), random.state))
        codes = self.moves(data)
        return int(codes[random(len(codes))])

    def key(self, data: bytes) -> int:
        """64 bits for transposition tables: the game's own, or a hash of the record."""
        from dragon.table import hash_words

        if self.rules.key is not None:
            return int(self.rules.key(self.record(data)))
        import numpy as np

        return int(hash_words(np.frombuffer(data, np.uint64)))


class Compiled:
    """The same, compiled once for each game and kept on disk."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._module = specialise("dragon.kernels.state", rules)

    def _records(self, data: bytes) -> Any:
        import numpy as np

        return np.frombuffer(bytearray(data), self.rules.layout)

    def turn(self, data: bytes) -> int:
        """The seat to move, CHANCE or TERMINAL."""
        return int(self._module.turn_of(self._records(data)))

    def moves(self, data: bytes) -> np.ndarray[Any, np.dtype[np.int64]]:
        """int64[n], the legal move codes, equivalent ones dropped."""
        out = _scratch(self.rules)
        return out[: self._module.moves_of(self._records(data), out)].copy()

    def play(self, data: bytes, code: int) -> bytes:
        """The record after a legal move."""
        records = self._records(data)
        self._module.play_in(records, code)
        return bytes(records.tobytes())

    def payoff(self, data: bytes) -> tuple[int, ...]:
        """Units for each seat."""
        import numpy as np

        units = np.zeros(len(self.rules.teams), np.int64)
        self._module.payoffs_of(self._records(data), units)
        return tuple(units.tolist())

    def sample(self, data: bytes, random: bits.Random) -> int:
        """A move code at random: the game's own way, or one of its list."""
        records, out = self._records(data), _scratch(self.rules)
        return int(self._module.sample_of(records, out, random.state))

    def key(self, data: bytes) -> int:
        """64 bits for transposition tables: the game's own, or a hash of the record."""
        import numpy as np

        words = np.frombuffer(data, np.uint64)
        return int(self._module.key_of(self._records(data), words))


class Moves(Sequence[str]):
    """The legal moves of a record: codes that become text only when looked at."""

    __slots__ = ("_state", "codes")

    def __init__(self, state: RecordState) -> None:
        self._state = state
        self.codes = state.engine.moves(state.data)

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self._state.text(int(code)) for code in self.codes[index])
        return self._state.text(int(self.codes[index]))

    def __contains__(self, move: object) -> bool:
        try:
            return self._state.code(str(move)) in self.codes
        except (ValueError, IllegalMove):
            return False

    def __repr__(self) -> str:
        shown = ", ".join(self[:8])
        return f"<{len(self)} moves: {shown}{', ...' if len(self) > 8 else ''}>"


class RecordState(State[str]):
    """A state whose whole content is one record; rules and notation are its game's."""

    __slots__ = ("_moves", "_turn", "data", "game")

    def __init__(self, game: RecordGame, data: bytes) -> None:
        self.game, self.data = game, data
        self._turn: int | None = None
        self._moves: Moves | None = None

    @property
    def rules(self) -> Rules:
        """The game's rules."""
        return rules_of(self.game)

    @property
    def engine(self) -> Engine:
        """The rules as functions of bytes."""
        return self.rules.engine

    @property
    def teams(self) -> tuple[int, ...]:  # type: ignore[override]
        """The team of each seat."""
        return self.game.teams

    @property
    def unit(self) -> float:  # type: ignore[override]
        """What one unit of payoff is worth."""
        return self.rules.unit

    @property
    def largest(self) -> float:  # type: ignore[override]
        """No payoff exceeds this."""
        return self.rules.largest * self.rules.unit

    @property
    def record(self) -> Any:
        """A copy of the record, fields as attributes."""
        import numpy as np

        return np.frombuffer(bytearray(self.data), self.rules.layout).view(np.recarray)[0]

    @property
    def turn(self) -> int:
        """The seat to move, CHANCE or TERMINAL."""
        if self._turn is None:
            self._turn = self.engine.turn(self.data)
        return self._turn

    def moves(self) -> Moves | tuple[()]:
        """The legal moves; text is made only of those looked at."""
        if self.turn == -2:
            return ()
        if self._moves is None:
            self._moves = Moves(self)
        return self._moves

    def after(self, move: Hashable) -> RecordState:
        """The state after a legal move, in any spelling that the notation allows."""
        code = self.code(str(move))
        if self.turn == -2:
            raise IllegalMove(f"the game is over, so {move} cannot be played in {self}")
        moves = self.moves()
        if not moves or not (moves.codes == code).any():
            raise IllegalMove(
                self.rules.notation.objection(self.record, code, str(move), str(self))
            )
        return self.play(code)

    def play(self, code: int) -> RecordState:
        """The state after a move code that is known to be legal."""
        return RecordState(self.game, self.engine.play(self.data, code))

    def payoff(self) -> tuple[float, ...]:
        """What each seat gets."""
        unit = self.rules.unit
        return tuple(units * unit for units in self.engine.payoff(self.data))

    def odds(self) -> Sequence[float]:
        """At a CHANCE state the probability of each move."""
        import numpy as np

        n = len(self.moves())
        out = np.full(n, 1 / n)
        if self.rules.odds is not None:
            self.rules.odds(self.record, out)
        return tuple(out.tolist())

    def evaluate(self, seat: int) -> float:
        """The game's guess in (-1, 1), or 0."""
        own = self.rules.evaluate
        return float(own(self.record, seat)) if own else 0.0

    def order(self, moves: Sequence[str]) -> Sequence[int] | None:
        """The game's score of each move; None when it has no such rule."""
        import numpy as np

        if self.rules.order is None:
            return None
        codes = np.array([self.code(move) for move in moves], np.int64)
        scores = np.zeros(len(codes), np.int64)
        self.rules.order(self.record, codes, len(codes), scores)
        return tuple(scores.tolist())

    def sample(self, random: Any) -> str:
        """A move at random, without listing them all where the game can."""
        return self.text(self.engine.sample(self.data, random))

    def banked(self) -> float:
        """What seat 0's team has secured already."""
        own = self.rules.banked
        return int(own(self.record)) * self.rules.unit if own else 0.0

    def key(self) -> int:
        """64 bits: the game's own key, or a hash of the record."""
        return self.engine.key(self.data)

    def text(self, code: int) -> str:
        """A move code in the game's notation."""
        return self.rules.notation.move_text(self.record, code)

    def code(self, move: str) -> int:
        """The code of a move in the game's notation; raises BadNotation."""
        return self.rules.notation.move_code(self.record, move)

    def __str__(self) -> str:
        return self.rules.notation.position_text(self.record)

    def __repr__(self) -> str:
        return f"<{self.game}: {self}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RecordState):
            return NotImplemented
        return self.data == other.data and self.game == other.game

    def __hash__(self) -> int:
        return hash(self.data)

    def __reduce__(self) -> tuple[type[RecordState], tuple[RecordGame, bytes]]:
        return RecordState, (self.game, self.data)

    def picture(self) -> str:
        """The position drawn in text, several lines."""
        return self.rules.notation.picture(self.record)

    def svg(self) -> str:
        """The position drawn as SVG, where the notation can."""
        return self.rules.notation.svg(self.record)


@frozen
class RecordGame(Game[str]):
    """A game given by Rules: `rules()` is all that its author writes."""

    @abstractmethod
    def rules(self) -> Rules:
        """The rules for these parameters; called once for each game value."""

    def start(self, rng: int | np.random.Generator = 0) -> RecordState:
        """The first state: a record of zeros, or what `setup` makes of one."""
        record = rules_of(self).blank()
        self.setup(record)
        return RecordState(self, bytes(record.tobytes()))

    def setup(self, record: Any) -> None:
        """Fills the first record in place; zeros are left as they are by default."""

    def parse(self, text: str) -> RecordState:
        """The state written as `text`; raises BadNotation."""
        record = rules_of(self).blank()
        self.setup(record)
        rules_of(self).notation.parse(record, text)
        return RecordState(self, bytes(record.tobytes()))


@cache
def rules_of(game: RecordGame) -> Rules:
    """The rules of a game value, built once."""
    return attrs.evolve(game.rules(), teams=game.teams, label=str(game))


def has_kernels(state: State[Any]) -> TypeGuard[RecordState]:
    """Whether kernels can be compiled for the state's game: it has Rules, and DRAGON_JIT is on."""
    return isinstance(state, RecordState) and jit_enabled()
