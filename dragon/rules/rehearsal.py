"""Rehearsal: tests of a game's rules before kernels run them.

The compiler reads every rule, and then some games are played in checked code, which find mistakes
that types do not show. Laws play thousands of plies of random games; of the games that break a rule
the shortest is reported.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import cache, partial, wraps
from pathlib import Path
from threading import get_ident
from typing import Any, TypeVar
from weakref import ref

from attrs import frozen

from dragon.bits import Random
from dragon.compiler.cache import load, making, save
from dragon.compiler.kernel import Bindings
from dragon.compiler.location import OURS, Breach, compiled_place
from dragon.compiler.specialise import Kernels, by_numba, fingerprint_of, specialise
from dragon.core import TERMINAL
from dragon.errors import DragonError, PluginError, RuleError, one_line
from dragon.modes import checked, jit_enabled
from dragon.modes import checked as checks
from dragon.rules.kernels.rehearsal import ASKED, Memory, others
from dragon.rules.rule_errors import LAST_CALLED, as_reported, read_rules, rule_error
from dragon.rules.rules import Rules, RulesWith

T = TypeVar("T")
KERNEL = "dragon.rules.kernels.rehearsal"
PLIES = 200_000
"""Plies that a law plays where nothing is wrong."""
FIRST_PLIES = 10_000
"""Plies that are played before a game's rules are compiled for the first time."""
FEW_PLIES = 100
"""Plies that are played in plain Python."""
BEFORE_A_MOVE = ("turn", "moves", "payoff")
"""Rules that are called without a move."""
MOST_WRITTEN = 200
"""Moves of a position that are written and read."""
TURNS = 30_000
"""Turns of loops and calls for each ply; rules that need more are played for fewer plies."""
TRIES = 50
"""The number of games with a mistake to collect; the shortest is reported."""


class BeingChecked(PluginError):
    """A notation calls methods of a state while the first games of its rules are being played."""


@frozen
class Mishap:
    """A game in which a rule broke its contract."""

    error: RuleError
    moves: tuple[str, ...]
    """The moves from the start on; the last may be one that could not be played."""
    position: str
    """The last state that could be reached."""

    def with_moves(self) -> RuleError:
        """The error with the moves that lead to it."""
        error = self.error
        played = f", after {' '.join(self.moves)}" if self.moves else ""
        reason = f"{error.reason}{played} (position {self.position})"
        return RuleError(error.rule, error.file, error.line, reason)


def rehearse(
    rules: Rules, first: bytes, plies: int = PLIES, seed: int = 0, tries: int = TRIES
) -> Mishap | None:
    """Return the shortest game with a mishap that is found, or None after `plies` without one.

    first: the record from which games begin. tries: games with a mistake; the shortest counts.
    Rules that take more than TURNS a ply play fewer plies. Rules run compiled and checked, whatever
    the modes of this process are; rules that only numba can compile are not played. A tablebase is
    opened for PLIES or more. Raises RuleError for rules that cannot be compiled.
    """
    if not read_rules(rules, strict=True):
        return None
    stage = Stage(rules, first, seed, plies >= PLIES)
    found: Mishap | None = None
    for _ in range(tries):
        try:
            stage.run(plies, plies * TURNS // (1 if found is None else tries))
        except RuleError as error:
            if found is None or stage.length < len(found.moves):
                found = stage.mishap(error)
        else:
            return found
    return found


def play_in_python(rules: Rules) -> None:
    """Play a few plies in plain Python; raise RuleError for what a rule raises.

    It is for rules that numba compiles, since numba tests no index, and does not notice an
    undefined name whose value is not used.
    """
    import numpy as np

    if not rules.first:
        return
    random, named = Random(0), rules.named()
    out, scores = np.zeros(rules.width, np.int64), np.zeros(rules.width, np.int64)

    def ask(name: str, *given: Any) -> Any:
        try:
            return named[name](*given) if name in named else None
        except DragonError:
            raise
        except Exception as raised:  # a rule may raise anything
            error = rule_error(rules, raised) or rules.error(name, one_line(raised))
            raise error from raised

    record = rules.record(bytearray(rules.first))
    for _ in range(FEW_PLIES):
        seat = ask("turn", record)
        if seat == TERMINAL:
            for each in range(len(rules.teams)):
                ask("payoff", record, each)
            record = rules.record(bytearray(rules.first))
            if ask("turn", record) == TERMINAL:
                return
        n = min(int(ask("moves", record, out)), rules.width)
        if n < 1:
            return
        ask("key", record)
        if seat >= 0:
            ask("evaluate", record, seat)
            ask("order", record, out[:n], n, scores[:n])
        ask("play", record, int(out[random(n)]))


class Stage:
    """The kernel and its memory."""

    template = KERNEL

    def __init__(self, rules: Rules, first: bytes, seed: int, opens: bool) -> None:
        import numpy as np

        self.rules, self.first = rules, first
        bound = RulesWith(rules, {"ask_others": others(rules.bindings(checked=True))})
        self._kernel = specialise(self.template, bound, checked=True)
        states = np.zeros(3, rules.layout)
        states[0] = np.frombuffer(first, rules.layout)[0]
        self._m = Memory(
            states,
            words=states[1:].view(np.uint64).reshape(2, -1),
            out=np.zeros(rules.width * (2 if rules.before else 1), np.int64),
            scores=np.zeros(rules.width, np.int64),
            weights=np.zeros(rules.width if rules.gives("weights") else 0, np.float64),
            random=Random(seed).state,
            path=np.zeros(rules.plies + 1, np.int64),
            asked=np.zeros(1, np.int64),
            limits=np.zeros(2, np.int64),
            tablebase=rules.opened(opens),
        )

    @property
    def length(self) -> int:
        """The number of moves of the game in progress."""
        return int(self._m.path[0])

    @property
    def path(self) -> list[int]:
        """The codes of these moves."""
        codes: list[int] = self._m.path[1 : 1 + self.length].tolist()
        return codes

    def run(self, plies: int, turns: int) -> int:
        """Play games, and return how many plies; raise RuleError at the first mishap."""
        return self.asked(self._kernel.rehearse, self._m, plies, turns)

    def asked(self, kernel: Callable[..., Any], *arguments: Any) -> int:
        """Return the value of a kernel; raise RuleError for what a rule raises."""
        try:
            return int(kernel(*arguments))
        except DragonError:
            raise
        except Exception as raised:  # a rule may raise anything
            raise self._error(raised) from raised

    def _error(self, raised: Exception) -> RuleError:
        """Return the error of the rule that was being called, at the author's line that raised."""
        name = ASKED[int(self._m.asked[0])]
        if isinstance(raised, Breach):
            raised.args = (str(raised).replace("asked: ", f"{name}: ", 1),)
            if (error := rule_error(self.rules, raised)) is not None:
                return error
        reason, place = one_line(raised), compiled_place(raised)
        own = place if place is not None and not place.file.startswith(OURS) else None
        if place is not None and own is None:
            reason += f" in {place.function}"
        if isinstance(raised, IndexError) and name == "moves":
            reason += f"; are there more moves than width = {self.rules.width}?"
        if own is None:
            return self.rules.error(name, reason)
        return RuleError(name, own.file, own.line, reason)

    def mishap(self, error: RuleError) -> Mishap:
        """The game in progress, replayed up to the mistake."""
        import numpy as np

        kernels = specialise("dragon.rules.kernels.state", self.rules, checked=True)
        data, moves = self.first, []
        for code in self.path:
            moves.append(text(self.rules, data, code))
            after = np.frombuffer(bytearray(data), self.rules.layout)
            try:
                kernels.play_in(after, code)
            except Exception:  # a rule may raise anything
                break
            data = after.tobytes()
        if error.rule not in BEFORE_A_MOVE:
            error = strange_move(self.rules, data) or error
        return Mishap(error, tuple(moves), text(self.rules, data))


def strange_move(rules: Rules, data: bytes) -> RuleError | None:
    """Return the error for a move code of a position that the notation cannot write.

    Without this test, the message would name a rule that is given the code.
    """
    import numpy as np

    notation, record = rules.notation, rules.record(bytearray(data))
    out = np.zeros(rules.width, np.int64)
    try:
        n = 0 if rules.turn(record) == TERMINAL else int(rules.moves(record, out))
    except Exception:  # another mistake
        return None
    codes = out[: min(n, MOST_WRITTEN)].tolist()
    for code in codes:
        written = None
        try:
            written = notation.move_text(record, code)
            notation.move_code(record, written)  # a law tests that its code is the same
        except BeingChecked:
            return None
        except Exception:  # a notation may raise anything for a code that it cannot write
            shown = "cannot write" if written is None else f"writes as {written!r} and cannot read"
            reason = f"it gives the move code {code}, which the notation {shown}"
            return rules.error("moves", reason)
    return None


def text(rules: Rules, data: bytes, code: int | None = None) -> str:
    """Return the text of a position, or of a move in it, as far as the notation can write it."""
    notation, record = rules.notation, rules.record(data)
    try:
        return notation.position_text(record) if code is None else notation.move_text(record, code)
    except Exception:  # the mistake may have damaged the record
        return bytes(data).hex() if code is None else str(code)


def rehearsed(method: Callable[..., T]) -> Callable[..., T]:
    """Decorate a method of an object with `rules` and records: exceptions of rules are RuleErrors.

    Where rules are checked, the error has the shortest game to that mistake that is found, from the
    first of the records on; or, if random games do not come to it, that record's position.
    """

    @wraps(method)
    def call(self: Any, *arguments: Any) -> T:
        LAST_CALLED[get_ident()] = self.rules, ref(self)
        try:
            return method(self, *arguments)
        except Exception as raised:
            error = as_reported(self.rules, raised)
            if isinstance(error, RuleError) and checked():
                error = _with_game(error, self)
            if error is raised:
                raise
            raise error from raised

    return call


def _with_game(error: RuleError, owner: Any) -> RuleError:
    rules: Rules = owner.rules
    first = records_of(owner)[0][0].tobytes()
    mishap = rehearse(rules, first)
    if mishap is not None and (mishap.error.file, mishap.error.line) == (error.file, error.line):
        return mishap.with_moves()
    reason = f"{error.reason}, somewhere after {text(rules, first)}"
    return RuleError(error.rule, error.file, error.line, reason)


def records_of(owner: Any) -> list[Any]:
    """Return the arrays of records of an object with `rules`: records[n], n at least 1."""
    import numpy as np

    layout = owner.rules.layout
    held = [*vars(owner).values()]
    held += [each for memory in held if isinstance(memory, tuple) for each in memory]
    arrays = (each for each in held if isinstance(each, np.ndarray))
    return [each for each in arrays if each.ndim == 1 and each.dtype == layout]


FIRST_MOVES = 20_000_000
"""The most moves that first games list, so that games with long lists play fewer plies."""


def kernels_of(
    template: str, rules: Rules, checked: bool | None = None, bound: Bindings | None = None
) -> Kernels:
    """The kernels of `template` (its import name) for the rules of a game, which are prepared.

    checked: see `specialise`. bound: the rules with further names that the template leaves open, if
    there are any. Where kernels are not checked, first games are played before, unless that was
    done. Kernels in the cache do not prove it: games with different first records share them.
    Raises RuleError.
    """
    if not (checks() if checked is None else checked) and not by_numba():
        check_rules(rules)
    before = partial(read_rules, rules, strict=True)
    return specialise(template, rules if bound is None else bound, checked, before)


_games_over: dict[tuple[Rules, int], bool] = {}
"""For rules, and the thread that plays their first games: True once these have passed."""


@cache
def check_rules(rules: Rules) -> None:
    """Raise RuleError for the first rule that cannot be compiled, or goes wrong in first games.

    A note in the cache says that first games went well, for these rules and this first record.
    """
    mine = rules, get_ident()
    if mine in _games_over:
        if _games_over[mine]:
            return
        raise BeingChecked(f"{rules.label}: its first games are not over")
    fingerprint, name = fingerprint_of(KERNEL, rules), _first_games(rules)
    if rules.first and load(fingerprint, name) is not None:
        return
    if not read_rules(rules, strict=jit_enabled()):
        with redirect_stdout(None):  # numba compiles `print`, too
            play_in_python(rules)
    elif rules.first:
        _games_over[mine] = False
        try:
            _play_first_games(rules, fingerprint, name)
        finally:
            del _games_over[mine]


def _play_first_games(rules: Rules, fingerprint: str, name: str) -> None:
    """Raise RuleError for a mistake in first games; else note in the cache that there was none."""
    with making(fingerprint, name):
        if load(fingerprint, name) is not None:
            return
        plies = max(1, min(FIRST_PLIES, FIRST_MOVES // rules.width))
        if (mishap := rehearse(rules, rules.first, plies)) is not None:
            raise mishap.with_moves()
        _games_over[rules, get_ident()] = (
            True  # a notation may ask states, whose rules can be run now
        )
        if (error := strange_move(rules, rules.first)) is not None:
            raise error
        save(fingerprint, name, {"template": KERNEL, "label": rules.label}, b"")


def _first_games(rules: Rules) -> str:
    """Return the name of that note: a hash of the first record and of the code that plays."""
    played_by = Path(__file__).read_bytes()
    return f"first_games-{hashlib.sha256(rules.first + played_by).hexdigest()[:16]}"
