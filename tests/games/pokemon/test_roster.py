"""Lists of Pokémon: each is in a team at most once, in one form, with one ability; by brute force.

A team of a list is a set of kinds that can be given to different species of it.
"""

from __future__ import annotations

import json
from itertools import combinations as subsets
from itertools import permutations

import attrs
import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dragon.cli import main
from dragon.core import TERMINAL
from dragon.errors import ConfigError
from dragon.modes import JIT
from dragon_pokemon import service
from dragon_pokemon.answers import answer
from dragon_pokemon.choices import listed_of, members_of
from dragon_pokemon.game import Pokemon
from dragon_pokemon.overlapping import collection_of
from dragon_pokemon.problem import (
    caps_of,
    damage,
    holders,
    items_of,
    possible,
    problem_of,
    score,
    stacked,
    wide,
)
from dragon_pokemon.ranking import Team
from dragon_pokemon.species import kinds, named, pool, species
from dragon_pokemon.tables import locations

LISTED = ("Lanturn", "Flapple", "Tinkaton", "Dugtrio", "Squawkabilly", "Azumarill")
TWICE = (
    "Lanturn", "Chinchou", "Azumarill", "Marill", "Bronzong", "Bronzor", "Rotom-Wash", "Rotom-Heat",
    "Tauros", "Tauros-Paldea-Aqua", "Goodra", "Goodra-Hisui", "Arceus-Fire", "Arceus-Steel",
    "Garchomp", "Skarmory", "Gengar", "Clefable", "Porygon", "Porygon-Z",
)  # fmt: skip
"""Pokémon with several kinds, alone or as a family, and some others."""


@st.composite
def lists(draw):
    """Questions about a short list of Pokémon, and a type or two among them."""
    names = draw(st.lists(st.sampled_from(TWICE), min_size=1, max_size=6, unique=True))
    types = draw(st.lists(st.sampled_from(("Electric-Water", "Steel")), max_size=1))
    places = [place.name for place in locations(9)]
    return Pokemon(
        only=(*names, *types),
        abilities=draw(st.booleans()),
        limit=draw(st.integers(1, 6)),
        locations=draw(st.lists(st.sampled_from(places), max_size=2)),
    )


def can_be(query, team):
    """Try every way to give the kinds of a team to species of the list."""
    listed = listed_of(query)
    own = [kind for kind in team if kind in listed]
    bases = sorted({each.base for kind in own for each in listed[kind]})
    return any(
        all(base in {each.base for each in listed[kind]} for kind, base in pairs)
        for pairs in (list(zip(own, given, strict=True)) for given in permutations(bases, len(own)))
    )


def teams_of(query, mode):
    """Every team of a mode, by looking at each set of kinds."""
    options, items = query.options(), query.items()
    held = {o: {i for i in items if damage(query, o, i) < 1} for o in options}
    for n in range(1, min(len(options), query.size) + 1):
        for team in subsets(options, n):
            times = [sum(i in held[o] for o in team) for i in items]
            spare = any(set().union(*(held[p] for p in team if p != o)) >= {*items} for o in team)
            fits = all(times) and not (mode == "minimal" and spare)
            if mode == "exact":
                fits = fits and max(times) == 1 and all(map(held.get, team))
            if fits and can_be(query, team):
                yield team


def test_each_of_a_list_is_in_the_best_team_once():
    found = answer(Pokemon(only=LISTED, abilities=True), "best", top=1)
    (team,) = found.solutions
    assert (team.score, found.ranked) == (37, True)
    own = holders(found.query, team.options)
    assert sorted(own.values()) == sorted(LISTED)


@pytest.mark.parametrize("command", [["--json"], []])
def test_the_command_names_each_once(command):
    asked = ["pokemon", "cover", "--abilities", "--top", "1", *command]
    asked += [word for name in LISTED for word in ("--only", name)]
    result = CliRunner().invoke(main, asked, prog_name="dragon")
    assert result.exit_code == 0
    if command:
        (team,) = json.loads(result.stdout)["solutions"]
        assert (team["score"], sorted(team["members"])) == (37, sorted(LISTED))
    else:
        (line,) = (line for line in result.stdout.splitlines() if " with " in line)
        assert sorted(line.split("with ")[1].split(", ")) == sorted(LISTED)


def test_the_page_names_each_once():
    asked = service.Question(only=LISTED, abilities=True, top=1)
    *_, found = service.cover(asked)
    assert found["solutions"][0]["score"] == 37
    options = found["solutions"][0]["options"]
    seen = service.team(service.Picked(only=LISTED, abilities=True, picks=options))
    assert sorted(seen["pokemon"][option][0] for option in options) == sorted(LISTED)


IDLE = Pokemon(only=("Azumarill", "Tauros", "Tauros-Paldea-Aqua"), locations=["Cortondo"], limit=2)
"""Two kinds of one species that resist nothing of what is met."""


@pytest.mark.full
@settings(max_examples=60, deadline=None)
@given(lists(), st.sampled_from(["exact", "minimal", "all"]))
@example(IDLE, "exact")
@example(IDLE, "minimal")
@example(IDLE, "all")
def test_counts_and_best_against_brute_force(query, mode):
    teams = list(teams_of(query, mode))
    found = answer(query, mode, top=4)
    assert found.found == len(teams)
    assert found.sizes == {
        n: count for n in range(7) if (count := sum(len(team) == n for team in teams))
    }
    ranked = sorted((score(query, team), len(team), team) for team in teams)[:4]
    assert found.solutions == tuple(Team(cost, team) for cost, _, team in ranked)


@pytest.mark.parametrize("mode", ["exact", "minimal", "all"])
def test_two_of_a_family_with_three_kinds(mode):
    query = Pokemon(only=("Lanturn", "Chinchou", "Flapple", "Tinkaton", "Azumarill", "Dugtrio"),
                    abilities=True, locations=["Cortondo"])  # fmt: skip
    teams = list(teams_of(query, mode))
    free = attrs.evolve(query, only=(*query.only[2:], "Electric-Water"))
    assert len(teams) < len(list(teams_of(free, mode))) or mode != "all"
    found = answer(query, mode, top=3)
    assert found.found == len(teams)
    assert [team.options for team in found.solutions] == sorted(
        teams, key=lambda team: (score(query, team), len(team), team)
    )[:3]


@pytest.mark.full
@settings(max_examples=40, deadline=None)
@given(lists(), st.sampled_from(["score", "stacked"]), st.integers(1, 2))
@example(IDLE, "score", 1)
def test_the_ranking_against_brute_force(query, rank, differ):
    def key(team):
        more = sum(stacked(query, team).values()) if rank == "stacked" else 0
        return score(query, team) + more, score(query, team), len(team), team

    chosen = []
    for team in sorted(teams_of(query, "all"), key=key):
        larger = [(max(len(team), len(other)), {*other}) for other in chosen]
        if all(n - len({*team} & other) >= min(n, differ) for n, other in larger):
            chosen.append(team)
    found = answer(query, "best", top=3, rank=rank, differ=differ)
    assert [team.options for team in found.solutions] == chosen[:3]
    for team in found.solutions:
        own = holders(query, team.options)
        assert {*own} == {*team.options} & {*listed_of(query)}
        assert len({named(name).base for name in own.values()}) == len(own)


@pytest.mark.full
@settings(max_examples=40, deadline=None)
@given(lists())
def test_the_overlapping_collection_has_possible_teams_alone(query):
    """The sets that can be picked rarest type first, of those that the list allows."""
    problem, caps = problem_of(query), caps_of(query)
    held = {o: {i for i in items_of(query) if damage(query, o, i) < 1} for o in query.options()}
    length = {i: sum(i in each for each in held.values()) for i in items_of(query)}
    expected = set()

    def pick(chosen, left):
        if not left:
            expected.add(frozenset(chosen))
        elif len(chosen) < query.size:
            rarest = min(left, key=lambda item: (length[item], items_of(query).index(item)))
            for name in (name for name in held if rarest in held[name]):
                pick([*chosen, name], [item for item in left if item not in held[name]])

    pick([], list(items_of(query)))
    expected = {team for team in expected if can_be(query, team)}
    for jit in ("1", "0"):
        with JIT.under(jit):
            stream = collection_of(problem, query.size, caps)
        found = []
        while not stream.done:
            found += stream.advance(50, 10)
        assert {frozenset(problem.names[o] for o in cover) for cover in found} == expected
        assert stream.found == len(expected)
    assert answer(query, "overlapping", top=1).found == len(expected)


@pytest.mark.full
@settings(max_examples=60, deadline=None)
@given(lists(), st.data())
def test_caps_are_what_can_be_given_out(query, draw):
    team = draw.draw(st.sets(st.sampled_from(query.options()), max_size=query.size))
    assert possible(caps_of(query), team) == can_be(query, team)


@pytest.mark.parametrize(("mode", "among"), [("exact", "all"), ("minimal", "all"), ("best", "all"),
                                             ("best", "minimal")])  # fmt: skip
def test_the_game_has_each_once(mode, among):
    only = ("Azumarill", "Rotom-Wash", "Rotom-Heat", "Tauros", "Tauros-Paldea-Aqua")
    query = Pokemon(only=only, abilities=True,
                    mode=mode, among=among, locations=["Cortondo"])  # fmt: skip
    lines, waiting = set(), [query.start()]
    while waiting:
        state = waiting.pop()
        if state.turn == TERMINAL:
            lines.add(str(state))
            assert can_be(query, [o for o in str(state).split(" | ") if o in query.options()])
        else:
            waiting += [state.after(move) for move in state.moves()]
    assert lines


def test_what_a_game_cannot_hold_is_refused():
    query = Pokemon(only=("Lanturn", "Chinchou"), abilities=True)
    assert [cap.most for cap in wide(caps_of(query))] == [2]
    with pytest.raises(ConfigError, match="Chinchou and Lanturn have 3 kinds between them"):
        query.start()


def test_types_have_no_caps():
    assert caps_of(Pokemon(abilities=True)) == ()
    assert caps_of(Pokemon(only=("Electric-Water",), abilities=True)) == ()
    both = Pokemon(only=("Lanturn", "Electric-Water"), abilities=True)
    assert caps_of(both) == ()
    assert len(caps_of(attrs.evolve(both, only=("Lanturn",)))) == 1


def test_two_pins_of_one_pokemon_are_refused():
    with pytest.raises(ConfigError, match="Rotom-Wash and rotom heat are one Pokémon"):
        Pokemon(pin=("Rotom-Wash", "rotom heat"))
    assert Pokemon(pin=("Garchomp", "garchomp", "Flygon")).problem()


def test_forms_have_their_species():
    assert {name: named(name).base for name in (
        "Rotom-Wash", "Tauros-Paldea-Aqua", "Darmanitan-Galar-Zen", "Porygon-Z", "Ho-Oh",
        "Nidoran-F", "Kommo-o", "Mr. Mime-Galar", "Type: Null", "Charizard-Mega-X",
    )} == {
        "Rotom-Wash": "Rotom", "Tauros-Paldea-Aqua": "Tauros",
        "Darmanitan-Galar-Zen": "Darmanitan", "Porygon-Z": "Porygon-Z", "Ho-Oh": "Ho-Oh",
        "Nidoran-F": "Nidoran-F", "Kommo-o": "Kommo-o", "Mr. Mime-Galar": "Mr. Mime",
        "Type: Null": "Type: Null", "Charizard-Mega-X": "Charizard",
    }  # fmt: skip
    assert all(named(each.base).base == each.base for each in species())


@pytest.mark.full
def test_a_whole_generation_may_be_listed():
    names = tuple(each.name for each in pool(9, "obtainable"))
    query = Pokemon(only=names, abilities=True, combos="obtainable")
    assert {*members_of(query)} == {*kinds(9, "obtainable", True)}
    assert len(caps_of(query)) < 20
    found = answer(query, "best", top=1)
    assert found.ranked
    assert len({named(n).base for n in holders(query, found.solutions[0].options).values()}) == len(
        found.solutions[0].options
    )
