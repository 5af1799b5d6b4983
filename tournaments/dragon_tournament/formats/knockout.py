"""Knockout: who loses is out; the players are placed by the order in which the file lists them.

The first and the second can meet only in the final, the first four only in the semifinals,
and so on; where the players are no power of two, the first ones need not play the first round.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from dragon_tournament.formats.bout import Bout


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
    """Who has not lost, in the order of the file: the champion alone after the final."""
    fallen: tuple[tuple[str, ...], ...]
    """Who lost, round by round."""

    @property
    def champion(self) -> str | None:
        """The winner of the final, or None while it is open."""
        return None if self.next else self.alive[0]

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
