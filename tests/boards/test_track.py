"""Tracks of points, by a race of three men on twelve: one point holds men of one side only."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from dragon import CHANCE, TERMINAL, BadNotation, PluginError, RecordGame, Rules, Trait, rule
from dragon.boards.clicks import next_clicks
from dragon.boards.track import Track, add_roll, roll_odds, rolls
from dragon.laws import GAME_LAWS

TRACK = Track(12, 3)
OFF, PASS, ROLLS, LONGEST = TRACK.off, TRACK.passes, TRACK.rolls, 300


class Race(RecordGame):
    """The side that first has all men off wins."""

    name = "race"
    traits = frozenset({Trait.DUEL, Trait.CHANCE})

    def rules(self) -> Rules:
        @rule
        def turn(s: Any) -> int:
            if s.ply == LONGEST or not sum(s.men[0]) or not sum(s.men[1]):
                return TERMINAL
            return s.seat if sum(s.dice) else CHANCE

        @rule
        def moves(s: Any, out: Any) -> int:
            n = 0
            if not sum(s.dice):
                return rolls(out, ROLLS, True)
            for at in range(OFF):
                for die in range(1, 7):
                    free = at + die >= OFF or not s.men[1 - s.seat, OFF - at - die]
                    if s.men[s.seat, at] and s.dice[die - 1] and free:
                        out[n] = 6 * at + die - 1
                        n += 1
            out[n] = PASS
            return max(n, 1)

        @rule
        def play(s: Any, move: int) -> None:
            at, die = move // 6, move % 6 + 1
            if move >= ROLLS:
                add_roll(s.dice, move - ROLLS)
            elif move == PASS:
                s.dice[:] = 0
            else:
                s.dice[die - 1] -= 1
                s.men[s.seat, at] -= 1
                if at + die < OFF:
                    s.men[s.seat, at + die] += 1
            s.ply += 1
            if not sum(s.dice):
                s.seat = 1 - s.seat

        @rule
        def payoff(s: Any, seat: int) -> int:
            own, other = sum(s.men[seat]), sum(s.men[1 - seat])
            return 0 if own and other else -1 if own else 1

        @rule
        def odds(s: Any, out: Any) -> None:
            roll_odds(out, True)

        return Rules(
            TRACK.layout, moves, play, turn, payoff, width=21, plies=LONGEST, odds=odds,
            notation=TRACK.notation,
        )  # fmt: skip

    def setup(self, record: Any) -> None:
        record.men[:, 0] = 3


GAME = Race()
LAWS = [law for law in GAME_LAWS if law.name.endswith(("contract", "read_back"))]


@pytest.mark.samples("law_moves_read_back")
@pytest.mark.parametrize("law", LAWS, ids=str)
def test_laws_hold(law: Any) -> None:
    law(GAME)


def position(own: dict[int, int], other: dict[int, int], dice: str = "0,0,1,0,0,1") -> Any:
    """Men by the points of each side from where it enters; seat 0 is to move."""
    men = ",".join(str(side.get(at, 0)) for side in (own, other) for at in range(OFF))
    return GAME.parse(f"men={men} dice={dice} seat=0 ply=9")


def test_moves_are_written_by_the_movers_numbers_from_the_far_end() -> None:
    assert list(position({0: 1, 5: 1, 9: 1}, {3: 1}).moves()) == [
        "bar/10", "bar/7", "8/5", "8/2", "4/1", "4/off:6",
    ]  # fmt: skip
    assert list(position({9: 1}, {1: 2}).moves()) == ["4/off:6"]  # the other side is on 1
    assert list(position({9: 1}, {1: 2}, "0,0,2,0,0,0").moves()) == ["pass"]
    assert list(position({9: 1}, {3: 1}, "0,0,0,1,0,0").moves()) == ["4/off"]


def test_men_are_drawn_where_they_are_and_pointed_at() -> None:
    state = position({0: 1, 9: 1}, {6: 2})
    cells = re.findall(r'data-cell="([^"]*)" aria-label="([^"]*)"', state.svg())
    assert {cell for cell, _ in cells} == {*map(str, range(1, 13)), "bar", "off"}
    shown = {cell: said for cell, said in cells if said != "empty"}
    assert shown == {"bar": "1 black", "4": "1 black", "6": "2 white", "off": "1 black"}
    assert next_clicks(GAME, state, ("4", "1")).move == "4/1"
    assert [line.split() for line in state.picture().splitlines()[2:4]] == [
        ["6", "5", "4", "bar", "3", "2", "1", "off"], ["-2", ".", "1", "1", ".", ".", ".", "1"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("own", "other", "dice", "reason"),
    [
        ({0: 3, 1: 1}, {}, "0,0,0,0,0,0", "at most 3 men"),
        ({12: 1}, {1: 1}, "0,0,0,0,0,0", "no point has men of both"),
        ({1: 1}, {1: 1}, "0,0,3,0,0,2", "at most four dice"),
        ({1: 4}, {}, "0,0,0,0,0,0", "men is from 0 to 3"),
    ],
)
def test_what_cannot_arise_is_refused(own: Any, other: Any, dice: str, reason: str) -> None:
    with pytest.raises(BadNotation, match=reason):
        position(own, other, dice)


@pytest.mark.parametrize("points", [6, 11, 100])
def test_a_track_has_an_even_number_of_points(points: int) -> None:
    with pytest.raises(PluginError, match="an even number of points from 8 to 98"):
        Track(points, 3)


def test_a_game_comes_to_its_end() -> None:
    dice, state = random.Random(1), GAME.start()
    while state.turn != TERMINAL:
        state = state.after(dice.choice(state.moves()))
    assert sorted(state.payoff()) == [-1, 1]
