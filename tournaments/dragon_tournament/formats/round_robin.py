"""Round robin, gauntlet and listed pairs: the formats whose games are all known beforehand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

from attrs import field, frozen

from dragon.errors import UnknownName
from dragon_tournament.formats.format import Format, every_seating


@frozen
class RoundRobin(Format):
    """All players meet, from every seat."""

    name = "round-robin"

    def seatings(self, names: Sequence[str], seats: int | None) -> Iterator[tuple[str, ...]]:
        """Return every group in every order."""
        return every_seating(names, seats)


@frozen
class Gauntlet(Format):
    """The first player meets all the others, who do not meet one another."""

    name = "gauntlet"

    def seatings(self, names: Sequence[str], seats: int | None) -> Iterator[tuple[str, ...]]:
        """Return the groups in which the first player sits."""
        if seats is None or len(names) < seats:
            return every_seating(names, seats)
        groups = ((names[0], *others) for others in combinations(names[1:], seats - 1))
        return (seating for group in groups for seating in permutations(group))


def _tuples(given: Any) -> Any:
    """Lists as tuples; anything else as it is, to be objected to."""
    return tuple(map(_tuples, given)) if isinstance(given, list | tuple) else given


@frozen
class Pairs(Format):
    """Listed groups of players, each in all seatings."""

    name = "pairs"
    implied_by = "pairs"
    pairs: Any = field(default=None, converter=_tuples)
    """The groups, as lists of names."""

    def objections(
        self, names: Sequence[str], game: str, seats: int | None
    ) -> Iterator[tuple[str, str]]:
        """Yield the objection to each pair that is not of players, or does not fill the seats."""
        if self.pairs is None:
            yield "pairs", 'format = "pairs" needs pairs = [["...", "..."], ...]'
        elif not isinstance(self.pairs, tuple) or not self.pairs:
            given = [] if self.pairs == () else self.pairs
            yield "pairs", f"must be a list of lists of players' names, not {given!r}"
        else:
            for index, pair in enumerate(self.pairs):
                for sentence in _flaws(pair, names, game, seats):
                    yield f"pairs[{index}]", sentence

    def seatings(self, names: Sequence[str], seats: int | None) -> Iterator[tuple[str, ...]]:
        """Return every order of each pair."""
        for pair in self.pairs:
            yield from dict.fromkeys(permutations(pair))


def _flaws(pair: Any, names: Sequence[str], game: str, seats: int | None) -> Iterator[str]:
    if not isinstance(pair, tuple) or not all(isinstance(name, str) for name in pair):
        shown = list(pair) if isinstance(pair, tuple) else pair
        yield f"must be a list of players' names, not {shown!r}"
        return
    unknown = [name for name in pair if name not in names]
    for name in unknown:
        yield str(UnknownName("player", name, names))
    if not unknown and seats is not None and len(pair) != seats:
        yield f"{game} seats {seats} players, not {len(pair)}"
