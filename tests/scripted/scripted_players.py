"""A plugin for tests: players that misbehave on cue, one that does not, and tiny games.

The folder is a distribution by itself (its .dist-info tells the entry point), so that worker
processes find it as they find any plugin once the folder is on their path.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import field, frozen
from attrs.validators import in_

from dragon import (
    CHANCE,
    TERMINAL,
    Bound,
    Game,
    IllegalMove,
    Result,
    Run,
    Search,
    State,
    TournamentError,
    Trait,
    hookimpl,
)


class Grudge(Exception):
    """An error that cannot be pickled, nor put into words."""

    def __init__(self) -> None:
        super().__init__(lambda: None)

    def __str__(self) -> str:
        raise RuntimeError("no words")


class Slippery:
    """A move that objects to being compared, hashed or shown."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("do not compare me")

    def __repr__(self) -> str:
        raise RuntimeError("do not show me")


def _raise(error: BaseException | None = None) -> Any:
    raise error or Grudge()


def _blame() -> Any:
    from dragon_tournament.records.record import Reason
    from dragon_tournament.referees.guard import Forfeit

    raise Forfeit(0, Reason.CRASH, "it was the other one")


def _exhaust() -> Any:
    """All files that a process may open."""
    while True:
        KEPT.append(open(os.devnull))  # noqa: SIM115


KEPT: list[Any] = []


def _stall() -> Any:
    while True:
        time.sleep(60)


def _grip() -> Any:
    return sum(iter(int, 1))  # never ends, never lets the interpreter look at a signal


MISDEEDS: dict[str, Any] = {
    "raise": _raise,
    "exit": lambda: sys.exit(3),
    "die": lambda: os._exit(7),
    "die quietly": lambda: os._exit(0),
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "stall": _stall,
    "grip": _grip,
    "none": lambda: None,
    "junk": lambda: "junk",
    "no move": lambda: Result(0.0),
    "illegal": lambda: Result(0.0, line=("zz",)),
    "slippery": lambda: Result(0.0, line=(Slippery(),)),
    "bad nodes": lambda: Result(0.0, nodes="many"),  # type: ignore[arg-type]
    "many nodes": lambda: Result(0.0, nodes=10**5000),
    "fewer nodes": lambda: Result(0.0, nodes=-1),
    "half a letter": lambda: _raise(RuntimeError("caf\udce9")),
    "interrupt": lambda: _raise(KeyboardInterrupt()),
    "generator exit": lambda: _raise(GeneratorExit()),
    "end the run": lambda: _raise(TournamentError("end it")),
    "blame": _blame,
    "shut": lambda: os.closerange(0, 1000),
    "exhaust": _exhaust,
    "odd move": lambda: Result(0.0, line=("\udce9",)),
    "not a number": lambda: Result(float("nan"), line=()),
    "print": lambda: print("noise on stdout"),
    "log": lambda: logging.getLogger("dragon").info("noise in the log"),
}
HARMLESS = ("print", "log")
"""Misdeeds after which it plays on."""


@frozen
class Scripted(Search):
    """The first legal move, except for a `misdeed` when asked for the `at`-th time, from 0.

    Questions of a single simulation, which warm a player up, all are the 0-th.
    """

    name = "scripted"
    proves = False
    misdeed: str = field(default="print", validator=in_(MISDEEDS))
    at: int = 1
    delay: float = 0.0
    """Seconds slept before every answer."""
    gate: str = ""
    """A file without which it does not answer; it is not needed to warm up."""
    diary: str = ""
    """A file to which it adds a line for every question."""

    def open(self, game=None):
        """A run that counts its questions."""
        return ScriptedRun(self, game)


class ScriptedRun(Run):
    """A run of a scripted player, which counts how often it was asked."""

    asked = -1

    def best(self, position, limit=None, rng=0):
        """Overridden, so that a misdeed reaches the referee untouched."""
        search, state = self.search, position.state
        tiny = limit is not None and limit.simulations == 1
        self.asked = 0 if tiny else self.asked + 1
        if search.diary:
            with Path(search.diary).open("a") as diary:
                diary.write(f"{os.getpid()}\t{state}\t{rng}\n")
        while search.gate and not tiny and not Path(search.gate).exists():
            time.sleep(0.01)
        time.sleep(search.delay)
        if self.asked == search.at:
            done = MISDEEDS[search.misdeed]()
            if search.misdeed not in HARMLESS:
                return done
        return Result(0.0, line=(state.moves()[0],), nodes=1)

    def results(self, position, limit=None, rng=0):
        """Overridden likewise."""
        yield self.best(position, limit, rng)


@frozen
class Guess(Search):
    """Claims a value, whatever the state."""

    name = "guess"
    value: float = 0.0
    exact: bool = False
    """Whether it claims to have proven it."""

    def improve(self, state, limit, rng) -> Iterator[Result]:
        """The one claim."""
        bound = Bound.EXACT if self.exact else Bound.ESTIMATE
        yield Result(self.value, bound, line=(state.moves()[0],))


@frozen
class Teller(Search):
    """Tell a story, claim after claim: `0.5 ~ 3 3; 1 = 3 3 1` is two values, bounds and lines."""

    name = "teller"
    story: str = "0 ~"
    delay: float = 0.0
    """Seconds before every claim."""

    def improve(self, state, limit, rng) -> Iterator[Result]:
        """The claims in their order; moves are numbers where they look like it."""
        for part in self.story.split(";"):
            value, bound, *moves = part.split()
            line = tuple(int(move) if move.isdigit() else move for move in moves)
            time.sleep(self.delay)
            yield Result(float(value), Bound(bound), line, nodes=1)


@frozen
class Heap(State[int]):
    """A heap: what is left, whose turn of `seats` it is, and, with luck, whether luck is next."""

    left: int
    mover: int
    seats: int
    luck: bool = False
    stake: float = 1.0

    @property
    def teams(self) -> tuple[int, ...]:
        """Everybody for himself."""
        return tuple(range(self.seats))

    @property
    def turn(self) -> int:
        """The mover, chance after every move where there is luck, until nothing is left."""
        if self.left == 0:
            return TERMINAL
        return CHANCE if self.luck and self.mover < 0 else self.mover

    def moves(self) -> tuple[int, ...]:
        """Take one or two; luck takes none or one."""
        if self.left == 0:
            return ()
        return (0, 1) if self.turn == CHANCE else tuple(range(1, min(2, self.left) + 1))

    def after(self, move: int) -> Heap:
        """The heap without what was taken."""
        if move not in self.moves():
            raise IllegalMove(f"cannot take {move} from {self.left}")
        if self.turn == CHANCE:
            return Heap(self.left - move, -self.mover - 1, self.seats, True, self.stake)
        following = (self.mover + 1) % self.seats
        left = self.left - move
        return Heap(
            left, -following - 1 if self.luck else following, self.seats, self.luck, self.stake
        )

    def payoff(self) -> tuple[float, ...]:
        """The seat before the mover took the last; the others pay it."""
        mover = -self.mover - 1 if self.mover < 0 else self.mover
        winner = (mover - 1) % self.seats
        return tuple(
            self.stake * (self.seats - 1) if seat == winner else -self.stake
            for seat in range(self.seats)
        )

    def __str__(self) -> str:
        return f"{self.left} {self.mover}"


@frozen
class Three(Game[int]):
    """One heap for three, everybody for himself."""

    name = "three"
    teams = (0, 1, 2)
    heap: int = 7

    def start(self, rng: Any = 0) -> Heap:
        """The whole heap."""
        return Heap(self.heap, 0, 3)

    def parse(self, text: str) -> Heap:
        """`left mover`."""
        left, mover = text.split()
        return Heap(int(left), int(mover), 3)


@frozen
class Lucky(Game[int]):
    """One heap for two, its size dealt; after each move luck takes none or one more."""

    name = "lucky"
    least: int = 6

    @property
    def traits(self) -> frozenset[Trait]:
        """Two sides, and luck."""
        return frozenset({Trait.DUEL, Trait.CHANCE})

    def start(self, rng: Any = 0) -> Heap:
        """A heap of random size."""
        import numpy as np

        size = np.random.default_rng(rng).integers(self.least, self.least + 20)
        return Heap(int(size), 0, 2, luck=True)

    def parse(self, text: str) -> Heap:
        """`left mover`."""
        left, mover = text.split()
        return Heap(int(left), int(mover), 2, True)


@frozen
class Climb(State[int]):
    """A climber at some height, with what it has gathered; the third and fifth step hold a coin."""

    height: int
    top: int
    coins: int = 0
    teams = (0,)
    largest = 2.0

    @property
    def turn(self) -> int:
        """The climber, up to the top."""
        return TERMINAL if self.height >= self.top else 0

    def moves(self) -> tuple[int, ...]:
        """One, two or three steps at once."""
        return () if self.height >= self.top else tuple(range(3, 0, -1))

    def after(self, move: int) -> Climb:
        """Higher by so many steps."""
        if move not in self.moves():
            raise IllegalMove(f"cannot climb {move} steps at once")
        height = self.height + move
        return Climb(height, self.top, self.coins + (height in (3, 5)))

    def payoff(self) -> tuple[float, ...]:
        """The coins."""
        return (float(self.coins),)

    def __str__(self) -> str:
        return f"{self.height}/{self.top} {self.coins}"


@frozen
class Stairs(Game[int]):
    """One seat, no luck: gather coins on the way up. From 0 three, two is best."""

    name = "stairs"
    teams = (0,)
    top: int = 7

    def start(self, rng: Any = 0) -> Climb:
        """At the foot."""
        return Climb(0, self.top)

    def parse(self, text: str) -> Climb:
        """`height/top coins`."""
        height, _, rest = text.partition("/")
        return Climb(int(height), *map(int, rest.split()))


@frozen
class Rolled(State[int]):
    """A die, rolled up to `rolls` times: keep what it shows, or roll again."""

    rolls: int
    shows: int = 0
    kept: bool = False
    teams = (0,)
    largest = 6.0

    @property
    def turn(self) -> int:
        """Chance, then the seat, until a roll is kept."""
        if self.kept or (self.shows and not self.rolls):
            return TERMINAL
        return 0 if self.shows else CHANCE

    def moves(self) -> tuple[int, ...]:
        """Give what the die may show; 0 to roll again, or 1 to keep."""
        if self.turn == TERMINAL:
            return ()
        return (0, 1) if self.shows else (1, 2, 3, 4, 5, 6)

    def after(self, move: int) -> Rolled:
        """The die afterwards."""
        if move not in self.moves():
            raise IllegalMove(f"no {move} here")
        if not self.shows:
            return Rolled(self.rolls - 1, move)
        return Rolled(self.rolls, self.shows, True) if move else Rolled(self.rolls)

    def payoff(self) -> tuple[float, ...]:
        """Pay what it shows."""
        return (float(self.shows),)

    def __str__(self) -> str:
        return f"{self.rolls} {self.shows} {int(self.kept)}"


@frozen
class Dice(Game[int]):
    """One seat and luck: worth 3.5 with one roll, 4.25 with two."""

    name = "dice"
    teams = (0,)
    rolls: int = 2

    @property
    def traits(self) -> frozenset[Trait]:
        """Alone with luck."""
        return frozenset({Trait.SOLO, Trait.CHANCE})

    def start(self, rng: Any = 0) -> Rolled:
        """Before the first roll."""
        return Rolled(self.rolls)

    def parse(self, text: str) -> Rolled:
        """`rolls shows kept`."""
        rolls, shows, kept = map(int, text.split())
        return Rolled(rolls, shows, bool(kept))


@frozen
class Broken(Three):
    """A heap whose rules fail half-way."""

    name = "broken"

    def start(self, rng: Any = 0) -> Heap:
        """A heap that breaks."""
        return _Breaking(self.heap, 0, 3)


class _Breaking(Heap):
    def after(self, move: int) -> Heap:
        if self.left < 4:
            raise ZeroDivisionError("the rules are wrong")
        return _Breaking(self.left - move, (self.mover + 1) % 3, 3)


@frozen
class Refusing(Three):
    """A heap whose rules fail, or end their process, at the first move."""

    name = "refusing"
    die: bool = False

    def start(self, rng: Any = 0) -> Heap:
        """A heap that cannot be touched."""
        return (_Deadly if self.die else _Sealed)(self.heap, 0, 3)


class _Sealed(Heap):
    def after(self, move: int) -> Heap:
        raise ZeroDivisionError("the heap is sealed")


class _Deadly(Heap):
    def after(self, move: int) -> Heap:
        os._exit(7)


@hookimpl
def dragon_games() -> list[type[Game[Any]]]:
    """The games."""
    return [Three, Lucky, Stairs, Dice, Broken, Refusing]


@hookimpl
def dragon_searches() -> list[type[Search]]:
    """The players."""
    return [Scripted, Guess, Teller]
