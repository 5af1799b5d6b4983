"""Liar's dice: bid how many dice show a face, higher and higher, until one is doubted.

The rules are those of R. Neller and M. Lanctot, "An Introduction to Counterfactual Regret
Minimization" (2013), section 5, and of OpenSpiel: the highest face counts for any, in one round.
"""

from __future__ import annotations

from attrs import field
from attrs.validators import and_, ge, le

from dragon import CHANCE, TERMINAL, RecordGame, Rules, Trait, frozen, rule
from dragon.bits import draw
from dragon.rules.history import History


@frozen
class LiarsDice(RecordGame):
    """Everyone rolls in secret; bid what all dice show together, or call the other a liar.

    Each seat rolls its dice, which the other does not see. In turn they bid a number of dice and a
    face, each bid a higher number, or the same and a higher face. The highest face is wild: it
    counts for every one. Instead of a bid a seat may doubt the last one; if there are as many, the
    bidder wins, else the one who doubted.
    """

    name, title = "liars_dice", "Liar's dice"
    traits = frozenset({Trait.DUEL, Trait.CHANCE, Trait.HIDDEN})

    dice: int = field(default=1, validator=and_(ge(1), le(5)))
    """Dice of each seat."""
    faces: int = field(default=6, validator=and_(ge(2), le(6)))
    """Faces of a die; the highest is wild."""

    def rules(self):
        dice, faces, total = self.dice, self.faces, 2 * self.dice
        doubt = total * faces
        roll = doubt + 1
        unseen = roll + faces

        @rule
        def turn(s):
            if s.made < total:
                return CHANCE
            return TERMINAL if s.last > doubt else (s.made - total) % 2

        @rule
        def moves(s, out):
            if s.made < total:
                for face in range(faces):
                    out[face] = roll + face
                return faces
            n = 0
            for bid in range(s.last, doubt + int(s.last > 0)):
                out[n] = bid
                n += 1
            return n

        @rule
        def play(s, move):
            s.line[s.made] = move
            if s.made >= total:
                if move == doubt:
                    s.bid = s.last - 1
                s.last = move + 1
            s.made += 1

        @rule
        def payoff(s, seat):
            face, found = s.bid % faces, 0
            for i in range(total):
                shown = s.line[i] - roll
                found += int(shown == face or shown == faces - 1)
            bidder = (s.made - total) % 2
            gain = 1 if found > s.bid // faces else -1
            return gain if seat == bidder else -gain

        @rule
        def hide(s, seat):
            for i in range(dice):
                if s.made > dice * (1 - seat) + i:
                    s.line[dice * (1 - seat) + i] = unseen

        @rule
        def deal(s, seat, random):
            for i in range(dice):
                s.line[dice * (1 - seat) + i] = roll + draw(random, faces)

        bids = {n: f"{n // faces + 1}x{n % faces + 1}" for n in range(doubt)}
        rolls = {roll + face: f"roll{face + 1}" for face in range(faces)}
        plies = total + doubt + 1
        return Rules(
            [("line", "i1", (plies,)), ("made", "i1"), ("last", "i1"), ("bid", "i1")], moves, play,
            turn, payoff, width=doubt + 1, plies=plies, hide=hide, deal=deal,
            notation=History(bids | {doubt: "doubt"} | rolls, (turn, moves, play, hide), unseen,
                             ("first", "second")),
        )  # fmt: skip
