"""Filters on the pool, against the table read plainly and against known numbers."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
from dragon import ConfigError
from dragon.cli import main
from dragon_pokemon.answers import answer
from dragon_pokemon.choices import members_of
from dragon_pokemon.species import Filter, dexes, named, pool, species

DATA = Path(__file__).parents[3] / "games" / "dragon_pokemon" / "data"
SIZES = {
    "kanto": 151, "johto": 251, "hoenn": 202, "sinnoh": 151, "platinum": 210, "johto-hgss": 256,
    "unova": 156, "unova-2": 301, "kalos": 454, "hoenn-oras": 211, "alola": 302,
    "alola-ultra": 403, "kanto-letsgo": 153, "galar": 400, "isle-of-armor": 211,
    "crown-tundra": 210, "hisui": 242, "paldea": 400, "kitakami": 200, "blueberry": 243,
}  # fmt: skip
"""The species of each dex in the games; the three of Kalos together have 454."""


def table() -> list[dict[str, str]]:
    text = (DATA / "species.csv").read_text(encoding="utf-8")
    return [*csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))]


@pytest.mark.parametrize("dex", SIZES)
def test_a_dex_has_as_many_species_as_in_its_games(dex: str) -> None:
    gen = dexes()[dex.replace("-", "")].gen
    found = {each.base for each in pool(gen) if not Filter(gen, dex=dex).lacks(each)}
    assert len(found) == SIZES[dex]
    assert {d.name for d in dexes().values()} == {*SIZES}


def test_tags_are_those_of_the_games() -> None:
    """Paradox Pokémon are 22, mythical species 23, with Phione."""
    tagged = {tag: {each.base for each in species() if tag in each.tags}
              for tag in ("paradox", "mythical", "legendary")}  # fmt: skip
    assert len(tagged["paradox"]) == 22
    assert len(tagged["mythical"]) == 23
    assert {"Mewtwo", "Koraidon", "Cosmog", "Ogerpon"} <= tagged["legendary"]
    assert not tagged["legendary"] & tagged["mythical"]


@pytest.mark.parametrize(("name", "gen", "whole"), [
    ("Golbat", 1, True), ("Golbat", 2, False), ("Pikachu", 1, False), ("Magmar", 3, True),
    ("Magmar", 4, False), ("Primeape", 8, True), ("Primeape", 9, False), ("Farfetch'd", 9, True),
    ("Farfetch'd-Galar", 8, False), ("Cosmog", 7, False), ("Type: Null", 7, False),
])  # fmt: skip
def test_what_is_fully_evolved_depends_on_the_generation(name: str, gen: int, whole: bool) -> None:
    each = named(name)
    assert each is not None
    assert (Filter(gen, evolved=True).lacks(each) == "") is whole


@pytest.mark.full
@settings(max_examples=60)
@given(st.integers(1, 9), st.sets(st.sampled_from(["legendary", "mythical", "paradox"])),
       st.booleans(), st.sampled_from(["", "Water", "Dragon"]), st.integers(0, 700),
       st.sampled_from(["", "kanto", "hisui", "sword-shield"]))  # fmt: skip
def test_filters_choose_from_the_table(
    gen: int, without: set[str], evolved: bool, monotype: str, least: int, dex: str
) -> None:
    letter, since, gone = {
        "": ("", 9, ""), "kanto": ("a", 1, ""), "hisui": ("q", 8, ""),
        "sword-shield": ("n", 8, "8"),
    }[dex]  # fmt: skip
    right = set()
    for row in table():
        steps = [part.rpartition(":") for part in row["types"].split(";")]
        types = [t for g, _, t in steps if int(g or row["since"]) <= gen]
        if (
            int(row["since"]) <= min(gen, since)
            and not without & {*row["tags"].split("/")}
            and not (evolved and row["evolves"] and int(row["evolves"]) <= gen)
            and monotype in (types[-1] if types else "")
            and int(row["total"]) >= least
            and letter in row["dexes"]
            and not (gone and gone in row["gone"])
        ):
            right.add(row["name"])
    query = dragon.game({
        "name": "pokemon", "gen": gen, "without": sorted(without), "evolved": evolved,
        "monotype": monotype, "base_stats": least, "dex": dex,
    })  # fmt: skip
    members = members_of(query)
    assert {name for kind in members.values() for name in kind} == right
    assert {*query.options()} == {kind for kind, found in members.items() if found}


def test_a_filter_leaves_counts_alone_unless_it_is_asked_for() -> None:
    assert len(dragon.game("pokemon").options()) == 162
    assert len(dragon.game("pokemon(combos='obtainable')").options()) == 151


def test_the_best_team_of_a_filtered_pool_is_that_of_its_types() -> None:
    query = dragon.game(
        "pokemon(gen=9, dex='paldea', evolved=true, without=['legendary', 'paradox'])"
    )
    types = dragon.game({"name": "pokemon", "gen": 9, "only": query.options()})
    found, right = answer(query, "best", top=1), answer(types, "best", top=1)
    assert found.solutions[0].score == right.solutions[0].score
    assert "such as Gholdengo" not in str(found)


def test_a_list_is_filtered_with_a_note_and_a_pin_refused(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("Mewtwo\nPichu\nGarchomp\nRotom-Wash\nSkarmory\nClefable\nGengar\nTyranitar\n")
    asked = ["pokemon", "cover", "--list", str(file), "--without", "legendary", "--evolved"]
    result = CliRunner().invoke(main, [*asked, "--json", "--top", "1"])
    assert "note: Mewtwo is legendary; it is left out" in result.stderr
    assert "note: Pichu is not fully evolved; it is left out" in result.stderr
    assert "Psychic" not in json.loads(result.stdout)["options"]
    with pytest.raises(ConfigError, match="Pichu has base stats of 205, and this question leaves"):
        dragon.game("pokemon(base_stats=300, pin=['Pichu'])")
    with pytest.raises(ConfigError, match="without has 'legendry'; did you mean 'legendary'"):
        dragon.game("pokemon(without=['legendry'])")


def test_nothing_left_is_explained() -> None:
    said = CliRunner().invoke(main, ["pokemon", "cover", "--base-stats", "2000"]).stdout
    assert "there is none: in generation 9 no Pokémon that may be chosen resists Bug" in said
