"""Knockout: the loser is out; the players are placed by the order in which the file lists them.

The first and the second can meet only in the final, the first four only in the semifinals,
and so on; where the number of players is not a power of two, the first ones need not play the
first round.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import field, frozen
from attrs.validators import ge, le

from dragon_tournament.formats.format import Bout, History, Meetings, StagedFormat, usual_rounds


@frozen
class Knockout(StagedFormat):
    """The loser of an encounter is out; a tie is replayed."""

    name = title = "knockout"
    replays: int = field(default=2, validator=[ge(0), le(100)])
    """The number of times that a tie is replayed before the better placed player goes on."""

    def meetings(self, names: Sequence[str], history: History) -> Meetings:
        """Return the encounters of the next round, or the ties that are replayed."""
        return state(names, history, self.replays).next

    def left(self, names: Sequence[str], history: History) -> int:
        """The number of encounters to come without further ties: each puts one player out."""
        return len(state(names, history, self.replays).alive) - 1

    def most_rounds(self, players: int) -> int:
        """The number of rounds if every one has a tie that is replayed as often as may be."""
        return usual_rounds(players) * (self.replays + 1)

    def placing(self, names: Sequence[str], history: History) -> Sequence[Sequence[str]]:
        """Return the players by how far they came."""
        return state(names, history, self.replays).placing

    def titles(self, rounds: History) -> list[str]:
        """Return a title for each round: its number, and a note if it replays ties of the last."""
        found: list[str] = []
        number, before = 0, set[tuple[str, ...]]()
        for stage in rounds:
            players = {bout.players for bout in stage}
            again = players <= before
            number += not again
            found.append(f"{number} (replay)" if again else f"{number}")
            before |= players
        return found


def bracket(players: int) -> list[int | None]:
    """The places in the order of the draw, neighbours meet; None is an empty place.

    >>> bracket(4), bracket(3)
    ([0, 3, 1, 2], [0, None, 1, 2])
    """
    order = [0]
    while len(order) < players:
        size = 2 * len(order)
        order = [place for top in order for place in (top, size - 1 - top)]
    return [place if place < players else None for place in order]


@frozen
class State:
    """The state of a knockout."""

    next: tuple[tuple[str, ...], ...]
    """The next meetings, in a replay where a bout was tied; none after the final."""
    alive: tuple[str, ...]
    """The players that are in, in the order of the file: the champion alone after the final."""
    fallen: tuple[tuple[str, ...], ...]
    """The losers, round by round."""

    @property
    def placing(self) -> tuple[tuple[str, ...], ...]:
        """Groups of players that came equally far, the best first."""
        return self.alive, *reversed(self.fallen)


def state(names: Sequence[str], history: Sequence[Sequence[Bout]], replays: int) -> State:
    """Return its state; a tie is replayed, at last the better placed player goes on."""
    alive = bracket(len(names))
    stages = iter(history)
    fallen: list[tuple[str, ...]] = []
    while len(alive) > 1:
        # k: the place of a match in its round; at the first one some have no opponent
        matches = list(enumerate(zip(alive[::2], alive[1::2], strict=True)))
        winners = {k: a for k, (a, b) in matches if b is None}
        tied = {k: (a, b) for k, (a, b) in matches if a is not None and b is not None}
        playing = list(tied.values())
        for _ in range(replays + 1):
            if not tied:
                break
            stage = next(stages, None)
            if stage is None:
                out = {a if winners[k] == b else b for k, (a, b) in matches if k in winners}
                left = sorted(p for p in alive if p is not None and p not in out)
                return State(
                    next=tuple((names[a], names[b]) for a, b in tied.values()),
                    alive=tuple(names[place] for place in left),
                    fallen=(*fallen, _named(names, out)),
                )
            made = {bout.players: bout.points for bout in stage}
            for k, (a, b) in list(tied.items()):
                mine, other = made[names[a], names[b]]
                if mine != other:
                    winners[k] = a if mine > other else b
                    del tied[k]
        winners |= {k: min(pair) for k, pair in tied.items()}
        alive = [winners[k] for k, _ in matches]
        fallen.append(_named(names, {p for pair in playing for p in pair} - set(alive)))
    return State((), (names[alive[0] or 0],), tuple(fallen))


def _named(names: Sequence[str], places: Iterable[int | None]) -> tuple[str, ...]:
    return tuple(names[place] for place in sorted(p for p in places if p is not None))
