"""The answers of the Play page: a position, a search's reply, what luck decides.

The server remembers nothing of a game: a request tells how it began and all that was played.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from attrs import asdict, frozen

from dragon import transcript
from dragon.commands.options import plain
from dragon.core import CHANCE, TERMINAL, Game, State, Trait
from dragon.errors import ConfigError
from dragon.picks import Picks, cells, picks
from dragon.record import RecordGame
from dragon.seats import seat_names
from dragon.transcript import Transcript
from dragon.web import specs
from dragon.web.page import flag, number, text, texts, whole
from dragon.web.picture import drawing

LISTED = 300
"""Legal moves that are told by name."""


@frozen
class Course:
    """How a game came to the position that is asked about."""

    game: str = text(longest=400)
    """A game, as `nex(rows=4, cols=4)`."""
    start: str = text("", longest=4000)
    """The position it began with, in the game's notation; empty: the usual one."""
    deal: int = whole(0, least=0, most=2**53)
    """The seed of what is dealt."""
    moves: tuple[str, ...] = texts(most=1000, longest=200)
    """All moves since, those of luck too."""
    picked: tuple[str, ...] = texts(most=8, longest=20)
    """Cells that have been pointed at for the next move."""
    eye: int | None = whole(None, least=0, most=63)
    """The seat through whose eyes it is seen, where cards are hidden; none: all open."""
    listed: bool = flag(True)
    """Whether the legal moves are told."""


@frozen
class Asked:
    """A position and the search that is to move there."""

    game: str = text(longest=400)
    """A game, as `nex(rows=4, cols=4)`."""
    search: str = text(longest=400)
    """A search, as `mcts(c=0.7)`."""
    start: str = text("", longest=4000)
    """The position it began with, in the game's notation; empty: the usual one."""
    deal: int = whole(0, least=0, most=2**53)
    """The seed of what is dealt."""
    moves: tuple[str, ...] = texts(most=1000, longest=200)
    """All moves since, those of luck too."""
    seconds: float = number(1.0, least=0.01, most=60.0)
    """How long it may think."""
    nodes: int | None = whole(None, least=1, most=10**9)
    """How many nodes it may visit."""
    seed: int = whole(0, least=0, most=2**53)
    """The seed of the search."""


def position(asked: Course) -> dict[str, Any]:
    """Who moves, what is legal, how it looks."""
    of = specs.game(asked.game)
    states = specs.state(of, asked.start, asked.deal, asked.moves)
    state = states[-1]
    if asked.eye is not None and asked.eye >= len(of.teams):
        raise ConfigError(f"{of} has {len(of.teams)} seats, from 0 @ request.eye")
    shown = state if asked.eye is None or state.turn == TERMINAL else state.seen(asked.eye)
    return {
        "game": str(of),
        "name": of.name,
        "teams": list(of.teams),
        "seats": [name[:1].upper() + name[1:] for name in seat_names(of, drawn=True)],
        "traits": sorted(map(str, of.traits)),
        "dealt": dealt(of),
        "position": str(shown),
        "turn": state.turn,
        "payoff": list(state.payoff()) if state.turn == TERMINAL else None,
        "movers": [each.turn for each in states[:-1]],
        "last": list(cells(of, asked.moves[-1])) if asked.moves else [],
        **legal(of, state, asked),
        **drawing(of, shown),
    }


@cache
def dealt(of: Game[Any]) -> bool:
    """Whether each new game should have a seed of its own."""
    if of.traits & {Trait.HIDDEN, Trait.CHANCE} or len(of.teams) > 2:
        return True
    return isinstance(of, RecordGame) and len({of.start(seed) for seed in range(3)}) > 1


def legal(of: Game[Any], state: State[Any], asked: Course) -> dict[str, Any]:
    """The legal moves, as many as are listed, and what may be pointed at."""
    if state.turn in (CHANCE, TERMINAL):
        return {"legal": [], "count": 0, "pick": plain(asdict(Picks()))}
    found = picks(of, state, asked.picked)
    moves = state.moves() if asked.listed else ()
    return {
        "legal": [str(moves[i]) for i in range(min(len(moves), LISTED))],
        "count": len(moves) if asked.listed else None,
        "pick": plain(asdict(found)),
    }


def chance(asked: Course) -> dict[str, Any]:
    """A move of luck."""
    import numpy as np

    from dragon.bits import Random
    from dragon.playout import pick

    state = specs.state(specs.game(asked.game), asked.start, asked.deal, asked.moves)[-1]
    if state.turn != CHANCE:
        raise ConfigError("here nothing is left to luck; somebody is to move @ request.moves")
    rng = np.random.default_rng((asked.deal, len(asked.moves)))
    chosen = pick(Random(int(rng.integers(1 << 63))).state, state.odds())
    return {"move": str(state.moves()[chosen])}


@frozen
class Kept:
    """A game that is to be written down."""

    game: str = text(longest=400)
    """A game, as `nex(rows=4, cols=4)`."""
    start: str = text("", longest=4000)
    """The position it began with, in the game's notation; empty: the usual one."""
    deal: int = whole(0, least=0, most=2**53)
    """The seed of what was dealt."""
    moves: tuple[str, ...] = texts(most=1000, longest=200)
    """All moves since, those of luck too."""
    players: tuple[str, ...] = texts(most=16, longest=400)
    """Who sat where."""
    result: str = text("", longest=200)
    """How it ended, in words."""


@frozen
class Written:
    """A game that somebody has written down."""

    game: str = text(longest=400)
    """The game whose own format it may be in."""
    text: str = text(longest=200_000)
    """The transcript."""


def write(asked: Kept) -> dict[str, Any]:
    """A game as text, in its own format where it has one; `name` is one for a file."""
    of = specs.game(asked.game)
    specs.state(of, asked.start, asked.deal, asked.moves)
    players = tuple(" ".join(name.split()) for name in asked.players)
    result = " ".join(asked.result.split())
    told = Transcript(str(of), asked.moves, asked.start, asked.deal, players, result)
    return {"name": f"{of.name}.txt", "text": transcript.write(of, told)}


def read(asked: Written) -> dict[str, Any]:
    """The game that a text tells; every move is checked."""
    found = transcript.read(asked.text, specs.game(asked.game))
    of = specs.game(found.game, "text")
    if len(found.moves) > 1000:
        raise ConfigError("a game may have at most 1,000 moves @ request.text")
    specs.state(of, found.start, found.deal, found.moves, "text")
    return {**plain(asdict(found)), "game": str(of)}


def reply(asked: Asked) -> Iterator[dict[str, Any]]:
    """Ever better results; the last one has the move."""
    from dragon.commands.solve import row
    from dragon.core import Position

    of = specs.game(asked.game)
    by = specs.search(asked.search)
    by.check(of)
    states = specs.state(of, asked.start, asked.deal, asked.moves)
    state = states[-1]
    if state.turn == TERMINAL:
        raise ConfigError("the game is over @ request.moves")
    hidden = Trait.HIDDEN in of.traits and state.turn >= 0
    limit = specs.limit(asked.seconds, asked.nodes)
    position = Position(state, states[0], asked.moves)
    with by.open(of) as run:
        for result in run.results(position, limit, asked.seed):
            yield row(of, by, state.seen(state.turn) if hidden else state, result)
