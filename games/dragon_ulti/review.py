"""A game that was played, card by card: what each was worth, which were mistakes, what was right.

Values are found from the last card back. The last ones are the easiest and leave the table of
positions warm for those before, and a limit that comes early leaves the first cards open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from dragon.core import TERMINAL, Limit
from dragon_ulti.history import History, PlayedGame, history, played_game
from dragon_ulti.language import bad_notation, tr
from dragon_ulti.record import unmet
from dragon_ulti.solver import SEARCH, VERDICT, Solver

if TYPE_CHECKING:
    from dragon import RecordState
    from dragon_ulti.game import Ulti


@frozen
class Step:
    """A card that was played. Values are units, or 1 made and 0 failed; None is not known."""

    seat: int
    card: str
    forced: bool
    """True if it was the only card that could be played."""
    before: int | None = None
    """The declarer's value before the card, with best play."""
    after: int | None = None
    right: tuple[str, ...] = ()
    """For a mistake, the cards that would have been none; () too where a limit left one open."""

    @property
    def lost(self) -> int | None:
        """The cost of the card to its own side; 0 for one that is right."""
        if self.forced:
            return 0
        if self.before is None or self.after is None:
            return None
        return (self.before - self.after) * (1 if self.seat == 0 else -1)


@frozen
class Review:
    """A game and what is known of its cards."""

    game: Ulti
    """The game as asked for; positions are of the game that counts units, where they decide."""
    history: PlayedGame
    end: RecordState
    need: int
    """Units that make the contract, or 0 where they do not count."""
    steps: tuple[Step, ...]
    nodes: int = 0
    seconds: float = 0.0

    @property
    def mistakes(self) -> tuple[int, ...]:
        """The number of known mistakes of each of the three seats."""
        count = Counter(step.seat for step in self.steps if step.lost)
        return tuple(count[seat] for seat in range(3))

    @property
    def made(self) -> bool | None:
        """The verdict; None if it is still open."""
        if self.end.turn == TERMINAL:
            return self.makes(round(self.end.payoff()[0]))
        if not self.need:
            return None
        least, most = self.end.bounds() or (0, 9)
        return True if least >= self.need else False if most < self.need else None

    @property
    def course(self) -> History:
        """The tables of the game."""
        return history(self.history.start, (*self.history.played, *self.history.idle))

    @property
    def known(self) -> bool:
        """True if every card has been judged."""
        return all(step.lost is not None for step in self.steps)

    def makes(self, value: int | None) -> bool | None:
        """Return True if a value means that the contract is made; None if not known."""
        return None if value is None else value >= (self.need or 1)


def reviewing(game: Ulti, text: str, limit: Limit | None = None) -> Iterator[Review]:
    """Yield the review as it grows: no value known, then one more each time, from the last card.

    Raises BadNotation for a game that cannot be, or in which nothing was played.
    """
    units = game.counted
    past = played_game(evolve(game, objective="points" if units else "make"), text)
    if not past.played:
        why = unmet(past.start) or tr("it names no card that was played; add `, played HA H7 ...`")
        if past.idle and not unmet(past.start):
            why = tr(
                "it was over before the first card played, {card}; leave `made` out",
                card=past.idle[0],
            )
        raise bad_notation("{text!r} is not a game to review: {why}", text=text, why=why)
    states = [past.start]
    for card in past.played:
        states.append(states[-1].after(card))
    steps = [
        Step(state.turn, card, len(state.moves()) == 1)
        for state, card in zip(states, past.played, strict=False)
    ]
    need = game.bid.need if units else 0
    seen = Review(game, past, states[-1], need, tuple(steps))
    yield seen
    with closing(Solver(limit, SEARCH if units else VERDICT)) as work:
        after = work.worth(states[-1], units)
        for i in reversed(range(len(steps))):
            steps[i] = evolve(steps[i], after=after)
            before = after if steps[i].forced else work.worth(states[i], units)
            steps[i] = evolve(steps[i], before=before)
            if steps[i].lost:
                steps[i] = evolve(steps[i], right=_right(work, states[i], before, units))
            after = before
            yield evolve(seen, steps=tuple(steps), nodes=work.nodes, seconds=work.seconds)


def _right(work: Solver, state: RecordState, value: int | None, units: bool) -> tuple[str, ...]:
    """Return the cards after which the value is what it was; none where a limit left one open."""
    worths = {move: work.worth(state.after(move), units) for move in state.moves()}
    if None in worths.values():
        return ()
    return tuple(move for move, worth in worths.items() if worth == value)
