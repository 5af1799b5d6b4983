"""The page of opening hands: its answers are those of the command line, and junk is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon.cli import main

pytest.importorskip("starlette", reason="the pages need the extra `web`")

from starlette.testclient import TestClient

from dragon.errors import ConfigError, SearchError
from dragon.page import parameters_of
from dragon.web.app import application
from dragon.web.guard import Access
from dragon.web.parameters import structure
from dragon.web.pool import Plan
from dragon.web.problem import problem_of
from dragon_hands import dragon_pages, service
from dragon_hands.exact import TooLarge

(HANDS,) = dragon_pages()
DECK = """deck:
  Alpha: {qty: 3, tags: [Starter]}
  Beta:
    qty: 2
    tags: [Starter, Extender]
  Pot of Desires:
    qty: 1
    free: {count: 2, oncePerTurn: true, cost: {type: BanishFromDeck, value: 10}}
conditions:
  - Starter AND Extender
  - 2+ Alpha
"""


@pytest.fixture
def as_json(tmp_path: Path) -> Any:
    """Give a command's JSON for the deck in a file `deck`."""
    file = tmp_path / "deck"
    file.write_text(DECK)

    def run(command: str, *arguments: str) -> Any:
        result = CliRunner().invoke(main, ["hands", command, str(file), *arguments, "--json"])
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout.replace(f"{file}:", "deck:"))

    return run


def every(path: str, **asked: Any) -> list[Any]:
    """All objects that an endpoint gives, as JSON has them."""
    endpoint = next(each for each in HANDS.endpoints if each.path == path)
    kind = parameters_of(endpoint.function)
    found = getattr(service, path)(structure(kind, asked))
    plain: list[Any] = json.loads(json.dumps([*found] if endpoint.stream else [found]))
    return plain


def last(path: str, **asked: Any) -> Any:
    return every(path, **asked)[-1]


# ---- the same as the command line ----------------------------------------------------------------


def test_odds_are_those_of_the_command(as_json: Any) -> None:
    assert last("odds", deck=DECK) == as_json("odds")
    asked = {"hand": 6, "sharing": "count", "free": "never"}
    arguments = ("--hand", "6", "--sharing", "count", "--free", "never")
    assert last("odds", deck=DECK, **asked) == as_json("odds", *arguments)


@pytest.mark.full
def test_estimates_are_those_of_the_command(as_json: Any) -> None:
    given = ("--sample", "1500", "--seed", "7")
    assert last("odds", deck=DECK, sample=1500, seed=7) == as_json("odds", *given)
    assert last("odds", deck=DECK, sample=600, check=True) == as_json(
        "odds", "--sample", "600", "--check"
    )
    assert last("odds", deck=DECK, sample=600, free="clairvoyant") == as_json(
        "odds", "--sample", "600", "--free", "clairvoyant"
    )


def test_a_deck_that_takes_too_long_is_estimated_as_by_the_command(
    as_json: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dragon_hands.policy.MOST_WORK", 3)
    monkeypatch.setattr("dragon_hands.odds.USUAL_PLAYED", 500)
    found = last("odds", deck=DECK)
    assert found == as_json("odds")
    assert not found["any"]["exact"]
    assert found["any"]["hands"] == 500
    alone = last("sensitivity", deck=DECK)
    assert alone == as_json("sensitivity", "--free", "never")
    assert alone["free"] == "never"


def test_sensitivity_histogram_and_hands_are_those_of_the_commands(as_json: Any) -> None:
    assert last("sensitivity", deck=DECK, hand=4) == as_json("sensitivity", "--hand", "4")
    assert last("histogram", deck=DECK, hand=6) == as_json("plot", "--hand", "6")
    dealt = last("sample", deck=DECK, number=3, only="pass", seed=5)["hands"]
    assert dealt == as_json("sample", "-n", "3", "--only", "pass", "--seed", "5")


def test_mulligans_and_turns_are_those_of_the_command(as_json: Any) -> None:
    way = {"mulligan": "london", "keep": "Starter OR Extender", "given": "Alpha", "turn": 2}
    words = [word for name, value in way.items() for word in (f"--{name}", str(value))]
    assert last("odds", deck=DECK, free="never", **way) == as_json(
        "odds", "--free", "never", *words
    )
    assert last("sensitivity", deck=DECK, free="never", **way) == as_json(
        "sensitivity", "--free", "never", *words
    )
    known = {"in_hand": "Alpha", "seen": "Beta", "bottom": "2 Alpha", "on_the_play": True}
    found = every("turns", deck=DECK, last=3, **known)
    rows = [each["turns"] for each in found if "turns" in each]
    assert [len(each) for each in rows] == [1, 2, 3, 4]
    words = ["--in-hand", "Alpha", "--seen", "Beta", "--bottom", "2 Alpha", "--on-the-play"]
    assert rows[-1] == as_json("odds", *words, "--by-turn", "0..3")["turns"]


@pytest.mark.parametrize(("field", "asked"), [
    ("keep", {"mulligan": "london", "keep": "Alpha AND"}),
    ("given", {"given": "(Alpha"}),
    ("in_hand", {"in_hand": "NOT Alpha"}),
    ("seen", {"seen": "Alpha OR Beta"}),
    ("bottom", {"bottom": "Starter"}),
    ("mulligan", {"mulligan": "redraw"}),
    ("mulligan", {"mulligan": "replace"}),
    ("turn", {"turn": 501}),
])  # fmt: skip
def test_what_does_not_suit_a_hand_is_told_with_its_field(
    field: str, asked: dict[str, Any]
) -> None:
    with pytest.raises(ConfigError) as wrong:
        last("odds", deck=DECK, **asked)
    assert problem_of(wrong.value).field == field


def test_a_deck_is_read_with_its_lines() -> None:
    found = last("read", deck=DECK)
    assert [(each["name"], each["copies"], each["line"]) for each in found["cards"]] == [
        ("Alpha", 3, 2), ("Beta", 2, 3), ("Pot of Desires", 1, 6),
    ]  # fmt: skip
    assert [each["line"] for each in found["conditions"]] == [10, 11]
    assert found["cards"][2]["free"]
    assert last("read", **last("example"))["name"] == "Example"


def test_a_deck_list_is_read_as_the_deck_file_that_is_made_of_it() -> None:
    found = last("read", deck="3 Ash Blossom\n2 Nibbiru\n1 Foo the Bar\n")
    assert [(each["name"], each["copies"]) for each in found["cards"]] == [
        ("Ash Blossom & Joyous Spring", 3), ("Nibiru, the Primal Being", 2), ("Foo the Bar", 1),
    ]  # fmt: skip
    assert found["conditions"] == []
    assert len(found["notes"]) == 4
    again = last("read", deck=found["file"])
    assert again["file"] is None
    assert again["cards"] == found["cards"]
    assert last("odds", deck=f"{found['file'][:-3]}[Hand Trap]\n", free="never")["any"]["p"] > 0.4


def test_a_deck_is_written_as_the_command_writes_it(tmp_path: Path) -> None:
    """A list that was made into a deck file keeps its extra and side decks."""
    text = "3 Ash Blossom\n1 Nibiru\n\nExtra Deck\n1 86066372\n\nSide Deck\n2 D.D. Crow\n"
    file = tmp_path / "deck.txt"
    file.write_text(text)
    for form in ("ydke", "ydk", "list"):
        ran = CliRunner().invoke(main, ["hands", "export", str(file), "--to", form])
        (found,) = every("write", deck=text, to=form)
        assert found["text"] == ran.stdout
        assert any("Ash Blossom & Joyous Spring" in note for note in found["notes"])
        (again,) = every("write", deck=last("read", deck=text)["file"], to=form)
        assert again["text"] == found["text"]
    with pytest.raises(ConfigError, match="no passcode is known of 'Foo'") as wrong:
        every("write", deck="deck: {Foo: {qty: 3}}", to="ydk")
    assert problem_of(wrong.value).field == "deck"


def test_exact_odds_are_given_up_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "PATIENCE", 0.0)
    monkeypatch.setattr("dragon_hands.policy.STRIDE", 1)
    monkeypatch.setattr("dragon_hands.odds.USUAL_PLAYED", 500)
    found = last("odds", deck=DECK)
    assert not found["any"]["exact"]
    assert any("takes too long to find" in each for each in found["warnings"])
    with pytest.raises(SearchError, match="too long to be exact"):
        last("sensitivity", deck=DECK)
    assert last("odds", deck=DECK, free="never")["any"]["exact"]


def test_the_odds_of_opening_hands_come_while_free_cards_are_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from threading import Event

    asked, exactly = Event(), service.exactly

    def slowly(deck: Any, question: Any, watch: Any = None) -> Any:
        if question.policy == "never":
            asked.set()
        else:
            assert asked.wait(30)
        return exactly(deck, question, watch)

    monkeypatch.setattr(service, "PAUSE", 0.001)
    monkeypatch.setattr(service, "exactly", slowly)
    found = [each for each in every("odds", deck=DECK) if "any" in each]
    assert found[0] == last("odds", deck=DECK, free="never")
    assert found[-1]["free"] == "optimal"
    assert len(found) == 2


# ---- a stream that is left -----------------------------------------------------------------------


@pytest.mark.full
def test_long_work_tells_how_far_it_is_and_stops_when_it_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from threading import Event

    monkeypatch.setattr(service, "PAUSE", 0.001)
    ended, shown = Event(), Event()

    def work(watch: Any) -> None:
        try:
            while True:
                watch(0.5)
                shown.set()
        finally:
            ended.set()

    stream = service.meanwhile(work)
    assert set(next(stream)) == {"part"}
    assert shown.wait(30)
    stream.close()
    assert ended.is_set()


def test_what_goes_wrong_in_long_work_is_told() -> None:
    def work(watch: Any) -> None:
        raise TooLarge

    with pytest.raises(TooLarge):
        [*service.meanwhile(work)]


# ---- junk ----------------------------------------------------------------------------------------

TAGS = ", ".join(f"t{i}" for i in range(20_000))
LEVELS = "".join(f"x{i}: &x{i} [{', '.join([f'*x{i - 1}'] * 9)}]\n" for i in range(1, 9))
BOMBS = {
    "aliases": f"x0: &x0 [a]\n{LEVELS}deck: *x8\nconditions: *x8",
    "itself": "deck: &a {A: *a}\nconditions: [A]",
    "tags": f"deck:\n  A: {{qty: 1, tags: &t [{TAGS}]}}\n"
    + "".join(f"  A{i}: {{qty: 1, tags: *t}}\n" for i in range(400))
    + "conditions: [A]",
    "deep": "[" * 100_000,
    "brackets": "deck: {A: {qty: 1}}\nconditions: ['" + "(" * 90_000 + "A" + ")" * 90_000 + "']",
    "not": "deck: {A: {qty: 1}}\nconditions: ['" + "NOT " * 40_000 + "A']",
    "digits": "deck: {A: {qty: " + "9" * 5000 + "}}\nconditions: [A]",
    "cards": "deck: {A: {qty: 501}}\nconditions: [A]",
    "size": "deck: {A: {qty: 1}}\nsize: 100000\nconditions: [A]",
    "object": "deck: !!python/object/apply:os.system ['true']\nconditions: [A]",
    "half": "deck: {A\ud800: {qty: 3}}\nconditions: [A]",
    "nothing": "",
    "zero": "\0",
    "long": "#" * 200_001,
}


@pytest.mark.samples("read-deep", "read-cards")
@pytest.mark.parametrize("deck", BOMBS.values(), ids=BOMBS)
@pytest.mark.parametrize("path", ["read", "odds"])
def test_a_bomb_is_refused_with_its_field(path: str, deck: str) -> None:
    with pytest.raises(ConfigError) as wrong:
        last(path, deck=deck)
    problem = problem_of(wrong.value)
    assert (problem.status, problem.field) == (400, "deck"), problem.message


@pytest.mark.parametrize(
    ("field", "asked"),
    [
        ("hand", {"hand": 41}),
        ("hand", {"hand": 0}),
        ("hand", {"hand": 10**9}),
        ("hand", {"hand": "five"}),
        ("sharing", {"sharing": "some"}),
        ("free", {"free": "badly"}),
        ("free", {"free": "clairvoyant"}),
    ],
)
def test_a_setting_that_cannot_be_is_told_with_its_field(field: str, asked: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as wrong:
        last("sensitivity", deck=DECK, **asked)
    assert problem_of(wrong.value).field == field


WORDS = st.sampled_from(["deck:", "conditions:", "\n", "\n  ", "A", ": ", "{", "}", "[", "]", "- ",
                         "qty: 3", "tags: ", "free:", "&a", "*a", "!!x", "NOT ", " AND ", "'", '"',
                         "size: 9", "²", "2+ A", "\t", "#", "|", "? ", "\x85"])  # fmt: skip


@pytest.mark.full
@settings(max_examples=80)
@given(st.lists(WORDS, max_size=20).map("".join) | st.text(max_size=60))
def test_no_text_of_a_deck_is_a_fault_of_the_server(deck: str) -> None:
    try:
        last("read", deck=deck)
    except ConfigError as wrong:
        problem = problem_of(wrong)
        assert (problem.status, problem.field) == (400, "deck")


# ---- through the server --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def client(keeps_processes: None) -> Iterator[TestClient]:
    app = application(Access(), Plan("search", 1, 8), pages=(HANDS,))
    with TestClient(app, base_url="http://localhost") as made:
        yield made


def test_the_page_is_there_with_its_files(client: TestClient) -> None:
    page = client.get("/hands?hand=6")
    assert page.status_code == 200
    assert '<script type="module" src="/static/hands/hands.js">' in page.text
    for file in ("hands.js", "deck.js", "results.js", "hands.css"):
        assert client.get(f"/static/hands/{file}").status_code == 200


@pytest.mark.full
def test_the_server_streams_and_refuses(client: TestClient, as_json: Any) -> None:
    answer = client.post("/api/hands/odds", json={"deck": DECK})
    events = [json.loads(line[6:]) for line in answer.text.splitlines() if line[:6] == "data: "]
    assert [each for each in events if "any" in each][-1] == as_json("odds")
    refused = client.post("/api/hands/read", json={"deck": "deck: {A: {qty: x}, B: {qty: y}}"})
    assert (refused.status_code, refused.json()["error"]["field"]) == (400, "deck")
    assert len(refused.json()["error"]["problems"]) == 2
    half = client.post("/api/hands/read", content='{"deck": "\\ud800"}',
                       headers={"Content-Type": "application/json"})  # fmt: skip
    assert half.status_code == 400
    assert client.post("/api/hands/read", json={"deck": "x" * 1_000_001}).status_code == 413
