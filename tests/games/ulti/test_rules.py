"""The rules of Ulti against a slow game of cards written here, on random endgames.

The reference shares no code with the plugin: cards are texts, hands are lists, and values
come from plain minimax over the whole tree.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import dragon
from dragon import TERMINAL, Bound
from dragon.modes import JIT
from dragon.rules.record import rules_of

pytestmark = pytest.mark.samples(2)

ACE_TEN, ACE_KING = "789UOKXA", "789XUOKA"
WITHOUT = "no_trump_party", "betli", "durchmars_no_trump"
CONTRACTS = (
    "no_trump_party", "party", "forty_hundred", "four_aces", "ulti", "betli",
    "durchmars_no_trump", "durchmars_trump", "twenty_hundred", "four_tens",
    "forty_hundred+ulti", "durchmars_trump+ulti", "four_aces+four_tens+party",
)  # fmt: skip
MORE = (
    "party+ulti", "twenty_hundred+ulti", "four_aces+ulti", "forty_hundred+four_tens",
    "durchmars_trump+forty_hundred", "twenty_hundred+four_aces+ulti",
)  # fmt: skip
NEED = {"no_trump_party": 5, "party": 5, "forty_hundred": 6, "twenty_hundred": 8}
VARIANTS: dict[str, dict[str, Any]] = {
    "real": {},
    "original": {"rules": "original"},
    "no-duty": {"trump_duty": False, "overtrump": False},
    "no-overtrump": {"overtrump": False},
    "no-overtake": {"overtake": False},
    "overtake-trumped": {"overtake_trumped": True},
}
Cards = list[str]


class Reference:
    """One contract: what may be played, who takes a trick, what it comes to."""

    def __init__(self, contract: str, trump: str | None, variant: str, before: int = 0) -> None:
        self.before = before  # units that the declarer has taken
        self.parts, self.trump, self.variant = contract.split("+"), trump, variant
        self.ranks = ACE_KING if contract in ("betli", "durchmars_no_trump") else ACE_TEN
        self.need = max(NEED.get(part, 0) for part in self.parts)
        self.known: dict[tuple[Any, ...], int] = {}  # units, where nothing lies on the table

    def rank(self, card: str) -> int:
        return self.ranks.index(card[1])

    def legal(self, hand: Cards, table: Cards) -> Cards:
        if not table:
            return hand
        led = table[0][0]
        follow = [card for card in hand if card[0] == led]
        if follow:
            return self.overtaking(follow, table, led)
        trumps = [card for card in hand if card[0] == self.trump]
        if not trumps or self.variant in ("original", "no-duty"):
            return hand
        lying = [self.rank(card) for card in table if card[0] == self.trump]
        if lying and self.variant != "no-overtrump":
            return [card for card in trumps if self.rank(card) > max(lying)] or trumps
        return trumps

    def overtaking(self, follow: Cards, table: Cards, led: str) -> Cards:
        if self.variant == "no-overtake":
            return follow
        ruffed = any(card[0] == self.trump for card in table) and led != self.trump
        if ruffed and self.variant not in ("original", "overtake-trumped"):
            return follow
        seen = table if self.variant == "original" else [c for c in table if c[0] == led]
        best = max(self.rank(card) for card in seen)
        return [card for card in follow if self.rank(card) > best] or follow

    def taker(self, table: Cards) -> int:
        trumps = [card for card in table if card[0] == self.trump]
        pool = trumps or [card for card in table if card[0] == table[0][0]]
        return table.index(max(pool, key=self.rank))

    def units(self, hands: list[Cards], lead: int, table: Cards) -> int:
        """The declarer's units from here: the whole of minimax."""
        if not any(hands) and not table:
            return 0
        if not table and (whole := (*map(tuple, hands), lead)) in self.known:
            return self.known[whole]
        seat = (lead + len(table)) % 3
        values = []
        for card in self.legal(hands[seat], table):
            rest = [[c for c in hand if c != card] for hand in hands]
            trick = [*table, card]
            if len(trick) < 3:
                values.append(self.units(rest, lead, trick))
                continue
            winner = (lead + self.taker(trick)) % 3
            gain = sum(c[1] in "XA" for c in trick) + (not any(rest)) if winner == 0 else 0
            values.append(gain + self.units(rest, winner, []))
        value = max(values) if seat == 0 else min(values)
        if not table:
            self.known[whole] = value
        return value

    def made(self, hands: list[Cards], lead: int, table: Cards, past: tuple[Any, ...]) -> bool:
        """Tell whether the declarer makes it, played to the last card; `past`: tricks so far."""
        if not any(hands) and not table:
            return all(self.fulfilled(part, past) for part in self.parts)
        seat = (lead + len(table)) % 3
        wanted = seat == 0
        for card in self.legal(hands[seat], table):
            rest = [[c for c in hand if c != card] for hand in hands]
            trick = [*table, card]
            if len(trick) == 3:
                winner = (lead + self.taker(trick)) % 3
                got = self.made(
                    rest, winner, [], (*past, (winner, trick[self.taker(trick)], trick))
                )
            else:
                got = self.made(rest, lead, trick, past)
            if got == wanted:
                return wanted
        return not wanted

    def fulfilled(self, part: str, tricks: tuple[Any, ...]) -> bool:
        lost = [card for winner, _, cards in tricks if winner != 0 for card in cards]
        won = [card for winner, _, cards in tricks if winner == 0 for card in cards]
        if part in NEED:
            units = self.before + sum(c[1] in "XA" for c in won) + (tricks[-1][0] == 0)
            return units >= self.need
        if part in ("four_aces", "four_tens"):
            return not any(card[1] == ("A" if part == "four_aces" else "X") for card in lost)
        if part == "ulti":
            return bool(tricks[-1][:2] == (0, f"{self.trump}7"))
        return not won if part == "betli" else not lost


def endgames(seed: str, count: int, sizes: tuple[int, ...]) -> Iterator[list[Cards]]:
    dice = random.Random(seed)
    for _ in range(count):
        deck = [suit + rank for suit in "HLAB" for rank in ACE_KING]
        size = dice.choice(sizes)
        if size < 6 and dice.random() < 0.5:  # fewer suits meet more often
            deck = [card for card in deck if card[0] in "HL"]
        dice.shuffle(deck)
        yield [deck[i * size : (i + 1) * size] for i in range(3)]


def written(hands: list[Cards]) -> str:
    return " / ".join(" ".join(hand) for hand in hands)


@cache
def game_of(contract: str, variant: str, trump: str | None, **more: Any) -> Any:
    settings = {"contract": contract, "trump": trump, "prerequisites": False}
    return dragon.game({"name": "ulti", **settings, **VARIANTS[variant], **more})


SEARCHES = [
    dragon.search(f"alphabeta(deepening=false, megabytes=0.1, {rest})")
    for rest in (
        "pvs=false, killers=false",
        "reduce=false",
        "bounds=false, order=false",
        "table=false, history=false",
    )
]


@pytest.mark.parametrize(
    "variant",
    [pytest.param(v, marks=[pytest.mark.full] * (v not in ("real", "original"))) for v in VARIANTS],
)
@pytest.mark.parametrize("contract", CONTRACTS)
def test_endgames_are_worth_what_the_whole_tree_says(contract: str, variant: str) -> None:
    seen = set()
    for i, hands in enumerate(endgames(f"{contract} {variant}", 8, (2, 3, 3, 4))):
        trump = None if contract in WITHOUT else "HLAB"[i % 4] if i % 3 else "H"
        if "ulti" in contract and i % 2:  # or the 7 would hardly ever be there
            spare = [c for c in hands[0] if c != f"{trump}7"]
            hands = [[c for c in hand if c != f"{trump}7"] for hand in hands]
            size = max(map(len, hands))
            hands[0] = [f"{trump}7", *spare][:size]
            if len(set(map(len, hands))) > 1:
                continue
        reference = Reference(contract, trump, variant)
        truth = reference.made(hands, 0, [], ())
        state = game_of(contract, variant, trump).parse(written(hands))
        seen.add(truth)
        for search in SEARCHES:
            result = search.best(state)
            assert result.bound is Bound.EXACT
            assert (result.value > 0) == truth, f"{search}: {contract} {trump} {written(hands)}"
        if contract in NEED:
            state = game_of(contract, variant, trump, objective="points").parse(written(hands))
            units = reference.units(hands, 0, [])
            for search in SEARCHES:
                assert search.best(state).value == units, f"{search}: {state}"
    assert seen


ONE_OFF = [
    dragon.search(f"alphabeta(megabytes=0.1, {rest})")
    for rest in (
        "deepening=false, aspiration=false, killers=false",
        *(f"deepening=false, {name}=false" for name in ("pvs", "order", "history", "killers")),
        *(f"deepening=false, {name}=false" for name in ("table", "reduce", "bounds", "aspiration")),
        "deepening=true",
    )
]
"""Every pruning on, and each of them off alone."""


def somewhere(contract: str, trump: str | None, variant: str, dice: random.Random) -> Any:
    """A random point of an endgame, often close to call: hands, lead, cards on the table, units."""
    ranks = Reference(contract, trump, variant).ranks
    deck = [suit + rank for suit in dice.choice(("HLAB", "HL", "HLA")) for rank in ranks]
    size = dice.choice((2, 3, 3, 4))
    dice.shuffle(deck)
    deck = deck[: 3 * size]
    if dice.random() < 0.6:  # the declarer's are the strong ones, or in betli the weak
        deck.sort(key=lambda card: (card[0] == trump, ranks.index(card[1])))
        deck = deck if contract == "betli" else deck[::-1]
        rest = deck[size:]
        dice.shuffle(rest)
        deck = deck[:size] + rest
    if "ulti" in contract and dice.random() < 0.9:
        deck = [f"{trump}7", *(card for card in deck if card != f"{trump}7")][: 3 * size]
    hands = [deck[i * size : (i + 1) * size] for i in range(3)]
    lead, table = dice.randrange(3), []
    need = Reference(contract, trump, variant).need
    gone = 8 - sum(card[1] in "XA" for card in deck)
    before = dice.randint(max(0, min(gone, need - 4)), min(gone, need - 1)) if need else 0
    reference = Reference(contract, trump, variant, before)
    for i in range(dice.randrange(3)):
        seat = (lead + i) % 3
        table.append(dice.choice(reference.legal(hands[seat], table)))
        hands[seat] = [card for card in hands[seat] if card != table[-1]]
    text = f"{written(hands)}, lead {lead}{': ' + ' '.join(table) if table else ''}"
    return reference, hands, lead, table, text + (f", units {before}" if before else "")


@pytest.mark.samples(1)
@pytest.mark.parametrize("variant", ["real", "original"])
@pytest.mark.parametrize(
    "contract", [*CONTRACTS, *(pytest.param(each, marks=pytest.mark.full) for each in MORE)]
)
def test_any_point_of_an_endgame_with_and_without_each_pruning(contract: str, variant: str) -> None:
    dice, seen = random.Random(f"{contract} {variant}"), []
    while len(seen) < 60 and not (len(seen) >= 25 and {*seen} == {True, False}):
        trump = None if contract in WITHOUT else dice.choice("HLAB"[:2])
        reference, hands, lead, table, text = somewhere(contract, trump, variant, dice)
        state = game_of(contract, variant, trump).parse(text)
        if state.turn == TERMINAL:
            assert (state.payoff()[0] > 0) == reference.made(hands, lead, table, ())
            continue
        truth = reference.made(hands, lead, table, ())
        seen.append(truth)
        sign = 1 if state.turn == 0 else -1
        for search in ONE_OFF:
            assert (sign * search.best(state).value > 0) == truth, f"{search}: {state}"
        if contract in NEED:
            state = game_of(contract, variant, trump, objective="points").parse(text)
            units = reference.before + reference.units(hands, lead, table)
            for search in ONE_OFF:
                assert sign * search.best(state).value == units, f"{search}: {state}"
    assert {*seen} == {True, False}, "both are there, or the endgames are too easy"


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_legal_card_and_every_taker_is_that_of_the_reference(variant: str) -> None:
    dice = random.Random(variant)
    for contract in ("party", "betli", "durchmars_trump"):
        trump = None if contract in WITHOUT else "L"
        reference = Reference(contract, trump, variant)
        game = game_of(contract, variant, trump)
        for hands in endgames(f"{variant} {contract}", 12, (10,)):
            state, left, lead, table = game.parse(written(hands)), hands, 0, []
            while state.turn != TERMINAL:
                seat = (lead + len(table)) % 3
                assert state.turn == seat
                assert sorted(state.moves()) == sorted(reference.legal(left[seat], table))
                card = dice.choice(list(state.moves()))
                state = state.after(card)
                left = [[c for c in hand if c != card] for hand in left]
                table = [*table, card]
                if len(table) == 3:
                    lead, table = (lead + reference.taker(table)) % 3, []


def test_all_contracts_fail_and_are_made_in_the_endgames_tried() -> None:
    for contract in ("party", "ulti", "betli", "durchmars_trump", "four_aces", "four_tens"):
        seen = set()
        for hands in endgames(contract, 40, (2, 3)):
            trump = None if contract in WITHOUT else "H"
            if contract == "ulti":
                rest = [c for hand in hands for c in hand if c != "H7"]
                size = len(rest) // 3
                hands = [["H7", *rest[: size - 1]], rest[size : 2 * size], rest[-size:]]
            state = game_of(contract, "real", trump).parse(written(hands))
            truth = Reference(contract, trump, "real").made(hands, 0, [], ())
            value = state.payoff()[0] if state.turn == TERMINAL else SEARCHES[0].best(state).value
            assert (value > 0) == truth, written(hands)
            seen.add(truth)
        assert seen == ({False, True} if contract != "party" else {False}), contract


@pytest.mark.full
@pytest.mark.parametrize(
    ("contract", "objective"),
    [(contract, "make") for contract in ("party", "four_aces", "four_tens", "betli")]
    + [("party", "points")],
)
def test_positions_of_one_key_are_worth_the_same(contract: str, objective: str) -> None:
    trump = None if contract in WITHOUT else "H"
    game = game_of(contract, "real", trump, objective=objective)
    reference = Reference(contract, trump, "real")
    found: dict[int, set[float]] = {}
    for hands in endgames(contract, 1500, (1, 2)):
        state = game.parse(written(hands))
        if state.turn != TERMINAL:
            points = objective == "points"
            value = reference.units(hands, 0, []) if points else reference.made(hands, 0, [], ())
            found.setdefault(state.key(), set()).add(value)
    assert all(len(values) == 1 for values in found.values())
    if contract != "party" or objective == "points":  # two cards never make a party
        assert 1400 > len(found) > 50, "of 1500"


def test_the_key_looks_at_relative_ranks_and_is_0_within_a_trick() -> None:
    game = game_of("betli", "real", None)
    one, two = game.parse("H7 HO / H8 LK / H9 LA"), game.parse("H8 HU / H9 LX / HX LU")
    assert one != two
    assert one.key() == two.key() != 0
    assert one.after("H7").key() == 0
    literal = game_of("betli", "original", None)
    one, two = literal.parse("H7 HO / H8 LK / H9 LA"), literal.parse("H8 HU / H9 LX / HX LU")
    assert one.key() != two.key()


def test_equivalent_cards_are_one_move_to_a_search() -> None:
    party = game_of("party", "real", "H")
    state = party.parse("H7 H9 HX HA / H8 HK L7 L8 / HU HO LA LX")
    assert list(state.distinct()) == ["H7", "H9", "HX"], "8 divides, X and A are next to each other"
    assert list(state.moves()) == ["H7", "H9", "HX", "HA"]
    tens = game_of("four_tens", "real", "H").parse("H7 H9 HX HA / H8 HK L7 L8 / HU HO LA LX")
    assert list(tens.distinct()) == ["H7", "H9", "HX", "HA"]
    ulti = game_of("ulti", "real", "H").parse("H7 H8 H9 / HA HK HO / L7 L8 L9")
    assert list(ulti.distinct()) == ["H7", "H8"]
    gone = game_of("ulti", "real", "H").parse("H8 HU HX / HA L8 L9 / L7 A8 A9, lead 0")
    assert len(gone.distinct()) <= 2 or gone.turn == TERMINAL


def test_marriages_move_what_a_party_needs() -> None:
    hands = (
        "HO HK LO LK A7 A8 A9 B7 B8 B9 / HA HX AO AK LA LX AA AX BA BX / "
        "H7 H8 H9 HU L7 L8 L9 LU BO BK"
    )
    plain = dragon.game("ulti(contract='party', marriages=true, marriage_trick=false)").parse(hands)
    assert plain.record.need == 5 - 3 + 2, "declarer 40 + 20, defenders 20 + 20"
    lazy = dragon.game("ulti(contract='party', marriages=true)")
    state = lazy.parse(hands)
    assert (state.record.need, state.record.pending) == (5, 3 + 16 * 2)
    for card in ("A7", "AA", "H7"):
        state = state.after(card)
    assert (state.record.need, state.record.pending) == (7, 3), "the defenders have a trick"
    assert lazy.parse(str(state)) == state
    assert rules_of(lazy).largest == 1


@pytest.mark.samples(1)
@pytest.mark.parametrize(
    "settings",
    [
        "deepening=false, killers=false, aspiration=false",
        "deepening=false, pvs=false, reduce=false",
        "bounds=false, depth=6",
        "megabytes=0.0005, depth=9",
    ],
)
def test_the_kernel_and_plain_python_visit_the_same_nodes(
    settings: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = dragon.search(f"alphabeta({settings})")
    games = [
        game_of("forty_hundred", "real", "A", objective="points"),
        game_of("betli", "original", None),
    ]
    for game in games:
        for hands in endgames(settings, 3, (3, 4)):
            state = game.parse(written(hands))
            said = []
            for jit in "10":
                monkeypatch.setattr(JIT, "value", jit)
                result = search.best(state)
                said.append((result.value, result.bound, result.line, result.nodes))
            assert said[0] == said[1], str(state)


def test_bounds_hold_at_every_turn_of_a_game() -> None:
    dice = random.Random(5)
    game = game_of("party", "real", "B", objective="points")
    for hands in endgames("bounds", 20, (4, 10)):
        states = [game.parse(written(hands))]
        while states[-1].turn != TERMINAL:
            states.append(states[-1].after(dice.choice(list(states[-1].moves()))))
        units = states[-1].payoff()[0]
        for state in states[:-1]:
            least, most = state.bounds()
            assert state.banked() == least <= units <= most


def test_best_lines_are_all_lines_on_which_nobody_errs() -> None:
    from dragon_ulti.answers import best_lines

    game = game_of("party", "real", "H", objective="points")
    for hands in endgames("lines", 6, (2,)):
        state, reference = game.parse(written(hands)), Reference("party", "H", "real")
        value = reference.units(hands, 0, [])
        found = list(best_lines(state))
        assert len(set(found)) == len(found) > 0
        for line in found:
            end = state
            for move in line:
                end = end.after(move)
            assert end.turn == TERMINAL
            assert end.payoff()[0] == value
        firsts = {
            card
            for card in reference.legal(hands[0], [])
            if reference.units([[c for c in hand if c != card] for hand in hands], 0, [card])
            == value
        }
        assert {line[0] for line in found} == firsts
