"""Goofspiel, the game of pure strategy: bid your cards for prizes, all at once.

S. M. Ross, "Goofspiel - The Game of Pure Strategy" (Journal of Applied Probability 8, 1971).
"""

from __future__ import annotations

from attrs import field
from attrs.validators import and_, ge, in_, le

from dragon import CHANCE, TERMINAL, RecordGame, Rules, Trait, frozen, rule
from dragon.bits import bit, draw, has, popcount, select, u64
from dragon.rules.history import History

LEFT, RIGHT = 0, 1


@frozen
class Goofspiel(RecordGame):
    """Both hold the same cards; each turn the higher bid takes a prize, whatever it cost.

    Each seat has the cards 1 to n, and there are n prizes, worth 1 to n. A prize is shown, both
    seats choose a card in secret and show them, and the higher one takes the prize; equal cards
    take it from both. Cards that were bid are gone. More points at the end win.
    """

    name = "goofspiel"
    traits = frozenset({Trait.DUEL, Trait.CHANCE, Trait.HIDDEN})

    cards: int = field(default=4, validator=and_(ge(2), le(13)))
    """Cards of each seat, and prizes."""
    prizes: str = field(default="shuffled", validator=in_(("shuffled", "rising", "falling")))
    """The order of the prizes."""

    def rules(self):
        n, shuffled, falling = self.cards, self.prizes == "shuffled", self.prizes == "falling"
        full, prize = u64((1 << n) - 1), n
        unseen = 2 * n

        @rule
        def turn(s):
            if s.made == 3 * n:
                return TERMINAL
            return CHANCE if s.made % 3 == 0 else s.made % 3 - 1

        @rule
        def moves(s, out):
            stage = s.made % 3
            if stage == 0 and not shuffled:
                out[0] = prize + (n - 1 - s.made // 3 if falling else s.made // 3)
                return 1
            left = full & ~(s.shown if stage == 0 else s.spent[stage - 1])
            count = 0
            for card in range(n):
                if has(left, card):
                    out[count] = card + (prize if stage == 0 else 0)
                    count += 1
            return count

        @rule
        def play(s, move):
            stage = s.made % 3
            s.line[s.made] = move
            s.made += 1
            if stage == 0:
                s.shown |= bit(move - prize)
            elif stage == 1:
                s.pending = move
            else:
                first = s.pending
                s.spent[0] |= bit(first)
                s.spent[1] |= bit(move)
                worth = s.line[s.made - 3] - prize + 1
                s.points[0] += worth * int(first > move)
                s.points[1] += worth * int(move > first)
                s.pending = 0

        @rule
        def payoff(s, seat):
            mine, theirs = s.points[seat], s.points[1 - seat]
            return int(mine > theirs) - int(mine < theirs)

        @rule
        def hide(s, seat):
            if s.made % 3 == 2 and seat == RIGHT:
                s.line[s.made - 1] = unseen
                s.pending = unseen

        @rule
        def deal(s, seat, random):
            if s.made % 3 == 2 and seat == RIGHT:
                left = full & ~s.spent[LEFT]
                s.pending = select(left, draw(random, popcount(left)))
                s.line[s.made - 1] = s.pending

        words = {card: str(card + 1) for card in range(n)}
        words |= {prize + card: f"prize{card + 1}" for card in range(n)}
        layout = [("shown", "u8"), ("spent", "u8", (2,)), ("line", "i1", (3 * n,)), ("made", "i1"),
                  ("pending", "i1"), ("points", "i1", (2,))]  # fmt: skip
        return Rules(
            layout, moves, play, turn, payoff, width=n, plies=3 * n, hide=hide, deal=deal,
            notation=History(words, (turn, moves, play, hide), unseen, ("first", "second")),
        )  # fmt: skip
