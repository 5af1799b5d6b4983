"""The answers of the Analyse page: a search's results as they come, and what each move is worth."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import attrs
from attrs import frozen

from dragon.commands.options import plain
from dragon.commands.solve import row
from dragon.core import CHANCE, TERMINAL, Bound, Game, Limit, Position, Result, Search, State, Trait
from dragon.errors import ConfigError
from dragon.picks import ways
from dragon.web import specs
from dragon.web.pace import paced
from dragon.web.page import flag, number, text, texts, whole

SHARES = (0.02, 0.05, 0.15, 0.3, 0.6, 1.2, 2.4, 5.0, 10.0, 20.0, 40.0)
"""Seconds for each move in the rounds of `each`, until the time is over."""
FLIPPED = {Bound.LOWER: Bound.UPPER, Bound.UPPER: Bound.LOWER}


@frozen
class Question:
    """A position, the search that looks at it, and for how long."""

    game: str = text(longest=400)
    """A game, as `nex(rows=4, cols=4)`."""
    search: str = text(longest=400)
    """A search, as `alphabeta(depth=8)`."""
    start: str = text("", longest=4000)
    """The position it began with, in the game's notation; empty: the usual one."""
    deal: int = whole(0, least=0, most=2**53)
    """The seed of what is dealt."""
    moves: tuple[str, ...] = texts(most=1000, longest=200)
    """All moves since, those of luck too."""
    seconds: float = number(10.0, least=0.01, most=60.0)
    """For how long."""
    nodes: int | None = whole(None, least=1, most=10**9)
    """How many nodes it may visit."""
    depth: int | None = whole(None, least=1, most=1000)
    """How many plies it may look ahead."""
    seed: int = whole(0, least=0, most=2**53)
    """The seed of the search."""
    each: bool = flag()
    """Whether every move is searched by itself, the time being shared."""


def run(asked: Question) -> Iterator[dict[str, Any]]:
    """Ever better results, as `dragon solve --json` has them, with `values`: each move's worth."""
    of, by = specs.game(asked.game), specs.search(asked.search)
    states = specs.state(of, asked.start, asked.deal, asked.moves)
    state = states[-1]
    if state.turn == TERMINAL:
        raise ConfigError("the game is over: there is nothing to search @ request.moves")
    by.check(of)
    limit = Limit(seconds=asked.seconds, nodes=asked.nodes, depth=asked.depth)
    if asked.each and state.turn != CHANCE:
        yield from paced(each(of, by, state, limit, asked.seed))
        return
    shown = state.seen(state.turn) if Trait.HIDDEN in of.traits and state.turn >= 0 else state
    position = Position(state, states[0], asked.moves)
    with by.open(of) as search:
        for result in paced(search.results(position, limit, asked.seed)):
            yield row(of, by, shown, result) | {"values": values(of, result)}


def values(of: Game[Any], result: Result) -> list[dict[str, Any]]:
    """What a result tells of each move: its value, and how that relates to the truth."""
    told = result.extra.get("moves")
    if not isinstance(told, dict):
        return []
    exact = result.bound is Bound.EXACT and "optimal" in result.extra
    bound = Bound.EXACT if exact else Bound.ESTIMATE
    return [
        {"move": str(move), "bound": str(bound), "ways": ways(of, str(move)), **plain(worth)}
        for move, worth in told.items()
        if isinstance(worth, dict) and "value" in worth
    ]


def each(
    of: Game[Any], by: Search, state: State[Any], limit: Limit, seed: int
) -> Iterator[dict[str, Any]]:
    """Every move searched by itself, in rounds that take longer and longer.

    A move whose worth is exact is left alone in later rounds.
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
            bound = attrs.evolve(limit, seconds=max(0.01, min(share, left)))
            result = by.best(state.after(move), bound, seed)
            nodes += result.nodes
            found[move] = _mine(state, move, result)
            seconds = time.monotonic() - began
            yield _summary(of, by, state, found, nodes, seconds)
        if all(result.bound is Bound.EXACT for result in found.values()):
            return


def _mine(state: State[Any], move: str, result: Result) -> Result:
    """A result of the state after `move`, as it is for the seat that makes the move."""
    turn = state.after(move).turn
    whose = state.teams[0] if turn in (CHANCE, TERMINAL) else state.teams[turn]
    line = (move, *result.line)
    if whose == state.teams[state.turn]:
        return attrs.evolve(result, line=line)
    bound = FLIPPED.get(result.bound, result.bound)
    return attrs.evolve(result, value=0.0 - result.value, bound=bound, line=line)


def _summary(
    of: Game[Any],
    by: Search,
    state: State[Any],
    found: dict[str, Result],
    nodes: int,
    seconds: float,
) -> dict[str, Any]:
    best = max(found.values(), key=lambda result: result.value)
    exact = len(found) == len(state.distinct()) and all(
        result.bound is Bound.EXACT for result in found.values()
    )
    whole = attrs.evolve(
        best,
        bound=Bound.EXACT if exact else Bound.ESTIMATE,
        nodes=nodes,
        seconds=seconds,
        extra={"moves searched": len(found), **_depth(best)},
    )
    told = [
        {"move": move, "value": r.value, "bound": str(r.bound), "ways": ways(of, move), **_depth(r)}
        for move, r in sorted(found.items(), key=lambda each: -each[1].value)
    ]
    return row(of, by, state, whole) | {"values": plain(told)}


def _depth(result: Result) -> dict[str, Any]:
    return {"depth": result.extra["depth"]} if "depth" in result.extra else {}
