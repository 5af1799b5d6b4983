"""Search and Run: an algorithm, and its memory during a game; Position, Limit and Result.

A Search turns a State into a stream of ever better Results; time limits, progress bars and live
pages only consume that stream.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from enum import Enum
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, ClassVar

import attrs
from attrs import field, frozen

from dragon.core.game import CHANCE, TERMINAL, Game, State, Trait, UnnamedGame, game_of
from dragon.core.spec import Named
from dragon.errors import DragonError, Objection, PluginError, SearchError
from dragon.moved import missing

if TYPE_CHECKING:
    from typing import Self

    import numpy as np


def _positive(instance: object, attribute: attrs.Attribute[Any], value: float | None) -> None:
    if value is not None and not (isinstance(value, int | float) and value > 0):
        raise ValueError(f"{attribute.name} must be a positive number, not {value!r}")


def _count(instance: object, attribute: attrs.Attribute[Any], value: int | None) -> None:
    if value is not None and not (isinstance(value, int) and value > 0):
        raise ValueError(f"{attribute.name} must be a positive whole number, not {value!r}")


@frozen(repr=False)
class Limit:
    """The limits of a search: it stops at the first that is reached; without any it runs until
    proven.

    >>> Limit(depth=6)
    Limit(depth=6)
    """

    seconds: float | None = field(default=None, validator=_positive)
    """Wall-clock seconds of the search itself."""
    nodes: int | None = field(default=None, validator=_count)
    """States visited."""
    depth: int | None = field(default=None, validator=_count)
    """Plies looked ahead."""
    simulations: int | None = field(default=None, validator=_count)
    """Simulations or samples."""

    def __repr__(self) -> str:
        shown = ((a.name, getattr(self, a.name)) for a in attrs.fields(type(self)))
        return f"Limit({', '.join(f'{k}={v}' for k, v in shown if v is not None)})"

    def __bool__(self) -> bool:
        return self != UNLIMITED


UNLIMITED = Limit()
POLICY = "policy"
"""The key of `Result.extra` for a distribution over moves: the probability of each, by its text."""


HORIZON = 30
"""The number of further moves for which the time of a clock is assumed to last."""


class Bound(Enum):
    """The relation of a value to the truth."""

    EXACT = "="
    LOWER = ">="
    UPPER = "<="
    ESTIMATE = "~"

    def __str__(self) -> str:
        return self.value

    @property
    def turned(self) -> Bound:
        """The relation of the negative value: to the truth as the other side sees it."""
        return {Bound.LOWER: Bound.UPPER, Bound.UPPER: Bound.LOWER}.get(self, self)


@frozen
class Result:
    """The claim of a search about a position.

    `value` is in payoff units, for the seat to move at the root (seat 0 at a CHANCE
    root). `line` is the principal variation. `error` is a standard error, 0 where none
    applies. `seconds` counts the search alone: no reading, importing or compiling.
    """

    value: float
    bound: Bound = Bound.ESTIMATE
    line: tuple[Any, ...] = ()
    error: float = 0.0
    nodes: int = 0
    seconds: float = 0.0
    extra: dict[str, Any] = field(factory=dict, eq=False)

    @property
    def move(self) -> Any:
        """The first move of the line, or None if the line is empty."""
        return self.line[0] if self.line else None


class LazyGenerator:
    """A lazy generator: numpy's for a seed, made when something is drawn.

    Making numpy's takes as long as a small search, and most searches draw nothing.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    @cached_property
    def _generator(self) -> np.random.Generator:
        import numpy as np

        return np.random.default_rng(self._seed)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._generator, name)


@frozen
class Position:
    """A state to be searched, and the moves of its game so far, where these are known.

    Most searches need only the state. A client of an external program, which keeps its own board,
    needs the moves.
    """

    state: State[Any]
    start: State[Any] | None = None
    """The state where the game began; None where that is not known, or something is hidden."""
    moves: tuple[str, ...] = ()
    """The moves of all seats, and chance, since `start`, in the game's notation."""
    remaining: float | None = None
    """Seconds on the clock of the seat to move; None without a clock."""
    left: int | None = None
    """The number of moves for which this time must last; None: all of the game."""
    increment: float = 0.0
    """Seconds that its clock gains with each of its moves."""
    information: tuple[Any, ...] = ()
    """All that the seat to move has seen and done since the game began, in a HIDDEN game; see
    `informed`. Empty where that is not known."""

    def seen(self, recalls: bool = False) -> Position:
        """The position as the seat to move sees it, with its `information` if that is wanted."""
        seat = self.state.turn
        if seat < 0 or (seen := self.state.seen(seat)) is self.state:
            return self
        information = self.information
        if recalls and not information and self.start is not None:
            information = self._recalled(self.start, seat)
        return attrs.evolve(self, state=seen, start=None, moves=(), information=information)

    def _recalled(self, state: State[Any], seat: int) -> tuple[Any, ...]:
        """Return the moves and views of a seat since the start of the game."""
        information = informed((), state.seen(seat))
        for text in self.moves:
            own = state.turn == seat
            move = next(move for move in state.moves() if str(move) == text)
            state = state.after(move)
            information = informed(information, state.seen(seat), move if own else None)
        return information


def informed(information: tuple[Any, ...], view: State[Any], own: Any = None) -> tuple[Any, ...]:
    """Return what a seat has seen and done, with its view after a move; `own`: the move if its own.

    Its *information state* is its first view, then each own move, and each view that differs from
    the last. Moves that it does not see are not listed, since their number would give information.
    """
    last = next((event for event in reversed(information) if isinstance(event, State)), None)
    moved = information if own is None else (*information, own)
    return moved if view == last else (*moved, view)


def move_time(
    remaining: float, moves: int | None, increment: float = 0.0, horizon: int = HORIZON
) -> float:
    """Return the seconds to think about the next move, given the seconds on the clock.

    This is an even share for each of the `moves` to come (None: HORIZON of them), plus three
    quarters of the increment, but at most half of what remains.

    >>> move_time(60, None, increment=1), move_time(60, 15)
    (2.75, 4.0)
    """
    return min(remaining / (moves or horizon) + 0.75 * increment, remaining / 2)


class Run:
    """The memory of a search for one seat in one game; a context, which frees it.

    The default keeps nothing. A subclass defines `improve`, and `close` where there is
    something to free.
    """

    _openers: tuple[Search, ...] = ()
    """The searches whose `open` made it: more than one if a search delegates to another."""
    _opened_for: Game[Any] | None = None
    """The game that `open` was given."""
    _admitted: Game[Any] | None = None
    """The last game to which the search did not object."""

    def __init__(self, search: Search, game: Game[Any] | None = None) -> None:
        self.search, self.game = search, game

    def admit(self, state: State[Any]) -> None:
        """Raise Objection for a state of a game that the search cannot play.

        The game given to `open`, and the last one tested, are not tested again. A state whose
        `game` is None is assumed to be of the game given to `open`, if any.
        """
        # Games are compared once for each object: it may take as long as a small search.
        if self._admitted is None or state.game is not self._admitted:
            game = game_of(state)
            if game == self._admitted:
                self._admitted = game
            elif self._opened_for is None or type(game) is not UnnamedGame:
                for search in self._openers or (self.search,):
                    search.check(game)
                self._admitted = game
        if state.conceals or state.turn == CHANCE:
            self._refuse_unsaid(state)

    def _refuse_unsaid(self, state: State[Any]) -> None:
        """Raise Objection for an excluded trait that a state shows and its game does not have."""
        assert self._admitted is not None  # just tested
        for trait, shown in ((Trait.HIDDEN, state.conceals), (Trait.CHANCE, state.turn == CHANCE)):
            for search in self._openers or (self.search,):
                if shown and trait in search.excludes - self._admitted.traits:
                    raise Objection(
                        f"{search} does not support {_supported(trait)}, which there is in "
                        f"{state}; add the trait {trait} to {self._admitted}"
                    )

    def improve(
        self, position: Position, limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """Search a position, with the memory of earlier ones; see `Search.improve`."""
        return self.search.improve(position.state, limit, rng)

    def close(self) -> None:
        """Free the memory of the run; the game is over."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def results(
        self, position: Position, limit: Limit | None = None, rng: int | np.random.Generator = 0
    ) -> Iterator[Result]:
        """The stream of `improve`, from a seed or a Generator.

        A terminal state's result is its payoff. A search never sees information that is hidden from
        the seat to move. Raises Objection for a state of a game that the search cannot play, and
        SearchError where memory or Python's stack does not suffice.
        """
        if position.state.turn == TERMINAL:
            yield Result(value=position.state.payoff()[0], bound=Bound.EXACT)
            return
        self.admit(position.state)
        position = position.seen(self.search.recalls)
        try:
            stream = self.improve(position, limit or UNLIMITED, self._generator(rng))
            if not isinstance(stream, Iterable):
                raise self._not_a_result("returns", stream)
            try:
                for result in stream:
                    if not isinstance(result, Result):
                        raise self._not_a_result("yields", result)
                    yield result
            finally:
                if isinstance(stream, Generator):
                    stream.close()
        except MemoryError as full:
            raise SearchError(
                f"{self.search}: there is not enough memory; take fewer megabytes"
            ) from full
        except RecursionError as deep:
            raise SearchError(
                f"{self.search}: the lines from {position.state} are too long for plain Python; "
                f"limit the depth"
            ) from deep

    def _not_a_result(self, does: str, given: object) -> PluginError:
        """Return the error for an `improve` that yields anything but Results."""
        own = type(self.search) if type(self).improve is Run.improve else type(self)
        code = getattr(own.improve, "__code__", None)
        place = f"{code.co_filename}:{code.co_firstlineno}: " if code is not None else ""
        return PluginError(
            f"{place}{own.__name__}.improve {does} "
            f"{'None' if given is None else f'a value of type {type(given).__name__}'}; "
            "`yield` each dragon.Result"
        )

    def _generator(self, rng: int | np.random.Generator | LazyGenerator) -> Any:
        """The generator that `improve` draws from."""
        if isinstance(rng, LazyGenerator):
            return rng
        if isinstance(rng, int) and self.search.deterministic:
            return LazyGenerator(rng)
        import numpy as np

        return np.random.default_rng(rng)

    def best(
        self, position: Position, limit: Limit | None = None, rng: int | np.random.Generator = 0
    ) -> Result:
        """The last of `results`: what the search claims when its limit is reached."""
        last = deque(self.results(position, limit, rng), maxlen=1)
        if not last:
            raise SearchError(f"{self.search} ended without a result on {position.state}")
        return last[0]


def _supported(trait: Trait) -> str:
    """Return a trait as objections name it."""
    return str(trait) + " information" * (trait is Trait.HIDDEN)


def _objecting(opens: Callable[..., Run]) -> Callable[..., Run]:
    """Decorate an `open` so that it raises Objection first, for a game that its search cannot play.

    `Search.__init_subclass__` decorates every `open`, since every search begins there, and the test
    must come before an author's `open` starts a process. Only the outermost call tests, so that
    `super().open(game)` does not test again.
    """

    @wraps(opens)
    def asking(self: Search, game: Game[Any] | None = None, *args: Any, **kwargs: Any) -> Run:
        if type(self).open is not asking:
            return opens(self, game, *args, **kwargs)
        if game is not None:
            self.check(game)
        run = opens(self, game, *args, **kwargs)
        if not isinstance(run, Run):
            raise PluginError(
                f"{type(self).__name__}.open must return a Run, but it returned {run!r}"
                + ("; is a `return` missing?" if run is None else "")
            )
        if self not in run._openers:
            run._openers = (*run._openers, self)
        run._opened_for = run._admitted = game
        return run

    asking.asking = asking  # type: ignore[attr-defined]  # a mark that no other wrapper copies
    return asking


def _variant(game: Game[Any], traits: frozenset[Trait]) -> Game[Any] | None:
    """Return a variant of the game, with one parameter changed, that has these traits; None if
    there is none."""
    for setting in attrs.fields(type(game)) if attrs.has(type(game)) else ():
        given = setting.metadata.get("choices") or getattr(setting.validator, "options", ())
        options = (True, False) if setting.type == "bool" else given
        for option in options:
            try:
                variant = attrs.evolve(game, **{setting.alias: option})
            except (DragonError, ValueError, TypeError):  # the other settings do not allow it
                continue
            if traits <= variant.traits:
                return variant
    return None


@frozen
class Search(Named):
    """An algorithm with its settings, as an immutable value. Its memory during a game is in a Run.

    Authors write `improve`, or, where something is kept from move to move of a game (a tree, a
    table, a process), `open`.
    """

    needs: ClassVar[frozenset[Trait]] = frozenset()
    """Traits that the game must have. Used by `objection`."""
    excludes: ClassVar[frozenset[Trait]] = frozenset()
    """Traits that the game must not have. Used by `objection`."""
    proves: ClassVar[bool] = True
    """True if its value becomes exact, given enough time. Used by `dragon searches` and
    adjudication."""
    values: ClassVar[bool] = True
    """True if its values are estimates of the payoff; false if they are always 0. Used by
    adjudication."""
    limits: ClassVar[frozenset[str]] = frozenset({"seconds", "nodes", "depth", "simulations"})
    """The fields of a Limit that it obeys; it ignores the others. Used by `caveat`."""
    recalls: ClassVar[bool] = False
    """True if it plays with perfect recall: it is given `Position.information`, all that the seat
    has seen and done. Used by every run."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        opens = cls.open
        if getattr(opens, "asking", None) is not opens:
            # attrs makes a class with slots twice, and gives the functions that it finds in it the
            # second as `__class__`, which `super()` needs: it must find the author's own.
            cls._own_open = opens  # type: ignore[attr-defined]
            cls.open = _objecting(opens)  # type: ignore[method-assign]

    @property
    def deterministic(self) -> bool:
        """Return True if it plays the same for every seed, under equal limits other than seconds.

        Used by tournaments, whose games would repeat one another.
        """
        return False

    @property
    def files(self) -> tuple[str, ...]:
        """Paths of files that affect its play, such as the program of an engine.

        Used by tournaments, which say if they change between two runs.
        """
        return ()

    def offer(self, game: Game[Any]) -> str | None:
        """A sentence, without capital and full stop, about a file that `make` could make for a
        game, such as a table, and its cost; None, as by default: nothing. It must be quick. Used by
        the Analyse page.
        """
        return None

    def make(self, game: Game[Any]) -> Iterator[float]:
        """Make the file that `offer` names, and yield the part that is done, from 0 to 1.

        If the stream is closed early, a later call may continue from the part that was made.

        Used by the Analyse page.
        """
        raise PluginError(
            f"{type(self).__name__} offers something and does not define `make` (which was called "
            "`prepare`)"
        )

    def improve(
        self, state: State[Any], limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """Yield ever better results for a state that is not terminal; may be closed at any yield.

        `rng` is consumed. There must be at least one result, with a legal move, however tight the
        limit.
        """
        raise TypeError(f"{type(self).__name__} has neither `improve` nor an `open` of its own")

    @_objecting
    def open(self, game: Game[Any] | None = None) -> Run:
        """The run that plays one seat of one game, ready for its first move; the caller closes it.

        No clock runs yet, so a search that needs a process starts it here. `game` is None where a
        single state is searched. Raises Objection for a game that the search cannot play; this is
        tested before an author's own `open` runs.
        """
        return Run(self, game)

    def results(
        self, state: State[Any], limit: Limit | None = None, seed: int = 0
    ) -> Iterator[Result]:
        """The results of a run for this state alone; raises Objection as `open` does."""
        with self._open_for(state) as run:
            yield from run.results(Position(state), limit, seed)

    def best(self, state: State[Any], limit: Limit | None = None, seed: int = 0) -> Result:
        """The last of `results`: what the search claims when its limit is reached."""
        with self._open_for(state) as run:
            return run.best(Position(state), limit, seed)

    def _open_for(self, state: State[Any]) -> Run:
        """A run for a state: for its game, where the state knows it."""
        game = game_of(state)
        if type(game) is not UnnamedGame:
            return self.open(game)
        self.check(game)  # before `open`, which may start a process
        run = self.open()
        run._admitted = game
        return run

    def objection(self, game: Game[Any]) -> str | None:
        """Why this search cannot play this game here, as a sentence; None if it can.

        It is called often, before a search begins, so it must be quick: it looks at the game's
        parameters and at this machine (is a program or a file there?), and does not search.
        """
        traits = game.traits
        if self.needs <= traits and self.excludes.isdisjoint(traits):
            return None
        missing = sorted(str(t) for t in self.needs - traits)
        if excluded := self.excludes & traits:
            names = sorted(map(_supported, excluded))
            sentence = f"{self} does not support {' and '.join(names)} ({game})"
            if excluded == {Trait.HIDDEN} and not missing:
                return f"{sentence}; wrap it in determinize(search={str(self)!r})"
            return sentence
        if missing == [str(Trait.SOLO)]:
            return f"{self} needs solo, a game of one seat ({game} has {len(game.teams)})"
        variant = _variant(game, self.needs)
        remedy = f"; {variant} has" if variant is not None else ""
        return f"{self} needs {' and '.join(missing)} ({game} has none{remedy})"

    def caveat(self, limit: Limit) -> str | None:
        """Return a sentence about the fields of `limit` that this search ignores; None if it obeys
        all."""
        given = [a.name for a in attrs.fields(Limit) if getattr(limit, a.name) is not None]
        idle = [name for name in given if name not in self.limits]
        if not idle:
            return None
        known = [a.name for a in attrs.fields(Limit) if a.name in self.limits]
        others = f"but not one in {' or '.join(known)}" if known else "and any other"
        return f"{self} ignores a limit in {' or '.join(idle)}, {others}"

    def check(self, game: Game[Any]) -> None:
        """Raise Objection if this search cannot play `game`."""
        if sentence := self.objection(game):
            raise Objection(sentence)


def __getattr__(name: str) -> Any:
    raise missing(__name__, name)
