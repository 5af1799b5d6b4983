"""Worlds by replay, for a game by Rules that has `hide` and no `deal`.

A depth-first search in random order looks for a history that agrees with what the seat has seen and
done; a move after which the seat would have seen something else is taken back. The search starts
again with another deal if it finds none. Worlds found so are not drawn by their odds, and where few
histories fit, as at card games with many cards, none may be found.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING, Any

from dragon.core import CHANCE, TERMINAL, Game, State
from dragon.errors import GameError

if TYPE_CHECKING:
    import numpy as np

MOST = 20_000
"""The most states visited for one world, first states included,"""
FIRST = 20
"""and the states after which the first attempt is given up; every second attempt may take twice as
many, every fourth four times, and so on (after Luby, Sinclair and Zuckerman 1993)."""


def replayed(
    game: Game[Any], view: State[Any], information: tuple[Any, ...], rng: np.random.Generator
) -> State[Any]:
    """Return a world of a view, at the turn of the seat that it shows; raise GameError.

    information: what the seat has seen and done, as `dragon.core.search.informed` has it; empty
    where that is not known, so that only the last view has to fit. rng: is consumed.
    """
    left = MOST
    for number in count(1):
        patience = FIRST * (number & -number)
        tried = _histories(game.start(rng), view, information, rng)
        for _, found in zip(range(min(patience, left)), tried, strict=False):
            left -= 1
            if found is not None:
                return found
        if left <= 0:
            break
    raise GameError(
        f"{game} has the rule `hide` and no `deal`: in {MOST:,} positions by replay none was found "
        f"that fits {view}, and those that are found are not drawn by their odds; write `deal`"
    )


def _histories(
    start: State[Any], view: State[Any], information: tuple[Any, ...], rng: np.random.Generator
) -> Iterator[State[Any] | None]:
    """Yield, for each position visited, the world if it agrees with the view, else None."""
    seat = view.turn
    waiting: list[tuple[State[Any], Any, Any, int]] = [(start, None, None, 0)]
    while waiting:
        before, last, move, known = waiting.pop()
        here = before if move is None else before.after(move)
        own = move is not None and before.turn == seat
        seen = here.seen(seat) if here.turn != TERMINAL else last
        if information:
            news = ([move] if own else []) + ([seen] if seen != last else [])
            if tuple(news) != information[known : known + len(news)]:
                yield None
                continue
            known += len(news)
        if here.turn == seat and seen == view and known == len(information):
            yield here
        elif here.turn != TERMINAL:
            yield None
            moves = here.moves()
            odds = here.odds() if here.turn == CHANCE else None
            order = rng.choice(len(moves), len(moves), replace=False, p=odds)
            waiting += [(here, seen, moves[int(i)], known) for i in order]
        else:
            yield None
