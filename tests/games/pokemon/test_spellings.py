"""All Pokémon of the tables in every spelling that lists of people, programs and pages have."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

import pytest

from dragon_pokemon.lists import read
from dragon_pokemon.species import named, species

WHOLE = {
    "Ho-Oh", "Porygon-Z", "Jangmo-o", "Hakamo-o", "Kommo-o", "Ting-Lu", "Chien-Pao", "Wo-Chien",
    "Chi-Yu", "Nidoran-F", "Nidoran-M",
}  # fmt: skip
"""Names with a hyphen that are no forms."""
REGIONS = {"Alola": "Alolan", "Galar": "Galarian", "Hisui": "Hisuian", "Paldea": "Paldean"}


def slug(name: str) -> str:
    """The name as PokeAPI writes it."""
    flat = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub("-+", "-", re.sub("[.':%,]", "", flat).lower().replace(" ", "-"))


def printed(name: str) -> str:
    """The name as the games print it, where a rule says so."""
    base, *form = [name] if name in WHOLE else name.split("-")
    if len(form) == 1 and form[0] in REGIONS:
        return f"{REGIONS[form[0]]} {base}"
    if form[:1] in (["Mega"], ["Primal"]):
        return " ".join([form[0], base, *form[1:]])
    return f"{base} ({' '.join(form)})" if form else name


SPELLINGS: dict[str, Callable[[str], str]] = {
    "showdown": lambda name: name,
    "pokeapi": slug,
    "printed": printed,
    "lower case": str.lower,
    "upper case": str.upper,
    "id": lambda name: re.sub("[^a-z0-9]", "", slug(name)),
    "underscores": lambda name: slug(name).replace("-", "_"),
    "blanks": lambda name: name.replace("-", " "),
    "curly apostrophe": lambda name: name.replace("'", "\u2019"),
    "item": lambda name: f"{name} @ Leftovers",
    "nickname": lambda name: f"#1 [x] (y) ({name}) (F) @ Life Orb",
    "gender": lambda name: f"{name} (M)",
    "bullet": lambda name: f"- {name}",
    "ordinal": lambda name: f"1. {name}",
    "copies": lambda name: f"1x {name}",
    "number": lambda name: f"#006 {name}",
    "level": lambda name: f"{name} Lv. 50",
    "quotes": lambda name: f'"{name}"',
    "bold": lambda name: f"**{name}**",
    "comma": lambda name: f"{name},",
    "grave accent": lambda name: name.replace("'", "`"),
}


@pytest.mark.samples("showdown")
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_name_is_read_in_every_spelling(spelling: str) -> None:
    wrong = []
    for each in species():
        had = [g for g in range(each.since, 10) if str(g) not in each.gone]
        generation = max(had, default=9)
        members, notes = read(generation, "all", SPELLINGS[spelling](each.name))
        if [member.name for member in members] != [each.name] or notes:
            wrong.append((each.name, members, notes))
    assert not wrong


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Landorus-T", "Landorus-Therian"), ("Rotom-W", "Rotom-Wash"), ("Kyurem-B", "Kyurem-Black"),
        ("Necrozma-DM", "Necrozma-Dusk-Mane"), ("G-Weezing", "Weezing-Galar"),
        ("A-Marowak", "Marowak-Alola"), ("Zacian-C", "Zacian-Crowned"), ("Nidoran-F", "Nidoran-F"),
    ],
)  # fmt: skip
def test_initials_name_a_form(text: str, name: str) -> None:
    found = named(text)
    assert found is not None
    assert found.name in (name, name.partition("-")[0])


@pytest.mark.parametrize("text", ["Rotom-F", "Meowth-G", "Nidoran", "#006", "# 006 Muk", "7x Muk"])
def test_what_may_be_several_or_none_is_not_guessed(text: str) -> None:
    assert not read(9, "all", text)[0]


def test_a_gender_is_not_the_initial_of_a_form() -> None:
    for text in ("Scizor (M)", "Rotom (F)", "Venusaur (M)"):
        members, _ = read(7, "all", text)
        assert [each.name for each in members] == [text.partition(" ")[0]]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Vivillon (Poké Ball Pattern)", "Vivillon"), ("Gastrodon (East Sea)", "Gastrodon"),
        ("Red Flower Flabébé", "Flabébé"), ("Genesect (Douse Drive)", "Genesect"),
        ("Miraidon (Drive Mode)", "Miraidon"), ("Castform (Normal)", "Castform"),
        ("Furfrou (La Reine Trim)", "Furfrou"), ("Eiscue (Noice Face)", "Eiscue"),
        ("Kyogre (Primal Reversion)", "Kyogre-Primal"), ("Silvally (Type: Bug)", "Silvally-Bug"),
        ("Arceus (Bug Type)", "Arceus-Bug"), ("Type: Null", "Type: Null"),
        ("Magearna (Original Color)", "Magearna-Original"), ("Farfetch\u00b4d", "Farfetch'd"),
        ("Tauros (Paldean Form (Aqua Breed))", "Tauros-Paldea-Aqua"),
        ("Tauros (Paldean Form) (Blaze Breed)", "Tauros-Paldea-Blaze"),
    ],
)  # fmt: skip
def test_forms_are_named_as_in_print(text: str, name: str) -> None:
    """The English names of forms in PokeAPI's `pokemon_form_names.csv`; a name may be new."""
    found = next(members for gen in (9, 8, 7) if (members := read(gen, "all", text)[0]))
    assert [each.name for each in found] == [name]
