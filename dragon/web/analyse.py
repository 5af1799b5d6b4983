"""The answers of the Analyse page: the results of a search, and the value of each move."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

import attrs
from attrs import frozen

from dragon.boards.clicks import clicks
from dragon.core import CHANCE, TERMINAL, Bound, Game, Limit, Result, Search, State
from dragon.errors import ConfigError
from dragon.jsonable import plain, result_object
from dragon.page import flag, number, text, whole
from dragon.web import limits, play
from dragon.web.play import Asked, rows
from dragon.web.throttle import throttled

SHARES = (0.02, 0.05, 0.15, 0.3, 0.6, 1.2, 2.4, 5.0, 10.0, 20.0, 40.0)
"""Seconds for each move in the rounds of `each`, until the time is over."""
LEAST = 0.01
"""Seconds that a move gets in the last round, though fewer are left."""
PAUSE, BURST = 1 / 12, 40
"""Seconds between two results that are sent, after the first ones."""


@frozen(kw_only=True)
class Question(Asked):
    """A game so far, the search that analyses its position, and its limits."""

    seconds: float = number(10.0, least=0.01, most=60.0)
    """For how long."""
    depth: int | None = whole(None, least=1, most=1000)
    """The number of plies that it may look ahead."""
    each: bool = flag()
    """True if every move is searched by itself, in equal shares of the time."""


def warm_up() -> None:
    """Compile the search that analyses most games, on a small board."""
    play.warm_up("alphabeta")


def run(asked: Question) -> Iterator[dict[str, Any]]:
    """Ever better results as `dragon solve --json` has them, and each move's worth."""
    of, by, position = asked.question()
    limit = Limit(seconds=asked.seconds, nodes=asked.nodes, depth=asked.depth)
    if asked.each and position.state.turn != CHANCE:
        yield from throttled(each(of, by, position.state, limit, asked.seed), PAUSE, BURST)
        return
    for row, result in throttled(rows(of, by, position, limit, asked.seed), PAUSE, BURST):
        yield row | {"values": values(of, result)}


@frozen(kw_only=True)
class Preparing:
    """A game, and a search that needs a table or the like to be made."""

    game: str = text(longest=400)
    """A game, as `nex(rows=4, cols=4)`."""
    search: str = text(longest=400)
    """A search that can make something; see `/api/games/searches`."""


def prepare(asked: Preparing) -> Iterator[dict[str, Any]]:
    """Make the file that a search needs, such as a table, and yield the `part` that is done."""
    of, by = limits.game(asked.game), limits.search(asked.search)
    if by.offer(of) is None:
        raise ConfigError(f"{by} has nothing to make for {of} @ request.search")
    for part in throttled(by.make(of), PAUSE, 1):
        yield {"part": part}


def values(of: Game[Any], result: Result) -> list[dict[str, Any]]:
    """Return the value of each move in a result, and its bound."""
    found = result.extra.get("moves")
    if not isinstance(found, dict):
        return []
    exact = result.bound is Bound.EXACT and "optimal" in result.extra
    bound = Bound.EXACT if exact else Bound.ESTIMATE
    return [
        row(of, str(move), bound, plain(worth))
        for move, worth in found.items()
        if isinstance(worth, dict) and "value" in worth
    ]


def row(of: Game[Any], move: str, bound: Bound, worth: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value of a move, and the cells that make it."""
    return {"move": move, "bound": str(bound), "ways": clicks(of, move), **worth}


def each(
    of: Game[Any], by: Search, state: State[Any], limit: Limit, seed: int
) -> Iterator[dict[str, Any]]:
    """Search every move by itself, in rounds of growing length.

    Later rounds leave out moves whose value is exact.
    """
    began, nodes = time.monotonic(), 0
    found: dict[str, Result] = {}
    moves = [str(move) for move in state.distinct()]
    until = began + (limit.seconds or 10.0)
    for share in SHARES:
        for move in moves:
            before = found.get(move)
            if before is not None and before.bound is Bound.EXACT:
                continue
            left = until - time.monotonic()
            if left <= 0 and found:
                return
            bound = attrs.evolve(limit, seconds=max(LEAST, min(share, left)))
            result = by.best(state.after(move), bound, seed)
            nodes += result.nodes
            found[move] = _mine(state, move, result)
            seconds = time.monotonic() - began
            yield _summary(of, by, state, found, nodes, seconds)
        if all(result.bound is Bound.EXACT for result in found.values()):
            return


def _mine(state: State[Any], move: str, result: Result) -> Result:
    """Convert a result of the state after `move` to the seat that makes the move."""
    turn = state.after(move).turn
    whose = state.teams[0] if turn in (CHANCE, TERMINAL) else state.teams[turn]
    line = (move, *result.line)
    if whose == state.teams[state.turn]:
        return attrs.evolve(result, line=line)
    return attrs.evolve(result, value=0.0 - result.value, bound=result.bound.turned, line=line)


def _summary(
    of: Game[Any],
    by: Search,
    state: State[Any],
    found: dict[str, Result],
    nodes: int,
    seconds: float,
) -> dict[str, Any]:
    best = max(found.values(), key=lambda result: result.value)
    exact = all(result.bound is Bound.EXACT for result in found.values())
    together = attrs.evolve(
        best,
        bound=Bound.EXACT if exact and len(found) == len(state.distinct()) else Bound.ESTIMATE,
        nodes=nodes,
        seconds=seconds,
        extra={"moves searched": len(found), **_depth(best)},
    )
    listed = [
        row(of, move, r.bound, {"value": r.value, **_depth(r)})
        for move, r in sorted(found.items(), key=lambda each: -each[1].value)
    ]
    return result_object(of, by, state, together) | {"values": plain(listed)}


def _depth(result: Result) -> dict[str, Any]:
    return {"depth": result.extra["depth"]} if "depth" in result.extra else {}
