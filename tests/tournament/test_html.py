"""The page of a tournament: whole, escaped, self-contained, and true to the games."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dragon
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.records.record import Record
from dragon_tournament.records.replay import replay
from dragon_tournament.report.html import to_html
from dragon_tournament.report.reader import open_results
from dragon_tournament.report.replays import Bounds, FrameCodec, chosen_of, replays_of
from dragon_tournament.report.summary import report
from dragon_tournament.runner import run
from dragon_tournament.statistics.tally import Tally

EVIL = "<b onclick='x()'>&\"evil\"</script><!--"
VOID = {"meta", "img", "input", "link", "br", "hr"}

MATCH = {
    "name": "match & <i>more</i>",
    "game": "tictactoe",
    "games": 4,
    "openings": {"random": 2, "count": 4},
    "limit": {"nodes": 50},
    "player": [{"search": "alphabeta"}, {"search": "random", "name": EVIL}],
}
RACE = {
    "name": "race",
    "game": "queens(n=6)",
    "games": 3,
    "player": [{"search": "dlx"}, {"search": "algorithm_x"}, {"search": "random"}],
}


def about(name: str, players: list[str]) -> dict[str, Any]:
    """Give tournament.json of a tournament of these players."""
    return {"name": name, "players": [{"name": player} for player in players]}


def played(table: dict[str, Any], out: Path) -> Path:
    """A real run of a small tournament; its folder."""
    name = table["name"]
    tournament = attrs.evolve(parse({**table, "name": "any"}), name=name)
    assert run(tournament, out, InlineExecutor()).missing == 0
    return out


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(MATCH, tmp_path_factory.mktemp("match"))


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(RACE, tmp_path_factory.mktemp("race"))


def records_of(path: Path) -> list[Record]:
    found = open_results(path)
    found.read()
    return found.records


class Page(HTMLParser):
    """The parts of a page; every tag must be closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        assert self.open == [], f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attributes]
        assert len(names) == len(set(names)), f"twice the same attribute: {tag} {names}"
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> without a beginning"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)

    def text(self, tag: str) -> str:
        return "".join(self.texts.get(tag, []))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def data_of(page: Page) -> dict[str, Any]:
    """Give the data that the page's script reads."""
    scripts = page.texts["script"]
    return dict(json.loads(next(s for s in scripts if s.startswith("{"))))


@pytest.mark.samples("race")
@pytest.mark.parametrize("kind", ["match", "race"])
def test_the_page_is_whole_and_needs_nothing_else(
    kind: str, request: pytest.FixtureRequest
) -> None:
    text = (request.getfixturevalue(kind) / "report.html").read_text(encoding="utf-8")
    page = Page(text)
    ids = [a["id"] for _, a in page.tags if "id" in a]
    assert len(ids) == len(set(ids)) > 10
    for name, attributes in page.tags:
        for key in ("src", "href", "xlink:href", "action", "data", "srcset", "poster"):
            target = attributes.get(key)
            assert target is None or (target[0] == "#" and target[1:] in ids), (name, target)
        assert not any(key.startswith("on") for key in attributes), name
        for key in ("for", "aria-labelledby"):
            assert attributes.get(key) is None or attributes[key] in ids
    assert not re.search(r"@import|url\(", page.text("style"))
    assert len(page.all("h1")) == 1
    assert [a for a in page.all("button") if not a.get("aria-label")] == []


@pytest.mark.full
def test_the_policy_lets_in_one_script_alone(match: Path) -> None:
    page = Page((match / "report.html").read_text(encoding="utf-8"))
    (policy,) = (a["content"] for a in page.all("meta") if "http-equiv" in a)
    (script,) = (s for s in page.texts["script"] if not s.startswith("{"))
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy is not None
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; img-src data:;")
    assert "fetch" not in script
    assert "innerHTML" not in script


def test_names_are_text_wherever_they_stand(match: Path) -> None:
    text = (match / "report.html").read_text(encoding="utf-8")
    page = Page(text)
    assert page.all("b") == []
    assert page.all("i") == []
    assert EVIL not in text
    assert page.text("h1") == page.text("title") == "match & <i>more</i>"
    assert EVIL in page.text("span")
    assert EVIL in page.text("option")
    assert data_of(page)["names"] == ["alphabeta", EVIL]


def test_every_position_is_the_game_s_own_drawing(match: Path) -> None:
    data = data_of(Page((match / "report.html").read_text(encoding="utf-8")))
    film, records = FrameCodec(data["pieces"]), records_of(match)
    assert [game["number"] for game in data["games"]] == list(range(1, 9))
    for game, record in zip(data["games"], records, strict=True):
        steps = list(replay(record))
        assert [film.text(runs) for runs in game["frames"]] == [s.state.svg() for s in steps]
        assert game["notations"] == [str(step.state) for step in steps]
        assert tuple(game["moves"]) == record.opening + record.moves
        assert game["movers"] == [i % 2 for i in range(len(game["moves"]))]
        assert game["given"] == 2
        assert steps[-1].state.payoff() == record.scores


def test_a_race_is_replayed_line_by_line(race: Path) -> None:
    page = Page((race / "report.html").read_text(encoding="utf-8"))
    data, records = data_of(page), records_of(race)
    lines = [(i, seat) for i, r in enumerate(records, 1) for seat in range(3) if r.moves[seat]]
    assert [(game["number"], game["seat"]) for game in data["games"]] == lines
    sections = [str(a.get("id")) for a in page.all("section")]
    assert sections == ["which", "soon", "instances", "standings", "games"]
    of = dragon.game("queens(n=6)")
    last = FrameCodec(data["pieces"]).text(data["games"][0]["frames"][-1])
    state = of.start()
    for move in records[0].moves[0]:
        state = state.after(move)
    assert last == of.svg(state)  # type: ignore[attr-defined]


def test_only_so_many_games_are_drawn_and_the_rest_is_told(match: Path) -> None:
    found = open_results(match)
    found.read()
    page = Page(to_html(found.report(), found.records, found.tally, Bounds(games=3)))
    assert len(page.all("option")) == len(data_of(page)["games"]) == 3
    assert "5 more games are on record and not drawn here" in page.text("p")
    none = Page(to_html(found.report(), found.records, found.tally, Bounds(games=0)))
    assert none.all("script") == []
    assert "8 more games" in none.text("p")
    few = replays_of(found.records, found.tally, Bounds(positions=12))
    assert sum(len(take.frames) for take in few.games) == 12
    assert few.games[-1].note.startswith("The first ")
    assert len(few.games) + few.left == 8


def test_a_choice_of_games_has_all_seatings_and_failures(match: Path) -> None:
    records = records_of(match)
    chosen = [records[i].seats for i in chosen_of(Tally.of(records), 2)]
    assert sorted(chosen) == sorted({record.seats for record in records})
    fallen = [*records[:-1], attrs.evolve(records[-1], failed=(0,))]
    assert len(records) - 1 in chosen_of(Tally.of(fallen), 2)


def test_a_game_whose_plugin_is_absent_is_told_of(match: Path) -> None:
    gone = [attrs.evolve(record, game="atlantis(depth=3)") for record in records_of(match)]
    summary = report(Tally.of(gone), about("gone", ["alphabeta", EVIL]), Path("records.jsonl"))
    page = Page(to_html(summary, gone, Tally.of(gone)))
    assert "no game called 'atlantis'" in page.text("p")
    assert page.all("select") == []


def test_a_game_that_goes_astray_is_shown_as_far_as_it_goes(match: Path) -> None:
    first, *_ = records_of(match)
    wrong = attrs.evolve(first, moves=(*first.moves[:2], "z9", *first.moves[2:]))
    (take,) = replays_of([wrong], Tally.of([wrong]), Bounds()).games
    assert len(take.frames) == 5
    assert "cannot be replayed further" in take.note


def test_text_is_shown_where_nothing_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(dragon.game("nim")), "svg", lambda self, state, **_: None)
    table = {"game": "nim", "player": [{"search": "alphabeta"}, {"search": "random"}]}
    out = played({"name": "nim", **table}, tmp_path)
    data = data_of(Page((out / "report.html").read_text(encoding="utf-8")))
    assert all(game["text"] for game in data["games"])
    first = FrameCodec(data["pieces"]).text(data["games"][0]["frames"][0])
    assert first == str(dragon.game("nim").start())


def test_a_failure_has_its_place(tmp_path: Path, scripted: Path) -> None:
    bad = {"search": "scripted", "name": "bad", "misdeed": "illegal", "at": 0}
    out = played({"name": "f", "game": "nim", "player": [{"search": "random"}, bad]}, tmp_path)
    page = Page((out / "report.html").read_text(encoding="utf-8"))
    assert "failures" in {a.get("id") for a in page.all("section")}
    assert "Game 1: bad by illegal" in page.text("summary")
    assert "2 illegal" in page.text("td")


def test_a_tournament_without_games_has_a_page() -> None:
    idle = report(Tally(), about("idle", ["a", "b"]), Path("records.jsonl"))
    page = Page(to_html(idle, [], Tally()))
    assert "No games yet." in page.text("p")


def test_the_page_is_the_same_every_time(match: Path) -> None:
    found = open_results(match)
    found.read()
    one, other = (to_html(found.report(), found.records, found.tally) for _ in range(2))
    assert one == other


@given(st.lists(st.text(alphabet="<>/ab", max_size=30), max_size=6))
def test_what_is_packed_can_be_unpacked(drawings: list[str]) -> None:
    film = FrameCodec()
    runs = [film.add(drawing) for drawing in drawings]
    assert [film.text(own) for own in runs] == drawings
    assert film.size == sum(map(len, film.pieces))


def test_a_film_of_nearly_the_same_is_short() -> None:
    film = FrameCodec()
    board = "".join(f'<circle cx="{i}"/>' for i in range(400))
    for i in range(100):
        film.add(board.replace(f'cx="{i}"', f'cx="{i}" fill="#000"'))
    assert film.size < 1.5 * len(board)
