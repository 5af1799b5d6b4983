"""The page Pokémon: its answers are the command line's, and junk is told with its field."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from attrs import evolve
from click.testing import CliRunner

pytest.importorskip("starlette")

from starlette.testclient import TestClient

from dragon.cli import main
from dragon.errors import ConfigError
from dragon.modes import JIT
from dragon.web.app import application, folder
from dragon.web.guard import Access
from dragon.web.parameters import structure
from dragon.web.pool import Plan
from dragon_pokemon import dragon_pages as pokemon_pages
from dragon_pokemon import service
from dragon_pokemon.tables import NAMES

pytestmark = pytest.mark.full  # tests/web/test_hands.py has the mechanisms of all domains


POKEMON = pokemon_pages()[0]


@pytest.fixture(scope="module")
def client(keeps_processes: None) -> Iterator[TestClient]:
    with JIT.under("0"):
        plan = Plan("search", 1, 2, warm=("builtins:dict",))
        app = application(Access(), plan, pages=(POKEMON,))
        with TestClient(app, base_url="http://localhost") as made:
            yield made


def as_json(*arguments: str) -> Any:
    """Give what a command prints with --json."""
    result = CliRunner().invoke(main, ["pokemon", *arguments, "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def events(text: str) -> list[Any]:
    """The objects of a stream."""
    return [json.loads(part[6:]) for part in text.split("\n\n") if part.startswith("data: ")]


def timeless(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key not in ("seconds", "why", "svg")}


ASKED: dict[str, tuple[dict[str, Any], list[str]]] = {
    "best": ({"gen": 2}, ["--gen", "2"]),
    "exact": ({"gen": 9, "mode": "exact", "top": 3}, ["--mode", "exact", "--top", "3"]),
    "list": (
        {"abilities": True, "only": ("Garchomp", "Skarmory", "Rotom-Wash"), "rank": "stacked"},
        ["--abilities", "--only", "Garchomp", "--only", "Skarmory", "--only", "Rotom-Wash",
         "--rank", "stacked"],
    ),
    "attack": (
        {"gen": 4, "side": "attack", "mode": "all", "top": 2, "locations": ("Sunyshore City",)},
        ["--gen", "4", "--side", "attack", "--mode", "all", "--top", "2",
         "--location", "Sunyshore City"],
    ),
    "filters": (
        {"dex": "paldea", "evolved": True, "without": ("legendary", "paradox"), "base_stats": 500},
        ["--dex", "paldea", "--evolved", "--without", "legendary", "--without", "paradox",
         "--base-stats", "500"],
    ),
    "exceptions": (
        {"gen": 7, "side": "attack", "moves": True, "abilities": True, "limit": 3},
        ["--gen", "7", "--side", "attack", "--moves", "--abilities", "--limit", "3"],
    ),
    "pin and ban": (
        {"gen": 5, "pin": ("water/ground",), "ban": ("Fire-Steel",), "limit": 5},
        ["--gen", "5", "--pin", "Ground-Water", "--ban", "Fire-Steel", "--limit", "5"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED)
def test_covers_are_the_commands(name: str) -> None:
    given, arguments = ASKED[name]
    *_, last = service.cover(service.Question(**given))
    assert json.loads(json.dumps(timeless(last))) == timeless(as_json("cover", *arguments))


def test_why_there_is_none() -> None:
    *_, last = service.cover(service.Question(gen=1))
    assert last["solutions"] == []
    assert last["partial"][0]["missing"] == ["Dragon"]
    assert last["why"] == "there is none: in generation 1 no Pokémon resists Dragon"


def test_a_team_is_the_commands_with_a_picture() -> None:
    found = service.team(service.Picked(gen=4, picks=("steel/fire", "Dark")))
    assert timeless(found) == as_json("team", "Fire-Steel", "Dark", "--gen", "4")
    assert found["svg"].startswith("<svg")
    assert "style" not in found["svg"]


def test_a_list_is_read_and_what_is_wrong_in_it_is_left_out() -> None:
    text = "rotom wash, Steelix\nGarchmp\nWalking Wake\nFire-Steel"
    found = service.names(service.Listing(gen=4, text=text))
    assert found["names"] == ("Rotom-Wash", "Steelix", "Fire-Steel")
    assert [note.partition(":")[0] for note in found["notes"]] == ["line 2", "line 3"]
    assert "came with generation 9" in found["notes"][1]


def test_a_team_may_have_abilities_and_names() -> None:
    asked = service.Picked(picks=("Rotom-Wash", "Haunter"), abilities=True)
    found = service.team(asked)
    assert found["options"] == ["Electric-Water+Levitate", "Ghost-Poison+Levitate"]
    assert found["multipliers"]["Ground"]["Electric-Water+Levitate"] == 0
    assert found["pokemon"]["Ghost-Poison+Levitate"][:2] == ["Haunter", "Gastly"]
    assert "Levitate" in found["svg"]


def test_tables_are_the_commands() -> None:
    assert [json.loads(json.dumps(service.types(service.Tables(gen=1))))] == as_json(
        "types", "--gen", "1"
    )
    places = service.locations(service.Generation(gen=4))["locations"]
    assert json.loads(json.dumps(places)) == as_json("locations", "--gen", "4")


def test_the_server_answers(client: TestClient) -> None:
    assert client.get("/pokemon").status_code == 200
    found = client.get("/api/pokemon/team?picks=Fire-Steel&picks=Dark&gen=4").json()
    assert found["options"] == ["Fire-Steel", "Dark"]
    asked = "/api/pokemon/cover?gen=4&locations=Oreburgh+City&top=2"
    *_, last = [each for each in events(client.get(asked).text) if each]
    assert len(last["solutions"]) == 2
    assert last["bound"] == "="


JUNK = {
    "types?gen=0": "gen",
    "types?gen=x": "gen",
    "types?combos=mega": "combos",
    "locations?gen=10": "gen",
    "team": "picks",
    "team?picks=Fier": "picks",
    "team?picks=Bug-Dark&gen=1": "picks",
    "team?picks=" + "x" * 41: "picks",
    "team?side=left&picks=Fire": "side",
    "team?picks=Fire&locations=Nowhere": "locations",
    "cover?limit=25": "limit",
    "cover?limit=1&pin=Fire&pin=Water": "pin",
    "cover?pin=Fire&ban=Fire": "ban",
    "cover?pin=%00": "pin",
    "cover?mode=some": "mode",
    "cover?top=0": "top",
    "cover?differ=7": "differ",
    "cover?only=Garchmp": "only",
    "cover?moves=true": "moves",
    "cover?side=attack&evolved=true": "evolved",
    "cover?dex=paldae": "dex",
    "cover?without=legendry": "without",
    "cover?side=attack&rank=stacked": "rank",
    "cover?mode=overlapping&differ=2": "rank",
    "cover?top=1e9": "top",
    "cover?seconds=61": "seconds",
    "cover?seconds=nan": "seconds",
    "cover?path=/etc": "",
    "cover?" + "&".join(["locations=Artazon"] * 21): "locations",
}


@pytest.mark.parametrize("query", JUNK)
def test_junk_is_told_with_its_field(client: TestClient, query: str) -> None:
    answer = client.get(f"/api/pokemon/{query}")
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"].get("field", "").partition("[")[0] == JUNK[query]
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("given", [{"only": ["Garchmp"]}, {"top": 0}, {"limit": 1, "pin": "x"}])
def test_a_mistake_is_known_before_there_is_a_place_in_the_queue(given: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="@ request"):
        structure(service.Question, given)


def test_every_type_has_its_colour_in_the_style() -> None:
    from dragon_pokemon.team import HUES

    style = folder(POKEMON.folder)[POKEMON.style].read_text()
    for name in NAMES:
        assert f".t-{name.lower()} {{ background: {HUES[name]}; }}" in style


def test_the_limit_of_time_is_kept() -> None:
    slow = service.Question(mode="overlapping", top=1, seconds=0.3)
    *_, last = service.cover(evolve(slow, gen=9))
    assert last["bound"] != "="
    assert last["seconds"] < 5
