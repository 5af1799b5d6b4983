"""The line of a record: its schema, what another dragon wrote, and what it may say of a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from dragon import ConfigError
from dragon.cli import main
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.records.record import SCHEMA, OtherSchema, Record, award
from dragon_tournament.runner import run

TABLE: dict[str, Any] = {
    "name": "small",
    "game": "nim",
    "games": 4,
    "player": [{"search": "random"}, {"search": "negamax"}],
}

texts = st.text(max_size=8)
numbers = st.floats(allow_nan=False, allow_infinity=False)


@given(
    st.lists(texts, min_size=2, max_size=2),
    st.lists(texts, max_size=3),
    st.tuples(numbers, numbers),
    st.sampled_from(["terminal", "crash", "false claim", "resigned"]),
    texts,
)
def test_a_record_is_what_its_line_says(
    seats: list[str], moves: list[str], scores: tuple[float, float], reason: Any, detail: str
) -> None:
    record = Record(
        id="x", game="g", seats=tuple(seats), teams=(0, 1), opening=(), moves=tuple(moves),
        scores=scores, points=award(scores, (0, 1)), reason=reason, nodes=(1, 1),
        seconds=(0.1, 0.2), seed=3, detail=detail,
    )  # fmt: skip
    line = record.to_line()
    assert "\n" not in line
    assert json.loads(line)["schema"] == SCHEMA
    assert Record.from_line(line) == record


@pytest.fixture
def played(tmp_path: Path) -> Path:
    run(parse(TABLE), tmp_path, InlineExecutor())
    return tmp_path


def edited(folder: Path, **keys: Any) -> None:
    """Changes keys of the second line; None takes one away."""
    path = folder / "records.jsonl"
    rows = path.read_text().splitlines()
    table = {**json.loads(rows[1]), **keys}
    rows[1] = json.dumps({key: value for key, value in table.items() if value is not None})
    path.write_text("\n".join(rows) + "\n")


def test_a_line_without_its_schema_is_of_the_first(played: Path) -> None:
    before = (played / "records.jsonl").read_text()
    edited(played, schema=None)
    assert "schema" not in (played / "records.jsonl").read_text().splitlines()[1]
    assert run(parse(TABLE), played, InlineExecutor()).report.played == 8
    assert len((played / "records.jsonl").read_text().splitlines()) == before.count("\n")


def test_a_key_of_a_later_dragon_is_left_out_of_account(played: Path) -> None:
    edited(played, weather="fine")
    kept = (played / "records.jsonl").read_text()
    assert run(parse(TABLE), played, InlineExecutor()).report.played == 8
    assert (played / "records.jsonl").read_text() == kept


def test_a_later_schema_is_refused_by_its_number(played: Path) -> None:
    edited(played, schema=SCHEMA + 1)
    kept = (played / "records.jsonl").read_text()
    sentence = rf"records\.jsonl:2: a record of schema {SCHEMA + 1}, and this dragon reads {SCHEMA}"
    with pytest.raises(ConfigError, match=sentence):
        run(parse(TABLE), played, InlineExecutor())
    result = CliRunner().invoke(main, ["standings", str(played)])
    assert result.exit_code == 2
    assert f"a record of schema {SCHEMA + 1}" in result.stderr
    assert (played / "records.jsonl").read_text() == kept
    with pytest.raises(OtherSchema):
        Record.from_line(kept.splitlines()[1])


@pytest.mark.parametrize("schema", ["one", 1.5])
def test_a_schema_that_is_none_is_junk(played: Path, schema: Any) -> None:
    edited(played, schema=schema)
    (incident,) = run(parse(TABLE), played, InlineExecutor()).report.incidents
    assert "line 2: its schema is" in incident.sentence


@pytest.mark.parametrize("schema", [0, SCHEMA - 1, -1])
def test_records_of_an_earlier_schema_are_refused_too(played: Path, schema: int) -> None:
    """Left out of account, all of them would be played again."""
    edited(played, schema=schema)
    with pytest.raises(ConfigError, match=rf"a record of schema {schema}, .* that wrote it$"):
        run(parse(TABLE), played, InlineExecutor())


NONSENSE: dict[str, tuple[dict[str, Any], str]] = {
    "failed": ({"failed": [9]}, "failed are not seats from 0 to 1"),
    "failed twice": ({"failed": [1, 1]}, "failed are not seats from 0 to 1"),
    "failed by half": ({"failed": [0.0]}, "failed are not seats from 0 to 1"),
    "points": ({"points": [70, -3]}, "points are not one for the best team"),
    "all the points": ({"points": [1, 1]}, "points are not one for the best team"),
    "no point": ({"points": [0, 0]}, "points are not one for the best team"),
    "truth values": ({"points": [True, False]}, "points are not numbers"),
    "infinite": ({"scores": [float("inf"), 0]}, "scores are not numbers"),
    "time": ({"seconds": [-1, 0]}, "seconds are less than nothing"),
    "seats": ({"seats": ["random", 5]}, "seats are not names"),
    "teams": ({"teams": [0.5, 1]}, "teams are not numbers from 0"),
    "moves": ({"moves": [["1"], "2"]}, "moves are neither a list of moves nor one for each seat"),
    "detail": ({"detail": ["x"]}, "detail is not a text"),
    "surrogate": ({"detail": "\ud800"}, "holds half of a letter"),
    "surrogate in a name": ({"seats": ["\udfff", "random"]}, "holds half of a letter"),
}


@pytest.mark.samples("points", "failed by half")
@pytest.mark.parametrize("case", NONSENSE)
def test_nonsense_is_refused_by_its_name(played: Path, case: str) -> None:
    keys, reason = NONSENSE[case]
    edited(played, **keys)
    result = CliRunner().invoke(main, ["standings", str(played)])
    assert f"line 2: {reason}" in " ".join(result.output.split())
    report = run(parse(TABLE), played, InlineExecutor()).report
    assert report.played == 8  # the game was played again
    assert any(reason in happening.sentence for happening in report.incidents)


def test_a_name_that_was_edited_is_told_with_its_game(played: Path) -> None:
    edited(played, seats=["somebody", "random"])
    with pytest.raises(
        ConfigError, match=r"the record of game \w+ has the seats somebody - random"
    ):
        run(parse(TABLE), played, InlineExecutor())


def test_letters_that_cannot_be_written_stand_escaped() -> None:
    record = Record.from_line(
        '{"id": "x", "game": "g", "seats": ["a", "b"], "teams": [0, 1], "opening": [], "moves": [],'
        ' "scores": [0, 0], "points": [0.5, 0.5], "reason": "crash", "nodes": [0, 0],'
        ' "seconds": [0, 0], "seed": 1}'
    )
    escaped = attrs.evolve(record, detail="caf\udce9")
    assert Record.from_line(escaped.to_line().encode().decode()) == escaped
    assert escaped.detail == "caf\\udce9"
