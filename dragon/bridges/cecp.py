"""CECP: dragon as a chess engine for XBoard and the programs that speak its protocol, version 2.

Source: T. Mann and H. G. Muller, "Chess Engine Communication Protocol", version 2, 2009.
"""

from __future__ import annotations

from typing import Any

import click

from dragon.bridges.thinker import (
    ENDLESS,
    Server,
    Thinker,
    all_coordinates,
    centipawns,
    coordinates,
    moves_to_mate,
    read_move,
    share_of,
    with_setting,
)
from dragon.bridges.uci import RESERVE, USUAL
from dragon.cli_tools import chosen_search, limit_of, limits, with_search, with_seed
from dragon.config import game
from dragon.core import TERMINAL, Limit, Position, Result
from dragon.errors import DragonError, ProtocolError
from dragon.gtp.server import LEAST, clock_share, seconds, whole

FEATURES = (
    "ping=1 setboard=1 playother=1 usermove=1 time=1 draw=0 reuse=1 analyze=1 "
    'colors=0 san=0 debug=0 memory=1 smp=1 variants="normal"'
)
MATE = 100_000
"""The score of a mate, to which its moves are added."""


class CecpServer(Server):
    """A conversation by CECP. It answers a move by its own unless it is forced."""

    def __init__(self, thinker: Thinker, say: Any = print) -> None:
        super().__init__(thinker, say)
        self.forced = False
        self.plays = 1
        """The seat that it plays for, unless it is forced."""
        self.posts = False
        self.moves_in_all, self.increment = 0, 0.0
        """Moves of a time control, 0: all; and seconds that the clock gains with each."""
        self.left: float | None = None
        self.fixed: float | None = None
        """Seconds for each move."""
        self.depth: int | None = None
        self._analyses = False
        self._dropped = True
        """True if the move of the search that is on is not wanted."""
        self._texts: list[str] = []
        self._start = thinker.position.state

    def answer(self, words: list[str]) -> bool:
        try:
            return self._answer(words)
        except DragonError as wrong:
            sentence = " ".join(str(wrong).split())
            kind = "Illegal move" if words[:1] == ["usermove"] else "Error"
            self._send(f"{kind} ({sentence}): {' '.join(words[1:] if kind[0] == 'I' else words)}")
        return True

    def _answer(self, words: list[str]) -> bool:
        match words:
            case ["quit", *_]:
                return False
            case ["protover", *_]:
                self._send(f'feature myname="dragon {self.thinker.search}" {FEATURES} done=1')
            case ["new", *_]:
                self._begin()
            case ["setboard", *rest]:
                self.thinker.stop()
                self._start, self._texts = self.thinker.game.parse(" ".join(rest)), []
                self._show()
            case ["force" | "result", *_]:
                self._abandon()
                self.forced = True
            case ["go", *_]:
                self.forced, self.plays = False, self.thinker.position.state.turn
                self._think()
            case ["playother", *_]:
                self.forced, self.plays = False, 1 - self.thinker.position.state.turn
            case ["usermove", move, *_]:
                self._usermove(move)
            case ["?", *_]:
                self.thinker.stop()
            case ["undo" | "remove" as kind, *_]:
                self._abandon()
                del self._texts[-1 if kind == "undo" else -2 :]
                self._show()
                self._analyse()
            case ["analyze", *_]:
                self._analyses = True
                self._analyse()
            case ["exit", *_]:
                self._abandon()
                self._analyses = False
            case ["ping", number, *_]:
                if not self._analyses:
                    self.thinker.wait()
                self._send(f"pong {number}")
            case ["post" | "nopost" as kind, *_]:
                self.posts = kind == "post"
            case ["level", moves, base, increment, *_]:
                self._level(moves, base, increment)
            case ["st", given, *_]:
                self.fixed, self.left = max(seconds(given), LEAST), None
            case ["sd", plies, *_]:
                self.depth = whole(plies, "a depth", 1, 10**6)
            case ["time", hundredths, *_]:
                self.left = max(whole(hundredths, "a time", -(10**9), 10**9) / 100, 0.001)
            case ["memory", megabytes, *_]:
                self._set("megabytes", whole(megabytes, "a number of megabytes", 1, 10**6))
            case ["cores", threads, *_]:
                self._set("threads", whole(threads, "a number of cores", 1, 512))
            case [] | [
                "xboard" | "accepted" | "rejected" | "random" | "otim" | "hard" | "easy" | "."
                | "computer" | "name" | "rating" | "ics" | "draw" | "variant" | "white" | "black"
                | "bk" | "hint" | "option", *_,
            ]:  # fmt: skip
                pass
            case [
                "level" | "st" | "sd" | "time" | "usermove" | "ping" | "memory" | "cores",
                *_,
            ]:
                raise ProtocolError("its arguments are missing")
            case [move]:
                self._usermove(move)  # as programs send it that ignore `usermove=1`
            case _:
                raise ProtocolError("unknown command")
        return True

    def _set(self, setting: str, value: int) -> None:
        """Change a setting of the search, if it has it."""
        if setting in USUAL.values() and hasattr(self.thinker.search, setting):
            self.thinker.stop()
            self.thinker.change(with_setting(self.thinker.search, setting, value))

    def _level(self, moves: str, base: str, increment: str) -> None:
        """`level MOVES BASE INCREMENT`: base in minutes, or minutes and seconds, `1:30`."""
        minutes, _, rest = base.partition(":")
        self.moves_in_all = whole(moves, "a number of moves", 0, 10**6)
        whole_minutes = whole(minutes, "a number of minutes", 0, 10**6)
        self.left = max(60.0 * whole_minutes + seconds(rest or "0"), LEAST)
        self.increment = seconds(increment)
        self.fixed = None

    def _begin(self) -> None:
        self._abandon()
        self.thinker.begin()
        self._start, self._texts = self.thinker.position.state, []
        self.forced, self.plays, self.depth, self._analyses = False, 1, None, False

    def _usermove(self, text: str) -> None:
        """Make a move of the other side, and answer it; raises GameError."""
        self._abandon()
        state = self.thinker.position.state
        move = read_move(state, text)
        self._make(coordinates(state, move))
        if self._analyses:
            self._analyse()
        elif not self.forced:
            self._think()

    def _make(self, text: str) -> None:
        self._texts = [*self._texts, text]
        self._show()

    def _show(self) -> None:
        self.thinker.set_up(self._start, self._texts)

    def _abandon(self) -> None:
        """End a search whose move is not wanted."""
        self._dropped = True
        self.thinker.stop()

    def _analyse(self) -> None:
        """Search until the next command."""
        if self._analyses and self.thinker.position.state.turn != TERMINAL:
            self._dropped = True
            self.thinker.think(Limit(seconds=ENDLESS), self._shown, self._ended)

    def _think(self) -> None:
        """Search for a move and make it, if it is its turn."""
        state = self.thinker.position.state
        if state.turn == TERMINAL:
            first, second = state.payoff()
            score = "1/2-1/2" if first == second else "1-0" if first > second else "0-1"
            self._send(f"{score} {{the game is over}}")
            return
        if state.turn != self.plays:
            return
        share = self.fixed and max(self.fixed - RESERVE, self.fixed / 2)
        if share is None and self.left is not None:
            made = (len(self._texts) + 1) // 2
            moves = self.moves_in_all - made % self.moves_in_all if self.moves_in_all else None
            share = clock_share(self.left, moves, self.increment, RESERVE)
        limit = Limit(seconds=share, depth=self.depth)
        self._dropped = False
        self.thinker.think(
            limit or self.thinker.limit or Limit(seconds=1.0), self._shown, self._ended
        )

    def _shown(self, position: Position, result: Result, rank: int) -> None:
        """Send a line of thinking: depth, score, hundredths, nodes and moves."""
        if not (self.posts or self._analyses):
            return
        mate = moves_to_mate(result, position.state)
        score = centipawns(share_of(result, position.state))
        if mate is not None:
            score = mate + (MATE if mate > 0 else -MATE)
        depth = max(1, int(result.extra.get("depth", len(result.line))))
        line = " ".join(map(str, result.line))
        self._send(f"{depth} {score} {int(result.seconds * 100)} {result.nodes} {line}")

    def _ended(self, position: Position, result: Result | None, sentence: str) -> None:
        if sentence:
            self._send(f"telluser {sentence}")
        if self._dropped:
            return
        if result is None or not result.line:  # it failed, but a game is not lost by that
            move = all_coordinates(position.state)[0]
        else:
            move = coordinates(position.state, result.move)
        self._make(move)
        self._send(f"move {move}")


@click.command()
@with_search
@limits
@with_seed
def cecp(search_spec: str | None, seed: int, **given: Any) -> None:
    """Play chess as an engine by CECP, the protocol of XBoard and WinBoard.

    The program starts this command, and sends `xboard` and `protover 2`. The limit given here is
    that of each move where the program sets no clock.

    \b
    Examples:
      dragon cecp --search alphabeta
      printf 'xboard\\nprotover 2\\nnew\\nst 1\\nusermove e2e4\\n' | dragon cecp
    """
    chess = game("chess")
    thinker = Thinker(chess, chosen_search(search_spec, chess), limit_of(given), seed)
    CecpServer(thinker).serve()
