"""Pokémon: types, tables, problems and answers, against the facts and against brute force."""

from __future__ import annotations

import csv
import json
from itertools import combinations as subsets
from itertools import permutations, product
from pathlib import Path

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
from dragon.core import TERMINAL, Limit
from dragon.cover import Problem, covers
from dragon.errors import ConfigError
from dragon.modes import JIT
from dragon_pokemon.answers import answer
from dragon_pokemon.choices import options_of
from dragon_pokemon.game import COMBOS, DATA, GENERATIONS, SIDES, Pokemon
from dragon_pokemon.objects import core_of, why_not
from dragon_pokemon.overlapping import collection_of
from dragon_pokemon.problem import damage, items_of, problem_of, score, stacked
from dragon_pokemon.ranking import Team
from dragon_pokemon.tables import (
    BIT,
    NAMES,
    Types,
    chart,
    combinations,
    location,
    locations,
    multiplier,
    plain,
    sort_key,
    types_of,
)
from dragon_pokemon.team import draw, missing

HERE = Path(__file__).parents[2]
FACTS = HERE.parents[1] / "shared" / "facts" / "pokemon"
ORACLE = [json.loads(line) for line in (HERE / "oracles" / "pokemon.jsonl").open()]
facts = pytest.mark.skipif(not FACTS.exists(), reason="the facts are outside the checkout")


def rows(name):
    with (FACTS / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


# ---- types ------------------------------------------------------------------------------------

one_or_two = st.lists(st.sampled_from(NAMES), min_size=1, max_size=2, unique=True)


def test_types_are_bits_in_the_order_of_names():
    assert list(NAMES) == sorted(NAMES)
    assert (BIT["Water"], BIT["Bug"]) == (1, 1 << 17)
    assert str(Types(0x20001)) == "Bug-Water"


@pytest.mark.full
@given(st.lists(one_or_two))
def test_sorting_codes_sorts_names(picked):
    codes = [sum(BIT[name] for name in names) for names in picked]
    names_in_order = [str(Types(code)) for code in sorted(codes, key=sort_key)]
    assert names_in_order == sorted("-".join(sorted(names)) for names in picked)
    assert [str(types) for types in sorted(map(Types, codes))] == names_in_order


@pytest.mark.full
@given(one_or_two, st.sampled_from("-/"), st.sampled_from([str.lower, str.upper, str.title]))
def test_types_are_read_in_any_order_and_case(names, joint, case):
    types = Types.read(case(joint.join(names)))
    assert types.names == tuple(sorted(names))
    assert Types.read(str(types)) == types
    assert types.code.bit_count() == len(names)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Fier", "did you mean 'Fire'"), ("Fire-Fire", "two different"),
     ("Bug-Fire-Ice", "one, or two"), ("", "no type"), ("Xyz", "types: Bug")],
)  # fmt: skip
def test_wrong_types_are_refused(text, expected):
    with pytest.raises(ConfigError, match=expected):
        Types.read(text)


# ---- tables -----------------------------------------------------------------------------------


def test_how_many_types_and_combinations_there_are():
    assert [len(types_of(g)) for g in GENERATIONS] == [15, 17, 17, 17, 17, 18, 18, 18, 18]
    true = [len(combinations(g)) for g in GENERATIONS]
    assert true == [33, 55, 75, 89, 110, 133, 146, 155, 162]
    assert [len(combinations(g, "original")) for g in GENERATIONS][3] == 91
    assert [len(combinations(g, "true", "obtainable")) for g in (7, 8, 9)] == [146, 144, 151]
    assert set(combinations(6)) - set(combinations(6, "true", "without-megas")) == {
        "Dragon-Fairy", "Dragon-Grass", "Fighting-Normal",
    }  # fmt: skip


def test_there_are_three_charts():
    charts = [chart(g) for g in GENERATIONS]
    assert [charts.index(c) for c in charts] == [0, 1, 1, 1, 1, 5, 5, 5, 5]


@facts
@pytest.mark.parametrize("generation", GENERATIONS)
def test_the_charts_are_those_of_the_facts(generation):
    name = "1" if generation == 1 else "2-5" if generation < 6 else "6-9"
    expected = {
        (row["attack\\defense"], defender): float(factor)
        for row in rows(f"type_chart_gen{name}.csv")
        for defender, factor in row.items()
        if defender != "attack\\defense"
    }
    assert chart(generation) == expected


@facts
def test_the_originals_wrong_cells_are_reproduced():
    expected = {
        (int(r["gen"]), r["defender"], r["attack"]):
            (float(r["original_repo"]), float(r["true_in_gen"]))
        for r in rows("repo_chart_errors.csv")
    }  # fmt: skip
    ours = {
        (g, defender, attack): pair
        for g in GENERATIONS
        for defender, attack in product(combinations(g), types_of(g))
        if defender in combinations(g, "original")
        and (pair := (multiplier(chart(g, "original"), attack, defender),
                      multiplier(chart(g), attack, defender)))
        and pair[0] != pair[1]
    }  # fmt: skip
    assert len(expected) == 87
    assert ours == expected


@facts
def test_the_combinations_are_those_of_the_facts():
    listed = rows("type_combos.csv")
    unreleased = {"Dark-Psychic", "Electric-Psychic", "Normal-Steel"}
    for g in GENERATIONS:
        own = [row for row in listed if row["gen"] == str(g)]

        def those(flag, own=own):
            return tuple(sorted(row["combo"] for row in own if row[flag] == "1"))

        existing = those("in_pkmn_any")
        if g == 5:
            existing = tuple(name for name in existing if name not in unreleased)
        assert combinations(g) == existing
        assert combinations(g, "original") == those("in_original_repo")
        assert combinations(g, "true", "obtainable") == those("in_pkmn_standard")
        barred = those("mega_or_battle_only")
        assert set(combinations(g, "true", "without-megas")) == set(existing) - set(barred)


@facts
def test_the_locations_are_those_of_the_facts():
    listed = rows("gyms.csv")
    assert len(listed) == len(locations()) == 80
    for row in listed:
        place = location(int(row["gen"]), row["location"])
        assert place.region == row["region"]
        assert place.attacks == tuple(sorted(set(row["attack_types"].split(";"))))
        assert place.defenders == tuple(sorted(set(row["defense_types"].split(";"))))


def test_locations_have_types_of_their_generation():
    for place in locations():
        assert set(place.attacks) <= set(types_of(place.generation))
        assert set(place.defenders) <= set(combinations(place.generation, "true", "obtainable"))


@pytest.mark.parametrize(
    ("generation", "name", "found"),
    [(4, "sunnyshore city", "Sunyshore City"), (4, "SUNYSHORE CITY", "Sunyshore City"),
     (9, "Tulip", "Alfornada"), (9, "Alfornada", "Alfornada"),
     (7, "pokemon league", "Pokémon League"), (7, "Hau\u2019oli City", "Hau'oli City")],
)  # fmt: skip
def test_locations_are_found_in_either_spelling(generation, name, found):
    assert location(generation, name).name == found


def test_spellings_are_not_ambiguous():
    for g in GENERATIONS:
        spellings = [plain(name) for p in locations(g) for name in (p.name, p.also) if name]
        assert len(spellings) == len(set(spellings))


@given(st.sampled_from(GENERATIONS), st.sampled_from(DATA), st.data())
def test_multipliers_of_two_types_are_products(generation, data, draw):
    defender = draw.draw(st.sampled_from(combinations(generation, data)))
    attack = draw.draw(st.sampled_from(types_of(generation)))
    table, parts = chart(generation, data), defender.split("-")
    factor = multiplier(table, attack, defender)
    assert factor in {0, 0.25, 0.5, 1, 2, 4}
    assert factor == table[attack, parts[0]] * (table[attack, parts[1]] if parts[1:] else 1)


# ---- problems ---------------------------------------------------------------------------------


def holds(query: Pokemon, options, exact=False):
    """An independent check that options are a cover: single multipliers, no problem built."""
    table, defense = chart(query.gen, query.data), query.side == "defense"
    assert len(set(options)) == len(options) <= query.size
    for item in items_of(query):
        helpers = 0
        for option in options:
            factor = 1.0
            for one in (option if defense else item).split("-"):
                factor *= table[(item, one) if defense else (option, one)]
            helpers += factor < 1 if defense else factor > 1
        assert helpers == 1 if exact else helpers >= 1, item
    return True


def needs_all(query: Pokemon, options):
    """Tell whether no option of a cover can be left out."""
    problem = query.problem()
    sets = {str(o): set(o.items) - problem.hidden_items for o in problem.options}
    everything = set().union(*(sets[o] for o in options))
    return all(set().union(*(sets[p] for p in options if p != o)) != everything for o in options)


def test_a_pin_is_in_every_cover_and_a_ban_in_none():
    query = Pokemon(gen=4, limit=4, pin=("water/ground",), ban=("Flying-Steel",))
    for mode in ("minimal", "overlapping", "best"):
        found = answer(query, mode, top=30)
        assert found.solutions, mode
        for team in found.solutions:
            assert "Ground-Water" in team.options
            assert "Flying-Steel" not in team.options
            assert holds(query, team.options)
            assert team.score == score(query, team.options)
    free = answer(attrs.evolve(query, pin=(), ban=()), "all", top=0)
    assert 0 < answer(query, "all", top=0).found < free.found


def test_pins_fill_up_to_what_is_left():
    """The rest needs no option to spare; the pins themselves may be to spare."""
    query = Pokemon(gen=9, locations=("Cortondo",), pin=("Fire", "Fire-Flying"), limit=3)
    found = answer(query, "minimal", top=99)
    assert found.solutions == (
        Team(score(query, ("Fire", "Fire-Flying")), ("Fire", "Fire-Flying")),
    )


def test_items_are_the_union_of_the_locations():
    one, two = location(9, "Cortondo"), location(9, "Artazon")
    both = Pokemon(locations=("Cortondo", "Artazon"))
    assert set(both.items()) == set(one.attacks) | set(two.attacks)
    foes = Pokemon(side="attack", locations=["Cortondo", "Artazon"])
    assert set(foes.items()) == set(one.defenders) | set(two.defenders)


def test_a_view_of_locations_shares_the_whole():
    problem = problem_of(Pokemon(locations=("Cortondo",)))
    assert len(problem.primary) == 18
    assert len(problem.hidden_items) == 16


MISTAKES = {
    "gen=0": "generation from 1 to 9",
    "gen=10": "generation from 1 to 9",
    "gen='x'": "whole number",
    "side='left'": "'defense' or 'attack'",
    "data='false'": "'true' or 'original'",
    "combos='some'": "'obtainable'",
    "mode='some'": "'exact' or",
    "mode='overlapping'": "'exact' or 'minimal' or 'best'",
    "limit=0": "at least 1",
    "gen=4, locations=['Sunishore City']": "did you mean 'Sunyshore City'",
    "gen=4, locations=['Pewter City']": "generation 1 has",
    "gen=4, locations='Pewter City'": "must be a list",
    "pin=['Fier']": "did you mean 'Fire'",
    "gen=1, pin=['Fire-Water']": "no Pokémon of types Fire-Water",
    "gen=8, combos='obtainable', pin=['Dragon-Fairy']": "among those that are obtainable",
    "gen=1, side='attack', ban=['Fairy']": "no type Fairy",
    "limit=1, pin=['Fire', 'Water']": "2 pins and a limit of 1",
    "pin=['Fire'], ban=['Fire']": "pinned and banned",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_wrong_parameters_are_refused_in_a_sentence(text):
    with pytest.raises(ConfigError, match=MISTAKES[text]):
        dragon.game(f"pokemon({text})")


def test_a_game_is_its_spec():
    game = dragon.game("pokemon(gen=4, locations=['Sunnyshore City'], pin=['Fire'])")
    assert dragon.game(str(game)) == game


# ---- answers ----------------------------------------------------------------------------------


def name_of(row):
    return f"{row['data']}-{row['gen']}-{row['side']}-{row['locations'] or 'ALL'}"


def query_of(row):
    places = tuple(row["locations"].split("+")) if row["locations"] else ()
    if places == ("all",):
        places = tuple(place.name for place in locations(row["gen"]))
    fields = {key: row[key] for key in ("gen", "side", "data", "limit")}
    return Pokemon(locations=places, **fields)


def numbered(sizes):
    return {int(size): count for size, count in sizes.items()}


QUICK = ORACLE[::4]
"""What is asked of the oracle in a default run: of every generation, data mode, side and mode."""


@pytest.mark.samples(6)
@pytest.mark.parametrize(
    "row",
    [pytest.param(r, marks=[] if r in QUICK else pytest.mark.full, id=name_of(r)) for r in ORACLE],
)
def test_counts_and_best_covers_are_those_of_the_oracle(row):
    query = query_of(row)
    assert (len(query.items()), len(query.options())) == (row["items"], row["options"])
    for mode in ("exact", "minimal", "all", "overlapping"):
        if mode not in row:
            continue
        ranked = row.get(f"best_{mode}", [])
        found = answer(query, mode, top=len(ranked))
        assert str(found.bound) == "="
        assert found.sizes == numbered(row[mode]), mode
        assert found.found == sum(found.sizes.values())
        assert [[t.score, " ".join(t.options)] for t in found.solutions] == ranked
        for team in found.solutions:
            assert holds(query, team.options, exact=mode == "exact")
            assert mode != "minimal" or needs_all(query, team.options)


def test_the_oracle_has_both_data_modes_sides_and_all_generations():
    assert len(ORACLE) == 135
    for rows in (ORACLE, QUICK):
        assert {(r["data"], r["side"]) for r in rows} == set(product(DATA, SIDES))
        assert {r["gen"] for r in rows} == set(GENERATIONS)
        assert {r["limit"] for r in rows} == {6, 24}
        for mode in ("minimal", "overlapping"):
            assert {mode in r for r in rows} == {True, False}


@pytest.mark.samples(2)
@pytest.mark.parametrize(
    ("gen", "score", "minimal"), [(2, 31, 33), (3, 30, 33), (6, 29, 30), (9, 29, 29)]
)
def test_the_best_is_the_best_of_all_unless_one_asks_for_less(gen, score, minimal):
    """The best of all covers, by a program of its own: 30 in generation 3 by the team below."""
    best = answer(Pokemon(gen=gen), "best", top=1)
    assert (best.solutions[0].score, best.ranked) == (score, True)
    fewer = answer(Pokemon(gen=gen), "best", top=1, among="minimal")
    assert fewer.solutions[0].score == minimal


def test_thirty_in_generation_3_has_one_to_spare():
    team = ("Dark-Ghost", "Dragon-Water", "Electric-Steel", "Fire-Flying", "Flying-Normal",
            "Ground-Steel")  # fmt: skip
    query = Pokemon(gen=3)
    assert holds(query, team)
    assert score(query, team) == 30
    assert not needs_all(query, team)
    assert answer(query, "best", top=1).solutions[0].options == team


def test_generation_9_has_11_exact_teams_and_29_is_proven_best():
    assert answer(Pokemon(), "exact").found == 11
    for among in ("minimal", "all"):
        best = answer(Pokemon(), "best", top=1, among=among)
        assert (best.solutions[0].score, str(best.bound)) == (29, "=")
        assert holds(Pokemon(), best.solutions[0].options)


@pytest.mark.parametrize("generation", [2, 3, 4, 5])
def test_two_pokemon_resist_everything_by_the_true_charts(generation):
    assert min(answer(Pokemon(gen=generation), "all", top=0).sizes) == 2
    assert min(answer(Pokemon(gen=generation, data="original"), "all", top=0).sizes) == 3


# ---- the overlapping collection ---------------------------------------------------------------


def collection(problem: Problem, size: int):
    """The sets that the original program collects, written down as it does: with a set."""
    items = [name for name in problem.primary if name not in problem.hidden_items]
    options = {
        str(o): set(o.items) & set(items)
        for o in problem.options
        if str(o) not in problem.hidden_options
    }
    length = {item: sum(item in held for held in options.values()) for item in items}
    found = set()

    def pick(chosen, left):
        if not left:
            found.add(frozenset(chosen))
        elif len(chosen) < size:
            rarest = min(left, key=lambda item: (length[item], items.index(item)))
            for name, held in options.items():
                if rarest in held:
                    pick([*chosen, name], [item for item in left if item not in held])

    pick([], items)
    return found


@st.composite
def small_queries(draw):
    """Questions with at most eight options left."""
    generation = draw(st.sampled_from(GENERATIONS))
    side, data = draw(st.sampled_from(SIDES)), draw(st.sampled_from(DATA))
    places = draw(st.lists(st.sampled_from([p.name for p in locations(generation)]), max_size=2))
    whole = Pokemon(gen=generation, side=side, data=data, locations=places)
    known = options_of(whole)
    kept = draw(st.sets(st.sampled_from(known), min_size=1, max_size=8))
    limit = draw(st.integers(1, 8))
    return attrs.evolve(whole, ban=[o for o in known if o not in kept], limit=limit)


def brute(query: Pokemon, mode: str):
    """Every cover of a mode, by looking at each set of options."""
    options, items = query.options(), query.items()
    better = (lambda f: f < 1) if query.side == "defense" else (lambda f: f > 1)
    held = {o: {i for i in items if better(damage(query, o, i))} for o in options}
    for n in range(1, min(len(options), query.size) + 1):
        for team in subsets(options, n):
            times = [sum(i in held[o] for o in team) for i in items]
            if all(times) and (mode != "exact" or (max(times) == 1 and all(map(held.get, team)))):
                spare = any(
                    set().union(*(held[p] for p in team if p != o)) >= set(items) for o in team
                )
                if mode != "minimal" or not spare:
                    yield team


@pytest.mark.full
@settings(max_examples=60)
@given(small_queries(), st.sampled_from(["exact", "minimal", "all"]))
def test_small_questions_against_brute_force(query, mode):
    teams = list(brute(query, mode))
    found = answer(query, mode, top=5)
    assert found.found == len(teams)
    assert found.sizes == {
        n: count for n in range(9) if (count := sum(len(team) == n for team in teams))
    }
    sign = 1 if query.side == "defense" else -1
    ranked = sorted((sign * score(query, team), len(team), team) for team in teams)[:5]
    assert found.solutions == tuple(Team(sign * cost, team) for cost, _, team in ranked)


# ---- the ranking --------------------------------------------------------------------------------


def brute_ranking(query: Pokemon, rank: str, differ: int):
    """The listing by looking at every team; differing pairwise."""

    def key(team):
        more = sum(stacked(query, team).values()) if rank == "stacked" else 0
        points = score(query, team) * (1 if query.side == "defense" else -1)
        return points + more, points, len(team), team

    chosen = []
    for team in sorted(brute(query, "all"), key=key):
        larger = ((max(len(team), len(other)), other) for other in chosen)
        if all(n - len({*team} & {*o}) >= min(n, differ) for n, o in larger):
            chosen.append(team)
    return chosen[:4]


@pytest.mark.full
@settings(max_examples=25)
@given(small_queries(), st.sampled_from(["score", "stacked"]), st.integers(1, 2))
def test_rankings_against_brute_force(query, rank, differ):
    rank = rank if query.side == "defense" else "score"
    found = answer(query, "best", top=4, rank=rank, differ=differ)
    assert found.ranked
    assert [team.options for team in found.solutions] == brute_ranking(query, rank, differ)


@pytest.mark.full
def test_the_listed_differ_and_are_proven():
    for differ in (2, 3):
        found = answer(Pokemon(gen=3), "best", differ=differ)
        assert found.ranked
        teams = [{*team.options} for team in found.solutions]
        assert len(teams) == 10
        assert all(len(one - other) >= differ for one, other in subsets(teams, 2)
                   if len(one) >= len(other))  # fmt: skip


@pytest.mark.full
def test_shared_weaknesses_are_those_that_more_have_than_resist():
    query = Pokemon()
    assert stacked(query, ("Dragon-Ground", "Flying-Grass")) == {
        "Dragon": 1, "Fairy": 1, "Flying": 1, "Ice": 2,
    }  # fmt: skip
    plain, ranked = (answer(query, "best", top=1, rank=rank) for rank in ("score", "stacked"))
    first, best = plain.solutions[0], ranked.solutions[0]
    assert best.stacked == sum(stacked(query, best.options).values())
    assert best.score + best.stacked < first.score + first.stacked


@pytest.mark.full
@settings(max_examples=25)
@given(small_queries())
def test_the_best_that_can_be_done_where_there_is_no_cover(query):
    found = answer(query, "best", top=1)
    assert bool(found.partial) == (found.impossible and bool(query.options()))
    if found.partial:
        options, sign = query.options(), 1 if query.side == "defense" else -1
        teams = [t for n in range(1, query.size + 1) for t in subsets(options, n)]
        best = min(teams, key=lambda t: (len(missing(query, t)), sign * score(query, t), len(t), t))
        assert found.partial[0].options == best


def test_generation_1_resists_all_but_dragon():
    found = answer(Pokemon(gen=1), "best", top=1)
    assert found.ranked
    assert missing(found.query, found.partial[0].options) == ("Dragon",)


@pytest.mark.full
@settings(max_examples=60)
@given(small_queries())
def test_the_overlapping_collection_is_the_originals(query):
    problem = problem_of(query)
    expected = collection(problem, query.size)
    for jit in ("1", "0"):
        with JIT.under(jit):
            stream = collection_of(problem, query.size)
        found = []
        while not stream.done:
            found += stream.advance(7, 3)
        named = [frozenset(problem.names[o] for o in cover) for cover in found]
        assert len(named) == len(set(named)) == stream.found == sum(stream.sizes.values())
        assert set(named) == expected
        assert stream.fraction() == 1
    assert {frozenset(team) for team in brute(query, "minimal")} <= expected


@pytest.mark.full
@settings(max_examples=30)
@given(small_queries())
def test_the_overlapping_collection_is_ranked(query):
    teams = [tuple(sorted(team)) for team in collection(problem_of(query), query.size)]
    sign = 1 if query.side == "defense" else -1
    ranked = sorted((sign * score(query, team), len(team), team) for team in teams)[:4]
    found = answer(query, "overlapping", top=4)
    assert found.solutions == tuple(Team(sign * cost, team) for cost, _, team in ranked)


def sequences(problem: Problem, size: int):
    """The nodes of the search, by recursion: picks that cover everything, or None."""
    rows = collection_of(problem, size).rows

    def pick(picks, covered):
        if covered == rows.full:
            yield picks
            return
        yield None
        rarest = (~covered & -~covered).bit_length() - 1
        for option in rows.columns[rarest] if len(picks) < size else ():
            yield from pick((*picks, option), covered | rows.mask[option])

    for picks in pick((), 0):
        yield picks and tuple(rows.number[option] for option in picks)


@pytest.mark.parametrize("query", [Pokemon(gen=2, limit=3), Pokemon(side="attack", limit=12)])
def test_a_set_is_listed_at_the_first_of_its_sequences(query):
    """17 items, compiled and interpreted; and 162, more than a word has bits."""
    problem = problem_of(query)
    nodes = list(sequences(problem, query.size))
    first = {}
    for picks in filter(None, nodes):
        first.setdefault(frozenset(picks), picks)
    for jit in ("1", "0"):
        with JIT.under(jit):
            stream = collection_of(problem, query.size)
        listed = []
        while not stream.done:
            before = stream.fraction()
            listed += stream.advance(1000, 100)
            assert 0 <= before <= stream.fraction() <= 1
        assert stream.nodes == len(nodes)
        assert listed == list(first.values())
        assert stream.found == len(listed) > 0


@pytest.mark.full
def test_the_overlapping_collection_of_generation_9_is_complete_without_a_cap():
    found = answer(Pokemon(), "overlapping", top=0)
    assert found.sizes == {3: 806, 4: 246495, 5: 17331844, 6: 492013038}


# ---- limits, impossibility, pictures, the game ------------------------------------------------


@pytest.mark.parametrize("mode", ["minimal", "overlapping", "exact"])
def test_a_limit_ends_with_what_is_known(mode):
    found = answer(Pokemon(), mode, top=1, limit=dragon.Limit(seconds=1e-6))
    assert str(found.bound) == ">="
    assert not found.impossible
    assert found.seconds < 5


def test_generation_1_has_no_team_and_it_says_why():
    found = answer(Pokemon(gen=1), "minimal")
    assert found.impossible
    assert core_of(found.query, exact=False) == (("Dragon",), True)
    assert why_not(found.query, exact=False) == "in generation 1 no Pokémon resists Dragon"


def test_pins_and_bans_are_told_in_words():
    pinned = Pokemon(pin=("fire", "WATER"), limit=2)
    assert why_not(pinned, exact=False) == (
        "in generation 9 no team of at most 2 with Fire and Water can resist Dark; "
        "drop any one of these, and it can be done"
    )
    query = Pokemon(gen=1, locations=("Pewter City",))
    hard = [name for name in query.options() if {"Rock", "Ghost"} & {*name.split("-")}]
    query = attrs.evolve(query, ban=hard)
    assert answer(query, "best", top=1).impossible
    assert "no Pokémon that may be chosen resists Normal" in why_not(query, exact=False)


@pytest.mark.parametrize("side", SIDES)
def test_a_core_is_impossible_and_minimal(side):
    query = Pokemon(gen=6, side=side, limit=2)
    problem = query.problem()
    core, minimal = core_of(query, exact=False)

    def can(items):
        return next(covers(problem.only(items=items), exact=False, size=2), None) is not None

    assert core
    assert minimal
    assert not can(core)
    assert all(can([i for i in core if i != item]) for item in core)


@pytest.mark.parametrize(
    ("query", "options"),
    [(Pokemon(), ("Fire-Steel", "Ground-Water")), (Pokemon(side="attack"), ("Ice",)),
     (Pokemon(side="attack", gen=4, locations=("Pokémon League",)), ("Ice", "Fire")),
     (Pokemon(gen=1), ())],
)  # fmt: skip
def test_the_picture_is_svg_with_all_names(query, options):
    from xml.etree import ElementTree

    picture = ElementTree.fromstring(draw(query, options))
    assert picture.tag.endswith("svg")
    texts = {"".join(node.itertext()) for node in picture.iter() if node.tag.endswith("text")}
    assert set(query.items()) | set(options) <= texts


def test_the_game_is_won_by_exact_covers():
    game = dragon.game("pokemon")
    for search in ("dlx", "algorithm_x"):
        result = dragon.search(search).best(game.start())
        assert result.value == 1
        assert holds(game, result.line, exact=True)


def test_a_ranked_game_pays_the_score():
    game = dragon.game("pokemon(gen=2, mode='best', locations=['Azalea Town'])")
    state = game.start()
    while state.moves():
        state = state.after(state.moves()[0])
    team = str(state).split(" | ")
    assert state.payoff() == (-score(game, team),)
    assert "score" in game.draw(state)
    assert game.svg(state).startswith("<svg")


@pytest.mark.parametrize(("gen", "score", "minimal"), [(2, 31, 33), (3, 30, 33), (6, 29, 30)])
def test_the_game_is_worth_the_best_of_all_unless_one_asks_for_less(gen, score, minimal):
    for among, points in (("all", score), ("minimal", minimal)):
        game = Pokemon(gen=gen, mode="best", among=among)
        result = dragon.search("dlx").best(game.start())
        assert (result.value, str(result.bound)) == (-points, "=")
        end = game.start()
        for move in result.line:
            end = end.after(move)
        assert (end.turn, end.payoff()) == (TERMINAL, (-points,))


def test_a_dead_end_pays_less_than_any_cover():
    for side, pays in (("defense", -55), ("attack", None)):
        game = dragon.game(f"pokemon(mode='best', side='{side}', limit=1)")
        state = game.start()
        dead = state.after(state.moves()[0])
        assert (dead.turn, dead.covered) == (TERMINAL, False)
        assert dead.payoff()[0] == -game.start().largest
        assert pays in (None, dead.payoff()[0])


def test_the_covers_of_the_game_in_mode_minimal_need_all_their_options():
    game = dragon.game("pokemon(gen=2, mode='minimal', locations=['Azalea Town'])")
    result = dragon.search("dlx").best(game.start())
    assert result.value == 1
    assert needs_all(game, result.line)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [({"mode": "some"}, "mode is 'some'; write 'best' or 'exact'"),
     ({"mode": "best", "among": "exact"}, "among is 'exact'; write 'all' or 'minimal'"),
     ({"mode": "best", "top": 0}, "it is 1 at least"),
     ({"mode": "all", "top": -1}, "it is 0 at least")],
)  # fmt: skip
def test_questions_without_sense_are_refused(settings, expected):
    with pytest.raises(ConfigError, match=expected):
        answer(Pokemon(), **settings)


def test_plain_python_looks_at_the_clock_in_time(monkeypatch):
    monkeypatch.setattr(JIT, "value", "0")
    found = answer(Pokemon(), "overlapping", top=1, limit=Limit(seconds=0.1))
    assert str(found.count_bound) == ">="
    assert found.nodes < 1 << 19


def test_every_filter_is_offered():
    for combos in COMBOS:
        assert answer(Pokemon(gen=9, combos=combos), "exact", top=0).found <= 11


def test_orders_of_picks_do_not_change_a_score():
    team = ("Dark-Fairy", "Fire-Steel", "Ghost")
    assert len({score(Pokemon(), order) for order in permutations(team)}) == 1
