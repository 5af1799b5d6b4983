"""Pokémon by name: types and abilities by generation, lists, and who of a list may be chosen."""

from __future__ import annotations

import attrs
import pytest

from dragon.errors import ConfigError
from dragon_pokemon.choices import members_of
from dragon_pokemon.game import COMBOS, GENERATIONS, Pokemon
from dragon_pokemon.species import kinds, named, species
from dragon_pokemon.tables import abilities, chart, combinations, multiplier


@pytest.mark.parametrize("generation", GENERATIONS)
def test_species_have_the_combinations(generation):
    for combos in COMBOS:
        assert tuple(kinds(generation, combos, False)) == combinations(generation, "true", combos)


@pytest.mark.parametrize(
    ("text", "name"),
    [("garchomp", "Garchomp"), ("Alolan Muk", "Muk-Alola"),
     ("mega charizard x", "Charizard-Mega-X"),
     ("ROTOM WASH", "Rotom-Wash"), ("Flabebe", "Flabébé"), ("Nidoran♀", "Nidoran-F"),
     ("Mr Mime", "Mr. Mime"), ("farfetchd", "Farfetch'd"), ("Gastrodon-East", "Gastrodon"),
     ("type null", "Type: Null"), ("Ho-oh", "Ho-Oh"), ("Garchmp", None), ("Fire", None)],
)  # fmt: skip
def test_pokemon_are_found_by_name(text, name):
    found = named(text)
    assert (found and found.name) == name


def test_types_and_abilities_are_those_of_the_generation():
    def of(name, generation, abilities=True):
        return named(name).kinds(generation, abilities)

    assert (of("Clefable", 5), of("Clefable", 6)) == (("Normal",), ("Fairy",))
    assert of("Magneton", 1) == ("Electric",)
    assert of("Magneton", 2) == ("Electric-Steel",)
    assert of("Gengar", 6) == ("Ghost-Poison+Levitate",)
    assert of("Gengar", 7) == of("Gengar", 6, False) == ("Ghost-Poison",)
    assert of("Rotom-Wash", 4) == ("Electric-Ghost+Levitate",)
    assert of("Manectric", 4) == ("Electric",)  # Lightning Rod protects since generation 5
    assert of("Manectric", 5) == ("Electric", "Electric+Lightning Rod")
    assert named("Zoroark-Hisui").since == 8


@pytest.mark.parametrize(
    ("kind", "attack", "factor"),
    [("Electric+Levitate", "Ground", 0), ("Electric", "Ground", 2), ("Ice+Thick Fat", "Ice", 0.25),
     ("Bug-Grass+Dry Skin", "Fire", 5), ("Bug-Ghost+Wonder Guard", "Water", 0),
     ("Bug-Ghost+Wonder Guard", "Rock", 2), ("Normal+Fluffy", "Fire", 2)],
)  # fmt: skip
def test_abilities_change_what_a_type_does(kind, attack, factor):
    assert multiplier(chart(9), attack, kind) == factor


def test_every_ability_of_the_table_has_an_effect():
    held = {part for each in species() for _, names in each.abilities
            for part in names.removeprefix("!").split("/") if part}  # fmt: skip
    assert held == set(abilities())


@pytest.mark.parametrize("asked", [{"pin": ("Water",)}, {"ban": ("Water",)}])
@pytest.mark.parametrize("side", ["defense", "attack"])
def test_what_a_list_leaves_out_is_not_said_to_be_unknown(side, asked):
    with pytest.raises(ConfigError, match="Water is not among those that may be chosen"):
        Pokemon(gen=3, side=side, only=("Fire",), **asked)
    with pytest.raises(ConfigError, match="generation 1 has no"):
        Pokemon(gen=1, side=side, only=("Fire",), pin=("Steel",))


def test_only_what_is_listed_is_chosen():
    query = Pokemon(only=("garchomp", "Rotom-Wash", "Flygon", "Steel"))
    assert query.options() == ("Dragon-Ground", "Electric-Water", "Steel")
    assert members_of(query)["Dragon-Ground"] == ("Garchomp", "Flygon")
    assert attrs.evolve(query, ban=("Flygon",)).options() == query.options()
    assert attrs.evolve(query, ban=("Flygon", "Garchomp")).options() == ("Electric-Water", "Steel")
    pinned = attrs.evolve(query, pin=("Flygon",))
    assert members_of(pinned)["Dragon-Ground"] == ("Flygon", "Garchomp")
    wide = attrs.evolve(query, abilities=True).options()
    assert {"Dragon-Ground", "Dragon-Ground+Levitate", "Electric-Water+Levitate"} < set(wide)
    assert "Electric-Water" not in wide  # Rotom has no other ability
    assert "Steel+Earth Eater" in wide
