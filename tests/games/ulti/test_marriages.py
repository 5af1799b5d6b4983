"""Marriages in a party, against a count at the end of games that are played to the last card."""

from __future__ import annotations

import random
from typing import Any

import pytest

import dragon
from dragon import TERMINAL
from dragon.errors import ConfigError
from dragon_ulti import request
from dragon_ulti.answers import solve, table, verdict
from dragon_ulti.contracts import CONTRACTS
from dragon_ulti.history import history
from dragon_ulti.question import all_cells

pytestmark = pytest.mark.samples(1)

PRUNINGS = [
    dragon.search(f"alphabeta(deepening=false, megabytes=0.1, {rest})")
    for rest in ("pvs=false, killers=false", "reduce=false", "bounds=false", "table=false")
]
RANKS = "789UOKXA"


def shuffled(dice: random.Random, size: int, trump: str | None) -> list[list[str]]:
    """Three hands, the declarer's often a strong one, so that some take every trick."""
    deck = [suit + rank for suit in "HLAB" for rank in RANKS]
    dice.shuffle(deck)
    if dice.random() < 0.6:
        deck.sort(key=lambda card: -4 * (card[0] == trump) - RANKS.index(card[1]) - dice.random())
        rest = deck[size:]
        dice.shuffle(rest)
        deck[size:] = rest
    return [deck[i * size : (i + 1) * size] for i in range(3)]


def written(hands: list[list[str]]) -> str:
    return " / ".join(map(" ".join, hands))


def held(hand: list[str], trump: str | None) -> int:
    pairs = (suit for suit in "HLAB" if {suit + "O", suit + "K"} <= {*hand})
    return sum(4 if suit == trump else 2 for suit in pairs)


@pytest.mark.full
@pytest.mark.parametrize("late", [True, False])
@pytest.mark.parametrize("trump", ["L", None])
def test_a_game_ends_as_the_count_after_its_last_card_says(trump: str | None, late: bool) -> None:
    dice, seen = random.Random(f"{trump} {late}"), []
    settings = {"name": "ulti", "contract": "party" if trump else "no_trump_party", "trump": trump}
    points: Any = dragon.game({**settings, "objective": "points"})
    party: Any = dragon.game({**settings, "marriages": True, "marriage_trick": late})
    for _ in range(40):
        hands = shuffled(dice, 10, trump)
        start = state = points.parse(written(hands))
        line: list[str] = []
        while state.turn != TERMINAL:
            line.append(dice.choice(list(state.moves())))
            state = state.after(line[-1])
        takers = {each.winner == 0 for each in history(start, line).rounds}
        mine = held(hands[0], trump) * (True in takers or not late)
        theirs = (held(hands[1], trump) + held(hands[2], trump)) * (False in takers or not late)
        units = round(state.payoff()[0])
        state = party.parse(written(hands))
        for card in line:
            if state.turn == TERMINAL:
                break
            assert party.parse(str(state)) == state
            state = state.after(card)
        assert state.turn == TERMINAL, f"{state}, and no card is left"
        seen.append(state.payoff()[0] > 0)
        assert seen[-1] == (units + mine > 9 - units + theirs), f"{written(hands)}: {line}"
    assert {*seen} == {True, False}


def made(state: Any, need: int, mine: int, theirs: int) -> bool:
    """By the whole tree of the game for units, which is played to the last card."""
    if state.turn == TERMINAL:
        return bool(state.payoff()[0] >= need)
    wanted: bool = state.turn == 0
    for card in state.moves():
        child = state.after(card)
        left = need, mine, theirs
        if not child.record.first:
            line = history(state, [card]).rounds
            left = (need - mine, 0, theirs) if line[0].winner == 0 else (need + theirs, mine, 0)
        if made(child, *left) == wanted:
            return wanted
    return not wanted


@pytest.mark.full
def test_marriages_that_may_yet_count_with_and_without_each_pruning() -> None:
    dice, seen = random.Random(4), []
    points: Any = dragon.game("ulti(objective='points', trump='L')")
    party: Any = dragon.game("ulti(marriages=true, trump='L')")
    for _ in range(60):
        hands, lead = shuffled(dice, dice.choice((1, 2, 3)), "L"), dice.randrange(3)
        gone = 8 - sum(card[1] in "XA" for hand in hands for card in hand)
        units = dice.randint(0, gone)
        need, theirs = dice.randint(-1, 9), dice.randint(0, 3)
        mine = 0 if units else dice.randint(0, 3)
        base = f"{written(hands)}, lead {lead}" + (f", units {units}" if units else "")
        truth = made(points.parse(base), need, mine, theirs)
        state = party.parse(f"{base}, need {need}, pending {mine} {theirs}")
        if state.turn == TERMINAL:
            assert (state.payoff()[0] > 0) == truth, str(state)
            continue
        seen.append(truth)
        sign = 1 if state.turn == 0 else -1
        for search in PRUNINGS:
            assert sign * search.best(state).value == (1 if truth else -1), f"{search}: {state}"
    assert len(seen) > 20
    assert {*seen} == {True, False}


def most(state: Any, mine: int, theirs: int) -> float:
    """The units under best play, by the whole tree, with the marriages that may yet count."""
    if state.turn == TERMINAL:
        return float(state.payoff()[0])
    found = []
    for card in state.moves():
        child, gain, left = state.after(card), 0, (mine, theirs)
        if not child.record.first:
            won = history(state, [card]).rounds[0].winner == 0
            gain, left = (mine, (0, theirs)) if won else (-theirs, (mine, 0))
        found.append(gain + most(child, *left))
    return max(found) if state.turn == 0 else min(found)


@pytest.mark.full
def test_units_with_marriages_are_those_of_the_whole_tree() -> None:
    dice, seen = random.Random(8), []
    plain: Any = dragon.game("ulti(objective='points', trump='L')")
    weds: Any = dragon.game("ulti(objective='points', trump='L', marriages=true)")
    for _ in range(40):
        hands, lead = shuffled(dice, dice.choice((1, 2, 3)), "L"), dice.randrange(3)
        mine, theirs = dice.randint(0, 3), dice.randint(0, 3)
        base = f"{written(hands)}, lead {lead}"
        truth = most(plain.parse(base), mine, theirs)
        state = weds.parse(f"{base}, need 5, pending {mine} {theirs}")
        assert weds.parse(str(state)) == state
        sign = 1 if state.turn == 0 else -1
        for search in PRUNINGS:
            assert sign * search.best(state).value == truth, f"{search}: {state}"
        seen.append(truth)
    assert len({*seen}) > 5


@pytest.mark.full
def test_most_units_with_marriages_say_whether_a_party_is_made() -> None:
    made = []
    for seed in range(12):
        text = str(dragon.game("ulti(trump='A')").start(seed))
        game = request.game_of(text, "party", "A", "real")
        answer = solve(game, text, lines=False)
        assert answer.made == (answer.units is not None and answer.units >= 5)
        assert answer.made == verdict(game, text).made
        made.append(answer.made)
    assert {*made} == {True, False}


@pytest.mark.full
@pytest.mark.parametrize(
    ("rules", "asked", "counted"),
    [("real", None, True), ("real", False, False), ("original", None, False),
     ("original", True, True)],
)  # fmt: skip
def test_marriages_count_alike_everywhere(rules: str, asked: bool | None, counted: bool) -> None:
    game = request.game_of("", "party", None, rules, marriages=asked)
    assert game.marriages is counted
    assert request.game_of("", "ulti+party", None, rules, marriages=asked).marriages is counted
    for without in ("ulti", "40-100", "betli", "party+40-100"):
        assert not request.game_of("", without, None, rules, marriages=asked).marriages
    text = str(dragon.game("ulti").start(3))
    cells = {answer.game.contract: answer.game.marriages for answer in table(game, text)}
    parties = {"party", "no_trump_party"}
    assert cells == {name: counted and name in parties for name in CONTRACTS}
    weds = {cell.game.contract: cell.weds for cell in all_cells(rules, marriages=asked)}
    assert weds == cells


def test_a_side_that_has_no_trick_in_the_end_has_no_marriages() -> None:
    party: Any = dragon.game("ulti(marriages=true)")
    state = party.parse("HA / HK / H8, lead 0, units 4, need 5, pending 0 3")
    for card in ("HA", "HK", "H8"):
        state = state.after(card)
    assert state.turn == TERMINAL
    assert state.payoff() == (1, -1, -1)


@pytest.mark.parametrize("hundred", ["forty_hundred", "twenty_hundred"])
def test_a_hundred_and_a_party_with_marriages_are_not_one_bid(hundred: str) -> None:
    settings = {"name": "ulti", "contract": f"{hundred}+party", "marriages": True}
    with pytest.raises(ConfigError, match=r"in a party and not in a hundred.* leave"):
        dragon.game(settings)
    dragon.game({**settings, "marriages": False})
