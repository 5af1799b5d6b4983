"""The web server through starlette's TestClient: pages, answers, refusals, and who may ask."""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree

import pytest
from attrs import evolve, frozen
from click.testing import CliRunner

pytest.importorskip("starlette")

from starlette.testclient import TestClient

import dragon
from dragon import plugins
from dragon.bits import Random
from dragon.cli import main
from dragon.core import TERMINAL
from dragon.errors import ConfigError, PluginError
from dragon.modes import JIT
from dragon.page import (
    Endpoint,
    Nothing,
    Page,
    choice,
    flag,
    number,
    parameters_of,
    text,
    texts,
    whole,
)
from dragon.web import limits, picture, play
from dragon.web.app import Settings, access, application, folder, url
from dragon.web.guard import BODY, Access, hostname
from dragon.web.parameters import from_query, schema, structure
from dragon.web.play import Shown, score
from dragon.web.pool import Plan
from dragon.web.site import BUILT_IN, pages

COLD = ("builtins:dict",)
"""Instead of warming up: the tests search in plain Python."""


@frozen
class Part:
    """A part of a form."""

    size: int = whole(1, least=1, most=9)
    """How large."""


@frozen
class Form:
    """Parameters of every kind."""

    name: str = text(longest=5)
    """Its name."""
    count: int = whole(2, least=1, most=10)
    """How many."""
    share: float = number(0.5, least=0, most=1)
    """A share."""
    eye: int | None = whole(None, least=0, most=3)
    """A seat, or none."""
    kind: str = choice("red", "blue")
    """A colour."""
    on: bool = flag()
    """Whether."""
    words: tuple[str, ...] = texts(most=3, longest=4)
    """Some words."""
    parts: tuple[Part, ...] = ()
    """Parts."""


@pytest.fixture(scope="module")
def client(keeps_processes: None) -> Iterator[TestClient]:
    with JIT.under("0"):
        plan = Plan("search", 1, 2, warm=COLD)
        with TestClient(
            application(Access(), plan, pages=BUILT_IN), base_url="http://localhost"
        ) as made:
            yield made


def refusal(answer: Any, status: int, field: str | None = None) -> str:
    """The message of a refusal, which has this status and is about this field."""
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert "Traceback" not in answer.text
    if field is not None:
        assert error.get("field") == field, error
    return str(error["message"])


# ---- parameters --------------------------------------------------------------------------------


def test_a_query_becomes_a_value() -> None:
    pairs = [("name", "abc"), ("count", "7"), ("share", "1e-1"), ("eye", ""), ("on", "true"),
             ("words", "a"), ("words", "b"), ("kind", "blue")]  # fmt: skip
    made = structure(Form, from_query(Form, pairs))
    assert made == Form("abc", 7, 0.1, None, "blue", True, ("a", "b"))


def test_a_body_becomes_a_value() -> None:
    assert structure(Form, {"name": "x", "parts": [{"size": 3}]}).parts == (Part(3),)


def test_every_mistake_is_told_with_its_field() -> None:
    pairs = [("name", "abcdef"), ("count", "x"), ("share", "2"), ("kind", "green"), ("hue", "1")]
    with pytest.raises(ConfigError) as wrong:
        structure(Form, from_query(Form, pairs))
    places = {problem.rpartition(" @ ")[2] for problem in wrong.value.problems}
    assert places == {"request", "request.name", "request.count", "request.share", "request.kind"}


@pytest.mark.parametrize(
    "given",
    [{"name": "x", "count": True}, {"name": "x", "share": float("nan")},
     {"name": "x", "words": "a"}, {"name": "x", "words": ["a", "b", "c", "d"]},
     {"name": "x", "words": ["abcde"]}, {},
     {"name": "x", "parts": [{"size": 10}]}, {"name": "x", "eye": 4}, [], "x", None],
)  # fmt: skip
def test_what_is_out_of_bounds_is_refused(given: Any) -> None:
    with pytest.raises(ConfigError):
        structure(Form, given)


def test_the_schema_tells_what_is_held() -> None:
    found = schema(Form)
    assert found["required"] == ["name"]
    assert found["additionalProperties"] is False
    of = found["properties"]
    assert of["name"] == {"type": "string", "maxLength": 5, "description": "Its name."}
    assert (of["count"]["minimum"], of["count"]["maximum"], of["count"]["default"]) == (1, 10, 2)
    assert of["eye"]["anyOf"] == [{"type": "integer", "minimum": 0, "maximum": 3}, {"type": "null"}]
    assert of["kind"]["enum"] == ["red", "blue"]
    assert of["words"]["maxItems"] == 3
    assert of["parts"]["items"]["properties"]["size"]["maximum"] == 9


@pytest.mark.parametrize("name", ["", "A", "a b", "../x", "a/b"])
def test_a_page_has_a_plain_name(name: str) -> None:
    with pytest.raises(ValueError, match="name must be"):
        Page(name, "Title")


def test_an_endpoint_names_a_function() -> None:
    with pytest.raises(ValueError, match="module:name"):
        Endpoint("x", "no name")


def test_what_a_function_is_asked_is_the_type_of_its_parameter() -> None:
    assert parameters_of("dragon.web.play:position") is Shown
    assert parameters_of("dragon.web.lists:games") is Nothing
    for function in ("builtins:dict", "dragon.page:parameters_of"):
        with pytest.raises(PluginError, match="must have an attrs class as its type"):
            parameters_of(function)


# ---- request limits ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("read", "spec", "reason"),
    [
        (limits.search, "engine(command=['sh', '-c', 'true'])", "outside the server"),
        (limits.search, "determinize(search=\"engine(command=['true'])\")", "outside the server"),
        (limits.game, "cover(file='/etc/passwd')", "outside the server"),
        (limits.game, "hands(file='/etc/passwd')", "outside the server"),
        (limits.game, "small_world(deck='/etc/passwd')", "outside the server"),
        (limits.search, "alphabeta(megabytes=100000)", "at most 256"),
        (limits.game, "queens(n=100000)", "at most 64"),
        (limits.game, "dominoes(rows=60, cols=60)", "at most 400"),
        (limits.game, "dominoes(rows=60)", "480 cells"),
        (limits.search, "mcts(threads=256)", "at most 4"),
        (limits.game, "nex(rows=__import__('os').getpid())", "cannot read the value"),
        (limits.game, "hex(size=" + "9" * 5000 + ")", "cannot read"),
    ],
)
def test_a_spec_cannot_reach_out_or_ask_for_too_much(read: Any, spec: str, reason: str) -> None:
    with pytest.raises((ConfigError, ValueError), match=re.escape(reason)):
        read(spec)


@pytest.mark.parametrize("spec", ["nex(rows=19, cols=19)", "hands", "small_world", "hex(size=4)"])
def test_a_usual_spec_is_as_everywhere(spec: str) -> None:
    assert limits.game(spec) == dragon.game(spec)


# ---- pages -------------------------------------------------------------------------------------


class Loads(HTMLParser):
    """The loads of a page, and whether it has script or style of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.own: list[str] = []
        self.tag = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tag = tag
        given = dict(attrs)
        self.own += [name for name in given if name.startswith("on") or name == "style"]
        if tag in ("link", "script"):
            self.found.append(given.get("href") or given.get("src") or "")

    def handle_data(self, data: str) -> None:
        if self.tag in ("script", "style") and data.strip():
            self.own.append(data)


@pytest.mark.parametrize("path", ["/", *(f"/{page.name}" for page in BUILT_IN), "/api", "/nowhere"])
def test_a_page_loads_only_what_is_here(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == (404 if path == "/nowhere" else 200)
    assert answer.headers["content-type"].startswith("text/html")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    loads = Loads()
    loads.feed(answer.text)
    assert loads.own == []
    assert len(loads.found) >= 4
    for file in loads.found:
        assert file.startswith("/static/")
        assert client.get(file).status_code == 200
    assert re.search(r"<title>[^<]+</title>", answer.text)
    assert answer.text.count("<h1") == 1


FOLDERS = {"/static": "dragon.web:static"} | {
    f"/static/{page.name}": page.folder
    for page in pages()
    if page not in BUILT_IN and any(".js" in name for name in folder(page.folder))
}
"""Where scripts are served, and from which folders."""


@pytest.mark.parametrize("place", FOLDERS)
def test_scripts_import_only_what_is_here(place: str) -> None:
    files = folder(FOLDERS[place])
    there = {f"{each}/{name}" for each, named in FOLDERS.items() for name in folder(named)}
    scripts = {name: file.read_text("utf-8") for name, file in files.items() if ".js" in name}
    assert scripts
    for name, source in scripts.items():
        for target in re.findall(r'from "([^"]+)"', source):
            assert urljoin(f"{place}/{name}", target) in there, (name, target)
        assert not re.search(r"https?://(?!www\.w3\.org/)", source), name
        assert not re.search(
            r"\b(innerHTML|outerHTML|insertAdjacentHTML|eval|document\.write)\b", source
        )
        assert len(source.splitlines()) <= 400, name


@pytest.mark.parametrize(
    "path",
    ["/static/../guard.py", "/static/%2e%2e/guard.py", "/static/x.js", "/static/guard.py",
     "/static/%2Fetc%2Fpasswd", "//etc/passwd"],
)  # fmt: skip
def test_no_path_reaches_the_files(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


# ---- answers -----------------------------------------------------------------------------------


def test_the_lists_are_those_of_the_command_line(client: TestClient) -> None:
    for command, path, key in (("games", "/api/games", "games"),
                               ("searches", "/api/games/searches", "searches")):  # fmt: skip
        ran = CliRunner().invoke(main, [command, "--json"])
        for found, listed in zip(client.get(path).json()[key], json.loads(ran.stdout), strict=True):
            assert found | listed == found  # for the pages there are rules and ranges, too


def test_a_position_is_as_the_game_has_it(client: TestClient) -> None:
    answer = client.get("/api/play/position", params={"game": "tictactoe", "moves": ["b2", "a1"]})
    found = answer.json()
    state = dragon.game("tictactoe").start().after("b2").after("a1")
    assert found["position"] == str(state)
    assert found["legal"] == list(state.moves())
    assert found["pick"]["cells"] == found["legal"]
    assert (found["turn"], found["last"], found["movers"]) == (0, ["a1"], [0, 1])
    assert set(re.findall(r'data-cell="(\w+)"', found["svg"])) == {
        f"{r}{c}" for r in "abc" for c in (1, 2, 3)
    }


def test_the_end_has_its_payoff(client: TestClient) -> None:
    moves = ["a1", "b1", "a2", "b2", "a3"]
    found = client.get("/api/play/position", params={"game": "tictactoe", "moves": moves}).json()
    assert (found["turn"], found["payoff"], found["legal"]) == (-2, [1, -1], [])


@pytest.mark.parametrize(
    ("spec", "moves", "eye", "unseen"),
    [
        ("kuhn", "KQ", 0, [0]), ("leduc", "Ks Js call call Jh", 0, [1]),
        ("leduc", "Ks Js call call Jh", 1, [0]), ("goofspiel", "prize4 1", 1, [1]),
        ("goofspiel", "prize4 1 1 prize1", 1, []), ("phantom", "c2 a1 a2 a3 c1", 1, [0, 2, 4]),
        ("phantom", "c2 a1 a1", 1, [0]), ("phantom", "c2 a1", None, []),
        ("kuhn", "KQ pass pass", 0, []),
    ],
)  # fmt: skip
def test_a_move_is_unseen_by_who_cannot_know_it(
    spec: str, moves: str, eye: int | None, unseen: list[int]
) -> None:
    made = tuple(moves.split())
    found = play.position(Shown(game=spec, moves=made, eye=eye))
    assert found["unseen"] == unseen
    assert bool(found["last"]) == (len(made) - 1 not in unseen)


def test_who_plays_alone_fails_by_the_least_payoff() -> None:
    lost = ("f5f4", "e4e3", "f4f3", "d4c4", "e3e2", "c4b4", "f3f2")
    found = play.position(Shown(game="sokoban", moves=lost))
    assert (found["turn"], found["failed"]) == (TERMINAL, True)
    won = play.position(Shown(game="sliding(rows=2, columns=2)", start="1,2/3,0"))
    assert not won["failed"]


def counted(name: str, position: str) -> list[int]:
    """The score of each seat, read from the text of a position."""
    if name == "kalah":
        seeds = [int(each) for each in position.partition(" ")[0].removeprefix("seeds=").split(",")]
        return [seeds[6], seeds[13]]
    board = position.partition(" ")[0]
    return [board.count(letter) for letter in ("XO" if name == "reversi" else "AB")]


@pytest.mark.parametrize("name", ["reversi", "kalah", "dots_and_boxes"])
def test_each_seat_has_its_score(name: str) -> None:
    game, rng, scores = dragon.game(name), Random(3), []
    state = game.start()
    while state.turn != TERMINAL:
        state = state.after(state.sample(rng))
        scores.append(score(game, state))
        assert scores[-1] == counted(name, str(state))
    assert len({*map(tuple, scores)}) > 3
    assert score(dragon.game("chess"), dragon.game("chess").start()) is None


@pytest.mark.parametrize(
    ("parameters", "field", "reason"),
    [
        ({"game": "tictactoe", "moves": ["b2", "b2"]}, "moves", "move 2: .*taken"),
        ({"game": "tictactoe", "start": "XX"}, "start", "is not a board"),
        ({"game": "tictactoe", "eye": 7}, "eye", "has 2 seats"),
        ({"game": "nexx"}, "game", "did you mean 'nex'"),
        ({"game": "hex(size=64)"}, "game", "^size must be at most 19, not 64$"),
        ({"game": "hex(sizes=4)"}, "game", "sizes"),
        ({"game": "hex(size=)"}, "game", "cannot read"),
        ({"game": "cover(file='/etc/passwd')"}, "game", "outside"),
        ({}, None, "game is missing"),
    ],
)
def test_a_mistake_is_told(
    client: TestClient, parameters: dict[str, Any], field: str | None, reason: str
) -> None:
    message = refusal(client.get("/api/play/position", params=parameters), 400, field)
    assert re.search(reason, message), message


def test_a_search_answers_as_solve_does(client: TestClient) -> None:
    asked = {"game": "tictactoe", "search": "exhaustive", "moves": ["b2", "a2", "a1", "c3"]}
    found = client.get("/api/play/reply", params=asked).json()
    place = "XO./.X./..O X"
    with JIT.under("0"):
        ran = CliRunner().invoke(
            main, ["solve", "tictactoe", "--search", "exhaustive", "--position", place, "--json"]
        )
    row = json.loads(ran.stdout)
    for key in ("game", "search", "position", "turn", "value", "bound", "move", "line", "nodes"):
        assert found[key] == row[key], key


def test_an_analysis_is_a_stream(client: TestClient) -> None:
    asked = {
        "game": "tictactoe",
        "search": "negamax(depth=4)",
        "moves": ["b2", "a1"],
        "each": "true",
    }
    answer = client.get("/api/analyse/run", params=asked)
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = [part for part in answer.text.split("\n\n") if part and not part.startswith(":")]
    assert events[-1].startswith("event: done")
    rows = [json.loads(part.removeprefix("data: ")) for part in events if part.startswith("data")]
    assert len(rows[-1]["values"]) == 7
    assert all(len(row["values"]) <= 7 for row in rows)
    assert rows[-1]["values"][0]["ways"] == [[rows[-1]["values"][0]["move"]]]


def test_each_move_is_worth_what_the_whole_tree_says(client: TestClient) -> None:
    from dragon.search.simple import Exhaustive

    moves = ["a1", "b2", "c3"]
    asked = {"game": "tictactoe", "search": "exhaustive", "moves": moves, "each": "true"}
    text = client.get("/api/analyse/run", params=asked).text
    row = json.loads(re.findall(r"^data: (\{.*\"values\".*)$", text, re.MULTILINE)[-1])
    state = dragon.game("tictactoe").start()
    for move in moves:
        state = state.after(move)
    with JIT.under("0"):
        for each in row["values"]:
            assert each["bound"] == "="
            assert each["value"] == -Exhaustive().best(state.after(each["move"])).value
        assert row["value"] == Exhaustive().best(state).value


@pytest.mark.parametrize(
    ("parameters", "status", "reason"),
    [
        ({"game": "tictactoe", "search": "dlx"}, 422, "needs cover"),
        ({"game": "tictactoe", "search": "random", "seconds": 1000}, 400, "from 0.01 to 60"),
        ({"game": "tictactoe", "search": "engine(command=['true'])"}, 400, "outside"),
        ({"game": "nim(pile=1)", "search": "random", "moves": ["1"]}, 400, "over"),
    ],
)  # fmt: skip
def test_a_search_that_cannot_begin_says_why(
    client: TestClient, parameters: dict[str, Any], status: int, reason: str
) -> None:
    for path in ("/api/analyse/run", "/api/play/reply"):
        assert reason in refusal(client.get(path, params=parameters), status)


def test_luck_is_the_same_again(client: TestClient) -> None:
    asked = {"game": "kuhn", "deal": 5}
    first, again = (client.get("/api/play/chance", params=asked).json()["move"] for _ in range(2))
    assert first == again
    assert first in dragon.game("kuhn").start().moves()
    other = {
        client.get("/api/play/chance", params={"game": "kuhn", "deal": d}).json()["move"]
        for d in range(12)
    }
    assert len(other) > 2
    message = refusal(client.get("/api/play/chance", params={"game": "tictactoe"}), 400, "moves")
    assert "no chance node" in message


@pytest.mark.full
def test_hidden_cards_stay_hidden(client: TestClient) -> None:
    asked = {"game": "kuhn", "moves": ["KQ"]}
    assert client.get("/api/play/position", params=asked).json()["position"] == "KQ"
    seen = client.get("/api/play/position", params=asked | {"eye": 1}).json()
    assert seen["position"] == "?Q"
    assert "K" not in json.dumps(seen["text"])


def test_a_game_is_written_and_read(client: TestClient) -> None:
    for game, moves in (
        ("nex(rows=3, cols=3)", ["Ba1?c3", "Wb2?a3"]),
        ("hex(size=3)", ["a1", "b2"]),
    ):
        kept = client.post(
            "/api/play/write", json={"game": game, "moves": moves, "players": ["human", "mcts"]}
        )
        back = client.post(
            "/api/play/read", json={"game": "nex", "text": kept.json()["text"]}
        ).json()
        assert (back["game"], back["moves"], back["players"]) == (game, moves, ["human", "mcts"])


def test_each_game_of_a_log_can_be_read(client: TestClient) -> None:
    asked = {"game": "nex(rows=3, cols=3)", "text": "Ba1?b2;\nBa2?a3;Wb1?b2;\n"}
    for which, moves in ((1, ["Ba1?b2"]), (2, ["Ba2?a3", "Wb1?b2"])):
        found = client.post("/api/play/read", json=asked | {"number": which}).json()
        assert (found["moves"], found["number"], found["count"]) == (moves, which, 2)
    wrong = refusal(client.post("/api/play/read", json=asked | {"number": 3}), 400, "number")
    assert "has 2 games" in wrong


@pytest.mark.full
def test_a_picture_is_of_what_a_seat_sees(client: TestClient) -> None:
    asked = {"game": "kuhn", "moves": ["KQ"], "eye": 1}
    found = client.get("/api/play/picture", params=asked).json()
    assert (found["name"], "K" in found["svg"]) == ("kuhn-1", False)
    board = client.get("/api/play/picture", params={"game": "tictactoe", "moves": ["b2"]}).json()
    assert "data-cell" in board["svg"]


def test_what_nobody_offers_is_not_made(client: TestClient) -> None:
    for search in ("mcts", "nextable"):
        answer = client.post(
            "/api/analyse/prepare", json={"game": "nex(rows=3, cols=3)", "search": search}
        )
        assert "has nothing to make" in answer.text


def test_games_have_rules_and_ranges_for_sliders(client: TestClient) -> None:
    games = {each["name"]: each for each in client.get("/api/games").json()["games"]}
    assert games["nex"]["ranges"] == {"rows": [1, 19], "cols": [1, 19]}
    assert games["nex"]["choices"]["ending"] == ["'draw'", "'fill'"]
    assert games["ulti"]["choices"]["trump"][0] == "none"
    assert games["pentominoes"]["ranges"] == {}  # other sides need other sides
    assert [each["name"] for each in games.values() if each["seats"] != 1 and not each["how"]] == []


def test_a_text_that_is_no_game_is_refused(client: TestClient) -> None:
    refusal(client.post("/api/play/read", json={"game": "hex", "text": "hello"}), 400)
    bad = "game: hex(size=3)\nmoves:\na1\na1\n"
    assert "move 2" in refusal(
        client.post("/api/play/read", json={"game": "hex", "text": bad}), 400, "text"
    )
    reach = "game: cover(file='/etc/passwd')\nmoves:\n"
    assert "outside" in refusal(
        client.post("/api/play/read", json={"game": "hex", "text": reach}), 400, "text"
    )


# ---- refusals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b'{"game": NaN}', "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b"{}", "text/plain", 415),
        (b" " * (BODY + 1), "application/json", 413),
    ],
)
def test_a_body_that_is_none(client: TestClient, content: bytes, kind: str, status: int) -> None:
    refusal(client.post("/api/play/read", content=content, headers={"content-type": kind}), status)


def test_a_body_that_is_longer_than_it_says(client: TestClient) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(20):
            yield b" " * 100_000

    answer = client.post(
        "/api/play/read", content=endless(), headers={"content-type": "application/json"}
    )
    refusal(answer, 413)


def test_other_refusals_are_json_too(client: TestClient) -> None:
    refusal(client.get("/api/nothing"), 404)
    refusal(client.post("/api/play/position", json={}), 405)
    refusal(client.get("/api/play/position?" + "a" * 20_000), 414)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": "127.0.0.1:8000"}, 200),
        ({"host": "[::1]:8000"}, 200),
        ({"host": "evil.example"}, 403),
        ({"host": "localhost.evil.example"}, 403),
        ({"host": "localhost@evil.example"}, 403),
        ({"host": ""}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://["}, 403),
        ({"origin": ""}, 403),
        ({"origin": "http://localhost"}, 200),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}, 403),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, 200),
        ({"sec-fetch-site": "same-origin", "sec-fetch-mode": "cors"}, 200),
    ],
)
def test_who_may_ask(client: TestClient, headers: dict[str, str], status: int) -> None:
    assert client.get("/api/status", headers=headers).status_code == status


def test_a_page_elsewhere_cannot_post(client: TestClient) -> None:
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    refusal(client.post("/api/play/read", json={"game": "hex", "text": "x"}, headers=headers), 403)


@pytest.mark.parametrize(("host", "name"), [("a.b:80", "a.b"), ("[::1]", "::1"), ("a.b.", "a.b"),
                                            ("[", ""), ("A.B", "a.b")])  # fmt: skip
def test_the_name_in_a_host_header(host: str, name: str) -> None:
    assert hostname(host) == name


@pytest.fixture
def guarded() -> TestClient:
    who = access(Settings(host="0.0.0.0", token="secret", names=("games.example",)))
    app = application(who, Plan("search", 1, 1, warm=COLD), pages=BUILT_IN)
    return TestClient(app, base_url="http://games.example", follow_redirects=False)  # no lifespan


def test_from_elsewhere_a_token_is_needed(guarded: TestClient) -> None:
    for path in ("/", "/api/status", "/static/dragon.js"):
        refusal(guarded.get(path), 401)
    refusal(guarded.get("/api/status", headers={"authorization": "Bearer wrong"}), 401)
    assert guarded.get("/api/status", headers={"authorization": "Bearer secret"}).status_code == 200
    refusal(guarded.get("/?token=wrong"), 401)
    entered = guarded.get("/play?game=nex&token=secret")
    assert (entered.status_code, entered.headers["location"]) == (303, "/play?game=nex")
    cookie = entered.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert guarded.get("/api/status").status_code == 200
    assert guarded.get("/api/status", headers={"host": "10.1.2.3:8000"}).status_code != 403
    refusal(guarded.get("/api/status", headers={"host": "other.example"}), 403)


def test_entering_leads_to_no_other_host(guarded: TestClient) -> None:
    location = guarded.get("http://games.example//evil.example/x?token=secret").headers["location"]
    assert location == "/evil.example/x"


def test_the_address_that_is_printed_can_be_opened() -> None:
    for host in ("127.0.0.1", "0.0.0.0", "::1", "192.0.2.7"):
        who = access(Settings(host=host))
        printed = urlsplit(url(host, 8000, who.token))
        assert printed.hostname in who.hosts
        assert (f"token={who.token}" in printed.query) == (who.token is not None)


def test_a_token_is_made_where_one_is_needed() -> None:
    assert access(Settings()).token is None
    made = {access(Settings(host="0.0.0.0")).token for _ in range(3)}
    assert len(made) == 3
    assert all(token and len(token) >= 32 for token in made)


def test_a_token_need_not_be_an_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = []
    monkeypatch.setattr("dragon.web.app.serve", lambda settings, said: given.append(settings))
    file = tmp_path / "token"
    file.write_text("from a file\n")
    for words, variable in (
        (["--token", "said"], "from the environment"), (["--token-file", str(file)], None),
        ([], "from the environment"), ([], None),
    ):  # fmt: skip
        run = CliRunner().invoke(main, ["serve", *words], env={"DRAGON_TOKEN": variable})
        assert run.exit_code == 0, run.output
    assert [each.token for each in given] == ["said", "from a file", "from the environment", None]
    file.write_text("\n")
    run = CliRunner().invoke(main, ["serve", "--token-file", str(file)])
    assert (run.exit_code, len(given)) == (2, 4)
    assert "holds no token" in run.output


def test_json_is_stored_by_nobody(guarded: TestClient) -> None:
    authorised = {"authorization": "Bearer secret"}
    for path, headers in (
        ("/api/status", {}), ("/api/status", authorised), ("/api/nothing", authorised),
        ("/api/openapi.json", authorised),
    ):  # fmt: skip
        assert guarded.get(path, headers=headers).headers["cache-control"] == "no-store"
    assert guarded.get("/play", headers=authorised).headers["cache-control"] == "no-cache"


# ---- the OpenAPI document ----------------------------------------------------------------------


def test_openapi_tells_every_endpoint(client: TestClient) -> None:
    found = client.get("/api/openapi.json").json()
    described = {(path, method) for path, methods in found["paths"].items() for method in methods}
    assert len(described) == sum(len(page.endpoints) for page in BUILT_IN) + 1
    page = client.get("/api").text
    for path, _ in described:
        assert path in page


def test_openapi_is_what_the_server_answers() -> None:
    """All installed pages: every address and method, and no other."""
    app = application(Access(), Plan("search", 1, 1, warm=COLD))
    routes = [each for each in app.app.routes if each.path.startswith("/api/")]
    served = {(r.path, m.lower()) for r in routes for m in r.methods - {"HEAD"}}
    found = TestClient(app, base_url="http://localhost").get("/api/openapi.json").json()
    described = {(path, method) for path, methods in found["paths"].items() for method in methods}
    assert described == served - {("/api/openapi.json", "get")}
    assert len({path.split("/")[2] for path, _ in described}) >= 8
    names = [
        each["operationId"] for methods in found["paths"].values() for each in methods.values()
    ]
    assert len(set(names)) == len(names)


def test_status_is_as_it_is_told(client: TestClient) -> None:
    found = client.get("/api/status").json()
    described = client.get("/api/openapi.json").json()["paths"]["/api/status"]["get"]
    shape = described["responses"]["200"]["content"]["application/json"]["schema"]["properties"]
    assert set(found) == set(shape)
    for pool in found:
        assert set(found[pool]) == set(shape[pool]["required"])


# ---- pictures ----------------------------------------------------------------------------------

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'


@pytest.mark.parametrize(
    "bad",
    ["<script>alert(1)</script>", '<rect onclick="alert(1)"/>', "<style>*{fill:red}</style>",
     '<a href="javascript:alert(1)"><rect/></a>', '<image href="http://evil.example/x.png"/>',
     "<foreignObject><b xmlns='http://www.w3.org/1999/xhtml'>x</b></foreignObject>",
     '<use xlink:href="http://evil.example/x.svg#a"/>', '<rect style="fill:red"/>',
     '<rect fill="url(http://evil.example/x)"/>', '<rect fill="URL(//evil.example)"/>',
     '<animate attributeName="href" to="javascript:alert(1)"/>'],
)  # fmt: skip
def test_a_picture_is_made_safe(bad: str) -> None:
    made = picture.clean(f'{HEAD}<g data-cell="a1"><circle r="3"/></g>{bad}</svg>')
    assert made is not None
    assert 'data-cell="a1"' in made
    for word in ("script", "alert", "evil", "style", "onclick", "foreign", "<use", "<image"):
        assert word not in made


@pytest.mark.parametrize("bad", ["", "hello", "<html/>", "<svg/>", HEAD,
                                 f'<!DOCTYPE x [<!ENTITY a "b">]>{HEAD}&a;</svg>'])  # fmt: skip
def test_what_is_no_picture_is_not_shown(bad: str) -> None:
    assert picture.clean(bad) is None


def parts(svg: str) -> list[tuple[str, dict[str, str], str | None]]:
    """Every element of a picture."""
    return [(each.tag, each.attrib, each.text) for each in ElementTree.fromstring(svg).iter()]


@pytest.mark.samples("tictactoe", "queens*")
@pytest.mark.parametrize("spec", ["tictactoe", "connect4", "hex(size=3)", "nex(rows=3, cols=4)",
                                  "queens(n=4)", "langford(n=3)", "pokemon"])  # fmt: skip
def test_the_drawing_of_a_game_loses_nothing(spec: str) -> None:
    game = dragon.game(spec)
    state = game.start()
    drawn = picture.drawing(game, state)
    own = game.svg(state)
    assert drawn["svg"] is not None
    assert parts(drawn["svg"]) == parts(own)
    assert drawn["text"]


# ---- a page of a plugin ------------------------------------------------------------------------


@pytest.fixture
def dice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    """The page that the documentation shows, as it stands there."""
    text = (Path(__file__).parents[2] / "docs" / "write-a-page.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    python = [body for kind, body in blocks if kind == "python"]
    script = next(body for kind, body in blocks if kind == "js")
    package = tmp_path / "dragon_dice"
    (package / "web").mkdir(parents=True)
    for name, body in zip(("__init__", "page", "service"), python, strict=False):
        (package / f"{name}.py").write_text(body, encoding="utf-8")
    (package / "web" / "dice.js").write_text(script, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (page,) = importlib.import_module("dragon_dice").dragon_pages()
    yield page
    for name in [name for name in sys.modules if name.partition(".")[0] == "dragon_dice"]:
        del sys.modules[name]


@pytest.mark.full
def test_the_page_of_the_documentation_works(dice: Page) -> None:
    app = application(Access(), Plan("search", 1, 2, warm=COLD), pages=(dice,))
    with TestClient(app, base_url="http://localhost") as client:
        odds = client.get("/api/dice/odds?dice=2&sides=6").json()["sums"]
        assert {each["sum"]: round(36 * each["chance"]) for each in odds}[7] == 6
        assert sum(each["chance"] for each in odds) == pytest.approx(1)
        refusal(client.get("/api/dice/odds?dice=7"), 400, "dice")
        rolled = client.get("/api/dice/rolls?dice=1&sides=2").text
        assert re.sub(r"event: (queued|begun)\ndata: {}\n\n", "", rolled).count("\n\n") == 13
        assert rolled.endswith("event: done\ndata: {}\n\n")
        assert "/static/dice/dice.js" in client.get("/dice").text
        assert "stream" in client.get("/static/dice/dice.js").text
        assert "/api/dice/rolls" in client.get("/api").text


@pytest.mark.full
def test_a_page_whose_files_are_missing_is_left_out(
    dice: Page, caplog: pytest.LogCaptureFixture
) -> None:
    bad = evolve(dice, name="bad", script="nothing.js")
    app = application(Access(), Plan("search", 1, 1, warm=COLD), pages=(dice, bad))
    client = TestClient(app, base_url="http://localhost")
    assert client.get("/dice").status_code == 200
    assert client.get("/bad").status_code == 404
    assert "nothing.js" in caplog.text


@pytest.mark.full
def test_without_the_extra_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command = importlib.import_module("dragon.commands.serve")
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    ran = CliRunner().invoke(main, ["serve"])
    assert ran.exit_code == 2
    assert "pip install 'dragon-search[web]'" in ran.stderr


@pytest.mark.full
def test_what_is_warmed_up_need_not_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """DRAGON_PLUGINS may leave out the game that a worker begins with."""
    monkeypatch.setenv("DRAGON_PLUGINS", "hands,cards")
    plugins.manager.cache_clear()
    try:
        play.warm_up_rules()
        play.warm_up()
    finally:
        plugins.manager.cache_clear()
