"""Compare: two implementations of one game side by side, by random games and by perft.

They go from state to state together. At each the mover must be the same, the moves must pair, the
odds of chance agree, and in the end the payoffs. Moves are paired by their usual text (UCI in
chess), with the board turned if need be, else by the positions that they lead to, else by their
order. It is the first way that holds for a few games; where none does, the one that holds longest.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import click
from attrs import asdict, frozen

from dragon.bridges.thinker import all_coordinates
from dragon.cli_tools import as_json, interruptible, tell, with_seed
from dragon.config import game as read_game
from dragon.config import position as read_position
from dragon.core import CHANCE, TERMINAL, Game, State
from dragon.errors import ConfigError, DragonError
from dragon.protocols import turn_name
from dragon.rules.playout import follow, listed

TRIED = 3
"""Games by which a way to pair moves is chosen."""
SHOWN = 8
"""Moves that are listed of those on one side alone."""
LONGEST = 10_000
"""Plies after which a game is given up."""
CLOSE = 1e-9
CELL = re.compile(r"([a-z])(\d+)")

Keys = Callable[[State[Any]], Sequence[Any]]
"""The keys of a state's moves, by which they are paired with those of the other game."""


Line = Sequence[tuple[State[Any], int]]
"""The states of the first game on the way, and the place of the move that was made in each."""


@frozen
class Difference:
    """The first difference of two games: its kind, the moves that lead to it, and the positions."""

    what: str
    line: tuple[str, ...]
    here: str
    """The position of the first game,"""
    there: str
    """and of the second."""


@frozen
class Pairing:
    """A way to pair moves."""

    name: str
    first: Keys
    second: Keys
    swapped: bool = False
    """True if seat 0 is seat 1 in the second game."""

    def seat(self, turn: int) -> int:
        """The seat of the first game that is `turn` in the second."""
        return 1 - turn if self.swapped and turn >= 0 else turn


def plain(text: str) -> str:
    """The letters and numbers of a move, without a sign for a capture.

    >>> plain("e7xd8=Q+"), plain("B a1"), plain("(3, 10)")
    ('e7d8q', 'ba1', '3.10')
    """
    text = re.sub(r"(?<=\d)x(?=[a-z])", "", text.casefold())
    return re.sub(r"(?<=\d)\.(?=\D|$)|(?<!\d)\.|^\.", "", re.sub(r"[^0-9a-z]+", ".", text))


def texts(state: State[Any]) -> list[str]:
    """The usual texts of a state's moves."""
    return [plain(text) for text in all_coordinates(state)]


def written(state: State[Any]) -> list[str]:
    """The texts of a state's moves as the game itself writes them, such as Nf3."""
    return [re.sub(r"[^0-9A-Za-z]", "", str(move)) for move in state.moves()]


def turned(rows: int, columns: int, swap: bool, up: bool, left: bool) -> Keys:
    """The texts on a board of another orientation."""

    def cell(found: re.Match[str]) -> str:
        column, row = ord(found[1]) - 96, int(found[2])
        if swap:
            column, row = row, column
        column, row = columns + 1 - column if left else column, rows + 1 - row if up else row
        return f"{chr(96 + column)}{row}" if 0 < column < 27 else found[0]

    return lambda state: [CELL.sub(cell, text) for text in texts(state)]


def after(state: State[Any]) -> list[str]:
    """The positions that a state's moves lead to."""
    return [str(_step(state, place)) for place in range(len(state.moves()))]


def order(state: State[Any]) -> range:
    """The places of a state's moves in their list."""
    return range(len(state.moves()))


def pairings(first: Game[Any], second: Game[Any], seed: int) -> Iterator[Pairing]:
    """Yield the ways to pair moves, the most trustworthy first."""
    start, other = first.start(seed), second.start(seed)
    two = len(first.teams) == len(second.teams) == 2
    swapped = two and {start.turn, other.turn} == {0, 1}
    cells = [
        CELL.findall(text) for state in _line(start, random.Random(seed)) for text in texts(state)
    ]
    places = [(ord(column) - 96, int(row)) for found in cells for column, row in found]
    columns, rows = (max(side) for side in zip(*places, strict=True)) if places else (0, 0)
    yield Pairing("their text", texts, texts, swapped)
    yield Pairing("their text", written, written, swapped)
    names = {(False, True, False): "rows counted from the other end",
             (False, False, True): "columns counted from the other end",
             (False, True, True): "the board turned by half"}  # fmt: skip
    for swap, up, left in product((False, True), repeat=3) if places else ():
        if swap or up or left:
            how = names.get((swap, up, left), "rows and columns exchanged")
            keys = turned(rows, columns, swap, up, left)
            yield Pairing(f"their text, with {how}", keys, texts, swapped)
    yield Pairing("the positions that they lead to", after, after, swapped)
    yield Pairing("their order", order, order, swapped)


def _line(state: State[Any], dice: random.Random) -> Iterator[State[Any]]:
    """Yield the states of a random game."""
    for _ in range(LONGEST):
        yield state
        if state.turn == TERMINAL:
            return
        moves = state.moves()
        state = state.after(moves[dice.randrange(len(moves))])


class Comparison:
    """Two games that are walked together, and what was counted."""

    def __init__(
        self, first: Game[Any], second: Game[Any], pairing: Pairing, ends: bool = False
    ) -> None:
        """ends: compare who wins, and not by how much."""
        self.first, self.second, self.pairing, self.ends = first, second, pairing, ends
        self.plies = 0

    def pairs(
        self, here: State[Any], there: State[Any], line: Line = ()
    ) -> list[tuple[int, int]] | Difference:
        """The places of the moves of two states, in pairs, or the difference of the states."""

        def different(what: str) -> Difference:
            made = tuple(str(state.moves()[place]) for state, place in line)
            return Difference(what, made, str(here), str(there))

        turn, other = here.turn, self.pairing.seat(there.turn)
        if turn != other:
            names = turn_name(self.first, turn), turn_name(self.first, other)
            return different(f"to move is {names[0]} here, and {names[1]} there")
        if turn == TERMINAL:
            paid, owed = here.payoff(), there.payoff()
            owed = owed[::-1] if self.pairing.swapped else owed
            if self.ends:
                paid, owed = tuple(map(_sign, paid)), tuple(map(_sign, owed))
            if any(abs(a - b) > CLOSE for a, b in zip(paid, owed, strict=True)):
                return different(f"the payoffs are {_numbers(paid)}, and {_numbers(owed)} there")
            return []
        keys, others = self.pairing.first(here), self.pairing.second(there)
        at = {key: place for place, key in enumerate(others)}
        if len(keys) != len(others) or {*keys} != at.keys():
            ours, theirs = here.moves(), there.moves()
            only = [ours[place] for place, key in enumerate(keys) if key not in at]
            more = [theirs[place] for place, key in enumerate(others) if key not in {*keys}]
            return different(
                f"{len(ours)} moves here, and {len(theirs)} there; only here: {_listed(only)}; "
                f"only there: {_listed(more)}"
            )
        if len(at) < len(others):  # and so are `keys`, which are as many
            twice = [key for key, times in Counter(others).items() if times > 1]
            return different(f"moves that cannot be distinguished: {_listed(twice)}")
        if turn == CHANCE:
            odds, chances = here.odds(), there.odds()
            for place, key in enumerate(keys):
                if abs(odds[place] - chances[at[key]]) > CLOSE:
                    return different(
                        f"{here.moves()[place]} has the odds {odds[place]:.6g} here, and "
                        f"{chances[at[key]]:.6g} there"
                    )
        return [(place, at[key]) for place, key in enumerate(keys)]

    def play(self, here: State[Any], there: State[Any], dice: random.Random) -> Difference | None:
        """Play a random game; return the first difference."""
        line: list[tuple[State[Any], int]] = []
        for _ in range(LONGEST):
            found = self.pairs(here, there, line)
            if isinstance(found, Difference):
                return found
            self.plies += 1
            if not found:
                return None
            place, other = found[dice.randrange(len(found))]
            line.append((here, place))
            here, there = _step(here, place), _step(there, other)
        return None

    def count(
        self, here: State[Any], there: State[Any], depth: int, line: Line = ()
    ) -> int | Difference:
        """Return the paths of a length, or the first difference on one of them."""
        found = self.pairs(here, there, line)
        if isinstance(found, Difference) or depth == 0:
            return found if isinstance(found, Difference) else 1
        total = 0
        for place, other in found:
            made = (*line, (here, place))
            below = self.count(_step(here, place), _step(there, other), depth - 1, made)
            if isinstance(below, Difference):
                return below
            total += below
        return total


def _step(state: State[Any], place: int) -> State[Any]:
    """The state after the move at a place of the list."""
    return follow(state, listed(state.moves(), place))


def _sign(payoff: float) -> float:
    return (payoff > CLOSE) - (payoff < -CLOSE)


def _numbers(payoffs: Sequence[float]) -> str:
    return ", ".join(f"{each:g}" for each in payoffs)


def _listed(moves: Sequence[Any]) -> str:
    some = [*map(str, moves)]
    return ", ".join(some[:SHOWN]) + (", ..." if len(some) > SHOWN else "") if some else "none"


@frozen
class Outcome:
    """The outcome of a comparison."""

    pairing: str
    games: int
    plies: int
    perft: tuple[int, ...]
    """Paths of each length from 0, as far as they were counted."""
    difference: Difference | None


def chosen(first: Game[Any], second: Game[Any], begin: Callable[[int], Any], seed: int) -> Pairing:
    """The first way to pair moves by which a few games agree, else the one that holds longest."""
    best, longest = None, -1
    for pairing in pairings(first, second, seed):
        walk = Comparison(first, second, pairing, ends=True)
        found = None
        for number in range(TRIED):
            try:
                here, there = begin(number)
                found = walk.play(here, there, random.Random(seed + number))
            except DragonError:  # two moves that only look alike lead to what cannot be
                found = Difference("", (), "", "")
            if found is not None:
                break
        if found is None:
            return pairing
        if walk.plies > longest:
            best, longest = pairing, walk.plies
    assert best is not None
    return best


def compare(
    first: Game[Any], second: Game[Any], games: int = 100, depth: int = 3, seed: int = 0,
    text: str | None = None, ends: bool = False,
) -> Outcome:  # fmt: skip
    """Walk two games together, by perft to a depth and by random games, to the first difference.

    text: a position that both can read, from which to begin. ends: compare who wins, and not by
    how much.
    """
    if len(first.teams) != len(second.teams):
        raise ConfigError(
            f"{first} has {len(first.teams)} seats and {second} {len(second.teams)}; compare games "
            "of as many seats"
        )

    def begin(number: int) -> tuple[State[Any], State[Any]]:
        here, there = (read_position(each, text, seed + number) for each in (first, second))
        return here, there

    pairing = chosen(first, second, begin, seed)
    walk, counts = Comparison(first, second, pairing, ends), list[int]()
    for plies in range(depth + 1):
        found = walk.count(*begin(0), plies)
        if isinstance(found, Difference):
            return Outcome(pairing.name, 0, 0, tuple(counts), found)
        counts.append(found)
        if not found:
            break
    for number in range(games):
        differs = walk.play(*begin(number), random.Random(seed + number))
        if differs is not None:
            return Outcome(pairing.name, number + 1, walk.plies, tuple(counts), differs)
    return Outcome(pairing.name, games, walk.plies, tuple(counts), None)


@click.command("compare")
@click.argument("first_spec", metavar="A")
@click.argument("second_spec", metavar="B")
@click.option("--games", type=click.IntRange(min=0), default=100, show_default=True, metavar="N",
              help="Random games.")  # fmt: skip
@click.option("--depth", type=click.IntRange(min=0), default=3, show_default=True, metavar="N",
              help="The length of the paths that are all walked.")  # fmt: skip
@click.option("--position", "text", metavar="TEXT",
              help="A position that both can read; their starts if not given.")  # fmt: skip
@click.option("--ends", is_flag=True, help="Compare who wins, and not by how much.")
@with_seed
@as_json
def command(
    first_spec: str, second_spec: str, games: int, depth: int, text: str | None, ends: bool,
    seed: int, as_json: bool,
) -> None:  # fmt: skip
    """Compare two implementations of one game, A and B, move by move.

    Both are walked together over all paths of DEPTH moves, and over random games: the mover, the
    moves, the odds of chance and the payoffs must be the same. Moves are paired by their text (UCI
    in chess), with the board turned if need be, else by the positions that they lead to, else by
    their order. The exit code is 1 if there is a difference, and the first is shown with its line.

    \b
    Examples:
      dragon compare breakthrough "openspiel(name='breakthrough')"
      dragon compare reversi "openspiel(name='othello')" --ends --games 1000
      dragon compare tictactoe connect4
    """
    first, second = read_game(first_spec), read_game(second_spec)
    found = interruptible(compare, first, second, games, depth, seed, text, ends)
    same = found.difference is None
    row = {"first": str(first), "second": str(second), "same": same, **asdict(found)}
    tell(as_json, row, _report(first, second, found))
    if not same:
        raise click.exceptions.Exit(1)


def _report(first: Game[Any], second: Game[Any], found: Outcome) -> list[str]:
    """The lines that describe an outcome."""
    paths = (
        f"{found.perft[-1]:,} paths of {len(found.perft) - 1} moves" if found.perft else "no paths"
    )
    walked = f"{found.games:,} games of {found.plies:,} positions, {paths}"
    paired = f"moves are paired by {found.pairing}"
    if (differs := found.difference) is None:
        return [f"{first} and {second} are the same: {walked}; {paired}"]
    return [
        f"{first} and {second} differ: {differs.what}",
        f"  after:     {' '.join(differs.line) or 'no move'}",
        f"  here:      {differs.here}",
        f"  there:     {differs.there}",
        f"  until then {walked}; {paired}",
    ]
