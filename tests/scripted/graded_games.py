"""Games for tests whose payoffs have many sizes: Leduc poker, and a game of trust for two gains.

Leduc poker: F. Southey and others, "Bayes' Bluff: Opponent Modelling in Poker" (UAI 2005).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from attrs import evolve, frozen

from dragon import (
    CHANCE,
    TERMINAL,
    BadNotation,
    Determinizable,
    Game,
    GameError,
    IllegalMove,
    RecordGame,
    Result,
    Rules,
    Search,
    State,
    Trait,
    hookimpl,
    rule,
)

RANKS = "JQK"
"""From the lowest; two cards of each."""
UNSEEN = "?"
FOLD, CALL, RAISE = "fold", "call", "raise"
BETS = (2, 4)
"""What a raise puts in beyond the call, in the first and in the second round."""
RAISES = 2
"""In a round, at most."""


def left(gone: str) -> Counter[str]:
    """Count the cards of each rank that are left of the deck."""
    return +(Counter(RANKS * 2) - Counter(gone))


@frozen
class Table(Determinizable[str]):
    """Two cards, `?` where one is not seen, the card on the table, and the moves of both rounds."""

    cards: str = ""
    first: tuple[str, ...] = ()
    board: str = ""
    second: tuple[str, ...] = ()
    largest = 13.0

    @property
    def line(self) -> tuple[str, ...]:
        """The moves of this round."""
        return self.second if self.board else self.first

    @property
    def turn(self) -> int:
        """Chance deals, seat 0 begins each round, and who folds ends the game."""
        if not self.cards:
            return CHANCE
        if self.line[-1:] == (FOLD,):
            return TERMINAL
        if len(self.line) >= 2 and self.line[-1] == CALL:
            return TERMINAL if self.board else CHANCE
        return len(self.line) % 2

    def moves(self) -> tuple[str, ...]:
        """The ranks that may be dealt; check or call, bet or raise, fold where there is a bet."""
        if self.turn == TERMINAL:
            return ()
        if not self.cards:
            return tuple(map("".join, product(RANKS, repeat=2)))
        if self.turn == CHANCE:
            return tuple(rank for rank in RANKS if left(self.cards)[rank])
        open_bet = (FOLD,) if RAISE in self.line else ()
        return (*open_bet, CALL, *((RAISE,) if self.line.count(RAISE) < RAISES else ()))

    def odds(self) -> tuple[float, ...]:
        """Give the odds of the next card, of six that are two of each rank."""
        if not self.cards:
            return tuple((1 if a == b else 2) / 15 for a, b in self.moves())
        deck = left(self.cards)
        return tuple(deck[rank] / deck.total() for rank in self.moves())

    def after(self, move: str) -> Table:
        """The hand dealt, the card turned up, or a round with one more move."""
        if move not in self.moves():
            raise IllegalMove(f"{move} is not possible in {self}; it may be {self.moves()}")
        if not self.cards:
            return Table(move)
        if self.turn == CHANCE:
            return evolve(self, board=move)
        name = "second" if self.board else "first"
        return evolve(self, **{name: (*self.line, move)})

    def paid(self) -> list[int]:
        """Give what each seat has put in: the ante of one, and its bets."""
        paid = [1, 1]
        for bet, line in zip(BETS, (self.first, self.second), strict=True):
            for number, move in enumerate(line):
                seat = number % 2
                if move != FOLD:
                    paid[seat] = max(paid) + bet * (move == RAISE)
        return paid

    def payoff(self) -> tuple[float, float]:
        """Pay what the loser has put in; a pair with the board wins, else the higher card."""
        paid = self.paid()
        if self.line[-1] == FOLD:
            loser = (len(self.line) - 1) % 2
        else:
            if UNSEEN in self.cards:
                raise GameError(f"nobody who sees only {self} can know who has won")
            worth = [(card == self.board, RANKS.index(card)) for card in self.cards]
            if worth[0] == worth[1]:
                return 0.0, 0.0
            loser = worth.index(min(worth))
        gain = float(paid[loser])
        return (-gain, gain) if loser == 0 else (gain, -gain)

    def seen(self, seat: int) -> Table:
        """The other's card covered; raises GameError where it is all that is seen."""
        if not self.cards:
            return self
        own = self._own(seat)
        return evolve(self, cards=own + UNSEEN if seat == 0 else UNSEEN + own)

    def determinize(self, rng: Any) -> Table:
        """Any of the cards that the seat to move does not see."""
        if self.turn < 0:
            return self
        own = self._own(self.turn)
        deck = sorted(left(own + self.board).elements())
        other = deck[int(rng.integers(len(deck)))]
        return evolve(self, cards=own + other if self.turn == 0 else other + own)

    def _own(self, seat: int) -> str:
        if self.cards[seat] == UNSEEN:
            raise GameError(f"{self} is the other seat's view; seat {seat}'s card is not in it")
        return self.cards[seat]

    def __str__(self) -> str:
        return " ".join((self.cards or "-", *self.first, *self.board, *self.second))


@frozen
class Leduc(Game[str]):
    """Six cards, two rounds of bets of 2 and 4, and a card on the table between them."""

    name = "two_rounds"

    @property
    def traits(self) -> frozenset[Trait]:
        """Two seats, cards dealt, one that is not seen."""
        return frozenset({Trait.DUEL, Trait.CHANCE, Trait.HIDDEN})

    def start(self, rng: Any = 0) -> Table:
        """Before the deal."""
        return Table()

    def parse(self, text: str) -> Table:
        """`KQ raise call J call`, `K?` where a card is not seen, `-` before the deal."""
        cards, *moves = text.split() or [""]
        whole = {a + b for a, b in product(RANKS + UNSEEN, repeat=2)} - {UNSEEN * 2}
        if text == "-":
            return Table()
        state = Table(cards)
        try:
            if cards not in whole:
                raise IllegalMove(f"{cards} are no two cards")
            for move in moves:
                state = state.after(move)
        except IllegalMove as wrong:
            raise BadNotation(f"{text!r} is no hand: {wrong}") from None
        return state


@frozen
class Coins(State[str]):
    """A record of what was done with a coin that grows when it is sent."""

    line: tuple[str, ...] = ()
    zero_sum = False
    largest = 4.0

    @property
    def turn(self) -> int:
        """Seat 0, then seat 1 if it was sent anything."""
        return len(self.line) if self.line in ((), ("send",)) else TERMINAL

    def moves(self) -> tuple[str, ...]:
        """Keep the coin or send it; share what has come, or take it."""
        return {(): ("keep", "send"), ("send",): ("share", "take")}.get(self.line, ())

    def after(self, move: str) -> Coins:
        """One move more."""
        if move not in self.moves():
            raise IllegalMove(f"{move} is not possible in {self}; it may be {self.moves()}")
        return Coins((*self.line, move))

    def payoff(self) -> tuple[float, float]:
        """A coin that is kept is one; one that was sent is four, for one or for both."""
        return {"keep": (1.0, 0.0), "send share": (2.0, 2.0), "send take": (0.0, 4.0)}[str(self)]

    def __str__(self) -> str:
        return " ".join(self.line) or "-"


@frozen
class Trust(Game[str]):
    """Two seats that can gain together; what one gains the other need not lose."""

    name = "trust"

    @property
    def traits(self) -> frozenset[Trait]:
        """No duel, no luck."""
        return frozenset()

    def start(self, rng: Any = 0) -> Coins:
        """Nothing done."""
        return Coins()

    def parse(self, text: str) -> Coins:
        """The moves, or `-`."""
        state = Coins()
        for move in text.replace("-", "").split():
            try:
                state = state.after(move)
            except IllegalMove as wrong:
                raise BadNotation(f"{text!r} is no game: {wrong}") from None
        return state


@frozen
class Whispers(Trust):
    """A game that is said to hide something: for objections alone."""

    name = "whispers"

    @property
    def traits(self) -> frozenset[Trait]:
        """No duel, and something hidden."""
        return frozenset({Trait.HIDDEN})


@frozen
class Shares(RecordGame):
    """Each of two seats takes one, two or three, twice; both are paid where they agree at last."""

    name = "shares"

    @property
    def traits(self) -> frozenset[Trait]:
        """No duel, no luck."""
        return frozenset()

    def rules(self) -> Rules:
        """A record of the last numbers taken, and the ply."""

        @rule
        def turn(s):
            return TERMINAL if s.ply == 4 else s.ply % 2

        @rule
        def moves(s, out):
            for i in range(3):
                out[i] = i + 1
            return 3

        @rule
        def play(s, number):
            s.taken[s.ply % 2] = number
            s.ply += 1

        @rule
        def payoff(s, seat):
            return s.taken[seat] if s.taken[0] == s.taken[1] else 0

        layout = [("taken", np.int8, 2), ("ply", np.int8)]
        return Rules(layout, moves, play, turn, payoff, width=3, plies=4, largest=3)


@frozen
class Tight(Search):
    """A player of Leduc that raises with a king or a pair, and folds anything else to a bet."""

    name = "tight"
    proves = False

    def improve(self, state: Any, limit: Any, rng: Any) -> Iterator[Result]:
        """One answer, from its own card and the board."""
        card, moves = state.cards[state.turn], state.moves()
        strong = card in ("K", state.board)
        wanted = RAISE if strong else FOLD
        yield Result(0.0, line=(wanted if wanted in moves else CALL,), nodes=1)


@hookimpl
def dragon_games() -> list[type[Game[Any]]]:
    """All of them."""
    return [Leduc, Trust, Whispers, Shares]


@hookimpl
def dragon_searches() -> list[type[Search]]:
    """The player."""
    return [Tight]
