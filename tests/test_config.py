"""Specs and tables: parsed, never evaluated; every mistake at once, each with its address."""

from __future__ import annotations

import sys
import tomllib
from threading import Thread
from typing import Any

import pytest
from attrs import field, frozen
from attrs.validators import ge, get_disabled
from hypothesis import given
from hypothesis import strategies as st

import dragon
from dragon import ConfigError
from dragon.config import LinedTable, build
from dragon.core.spec import parse_call
from dragon.search.mcts.policies import names


@pytest.mark.parametrize(
    ("spec", "name", "settings"),
    [
        ("nim", "nim", {}),
        (" nim ( pile = 3 ) ", "nim", {"pile": 3}),
        ("nim()", "nim", {}),
        ("x(a=true, b=False, c=none, d=None)", "x", {"a": True, "b": False, "c": None, "d": None}),
        ("x(a=-1.5, b='it''s', c=[1, 2])", "x", {"a": -1.5, "b": "its", "c": [1, 2]}),
        ("x(a=inf)", "x", {"a": float("inf")}),
        ("x(a=')(')", "x", {"a": ")("}),
    ],
)
def test_specs_are_read(spec: str, name: str, settings: dict[str, Any]) -> None:
    assert parse_call(spec) == (name, settings)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "cannot read ''; write a name or name(setting=value, ...)"),
        ("3x", "cannot read '3x'"),
        ("nim(3)", "cannot read 'nim(3)'; name each setting: name(setting=value)"),
        ("nim(pile=3", "cannot read 'nim(pile=3'; write a name"),
        ("nim(pile=)", "cannot read 'nim(pile=)': "),
        ("nim(**x)", "name each setting"),
        ("nim(pile=1)+(2)", "cannot read"),
        ("nim(pile=exit())", "cannot read the value exit() in 'nim(pile=exit())'"),
        ("nim(pile=pile)", "cannot read the value pile"),
        ("nim(pile=1, pile=2)", "cannot read 'nim(pile=1, pile=2)': pile is given twice"),
    ],
)
def test_bad_specs_are_answered(spec: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_call(spec)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=30))
def test_no_text_brings_the_reader_down(text: str) -> None:
    try:
        name, _ = parse_call(text)
    except ConfigError:
        return  # any other error would fail the test
    assert text.strip().startswith(name)


@frozen
class Inner:
    weights: list[int] = field(factory=list)


@frozen
class Outer:
    name = "outer"
    count: int = field(default=1, validator=ge(1))
    speed: float | None = None
    sure: bool = False
    inner: Inner = field(factory=Inner)


def test_values_are_built() -> None:
    table = {"count": 2, "speed": 3, "sure": True, "inner": {"weights": [1, 2]}}
    assert build(Outer, table) == Outer(2, 3.0, True, Inner([1, 2]))


def test_every_mistake_comes_at_once_with_its_address() -> None:
    table = {"count": 2.5, "sped": 1, "sure": "yes", "inner": {"weights": [1, "x"], "more": 1}}
    with pytest.raises(ConfigError) as caught:
        build(Outer, table, "$.game")
    assert sorted(caught.value.problems) == [
        "must be a whole number, not 'x' @ $.game.inner.weights[1]",
        "must be a whole number, not 2.5 @ $.game.count",
        "must be true or false, not 'yes' @ $.game.sure",
        "no setting 'more' here (settings: weights) @ $.game.inner",
        "no setting 'sped' here; did you mean 'speed'? "
        "(settings: count, speed, sure, inner) @ $.game",
    ]


def lined(table: dict[str, Any], *lines: int) -> LinedTable:
    """A table whose keys stand on these lines of a file."""
    found = LinedTable("a.yaml", lines[0])
    for line, (key, value) in zip(lines, table.items(), strict=True):
        found[key], found.lines[key] = value, line
    return found


def test_a_mistake_in_a_table_with_lines_has_the_line_of_its_key() -> None:
    inner = lined({"weights": [1, "x"], "more": 1}, 8, 9)
    table = lined({"count": 2.5, "sped": 1, "inner": inner}, 2, 3, 7)
    with pytest.raises(ConfigError) as caught:
        build(Outer, table)
    assert sorted(caught.value.problems) == [
        "a.yaml:2: must be a whole number, not 2.5 @ count",
        "a.yaml:3: no setting 'sped' here; did you mean 'speed'? "
        "(settings: count, speed, sure, inner)",
        "a.yaml:8: must be a whole number, not 'x' @ inner.weights[1]",
        "a.yaml:9: no setting 'more' here (settings: weights) @ inner",
    ]
    assert build(Outer, lined({"count": 3}, 1)) == Outer(3)
    with pytest.raises(ConfigError, match=r"must be a whole number, not 2024-01-31 @ .*count"):
        build(Outer, tomllib.loads("count = 2024-01-31"))


def test_validators_of_inner_tables_are_asked_too() -> None:
    @frozen
    class Around:
        first: Outer
        second: Outer | None = None

    with pytest.raises(ConfigError) as caught:
        build(Around, {"first": {"count": 0, "sure": 1}, "second": {"count": -1}}, "$")
    assert sorted(caught.value.problems) == [
        "count must be at least 1, not -1 @ $.second.count",
        "count must be at least 1, not 0 @ $.first.count",
        "must be true or false, not 1 @ $.first.sure",
    ]


def test_what_a_validator_says_is_passed_on() -> None:
    with pytest.raises(ConfigError, match=r"count must be at least 1, not 0 @ outer"):
        build(Outer, {"count": 0})


def test_a_choice_that_there_is_not_is_a_sentence() -> None:
    with pytest.raises(ConfigError) as caught:
        dragon.search("mcts(selection='best')")
    known = " or ".join(map(repr, names("selections")))
    assert str(caught.value) == f"selection must be {known}, not 'best' @ mcts.selection"


@pytest.mark.parametrize("wrong", [True, "1", None, 1.0])
def test_whole_numbers_are_whole_numbers(wrong: Any) -> None:
    with pytest.raises(ConfigError, match="must be a whole number"):
        build(Outer, {"count": wrong})


def test_games_and_searches_by_table() -> None:
    assert dragon.game({"name": "nim", "pile": 3}) == dragon.game("nim(pile=3)")
    assert dragon.search({"search": "alphabeta", "depth": 2}) == dragon.search("alphabeta(depth=2)")
    assert dragon.search({"search": "alphabeta(depth=2)"}) == dragon.search("alphabeta(depth=2)")
    with pytest.raises(ConfigError, match="needs a name"):
        dragon.game({"pile": 3})


@pytest.mark.parametrize("spec", ["nim(pile=3)", "hex(size=4)", "tictactoe"])
def test_a_game_writes_itself(spec: str) -> None:
    assert str(dragon.game(spec)) == spec
    assert dragon.game(str(dragon.game(spec))) == dragon.game(spec)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("hex(size=20)", "size"),
        ("hex(size=1)", "size"),
        ("hex(size='3')", "must be a whole number, not '3'"),
        ("hex(length=3)", "no setting 'length' here"),
        ("tictactoe(size=3)", "no setting 'size' here (settings: none)"),
    ],
)
def test_wrong_parameters_are_answered(spec: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        dragon.game(spec)
    assert message in str(caught.value)


def test_mistakes_in_several_threads_leave_validators_as_they_are() -> None:
    @frozen
    class Bounded:
        few: int = field(default=1, validator=ge(1))
        many: float = field(default=1.0, validator=ge(1.0))

    wrong: list[list[str]] = []

    def try_it() -> None:
        for _ in range(100):
            with pytest.raises(ConfigError) as caught:
                build(Bounded, {"few": 0, "many": "x", "other": 1}, "it")
            wrong.append(caught.value.problems)

    threads = [Thread(target=try_it) for _ in range(4)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not get_disabled()
    assert len(wrong) == 400
    assert {len(each) for each in wrong} == {3}
    with pytest.raises(ValueError, match="must be >= 1"):
        Bounded(few=0)


@pytest.mark.parametrize("value", ["1+" * 3000 + "1", "1+" * 500 + "1", "-" * 20_000 + "1"])
def test_what_is_too_deep_for_the_parser_is_told_in_a_line(value: str) -> None:
    with pytest.raises(
        ConfigError, match=r"^cannot read 'mcts\(c=.{33}\.\.\.': it is too deep"
    ) as caught:
        dragon.search(f"mcts(c={value})")
    assert len(str(caught.value)) < 120
