"""The contract of rules is what every place that knows rules by name says too."""

from __future__ import annotations

import ast
import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path

import attrs
import pytest

import dragon
from dragon.core import State
from dragon.rules import template
from dragon.rules.contract import ARRAYS, OPTIONAL, REQUIRED, RETURNS, RULES
from dragon.rules.interpreted import StateRules
from dragon.rules.kernels import guards
from dragon.rules.record import RecordState
from dragon.rules.rules import Rules

FIELDS = attrs.fields_dict(Rules)


def test_the_fields_of_rules_are_the_contract_in_its_order() -> None:
    assert [name for name in FIELDS if name in RULES] == list(RULES)
    assert all(FIELDS[name].default is attrs.NOTHING for name in REQUIRED)
    assert all(FIELDS[name].default is None for name in OPTIONAL)


@pytest.mark.parametrize("name", RULES)
def test_templates_may_name_a_rule(name: str) -> None:
    assert getattr(template, name) is RULES[name].null
    assert getattr(template, f"HAS_{name.upper()}") is False


def test_templates_may_name_nothing_else() -> None:
    for name in ("has_key", "HAS_key", "HAS_KEYS", "KEY", "keys"):
        with pytest.raises(AttributeError, match=f"no attribute '{name}'"):
            getattr(template, name)


@pytest.mark.parametrize("name", [name for name in OPTIONAL if RULES[name].method])
def test_a_state_of_rules_has_the_method_of_a_rule(name: str) -> None:
    method = RULES[name].method
    assert callable(getattr(RecordState, method))
    assert method == "rank" or hasattr(State, method)


@pytest.mark.parametrize("name", [name for name in OPTIONAL if RULES[name].method])
def test_a_rule_of_a_state_follows_from_its_contract_or_has_a_form(name: str) -> None:
    follows = RULES[name].kinds in (("record",), ("record", "moves"))
    assert follows or hasattr(StateRules, name)


SIZES = guards.Sizes(3, 9, 2, 1, 8, (0, 1), True, True)


@pytest.mark.parametrize("name", RULES)
def test_a_guard_has_as_many_arguments_as_its_rule(name: str) -> None:
    rule = RULES[name]
    guard = guards.guard_of(name, rule.null, True, SIZES)
    if guard is None:
        assert not rule.lengths
        assert not rule.within
    else:
        assert len(inspect.signature(guard).parameters) == len(rule.parameters)


@pytest.mark.parametrize("name", RULES)
def test_a_rule_that_is_given_an_array_or_returns_a_number_has_a_guard_in_all_code(
    name: str,
) -> None:
    """The guard cuts the array to its length, or makes a float of the number."""
    rule = RULES[name]
    kinds = dict(zip(rule.parameters, rule.kinds, strict=True))
    assert list(rule.lengths) == [given for given, kind in kinds.items() if kind in ARRAYS]
    assert (guards.guard_of(name, rule.null, False, SIZES) is not None) == bool(
        rule.lengths or rule.returns == "number"
    )


@pytest.mark.parametrize("name", RULES)
def test_every_rule_says_what_it_is_given_and_what_it_means(name: str) -> None:
    rule = RULES[name]
    assert len(rule.kinds) == len(inspect.signature(rule.null).parameters)
    assert rule.kinds[0] == "record"
    assert rule.returns in RETURNS
    assert rule.asked_at in ("any", "seat", "chance")
    assert bool(rule.within) == bool(rule.breach)
    assert rule.meaning.endswith(".")
    assert bool(rule.used_by) == (name in OPTIONAL)


@pytest.mark.full
def test_no_kernel_has_the_name_of_a_rule() -> None:
    """In code that is specialised to a game that has the rule, the rule would take its place."""
    folder = Path(dragon.__file__).parent
    wrong = [
        f"{file.relative_to(folder)}: {node.name}"
        for file in [*(folder / "search").rglob("*.py"), *(folder / "rules/kernels").glob("*.py")]
        if file.name != "guards.py"  # which stand for rules
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name in RULES
    ]
    assert wrong == []


DUMMY = '''
@asked("record moves[width]", "integer", "`dummysearch`", asked_at="seat", within=("-1", "width"),
       breach="it must return how many forced moves there are, or -1")
def forced(s, out):
    """Writes the moves that a side is forced to make."""
    return 0
'''
"""A rule that is declared beside the others, in the contract alone."""
FINDS = """
from pathlib import Path
from runpy import run_path

import attrs
import numpy as np
from gather import Gather

import dragon
from dragon.commands.profile import measured
from dragon.errors import RuleError
from dragon.laws.compiled import said_by_options
from dragon.rules import template
from dragon.rules.interpreted import Row, Slot, StateRules
from dragon.rules.record import RecordGame, rules_of
from dragon.rules.rehearsal import rehearse
from dragon.rules.rules import Rules

assert Path(dragon.__file__).parent == Path.cwd() / "dragon", dragon.__file__
names = [field.name for field in attrs.fields(Rules)]
assert names.index("before") + 1 == names.index("forced") == names.index("ranks") - 1
assert template.HAS_FORCED is False and template.forced(None, None) == 0

class Forced(Gather):
    name = "forced"
    says = staticmethod(lambda s, out: 0)

    def rules(self):
        return attrs.evolve(super().rules(), forced=type(self).says)

assert Gather().start().forced() is None  # as for each rule that no State has
two = lambda number: type("Two", (Forced,), {"says": staticmethod(number)})()

def first(s, out):
    if s.ply == 0:
        return -1
    out[0] = 0 if s.taken & u64(1) == u64(0) else 4
    return 1 if s.taken < u64(16) else 0

def too_many(s, out):
    return 6

def illegal(s, out):
    out[0] = 9
    return 1

def changing(s, out):
    s.points += 1
    return 0

from dragon.bits import u64
game = two(first)
state = game.start()
assert state.forced() is None and list(state.after("b").forced()) == ["a"]
for each in "ba":
    state = state.after(each)
assert list(state.forced()) == ["e"]
rules = rules_of(game)
assert rules.bindings()["HAS_FORCED"] and rules.bindings()["forced"] is not first  # a guard
assert rehearse(rules, rules.first, 2000) is None
for rule, said in ((too_many, "it must return how many forced moves there are, or -1"),
                   (illegal, "it gives a move that is not among those of moves"),
                   (changing, "it changes the record, which only play may do")):
    try:
        rules_of(two(rule)), two(rule).start().moves()
    except RuleError as error:
        assert error.rule == "forced" and said in str(error), error
    else:
        raise AssertionError(rule)
assert "forced" in {row.rule for row in measured(game, 0.1).rows}
assert ("forced", 0) in {(name, seat) for name, seat, _ in said_by_options(state)}
root = dragon.game("nim").start()
type(root).forced = lambda state: state.moves()[:1]
names = StateRules(root, lambda state, value: int(value)).names()
slot, out = Slot(), Row()
slot.state = root
assert names["HAS_FORCED"] and names["forced"](slot, out) == 1
assert out[0].move == root.moves()[0]
table = run_path("docs/generate.py")["rules_part"]("optional")
assert "| `forced(s, out)` | Writes the moves that a side is forced" in table
print("found everywhere")
"""


@pytest.mark.full
def test_a_rule_that_is_declared_in_one_place_is_found_everywhere(tmp_path: Path) -> None:
    """The package is copied, and one rule is added to its contract."""
    source = Path(dragon.__file__).parent
    for name in ("dragon", "docs"):
        left_out = shutil.ignore_patterns("__pycache__", "*.svg")
        shutil.copytree(source.parent / name, tmp_path / name, ignore=left_out)
    shutil.copy(Path(__file__).with_name("gather.py"), tmp_path)
    contract = tmp_path / "dragon" / "rules" / "contract.py"
    declared, mark, rest = contract.read_text(encoding="utf-8").partition("\n\nREQUIRED = ")
    contract.write_text(declared + "\n" + DUMMY + mark + rest, encoding="utf-8")
    (tmp_path / "finds.py").write_text(FINDS, encoding="utf-8")
    own = {name: value for name, value in os.environ.items() if not name.startswith("DRAGON_")}
    environment = own | {"PYTHONPATH": str(tmp_path), "DRAGON_CACHE": str(tmp_path / "cache")}
    ran = subprocess.run([sys.executable, "finds.py"], cwd=tmp_path, env=environment,
                         capture_output=True, text=True)  # fmt: skip
    assert ran.stdout == "found everywhere\n", ran.stderr
