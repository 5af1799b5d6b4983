"""The answers of the Play page: a position, the reply of a search, and the outcome of chance.

The server keeps no games: a request has the beginning of its game and all moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, lru_cache
from itertools import count
from typing import Any

from attrs import asdict, frozen

from dragon import config, plugins, transcripts
from dragon.boards.clicks import cells, next_clicks, ways
from dragon.boards.picture import svg_of
from dragon.core import CHANCE, TERMINAL, Game, Limit, Position, Result, Search, State, Trait
from dragon.core.spec import title
from dragon.errors import BadNotation, ConfigError, GameError, UnknownName
from dragon.jsonable import plain, result_object
from dragon.page import flag, number, parts, text, texts, whole
from dragon.protocols import Clicks, Transcript, notation_of, seat_names
from dragon.rules.notation import parse_move
from dragon.rules.playout import roll
from dragon.rules.record import RecordGame, RecordState
from dragon.transcripts.annotation import Equilibrium
from dragon.transcripts.replay import Replay
from dragon.web import limits
from dragon.web.picture import clean, drawing

HUMAN = "human"
"""The player of a seat that is a person."""
LISTED = 300
"""Legal moves that are listed by name."""


@frozen(kw_only=True)
class Line:
    """The beginning of a game, and all moves."""

    start: str = text("", longest=4000)
    """The position it began with, in the game's notation; empty: the usual one."""
    deal: int = whole(0, least=0, most=2**53)
    """The seed of the deal."""
    moves: tuple[str, ...] = texts(most=1000, longest=200)
    """All moves from there on, including those of chance."""


@frozen(kw_only=True)
class GameHistory(Line):
    """A game so far: its beginning and all moves."""

    game: str = text(longest=400)
    """A game, as `nex(rows=4, cols=4)`."""

    def states(self) -> tuple[Game[Any], list[State[Any]]]:
        """The game, and its states from the first on; raises ConfigError with the field."""
        of = limits.game(self.game)
        return of, limits.states(of, self.start, self.deal, self.moves)


@frozen(kw_only=True)
class Shown(GameHistory):
    """A game so far, and the view of its position."""

    picked: tuple[str, ...] = texts(most=8, longest=20)
    """The cells that have been clicked for the next move."""
    eye: int | None = whole(None, least=0, most=63)
    """The seat that sees it, if cards are hidden; none: all is open."""
    listed: bool = flag(True)
    """True if the legal moves are listed."""


@frozen(kw_only=True)
class Asked(GameHistory):
    """A game so far, and the search that chooses the next move."""

    search: str = text(longest=400)
    """A search, as `mcts(c=0.7)`."""
    seconds: float = number(1.0, least=0.01, most=60.0)
    """The seconds that it may think."""
    nodes: int | None = whole(None, least=1, most=10**9)
    """The number of nodes that it may visit."""
    simulations: int | None = whole(None, least=1, most=10**9)
    """The number of simulations that it may make."""
    seed: int = whole(0, least=0, most=2**53)
    """The seed of the search."""

    def question(self) -> tuple[Game[Any], Search, Position]:
        """The game, the search and the position; raises ConfigError and Objection."""
        by = limits.search(self.search)
        of, states = self.states()
        if states[-1].turn == TERMINAL:
            raise ConfigError("the game is over: there is nothing to search @ request.moves")
        by.check(of)
        return of, by, Position(states[-1], states[0], self.moves)


@frozen(kw_only=True)
class Kept(GameHistory):
    """A game to be written to a file."""

    players: tuple[str, ...] = texts(most=16, longest=400)
    """The name of each seat's player."""
    result: str = text("", longest=200)
    """The end of the game, in words."""


@frozen(kw_only=True)
class Hand(Line):
    """A game that has been played, from its beginning on."""

    players: tuple[str, ...] = texts(most=16, longest=400)
    """The player of each seat; a person's is `human`."""


@frozen(kw_only=True)
class Session:
    """Games of one kind that a person has played, one after another."""

    game: str = text(longest=400)
    """A game whose equilibrium can be found, as `leduc`."""
    hands: tuple[Hand, ...] = parts(most=200)
    """The games; of the last one, the moves as well."""
    seconds: float = number(20.0, least=0.1, most=60.0)
    """The seconds in which the equilibrium is sought, once for each process."""


@frozen
class Written:
    """A game in a file."""

    game: str = text(longest=400)
    """The game whose own format it may be in."""
    text: str = text(longest=200_000)
    """The transcript."""
    number: int = whole(1, least=1, most=100_000)
    """The number of the game, if the text has several."""


def warm_up(spec: str = "mcts") -> None:
    """Load the compiler and the search of most levels, on a small board."""
    with suppress(UnknownName):  # not installed: there is nothing to warm up
        by = config.search(spec)
        by.best(config.game("tictactoe").start(), Limit(nodes=50, simulations=50))


def warm_up_rules() -> None:
    """Load the modules for positions, and the list of installed games."""
    from dragon.page import Nothing
    from dragon.web.lists import games

    games(Nothing())
    if "tictactoe" in plugins.games():  # not where DRAGON_PLUGINS leaves it out
        position(Shown(game="tictactoe", moves=("b2",)))


def position(asked: Shown) -> dict[str, Any]:
    """A position: the seat to move, the legal moves and the drawing."""
    of, states = asked.states()
    state, shown = states[-1], seen(of, states[-1], asked.eye)
    hidden = unseen(states, asked.moves, asked.eye) if Trait.HIDDEN in of.traits else []
    known = len(asked.moves) - 1 not in hidden
    return {
        "game": str(of),
        "name": of.name,
        "title": title(type(of)),
        "teams": list(of.teams),
        "seats": [name[:1].upper() + name[1:] for name in seat_names(of, drawn=True)],
        "traits": sorted(map(str, of.traits)),
        "dealt": dealt(of),
        "position": str(shown),
        "turn": state.turn,
        "score": score(of, state),
        "payoff": list(state.payoff()) if state.turn == TERMINAL else None,
        "failed": failed(state),
        "movers": [each.turn for each in states[:-1]],
        "unseen": hidden,
        "last": list(cells(of, asked.moves[-1], states[-2])) if asked.moves and known else [],
        **legal(of, state, asked),
        **drawing(of, shown),
    }


def score(of: Game[Any], state: State[Any]) -> list[int] | None:
    """The score of each seat; None in a game without."""
    notation = notation_of(of)
    if notation is None or not isinstance(state, RecordState):
        return None
    return [each.total(state.view) for each in notation.scores(state.view)] or None


def seen(of: Game[Any], state: State[Any], eye: int | None) -> State[Any]:
    """A state as the seat `eye` sees it, all of it at the end or for None; raises ConfigError."""
    if eye is not None and eye >= len(of.teams):
        raise ConfigError(f"{of} has {len(of.teams)} seats, from 0 @ request.eye")
    return state if eye is None or state.turn == TERMINAL else state.seen(eye)


STEPS = 3000
"""Moves that are made to find out what a seat can know."""


def unseen(states: list[State[Any]], moves: tuple[str, ...], eye: int | None) -> list[int]:
    """The numbers of the moves that the seat `eye` cannot know: another move would have led to
    the same view, then and now. What takes too long to find out, it does not know."""
    if eye is None or states[-1].turn == TERMINAL:
        return []
    steps, now = count(), str(states[-1].seen(eye))

    def fits(state: State[Any], ply: int) -> bool:
        """Return True if a state after a move leads on to what is seen."""
        if state.turn != states[ply + 1].turn or str(state.seen(eye)) != views[ply + 1]:
            return False
        try:
            for move in moves[ply + 1 :]:
                next(steps)
                state = state.after(parse_move(state, move))
        except GameError:
            return False
        return state.turn == states[-1].turn and str(state.seen(eye)) == now

    def known(ply: int) -> bool:
        before = states[ply]
        if before.turn == eye:
            return True
        for move in before.moves():
            if next(steps) > STEPS or (str(move) != moves[ply] and fits(before.after(move), ply)):
                return False
        return True

    views = [str(each.seen(eye)) for each in states]
    return [ply for ply in range(len(moves)) if not known(ply)]


def failed(state: State[Any]) -> bool:
    """Return True if a seat that plays alone has the least payoff that there is."""
    if state.turn != TERMINAL or not isinstance(state, RecordState):
        return False
    payoff = state.payoff()
    return len(payoff) == 1 and payoff[0] == -state.rules.largest * state.rules.unit


def picture(asked: Shown) -> dict[str, Any]:
    """A position as SVG, of its text if the game does not draw one; null if it is too long."""
    of, states = asked.states()
    svg = clean(svg_of(of, seen(of, states[-1], asked.eye)))
    return {"name": f"{of.name}-{len(asked.moves)}", "svg": svg}


@cache
def dealt(of: Game[Any]) -> bool:
    """Return True if each new game should have a seed of its own."""
    if of.traits & {Trait.HIDDEN, Trait.CHANCE} or len(of.teams) > 2:
        return True
    return isinstance(of, RecordGame) and len({of.start(seed) for seed in range(3)}) > 1


def legal(of: Game[Any], state: State[Any], asked: Shown) -> dict[str, Any]:
    """The legal moves up to LISTED, and the cells that can be clicked, now and later."""
    if state.turn in (CHANCE, TERMINAL):
        return {"legal": [], "count": 0, "pick": plain(asdict(Clicks())), "ways": None}
    found = next_clicks(of, state, asked.picked)
    moves = state.moves() if asked.listed else ()
    return {
        "legal": [str(moves[i]) for i in range(min(len(moves), LISTED))],
        "count": len(moves) if asked.listed else None,
        "pick": plain(asdict(found)),
        "ways": ways(of, state) if asked.listed else None,
    }


def chance(asked: Shown) -> dict[str, Any]:
    """Draw the outcome of chance by its odds; the same deal and moves give the same outcome."""
    import numpy as np

    state = asked.states()[1][-1]
    if state.turn != CHANCE:
        raise ConfigError("no chance node here; a seat is to move @ request.moves")
    rng = np.random.default_rng((asked.deal, len(asked.moves)))
    return {"move": str(roll(state, rng))}


def reply(asked: Asked) -> Iterator[dict[str, Any]]:
    """Return the result of a search, as `dragon solve --json` prints it."""
    of, by, position = asked.question()
    limit = Limit(seconds=asked.seconds, nodes=asked.nodes, simulations=asked.simulations)
    for row, _ in rows(of, by, position, limit, asked.seed):
        yield row


def rows(
    of: Game[Any], by: Search, position: Position, limit: Limit, seed: int
) -> Iterator[tuple[dict[str, Any], Result]]:
    """The results of a search, each better than the last, as `dragon solve --json` prints them."""
    state = position.state
    hidden = Trait.HIDDEN in of.traits and state.turn >= 0
    shown = state.seen(state.turn) if hidden else state
    with by.open(of) as run:
        for result in run.results(position, limit, seed):
            yield result_object(of, by, shown, result), result


@lru_cache(maxsize=4)
def _equilibrium(of: Game[Any], seconds: float) -> Equilibrium:
    by = config.search("cfr")
    by.check(of)
    return Equilibrium(of, by, seconds)


def judged(asked: Session) -> Iterator[dict[str, Any]]:
    """Hold what a person has played against an equilibrium.

    `moves`, of the last game: what the equilibrium plays, and what the move gave away against it;
    `lost`: that sum in each game; `exploiter`: what a best response to the moves of all games
    would have won more than the equilibrium, and `chance`, how much of that a player of the
    equilibrium would show.
    """
    of = limits.game(asked.game)
    replays = list[Replay]()
    for each in asked.hands:
        states = limits.states(of, each.start, each.deal, each.moves, "hands")
        moves = (str(parse_move(*made)) for made in zip(states, each.moves, strict=False))
        replays.append(Replay(tuple(states), tuple(moves)))
    known = _equilibrium(of, asked.seconds)
    own = [[seat for seat, who in enumerate(each.players) if who == HUMAN] for each in asked.hands]
    made = [
        [each for each in known.choices(replay) if each.seat in seats]
        for replay, seats in zip(replays, own, strict=True)
    ]
    found: dict[str, Any] = {
        "game": str(of),
        "exploitability": known.known.nash_conv / len(of.teams),
        "lost": [sum(each.loss or 0.0 for each in moves) for moves in made],
        "moves": [
            asdict(each) | {"move": each.move, "loss": each.loss}
            for moves in made[-1:]
            for each in moves
        ],
    }
    if len(of.teams) == 2:
        every = [each for moves in made for each in moves]
        won, chance = known.exploited(every, Counter(seat for seats in own for seat in seats))
        found |= {"exploiter": won, "chance": chance}
    yield found


def write(asked: Kept) -> dict[str, Any]:
    """A game as text, in the game's own format if it has one."""
    of, _ = asked.states()
    players = tuple(" ".join(name.split()) for name in asked.players)
    result = " ".join(asked.result.split())
    game = Transcript(str(of), asked.moves, asked.start, asked.deal, players, result)
    text, suffix = transcripts.written(of, game)
    return {"name": f"{of.name}{suffix}", "text": text}


def read(asked: Written) -> dict[str, Any]:
    """One game of a text, and the number of games in it (`count`)."""
    try:
        games = transcripts.read(asked.text, limits.game(asked.game))
    except BadNotation:
        others, _ = transcripts.recognised(asked.text)
        if len(others) != 1:
            raise
        ((_, games),) = others
    if asked.number > len(games):
        raise ConfigError(f"the text has {len(games)} games, the last of them @ request.number")
    found = games[asked.number - 1]
    of = limits.game(found.game, "text")
    if len(found.moves) > 1000:
        raise ConfigError("a game may have at most 1,000 moves @ request.text")
    limits.states(of, found.start, found.deal, found.moves, "text")
    fields = plain(asdict(found))
    return {**fields, "game": str(of), "number": asked.number, "count": len(games)}
