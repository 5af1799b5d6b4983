"""`dragon pokemon`: what its commands print, and what they say of mistakes."""

from __future__ import annotations

import json
import re
from contextlib import nullcontext
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from dragon.cli import main

ROOT = Path(__file__).parents[3]
KEYS = [
    "items", "options", "mode", "among", "rank", "differ", "limit", "count", "bound", "ranked",
    "claim", "solutions", "partial", "pokemon", "nodes", "seconds",
]  # fmt: skip


def run(*arguments):
    return CliRunner().invoke(main, ["pokemon", *map(str, arguments)], prog_name="dragon")


def as_json(*arguments):
    """The JSON on stdout."""
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize(
    "command", [(), ("cover",), ("read",), ("types",), ("locations",), ("team",)]
)
def test_help_gives_examples(command):
    result = run(*command, "--help")
    assert result.exit_code == 0
    examples = result.stdout.partition("Examples:")[2]
    assert " ".join(["dragon pokemon", *command]) in examples


MISTAKES = {
    "generation": (["cover", "--gen", "10"], "generation from 1 to 9"),
    "generation of types": (["types", "--gen", "0"], "give 1 to 9"),
    "generation of locations": (["locations", "--gen", "12"], "give 1 to 9"),
    "location": (["cover", "--gen", "4", "--location", "Sunishore"], "did you mean 'Sunyshore"),
    "location like one elsewhere": (
        ["cover", "--location", "Sunishore"],
        "did you mean 'Sunyshore City' of generation 4?",
    ),
    "differ in more than there are": (["cover", "--differ", "7"], "it is from 1 to 6"),
    "empty list": (["cover", "--list", "-"], "stdin: no Pokémon of generation 9 is listed"),
    "location elsewhere": (["cover", "--gen", "4", "--location", "Alfornada"], "generation 9 has"),
    "type": (["cover", "--pin", "Fier"], "did you mean 'Fire'"),
    "combination": (["cover", "--gen", "1", "--ban", "Bug-Dark"], "no Pokémon of types Bug-Dark"),
    "attack": (["cover", "--gen", "1", "--side", "attack", "--pin", "Dark"], "no type Dark"),
    "team": (["team", "Fire", "Fier"], "did you mean 'Fire'"),
    "limit": (["cover", "--limit", "0"], "at least 1"),
    "top": (["cover", "--top", "-1"], "--top"),
    "side": (["cover", "--side", "left"], "--side"),
    "mode": (["cover", "--mode", "some"], "--mode"),
    "count of best": (["cover", "--count"], "give --mode exact, minimal, all or overlapping"),
    "count and top": (["cover", "--mode", "exact", "--count", "--top", "3"], "--top ranks"),
    "no number of seconds": (["cover", "--seconds", "nan"], "nan is not a number of seconds"),
    "top of nothing": (["cover", "--top", "0"], "nothing to do; ask for one at least"),
    "among of a collection": (["cover", "--among", "all", "--mode", "exact"], "goes with --mode"),
    "no time": (["cover", "--seconds", "0"], "--seconds"),
    "nobody": (["team"], "NAME"),
    "Pokémon": (["cover", "--only", "Garchmp"], "did you mean 'Garchomp'"),
    "later Pokémon": (["cover", "--gen", "3", "--pin", "Garchomp"], "came with generation 4"),
    "gone Pokémon": (
        ["cover", "--gen", "8", "--combos", "obtainable", "--only", "Pidgey"],
        "cannot be had",
    ),
    "ability": (["team", "Gengar+Static", "--abilities"], "no ability that counts"),
    "two abilities": (["team", "Bronzong", "--abilities"], "Bronzong+Heatproof or Bronzong+Lev"),
    "ability of another": (["team", "Blissey+Levitate", "--abilities"], "Blissey has no Levitate"),
    "ability uncounted": (["cover", "--pin", "Bronzong+Levitate"], "ask for them"),
    "moves of a team": (["cover", "--moves"], "moves make exceptions in attack"),
    "attack with an exception": (["cover", "--side", "attack", "--pin", "Freeze-Dry"], "ask for m"),
    "ability of attackers": (["team", "--side", "attack", "Ice+Levitate"], "no ability of attack"),
    "dex": (["cover", "--dex", "paldae"], "did you mean 'paldea'"),
    "filter of attacks": (["cover", "--side", "attack", "--evolved"], "evolved chooses Pokémon"),
    "filter of the original": (["cover", "--data", "original", "--dex", "galar"], "true tables"),
    "filtered pin": (
        ["cover", "--without", "mythical", "--pin", "Mew"],
        "Mew is mythical, and this",
    ),
    "one type": (["cover", "--monotype", "Fier"], "did you mean 'Fire'"),
    "Pokémon as an attack": (["cover", "--side", "attack", "--pin", "Mew"], "named by their types"),
    "no list": (["cover", "--list", "/nowhere.txt"], "/nowhere.txt"),
    "one Pokémon twice": (
        ["cover", "--pin", "Rotom-Wash", "--pin", "Rotom-Heat"],
        "Rotom-Wash and Rotom-Heat are one Pokémon",
    ),
    "pinned and banned": (["cover", "--pin", "Mew", "--ban", "Mew"], "pinned and banned"),
    "rank of attacks": (["cover", "--side", "attack", "--rank", "stacked"], "attacks have none"),
    "differ of the original": (["cover", "--mode", "overlapping", "--differ", "2"], "leave out"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_a_sentence_and_exit_code_2(case, refused):
    arguments, expected = MISTAKES[case]
    refused(run(*arguments), expected)


def test_every_mistake_is_told_at_once():
    result = run("cover", "--gen", "4", "--location", "Nowhere", "--ban", "Fier", "--limit", "0")
    assert result.exit_code == 2
    for expected in ("'Nowhere'", "'Fier'", "at least 1"):
        assert expected in result.stderr


def test_cover_gives_the_documented_object():
    row = as_json("cover", "--gen", 9, "--mode", "exact", "--top", 2)
    assert list(row) == KEYS
    assert len(row["items"]) == 18
    assert len(row["options"]) == 162
    assert (row["mode"], row["limit"], row["bound"]) == ("exact", 6, "=")
    assert row["count"] == {"total": 11, "by_size": {"4": 1, "5": 7, "6": 3}, "bound": "="}
    assert [list(team) for team in row["solutions"]] == [
        ["score", "stacked", "options", "members"]
    ] * 2
    assert row["solutions"][0]["score"] == 40
    assert row["seconds"] < 5


@pytest.mark.full
def test_defaults_are_the_best_ten_of_generation_9():
    row = as_json("cover")
    assert row["count"] is None
    assert [team["score"] for team in row["solutions"]] == [29] * 10
    assert row["solutions"] == sorted(
        row["solutions"], key=lambda t: (t["score"], len(t["options"]), t["options"])
    )


@pytest.mark.full
def test_counting_lists_nothing():
    row = as_json("cover", "--mode", "minimal", "--count")
    assert (row["count"]["total"], row["solutions"]) == (58324044, [])


def test_the_options_of_cover_reach_the_question():
    spec = ["cover", "--gen", 4, "--location", "sunnyshore city", "--location", "Pastoria City"]
    spec += ["--pin", "water/ground", "--ban", "Steel", "--limit", 5, "--data", "original"]
    row = as_json(*spec, "--combos", "without-megas", "--mode", "minimal")
    assert row["limit"] == 5
    assert "Steel" not in row["options"]
    assert "Electric-Fire" in row["options"]
    assert "Poison" not in row["items"]
    assert row["solutions"]
    assert all("Ground-Water" in team["options"] for team in row["solutions"])


def test_attacks_are_ranked_high_first():
    scores = [t["score"] for t in as_json("cover", "--side", "attack", "--top", 5)["solutions"]]
    assert scores == sorted(scores, reverse=True)
    assert as_json("cover", "--side", "attack")["limit"] == 24


def test_among_all_covers_a_better_one_may_have_an_option_to_spare():
    spec = ["cover", "--gen", 1, "--location", "Celadon City", "--top", 1]
    minimal = as_json(*spec, "--among", "minimal")
    assert as_json(*spec)["solutions"][0]["score"] < minimal["solutions"][0]["score"]
    assert "others can score better, and are left out" in minimal["claim"]


@pytest.mark.full
def test_a_proof_is_claimed_of_what_is_proven_alone():
    assert as_json("cover", "--top", 1)["claim"].startswith("proven: no team of at most 6 scores")
    asked = as_json("cover", "--pin", "Swampert", "--ban", "Mew", "--limit", 5, "--differ", 1)
    assert asked["claim"] == (
        "proven: no team of at most 5 with Ground-Water, of those that may be chosen, scores better"
    )
    assert "exactly one; others are left out" in as_json("cover", "--mode", "exact")["claim"]
    late = as_json("cover", "--seconds", "0.000001")
    assert not late["ranked"]
    assert late["claim"].startswith("not all was searched: there may be better ones")


def test_no_cover_is_explained():
    result = run("cover", "--gen", 1)
    assert result.exit_code == 0
    assert "in generation 1 no Pokémon resists Dragon" in result.stdout
    result = run("cover", "--gen", 2, "--mode", "exact", "--json")
    assert json.loads(result.stdout)["count"] == {"total": 0, "by_size": {}, "bound": "="}
    assert "each exactly once; drop any one of these, and it can be done" in result.stderr
    result = run("cover", "--pin", "Fire", "--pin", "Water", "--limit", 2, "--mode", "all")
    assert "no team of at most 2 with Fire and Water can resist Dark" in " ".join(
        result.stdout.split()
    )


@pytest.mark.full
def test_a_limit_in_seconds_is_kept_and_told():
    result = run("cover", "--mode", "overlapping", "--seconds", "0.2", "--top", 1)
    assert result.exit_code == 0
    assert "overlapping covers >= " in result.stdout
    assert "not all was searched: there may be better ones" in result.stdout
    assert "not all was counted in the time: there may be more" in result.stdout
    row = as_json("cover", "--mode", "minimal", "--seconds", "0.000001")
    assert row["bound"] == ">="
    assert row["count"] == {"total": 0, "by_size": None, "bound": ">="}


def test_cover_for_people():
    text = run("cover", "--mode", "exact", "--top", 1).stdout
    assert "exact covers = 11 (1 of 4, 7 of 5, 3 of 6)" in text
    assert "   40  Dark-Fairy, Electric-Water, Ghost-Poison, Grass-Ground" in text


def test_types():
    assert [len(row["combinations"]) for row in as_json("types")] == [
        33, 55, 75, 89, 110, 133, 146, 155, 162,
    ]  # fmt: skip
    (row,) = as_json("types", "--gen", 4, "--data", "original")
    assert len(row["combinations"]) == 91
    assert row["chart"]["Ghost"]["Steel"] == 1.0
    assert "generation 5: 17 types, 110 combinations" in run("types").stdout
    assert "Ghost     ·   ·   ·   ·   ·   ·   2   ·   ·   ·   0   ·   0" in (
        run("types", "--gen", 1).stdout
    )


def test_locations():
    rows = as_json("locations")
    assert len(rows) == 80
    (place,) = (row for row in rows if row["also"] == "Sunnyshore City")
    assert (place["name"], place["generation"], place["defenders"]) == (
        "Sunyshore City", 4, ["Electric"],
    )  # fmt: skip
    assert "Sunyshore City (also Sunnyshore City)" in run("locations", "--gen", 4).stdout


def test_team():
    row = as_json("team", "steel/fire", "Dark", "--gen", 4)
    assert row["options"] == ["Fire-Steel", "Dark"]
    assert row["multipliers"]["Ground"] == {"Fire-Steel": 4.0, "Dark": 1.0}
    assert not row["covers"]
    assert "Ground" in row["missing"]
    lines = run("team", "Fire-Steel", "Dark", "--gen", 4).stdout.splitlines()
    assert lines[0].split() == ["attack", "Fire-Steel", "Dark", "best"]
    assert ["Ground", "x4", "·", "·"] in [line.split() for line in lines]


def test_a_team_is_drawn(tmp_path):
    file = tmp_path / "team.svg"
    assert run("team", "Ice", "Ground", "--side", "attack", "--svg", file).exit_code == 0
    assert ElementTree.parse(file).getroot().tag.endswith("svg")
    result = run("team", "Ice", "--svg", tmp_path / "no" / "team.svg")
    assert result.exit_code == 2
    assert "No such file" in result.stderr


def test_the_picture_in_the_documentation_is_as_drawn(tmp_path):
    team = [
        "Dark-Fairy",
        "Dragon-Water",
        "Fire-Steel",
        "Flying-Normal",
        "Ghost-Poison",
        "Ground-Steel",
    ]
    assert run("team", *team, "--svg", tmp_path / "team.svg").exit_code == 0
    kept = ROOT / "docs" / "images" / "pokemon-team.svg"
    assert (tmp_path / "team.svg").read_text() == kept.read_text()


def test_the_race_is_a_valid_tournament():
    from dragon_tournament.config.reading import read

    race = read(ROOT / "tournaments" / "pokemon-covers.toml")
    names = [player.search.name for player in race.players]
    assert names == ["algorithm_x", "dlx", "mcts", "montecarlo"]
    assert race.referee.name == "race"


def test_one_mistake_is_one_sentence():
    lines = run("cover", "--limit", "-1").stderr.splitlines()
    assert lines == [
        "dragon: limit must be how many may be chosen, at least 1, not -1 @ pokemon.limit"
    ]


def test_a_count_has_a_reference_value_its_own():
    row = as_json("cover", "--mode", "all", "--seconds", "0.000001")
    assert (row["count"]["bound"], row["bound"]) == ("=", "<=")
    assert row["count"]["total"] == 2352551078
    text = run("cover", "--mode", "all", "--seconds", "0.000001").stdout
    assert "all covers = 2,352,551,078 (" in text
    assert "not all was searched: there may be better ones" in text


@pytest.mark.samples("0.000001-*")
@pytest.mark.parametrize("mode", ["minimal", "exact", "overlapping"])
@pytest.mark.parametrize("seconds", ["0.000001", "0.004", "0.05"])
def test_what_is_listed_has_been_counted(mode, seconds):
    row = as_json("cover", "--mode", mode, "--seconds", seconds, "--top", "3")
    assert row["count"]["total"] >= len(row["solutions"])


@pytest.mark.samples("overlapping*")
@pytest.mark.parametrize(
    ("mode", "label"),
    [("minimal", "counting, at most 6"), ("minimal", "counting, at most 5"),
     ("overlapping", "counting")],
)  # fmt: skip
def test_ctrl_c_prints_what_is_known(mode, label, monkeypatch):
    calls = []

    def watch(part, text):
        calls.append(re.sub(r", [\d,]+ found$", "", text))
        if calls.count(label) == 5 or (label[-1] == "5" and label in calls):
            raise KeyboardInterrupt

    monkeypatch.setattr("dragon_pokemon.cli.progress", lambda: nullcontext(watch))
    result = run("cover", "--mode", mode, "--top", "3", "--json")
    assert result.exit_code == 130, result.output
    assert result.stderr.splitlines()[-1] == "interrupted"
    assert "Traceback" not in result.stderr
    row = json.loads(result.stdout)
    whole = label == "counting, at most 5"
    assert row["count"]["bound"] == ("=" if whole else ">=")
    assert row["count"]["total"] == 58324044 or not whole
    assert len(row["solutions"]) == 3


def test_a_team_in_a_file_is_shown_with_its_tera_types(tmp_path):
    file = tmp_path / "team.txt"
    file.write_text("Bell (Bronzong) @ Leftovers\nAbility: Levitate\nTera Type: Water\n\nMew\n")
    row = as_json("team", "--list", file, "--abilities")
    assert row["options"] == ["Psychic-Steel+Levitate", "Psychic"]
    assert row["multipliers"]["Ground"] == {"Psychic-Steel+Levitate": 0.0, "Psychic": 1.0}
    assert row["tera"] == ["Water+Levitate", "Psychic"]
    assert "after each takes its Tera type\nattack    Water+Levitate" in (
        run("team", "--list", file, "--abilities").stdout
    )
    assert as_json("team", "--list", file) == row  # the abilities of a file count
    file.write_text("Mew\nAbility: Synchronize\n\nBronzong\n")
    mixed = run("team", "--list", file)
    assert "abilities do not count, for that of Bronzong is not given" in mixed.stderr
    assert "Psychic-Steel  best" in mixed.stdout
    file.write_text("Mew")
    assert "tera" not in as_json("team", "--list", file)


def test_a_file_of_pins_is_completed(tmp_path):
    mine, bench = tmp_path / "mine.txt", tmp_path / "bench.txt"
    mine.write_text("Garchomp\nBronzong\nAbility: Levitate\n")
    bench.write_text("Skarmory\nClefable\nRotom-Wash\nTyranitar\n")
    row = as_json("cover", "--pin-file", mine, "--list", bench, "--abilities", "--top", 1)
    (team,) = row["solutions"] or row["partial"]
    assert {"Dragon-Ground", "Psychic-Steel+Levitate"} < {*team["options"]}
    assert {"Garchomp", "Bronzong"} < {*team["members"]}
    free = as_json("cover", "--pin-file", mine, "--limit", 4, "--top", 1)
    assert len(free["options"]) == 162
    assert {"Dragon-Ground", "Psychic-Steel"} < {*free["solutions"][0]["options"]}
