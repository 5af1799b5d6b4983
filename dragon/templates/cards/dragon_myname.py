"""MyName: two cards each of six, which the other does not see; the higher card takes the trick.

Seat 0 leads; the winner of the first trick leads to the second. Two tricks win.
"""

from attrs import evolve, field, frozen

from dragon import TERMINAL, BadNotation, Determinizable, Game, IllegalMove, Trait, hookimpl

DECK = "123456"
UNSEEN = "?"


def seats(played):
    """The seats of the four cards, as far as they are known from those `played`."""
    winner = int(played[1] > played[0]) if len(played) >= 2 else 0
    return (0, 1, winner, 1 - winner)


@frozen
class Table(Determinizable[str]):
    """The cards that each seat holds, `?` for one that is not seen, the cards played, the game."""

    hands: tuple[str, str]
    played: str = ""
    game: Game | None = field(default=None, eq=False, repr=False)

    @property
    def turn(self):
        """The seat whose card comes next."""
        return seats(self.played)[len(self.played)] if len(self.played) < 4 else TERMINAL

    def moves(self):
        """The cards in hand."""
        return () if self.turn == TERMINAL else tuple(self.hands[self.turn])

    def after(self, move):
        """The table with that card played."""
        if move not in self.moves():
            raise IllegalMove(f"{move} is not in hand at {self}; play one of {self.moves()}")
        hands = self._with(self.turn, self.hands[self.turn].replace(move, "", 1))
        return evolve(self, hands=hands, played=self.played + move)

    def payoff(self):
        """1 for both tricks, 0 for one."""
        first, second = (
            seats(self.played)[i + (self.played[i + 1] > self.played[i])] for i in (0, 2)
        )
        gain = 1.0 - first - second
        return gain, -gain

    def seen(self, seat):
        """The other hand covered."""
        return evolve(self, hands=self._with(1 - seat, UNSEEN * len(self.hands[1 - seat])))

    def determinize(self, rng):
        """The other hand dealt again, of the cards that the seat to move has not seen."""
        if self.turn == TERMINAL:
            return self
        own, other = self.hands[self.turn], self.hands[1 - self.turn]
        left = [card for card in DECK if card not in own + self.played]
        dealt = "".join(sorted(rng.choice(left, len(other), replace=False)))
        return evolve(self, hands=self._with(1 - self.turn, dealt))

    def _with(self, seat, hand):
        return (hand, self.hands[1]) if seat == 0 else (self.hands[0], hand)

    def __str__(self):
        """Return the text that `MyName.parse` reads."""
        return " ".join(cards or "-" for cards in (*self.hands, self.played))

    def picture(self):
        """A line for each hand, and the cards played."""
        named = zip(("seat 0", "seat 1", "played"), (*self.hands, self.played), strict=True)
        return "\n".join(f"{name}: {' '.join(cards) or '-'}" for name, cards in named)


@frozen
class MyName(Game[str]):
    """Two cards each of six; the higher card takes the trick, and two tricks win."""

    name = "myname"
    traits = frozenset({Trait.DUEL, Trait.HIDDEN})  # two seats, and cards that one does not see

    def start(self, rng=0):
        """Two cards each, as the seed deals them."""
        import numpy as np

        dealt = np.random.default_rng(rng).permutation(list(DECK))
        first, second = ("".join(sorted(dealt[i : i + 2])) for i in (0, 2))
        return Table((first, second), game=self)

    def parse(self, text):
        """`15 3 4`: seat 0 holds 1 and 5, seat 1 the 3, and the 4 has been played."""
        cards = ["" if word == "-" else word for word in text.split()]
        known = [card for card in "".join(cards) if card != UNSEEN]
        if len(cards) == 3 and len(known) == len({*known} & {*DECK}) and len(cards[2]) <= 4:
            first, second, played = cards
            gone = seats(played)[: len(played)]
            sizes = (2 - gone.count(0), 2 - gone.count(1))
            if UNSEEN not in played and (len(first), len(second)) == sizes:
                return Table((first, second), played, self)
        raise BadNotation(
            f"{text!r} is not a position; write both hands and the cards played, ? for a card not "
            "seen and - for none, such as '15 36 -' or '15 ?? -'"
        )


@hookimpl
def dragon_games():
    """Return the games of this plugin."""
    return [MyName]
