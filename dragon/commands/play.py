"""`dragon play`: a game in the terminal, between people and searches."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click
from attrs import define, field

from dragon.boards.picture import board_text
from dragon.cli_tools import (
    chosen_search,
    claim,
    limit_of,
    limits,
    number,
    say_caveats,
    with_checks,
    with_seed,
    words,
)
from dragon.config import game, position
from dragon.core import CHANCE, TERMINAL, Game, Limit, Position, Run, Search, State, Trait
from dragon.errors import ConfigError, GameError
from dragon.protocols import seat_names
from dragon.rules.notation import parse_move
from dragon.rules.playout import roll

HUMAN = "human"
LISTED = 60
"""The most moves that `moves` lists; then it says how many more there are."""
HELP = """\
Write a move, or:
  moves [TEXT]   the legal moves, or those that begin with TEXT
  hint           what a search would play
  undo           take back to your last decision
  board          draw the position again
  resign, quit   give the game up, or leave it
  ?              this help"""


@click.command()
@click.argument("game_spec", metavar="GAME")
@click.option(
    "--seats", metavar="LIST", help="The player of each seat: human, strong or a search; commas."
)
@click.option("--position", "text", metavar="TEXT", help="Begin at this position.")
@click.option("--hint", "hint_spec", metavar="SPEC", help="The search that gives hints.")
@limits
@with_checks
@with_seed
def play(
    game_spec: str,
    seats: str | None,
    text: str | None,
    hint_spec: str | None,
    seed: int,
    **given: Any,
) -> None:
    """Play GAME in the terminal: you are seat 0, unless --seats says otherwise.

    A search has one second for each move if no limit is given; strong is the search that plays the
    game best by measured games. Write ? at the prompt for help. Moves may also come from a pipe.

    \b
    Examples:
      dragon play tictactoe
      dragon play "nex(rows=5, cols=5)" --seats "human,mcts(c=0.7)" --seconds 3
      dragon play "hex(size=7)" --seats human,strong
      dragon play connect4 --seats mcts,alphabeta --nodes 100000
      printf 'b2\\nresign\\n' | dragon play tictactoe --seats human,random
    """
    of = game(game_spec)
    asked = limit_of(given)
    limit = asked or Limit(seconds=1)
    played = TerminalGame(of, seated(of, seats), lambda: chosen_search(hint_spec, of), limit, seed)
    if hint_spec is not None:
        played.hint()  # a mistake in it ends the command before the game begins
    say_caveats(played.players, asked)
    played.run(position(of, text, seed))


def split_seats(text: str) -> list[str]:
    """The parts of a list at the commas outside brackets and quotes.

    >>> split_seats("human, mcts(c=0.7, solver=false)")
    ['human', 'mcts(c=0.7, solver=false)']
    """
    parts, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        else:
            depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def seated(of: Game[Any], text: str | None) -> list[Search | None]:
    """A search for each seat, None for a person; raises ConfigError and Objection."""
    if text is None:
        others = [chosen_search(None, of)] if len(of.teams) > 1 else []
        return [None, *others * (len(of.teams) - 1)]
    names = split_seats(text)
    if len(names) != len(of.teams):
        raise ConfigError(
            f"{of} has {len(of.teams)} seats, but --seats names {len(names)}: {', '.join(names)}"
        )
    return [None if name == HUMAN else chosen_search(name, of) for name in names]


class Left(Exception):
    """A person ends the game early, at the prompt; its text says how."""


@define
class TerminalGame:
    """A game being played in the terminal: the players of its seats, and its moves."""

    game: Game[Any]
    players: list[Search | None]
    hint: Callable[[], Search]
    limit: Limit
    seed: int
    turns: list[tuple[State[Any], Any]] = field(factory=list)
    """Each state in which a seat moved, and the move."""
    runs: dict[int, Run] = field(factory=dict)
    """The run of each seat that a search plays, once it has moved."""

    def run(self, state: State[Any]) -> None:
        """Play to the end, or until a person leaves; say how it ended."""
        self.draw(state)
        try:
            while state.turn != TERMINAL:
                state = self.next(state)
            for seat, payoff in enumerate(state.payoff()):
                click.echo(f"{self.who(seat)}: {number(payoff)}")
        except Left as how:
            click.echo(str(how))
        finally:
            self.close()
        if self.turns:
            click.echo("moves: " + " ".join(str(move) for _, move in self.turns))

    def next(self, state: State[Any]) -> State[Any]:
        """The state after one move, or an earlier one after an undo."""
        if state.turn == CHANCE:
            import numpy as np

            rng = np.random.default_rng((self.seed, len(self.turns)))  # the same after an undo
            move = roll(state, rng)
            click.echo(f"chance: {move}" if self.all_seen(state) else "chance has moved")
        elif (player := self.players[state.turn]) is None:
            move = self.asked(state)
            if move is None:
                return self.undone(state)
        else:
            if state.turn not in self.runs:
                self.runs[state.turn] = player.open(self.game)
            run, seed = self.runs[state.turn], self.seed + len(self.turns)
            result = run.best(self.position(state), self.limit, seed)
            move = result.move
            click.echo(f"{self.who(state.turn)}: {move}   (value {claim(result)})")
        after = state.after(move)
        self.turns.append((state, move))
        self.draw(after)
        return after

    def position(self, state: State[Any]) -> Position:
        """Return a state, and the moves that led to it."""
        start = self.turns[0][0] if self.turns else state
        return Position(state, start, tuple(str(move) for _, move in self.turns))

    def close(self) -> None:
        for run in self.runs.values():
            run.close()
        self.runs.clear()

    def asked(self, state: State[Any]) -> Any:
        """A person's move, or None to undo; raises Left."""
        while True:
            click.echo(f"{self.who(state.turn)} to move> ", nl=False)
            if sys.stdin is None:
                raise ConfigError("there is no input to play from; standard input is closed")
            line = sys.stdin.readline()
            if not sys.stdin.isatty():
                click.echo(line.rstrip("\n"))
            if not line:
                raise Left("The input has ended, and with it the game.")
            word, _, rest = line.strip().partition(" ")
            if word in ("quit", "exit"):
                raise Left("The game is left unfinished.")
            if word == "resign":
                raise Left(f"{self.who(state.turn)} resigns.")
            if word == "undo":
                if not self.decisions():
                    click.echo("There is nothing to take back.")
                    continue
                return None
            if word in ("", "?", "help"):
                click.echo(HELP)
            elif word == "moves":
                click.echo(legal(state, rest.strip()))
            elif word == "board":
                self.draw(state)
            elif word == "hint":
                self.hinted(state)
            else:
                try:
                    return parse_move(state, line.strip())
                except GameError as error:
                    click.echo(f"{error}  (? for help)")

    def hinted(self, state: State[Any]) -> None:
        """Print the move of the hint's search."""
        by = self.hint()
        with by.open(self.game) as run:
            result = run.best(self.position(state), self.limit, self.seed)
        click.echo(f"{by} would play {result.move}  (value {claim(result)}; {words(result.line)})")

    def decisions(self) -> list[int]:
        """The indices in `turns` at which a person moved."""
        return [i for i, (state, _) in enumerate(self.turns) if state.turn in self.people]

    def undone(self, state: State[Any]) -> State[Any]:
        """Go back to the state of a person's last decision, and forget the rest, in searches
        too."""
        last = self.decisions()[-1]
        back = self.turns[last][0]
        del self.turns[last:]
        self.close()
        self.draw(back)
        return back

    def who(self, seat: int) -> str:
        """A seat and its player, as `O (mcts)`."""
        return f"{seat_names(self.game)[seat]} ({self.players[seat] or HUMAN})"

    @property
    def people(self) -> list[int]:
        return [seat for seat, player in enumerate(self.players) if player is None]

    def all_seen(self, state: State[Any]) -> bool:
        """Return True if nothing has to be hidden from those who look at the screen."""
        hidden = Trait.HIDDEN in self.game.traits
        return not hidden or not self.people or state.turn == TERMINAL

    def draw(self, state: State[Any]) -> None:
        """Print the position as the person to move may see it, or the first person."""
        if not self.all_seen(state):
            state = state.seen(state.turn if state.turn in self.people else self.people[0])
        click.echo(f"\n{board_text(self.game, state)}\n")


def legal(state: State[Any], prefix: str) -> str:
    """Return the legal moves that begin with `prefix`, as many as fit on a screen."""
    moves, start = state.moves(), prefix.casefold()
    if prefix:
        moves = [text for text in map(str, moves) if text.casefold().startswith(start)]
    shown, more = [str(moves[i]) for i in range(min(LISTED, len(moves)))], len(moves) - LISTED
    if not shown:
        return f"no legal move begins with {prefix!r}"
    tail = f"\nand {more:,} more; `moves TEXT` lists those that begin with TEXT" if more > 0 else ""
    return " ".join(shown) + tail
