"""Kuhn poker as States in plain Python, beside which the one by Rules is held."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen

from dragon import (
    CHANCE,
    TERMINAL,
    BadNotation,
    Determinizable,
    Game,
    GameError,
    IllegalMove,
    State,
    Trait,
)

if TYPE_CHECKING:
    import numpy as np

DECK = "JQK"
"""The cards, from the lowest."""
DEALS = tuple(map("".join, permutations(DECK, 2)))
UNSEEN = "?"
PASS, BET = "pass", "bet"
LINES = {
    (): (PASS, BET), (PASS,): (PASS, BET), (BET,): (PASS, BET), (PASS, BET): (PASS, BET),
    (PASS, PASS): (), (PASS, BET, PASS): (), (PASS, BET, BET): (), (BET, PASS): (), (BET, BET): (),
}  # fmt: skip
"""The moves after each line: a bet is called by a bet, and a pass folds to it."""


@frozen
class Hand(Determinizable[str]):
    """Two cards, `?` for one that is not seen, and the line of passes and bets."""

    cards: str = ""
    line: tuple[str, ...] = ()
    game: PlainKuhn | None = field(default=None, eq=False, repr=False)
    largest = 2.0

    @property
    def turn(self) -> int:
        """CHANCE before the deal; then the seats take turns until the line is over."""
        if not self.cards:
            return CHANCE
        return len(self.line) % 2 if LINES[self.line] else TERMINAL

    def moves(self) -> tuple[str, ...]:
        """Return the six deals, or pass and bet."""
        return LINES[self.line] if self.cards else DEALS

    def after(self, move: str) -> Hand:
        """Return the hand dealt, or the line with one more word."""
        if move not in self.moves():
            raise IllegalMove(f"{move} is not possible in {self}; it may be {self.moves()}")
        if not self.cards:
            return type(self)(move, game=self.game)
        return type(self)(self.cards, (*self.line, move), self.game)

    def payoff(self) -> tuple[float, float]:
        """Return the payoff of ante 1 and bet 1: the higher card wins unless a seat folded."""
        if UNSEEN in self.cards:
            raise GameError(f"the winner is not known from {self} alone")
        match self.line:
            case (*_, "bet", "pass"):  # the seat that passed after a bet has lost the ante
                gain = -1.0 if len(self.line) == 3 else 1.0
            case line:
                higher = DECK.index(self.cards[0]) > DECK.index(self.cards[1])
                gain = (2.0 if BET in line else 1.0) * (1 if higher else -1)
        return gain, -gain

    def seen(self, seat: int) -> Hand:
        """Return the hand with the other card covered; raise GameError if its own is covered."""
        if not self.cards:
            return self
        self._own(seat)
        return evolve(self, cards="".join(c if i == seat else UNSEEN for i, c in
                                          enumerate(self.cards)))  # fmt: skip

    def determinize(self, rng: np.random.Generator) -> Hand:
        """Return the hand with a random one of the two cards that the mover does not hold."""
        if self.turn in (CHANCE, TERMINAL):
            return self
        own = self._own(self.turn)
        other = [card for card in DECK if card != own][int(rng.integers(2))]
        return evolve(self, cards=own + other if self.turn == 0 else other + own)

    def _own(self, seat: int) -> str:
        if self.cards[seat] == UNSEEN:
            raise GameError(f"{self} is the other seat's view; seat {seat}'s card is not in it")
        return self.cards[seat]

    def __str__(self) -> str:
        return " ".join((self.cards, *self.line)) or "-"


@frozen
class PlainKuhn(Game[str]):
    """Jack, queen, king: each has one card and has put in 1; bet 1 more, call, or give up.

    Each of two seats puts in 1 and gets one card. The first passes or bets 1 more. A bet is called
    by a bet or given up to by a pass; after a pass the second seat has the same choice. Then the
    higher card wins. Under best play the first seat loses 1/18 a game.
    """

    name = "plain_kuhn"
    traits = frozenset({Trait.DUEL, Trait.CHANCE, Trait.HIDDEN})

    def start(self, rng: Any = 0) -> State[str]:
        """Return the hand before the deal."""
        return Hand(game=self)

    def parse(self, text: str) -> Hand:
        """Read `KQ pass bet`, `K?` for a card that is not seen, `-` before the deal."""
        cards, *line = text.split() or [""]
        if [cards, *line] == ["-"]:
            return Hand(game=self)
        whole = {*DEALS, *(c + UNSEEN for c in DECK), *(UNSEEN + c for c in DECK)}
        if cards not in whole or tuple(line) not in LINES:
            raise BadNotation(
                f"{text!r} is not a hand; write two of J Q K, ? for one not seen, and the line so "
                "far, such as 'K? pass bet', or '-' before the deal"
            )
        return Hand(cards, tuple(line), self)
