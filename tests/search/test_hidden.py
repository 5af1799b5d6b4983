"""Hidden information: worlds agree with what was seen, each as likely, and no search peeks."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
from dragon import CHANCE, TERMINAL, Game, Limit, Position, Result, Run, Search, State
from dragon.laws import SEARCH_LAWS, LawBroken
from dragon.modes import OPTIMISED
from dragon.search.determinize import Determinize

pytestmark = pytest.mark.samples(1)

PEEKING = next(law for law in SEARCH_LAWS if law.name == "law_no_search_peeks")


# ---- Kuhn poker -----------------------------------------------------------------------------


def test_kuhn_poker_pays_as_the_paper_says() -> None:
    kuhn = dragon.game("kuhn")
    ends = {
        "KQ pass pass": 1, "QK pass pass": -1, "KQ pass bet pass": -1, "QK pass bet bet": -2,
        "KQ pass bet bet": 2, "JK bet pass": 1, "JK bet bet": -2, "KJ bet bet": 2,
    }  # fmt: skip
    for text, gain in ends.items():
        assert kuhn.parse(text).turn == TERMINAL
        assert kuhn.parse(text).payoff() == (gain, -gain)


def test_a_view_of_kuhn_says_nothing_of_the_other_seat() -> None:
    kuhn = dragon.game("kuhn")
    view, rng = kuhn.parse("K? pass"), np.random.default_rng(0)
    assert str(view.seen(1)) == "?? pass"
    with pytest.raises(dragon.GameError, match=r"K\? pass is not what seat 1 sees"):
        view.determinize(rng)
    for text in ("KQ pass pass", "K? bet bet", "-"):  # nothing to decide, so nothing to imagine
        assert kuhn.parse(text).determinize(rng) == kuhn.parse(text)


def expected(state: State[Any], strategy: dict[str, float]) -> float:
    """Seat 0's mean payoff when both bet with the probability given for what they see."""
    if state.turn == TERMINAL:
        return state.payoff()[0]
    if state.turn == CHANCE:
        return sum(p * expected(state.after(m), strategy)
                   for m, p in zip(state.moves(), state.odds(), strict=True))  # fmt: skip
    bet = strategy[str(state.seen(state.turn))]
    return bet * expected(state.after("bet"), strategy) + (1 - bet) * expected(
        state.after("pass"), strategy
    )


@pytest.mark.parametrize("bluff", [0.0, 0.2, 1 / 3])
def test_the_equilibria_of_kuhn_lose_an_eighteenth(bluff: float) -> None:
    strategy = {
        "J?": bluff, "Q?": 0, "K?": 3 * bluff, "J? pass bet": 0, "Q? pass bet": bluff + 1 / 3,
        "K? pass bet": 1, "?J pass": 1 / 3, "?Q pass": 0, "?K pass": 1, "?J bet": 0,
        "?Q bet": 1 / 3, "?K bet": 1,
    }  # fmt: skip
    assert expected(dragon.game("kuhn").start(), strategy) == pytest.approx(-1 / 18)


@pytest.mark.full
def test_averages_over_worlds_are_what_brute_force_says() -> None:
    state = dragon.game("kuhn").parse("Q? pass bet")
    result = dragon.search("determinize(search='exhaustive', samples=4000)").best(state)
    means = {move: tally["value"] for move, tally in result.extra["moves"].items()}
    assert means["pass"] == -1  # gives the ante up, whoever holds what
    assert means["bet"] == pytest.approx(0, abs=0.13)  # 4 standard errors: it wins or loses 2
    assert result.error == pytest.approx(2 / 4000**0.5, rel=0.02)


def test_votes_are_counted_and_the_value_is_that_of_all_worlds() -> None:
    state = dragon.game("kuhn").parse("Q? pass bet")
    result = dragon.search("determinize(search='exhaustive', samples=400, vote=true)").best(state)
    votes = {move: tally["simulations"] for move, tally in result.extra["moves"].items()}
    assert sum(votes.values()) == 400
    assert result.move == max(votes, key=votes.__getitem__)
    # a call wins 2 from a jack, a pass loses 1 to a king
    assert result.value == pytest.approx((2 * votes["bet"] - votes["pass"]) / 400)


@pytest.mark.full
def test_a_vote_has_the_whole_limit_for_its_searches() -> None:
    state = dragon.game("ulti(contract='betli', cards='hidden')").start(4)
    inner = "mcts(simulations=1000000)"
    search = dragon.search(f"determinize(search={inner!r}, samples=4, vote=true)")
    assert search.best(state, Limit(nodes=8000)).nodes > 4000


# ---- nobody peeks ---------------------------------------------------------------------------


@frozen
class Thief(Search):
    """Plays by the other seat's card, if it is shown."""

    name = "thief"

    def improve(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[Result]:
        own, other = (str(state)[seat] for seat in (state.turn, 1 - state.turn))
        higher = other == max("JQK".replace(own, ""), key="JQK".index)
        yield Result(0.0, line=("pass" if higher else "bet",))


@frozen
class Burglar(Thief):
    """Goes round the front door."""

    name = "burglar"

    def open(self, game: Game[Any] | None = None) -> Run:
        return Open(self, game)


class Open(Run):
    """Show the whole state."""

    def results(self, position: Position, *_: Any) -> Iterator[Result]:
        return self.search.improve(position.state, Limit(), np.random.default_rng(0))


def test_whoever_asks_a_search_shows_it_no_more_than_its_seat_sees() -> None:
    kuhn = dragon.game("kuhn")
    moves = {Thief().best(kuhn.parse(deal)).move for deal in ("QK", "QJ")}
    assert len(moves) == 1
    PEEKING(Thief(), kuhn)


def test_the_law_catches_a_search_that_peeks() -> None:
    with pytest.raises(LawBroken, match="by one seed"):
        PEEKING(Burglar(), dragon.game("kuhn"))


@pytest.mark.parametrize("inner", ["alphabeta(megabytes=1)", "mcts(simulations=30)"])
def test_states_alike_to_a_seat_get_one_decision(inner: str) -> None:
    game = dragon.game("ulti(contract='party', cards='hidden')")
    search = Determinize(dragon.search(inner), samples=4)
    state = game.start(7)
    for _ in range(7):
        rng = np.random.default_rng(3)
        worlds = [state.determinize(rng) for _ in range(4)]
        assert len({str(world) for world in worlds}) > 1
        first = search.best(state, seed=1)
        assert {search.best(world, seed=1).move for world in worlds} == {first.move}
        state = state.after(first.move)


@pytest.mark.full
def test_a_limit_ends_it_and_whole_worlds_count() -> None:
    state = dragon.game("ulti(cards='hidden')").start(2)
    search = dragon.search("determinize(search='alphabeta(deepening=false)')")
    with OPTIMISED.under("1"):  # so that nothing is compiled within the time
        result = search.best(state, Limit(seconds=0.4))
    assert result.seconds < 1.5
    counts = {tally["simulations"] for tally in result.extra["moves"].values()}
    assert counts == {result.extra["simulations"]}
    assert search.best(state, Limit(simulations=3)).extra["simulations"] == 3


def test_objections_are_those_of_the_inner_search() -> None:
    kuhn, nim, ulti = map(dragon.game, ("kuhn", "nim", "ulti(cards='hidden')"))
    barred = dragon.search("determinize(search='negamax(depth=3)')").objection(kuhn)
    objection = "negamax(depth=3) inside determinize does not support chance (kuhn)"
    assert str(barred).startswith(objection)
    assert dragon.search("determinize").objection(kuhn) is None
    assert "needs hidden" in str(dragon.search("determinize").objection(nim))
    assert dragon.search("determinize(search='exhaustive')").objection(kuhn) is None
    assert dragon.search("determinize").objection(ulti) is None
    assert "hidden" in str(dragon.search("alphabeta").objection(ulti))
    nested = dragon.search("determinize(search='determinize')")
    assert "with nothing hidden, and determinize needs that" in str(nested.objection(ulti))


def test_a_search_among_settings_reads_back_and_is_checked() -> None:
    search = dragon.search("determinize(search='mcts(c=0.7)', samples=5)")
    assert str(search) == "determinize(search='mcts(c=0.7)', samples=5)"
    assert dragon.search({"search": "determinize", "samples": 5,
                          }) == dragon.search("determinize(samples=5)")  # fmt: skip
    with pytest.raises(dragon.DragonError, match=r"did you mean 'mcts'.*determinize\.search"):
        dragon.search("determinize(search='mtcs')")
    with pytest.raises(dragon.ConfigError, match=r"must be a search .* @ determinize\.search"):
        dragon.search("determinize(search=3)")


# ---- lots -----------------------------------------------------------------------------------


def deals(cards: tuple[int, ...], barred: tuple[int, ...], room: tuple[int, ...]) -> Iterator[Any]:
    """Every way to deal the cards, by brute force."""
    for owners in itertools.product(range(len(room)), repeat=len(cards)):
        if all(owners.count(place) == n for place, n in enumerate(room)) and not any(
            barred[place] >> card & 1 for card, place in zip(cards, owners, strict=True)
        ):
            yield tuple(
                tuple(c for c, owner in zip(cards, owners, strict=True) if owner == place)
                for place in range(len(room))
            )


@given(
    st.lists(st.integers(0, 2), min_size=0, max_size=6),
    st.tuples(*[st.integers(0, 63)] * 3),
    st.integers(0, 1000),
)
@settings(max_examples=80)
def test_random_deals_are_counted_and_drawn_as_by_brute_force(
    owners: list[int], barred: tuple[int, ...], seed: int
) -> None:
    from dragon_ulti.random_deal import draw, kinds_of, ways

    cards, room = tuple(range(len(owners))), tuple(owners.count(i) for i in range(3))
    possible = set(deals(cards, barred, room))
    kinds = tuple((places, len(group)) for places, group in kinds_of(cards, barred).items())
    assert ways(kinds, room) == len(possible)
    got = draw(cards, barred, room, np.random.default_rng(seed))
    assert got in possible if possible else got is None


def test_every_deal_is_drawn_as_often() -> None:
    from dragon_ulti.random_deal import draw

    cards, barred, room = (0, 1, 2, 3, 4, 5), (0b000011, 0b000100, 0), (2, 2, 2)
    possible = list(deals(cards, barred, room))
    rng, n = np.random.default_rng(20), 200
    seen = Counter(draw(cards, barred, room, rng) for _ in range(n * len(possible)))
    chi_square = sum((seen[deal] - n) ** 2 / n for deal in possible)
    free = len(possible) - 1
    assert set(seen) == set(possible)
    assert abs(chi_square - free) < 4 * (2 * free) ** 0.5  # mean and variance of chi square


# ---- Ulti -----------------------------------------------------------------------------------


def begun(state: Any) -> Any:
    """The table at which play of a state of Ulti began."""
    return state.rules.notation.base_of(state.record)


def announced(state: Any) -> list[int]:
    """The announcement of each seat: 40 as 1 and each 20 as 2, and 1 more; 0 for nothing yet."""
    return [int(each) for each in state.record.announced]


def worlds_by_brute_force(game: Any, state: Any) -> set[str]:
    """Every deal of the unseen cards with which the same game could have been played."""
    from dragon_ulti.cards import Deal, name, names

    seat, base = state.turn, begun(state).deal
    others = [i for i in range(3) if i != seat]
    unseen = [card for i in others for card in base.hands[i]]
    size, found = len(base.hands[seat]), set()
    cards = state.rules.notation.played(state.record)
    for first in itertools.combinations(unseen, size):
        hands: list[tuple[int, ...]] = [()] * 3
        hands[seat] = base.hands[seat]
        hands[others[0]] = tuple(sorted(first))
        hands[others[1]] = tuple(sorted(set(unseen) - set(first)))
        text = str(Deal((hands[0], hands[1], hands[2])))
        lead = f", lead {begun(state).lead}" if begun(state).lead else ""
        played = f", played {names(cards)}" if cards else ""
        try:
            there = game.parse(f"{text}{lead}{played}")
        except dragon.GameError:  # somebody could not have played so
            continue
        if there.turn == seat:
            found.add(str(there))
    assert all(name(card) for card in unseen)
    return found


@pytest.mark.full
@pytest.mark.parametrize("contract", ["betli", "ulti", "party", "durchmars_trump"])
@pytest.mark.parametrize("rules", ["real", pytest.param("original", marks=pytest.mark.full)])
def test_worlds_are_all_that_agree_with_play_and_each_as_likely(contract: str, rules: str) -> None:
    spec = f"ulti(contract={contract!r}, rules={rules!r}, prerequisites=false, cards='hidden')"
    game = dragon.game(spec)
    rng, tried = np.random.default_rng(11), 0
    while tried < 4:
        cards = rng.permutation(32)[:12].tolist()
        from dragon_ulti.cards import names

        state = game.parse(" / ".join(names(cards[i : i + 4]) for i in (0, 4, 8)))
        for _ in range(int(rng.integers(2, 8))):
            if state.turn != TERMINAL:
                state = state.after(state.moves()[int(rng.integers(len(state.moves())))])
        if state.turn == TERMINAL:
            continue
        tried += 1
        possible = worlds_by_brute_force(game, state)
        assert str(state) in possible
        n = 40
        seen = Counter(str(state.determinize(rng)) for _ in range(n * len(possible)))
        assert set(seen) <= possible
        free = len(possible) - 1
        chi_square = sum((seen[world] - n) ** 2 / n for world in possible)
        assert chi_square - free < 5 * (2 * free) ** 0.5 + 1e-9


def by_pairs(setting: Any, card: int, trick: tuple[int, ...]) -> set[str]:
    """The cards with each of which, and no other, `card` may not be played to a trick."""
    from dragon_ulti import rules
    from dragon_ulti.cards import name
    from dragon_ulti.record import blank, lay

    record, own = blank(), 1 << setting.place(card)
    lay(record, setting, trick)
    found = set()
    for other in set(range(32)) - {card, *trick}:
        record.hands[0] = own | 1 << setting.place(other)
        if not int(rules.legal(record)) & own:
            found.add(name(other))
    return found


def by_rule(setting: Any, card: int, trick: tuple[int, ...]) -> set[str]:
    """Return the cards that the rule keeps."""
    from dragon_ulti import views
    from dragon_ulti.cards import card_at, name
    from dragon_ulti.record import blank, lay

    record = blank()
    lay(record, setting, trick)
    bits = int(views.forced(record, setting.place(card)))
    cards = {card_at(i, setting.order) for i in range(32) if bits >> i & 1}
    return {name(each) for each in cards - {card, *trick}}


def test_a_seat_that_cannot_follow_holds_none_of_it() -> None:
    game = dragon.game("ulti(contract='party', trump='H', cards='hidden')")
    led = 8 + 4  # LU, to which AK is thrown away: neither leaves nor hearts
    thrown = by_rule(game.setting, 16 + 6, (led,))
    assert thrown == {s + r for s in "HL" for r in "789XUOKA"} - {"LU"}
    # L8 under LU: nothing higher, ten below ace
    assert by_rule(game.setting, 8 + 1, (led,)) == {"LO", "LK", "LX", "LA"}


@pytest.mark.full
@given(st.permutations(range(32)), st.integers(1, 2))
@settings(max_examples=60)
def test_what_a_card_denies_is_what_pairs_of_cards_say(deck: list[int], laid: int) -> None:
    for rules in ("real", "original"):
        for contract in ("party", "betli"):
            setting = dragon.game(f"ulti(contract={contract!r}, rules={rules!r})").setting
            for card in deck[laid : laid + 8]:
                trick = tuple(deck[:laid])
                assert by_rule(setting, card, trick) == by_pairs(setting, card, trick)


def test_the_declarer_sees_the_talon_and_defenders_do_not() -> None:
    state = dragon.game("ulti(cards='hidden')").start(5)
    assert begun(state.seen(0)).deal.talon == begun(state).deal.talon
    after = state.after(state.moves()[0])
    view = after.seen(1)
    assert begun(view).deal.talon == ()
    assert begun(view).deal.hands[0] == begun(view).deal.hands[2] == ()
    talons = {begun(after.determinize(np.random.default_rng(i))).deal.talon for i in range(30)}
    assert len(talons) > 15


def test_announced_marriages_and_the_bid_are_believed() -> None:
    from dragon_ulti.contracts import announcement

    game = dragon.game("ulti(contract='party', marriages=true, cards='hidden')")
    state = game.start(3)
    for _ in range(3):
        state = state.after(state.moves()[0])
    said = [announcement(hand, 0) for hand in begun(state).deal.hands]
    assert announced(state) == [1 + each.count("40") + 2 * each.count("20") for each in said]
    rng = np.random.default_rng(0)
    for _ in range(30):
        world = state.determinize(rng)
        assert [announcement(hand, 0) for hand in begun(world).deal.hands] == said
    bid = dragon.game("ulti(contract='forty_hundred+ulti', cards='hidden')").start(1)
    bid = bid.after(bid.moves()[0])
    for _ in range(30):
        hand = begun(bid.determinize(rng)).deal.hands[0]
        assert {0, 5, 6} <= set(hand)  # H7, HO and HK


@pytest.mark.full
def test_what_was_announced_and_bid_leaves_all_other_cards_as_likely() -> None:
    from dragon_ulti.cards import Deal, names
    from dragon_ulti.contracts import announcement

    spec = "party+ulti', marriages=true, trump='L', cards='hidden"
    game = dragon.game(f"ulti(contract='{spec}')")
    state = game.start(2)
    for _ in range(2):
        state = state.after(state.moves()[-1])
    assert state.turn == 2
    view, rng, n = state.seen(2), np.random.default_rng(8), 1500
    notation = state.rules.notation
    led, followed = notation.played(state.record)
    own = begun(view).deal.hands[2]
    unseen = [card for card in range(32) if card not in own]
    said = [announcement(hand, 1) for hand in begun(state).deal.hands[:2]]
    assert led >> 3 == followed >> 3  # so of seat 1 at most higher cards of that suit are denied

    def naive() -> Iterator[Deal]:
        """Shuffled until all agrees: bid, cards played, whether they might be, what was said."""
        while True:
            deck = rng.permutation(unseen).tolist()
            if led not in deck[:10] or followed not in deck[10:20]:
                continue
            hands = [tuple(sorted(deck[:10])), tuple(sorted(deck[10:20])),
                     own]  # fmt: skip
            deal = Deal((hands[0], hands[1], hands[2]), tuple(sorted(deck[20:])))
            if game.setting.unmet(deal):
                continue
            if [announcement(hand, 1) for hand in hands[:2]] != said:
                continue
            try:
                game.parse(f"{deal}, played {names((led, followed))}")
            except dragon.GameError:
                continue
            yield deal

    drawn = [begun(state.determinize(rng)).deal for _ in range(n)]
    shuffled = list(itertools.islice(naive(), n))
    for card in unseen:
        for seat in (0, 1):
            ours, theirs = (sum(card in deal.hands[seat] for deal in some) / n
                            for some in (drawn, shuffled))  # fmt: skip
            assert ours == pytest.approx(theirs, abs=4.5 * (0.5 / n) ** 0.5), (card, seat)


def test_views_read_back_and_a_wrong_one_says_why() -> None:
    game = dragon.game("ulti(contract='betli', cards='hidden', prerequisites=false)")
    view = game.parse("? / HA LA / ? , among H7 H8 L7 L8, lead 2, played H7")
    assert (view.turn, view.record.viewer, str(game.parse(str(view)))) == (0, 2, str(view))
    wrong = {
        "? / ? / ?": "not a view",
        "HA LA / ? / ?": "leaves 30 cards for two hands of 2",
        "HA HA / ? / ?": "there twice",
        "HA LA / ? / ? / L7": "the talon of .* has 1 cards; write two, or ?",
        "HA LA / ? / ? / L7 HA": "HA is in the hand and in the talon of 'HA LA ",
        "HA LA / ? / ?, among H7 H8 L7 L8, lead 7": "'lead 7' in 'HA LA / . / ., among .* no seat",
        "HA LA / ? / ?, among HA H8 L7 L8": "both seen and not",
        "HA LA / ? / ?, among H7 H8 L7 L8, played H7": "does not hold it",
        "HA LA / ? / ?, among H7 H8 L7 L8, lead 1, played LA": "is not unseen",
        "? / HA LA / ?, among H7 H8 L7 L8, played H7 LA": "is not legal; legal: HA",
        "HA LX / ? / ?, among H7 H8 L7 L8, told 5: 20": "write 'told",
        "HA ZZ / ? / ?": "is not a card",
        "HA LA / ? / ?, among H7 H8 L7 L8, failed": "'failed' in .* is not understood",
        "HA LA / ? / ?, among H7 H8 L7 L8, played HA, played LA": "is said twice",
        # seat 1 had no heart, and then has one
        "HA LA / ? / ?, among H7 H8 L7 L8, played HA L7 H7 LA H8": "5 .* H8, .*it cannot hold it",
        "HA LA / ? / ?, among H7 H8 L7 L8, played HA H7 H8 LA L7 L8 A7": "has 7 cards played",
        "HA LA / ? / ?, among H7 H8 L7 L8, told 0: 20": "only with marriages=true",
    }
    waiting = game.parse("HA LA / ? / ?, among H7 H8 L7 L8, played HA")
    with pytest.raises(dragon.GameError, match="is not what seat 1 sees, which is to move"):
        waiting.determinize(np.random.default_rng(0))
    for text, reason in wrong.items():
        with pytest.raises(dragon.BadNotation, match=reason):
            game.parse(text)


def test_announcements_in_a_view_are_such_as_can_be() -> None:
    game = dragon.game("ulti(contract='party', marriages=true, cards='hidden')")
    hand = "HA HK HO HX H7 LA L8 AA B9 BX / ? / ? / L7 B7"
    view = game.parse(f"{hand}, told 0: 40; 1:  20  20, played HA H8")
    assert announced(view) == [2, 5, 0]
    assert game.parse(str(view)) == view
    wrong = {
        "told 0: 40": "seat 0 announced, but it has played no card",
        "told 0: 20, played HA": "seat 0 announced 20, but its cards have 40",
        "told 1: 40, played HA H8": "seat 1 announced 40, but its cards have at most 20 20 20",
        "told 0: 40; 0: 40, played HA": "says it twice",
        "told 1: 4020, played HA H8": "write 'told",
    }
    for clauses, reason in wrong.items():
        with pytest.raises(dragon.BadNotation, match=reason):
            game.parse(f"{hand}, {clauses}")


def test_a_view_that_no_deal_fits_is_told() -> None:
    game = dragon.game("ulti(contract='betli', cards='hidden', prerequisites=false)")
    # both others fail to follow hearts, but one of them must hold H8
    view = game.parse("HA L7 / ? / ?, among H8 L8 A7 A8, played HA A7 A8, lead 0")
    with pytest.raises(dragon.GameError, match="no deal agrees"):
        dragon.search("determinize").best(view)


# ---- at the terminal ------------------------------------------------------------------------


def played(text: str, *words: str) -> str:
    """Give what `dragon play` prints to a person who types `text`."""
    from click.testing import CliRunner

    from dragon.cli import main

    result = CliRunner().invoke(main, ["play", *words], input=text)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_person_at_the_terminal_sees_no_more_than_their_seat() -> None:
    text = played("bet\n", "kuhn", "--seats", "human,random", "--seed", "4")
    before, _, after = text.partition("first (human) to move> bet")
    (own,) = {word for word in before.split() if word.endswith("?")}
    assert "chance has moved" in before
    assert own in ("J?", "Q?", "K?")
    assert any(deal in after for deal in ("JQ", "JK", "QJ", "QK", "KJ", "KQ"))  # it is over


def test_ulti_at_the_terminal_shows_one_hand() -> None:
    from dragon_ulti.cards import pretty

    text = played("quit\n", "ulti(cards='hidden')", "--seats", "human,random,random")
    state = dragon.game("ulti(cards='hidden')").start(0)
    own, *others = begun(state).deal.hands
    assert all(pretty(card)[1:] in text for card in own)
    assert f"seat 1{' ' * 3}{pretty(others[0][0])[0]}" not in text


def test_without_a_search_hidden_games_get_one_that_imagines() -> None:
    from dragon.cli_tools import chosen_search

    assert chosen_search(None, dragon.game("ulti(cards='hidden')")).name == "determinize"
    assert chosen_search(None, dragon.game("kuhn")).name == "determinize"


@pytest.mark.full
def test_winnable_deals_can_be_made_and_are_as_secret() -> None:
    from dragon_ulti.answers import verdict

    game = dragon.game("ulti(contract='party', winnable=true)")
    made = [verdict(game, str(game.start(seed))).made for seed in range(6)]
    assert made == [True] * 6
    closed = dragon.game("ulti(contract='party', winnable=true, cards='hidden')")
    assert str(closed.start(3)) == str(game.start(3))
