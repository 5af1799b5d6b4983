"""Laws, their failures, and the states that they are tried on."""

from __future__ import annotations

import copy
import math
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import frozen

from dragon.compiler.location import OURS, places
from dragon.config import build
from dragon.core import TERMINAL, Game, Search, State, Trait
from dragon.core.spec import parse_call
from dragon.errors import DragonError
from dragon.modes import setting
from dragon.rules.record import RecordGame, rules_of

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")
GAMES = 3
"""Random games that a law is tried on."""
DEALS = 50
"""Seeds whose deals are looked at, where a game has several."""
KEPT = 12
"""States of each game: the first, the last, and some between."""
FEW = 5000
"""The most states of a game without Rules that are all visited."""
SECONDS = 1.0
"""Processor time that a law of states may take for these, beyond those of random games."""
FEWEST = 5
"""The least expected count for which a count is significant."""
ONE_IN_A_MILLION = 4.753
"""The normal deviate that is exceeded once in a million times."""
PATIENCE = 10_000
"""Plies after which a game without Rules is given up; Rules declare `plies`."""


class LawBroken(AssertionError):
    """A game or search breaks a law: where, what was expected, and what was seen instead."""

    def __init__(self, expected: object, seen: object, position: object = None) -> None:
        super().__init__(expected, seen, position)
        self.expected, self.seen, self.position = str(expected), str(seen), position
        self.sentence = "A law is broken."
        self.subject = ""
        self.cause = ""
        """The error that ended the law, if one did."""
        self.remedy = ""

    def __str__(self) -> str:
        lines = [self.sentence]
        if self.subject:
            lines.append(f"  of:       {self.subject}")
        if self.position is not None:
            lines.append(f"  position: {_shown(self.position)}")
        lines += [f"  expected: {self.expected}", f"  seen:     {self.seen}"]
        if self.remedy:
            lines.append(f"  remedy:   {self.remedy}")
        return "\n".join(lines)


def _shown(position: object) -> str:
    try:
        return str(position)
    except Exception as broken:  # the position's own text may be what is broken
        return f"<a {type(position).__name__} whose str raises {type(broken).__name__}>"


REMEDIES = {
    Trait.HIDDEN: "is given only what the seat to move sees",
    Trait.CHANCE: "meets positions where chance moves (turn is CHANCE)",
}


def remedy(search: Any, game: Any = None) -> str:
    """Name the traits of a game that may explain what a search does wrong on it."""
    if game is None:
        return ""
    return "; ".join(
        f"a search of a game with {trait.name} {meets}; if it cannot play that, "
        f"put Trait.{trait.name} among its `excludes`"
        for trait, meets in REMEDIES.items()
        if trait in game.traits - search.excludes
    )


def expect(holds: object, expected: object, seen: object, position: object = None) -> None:
    """Raise LawBroken unless it `holds`."""
    if not holds:
        raise LawBroken(expected, seen, position)


@frozen(eq=False)
class Law:
    """One law: `law(game)` or `law(search, game)` raises LawBroken where it does not hold."""

    name: str
    sentence: str
    """The statement that holds; also the heading of its error."""
    judge: Callable[..., None]
    applies: Callable[[Any], bool]
    """True if the law applies to a game."""

    def __call__(self, *subjects: Any, seed: int = 0) -> None:
        """Try the law; any exception of its subject breaks it."""
        try:
            self.judge(*subjects, seed)
        except LawBroken as broken:
            self._sign(broken, subjects)
            raise
        except Exception as raised:  # whatever it raises, it should not have
            own = [place for place in places(raised) if not place.file.startswith(OURS)]
            where = f" ({own[-1]})" if own and not isinstance(raised, DragonError) else ""
            seen = f"{type(raised).__name__}: {raised}{where}"
            ended = self._sign(LawBroken("no error", seen), subjects)
            ended.cause = seen
            ended.remedy = remedy(*subjects)
            raise ended from raised

    def failure(self, seen: str, *subjects: Any) -> str:
        """Return the message of a law that was ended from outside, by what was seen."""
        return str(self._sign(LawBroken("a verdict", seen), subjects))

    def _sign(self, broken: LawBroken, subjects: tuple[Any, ...]) -> LawBroken:
        broken.sentence, broken.subject = self.sentence, " on ".join(map(_shown, subjects))
        return broken

    def __str__(self) -> str:
        return self.name


def _law(function: Any, judge: Callable[..., None], applies: Callable[[Any], bool]) -> Law:
    sentence = " ".join((function.__doc__ or "").split())
    return Law(function.__name__, sentence, judge, applies)


def has_rules(game: Any) -> bool:
    """Return True if a game is given by Rules, and its states are records.

    A game with HIDDEN whose Rules do not have `hide` makes states of another class.
    """
    if not isinstance(game, RecordGame):
        return False
    return Trait.HIDDEN not in game.traits or rules_of(game).hide is not None


def game_law(applies: Callable[[Any], bool] = lambda game: True) -> Callable[[Any], Law]:
    """A law of a whole game: `function(game, seed)`."""
    return lambda function: _law(function, function, applies)


def state_law(
    applies: Callable[[Any], bool] = lambda game: True,
    others: Callable[[Any, int], Iterable[State[Any]]] | None = None,
    at: Callable[[int], bool] = lambda turn: True,
) -> Callable[[Any], Law]:
    """A law of each state: `function(game, state)`, tried on those of `walk`.

    others: returns further states, on which it is tried within SECONDS; by default those of a small
    game without Rules. at: the turns at which it says something.
    """

    def mark(function: Any) -> Law:
        def judge(game: Game[Any], seed: int) -> None:
            more = within(SECONDS, (others or visited)(game, seed))
            for state in chain(walk(game, seed), more):
                if at(state.turn):
                    function(game, state)

        return _law(function, judge, applies)

    return mark


def of_seat(turn: int) -> bool:
    """Return True if a seat is to move."""
    return turn >= 0


def at_end(turn: int) -> bool:
    """Return True if the game is over."""
    return turn == TERMINAL


def before_end(turn: int) -> bool:
    """Return True if a seat or chance is to move."""
    return turn != TERMINAL


def search_law(applies: Callable[[Any], bool] = lambda game: True) -> Callable[[Any], Law]:
    """A law of searches: `function(search, game, state)`, tried on copies of `posed` states."""

    def mark(function: Any) -> Law:
        def judge(search: Any, game: Game[Any], seed: int) -> None:
            for state in posed(game, seed):
                function(search, game, copied(state, game))

        return _law(function, judge, applies)

    return mark


def copied(state: State[Any], game: Game[Any]) -> State[Any]:
    """Return a copy of a state, of the given game, which never changes."""
    return copy.deepcopy(state, {id(game): game})


_effort: ContextVar[int] = ContextVar("effort", default=1)


def effort(times: int) -> AbstractContextManager[None]:
    """Multiply, within, the number of games on which laws are tried."""
    return setting(_effort, times)


def of_effort(amount: int) -> int:
    """Return an amount, multiplied by the effort."""
    return amount * _effort.get()


def walk(game: Game[Any], seed: int = 0) -> tuple[State[Any], ...]:
    """Return states of a few random games, each game's in order; at most KEPT of each."""
    return _walk(game, seed, of_effort(GAMES))


@lru_cache(maxsize=64)
def _walk(game: Game[Any], seed: int, games: int) -> tuple[State[Any], ...]:
    return fresh(game, seed, games)


def fresh(game: Game[Any], seed: int, games: int = GAMES) -> tuple[State[Any], ...]:
    """Return new copies of the states of `walk`, whose caches are empty."""
    chosen: list[State[Any]] = []
    for number in range(games):
        dice = random.Random(f"{seed} {number}")
        states = list(random_game(game, game.start(seed + number), dice))
        places = set(range(len(states)))
        if len(states) > KEPT:
            ends = {0, 1, len(states) - 2, len(states) - 1}
            places = ends | set(dice.sample(range(len(states)), KEPT - len(ends)))
        chosen += (states[i] for i in sorted(places))
    return tuple(chosen)


def random_game(
    game: Game[Any], state: State[Any], dice: random.Random, played: list[Any] | None = None
) -> Iterator[State[Any]]:
    """Yield a state and all that follow it in one random game; a game that is too long is given
    up. The moves are added to `played`."""
    longest = rules_of(game).plies + 1 if isinstance(game, RecordGame) else PATIENCE
    for _ in range(longest):
        yield state
        moves = state.moves()
        if state.turn == TERMINAL or not len(moves):
            return
        move = moves[dice.randrange(len(moves))]
        if played is not None:
            played.append(move)
        state = state.after(move)
    yield state


@lru_cache(maxsize=8)
def visited(game: Game[Any], seed: int = 0) -> tuple[State[Any], ...]:
    """Every state of a small game without Rules; empty where one cannot be asked.

    If one raises, `law_equal_states_are_alike`, which uses `all_states` itself, reports it.
    """
    try:
        return all_states(game, seed)
    except Exception:
        return ()


def all_states(game: Game[Any], seed: int = 0) -> tuple[State[Any], ...]:
    """Return every state of a small game without Rules, in an order drawn at random.

    Empty where there are more than FEW.
    """
    if isinstance(game, RecordGame):
        return ()
    found: dict[str, State[Any]] = {}
    spent = clock(SECONDS)
    waiting = [game.start(seed + number) for number in range(DEALS)]
    while waiting:
        here = waiting.pop()
        if (text := str(here)) in found:
            continue
        found[text] = here
        if len(found) > FEW or spent():
            return ()
        if here.turn != TERMINAL:
            moves = here.moves()
            if len(moves) > FEW:
                return ()
            waiting += [here.after(move) for move in moves]
    every = list(found.values())
    random.Random(seed).shuffle(every)
    return tuple(every)


def within(seconds: float, items: Iterable[T]) -> Iterator[T]:
    """Yield items until `seconds` of processor time have passed, or twice as much by the clock."""
    spent = clock(seconds)
    for item in items:
        if spent():
            return
        yield item


def clock(seconds: float) -> Callable[[], bool]:
    """Return a function: whether `seconds` of processor time have passed, or twice as much time."""
    begun, ends = time.perf_counter(), time.process_time() + seconds
    return lambda: time.process_time() > ends or time.perf_counter() > begun + 2 * seconds


@lru_cache(maxsize=64)
def posed(game: Game[Any], seed: int = 0) -> tuple[State[Any], ...]:
    """Return the few states that searches are tried on: the start, and some from middle and end."""
    open_states = [state for state in _walk(game, seed, GAMES) if state.turn != TERMINAL]
    n = len(open_states)
    return tuple(open_states[i] for i in sorted({0, n // 3, n // 2, n - 1}) if 0 <= i < n)


def states(game: Game[Any], plies: int = 200) -> SearchStrategy[State[Any]]:
    """A strategy of hypothesis, which it imports: states that play from the start can reach.

    They shrink toward the start and the first moves. Every seed's start is possible, and at most
    `plies` moves follow.
    """
    from hypothesis import strategies as st

    @st.composite
    def reached(draw: Any) -> State[Any]:
        state = game.start(draw(st.integers(0, 1 << 16)))
        for _ in range(draw(st.integers(0, plies))):
            if state.turn == TERMINAL:
                break
            moves = state.moves()
            state = state.after(moves[draw(st.integers(0, len(moves) - 1))])
        return state

    return reached()


def reads_back(value: Game[Any] | Search) -> None:
    """Raise LawBroken unless the text of a game or search, read as a spec, is the same."""
    name, settings = parse_call(str(value))
    again = build(type(value), settings)
    expect((name, again) == (value.name, value), repr(value), f"{again!r}, called {name}")


def some(items: Sequence[T], most: int) -> list[T]:
    """All items, or `most` spread evenly over them, the first and the last among them."""
    n = len(items)
    if n <= most:
        return [items[i] for i in range(n)]
    return [items[i * (n - 1) // (most - 1)] for i in range(most)]


def reachable(state: State[Any], most: int) -> int:
    """Count the states that can be reached, itself included; stop counting past `most`."""
    seen, waiting = {state}, [state]
    while waiting and len(seen) <= most:
        here = waiting.pop()
        if here.turn == TERMINAL:
            continue
        if len(here.moves()) > most:
            return most + 1
        after = {here.after(move) for move in here.moves()} - seen
        seen |= after
        waiting += after
    return len(seen)


def unlikely(seen: Sequence[float], odds: Sequence[float], games: float = math.inf) -> bool:
    """Return True if counts differ from their odds with p < 1e-6, by Pearson's chi-square test.

    games: the number of games in which the odds were counted, if they are not exact. Values with an
    expected count below FEWEST are counted together. By Wilson and Hilferty (1931) the cube root of
    a chi-square is nearly normal.
    """
    total = sum(seen)
    groups: list[tuple[float, float]] = []
    count = due = 0.0
    for p, n in sorted(zip(odds, seen, strict=True)):
        count, due = count + n, due + p * total
        if due >= FEWEST:
            groups.append((count, due))
            count = due = 0.0
    if groups:  # what is left over is less than FEWEST
        last, expected = groups.pop()
        groups.append((last + count, expected + due))
    free = len(groups) - 1
    if free < 1:
        return False
    square = sum((n - due) ** 2 / (due * (1 + total / games)) for n, due in groups)
    spread = 2 / (9 * free)
    deviate: float = ((square / free) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return deviate > ONE_IN_A_MILLION
