"""Backgammon against plays that are listed by trying every order of the dice."""

from __future__ import annotations

import random

import pytest

import dragon
from dragon import CHANCE, TERMINAL, BadNotation, State
from dragon.boards.clicks import next_clicks

GAME = dragon.game("backgammon")
Position = tuple[tuple[int, ...], tuple[int, ...]]
"""The men of the mover and of the other side, each on its own points."""


def test_the_limit_lets_a_turn_end() -> None:
    """The last man is borne off by the second die, which comes after the limit."""
    game = dragon.game("backgammon(limit=10)")
    men = ["0"] * 50
    men[24], men[23], men[25 + 24] = "1", "1", "1"
    state = game.parse(f"men={','.join(men)} dice=1,1,0,0,0,0 seat=0 ply=9")
    for _ in range(2):
        assert state.turn == 0
        state = state.after(state.moves()[0])
    assert (state.view.ply, state.turn) == (11, TERMINAL)
    assert state.payoff() == (1, -1)
    men[2] = "1"
    late = game.parse(f"men={','.join(men)} dice=1,1,0,0,0,0 seat=0 ply=9")
    for _ in range(2):
        assert late.turn == 0
        late = late.after(late.moves()[0])
    assert (late.turn, late.payoff()) == (TERMINAL, (0, 0))


def steps(men: tuple[int, ...], other: tuple[int, ...], die: int) -> list[Position]:
    """Give the points where one die may lead; by what backgammon's books say."""
    found = []
    for at in [0] if men[0] else [at for at in range(1, 25) if men[at]]:
        to = at + die
        if to < 25:
            if other[25 - to] > 1:
                continue
        elif sum(men[:19]) or (to > 25 and sum(men[:at])):
            continue
        mine, theirs = list(men), list(other)
        mine[at] -= 1
        if to < 25:
            mine[to] += 1
            theirs[0] += theirs[25 - to]
            theirs[25 - to] = 0
        found.append((tuple(mine), tuple(theirs)))
    return found


def plays(here: Position, dice: tuple[int, ...]) -> set[tuple[tuple[int, ...], Position]]:
    """The dice that a turn plays, and what it leads to, before the longest are chosen."""
    found = {((), here)}
    for i, die in enumerate(dice):
        if die in dice[:i]:
            continue
        for after in steps(*here, die):
            rest = dice[:i] + dice[i + 1 :]
            found |= {((die, *used), end) for used, end in plays(after, rest)}
    return found


def expected(here: Position, dice: tuple[int, ...]) -> set[Position]:
    """Give all results of a turn: as many dice as can be, and of one the greater."""
    found = plays(here, dice)
    most = max(len(used) for used, _ in found)
    longest = [(used, end) for used, end in found if len(used) == most]
    if most == 1:
        greatest = max(used for used, _ in longest)
        longest = [(used, end) for used, end in longest if used == greatest]
    return {end for _, end in longest}


def reached(state: State[str], seat: int) -> set[Position]:
    """Give what the rules lead to."""
    if state.turn != seat:
        men = [tuple(side) for side in state.record.men.tolist()]
        return {(men[seat], men[1 - seat])}
    return set().union(*(reached(state.after(move), seat) for move in state.moves()))


@pytest.mark.parametrize("seed", [1, 2])
def test_a_turn_leads_where_books_say(seed: int) -> None:
    dice, state = random.Random(seed), GAME.start()
    while state.turn != TERMINAL:
        if state.turn == CHANCE:
            roll = dice.choice(state.moves())
            high, low = int(roll[4]), int(roll[6])
            numbers = (high,) * 4 if high == low else (high, low)
            seat, state = int(state.record.seat), state.after(roll)
            if high != low or dice.random() < 0.1:
                men = [tuple(side) for side in state.record.men.tolist()]
                assert reached(state, seat) == expected((men[seat], men[1 - seat]), numbers)
        else:
            state = state.after(dice.choice(state.moves()))
    assert abs(state.payoff()[0]) in (1, 2, 3)


def test_the_first_roll_is_no_double_and_the_others_are_as_dice_fall() -> None:
    first = GAME.start()
    assert len(first.moves()) == 15
    assert first.odds() == pytest.approx([1 / 15] * 15)
    later = first.after("roll6-5").after("24/18").after("18/13")
    odds = dict(zip(later.moves(), later.odds(), strict=True))
    assert len(odds) == 21
    assert (odds["roll6-6"], odds["roll6-5"]) == pytest.approx((1 / 36, 2 / 36))


def position(own: dict[int, int], other: dict[int, int], dice: dict[int, int]) -> State[str]:
    """Men by the points of each side from its own end, as players count them."""
    sides = [[side.get(25 - at if at else 25, 0) for at in range(25)] for side in (own, other)]
    men = ",".join(str(n) for side in sides for n in side)
    return GAME.parse(f"men={men} dice={','.join(str(dice.get(n, 0)) for n in range(1, 7))} "
                      "seat=0 ply=9")  # fmt: skip


def test_the_greater_die_is_played_where_only_one_can_be() -> None:
    state = position({24: 1, 1: 14}, {20: 0, 12: 2, 13: 2, 11: 11}, {6: 1, 5: 1})
    assert set(state.moves()) <= {"24/18"}


@pytest.mark.parametrize(
    ("other", "units"),
    [({6: 14}, 1), ({12: 15}, 2), ({23: 1, 12: 14}, 3), ({25: 1, 12: 14}, 3), ({19: 15}, 3)],
)
def test_the_payoff_counts_what_the_other_side_has_left(other: dict[int, int], units: int) -> None:
    state = position({1: 1}, other, {3: 1})
    after = state.after("1/off:3")
    assert (after.turn, after.payoff()) == (TERMINAL, (units, -units))


def test_a_position_that_cannot_be_is_refused() -> None:
    with pytest.raises(BadNotation, match="men is from 0 to 15"):
        position({24: 16}, {}, {})
    with pytest.raises(BadNotation, match="at most 15 men"):
        position({24: 9, 1: 9}, {}, {})
    with pytest.raises(BadNotation, match="dice is from 0 to 4"):
        position({1: 1}, {1: 1}, {1: (1 << 63) - 1, 2: 1})
    with pytest.raises(BadNotation, match="four dice"):
        position({1: 1}, {1: 1}, {1: 4, 2: 1})
    with pytest.raises(BadNotation, match="men of both"):
        position({24: 1}, {1: 1}, {})


def test_a_move_is_made_by_clicks() -> None:
    state = GAME.start().after("roll3-1")
    assert set(next_clicks(GAME, state).cells) == {"24", "13", "8", "6"}
    assert next_clicks(GAME, state, ("8", "5")).move == "8/5"
    assert 'data-cell="24" aria-label="2 black"' in state.svg()
