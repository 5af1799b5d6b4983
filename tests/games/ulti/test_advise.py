"""Advice for a hand: worlds, estimates, stakes, the race of discards, and the command."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import termios
from collections import Counter
from contextlib import suppress
from itertools import combinations, islice, product
from threading import Timer

import numpy as np
import pytest
from attrs import evolve
from click.testing import CliRunner

from dragon import TERMINAL
from dragon.cli import main
from dragon.config import game, search
from dragon.errors import BadNotation, ConfigError
from dragon_ulti import advice
from dragon_ulti.advice import Aim, Estimate, _plan_of, advise, play_closed, wilson
from dragon_ulti.answers import verdict
from dragon_ulti.cards import card, names
from dragon_ulti.contracts import CONTRACTS, announcement, bid
from dragon_ulti.history import history
from dragon_ulti.notation import UltiNotation
from dragon_ulti.question import Question, all_cells, read_hand
from dragon_ulti.record import state_of
from dragon_ulti.stakes import Value, common, read_stakes
from dragon_ulti.worlds import Worlds, deal_of, read_known, unseen

pytestmark = pytest.mark.samples(1)

HAND = "HA HK HO HX H7 LA L8 AA B9 BX"
TWELVE = f"{HAND} A7 BK"
BETLI = "A7 A8 A9 AX H7 H8 LO L7 B7 BU"
HARD = "HA H8 HO L7 L9 LA LK A8 AX BU"
HEARTS = "HA HX HK HO HU H9 H8 H7 AA LA"
LOW = "H7 H8 H9 L7 L8 L9 A7 A8 B7 B8"


def cards(text):
    return tuple(sorted(card(word) for word in text.split()))


def last(stream):
    *_, known = stream
    return known


def shares(known, discard=0):
    lines = [known.line(discard, i) for i in range(len(known.cells))]
    return {(x.cell.game.contract, x.cell.letter): x.estimate for x in lines if not x.lacking}


def run(*arguments):
    return CliRunner().invoke(main, ["ulti", "advise", *map(str, arguments)], prog_name="dragon")


# ---- worlds --------------------------------------------------------------------------------

NARROW = "1: B7 B8 BU BO BA BK A7 A8, 2: A9 AX AU AO AK H9 HU L7 L9, 2: not H8"
"""Of 22 cards H8, LX, LU, LO and LK are left: two for seat 1, one for seat 2, two for the talon."""


def fitting(own, known):
    """All worlds, by trying each."""
    rest = unseen(own)
    for talon in combinations(rest, 2):
        left = [c for c in rest if c not in talon]
        fixed = {c for seat, c in known.held if seat == 1}
        if not fixed <= set(left):
            continue
        for more in combinations([c for c in left if c not in fixed], 10 - len(fixed)):
            one = fixed | set(more)
            two = set(left) - one
            places = [(1, c) for c in one] + [(2, c) for c in two]
            if known.held <= set(places) and not known.lacked & set(places):
                yield tuple(sorted(one)), tuple(sorted(two)), talon


def test_worlds_are_counted_as_they_are():
    own = cards(HAND)
    known = read_known(NARROW, own)
    assert Worlds(unseen(own), known).count == len(list(fitting(own, known))) == 24
    assert Worlds(unseen(own)).count == 42_678_636
    assert Worlds(unseen(cards(TWELVE))).count == 184_756


@pytest.mark.parametrize("seed", range(3))
def test_every_world_that_fits_is_as_likely(seed):
    own = cards(HAND)
    known = read_known(NARROW, own)
    possible = set(fitting(own, known))
    draws = 200 * len(possible)
    found = Counter(islice(Worlds(unseen(own), known).deals(seed), draws))
    assert set(found) == possible
    chi = sum((found[world] - 200) ** 2 / 200 for world in possible)
    assert chi < 49.7  # one in a thousand for 23 degrees of freedom


def test_without_knowledge_every_card_lies_everywhere_as_often():
    own, draws = cards(HAND), 4400
    found = np.zeros((32, 3))
    for world in islice(Worlds(unseen(own)).deals(7), draws):
        for place, hand in enumerate(world):
            found[list(hand), place] += 1
    seen = found[list(unseen(own))]
    expected = draws * np.array([10, 10, 2]) / 22
    chi = ((seen - expected) ** 2 / expected).sum()
    assert seen.sum(0).tolist() == [draws * 10, draws * 10, draws * 2]
    assert chi < 76.1  # one in a thousand for 42 degrees of freedom


def test_what_is_known_is_kept_by_every_world():
    own = cards(HAND)
    known = read_known("1: LK A7, 2: not A, 2: not B8 BU, 1: not H", own)
    for one, two, talon in islice(Worlds(unseen(own), known).deals(0), 300):
        assert {card("LK"), card("A7")} <= set(one)
        assert not any(c >> 3 == 2 or c in (card("B8"), card("BU")) for c in two)
        assert not any(c >> 3 == 0 for c in one)
        assert sorted((*own, *one, *two, *talon)) == list(range(32))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3: HA", "write a seat, 1 or 2"),
        ("HA", "write a seat, 1 or 2"),
        ("1:", "write a seat, 1 or 2"),
        ("1: H", "'H' is not a card"),
        ("1: not", "what is lacked"),
        ("1: not Q", "'Q' is not a card"),
        ("1: HA", "HA is in your own hand"),
        ("1: L7, 1: not L", "both that seat 1 has L7 and that it does not"),
        ("1: L7, 2: L7", "L7 to both"),
        ("1: not L A, 2: not L A", "no deal of"),
        ("1: L7 L9 LX LU LO LK A7 A8 A9 AX AU", "no deal of"),
    ],
)
def test_what_cannot_be_known_is_refused(text, expected):
    own = cards(HAND)
    with pytest.raises(BadNotation, match=expected):
        Worlds(unseen(own), read_known(text, own))


# ---- estimates -----------------------------------------------------------------------------


def test_intervals_are_wilsons():
    low, high = Estimate(7, 10).interval()  # Wilson's formula for 0.7 of 10, z = 1.96
    assert (round(low, 4), round(high, 4)) == (0.3968, 0.8922)
    assert Estimate(0, 0).interval() == (0, 1)
    assert Estimate(0, 20).interval()[0] == 0
    assert Estimate(20, 20).interval()[1] == 1


@pytest.mark.parametrize("p", [0.05, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("n", [20, 200])
def test_intervals_hold_the_truth_as_often_as_they_say(p, n):
    made = np.random.default_rng(5).binomial(n, p, 3000)
    held = sum(low <= p <= high for low, high in (Estimate(int(k), n).interval() for k in made))
    assert 0.92 < held / 3000 < 0.985


@pytest.mark.full
def test_intervals_tighten_as_it_runs():
    question = Question(cards(HARD), all_cells(contracts=("party",), trump="L"), samples=60)
    widths = []
    for known in advise(question):
        low, high = known.line(0, 0).estimate.interval()
        widths.append(high - low)
    assert len(widths) == 62
    assert widths[0] == 1
    assert widths[-1] < widths[10] < widths[3] < 1


# ---- probabilities -------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize("rules", ["real", "original"])
def test_each_world_is_judged_as_a_deal_is(rules):
    own, worlds = cards(HAND), 3
    question = Question(own, all_cells(rules), samples=worlds, seed=4)
    found = shares(last(advise(question)))
    drawn = list(islice(Worlds(unseen(own)).deals(4), worlds))
    assert len(found) == (23 if rules == "real" else 19)
    for (contract, trump), estimate in found.items():
        game = next(
            x.game for x in question.cells if (x.game.contract, x.letter) == (contract, trump)
        )
        answers = [verdict(game, str(deal_of(own, world))) for world in drawn]
        assert estimate == Estimate(sum(bool(a.made) for a in answers), worlds), contract


@pytest.mark.full
def test_the_share_is_that_of_all_worlds():
    own = cards(HAND)
    known = read_known(NARROW, own)
    cells = all_cells(contracts=("no_trump_party", "four_tens", "party", "forty_hundred"))
    found = shares(last(advise(Question(own, cells, known, samples=400))))
    deals = [str(deal_of(own, world)) for world in fitting(own, known)]
    between = 0
    for cell in cells:
        made = sum(bool(verdict(cell.game, deal).made) for deal in deals)
        if (cell.game.contract, cell.letter) not in found:
            assert made == 0
            continue
        estimate = found[cell.game.contract, cell.letter]
        low, high = wilson(estimate.made, estimate.samples, 3.5)
        assert low <= made / len(deals) <= high
        between += 0 < made < len(deals)
    assert between >= 2


@pytest.mark.full
@pytest.mark.parametrize(
    ("hand", "contract", "trump"),
    [
        (HEARTS, "durchmars_trump", "H"),
        (HEARTS, "durchmars_trump+ulti", "H"),
        (HEARTS, "forty_hundred+ulti", "H"),
        (HEARTS, "party", "H"),
        (LOW, "betli", None),
    ],
)
def test_a_lay_down_hand_makes_always(hand, contract, trump):
    cells = all_cells(contracts=(contract,), trump=trump)
    (line,) = last(advise(Question(cards(hand), cells, samples=40))).lines(0)
    assert line.estimate == Estimate(40, 40)
    assert line.stakes == line.cell.value.made


@pytest.mark.full
def test_a_ten_in_the_talon_spoils_four_tens():
    own = cards("HA HX HK HO HU H9 H8 AA AX LA")
    cells = all_cells(contracts=("four_aces", "four_tens"), trump="H")
    low = "A7 A8 A9 AU AO AK L7 L8 L9 LU"
    for talon, aces, tens in (("LX B7", 1, 0), ("BA B7", 0, 1), ("BX BA", 0, 0)):
        rest = [c for c in unseen(own) if c not in cards(f"{low} {talon}")]
        known = read_known(f"1: {low}, 2: {names(rest)}", own)
        found = shares(last(advise(Question(own, cells, known, samples=3))))
        assert found["four_tens", "H"] == Estimate(3 * tens, 3), talon
        assert found["four_aces", "H"] == Estimate(3 * aces, 3), talon


SAFE = "HA HX HK HO H7 LA LX AA A8 B9"


@pytest.mark.full
def test_bids_of_several_contracts_are_weighed():
    own = cards(SAFE)
    cells = all_cells(trump="H", hand=own)
    known = last(advise(Question(own, cells, samples=8)))
    best = known.best(0)
    assert (best.cell.name, best.cell.letter) == ("forty_hundred+ulti", "H")
    assert (best.estimate, best.stakes) == (Estimate(8, 8), 16)
    out = run(SAFE, "--samples", 8).stdout.splitlines()
    sentence = "40-100 and ulti, hearts: made in 100.0% of 8 deals if all cards lie open, +16.00"
    assert out[2].startswith(sentence), "the best, and what its percentage supposes"
    assert any("made, open" in line for line in out[3:])
    assert not any("  0.0%  0.0%" in line for line in out)
    assert any(line.startswith("never made in these deals: party and four aces ♥ ♠ ♣; betli")
               for line in out)  # fmt: skip


@pytest.mark.full
def test_several_contracts_are_made_where_a_search_of_them_all_says_so():
    own, samples = cards("HA HX HK HO H7 LA L8 AA A8 B9"), 12
    cells = all_cells(trump="H", hand=own)
    known = last(advise(Question(own, cells, samples=samples)))
    drawn = [str(deal_of(own, world)) for world in islice(Worlds(unseen(own)).deals(0), samples)]
    joined = [i for i, cell in enumerate(cells) if "+" in cell.name]
    assert len(joined) >= 10
    for i in joined:
        made = sum(bool(verdict(cells[i].game, deal).made) for deal in drawn)
        assert known.line(0, i).estimate == Estimate(made, samples), cells[i].name
    between = [i for i in joined if 0 < known.line(0, i).estimate.made < samples]
    assert between, "or the test would see little"


def parted(cell, deal):
    """The parts of a bid that are made in a deal: of all that can be, those that pay most."""

    def verdicts(names):
        return not names or bool(verdict(cell.playing_for(names), deal).made)

    values = dict(cell.parts)
    sets = [s for n in range(len(values) + 1) for s in combinations(values, n) if verdicts(s)]
    return max(sets, key=lambda s: sum(v.made if n in s else -v.lost for n, v in values.items()))


def paid_by_the_whole_tree(state, cell, ulti=True, aces=True):
    """The pay of a bid under best play for all its parts together, to the last card."""
    if state.turn == TERMINAL:
        made = {"party": state.payoff()[0] >= 5, "ulti": ulti, "four_aces": aces}
        return sum(v.made if made[name] else -v.lost for name, v in cell.parts)
    found = []
    for move in state.moves():
        child, kept = state.after(move), (ulti, aces)
        if not child.record.first:
            past = history(state, [move])
            taken = past.rounds[0]
            best = next(a.card for a in past.actions if a.player == taken.winner)
            last_one = child.turn == TERMINAL
            seven_kept = not taken.trump_seven or (last_one and taken.winner == 0 and best == 0)
            aces_kept = not (taken.aces and taken.winner)
            kept = ulti and seven_kept, aces and aces_kept
        found.append(paid_by_the_whole_tree(child, cell, *kept))
    return max(found) if state.turn == 0 else min(found)


@pytest.mark.full
@pytest.mark.parametrize("contract", ["party+ulti", "party+four_aces"])
def test_parts_pay_what_the_whole_tree_pays(contract):
    dice, seen = np.random.default_rng(3), Counter()
    (cell,) = all_cells(contracts=(contract,), trump="H", marriages=False)
    cell = evolve(cell, game=evolve(cell.game, prerequisites=False))
    units = game("ulti(objective='points', trump='H')")
    for _ in range(12):
        own = [0, *dice.choice(np.arange(1, 32), 8, replace=False)]
        text = " / ".join(names(own[i : i + 3]) for i in (0, 3, 6)) + f", units {dice.integers(3)}"
        with suppress(BadNotation):  # more units than can have been taken
            truth = paid_by_the_whole_tree(units.parse(text), cell)
            aim = next(aim for aim in _plan_of(cell) if reached(aim, text))
            paid = sum(v.made if n in aim.made else -v.lost for n, v in cell.parts)
            assert paid == truth, text
            seen[aim.some, len(aim.made)] += 1
    assert len(seen) > 1


def reached(aim, text):
    """True if a search says that the declarer makes what it plays for."""
    if aim.game is None:
        return True
    if aim.game.bid.need == 0:
        text = text.split(",")[0]
    setting = evolve(aim.game.setting, some=aim.some)
    table = UltiNotation(setting).read(text).table
    state = state_of(aim.game, setting, table)
    if state.turn == TERMINAL:
        return state.payoff()[0] > 0
    return search("alphabeta(deepening=false, megabytes=0.1)").best(state).value > 0


@pytest.mark.full
@pytest.mark.parametrize("rules", ["real", "original"])
def test_one_of_several_contracts_is_made_where_the_whole_tree_says_so(rules):
    dice, seen = np.random.default_rng(5), Counter()
    for _ in range(24):
        (cell,) = all_cells(rules, contracts=("party+ulti",), trump="H", marriages=False)
        own = [0, *dice.choice(np.arange(1, 32), 8, replace=False)]
        text = " / ".join(names(own[i : i + 3]) for i in (0, 3, 6)) + f", units {dice.integers(4)}"
        free = evolve(cell.game, prerequisites=False)
        units = game(f"ulti(objective='points', trump='H', rules='{rules}')")
        with suppress(BadNotation):
            start = units.parse(text)
            worth = Value(1, 0), Value(1, 0)
            one = evolve(cell, parts=tuple(zip(("party", "ulti"), worth, strict=True)))
            truth = some_of_the_whole_tree(start, one)
            assert reached(Aim(frozenset(), free, some=True), text) == truth, text
            alone = [reached(Aim(frozenset(), one.playing_for([n])), text) for n, _ in one.parts]
            seen[truth, any(alone)] += 1
    assert {(True, True), (False, False)} <= {*seen}


@pytest.mark.full
def test_the_defenders_may_have_to_choose_which_part_they_stop():
    text = "H7 H9 B8 AX / BA HX LA LO / AK HU BK A9, units 2"
    (cell,) = all_cells(contracts=("party+ulti",), trump="H", marriages=False)
    assert not any(reached(Aim(frozenset(), cell.playing_for([n])), text) for n, _ in cell.parts)
    aim = next(aim for aim in _plan_of(cell) if reached(aim, text))
    assert (aim.some, aim.made) == (True, {"party"}), "they stop the ulti, which costs more"
    start = game("ulti(objective='points', trump='H')").parse(text)
    assert paid_by_the_whole_tree(start, cell) == 2 - 16


def some_of_the_whole_tree(state, cell):
    """Return True if the declarer can make one part at least, whichever it is."""
    return bool(paid_by_the_whole_tree(state, cell) > 0)


@pytest.mark.full
@pytest.mark.parametrize("contract", ["party+ulti", "40-100 ulti", "party + 4 ász"])
def test_each_part_counts_as_often_as_it_is_made(contract):
    own, samples = cards("HA HK HO H9 H7 LA L8 AA A8 B9"), 16
    (cell,) = all_cells(contracts=(contract,), trump="H")
    (line,) = last(advise(Question(own, (cell,), samples=samples))).lines(0)
    drawn = [str(deal_of(own, world)) for world in islice(Worlds(unseen(own)).deals(0), samples)]
    found = [parted(cell, deal) for deal in drawn]
    for (name, _), part in zip(cell.parts, line.parts, strict=True):
        assert part == Estimate(sum(name in s for s in found), samples)
    assert line.estimate.made == sum(len(s) == len(cell.parts) for s in found)
    paid = [sum(v.made if n in s else -v.lost for n, v in cell.parts) for s in found]
    assert line.stakes == pytest.approx(sum(paid) / samples)
    assert len({*paid}) > 1 or contract != "party+ulti", "or the test would see little"


@pytest.mark.full
def test_a_bid_with_a_price_of_its_own_is_lost_if_a_part_is():
    values = table(**{"party+ulti": "made = 9\nlost = 7"})
    own = cards("HA HK HO H9 H7 LA L8 AA A8 B9")
    cells = all_cells(stakes=read_stakes(values, "mine"), contracts=("ulti+party",), trump="H")
    (line,) = last(advise(Question(own, cells, samples=12))).lines(0)
    assert len(line.parts) == 1
    assert line.stakes == pytest.approx(
        (9 * line.estimate.made - 7 * (12 - line.estimate.made)) / 12
    )


def test_open_and_doubled_bids_pay_their_own():
    cells = all_cells(contracts=("betli", "piros betli", "terített betli", "terített durchmars"))
    worth = {cell.title: (cell.value.made, cell.value.lost) for cell in cells}
    assert worth == {"betli": (5, 5), "rebetli": (10, 10), "open betli": (20, 20),
                     "open plain durchmars": (24, 24)}  # fmt: skip
    (red,) = all_cells(contracts=("piros ulti terített durchmars",))
    assert (red.letter, red.value.made) == ("H", 32)


def test_a_table_bids_an_ulti_with_its_party():
    own = cards(SAFE)
    bids = {cell.name for cell in all_cells(hand=own)}
    assert {"party+ulti", "party+four_aces", "forty_hundred+ulti"} <= bids
    assert not {"ulti", "four_aces", "ulti+four_aces"} & bids
    assert "party+four_aces+ulti" in bids
    plain = read_stakes(table() + "\n[table]\nfour_aces = false", "mine")
    assert not any("four_aces" in cell.name for cell in all_cells(stakes=plain, hand=own))


# ---- marriages that were announced ---------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["1: 40 20", "1: none, 2: 20", "1: 20, 1: not A, 2: none", "2: 40, 1: HK"]
)
def test_worlds_fit_what_was_announced(text):
    own = cards("A7 A8 A9 AX B7 B8 B9 BX L7 L8")
    known, trump = read_known(text, own), 0
    said = dict(known.announced)
    try:
        worlds = Worlds(unseen(own), known, trump)
    except BadNotation:
        assert text == "2: 40, 1: HK", "which cannot be"
        return
    for one, two, talon in islice(worlds.deals(1), 60):
        for seat, hand in ((1, one), (2, two)):
            assert said.get(seat) in (None, announcement(hand, trump))
        assert sorted((*own, *one, *two, *talon)) == list(range(32))


@pytest.mark.full
def test_worlds_with_announcements_are_counted_and_each_as_likely():
    own = cards(HAND)
    known = read_known(f"{NARROW}, 1: 20", own)
    plain = [world for world in fitting(own, read_known(NARROW, own))
             if announcement(world[0], 0) == "20"]  # fmt: skip
    worlds = Worlds(unseen(own), known, 0)
    assert worlds.count == len(plain) > 3
    found = Counter(islice(worlds.deals(3), 200 * len(plain)))
    assert set(found) == set(plain)
    assert all(120 < n < 290 for n in found.values())


@pytest.mark.full
def test_announcements_need_a_trump():
    asked = (HAND, "--holds", "1: 20", "--samples", 2)
    result = run(*asked)
    assert result.exit_code == 2
    assert "announced marriages depend on the trump; ask for one: --trump H" in result.stderr
    assert run(*asked, "--trump", "H").exit_code == 0
    twice = run(HAND, "--holds", "1: 20, 1: 40", "--trump", "H")
    assert "says twice what seat 1 announced" in twice.stderr
    assert read_known("1: nincs, 2: 20, 40", ()) == read_known("1: none, 2: 40 20", ())
    assert read_known("1: P:A,K, 2: nem zöld", ()) == read_known("1: HA HK, 2: not L", ())


@pytest.mark.full
def test_what_the_hand_lacks_cannot_be_bid():
    known = last(advise(Question(cards(HAND), all_cells(), samples=1)))
    can = set(shares(known))
    assert len(known.cells) == 31
    assert {trump for contract, trump in can if contract == "ulti"} == {"H"}
    assert {trump for contract, trump in can if contract == "forty_hundred"} == {"H"}
    assert {trump for contract, trump in can if contract == "twenty_hundred"} == {*"LAB"}
    assert {trump for contract, trump in can if contract == "four_aces"} == {*"HLA"}
    assert {trump for contract, trump in can if contract == "four_tens"} == {*"HLAB"}
    lacking = {line.cell.letter: line.lacking for line in known.lines(0) if line.lacking}
    assert "trump 7" in lacking["L"] or "marriage" in lacking["L"]


@pytest.mark.full
def test_advice_repeats_itself_for_a_seed():
    cells = all_cells(contracts=("party",))
    first, again, other = (
        last(advise(Question(cards(HARD), cells, samples=30, seed=seed))) for seed in (1, 1, 2)
    )
    assert (first.made == again.made).all()
    assert first.nodes == again.nodes
    assert (first.made != other.made).any()


@pytest.mark.full
def test_a_rebetli_is_a_betli_for_twice_the_stakes():
    cells = all_cells(contracts=("betli", "rebetli"))
    known = last(advise(Question(cards(LOW), cells, samples=5)))
    found = [(x.cell.name, x.estimate.made, x.stakes) for x in known.lines(0)]
    assert found == [("rebetli", 5, 10.0), ("betli", 5, 5.0)]


# ---- discards ------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize(
    "text",  # the second is another hand of the same kind
    ["HU L9 A7 A9 AU B7 HA AK", pytest.param("HX H9 L8 A7 A9 B9 HA BK", marks=pytest.mark.full)],
)
def test_the_best_discard_of_66_is_found(text):
    hand, samples = cards(f"{text} H7 L7 B8 {'H8' if 'HU' in text else 'LO'}"), 16
    cells = all_cells(contracts=("betli",))
    known = last(advise(Question(hand, cells, samples=samples)))
    assert known.done
    worlds = list(islice(Worlds(unseen(hand)).deals(0), samples))
    made = {}
    for laid in known.discards:
        left = tuple(c for c in hand if c not in laid)
        deals = [str(deal_of(left, world, laid)) for world in worlds]  # the same for all
        made[laid] = sum(bool(verdict(cells[0].game, deal).made) for deal in deals)
    ranking = [(known.discards[i], line.estimate) for i, line in known.ranking()]
    best, second = sorted(made.values())[-2:][::-1]
    assert best > second  # or the test would see little
    assert ranking[0] == (max(made, key=made.__getitem__), Estimate(best, samples))
    whole = [(laid, found) for laid, found in ranking if found.samples == samples]
    assert all(found.made == made[laid] for laid, found in whole)


@pytest.mark.full
def test_better_discards_meet_more_worlds():
    known = last(advise(Question(cards(TWELVE), all_cells(contracts=("party",)), samples=32)))
    most = known.seen.max(axis=1)
    assert most.min() == 6
    assert (most == 32).sum() <= 16
    ranking = [discard for discard, _ in known.ranking()]
    rounds = [known.rounds[discard] for discard in ranking]
    assert rounds == sorted(rounds, reverse=True)
    assert len(ranking) == 66


@pytest.mark.full
def test_there_is_a_ranking_long_before_the_end():
    stream = advise(Question(cards(TWELVE), all_cells(contracts=("betli",)), samples=10_000))
    early = next(islice(stream, 140, None))
    stream.close()
    assert len(early.ranking()) == 66
    assert not early.done
    assert early.part < 0.2


def test_the_discard_is_the_talon():
    cells = all_cells(contracts=("four_aces", "four_tens", "forty_hundred"), trump="H")
    question = Question(cards(TWELVE), cells, discard=cards("LA BX"), samples=2)
    known = last(advise(question))
    lacking = {line.cell.game.contract: line.lacking for line in known.lines(0)}
    assert "LA lies in the talon" in lacking["four_aces"]
    assert "BX lies in the talon" in lacking["four_tens"]
    assert lacking["forty_hundred"] == ""
    assert known.worlds == 184_756


# ---- stakes --------------------------------------------------------------------------------


def test_red_doubles_and_parts_add_up():
    stakes = common()
    assert set(CONTRACTS) <= set(stakes.values)
    ulti, both = bid("ulti"), bid("forty_hundred+ulti")
    assert (stakes.of(ulti, 1).made, stakes.of(ulti, 1).lost) == (4, 8)
    assert (stakes.of(ulti, 0).made, stakes.of(ulti, 0).lost) == (8, 16)
    assert (stakes.of(both, 2).made, stakes.of(both, 2).lost) == (8, 12)
    assert stakes.of(bid("betli"), 4).expected(0.6) == pytest.approx(1)
    assert all(value.source for value in stakes.values.values())


def table(**changes):
    """A whole table of stakes as TOML, with lines by contract."""
    lines = dict.fromkeys(CONTRACTS, "made = 1\nlost = 2") | changes
    return "\n".join(f'[contracts."{name}"]\n{text}' for name, text in lines.items() if text)


def test_another_table_replaces_the_values():
    values = table(**{"ulti+party": "made = 9\nlost = 7"})
    own = read_stakes(f'unit = "forints"\n{values}', "mine")
    assert own.unit == "forints"
    assert own.of(bid("party+ulti"), 0).made == 9
    assert own.of(bid("ulti+forty_hundred"), 0).lost == 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[contracts", "mine is not TOML"),
        ("", "there are no values"),
        ("unit = 3\n" + table(), "unit is 3"),
        ("colour = 1\n" + table(), "no key 'colour'"),
        (table(betli=""), "contracts.betli is missing"),
        (table(betlli="made = 1\nlost = 1"), "did you mean 'betli'"),
        (table(ulti="made = 1"), "mine: lost is missing; write a number @ contracts.ulti"),
        (table(ulti="made = 'x'\nlost = 1"), "mine: must be a number, not 'x'"),
        (table(ulti="made = nan\nlost = 1"), "made must be a number from 0 up, not nan @"),
        (table(ulti="made = true\nlost = 1"), "must be a number, not true"),
        (table(ulti="made = 1\nlost = -1"), "lost must be a number from 0 up, not -1.0"),
        (table(ulti="made = 1\nlost = 1\nmad = 2"), "did you mean 'made'"),
        (table(ulti="made = 1\nlost = 1\nsource = 2"), "not 2 @ contracts.ulti.source"),
        (table(betli="made = 1\nlost = 1\nred = 2"), "betli has no trump"),
        ("contracts = 3", "there are no values"),
        ("contracts.party = 3", "must be a table such as `made = 4`, `lost = 4`, not 3 @"),
        (table(**{"ulti+party": "made = 1\nlost = 1", "party+ulti": "made = 1\nlost = 1"}),
         "there twice"),
    ],
)  # fmt: skip
def test_a_mistake_in_stakes_has_its_place(text, expected):
    with pytest.raises(ConfigError) as raised:
        read_stakes(text, "mine")
    assert expected in str(raised.value)
    assert all(problem.startswith("mine") for problem in raised.value.problems)


def test_all_mistakes_in_stakes_are_told_at_once():
    text = table(ulti="made = -1\nlost = 'x'", party="made = 1", betlli="made = 1\nlost = 1")
    with pytest.raises(ConfigError) as raised:
        read_stakes(text, "mine")
    assert len(raised.value.problems) == 4


# ---- the command ---------------------------------------------------------------------------

MISTAKES = {
    "too few": (["HA HK"], "has 2 cards; a hand has 10 or 12"),
    "eleven": ([f"{HAND} A7"], "has 11 cards"),
    "nothing": ([""], "has 0 cards"),
    "twice": ([HAND.replace("B9", "HA")], "HA is there more than once"),
    "unknown card": ([HAND.replace("B9", "C9")], "'C9' is not a card"),
    "contract": ([HAND, "--contract", "ultti"], "did you mean 'ulti'"),
    "compound": ([HAND, "--contract", "ulti+betli"], "do not go together"),
    "trump for betli": ([HAND, "--contract", "betli", "--trump", "H"], "betli has no trump"),
    "trump": ([HAND, "--trump", "C"], "--trump"),
    "discard of ten": ([HAND, "--discard", "HA HK"], "only 12 cards have one"),
    "discard of others": ([TWELVE, "--discard", "HA B7"], "B7 is not in the hand"),
    "one discarded": ([TWELVE, "--discard", "HA"], "a discard has 2"),
    "holds": ([HAND, "--holds", "1: HA"], "HA is in your own hand"),
    "holds too much": ([HAND, "--holds", "1: not L A, 2: not L A"], "no deal of"),
    "stakes": ([HAND, "--stakes", "/nowhere/stakes.toml"], "cannot read /nowhere/stakes.toml"),
    "samples": ([HAND, "--samples", "0"], "--samples"),
    "seconds": ([HAND, "--seconds", "nan"], "not a number of seconds"),
    "seed": ([HAND, "--seed", "-1"], "--seed"),
    "rules": ([HAND, "--rules", "other"], "--rules"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_a_sentence_and_exit_code_2(case, refused):
    arguments, expected = MISTAKES[case]
    refused(run(*arguments), expected)


def test_help_gives_examples():
    result = run("--help")
    assert result.exit_code == 0
    assert "dragon ulti advise" in result.stdout.partition("Examples:")[2]


@pytest.mark.full
def test_ten_cards_as_json(tmp_path):
    own = tmp_path / "stakes.toml"
    values = table(party="made = 5\nlost = 3\nred = 2")
    own.write_text(f'unit = "forints"\n{values}')
    result = run(HAND, "--trump", "H", "--samples", 5, "--stakes", own, "--json", "--seed", 3)
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert answer["hand"] == ["H7", "HX", "HO", "HK", "HA", "L8", "LA", "AA", "B9", "BX"]
    assert (answer["unit"], answer["samples"], answer["seed"]) == ("forints", 5, 3)
    assert (answer["done"], answer["interrupted"], answer["discards"]) == (True, False, [])
    singles = [cell for cell in answer["cells"] if "+" not in cell["contract"]]
    assert len(singles) == 5, "a party goes with ulti and four aces"
    party = next(cell for cell in answer["cells"] if cell["contract"] == "party")
    assert (party["made"], party["probability"], party["stakes"]) == (5, 1.0, 10.0)
    low, high = party["interval"]
    assert low == pytest.approx(Estimate(5, 5).interval()[0])
    assert party["stakes_interval"] == pytest.approx([16 * low - 6, 16 * high - 6])
    twenty = next(cell for cell in answer["cells"] if cell["contract"] == "twenty_hundred")
    assert (twenty["can_be_bid"], twenty["probability"], twenty["stakes"]) == (False, None, None)
    assert "20-100 needs a marriage" in twenty["reason"]


@pytest.mark.full
def test_twelve_cards_as_text():
    result = run(TWELVE, "--contract", "party", "--contract", "ulti", "--samples", 4)
    assert result.exit_code == 0, result.output
    first, best, found, *_ = result.stdout.split("\n\n")
    assert first == "♥7 ♥X ♥O ♥K ♥A ♠8 ♠A ♣7 ♣A ♦9 ♦X ♦K"
    assert "if all cards lie open" in " ".join(best.split())
    heads, *rows = found.splitlines()  # the heads take two lines
    assert heads.split()[:3] == ["discard", "contract", "trump"]
    assert all(line[0] in "♥♠♣♦" for line in rows[1:11])
    assert " discarded" in " ".join(result.stdout.split())
    assert "cannot be bid: ulti ♠" in result.stdout
    assert "points from each defender" in " ".join(result.stdout.split())
    assert "out of time" not in result.stdout


@pytest.mark.full
def test_what_was_made_once_is_not_said_to_be_never():
    asked = ("HA H9 H7 L9 L8 L7 A9 A8 B9 B8", "--contract", "ulti", "--trump", "H",
             "--samples", 2500)  # fmt: skip
    (cell,) = json.loads(run(*asked, "--json").stdout)["cells"]
    assert cell["made"] == 1
    said = run(*asked).stdout
    assert "made in <0.1% of 2500 deals" in said
    assert " <0.1% - 0.2% " in said


def test_a_hand_without_the_prerequisite_is_told_so():
    result = run(HAND, "--contract", "ulti", "--trump", "B")
    assert result.exit_code == 0, result.output
    assert "cannot be bid: ulti ♦" in result.stdout
    assert "%" not in result.stdout.replace("95 %", "")


@pytest.mark.full
def test_marriages_count_by_default_and_not_where_that_is_refused():
    arguments = (HARD, "--contract", "party", "--trump", "L", "--samples", 30, "--json")
    without, counted = (
        json.loads(run(*arguments, *more).stdout)["cells"][0]["made"]
        for more in (["--no-marriages"], [])
    )
    assert without > counted == 0, "only the defenders have marriages"
    few = (*arguments[:-3], "--samples", 1)
    assert "marriages count in parties" in run(*few).stdout
    assert "marriages" not in run(*few, "--no-marriages").stdout
    assert not any(cell.weds for cell in all_cells("original", contracts=("party",)))


@pytest.fixture
def few_worlds(monkeypatch):
    """Players with closed cards who imagine two worlds, so that games are over soon."""
    monkeypatch.setattr(advice, "CLOSED_WORLDS", 2)


@pytest.mark.full
@pytest.mark.usefixtures("few_worlds")
def test_closed_cards_are_played_to_the_end_in_the_deals_that_were_judged():
    cells = all_cells(contracts=("betli",))
    question = Question(read_hand(BETLI), cells, samples=6, seed=2)
    *_, known = advise(question)
    *_, closed = play_closed(known, question, 6)
    assert closed.open == known.best(0).estimate
    assert 0 <= closed.made.made <= closed.made.samples == 6
    sure = Question(read_hand("A7 A8 A9 AX H7 H8 L7 L8 B7 B8"), cells, samples=3)
    *_, known = advise(sure)
    assert [each.made.made for each in play_closed(known, sure, 3)] == [1, 2, 3]
    never = Question(read_hand("AA AK HA HK LA LK BA BK HO LO"), cells, samples=3)
    *_, known = advise(never)
    assert [each.made.made for each in play_closed(known, never, 3)] == [0, 0, 0]


@pytest.mark.full
@pytest.mark.usefixtures("few_worlds")
def test_games_with_closed_cards_are_told_in_both_forms():
    words = ["ulti", "advise", BETLI, "--contract", "betli", "--samples", "4", "--closed", "3"]
    shown = CliRunner().invoke(main, words)
    assert shown.exit_code == 0, shown.output
    assert "with closed cards betli is made in" in " ".join(shown.output.split())
    assert "of 3 deals" in " ".join(shown.output.split())
    found = json.loads(CliRunner().invoke(main, [*words, "--json"]).output)["closed"]
    assert (found["contract"], found["samples"], found["discard"]) == ("betli", 3, [])
    assert found["made"] <= found["samples"] >= found["open"]


@pytest.mark.full
def test_time_over_is_marked():
    result = run(TWELVE, "--seconds", 0.5, "--samples", 100_000)
    assert result.exit_code == 0, result.output
    assert "out of time: this is what was known by then" in result.stdout
    answer = json.loads(run(TWELVE, "--seconds", 0.5, "--samples", 100_000, "--json").stdout)
    assert (answer["done"], answer["interrupted"]) == (False, False)
    assert answer["discards"]
    assert answer["seconds"] < 5


@pytest.mark.full
@pytest.mark.parametrize("as_json", [False, True])
def test_ctrl_c_prints_what_is_known(as_json):
    seat, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, 100))
    more = ["--json"] if as_json else []
    with subprocess.Popen(
        [sys.executable, "-m", "dragon", "ulti", "advise", TWELVE, "--samples", "100000", *more],
        stdout=subprocess.PIPE, stderr=terminal, text=True,
    ) as process:  # fmt: skip
        killer = Timer(120, process.kill)
        killer.start()
        os.close(terminal)
        shown = b""
        while "♥".encode() not in shown:  # the bar has answer the best so far
            shown += os.read(seat, 1024)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate()
        killer.cancel()
    os.close(seat)
    assert process.returncode == 130
    assert b"Traceback" not in shown
    if as_json:
        answer = json.loads(out)
        assert (answer["interrupted"], answer["done"]) == (True, False)
        assert answer["discards"]
    else:
        assert "interrupted: this is what was known by then" in out
        assert " discarded" in out


def test_hands_are_read_in_any_order_and_with_commas():
    assert read_hand(HAND.replace(" ", ", ")) == read_hand(" ".join(reversed(HAND.split())))
    assert list(product(read_hand("HA H10", (2,)))) == [(3,), (7,)]
