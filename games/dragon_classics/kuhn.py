"""Kuhn poker: three cards, one bet, and the smallest game in which bluffing pays.

H. W. Kuhn, "A Simplified Two-Person Poker", Contributions to the Theory of Games I (1950).
The first seat loses 1/18 a game under best play by both.
"""

from __future__ import annotations

from dragon import CHANCE, TERMINAL, RecordGame, Rules, Trait, frozen, rule
from dragon.bits import draw
from dragon.rules.history import History

DECK, UNSEEN = "JQK", "?"
"""The cards, from the lowest, and one that is not seen."""
PASS, BET, DEALT = 0, 1, 2
"""Codes of moves; from DEALT on, those of two cards, the last digit the second seat's."""
COVERED = 3
"""The digit of a card that is not seen."""


@frozen
class Kuhn(RecordGame):
    """Jack, queen, king: each has one card and has put in 1; bet 1 more, call, or give up.

    Each of two seats puts in 1 and gets one card. The first passes or bets 1 more. A bet is called
    by a bet or given up to by a pass; after a pass the second seat has the same choice. Then the
    higher card wins. Under best play the first seat loses 1/18 a game.
    """

    name, title = "kuhn", "Kuhn poker"
    traits = frozenset({Trait.DUEL, Trait.CHANCE, Trait.HIDDEN})

    def rules(self):
        @rule
        def turn(s):
            if s.made == 0:
                return CHANCE
            answered = s.made == 3 and s.line[1] == PASS and s.line[2] == BET
            return (s.made - 1) % 2 if s.made < 3 or answered else TERMINAL

        @rule
        def moves(s, out):
            if s.made > 0:
                out[0], out[1] = PASS, BET
                return 2
            n = 0
            for first in range(3):
                for second in range(3):
                    if first != second:
                        out[n] = DEALT + 4 * first + second
                        n += 1
            return n

        @rule
        def play(s, move):
            s.line[s.made] = move
            s.made += 1

        @rule
        def card(s, seat):
            cards = s.line[0] - DEALT
            return cards // 4 if seat == 0 else cards % 4

        @rule
        def payoff(s, seat):
            before, last = s.line[s.made - 2], s.line[s.made - 1]
            wins = card(s, seat) > card(s, 1 - seat)
            if before == BET and last == PASS:  # the side that passes has lost its ante
                wins = seat != s.made % 2
            return (1 if wins else -1) * (2 if last == BET else 1)

        @rule
        def hide(s, seat):
            if s.made > 0:
                own = card(s, seat)
                s.line[0] = DEALT + (4 * own + COVERED if seat == 0 else 4 * COVERED + own)

        @rule
        def deal(s, seat, random):
            other = (card(s, seat) + 1 + draw(random, 2)) % 3
            own = card(s, seat)
            s.line[0] = DEALT + (4 * own + other if seat == 0 else 4 * other + own)

        cards = {DEALT + 4 * i + j: a + b for i, a in enumerate(DECK + UNSEEN)
                 for j, b in enumerate(DECK + UNSEEN) if i != j or i == COVERED}  # fmt: skip
        unseen = {code: text for code, text in cards.items() if UNSEEN in text}
        words = {PASS: "pass", BET: "bet"} | {c: t for c, t in cards.items() if c not in unseen}
        return Rules(
            [("line", "i1", (4,)), ("made", "i1")], moves, play, turn, payoff, width=6, plies=4,
            largest=2, hide=hide, deal=deal,
            notation=History(words, (turn, moves, play, hide), unseen, ("first", "second")),
        )  # fmt: skip
