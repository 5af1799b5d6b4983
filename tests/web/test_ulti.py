"""The page of Ulti: its answers are those of the command line, and junk is refused by field."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon.cli import main

pytest.importorskip("starlette", reason="the pages need the extra `web`")

from starlette.testclient import TestClient

from dragon.errors import ConfigError
from dragon.page import parameters_of
from dragon.web.app import application
from dragon.web.guard import Access
from dragon.web.parameters import structure
from dragon.web.pool import Plan
from dragon.web.problem import problem_of
from dragon_ulti import contracts, dragon_pages, request, service
from dragon_ulti.cards import DECK, name
from dragon_ulti.request import ready_deals

pytestmark = pytest.mark.full  # tests/web/test_hands.py has the mechanisms of all domains


(ULTI,) = dragon_pages()
CODE = "0070605040300173727021213323322232414341510112021303125263536"
SMALL = "HA HX L8 / HK H8 LU / H9 LA L7"
HAND = "HA HK HO HX H7 LA L8 AA B9 BX"
BETLI = "A7 A8 A9 AX H7 H8 LO L7 B7 B8"


def as_json(*arguments: str) -> Any:
    result = CliRunner().invoke(main, ["ulti", *arguments, "--json"])
    assert result.exit_code == 0, result.output
    return timeless(json.loads(result.stdout))


def timeless(value: Any) -> Any:
    """Without seconds, and nodes, which a table that is warm makes fewer."""
    if isinstance(value, dict):
        return {k: timeless(v) for k, v in value.items() if k not in ("seconds", "nodes")}
    return [timeless(each) for each in value] if isinstance(value, list) else value


def last(path: str, **given: Any) -> Any:
    """The last object that an endpoint gives, as JSON has it."""
    endpoint = next(each for each in ULTI.endpoints if each.path == path)
    asked = structure(parameters_of(endpoint.function), given)
    found = getattr(service, path)(asked)
    if endpoint.stream:
        *_, found = found
    return timeless(json.loads(json.dumps(found, allow_nan=False)))


# ---- the same as the command line ----------------------------------------------------------------


def test_a_random_deal_is_that_of_the_command() -> None:
    assert last("deal", seed=3) == as_json("deal", "--seed", "3")
    asked = ("deal", "--seed", "2", "--contract", "ulti", "--trump", "A")
    assert last("deal", seed=2, contract="ulti", trump="A") == as_json(*asked)


@pytest.mark.parametrize("path", ["solve", "cards"])
def test_a_contract_is_solved_as_the_command_solves_it(path: str) -> None:
    said = as_json(path, SMALL, "--contract", "party", "--trump", "L", "--course")
    assert last(path, deal=SMALL, contract="party", trump="L") == said
    original = as_json(path, SMALL, "--contract", "ulti", "--rules", "original")
    found = last(path, deal=SMALL, contract="ulti", rules="original", course=False)
    assert found == original


def test_a_link_of_the_original_program_opens_as_it_is() -> None:
    link = f"https://example.org/simulation.html?deal={CODE}"
    found = last("read", deal=link)
    assert found["code"] == CODE[0] + found["code"][1:]
    assert sorted(map(len, found["hands"])) == [10, 10, 10]
    assert (found["trump"], found["contract"], found["played"]) == ("H", None, [])
    assert last("read", deal=f"4{CODE}")["contract"] == "ulti"
    assert last("solve", deal=link, contract="ulti")["declarer_wins"] is True


def test_what_was_played_is_what_if() -> None:
    played = "HX HK H9 L8"
    text = f"{SMALL}, played {played}"
    said = as_json("cards", text, "--contract", "party", "--course")
    assert last("cards", deal=SMALL, contract="party", played=played) == said
    half = f"{SMALL}, played HX HK"
    assert last("cards", deal=half, contract="party", played="H9 L8") == said
    hands = json.dumps({"hands": [group.split() for group in SMALL.split(" / ")]})
    assert last("cards", deal=hands, contract="party", played=played)["cards"] == said["cards"]
    assert last("review", deal=SMALL, contract="party", played=played, course=False) == as_json(
        "review", text, "--contract", "party"
    )


def test_the_table_has_the_same_31_cells() -> None:
    asked = structure(service.Table, {"deal": SMALL})
    assert [timeless(each) for each in service.table(asked)] == as_json("table", SMALL)


def test_marriages_count_as_by_the_command() -> None:
    counted = as_json("solve", CODE, "--contract", "party", "--trump", "L")
    assert counted["marriages"] is True
    assert last("solve", deal=CODE, contract="party", trump="L", course=False) == counted
    without = as_json("solve", CODE, "--contract", "party", "--trump", "L", "--no-marriages")
    found = last("solve", deal=CODE, contract="party", trump="L", marriages=False, course=False)
    assert found == without != counted
    original = last("solve", deal=CODE, contract="party", rules="original", course=False)
    assert original["marriages"] is False


def test_a_hand_is_read_as_the_command_reads_it() -> None:
    assert last("hand", hand="P:A,K, zöld ász VII")["cards"] == ["HA", "HK", "LA", "L7"]
    with pytest.raises(ConfigError, match="'Q' nem lap") as wrong:
        last("hand", hand="HA Q", language="hu")
    assert problem_of(wrong.value).field == "hand"


def test_advice_is_that_of_the_command() -> None:
    given = ("--samples", "3", "--contract", "ulti", "--contract", "betli", "--holds", "1: not L")
    found = last("advise", hand=HAND, samples=3, contracts=["ulti", "betli"], holds="1: not L")
    assert found == as_json("advise", HAND, *given)


def test_the_best_bid_is_played_with_closed_cards_as_by_the_command() -> None:
    given = ("--samples", "6", "--contract", "betli", "--closed", "3")
    found = last("advise", hand=BETLI, samples=6, contracts=["betli"], closed=3)
    assert found == as_json("advise", BETLI, *given)
    assert found["closed"]["samples"] == 3
    hurried = last("advise", hand=BETLI, samples=6, contracts=["betli"], closed=500, seconds=0.01)
    assert 1 <= hurried["closed"]["samples"] < 500


def test_the_page_knows_every_contract() -> None:
    script = files("dragon_ulti").joinpath("web", "cards.js").read_text("utf-8")
    for contract in contracts.CONTRACTS.values():
        line = next(each for each in script.splitlines() if f'"{contract.name}"' in each)
        assert ("trump: true" in line) == contract.trump
        assert ("king: true" in line) == (contract.order == "ace-king")
        assert f"need: {contract.need}" in line or not contract.need
    assert '"789UOKXA"' in script


def test_every_text_of_the_page_has_its_hungarian() -> None:
    folder = files("dragon_ulti").joinpath("web")
    texts: set[str] = set()
    for script in folder.iterdir():
        if script.name.endswith(".js") and script.name != "words.js":
            body = script.read_text("utf-8")
            texts |= {*re.findall(r'\bt\((?:[\w.]+ \? )?"([^"]+)"', body)}
            texts |= {*re.findall(r'title: "([^"]+)"', body)}
    known = folder.joinpath("words.js").read_text("utf-8").partition("const HUNGARIAN")[2]
    words = {quoted or bare for quoted, bare in re.findall(r'(?:"([^"]+)"|\b(\w+)): "', known)}
    same = {"40-100", "20-100", "Ulti", "Betli"}
    assert len(texts) > 80
    assert texts - words == same
    assert all(name.title() in words for name in contracts.DOUBLED)


def test_ready_made_deals_are_what_they_claim_to_be() -> None:
    found = last("deals")["deals"]
    assert {each["contract"] for each in found} == set(contracts.CONTRACTS)
    for each, kept in zip(found, ready_deals().values(), strict=True):
        asked = {key: each[key] for key in ("contract", "trump") if each[key]}
        answer = last("solve", deal=each["code"], **asked, course=False)
        assert answer["declarer_wins"] is kept.made, each["name"]
        need = contracts.CONTRACTS[each["contract"]].need or 1
        leads = sum(worth >= need for worth in answer["cards"].values())
        claim = re.match(r"(One|Three|Four) leads? of ten", each["about"])
        assert not claim or leads == {"One": 1, "Three": 3, "Four": 4}[claim[1]], each["name"]
    duty = ready_deals()["duty-to-trump"]
    original = last("solve", deal=duty.code, contract="ulti", rules="original", course=False)
    assert original["declarer_wins"] is True
    hungarian = last("deals", language="hu")["deals"]
    assert all(one["about"] != two["about"] for one, two in zip(found, hungarian, strict=True))
    state = CliRunner().invoke(main, ["ulti", "deal", "--ready", "betli", "--json"])
    assert sorted(json.loads(state.stdout)["hands"][0]) == sorted(
        last("read", deal=ready_deals()["betli"].code)["hands"][0]
    )


# ---- junk ----------------------------------------------------------------------------------------

JUNK = {
    "deal": [
        {"deal": "x"},
        {"deal": ""},
        {"deal": "HA / HA / HX"},
        {"deal": "9" * 61},
        {"deal": f"{CODE}0"},
        {"deal": "[" * 1500},
        {"deal": '{"hands":' * 150},
        {"deal": '{"hands": [["HA"], ["HX"], [1]]}'},
        {"deal": SMALL, "played": "L8 L8"},
        {"deal": "x" * 2001},
    ],
    "contract": [{"deal": SMALL, "contract": "bridge"}, {"deal": SMALL, "contract": "party++"}],
    "trump": [{"deal": SMALL, "trump": "Q"}, {"deal": SMALL, "contract": "betli", "trump": "H"}],
    "played": [{"deal": SMALL, "played": "XX"}],
    "rules": [{"deal": SMALL, "rules": "mine"}],
    "seconds": [{"deal": SMALL, "seconds": 1e9}, {"deal": SMALL, "seconds": "soon"}],
}


@pytest.mark.parametrize(("field", "given"), [(f, g) for f, all_ in JUNK.items() for g in all_])
def test_junk_is_told_with_its_field(field: str, given: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as wrong:
        last("solve", **given)
    problem = problem_of(wrong.value)
    assert (problem.status, problem.field) == (400, field), problem.message


@pytest.mark.parametrize(
    ("field", "given"),
    [
        ("hand", {"hand": "HA"}),
        ("hand", {"hand": HAND.replace("HK", "HA")}),
        ("holds", {"hand": HAND, "holds": "3: HA"}),
        ("holds", {"hand": HAND, "holds": "1: H8 H9 HU L7 L9 LX LU LO LK A7 A8"}),
        ("discard", {"hand": HAND, "discard": "HA HK"}),
        ("contracts", {"hand": HAND, "contracts": ["betli+ulti"]}),
        ("contracts", {"hand": HAND, "contracts": ["ulti"] * 11}),
        ("samples", {"hand": HAND, "samples": 10**9}),
    ],
)
def test_a_hand_that_cannot_be_is_told_with_its_field(field: str, given: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as wrong:
        last("advise", **given)
    assert problem_of(wrong.value).field == field


WORDS = st.sampled_from([
    *map(name, DECK[:9]), "/", "/", ",", "played", "lead 1: HA", "units 3", "need -9", "made", "²",
    "deal=", "{", '{"hands":', "[", "]", "?", "told 0: 40", CODE, CODE[:40],
])  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["HA", "HX L8", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=4,
)
KEYS = ("hands", "talon", "lead", "trick", "units", "need", "pending", "status", "played", "trump",
        "contract")  # fmt: skip
OBJECTS = st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS, VALUES)).map(json.dumps)


@settings(max_examples=60)
@given(st.lists(WORDS, max_size=12).map(" ".join) | OBJECTS, st.sampled_from(["", "HA", "LX L8"]))
def test_no_text_of_a_deal_is_a_fault_of_the_server(deal: str, played: str) -> None:
    try:
        last("read", deal=deal[:2000], played=played)
    except Exception as wrong:  # whatever it is, it must be the asker's
        problem = problem_of(wrong)
        assert (problem.status, bool(problem.field)) == (400, True), problem.message


def test_cards_that_follow_a_deal_go_to_its_end() -> None:
    assert request.contract_of(f"5{CODE}") == "betli"
    assert service.followed(SMALL, "") == SMALL
    assert service.followed(f"{SMALL}, played HX", "HK") == f"{SMALL}, played HX HK"
    with pytest.raises(ConfigError):
        last("cards", deal=f"{SMALL}, played HX, units 0", played="HK")


# ---- through the server --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def client(keeps_processes: None) -> Iterator[TestClient]:
    app = application(Access(), Plan("search", 1, 8), pages=(ULTI,))
    with TestClient(app, base_url="http://localhost") as made:
        yield made


def test_the_page_is_there_with_its_files(client: TestClient) -> None:
    page = client.get(f"/ulti?deal={CODE}")
    assert page.status_code == 200
    assert '<script type="module" src="/static/ulti/ulti.js">' in page.text
    for file in ("ulti.js", "open.js", "closed.js", "cards.js", "deck.js", "editor.js", "felt.js",
                 "grid.js", "ready.js", "tricks.js", "words.js", "ulti.css"):  # fmt: skip
        assert client.get(f"/static/ulti/{file}").status_code == 200


def test_the_server_streams_and_refuses(client: TestClient) -> None:
    answer = client.get("/api/ulti/table", params={"deal": SMALL})
    events = [json.loads(line[6:]) for line in answer.text.splitlines() if line[:6] == "data: "]
    assert timeless([each for each in events if each]) == as_json("table", SMALL)
    refused = client.get("/api/ulti/solve", params={"deal": "junk"})
    assert (refused.status_code, refused.json()["error"]["field"]) == (400, "deal")
    assert client.get("/api/ulti/solve").status_code == 400
    assert client.get("/api/ulti/read", params={"deal": CODE}).json()["trump"] == "H"
