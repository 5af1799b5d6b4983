"""A rule that cannot be compiled becomes one line: file, line, rule, reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dragon import TERMINAL, RecordGame, RuleError, Rules, frozen, perft, rule
from dragon.diagnose import check_rules

HERE = str(Path(__file__))


@rule
def turn(s: Any) -> Any:
    return s.ply % 2 if s.ply < 3 else TERMINAL


@rule
def moves(s: Any, out: Any) -> Any:
    out[0] = 1
    return 1


@rule
def play(s: Any, move: Any) -> None:
    s.ply += 1


@rule
def payoff(s: Any, seat: Any) -> Any:
    return 0


def rules(**broken: Any) -> Rules:
    good: dict[str, Any] = {"moves": moves, "play": play, "turn": turn, "payoff": payoff}
    layout = [("ply", "i8"), ("stones", "u8")]
    return Rules(layout=layout, width=3, plies=3, **(good | broken))


def unknown_field(s: Any, out: Any) -> Any:
    return s.plyy


def nested_field(s: Any, seat: Any) -> Any:
    other = s
    return other.colour


def wrong_types(s: Any, out: Any) -> Any:
    out[0] = s.ply + "one"
    return 1


def no_return(s: Any, out: Any) -> Any:
    out[0] = 1


def half_return(s: Any, out: Any) -> Any:
    if s.ply > 3:
        return 1


def one_argument(s: Any) -> Any:
    return 1


def broken_helper(x: Any) -> Any:
    return x.colour


def calls_broken_helper(s: Any, out: Any) -> Any:
    return broken_helper(s.ply)


def unknown_name(s: Any, out: Any) -> Any:
    return nowhere(s)  # type: ignore[name-defined]  # noqa: F821


def text_in_number(s: Any, move: Any) -> None:
    s.ply = "one"


def fraction(s: Any, seat: Any) -> Any:
    return 0.5


def text_guess(s: Any, seat: Any) -> Any:
    return "good"


def two_kinds(s: Any, out: Any) -> Any:
    if s.ply > 3:
        x: Any = 1
    else:
        x = "one"
    return x


def makes_a_list(s: Any, out: Any) -> Any:
    return len([s.ply for _ in range(3)])


def fresh(n: Any) -> Any:
    return np.zeros(n, np.int64)


def deeper(n: Any) -> Any:
    return fresh(n)[0]


def calls_what_allocates(s: Any, out: Any) -> Any:
    return deeper(s.ply)


def opens_a_file(s: Any, out: Any) -> Any:
    with open("x"):
        return 1


BROKEN = [
    ("moves", unknown_field, 1, "no field 'plyy'; did you mean 'ply'? (fields: ply, stones)"),
    ("payoff", nested_field, 2, "no such field: 'colour'"),
    ("moves", wrong_types, 1, "the compiler knows no add(int64"),
    ("moves", no_return, 0, "must return an integer, but returns nothing on some way through it"),
    ("moves", half_return, 0, "must return an integer, but returns nothing on some way through it"),
    ("moves", one_argument, 0, "takes 1 arguments, but dragon calls it with 2"),
    ("moves", unknown_name, 1, "name 'nowhere' is not defined"),
    ("play", text_in_number, 1, "Cannot cast Literal[str](one) to int64"),
    ("payoff", fraction, 0, "must return an integer, but returns float64"),
    ("evaluate", text_guess, 0, "must return a number, but returns"),
    ("moves", two_kinds, 5, "Cannot unify"),
    ("moves", makes_a_list, 1, "makes an array"),
    ("moves", opens_a_file, 1, "nsupported context manager"),
]


@pytest.mark.parametrize(("name", "function", "below", "reason"), BROKEN)
def test_a_broken_rule_is_told_in_one_line(
    name: str, function: Any, below: int, reason: str
) -> None:
    with pytest.raises(RuleError) as caught:
        check_rules(rules(**{name: function}))
    told = str(caught.value)
    first = function.__code__.co_firstlineno
    assert told.startswith(f"{HERE}:")
    assert f": rule {name!r}: " in told
    assert reason in told
    assert "\n" not in told
    assert caught.value.file == HERE
    assert caught.value.rule == name
    # The compiler may count a statement from its first line or from where it fails.
    assert first <= caught.value.line <= first + max(below, 1) + 1


def test_a_helper_that_fails_is_named_by_its_own_line() -> None:
    with pytest.raises(RuleError) as caught:
        check_rules(rules(moves=calls_broken_helper))
    assert caught.value.line == broken_helper.__code__.co_firstlineno + 1
    assert "Unknown attribute 'colour'" in str(caught.value)


def test_a_helper_that_allocates_is_told_as_a_rule_that_does() -> None:
    with pytest.raises(RuleError) as caught:
        check_rules(rules(moves=calls_what_allocates))
    assert caught.value.reason == (
        "it makes an array; write into the record, or say Rules(allocates=True), at a price"
    )
    assert caught.value.line == fresh.__code__.co_firstlineno + 1
    check_rules(rules(moves=calls_what_allocates, allocates=True))


def test_good_rules_pass() -> None:
    check_rules(rules())


@frozen
class Broken(RecordGame):
    name = "broken"

    def rules(self) -> Rules:
        return rules(moves=no_return)


def test_who_plays_a_broken_game_sees_the_same_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRAGON_CACHE", str(tmp_path))
    monkeypatch.setenv("DRAGON_JIT", "1")
    for _ in range(2):  # a failure leaves nothing behind that would hide the next
        with pytest.raises(RuleError, match="must return an integer"):
            perft(Broken().start(), 2)
