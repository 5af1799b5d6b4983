"""The sequence form of a game: its tree as arrays of information sets, sequences and leaves.

A *sequence* is a seat's last move and all its moves before; an *information set* is a seat's turn
with all that it has seen and done before, its *chain*; a *leaf* is the last sequence of each seat,
what chance contributes, and the payoffs. Sets come after the sets before them.

Source: B. von Stengel, "Efficient Computation of Behavior Strategies" (1996).
"""

from __future__ import annotations

from collections.abc import Callable
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


class TooLarge(SearchError):
    """A tree is too large to be kept."""


@define(eq=False)
class SequenceForm:
    """A game in sequence form, from one state on; arrays as in `kernel.Memory`."""

    root: State[Any]
    most: int = MOST_NODES
    """The most states of its tree."""
    seat: list[int] = field(factory=list)
    parent: list[int] = field(factory=list)
    first: list[int] = field(factory=list)
    moves: list[tuple[Any, ...]] = field(factory=list)
    """The moves of each information set."""
    views: list[State[Any]] = field(factory=list)
    """The last view of each information set."""
    leaves: list[tuple[int, ...]] = field(factory=list)
    chances: list[float] = field(factory=list)
    """The probability of chance's moves on the way to each leaf."""
    payoffs: list[tuple[float, ...]] = field(factory=list)
    nodes: int = 0
    sequences: int = field(init=False)
    """The number of sequences, the empty ones included."""
    _chains: dict[Any, int] = field(factory=dict)
    """The number of each chain, by that of the chain before it and what is new."""
    _sets: dict[tuple[int, int], int] = field(factory=dict)
    """The information sets by seat and chain."""
    _by_view: dict[Any, list[int]] = field(factory=dict)
    """The information sets by seat and last view; made when it is first asked for."""
    _open: list[Any] = field(factory=list)
    """States that are not in it yet: each with views, chains and sequences of all seats, and what
    chance contributes."""

    def __attrs_post_init__(self) -> None:
        self.sequences = self.seats
        if sentence := objection(self.root, self.most):
            raise TooLarge(sentence)
        self._begin()

    def _begin(self) -> None:
        """Prepare the first state."""
        views = tuple(self.root.seen(seat) for seat in range(self.seats))
        chains = tuple(self._chain(-1, view) for view in views)
        self._open.append((self.root, views, chains, tuple(range(self.seats)), 1.0))

    def grow(self, late: Callable[[], bool] = bool) -> bool:
        """Visit states until all are in it, or it is `late`; return whether all are.

        Raises SearchError for a tree that is too large, and GameError where states that look alike
        to a seat, after equal histories, have other moves.
        """
        while self._open and not late():
            self._visit(*self._open.pop())
        return not self._open

    def _visit(
        self,
        state: State[Any],
        views: tuple[State[Any], ...],
        chains: tuple[int, ...],
        before: tuple[int, ...],
        chance: float,
    ) -> None:
        self.nodes += 1
        if self.nodes > self.most:
            raise too_large(self.root, f"more than {self.most:,}", self.most)
        turn = state.turn
        if turn == TERMINAL:
            self.leaves.append(before)
            self.chances.append(chance)
            self.payoffs.append(state.payoff())
            return
        moves = state.moves()
        odds = state.odds() if turn == CHANCE else ()
        first = 0 if turn == CHANCE else self.first[self._set(state, turn, views, chains, before)]
        for i in reversed(range(len(moves))):
            child = state.after(moves[i])
            last, likely = before, chance
            if turn == CHANCE:
                likely *= odds[i]
            else:
                last = (*before[:turn], first + i, *before[turn + 1 :])
            seen, known = views, chains
            if child.turn != TERMINAL:
                seen = tuple(child.seen(seat) for seat in range(self.seats))
                known = tuple(
                    self._extended(chains[seat], views[seat], seen[seat],
                                   moves[i] if seat == turn else None)
                    for seat in range(self.seats)
                )  # fmt: skip
            self._open.append((child, seen, known, last, likely))

    def _set(
        self,
        state: State[Any],
        turn: int,
        views: tuple[State[Any], ...],
        chains: tuple[int, ...],
        before: tuple[int, ...],
    ) -> int:
        """Return the information set of the seat to move, which is added if it is new."""
        moves, new = tuple(state.moves()), len(self.seat)
        number = self._sets.setdefault((turn, chains[turn]), new)
        if number == new:
            self.first.append(self.sequences)
            self.seat.append(turn)
            self.parent.append(before[turn])
            self.moves.append(moves)
            self.views.append(views[turn])
            self.sequences += len(moves)
        elif self.moves[number] != moves:
            raise self._other_moves(state, self.views[number])
        return number

    def _other_moves(self, state: State[Any], view: State[Any]) -> GameError:
        """Return the error for a state that looks as a view does, and has other moves."""
        listed = (", ".join(map(str, each.moves())) for each in (state, view))
        return GameError(
            f"{state} and {view} look alike to seat {state.turn}, after equal histories, and have "
            f"the moves {' and '.join(listed)}"
        )

    def _extended(self, chain: int, view: State[Any], seen: State[Any], own: Any) -> int:
        """Return the chain of a seat after a move, its own if that is given."""
        if own is not None:
            chain = self._chain(chain, own)
        return chain if seen == view else self._chain(chain, seen)

    def _chain(self, before: int, event: Any) -> int:
        """Return the number of a chain that goes on with an event, a view or an own move."""
        return self._chains.setdefault((before, event), len(self._chains))

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.root.teams)

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
            "leaves": np.ascontiguousarray(np.array(self.leaves, np.int32).T),
            "paid": np.ascontiguousarray(np.array(self.payoffs, float).T) * chances,
            **made,
        }

    def information(self) -> list[tuple[Any, ...]]:
        """Return the views and moves of the seat of each information set; see `informed`."""
        events = {number: (before, event) for (before, event), number in self._chains.items()}
        found: list[tuple[Any, ...]] = [()] * len(self.seat)
        for (_, chain), number in self._sets.items():
            known = list[Any]()
            while chain >= 0:
                chain, event = events[chain]
                known.append(event)
            found[number] = tuple(reversed(known))
        return found

    def _number_of(self, seat: int, information: tuple[Any, ...]) -> int | None:
        """Return the information set of a seat's chain, by its events; None if there is none."""
        chain: int | None = -1
        for event in information:
            chain = self._chains.get((chain, event))
            if chain is None:
                return None
        return self._sets.get((seat, chain)) if chain is not None else None

    def set_of(self, seat: int, information: tuple[Any, ...], view: State[Any]) -> int:
        """Return the information set of what a seat has seen and done; raise SearchError.

        Where that is not known from the root on, the only one that ends with this view.
        """
        if information and (number := self._number_of(seat, information)) is not None:
            return number
        if not self._by_view:
            for k, each in enumerate(self.views):
                self._by_view.setdefault((self.seat[k], each), []).append(k)
        alike = self._by_view.get((seat, view), [])
        if len(alike) == 1:
            return alike[0]
        reason = "is not reached" if not alike else f"is reached in {len(alike)} different ways"
        raise SearchError(f"{view} {reason} from {self.root}; begin there, and play to it")


def objection(root: State[Any], most: int = MOST_NODES) -> str | None:
    """Return the sentence on a tree that is far too large, by random games; None if it is not."""
    size = estimated_nodes(root)
    if size <= 20 * most:  # the factor by which the estimate may be wrong
        return None
    return str(too_large(root, f"some {size:.0e}", most))


def too_large(root: State[Any], size: str, most: int) -> TooLarge:
    """Return the error for a tree that is too large to be kept."""
    return TooLarge(
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
