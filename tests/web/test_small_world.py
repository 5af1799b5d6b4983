"""The page Small World: its answers are the command line's, decks are text and name no file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from click.testing import CliRunner

pytest.importorskip("starlette")

from starlette.testclient import TestClient

from dragon.cli import main
from dragon.errors import ConfigError
from dragon.modes import JIT
from dragon.web.app import application
from dragon.web.guard import Access
from dragon.web.pool import Plan
from dragon_cards import dragon_pages as cards_pages
from dragon_cards.names import folded
from dragon_cards.store import FETCHED
from dragon_small_world import dragon_pages, service

pytestmark = pytest.mark.full  # tests/web/test_hands.py has the mechanisms of all domains


CARDS = cards_pages()[0]
(SMALL_WORLD,) = dragon_pages()

DECK = "Ash Blossom\n3 Effect Veiler\nD.D. Crow\nMathmech Circular\n"


@pytest.fixture(scope="module")
def client(keeps_processes: None) -> Iterator[TestClient]:
    with JIT.under("0"):
        plan = Plan("search", 1, 2, warm=("builtins:dict",))
        app = application(Access(), plan, pages=(SMALL_WORLD, CARDS))
        with TestClient(app, base_url="http://localhost") as made:
            yield made


def as_json(*arguments: str) -> Any:
    """Give what a command prints with --json."""
    result = CliRunner().invoke(main, ["small-world", *arguments, "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def same(found: Any, expected: Any) -> None:
    """An answer has all that the command prints, and perhaps more beside it."""
    found = json.loads(json.dumps(found))
    assert {key: found[key] for key in expected} == expected


def test_bridges_are_the_commands() -> None:
    found = service.bridges(service.Bridging(top=5, filters=("level<=4",), exclude_deck=True))
    expected = as_json(
        "bridges", "mathmech", "--top", "5", "--filter", "level<=4", "--exclude-deck"
    )
    rows = [{key: row[key] for key in expected["bridges"][0]} for row in found["bridges"]]
    same({**found, "bridges": rows}, expected)
    assert found["bridges"][0]["attribute"] == "WIND"
    assert found["before"] == 116


def test_ways_pictures_and_hands_are_the_commands() -> None:
    way = service.Way(start="D.D. Crow", end="Mathmech Circular")
    same(service.paths(way), as_json("paths", "mathmech", "--from", way.start, "--to", way.end))
    same(service.weak(service.Decked()), as_json("weak", "mathmech"))
    same(service.graph(service.Decked()), as_json("graph", "mathmech"))
    same(service.matrix(service.Tabled(squared=True)), as_json("matrix", "mathmech", "--squared"))
    two = service.Two("Sangan", "Effect Veiler", "zero")
    same(service.explain(two), as_json("explain", two.first, two.second, "--question", "zero"))
    same(
        service.reach(service.Drawn(targets=("Mathmech Circular",), hand=6, copies=1)),
        as_json(
            "reach", "mathmech", "--target", "Mathmech Circular", "--hand", "6", "--copies", "1"
        ),
    )


@pytest.mark.parametrize("k", [2, 3])
def test_sets_are_the_commands(k: int) -> None:
    few = ("type=Cyberse",)
    filters = [word for text in few for word in ("--filter", text)]
    if k == 2:
        *_, last = service.pairs(service.Pairing(filters=few, top=3))
        same(last, as_json("pairs", "mathmech", "--top", "3", *filters))
        assert last["proven"]
    else:
        *_, last = service.sets(service.Joining(filters=few, k=k))
        same(last, as_json("sets", "mathmech", "-k", str(k), *filters))


def test_a_deck_is_text_and_names_no_file(tmp_path: Path, monkeypatch: Any) -> None:
    file = tmp_path / "deck.txt"
    file.write_text(DECK)
    monkeypatch.chdir(tmp_path)
    for name in ("deck.txt", str(file), "-"):
        with pytest.raises(ConfigError, match=r"@ request\.deck"):
            service.understood(service.Decked(deck=name))
    found = service.understood(service.Decked(deck=DECK + "Effekd Weiler\n12345\nRaigeki"))
    assert [monster["name"] for monster in found["monsters"]] == [
        "Ash Blossom & Joyous Spring", "D.D. Crow", "Effect Veiler", "Mathmech Circular",
    ]  # fmt: skip
    assert found["size"] == 40
    assert found["unknown"] == ["Effekd Weiler", "12345"]
    assert "is read as 'Ash Blossom & Joyous Spring'" in found["notes"][0]
    assert "did you mean 'Effect Veiler'?" in found["notes"][1]
    assert len(found["notes"]) == 3
    assert found["text"] is None
    assert "3 Small World" in service.understood(service.Decked())["text"]


def test_pictures_bring_no_style() -> None:
    for drawn in (service.graph(service.Decked()), service.matrix(service.Tabled())):
        assert drawn["svg"].startswith("<svg")
        assert "style" not in drawn["svg"]


def test_large_decks_are_not_drawn() -> None:
    numbers = [str(monster.id) for monster in service.pool().monsters]
    asked = service.Decked(deck="\n".join(numbers[: service.DRAWN + 1]))
    with pytest.raises(ConfigError, match="too many for a picture"):
        service.graph(asked)
    with pytest.raises(ConfigError, match="more than 150 cards"):
        service.weak(evolve(asked, deck="\n".join(numbers[:151])))


def test_nobody_learns_where_fetched_cards_are(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("DRAGON_DATA", str(tmp_path))
    file = tmp_path / "cards" / "cards.csv"
    file.parent.mkdir()
    file.write_text("id,name,attribute,type,level,atk,def\n1,Alpha,DARK,Fiend,4,0,0\n")
    found = service.understood(service.Decked(deck="Alpha\nBeta"))
    assert found["cards"]["source"] == FETCHED
    assert not found["cards"]["starter"]
    with pytest.raises(ConfigError) as wrong:
        service.explain(service.Two("Beta", "Alpha"))
    assert str(tmp_path) not in str(wrong.value)


def test_names_that_begin_so_come_first() -> None:
    found = service.names(service.Like("d d", top=2))["names"]
    assert found[0] == "D.D. Crow"
    assert "dd" in folded(found[1])


def test_the_server_answers(client: TestClient) -> None:
    assert client.get("/small-world").status_code == 200
    found = client.post("/api/small-world/bridges", json={"top": 1}).json()
    assert found["bridges"][0]["name"] == "Shinobird Crow"
    asked = {"k": 3, "filters": ["type=Cyberse"], "seconds": 20}
    text = client.post("/api/small-world/sets", json=asked).text
    assert '"bound":"="' in text
    assert text.rstrip().endswith("event: done\ndata: {}")


JUNK: list[tuple[str, dict[str, Any], str]] = [
    ("deck", {"deck": ""}, "deck"),
    ("deck", {"deck": "../../etc/passwd"}, "deck"),
    ("deck", {"deck": "ydke://!!"}, "deck"),
    ("deck", {"deck": "ydke://AAA=!!!"}, "deck"),
    ("deck", {"deck": "\x00\ud800"}, "deck"),
    ("deck", {"deck": "x" * 20_001}, "deck"),
    ("deck", {"deck": "99 " * 6000}, "deck"),
    ("deck", {"deck": "deck: {" + "[" * 9000}, "deck"),
    ("deck", {"deck": ["a"]}, "deck"),
    ("deck", {"question": "maybe"}, "question"),
    ("deck", {"side": 1}, "side"),
    ("deck", {"cards": "/etc/passwd"}, ""),
    ("bridges", {"filters": ["level<4x"]}, "filters"),
    ("bridges", {"filters": ["level=99"]}, "filters"),
    ("bridges", {"filters": ["tcg>=1"]}, "filters"),
    ("bridges", {"require": ["Nobody"]}, "require"),
    ("bridges", {"top": 0}, "top"),
    ("pairs", {"seconds": 1e9}, "seconds"),
    ("sets", {"k": 13}, "k"),
    ("sets", {"k": True}, "k"),
    ("paths", {}, "start"),
    ("paths", {"start": "Nobody"}, "start"),
    ("paths", {"start": "Sangan", "end": "Nobody"}, "end"),
    ("matrix", {"squared": "yes"}, "squared"),
    ("reach", {"targets": ["Nobody"]}, "targets"),
    ("reach", {"hand": 16}, "hand"),
]


@pytest.mark.parametrize(("path", "body", "field"), JUNK)
def test_junk_is_told_with_its_field(
    client: TestClient, path: str, body: dict[str, Any], field: str
) -> None:
    answer = client.post(
        f"/api/small-world/{path}",
        content=json.dumps(body),
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"].get("field", "").partition("[")[0] == field
    assert "Traceback" not in answer.text


def test_what_cannot_be_counted_is_told(client: TestClient) -> None:
    asked = {"targets": ["Effect Veiler"], "deck": DECK}
    answer = client.post("/api/small-world/reach", json=asked)
    assert answer.status_code == 400
    assert "no Small World" in answer.json()["error"]["message"]
