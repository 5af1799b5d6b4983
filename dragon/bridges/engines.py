"""Conversations with engines by UCI (and UGI) and CECP, for the search `engine`.

The process is `dragon.gtp.program.Program`: an engine that hangs, ends or floods is named and ended
with all that it started, whatever the protocol.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from dragon.bridges.thinker import coordinates, from_centipawns, read_move
from dragon.core import TERMINAL, Game, Limit, Position, Result, State
from dragon.errors import GameError, SearchError, did_you_mean
from dragon.gtp.client import Conversation

if TYPE_CHECKING:
    import numpy as np

UNASKED = 1.0
"""Seconds of a move without any limit."""
SILENT = 2.0
"""Seconds in which a CECP engine must name its features; older ones name none."""
NEARLY = 0.9999
"""The value of a mate that an engine claims, as a share of the largest payoff; no claim is more."""


class Client(Conversation):
    """A conversation with an engine that makes claims."""

    def claim(
        self, state: State[Any], text: str, share: float, pv: list[str], **more: Any
    ) -> Result:
        """Return a result for its move and what it says of it; a move that is not legal stays
        text, for the referee."""
        try:
            move = read_move(state, text)
        except GameError:
            self.state = None
            return Result(0.0, line=(text,))
        expected = list(_played(state, pv))
        line = expected if expected[:1] == [move] else [move]
        share = max(-NEARLY, min(NEARLY, share))
        nodes = max(0, more.pop("nodes", None) or 0)
        extra = {name: value for name, value in more.items() if value is not None}
        return Result(share * state.largest, line=tuple(line), nodes=nodes, extra=extra)


def _played(state: State[Any], words: list[str]) -> Iterator[Any]:
    """Yield the moves of a line, as far as it can be read: it is the engine's own affair."""
    for word in words:
        if state.turn == TERMINAL:
            return
        try:
            move = read_move(state, word)
        except GameError:
            return
        yield move
        state = state.after(move)


class UciClient(Client):
    """A conversation by UCI or UGI."""

    def introduce(self, search: Any) -> None:
        """Exchange names and set the options; raise SearchError."""
        self.dialect = search.protocol
        self.words: list[str] = []
        """The moves of the game as the protocol writes them."""
        deadline = time.monotonic() + self.patience
        self.program.write(self.dialect)
        known: dict[str, str] = {}
        for line in self._until(f"{self.dialect}ok", deadline):
            if line.startswith("id name "):
                self.title = line[8:].strip() or self.title
            if found := re.match(r"option name (.+?) type ", line):
                known[found[1].casefold()] = found[1]
        for name, value in search.options:
            if name.casefold() not in known:
                raise SearchError(
                    f"{self.title} does not have the option {name!r}"
                    + (
                        did_you_mean(name, known.values())
                        or f"; it has {', '.join(known.values())}"
                    )
                )
            self.program.write(f"setoption name {known[name.casefold()]} value {value}")
        for line in search.setup:
            self.program.write(line)
        self._ready(deadline)

    def _until(self, last: str, deadline: float | None) -> list[str]:
        """Return its lines up to one that begins with a word; raise SearchError."""
        found = list[str]()
        for line in self.lines(deadline):
            found.append(line.strip())
            if line.split()[:1] == [last]:
                break
        return found

    def _ready(self, deadline: float) -> None:
        self.program.write("isready")
        self._until("readyok", deadline)

    def answer(
        self, position: Position, limit: Limit, game: Game[Any] | None, rng: np.random.Generator
    ) -> Result:
        state = position.state
        game = game or state.game
        another, new = self.follow(position)
        if another:
            self.words = []
            self.program.write("ucinewgame" if self.dialect == "uci" else "uginewgame")
            self._ready(time.monotonic() + self.patience)
        self.words += [coordinates(*made) for made in new]
        usual = game is not None and str(self.start) == str(game.start(0))
        moves = f" moves {' '.join(self.words)}" if self.words else ""
        self.program.write(f"position {'startpos' if usual else f'fen {self.start}'}{moves}")
        self.program.write(self._go(position, limit))
        claims: dict[str, Any] = {"share": 0.0, "pv": []}
        *infos, last = self._until("bestmove", self.deadline_of(limit))
        for line in infos:
            claims.update(_info(line.split()))
        text = (last.split() + [""])[1]
        if text in ("(none)", "0000", ""):
            raise SearchError(f"{self.title} has no move to make in {state}")
        return self.claim(state, text, **claims)

    def _go(self, position: Position, limit: Limit) -> str:
        """The command `go`, by the clock of the side to move, or by the limit.

        The other side's clock is not known here; an engine is sent its own for both.
        """
        words = ["go"]
        if position.remaining is not None:
            left, gain = round(position.remaining * 1000), round(position.increment * 1000)
            for side in ("w", "b") if self.dialect == "uci" else ("p1", "p2"):
                words += [f"{side}time", str(max(1, left)), f"{side}inc", str(gain)]
            if position.left:
                words += ["movestogo", str(position.left)]
        elif limit.seconds is not None or not (limit.nodes or limit.depth):
            words += ["movetime", str(max(1, round((limit.seconds or UNASKED) * 1000)))]
        for name, number in (("nodes", limit.nodes), ("depth", limit.depth)):
            if number is not None:
                words += [name, str(number)]
        return " ".join(words)


def _info(words: list[str]) -> dict[str, Any]:
    """Return the evaluation of the best line in an `info` line; bounds and other lines are ignored.

    >>> _info("info depth 3 score cp 100 nodes 50 pv e2e4 e7e5".split())
    {'share': 0.0625, 'mate': None, 'depth': 3, 'nodes': 50, 'pv': ['e2e4', 'e7e5']}
    """
    found: dict[str, Any] = {}
    if (
        words[:1] != ["info"]
        or "string" in words
        or not {"lowerbound", "upperbound"}.isdisjoint(words)
    ):
        return found
    numbers = {name: _whole(text) for name, text in pairwise(words)}
    if (numbers.get("multipv") or 1) > 1 or "score" not in words:
        return found
    if (points := numbers.get("cp")) is not None:
        found.update(share=from_centipawns(points), mate=None)
    elif (moves := numbers.get("mate")) is not None:
        found.update(share=NEARLY if moves > 0 else -NEARLY, mate=moves)
    for name in ("depth", "nodes"):
        if (number := numbers.get(name)) is not None:
            found[name] = number
    if "pv" in words:
        found["pv"] = words[words.index("pv") + 1 :]
    return found


def _whole(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[-+]?\d{1,18}", text) else None


class CecpClient(Client):
    """A conversation by CECP, protocol version 2 or 1."""

    def introduce(self, search: Any) -> None:
        """Exchange features; raise SearchError."""
        self.features = {"usermove": "0", "san": "0", "setboard": "0", "ping": "0", "colors": "1"}
        self.pings = 0
        deadline = time.monotonic() + min(SILENT, self.patience)
        self.program.write("xboard")
        self.program.write("protover 2")
        while self.features.get("done") != "1":
            try:
                line = self.program.read(deadline)
            except SearchError:
                if self.program.process.poll() is not None:
                    raise
                break  # protocol version 1 has no features
            for name, text, word in re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', line):
                if line.lstrip().startswith("feature"):
                    self.features[name] = text or word
                    self.program.write(f"accepted {name}")
                    if self.features.get("done") == "0":  # it asks for more time
                        deadline = time.monotonic() + self.patience
        self.title = self.features.get("myname") or self.title
        for each in search.setup:
            self.program.write(each)
        self._wait(time.monotonic() + self.patience)

    def _wait(self, deadline: float) -> None:
        """Wait until it has done what it was sent, if it knows `ping`."""
        if self.features["ping"] != "1":
            return
        self.pings += 1
        self.program.write(f"ping {self.pings}")
        while self.program.read(deadline).split() != ["pong", str(self.pings)]:
            pass

    def answer(
        self, position: Position, limit: Limit, game: Game[Any] | None, rng: np.random.Generator
    ) -> Result:
        """Return its move, value and line; raise SearchError."""
        state, deadline = position.state, time.monotonic() + self.patience
        game = game or state.game
        another, new = self.follow(position)
        if another:
            self._begin(game)
        self.program.write("force")
        for made in new:
            word = coordinates(*made)
            self.program.write(f"usermove {word}" if self.features["usermove"] == "1" else word)
        self._time(position, limit)
        self._wait(deadline)
        self.program.write("go")
        return self._move(state, self.deadline_of(limit))

    def _begin(self, game: Game[Any] | None) -> None:
        """Send it a new game, from where it starts."""
        for line in ("new", "force", "easy", "post"):
            self.program.write(line)
        self.timed = ""
        if game is not None and str(self.start) == str(game.start(0)):
            return
        if self.features["setboard"] != "1":
            raise SearchError(
                f"{self.title} does not know `setboard`, so it can only be sent games from their "
                f"usual start, and not {self.start}"
            )
        self.program.write(f"setboard {self.start}")

    def _time(self, position: Position, limit: Limit) -> None:
        """Send it the time that it may spend: of its clock, or on this move."""
        left, lines = position.remaining, []
        if left is not None:
            minutes, seconds = divmod(max(1, int(left)), 60)
            level = f"level {position.left or 0} {minutes}:{seconds:02} {position.increment:g}"
            if not self.timed.startswith("level"):
                lines, self.timed = [level], level
            hundredths = max(1, int(left * 100))
            lines += [f"time {hundredths}", f"otim {hundredths}"]
        else:
            timed = f"st {limit.seconds or UNASKED:g}"
            if limit.seconds is None and limit.depth:
                timed = f"sd {limit.depth}"
            if timed != self.timed:
                lines, self.timed = [timed], timed
        for line in lines:
            self.program.write(line)

    def _move(self, state: State[Any], deadline: float | None) -> Result:
        """Read until it moves; raise SearchError."""
        claims: dict[str, Any] = {"share": 0.0, "pv": []}
        lines = map(str.strip, self.lines(deadline))
        while True:
            line = next(lines)
            if found := re.match(r"(?:move|My move is\s*:?)\s+(\S+)", line):
                result = self.claim(state, found[1], **claims)
                self.moved(result.move)
                return result
            if re.match(r"resign\b|(0-1|1-0)\b", line):
                self.state = None
                return Result(-state.largest, extra={"resigns": True})
            if line.startswith(("Illegal move", "Error")):
                raise SearchError(f"{self.title} refuses the game so far: {line[:200]}")
            if found := re.match(r"(\d+)[.&+]?\s+([-+]?\d+)\s+\d+\s+(\d+)\s*(.*)", line):
                claims.update(
                    share=from_centipawns(_whole(found[2]) or 0),
                    depth=_whole(found[1]),
                    nodes=_whole(found[3]),
                    pv=found[4].split(),
                )
