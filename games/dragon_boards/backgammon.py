"""Backgammon: two dice decide the steps of men; the first to bear all of them off wins.

Each side counts points its own way: 0 is the bar, 1 where men enter, 19 to 24 its home; point p of
one side is 25 - p of the other. Each die is a move of its own; `dragon.boards.track` has the codes.
"""

from __future__ import annotations

from attrs import field
from attrs.validators import ge, le

from dragon import CHANCE, TERMINAL, RecordGame, Rules, Trait, frozen, rule
from dragon.boards.track import Track, add_roll, roll_odds, rolls

MEN, BAR, HOME = 15, 0, 19
TRACK = Track(24, MEN)
OFF, PASS, ROLLS = TRACK.off, TRACK.passes, TRACK.rolls
START = {1: 2, 12: 5, 17: 3, 19: 5}


@rule
def can(men, other, at, die):
    """Return True if a man may move from a point by a die."""
    if not men[at] or (men[BAR] and at):
        return False
    if at + die < OFF:
        return other[OFF - at - die] < 2
    return sum(men[: at if at + die > OFF else HOME]) == 0


@rule
def shift(men, dice, at, die, times):
    """Move a man by a die that is left; -1 times takes it back."""
    dice[die - 1] -= times
    men[at] -= times
    if at + die < OFF:
        men[at + die] += times


@rule
def longest(men, other, dice, left):
    """Return the number of the remaining dice that can be played one after another."""
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
        add_roll(s.dice, move - ROLLS)
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
    """Evaluate by pip count: the side with the lower count leads."""
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
    As many dice as possible must be played, and the greater one if only one can. Men are borne off
    when all are at home. The payoff is 1, 2 if the other side has borne off none (a gammon), 3 if
    it also has a man on the bar or in the winner's home (a backgammon). Stakes are not doubled.
    """

    name = "backgammon"
    traits = frozenset({Trait.DUEL, Trait.CHANCE, Trait.REPETITION})
    limit: int = field(default=10_000, validator=[ge(1), le(1_000_000)])
    """The number of rolls and moves after which the game is drawn."""

    def rules(self):
        import numpy as np

        from dragon_boards.forms.gammon import notation_on

        limit = self.limit

        @rule
        def turn(s):
            left = sum(s.dice)  # a turn that has begun is played to its end
            over = not sum(s.men[0]) or not sum(s.men[1]) or (s.ply >= limit and not left)
            return TERMINAL if over else s.seat if left else CHANCE

        @rule
        def moves(s, out):
            left, n = sum(s.dice), 0
            if left == 0:  # the first roll of a game is not a double
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

        return Rules(TRACK.layout, moves, play, turn, payoff, width=50, plies=limit + 4, largest=3,
                     odds=odds, evaluate=evaluate, notation=notation_on(TRACK))  # fmt: skip

    def setup(self, record):
        for point, men in START.items():
            record.men[:, point] = men
