"""The rules of a game as functions of bytes: run by Python itself, or compiled.

Both answer alike; a law holds them to it. A State asks the one that DRAGON_JIT selects.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Protocol

from dragon import bits
from dragon.blame import SCENE, blames
from dragon.errors import RuleError
from dragon.specialise import specialise

if TYPE_CHECKING:
    import numpy as np

    from dragon.rules import Rules


class Engine(Protocol):
    """What a State needs of rules, over records as bytes."""

    def turn(self, data: bytes) -> int:
        """The seat to move, CHANCE or TERMINAL."""

    def moves(self, data: bytes) -> np.ndarray[Any, np.dtype[np.int64]]:
        """int64[n], the legal move codes."""

    def distinct(self, data: bytes) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The same, less those that are equivalent to another."""

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
    """Rules run by Python itself, on `Rules.record`: for debuggers, coverage and the laws.

    Raises RuleError for a rule that names fields the record does not have.
    """

    def __init__(self, rules: Rules) -> None:
        from dragon.diagnose import read_rules

        self.rules = rules
        read_rules(rules, strict=False)

    @blames
    def call(self, name: str, *arguments: Any) -> Any:
        """What the rule `name` returns; raises RuleError for whatever it raises."""
        return getattr(self.rules, name)(*arguments)

    def whole(self, name: str, *arguments: Any) -> int:
        """The same, as an integer; compiled code would refuse anything else."""
        value = self.call(name, *arguments)
        try:
            return operator.index(value)
        except TypeError:
            code = getattr(self.rules, name).__code__
            reason = f"must return an integer, but returned {value!r}"
            raise RuleError(name, code.co_filename, code.co_firstlineno, reason) from None

    def number(self, name: str, *arguments: Any) -> float:
        """The same, as a number."""
        value = self.call(name, *arguments)
        try:
            return float(value)
        except (TypeError, ValueError):
            code = getattr(self.rules, name).__code__
            reason = f"must return a number, but returned {value!r}"
            raise RuleError(name, code.co_filename, code.co_firstlineno, reason) from None

    def record(self, data: bytes) -> Any:
        """A record of its own that holds `data`."""
        return self.rules.record(bytearray(data))

    def turn(self, data: bytes) -> int:
        """The seat to move, CHANCE or TERMINAL."""
        return self.whole("turn", self.record(data))

    def moves(self, data: bytes) -> np.ndarray[Any, np.dtype[np.int64]]:
        """int64[n], the legal move codes."""
        out = _scratch(self.rules)
        return out[: self.whole("moves", self.record(data), out)].copy()

    def distinct(self, data: bytes) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The same, less those that are equivalent to another."""
        out = self.moves(data)
        if self.rules.reduce is None:
            return out
        return out[: self.whole("reduce", self.record(data), out, len(out))]

    def play(self, data: bytes, code: int) -> bytes:
        """The record after a legal move."""
        record = self.record(data)
        self.call("play", record, code)
        return bytes(record.tobytes())

    def payoff(self, data: bytes) -> tuple[int, ...]:
        """Units for each seat."""
        record = self.record(data)
        seats = range(len(self.rules.teams))
        return tuple(self.whole("payoff", record, i) for i in seats)

    def sample(self, data: bytes, random: bits.Random) -> int:
        """A move code at random: the game's own way, or one of its list."""
        if self.rules.sample is not None:
            return self.whole("sample", self.record(data), random.state)
        codes = self.moves(data)
        return int(codes[random(len(codes))])

    def key(self, data: bytes) -> int:
        """64 bits for transposition tables: the game's own, or a hash of the record."""
        from dragon.table import hash_words

        if self.rules.key is not None:
            return self.whole("key", self.record(data))
        import numpy as np

        return int(hash_words(np.frombuffer(data, np.uint64)))


class Compiled:
    """The same, compiled: each rule when it is first asked, and kept on disk.

    checked: see `specialise`.
    """

    def __init__(self, rules: Rules, checked: bool | None = None) -> None:
        self.rules = rules
        self._kernels = specialise("dragon.kernels.state", rules, checked)

    def _records(self, data: bytes) -> Any:
        import numpy as np

        SCENE.rules, SCENE.source = self.rules, data
        return np.frombuffer(bytearray(data), self.rules.layout)

    @blames
    def turn(self, data: bytes) -> int:
        """The seat to move, CHANCE or TERMINAL."""
        return int(self._kernels.turn_of(self._records(data)))

    @blames
    def moves(self, data: bytes) -> np.ndarray[Any, np.dtype[np.int64]]:
        """int64[n], the legal move codes."""
        out = _scratch(self.rules)
        return out[: self._kernels.moves_of(self._records(data), out)].copy()

    @blames
    def distinct(self, data: bytes) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The same, less those that are equivalent to another."""
        out = _scratch(self.rules)
        return out[: self._kernels.distinct_of(self._records(data), out)].copy()

    @blames
    def play(self, data: bytes, code: int) -> bytes:
        """The record after a legal move."""
        records = self._records(data)
        self._kernels.play_in(records, code)
        return bytes(records.tobytes())

    @blames
    def payoff(self, data: bytes) -> tuple[int, ...]:
        """Units for each seat."""
        import numpy as np

        units = np.zeros(len(self.rules.teams), np.int64)
        self._kernels.payoffs_of(self._records(data), units)
        return tuple(units.tolist())

    @blames
    def sample(self, data: bytes, random: bits.Random) -> int:
        """A move code at random: the game's own way, or one of its list."""
        records, out = self._records(data), _scratch(self.rules)
        return int(self._kernels.sample_of(records, out, random.state))

    @blames
    def key(self, data: bytes) -> int:
        """64 bits for transposition tables: the game's own, or a hash of the record."""
        import numpy as np

        words = np.frombuffer(data, np.uint64)
        return int(self._kernels.key_of(self._records(data), words)) & bits.MASK
