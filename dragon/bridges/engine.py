"""The search `engine`: another program as a player, by the protocol that it speaks.

The conversations: `dragon.gtp.client` (GTP), `dragon.bridges.engines` (UCI, UGI, CECP).
"""

from __future__ import annotations

import errno
import os
import shutil
import threading
import time
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import attrs
from attrs import field, frozen
from attrs.validators import gt, in_

from dragon.core import Game, Limit, Position, Result, Run, Search, Trait
from dragon.errors import ConfigError, Objection
from dragon.gtp.protocol import NAMINGS, vertices

if TYPE_CHECKING:
    import numpy as np

    from dragon.gtp.client import Conversation

PROTOCOLS = ("gtp", "uci", "ugi", "cecp")


class _ByProtocol:
    """A class variable of Search with another value for engines that say what they expect."""

    def __init__(self, gtp: Any, others: Any) -> None:
        self._gtp, self._others = gtp, others

    def __get__(self, search: Engine | None, cls: type) -> Any:
        return self._gtp if search is None or search.protocol == "gtp" else self._others


class Options(tuple[tuple[str, str], ...]):
    """Options of an engine: pairs of texts that are written, and given, as a table."""

    __slots__ = ()

    def __new__(cls, options: Any = ()) -> Options:
        given = options.items() if isinstance(options, Mapping) else options
        try:
            pairs = [(str(name), _text(value)) for name, value in given]
        except (TypeError, ValueError):
            raise ValueError('options is a table, such as {"Hash": 64}') from None
        return super().__new__(cls, pairs)

    def __repr__(self) -> str:
        return repr(dict(self))


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class Asking(Search):
    """The base of searches by an external program, in a conversation that `converse` starts."""

    command: tuple[str, ...]
    restart: bool
    """True if each game has a new process."""

    def objection(self, game: Game[Any]) -> str | None:
        """Return also the objection that the program is not there."""
        if sentence := self._nothing_to_start or super().objection(game):
            return sentence
        if shutil.which(program := self.command[0]) is not None:
            return None
        why = os.strerror(errno.EACCES if os.path.exists(program) else errno.ENOENT)
        return (
            f"{self}: there is no program {program!r} that could be started here (cannot start "
            f"{program}: {why})"
        )

    @property
    def _nothing_to_start(self) -> str:
        return "" if self.command else f'{self} needs a program: command = ["path", "argument"]'

    @property
    def files(self) -> tuple[str, ...]:
        """Return the program, and its arguments that are files."""
        program = shutil.which(self.command[0]) if self.command else None
        given = [word for word in self.command[1:] if os.path.isfile(word)]
        return (*filter(None, [program]), *given)

    def open(self, game: Game[Any] | None = None) -> EngineRun:
        """A run with a process: one that waits for a game, or a new one."""
        if sentence := self._nothing_to_start:
            raise Objection(sentence)
        return EngineRun(self, game)

    @abstractmethod
    def converse(self) -> Conversation:
        """Start a process and a conversation with it."""


@frozen
class Engine(Asking):
    """A search played by another program, in any language, by GTP 2, UCI, UGI or CECP (XBoard's).

    By GTP it sees every move in the game's own notation, by the others as they write moves. The
    value that an engine reports, also of a mate, is a claim and not a proof. Its process serves
    game after game; when it crashes, hangs or breaks the protocol, it is ended with its process
    group, and the next game has another.
    """

    name = "engine"
    excludes = frozenset({Trait.HIDDEN})
    proves = False
    values = _ByProtocol(False, True)
    limits = _ByProtocol(frozenset({"seconds"}), frozenset({"seconds", "nodes", "depth"}))

    command: tuple[str, ...] = field(default=(), converter=tuple, metadata={"outside": True})
    """The program and its arguments, each by itself."""
    protocol: str = field(
        default="gtp",
        validator=in_(PROTOCOLS),
        metadata={"also": {"xboard": "cecp", "winboard": "cecp"}},
    )
    """The protocol that it speaks: `gtp`, `uci` (chess), `ugi` (UCI for other games), `cecp`."""
    options: Any = field(default=Options(), converter=Options, metadata={"outside": True})
    """Options of an engine by uci or ugi: `{"Hash": 64, "Skill Level": 3}`."""
    setup: tuple[str, ...] = field(default=(), converter=tuple, metadata={"outside": True})
    """Lines it is sent when it has started, before the game: its own settings."""
    vertices: str = field(default="own", validator=in_(NAMINGS))
    """Names of cells: `own` as the game, `gtp` as the protocol has them, `hex` as MoHex."""
    patience: float = field(default=30.0, validator=gt(0))
    """The seconds in which it must start and answer the first commands."""
    restart: bool = False
    """Start a new process for each game."""
    log: str = field(default="", metadata={"outside": True})
    """A file to which every line is added that is sent to it, or comes from it; none if empty."""

    def objection(self, game: Game[Any]) -> str | None:
        """Return the objection, also to settings that need a value or that the protocol does not
        have."""
        if sentence := self._nothing_to_start:
            return sentence
        if Trait.SOLO in game.traits and Trait.CHANCE in game.traits:
            return f"{self} returns moves without values, which {game} needs"
        if Trait.HIDDEN in game.traits:
            return (
                f"{self} does not support hidden information ({game}): a program would be sent "
                f"everything"
            )
        if self.protocol != "gtp" and (len(game.teams) != 2 or Trait.CHANCE in game.traits):
            return f"{self} plays games of two seats without chance by {self.protocol}, not {game}"
        if self.options and self.protocol in ("gtp", "cecp"):
            return f"{self} cannot set options by {self.protocol}; write lines into `setup`"
        try:
            vertices(game, self.vertices)
        except ConfigError as wrong:
            return f"{self}: {wrong}"
        return super().objection(game)

    def converse(self) -> Conversation:
        """Start a process and a conversation with it, by the protocol."""
        if self.protocol == "gtp":
            from dragon.gtp.client import GtpClient

            return GtpClient(self)
        from dragon.bridges.engines import CecpClient, UciClient

        return CecpClient(self) if self.protocol == "cecp" else UciClient(self)


class EngineRun(Run):
    """A game that a process plays; then it serves another game, unless it broke the protocol."""

    search: Asking

    def __init__(self, search: Asking, game: Game[Any] | None = None) -> None:
        super().__init__(search, game)
        self._client: Conversation | None = _borrow(search)

    def close(self) -> None:
        """Let the process serve another game."""
        if self._client is not None and self.search.restart:
            self._client.close()
        elif self._client is not None:
            with _lock:
                _idle.setdefault(self.search, []).append(self._client)
        self._client = None

    def improve(
        self, position: Position, limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """Yield the engine's one answer."""
        client, self._client = self._client, None  # back only if all goes well
        start = time.perf_counter()
        client = client or _borrow(self.search)
        try:
            with client.noted("move"):
                result = client.answer(position, limit, self.game, rng)
        except BaseException:
            client.close()
            raise
        self._client = client
        yield attrs.evolve(
            result,
            seconds=time.perf_counter() - start,
            extra={"engine": client.title, "budget": "its own", **result.extra},
        )


_idle: dict[Any, list[Conversation]] = {}
_lock = threading.Lock()


def _borrow(search: Asking) -> Conversation:
    """A process that waits for a game, or a new one."""
    found, ended = None, []
    with _lock:
        waiting = _idle.get(search, [])
        while waiting and found is None:
            client = waiting.pop()
            if client.program.process.poll() is None:
                found = client
            else:
                ended.append(client)
    for client in ended:  # which may take a second: other games do not wait for it
        client.close()
    return search.converse() if found is None else found


def close_idle() -> None:
    """End every process that waits for a game."""
    with _lock:
        for waiting in _idle.values():
            while waiting:
                waiting.pop().close()
