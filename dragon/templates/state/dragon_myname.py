"""MyName: two piles; take any number from one, or as many from both. Taking the last wins.

Wythoff's game, as a State in plain Python: four methods, its notation, and its picture.
"""

from attrs import evolve, field, frozen
from attrs.validators import ge

from dragon import TERMINAL, BadNotation, Game, IllegalMove, State, hookimpl


@frozen
class Piles(State[str]):
    """The rest of both piles, the seat to move, and the game, which searches ask for."""

    left: tuple[int, int]
    mover: int = 0
    game: Game | None = field(default=None, eq=False, repr=False)

    @property
    def turn(self):
        """The mover, until nothing is left."""
        return self.mover if any(self.left) else TERMINAL

    def moves(self):
        """`a2` takes two from the first pile, `b2` from the second, `ab2` from both."""
        a, b = self.left
        most = {"a": a, "b": b, "ab": min(a, b)}
        return tuple(f"{piles}{n}" for piles, least in most.items() for n in range(1, least + 1))

    def after(self, move):
        """The piles without what was taken."""
        if move not in self.moves():
            raise IllegalMove(f"{move} is not possible at {self}; take one of {self.moves()}")
        piles = move.rstrip("0123456789")
        taken = int(move.removeprefix(piles))
        a, b = self.left
        left = a - taken * ("a" in piles), b - taken * ("b" in piles)
        return evolve(self, left=left, mover=1 - self.mover)

    def payoff(self):
        """The seat to move has lost."""
        return (-1.0, 1.0) if self.mover == 0 else (1.0, -1.0)

    def __str__(self):
        """Return the text that `MyName.parse` reads."""
        return "{} {} {}".format(*self.left, "AB"[self.mover])

    def picture(self):
        """A row of stones for each pile."""
        return "\n".join(f"{name}  {'o' * n}" for name, n in zip("ab", self.left, strict=True))


@frozen
class MyName(Game[str]):
    """Two piles: take any number from one, or as many from both; taking the last wins."""

    name = "myname"
    first: int = field(default=4, validator=ge(0))
    second: int = field(default=7, validator=ge(0))

    def start(self, rng=0):
        """Both piles, A to move."""
        return Piles((self.first, self.second), game=self)

    def parse(self, text):
        """`4 7 A`: four and seven left, A to move."""
        match text.split():
            case [a, b, ("A" | "B") as mover] if a.isdecimal() and b.isdecimal():
                return Piles((int(a), int(b)), "AB".index(mover), self)
        raise BadNotation(f"{text!r} is not a position; write one like '4 7 A' (piles, mover)")


@hookimpl
def dragon_games():
    """Return the games of this plugin."""
    return [MyName]
