"""`dragon nex gtp`: Nex as an engine, on stdin and stdout, by the Go Text Protocol."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import click
from attrs import evolve

from dragon.cli_tools import chosen_search, limit_of, limits
from dragon.core import Game, Limit, Search
from dragon.errors import ProtocolError
from dragon.gtp import protocol
from dragon.gtp.server import LEAST, GtpServer, whole
from dragon_nex.annotation import known, proven
from dragon_nex.board import LARGEST
from dragon_nex.cli.options import SIZE
from dragon_nex.game import Nex


class NexServer(GtpServer):
    """A GTP server of Nex; `choose` gives the search of each board."""

    name = "nex"

    def __init__(self, game: Nex, choose: Callable[[Nex], Search], limit: Limit) -> None:
        self.choose = choose
        super().__init__(game, choose(game), limit)

    def do_boardsize(self, command: protocol.Command) -> str:
        """N, or ROWS COLUMNS: a new empty board."""
        if len(command.arguments) not in (1, 2):
            raise ProtocolError("syntax error: boardsize N, or boardsize ROWS COLUMNS")
        sides = [whole(text, "a size", 0, 10**6) for text in command.arguments]
        rows, cols = sides[0], sides[-1]
        if not (1 <= rows <= LARGEST and 1 <= cols <= LARGEST and rows * cols > 1):
            raise ProtocolError("unacceptable size")
        assert isinstance(self.game, Nex)
        self.change(Nex(rows, cols, self.game.swap))
        return ""

    def change(self, game: Game[Any]) -> None:
        """Set up an empty board, and the search for it; raises Objection."""
        if isinstance(game, Nex):
            self.search = self.choose(game)
        super().change(game)

    def do_nex_solve(self, command: protocol.Command) -> str:
        """Value for the side to move (1, 0, -1), plies to the end, and the moves that keep it."""
        answer = proven(self.state, self.search.best(self.state, self.allowed(), self.seed))
        if answer.value is None:
            raise ProtocolError("unknown: the search did not prove it in time")
        value = answer.value * (1 if self.state.turn == 0 else -1)
        return f"{value} {answer.distance or 0} {' '.join(answer.optimal)}"

    def do_nex_values(self, command: protocol.Command) -> str:
        """Every legal move and its value for the side to move: 1, 0, -1, or ? unproven.

        The moves share the seconds that there are.
        """
        limit, lines, moves = self.allowed(), [], self.state.moves()
        each, begun = limit, time.monotonic()
        for i, move in enumerate(moves):
            if limit.seconds is not None:
                left = limit.seconds - (time.monotonic() - begun)
                each = evolve(limit, seconds=max(left / (len(moves) - i), LEAST))
            answer = known(self.state.after(move), self.search, each, moves=False)
            sign = 1 if self.state.turn == 0 else -1
            lines.append(f"{move} {'?' if answer.value is None else sign * answer.value}")
        return "\n".join(lines)


@click.command()
@click.option("--size", type=SIZE, default=(11, 11), help="The board at first: 11x11.")
@click.option("--swap", is_flag=True, help="White may take the first move over.")
@click.option("--search", "spec", metavar="SPEC", help="The search; a table, or else mcts.")
@limits
def gtp(size: tuple[int, int], swap: bool, spec: str | None, **given: Any) -> None:
    """Play as an engine for another program, by the Go Text Protocol, version 2.

    Commands are answered, a line each, until `quit`. Moves are those of Nex: `play black
    Ba1?c2`. `boardsize 4` or `boardsize 3 4` sets up an empty board. On boards with a table play
    is perfect. Analysis: nex-solve, nex-values, dragon-analyze.

    \b
    Examples:
      printf 'boardsize 3\\ngenmove black\\nnex-solve\\nquit\\n' | dragon nex gtp
      dragon nex gtp --size 5x5 --search mcts --seconds 3
    """
    NexServer(Nex(*size, swap), lambda game: player(game, spec), limit_of(given)).serve()


def player(game: Nex, spec: str | None) -> Search:
    """The search of a board: of a spec, else a table where there is one, else mcts."""
    from dragon_nex.nextable import NexTable

    return chosen_search(spec or ("mcts" if NexTable().objection(game) else "nextable"), game)
