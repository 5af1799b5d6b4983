"""A portrait of a game: the figures of random games, and one end of each kind.

Rules that are wrong and consistent break no law: the loser wins, a game ends a ply early, a seat
moves twice. Their author can see it here.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from attrs import asdict, frozen

from dragon.bits import Random
from dragon.columns import filled
from dragon.core import CHANCE, TERMINAL, Game, State, Trait
from dragon.protocols import seat_names
from dragon.rules.playout import drawn, follow
from dragon.rules.record import RecordState

GAMES, PLIES = 2000, 60_000
"""Random games, and the plies of all of them, after which no other game begins."""
SECONDS = 2.0
"""Processor time after which a game is given up and no other begins; only slow games reach it."""
KINDS, LAST, FIRST = 6, 8, 12
"""The most kinds of ends that are drawn, moves that lead to an end, and first moves."""


@frozen
class Kind:
    """A kind of end: the number of such games, and the shortest of them."""

    outcome: str
    """The seats that get most, or the payoff where there is one seat."""
    last: str
    """The seat that moves last; empty if chance does."""
    games: int
    plies: int
    """The length of the shortest."""
    moves: tuple[str, ...]
    """Its last moves."""
    position: str
    drawing: str


@frozen
class Portrait:
    """The figures of some random games."""

    game: str
    games: int
    """The number of games that ended."""
    unfinished: int
    """The number of games that were given up."""
    shortest: int
    mean: float
    longest: int
    fewest: int
    """Moves that a seat can choose from in one position."""
    choice: float
    """The mean of these."""
    most: int
    seats: tuple[str, ...]
    moved: tuple[int, ...]
    """Plies of each seat."""
    chance: int
    """Plies of chance."""
    twice: int
    """Plies of a seat that made the seats' previous ply too."""
    wins: tuple[int, ...]
    """Games in which a seat gets more than 0 and no seat gets more."""
    draws: int
    """Games in which all seats get 0."""
    last_wins: int
    """Games that are won by the seat that moves last."""
    payoffs: tuple[tuple[float, float, float], ...]
    """The least, the mean and the most for each seat."""
    first: tuple[str, ...]
    """The moves of the first position, or some of them."""
    odds: tuple[tuple[str, float], ...]
    """The moves at the first chance position, and the part of visits in which each was drawn."""
    ends: tuple[Kind, ...]

    def row(self) -> dict[str, Any]:
        return asdict(self)

    def lines(self) -> Iterator[str]:
        n, plies = max(1, self.games), sum(self.moved) + self.chance
        yield f"portrait of {self.game}: {self.games:,} random games"
        if self.unfinished:
            yield f"  {self.unfinished:,} games did not end in time"
        if not self.games:
            return
        yield (f"  plies       {self.shortest:,} to {self.longest:,}, mean {self.mean:.1f}"
               " (the length of a game)")  # fmt: skip
        yield (f"  moves       {self.fewest:,} to {self.most:,} in a position, "
               f"mean {self.choice:.1f}")  # fmt: skip
        yield from filled([f"  first moves {', '.join(self.first)}"], 14)
        for seat, made in zip(self.seats, self.moved, strict=True):
            yield f"  {seat + ' moves':<11} {made / max(1, plies):.0%} of all plies"
        if self.chance:
            yield f"  chance      {self.chance / plies:.0%} of all plies"
            often = ", ".join(f"{move} {part:.0%}" for move, part in self.odds)
            yield f"  odds        {often} (at the first chance position)"
        if len(self.seats) > 1:
            yield f"  in a row    {self.twice / max(1, plies):.0%} of plies are by the seat before"
            for seat, won in zip(self.seats, self.wins, strict=True):
                yield f"  {seat + ' wins':<11} {won / n:.1%} of games"
            yield f"  draws       {self.draws / n:.1%} of games"
            yield f"  last mover  wins {self.last_wins / n:.1%} of games"
        for seat, (least, mean, most) in zip(self.seats, self.payoffs, strict=True):
            yield f"  payoff      {least:g} to {most:g} for {seat}, mean {mean:.3g}"
        yield from filled((f"  notable     {sentence}" for sentence in self.striking()), 14)
        for kind in self.ends:
            by = f", after a move of {kind.last}" if kind.last else ", after chance"
            how = f"{kind.games / n:.1%}: {kind.outcome}{by}; the shortest, in {kind.plies} plies"
            yield from filled([f"  ends        {how}, ends with {' '.join(kind.moves)}"], 14)
            yield from (f"                {line}" for line in kind.drawing.splitlines())

    def striking(self) -> Iterator[str]:
        """Yield sentences about figures that are seldom intended."""
        if len(self.seats) == 1:
            return
        for seat, made, won in zip(self.seats, self.moved, self.wins, strict=True):
            if not made:
                yield f"{seat} never moves"
            if won == self.games:
                yield f"{seat} wins all of {self.games:,} games"
        if self.draws == self.games:
            yield f"all of {self.games:,} games are draws"
        if self.shortest == self.longest:
            yield f"every game lasts {self.shortest} plies"
        if not self.last_wins and self.draws < self.games:
            yield "the seat that moves last never wins"


def portray(game: Game[Any], seed: int = 0, seconds: float = SECONDS) -> Portrait:
    """Play random games from many deals, and return their figures."""
    begun, random = time.process_time(), Random(seed)
    names, seats = seat_names(game), len(game.teams)
    lengths, choices = list[int](), list[int]()
    moved, chance, rolls = Counter[int](), 0, Counter[str]()
    twice, plies, unfinished, last, last_wins = 0, 0, 0, CHANCE, 0
    wins, payoffs, draws = Counter[int](), list[tuple[float, ...]](), 0
    kinds: dict[tuple[str, str], list[Any]] = {}
    where = None  # the first chance position
    while len(lengths) < GAMES and plies < PLIES and time.process_time() - begun < seconds:
        state = start = game.start(seed + len(lengths))
        line, before = list[Any](), CHANCE  # before: the seat that moved last
        while state.turn != TERMINAL and time.process_time() - begun < seconds:
            turn, move = state.turn, drawn(state, random)
            if turn == CHANCE:
                chance += 1
                where = state if where is None else where
                if state == where:
                    rolls[_text(state, move)] += 1
            else:
                moved[turn] += 1
                choices.append(len(state.moves()))
                twice += turn == before
                before = turn
            line.append(move)
            last, state = turn, follow(state, move)
        if state.turn != TERMINAL:
            unfinished += 1
            break
        plies += len(line)
        lengths.append(len(line))
        payoff = state.payoff()
        payoffs.append(payoff)
        best = [seat for seat in range(seats) if payoff[seat] == max(payoff) > 0]
        wins.update(best)
        draws += not any(payoff)
        last_wins += line != [] and last in best
        by = names[last] if line and last >= 0 else ""
        found = kinds.setdefault((_outcome(game, names, payoff, best), by), [0, None, ()])
        found[0] += 1
        if found[1] is None or len(line) < len(found[2]):
            found[1:] = start, tuple(line)
    first = game.start(seed)
    moves = [str(move) for move in first.moves()[:FIRST]]
    often = sorted(kinds.items(), key=lambda item: -item[1][0])[:KINDS]
    total = sum(rolls.values())
    return Portrait(
        str(game), len(lengths), unfinished, min(lengths, default=0),
        sum(lengths) / max(1, len(lengths)), max(lengths, default=0),
        min(choices, default=0), sum(choices) / max(1, len(choices)), max(choices, default=0),
        tuple(names), tuple(moved[seat] for seat in range(seats)), chance, twice,
        tuple(wins[seat] for seat in range(seats)), draws, last_wins,
        tuple((min(each), sum(each) / len(each), max(each)) for each in zip(*payoffs, strict=True)),
        (*moves, "...") if len(first.moves()) > FIRST else tuple(moves),
        tuple((move, n / total) for move, n in sorted(rolls.items())[:FIRST]),
        tuple(_kind(game, *key, *found) for key, found in often),
    )  # fmt: skip


def _outcome(
    game: Game[Any], names: tuple[str, ...], payoff: tuple[float, ...], best: list[int]
) -> str:
    """The end of a game in words."""
    if Trait.SOLO in game.traits:
        return f"{names[0]} gets {'more than 0' if payoff[0] > 0 else '0 or less'}"
    if best:
        plural = len(best) > 1
        return f"{' and '.join(names[seat] for seat in best)} {'win' if plural else 'wins'}"
    return "a draw" if not any(payoff) else "no seat wins"


def _kind(
    game: Game[Any], outcome: str, last: str, games: int, start: State[Any], line: tuple[Any, ...]
) -> Kind:
    """The kind of end with its shortest game replayed."""
    state, moves = start, list[str]()
    for move in line:
        moves.append(_text(state, move))
        state = follow(state, move)
    shown = ("...", *moves[-LAST:]) if len(moves) > LAST else tuple(moves)
    return Kind(outcome, last, games, len(line), shown, str(state), game.draw(state))


def _text(state: State[Any], move: Any) -> str:
    return state.text(move) if isinstance(state, RecordState) else str(move)
