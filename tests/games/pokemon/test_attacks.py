"""Moves and abilities that make exceptions in attack, and the attacks of the teams of lists."""

from __future__ import annotations

import json
import re
from itertools import combinations

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
from dragon.cli import main
from dragon_pokemon.answers import answer
from dragon_pokemon.lists import Member, attacks, moves, read
from dragon_pokemon.problem import points
from dragon_pokemon.tables import attacks_of, chart, multiplier, types_of
from dragon_pokemon.tables import combinations as types_of_defenders

TEAM = """Lapras @ Leftovers
Ability: Water Absorb
Tera Type: Ground
- Freeze-Dry
- Protect
- Thunderbolt

Kangaskhan
Ability: Scrappy
- Return
- Seismic Toss
- Earthquake
"""


def test_there_are_as_many_moves_as_is_known() -> None:
    """The generations 1 to 5 have 165 to 559 moves, Hidden Power counted once."""
    known = [move for move in moves().values() if not move.name.startswith("Hidden Power ")]
    counts = [sum(move.since <= gen for move in known) for gen in range(1, 6)]
    assert counts == [165, 251, 354, 467, 559]
    assert len(moves()) - len(known) == 16


@pytest.mark.parametrize(("gen", "attack", "defender", "factor"), [
    (9, "Freeze-Dry", "Water", 2), (9, "Freeze-Dry", "Ground-Water", 4),
    (9, "Freeze-Dry", "Ice-Water", 1), (9, "Freeze-Dry", "Fire", 0.5), (9, "Ice", "Water", 0.5),
    (9, "Flying Press", "Normal", 2), (9, "Flying Press", "Fighting", 2),
    (9, "Flying Press", "Grass-Dark", 4), (9, "Flying Press", "Ghost", 0),
    (9, "Flying Press", "Electric-Flying", 0.25), (9, "Flying Press", "Steel", 1),
    (7, "Thousand Arrows", "Flying", 1), (7, "Thousand Arrows", "Fire-Flying", 1),
    (7, "Thousand Arrows", "Bug-Flying", 1), (7, "Thousand Arrows", "Fire-Steel", 4),
    (9, "Normal+Scrappy", "Ghost", 1), (9, "Fighting+Scrappy", "Dark-Ghost", 2),
    (9, "Fighting+Mind's Eye", "Ghost-Normal", 2), (9, "Fighting", "Ghost-Normal", 0),
    (9, "Bug+Tinted Lens", "Fire-Flying", 0.5), (9, "Bug+Tinted Lens", "Fire", 1),
    (9, "Bug+Tinted Lens", "Dark", 2), (9, "Normal+Tinted Lens", "Ghost", 0),
])  # fmt: skip
def test_exceptions_are_those_of_the_games(
    gen: int, attack: str, defender: str, factor: float
) -> None:
    assert multiplier(chart(gen), attack, defender) == factor


@settings(max_examples=60)
@given(st.integers(6, 9), st.data())
def test_an_exception_leaves_all_else_as_it_is(gen: int, data: st.DataObject) -> None:
    """The rules as they are written, apart from the product of the table."""
    table = chart(gen)
    defender = data.draw(st.sampled_from(types_of_defenders(gen)))
    types = defender.split("-")
    own = data.draw(st.sampled_from(types_of(gen)))
    plain = multiplier(table, own, defender)
    lens = multiplier(table, f"{own}+Tinted Lens", defender)
    assert lens == (2 * plain if plain < 1 else plain)
    if own in ("Normal", "Fighting"):
        bare = [t for t in types if t != "Ghost"]
        right = multiplier(table, own, "-".join(bare)) if bare else 1.0
        assert multiplier(table, f"{own}+Scrappy", defender) == right
    press = multiplier(table, "Fighting", defender) * multiplier(table, "Flying", defender)
    assert multiplier(table, "Flying Press", defender) == press
    rest = [t for t in types if t != "Water"]
    cold = (multiplier(table, "Ice", "-".join(rest)) if rest else 1.0) * (1 + ("Water" in types))
    assert multiplier(table, "Freeze-Dry", defender) == cold
    flat = 1.0 if "Flying" in types else multiplier(table, "Ground", defender)
    assert multiplier(table, "Thousand Arrows", defender) == flat


def test_attacks_with_exceptions_are_asked_for() -> None:
    assert attacks_of(9, "all", False, False) == types_of(9)
    assert {*attacks_of(9, "all", True, False)} - {*types_of(9)} == {
        "Flying Press", "Freeze-Dry", "Thousand Arrows",
    }  # fmt: skip
    assert "Thousand Arrows" not in attacks_of(9, "obtainable", True, False)
    assert attacks_of(5, "all", True, False) == types_of(5)
    assert len(attacks_of(4, "all", False, True)) == 17 + 17 + 2
    assert attacks_of(3, "all", False, True) == types_of(3)


def test_the_best_attacks_with_exceptions_are_those_of_brute_force() -> None:
    """Against a gym: the score of the best two attacks, of types and of all."""
    for moves_, abilities in ((False, False), (True, False), (True, True)):
        query = dragon.game({
            "name": "pokemon", "gen": 7, "side": "attack", "limit": 2, "moves": moves_,
            "abilities": abilities, "locations": ["Lush Jungle"],
        })  # fmt: skip
        table, items = chart(7), query.items()
        right = max(
            (sum(max(points(multiplier(table, a, item)) for a in pair) for item in items)
             for n in (1, 2) for pair in combinations(query.options(), n)
             if all(max(multiplier(table, a, item) for a in pair) > 1 for item in items)),
            default=None,
        )  # fmt: skip
        found = answer(query, "best", top=1)
        assert (found.solutions[0].score if found.solutions else None) == right


def test_the_moves_of_a_team_are_its_attacks() -> None:
    members, _ = read(9, "all", TEAM)
    found, notes = attacks(9, members)
    assert found == {
        "Electric": (("Lapras", "Thunderbolt"),), "Freeze-Dry": (("Lapras", "Freeze-Dry"),),
        "Ground": (("Kangaskhan", "Earthquake"),), "Normal+Scrappy": (("Kangaskhan", "Return"),),
    }  # fmt: skip
    assert notes == ()


@pytest.mark.parametrize(("gen", "member", "found", "note"), [
    (9, Member("Sylveon", "Pixilate", moves=("Hyper Voice", "Tera Blast")), "Fairy Normal", ""),
    (6, Member("Sylveon", "Pixilate", moves=("Hidden Power [Fire]",)), "Fire", ""),
    (9, Member("Primarina", "Liquid Voice", moves=("Hyper Voice", "Return")), "Normal Water", ""),
    (9, Member("Delcatty", "Normalize", moves=("Thunderbolt",)), "Normal", ""),
    (1, Member("Fearow", moves=("Gust", "Karate Chop")), "Normal", ""),
    (2, Member("Fearow", moves=("Gust", "Karate Chop")), "Fighting Flying", ""),
    (9, Member("Ogerpon-Wellspring", moves=("Ivy Cudgel",)), "Water", ""),
    (9, Member("Ogerpon", moves=("Ivy Cudgel",)), "Grass", ""),
    (9, Member("Tauros-Paldea-Blaze", moves=("Raging Bull",)), "Fire", ""),
    (9, Member("Tauros-Paldea-Combat", moves=("Raging Bull",)), "Fighting", ""),
    (8, Member("Oricorio-Sensu", moves=("Revelation Dance",)), "Ghost", ""),
    (7, Member("Silvally-Steel", moves=("Multi-Attack",)), "Steel", ""),
    (9, Member("Bronzong", tera="Fairy", moves=("Tera Blast", "Stealth Rock")), "Fairy", ""),
    (9, Member("Bronzong", tera="Stellar", moves=("Tera Blast",)), "Normal", "varies"),
    (9, Member("Castform", moves=("Weather Ball",)), "Normal", "the type of Weather Ball varies"),
    (9, Member("Mew", moves=("Quick Attak",), line=4), "",
     "line 4: no move is called 'Quick Attak'; did you mean 'Quick Attack'"),
    (3, Member("Mew", moves=("Roost", "Dark Pulse")), "", "Dark Pulse came with generation 4"),
    (9, Member("Mew", moves=("Night Shade", "Fissure", "Counter", "Splash")), "", ""),
    (3, Member("Yanmega", "Tinted Lens", moves=("Signal Beam",)), "Bug", ""),
    (4, Member("Yanmega", "Tinted Lens", moves=("Signal Beam",)), "Bug+Tinted Lens", ""),
])  # fmt: skip
def test_a_move_has_the_type_that_it_has_there(
    gen: int, member: Member, found: str, note: str
) -> None:
    given_, notes = attacks(gen, [member])
    expected = [found] if "+" in found else found.split()
    assert [*given_] == expected
    assert note in " ".join(notes)
    assert bool(notes) == bool(note)


def test_a_team_in_a_file_is_shown_with_its_attacks() -> None:
    run = CliRunner().invoke
    shown = run(main, ["pokemon", "team", "--list", "-"], input=TEAM).stdout
    assert "Ice-Water+Water Absorb" in shown
    assert "after each takes its Tera type" in shown
    assert "\nFreeze-Dry      Freeze-Dry (Lapras)\n" in shown
    row = json.loads(run(main, ["pokemon", "team", "--list", "-", "--json"], input=TEAM).stdout)
    attack = row["attack"]
    assert row["moves"]["Ground"] == [["Kangaskhan", "Earthquake"]]
    assert attack["multipliers"]["Ground-Water"]["Freeze-Dry"] == 4
    hard = [kind for kind in types_of_defenders(9)
            if max(multiplier(chart(9), name, kind) for name in row["moves"]) > 1]  # fmt: skip
    assert {*attack["missing"]} == {*types_of_defenders(9)} - {*hard}
    asked = ["pokemon", "team", "--list", "-", "--side", "attack", "--json"]
    whole = json.loads(run(main, asked, input=TEAM).stdout)
    assert whole["options"] == [*row["moves"]]
    assert whole["multipliers"] == attack["multipliers"]
    none = run(main, asked[:-1], input="Mew\n")
    assert none.exit_code == 2
    assert "no attack is in the list" in none.stderr
    drawn = run(main, [*asked[:-1], "--svg", "-"], input=TEAM).stdout
    assert drawn.startswith("<svg")
    assert {*row["moves"]} <= {name.replace(" Scrappy", "+Scrappy")
                               for name in re.findall(r"<text[^>]*>([^<]*)", drawn)}  # fmt: skip
    by_name = run(main, ["pokemon", "team", "freeze dry", "Normal+Scrappy", "--side", "attack"])
    assert "Freeze-Dry" in by_name.stdout


@pytest.mark.full
@settings(max_examples=80)
@given(st.lists(st.text(max_size=20) | st.sampled_from(sorted(m.name for m in moves().values()))),
       st.sampled_from(["", "Scrappy", "Pixilate", "?"]))  # fmt: skip
def test_every_move_is_an_attack_or_does_no_damage_or_is_told(
    names: list[str], ability: str
) -> None:
    found, notes = attacks(9, [Member("Mew", ability, moves=tuple(names))])
    held = {move for each in found.values() for _, move in each}
    for name in names:
        move = moves().get("".join(filter(str.isalnum, name.casefold())))
        if move is None:
            assert any("no move is called" in note for note in notes)
        else:
            assert (move.name in held) == (move.kind not in ("status", "fixed"))
