"""UCI and UGI: dragon as an engine of chess, or of another game, for programs that play matches.

UGI is UCI without chess: its clocks are `p1time` and `p2time`, and `query` asks whether the game is
over, and who has won. An unknown command is answered by a line `info string`, which all readers
skip.

Sources: S. Meyer-Kahlen, "Description of the universal chess interface", 2006; K. Zielinski,
"Universal Game Interface" (ugi.md of cutegames), 2023.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import pairwise, takewhile
from typing import Any

import attrs
import click

from dragon.bridges.thinker import (
    ENDLESS,
    Server,
    Thinker,
    all_coordinates,
    centipawns,
    moves_to_mate,
    read_move,
    share_of,
    walked,
    with_setting,
)
from dragon.cli_tools import chosen_search, limit_of, limits, with_search, with_seed
from dragon.config import OUTSIDE, game
from dragon.core import TERMINAL, Bound, Limit, Position, Result, State
from dragon.core.spec import settings
from dragon.errors import DragonError, ProtocolError, did_you_mean
from dragon.gtp.server import RESERVE as RESERVE
from dragon.gtp.server import clock_share, whole
from dragon.search.alphabeta.search import AlphaBetaRun

USUAL = {"hash": "megabytes", "threads": "threads"}
"""Options that programs set by these names, and the settings of searches that they mean."""
EVERY = 0.3
"""Seconds between two `info` lines of the same depth."""
CLOCKS = {"uci": ("w", "b", "time", "inc"), "ugi": ("p1", "p2", "time", "inc")}
BOUNDS = {Bound.LOWER: " lowerbound", Bound.UPPER: " upperbound"}
NUMBERS = ("movetime", "movestogo", "nodes", "depth", "mate")


class UciServer(Server):
    """A conversation by UCI or UGI."""

    def __init__(self, thinker: Thinker, say: Any = print) -> None:
        super().__init__(thinker, say)
        self.dialect = "uci"
        self.reserve = RESERVE
        self._flaw = ""
        """A sentence on the last `position`, if it could not be read."""
        self._told = (0.0, -1)
        """The time of the last `info`, and its depth."""
        self._pondered: dict[str, int] | None = None
        self._lines = 1
        """The option MultiPV: how many of the best moves are reported."""

    def answer(self, words: list[str]) -> bool:
        try:
            match words:
                case ["quit", *_]:
                    return False
                case ["uci" | "ugi" as dialect, *_]:
                    self.introduce(dialect)
                case ["isready", *_]:
                    self._send("readyok")
                case ["ucinewgame" | "uginewgame", *_]:
                    self._stop()
                    self.thinker.begin()
                case ["position", *rest]:
                    self._stop()
                    self._flaw = ""
                    self.position(rest)
                case ["go", *rest]:
                    self._stop()
                    self.go(rest)
                case ["stop", *_]:
                    self._stop()
                case ["ponderhit", *_]:
                    self.ponderhit()
                case ["setoption", *rest]:
                    self._stop()
                    self.set_option(" ".join(rest))
                case ["query", *rest]:
                    self._send(f"response {self.query(' '.join(rest))}")
                case ["d", *_]:
                    for row in self.thinker.position.state.picture().splitlines():
                        self._send(f"info string {row}")
                case [] | ["debug" | "register", *_]:
                    pass
                case [word, *_]:
                    raise ProtocolError(
                        f"{word[:40]!r} is not a command of {self.dialect.upper()} that is known"
                    )
        except DragonError as wrong:
            sentence = " ".join(str(wrong).split())
            if words[0] == "position":
                self._flaw = sentence
            self._send(f"info string error: {sentence}")
            if words[0] == "go":  # or the other program would wait for ever
                self._send("bestmove (none)")
        return True

    def introduce(self, dialect: str) -> None:
        """Tell name, author and options."""
        self.dialect = dialect
        self._send(f"id name dragon {self.thinker.search}")
        self._send("id author the authors of dragon")
        for line in self.options():
            self._send(f"option {line}")
        self._send(f"{dialect}ok")

    # ---- options ---------------------------------------------------------------------------

    def options(self) -> Iterator[str]:
        """Yield the options: those that programs expect, then each setting of the search."""
        own = self._own()
        for usual, name in USUAL.items():
            if name in own:
                value = int(getattr(self.thinker.search, name))
                least, most = (1, 1_000_000) if name == "megabytes" else (1, 512)
                yield f"name {usual.title()} type spin default {value} min {least} max {most}"
        yield "name Ponder type check default false"
        if self.thinker.search.values:
            yield "name MultiPV type spin default 1 min 1 max 500"
        yield f"name Move Overhead type spin default {self.reserve * 1000:.0f} min 0 max 5000"
        for name in own:
            yield f"name {name} type string default {_written(getattr(self.thinker.search, name))}"

    def _own(self) -> list[str]:
        """The settings of the search that may be set from outside."""
        cls = type(self.thinker.search)
        kept = {str(a.alias) for a in attrs.fields(cls) if not a.metadata.get(OUTSIDE)}
        return [each.name for each in settings(cls) if each.name in kept]

    def set_option(self, text: str) -> None:
        """`name NAME value VALUE`; raises ConfigError, ProtocolError and Objection."""
        name, _, value = text.removeprefix("name ").partition(" value ")
        name, value = name.strip(), value.strip()
        folded = name.casefold()
        if folded in ("ponder", "uci_analysemode", "uci_opponent"):
            return
        if folded == "move overhead":
            self.reserve = whole(value, "a value of Move Overhead", 0, 5000) / 1000
            return
        own = {each.casefold(): each for each in self._own()}
        setting = own.get(USUAL.get(folded, folded))
        if folded == "multipv":
            self._lines = whole(value, "a value of MultiPV", 1, 500)
            return
        if setting is None:
            raise ProtocolError(
                f"{self.thinker.search.name} does not have the option {name[:40]!r}"
                f"{did_you_mean(folded, [*own, *USUAL])}"
            )
        self.thinker.change(with_setting(self.thinker.search, setting, _value(value)))

    # ---- positions and searches ------------------------------------------------------------

    def position(self, words: list[str]) -> None:
        """`startpos` or `fen TEXT`, then `moves ...`; raises GameError and ProtocolError."""
        at = len(words) - 1 - words[::-1].index("moves") if "moves" in words else len(words)
        thinker = self.thinker
        match words[:at]:
            case ["startpos"]:
                start = thinker.game.start(thinker.seed)
            case ["fen", *rest] if rest:
                start = thinker.game.parse(" ".join(rest))
            case _:
                raise ProtocolError("position needs startpos, or fen and a position")
        thinker.set_up(start, words[at + 1 :], claimed=self.dialect != "uci")

    def go(self, words: list[str]) -> None:
        """Search, by a clock, a limit, or until `stop`."""
        position = self.thinker.position
        if self._flaw or position.state.turn == TERMINAL:
            reason = self._flaw or "the game is over"
            self._send(f"info string {reason}")
            self._send("bestmove (none)")
            return
        given, among = self._given(words), self._among(words, position.state)
        endless, ponders = "infinite" in words, "ponder" in words
        self.hold, self._told = endless or ponders, (0.0, -1)
        self._pondered = given if ponders else None
        limit = Limit(seconds=ENDLESS) if self.hold else self.limit(given)
        mates = bool(given.get("mate"))
        self.thinker.think(limit, self._shown, self._ended, self._lines, among, full_width=mates)

    def _among(self, words: list[str], state: State[Any]) -> list[Any]:
        """The moves of `searchmoves`, up to the next word of `go`; raises GameError."""
        if "searchmoves" not in words:
            return []
        ends, found = {*self._numbers(), "infinite", "ponder"}, dict[str, Any]()
        for word in takewhile(
            lambda each: each not in ends, words[words.index("searchmoves") + 1 :]
        ):
            move = read_move(state, word)
            found[str(move)] = move
        if not found:
            raise ProtocolError("searchmoves needs a move")
        return [*found.values()]

    def _numbers(self) -> set[str]:
        """The words of `go` that numbers follow."""
        first, second, *kinds = CLOCKS[self.dialect]
        return {*NUMBERS, *(side + kind for side in (first, second) for kind in kinds)}

    def _given(self, words: list[str]) -> dict[str, int]:
        """Return the numbers of a `go`, by name; raises ProtocolError."""
        names, given = self._numbers(), {}
        for name, text in pairwise([*words, ""]):
            if name in names:
                least = 0 if name in NUMBERS else -(10**9)  # a clock may have been overstepped
                given[name] = whole(text, f"a value of {name}", least, 10**12)
        return given

    def limit(self, given: dict[str, int]) -> Limit:
        """The limit of a move: the numbers of `go`, the share of a clock, or the engine's own."""
        seconds = self._seconds(given)
        depth = given.get("depth", 2 * given["mate"] - 1 if given.get("mate") else None)
        limit = Limit(seconds=seconds, nodes=given.get("nodes") or None, depth=depth or None)
        if limit:
            return limit
        return self.thinker.limit or Limit(seconds=1.0)

    def _seconds(self, given: dict[str, int]) -> float | None:
        if "movetime" in given:
            return max(given["movetime"] / 1000 - self.reserve, given["movetime"] / 2000, 0.001)
        side = CLOCKS[self.dialect][self.thinker.position.state.turn]
        if f"{side}time" not in given:
            return None
        left, increment = given[f"{side}time"] / 1000, given.get(f"{side}inc", 0) / 1000
        return clock_share(
            max(left, 0.001), given.get("movestogo") or None, max(0.0, increment), self.reserve
        )

    def _shown(self, position: Position, result: Result, rank: int = 1) -> None:
        """Send an `info` line for a result, unless one like it has just been sent."""
        now, depth = time.monotonic(), int(result.extra.get("depth", len(result.line)))
        if self._lines == 1 and depth == self._told[1] and now - self._told[0] < EVERY:
            return
        self._told = now, depth
        state, mate = position.state, moves_to_mate(result, position.state)
        score = f"cp {centipawns(share_of(result, state))}" if mate is None else f"mate {mate}"
        score += BOUNDS.get(result.bound, "")
        rate = f" nps {int(result.nodes / result.seconds)}" if result.seconds > 0 else ""
        if isinstance(self.thinker.thinking, AlphaBetaRun):
            rate += f" hashfull {round(1000 * self.thinker.thinking.filled())}"
        line = " ".join(walked(position, result.line))
        which = f"multipv {rank} " if self._lines > 1 else ""
        self._send(
            f"info depth {max(1, depth)} {which}score {score} nodes {result.nodes}{rate} "
            f"time {int(result.seconds * 1000)} pv {line}"
        )

    def _ended(self, position: Position, result: Result | None, sentence: str) -> None:
        """Send the move, once it may be sent."""
        while self.hold:
            time.sleep(0.005)
        if sentence:
            self._send(f"info string error: {sentence}")
        if result is None or not result.line:  # it failed, but a game is not lost by that
            self._send(f"bestmove {next(iter(all_coordinates(position.state)), '(none)')}")
            return
        if self._lines == 1:
            self._told = (0.0, -1)
            self._shown(position, result)
        move, *then = walked(position, result.line[:2])
        self._send(f"bestmove {move}" + (f" ponder {then[0]}" if then else ""))

    def ponderhit(self) -> None:
        """Go on with the search as that of a move whose clock runs from now."""
        given, self._pondered = self._pondered, None
        if given is None or not self.thinker.busy:
            raise ProtocolError("ponderhit without a `go ponder` before it")
        self.thinker.stop_in(self._seconds(given) or 1.0)
        self.hold = False

    def _stop(self) -> None:
        self.hold, self._pondered = False, None
        self.thinker.stop()

    def query(self, question: str) -> str:
        """Answer a question of UGI; raises ProtocolError."""
        state = self.thinker.position.state
        over = state.turn == TERMINAL
        match question:
            case "gameover":
                return str(over).lower()
            case "p1turn":
                return str(state.turn == 0).lower()
            case "result":
                if not over:
                    return "none"
                first, second = state.payoff()
                return "draw" if first == second else "p1win" if first > second else "p2win"
        raise ProtocolError(f"query {question!r} is not one of gameover, p1turn and result")


def _written(value: Any) -> str:
    """A setting as an option's text; `none` and `true` as specs write them."""
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _value(text: str) -> Any:
    """The value of an option's text: a number, true, false, none or the text itself."""
    words = {"true": True, "false": False, "none": None, "<empty>": ""}
    if text.casefold() in words:
        return words[text.casefold()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


@click.command()
@click.argument("game_spec", metavar="GAME", default="chess")
@with_search
@limits
@with_seed
def uci(game_spec: str, search_spec: str | None, seed: int, **given: Any) -> None:
    """Play as an engine by UCI (chess) or UGI (other games of two).

    The program starts this command, and sends `uci` or `ugi`. Clocks, increments, nodes, depth,
    movetime, searchmoves, infinite, stop and ponderhit are obeyed; the options are Hash, Threads,
    Ponder, MultiPV, Move Overhead and every setting of the search. The limit given here is that of
    a bare `go`. Moves are written by their cells, e2e4 and b7b8q, or, in a game without such names,
    as GAME writes them.

    \b
    Examples:
      dragon uci chess --search alphabeta
      printf 'uci\\nposition startpos moves e2e4\\ngo movetime 500\\n' | dragon uci
      printf 'ugi\\nposition startpos\\ngo nodes 1000\\nquery p1turn\\n' | dragon uci "hex(size=5)"
    """
    played = game(game_spec)
    thinker = Thinker(played, chosen_search(search_spec, played), limit_of(given), seed)
    UciServer(thinker).serve()
