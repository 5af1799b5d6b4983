"""Leduc poker: a card each, a round of bets, a card for both, and a round of twice the bets.

F. Southey and others, "Bayes' Bluff: Opponent Modelling in Poker" (UAI 2005). At its defaults the
first seat loses 0.085606424078 a game under best play by both.
"""

from __future__ import annotations

from attrs import field
from attrs.validators import and_, ge, le

from dragon import CHANCE, TERMINAL, RecordGame, Rules, Trait, frozen, rule
from dragon.bits import draw
from dragon.rules.history import History

RANKS, SUITS, SEATS = "23456789TJQKA", "shdc", ("first", "second")
FOLD, CALL, RAISE, DECK = range(4)  # codes of moves; from DECK on, those of cards
ANTE, SMALL, BIG = 1, 2, 4  # a raise is SMALL in the first round and BIG in the second


@frozen
class Leduc(RecordGame):
    """A card each, bets, a card for both that may pair yours, and bets once more.

    Each seat puts in 1 and gets a card. They call or raise in turn, or fold after a raise; when
    both have acted and put in as much, a card is laid open, and they bet again. A raise is 2 in the
    first round, 4 in the second. A card that pairs the open one wins, else the higher rank; equal
    ranks share.
    """

    name, title = "leduc", "Leduc poker"
    traits = frozenset({Trait.DUEL, Trait.CHANCE, Trait.HIDDEN})

    suits: int = field(default=2, validator=and_(ge(1), le(4)))
    """Cards of each rank."""
    ranks: int = field(default=3, validator=and_(ge(3), le(13)))
    """Ranks, from the king down; aces only where there are 13."""
    raises: int = field(default=2, validator=and_(ge(1), le(4)))
    """The most raises in a round."""

    def rules(self):
        cards, most, suits = self.suits * self.ranks, self.raises, self.suits
        unseen, plies = DECK + cards, 3 + 2 * (most + 2)

        @rule
        def turn(s):
            return TERMINAL if s.over else CHANCE if s.made < 2 or s.calls == 2 else s.seat

        @rule
        def moves(s, out):
            n = 0
            if turn(s) == CHANCE:
                for card in range(DECK, unseen):
                    if s.line[0] != card and (s.made < 2 or s.line[1] != card):
                        out[n] = card
                        n += 1
                return n
            for act in range(FOLD if s.paid[0] != s.paid[1] else CALL, RAISE + (s.raised < most)):
                out[n] = act
                n += 1
            return n

        @rule
        def play(s, move):
            s.line[s.made] = move
            s.made += 1
            if s.made <= 2 or s.calls == 2:
                s.open = move if s.made > 2 else 0
                s.calls = s.raised = s.seat = 0
                return
            if move != FOLD:
                s.paid[s.seat] = s.paid[1 - s.seat] + (move == RAISE) * (BIG if s.open else SMALL)
                s.calls = s.calls + 1 if move == CALL else 1
                s.raised += move == RAISE
            s.over = int(move == FOLD or (s.open > 0 and s.calls == 2))
            s.seat = 1 - s.seat

        @rule
        def strength(s, seat):
            rank = (s.line[seat] - DECK) // suits
            return rank + cards * (rank == (s.open - DECK) // suits)

        @rule
        def payoff(s, seat):
            better = strength(s, seat) - strength(s, 1 - seat)
            if s.calls < 2:  # the other than the seat that would move has folded
                better = 1 if s.seat == seat else -1
            gain = ANTE + s.paid[1 - seat] if better > 0 else -ANTE - s.paid[seat]
            return gain if better else 0

        @rule
        def hide(s, seat):
            if s.made > 1 - seat:
                s.line[1 - seat] = unseen

        @rule
        def deal(s, seat, random):
            s.line[1 - seat] = s.line[seat]
            while s.line[1 - seat] == s.line[seat] or s.line[1 - seat] == s.open:
                s.line[1 - seat] = DECK + draw(random, cards)

        ranks = (RANKS if self.ranks == 13 else RANKS[:-1])[-self.ranks :]
        names = [rank + suit for rank in ranks for suit in SUITS[:suits]]
        words = dict(enumerate(("fold", "call", "raise", *names)))
        fields = [(name, "i1") for name in ("made", "open", "seat", "calls", "raised", "over")]
        return Rules(
            [("line", "i1", (plies,)), ("paid", "i1", (2,)), *fields], moves, play, turn, payoff,
            width=max(cards, 3), plies=plies, largest=ANTE + most * (SMALL + BIG), hide=hide,
            deal=deal, notation=History(words, (turn, moves, play, hide), unseen, SEATS),
        )  # fmt: skip
