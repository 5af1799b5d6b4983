"""Fresh beginnings: their number in a tournament, and the games that have them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from itertools import islice
from typing import Any

from dragon.core import TERMINAL, State
from dragon_tournament.formats.openings import opening_of, used
from dragon_tournament.formats.schedule import seatings_of
from dragon_tournament.pairing import Pairing
from dragon_tournament.statistics.pairs import observation
from dragon_tournament.statistics.sprt import SAME
from dragon_tournament.tournament import Openings, Tournament


def begin_alike(tournament: Tournament) -> bool:
    """Return True if every game begins where the rules begin it, and nothing is dealt."""
    return tournament.openings == Openings() and not tournament.dealt


def with_new_beginnings(tournament: Tournament, pairings: Iterable[Pairing]) -> Iterator[Pairing]:
    """The games of a schedule whose opening, or deal, comes for the first time.

    All of them where all begin alike: then only the players can make a difference.
    """
    if begin_alike(tournament):
        yield from pairings
        return
    dealt, first, most = tournament.dealt, dict[Hashable, int](), 0
    for pairing in pairings:
        start = observation(pairing.deal, pairing.opening, pairing.position, dealt)
        if first.setdefault(start, pairing.index) == pairing.index:
            yield pairing
            continue
        most = most or beginnings(tournament, max(games for _, games in seatings_of(tournament)))
        if len(first) == most:
            return  # the rest of a long schedule need not be made


def beginnings(tournament: Tournament, most: int) -> int:
    """Count the different beginnings, up to `most`.

    Of random openings it is a bound: as many as there are lines of so many plies.
    """
    openings = tournament.openings
    if tournament.dealt:
        return min(most, openings.count or most) if openings.random is not None else most
    if openings.random is not None:
        most = min(most, openings.count or most)
        lines = _lines(tournament.game.start(0), openings.random)
        return sum(1 for _ in islice(lines, most))
    given = range(min(used(openings), most))
    return len({opening_of(tournament, index) for index in given}) or 1


def _lines(state: State[Any], plies: int) -> Iterator[None]:
    """One for every line of so many plies that does not end the game."""
    if state.turn == TERMINAL:
        return
    if not plies:
        yield None
        return
    for move in state.moves():
        yield from _lines(state.after(move), plies - 1)


def repetitions(tournament: Tournament) -> Iterator[str]:
    """Return a sentence if games must repeat one another move for move."""
    if tournament.referee.seats(tournament.game) is None:
        return
    fixed = {player.name for player in tournament.players if player.repeats}
    games = max(games for _, games in seatings_of(tournament))
    if tournament.sprt is not None:
        found = beginnings(tournament, games)
        if begin_alike(tournament):
            if len(fixed) == 2 and games > 1:
                yield (
                    f"{_equal(fixed)}, and there {_are(found)}; so the test ends undecided after "
                    f"{min(games, SAME)} pairs; give [openings]"
                )
        elif found < games:
            yield (
                f"there {_are(found)}, and the test counts each once: it ends after {found:,} "
                f"pairs at the latest, decided or not; give more [openings], or longer ones"
            )
        return
    bound = {
        seats: each
        for seats, each in seatings_of(tournament)
        if fixed.issuperset(seats) and each > 1
    }
    if not bound:
        return
    most = max(bound.values())
    found = beginnings(tournament, most)
    extra = sum(max(each - found, 0) for each in bound.values())
    if tournament.staged:
        extra_games = f"{most - found:,} of {most:,} games of an encounter in each seating"
    else:
        extra_games = f"{extra:,} games"
    if extra:
        yield (
            f"{_equal(name for seats in bound for name in seats)}, and there {_are(found)}; so "
            f"{extra_games} will be identical move for move to others and tell nothing; give more "
            f"[openings], or fewer games"
        )


def _equal(names: Iterable[str]) -> str:
    return f"{', '.join(sorted(set(names)))}: equal positions get equal moves"


def _are(found: int) -> str:
    return "is 1 way to begin" if found == 1 else f"are {found:,} ways to begin"
