"""Format: the interface of tournament formats, and what formats have in common.

A format is a frozen value. Its fields are its own keys of a tournament's TOML file, with their
defaults and validators. It knows the names of the players, and no games: those are made of its
seatings, or of its meetings, by `dragon_tournament.schedule`.
"""

from __future__ import annotations

import math
import random
import time
import traceback
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations, permutations, product
from typing import Any, ClassVar, Self

from attrs import frozen

from dragon.errors import TournamentError, UnknownName, one_line

ROUNDS = 10_000
"""The number of rounds of a rehearsal after which a format counts as endless."""
LOOKED_AT = 100
"""Rounds of a rehearsal in which all methods are tried; later ones have the meetings alone."""
SECONDS = 1.0
"""Processor time of a rehearsal, at most; the games try a format that is too slow for it."""


@frozen
class Bout:
    """Two players that met in a round, or one that sat it out, and the points they made."""

    players: tuple[str, ...]
    points: tuple[float, ...]


History = Sequence[Sequence[Bout]]
"""The complete rounds so far."""
Meetings = Sequence[tuple[str, ...]]
"""The encounters of a round; a player alone sits it out."""


def totals(history: Iterable[Sequence[Bout]]) -> defaultdict[str, float]:
    """The points of each player, over all rounds."""
    points: defaultdict[str, float] = defaultdict(float)
    for stage in history:
        for bout in stage:
            for name, made in zip(bout.players, bout.points, strict=True):
                points[name] += made
    return points


def usual_rounds(players: int) -> int:
    """The number of rounds after which one player of a knockout is left.

    >>> usual_rounds(8), usual_rounds(9)
    (3, 4)
    """
    return max(1, math.ceil(math.log2(players)))


def every_seating(names: Sequence[str], seats: int | None) -> Iterator[tuple[str, ...]]:
    """Every group of players in every order; where they are too few, everyone sits twice or more.

    seats: how many a game has; None where all players solve the same instance, each alone.
    """
    if seats is None:
        yield tuple(names)
    elif len(names) < seats:
        for group in product(names, repeat=seats):
            if set(group) == set(names):
                yield group
    else:
        for chosen in combinations(names, seats):
            yield from permutations(chosen)


@frozen
class Format(ABC):
    """A format whose games are all known beforehand."""

    name: ClassVar[str]
    """The value of the key `format`."""
    implied_by: ClassVar[str] = ""
    """A key that chooses this format in a file without the key `format`."""

    def fitted(self, names: Sequence[str]) -> Self:
        """Return this format with the settings filled in that the players decide."""
        return self

    def objections(
        self, names: Sequence[str], game: str, seats: int | None
    ) -> Iterator[tuple[str, str]]:
        """Yield address and sentence of each reason why it does not suit the players and the game.

        game: its spec, for messages; `seats` is None where each player is alone.
        """
        yield from ()

    @abstractmethod
    def seatings(self, names: Sequence[str], seats: int | None) -> Iterable[tuple[str, ...]]:
        """Return the players of each game from seat 0, in the order of play.

        All of them play every opening. `seats` is None where each player is alone.
        """


@frozen
class StagedFormat(Format):
    """A format in rounds, in which the results so far decide who meets next.

    It is for games of two seats. An encounter is played on the openings of its round, on each in
    both seatings; its points are those of its games.
    """

    title: ClassVar[str] = ""
    """The name in reports; the format's own by default."""
    rivals: ClassVar[bool] = False
    """True if the points of a player's opponents (Buchholz) order equal points; reports then have
    a column of them."""
    note: ClassVar[str] = ""
    """A sentence under the places of the report."""

    @abstractmethod
    def meetings(self, names: Sequence[str], history: History) -> Meetings:
        """Return the encounters of the next round, one player alone for a bye; none after the last.

        names: the players as the file lists them. history: the results of the rounds so far, in
        the order in which this method gave their encounters.
        """

    def past(
        self, names: Sequence[str], met: Mapping[int, Sequence[frozenset[str]]]
    ) -> Callable[[History], Meetings]:
        """Return a function that gives the encounters of rounds that have been played.

        met: who has met by the games on record, by round. By default the rounds are computed
        again; a format for which that takes long reads them from there.
        """
        return lambda history: next_meetings(self, names, history)

    def over(self, names: Sequence[str], history: History) -> bool:
        """Return True if no round is left."""
        return not next_meetings(self, names, history)

    def left(self, names: Sequence[str], history: History) -> int:
        """The number of encounters still to come, as far as is known; those of the next round."""
        return 0

    def most_rounds(self, players: int) -> int:
        """The number of rounds for which openings are tried before the first game."""
        return players

    def placing(self, names: Sequence[str], history: History) -> Sequence[Sequence[str]]:
        """Return the players in groups of equal merit, the winner first; by points, by default."""
        points = totals(history)
        groups: dict[float, list[str]] = {}
        for name in sorted(names, key=lambda name: -points[name]):
            groups.setdefault(points[name], []).append(name)
        return list(groups.values())

    def titles(self, rounds: History) -> list[str]:
        """Return a title for each complete round: by default its number."""
        return [str(number) for number in range(1, len(rounds) + 1)]

    def objections(
        self, names: Sequence[str], game: str, seats: int | None
    ) -> Iterator[tuple[str, str]]:
        """Yield the objection to another number of seats than two, or to a single player."""
        if seats != 2:
            sentence = f"a {self.name} is for games of two seats, which {game} is not"
            yield "format", f"{sentence}; take a round-robin"
        if len(names) < 2:
            yield "player", f"a {self.name} needs two players at least"

    def seatings(self, names: Sequence[str], seats: int | None) -> Iterable[tuple[str, ...]]:
        """Return the seatings that are possible."""
        return every_seating(names, seats)


def next_meetings(style: StagedFormat, names: Sequence[str], history: History) -> Meetings:
    """Return the encounters of the next round.

    Raises TournamentError where the format fails, or gives anything but a round.
    """
    try:
        hash(style)
    except TypeError as wrong:
        raise TournamentError(
            f"the format {style!r} does not have a hash ({wrong}); write @frozen above its class, "
            f"and tuples instead of lists"
        ) from wrong
    return _meetings(style, tuple(names), tuple(map(tuple, history)))


@lru_cache(maxsize=64)  # pairing thousands of players takes long, and each round is asked for often
def _meetings(
    style: StagedFormat, names: tuple[str, ...], history: tuple[tuple[Bout, ...], ...]
) -> Meetings:
    found = _asked(style, "meetings", names, history)
    reason = _flaw(found, names)
    if reason:
        raise TournamentError(
            f"the format {style.name!r} gives {found!r} for round {len(history) + 1}, {reason}; "
            f"`meetings` returns pairs of names, one name alone for a bye, and [] after the last "
            f"round"
        )
    return tuple(map(tuple, found))


def _flaw(found: object, names: Collection[str]) -> str:
    """Return the fault of the encounters of a round; empty if there is none."""
    if not isinstance(found, list | tuple):
        return "which is not a list"
    for players in found:
        if not isinstance(players, list | tuple) or len(players) not in (1, 2):
            return f"where {players!r} is not one name or two"
    counts = Counter(name for players in found for name in players)
    for name, times in counts.items():
        if name not in names:
            return f"with {UnknownName('player', str(name), names)}"
        if times > 1:
            return f"where {name!r} occurs twice"
    if found and all(len(players) == 1 for players in found):
        return "in which all sit out"
    return ""


def places(style: StagedFormat, names: Sequence[str], history: History) -> Sequence[Sequence[str]]:
    """Return the groups of equal players, the best first; raises TournamentError as above."""
    found: Sequence[Sequence[str]] = _asked(style, "placing", names, history)
    try:
        whole = sorted(name for group in found for name in group) == sorted(names)
    except TypeError:
        whole = False
    if not whole or isinstance(found, str):
        raise TournamentError(
            f"the format {style.name!r} gives the places {found!r}; `placing` returns groups of "
            f"names, in which each player occurs once"
        )
    return found


def encounters_left(style: StagedFormat, names: Sequence[str], history: History) -> int:
    """The number of encounters to come: those of the next round at least, none after the last."""
    if _asked(style, "over", names, history):
        return 0
    coming = sum(len(players) == 2 for players in next_meetings(style, names, history))
    return max(coming, int(_asked(style, "left", names, history)))


def objections(
    style: Format, names: Sequence[str], game: str, seats: int | None
) -> list[tuple[str, str]]:
    """The objections of a format; raises TournamentError where it fails."""
    found: list[tuple[str, str]] = _asked(style, "objections", names, game, seats)
    return found


def _asked(style: Format, method: str, *given: object) -> Any:
    """Call a method of a format; raise TournamentError, with the place, for what it raises."""
    try:
        found = getattr(style, method)(*given)
        return list(found) if isinstance(found, Iterator) else found
    except TournamentError:
        raise
    except Exception as broken:  # whatever a plugin raises: say whose it is
        at = traceback.extract_tb(broken.__traceback__)[-1]
        raise TournamentError(
            f"the format {style.name!r} failed in `{method}`: {one_line(broken)} "
            f"({at.filename}:{at.lineno})"
        ) from broken


def rehearse(style: Format, names: Sequence[str], seats: int | None) -> None:
    """Try all games of a format, or its rounds with random results, before any game is played.

    Raises TournamentError for seatings, rounds or places that cannot be, and where it does not end.
    """
    if isinstance(style, StagedFormat):
        _rehearse_rounds(style, names)
        return
    found = _asked(style, "seatings", names, seats)
    if not isinstance(found, list | tuple) or not found:
        raise TournamentError(
            f"the format {style.name!r} gives the seatings {found!r}; `seatings` returns the "
            f"players of each game"
        )
    for seating in found:
        sound = isinstance(seating, tuple) and (seats is None or len(seating) == seats)
        if not sound or not set(seating) <= set(names):
            raise TournamentError(
                f"the format {style.name!r} gives the seating {seating!r}, which is not a tuple "
                f"of {'players' if seats is None else f'{seats} players'}"
            )


def _rehearse_rounds(style: StagedFormat, names: Sequence[str]) -> None:
    lots, history = random.Random(0), list[tuple[Bout, ...]]()
    until = time.process_time() + SECONDS
    results = ((0.0, 2.0), (2.0, 0.0), (1.0, 1.0))
    dealt = chain(results, iter(lambda: lots.choice(results), None))  # each of them at least once
    next_meetings(style, names, history)
    while meetings := _meetings.__wrapped__(style, names, history):
        if len(history) < LOOKED_AT:
            encounters_left(style, names, history)
            places(style, names, history)
        if len(history) == ROUNDS:
            raise TournamentError(
                f"the format {style.name!r} goes on after {ROUNDS:,} rounds; `meetings` returns "
                f"[] after the last round"
            )
        if time.process_time() > until:
            return
        history.append(
            tuple(Bout(who, (2.0,) if len(who) == 1 else next(dealt)) for who in meetings)
        )
    places(style, names, history)
    titles = _asked(style, "titles", history)
    if not isinstance(titles, list) or len(titles) != len(history):
        raise TournamentError(
            f"the format {style.name!r} gives {titles!r} for {len(history)} rounds; `titles` "
            f"returns a list of a text for each"
        )
