"""Lists of Pokémon: the forms of people, of Showdown, PokeAPI and in print; and garbage in them."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dragon.cli import main
from dragon_pokemon import service
from dragon_pokemon.answers import answer
from dragon_pokemon.choices import members_of
from dragon_pokemon.game import Pokemon
from dragon_pokemon.lists import FORMS, Member, names_of, read, write
from dragon_pokemon.species import named, pool, species
from dragon_pokemon.tables import combinations, plain, rows

EXPORT = """=== [gen9ou] My team ===

#1 Bell (the 2nd) (Bronzong) @ Leftovers
Ability: Heatproof
Tera Type: Fairy
EVs: 252 HP / 4 Def / 252 SpD
Sassy Nature
IVs: 0 Atk / 0 Spe
- Gyro Ball
- Earthquake

Hello, World (Indeedee-F) (F) @ Choice Scarf
Ability: Psychic Surge
Level: 50
Shiny: Yes
Happiness: 0
Gigantamax: No
Dynamax Level: 5
Hidden Power: Fire
Timid Nature
- Hidden Power [Fire]
~ Psychic

Lanturn @ Heavy-Duty Boots
Trait: Volt Absorb
Tera Type: Stellar
-Scald

Nidoran (M)
Ability: Poison Point
Modest Nature
- Toxic
"""
PACKED = "]".join([
    "#1 Bell (the 2nd)|Bronzong|leftovers|heatproof|gyroball,earthquake|Sassy|252,,4,,252,||"
    ",0,,,,0|||,,,,,Fairy",
    "Hello, World|Indeedee-F|choicescarf|psychicsurge|hiddenpowerfire,psychic|Timid||F||S|50|"
    "0,Fire,,,5,",
    "Lanturn||heavydutyboots|voltabsorb|scald|||||||,,,,,Stellar",
    "NidoranM||||toxic|Modest||M||||",
])  # fmt: skip
OBJECTS = json.dumps([
    {"name": "#1 Bell (the 2nd)", "species": "Bronzong", "item": "Leftovers",
     "ability": "Heatproof", "evs": {"hp": 252}, "teraType": "Fairy",
     "moves": ["Gyro Ball", "Earthquake"]},
    {"name": "Hello, World", "species": "Indeedee-F", "gender": "F", "ability": "Psychic Surge",
     "moves": ["Hidden Power Fire", "Psychic"]},
    {"name": "Lanturn", "species": "", "ability": "Volt Absorb", "moves": ["Scald"],
     "teraType": "Stellar"},
    {"species": "Nidoran-M", "ability": "Poison Point", "moves": ["Toxic"]},
], indent=1)  # fmt: skip
TEAM = ("Bronzong+Heatproof", "Indeedee", "Lanturn+Volt Absorb", "Nidoran-M")


@pytest.mark.parametrize("text", [EXPORT, PACKED, OBJECTS, "gen9ou]Mine|" + PACKED,
                                  "\ufeff" + EXPORT.replace("\n", "  \r\n")])  # fmt: skip
def test_a_team_of_showdown_is_read_whole(text):
    members, notes = read(9, "all", text)
    assert (names_of(members), notes) == (TEAM, ())
    assert [each.tera for each in members] == ["Fairy", "", "Stellar", ""]
    moves = [[plain(move) for move in each.moves] for each in members]
    assert moves == [
        ["gyroball", "earthquake"],
        ["hiddenpowerfire", "psychic"],
        ["scald"],
        ["toxic"],
    ]


def test_a_team_of_the_first_generations_has_moves_alone():
    members, _ = read(1, "all", "Tauros\n- Body Slam\n- Psychic\n\nMew\n- Psychic\n")
    assert [(each.name, each.moves) for each in members] == [
        ("Tauros", ("Body Slam", "Psychic")), ("Mew", ("Psychic",)),
    ]  # fmt: skip


def test_an_ability_counts_where_abilities_do():
    query = Pokemon(only=TEAM, abilities=True)
    assert query.options() == (
        "Electric-Water+Volt Absorb", "Normal-Psychic", "Poison", "Psychic-Steel+Heatproof",
    )  # fmt: skip
    assert "Psychic-Steel" in Pokemon(only=TEAM).options()
    plain_one, _ = read(9, "all", "Bronzong\nAbility: Heavy Metal")
    assert names_of(plain_one) == ("Bronzong+none",)
    assert Pokemon(only=("Bronzong+none",), abilities=True).options() == ("Psychic-Steel",)
    assert Pokemon(gen=4, only=("Manectric+Lightning Rod",), abilities=True).options() == (
        "Electric",
    )
    assert answer(query, "best", top=1).query == query


def test_a_name_with_an_ability_stands_wherever_a_name_may():
    banned = Pokemon(ban=("Bronzong+Heatproof",), abilities=True)
    assert "Bronzong" not in members_of(banned)["Psychic-Steel+Heatproof"]
    assert "Bronzong" in members_of(banned)["Psychic-Steel+Levitate"]
    pinned = Pokemon(pin=("Bronzong+none",), abilities=True).problem()
    assert pinned.primary[0] == "pinned Psychic-Steel"
    asked = ["pokemon", "cover", "--only", "Bronzong+Heatproof", "--abilities", "--mode", "all"]
    assert "+Heatproof" in CliRunner().invoke(main, asked, prog_name="dragon").output


WRITTEN = {
    "Garchomp": "Garchomp", "- Garchomp": "Garchomp", "* Garchomp": "Garchomp",
    "\u2022 Garchomp": "Garchomp", "1. Garchomp": "Garchomp", "2) Garchomp": "Garchomp",
    "Garchomp # the best": "Garchomp", "Garchomp @ Leftovers": "Garchomp",
    "Rocky (Garchomp)": "Garchomp", "Rocky (Garchomp) (F) @ Life Orb": "Garchomp",
    "(Garchomp)": "Garchomp", "#1 (Garchomp) @ Leftovers": "Garchomp",
    "a, b (Garchomp) @ Leftovers": "Garchomp", "(: (Garchomp) (M)": "Garchomp",
    "x @ y (Garchomp) @ Leftovers": "Garchomp", "Rotom (Wash)": "Rotom-Wash",
    "steel/fire": "steel/fire", "Nidoran (F)": "Nidoran-F", "Meowstic (F)": "Meowstic",
    "Bronzong + heatproof": "Bronzong+Heatproof", '["Garchomp"]': "Garchomp",
    '{"species": "landorus-therian"}': "Landorus-Therian",
}  # fmt: skip


@pytest.mark.parametrize("text", WRITTEN)
def test_a_line_is_read_as_people_write_it(text):
    members, notes = read(9, "all", text)
    assert (names_of(members), notes) == ((WRITTEN[text],), ())


def test_lines_may_have_several_and_comments():
    members, notes = read(9, "all", "Mew, Muk # mine (Abra)\n# Pikachu (M)\n\nAbra; Fire-Steel")
    assert (names_of(members), notes) == (("Mew", "Muk", "Abra", "Fire-Steel"), ())
    assert [each.line for each in members] == [1, 1, 4, 4]


TOLD = {
    "3x Garchomp": "line 1: ", "Garchomp x3": "line 1: ", "Mew\n3 Garchomp": "line 2: ",
    "[x] Garchomp": "line 1: ", "Garchomp (3)": "line 1: ", "| Garchomp | Ground |": "line 1: ",
    "Garchomp !!": "line 1: ", "Garchmp @ Leftovers\nAbility: Sand Veil": "you mean 'Garchomp'",
    "Bronzong\nAbility: Levitat": "line 1: no ability is called 'Levitat'; did you mean 'Lev",
    "Blissey\nAbility: Levitate": "line 1: Blissey has no Levitate in generation 9",
    "Rotom-Wash\nAbility: Motor": "line 1: Rotom-Wash always has Levitate",
    "Mew\nTera Type: Fier": "line 2: no type is called 'Fier'",
    "Mew\nLevel: high": "line 2: 'Level: high' is not understood",
    "Mew\nEVs: 252 Luck": "line 2: 'EVs: 252 Luck' is not understood",
    "Ability: Levitate": "line 1: it belongs to no Pokémon",
    "Mew|||||||||": "line 1: Pokémon 1 has 10 fields between |, and a packed one 12",
    "Bronzong||x|1|||||||||": "line 1: Pokémon 1 has 13 fields",
    "Bronzong||x|1||||||||": "line 1: Bronzong has no ability by name; any of its abilities",
    '[{"species": "Mew"},\n3]': "'3' is not a Pokémon",
    '[{"species": 7}]': "are texts", '[{"species": "Mew"': "this is not JSON",
    '[\n{"species": "Mew"},\n{"species": "Mww"}]': "line 3: ", "[[[[": "line 1: ",
    "Tauros\n- Body Slam\n- Psychic": "line 2: 'Body Slam' is read as a move of 'Tauros'",
    '[{}]': "line 1: ",
}  # fmt: skip


@pytest.mark.parametrize("text", TOLD)
def test_what_is_not_understood_is_told_with_its_line(text):
    _, notes = read(9, "all", text)
    assert len(notes) == 1
    assert TOLD[text] in notes[0]
    assert notes[0].startswith("line ")


FORMS_OF = {
    "landorus-incarnate": "Landorus", "deoxys-normal": "Deoxys", "giratina-altered": "Giratina",
    "darmanitan-galar-standard": "Darmanitan-Galar", "darmanitan-galar-zen": "Darmanitan-Galar-Zen",
    "keldeo-ordinary": "Keldeo", "meowstic-male": "Meowstic", "aegislash-shield": "Aegislash",
    "zygarde-50": "Zygarde", "oricorio-baile": "Oricorio", "oricorio-pom-pom": "Oricorio-Pom-Pom",
    "minior-red-meteor": "Minior", "necrozma-dusk": "Necrozma-Dusk-Mane", "eiscue-ice": "Eiscue",
    "urshifu-single-strike": "Urshifu", "urshifu-rapid-strike": "Urshifu-Rapid-Strike",
    "tauros-paldea-combat-breed": "Tauros-Paldea-Combat", "maushold-family-of-four": "Maushold",
    "squawkabilly-green-plumage": "Squawkabilly", "ogerpon-wellspring-mask": "Ogerpon-Wellspring",
    "mr-mime-galar": "Mr. Mime-Galar", "type-null": "Type: Null", "pikachu-rock-star": "Pikachu",
    "basculin-red-striped": "Basculin", "toxtricity-amped": "Toxtricity", "wo-chien": "Wo-Chien",
    "Paldean Tauros": "Tauros-Paldea-Combat", "Paldean Tauros (Aqua Breed)": "Tauros-Paldea-Aqua",
    "Alolan Exeggutor": "Exeggutor-Alola", "Mega Charizard Y": "Charizard-Mega-Y",
    "Therian Forme Landorus": "Landorus-Therian", "Ice Rider Calyrex": "Calyrex-Ice",
    "Wormadam (Sandy Cloak)": "Wormadam-Sandy", "Gigantamax Charizard": "Charizard",
    "Attack Forme Deoxys": "Deoxys", "Galarian Mr. Mime": "Mr. Mime-Galar",
    "Unown-Question": "Unown", "Unown-?": "Unown", "Unown-!": "Unown", "Unown-Z": "Unown",
    "Furfrou-La-Reine": "Furfrou", "Florges-Blue": "Florges", "Flabébé-White": "Flabébé",
    "Sawsbuck-Winter": "Sawsbuck", "Vivillon-Pokeball": "Vivillon", "Burmy-Plant": "Burmy",
    "Minior-Indigo": "Minior", "Alcremie-Ruby-Swirl": "Alcremie", "Tatsugiri-Droopy": "Tatsugiri",
    "TaurosPaldeaBlaze": "Tauros-Paldea-Blaze", "Farfetch\u2019d": "Farfetch'd",
    "Greninja-Ash": "Greninja", "Ash-Greninja": "Greninja", "Nidoran\u2642": "Nidoran-M",
    "Flabe\u0301be\u0301": "Flabébé", "Flabe\u0301be\u0301-Blue @ Eviolite": "Flabébé",
    "alcremie-ruby-cream-love-sweet": "Alcremie", "Vanilla Cream Berry Sweet Alcremie": "Alcremie",
    "koraidon-sprinting-build": "Koraidon", "miraidon-low-power-mode": "Miraidon",
    "scatterbug-icy-snow": "Scatterbug", "mothim-trash": "Mothim", "arceus-normal": "Arceus",
    "marowak-totem": "Marowak-Alola-Totem", "Red Core Minior": "Minior", "Partner Eevee": "Eevee",
    "Ash\u2019s Greninja": "Greninja", "Unown !": "Unown", "silvally-normal": "Silvally",
}  # fmt: skip


@pytest.mark.parametrize("text", FORMS_OF)
def test_forms_are_named_as_elsewhere(text):
    members, notes = read(9, "all", text)
    assert (names_of(members), notes) == ((FORMS_OF[text],), ())


def test_other_names_are_of_pokemon_and_hide_none():
    for each in species():
        assert named(each.name) == each
        assert all(named(f"{each.name}-{look}") == each for look in each.looks)
    for row in rows("names.csv"):
        each = named(row["name"])
        assert each.name == row["name"]
        for name in row["also"].split("/"):
            assert name[0] == "+" or named(row["name"] + name if name[0] == "-" else name) == each


NAMES = [each.name for each in pool(9)]
TYPES = list(combinations(9))
MOVES = st.sampled_from(["Ice Beam", "Psychic", "U-turn", "Hidden Power [Fire]", "Toxic"])
WORDS = ("Heatproof", "Levitate", "Volt Absorb", "Rough Skin", "", "Moxie")


@st.composite
def teams(draw):
    """Members as `read` gives them."""
    found = []
    for name in draw(st.lists(st.sampled_from([*NAMES, *TYPES[:40]]), max_size=6)):
        given_one = Member(name, draw(st.sampled_from(WORDS)), draw(st.sampled_from(("", "Fire"))),
                           tuple(draw(st.lists(MOVES, max_size=4))))  # fmt: skip
        members, _ = read(9, "all", write([given_one], "export"))
        found += members
    return found


@pytest.mark.full
@settings(max_examples=60, deadline=None)
@given(teams(), st.sampled_from(sorted(FORMS)))
def test_what_is_written_reads_back(members, form):
    found, notes = read(9, "all", write(members, form))
    assert notes == ()
    assert names_of(found) == names_of(members)
    if form != "names":
        assert [each.tera for each in found] == [each.tera for each in members]
        assert [[*map(plain, each.moves)] for each in found] == [
            [*map(plain, each.moves)] for each in members
        ]


LINES = [*EXPORT.splitlines(), "Mew, Muk", "Fire-Steel", "3x Mew", "a|b", "]", "{", "#", "- ", "+"]


@pytest.mark.full
@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(["Mew", "Muk", "Abra", "Fire-Steel"]), min_size=1, max_size=4),
       st.text(max_size=30), st.data())  # fmt: skip
@example(["Mew"], "- 3x Muk", None)
@example(["Mew"], "Muk\x85Abra @", None)
def test_garbage_in_a_list_is_told_or_changes_nothing(names, garbage, draw):
    at = draw.draw(st.integers(0, len(names))) if draw else 1
    lines = [*names[:at], garbage, *names[at:]]
    members, notes = read(9, "all", "\n".join(lines))
    found = [each.name for each in members]
    if found != names:
        extra = [
            each for each in members if at < each.line <= at + len(garbage.splitlines() or [0])
        ]
        assert notes or [each.name for each in members if each not in extra] == names
        assert all(plain(each.name.partition("+")[0].split("-")[0]) in plain(garbage) or notes
                   for each in extra)  # fmt: skip


PARTS = st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=12)), max_size=12)


@pytest.mark.full
@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=80), PARTS.map("\n".join)))
def test_any_text_is_read_without_an_accident(text):
    members, notes = read(9, "all", text)
    assert all(note.startswith("line ") for note in notes)
    Pokemon(only=names_of(members))
    found = service.names(service.Listing(text=text))
    assert (found["names"], found["notes"]) == (names_of(members), notes)


def test_the_command_writes_other_forms(tmp_path):
    file = tmp_path / "team.txt"
    file.write_text(EXPORT + "\nGarchmp\n", encoding="utf-8")
    for form in FORMS:
        result = CliRunner().invoke(main, ["pokemon", "read", str(file), "--to", form])
        assert result.exit_code == 0
        assert names_of(read(9, "all", result.stdout)[0]) == TEAM
        assert f"note: {file}, line 34: no Pokémon is called 'Garchmp'" in result.stderr


@pytest.mark.full
def test_many_unknown_names_are_told_in_time():
    _, notes = read(9, "all", "\n".join(f"Nobody {k}" for k in range(3000)))
    assert len(notes) == 3000
