"""RecordGame and RecordState: the Game and State that dragon derives from rules.

>>> import dragon
>>> state = dragon.game("tictactoe").start()
>>> str(state.after("b2"))
'.../.X./... O'
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from contextvars import ContextVar
from functools import cache
from inspect import signature
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeGuard, cast

import attrs
from attrs import frozen

from dragon.bits import Random
from dragon.compiler.location import author_place
from dragon.core import TERMINAL, Game, State, Trait
from dragon.core.game import check_teams, check_traits
from dragon.errors import DragonError, GameError, IllegalMove, PluginError, RuleError
from dragon.modes import jit_enabled, setting
from dragon.rules.contract import ARRAYS, OPTIONAL, RULES, Contract
from dragon.rules.evaluator import Evaluator, evaluator_of, interpreted_of
from dragon.rules.notation import BaseNotation
from dragon.rules.replay import replayed
from dragon.rules.rule_errors import read_rules
from dragon.rules.rules import Rules

if TYPE_CHECKING:
    import numpy as np


class Moves(Sequence[str]):
    """The legal moves of a record: codes that become text only when looked at."""

    __slots__ = ("_state", "codes")

    def __init__(self, state: RecordState, codes: np.ndarray[Any, np.dtype[np.int64]]) -> None:
        self._state = state
        self.codes = codes

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self.codes))))
        return self._looked_at(int(self.codes[index]))

    def __iter__(self) -> Iterator[str]:
        return map(self._looked_at, self.codes.tolist())

    def _looked_at(self, code: int) -> str:
        text = self._state.text(code)
        self._state.listed[text] = code
        return text

    def __contains__(self, move: object) -> bool:
        try:
            return self._state.code(str(move)) in self.codes
        except (ValueError, IllegalMove):
            return False

    def __repr__(self) -> str:
        shown = ", ".join(self[:8])
        return f"<{len(self)} moves: {shown}{', ...' if len(self) > 8 else ''}>"


_ZERO_SUM = frozenset({Trait.SOLO, Trait.DUEL})
_interpreted: ContextVar[bool] = ContextVar("interpreted", default=False)


def interpreted() -> AbstractContextManager[None]:
    """Run rules in plain Python within, without loading the compiler; their first games must have
    been played."""
    return setting(_interpreted, True)


class RecordState(State[str]):
    """A state whose whole content is one record; rules and notation are its game's.

    A method with the meaning of an optional rule calls that rule: see `_method_of`.
    """

    __slots__ = ("_moves", "_rules", "_turn", "_view", "data", "game", "listed")

    game: RecordGame
    rank: Callable[[], int | None]

    def __init__(self, game: RecordGame, data: bytes) -> None:
        self.game, self.data = game, data
        self._turn: int | None = None
        self._moves: Moves | None = None
        self._rules: Rules | None = None
        self._view: Any = None
        self.listed: dict[str, int] = {}
        """The codes of legal moves that were looked at, by their texts."""

    @property
    def rules(self) -> Rules:
        if self._rules is None:
            self._rules = rules_of(self.game)
        return self._rules

    @property
    def evaluator(self) -> Evaluator:
        rules = self.rules
        return interpreted_of(rules, trusted=True) if _interpreted.get() else evaluator_of(rules)

    @property
    def teams(self) -> tuple[int, ...]:  # type: ignore[override]
        return self.game.teams

    @property
    def unit(self) -> float:  # type: ignore[override]
        return self.rules.unit

    @property
    def largest(self) -> float:  # type: ignore[override]
        return self.rules.largest * self.rules.unit

    @property
    def zero_sum(self) -> bool:  # type: ignore[override]
        return not self.rules.traits.isdisjoint(_ZERO_SUM)

    @property
    def repeats(self) -> bool:  # type: ignore[override]
        return Trait.REPETITION in self.rules.traits

    @property
    def record(self) -> Any:
        """A copy of the record, fields as attributes."""
        return self.rules.record(bytearray(self.data))

    @property
    def _exact(self) -> Any:
        """Return a copy of the record, as rules in plain Python read it."""
        return interpreted_of(self.rules).record(self.data)

    @property
    def view(self) -> Any:
        """The record itself, which must not be written."""
        if self._view is None:
            self._view = self.rules.record(self.data)
        return self._view

    @property
    def turn(self) -> int:
        if self._turn is None:
            self._turn = self.evaluator.turn(self.data)
        return self._turn

    def moves(self) -> Moves | tuple[()]:
        """The legal moves; the text of a move is made when it is first read."""
        if self.turn == TERMINAL:
            return ()
        if self._moves is None:
            self._moves = Moves(self, self.evaluator.moves(self.data))
        return self._moves

    def distinct(self) -> Moves | tuple[()]:
        """The legal moves that the rule `reduce` leaves."""
        if self.turn == TERMINAL:
            return ()
        return Moves(self, self.evaluator.distinct(self.data))

    def after(self, move: Hashable) -> RecordState:
        """The state after a legal move, in any spelling that the notation allows."""
        if (listed := self.listed.get(str(move))) is not None:
            return self.play(listed)
        code = self.code(str(move))
        if self.turn == TERMINAL:
            raise IllegalMove(f"the game is over, so {move} cannot be played in {self}")
        moves = self.moves()
        if not moves or code not in moves.codes.tolist():
            raise IllegalMove(
                self.rules.notation.objection(self.record, code, str(move), str(self))
            )
        return self.play(code)

    def successors(self) -> Iterator[RecordState]:
        """Yield the state after each legal move, in the order of `moves`; no text is made."""
        moves = self.moves()
        return map(self.play, moves.codes.tolist()) if isinstance(moves, Moves) else iter(())

    def play(self, code: int) -> RecordState:
        """The state after a move code that is known to be legal."""
        after = RecordState(self.game, self.evaluator.play(self.data, code))
        after._rules = self._rules
        return after

    @property
    def conceals(self) -> bool:  # type: ignore[override]
        """True if the game has the rule `hide`."""
        return self.rules.hide is not None

    def seen(self, seat: int) -> RecordState:
        """The state as a seat sees it: without what the rule `hide` removes."""
        return self if self.rules.hide is None else self._changed_by("hide", seat)[1]

    def determinize(self, rng: np.random.Generator) -> RecordState:
        """A world by the rule `deal`, or else by replay, from what the seat to move sees; raises
        GameError."""
        seat, notation = self.turn, self.rules.notation
        if seat < 0 or self.rules.hide is None:
            return self
        if self.rules.deal is None:
            return cast("RecordState", replayed(self.game, self.seen(seat), (), rng))
        world = self.seen(seat).dealt(seat, Random(int(rng.integers(1 << 63))).state)
        flaw = notation.flaw(world.view) if isinstance(notation, BaseNotation) else None
        if flaw is not None:
            raise GameError(f"{self} is not what seat {seat} sees, which is to move: {flaw}")
        return world

    def dealt(self, seat: int, random: Any) -> RecordState:
        """A world by the rule `deal` from this view of a seat; `random` is advanced, uint64[1]."""
        return self._changed_by("deal", seat, random)[1]

    def _changed_by(self, rule: str, *given: Any) -> tuple[Any, RecordState]:
        """Return the answer of a rule that changes the record, and the state that it leaves: itself
        where nothing is changed."""
        record = self._exact
        answer = interpreted_of(self.rules).call(rule, record, *given)
        if (data := record.tobytes()) == self.data:
            return answer, self
        state = RecordState(self.game, data)
        state._rules = self._rules
        return answer, state

    def payoff(self) -> tuple[float, ...]:
        unit = self.rules.unit
        return tuple(units * unit for units in self.evaluator.payoff(self.data))

    def odds(self) -> Sequence[float]:
        import numpy as np

        n = len(self.moves())
        out = np.full(n, 1 / n)
        if self.rules.odds is not None:
            interpreted_of(self.rules).call("odds", self._exact, out)
        return tuple(out.tolist())

    def skipped(self) -> RecordState | None:
        if self.rules.skip is None:
            return None
        may, passed = self._changed_by("skip")
        return passed if may else None

    def finished(self, random: Any) -> tuple[RecordState, int] | None:
        if self.rules.finish is None:
            return None
        plies, end = self._changed_by("finish", random.state)
        return end, plies

    def _scored(self, name: str, moves: Sequence[str], number: str) -> tuple[Any, ...]:
        """Return the numbers, of type `number`, that a rule writes for some moves."""
        import numpy as np

        if isinstance(moves, Moves):
            codes = moves.codes.copy()
        else:
            codes = np.array([self.code(move) for move in moves], np.int64)
        scores = np.zeros(len(codes), number)
        interpreted_of(self.rules).call(name, self._exact, codes, len(codes), scores)
        return tuple(scores.tolist())

    def sample(self, random: Any) -> str:
        return self.text(self.evaluator.sample(self.data, random))

    def key(self) -> int:
        return self.evaluator.key(self.data)

    def text(self, code: int) -> str:
        """A move code in the game's notation."""
        return self.rules.notation.move_text(self.view, code)

    def code(self, move: str) -> int:
        """The code of a move in the game's notation; raises BadNotation."""
        return self.rules.notation.move_code(self.view, move)

    def __str__(self) -> str:
        return self.rules.notation.position_text(self.view)

    def __repr__(self) -> str:
        return f"<{self.game}: {self}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RecordState):
            return NotImplemented
        return self.data == other.data and self.game == other.game

    def __hash__(self) -> int:
        return hash(self.data)

    def __deepcopy__(self, memo: Any) -> RecordState:
        return RecordState(self.game, self.data)  # neither of which ever changes

    def __reduce__(self) -> tuple[type[RecordState], tuple[RecordGame, bytes]]:
        return RecordState, (self.game, self.data)

    def picture(self) -> str:
        """The position drawn in text, several lines."""
        return self.rules.notation.picture(self.record)

    def svg(self) -> str:
        """The position drawn as SVG, where the notation can."""
        return self.rules.notation.svg(self.record)


def _method_of(rule: Contract) -> Callable[..., Any]:
    """Return the method of RecordState that calls an optional rule, interpreted.

    Units become payoffs, and codes moves. Where the game does not have the rule, it is the default
    of State, or None.
    """
    name, shape, returns = rule.name, rule.kinds[1:], rule.returns
    default = getattr(State, rule.method, lambda state, *given: None)

    def method(self: RecordState, *given: Any) -> Any:
        if getattr(self.rules, name) is None:
            return default(self, *given)
        if shape == ("moves",):
            found = interpreted_of(self.rules).listing(name, self.data)
            return None if found is None else Moves(self, found)
        if shape[:2] == ("moves", "number"):
            return self._scored(name, given[0], ARRAYS[shape[2]])
        if shape == ("bytes",):
            given = (self.rules.opened(),)
        answer = interpreted_of(self.rules).call(name, self._exact, *given)
        match returns:
            case "units":
                return answer * self.unit
            case "units and units":
                return answer[0] * self.unit, answer[1] * self.unit
            case "units and plies":
                return None if answer[1] < 0 else (answer[0] * self.unit, answer[1])
        return answer

    method.__name__, method.__doc__ = rule.method, default.__doc__
    return method


for _rule in (RULES[name] for name in OPTIONAL):
    if _rule.method and _rule.method not in vars(RecordState):
        setattr(RecordState, _rule.method, _method_of(_rule))


@frozen
class RecordGame(Game[str]):
    """A game given by Rules: `rules()` is all that its author writes."""

    @abstractmethod
    def rules(self) -> Rules:
        """The rules for these parameters; called once for each game value."""

    def start(self, rng: int | np.random.Generator = 0) -> RecordState:
        """The first state: a record of zeros, or what `setup` makes of one."""
        return RecordState(self, first_record(self, rules_of(self), rng))

    def setup(self, *args: Any, **kwargs: Any) -> None:
        """`setup(record)` or `setup(record, random)`: fills the first record in place.

        random: uint64[1], the generator of `dragon.bits.draw`, for what is dealt; the seed of
        `start` decides it. It runs in plain Python. Zeros are left as they are by default.
        """

    def parse(self, text: str) -> RecordState:
        """The state written as `text`; raises BadNotation.

        The notation reads it into the first record: zeros, then what `setup` wrote of seed 0.
        """
        rules = rules_of(self)
        record = RecordState(self, rules.first).record
        rules.notation.parse(record, text)
        return RecordState(self, bytes(record.tobytes()))


@cache
def rules_of(game: RecordGame) -> Rules:
    """The rules of a game value, built once.

    Where positions recur, their value depends on their history: on the plies that are left, say. A
    key without the history would be wrong (the graph history interaction problem; Kishimoto and
    Müller 2004), so the key is then the default, a hash of the whole record.
    """
    check_teams(game)
    check_traits(game)
    try:
        given = game.rules()
    except PluginError as wrong:
        place = author_place(wrong)
        where = "" if isinstance(wrong, RuleError) or place is None else f"{place}: "
        raise PluginError(f"{where}{type(game).__name__}.rules(): {wrong}") from wrong
    if not isinstance(given, Rules):
        raise PluginError(
            f"{type(game).__name__}.rules() must return Rules, but it returned {given!r}"
            + ("; is a `return` missing?" if given is None else "")
        )
    for name, function in given.named().items():
        if not isinstance(function, FunctionType):
            raise PluginError(
                f"{type(game).__name__}.rules(): the rule {name!r} must be a plain function, "
                f"but it is {function!r}"
            )
    key = None if Trait.REPETITION in game.traits else given.key
    rules = attrs.evolve(given, teams=game.teams, traits=game.traits, label=str(game), key=key)
    rules = attrs.evolve(rules, first=first_record(game, rules, 0))
    _check_first(game, rules)
    return rules


def _check_first(game: RecordGame, rules: Rules) -> None:
    """Raise PluginError for a first record that, by its notation, is not a position.

    A record that its text reads back is accepted, for an author's own notation.
    """
    record, again = rules.record(bytearray(rules.first)), rules.blank()
    notation = rules.notation
    if not (any(rules.first) and isinstance(notation, BaseNotation)):
        return
    flaw = notation.flaw(record)
    if flaw is None:
        return
    with suppress(DragonError):
        notation.parse(again, notation.position_text(record))
    if again.tobytes() == rules.first:
        return
    read_rules(rules, strict=True)  # which reports mistakes in the fields
    code = type(game).setup.__code__
    raise PluginError(
        f"{code.co_filename}:{code.co_firstlineno}: {type(game).__name__}.setup: {flaw}; put one "
        "stone on a cell"
    )


def first_record(game: RecordGame, rules: Rules, rng: int | np.random.Generator) -> bytes:
    """The record that a game begins with; `rng`: a seed, or a Generator, which is consumed."""
    record = rules.blank()
    takes = len(signature(game.setup).parameters)
    if type(game).setup is RecordGame.setup:
        pass
    elif takes == 1:
        game.setup(record)
    elif takes != 2:
        raise PluginError(
            f"{type(game).__name__}.setup takes {takes} arguments; write setup(self, record) or "
            "setup(self, record, random)"
        )
    else:
        import numpy as np

        seed = int(np.random.default_rng(rng).integers(1 << 63))
        game.setup(record, Random(seed).state)
    return bytes(record.tobytes())


def has_kernels(state: State[Any]) -> TypeGuard[RecordState]:
    """Return True if the state's game has Rules, and DRAGON_JIT lets kernels be compiled for it."""
    return isinstance(state, RecordState) and jit_enabled()


def defines(state: State[Any], rule: str) -> bool:
    """Return whether a game has an optional rule of its own, or a State its method."""
    if isinstance(state, RecordState):
        return getattr(state.rules, rule) is not None
    method = RULES[rule].method
    return getattr(type(state), method, None) is not getattr(State, method, None)
