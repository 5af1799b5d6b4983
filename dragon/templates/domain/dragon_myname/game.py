"""The game: buyers come one by one, each with a price; sell, or wait for the next one.

A State in plain Python, for one seat and chance. A position is written as four numbers.
"""

from attrs import evolve, field, frozen

from dragon import CHANCE, TERMINAL, BadNotation, Game, IllegalMove, State, Trait
from dragon.page import whole


@frozen
class Stall(State[str]):
    """A stall: buyers to come, goods for sale, the price offered (0: none yet), money earned."""

    game: "MyName" = field(repr=False)
    buyers: int
    goods: int
    price: int = 0
    earned: int = 0

    teams = (0,)

    @property
    def largest(self):
        """The most that can be earned."""
        return float(self.game.goods * self.game.highest)

    @property
    def turn(self):
        """Seat 0 where a price is offered, chance where the next buyer comes."""
        if self.price:
            return 0
        return CHANCE if self.buyers and self.goods else TERMINAL

    def moves(self):
        """The prices that the next buyer may offer, each as likely; or to sell, and to wait."""
        if self.turn == CHANCE:
            return tuple(map(str, range(1, self.game.highest + 1)))
        return ("sell", "wait") if self.price else ()

    def after(self, move):
        """The stall after that."""
        if move not in self.moves():
            raise IllegalMove(f"{move} is not possible at {self}; take one of {self.moves()}")
        if not self.price:
            return evolve(self, price=int(move), buyers=self.buyers - 1)
        if move == "wait":
            return evolve(self, price=0)
        return evolve(self, price=0, goods=self.goods - 1, earned=self.earned + self.price)

    def payoff(self):
        """The money earned."""
        return (float(self.earned),)

    def __str__(self):
        """Return the text that `MyName.parse` reads."""
        return f"{self.buyers} {self.goods} {self.price} {self.earned}"

    def picture(self):
        """A line for the goods, and one for the price that is offered."""
        offer = f"{self.price} is offered" if self.price else "no offer"
        return f"{'o' * self.goods or '-'}  {self.earned} earned\n{offer}, {self.buyers} to come"


@frozen
class MyName(Game[str]):
    """Buyers come one by one, each with a price: sell, or wait for the next one.

    Each price from 1 to the highest is as likely. What is left at the end is worth nothing.
    """

    name = "myname"
    teams = (0,)
    traits = frozenset({Trait.SOLO, Trait.CHANCE})
    buyers: int = whole(4, least=1, most=1000)
    """The number of buyers."""
    goods: int = whole(2, least=1, most=20)
    """The number of things for sale."""
    highest: int = whole(6, least=1, most=1000)
    """The highest price."""

    def start(self, rng=0):
        """All goods are there, and the first buyer is to come."""
        return Stall(self, self.buyers, self.goods)

    def parse(self, text):
        """`2 1 5 6`: two buyers to come, one thing for sale, 5 offered, 6 earned."""
        words = text.split()
        if len(words) != 4 or not all(word.isdecimal() and len(word) < 6 for word in words):
            raise BadNotation(
                f"{text!r} is not a position; write one like '2 1 5 6' (buyers to come, goods, "
                "price offered, money earned)"
            )
        buyers, goods, price, earned = map(int, words)
        if buyers > self.buyers or goods > self.goods or price > self.highest:
            raise BadNotation(f"{text!r} has more of something than {self}")
        if price and not goods:
            raise BadNotation(f"{text!r} has an offer, and nothing to sell; write 0 for the price")
        return Stall(self, buyers, goods, price, earned)
