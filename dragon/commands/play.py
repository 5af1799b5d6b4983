"""`dragon play`: a game in the terminal, between people and searches."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click
from attrs import define, field, frozen

from dragon.commands.options import (
    chosen_search,
    claim,
    limit_of,
    limits,
    number,
    position,
    say_caveats,
    with_checks,
    with_seed,
    words,
)
from dragon.config import game, search
from dragon.core import CHANCE, TERMINAL, Game, Limit, Position, Run, Search, State, Trait
from dragon.errors import ConfigError, GameError
from dragon.notation import parse_move
from dragon.seats import seat_names

HUMAN = "human"
LISTED = 60
"""Moves that `moves` lists before it says how many more there are."""
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
@click.option("--seats", metavar="LIST", help="human or a search for each seat, by commas.")
@click.option("--position", "text", metavar="TEXT", help="Begin here, not at the start.")
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

    A search has one second for each move if no limit is given. Write ? at the prompt
    for help. Moves may also come from a pipe.

    \b
    Examples:
      dragon play tictactoe
      dragon play "nex(rows=5, cols=5)" --seats "human,mcts(c=0.7)" --seconds 3
      dragon play connect4 --seats mcts,alphabeta --nodes 100000
      printf 'b2\\nresign\\n' | dragon play tictactoe --seats human,random
    """
    of = game(game_spec)
    asked = limit_of(given)
    limit = asked or Limit(seconds=1)
    table = Table(
        game=of,
        players=seated(of, seats),
        hint=lambda: chosen_search(hint_spec, of),
        limit=limit,
        seed=seed,
    )
    if hint_spec is not None:
        table.hint()  # a mistake in it is told before the game begins
    say_caveats(table.players, asked)
    table.run(position(of, text, seed))


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
    players = [None if name == HUMAN else search(name) for name in names]
    for player in players:
        if player is not None:
            player.check(of)
    return players


class Left(Exception):
    """Raised at the prompt to end the game early; its text says how."""


@frozen
class Turn:
    """A state in which somebody moved, and the move."""

    state: State[Any]
    move: Any


@define
class Table:
    """One game being played: who sits where, and what has been played."""

    game: Game[Any]
    players: list[Search | None]
    hint: Callable[[], Search]
    limit: Limit
    seed: int
    turns: list[Turn] = field(factory=list)
    runs: dict[int, Run] = field(factory=dict)
    """Of each seat that a search plays, once it has been asked."""

    def run(self, state: State[Any]) -> None:
        """Plays to the end, or until a person leaves; says how it ended."""
        self.draw(state)
        try:
            while state.turn != TERMINAL:
                state = self.next(state)
            self.ended(state)
        except Left as how:
            click.echo(str(how))
        finally:
            self.close()
        if self.turns:
            click.echo("moves: " + " ".join(str(turn.move) for turn in self.turns))

    def next(self, state: State[Any]) -> State[Any]:
        """The state after one move, or an earlier one after an undo."""
        if state.turn == CHANCE:
            move = self.rolled(state)
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
        self.turns.append(Turn(state, move))
        self.draw(after)
        return after

    def position(self, state: State[Any]) -> Position:
        """A state, and how the game has come to it."""
        start = self.turns[0].state if self.turns else state
        return Position(state, start, tuple(str(turn.move) for turn in self.turns))

    def close(self) -> None:
        """Lets the searches go of what they have kept."""
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
        """Prints what the hint's search would play."""
        by = self.hint()
        with by.open(self.game) as run:
            result = run.best(self.position(state), self.limit, self.seed)
        click.echo(f"{by} would play {result.move}  (value {claim(result)}; {words(result.line)})")

    def decisions(self) -> list[int]:
        """Where in `turns` a person moved."""
        return [
            i
            for i, turn in enumerate(self.turns)
            if turn.state.turn >= 0 and self.players[turn.state.turn] is None
        ]

    def undone(self, state: State[Any]) -> State[Any]:
        """The state of a person's last decision; forgets what came after, searches' memory too."""
        last = self.decisions()[-1]
        back = self.turns[last].state
        del self.turns[last:]
        self.close()
        self.draw(back)
        return back

    def rolled(self, state: State[Any]) -> Any:
        """A move of chance, by its odds; the same again after an undo."""
        import numpy as np

        from dragon.bits import Random
        from dragon.playout import pick

        rng = np.random.default_rng((self.seed, len(self.turns)))
        return state.moves()[pick(Random(int(rng.integers(1 << 63))).state, state.odds())]

    def ended(self, state: State[Any]) -> None:
        """Prints what each seat gets."""
        for seat, payoff in enumerate(state.payoff()):
            click.echo(f"{self.who(seat)}: {number(payoff)}")

    def who(self, seat: int) -> str:
        """A seat and its player, as `O (mcts)`."""
        return f"{seat_names(self.game)[seat]} ({self.players[seat] or HUMAN})"

    @property
    def people(self) -> list[int]:
        """The seats of persons."""
        return [seat for seat, player in enumerate(self.players) if player is None]

    def all_seen(self, state: State[Any]) -> bool:
        """Whether nothing need be kept from those who look at the screen."""
        hidden = Trait.HIDDEN in self.game.traits
        return not hidden or not self.people or state.turn == TERMINAL

    def shown(self, state: State[Any]) -> State[Any]:
        """What they may see: what the person to move sees, or the first who is at the table."""
        if self.all_seen(state):
            return state
        return state.seen(state.turn if state.turn in self.people else self.people[0])

    def draw(self, state: State[Any]) -> None:
        """Prints the position, as far as a person at the screen may see it."""
        state = self.shown(state)
        drawn = getattr(self.game, "draw", None)  # of games whose states know less than they do
        picture = getattr(state, "picture", None)
        text = drawn(state) if drawn else picture() if picture else state
        click.echo(f"\n{text}\n")


def legal(state: State[Any], prefix: str) -> str:
    """The legal moves that begin with `prefix`, as many as fit on a screen."""
    moves = state.moves()
    shown: list[str] = []
    more = 0
    for i in range(len(moves)):
        if len(shown) == LISTED and not prefix:
            more = len(moves) - LISTED
            break
        text = str(moves[i])
        if text.casefold().startswith(prefix.casefold()):
            if len(shown) < LISTED:
                shown.append(text)
            else:
                more += 1
    if not shown:
        return f"no legal move begins with {prefix!r}"
    tail = f"\nand {more:,} more; `moves TEXT` lists those that begin with TEXT" if more else ""
    return " ".join(shown) + tail
