"""A rule that cannot be compiled becomes one line: file, line, rule, reason."""

from __future__ import annotations

import ast
import importlib
import linecache
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

import dragon
from dragon import (
    TERMINAL,
    Grid,
    PluginError,
    RecordGame,
    RuleError,
    Rules,
    Trait,
    frozen,
    perft,
    rule,
)
from dragon.compiler import specialise
from dragon.compiler.fingerprint import tree_of
from dragon.modes import JIT
from dragon.rules import rehearsal, rule_errors
from dragon.rules.record import rules_of
from dragon.rules.rehearsal import check_rules

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


def nested_field(s: Any, seat: Any) -> Any:
    other = s
    return other.colour


def wrong_types(s: Any, out: Any) -> Any:
    out[0] = s.ply + "one"
    return 1


def no_return(s: Any, out: Any) -> Any:
    out[0] = 1


def broken_helper(x: Any) -> Any:
    return x.colour


def calls_broken_helper(s: Any, out: Any) -> Any:
    return broken_helper(s.ply)


def unknown_name(s: Any, out: Any) -> Any:
    return nowhere(s)  # type: ignore[name-defined]  # noqa: F821


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


def no_value(s: Any, out: Any) -> Any:
    while s.ply > 9:
        x = 1
        break
    else:
        return y  # type: ignore[name-defined]  # noqa: F821
    return x


def out_of_reach(s: Any, out: Any) -> Any:
    return TABLE[3]


def fewer(s: Any, out: Any) -> Any:
    return deeper()


def reads_a_list(s: Any, out: Any) -> Any:
    return LISTED[0]


def reads_a_dict(s: Any, out: Any) -> Any:
    return BY_NAME["one"]


TABLE = np.zeros(3, np.int64)
LISTED, BY_NAME = [1, 2], {"one": 1}
BROKEN = [
    ("payoff", nested_field, 2, "the record has no field 'colour' (fields: ply, stones)"),
    ("moves", no_return, 0, "must return an integer, but returns nothing on some way through it"),
    ("moves", unknown_name, 1, "the name 'nowhere' is not defined"),
    ("moves", two_kinds, 5, "'x' holds int64 on one way here and the text 'one' on another"),
    ("moves", no_value, 5, "the name 'y' is not defined"),
    ("moves", out_of_reach, 1, "there is no [3] where there are 3"),
    ("moves", fewer, 1, "deeper takes 1 arguments: n"),
]  # fmt: skip
HELPED = [
    (calls_broken_helper, broken_helper, 1, "in broken_helper: there is no 'colour' in int64"),
]
FOREIGN = [
    (reads_a_list, reads_a_list, 1, "the compiler reads no list from outside the function; make "
     "it a tuple or a numpy array"),
    (reads_a_dict, reads_a_dict, 1, "the compiler reads no dict from outside the function"),
    (wrong_types, wrong_types, 1, "`+` works on numbers, not on the text 'one'"),
    (makes_a_list, makes_a_list, 1, "the compiler does not support list comprehension"),
    (opens_a_file, opens_a_file, 1, "the compiler does not support context manager (with)"),
    (calls_what_allocates, fresh, 1, "it makes an array whose size is known only when it runs; "
     "pass memory in, or keep it in the record"),
]  # fmt: skip
"""Outside the subset: right, perhaps, for numba."""


def refused(where: Any, below: int, reason: str, name: str = "moves", **broken: Any) -> None:
    """Checks that a game is refused in one line with the very line of the mistake."""
    with pytest.raises(RuleError) as caught:
        check_rules(rules(**broken))
    message = str(caught.value)
    assert message.startswith(f"{HERE}:{where.__code__.co_firstlineno + below}: rule {name!r}: ")
    assert reason in message
    assert "\n" not in message
    assert (caught.value.file, caught.value.rule) == (HERE, name)


@pytest.mark.parametrize(("name", "function", "below", "reason"), BROKEN)
def test_a_broken_rule_is_told_in_one_line(
    name: str, function: Any, below: int, reason: str
) -> None:
    refused(function, below, reason, name, **{name: function})


@pytest.mark.parametrize(("function", "helper", "below", "reason"), HELPED)
def test_a_helper_that_fails_is_named_by_its_own_line(
    function: Any, helper: Any, below: int, reason: str
) -> None:
    refused(helper, below, reason, moves=function)


@pytest.mark.parametrize(("function", "where", "below", "reason"), FOREIGN)
def test_what_is_outside_the_subset_is_refused_without_numba(
    function: Any, where: Any, below: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(specialise, "numba_installed", lambda: False)
    refused(where, below, reason, moves=function)
    monkeypatch.setattr(specialise, "numba_installed", lambda: True)
    check_rules(rules(moves=function))


@rule
def lists_two_kinds(s, out):  # type: ignore[no-untyped-def]
    kept = [1]
    kept.append("a")
    return len(kept) - 1


@rule
def lists_and_misses(s, out):  # type: ignore[no-untyped-def]
    kept = [2 * i for i in range(2)]
    return kept[2]


@frozen
class Foreign(RecordGame):
    name = "foreign"

    def rules(self) -> Rules:
        return rules(moves=lists_two_kinds)


def test_rules_for_numba_are_tried_in_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """For numba neither tests indices nor, where a value is not used, names."""
    monkeypatch.setattr(specialise, "numba_installed", lambda: True)
    monkeypatch.setattr(JIT, "value", "1")
    said: list[str] = []
    monkeypatch.setattr(rule_errors.log, "info", lambda form, *rest: said.append(form % rest))
    rule_errors._note.cache_clear()
    broken = attrs.evolve(rules(moves=lists_and_misses), first=bytes(16))
    with pytest.raises(RuleError, match="rule 'moves': IndexError: list index out of") as caught:
        check_rules(broken)
    line = lists_and_misses.__code__.co_firstlineno + 2
    assert caught.value.line == line + 1
    (note,) = said
    assert f":{line}: rule 'moves': the compiler does not support list comprehension" in note
    assert "numba compiles the callers of this rule" in note


@pytest.mark.full
def test_what_numba_refuses_too_is_the_same_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(specialise, "numba_installed", lambda: True)
    monkeypatch.setattr(JIT, "value", "1")
    with pytest.raises(
        RuleError, match=r"does not support list.* \(numba does not compile it"
    ) as caught:
        perft(Foreign().start(), 2)
    assert caught.value.line == lists_two_kinds.__code__.co_firstlineno + 2


def test_a_changed_file_is_not_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "edited_rules.py"
    file.write_text("def moves(s, out):\n    return 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(specialise, "numba_installed", lambda: False)
    edited = importlib.import_module("edited_rules")
    # Of another length: bytecode is told apart by whole seconds and lengths.
    file.write_text("def moves(s, out):\n    return 20\n")
    with pytest.raises(RuleError, match="its file has changed since it was imported; start again"):
        check_rules(rules(moves=edited.moves))
    importlib.reload(edited)
    assert "return 20" in ast.unparse(tree_of(edited.moves)), "the lines were read again"
    for wrong in (b"def broken(:", b"x = '", b"\0", b"return 3"):
        file.write_bytes(b"def moves(s, out):\n    return 3\n" + wrong)
        linecache.clearcache()
        with pytest.raises(RuleError, match="its file cannot be read; if it was changed, start"):
            check_rules(rules(moves=edited.moves))


def test_good_rules_pass() -> None:
    check_rules(rules())


@frozen
class Forgetful(RecordGame):
    name = "forgetful"

    def rules(self) -> Rules:  # type: ignore[return]
        rules()


def test_a_missing_return_is_one_line() -> None:
    with pytest.raises(PluginError, match="returned None; is a `return` missing"):
        Forgetful().start()


class Broken(RecordGame):
    name = "broken"

    def rules(self) -> Rules:
        return rules(moves=no_return)


def test_who_plays_a_broken_game_sees_the_same_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRAGON_CACHE", str(tmp_path))
    monkeypatch.setattr(JIT, "value", "1")
    for _ in range(2):  # a failure leaves nothing behind that would hide the next
        with pytest.raises(RuleError, match="must return an integer"):
            perft(Broken().start(), 2)


@pytest.mark.samples("hex*")
@pytest.mark.parametrize(
    ("spec", "plies"), [("hex", rehearsal.FIRST_PLIES), ("nex(rows=19, cols=19)", 13)]
)
def test_first_games_are_fewer_on_a_wide_board(
    monkeypatch: pytest.MonkeyPatch, spec: str, plies: int
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(rehearsal, "rehearse", lambda rules, first, most: asked.append(most))
    monkeypatch.setattr(rehearsal, "load", lambda *_: None)  # as if it had never been seen
    check_rules.__wrapped__(rules_of(dragon.game(spec)))
    assert asked == [plies]


LIKE = '; write one like [("ply", "i8"), ("stones", "u8", (2,))]'
DECLARED: list[tuple[dict[str, Any], str]] = [
    *(
        ({name: wrong}, f"{name} is {wrong!r}; write a whole number from 1 to ")
        for name in ("width", "plies", "largest")
        for wrong in (0, -1, 2.0, "3", None, 1 << 50)
    ),
    *(({"unit": wrong}, "; write a number above 0") for wrong in (0, -1.0, float("nan"), "x")),
    ({"notation": Grid}, "the notation is the class Grid; make an object of it: notation=Grid(..."),
    ({"layout": moves}, "the layout is the function 'moves'; the order is Rules(layout, moves, "),
    ({"moves": play, "play": moves}, "the rule 'moves' is the function 'play'; the order is Rules"),
    ({"turn": payoff, "payoff": turn}, "the rule 'turn' is the function 'payoff'; the order is "),
    ({"payoff": 3}, "the rule 'payoff' is 3, not a function; the order is Rules(layout, moves, "),
    ({"notation": 7}, "the notation 7 does not have move_text; write a subclass of"),
    ({"tablebase": 7}, "the tablebase is 7; write a function that gives its bytes"),
    ({"moves": None}, "the rule 'moves' is None, not a function; the order is Rules("),
    *(({"layout": wrong}, f"has no fields{LIKE}") for wrong in ("i8", [], None)),
    *(
        ({"layout": [("ply", "i8"), wrong]}, f"{why}{LIKE}")
        for wrong, why in (
            (("x", "zz"), "cannot be read: data type 'zz' not understood"),
            (("ply", "i8"), "cannot be read: field 'ply' occurs more than once"),
            (("x", "O"), "holds more than this machine's numbers"),
            (("x", ">i8"), "holds more than this machine's numbers"),
        )
    ),
    ({"layout": [("x", "u1", (1 << 21,))]}, "a record of 2,097,152 bytes is too large"),
]


@pytest.mark.parametrize(("wrong", "message"), DECLARED)
def test_a_declaration_that_makes_no_sense_is_one_line(wrong: dict[str, Any], message: str) -> None:
    @frozen
    class Declared(RecordGame):
        """A game of which one thing is wrong."""

        name = "declared"

        def rules(self) -> Rules:
            given = {"layout": [("ply", "i8"), ("stones", "u8")], "width": 3, "plies": 3}
            good: dict[str, Any] = {"moves": moves, "play": play, "turn": turn, "payoff": payoff}
            return Rules(**(good | given | wrong))

    with pytest.raises(PluginError) as caught:
        Declared().start()
    assert ": Declared.rules(): " in str(caught.value)
    assert f"{Path(__file__).name}:" in str(caught.value)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "wrong", "message"),
    [
        ("teams", (), "Kind.teams is (); write a tuple"),
        ("teams", [0, 1], "Kind.teams is [0, 1]; write a tuple"),
        ("teams", ("a", "b"), "Kind.teams is ('a', 'b'); write a tuple"),
        ("teams", 2, "Kind.teams is 2; write a tuple"),
        ("teams", (0, 2), "Kind.teams is (0, 2); number the teams from 0 on, without a gap"),
        ("teams", (True, False), "Kind.teams is (True, False); write a tuple"),
        ("traits", "DUEL", "Kind.traits is 'DUEL'; write a frozenset of dragon.Trait"),
        ("traits", [Trait.DUEL], "; write a frozenset of dragon.Trait"),
        ("setup", lambda self: None, "Kind.setup takes 0 arguments; write setup(self, record)"),
        ("setup", lambda self, a, b, c: None, "Kind.setup takes 3 arguments; write setup"),
    ],
)
def test_a_game_of_no_kind_is_one_line(name: str, wrong: Any, message: str) -> None:
    members = {"name": "kind", "rules": lambda self: rules(), name: wrong}
    with pytest.raises(PluginError) as caught:
        type("Kind", (RecordGame,), members)().start()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
