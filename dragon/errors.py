"""Errors: everything dragon raises on purpose.

Each error is also the builtin it resembles, so that code that knows nothing of
dragon still catches it in the usual way::

    DragonError
    ├── PluginError                 a plugin could not be loaded or breaks its contract
    │   ├── UnknownName (KeyError)  no game, search or referee of that name
    │   └── RuleError (TypeError)   a rule cannot be compiled, or fails; file, line and reason
    ├── GameError (ValueError)      something about a position or a move
    │   ├── IllegalMove             well written, but against the rules here
    │   ├── BadNotation             not a move or position in this game's notation
    │   ├── AmbiguousMove           fits more than one legal move
    │   └── BadProof                a strategy that does not prove what it claims, or cannot be read
    ├── SearchError (RuntimeError)  a search could not do its work
    │   └── Objection               a search that does not support this game
    ├── ConfigError (ValueError)    a spec, an option or a TOML file; all problems at once
    ├── ProtocolError (ValueError)  a line between programs that is not what they agreed on
    └── TournamentError (RuntimeError)
        └── PlayerCrashed           a player raised, stalled or died
"""

from __future__ import annotations

import errno
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

FAILED, MISTAKE, INTERRUPTED = 1, 2, 130
"""Exit codes of commands: a failure on good input, a mistake in the input, Ctrl-C."""
UNUSABLE = {
    errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.EACCES, errno.EPERM,
    errno.EROFS, errno.ENAMETOOLONG, errno.ELOOP,
}  # fmt: skip
"""Errors of the system for a path that cannot be used as it was given; a full disk is not one."""

LACKED = re.compile(
    r"ImportError: cannot import name '(\w+)' from '(dragon(?:\.\w+)*)'"
    r"|AttributeError: module '(dragon(?:\.\w+)*)' has no attribute '(\w+)'"
)
"""The messages of Python about a name that a module of dragon does not have."""


def closest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the known word that is most like this one; None where none is like it.

    Capitals count as small letters. A word with equal letters in another order comes first.
    cutoff: the least similarity, from 0 to 1.

    >>> closest("DEPHT", ["width", "depth"])
    'depth'
    """
    word, folded = word.casefold(), {each.casefold(): each for each in known}
    near = get_close_matches(word, folded, cutoff=cutoff)
    best = max(near, key=lambda each: sorted(each) == sorted(word), default=None)
    return None if best is None else folded[best]


def quoted(word: str) -> str:
    """A word as a message shows it: its repr, of the first 60 characters where it is longer.

    A file that was named by mistake may hold secrets, so a message shows the word that it is about
    and never a whole line.

    >>> quoted("PASSWORD=" + "x" * 100)
    "'PASSWORD=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'..."
    """
    return repr(word) if len(word) <= 60 else f"{word[:60]!r}..."


def did_you_mean(word: str, known: Iterable[str], also: Mapping[str, str] | None = None) -> str:
    """Return the part of a message that suggests a known word; empty where none is like it.

    also: other names of known words, by which they are found too.

    >>> did_you_mean("nexx", ["nex", "nim"])
    "; did you mean 'nex'?"
    >>> did_you_mean("othelo", ["hex"], {"othello": "reversi"})
    "; did you mean 'reversi'?"
    """
    also = also or {}
    found = closest(word, [*known, *also])
    return "" if found is None else f"; did you mean {quoted(also.get(found, found))}?"


def one_line(raised: BaseException) -> str:
    """An exception in one line: its type and its message.

    For a name that a module of dragon does not have, it ends with the remedy.
    """
    said = " ".join(f"{type(raised).__name__}: {raised}".split()).removesuffix(":")
    lacked = LACKED.match(said)
    if lacked is None or (module := lacked[2] or lacked[3]) not in sys.modules:
        return said
    remedy = did_you_mean(lacked[1] or lacked[4], dir(sys.modules[module]))
    return said + (remedy or '; see "What plugins may import" in the reference of dragon')


class DragonError(Exception):
    """The root of the tree: one sentence that a user can act on."""

    def __str__(self) -> str:  # KeyError would show the repr
        return str(self.args[0]) if self.args else type(self).__name__


class PluginError(DragonError):
    """A plugin could not be loaded or breaks its contract; `plugin` names it."""

    def __init__(self, message: str, plugin: str = "") -> None:
        super().__init__(message)
        self.plugin = plugin


class UnknownName(PluginError, KeyError):
    """No game, search or referee of that name; `name` is what was asked for.

    >>> print(UnknownName("game", "nexx", ["nex", "nim", "hex"]))
    no game called 'nexx'; did you mean 'nex'? (hex, nex, nim)
    """

    def __init__(
        self, kind: str, name: str, known: Iterable[str], also: Mapping[str, str] | None = None
    ) -> None:
        """also: other names of known ones, for the suggestion."""
        names = sorted(known)
        listed = ", ".join(names) or "none is installed"
        super().__init__(f"no {kind} called {name!r}{did_you_mean(name, names, also)} ({listed})")
        self.kind, self.name, self.known, self.also = kind, name, tuple(names), dict(also or {})

    def __reduce__(self) -> tuple[type[UnknownName], tuple[Any, ...]]:
        return UnknownName, (self.kind, self.name, self.known, self.also)


class RuleError(PluginError, TypeError):
    """A rule that cannot be compiled, or fails when it runs: where, and why."""

    def __init__(self, rule: str, file: str, line: int, reason: str) -> None:
        super().__init__(f"{file}:{line}: rule {rule!r}: {reason}")
        self.rule, self.file, self.line, self.reason = rule, file, line, reason

    def __reduce__(self) -> tuple[type[RuleError], tuple[str, str, int, str]]:
        return RuleError, (self.rule, self.file, self.line, self.reason)


class GameError(DragonError, ValueError):
    """Something about a position or a move."""


class IllegalMove(GameError):
    """A move that is well written but against the rules in this position."""


class BadNotation(GameError):
    """Text that is not a move or a position in this game's notation."""


class AmbiguousMove(GameError):
    """Text that fits more than one legal move."""


class BadProof(GameError):
    """A strategy that does not prove what it claims, or cannot be read: where, and why."""


class SearchError(DragonError, RuntimeError):
    """A search could not do its work."""


class Objection(SearchError):
    """A search that does not support this game; the sentence says why."""


class ConfigError(DragonError, ValueError):
    """A spec, an option or a TOML file; `problems` lists every one of them.

    >>> print(ConfigError(["no key 'colour' here @ $.game", "seed is not a number @ $.seed"]))
    no key 'colour' here @ $.game
    seed is not a number @ $.seed
    """

    def __init__(self, problems: str | Sequence[str]) -> None:
        self.problems = (problems,) if isinstance(problems, str) else tuple(problems)
        super().__init__("\n".join(self.problems))

    def __reduce__(self) -> tuple[type[ConfigError], tuple[tuple[str, ...]]]:
        return ConfigError, (self.problems,)


class ProtocolError(DragonError, ValueError):
    """A line between programs that is not what their protocol says."""


class TournamentError(DragonError, RuntimeError):
    """A tournament could not be run as asked."""


class PlayerCrashed(TournamentError):
    """A player raised, stalled or died; costs it that one game."""


def cannot_write(path: Path | str, wrong: OSError, instead: str = "") -> ConfigError:
    """Return the error for a file that cannot be written, with the remedy; instead: another one."""
    from dragon.files import remedy_for

    return ConfigError(
        f"cannot write {path}: {wrong.strerror or wrong}; {instead}{remedy_for(path)}"
    )
