"""Backgammon: two dice say how far men go; the first to bear all of them off wins.

Each side counts points its own way: 0 is the bar, 1 where men enter, 19 to 24 its home; point p of
one side is 25 - p of the other. A record has the men on each of them, and how many dice of each
number are still to be played. Each die is a move of its own.
"""

from __future__ import annotations

from itertools import product

from attrs import field
from attrs.validators import ge, le

from dragon import CHANCE, TERMINAL, BadNotation, RecordGame, Rules, Trait, frozen, rule
from dragon.boards.counts import Counts
from dragon.boards.squares import block, piles, showing
from dragon.protocols import Place, Sum
from dragon.rules.dice import roll_odds, roll_words, rolls

MEN, BAR, HOME, OFF = 15, 0, 19, 25
PASS, ROLLS = 6 * OFF, 6 * OFF + 1
"""Codes: 6 * point + die - 1; no move; and rolls."""
SEAT: dict[Place, int] = {("seat", ()): 1}
START = {1: 2, 12: 5, 17: 3, 19: 5}


def words():
    """The codes of moves: `13/8`, `bar/20`, `6/off`; `4/off:6` by more than it takes."""
    found = {"pass": PASS, **roll_words(ROLLS)}
    for at, die in product(range(OFF), range(1, 7)):
        text = f"{OFF - at if at else 'bar'}/{max(0, OFF - at - die) or 'off'}"
        code = 6 * at + die - 1
        if at + die <= OFF:
            found[text] = code
        found[f"{text}:{die}"] = code
    return found


def squares():
    """The points, named from the mover's end; bars, and men borne off; dice that are left."""
    shapes, said = piles(MEN)
    text = {n: str(n or ".") for n in said}
    for p in range(1, OFF):
        number: dict[Place, int] = {("men", (0, OFF - p)): 1, ("men", (1, p)): -1}
        name = Sum(SEAT, {0: str(p), 1: str(OFF - p)})
        yield showing(int(p < 13), p - 12 if p > 12 else 13 - p, number, shapes, said, name, text)
    for seat, sign in ((0, 1), (1, -1)):
        bar, off = (Sum(SEAT, {seat: word}) for word in ("bar", "off"))
        yield showing(1 - seat, 0, {("men", (seat, BAR)): sign}, shapes, said, bar, text)
        left: dict[Place, int] = {("men", (seat, p)): -sign for p in range(OFF)}
        gone = [{n - sign * MEN: each[n] for n in each} for each in (shapes, said, text)]
        yield showing(1 - seat, 13, left, gone[0], gone[1], off, gone[2])
    for die in range(1, 7):
        dice = {n: block("#fdfcf9", 36, " ".join([str(die)] * n)) for n in range(1, 5)}
        said = {n: f"{n} of die {die}" for n in dice}
        yield showing(2, 3 + die, {("dice", (die - 1,)): 1}, dice, said)


def settle(s):
    """Refuses what cannot arise."""
    ours, theirs = s.men
    if max(sum(ours), sum(theirs)) > MEN or (ours[1:] * theirs[:0:-1]).any():
        raise BadNotation(f"a side has at most {MEN} men, and no point has men of both")
    if sum(s.dice) > 4:
        raise BadNotation("at most four dice are to be played")


@rule
def can(men, other, at, die):
    """Whether a man may go from a point."""
    if not men[at] or (men[BAR] and at):
        return False
    if at + die < OFF:
        return other[OFF - at - die] < 2
    return sum(men[: at if at + die > OFF else HOME]) == 0


@rule
def shift(men, dice, at, die, times):
    """Moves a man by a die that is left; -1 times takes it back."""
    dice[die - 1] -= times
    men[at] -= times
    if at + die < OFF:
        men[at + die] += times


@rule
def longest(men, other, dice, left):
    """How many of the dice that are left can be played one after another."""
    most = 0
    for die in range(1, 7):
        for at in range(OFF if dice[die - 1] and most < left else 0):
            if most < left and can(men, other, at, die):
                shift(men, dice, at, die, 1)
                most = max(most, 1 + longest(men, other, dice, left - 1))
                shift(men, dice, at, die, -1)
    return most


@rule
def odds(s, out):
    roll_odds(out, s.ply > 0)


@rule
def play(s, move):
    seat, at, die = s.seat, move // 6, move % 6 + 1
    if move >= ROLLS:
        low, high = (move - ROLLS) // 6, (move - ROLLS) % 6
        s.dice[low] += 1 + int(low == high)
        s.dice[high] += 1 + int(low == high)
    elif move == PASS:
        s.dice[:] = 0
    else:
        shift(s.men[seat], s.dice, at, die, 1)
        if at + die < OFF:
            s.men[1 - seat, BAR] += s.men[1 - seat, OFF - at - die]
            s.men[1 - seat, OFF - at - die] = 0
    s.ply += 1
    if not sum(s.dice):
        s.seat = 1 - seat


@rule
def evaluate(s, seat):
    """Who has less far to go."""
    far = 0
    for at in range(OFF):
        far += (OFF - at) * (s.men[1, at] - s.men[0, at])
    guess = far / (abs(far) + 100.0)
    return -guess if seat else guess


@frozen
class Backgammon(RecordGame):
    """Bring all men home by the dice, and bear them off before the other side does.

    The side to move rolls two dice and moves a man for each, or four times for doubles, to a point
    where the other side has at most one man, which is hit and must enter again from the bar first.
    As many dice must be played as can be, and the greater where it is one of two. Men are borne off
    when all are at home. The payoff is 1, 2 if the other side has borne off none (a gammon), 3 if
    besides it has a man on the bar or in the winner's home (a backgammon). There is no doubling.
    """

    name = "backgammon"
    traits = frozenset({Trait.DUEL, Trait.CHANCE, Trait.REPETITION})
    limit: int = field(default=10_000, validator=[ge(1), le(1_000_000)])
    """Rolls and moves after which the game is drawn."""

    def rules(self):
        import numpy as np

        limit = self.limit

        @rule
        def turn(s):
            if not sum(s.men[0]) or not sum(s.men[1]) or s.ply >= limit:
                return TERMINAL
            return s.seat if sum(s.dice) else CHANCE

        @rule
        def moves(s, out):
            left, n = sum(s.dice), 0
            if left == 0:  # the first roll of a game is no double
                return rolls(out, ROLLS, s.ply > 0)
            men, dice = np.zeros((1, OFF), np.int64), np.zeros((1, 6), np.int64)
            men[0] = s.men[s.seat]
            dice[0] = s.dice
            other, best = s.men[1 - s.seat], longest(men[0], s.men[1 - s.seat], dice[0], left)
            for die in range(6, 0, -1):
                for at in range(OFF if dice[0, die - 1] and (best > 1 or n == 0) else 0):
                    if can(men[0], other, at, die):
                        shift(men[0], dice[0], at, die, 1)
                        if 1 + longest(men[0], other, dice[0], left - 1) == best:
                            out[n] = 6 * at + die - 1
                            n += 1
                        shift(men[0], dice[0], at, die, -1)
            out[n] = PASS
            return max(n, 1)

        @rule
        def payoff(s, seat):
            if sum(s.men[0]) and sum(s.men[1]):
                return 0
            loser, units = int(sum(s.men[0]) == 0), 1
            if sum(s.men[loser]) == MEN:
                units = 3 if sum(s.men[loser, : OFF - HOME + 1]) else 2
            return -units if seat == loser else units

        layout = [("men", "i8", (2, OFF)), ("dice", "i8", (6,)), ("seat", "i8"), ("ply", "i8")]
        notation = Counts(
            3, 14, tuple(squares()), words=words(), seat_names=("Black", "White"), named=True,
            wide=4, limits={"men": MEN, "dice": 4, "seat": 1, "ply": 1 << 20}, settle=settle,
        )  # fmt: skip
        return Rules(
            layout, moves, play, turn, payoff, width=50, plies=limit, largest=3, odds=odds,
            evaluate=evaluate, notation=notation,
        )  # fmt: skip

    def setup(self, record):
        for point, men in START.items():
            record.men[:, point] = men
