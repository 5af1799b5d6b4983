"""The rules of a game as functions of bytes: run by Python itself, or compiled.

Both return equal values, which a law tests. DRAGON_JIT selects the one that States use.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache, partial
from threading import get_ident
from typing import TYPE_CHECKING, Any, TypeAlias

from dragon import bits
from dragon.modes import checked, jit_enabled
from dragon.rules.contract import RETURNS, RULES
from dragon.rules.layout import hash_words, readable
from dragon.rules.rehearsal import kernels_of
from dragon.rules.rule_errors import LAST_CALLED, as_rule_errors, read_rules
from dragon.rules.rules import Rules

if TYPE_CHECKING:
    import numpy as np

    Codes = np.ndarray[Any, np.dtype[np.int64]]


def _scratch(rules: Rules) -> Codes:
    """Return memory for a list of moves, new for each call, since threads share an evaluator."""
    import numpy as np

    return np.empty(rules.width, np.int64)


def _whole(value: Any) -> int:
    import numpy as np

    return int(value) if isinstance(value, np.bool_) else int(operator.index(value))


def _pair(value: Any) -> tuple[int, int]:
    first, second = value
    return _whole(first), _whole(second)


def _nothing(value: Any) -> None:
    """Ignore the value of a rule that need not return anything."""


VALUES: dict[str, Callable[[Any], Any]] = {
    "number": float, "nothing": _nothing, "units and units": _pair,
    "units and plies": _pair,
}  # fmt: skip
"""The conversions of values that are not whole numbers, by their kind in the contract."""


class Interpreted:
    """Rules over records as bytes, run by Python itself: for debuggers, coverage and the laws.

    Raises RuleError for a rule that names fields the record does not have, unless rules are
    `trusted`: then the compiler's front end does not read them.
    """

    def __init__(self, rules: Rules, trusted: bool = False) -> None:
        import numpy as np

        self.rules = rules
        self._exact = partial(np.frombuffer, dtype=readable(rules.layout, exact=True))
        if not trusted:
            read_rules(rules, strict=False)

    @as_rule_errors
    def call(self, name: str, *arguments: Any) -> Any:
        """Return the value of a rule as compiled code would, of the kind that the contract states.

        A truth value is 1 or 0, also that of a comparison, which is numpy's. Raises RuleError for
        what the rule raises, and for a value of another kind.
        """
        value, kind = getattr(self.rules, name)(*arguments), RULES[name].returns
        converted: Callable[[Any], Any] = VALUES.get(kind, _whole)
        try:
            return converted(value)
        except (TypeError, ValueError):
            reason = f"must return {RETURNS[kind]}, but returned {value!r}"
            raise self.rules.error(name, reason) from None

    def record(self, data: bytes) -> Any:
        """Return a new record that holds `data`; a number that does not fit into a field raises."""
        return self._exact(bytearray(data))[0]

    def turn(self, data: bytes) -> int:
        """The seat to move, CHANCE or TERMINAL."""
        return int(self.call("turn", self.record(data)))

    def moves(self, data: bytes) -> Codes:
        """int64[n], the legal move codes."""
        out = _scratch(self.rules)
        return out[: self.call("moves", self.record(data), out)].copy()

    def distinct(self, data: bytes) -> Codes:
        """int64[n], the legal moves that `reduce` leaves."""
        out = self.moves(data)
        if self.rules.reduce is None:
            return out
        return out[: self.call("reduce", self.record(data), out, len(out))]

    def listing(self, name: str, data: bytes) -> Codes | None:
        """Return the int64[n] that a rule writes; None where it returns a number below 0."""
        out = _scratch(self.rules)
        n = self.call(name, self.record(data), out)
        return out[:n].copy() if n >= 0 else None

    def play(self, data: bytes, code: int) -> bytes:
        """The record after a legal move."""
        record = self.record(data)
        self.call("play", record, code)
        return bytes(record.tobytes())

    def payoff(self, data: bytes) -> tuple[int, ...]:
        """Units for each seat."""
        record = self.record(data)
        seats = range(len(self.rules.teams))
        return tuple(self.call("payoff", record, i) for i in seats)

    def sample(self, data: bytes, random: bits.Random) -> int:
        """A move code at random: the game's own way, or one of its list."""
        if self.rules.sample is not None:
            return int(self.call("sample", self.record(data), random.state))
        codes = self.moves(data)
        return int(codes[random(len(codes))])

    def key(self, data: bytes) -> int:
        """64 bits for transposition tables: the game's own, or a hash of the record."""
        if self.rules.key is not None:
            return int(self.call("key", self.record(data)))
        import numpy as np

        return int(hash_words(np.frombuffer(data, np.uint64)))


class Compiled:
    """Rules over records as bytes, compiled: each at its first call, and cached on disk.

    They are checked code if DRAGON_CHECKED was set when this was made.
    """

    def __init__(self, rules: Rules) -> None:
        import numpy as np

        self.rules = rules
        self._kernels = kernels_of("dragon.rules.kernels.state", rules)
        self._array = partial(np.frombuffer, dtype=rules.layout)

    def _records(self, data: bytes) -> Any:
        LAST_CALLED[get_ident()] = self.rules, data
        return self._array(bytearray(data))

    @as_rule_errors
    def turn(self, data: bytes) -> int:
        return int(self._kernels.turn_of(self._records(data)))

    @as_rule_errors
    def moves(self, data: bytes) -> Codes:
        out = _scratch(self.rules)
        return out[: self._kernels.moves_of(self._records(data), out)].copy()

    @as_rule_errors
    def distinct(self, data: bytes) -> Codes:
        out = _scratch(self.rules)
        return out[: self._kernels.distinct_of(self._records(data), out)].copy()

    @as_rule_errors
    def play(self, data: bytes, code: int) -> bytes:
        records = self._records(data)
        self._kernels.play_in(records, code)
        after: bytes = records.tobytes()
        return after

    @as_rule_errors
    def payoff(self, data: bytes) -> tuple[int, ...]:
        import numpy as np

        units = np.zeros(len(self.rules.teams), np.int64)
        self._kernels.payoffs_of(self._records(data), units)
        return tuple(units.tolist())

    @as_rule_errors
    def sample(self, data: bytes, random: bits.Random) -> int:
        records, out = self._records(data), _scratch(self.rules)
        return int(self._kernels.sample_of(records, out, random.state))

    @as_rule_errors
    def key(self, data: bytes) -> int:
        import numpy as np

        words = np.frombuffer(data, np.uint64)
        return int(self._kernels.key_of(self._records(data), words)) & bits.MASK


Evaluator: TypeAlias = Interpreted | Compiled


interpreted_of = cache(Interpreted)
"""The rules in plain Python; if `trusted`, the compiler's front end has read them already."""


def compiled_of(rules: Rules) -> Compiled:
    """The rules, compiled; checked as DRAGON_CHECKED says."""
    return _compiled(rules, checked())


@cache
def _compiled(rules: Rules, checked: bool) -> Compiled:
    return Compiled(rules)


def evaluator_of(rules: Rules) -> Evaluator:
    """The rules as functions of bytes: compiled, or interpreted under DRAGON_JIT=0."""
    return _compiled(rules, checked()) if jit_enabled() else interpreted_of(rules)
