"""The sequence form of a game: its tree as arrays of information sets, sequences and leaves.

A *sequence* is a seat's last move and all its moves before; an *information set* is a seat's turn
with all that it has seen and done before, its *chain*; a *leaf* is the last sequence of each seat,
what chance contributes, and the payoffs. Sets come after the sets before them.

Source: B. von Stengel, "Efficient Computation of Behavior Strategies" (1996).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from attrs import define, field

from dragon.bits import Random
from dragon.core import CHANCE, TERMINAL, State
from dragon.errors import GameError, SearchError

MOST_NODES = 5_000_000
"""States of a tree that is kept. A leaf takes some 50 bytes, a state on the way less."""
PROBES = 100
"""Random games by which the size of a tree is estimated first (Knuth 1975)."""


@define(eq=False)
class SequenceForm:
    """A game in sequence form, from one state on; arrays as in `kernel.Memory`."""

    root: State[Any]
    seat: list[int] = field(factory=list)
    parent: list[int] = field(factory=list)
    first: list[int] = field(factory=list)
    moves: list[tuple[Any, ...]] = field(factory=list)
    """The moves of each information set."""
    views: list[State[Any]] = field(factory=list)
    """The last view of each information set."""
    leaves: list[tuple[int, ...]] = field(factory=list)
    chances: list[float] = field(factory=list)
    """What chance contributes to the probability of each leaf."""
    payoffs: list[tuple[float, ...]] = field(factory=list)
    nodes: int = 0
    _chains: dict[Any, int] = field(factory=dict)
    """The number of each chain, by that of the chain before it and what is new."""
    _sets: dict[tuple[int, int], int] = field(factory=dict)
    """The information sets by seat and chain."""

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.root.teams)

    @property
    def sequences(self) -> int:
        """The number of sequences, the empty ones included."""
        return self.seats + sum(map(len, self.moves))

    def arrays(self) -> dict[str, Any]:
        """The arrays of `kernel.Memory`: the game, and nothing learnt."""
        n = self.sequences
        chances = np.array(self.chances, float)
        made = {name: np.zeros(n) for name in ("plan", "total", "regret", "last", "worth")}
        return {
            "seat": np.array(self.seat, np.int64),
            "parent": np.array(self.parent, np.int64),
            "first": np.array(self.first, np.int64),
            "count": np.array([*map(len, self.moves)], np.int64),
            "leaves": np.array(self.leaves, np.int64),
            "paid": np.array(self.payoffs, float) * chances[:, None],
            **made,
        }

    def chain(self, before: int, event: Any) -> int:
        """Return the number of a chain that goes on with an event, a view or an own move."""
        return self._chains.setdefault((before, event), len(self._chains))

    def chain_of(self, information: tuple[Any, ...]) -> int | None:
        """Return the number of a chain by its events; None if the tree does not have it."""
        at: int | None = -1
        for event in information:
            at = self._chains.get((at, event))
            if at is None:
                return None
        return at

    def set_of(self, seat: int, information: tuple[Any, ...], view: State[Any]) -> int:
        """Return the information set of what a seat has seen and done; raise SearchError.

        Where that is not known, the only one that ends with this view.
        """
        if information:
            chain = self.chain_of(information)
            found = self._sets.get((seat, -1 if chain is None else chain))
            if found is None:
                raise SearchError(f"{view} is not reached from {self.root}")
            return found
        alike = [k for k, each in enumerate(self.views) if self.seat[k] == seat and each == view]
        if len(alike) == 1:
            return alike[0]
        reason = "is not reached" if not alike else f"is reached in {len(alike)} different ways"
        raise SearchError(f"{view} {reason} from {self.root}; begin there, and play to it")


def flattened(root: State[Any], most: int = MOST_NODES) -> SequenceForm:
    """Return a state's game in sequence form; raise SearchError if its tree is too large.

    Raises GameError where states that look alike to a seat, after equal histories, have other
    moves.
    """
    size = estimated_nodes(root)
    if size > 20 * most:  # far beyond what an estimate may be wrong by
        raise too_large(root, f"some {size:.0e}", most)
    form = SequenceForm(root)
    seats = range(form.seats)
    views = tuple(root.seen(seat) for seat in seats)
    chains = tuple(form.chain(-1, view) for view in views)
    stack = [(root, views, chains, tuple(seats), 1.0)]
    sequences = form.seats
    while stack:
        state, views, chains, before, chance = stack.pop()
        form.nodes += 1
        if form.nodes > most:
            raise too_large(root, f"more than {most:,}", most)
        turn = state.turn
        if turn == TERMINAL:
            form.leaves.append(before)
            form.chances.append(chance)
            form.payoffs.append(state.payoff())
            continue
        moves = state.moves()
        begin = 0
        if turn == CHANCE:
            odds = state.odds()
        else:
            at = chains[turn]
            number = form._sets.setdefault((turn, at), len(form.seat))
            if number == len(form.seat):
                form.seat.append(turn)
                form.parent.append(before[turn])
                form.first.append(sequences)
                form.moves.append(tuple(moves))
                form.views.append(views[turn])
                sequences += len(moves)
            elif form.moves[number] != tuple(moves):
                raise GameError(
                    f"{state} and {form.views[number]} look alike to seat {turn}, and have the "
                    f"moves {', '.join(map(str, moves))} and "
                    f"{', '.join(map(str, form.moves[number]))}"
                )
            begin = form.first[number]
        for i in reversed(range(len(moves))):
            child = state.after(moves[i])
            if turn == CHANCE:
                last, likely = before, chance * odds[i]
            else:
                last = (*before[:turn], begin + i, *before[turn + 1 :])
                likely = chance
            if child.turn == TERMINAL:
                stack.append((child, views, chains, last, likely))
                continue
            seen = tuple(child.seen(seat) for seat in seats)
            known = tuple(
                _extended(form, chains[seat], views[seat], seen[seat],
                          moves[i] if seat == turn else None)
                for seat in seats
            )  # fmt: skip
            stack.append((child, seen, known, last, likely))
    return form


def _extended(
    form: SequenceForm, chain: int, view: State[Any], seen: State[Any], own: Any
) -> int:
    """Return the chain of a seat after a move, its own if that is given."""
    if own is not None:
        chain = form.chain(chain, own)
    return chain if seen == view else form.chain(chain, seen)


def too_large(root: State[Any], size: str, most: int) -> SearchError:
    """Return the error for a tree that is too large to be kept."""
    return SearchError(
        f"the tree of {root.game or root} has {size} states, and {most:,} are the most that are "
        "kept; take a smaller game, or a search that samples"
    )


def estimated_nodes(root: State[Any], probes: int = PROBES) -> float:
    """Return an estimate of the states of a tree, by random games from a fixed seed."""
    random = Random(1)
    return sum(_probe(root, random) for _ in range(probes)) / probes


def _probe(state: State[Any], random: Random) -> float:
    size = width = 1.0
    while state.turn != TERMINAL:
        moves = state.moves()
        width *= len(moves)
        size += width
        state = state.after(moves[random(len(moves))])
    return size


def moves_of(form: SequenceForm) -> Iterator[tuple[int, Any]]:
    """Yield each sequence that ends with a move, and that move."""
    for first, moves in zip(form.first, form.moves, strict=True):
        yield from enumerate(moves, first)
