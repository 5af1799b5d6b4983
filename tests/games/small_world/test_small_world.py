"""Small World: cards, decks and links, and every bridge against the oracles."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
from dragon.errors import ConfigError, SearchError
from dragon_cards.card import Card, Store
from dragon_cards.tables import PRINTED, store_in
from dragon_small_world.bridges import (
    best_sets,
    bridges,
    denominator,
    disputed,
    numerators,
    squared_numerator,
    squared_numerators,
)
from dragon_small_world.links import linked, linking, links_of, paths, properties, standings
from dragon_small_world.pool import Pool, allowed, condition, pool_of, read_deck
from dragon_small_world.pool import deck_in as deck_of
from dragon_small_world.pool import starter_pool as starter
from dragon_small_world.reach import reach

SHARED = Path(__file__).parents[4] / "shared"
FACTS = SHARED / "facts" / "smallworld" / "monsters.csv"
DECKS = SHARED / "oracles" / "smallworld"
OWN = json.loads((Path(__file__).parents[2] / "oracles" / "small_world.json").read_text())

facts = pytest.mark.skipif(not FACTS.exists(), reason="the table of all monsters is outside data")


@pytest.fixture(scope="module")
def everything():
    return pool_of(FACTS)


def mathmech(pool=None, question="text"):
    return links_of(read_deck("mathmech", pool or starter()), question)


def deck_in(pool, text, side=True):
    return deck_of(text, pool, side, "deck")


# ---- oracles ---------------------------------------------------------------------------------


@pytest.mark.samples("kashtira")
@facts
@pytest.mark.parametrize("name", ["mathmech", "kashtira", "random20"])
def test_a_deck_agrees_with_its_oracle(everything, name):
    oracle = json.loads((DECKS / f"{name}.json").read_text())
    deck = read_deck(str(DECKS / f"{name}.ydk"), everything)
    assert [monster.id for monster in deck.monsters] == oracle["deck_ids"]
    assert list(deck.names) == oracle["deck_names"]
    links = links_of(deck, "text")
    assert links.adjacency.astype(int).tolist() == oracle["adjacency"]
    assert links.squared.tolist() == oracle["squared"]
    assert denominator(deck) == oracle["denominator"]
    found = [_row(bridge, deck) for bridge in bridges(links)]
    assert len(found) == oracle["listed_bridges"]
    assert found[: len(oracle["top"])] == oracle["top"]
    targets = [everything.find(str(target["id"])) for target in oracle["required_targets"]]
    found = [_row(bridge, deck) for bridge in bridges(links, targets)]
    assert len(found) == oracle["listed_bridges_required"]
    assert found[: len(oracle["top_required"])] == oracle["top_required"]
    *_, pairs = best_sets(links, 2, 10)
    listed = [
        {"names": [everything.monsters[i].name for i in s.places], "numerator": s.numerator}
        for s in pairs.sets
    ]
    assert pairs.done
    assert pairs.proven
    assert listed[0]["numerator"] == oracle["best_pair_numerator"]
    assert listed == oracle["best_pairs_first10_in_index_order"]


def _row(bridge, deck):
    return {
        "id": bridge.monster.id,
        "name": bridge.monster.name,
        "numerator": bridge.numerator,
        "score": bridge.numerator / denominator(deck),
        "connections": bridge.connections,
        "in_deck": bridge.in_deck,
    }


def test_the_sample_deck_has_the_matrices_of_its_oracle():
    oracle, links = OWN["mathmech"], mathmech()
    assert {m.id for m in links.deck.monsters} == set(oracle["deck_ids"])
    order = [links.deck.places.index(starter().place[i]) for i in oracle["deck_ids"]]
    assert links.adjacency[np.ix_(order, order)].astype(int).tolist() == oracle["adjacency"]
    assert links.squared[np.ix_(order, order)].tolist() == oracle["squared"]
    assert int((links.squared > 0).sum()) == oracle["searchable_pairs_without_bridge"]


def test_every_mathmech_monster_but_multiplication_reaches_circular():
    links = mathmech()
    circular = links.deck.names.index("Mathmech Circular")
    reached = links.squared[:, circular] > 0
    assert [n for n, r in zip(links.deck.names, reached, strict=True) if not r] == [
        "Mathmech Multiplication"
    ]


@pytest.mark.parametrize("hand", [5, 6])
def test_the_odds_of_a_hand_are_those_of_the_oracle(hand):
    oracle, links = OWN["reach"][str(hand)], mathmech()
    found = reach(links, [starter().find("Mathmech Circular")], hand)
    assert [found.opened, found.hands] == oracle["target_opened"]
    assert [found.searched, found.hands] == oracle["reached_by_small_world_when_not_opened"]
    assert [found.total, found.hands] == oracle["total"]
    assert [found.asked, found.hands] == oracle["small_world_without_target"]


@facts
def test_every_row_of_the_starter_pool_is_a_fact(everything):
    known = {monster.id: monster for monster in everything.monsters}
    assert len(starter().monsters) >= 150
    for monster in starter().monsters:
        assert evolve(known[monster.id], archetype=monster.archetype) == monster
    assert set(OWN["mathmech"]["deck_ids"]) <= {m.id for m in starter().monsters}


# ---- the theorem -----------------------------------------------------------------------------


@pytest.mark.parametrize("question", ["text", "zero", "never"])
def test_the_fast_form_agrees_with_squaring_matrices(question):
    links = mathmech(question=question)
    assert numerators(links).tolist() == squared_numerators(links)


def test_no_bridge_without_a_link_and_the_order_is_total():
    links = mathmech()
    found = bridges(links)
    assert all(b.connections for b in found)
    keys = [(-b.numerator, -b.connections, b.monster.name) for b in found]
    assert keys == sorted(keys)
    assert len(found) == int(links.pool.any(1).sum())
    assert {b.monster.name for b in found if b.in_deck} == set(links.deck.names)


# ---- links -----------------------------------------------------------------------------------

ASKED = Card(1, "Asked", "DARK", "Fiend", 4, -1, 100)
ALSO = Card(2, "Also", "FIRE", "Pyro", 5, -1, 200)
NAUGHT = Card(3, "Naught", "WIND", "Aqua", 6, 0, 300)


@pytest.mark.parametrize(
    ("question", "expected"),
    [("text", {(1, 2)}), ("zero", {(1, 2), (1, 3), (2, 3)}), ("never", set())],
)
def test_a_question_mark_equals_what_the_setting_says(question, expected):
    monsters = (ASKED, ALSO, NAUGHT)
    table = properties(monsters, question)
    near = linked(table, table)
    found = {
        (monsters[i].id, monsters[j].id)
        for i, j in combinations(range(3), 2)
        if near[i, j] and near[j, i]
    }
    assert found == expected
    assert not near.diagonal().any()


def test_links_that_hang_on_a_question_mark_are_told():
    pool = Pool(Store((ASKED, ALSO, NAUGHT), "here"))
    links = links_of(deck_in(pool, "Asked"), "text")
    assert disputed(links, [1, 2]) == [True, True]
    assert disputed(mathmech(), [starter().find("Shinobird Crow")]) == [False]


def test_a_type_never_equals_an_attribute():
    one = Card(1, "One", "X", "Y", 1, 10, 20)
    other = Card(2, "Other", "Y", "X", 2, 30, 40)
    table = properties((one, other), "text")
    assert not linked(table, table).any()
    swapped = Card(3, "Swapped", "Z", "Z", 3, 20, 10)
    table = properties((one, swapped), "text")
    assert not linked(table, table).any()


def test_two_properties_are_no_link():
    links = mathmech()
    a, b = (starter().find(name) for name in ("Mathmech Addition", "Mathmech Subtraction"))
    assert (links.table[a] == links.table[b]).sum() > 1
    assert not linked(links.table[[a]], links.table[[b]])[0, 0]


# ---- paths -----------------------------------------------------------------------------------


def test_paths_within_the_deck_are_what_the_square_counts():
    links = mathmech()
    for i, place in enumerate(links.deck.places):
        found = list(paths(links, place))
        assert all(path.in_deck for path in found)
        for j, target in enumerate(links.deck.places):
            count = sum(path.target == target for path in found)
            assert count == links.squared[i, j]


def test_paths_to_a_target_have_bridges_of_the_deck_first():
    links, pool = mathmech(), starter()
    found = list(paths(links, pool.find("D.D. Crow"), pool.find("Mathmech Circular")))
    held = [path.in_deck for path in found]
    assert held == sorted(held, reverse=True)
    assert held[0]
    assert not held[-1]
    for path in found:
        assert linking(links, path.reveal, path.bridge) == path.first
        assert linking(links, path.bridge, path.target) == path.second


def test_the_weakest_monsters_come_first():
    found = standings(mathmech())
    names = [starter().monsters[s.place].name for s in found]
    assert names[0] == "Mathmech Multiplication"
    assert [s.reaches for s in found] == sorted(s.reaches for s in found)
    assert all(len(s.misses) + s.reaches >= len(found) - 1 for s in found)


# ---- the odds of a hand ----------------------------------------------------------------------


def by_hand(links, targets, hand):
    """Count by dealing every hand, card by card."""
    deck, near = links.deck, links.adjacency
    at = {place: i for i, place in enumerate(deck.places)}
    cards = [place for place, copies in deck.main for _ in range(copies)]
    cards += ["small world"] * deck.small_worlds
    cards += [None] * (deck.size - len(cards))
    copies = dict(deck.main)
    opened = asked = searched = 0
    for chosen in combinations(cards, hand):
        if any(target in chosen for target in targets):
            opened += 1
        elif "small world" in chosen:
            asked += 1
            searched += any(
                near[at[r], at[b]] and near[at[b], at[t]] and copies[b] > chosen.count(b)
                for r in {c for c in chosen if c in at}
                for b in copies
                for t in targets
                if t in copies
            )
    return opened, asked, searched


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("Effect Veiler\n2 D.D. Crow\nMathmech Nabla\n2 Mathmech Circular\n2 Small World\n2 other",
         ["Mathmech Circular"]),
        ("Effect Veiler\nD.D. Crow\nMathmech Nabla\n2 PSY-Framegear Gamma\nSmall World\n3 other",
         ["PSY-Framegear Gamma", "Effect Veiler"]),
        ("2 Nibiru, the Primal Being\nEffect Veiler\nMathmech Sigma\nMathmech Circular\n"
         "PSY-Frame Driver\n3 Small World\nother", ["Mathmech Sigma"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("hand", [1, 3, 4])
def test_hands_are_counted_as_they_are_dealt(text, targets, hand):
    links = links_of(deck_in(starter(), text), "text")
    places = [starter().find(name) for name in targets]
    found = reach(links, places, hand)
    assert (found.opened, found.asked, found.searched) == by_hand(links, places, hand)


@given(st.data())
@settings(max_examples=40)
def test_hands_of_any_deck_are_counted_as_they_are_dealt(data):
    places = data.draw(st.lists(st.integers(0, 349), min_size=1, max_size=6, unique=True))
    copies = [data.draw(st.integers(1, 2)) for _ in places]
    names = [f"{n} {starter().monsters[i].name}" for i, n in zip(places, copies, strict=True)]
    small_worlds = data.draw(st.integers(1, 2))
    text = "\n".join([*names, f"{small_worlds} Small World", "1 other"])
    links = links_of(deck_in(starter(), text), data.draw(st.sampled_from(["text", "never"])))
    targets = data.draw(st.lists(st.sampled_from(places), min_size=1, max_size=2, unique=True))
    hand = data.draw(st.integers(1, 5).filter(lambda hand: hand <= links.deck.size))
    found = reach(links, targets, hand)
    assert (found.opened, found.asked, found.searched) == by_hand(links, targets, hand)


def test_too_many_bridges_in_a_hand_are_refused(monkeypatch):
    monkeypatch.setattr("dragon_small_world.reach.MOST_SETS", 0)
    with pytest.raises(SearchError, match="count a smaller hand"):
        reach(mathmech(), [starter().find("Mathmech Circular")], 5)


def test_a_target_that_is_not_in_the_deck_is_told_though_another_is():
    both = [starter().find(name) for name in ("Mathmech Circular", "Sangan")]
    with pytest.raises(ConfigError, match="no copy of Sangan;"):
        reach(mathmech(), both, 5)
    with pytest.raises(ConfigError, match="no copy of nothing at all"):
        reach(mathmech(), [], 5)


def test_hands_that_cannot_be_counted_are_refused():
    links, circular = mathmech(), starter().find("Mathmech Circular")
    with pytest.raises(ConfigError, match="take 1 to 40"):
        reach(links, [circular], 41)
    with pytest.raises(ConfigError, match="no copy of Sangan"):
        reach(links, [starter().find("Sangan")], 5)
    without = links_of(evolve(links.deck, small_worlds=0), "text")
    with pytest.raises(ConfigError, match="no Small World"):
        reach(without, [circular], 5)


# ---- decks -----------------------------------------------------------------------------------


def test_main_and_side_are_read_and_extra_is_not():
    text = "#created by\n#main\n14558127\n14558127\n#extra\n97268402\n!side\n24508238\n"
    deck = deck_in(starter(), text)
    assert deck.names == ("Ash Blossom & Joyous Spring", "D.D. Crow")
    assert (deck.size, deck.filled != ()) == (40, True)
    assert dict(deck.main) == {starter().place[14558127]: 2}
    assert deck_in(starter(), text, side=False).names == ("Ash Blossom & Joyous Spring",)


def test_an_alternate_art_is_the_monster():
    deck = deck_in(starter(), "14558127\n14558128\n")
    assert deck.names == ("Ash Blossom & Joyous Spring",)
    assert deck.main[0][1] == 2
    assert deck.unknown == ()


def test_what_is_not_understood_is_reported_once_with_its_place():
    text = "14558127\n99999999\nEffekd Weiler\n99999999\n89558743\n12580477\n#extra\n99999998\n"
    deck = deck_in(starter(), text)
    assert deck.unknown == ("99999999", "Effekd Weiler")
    assert (deck.small_worlds, deck.size) == (1, 40)
    assert "did you mean 'Effect Veiler'" in deck.notes[0]
    assert deck.notes[1].startswith("deck, line 2: not known: 99999999 (cards: the starter pool")
    assert len(deck.notes) == 2  # a spell that is known is none, and the extra deck is not read


def test_a_deck_of_strangers_or_of_too_many_cards_is_refused():
    with pytest.raises(ConfigError, match="line 1: not known: 5, 6 "):
        deck_in(starter(), "5\n6\n")
    with pytest.raises(ConfigError, match="line 151: more than 150 cards"):
        deck_in(starter(), "14558127\n" * 10_000)
    with pytest.raises(ConfigError, match="no card in it"):
        deck_in(starter(), "#main\n\n#extra\n!side\n")


# ---- filters --------------------------------------------------------------------------------


BANNED = {"race": "Fiend", "attribute": "DARK", "level": 4, "atk": 1, "def": 2,
          "frameType": "effect"}  # fmt: skip


def test_banlists_are_read_and_asked():
    said = [{"ban_tcg": "Forbidden", "ban_ocg": "Limited"}, {"ban_tcg": "Semi-Limited"},
            {"ban_tcg": "Banned"}, None]  # fmt: skip
    cards = [{"id": i, "name": f"M{i}", **BANNED, "banlist_info": b} for i, b in enumerate(said)]
    dumped = store_in(json.dumps(cards), "dump", {})
    tabled = store_in(
        f"{','.join(PRINTED)},tcg,ocg\n0,M0,DARK,Fiend,4,1,2,0,Limited\n1,M1,DARK,Fiend,4,1,2,2,\n"
        "2,M2,DARK,Fiend,4,1,2,banned\n3,M3,DARK,Fiend,4,1,2\n",
        "table", {},
    )  # fmt: skip
    for pool in (Pool(dumped), Pool(tabled)):
        limits = [dict(monster.limits) for monster in pool.monsters]
        assert limits == [{"tcg": 0, "ocg": 1}, {"tcg": 2}, {"tcg": 0}, {}]
        assert allowed(pool, ["tcg>=1"]).tolist() == [False, True, False, True]
        assert allowed(pool, ["TCG=3"]).tolist() == [False, False, False, True]
        assert allowed(pool, ["ocg<=2"]).tolist() == [True, False, False, False]
        with pytest.raises(ConfigError, match="tell no GOAT banlist"):
            allowed(pool, ["goat>=1"])


def test_filters_are_read():
    pool = starter()

    def names(*filters):
        return {m.name for m, fit in zip(pool.monsters, allowed(pool, filters), strict=True) if fit}

    low = names("level<=2", "attribute=light")
    assert "Effect Veiler" in low
    assert all(pool.monsters[pool.find(n)].level <= 2 for n in low)
    assert names("level>2") | names("level<=2") == {m.name for m in pool.monsters}
    assert names("name~mathmech", "level!=4") == {
        n for n in names("name~mathmech") if pool.monsters[pool.find(n)].level != 4
    }
    assert names("type=beast warrior") == names("type=Beast-Warrior")
    assert names("def=?") == {m.name for m in pool.monsters if m.defence == -1}
    assert not names("atk<0")
    assert names("archetype=mathmech") == names("name~mathmech")
    assert names("archetype!=Mathmech") == {m.name for m in pool.monsters} - names("name~mathmech")
    assert names("role=hand trap", "name~framegear") == names("name~framegear")
    asked = Pool(Store((ASKED,), "here"))
    assert allowed(asked, ["atk>=0"]).tolist() == [False]
    assert allowed(asked, ["atk!=0"]).tolist() == [True]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("level", "cannot read the filter"),
        ("levl<=4", "did you mean 'level'"),
        ("level<=four", "level is a number"),
        ("level~4", "level is a number"),
        ("level=?", "level is a number"),
        ("type<Fiend", "type has no order"),
        ("tcg=Limited", "tcg is a number"),
    ],
)
def test_filters_with_mistakes_are_refused(text, reason):
    with pytest.raises(ConfigError, match=reason):
        condition(text)


# ---- the game --------------------------------------------------------------------------------


def test_the_game_pays_the_score():
    game = dragon.game("small_world(bridges=2)")
    links = mathmech()
    state = game.start().after("Shinobird Crow").after("Backlinker")
    places = [starter().find("Shinobird Crow"), starter().find("Backlinker")]
    assert state.payoff() == (squared_numerator(links, places) / 256,)
    assert state == game.start().after("Backlinker").after("Shinobird Crow")
    assert game.parse("Shinobird Crow | Backlinker") == state


@pytest.mark.full
def test_exhaustive_finds_the_best_pair_and_greedy_may_not():
    game = dragon.game("small_world(bridges=2, filters=['level=2'])")
    links = mathmech()
    *_, found = best_sets(links, 2, 1, allowed(starter(), ["level=2"]))
    best = dragon.search("exhaustive").best(game.start())
    assert best.value * 256 == pytest.approx(found.sets[0].numerator)
    greedy = dragon.search("greedy").best(game.start())
    assert str(greedy.bound) == ">="
    assert greedy.value <= best.value + 1e-12


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("small_world(deck='nothing.ydk')", "no deck file"),
        ("small_world(bridges=0)", "from 1 to 12"),
        ("small_world(question='maybe')", "'text' or 'zero' or 'never'"),
        ("small_world(filters=['levl<3'])", "did you mean 'level'"),
        ("small_world(cards='nothing.csv')", "cannot read nothing.csv"),
    ],
)
def test_a_game_with_a_mistake_is_refused(spec, reason):
    with pytest.raises(ConfigError, match=reason):
        dragon.game(spec)


def test_a_deck_file_that_changes_is_read_again(tmp_path):
    file = tmp_path / "deck.txt"
    file.write_text("Effect Veiler\nD.D. Crow\n")
    game = dragon.game(f"small_world(deck={str(file)!r}, bridges=1)")
    assert game.start().table.size == 2
    file.write_text("Effect Veiler\nD.D. Crow\nSangan\n")
    assert game.start().table.size == 3


def test_a_game_without_enough_bridges_is_refused():
    with pytest.raises(ConfigError, match="loosen the filters"):
        dragon.game("small_world(bridges=2, filters=['name=Shinobird Crow'])").start()


# ---- anything at all -------------------------------------------------------------------------


def outcome(read_it, *arguments):
    """Give the result, or else the sentence."""
    try:
        return read_it(*arguments), ""
    except ConfigError as error:
        return None, str(error)


@pytest.mark.full
@given(
    st.one_of(
        st.text(), st.text("0123456789\n#!xX ,.\"'"), st.binary().map(lambda b: b.decode("latin-1"))
    )
)
@settings(max_examples=80)
def test_any_text_is_a_deck_or_a_sentence(text):
    for written in (text, f"ydke://{text}", f"ydke://{text}!!!"):
        deck, sentence = outcome(deck_in, starter(), written)
        assert deck.places if deck else sentence
