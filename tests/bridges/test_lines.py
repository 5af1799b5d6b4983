"""Players by lines of JSON: what they are sent, what they answer, and what goes wrong."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import dragon
from dragon import Limit, Position, SearchError
from dragon.bridges import engine as module
from dragon.bridges.lines import Lines, renaming
from dragon.core import POLICY
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.records.record import Record
from dragon_tournament.schedule import Schedule

DOCS = Path(__file__).parents[2] / "docs" / "lines.md"
SHORT = Limit(seconds=1)


@pytest.fixture(autouse=True)
def _no_process_stays() -> Iterator[None]:
    yield
    module.close_idle()


def player(body: str, **settings: Any) -> Lines:
    """A player whose answer to each request `r` is what the Python in `body` does."""
    code = "import json, sys, time\nfor line in sys.stdin:\n r = json.loads(line)\n " + body
    return Lines(command=(sys.executable, "-u", "-c", code), **settings)


def example(language: str) -> str:
    """The player of the documentation in a language."""
    found = re.search(rf"```{language}\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def test_a_request_has_all_that_the_seat_sees_and_no_more(tmp_path: Path) -> None:
    log = tmp_path / "traffic"
    game = dragon.game("leduc")
    dealt = game.start()
    while dealt.turn < 0:
        dealt = dealt.after(dealt.moves()[-1])
    position = Position(dealt, game.start(), (), 2.5, None, 0.1)
    first = "print(json.dumps({'move': r['moves'][0]}))"
    with player(first, log=str(log)).open(game) as run:
        run.best(position, Limit(seconds=0.5, nodes=7))
    sent = json.loads(log.read_text().split(" > ")[1].splitlines()[0])
    assert sent["position"] == str(dealt.seen(dealt.turn)) != str(dealt)
    assert sent["record"]["line"] == dealt.seen(dealt.turn).view["line"].tolist()
    assert sent["moves"] == list(dealt.moves())
    assert (sent["seat"], sent["seats"], sent["teams"]) == (dealt.turn, 2, [0, 1])
    assert (sent["seconds"], sent["nodes"], sent["depth"]) == (0.5, 7, None)
    assert sent["clock"] == {"left": 2.5, "increment": 0.1, "moves": None}
    assert (sent["start"], sent["played"]) == (None, None)
    assert str(dealt) not in log.read_text()


def test_an_answer_may_have_a_value_a_policy_and_nodes() -> None:
    answer = (
        "print(json.dumps({'move': '2', 'value': 9, 'nodes': 5, 'policy': {'2': 0.75, '1': 0.25}}))"
    )
    result = player(answer).best(dragon.game("nim").start(), SHORT)
    assert (str(result.move), result.value, result.nodes) == ("2", 1.0, 5)
    assert result.extra[POLICY] == {"1": 0.25, "2": 0.75, "3": 0.0}
    none = player("print(json.dumps({'move': '2', 'value': None, 'nodes': None}))")
    assert none.best(dragon.game("nim").start(), SHORT).value == 0
    resigned = player("print('{\"resign\": true}')").best(dragon.game("nim").start(), SHORT)
    assert resigned.extra["resigns"]


@pytest.mark.samples(4)
@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("print('hello')", "answered 'hello'; write one object a line"),
        ("print('[1]')", "write one object a line"),
        ("print('{}')", "without `move`"),
        ("print('{\"move\": 3}')", "not a text"),
        ('print(\'{"move": "1", "value": "x"}\')', "the value 'x', which is not a number"),
        ('print(\'{"move": "1", "value": NaN}\')', "the value 'nan', which is not a number"),
        ('print(\'{"move": "1", "value": 1\' + 400 * "0" + "}")', "which is not a number"),
        ('print(\'{"move": "1", "policy": {"1": 0.4}}\')', "a policy that is not"),
        ('print(\'{"move": "1", "policy": {"9": 1}}\')', "a policy that is not"),
        ("sys.exit('out of luck')", "ended with exit code 1: out of luck"),
        ("print('[' * 100000)", "write one object a line|more than"),
    ],
)
def test_what_is_not_an_answer_is_one_sentence(body: str, sentence: str) -> None:
    with pytest.raises(SearchError, match=sentence) as raised:
        player(body).best(dragon.game("nim").start(), SHORT)
    assert "\n" not in str(raised.value)


def test_a_player_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragon.gtp.client.OVERRUN", 0.1)
    with pytest.raises(SearchError, match="did not answer in time"):
        player("time.sleep(60)", patience=0.5).best(dragon.game("nim").start(), Limit(seconds=0.1))


def test_illegal_moves_are_the_referees_to_judge() -> None:
    move = player('print(\'{"move": "9"}\')').best(dragon.game("nim").start(), SHORT).move
    assert move == "9"


@pytest.mark.samples("python-player.py-*")
@pytest.mark.parametrize(
    ("language", "name", "program", "build"),
    [
        ("python", "player.py", sys.executable, None),
        ("js", "player.js", "node", None),
        ("cpp", "player.cpp", "g++", ["-std=c++17"]),
        pytest.param("rust", "player.rs", "rustc", [], marks=pytest.mark.full),
    ],
)
def test_players_of_the_documentation_play_a_tournament(
    language: str, name: str, program: str, build: list[str] | None, tmp_path: Path
) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    source = tmp_path / name
    source.write_text(example(language))
    command = [program, str(source)]
    if build is not None:
        subprocess.run([*command, *build, "-o", str(tmp_path / "player")], check=True)
        command = [str(tmp_path / "player")]
    tournament = parse(
        {
            "name": "lines", "games": 4, "game": "leduc",
            "player": [{"name": "mine", "search": "lines", "command": command},
                       {"search": "random"}],
        }
    )  # fmt: skip
    records = list(InlineExecutor().map(tournament, Schedule(tournament).games()))
    assert len(records) == 8  # each pair in both seats
    assert all(
        isinstance(record, Record) and str(record.reason) == "terminal" for record in records
    )


def ask(*requests: Any, arguments: tuple[str, ...]) -> list[dict[str, Any]]:
    """The answers of `dragon lines` to some requests."""
    text = "".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in requests)
    run = subprocess.run(
        [sys.executable, "-m", "dragon", "lines", *arguments],
        input=text, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.mark.full
def test_dragon_answers_and_names_what_is_wrong() -> None:
    answers = ask(
        {"position": ".../.X./... O", "nodes": 100_000},
        {"position": "nonsense"},
        "hello",
        {"position": ".../.X./... O", "game": "nim"},
        {"position": ".../.X./... O", "game": "cover(file='/etc/passwd')"},
        {"position": "XXX/OO./... O"},
        {"position": ".../.X./... O", "seconds": "x"},
        {"position": ".../.X./... O", "nodes": True},
        {"position": ".../.X./... O", "seed": "x"},
        {"position": ".../.X./... O", "seconds": float("inf")},
        {"position": ".../.X./... O", "clock": {"left": 1, "moves": "q"}},
        arguments=("tictactoe", "--search", "alphabeta"),
    )
    assert answers[0]["move"] in ("a1", "a3", "c1", "c3")
    assert answers[0]["value"] == 0
    assert all(list(answer) == ["error"] for answer in answers[1:])
    assert "'hello' is not a request" in answers[2]["error"]
    assert "started for tictactoe, not nim" in answers[3]["error"]
    assert "root:" not in answers[4]["error"]


def test_dragon_plays_what_a_seat_sees_against_itself() -> None:
    command = [sys.executable, "-m", "dragon", "lines", "leduc", "--search", "random"]
    game = dragon.game("leduc")
    dealt = game.start()
    while dealt.turn < 0:
        dealt = dealt.after(dealt.moves()[0])
    result = Lines(command=command).best(dealt, SHORT)
    assert str(result.move) in map(str, dealt.moves())
    assert sum(result.extra[POLICY].values()) == pytest.approx(1)


@pytest.mark.full
def test_a_disguise_renames_letters_both_ways(tmp_path: Path) -> None:
    log, start = tmp_path / "traffic", dragon.game("breakthrough").start()
    body = "m = r['moves'][0]; print(json.dumps({'move': m, 'policy': {m: 1.0}}))"
    result = player(body, log=str(log), disguise=3).best(start, SHORT)
    sent = json.loads(log.read_text().split(" > ")[1].splitlines()[0])
    assert (sent["game"], sent["record"]) == (None, None)
    assert str(start.moves()[0]) == str(result.move)
    assert result.extra[POLICY][str(result.move)] == 1.0
    plain = [str(move) for move in start.moves()]
    assert sent["moves"] != plain
    assert len(set(sent["moves"])) == len(plain)
    back = {ord(new): chr(old) for old, new in renaming(3).items()}
    assert sent["position"].translate(back) == str(start)
    assert [move.translate(back) for move in sent["moves"]] == plain
